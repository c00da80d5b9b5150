"""Three verdicts on two networks: each implies the next, and each carries evidence that is checked here."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from equivalence_oracles import check_rescaling, is_permutation_scaling_equivalent, is_scaling_equivalent
from strategies import partner, random_dag, random_mlp, random_point

from exactrelu import Comparison, Network, Rescaling, Status, activation_regions, compare_networks
from exactrelu.equality import NormalForm
from exactrelu.equality.same_function import ZeroDifference

HAT = Network.mlp([[[1], [1], [1]], [[1, -2, 1]]], [[1, 0, -1], [0]])
HOLDS = Status.HOLDS


def check_same_function(left: Network, right: Network, evidence: object) -> None:
    """A rescaling is multiplied out; a normal form is evaluated as sum of jumps |h(x)|/2 plus affine part."""
    if isinstance(evidence, Rescaling):
        check_rescaling(left, right, evidence)
        return
    if isinstance(evidence, ZeroDifference):
        r = random.Random(1)
        points = [random_point(r, left.input_dim) for _ in range(20)]
        assert left.values(points) == right.values(points)
        assert evidence.regions == len(activation_regions(left - right))
        return
    assert isinstance(evidence, NormalForm)
    r = random.Random(0)
    for _ in range(20):
        x = random_point(r, left.input_dim)
        value = [dot(row, (*x, 1)) for row in evidence.affine]
        for form, jump in evidence.jumps:
            distance = abs(dot(form, (*x, 1))) / 2
            value = [entry + step * distance for entry, step in zip(value, jump, strict=True)]
        assert tuple(value) == left(x) == right(x)


def dot(row: tuple, point: tuple) -> Fraction:
    return sum((a * b for a, b in zip(row, point, strict=True)), Fraction(0))


def check_evidence(left: Network, right: Network, comparison: Comparison) -> None:
    same = comparison.same_function
    for verdict in (comparison.scaling_equivalent, comparison.permutation_scaling_equivalent):
        if verdict.status is HOLDS:
            check_rescaling(left, right, verdict.evidence)
            assert same.status is HOLDS
    if same.status is HOLDS:
        check_same_function(left, right, same.evidence)
    elif same.status is Status.FAILS:
        assert left(same.evidence.point) != right(same.evidence.point)
        assert comparison.permutation_scaling_equivalent.status is not HOLDS
    else:
        assert same.evidence is None


def test_each_verdict_implies_the_next() -> None:
    r = random.Random(0)
    seen = set()
    for _ in range(200):
        left = r.choice((random_dag, random_mlp))(r, max_layers=3)
        right = partner(r, left)
        comparison = compare_networks(left, right)
        check_evidence(left, right, comparison)
        statuses = tuple(getattr(comparison, name).status for name in comparison.__slots__)
        assert (statuses[0] is HOLDS) == is_scaling_equivalent(left, right)
        assert (statuses[1] is HOLDS) == is_permutation_scaling_equivalent(left, right)
        assert statuses[0] is not HOLDS or statuses[1] is HOLDS
        seen.add(statuses)
    fails = Status.FAILS
    assert {(HOLDS, HOLDS, HOLDS), (fails, HOLDS, HOLDS), (fails, fails, fails), (fails, fails, HOLDS)} <= seen


def test_unknown_is_said_beyond_the_budget() -> None:
    """sigma(sigma(x) - 1) with biases moved from one layer to the other: one function, other parameters."""
    left, right = (Network.mlp([[[1]], [[1]], [[1]]], [[b], [-1 - b], [0]]) for b in (0, 1))
    assert compare_networks(left, right).same_function.status is HOLDS
    assert compare_networks(left, right, budget=1).same_function.status is Status.UNKNOWN


def test_the_hat_and_its_flip_are_not_copies_of_each_other() -> None:
    comparison = compare_networks(HAT, HAT.flip([0, 1, 2]))
    assert comparison.scaling_equivalent.status is Status.FAILS
    assert comparison.permutation_scaling_equivalent.status is Status.FAILS
    assert comparison.same_function.status is HOLDS
    check_evidence(HAT, HAT.flip([0, 1, 2]), comparison)


@pytest.mark.parametrize(
    ("left", "right", "statuses"),
    [
        # two architectures of one function, and of two functions
        (Network.mlp([[[1]]]), Network.mlp([[[1], [-1]], [[1, -1]]]), "inapplicable inapplicable holds"),
        (Network.mlp([[[1]]]), Network.mlp([[[1], [-1]], [[1, 1]]]), "inapplicable inapplicable fails"),
        # other dimensions
        (Network.mlp([[[1]]]), Network.mlp([[[1, 0]]]), "inapplicable inapplicable inapplicable"),
        (Network.mlp([[[1]]]), Network.mlp([[[1], [1]]]), "inapplicable inapplicable inapplicable"),
        # |x| against a function that differs from it near 0 only
        (
            Network.mlp([[[1], [-1]], [[1, 1]]], [[0, 0], [0]]),
            Network.mlp([[[1], [-1]], [[1, 1]]], [["1/10", "1/10"], ["-1/10"]]),
            "fails fails fails",
        ),
        # bias 0 against no bias parameter
        (Network.mlp([[[1]], [[1]]], [[0], None]), Network.mlp([[[1]], [[1]]]), "inapplicable inapplicable holds"),
    ],
)
def test_pairs_with_known_answers(left: Network, right: Network, statuses: str) -> None:
    for pair in ((left, right), (right, left)):
        comparison = compare_networks(*pair)
        found = " ".join(getattr(comparison, name).status.value for name in comparison.__slots__)
        assert found == statuses
        check_evidence(*pair, comparison)


def test_json_and_text_carry_the_same_answers() -> None:
    comparison = compare_networks(HAT, HAT.permute([[2, 0, 1]]).rescale([["1/2", 3, 5]]))
    data = comparison.to_json()
    assert list(data) == ["scaling_equivalent", "permutation_scaling_equivalent", "same_function"]
    assert data["permutation_scaling_equivalent"]["evidence"] == {
        "permutation": [[2, 0, 1]],
        "scalings": [["1/2", "3", "5"]],
    }
    lines = comparison.explain().splitlines()
    assert [line.split(":")[0] for line in lines if line.startswith(("holds:", "fails:"))] == [
        "fails",
        "holds",
        "holds",
    ]
