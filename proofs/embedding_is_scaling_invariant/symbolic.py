r"""For all parameters and all scalings: the products along paths and the values stay.

Architectures 2-2-2-1 with biases everywhere, and 1-1-1 with a skip.
"""

from sympy import Symbol

from exactrelu import Layer, Network
from exactrelu.theorems.symbols import SymbolicNetwork, patterns, shape

SKIP = Network(1, [Layer({0: [[1]]}, bias=[1]), Layer({1: [[1]], 0: [[1]]}, bias=[1], activation="identity")])


def claims():
    """One equation per path, and per pattern."""
    for name, net in (("2-2-2-1", shape(2, 2, 2, 1)), ("1-1-1 with a skip", SKIP)):
        theta = SymbolicNetwork.of(net)
        scale = {(k, i): Symbol(f"lambda{k}_{i}", positive=True) for k, i in net.hidden_neurons}
        scaled = theta.with_values(
            {(u, v): scale.get(v, 1) / scale.get(u, 1) * value for (u, v), value in theta.values.items()}
        )
        before, after = theta.embedding(), scaled.embedding()
        for path in before:
            yield f"{name}: the product along {path} stays", after[path], before[path]
        point = [f"x{j}" for j in range(net.input_dim)]
        for active in patterns(net):
            yield (
                f"{name}, on {sorted(active)}: the value stays",
                scaled.outputs(point, active)[0],
                theta.outputs(point, active)[0],
            )
