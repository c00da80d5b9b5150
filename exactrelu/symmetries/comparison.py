"""Two networks under every equivalence at once, from the finest to the coarsest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..equality import differing_point
from ..networks import Network
from ..verdicts import Condition, Point, Status, Verdict
from .permutation import permutation_scaling_equivalent
from .scaling import scaling_equivalent

SAME_FUNCTION = "the two networks compute the same function"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The three verdicts on two networks; each one implies the next."""

    scaling_equivalent: Verdict
    permutation_scaling_equivalent: Verdict
    same_function: Verdict

    def to_json(self) -> dict[str, Any]:
        """The verdicts as JSON data."""
        return {name: getattr(self, name).to_json() for name in self.__slots__}

    def explain(self) -> str:
        """The verdicts one after the other."""
        return "\n".join(getattr(self, name).explain() for name in self.__slots__)


def compare_networks(left: Network, right: Network) -> Comparison:
    r"""Scaling equivalence, permutation-scaling equivalence and equality of two networks.

    >>> net = Network.mlp([[[1]], [[1]]])
    >>> compare_networks(net, net.rescale([[2]])).same_function.status.value
    'holds'
    """
    scaling = scaling_equivalent(left, right)
    permutation = permutation_scaling_equivalent(left, right)
    return Comparison(scaling, permutation, _same_function(left, right, permutation))


def _same_function(left: Network, right: Network, permutation: Verdict) -> Verdict:
    shapes = [(net.input_dim, net.output_dim) for net in (left, right)]
    if shapes[0] != shapes[1]:
        detail = f"inputs and outputs are {shapes[0]} and {shapes[1]}"
        return Verdict(SAME_FUNCTION, Status.INAPPLICABLE, (Condition("same_dimensions", Status.FAILS, (), detail),))
    if permutation.status is Status.HOLDS:
        return Verdict(SAME_FUNCTION, Status.HOLDS, evidence=permutation.evidence)
    point = differing_point(left, right)
    if point is not None:
        return Verdict(SAME_FUNCTION, Status.FAILS, evidence=Point(point))
    return Verdict(SAME_FUNCTION, Status.UNKNOWN)
