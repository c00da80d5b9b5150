r"""Two number systems for polynomials in parameters: rational intervals, and truncated power series.

>>> (Interval.around(Fraction(1), Fraction(1, 2)) * Interval.around(Fraction(0), Fraction(1))).high
Fraction(3, 2)
>>> (Series((Fraction(1), Fraction(2))) * Series((Fraction(1), Fraction(-2)))).coefficients
(Fraction(1, 1), Fraction(0, 1))
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Interval:
    r"""The real numbers from ``low`` to ``high``; operations enclose all results."""

    low: Fraction
    high: Fraction

    @classmethod
    def around(cls, center: Fraction, radius: Fraction) -> Interval:
        """The numbers at most ``radius`` away from ``center``."""
        return cls(center - radius, center + radius)

    def __add__(self, other: Interval | Fraction) -> Interval:
        low, high = _ends(other)
        return Interval(self.low + low, self.high + high)

    __radd__ = __add__

    def __mul__(self, other: Interval | Fraction) -> Interval:
        low, high = _ends(other)
        products = (self.low * low, self.low * high, self.high * low, self.high * high)
        return Interval(min(products), max(products))

    __rmul__ = __mul__


def _ends(value: Interval | Fraction) -> tuple[Fraction, Fraction]:
    return (value.low, value.high) if isinstance(value, Interval) else (value, value)


@dataclass(frozen=True, slots=True)
class Series:
    r"""The power series :math:`\sum_kc_kt^k`, of which as many coefficients are kept as there are."""

    coefficients: tuple[Fraction, ...]

    def __add__(self, other: Series | Fraction) -> Series:
        if isinstance(other, Series):
            return Series(tuple(a + b for a, b in zip(self.coefficients, other.coefficients, strict=True)))
        return Series((self.coefficients[0] + other, *self.coefficients[1:]))

    __radd__ = __add__

    def __mul__(self, other: Series | Fraction) -> Series:
        mine = self.coefficients
        if not isinstance(other, Series):
            return Series(tuple(a * other for a in mine))
        theirs = other.coefficients
        total = [Fraction(0)] * len(mine)
        for i, a in enumerate(mine):
            if a:
                for j in range(len(mine) - i):
                    total[i + j] += a * theirs[j]
        return Series(tuple(total))

    __rmul__ = __mul__
