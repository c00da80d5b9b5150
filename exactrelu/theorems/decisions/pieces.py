r"""Pieces of functions of one variable, and adjacency of regions by binary patterns, from complete lists of regions."""

from __future__ import annotations

from typing import TypeAlias

from ...networks import Network
from ...regions import RegionComplex, activation_regions

Binary: TypeAlias = tuple[tuple[bool, ...], ...]
"""Which neurons are positive, layer by layer."""
MOST_REGIONS = 2_000


def pieces_on_the_line(net: Network) -> int:
    """The number of maximal intervals on which a network with one input is affine.

    >>> pieces_on_the_line(Network.mlp([[[1], [1], [1]], [[1, -2, 1]]], [[1, 0, -1], [0]]))  # the hat
    4
    """
    complex = activation_regions(net, budget=MOST_REGIONS)
    # On the line equal affine maps of neighbours are all that joins intervals.
    return 1 + sum(complex.affine_maps[i] != complex.affine_maps[j] for i, j, _ in complex.facets)


def top_patterns(net: Network) -> frozenset[Binary]:
    """The binary patterns of all full-dimensional regions."""
    return frozenset(_binary(activation_regions(net, budget=MOST_REGIONS)))


def adjacent_patterns(net: Network) -> frozenset[frozenset[Binary]]:
    """The pairs of different binary patterns of regions that share a facet."""
    complex = activation_regions(net, budget=MOST_REGIONS)
    patterns = _binary(complex)
    pairs = (frozenset((patterns[i], patterns[j])) for i, j, _ in complex.facets)
    return frozenset(pair for pair in pairs if len(pair) == 2)


def _binary(complex: RegionComplex) -> list[Binary]:
    return [tuple(tuple(sign > 0 for sign in group) for group in pattern.signs) for pattern in complex.patterns]
