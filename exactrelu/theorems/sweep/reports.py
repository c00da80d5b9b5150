"""The result of a sweep: how many instances of every stratum say something, and what."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ...errors import InvalidFile
from ...rationals.strict_json import parse
from ...verdicts import Status
from ..instances import Instance, instance_from_json
from .database import Database
from .progress import extent

COLUMNS: Final = ("stratum", "instances", "applicable", *(status.value for status in Status), "seconds")
MOST_REASONS: Final = 8


@dataclass(frozen=True, slots=True)
class Line:
    """The counts of one stratum. ``applicable`` instances meet the hypotheses, and the conclusion was decided."""

    stratum: str
    holds: int = 0
    fails: int = 0
    inapplicable: int = 0
    unknown: int = 0
    seconds: float = 0.0

    @property
    def instances(self) -> int:
        """The number of instances."""
        return self.applicable + self.inapplicable + self.unknown

    @property
    def applicable(self) -> int:
        """The number of instances that speak for the statement or against it."""
        return self.holds + self.fails

    def values(self) -> tuple[str | int | float, ...]:
        """The counts in the order of :data:`COLUMNS`."""
        return (*(getattr(self, column) for column in COLUMNS[:-1]), round(self.seconds, 3))


@dataclass(frozen=True, slots=True)
class SweepReport:
    """What a sweep has found.

    ``specification`` says what was swept, ``lines`` count by stratum,
    ``exhausted`` says that every member of the family was worked off,
    ``reasons`` are (verdict, condition, count), and ``counterexample`` is the
    first instance that fails, by its key.
    """

    specification: Mapping[str, Any]
    lines: tuple[Line, ...]
    members: int
    size: int | None
    reasons: tuple[tuple[str, str, int], ...]
    counterexample: Instance | None

    @property
    def exhausted(self) -> bool:
        """Whether every member of the family was worked off."""
        return self.size is not None and self.members >= self.size

    @property
    def total(self) -> Line:
        """All strata together."""
        fields = ("holds", "fails", "inapplicable", "unknown", "seconds")
        return Line("all", **{name: sum(getattr(line, name) for line in self.lines) for name in fields})

    def explain(self) -> str:
        """The table as text."""
        spec = self.specification
        dropped = f" without {', '.join(spec['dropped'])}" if spec["dropped"] else ""
        lines = [
            f"{spec['theorem']}{dropped}",
            f"{extent(self.members, self.size)} of the family",
            "",
            *_aligned(self._cells()),
            "",
        ]
        for verdict, cause, count in self.reasons[:MOST_REASONS]:
            lines.append(f"{verdict} by {cause}: {count:,}")
        if len(self.reasons) > MOST_REASONS:
            lines.append(f"and {len(self.reasons) - MOST_REASONS} further reasons")
        if self.counterexample is not None:
            lines.append(f"the first counterexample:{self.counterexample.explain()}")
        elif not self.total.applicable:
            lines.append("no instance was applicable: the sweep says nothing about the statement")
        return "\n".join(lines).rstrip()

    def _cells(self) -> list[list[str]]:
        shown = [COLUMNS, *(line.values() for line in (*self.lines, self.total))]
        return [[f"{value:,}" if isinstance(value, int) else _text(value) for value in row] for row in shown]

    def csv(self) -> str:
        """The table as comma-separated values, with a last row for all strata together."""
        content = io.StringIO()
        writer = csv.writer(content, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(line.values() for line in (*self.lines, self.total))
        return content.getvalue()

    def to_json(self) -> dict[str, Any]:
        """The report as JSON data."""
        return {
            "specification": dict(self.specification),
            "members": self.members,
            "size": self.size,
            "exhausted": self.exhausted,
            "strata": [dict(zip(COLUMNS, line.values(), strict=True)) for line in self.lines],
            "total": dict(zip(COLUMNS[1:], self.total.values()[1:], strict=True)),
            "reasons": [dict(zip(("verdict", "condition", "instances"), entry, strict=True)) for entry in self.reasons],
            "counterexample": None if self.counterexample is None else self.counterexample.to_json(),
        }


def sweep_report(path: str | os.PathLike[str]) -> SweepReport:
    """The report of the file of a sweep, also while the sweep is running.

    Raises :class:`~exactrelu.errors.InvalidFile` for anything else.

    >>> import tempfile, exactrelu as er
    >>> rank = er.theorem("embedding_rank_is_parameters_minus_hidden")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = er.sweep(rank, er.family((1, 1, 1), entries=(0, 1)), f"{folder}/sweep.db", workers=1)
    ...     sweep_report(f"{folder}/sweep.db") == found
    True
    """
    with Database.read(path) as database:
        return report(database)


def report(database: Database) -> SweepReport:
    """The report of an open database."""
    specification = database.specification()
    size = specification.pop("size", None)
    lines = []
    for stratum, found in database.counts().items():
        counts = {verdict: count for verdict, (count, _) in found.items()}
        if not set(counts) <= set(Status):
            raise InvalidFile(database.path, f"must hold the verdicts {', '.join(Status)}", ", ".join(counts))
        lines.append(Line(stratum, **counts, seconds=sum(seconds for _, seconds in found.values())))
    failure = database.first_failure()
    where = f"{database.path}: the first counterexample"
    counterexample = None if failure is None else instance_from_json(parse(database.instance(failure), where), where)
    reasons = tuple(database.reasons())
    return SweepReport(specification, tuple(lines), database.members_done(), size, reasons, counterexample)


def _text(value: object) -> str:
    return f"{value:,.2f}" if isinstance(value, float) else str(value)


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    first, *others = (max(map(len, column)) for column in zip(*rows, strict=True))
    return [
        "  ".join([name.ljust(first), *(cell.rjust(width) for cell, width in zip(cells, others, strict=True))])
        for name, *cells in rows
    ]
