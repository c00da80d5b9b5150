"""The enumeration of competitors against an enumeration that shares no code with the package."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import pytest
import shallow_bridge as bridge
import shallow_cases as cases
import shallow_oracle as so
import shallow_search as search

from exactrelu import (
    BudgetExceeded,
    Domain,
    HypothesisNotMet,
    Network,
    Status,
    globally_identifiable,
    locally_identifiable,
    permutation_scaling_equivalent,
    same_function,
    shallow_statuses,
)
from exactrelu.errors import Undecided
from exactrelu.theorems.decisions import nearby
from exactrelu.theorems.decisions.competitors import (
    fibre_classes,
    global_competitor,
    globally_identifiable_by_enumeration,
    least_realization,
    locally_identifiable_by_strata,
)
from exactrelu.theorems.decisions.equal_functions import equal_functions
from exactrelu.theorems.statements.shallow_supply import BROKEN, GENTLE, UNBOUNDED, domain_of_kind, draw

HOLDS, FAILS = Status.HOLDS, Status.FAILS


def compare(seed: int, count: int) -> Counter[tuple[str, str]]:
    """Verdicts and least widths against the oracle; witnesses and lines are checked by plain function values."""
    seen: Counter[tuple[str, str]] = Counter()
    for data, vertices in cases.random_cases(seed, count):
        net, domain = bridge.network(data), bridge.domain(vertices, data.d)
        expected = search.local(data, vertices), search.global_(data, vertices)
        try:
            local, everywhere = (
                locally_identifiable_by_strata(net, domain),
                globally_identifiable_by_enumeration(net, domain),
            )
        except Undecided:
            assert expected == ("unknown", "unknown"), data
            continue
        if "unknown" not in expected:
            assert (str(local.status), str(everywhere.status)) == expected, (data, vertices)
        for verdict in (local, everywhere):
            assert (verdict.witness is None) == (verdict.status is HOLDS)
            if verdict.witness is not None:
                bridge.assert_refutes(data, verdict.witness, vertices)
        if local.status is FAILS:
            assert everywhere.status is FAILS
            _, near = local.family.member_within("1/100")
            bridge.assert_refutes(data, near, vertices)
            assert bridge.distance(data, bridge.plain(near)) <= Fraction(1, 100)
        if so.supported(data, vertices):
            width, least = least_realization(net, domain)
            assert width == search.minimal_width(data, vertices), (data, vertices)
            assert (least is None) == (width == 0)
            if least is not None:
                assert so.equal(bridge.plain(least), data, vertices)
        seen[str(local.status), str(everywhere.status)] += 1
    return seen


def test_verdicts_widths_and_witnesses_of_random_and_degenerate_networks() -> None:
    seen = compare(31, 90)
    assert min(seen["holds", "holds"], seen["holds", "fails"], seen["fails", "fails"]) >= 4


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(5))
def test_many_verdicts_widths_and_witnesses(seed: int) -> None:
    assert sum(compare(seed, 1500).values()) > 1300


@pytest.mark.parametrize("name", cases.TABLE)
def test_known_cases(name: str) -> None:
    data, vertices, (local, everywhere, _), other = cases.TABLE[name]
    net, domain = bridge.network(data), bridge.domain(vertices, data.d)
    assert locally_identifiable_by_strata(net, domain).status.value == local
    assert globally_identifiable_by_enumeration(net, domain).status.value == everywhere
    if other is not None:
        assert equal_functions(net, bridge.network(other), domain)


@pytest.mark.parametrize("name", cases.REMARKS)
def test_known_remarks(name: str) -> None:
    data, vertices, local, everywhere = cases.REMARKS[name]
    net, domain = bridge.network(data), bridge.domain(vertices, data.d)
    assert local in (None, locally_identifiable_by_strata(net, domain).status.value)
    assert everywhere in (None, globally_identifiable_by_enumeration(net, domain).status.value)


@pytest.mark.parametrize("name", cases.WIDTHS)
def test_known_widths(name: str) -> None:
    data, vertices, width = cases.WIDTHS[name]
    assert least_realization(bridge.network(data), bridge.domain(vertices, data.d))[0] == width


# ---- every pair of classes with one function, in a family that is complete


def test_a_competitor_exists_exactly_if_the_family_or_the_oracle_has_one() -> None:
    """All networks 1-2-1 with entries -1, 0, 1: two classes with one function refute, and the batch verdicts agree."""
    groups = so.function_classes(so.all_networks(1, 2, 1, (-1, 0, 1)), cases.UNIT)
    domain = bridge.domain(cases.UNIT, 1)
    refuted = 0
    for members in groups.values():
        for data in members.values():
            found = global_competitor(bridge.network(data), domain)
            if found is not None:
                bridge.assert_refutes(data, found, cases.UNIT)
            assert found is not None or len(members) == 1, data
            refuted += found is not None
        if sum(map(len, groups.values())) and refuted > 150:
            break
    assert refuted > 150


# ---- domains that the oracle does not know


def test_unbounded_polyhedra_agree_with_the_conditions_where_these_decide() -> None:
    generator = random.Random(5)
    seen: Counter[tuple[str, str, str]] = Counter()
    for number in range(60):
        d, k = generator.choice((1, 2, 2, 3)), generator.choice((1, 1, 2))
        domain = domain_of_kind(generator.choice(UNBOUNDED), d, generator)
        biases = {"hidden": generator.random() < 0.8, "output": generator.random() < 0.7}
        net = draw(generator, k, domain, (*GENTLE, *BROKEN), (1, 4), **biases)
        for question, decision in (
            (locally_identifiable, locally_identifiable_by_strata),
            (globally_identifiable, globally_identifiable_by_enumeration),
        ):
            expected, found = question(net, domain), decision(net, domain)
            assert expected.status in (found.status, Status.UNKNOWN), (number, net, domain)
            if found.witness is not None:
                assert same_function(net, found.witness, domain).status is HOLDS
                assert permutation_scaling_equivalent(net, found.witness).status is FAILS
            seen[question.__name__, expected.status.value, found.status.value] += 1
    assert seen["globally_identifiable", "unknown", "fails"] and seen["globally_identifiable", "unknown", "holds"]


def test_opposite_twins_on_a_half_line_are_undecided_by_conditions_and_decided_here() -> None:
    pair = Network.mlp([[[1], [-1]], [[2, 1]]], [[0, 0], [0]])
    for domain, expected in (("R", HOLDS), ("[-1,1]", FAILS)):
        assert globally_identifiable_by_enumeration(pair, Domain.parse(domain)).status is expected
    half_line = Domain.box([(-1, None)])
    found = global_competitor(pair, half_line)
    assert globally_identifiable(pair, half_line).witness is not None
    assert found is not None and same_function(pair, found, half_line).status is HOLDS


def test_an_active_neuron_may_turn_on_a_half_plane() -> None:
    r"""2 relu(x - y) + relu(y - x) on y >= 0 needs y itself, which is on there, and cannot be replaced on y >= -x."""
    net = Network.mlp([[[1, -1], [-1, 1]], [[1, 2]]], [[0, 0], [0]])
    above = Domain.polytope(halfspaces=[([0, -1], 0)])
    assert globally_identifiable_by_enumeration(net, Domain.space(2)).status is HOLDS
    assert globally_identifiable_by_enumeration(net, above).status is HOLDS
    strip = Domain.polytope(halfspaces=[([-1, 1], 1)])
    assert globally_identifiable_by_enumeration(net, strip).status is FAILS


# ---- lines


def test_without_output_bias_an_active_neuron_tilts_only_where_it_has_room() -> None:
    """On [-1,1]^2 the neuron x + 1 touches 0 along an edge, where y bends both ways."""
    touching = Network.mlp([[[1, 0], [0, 1], [0, -1]], [[1, 2, 1]]], [[1, 0, 0], None])
    free = Network.mlp([[[1, 0], [0, 1], [0, -1]], [[1, 2, 1]]], [[2, 0, 0], None])
    square = Domain.parse("[-1,1]^2")
    assert locally_identifiable_by_strata(touching, square).status is HOLDS
    verdict = locally_identifiable_by_strata(free, square)
    assert verdict.status is FAILS
    bridge.assert_refutes(bridge.plain(free), verdict.witness, cases.SQUARE)
    cornered = Network.mlp([[[1, 1], [0, 1], [0, -1]], [[1, 2, 1]]], [[2, "-1/2", "1/2"], None])
    assert locally_identifiable_by_strata(cornered, square).status is FAILS


def test_with_one_input_and_no_hidden_biases_an_output_may_be_zero() -> None:
    for weights, outputs in (([[1]], [[0]]), ([[1], [-1]], [[0, 5]]), ([[1], [-1]], [[0, 0]])):
        net = Network.mlp([weights, outputs], [None, [0]])
        assert locally_identifiable_by_strata(net, Domain.parse("[-1,1]")).status is HOLDS
        assert globally_identifiable_by_enumeration(net, Domain.parse("[-1,1]")).status is FAILS
    twins = Network.mlp([[[1], [1]], [[0, 5]]], [None, [0]])
    assert locally_identifiable_by_strata(twins, Domain.parse("[-1,1]")).status is FAILS


def test_a_flat_domain_off_the_origin_without_hidden_biases_is_refused() -> None:
    net = Network.mlp([[[1, 1]], [[1]]], [None, [0]])
    with pytest.raises(Undecided, match="off the origin"):
        global_competitor(net, Domain.box([(1, 1), (0, 1)]))
    assert global_competitor(net, Domain.box([(0, 0), (0, 1)])) is not None


def test_a_line_that_changes_the_function_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = nearby.Move(outputs=((0, (Fraction(1),)),))
    monkeypatch.setattr(nearby, "_moves", lambda net, domain: iter([wrong]))
    with pytest.raises(RuntimeError, match="does not stand up"):
        nearby.nearby_line(Network.mlp([[[1]], [[1]]], [[0], [0]]), Domain.space(1))


# ---- fibres, budgets, bad input


def test_fibres_of_distinct_kinks_have_one_class_per_zero_sum_set() -> None:
    count = 0
    for data, vertices in cases.random_cases(8, 400):
        if not (so.supported(data, vertices) and so.distinct_kinks(data, vertices)):
            continue
        found = fibre_classes(bridge.network(data), bridge.domain(vertices, data.d))
        assert found is not None
        assert len(found) == 1 + len(so.flip_sets(data, vertices)), data
        assert all(so.equal(bridge.plain(member), data, vertices) for member in found)
        count += 1
    assert count > 50


def test_fibres_with_lines_or_idle_neurons_are_not_listed() -> None:
    assert fibre_classes(Network.mlp([[[1], [2]], [[1, 1]]], [[0, 0], [0]])) is None
    assert fibre_classes(Network.mlp([[[1]], [[0]]], [None, [0]])) is None


def test_long_enumerations_are_refused() -> None:
    net = Network.mlp([[[i, 1] for i in range(9)], [[1] * 9]], [list(range(9)), [0]])
    assert global_competitor(net) is None
    with pytest.raises(BudgetExceeded, match="double and reverse"):
        global_competitor(net, budget=10)


def test_deep_networks_and_flat_domains_are_refused() -> None:
    with pytest.raises(HypothesisNotMet, match="one hidden ReLU layer"):
        global_competitor(Network.random((1, 2, 2, 1), 0))
    with pytest.raises(HypothesisNotMet, match="interior points"):
        least_realization(Network.random((1, 2, 1), 0), Domain.box([(0, 0)]))


def test_batch_statuses_agree() -> None:
    """The quick verdicts of all small networks on a half-line, where no oracle but this one speaks."""
    generator = random.Random(9)
    neurons = [tuple(generator.randint(-2, 2) for _ in range(3)) for _ in range(120)]
    pairs = [(neurons[i], neurons[i + 1]) for i in range(0, 120, 2)]
    for (local, everywhere), pair in zip(shallow_statuses(pairs, 1, "[-1,2]"), pairs, strict=True):
        net = Network.mlp([[[w] for w, _, _ in pair], [[v for _, _, v in pair]]], [[b for _, b, _ in pair], [0]])
        assert locally_identifiable_by_strata(net, Domain.parse("[-1,2]")).status is local
        assert globally_identifiable_by_enumeration(net, Domain.parse("[-1,2]")).status is everywhere
