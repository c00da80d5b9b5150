r"""False statements that are easily believed, each with the networks that refute it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from ...identifiability import locally_identifiable
from ...networks import Network
from ...verdicts import Status, Verdict
from ..decisions.dimension_claims import all_biases, full_functional_dimension, layered, relu_network, same_functions
from ..decisions.dimensions import dimension, full_dimension
from ..decisions.draws import random_admissible, random_network, random_permutation, random_samples, random_scalings
from ..decisions.equivalence import permuted_scaling_equivalence
from ..decisions.pieces import adjacent_patterns, pieces_on_the_line, top_patterns
from ..decisions.rigidity import deformability, rigidity
from ..instances import Instance
from ..statuses import NEGATED
from ..theorem import Standing, Theorem
from .conjectures import (
    GRILLO_MONTUFAR,
    small_perceptron,
    some_parameters_of_full_dimension,
    width_two_on_the_line,
    zigzag,
)
from .dimension import flippable, one_opposite, two_ramps
from .embedding import (
    ADMISSIBLE,
    FULL_RANK,
    SCALED,
    off_the_kinks,
    same_architecture,
    same_embedding,
)
from .embedding_supply import a_closed_chain, pairs_with_rescalings, signed_pair
from .samples import few_or_many_samples, not_identified_by_the_samples, rank_gap

ZIGZAGS: Final = (
    Network.mlp([[[0, -1], [1, 0], [-1, 0]], [[1, -1, -1]], [[1]]], [[1, -1, 1], [1], [0]]),
    Network.mlp([[[0, -1], [-1, 0], [1, 0]], [[-1, -1, -1]], [[1]]], [[0, 0, 0], [1], [0]]),
)
"""Two networks whose regions have the same binary patterns, but not the same neighbours."""

FOLD: Final = Instance(
    Network.mlp([[[1, 1]], [[-1], [1]], [[-2, -1]]], [None, [2, -1], None]),
    samples=[[0, -6], ["3/2", 0], ["-7/2", 8], [0, 7], ["-31/46", 1]],
)
r"""Five samples with :math:`R_\Gamma=4<5=R_A=D-h` that identify the parameters locally.

With the first weights of all hidden neurons held at :math:`1,-1,1`, the values determine the other
parameters as functions of the weight :math:`\beta` from the second input, but for one equation
:math:`\frac{45}{46\beta-31}+\frac{5(3-14\beta)}{2(2\beta-7)}=\frac{17}2`, of which :math:`\beta=1` is a double root.
"""


def few_pieces(network: Network) -> Verdict:
    """With L hidden layers there are at most 2^(L + 1) - 1 pieces"""
    found, bound = pieces_on_the_line(network), 2**network.depth - 1
    return Verdict(f"{found} pieces, the bound is {bound}", Status.HOLDS if found <= bound else Status.FAILS)


def locally_rigid(network: Network) -> Verdict:
    """Nearby parameters with the same function are rescalings"""
    return rigidity(network)


def not_locally_identifiable(network: Network) -> Verdict:
    """Other parameters as near as one likes have the same function and are no rescalings"""
    found = deformability(network)
    if found.status is Status.UNKNOWN:  # one hidden layer has a theory of its own
        local = locally_identifiable(network)
        turned = NEGATED.get(local.status, Status.UNKNOWN)
        return Verdict(found.claim, turned, local.conditions, local.evidence, local.witness, local.family)
    return found


def dimension_gap(network: Network) -> bool:
    """The functional dimension is below D - h"""
    return dimension(network) < full_dimension(network)


def same_top_patterns(network: Network, other: Network) -> bool:
    """The regions of the two networks have the same binary patterns"""
    return top_patterns(network) == top_patterns(other)


def same_adjacency(network: Network, other: Network) -> bool:
    """Regions with the same binary patterns are adjacent in both networks"""
    return adjacent_patterns(network) == adjacent_patterns(other)


def all_weights_nonzero_in_both(network: Network, other: Network) -> bool:
    """No weight of either network is 0"""
    return all(p.value for net in (network, other) for p in net.parameters if p.source is not None)


def same_dimension(network: Network, other: Network) -> Verdict:
    """The two networks have the same functional dimension"""
    found = dimension(network), dimension(other)
    return Verdict(f"functional dimensions {found}", Status.HOLDS if found[0] == found[1] else Status.FAILS)


def chains_and_others(r: random.Random) -> Instance:
    """An admissible network, often a chain whose inner neuron is hidden."""
    return a_closed_chain(r) if r.random() < 0.5 else Instance(random_admissible(r, hidden=2, width=2))


def any_small_network(r: random.Random) -> Instance:
    """Any small network."""
    return Instance(random_network(r, hidden=2, width=2))


def bent_or_not(r: random.Random) -> Instance:
    """A network whose functional dimension is mostly below D - h."""
    return one_opposite(r) if r.random() < 0.5 else Instance(random_admissible(r, hidden=2, width=2))


def flippable_or_not(r: random.Random) -> Instance:
    """A shallow network of full functional dimension, and one with the same function."""
    net = flippable(r).network
    size = net.widths[1]
    other = net.flip(range(size)) if r.random() < 0.7 else net.rescale(random_scalings(r, net))
    return Instance(net, other)


def ramps_or_rescalings(r: random.Random) -> Instance:
    """Two networks with the same function."""
    if r.random() < 0.5:
        return two_ramps(r)
    net = random_network(r, hidden=2, width=2)
    return Instance(net, net.rescale(random_scalings(r, net)))


def pattern_pairs(r: random.Random) -> Instance:
    """Two networks whose regions have the same binary patterns, sometimes with other neighbours."""
    if r.random() < 0.3:
        moves = random_permutation(r, ZIGZAGS[0])
        left, right = (net.permute(moves).rescale(random_scalings(r, net)) for net in ZIGZAGS)
        return Instance(left, right)
    net = random_network(r, hidden=2, width=3)
    values = [p.value * (1 if p.source is not None else Fraction(r.randint(2, 4), 3)) for p in net.parameters]
    return Instance(net, net.with_values(values) if r.random() < 0.5 else net.rescale(random_scalings(r, net)))


def pattern_partners(net: Network, r: random.Random) -> Iterator[Instance]:
    """The network with its small disturbances, most of which keep the patterns."""
    yield Instance(net, net.rescale(random_scalings(r, net)))
    for _ in range(6):
        values = [p.value + (Fraction(r.randint(-2, 2)) if r.random() < 0.3 else 0) for p in net.parameters]
        yield Instance(net, net.with_values(values))


def gaps(r: random.Random) -> Instance:
    """Samples with a rank gap, sometimes those of the fold after a rescaling and with the samples in another order."""
    if r.random() < 0.3:
        samples = list(FOLD.samples or ())
        r.shuffle(samples)
        return Instance(FOLD.network.rescale(random_scalings(r, FOLD.network)), samples=samples)
    for _ in range(60):
        instance = few_or_many_samples(r)
        if instance.samples and rank_gap(instance.network, instance.samples).status is Status.HOLDS:
            break
    return instance


def sampled(net: Network, r: random.Random) -> Iterator[Instance]:
    """The network at random samples, the fold at its own first."""
    if net == FOLD.network:
        yield FOLD
    for count in (3, 5, 8):
        samples = random_samples(r, net, count)
        if samples:
            yield Instance(net, samples=samples)


STATEMENTS = (
    Theorem(
        id="embedding_determines_scaling_class",
        title="the embedding determines admissible parameters up to rescaling (false: signs matter)",
        statement=r"Let $\theta$ be admissible. If $\Phi(\theta)=\Phi(\theta')$, then $\theta\sim_S\theta'$. Refuted "
        r"by $(w,b,v)=(1,1,1)$ and $(-1,-1,-1)$.",
        uses=["embedding_and_signs_determine_scaling_class"],
        hypotheses=[same_architecture, ADMISSIBLE, same_embedding],
        conclusion=SCALED,
        standing=Standing.REFUTED,
        supply=signed_pair,
        arrangement=pairs_with_rescalings,
    ),
    Theorem(
        id="embedding_rank_is_parameters_minus_hidden_converse",
        title="where the embedding has rank D - h, parameters are admissible (false)",
        statement=r"If $\operatorname{rank}D\Phi(\theta)=D-h$, then $\theta$ is admissible. Refuted by (1,1,1) with "
        r"$w=b=0$, $v=1$.",
        hypotheses=[FULL_RANK],
        conclusion=ADMISSIBLE,
        standing=Standing.REFUTED,
        supply=any_small_network,
    ),
    Theorem(
        id="full_embedding_rank_implies_locally_identifiable",
        title="full rank of the embedding implies local identifiability (false)",
        statement=r"If $\theta$ is admissible and $\operatorname{rank}D\Phi(\theta)=D-h$, then $\theta$ is locally "
        r"identifiable. Refuted by $\sigma(\sigma(x)-1)$.",
        uses=["admissible_does_not_imply_identifiable"],
        hypotheses=[relu_network, ADMISSIBLE, FULL_RANK],
        conclusion=locally_rigid,
        standing=Standing.REFUTED,
        supply=chains_and_others,
    ),
    Theorem(
        id="dimension_gap_implies_not_identifiable",
        title="a functional dimension below D - h excludes local identifiability (false)",
        statement=r"If $\theta$ is admissible and $\operatorname{fd}(\theta)<D-h$, then $\theta$ is not locally "
        r"identifiable. Refuted by $|x|$ in (1,2,1).",
        uses=["dimension_gap_need_not_be_symmetry"],
        hypotheses=[relu_network, ADMISSIBLE, dimension_gap],
        conclusion=not_locally_identifiable,
        standing=Standing.REFUTED,
        supply=bent_or_not,
    ),
    Theorem(
        id="full_dimension_implies_globally_identifiable",
        title="full functional dimension implies global identifiability (false)",
        statement=r"If $\operatorname{fd}(\theta)=D-h$ and $R_\theta=R_{\theta'}$, then $\theta\sim_{PS}\theta'$. "
        r"Refuted by the hat function.",
        uses=["full_dimension_is_not_global"],
        hypotheses=[same_architecture, full_functional_dimension, same_functions],
        conclusion=permuted_scaling_equivalence,
        standing=Standing.REFUTED,
        supply=flippable_or_not,
    ),
    Theorem(
        id="dimension_is_constant_on_fibre",
        title="functions determine the functional dimension of parameters without zero weights (false)",
        statement=r"If no weight of $\theta,\theta'$ is 0 and $R_\theta=R_{\theta'}$, then "
        r"$\operatorname{fd}(\theta)=\operatorname{fd}(\theta')$. Refuted by $\sigma(x-3)$ in (1,3,1,1).",
        uses=["dimension_varies_on_fibre"],
        hypotheses=[
            same_architecture,
            relu_network,
            all_weights_nonzero_in_both,
            same_functions,
        ],
        conclusion=same_dimension,
        standing=Standing.REFUTED,
        supply=ramps_or_rescalings,
    ),
    Theorem(
        id="every_architecture_allows_full_dimension",
        title="in every layered architecture some parameters have full functional dimension (false)",
        statement=r"Layered, all biases: $\operatorname{fd}=D-h$ for some parameters. Refuted by three consecutive "
        r"hidden layers of width 1.",
        source=GRILLO_MONTUFAR,
        uses=["one_wide_runs_bound_dimension"],
        hypotheses=[layered, all_biases],
        conclusion=some_parameters_of_full_dimension,
        standing=Standing.REFUTED,
        supply=small_perceptron,
    ),
    Theorem(
        id="sample_rank_gap_excludes_identifiability",
        title="samples with a rank gap do not identify parameters locally (false)",
        statement=r"If $\theta$ is admissible and $R_\Gamma<R_A$, $R_\Gamma<D-h$, then $\theta$ is not locally "
        r"identifiable from $X$. Refuted by a fold: five samples of a network (2,1,2,1).",
        uses=["sample_jacobian_rank_is_nearly_necessary"],
        hypotheses=[ADMISSIBLE, off_the_kinks, rank_gap],
        conclusion=not_identified_by_the_samples,
        standing=Standing.REFUTED,
        supply=gaps,
        arrangement=sampled,
    ),
    Theorem(
        id="binary_patterns_determine_adjacency",
        title="the binary patterns of all regions determine which regions are adjacent (false)",
        statement=r"If the full-dimensional regions of two networks of one architecture have the same binary patterns, "
        r"the same patterns are adjacent. Refuted by two integer networks (2,3,1,1).",
        hypotheses=[same_architecture, relu_network, same_top_patterns],
        conclusion=same_adjacency,
        standing=Standing.REFUTED,
        supply=pattern_pairs,
        arrangement=pattern_partners,
    ),
    Theorem(
        id="width_two_pieces_double_with_depth",
        title="networks of width 2 with L hidden layers have at most 2^(L+1) - 1 pieces on the line (false)",
        statement=r"A network with one input and $L$ hidden layers of width $2$ is affine on at most $2^{L+1}-1$ "
        r"intervals. True for $L=1,2$; refuted by 19 pieces for $L=3$.",
        hypotheses=[width_two_on_the_line],
        conclusion=few_pieces,
        standing=Standing.REFUTED,
        supply=zigzag,
    ),
)
