r"""Networks with one hidden layer: a region on either side of every hyperplane is enough for the Jacobian.

Over a region with active neurons :math:`A` the rows of :math:`\Gamma` are
:math:`C+\sum_{i\in A}B_i`, where :math:`C` and the :math:`B_i` are affine in
:math:`x` and the same everywhere. So rows of neighbouring regions differ by
:math:`\pm B_i`, summed over the neurons that bend between them, wherever that
hyperplane is crossed. Regions are joined by such steps; hence those beside one
point of every hyperplane span the rows of all, however many regions there are.
Theory: section 3 (D3).
"""

from __future__ import annotations

from fractions import Fraction

from ...equality import hyperplane, shallow, why_not_shallow
from ...equality.telling_points import across
from ...networks import Network
from ...polyhedra import Domain
from ...rationals import Vector
from .tape import expect_small_regions


def beside_hyperplanes(net: Network, domain: Domain) -> list[Vector] | None:
    """Points of the domain in regions whose rows span those of all; ``None`` if there is not one hidden layer.

    They are off the kinks unless some neuron is 0 everywhere. Raises
    :class:`~exactrelu.errors.InvalidDomain` for a domain without interior points.

    >>> tent = Network.mlp([[[1], [1]], [[1, -1]]], [[0, -1], [0]])
    >>> [str(x) for (x,) in beside_hyperplanes(tent, Domain.parse("[-1,3]"))]
    ['1/2', '-1/2', '17/16', '15/16']
    """
    if why_not_shallow(net) is not None:
        return None
    domain.require_full_dimensional("regions")
    expect_small_regions(net)
    forms = dict.fromkeys(hyperplane(form) for form in shallow(net).forms if any(form[:-1]))
    met = filter(None, (across(form, forms, domain) for form in forms))
    return [point for _, *sides in met for point in sides] or [domain.interior_point()]


def points_around(net: Network, domain: Domain, point: Vector) -> list[Vector]:
    """Points in general position in the region around one inside the domain, with small denominators.

    >>> net = Network.mlp([[[1], [-1]], [[1, 1]]])
    >>> [str(x) for (x,) in points_around(net, Domain.parse("[-1,1]"), (Fraction(1, 3),))]
    ['1/2', '1']
    """
    pattern, size = net.pattern(point), 1
    while True:
        center = tuple(Fraction(round(c * size), size) for c in point)
        if all(side.slack(center) > 0 for side in domain.halfspaces) and net.pattern(center) == pattern:
            break  # inside, so that it can be moved along all axes
        size *= 2

    def near(other: Vector) -> bool:
        return domain.contains(other) and net.pattern(other) == pattern

    found = [center]
    for axis in range(net.input_dim):
        step = Fraction(1)
        while not near(moved := tuple(c + step * (i == axis) for i, c in enumerate(center))):
            step = -step / 2 if step < 0 else -step
        found.append(moved)
    return found
