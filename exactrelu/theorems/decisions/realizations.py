r"""All networks of a width that realise a given shallow function, by what their neurons do.

Let :math:`f=N+\sum_{H\in K}a_H\,\sigma(g_H)` on a domain :math:`X` with interior points,
with one form :math:`g_H` for each hyperplane, all :math:`a_H\ne0` and :math:`N` affine: the
expansion is unique. A network realises :math:`f` without idle neurons and without two
neurons on one half-space (either would allow a smaller width) exactly if it consists of

* on each :math:`H\in K` one neuron, :math:`a_H\sigma(g_H)`, or *reversed*,
  :math:`a_H\sigma(-g_H)=a_H\sigma(g_H)-a_H\otimes g_H`, or two (*doubled*),
  :math:`(a_H+u_H)\sigma(g_H)-u_H\sigma(-g_H)=a_H\sigma(g_H)+u_H\otimes g_H`;
* on hyperplanes outside :math:`K` *pairs* :math:`v\,\sigma(m)-v\,\sigma(-m)=v\otimes m`,
  with any form :math:`m`;
* *active* neurons :math:`v\otimes m` with :math:`m\ge0` on :math:`X`,

because the jumps on each hyperplane have to add up to :math:`a_H` or to 0. So a
:class:`Layout` (doubled and reversed hyperplanes, :math:`p` pairs, :math:`q` active neurons) is
realisable exactly if

.. math:: M = N+\sum_{\text{reversed}}a_H\otimes g_H
   = \sum_{\text{doubled}}u_H\otimes g_H+\sum_{j\le p+q}v_j\otimes m_j \;(+\,c)

has a solution. Modulo :math:`W`, spanned by the doubled :math:`g_H` and, with an output bias, the
constants, the forms :math:`m_j` must span the rows of :math:`M`, of rank :math:`r`, say. Pairs may span
anything, so :math:`t=r-p` dimensions are left to the :math:`q` active neurons, whose forms lie in
the cone :math:`C` of the forms that are nonnegative on :math:`X`; let :math:`R` be the span of the rows and
:math:`W`. If :math:`t\le0` there is nothing to do. If :math:`q>t`, it is necessary and sufficient that
:math:`R\cap\operatorname{span}C` has dimension at least :math:`t` modulo :math:`W`: one neuron gets a form
:math:`e` in the relative interior of :math:`C`, the others get :math:`e+\varepsilon s_i` for the :math:`s_i` that are
wanted. If :math:`q=t`, the active forms must lie in :math:`R` modulo :math:`W`, and it is necessary and sufficient that
:math:`C\cap R` spans :math:`t` dimensions modulo :math:`W`. If :math:`q<t` there is no solution. ∎

Nothing else is assumed of :math:`X` (bounded or not), and every choice of bias
parameters is covered: without hidden biases all forms are linear.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from typing import Final

from ...equality import NeuronType, ShallowNetwork, hyperplane, neuron_types
from ...errors import BudgetExceeded
from ...networks import Network
from ...polyhedra import Domain
from ...polyhedra.cones import generators
from ...rationals import Vector, common_denominator, dot, kernel, rank, row_reduce, scaled_integers, solve

ZERO, ONE = Fraction(0), Fraction(1)
DEFAULT_BUDGET: Final = 2**12
"""The number of ways to double and reverse hyperplanes that are tried unless another budget is given."""

Forms = list[Vector]
Neurons = list[tuple[Vector, Vector]]


class Ground:
    r"""The forms that neurons may have, and which of them are nonnegative on the domain."""

    def __init__(self, net: ShallowNetwork, domain: Domain) -> None:
        size = net.input_dim + 1
        units = [tuple(Fraction(int(i == j)) for j in range(size)) for i in range(size)]
        self.domain = domain
        self.forms = units if net.hidden_biases else units[:-1]
        self.constants = units[-1:] if net.output_bias else []

    @cached_property
    def tests(self) -> Forms:
        r"""Vectors :math:`y`: a form :math:`g` is nonnegative on the domain iff all :math:`\langle g,y\rangle\ge0`."""
        points = [(*vertex, ONE) for vertex in self.domain.vertices]
        directions = [(*ray, ZERO) for ray in self.domain.rays]
        lines = [(*(sign * entry for entry in line), ZERO) for line in self.domain.lines for sign in (1, -1)]
        return [*points, *directions, *lines]

    def nonnegative(self, space: Sequence[Vector]) -> Forms:
        """Forms that generate the cone of those in the span of ``space`` that are nonnegative on the domain."""
        basis = independent(space, [])
        if not basis:
            return []
        rows = [integral([dot(form, test) for form in basis]) for test in self.tests]
        return [combination(ray, basis) for ray in generators(rows, len(basis)).rays]

    @cached_property
    def cone(self) -> Forms:
        """Generators of the cone of all forms that are nonnegative on the domain."""
        return self.nonnegative(self.forms)

    def inside(self, directions: Sequence[Vector]) -> Forms:
        """A form inside the cone, and that form with a small multiple of each direction (in the span of the cone)."""
        center = combination([ONE] * len(self.cone), self.cone)
        found = [center]
        for direction in directions:
            pairs = [(dot(center, test), dot(direction, test)) for test in self.tests]
            step = min((abs(height / slope) for height, slope in pairs if slope), default=ONE)
            found.append(combination([ONE, step], [center, direction]))
        return found


@dataclass(frozen=True, slots=True)
class Layout:
    """What the neurons of a network do; hyperplanes by their number in :class:`ShallowFunction`."""

    doubled: tuple[int, ...]
    reversed: tuple[int, ...]
    pairs: int
    active: int


class ShallowFunction:
    r"""The function :math:`N+\sum_Ha_H\sigma(g_H)` of a shallow network on a domain with interior points.

    ``jumps`` pairs the forms :math:`g_H` with the :math:`a_H\ne0`; ``affine`` has the rows of :math:`N`.
    """

    def __init__(self, net: ShallowNetwork, domain: Domain) -> None:
        self.net = net
        self.ground = Ground(net, domain)
        rows = [[ZERO] * net.input_dim + [entry] for entry in net.constant]
        jumps: dict[tuple[int, ...], Vector] = {}
        for form, output, typed in zip(net.forms, net.outputs, neuron_types(net, domain), strict=True):
            if typed.type is NeuronType.KINKED:
                side = hyperplane(form)
                jumps[side] = total(jumps.get(side, (ZERO,) * net.output_dim), output)
            if typed.type is NeuronType.ON or (typed.type is NeuronType.KINKED and form != hyperplane(form)):
                add_outer(rows, output, form)
        self.jumps = [(tuple(map(Fraction, form)), jump) for form, jump in jumps.items() if any(jump)]
        self.affine = [tuple(row) for row in rows]

    def realizations(self, width: int, budget: int | None = None) -> Iterator[tuple[Neurons, Vector]]:
        """The neurons and output bias of one network for every layout of exactly this width that realises the function.

        Raises :class:`~exactrelu.errors.BudgetExceeded` beyond ``budget`` ways to double and reverse hyperplanes.
        """
        limit = DEFAULT_BUDGET if budget is None else budget
        for tried, (doubled, reversed_) in enumerate(self._orientations(width), start=1):
            if tried > limit:
                raise BudgetExceeded("ways to double and reverse hyperplanes", limit)
            spare = width - len(self.jumps) - len(doubled)
            rows = [list(row) for row in self.affine]
            for k in reversed_:
                add_outer(rows, self.jumps[k][1], self.jumps[k][0])
            base = [*(self.jumps[k][0] for k in doubled), *self.ground.constants]
            for pairs in range(spare // 2 + 1):
                layout = Layout(doubled, reversed_, pairs, spare - 2 * pairs)
                parts = self._affine_parts([tuple(row) for row in rows], base, layout)
                if parts is not None:
                    yield self._built(layout, rows, base, *parts)

    def _orientations(self, width: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """The sets of doubled and of reversed hyperplanes that a width has room for."""
        everything = range(len(self.jumps))
        for count in range(min(width - len(self.jumps), len(self.jumps)) + 1):
            for doubled in combinations(everything, count):
                rest = [k for k in everything if k not in doubled]
                for turned in product((False, True), repeat=len(rest)):
                    yield doubled, tuple(k for k, turn in zip(rest, turned, strict=True) if turn)

    def _affine_parts(self, rows: Forms, base: Forms, layout: Layout) -> tuple[Forms, Forms] | None:
        """Forms for active neurons and for pairs that span the rows modulo ``base``; ``None`` if there are none."""
        wanted = rank([*rows, *base]) - rank(base) - layout.pairs
        active: Forms = []
        if wanted > layout.active:
            return None
        if wanted > 0:
            tight = wanted == layout.active
            space = self.ground.nonnegative(self._allowed([*rows, *base])) if tight else self._reachable([*rows, *base])
            chosen = independent(space, base)[:wanted]
            if len(chosen) < wanted:
                return None
            active = chosen if tight else self.ground.inside(chosen)
        return active, independent(self._allowed(rows), [*base, *active])[: layout.pairs]

    def _allowed(self, forms: Forms) -> Forms:
        """The same forms modulo constants, if neurons have no biases: only the output bias is constant then."""
        return forms if self.net.hidden_biases else [(*form[:-1], ZERO) for form in forms]

    def _reachable(self, space: Forms) -> Forms:
        """The forms in the span of ``space`` that are differences of nonnegative ones."""
        ours, theirs = independent(space, []), independent(self.ground.cone, [])
        columns = [*ours, *([-entry for entry in form] for form in theirs)]
        relations = kernel([list(row) for row in zip(*columns, strict=True)], len(columns)) if columns else ()
        return [combination(relation[: len(ours)], ours) for relation in relations]

    def _built(
        self, layout: Layout, rows: Sequence[Sequence[Fraction]], base: Forms, active: Forms, pairs: Forms
    ) -> tuple[Neurons, Vector]:
        """Neurons (form, output) and the output bias for a layout with these forms."""
        basis = [*base, *active, *pairs]
        columns = [list(column) for column in zip(*basis, strict=True)]
        weights = []
        for row in rows:
            solution = solve(columns, row) if basis else ()
            if solution is None or (not basis and any(row)):
                raise RuntimeError("internal error: a layout that was found realisable is not")
            weights.append(solution)
        outputs = [tuple(row[j] for row in weights) for j in range(len(basis))]
        neurons: Neurons = []
        for k, (form, jump) in enumerate(self.jumps):
            if k in layout.doubled:
                share = outputs[layout.doubled.index(k)]
                neurons += [(form, total(jump, share)), (negative(form), negative(share))]
            else:
                neurons.append((negative(form) if k in layout.reversed else form, jump))
        rest = outputs[len(base) :]
        neurons += zip(active, rest, strict=False)
        for form, output in zip(pairs, rest[len(active) :], strict=True):
            neurons += [(form, output), (negative(form), negative(output))]
        constant = outputs[len(layout.doubled)] if self.ground.constants else (ZERO,) * self.net.output_dim
        return neurons, constant

    def network(self, neurons: Neurons, constant: Vector, width: int, idle: Vector | None = None) -> Network:
        """The network with these neurons, and idle ones with outputs 0, the first with form ``idle``, up to a width."""
        nothing = (ZERO,) * (self.net.input_dim + 1)
        filling = [idle or nothing, *[nothing] * width][: width - len(neurons)]
        every = [*neurons, *((form, (ZERO,) * self.net.output_dim) for form in filling)]
        forms, outputs = [form for form, _ in every], [output for _, output in every]
        return self.net.network(forms, outputs, constant, scales=[ONE] * width)


def independent(candidates: Sequence[Vector], modulo: Sequence[Vector]) -> Forms:
    """The first of the candidates that are independent of each other modulo some vectors."""
    every = [*modulo, *candidates]
    if not candidates:
        return []
    # The pivot columns of the matrix with these columns are the first independent vectors.
    rows = [list(row) for row in zip(*every, strict=True)]
    return [every[j] for j in row_reduce(rows)[1] if j >= len(modulo)]


def combination(weights: Sequence[Fraction | int], vectors: Sequence[Vector]) -> Vector:
    """The sum of multiples of vectors (at least one)."""
    return tuple(
        sum((w * v for w, v in zip(weights, column, strict=True)), ZERO) for column in zip(*vectors, strict=True)
    )


def total(left: Vector, right: Vector) -> Vector:
    """The sum of two vectors."""
    return tuple(a + b for a, b in zip(left, right, strict=True))


def negative(vector: Vector) -> Vector:
    """The negative of a vector."""
    return tuple(-entry for entry in vector)


def add_outer(rows: Sequence[list[Fraction]], output: Vector, form: Sequence[Fraction | int]) -> None:
    r"""Add :math:`v\otimes g` to the rows of a matrix."""
    for row, weight in zip(rows, output, strict=True):
        if weight:
            for j, entry in enumerate(form):
                row[j] += weight * entry


def integral(row: Sequence[Fraction]) -> list[int]:
    """A positive multiple of a vector with integer entries."""
    return scaled_integers(row, common_denominator(row))
