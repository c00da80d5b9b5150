"""What `--json` prints is what docs/schemas says: for every command, and for every kind of answer."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from command_tree import COMMANDS, words_of, write_files
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from exactrelu import Instance, Layer, Network, mutations, save, sweep, theorem, zoo

DOCS = Path(__file__).parent.parent / "docs"
SCHEMAS = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted((DOCS / "schemas").glob("*.json"))}
REGISTRY = Registry().with_resources([("common.json", Resource.from_contents(SCHEMAS["common"]))])

RANK = "embedding_rank_is_parameters_minus_hidden"
SMALL = "--widths 1,1,1 --entries=-1,0,1"
# Command line and exit code.
CASES: list[tuple[str, int]] = [
    ("demo", 0),
    *((f"completion {shell}", 0) for shell in ("bash", "zsh", "fish")),
    ("check c.json", 0),
    ("check c.json --network hat.json", 1),
    ("check net.json", 2),
    ("analyze net.json", 0),
    ("analyze hat.json --domain [-2,2]", 0),
    ("analyze deep.json", 0),
    ("analyze chain.json", 0),
    ("analyze tanh.json --report out.html", 0),
    ("analyze clip.json", 0),
    ("analyze skip.json", 0),
    ("analyze net.nnet", 0),
    ("analyze net.json --domain flat.json", 0),
    ("identify hat.json", 1),
    ("identify hat.json --domain [-2,2] --scope local", 0),
    ("identify hat.json --scope finite-sample", 0),
    ("identify net.json", 0),
    ("identify hat.json --budget 1", 3),
    ("identify deep.json --scope local --budget 2", 3),
    ("identify deep.json", 4),
    ("identify full.json --scope local", 0),
    ("identify tanh.json", 4),
    ("identify chain.json --scope local", 1),
    ("identify twins.json --domain [-1,1]", 1),
    ("identify twins.json --scope finite-sample", 1),
    ("identify hat.json --samples many.json", 0),
    ("identify hat.json --samples few.json", 1),
    ("compare a.json b.json", 0),
    ("compare a.json net.json", 0),
    ("compare hat.json flipped.json", 0),
    ("compare hat.json tall.json", 0),
    ("compare hat.json twins.json", 1),
    ("compare hat.json net.json", 4),
    ("compare deep.json deeper.json", 0),
    ("phi net.json", 0),
    ("phi skip.json", 0),
    ("dimension hat.json", 0),
    ("dimension chain.json", 0),
    ("dimension twins.json", 0),
    ("regions net.json", 0),
    ("regions net.json --all-counts", 0),
    ("regions deep.json --all-counts", 0),
    ("regions net.json --count-only", 0),
    ("regions clip.json", 0),
    ("recover hat.json", 0),
    ("recover line.json", 0),
    ("symmetries relu --atoms 1,0;-1,0;1,-1;-1,1", 0),
    ("symmetries relu --atoms 1,0;2,0 --network hat.json --neuron 1,0", 0),
    ("symmetries tanh --atoms 1,0;-1,0", 0),
    ("convert net.nnet out.json", 0),
    ("convert hat.json out.npz", 0),
    ("theorem list", 0),
    (f"theorem show {RANK}", 0),
    ("theorem show shallow_bounded_global", 0),
    (f"theorem check {RANK} hat.json", 0),
    *((f"theorem check {RANK} hat{suffix}", 0) for suffix in (".npz", ".onnx", ".safetensors")),
    (f"theorem check {RANK} silent.json", 4),
    (f"theorem check {RANK} silent.json --drop admissible", 1),
    ("theorem check embedding_is_scaling_invariant pair.json", 0),
    ("theorem check shallow_local hat.json --domain [-2,2]", 0),
    ("theorem check shallow_local silent.json --domain [-2,2] --drop nonzero_output", 1),
    ("theorem check finite_sample_exists_iff_isolated hat.json", 0),
    ("theorem check finite_sample_exists_iff_isolated chain.json --drop isolated_in_the_image", 1),
    ("theorem check width_two_pieces_on_the_line line5.json --drop at_most_three_hidden_layers", 3),
    ("theorem check sample_rank_gap_excludes_identifiability gap.json", 1),
    (f"theorem hunt {RANK} {SMALL}", 0),
    (f"theorem hunt {RANK} {SMALL} --budget 10", 3),
    (f"theorem hunt {RANK} {SMALL} --drop admissible", 1),
    (f"theorem hunt {RANK} --widths 2,2,1 --random 3 --count 5 --skips --no-biases --strata twins", 0),
    (f"theorem hunt {RANK} --widths 2,2,1 --random 3 --budget 5", 3),
    (f"theorem hunt {RANK} {SMALL} --out new.db --workers 1", 0),
    (f"theorem hunt shallow_local {SMALL} --drop kinked --domain [-1,1]", 1),
    ("theorem hunt embedding_determines_scaling_class --widths 1,1,1 --entries=-1,1", 1),
    ("theorem report sweep.db", 0),
    ("theorem report around.db", 0),
]
ERRORS: list[tuple[str, int]] = [
    ("analyze missing.json", 2),
    ("analyze c.json", 2),
    ("analyze net.json --domain [0,0]x[1", 2),
    ("identify net.json --domain [-1,1]", 2),
    ("compare a.json missing.json", 2),
    ("phi net.json --budget 3", 3),
    ("phi tanh.json", 4),
    ("regions net.json --budget 3", 3),
    ("regions tanh.json", 4),
    ("dimension net.json --budget 3", 3),
    ("recover deep.json", 4),
    ("symmetries nonsense --atoms 1,0", 2),
    ("convert missing.json out.json", 2),
    ("check missing.json", 2),
    ("completion tcsh", 2),
    ("theorem show nothing", 2),
    (f"theorem check {RANK} missing.json", 2),
    (f"theorem hunt {RANK} --widths 1,x --entries=1", 2),
    ("theorem report net.json", 2),
    ("theorem nonsense", 2),
    ("nonsense", 2),
]


# The ranks of samples have a gap, and yet they identify the parameters locally.
GAP = Instance(
    Network.mlp([[[1, 1]], [[-1], [1]], [[-2, -1]]], [None, [2, -1], None]),
    samples=[["-31/46", 1], [0, -6], ["3/2", 0], [0, 7], ["-7/2", 8]],
)


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(tmp_path)
    nets = {
        "deep": Network.random((2, 3, 3, 1), 0),
        "deeper": Network.random((2, 3, 3, 1), 0).rescale({(1, 0): 5}),
        "full": Network.random((1, 2, 2, 1), 1),
        "chain": Network.mlp([[[1]], [[1]], [[1]]], [[0], [-1], [0]]),
        "tall": Network.mlp([[[1], [1], [1]], [[1, -2, 1]], [[1]]], [[1, 0, -1], [0], [0]]),
        "tanh": Network.mlp([[["1/2"]], [[3]]], activation="tanh"),
        "clip": Network.mlp([[[1]], [[1]]], activation={"name": "clip", "lower": "0", "upper": "1"}),
        "twins": zoo.specimen("S07a").network,
        "line": zoo.specimen("identity").network,
        "flipped": zoo.HAT.flip([0, 1, 2]),
        "line5": Network.random((1, 2, 2, 2, 2, 1), 1),
        "silent": Network.mlp([[[1]], [[0]]], [[1], [0]]),
        "skip": Network(1, [Layer({0: [[1]]}, bias=[0]), Layer({1: [[2]], 0: [[None]]}, activation="identity")]),
    }
    for name, net in nets.items():
        save(net, tmp_path / f"{name}.json")
    for suffix in (".npz", ".onnx", ".safetensors"):
        save(zoo.HAT, tmp_path / f"hat{suffix}")
    flat = {"format": "exactrelu/domain", "version": 1, "vertices": [["0", "0"], ["1", "1"]]}
    (tmp_path / "flat.json").write_text(json.dumps(flat))
    for name, points in (("few", ["3/2", "2"]), ("many", ["2", "-2", "1/2", "3", "-1/2", "2/3", "-2/3"])):
        samples = {"format": "exactrelu/samples", "version": 1, "points": [[point] for point in points]}
        (tmp_path / f"{name}.json").write_text(json.dumps(samples))
    (tmp_path / "gap.json").write_text(json.dumps(GAP.to_json()))
    (tmp_path / "around.db").write_bytes(sweep_around_a_network())
    monkeypatch.chdir(tmp_path)


@cache
def sweep_around_a_network() -> bytes:
    """The file of a sweep that no command makes: around a network, on a domain, with modifications."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "around.db"
        changed = theorem("symmetry_modification_preserves_realization")
        sweep(changed.without("affine_symmetry"), mutations(zoo.HAT, count=8), path, workers=1)
        return path.read_bytes()


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(SCHEMAS[name], registry=REGISTRY)


def problems(name: str, data: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in validator(name).iter_errors(data)]


def schema_of(case: str) -> str:
    return "-".join(words_of(case))


def objects(data: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all objects inside data."""
    if isinstance(data, dict):
        yield place
        for key, value in data.items():
            yield from objects(value, (*place, key))
    elif isinstance(data, list):
        for k, value in enumerate(data):
            yield from objects(value, (*place, k))


def test_every_command_has_a_schema() -> None:
    assert set(SCHEMAS) == {"common", *("-".join(words) for words in COMMANDS)}
    assert {words_of(case) for case, _ in CASES} == set(COMMANDS)
    rows = {row.split("`")[1] for row in (DOCS / "json.md").read_text("utf-8").splitlines() if "`schemas/" in row[:60]}
    assert rows == {" ".join(words) for words in COMMANDS} | {"schemas/common.json"}


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_schemas(name: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[name])
    assert SCHEMAS[name]["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert f"schemas/{name}.json" in (DOCS / "json.md").read_text("utf-8")


@pytest.mark.parametrize(("case", "expected"), CASES)
def test_answers(run, case: str, expected: int) -> None:
    code, out, err = run(*case.split(), "--json")
    assert (code, err) == (expected, "")
    name, data = schema_of(case), json.loads(out)
    assert problems(name, data) == []
    if name in ("identify", "compare", "theorem-check"):
        status = data["same_function"]["status"] if name == "compare" else data["status"]
        assert status == {0: "holds", 1: "fails", 3: "unknown", 4: "inapplicable"}[code]
    if name == "theorem-hunt":
        assert data["outcome"] == {0: "exhausted", 1: "counterexample", 3: "budget reached"}[code]


def test_all_answers_of_statements_occur() -> None:
    codes = {words: {code for case, code in CASES if words_of(case) == words} for words in COMMANDS}
    assert codes["theorem", "check"] == {0, 1, 3, 4} and codes["theorem", "hunt"] == {0, 1, 3}


def test_all_kinds_of_evidence_occur(run) -> None:
    kinds = {ref["$ref"].rpartition("/")[2] for ref in SCHEMAS["common"]["$defs"]["evidence"]["anyOf"] if "$ref" in ref}
    found = set()
    for case, _ in CASES:
        if schema_of(case) in ("identify", "compare", "theorem-check"):
            data = json.loads(run(*case.split(), "--json")[1])
            for verdict in [data, *(value for value in data.values() if isinstance(value, dict))]:
                found |= {kind for kind in kinds if evidence_is(kind, verdict.get("evidence"))}
    assert found == kinds


def evidence_is(kind: str, data: Any) -> bool:
    return Draft202012Validator({"$ref": f"common.json#/$defs/{kind}"}, registry=REGISTRY).is_valid(data)


@pytest.mark.parametrize(("case", "expected"), ERRORS)
def test_errors_print_no_json(run, case: str, expected: int) -> None:
    code, out, err = run(*case.split(), "--json")
    assert (code, out) == (expected, "")
    assert err.startswith("exactrelu: ") and err.count("\n") == 1


REFUSED = [
    *("analyze net.json", "identify hat.json", "regions net.json --all-counts", "phi net.json"),
    *("dimension chain.json", "recover line.json", "compare a.json b.json", "theorem list"),
    *(f"theorem show {RANK}", "theorem check shallow_local silent.json --drop nonzero_output"),
    *(f"theorem hunt shallow_local {SMALL} --drop kinked --domain [-1,1]", f"theorem hunt {RANK} {SMALL}"),
    *("theorem report sweep.db", "theorem report around.db"),
]


@pytest.mark.parametrize("case", REFUSED)
def test_schemas_refuse_other_answers(run, case: str) -> None:
    name, data = schema_of(case), json.loads(run(*case.split(), "--json")[1])
    assert problems(name, data) == []
    refused = 0
    for place in objects(data):
        bad = copy.deepcopy(data)
        inner = bad
        for key in place:
            inner = inner[key]
        inner["surprise"] = 1
        refused += bool(problems(name, bad))
        del inner["surprise"]
        for key, value in list(inner.items()):
            if isinstance(value, str) and key in ("value", "status", "last"):
                inner[key] = 0.5  # a float, or no status
                assert problems(name, bad), (place, key)
                inner[key] = value
    assert refused == len(list(objects(data)))
    assert problems(name, []) and problems(name, {})
