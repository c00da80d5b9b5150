r"""Statements about finitely many samples: D1, D2, D3, and the gap between D1 and D2.

The conclusions are decided by :mod:`..decisions.isolation`, which exhibits a box
on which the values at the samples tell all parameters apart.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from fractions import Fraction

from ...networks import Network
from ...paths import path_activations, path_embedding
from ...polyhedra import Domain
from ...rationals import Vector, rank
from ...regions import ActivationRegion, activation_regions
from ...verdicts import Condition, Status, Verdict
from ..decisions.dimensions import dimension, full_dimension
from ..decisions.draws import random_admissible, random_samples
from ..decisions.frozen import expect_relu_network, is_smooth, jacobian, readings_at, region_readings
from ..decisions.isolation import isolation
from ..instances import Instance
from ..statuses import NEGATED
from ..theorem import Standing, Theorem
from .embedding import ADMISSIBLE, STOCK_GRIBONVAL, off_the_kinks
from .embedding_supply import network_at_random_samples

BONA_PELLISSIER = "Bona-Pellissier, Malgouyres and Bachoc, arXiv:2206.07424"
MOST_REGIONS = 300


def sample_ranks(network: Network, samples: tuple[Vector, ...]) -> tuple[int, int, int]:
    r"""The numbers :math:`R_\Gamma`, :math:`R_A` and :math:`D-h`, the ranks by elimination of whole matrices."""
    expect_relu_network(network)
    paths = path_embedding(network).paths
    rows = path_activations(network, paths, samples)
    activation = sum(
        rank(
            [[a for a, path in zip(row, paths, strict=True) if path.neurons[-1] == (network.depth, o)] for row in rows]
        )
        for o in range(network.output_dim)
    )
    return rank(jacobian(network, readings_at(network, samples))), activation, full_dimension(network)


def sample_jacobian_of_full_rank(network: Network, samples: tuple[Vector, ...]) -> bool:
    r"""The Jacobian of the values at the samples has rank D - h"""
    found, _, full = sample_ranks(network, samples)
    return found == full


def rank_gap(network: Network, samples: tuple[Vector, ...]) -> Verdict:
    r"""The rank of the sample Jacobian is below D - h and below the rank of the path activations"""
    found, bound, full = sample_ranks(network, samples)
    detail = f"R_Gamma = {found}, R_A = {bound}, D - h = {full}"
    return Verdict(detail, Status.HOLDS if found < min(bound, full) else Status.FAILS)


def rank_gap_or_full_rank(network: Network, samples: tuple[Vector, ...]) -> Verdict:
    r"""The rank of the sample Jacobian is D - h, or below the rank of the path activations"""
    found, bound, full = sample_ranks(network, samples)
    detail = f"R_Gamma = {found}, R_A = {bound}, D - h = {full}"
    return Verdict(detail, Status.HOLDS if found in (full, *range(bound)) else Status.FAILS)


def identified_by_the_samples(network: Network, samples: tuple[Vector, ...]) -> Verdict:
    r"""Nearby parameters with the same values at the samples are rescalings"""
    expect_relu_network(network)
    return isolation(network, readings_at(network, samples))


def not_identified_by_the_samples(network: Network, samples: tuple[Vector, ...]) -> Verdict:
    r"""Other parameters as near as one likes have the same values at the samples"""
    found = identified_by_the_samples(network, samples)
    turned = NEGATED.get(found.status, found.status)
    return Verdict("other parameters nearby have the same values at the samples", turned, evidence=found.evidence)


def isolated_in_the_image(network: Network, domain: Domain | None = None) -> Verdict:
    r"""The embedding is isolated among those with the same sums over the paths of every region"""
    return isolation(network, region_readings(network, domain, budget=MOST_REGIONS))


def some_finite_sample_identifies(network: Network, domain: Domain | None = None) -> Verdict:
    r"""Nearby parameters with the same values at some finite sample are rescalings"""
    expect_relu_network(network)
    samples = tuple(point for region in _smooth_regions(network, domain) for point in points_inside(region))
    found = isolation(network, readings_at(network, samples))
    part = Condition("samples", found.status, detail=f"{len(samples)} points, d + 1 in every smooth region")
    return Verdict(found.claim, found.status, (part,), found.evidence)


def _smooth_regions(network: Network, domain: Domain | None) -> Iterator[ActivationRegion]:
    regions = activation_regions(network, domain, budget=MOST_REGIONS)
    return (region for region in regions if is_smooth(region.pattern))


def points_inside(region: ActivationRegion) -> list[Vector]:
    """Affinely independent points inside a region, one more than there are inputs."""
    net, domain, center = region.complex.network, region.complex.domain, region.interior_point
    found = [center]
    for axis in range(net.input_dim):
        step = Fraction(1)
        while True:
            moved = tuple(c + step * (i == axis) for i, c in enumerate(center))
            if net.pattern(moved) == region.pattern and domain.contains(moved):
                found.append(moved)
                break
            step /= 2
    return found


def few_or_many_samples(r: random.Random) -> Instance:
    """An admissible network with any number of samples."""
    return _sampled(r, (2, 4, 6, 10, 16))


def identified(r: random.Random) -> Instance:
    """An admissible network with samples that mostly have full rank."""
    for _ in range(60):
        instance = _sampled(r, (8, 12, 20))
        if instance.samples and sample_jacobian_of_full_rank(instance.network, instance.samples):
            break
    return instance


def _sampled(r: random.Random, counts: Iterable[int]) -> Instance:
    while True:
        net = random_admissible(r, hidden=2, width=2, inputs=2)
        samples = random_samples(r, net, r.choice(tuple(counts)))
        if samples:
            return Instance(net, samples=samples)


def isolated_network(r: random.Random) -> Instance:
    """An admissible network that is mostly isolated, now and then on a domain."""
    for _ in range(60):
        net = random_admissible(r, hidden=2, width=2, inputs=2)
        if dimension(net) == full_dimension(net):
            break
    return Instance(net, domain=Domain.box([(-5, 5)] * net.input_dim) if r.random() < 0.2 else None)


STATEMENTS = (
    Theorem(
        id="sample_jacobian_rank_suffices",
        title="a sample Jacobian of rank D - h identifies admissible parameters locally",
        statement=r"Let $\theta$ be admissible and $X$ a finite sample off the kinks. If $R_\Gamma=D-h$, then $\theta$ "
        r"is locally identifiable from $X$.",
        source=BONA_PELLISSIER,
        hypotheses=[ADMISSIBLE, off_the_kinks, sample_jacobian_of_full_rank],
        conclusion=identified_by_the_samples,
        uses=["realization_is_locally_linear", "embedding_rank_is_parameters_minus_hidden"],
        standing=Standing.PROVED,
        supply=identified,
        arrangement=network_at_random_samples,
    ),
    Theorem(
        id="sample_jacobian_rank_is_nearly_necessary",
        title="a sample that identifies admissible parameters locally has full rank, or a rank gap",
        statement=r"Let $\theta$ be admissible and locally identifiable from a finite sample $X$ off the kinks. Then "
        r"$R_\Gamma<R_A$ or $R_\Gamma=D-h$.",
        source=BONA_PELLISSIER,
        hypotheses=[ADMISSIBLE, off_the_kinks, identified_by_the_samples],
        conclusion=rank_gap_or_full_rank,
        uses=["realization_is_locally_linear", "functional_dimension_at_most_embedding_rank"],
        standing=Standing.PROVED,
        supply=identified,
        arrangement=network_at_random_samples,
    ),
    Theorem(
        id="finite_sample_exists_iff_isolated",
        title="where the embedding is isolated, finitely many samples identify the parameters locally",
        statement=r"Let $\theta$ be admissible. If $\Phi(\theta)$ is isolated in "
        r"$\operatorname{Im}\Phi\cap(\Phi(\theta)+\bigcap_{x}\ker\alpha(x,\theta))$, $x\in X$ off the kinks, then a "
        r"finite subset of $X$ off the kinks identifies $\theta$ locally.",
        source=STOCK_GRIBONVAL,
        hypotheses=[ADMISSIBLE, isolated_in_the_image],
        conclusion=some_finite_sample_identifies,
        uses=["realization_is_locally_linear", "embedding_and_signs_determine_scaling_class"],
        standing=Standing.PROVED,
        supply=isolated_network,
    ),
    Theorem(
        id="finite_sample_exists_iff_isolated_converse",
        title="where finitely many samples identify the parameters locally, the embedding is isolated",
        statement=r"Let $\theta$ be admissible. If a finite subset of $X$ off the kinks identifies $\theta$ locally, "
        r"then $\Phi(\theta)$ is isolated in "
        r"$\operatorname{Im}\Phi\cap(\Phi(\theta)+\bigcap_{x}\ker\alpha(x,\theta))$.",
        source=STOCK_GRIBONVAL,
        hypotheses=[ADMISSIBLE, off_the_kinks, identified_by_the_samples],
        conclusion=isolated_in_the_image,
        uses=[
            "realization_is_locally_linear",
            "embedding_and_signs_determine_scaling_class",
            "finite_sample_exists_iff_isolated",
        ],
        standing=Standing.PROVED,
        supply=identified,
        arrangement=network_at_random_samples,
    ),
)
