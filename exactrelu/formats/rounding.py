r"""Exact numbers to floats, with an exact account of what was lost.

>>> rounder = Rounder("float32")
>>> rounder.array([Fraction(1, 2), Fraction(1, 10)], (2,)).tolist()
[0.5, 0.10000000149011612]
>>> rounder.rounding().rounded, rounder.rounding().largest_relative_error == Fraction(1, 2**26)
(1, True)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from ..errors import InvalidInput
from ..rationals import text

Precision: TypeAlias = Literal["float32", "float64"]
PRECISIONS: Final = ("float32", "float64")


@dataclass(frozen=True, slots=True)
class Rounding:
    """How many of the numbers of a network were rounded to floats, and how much.

    ``largest_relative_error`` is the exact maximum of :math:`|f-q|/|q|` over the
    numbers :math:`q` with floats :math:`f`.
    """

    precision: Precision
    numbers: int
    rounded: int
    largest_relative_error: Fraction

    def explain(self) -> str:
        """One line.

        >>> Rounding("float32", 5, 1, Fraction(1, 3)).explain()
        '1 of 5 numbers rounded to float32, relative error at most 3.34e-1'
        """
        if not self.rounded:
            return f"all {self.numbers} numbers are exact in {self.precision}"
        error = decimal_above(self.largest_relative_error)
        return f"{self.rounded} of {self.numbers} numbers rounded to {self.precision}, relative error at most {error}"

    def to_json(self) -> dict[str, Any]:
        """The counts, and the error as an exact fraction."""
        return {
            "precision": self.precision,
            "numbers": self.numbers,
            "rounded": self.rounded,
            "largest_relative_error": text(self.largest_relative_error),
        }


class Rounder:
    """Rounds numbers to the nearest float of one type, and keeps the account."""

    def __init__(self, precision: Precision) -> None:
        self.precision = precision
        self._kind = np.dtype(precision)
        self._numbers = 0
        self._errors: list[Fraction] = []

    def array(self, values: Sequence[Fraction], shape: Sequence[int]) -> npt.NDArray[np.floating[Any]]:
        """The floats nearest to the values, row by row.

        Raises :class:`~exactrelu.errors.InvalidInput` for a number beyond the floats.
        """
        return np.array([self._nearest(value) for value in values], self._kind).reshape(tuple(shape))

    def rounding(self) -> Rounding:
        """The account so far."""
        return Rounding(self.precision, self._numbers, len(self._errors), max(self._errors, default=Fraction(0)))

    def _nearest(self, value: Fraction) -> float:
        self._numbers += 1
        largest = Fraction(float(np.finfo(self._kind).max))
        if abs(value) > largest:
            raise InvalidInput("network", f"must have numbers that {self.precision} can hold", value)
        # Python divides integers to the nearest double; for a shorter type the neighbours are compared exactly.
        guess = self._kind.type(value.numerator / value.denominator)
        candidates = [guess, *(np.nextafter(guess, self._kind.type(end)) for end in (-np.inf, np.inf))]
        found = min((float(c) for c in candidates if np.isfinite(c)), key=lambda c: abs(Fraction(c) - value))
        if Fraction(found) != value:
            self._errors.append(abs(Fraction(found) / value - 1))
        return found


def shortest(build: Callable[[Rounder], bytes], precision: Precision | None) -> tuple[bytes, Rounding]:
    """What ``build`` makes: with float32 if that holds every number exactly, else with float64, unless told."""
    if precision is not None and precision not in PRECISIONS:
        raise InvalidInput("precision", 'must be "float32" or "float64"', precision)
    if precision is None:
        try:
            content, rounding = shortest(build, "float32")
        except InvalidInput as error:
            if error.argument != "network" or "float32" not in error.rule:
                raise
        else:
            if not rounding.rounded:
                return content, rounding
    rounder = Rounder(precision or "float64")
    return build(rounder), rounder.rounding()


def decimal_above(value: Fraction) -> str:
    """A short decimal that is at least a positive number.

    >>> decimal_above(Fraction(1, 3)), decimal_above(Fraction(1, 2)), decimal_above(Fraction(9999, 10))
    ('3.34e-1', '5.00e-1', '1.00e3')
    """
    exponent = len(str(value.numerator)) - len(str(value.denominator)) if value >= 1 else 0
    if value < 1:
        exponent = -(len(str(int(1 / value))))
    while Fraction(10) ** exponent > value:
        exponent -= 1
    while Fraction(10) ** (exponent + 1) <= value:
        exponent += 1
    digits = -int(-value / Fraction(10) ** (exponent - 2) // 1)
    if digits == 1000:
        digits, exponent = 100, exponent + 1
    return f"{digits // 100}.{digits % 100:02d}e{exponent}"
