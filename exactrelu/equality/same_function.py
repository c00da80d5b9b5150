r"""Whether two networks are the same function on a domain, with evidence either way."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Final

from ..errors import BudgetExceeded, check_budget
from ..networks import Network
from ..networks.enclosures import certainly_differ
from ..polyhedra import Domain, as_domain
from ..rationals import Vector, common_denominator
from ..regions import ActivationRegion, region_blocks
from ..verdicts import Condition, Point, Status, Verdict, inapplicable
from .differing_points import differing_point, simple_points
from .normal_form import normal_form
from .restriction import restricted
from .shallow import ShallowNetwork, shallow, why_not_shallow
from .telling_points import telling_points

CLAIM = "the two networks compute the same function"
FEW_POINTS: Final = 100
"""The number of points at which networks with analytic activations are compared."""
FIRST_POINTS: Final = 64
"""The number of points at which deep networks are compared before their regions are enumerated."""


@dataclass(frozen=True, slots=True)
class ZeroDifference:
    """Evidence: the difference of two networks is the zero map on each of its ``regions`` activation regions."""

    regions: int

    def explain(self) -> str:
        """The evidence in words."""
        return f"their difference is 0 on all of its {self.regions} activation region(s)"


def same_function(
    left: Network, right: Network, domain: Domain | str | None = None, *, budget: int | None = None
) -> Verdict:
    r"""Whether :math:`R_\theta=R_{\theta'}` on ``domain`` (default: all of :math:`\mathbb R^d`).

    For two networks with one hidden layer the normal forms decide
    (``shallow_equality_by_normal_form``, 5.1), on any domain. Others are equal
    exactly when their difference vanishes on each of its activation regions
    (theory: section 4), on domains with interior points; depths and widths may
    differ. Evidence: the common normal form or the number of regions, or a
    rational point of the domain where the networks differ.
    ``inapplicable`` when the dimensions differ; ``unknown`` when the difference
    has more than ``budget`` regions. With analytic activations equality is not
    decided, and a point where the networks differ is proved by rigorous enclosures.

    >>> hat = Network.mlp([[[1], [1], [1]], [[1, -2, 1]]], [[1, 0, -1], [0]])
    >>> same_function(hat, hat.flip([0, 1, 2])).status.value
    'holds'
    """
    check_budget(budget)
    return _verdict(left, right, domain, budget).about("same_function", left=left, right=right, domain=domain)


def _verdict(left: Network, right: Network, domain: Domain | str | None, budget: int | None) -> Verdict:
    shapes = [(net.input_dim, net.output_dim) for net in (left, right)]
    if shapes[0] != shapes[1]:
        detail = f"inputs and outputs are {shapes[0]} and {shapes[1]}"
        return inapplicable(CLAIM, "same_dimensions", detail)
    domain = as_domain(domain, left.input_dim)
    claim = function_claim(domain)
    if left.is_analytic or right.is_analytic:
        return _analytic_verdict(claim, left, right, domain)
    if why_not_shallow(left) is None and why_not_shallow(right) is None:
        return _shallow_verdict(claim, left, right, domain)
    domain.require_full_dimensional("the comparison of deep networks")
    point = differing_point(left, right, domain, points=FIRST_POINTS)
    if point is not None:
        return Verdict(claim, Status.FAILS, evidence=Point(point))
    found = _by_regions(claim, left, right, domain, budget)
    if found.status is Status.UNKNOWN:  # more points than would pay before a complete enumeration
        point = differing_point(left, right, domain)
    return found if point is None else Verdict(claim, Status.FAILS, evidence=Point(point))


def function_claim(domain: Domain) -> str:
    """The claim that two networks are the same function on a domain."""
    return CLAIM if domain.is_space else f"{CLAIM} on {domain}"


def shallow_equal(left: ShallowNetwork, right: ShallowNetwork, domain: Domain) -> bool:
    """Whether two shallow networks are the same function on any nonempty domain."""
    if domain.dimension == 0:
        point = domain.interior_point()
        return left.network()(point) == right.network()(point)
    if not domain.is_full_dimensional:
        left, _ = restricted(left, domain)
        right, domain = restricted(right, domain)
    return normal_form(left, domain) == normal_form(right, domain)


def _analytic_verdict(claim: str, left: Network, right: Network, domain: Domain) -> Verdict:
    """``fails`` with a point at which enclosures of the values are disjoint, else ``unknown``."""
    for point in islice(simple_points(left.input_dim), FEW_POINTS):
        if domain.contains(point) and certainly_differ(left, right, point):
            return Verdict(claim, Status.FAILS, evidence=Point(point))
    detail = "equality of values of analytic activations is not decided"
    return Verdict(claim, Status.UNKNOWN, (Condition("piecewise_linear", Status.FAILS, (), detail),))


def _by_regions(claim: str, left: Network, right: Network, domain: Domain, budget: int | None) -> Verdict:
    """The difference network must vanish on every activation region."""
    try:
        return _all_regions(claim, left, right, domain, budget)
    except BudgetExceeded as error:
        return Verdict(claim, Status.UNKNOWN, (Condition("regions", Status.UNKNOWN, (), str(error)),))


def _all_regions(claim: str, left: Network, right: Network, domain: Domain, budget: int | None) -> Verdict:
    count = 0
    for block in region_blocks(left - right, domain):
        for region in block:
            matrix, offset = region.affine_map
            if any(offset) or any(entry for row in matrix for entry in row):
                return Verdict(claim, Status.FAILS, evidence=Point(_point_inside(left, right, domain, region)))
        count += len(block)
        if budget is not None and count > budget:
            raise BudgetExceeded("regions", budget, count)
    return Verdict(claim, Status.HOLDS, evidence=ZeroDifference(count))


def _point_inside(left: Network, right: Network, domain: Domain, region: ActivationRegion) -> Vector:
    """A point at which two networks differ, near an interior point of a region where their difference is not zero."""
    center = region.interior_point
    step = Fraction(1)
    while True:
        around = [tuple(c + step * (i == axis) for i, c in enumerate(center)) for axis in range(len(center))]
        for point in [center, *around]:
            if domain.contains(point) and left(point) != right(point):
                return _simplified(left, right, domain, point)
        step /= 2


def _simplified(left: Network, right: Network, domain: Domain, point: Vector) -> Vector:
    """The first point that still tells, among roundings of ``point`` to denominators 1, 2, 4, ..."""
    denominator = 1
    while denominator < common_denominator(point):
        rounded = tuple(Fraction(round(entry * denominator), denominator) for entry in point)
        if domain.contains(rounded) and left(rounded) != right(rounded):
            return rounded
        denominator *= 2
    return point


def _shallow_verdict(claim: str, left: Network, right: Network, domain: Domain) -> Verdict:
    ours, theirs = shallow(left), shallow(right)
    if shallow_equal(ours, theirs, domain):
        evidence = normal_form(ours, domain) if domain.is_full_dimensional else None
        return Verdict(claim, Status.HOLDS, evidence=evidence)
    point = differing_point(left, right, domain)
    if point is None:
        point = next(p for p in telling_points(ours, theirs, domain) if left(p) != right(p))
    return Verdict(claim, Status.FAILS, evidence=Point(point))
