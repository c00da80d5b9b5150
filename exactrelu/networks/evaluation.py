r"""Values, pre-activations, patterns and affine maps, computed in integers.

Every layer :math:`l` is cleared of denominators once: :math:`D_lW_l` and
:math:`D_lb_l` are integral. A column :math:`(x\cdot s, s)` of integers then
passes through the network without a single fraction; after layer :math:`l` it
carries the pre-activations times :math:`s\,D_1\cdots D_l`. A column with
:math:`s=0` is a *direction*, so that on a fixed pattern the columns
:math:`(e_i,0)` and :math:`(0,1)` produce the linear part and the offset of the
affine map by the same few lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Final

from ..errors import BudgetExceeded, InvalidInput
from ..rationals import IntegerMatrix, Matrix, Vector, common_denominator, rational_vector, scaled_integers
from .patterns import Pattern, bending_neurons, slopes
from .symbolic import symbolic_values

if TYPE_CHECKING:
    from .network import Network

Rows = list[list[int]]
Gate = Callable[[int, Rows], Rows]
AffineMap = tuple[Matrix, Vector]
"""A pair of a matrix and an offset."""

MOST_INPUTS: Final = 5_000
"""The largest number of inputs of which affine maps are computed."""


class IntegerForm:
    """The layers of a network as integer matrices, each with its denominator."""

    __slots__ = ("denominators", "matrices", "sources")

    def __init__(self, net: Network) -> None:
        self.denominators: list[int] = []
        self.matrices: list[IntegerMatrix] = []
        self.sources: list[tuple[int, ...]] = []
        for layer in net.layers:
            rows = [
                [entry or Fraction(0) for _, block in layer.blocks for entry in block[i]]
                + ([layer.bias[i]] if layer.bias is not None else [])
                for i in range(layer.width)
            ]
            scale = common_denominator(entry for row in rows for entry in row)
            self.denominators.append(scale)
            self.matrices.append(IntegerMatrix([scaled_integers(row, scale) for row in rows], len(rows[0])))
            self.sources.append(tuple(source for source, _ in layer.blocks))

    def propagate(self, net: Network, columns: Rows, heights: Sequence[int], gate: Gate) -> list[Rows]:
        """The pre-activations of all layers on integer columns, times their scales.

        ``columns`` are ``input_dim`` rows, ``heights`` the homogeneous coordinate
        of each column; ``gate(l, rows)`` turns pre-activations of layer ``l``
        (from 0) into values.
        """
        values, scales, result = [columns], [1], []
        for number, matrix in enumerate(self.matrices):
            scale = scales[-1]
            stacked: Rows = []
            for source in self.sources[number]:
                factor = scale // scales[source]
                stacked += (
                    values[source] if factor == 1 else [[factor * entry for entry in row] for row in values[source]]
                )
            if net.layers[number].bias is not None:
                stacked.append([scale * height for height in heights])
            rows = matrix.times(stacked, len(heights))
            result.append(rows)
            values.append(gate(number, rows))
            scales.append(scale * self.denominators[number])
        return result


def preactivation_rows(net: Network, points: Sequence[Vector]) -> tuple[list[Rows], list[int]]:
    """Integer pre-activations at ``points`` (columns), and the homogeneous heights.

    The pre-activation of layer ``l`` at point ``k`` is row entry ``k`` divided by
    ``heights[k]`` and by the first ``l`` denominators.
    """
    heights = [common_denominator(point) for point in points]
    scaled = [scaled_integers(point, height) for point, height in zip(points, heights, strict=True)]
    columns = [list(row) for row in zip(*scaled, strict=True)] if scaled else [[] for _ in range(net.input_dim)]

    def gate(number: int, rows: Rows) -> Rows:
        rhos = net.layers[number].activations
        return [row if rho.is_affine else [max(entry, 0) for entry in row] for rho, row in zip(rhos, rows, strict=True)]

    return net.integer_form.propagate(net, columns, heights, gate), heights


def preactivations(net: Network, points: Sequence[Vector]) -> list[tuple[Vector, ...]]:
    """For every point the pre-activations of all neurons, layer by layer."""
    folding = net.unfolding
    if folding.network is not net:
        return [folding.preactivations(found) for found in preactivations(folding.network, points)]
    rows, heights = preactivation_rows(net, points)
    scales = _scales(net)
    return [
        tuple(
            tuple(Fraction(row[k], scale * height) for row in layer) for layer, scale in zip(rows, scales, strict=True)
        )
        for k, height in enumerate(heights)
    ]


def values(net: Network, points: Sequence[Vector]) -> list[Vector]:
    """The output vector at every point; SymPy expressions if some activation is analytic."""
    if net.is_analytic:
        return symbolic_values(net, points)
    if net.unfolding.network is not net:
        return values(net.unfolding.network, points)
    rows, heights = preactivation_rows(net, points)
    scale, rhos = _scales(net)[-1], net.layers[-1].activations
    return [
        tuple(
            Fraction(row[k] if rho.is_affine else max(row[k], 0), scale * height)
            for rho, row in zip(rhos, rows[-1], strict=True)
        )
        for k, height in enumerate(heights)
    ]


def patterns(net: Network, points: Sequence[Vector]) -> list[Pattern]:
    """The activation pattern at every point."""
    if net.unfolding.network is not net:
        return [_pieces(net, found) for found in preactivations(net, points)]
    rows, heights = preactivation_rows(net, points)
    return [
        Pattern(
            tuple(
                tuple(
                    (row[k] > 0) - (row[k] < 0)
                    for rho, row in zip(layer.activations, signs, strict=True)
                    if not rho.is_affine
                )
                for layer, signs in zip(net.layers, rows, strict=True)
                if not layer.is_affine
            )
        )
        for k in range(len(heights))
    ]


def _pieces(net: Network, found: Sequence[Vector]) -> Pattern:
    """The pattern of a network with numbered layers from its pre-activations at a point."""
    groups, numbered = [], []
    for layer, row in zip(net.layers, found, strict=True):
        bending = bending_neurons(layer)
        if bending:
            numbered.append(layer.is_numbered)
            groups.append(
                tuple(
                    layer.activations[i].piece(row[i]) if layer.is_numbered else (row[i] > 0) - (row[i] < 0)  # type: ignore[union-attr]  # unfolded
                    for i in bending
                )
            )
    return Pattern(tuple(groups), tuple(numbered))


def affine_maps(net: Network, pattern: Pattern | str) -> list[AffineMap]:
    """The affine maps of the pre-activations of every layer on a pattern.

    A neuron with sign 0 counts as not active, as its value is 0 there.
    """
    folding = net.unfolding
    if folding.network is not net:
        return folding.maps(affine_maps(folding.network, folding.pattern(pattern)))
    rows, scales, size = _integer_maps(net, pattern), _scales(net), net.input_dim
    return [_affine_map(layer, scale, size) for layer, scale in zip(rows, scales, strict=True)]


def expect_few_inputs(count: int) -> None:
    """Refuse numbers of inputs of which the identity matrix, where affine maps begin, does not fit into memory."""
    if count > MOST_INPUTS:
        raise BudgetExceeded("inputs of affine maps", MOST_INPUTS, count)


def _integer_maps(net: Network, pattern: Pattern | str) -> list[Rows]:
    """The affine maps of all layers of ReLUs and identities on a pattern, slopes and constants times their scales.

    They grow from the identity of the inputs.
    """
    gates, dimension = slopes(net, pattern), net.input_dim
    expect_few_inputs(dimension)
    columns = [[int(i == j) for j in range(dimension)] + [0] for i in range(dimension)]

    def gate(number: int, rows: Rows) -> Rows:
        return [
            row if slope == 1 else [slope * entry for entry in row]
            for slope, row in zip(gates[number], rows, strict=True)
        ]

    return net.integer_form.propagate(net, columns, [0] * dimension + [1], gate)


def _affine_map(rows: Rows, scale: int, dimension: int) -> AffineMap:
    matrix = tuple(tuple(Fraction(entry, scale) for entry in row[:dimension]) for row in rows)
    return matrix, tuple(Fraction(row[dimension], scale) for row in rows)


def affine_on(net: Network, pattern: Pattern | str) -> AffineMap:
    """The affine map of the outputs on a pattern."""
    if net.unfolding.network is not net:
        return affine_on(net.unfolding.network, net.unfolding.pattern(pattern))
    return gated(net, pattern, _affine_map(_integer_maps(net, pattern)[-1], _scales(net)[-1], net.input_dim))


def gated(net: Network, pattern: Pattern | str, outputs: AffineMap) -> AffineMap:
    """The affine map of the outputs from that of their pre-activations on a pattern."""
    if net.unfolding.network is not net:
        return affine_on(net, pattern)
    matrix, offset = outputs
    gates = slopes(net, pattern)[-1]
    return (
        tuple(tuple(slope * entry for entry in row) for slope, row in zip(gates, matrix, strict=True)),
        tuple(slope * entry for slope, entry in zip(gates, offset, strict=True)),
    )


def as_points(net: Network, points: Iterable[Iterable[object]]) -> list[Vector]:
    """Points of the input space, checked one by one."""
    if isinstance(points, str | bytes | Mapping) or not isinstance(points, Iterable):
        raise InvalidInput("points", "must be a list of points", points)
    return [rational_vector(point, f"points[{k}]", length=net.input_dim) for k, point in enumerate(points)]


def _scales(net: Network) -> list[int]:
    denominators = net.integer_form.denominators
    return [prod(denominators[: number + 1]) for number in range(len(denominators))]
