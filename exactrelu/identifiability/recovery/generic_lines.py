r"""Rational lines that meet all hyperplanes of bounded height, each at a point of its own.

A hyperplane has *height* at most :math:`M` if it has an equation
:math:`\langle w,x\rangle+b=0` with integers :math:`|w_i|,|b|\le M`. Lines of the form

.. math:: p+t\,u,\qquad p=(\eta^{(d+1)i})_{i=1}^d,\qquad u=z+(\eta^j)_{j=1}^d,

with an integer vector :math:`z\ne0`, :math:`|z_j|\le C`, and
:math:`\eta=1/(2M^2dC+2)`, are infinitesimally close to a given line through the
origin, and yet in general position with respect to *all* these hyperplanes at once:

* none contains :math:`p`, none is parallel to :math:`u`,
* no two are met at the same :math:`t`.

*Proof.* Two hyperplanes :math:`\ell,\ell'` are met at the same :math:`t` exactly when
:math:`\ell(p)\langle w',u\rangle=\ell'(p)\langle w,u\rangle`. Inserting :math:`p`
and :math:`u`, the difference is a polynomial in :math:`\eta` with exponents
:math:`0`, :math:`j`, :math:`(d+1)i` and :math:`(d+1)i+j`, which are all distinct.
Its coefficients are integers of at most :math:`N=2M^2dC`, among them all minors of the
two rows :math:`(w,b)`, so that it is not the zero polynomial. At :math:`0<\eta\le1/(N+2)`
its lowest term outweighs the sum of all others. The other two claims are similar. ∎
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from ...errors import BudgetExceeded
from ...rationals import Vector, common_denominator, scaled_integers

LARGEST_DIRECTION = 64
"""The bound C of the integer directions, unless another is given."""
MOST_BITS = 200_000
"""The greatest length of the coordinates of the base point, in bits."""


@dataclass(frozen=True, slots=True)
class Line:
    """The points ``base + t * direction``."""

    base: Vector
    direction: Vector

    def at(self, t: Fraction) -> Vector:
        """The point with parameter ``t``."""
        return tuple(p + t * u for p, u in zip(self.base, self.direction, strict=True))

    def kink_bounds(self, height: int) -> tuple[int, int]:
        """Bounds for ``|t|`` and for the denominator of ``t`` where hyperplanes of this height are met.

        >>> Line((Fraction(0),), (Fraction(1),)).kink_bounds(10)  # p/q with |p|, q <= 10
        (10, 10)
        """
        scale = common_denominator((*self.base, *self.direction))
        start = scaled_integers(self.base, scale)
        step = scaled_integers(self.direction, scale)
        return height * (sum(map(abs, start)) + scale), height * sum(map(abs, step))


@dataclass(frozen=True, slots=True)
class Pencil:
    r"""The lines above for one dimension and one height: all through the same base point :math:`p`.

    Its last coordinate has about :math:`d^2\log_2(1/\eta)` bits. Raises
    :class:`~exactrelu.errors.BudgetExceeded` where these are more than 200,000, as for 70 inputs.
    """

    dimension: int
    height: int
    largest_direction: int = LARGEST_DIRECTION

    def __post_init__(self) -> None:
        bits = self.dimension * (self.dimension + 1) * self.eta.denominator.bit_length()
        if bits > MOST_BITS:
            raise BudgetExceeded("bits per coordinate of a query", MOST_BITS, bits)

    @property
    def eta(self) -> Fraction:
        r"""The number :math:`\eta`."""
        return Fraction(1, 2 * self.height**2 * self.dimension * self.largest_direction + 2)

    @property
    def base(self) -> Vector:
        """The common point of the lines, close to the origin."""
        return tuple(self.eta ** ((self.dimension + 1) * i) for i in range(1, self.dimension + 1))

    def line(self, direction: Sequence[int]) -> Line:
        """The line along an integer vector with entries of at most ``largest_direction``.

        >>> line = Pencil(2, 10).line((1, 0))
        >>> all(abs(u - z) <= Pencil(2, 10).eta for u, z in zip(line.direction, (1, 0)))
        True
        """
        return Line(self.base, tuple(z + self.eta ** (j + 1) for j, z in enumerate(direction)))


def clear_step(point: Vector, height: int, direction: Vector) -> Fraction:
    """Some ``s > 0`` such that ``point ± s * direction`` meets no hyperplane of this height off the point.

    An integer form that does not vanish at a point with common denominator
    ``v`` is at least ``1/v`` there.
    """
    reach = height * (ceil(sum(map(abs, direction))) + 1)
    return Fraction(1, 2 * common_denominator(point) * reach)
