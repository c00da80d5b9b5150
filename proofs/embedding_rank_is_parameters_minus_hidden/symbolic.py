r"""The rank of :math:`D\Phi` over the field of rational functions, its kernel, and where the rank drops.

For all parameters: the scaling directions are in the kernel. Generically: the rank is :math:`D-h`. On 1-1-1 without
output bias the :math:`2\times2` minors are :math:`v^2`, :math:`vb`, :math:`-wv` up to sign, so the rank drops from 2
exactly on the line :math:`v=0`.
"""

from itertools import combinations

from sympy import Matrix

from exactrelu import Layer, Network
from exactrelu.theorems.symbols import SymbolicNetwork, generic_rank, shape

SKIP = Network(
    2,
    [
        Layer({0: [[1, None], [1, 1]]}, bias=[1, 1]),
        Layer({1: [[1, 1]], 0: [[None, 1]]}, bias=[1]),
        Layer({2: [[1]], 1: [[None, 1]]}, bias=None, activation="identity"),
    ],
)
ARCHITECTURES = {
    "2-3-1": shape(2, 3, 1),
    "1-2-2-1": shape(1, 2, 2, 1),
    "2-2-2 without output biases": shape(2, 2, 2, biases=(True, False)),
    "2-2-1 without biases": shape(2, 2, 1, biases=False),
    "a graph with skips and absent edges": SKIP,
}


def claims():
    """Kernel vectors, ranks, and the minors of the smallest case."""
    for name, net in ARCHITECTURES.items():
        theta = SymbolicNetwork.of(net)
        derivative = theta.jacobian()
        for neuron in net.hidden_neurons:
            direction = [value * ((v == neuron) - (u == neuron)) for (u, v), value in theta.values.items()]
            for k, entry in enumerate(derivative * Matrix(direction)):
                yield f"{name}: rescaling neuron {neuron} does not change path {k}", entry, 0
        expected = len(theta.symbols) - len(net.hidden_neurons)
        yield f"{name}: the generic rank is D - h", generic_rank(derivative), expected
    chain = SymbolicNetwork.of(shape(1, 1, 1, biases=(True, False)))
    w, b, v = chain[(0, 0), (1, 0)], chain[None, (1, 0)], chain[(1, 0), (2, 0)]
    columns = {w: 0, b: 1, v: 2}
    order = [columns[symbol] for symbol in chain.symbols]
    derivative = chain.jacobian()
    for (first, second), minor in zip(combinations((w, b, v), 2), (v * v, v * b, -w * v), strict=True):
        chosen = derivative.extract([0, 1], [order.index(columns[first]), order.index(columns[second])])
        yield f"1-1-1: the minor of {first} and {second}", chosen.det(), minor
