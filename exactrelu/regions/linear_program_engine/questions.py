r"""Does an open cell reach beyond a hyperplane?  The question, what proves an answer, and an exact answer.

A :class:`Question` has affine forms :math:`f_i` that are all positive at a known point *p*, and one
more form *g*, positive there too.  It is answered by

* a point *q* with :math:`f_i(q)>0` for all *i* and :math:`g(q)<0`; or
* ``None``: the cell lies in :math:`\{g\ge0\}`.  By Farkas' lemma there are then multipliers
  :math:`y\ge0` with :math:`g=\sum_iy_if_i+\text{const}` and :math:`\text{const}\ge0`.

Glossary: r dimension, h homogenising coordinate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import mul

import numpy as np

from ...polyhedra import Infeasible, Optimal, Unbounded, maximise_rows
from ...rationals import Vector, common_denominator, primitive, scaled_integers
from ..program import Floats

Row = tuple[int, ...]
"""Integers (c0, c1, .., cr): the form c0 + c.x."""
Homogeneous = tuple[int, ...]
"""Integers (h, x1, .., xr), h > 0: the point x / h."""


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """An affine form in coprime integers, and nearly a positive multiple of it in floats of size 1."""

    row: Row
    floats: Floats

    @classmethod
    def of(cls, row: Sequence[int]) -> Form:
        """The form of these integers, divided by their greatest common divisor."""
        row = primitive(row)
        size = max(map(abs, row))
        excess = max(size.bit_length() - 1000, 0)
        floats = np.array([entry >> excess for entry in row] if excess else row, np.float64)
        return cls(row, floats / float((size >> excess) or 1))

    @property
    def opposite(self) -> Form:
        """The negative form."""
        return Form(tuple([-entry for entry in self.row]), -self.floats)

    def at(self, point: Homogeneous) -> int:
        """The value at a point, times its h; along a direction, if h = 0."""
        return sum(map(mul, self.row, point))


@dataclass(frozen=True, slots=True)
class Question:
    """Whether some point has all ``forms`` positive and ``target`` negative; all are positive at ``point``."""

    forms: Sequence[Form]
    point: Homogeneous
    target: Form

    def answered_by(self, point: Homogeneous) -> bool:
        """Whether a point shows that there is one."""
        return self.target.at(point) < 0 and all(form.at(point) > 0 for form in self.forms)

    def refuted_by(self, names: Sequence[int]) -> bool:
        r"""Whether :math:`g=\sum y_if_i+\text{const}` over the forms with these names, :math:`y\ge0`, const ≥ 0."""
        rows = [self.forms[name].row for name in names]
        found = combination(rows, self.target.row)
        if found is None:
            return False
        denominator, y = found
        return min(y, default=0) >= 0 and denominator * self.target.row[0] >= sum(
            a * row[0] for a, row in zip(y, rows, strict=True)
        )


def exact_answer(question: Question) -> Homogeneous | None:
    """The answer by the exact simplex method.

    >>> exact_answer(Question([Form.of([1, 1]), Form.of([3, -1])], (1, 0), Form.of([2, -1])))
    (2, 5)
    """
    here, target = question.point, question.target
    h, room = here[0], question.target.at(here)
    outcome = maximise_rows(
        [-h * c for c in target.row[1:]], [(*(-h * c for c in form.row[1:]), form.at(here)) for form in question.forms]
    )  # in u, with x = p + u
    if isinstance(outcome, Infeasible) or (isinstance(outcome, Optimal) and outcome.value <= room):
        return None
    u = outcome.point
    gain = _gain(target, h, u)
    if isinstance(outcome, Unbounded):
        growth = _gain(target, h, outcome.ray)
        step = max(Fraction(0), 2 * room - gain) / growth
        u = tuple(a + step * b for a, b in zip(u, outcome.ray, strict=True))
        gain += step * growth
    factor = (1 + room / gain) / 2  # strictly inside, because p is
    return homogeneous(tuple(Fraction(c, h) + factor * a for c, a in zip(here[1:], u, strict=True)))


def _gain(target: Form, h: int, u: Vector) -> Fraction:
    return -h * sum(map(mul, target.row[1:], u), Fraction(0))


def combination(rows: Sequence[Row], target: Row) -> tuple[int, list[int]] | None:
    r"""Integers with :math:`D\,t_k=\sum_iy_i\,\text{row}_{ik}` for all k > 0, as (D, y), D > 0.

    ``None`` unless the linear parts of the rows are independent and span that of the target. Elimination in
    integers (Bareiss): for so few rows faster than to hand them over to flint.

    >>> combination([(0, 2, 0), (0, 0, 1)], (7, 1, 1))
    (2, [1, 2])
    """
    table = [[*column, c] for *column, c in zip(*(row[1:] for row in rows), target[1:], strict=True)]
    old = 1
    for k in range(len(rows)):
        i = next((i for i in range(k, len(table)) if table[i][0]), None)
        if i is None:
            return None
        table[k], table[i] = table[i], table[k]
        pivot, *rest = table[k]
        for i in range(k + 1, len(table)):  # columns that are finished are dropped
            factor, *row = table[i]
            table[i] = [(pivot * a - factor * b) // old for a, b in zip(row, rest, strict=True)]
        old = pivot
    if any(row[0] for row in table[len(rows) :]):
        return None
    y: list[int] = []
    for pivot, *row, c in reversed(table[: len(rows)]):
        y.insert(0, (old * c - sum(map(mul, row, y))) // pivot)
    return (old, y) if old > 0 else (-old, [-entry for entry in y])


def homogeneous(point: Vector) -> Homogeneous:
    """A rational point in coprime integers, h first.

    >>> homogeneous((Fraction(1, 2), Fraction(1, 3)))
    (6, 3, 2)
    """
    h = common_denominator(point)
    return (h, *scaled_integers(point, h))
