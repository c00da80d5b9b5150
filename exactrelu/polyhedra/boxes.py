r"""Products of intervals, half-lines and lines, answered coordinate by coordinate.

A *side* is a pair ``(lower, upper)`` of exact numbers with ``None`` where there
is no bound; a product of *d* sides needs *O(d)* memory and *O(d)* operations per
question, where the same set as half-spaces would need *d* times as much.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from ..errors import BudgetExceeded, InvalidDomain
from ..rationals import Vector, rational
from .cones import MAX_GENERATORS
from .halfspaces import Halfspace, Hyperplane
from .polyhedron import Generators, Polyhedron
from .reduction import ReducedPolyhedron, tightest

Side = tuple[Fraction | None, Fraction | None]
"""The lower and upper end of one coordinate; ``None`` where there is no bound."""

_ZERO, _ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class Extremum:
    r"""The infimum or supremum of an affine form over a closed convex set.

    A finite ``value`` is attained at ``point`` and ``ray`` is ``None``. An
    infinite one is ``value = None``: from ``point`` along ``ray`` the set goes
    on for ever and the form falls (infimum) or grows (supremum).
    """

    value: Fraction | None
    point: Vector
    ray: Vector | None = None


def checked_side(side: Iterable[object], argument: str) -> Side:
    """A side from two numbers or ``None``.

    Raises :class:`~exactrelu.errors.InvalidDomain` if it is no pair or empty.

    >>> checked_side((0, "1/2"), "side")
    (Fraction(0, 1), Fraction(1, 2))
    """
    ends = tuple(side) if isinstance(side, Iterable) and not isinstance(side, str) else ()
    if len(ends) != 2:
        raise InvalidDomain(argument, "must be a pair (lower, upper)", side)
    lower, upper = (None if end is None else rational(end, argument) for end in ends)
    if lower is not None and upper is not None and lower > upper:
        raise InvalidDomain(argument, "must not be empty: the lower end is above the upper end", side)
    return lower, upper


def sides_of(halfspaces: Iterable[Halfspace], dimension: int) -> tuple[Side, ...] | None:
    """The sides of an intersection of half-spaces that bound one coordinate each.

    ``None`` if some half-space bounds more than one coordinate, or the set is empty.

    >>> sides_of([Halfspace([1, 0], 2), Halfspace([-1, 0], 0)], 2)
    ((Fraction(0, 1), Fraction(2, 1)), (None, None))
    """
    lower: list[Fraction | None] = [None] * dimension
    upper: list[Fraction | None] = [None] * dimension
    for item in tightest(halfspaces):
        support = [i for i, entry in enumerate(item.normal) if entry]
        if len(support) != 1:
            return None
        i = support[0]
        if item.normal[i] > 0:
            upper[i] = item.bound
        else:
            lower[i] = -item.bound
    sides = tuple(zip(lower, upper, strict=True))
    return None if any(lo is not None and hi is not None and lo > hi for lo, hi in sides) else sides


def box_supremum(sides: Sequence[Side], coefficients: Vector, constant: Fraction) -> Extremum:
    r"""The supremum of :math:`\langle c, x\rangle + \gamma` over a product of sides.

    >>> box_supremum([(_ZERO, _ONE)], (Fraction(2),), Fraction(3)).value
    Fraction(5, 1)
    """
    value, point = constant, []
    for i, (entry, side) in enumerate(zip(coefficients, sides, strict=True)):
        end = side[1] if entry > 0 else side[0] if entry else middle(side)
        if end is None:
            ray = tuple(Fraction((entry > 0) - (entry < 0)) if j == i else _ZERO for j in range(len(sides)))
            return Extremum(None, tuple(map(middle, sides)), ray)
        value += entry * end
        point.append(end)
    return Extremum(value, tuple(point))


def middle(side: Side) -> Fraction:
    """A point inside a side.

    >>> middle((Fraction(0), Fraction(3))), middle((None, Fraction(3))), middle((None, None))
    (Fraction(3, 2), Fraction(2, 1), Fraction(0, 1))
    """
    lower, upper = side
    if lower is None:
        return _ZERO if upper is None else upper - 1
    return lower + 1 if upper is None else (lower + upper) / 2


def box_polyhedron(sides: Sequence[Side]) -> Polyhedron:
    """The same set as a :class:`Polyhedron`, with its canonical form already known.

    >>> [str(item) for item in box_polyhedron([(_ZERO, _ONE)]).facets]
    ['-x0 <= 0', 'x0 <= 1']
    """
    size = len(sides)
    equations, facets = [], []
    for i, (lower, upper) in enumerate(sides):
        if lower is None and upper is None:
            continue
        unit = [0] * size
        unit[i] = 1
        if lower is not None and lower == upper:
            equations.append(Hyperplane(unit, lower))
            continue
        if upper is not None:
            facets.append(Halfspace(unit, upper))
        if lower is not None:
            facets.append(Halfspace([-entry for entry in unit], -lower))
    inside = tuple(map(middle, sides))
    return Polyhedron.from_reduced(size, ReducedPolyhedron(tuple(equations), tightest(facets), inside))


def box_generators(sides: Sequence[Side]) -> Generators:
    """Corners, half-line and line directions of a product of sides.

    Raises :class:`~exactrelu.errors.BudgetExceeded` for too many corners.
    """
    ends = [sorted({end for end in side if end is not None}) or [_ZERO] for side in sides]
    corners = 1
    for choice in ends:
        corners *= len(choice)
        if corners > MAX_GENERATORS:
            raise BudgetExceeded("vertices of a box", MAX_GENERATORS)
    rays, lines = [], []
    for i, (lower, upper) in enumerate(sides):
        unit = [_ZERO] * len(sides)
        unit[i] = _ONE if upper is None else -_ONE
        if lower is None and upper is None:
            lines.append(tuple(unit))
        elif lower is None or upper is None:
            rays.append(tuple(unit))
    return Generators(tuple(product(*ends)), tuple(sorted(rays)), tuple(lines))
