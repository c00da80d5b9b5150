"""Certificates about ranks and admissibility: valid, rejected where they turned false, and minors of any size.

One-letter names: ``r`` a seeded random generator, ``X`` samples.
"""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from mutations import answer, assert_sound
from region_networks import batches, random_network
from strategies import random_dag, random_mlp, random_point

from exactrelu import (
    Domain,
    InvalidInput,
    Network,
    OnKink,
    admissible,
    embedding_rank,
    functional_dimension,
    sample_rank,
)
from exactrelu.certificates import certify
from exactrelu.certificates.ranks import kernel_of, minor
from exactrelu.rationals import rank


@pytest.mark.parametrize("seeds", batches(100, 3000, 300))
def test_ranks_of_the_embedding(seeds: range) -> None:
    refused = 0
    for seed in seeds:
        r = random.Random(seed)
        net = random_dag(r, max_layers=3)
        certificate = certify("embedding_rank", network=net)
        assert certificate.claim["rank"] == embedding_rank(net)
        refused += assert_sound(certificate, r)
    assert refused > len(seeds) // 3


@pytest.mark.parametrize("seeds", batches(100, 3000, 300))
def test_ranks_at_samples(seeds: range) -> None:
    with_kernel = 0
    for seed in seeds:
        r = random.Random(seed)
        net = random_dag(r, max_layers=3)
        X = list(dict.fromkeys(tuple(random_point(r, net.input_dim)) for _ in range(r.randint(1, 12))))
        try:
            certificate = certify("sample_rank", network=net, samples=X)
        except OnKink:
            continue
        assert certificate.claim["rank"] == sample_rank(net, X)
        with_kernel += "kernel" in certificate.evidence
        assert_sound(certificate, r)
    assert with_kernel > len(seeds) // 20


@pytest.mark.parametrize("seeds", batches(60, 2000, 200))
def test_functional_dimensions(seeds: range) -> None:
    with_tree = 0
    for seed in seeds:
        net, walls = random_network(seed, 2, 3)
        domain = Domain.polytope(halfspaces=walls) if walls else Domain.space(net.input_dim)
        certificate = certify("functional_dimension", network=net, domain=domain)
        assert certificate.claim["dimension"] == functional_dimension(net, domain)
        with_tree += "tree" in certificate.evidence
        assert_sound(certificate, random.Random(seed))
    assert with_tree > len(seeds) // 4


@pytest.mark.parametrize("seeds", batches(100, 2000, 200))
def test_admissibility(seeds: range) -> None:
    for seed in seeds:
        r = random.Random(seed)
        net = random_mlp(r)
        assert_sound(certify(admissible(net)), r)


def test_a_large_rank() -> None:
    net = Network.random((8, 24, 12, 3), 1)
    certificate = certify("embedding_rank", network=net)
    assert certificate.claim["rank"] == len(net.parameters) - 36 == 519
    assert answer(certificate.to_json()).code == 0


def test_primes_that_divide_something_are_passed_over() -> None:
    for value in (Fraction(1, 65521), Fraction(65521), Fraction(65519, 65521)):
        found = minor([[value]], 1)
        assert found["modulus"] not in (65521, 65519) or value.numerator % found["modulus"]
        assert value.denominator % found["modulus"]
        assert found["inverse"][0][0] * value.numerator % found["modulus"] == value.denominator % found["modulus"]
    with pytest.raises(RuntimeError, match="internal error"):
        next_to_nothing([[Fraction(1)]])


def next_to_nothing(rows: list[list[Fraction]]) -> None:
    """A rank that the matrix does not have: all primes fail; three are enough to see it."""
    from exactrelu.certificates import ranks

    primes, ranks._primes = ranks._primes, lambda: iter((11, 13, 17))
    try:
        minor(rows, 2)
    finally:
        ranks._primes = primes


def test_kernels_have_an_identity_block() -> None:
    for seed in range(50):
        r = random.Random(seed)
        rows = [[Fraction(r.randint(-2, 2), r.randint(1, 3)) for _ in range(5)] for _ in range(r.randint(1, 5))]
        columns, vectors = kernel_of(rows, 5)
        assert len(columns) == len(vectors) == 5 - rank(rows)
        assert [[v[j] for j in columns] for v in vectors] == [[int(i == k) for i in columns] for k in columns]
        assert all(sum(a * b for a, b in zip(row, v, strict=True)) == 0 for row in rows for v in vectors)


def test_what_is_false_is_refused() -> None:
    dead = Network.mlp([[[1], [0]], [[1, 1]]])
    for claim, net in (("admissible", dead), ("not_admissible", Network.mlp([[[1]], [[1]]]))):
        with pytest.raises(InvalidInput, match="must be true to be certified"):
            certify(claim, network=net)
    with pytest.raises(OnKink):
        certify("sample_rank", network=dead, samples=[[0]])
