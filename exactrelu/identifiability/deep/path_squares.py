r"""The sum of the squares of all path products, along a line of parameters.

:math:`N(\theta)=\sum_p\Phi_p(\theta)^2` does not change when neurons are permuted
or rescaled (``embedding_is_scaling_invariant``, S1). Along :math:`\theta+t\delta` it
is a polynomial, and constant only if every :math:`\Phi_p` is: a sum of squares of
polynomials is bounded only if each of them is. So until :math:`N` returns to
:math:`N(\theta)`, no :math:`\theta+t\delta` is equivalent to :math:`\theta`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from ...networks import Network
from ...verdicts import Neuron

Polynomial = list[Fraction]
ZERO, ONE = Fraction(0), Fraction(1)


def path_squares(net: Network, entries: Mapping[int, Fraction]) -> Polynomial:
    r"""The coefficients of :math:`N(\theta+t\delta)`, lowest degree first, by one forward pass.

    ``entries`` are the components of :math:`\delta` by the position of the parameter.

    >>> net = Network.mlp([[[2]], [[3]]], [[1], [0]])  # products 6, 3 and 0
    >>> [int(c) for c in path_squares(net, {0: Fraction(1)})]  # (3 (2 + t))^2 + 3^2
    [45, 36, 9]
    """
    sums: dict[Neuron, Polynomial] = {}
    for k, parameter in enumerate(net.parameters):
        step, value = entries.get(k, ZERO), parameter.value
        if not (step or value):
            continue
        square = [value * value, 2 * value * step, step * step] if step else [value * value]
        source = parameter.source
        before = [ONE] if source is None or not source[0] else sums.get(source, [])
        sums[parameter.target] = _plus(sums.get(parameter.target, []), _times(square, before))
    total: Polynomial = []
    for output in range(net.output_dim):
        total = _plus(total, sums.get((net.depth, output), []))
    return total


def until_return(polynomial: Sequence[Fraction], step: Fraction) -> Fraction | None:
    r"""Some :math:`T=` ``step`` :math:`/2^k` such that a polynomial is not what it is at 0 for :math:`0<t\le T`.

    ``None`` for a constant. If the other coefficients have one sign there is no
    return at all; otherwise the lowest power must outweigh all higher ones.

    >>> until_return([Fraction(5), Fraction(3), Fraction(1)], Fraction(1))
    Fraction(1, 1)
    >>> until_return([Fraction(5), Fraction(-1), Fraction(3)], Fraction(1))  # returns at 1/3
    Fraction(1, 4)
    """
    rest = list(polynomial[1:])
    while rest and not rest[0]:
        del rest[0]
    if not rest:
        return None
    if all(c * rest[0] >= 0 for c in rest):
        return step
    while sum(abs(c) * step**k for k, c in enumerate(rest)) >= 2 * abs(rest[0]):
        step /= 2
    return step


def _plus(left: Polynomial, right: Polynomial) -> Polynomial:
    if len(left) < len(right):
        left, right = right, left
    return [a + b for a, b in zip(left, right + [ZERO] * (len(left) - len(right)), strict=True)]


def _times(left: Polynomial, right: Polynomial) -> Polynomial:
    if not left or not right:
        return []
    product = [ZERO] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            product[i + j] += a * b
    return product
