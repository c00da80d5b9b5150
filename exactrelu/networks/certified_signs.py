r"""Activation patterns at many points: floats with a proved bound first, integers where these do not decide.

All points pass through the network together in ``float64``. Let :math:`u=2^{-53}`;
primes mark computed numbers. For every value :math:`a` a bound :math:`e\ge|a'-a|` is
carried along.

*Conversion.* A rational :math:`c` becomes the nearest double, so
:math:`|c'-c|\le u|c'|+2^{-1075}` (the second term if it is subnormal). With
:math:`M=|c'|`, raised to at least :math:`2^{-900}` unless :math:`c=0`, this is at
most :math:`uM`.

*Layer.* Let :math:`z=\sum_{i\le m}w_ia_i` (a bias is a weight on the constant 1).
In any order of summation, with fused operations too, an inner product of :math:`m`
terms is wrong by at most :math:`\frac{mu}{1-mu}\sum|w_i'a_i'|+m2^{-1074}`, where the
last term is what underflow loses. Furthermore
:math:`|w_i'a_i'-w_ia_i|\le M_ie_i+uM_i(|a_i'|+e_i)`. Together, for
:math:`m\le2^{40}`,

.. math:: |z'-z|\le\sum_iM_i\bigl(1.01\,(m+2)\,u\,|a_i'|+1.01\,e_i\bigr)+\tau,\qquad\tau=2^{-900}.

The right-hand side is itself computed with a relative error below
:math:`(m+9)u<2^{-12}`, and underflow takes less than :math:`m2^{-1074}` from the sum; the
factor 1.02 in place of 1.01, and :math:`\tau`, pay for both. Where
:math:`(m+2)u|a_i'|` itself underflows, it is far below the share :math:`0.01\,e_i` of that
factor, since every :math:`e_i` is at least :math:`\tau` unless :math:`a_i` is known exactly
to be 0 or 1. (Points get :math:`e=u|x'|+\tau`.)

*Activation.* :math:`\max(t,0)` is 1-Lipschitz, so the bound survives; where the sign
is known to be negative, the value 0 is exact.

A sign is decided when :math:`|z'|>e` and :math:`z'` is finite (overflow makes it
infinite or not a number). Points with an undecided sign are evaluated in integers,
so that kinks come out as 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ..rationals import Vector, float_quotient
from . import evaluation
from .network import Network
from .patterns import Pattern, expect_relus

Floats: TypeAlias = npt.NDArray[np.float64]
Signs: TypeAlias = npt.NDArray[np.int8]

UNIT: Final = 2.0**-53
TAU: Final = 2.0**-900
LEAST: Final = 2.0**-900
CHUNK: Final = 4096  # points that pass through the network together


def certified_patterns(net: Network, points: Iterable[Iterable[object]]) -> list[Pattern]:
    """The activation patterns at many points; the same as ``net.patterns``, and much faster for large networks.

    >>> net = Network.mlp([[[1], [-1]], [[1, 1]]])
    >>> [str(pattern) for pattern in certified_patterns(net, [[1], [0], ["-1/3"]])]
    ['+-', '00', '-+']
    """
    return patterns_and_undecided(net, evaluation.as_points(net, points))[0]


def patterns_and_undecided(net: Network, points: Sequence[Vector]) -> tuple[list[Pattern], list[int]]:
    """The patterns, and the points whose patterns the floats left to integers."""
    layers = _float_layers(net)
    found: list[Pattern | None] = []
    for start in range(0, len(points), CHUNK):
        found += _decided(net, layers, points[start : start + CHUNK])
    undecided = [k for k, pattern in enumerate(found) if pattern is None]
    exact = dict(zip(undecided, evaluation.patterns(net, [points[k] for k in undecided]), strict=True))
    return [exact[k] if pattern is None else pattern for k, pattern in enumerate(found)], undecided


class FloatLayer(NamedTuple):
    """Weights of a layer side by side, biases last, with magnitudes; and where its neurons bend."""

    sources: tuple[int, ...]
    weights: Floats
    magnitudes: Floats
    bends: npt.NDArray[np.bool_]
    slopes: Floats


def _float_layers(net: Network) -> list[FloatLayer]:
    expect_relus(net)
    layers = []
    for layer in net.layers:
        biases = layer.bias or (Fraction(0),) * layer.width
        exact = [[*(e or Fraction(0) for _, block in layer.blocks for e in block[i]), b] for i, b in enumerate(biases)]
        weights = np.array([[_nearest(entry) for entry in row] for row in exact])
        nonzero = np.array([[bool(entry) for entry in row] for row in exact])
        magnitudes = np.where(nonzero, np.maximum(np.abs(weights), LEAST), 0.0)
        bends = np.array([not rho.is_affine for rho in layer.activations])
        slopes = np.array([float(rho.is_affine) for rho in layer.activations])
        layers.append(FloatLayer(tuple(source for source, _ in layer.blocks), weights, magnitudes, bends, slopes))
    return layers


def _decided(net: Network, layers: Sequence[FloatLayer], points: Sequence[Vector]) -> list[Pattern | None]:
    """The patterns of a chunk of points, ``None`` where some sign is not decided."""
    signs, decided = _forward(layers, _float_points(points, net.input_dim))
    groups = [group.tolist() for group in signs]
    return [
        Pattern(tuple(tuple(group[k]) for group in groups)) if sure else None for k, sure in enumerate(decided.tolist())
    ]


def _forward(layers: Sequence[FloatLayer], points: Floats) -> tuple[list[Signs], npt.NDArray[np.bool_]]:
    """Signs of the bending neurons, one array (points, neurons) per layer, and the points where all are certain."""
    count = len(points)
    values = [points]
    bounds = [UNIT * np.abs(points) + TAU]
    one = np.ones((count, 1))
    decided = np.ones(count, dtype=np.bool_)
    signs = []
    with np.errstate(all="ignore"):
        for layer in layers:
            a = np.hstack([*(values[source] for source in layer.sources), one])
            e = np.hstack([*(bounds[source] for source in layer.sources), 0 * one])
            z = a @ layer.weights.T
            e = 1.02 * ((1.01 * (a.shape[1] + 2) * UNIT * np.abs(a) + e) @ layer.magnitudes.T) + TAU
            certain = (np.abs(z) > e) & np.isfinite(z)
            decided &= certain[:, layer.bends].all(axis=1)
            if layer.bends.any():
                signs.append(np.where(z > 0, 1, -1).astype(np.int8)[:, layer.bends])
            off = layer.bends & certain & (z < 0) & (layer.slopes == 0)
            values.append(np.where(z > 0, z, np.where(off, 0.0, layer.slopes * z)))
            bounds.append(np.where(off, 0.0, e))
    return signs, decided


def _float_points(points: Sequence[Vector], dimension: int) -> Floats:
    return np.array([[_nearest(entry) for entry in point] for point in points]).reshape(len(points), dimension)


def _nearest(value: Fraction) -> float:
    return float_quotient(value.numerator, value.denominator)
