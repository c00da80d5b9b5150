r"""Closed formulas and bounds for numbers of regions.

Theory: section 7. They hold for the number R2 of full-dimensional activation
regions of fully connected ReLU networks on all of :math:`\mathbb R^d`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb, prod

from ..errors import InvalidInput


def zaslavsky(hyperplanes: int, dimension: int) -> int:
    r"""The number :math:`\sum_{j\le d}\binom nj` of regions of ``n`` hyperplanes in general position.

    >>> zaslavsky(3, 2)
    7
    """
    return sum(comb(hyperplanes, j) for j in range(dimension + 1))


def buck(hyperplanes: int, dimension: int, face: int) -> int:
    r"""The number :math:`\binom n{d-k}\sum_{j\le k}\binom{n-d+k}j` of ``face``-dimensional faces in general position.

    >>> [buck(3, 2, k) for k in (0, 1, 2)]
    [3, 9, 7]
    """
    codimension = dimension - face
    return comb(hyperplanes, codimension) * zaslavsky(hyperplanes - codimension, face)


def montufar(widths: Sequence[int]) -> int | None:
    r"""A number of regions that some network attains; ``None`` unless all hidden widths are at least :math:`d`.

    :math:`\bigl(\prod_{l<L}\lfloor n_l/d\rfloor^d\bigr)\sum_{j\le d}\binom{n_L}j` for hidden widths
    :math:`n_1,\dots,n_L`; ``widths`` includes input and output.

    >>> montufar((1, 2, 2, 1))
    6
    """
    dimension, hidden = _split(widths)
    if not hidden or min(hidden) < dimension:
        return None
    folds: list[int] = [(width // dimension) ** dimension for width in hidden[:-1]]
    return prod(folds) * zaslavsky(hidden[-1], dimension)


def serra(widths: Sequence[int]) -> int:
    r"""An upper bound of the number of regions.

    :math:`\sum_{(j)}\prod_l\binom{n_l}{j_l}` over
    :math:`0\le j_l\le\min(d,n_1-j_1,\dots,n_{l-1}-j_{l-1},n_l)`; ``widths``
    includes input and output.

    >>> serra((1, 2, 2, 1)), serra((2, 3, 1))
    (9, 7)
    """
    dimension, hidden = _split(widths)

    @cache
    def total(layer: int, room: int) -> int:
        if layer == len(hidden):
            return 1
        width = hidden[layer]
        return sum(comb(width, j) * total(layer + 1, min(room, width - j)) for j in range(min(room, width) + 1))

    return total(0, dimension)


def _split(widths: Sequence[int]) -> tuple[int, tuple[int, ...]]:
    if len(widths) < 2 or any(isinstance(n, bool) or not isinstance(n, int) or n < 1 for n in widths):
        raise InvalidInput("widths", "must be at least two positive integers, input and output included", widths)
    return widths[0], tuple(widths[1:-1])
