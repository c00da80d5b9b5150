"""One layer of a network: its edges from earlier layers, biases and activations."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from ..errors import InvalidNetwork, InvalidNumber, WrongDimension
from ..rationals import rational, rational_vector, text
from .activations import RELU, Activation, activation

Row: TypeAlias = tuple[Fraction | None, ...]
Block: TypeAlias = tuple[Row, ...]
"""Weights from one source layer: one row per neuron, ``None`` for an absent edge."""


class Names(NamedTuple):
    """What messages call the arguments of a layer; ``block`` is a template for the source."""

    weights: str = "weights"
    block: str = 'weights["{}"]'
    bias: str = "bias"
    activation: str = "activation"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Layer:
    r"""A layer of neurons :math:`v` with values :math:`\rho_v(b_v+\sum_u w_{uv}\,u)`.

    ``weights`` maps each source layer (0 is the input) to a matrix with one row
    per neuron of this layer and one column per neuron of the source; ``None``
    marks an absent edge. ``bias`` has one entry per neuron, or is ``None`` for a
    layer without bias parameters. ``activation`` is a name, or one per neuron.

    Blocks without any edge are dropped, and the rest are sorted by source, so
    that equal layers compare equal.

    Raises :class:`~exactrelu.errors.InvalidNetwork` or
    :class:`~exactrelu.errors.InvalidNumber`.

    >>> layer = Layer({0: [["1/2", None]]}, bias=[1])
    >>> layer
    Layer({0: [["1/2", None]]}, bias=[1], activation="relu")
    >>> layer.width
    1
    """

    blocks: tuple[tuple[int, Block], ...]
    bias: tuple[Fraction, ...] | None
    activations: tuple[Activation, ...]

    def __init__(
        self,
        weights: Mapping[int, Iterable[Iterable[object]]],
        *,
        bias: Iterable[object] | None = None,
        activation: object = RELU,
    ) -> None:
        _build(self, weights, bias, activation, Names())

    @classmethod
    def named(cls, names: Names, weights: object, bias: object, activation: object) -> Layer:
        """The same as the constructor, with other ``names`` for the arguments in messages."""
        layer = cls.__new__(cls)
        _build(layer, weights, bias, activation, names)
        return layer

    @property
    def width(self) -> int:
        """The number of neurons."""
        return len(self.activations)

    @property
    def weights(self) -> dict[int, Block]:
        """The blocks by source layer."""
        return dict(self.blocks)

    @property
    def is_affine(self) -> bool:
        """Whether no neuron of the layer bends."""
        return all(rho.is_affine for rho in self.activations)

    @property
    def is_numbered(self) -> bool:
        """Whether patterns give the layer piece numbers: a bending neuron is no ReLU."""
        return any(rho != RELU and not rho.is_affine for rho in self.activations)

    @property
    def activation_data(self) -> Any:
        """The activation as JSON data: one value when all neurons share it, else one per neuron."""
        values = [rho.to_json() for rho in self.activations]
        return values[0] if len(set(self.activations)) == 1 else values

    def __repr__(self) -> str:
        blocks = ", ".join(f"{source}: {matrix_text(block)}" for source, block in self.blocks)
        bias = "None" if self.bias is None else row_text(self.bias)
        return f"Layer({{{blocks}}}, bias={bias}, activation={json.dumps(self.activation_data)})"


def matrix_text(block: Iterable[Iterable[Fraction | None]]) -> str:
    """A matrix as a Python literal: integers plain, other numbers quoted."""
    return "[" + ", ".join(row_text(row) for row in block) + "]"


def row_text(row: Iterable[Fraction | None]) -> str:
    """A row as a Python literal: integers plain, other numbers quoted."""
    return "[" + ", ".join(_literal(entry) for entry in row) + "]"


def _literal(entry: Fraction | None) -> str:
    if entry is None:
        return "None"
    # Beyond 4300 digits CPython refuses integer literals; a string always works.
    short = entry.denominator == 1 and entry.numerator.bit_length() < 14_000
    return text(entry) if short else f'"{text(entry)}"'


def _build(layer: Layer, weights: object, bias: object, rho: object, names: Names) -> None:
    if not isinstance(weights, Mapping):
        raise InvalidNetwork(names.weights, "must map source layers to matrices", weights)
    blocks = []
    for source in weights:
        if isinstance(source, bool) or not isinstance(source, int) or source < 0:
            raise InvalidNetwork(names.weights, "must have layer numbers 0, 1, ... as keys", source)
        blocks.append((source, _block(weights[source], names.block.format(source))))
    offsets = None if bias is None else rational_vector(bias, names.bias)  # type: ignore[arg-type]  # checked there
    width = _common_width(blocks, offsets, names)
    object.__setattr__(layer, "activations", _activations(rho, width, names.activation))
    kept = (item for item in blocks if any(entry is not None for row in item[1] for entry in row))
    object.__setattr__(layer, "blocks", tuple(sorted(kept, key=lambda item: item[0])))
    object.__setattr__(layer, "bias", offsets)
    if not layer.blocks and offsets is None:
        raise InvalidNetwork(names.weights, "must contain an edge, since the layer has no biases")


def list_of_rows(rows: object, place: str) -> list[list[object]]:
    """A matrix as lists, refused if it or one of its rows is no list."""
    if isinstance(rows, str | bytes | Mapping) or not isinstance(rows, Iterable):
        raise InvalidNumber(place, "must be a list of rows", rows)
    found = []
    for i, row in enumerate(rows):
        if isinstance(row, str | bytes | Mapping) or not isinstance(row, Iterable):
            raise InvalidNumber(f"{place}[{i}]", "must be a list of numbers", row)
        found.append(list(row))
    return found


def _block(rows: object, place: str) -> Block:
    block = tuple(
        tuple(None if entry is None else rational(entry, f"{place}[{i}][{j}]") for j, entry in enumerate(row))
        for i, row in enumerate(list_of_rows(rows, place))
    )
    if not block or not block[0]:
        raise WrongDimension(place, "must have at least one row and one column")
    for i, row in enumerate(block):
        if len(row) != len(block[0]):
            raise WrongDimension(f"{place}[{i}]", f"must have {len(block[0])} entries like row 0", len(row))
    return block


def _common_width(blocks: list[tuple[int, Block]], bias: tuple[Fraction, ...] | None, names: Names) -> int:
    """The number of neurons on which all blocks and the biases agree."""
    heights = [(names.block.format(source), "rows", len(block)) for source, block in blocks]
    if bias is not None:
        heights.append((names.bias, "entries", len(bias)))
    if not heights or heights[0][2] == 0:
        raise InvalidNetwork(names.weights, "must contain at least one neuron")
    first, _, width = heights[0]
    for name, unit, height in heights:
        if height != width:
            raise WrongDimension(name, f"must have {width} {unit} like {first}", height)
    return width


def _activations(rho: object, width: int, place: str) -> tuple[Activation, ...]:
    if isinstance(rho, list | tuple):
        if len(rho) != width:
            raise WrongDimension(place, f"must have {width} entries, one per neuron", len(rho))
        return tuple(activation(entry, f"{place}[{i}]") for i, entry in enumerate(rho))
    return (activation(rho, place),) * width
