r"""The network as integer and floating rows.

Positive rescaling of neurons changes no sign.  Every layer is rescaled so that its rows are integers;
for the floating-point side, rows are rescaled once more by powers of two so that their greatest entry
lies in [1/2, 1), which is done on the integers and therefore costs no accuracy.

The domain, if any, is one more layer in front: its half-spaces normal.x <= bound are the rows
bound - normal.x, cut like neurons; the cells on the negative side are dropped.

Values live in numbered *slots*: slot 0 is the homogenising coordinate x0, slots 1..r the input
coordinates that matter, then the rows of the stages, one after another.

Only the pivot columns of the rows that read the input matter: with r their rank, every value that
the rows take on R^d they take where the other d - r coordinates are 0.

Glossary: d input dimension, r rank, n rows of a stage, m slots it reads, e binary exponents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import gcd, lcm

import numpy as np
import numpy.typing as npt

from ..networks import Layer, Network
from ..polyhedra import Halfspace
from ..rationals import IntegerMatrix
from .start import Draft, starting_rows

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Row = Sequence[int]

# Magnitudes are raised to this, so that a magnitude times a nonzero error never underflows to zero,
# and so that entries below 2^-900, which are left out of the floating rows, are paid for.
LEAST = 2.0**-90


@dataclass(frozen=True, slots=True)
class Stage:
    """A layer, or the domain, ready for evaluation.  Column 0 of every row belongs to x0."""

    rows: tuple[Row, ...]  # n rows of 1 + m integers
    reads: tuple[int, ...]  # the m slots of columns 1..m
    first_slot: int
    bent: tuple[bool, ...]  # which outputs are max(., 0)
    relu: npt.NDArray[np.bool_]  # the same as an array
    cuts: tuple[tuple[int, int], ...]  # (row, bit) in cutting order, without the starting rows
    bits: tuple[int, ...]  # bits of all cutting rows, in row order
    exponent: tuple[int, ...]  # the floating row is the integer row times 2^-e
    weights: Floats  # (n, 1 + m)
    magnitude: Floats  # |weights|, raised to LEAST where the true weight is not zero
    terms: int  # rounding errors of one output: at most terms * u * (magnitude @ |values|)
    twins: tuple[tuple[int, ...], ...]  # per row, the rows proportional to it, itself included
    take: Ints  # (m,) where the slots it reads stand among the columns kept before
    keep: Ints  # columns to keep for later stages
    kept: tuple[int, ...]  # their slots
    last: bool
    _matrix: list[IntegerMatrix] = field(repr=False, compare=False)

    @property
    def matrix(self) -> IntegerMatrix:
        """The rows as an exact matrix, made when first needed."""
        if not self._matrix:
            self._matrix.append(IntegerMatrix(self.rows, len(self.rows[0])))
        return self._matrix[0]


@dataclass(frozen=True, slots=True)
class Program:
    """Everything the enumeration needs to know about a network on a domain."""

    input_dim: int
    pivots: tuple[int, ...]
    stages: tuple[Stage, ...]
    neurons: tuple[tuple[int, int], ...]  # bit -> (layer, index); domain and auxiliary bits follow
    walls: tuple[int, ...]  # bits of the half-spaces of the domain
    auxiliary: int  # number of auxiliary bits, the last ones
    start: tuple[int, ...]  # bits of the r starting rows
    vertices: tuple[tuple[int, ...], ...]  # the 2r + 1 starting vertices in homogeneous integers

    @property
    def dim(self) -> int:
        """Dimension r of the space in which cells are cut."""
        return len(self.pivots)

    @property
    def bits(self) -> int:
        """Number of functions whose signs are recorded."""
        return len(self.neurons) + len(self.walls) + self.auxiliary


def compile_network(net: Network, domain: Sequence[Halfspace] = ()) -> Program:
    r"""Translate a network and the half-spaces \(n\cdot x\le b\) of its domain."""
    d = net.input_dim
    cutting = [[not rho.is_affine for rho in layer.activations] for layer in net.layers]
    depth = max((k for k, flags in enumerate(cutting, start=1) if any(flags)), default=0)
    neurons = tuple((k, i) for k in range(1, depth + 1) for i, cuts in enumerate(cutting[k - 1]) if cuts)
    walls = [[half.row[-1], *(-c for c in half.row[:-1])] for half in domain if any(half.row[:-1])]
    wall_bits = range(len(neurons), len(neurons) + len(walls))
    drafts: list[Draft] = []
    if walls:
        drafts.append(Draft(walls, [(-1, d)], [True] * len(walls), list(wall_bits)))
    scales, bit, shift = [1], 0, len(drafts)
    for layer, flags in zip(net.layers[:depth], cutting[:depth], strict=True):
        rows, scale = _integer_rows(layer, scales)
        scales.append(scale)
        sources = [(s + shift - 1 if s else -1, net.layers[s - 1].width if s else d) for s, _ in layer.blocks]
        drafts.append(Draft(rows, sources, flags, list(range(bit, bit + sum(flags)))))
        bit += sum(flags)
    pivots, start, auxiliary, vertices = starting_rows(d, drafts, len(neurons) + len(walls))
    return Program(
        d, pivots, _stages(drafts, d, pivots, set(start)), neurons, tuple(wall_bits), auxiliary, start, vertices
    )


def _integer_rows(layer: Layer, scales: list[int]) -> tuple[list[list[int]], int]:
    """Integer rows (x0 first) of a layer whose sources have been multiplied by `scales`.

    Each scale divides the next; the layer itself ends up multiplied by the scale returned.
    """
    bias = layer.bias
    dens = {q.denominator for _, matrix in layer.blocks for q in chain.from_iterable(matrix) if q is not None}
    den = lcm(*dens, *(() if bias is None else {q.denominator for q in bias}))
    over = scales[-1]
    rows = [[0] for _ in range(layer.width)]
    if bias is not None:
        rows = [[q.numerator * (den // q.denominator) * over] for q in bias]
    for source, matrix in layer.blocks:
        factor = over // scales[source]
        of = {q: factor * (den // q) for q in dens}
        for row, entries in zip(rows, matrix, strict=True):
            row.extend([0 if q is None else q.numerator * of[q.denominator] for q in entries])
    return rows, den * over


def _stages(drafts: list[Draft], d: int, pivots: tuple[int, ...], start: set[int]) -> tuple[Stage, ...]:
    """Number the slots, drop the input columns that are no pivots, and convert the rows."""
    r = len(pivots)
    first_slots = [1 + r]
    for draft in drafts:
        first_slots.append(first_slots[-1] + len(draft.rows))
    reads: list[tuple[int, ...]] = []
    for draft in drafts:
        slots: list[int] = []
        for source, width in draft.sources:
            slots += range(1, r + 1) if source == -1 else range(first_slots[source], first_slots[source] + width)
        reads.append(tuple(slots))
        if r < d:
            columns = _columns_kept(draft, pivots)
            draft.rows = [[row[c] for c in columns] for row in draft.rows]
    stages: list[Stage] = []
    exponents: list[int] = [0] * (1 + r)
    present = list(range(1, r + 1))  # the slots of the columns at hand
    for s, draft in enumerate(drafts):
        later = set(chain.from_iterable(reads[s + 1 :]))
        place = {slot: i for i, slot in enumerate(present)}
        kept = tuple(slot for slot in present if slot in later)
        weights, magnitude, inexact, exponent = _float_rows(draft.rows, [0, *(exponents[u] for u in reads[s])])
        exponents += exponent
        bits = iter(draft.bits)
        cuts = [(i, next(bits)) for i, cutting in enumerate(draft.relu) if cutting]
        stages.append(
            Stage(
                tuple(draft.rows),
                reads[s],
                first_slots[s],
                tuple(draft.relu),
                np.array(draft.relu, np.bool_),
                tuple((i, bit) for i, bit in cuts if bit not in start),
                tuple(draft.bits),
                tuple(exponent),
                weights,
                magnitude,
                weights.shape[1] + 2 + inexact,
                _twins(draft.rows),
                np.array([place[slot] for slot in reads[s]], np.int64),
                np.array([place[slot] for slot in kept], np.int64),
                kept,
                s == len(drafts) - 1,
                [],
            )
        )
        present = [*range(first_slots[s], first_slots[s + 1]), *kept]
    return tuple(stages)


def _columns_kept(draft: Draft, pivots: tuple[int, ...]) -> list[int]:
    """The columns of a draft that matter: of those that read the input only the pivots."""
    columns, at = [0], 1
    for source, width in draft.sources:
        columns += [at + p for p in pivots] if source == -1 else range(at, at + width)
        at += width
    return columns


def _twins(rows: list[list[int]]) -> tuple[tuple[int, ...], ...]:
    """Rows on the same hyperplane, either orientation: primitive rows agree up to sign."""
    groups: dict[tuple[int, ...], list[int]] = {}
    where = []
    for i, row in enumerate(rows):
        common = gcd(*row) or 1
        lead = next((c for c in row if c), 0)
        if lead < 0:
            common = -common
        group = groups.setdefault(tuple(row) if common == 1 else tuple([c // common for c in row]), [])
        group.append(i)
        where.append(group)
    return tuple(tuple(group) for group in where)


def _float_rows(rows: list[list[int]], source_exponents: list[int]) -> tuple[Floats, Floats, int, list[int]]:
    r"""Rows times \(2^{e_u-e}\) with their greatest entry in [1/2, 1).

    Returns the rows W, their magnitudes raised to LEAST where the true entry is not zero, a number t
    such that |W - true W| <= t u |W| up to entries below 2^-900, and the exponents e.
    """
    exact = all(min(row) >= -(2**53) and max(row) <= 2**53 for row in rows)
    if exact:
        mantissa, binary = np.frexp(np.array(rows, np.float64))
    else:
        parts = [[_frexp(c) for c in row] for row in rows]
        mantissa = np.array([[m for m, _ in row] for row in parts])
        binary = np.array([[e for _, e in row] for row in parts], np.int64)
    exponent = binary.astype(np.int64) + np.array(source_exponents, np.int64)
    nonzero = mantissa != 0
    top = np.where(nonzero, exponent, -(2**62)).max(axis=1)
    top[~nonzero.any(axis=1)] = 0
    shift = np.where(nonzero, exponent - top[:, None], 0)
    weights = np.where(shift < -900, 0.0, np.ldexp(mantissa, np.maximum(shift, -1000).astype(np.int32)))
    magnitude = np.where(nonzero, np.maximum(np.abs(weights), LEAST), 0.0)
    return weights, magnitude, 0 if exact else 3, top.tolist()


def _frexp(c: int) -> tuple[float, int]:
    """(m, e) with c = m 2^e up to a relative error 2^-52 and 1/2 <= |m| <= 1."""
    excess = max(0, abs(c).bit_length() - 62)
    mantissa, e = np.frexp(float(c >> excess))
    return float(mantissa), int(e) + excess
