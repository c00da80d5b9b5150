r"""Smallest linearly dependent sets of integer vectors (circuits of a matroid).

A dependent set of size :math:`k` contains :math:`k-2` vectors modulo which two
others are parallel, so that only sets of size :math:`k-2` are run through.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ...errors import Budget
from ...rationals import Vector, kernel, primitive

Row = Sequence[int]

DEFAULT_SUBSETS: Final = 200_000
"""The number of subsets that are run through unless another budget is given."""


def circuit(rows: Sequence[Row], size: int, budget: Budget) -> tuple[int, ...] | None:
    """The first dependent set of ``size`` vectors, given that all smaller sets are independent.

    Every subset that is run through takes one unit of the budget.

    >>> budget = Budget("subsets", 10)
    >>> circuit([(1, 0), (0, 1), (1, 1)], 3, budget), circuit([(1, 0), (0, 1), (-2, 0)], 2, budget)
    ((0, 1, 2), (0, 2))
    """
    return _circuit(list(enumerate(rows)), size, budget)


def _circuit(items: list[tuple[int, Row]], size: int, budget: Budget) -> tuple[int, ...] | None:
    budget.spend()
    if len(items) < size:
        return None
    if size == 1:
        return next(((i,) for i, row in items if not any(row)), None)
    if size == 2:
        return _parallel(items)
    for at, (i, row) in enumerate(items[: len(items) - size + 1]):
        found = _circuit([(j, _modulo(other, row)) for j, other in items[at + 1 :]], size - 1, budget)
        if found is not None:
            return (i, *found)
    return None


def _parallel(items: list[tuple[int, Row]]) -> tuple[int, int] | None:
    """The first two vectors that are multiples of each other."""
    seen: dict[Row, int] = {}
    for j, row in items:
        direction = primitive(row)
        if next((entry for entry in direction if entry), 0) < 0:
            direction = tuple(-entry for entry in direction)
        i = seen.setdefault(direction, j)
        if i != j:
            return i, j
    return None


def _modulo(row: Row, base: Row) -> Row:
    """A vector modulo another one, without the coordinate of a pivot."""
    pivot = next(k for k, entry in enumerate(base) if entry)
    a, b = base[pivot], row[pivot]
    return primitive([a * x - b * y for k, (x, y) in enumerate(zip(row, base, strict=True)) if k != pivot])


def fundamental_circuits(rows: Sequence[Vector]) -> Iterator[tuple[int, ...]]:
    """Minimal dependent sets, one for each vector that depends on earlier ones.

    >>> from fractions import Fraction
    >>> list(fundamental_circuits([(Fraction(1),), (Fraction(0),), (Fraction(3),)]))
    [(1,), (0, 2)]
    """
    for relation in kernel(list(zip(*rows, strict=True)), len(rows)):
        yield tuple(i for i, entry in enumerate(relation) if entry)
