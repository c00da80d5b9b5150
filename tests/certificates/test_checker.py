"""The trusted checker on its samples, on hostile files, against other deciders, and in isolation."""

from __future__ import annotations

import ast
import copy
import gzip
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest

import exactrelu as er
from exactrelu import certify, checker
from exactrelu.verdicts import Status

ROOT = Path(__file__).parents[2]
CHECKER = ROOT / "exactrelu" / "checker.py"
SAMPLES = ROOT / "docs" / "certificates"
VALID = sorted((SAMPLES / "valid").glob("*.json"))
NAMES = [path.stem for path in VALID]


def answer(document: Any) -> checker.Answer:
    return checker.check(json.dumps(document).encode())


def load(name: str) -> Any:
    return json.loads((SAMPLES / "valid" / f"{name}.json").read_text())


def certificate(identifier: str, evidence: Any, **claim: Any) -> Any:
    claim = {key: value.to_json() if hasattr(value, "to_json") else value for key, value in claim.items()}
    return {
        "format": "exactrelu/certificate",
        "version": 1,
        "claim": {"id": identifier, **claim},
        "evidence": evidence,
    }


# samples


@pytest.mark.parametrize("name", NAMES)
def test_samples_valid_and_broken(name: str) -> None:
    valid, broken = (checker.check((SAMPLES / kind / f"{name}.json").read_bytes()) for kind in ("valid", "broken"))
    assert valid.code == 0 and valid.text.startswith("VALID: ")
    assert broken.code == 1 and broken.text.startswith(("REJECTED at claim", "REJECTED at evidence"))


def test_every_claim_has_a_sample_and_a_paragraph() -> None:
    page = (ROOT / "docs" / "certificates.md").read_text()
    assert {load(name)["claim"]["id"] for name in NAMES} == set(checker.CLAIMS)
    assert all(f"**`{claim}`**" in page for claim in checker.CLAIMS)
    assert [path.stem for path in sorted((SAMPLES / "broken").glob("*.json"))] == NAMES


# every place of every sample


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    for key, entry in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(entry, (*path, key))


def changed(document: Any, path: tuple[Any, ...], entry: Any) -> Any:
    result = copy.deepcopy(document)
    target = result
    for key in path[:-1]:
        target = target[key]
    if entry is KeyError:
        del target[path[-1]]
    else:
        target[path[-1]] = entry
    return result


WRONG = [
    True,
    -1,
    7,
    2**62,
    1.5,
    "",
    "x",
    "1/0",
    "1.",
    " 1",
    "[1,0]",
    [],
    [[]],
    [0, "1"],
    {},
    {"empty": 0},
    {"empty": 99},
]


def try_wrong_types(step: int) -> int:
    tried = 0
    for name in NAMES:
        document = load(name)
        for number, path in enumerate(places(document)):
            old = document
            for key in path:
                old = old[key]
            for entry in WRONG[number % step :: step]:
                no_edges = path[-1] == "weights" and entry == {}  # a layer of constants, which is a network
                if (type(entry) is not type(old) and not no_edges) or (isinstance(old, str) and entry != "[1,0]"):
                    found = answer(changed(document, path, entry))
                    assert found.code in (1, 2, 3), (name, path, entry, found)
                    tried += 1
    return tried


def test_wrong_types_are_never_valid() -> None:
    assert try_wrong_types(10) > 2_000


@pytest.mark.sweep
def test_wrong_types_everywhere_are_never_valid() -> None:
    assert try_wrong_types(1) > 20_000


def test_nulls_missing_and_unknown_keys() -> None:
    for name in NAMES:
        document = load(name)
        for path in list(places(document))[::3]:
            found = answer(changed(document, path, None))
            assert found.code in (1, 2) or "weights" in path or "bias" in path, (name, path)
            if isinstance(path[-1], str):
                allowed = "family" in path or "weights" in path[:-1]  # a layer without these edges
                assert answer(changed(document, path, KeyError)).code in (1, 2) or allowed, (name, path)
                extra = (*path[:-1], "surprise")
                assert answer(changed(document, extra, "0")).code in (1, 2), (name, path)


# hostile files


def hostile() -> Iterator[tuple[str, bytes]]:
    head = b'{"format":"exactrelu/certificate","version":1,"claim":{"id":"value"},"evidence":'
    yield "deep lists", b"[" * 200_000 + b"]" * 200_000
    yield "deep objects", b'{"a":' * 100_000 + b"1" + b"}" * 100_000
    yield "deep evidence", head + b"[" * 60 + b"]" * 60 + b"}"
    yield "entries", b"[" + b"0," * 6_000_000 + b"0]"
    yield "objects", head + b"[" + b"{}," * 3_000_000 + b"{}]}"
    yield "digits as an integer", head + b"9" * 1_000_000 + b"}"
    yield "repeated key", b'{"format":"exactrelu/certificate","format":"exactrelu/certificate"}'
    yield "NaN", head + b"NaN}"
    yield "float", head + b"1.0}"
    yield "infinity", head + b"-Infinity}"
    yield "not text", b"\xff\xfe\x00"
    yield "empty", b""
    yield "zeros", b"\x00" * 100
    yield "gzip cut short", gzip.compress(json.dumps(load("value")).encode())[:-9]
    yield "gzip bomb", gzip.compress(b"[" + b" " * (70 * 2**20) + b"]")
    yield "other version", json.dumps(load("value")).replace('"version": 1', '"version": 2', 1).encode()
    yield "true version", json.dumps(load("value")).replace('"version": 1', '"version": true', 1).encode()


@pytest.mark.parametrize(("name", "data"), [pytest.param(n, d, id=n) for n, d in hostile()])
def test_hostile_bytes(name: str, data: bytes) -> None:
    assert checker.check(data).code in (2, 3)


def expensive() -> Iterator[tuple[str, Any, set[int]]]:
    base = load("value")
    many = ("claim", "network", "layers")
    yield "digits", changed(base, ("claim", "point", 0), "9" * 30_000), {3}
    yield "long digits", changed(base, ("claim", "point", 0), "1/" + "9" * 20_000), {1}
    yield "lone surrogate", changed(base, ("claim", "point", 0), "\ud800"), {1}
    yield "inputs", changed(base, ("claim", "network", "input_dim"), 2**60), {1}
    wide = "1/" + "7" * 20_000
    deep = [{"activation": "relu", "weights": [[str(k) + wide]], "bias": [wide]} for k in range(40)]
    yield "growth", changed(base, many, deep), {3}
    dense = [{"activation": "relu", "weights": [["1"] * 120] * 120, "bias": None} for _ in range(5)]
    dense[0]["weights"] = [["1"]] * 120
    yield "dense", changed(changed(base, many, dense), ("claim", "value"), ["0"]), {1}
    tree = load("regions_complete")
    yield "dimension", changed(tree, ("claim", "domain"), "R^9999999"), {1}
    yield "long tree", changed(tree, ("evidence", "tree"), [[0, 1, 0]] * 100_000), {1}
    wide_input = er.Network.mlp([[[1] * 400], [[1]]])
    boxed = certificate(
        "regions_complete", {"combinations": [], "tree": []}, network=wide_input, domain="[0,1]^400", count=0
    )
    yield "box of 400 dimensions", boxed, {1, 3}
    local = load("not_identifiable_local_deep")
    yield "polynomial", changed(local, ("evidence", "family", "b[1][0]"), ["0"] * 17), {1}
    tall = ["0", *["9" * 19_000] * 15]
    yield "large polynomial", changed(local, ("evidence", "family", "b[1][0]"), tall), {1, 3}
    rank = changed(load("sample_rank"), ("claim", "rank"), 2)
    yield "minor", changed(rank, ("claim", "rank"), 10**9), {1, 3}
    flips = er.Network.mlp([[[1]] * 41, [[1] * 41]], [list(range(41)), [0]])
    types = [{"kinked": [["-99"], ["99"]]}] * 41
    found = {"interior": ["0"], "types": types, "flips": "exhaustive"}
    yield "exhaustive", certificate("globally_identifiable", found, network=flips, domain="R"), {3}
    kinks = {
        "breakpoints": [str(k) for k in range(20_000)],
        "slopes": [str(k % 2) for k in range(20_001)],
        "anchor": ["0", "0"],
    }
    yield "breakpoints", changed(tree, ("claim", "network", "layers", 0, "activation"), kinks), {1, 3}


def searches() -> Iterator[tuple[str, Any, set[int]]]:
    rows = [[int(j in (k, (k + 1) % 8)) for j in range(8)] for k in range(8)]
    other = [[int(j in (k, 4 * (k // 4) + (k + 1) % 4)) for j in range(8)] for k in range(8)]
    nets = [er.Network.mlp([[[1]] * 8, matrix, [[1] * 8]]) for matrix in (rows, other)]
    colours = {"invariant": "colours"}
    yield "permutations", certificate("not_ps_equivalent", colours, network=nets[0], other=nets[1]), {3}
    many = certificate("not_ps_equivalent", colours, network=nets[0], other=nets[0])
    yield "many colours", many, {1, 3}
    wide = [er.Network.mlp([[[w]] * 5000, [[0] * 5000]]) for w in (0, 1)]
    yield "wide layers", certificate("not_ps_equivalent", colours, network=wide[0], other=wide[0]), {3}
    small = load("not_ps_equivalent_moves")
    for name in ("network", "other"):
        for layer in small["claim"][name]["layers"]:
            for matrix in layer["weights"].values():
                matrix[:] = [[w if w == "0" else f"{w}/{'7' * 19_000}" for w in row] for row in matrix]
    yield "permutations of long numbers", small, {0, 1, 3}
    pairs = [[s * k, s * k * k] for k in range(1, 21) for s in (1, -1)]
    net = er.Network.mlp([[form[:1] for form in pairs], [[1, 2] * 20]], [[form[1] for form in pairs], None])
    types = [{"kinked": [[str(-99 * s)], [str(99 * s)]]} for _ in range(20) for s in (1, -1)]
    found = {"interior": ["0"], "types": types, "flips": "exhaustive"}
    yield "twins", certificate("globally_identifiable", found, network=net, domain="R"), {1, 3}
    points = [[str(Fraction(k, 7))] for k in range(1, 3_000)]
    ranks = load("not_identifiable_ranks")
    ranks["claim"]["samples"] = points
    yield "many relations", ranks, {1, 3}
    flat = load("not_identifiable_flat")
    halfspaces = flat["claim"]["domain"]["halfspaces"]
    flat["claim"]["domain"]["halfspaces"] = halfspaces * 2_000
    flat["evidence"]["equality"]["flat"] = [[k, "1"] for k in range(8_000)]
    yield "many equations", flat, {1, 3}


@pytest.mark.parametrize(("name", "document", "codes"), [pytest.param(*e, id=e[0]) for e in searches()])
def test_searches_end_soon(name: str, document: Any, codes: set[int]) -> None:
    found = answer(document)
    assert found.code in codes, found


def test_the_cost_is_stated_before_the_check(capsys: pytest.CaptureFixture[str]) -> None:
    """An estimate, but a larger certificate has a larger one."""
    for name in ("regions_complete_hat", "functional_dimension_chain", "same_function"):
        assert 50 < cost_of((SAMPLES / "valid" / f"{name}.json").read_bytes(), capsys) < 2_000
    large = certify("regions_complete", network=er.Network.random((2, 12, 12, 1), 0))
    assert 100_000 < cost_of(large.text().encode(), capsys) < 10_000_000


def cost_of(data: bytes, capsys: pytest.CaptureFixture[str]) -> int:
    checker.check(data, report=True)
    said = capsys.readouterr().err
    assert said.startswith(f"checking {len(data)} bytes: about this many units of work, of at most 300000000: ")
    return int(said.rsplit(" ", 1)[1])


@pytest.mark.parametrize(("name", "document", "codes"), [pytest.param(*e, id=e[0]) for e in expensive()])
def test_expensive_documents_end_soon(name: str, document: Any, codes: set[int]) -> None:
    found = answer(document)
    assert found.code in codes, found


# against other deciders


def draw(rng: random.Random, widths: tuple[int, ...], entries: tuple[int, ...] = (-1, 0, 0, 1, 2)) -> er.Network:
    pairs = list(pairwise(widths))
    weights = [[[rng.choice(entries) for _ in range(m)] for _ in range(n)] for m, n in pairs]
    biases = [None if rng.random() < 0.3 else [rng.choice(entries) for _ in range(n)] for _, n in pairs]
    return er.Network.mlp(weights, biases)


def read(net: er.Network) -> checker.Network:
    token = checker._work.set([0])
    try:
        return checker.read_network(checker.Item(net.to_json(), "network"))
    finally:
        checker._work.reset(token)


def test_formula_for_the_rank_of_the_embedding() -> None:
    rng, deficient = random.Random(1), 0
    for _ in range(150):
        net = draw(rng, rng.choice([(1, 1, 1), (2, 2, 1), (1, 2, 2, 1), (2, 3, 2)]))
        rank = er.embedding_rank(net)
        assert read(net).embedding_rank() == rank
        deficient += rank < len(net.parameters) - len(net.hidden_neurons)
    assert deficient > 50


def test_colours_against_the_search_for_equivalences() -> None:
    rng, told = random.Random(2), 0
    for _ in range(150):
        net = draw(rng, rng.choice([(1, 2, 1), (2, 2, 2, 1), (1, 3, 1)]))
        if rng.random() < 0.5:
            order = [rng.sample(range(layer.width), layer.width) for layer in net.layers[:-1]]
            other = net.permute(order).rescale([[Fraction(rng.randint(1, 5), 2) for _ in row] for row in order])
        else:
            values = [parameter.value for parameter in net.parameters]
            other = net.with_values([-v if rng.random() < 0.2 else v for v in values])
        equivalent = er.permutation_scaling_equivalent(net, other).status is Status.HOLDS
        evidence = {"invariant": "colours"}
        found = answer(certificate("not_ps_equivalent", evidence, network=net, other=other))
        assert not (equivalent and found.code == 0)
        told += not equivalent and found.code == 0
        assert equivalent or found.code == 0
    assert told > 20


def test_exhaustive_flips_against_brute_force() -> None:
    rng, both = random.Random(3), [0, 0]
    for _ in range(60):
        h = rng.randint(1, 7)
        v = [rng.choice([-3, -2, -1, 1, 2, 3, 5]) for _ in range(h)]
        net = er.Network.mlp([[[1]] * h, [v]], [list(range(h)), [0]])
        types = [{"kinked": [["-99"], ["99"]]}] * h
        evidence = {"interior": ["0"], "types": types, "flips": "exhaustive"}
        found = answer(certificate("globally_identifiable", evidence, network=net, domain="[-100,100]"))
        zero = any(not sum(s) for k in range(1, h + 1) for s in combinations(v, k))
        assert found.code == (1 if zero else 0)
        both[zero] += 1
    assert min(both) > 10


def test_opposite_twins_on_bounded_domains_are_not_identifiable_globally() -> None:
    document = load("locally_identifiable_shallow")
    document["claim"]["id"], document["evidence"]["flips"] = "globally_identifiable", "exhaustive"
    assert answer(document).text.startswith("REJECTED at evidence.flips: the choice 0 must have rank 2")
    for flips in ({"functional": ["1"]}, {"minor": {"rows": [], "columns": [], "modulus": 7, "inverse": []}}):
        document["evidence"]["flips"] = flips
        assert answer(document).text.startswith("REJECTED at evidence.flips: must be")


def test_rigid_evidence_is_given_exactly_where_it_is_needed() -> None:
    document = load("locally_identifiable_rigid")
    rigid = document["evidence"].pop("rigid")
    assert answer(document).text.startswith("REJECTED at evidence.types: opposite twins take up")
    document = load("locally_identifiable_on")
    assert answer(document).code == 0
    for extra in ([], rigid):
        document["evidence"]["rigid"] = extra
        assert answer(document).code == 1


def test_widths_against_the_library() -> None:
    rng = random.Random(4)
    for _ in range(40):
        net = er.Network.mlp(
            [[[rng.choice([-2, -1, 1, 2])] for _ in range(3)], [[rng.choice([-1, 1, 2]) for _ in range(3)]]],
            [[rng.choice([-1, 0, 1]) for _ in range(3)], [rng.choice([0, 1])]],
        )
        for domain in ("R", "[-3,3]"):
            small, width = er.reduce(net, domain), er.minimal_width(net, domain)
            kinds = []
            for candidate in (net, small):
                kind = []
                for row, bias in zip(candidate.layers[0].weights[0], candidate.layers[0].bias or (), strict=True):
                    ends = [row[0] * x + bias for x in (-3, 3)]
                    points = (["-3"], ["3"]) if ends[0] < ends[1] else (["3"], ["-3"])
                    if min(ends) < 0 < max(ends):
                        kind.append({"kinked": points})
                    else:
                        kind.append(
                            {"on": [[int(row[0] < 0), str(abs(row[0]))]] if row[0] else []}
                            if min(ends) >= 0
                            else {"off": [[int(row[0] > 0), str(abs(row[0]))]]}
                        )
                kinds.append(kind if candidate.depth == 2 else [])
            if not all(any(ends) for ends in kinds if ends):
                continue
            evidence = {"network": small.to_json(), "interior": ["0"], "types": kinds}
            claim = {"network": net, "domain": domain}
            assert answer(certificate("minimal_width", evidence, width=width, **claim)).code == 0
            assert answer(certificate("minimal_width", evidence, width=width - 1, **claim)).code == 1
            assert answer(certificate("minimal_width", evidence, width=width + 1, **claim)).code == 1


def test_a_wider_network_does_not_prove_a_minimal_width() -> None:
    net = er.Network.mlp([[[1], [1]], [[1, 1]]], [[0, 0], [0]])  # 2 relu(x), with one neuron too many
    types = [{"kinked": [["-1"], ["1"]]}] * 2
    evidence = {"network": net.to_json(), "interior": ["0"], "types": [types, types]}
    assert answer(certificate("minimal_width", evidence, network=net, domain="[-2,2]", width=2)).code == 1


@pytest.mark.parametrize("name", ["same_function", "functional_dimension_chain", "regions_complete"])
def test_leaves_are_read_to_the_end(name: str) -> None:
    document = load(name)
    inside = ("evidence", "tree")
    leaf = next(k for k, node in enumerate(document["evidence"]["tree"]) if node == "cell" or "point" in node)
    for entry in (
        {"cell": 1},
        {"cell": "cell"},
        {"point": ["0"], "cell": 1},
        "point",
        {},
        {"empty": 0, "point": ["1"]},
    ):
        assert answer(changed(document, (*inside, leaf), entry)).code == 1
    assert answer(changed(document, inside, document["evidence"]["tree"][:-1])).code == 1
    assert answer(changed(document, inside, [*document["evidence"]["tree"], {"empty": 0}])).code == 1


def test_an_empty_interior_proves_no_equality() -> None:
    document = load("same_function")
    document["claim"]["domain"] = {
        "format": "exactrelu/domain",
        "version": 1,
        "halfspaces": [{"normal": ["1"], "bound": "1"}, {"normal": ["-1"], "bound": "-1"}],
    }
    document["evidence"] = {"interior": ["1"], "combinations": [[[0, "1"], [1, "1"]]], "tree": [{"empty": 0}]}
    assert answer(document).text.startswith("REJECTED at evidence.interior")


# isolation


def imported(source: str) -> set[str]:
    """The modules that a file imports; a relative import by its name with a dot."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f".{alias.name}" for alias in node.names} if node.level else {(node.module or "").split(".")[0]}
    return found


def alone(path: Path, argument: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-S", str(path), str(argument)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")


def test_imports_are_standard() -> None:
    assert imported(CHECKER.read_text()) <= set(sys.stdlib_module_names)


def test_the_test_of_imports_can_fail(tmp_path: Path) -> None:
    for line in ("import numpy", "from . import errors", "from exactrelu.errors import InvalidInput"):
        source = CHECKER.read_text().replace("from operator", f"{line}\nfrom operator", 1)
        assert not imported(source) <= set(sys.stdlib_module_names)
        copied = tmp_path / "checker.py"
        copied.write_text(source)
        assert alone(copied, SAMPLES / "valid" / "value.json").returncode not in (0, 2, 3)
        assert "Error" in alone(copied, SAMPLES / "valid" / "value.json").stderr


@pytest.mark.parametrize("name", ["value", "regions_complete_hat", "not_identifiable_local_deep"])
def test_runs_alone(name: str, tmp_path: Path) -> None:
    path = SAMPLES / "valid" / f"{name}.json"
    packed = tmp_path / f"{name}.json.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    for source in (path, packed):
        result = alone(CHECKER, source)
        assert (result.returncode, result.stdout[:7]) == (0, "VALID: ") and result.stderr.startswith("checking ")
    result = alone(CHECKER, SAMPLES / "broken" / f"{name}.json")
    assert result.returncode == 1 and result.stdout.startswith("REJECTED at ")


def test_unreadable_paths(tmp_path: Path) -> None:
    assert alone(CHECKER, tmp_path / "missing.json").returncode == 2
    assert alone(CHECKER, tmp_path).returncode == 2
    assert checker.main([]) == 2


def test_the_digit_limit_is_put_back() -> None:
    before = sys.get_int_max_str_digits()
    assert answer(changed(load("value"), ("claim", "point", 0), "9" * 15_000)).code == 1
    assert sys.get_int_max_str_digits() == before


@pytest.mark.parametrize("text", ["5", "true", "null", '"x"', "[]", "[[]]"])
def test_documents_that_are_no_objects(text: str) -> None:
    answer = checker.check(text.encode())
    assert (answer.code, "UNREADABLE" in answer.text) == (2, True)
