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

:func:`logistic_bounds` and :func:`softmax_bounds` go on from the values of a
network to probabilities; what they say of real numbers is enclosed by Arb.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx, fmpq

from exactrelu import Network, PiecewiseLinear

UNIT = {"float32": (Fraction(1, 2**24), Fraction(1, 2**149)), "float64": (Fraction(1, 2**53), Fraction(1, 2**1074))}
EXTRA = 2  # the bias, and the division of a mean
LIBRARY = 16  # units in the last place that tanh, exp and the logistic function may be wrong by
BITS = 128  # of the balls around probabilities
FURTHEST = 600  # exp(-600) is a normal number


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


def logistic_bounds(value: Fraction, error: Fraction) -> tuple[arb, arb]:
    r"""Numbers between which the logistic function lies that a program computes at a float64 near ``value``.

    Its logarithm has the derivative :math:`1-\operatorname{logistic}(t)\in(0,1)`. So with an argument that is wrong
    by :math:`e` it is multiplied by a number between :math:`\exp(-e)` and :math:`\exp(e)`, and the library errs by a
    factor between :math:`1-r` and :math:`1+r`.
    """
    assert abs(value) + error < FURTHEST
    r = LIBRARY * UNIT["float64"][0]
    with ctx.workprec(BITS):
        exact = 1 / (1 + _exp(-value))
        return exact * _exp(-error) * _ball(1 - r), exact * _exp(error) * _ball(1 + r)


def softmax_bounds(scores: list[tuple[Fraction, Fraction]]) -> list[tuple[arb, arb]]:
    r"""Numbers between which the probabilities lie that a program computes from float64 scores near exact values.

    With scores :math:`z_k'`, :math:`|z_k'-z_k|\le e_k`, and :math:`m=\max_kz_k'`, it computes differences :math:`t_k`
    to :math:`m`, their exponentials, the sum of these, and the quotients.

    * :math:`0\le m-z_k'\le\max z-z_k+2\max e`, and the difference is rounded once, so :math:`|t_k-(z_k-m)|\le d` with
      :math:`d=\max_k(e_k+u(\max z-z_k+2\max e))`.
    * The exponentials are :math:`\exp(z_k-m)`, multiplied by numbers between :math:`(1-r)\exp(-d)` and
      :math:`(1+r)\exp(d)`. So is their exact sum; that of the program, of :math:`n` positive terms, errs by a factor
      between :math:`1-\gamma_n` and :math:`1+\gamma_n` more, and a quotient by one between :math:`1-u` and :math:`1+u`.
    * In the quotients :math:`\exp(-m)` cancels. Together, :math:`p_k` is the exact softmax times a number between

      .. math:: \frac{(1-r)(1-u)}{(1+r)(1+\gamma_n)}\exp(-2d)\quad\text{and}\quad
         \frac{(1+r)(1+u)}{(1-r)(1-\gamma_n)}\exp(2d).

    All this presupposes normal numbers, hence scores that are not too far apart.
    """
    (u, _), n = UNIT["float64"], len(scores)
    r, gamma = LIBRARY * u, n * u / (1 - n * u)
    top, worst = max(value for value, _ in scores), max(error for _, error in scores)
    gaps = [top - value for value, _ in scores]
    assert max(gaps) + 2 * worst < FURTHEST
    d = max(error + u * (gap + 2 * worst) for gap, (_, error) in zip(gaps, scores, strict=True))
    with ctx.workprec(BITS):
        powers = [_exp(-gap) for gap in gaps]
        low = _ball((1 - r) * (1 - u) / ((1 + r) * (1 + gamma))) * _exp(-2 * d)
        high = _ball((1 + r) * (1 + u) / ((1 - r) * (1 - gamma))) * _exp(2 * d)
        return [(power / sum(powers) * low, power / sum(powers) * high) for power in powers]


def _ball(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


def _exp(value: Fraction) -> arb:
    return _ball(value).exp()
