"""Closed formulas against the enumeration: equalities in general position, bounds everywhere."""

from __future__ import annotations

from itertools import combinations, product
from math import comb, prod
from random import Random

import numpy as np
import pytest
from region_networks import batches, folding_network, random_network

from exactrelu import InvalidInput, Network
from exactrelu.regions.bounds import buck, montufar, serra, zaslavsky
from exactrelu.regions.complex import count_regions
from exactrelu.regions.vertex_engine.enumeration import regions


@pytest.mark.parametrize("dimension", [1, 2, 3, 4, 5, 6])
def test_general_position(dimension: int) -> None:
    """Zaslavsky's regions, Buck's faces, and all but the outermost simplices of bounded regions."""
    for hyperplanes in range(dimension, dimension + 5):
        net = Network.random((dimension, hyperplanes, 1), hyperplanes, bound=10**9, denominator=1)
        cells = regions(net)
        assert cells.count == zaslavsky(hyperplanes, dimension) == serra(net.widths) == montufar(net.widths)
        assert cells.f_vector() == tuple(buck(hyperplanes, dimension, dimension - k) for k in range(dimension + 1))
        assert np.count_nonzero(cells.bounded()) == comb(hyperplanes - 1, dimension)


@pytest.mark.parametrize("dimension", [2, 3])
def test_fewer_hyperplanes_than_dimensions(dimension: int) -> None:
    for hyperplanes in range(1, dimension):
        net = Network.random((dimension, hyperplanes, 1), 1, bound=10**9, denominator=1)
        assert count_regions(net) == zaslavsky(hyperplanes, dimension) == serra(net.widths) == 2**hyperplanes
        assert montufar(net.widths) is None


# widths, Montufar's number, Serra's number
FOLDS = [
    ((1, 2, 2, 1), 6, 9),
    ((1, 3, 3, 1), 12, 16),
    ((1, 2, 2, 2, 1), 12, 27),
    ((2, 4, 3, 1), 28, 77),
    ((2, 5, 3, 1), 28, 112),
    ((2, 4, 4, 3, 1), 112, 847),
    ((2, 6, 4, 1), 99, 242),
    ((3, 6, 3, 1), 64, 336),
]


@pytest.mark.parametrize(("widths", "lower", "upper"), FOLDS)
def test_folding_attains_the_lower_bound_in_the_cube(widths: tuple[int, ...], lower: int, upper: int) -> None:
    net = folding_network(widths)
    assert count_regions(net, f"[0,1]^{widths[0]}") == montufar(widths) == lower
    assert serra(widths) == slow_serra(widths) == upper
    assert lower < count_regions(net) <= upper


def slow_serra(widths: tuple[int, ...]) -> int:
    dimension, *hidden, _ = widths
    total = 0
    for js in product(*(range(width + 1) for width in hidden)):
        room = [min([dimension, *(n - j for n, j in zip(hidden[:k], js, strict=False))]) for k in range(len(js))]
        total += prod(map(comb, hidden, js)) if all(j <= r for j, r in zip(js, room, strict=True)) else 0
    return total


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_upper_bound_by_its_definition(dimension: int) -> None:
    for hidden in product((1, 2, 3, 4), repeat=3):
        assert serra((dimension, *hidden, 1)) == slow_serra((dimension, *hidden, 1))


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_folding_on_the_line(depth: int) -> None:
    """Kinks: 2^l at l = 1, one more at 1 from the second layer on, and every layer halves the intervals."""
    net = folding_network((1, *[2] * depth, 2, 1))
    folds = 2**depth
    kinks_of_folding = folds + (depth > 1)
    assert count_regions(net) == 1 + kinks_of_folding + 2 * folds


NARROW = list(product(((1, 1), (1, -1), (-1, -1)), product((-2, -1, 1, 2), repeat=4), combinations((-3, -1, 1, 3), 2)))


@pytest.mark.parametrize("cases", batches(500, len(NARROW), 4500))
def test_the_upper_bound_is_not_sharp(cases: range) -> None:
    """No network of widths (1,2,2,1) has more than 7 regions, although Serra's bound is 9."""
    shuffled = Random(0).sample(NARROW, len(NARROW))
    found = set()
    for i in cases:
        signs, (a, b, c, d), bias = shuffled[i]
        net = Network.mlp([[[s] for s in signs], [[a, b], [c, d]], [[1, 1]]], [(0, 1), bias, [0]])
        found.add(count_regions(net))
    assert {4, 5, 6} < found <= {3, 4, 5, 6, 7}
    assert (count_regions(folding_network((1, 2, 2, 1))), serra((1, 2, 2, 1))) == (7, 9)


@pytest.mark.parametrize("seeds", batches(150, 3150, 1500))
def test_no_network_exceeds_the_bound(seeds: range) -> None:
    """For networks without skips and with ReLU outputs counted as one more hidden layer."""
    compared = 0
    for seed in seeds:
        net, _ = random_network(seed)
        if net.is_layered:
            compared += 1
            assert count_regions(net) <= serra((*net.widths, 1))
    assert compared > len(seeds) // 3


def test_numbers_by_hand() -> None:
    assert [zaslavsky(n, 2) for n in range(5)] == [1, 2, 4, 7, 11]
    assert zaslavsky(2, 5) == 4
    assert [buck(4, 3, k) for k in range(4)] == [4, 18, 28, 15]
    assert (serra((2, 3, 1)), serra((3, 1)), montufar((3, 1))) == (7, 1, None)
    assert montufar((2, 4, 1, 1)) is None


@pytest.mark.parametrize("bound", [montufar, serra])
@pytest.mark.parametrize("widths", [(), (2,), (2, 0, 1), (2, -1, 1), (2, 1.0, 1), (True, 2, 1)])
def test_bad_widths(bound: object, widths: tuple[object, ...]) -> None:
    with pytest.raises(InvalidInput, match="widths: must be at least two positive integers"):
        bound(widths)
