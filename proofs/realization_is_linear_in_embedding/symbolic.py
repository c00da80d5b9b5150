r"""For all parameters and points: the forward pass equals :math:`\sum_p\alpha_p\Phi_p` on every activation pattern.

Architectures 2-2-2-2 with biases everywhere, and 1-2-1 with a skip from the input to the output.
"""

from exactrelu import Layer, Network
from exactrelu.theorems.symbols import SymbolicNetwork, patterns, shape

SKIP = Network(
    1, [Layer({0: [[1], [1]]}, bias=[1, 1]), Layer({1: [[1, 1]], 0: [[1]]}, bias=None, activation="identity")]
)


def claims():
    """One equation per architecture, pattern and output."""
    for name, net in (("2-2-2-2", shape(2, 2, 2, 2)), ("1-2-1 with a skip", SKIP)):
        theta = SymbolicNetwork.of(net)
        point = [f"x{j}" for j in range(net.input_dim)]
        for active in patterns(net):
            sides = zip(theta.outputs(point, active), theta.activation_sum(point, active), strict=True)
            for o, (value, total) in enumerate(sides):
                yield f"{name}, on {sorted(active)}: output {o} is the sum over its paths", value - total, 0
