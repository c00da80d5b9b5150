r"""The null net of six neurons that no affine symmetry explains: :math:`z_3=z_1+z_2`.

:math:`\sigma(z_1)-\sigma(-z_1)+\sigma(z_2)-\sigma(-z_2)-\sigma(z_3)+\sigma(-z_3)=0` on every side of the three lines,
for all forms :math:`z_1,z_2`; and the identity of one direction class:
:math:`\sum v_i(\sigma(\beta_it+b_i)-\sigma(-\beta_it-b_i))=\sum v_ib_i` once :math:`\sum v_i\beta_i=0`.
"""

from itertools import product

from sympy import symbols


def relu_on(form, sign):
    """The ReLU of a form of known sign."""
    return form if sign > 0 else form * 0


def claims():
    """One equation per combination of signs."""
    z_1, z_2 = symbols("z_1 z_2")
    forms = ((z_1, 1), (z_2, 1), (z_1 + z_2, -1))
    for signs in product((1, -1), repeat=3):
        total = sum(v * (relu_on(z, s) - relu_on(-z, -s)) for (z, v), s in zip(forms, signs, strict=True))
        yield f"signs {signs} of the three forms: the six neurons add up to 0", total, 0
    t, b_1, b_2, beta_1, beta_2, v_1 = symbols("t b_1 b_2 beta_1 beta_2 v_1")
    v_2 = -v_1 * beta_1 / beta_2
    for first, second in product((1, -1), repeat=2):
        one, two = beta_1 * t + b_1, beta_2 * t + b_2
        value = v_1 * (relu_on(one, first) - relu_on(-one, -first)) + v_2 * (
            relu_on(two, second) - relu_on(-two, -second)
        )
        yield f"one direction, signs {first}, {second}: the flip is a constant", value, v_1 * b_1 + v_2 * b_2
