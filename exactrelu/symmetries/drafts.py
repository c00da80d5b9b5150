r"""Networks taken apart, so that neurons can be added, merged and dropped.

A :class:`Draft` holds one object per neuron. Edges name their source by object,
not by number, so that nothing has to be renumbered until the network is put
together again. A network whose layers read the whole previous layer stays such
a network: edges that are missing then get the weight 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from ..errors import InvalidInput
from ..networks import IDENTITY, Layer, Network
from ..networks.activations import Activation
from ..verdicts import Neuron

ZERO = Fraction(0)


@dataclass(eq=False, slots=True)
class DraftNeuron:
    """A neuron, or an input (without weights): what it applies to the sum of its bias and its weighted sources."""

    rho: Activation = IDENTITY
    weights: dict[DraftNeuron, Fraction] = field(default_factory=dict)
    bias: Fraction = ZERO

    @property
    def form(self) -> Mapping[DraftNeuron, Fraction]:
        """The nonzero weights."""
        return {source: weight for source, weight in self.weights.items() if weight}

    @property
    def key(self) -> tuple[Activation, frozenset[tuple[DraftNeuron, Fraction]], Fraction]:
        """Equal for neurons that compute the same from the same sources (constant ones: from no sources)."""
        return self.rho, frozenset(self.form.items()), self.bias

    def absorb(self, copy: DraftNeuron, children: Sequence[DraftNeuron]) -> None:
        """Take over the outgoing weights of a neuron with the same value."""
        for child in children:
            if copy in child.weights:
                child.weights[self] = child.weights.get(self, ZERO) + child.weights.pop(copy)


@dataclass(slots=True)
class Draft:
    """The neurons of a network by layer, inputs first; ``biased`` says which layers have bias parameters."""

    layers: list[list[DraftNeuron]]
    biased: list[bool]
    dense: bool

    @classmethod
    def of(cls, net: Network) -> Draft:
        """The neurons of a network."""
        layers = [[DraftNeuron() for _ in range(net.input_dim)]]
        for layer in net.layers:
            bias = layer.bias or (ZERO,) * layer.width
            row = [DraftNeuron(rho, bias=b) for rho, b in zip(layer.activations, bias, strict=True)]
            for source, block in layer.blocks:
                for neuron, entries in zip(row, block, strict=True):
                    pairs = zip(layers[source], entries, strict=True)
                    neuron.weights |= {parent: weight for parent, weight in pairs if weight is not None}
            layers.append(row)
        return cls(layers, [False, *(layer.bias is not None for layer in net.layers)], net.is_layered)

    def neuron(self, name: Neuron) -> DraftNeuron:
        """The neuron ``(layer, index)``."""
        return self.layers[name[0]][name[1]]

    @property
    def names(self) -> dict[DraftNeuron, Neuron]:
        """Every neuron and input as ``(layer, index)``."""
        return {neuron: (k, i) for k, layer in enumerate(self.layers) for i, neuron in enumerate(layer)}

    @property
    def hidden(self) -> Iterator[DraftNeuron]:
        """The hidden neurons, sources before their children."""
        return (neuron for layer in self.layers[1:-1] for neuron in layer)

    def above(self, layer: int) -> list[DraftNeuron]:
        """The neurons of all later layers."""
        return [neuron for later in self.layers[layer + 1 :] for neuron in later]

    def clones(self) -> list[list[DraftNeuron]]:
        """All hidden neurons, those that compute the same from the same sources together; constants by layer."""
        groups: dict[object, list[DraftNeuron]] = {}
        for k, layer in enumerate(self.layers[1:-1]):
            for neuron in layer:
                groups.setdefault((neuron.key, None if neuron.form else k), []).append(neuron)
        return list(groups.values())

    def drop_invisible(self) -> None:
        """Take out the hidden neurons whose outgoing weights all vanish, last layers first."""
        for layer in range(len(self.layers) - 2, 0, -1):
            children = self.above(layer)
            heard = {source for child in children for source in child.form}
            for neuron in self.layers[layer]:
                if neuron not in heard:
                    for child in children:
                        child.weights.pop(neuron, None)
            self.layers[layer] = [neuron for neuron in self.layers[layer] if neuron in heard]

    def drop_zero(self) -> None:
        r"""Take out the hidden neurons that nothing reaches and whose :math:`\rho` is 0 at 0, first layers first."""
        for layer in range(1, len(self.layers) - 1):
            still = [neuron for neuron in self.layers[layer] if not (neuron.form or neuron.bias or neuron.rho(0))]
            for child in self.above(layer):
                for neuron in still:
                    child.weights.pop(neuron, None)
            self.layers[layer] = [neuron for neuron in self.layers[layer] if neuron not in still]

    def merge_clones(self) -> None:
        """Give the outgoing weights of every clone to the first neuron that computes the same, first layers first."""
        for layer in range(1, len(self.layers) - 1):
            first = {neuron: group[0] for group in self.clones() for neuron in group}
            for neuron in self.layers[layer]:
                if first[neuron] is not neuron:
                    first[neuron].absorb(neuron, self.above(layer))
            self.layers[layer] = [neuron for neuron in self.layers[layer] if first[neuron] is neuron]

    def network(self) -> Network:
        """The network put together; hidden layers without neurons disappear."""
        kept = [k for k, layer in enumerate(self.layers) if layer]
        layers, biased = [self.layers[k] for k in kept], [self.biased[k] for k in kept]
        if self.dense:
            for before, layer in pairwise(layers):
                for neuron in layer:
                    neuron.weights |= {parent: neuron.weights.get(parent, ZERO) for parent in before}
        built = []
        for k, (layer, has_bias) in enumerate(zip(layers[1:], biased[1:], strict=True), start=1):
            hidden = k < len(layers) - 1
            for neuron in layer:
                if not (neuron.weights or has_bias) and (hidden or not any(other.weights for other in layer)):
                    neuron.weights[layers[0][0]] = ZERO  # its sources are gone: it computes a constant
            blocks = {s: [[neuron.weights.get(parent) for parent in layers[s]] for neuron in layer] for s in range(k)}
            bias = [neuron.bias for neuron in layer] if has_bias else None
            built.append(Layer(blocks, bias=bias, activation=[neuron.rho for neuron in layer]))
        return Network(len(layers[0]), built)


def hidden_neuron(net: Network, value: object, argument: str) -> Neuron:
    """A hidden neuron given as ``(layer, index)``, checked."""
    found = checked_neuron(net, value, argument)
    if not 1 <= found[0] < net.depth:
        raise InvalidInput(argument, "must be a hidden neuron (layer, index)", value)
    return found


def checked_neuron(net: Network, value: object, argument: str) -> Neuron:
    """A hidden neuron or an output given as ``(layer, index)``, checked."""
    match value:
        case (layer, index) if type(layer) is type(index) is int:
            if 1 <= layer <= net.depth and 0 <= index < net.widths[layer]:
                return layer, index
    raise InvalidInput(argument, "must be a neuron (layer, index) of the network", value)
