"""Between networks of the package and the plain data of the shallow oracle."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import shallow_oracle as so

from exactrelu import Domain, Network

Vertices = Sequence[Sequence[Fraction]] | None


def network(net: so.Net) -> Network:
    """The network of the package with the parameters of plain data."""
    rows = [list(w) for w, _, _ in net.neurons]
    matrix = [[v[o] for _, _, v in net.neurons] for o in range(net.k)]
    bias = [b for _, b, _ in net.neurons] if net.hidden_bias else None
    return Network.mlp([rows, matrix], [bias, None if net.c is None else list(net.c)])


def plain(net: Network) -> so.Net:
    """The plain data of a dense network with one hidden ReLU layer, read off its layers."""
    hidden, output = net.layers
    assert [source for source, _ in hidden.blocks] == [0]
    assert [source for source, _ in output.blocks] == [1]
    assert {rho.name for rho in hidden.activations} == {"relu"}
    assert {rho.name for rho in output.activations} == {"identity"}
    offsets = hidden.bias or (Fraction(0),) * hidden.width
    columns = zip(*output.blocks[0][1], strict=True)
    neurons = tuple(zip(hidden.blocks[0][1], offsets, columns, strict=True))
    return so.Net(neurons, output.bias, hidden.bias is not None)


def domain(vertices: Vertices, dimension: int) -> Domain:
    """The domain of the package: all of space, or the hull of points."""
    return Domain.space(dimension) if vertices is None else Domain.polytope(vertices=vertices)


def assert_refutes(net: so.Net, other: Network, vertices: Vertices) -> None:
    """Insist that another network of the same architecture has the same function and is no rescaling.

    Nothing of the package takes part: values at all 0-faces of the common
    arrangement, and all permutations.
    """
    competitor = plain(other)
    shapes = [(n.d, n.k, len(n.neurons), n.hidden_bias, n.c is None) for n in (net, competitor)]
    assert shapes[0] == shapes[1]
    assert so.difference_point(net, competitor, vertices) is None
    assert not so.ps_equivalent(net, competitor)


def distance(net: so.Net, other: so.Net) -> Fraction:
    """The largest difference of two corresponding parameters."""
    pairs = zip(parameters(net), parameters(other), strict=True)
    return max(abs(a - b) for a, b in pairs)


def parameters(net: so.Net) -> list[Fraction]:
    """All parameters in some fixed order (hidden biases that are no parameters are 0)."""
    entries = [entry for w, b, v in net.neurons for entry in (*w, b, *v)]
    return entries + list(net.c or ())
