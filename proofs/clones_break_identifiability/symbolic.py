r"""For all parameters: moving outgoing weight between two clones keeps the value, on any activation and for any value.

Architecture 2-3-2-1 with two equal neurons in the first hidden layer; the value of the clones is a symbol, so the
claim does not depend on the activation.
"""

from sympy import symbols

from exactrelu.theorems.symbols import SymbolicNetwork, patterns, shape


def claims():
    """The value of a child, and of the whole network on every pattern."""
    z, a, b, t = symbols("z a b t")
    yield "a child of two clones of value z", (a + t) * z + (b - t) * z, a * z + b * z
    net = shape(2, 3, 2, 1)
    theta = SymbolicNetwork.of(net)
    clone = {(u, (1, 1)): theta[u, (1, 0)] for u in ((0, 0), (0, 1), None)}
    start = theta.with_values(clone)
    child = (2, 0)
    moved = start.with_values({((1, 0), child): start[(1, 0), child] + t, ((1, 1), child): start[(1, 1), child] - t})
    for active in patterns(net):
        if ((1, 0) in active) == ((1, 1) in active):
            value = moved.outputs(("x", "y"), active)[0]
            yield f"2-3-2-1 on {sorted(active)}: the value stays", value, start.outputs(("x", "y"), active)[0]
