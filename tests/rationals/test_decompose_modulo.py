"""A matrix as outer products, as many as possible along given rows: multiplied out, and as few others as the rank."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import shallow_algebra as algebra

from exactrelu.rationals import decompose_modulo

Matrix = list[list[Fraction]]


def assert_decomposition(rows: Matrix, span: list[list[int]]) -> int:
    """Multiply out; return the number of outer products that are not along the span."""
    shares, factors = decompose_modulo(rows, span)
    assert len(shares) == len(span)
    total = [[Fraction(0)] * len(rows[0]) for _ in rows]
    for left, right in [*zip(shares, span, strict=True), *((y, z) for z, y in factors)]:
        assert len(left) == len(rows)
        total = [[e + a * b for e, b in zip(row, right, strict=True)] for row, a in zip(total, left, strict=True)]
    assert total == [list(row) for row in rows]
    assert len(factors) == algebra.rank_mod(rows, [list(map(Fraction, vector)) for vector in span])
    return len(factors)


# rows, span, rank modulo the span
CASES = [
    ([[0, 0]], [], 0),
    ([[2, 3]], [], 1),
    ([[2, 3]], [[1, 0]], 1),
    ([[2, 0]], [[1, 0]], 0),
    ([[2, 3], [4, 6]], [], 1),
    ([[1, 0], [0, 1]], [[1, 1]], 1),
    ([[1, 0], [0, 1]], [[1, 1], [1, -1]], 0),
    ([[1, 2, 3], [4, 5, 6]], [[1, 1, 1], [2, 2, 2]], 1),
    ([[1, 2, 3]], [[0, 0, 0]], 1),
]


@pytest.mark.parametrize(("rows", "span", "rank"), CASES)
def test_known_decompositions(rows: list[list[int]], span: list[list[int]], rank: int) -> None:
    assert assert_decomposition([list(map(Fraction, row)) for row in rows], span) == rank


@pytest.mark.parametrize("seed", range(5))
def test_random_decompositions(seed: int) -> None:
    r = random.Random(seed)
    for _ in range(60):
        height, width = r.randint(1, 3), r.randint(1, 4)
        span = [[r.randint(-1, 2) for _ in range(width)] for _ in range(r.randint(0, 3))]
        rows = [[Fraction(r.randint(-2, 2), r.choice((1, 3))) for _ in range(width)] for _ in range(height)]
        if span and r.random() < 0.5:  # rows along the span, and multiples of one another
            rows = [[r.randint(-2, 2) * Fraction(e) for e in r.choice(span)] for _ in range(height)]
        assert_decomposition(rows, span)
