"""The statements about one hidden layer: known cases, what breaks them, and what is refuted."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
import shallow_bridge as bridge
import shallow_cases as cases

from exactrelu import Domain, Network, Status, finite_sample_exists, globally_identifiable, locally_identifiable
from exactrelu.rationals import rank
from exactrelu.theorems import Instance, Standing, Theorem
from exactrelu.theorems.book import chapter
from exactrelu.theorems.decisions.competitors import globally_identifiable_by_enumeration
from exactrelu.theorems.statements import (
    equality,
    shallow,
    shallow_conditions,
    shallow_graph,
    shallow_samples,
    shallow_without_hidden_biases,
    shallow_without_output_bias,
)
from exactrelu.theorems.statements.shallow_supply import BROKEN, EVERYWHERE, GENTLE, OPPOSITE, domain_of_kind, draw

HOLDS, FAILS, INAPPLICABLE = Status.HOLDS, Status.FAILS, Status.INAPPLICABLE
MODULES = (
    equality,
    shallow,
    shallow_samples,
    shallow_without_output_bias,
    shallow_without_hidden_biases,
    shallow_graph,
)
STATEMENTS: dict[str, Theorem] = {item.id: item for module in MODULES for item in module.STATEMENTS}
REFUTED = [item for item in STATEMENTS.values() if item.standing is Standing.REFUTED]
SCOPE = {"one_hidden_layer", "output_bias", "hidden_biases", "interior", "bounded", "all_of_space"}


Neurons = Sequence[tuple[Any, Any, Any]]


def net(neurons: Neurons, *, hidden: bool = True, output: bool = True) -> Network:
    """A network from neurons (w, b, v) with output bias 0; numbers stand for vectors of length 1."""

    def vector(x: Any) -> tuple[Any, ...]:
        return x if isinstance(x, tuple) else (x,)

    rows = [vector(w) for w, _, _ in neurons]
    columns = [vector(v) for _, _, v in neurons]
    bias = [b for _, b, _ in neurons] if hidden else None
    return Network.mlp([rows, list(zip(*columns, strict=True))], [bias, [0] * len(columns[0]) if output else None])


def both(neurons: Neurons, domain: Domain | str) -> Instance:
    return Instance(net(neurons), domain=domain)


def no_output(neurons: Neurons, domain: Domain | str) -> Instance:
    return Instance(net(neurons, output=False), domain=domain)


def no_hidden(neurons: Neurons, domain: Domain | str) -> Instance:
    return Instance(net(neurons, hidden=False), domain=domain)


def table_instance(name: str) -> Instance:
    data, vertices, *_ = cases.TABLE[name]
    return Instance(bridge.network(data), domain=bridge.domain(vertices, data.d))


def failing(theorem: Theorem, instance: Instance) -> str:
    """The name of the hypothesis at which the check of a statement stops."""
    return next(item.id for item in theorem.check(instance).conditions if item.status is not HOLDS)


# ---- all cases with known answers


def assert_decided(direct: str, instance: Instance, expected: str) -> None:
    """Statement and converse both hold, or a condition and identifiability both fail."""
    theorem, converse = STATEMENTS[direct], STATEMENTS[f"{direct}_converse"]
    if expected == "holds":
        assert theorem.check(instance).status is HOLDS
        assert converse.check(instance).status is HOLDS
    else:
        assert failing(theorem, instance) not in SCOPE
        assert failing(converse, instance) in (
            "globally_identifiable",
            "locally_identifiable",
            "finite_sample_exists",
        )


@pytest.mark.parametrize("name", [name for name in cases.TABLE if name not in ("S28", "S30")])
def test_known_cases(name: str) -> None:
    local, everywhere, sample = cases.TABLE[name][2]
    instance = table_instance(name)
    assert_decided("shallow_local", instance, local)
    domain = instance.domain or Domain.space(instance.network.input_dim)
    assert_decided("shallow_space_global" if domain.is_space else "shallow_bounded_global", instance, everywhere)
    assert_decided("shallow_finite_sample", instance, sample)


def test_known_case_without_output_bias() -> None:
    instance = table_instance("S28")
    assert_decided("shallow_local_without_output_bias", instance, "holds")
    assert_decided("shallow_global_without_output_bias", instance, "holds")
    assert STATEMENTS["shallow_finite_sample_without_output_bias"].check(instance).status is HOLDS


def test_known_case_in_a_line() -> None:
    instance = table_instance("S30")
    verdict = STATEMENTS["flat_domains_identify_nothing"].check(instance)
    assert verdict.status is HOLDS
    assert verdict.family.member(1) != instance.network
    assert failing(STATEMENTS["shallow_local"], instance) == "interior"


def test_known_remarks() -> None:
    on = no_output([(1, 2, 1)], "[-1,1]")
    assert failing(STATEMENTS["shallow_global_without_output_bias"], on) == "kinked"
    excluded = STATEMENTS["global_identifiability_without_output_bias_excludes_silent_neurons"]
    for instance in (on, no_output([(1, 0, 2), (-1, 0, 1)], "[-1,1]")):
        assert excluded.check(instance).status is HOLDS
    pair = no_hidden([(1, 0, 2), (-1, 0, 1)], "[-1,1]")
    assert_decided("shallow_space_global_without_hidden_biases", pair, "holds")
    identity = no_hidden([(1, 0, 1), (-1, 0, -1)], "R")
    assert STATEMENTS["shallow_local_without_hidden_biases"].check(identity).status is HOLDS
    hat = both([(1, 1, 1), (1, 0, -2), (1, -1, 1)], "R")
    assert STATEMENTS["shallow_fibre_is_flips"].check(hat).status is HOLDS
    assert STATEMENTS["distinct_hyperplanes_imply_global_identifiability"].check(hat).status is FAILS


@pytest.mark.parametrize("name", cases.WIDTHS)
def test_known_widths(name: str) -> None:
    data, vertices, width = cases.WIDTHS[name]
    instance = Instance(bridge.network(data), domain=bridge.domain(vertices, data.d))
    verdict = STATEMENTS["shallow_minimal_width"].check(instance)
    assert verdict.status is HOLDS
    assert verdict.conditions[-1].detail == f"the least width is {width}, the formula says {width}"


def test_known_equalities() -> None:
    direct, converse = (STATEMENTS[f"shallow_equality_by_normal_form{end}"] for end in ("", "_converse"))
    for left, right, equal, _ in cases.EQUALITIES.values():
        pair = Instance(bridge.network(left), bridge.network(right))
        for statement in (direct, converse):
            assert statement.check(pair).status is (HOLDS if equal else INAPPLICABLE)


def test_fibres_are_listed_in_the_verdict() -> None:
    flips = STATEMENTS["shallow_fibre_is_flips"]
    for name, classes in (("S13", 2), ("S14", 2), ("S16", 2), ("S15", 1), ("S17", 1)):
        assert f"{classes} class(es)" in flips.check(table_instance(name)).conditions[-1].detail


# ---- every hypothesis


def any_instance(generator: random.Random) -> Instance:
    d = generator.choice((1, 1, 2, 2, 3))
    domain = domain_of_kind(generator.choice((*EVERYWHERE, "flat", "tilted")), d, generator)
    biases = {"hidden": generator.random() < 0.6, "output": generator.random() < 0.6}
    plants = (*GENTLE, *OPPOSITE, *OPPOSITE, *BROKEN)
    return Instance(draw(generator, generator.choice((1, 1, 2)), domain, plants, (1, 4), **biases), domain=domain)


def unbroken(seed: int, count: int) -> int:
    """How many random instances each statement survives without the hypotheses that are not needed."""
    generator = random.Random(seed)
    instances = [any_instance(generator) for _ in range(count)]
    held = 0
    for id, statement in STATEMENTS.items():
        for name in chapter(id).matter["not_known_to_be_needed"]:
            weaker, dropped = statement.without(name), statement.hypothesis(name)
            for instance in instances:
                if dropped.on(instance).status is not HOLDS:
                    found = weaker.check(instance)
                    assert found.status is not FAILS, (id, name, instance.explain())
                    held += found.status is HOLDS
    return held


def test_hypotheses_that_are_not_known_to_be_needed() -> None:
    assert unbroken(1, 40) > 50


@pytest.mark.sweep
def test_many_instances_without_the_hypotheses_that_are_not_known_to_be_needed() -> None:
    assert unbroken(2, 1500) > 2000


# ---- refuted statements


@pytest.mark.parametrize("theorem", REFUTED, ids=lambda theorem: theorem.id)
def test_refuted_statements_fail_on_their_supply(theorem: Theorem) -> None:
    seen = Counter(theorem.check(theorem.draw(random.Random(seed))).status for seed in range(40))
    assert seen[FAILS] >= 4
    assert seen[HOLDS] >= 4


def test_the_traps() -> None:
    pair, hat = net([(1, 0, 2), (-1, 0, 1)]), net([(1, 1, 1), (1, 0, -2), (1, -1, 1)])
    local, sample, distinct = (
        STATEMENTS[id]
        for id in (
            "locally_identifiable_shallow_networks_are_globally_identifiable",
            "local_identifiability_gives_a_finite_sample",
            "distinct_hyperplanes_imply_global_identifiability",
        )
    )
    assert {local, sample, distinct} == set(REFUTED)
    verdict = local.check(pair, domain="[-1,1]")
    assert verdict.status is FAILS
    bridge.assert_refutes(bridge.plain(pair), verdict.witness, cases.UNIT)
    assert sample.check(pair).status is FAILS
    assert distinct.check(hat).witness is not None


# ---- the conditions, together, are those of the package


def test_conditions_agree_with_the_verdicts_of_the_package() -> None:
    """The conjunctions of the separate conditions against the procedures that evaluate them together."""
    seen: Counter[tuple[str, Status]] = Counter()
    for data, vertices in cases.random_cases(17, 150):
        network, domain = bridge.network(data), bridge.domain(vertices, data.d)
        if not (data.hidden_bias and data.c is not None and domain.is_full_dimensional):
            continue
        instance = Instance(network, domain=domain)
        bounded = "shallow_space_global" if domain.is_space else "shallow_bounded_global"
        for id, question in (
            ("shallow_local", locally_identifiable),
            (bounded, globally_identifiable),
            ("shallow_finite_sample", finite_sample_exists),
        ):
            conditions = STATEMENTS[f"{id}_converse"].conclusion.on(instance).status
            assert conditions is question(network, domain).status, (id, data, vertices)
            seen[id, conditions] += 1
    assert all(seen[id, status] >= 3 for id in ("shallow_local", "shallow_finite_sample") for status in (HOLDS, FAILS))


def test_special_cases_of_a_rigid_active_neuron() -> None:
    """One neuron that is on, with room around it or on all of space, next to opposite pairs with independent forms."""
    generator, seen = random.Random(4), Counter[tuple[bool, bool]]()
    while sum(seen.values()) < 60:
        d = generator.choice((1, 2, 2, 3))
        domain = domain_of_kind(generator.choice(("space", "cube")), d, generator)
        network = draw(generator, 1, domain, OPPOSITE, (1, 5), output=False)
        level = [*([0] * d), 7] if domain.is_space or generator.random() < 0.3 else [*([1] * d), 7]
        pairs = shallow_conditions.bending_pairs(network)
        hidden, outer = network.layers
        rows = [*hidden.blocks[0][1], level[:-1]]
        larger = Network.mlp([rows, [[*outer.blocks[0][1][0], 1]]], [[*hidden.bias, level[-1]], None])
        if len(pairs) > d + 1 or any(
            side.opposite and not any(side.jump) for side in shallow_conditions.sides_of(network)
        ):
            continue
        if not shallow_conditions.kinked(network, domain) or rank([side.form for side in pairs]) < len(pairs):
            continue
        normals = [side.form[:-1] for side in pairs]
        expected = rank(normals) == len(normals) if domain.is_space else not pairs
        assert shallow_conditions.rigid_affine_part(larger, domain) is expected, (larger, domain)
        seen[domain.is_space, expected] += 1
    assert len(seen) >= 3


def test_conditions_do_not_count_what_others_forbid() -> None:
    silent = both([(1, 0, 1), (1, 1, 0), (0, 0, 1)], "[-2,2]").network
    assert shallow_conditions.no_zero_sum_flip(silent) and not shallow.no_zero_sum(silent)
    assert shallow_conditions.kinked(silent, Domain.parse("[-2,2]")) and not shallow_conditions.nonzero_input(silent)
    assert shallow_conditions.distinct_hyperplanes(silent)


def test_a_wrong_conclusion_is_noticed() -> None:
    """Calling everything identifiable breaks the converse, calling nothing so breaks the statement."""
    kink, off = both([(1, 0, 1)], "[-1,1]"), both([(1, -2, 1)], "[-1,1]")
    direct, converse = STATEMENTS["shallow_bounded_global"], STATEMENTS["shallow_bounded_global_converse"]

    def never(network: Network) -> bool:
        return False

    def always(network: Network) -> bool:
        return True

    assert Theorem(hypotheses=direct.hypotheses, conclusion=never).check(kink).status is FAILS
    others = [item for item in converse.hypotheses if item.name != "globally_identifiable"]
    assert Theorem(hypotheses=[*others, always], conclusion=converse.conclusion).check(off).status is FAILS


def test_unknown_where_the_enumeration_is_too_long() -> None:
    large = Network.mlp([[[i, 1] for i in range(16)], [[1] * 16]], [list(range(16)), [0]])
    found = shallow.GLOBAL.on(Instance(large))
    assert found.status is Status.UNKNOWN
    assert globally_identifiable_by_enumeration(Network.random((2, 3, 1), 0)).status is HOLDS


# ---- supplies and arrangements


@pytest.mark.parametrize("theorem", STATEMENTS.values(), ids=STATEMENTS)
def test_supplies_are_reproducible_and_hold(theorem: Theorem) -> None:
    first, second = (theorem.draw(random.Random("supply")) for _ in range(2))
    assert first == second
    statuses = Counter(theorem.check(theorem.draw(random.Random(seed))).status for seed in range(8))
    assert statuses[INAPPLICABLE] <= 1
    assert theorem.standing is Standing.REFUTED or not statuses[FAILS]


@pytest.mark.sweep
@pytest.mark.parametrize("theorem", STATEMENTS.values(), ids=STATEMENTS)
def test_a_thousand_instances(theorem: Theorem) -> None:
    statuses = Counter(theorem.check(theorem.draw(random.Random(f"many {seed}"))).status for seed in range(1100))
    assert statuses[HOLDS] >= (1000 if theorem.standing is not Standing.REFUTED else 100)
    assert theorem.standing is Standing.REFUTED or not statuses[FAILS]


def test_arrangements_give_each_domain_once() -> None:
    network = Network.random((2, 3, 1), 0)
    for theorem in STATEMENTS.values():
        if theorem.arrangement is not None:
            found = list(theorem.arrangement(network, random.Random(0)))
            assert {instance.network for instance in found} == {network}
            assert found == list(theorem.arrangement(network, random.Random(0)))
    bounded = STATEMENTS["shallow_bounded_global"].arrangement
    assert bounded is not None
    assert sum(instance.domain.is_bounded for instance in bounded(network, random.Random(0))) >= 3


def test_every_statement_says_what_it_is() -> None:
    for theorem in STATEMENTS.values():
        assert theorem.title and theorem.statement and theorem.source and theorem.explain()
        assert theorem.supply is not None
        assert all(item.meaning for item in (*theorem.hypotheses, theorem.conclusion))
        assert theorem.statement.count("$") % 2 == 0
