r"""The second networks of every failing condition have the same values, for all parameters.

Each claim is the identity of one witness on one side of the hyperplanes involved: an always-active neuron, positive
twins, opposite twins on a bounded set.
"""

from sympy import symbols


def claims():
    """The identities behind the witnesses."""
    ell, t, r, v_i, v_j, u, c, alpha, beta = symbols("ell t r v_i v_j u c alpha beta")
    yield "on: b -> b + t and c -> c - tv keep the value", v_i * (ell + t) + c - t * v_i, v_i * ell + c
    twins, moved = v_i * ell + v_j * r * ell, (v_i + t * u) * ell + (v_j - t * u / r) * r * ell
    yield "positive twins, both on: weight moves from one to the other", moved, twins
    # alpha relu(ell) + beta relu(-ell) against (alpha + beta) relu(ell) + beta relu(t - ell) - t beta, where ell < t
    yield "opposite twins, ell > 0", (alpha + beta) * ell + beta * (t - ell) - t * beta, alpha * ell
    yield "opposite twins, ell < 0", beta * (t - ell) - t * beta, beta * (-ell)
    kept = (alpha + beta) * t / 2 + beta * (t - t / 2) - t * beta
    yield (
        "opposite twins: the new neuron is on at t/2 as well, where the value is that of the old ones",
        kept,
        alpha * t / 2,
    )
