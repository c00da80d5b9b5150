"""Rank and kernel of the derivative of the embedding, against explicit matrices and the theory (S3)."""

from __future__ import annotations

import random
import time
from fractions import Fraction
from math import prod

import pytest
from oracles import eliminate, embedding_jacobian, is_admissible, rank_modulo
from strategies import random_admissible_dag, random_dag, random_mlp

from exactrelu import (
    InvalidInput,
    Layer,
    Network,
    embedding_kernel,
    embedding_rank,
    embedding_rank_lower_bound,
    path_embedding,
)
from exactrelu.paths.rank import PRIMES

SKIP = Network(1, [Layer({0: [[1]]}, bias=[-1]), Layer({0: [[-1]], 1: [[2]]}, bias=[0], activation="identity")])

# network, rank, parameters
CASES = {
    "all-ones 2-2-1": (Network.mlp([[[1, 1], [1, 1]], [[1, 1]]], [[1, 1], [1]]), 7, 9),
    "2 sigma(x-1) - x": (SKIP, 4, 5),
    "1-1-1 with w = b = 0, v = 1": (Network.mlp([[[0]], [[1]]], [[0], [0]]), 3, 4),
    "1-1-1 with w = 2, b = 3, v = 0": (Network.mlp([[[2]], [[0]]], [[3], [0]]), 2, 4),
    "sigma(sigma(x) - 1)": (Network.mlp([[[1]], [[1]], [[1]]], [[0], [-1], [0]]), 4, 6),
    "3-2-1 of the design": (
        Network.mlp([[[1, 2], [2, -1], [-1, 1]], [[1, 2, -3]]], [[1, -1, 2], ["1/2"]]), 10, 13),
    "linear": (Network.mlp([[[1, 0], [0, 0]]], [[0, 0]]), 6, 6),
    "all zero": (Network.mlp([[[0]], [[0]], [[0]]]), 0, 3),
    "all zero with biases": (Network.mlp([[[0]], [[0]]], [[0], [0]]), 1, 4),
    "bias only": (Network(1, [Layer({}, bias=[2]), Layer({1: [[3]]}, activation="identity")]), 1, 2),
}  # fmt: skip


def check_kernel(net: Network, jacobian) -> None:
    """The basis multiplies to zero, is independent, and has as many vectors as the rank leaves."""
    basis = embedding_kernel(net)
    size = len(net.parameters)
    for vector in basis:
        assert len(vector) == size
        assert all(sum((a * b for a, b in zip(row, vector, strict=True) if a), Fraction(0)) == 0 for row in jacobian)
    assert rank_modulo(basis) == len(basis) == size - embedding_rank(net)
    # a lower bound modulo a prime and verified kernel vectors leave no room
    assert rank_modulo(jacobian) == embedding_rank(net)


def check_scaling_directions(net: Network) -> None:
    """S3: for admissible parameters every direction w(mu_v - mu_u), b mu_v is in the span of the kernel."""
    basis = embedding_kernel(net)
    hidden = net.hidden_neurons
    assert len(basis) == len(hidden)
    for neuron in hidden:
        direction = [p.value * ((p.target == neuron) - (p.source == neuron)) for p in net.parameters]
        assert rank_modulo([*basis, direction]) == len(basis)


@pytest.mark.parametrize(("net", "rank", "size"), CASES.values(), ids=CASES.keys())
def test_known_ranks(net, rank, size):
    jacobian = embedding_jacobian(net.to_json())
    assert len(net.parameters) == size
    assert embedding_rank(net) == path_embedding(net).rank() == embedding_rank_lower_bound(net) == rank
    assert len(eliminate(jacobian)[1]) == rank
    check_kernel(net, jacobian)


def test_admissibility_is_not_necessary_for_full_rank():
    """The converse of S3 fails: not admissible and yet D - h = 3; the other example falls short of 3."""
    full, short = CASES["1-1-1 with w = b = 0, v = 1"][0], CASES["1-1-1 with w = 2, b = 3, v = 0"][0]
    assert not is_admissible(full.to_json()) and embedding_rank(full) == 4 - 1
    assert not is_admissible(short.to_json()) and embedding_rank(short) < 4 - 1


def check_random(seeds) -> tuple[int, int]:
    """Rank, bounds and kernel on seeded networks; how many were admissible, and how many fell short."""
    good = short = 0
    for seed in seeds:
        r = random.Random(seed)
        net = random_dag(r) if seed % 4 else random_mlp(r)
        jacobian = embedding_jacobian(net.to_json())
        check_kernel(net, jacobian)
        full = len(net.parameters) - len(net.hidden_neurons)
        if is_admissible(net.to_json()):
            good += 1
            assert embedding_rank(net) == full
            check_scaling_directions(net)
        short += embedding_rank(net) < full
    return good, short


def test_rank_and_kernel_on_random_networks():
    good, short = check_random(range(500))
    assert good > 100 and short > 50


@pytest.mark.sweep
def test_rank_and_kernel_on_ten_thousand_random_networks():
    good, short = check_random(range(10_000))
    assert good > 2000 and short > 1000


def test_rank_by_exact_elimination_and_the_package_s_own_jacobian():
    r = random.Random(1)
    for _ in range(150):
        net = random_dag(r, max_layers=3)
        jacobian = embedding_jacobian(net.to_json())
        assert [list(row) for row in path_embedding(net).jacobian()] == jacobian
        assert len(eliminate(jacobian)[1]) == path_embedding(net).rank() == embedding_rank(net)


def test_the_modular_lower_bound_is_below_and_usually_sharp():
    r = random.Random(2)
    for seed in range(300):
        net = random_dag(r) if seed % 2 else random_admissible_dag(r)
        rank = embedding_rank(net)
        assert embedding_rank_lower_bound(net, seed=seed) == rank
        assert embedding_rank_lower_bound(net, seed=seed, samples=2) == min(2, rank)
        assert embedding_rank_lower_bound(net, samples=0) == 0


def test_the_lower_bound_falls_where_the_prime_divides():
    p = PRIMES[0]
    alive, dead = Network.mlp([[[p]], [[1]]], [[p], [1]]), Network.mlp([[[p]], [[p]]], [[p], [1]])
    assert (embedding_rank_lower_bound(alive), embedding_rank(alive)) == (3, 3)
    assert (embedding_rank_lower_bound(dead), embedding_rank(dead)) == (1, 3)


def test_a_prime_that_divides_a_denominator_is_passed_over():
    net = Network.mlp([[[Fraction(1, PRIMES[0])]], [[Fraction(1, PRIMES[1])]]], [[1], [1]])
    assert embedding_rank_lower_bound(net) == embedding_rank(net) == 3
    with pytest.raises(InvalidInput, match=r"^network: must have denominators prime to one of "):
        embedding_rank_lower_bound(Network.mlp([[[Fraction(1, prod(PRIMES))]], [[1]]]))


def test_large_networks_need_no_enumeration():
    net = Network.random((10, 50, 50, 5), 0, bound=999, denominator=1000)
    start = time.process_time()
    assert embedding_rank(net) == len(net.parameters) - 100
    assert len(embedding_kernel(net)) == 100
    assert time.process_time() - start < 5
    small = Network.random((4, 8, 8, 2), 0)
    assert embedding_rank_lower_bound(small) == embedding_rank(small) == len(small.parameters) - 16
