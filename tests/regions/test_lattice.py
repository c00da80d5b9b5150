"""The lattice alone, with hand-made sign vectors."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from region_checks import euler

from exactrelu.regions.bounds import buck, zaslavsky
from exactrelu.regions.vertex_engine.lattice import MINUS, PLUS, ZERO, Growing, Ints, Lattice

P, M, Z = PLUS, MINUS, ZERO


def codes(*signs: int) -> np.ndarray:
    return np.array(signs, np.uint8)


def finite(lattice: Lattice, points: list[int]) -> list[int]:
    """Numbers of faces, from vertices up, that have a point among their vertices."""
    flags = np.zeros(lattice.size[0], np.uint8)
    flags[points] = 1
    return [int(np.count_nonzero(level)) for level in lattice.join(flags)]


@pytest.mark.parametrize("dim", range(7))
def test_orthants(dim: int) -> None:
    lattice = Lattice.orthants(dim)
    assert finite(lattice, [0]) == [buck(dim, dim, k) for k in range(dim + 1)]
    assert lattice.cells == 2**dim
    for k in range(1, dim + 1):
        sub, face = lattice.incidence(k)
        assert (np.bincount(face) == k + 1).all()  # every face is a simplex, infinity included
        assert sub.max() == lattice.size[k - 1] - 1


# signs at the origin and at +e1, -e1, +e2, -e2, ...; the cut edges; finite faces from vertices up
CUTS = [
    ("general position", (P, P, M, P, M), [(0, 2), (0, 4), (1, 4), (3, 2)], [3, 9, 7]),
    ("through the vertex", (Z, P, M, M, P), [(1, 3), (4, 2)], [1, 6, 6]),
    ("parallel to a line: concurrent at infinity", (P, P, M, Z, Z), [(0, 2)], [2, 7, 6]),
    ("a twin touches without cutting", (Z, P, M, Z, Z), [], [1, 4, 4]),
    ("zero on a whole cell", (Z, P, Z, P, Z), [], [1, 4, 4]),
    ("zero along an edge, then into a quadrant", (Z, P, Z, M, P), [(1, 3)], [1, 5, 5]),
    ("a plane through an edge and a diagonal", (Z, P, M, M, P, Z, Z), [(1, 3), (4, 2)], [1, 8, 18, 12]),
    ("the same sign everywhere", (P,) * 9, [], [1, 8, 24, 32, 16]),
    ("zero everywhere", (Z,) * 9, [], [1, 8, 24, 32, 16]),
]


@pytest.mark.parametrize(("signs", "cut", "faces"), [row[1:] for row in CUTS], ids=[row[0] for row in CUTS])
def test_one_cut_of_the_orthants(signs: tuple[int, ...], cut: list[tuple[int, int]], faces: list[int]) -> None:
    lattice = Lattice.orthants(len(signs) // 2)
    a, b = lattice.cut(codes(*signs))
    assert sorted(zip(a.tolist(), b.tolist(), strict=True)) == cut
    fresh = [len(signs) + i for i in range(a.size) if 0 in (a[i], b[i])]  # the others are directions
    assert finite(lattice, [0, *fresh]) == faces


def arrangement(dim: int, planes: int, seed: int, largest: int) -> tuple[Lattice, Ints]:
    """Orthants cut by affine functions with small integer coefficients; 1 for points, 0 for directions."""
    r = np.random.default_rng(seed)
    lattice = Lattice.orthants(dim)
    x = [[1] + [0] * dim]
    x += [[0] * (1 + i) + [s] + [0] * (dim - i - 1) for i in range(dim) for s in (1, -1)]
    for _ in range(planes):
        row = r.integers(-largest, largest + 1, dim + 1).tolist()
        f = [sum(a * b for a, b in zip(row, v, strict=True)) for v in x]
        a, b = lattice.cut(np.array([P if t > 0 else M if t < 0 else Z for t in f], np.uint8))
        for i, j in zip(a.tolist(), b.tolist(), strict=True):
            x.append([-f[j] * s + f[i] * t for s, t in zip(x[i], x[j], strict=True)])
    return lattice, np.array([v[0] > 0 for v in x], np.uint8)


def facet_sets(lattice: Lattice, k: int) -> list[set[int]]:
    found: list[set[int]] = [set() for _ in range(lattice.size[k])]
    sub, face = lattice.incidence(k)
    for g, f in zip(sub.tolist(), face.tolist(), strict=True):
        assert g not in found[f]
        found[f].add(g)
    return found


@pytest.mark.parametrize("dim", [1, 2, 3, 4])
@pytest.mark.parametrize("largest", [1, 2, 1000])
def test_structure_of_arrangements(dim: int, largest: int) -> None:
    """Euler, the diamond property, two cells per inner facet, representatives among the vertices."""
    for seed in range(6):
        lattice, points = arrangement(dim, 5, seed, largest)
        levels = lattice.join(points)
        numbers = [int(np.count_nonzero(level)) for level in levels]
        assert euler(numbers[::-1]) == (-1) ** dim
        if largest == 1000:  # general position
            assert lattice.cells == zaslavsky(dim + 5, dim)
            assert numbers == [buck(dim + 5, dim, k) for k in range(dim + 1)]
        uses = np.bincount(lattice.incidence(dim)[0], minlength=lattice.size[dim - 1])
        assert set(uses[levels[dim - 1] > 0].tolist()) == {2}
        facets = [[], *(facet_sets(lattice, k) for k in range(1, dim + 1))]
        for k in range(2, dim + 1):
            for face in facets[k]:
                ridges = [h for g in face for h in facets[k - 1][g]]
                assert all(ridges.count(h) == 2 for h in ridges)
        for k in range(1, dim):
            for f, v in enumerate(lattice.rep(k).tolist()):
                found = {f}
                for level in range(k, 0, -1):
                    found = {g for face in found for g in facets[level][face]}
                assert v in found


@pytest.mark.parametrize(
    "keep", [lambda n: np.arange(n) % 3 == 0, lambda n: np.arange(n) == n - 1, lambda n: np.ones(n, bool)]
)
def test_restrict_keeps_the_faces_of_the_cells_kept(keep: Callable[[int], np.ndarray]) -> None:
    lattice, points = arrangement(3, 6, 1, 2)
    cells = keep(lattice.cells)
    part, kept = lattice.restrict(cells)
    assert part.cells == np.count_nonzero(cells)
    for word in (points, np.arange(points.size, dtype=np.uint64)):
        assert np.array_equal(part.join(word[kept])[-1], lattice.join(word)[-1][cells])
    sub, face = part.incidence(3)
    assert set(sub.tolist()) == set(range(part.size[2]))
    assert set(face.tolist()) == set(range(part.cells))


def test_growing() -> None:
    table = Growing(np.zeros((3, 1)))
    table.append(np.ones((3, 2)), np.full((3, 1), 2.0))
    table.room(1)[:] = 3
    assert table.view()[0].tolist() == [0, 1, 1, 2, 3]
    for i in range(20):
        table.append(np.full((3, 1000), i))
    assert table.view()[1].tolist() == [0, 1, 1, 2, 3, *(i for i in range(20) for _ in range(1000))]
    assert table.take(np.array([4, 3]), 1).tolist() == [[3, 2], [3, 2]]
    table.room(100_000, 1)
    assert table.view()[1:, :5].tolist() == [[0, 1, 1, 2, 3]] * 2
