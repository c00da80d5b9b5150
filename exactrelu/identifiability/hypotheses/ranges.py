r"""Infimum and supremum of pre-activations over a domain, at any depth.

A pre-activation :math:`z` is affine on every activation region, and each region
is the hull of its vertices plus the cone of its rays. So the infimum over the
domain is the least value at a vertex, unless :math:`z` falls along some ray. The
slope along a ray :math:`r` is :math:`z_\infty(r)=\lim_{t\to\infty}z(x+tr)/t`, the
pre-activation at :math:`r` of the network without its biases.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ...equality import NeuronType, TypedNeuron
from ...networks import Network
from ...networks.evaluation import preactivations
from ...polyhedra import Extremum
from ...rationals import Vector, kernel
from ...regions import RegionComplex
from ...verdicts import Neuron, neuron_list


@dataclass(frozen=True, slots=True)
class Range:
    """The infimum and the supremum of the pre-activation of a neuron, with the points where they are attained."""

    neuron: Neuron
    infimum: Extremum
    supremum: Extremum

    @property
    def type(self) -> NeuronType:
        """What the neuron does on the domain."""
        low, high = self.infimum.value, self.supremum.value
        if low == high == 0:
            return NeuronType.ZERO
        if low is not None and low >= 0:
            return NeuronType.ON
        return NeuronType.OFF if high is not None and high <= 0 else NeuronType.KINKED

    def explain(self) -> str:
        """The type and both ends."""
        typed = TypedNeuron(self.type, self.infimum, self.supremum)
        return f"neuron {neuron_list([self.neuron])} is {typed.explain()}"


@dataclass(frozen=True, slots=True)
class Ranges:
    """Evidence: the ranges of some pre-activations."""

    ranges: tuple[Range, ...]

    def explain(self) -> str:
        """One neuron per line."""
        return "\n  ".join(["", *(item.explain() for item in self.ranges)])


def ranges(complex: RegionComplex, neurons: Iterable[Neuron]) -> list[Range]:
    r"""The ranges of pre-activations over the domain of a complete complex.

    >>> from ...regions import activation_regions
    >>> tent = Network.mlp([[[1], [1]], [[2, -4]]], [[0, "-1/2"], [0]])
    >>> [(r.infimum.value, r.supremum.value) for r in ranges(activation_regions(tent, "[0,1]"), [(2, 0)])]
    [(Fraction(0, 1), Fraction(1, 1))]
    """
    neurons = list(neurons)
    if not neurons:
        return []
    net = complex.network
    points, rays = ends(complex)
    values = preactivations(net, points)
    slopes = preactivations(without_biases(net), rays)
    found = []
    for layer, i in neurons:
        here = [sums[layer - 1][i] for sums in values]
        there = [sums[layer - 1][i] for sums in slopes]
        low, high = (_extremum(sign, points, here, rays, there) for sign in (-1, 1))
        found.append(Range((layer, i), low, high))
    return found


def ends(complex: RegionComplex) -> tuple[list[Vector], list[Vector]]:
    """The vertices of all regions, and the directions of their unbounded edges.

    Directions that no neuron and no side of the domain sees come in pairs of opposites.
    """
    cells, net = complex.cells, complex.network
    finite = cells.finite(0)
    points = [cells.vertex(v) for v in np.flatnonzero(finite).tolist()]
    rays = [cells.vertex(v) for v in np.flatnonzero(~finite).tolist()]
    seen = [side.normal for side in complex.domain.halfspaces]
    for layer in net.layers:
        block = layer.weights.get(0, ())
        seen += [tuple(entry or Fraction(0) for entry in row) for row in block]
    unseen = kernel(seen, net.input_dim)
    return points, rays + [tuple(sign * entry for entry in line) for line in unseen for sign in (1, -1)]


def without_biases(net: Network) -> Network:
    """The network with all biases 0, which carries the slopes at infinity."""
    return net.with_values([Fraction(0) if p.source is None else p.value for p in net.parameters])


def _extremum(
    sign: int, points: Sequence[Vector], values: Sequence[Fraction], rays: Sequence[Vector], slopes: Sequence[Fraction]
) -> Extremum:
    """The supremum (``sign`` 1) or the infimum (``sign`` -1)."""
    for ray, slope in zip(rays, slopes, strict=True):
        if sign * slope > 0:
            return Extremum(None, points[0], ray)
    best = max(range(len(points)), key=lambda k: sign * values[k])
    return Extremum(values[best], points[best])
