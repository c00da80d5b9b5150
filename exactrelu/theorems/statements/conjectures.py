r"""Open statements, and the largest functional dimension of an architecture."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise
from typing import Final

from ...errors import HypothesisNotMet
from ...networks import Network
from ...verdicts import Status, Verdict
from ..decisions.dimension_claims import all_biases, layered
from ..decisions.dimensions import best_of_architecture, bound_by_runs, dimension, full_dimension
from ..decisions.draws import NONZERO, perceptron, random_scalings
from ..decisions.pieces import pieces_on_the_line
from ..instances import Instance
from ..theorem import Standing, Theorem

GRILLO_MONTUFAR = "Grillo and Montúfar, arXiv:2605.03601"

RECORD: Final = Network.mlp(
    [[[-1], [1]], [[-28, -20], [18, 10]], [[66, 76], [-324, -424]], [[1, 5]]],
    [[0, 1], [35, -15], [-675, 3315], [0]],
)
"""Three hidden layers of width 2 with 19 pieces on the line."""

MOST_PIECES: Final = {1: 3, 2: 7, 3: 19}
"""The largest number of pieces known by the number of hidden layers; the first two are maxima."""


def hidden_widths_at_least_two(network: Network) -> bool:
    """Every hidden layer has at least two neurons"""
    return all(width >= 2 for width in network.widths[1:-1])


def some_parameters_of_full_dimension(network: Network) -> Verdict:
    """Some parameters of the architecture have functional dimension D - h"""
    _expect_all_parameters(network)
    full = full_dimension(network)
    found, witness = best_of_architecture(network.widths, full)
    if found == full:
        return Verdict(f"functional dimension {found} = D - h is attained", Status.HOLDS, witness=witness)
    bound = bound_by_runs(network)
    claim = f"the best functional dimension found is {found}, runs of width 1 allow {bound}, D - h = {full}"
    return Verdict(claim, Status.FAILS if bound < full else Status.UNKNOWN)


def best_dimension_by_runs(network: Network) -> Verdict:
    r"""The largest functional dimension of the architecture is D - h minus max(0, k - 2) for every run of width 1"""
    _expect_all_parameters(network)
    bound, here = bound_by_runs(network), dimension(network)
    if here > bound:
        return Verdict(f"functional dimension {here} exceeds {bound}", Status.FAILS, witness=network)
    found, witness = best_of_architecture(network.widths, bound)
    claim = f"the formula gives {bound}, the best functional dimension found is {found}"
    status = Status.FAILS if found > bound else Status.HOLDS if found == bound else Status.UNKNOWN
    return Verdict(claim, status, witness=witness)


def _expect_all_parameters(network: Network) -> None:
    """Refuse architectures other than those whose best networks are searched."""
    if not (network.is_layered and all(layer.bias is not None for layer in network.layers)):
        raise HypothesisNotMet("network", "must be layered with all biases for a search of its architecture")


def width_two_on_the_line(network: Network) -> bool:
    """One input, one output, and two ReLU neurons in every hidden layer, without skips"""
    inner = network.widths[1:-1]
    ends = (network.input_dim, network.output_dim) == (1, 1)
    return ends and bool(inner) and set(inner) == {2} and network.is_layered and network.is_standard


def at_most_three_hidden_layers(network: Network) -> bool:
    """There are at most three hidden layers"""
    return network.depth <= 4


def no_more_pieces_than_known(network: Network) -> Verdict:
    """There are at most as many pieces as in the best network known of this depth"""
    if network.depth - 1 not in MOST_PIECES:
        return Verdict("no number of pieces is on record for this depth", Status.UNKNOWN)
    found, known = pieces_on_the_line(network), MOST_PIECES[network.depth - 1]
    return Verdict(f"{found} pieces, the most known are {known}", Status.HOLDS if found <= known else Status.FAILS)


def small_perceptron(r: random.Random) -> Instance:
    """A perceptron with all biases, with runs of hidden layers of width 1 among others."""
    hidden = [1] * 4 if r.random() < 0.1 else [r.choice((1, 1, 1, 2)) for _ in range(r.randint(1, 3))]
    return Instance(perceptron(r, [r.randint(1, 2), *hidden, r.randint(1, 2)], biases=True))


def wide_perceptron(r: random.Random) -> Instance:
    """A perceptron with all biases, hidden layers mostly of width 2 or 3."""
    hidden = [r.choice((2, 2, 2, 3)) for _ in range(r.randint(1, 2))]
    return Instance(perceptron(r, [r.randint(1, 2), *hidden, r.randint(1, 2)], biases=True))


def zigzag(r: random.Random) -> Instance:
    """A network of width 2 on the line, often with many pieces."""
    if r.random() < 0.1:
        return Instance(RECORD.rescale(random_scalings(r, RECORD)))
    sizes = [1, *[2] * r.randint(1, 3), 1]
    bound = r.choice((1, 3, 9))
    weights = [[[Fraction(r.randint(-bound, bound)) for _ in range(a)] for _ in range(b)] for a, b in pairwise(sizes)]
    weights[-1] = [[Fraction(r.choice(NONZERO)) for _ in range(2)]]
    return Instance(Network.mlp(weights, [[Fraction(r.randint(-bound, bound)) for _ in range(b)] for b in sizes[1:]]))


STATEMENTS = (
    Theorem(
        id="wide_layers_allow_full_dimension",
        title="with all hidden widths at least 2, some parameters have full functional dimension",
        statement=r"Layered, all biases, all hidden widths $\ge2$: $\operatorname{fd}=D-h$ on a nonempty open set of "
        r"parameters.",
        source=GRILLO_MONTUFAR,
        uses=["functional_dimension_at_most_embedding_rank", "one_wide_runs_bound_dimension"],
        hypotheses=[layered, all_biases, hidden_widths_at_least_two],
        conclusion=some_parameters_of_full_dimension,
        standing=Standing.CITED,
        supply=wide_perceptron,
    ),
    Theorem(
        id="generic_functional_dimension_formula",
        title="only runs of hidden layers of width 1 keep the largest functional dimension below D - h",
        statement=r"Layered, all biases, $k_r$ the lengths of the maximal runs of hidden layers of width 1: "
        r"$\sup_\theta\operatorname{fd}(\theta)=D-h-\sum_r\max(0,k_r-2)$.",
        hypotheses=[layered, all_biases],
        conclusion=best_dimension_by_runs,
        uses=["one_wide_runs_bound_dimension", "wide_layers_allow_full_dimension", "one_wide_chain_dimension"],
        standing=Standing.CONJECTURE,
        supply=small_perceptron,
    ),
    Theorem(
        id="width_two_pieces_on_the_line",
        title="networks of width 2 with up to three hidden layers have at most 3, 7 and 19 pieces on the line",
        statement=r"A network with one input and $L$ hidden layers of width $2$ is affine on at most $3$, $7$, $19$ "
        r"intervals for $L=1,2,3$. The first two numbers are proved, all three are attained; the largest number for "
        r"$L\ge3$ is open.",
        hypotheses=[width_two_on_the_line, at_most_three_hidden_layers],
        conclusion=no_more_pieces_than_known,
        standing=Standing.CONJECTURE,
        supply=zigzag,
    ),
)
