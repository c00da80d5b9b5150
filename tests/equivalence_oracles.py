"""Independent decisions of scaling and permutation-scaling equivalence, and checkers of their evidence.

Networks are taken apart into plain dictionaries here, so that nothing is shared
with :mod:`exactrelu.symmetries` or :mod:`exactrelu.networks.editing`.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from typing import Any

from exactrelu import Network, Rescaling

Edge = tuple[Any, Any]


def edges_of(net: Network) -> dict[Edge, Fraction]:
    """Every parameter by its pair (source, target); a bias has source ``None``."""
    found: dict[Edge, Fraction] = {}
    for number, layer in enumerate(net.layers, start=1):
        for source, block in layer.blocks:
            for i, row in enumerate(block):
                found.update({((source, j), (number, i)): e for j, e in enumerate(row) if e is not None})
        for i, entry in enumerate(layer.bias or ()):
            found[None, (number, i)] = entry
    return found


def moved_edges(net: Network, moves: list[tuple[int, ...]]) -> tuple[dict[Edge, Fraction], dict[Any, str]]:
    """The parameters and activations after neuron ``i`` of hidden layer ``l`` went to ``moves[l-1][i]``."""

    def new(neuron: Any) -> Any:
        if neuron is None or not 0 < neuron[0] < net.depth:
            return neuron
        return neuron[0], moves[neuron[0] - 1][neuron[1]]

    edges = {(new(source), new(target)): value for (source, target), value in edges_of(net).items()}
    names = {
        new((number, i)): rho.name
        for number, layer in enumerate(net.layers, start=1)
        for i, rho in enumerate(layer.activations)
    }
    return edges, names


def scaling_exists(
    ours: dict[Edge, Fraction], theirs: dict[Edge, Fraction], depth: int, *, any_sign: bool = False
) -> bool:
    """Whether positive factors carry one parameter vector to another: equal signs, and no cycle disagrees.

    With ``any_sign``, factors may be negative, so that signs need not be equal.
    A weighted union-find: ``parent[v] = (u, r)`` records that the factor of v is r times that of u.
    """
    if ours.keys() != theirs.keys():
        return False
    parent: dict[Any, tuple[Any, Fraction]] = {}

    def root(vertex: Any) -> tuple[Any, Fraction]:
        ratio = Fraction(1)
        while vertex in parent:
            vertex, step = parent[vertex]
            ratio *= step
        return vertex, ratio

    def inner(neuron: Any) -> Any:
        return neuron if neuron is not None and 0 < neuron[0] < depth else "fixed"

    for (source, target), old in ours.items():
        new = theirs[source, target]
        if bool(old) != bool(new) or (old * new < 0 and not any_sign):
            return False
        if old:
            (u, ratio_u), (v, ratio_v) = root(inner(source)), root(inner(target))
            factor = new / old * ratio_u / ratio_v  # of v relative to u
            if u == v:
                if factor != 1:
                    return False
            elif v == "fixed":
                parent[u] = v, 1 / factor
            else:
                parent[v] = u, factor
    return True


def is_scaling_equivalent(left: Network, right: Network) -> bool:
    """Whether the two networks are equal up to positive factors of hidden neurons."""
    stay = [tuple(range(width)) for width in left.widths[1:-1]]
    if left.widths != right.widths or moved_edges(left, stay)[1] != moved_edges(right, stay)[1]:
        return False
    return scaling_exists(edges_of(left), edges_of(right), left.depth)


def is_permutation_scaling_equivalent(left: Network, right: Network) -> bool:
    """The same up to permutations within hidden layers, by trying all of them."""
    if left.widths != right.widths:
        return False
    stay = [tuple(range(width)) for width in right.widths[1:-1]]
    theirs, names = moved_edges(right, stay)
    for moves in product(*(list(permutations(range(width))) for width in left.widths[1:-1])):
        ours, own_names = moved_edges(left, list(moves))
        if own_names == names and scaling_exists(ours, theirs, left.depth):
            return True
    return False


def check_rescaling(left: Network, right: Network, evidence: object) -> None:
    """Multiply the evidence out: ``right`` must be ``left`` moved and rescaled as it says."""
    assert isinstance(evidence, Rescaling)
    assert [sorted(moves) for moves in evidence.permutation] == [list(range(w)) for w in left.widths[1:-1]]
    assert [len(group) for group in evidence.scalings] == list(left.widths[1:-1])
    assert all(type(factor) is Fraction and factor > 0 for group in evidence.scalings for factor in group)

    def factor(neuron: Any) -> Fraction:
        inner = neuron is not None and 0 < neuron[0] < left.depth
        return evidence.scalings[neuron[0] - 1][neuron[1]] if inner else Fraction(1)

    ours, names = moved_edges(left, list(evidence.permutation))
    theirs, their_names = moved_edges(right, [tuple(range(w)) for w in right.widths[1:-1]])
    assert names == their_names
    scaled = {(u, v): value * factor(v) / factor(u) for (u, v), value in ours.items()}
    assert scaled == theirs


def has_dead_neurons(net: Network) -> list[tuple[int, int]]:
    """The hidden neurons with no nonzero parameter into them, or no nonzero weight out of them."""
    nonzero = [edge for edge, value in edges_of(net).items() if value]
    fed, heard = {target for _, target in nonzero}, {source for source, _ in nonzero}
    hidden = [(k, i) for k, width in enumerate(net.widths[1:-1], 1) for i in range(width)]
    return [neuron for neuron in hidden if neuron not in fed or neuron not in heard]
