"""The six counts: known values, their order, and independent brute force for R1, R3, R4, R5 and R6.

The brute force is that of ``count_oracle``; on a line values on a grid tell as much.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from random import Random

import pytest
from count_oracle import brute
from oracles import forward
from region_networks import batches, folding_network, random_network, single_layer

import exactrelu as er
from exactrelu import Domain, Halfspace, Layer, Network
from exactrelu.regions import activation_regions, region_bounds, region_counts
from exactrelu.regions.counts import _zero_combination

DATA = Path(__file__).parent.parent / "data"
ANSWERS = json.loads((DATA / "answers.json").read_text())
SMALL = [name for name, known in ANSWERS.items() if known.get("R2", 10**6) <= 4000]
NAMES = ("R1", "R2", "R3", "R4", "R5", "R6")


@pytest.mark.parametrize("name", SMALL)
def test_reference_answers(name: str) -> None:
    found = region_counts(activation_regions(er.load(DATA / f"{name}.json")))
    known = {key: value for key, value in ANSWERS[name].items() if key in NAMES}
    assert {key: getattr(found, key) for key in known} == known


def test_the_answers_know_every_count_but_one() -> None:
    assert {key for known in ANSWERS.values() for key in known if key in NAMES} >= {"R2", "R4", "R5", "R6"}


def tent(depth: int) -> Network:
    weights = [[[1], [1]], *[[[2, -4], [2, -4]]] * (depth - 1), [[2, -4]]]
    return Network.mlp(weights, [*[[0, "-1/2"]] * depth, [0]])


HAT = single_layer([[1], [1], [1]], [1, 0, -1]).replace({"w[2<-1][0,1]": -2})
SIXTEEN = Network.mlp([[[1], [1], [-1]], [[-3, 2, -2], [-3, 2, -2], [3, -2, 2]], [[1, 2, -5]]],
                      [[0, -1, 2], ["19/4", "9/2", "-17/4"], [0]])  # fmt: skip
THIRTEEN = Network.mlp([[[-1, 0], [0, -1], [1, 1]], [[-1, -1, -1]], [[1]]], [[0, 0, -1], [1], [0]])
SEVEN = Network.mlp([[[1, 0], [0, 1], [0, -1]], [[-1, 1, -1], [0, 1, 0], [0, 0, 1]], [[1, -1, 1]]])
FLAT = Network.mlp([[[1, 1], [1, -1]], [[0, 0]]], [[0, 0], [5]])
ABS = single_layer([[1], [-1]], [0, 0])

# network, domain, counts in the order of NAMES; ... where this table does not say
KNOWN = {
    "max(-y, min(0, -x))": (SEVEN, None, (7, 5, 4, 3, 3, 3)),
    "hat": (HAT, None, (4, 4, 4, 4, 4, 3)),
    "hat on its support": (HAT, "[-1,1]", (3, 2, 2, 2, 2, 2)),
    "tent": (tent(1), None, (3, 3, 3, 3, 3, 3)),
    "tent of a tent": (tent(2), None, (..., 6, ..., ..., ..., 5)),
    "sixteen": (SIXTEEN, None, (16, 16, 16, 16, 16, 16)),
    "thirteen": (THIRTEEN, None, (..., 13, ..., 8, 8, 8)),
    "one affine map": (FLAT, None, (4, 4, 1, 1, 1, 1)),
    "absolute value": (ABS, None, (3, 2, 2, 2, 2, 2)),
    "no bend": (Network.mlp([[[1, 2]]]), None, (1, 1, 1, 1, 1, 1)),
    "max(0, x, y)": (Network.mlp([[[1, -1], [0, 1], [0, -1]], [[1, 1, -1]], [[1]]]), None, (..., ..., 3, 3, 3, 3)),
    "a step of width 1": (single_layer([[1], [1]], [0, -1]).replace({"w[2<-1][0,1]": -1}), None, (3, 3, 3, 3, 3, 3)),
}  # fmt: skip


@pytest.mark.parametrize("name", KNOWN)
def test_counts_known_beforehand(name: str) -> None:
    net, domain, known = KNOWN[name]
    found = region_counts(activation_regions(net, domain))
    assert [getattr(found, key) for key, value in zip(NAMES, known, strict=True) if value is not ...] == [
        value for value in known if value is not ...
    ]


def check(net: Network, halfspaces: Sequence[Halfspace], *, brute_force: bool = True) -> tuple[int | None, ...]:
    domain = Domain.polytope(halfspaces=halfspaces) if halfspaces else None
    found = region_counts(activation_regions(net, domain))
    if brute_force:
        wanted = brute(net, halfspaces)
        assert {key: getattr(found, key) for key in wanted} == wanted, (net, halfspaces)
    chain = [n for n in (found.R6, found.R5, found.R4, found.R3, found.R2, found.R1) if n is not None]
    assert chain == sorted(chain)
    return tuple(getattr(found, name) for name in NAMES)


@pytest.mark.parametrize("seeds", batches(16, 96, 80))
def test_random_networks_against_brute_force(seeds: range) -> None:
    seen = {check(*random_network(90_000 + seed, 2, 3)) for seed in seeds}
    assert any(row[3] < row[1] for row in seen)
    assert any(row[1] < row[0] for row in seen)


def bumps(seed: int) -> Network:
    """Sums of max(0, min(a, b)) with affine a, b: equal pieces apart, at a common corner, along thin sets."""
    r = Random(seed)
    d, terms = r.choice((1, 2, 2)), 2
    first, bias, second = [], [], []
    for k in range(terms):
        a, b = ([*(r.randint(-1, 1) for _ in range(d)), r.choice((0, 0, 1))] for _ in range(2))
        if k and r.random() < 0.5:  # opposite to the term before: a saddle
            a, b = ([-c for c in row] for row in (old_a, old_b))  # noqa: F821
        old_a, old_b = a, b  # noqa: F841
        rows = [a, [-c for c in a], [p - q for p, q in zip(a, b, strict=True)]]
        first += [row[:-1] for row in rows]
        bias += [row[-1] for row in rows]
        second.append([0] * (3 * k) + [1, -1, -1] + [0] * (3 * (terms - 1 - k)))
    last = [r.choice((-1, 1)) for _ in range(terms)]
    return Network.mlp([first, second, [last]], [bias, None, None])


@pytest.mark.parametrize("seeds", batches(10, 50, 40))
def test_pieces_that_touch(seeds: range) -> None:
    rows = [check(bumps(seed), ()) for seed in seeds]
    assert any(row[4] < row[3] for row in rows), "no two open regions were joined through a thin set"
    assert any(row[5] < row[4] for row in rows), "no piece came twice"


@pytest.mark.parametrize("seeds", batches(50, 450, 400))
def test_the_order_of_the_counts(seeds: range) -> None:
    rows = [check(*random_network(95_000 + seed, 3, 5), brute_force=False) for seed in seeds]
    rows += [check(bumps(seed), (), brute_force=False) for seed in seeds]
    for k in range(5):
        strict = sum(a is not None and b is not None and a > b for a, b in ((row[k], row[k + 1]) for row in rows))
        assert strict, f"R{k + 1} = R{k + 2} throughout"


def blind(seed: int, extra: int) -> Network:
    """A network of (x, y) whose first layer does not see y, or sees it in ``extra`` neurons that nobody reads."""
    r = Random(seed)
    width, second, third = r.randint(1, 2), r.randint(2, 3), r.randint(1, 3)

    def rows(count: int, size: int) -> list[list[int]]:
        return [[r.choice((-2, -1, -1, 0, 1, 1, 2)) for _ in range(size)] for _ in range(count)]

    def halves(size: int) -> list[Fraction]:
        return [Fraction(r.randint(-3, 3), 2) for _ in range(size)]

    unread = [0] * extra
    one = Layer({0: [*([a, None] for (a,) in rows(width, 1)), *[[0, 1]] * extra]}, bias=halves(width) + unread)
    two = Layer({0: [[None, a] for (a,) in rows(second, 1)], 1: [row + unread for row in rows(second, width)]},
                bias=halves(second))  # fmt: skip
    three = Layer({2: rows(third, second), 1: [row + unread for row in rows(third, width)]}, bias=halves(third))
    return Network(2, [one, two, three, Layer({3: rows(1, third)}, activation="identity")])


@pytest.mark.parametrize("seeds", batches(28, 228, 200))
def test_counts_of_the_function_ignore_unread_neurons(seeds: range) -> None:
    """Without them the engine cuts by auxiliary hyperplanes, which must not show in R4, R5 and R6."""
    auxiliary = 0
    for seed in seeds:
        complexes = [activation_regions(blind(seed, extra)) for extra in (0, 1)]
        auxiliary += complexes[0].cells.program.auxiliary > complexes[1].cells.program.auxiliary
        one, other = map(region_counts, complexes)
        assert (one.R4, one.R5, one.R6) == (other.R4, other.R5, other.R6), blind(seed, 0).explain()
        assert one.R2 <= other.R2
    assert auxiliary > len(seeds) // 2


def test_pieces_that_touch_behind_an_auxiliary_hyperplane() -> None:
    """Where parts of one facet are apart in the lattice, all of them may hold the point where pieces touch."""
    first = [[-1, None], [-1, None]]
    second = {0: [[None, 1], [None, 1]], 1: [[0, 0], [0, 2]]}
    third = {1: [[0, 0], [1, 0]], 2: [[2, -1], [1, 0]]}
    layers = [Layer(second, bias=[-1, 0]), Layer(third, bias=[1, 0]), Layer({3: [[1, -2]]}, activation="identity")]
    net = Network(2, [Layer({0: first}, bias=[-1, 0]), *layers])
    found = region_counts(activation_regions(net))
    assert (found.R4, found.R6) == (11, 9)
    assert found.R5 == brute(net, ())["R5"] == 9


def on_a_line(net: Network, low: int, high: int) -> tuple[int, int]:
    """R4 and R6 of a piecewise linear function on an interval, from its values at multiples of 1/12."""
    data, n = net.to_json(), 12
    values = [forward(data, [Fraction(k, n)])[1][-1][0] for k in range(low * n, high * n + 1)]
    slopes = [b - a for a, b in pairwise(values)]
    kinks = [0, *(k for k in range(1, len(slopes)) if slopes[k] != slopes[k - 1])]
    return len(kinks), len({(slopes[k], values[k] - slopes[k] * (low * n + k)) for k in kinks})


@pytest.mark.parametrize("seed", range(8))
def test_values_on_a_grid(seed: int) -> None:
    """In one dimension R3 = R4 = R5 is the number of kinks and 1; kinks of these networks lie on the grid."""
    net = Network.random((1, 4, 1), seed, bound=4, denominator=1)
    net = net.replace({"b[1][0]": "1/3", "w[1<-0][0,0]": 1, "w[2<-1][0,0]": 2})
    found = region_counts(activation_regions(net, "[-2,2]"))
    bends, maps = on_a_line(net, -2, 2)
    assert {found.R3, found.R4, found.R5} == {bends}
    assert maps == found.R6


@pytest.mark.parametrize("seeds", batches(100, 1100, 500))
def test_lines_need_no_more_cells_than_pieces(seeds: range) -> None:
    """A maximal interval of one piece is convex, and intervals meet face to face: R3 = R4 = R5 on a line."""
    for seed in seeds:
        net, halfspaces = random_network(97_000 + seed, 1, 3)
        row = check(net, halfspaces, brute_force=False)
        assert row[2] == row[3] == row[4] or (row[2] is None and row[1] > 12 and row[3] == row[4])


QUADRANT = Network.mlp([[[1, 0], [0, 1]], [[-1, -1]], [[1]]], [None, [1], None])


def test_coarsest_complexes_by_hand() -> None:
    """L-shapes need two cells, T-junctions are no complex, and whole half-planes one cell."""
    plane = single_layer([[1, 0], [0, 1]], [0, 0]).replace({"w[2<-1][0,1]": 0})
    assert region_counts(activation_regions(plane)).R3 == 2
    minimum = Network.mlp([[[1, 0], [-1, 0], [1, -1]], [[1, -1, -1]], [[1]]])  # max(0, min(x, y))
    found = region_counts(activation_regions(minimum))
    assert (found.R3, found.R4, found.R6) == (4, 3, 3)
    assert region_counts(activation_regions(minimum, "[1,2]x[-2,3]")).R3 == 3
    assert region_counts(activation_regions(QUADRANT)).R3 in (None, *range(4, 9))


def test_bounds() -> None:
    for seed in range(12):
        net = Network.random(((2, 4, 1), (2, 3, 3, 1), (1, 3, 2, 1), (3, 2, 1))[seed % 4], seed)
        cx, d = activation_regions(net), net.input_dim
        bounds = region_bounds(cx)
        assert list(bounds) == ["zaslavsky", "montufar", "serra"]
        assert (bounds["zaslavsky"] is None) == (net.depth > 2)
        assert len(cx) <= bounds["serra"] == er.regions.serra(net.widths) >= (bounds["montufar"] or 0)
        assert (bounds["montufar"] is None) == any(width < d for width in net.widths[1:-1])
    cx = activation_regions(folding_network((2, 4, 3, 1)), "[0,1]^2")
    assert region_bounds(cx) == {"zaslavsky": None, "montufar": len(cx), "serra": 77}


ONE_PIECE = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
from exactrelu import Network
from exactrelu.regions import activation_regions, region_counts
net = Network.mlp([[[1]] * 11, [[0] * 11]], [list(range(11)), [0]])
print(region_counts(activation_regions(net)))
"""


def test_twelve_regions_of_one_piece_need_no_gigabyte() -> None:
    """The largest complex for which unions are tried; trying all 4,213,597 partitions takes 1.7 GB."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", ONE_PIECE], capture_output=True, text=True, timeout=60, env=environment, check=False
    )
    assert (done.stdout, done.returncode) == ("RegionCounts(R1=12, R2=12, R3=1, R4=1, R5=1, R6=1)\n", 0)


def test_combinations_of_points_and_rays() -> None:
    """Against a search of convex combinations on a grid: the multipliers of the rays do not count towards one."""
    rng, answers = Random(5), set()
    for _ in range(300):
        points = [[Fraction(rng.randint(-1, 1)) for _ in range(2)] for _ in range(rng.randint(1, 2))]
        rays = [[Fraction(rng.randint(-1, 1)) for _ in range(2)] for _ in range(rng.randint(0, 2))]
        halves = [Fraction(k, 4) for k in range(5)] if len(points) == 2 else [Fraction(1)]
        multipliers = product(halves, *([Fraction(k, 4) for k in range(9)] for _ in rays))
        found = any(
            not any(
                t * points[0][c] + (1 - t) * points[-1][c] + sum(m * ray[c] for m, ray in zip(ms, rays, strict=True))
                for c in range(2)
            )
            for t, *ms in multipliers
        )
        answer = _zero_combination(points, rays)
        assert answer or not found
        if answer and not found:  # between the points of the grid: proved by the certificate of the dual, a functional
            assert not any(separates(points, rays, y) for y in product(range(-12, 13), repeat=2))
        answers.add((answer, bool(rays)))
    assert len(answers) == 4


def separates(points: Sequence[Sequence[Fraction]], rays: Sequence[Sequence[Fraction]], y: tuple[int, ...]) -> bool:
    """Whether a functional is positive on the points and not negative on the rays."""
    values = [[sum(a * b for a, b in zip(y, v, strict=True)) for v in vectors] for vectors in (points, rays)]
    return all(value > 0 for value in values[0]) and all(value >= 0 for value in values[1])
