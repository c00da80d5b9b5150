"""The geometry of a complex in a bounded part of the plane: polygons, segments and the region graph.

Vertices are exact; they become floats only when a picture asks for places.

Glossary: v a vertex, f an edge of the lattice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..networks import Network
from ..rationals import Vector
from ..regions import RegionComplex
from .canvas import Place, place

Segment = tuple[Vector, Vector]


@dataclass(frozen=True, slots=True)
class Polygon:
    """A convex polygon: its corners counter-clockwise, and a place well inside."""

    corners: tuple[Place, ...]
    middle: Place

    def contains(self, at: Place) -> bool:
        """Whether a place lies inside, up to rounding."""
        x, y = at
        ends = zip(self.corners, (*self.corners[1:], self.corners[0]), strict=True)
        return all((c - a) * (y - b) >= (d - b) * (x - a) for (a, b), (c, d) in ends)


def polygons(complex: RegionComplex) -> list[Polygon]:
    """The regions of a bounded planar complex, in canonical order."""
    found = []
    for index in range(len(complex)):
        points, _ = complex.cells.generators(complex.cell_of(index))
        corners = tuple(place(corner) for corner in hull(points))
        found.append(Polygon(corners, _middle(corners)))
    return found


def hull(points: Iterable[Vector]) -> list[Vector]:
    """The corners of the convex hull of points of the plane, counter-clockwise, by exact orientations.

    >>> [tuple(map(int, p)) for p in hull([(0, 0), (2, 0), (1, 0), (0, 2), (1, 1)])]
    [(0, 0), (2, 0), (0, 2)]
    """
    ordered = sorted(set(points))
    return [*_chain(ordered), *_chain(ordered[::-1])]


def bent_hyperplanes(complex: RegionComplex) -> dict[int, list[Segment]]:
    """The segments on which neurons bend, by layer."""
    cells = complex.cells
    layers = layers_of_walls(complex.network)
    found: dict[int, list[Segment]] = {}
    bending = cells.bending(1)
    for f in np.flatnonzero(bending.any(axis=0) & cells.finite(1)).tolist():
        start, stop = (cells.vertex(v) for v in cells.vertices(1, f))
        for layer in sorted({layers[wall] for wall in np.flatnonzero(bending[:, f]).tolist()}):
            found.setdefault(layer, []).append((start, stop))
    return dict(sorted(found.items()))


def layers_of_walls(net: Network) -> list[int]:
    """The layer of the neuron that bends on each wall."""
    return [layer for (layer, _), walls, _ in net.unfolding.bending for _ in range(walls)]


def edge_places(complex: RegionComplex, cells: Sequence[Polygon]) -> list[tuple[Place, Place, Place]]:
    """The edges of the region graph as they are drawn: from a region through the shared facet to the other."""
    return [(cells[i].middle, place(complex.cells.facet_point(f)), cells[j].middle) for i, j, f in complex.facets]


def _chain(ordered: list[Vector]) -> list[Vector]:
    """One half of the hull of sorted points, without its last corner."""
    chain: list[Vector] = []
    for point in ordered:
        while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0:
            chain.pop()
        chain.append(point)
    return chain[:-1]


def _turn(a: Vector, b: Vector, c: Vector) -> int:
    """1 for a left turn at ``b``, -1 for a right turn, 0 for straight on."""
    area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (area > 0) - (area < 0)


def _middle(corners: Sequence[Place]) -> Place:
    """The centre of gravity; of a polygon that rounding has flattened, the mean of its corners."""
    a, b = corners[0]
    moments = [0.0, 0.0, 0.0]
    for (c, d), (x, y) in pairwise(corners[1:]):
        area = (c - a) * (y - b) - (d - b) * (x - a)
        moments = [
            moments[0] + area,
            moments[1] + area * (c + x - 2 * a),
            moments[2] + area * (d + y - 2 * b),
        ]
    if moments[0] <= 0:
        return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)
    return a + moments[1] / (3 * moments[0]), b + moments[2] / (3 * moments[0])
