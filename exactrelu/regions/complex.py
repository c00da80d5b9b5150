r"""The complex of activation regions of a network on a domain.

An *activation region* is a maximal set with interior points on which every
bending neuron has a constant sign in :math:`\{-,0,+\}` (0: identically zero).
The regions are found by one of the two engines of :mod:`.engine` as arrays; a
:class:`RegionComplex` reads them on demand, in canonical order, and makes a
Python object only of what is asked for.

>>> net = Network.mlp([[[1, 2], [2, -1], [-1, 1]], [[1, 2, -3]]], [[1, -1, 2], ["1/2"]])
>>> complex = activation_regions(net)
>>> len(complex), complex.f_vector, complex.euler_characteristic
(7, (3, 9, 7), 1)
>>> str(complex[0].pattern), complex[0].bounded
('---', False)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..errors import BudgetExceeded, InvalidInput, check_budget
from ..networks import Network, Pattern
from ..networks.evaluation import AffineMap, affine_maps, affine_on
from ..polyhedra import Domain, Halfspace, Polyhedron, as_domain
from ..rationals import Vector
from ..verdicts import Neuron
from . import engine
from .engine import VERTEX_DIMENSIONS, RegionSource
from .vertex_engine.cells import Cells
from .vertex_engine.lattice import Ints

if TYPE_CHECKING:
    import networkx


@dataclass(frozen=True, slots=True)
class ActivationRegion:
    """One full-dimensional activation region: number ``index`` of a complex, in canonical order."""

    complex: RegionComplex
    index: int

    @property
    def pattern(self) -> Pattern:
        """The sign of every bending neuron on the interior; 0 means identically zero."""
        return self.complex.patterns[self.index]

    @property
    def interior_point(self) -> Vector:
        """A rational point in the interior."""
        return self.complex.source.interior_point(self.complex.cell_of(self.index))

    @property
    def affine_map(self) -> AffineMap:
        """The matrix and the offset of the network on the region."""
        return affine_on(self.complex.network, self.pattern)

    @property
    def polyhedron(self) -> Polyhedron:
        """The closed region, as an intersection of half-spaces with those of the domain."""
        net, pattern = self.complex.network.unfolding.network, self.complex.network.unfolding.pattern(self.pattern)
        halfspaces = list(self.complex.domain.halfspaces)
        forms = affine_maps(net, pattern)
        signs = iter(sign for group in pattern.signs for sign in group)
        for layer, (matrix, offset) in zip(net.layers, forms, strict=True):
            for rho, row, constant in zip(layer.activations, matrix, offset, strict=True):
                sign = 0 if rho.is_affine else next(signs)
                if sign:
                    halfspaces.append(Halfspace([-sign * entry for entry in row], sign * constant))
        return Polyhedron(net.input_dim, halfspaces)

    @property
    def vertices(self) -> tuple[Vector, ...]:
        """The vertices of the closed region, sorted."""
        return self.polyhedron.vertices

    @property
    def rays(self) -> tuple[Vector, ...]:
        """The extreme directions of the closed region, sorted."""
        return self.polyhedron.rays

    @property
    def bounded(self) -> bool:
        """Whether the region lies in a ball."""
        return bool(self.complex.bounded_cells[self.complex.cell_of(self.index)])

    def __repr__(self) -> str:
        return f"<ActivationRegion {self.index}: {self.pattern}>"


@dataclass(frozen=True, slots=True)
class Adjacency:
    """Two regions ``i < j`` that share a facet, the neurons that flip, and a point inside the facet."""

    regions: tuple[int, int]
    neurons: tuple[Neuron, ...]
    point: Vector


class RegionComplex:
    """All regions of ``network`` on ``domain``: length, iteration and indexing in canonical order.

    Patterns are compared neuron by neuron, - before 0 before +, pieces ascending.
    ``source`` holds the regions of the unfolded network as an engine has found them; ``complete`` is
    false for what a :class:`~exactrelu.errors.BudgetExceeded` has kept, and for explored parts.
    """

    def __init__(self, network: Network, domain: Domain, source: RegionSource, *, complete: bool = True) -> None:
        self.network = network
        self.domain = domain
        self.source = source
        self.complete = complete
        self._order = source.order()

    @property
    def has_faces(self) -> bool:
        """Whether faces of all dimensions are known, not only regions and facets."""
        return isinstance(self.source, Cells)

    @property
    def cells(self) -> Cells:
        """The source with its faces of all dimensions.

        Raises :class:`~exactrelu.errors.BudgetExceeded` where only regions and
        facets are known.
        """
        if not isinstance(self.source, Cells):
            unit = "dimensions of the input that matter, where faces below facets are needed,"
            raise BudgetExceeded(unit, VERTEX_DIMENSIONS, self.source.program.dim)
        return self.source

    def __len__(self) -> int:
        return self.source.count

    def __iter__(self) -> Iterator[ActivationRegion]:
        return (ActivationRegion(self, index) for index in range(len(self)))

    def __getitem__(self, index: int) -> ActivationRegion:
        size = len(self)
        if not -size <= index < size:
            raise IndexError(f"index: must lie between {-size} and {size - 1}; got {index}")
        return ActivationRegion(self, index % size)

    def __repr__(self) -> str:
        shape = "-".join(map(str, self.network.widths))
        return f"<RegionComplex of a {shape} network on {self.domain}: {len(self)} regions>"

    def cell_of(self, index: int) -> int:
        """The number among the cells of the region with this place in canonical order."""
        return int(self._order[index])

    @cached_property
    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns of all regions, ascending."""
        return tuple(self.pattern_of(row) for row in self.signs.tolist())

    @cached_property
    def signs(self) -> npt.NDArray[np.signedinteger]:
        """The patterns as an array of codes: one row per region, one column per bending neuron."""
        return np.ascontiguousarray(self.codes(self.source.patterns()[:, self._order]).T)

    @cached_property
    def neurons(self) -> tuple[Neuron, ...]:
        """The bending neurons of the network, one per column of :attr:`signs`."""
        return tuple(neuron for neuron, _, _ in self._bending)

    @cached_property
    def _bending(self) -> list[tuple[Neuron, int, bool]]:
        return self.network.unfolding.bending

    def codes(self, signs: npt.NDArray[np.int8]) -> npt.NDArray[np.signedinteger]:
        """The codes of the bending neurons from the signs of their walls, (walls, n) -> (neurons, n)."""
        if not any(numbered for _, _, numbered in self._bending):
            return signs
        start = np.cumsum([0, *(walls for _, walls, _ in self._bending)])
        return np.stack(
            [
                np.count_nonzero(signs[first : first + walls] > 0, axis=0) if numbered else signs[first]
                for first, (_, walls, numbered) in zip(start, self._bending, strict=False)
            ]
        )

    def pattern_of(self, codes: list[int]) -> Pattern:
        """The pattern with these codes, one per bending neuron in the order of layers and indices."""
        groups: dict[int, list[int]] = {}
        for (layer, _), code in zip(self.neurons, codes, strict=True):
            groups.setdefault(layer, []).append(code)
        numbered = tuple(self.network.layers[layer - 1].is_numbered for layer in groups)
        return Pattern(tuple(tuple(group) for group in groups.values()), numbered)

    @cached_property
    def bounded_cells(self) -> list[bool]:
        """Which cells are bounded, in the order of the cells."""
        return [bool(flag) for flag in self.source.bounded().tolist()]

    @cached_property
    def affine_maps(self) -> tuple[AffineMap, ...]:
        """The affine maps of all regions, in canonical order."""
        return tuple(region.affine_map for region in self)

    @cached_property
    def facets(self) -> tuple[tuple[int, int, int], ...]:
        """All pairs of adjacent regions as (i, j, number of a shared facet), ``i < j`` in canonical order, sorted."""
        return self._ranked(self.source.adjacency)

    @cached_property
    def facet_parts(self) -> tuple[tuple[int, int, int], ...]:
        """As :attr:`facets`, with every part of a facet that the engine has cut."""
        return self._ranked(self.source.shared_facets)

    def _ranked(self, facets: tuple[Ints, Ints, Ints]) -> tuple[tuple[int, int, int], ...]:
        rank = np.empty(len(self), np.int64)
        rank[self._order] = np.arange(len(self))
        facet, low, high = facets
        pairs = np.sort(np.stack((rank[low], rank[high])), axis=0)
        return tuple(sorted(zip(pairs[0].tolist(), pairs[1].tolist(), facet.tolist(), strict=True)))

    def adjacencies(self) -> Iterator[Adjacency]:
        """All pairs of regions that share a facet, sorted."""
        signs, neurons = self.signs, self.neurons
        for i, j, facet in self.facets:
            flipped = np.flatnonzero(signs[i] != signs[j]).tolist()
            yield Adjacency((i, j), tuple(neurons[k] for k in flipped), self.source.facet_point(facet))

    def graph(self) -> networkx.Graph:
        """The adjacency graph; see :func:`~exactrelu.regions.graph.region_graph`."""
        from .graph import region_graph

        return region_graph(self)

    @property
    def f_vector(self) -> tuple[int, ...]:
        """The numbers of faces of dimension 0, 1, ..., ``input_dim``, those on the boundary of the domain included.

        On all of space a network that sees only some directions has no faces of
        the lowest dimensions.
        """
        counts = self.cells.f_vector()[::-1]
        return (0,) * (self.network.input_dim + 1 - len(counts)) + counts

    @property
    def euler_characteristic(self) -> int:
        r"""The alternating sum of the f-vector: 1 on a bounded domain, :math:`(-1)^d` on all of space."""
        return sum((-1) ** k * count for k, count in enumerate(self.f_vector))

    def faces(self, dimension: int) -> Iterator[Pattern]:
        """The ternary sign patterns on the relative interiors of all faces of one dimension, sorted.

        Each face has a pattern of its own, except for those of the boundary of
        the domain, which may share it with the face behind them.
        """
        lowest = self.network.input_dim - self.cells.lattice.dim
        if not 0 <= dimension <= self.network.input_dim:
            raise InvalidInput("dimension", f"must lie between 0 and {self.network.input_dim}", dimension)
        if dimension < lowest:
            return iter(())
        level = dimension - lowest
        if dimension == self.network.input_dim:
            return iter(self.patterns)
        signs = self.codes(self.cells.face_signs(level)[:, self.cells.faces[level]])
        return iter(sorted(self.pattern_of(column) for column in signs.T.tolist()))

    def meeting_neurons(self) -> set[tuple[Neuron, Neuron]]:
        """The pairs of neurons whose bent hyperplanes have a common point.

        A neuron bends where it vanishes without vanishing on all regions around.
        """
        neurons = self.network.unfolding.walls
        found: set[tuple[Neuron, Neuron]] = set()
        for level in range(self.cells.lattice.dim):
            bending = self.cells.bending(level)[:, self.cells.finite(level)]
            for column in np.unique(bending, axis=1).T:
                zero = np.flatnonzero(column).tolist()
                found.update((neurons[a], neurons[b]) for a in zero for b in zero if neurons[a] < neurons[b])
        return found


def activation_regions(net: Network, domain: Domain | str | None = None, *, budget: int | None = None) -> RegionComplex:
    r"""Every full-dimensional activation region of ``net`` on ``domain`` (default: all of :math:`\mathbb R^d`).

    Exact in every degenerate position, at any depth. ``domain`` must have
    interior points. If more than 8 dimensions of the input matter, exact linear
    programs find the regions and their facets; no lower faces are known then,
    and there is a budget of 100000 regions unless another is given.

    Raises :class:`~exactrelu.errors.BudgetExceeded` when there are more than
    ``budget`` regions; its ``partial`` is an incomplete complex of what was found.
    Also if more than 32 dimensions matter: see :func:`~.exploration.explore_regions`.

    >>> len(activation_regions(Network.mlp([[[1], [-1]], [[1, 1]]])))
    2
    """
    check_budget(budget)
    domain = _full_dimensional(net, domain)
    try:
        source = engine.regions(net.unfolding.network, domain.halfspaces, budget)
    except BudgetExceeded as error:
        if not error.partial:
            raise
        found = RegionComplex(net, domain, error.partial[0], complete=False)  # type: ignore[index]  # a tuple of sources
        raise BudgetExceeded(error.unit, error.budget, error.needed, found) from None
    return RegionComplex(net, domain, source)


def region_blocks(
    net: Network, domain: Domain | str | None = None, *, budget: int | None = None
) -> Iterator[RegionComplex]:
    """The regions in blocks of bounded size, for networks with millions of them; each region is in one block.

    Errors as :func:`activation_regions`, after the blocks within the budget.

    >>> sum(len(block) for block in region_blocks(Network.mlp([[[1], [-1]], [[1, 1]]])))
    2
    """
    check_budget(budget)
    domain = _full_dimensional(net, domain)
    for source in engine.stream(net.unfolding.network, domain.halfspaces, budget):
        yield RegionComplex(net, domain, source, complete=source.whole)


def count_regions(net: Network, domain: Domain | str | None = None, *, budget: int | None = None) -> int:
    """The number of full-dimensional activation regions, in bounded memory; errors as :func:`activation_regions`.

    >>> count_regions(Network.random((2, 10, 1), 0))
    56
    """
    check_budget(budget)
    domain = _full_dimensional(net, domain)
    return sum(source.count for source in engine.stream(net.unfolding.network, domain.halfspaces, budget))


def _full_dimensional(net: Network, domain: Domain | str | None) -> Domain:
    domain = as_domain(domain, net.input_dim)
    domain.require_full_dimensional("regions")
    return domain
