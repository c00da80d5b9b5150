r"""The flip identity, for all parameters: flipping S changes :math:`f` by the linear map :math:`-\sum_Sv_iw_i^Tx`.

On every activation pattern of d-h-1 for d = 1, 2 and h = 2, 3 and every set S: the flipped neurons are on exactly
where the old ones were off, and c is replaced by :math:`c+\sum_Sv_ib_i`.
"""

from sympy import Symbol

from exactrelu.theorems.symbols import SymbolicNetwork, patterns, shape


def flipped(theta, chosen):
    """The parameters after the flip of the chosen neurons."""
    changes = {}
    for u, v in theta.values:
        if v in chosen:
            changes[u, v] = -theta[u, v]
    output = (2, 0)
    shift = sum(theta[neuron, output] * theta[None, neuron] for neuron in chosen)
    return theta.with_values({**changes, (None, output): theta[None, output] + shift})


def claims():
    """One equation per set and pattern."""
    for d, h in ((1, 2), (1, 3), (2, 2)):
        net = shape(d, h, 1)
        theta = SymbolicNetwork.of(net)
        point = [f"x{j}" for j in range(d)]
        for chosen in sorted(map(sorted, patterns(net))):
            moved = flipped(theta, chosen)
            slope = sum(
                theta[neuron, (2, 0)] * theta[(0, j), neuron] * Symbol(point[j]) for neuron in chosen for j in range(d)
            )
            for active in patterns(net):
                after = active.symmetric_difference(chosen)
                change = moved.outputs(point, after)[0] - theta.outputs(point, active)[0]
                yield (
                    f"{d}-{h}-1, flip {chosen} where {sorted(active)} are on: the value changes by the slope",
                    change,
                    -slope,
                )
