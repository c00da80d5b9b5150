r"""Regions around a point, in any input dimension: breadth first, across one facet after another.

A region is built from its signs alone: the affine forms of all neurons on it, one pass through the
network. Its facets are found by linear programs, and behind each of them lies one more region. Nothing
else is enumerated, so the cost depends on the number of regions that are wanted, not on how many there are.

>>> net = Network.mlp([[[1, 0], [0, 1]], [[1, 1]]])
>>> found = explore_regions(net, [1, 2], crossings=1)
>>> [str(region.pattern) for region in found.complex], found.crossings, len(found.exits)
(['-+', '+-', '++'], (1, 1, 0), 2)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

import numpy as np
import numpy.typing as npt

from ..errors import BudgetExceeded, InvalidInput, OnKink, check_integer
from ..networks import Network, Pattern
from ..polyhedra import Domain, Halfspace, as_domain
from ..rationals import Vector, dot, rational_vector, row_reduce
from ..verdicts import Neuron
from .complex import RegionComplex
from .linear_program_engine.facets import Step, all_facets, signs_beyond
from .linear_program_engine.float_proofs import dyadic, positive, shortened
from .linear_program_engine.questions import Form, Homogeneous, homogeneous
from .linear_program_engine.searched_cells import ASKED, SearchedCells
from .linear_program_engine.separation import SHORT_BITS, stacked
from .linear_program_engine.tree_search import Cell, cell_with_signs, cutting_order, forms_with_signs
from .program import Program, compile_network

MOST_BOUNDED: Final = 256
"""The largest number of inputs on a domain with half-spaces, all of which are inequalities of the regions."""


@dataclass(frozen=True, slots=True)
class Exit:
    """A facet of an explored region that leads to one that has not been explored.

    ``region`` is the index of the first, ``pattern`` belongs to the other, ``neurons`` flip between
    them, and ``point`` lies inside the facet.
    """

    region: int
    pattern: Pattern
    neurons: tuple[Neuron, ...]
    point: Vector


@dataclass(frozen=True, slots=True)
class Exploration:
    """The regions that were found around a point.

    ``complex`` holds them in canonical order, with all facets between them; it is complete when no facet
    leads out. ``crossings[i]`` is the least number of facets that a path from the start to region ``i``
    crosses, ``start`` the index with 0 crossings. ``exits`` are the facets that lead to other regions.
    """

    complex: RegionComplex
    start: int
    crossings: tuple[int, ...]
    exits: tuple[Exit, ...]


def explore_regions(
    net: Network,
    point: Iterable[object],
    *,
    crossings: int | None = None,
    limit: int | None = None,
    domain: Domain | str | None = None,
) -> Exploration:
    r"""The activation regions within some facet crossings of a point, or the first ones, nearest first.

    Exact, in any input dimension. At least one of ``crossings`` (at least 0) and ``limit`` (at least 1)
    must be given: regions farther than ``crossings`` are left out, and the search stops at ``limit``
    regions, which bounds the work. Regions equally far come in the order in which they are reached.
    ``domain`` (default: all of :math:`\mathbb R^d`) must contain the point in its interior. A region costs
    about as many linear programs as there are neurons, in as many variables as inputs matter: on all of
    space no more than the first layer has neurons.

    Raises :class:`~exactrelu.errors.OnKink` where the point lies on the boundary of a region: move it a
    little to either side. Raises :class:`~exactrelu.errors.BudgetExceeded` for more than 256 inputs on a
    domain other than :math:`\mathbb R^d`.

    >>> hat = Network.mlp([[[1], [1], [1]], [[1, -2, 1]]], [[1, 0, -1], [0]])
    >>> found = explore_regions(hat, ["1/2"], limit=2)
    >>> [str(region.pattern) for region in found.complex], [str(exit.pattern) for exit in found.exits]
    (['+--', '++-'], ['---', '+++'])
    """
    for name, value, least in (("crossings", crossings, 0), ("limit", limit, 1)):
        if value is not None:
            check_integer(name, value, least)
    if crossings is None and limit is None:
        raise InvalidInput("crossings", "must be given, or limit, or both")
    domain = as_domain(domain, net.input_dim)
    domain.require_full_dimensional("regions")
    start = rational_vector(point, "point", length=net.input_dim)
    if any(half.slack(start) <= 0 for half in domain.halfspaces):
        raise InvalidInput("point", f"must lie in the interior of the domain {domain}", start)
    if domain.halfspaces and net.input_dim > MOST_BOUNDED:
        raise BudgetExceeded("inputs, where the domain is not all of space,", MOST_BOUNDED, net.input_dim)
    program = compile_network(net.unfolding.network, domain.halfspaces)
    coordinates = _coordinates(net.unfolding.network, domain.halfspaces, program, start)
    search = _Search(program, _start(net, program, coordinates), crossings, limit)
    search.run()
    return _exploration(net, domain, search, (start, coordinates))


def _coordinates(net: Network, domain: Sequence[Halfspace], program: Program, x: Vector) -> Vector:
    """The coordinates that matter of the point where the others are 0 and all rows have the values of x."""
    if program.dim == net.input_dim:
        return x
    depth = max((layer for layer, _ in program.neurons), default=0)
    blocks = [block for layer in net.layers[:depth] for source, block in layer.blocks if source == 0]
    rows = [tuple(entry or Fraction(0) for entry in row) for block in blocks for row in block]
    reduced, _ = row_reduce([*rows, *(half.normal for half in domain)])
    return tuple(dot(row, x) for row in reduced)


def _start(net: Network, program: Program, x: Vector) -> Cell:
    """The cell around a point."""
    point = homogeneous(x)
    signs = signs_beyond(program, [(point, (0,) * program.dim)])[:, 0].tolist()
    for bit, row in forms_with_signs(program, signs):
        if not signs[bit] and any(row):
            neuron = net.unfolding.walls[bit]
            raise OnKink("point", f"must lie inside a region, but neuron {neuron} bends there; move it a little")
    return cell_with_signs(program, signs, point)


class _Search:
    """Breadth-first search from one cell."""

    def __init__(self, program: Program, start: Cell, crossings: int | None, limit: int | None) -> None:
        self.program, self.crossings, self.limit = program, crossings, limit
        self.cells = [start]
        self.distances = [0]
        self.facets: dict[tuple[int, int], Homogeneous] = {}
        self.exits: list[tuple[int, Homogeneous, npt.NDArray[np.int8]]] = []
        self._order = cutting_order(program)
        self._number = {np.array(start.signs, np.int8).tobytes(): 0}

    def run(self) -> None:
        """Find the cells and their facets."""
        done = 0
        while done < len(self.cells):
            questions = 0
            first = done
            while done < len(self.cells) and questions < ASKED and self.distances[done] == self.distances[first]:
                questions += len(self.cells[done].forms)
                done += 1
            self._expand(range(first, done))

    def _expand(self, chosen: range) -> None:
        """Cross all facets of some cells that are equally far."""
        found = all_facets([self.cells[i] for i in chosen])
        crossed = [
            (i, k, point)
            for i, facets in zip(chosen, found, strict=True)
            for k, point in sorted(facets.items())
            if self.cells[i].bits[k] not in self.program.walls
        ]
        steps = [(point, [-c for c in self.cells[i].forms[k].row[1:]]) for i, k, point in crossed]
        beyond = signs_beyond(self.program, steps)
        fresh: list[tuple[int, Step]] = []
        for (i, _, point), step, signs in zip(crossed, steps, beyond.T, strict=True):
            key = signs[self._order].tobytes()
            j = self._number.get(key)
            if j is None and self._wanted(self.distances[i] + 1):
                j = self._number[key] = len(self.cells)
                self.cells.append(cell_with_signs(self.program, signs.tolist(), point))
                self.distances.append(self.distances[i] + 1)
                fresh.append((j, step))
            if j is None:
                self.exits.append((i, point, signs))
            else:
                self.facets.setdefault((min(i, j), max(i, j)), point)
        self._place([(j, _entered(self.cells[j], step)) for j, step in fresh])

    def _wanted(self, distance: int) -> bool:
        within = self.crossings is None or distance <= self.crossings
        return within and (self.limit is None or len(self.cells) < self.limit)

    def _place(self, points: Sequence[tuple[int, Homogeneous]]) -> None:
        """Give cells points inside, rounded as far as this is proved to be allowed."""
        for start in range(0, len(points), 64):
            part = points[start : start + 64]
            short = short_points([self.cells[j].forms for j, _ in part], [point for _, point in part])
            for (j, _), point in zip(part, short, strict=True):
                self.cells[j] = replace(self.cells[j], point=point)


def _entered(cell: Cell, step: Step) -> Homogeneous:
    """A point inside a cell, half-way through it on a ray that enters through a facet."""
    (h, *x), direction = step
    ends = [Fraction(form.at((h, *x)), -slope * h) for form in cell.forms if (slope := form.at((0, *direction))) < 0]
    length = min(ends, default=Fraction(2)) / 2
    return homogeneous(tuple(Fraction(c, h) + length * v for c, v in zip(x, direction, strict=True)))


def short_points(cells: Sequence[Sequence[Form]], points: Sequence[Homogeneous]) -> list[Homogeneous]:
    """Points inside cells, each with coordinates as short as floats prove to stay inside."""
    found = list(points)
    forms, x = stacked(cells, points)
    open_ = np.arange(len(points))
    for bits in SHORT_BITS:
        short = shortened(x[open_], bits)
        good = positive(forms[open_], short)
        for k, row in zip(open_[good].tolist(), short[good].tolist(), strict=True):
            found[k] = dyadic(row)
        open_ = open_[~good]
    return found


def _exploration(net: Network, domain: Domain, search: _Search, origin: tuple[Vector, Vector]) -> Exploration:
    facets = list(search.facets.values()), list(search.facets)
    source = SearchedCells(search.program, search.cells, not search.exits, facets=facets, origin=origin)
    complex = RegionComplex(net, domain, source, complete=not search.exits)
    order = [complex.cell_of(index) for index in range(len(complex))]
    rank = {cell: index for index, cell in enumerate(order)}
    exits = []
    for i, point, signs in search.exits:
        codes = complex.codes(signs[: len(search.program.neurons), None])[:, 0]
        flipped = np.flatnonzero(codes != complex.signs[rank[i]]).tolist()
        neurons = tuple(complex.neurons[k] for k in flipped)
        exits.append(Exit(rank[i], complex.pattern_of(codes.tolist()), neurons, source.embed(point)))
    exits.sort(key=lambda exit: (exit.region, exit.pattern))
    distances = tuple(search.distances[cell] for cell in order)
    return Exploration(complex, rank[0], distances, tuple(exits))
