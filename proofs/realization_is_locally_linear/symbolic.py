r"""For all :math:`\theta,\theta'` of one pattern: :math:`R_{\theta'}-R_\theta=\sum_p\alpha_p(\Phi_p'-\Phi_p)`.

Architecture 2-2-1-1 with biases everywhere; every pattern.
"""

from exactrelu.theorems.symbols import SymbolicNetwork, patterns, shape


def claims():
    """One equation per pattern."""
    net = shape(2, 2, 1, 1)
    theta, other = SymbolicNetwork.of(net), SymbolicNetwork.of(net, "prime")
    for active in patterns(net):
        change = other.outputs(("x", "y"), active)[0] - theta.outputs(("x", "y"), active)[0]
        linear = other.activation_sum(("x", "y"), active)[0] - theta.activation_sum(("x", "y"), active)[0]
        yield f"on {sorted(active)}: the change of the value is linear in the change of the embedding", change, linear
