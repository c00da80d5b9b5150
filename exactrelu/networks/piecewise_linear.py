r"""Continuous piecewise-linear functions :math:`\rho:\mathbb R\to\mathbb R` with rational data.

>>> hat = PiecewiseLinear.hat()
>>> hat("1/3"), hat(2), hat.piece("1/3"), hat.pieces
(Fraction(2, 3), Fraction(0, 1), 2, 4)
>>> PiecewiseLinear([0, 5], [0, 1, 1], (5, 5)) == PiecewiseLinear.relu()
True
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, Final

from ..errors import InvalidFile, InvalidInput, WrongDimension
from ..rationals import Vector, rational, rational_vector, text
from ..rationals.strict_json import expect_object, expect_rational, expect_rationals
from ..verdicts import sum_text

ZERO = Fraction(0)


@dataclass(frozen=True, slots=True, init=False)
class PiecewiseLinear:
    r"""The continuous function with slope :math:`s_k` on piece :math:`k`, through the point ``anchor``.

    ``breakpoints`` :math:`b_1<\dots<b_n` are the kinks; ``slopes`` has
    :math:`n+1` entries, for the pieces :math:`0,\dots,n` from left to right. Any
    such data is a continuous function. Breakpoints without a bend are dropped and
    the anchor is moved to the first breakpoint (to 0 if there is none), so that
    equal functions compare equal.

    Raises :class:`~exactrelu.errors.InvalidInput` unless the breakpoints
    ascend, and :class:`~exactrelu.errors.WrongDimension`.

    >>> PiecewiseLinear([0], ["1/10", 1], (0, 0))(-5)
    Fraction(-1, 2)
    """

    breakpoints: Vector
    slopes: Vector
    anchor: tuple[Fraction, Fraction]

    def __init__(self, breakpoints: Iterable[object], slopes: Iterable[object], anchor: Iterable[object]) -> None:
        kinks = rational_vector(breakpoints, "breakpoints")
        for i, (before, after) in enumerate(pairwise(kinks), start=1):
            if before >= after:
                rule = f"must exceed breakpoint {i - 1}, which is {text(before)}"
                raise InvalidInput(f"breakpoints[{i}]", rule, text(after))
        steepness = rational_vector(slopes, "slopes")
        if len(steepness) != len(kinks) + 1:
            raise WrongDimension("slopes", f"must have {len(kinks) + 1} entries, one per piece", len(steepness))
        t, value = rational_vector(anchor, "anchor", length=2)
        bends = [k for k, (left, right) in enumerate(pairwise(steepness)) if left != right]
        start = kinks[bends[0]] if bends else ZERO
        object.__setattr__(self, "breakpoints", tuple(kinks[k] for k in bends))
        object.__setattr__(self, "slopes", (steepness[0], *(steepness[k + 1] for k in bends)))
        object.__setattr__(self, "anchor", (t, value))
        object.__setattr__(self, "anchor", (start, self(start)))

    @classmethod
    def relu(cls) -> PiecewiseLinear:
        r""":math:`\max(t,0)`."""
        return cls([0], [0, 1], (0, 0))

    @classmethod
    def identity(cls) -> PiecewiseLinear:
        r""":math:`t`."""
        return cls([], [1], (0, 0))

    @classmethod
    def leaky_relu(cls, slope: object) -> PiecewiseLinear:
        r""":math:`t` for :math:`t\ge0`, ``slope`` :math:`\cdot t` for :math:`t<0`."""
        return cls([0], [rational(slope, "slope"), 1], (0, 0))

    @classmethod
    def absolute_value(cls) -> PiecewiseLinear:
        r""":math:`|t|`."""
        return cls([0], [-1, 1], (0, 0))

    @classmethod
    def clip(cls, lower: object, upper: object) -> PiecewiseLinear:
        r""":math:`\min(\max(t,l),u)` for :math:`l<u`."""
        low, high = rational(lower, "lower"), rational(upper, "upper")
        if low >= high:
            raise InvalidInput("upper", f"must exceed lower, which is {text(low)}", upper)
        return cls([low, high], [0, 1, 0], (low, low))

    @classmethod
    def hard_tanh(cls) -> PiecewiseLinear:
        r""":math:`\min(\max(t,-1),1)`."""
        return cls.clip(-1, 1)

    @classmethod
    def relu6(cls) -> PiecewiseLinear:
        r""":math:`\min(\max(t,0),6)`."""
        return cls.clip(0, 6)

    @classmethod
    def hat(cls) -> PiecewiseLinear:
        r""":math:`\max(1-|t|,0)`."""
        return cls([-1, 0, 1], [0, 1, -1, 0], (0, 1))

    def __call__(self, t: object) -> Fraction:
        r"""The value :math:`\rho(t)`."""
        end, value = rational(t, "t"), self.anchor[1]
        start, sign = (self.anchor[0], 1) if self.anchor[0] <= end else (end, -1)
        stop = max(self.anchor[0], end)
        inner = [b for b in self.breakpoints if start < b < stop]
        for left, right in pairwise([start, *inner, stop]):
            value += sign * self.slopes[bisect_left(self.breakpoints, right)] * (right - left)
        return value

    @property
    def pieces(self) -> int:
        """The number of pieces."""
        return len(self.slopes)

    def piece(self, t: object) -> int:
        """The number of the piece that contains ``t``; of two, the left one.

        >>> [PiecewiseLinear.relu().piece(t) for t in (-1, 0, 1)]
        [0, 0, 1]
        """
        return bisect_left(self.breakpoints, rational(t, "t"))

    def affine_piece(self, k: int) -> tuple[Fraction, Fraction]:
        r"""The numbers :math:`(s,c)` with :math:`\rho(t)=st+c` on piece ``k``.

        >>> [tuple(map(int, PiecewiseLinear.relu6().affine_piece(k))) for k in range(3)]
        [(0, 0), (1, 0), (0, 6)]
        """
        if isinstance(k, bool) or not isinstance(k, int) or not 0 <= k < self.pieces:
            raise InvalidInput("k", f"must be a piece, 0 to {self.pieces - 1}", k)
        t = self.breakpoints[max(k - 1, 0)] if self.breakpoints else ZERO
        return self.slopes[k], self(t) - self.slopes[k] * t

    @property
    def bends(self) -> Vector:
        """How much the slope grows at every breakpoint; never 0."""
        return tuple(right - left for left, right in pairwise(self.slopes))

    @property
    def is_affine(self) -> bool:
        """Whether the function never bends."""
        return not self.breakpoints

    @property
    def is_positively_homogeneous(self) -> bool:
        r"""Whether :math:`\rho(\lambda t)=\lambda\rho(t)` for all :math:`\lambda>0`."""
        return self.anchor == (ZERO, ZERO) and len(self.breakpoints) <= 1

    def compose(self, beta: object, gamma: object) -> PiecewiseLinear:
        r"""The function :math:`t\mapsto\rho(\beta t+\gamma)`.

        >>> PiecewiseLinear.relu().compose(-2, 1).breakpoints
        (Fraction(1, 2),)
        """
        b, c = rational(beta, "beta"), rational(gamma, "gamma")
        if not b:
            return PiecewiseLinear([], [0], (0, self(c)))
        order = 1 if b > 0 else -1
        kinks = [(kink - c) / b for kink in self.breakpoints][::order]
        return PiecewiseLinear(kinks, [b * slope for slope in self.slopes][::order], (0, self(c)))

    @property
    def name(self) -> str | None:
        """The name of a classical function."""
        return next((name for name, rho in NAMED.items() if rho == self), None)

    def explain(self) -> str:
        """The formulas of all pieces.

        >>> PiecewiseLinear.relu6().explain()
        '0 for t <= 0; t for 0 <= t <= 6; 6 for t >= 6'
        """
        shown = []
        for k in range(self.pieces):
            slope, constant = self.affine_piece(k)
            low = text(self.breakpoints[k - 1]) if k else ""
            high = text(self.breakpoints[k]) if k < len(self.breakpoints) else ""
            where = f"{low} <= t <= {high}" if low and high else f"t <= {high}" if high else f"t >= {low}"
            shown.append(sum_text([(slope, "t")], constant) + (f" for {where}" if low or high else ""))
        return "; ".join(shown)

    def to_json(self) -> str | dict[str, Any]:
        """The function as JSON data: its name, or its numbers as strings."""
        if self.name is not None:
            return self.name
        if self.breakpoints == (ZERO,) and self.slopes[1] == 1 and self.is_positively_homogeneous:
            return {"name": "leaky_relu", "slope": text(self.slopes[0])}
        fields: dict[str, Sequence[Fraction]] = {
            "breakpoints": self.breakpoints,
            "slopes": self.slopes,
            "anchor": self.anchor,
        }
        return {name: [text(value) for value in values] for name, values in fields.items()}


NAMED: Final[Mapping[str, PiecewiseLinear]] = {
    "relu": PiecewiseLinear.relu(),
    "identity": PiecewiseLinear.identity(),
    "abs": PiecewiseLinear.absolute_value(),
    "hard_tanh": PiecewiseLinear.hard_tanh(),
    "relu6": PiecewiseLinear.relu6(),
    "hat": PiecewiseLinear.hat(),
}
"""The functions that JSON data and the command line know by name."""


def piecewise_linear(value: object, place: str = "activation") -> PiecewiseLinear:
    """The function that a name or JSON data denotes (a :class:`PiecewiseLinear` denotes itself).

    Data is ``{"name": "leaky_relu", "slope": "1/10"}``,
    ``{"name": "clip", "lower": "0", "upper": "2"}`` or ``{"breakpoints": ["0"],
    "slopes": ["0", "1"], "anchor": ["0", "0"]}``; ``place`` names it in messages.

    Raises :class:`~exactrelu.errors.InvalidFile` and other kinds of
    :class:`~exactrelu.errors.InvalidInput`.

    >>> piecewise_linear({"name": "leaky_relu", "slope": "0"}) == piecewise_linear("relu")
    True
    """
    if isinstance(value, PiecewiseLinear):
        return value
    if isinstance(value, str) and value in NAMED:
        return NAMED[value]
    if not isinstance(value, dict):
        known = ", ".join(f'"{name}"' for name in NAMED)
        raise InvalidFile(place, f"must be one of {known}, or an object", value)
    make, arguments = _read(value, place)
    try:
        return make(*arguments)
    except InvalidInput as error:
        raise error.at(place) from None


def _read(value: dict[str, Any], place: str) -> tuple[Callable[..., PiecewiseLinear], list[Any]]:
    """The constructor that an object means, and its arguments."""
    if "name" not in value:
        names = ("breakpoints", "slopes", "anchor")
        fields = expect_object(value, place, required=names)
        return PiecewiseLinear, [expect_rationals(fields[name], f"{place}.{name}") for name in names]
    made: dict[object, tuple[Callable[..., PiecewiseLinear], tuple[str, ...]]] = {
        "leaky_relu": (PiecewiseLinear.leaky_relu, ("slope",)),
        "clip": (PiecewiseLinear.clip, ("lower", "upper")),
    }
    name = value["name"]
    if not isinstance(name, str) or name not in made:
        raise InvalidFile(f"{place}.name", 'must be "leaky_relu" or "clip" in an object', name)
    make, arguments = made[name]
    fields = expect_object(value, place, required=("name", *arguments))
    return make, [expect_rational(fields[argument], f"{place}.{argument}") for argument in arguments]
