"""Two networks under every equivalence at once, from the finest to the coarsest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from ..equality import function_claim, same_function
from ..errors import check_budget
from ..networks import Network
from ..polyhedra import Domain, as_domain
from ..verdicts import Status, Verdict
from .permutation_scaling import permutation_scaling_equivalent
from .scaling import scaling_equivalent

DEFAULT_REGIONS: Final = 200_000
"""The number of regions of the difference that are visited unless another budget is given."""


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


def compare_networks(
    left: Network, right: Network, domain: Domain | str | None = None, *, budget: int | None = None
) -> Comparison:
    r"""Scaling equivalence, permutation-scaling equivalence, and equality on a domain, of two networks.

    Equality is ``unknown`` when the difference has more than ``budget`` (default: 200,000) regions.

    >>> net = Network.mlp([[[1]], [[1]]])
    >>> compare_networks(net, net.rescale([[2]])).same_function.status.value
    'holds'
    """
    check_budget(budget)
    scaling = scaling_equivalent(left, right)
    permutation = permutation_scaling_equivalent(left, right)
    if permutation.status is Status.HOLDS:
        # Equivalent parameters realise one function (theory: embedding_is_scaling_invariant).
        claim = function_claim(as_domain(domain, left.input_dim))
        same = Verdict(claim, Status.HOLDS, evidence=permutation.evidence)
        return Comparison(scaling, permutation, same.about("same_function", left=left, right=right, domain=domain))
    return Comparison(
        scaling, permutation, same_function(left, right, domain, budget=DEFAULT_REGIONS if budget is None else budget)
    )
