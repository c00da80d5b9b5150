r"""The affine forms of all neurons on one activation region, and how far they may move.

A *form* is a tuple of slopes followed by a constant, on inputs :math:`x`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ...networks.evaluation import affine_maps
from ...networks.patterns import slopes
from ...polyhedra import Infeasible, Unbounded, maximise_rows
from ...rationals import Vector, common_denominator, scaled_integers
from ...regions import ActivationRegion
from ...verdicts import Neuron
from .activity import Activity, Source

ZERO, ONE = Fraction(0), Fraction(1)


class Cell:
    r"""A closed region :math:`P` with the pre-activation and the value of every neuron on it."""

    def __init__(self, region: ActivationRegion) -> None:
        net = region.complex.network
        size = net.input_dim + 1
        self.region = region
        self.depth = net.depth
        self._before: dict[Neuron, Vector] = {}
        self._value: dict[Source, Vector] = {None: _unit(size, size - 1)}
        self._value |= {(0, j): _unit(size, j) for j in range(net.input_dim)}
        gates = slopes(net, region.pattern)
        for layer, (matrix, offset) in enumerate(affine_maps(net, region.pattern), start=1):
            for i, (row, constant) in enumerate(zip(matrix, offset, strict=True)):
                form = (*row, constant)
                self._before[layer, i] = form
                self._value[layer, i] = form if gates[layer - 1][i] else (ZERO,) * size
        self._rows: list[list[int]] | None = None

    def before(self, neuron: Neuron) -> Vector:
        """The pre-activation of a neuron."""
        return self._before[neuron]

    def value(self, source: Source) -> Vector:
        """The value of a neuron or an input; 1 for the source of biases."""
        return self._value[source]

    def must_keep(self, neuron: Neuron) -> bool:
        """Whether any change of the pre-activation is a change of the value: at outputs, and where it is positive."""
        return neuron[0] == self.depth or any(self._value[neuron])

    def combination(self, activity: Activity, neuron: Neuron, entries: Mapping[int, Fraction]) -> Vector:
        """What changes of the parameters into a neuron, by their positions, do to its pre-activation."""
        total = [ZERO] * len(self._value[None])
        for source, place in activity.incoming[neuron].items():
            weight = entries.get(place)
            if weight:
                total = [a + weight * b for a, b in zip(total, self._value[source], strict=True)]
        return tuple(total)

    @property
    def rows(self) -> list[list[int]]:
        r"""Integer rows, with bound 0, of the cone over it: :math:`\langle n,x\rangle\le\beta s`, :math:`s\ge0`."""
        if self._rows is None:
            sides = [item.row for item in self.region.polyhedron.halfspaces]
            self._rows = [[*row[:-1], -row[-1], 0] for row in sides]
            self._rows.append([0] * (len(self._value[None]) - 1) + [-1, 0])
        return self._rows


def largest_step(cell: Cell, start: Vector, change: Vector) -> Fraction:
    r"""The largest :math:`T\le1` with :math:`g+t\kappa\le0` on the cell for :math:`0\le t\le T`; 0 if there is none.

    On the cone over the cell both forms are linear. Where :math:`g=-1` the bound
    on :math:`t` is :math:`1/\kappa`; where :math:`g=0<\kappa` there is no step,
    and then :math:`\kappa` is unbounded on the slice :math:`g=-1`.
    """
    if not any(start) and not any(change):
        return ONE
    scale = common_denominator((*start, *change))
    base, growth = scaled_integers(start, scale), scaled_integers(change, scale)
    if any(base) and isinstance(maximise_rows(base, cell.rows), Unbounded):
        return ZERO
    if not any(growth):
        return ONE
    slice_ = maximise_rows(growth, cell.rows, [[*base, -1]]) if any(base) else None
    if slice_ is None or isinstance(slice_, Infeasible):
        return ZERO if isinstance(maximise_rows(growth, cell.rows), Unbounded) else ONE
    if isinstance(slice_, Unbounded):
        return ZERO
    return ONE if slice_.value <= 1 else 1 / slice_.value


def _unit(length: int, axis: int) -> Vector:
    return tuple(ONE if i == axis else ZERO for i in range(length))
