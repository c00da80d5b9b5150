r"""The rank :math:`R_A` of path activations at samples, without listing any path.

The inner product of the activations of two samples over the paths that end at
an output is a sum over paths of products, so one forward pass computes it:

.. math:: G_v(x,x')=a_v(x)\,a_v(x')\Bigl([v\text{ has a bias}]+\sum_{u\to v}G_u(x,x')\Bigr),
   \qquad G_j(x,x')=x_jx'_j.

Over :math:`\mathbb Q` the Gram matrix :math:`\alpha_o\alpha_o^T` has the rank of
:math:`\alpha_o`, as :math:`\alpha_o^Ty` vanishes where its square does.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ...networks import Network
from ...paths import count_paths
from ...rationals import Vector, integer_pivots, rank_modulo
from .jacobian import smooth_samples
from .tape import WORD, Integers, gates, point_columns, sign_array


def activation_rank(net: Network, points: Iterable[Iterable[object]]) -> int:
    r"""The sum :math:`R_A=\sum_o\operatorname{rank}\alpha_o(X,\theta)` over all outputs.

    Row :math:`x` of :math:`\alpha_o` has the activations :math:`\alpha_p(\theta,x)`
    of the paths that end at output :math:`o`.

    Raises :class:`~exactrelu.errors.OnKink` at a sample on a kink.

    >>> activation_rank(Network.mlp([[[1]], [[1]]], [[0], [0]]), [[1], [-1]])
    2
    """
    return sum(_rank(gram) for gram in activation_grams(net, smooth_samples(net, points)))


def activation_grams(net: Network, samples: list[Vector]) -> list[list[list[int]]]:
    r"""For every output the Gram matrix :math:`\alpha_o\alpha_o^T`, every sample times its common denominator.

    >>> net = Network.mlp([[[1]], [[1]]], [[0], [0]])
    >>> activation_grams(net, smooth_samples(net, [[2], [-1]]))
    [[[6, 1], [1, 1]]]
    """
    columns = point_columns(samples)[0][:, :, 0]
    fits = int(abs(columns).max()) ** 2 * count_paths(net) < WORD
    columns = columns.astype(np.int64 if fits else object)
    opened = [gate.astype(columns.dtype) for gate in gates(net, sign_array(net.patterns(samples)))]
    lines = [_products(net, columns[k] * columns, [gate[k] * gate for gate in opened]) for k in range(len(samples))]
    result: list[list[list[int]]] = np.stack(lines).transpose(2, 0, 1).tolist()
    return result


def _products(net: Network, columns: Integers, opened: list[Integers]) -> Integers:
    """The sums over all active paths to every output; one line per sample."""
    sums: list[Integers] = [columns[:, :-1]]
    for layer, gate in zip(net.layers, opened, strict=True):
        total = columns[:, -1:] * int(layer.bias is not None)
        for source, block in layer.blocks:
            edges = np.array([[int(entry is not None) for entry in row] for row in block], columns.dtype)
            total = total + sums[source] @ edges.T
        sums.append(gate * total)
    return sums[-1]


def _rank(matrix: list[list[int]]) -> int:
    found = rank_modulo(matrix)
    return found if found == len(matrix) else len(integer_pivots(matrix))
