r"""The one numeric predicate: the sign of a row at a vertex, by a proved bound or by integers.

u = 2^-53.  For every vertex v there is one lambda > 0 such that for all columns i at hand

    |P[i, v] - lambda f_i(v)| <= E[i, v],      and (P, E) = (0, 0) or E >= tau = 2^-600.

Points have lambda = 1/x0; for directions (x0 = 0) any lambda will do.  A sign is decided iff |P| > E,
or E = 0, which means exactly zero.  Everything else, infinities and not-a-numbers included, is decided
by integers; the columns of that vertex are then rounded anew from the integers.

*Layer.*  act = max(P, 0) is 1-Lipschitz, and exactly zero where P < -E.  For m terms, in any order of
summation and with fused operations too, the bound of the next layer is

    E' = (1 + 2^-40) |W| (1.01 (m + 2) u |act| + err)  (+ tau where positive).

*New vertex* on the edge ab, f(a) > 0 > f(b): alpha = |f(b)|, beta = f(a), h = x0 of the ends (1, 1 for
two directions), s = alpha h_a + beta h_b, new = (alpha A + beta B) / s.  From

    (alpha' A + beta' B)/s' - (alpha A + beta B)/s = (alpha beta' - alpha' beta)/(s s') (h_a B - h_b A)

with s_lo = s - h_a e(alpha) - h_b e(beta) > s/2 and delta = (alpha e(beta) + beta e(alpha))/(s s_lo):

    E_new = (w_a + delta) E_A + (w_b + delta) E_B + delta |h_a B - h_b A| + 8u (|w_a A| + |w_b B|),

w = (alpha, beta)/s, all times 1 + 2^-40, plus tau where positive.  The factor |B - A| is what keeps the
bound from growing along chains of short edges.  The new vertex is an exact zero of the row that made
it and of the rows proportional to that.

Underflow cannot forge an exact zero: weights and magnitudes stay above 2^-300 and 2^-90, nonzero errors
above tau, so their products are positive; and what underflow loses is far below tau.

Glossary: n rows of the stage (columns of the table), V vertices, P values, E bounds, A / B at the ends a / b.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..program import Floats, Program, Stage
from .lattice import MINUS, PLUS, ZERO, Codes, Growing, Ints
from .origins import Origins, scaled_quotient

U = 2.0**-53
TAU = 2.0**-600
SLACK = 1 + 2.0**-40
HUGE = 2.0**500  # beyond this, and below its inverse, a value is left to the integers
LEAST_WEIGHT = 2.0**-300


def layer(stage: Stage, values: Floats, errors: Floats) -> tuple[Floats, Floats]:
    """Rows of a stage with bounds, from its sources (x0 first) with bounds; shapes (1 + m, V) -> (n, V)."""
    p = stage.weights @ values
    e = np.abs(values)
    e *= 1.01 * stage.terms * U
    e += errors
    e = stage.magnitude @ e
    e *= SLACK
    e += TAU * (e != 0)
    e[np.abs(p) > HUGE] = np.inf
    return p, e


def activate(relu: npt.NDArray[np.bool_], p: Floats, e: Floats) -> tuple[Floats, Floats]:
    """Outputs of neurons, with bounds: max(p, 0) in the rows marked `relu`, p itself in the others."""
    bent = relu[:, None]
    off = bent & (p < -e)
    return np.where(bent, np.maximum(p, 0), p), np.where(off, 0.0, e)


def evaluate_next(program: Program, number: int, h: Floats, p: Floats, e: Floats) -> tuple[Floats, Floats]:
    """Columns of stage number + 1, and of what later stages read, from those of stage `number`.

    Columns of stage -1 are the input coordinates.  h: x0 of the vertices, shape (V,); p, e: a row per
    column of the stage, shape (., V).
    """
    with np.errstate(all="ignore"):
        if number >= 0:
            stage = program.stages[number]
            n = len(stage.rows)
            out_p, out_e = activate(stage.relu, p[:n], e[:n])
            p, e = np.vstack((out_p, p[n:])), np.vstack((out_e, e[n:]))
        stage = program.stages[number + 1]
        new_p, new_e = layer(stage, np.vstack((h, p[stage.take])), np.vstack((0 * h, e[stage.take])))
        return np.vstack((new_p, p[stage.keep])), np.vstack((new_e, e[stage.keep]))


class Values:
    """Columns of the current stage and of earlier outputs that later stages read, at all vertices.

    Columns 0..n-1 belong to the stage, the others to `stage.kept`.  In the last stage the columns of
    rows already cut are given up: those below `first` are no longer maintained.
    """

    __slots__ = ("_h", "_table", "first", "integers_only", "origins", "stage_number", "undecided")

    def __init__(self, program: Program, integers_only: bool) -> None:
        """Floating coordinates of the starting vertices; `advance` leads to the first stage."""
        self.origins = Origins(program)
        self.integers_only = integers_only
        self.stage_number = -1
        self.first = 0
        self.undecided = 0  # number of signs that were left to the integers
        vertices = program.vertices
        self._h = Growing(np.array([float(x[0] != 0) for x in vertices]))
        # Value and bound of every column, in rows, so that columns given up are never touched again.
        self._table = Growing(np.empty((program.dim, 2, len(vertices))))
        for v in range(len(vertices)):
            self._refresh(v)

    @property
    def stage(self) -> Stage:
        """The stage whose rows are at hand."""
        return self.origins.program.stages[self.stage_number]

    @property
    def points(self) -> Floats:
        """1.0 for points, 0.0 for directions."""
        return self._h.view()

    def intervals(self) -> tuple[Floats, Floats]:
        """Values and bounds of the columns still maintained, shape (., V)."""
        table = self._table.view()[self.first :]
        return table[:, 0], table[:, 1]

    def restrict(self, kept: Ints) -> Values:
        """The same columns at some of the vertices, with records of their own."""
        part = object.__new__(Values)
        part.origins = Origins(self.origins.program, self.origins, kept)
        part.integers_only, part.stage_number, part.first = self.integers_only, self.stage_number, self.first
        part.undecided = 0
        part._h = Growing(self._h.take(kept))
        part._table = Growing(np.empty((len(self._table.view()), 2, kept.size)))
        part._table.view()[self.first :] = self._table.take(kept, self.first)
        return part

    def advance(self) -> None:
        """Go on to the next stage."""
        table = self._table.view()
        p, e = evaluate_next(self.origins.program, self.stage_number, self.points, table[:, 0], table[:, 1])
        self._table = Growing(np.stack((p, e), axis=1))
        self.stage_number += 1
        if self.origins.count == len(self.origins.program.vertices):
            for v in range(self.origins.count):  # few, and full of exact zeros
                self._refresh(v)

    def signs(self, row: int) -> Codes:
        """PLUS, MINUS or ZERO at every vertex."""
        table = self._table.view()
        p, e = table[row]
        code: Codes = (p > e).view(np.uint8)
        code |= (p < -e).view(np.uint8) << 1
        if self.integers_only:
            open_signs = np.arange(code.size)
        else:
            open_signs = (code == 0).nonzero()[0]
            if open_signs.size:
                zero = e[open_signs] == 0
                code[open_signs[zero]] = ZERO
                open_signs = open_signs[~zero]
        twins = list(self.stage.twins[row])
        for v in open_signs.tolist():
            value = self.origins.value(v, self.stage_number, row)
            code[v] = PLUS if value > 0 else MINUS if value < 0 else ZERO
            if value:
                self._refresh(v)
            else:
                table[twins, :, v] = 0.0
        self.undecided += open_signs.size
        return code

    def extend(self, row: int, a: Ints, b: Ints) -> None:
        """Add the vertices in which `row` vanishes on the edges ab, positive at a, negative at b."""
        old = self._h.size
        h_a, h_b = self._h.take(a), self._h.take(b)
        born = self._h.room(a.size)
        np.maximum(h_a, h_b, out=born)
        away = born == 0  # on an edge at infinity both ends count as 1
        h_a[away] = h_b[away] = 1.0
        start = row if self.stage.last else 0  # no column before this one is needed any more
        end_a, end_b = self._table.take(a, start), self._table.take(b, start)
        (beta, e_beta), (below, e_alpha) = end_a[row - start], end_b[row - start]
        alpha = -below
        with np.errstate(all="ignore"):
            s = alpha * h_a + beta * h_b
            s_low = s - h_a * e_alpha - h_b * e_beta
            w_a, w_b = alpha / s, beta / s
            delta = (alpha * e_beta + beta * e_alpha) / (s * s_low)
            good = (s > 2.0**-100) & (s < 2.0**200) & (s_low > s / 2) & (np.minimum(w_a, w_b) > LEAST_WEIGHT)
            self.origins.add(self.stage_number, row, a, b, (w_a, w_b))
            if self.stage.last:  # nor is this one
                self.first = row + 1
            first = self.first
            new = self._table.room(a.size, first)[first:]
            if not len(new):
                return
            good &= _interpolate(end_a[first - start :], end_b[first - start :], (w_a, w_b, delta, h_a, h_b), new)
        for twin in self.stage.twins[row]:
            if twin >= first:
                new[twin - first] = 0.0
        for i in (~good).nonzero()[0].tolist():
            self._refresh(old + i)

    def _refresh(self, v: int) -> None:
        """Round all maintained columns of one vertex anew from integers."""
        x = self.origins.coordinates(v)
        divisor = x[0] or 1 << max(abs(c).bit_length() for c in x)
        table = self._table.view()
        numbers = [(c, 0) for c in x[1:]] if self.stage_number < 0 else self._exact_columns(v, x)
        for i, (number, exponent) in enumerate(numbers[self.first :], self.first):
            table[i, :, v] = _rounded(number, divisor, exponent)
        self.origins.rounded_anew(v)

    def _exact_columns(self, v: int, x: list[int]) -> list[tuple[int, int]]:
        """(integer, exponent) of every column: the value is integer times 2^-exponent."""
        stages, at = self.origins.program.stages, self.stage_number
        columns = list(zip(self.origins.values(v, at), stages[at].exponent, strict=True))
        for slot in stages[at].kept:
            if slot < stages[0].first_slot:
                columns.append((x[slot], 0))
                continue
            s = max(i for i in range(at) if stages[i].first_slot <= slot)
            i = slot - stages[s].first_slot
            z = self.origins.values(v, s)[i]
            columns.append((max(z, 0) if stages[s].relu[i] else z, stages[s].exponent[i]))
        return columns


def _interpolate(a: Floats, b: Floats, weights: tuple[Floats, ...], new: Floats) -> npt.NDArray[np.bool_]:
    """Fill in the columns of new vertices by the formula above; tell which of them may be used.

    a, b (overwritten), new: values and bounds, shape (columns, 2, new vertices).
    """
    w_a, w_b, delta, h_a, h_b = weights
    p_a, p_b, p = a[:, 0], b[:, 0], new[:, 0]
    jump = h_a * p_b
    jump -= h_b * p_a
    np.abs(jump, out=jump)
    jump *= delta
    jump += (w_a + delta) * a[:, 1]
    jump += (w_b + delta) * b[:, 1]
    p_a *= w_a
    p_b *= w_b
    np.add(p_a, p_b, out=p)
    np.abs(p_a, out=p_a)
    p_a += np.abs(p_b, out=p_b)
    p_a *= 8 * U
    jump += p_a
    jump *= SLACK
    jump += TAU * (jump != 0)
    new[:, 1] = jump
    greatest = np.abs(p, out=p_b).max(axis=0)
    good: npt.NDArray[np.bool_] = (greatest < 2.0**200) & (jump.max(axis=0) <= greatest * 2.0**-12)
    return good


def _rounded(number: int, divisor: int, exponent: int) -> tuple[float, float]:
    """Number / (divisor 2^exponent) and a bound for its error; (0, 0) for an exact zero."""
    if not number:
        return 0.0, 0.0
    value = scaled_quotient(number, divisor, exponent)
    if abs(value) > HUGE:
        return 0.0, np.inf
    if abs(value) < 1 / HUGE:
        return 0.0, 2 / HUGE
    return value, 2 * U * abs(value)
