"""Hidden layers of a network file as plain lists, for tools that know nothing of exactrelu."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

Layers = list[tuple[list[list[Fraction]], list[Fraction]]]  # weights and biases
IntegerLayers = list[tuple[list[list[int]], list[int]]]


def hidden_layers(path: Path) -> Layers:
    """The hidden layers of a network file; they must be of ReLU neurons that read the layer before only."""
    layers = []
    for k, layer in enumerate(json.loads(path.read_text())["layers"][:-1]):
        if layer["activation"] != "relu" or list(layer["weights"]) != [str(k)]:
            raise ValueError(f"layer {k + 1}: must be of ReLU neurons that read the layer before only")
        weights = [[Fraction(w) for w in row] for row in layer["weights"][str(k)]]
        layers.append((weights, [Fraction(b) for b in layer["bias"]]))
    return layers


def integer_copy(layers: Layers) -> IntegerLayers:
    """The same layers, each times a positive factor that makes its weights integral: the regions are the same."""
    copy, scale = [], 1
    for weights, bias in layers:
        bias = [scale * b for b in bias]
        factor = math.lcm(*(c.denominator for row in [*weights, bias] for c in row))
        copy.append(([[int(factor * w) for w in row] for row in weights], [int(factor * b) for b in bias]))
        scale *= factor
    return copy
