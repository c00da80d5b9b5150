r"""Statements about functional dimension: F0 to F8."""

from __future__ import annotations

import random
from fractions import Fraction

from ...networks import Network
from ...polyhedra import Domain
from ..decisions import dimension_claims as claims
from ..decisions import shallow_facts as facts
from ..decisions.chains import middle_nonzero, one_wide_chain, outer_weights_nonzero
from ..decisions.draws import NONZERO, chain, perceptron, random_network, shallow_network
from ..instances import Instance
from ..theorem import Standing, Theorem
from .shallow_conditions import interior

GRIGSBY = "Grigsby, Lindsey, Meyerhoff and Wu, arXiv:2209.04036"

SCALAR_KINKED = (
    facts.one_hidden_layer,
    facts.scalar_output,
    facts.hidden_biases,
    facts.output_biases,
    facts.outputs_nonzero,
    facts.all_kinked,
)


def any_relu_network(r: random.Random) -> Instance:
    """Any ReLU network, sometimes on a box."""
    net = random_network(r, hidden=2, width=3)
    return Instance(net, domain=Domain.box([(-3, 2)] * net.input_dim) if r.random() < 0.2 else None)


def distinct_shallow(r: random.Random) -> Instance:
    """A shallow network, mostly with distinct hyperplanes, parallel and concurrent ones among them; biases vary."""
    net = shallow_network(r, width=4, outputs=2)
    if r.random() < 0.3:
        hidden, output = net.layers
        bias = hidden.bias if r.random() < 0.5 else None
        net = Network.mlp([hidden.blocks[0][1], output.blocks[0][1]], [bias, output.bias if r.random() < 0.5 else None])
    return Instance(net)


def with_twins(r: random.Random, factors: tuple[int | str, ...], pairs: int) -> Network:
    """A shallow network with one output in which so many neurons have a proportional twin each."""
    net = shallow_network(r, width=2)
    while net.widths[1] < pairs:
        net = shallow_network(r, width=2)
    found = [(form, output[0]) for form, output in facts.neurons(net)]
    for form, _ in found[:pairs]:
        factor = Fraction(r.choice(factors))
        found.append((tuple(factor * entry for entry in form), Fraction(r.choice(NONZERO))))
    r.shuffle(found)
    bias = [form[-1] for form, _ in found]
    return Network.mlp([[form[:-1] for form, _ in found], [[v for _, v in found]]], [bias, [r.randint(-1, 1)]])


def same_halfspace(r: random.Random) -> Instance:
    """A shallow network with two neurons on one half-space; their outputs may cancel."""
    return Instance(with_twins(r, (1, 2, "1/2", "3/2"), 1))


def opposite(r: random.Random) -> Instance:
    """A shallow network with one or two opposite pairs; their outputs may cancel."""
    return Instance(with_twins(r, (-1, -2, "-1/2", -1), r.choice((1, 1, 2))))


def one_opposite(r: random.Random) -> Instance:
    """A shallow network with one opposite pair."""
    return Instance(with_twins(r, (-1, -2, "-1/2"), 1))


def any_chain(r: random.Random) -> Instance:
    """A chain of two hidden neurons without zeros in the middle."""
    w, v, c, a = (r.choice(NONZERO) for _ in range(4))
    return Instance(chain(r, w, v, c, a))


def narrow(r: random.Random) -> Instance:
    """A perceptron with long runs of hidden layers of width 1, and zeros now and then."""
    hidden = [1] * r.randint(1, 5)
    if r.random() < 0.5:
        hidden.insert(r.randrange(len(hidden) + 1), 2)
    return Instance(perceptron(r, [r.randint(1, 2), *hidden, r.randint(1, 2)], biases=True))


def flippable(r: random.Random) -> Instance:
    """A shallow network in which some neurons can be flipped together."""
    d = r.randint(1, 2)
    while True:
        net = shallow_network(r, width=3, inputs=d)
        rows = [(form[:-1], form[-1], output[0]) for form, output in facts.neurons(net)]
        total = [sum((v * w[j] for w, _, v in rows), Fraction(0)) for j in range(net.input_dim)]
        v = Fraction(r.choice(NONZERO))
        rows.append((tuple(-entry / v for entry in total), Fraction(r.choice((0, 1, 2, -1))), v))
        weights, biases = [w for w, _, _ in rows], [b for _, b, _ in rows]
        domain = Domain.box([(-6, 6)] * net.input_dim) if r.random() < 0.3 else None
        made = Network.mlp([weights, [[v for _, _, v in rows]]], [biases, [r.randint(-1, 1)]])
        if any(total) and facts.distinct_hyperplanes(made):
            return Instance(made, domain=domain)


def two_ramps(r: random.Random) -> Instance:
    r"""The function :math:`c\,\sigma(x-k)+e` in the architecture 1-3-1-1, in two ways."""
    kink, twin, scale, gate = r.randint(-3, 3), r.randint(-3, 3), r.choice((1, 2)), r.randint(1, 3)
    while twin == kink:
        twin = r.randint(-3, 3)
    sign, jump, share = r.choice((1, -1)), r.choice((1, -1, 2)), r.choice((1, -1, 3))
    constant = r.randint(-2, 2)
    first = [[sign], [scale], [2 * scale]]
    biases = [-sign * kink, -scale * twin, -2 * scale * twin]
    net = Network.mlp([first, [[1, 2 * share, -share]], [[jump]]], [biases, [gate], [constant - jump * gate]])
    lows = [kink - r.randint(1, 3) for _ in range(3)]  # all first neurons are on from before the kink
    parts = [r.choice((1, 2)) for _ in range(3)]
    height = sum(p * (kink - low) for p, low in zip(parts, lows, strict=True))
    other = Network.mlp(
        [[[sign]] * 3, [parts], [[Fraction(jump, sum(parts))]]],
        [[-sign * low if sign > 0 else kink + (kink - low) for low in lows], [-height], [constant]],
    )
    return Instance(net, other)


STATEMENTS = (
    Theorem(
        id="functional_dimension_at_most_embedding_rank",
        title="the functional dimension is at most the rank of the embedding, hence at most D - h",
        statement=r"$\operatorname{fd}(\theta)\le\operatorname{rank}D\Phi(\theta)\le D-h$.",
        source=GRIGSBY,
        hypotheses=[claims.relu_network],
        conclusion=claims.dimension_at_most_embedding_rank,
        uses=["realization_is_locally_linear", "embedding_rank_is_parameters_minus_hidden"],
        standing=Standing.PROVED,
        supply=any_relu_network,
    ),
    Theorem(
        id="distinct_hyperplanes_give_full_dimension",
        title="one hidden layer with distinct hyperplanes has full functional dimension",
        statement=r"One hidden layer, a domain with interior points, all $v_i\ne0$, all neurons kinked, hyperplanes "
        r"distinct: $\operatorname{fd}(\theta)=D-h$.",
        source=GRIGSBY,
        hypotheses=[
            facts.one_hidden_layer,
            interior,
            facts.outputs_nonzero,
            facts.all_kinked,
            facts.distinct_hyperplanes,
        ],
        conclusion=claims.full_functional_dimension,
        standing=Standing.PROVED,
        supply=distinct_shallow,
    ),
    Theorem(
        id="same_halfspace_pair_loses_dimension",
        title="two neurons on one half-space lose d + 1 dimensions",
        statement=r"One hidden layer, scalar output, all biases, all $v_i\ne0$, all neurons kinked, two neurons on one "
        r"half-space, other hyperplanes distinct: $\operatorname{fd}(\theta)=D-h-(d+1)$.",
        hypotheses=[*SCALAR_KINKED, facts.one_same_halfspace_pair],
        conclusion=claims.loses_inputs_plus_one,
        uses=["distinct_hyperplanes_give_full_dimension"],
        standing=Standing.PROVED,
        supply=same_halfspace,
    ),
    Theorem(
        id="antiparallel_pairs_lose_dimension",
        title="opposite pairs, k of them, lose k + (k - 1) d dimensions",
        statement=r"One hidden layer, scalar output, all biases, all $v_i\ne0$, all neurons kinked, $k\ge1$ pairs of "
        r"opposite half-spaces, hyperplanes otherwise distinct: $\operatorname{fd}(\theta)=D-h-k-(k-1)d$.",
        hypotheses=[*SCALAR_KINKED, facts.antiparallel_pairs],
        conclusion=claims.loses_by_pairs,
        uses=["distinct_hyperplanes_give_full_dimension"],
        standing=Standing.PROVED,
        supply=opposite,
    ),
    Theorem(
        id="one_wide_chain_dimension",
        title="the functional dimension of a chain of two neurons depends on two signs only",
        statement=r"$c\,\sigma(v\,\sigma(wx+b)+a)+e$ with $w,v,a,c\ne0$ has $\operatorname{fd}=3$ if $a,v>0$, $4$ if "
        r"$a>0>v$, $3$ if $v>0>a$, and $1$ if $a,v<0$.",
        hypotheses=[one_wide_chain, outer_weights_nonzero, middle_nonzero],
        conclusion=claims.dimension_by_signs,
        standing=Standing.PROVED,
        supply=any_chain,
    ),
    Theorem(
        id="one_wide_runs_bound_dimension",
        title="runs of hidden layers of width 1 bound the functional dimension",
        statement=r"Layered, all biases, $k_r$ the lengths of the maximal runs of hidden layers of width 1: "
        r"$\operatorname{fd}(\theta)\le D-h-\sum_r\max(0,k_r-2)$ for all $\theta$.",
        hypotheses=[claims.layered, claims.all_biases],
        conclusion=claims.dimension_at_most_bound_by_runs,
        uses=["functional_dimension_at_most_embedding_rank", "embedding_rank_is_parameters_minus_hidden"],
        standing=Standing.PROVED,
        supply=narrow,
    ),
    Theorem(
        id="dimension_gap_need_not_be_symmetry",
        title="an opposite pair that bends lowers the functional dimension without any symmetry",
        statement=r"One hidden layer, scalar output, all biases, all $v_i\ne0$, all neurons kinked, one opposite pair "
        r"whose outputs do not cancel, hyperplanes otherwise distinct: $\operatorname{fd}(\theta)<D-h$, although "
        r"nearby parameters with the same function are rescalings. Smallest: $|x|$ in (1,2,1).",
        hypotheses=[*SCALAR_KINKED, facts.one_antiparallel_pair, facts.pairs_bend],
        conclusion=claims.smaller_dimension_but_rigid,
        uses=["antiparallel_pairs_lose_dimension", "shallow_local"],
        standing=Standing.PROVED,
        supply=one_opposite,
    ),
    Theorem(
        id="full_dimension_is_not_global",
        title="networks of full functional dimension need not be globally identifiable",
        statement=r"One hidden layer with output biases, a domain with interior points, all $v_i\ne0$, all neurons "
        r"kinked, hyperplanes distinct, $\sum_{i\in S}v_iw_i^T=0$ for some $S\ne\emptyset$: "
        r"$\operatorname{fd}(\theta)=D-h$, and $\theta$ is not globally identifiable. Smallest: two neurons, or the "
        r"hat function.",
        hypotheses=[
            facts.one_hidden_layer,
            interior,
            facts.output_biases,
            facts.outputs_nonzero,
            facts.all_kinked,
            facts.distinct_hyperplanes,
            facts.zero_sum_flip,
        ],
        conclusion=claims.full_dimension_but_ambiguous,
        uses=["distinct_hyperplanes_give_full_dimension", "shallow_fibre_is_flips"],
        standing=Standing.PROVED,
        supply=flippable,
    ),
    Theorem(
        id="dimension_varies_on_fibre",
        title="one function, two parameter vectors without zero weights, two functional dimensions",
        statement=r"In (1,3,1,1) with all biases, let no weight be 0 and $R_\theta=R_{\theta'}$. If the second neuron "
        r"of $\theta$ is on everywhere, one first neuron bends the function and the two others cancel, then "
        r"$\operatorname{fd}(\theta)=5$; if all first neurons of $\theta'$ are on wherever its second neuron is, then "
        r"$\operatorname{fd}(\theta')=3$. The function can be $\sigma(x-3)$.",
        uses=["distinct_hyperplanes_give_full_dimension"],
        hypotheses=[
            claims.widths_1_3_1_1,
            claims.all_weights_nonzero,
            claims.same_functions,
            claims.open_gate_with_twins,
            claims.closed_gate,
        ],
        conclusion=claims.dimensions_five_and_three,
        standing=Standing.PROVED,
        supply=two_ramps,
    ),
)
