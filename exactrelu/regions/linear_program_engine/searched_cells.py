r"""The regions that :mod:`.tree_search` finds, read as :mod:`.cells` is: patterns, points, adjacency.

Nothing is known of faces of lower dimension than facets.  Facets are found when first asked for.

Glossary: r rank, d input dimension.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ...errors import BudgetExceeded
from ...networks import Network
from ...polyhedra import Halfspace
from ..program import Ints, Program, compile_network
from ..vertex_engine.cells import Point
from .facets import facet_points, signs_beyond
from .questions import Homogeneous, Row
from .recession import bounded
from .tree_search import Cell, cutting_order, search

BLOCK = 4_000  # regions in a block, about
ASKED = 2_000  # questions that are asked together

Facets = tuple[list[Homogeneous], list[tuple[int, int]]]
"""A point inside every facet between two regions, and these regions, the smaller number first."""


class SearchedCells:
    """All regions of a network on a domain, or some of them (`whole` tells which)."""

    def __init__(
        self,
        program: Program,
        cells: Sequence[Cell],
        whole: bool,
        *,
        facets: Facets | None = None,
        origin: tuple[Point, Point] | None = None,
    ) -> None:
        """Take the cells as the search leaves them; their shared facets too, if these are known.

        `origin`: a point of R^d and what it is in the coordinates that matter; the others are kept.
        """
        self.program, self.whole, self._cells, self._known = program, whole, list(cells), facets
        self._origin = origin or ((Fraction(0),) * program.input_dim, (Fraction(0),) * program.dim)

    @property
    def count(self) -> int:
        """Number of regions."""
        return len(self._cells)

    @cached_property
    def _signs(self) -> npt.NDArray[np.int8]:
        """Signs of all functions, shape (bits, regions)."""
        order = cutting_order(self.program)
        table = np.array([cell.signs for cell in self._cells], np.int8).reshape(self.count, len(order))
        signs = np.zeros((self.program.bits, self.count), np.int8)
        signs[order] = table.T
        return signs

    def patterns(self) -> npt.NDArray[np.int8]:
        """Signs -1, 0, 1 of the neurons on the regions, shape (neurons, regions)."""
        return self._signs[: len(self.program.neurons)]

    def order(self) -> Ints:
        """The regions in canonical order: patterns compared neuron by neuron, - < 0 < +."""
        patterns = self.patterns()
        return np.lexsort(patterns[::-1]) if len(patterns) else np.arange(self.count)

    def interior_point(self, region: int) -> Point:
        """A rational point inside a region."""
        return self.embed(self._cells[region].point)

    def bounded(self) -> npt.NDArray[np.bool_]:
        """Which regions are bounded."""
        if self.program.dim < self.program.input_dim:
            return np.zeros(self.count, np.bool_)
        return np.array(bounded(self._cells), np.bool_)

    @cached_property
    def _facets(self) -> Facets:
        return self._find_facets() if self._known is None else self._known

    def _find_facets(self) -> Facets:
        number = {column.tobytes(): i for i, column in enumerate(self.patterns().T)}
        neurons = len(self.program.neurons)
        asked = [(i, k) for i, cell in enumerate(self._cells) for k, bit in enumerate(cell.bits) if bit < neurons]
        points: list[Homogeneous] = []
        pairs: list[tuple[int, int]] = []
        known: set[tuple[int, Row]] = set()
        for start in range(0, len(asked), ASKED):
            chosen = [place for place in asked[start : start + ASKED] if (place[0], self._row(*place)) not in known]
            found = facet_points([(self._cells[i], k) for i, k in chosen])
            facets = [(i, self._row(i, k), point) for (i, k), point in zip(chosen, found, strict=True) if point]
            beyond = signs_beyond(self.program, [(point, [-c for c in row[1:]]) for _, row, point in facets])
            for (i, row, point), signs in zip(facets, beyond[:neurons].T, strict=True):
                j = number.get(signs.tobytes())
                if j is not None and (i, row) not in known:  # else it is in another block, or known from its other side
                    known.add((j, tuple([-entry for entry in row])))
                    points.append(point)
                    pairs.append((min(i, j), max(i, j)))
        return points, pairs

    def _row(self, region: int, place: int) -> Row:
        return self._cells[region].forms[place].row

    @cached_property
    def adjacency(self) -> tuple[Ints, Ints, Ints]:
        """One shared facet per pair of adjacent regions, and the two regions, first < second."""
        pairs = np.array(self._facets[1], np.int64).reshape(-1, 2)
        return np.arange(len(pairs)), pairs[:, 0], pairs[:, 1]

    @property
    def shared_facets(self) -> tuple[Ints, Ints, Ints]:
        """The same: no facet is cut into parts."""
        return self.adjacency

    def facet_point(self, facet: int) -> Point:
        """A rational point inside a facet."""
        return self.embed(self._facets[0][facet])

    def embed(self, point: Homogeneous) -> Point:
        """The point of R^d that differs from the origin in the coordinates that matter only."""
        full = list(self._origin[0])
        for column, c, start in zip(self.program.pivots, point[1:], self._origin[1], strict=True):
            full[column] += Fraction(c, point[0]) - start
        return tuple(full)


def stream(net: Network, domain: Sequence[Halfspace] = (), *, block: int = BLOCK) -> Iterator[SearchedCells]:
    """Yield the regions in blocks; every region belongs to exactly one block."""
    program = compile_network(net, domain)
    found: list[Cell] = []
    whole = True
    for cells in search(program):
        found += cells
        if len(found) >= block:
            yield SearchedCells(program, found, False)
            found, whole = [], False
    if found or whole:
        yield SearchedCells(program, found, whole)


def regions(
    net: Network, domain: Sequence[Halfspace] = (), *, budget: int | None = None, exact_only: bool = False
) -> SearchedCells:
    """All regions; raises BudgetExceeded, with some of them, above the budget."""
    program = compile_network(net, domain)
    found: list[Cell] = []
    for cells in search(program, exact_only=exact_only):
        found += cells
        if budget is not None and len(found) > budget:
            part = SearchedCells(program, found, False)
            raise BudgetExceeded("regions", budget, len(found), (part,))
    return SearchedCells(program, found, True)
