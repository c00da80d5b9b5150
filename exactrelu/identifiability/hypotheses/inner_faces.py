r"""The faces of a region complex that meet the interior of the domain.

Levels count from 0 to ``top``; a face of level :math:`k` has codimension
``top`` :math:`-k`. Walls that meet only on the boundary of the domain do not
meet for the function, so that hypotheses look at the inner faces alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ...networks.patterns import expect_relus
from ...rationals import Vector
from ...regions import RegionComplex
from ...verdicts import Neuron

Flags = npt.NDArray[np.bool_]
Signs = npt.NDArray[np.int8]
Codes = npt.NDArray[np.uint8]


class InnerFaces:
    """The inner faces of a complete complex, level by level, with the signs of its hidden neurons."""

    def __init__(self, complex: RegionComplex) -> None:
        self.complex = complex
        expect_relus(complex.network)
        self.lattice = complex.cells.lattice
        self.top = self.lattice.dim
        depth = complex.network.depth
        bending = complex.cells.program.neurons
        self.columns = {neuron: k for k, neuron in enumerate(bending) if neuron[0] < depth}

    @property
    def neurons(self) -> tuple[Neuron, ...]:
        """The hidden neurons that bend, in order."""
        return tuple(self.columns)

    @cached_property
    def inner(self) -> list[Flags]:
        """Which faces of every level meet the interior of the domain: those in no facet with one cell only."""
        outer = [np.zeros(size, np.bool_) for size in self.lattice.size]
        for k in range(self.top, 0, -1):
            sub, face = self.lattice.incidence(k)
            if k == self.top:
                outer[k - 1] = np.bincount(sub, minlength=self.lattice.size[k - 1]) == 1
            else:
                outer[k - 1][sub[outer[k][face]]] = True
        # Facets at infinity have one cell as well; what they share with inner facets lies at infinity.
        return [self.complex.cells.finite(k) & ~flags for k, flags in enumerate(outer)]

    def signs(self, k: int) -> Signs:
        """Signs of all bending neurons on all faces of a level, shape (neurons, faces)."""
        return self.complex.cells.face_signs(k)

    def bending(self, k: int) -> Flags:
        """Which neurons vanish on which inner faces without vanishing on all cells around."""
        flags: Flags = self.complex.cells.bending(k) & self.inner[k]
        return flags

    def around(self, codes: Codes) -> list[Codes]:
        """The unions, over the cells around every face, of bit codes of the cells; level by level."""
        levels = [codes]
        for k in range(self.top, 0, -1):
            sub, face = self.lattice.incidence(k)
            union = np.zeros(self.lattice.size[k - 1], np.uint8)
            np.bitwise_or.at(union, sub, levels[-1][face])
            levels.append(union)
        return levels[::-1]

    def around_face(self, k: int, f: int) -> Flags:
        """The cells around one face."""
        found = np.zeros(self.lattice.size[k], np.bool_)
        found[f] = True
        for level in range(k + 1, self.top + 1):
            sub, face = self.lattice.incidence(level)
            above = np.zeros(self.lattice.size[level], np.bool_)
            above[face[found[sub]]] = True
            found = above
        return found

    def sides(self, neuron: Neuron) -> Codes:
        """Per cell: 1 where the neuron is positive, 2 where it is negative, 0 where it vanishes."""
        signs = self.signs(self.top)[self.columns[neuron]]
        codes: Codes = ((signs > 0) + 2 * (signs < 0)).astype(np.uint8)
        return codes

    def without_larger(self, flags: list[Flags]) -> Iterator[tuple[int, int]]:
        """The faces (level, number) of a set of faces that lie in no larger face of the set."""
        inside = np.zeros(self.lattice.size[self.top], np.bool_)
        for k in range(self.top, -1, -1):
            yield from ((k, f) for f in np.flatnonzero(flags[k] & ~inside).tolist())
            if k:
                sub, face = self.lattice.incidence(k)
                below = np.zeros(self.lattice.size[k - 1], np.bool_)
                below[sub[(flags[k] | inside)[face]]] = True
                inside = below

    def point(self, k: int, f: int) -> Vector:
        """A rational point in the relative interior of a finite face."""
        cells = self.complex.cells
        vertices = cells.vertices(k, f)
        points = [cells.vertex(v) for v in vertices if cells.is_point(v)]
        rays = [cells.vertex(v) for v in vertices if not cells.is_point(v)]
        total = [sum(column, Fraction(0)) / len(points) for column in zip(*points, strict=True)]
        return tuple(sum(column, Fraction(0)) for column in zip(total, *rays, strict=True))
