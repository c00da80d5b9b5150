r"""For all parameters: the Jacobian of the values is path activations times :math:`D\Phi`, of rank no larger.

Architecture 1-2-2-1; every pattern, one symbolic point; a product of matrices, entry by entry.
"""

from sympy import Symbol

from exactrelu.theorems.symbols import SymbolicNetwork, patterns, shape


def claims():
    """One equation per pattern and parameter."""
    net = shape(1, 2, 2, 1)
    theta = SymbolicNetwork.of(net)
    derivative = theta.jacobian()
    paths = list(theta.embedding())
    x = Symbol("x")
    for active in patterns(net):
        value = theta.outputs((x,), active)[0]
        counted = [all(v in active for v in path.neurons if 0 < v[0] < net.depth) for path in paths]
        starts = [1 if path.from_bias else x for path in paths]
        for k, symbol in enumerate(theta.symbols):
            total = sum(derivative[p, k] * starts[p] for p in range(len(paths)) if counted[p])
            yield (
                f"1-2-2-1 on {sorted(active)}: the derivative by {symbol} goes through the paths",
                value.diff(symbol),
                total,
            )
