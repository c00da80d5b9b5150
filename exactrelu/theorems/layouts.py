r"""The fully connected architectures of families, and parameters as words.

A *word* holds the parameters of a network as digits, the positions of their
values in a finite list :math:`E`: layer by layer, neuron by neuron, each with its
incoming weights (sources ascending) and then its bias. Words are compared like
numbers, the first digit being the most significant one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import factorial, gcd, prod
from typing import Final, TypeAlias

from ..errors import InvalidNetwork
from ..networks import Layer, Network
from ..networks.activations import IDENTITY, RELU

LARGEST: Final = 100_000
"""The largest number of parameters of the members of a family."""
Row: TypeAlias = tuple[int, ...]
Word: TypeAlias = list[list[Row]]
"""The digits of every layer, neuron by neuron."""


@dataclass(frozen=True)
class Layout:
    """A fully connected architecture: widths, whether layers read all earlier ones, and which have biases.

    >>> Layout((2, 3, 1)).size
    13
    """

    widths: tuple[int, ...]
    skips: bool = False
    biases: tuple[bool, ...] = ()

    @classmethod
    def of(cls, widths: object, skips: object, biases: object) -> Layout:
        """The layout of checked arguments; ``biases`` is one truth value, or one per layer."""
        if isinstance(widths, str) or not isinstance(widths, Sequence) or len(widths) < 2:
            raise InvalidNetwork("widths", "must be at least two positive integers", widths)
        if any(type(width) is not int or width < 1 for width in widths):
            raise InvalidNetwork("widths", "must be at least two positive integers", widths)
        depth = len(widths) - 1
        flags = [biases] * depth if isinstance(biases, bool) else biases
        if not isinstance(flags, Sequence) or len(flags) != depth or any(type(flag) is not bool for flag in flags):
            raise InvalidNetwork("biases", f"must be true or false, or {depth} of these, one per layer", biases)
        if type(skips) is not bool:
            raise InvalidNetwork("skips", "must be true or false", skips)
        found = cls(tuple(widths), skips, tuple(flags))
        if max(widths) > LARGEST or found.size > LARGEST:
            raise InvalidNetwork("widths", f"must give at most {LARGEST} parameters", widths)
        return found

    @cached_property
    def sources(self) -> tuple[tuple[int, ...], ...]:
        """The layers that each layer reads."""
        return tuple(tuple(range(k)) if self.skips else (k - 1,) for k in range(1, len(self.widths)))

    @cached_property
    def flags(self) -> tuple[bool, ...]:
        """Whether each layer has biases."""
        return self.biases or (True,) * len(self.sources)

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """The number of digits of a neuron, layer by layer."""
        return tuple(
            sum(self.widths[s] for s in sources) + flag for sources, flag in zip(self.sources, self.flags, strict=True)
        )

    @cached_property
    def size(self) -> int:
        """The number of parameters."""
        return sum(width * length for width, length in zip(self.widths[1:], self.lengths, strict=True))

    @cached_property
    def orders(self) -> int:
        """The number of permutations of hidden neurons within layers."""
        return prod(factorial(width) for width in self.widths[1:-1])

    def network(self, word: Word, entries: Sequence[Fraction]) -> Network:
        """The network of a word."""
        layers: list[Layer] = []
        for sources, flag, rows in zip(self.sources, self.flags, word, strict=True):
            values = [[entries[digit] for digit in row] for row in rows]
            blocks, start = {}, 0
            for source in sources:
                stop = start + self.widths[source]
                blocks[source] = [row[start:stop] for row in values]
                start = stop
            rho = IDENTITY if len(layers) == len(self.sources) - 1 else RELU
            layers.append(Layer(blocks, bias=[row[-1] for row in values] if flag else None, activation=rho))
        return Network(self.widths[0], layers)

    def word(self, digits: Sequence[int]) -> Word:
        """The digits cut into neurons and layers."""
        found, start = [], 0
        for width, length in zip(self.widths[1:], self.lengths, strict=True):
            stop = start + width * length
            found.append([tuple(digits[i : i + length]) for i in range(start, stop, length)])
            start = stop
        return found

    def number_of_orbits(self, letters: int) -> int:
        r"""The number of words over an alphabet up to permutations of hidden neurons, by Burnside's lemma.

        A permutation with cycles of lengths :math:`a` in one layer and :math:`b` in
        another one has :math:`\sum\gcd(a,b)` cycles on the weights between them, and
        fixes as many words as there are choices of one letter per cycle.

        >>> Layout((1, 2, 1), biases=(False, False)).number_of_orbits(2)
        10
        """
        total = 0
        fixed = [1] * self.widths[0], [1] * self.widths[-1]
        for types in product(*(list(_cycle_types(width)) for width in self.widths[1:-1])):
            cycles = [fixed[0], *(cycle for cycle, _ in types), fixed[1]]
            exponent = 0
            for number, (sources, flag) in enumerate(zip(self.sources, self.flags, strict=True), start=1):
                exponent += sum(gcd(a, b) for s in sources for a in cycles[s] for b in cycles[number])
                exponent += flag * len(cycles[number])
            total += prod(count for _, count in types) * letters**exponent
        return total // self.orders


def _cycle_types(size: int) -> Iterator[tuple[list[int], int]]:
    """The cycle lengths of permutations of ``size`` things, each with the number of such permutations."""

    def partitions(left: int, largest: int) -> Iterator[list[int]]:
        if not left:
            yield []
        for part in range(min(left, largest), 0, -1):
            yield from ([part, *rest] for rest in partitions(left - part, part))

    for parts in partitions(size, size):
        repeats = prod(factorial(parts.count(part)) for part in set(parts))
        yield parts, factorial(size) // (prod(parts) * repeats)
