"""Patterns by certified floats against patterns by integers, where floats would err as well."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import islice, permutations

import numpy as np
import pytest
from strategies import on_a_kink, random_dag, random_point

from exactrelu import InexactNumber, InvalidInput, Network, Pattern, WrongDimension
from exactrelu.networks import certified_signs
from exactrelu.networks.certified_signs import certified_patterns, patterns_and_undecided
from exactrelu.networks.evaluation import as_points

TINY = Fraction(1, 2**200)


def both(net: Network, points: list[list[Fraction]]) -> list[int]:
    """Compare with the exact patterns; returns the points that were left to integers."""
    found, undecided = patterns_and_undecided(net, as_points(net, points))
    assert found == net.patterns(points)
    assert all(0 not in group for k in set(range(len(points))) - set(undecided) for group in found[k].signs)
    return undecided


def test_random_networks_and_points() -> None:
    r = random.Random(0)
    total = left = 0
    for _ in range(400):
        net = random_dag(r)
        points = [random_point(r, net.input_dim) for _ in range(6)]
        left += len(both(on_a_kink(r, net, points[0]), points))
        total += len(points)
    assert 0 < left < total / 2  # integers were needed, and floats were of use


def test_kinks_come_out_as_zero() -> None:
    net = Network.mlp([[[1, 1], [1, -1]], [[1, 1], [3, -3]], [[1, 1]]], [[-1, 0], [0, 0], [0]])
    points = [["1/3", "2/3"], ["1/3", "1/3"], [5, 5]]
    assert [str(p) for p in certified_patterns(net, points)] == ["0-|00", "-0|00", "+0|++"]


def test_differences_that_floats_cannot_see() -> None:
    """A pre-activation of 2**-200 beside values of order 1."""
    net = Network.mlp([[[1]], [[1], [-1]], [[1, 1]]], [[1], ["-4/3", "4/3"], [0]])
    points = [[Fraction(1, 3) + shift] for shift in (-TINY, Fraction(0), TINY)]
    assert [str(p) for p in certified_patterns(net, points)] == ["+|-+", "+|00", "+|+-"]
    assert both(net, points) == [0, 1, 2]


@pytest.mark.parametrize("exponent", [-1100, -1070, -600, -200, 200, 600, 1020, 1100])
def test_scales_beyond_floats(exponent: int) -> None:
    """Weights of all magnitudes, in layers whose products overflow and underflow."""
    r = random.Random(exponent)
    scale = Fraction(2) ** exponent
    needed = 0
    for _ in range(60):
        net = random_dag(r, max_layers=5)
        values = [p.value * r.choice((1, 1, scale, 1 / scale)) for p in net.parameters]
        net = net.with_values(values)
        points = [[e * r.choice((1, scale, TINY)) for e in random_point(r, net.input_dim)] for _ in range(4)]
        needed += len(both(net, points))
    assert needed


def test_cancellation_in_wide_layers() -> None:
    """Sums of many terms that nearly cancel: the bound must grow with the number of terms."""
    r = random.Random(5)
    for size in (10, 100, 400):
        row = [Fraction(r.randint(-(10**15), 10**15), 10**15) for _ in range(size)]
        x = [Fraction(r.randint(1, 10**15), 3) for _ in range(size)]
        exact = sum((a * b for a, b in zip(row, x, strict=True)), Fraction(0))
        offsets = [-exact + shift for shift in (0, TINY, -TINY, Fraction(1, 10), Fraction(-1, 10), 10**9, -(10**9))]
        net = Network.mlp([[row] * len(offsets), [[1] * len(offsets)]], [offsets, [0]])
        both(net, [x])
        only = Network.mlp([[row], [[1]]], [[-exact + 10**9], [0]])
        assert both(only, [x]) == []  # far from the kink, floats suffice


def test_errors_of_earlier_layers_count() -> None:
    """A first layer that is right to a third of 1 only, and a second one that asks for more."""
    below = 2**53 // 3  # 2**53 * float(1/3) is below + 1/2 instead of below + 2/3
    net = Network.mlp([[[2**53]], [[1], [-1]], [[1, 1]]], [[100 - below], ["-503/5", "503/5"], [0]])
    assert both(net, [[Fraction(1, 3)]]) == [0]
    assert [str(p) for p in certified_patterns(net, [["1/3"]])] == ["+|+-"]


def test_weights_below_the_least_float() -> None:
    """A weight of 2**-1080 on a value of 2**1000."""
    net = Network.mlp([[[2**1000]], [[Fraction(1, 2**1080)]], [[1]]], [[0], [Fraction(-1, 2**90)], [0]])
    assert [str(p) for p in certified_patterns(net, [[1]])] == ["+|+"]


def test_products_that_underflow() -> None:
    """7/5, 7/5 and -13/5 units of 2**-1074 are rounded to 1, 1 and -3."""
    net = Network.mlp([[[Fraction(1, 2**600)] * 3], [[1]]])
    unit = Fraction(1, 2**474)
    assert [str(p) for p in certified_patterns(net, [[unit * 7 / 5, unit * 7 / 5, -unit * 13 / 5]])] == ["+"]


def test_sums_that_overflow_on_the_way() -> None:
    """Finite terms whose partial sums are infinite in some order, while the sum is finite."""
    top = Fraction(2**1023)
    for weights in islice(permutations((top, top, top, -top, -top, -top, -top * 3 / 2)), 0, None, 20):
        assert certified_patterns(Network.mlp([[weights], [[1]]]), [[1] * 7]) == [Pattern(((-1,),))]


def test_the_bound_is_what_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """With no bound at all the floats do err, so the cases above can tell; with a huge one integers do all."""
    net = Network.mlp([[[1], [1]], [[3, -3], [-3, 3]], [[1, 1]]], [["1/3", "1/3"], [0, 0], [0]])
    points = [[Fraction(k, 7)] for k in range(1, 30)]
    monkeypatch.setattr(certified_signs, "UNIT", 0.0)
    monkeypatch.setattr(certified_signs, "TAU", 0.0)
    kinked = Network.mlp([[[1]], [[1]]], [["-1/3"], [0]])
    wrong = [[Fraction(1, 3) + TINY], [Fraction(1, 3) - TINY]]
    assert patterns_and_undecided(kinked, as_points(kinked, wrong))[1] == [0, 1]  # 0 is never decided
    sloppy = Network.mlp([[[1, 1, 1]], [[1]]], [["-3/5"], [0]])
    x = [[Fraction(1, 10), Fraction(2, 10), Fraction(3, 10)]]
    assert patterns_and_undecided(sloppy, as_points(sloppy, x))[0] != sloppy.patterns(x)
    monkeypatch.undo()
    assert both(sloppy, x) == [0]
    monkeypatch.setattr(certified_signs, "UNIT", 1.0)
    assert both(net, points) == list(range(len(points)))


def test_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certified_signs, "CHUNK", 7)
    net = Network.random((3, 5, 4, 2), 1)
    r = random.Random(2)
    points = [random_point(r, 3) for _ in range(50)]
    both(net, points)
    assert certified_patterns(net, []) == []


def test_networks_without_bends() -> None:
    assert certified_patterns(Network.mlp([[[1, 2]]]), [[1, 2], [0, 0]]) == [Pattern(()), Pattern(())]


def test_random_large_network_is_decided_by_floats() -> None:
    net = Network.random((5, 30, 30, 3), 0)
    draw = np.random.default_rng(0)
    points = [[Fraction(int(e), 1000) for e in row] for row in draw.integers(-5000, 5000, (500, 5))]
    assert both(net, points) == []


def test_bad_points() -> None:
    net = Network.mlp([[[1, 2]]])
    with pytest.raises(InexactNumber, match=r"points\[1\]\[0\]"):
        certified_patterns(net, [[1, 2], [0.5, 1]])
    with pytest.raises(WrongDimension, match=r"points\[0\]: must have 2 entries"):
        certified_patterns(net, [[1]])
    with pytest.raises(InvalidInput, match="points: must be a list of points"):
        certified_patterns(net, 3)
