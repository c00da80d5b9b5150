r"""All networks of an architecture with parameters in a finite list, one per class of :math:`\sim_{PS}`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from ..errors import BudgetExceeded, check_budget
from ..networks import Network
from ..rationals import text
from .layouts import Layout, Word
from .numbered import NetworkFamily, chosen_strata, described, specification
from .representatives import Representatives
from .strata import named_strata, stratum_of

COUNTED: Final = 1_000_000
"""The number of members that :meth:`ExhaustiveFamily.counts` looks at unless another budget is given."""


@dataclass(frozen=True)
class ExhaustiveFamily(NetworkFamily):
    r"""All networks of an architecture with parameters in a finite list, one per class of :math:`\sim_{PS}`.

    Numbers run over all parameters, the first parameter of the first neuron being
    the most significant digit. With ``strata`` only members in one of them count.
    """

    layout: Layout
    entries: tuple[Fraction, ...]
    strata: tuple[str, ...] = ()

    @cached_property
    def size(self) -> int:
        """The number of parameter vectors, before reduction."""
        return int(len(self.entries) ** self.layout.size)

    @cached_property
    def _representatives(self) -> Representatives:
        return Representatives(self.layout, self.entries)

    def member(self, index: int) -> Network | None:
        """The network of a number, or ``None`` where an earlier one is permutation-scaling equivalent."""
        self.check_index(index)
        return self._member(self._word(index))

    def stratum(self, index: int) -> str:
        """The name of the stratum of a parameter vector, representative or not."""
        self.check_index(index)
        return stratum_of(self.layout.network(self._word(index), self.entries))

    def members(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, Network]]:
        """As :meth:`NetworkFamily.members`; whole ranges with neurons in the wrong order are leapt over."""
        for index, word in self._ascending(start, self.size if stop is None else min(stop, self.size)):
            net = self._member(word)
            if net is not None:
                yield index, net

    def counts(self, *, budget: int | None = None) -> tuple[int | None, int | None]:
        """The number of parameter vectors, and of classes among them.

        By Burnside's lemma where scalings play no part, else by looking at up to
        ``budget`` (default 1,000,000) vectors with neurons in ascending order.

        Raises :class:`~exactrelu.errors.BudgetExceeded`.
        """
        check_budget(budget)
        if self._representatives.only_permutations and not self.strata:
            return self.size, self.layout.number_of_orbits(len(self.entries))
        budget = COUNTED if budget is None else budget
        found = 0
        for looked, (_, word) in enumerate(self._ascending(0, self.size), start=1):
            if looked > budget:
                raise BudgetExceeded("members", budget, partial=found)
            found += self._member(word) is not None if self.strata else self._representatives.is_first(word)
        return self.size, found

    def _ascending(self, start: int, stop: int) -> Iterator[tuple[int, Word]]:
        """The numbers from ``start`` to ``stop`` (excluded) whose neurons ascend, with their words."""
        index = start
        while index < stop:
            word = self._word(index)
            descent = self._representatives.first_descent(word)
            if descent is None:
                yield index, word
            index = index + 1 if descent is None else self._after_descent(word, *descent)

    def _member(self, word: Word) -> Network | None:
        if not self._representatives.is_first(word):
            return None
        net = self.layout.network(word, self.entries)
        if self.strata and not any(stratum.recognises(net) for stratum in named_strata(self.strata)):
            return None
        return net

    def _word(self, index: int) -> Word:
        digits, base = [], len(self.entries)
        for _ in range(self.layout.size):
            index, digit = divmod(index, base)
            digits.append(digit)
        digits.reverse()
        return self.layout.word(digits)

    def _after_descent(self, word: Word, layer: int, neuron: int) -> int:
        """The least number at which the neuron is no longer smaller than its predecessor."""
        digits = [digit for rows in word[:layer] for row in rows for digit in row]
        digits += [digit for row in word[layer][:neuron] for digit in row]
        digits += word[layer][neuron - 1]
        index = 0
        for digit in digits:
            index = index * len(self.entries) + digit
        return index * int(len(self.entries) ** (self.layout.size - len(digits)))

    def to_json(self) -> dict[str, Any]:
        """Widths, skips, biases, entries and strata."""
        return specification("exhaustive", self.layout, self.entries, self.strata)

    def explain(self) -> str:
        """The family in one line."""
        shown = ", ".join(map(text, self.entries))
        which = f"all {described(self.layout)} with entries {shown}{chosen_strata(self.strata)}"
        return f"{which}, up to scaling and permutation"
