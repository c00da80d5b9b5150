r"""Guesses for stacks of small linear programs: the simplex method in floats, one step for all of them at a time.

The programs are :math:`\max\langle c,u\rangle` subject to :math:`\langle a_i,u\rangle\le1`, *u* free.  A
dictionary (see :mod:`exactrelu.polyhedra.simplex`) is kept for every program; the free variables enter
first and never leave.  Nothing here is exact and nothing needs to be.

Glossary: n programs, m constraints, r variables.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..program import Floats, Ints

# Entries near 1 that have gone through a million roundings are off by this. It steers the method and decides
# nothing: what is mistaken for noise, or noise for a number, fails its proof and is found exactly.
NOISE = 2.0**-33
FAR = 2.0  # no need to go further than that
FREE_FIRST = 1e6  # how much more a free variable counts

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Guesses:
    """What the programs came to: an array entry per program."""

    solved: Flags  # false where the method was stopped
    value: Floats
    u: Floats  # (n, r): the best point so far
    basis: Ints  # (n, r): names of the constraints that are tight, -1 for none
    y: Floats  # (n, r): their multipliers
    ray: Ints  # where in the basis the constraint stands that one can leave forever, -1 for none


def guess(a: Floats, c: Floats, far: float = FAR) -> Guesses:
    """Solve programs a: (n, m, r), c: (n, r), as far as a value of ``far``.

    >>> found = guess(np.array([[[1.0], [-1.0]]]), np.array([[0.5]]))
    >>> found.value.tolist(), found.basis.tolist(), found.y.tolist()
    ([0.5], [[0]], [[0.5]])
    """
    n, m, r = a.shape
    table = np.zeros((n, m + 1, r + 1))
    table[:, :m, :r], table[:, :m, r], table[:, m, :r] = a, 1.0, -c
    columns = np.tile(-1 - np.arange(r), (n, 1))
    basis = np.tile(np.arange(m), (n, 1))
    zero = np.zeros((n, r))
    out = Guesses(np.zeros(n, np.bool_), np.zeros(n), zero, np.full((n, r), -1), zero.copy(), np.full(n, -1))
    active = np.arange(n)
    with np.errstate(all="ignore"):
        for _ in range(4 * (m + r) + 20):
            stop, endless, i, j = _steps(table, columns, basis, far)
            if stop.any():
                ray = np.where(endless, j, -1)[stop]
                _record(out, active[stop], table[stop], columns[stop], basis[stop], ray, far)
                go = ~stop
                active, table, columns, basis, i, j = (part[go] for part in (active, table, columns, basis, i, j))
            if not active.size:
                break
            _pivot(table, i, j)
            at = np.arange(active.size)
            columns[at, j], basis[at, i] = basis[at, i], columns[at, j]
    return out


def _steps(table: Floats, columns: Ints, basis: Ints, far: float) -> tuple[Flags, Flags, Ints, Ints]:
    """Which programs are finished, which of them because they have no bound in column j, and the pivots i, j."""
    at, m, r = np.arange(len(table)), table.shape[1] - 1, table.shape[2] - 1
    rates = -table[:, m, :r]
    score = np.where(columns < 0, np.abs(rates) * FREE_FIRST, rates)
    j = score.argmax(axis=1)
    column = table[at, :m, j] * np.sign(rates[at, j])[:, None]
    blocking = (column > NOISE) & (basis >= 0)
    i = np.where(blocking, table[:, :m, r] / column, np.inf).argmin(axis=1)
    stop = (score[at, j] <= NOISE) | (table[:, m, r] >= far)
    endless = ~stop & ~blocking.any(axis=1)
    return stop | endless, endless, i, j


def _pivot(table: Floats, i: Ints, j: Ints) -> None:
    """Exchange row i and column j of every table."""
    at = np.arange(len(table))
    pivot = table[at, i, j]
    row = table[at, i, :] / pivot[:, None]
    column = table[at, :, j].copy()
    table -= column[:, :, None] * row[:, None, :]
    table[at, i, :] = row
    table[at, :, j] = -column / pivot[:, None]
    table[at, i, j] = 1 / pivot


def _record(out: Guesses, where: Ints, table: Floats, columns: Ints, basis: Ints, ray: Ints, far: float) -> None:
    """Read the results of finished programs; along a ray go as far as asked."""
    n, m, r = table.shape[0], table.shape[1] - 1, table.shape[2] - 1
    at = np.arange(n)
    rate = -table[at, m, ray]
    step = np.where(ray >= 0, (far - table[:, m, r]) / rate, 0.0)
    beta = table[:, :, r] - table[at, :, ray] * step[:, None]
    u = np.zeros((n, r))
    program, row = np.nonzero(basis < 0)
    u[program, -1 - basis[program, row]] = beta[program, row]
    free = np.flatnonzero((ray >= 0) & (columns[at, ray] < 0))
    u[free, -1 - columns[free, ray[free]]] = step[free]
    out.solved[where], out.value[where], out.u[where], out.ray[where] = True, beta[:, m], u, ray
    out.basis[where], out.y[where] = columns, np.where(columns >= 0, table[:, m, :r], 0.0)
