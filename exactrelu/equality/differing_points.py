r"""Rational points at which two networks differ, simplest first."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

from ..networks import Network
from ..polyhedra import Domain
from ..rationals import Vector

DEFAULT_POINTS = 2_000
"""The number of points that are tried unless another number is given."""


def differing_point(
    left: Network, right: Network, domain: Domain | None = None, *, points: int = DEFAULT_POINTS
) -> Vector | None:
    r"""A point :math:`x` of the domain with :math:`R_\theta(x)\ne R_{\theta'}(x)`, or ``None`` if none was found.

    Points with small numerators come first, at most ``points`` of them; finding
    none proves nothing.

    >>> differing_point(Network.mlp([[[1]]]), Network.mlp([[[2]]]))
    (Fraction(1, 1),)
    """
    supply = simple_points(left.input_dim)
    left_for = points
    while left_for > 0:
        batch = list(islice(supply, min(left_for, 256)))
        left_for -= len(batch)
        if domain is not None:
            batch = [point for point in batch if domain.contains(point)]
        for point, ours, theirs in zip(batch, left.values(batch), right.values(batch), strict=True):
            if ours != theirs:
                return point
    return None


def simple_points(dimension: int) -> Iterator[Vector]:
    """An endless sequence of rational points: the origin, the axes, then random ones that grow.

    >>> list(islice(simple_points(1), 3))
    [(Fraction(0, 1),), (Fraction(1, 1),), (Fraction(-1, 1),)]
    """
    yield (Fraction(0),) * dimension
    for axis in range(dimension):
        for sign in (1, -1):
            yield tuple(Fraction(sign * (axis == i)) for i in range(dimension))
    draw = random.Random(0)
    size = 1
    while True:
        for _ in range(64):
            denominator = draw.randint(1, 1 + size // 4)
            yield tuple(Fraction(draw.randint(-size, size), denominator) for _ in range(dimension))
        size *= 2
