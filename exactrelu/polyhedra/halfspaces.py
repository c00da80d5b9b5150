r"""Half-spaces and hyperplanes with one spelling each.

:class:`Halfspace` is :math:`\{x : \langle n, x\rangle \le b\}` and
:class:`Hyperplane` is :math:`\{x : \langle n, x\rangle = b\}`. The normal is a
primitive integer vector and the bound a rational number, so that two objects
describe the same set of points exactly when they are equal. ``row`` holds the
same data as coprime integers ``(n_1, ..., n_d, b)``: this is what the exact
algorithms of this package compute with.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ..errors import InvalidDomain, WrongDimension
from ..rationals import Vector, common_denominator, dot, primitive, rational, rational_vector, scaled_integers, text
from ..verdicts import sum_text

Row = tuple[int, ...]
"""Coprime integers ``(normal..., bound)``."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Halfspace:
    r"""The closed half-space :math:`\{x \in \mathbb R^d : \langle n, x\rangle \le b\}`.

    ``normal`` has ``d >= 1`` entries. A zero normal is allowed and *trivial*:
    it gives all of space (bound 0) or nothing (bound -1).

    Raises :class:`~exactrelu.errors.InvalidNumber` for anything inexact.

    >>> Halfspace(["1/2", 1], "1/3")
    Halfspace((1, 2), '2/3')
    >>> str(Halfspace([2, -4], 6)), Halfspace([2, -4], 6) == Halfspace([1, -2], 3)
    ('x0 - 2*x1 <= 3', True)
    """

    normal: Vector = field(compare=False)
    bound: Fraction = field(compare=False)
    row: Row

    def __init__(self, normal: Iterable[object], bound: object) -> None:
        vector = rational_vector(normal, "halfspace normal")
        _store(self, *_primitive(vector, rational(bound, "halfspace bound")))

    @classmethod
    def from_row(cls, row: Sequence[int]) -> Halfspace:
        """The half-space of integers ``(normal..., bound)``, in any common positive scale.

        >>> Halfspace.from_row([2, 4, 3])
        Halfspace((1, 2), '3/2')
        """
        halfspace = object.__new__(cls)
        _store(halfspace, *_primitive_row(row))
        return halfspace

    @property
    def dimension(self) -> int:
        """The dimension of the surrounding space."""
        return len(self.normal)

    @property
    def is_trivial(self) -> bool:
        """Whether the normal is zero: the half-space is everything or nothing."""
        return not any(self.row[:-1])

    @property
    def opposite(self) -> Halfspace:
        r"""The half-space :math:`\langle n, x\rangle \ge b` on the other side.

        >>> Halfspace([1], 2).opposite
        Halfspace((-1,), -2)
        """
        return Halfspace.from_row([-entry for entry in self.row])

    def slack(self, point: Sequence[Fraction]) -> Fraction:
        r""":math:`b - \langle n, x\rangle`, nonnegative exactly on the half-space.

        >>> Halfspace([1, 1], 3).slack([Fraction(1), Fraction(1, 2)])
        Fraction(3, 2)
        """
        return self.bound - dot(self.normal, point)

    def contains(self, point: Sequence[Fraction]) -> bool:
        """Whether ``point`` lies in the half-space."""
        return self.slack(point) >= 0

    def __repr__(self) -> str:
        return f"Halfspace({_pasteable(self.normal)}, {_pasteable_number(self.bound)})"

    def __str__(self) -> str:
        return f"{linear_text(self.normal)} <= {text(self.bound)}"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Hyperplane:
    r"""The hyperplane :math:`\{x \in \mathbb R^d : \langle n, x\rangle = b\}`, with :math:`n \ne 0`.

    The first nonzero entry of ``normal`` is positive.

    Raises :class:`~exactrelu.errors.InvalidDomain` for a zero normal.

    >>> Hyperplane([-2, 4], 1)
    Hyperplane((1, -2), '-1/2')
    >>> str(Hyperplane([0, 3], 1))
    'x1 = 1/3'
    """

    normal: Vector = field(compare=False)
    bound: Fraction = field(compare=False)
    row: Row

    def __init__(self, normal: Iterable[object], bound: object) -> None:
        vector = rational_vector(normal, "hyperplane normal")
        offset = rational(bound, "hyperplane bound")
        if not any(vector):
            raise InvalidDomain("hyperplane normal", "must not be zero", normal)
        sign = 1 if next(entry for entry in vector if entry) > 0 else -1
        _store(self, *_primitive(tuple(sign * entry for entry in vector), sign * offset))

    @property
    def dimension(self) -> int:
        """The dimension of the surrounding space."""
        return len(self.normal)

    @property
    def halfspaces(self) -> tuple[Halfspace, Halfspace]:
        """The two closed half-spaces whose intersection this is.

        >>> Hyperplane([1], 2).halfspaces
        (Halfspace((1,), 2), Halfspace((-1,), -2))
        """
        side = Halfspace.from_row(self.row)
        return side, side.opposite

    def contains(self, point: Sequence[Fraction]) -> bool:
        """Whether ``point`` lies on the hyperplane."""
        return dot(self.normal, point) == self.bound

    def __repr__(self) -> str:
        return f"Hyperplane({_pasteable(self.normal)}, {_pasteable_number(self.bound)})"

    def __str__(self) -> str:
        return f"{linear_text(self.normal)} = {text(self.bound)}"


def linear_text(coefficients: Sequence[Fraction]) -> str:
    """A linear form in ``x0, x1, ...`` as text.

    >>> linear_text([Fraction(-1), Fraction(0), Fraction(3, 2)])
    '-x0 + 3/2*x2'
    """
    return sum_text((value, f"x{i}") for i, value in enumerate(coefficients))


def same_dimension(objects: Iterable[Halfspace | Hyperplane], dimension: int, argument: str) -> None:
    """Refuse half-spaces or hyperplanes of another dimension."""
    for i, item in enumerate(objects):
        if item.dimension != dimension:
            raise WrongDimension(f"{argument}[{i}]", f"must have {dimension} coordinates", item.dimension)


def _primitive(normal: Vector, bound: Fraction) -> tuple[Vector, Fraction, Row]:
    return _primitive_row(scaled_integers((*normal, bound), common_denominator((*normal, bound))))


def _primitive_row(row: Sequence[int]) -> tuple[Vector, Fraction, Row]:
    if len(row) < 2:
        raise WrongDimension("normal", "must have at least one entry", len(row) - 1)
    scale = math.gcd(*row[:-1])
    if not scale:
        bound = -1 if row[-1] < 0 else 0
        return (Fraction(0),) * (len(row) - 1), Fraction(bound), (*row[:-1], bound)
    normal = tuple(Fraction(entry // scale) for entry in row[:-1])
    return normal, Fraction(row[-1], scale), primitive(row)


def _store(target: Halfspace | Hyperplane, normal: Vector, bound: Fraction, row: Row) -> None:
    object.__setattr__(target, "normal", normal)
    object.__setattr__(target, "bound", bound)
    object.__setattr__(target, "row", row)


def _pasteable(vector: Sequence[Fraction]) -> str:
    inside = ", ".join(map(_pasteable_number, vector))
    return f"({inside},)" if len(vector) == 1 else f"({inside})"


def _pasteable_number(value: Fraction) -> str:
    short = value.denominator == 1 and value.numerator.bit_length() < 200
    return text(value) if short else repr(text(value))
