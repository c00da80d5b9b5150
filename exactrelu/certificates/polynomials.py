r"""Polynomials in a parameter :math:`t`, ordered by their signs for small :math:`t>0`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import total_ordering
from itertools import zip_longest
from typing import Final, TypeAlias

from ..errors import InvalidInput
from ..networks import Family
from ..rationals import Vector
from ..verdicts import text

ZERO = Fraction(0)


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Polynomial:
    r"""The polynomial :math:`\sum_kc_kt^k`; ``coefficients`` are lowest degree first, the last one is not 0.

    >>> t = Polynomial((ZERO, Fraction(1)))
    >>> 0 < t < Fraction(1, 1000), t * t < t, (t + 1) * (t + -1) == t * t + -1
    (True, True, True)
    """

    coefficients: Vector

    @classmethod
    def of(cls, coefficients: Sequence[Fraction]) -> Polynomial:
        """The polynomial without leading zeros."""
        size = len(coefficients)
        while size and not coefficients[size - 1]:
            size -= 1
        return cls(tuple(coefficients[:size]))

    def __add__(self, other: Scalar) -> Polynomial:
        pairs = zip_longest(self.coefficients, _coefficients(other), fillvalue=ZERO)
        return Polynomial.of([a + b for a, b in pairs])

    def __mul__(self, other: Scalar) -> Polynomial:
        theirs = _coefficients(other)
        total = [ZERO] * (len(self.coefficients) + len(theirs))
        for i, a in enumerate(self.coefficients):
            for j, b in enumerate(theirs):
                total[i + j] += a * b
        return Polynomial.of(total)

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> Polynomial:
        return self * Fraction(-1)

    def __sub__(self, other: Scalar) -> Polynomial:
        return self + -other

    def __rsub__(self, other: Scalar) -> Polynomial:
        return -self + other

    def __bool__(self) -> bool:
        return bool(self.coefficients)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Polynomial | Fraction | int) and not self - other

    def __lt__(self, other: Scalar) -> bool:
        return sign(self - other) < 0

    def __hash__(self) -> int:
        return hash(self.coefficients)

    def __call__(self, t: Fraction) -> Fraction:
        """The value at a number."""
        value = ZERO
        for coefficient in reversed(self.coefficients):
            value = value * t + coefficient
        return value

    def to_json(self) -> list[str]:
        """The coefficients, lowest degree first."""
        return [text(entry) for entry in self.coefficients or (ZERO,)]


Scalar: TypeAlias = Polynomial | Fraction | int
"""A number, constant or not."""


def sign(value: Scalar) -> int:
    r"""The sign for small :math:`t>0`: that of the lowest nonzero coefficient.

    >>> sign(Polynomial((ZERO, Fraction(-1), Fraction(100))))
    -1
    """
    lowest = next((entry for entry in _coefficients(value) if entry), ZERO)
    return (lowest > 0) - (lowest < 0)


EXAMPLES: Final = tuple(Fraction(1, 2**exponent) for exponent in (10, 30, 100, 300))
"""Values of t that are tried, one after the other, as examples of small ones."""


def at(value: Scalar, t: Fraction) -> Fraction:
    """The value at a number, also of a constant."""
    return value(t) if isinstance(value, Polynomial) else Fraction(value)


def parameters_of(family: Family) -> list[Scalar]:
    """The parameters of a family, those that do not move as numbers.

    Raises :class:`~exactrelu.errors.InvalidInput` if some of them are not polynomials.
    """
    found: list[Scalar] = []
    for numerator, denominator in zip(family.numerators, family.denominators, strict=True):
        if any(denominator[1:]):
            raise InvalidInput("family", "must have polynomials as parameters to be certified", family.explain())
        polynomial = Polynomial.of([entry / denominator[0] for entry in numerator])
        found.append(polynomial if len(polynomial.coefficients) > 1 else polynomial(ZERO))
    return found


def family_json(family: Family) -> dict[str, list[str]]:
    """The parameters that move, by name."""
    pairs = zip(family.base.parameters, parameters_of(family), strict=True)
    return {parameter.name: value.to_json() for parameter, value in pairs if isinstance(value, Polynomial)}


def _coefficients(value: Scalar) -> Vector:
    return value.coefficients if isinstance(value, Polynomial) else (Fraction(value),)
