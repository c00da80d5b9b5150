r"""Every continuous piecewise-linear :math:`\rho` as a sum of ReLUs, and networks rewritten accordingly.

With breakpoints :math:`b_1<\dots<b_m`, bends :math:`\beta_k` and first piece
:math:`st+c`,

.. math:: \rho(t)=st+c+\sum_k\beta_k\,\sigma(t-b_k).

So a neuron unfolds into :math:`m` ReLU neurons with parallel walls, and an
identity neuron if :math:`s\neq0`; its children read the sum. The unfolded network
has the same function and the same activation regions, and everything that is
known about networks of ReLUs and identities applies.

>>> from .network import Network
>>> hat = Network.mlp([[[1]], [[3]]], activation="hat")
>>> print(hat.unfolding.network.explain())
<BLANKLINE>
  h1_0 = relu(x0 + 1)
  h1_1 = relu(x0)
  h1_2 = relu(x0 - 1)
  y0 = 3*h1_0 - 6*h1_1 + 3*h1_2
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeAlias

from ..errors import HypothesisNotMet
from ..rationals import Matrix, Vector
from ..verdicts import Neuron
from .activations import IDENTITY, RELU, Activation
from .layers import Block, Layer, Row
from .patterns import Pattern, bending_neurons, fitting
from .piecewise_linear import PiecewiseLinear

if TYPE_CHECKING:
    from .network import Network

ZERO = Fraction(0)
Part: TypeAlias = tuple[Fraction, Fraction, PiecewiseLinear]
"""A neuron of an unfolding: it applies ``rho`` to the pre-activation minus a shift, and counts with a factor."""


@dataclass(frozen=True, slots=True)
class Unfolding:
    """A network of ReLU and identity neurons with the function of ``folded``.

    ``places[l][i]`` says of neuron ``i`` of layer ``l + 1`` which neuron the first of its parts has become, and
    by how much the pre-activation was lowered there.
    """

    folded: Network
    network: Network
    places: tuple[tuple[tuple[int, Fraction], ...], ...]

    @property
    def bending(self) -> list[tuple[Neuron, int, bool]]:
        """The bending neurons of ``folded``, each with the number of its breakpoints and whether it is numbered."""
        return [
            ((number, i), len(layer.activations[i].breakpoints), layer.is_numbered)  # type: ignore[union-attr]  # unfolded
            for number, layer in enumerate(self.folded.layers, start=1)
            for i in bending_neurons(layer)
        ]

    @property
    def walls(self) -> list[Neuron]:
        """For every bending neuron of ``network`` the neuron of ``folded`` that it is a part of."""
        return [neuron for neuron, breakpoints, _ in self.bending for _ in range(breakpoints)]

    def pattern(self, folded: Pattern | str) -> Pattern:
        """The pattern of the unfolded network where the other has pattern ``folded``."""
        if self.network is self.folded:
            return fitting(self.folded, folded)
        codes = [code for group in fitting(self.folded, folded).signs for code in group]
        groups: dict[int, list[int]] = {}
        for code, ((layer, _), walls, numbered) in zip(codes, self.bending, strict=True):
            groups.setdefault(layer, []).extend([1] * code + [-1] * (walls - code) if numbered else [code])
        return Pattern(tuple(map(tuple, groups.values())))

    def maps(self, unfolded: Sequence[tuple[Matrix, Vector]]) -> list[tuple[Matrix, Vector]]:
        """The affine maps of the pre-activations of ``folded``, layer by layer, from those of the unfolded network."""
        return [
            (tuple(matrix[k] for k, _ in places), tuple(offset[k] + shift for k, shift in places))
            for places, (matrix, offset) in zip(self.places, unfolded, strict=False)  # an output may have become hidden
        ]

    def preactivations(self, unfolded: Sequence[Vector]) -> tuple[Vector, ...]:
        """The pre-activations of ``folded`` from those of the unfolded network."""
        return tuple(
            tuple(row[k] + shift for k, shift in places) for places, row in zip(self.places, unfolded, strict=False)
        )


def unfolded(net: Network) -> Unfolding:
    r"""The network with every piecewise-linear neuron replaced by ReLUs.

    Raises :class:`~exactrelu.errors.HypothesisNotMet` for analytic activations.
    """
    from .network import Network

    for number, layer in enumerate(net.layers, start=1):
        for i, rho in enumerate(layer.activations):
            if not isinstance(rho, PiecewiseLinear):
                raise HypothesisNotMet("network", f"must be piecewise linear, but neuron ({number}, {i}) is {rho.name}")
    if all(rho in (RELU, IDENTITY) for layer in net.layers for rho in layer.activations):
        return Unfolding(net, net, tuple(tuple((i, ZERO) for i in range(layer.width)) for layer in net.layers))
    layers: list[Layer] = []
    places: list[tuple[tuple[int, Fraction], ...]] = []
    for layer in net.layers:
        split = [parts(rho)[0] for rho in layer.activations]
        starts = accumulate((len(found) for found in split), initial=0)
        places.append(tuple((start, found[0][0]) for start, found in zip(starts, split, strict=False)))
        layers.append(_unfolded_layer(net, layer, split))
    if layers[-1].activations != net.layers[-1].activations:
        layers.append(_summing_layer(net))
    return Unfolding(net, Network(net.input_dim, layers), tuple(places))


def parts(rho: Activation) -> tuple[list[Part], Fraction]:
    r"""The summands of :math:`\rho` and its constant.

    >>> parts(PiecewiseLinear.absolute_value())[0][0][1]
    Fraction(2, 1)
    """
    assert isinstance(rho, PiecewiseLinear)
    if rho in (RELU, IDENTITY):
        return [(ZERO, Fraction(1), rho)], ZERO
    slope, constant = rho.affine_piece(0)
    walls = [(kink, bend, RELU) for kink, bend in zip(rho.breakpoints, rho.bends, strict=True)]
    return walls + ([(ZERO, slope, IDENTITY)] if slope else []), constant


def _unfolded_layer(net: Network, layer: Layer, split: list[list[Part]]) -> Layer:
    copies = [(i, part) for i, found in enumerate(split) for part in found]
    blocks, constants = _incoming(net, layer)
    biases = [constant + (layer.bias[i] if layer.bias else ZERO) for i, constant in enumerate(constants)]
    shifted = [biases[i] - part[0] for i, part in copies]
    return Layer(
        {source: [block[i] for i, _ in copies] for source, block in blocks.items()},
        bias=shifted if layer.bias is not None or any(shifted) else None,
        activation=[part[2] for _, part in copies],
    )


def _incoming(net: Network, layer: Layer) -> tuple[dict[int, list[Row]], list[Fraction]]:
    """The weights of a layer from unfolded sources, and what the constants of these add to its biases."""
    blocks: dict[int, list[Row]] = {}
    constants = [ZERO] * layer.width
    for source, block in layer.blocks:
        if source == 0:
            blocks[0] = list(block)
            continue
        columns = [parts(rho) for rho in net.layers[source - 1].activations]
        blocks[source] = [_split_row(row, columns) for row in block]
        for i, row in enumerate(block):
            constants[i] += sum((w * c for w, (_, c) in zip(row, columns, strict=True) if w), ZERO)
    return blocks, constants


def _split_row(row: Row, columns: Sequence[tuple[list[Part], Fraction]]) -> Row:
    return tuple(
        None if weight is None else weight * factor
        for weight, (found, _) in zip(row, columns, strict=True)
        for _, factor, _ in found
    )


def _summing_layer(net: Network) -> Layer:
    """Outputs that add up the parts of an output layer that bends."""
    size = net.output_dim
    identity: Block = tuple(tuple(Fraction(1) if i == j else None for j in range(size)) for i in range(size))
    columns = [parts(rho) for rho in net.layers[-1].activations]
    constants: list[Any] = [constant for _, constant in columns]
    rows = [_split_row(row, columns) for row in identity]
    return Layer({net.depth: rows}, bias=constants if any(constants) else None, activation=IDENTITY)
