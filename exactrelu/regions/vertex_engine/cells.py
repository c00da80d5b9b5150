r"""The finished complex, read on demand: patterns, adjacency, faces, vertices, interior points.

Everything is arrays; a region is a number 0..count-1.  A k-face of the lattice has dimension
k + (d - r) in R^d, where d - r coordinates do not matter.

Where auxiliary hyperplanes had to cut (skip connections that reach directions the first layer does not
see), several cells make up one region: those with equal signs of all neurons.  The same rule merges
lower faces, because a face of the complex is exactly a set of points with equal signs.

Glossary: r dimension of the lattice, k dimension of a face, f a face, v a vertex, w words.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ...errors import InvalidInput
from ..program import Floats, Program
from .lattice import Flags, Ints, Lattice, Words
from .origins import Origins
from .points import average, averages, proved
from .words import bit_planes, field_of, first_functions, lexicographic, signs

Point = tuple[Fraction, ...]


class Cells:
    """All regions of a network on a domain, or one block of them (`whole` tells which)."""

    def __init__(
        self, program: Program, lattice: Lattice, origins: Origins, points: Floats, words: Words, whole: bool
    ) -> None:
        """Take the finished complex, the records of its vertices, and their ternary signs."""
        self.program, self.lattice, self.origins, self.whole = program, lattice, origins, whole
        self._points, self._vertex_words = points, words

    @cached_property
    def _face_words(self) -> list[Words]:
        """Signs of the faces of every dimension: array (w, faces) for k = 0..r."""
        levels = [self.lattice.join(word) for word in self._vertex_words]
        return [np.stack(level) for level in zip(*levels, strict=True)]

    @cached_property
    def _cell_words(self) -> Words:
        return np.stack([self.lattice.join(word)[-1] for word in self._vertex_words])

    @cached_property
    def _merged(self) -> tuple[Ints, Ints]:
        """Region of every cell, and one cell of every region."""
        if not self.program.auxiliary:
            same = np.arange(self.lattice.cells)
            return same, same
        known = self._visible(self._cell_words)
        _, first, label = np.unique(known, axis=1, return_index=True, return_inverse=True)
        return label.reshape(-1), first

    def _visible(self, words: Words) -> Words:
        return first_functions(words, len(self.program.neurons) + len(self.program.walls))

    @property
    def count(self) -> int:
        """Number of regions."""
        return self.lattice.cells if not self.program.auxiliary else self._merged[1].size

    # ---- patterns ------------------------------------------------------------------------------

    @cached_property
    def words(self) -> Words:
        """Signs of the neurons on every region, two bits each: 01 plus, 10 minus, 00 zero."""
        return first_functions(self._cell_words[:, self._merged[1]], len(self.program.neurons))

    def planes(self) -> tuple[Words, Words]:
        """Packed patterns, shape (words, regions): bit "is +", bit "is identically zero"."""
        return bit_planes(self.words, len(self.program.neurons))

    def patterns(self, first: int = 0, last: int | None = None) -> npt.NDArray[np.int8]:
        """Signs -1, 0, 1 of the neurons on the regions first..last-1, shape (neurons, regions)."""
        return signs(self.words[:, first:last], len(self.program.neurons))

    def order(self) -> Ints:
        """The regions in canonical order: patterns compared neuron by neuron, - < 0 < +."""
        return lexicographic(self.words)

    # ---- adjacency -----------------------------------------------------------------------------

    @cached_property
    def shared_facets(self) -> tuple[Ints, Ints, Ints]:
        """All facets between two regions, and these regions, first < second.

        Auxiliary hyperplanes may have cut the common facet of two regions into several.
        """
        facet, low, high = self.lattice.sides()
        if self.program.auxiliary:
            label = self._merged[0]
            low, high = np.sort(np.stack((label[low], label[high])), axis=0)
            inner = np.flatnonzero(low != high)
            return facet[inner], low[inner], high[inner]
        return facet, low, high

    @cached_property
    def adjacency(self) -> tuple[Ints, Ints, Ints]:
        """One shared facet per pair of adjacent regions, and the two regions, first < second."""
        facet, low, high = self.shared_facets
        if self.program.auxiliary:
            pairs, first = np.unique(np.stack((low, high)), axis=1, return_index=True)
            return facet[first], pairs[0], pairs[1]
        return facet, low, high

    def outer_facets(self) -> tuple[Ints, Words]:
        """Finite facets with one cell: that region, and the signs of the facet.

        A facet shared by two blocks appears in both, with the same signs; no other two facets of the
        whole complex agree, so joining blocks on the signs completes the adjacency.
        """
        k = self.lattice.dim
        if k == 0:
            return np.empty(0, np.int64), self._vertex_words[:, :0]
        sub, face = self.lattice.incidence(k)
        single = (np.bincount(sub, minlength=self.lattice.size[k - 1]) == 1) & self.finite(k - 1)
        rows = np.flatnonzero(single[sub])
        return self._merged[0][face[rows]], self._face_words[k - 1][:, sub[rows]]

    def facet_point(self, facet: int) -> Point:
        """A rational point inside a facet."""
        return self._embed(average(self.origins, self.vertices(self.lattice.dim - 1, facet)))

    # ---- faces ---------------------------------------------------------------------------------

    @cached_property
    def _finite(self) -> list[Flags]:
        levels = self.lattice.join(self._points.astype(np.uint8))
        return [level.astype(np.bool_) for level in levels]

    def finite(self, k: int) -> Flags:
        """Which k-faces of the lattice are faces in R^d; the others lie at infinity."""
        return self._finite[k]

    def face_signs(self, k: int) -> npt.NDArray[np.int8]:
        """Signs -1, 0, 1 of the neurons on the relative interiors of all k-faces, (neurons, faces).

        The neurons that are 0 on a face and not on the regions around it are those whose bent
        hyperplanes meet there.
        """
        return signs(self._face_words[k], len(self.program.neurons))

    @cached_property
    def _words_around(self) -> list[Words]:
        """Unions of the signs of all cells around every face: array (w, faces) for k = 0..r."""
        levels = [self._cell_words]
        for k in range(self.lattice.dim, 0, -1):
            sub, face = self.lattice.incidence(k)
            union = np.zeros((len(levels[-1]), self.lattice.size[k - 1]), np.uint64)
            for target, source in zip(union, levels[-1], strict=True):
                np.bitwise_or.at(target, sub, source[face])
            levels.append(union)
        return levels[::-1]

    def bending(self, k: int) -> Flags:
        """Which neurons vanish on which k-faces without vanishing on all cells around, (neurons, faces).

        These k-faces make up the bent hyperplane of the neuron.
        """
        around = self._words_around[k]
        bending: Flags = self.face_signs(k) == 0
        for bit, row in enumerate(bending):
            word, shift = field_of(bit)
            row &= (around[word] >> shift) & np.uint64(3) != 0
        return bending

    @cached_property
    def faces(self) -> list[Ints]:
        """The finite faces of the complex, by k = 0..r; of the whole complex only.

        Parts of one face, cut by auxiliary hyperplanes, have equal signs: one of
        greatest dimension stands for it.
        """
        if not self.whole:
            raise InvalidInput("faces", "need the whole complex, not one block of it")
        found = [np.flatnonzero(finite) for finite in self._finite]
        if self.program.auxiliary:
            seen: set[bytes] = set()
            for k in range(self.lattice.dim, -1, -1):
                words = np.ascontiguousarray(self._visible(self._face_words[k][:, found[k]]).T)
                first = {word.tobytes(): f for word, f in zip(words, found[k].tolist(), strict=True)}
                found[k] = np.array(sorted(f for word, f in first.items() if word not in seen), np.int64)
                seen.update(first)
        return found

    def f_vector(self) -> tuple[int, ...]:
        """Numbers of faces of codimension 0, 1, .., r; of the whole complex only."""
        return tuple(faces.size for faces in reversed(self.faces))

    @cached_property
    def _facet_lists(self) -> list[tuple[Ints, Ints]]:
        """Per k = 1..r: facets sorted by face, and where the list of every face begins."""
        lists = []
        for k in range(1, self.lattice.dim + 1):
            sub, face = self.lattice.incidence(k)
            begin = np.concatenate(([0], np.cumsum(np.bincount(face, minlength=self.lattice.size[k]))))
            lists.append((sub[np.argsort(face, kind="stable")], begin))
        return lists

    def facets(self, k: int, f: int) -> list[int]:
        """The (k-1)-faces of the k-face f, those at infinity included."""
        sub, begin = self._facet_lists[k - 1]
        return sub[begin[f] : begin[f + 1]].tolist()  # type: ignore[no-any-return]  # NumPy does not say what tolist gives

    def vertices(self, k: int, f: int) -> list[int]:
        """The vertices of the k-face f, points and directions, ascending."""
        found = {f}
        for level in range(k, 0, -1):
            found = {g for face in found for g in self.facets(level, face)}
        return sorted(found)

    def generators(self, region: int) -> tuple[list[Point], list[Point]]:
        """Points and directions whose hull, plus the coordinates that do not matter, is the region.

        Of a region made of several cells, the generators of all of them.
        """
        cells = np.flatnonzero(self._merged[0] == region).tolist() if self.program.auxiliary else [region]
        found = sorted({v for cell in cells for v in self.vertices(self.lattice.dim, cell)})
        points = [self.vertex(v) for v in found if self._points[v]]
        return points, [self.vertex(v) for v in found if not self._points[v]]

    def is_point(self, v: int) -> bool:
        """True for a point, False for a direction."""
        return bool(self._points[v])

    def vertex(self, v: int) -> Point:
        """Exact coordinates in R^d of a point, or a primitive integer direction."""
        x0, *x = self.origins.coordinates(v)
        return self._embed([Fraction(c, x0 or 1) for c in x])

    def bounded(self) -> Flags:
        """Which regions are bounded."""
        if self.lattice.dim < self.program.input_dim:
            return np.zeros(self.count, np.bool_)
        cell = self.lattice.join((self._points == 0).astype(np.uint8))[-1] == 0
        whole = np.ones(self.count, np.bool_)
        np.logical_and.at(whole, self._merged[0], cell)
        return whole

    # ---- interior points -----------------------------------------------------------------------

    @cached_property
    def interior(self) -> tuple[Floats, dict[int, Point]]:
        """Proved interior points: float64 numbers, exactly as they are, shape (d, regions).

        Regions whose point could not be proved in floats have an exact one in the dictionary.
        """
        cell = self._merged[1]
        x = averages(self.lattice, self._points, self.origins.floating())[:, cell]
        short, good = proved(self.program, x, signs(self._cell_words[:, cell], self.program.bits))
        table = np.zeros((self.program.input_dim, cell.size))
        table[list(self.program.pivots)] = short
        return table, {i: self._exact_interior(i) for i in np.flatnonzero(~good).tolist()}

    def interior_point(self, region: int) -> Point:
        """A rational point inside a region."""
        table, exact = self.interior
        return exact.get(region) or tuple(Fraction(float(c)) for c in table[:, region])

    def _exact_interior(self, region: int) -> Point:
        cell = int(self._merged[1][region])
        return self._embed(average(self.origins, self.vertices(self.lattice.dim, cell)))

    def _embed(self, x: list[Fraction]) -> Point:
        """Coordinates in R^d from those that matter; the others are 0."""
        full = [Fraction(0)] * self.program.input_dim
        for column, c in zip(self.program.pivots, x, strict=True):
            full[column] = c
        return tuple(full)
