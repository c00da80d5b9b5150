"""What a network must be, and what it is apart from its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import InvalidNetwork, WrongDimension
from .layers import Layer

if TYPE_CHECKING:
    from .network import Network


def validate(net: Network) -> None:
    """Refuse layers that do not fit together, and hidden neurons that are not fed or not heard."""
    if not net.layers:
        raise InvalidNetwork("layers", "must contain at least the output layer")
    for k, layer in enumerate(net.layers):
        if not isinstance(layer, Layer):
            raise InvalidNetwork(f"layers[{k}]", "must be a Layer", layer)
    widths = net.widths
    feeding = [[False] * width for width in widths]
    for k, layer in enumerate(net.layers):
        reached = [layer.bias is not None] * layer.width
        for source, block in layer.blocks:
            place = f'layers[{k}].weights["{source}"]'
            if source > k:
                raise InvalidNetwork(place, f"must come from an earlier layer, 0 to {k}", source)
            if len(block[0]) != widths[source]:
                raise WrongDimension(
                    place, f"must have {widths[source]} columns, the width of layer {source}", len(block[0])
                )
            for i, row in enumerate(block):
                for j, entry in enumerate(row):
                    if entry is not None:
                        reached[i] = feeding[source][j] = True
        if k < len(net.layers) - 1 and not all(reached):
            raise InvalidNetwork(
                f"layers[{k}]", f"hidden neuron {reached.index(False)} must have an incoming edge or a bias parameter"
            )
    for number in range(1, len(net.layers)):
        if not all(feeding[number]):
            lonely = feeding[number].index(False)
            raise InvalidNetwork(f"layers[{number - 1}]", f"hidden neuron {lonely} must have an outgoing edge")


def architecture(net: Network) -> tuple[Any, ...]:
    """Everything but the values of the parameters, as a hashable value."""
    shape = tuple(
        (
            tuple(
                (source, tuple(tuple(entry is not None for entry in row) for row in block))
                for source, block in layer.blocks
            ),
            layer.bias is not None,
            layer.activations,
        )
        for layer in net.layers
    )
    return net.input_dim, shape
