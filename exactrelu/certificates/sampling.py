r"""Samples whose Jacobian has the greatest rank that a domain allows.

Theory: on one activation region the rows of :math:`\Gamma` are affine in :math:`x`, so that a point inside it and
:math:`d` others, in general position, span them all (D3).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ..errors import Undecided
from ..identifiability import sample_jacobian
from ..identifiability.jacobians.activation_rank import activation_grams
from ..networks import Network
from ..rationals import Vector, common_denominator, rank
from ..rationals.modular_elimination import PRIMES, ModularBasis, residues
from ..regions import ActivationRegion, RegionComplex
from . import notation
from .ranks import kernel_of, minor


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


def short_rank_evidence(net: Network, samples: Sequence[Vector]) -> dict[str, Any]:
    r"""The evidence that :math:`R_\Gamma=R_A<D-h`: a minor of :math:`\Gamma`, and relations between path activations.

    Theory: ``sample_jacobian_rank_is_nearly_necessary`` (D2).
    Raises :class:`~exactrelu.errors.Undecided` if that is not so.
    """
    jacobian, outputs = sample_jacobian(net, samples), net.output_dim
    found = rank(jacobian)
    scales = [common_denominator(sample) for sample in samples]
    columns, vectors = [], []
    for o, gram in enumerate(activation_grams(net, list(samples))):
        free, kernel = kernel_of([[Fraction(entry) for entry in row] for row in gram], len(samples))
        for k, vector in zip(free, kernel, strict=True):
            spread = [Fraction(0)] * (len(samples) * outputs)
            for s, entry in enumerate(vector):
                spread[s * outputs + o] = entry * scales[s] / scales[k]
            columns.append(k * outputs + o)
            vectors.append(spread)
    if found != len(samples) * outputs - len(vectors) or found >= len(net.parameters) - len(net.hidden_neurons):
        raise Undecided("the ranks at the samples prove nothing")
    return {"minor": minor(jacobian, found), "relations": {"columns": columns, "vectors": notation.matrix(vectors)}}
