"""Deep identifiability against the oracle: statuses, ranks, samples, kernel directions, and families.

A theorem may leave a case open that a verified family decides: then ``fails`` is right as well, and the
family is verified here, by plain evaluation or by comparing functions region by region.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from importlib import import_module
from typing import Any

import deep_cases as cases
import deep_oracle as do
import deep_regions as dr
import oracles
import pytest
from deep_oracle import FAILS, HOLDS, INAPPLICABLE, UNKNOWN, Deep, Point
from region_networks import batches

import exactrelu as er
from exactrelu import Domain, HypothesisNotMet, Network, NotAdmissible, OnKink

Q = Fraction
ALLOWED = {HOLDS: {HOLDS}, FAILS: {FAILS}, UNKNOWN: {UNKNOWN, FAILS}, INAPPLICABLE: {INAPPLICABLE, UNKNOWN, FAILS}}
HOMES = {
    "locally_identifiable_from_samples": "samples",
    "explain_kernel": "kernel_directions",
    "explain_sample_kernel": "kernel_directions",
    "identifying_samples": "identifying_samples",
    "deep_locally_identifiable": "deep_local",
}


def public(name: str) -> Any:
    return getattr(er, name, None) or getattr(import_module(f"exactrelu.identifiability.{HOMES[name]}"), name)


def as_domain(sides: dr.Sides) -> Domain | None:
    return None if sides is None else Domain.box(sides)


def name_of(edge: do.Edge) -> str:
    source, (k, i) = edge
    return f"b[{k}][{i}]" if source is None else f"w[{k}<-{source[0]}][{i},{source[1]}]"


def as_vector(net: Deep, entries: Iterable[tuple[str, Fraction]]) -> list[Fraction]:
    by_name = dict(entries)
    names = [name_of(edge) for edge in net.edges]
    assert by_name.keys() <= set(names)
    return [by_name.get(name, Q(0)) for name in names]


def rescalings(net: Deep) -> list[list[Fraction]]:
    """For every hidden neuron the direction that scales its incoming parameters up and its outgoing weights down."""
    return [[value * ((e[1] == v) - (e[0] == v)) for e, value in net.edges.items()] for v in net.hidden]


# ---------------------------------------------------------------- what is checked


def check_family(base: Deep, family: Any, witness: Any, equal: Any) -> None:
    """The family starts at the network, all members are equal on what is asked, and those near it not equivalent to it.

    Where parameters are linear in t and gates do not change, outputs have at most the degree of the depth:
    six equal values are then a proof for all t. One member further away may be equivalent to the base by
    accident (weight that moves from one twin to the other exchanges them on the way), but not the witness.
    """
    assert do.read(family.member(0)) == base
    tiny = (family.last / 97, family.last / 10**6)
    members = [do.read(family.member(t)) for t in (*tiny, family.last, family.last / 2, family.last / 3)]
    shown = [] if witness is None else [do.read(witness)]
    for member in (*members, *shown):
        assert (member.input_dim, member.neurons) == (base.input_dim, base.neurons)
        assert list(member.edges) == list(base.edges)
        assert equal(member), "another function"
    for member in (*members[:2], *shown):
        assert not do.equivalent(base, member), "equivalent to its base"


def check_samples(net: Network, deep: Deep, points: Sequence[Point]) -> str:
    """The verdict on samples, its ranks, its minor and its family; returns the status."""
    verdict, answer = public("locally_identifiable_from_samples")(net, points), do.from_samples(deep, points)
    status = str(verdict.status.value)
    assert status in ALLOWED[answer.status], (status, answer)
    evidence = verdict.evidence
    for name in ("jacobian_rank", "activation_rank"):
        if getattr(evidence, name, None) is not None:
            assert getattr(evidence, name) == getattr(answer, name)
    if status == HOLDS:
        assert evidence.jacobian_rank == answer.full
    if getattr(evidence, "prime", None):
        check_minor(do.gamma(deep, points), evidence)
    if getattr(evidence, "direction", None) is not None:
        check_direction(deep, do.gamma(deep, points), evidence.direction.entries)
    if verdict.family is not None:
        assert status == FAILS
        check_family(deep, verdict.family, verdict.witness, lambda member: do.same_outputs(deep, member, points))
    if status == FAILS and verdict.family is None:
        assert answer.status == FAILS, "no theorem applies, and there is no family"
        assert evidence.activation_rank == answer.jacobian_rank < answer.full
    return status


def check_minor(rows: list[list[Fraction]], evidence: Any) -> None:
    """The rows and columns named have a minor that is nonzero modulo the prime."""
    minor = [[Q(do.primitive(rows[i])[j]) for j in evidence.columns] for i in evidence.rows]
    assert len(minor) == len(minor[0]) if minor else True
    assert len(minor) == evidence.jacobian_rank == oracles.rank_modulo(minor, evidence.prime)


def check_direction(net: Deep, rows: list[list[Fraction]], entries: Any) -> None:
    """The direction is in the kernel of the rows, and no combination of rescalings."""
    direction, trivial = as_vector(net, entries), rescalings(net)
    assert do.annihilated(rows, direction)
    assert do.rank([*trivial, direction]) == do.rank(trivial) + 1


def check_kernel(net: Network, deep: Deep, sides: dr.Sides) -> None:
    """The directions are a basis of the kernel of the Jacobians at all smooth points of a domain."""
    rows = do.gamma(deep, dr.smooth_points(deep, sides))
    check_directions(deep, rows, public("explain_kernel")(net, as_domain(sides)).directions)


def check_sample_kernel(net: Network, deep: Deep, points: Sequence[Point]) -> None:
    """The same for finitely many samples."""
    check_directions(deep, do.gamma(deep, points), public("explain_sample_kernel")(net, points).directions)


def check_directions(deep: Deep, rows: list[list[Fraction]], found: Sequence[Any]) -> None:
    """The directions are a basis of the kernel of the rows; those that rescale span all rescalings."""
    vectors = [as_vector(deep, direction.entries) for direction in found]
    assert all(do.annihilated(rows, vector) for vector in vectors)
    assert len(vectors) == do.rank(vectors) == len(deep.edges) - do.rank(rows)
    scalings = [vector for vector, direction in zip(vectors, found, strict=True) if direction.kind == "scaling"]
    assert len(scalings) == do.rank(rescalings(deep)) == do.rank([*scalings, *rescalings(deep)])


def check_identifying_samples(net: Network, deep: Deep, sides: dr.Sides) -> bool:
    """The samples are smooth, inside, irredundant, and enough; an error only if there are none. Whether there are."""
    exist = dr.functional_dimension(deep, sides) == deep.full
    try:
        points = public("identifying_samples")(net, as_domain(sides)).points
    except NotAdmissible:
        assert not do.is_admissible(deep)
        return False
    except HypothesisNotMet:
        assert not exist
        return False
    assert exist
    rows = do.gamma(deep, points)  # refuses kinks
    assert do.rank(rows) == deep.full
    assert all(at > 0 or at == 0 for x in points for at in (dr.at(form, x) for form in dr.walls(sides)))
    k = len(deep.outputs)
    for n in range(len(points)):
        assert do.rank([*rows[: k * n], *rows[k * (n + 1) :]]) < deep.full, f"sample {n} is not needed"
    return True


def check_local(net: Network, deep: Deep, sides: dr.Sides) -> str:
    """The verdict on a domain; the full dimension of admissible networks is enough, and a family decides against."""
    verdict = public("locally_identifiable")(net, as_domain(sides))
    if verdict.status == INAPPLICABLE and deep.depth > 2:
        verdict = public("deep_locally_identifiable")(net, as_domain(sides))
    status = str(verdict.status.value)
    full = dr.functional_dimension(deep, sides) == deep.full
    if do.is_admissible(deep) and full:
        assert status == HOLDS
    elif deep.depth > 2:
        assert status != HOLDS
        assert status != FAILS or verdict.family is not None
    if deep.depth > 2 and verdict.family is not None:
        check_family(deep, verdict.family, verdict.witness, lambda member: dr.same_function(deep, member, sides))
    return status


# ---------------------------------------------------------------- known answers


@pytest.mark.parametrize("name", cases.SAMPLES)
def test_samples_with_known_answers(name: str) -> None:
    net, given, jacobian_rank, activation_rank, _ = cases.SAMPLES[name]
    points = [x if isinstance(x, tuple) else (x,) for x in given]
    check_samples(net, do.read(net), points)
    evidence = public("locally_identifiable_from_samples")(net, points).evidence
    if evidence is not None:
        assert evidence.jacobian_rank == jacobian_rank
        assert evidence.activation_rank in (None, activation_rank)  # None where it was not needed


@pytest.mark.parametrize("name", cases.DIMENSIONS)
def test_domains_with_known_answers(name: str) -> None:
    net, sides, known = cases.DIMENSIONS[name]
    deep = do.read(net)
    assert er.functional_dimension(net, as_domain(sides)) == known
    assert check_identifying_samples(net, deep, sides) == (known == deep.full)
    check_kernel(net, deep, sides)
    check_local(net, deep, sides)


def test_the_checks_can_fail() -> None:
    """Families that are rescalings or change outputs, and directions that are trivial or no kernel, are refused."""
    net = cases.shallow([((1, 0), 0, (1, 1))])
    deep, points = do.read(net), [(Q(1), Q(0)), (Q(2), Q(0)), (Q(1), Q(1))]

    def family(*edited: int) -> er.Family:
        values = [p.value + delta for p, delta in zip(net.parameters, edited, strict=True)]
        return er.Family.segment(net, net.with_values(values))

    def equal(member: Deep) -> bool:
        return do.same_outputs(deep, member, points)

    check_family(deep, family(0, 0, 1, 0, 0, -1, -1), None, equal)  # w, w, b, v, v, c, c
    with pytest.raises(AssertionError, match="another function"):
        check_family(deep, family(0, 0, 1, 0, 0, -1, 0), None, equal)
    scaled = er.Family(net, ((Q(1), Q(1)), *((p.value,) for p in net.parameters[1:3]), (Q(1),), (Q(1),), (Q(0),),
                             (Q(0),)), ((Q(1),),) * 3 + ((Q(1), Q(1)),) * 2 + ((Q(1),),) * 2)  # fmt: skip
    with pytest.raises(AssertionError, match="equivalent"):
        check_family(deep, family(0, 0, 1, 0, 0, -1, -1), net, equal)
    with pytest.raises(AssertionError, match="equivalent"):
        check_family(deep, scaled, None, equal)
    rows, names = do.gamma(deep, points), [p.name for p in net.parameters]
    check_direction(deep, rows, list(zip(names, map(Q, (0, 0, 1, 0, 0, -1, -1)), strict=True)))
    for wrong in ((1, 0, 0, -1, -1, 0, 0), (0, 0, 1, 0, 0, -1, 0)):
        with pytest.raises(AssertionError):
            check_direction(deep, rows, list(zip(names, map(Q, wrong), strict=True)))


def test_kinks_are_refused() -> None:
    with pytest.raises(OnKink):
        public("locally_identifiable_from_samples")(cases.LATE, [(2,), (1,)])


# ---------------------------------------------------------------- random networks


@pytest.mark.parametrize("seeds", batches(20, 600, 60))
def test_random_samples(seeds: range) -> None:
    for seed in seeds:
        r, net, deep = cases.random_pair(seed)
        points = cases.random_samples(r, deep)
        if points:
            check_samples(net, deep, points)


@pytest.mark.parametrize("seeds", batches(25, 800, 80))
def test_random_functional_dimension(seeds: range) -> None:
    for seed in seeds:
        r, net, deep = cases.random_pair(seed)
        sides = cases.random_sides(r, deep.input_dim)
        assert er.functional_dimension(net, as_domain(sides)) == dr.functional_dimension(deep, sides), seed


@pytest.mark.parametrize("seeds", batches(12, 400, 40))
def test_random_kernels(seeds: range) -> None:
    for seed in seeds:
        r, net, deep = cases.random_pair(seed)
        check_kernel(net, deep, cases.random_sides(r, deep.input_dim))


@pytest.mark.parametrize("seeds", batches(12, 300, 30))
def test_random_sample_kernels(seeds: range) -> None:
    for seed in seeds:
        r, net, deep = cases.random_pair(seed)
        points = cases.random_samples(r, deep)
        if points:
            check_sample_kernel(net, deep, points)


@pytest.mark.parametrize("seeds", batches(12, 300, 30))
def test_random_identifying_samples(seeds: range) -> None:
    for seed in seeds:
        r, net, deep = cases.random_pair(seed)
        check_identifying_samples(net, deep, cases.random_sides(r, deep.input_dim))


@pytest.mark.parametrize("seeds", batches(6, 150, 15))
def test_random_local_identifiability(seeds: range) -> None:
    for seed in seeds:
        r, net, deep = cases.random_pair(seed)
        check_local(net, deep, cases.random_sides(r, deep.input_dim))
