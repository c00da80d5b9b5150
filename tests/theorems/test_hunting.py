"""Hunts: what is false is refuted from scratch, what is true is not, and a counterexample can be checked again."""

from __future__ import annotations

import itertools
import json
import random
import time
from collections.abc import Iterator

import pytest
from refutable import (
    BOUNDED_GLOBAL,
    DISTINCT_GLOBAL,
    EMBEDDING_AND_SIGNS,
    FULL_DIMENSION,
    FULL_RANK_LOCAL,
    LOCAL,
    PATTERNS_DETERMINE_ADJACENCY,
    cells,
)

import exactrelu as er
from exactrelu.errors import InvalidInput, WrongDimension
from exactrelu.theorems.arrangements import arrange, partners
from exactrelu.theorems.families import NetworkFamily, family
from exactrelu.theorems.hunting import Hunt, hunt, instances
from exactrelu.theorems.instances import instance_from_json

BUDGET = 20_000
SHALLOW = family((1, 2, 1), random=1)
TWO_PAIRS = family((1, 4, 1), random=1, strata=("opposite",))


def confirmed(found: Hunt, statement: er.Theorem) -> er.Instance:
    """The counterexample of a hunt, read back from JSON and checked again."""
    assert found.status is er.Status.FAILS
    assert found.counterexample is not None
    assert found.verdict is not None
    data = json.loads(json.dumps(found.to_json()))
    again = instance_from_json(data["counterexample"], "hunt")
    assert again == found.counterexample
    verdict = statement.check(again)
    assert verdict == found.verdict
    assert verdict.status is er.Status.FAILS
    assert all(condition.status is er.Status.HOLDS for condition in verdict.conditions[:-1])
    return again


def test_equal_embeddings_without_admissibility() -> None:
    statement = EMBEDDING_AND_SIGNS.without("admissible")
    one = confirmed(statement.hunt(family((1, 2, 1), entries=(0, 1, -1))), statement)
    assert one.other is not None
    assert er.path_embedding(one.network).vector == er.path_embedding(one.other).vector
    assert er.admissible(one.network).status is er.Status.FAILS
    assert one.network.widths == (1, 1, 1)


def test_equal_embeddings_without_equal_signs() -> None:
    statement = EMBEDDING_AND_SIGNS.without("same_signs")
    one = confirmed(statement.hunt(family((1, 2, 1), entries=(0, 1, -1))), statement)
    assert one.other is not None
    assert er.path_embedding(one.network).vector == er.path_embedding(one.other).vector
    assert er.same_function(one.network, one.other).status is er.Status.FAILS


@pytest.mark.parametrize("name", [hypothesis.name for hypothesis in BOUNDED_GLOBAL.hypotheses])
def test_bounded_global_identifiability_without_a_condition(name: str) -> None:
    statement = BOUNDED_GLOBAL.without(name)
    found = statement.hunt(SHALLOW, "[-1,1]", budget=BUDGET)
    one = confirmed(found, statement)
    assert str(one.domain) == "[-1,1]"
    witness = found.verdict.witness  # type: ignore[union-attr]
    assert er.same_function(one.network, witness, one.domain).status is er.Status.HOLDS
    assert er.permutation_scaling_equivalent(one.network, witness).status is er.Status.FAILS


@pytest.mark.parametrize("name", [hypothesis.name for hypothesis in LOCAL.hypotheses])
def test_local_identifiability_without_a_condition(name: str) -> None:
    statement = LOCAL.without(name)
    found = statement.hunt(TWO_PAIRS if name == "opposite_pairs_independent" else SHALLOW, budget=BUDGET)
    one = confirmed(found, statement)
    line = found.verdict.family  # type: ignore[union-attr]
    _, near = line.member_within("1/100")
    assert er.same_function(one.network, near, one.domain).status is er.Status.HOLDS
    assert er.permutation_scaling_equivalent(one.network, near).status is er.Status.FAILS


def test_distinct_hyperplanes_do_not_imply_global_identifiability() -> None:
    one = confirmed(DISTINCT_GLOBAL.hunt(SHALLOW, budget=BUDGET), DISTINCT_GLOBAL)
    assert er.globally_identifiable(one.network, one.domain).condition("no_zero_sum_flip").status is er.Status.FAILS


def test_full_embedding_rank_does_not_imply_local_identifiability() -> None:
    found = FULL_RANK_LOCAL.hunt(family((1, 1, 1, 1), entries=(0, 1, -1)), budget=BUDGET)
    one = confirmed(found, FULL_RANK_LOCAL)
    assert one.network.widths == (1, 1, 1, 1)
    first, second, third = (layer.blocks[0][1][0][0] for layer in one.network.layers)
    # c s(v s(wx + b) + a): the sign of v a is negative, so that both neurons bend
    assert first and second and third
    assert er.functional_dimension(one.network) < 4


def test_one_wide_runs_miss_the_full_dimension() -> None:
    refuted, reached = [], []
    for hidden in ((1,), (2,), (1, 1), (1, 2), (2, 2), (1, 1, 1), (1, 1, 2), (2, 1, 1, 1)):
        found = FULL_DIMENSION.hunt(family((1, *hidden, 1), random=0, count=1), shrink=False)
        if found.status is er.Status.FAILS:
            refuted.append(confirmed(found, FULL_DIMENSION).network.widths[1:-1])
        elif found.status is er.Status.HOLDS:
            reached.append(hidden)
    assert refuted == [(1, 1, 1), (2, 1, 1, 1)]
    assert reached == [(1,), (2,), (1, 1), (1, 2), (2, 2), (1, 1, 2)]


def test_binary_patterns_do_not_determine_adjacency() -> None:
    some = family((2, 3, 1, 1), random=2, entries=(-3, -2, -1, 1, 2, 3))
    one = confirmed(PATTERNS_DETERMINE_ADJACENCY.hunt(some, budget=BUDGET, shrink=False), PATTERNS_DETERMINE_ADJACENCY)
    assert one.other is not None
    assert one.network.widths == one.other.widths == (2, 3, 1, 1)
    assert all(p.value.denominator == 1 for net in (one.network, one.other) for p in net.parameters)
    # On the graphs of the regions, which name their patterns.
    ours, theirs = (er.activation_regions(net).graph() for net in (one.network, one.other))
    assert set(ours) == set(theirs) == cells(one.network)[0]
    assert {frozenset(edge) for edge in ours.edges} != {frozenset(edge) for edge in theirs.edges}


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(5))
def test_every_refutation_takes_less_than_a_minute_from_any_seed(seed: int) -> None:
    pairs: list[tuple[er.Theorem, NetworkFamily, str | None]] = [
        (EMBEDDING_AND_SIGNS.without("admissible"), family((1, 2, 1), random=seed), None),
        (EMBEDDING_AND_SIGNS.without("same_signs"), family((1, 2, 1), random=seed), None),
        (DISTINCT_GLOBAL, family((1, 3, 1), random=seed), None),
        (FULL_RANK_LOCAL, family((1, 1, 1, 1), random=seed), None),
        (PATTERNS_DETERMINE_ADJACENCY, family((2, 3, 1, 1), random=seed, entries=(-3, -2, -1, 1, 2, 3)), None),
    ]
    for hypothesis in BOUNDED_GLOBAL.hypotheses:
        pairs.append((BOUNDED_GLOBAL.without(hypothesis.name), family((1, 2, 1), random=seed), "[-1,1]"))
    for hypothesis in LOCAL.hypotheses:
        if hypothesis.name == "opposite_pairs_independent":
            some = family((1, 4, 1), random=seed, strata=("opposite",))
        else:
            some = family((1, 2, 1), random=seed)
        pairs.append((LOCAL.without(hypothesis.name), some, None))
    for statement, some, domain in pairs:
        begin = time.monotonic()
        found = statement.hunt(some, domain, budget=200_000)
        confirmed(found, statement)
        assert time.monotonic() - begin < 60, statement.id


def test_a_planted_true_statement_is_not_refuted() -> None:
    found = EMBEDDING_AND_SIGNS.hunt(family((1, 2, 1), random=0, count=200))
    assert found.status is er.Status.HOLDS
    assert found.exhausted
    assert found.counterexample is None
    assert found.applicable > 100
    assert (
        found.tried
        == sum(number for _, number in found.counts)
        == found.applicable + found.count(er.Status.INAPPLICABLE)
    )
    for statement in (BOUNDED_GLOBAL, LOCAL):
        again = statement.hunt(family((1, 2, 1), random=3, count=500), "[-1,1]")
        assert again.status is er.Status.HOLDS
        assert again.applicable > 50


def test_a_planted_false_statement_is_refuted_where_it_is_false() -> None:
    def not_the_needle(network: er.Network) -> bool:
        return [p.value for p in network.parameters] != [1, -1, 0, 1, 0, 1, -1]

    statement = er.Theorem(hypotheses=[], conclusion=not_the_needle)
    haystack = family((1, 2, 1), entries=(-1, 0, 1), biases=(True, True))
    found = statement.hunt(haystack)
    needle = er.Network.mlp([[[1], [-1]], [[0, 1]]], [[0, 1], [-1]])
    equivalent = [net for net in haystack if er.permutation_scaling_equivalent(net, needle).status is er.Status.HOLDS]
    assert len(equivalent) == 1
    if found.status is er.Status.FAILS:
        assert found.found is not None
        assert found.found.network == equivalent[0]
    else:  # its representative is another one of the same class
        assert [p.value for p in equivalent[0].parameters] != [1, -1, 0, 1, 0, 1, -1]


def test_nothing_applicable_is_no_support() -> None:
    def never(network: er.Network) -> bool:
        return False

    found = hunt(er.Theorem(hypotheses=[never], conclusion=er.admissible), family((1, 1, 1), random=0, count=5))
    assert found.status is er.Status.INAPPLICABLE
    assert found.exhausted
    assert "5 inapplicable" in found.explain()


def test_budgets_count_instances() -> None:
    statement = er.Theorem(hypotheses=[], conclusion=lambda network: True)
    found = statement.hunt(family((1, 1, 1), random=0), budget=17)
    assert (found.tried, found.exhausted, found.status) == (17, False, er.Status.UNKNOWN)
    assert statement.hunt(family((1, 1, 1), random=0, count=17), budget=17).exhausted
    with pytest.raises(InvalidInput, match="budget: must be given, since the family has no end"):
        statement.hunt(family((1, 1, 1), random=0))
    with pytest.raises(InvalidInput, match="budget: must be an integer, at least 0"):
        statement.hunt(family((1, 1, 1), random=0), budget=-1)
    with pytest.raises(InvalidInput, match="family: must be a family of networks"):
        statement.hunt([er.zoo.HAT])  # type: ignore[arg-type]
    with pytest.raises(WrongDimension, match="domain: must have 1 coordinates"):
        LOCAL.hunt(SHALLOW, "[0,1]^2", budget=1)


def test_a_hunt_can_be_repeated_and_cut_into_ranges() -> None:
    statement = EMBEDDING_AND_SIGNS
    some = family((1, 2, 1), random=4, count=20)
    every = list(instances(statement, some, seed=3))
    assert every == list(instances(statement, some, seed=3))
    assert every == [
        item for start in range(0, 20, 7) for item in instances(statement, some, seed=3, start=start, stop=start + 7)
    ]
    assert every != list(instances(statement, some, seed=4))
    first, second = (DISTINCT_GLOBAL.hunt(SHALLOW, budget=BUDGET).to_json() for _ in range(2))
    assert first == second


def test_arrangements_give_what_the_predicates_ask_for() -> None:
    def sampled(network: er.Network, samples: object, modification: object, domain: object = None) -> bool:
        return True

    statement = er.Theorem(hypotheses=[], conclusion=sampled)
    found = list(arrange(statement, er.zoo.HAT, random.Random(0)))
    assert {str(instance.domain) for instance in found} == {"R", "[-1,1]"}
    points = {instance.samples for instance in found}
    full = len(er.zoo.HAT.parameters) - 3
    assert any(er.sample_rank(er.zoo.HAT, list(some)) == full for some in points if some and len(some) == full)
    for instance in found:
        assert instance.samples is not None
        assert instance.domain is not None
        assert all(instance.domain.contains(point) for point in instance.samples)
        assert instance.modification is not None
        changed = instance.modification.apply(er.zoo.HAT, new_biases=True)
        assert er.same_function(er.zoo.HAT, changed).status is er.Status.HOLDS


def test_a_given_domain_wins_over_those_of_an_arrangement() -> None:
    def everywhere(network: er.Network, generator: random.Random) -> Iterator[er.Instance]:
        for domain in ("R", "[0,1]", "[-1,1]"):
            yield er.Instance(network, domain=domain)
        yield er.Instance(network, samples=[[2]])

    def seen(network: er.Network, domain: er.Domain, samples: object = None) -> bool:
        return True

    statement = er.Theorem(hypotheses=[], conclusion=seen, arrangement=everywhere)
    some = family((1, 1, 1), random=0, count=1)
    assert [str(found.domain) for *_, found in instances(statement, some)] == ["R", "[0,1]", "[-1,1]", "None"]
    assert [str(found.domain) for *_, found in instances(statement, some, "[0,1]")] == ["[0,1]"]
    assert len(list(instances(statement, some, "[0,2]"))) == 2


def test_partners_meet_every_relation_and_break_it() -> None:
    kinds: set[tuple[bool, bool]] = set()
    for index, net in family((1, 2, 1), random=6, count=60).members():
        for other in partners(net, random.Random(index)):
            assert other.architecture == net.architecture
            equivalent = er.permutation_scaling_equivalent(net, other).status is er.Status.HOLDS
            kinds.add((er.path_embedding(net).vector == er.path_embedding(other).vector, equivalent))
    assert kinds == set(itertools.product((True, False), repeat=2))
