r"""A shallow function as an observer sees it: affine near a base point, with a jump of the gradient on each hyperplane.

.. math:: f(x) = A(x) + \sum_H a_H\,\sigma(\ell_H(x))

with every :math:`\ell_H` negative at the base point, so that :math:`A` is the affine
map of :math:`f` there. By the uniqueness of the normal form (theory:
``shallow_equality_by_normal_form``) this determines, and is determined by, the function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ...equality import Form, form_value, hyperplane, opposite
from ...equality.shallow import primitive_form
from ...networks import Network
from ...networks.evaluation import AffineMap
from ...rationals import Vector, common_denominator, dot
from .black_box import BrokenPromise
from .generic_lines import Line, clear_step
from .line_search import Kink

Bend = tuple[Form, Vector]
"""The primitive form of a hyperplane and the jump: crossing to its positive side adds jump times form."""


@dataclass(frozen=True, slots=True)
class BentFunction:
    """The affine map at ``base`` and the bends, their forms negative at ``base``."""

    base: Vector
    affine: AffineMap
    bends: tuple[Bend, ...] = ()

    def affine_at(self, point: Vector) -> AffineMap:
        """The affine map near a point that lies on none of the hyperplanes."""
        rows, offset = [list(row) for row in self.affine[0]], list(self.affine[1])
        for form, jump in self.bends:
            if form_value(form, point) > 0:
                for o, a in enumerate(jump):
                    rows[o] = [entry + a * w for entry, w in zip(rows[o], form, strict=False)]
                    offset[o] += a * form[-1]
        return tuple(map(tuple, rows)), tuple(offset)

    def bent(self, bend: Bend) -> BentFunction:
        """The function with one more bend; the base point keeps its affine map."""
        form, jump = bend
        away = form if form_value(form, self.base) < 0 else opposite(form)
        return BentFunction(self.base, self.affine, (*self.bends, (away, jump)))

    def jump(self, form: Form) -> Vector | None:
        """The jump along a hyperplane, or ``None`` where the function does not bend."""
        return next((jump for other, jump in self.bends if hyperplane(other) == hyperplane(form)), None)

    def network(self) -> Network:
        """A shallow network with this function, not of least width: two neurons per input make the affine part."""
        matrix, offset = self.affine
        size = len(self.base)
        axes = [tuple(sign * int(i == j) for j in range(size)) for i in range(size) for sign in (1, -1)]
        rows = [*(form[:-1] for form, _ in self.bends), *axes]
        bias = [*(form[-1] for form, _ in self.bends), *(0 for _ in axes)]
        outputs = [
            [*(jump[o] for _, jump in self.bends), *(sign * entry for entry in row for sign in (1, -1))]
            for o, row in enumerate(matrix)
        ]
        return Network.mlp([rows, outputs], [bias, offset])


def affine_germ(function: Callable[[Vector], Vector], point: Vector, height: int) -> AffineMap:
    """The affine map near a point on none of the hyperplanes of this height, from ``d + 1`` values."""
    columns, here = [], function(point)
    for axis in range(len(point)):
        unit = tuple(Fraction(int(i == axis)) for i in range(len(point)))
        step = clear_step(point, height, unit)
        there = function(tuple(p + step * e for p, e in zip(point, unit, strict=True)))
        columns.append([(b - a) / step for a, b in zip(here, there, strict=True)])
    matrix = tuple(zip(*columns, strict=True))
    return matrix, tuple(value - dot(row, point) for value, row in zip(here, matrix, strict=True))


def bend_at(function: Callable[[Vector], Vector], line: Line, kink: Kink, height: int) -> Bend:
    r"""The hyperplane through a kink of a generic line, with its jump.

    Near the point :math:`x` of the kink only :math:`a\,\sigma(\ell)` bends, so for
    :math:`z` close to the direction :math:`u` of the line the second difference
    :math:`(f(x+sz)-2f(x)+f(x-sz))/s` is :math:`a\langle w,z\rangle`: linear in
    :math:`z`. Directions :math:`z=u+\kappa e_i` give the rows :math:`a\,w_i`.
    """
    point, u = line.at(kink.t), line.direction
    # An integer form is at least 1/q along u, and changes by less than that.
    kappa = Fraction(1, 2 * common_denominator(u) * height)
    gradient: list[Sequence[Fraction]] = [()]
    for axis in range(1, len(u)):
        z = tuple(entry + kappa * (i == axis) for i, entry in enumerate(u))
        step = clear_step(point, height, z)
        ahead, here, behind = (
            function(tuple(p + k * step * e for p, e in zip(point, z, strict=True))) for k in (1, 0, -1)
        )
        second = [(a - 2 * m + b) / step for a, m, b in zip(ahead, here, behind, strict=True)]
        gradient.append([(now - old) / kappa for now, old in zip(second, kink.jump, strict=True)])
    gradient[0] = [
        (total - sum(e * row[o] for e, row in zip(u[1:], gradient[1:], strict=True))) / u[0]
        for o, total in enumerate(kink.jump)
    ]
    return _rank_one(gradient, kink.jump, line, point, height)


def _rank_one(gradient: list[Sequence[Fraction]], along: Vector, line: Line, point: Vector, height: int) -> Bend:
    """The factors of the jump of the gradient, one row per input and one entry per output."""
    leading = next(o for o, entry in enumerate(along) if entry)
    normal = [row[leading] / along[leading] for row in gradient]
    if any(row[o] != w * entry for row, w in zip(gradient, normal, strict=True) for o, entry in enumerate(along)):
        raise BrokenPromise("oracle", "must bend along hyperplanes, with a gradient jump of rank one", point)
    form, _ = primitive_form([*normal, -dot(normal, point)])
    if max(map(abs, form)) > height:
        raise BrokenPromise("oracle", f"must bend along hyperplanes of integer equations up to {height} only", point)
    scale = dot([Fraction(entry) for entry in form[:-1]], line.direction)
    return form, tuple(entry / scale for entry in along)
