r"""The families behind the failing conditions of local identifiability keep the function, for all parameters.

Cancelling opposite twins :math:`v\sigma(\ell)-v\sigma(-\ell)=v\ell` give a line that any other pair of parallel
hyperplane gives as well; dependent opposite pairs exchange slopes.
"""

from sympy import symbols


def claims():
    """One identity per failing condition and side."""
    ell, t, v, r, v_j = symbols("ell t v r v_j")
    yield "cancelling opposite pair, ell > 0: v relu(ell) - v relu(-ell) is v ell", v * ell, v * (ell + t) - v * t
    yield "the pair moved by t, with c - vt: ell + t > 0", v * (ell + t) - v * t, v * ell
    yield "the pair moved by t, with c - vt: ell + t < 0", -v * (-ell - t) - v * t, v * ell
    # one pair a relu(z) + b relu(-z) has the slopes a and -b: adding s to both keeps the jump and adds the line s z
    a, b, s, z = symbols("a b s z")
    yield "an opposite pair with a + s and b - s, z > 0: a line more", (a + s) * z, a * z + s * z
    yield "an opposite pair with a + s and b - s, z < 0: the same line more", (b - s) * (-z), b * (-z) + s * z
    mu, one = symbols("mu z_1")
    yield "two pairs with z_2 = mu z_1: lines that cancel", s * one - s / mu * (mu * one), 0
    yield "positive twins r ell and ell: both on", (v + t) * ell + (v_j - t / r) * r * ell, v * ell + v_j * r * ell
