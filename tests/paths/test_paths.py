"""Paths: their number, their order, and the budget."""

from __future__ import annotations

import random
import time

import pytest
from oracles import all_paths
from strategies import random_dag, random_mlp

from exactrelu import BudgetExceeded, Layer, Network, Path, count_paths, enumerate_paths, path_embedding

SKIP = Network(1, [Layer({0: [[1]]}, bias=[-1]), Layer({0: [[-1]], 1: [[2]]}, bias=[0], activation="identity")])


def test_enumeration_order_and_number_on_random_networks():
    r = random.Random(0)
    for k in range(1500):
        net = random_dag(r) if k % 4 else random_mlp(r)
        expected = all_paths(net.to_json())
        assert [(p.neurons, p.from_bias) for p in enumerate_paths(net)] == [(v, b) for v, b, _ in expected]
        assert count_paths(net) == len(expected)
        assert path_embedding(net).formulas() == tuple("*".join(names) for _, _, names in expected)


@pytest.mark.parametrize(
    ("net", "number"),
    [
        (Network.mlp([[[5]]]), 1),
        (Network.mlp([[[5, 0], [0, 0]]], [[0, 0]]), 6),
        (Network.mlp([[[1]], [[1]]]), 1),
        (Network.mlp([[[1]], [[1]]], [[1], [1]]), 3),
        (Network.mlp([[[1, 2], [2, -1], [-1, 1]], [[1, 2, -3]]], [[1, -1, 2], [1]]), 10),
        (SKIP, 4),
        (Network(1, [Layer({}, bias=[2]), Layer({1: [[1]]}, activation="identity")]), 1),
        (Network.random((10, 50, 50, 5), 0), 5 * (1 + 50 * (1 + 50 * (1 + 10)))),
        (Network.random((2,) + (20,) * 30 + (1,), 0), 2 * 20**30 + sum(20**k for k in range(31))),
    ],
)
def test_number_without_enumeration(net, number):
    assert count_paths(net) == number


def test_documented_order_by_hand():
    """By output, then inputs before biases, then start and vertices."""
    net = Network(
        2,
        [
            Layer({0: [[1, 1], [None, 1]]}, bias=[1, 1]),
            Layer({0: [[1, None], [None, None]], 1: [[1, 1], [None, 1]]}, bias=[1, 1], activation="identity"),
        ],
    )
    assert [str(path) for path in enumerate_paths(net)] == [
        "x0 → (1,0) → (2,0)", "x0 → (2,0)", "x1 → (1,0) → (2,0)", "x1 → (1,1) → (2,0)",
        "bias → (1,0) → (2,0)", "bias → (1,1) → (2,0)", "bias → (2,0)",
        "x1 → (1,1) → (2,1)", "bias → (1,1) → (2,1)", "bias → (2,1)",
    ]  # fmt: skip


def test_steps_are_the_parameters_along_a_path():
    assert Path(((0, 1), (1, 0), (2, 0))).steps == (((0, 1), (1, 0)), ((1, 0), (2, 0)))
    assert Path(((1, 0), (2, 0))).steps == ((None, (1, 0)), ((1, 0), (2, 0)))
    assert Path(((2, 0),)).steps == ((None, (2, 0)),)


@pytest.mark.parametrize("call", [enumerate_paths, path_embedding])
def test_the_budget_refuses_before_anything_is_built(call):
    deep = Network.random((2,) + (20,) * 30 + (1,), 0)
    start = time.process_time()
    with pytest.raises(BudgetExceeded) as caught:
        call(deep)
    assert time.process_time() - start < 0.5
    assert str(caught.value).startswith("budget: at most 1000000 paths are allowed; ")
    assert (caught.value.budget, caught.value.unit) == (1_000_000, "paths")


def test_the_budget_is_the_number_of_paths():
    assert len(path_embedding(SKIP, budget=4)) == len(enumerate_paths(SKIP, 4)) == 4
    with pytest.raises(BudgetExceeded, match=r"^budget: at most 3 paths are allowed; 4 are needed$"):
        path_embedding(SKIP, budget=3)
    with pytest.raises(BudgetExceeded, match=r"^budget: at most 0 paths are allowed; 4 are needed$"):
        path_embedding(SKIP, budget=0)
