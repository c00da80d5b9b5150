r"""All kinks of a piecewise linear function on a rational line, from exact values.

Promise: along the line the function bends at most ``most`` times, only at
:math:`t=p/q` with :math:`|p|\le A`, :math:`q\le B`. Then

* two kinks are at least :math:`1/B^2` apart, and a kink :math:`t\ne r/v` is at
  least :math:`1/(vB)` away from :math:`r/v`. So values at :math:`r/v` and
  :math:`r/v\pm1/(2vB)` give the affine *pieces* left and right of :math:`r/v`;
* an interval whose two end pieces differ has a kink inside. It is split where its
  end pieces intersect (the kink itself, if it is the only one), or else in the middle;
* an interval whose end pieces agree is taken to be free of kinks.

The last step is where a *bump* can hide: a run of consecutive kinks with the same
affine piece before and after, such as
:math:`\sigma(t)-2\sigma(t-\epsilon)+\sigma(t-2\epsilon)`. No method that asks fewer
points than there are places for a bump can exclude it. The search finds every
bump with a *probe* strictly inside: a bump that contains no smaller one has a
different piece at each of its inner points.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from ...rationals import Vector
from .black_box import BrokenPromise
from .generic_lines import Line

Piece = tuple[Vector, Vector]
"""An affine function of ``t``: slopes and values at 0, one per output."""


@dataclass(frozen=True, slots=True)
class Kink:
    """A parameter at which the slope changes, and by how much."""

    t: Fraction
    jump: Vector


@dataclass(frozen=True, slots=True)
class _Interval:
    """An interval with the pieces just inside its ends."""

    left: Fraction
    first: Piece
    right: Fraction
    last: Piece


def find_kinks(
    function: Callable[[Vector], Vector], line: Line, height: int, most: int, probes: Iterable[Fraction] = ()
) -> list[Kink]:
    """All kinks along a line, ascending, apart from bumps without a probe inside.

    ``height`` bounds the hyperplanes along which the function bends, ``most``
    their number. Raises :class:`BrokenPromise` when there are more of them or
    other ones. Three queries per probe, and about ``kinks * log(height)`` more.

    >>> absolute = lambda point: (abs(point[0] - Fraction(2, 3)),)
    >>> find_kinks(absolute, Line((Fraction(0),), (Fraction(1),)), 10, 1)
    [Kink(t=Fraction(2, 3), jump=(Fraction(2, 1),))]
    """
    return _Search(function, line, height, most).run(probes)


class _Search:
    def __init__(self, function: Callable[[Vector], Vector], line: Line, height: int, most: int) -> None:
        self.function = function
        self.line = line
        self.largest, self.denominator = line.kink_bounds(height)
        self.height = height
        self.most = most
        self.kinks: dict[Fraction, Vector] = {}
        self.open: deque[_Interval] = deque()

    def run(self, probes: Iterable[Fraction]) -> list[Kink]:
        """First in, first out: an oracle that bends everywhere is caught after ``most`` splits."""
        end = Fraction(self.largest + 1)
        ends = [self._at(t) for t in sorted({-end, *probes, end})]
        for (left, _, first), (right, last, _) in pairwise(ends):
            self._push(_Interval(left, first, right, last))
        while self.open:
            self._split(self.open.popleft())
        return [Kink(t, jump) for t, jump in sorted(self.kinks.items())]

    def _split(self, interval: _Interval) -> None:
        pending = len(self.open)
        crossing = _crossing(interval)
        t, left, right = self._at(_middle(interval.left, interval.right) if crossing is None else crossing)
        self._push(_Interval(interval.left, interval.first, t, left))
        self._push(_Interval(t, right, interval.right, interval.last))
        short = (interval.right - interval.left) * self.denominator**2 < 1
        if short and len(self.open) > pending:  # a single kink fits in, and it would be the crossing
            self._broken(f"bend along hyperplanes of integer equations with entries up to {self.height} only", t)

    def _push(self, interval: _Interval) -> None:
        if interval.first != interval.last:
            self.open.append(interval)
            self._check_number(interval.left)

    def _at(self, t: Fraction) -> tuple[Fraction, Piece, Piece]:
        """A parameter with the pieces on both of its sides; where they differ there is a kink."""
        step = Fraction(1, 2 * t.denominator * self.denominator)
        before, here, after = (self.function(self.line.at(t + k * step)) for k in (-1, 0, 1))
        slopes = [tuple((b - a) / step for a, b in zip(*pair, strict=True)) for pair in ((before, here), (here, after))]
        if slopes[0] != slopes[1]:
            self.kinks[t] = tuple(b - a for a, b in zip(*slopes, strict=True))
            self._check_number(t)
        left, right = ((slope, tuple(v - s * t for v, s in zip(here, slope, strict=True))) for slope in slopes)
        return t, left, right

    def _check_number(self, t: Fraction) -> None:
        """Every open interval has a kink inside."""
        if len(self.kinks) + len(self.open) > self.most:
            self._broken(f"bend along at most {self.most} hyperplanes", t)

    def _broken(self, rule: str, t: Fraction) -> None:
        raise BrokenPromise("oracle", f"must {rule}", self.line.at(t))


def _crossing(interval: _Interval) -> Fraction | None:
    """A parameter strictly inside at which some output of the end pieces agrees."""
    (slopes, values), (last_slopes, last_values) = interval.first, interval.last
    for slope, value, other, last in zip(slopes, values, last_slopes, last_values, strict=True):
        if slope != other:
            t = (last - value) / (slope - other)
            if interval.left < t < interval.right:
                return t
    return None


def _middle(left: Fraction, right: Fraction) -> Fraction:
    """A number of short text well inside an interval; in a long one, in the middle of the orders of magnitude."""
    if left < 0 < right:
        return Fraction(0)
    if right <= 0:
        return -_middle(-right, -left)
    if right > 4 * max(left, Fraction(1)):
        return Fraction(1 << (int(left).bit_length() + int(right).bit_length()) // 2)
    length = right - left
    halvings = ((3 * length.denominator - 1) // length.numerator).bit_length()  # the first with 3 steps inside
    step = Fraction(1, 1 << halvings)
    return step * round((left + right) / (2 * step))
