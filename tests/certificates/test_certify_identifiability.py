"""Certificates about identifiability and minimal widths: valid, and rejected where they turned false.

One-letter names: ``r`` a seeded random generator, ``X`` samples.
"""

from __future__ import annotations

import random

import pytest
from mutations import assert_sound
from region_networks import batches
from strategies import DEGENERATE, PLAIN, random_mlp, random_point

from exactrelu import (
    Domain,
    ExactReluError,
    HypothesisNotMet,
    InvalidInput,
    Network,
    OnKink,
    Status,
    Undecided,
    finite_sample_exists,
    globally_identifiable,
    locally_identifiable,
    locally_identifiable_from_samples,
    minimal_width,
    zoo,
)
from exactrelu.certificates import certify

DECIDED = (Status.HOLDS, Status.FAILS)


def shallow_instance(r: random.Random) -> tuple[Network, Domain]:
    """A small shallow network, often degenerate, on space, a box or a half-bounded product."""
    d, h, k = r.randint(1, 2), r.randint(1, 4), r.randint(1, 2)
    entries = r.choice((PLAIN, DEGENERATE))

    def vector(size: int) -> list[object]:
        return [r.choice(entries) for _ in range(size)]

    forms = [vector(d + 1) for _ in range(h)]
    if h > 1 and r.random() < 0.4:
        forms[1] = [r.choice((-1, -2, 2)) * entry for entry in forms[0]]
    hidden, output = r.random() < 0.8, r.random() < 0.8
    net = Network.mlp(
        [[form[:d] for form in forms], [vector(h) for _ in range(k)]],
        [[form[d] for form in forms] if hidden else None, vector(k) if output else None],
    )
    return net, Domain.parse(r.choice((f"R^{d}", f"[-2,2]^{d}", "[-1,1]" + "xR" * (d - 1))))


@pytest.mark.parametrize("seeds", batches(80, 3000, 200))
def test_shallow_networks(seeds: range) -> None:
    made: dict[tuple[str, str], int] = {}
    uncovered = 0
    for seed in seeds:
        r = random.Random(seed)
        net, domain = shallow_instance(r)
        for ask in (locally_identifiable, globally_identifiable, finite_sample_exists):
            verdict = ask(net, domain)
            if verdict.status not in DECIDED:
                continue
            try:
                certificate = certify(verdict)
            except Undecided:
                uncovered += 1
                continue
            made[certificate.claim["id"], verdict.status] = made.get((certificate.claim["id"], verdict.status), 0) + 1
            assert_sound(certificate, r, 2)
    claims = {"locally_identifiable", "globally_identifiable", "functional_dimension", "not_identifiable"}
    assert {claim for claim, _ in made} == claims
    assert sum(made.values()) > 20 * uncovered


@pytest.mark.parametrize("seeds", batches(80, 3000, 300))
def test_minimal_widths(seeds: range) -> None:
    refused = asked = 0
    for seed in seeds:
        r = random.Random(seed)
        net, domain = shallow_instance(r)
        try:
            width = minimal_width(net, domain)
        except ExactReluError:
            continue
        certificate = certify("minimal_width", network=net, domain=domain)
        assert certificate.claim["width"] == width
        asked += 1
        refused += assert_sound(certificate, r)
    assert refused > asked > len(seeds) // 4


@pytest.mark.parametrize("seeds", batches(25, 1000, 50))
def test_deep_networks(seeds: range) -> None:
    untold = 0
    for seed in seeds:
        r = random.Random(seed)
        net = random_mlp(r, max_layers=3, max_width=2)
        verdict = locally_identifiable(net, r.choice((None, "x".join(["[-1,2]"] * net.input_dim))), budget=50)
        if verdict.status in DECIDED and net.depth > 2:
            try:
                assert_sound(certify(verdict), r, 2)
            except Undecided:  # where no neuron has a gauge, colours see signs only
                untold += 1
    assert untold <= len(seeds) // 50


@pytest.mark.parametrize("seeds", batches(60, 2000, 200))
def test_samples(seeds: range) -> None:
    made: dict[str, int] = {}
    for seed in seeds:
        r = random.Random(seed)
        net = random_mlp(r, max_layers=3, max_width=2)
        X = list(dict.fromkeys(tuple(random_point(r, net.input_dim)) for _ in range(r.choice((2, 8, 20)))))
        try:
            verdict = locally_identifiable_from_samples(net, X)
        except OnKink:
            continue
        if verdict.status is Status.FAILS and verdict.family is None:
            with pytest.raises(Undecided, match="names no other parameters"):
                certify(verdict)
        elif verdict.status in DECIDED:
            certificate = certify(verdict)
            made[certificate.claim["id"]] = made.get(certificate.claim["id"], 0) + 1
            assert_sound(certificate, r, 2)
    assert made.keys() == {"locally_identifiable", "not_identifiable"}


def test_the_chain_has_a_certificate_of_its_family() -> None:
    chain = Network.mlp([[[1]], [[1]], [[1]]], [[0], [-1], [0]])
    certificate = certify(locally_identifiable(chain))
    assert certificate.evidence["family"] == {"b[1][0]": ["0", "1"], "b[2][0]": ["-1", "-1"]}
    assert certificate.check()


def test_a_kink_that_goes_to_infinity() -> None:
    """relu(tx - 1) on the line: no polynomial point shows its kink, but a split tree needs none."""
    net = Network.mlp([[[-1], [0]], [[1, 0]]], [[0, -1], [0]])
    certificate = certify(locally_identifiable(net))
    assert "tree" in certificate.evidence["equality"]
    assert certificate.check()


def test_the_kinds_of_proof_that_no_flip_exists() -> None:
    positive = Network.mlp([[[1], [2], [3]], [[1, 1, 1]]], [[0, 1, 5], [0]])
    independent = Network.mlp([[[1, 0], [0, 1]], [[1, 1]]], [[0, 0], [0]])
    mixed = Network.mlp([[[1], [1], [1]], [[1, 2, -4]]], [["1/2", 0, "-1/2"], [0]])
    kinds = []
    for net in (positive, independent, mixed):
        certificate = certify(globally_identifiable(net))
        assert certificate.check()
        flips = certificate.evidence["flips"]
        kinds.append(flips if isinstance(flips, str) else next(iter(flips)))
    assert kinds == ["functional", "minor", "exhaustive"]


def test_scopes() -> None:
    hat = zoo.HAT
    verdict = globally_identifiable(hat, "[-2,2]")
    assert certify(verdict).claim["scope"] == "global"
    assert certify("not_identifiable", network=hat, scope="global").check()
    with pytest.raises(InvalidInput, match="the verdict is: holds"):
        certify("not_identifiable", network=hat, scope="local")
    with pytest.raises(InvalidInput, match='scope: must be "local" or "global"'):
        certify("not_identifiable", network=hat, scope="both")
    with pytest.raises(InvalidInput, match="must have interior points"):
        certify(locally_identifiable(hat, Domain.box([(1, 1)])))
    with pytest.raises(HypothesisNotMet):
        certify("minimal_width", network=Network.mlp([[[1]], [[1]]]))


def test_variants_that_no_certificate_covers() -> None:
    on = Network.mlp([[[1]], [[1]]], [[2], None])  # relu(x + 2) without output bias, on [-1, 1]
    verdict = globally_identifiable(on, "[-1,1]")
    assert verdict.status in (Status.HOLDS, Status.UNKNOWN)
    if verdict.status is Status.HOLDS:
        with pytest.raises(Undecided, match="no certificate covers"):
            certify(verdict)
