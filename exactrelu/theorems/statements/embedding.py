r"""Statements about the embedding :math:`\Phi`: L1, L2, S1 to S4, and what they do not say."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

from ...networks import Network
from ...paths import PathEmbedding, admissible, path_activations, path_embedding
from ...rationals import Vector, rank
from ...symmetries import scaling_equivalent
from ...verdicts import Condition, Point, Status, Verdict
from ..decisions.chains import middle_bias_negative, middle_weight_positive, one_wide_chain, outer_weights_nonzero
from ..decisions.dimensions import full_dimension
from ..decisions.equivalence import scaling_equivalence, signed_scaling_equivalence
from ..decisions.frozen import expect_relu_network, is_smooth, theta_of
from ..decisions.rigidity import agreement, deformability
from ..predicates import Predicate
from ..statuses import conjunction, status_of
from ..theorem import Standing, Theorem
from .embedding_supply import (
    a_closed_chain,
    an_admissible_network,
    network_at_random_samples,
    network_with_points,
    network_with_samples,
    pairs_with_rescalings,
    rescaled_admissible_pair,
    rescaled_pair,
    signed_pair,
)

STOCK_GRIBONVAL = "Stock and Gribonval, arXiv:2107.09370"

ADMISSIBLE = Predicate.of(
    admissible, meaning="every hidden neuron has a nonzero incoming weight or bias and a nonzero outgoing weight"
)


def same_architecture(network: Network, other: Network) -> bool:
    """The two networks have the same architecture"""
    return network.architecture == other.architecture


def same_embedding(network: Network, other: Network) -> bool:
    r"""The products along all paths are equal"""
    return network.architecture == other.architecture and path_embedding(network).vector == path_embedding(other).vector


def same_signs(network: Network, other: Network) -> bool:
    """Corresponding parameters have equal signs"""
    pairs = zip(theta_of(network), theta_of(other), strict=True)
    return network.architecture == other.architecture and all(
        (a > 0) == (b > 0) and (a < 0) == (b < 0) for a, b in pairs
    )


def off_the_kinks(network: Network, samples: tuple[Vector, ...]) -> bool:
    """No pre-activation vanishes at a sample"""
    return all(map(is_smooth, network.patterns(samples)))


SCALING_EQUIVALENT = Predicate.of(scaling_equivalent, meaning="positive factors carry one network to the other")
SCALED = Predicate.of(scaling_equivalence, meaning="positive factors of the neurons carry one network to the other")
SIGNED = Predicate.of(signed_scaling_equivalence, meaning="nonzero factors of any sign carry one to the other")


def outputs_are_sums_over_paths(network: Network, samples: tuple[Vector, ...]) -> Verdict:
    """Every output is the sum over the paths that end there of their activations times their products"""
    claim, embedding = "the sums over paths are the outputs", path_embedding(network)
    for point, row in zip(samples, path_activations(network, embedding.paths, samples), strict=True):
        if _sums_over_paths(embedding, row, embedding.vector) != list(network(point)):
            return Verdict(claim, Status.FAILS, evidence=Point(point))
    return Verdict(claim, Status.HOLDS)


def outputs_are_polynomials_nearby(network: Network, samples: tuple[Vector, ...]) -> Verdict:
    """Close to the parameters the path activations at samples are constant, and outputs linear in the embedding"""
    expect_relu_network(network)
    generator = random.Random(0)
    direction = [Fraction(generator.choice((-3, -2, -1, 1, 2, 3))) for _ in network.parameters]
    for sign in (1, -1):
        moved = _nearby(network, samples, [sign * entry for entry in direction])
        if moved is None:
            return Verdict("the path activations are constant nearby", Status.FAILS)
        before, after = path_embedding(network), path_embedding(moved)
        change = [new - old for new, old in zip(after.vector, before.vector, strict=True)]
        for point, row in zip(samples, path_activations(network, before.paths, samples), strict=True):
            sums = _sums_over_paths(before, row, change)
            if sums != [new - old for new, old in zip(moved(point), network(point), strict=True)]:
                return Verdict("outputs are linear in the embedding nearby", Status.FAILS, evidence=Point(point))
    return Verdict("outputs are linear in the embedding nearby", Status.HOLDS)


def _nearby(network: Network, samples: tuple[Vector, ...], direction: list[Fraction]) -> Network | None:
    """The network moved in a direction, little enough to keep the path activations; ``None`` if no step does."""
    paths = path_embedding(network).paths
    activations = path_activations(network, paths, samples)
    for halvings in range(60):
        step = Fraction(1, 2**halvings)
        moved = network.with_values([a + step * d for a, d in zip(theta_of(network), direction, strict=True)])
        if path_activations(moved, paths, samples) == activations:
            return moved
    return None


def _sums_over_paths(embedding: PathEmbedding, row: Vector, products: Sequence[Fraction]) -> list[Fraction]:
    """For every output the sum of activations times products."""
    sums = [Fraction(0)] * embedding.network.output_dim
    for path, activation, product in zip(embedding.paths, row, products, strict=True):
        sums[path.neurons[-1][1]] += activation * product
    return sums


def same_embedding_and_function(network: Network, other: Network) -> Verdict:
    r"""The products along all paths are equal, and so are the functions"""
    if not same_embedding(network, other):
        return Verdict("the products along paths are equal", Status.FAILS)
    return agreement(network, other)


def same_embedding_and_signs(network: Network, other: Network) -> bool:
    """The products along all paths are equal, and corresponding parameters have equal signs"""
    return same_embedding(network, other) and same_signs(network, other)


def rank_by_elimination(network: Network) -> Verdict:
    r"""The Jacobian of the embedding has rank D - h, by elimination of the whole matrix"""
    embedding = path_embedding(network)
    expected, found = full_dimension(network), rank(embedding.jacobian())
    return Verdict(f"rank {found}, parameters minus hidden neurons {expected}", status_of(found == expected))


def admissible_of_full_rank_but_not_identifiable(network: Network) -> Verdict:
    r"""The network is admissible, the Jacobian of its embedding has rank D - h, and other networks nearby agree"""
    claim = "admissible, of full rank, and not locally identifiable"
    local = deformability(network)
    parts = (
        Condition("admissible", admissible(network).status),
        Condition("rank_by_elimination", rank_by_elimination(network).status),
        Condition("not_locally_identifiable", local.status),
    )
    return conjunction(claim, parts, local.witness, local.family)


FULL_RANK = Predicate.of(rank_by_elimination, meaning="the Jacobian of the embedding has rank D - h")


STATEMENTS = (
    Theorem(
        id="realization_is_linear_in_embedding",
        title="outputs are sums over paths of path activations times path products",
        statement=r"Hidden neurons are ReLUs, outputs affine: $R_\theta(x)_o=\sum_{p\text{ ends at "
        r"}o}\alpha_p(\theta,x)\,\Phi_p(\theta)$ for all $\theta$ and $x$.",
        source=STOCK_GRIBONVAL,
        hypotheses=[],
        conclusion=outputs_are_sums_over_paths,
        standing=Standing.PROVED,
        supply=network_with_points,
        arrangement=network_at_random_samples,
    ),
    Theorem(
        id="realization_is_locally_linear",
        title="off the kinks, outputs are locally linear in the embedding",
        statement=r"If no pre-activation of $\theta$ vanishes at $x$, then $\alpha(\cdot,x)$ is constant near "
        r"$\theta$, and $R_{\theta'}(x)-R_\theta(x)=\alpha(\theta,x)(\Phi(\theta')-\Phi(\theta))$ for $\theta'$ near "
        r"$\theta$.",
        source=STOCK_GRIBONVAL,
        hypotheses=[off_the_kinks],
        conclusion=outputs_are_polynomials_nearby,
        uses=["realization_is_linear_in_embedding"],
        standing=Standing.PROVED,
        supply=network_with_samples,
        arrangement=network_at_random_samples,
    ),
    Theorem(
        id="embedding_is_scaling_invariant",
        title="rescaling keeps the embedding and the function",
        statement=r"Hidden neurons are ReLUs, outputs affine: if $\theta\sim_S\theta'$, then "
        r"$\Phi(\theta)=\Phi(\theta')$ and $R_\theta=R_{\theta'}$.",
        source=STOCK_GRIBONVAL,
        hypotheses=[SCALING_EQUIVALENT],
        conclusion=same_embedding_and_function,
        standing=Standing.PROVED,
        supply=rescaled_pair,
        arrangement=pairs_with_rescalings,
    ),
    Theorem(
        id="embedding_and_signs_determine_scaling_class",
        title="embedding and signs determine admissible parameters up to rescaling",
        statement=r"Let $\theta$ be admissible. If $\Phi(\theta)=\Phi(\theta')$ and $\operatorname{sgn}\theta="
        r"\operatorname{sgn}\theta'$, then $\theta\sim_S\theta'$.",
        source=STOCK_GRIBONVAL,
        hypotheses=[
            same_architecture,
            ADMISSIBLE,
            same_signs,
            same_embedding,
        ],
        conclusion=SCALED,
        standing=Standing.PROVED,
        supply=rescaled_admissible_pair,
        arrangement=pairs_with_rescalings,
    ),
    Theorem(
        id="embedding_and_signs_determine_scaling_class_converse",
        title="rescaling keeps the embedding and all signs",
        statement=r"If $\theta\sim_S\theta'$, then $\Phi(\theta)=\Phi(\theta')$ and $\operatorname{sgn}\theta="
        r"\operatorname{sgn}\theta'$.",
        source=STOCK_GRIBONVAL,
        hypotheses=[SCALING_EQUIVALENT],
        conclusion=same_embedding_and_signs,
        uses=["embedding_is_scaling_invariant"],
        standing=Standing.PROVED,
        supply=rescaled_pair,
        arrangement=pairs_with_rescalings,
    ),
    Theorem(
        id="embedding_determines_scaling_class_up_to_sign",
        title="the embedding determines admissible parameters up to factors of any sign",
        statement=r"Let $\theta$ be admissible. If $\Phi(\theta)=\Phi(\theta')$, then there are $\lambda_v\ne0$ with "
        r"$w_{uv}=(\lambda_v/\lambda_u)w'_{uv}$ and $b_v=\lambda_vb'_v$.",
        source=STOCK_GRIBONVAL,
        uses=["embedding_and_signs_determine_scaling_class"],
        hypotheses=[same_architecture, ADMISSIBLE, same_embedding],
        conclusion=SIGNED,
        standing=Standing.PROVED,
        supply=signed_pair,
        arrangement=pairs_with_rescalings,
    ),
    Theorem(
        id="embedding_rank_is_parameters_minus_hidden",
        title="the embedding has rank D - h at admissible parameters",
        statement=r"If $\theta$ is admissible, then $\operatorname{rank}D\Phi(\theta)=D-h$.",
        source=STOCK_GRIBONVAL,
        uses=["embedding_and_signs_determine_scaling_class"],
        hypotheses=[ADMISSIBLE],
        conclusion=FULL_RANK,
        standing=Standing.PROVED,
        supply=an_admissible_network,
    ),
    Theorem(
        id="admissible_does_not_imply_identifiable",
        title="some chains are admissible, of full embedding rank, and not locally identifiable",
        statement=r"If $w,c\ne0$, $v>0$ and $a<0$, then $c\,\sigma(v\,\sigma(wx+b)+a)+e$ is admissible, has "
        r"$\operatorname{rank}D\Phi=D-h$, and is not locally identifiable.",
        source=STOCK_GRIBONVAL,
        uses=["embedding_rank_is_parameters_minus_hidden"],
        hypotheses=[
            one_wide_chain,
            outer_weights_nonzero,
            middle_weight_positive,
            middle_bias_negative,
        ],
        conclusion=admissible_of_full_rank_but_not_identifiable,
        standing=Standing.PROVED,
        supply=a_closed_chain,
    ),
)
