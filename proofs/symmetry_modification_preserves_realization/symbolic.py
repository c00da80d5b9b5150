r"""For all parameters: a modification adds :math:`y(\sum_s\alpha_s\rho(\beta_su+\gamma_s)-\zeta)=0`.

The four-term symmetry of the ReLU, at a pre-activation :math:`u` in any position relative to its two kinks, and
scalings :math:`\sigma(\lambda u)-\lambda\sigma(u)=0`.
"""

from sympy import symbols


def relu_on(form, on):
    """The ReLU of a form of which it is known whether it is on."""
    return form if on else form * 0


def claims():
    """One equation per interval between the kinks 0 and 1."""
    u, y, lam, weight, other, c = symbols("u y lambda a b c")
    for name, above_zero, above_one in (("u < 0", False, False), ("0 < u < 1", True, False), ("1 < u", True, True)):
        atoms = (
            relu_on(u, above_zero),
            relu_on(-u, not above_zero),
            relu_on(u - 1, above_one),
            relu_on(1 - u, not above_one),
        )
        added = sum(y * alpha * value for alpha, value in zip((1, -1, -1, 1), atoms, strict=True)) - y
        yield f"four terms, {name}: nothing is added", added, 0
    for name, on in (("u > 0", True), ("u < 0", False)):
        before = weight * relu_on(u, on) + other * relu_on(lam * u, on) + c
        after = (weight - y * lam) * relu_on(u, on) + (other + y) * relu_on(lam * u, on) + c
        yield f"two clones up to scaling, {name}: weight moves between them", after, before
