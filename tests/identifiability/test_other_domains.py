"""Verdicts on polygons, skew simplices and unbounded polyhedra, against the oracle.

The oracle knows hulls of points only. An unbounded polyhedron is cut off by a
box so large that the cut meets no vertex of any arrangement that occurs: then
two networks agree on the whole exactly when they agree on the part.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
import shallow_bridge as bridge
import shallow_cases as cases
import shallow_literal as literal
import shallow_oracle as so
import shallow_search as search

from exactrelu import (
    Domain,
    Halfspace,
    KernelDirection,
    Status,
    Verdict,
    finite_sample_exists,
    globally_identifiable,
    locally_identifiable,
)

HOLDS, FAILS, UNKNOWN = so.HOLDS, so.FAILS, so.UNKNOWN
FAR = 10**9


def assert_witnesses(verdict: Verdict, net: so.Net, vertices: bridge.Vertices) -> None:
    if verdict.witness is not None:
        bridge.assert_refutes(net, verdict.witness, vertices)
    if verdict.family is not None:
        bridge.assert_refutes(net, verdict.family.member_within("1/1000")[1], vertices)
    if verdict.status is Status.FAILS:
        by_rank = any(condition.id == "functional_dimension" for condition in verdict.conditions)
        assert verdict.witness is not None or isinstance(verdict.evidence, KernelDirection) or by_rank


# ------------------------------------------------------------- bounded polytopes


def polytope(r: Random, dimension: int) -> tuple[tuple[Fraction, ...], ...]:
    """The vertices of the hull of a few random points with interior."""
    while True:
        points = [tuple(Fraction(r.randint(-6, 6), 3) for _ in range(dimension)) for _ in range(dimension + 3)]
        if so.domain_dimension(points) == dimension:
            return Domain.polytope(vertices=points).vertices


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(s, marks=pytest.mark.sweep) for s in range(3, 40))])
def test_polytopes(seed: int) -> None:
    r = Random(seed)
    for net, _ in cases.random_cases(seed + 900, 20, d=2 if seed % 3 else 3, h_max=4):
        vertices = polytope(r, net.d)
        network, domain = bridge.network(net), Domain.polytope(vertices=vertices)
        local, everywhere = locally_identifiable(network, domain), globally_identifiable(network, domain)
        finite = finite_sample_exists(network, domain)
        expected = search.local(net, vertices), search.global_(net, vertices), so.finite_sample(net, vertices)
        for verdict, truth in zip((local, everywhere, finite), expected, strict=True):
            assert_witnesses(verdict, net, vertices)
            assert verdict.status.value == truth or verdict.status is Status.UNKNOWN or truth == UNKNOWN, (
                net,
                vertices,
            )
        if net.hidden_bias and net.c is not None:
            assert (local.status, everywhere.status, finite.status) == expected, (net, vertices)


# ---------------------------------------------------------- unbounded polyhedra

SHAPES = {
    "half-line": [((-1,), 1)],
    "other half-line": [((2,), 3)],
    "quadrant": [((-1, 0), 1), ((0, -1), 1)],
    "half-plane": [((1, 1), 1)],
    "strip": [((1, 0), 1), ((-1, 0), 1)],
    "skew strip": [((1, 1), 2), ((-1, -1), 1)],
    "wedge": [((-1, 2), 1), ((-1, -1), 1)],
    "open box": [((-1, 0), 1), ((0, -1), 1), ((0, 1), 1)],
    "octant": [((-1, 0, 0), 1), ((0, -1, 0), 1), ((0, 0, -1), 1)],
    "beam": [((1, 0, 0), 1), ((-1, 0, 0), 1), ((0, 1, 0), 1), ((0, -1, 0), 1)],
}


def cut_off(shape: list[tuple[tuple[int, ...], int]]) -> bridge.Vertices:
    dimension = len(shape[0][0])
    sides = [(so.scale(sign, so.unit(dimension, j)), FAR) for j in range(dimension) for sign in (1, -1)]
    return Domain.polytope(halfspaces=[Halfspace(*item) for item in [*shape, *sides]]).vertices


@pytest.mark.parametrize("name", SHAPES)
def test_unbounded_polyhedra(name: str) -> None:
    """Local verdicts with all biases are those of the part; (C1)-(C4) suffice, and every refusal has a witness."""
    shape = SHAPES[name]
    vertices, domain = cut_off(shape), Domain.polytope(halfspaces=shape)
    assert not domain.is_bounded
    seen: Counter[str] = Counter()
    for net, _ in cases.random_cases(len(name), 30, d=domain.ambient_dimension, h_max=4):
        network = bridge.network(net)
        local, everywhere = locally_identifiable(network, domain), globally_identifiable(network, domain)
        for verdict in (local, everywhere, finite_sample_exists(network, domain)):
            assert_witnesses(verdict, net, vertices)
        if net.hidden_bias and net.c is not None:
            assert local.status.value == search.local(net, vertices), net
            assert finite_sample_exists(network, domain).status.value == so.finite_sample(net, vertices), net
        if net.hidden_bias and so.distinct_kinks(net, vertices):
            assert everywhere.status.value == literal.global_(net, vertices), net
        if everywhere.status is Status.HOLDS:
            assert local.status is not Status.FAILS
        seen[everywhere.status.value] += 1
    assert seen[FAILS] > 5
    assert seen[HOLDS] > 0


def test_a_half_line_between_an_interval_and_all_of_space() -> None:
    """2 relu(x) + relu(-x): its pair can be swung around wherever one of its sides is bounded."""
    net = bridge.network(cases.S07)
    for domain, expected in (("R", HOLDS), ("[-1,1]", FAILS)):
        assert globally_identifiable(net, domain).status.value == expected
    for lower, upper in ((-1, None), (None, 1)):
        verdict = globally_identifiable(net, Domain.box([(lower, upper)]))
        assert verdict.status is Status.FAILS
        part = so.box((-FAR if lower is None else lower, FAR if upper is None else upper))
        bridge.assert_refutes(cases.S07, verdict.witness, part)


def test_a_strip_leaves_a_pair_along_it_open() -> None:
    """On R x [-1, 1] the pair for x takes all values, the pair for y does not."""
    along, across = (so.make_net([(w, 0, 2), (so.scale(-1, w), 0, 1)]) for w in ((1, 0), (0, 1)))
    assert globally_identifiable(bridge.network(along), "Rx[-1,1]").status is Status.UNKNOWN
    verdict = globally_identifiable(bridge.network(across), "Rx[-1,1]")
    assert verdict.status is Status.FAILS
    bridge.assert_refutes(across, verdict.witness, so.box((-FAR, FAR), (-1, 1)))
