r"""The adjacency graph of activation regions, with the jump of the gradient across every facet.

Theory: section 5.7. Across a facet with primitive normal :math:`n` the gradient
of the network jumps by a rank-one matrix :math:`a\otimes n`; for one hidden
layer it is the signed sum of :math:`v_i\otimes w_i` over the neurons that flip.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from ..networks.evaluation import affine_maps, gated
from ..rationals import Matrix, Vector, primitive_integers
from .complex import RegionComplex

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
    forms = [affine_maps(complex.network, pattern) for pattern in complex.patterns]
    pairs = zip(complex.patterns, forms, strict=True)
    gradients = [gated(complex.network, pattern, maps[-1])[0] for pattern, maps in pairs]
    place = {neuron: k for k, neuron in enumerate(complex.neurons)}
    for edge in complex.adjacencies():
        i, j = edge.regions
        layer, neuron = edge.neurons[0]
        before, after = complex.signs[[i, j], place[layer, neuron]].tolist()
        # Where it is not constant, a neuron that flips has the facet as a level set.
        row = next(row for form in (forms[i], forms[j]) if any(row := form[layer - 1][0][neuron]))
        row = row if after > before else tuple(-entry for entry in row)
        normal = tuple(map(Fraction, primitive_integers(row)))
        jump = _jump(gradients[i], gradients[j], normal)
        graph.add_edge(names[i], names[j], neurons=edge.neurons, point=edge.point, normal=normal, jump=jump)
    return graph


def _jump(before: Matrix, after: Matrix, normal: Vector) -> Vector:
    """The vector a with gradient after - gradient before = a ⊗ normal."""
    axis = next(j for j, entry in enumerate(normal) if entry)
    return tuple((new[axis] - old[axis]) / normal[axis] for old, new in zip(before, after, strict=True))
