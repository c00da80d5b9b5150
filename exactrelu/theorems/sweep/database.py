"""The file of a sweep: an SQLite database that survives whatever happens to those who write to it.

==================  ==========================================================
``specification``   what the sweep is about, one JSON value per key
``batches``         the ranges of members that somebody works on, or has done
``results``         one row per instance, with the key (``member``, ``position``)
==================  ==========================================================

The rows of a batch and the mark that it is done are one transaction, so a process
that is killed loses the batches it was working on, and nothing else. The ranges
of ``batches`` follow each other without gaps, whoever claims them. A claim binds
nobody: where no fresh range is left, a range that is not done is worked on again,
since its owner may be dead. Rows that come twice are the same rows.

The journal is SQLite's rollback journal, not a write-ahead log: with one commit
per second speed is no concern, while a rollback journal needs no shared memory
(so the file may lie on a network drive), leaves a single file, and on a full disk
rolls the transaction back within that file.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Self

from ...errors import InvalidFile
from ...rationals.strict_json import parse
from .batches import Batch, Row
from .files import IN_MEMORY, connect, make_file, told

APPLICATION: Final = 0x65786163  # "exac": tells our files from other databases
VERSION: Final = 1

SCHEMA: Final = (
    "CREATE TABLE specification (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE batches (start INTEGER PRIMARY KEY, stop INTEGER NOT NULL, done INTEGER NOT NULL DEFAULT 0,"
    " instances INTEGER NOT NULL DEFAULT 0)",
    "CREATE TABLE results (member INTEGER NOT NULL, position INTEGER NOT NULL, verdict TEXT NOT NULL,"
    " reason TEXT NOT NULL, stratum TEXT NOT NULL, instance TEXT NOT NULL, seconds REAL NOT NULL,"
    " PRIMARY KEY (member, position)) WITHOUT ROWID",
    "CREATE INDEX failures ON results (member, position) WHERE verdict = 'fails'",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {VERSION}",
)
# The settled rows: those before the first range that is not done, and those of that range that are there already.
SETTLED: Final = """
    SELECT COALESCE(SUM(instances), 0) FROM batches
    WHERE start <= (SELECT COALESCE(MIN(start), 9223372036854775807) FROM batches WHERE NOT done)
"""
RECORDED: Final = "SELECT COALESCE(SUM(instances), 0) FROM batches"
FIRST_FAILURE: Final = "SELECT member, position FROM results WHERE verdict = 'fails' ORDER BY member, position LIMIT 1"
KEY_OF: Final = "SELECT member, position FROM results ORDER BY member, position LIMIT 1 OFFSET ?"
BEYOND: Final = "SELECT EXISTS (SELECT * FROM results WHERE (member, position) > (?, ?))"
# SQLite keeps values of any type in any column, and so does a damaged file.
BROKEN: Final = """
    SELECT EXISTS (
        SELECT * FROM batches
        WHERE typeof(start) || typeof(stop) || typeof(done) || typeof(instances) <> 'integerintegerintegerinteger'
        OR start < 0 OR stop <= start OR instances < 0
    ) OR EXISTS (SELECT * FROM results WHERE typeof(member) || typeof(position) <> 'integerinteger')
"""


class Database:
    """An open file of a sweep; use it with ``with``."""

    def __init__(self, path: str | os.PathLike[str], connection: sqlite3.Connection) -> None:
        self.path = os.fspath(path)
        self.connection = connection

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    @classmethod
    def start(cls, path: str | os.PathLike[str] | None, spec: Mapping[str, Any], *, resume: bool = False) -> Self:
        """A new file for a sweep, or with ``resume`` the file of the same sweep (``None``: in memory).

        Raises :class:`~exactrelu.errors.InvalidFile` for a file of something else, one that exists
        already without ``resume``, and one that cannot be written.
        """
        name = IN_MEMORY if path is None else os.fspath(path)
        if path is not None:
            make_file(name, resume)
        database = cls(name, connect(path))
        try:
            with database.transaction():
                if database._is_empty():
                    for statement in SCHEMA:
                        database.connection.execute(statement)
                    rows = [(key, json.dumps(value)) for key, value in spec.items()]
                    database.connection.executemany("INSERT INTO specification VALUES (?, ?)", rows)
                    return database
            database._check()
            database._compare(spec)
        except BaseException:
            database.connection.close()
            raise
        return database

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """The file of a sweep, to be read; :class:`~exactrelu.errors.InvalidFile` if it is none."""
        name = os.fspath(path)
        if not Path(name).is_file():
            raise InvalidFile(name or "file name", "must be the database of a sweep, but there is no such file")
        database = cls(name, connect(name))
        try:
            database._check()
        except BaseException:
            database.connection.close()
            raise
        return database

    def _is_empty(self) -> bool:
        return bool(self._one("SELECT COUNT(*) FROM sqlite_master") == 0)

    def _check(self) -> None:
        with told(self.path):
            application, version = self._one("PRAGMA application_id"), self._one("PRAGMA user_version")
        if application != APPLICATION:
            raise InvalidFile(self.path, "must be the database of a sweep, but it is another one")
        if version != VERSION:
            raise InvalidFile(self.path, f"must be the database of a sweep of version {VERSION}", version)
        with told(self.path):
            broken = self._one(BROKEN)
        if broken:
            raise InvalidFile(self.path, "must be the database of a sweep, with ranges and places that are integers")

    def _compare(self, spec: Mapping[str, Any]) -> None:
        found = self.specification()
        for key, value in spec.items():
            if found.get(key) != value:
                was = json.dumps(found.get(key), ensure_ascii=False)
                raise InvalidFile(self.path, f"must be the database of this sweep to resume it, but its {key} is {was}")

    def specification(self) -> dict[str, Any]:
        """What the sweep is about."""
        with told(self.path):
            rows = self.connection.execute("SELECT key, value FROM specification ORDER BY key").fetchall()
        found = {str(key): parse(str(value), f"{self.path}: {key}") for key, value in rows}
        if not isinstance(found.get("theorem"), str):
            raise InvalidFile(self.path, "must be the database of a sweep, with the id of its statement")
        dropped, size = found.get("dropped"), found.get("size")
        if not isinstance(dropped, list) or not all(isinstance(name, str) for name in dropped):
            raise InvalidFile(self.path, "must be the database of a sweep, with a list of dropped hypotheses")
        if size is not None and type(size) is not int:
            raise InvalidFile(self.path, "must be the database of a sweep, with a number of members or none", size)
        return found

    def claim(self, length: int, end: int | None, busy: Collection[int], budget: int | None) -> Batch | None:
        """The next range of members to work on, ``None`` if there is nothing to do.

        ``busy`` holds the starts of the ranges that this process works on
        already, ``budget`` the number of instances beyond which nothing fresh is
        begun.
        """
        with self.transaction():
            start, recorded = self._row("SELECT COALESCE(MAX(stop), 0), COALESCE(SUM(instances), 0) FROM batches")
            if (end is None or start < end) and (budget is None or recorded < budget):
                stop = start + length if end is None else min(end, start + length)
                self.connection.execute("INSERT INTO batches (start, stop) VALUES (?, ?)", (start, stop))
                return Batch(start, stop)
            open_ranges = self.connection.execute("SELECT start, stop FROM batches WHERE NOT done ORDER BY start")
            return next((Batch(*row) for row in open_ranges if row[0] not in busy), None)

    def finish(self, batch: Batch, rows: Iterable[Row]) -> bool:
        """Record the rows of a batch as one transaction; whether they were still wanted."""
        rows = list(rows)
        with self.transaction():
            wanted = self._row(
                "SELECT COUNT(*) FROM batches WHERE start = ? AND stop = ? AND NOT done", (batch.start, batch.stop)
            )[0]
            if wanted:
                self.connection.executemany("INSERT OR IGNORE INTO results VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
                self.connection.execute(
                    "UPDATE batches SET done = 1, instances = ? WHERE start = ?", (len(rows), batch.start)
                )
        return bool(wanted)

    def settled(self) -> int:
        """The number of instances before the first one that is not known yet."""
        with told(self.path):
            return int(self._one(SETTLED))

    def claimed(self) -> int:
        """The number of members that somebody works on or has done: those below this one."""
        with told(self.path):
            return int(self._one("SELECT COALESCE(MAX(stop), 0) FROM batches"))

    def recorded(self) -> int:
        """The number of instances in the table."""
        with told(self.path):
            return int(self._one(RECORDED))

    def members_done(self) -> int:
        """The number of members that have been worked off."""
        with told(self.path):
            return int(self._one("SELECT COALESCE(SUM(stop - start), 0) FROM batches WHERE done"))

    def raise_budget(self, budget: int | None) -> None:
        """Remember the largest number of instances that anybody has asked for."""
        with self.transaction():
            if "budget" in (found := self.specification()):
                known = found["budget"]
                budget = None if known is None or budget is None else max(known, budget)
            self.connection.execute("INSERT OR REPLACE INTO specification VALUES ('budget', ?)", (json.dumps(budget),))

    def cut(self, until_failure: bool = False) -> None:
        """Drop what goes beyond the budget, so that the table does not depend on the lengths of batches.

        The first instances by their keys stay, with ``until_failure`` up to the
        first that fails. The member in which they end becomes a range of its own
        that is not done, for a later sweep to go on with.
        """
        with self.transaction():
            budget = self.specification().get("budget")
            keys = [self._row(FIRST_FAILURE)] if until_failure else []
            if budget is not None and self._one(SETTLED) >= budget:
                keys.append(self._row(KEY_OF, (budget - 1,)) if budget else (-1, 0))
            last = min(filter(None, keys), default=None)
            if last is None or not self._row(BEYOND, last)[0]:
                return
            self.connection.execute("DELETE FROM results WHERE (member, position) > (?, ?)", last)
            self._shorten(max(last[0], 0))

    def _shorten(self, member: int) -> None:
        start = self._row("SELECT MAX(start) FROM batches WHERE start <= ?", (member,))[0]
        counted = "SELECT COUNT(*) FROM results WHERE member >= ? AND member < ?"
        before, within = (self._row(counted, ends)[0] for ends in ((start, member), (member, member + 1)))
        self.connection.execute("DELETE FROM batches WHERE start >= ?", (start,))
        if start < member:
            self.connection.execute("INSERT INTO batches VALUES (?, ?, 1, ?)", (start, member, before))
        self.connection.execute("INSERT INTO batches VALUES (?, ?, 0, ?)", (member, member + 1, within))

    def first_failure(self) -> tuple[int, int] | None:
        """The key of the first counterexample."""
        with told(self.path):
            found: tuple[int, int] | None = self._row(FIRST_FAILURE)
        return found

    def instance(self, key: tuple[int, int]) -> str:
        """The instance with this key as JSON text."""
        with told(self.path):
            return str(self._row("SELECT instance FROM results WHERE (member, position) = (?, ?)", key)[0])

    def is_settled(self, member: int) -> bool:
        """Whether all members up to this one have been worked off."""
        query = "SELECT COUNT(*) FROM batches WHERE start <= ? AND NOT done"
        with told(self.path):
            return int(self._row(query, (member,))[0]) == 0

    def counts(self) -> dict[str, dict[str, tuple[int, float]]]:
        """For every stratum and every verdict: the number of instances and their seconds."""
        query = "SELECT stratum, verdict, COUNT(*), SUM(seconds) FROM results GROUP BY 1, 2 ORDER BY 1, 2"
        found: dict[str, dict[str, tuple[int, float]]] = {}
        with told(self.path):
            for stratum, verdict, count, seconds in self.connection.execute(query):
                if not isinstance(stratum, str) or not isinstance(verdict, str) or not isinstance(seconds, int | float):
                    raise InvalidFile(self.path, "must name strata and verdicts, and say seconds, in all its results")
                found.setdefault(stratum, {})[verdict] = (count, seconds)
        return found

    def reasons(self) -> list[tuple[str, str, int]]:
        """Verdict, reason up to its first colon, and how often, the most frequent ones first."""
        query = """
            SELECT verdict, substr(reason, 1, instr(reason || ':', ':') - 1) AS cause, COUNT(*) FROM results
            WHERE reason <> '' GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2
        """
        with told(self.path):
            return list(self.connection.execute(query))

    def rows(self) -> Iterator[Row]:
        """The table, in the order of its keys."""
        with told(self.path):
            for row in self.connection.execute("SELECT * FROM results ORDER BY member, position"):
                yield Row(*row)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing, and nobody else writes meanwhile."""
        with told(self.path):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:  # a full disk has rolled it back already
                    self.connection.execute("ROLLBACK")
                raise

    def _row(self, query: str, values: tuple[Any, ...] = ()) -> Any:
        return self.connection.execute(query, values).fetchone()

    def _one(self, query: str) -> Any:
        return self._row(query)[0]
