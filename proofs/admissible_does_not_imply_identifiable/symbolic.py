r"""For all :math:`x` and :math:`s\ge-1`: :math:`\sigma(\sigma(x+s)-1-s)=\sigma(\sigma(x)-1)`, pattern by pattern.

For :math:`x\le-s` the inner value on the left is 0 and :math:`-1-s\le0`; for :math:`x>-s` the pre-activation of the
second neuron is :math:`x-1` on the left and on the right where it is positive.
"""

from sympy import Symbol

from exactrelu.theorems.symbols import SymbolicNetwork, generic_rank, shape


def claims():
    """The pre-activation of the second neuron does not depend on s, and the rank is D - h all the same."""
    s, x = Symbol("s"), Symbol("x")
    net = shape(1, 1, 1, 1)
    theta = SymbolicNetwork.of(net)
    ones = {step: int(step[0] is not None) for step in theta.values}
    moved = theta.with_values({**ones, (None, (1, 0)): s, (None, (2, 0)): -1 - s})
    start = theta.with_values({**ones, (None, (1, 0)): 0, (None, (2, 0)): -1})
    both = {(1, 0), (2, 0)}
    yield "both neurons on: x - 1 for every s", moved.outputs((x,), both)[0], x - 1
    yield "both neurons on: the values agree", moved.outputs((x,), both)[0], start.outputs((x,), both)[0]
    yield "the first neuron off: the second one has the pre-activation -1 - s", moved.outputs((x,), {(2, 0)})[0], -1 - s
    point = dict(zip(theta.symbols, (start[step] for step in theta.values), strict=True))
    derivative = theta.jacobian().subs(point)
    yield "the rank of D Phi at the network is D - h = 4", generic_rank(derivative), len(theta.symbols) - 2
