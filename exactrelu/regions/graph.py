r"""The adjacency graph of activation regions, with the jump of the gradient across every facet.

Theory: section 5.7. Across a facet with primitive normal :math:`n` the gradient
of the network jumps by a rank-one matrix :math:`a\otimes n`; for one hidden
layer it is the signed sum of :math:`v_i\otimes w_i` over the neurons that flip.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import TYPE_CHECKING

from ..networks.evaluation import AffineMap, affine_maps
from ..rationals import Vector, common_denominator, scaled_integers
from .complex import Adjacency, RegionComplex

if TYPE_CHECKING:
    import networkx


def region_graph(complex: RegionComplex) -> networkx.Graph:
    """One node per region, named by its pattern text, and one edge per shared facet.

    Nodes carry ``index``; edges carry ``neurons`` (those that flip), ``point``
    (rational, inside the facet), ``normal`` (primitive integers, pointing from
    the region of smaller index to the other) and ``jump`` (one number per
    output), with gradient after - gradient before = ``jump`` ⊗ ``normal``.

    >>> from ..networks import Network
    >>> from .complex import activation_regions
    >>> graph = region_graph(activation_regions(Network.mlp([[[1], [-1]], [[1, 1]]])))
    >>> list(graph.edges(data=True))[0][2]["jump"]
    (Fraction(2, 1),)
    """
    import networkx

    graph = networkx.Graph()
    names = [str(pattern) for pattern in complex.patterns]
    for index, name in enumerate(names):
        graph.add_node(name, index=index)
    forms: dict[int, list[AffineMap]] = {}
    for edge in complex.adjacencies():
        i, j = edge.regions
        for index in (i, j):
            if index not in forms:
                forms[index] = affine_maps(complex.network, complex.patterns[index])
        normal = _facet_normal(complex, edge, forms)
        jump = _jump(complex.affine_maps[i], complex.affine_maps[j], normal)
        graph.add_edge(names[i], names[j], neurons=edge.neurons, point=edge.point, normal=normal, jump=jump)
    return graph


def _facet_normal(complex: RegionComplex, edge: Adjacency, forms: dict[int, list[AffineMap]]) -> Vector:
    """The primitive normal of the shared facet, from a neuron that flips, towards the second region."""
    neuron = edge.neurons[0]
    place = complex.cells.program.neurons.index(neuron)
    for index, direction in zip(edge.regions, (-1, 1), strict=True):
        sign = _sign(complex, index, place)
        if sign:
            layer, i = neuron
            return _primitive(tuple(direction * sign * entry for entry in forms[index][layer - 1][0][i]))
    raise RuntimeError("internal error: a neuron is said to flip, but it vanishes on both sides")


def _sign(complex: RegionComplex, index: int, place: int) -> int:
    signs = [sign for group in complex.patterns[index].signs for sign in group]
    return signs[place]


def _primitive(vector: Vector) -> Vector:
    integers = scaled_integers(vector, common_denominator(vector))
    divisor = gcd(*integers)
    return tuple(Fraction(entry // divisor) for entry in integers)


def _jump(before: AffineMap, after: AffineMap, normal: Vector) -> Vector:
    """The vector a with gradient after - gradient before = a ⊗ normal."""
    axis = next(j for j, entry in enumerate(normal) if entry)
    return tuple((new[axis] - old[axis]) / normal[axis] for old, new in zip(before[0], after[0], strict=True))
