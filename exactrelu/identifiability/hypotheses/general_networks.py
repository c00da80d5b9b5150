r"""General networks, the generic case of Phuong and Lampert (ICLR 2020), in our reading.

Their theorem on functional equivalence is about networks that are *general* and
*transparent* (:func:`~.region_hypotheses.transparent`),
with widths that do not increase. Theory: section 10.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from ...equality import Form, form_text, hyperplane
from ...equality.shallow import primitive_form
from ...errors import BudgetExceeded
from ...networks import Network, Pattern
from ...networks.evaluation import affine_maps
from ...polyhedra import Domain
from ...rationals import IntegerMatrix, Vector, integer_pivots, rank_modulo
from ...regions import RegionComplex
from ...verdicts import Condition, Neuron, Status, Verdict, conjunction, inapplicable, neuron_list, number_list
from .asking import noted
from .inner_faces import InnerFaces
from .perceptrons import integer_weights, why_not_perceptron
from .region_hypotheses import on_regions

DEFAULT_PRODUCTS: Final = 20_000
"""The number of products of matrices whose ranks are taken unless another budget is given."""

Rows = list[list[int]]
Product = tuple[int, tuple[tuple[int, ...], ...], Rows, int]
"""The first layer, the neurons kept in between, an integer multiple of the product, the largest rank possible."""


@dataclass(frozen=True, slots=True)
class ZeroOptimum:
    """Evidence: a point inside the domain where a pre-activation has a local optimum of value 0."""

    neuron: Neuron
    point: Vector

    def explain(self) -> str:
        """The neuron and the point."""
        return f"{neuron_list([self.neuron])} has a local optimum of value 0 at {number_list(self.point)}"


@dataclass(frozen=True, slots=True)
class LowRank:
    """Evidence: active neurons of some layers such that the product of matrices through them has too low a rank."""

    first: int
    last: int
    active: tuple[tuple[int, ...], ...]
    rank: int
    bound: int

    def explain(self) -> str:
        """The layers and the rank."""
        through = "; ".join(", ".join(map(str, kept)) for kept in self.active)
        chosen = f" through neurons {through}" if self.active else ""
        return f"the weights of layers {self.first} to {self.last}{chosen} have rank {self.rank}, not {self.bound}"


@dataclass(frozen=True, slots=True)
class ProportionalPieces:
    """Evidence: two neurons whose pre-activations are multiples of each other, each on a region of its own."""

    neurons: tuple[Neuron, Neuron]
    patterns: tuple[Pattern, Pattern]
    form: Form

    def explain(self) -> str:
        """The neurons and the regions."""
        u, v = (neuron_list([neuron]) for neuron in self.neurons)
        p, q = self.patterns
        return f"{u} on region {p} and {v} on region {q} are multiples of {form_text(self.form)}"


Evidence = ZeroOptimum | LowRank | ProportionalPieces


@noted
def general(net: Network, domain: Domain | str | None = None, *, budget: int | None = None) -> Verdict:
    r"""Whether a perceptron is *general* (Phuong and Lampert), on the interior of a domain.

    ``no_zero_optimum``: no hidden pre-activation has a local optimum of value 0.
    ``products_of_full_rank``: each product :math:`W^lI^{l-1}W^{l-1}\cdots I^kW^k`,
    with any diagonal 0/1 matrices :math:`I`, has the largest rank that its factors
    allow. ``no_proportional_pieces``: the pieces of different hidden neurons that
    are not constant are never multiples of each other. ``budget`` bounds the
    number of regions and that of products.

    >>> net = Network.mlp([[[1, 2], [1, -1]], [[1, 1]]], [[1, 0], [0]])
    >>> general(net).status.value
    'holds'
    >>> print(general(Network.mlp([[[1, 2], [2, 4]], [[1, 1]]])).evidence.explain())
    the weights of layers 1 to 1 have rank 1, not 2
    """
    claim = "the network is general"
    reason = why_not_perceptron(net)
    if reason is not None:
        return inapplicable(claim, "perceptron", reason)
    most = DEFAULT_PRODUCTS if budget is None else budget

    def decide(claim: str, complex: RegionComplex) -> Verdict:
        checks = [_zero_optimum(complex), _products(net, most), _proportional(complex)]
        conditions = tuple(condition for condition, _ in checks)
        evidence = next((found for _, found in checks if found is not None), None)
        return Verdict(claim, conjunction(conditions), conditions, evidence=evidence)

    return on_regions(net, domain, budget, claim, decide)


def _checked(identifier: str, neurons: Sequence[Neuron], found: Evidence | None) -> tuple[Condition, Evidence | None]:
    if found is None:
        return Condition(identifier, Status.HOLDS), None
    return Condition(identifier, Status.FAILS, tuple(neurons), found.explain()), found


def _zero_optimum(complex: RegionComplex) -> tuple[Condition, Evidence | None]:
    """At a local optimum of value 0 not both signs occur around."""
    faces = InnerFaces(complex)
    bad: dict[Neuron, ZeroOptimum] = {}
    for neuron, place in faces.columns.items():
        around = faces.around(faces.sides(neuron))
        for k in range(faces.top, -1, -1):
            optimal = np.flatnonzero((faces.signs(k)[place] == 0) & faces.inner[k] & (around[k] != 0b11)).tolist()
            if optimal:
                bad[neuron] = ZeroOptimum(neuron, faces.point(k, optimal[0]))
                break
    return _checked("no_zero_optimum", tuple(bad), next(iter(bad.values()), None))


def _products(net: Network, budget: int) -> tuple[Condition, Evidence | None]:
    identifier = "products_of_full_rank"
    try:
        for done, (first, active, rows, bound) in enumerate(_all_products(net), start=1):
            if done > budget:
                raise BudgetExceeded("products", budget)
            if rank_modulo(rows) < bound:
                rank = len(integer_pivots(rows))
                if rank < bound:
                    return _checked(identifier, (), LowRank(first, first + len(active), active, rank, bound))
    except BudgetExceeded as error:
        return Condition(identifier, Status.UNKNOWN, (), str(error)), None
    return _checked(identifier, (), None)


def _all_products(net: Network) -> Iterator[Product]:
    """All products of matrices of consecutive layers through nonempty sets of neurons, shortest first."""
    matrices = [integer_weights(net, number) for number in range(1, net.depth + 1)]
    for length in range(1, net.depth + 1):
        yield from _grown(matrices, length)


def _grown(matrices: list[Rows], length: int) -> Iterator[Product]:
    """The products of ``length`` matrices, made anew, so that none has to be kept."""
    if length == 1:
        yield from ((k, (), rows, min(len(rows), len(rows[0]))) for k, rows in enumerate(matrices, start=1))
        return
    for first, active, rows, bound in _grown(matrices, length - 1):
        if first + length - 1 > len(matrices):
            continue
        matrix = matrices[first + length - 2]
        for size in range(1, len(rows) + 1):
            for kept in combinations(range(len(rows)), size):
                left = IntegerMatrix([[row[i] for i in kept] for row in matrix], size)
                product = left.times([rows[i] for i in kept], len(rows[0]))
                yield first, (*active, kept), product, min(bound, size, len(matrix))


def _proportional(complex: RegionComplex) -> tuple[Condition, Evidence | None]:
    owners: dict[Form, tuple[Neuron, Pattern]] = {}
    for pattern in complex.patterns:
        for number, (matrix, offset) in enumerate(affine_maps(complex.network, pattern)[:-1], start=1):
            for i, (row, shift) in enumerate(zip(matrix, offset, strict=True)):
                if any(row):
                    form = hyperplane(primitive_form([*row, shift])[0])
                    neuron, where = owners.setdefault(form, ((number, i), pattern))
                    if neuron != (number, i):
                        found = ProportionalPieces((neuron, (number, i)), (where, pattern), form)
                        return _checked("no_proportional_pieces", found.neurons, found)
    return _checked("no_proportional_pieces", (), None)
