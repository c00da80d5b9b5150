"""Verdicts on random degenerate networks against an oracle that shares no code, with all their evidence.

A case is drawn by ``shallow_cases``: 1 to 5 neurons, 1 to 3 inputs, 1 or 2
outputs, all of space, boxes and simplices, with and without biases, and twins,
dead neurons, planted zero sums and hyperplanes on the boundary on purpose.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

import pytest
import shallow_bridge as bridge
import shallow_cases as cases
import shallow_literal as literal
import shallow_oracle as so
import shallow_search as search

from exactrelu import (
    Domain,
    KernelDirection,
    Network,
    Verdict,
    finite_sample_exists,
    globally_identifiable,
    locally_identifiable,
)
from exactrelu.identifiability.shallow.alternatives import NoAlternative
from exactrelu.identifiability.shallow.shallow_local import shallow_locally_identifiable
from exactrelu.identifiability.shallow.zero_sums import NoZeroSum

PER_SEED = 25
SEEDS = [
    *range(12),
    *(pytest.param(seed, marks=pytest.mark.sweep) for seed in range(100, 104)),
    *(pytest.param(seed, marks=pytest.mark.marathon) for seed in range(104, 220)),
]
HOLDS, FAILS, UNKNOWN = so.HOLDS, so.FAILS, so.UNKNOWN
EPSILON = Fraction(1, 1000)


class Case(NamedTuple):
    """A network on a domain, as plain data and as the package sees it."""

    net: so.Net
    vertices: bridge.Vertices
    network: Network
    domain: Domain


class Question(NamedTuple):
    """A question, its decision by trying everything, and by the conditions word by word."""

    ask: Callable[[Network, Domain], Verdict]
    oracle: Callable[[so.Net, bridge.Vertices], str]
    literal: Callable[[so.Net, bridge.Vertices], str]


def corrected_literal_local(net: so.Net, vertices: bridge.Vertices) -> str:
    """The published conditions, except that an idle neuron on a half-line of its own can only be rescaled."""
    if so.supported(net, vertices) and not net.hidden_bias and net.d == 1 and all(any(w) for w, _, _ in net.neurons):
        return FAILS if so.positive_twins(net) else HOLDS
    return literal.local(net, vertices)


def literal_finite_sample(net: so.Net, vertices: bridge.Vertices) -> str:
    """The published condition; without hidden biases the package does not use it."""
    flat = vertices is not None and so.domain_dimension(vertices) < net.d
    return literal.finite_sample(net, vertices) if net.hidden_bias or flat else UNKNOWN


QUESTIONS = {
    "local": Question(shallow_locally_identifiable, cache(search.local), corrected_literal_local),
    "global": Question(globally_identifiable, cache(search.global_), literal.global_),
    "finite-sample": Question(finite_sample_exists, cache(so.finite_sample), literal_finite_sample),
}


@lru_cache(maxsize=len(range(12)))
def drawn(seed: int) -> list[tuple[Case, dict[str, Verdict]]]:
    """The cases of a seed with the verdicts of the package."""
    found = [
        Case(net, vertices, bridge.network(net), bridge.domain(vertices, net.d))
        for net, vertices in cases.random_cases(seed, PER_SEED)
    ]
    return [(case, {name: q.ask(case.network, case.domain) for name, q in QUESTIONS.items()}) for case in found]


@pytest.mark.parametrize("seed", SEEDS)
def test_ranks_speak_where_the_conditions_are_silent(seed: int) -> None:
    """The public verdict is the one of the conditions, or, where these are silent, the one of the search."""
    for case, verdicts in drawn(seed):
        verdict = locally_identifiable(case.network, case.domain)
        if verdicts["local"].status.value != UNKNOWN:
            assert verdict == verdicts["local"]
        elif verdict.status.value != UNKNOWN:
            assert search.local(case.net, case.vertices) in (verdict.status.value, UNKNOWN)
            assert verdict.condition("functional_dimension").status.value == verdict.status.value


def assert_status(question: Question, verdict: Verdict, case: Case) -> None:
    """The status is the oracle's; ``unknown`` only where the conditions are silent, ``fails`` there by witness only."""
    truth = question.oracle(case.net, case.vertices)
    said = question.literal(case.net, case.vertices)
    assert said in (truth, UNKNOWN), case
    allowed = {truth, said}
    if truth == UNKNOWN and verdict.witness is not None:
        allowed.add(FAILS)
    assert verdict.status.value in allowed, case


def assert_evidence(verdict: Verdict, case: Case) -> None:
    """Every witness, family, kernel direction and proof, checked without the package."""
    if verdict.status.value != FAILS:
        assert verdict.witness is None
        assert verdict.family is None
    if verdict.witness is not None:
        bridge.assert_refutes(case.net, verdict.witness, case.vertices)
    if verdict.family is not None:
        assert_family(verdict, case)
    if isinstance(verdict.evidence, KernelDirection):
        assert_kernel(verdict.evidence, case)
    if verdict.status.value == HOLDS:
        assert_extent(verdict, case)


def assert_family(verdict: Verdict, case: Case) -> None:
    family = verdict.family
    start, end = case.net, bridge.plain(verdict.witness)
    assert bridge.plain(family.base) == start
    assert family.member(1) == verdict.witness
    length = bridge.distance(start, end)
    for t in (Fraction(1, 2), Fraction(1, 7)):
        member = family.member(t)
        bridge.assert_refutes(start, member, case.vertices)
        assert bridge.distance(start, bridge.plain(member)) == t * length
    t, near = family.member_within(EPSILON)
    assert t > 0
    assert near == family.member(t)
    bridge.assert_refutes(start, near, case.vertices)
    assert 0 < bridge.distance(start, bridge.plain(near)) <= EPSILON


def assert_kernel(evidence: KernelDirection, case: Case) -> None:
    """No value changes to first order anywhere off the kinks, and the direction is no rescaling."""
    net = case.net
    entries = dict(evidence.entries)
    direction: list[Fraction] = []
    scalings = []
    size = so.parameter_count(net)
    for i, (w, b, v) in enumerate(net.neurons):
        names = [f"w[1<-0][{i},{j}]" for j in range(net.d)] + [f"b[1][{i}]"] * net.hidden_bias
        names += [f"w[2<-1][{o},{i}]" for o in range(net.k)]
        scaling = [Fraction(0)] * size
        scaling[len(direction) : len(direction) + len(names)] = [*w, *[b] * net.hidden_bias, *(-entry for entry in v)]
        scalings.append(scaling)
        direction += [entries.pop(name, Fraction(0)) for name in names]
    if net.c is not None:
        direction += [entries.pop(f"b[2][{o}]", Fraction(0)) for o in range(net.k)]
    assert entries == {}
    assert so.rank([*scalings, direction]) == so.rank(scalings) + 1, case
    rows = [row for point in points_off_kinks(case) for row in so.jacobian_rows(net, point)]
    assert len(rows) >= 2 * net.k
    assert all(so.dot(row, direction) == 0 for row in rows), case


def points_off_kinks(case: Case) -> Iterator[tuple[Fraction, ...]]:
    """In every cell: its centre, and the midpoints between the centre and the corners."""
    for _, corners in so.cells(case.net.forms, case.vertices, case.net.d):
        centre = tuple(sum(column) / len(corners) for column in zip(*corners, strict=True))
        yield centre
        yield from (so.scale(Fraction(1, 2), so.add(centre, corner)) for corner in corners)


def assert_extent(verdict: Verdict, case: Case) -> None:
    """The ranges of the forms, the hyperplanes with their jumps, and the proof of the last condition."""
    net, found = case.net, verdict.evidence
    for (w, b, _), shown in zip(net.neurons, found.ranges, strict=True):
        kind, ends = shown.split(", range ")
        assert kind == so.neuron_type((*w, b), case.vertices)
        if case.vertices is not None:
            values = [so.form_value((*w, b), x) for x in case.vertices]
            lowest, highest = map(Fraction, ends.split(" to "))
            assert (lowest, highest) == (min(values), max(values))
        else:
            assert ends == ("-inf to +inf" if any(w) else f"{b} to {b}")
    named = sorted(i for wall in found.walls for i in wall.neurons)
    assert named == [i for i, form in enumerate(net.forms) if any(form)]
    for wall in found.walls:
        jump = (Fraction(0),) * net.k
        for i in wall.neurons:
            ratio = ratio_of(net.forms[i], wall.form)
            assert (ratio > 0) == (i in wall.positive)
            jump = so.add(jump, net.outs[i], abs(ratio))
        assert wall.jump == jump
    if isinstance(found.proof, NoZeroSum):
        assert_no_zero_sum(found.proof, net)
    if isinstance(found.proof, NoAlternative):
        assert found.proof.sets >= 1 + sum(len(wall.neurons) == 2 for wall in found.walls)


def ratio_of(form: tuple[Fraction, ...], base: tuple[int, ...]) -> Fraction:
    ratio = next(a / b for a, b in zip(form, base, strict=True) if b)
    assert form == so.scale(ratio, base)
    return ratio


def assert_no_zero_sum(proof: NoZeroSum, net: so.Net) -> None:
    constants = net.hidden_bias and net.c is None
    vectors = [
        [v * w for v in out for w in form[: net.d + constants]] for form, out in zip(net.forms, net.outs, strict=True)
    ]
    values = [so.dot(proof.functional, vector) for vector in vectors]
    assert min(values) >= 0
    assert all(values[i] > 0 for i in proof.positive)
    rest = [i for i in range(len(vectors)) if i not in proof.positive]
    assert list(proof.independent or proof.searched) == rest
    if proof.independent:
        assert so.rank([vectors[i] for i in rest]) == len(rest)
    for size in range(1, len(rest) + 1):
        for subset in combinations(rest, size):
            assert any(map(sum, zip(*(vectors[i] for i in subset), strict=True)))


# ---------------------------------------------------------------- the tests


@pytest.mark.parametrize("seed", SEEDS)
def test_statuses_and_evidence(seed: int) -> None:
    for case, verdicts in drawn(seed):
        for name, verdict in verdicts.items():
            assert_status(QUESTIONS[name], verdict, case)
            assert_evidence(verdict, case)


def rank_falls_short(verdict: Verdict, case: Case) -> bool:
    """Whether the numbers of the condition on ranks are those of the oracle, and too small."""
    found, full = map(int, re.findall(r"\d+", verdict.condition("functional_dimension").detail))
    assert found == so.functional_dimension(case.net, case.vertices)
    assert full == so.parameter_count(case.net) - len(case.net.neurons)
    return found < full


@pytest.mark.parametrize("seed", SEEDS)
def test_every_refusal_has_evidence(seed: int) -> None:
    for case, verdicts in drawn(seed):
        local, everywhere, finite = verdicts.values()
        if local.status.value == FAILS:
            assert local.family is not None, case
        if everywhere.status.value == FAILS:
            assert everywhere.witness is not None, case
        if finite.status.value == FAILS:
            direct = finite.family is not None or isinstance(finite.evidence, KernelDirection)
            assert direct or rank_falls_short(finite, case), case


@pytest.mark.parametrize("seed", SEEDS)
def test_the_conditions_account_for_the_status(seed: int) -> None:
    for case, verdicts in drawn(seed):
        for verdict in verdicts.values():
            told = {condition.status.value for condition in verdict.conditions}
            if verdict.status.value == HOLDS:
                assert told == {HOLDS}, case
            elif not silent_and_rigid(case.net):
                assert verdict.status.value in told, case


def silent_and_rigid(net: so.Net) -> bool:
    """A silent neuron without bias: rigid nearby, yet it can be turned around as a whole."""
    return not net.hidden_bias and (not all(map(any, net.outs)) or not any(any(w) for w, _, _ in net.neurons))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_global_verdict_implies_the_local_one(seed: int) -> None:
    rank = {FAILS: 0, UNKNOWN: 1, HOLDS: 2}
    for case, verdicts in drawn(seed):
        # Without hidden biases and 0 inside, the global question gives up before the pairs are looked at.
        if so.supported(case.net, case.vertices):
            assert rank[verdicts["global"].status.value] <= rank[verdicts["local"].status.value], case


def test_the_cases_are_of_all_kinds() -> None:
    """The statuses that the comparison meets by default, so that it cannot become vacuous."""
    seen: Counter[tuple[str, str]] = Counter()
    kernels = 0
    for seed in range(12):
        for case, verdicts in drawn(seed):
            seen.update((name, question.oracle(case.net, case.vertices)) for name, question in QUESTIONS.items())
            kernels += isinstance(verdicts["finite-sample"].evidence, KernelDirection)
    assert min(seen[name, status] for name in QUESTIONS for status in (HOLDS, FAILS)) > 50
    assert seen["local", UNKNOWN] > 5
    assert kernels > 10


# The checks above can fail: each of these wrong answers is caught.


def tampered(case: Case, **changes: Network) -> Verdict:
    verdict = globally_identifiable(case.network, case.domain)
    return Verdict(verdict.claim, verdict.status, witness=changes["witness"])


@pytest.mark.parametrize("wrong", ["equivalent", "another function", "another width"])
def test_a_wrong_witness_is_caught(wrong: str) -> None:
    net, vertices, _, _ = cases.TABLE["S13"]
    case = Case(net, vertices, bridge.network(net), bridge.domain(vertices, net.d))
    witness = {
        "equivalent": case.network.permute([[1, 0]]).rescale([[2, 3]]),
        "another function": case.network.replace({"b[2][0]": "1/1000"}),
        "another width": bridge.network(cases.TABLE["S14"][0]),
    }[wrong]
    with pytest.raises(AssertionError):
        assert_evidence(tampered(case, witness=witness), case)


def test_a_wrong_kernel_direction_is_caught() -> None:
    net = cases.S07
    case = Case(net, None, bridge.network(net), Domain.space(1))
    found = finite_sample_exists(case.network).evidence
    assert_kernel(found, case)
    scaling = KernelDirection((("w[1<-0][0,0]", Fraction(1)), ("w[2<-1][0,0]", Fraction(-2))))
    doubled = KernelDirection((found.entries[0], *((name, 2 * value) for name, value in found.entries[1:])))
    for wrong in (scaling, doubled):
        with pytest.raises(AssertionError):
            assert_kernel(wrong, case)
