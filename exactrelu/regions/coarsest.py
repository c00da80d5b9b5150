r"""R3: the least number of cells of a polyhedral complex on which a network is affine.

*Below:* the cells inside one open linear region are convex, so a region that is
not convex needs at least two; the total is a lower bound. *Above:* unions of
activation regions that are convex and meet face to face form such a complex.
Where one attains the lower bound, R3 is decided; else it is not, as cells of
another complex need not be unions of activation regions.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Final

from ..polyhedra import Halfspace, Polyhedron
from ..rationals import Vector
from .complex import RegionComplex

TINY: Final = 12
"""The largest number of regions for which unions are tried."""

Parts = tuple[frozenset[int], ...]


def coarsest_complex(complex: RegionComplex, components: list[int]) -> int | None:
    """R3, or ``None``; ``components`` gives the open linear region of every region."""
    count = len(complex)
    groups: dict[int, list[int]] = {}
    for region, component in enumerate(components):
        groups.setdefault(component, []).append(region)
    if len(groups) == count:
        return count
    if count > TINY:
        return None
    unions = _Unions(complex)
    choices = [list(unions.fewest_parts(group)) for group in groups.values()]
    for choice in product(*choices):
        parts = [part for parts in choice for part in parts]
        if unions.face_to_face(parts):
            return len(parts)
    return None


class _Unions:
    """Unions of regions: which are convex, and which meet face to face."""

    def __init__(self, complex: RegionComplex) -> None:
        self.complex = complex
        self.polyhedra = [region.polyhedron.canonical() for region in complex]
        self.neighbours: dict[int, set[int]] = {i: set() for i in range(len(complex))}
        for i, j, _ in complex.facets:
            self.neighbours[i].add(j)
            self.neighbours[j].add(i)
        self._known: dict[frozenset[int], Polyhedron | None] = {}

    def convex(self, regions: frozenset[int]) -> Polyhedron | None:
        """The union as a polyhedron, or ``None`` if it is not convex.

        A union is convex exactly when all of it lies on the inner side of each
        facet that leads out of it.
        """
        if regions not in self._known:
            self._known[regions] = self._convex(regions)
        return self._known[regions]

    def _convex(self, regions: frozenset[int]) -> Polyhedron | None:
        outer = [
            facet
            for i in regions
            for facet in self.polyhedra[i].facets
            if not any(self._lies_behind(facet, j) for j in self.neighbours[i] & regions)
        ]
        for facet in outer:
            for i in regions:
                best = self.polyhedra[i].maximise(facet.normal)
                value = getattr(best, "value", None)
                if value is None or value > facet.bound:
                    return None
        return Polyhedron(self.complex.network.input_dim, outer).canonical()

    def _lies_behind(self, facet: Halfspace, j: int) -> bool:
        """Whether region ``j`` lies behind a facet of a neighbour."""
        return facet.opposite in self.polyhedra[j].facets

    def fewest_parts(self, group: list[int]) -> Iterator[Parts]:
        """The ways to split an open linear region as the lower bound allows: whole if convex, else in two."""
        if self.convex(frozenset(group)) is not None:
            yield (frozenset(group),)
            return
        first, *rest = group
        for size in range(len(rest)):
            for chosen in combinations(rest, size):
                parts = frozenset([first, *chosen]), frozenset(rest) - frozenset(chosen)
                if all(self.convex(part) is not None for part in parts):
                    yield parts

    def face_to_face(self, parts: list[frozenset[int]]) -> bool:
        """Whether any two unions meet in a common face, or not at all."""
        polyhedra = [self.convex(part) for part in parts]
        return all(_meet_in_a_face(p, q) for p, q in combinations(polyhedra, 2) if p is not None and q is not None)


def _meet_in_a_face(p: Polyhedron, q: Polyhedron) -> bool:
    common = Polyhedron(p.ambient_dimension, [*p.halfspaces, *q.halfspaces])
    if common.is_empty:
        return True
    point = common.interior_point
    return _face_at(p, point) == common == _face_at(q, point)


def _face_at(p: Polyhedron, point: Vector) -> Polyhedron:
    """The smallest face of a polyhedron that contains a point of it."""
    tight = [item.opposite for item in p.halfspaces if item.slack(point) == 0]
    return Polyhedron(p.ambient_dimension, [*p.halfspaces, *tight])
