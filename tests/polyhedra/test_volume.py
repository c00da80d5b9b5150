from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import product

import pytest
from polyhedra_cases import inner, random_halfspaces, solve_square

from exactrelu.errors import InvalidDomain
from exactrelu.polyhedra import Halfspace, Polyhedron
from exactrelu.polyhedra.volume import determinant


def laplace(matrix: list[list[int]]) -> int:
    """The determinant by expansion along the first row."""
    if not matrix:
        return 1
    minors = ([row[:j] + row[j + 1 :] for row in matrix[1:]] for j in range(len(matrix)))
    return sum((-1) ** j * a * laplace(minor) for j, (a, minor) in enumerate(zip(matrix[0], minors, strict=True)))


def test_determinant_is_laplaces() -> None:
    r = random.Random(1)
    for _ in range(500):
        size = r.randint(0, 5)
        matrix = [[r.choice((0, 0, 1, -1, 2, 7)) for _ in range(size)] for _ in range(size)]
        assert determinant(matrix) == laplace(matrix)


@pytest.mark.parametrize("d", range(1, 7))
def test_known_volumes(d: int) -> None:
    units = [tuple(int(i == j) for j in range(d)) for i in range(d)]
    negative = [tuple(-entry for entry in unit) for unit in units]
    assert Polyhedron.from_generators([(0,) * d, *units]).volume == Fraction(1, math.factorial(d))
    assert Polyhedron.from_generators([*units, *negative]).volume == Fraction(2**d, math.factorial(d))
    sides = [Fraction(1, k + 2) for k in range(d)]
    assert Polyhedron.from_generators(product(*((0, side) for side in sides))).volume == math.prod(sides)
    assert Polyhedron.from_generators(units).volume == 0


def test_the_eulerian_slices_of_the_cube() -> None:
    """The part of the unit cube with k <= sum x <= k+1 has volume A(d, k)/d!, here d = 4."""
    d = 4
    cube = [Halfspace([s * int(i == j) for j in range(d)], int(s > 0)) for i in range(d) for s in (-1, 1)]
    slices = [Polyhedron(d, [*cube, Halfspace([1] * d, k + 1), Halfspace([-1] * d, -k)]) for k in range(d)]
    assert [24 * part.volume for part in slices] == [1, 11, 11, 1]


def shoelace(polygon: Polyhedron) -> Fraction:
    """The area of a polygon, its corners in the order of its edges."""
    neighbours: dict[tuple[Fraction, ...], list[tuple[Fraction, ...]]] = {}
    for edge in polygon.facets:
        a, b = (vertex for vertex in polygon.vertices if edge.slack(vertex) == 0)
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)
    path = [polygon.vertices[0], neighbours[polygon.vertices[0]][0]]
    while len(path) < len(polygon.vertices):
        path.append(next(v for v in neighbours[path[-1]] if v != path[-2]))
    pairs = zip(path, [*path[1:], path[0]], strict=True)
    return abs(sum((a[0] * b[1] - a[1] * b[0] for a, b in pairs), Fraction(0))) / 2


def lawrence(polytope: Polyhedron) -> Fraction | None:
    """Lawrence's formula for simple polytopes: a sum over vertices, no triangulation; ``None`` if not simple."""
    d = polytope.ambient_dimension
    objective = [Fraction(10**k + 7 * k + 1) for k in range(d)]
    total = Fraction(0)
    for vertex in polytope.vertices:
        tight = [item.normal for item in polytope.facets if item.slack(vertex) == 0]
        if len(tight) != d:
            return None
        gamma = solve_square(list(zip(*tight, strict=True)), objective)
        assert gamma is not None
        assert all(gamma)
        size = abs(laplace([[int(entry) for entry in row] for row in tight]))
        total += inner(objective, vertex) ** d / (size * math.prod(gamma))
    return abs(total) / math.factorial(d)


def random_polytopes(seed: int, rounds: int) -> list[tuple[random.Random, Polyhedron]]:
    r = random.Random(seed)
    found: list[tuple[random.Random, Polyhedron]] = []
    while len(found) < rounds:
        d = r.randint(2, 4)
        halfspaces = random_halfspaces(r, d, r.randint(d + 1, 9), r.choice(("general", "lattice", "repeated")))
        halfspaces += [Halfspace([s * int(i == j) for j in range(d)], 3) for i in range(d) for s in (-1, 1)]
        polytope = Polyhedron(d, halfspaces)
        if polytope.is_full_dimensional:
            found.append((r, polytope))
    return found


def test_volume_agrees_with_shoelace_and_lawrence() -> None:
    simple = polygons = 0
    for _, polytope in random_polytopes(2, 200):
        if polytope.ambient_dimension == 2:
            polygons += 1
            assert polytope.volume == shoelace(polytope)
        expected = lawrence(polytope)
        if expected is not None:
            simple += 1
            assert polytope.volume == expected
    assert min(simple, polygons) > 40


def check_cuts(seed: int, rounds: int) -> None:
    for r, polytope in random_polytopes(seed, rounds):
        d = polytope.ambient_dimension
        through = polytope.interior_point if r.random() < 0.5 else r.choice(polytope.vertices)
        normal = [r.choice((-2, -1, 0, 1, 2)) for _ in range(d)]
        wall = Halfspace(normal, inner(normal, through)) if any(normal) else Halfspace([1] * d, 0)
        parts = [Polyhedron(d, [*polytope.halfspaces, side]) for side in (wall, wall.opposite)]
        assert sum(part.volume for part in parts) == polytope.volume
        assert all(part.volume > 0 for part in parts if part.is_full_dimensional)


def test_volume_is_additive_under_cuts() -> None:
    check_cuts(3, 80)


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(4))
def test_volume_is_additive_under_cuts_at_length(seed: int) -> None:
    check_cuts(300 + seed, 500)


def test_volume_scales_with_the_determinant() -> None:
    for r, polytope in random_polytopes(4, 60):
        d = polytope.ambient_dimension
        matrix = [[r.randint(-2, 2) for _ in range(d)] for _ in range(d)]
        image = Polyhedron.from_generators([[inner(row, vertex) + 1 for row in matrix] for vertex in polytope.vertices])
        assert image.volume == abs(laplace(matrix)) * polytope.volume


def test_infinite_volume_is_refused() -> None:
    with pytest.raises(InvalidDomain, match="bounded"):
        _ = Polyhedron(2, [Halfspace([1, 0], 1)]).volume
