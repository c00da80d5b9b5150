r"""Equality of two functions, region by region.

The difference of two networks is a network; on the closure of the interior of a
domain it vanishes exactly if its affine map is zero on every full-dimensional
region.
"""

from __future__ import annotations

from ...equality import same_function
from ...errors import HypothesisNotMet
from ...networks import Network
from ...polyhedra import Domain, as_domain
from ...regions import activation_regions
from ...verdicts import Status, Verdict


def with_interior(net: Network, domain: Domain | str | None) -> Domain:
    """The domain; :class:`~exactrelu.errors.HypothesisNotMet` if it has no interior points, hence no regions."""
    where = as_domain(domain, net.input_dim)
    if not where.is_full_dimensional:
        raise HypothesisNotMet("domain", "must have interior points for regions to be enumerated", str(where))
    return where


def differing_region(left: Network, right: Network, domain: Domain | str | None = None) -> str | None:
    """The pattern of a region of the difference on which it is not zero, or ``None``."""
    for region in activation_regions(left - right, domain):
        matrix, offset = region.affine_map
        if any(offset) or any(entry for row in matrix for entry in row):
            return str(region.pattern)
    return None


def equal_functions(left: Network, right: Network, domain: Domain | str | None = None) -> bool:
    """Whether two networks are one function on a domain, by all regions of their difference.

    >>> pair = Network.mlp([[[1], [-1]], [[1, -1]]], [[0, 0], [0]])  # relu(x) - relu(-x)
    >>> equal_functions(pair, Network.mlp([[[1], [-1]], [[1, -1]]], [[1, -1], [-1]]))
    True
    """
    where = as_domain(domain, left.input_dim)
    if not where.is_full_dimensional:
        return same_function(left, right, where).status is Status.HOLDS
    return differing_region(left, right, where) is None


def equal_on_every_region(network: Network, other: Network, domain: Domain | None = None) -> Verdict:
    """The difference of the two networks is zero on every full-dimensional region of the domain."""
    pattern = differing_region(network, other, with_interior(network, domain))
    if pattern is None:
        return Verdict("the difference is zero on every region", Status.HOLDS)
    return Verdict(f"the difference is not zero on the region {pattern} of the difference network", Status.FAILS)
