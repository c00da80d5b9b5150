"""Path norms by one forward pass against the sum over all paths."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from oracles import embedding
from strategies import random_dag, random_mlp, random_scalings

from exactrelu import InvalidInput, Layer, Network, path_norm

SKIP = Network(1, [Layer({0: [[1]]}, bias=[-1]), Layer({0: [[-1]], 1: [[2]]}, bias=[0], activation="identity")])


@pytest.mark.parametrize("q", [1, 2, 3])
def test_norm_is_the_sum_over_all_paths(q):
    r = random.Random(q)
    for k in range(500):
        net = random_dag(r) if k % 3 else random_mlp(r)
        assert path_norm(net, q=q) == sum((abs(entry) ** q for entry in embedding(net.to_json())), Fraction(0))


def test_norm_is_invariant_under_rescaling():
    r = random.Random(9)
    for _ in range(100):
        net = random_mlp(r)
        moved = net.rescale(random_scalings(r, net))
        assert [path_norm(net, q=q) for q in (1, 2, 3)] == [path_norm(moved, q=q) for q in (1, 2, 3)]


@pytest.mark.parametrize(
    ("net", "q", "expected"),
    [
        (SKIP, 1, 2 + 1 + 2 + 0),
        (SKIP, 2, 4 + 1 + 4),
        (SKIP, 3, 8 + 1 + 8),
        (Network.mlp([[["-1/2", 3]]], [["1/3"]]), 1, Fraction(23, 6)),
        (Network.mlp([[[0]], [[0]]]), 5, 0),
        (Network.mlp([[[1]] * 20] + [[[1] * 20] * 20] * 30 + [[[1] * 20]]), 1, 20**31),  # beyond enumeration
    ],
)
def test_norms_by_hand(net, q, expected):
    found = path_norm(net, q=q)
    assert (type(found), found) == (Fraction, expected)


@pytest.mark.parametrize("q", [0, -1, True, 1.0, 1.5, "1", None, float("inf"), Fraction(1)], ids=repr)
def test_only_positive_integers_are_exponents(q):
    with pytest.raises(InvalidInput, match=r"^q: must be an integer, at least 1; got "):
        path_norm(SKIP, q=q)
