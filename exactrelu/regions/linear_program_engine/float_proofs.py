r"""Answers in floats that are proved: points by the signs of forms, refutations by the signs of multipliers.

:math:`u=2^{-53}`.  The floats of a :class:`~.questions.Form` are a positive multiple of it up to a relative error
:math:`2u` and an absolute one below :math:`\tau_0=2^{-900}`, for entries cut off from very long integers.

*Points.* The coordinates are floats below :math:`2^{200}`, exactly as they are. In any order of summation, with
underflow, the value of a form of :math:`r+1` terms is wrong by at most :math:`1.01\,(r+4)\,u\,\sum_k|c_kx_k|+\tau`,
:math:`\tau=2^{-600}`; 1.02 pays for the rounding of this sum. A form is positive where its value exceeds the bound.

*Refutations.* Let the columns of *B* be the linear parts of *r* forms, *t* that of the target, :math:`B'`, :math:`t'`
their floats, *R* any matrix (about the inverse) and :math:`y'` any vector (about the multipliers). With

.. math:: G=|I-RB'|+\epsilon(|R||B'|+I)+\tau,\quad \alpha=\|G\|_\infty,\quad
    \rho=|t'-B'y'|+\epsilon(|t'|+|B'||y'|)+\tau,\quad\epsilon=1.02\,(r+8)\,u,

:math:`\epsilon` covers what is rounded (at most :math:`(r+2)u` of the sum of magnitudes) and the :math:`2u` of the
entries. If :math:`\alpha<1/2`, then :math:`RB`, hence *B*, is invertible, the exact multipliers
:math:`y=B^{-1}t` exist, and :math:`\|y-y'\|_\infty\le\|R(t-By')\|_\infty/(1-\alpha)\le2\max(|R|\rho)=:e/1.02`. So
:math:`y_i\ge0` where :math:`y'_i\ge e`, and the constant :math:`g_0-\sum y_if_{i0}` is nonnegative where its value
is at least :math:`\epsilon(|g_0|+\sum|y'_if_{i0}|)+e\sum|f_{i0}|+\tau`. Entries of forms are at most 1, and *R* and
:math:`y'` are required to be below :math:`2^{200}`, so that :math:`\tau` pays for :math:`\tau_0` and for underflow.

Glossary: n questions, m forms of a question, r dimension.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from ..program import Floats
from .questions import Homogeneous

Flags = npt.NDArray[np.bool_]

UNIT: Final = 2.0**-53
TAU: Final = 2.0**-600
GREATEST: Final = 2.0**200


def positive(functions: Floats, x: Floats) -> Flags:
    """Where all forms, floats of shape (n, m, 1 + r), are proved to be positive at the points x, (n, r).

    >>> positive(np.array([[[1.0, -1.0]], [[1.0, -1.0]]]), np.array([[0.5], [1.0]])).tolist()
    [True, False]
    """
    with np.errstate(all="ignore"):
        value = functions[:, :, 0] + _times(functions[:, :, 1:], x)
        size = np.abs(functions[:, :, 0]) + _times(np.abs(functions[:, :, 1:]), np.abs(x))
        bound = 1.02 * (functions.shape[2] + 3) * UNIT * size + TAU
        good: Flags = (value > bound).all(axis=1) & (np.abs(x) < GREATEST).all(axis=1)
    return good


def implied(forms: Floats, targets: Floats) -> Flags:
    """Where r forms, (n, r, 1 + r), are proved to imply the target, (n, 1 + r).

    >>> implied(np.array([[[1.0, -1.0]]] * 2), np.array([[0.75, -0.5], [0.25, -0.5]])).tolist()
    [True, False]
    """
    n, r = forms.shape[:2]
    b, t = forms[:, :, 1:].transpose(0, 2, 1), targets[:, 1:]
    try:
        inverse = np.linalg.inv(b).astype(np.float64, copy=False)
    except np.linalg.LinAlgError:
        return np.zeros(n, np.bool_)
    epsilon = 1.02 * (r + 8) * UNIT
    with np.errstate(all="ignore"):
        y = _times(inverse, t)
        g = np.abs(np.eye(r) - inverse @ b) + epsilon * (np.abs(inverse) @ np.abs(b) + np.eye(r)) + TAU
        rho = np.abs(t - _times(b, y)) + epsilon * (np.abs(t) + _times(np.abs(b), np.abs(y))) + TAU
        error = 1.02 * 2 * _times(np.abs(inverse), rho).max(axis=1)
        constants = np.abs(forms[:, :, 0])
        rest = targets[:, 0] - np.einsum("nr,nr->n", y, forms[:, :, 0])
        size = np.abs(targets[:, 0]) + np.einsum("nr,nr->n", np.abs(y), constants)
        bound = epsilon * size + 1.02 * error * constants.sum(axis=1) + TAU
        good: Flags = (g.sum(axis=2).max(axis=1) < 0.49) & (y > error[:, None]).all(axis=1) & (rest > bound)
        good &= (np.abs(inverse).max(axis=(1, 2)) < GREATEST) & (np.abs(y).max(axis=1) < GREATEST)
    return good


def _times(matrices: Floats, vectors: Floats) -> Floats:
    """A stack of matrices (n, m, r) times a stack of vectors (n, r)."""
    product: Floats = np.einsum("nmr,nr->nm", matrices, vectors)
    return product


def shortened(x: Floats, bits: int) -> Floats:
    """Every point with its coordinates rounded to multiples of one power of two, so that the largest has ``bits``.

    >>> shortened(np.array([[1.7, 0.3]]), 2).tolist()
    [[1.5, 0.5]]
    """
    with np.errstate(all="ignore"):
        _, exponent = np.frexp(np.abs(x).max(axis=1, initial=0.0))
        shift = (bits - exponent)[:, None]
        rounded: Floats = np.ldexp(np.rint(np.ldexp(x, shift)), -shift)
    return rounded


def dyadic(x: Sequence[float]) -> Homogeneous:
    """The point with these coordinates, which are finite, exactly.

    >>> dyadic([0.5, -3.0])
    (2, 1, -6)
    """
    ratios = [c.as_integer_ratio() for c in x]
    h = max((below for _, below in ratios), default=1)
    return (h, *(above * (h // below) for above, below in ratios))
