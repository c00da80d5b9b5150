r"""Affine symmetries added to networks, from the definition and without any rule of when that is allowed.

The neurons of a symmetry enter as new ones, whether or not they are there
already. Where a layer has no bias parameters the constants that it would need are
left out, so that the function may change.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from ...errors import HypothesisNotMet
from ...networks import Layer, Network
from ...networks.layers import Row
from ...symmetries import Modification
from ...verdicts import Neuron
from ..forms import forms

ZERO = Fraction(0)


def modified(net: Network, modification: Modification) -> Network:
    r"""The network with neurons :math:`\rho(\beta_su+\gamma_s)`, whose weights :math:`y\alpha_s` enter the child.

    Raises :class:`~exactrelu.errors.HypothesisNotMet` for neurons that the network does not have, or a child
    that is not in a later layer.
    """
    (place, index), (child, hearer) = modification.neuron, modification.child
    widths, symmetry = net.widths, modification.symmetry
    if not (1 <= place < child <= net.depth and index < widths[place] and hearer < widths[child]):
        raise HypothesisNotMet("modification", "must name a hidden neuron and a child in a later layer")
    amounts = [modification.amount * a for a in symmetry.coefficients]
    layers = list(net.layers)
    layers[place - 1] = _with_atoms(layers[place - 1], index, symmetry.atoms)
    for k in range(place, net.depth):
        heard = amounts if k + 1 == child else []
        shift = modification.amount * symmetry.constant if k + 1 == child else ZERO
        layers[k] = _with_columns(layers[k], place, widths[place], len(amounts), hearer, heard, shift)
    return Network(net.input_dim, layers)


def _with_atoms(layer: Layer, index: int, atoms: tuple[tuple[Fraction, Fraction], ...]) -> Layer:
    """The layer with a new neuron per atom, along the pre-activation of one that is there."""
    blocks = {
        source: [*block, *([None if e is None else beta * e for e in block[index]] for beta, _ in atoms)]
        for source, block in layer.blocks
    }
    bias = layer.bias
    if bias is not None:
        bias = (*bias, *(beta * bias[index] + gamma for beta, gamma in atoms))
    rhos = [*layer.activations, *[layer.activations[index]] * len(atoms)]
    return Layer(blocks, bias=bias, activation=rhos)


def _with_columns(
    layer: Layer, source: int, width: int, count: int, hearer: int, amounts: list[Fraction], shift: Fraction
) -> Layer:
    """A later layer: one neuron of it hears the new ones."""
    blocks: dict[int, tuple[Row, ...] | list[Row]] = dict(layer.blocks)
    if source in blocks or amounts:
        empty: list[Row] = [(None,) * width for _ in range(layer.width)]
        rows = blocks.get(source, empty)
        heard = {hearer: tuple(amounts)} if amounts else {}
        blocks[source] = [(*row, *heard.get(i, (None,) * count)) for i, row in enumerate(rows)]
    bias = layer.bias
    if bias is not None:
        bias = tuple(b - shift if i == hearer else b for i, b in enumerate(bias))
    return Layer(blocks, bias=bias, activation=layer.activations)


def clone_pairs(net: Network) -> list[tuple[Neuron, Neuron]]:
    """The pairs of hidden neurons with the same activation, parents, weights and bias."""
    found = forms(net)
    return [(u, v) for u, v in combinations(found, 2) if found[u] == found[v] and _rho(net, u) == _rho(net, v)]


def _rho(net: Network, neuron: Neuron) -> object:
    return net.layers[neuron[0] - 1].activations[neuron[1]]
