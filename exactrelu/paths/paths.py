r"""Paths of a network: their number, their order, and their enumeration.

A *path* starts at an input, or at the bias of any neuron that has one, follows
present edges, and ends at an output. A path may be the bias of an output alone.
Paths are sorted by output, then by start (inputs first, then biases), then by
vertices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from ..errors import BudgetExceeded, check_budget
from ..networks import Network
from ..verdicts import Neuron

DEFAULT_BUDGET = 1_000_000
"""The number of paths that are enumerated unless another budget is given."""


@dataclass(frozen=True, slots=True)
class Path:
    """The vertices of a path; one that does not start at an input starts at the bias of its first neuron."""

    neurons: tuple[Neuron, ...]

    @property
    def from_bias(self) -> bool:
        """Whether the path starts at a bias."""
        return self.neurons[0][0] > 0

    @property
    def sort_key(self) -> tuple[Neuron, bool, tuple[Neuron, ...]]:
        """Output, then start (inputs before biases), then vertices."""
        return self.neurons[-1], self.from_bias, self.neurons

    @property
    def steps(self) -> tuple[tuple[Neuron | None, Neuron], ...]:
        """The parameters along the path as pairs (source, target); a bias has source ``None``."""
        edges: list[tuple[Neuron | None, Neuron]] = list(pairwise(self.neurons))
        return ((None, self.neurons[0]), *edges) if self.from_bias else tuple(edges)

    def __str__(self) -> str:
        names = [f"x{index}" if layer == 0 else f"({layer},{index})" for layer, index in self.neurons]
        return " → ".join(["bias", *names] if self.from_bias else names)


def count_paths(net: Network) -> int:
    r"""The number of paths, without enumerating them.

    With :math:`c(v)` the number of partial paths that end at :math:`v`:
    :math:`c=1` on inputs, :math:`c(v)=[v\text{ has a bias}]+\sum_{u\to v}c(u)`.

    >>> count_paths(Network.mlp([[[1, 2], [2, -1], [-1, 1]], [[1, 2, -3]]], [[1, -1, 2], [1]]))
    10
    """
    counts = [[1] * net.input_dim]
    for layer in net.layers:
        totals = [int(layer.bias is not None)] * layer.width
        for source, block in layer.blocks:
            for i, row in enumerate(block):
                totals[i] += sum(c for c, entry in zip(counts[source], row, strict=True) if entry is not None)
        counts.append(totals)
    return sum(counts[-1])


def enumerate_paths(net: Network, budget: int | None = None) -> tuple[Path, ...]:
    """All paths in their fixed order.

    Raises :class:`~exactrelu.errors.BudgetExceeded` when there are more than
    ``budget`` (a million by default), before any is built.

    >>> [str(path) for path in enumerate_paths(Network.mlp([[[1]], [[1]]], [[1], [1]]))]
    ['x0 → (1,0) → (2,0)', 'bias → (1,0) → (2,0)', 'bias → (2,0)']
    """
    check_budget(budget)
    budget = DEFAULT_BUDGET if budget is None else budget
    total = count_paths(net)
    if total > budget:
        raise BudgetExceeded("paths", budget, total)
    return tuple(sorted(_walk(net), key=lambda path: path.sort_key))


def _walk(net: Network) -> Iterator[Path]:
    """All paths, backwards from the outputs."""
    incoming: dict[Neuron, list[Neuron]] = {}
    for parameter in net.parameters:
        if parameter.source is not None:
            incoming.setdefault(parameter.target, []).append(parameter.source)
    stack: list[tuple[Neuron, ...]] = [((net.depth, i),) for i in range(net.output_dim)]
    while stack:
        tail = stack.pop()
        head = tail[0]
        if head[0] == 0:
            yield Path(tail)
            continue
        if net.layers[head[0] - 1].bias is not None:
            yield Path(tail)
        stack += [(source, *tail) for source in incoming.get(head, ())]
