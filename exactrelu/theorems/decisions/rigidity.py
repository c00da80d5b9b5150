r"""Whether two networks agree, and whether a network can be deformed, from complete lists of regions.

Two networks agree on a domain if their difference vanishes on each of its
regions. A network is *rigid* if all nearby parameters with the same function are
rescalings: that is so where already its readings over all smooth regions
(:mod:`.isolation`) isolate it, and it is not so where a line of parameters is
found along which the function is the same, and a motion of the network proves it for all of a line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from typing import Final

from ...equality import why_not_shallow
from ...equality.differing_points import simple_points
from ...identifiability import locally_identifiable
from ...networks import Family, Network
from ...polyhedra import Domain, as_domain
from ...rationals import Vector
from ...regions import region_blocks
from ...verdicts import Point, Status, Verdict
from ..statuses import NEGATED
from .competitors import locally_identifiable_by_strata
from .equivalence import permuted_scaling_exists
from .frozen import expect_relu_network, jacobian, region_readings, theta_of
from .isolation import constant_lines, isolation

FEW_POINTS: Final = 12
MOST_REGIONS: Final = 2_000
MOST_CUTS: Final = 5
MEMBERS: Final = (Fraction(1), Fraction(1, 2), Fraction(1, 16))
"""The members of a family, as parts of its last parameter, that are compared with its base."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Evidence: the difference vanishes on all of its ``regions``."""

    regions: int

    def explain(self) -> str:
        """The evidence in a sentence."""
        return f"their difference is 0 on all of its {self.regions} region(s)"


def agreement(left: Network, right: Network, domain: Domain | str | None = None) -> Verdict:
    """Whether two networks are the same function on a domain with interior points, region by region.

    Raises :class:`~exactrelu.errors.BudgetExceeded` beyond two thousand regions.

    >>> hat = Network.mlp([[[1], [1], [1]], [[1, -2, 1]]], [[1, 0, -1], [0]])
    >>> agreement(hat, hat.flip([0, 1, 2])).status.value, agreement(hat, hat.flip([0])).status.value
    ('holds', 'fails')
    """
    claim = "the two networks are the same function"
    found = as_domain(domain, left.input_dim)
    if (left.input_dim, left.output_dim) != (right.input_dim, right.output_dim):
        return Verdict(claim, Status.INAPPLICABLE)
    for point in islice(simple_points(left.input_dim), FEW_POINTS):
        if found.contains(point) and left(point) != right(point):
            return Verdict(claim, Status.FAILS, evidence=Point(point))
    count = 0
    for block in region_blocks(left - right, found, budget=MOST_REGIONS):
        for region in block:
            matrix, offset = region.affine_map
            if any(offset) or any(entry for row in matrix for entry in row):
                return Verdict(claim, Status.FAILS, evidence=_telling(left, right, region.interior_point, found))
        count += len(block)
    return Verdict(claim, Status.HOLDS, evidence=Agreement(count))


def _telling(left: Network, right: Network, center: Vector, domain: Domain) -> Point:
    """A point near ``center``, where the difference is a nonzero affine map, at which it is not 0."""
    step = Fraction(1)
    while True:
        for move in product((Fraction(0), step), repeat=len(center)):
            point = tuple(c + s for c, s in zip(center, move, strict=True))
            if domain.contains(point) and left(point) != right(point):
                return Point(point)
        step /= 2


def rigidity(network: Network, domain: Domain | None = None) -> Verdict:
    """Nearby parameters with the same function are rescalings: proved, refuted by a family, or unknown."""
    claim = "nearby parameters with the same function are rescalings"
    expect_relu_network(network)
    readings = region_readings(network, domain)
    isolated = isolation(network, readings)
    if isolated.status is Status.HOLDS:
        return Verdict(claim, Status.HOLDS, evidence=isolated.evidence)
    family = next(deformations(network, domain), None)
    # Members of a line are compared one by one; that it keeps the function for all t is proved by a motion.
    if family is None or locally_identifiable(network, domain).status is not Status.FAILS:
        return Verdict(claim, Status.UNKNOWN)
    return Verdict(claim, Status.FAILS, witness=family.member(family.last), family=family)


def deformability(network: Network, domain: Domain | None = None) -> Verdict:
    """Other networks as near as one likes have the same function and are no rescalings"""
    found = rigidity(network, domain)
    if found.status is Status.UNKNOWN and why_not_shallow(network) is None:  # its competitors can be listed
        found = locally_identifiable_by_strata(network, domain)
    turned = NEGATED.get(found.status, found.status)
    claim = "other networks nearby have the same function"
    return Verdict(claim, turned, evidence=found.evidence, witness=found.witness, family=found.family)


def deformations(net: Network, domain: Domain | None = None) -> Iterator[Family]:
    r"""Segments :math:`\theta+t\delta` of the same function that no rescaling follows, checked at some members."""
    readings = region_readings(net, domain)
    theta = theta_of(net)
    for direction in constant_lines(net, readings, jacobian(net, readings)):
        for sign in (1, -1):
            pairs = tuple((a, sign * d) for a, d in zip(theta, direction, strict=True))
            last = Fraction(1)
            for _ in range(MOST_CUTS):
                family = Family(net, pairs, ((Fraction(1),),) * len(pairs), last)
                members = [family.member(last * part) for part in MEMBERS]
                if all(agreement(net, other, domain).status is Status.HOLDS for other in members) and not any(
                    permuted_scaling_exists(net, other) for other in members
                ):
                    yield family
                    break
                last /= 16
