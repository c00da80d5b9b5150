r"""Derivatives of all outputs by all parameters, in integers, on many activation patterns at once.

On a fixed activation pattern the derivative of an output by the parameter from
:math:`u` to :math:`v` is :math:`s_v\,a_u(x)`: the derivative of the output by
the pre-activation of :math:`v`, times the value of :math:`u`. With layer
:math:`l` cleared of its denominator :math:`D_l`, one pass forward and one pass
backward give both factors, and all entries of a row are integers once multiplied by
:math:`D_1\cdots D_L` and by the denominators of the input.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from ...errors import BudgetExceeded
from ...networks import Network, Pattern
from ...networks.patterns import expect_relus
from ...rationals import common_denominator, scaled_integers

Integers: TypeAlias = npt.NDArray[Any]
"""An array of 64-bit integers, or of Python's own where those might overflow."""
Signs: TypeAlias = npt.NDArray[np.int8]
"""Activation patterns, one line each, with one column per bending neuron."""

WORD: Final = 2**63
"""Integers of at least this size do not fit a machine word."""

MOST_REGION_ENTRIES: Final = 10**8
"""The largest number of entries of the rows over one region."""


def sign_array(patterns: Sequence[Pattern]) -> Signs:
    """Patterns as an array: one row per pattern, one column per bending neuron."""
    flat = [[sign for group in pattern.signs for sign in group] for pattern in patterns]
    return np.array(flat, np.int8).reshape(len(flat), len(flat[0]) if flat else 0)


def primitive(rows: Integers) -> Integers:
    """Integer rows divided by their greatest common divisors."""
    divisors = np.gcd.reduce(abs(rows), axis=-1, keepdims=True)
    divided: Integers = rows // np.where(divisors == 0, 1, divisors)
    return divided


def gates(net: Network, signs: Signs) -> list[Integers]:
    """The slope of every neuron on every pattern, layer by layer; shapes (patterns, neurons of the layer)."""
    expect_relus(net)
    column, result = 0, []
    for layer in net.layers:
        slopes = np.ones((len(signs), layer.width), np.int64)
        for i, rho in enumerate(layer.activations):
            if not rho.is_affine:
                slopes[:, i] = signs[:, column] > 0
                column += 1
        result.append(slopes)
    return result


def point_columns(points: Sequence[Sequence[Fraction]]) -> tuple[Integers, list[int]]:
    """Points times their common denominators above these denominators, shape (points, inputs + 1, 1); and these."""
    heights = [common_denominator(point) for point in points]
    columns = [[*scaled_integers(point, height), height] for point, height in zip(points, heights, strict=True)]
    return np.array(columns, object)[:, :, None], heights


def expect_small_regions(net: Network) -> None:
    """Refuse networks whose rows over one region, or their columns, do not fit into memory."""
    entries = (net.input_dim + 1) * max(net.input_dim + 1, net.output_dim * len(net.parameters))
    if entries > MOST_REGION_ENTRIES:
        raise BudgetExceeded("entries of the Jacobian over a region", MOST_REGION_ENTRIES, entries)


class Tape:
    """The layers of a network in integers, ready for forward and backward passes on many patterns at once."""

    __slots__ = ("bound", "layers", "net", "present", "scales")

    def __init__(self, net: Network) -> None:
        self.net = net
        denominators = net.integer_form.denominators
        self.scales = [1]
        for denominator in denominators:
            self.scales.append(self.scales[-1] * denominator)
        self.layers: list[list[tuple[int | None, Integers]]] = []
        self.present: list[list[npt.NDArray[np.bool_]]] = []
        for layer, denominator in zip(net.layers, denominators, strict=True):
            blocks: list[tuple[int | None, Integers]] = []
            masks = []
            for source, block in layer.blocks:
                entries = [scaled_integers([entry or Fraction(0) for entry in row], denominator) for row in block]
                blocks.append((source, np.array(entries, object)))
                masks.append(np.array([[entry is not None for entry in row] for row in block]))
            if layer.bias is not None:
                blocks.append((None, np.array([[e] for e in scaled_integers(layer.bias, denominator)], object)))
                masks.append(np.ones((layer.width, 1), np.bool_))
            self.layers.append(blocks)
            self.present.append(masks)
        # No number is larger where inputs and heights are at most 1: the passes on absolute values, all gates open.
        open_gates = [np.ones((1, layer.width), object) for layer in net.layers]
        absolute = [[(source, abs(block)) for source, block in blocks] for blocks in self.layers]
        passes = self._passes(absolute, open_gates, np.ones((1, net.input_dim + 1, 1), object))
        weights = [block for blocks in absolute for _, block in blocks]
        self.bound = max(self.scale, *(int(part.max()) for part in (*passes, *weights)))

    @property
    def scale(self) -> int:
        """The factor that clears all rows of denominators."""
        return self.scales[-1]

    def rows(self, signs: Signs, columns: Integers, places: Sequence[int] | None = None) -> Integers:
        r"""The rows of :math:`\Gamma` times :attr:`scale`, shape (patterns x outputs x columns, parameters).

        ``signs`` has one row per pattern; ``columns``, of shape (patterns or 1,
        inputs + 1, columns), holds integer inputs below which stand their heights.
        ``places`` selects parameters, ascending.
        """
        largest = int(abs(columns).max()) * self.bound
        kind = np.int64 if largest < WORD else object
        layers = [[(source, block.astype(kind)) for source, block in blocks] for blocks in self.layers]
        opened = [gate.astype(kind) for gate in gates(self.net, signs)]
        *_, rows = self._passes(layers, opened, columns.astype(kind), places)
        return rows.reshape(math.prod(rows.shape[:-1]), rows.shape[-1])

    def over_regions(self, signs: Signs) -> Integers:
        """Primitive rows that span those of the sample Jacobian over every region; shape (..., parameters)."""
        return primitive(self.rows(signs, self._unit_columns()))

    def entries_over_regions(self, signs: Signs, places: Sequence[int]) -> Integers:
        """Some columns of rows that span those of the sample Jacobian over every region; not primitive."""
        return self.rows(signs, self._unit_columns(), places)

    def _unit_columns(self) -> Integers:
        expect_small_regions(self.net)
        return np.eye(self.net.input_dim + 1, dtype=np.int64)[None]

    def _passes(
        self,
        layers: list[list[tuple[int | None, Integers]]],
        opened: list[Integers],
        columns: Integers,
        places: Sequence[int] | None = None,
    ) -> list[Integers]:
        """Values, sensitivities, and last the rows, of shape (patterns, outputs, columns, parameters)."""
        inputs, heights = columns[:, :-1], columns[:, -1:]
        values = [inputs]
        for number, blocks in enumerate(layers):
            sums = sum(
                self.lift(source, number) * (block @ self._value(source, values, heights)) for source, block in blocks
            )
            values.append(opened[number][:, :, None] * sums)
        after: list[Any] = [0] * len(layers)
        last = opened[-1]
        after[-1] = last[:, :, None] * np.eye(last.shape[1], dtype=last.dtype)
        for number in range(len(layers) - 1, 0, -1):
            for source, block in layers[number]:
                if source:
                    step = self.scales[number] // self.scales[source]
                    after[source - 1] = (
                        after[source - 1] + step * (after[number] @ block) * opened[source - 1][:, None, :]
                    )
        parts, first = [], 0
        for number, blocks in enumerate(layers):
            for (source, _), mask in zip(blocks, self.present[number], strict=True):
                value = self.lift(source, number + 1) * self._value(source, values, heights)
                target, origin = np.nonzero(mask)
                if places is not None:
                    wanted = [k - first for k in places if first <= k < first + len(target)]
                    first += len(target)
                    target, origin = target[wanted], origin[wanted]
                moved = np.broadcast_to(value.swapaxes(1, 2), (len(last), value.shape[2], value.shape[1]))
                parts.append(after[number][:, :, None, target] * moved[:, None, :, origin])
        return [*values, *after, np.concatenate(parts, axis=-1)]

    def lift(self, source: int | None, number: int) -> int:
        """What brings the values of a source (``None``: the constant 1) to the scale of layer ``number``."""
        return self.scales[number] // self.scales[source or 0]

    @staticmethod
    def _value(source: int | None, values: list[Integers], heights: Integers) -> Integers:
        return heights if source is None else values[source]
