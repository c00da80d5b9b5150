"""The extended checker: on its samples, beside the checker, on hostile files, alone; intervals against other digits."""

from __future__ import annotations

import copy
import gzip
import json
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import flint
import pytest
from region_networks import batches
from test_checker import alone, imported, places

import exactrelu as er
from exactrelu import Network, certify, checker, extended_checker
from exactrelu.certificates.extended_claims import EXTENDED

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "exactrelu" / "extended_checker.py"
SAMPLES = ROOT / "docs" / "certificates" / "extended"
NAMES = sorted(path.stem for path in (SAMPLES / "valid").glob("*.json"))
CORE = sorted((ROOT / "docs" / "certificates").glob("*/*.json"))


def load(name: str) -> Any:
    return json.loads((SAMPLES / "valid" / f"{name}.json").read_text())


def answer(document: Any) -> checker.Answer:
    return extended_checker.check(json.dumps(document).encode())


@pytest.mark.parametrize("name", NAMES)
def test_samples_valid_and_broken(name: str) -> None:
    valid, broken = (
        extended_checker.check((SAMPLES / kind / f"{name}.json").read_bytes()) for kind in ("valid", "broken")
    )
    assert valid.code == 0 and valid.text.startswith("VALID: ")
    assert broken.code == 1 and broken.text.startswith(("REJECTED at claim", "REJECTED at evidence"))


def test_every_claim_and_predicate_has_a_sample_and_a_paragraph() -> None:
    page = (ROOT / "docs" / "certificates.md").read_text()
    claims = [load(name)["claim"] for name in NAMES]
    assert EXTENDED.keys() == extended_checker.CLAIMS.keys() - checker.CLAIMS.keys()
    assert {claim["id"] for claim in claims} >= EXTENDED.keys()
    assert {claim["predicate"] for claim in claims if claim["id"] == "hypothesis"} == set(extended_checker.SENTENCES)
    assert all(f"**`{claim}`**" in page for claim in EXTENDED)
    assert all(f"`{predicate}`" in page for predicate in extended_checker.SENTENCES)
    assert sorted(path.stem for path in (SAMPLES / "broken").glob("*.json")) == NAMES


@pytest.mark.parametrize("path", CORE, ids=lambda path: f"{path.parent.name} {path.stem}")
def test_it_knows_all_claims(path: Path) -> None:
    assert extended_checker.check(path.read_bytes()) == checker.check(path.read_bytes())


STRANGE: tuple[Any, ...] = (None, True, -1, 10**19, "", "x", "1/0", "1" * 50, [], [[]], {}, {"point": []}, ["0"])


@pytest.mark.parametrize("name", NAMES)
def test_nothing_makes_it_stumble(name: str) -> None:
    """Every place of every sample removed, and replaced by something strange: it answers, and proves nothing false."""
    sample, r = load(name), random.Random(name)
    for path in places(sample):
        for value in (*r.sample(STRANGE, 3), "gone"):
            document = copy.deepcopy(sample)
            box = document
            for key in path[:-1]:
                box = box[key]
            if value == "gone":
                del box[path[-1]]
            else:
                box[path[-1]] = value
            assert answer(document).code in (0, 1, 2, 3)


def test_hypotheses_are_unknown_to_the_checker() -> None:
    code, text = checker.check((SAMPLES / "valid" / "hypothesis_transversal.json").read_bytes())
    assert code == 1 and text.startswith("REJECTED at claim: must have a known id")


@pytest.mark.parametrize("claim", ["value", "same_function", "regions_complete", "embedding_rank", "minimal_width"])
def test_analytic_functions_only_where_the_page_says_so(claim: str) -> None:
    document = json.loads((ROOT / "docs" / "certificates" / "valid" / f"{claim}.json").read_text())
    for layer in document["claim"]["network"]["layers"][:1]:
        layer["activation"] = "tanh"
    assert answer(document).text == "REJECTED at claim.network: must be piecewise linear for this claim"


# isolation


def test_imports_are_standard_or_the_checker() -> None:
    assert imported(PROGRAM.read_text()) <= {*sys.stdlib_module_names, ".checker"}


def test_the_test_of_imports_can_fail(tmp_path: Path) -> None:
    (tmp_path / "checker.py").write_text((ROOT / "exactrelu" / "checker.py").read_text())
    for line in ("import numpy", "from . import errors", "from exactrelu.errors import InvalidInput"):
        source = PROGRAM.read_text().replace("import importlib.util", f"{line}\nimport importlib.util", 1)
        assert not imported(source) <= {*sys.stdlib_module_names, ".checker"}
        (tmp_path / "extended_checker.py").write_text(source)
        result = alone(tmp_path / "extended_checker.py", SAMPLES / "valid" / "null_net.json")
        assert result.returncode not in (0, 2, 3) and "Error" in result.stderr


@pytest.mark.parametrize("name", ["hypothesis_general", "null_net", "different_function_tanh"])
def test_runs_alone(name: str, tmp_path: Path) -> None:
    """Two files, copied anywhere, and the standard library."""
    for program in ("checker.py", "extended_checker.py"):
        (tmp_path / program).write_text((ROOT / "exactrelu" / program).read_text())
    packed = tmp_path / f"{name}.json.gz"
    packed.write_bytes(gzip.compress((SAMPLES / "valid" / f"{name}.json").read_bytes()))
    for source, code, said in ((packed, 0, "VALID: "), (SAMPLES / "broken" / f"{name}.json", 1, "REJECTED at ")):
        result = alone(tmp_path / "extended_checker.py", source)
        assert result.returncode == code and result.stdout.startswith(said)
        assert result.stderr.startswith("checking ")


# intervals around values


@pytest.mark.parametrize("seeds", batches(200, 5200, 1000))
def test_intervals_hold_the_values_of_another_library(seeds: range) -> None:
    """Arb's balls of 400 bits lie inside, and the intervals are as narrow as they should be."""
    flint.ctx.prec, before = 400, flint.ctx.prec
    token = checker._work.set([0, None])
    try:
        for seed in seeds:
            r = random.Random(seed)
            t = Fraction(r.randint(-(10**6), 10**6), 10 ** r.randint(0, 9))
            x = flint.arb(flint.fmpq(t.numerator, t.denominator))
            known = {"tanh": x.tanh(), "logistic": 1 / (1 + (-x).exp()), "softplus": (1 + x.exp()).log()}
            for name, ball in known.items():
                if name == "softplus" and t > 200:
                    continue  # exp leaves too few digits
                low, high = extended_checker.growing(name, t, r.choice((64, 128, 256)))
                assert flint.arb(flint.fmpq(low.numerator, low.denominator)) <= ball.upper()
                assert flint.arb(flint.fmpq(high.numerator, high.denominator)) >= ball.lower()
                assert high - low < Fraction(1, 2**60)
    finally:
        flint.ctx.prec = before
        checker._work.reset(token)


def test_values_that_differ_by_very_little() -> None:
    """2^-900 is seen, equality is not, and neither is a difference below the last precision."""
    net = Network.mlp([[[1, 2], [3, -1]], [[1, -1]]], [[0, 1], [0]], activation="tanh")
    for bits, code in ((900, 0), (2000, 1)):
        other = net.replace({"b[2][0]": Fraction(1, 2**bits)})
        document = {**load("different_function_tanh")}
        document["claim"] = {**document["claim"], "domain": "R^2"}
        document["claim"] |= {"network": net.to_json(), "other": other.to_json()}
        document["evidence"] = {"point": ["1/3", "-2"]}
        assert answer(document).code == code


def test_a_difference_is_asked_for_in_the_domain() -> None:
    document = load("different_function_tanh")
    document["claim"]["domain"] = "[5,6]"
    assert answer(document).text == "REJECTED at evidence.point: must lie in the domain"


# paths and parts


def test_expressions_forget_what_is_idle() -> None:
    """A dead, a doubled, a rescaled and an unheard neuron in another order; and what must not be forgotten."""
    net = Network.mlp([[[1, -1], [2, 1]], [[3, 4]]], [[1, 0], [5]])
    more = Network.mlp([[[0, 0], [1, "1/2"], [1, -1], [1, -1], [7, 7]], [[9, 8, 1, 2, 0]]], [[0, 0, 1, 1, 7], [5]])
    for other, code in (
        (more, 0),
        (more.replace({"b[1][0]": 1}), 1),
        (more.replace({"w[2<-1][0,4]": 1}), 1),
        (more.replace({"w[2<-1][0,2]": 2}), 1),
        (net.replace({"b[2][0]": 6}), 1),
    ):
        claim = {"id": "symmetry_path", "network": net.to_json(), "other": other.to_json()}
        found = {"format": "exactrelu/certificate", "version": 1, "claim": claim, "evidence": {"steps": []}}
        assert answer(found).code == code


def test_parts_are_checked_one_by_one() -> None:
    document = load("all_of")
    inner = copy.deepcopy(document)
    document["claim"]["claims"].append(inner["claim"])
    document["evidence"]["parts"].append(inner["evidence"])
    assert answer(document).code == 0
    document["evidence"]["parts"][2]["parts"].pop()
    assert answer(document).text == "REJECTED at evidence.parts[2].parts: must have 2 entries, not 1"
    assert answer({**document, "claim": {"id": "all_of", "claims": []}}).code == 1


def test_the_command_knows_them_too(tmp_path: Path) -> None:
    certify(er.hypotheses.generic(Network.mlp([[[1]], [[1]]]))).save(tmp_path / "c.json")
    command = [sys.executable, "-m", "exactrelu.cli", "check", str(tmp_path / "c.json")]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0 and result.stdout.startswith("VALID: for the network of widths 1-1-1")
