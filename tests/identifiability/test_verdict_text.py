"""What verdicts say: condition by condition with the numbers, then the witness written out; and their JSON."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import product

import pytest
import shallow_bridge as bridge
import shallow_cases as cases

from exactrelu import (
    Domain,
    Network,
    Status,
    Verdict,
    VerdictIsNotATruthValue,
    analyze,
    finite_sample_exists,
    globally_identifiable,
    locally_identifiable,
    same_function,
    zoo,
)
from exactrelu.verdicts import Condition, conjunction
from exactrelu.zoo import shallow_network

KEYS = ["claim", "status", "conditions", "evidence", "witness", "family"]
CONDITION_KEYS = ["id", "status", "neurons", "detail"]
DOCUMENTED = {
    "nonzero_output",
    "nonzero_input",
    "kinked",
    "no_positive_twins",
    "opposite_twins_jump",
    "opposite_pairs_independent",
    "opposite_pairs_outputs_independent",
    "distinct_hyperplanes",
    "no_zero_sum_flip",
    "no_alternative_jump_choice",
    "functional_dimension",
    "interior",
}
FURTHER = {"one_hidden_layer", "rigid_affine_part", "admissible", "no_deformation", "relu_network"}


def the(name: str) -> Network:
    """The network of a specimen."""
    return zoo.specimen(name).network


ASKS = {"local": locally_identifiable, "global": globally_identifiable, "finite-sample": finite_sample_exists}

TWO_BAD = shallow_network([(1, 0, 1), (1, "-3", 1), (1, 4, 1), (2, 0, 1), (1, "1/2", 0)])
UNEQUAL_PAIRS = shallow_network([(1, 0, 2), (-1, 0, 1), (1, -1, 2), (-1, 1, 1)])

# name: question, network, domain, failing condition, its neurons, words that its line must have
FAILING = {
    "dead output": ("local", the("S20"), "[-1,1]", "nonzero_output", [1], "outgoing weights are all 0"),
    "all zero": ("local", the("S21"), "[-1,1]", "nonzero_input", [1], "incoming weights and bias"),
    "off": ("local", the("S02"), "[-1,1]", "kinked", [0], "neuron 0 is off, range -3 to -1"),
    "on": ("global", the("S03"), "[-1,1]", "kinked", [0], "neuron 0 is on, range 1 to 3"),
    "touching": ("local", the("S04"), "[-1,1]", "kinked", [0], "neuron 0 is off, range -2 to 0"),
    "constant": ("local", the("S22"), "R", "kinked", [1], "neuron 1 is on, range 1 to 1"),
    "off and on": ("local", TWO_BAD, "[-1,1]", "kinked", [1, 2],
                   "neuron 1 is off, range -4 to -2, neuron 2 is on, range 3 to 5"),
    "twins": ("local", the("S06"), "[-1,1]", "no_positive_twins", [0, 1], "neurons 0 and 1 on x0 = 0"),
    "cancelling": ("local", the("S08"), "R", "opposite_twins_jump", [0, 1], "cancel on x0 = 0"),
    "dependent": ("local", UNEQUAL_PAIRS, "R", "opposite_pairs_independent", [0, 1, 2, 3], "the normals are dependent"),
    "shared": ("global", the("S07b"), "[-1,1]", "distinct_hyperplanes", [0, 1], "neurons 0 and 1 on x0 = 0"),
    "zero sum": ("global", the("S16"), "[-1,1]^2", "no_zero_sum_flip", [0, 1, 2],
                 "the sum of v_i w_i^T over the neurons (0, 1, 2) is 0"),
    "alternative": (
        "global",
        shallow_network([((1, 0), 0, 2), ((-1, 0), 0, 1), ((0, 1), 0, 3), ((0, -1), 0, 1)]),
        "R^2", "no_alternative_jump_choice", [], "shared differently"),
    "parallel outputs": ("finite-sample", the("S07a"), "R", "opposite_pairs_outputs_independent", [0, 1],
                         "linearly dependent on x0 = 0"),
    "thin": ("global", the("S30"), zoo.specimen("S30").domain, "interior", [], "lies in x1 = 0"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAILING)
def test_a_failing_condition_is_named_with_its_numbers(name: str) -> None:
    scope, net, domain, identifier, neurons, words = FAILING[name]
    verdict = ASKS[scope](net, domain)
    condition = verdict.condition(identifier)
    assert condition.status is Status.FAILS
    assert condition.neurons == tuple((1, i) for i in neurons)
    (line,) = [row for row in verdict.explain().splitlines() if row.startswith(f"  [fails] {identifier}: ")]
    assert words in line


def test_every_failing_condition_is_told_not_only_the_first() -> None:
    verdict = locally_identifiable(TWO_BAD, "[-1,1]")
    failing = {condition.id for condition in verdict.conditions if condition.status is Status.FAILS}
    assert failing == {"nonzero_output", "kinked", "no_positive_twins"}
    assert all(f"[fails] {identifier}: " in verdict.explain() for identifier in failing)


def test_ranges_are_those_of_the_neuron_as_it_was_given() -> None:
    verdict = locally_identifiable(shallow_network([("1/2", "1/2", 1)]), "[-1,1]")
    assert "neuron 0 is on, range 0 to 1" in verdict.explain()


def test_no_condition_states_something_false() -> None:
    verdict = locally_identifiable(the("S21"), "[-1,1]")
    assert "[holds] kinked: the form of every neuron takes both signs" not in verdict.explain()


@pytest.mark.parametrize("neurons", [[(1, 0, 0)], [(1, 0, 1), (-1, 0, 0)], [(0, 0, 1), (0, 0, 2)]])
def test_a_refusal_always_names_a_condition(neurons: list[tuple[int, int, int]]) -> None:
    verdict = globally_identifiable(shallow_network(neurons, hidden_biases=False))
    assert verdict.status is Status.FAILS
    assert "[fails]" in verdict.explain()


# ----------------------------------------------------------------- witnesses

LINE = re.compile(r"  (?P<name>[hy]\w*) = (?P<formula>.*)")


def value_of(formula: str, values: dict[str, Fraction]) -> Fraction:
    """The value of a formula as it is printed."""
    inner = re.fullmatch(r"relu\((.*)\)", formula)
    if inner:
        return max(value_of(inner[1], values), Fraction(0))
    total = Fraction(0)
    for sign, size, name in re.findall(r"([+-]?) ?(\d+(?:/\d+)?)?\*?([xhy]\w*)?(?: |$)", formula):
        if size or name:
            part = (Fraction(size) if size else 1) * (values[name] if name else 1)
            total += -part if sign == "-" else part
    return total


def written_network(text: str, point: tuple[Fraction, ...]) -> list[Fraction]:
    """The outputs at a point of the network whose formulas stand below ``witness:``."""
    values = {f"x{i}": entry for i, entry in enumerate(point)}
    for match in LINE.finditer(text[text.index("\nwitness:") :].split("\nfamily:", maxsplit=1)[0]):
        values[match["name"]] = value_of(match["formula"], values)
    return [value for name, value in values.items() if name.startswith("y")]


def test_the_witness_is_written_out_as_formulas() -> None:
    written = 0
    for net, vertices in cases.random_cases(31, 60):
        network, domain = bridge.network(net), bridge.domain(vertices, net.d)
        verdict = globally_identifiable(network, domain)
        if verdict.witness is None:
            continue
        written += 1
        for point in ((0,) * net.d, (Fraction(1, 3),) * net.d, tuple(range(1, net.d + 1)), (-2,) * net.d):
            assert written_network(verdict.explain(), point) == list(verdict.witness(point))
    assert written > 25


def test_the_family_is_written_out_in_t() -> None:
    verdict = locally_identifiable(the("S06"), "[-1,1]")
    text = verdict.explain().split("family: ")[1].splitlines()
    assert text[0] == "for 0 < t <= 1, the same network with"
    assert text[1:] == ["  w[2<-1][0,0] = -t + 1", "  w[2<-1][0,1] = 1/2*t + 1"]


def test_the_headline_says_what_was_asked_where() -> None:
    hat = zoo.HAT
    assert (
        locally_identifiable(hat)
        .explain()
        .startswith("holds: the parameters are locally identifiable from the function on R^1\n")
    )
    assert globally_identifiable(hat, "[-2,2]").explain().startswith(
        "fails: the parameters are globally identifiable from the function on [-2,2]\n")  # fmt: skip


# ------------------------------------------------------------------------ JSON


def verdicts_of_all_kinds() -> list[Verdict]:
    found = [ask(item.network, item.domain) for item in zoo.SPECIMENS.values() for ask in ASKS.values()]
    found += [ask(shallow_network([(1, 0, 2), (-1, 0, 1)], constant=None), "[-1,1]") for ask in ASKS.values()]
    found += [ask(Network.mlp([[[1]], [[1]], [[1]]])) for ask in ASKS.values()]
    found += [globally_identifiable(the("S15"), "[-1,1]", budget=1)]
    found += [
        ask(bridge.network(net), bridge.domain(v, net.d))
        for net, v in cases.random_cases(5, 40)
        for ask in ASKS.values()
    ]
    return found  # fmt: skip


def floats_in(value: object) -> bool:
    if isinstance(value, dict):
        return any(map(floats_in, value.values()))
    return any(map(floats_in, value)) if isinstance(value, list) else isinstance(value, float)


def test_json_has_exactly_the_keys_of_the_contract() -> None:
    seen = set()
    for verdict in verdicts_of_all_kinds():
        data = json.loads(json.dumps(verdict.to_json()))
        assert list(data) == KEYS
        assert data["status"] == verdict.status.value
        assert not floats_in(data)
        for condition in data["conditions"]:
            assert list(condition) == CONDITION_KEYS
            assert condition["id"] in DOCUMENTED | FURTHER
            assert all(layer >= 1 and isinstance(index, int) for layer, index in condition["neurons"])
        if verdict.witness is not None:
            assert data["witness"]["format"] == "exactrelu/network"
        if verdict.family is not None:
            assert data["family"]["parameters"]
        seen.add(verdict.status)
    assert seen == set(Status)


def test_condition_ids_are_those_of_the_contract() -> None:
    used = {condition.id for verdict in verdicts_of_all_kinds() for condition in verdict.conditions}
    assert used <= DOCUMENTED | FURTHER


def test_rationals_in_json_are_text() -> None:
    data = finite_sample_exists(the("S07a")).to_json()
    assert data["evidence"] == {"entries": [["b[1][0]", "1/2"], ["b[1][1]", "1"], ["b[2][0]", "-1"]]}


def test_a_verdict_is_no_truth_value() -> None:
    for verdict in (locally_identifiable(zoo.HAT), same_function(zoo.HAT, zoo.HAT)):
        with pytest.raises(VerdictIsNotATruthValue, match=r"compare \.status with"):
            bool(verdict)


def test_the_budget_is_an_unknown_with_its_number() -> None:
    verdict = globally_identifiable(the("S15"), Domain.parse("[-1,1]"), budget=5)
    assert verdict.status is Status.UNKNOWN
    assert "[unknown] no_zero_sum_flip: budget: at most 5 subsets are allowed; 6 are needed" in verdict.explain()
    assert globally_identifiable(the("S15"), "[-1,1]", budget=6).status is Status.HOLDS


def test_a_budget_is_told_where_it_was_spent() -> None:
    outputs = ((2, 1), (1, 3), (3, 1), (1, 7), (5, 7))
    forms = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1))
    net = shallow_network([(w, 0, v) for w, v in zip(forms, outputs, strict=True)])
    verdict = globally_identifiable(net, budget=4)
    assert verdict.status is Status.UNKNOWN
    assert verdict.condition("no_alternative_jump_choice").status is Status.UNKNOWN
    assert verdict.condition("opposite_pairs_independent").status is Status.HOLDS


LONG = 10**5000


@pytest.mark.parametrize(
    ("net", "domain"),
    [
        (shallow_network([(1, LONG, 1)]), "[-1,1]"),
        (shallow_network([(LONG, 1, 1)]), "[-1,1]"),
        (shallow_network([(1, 0, 1)]), Domain.box([(-1, LONG)])),
    ],
)
def test_numbers_of_any_length_can_be_told(net: Network, domain: Domain | str) -> None:
    verdict = locally_identifiable(net, domain)
    assert "0" * 5000 in verdict.explain()
    assert json.dumps(verdict.to_json())


def test_what_holds_needs_no_reason() -> None:
    """``analyze`` gives reasons for what fails, is open or does not apply, and for nothing else."""
    open_questions = 0
    for seed in range(60):
        widths = ((2, 3, 1), (1, 2, 2, 1), (2, 2, 1))[seed % 3]
        found = analyze(Network.random(widths, seed), "[-1,1]^2" if widths[0] == 2 else None)
        for name in ("locally_identifiable", "globally_identifiable"):
            holds = getattr(found, name).status is Status.HOLDS
            assert not (holds and name in dict(found.reasons)), (seed, name)
            open_questions += not holds
    assert 0 < open_questions < 120


def test_a_conjunction_is_as_good_as_its_worst_condition() -> None:
    worst_first = (Status.FAILS, Status.UNKNOWN, Status.INAPPLICABLE, Status.HOLDS)
    for chosen in product(worst_first, repeat=3):
        found = conjunction([Condition(f"part_{k}", status) for k, status in enumerate(chosen)])
        assert found is min(chosen, key=worst_first.index)
    assert conjunction([]) is Status.HOLDS
