r"""Exact integer coordinates and values of vertices, computed only when somebody asks.

A vertex is born on an edge ab that neuron j cuts, f_j(a) > 0 > f_j(b), so that with homogeneous
integer coordinates x

    x(v) = -f_j(b) x(a) + f_j(a) x(b),   divided by the gcd of its entries.

Its parents, the neuron and two floating weights are all that is kept of it.  Coordinates are found
parents first, by a loop (generations can be as many as there are neurons), and remembered.

When a complex is split into blocks, every block has its own records, which refer to those of the
complex it came from; a finished block can therefore be forgotten with everything it computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from operator import mul

import numpy as np

from ...rationals import float_quotient
from ..program import Floats, Program
from .lattice import Growing, Ints


class Origins:
    """Where every vertex comes from; the first `inherited` vertices are older than this record."""

    __slots__ = (
        "_base",
        "_batches",
        "_coordinates",
        "_float",
        "_index",
        "_parents",
        "_rounded",
        "_values",
        "_weights",
        "inherited",
        "program",
    )

    def __init__(self, program: Program, base: Origins | None = None, index: Ints | None = None) -> None:
        """Start from the program's starting vertices, or from vertices `index` of another record."""
        self.program = program
        self._base, self._index = base, index
        self.inherited = len(program.vertices) if index is None else index.size
        self._parents = Growing(np.empty((4, 0), np.int64))  # a, b, stage, row
        self._weights = Growing(np.empty((2, 0)))
        self._batches: list[int] = []
        self._rounded: list[tuple[int, int]] = []
        self._coordinates: dict[int, list[int]] = {}
        self._values: dict[int, list[list[int]]] = {}
        self._float: Floats | None = None
        if index is None:
            self._coordinates.update(enumerate(map(list, program.vertices)))

    @property
    def count(self) -> int:
        """Number of vertices."""
        return self.inherited + self._parents.size

    def add(self, stage: int, row: int, a: Ints, b: Ints, weights: tuple[Floats, Floats]) -> None:
        """Vertices born on the edges ab; `weights` combine the floating coordinates of the ends."""
        space = self._parents.room(a.size)
        space[0], space[1], space[2], space[3] = a, b, stage, row
        space = self._weights.room(a.size)
        space[0], space[1] = weights
        self._batches.append(a.size)

    def rounded_anew(self, vertex: int) -> None:
        """Note that the floating columns of a vertex were replaced: a direction changes its length."""
        self._rounded.append((len(self._batches), vertex))

    def coordinates(self, vertex: int) -> list[int]:
        """Primitive integers (x0, x1, .., xr), x0 >= 0: the point x/x0, or the direction x if x0 = 0."""
        known = self._coordinates
        stack = [vertex]
        while stack:
            v = stack[-1]
            if v in known:
                stack.pop()
            elif v < self.inherited:
                assert self._base is not None and self._index is not None
                known[v] = self._base.coordinates(int(self._index[v]))
            else:
                a, b, stage, row = self._parents.view()[:, v - self.inherited].tolist()
                missing = [p for p in (a, b) if p not in known]
                if missing:
                    stack += missing
                    continue
                alpha, beta = -self.value(b, stage, row), self.value(a, stage, row)
                x = [alpha * s + beta * t for s, t in zip(known[a], known[b], strict=True)]
                common = gcd(*x)
                known[v] = [c // common for c in x]
        return known[vertex]

    def value(self, vertex: int, stage: int, row: int) -> int:
        """One integer row of a stage at the homogeneous coordinates of a vertex."""
        x = self._coordinates.get(vertex) or self.coordinates(vertex)
        step = self.program.stages[stage]
        if stage == 0:  # reads the input coordinates only, in their order
            return sum(map(mul, step.rows[row], x))
        known = self._values.setdefault(vertex, [])
        if len(known) > stage:
            return known[stage][row]
        if len(known) < stage:
            self.values(vertex, stage - 1)
        slots = _slots(self.program, x, known)
        return sum(map(mul, step.rows[row], [x[0], *[slots[u] for u in step.reads]]))

    def values(self, vertex: int, stage: int) -> list[int]:
        """All integer rows of a stage at the homogeneous coordinates of a vertex."""
        known = self._values.setdefault(vertex, [])
        while len(known) <= stage:
            step = self.program.stages[len(known)]
            slots = _slots(self.program, self.coordinates(vertex), known)
            column = [slots[0], *[slots[u] for u in step.reads]]
            known.append([z for (z,) in step.matrix.times([[c] for c in column], 1)])
        return known[stage]

    def floating(self) -> Floats:
        """Unproved floating coordinates of all vertices, shape (r, V); directions at some length."""
        if self._float is None:
            if self._base is None:
                start = np.array([direction_or_point(x) for x in self.program.vertices]).T
            else:
                start = self._base.floating()[:, self._index]
            table = np.empty((start.shape[0], self.count))
            table[:, : self.inherited] = start
            parents, weights, at = self._parents.view(), self._weights.view(), 0
            rounded = iter([*self._rounded, (len(self._batches) + 1, -1)])
            when, vertex = next(rounded)
            for i, size in enumerate([*self._batches, 0]):
                while when == i:
                    table[:, vertex] = direction_or_point(self.coordinates(vertex))
                    when, vertex = next(rounded)
                (a, b), (w_a, w_b) = parents[:2, at : at + size], weights[:, at : at + size]
                with np.errstate(all="ignore"):
                    born = w_a * table[:, a] + w_b * table[:, b]
                table[:, self.inherited + at : self.inherited + at + size] = born
                at += size
            self._float = table
        return self._float


def _slots(program: Program, x: list[int], known: list[list[int]]) -> list[int]:
    """Contents of the slots: homogeneous coordinates, then the outputs of the stages known."""
    slots = list(x)
    for values, stage in zip(known, program.stages, strict=False):
        slots += [z if z > 0 or not bent else 0 for z, bent in zip(values, stage.bent, strict=True)]
    return slots


def direction_or_point(x: Sequence[int]) -> list[float]:
    """Floating coordinates: of a point as they are, of a direction with greatest entry in [1/2, 1)."""
    divisor = x[0] or 1 << max(abs(c).bit_length() for c in x)
    return [float_quotient(c, divisor) for c in x[1:]]


def scaled_quotient(numerator: int, divisor: int, exponent: int) -> float:
    """Numerator / (divisor 2^exponent) rounded once, divisor > 0; infinite beyond the format."""
    if exponent > 0:
        divisor <<= exponent
    elif exponent < 0:
        numerator <<= -exponent
    return float_quotient(numerator, divisor)
