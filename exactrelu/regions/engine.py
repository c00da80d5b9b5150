r"""Two ways to all regions, one interface: by vertices in few dimensions, by linear programs in many.

:mod:`.vertex_engine` keeps the whole face lattice. It is fast, but a cell in :math:`\mathbb R^r` has at least
:math:`2^r` faces at infinity and elsewhere. :mod:`.linear_program_engine` knows regions and facets only, at a cost
per region that grows gently with the dimension.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from ..errors import BudgetExceeded
from ..networks import Network
from ..polyhedra import Halfspace
from .linear_program_engine import searched_cells
from .program import Program, compile_network
from .vertex_engine import enumeration
from .vertex_engine.cells import Point
from .vertex_engine.lattice import Ints

VERTEX_DIMENSIONS: Final = 8
"""The largest dimension in which regions are found by their vertices, and lower-dimensional faces are known."""
MOST_DIMENSIONS: Final = 32
"""The largest dimension in which all regions are listed."""
MOST_REGIONS: Final = 100_000
"""The largest number of regions that linear programs list unless another budget is given."""


class RegionSource(Protocol):
    """What is known of the regions of a network on a domain; a region is a number 0..count-1.

    ``whole`` tells whether these are all of them. A facet is a number too.
    """

    program: Program
    whole: bool

    @property
    def count(self) -> int:
        """Number of regions."""

    def patterns(self) -> npt.NDArray[np.int8]:
        """Signs -1, 0, 1 of the neurons on the regions, shape (neurons, regions)."""

    def order(self) -> Ints:
        """The regions in canonical order: patterns compared neuron by neuron, - < 0 < +."""

    def bounded(self) -> npt.NDArray[np.bool_]:
        """Which regions are bounded."""

    def interior_point(self, region: int) -> Point:
        """A rational point inside a region."""

    @property
    def shared_facets(self) -> tuple[Ints, Ints, Ints]:
        """All facets between two regions, and these regions, first < second."""

    @property
    def adjacency(self) -> tuple[Ints, Ints, Ints]:
        """One shared facet per pair of adjacent regions, and the two regions, first < second."""

    def facet_point(self, facet: int) -> Point:
        """A rational point inside a facet."""


def by_vertices(net: Network, domain: Sequence[Halfspace]) -> bool:
    """Whether few enough dimensions matter for vertices.

    Raises :class:`~exactrelu.errors.BudgetExceeded` where too many matter for linear programs.
    """
    if net.input_dim <= VERTEX_DIMENSIONS:
        return True
    dimension = compile_network(net, domain).dim
    if dimension > MOST_DIMENSIONS:
        raise BudgetExceeded("dimensions of the input that matter", MOST_DIMENSIONS, dimension)
    return dimension <= VERTEX_DIMENSIONS


def regions(net: Network, domain: Sequence[Halfspace], budget: int | None) -> RegionSource:
    """All regions; raises BudgetExceeded, with some of them, above the budget."""
    if by_vertices(net, domain):
        return enumeration.regions(net, domain, budget=budget)
    return searched_cells.regions(net, domain, budget=MOST_REGIONS if budget is None else budget)


def stream(net: Network, domain: Sequence[Halfspace], budget: int | None) -> Iterator[RegionSource]:
    """The regions in blocks; raises BudgetExceeded after the first block that goes beyond the budget."""
    vertices = by_vertices(net, domain)
    if not vertices and budget is None:
        budget = MOST_REGIONS
    total = 0
    for block in enumeration.stream(net, domain) if vertices else searched_cells.stream(net, domain):
        total += block.count
        if budget is not None and total > budget:
            raise BudgetExceeded("regions", budget, total)
        yield block
