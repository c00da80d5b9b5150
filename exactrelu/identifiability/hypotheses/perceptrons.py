"""Perceptrons: layers of ReLUs, each of which reads all of the layer before it, with affine outputs."""

from __future__ import annotations

from fractions import Fraction

from ...networks import Network
from ...rationals import common_denominator, scaled_integers


def why_not_perceptron(net: Network) -> str | None:
    """Why a statement about perceptrons with ReLUs and affine outputs does not apply; ``None`` if it does."""
    if not net.is_layered:
        return "the network has skip connections or absent edges"
    return None if net.is_standard else "its hidden neurons are not all ReLUs, or its outputs are not affine"


def integer_weights(net: Network, number: int) -> list[list[int]]:
    """The weights between consecutive layers of a perceptron, times a common denominator.

    >>> integer_weights(Network.mlp([[["1/2", 3]]]), 1)
    [[1, 6]]
    """
    block = net.layers[number - 1].blocks[0][1]
    scale = common_denominator(entry for row in block for entry in row if entry is not None)
    return [scaled_integers([entry or Fraction(0) for entry in row], scale) for row in block]
