from __future__ import annotations

import copy
import pickle
import random
from fractions import Fraction
from itertools import product

import pytest
from polyhedra_cases import KINDS, brute_vertices, check_outcome, inner, random_halfspaces, z3_maximum

from exactrelu.errors import BudgetExceeded, InvalidDomain, WrongDimension
from exactrelu.polyhedra import Halfspace, Hyperplane, Infeasible, Optimal, Polyhedron, Unbounded, cones, maximise
from exactrelu.rationals import rank


def random_polyhedra(
    seed: int, rounds: int, largest: int = 4
) -> list[tuple[random.Random, Polyhedron, list[Halfspace]]]:
    r = random.Random(seed)
    cases = []
    for k in range(rounds):
        d = r.randint(1, largest)
        halfspaces = random_halfspaces(r, d, r.randint(1, 8), KINDS[k % len(KINDS)])
        cases.append((r, Polyhedron(d, halfspaces), halfspaces))
    return cases


def check_emptiness(polyhedron: Polyhedron, halfspaces: list[Halfspace]) -> None:
    """The proof uses given half-spaces, and z3 agrees."""
    proof = polyhedron.emptiness
    assert polyhedron.is_empty == (proof is not None)
    assert (z3_maximum([0] * polyhedron.ambient_dimension, halfspaces) == "infeasible") == polyhedron.is_empty
    if proof is not None:
        assert set(proof.halfspaces) <= set(halfspaces)
        check_outcome(Infeasible(proof.multipliers), [0] * polyhedron.ambient_dimension, proof.halfspaces)
        assert (polyhedron.vertices, polyhedron.rays, polyhedron.lines) == ((), (), ())
        assert polyhedron.dimension == -1
        assert polyhedron.volume == 0


def check_description(polyhedron: Polyhedron, halfspaces: list[Halfspace]) -> None:
    """The interior point, the affine hull and the facets, each from its own evidence."""
    inside, hull, facets = polyhedron.interior_point, polyhedron.affine_hull, polyhedron.facets
    assert all(item.contains(inside) for item in halfspaces)
    assert all(item.slack(inside) > 0 for item in facets)
    assert all(item.contains(inside) for item in hull)
    # whatever is tight at an interior point is tight everywhere, so the hull is exactly what these normals span
    tight = [item.normal for item in halfspaces if item.slack(inside) == 0]
    assert rank(tight) == len(hull) == rank([*tight, *(item.normal for item in hull)])
    assert polyhedron.dimension == polyhedron.ambient_dimension - len(hull)
    for item in facets:
        others = [other for other in facets if other is not item]
        best = maximise(item.normal, others, equations=hull)
        check_outcome(best, item.normal, others, equations=hull)
        assert isinstance(best, Unbounded) or (isinstance(best, Optimal) and best.value > item.bound)
    for item in halfspaces:  # the description implies everything that was given
        best = maximise(item.normal, facets, equations=hull)
        check_outcome(best, item.normal, facets, equations=hull)
        assert isinstance(best, Optimal)
        assert best.value <= item.bound


def check_generators(polyhedron: Polyhedron, halfspaces: list[Halfspace]) -> None:
    """Generators lie where they must, nothing is missing, and nothing is redundant."""
    d, made = polyhedron.ambient_dimension, polyhedron.generators
    assert all(item.contains(vertex) for vertex in made.vertices for item in halfspaces)
    assert all(inner(item.normal, ray) <= 0 for ray in made.rays for item in halfspaces)
    assert all(inner(item.normal, line) == 0 for line in made.lines for item in halfspaces)
    assert len(made.lines) == d - rank([item.normal for item in halfspaces])
    if not made.lines:
        assert set(made.vertices) == brute_vertices(halfspaces, d)
        assert len(set(made.vertices)) == len(made.vertices)
    hull = Polyhedron.from_generators(made.vertices, rays=made.rays, lines=made.lines)
    assert hull == polyhedron
    check_description(hull, halfspaces)
    if len(made.vertices) > 1:
        fewer = Polyhedron.from_generators(made.vertices[1:], rays=made.rays, lines=made.lines)
        assert not fewer.contains(made.vertices[0])
    if made.rays:
        fewer = Polyhedron.from_generators(made.vertices, rays=made.rays[1:], lines=made.lines)
        assert fewer != polyhedron
    direction = polyhedron.recession_direction
    assert polyhedron.is_bounded == (not made.rays and not made.lines) == (direction is None)
    if direction is not None:
        assert any(direction)
        assert all(inner(item.normal, direction) <= 0 for item in halfspaces)


def check_extrema(polyhedron: Polyhedron, r: random.Random) -> None:
    """Extrema by linear programming are those of the generators."""
    made = polyhedron.generators
    objective = [Fraction(r.randint(-2, 2)) for _ in range(polyhedron.ambient_dimension)]
    outcome = polyhedron.maximise(objective, 7)
    check_outcome(outcome, objective, polyhedron.halfspaces, constant=Fraction(7))
    grows = any(inner(objective, ray) > 0 for ray in made.rays) or any(inner(objective, line) for line in made.lines)
    if grows:
        assert isinstance(outcome, Unbounded)
    else:
        assert isinstance(outcome, Optimal)
        assert outcome.value == 7 + max(inner(objective, vertex) for vertex in made.vertices)


def check_everything(seed: int, rounds: int) -> tuple[int, int, int, int]:
    empty = flat = pointed = with_lines = 0
    for r, polyhedron, halfspaces in random_polyhedra(seed, rounds):
        check_emptiness(polyhedron, halfspaces)
        if polyhedron.is_empty:
            empty += 1
            continue
        check_description(polyhedron, halfspaces)
        check_generators(polyhedron, halfspaces)
        check_extrema(polyhedron, r)
        flat += not polyhedron.is_full_dimensional
        pointed += not polyhedron.is_bounded and not polyhedron.lines
        with_lines += bool(polyhedron.lines)
    return empty, flat, pointed, with_lines


def test_random_and_degenerate_polyhedra() -> None:
    assert min(check_everything(1, 400)) > 25


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(10))
def test_random_and_degenerate_polyhedra_at_length(seed: int) -> None:
    check_everything(1000 + seed, 1000)


def test_equality_does_not_depend_on_the_description() -> None:
    for r, polyhedron, halfspaces in random_polyhedra(2, 200):
        if polyhedron.is_empty:
            assert polyhedron == Polyhedron(
                polyhedron.ambient_dimension, [Halfspace([0] * polyhedron.ambient_dimension, -1)]
            )
            continue
        scaled = [Halfspace([3 * entry for entry in item.normal], 3 * item.bound) for item in halfspaces]
        weights = [r.randint(0, 2) for _ in halfspaces]
        columns = zip(*(item.normal for item in halfspaces), strict=True)
        normal = [sum(w * entry for w, entry in zip(weights, column, strict=True)) for column in columns]
        implied = Halfspace(
            normal, sum(w * item.bound for w, item in zip(weights, halfspaces, strict=True)) + r.randint(0, 1)
        )
        r.shuffle(scaled)
        twin = Polyhedron(polyhedron.ambient_dimension, [*scaled, implied])
        assert (twin, hash(twin)) == (polyhedron, hash(polyhedron))
        assert twin.generators == polyhedron.generators
        assert twin.canonical().halfspaces == polyhedron.canonical().halfspaces
        if polyhedron.facets:
            wall = polyhedron.facets[0]
            cut = Halfspace(wall.opposite.normal, -inner(wall.normal, polyhedron.interior_point))
            assert Polyhedron(polyhedron.ambient_dimension, [*halfspaces, cut]) != polyhedron


def test_hulls_of_repeated_inner_and_flat_points() -> None:
    r = random.Random(3)
    for _ in range(200):
        d = r.randint(1, 4)
        points = [tuple(Fraction(r.randint(-2, 2), r.randint(1, 2)) for _ in range(d)) for _ in range(r.randint(1, 7))]
        if r.random() < 0.3:
            points = [(*point[:-1], Fraction(1)) for point in points]
        middle = tuple(sum(column) / len(points) for column in zip(*points, strict=True))
        hull = Polyhedron.from_generators([*points, points[0], middle])
        assert hull.is_bounded
        assert set(hull.vertices) <= set(points)
        assert all(hull.contains(point) for point in points)
        assert hull.dimension == rank([[a - b for a, b in zip(point, points[0], strict=True)] for point in points])
        assert set(hull.vertices) == brute_vertices(hull.halfspaces, d)
        for point in set(points) - set(hull.vertices):
            assert Polyhedron.from_generators([other for other in points if other != point] or points) == hull


@pytest.mark.parametrize("d", range(1, 7))
def test_cubes_and_cross_polytopes_are_dual(d: int) -> None:
    signs = list(product((-1, 1), repeat=d))
    units = [tuple(s * int(i == j) for j in range(d)) for i in range(d) for s in (-1, 1)]
    cube = Polyhedron(d, [Halfspace(unit, 1) for unit in units])
    cross = Polyhedron(d, [Halfspace(sign, 1) for sign in signs])
    assert cube.vertices == tuple(sorted(signs))
    assert cross.vertices == tuple(sorted(units))
    assert Polyhedron.from_generators(signs) == cube
    assert Polyhedron.from_generators(units) == cross
    assert (len(cube.facets), len(cross.facets)) == (2 * d, 2**d)


def test_cyclic_polytope_has_the_facets_of_gales_theorem() -> None:
    """Hulls of n points on the moment curve in dimension 4 have n(n-3)/2 facets, in dimension 6 n(n-4)(n-5)/6."""
    assert len(Polyhedron.from_generators([[t, t**2, t**3, t**4] for t in range(9)]).facets) == 27
    assert len(Polyhedron.from_generators([[t**k for k in range(1, 7)] for t in range(10)]).facets) == 50


def test_all_of_space_and_a_point() -> None:
    space = Polyhedron(2, [])
    assert (space.dimension, space.facets, space.interior_point) == (2, (), (0, 0))
    assert space.generators.vertices == ((0, 0),)
    assert space.lines == ((1, 0), (0, 1))
    assert space.recession_direction is not None
    point = Polyhedron.from_generators([["1/2", 3]])
    assert (point.dimension, point.vertices, point.is_bounded) == (0, ((Fraction(1, 2), 3),), True)
    assert point.affine_hull == (Hyperplane([1, 0], "1/2"), Hyperplane([0, 1], 3))


def test_values_survive_copies() -> None:
    polyhedron = Polyhedron(2, [Halfspace([1, 1], 1), Halfspace([-1, 0], 0), Halfspace([0, -1], 0)])
    assert pickle.loads(pickle.dumps(polyhedron)) == copy.deepcopy(polyhedron) == polyhedron
    assert polyhedron != Polyhedron(3, [])
    assert polyhedron != "triangle"


def test_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(WrongDimension):
        Polyhedron(0, [])
    with pytest.raises(WrongDimension, match=r"halfspaces\[0\]"):
        Polyhedron(2, [Halfspace([1], 0)])
    with pytest.raises(InvalidDomain, match="empty"):
        _ = Polyhedron(1, [Halfspace([0], -1)]).interior_point
    with pytest.raises(InvalidDomain, match="at least one point"):
        Polyhedron.from_generators([])
    with pytest.raises(WrongDimension, match=r"vertices\[1\]"):
        Polyhedron.from_generators([[0], [0, 1]])
    with pytest.raises(WrongDimension, match="objective"):
        Polyhedron(1, []).maximise([1, 2])
    with pytest.raises(InvalidDomain, match="not be zero"):
        Hyperplane([0], 0)
    monkeypatch.setattr(cones, "MAX_GENERATORS", 10)
    cube = Polyhedron(4, [Halfspace([s * int(i == j) for j in range(4)], 1) for i in range(4) for s in (-1, 1)])
    with pytest.raises(BudgetExceeded, match="10 generators"):
        _ = cube.vertices
