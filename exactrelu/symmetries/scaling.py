r"""Scaling equivalence :math:`\theta\sim_S\theta'`, decided by propagating :math:`\lambda`.

Each nonzero weight from :math:`u` to :math:`v` forces
:math:`\lambda_v/\lambda_u=w'_{uv}/w_{uv}`, each nonzero bias
:math:`\lambda_v=b'_v/b_v`; inputs and outputs have :math:`\lambda=1`. So the
:math:`\lambda` of one vertex fixes those of all vertices connected to it by
nonzero parameters, in whatever direction, and a connected component that meets
no input, output or bias is free: one of its neurons gets :math:`\lambda=1`.
What remains is to check every equation, and every sign. Linear in the number of
parameters, for any DAG and any zeros.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from fractions import Fraction

from ..networks import Network
from ..verdicts import Condition, Neuron, Rescaling, Status, Verdict, brief, inapplicable

CLAIM = "the second network is the first with its hidden neurons rescaled by positive factors"
ONE = Fraction(1)


@dataclass(frozen=True, slots=True)
class Obstruction:
    """Why two parameter vectors are not scaling equivalent: the first condition that fails."""

    id: str
    neurons: tuple[Neuron, ...]
    detail: str

    def condition(self) -> Condition:
        """The failed condition of a verdict."""
        return Condition(self.id, Status.FAILS, self.neurons, self.detail)


def scaling_equivalent(left: Network, right: Network) -> Verdict:
    r"""Whether :math:`\theta\sim_S\theta'`, with the scalings or the first obstruction.

    ``inapplicable`` when the networks do not have the same architecture.

    >>> net = Network.mlp([[[1], [-1]], [[2, 3]]], [[1, 0], [0]])
    >>> verdict = scaling_equivalent(net, net.rescale([[2, "1/3"]]))
    >>> verdict.status.value, verdict.evidence.scalings
    ('holds', ((Fraction(2, 1), Fraction(1, 3)),))
    """
    return _verdict(left, right).about("scaling_equivalent", left=left, right=right)


def _verdict(left: Network, right: Network) -> Verdict:
    if left.architecture != right.architecture or not left.is_homogeneous:
        return not_comparable(CLAIM, left, right)
    found = scalings_between(left, right)
    if isinstance(found, Obstruction):
        return Verdict(CLAIM, Status.FAILS, (found.condition(),))
    identity = tuple(tuple(range(width)) for width in left.widths[1:-1])
    return Verdict(CLAIM, Status.HOLDS, evidence=Rescaling(identity, found))


def not_comparable(claim: str, left: Network, right: Network) -> Verdict:
    """The verdict on two networks whose parameters cannot correspond, or that no rescaling preserves."""
    if not left.is_homogeneous:
        detail = "rescaling changes the function: some activation is not positively homogeneous"
        return inapplicable(claim, "positively_homogeneous", detail)
    detail = "the architectures differ"
    if left.widths != right.widths:
        detail += f": widths {left.widths} and {right.widths}"
    return inapplicable(claim, "same_architecture", detail)


def scalings_between(left: Network, right: Network) -> tuple[tuple[Fraction, ...], ...] | Obstruction:
    """The scalings that carry ``left`` to ``right``, of equal architecture, or why there are none."""
    equations = []
    for old, new in zip(left.parameters, right.parameters, strict=True):
        if bool(old.value) != bool(new.value):
            detail = f"{old.name} is {brief(old.value)} in the first network and {brief(new.value)} in the second"
            return Obstruction("same_zeros", (old.target,), detail)
        if old.value:
            ends = rescalable(left, old.source), rescalable(left, old.target)
            equations.append((old, *ends, new.value / old.value))
    steps: dict[Neuron | None, list[tuple[Neuron | None, Fraction]]] = {}
    for _, source, target, ratio in equations:
        steps.setdefault(source, []).append((target, ratio))
        steps.setdefault(target, []).append((source, 1 / ratio))
    factors: dict[Neuron | None, Fraction] = {}
    for start in (None, *left.hidden_neurons):
        if start not in factors:
            factors[start] = ONE
            _propagate(start, steps, factors)

    for old, source, target, ratio in equations:
        forced = factors[target] / factors[source]
        if forced != ratio:
            detail = f"{old.name} must be multiplied by {brief(ratio)}, but the other parameters force {brief(forced)}"
            return Obstruction("consistent_scalings", (old.target,), detail)
    for neuron in left.hidden_neurons:
        if factors[neuron] <= 0:
            detail = f"neuron {neuron} would have to be multiplied by {brief(factors[neuron])}"
            return Obstruction("positive_scalings", (neuron,), detail)
    return tuple(tuple(factors[(k, i)] for i in range(width)) for k, width in enumerate(left.widths[1:-1], start=1))


def rescalable(net: Network, neuron: Neuron | None) -> Neuron | None:
    """A hidden neuron; ``None`` for inputs, outputs and the source of a bias, which all have factor 1."""
    return neuron if neuron is not None and 0 < neuron[0] < net.depth else None


def _propagate(
    start: Neuron | None,
    steps: dict[Neuron | None, list[tuple[Neuron | None, Fraction]]],
    factors: dict[Neuron | None, Fraction],
) -> None:
    """Breadth first, so that a factor is a quotient of as few parameters as possible."""
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for there, ratio in steps.get(here, ()):
            if there not in factors:
                factors[there] = factors[here] * ratio
                queue.append(there)
