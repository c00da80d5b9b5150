"""The file of a sweep: ranges, transactions, refusals, and what a full disk does to it."""

from __future__ import annotations

import contextlib
import json
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sweep_runs import FAMILY, STATEMENT, expected, table

import exactrelu as er
from exactrelu.theorems.families import family
from exactrelu.theorems.sweep import sweep, sweep_report
from exactrelu.theorems.sweep.batches import Batch, Row
from exactrelu.theorems.sweep.database import Database

NETWORK = json.dumps(er.Network.mlp([[[1]]]).to_json())
SPEC = {"theorem": "a", "dropped": [], "family": {"widths": [1, 1]}, "domain": None, "seed": 0, "version": "0"}


def row(member: int, position: int = 0, verdict: str = "holds", **more: Any) -> Row:
    fields = {"reason": "", "stratum": "generic", "instance": NETWORK, "seconds": 0.5} | more
    return Row(member, position, verdict, **fields)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database.start(tmp_path / "sweep.db", SPEC) as database:
        yield database


def test_ranges_follow_each_other(database: Database) -> None:
    claimed = [database.claim(length, 20, set(), None) for length in (3, 5, 7, 9)]
    assert claimed == [(0, 3), (3, 8), (8, 15), (15, 20)]
    assert (database.claimed(), database.members_done(), database.recorded()) == (20, 0, 0)
    # What is not done may have been claimed by somebody who is dead.
    assert database.claim(3, 20, {0}, None) == (3, 8)
    assert database.finish(Batch(3, 8), [row(4)]) and database.claim(3, 20, {0, 8}, None) == (15, 20)
    assert (database.settled(), database.recorded(), database.members_done()) == (0, 1, 5)
    assert database.finish(Batch(0, 3), [row(0), row(0, 1)]) and database.settled() == 3
    assert database.is_settled(7) and not database.is_settled(8)


def test_batches_that_come_twice_count_once(database: Database) -> None:
    batch = database.claim(3, 3, set(), None)
    assert batch is not None and database.finish(batch, [row(0), row(2)])
    assert not database.finish(batch, [row(0), row(2)])
    assert (database.recorded(), len(list(database.rows()))) == (2, 2)
    assert database.claim(3, 3, set(), None) is None


def test_the_cut_does_not_depend_on_batches() -> None:
    r = random.Random(0)
    rows = [row(member, position) for member in range(30) for position in range(r.randrange(4))]
    for _ in range(40):
        budget = r.randrange(len(rows) + 1)
        with Database.start(None, SPEC) as database:
            database.raise_budget(budget)
            while (batch := database.claim(r.randint(1, 9), 30, set(), budget)) is not None:
                database.finish(batch, [item for item in rows if batch.start <= item.member < batch.stop])
            database.cut()
            database.cut()
            assert list(database.rows()) == rows[:budget]
            assert database.recorded() == database.settled() == budget
            # Going on afterwards loses nothing.
            while (batch := database.claim(r.randint(1, 9), 30, set(), None)) is not None:
                database.finish(batch, [item for item in rows if batch.start <= item.member < batch.stop])
            assert list(database.rows()) == rows and database.members_done() == 30


def test_the_cut_at_the_first_failure(database: Database) -> None:
    batch = database.claim(9, 9, set(), None)
    verdicts = ["holds", "inapplicable", "fails", "holds", "fails"]
    rows = [row(member, position, verdict) for member in (3, 5) for position, verdict in enumerate(verdicts)]
    assert batch is not None and database.finish(batch, rows)
    assert database.first_failure() == (3, 2)
    database.cut()
    assert len(list(database.rows())) == 10
    database.cut(until_failure=True)
    assert list(database.rows()) == rows[:3] and database.recorded() == 3 and database.members_done() == 3


def test_a_result_that_was_cut_off_is_not_written(database: Database) -> None:
    first, second = (database.claim(3, 9, set(), 2) for _ in range(2))
    assert first is not None and second is not None
    database.raise_budget(2)
    database.finish(first, [row(0), row(1), row(2)])
    database.cut()
    assert not database.finish(second, [row(3)])
    assert [item.member for item in database.rows()] == [0, 1]


# --- refusals -----------------------------------------------------------------------------------------------------


OTHERS: dict[str, Any] = {
    "theorem": "b",
    "dropped": ["admissible"],
    "family": {"widths": [1, 2]},
    "domain": {"halfspaces": []},
    "seed": 1,
    "version": "1",
}


@pytest.mark.parametrize("key", OTHERS)
def test_another_sweep_is_not_resumed(database: Database, key: str) -> None:
    with pytest.raises(er.InvalidFile, match=f"must be the database of this sweep to resume it, but its {key} is "):
        Database.start(database.path, {**SPEC, key: OTHERS[key]}, resume=True)
    Database.start(database.path, SPEC, resume=True).connection.close()


def test_an_existing_file_needs_resume(database: Database) -> None:
    with pytest.raises(er.InvalidFile, match="must not exist yet, unless its sweep is to be resumed"):
        Database.start(database.path, SPEC)


def test_a_sweep_that_was_killed_before_it_began(tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    for name in ("empty.db", "absent.db"):
        with Database.start(tmp_path / name, SPEC, resume=True) as database:
            assert database.specification() == SPEC


def bad_files(folder: Path) -> dict[str, tuple[Path, str]]:
    (folder / "words.db").write_text("hello world " * 100)
    with sqlite3.connect(folder / "foreign.db") as connection:
        connection.execute("CREATE TABLE results (member, position)")
    connection.close()
    Database.start(folder / "newer.db", SPEC).connection.close()
    with sqlite3.connect(folder / "newer.db") as connection:
        connection.execute("PRAGMA user_version = 2")
    connection.close()
    Database.start(folder / "broken.db", SPEC).connection.close()
    content = (folder / "broken.db").read_bytes()
    (folder / "broken.db").write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    return {
        "words": (folder / "words.db", "not a database"),
        "foreign": (folder / "foreign.db", "but it is another one"),
        "newer": (folder / "newer.db", "of version 1; got 2"),
        "broken": (folder / "broken.db", "malformed"),
        "a folder": (folder, "must be"),
    }


@pytest.mark.parametrize("name", ["words", "foreign", "newer", "broken", "a folder"])
def test_other_files(tmp_path: Path, name: str) -> None:
    path, words = bad_files(tmp_path)[name]
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(er.InvalidFile, match=words):
        Database.start(path, SPEC, resume=True)
    with pytest.raises(er.InvalidFile, match=words):
        sweep_report(path)
    assert (path.read_bytes() if path.is_file() else b"") == before


@pytest.mark.parametrize(
    ("name", "words"), [("", "must not be empty"), ("no/such/folder/a.db", "no such file"), ("a\0b", "null")]
)
def test_bad_names(name: str, words: str) -> None:
    with pytest.raises(er.InvalidFile, match=words):
        Database.start(name, SPEC)
    with pytest.raises(er.InvalidFile):
        sweep_report(name)


# --- a disk that is full, a folder that is closed -----------------------------------------------------------------


def test_a_full_database_keeps_what_it_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = expected(tmp_path / "whole.db")
    path = tmp_path / "full.db"
    original = Database.start.__func__

    def small(cls: type[Database], *arguments: Any, **options: Any) -> Database:
        database = original(cls, *arguments, **options)
        database.connection.execute("PRAGMA max_page_count = 30")
        return database

    monkeypatch.setattr(Database, "start", classmethod(small))
    with pytest.raises(er.InvalidFile, match="must be a file that can be read and written: database or disk is full"):
        sweep(STATEMENT, FAMILY, path, workers=1)
    monkeypatch.undo()
    kept = table(path)
    assert 0 < len(kept) < len(whole) and kept == whole[: len(kept)]
    assert sweep(STATEMENT, FAMILY, path, workers=1, resume=True).exhausted
    assert table(path) == whole


def limited(path: Path, size: int) -> subprocess.CompletedProcess[str]:
    """A sweep on the command line that may write files of so many bytes only."""
    command = [sys.executable, "-m", "exactrelu.cli", "theorem", "hunt", STATEMENT.id, "--widths", "1,2,1"]
    command += ["--entries=-1,0,1", "--workers", "1", "--out", str(path)]

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return subprocess.run(command, preexec_fn=limit, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("size", [0, 10_000, 100_000])
def test_a_disk_that_takes_no_more(tmp_path: Path, size: int) -> None:
    path = tmp_path / "sweep.db"
    done = limited(path, size)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"exactrelu: {path}: must be a file that can be read and written: ")
    assert done.stderr.count("\n") == 1
    assert sweep(STATEMENT, FAMILY, path, workers=1, resume=True).exhausted
    assert table(path) == expected(tmp_path / "whole.db")


CLOSED = """
import contextlib, os, sys
from exactrelu import cli
command, first, second = sys.argv[1:-2], *sys.argv[-2:]
with contextlib.redirect_stdout(None):  # so that everything is imported before the rights are given up
    cli.run([*command, first])
if os.geteuid() == 0:
    os.setuid(65534)
sys.exit(cli.run([*command, second]))
"""


def closed(*arguments: object) -> subprocess.CompletedProcess[str]:
    """A command as somebody who may not write everywhere; the last two arguments are tried one after the other."""
    command = [sys.executable, "-c", CLOSED, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_folder_that_is_closed(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        expected(folder / "old.db", family((1, 1, 1), entries=(0, 1)))
        folder.chmod(0o555)
        (folder / "old.db").chmod(0o444)
        options = ["theorem", "hunt", STATEMENT.id, "--widths", "1,1,1", "--entries=0,1", "--workers", "1", "--out"]
        for k, (target, more) in enumerate([("new.db", []), ("new.db", ["--resume"]), ("old.db", ["--resume"])]):
            command = [*options[:2], *more, *options[2:]]
            done = closed(*command, tmp_path / f"{k}.db", folder / target)
            assert done.returncode == 2, done.stderr
            assert done.stderr.startswith(f"exactrelu: {folder / target}: must be") and done.stderr.count("\n") == 1
        done = closed("theorem", "report", tmp_path / "0.db", folder / "old.db")
        assert done.returncode == 0 and "16 of 16 members" in done.stdout
        folder.chmod(0o755)


# --- reports ------------------------------------------------------------------------------------------------------


def test_a_report_of_known_numbers(database: Database) -> None:
    batch = database.claim(9, 12, set(), None)
    rows = [
        *(row(member, stratum="twins", seconds=0.25) for member in (0, 1, 2)),
        row(3, verdict="fails", reason="flat: it is not", stratum="twins"),
        row(3, 1, verdict="fails", reason="flat: nor this", stratum="twins"),
        *(row(member, verdict="inapplicable", reason=f"admissible: {member}", stratum="dead") for member in (4, 5)),
        row(6, verdict="unknown", reason="flat: budget", stratum="generic"),
        row(7),
    ]
    assert batch is not None and database.finish(batch, rows)
    found = sweep_report(database.path)
    assert found.csv().splitlines() == [
        "stratum,instances,applicable,holds,fails,inapplicable,unknown,seconds",
        "dead,2,0,0,0,2,0,1.0",
        "generic,2,1,1,0,0,1,1.0",
        "twins,5,5,3,2,0,0,1.75",
        "all,9,6,4,2,2,1,3.75",
    ]
    assert found.reasons == (("fails", "flat", 2), ("inapplicable", "admissible", 2), ("unknown", "flat", 1))
    assert found.members == 9 and found.counterexample is not None and found.counterexample.network.widths == (1, 1)
    assert found.to_json()["total"]["applicable"] == 6
    text = found.explain()
    assert "fails by flat: 2" in text and "the first counterexample" in text


def test_the_reader_of_a_hot_journal(tmp_path: Path) -> None:
    """A process that dies within a transaction leaves a journal, which the next one rolls back."""
    path = tmp_path / "sweep.db"
    expected(path)
    whole = table(path)
    script = (
        "import os, sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None);"
        "c.execute('PRAGMA cache_size = 1'); c.execute('BEGIN IMMEDIATE');"
        "c.execute(\"UPDATE results SET reason = 'x'\"); os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", script, str(path)], check=False).returncode == -9
    assert Path(f"{path}-journal").stat().st_size > 0
    assert table(path) == whole


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("DELETE FROM specification WHERE key = 'dropped'", "with a list of dropped hypotheses"),
        ("UPDATE specification SET value = '[1]' WHERE key = 'dropped'", "with a list of dropped hypotheses"),
        ("UPDATE specification SET value = '\"many\"' WHERE key = 'size'", "with a number of members or none"),
        ("UPDATE batches SET instances = 'x'", "with ranges and places that are integers"),
        ("UPDATE batches SET stop = 'x'", "with ranges and places that are integers"),
        ("UPDATE batches SET stop = 0", "with ranges and places that are integers"),
        ("UPDATE results SET position = 'x' || position", "with ranges and places that are integers"),
        ("UPDATE results SET stratum = x'00'", "must name strata and verdicts"),
        (
            "CREATE TABLE copy AS SELECT * FROM results; DROP TABLE results; ALTER TABLE copy RENAME TO results;"
            "UPDATE results SET seconds = NULL",
            "and say seconds, in all its results",
        ),
    ],
)
def test_damaged_contents_are_refused_in_one_sentence(tmp_path: Path, change: str, words: str) -> None:
    path = tmp_path / "sweep.db"
    er.sweep(
        er.theorem("embedding_rank_is_parameters_minus_hidden"), er.family((1, 1, 1), entries=(0, 1)), path, workers=1
    )
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.executescript(change)
    with pytest.raises(er.InvalidFile, match=words):
        er.sweep_report(path).explain()
