"""Statements for hunts: true ones, and what is left of them without a condition. Nothing here uses the registry."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, groupby

import exactrelu as er
from exactrelu.theorems.families import family
from exactrelu.theorems.mutations import mutations


def same_embedding(network: er.Network, other: er.Network) -> bool:
    same = network.architecture == other.architecture
    return same and er.path_embedding(network).vector == er.path_embedding(other).vector


def same_signs(network: er.Network, other: er.Network) -> bool:
    pairs = zip(network.parameters, other.parameters, strict=True)
    return all((a.value > 0, a.value < 0) == (b.value > 0, b.value < 0) for a, b in pairs)


EMBEDDING_AND_SIGNS = er.Theorem(
    id="embedding_and_signs",
    hypotheses=[er.admissible, same_embedding, same_signs],
    conclusion=er.scaling_equivalent,
)


def neurons(network: er.Network) -> list[tuple[list[Fraction], list[Fraction]]]:
    """(w, b) and v of each neuron of a network with one hidden layer and biases."""
    (incoming,), (outgoing,) = network.layers[0].weights.values(), network.layers[1].weights.values()
    rows = [[*row, b] for row, b in zip(incoming, network.layers[0].bias or (), strict=True)]
    return list(zip(rows, map(list, zip(*outgoing, strict=True)), strict=True))  # type: ignore[arg-type]


def ratio(first: list[Fraction], second: list[Fraction]) -> Fraction | None:
    """The r with second = r first, for nonzero vectors on a line."""
    found = next(b / a for a, b in zip(first, second, strict=True) if a) if any(first) and any(second) else None
    return found if found and [found * a for a in first] == second else None


def twins(network: er.Network) -> list[tuple[Fraction, list[Fraction], list[Fraction], list[Fraction]]]:
    """Factor, w, and both v, of the pairs of neurons on one hyperplane."""
    pairs = combinations(neurons(network), 2)
    return [(r, a[:-1], v, u) for (a, v), (b, u) in pairs if (r := ratio(a, b)) is not None]


def nonzero_output(network: er.Network) -> bool:
    return all(any(v) for _, v in neurons(network))


def kinked(network: er.Network, domain: er.Domain | None = None) -> bool:
    where = domain or er.Domain.space(network.input_dim)
    ends = [
        (where.infimum(row[:-1], row[-1]).value, where.supremum(row[:-1], row[-1]).value) for row, _ in neurons(network)
    ]
    return all((low is None or low < 0) and (high is None or high > 0) for low, high in ends)


def distinct_hyperplanes(network: er.Network) -> bool:
    return not twins(network)


def no_zero_sum(network: er.Network) -> bool:
    rows = [[w * x for w in row[:-1] for x in v] for row, v in neurons(network)]
    moving = [row for row in rows if any(row)]  # the others are what the other conditions exclude
    subsets = [s for n in range(1, len(moving) + 1) for s in combinations(moving, n)]
    return all(any(map(sum, zip(*s, strict=True))) for s in subsets)


BOUNDED_GLOBAL = er.Theorem(
    id="bounded_global",
    hypotheses=[nonzero_output, kinked, distinct_hyperplanes, no_zero_sum],
    conclusion=er.globally_identifiable,
)


def no_positive_twins(network: er.Network) -> bool:
    return all(r < 0 for r, *_ in twins(network))


def opposite_twins_jump(network: er.Network) -> bool:
    return all(r > 0 or any(x - r * y for x, y in zip(v, u, strict=True)) for r, _, v, u in twins(network))


def opposite_pairs_independent(network: er.Network) -> bool:
    # one input: at most one pair
    return sum(r < 0 for r, *_ in twins(network)) <= 1


LOCAL = er.Theorem(
    id="local",
    hypotheses=[nonzero_output, kinked, no_positive_twins, opposite_twins_jump, opposite_pairs_independent],
    conclusion=er.locally_identifiable,
)

DISTINCT_GLOBAL = er.Theorem(
    id="distinct_global",
    hypotheses=[nonzero_output, kinked, distinct_hyperplanes],
    conclusion=er.globally_identifiable,
)


def kinked_everywhere(network: er.Network) -> bool:
    """Every hidden neuron changes its sign somewhere."""
    signs = zip(*(sum(p.signs, ()) for p in er.activation_regions(network).patterns), strict=True)
    return all({-1, 1} <= set(column) for column in signs)


def full_embedding_rank(network: er.Network) -> bool:
    return er.embedding_rank(network) == len(network.parameters) - len(network.hidden_neurons)


FULL_RANK_LOCAL = er.Theorem(
    id="full_rank_local",
    hypotheses=[er.admissible, full_embedding_rank, kinked_everywhere],
    conclusion=er.locally_identifiable,
)


def biased(network: er.Network) -> bool:
    return all(layer.bias is not None for layer in network.layers)


def architecture_reaches_full_dimension(network: er.Network) -> er.Verdict:
    """Some network of the architecture has functional dimension D - h.

    Either a random one has; or the proved bound for runs of hidden layers of width 1 is smaller.
    """
    full = len(network.parameters) - len(network.hidden_neurons)
    for member in family(network.widths, random=1, count=60):
        if er.functional_dimension(member) == full:
            return er.Verdict(f"functional dimension {full} is reached", er.Status.HOLDS, witness=member)
    runs = [len(list(group)) for width, group in groupby(network.widths[1:-1]) if width == 1]
    lost = sum(max(0, run - 2) for run in runs)
    status = er.Status.FAILS if lost else er.Status.UNKNOWN
    return er.Verdict(f"the functional dimension is at most {full - lost}, below D - h = {full}", status)


FULL_DIMENSION = er.Theorem(id="full_dimension", hypotheses=[biased], conclusion=architecture_reaches_full_dimension)


@lru_cache(maxsize=10_000)
def cells(network: er.Network) -> tuple[frozenset[str], frozenset[frozenset[str]]]:
    """The patterns of the regions, and the adjacent pairs of them."""
    complex = er.activation_regions(network)
    names = [str(pattern) for pattern in complex.patterns]
    return frozenset(names), frozenset(frozenset((names[i], names[j])) for i, j, _ in complex.facets)


def binary(network: er.Network, other: er.Network) -> bool:
    return not any("0" in name for net in (network, other) for name in cells(net)[0])


def same_patterns(network: er.Network, other: er.Network) -> bool:
    return network.widths == other.widths and cells(network)[0] == cells(other)[0]


def same_adjacency(network: er.Network, other: er.Network) -> bool:
    return cells(network)[1] == cells(other)[1]


def neighbours(network: er.Network, generator: random.Random) -> Iterator[er.Instance]:
    near = mutations(network).members(1, 1 + 6 * len(network.parameters))
    return (er.Instance(network, other) for _, other in near)


PATTERNS_DETERMINE_ADJACENCY = er.Theorem(
    id="patterns_determine_adjacency",
    hypotheses=[binary, same_patterns],
    conclusion=same_adjacency,
    arrangement=neighbours,
)
