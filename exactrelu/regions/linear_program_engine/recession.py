r"""Which cells are bounded: guessed by floats in stacks, proved by integers.

Let :math:`s` be the sum of the linear parts of the forms of a cell in :math:`\mathbb R^r`.  Along every direction of
the cell all forms grow or stay, so :math:`s` has a maximum on the cell, and the linear parts span, exactly
if the cell is bounded.  Proofs:

* bounded: *r* independent forms and :math:`y\ge0` with :math:`-s=\sum y_if_i` in the linear parts;
* unbounded: a direction :math:`v\ne0` along which no form falls.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul

import numpy as np

from ...polyhedra import Optimal, maximise_rows
from ...rationals import integer_pivots
from .guesses import guess
from .questions import Form, combination
from .separation import polar, stacked
from .tree_search import Cell

TOGETHER = 2_000  # cells looked at together


def bounded(cells: Sequence[Cell], *, exact_only: bool = False) -> list[bool]:
    """Which cells lie in a ball; all in one dimension."""
    found = [False] * len(cells)
    open_ = [i for i, cell in enumerate(cells) if len(cell.forms) >= len(cell.point)]  # a simplex is the least
    for start in range(0, len(open_), TOGETHER):
        chosen = open_[start : start + TOGETHER]
        guesses = [None] * len(chosen) if exact_only else _guessed([cells[i] for i in chosen])
        for i, answer in zip(chosen, guesses, strict=True):
            found[i] = _exactly(cells[i]) if answer is None else answer
    return found


def _guessed(cells: Sequence[Cell]) -> list[bool | None]:
    """For every cell the answer that the floats lead to, if it is proved."""
    forms, p = stacked([cell.forms for cell in cells], [cell.point for cell in cells])
    sums = np.array([_descent(cell).floats[1:] for cell in cells])
    with np.errstate(all="ignore"):
        found = guess(polar(forms, p), -sums, np.inf)
    bases, rays = found.basis.tolist(), found.ray.tolist()
    return [
        None if not solved or min(basis, default=-1) < 0 else _proved(cell, [cell.forms[i] for i in basis], ray)
        for cell, basis, ray, solved in zip(cells, bases, rays, found.solved.tolist(), strict=True)
    ]


def _descent(cell: Cell) -> Form:
    """Minus the sum of the linear parts."""
    return Form.of([0, *(-sum(column) for column in list(zip(*(form.row for form in cell.forms), strict=True))[1:])])


def _proved(cell: Cell, basis: Sequence[Form], ray: int) -> bool | None:
    """Whether the basis proves the cell to be bounded, or the direction that leaves one of its forms the contrary."""
    rows = [form.row for form in basis]
    if ray < 0:
        found = combination(rows, _descent(cell).row)
        return True if found is not None and min(found[1]) >= 0 else None
    columns = list(zip(*rows, strict=True))[1:]
    found = combination([(0, *column) for column in columns], (0, *(int(i == ray) for i in range(len(rows)))))
    if found is None or any(sum(map(mul, form.row[1:], found[1])) < 0 for form in cell.forms):
        return None
    return False


def _exactly(cell: Cell) -> bool:
    """The answer by the exact simplex method."""
    linear = [form.row[1:] for form in cell.forms]
    size = len(cell.point) - 1
    if len(integer_pivots(linear)) < size:
        return False
    h = cell.point[0]
    rows = [(*(-h * c for c in form.row[1:]), form.at(cell.point)) for form in cell.forms]
    return isinstance(maximise_rows([sum(column) for column in zip(*linear, strict=True)], rows), Optimal)
