r"""Finitely many samples that identify a network locally, none of them superfluous.

Theory: ``sample_jacobian_rank_suffices`` (D1). Where the functional dimension is
:math:`D-h`, some sample off the kinks has a Jacobian of that rank. Points with
small numerators are tried first; then :math:`d+1` points in general position of
every region that still adds something, whose rows span those over the region (D3).
With one hidden layer the regions beside its hyperplanes are enough (see
:mod:`.crossings`).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Final

import numpy as np

from ...equality.differing_points import simple_points
from ...errors import HypothesisNotMet, NotAdmissible, check_budget
from ...networks import Network
from ...paths import admissible, embedding_kernel
from ...polyhedra import Domain, as_domain
from ...rationals import MERSENNE_61, IntegerMatrix, Vector, integer_kernel, integer_pivots
from ...regions import RegionComplex, activation_regions
from ...verdicts import Status, number_list
from .crossings import beside_hyperplanes, points_around
from .functional_dimension import functional_dimension_of, region_chunks
from .jacobian import integer_sample_jacobian
from .row_span import RowSpan
from .tape import Tape, sign_array

ROUNDS: Final = 8
"""How many batches of simple points are tried."""
BATCH: Final = 64
"""The number of simple points with numerators of one size."""


@dataclass(frozen=True, slots=True)
class IdentifyingSamples:
    r"""Points off the kinks with :math:`\operatorname{rank}\Gamma=D-h`; without any of them the rank is lower."""

    points: tuple[Vector, ...]
    rank: int

    def explain(self) -> str:
        """The rank and the points."""
        shown = ", ".join(number_list(point) for point in self.points)
        return f"{len(self.points)} samples with rank {self.rank} = D - h: {shown}"


def identifying_samples(
    net: Network, domain: Domain | str | None = None, *, budget: int | None = None
) -> IdentifyingSamples:
    r"""An irredundant sample in ``domain`` with :math:`\operatorname{rank}\Gamma=D-h`, which identifies :math:`\theta`.

    ``budget`` bounds the number of regions, if these are needed at all.

    Raises :class:`~exactrelu.errors.NotAdmissible`,
    :class:`~exactrelu.errors.HypothesisNotMet` where the functional dimension is
    below :math:`D-h` or the network is not made of ReLUs, and
    :class:`~exactrelu.errors.BudgetExceeded`.

    >>> print(identifying_samples(Network.mlp([[[1]], [[1]]], [[0], [0]])).explain())
    3 samples with rank 3 = D - h: (1), (-1), (2)
    """
    check_budget(budget)
    domain = as_domain(domain, net.input_dim)
    domain.require_full_dimensional("identifying samples")
    if not net.is_standard:
        raise HypothesisNotMet("network", "must have hidden ReLU neurons and affine outputs")
    if admissible(net).status is not Status.HOLDS:
        details = [condition.detail for condition in admissible(net).conditions if condition.detail]
        raise NotAdmissible("network", f"must be admissible, but {'; '.join(details)}")
    full = len(net.parameters) - len(net.hidden_neurons)
    span = RowSpan(len(net.parameters), embedding_kernel(net))
    points: list[Vector] = []
    supply = simple_points(net.input_dim)
    for _ in range(ROUNDS):
        fresh = _fresh(net, domain, list(islice(supply, BATCH)), points)
        if fresh:
            span.collect(np.array(integer_sample_jacobian(net, fresh), object))
            points += fresh
        if span.is_full:
            return _irredundant(net, points, full)
    beside = beside_hyperplanes(net, domain)
    if beside is not None:
        points += _fresh(net, domain, [x for center in beside for x in points_around(net, domain, center)], points)
        rows = np.array(integer_sample_jacobian(net, points), object)
        span.collect(rows)
        span.complete(rows)
        dimension = len(span.rows)
    else:
        complex = activation_regions(net, domain, budget=budget)
        dimension = functional_dimension_of(complex)
        points = list(dict.fromkeys([*points, *_from_regions(complex, span)]))
    if dimension < full:
        rule = f"must have functional dimension D - h = {full} for a finite sample of that rank"
        raise HypothesisNotMet("network", f"{rule}, but it is {dimension}")
    return _irredundant(net, points, full)


def _fresh(net: Network, domain: Domain, candidates: list[Vector], known: list[Vector]) -> list[Vector]:
    """The candidates in the domain, off the kinks, and not yet known."""
    fresh = dict.fromkeys([*known, *candidates])
    inside = list(filter(domain.contains, list(fresh)[len(known) :]))
    smooth = (sign_array(net.patterns(inside)) != 0).all(axis=1)
    return [point for point, good in zip(inside, smooth.tolist(), strict=True) if good]


def _from_regions(complex: RegionComplex, span: RowSpan) -> list[Vector]:
    """Points of regions whose rows are not in the span, until it is full."""
    net = complex.network
    smooth = np.flatnonzero((complex.signs != 0).all(axis=1))
    found: list[Vector] = []
    for chosen, rows in region_chunks(Tape(net), complex.signs[smooth]):
        while not span.is_full:
            outside = np.flatnonzero(span.misses(rows).reshape(len(chosen), -1).any(axis=1))
            if not outside.size:
                break
            # Each region adds at least 1 and at most this many to the rank.
            most = net.output_dim * (net.input_dim + 1)
            taken = outside[:: 1 + len(outside) * most // (len(span.columns) - len(span.rows))]
            centers = [complex[int(smooth[chosen[k]])].interior_point for k in taken]
            fresh = [point for center in centers for point in points_around(net, complex.domain, center)]
            span.complete(np.array(integer_sample_jacobian(net, fresh), object))
            found += fresh
    return found


def _irredundant(net: Network, points: list[Vector], full: int) -> IdentifyingSamples:
    r"""A part of a sample of full rank from which no point can be spared.

    With the relations :math:`y^T\Gamma=0` among rows, a point can be spared
    exactly when these are unrestricted on its rows.
    """
    outputs = net.output_dim
    rows = integer_sample_jacobian(net, points)
    transposed = [list(column) for column in zip(*rows, strict=True)]
    pivots = integer_pivots(transposed, MERSENNE_61)
    if len(pivots) < full:
        pivots = integer_pivots(transposed)
    points = [points[k] for k in sorted({pivot // outputs for pivot in pivots})]
    rows = integer_sample_jacobian(net, points)
    relations = integer_kernel([list(column) for column in zip(*rows, strict=True)], len(rows))
    for k in reversed(range(len(points))):
        part = slice(k * outputs, (k + 1) * outputs)
        entries = [list(line) for line in zip(*(relation[part] for relation in relations), strict=True)]
        if len(integer_pivots(entries)) == outputs:
            del points[k]
            rest = integer_kernel(entries, len(relations))
            width = len(relations[0])
            relations = IntegerMatrix(rest, len(relations)).times(relations, width) if rest else []
            for relation in relations:
                del relation[part]
    return IdentifyingSamples(tuple(points), full)
