"""Hypotheses that cannot be dropped, statements that are false, and what else is known of the statements."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import pytest

from exactrelu import Instance, Modification, Network, Predicate, Status, Theorem, affine_symmetries, theorem, zoo
from exactrelu.theorems import Standing
from exactrelu.theorems.book import chapter
from exactrelu.theorems.decisions.pieces import adjacent_patterns, pieces_on_the_line, top_patterns
from exactrelu.theorems.statements import conjectures, dimension, embedding, laws, refuted, samples, symmetries
from exactrelu.theorems.statements.refuted import FOLD, ZIGZAGS

HOLDS, FAILS, UNKNOWN, INAPPLICABLE = Status.HOLDS, Status.FAILS, Status.UNKNOWN, Status.INAPPLICABLE
STATEMENTS = [
    item
    for module in (embedding, samples, dimension, symmetries, laws, conjectures)
    for item in module.STATEMENTS
    if item.standing is not Standing.REFUTED
]


def neuron(w: object, b: object, v: object) -> Network:
    """The network v relu(w x + b)."""
    return Network.mlp([[[w]], [[v]]], [[b], [0]])


def chain(w: object, b: object, v: object, a: object, c: object, e: object = 0) -> Network:
    """The network c relu(v relu(w x + b) + a) + e."""
    return Network.mlp([[[w]], [[v]], [[c]]], [[b], [a], [e]])


def tanh(rows: list[list[int]], outputs: list[int]) -> Network:
    """A network of tanh neurons."""
    return Network.mlp([rows, [outputs]], [[0] * len(rows), [0]], activation="tanh")


CHAIN = chain(1, 0, 1, -1, 1)
NARROW = Network.mlp([[[1]], [[1]], [[1]], [[1]]], [[0], [1], [1], [0]])
S16 = zoo.specimen("S16").network


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda item: item.id)
def test_hypotheses_that_are_not_known_to_be_needed(statement: Theorem) -> None:
    for name in chapter(statement.id).matter["not_known_to_be_needed"]:
        weaker = statement.without(name)
        for number in range(10):
            assert weaker.check(weaker.draw(random.Random(f"weaker {number}"))).status is not FAILS


def test_two_integer_networks_with_the_same_patterns_and_other_neighbours() -> None:
    left, right = ZIGZAGS
    assert left.widths == right.widths == (2, 3, 1, 1)
    assert top_patterns(left) == top_patterns(right)
    assert len(top_patterns(left)) == 8
    assert adjacent_patterns(left) != adjacent_patterns(right)
    assert theorem("binary_patterns_determine_adjacency").check(Instance(left, right)).status is FAILS


# ---- the rank gap


def test_the_fold_is_a_rank_gap_that_identifies_locally() -> None:
    verdict = theorem("sample_rank_gap_excludes_identifiability").check(FOLD)
    assert verdict.status is FAILS
    assert verdict.condition("rank_gap").detail == "R_Gamma = 4, R_A = 5, D - h = 5"
    assert verdict.evidence.order == 2
    assert theorem("sample_jacobian_rank_is_nearly_necessary").check(FOLD).status is HOLDS


def test_the_fold_by_hand() -> None:
    """The values as functions of the weight b of the second input, along which all but one can be kept."""

    def member(b: Fraction) -> Network:
        c2 = Fraction(5, 2) / (b - Fraction(7, 2))
        a2 = -6 / c2 - 7 * b
        c1 = -30 / (46 * b - 31)
        a1 = -4 / c1
        return Network.mlp([[[1, b]], [[-1], [1]], [[c1, c2]]], [None, [a1, a2], None])

    points = FOLD.samples or ()
    wanted = FOLD.network.values(points)
    assert member(Fraction(1)) == FOLD.network
    gaps = {}
    for t in (Fraction(1, 1000), Fraction(-1, 1000), Fraction(1, 2000)):
        found = member(1 + t).values(points)
        assert [a == b for a, b in zip(found, wanted, strict=True)] == [True, False, True, True, True]
        gaps[t] = (found[1][0] - wanted[1][0]) / t**2
    # The remaining value has a strict extremum: its change is about t^2 on both sides.
    assert len({gap > 0 for gap in gaps.values()}) == 1
    assert max(map(abs, gaps.values())) < 2 * min(map(abs, gaps.values()))


# ---- known answers


def test_known_functional_dimensions() -> None:
    for statement, net in (
        ("dimension_gap_need_not_be_symmetry", zoo.specimen("absolute_value").network),
        ("full_dimension_is_not_global", zoo.HAT),
        ("full_dimension_is_not_global", S16),
        ("distinct_hyperplanes_give_full_dimension", zoo.HAT),
        ("antiparallel_pairs_lose_dimension", zoo.specimen("S09").network),
        ("same_halfspace_pair_loses_dimension", zoo.specimen("S06").network),
        ("admissible_does_not_imply_identifiable", CHAIN),
    ):
        assert theorem(statement).check(net).status is HOLDS, statement


def test_runs_of_width_one() -> None:
    verdict = theorem("generic_functional_dimension_formula").check(NARROW)
    assert verdict.status is HOLDS
    assert verdict.witness.widths == NARROW.widths


@pytest.mark.parametrize(
    ("layers", "pieces"),
    [
        (1, 3),
        (2, 7),
        (3, 19),
    ],
)
def test_the_most_pieces_known_of_width_two(layers: int, pieces: int) -> None:
    net = RECORDS[layers]
    assert pieces_on_the_line(net) == pieces == conjectures.MOST_PIECES[layers]
    assert theorem("width_two_pieces_on_the_line").check(net).status is HOLDS
    doubled = theorem("width_two_pieces_double_with_depth").check(net)
    assert doubled.status is (FAILS if pieces > 2 ** (layers + 1) - 1 else HOLDS)


def record(*rows: list[list[int]]) -> Network:
    """A network of width 2 on the line: its rows (weights, then the bias), and an output that sees both neurons."""
    first = [[row[:1], row[2:]] for row in rows[0]]
    matrices = [[w for w, _ in first], *([row[:2] for row in layer] for layer in rows[1:]), [[1, 5]]]
    biases = [[b[0] for _, b in first], *([row[2] for row in layer] for layer in rows[1:]), [0]]
    return Network.mlp(matrices, biases)


RECORDS = {
    1: record([[1, 0, 0], [1, 0, -1]]),
    2: record([[-11, 0, -9], [5, 0, 2]], [[-13, -21, 6], [24, 13, -8]]),
    3: conjectures.RECORD,
}


# ---- the four statuses


def test_the_four_statuses_occur() -> None:
    rank, class_ = theorem("embedding_rank_is_parameters_minus_hidden"), theorem("embedding_determines_scaling_class")
    assert rank.check(zoo.HAT).status is HOLDS
    assert rank.check(neuron(1, 1, 0)).status is INAPPLICABLE
    assert class_.check(neuron(1, 1, 1), other=neuron(-1, -1, -1)).status is FAILS
    odd = affine_symmetries("tanh", [(1, 0), (-1, 0)]).basis[0]
    smooth = Instance(tanh([[1]], [1]), modification=Modification((1, 0), odd, (2, 0), Fraction(1)))
    assert theorem("symmetry_modification_preserves_realization").check(smooth).status is UNKNOWN


def test_planted_statements_are_told_apart() -> None:
    wrong = Predicate.of(lambda network: len(network.hidden_neurons) < 3, name="few_neurons", meaning="few neurons")
    true = theorem("embedding_rank_is_parameters_minus_hidden")
    planted = Theorem(hypotheses=true.hypotheses, conclusion=wrong, supply=true.supply, statement="$1$")
    statuses = Counter(planted.check(planted.draw(random.Random(seed))).status for seed in range(60))
    assert statuses[FAILS] and statuses[HOLDS]


def test_refuted_statements_are_in_their_module() -> None:
    assert all(item.standing is Standing.REFUTED for item in refuted.STATEMENTS)
    assert all("false" in item.title for item in refuted.STATEMENTS)
