"""What `--json` prints is what docs/schemas says: for every command, and for every kind of answer."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from command_tree import COMMANDS, DONE, TO_DO, write_files
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from exactrelu import Layer, Network, save, zoo

DOCS = Path(__file__).parent.parent / "docs"
SCHEMAS = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted((DOCS / "schemas").glob("*.json"))}
REGISTRY = Registry().with_resources([("common.json", Resource.from_contents(SCHEMAS["common"]))])

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
    ("nonsense", 2),
]


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
        "skip": Network(1, [Layer({0: [[1]]}, bias=[0]), Layer({1: [[2]], 0: [[None]]}, activation="identity")]),
    }
    for name, net in nets.items():
        save(net, tmp_path / f"{name}.json")
    flat = {"format": "exactrelu/domain", "version": 1, "vertices": [["0", "0"], ["1", "1"]]}
    (tmp_path / "flat.json").write_text(json.dumps(flat))
    for name, points in (("few", ["3/2", "2"]), ("many", ["2", "-2", "1/2", "3", "-1/2", "2/3", "-2/3"])):
        samples = {"format": "exactrelu/samples", "version": 1, "points": [[point] for point in points]}
        (tmp_path / f"{name}.json").write_text(json.dumps(samples))
    monkeypatch.chdir(tmp_path)


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(SCHEMAS[name], registry=REGISTRY)


def problems(name: str, data: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in validator(name).iter_errors(data)]


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
    assert set(SCHEMAS) == {"common", *("-".join(words) for words in DONE)}
    assert {words[0] for words in COMMANDS} >= TO_DO
    assert {case.split(maxsplit=1)[0] for case, _ in CASES} == {words[0] for words in DONE}


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_schemas(name: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[name])
    assert SCHEMAS[name]["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert f"schemas/{name}.json" in (DOCS / "json.md").read_text("utf-8")


@pytest.mark.parametrize(("case", "expected"), CASES)
def test_answers(run, case: str, expected: int) -> None:
    code, out, err = run(*case.split(), "--json")
    assert (code, err) == (expected, "")
    name, data = case.split(maxsplit=1)[0], json.loads(out)
    assert problems(name, data) == []
    if name in ("identify", "compare"):
        status = data["status"] if name == "identify" else data["same_function"]["status"]
        assert status == {0: "holds", 1: "fails", 3: "unknown", 4: "inapplicable"}[code]


def test_all_kinds_of_evidence_occur(run) -> None:
    kinds = {ref["$ref"].rpartition("/")[2] for ref in SCHEMAS["common"]["$defs"]["evidence"]["anyOf"] if "$ref" in ref}
    found = set()
    for case, _ in CASES:
        name = case.split(maxsplit=1)[0]
        if name in ("identify", "compare"):
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
    *("dimension chain.json", "recover line.json", "compare a.json b.json"),
]


@pytest.mark.parametrize("case", REFUSED)
def test_schemas_refuse_other_answers(run, case: str) -> None:
    name, data = case.split(maxsplit=1)[0], json.loads(run(*case.split(), "--json")[1])
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
