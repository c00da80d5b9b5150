r"""Samples whose Jacobian has the greatest rank that a domain allows.

Theory: on one activation region the rows of :math:`\Gamma` are affine in :math:`x`, so that a point inside it and
:math:`d` others, in general position, span them all (D3).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from ..errors import Undecided
from ..identifiability import sample_jacobian
from ..identifiability.jacobians.activation_rank import activation_grams
from ..identifiability.jacobians.crossings import points_around
from ..networks import Network
from ..polyhedra import Domain
from ..rationals import Vector, common_denominator, rank
from ..rationals.modular_elimination import PRIMES, ModularBasis, residues
from . import notation
from .ranks import kernel_of, minor


def spanning_samples(net: Network, domain: Domain, centers: Iterable[Vector], rank: int) -> list[Vector]:
    r"""Points off the kinks at which the sample Jacobian has a given rank, from regions around some points.

    Raises ``RuntimeError`` if no points have it.
    """
    centers = list(centers)
    for prime in PRIMES:
        basis = ModularBasis(len(net.parameters), prime)
        points: list[Vector] = []
        for center in centers:
            if basis.rank == rank:
                break
            fresh = points_around(net, domain, center)
            rows = sample_jacobian(net, fresh)
            if all(entry.denominator % prime for row in rows for entry in row):
                basis.extend(residues(rows, prime))
                points += fresh
        if basis.rank == rank:
            return [points[k] for k in sorted({row // net.output_dim for row in basis.minor.rows})]
    raise RuntimeError("internal error: no samples have the rank that was found")


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
