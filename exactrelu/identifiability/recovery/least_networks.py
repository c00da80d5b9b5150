r"""All networks of least width with a given shallow function, up to permutation and scaling.

On :math:`\mathbb R^d` a network of least width :math:`|K|+|T|+2r` doubles the
hyperplanes of a set :math:`T\subset K`, orients one neuron on each other one, and
spends :math:`r` cancelling pairs (theory: ``shallow_minimal_width``, 5.4 G). A
cancelling pair can be slid, so one solution with :math:`r>0` makes the fibre
infinite. If there is none, the slopes :math:`\{w_H\}_{H\in T}` of a solution are
independent (otherwise a smaller :math:`T` would do), which leaves one network for
each choice of :math:`T` and orientations: finitely many. For :math:`T=\emptyset`
they are the flips of ``shallow_fibre_is_flips`` (5.2 B). On a bounded domain an
affine remainder takes neurons that are on everywhere, whose biases can be moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import combinations, islice

from ...equality import ShallowNetwork, reduce, shallow, shallow_equal
from ...errors import BudgetExceeded, check_budget
from ...networks import Family, Network
from ...polyhedra import Domain
from ...rationals import dot, kernel
from ...rationals.subset_sums import DEFAULT_BUDGET
from ...verdicts import Status
from ..shallow.alternatives import Alternative, Alternatives, NoAlternative, unchanging
from ..shallow.fibre import fibre
from ..shallow.shallow_local import shallow_locally_identifiable
from ..shallow.walls import Wall, walls

MOST_NETWORKS = 10_000
"""The number of networks that are listed unless a budget is given."""


class FibreStatus(StrEnum):
    """Whether a list of networks is the whole fibre."""

    COMPLETE = "complete"  # every network of least width is one of these, up to permutation and scaling
    INFINITE = "infinite"  # one of infinitely many classes is given, with a family


@dataclass(frozen=True, slots=True)
class LeastNetworks:
    """One network per class, or one network and a family of others where the classes are infinitely many."""

    networks: tuple[Network, ...]
    status: FibreStatus
    family: Family | None = None


def least_networks(net: Network, domain: Domain, *, budget: int | None = None) -> LeastNetworks:
    """All networks of least width that equal a shallow network on all of space or on a bounded domain.

    Each is verified to have the function of ``net``. Raises
    :class:`~exactrelu.errors.BudgetExceeded` beyond ``budget`` subsets or networks,
    with those that were found, perhaps not of least width, as ``partial``.

    >>> hat = Network.mlp([[[1], [1], [1]], [[1, -2, 1]]], [[1, 0, -1], [0]])
    >>> len(least_networks(hat, Domain.space(1)).networks)
    2
    """
    check_budget(budget)
    least = net
    try:
        least = reduce(net, domain, budget=budget)
        found = LeastNetworks((least,), FibreStatus.COMPLETE) if least.depth == 1 else _classes(least, domain, budget)
    except BudgetExceeded as error:
        raise BudgetExceeded(error.unit, error.budget, error.needed, error.partial or (least,)) from None
    reference = shallow(net)
    for member in found.networks:
        if member.depth == 2 and not shallow_equal(shallow(member), reference, domain):
            raise RuntimeError("internal error: a network of least width has another function")
    return found


def _classes(least: Network, domain: Domain, budget: int | None) -> LeastNetworks:
    verdict = shallow_locally_identifiable(least, domain)
    if verdict.status is Status.FAILS:
        return LeastNetworks((least,), FibreStatus.INFINITE, verdict.family)
    view = shallow(least)
    groups = walls(view, range(view.size))
    spare = view.size - len(groups)
    if not spare:
        return LeastNetworks(_listed(fibre(least, domain, budget=budget), budget), FibreStatus.COMPLETE)
    search = Alternatives(view, groups, budget)
    other = search.search()
    if isinstance(other, NoAlternative):
        return LeastNetworks((least,), FibreStatus.COMPLETE)
    if len(other.doubled) < spare:  # what is not doubled is spent on cancelling pairs
        member = search.network(other)
        return LeastNetworks((member,), FibreStatus.INFINITE, shallow_locally_identifiable(member, domain).family)
    members = (search.network(choice) for choice in _choices(view, groups, spare, budget))
    return LeastNetworks(_listed(members, budget), FibreStatus.COMPLETE)


def _choices(view: ShallowNetwork, groups: tuple[Wall, ...], spare: int, budget: int | None) -> Iterator[Alternative]:
    """All ways to double ``spare`` hyperplanes and orient the others that leave no affine remainder."""
    most = DEFAULT_BUDGET if budget is None else budget
    half = (len(groups) - spare) // 2
    cost = 2**half + 2 ** (len(groups) - spare - half)
    slopes = [[Fraction(entry) for entry in wall.form[:-1]] for wall in groups]
    for number, doubled in enumerate(combinations(range(len(groups)), spare), start=1):
        if number * cost > most:
            raise BudgetExceeded("subsets", most, number * cost)
        free = [k for k in range(len(groups)) if k not in doubled]
        along = kernel([slopes[k] for k in doubled], view.input_dim)
        seen = {k: [dot(slopes[k], direction) for direction in along] for k in free}
        for positive in unchanging(groups, seen, budget):
            yield Alternative(doubled, constant_neuron=False, positive=positive)


def _listed(members: Iterable[Network], budget: int | None) -> tuple[Network, ...]:
    most = MOST_NETWORKS if budget is None else budget
    supply = iter(members)
    found = tuple(islice(supply, most))
    if next(supply, None) is not None:
        raise BudgetExceeded("networks", most, partial=found)
    return found
