r"""Functional dimensions by elimination over complete lists of regions, and the best of an architecture."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import lru_cache
from itertools import groupby, pairwise
from typing import Final

from ...networks import Network
from ...polyhedra import Domain
from ...rationals import rank
from ...verdicts import Status, Verdict
from .frozen import jacobian, region_readings

TRIES: Final = 400
"""How many random networks of an architecture are tried before the answer is unknown."""


def dimension(network: Network, domain: Domain | None = None) -> int:
    """The rank of the sample Jacobians of all smooth regions together.

    >>> dimension(Network.mlp([[[1], [-1]], [[1, 1]]], [[0, 0], [0]]))  # |x|
    4
    """
    return rank(jacobian(network, region_readings(network, domain)))


def full_dimension(network: Network) -> int:
    """The number of parameters minus the number of hidden neurons."""
    return len(network.parameters) - len(network.hidden_neurons)


def dimension_is(network: Network, expected: int, domain: Domain | None = None) -> Verdict:
    """Whether the functional dimension is a number."""
    found = dimension(network, domain)
    return Verdict(f"the functional dimension is {found}", Status.HOLDS if found == expected else Status.FAILS)


def run_deficit(widths: tuple[int, ...]) -> int:
    r"""The sum of :math:`\max(0,k-2)` over the maximal runs of :math:`k` consecutive hidden layers of width 1.

    >>> run_deficit((2, 1, 1, 1, 3, 1, 1, 1, 1, 1))
    3
    """
    runs = (len(list(group)) for width, group in groupby(widths[1:-1]) if width == 1)
    return sum(max(0, run - 2) for run in runs)


def bound_by_runs(network: Network) -> int:
    """The number of parameters minus that of hidden neurons, minus the deficit of the runs."""
    return full_dimension(network) - run_deficit(network.widths)


@lru_cache(maxsize=1024)
def best_of_architecture(widths: tuple[int, ...], goal: int) -> tuple[int, Network]:
    """The largest functional dimension found among networks with all biases, and one that has it.

    The search is seeded by the widths, and ends as soon as ``goal`` is reached.
    """
    draw = random.Random(str(widths))
    best: tuple[int, Network] | None = None
    for k in range(TRIES):
        bound = 2 + k // 50
        net = _draw(widths, draw, bound) if best is None or draw.random() < 0.3 else _changed(best[1], draw, bound)
        found = dimension(net)
        if best is None or found >= best[0]:
            best = found, net
        if best[0] >= goal:
            break
    assert best is not None  # there is at least one try
    return best


def _draw(widths: tuple[int, ...], draw: random.Random, bound: int) -> Network:
    """A network without zero weights."""
    numbers = [k for k in range(-bound, bound + 1) if k]
    weights = [[[draw.choice(numbers) for _ in range(a)] for _ in range(b)] for a, b in pairwise(widths)]
    biases = [
        [Fraction(draw.randint(-2 * bound, 2 * bound), draw.choice((1, 2))) for _ in range(b)] for b in widths[1:]
    ]
    return Network.mlp(weights, biases)


def _changed(net: Network, draw: random.Random, bound: int) -> Network:
    """The network with a few parameters drawn anew, none of them 0."""
    values = [parameter.value for parameter in net.parameters]
    for _ in range(draw.choice((1, 2, 3))):
        values[draw.randrange(len(values))] = Fraction(
            draw.choice((-1, 1)) * draw.randint(1, 2 * bound), draw.choice((1, 2))
        )
    return net.with_values(values)
