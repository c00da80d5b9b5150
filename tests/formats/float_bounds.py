r"""How far the floats of another program may be from the exact value of a network.

Let :math:`u` be half the distance of 1 to the next float and :math:`\eta` the
least positive float. A sum of products of n terms, in any order, with or
without fused operations, is within

.. math:: \gamma_n\sum_k|a_kb_k|+n\eta,\qquad\gamma_n=\frac{nu}{1-nu}

of the exact sum (Higham, *Accuracy and Stability of Numerical Algorithms*, 3.1);
a division after it, as in a mean, is one more rounding. With inputs that are
wrong by :math:`e_k`, the first sum is over :math:`|a_k|(|b_k|+e_k)`, and
:math:`\sum_k|a_k|e_k` is added. Every :math:`\rho` here multiplies distances by
at most :math:`L`, and computes :math:`\rho` with a relative error of at most
:math:`r` units (0 for ReLU; an assumption about the library for tanh and the like).

This needs a program that computes layer by layer what the network says:
nothing may have been composed into a bias.
"""

from __future__ import annotations

from fractions import Fraction

from exactrelu import Network, PiecewiseLinear

UNIT = {"float32": (Fraction(1, 2**24), Fraction(1, 2**149)), "float64": (Fraction(1, 2**53), Fraction(1, 2**1074))}
EXTRA = 2  # the bias, and the division of a mean
LIBRARY = 16  # units in the last place that tanh and the logistic function may be wrong by


def bounds(net: Network, point: list[Fraction], precision: str) -> list[tuple[Fraction, Fraction]]:
    """For every output a value (exact if the network is piecewise linear) and the bound on the distance to it."""
    unit, least = UNIT[precision]
    values, errors = [list(point)], [[Fraction(0)] * len(point)]
    for layer in net.layers:
        row, wrong = [], []
        for i, rho in enumerate(layer.activations):
            terms = [
                (weight, values[source][j], errors[source][j])
                for source, block in layer.blocks
                for j, weight in enumerate(block[i])
                if weight is not None
            ]
            bias = layer.bias[i] if layer.bias is not None else Fraction(0)
            n = len(terms) + EXTRA + len(layer.blocks)
            gamma = n * unit / (1 - n * unit)
            exact = sum((w * v for w, v, _ in terms), bias)
            error = gamma * sum((abs(w) * (abs(v) + e) for w, v, e in terms), abs(bias)) + n * least
            error += sum(abs(w) * e for w, _, e in terms)
            if isinstance(rho, PiecewiseLinear):
                row.append(rho(exact))
                slope = max(map(abs, rho.slopes))
                # Leaky slopes and bounds: one product and one rounding.
                wrong.append(slope * error + unit * (abs(row[-1]) + slope * error) + least)
            else:
                row.append(Fraction(str(rho(exact).evalf(60))))
                wrong.append(error + LIBRARY * unit * (abs(row[-1]) + error) + Fraction(1, 10**50))
        values.append(row)
        errors.append(wrong)
    return list(zip(values[-1], errors[-1], strict=True))
