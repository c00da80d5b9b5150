"""Counts and faces known beforehand: reference answers, textbook arrangements, seeded networks, a real network."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
from region_checks import check_complex, euler, patterns_of
from region_networks import single_layer

import exactrelu as er
from exactrelu import Network
from exactrelu.regions.vertex_engine.enumeration import regions

DATA = Path(__file__).parent.parent / "data"
ANSWERS = json.loads((DATA / "answers.json").read_text())


def test_the_answers_are_complete() -> None:
    assert len(ANSWERS) == 51
    assert sum("R2" in known for known in ANSWERS.values()) == 43
    assert sum("faces" in known for known in ANSWERS.values()) == 4


@pytest.mark.parametrize("name", ANSWERS)
def test_reference_answers(name: str) -> None:
    cells = regions(er.load(DATA / f"{name}.json"))
    known, f = ANSWERS[name], cells.f_vector()
    assert cells.count == f[0] == known.get("R2", f[0])
    assert {str(k): n for k, n in enumerate(f)} == known.get("faces", {str(k): n for k, n in enumerate(f)})
    assert euler(f) == (-1) ** (len(f) - 1)


def braid(d: int) -> Network:
    """All hyperplanes x_i = x_j."""
    pairs = list(combinations(range(d), 2))
    return single_layer([[(k == i) - (k == j) for k in range(d)] for i, j in pairs], [0] * len(pairs))


def tent(depth: int) -> Network:
    """The tent map on [0, 1], iterated."""
    weights = [[[1], [1]], *[[[2, -4], [2, -4]]] * (depth - 1), [[2, -4]]]
    return Network.mlp(weights, [*[[0, "-1/2"]] * depth, [0]])


UNIT = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
DEEP_1 = ([[[1], [1], [-1]], [[-3, 2, -2], [-3, 2, -2], [3, -2, 2]], [[1, 2, -5]]],
          [[0, -1, 2], ["19/4", "9/2", "-17/4"], [0]])  # fmt: skip
DEEP_2 = ([[[-1, 0], [0, -1], [1, 1]], [[-1, -1, -1]], [[1]]], [[0, 0, -1], [1], [0]])
NO_SMOOTH_POINT = [[[1, 0], [0, 1], [0, -1]], [[-1, 1, -1], [0, 1, 0], [0, 0, 1]], [[1, -1, 1]]]

# f-vectors, by codimension
CLASSICAL = [
    ("three lines", single_layer([[1, 0], [0, 1], [1, 1]], [0, 0, -1]), (7, 9, 3)),
    ("three lines through a point", single_layer([[1, 0], [0, 1], [1, 1]], [0, 0, 0]), (6, 6, 1)),
    ("two parallel lines and one across", single_layer([[1, 0], [1, 0], [0, 1]], [0, -1, 0]), (6, 7, 2)),
    ("three coordinate planes and one more", single_layer([*UNIT, [1, 1, 1]], [0, 0, 0, -1]), (15, 28, 18, 4)),
    ("four planes through a point", single_layer([*UNIT, [1, 1, 1]], [0] * 4), (14, 24, 12, 1)),
    ("braid arrangement of R^3", braid(3), (6, 6, 1)),
    ("braid arrangement of R^4", braid(4), (24, 36, 14, 1)),
    ("no biases at all", Network.mlp([[[1, 0], [0, 1], [1, 1]], [[1]*3]]), (6, 6, 1)),
    ("hat", single_layer([[1], [1], [1]], [1, 0, -1]), (4, 3)),
    ("tent", tent(1), (3, 2)),
    ("tent of a tent", tent(2), (6, 5)),
    ("tent, five times", tent(5), (34, 33)),
    ("sixteen pieces on the line", Network.mlp(*DEEP_1), (16, 15)),
    ("thirteen pieces of the plane", Network.mlp(*DEEP_2), (13, 21, 9)),
    ("a zero sign on every region", Network.mlp(NO_SMOOTH_POINT), (5, 5, 1)),
]  # fmt: skip


@pytest.mark.parametrize(("net", "f"), [row[1:] for row in CLASSICAL], ids=[row[0] for row in CLASSICAL])
def test_classical_complexes(net: Network, f: tuple[int, ...]) -> None:
    assert check_complex(net, with_oracle=net.input_dim < 4).f_vector() == f


def test_every_region_has_a_zero_sign() -> None:
    assert all(0 in pattern for pattern in patterns_of(regions(Network.mlp(NO_SMOOTH_POINT))))


SEEDED = [
    ((2, 10, 1), 56),
    ((2, 10, 10, 1), 190),
    ((2, 16, 16, 1), 416),
    ((2, 32, 32, 1), 2046),
    ((3, 8, 8, 1), 514),
    ((3, 16, 16, 1), 4644),
    ((4, 10, 10, 1), 3327),
    ((2, 50, 1), 1208),
    ((3, 30, 1), 4504),
    ((5, 12, 1), 1586),
    ((4, 16, 16, 1), 41431),
]


@pytest.mark.parametrize(("widths", "known"), SEEDED)
def test_seeded_networks(widths: tuple[int, ...], known: int) -> None:
    cells = regions(Network.random(widths, 0))
    assert cells.count == known
    assert euler(cells.f_vector()) == (-1) ** widths[0]


def test_tenths_and_binary_fractions_are_different_networks() -> None:
    tenths = er.load(DATA / "n2_50_1_s0.json")
    floats = [[[float(w) for w in row] for row in layer.blocks[0][1]] for layer in tenths.layers]
    rounded = Network.from_floats(floats, [[float(b) for b in layer.bias] for layer in tenths.layers], reading="dyadic")
    assert (regions(tenths).count, regions(rounded).count) == (1208, 1243)


@pytest.fixture(scope="module")
def cartpole(real: Path) -> Network:
    return er.load(real / "cartpole_nnet.nnet")


def test_real_network_with_equal_columns(cartpole: Network) -> None:
    """Two of its four inputs always act together: the lattice is that of R^3."""
    cells = regions(cartpole)
    assert (cells.count, cells.lattice.dim, len(cells.program.pivots)) == (14623, 3, 3)
    assert euler(cells.f_vector()) == -1
    assert not cells.bounded().any()
    table, exact = cells.interior
    assert not exact  # every floating point is proved
    for region in range(0, cells.count, 487):
        pattern = [s for group in cartpole.pattern(cells.interior_point(region)).signs for s in group]
        assert pattern == cells.patterns(region, region + 1)[:, 0].tolist()
    assert table.shape == (4, 14623)


def test_real_network_on_a_box(cartpole: Network) -> None:
    """In a box the fourth direction matters: four walls are independent, and volumes add up."""
    box = er.Domain.box([(0, "1/2"), (0, "1/2"), ("-1/4", 0), ("-1/4", "1/4")])
    cells = regions(cartpole, box.halfspaces)
    assert cells.lattice.dim == 4
    assert cells.bounded().all()
    assert euler(cells.f_vector()) == 1
    volumes = [er.Polyhedron.from_generators(cells.generators(i)[0]).volume for i in range(cells.count)]
    assert (min(volumes) > 0, sum(volumes)) == (True, Fraction(1, 32))
