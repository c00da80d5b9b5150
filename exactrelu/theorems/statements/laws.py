r"""Statements about conservation laws of gradient flow: M1, and linear networks with two layers."""

from __future__ import annotations

import random
from fractions import Fraction

from ...networks import Network
from ...rationals import rank
from ...symmetries import lie_closure
from ...verdicts import Status, Verdict
from ..decisions.brackets import as_many_laws_as_neurons
from ..decisions.dimension_claims import relu_network
from ..decisions.draws import DEGENERATE, PLAIN, random_admissible
from ..instances import Instance
from ..theorem import Standing, Theorem
from .embedding import ADMISSIBLE

MARCOTTE = "Marcotte, Gribonval and Peyré, arXiv:2307.00144"
BUDGET = 200_000


def two_linear_layers(network: Network) -> bool:
    """The network is dense with two linear layers and no biases"""
    layers = network.layers
    return network.depth == 2 and network.is_layered and all(layer.is_affine and layer.bias is None for layer in layers)


def stacked_weights(network: Network) -> list[list[Fraction]]:
    """The columns of the first layer next to the rows of the second, one line per hidden neuron."""
    first, second = (layer.blocks[0][1] for layer in network.layers)
    zero = Fraction(0)
    return [[*(e or zero for e in row), *(line[i] or zero for line in second)] for i, row in enumerate(first)]


def stacked_rank_is_largest(network: Network) -> bool:
    """The two weight matrices, one above the transpose of the other, have the largest rank that their shape allows"""
    if not two_linear_layers(network):
        return False
    n, r, m = network.widths
    return rank(stacked_weights(network)) == min(n + m, r)


def laws_by_rank(network: Network) -> Verdict:
    r"""There are exactly q(2r + 1 - q)/2 independent laws, q = min(n + m, r)"""
    if not two_linear_layers(network):
        return Verdict("two linear layers without biases", Status.INAPPLICABLE)
    n, r, m = network.widths
    q, closure = min(n + m, r), lie_closure(network, budget=BUDGET)
    expected = q * (2 * r + 1 - q) // 2
    if closure.laws_lower == closure.laws_upper:
        return Verdict(closure.explain(), Status.HOLDS if closure.laws == expected else Status.FAILS)
    possible = closure.laws_lower <= expected <= closure.laws_upper
    return Verdict(closure.explain(), Status.UNKNOWN if possible else Status.FAILS)


def admissible_network(r: random.Random) -> Instance:
    """An admissible ReLU network, small enough for all brackets."""
    return Instance(random_admissible(r, hidden=2, width=2, inputs=2, outputs=2))


def linear_network(r: random.Random) -> Instance:
    """Two linear layers, now and then of low rank."""
    while True:
        n, h, m = r.choice(((1, 1, 1), (1, 2, 1), (2, 1, 2), (1, 2, 2), (2, 2, 1), (1, 3, 1), (2, 1, 1), (2, 3, 1)))
        entries = r.choice((PLAIN, PLAIN, DEGENERATE))
        first = [[r.choice(entries) for _ in range(n)] for _ in range(h)]
        net = Network.mlp([first, [[r.choice(entries) for _ in range(h)] for _ in range(m)]], activation="identity")
        if r.random() < 0.1 or stacked_rank_is_largest(net):
            return Instance(net)


STATEMENTS = (
    Theorem(
        id="conservation_laws_number_hidden",
        title="gradient flow has exactly one conservation law per hidden neuron",
        statement=r"At every admissible $\theta$: $\operatorname{Lie}(W)(\theta)=\operatorname{range}D\Phi(\theta)^T="
        r"\bigcap_v\ker dh_v(\theta)$, of dimension $D-h$, so that there are locally exactly $h$ independent laws.",
        source=MARCOTTE,
        hypotheses=[relu_network, ADMISSIBLE],
        conclusion=as_many_laws_as_neurons,
        uses=["embedding_rank_is_parameters_minus_hidden", "realization_is_locally_linear"],
        standing=Standing.PROVED,
        supply=admissible_network,
    ),
    Theorem(
        id="linear_conservation_laws_by_rank",
        title="the conservation laws of two linear layers are numbered by the rank of both together",
        statement=r"Two linear layers $r\times n$ and $m\times r$ without biases, whose stacked $(n+m)\times r$ matrix "
        r"has rank $q=\min(n+m,r)$: there are locally exactly $q(2r+1-q)/2$ independent laws.",
        source=MARCOTTE,
        hypotheses=[two_linear_layers, stacked_rank_is_largest],
        conclusion=laws_by_rank,
        standing=Standing.PROVED,
        supply=linear_network,
    ),
)
