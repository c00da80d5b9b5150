"""The command group `theorem`: list, show, check, hunt, report, and one line for everything that goes wrong."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli_cases import BAD_NETWORKS

import exactrelu as er
from exactrelu.theorems import registered_theorems
from exactrelu.theorems.instances import instance_from_json
from exactrelu.theorems.predicates import plain_text

ID = "embedding_rank_is_parameters_minus_hidden"
SMALL = ("--widths", "1,1,1", "--entries=-1,0,1")
DROPPED = ("--drop", "admissible")


@pytest.fixture
def db(run: Any, tmp_path: Path) -> Path:
    path = tmp_path / "sweep.db"
    assert run("theorem", "hunt", ID, *SMALL, "--out", path, "--workers", "1")[0] == 0
    return path


# --- list, show ---------------------------------------------------------------------------------------------------


def test_list(run: Any) -> None:
    code, out, err = run("theorem", "list", "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert [item["id"] for item in found] == [item.id for item in registered_theorems()]
    assert {tuple(item) for item in found} == {("id", "title", "source", "status")}
    lines = run("theorem", "list")[1].splitlines()
    assert len(lines) == len(found)
    for line, item in zip(lines, found, strict=True):
        assert line.split()[:2] == [item["id"], item["status"]] and line.endswith(item["title"])


@pytest.mark.parametrize("statement", registered_theorems(), ids=lambda item: item.id)
def test_show(run: Any, statement: er.Theorem) -> None:
    code, out, err = run("theorem", "show", statement.id)
    assert (code, err) == (0, "")
    parts = [statement.title, statement.statement, statement.source, statement.standing.value, *statement.uses]
    parts += [plain_text(item.meaning) for item in (*statement.hypotheses, statement.conclusion)]
    assert all(part in out for part in parts) and "proof: " in out
    data = json.loads(run("theorem", "show", statement.id, "--json")[1])
    assert [item["name"] for item in data["hypotheses"]] == [item.name for item in statement.hypotheses]
    assert data["proof"] is None or (Path(data["proof"]) / "statement.md").is_file()


# --- check --------------------------------------------------------------------------------------------------------


def test_check_follows_the_verdict(run: Any, hat: Path, tmp_path: Path) -> None:
    silent = tmp_path / "silent.json"
    er.save(er.Network.mlp([[[1]], [[0]]], [[1], [0]]), silent)
    for path, drop, code in ((hat, (), 0), (silent, (), 4), (silent, DROPPED, 1), (hat, DROPPED, 0)):
        found, out, err = run("theorem", "check", ID, path, *drop, "--json")
        assert (found, err) == (code, "")
        data = json.loads(out)
        statement = er.theorem(ID).without(*drop[1:]) if drop else er.theorem(ID)
        assert data == statement.check(er.load(path)).to_json()
        assert run("theorem", "check", ID, path, *drop)[1].startswith(data["status"])


def test_check_reads_instances(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pair = er.Instance(er.zoo.HAT, er.zoo.HAT.rescale({(1, 0): 2}))
    path = tmp_path / "pair.json"
    path.write_text(json.dumps(pair.to_json()))
    name = "embedding_is_scaling_invariant"
    assert run("theorem", "check", name, path)[0] == 0
    assert run("theorem", "check", name, path, "--domain", "[-1,1]")[0] == 0
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    assert run("theorem", "check", name, "-")[0] == 0
    er.save(er.zoo.HAT, path)
    assert run("theorem", "check", name, path)[0] == 4  # it speaks of two networks


BAD_INSTANCES = {
    "another format": ({"format": "exactrelu/samples", "version": 1}, "format"),
    "no network": ({"format": "exactrelu/instance", "version": 1}, 'must have the key "network"'),
    "unknown key": ({"format": "exactrelu/instance", "version": 1, "network": {}, "x": 1}, "no other keys"),
    "version": ({"format": "exactrelu/instance", "version": 2, "network": {}}, "version: must be 1; got 2"),
    "bad network": ({"format": "exactrelu/instance", "version": 1, "network": {}}, "network"),
    "bad samples": ({"samples": [["1", "2"]]}, "samples[0]: must have 1 coordinates"),
    "bad domain": ({"domain": {"format": "exactrelu/domain", "version": 1}}, "domain"),
    "bad modification": ({"modification": {}}, "modification"),
}


@pytest.mark.parametrize("name", BAD_INSTANCES)
def test_bad_instances(run: Any, tmp_path: Path, name: str) -> None:
    data, words = BAD_INSTANCES[name]
    if "format" not in data:
        data = er.Instance(er.zoo.HAT).to_json() | data
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(data))
    check_refusal(run("theorem", "check", ID, path), words)


@pytest.mark.parametrize("name", BAD_NETWORKS)
def test_bad_networks(run: Any, tmp_path: Path, name: str) -> None:
    content, _ = BAD_NETWORKS[name]
    path = tmp_path / "bad.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    check_refusal(run("theorem", "check", ID, path), "")


def check_refusal(answer: tuple[int, str, str], words: str) -> None:
    code, out, err = answer
    assert (code, out) == (2, ""), err
    assert words in err and err.startswith("exactrelu: ") and err.count("\n") == 1 and "Traceback" not in err


# --- hunt ---------------------------------------------------------------------------------------------------------


def test_hunt_exhausts_a_family(run: Any) -> None:
    code, out, err = run("theorem", "hunt", ID, *SMALL, "--json")
    data = json.loads(out)
    assert (code, err, data["outcome"], data["counterexample"]) == (0, "", "exhausted", None)
    assert data["report"]["members"] == data["report"]["size"] == 81
    assert "exhausted without a counterexample" in run("theorem", "hunt", ID, *SMALL)[1]


def test_hunt_finds_a_counterexample_that_check_accepts(run: Any, tmp_path: Path) -> None:
    code, out, err = run("theorem", "hunt", ID, *DROPPED, *SMALL, "--json")
    data = json.loads(out)
    assert (code, err, data["outcome"], data["verdict"]["status"]) == (1, "", "counterexample", "fails")
    path = tmp_path / "found.json"
    path.write_text(json.dumps(data["counterexample"]))
    assert run("theorem", "check", ID, *DROPPED, path)[0] == 1
    # The last line of the text is the same instance.
    code, out, _ = run("theorem", "hunt", ID, *DROPPED, *SMALL)
    assert code == 1 and json.loads(out.splitlines()[-1]) == data["counterexample"]
    instance = instance_from_json(data["counterexample"], "out")
    assert er.theorem(ID).check(instance).status is er.Status.INAPPLICABLE


def test_hunt_reaches_its_budget(run: Any) -> None:
    code, out, err = run("theorem", "hunt", ID, *SMALL, "--budget", "10", "--json")
    data = json.loads(out)
    assert (code, err, data["outcome"]) == (3, "", "budget reached")
    assert data["report"]["total"]["instances"] == 10
    assert run("theorem", "hunt", ID, "--widths", "2,2,1", "--random", "3", "--budget", "5")[0] == 3
    assert run("theorem", "hunt", ID, "--widths", "2,2,1", "--random", "3", "--count", "5")[0] == 0


def test_families_on_the_command_line(run: Any) -> None:
    options = ["--widths", "1,2,1", "--skips", "--no-biases", "--strata", "twins,dead", "--denominators", "1"]
    _, out, _ = run("theorem", "hunt", ID, *options, "--budget", "3", "--json")
    family = json.loads(out)["report"]["specification"]["family"]
    expected = er_family((1, 2, 1), denominators=1, skips=True, biases=False, strata=("twins", "dead"))
    assert family == expected.to_json()
    _, out, _ = run("theorem", "hunt", ID, "--widths", "2,2,1", "--random", "7", "--count", "2", "--json")
    specification = json.loads(out)["report"]["specification"]
    assert specification["family"] == er_family((2, 2, 1), random=7, count=2).to_json() and specification["seed"] == 7


def er_family(*arguments: Any, **options: Any) -> Any:
    from exactrelu.theorems.families import family

    return family(*arguments, **options)


def test_hunt_into_a_file(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "sweep.db"
    arguments = ["theorem", "hunt", ID, *DROPPED, *SMALL, "--workers", "1", "--out", path, "--json"]
    code, out, _ = run(*arguments, "--budget", "20")
    assert code == 1 and json.loads(out)["report"]["total"]["instances"] == 20
    check_refusal(run(*arguments), f"{path}: must not exist yet, unless its sweep is to be resumed")
    code, out, _ = run(*arguments, "--resume")
    assert code == 1 and json.loads(out)["report"]["exhausted"]
    for change, key in (
        (["--random", "1", "--count", "3"], "family"),
        (["--domain", "[0,1]"], "domain"),
        (["--entries=0,1"], "family"),
    ):
        check_refusal(run(*arguments, *change, "--resume"), f"but its {key} is")
    other = [argument for argument in arguments if argument not in DROPPED]
    check_refusal(run(*other, "--resume"), "but its dropped is")


BAD_HUNTS = {
    "unknown id": (["embedding_rank"], "must be the id of a registered statement"),
    "unknown hypothesis": ([ID, "--drop", "wide"], f"hypothesis: must be a hypothesis of {ID} (admissible)"),
    "dropped twice over": ([ID, "--drop", "admissible", "--drop", "x"], "must be a hypothesis of"),
    "no numbers": ([ID, "--widths", "a,b"], "--widths must be integers below 1000 such as 2,3,1"),
    "empty widths": ([ID, "--widths", ""], "--widths must be integers"),
    "negative widths": ([ID, "--widths=-1,2,1"], "--widths must be integers"),
    "one layer": ([ID, "--widths", "2"], "widths: must"),
    "zero width": ([ID, "--widths", "2,0,1"], "widths"),
    "huge widths": ([ID, "--widths", "2,999999999,1"], "--widths must be integers below 1000"),
    "no entries": ([ID, "--entries="], "entries[0]: must be a rational number"),
    "bad entry": ([ID, "--entries=1,x"], "entries[1]: must be a rational number"),
    "no denominators": ([ID, "--denominators", "0"], "denominators"),
    "both": ([ID, "--denominators", "2"], "must not both be given"),
    "count alone": ([ID, "--count", "2"], "count: must be left out, unless the family is random"),
    "negative count": ([ID, "--random", "1", "--count", "-2"], "count: must be an integer, at least 0; got -2"),
    "unknown stratum": ([ID, "--strata", "purple"], "purple"),
    "no end": ([ID, "--random", "1"], "budget: must be given, since the family has no end"),
    "bad domain": ([ID, "--domain", "[1,0]"], "domain"),
    "other dimension": ([ID, "--domain", "[0,1]^2"], "domain: must have 1 coordinates; got 2"),
    "no domain file": ([ID, "--domain", "nowhere.json"], "nowhere.json: must be a readable file"),
    "negative budget": ([ID, "--budget", "-1"], "-1"),
    "no workers": ([ID, "--workers", "0"], "0"),
    "unknown backend": ([ID, "--backend", "slurm"], "slurm"),
    "no scheduler": ([ID, "--backend", "dask"], "scheduler: must be an address"),
    "scheduler alone": ([ID, "--scheduler", "tcp://x:1"], "scheduler: goes with the backend dask"),
    "resume alone": ([ID, "--resume"], "--resume goes with --out"),
    "no folder": ([ID, "--out", "no/such/folder/a.db"], "no/such/folder/a.db: must be a file that can be written"),
    "a folder": ([ID, "--out", "."], "must be a regular file"),
    "no name": ([ID, "--out", ""], "file name: must not be empty"),
    "a device": ([ID, "--out", "/dev/full", "--resume"], "must be a regular file"),
}


@pytest.mark.parametrize("name", BAD_HUNTS)
def test_bad_hunts(run: Any, name: str) -> None:
    (identifier, *options), words = BAD_HUNTS[name]
    check_refusal(run("theorem", "hunt", identifier, *SMALL, *options), words)


@pytest.mark.parametrize("arguments", [["theorem", "hunt", ID], ["theorem", "check", ID], ["theorem", "x"]])
def test_half_commands(run: Any, arguments: list[str]) -> None:
    check_refusal(run(*arguments), "")


def test_unknown_ids(run: Any, hat: Path) -> None:
    check_refusal(run("theorem", "show", "nothing"), "must be the id of a registered statement")
    check_refusal(run("theorem", "check", "nothing", hat), "must be the id of a registered statement")
    check_refusal(run("theorem", "check", ID, hat.parent / "nowhere.json"), "must be a readable file")
    check_refusal(run("theorem", "check", ID, hat, "--domain", "[0,1]^2"), "domain: must have 1 coordinates")


def test_progress_goes_to_a_terminal(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "exactrelu.cli", "theorem", "hunt", ID, *SMALL, "--json"]
    leader, follower = pty.openpty()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=follower) as process:
        os.close(follower)
        seen = b""
        try:
            while part := os.read(leader, 1000):
                seen += part
        except OSError:  # how a terminal says that nobody is left
            pass
        out, _ = process.communicate(timeout=60)
    os.close(leader)
    assert process.returncode == 0 and json.loads(out)["outcome"] == "exhausted"
    assert b"81 of 81 members" in seen and b"holds" in seen and seen.rstrip(b" \r").endswith(b"left")


# --- report -------------------------------------------------------------------------------------------------------


def test_report(run: Any, db: Path) -> None:
    code, out, err = run("theorem", "report", db)
    assert (code, err) == (0, "")
    assert out.startswith(f"{ID}\n81 of 81 members of the family\n") and "inapplicable by admissible" in out
    data = json.loads(run("theorem", "report", db, "--json")[1])
    assert data["total"]["applicable"] == data["total"]["holds"] > 0 and data["exhausted"]
    assert data["total"]["instances"] == sum(line["instances"] for line in data["strata"])


def test_report_as_csv_and_picture(run: Any, db: Path, tmp_path: Path) -> None:
    data = json.loads(run("theorem", "report", db, "--json", "--csv", tmp_path / "a.csv")[1])
    rows = list(csv.DictReader(io.StringIO((tmp_path / "a.csv").read_text())))
    assert [row["stratum"] for row in rows] == [*(line["stratum"] for line in data["strata"]), "all"]
    assert int(rows[-1]["applicable"]) == data["total"]["applicable"]
    assert run("theorem", "report", db, "--csv", "-")[1] == (tmp_path / "a.csv").read_text()
    for name in ("a.svg", "a.png", "b.svg"):
        assert run("theorem", "report", db, "--plot", tmp_path / name)[0] == 0
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


BAD_REPORTS = {
    "no file": (["nowhere.db"], "there is no such file"),
    "a folder": (["."], "there is no such file"),
    "no name": ([""], "file name: must be the database"),
    "null": (["a\0b"], "must be"),
    "a network": (["HAT"], "not a database"),
    "pdf": (["DB", "--plot", "a.pdf"], 'must end in ".svg" or ".png"'),
    "no folder": (["DB", "--plot", "no/such/a.svg"], "must be writable"),
    "no folder for the table": (["DB", "--csv", "no/such/a.csv"], "must be writable"),
    "two answers": (["DB", "--csv", "-", "--json"], "--csv - excludes --json"),
}


@pytest.mark.parametrize("name", BAD_REPORTS)
def test_bad_reports(run: Any, hat: Path, db: Path, name: str) -> None:
    arguments, words = BAD_REPORTS[name]
    places = {"HAT": hat, "DB": db}
    run("demo")  # what was printed before is gone
    check_refusal(run("theorem", "report", *(places.get(argument, argument) for argument in arguments)), words)
