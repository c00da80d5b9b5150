r"""The first words of classes up to permutation and scaling, each recognised on its own.

>>> from .layouts import Layout
>>> test = Representatives(Layout((1, 1, 1), biases=(False, False)), [Fraction(n) for n in (0, 1, 2, 4)])
>>> [test.is_first([[(i,)], [(j,)]]) for i, j in ((1, 2), (2, 1), (2, 2), (3, 1))]  # 1*2, 2*1, 2*2, 4*1
[True, False, False, False]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, permutations, product
from typing import TypeAlias

from ..verdicts import Neuron
from .layouts import Layout, Row, Word

Edge: TypeAlias = tuple[Neuron | None, bool, int, int, int]
"""A nonzero parameter at a neuron: the other end, whether it comes in, and its place in the word."""


class Representatives:
    r"""The test whether a word is the first one of its class up to scaling and permutation.

    *Claim.* Let :math:`\theta` have all its parameters in :math:`E`. The parameters in :math:`E`
    that are :math:`\sim_{PS}\theta` are the :math:`\pi\theta'`, where :math:`\pi` permutes hidden
    neurons within layers and :math:`\theta'=\lambda\theta` is a scaling with parameters in
    :math:`E` (:meth:`scalings`).

    *Proof.* :math:`\pi(\lambda\theta)=(\pi\lambda)(\pi\theta)`, so whatever is :math:`\sim_{PS}\theta`
    is :math:`\pi(\lambda\theta)` for some :math:`\lambda,\pi`; and :math:`\pi` only moves parameters, so
    it has its parameters in :math:`E` exactly when :math:`\lambda\theta` has. No admissibility is used. ∎

    So :math:`\theta` is first exactly when no :math:`\pi\theta'` is smaller. For one :math:`\theta'` the
    least :math:`\pi\theta'` is found layer by layer (:meth:`_smaller`): its neurons of layer 1 are in
    ascending order, since exchanging two that are not makes an earlier digit smaller; given the
    order of the layers before, the same holds of the next layer. Only ties leave a choice. In
    particular the neurons of each layer of a first word ascend (:meth:`first_descent`).
    """

    def __init__(self, layout: Layout, entries: Sequence[Fraction]) -> None:
        self.layout = layout
        self.entries = tuple(entries)
        self.digit = {entry: digit for digit, entry in enumerate(self.entries)}
        self.sides = {sign: [e for e in self.entries if e * sign > 0] for sign in (1, -1)}
        self.scales = max(len(side) for side in self.sides.values())
        # Searches meet few scaling factors, each many times: they are numbered, and products looked up.
        self._factors = [Fraction(1)]
        self._numbers = {Fraction(1): 0}
        self._products: dict[tuple[int, int, int], int | None] = {}
        self._choices: dict[tuple[int, int, bool], tuple[int, ...]] = {}
        # Where all entries but 0 have one absolute value, scaling a nonzero parameter leads out of E.
        self.only_permutations = len({abs(entry) for entry in self.entries if entry}) <= 1

    def first_descent(self, word: Word) -> tuple[int, int] | None:
        """The first hidden neuron that is smaller than its predecessor, as positions in the word."""
        for layer, rows in enumerate(word[:-1]):
            for i in range(1, len(rows)):
                if rows[i] < rows[i - 1]:
                    return layer, i
        return None

    def is_first(self, word: Word) -> bool:
        """Whether no member of the class of a word is smaller."""
        if self.first_descent(word) is not None or self._smaller(word, word, 0, {}):
            return False
        if self.only_permutations:
            return True
        return not any(self._smaller(other, word, 0, {}) for other in self.scalings(word))

    def _smaller(self, word: Word, least: Word, layer: int, orders: Mapping[int, Sequence[int]]) -> bool:
        """Whether some order of the neurons from ``layer`` on makes ``word`` smaller than ``least``."""
        rows = self._columns_moved(word[layer], layer, orders)
        if layer == len(word) - 1:
            return rows < least[layer]
        order = sorted(range(len(rows)), key=rows.__getitem__)
        arranged = [rows[i] for i in order]
        if arranged != least[layer]:
            return arranged < least[layer]
        ties = [list(group) for _, group in groupby(order, key=rows.__getitem__)]
        if len(ties) == len(order):
            return self._smaller(word, least, layer + 1, {**orders, layer + 1: order})
        choices = [list(self._distinct_orders(word, layer, tie)) for tie in ties]
        return any(
            self._smaller(word, least, layer + 1, {**orders, layer + 1: [i for part in chosen for i in part]})
            for chosen in product(*choices)
        )

    def _columns_moved(self, rows: list[Row], layer: int, orders: Mapping[int, Sequence[int]]) -> list[Row]:
        """The rows with the columns of earlier hidden layers in their new order."""
        sources = self.layout.sources[layer]
        if not any(source in orders for source in sources):
            return rows
        columns: list[int] = []
        for source in sources:
            start, width = len(columns), self.layout.widths[source]
            columns += [start + i for i in orders.get(source, range(width))]
        columns += range(len(columns), len(rows[0]))
        return [tuple([row[column] for column in columns]) for row in rows]

    def _distinct_orders(self, word: Word, layer: int, tie: list[int]) -> Iterator[tuple[int, ...]]:
        """The orders of neurons with equal rows, up to exchanging those that are heard alike."""
        heard: dict[int, list[int]] = {i: [] for i in tie}
        for later in range(layer + 1, len(word)):
            start = 0
            for source in self.layout.sources[later]:
                if source == layer + 1:
                    for i in tie:
                        heard[i] += [row[start + i] for row in word[later]]
                start += self.layout.widths[source]
        kinds = [tuple(heard[i]) for i in tie]
        if len(set(kinds)) == 1:
            yield tuple(tie)
            return
        seen = set()
        for order in permutations(range(len(tie))):
            key = tuple([kinds[i] for i in order])
            if key not in seen:
                seen.add(key)
                yield tuple([tie[i] for i in order])

    def scalings(self, word: Word) -> Iterator[Word]:
        r"""The words of all scalings with parameters in :math:`E`, each once, the word itself among them.

        The hidden neurons are taken one by one, next to those that have their
        :math:`\lambda` (inputs, outputs and biases have :math:`\lambda=1`) where a nonzero parameter
        leads there: its new value, an element of :math:`E`, determines :math:`\lambda_v`, and
        every other parameter between known neurons must land in :math:`E`. A component
        of neurons joined to nothing else gets :math:`\lambda=1` at one of them: only quotients matter.
        """
        edges = self._edges(word)
        order: list[tuple[Neuron, list[Edge]]] = []
        known: set[Neuron | None] = {None}
        hidden: list[Neuron] = [(k, i) for k, width in enumerate(self.layout.widths[1:-1], 1) for i in range(width)]
        while len(order) < len(hidden):
            left = [v for v in hidden if v not in known]
            v = next((v for v in left if any(u in known for u, *_ in edges[v])), left[0])
            known.add(v)
            order.append((v, [edge for edge in edges[v] if edge[0] in known and edge[0] != v]))
        yield from self._extended(word, order, 0, {None: 0}, {})

    def _edges(self, word: Word) -> dict[Neuron, list[Edge]]:
        """The nonzero parameters at each hidden neuron: the other end, whether they come in, their place."""
        widths, depth = self.layout.widths, len(word)
        found: dict[Neuron, list[Edge]] = {(k, i): [] for k in range(1, depth) for i in range(widths[k])}
        for layer, rows in enumerate(word):
            ends: list[Neuron | None] = [
                (source, j) if source else None for source in self.layout.sources[layer] for j in range(widths[source])
            ]
            ends += [None] * self.layout.flags[layer]
            for i, row in enumerate(rows):
                for place, (source, digit) in enumerate(zip(ends, row, strict=True)):
                    if self.entries[digit]:
                        target = (layer + 1, i) if layer + 1 < depth else None
                        if target is not None:
                            found[target].append((source, True, layer, i, place))
                        if source is not None:
                            found[source].append((target, False, layer, i, place))
        return found

    def _extended(
        self,
        word: Word,
        order: Sequence[tuple[Neuron, list[Edge]]],
        position: int,
        factors: dict[Neuron | None, int],
        changed: dict[tuple[int, int, int], int],
    ) -> Iterator[Word]:
        if position == len(order):
            yield [
                [tuple([changed.get((k, i, p), digit) for p, digit in enumerate(row)]) for i, row in enumerate(rows)]
                for k, rows in enumerate(word)
            ]
            return
        neuron, edges = order[position]
        for scale in self._candidates(word, edges, factors):
            moved = dict(changed)
            for other, incoming, layer, i, place in edges:
                ends = (scale, factors[other]) if incoming else (factors[other], scale)
                digit = self._product(word[layer][i][place], *ends)
                if digit is None:
                    break
                moved[layer, i, place] = digit
            else:
                yield from self._extended(word, order, position + 1, {**factors, neuron: scale}, moved)

    def _candidates(self, word: Word, edges: Sequence[Edge], factors: Mapping[Neuron | None, int]) -> tuple[int, ...]:
        r"""The numbers of the :math:`\lambda` of a neuron that the first edge to known neurons admits."""
        if not edges:
            return (0,)
        other, incoming, layer, i, place = edges[0]
        key = word[layer][i][place], factors[other], incoming
        if key not in self._choices:
            value, known = self.entries[key[0]], self._factors[key[1]]
            side = self.sides[1 if value > 0 else -1]
            found = [known * (new / value if incoming else value / new) for new in side]
            self._choices[key] = tuple(map(self._number, found))
        return self._choices[key]

    def _product(self, digit: int, target: int, source: int) -> int | None:
        r"""The digit of a parameter times :math:`\lambda_v/\lambda_u`, these given by their numbers."""
        key = digit, target, source
        if key not in self._products:
            self._products[key] = self.digit.get(self.entries[digit] * self._factors[target] / self._factors[source])
        return self._products[key]

    def _number(self, factor: Fraction) -> int:
        number = self._numbers.setdefault(factor, len(self._factors))
        if number == len(self._factors):
            self._factors.append(factor)
        return number
