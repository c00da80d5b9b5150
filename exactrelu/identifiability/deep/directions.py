r"""Directions in the space of parameters: sparse vectors, infinitesimal rescalings, and proposals with a reason.

A direction is a mapping from positions of parameters to nonzero components.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias

from ...symmetries.scaling import rescalable
from ...verdicts import Neuron
from .activity import Activity, Source

ZERO = Fraction(0)
Entries: TypeAlias = Mapping[int, Fraction]


class Kind(StrEnum):
    """Why no value changes along a direction; in the order in which reasons are tried."""

    SCALING = "scaling"
    DEAD_NEURON = "dead_neuron"
    CLONES = "clones"
    OPPOSITE_PAIRS = "opposite_pairs"
    INVISIBLE_WEIGHT = "invisible_weight"
    ABSORBED_BIAS = "absorbed_bias"
    DEPENDENT_VALUES = "dependent_values"
    DEPENDENT_EFFECTS = "dependent_effects"
    UNEXPLAINED = "unexplained"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A proposed direction: components by the position of their parameter, and the reason."""

    kind: Kind
    neurons: tuple[Neuron, ...]
    text: str
    entries: Entries


def scaling(activity: Activity, neuron: Neuron) -> Entries:
    r"""The velocity of :math:`w_{uv}\mapsto\lambda w_{uv}`, :math:`b_v\mapsto\lambda b_v`,
    :math:`w_{vc}\mapsto w_{vc}/\lambda` at :math:`\lambda=1`.
    """
    into, out = activity.incoming[neuron], activity.outgoing[neuron]
    entries = {k: activity.values[k] for k in into.values() if activity.values[k]}
    return entries | {k: -activity.values[k] for k in out.values() if activity.values[k]}


def plus(left: Entries, right: Entries) -> Entries:
    """The sum of two directions."""
    total = {k: left.get(k, ZERO) + right.get(k, ZERO) for k in {**left, **right}}
    return {k: entry for k, entry in total.items() if entry}


def times(entries: Entries, factor: Fraction) -> Entries:
    """A multiple of a direction."""
    return {k: factor * entry for k, entry in entries.items()}


def mixed(activity: Activity, u: Neuron, v: Neuron, children: Collection[Neuron]) -> tuple[Entries, Entries] | None:
    """Add the pre-activation of ``v`` to that of ``u``, and take its value back at the children; ``None``: no edges."""
    row = {s: activity.values[k] for s, k in activity.incoming[v].items() if activity.values[k]}
    if not row.keys() <= activity.incoming[u].keys() or any(c not in activity.outgoing[v] for c in children):
        return None
    change = {activity.incoming[u][source]: value for source, value in row.items()}
    return change, {activity.outgoing[v][c]: -activity.weight(u, c) for c in children}


class Rescalings:
    r"""The tangent space of the orbit of :math:`\theta` under rescaling.

    A line through :math:`\theta` that leaves in another direction meets the orbit
    nowhere else near :math:`\theta`, since orbits are embedded submanifolds, and
    no orbit of a permuted :math:`\theta` either: these have the same dimension,
    and the closure of an orbit adds orbits of lower dimension only.
    """

    def __init__(self, activity: Activity) -> None:
        self.values = activity.values
        self.steps: dict[Source, list[tuple[Source, int, Fraction]]] = {}
        for k, parameter in enumerate(activity.net.parameters):
            if parameter.value:
                source, target = (rescalable(activity.net, end) for end in (parameter.source, parameter.target))
                self.steps.setdefault(source, []).append((target, k, 1 / parameter.value))
                self.steps.setdefault(target, []).append((source, k, -1 / parameter.value))

    def contain(self, entries: Entries) -> bool:
        r"""Whether :math:`\delta_{uv}=w_{uv}(\mu_v-\mu_u)` for some :math:`\mu`, 0 at inputs, outputs and biases.

        The :math:`\mu` of one vertex fixes those of all that nonzero parameters connect with it.
        """
        if any(entry and not self.values[k] for k, entry in entries.items()):
            return False
        potential: dict[Source, Fraction] = {}
        for start in (None, *self.steps):
            if start in potential:
                continue
            potential[start], queue = ZERO, [start]
            while queue:
                here = queue.pop()
                for there, k, factor in self.steps.get(here, ()):
                    expected = potential[here] + factor * entries.get(k, ZERO)
                    if there not in potential:
                        potential[there] = expected
                        queue.append(there)
                    elif potential[there] != expected:
                        return False
        return True
