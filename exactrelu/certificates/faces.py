r"""Face trees: all vectors of signs that occur inside a domain, with a proof that there are no others.

Below a node the pre-activation :math:`z` of its neuron is affine, and its children are :math:`z<0`, :math:`z=0` and
:math:`z>0`. A point :math:`p` of the relative interior of a cell and one linear program decide all three. If
:math:`z(p)\ne0`, the other signs occur exactly if the optimum of :math:`z` on the closed cell lies beyond 0; and if
it does not, its multipliers refute both. If :math:`z(p)=0`, then either :math:`z` is 0 on the cell, or all signs occur.

Theory: section 10, and section 6 of ``docs/certificates.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from operator import mul

from ..polyhedra import Infeasible, Optimal, Unbounded, maximise_rows
from ..rationals import Vector, common_denominator, scaled_integers
from .notation import Name
from .readings import Reading, State
from .splitting import Branch, Cell, Empty, Inequality, constant, coprime, entered, simple

MINUS: State = (0, False)
ZERO: State = (1, True)
PLUS: State = (1, False)


def signs(readings: Sequence[Reading], cell: Cell) -> tuple[Branch, list[Cell | Empty]]:
    """The node of the next ReLU with the cells below it, one per sign."""
    neuron = cell.layer, len(cell.row)
    bend = readings[cell.network].bend(neuron)
    known = constant(cell, bend, neuron)
    if known is not None:
        return known
    form = _Form(cell)
    points, refuted = form.points()

    def child(state: State) -> Cell | Empty:
        if state not in points:
            return form.refutation(state, refuted)
        if state == ZERO:
            below = entered(cell, bend, state, points[state])
            return replace(below, equations=(*cell.equations, form.equation))
        row = form.below if state == MINUS else form.above
        rows = (row, *reversed(cell.rows))
        point = points[state] if cell.equations else simple(points[state], rows)
        return entered(cell, bend, state, point, row)

    states = (MINUS, ZERO, PLUS)
    return Branch(cell.network, neuron, states), [child(state) for state in states]


class _Form:
    """The pre-activation of the next neuron on a cell."""

    def __init__(self, cell: Cell) -> None:
        form = cell.forms[len(cell.row)]
        self.cell, self.name = cell, (cell.network, cell.layer, len(cell.row), 1)
        self.scale = common_denominator(form)
        self.integers = scaled_integers(form, self.scale)
        self.below = Inequality.of(self.name, form[:-1], -form[-1])
        self.above = Inequality.of(self.name, [-entry for entry in form[:-1]], form[-1])
        self.equation = self.below

    def value(self, point: Vector) -> Fraction:
        return Fraction(sum(map(mul, self.integers, point)) + self.integers[-1]) / self.scale

    def points(self) -> tuple[dict[State, Vector], Optimal | None]:
        """A point for every sign that occurs, and the optimum that excludes the others."""
        start, cell = self.cell.point, self.cell
        here = self.value(start)
        side = -1 if here > 0 else 1
        own = PLUS if here > 0 else MINUS if here < 0 else ZERO
        objective = [side * entry for entry in self.integers[:-1]]
        end = maximise_rows(objective, [item.row for item in cell.rows], [item.row for item in cell.equations])
        assert not isinstance(end, Infeasible)  # the cell has a point
        if isinstance(end, Optimal) and end.value + side * self.integers[-1] <= 0:
            return {own: start}, end
        ray = end.ray if isinstance(end, Unbounded) else tuple(e - s for e, s in zip(end.point, start, strict=True))
        speed = sum(map(mul, self.integers[:-1], ray)) / Fraction(self.scale)
        if not here:
            step = Fraction(1)
            while not all(item.holds(moved(start, ray, -step)) for item in cell.rows):
                step /= 2
            return {ZERO: start, PLUS: moved(start, ray, Fraction(1, 2)), MINUS: moved(start, ray, -step)}, None
        zero = -here / speed
        beyond = zero + 1 if isinstance(end, Unbounded) else (zero + 1) / 2
        return {own: start, ZERO: moved(start, ray, zero), MINUS if here > 0 else PLUS: moved(start, ray, beyond)}, None

    def refutation(self, state: State, end: Optimal | None) -> Empty:
        """The multipliers of the optimum, with the inequality or equation that it contradicts."""
        assert end is not None
        here = self.value(self.cell.point)
        # Where the form is 0 on the whole cell, only equations have multipliers, of either sign.
        sign = -1 if not here and state == MINUS else 1
        terms: list[tuple[Name, Fraction]] = [
            (item.name, sign * weight * item.scale / self.scale)
            for item, weight in zip(
                (*self.cell.rows, *self.cell.equations), (*end.multipliers, *end.equation_multipliers), strict=True
            )
            if weight
        ]
        own = Fraction(-1 if state == ZERO and here < 0 else 1)
        return Empty(coprime([*terms, (self.name, own)]))


def moved(start: Vector, ray: Vector, step: Fraction | int) -> Vector:
    """The point at a multiple of a direction."""
    return tuple(s + step * r for s, r in zip(start, ray, strict=True))
