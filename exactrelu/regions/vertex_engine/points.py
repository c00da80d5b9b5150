r"""Rational interior points: floating averages that are proved, exact averages where the proof fails.

A positive combination of all vertices (points and directions) of a cell lies in its interior.  Averages
of facets, level by level, are such combinations and need no vertex lists.  A float is a rational
number; that it lies in its cell is proved by evaluating the network on it with error bounds and
comparing the signs.  Short numbers (24 bits) are tried first.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ..program import Floats, Program
from .lattice import Lattice
from .origins import Origins
from .signs import evaluate_next

Signs = npt.NDArray[np.int8]

CHUNK = 2048  # points evaluated at a time, so that their columns stay in the cache


def averages(lattice: Lattice, points: Floats, coordinates: Floats) -> Floats:
    """Unproved floating points, one inside every cell; shape (r, cells).

    Homogeneous sums of facets of facets of ...: their weights are irrelevant, as long as they are
    positive for every vertex.
    """
    table = [points, *coordinates]
    with np.errstate(all="ignore"):
        for k in range(1, lattice.dim + 1):
            sub, face = lattice.incidence(k)
            table = [np.bincount(face, row[sub], lattice.size[k]) for row in table]
        sums: Floats = np.array(table)
        inner: Floats = sums[1:] / sums[0]
    return inner


def inside(program: Program, x: Floats, signs: Signs) -> npt.NDArray[np.bool_]:
    """Where the points x, exactly as they are, are proved to have the signs wanted.

    x: shape (r, n); signs: -1, 0, 1 per function, shape (bits, n).  A sign 0 is one that is zero on the
    whole cell, hence exactly zero in its interior; the other signs are proved one after another.
    """
    pieces = range(0, x.shape[1], CHUNK)
    return np.concatenate(
        [_inside(program, x[:, i : i + CHUNK], signs[:, i : i + CHUNK]) for i in pieces] or [np.ones(0, np.bool_)]
    )


def _inside(program: Program, x: Floats, signs: Signs) -> npt.NDArray[np.bool_]:
    size = np.abs(x)
    fit = (size == 0) | ((size > 2.0**-200) & (size < 2.0**200))  # false for infinities and not-a-numbers
    ok = np.ones(x.shape[1], np.bool_)
    ok &= fit.all(axis=0)
    p, e = np.where(fit, x, 0.0), np.zeros_like(x)
    one = np.ones(x.shape[1])
    for number, stage in enumerate(program.stages):
        p, e = evaluate_next(program, number - 1, one, p, e)
        rows = stage.relu.nonzero()[0]
        wanted = signs[list(stage.bits)]
        mine, bound = p[rows], e[rows]
        decided = (mine > bound).view(np.int8) - (mine < -bound).view(np.int8)
        zero = wanted == 0
        ok &= ((decided == wanted) | zero).all(axis=0)
        if zero.any():
            i, cell = zero.nonzero()
            p[rows[i], cell] = e[rows[i], cell] = 0.0
    return ok


def proved(program: Program, x: Floats, signs: Signs) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Shorten the points where the proof allows it; the points, and which of them are proved."""
    with np.errstate(all="ignore"):
        short = x.astype(np.float32).astype(np.float64)
    good = inside(program, short, signs)
    rest = np.flatnonzero(~good)
    if rest.size:
        short[:, rest] = x[:, rest]
        good[rest] = inside(program, x[:, rest], signs[:, rest])
    return short, good


def average(origins: Origins, vertices: Iterable[int]) -> list[Fraction]:
    """A mean of the points among some vertices plus a sum of the directions: that of all primitive integers, exactly.

    A point has the weight of its denominator, so that no common denominator is needed and the numbers stay short.
    """
    below, *above = map(sum, zip(*map(origins.coordinates, vertices), strict=True))
    return [Fraction(entry, below) for entry in above]
