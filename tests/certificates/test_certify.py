"""From verdicts to files: what certify takes, what it refuses, and what a saved certificate is."""

from __future__ import annotations

import gzip
import json
import random
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import exactrelu as er
from exactrelu import InvalidFile, InvalidInput, Layer, Network, Status, Undecided, Verdict, hypotheses, zoo
from exactrelu.certificates import CLAIMS, Certificate, certify
from exactrelu.certificates.certificate import Rejected
from exactrelu.certificates.certifying import QUESTIONS
from exactrelu.symmetries import affine_symmetries
from exactrelu.symmetries.irreducible import irreducible
from exactrelu.theorems import Instance
from exactrelu.theorems.predicates import Predicate

CHECKER = Path(er.__path__[0]) / "checker.py"
NET = Network.mlp([[[1, 2], [2, -1], [-1, 1]], [[1, 2, -3]]], [[1, -1, 2], ["1/2"]])
NULL = Network(1, [Layer({0: [[1]]}), Layer({1: [[1]]}), Layer({2: [[1]], 1: [[-1]]}, activation="identity")])
TANH = Network.mlp([[["1/2"]], [[3]]], activation="tanh")
ODD = affine_symmetries("tanh", [(1, 0), (-1, 0)]).basis[0]


def wide(network: Network) -> bool:
    """Every layer has two neurons."""
    return min(network.widths) >= 2


def run_checker(path: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-S", str(CHECKER), str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", ["c.json", "c.json.gz"])
def test_a_saved_certificate_is_checked_without_us(tmp_path: Path, name: str) -> None:
    certificate = certify(er.locally_identifiable(NET, domain="[-2,2]^2"))
    certificate.save(tmp_path / name)
    result = run_checker(tmp_path / name)
    assert result.returncode == 0
    assert result.stdout.strip() == f"VALID: {certificate.check()}"
    content = (tmp_path / name).read_bytes()
    data = json.loads(gzip.decompress(content) if name.endswith("gz") else content)
    assert data == certificate.to_json()
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_the_same_certificate_is_the_same_file(tmp_path: Path) -> None:
    for k in (0, 1):
        certify("regions_complete", network=NET, domain="[-1,1]xR").save(tmp_path / f"{k}.json.gz")
    assert (tmp_path / "0.json.gz").read_bytes() == (tmp_path / "1.json.gz").read_bytes()


def test_a_certificate_of_something_else_is_rejected() -> None:
    certificate = certify("value", network=NET, point=["1/3", "-1/2"])
    assert certificate.claim["value"] == ["-7/3"]
    wrong = Certificate({**certificate.claim, "value": ["7/3"]}, certificate.evidence)
    with pytest.raises(Rejected, match=r"REJECTED at .*value"):
        wrong.check()


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    certificate = certify("admissible", network=NET)
    (tmp_path / "folder.json").mkdir()
    for path in (tmp_path / "nowhere" / "c.json", tmp_path / "folder.json", "\0"):
        with pytest.raises(InvalidFile, match=r"must be writable|must be a regular file|must be a file name"):
            certificate.save(path)
    assert [path.name for path in tmp_path.iterdir()] == ["folder.json"]


def test_every_question_knows_its_subject() -> None:
    samples = er.identifying_samples(NET).points
    verdicts = [
        er.admissible(NET),
        er.scaling_equivalent(NET, NET),
        er.permutation_scaling_equivalent(NET, NET),
        er.same_function(NET, NET),
        er.locally_identifiable(NET),
        er.globally_identifiable(NET),
        er.finite_sample_exists(NET),
        er.locally_identifiable_from_samples(NET, iter(samples)),
        er.is_affine_symmetry("abs", [1, -1], [(1, 0), (-1, 0)]),
        er.analyze(NET).locally_identifiable,
        er.analyze(Network.random((2, 3, 3, 1), 0)).locally_identifiable,
        er.compare_networks(NET, NET).same_function,
        *(decide(NET) for decide in map(hypotheses.__dict__.get, hypotheses.__all__)),
        irreducible(NET),
        er.path_between(NET, NET),
        er.is_null_net(NULL),
        er.modification_preserves(TANH, er.Modification((1, 0), ODD, (2, 0), Fraction(1))),
    ]
    for verdict in verdicts:
        assert verdict.subject is not None
        assert (verdict.subject.question, verdict.status) in QUESTIONS
        assert certify(verdict).check()
    assert set(QUESTIONS.values()) <= CLAIMS.keys()
    asked = {verdict.subject.question for verdict in verdicts}
    assert {question for question, _ in QUESTIONS} == asked


def test_the_least_width_answers_irreducible() -> None:
    rng = random.Random(7)
    answers = set()
    for _ in range(100):
        weights = [[rng.randint(-1, 1) or 1] for _ in range(rng.randint(1, 4))]
        biases = [rng.randint(-1, 1) for _ in weights]
        net = Network.mlp([weights, [[rng.randint(-1, 1) for _ in weights]]], [biases, [1]])
        verdict = er.hypotheses.irreducible(net, "[-2,2]")
        if verdict.status in (Status.HOLDS, Status.FAILS):
            certificate = certify(verdict)
            certificate.check()
            assert (certificate.claim["width"] < len(weights)) == (verdict.status is Status.FAILS)
            answers.add(verdict.status)
    assert answers == {Status.HOLDS, Status.FAILS}


def test_networks_on_different_orbits_differ_at_a_point() -> None:
    verdict = er.path_between(zoo.HAT, Network.mlp([[[1]], [[1]]], [[0], [0]]))
    assert verdict.status is Status.FAILS
    certificate = certify(verdict)
    assert certificate.claim["id"] == "different_function"
    assert certificate.check()


def test_a_network_that_is_not_zero_is_no_null_net() -> None:
    certificate = certify(er.is_null_net(NET))
    assert certificate.claim["id"] == "different_function"
    (layer,) = certificate.claim["other"]["layers"]
    assert layer["weights"] == {"0": [["0"] * NET.input_dim] * NET.output_dim}
    assert certificate.check()


def test_statements_are_certified_by_their_parts() -> None:
    claim = er.Theorem(hypotheses=[er.admissible], conclusion=er.locally_identifiable)
    certificate = certify(claim.check(NET))
    assert [part["id"] for part in certificate.claim["claims"]] == ["admissible", "locally_identifiable"]
    assert certificate.check().count("; and ") == 1
    on = Network.mlp([[[1]], [[1]]], [[9], [0]])
    counterexample = certify(claim.check(on, domain="[-1,1]"))
    assert [part["id"] for part in counterexample.claim["claims"]] == ["admissible", "not_identifiable"]
    assert counterexample.check()
    negated = Predicate.of(er.locally_identifiable).negated("moving", "some family keeps the function")
    assert certify(negated.on(Instance(on, domain=er.Domain.parse("[-1,1]")))).claim["id"] == "not_identifiable"


def test_the_subject_is_no_part_of_the_verdict() -> None:
    verdict = er.admissible(NET)
    assert replace(verdict, subject=None) == verdict
    assert "subject" not in verdict.to_json()
    assert "subject" not in repr(verdict)
    assert hash(replace(verdict, subject=None)) == hash(verdict)


def test_what_cannot_be_certified_is_refused() -> None:
    tanh = Network.mlp([[[1]], [[1]]], activation="tanh")
    cases = [
        (lambda: certify("nonsense"), InvalidInput, "claim: must be a verdict or one of value, different_function"),
        (lambda: certify(3), InvalidInput, "claim: must be a verdict"),
        (lambda: certify("value", network=NET), InvalidInput, "value: must have the arguments .*missing.*'point'"),
        (lambda: certify("value", network=NET, point=[1, 2], where=3), InvalidInput, "unexpected keyword argument"),
        (lambda: certify(Verdict("anything", Status.HOLDS)), Undecided, "no certificate states verdicts of this kind"),
        (lambda: certify(er.Theorem(hypotheses=[], conclusion=wide).check(NET)), Undecided, "of this kind: "),
        (lambda: certify(er.admissible(NET), network=NET), InvalidInput, "must be none but a budget"),
        (lambda: certify(er.globally_identifiable(zoo.HAT, budget=0)), InvalidInput, "must hold or fail"),
        (lambda: certify(er.scaling_equivalent(NET, zoo.HAT)), InvalidInput, "got 'inapplicable'"),
        (lambda: certify(Verdict("?", Status.HOLDS).about("general", network=NET)), Undecided, "general holds"),
        (lambda: certify("not_scaling_equivalent", network=NET, other=NET), InvalidInput, "be true"),
        (lambda: certify("regions_complete", network=tanh), er.HypothesisNotMet, "must be piecewise linear"),
    ]  # fmt: skip
    for call, error, message in cases:
        with pytest.raises(error, match=message):
            call()


def test_numbers_of_any_length() -> None:
    net = Network.mlp([[[Fraction(10**5000, 3)]], [[1]]], [[Fraction(1, 10**5000)], [0]])
    assert certify("regions_complete", network=net).check()


def test_nothing_is_computed_before_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AssertionError("evidence was computed for a plain verdict")

    monkeypatch.setattr("exactrelu.certificates.splitting.maximise_rows", fail)
    verdict = er.same_function(*(Network.random((2, 3, 3, 1), 0),) * 2)
    assert verdict.status is Status.HOLDS
    with pytest.raises(AssertionError, match="evidence was computed"):
        certify(verdict)
