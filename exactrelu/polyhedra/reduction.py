r"""One description for each polyhedron: affine hull, facets, and a point inside.

:func:`reduced` brings half-spaces into a canonical form that depends only on
their intersection *P*:

* ``equations``: the affine hull of *P* in reduced row echelon form;
* ``facets``: one half-space per facet, with zero normal entries at the pivots
  of the equations, sorted;
* ``interior_point``: a point of *P* that satisfies no facet with equality;

or :class:`EmptyPolyhedron`, with Farkas multipliers.

*How.* The linear program :math:`\max t` subject to :math:`n_i x + t \le b_i`,
:math:`t \le 1` has an optimum :math:`t^*`. If :math:`t^* > 0`, its point is
strictly inside; if :math:`t^* < 0`, its multipliers prove emptiness; if
:math:`t^* = 0`, every half-space with a positive multiplier is an equation on
*P*, and the rest is asked again. A half-space is then dropped when its maximum
over the others does not exceed its bound. Every step is a verified linear
program, so this works in any dimension.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter

from ..rationals import Vector, row_reduce
from .halfspaces import Halfspace, Hyperplane
from .linear_program import Infeasible, Optimal, maximise_rows


@dataclass(frozen=True, slots=True)
class ReducedPolyhedron:
    """The canonical description of a nonempty polyhedron, and a point of its relative interior."""

    equations: tuple[Hyperplane, ...]
    facets: tuple[Halfspace, ...]
    interior_point: Vector


@dataclass(frozen=True, slots=True)
class EmptyPolyhedron:
    r"""A proof of emptiness: half-spaces and multipliers :math:`y > 0`.

    :math:`\sum y_i n_i = 0` and :math:`\sum y_i b_i < 0`.
    """

    halfspaces: tuple[Halfspace, ...]
    multipliers: Vector


def reduced(halfspaces: Sequence[Halfspace], dimension: int) -> ReducedPolyhedron | EmptyPolyhedron:
    """The canonical form of an intersection of half-spaces in ``dimension`` coordinates.

    >>> triangle = [Halfspace([-1, 0], 0), Halfspace([0, -1], 0), Halfspace([1, 1], 1), Halfspace([1, 0], 5)]
    >>> [str(facet) for facet in reduced(triangle, 2).facets]
    ['-x0 <= 0', '-x1 <= 0', 'x0 + x1 <= 1']
    >>> [str(equation) for equation in reduced([Halfspace([1], 2), Halfspace([-1], -2)], 1).equations]
    ['x0 = 2']
    """
    loose = list(tightest(halfspaces))
    tight: list[Halfspace] = []
    while True:
        outcome = _deepest(loose, tight, dimension)
        positive = [i for i, y in enumerate(outcome.multipliers[:-1]) if y]
        if outcome.value < 0:
            weights = tuple(outcome.multipliers[i] * loose[i].bound.denominator for i in positive)
            return EmptyPolyhedron(tuple(loose[i] for i in positive), weights)
        if outcome.value > 0:
            break
        tight += [loose[i] for i in positive]
        loose = [item for i, item in enumerate(loose) if i not in positive]
    equations = echelon_equations([(*item.normal, item.bound) for item in tight])
    facets = irredundant(tightest(modulo(item, equations) for item in loose))
    return ReducedPolyhedron(equations, facets, outcome.point[:-1])


def irredundant(halfspaces: Sequence[Halfspace]) -> tuple[Halfspace, ...]:
    """Those half-spaces that the others do not imply, in the given order.

    Where several imply each other, the last one stays.

    >>> irredundant([Halfspace([1], 2), Halfspace([1], 1), Halfspace([-1], 0)])
    (Halfspace((1,), 1), Halfspace((-1,), 0))
    """
    kept = list(halfspaces)
    for item in halfspaces:
        others = [other.row for other in kept if other is not item]
        outcome = maximise_rows(item.row[:-1], others)
        implied = isinstance(outcome, Infeasible) or (isinstance(outcome, Optimal) and outcome.value <= item.row[-1])
        if implied:
            kept = [other for other in kept if other is not item]
    return tuple(kept)


def tightest(halfspaces: Iterable[Halfspace]) -> tuple[Halfspace, ...]:
    """One half-space per normal, that of the smallest bound, without the whole space; sorted.

    >>> tightest([Halfspace([1], 2), Halfspace([1], 1), Halfspace([0], 3)])
    (Halfspace((1,), 1),)
    """
    best: dict[Vector, Halfspace] = {}
    for item in halfspaces:
        rival = best.get(item.normal)
        if (rival is None or item.bound < rival.bound) and not (item.is_trivial and item.bound >= 0):
            best[item.normal] = item
    return tuple(sorted(best.values(), key=attrgetter("row")))


def echelon_equations(rows: Sequence[Vector]) -> tuple[Hyperplane, ...]:
    """Consistent equations ``(normal..., bound)`` in reduced row echelon form.

    >>> echelon_equations(((2, 2, 2), (1, -1, 0)))
    (Hyperplane((1, 0), '1/2'), Hyperplane((0, 1), '1/2'))
    """
    matrix, _ = row_reduce(rows)
    return tuple(Hyperplane(row[:-1], row[-1]) for row in matrix)


def modulo(halfspace: Halfspace, equations: Sequence[Hyperplane]) -> Halfspace:
    """The half-space that agrees with this one on the equations and has zeros at their pivots.

    >>> modulo(Halfspace([1, 1], 3), [Hyperplane([1, 0], 1)])
    Halfspace((0, 1), 2)
    """
    row = (*halfspace.normal, halfspace.bound)
    for equation in equations:
        pivot = next(j for j, entry in enumerate(equation.normal) if entry)
        if row[pivot]:
            factor = row[pivot] / equation.normal[pivot]
            row = tuple(a - factor * b for a, b in zip(row, (*equation.normal, equation.bound), strict=True))
    return Halfspace(row[:-1], row[-1])


def _deepest(loose: Sequence[Halfspace], tight: Sequence[Halfspace], dimension: int) -> Optimal:
    """The optimum of ``t`` subject to ``n @ x + t <= b`` and ``t <= 1``, on the tight hyperplanes."""
    rows = [(*item.row[:-1], 1, item.row[-1]) for item in loose]
    rows.append((*[0] * dimension, 1, 1))
    equations = [(*item.row[:-1], 0, item.row[-1]) for item in tight]
    outcome = maximise_rows([*[0] * dimension, 1], rows, equations)
    if not isinstance(outcome, Optimal):
        raise RuntimeError("internal error: this linear program always has an optimum")
    return outcome
