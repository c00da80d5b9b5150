r"""Domains as text: ``factor(xfactor)*`` with factors ``R``, ``R^n``, ``[a,b]`` and ``[a,b]^n``.

A factor is a line or an interval with :math:`a < b`, raised to a power
:math:`n \ge 1`. Spaces between the parts are ignored; numbers are those of
:func:`~exactrelu.rationals.rational`.

>>> parse_sides("[-1, 1]^2 x R")
((Fraction(-1, 1), Fraction(1, 1)), (Fraction(-1, 1), Fraction(1, 1)), (None, None))
>>> sides_text(_)
'[-1,1]^2xR'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Final

from ..errors import InvalidDomain
from ..rationals import rational, text
from .boxes import Side

MAX_DIMENSION: Final = 100_000
"""The largest number of coordinates of a domain."""

_FACTOR = re.compile(r"(?:R|\[(?P<lower>[^\[\],]*),(?P<upper>[^\[\],]*)\])(?:\^(?P<power>[0-9]+))?(?P<next>x|\Z)")
_FACTOR_RULE = 'must be factors "R", "R^n", "[a,b]" or "[a,b]^n" joined by "x"'


def parse_sides(content: str) -> tuple[Side, ...]:
    """The intervals that a domain text denotes, one per coordinate.

    Raises :class:`~exactrelu.errors.InvalidDomain` for a text outside the
    grammar, an empty interval or more than :data:`MAX_DIMENSION` coordinates,
    :class:`~exactrelu.errors.InvalidNumber` for an end that is no rational number.
    """
    if re.search(r"[0-9.] +[0-9.]", content):
        raise InvalidDomain("domain", "must not have a space inside a number", content)
    compact = content.replace(" ", "")
    sides: list[Side] = []
    position, more = 0, True
    while more:
        match = _FACTOR.match(compact, position)
        if match is None:
            raise InvalidDomain("domain", _FACTOR_RULE, content)
        power = _power(match["power"], MAX_DIMENSION - len(sides))
        sides += [_side(match["lower"], match["upper"])] * power
        position, more = match.end(), match["next"] == "x"
    return tuple(sides)


def sides_text(sides: Sequence[Side]) -> str | None:
    """The shortest text of a product of lines and intervals; ``None`` if it is no such product.

    >>> sides_text([(rational(0), None)]) is None
    True
    """
    factors = []
    for (lower, upper), repeated in groupby(sides):
        if lower is None and upper is None:
            factor = "R"
        elif lower is None or upper is None or lower == upper:
            return None
        else:
            factor = f"[{text(lower)},{text(upper)}]"
        count = sum(1 for _ in repeated)
        factors.append(factor if count == 1 else f"{factor}^{count}")
    return "x".join(factors)


def _power(digits: str | None, room: int) -> int:
    if digits is None:
        digits = "1"
    if len(digits) > 9 or not 1 <= int(digits) <= room:
        raise InvalidDomain("domain", f"must have between 1 and {MAX_DIMENSION} coordinates", f"exponent {digits}")
    return int(digits)


def _side(lower: str | None, upper: str | None) -> Side:
    if lower is None or upper is None:
        return None, None
    low, high = rational(lower, "domain: lower end"), rational(upper, "domain: upper end")
    if low >= high:
        raise InvalidDomain("domain", "must have intervals [a,b] with a < b", f"[{lower},{upper}]")
    return low, high
