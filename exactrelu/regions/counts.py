r"""Six meanings of "the number of linear regions" (theory: section 7).

===  ==========================================================================
R1   nonempty binary patterns (which neurons are positive), of any dimension
R2   full-dimensional activation regions
R3   least number of full-dimensional cells of a polyhedral complex on which the
     network is affine; decided on tiny complexes only
R4   open connected linear regions
R5   closed connected linear regions: components of :math:`\{f=g\}` that contain
     an open set, :math:`g` an affine piece
R6   distinct affine pieces
===  ==========================================================================

R6 ≤ R5 ≤ R4 ≤ R3 ≤ R2 ≤ R1. R1 and R2 belong to the network, the others to its
function.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..errors import InvalidInput
from ..networks.evaluation import AffineMap
from ..polyhedra import Infeasible, maximise_rows
from ..rationals import Vector, dot, primitive_integers
from .bounds import montufar, serra, zaslavsky
from .coarsest import coarsest_complex
from .complex import RegionComplex


@dataclass(frozen=True, slots=True)
class RegionCounts:
    """The six counts of a complex; ``R3`` is ``None`` where it is not decided."""

    R1: int
    R2: int
    R3: int | None
    R4: int
    R5: int
    R6: int


def region_counts(complex: RegionComplex) -> RegionCounts:
    """All six counts of a complete complex.

    >>> from ..networks import Network
    >>> from .complex import activation_regions
    >>> hat = Network.mlp([[[1], [1], [1]], [[1, -2, 1]]], [[1, 0, -1], [0]])
    >>> region_counts(activation_regions(hat))
    RegionCounts(R1=4, R2=4, R3=4, R4=4, R5=4, R6=3)
    """
    if not complex.complete:
        raise InvalidInput("complex", "must contain all regions to be counted")
    pieces = piece_numbers(complex)
    components = open_regions(complex, pieces)
    return RegionCounts(
        R1=_binary_patterns(complex),
        R2=len(complex),
        R3=coarsest_complex(complex, components),
        R4=len(set(components)),
        R5=_closed_regions(complex, pieces, components),
        R6=len(set(pieces)),
    )


def region_bounds(complex: RegionComplex) -> dict[str, int | None]:
    """Zaslavsky's, Montúfar's and Serra's numbers for the widths of the network.

    ``zaslavsky`` is ``None`` for deeper networks.

    >>> from ..networks import Network
    >>> from .complex import activation_regions
    >>> region_bounds(activation_regions(Network.random((2, 3, 1), 0)))
    {'zaslavsky': 7, 'montufar': 7, 'serra': 7}
    """
    widths = complex.network.widths
    generic = zaslavsky(widths[1], widths[0]) if len(widths) == 3 else None
    return {"zaslavsky": generic, "montufar": montufar(widths), "serra": serra(widths)}


def piece_numbers(complex: RegionComplex) -> list[int]:
    """For every region the number of its affine piece; equal maps have equal numbers."""
    known: dict[AffineMap, int] = {}
    return [known.setdefault(affine, len(known)) for affine in complex.affine_maps]


def open_regions(complex: RegionComplex, pieces: list[int]) -> list[int]:
    """For every region a representative of its open linear region.

    An open connected set stays connected without its faces of codimension 2, so
    that regions are joined across shared facets only.
    """
    joined = Partition(len(complex))
    for i, j, _ in complex.facets:
        if pieces[i] == pieces[j]:
            joined.union(i, j)
    return [joined.find(i) for i in range(len(complex))]


def _binary_patterns(complex: RegionComplex) -> int:
    """The patterns on the relative interiors of all faces exhaust all points."""
    cells = complex.cells
    seen: set[bytes] = set()
    for level in range(cells.lattice.dim + 1):
        positive = cells.face_signs(level)[:, cells.finite(level)] > 0
        seen.update(column.tobytes() for column in np.packbits(positive, axis=0).T)
    return len(seen)


def _closed_regions(complex: RegionComplex, pieces: list[int], components: list[int]) -> int:
    r"""The components of :math:`\{f=g\}` that contain a region, over all pieces :math:`g`.

    In a region :math:`C` the set :math:`\{f=g\}` is convex, and two of these sets
    meet exactly when some chain of facets between them meets :math:`\{f=g\}`.
    """
    parts: dict[int, set[int]] = {}
    for piece, component in zip(pieces, components, strict=True):
        parts.setdefault(piece, set()).add(component)
    total = 0
    for piece, found in parts.items():
        if len(found) == 1:
            total += 1
            continue
        target = complex.affine_maps[pieces.index(piece)]
        joined = Partition(len(complex))
        for i, j, facet in complex.facet_parts:
            if pieces[i] == pieces[j] == piece or _agrees_somewhere(complex, facet, complex.affine_maps[i], target):
                joined.union(i, j)
        total += len({joined.find(component) for component in found})
    return total


def _agrees_somewhere(complex: RegionComplex, facet: int, own: AffineMap, target: AffineMap) -> bool:
    """Whether two affine maps agree at some point of a closed facet: a question about its generators."""
    cells = complex.cells
    vertices = cells.vertices(cells.lattice.dim - 1, facet)
    gaps = [
        (tuple(a - b for a, b in zip(old, new, strict=True)), before - after)
        for old, new, before, after in zip(own[0], target[0], own[1], target[1], strict=True)
    ]
    points = [[dot(row, cells.vertex(v)) + shift for row, shift in gaps] for v in vertices if cells.is_point(v)]
    if any(not any(value) for value in points):
        return True
    rays = [[dot(row, cells.vertex(v)) for row, _ in gaps] for v in vertices if not cells.is_point(v)]
    for values in zip(*points, *rays, strict=True):
        if all(value > 0 for value in values) or all(value < 0 for value in values):
            return False
    return _zero_combination(points, rays)


def _zero_combination(points: Iterable[list[Fraction]], rays: Iterable[list[Fraction]]) -> bool:
    """Whether a convex combination of points plus a nonnegative one of rays is 0, by a linear program."""
    columns: list[Vector] = [(*value, Fraction(1)) for value in points] + [(*value, Fraction(0)) for value in rays]
    rows = [list(row) for row in zip(*columns, strict=True)]
    right = [*(Fraction(0) for _ in rows[1:]), Fraction(1)]
    equations = [primitive_integers([*row, entry]) for row, entry in zip(rows, right, strict=True)]
    size = len(columns)
    signs = [(*(-int(i == k) for i in range(size)), 0) for k in range(size)]
    return not isinstance(maximise_rows([0] * size, signs, equations), Infeasible)


class Partition:
    """Disjoint sets of 0..n-1 that can be united."""

    def __init__(self, size: int) -> None:
        self._parent = list(range(size))

    def find(self, i: int) -> int:
        """The representative of the set of ``i``: its least element."""
        while self._parent[i] != i:
            self._parent[i] = self._parent[self._parent[i]]
            i = self._parent[i]
        return i

    def union(self, i: int, j: int) -> None:
        """Unite two sets."""
        low, high = sorted((self.find(i), self.find(j)))
        self._parent[high] = low
