r"""Affine functions of the layers of a network under construction.

A *tensor* here is :math:`\sum_lA_lz_l+c`, a sum of matrices times the vectors
:math:`z_l` of the layers so far (:math:`z_0` is the input), with a shape that only
says how its entries are arranged. Sums stay tensors; a ReLU makes a layer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Final, TypeAlias

from ..networks import IDENTITY, RELU, Activation, Layer
from ..rationals import Vector, dot

Matrix: TypeAlias = list[list[Fraction | None]]
Shape: TypeAlias = tuple[int, ...]

FOLDED: Final = "constants added before a matrix product are composed into its bias"
SKIPPED: Final = "tensors added without a matrix enter along edges of weight 1"


@dataclass(frozen=True, slots=True)
class Affine:
    """A computed tensor: the sum of matrices times earlier layers (``None``: the layer itself), and an offset."""

    shape: Shape
    blocks: dict[int, Matrix | None]
    offset: Vector | None = None

    @property
    def size(self) -> int:
        """The number of entries."""
        return prod(self.shape)

    @property
    def is_plain(self) -> bool:
        """Whether it is one earlier layer, up to an offset."""
        return list(self.blocks.values()) == [None]


class LayerBuilder:
    """Layers that are appended one by one, and what was decided on the way."""

    def __init__(self) -> None:
        self.layers: list[Layer] = []
        self.notes: set[str] = set()

    def append(self, value: Affine, rho: Activation) -> Affine:
        """A new layer, as a tensor."""
        blocks = {source: self._matrix(value, source) for source in value.blocks}
        self.layers.append(Layer(blocks, bias=value.offset, activation=[rho] * value.size))
        return Affine(value.shape, {len(self.layers): None})

    def _matrix(self, value: Affine, source: int) -> Matrix:
        matrix = value.blocks[source]
        if matrix is not None:
            return matrix
        self.notes.add(SKIPPED)
        return [[Fraction(1) if i == j else None for j in range(value.size)] for i in range(value.size)]

    def product(self, value: Affine, matrix: Sequence[Iterable[Fraction]], shape: Shape) -> Affine:
        """The matrix, with one row per result, times a tensor."""
        if not value.is_plain:
            value = self.append(value, IDENTITY)
        (source,) = value.blocks
        rows = [tuple(row) for row in matrix]
        offset = None
        if value.offset is not None:
            self.notes.add(FOLDED)
            offset = tuple(dot(row, value.offset) for row in rows)
        return Affine(shape, {source: [list(row) for row in rows]}, offset)

    def sum(self, left: Affine, right: Affine, sign: int, shape: Shape) -> Affine:
        """The sum or difference of two tensors of the same size."""
        blocks: dict[int, Matrix | None] = dict(left.blocks)
        for source in right.blocks:
            matrix = [[None if e is None else sign * e for e in row] for row in self._matrix(right, source)]
            if source in blocks:
                pairs = zip(self._matrix(left, source), matrix, strict=True)
                matrix = [[_plus(a, b) for a, b in zip(*rows, strict=True)] for rows in pairs]
            blocks[source] = matrix
        signed = None if right.offset is None else tuple(sign * entry for entry in right.offset)
        return Affine(shape, blocks, sum_of_offsets(left.offset, signed))

    def relu(self, value: Affine) -> Affine:
        """The positive part, which makes a layer."""
        return self.append(value, RELU)


def _plus(a: Fraction | None, b: Fraction | None) -> Fraction | None:
    return b if a is None else a if b is None else a + b


def sum_of_offsets(a: Vector | None, b: Vector | None) -> Vector | None:
    """The sum of two offsets, either of which may be absent."""
    if a is None or b is None:
        return b if a is None else a
    return tuple(x + y for x, y in zip(a, b, strict=True))
