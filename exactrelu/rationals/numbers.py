r"""Numbers in and out: every public number of exactrelu is a ``Fraction``.

========================  =======================================================
:func:`rational`          one number, from any accepted spelling
:func:`rational_vector`   a tuple of numbers
:func:`rational_matrix`   a tuple of rows
:func:`text`              a number as text, whatever its length
:func:`from_float`        a float, read as a dyadic or as a decimal number
:func:`float_quotient`    the float nearest to a quotient of integers
========================  =======================================================

Accepted: ``int``, ``Fraction`` and every other :class:`numbers.Rational`
(SymPy's among them), ``Decimal``, flint's ``fmpz`` and ``fmpq``, and text.
Text is ``p``, ``p/q``, or a decimal such as ``-0.25`` or ``1e-3``, in ASCII
digits, without spaces or underscores.

Refused: floats (:class:`~exactrelu.errors.InexactNumber`), booleans, complex
numbers, infinities and not-a-number.

*Digit bound.* A number may need at most :data:`MAX_DIGITS` digits in its
numerator, its denominator, and its text; this is checked before anything is
computed, so that ``"1e999999999"`` costs nothing.

>>> rational("-3/6"), rational("0.25"), rational(2)
(Fraction(-1, 2), Fraction(1, 4), Fraction(2, 1))
>>> rational(0.1)
Traceback (most recent call last):
    ...
exactrelu.errors.InexactNumber: value: must be exact, and a float is not: give a string such as "1/10", ...
"""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, Literal

from ..errors import InexactNumber, InvalidInput, InvalidNumber, WrongDimension
from ..verdicts import text
from . import flint_bridge

MAX_DIGITS: Final = 20_000
"""The largest number of decimal digits of a numerator, denominator or text."""

__all__ = [
    "MAX_DIGITS",
    "Reading",
    "common_denominator",
    "float_quotient",
    "from_float",
    "primitive",
    "primitive_integers",
    "rational",
    "rational_matrix",
    "rational_vector",
    "scaled_integers",
    "text",
]

Reading = Literal["dyadic", "decimal"]
"""How a float is read: its exact binary value, or its shortest decimal."""

_NUMBER = re.compile(
    r"(?P<sign>[+-]?)"
    r"(?:(?P<numerator>[0-9]+)/(?P<denominator>[0-9]+)"
    r"|(?P<whole>[0-9]*)(?:\.(?P<decimals>[0-9]*))?(?:[eE](?P<exponent>[+-]?[0-9]{1,300}))?)"
)
_EXACT_RULE = (
    'must be exact, and a float is not: give a string such as "1/10", or say how to read floats '
    'with Network.from_floats(..., reading="dyadic" | "decimal")'
)
_TEXT_RULE = 'must be a rational number such as "-3/7", "2" or "0.25"'
_LENGTH_RULE = f"must have at most {MAX_DIGITS} digits in numerator and denominator"


def rational(value: object, argument: str = "value") -> Fraction:
    r"""The exact rational number that ``value`` denotes.

    ``argument`` names the value in the message of an error.

    Raises :class:`InexactNumber` for floats, :class:`InvalidNumber` otherwise.

    >>> from decimal import Decimal
    >>> rational(Decimal("0.1"))
    Fraction(1, 10)
    """
    if type(value) is Fraction or type(value) is int:
        return _bounded(Fraction(value), argument)
    if isinstance(value, str):
        return _parse(value, argument)
    if isinstance(value, bool):
        raise InvalidNumber(argument, "must be a number, not a truth value", value)
    if isinstance(value, numbers.Rational):
        return _bounded(Fraction(int(value.numerator), int(value.denominator)), argument)
    if isinstance(value, Decimal):
        return _from_decimal(value, argument)
    if isinstance(value, numbers.Real):
        raise InexactNumber(argument, _EXACT_RULE, value)
    exact = flint_bridge.from_scalar(value)
    if exact is None:
        raise InvalidNumber(argument, _TEXT_RULE, value)
    return _bounded(exact, argument, value)


def rational_vector(
    values: Iterable[object], argument: str = "values", *, length: int | None = None
) -> tuple[Fraction, ...]:
    """A tuple of exact numbers; with ``length``, of exactly that many.

    >>> rational_vector(["1/2", 3])
    (Fraction(1, 2), Fraction(3, 1))
    """
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise InvalidNumber(argument, "must be a list of numbers", values)
    vector = tuple(rational(value, f"{argument}[{i}]") for i, value in enumerate(values))
    if length is not None and len(vector) != length:
        raise WrongDimension(argument, f"must have {length} entries", len(vector))
    return vector


def rational_matrix(
    rows: Iterable[Iterable[object]], argument: str = "matrix", *, columns: int | None = None
) -> tuple[tuple[Fraction, ...], ...]:
    """A tuple of rows of equal length; with ``columns``, of exactly that length.

    >>> rational_matrix([[1, "1/2"]])
    ((Fraction(1, 1), Fraction(1, 2)),)
    """
    if isinstance(rows, str | bytes) or not isinstance(rows, Iterable):
        raise InvalidNumber(argument, "must be a list of rows", rows)
    matrix = tuple(rational_vector(row, f"{argument}[{i}]", length=columns) for i, row in enumerate(rows))
    for i, row in enumerate(matrix):
        if len(row) != len(matrix[0]):
            raise WrongDimension(f"{argument}[{i}]", f"must have {len(matrix[0])} entries like row 0", len(row))
    return matrix


def from_float(value: Any, reading: Reading, argument: str = "value") -> Fraction:
    r"""A float as an exact number, in the reading that the caller names.

    ``"dyadic"`` is the binary value itself, ``"decimal"`` the shortest decimal
    that prints the float. Exact numbers and text pass through unchanged.

    >>> from_float(0.1, "decimal")
    Fraction(1, 10)
    >>> from_float(0.1, "dyadic")
    Fraction(3602879701896397, 36028797018963968)
    """
    if reading not in ("dyadic", "decimal"):
        raise InvalidInput("reading", 'must be "dyadic" or "decimal"', reading)
    # Python's and NumPy's floats; other approximations have no shortest decimal to read.
    if (
        hasattr(value, "as_integer_ratio")
        and isinstance(value, numbers.Real)
        and not isinstance(value, numbers.Rational)
    ):
        if not math.isfinite(value):
            raise InvalidNumber(argument, "must be a finite number", value)
        if reading == "decimal":
            return rational(str(value), argument)
        return Fraction(*value.as_integer_ratio())  # type: ignore[attr-defined]  # asked for two tests above
    return rational(value, argument)


def _parse(value: str, argument: str) -> Fraction:
    if len(value) > 2 * MAX_DIGITS + 310:  # longer than any accepted number
        raise InvalidNumber(argument, _LENGTH_RULE, value)
    match = _NUMBER.fullmatch(value)
    if match is None:
        raise InvalidNumber(argument, _TEXT_RULE, value)
    sign = -1 if match["sign"] == "-" else 1
    if match["denominator"] is not None:
        denominator = _integer(match["denominator"], value, argument)
        if denominator == 0:
            raise InvalidNumber(argument, "must have a nonzero denominator", value)
        return Fraction(sign * _integer(match["numerator"], value, argument), denominator)
    decimals = match["decimals"] or ""
    digits = (match["whole"] or "") + decimals
    if not digits:
        raise InvalidNumber(argument, _TEXT_RULE, value)
    exponent = int(match["exponent"] or 0) - len(decimals)
    return _scaled(sign * _integer(digits, value, argument), exponent, value, argument)


def _from_decimal(value: Decimal, argument: str) -> Fraction:
    sign, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        raise InvalidNumber(argument, "must be a finite number", value)
    if len(digits) > MAX_DIGITS:
        raise InvalidNumber(argument, _LENGTH_RULE, f"a Decimal of {len(digits)} digits")
    mantissa = flint_bridge.integer_from_digits("".join(map(str, digits)))
    return _scaled(-mantissa if sign else mantissa, exponent, str(value), argument)


def _scaled(mantissa: int, exponent: int, value: str, argument: str) -> Fraction:
    r"""The number ``mantissa * 10**exponent``, refused when it would be too long."""
    if mantissa == 0:
        return Fraction(0)
    if abs(exponent) > 2 * MAX_DIGITS:
        raise InvalidNumber(argument, _LENGTH_RULE, value)
    power = 10 ** abs(exponent)
    exact = Fraction(mantissa * power) if exponent >= 0 else Fraction(mantissa, power)
    return _bounded(exact, argument, value)


def _integer(digits: str, value: str, argument: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise InvalidNumber(argument, _LENGTH_RULE, value)
    return flint_bridge.integer_from_digits(digits)


_TOO_LARGE: Final = 10**MAX_DIGITS
_SURELY_SMALL: Final = _TOO_LARGE.bit_length() - 1  # integers of fewer bits need no closer look


def _bounded(value: Fraction, argument: str, given: object = None) -> Fraction:
    largest = max(abs(value.numerator), value.denominator)
    if largest.bit_length() > _SURELY_SMALL and largest >= _TOO_LARGE:
        raise InvalidNumber(argument, _LENGTH_RULE, given or value)
    return value


def common_denominator(values: Iterable[Fraction]) -> int:
    """The least common denominator of exact numbers (1 for none).

    >>> common_denominator([Fraction(1, 4), Fraction(1, 6)])
    12
    """
    return math.lcm(*(value.denominator for value in values))


def scaled_integers(values: Sequence[Fraction], scale: int) -> list[int]:
    """The integers ``scale * value``, for a ``scale`` that clears all denominators.

    >>> scaled_integers([Fraction(1, 4), Fraction(1, 6)], 12)
    [3, 2]
    """
    return [value.numerator * (scale // value.denominator) for value in values]


def primitive(vector: Sequence[int]) -> tuple[int, ...]:
    """An integer vector divided by the greatest common divisor of its entries.

    >>> primitive([4, -6])
    (2, -3)
    """
    divisor = math.gcd(*vector)
    return tuple(vector) if divisor <= 1 else tuple([entry // divisor for entry in vector])


def primitive_integers(values: Sequence[Fraction]) -> tuple[int, ...]:
    """The primitive integer vector on the ray of a rational vector.

    >>> primitive_integers([Fraction(1, 2), Fraction(-1, 3)])
    (3, -2)
    """
    return primitive(scaled_integers(values, common_denominator(values)))


def float_quotient(numerator: int, denominator: int) -> float:
    """The float nearest to a quotient with a positive denominator; infinite beyond the largest.

    >>> float_quotient(1, 4), float_quotient(-(10**400), 3)
    (0.25, -inf)
    """
    try:
        return numerator / denominator
    except OverflowError:
        return math.inf if numerator > 0 else -math.inf
