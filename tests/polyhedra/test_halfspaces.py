from __future__ import annotations

from fractions import Fraction
from math import gcd

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactrelu.errors import InexactNumber, InvalidDomain, WrongDimension
from exactrelu.polyhedra import Halfspace, Hyperplane

NUMBERS = st.fractions(min_value=-5, max_value=5, max_denominator=6)
VECTORS = st.lists(NUMBERS, min_size=1, max_size=4)
FACTORS = st.fractions(min_value=Fraction(1, 9), max_value=9)


@given(VECTORS, NUMBERS, FACTORS, VECTORS)
def test_one_spelling_per_half_space(n: list[Fraction], b: Fraction, factor: Fraction, point: list[Fraction]) -> None:
    item = Halfspace(n, b)
    scaled = Halfspace([factor * entry for entry in n], factor * b)
    assert (item, hash(item), item.normal, item.bound) == (scaled, hash(scaled), scaled.normal, scaled.bound)
    assert eval(repr(item)) == item == Halfspace.from_row([6 * entry for entry in item.row])
    assert gcd(*(int(entry) for entry in item.normal)) == (0 if item.is_trivial else 1)
    x = (point * 4)[: len(n)]
    value = sum(a * c for a, c in zip(n, x, strict=True))
    assert item.contains(x) == (value <= b)
    assert item.opposite.contains(x) == (value >= b) or item.is_trivial
    assert all(isinstance(entry, Fraction) for entry in (*item.normal, item.bound))
    assert (Halfspace(n, b + 1) == item) == (item.is_trivial and (b >= 0 or b + 1 < 0))


@given(VECTORS.filter(any), NUMBERS, FACTORS, st.sampled_from((-1, 1)))
def test_one_spelling_per_hyperplane(n: list[Fraction], b: Fraction, factor: Fraction, sign: int) -> None:
    item = Hyperplane(n, b)
    assert item == Hyperplane([sign * factor * entry for entry in n], sign * factor * b)
    assert eval(repr(item)) == item
    assert next(entry for entry in item.normal if entry) > 0
    assert item.halfspaces[0] == item.halfspaces[1].opposite
    assert item != Hyperplane(n, b + 1)


def test_trivial_half_spaces_are_everything_or_nothing() -> None:
    assert Halfspace([0, 0], "7/3") == Halfspace([0, 0], 0) != Halfspace([0, 0], -5) == Halfspace([0, 0], "-1/2")
    assert (Halfspace([0], 2).bound, Halfspace([0], -2).bound) == (0, -1)
    assert str(Halfspace([0, 0], -3)) == "0 <= -1"


def test_refusals() -> None:
    with pytest.raises(InexactNumber, match="halfspace normal"):
        Halfspace([0.5], 1)
    with pytest.raises(InexactNumber, match="halfspace bound"):
        Halfspace([1], 0.5)
    with pytest.raises(WrongDimension, match="at least one entry"):
        Halfspace([], 1)
    with pytest.raises(InvalidDomain, match="must not be zero"):
        Hyperplane([0, 0], 1)
