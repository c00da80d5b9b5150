r"""Samples whose Jacobian has the greatest rank that a domain allows.

Theory: on one activation region the rows of :math:`\Gamma` are affine in :math:`x`, so that a point inside it and
:math:`d` others, in general position, span them all (D3).
"""

from __future__ import annotations

from fractions import Fraction

from ..identifiability import sample_jacobian
from ..rationals import Vector
from ..rationals.modular_elimination import PRIMES, ModularBasis, residues
from ..regions import ActivationRegion, RegionComplex


def spanning_samples(complex: RegionComplex, rank: int) -> list[Vector]:
    r"""Points off the kinks, inside the domain, at which the sample Jacobian has a given rank.

    Raises ``RuntimeError`` if no points have it.
    """
    net = complex.network
    for prime in PRIMES:
        basis = ModularBasis(len(net.parameters), prime)
        points: list[Vector] = []
        for region in complex:
            if basis.rank == rank:
                break
            if all(sign for group in region.pattern.signs for sign in group):
                fresh = general_points(region)
                rows = sample_jacobian(net, fresh)
                if all(entry.denominator % prime for row in rows for entry in row):
                    basis.extend(residues(rows, prime))
                    points += fresh
        if basis.rank == rank:
            return [points[k] for k in sorted({row // net.output_dim for row in basis.minor.rows})]
    raise RuntimeError("internal error: no samples have the rank that was found")


def general_points(region: ActivationRegion) -> list[Vector]:
    """A point inside a region, and one beside it along every axis."""
    net, pattern = region.complex.network, region.pattern
    walls = region.complex.domain.halfspaces
    center = region.interior_point
    found = [center]
    for axis in range(net.input_dim):
        step = Fraction(1)
        while True:
            moved = tuple(c + step * (i == axis) for i, c in enumerate(center))
            if all(wall.slack(moved) > 0 for wall in walls) and net.pattern(moved) == pattern:
                break
            step /= -2
        found.append(moved)
    return found
