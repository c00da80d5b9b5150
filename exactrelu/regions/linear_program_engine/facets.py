r"""Facets of open cells, and what lies behind them.

A form of a cell is a facet exactly when the cell without this form reaches beyond it.  The segment from
the point inside to the point beyond crosses the facet in its relative interior.  What the signs are just
behind follows from the values at the crossing and, where these vanish, from their slopes: exactly, in one
pass through the network.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ...rationals import float_quotient, primitive
from ..program import Floats, Program
from .questions import Form, Homogeneous, Question
from .separation import reach, stacked
from .tree_search import Cell, stage_rows

Step = tuple[Homogeneous, Sequence[int]]
"""A point and a direction."""


def facet_points(asked: Sequence[tuple[Cell, int]], *, exact_only: bool = False) -> list[Homogeneous | None]:
    """For cells and the position of one of their forms: a point inside the facet, or ``None`` if there is none."""
    questions = [Question((*cell.forms[:k], *cell.forms[k + 1 :]), cell.point, cell.forms[k]) for cell, k in asked]
    found = reach(questions, exact_only=exact_only)
    return [
        None if point is None else crossing(cell.forms[k], cell.point, point)
        for (cell, k), point in zip(asked, found, strict=True)
    ]


def all_facets(cells: Sequence[Cell], *, exact_only: bool = False) -> list[dict[int, Homogeneous]]:
    """For every cell the positions of its facets among its forms, each with a point inside the facet.

    For cells of many forms and few facets (Clarkson): a form that the facets known so far do not imply leads
    to a point beyond it, and the way there crosses one more facet first.
    """
    known: list[dict[int, Homogeneous]] = [{} for _ in cells]
    waiting = {n: list(range(len(cell.forms))) for n, cell in enumerate(cells) if cell.forms}
    while waiting:
        asked = [(n, k) for n, places in waiting.items() for k in places]
        questions = [
            Question([cells[n].forms[j] for j in known[n]], cells[n].point, cells[n].forms[k]) for n, k in asked
        ]
        beyond: dict[int, list[tuple[int, Homogeneous]]] = {}
        for (n, k), point in zip(asked, reach(questions, exact_only=exact_only), strict=True):
            if point is not None:
                beyond.setdefault(n, []).append((k, point))
        waiting = {}
        for n, found in beyond.items():
            places = _crossed(cells[n], known[n], found, exact_only)
            if places:
                waiting[n] = places
    return known


def _crossed(
    cell: Cell, known: dict[int, Homogeneous], found: Sequence[tuple[int, Homogeneous]], exact_only: bool
) -> list[int]:
    """Add facets that are crossed on the way to points beyond forms; the forms that are still to be decided.

    Each of these has led to a facet that was not known before, so there is progress in every round.
    """
    (forms,), _ = stacked([cell.forms], [cell.point])
    inside = np.einsum("mr,r->m", forms, _floats(cell.point))  # so small that threads of BLAS would only wait
    outside = np.einsum("mr,nr->mn", forms, np.array([_floats(point) for _, point in found]))
    with np.errstate(all="ignore"):
        first = np.where(outside < 0, inside[:, None] / (inside[:, None] - outside), np.inf).argmin(axis=0)
    before, open_ = set(known), []
    for (k, beyond), j in zip(found, first.tolist(), strict=True):
        if k in known:
            continue
        point = known.get(j) or _crossed_alone(cell, j, beyond)
        if point is not None and j not in before:
            known[j] = point
            open_.append(k)
            continue
        (point,) = facet_points([(cell, k)], exact_only=exact_only)  # two are crossed together, or floats were wrong
        if point is not None:
            known[k] = point
    return [k for k in open_ if k not in known]


def _crossed_alone(cell: Cell, j: int, beyond: Homogeneous) -> Homogeneous | None:
    """Where the way to a point beyond crosses the hyperplane of a form, if all other forms are positive there."""
    if cell.forms[j].at(beyond) >= 0:
        return None
    point = crossing(cell.forms[j], cell.point, beyond)
    return point if all(form.at(point) > 0 for i, form in enumerate(cell.forms) if i != j) else None


def _floats(point: Homogeneous) -> Floats:
    return np.array([1.0, *(float_quotient(c, point[0]) for c in point[1:])])


def crossing(form: Form, inside: Homogeneous, beyond: Homogeneous) -> Homogeneous:
    """Where the segment between two points at which a form is positive and negative meets its hyperplane.

    >>> crossing(Form.of([1, -1]), (1, 0), (1, 3))
    (1, 1)
    """
    after, before = form.at(inside), -form.at(beyond)
    return primitive([before * a + after * b for a, b in zip(inside, beyond, strict=True)])


def signs_beyond(program: Program, steps: Sequence[Step]) -> npt.NDArray[np.int8]:
    """The signs of all functions on the cells that one enters from points in directions, shape (bits, steps).

    A point in the relative interior of a facet and a direction that leaves the cell give the signs of the
    neighbour; the direction 0 gives those at the point.
    """
    count = len(steps)
    if not count:
        return np.zeros((program.bits, 0), np.int8)
    rows = list(zip(*(point for point, _ in steps), strict=True))
    slopes = list(zip(*((0, *direction) for _, direction in steps), strict=True))
    columns: list[Sequence[int]] = [(*row, *slope) for row, slope in zip(rows, slopes, strict=True)]
    signs = np.zeros((program.bits, count), np.int8)
    for stage in program.stages:
        bits = iter(stage.bits)
        for row, bent in zip(stage_rows(stage, columns), stage.bent, strict=True):
            if not bent:
                columns.append(row)
                continue
            first = [value or slope for value, slope in zip(row[:count], row[count:], strict=True)]
            signs[next(bits)] = [(c > 0) - (c < 0) for c in first]
            open_ = [c > 0 for c in first] * 2
            columns.append([c if on else 0 for c, on in zip(row, open_, strict=True)])
    return signs
