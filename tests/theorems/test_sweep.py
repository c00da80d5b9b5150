"""Sweeps: the same table whoever works on it, in whatever pieces, and after whatever happened."""

from __future__ import annotations

import json
import os
import random
import signal
import threading
from pathlib import Path
from typing import Any

import pytest
from sweep_runs import (
    FAMILY,
    ID,
    STATEMENT,
    expected,
    in_group,
    kill,
    members_done,
    nobody_left,
    start,
    table,
    wait_until,
)

import exactrelu as er
from exactrelu.theorems.families import family
from exactrelu.theorems.hunting import hunt
from exactrelu.theorems.sweep import Progress, WorkersLost, sweep, sweep_report
from exactrelu.theorems.sweep import batches as batches_module
from exactrelu.theorems.sweep.backends import Serial, opened
from exactrelu.theorems.sweep.batches import Pace
from exactrelu.theorems.sweep.database import Database
from exactrelu.theorems.sweep.progress import Tally
from exactrelu.theorems.sweep.specification import Reference, reference

BOLD = STATEMENT.without("admissible")
SMALL = family((1, 1, 1), entries=(-1, 0, 1))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[object, ...]]:
    """The table of an uninterrupted sweep."""
    return expected(tmp_path_factory.mktemp("whole") / "sweep.db")


# --- one table ----------------------------------------------------------------------------------------------------


def by_hand() -> list[tuple[object, ...]]:
    """The table of the small family from its definition."""
    rows: list[tuple[object, ...]] = []
    for index in range(SMALL.size):
        net = SMALL.member(index)
        if net is not None:
            verdict = STATEMENT.check(net)
            rows.append((index, 0, verdict.status.value, SMALL.stratum(index), net.to_json()))
    return rows


def test_the_table_is_what_it_says(tmp_path: Path) -> None:
    report = sweep(STATEMENT, SMALL, tmp_path / "a.db", workers=1)
    found = []
    with Database.read(tmp_path / "a.db") as database:
        for row in database.rows():
            assert 0 <= row.seconds < 10
            found.append((row.member, row.position, row.verdict, row.stratum, json.loads(row.instance)))
            assert (row.reason == "") == (row.verdict == "holds")
            assert row.verdict != "inapplicable" or row.reason.startswith("admissible: every hidden neuron")
    assert found == by_hand()
    assert report.exhausted and report.total.instances == len(found) and report.counterexample is None
    assert report == sweep_report(tmp_path / "a.db")


def test_the_table_does_not_depend_on_the_workers(tmp_path: Path, whole: list[Any]) -> None:
    report = sweep(STATEMENT, FAMILY, tmp_path / "two.db", workers=2)
    assert table(tmp_path / "two.db") == whole and report.exhausted


@pytest.mark.parametrize("seed", range(3))
def test_the_table_does_not_depend_on_batches_nor_on_pauses(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, r = expected(tmp_path / "whole.db", SMALL), random.Random(seed)
    monkeypatch.setattr(Pace, "next", lambda *_: r.randint(1, 30))
    budget, path, size = 0, tmp_path / "parts.db", len(whole)
    while budget < size:
        budget += r.randint(1, 30)
        report = sweep(STATEMENT, SMALL, path, workers=1, budget=budget, resume=path.exists())
        assert table(path) == whole[:budget]
        assert report.exhausted == (budget > size) or budget == size
    assert sweep(STATEMENT, SMALL, path, workers=1, resume=True).exhausted
    # A smaller budget takes nothing away.
    assert sweep(STATEMENT, SMALL, path, workers=1, budget=3, resume=True).exhausted
    assert table(path) == whole


def test_an_endless_family(tmp_path: Path) -> None:
    endless = family((2, 2, 1), random=5)
    with pytest.raises(er.InvalidInput, match="budget: must be given, since the family has no end"):
        sweep(STATEMENT, endless)
    report = sweep(STATEMENT, endless, tmp_path / "a.db", budget=40, workers=1)
    assert report.total.instances == 40 and not report.exhausted
    sweep(STATEMENT, endless, tmp_path / "a.db", budget=70, resume=True, workers=1)
    sweep(STATEMENT, endless, tmp_path / "b.db", budget=70, workers=1)
    assert table(tmp_path / "a.db") == table(tmp_path / "b.db") and len(table(tmp_path / "a.db")) == 70


def test_statements_on_more_than_a_network(tmp_path: Path) -> None:
    """Second networks and domains are drawn from the seed and the number of the member."""
    pairs = er.theorem("embedding_and_signs_determine_scaling_class")
    tables = {}
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        sweep(pairs, SMALL, tmp_path / name, seed=seed, workers=1, domain="[-1,1]")
        tables[name] = table(tmp_path / name)
    assert tables["a"] == tables["b"] != tables["c"]
    assert max(row[1] for row in tables["a"]) > 0  # type: ignore[type-var]


# --- counterexamples ----------------------------------------------------------------------------------------------


def test_the_first_counterexample(tmp_path: Path) -> None:
    found = hunt(BOLD, FAMILY, shrink=False)
    for workers in (1, 2):
        report = sweep(BOLD, FAMILY, workers=workers, until_failure=True)
        assert report.counterexample == found.counterexample and not report.exhausted
        assert report.total.instances == found.tried
    report = sweep(BOLD, FAMILY, tmp_path / "all.db", workers=1)
    assert report.counterexample == found.counterexample and report.exhausted and report.total.fails > 100


def planted(threshold: int) -> er.Theorem:
    """A statement of one's own, which lives in no module."""

    def small(network: er.Network) -> er.Verdict:
        total = sum(abs(parameter.value) for parameter in network.parameters)
        status = er.Status.HOLDS if total <= threshold else er.Status.FAILS
        return er.Verdict(f"the parameters sum to at most {threshold}", status)

    return er.Theorem(hypotheses=[er.admissible], conclusion=small, id="mine")


def test_statements_of_ones_own_travel(tmp_path: Path) -> None:
    true, false = planted(4), planted(3)
    assert isinstance(reference(true), er.Theorem)
    assert sweep(true, SMALL, workers=1).counterexample is None
    found = sweep(false, SMALL, workers=2, until_failure=True)
    assert found.counterexample == hunt(false, SMALL, shrink=False).counterexample is not None


def test_references() -> None:
    assert reference(STATEMENT) == Reference(ID)
    assert reference(BOLD) == Reference(ID, ("admissible",)) and reference(BOLD).resolve() == BOLD  # type: ignore[union-attr]
    impostor = er.Theorem(id=ID, hypotheses=STATEMENT.hypotheses, conclusion=er.admissible)
    assert reference(impostor) is impostor


def test_a_predicate_that_breaks_down_decides_nothing() -> None:
    def ratio(network: er.Network) -> bool:
        return 1 / network.parameters[0].value > 0

    report = sweep(er.Theorem(hypotheses=[], conclusion=ratio), SMALL, workers=1)
    assert report.total.unknown == report.total.holds == report.total.fails == 27
    assert ("unknown", "a predicate raised ZeroDivisionError", 27) in report.reasons


# --- bad input ----------------------------------------------------------------------------------------------------


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "workers": ({"workers": 0}, "workers: must be an integer, at least 1; got 0"),
    "backend": ({"backend": "slurm"}, "backend: must be one of joblib, dask; got 'slurm'"),
    "no scheduler": ({"backend": "dask"}, "scheduler: must be an address"),
    "a scheduler": ({"scheduler": "tcp://127.0.0.1:1"}, "scheduler: goes with the backend dask"),
    "budget": ({"budget": -1}, "budget: must be an integer, at least 0; got -1"),
    "seed": ({"seed": "1"}, "seed: must be an integer; got '1'"),
    "domain": ({"domain": "[0,1]^2"}, "domain: must have 1 coordinates; got 2"),
    "family": ({"family": [1]}, "family: must be a family of networks, as er.family makes it"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_arguments(tmp_path: Path, name: str) -> None:
    options, words = BAD[name]
    with pytest.raises(er.ExactReluError) as refusal:
        sweep(STATEMENT, **{"family": SMALL, "path": tmp_path / "a.db", "workers": 1, **options})
    assert str(refusal.value).startswith(words) and not (tmp_path / "a.db").exists()


# --- progress -----------------------------------------------------------------------------------------------------


def test_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches_module, "BATCH_SECONDS", 0.01)
    moments: list[Progress] = []
    report = sweep(STATEMENT, FAMILY, workers=1, progress=moments.append)
    assert len(moments) > 3
    assert [moment.members for moment in moments] == sorted(moment.members for moment in moments)
    last = moments[-1]
    assert (last.members, last.size, last.seconds_left) == (2187, 2187, 0)
    assert last.checked["holds"] == report.total.holds and last.instances == report.total.instances
    assert "2,187 of 2,187 members" in last.explain() and "holds 408" in last.explain()
    assert Tally().moment(0, None, 0, None).explain() == "0 members, 0/s"


def test_pace() -> None:
    pace = Pace()
    assert pace.next(None, 2) == 1
    pace.learn(batches_module.Batch(0, 1), 1e-9)
    assert pace.next(None, 2) == 4
    for _ in range(20):
        pace.learn(batches_module.Batch(0, pace.length), pace.length / 1000)
    assert pace.next(10**9, 2) == 1000 and pace.next(2000, 2) == 500
    assert pace.next(1, 2) == 62 and pace.next(1, 1) == 1000
    pace.learn(batches_module.Batch(0, 1), 60)
    assert pace.next(None, 2) == 1


# --- sudden ends --------------------------------------------------------------------------------------------------


def is_consistent(path: Path) -> bool:
    with Database.read(path) as database:
        (found,) = database.connection.execute("PRAGMA integrity_check").fetchone()
        rows = database.connection.execute("SELECT COUNT(*) FROM results").fetchone()[0]
        return bool(found == "ok" and rows == database.recorded())


def killed_and_resumed(folder: Path, seed: int, kills: int, workers: int) -> list[tuple[object, ...]]:
    """The table of a sweep that is killed several times on its way."""
    r, path = random.Random(seed), folder / f"{seed}.db"
    for k in range(kills):
        process = start(path, *(["--resume"] if k else []))
        goal = min(2100, members_done(path) + r.randint(20, 700))
        assert wait_until(lambda goal=goal, process=process: members_done(path) >= goal or process.poll() is not None)
        kill(process)
        assert nobody_left(process.pid)
        assert not path.exists() or path.stat().st_size == 0 or is_consistent(path)
    report = sweep(STATEMENT, FAMILY, path, workers=workers, resume=True)
    assert report.exhausted and is_consistent(path)
    return table(path)


@pytest.mark.parametrize("seed", range(2))
def test_kill_and_resume(tmp_path: Path, seed: int, whole: list[Any]) -> None:
    assert killed_and_resumed(tmp_path, seed, 1, 1) == whole


@pytest.mark.sweep
def test_kill_and_resume_twenty_times(tmp_path: Path, whole: list[Any]) -> None:
    for seed in range(20):
        assert killed_and_resumed(tmp_path, seed, random.Random(seed).randint(1, 4), 2) == whole


def test_two_processes_on_one_file(tmp_path: Path, whole: list[Any]) -> None:
    path = tmp_path / "shared.db"
    processes = [start(path, "--resume") for _ in range(2)]
    answers = [process.communicate(timeout=120) for process in processes]
    assert [process.returncode for process in processes] == [0, 0], answers
    assert table(path) == whole and is_consistent(path)
    assert all(nobody_left(process.pid) for process in processes)


@pytest.mark.sweep
def test_one_of_two_processes_is_killed(tmp_path: Path, whole: list[Any]) -> None:
    path = tmp_path / "shared.db"
    victim, other = start(path, "--resume"), start(path, "--resume")
    assert wait_until(lambda: members_done(path) > 100)
    kill(victim)
    assert b"2,187 of 2,187 members" in other.communicate(timeout=120)[0] and other.returncode == 0
    assert table(path) == whole
    assert nobody_left(victim.pid) and nobody_left(other.pid)


def test_interrupted(tmp_path: Path, whole: list[Any]) -> None:
    path = tmp_path / "sweep.db"
    process = start(path)
    assert wait_until(lambda: members_done(path) > 0)
    workers = in_group(process.pid)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"exactrelu: interrupted\n")
    assert len(workers) >= 3 and nobody_left(process.pid)
    assert is_consistent(path) and 0 < len(table(path)) < 1134
    sweep(STATEMENT, FAMILY, path, workers=1, resume=True)
    assert table(path) == whole


def test_a_worker_dies(tmp_path: Path) -> None:
    sign = tmp_path / "alive"

    def deadly(network: er.Network) -> bool:
        if not sign.exists() and network.parameters[0].value > 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return True

    statement = er.Theorem(hypotheses=[], conclusion=deadly, id="deadly")
    with pytest.raises(WorkersLost, match="workers: must live until their work is done"):
        sweep(statement, SMALL, tmp_path / "a.db", workers=2)
    sign.touch()
    assert sweep(statement, SMALL, tmp_path / "a.db", workers=1, resume=True).total.holds == 81


def test_work_can_be_dropped_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Right after it was handed over, while its executor is about to pass it on; no thread may stumble over it."""
    stumbled: list[object] = []
    monkeypatch.setattr(threading, "excepthook", stumbled.append)
    task = batches_module.Task(Reference(ID), SMALL, None, 0)
    for _ in range(4):
        with opened("joblib", 2, None) as place:
            list(place.finished([place.submit(task, batches_module.Batch(0, 1))]))  # the workers are there
            for start in range(4):
                place.submit(task, batches_module.Batch(start, start + 1))
    assert not stumbled


def test_serial_is_a_backend_like_the_others() -> None:
    """Errors of the work come out where they are asked for."""
    task = batches_module.Task(Reference(ID), SMALL, er.Domain.parse("R^2"), 0)
    with pytest.raises(er.WrongDimension):
        Serial().submit(task, batches_module.Batch(0, 5))
