r"""Hypotheses of identifiability theorems that are read off the activation regions.

====================================  =========================================
:func:`linear_regions_assumption`     different regions carry different affine maps
:func:`no_always_on`                  no pre-activation is nonnegative everywhere
:func:`no_stably_unactivated`         no neuron is off for all parameters nearby
:func:`hyperplanes_met_in_interior`   every pre-activation takes both signs
:func:`transparent`                   everywhere some neuron of each hidden layer is active
====================================  =========================================

Theory: section 10. Sources: Grigsby, Lindsey, Meyerhoff and Wu (arXiv
2209.04036); Rolnick and Kording (arXiv 1910.00744); Bona-Pellissier, Bachoc and
Malgouyres (arXiv 2112.12982); Phuong and Lampert (ICLR 2020). Definitions are
given in our reading. All statements are about a domain with interior points,
all of :math:`\mathbb R^d` unless one is named; more than ``budget`` regions make
the verdict ``unknown``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from ...equality import NeuronType
from ...errors import BudgetExceeded, HypothesisNotMet, check_budget
from ...networks import Network, Pattern
from ...networks.evaluation import AffineMap
from ...networks.patterns import expect_relus
from ...polyhedra import Domain, as_domain
from ...rationals import Vector
from ...regions import RegionComplex, activation_regions
from ...verdicts import Condition, Neuron, Status, Verdict, inapplicable, neuron_list, number_list
from .asking import noted
from .ranges import Range, Ranges, ranges
from .stability import stably_off

Decision = Callable[[str, RegionComplex], Verdict]


@dataclass(frozen=True, slots=True)
class EqualRegions:
    """Evidence: two regions with the same affine map, and a point inside each."""

    patterns: tuple[Pattern, Pattern]
    points: tuple[Vector, Vector]
    affine_map: AffineMap

    def explain(self) -> str:
        """The two regions."""
        (p, q), (x, y) = self.patterns, self.points
        return (
            f"the network is the same affine map around {number_list(x)}, region {p}, and {number_list(y)}, region {q}"
        )


@dataclass(frozen=True, slots=True)
class SilentLayer:
    """Evidence: a region on which no neuron of a hidden layer is active, and a point inside."""

    layer: int
    pattern: Pattern
    point: Vector

    def explain(self) -> str:
        """The layer and the region."""
        return f"no neuron of layer {self.layer} is active around {number_list(self.point)}, region {self.pattern}"


def on_regions(net: Network, domain: Domain | str | None, budget: int | None, claim: str, decide: Decision) -> Verdict:
    """What ``decide`` says about all regions on a domain; ``unknown`` where there are too many.

    ``inapplicable`` where it needs other activations.
    """
    check_budget(budget)
    domain = as_domain(domain, net.input_dim)
    claim = f"{claim}, on {domain}"
    try:
        return decide(claim, activation_regions(net, domain, budget=budget))
    except HypothesisNotMet as error:
        return inapplicable(claim, "relu_network", error.rule)
    except BudgetExceeded as error:
        return Verdict(claim, Status.UNKNOWN, (Condition("regions", Status.UNKNOWN, (), str(error)),))


def hidden_columns(complex: RegionComplex) -> list[tuple[int, Neuron]]:
    """The hidden bending neurons, each with its place among all signs."""
    depth = complex.network.depth
    expect_relus(complex.network)  # codes of other neurons are no signs
    return [(k, neuron) for k, neuron in enumerate(complex.neurons) if neuron[0] < depth]


def about(identifier: str, neurons: Iterable[Neuron], fault: str) -> Condition:
    """The condition that there are no such neurons."""
    found = tuple(neurons)
    if not found:
        return Condition(identifier, Status.HOLDS)
    return Condition(identifier, Status.FAILS, found, f"{neuron_list(found)}: {fault}")


@noted
def linear_regions_assumption(
    net: Network, domain: Domain | str | None = None, *, budget: int | None = None
) -> Verdict:
    r"""Whether different activation regions carry different affine maps (LRA; Rolnick and Kording).

    The condition ``adjacent_regions_differ`` alone says that the activation
    regions are the open linear regions of the function. Evidence against the
    assumption is a pair of regions, an adjacent one if there is any.

    >>> hat = Network.mlp([[[1], [1], [1]], [[1, -2, 1]]], [[1, 0, -1], [0]])
    >>> verdict = linear_regions_assumption(hat)
    >>> [str(pattern) for pattern in verdict.evidence.patterns], verdict.conditions[0].status.value
    (['---', '+++'], 'holds')
    """
    return on_regions(net, domain, budget, "different regions carry different affine maps", _linear_regions)


def _linear_regions(claim: str, complex: RegionComplex) -> Verdict:
    maps = complex.affine_maps
    adjacent = next(((i, j) for i, j, _ in complex.facets if maps[i] == maps[j]), None)
    first: dict[AffineMap, int] = {}
    repeated = adjacent
    if repeated is None:
        repeated = next(((first[m], i) for i, m in enumerate(maps) if first.setdefault(m, i) != i), None)
    conditions = tuple(
        Condition(identifier, Status.HOLDS if pair is None else Status.FAILS)
        for identifier, pair in (("adjacent_regions_differ", adjacent), ("all_regions_differ", repeated))
    )
    if repeated is None:
        return Verdict(claim, Status.HOLDS, conditions)
    p, q = (complex[i] for i in repeated)
    evidence = EqualRegions((p.pattern, q.pattern), (p.interior_point, q.interior_point), p.affine_map)
    return Verdict(claim, Status.FAILS, conditions, evidence=evidence)


def _still(complex: RegionComplex) -> list[Neuron]:
    """The hidden neurons whose pre-activation does not take both signs."""
    signs = complex.signs
    return [n for k, n in hidden_columns(complex) if not ((signs[:, k] > 0).any() and (signs[:, k] < 0).any())]


def _of_type(found: Iterable[Range], *kinds: NeuronType) -> list[Range]:
    return [item for item in found if item.type in kinds]


@noted
def no_always_on(net: Network, domain: Domain | str | None = None, *, budget: int | None = None) -> Verdict:
    r"""Whether no hidden neuron is *always on*: :math:`z\ge0` on the domain, and not :math:`z\equiv0`.

    Such a neuron is affine in its parents. Evidence: its infimum and supremum,
    with points where they are attained.

    >>> verdict = no_always_on(Network.mlp([[[1], [1]], [[1, 1]]], [[3, 0], [0]]), "[-1,1]")
    >>> verdict.conditions[0].neurons, verdict.evidence.ranges[0].infimum.value
    (((1, 0),), Fraction(2, 1))
    """
    return on_regions(net, domain, budget, "no hidden neuron is always on", _always_on)


def _always_on(claim: str, complex: RegionComplex) -> Verdict:
    found = _of_type(ranges(complex, _still(complex)), NeuronType.ON)
    condition = about("always_on", (item.neuron for item in found), "the pre-activation is never negative")
    return Verdict(claim, condition.status, (condition,), evidence=Ranges(tuple(found)) if found else None)


@noted
def hyperplanes_met_in_interior(
    net: Network, domain: Domain | str | None = None, *, budget: int | None = None
) -> Verdict:
    r"""Whether every hidden neuron bends inside the domain: :math:`\inf z<0<\sup z`.

    In our reading of Bona-Pellissier et al., seen from the input space;
    :func:`~.layer_spaces.layer_hyperplanes_met` asks the
    same, which is more, of the set of inputs of each layer. A wall that only
    touches the boundary of the domain is not met. Evidence against it: the ranges
    of the pre-activations that do not take both signs.

    >>> net = Network.mlp([[[1]], [[1]]], [[-1], [0]])
    >>> [hyperplanes_met_in_interior(net, domain).status.value for domain in ("[-1,1]", "[-1,2]")]
    ['fails', 'holds']
    """
    return on_regions(net, domain, budget, "every hidden neuron takes both signs", _met_in_interior)


def _met_in_interior(claim: str, complex: RegionComplex) -> Verdict:
    found = ranges(complex, _still(complex))
    condition = about("kinked", (item.neuron for item in found), "the pre-activation does not take both signs")
    return Verdict(claim, condition.status, (condition,), evidence=Ranges(tuple(found)) if found else None)


@noted
def no_stably_unactivated(net: Network, domain: Domain | str | None = None, *, budget: int | None = None) -> Verdict:
    r"""Whether no hidden neuron is *stably unactivated*: :math:`z\le0` on the domain for all parameters nearby.

    In our reading of Grigsby et al. The condition ``off`` names the neurons that
    are never active at :math:`\theta`, ``stably_unactivated`` those of them that
    stay so. On a bounded domain :math:`\sup z<0` is enough; :math:`\sup z=0` is
    not, as a bias may rise. On an unbounded domain the directions in which it is
    unbounded count too, and ``unknown`` is possible.

    >>> net = Network.mlp([[[1], [1]], [[1, 1]]], [[-2, -1], [0]])
    >>> verdict = no_stably_unactivated(net, "[-1,1]")
    >>> verdict.condition("off").neurons, verdict.condition("stably_unactivated").neurons
    (((1, 0), (1, 1)), ((1, 0),))
    """
    return on_regions(net, domain, budget, "no hidden neuron is stably unactivated", _unactivated)


def _unactivated(claim: str, complex: RegionComplex) -> Verdict:
    off = _of_type(ranges(complex, _still(complex)), NeuronType.OFF, NeuronType.ZERO)
    stable = stably_off(complex, off)
    dead = [neuron for neuron, status in stable.items() if status is Status.HOLDS]
    open_cases = tuple(neuron for neuron, status in stable.items() if status is Status.UNKNOWN)
    condition = about("stably_unactivated", dead, "never active, for all parameters nearby")
    if open_cases and not dead:
        detail = f"{neuron_list(open_cases)}: not active, but what happens nearby far away is not decided"
        condition = Condition("stably_unactivated", Status.UNKNOWN, open_cases, detail)
    silent = about("off", (item.neuron for item in off), "never active at these parameters")
    evidence = Ranges(tuple(off)) if off else None
    return Verdict(claim, condition.status, (condition, silent), evidence=evidence)


@noted
def transparent(net: Network, domain: Domain | str | None = None, *, budget: int | None = None) -> Verdict:
    r"""Whether inside every region each hidden layer has a neuron with :math:`z>0` (Phuong and Lampert).

    Then every point of the domain has a neuron with :math:`z\ge0` in each layer.

    >>> transparent(Network.mlp([[[1], [-1]], [[1, 1]]])).status.value
    'holds'
    >>> print(transparent(Network.mlp([[[1]], [[1]]])).evidence.pattern)
    -
    """
    return on_regions(net, domain, budget, "each hidden layer has an active neuron everywhere", _transparent)


def _transparent(claim: str, complex: RegionComplex) -> Verdict:
    expect_relus(complex.network)
    conditions, evidence = [], None
    for number, layer in enumerate(complex.network.layers[:-1], start=1):
        columns = [k for k, (where, _) in enumerate(complex.neurons) if where == number]
        if len(columns) < layer.width:
            continue  # a linear neuron counts as active
        silent = np.flatnonzero((complex.signs[:, columns] <= 0).all(axis=1)).tolist()
        if silent:
            region = complex[silent[0]]
            evidence = evidence or SilentLayer(number, region.pattern, region.interior_point)
            detail = f"no neuron of layer {number} is active on {len(silent)} of {len(complex)} regions"
            neurons = tuple((number, i) for i in range(layer.width))
            conditions.append(Condition("active_neuron", Status.FAILS, neurons, detail))
    status = Status.HOLDS if evidence is None else Status.FAILS
    return Verdict(claim, status, tuple(conditions) or (Condition("active_neuron", status),), evidence=evidence)
