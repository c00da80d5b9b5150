"""Certificates about identifiability and minimal widths: valid, and rejected where they turned false.

One-letter names: ``r`` a seeded random generator, ``X`` samples.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from mutations import assert_sound
from region_networks import batches
from shallow_bridge import plain
from shallow_search import global_, local
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
    Verdict,
    admissible,
    checker,
    finite_sample_exists,
    globally_identifiable,
    locally_identifiable,
    locally_identifiable_from_samples,
    minimal_width,
    zoo,
)
from exactrelu.certificates import Certificate, certify, notation
from exactrelu.certificates.certificate import Rejected
from exactrelu.certificates.neuron_types import types_json
from exactrelu.certificates.sampling import short_rank_evidence
from exactrelu.certificates.shallow_claims import by_shallow_conditions

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


def twins_instance(r: random.Random) -> tuple[Network, Domain]:
    """Kinked neurons on few hyperplanes, many of them opposite twins, and sometimes one that is on."""
    d, k = r.choice((1, 1, 2)), r.choice((1, 1, 2))
    forms, v = list[list[object]](), list[list[object]]()
    for _ in range(r.randint(1, 2 + d // 2)):
        form = [r.choice((-1, 0, 1, 2)) for _ in range(d)] + [r.choice((-1, 0, 0, 1))]
        for sign in (1, -1) if r.random() < 0.6 else (1,):
            forms.append([sign * r.choice((1, 2)) * entry for entry in form])
            v.append([r.choice((-2, -1, 1, 2, 3)) for _ in range(k)])
    if r.random() < 0.3:
        forms.append([1] + [0] * (d - 1) + [r.choice((1, 2))])
        v.append([1] * k)
    hidden, output = r.random() < 0.7, r.random() < 0.5
    net = Network.mlp(
        [[form[:d] for form in forms], list(zip(*v, strict=True))],
        [[form[d] for form in forms] if hidden else None, [0] * k if output else None],
    )
    return net, Domain.parse(r.choice((f"R^{d}", f"[-1,1]^{d}", "[-1,1]" + "xR" * (d - 1))))


def flat_instance(r: random.Random) -> tuple[Network, Domain]:
    """A shallow or deep network on a domain without interior points."""
    net = shallow_instance(r)[0] if r.random() < 0.7 else random_mlp(r, max_layers=3, max_width=2)
    d = net.input_dim
    if r.random() < 0.5:
        sides = [r.choice(((0, 0), (1, 1), (-1, 2), (None, None))) for _ in range(d - 1)]
        return net, Domain.box([*sides, r.choice(((0, 0), (2, 2)))])
    return net, Domain.polytope(vertices=[[r.randint(-2, 2) for _ in range(d)] for _ in range(d)])


def certified(instance: Callable[[random.Random], tuple[Network, Domain]], seeds: range) -> Counter[str]:
    """How many verdicts about instances have a certificate of each claim; all that decide something must have one."""
    made: Counter[str] = Counter()
    for seed in seeds:
        r = random.Random(seed)
        net, domain = instance(r)
        for ask in (locally_identifiable, globally_identifiable, finite_sample_exists):
            verdict = ask(net, domain)
            if verdict.status in DECIDED:
                certificate = certify(verdict)
                made[certificate.claim["id"]] += 1
                assert_sound(certificate, r, 2)
    return made


CLAIMED = {"locally_identifiable", "globally_identifiable", "functional_dimension", "not_identifiable"}


@pytest.mark.parametrize("seeds", batches(40, 3000, 200))
def test_shallow_networks(seeds: range) -> None:
    assert certified(shallow_instance, seeds).keys() == CLAIMED


@pytest.mark.parametrize("seeds", batches(40, 3000, 200))
def test_opposite_twins_and_missing_biases(seeds: range) -> None:
    made = certified(twins_instance, seeds)
    assert made.keys() == CLAIMED
    assert made["globally_identifiable"] > len(seeds) // 10


@pytest.mark.parametrize("seeds", batches(25, 2000, 200))
def test_domains_without_interior(seeds: range) -> None:
    assert certified(flat_instance, seeds)["not_identifiable"] > len(seeds) // 2


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
        refused += assert_sound(certificate, r, 6)
    assert refused > asked > len(seeds) // 4


@pytest.mark.parametrize("seeds", batches(25, 1000, 50))
def test_deep_networks(seeds: range) -> None:
    for seed in seeds:
        r = random.Random(seed)
        net = random_mlp(r, max_layers=3, max_width=2)
        verdict = locally_identifiable(net, r.choice((None, "x".join(["[-1,2]"] * net.input_dim))), budget=50)
        if verdict.status in DECIDED and net.depth > 2:
            assert_sound(certify(verdict), r, 2)


@pytest.mark.parametrize("seeds", batches(60, 2000, 200))
def test_samples(seeds: range) -> None:
    made: Counter[str] = Counter()
    for seed in seeds:
        r = random.Random(seed)
        net = random_mlp(r, max_layers=3, max_width=2)
        X = list(dict.fromkeys(tuple(random_point(r, net.input_dim)) for _ in range(r.choice((2, 8, 20)))))
        try:
            verdict = locally_identifiable_from_samples(net, X)
        except OnKink:
            continue
        if verdict.status in DECIDED:
            certificate = certify(verdict)
            made[certificate.claim["id"]] += 1
            assert_sound(certificate, r, 2)
        if verdict.status is Status.FAILS and admissible(net).status is Status.HOLDS:
            made["by ranks"] += certified_by_ranks(net, X, verdict, r)
    assert made.keys() == {"locally_identifiable", "not_identifiable", "by ranks"}
    assert made["by ranks"] > len(seeds) // 20


def certified_by_ranks(net: Network, X: list[tuple[Fraction, ...]], verdict: Verdict, r: random.Random) -> bool:
    """Whether ranks alone prove the verdict; not if they leave a gap."""
    claim = {"id": "not_identifiable", "network": net.to_json(), "samples": [list(map(str, x)) for x in X]}
    try:
        certificate = Certificate({**claim, "scope": r.choice(("local", "global"))}, short_rank_evidence(net, X))
    except Undecided:
        assert verdict.condition("sample_rank_gap").status is not Status.FAILS
        return False
    assert_sound(certificate, r, 4)
    return True


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


def test_finite_samples_without_listing_regions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Samples that exist are shown; that none exists may follow from a family where regions are too many."""
    net = Network.random((4, 6, 1), 0)
    found = certify(finite_sample_exists(net))
    assert found.evidence.keys() == {"interior", "samples", "minor"} and found.check()
    dead = net.replace({"w[2<-1][0,0]": 0})
    verdict = finite_sample_exists(dead)
    assert certify(verdict).claim["id"] == "functional_dimension"
    monkeypatch.setattr("exactrelu.certificates.certifying.MOST_REGIONS", 10)
    certificate = certify(verdict)
    assert (certificate.claim["id"], certificate.claim["scope"]) == ("not_identifiable", "local")
    assert_sound(certificate, random.Random(0), 10)


def test_finite_samples_in_many_inputs() -> None:
    """About 2^16 regions, none of which is listed; and one rank less for a pair of opposite neurons."""
    r = random.Random(3)
    forms = [[r.randint(-9, 9) for _ in range(11)] for _ in range(16)]
    net = Network.mlp([[form[:-1] for form in forms], [[1] * 16]], [[form[-1] for form in forms], [0]])
    certificate = certify(finite_sample_exists(net, "[-9,9]^10"))
    assert certificate.claim["dimension"] == 16 * 12 + 1 - 16 and certificate.check()
    assert certificate.evidence.keys() == {"interior", "samples", "minor"}


def test_scopes() -> None:
    hat = zoo.HAT
    verdict = globally_identifiable(hat, "[-2,2]")
    assert certify(verdict).claim["scope"] == "global"
    assert certify("not_identifiable", network=hat, scope="global").check()
    with pytest.raises(InvalidInput, match="the verdict is: holds"):
        certify("not_identifiable", network=hat, scope="local")
    with pytest.raises(InvalidInput, match='scope: must be "local" or "global"'):
        certify("not_identifiable", network=hat, scope="both")
    with pytest.raises(HypothesisNotMet):
        certify("minimal_width", network=Network.mlp([[[1]], [[1]]]))


def twins(forms: list[list[int]], v: list[object], *, hidden: bool = True, output: bool = True) -> Network:
    biases = [[form[-1] for form in forms] if hidden else None, [0] if output else None]
    return Network.mlp([[form[:-1] for form in forms], [v]], biases)


PAIR = [[1, 0], [-1, 0]]


@pytest.mark.parametrize(
    ("net", "domain", "scope", "keys"),
    [
        (twins(PAIR, [2, 1]), "R", "global", {"flips"}),  # 2 relu(x) + relu(-x)
        (twins(PAIR, [2, 1], output=False), "R", "global", {"flips"}),
        (twins(PAIR, [2, 1], hidden=False), "[-1,1]", "global", {"flips"}),
        (twins([*PAIR, [1, 1]], [2, 1, 5], output=False), "R", "global", {"flips"}),
        (twins(PAIR, [2, 1], output=False), "[-1,1]", "local", set()),
        (twins(PAIR, [1, -1], hidden=False), "[-1,1]", "local", set()),
        (twins([[1, 2]], [1], output=False), "[-1,1]", "local", set()),
        (twins([[0, 0], [0, 0]], [1, 2], hidden=False), "[-1,1]", "local", set()),
        (twins([[1, 0]], [0], hidden=False), "[-1,1]", "local", set()),
        (twins([[1, 0, 1], [0, 1, 0], [0, -1, 0]], [1, 2, 1], output=False), "[-1,1]^2", "local", {"rigid"}),
        (twins([[0, 0, 1], [1, 1, 0], [-1, -1, 0]], [1, 2, 1], output=False), "R^2", "local", {"rigid"}),
    ],
)
def test_variants(net: Network, domain: str, scope: str, keys: set[str]) -> None:
    ask = globally_identifiable if scope == "global" else locally_identifiable
    certificate = certify(ask(net, domain))
    assert certificate.evidence.keys() == {"interior", "types"} | keys
    assert_sound(certificate, random.Random(0), 60)


def test_without_hidden_biases_the_origin_must_be_inside() -> None:
    net = Network.mlp([[[1, 0], [1, 1]], [[1, 1]]], [None, [0]])
    certificate = certify(locally_identifiable(net, "[-1,1]^2"))
    assert "types" in certificate.evidence
    domain = Domain.parse("[-1,1]x[0,1]")
    evidence = {"interior": ["0", "1/2"], "types": types_json(net, domain)}
    with pytest.raises(Rejected, match=r"claim\.domain: must lie in the domain"):
        Certificate({**certificate.claim, "domain": domain.text}, evidence).check()


@pytest.mark.parametrize("seeds", batches(30, 3000, 300))
def test_shallow_claims_against_the_search_for_all_competitors(seeds: range) -> None:
    """The checker accepts locally exactly what the search of the tests affirms, and globally nothing else."""
    answers: Counter[tuple[str, int, str]] = Counter()
    for seed in seeds:
        r = random.Random(seed)
        net = r.choice((twins_instance, twins_instance, shallow_instance))(r)[0]
        d, (low, high) = net.input_dim, r.choice(((-1, 1), (-2, 2), (-1, 2)))
        vertices = r.choice((None, [tuple(map(Fraction, x)) for x in product((low, high), repeat=d)]))
        domain = Domain.parse(f"R^{d}" if vertices is None else f"[{low},{high}]^{d}")
        types = {"interior": notation.numbers(domain.interior_point()), "types": types_json(net, domain)}
        claim = {"network": net.to_json(), "domain": domain.text}
        for scope, decide, more in (
            ("locally", local, rigid(net, domain)),
            ("globally", global_, {"flips": "exhaustive"}),
        ):
            certificate = Certificate({"id": f"{scope}_identifiable", **claim}, {**types, **more})
            code = checker.check(certificate.text().encode()).code
            answers[scope, code, str(decide(plain(net), vertices))] += 1
    assert not answers["locally", 0, "fails"] + answers["globally", 0, "fails"] + answers["locally", 1, "holds"]
    assert min(answers[scope, 0, "holds"] for scope in ("locally", "globally")) > len(seeds) // 6
    assert answers["globally", 1, "holds"] < len(seeds) // 8  # which the theory leaves open


def rigid(net: Network, domain: Domain) -> dict[str, object]:
    """The evidence that a neuron that is on cannot be tilted, if there is some."""
    try:
        found = by_shallow_conditions(net, domain) or {}
    except AssertionError:
        return {}
    return {"rigid": found["rigid"]} if "rigid" in found else {}
