r"""For all numbers: :math:`\sigma(s\ell)=\frac12(s\ell+|s||\ell|)` for any signs.

Hence :math:`\sum_i v_i\sigma(s_i\ell)=\frac12\sum_i v_is_i\ell+\frac12\sum_i|s_i|v_i|\ell|`: neurons on one hyperplane
enter only through their total jump and an affine map.
"""

from itertools import product

from sympy import Rational, symbols


def claims():
    """One equation per side of the hyperplane and signs of the scalings of two neurons on it."""
    ell, first, second = symbols("ell s_1 s_2", positive=True)  # their sizes; signs are written out
    v_1, v_2 = symbols("v_1 v_2")
    half = Rational(1, 2)
    for side, one, two in product((1, -1), repeat=3):
        form, s_1, s_2 = side * ell, one * first, two * second
        value = v_1 * (s_1 * form if side == one else 0) + v_2 * (s_2 * form if side == two else 0)
        jump = first * v_1 + second * v_2
        linear = v_1 * s_1 * form + v_2 * s_2 * form
        label = (
            f"form of sign {side}, scalings of signs {one} and {two}: the two neurons are half a jump and half a line"
        )
        yield label, value, half * jump * ell + half * linear
