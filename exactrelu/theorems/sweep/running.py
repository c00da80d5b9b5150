"""A sweep: claim batches, have them worked on, record their rows, until there is nothing left to do."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Final

from ...errors import InvalidInput, check_budget
from ...polyhedra import Domain, as_domain
from ..families import NetworkFamily
from ..theorem import Theorem
from .backends import Backend, opened
from .batches import Batch, Pace, Task
from .database import Database
from .progress import Progress, Tally
from .reports import SweepReport, report
from .specification import reference, specification

MOST_BITS: Final = 10_000
"""The size of a family is written down: it must have a length that one can write down."""


def sweep(
    theorem: Theorem,
    family: NetworkFamily,
    path: str | os.PathLike[str] | None = None,
    *,
    domain: Domain | str | None = None,
    seed: int = 0,
    budget: int | None = None,
    resume: bool = False,
    workers: int | None = None,
    backend: str = "joblib",
    scheduler: str | None = None,
    until_failure: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> SweepReport:
    """Check a statement on every member of a family, in parallel, into an SQLite file.

    ``path`` is the file (``None``: in memory); with ``resume`` an unfinished
    sweep goes on in it. ``budget`` bounds the number of instances, ``workers``
    the processes (``None``: one per core, 1: this process alone). With
    ``backend="dask"`` the workers are those of the Dask cluster at ``scheduler``.
    ``until_failure`` ends the sweep at the first counterexample. ``progress`` is
    called after every batch.

    The table does not depend on who works on it, nor on interruptions, apart
    from the column ``seconds``.

    Raises :class:`~exactrelu.errors.InvalidInput` for an endless family without
    a budget, and :class:`~exactrelu.errors.InvalidFile` for a file that exists
    already, belongs to another sweep, or cannot be written.

    >>> from ..families import family
    >>> from ..registry import theorem
    >>> rank = theorem("embedding_rank_is_parameters_minus_hidden")
    >>> found = sweep(rank, family((1, 1, 1), entries=(-1, 0, 1)), workers=1)
    >>> found.total.holds, found.total.inapplicable, found.exhausted
    (48, 33, True)
    """
    check_budget(budget)
    if type(seed) is not int:
        raise InvalidInput("seed", "must be an integer", seed)
    if not isinstance(family, NetworkFamily):
        raise InvalidInput("family", "must be a family of networks, as er.family makes it", family)
    if family.size is not None and family.size.bit_length() > MOST_BITS:
        raise InvalidInput("family", f"must have at most 2^{MOST_BITS} members to be swept")
    if family.size is None and budget is None:
        raise InvalidInput("budget", "must be given, since the family has no end")
    where = _domain(domain, family)
    task = Task(reference(theorem), family, where, seed)
    spec = {**specification(theorem, family, where, seed), "size": family.size}
    with (
        opened(backend, workers, scheduler) as place,
        Database.start(path, spec, resume=resume) as database,
    ):
        database.raise_budget(budget)
        _Run(database, place, task, budget, until_failure, progress).work()
        database.cut(until_failure)
        return report(database)


class _Run:
    """One process at work on the file of a sweep."""

    def __init__(
        self,
        database: Database,
        place: Backend,
        task: Task,
        budget: int | None,
        until_failure: bool,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self.database, self.place, self.task = database, place, task
        self.budget, self.until_failure, self.progress = budget, until_failure, progress
        self.busy: dict[Any, Batch] = {}
        self.pace, self.tally = Pace(), Tally()
        # Beyond this SQLite has no integers; no search gets there.
        self.end = None if task.family.size is None else min(task.family.size, 2**63 - 1)

    def work(self) -> None:
        """Work until the family is exhausted or enough is known."""
        while not self.enough():
            self.fill()
            if not self.busy:
                return
            for future in list(self.place.finished(self.busy)):
                self.record(self.busy.pop(future), *future.result())

    def enough(self) -> bool:
        """Whether nothing that is still open can change the result."""
        if self.until_failure and (found := self.database.first_failure()) and self.database.is_settled(found[0]):
            return True
        return self.budget is not None and self.database.settled() >= self.budget

    def fill(self) -> None:
        """Give every worker a batch to work on, and one for afterwards."""
        workers = self.place.workers
        failed = self.until_failure and self.database.first_failure() is not None
        while len(self.busy) < (1 if workers == 1 else 2 * workers):
            starts = {batch.start for batch in self.busy.values()}
            budget = 0 if failed else self.budget
            batch = self.database.claim(self.length(), self.end, starts, budget)
            if batch is None:
                return
            self.busy[self.place.submit(self.task, batch)] = batch

    def length(self) -> int:
        """The length of the next batch, by what is left of the family and of the budget."""
        left = []
        if self.end is not None:
            left.append(self.end - self.database.claimed())
        if self.budget is not None:
            left.append(self.budget - self.database.recorded())
        return self.pace.next(min(left, default=None), self.place.workers)

    def record(self, batch: Batch, rows: list[Any], seconds: float) -> None:
        """Write the rows of a batch down, and say so."""
        self.pace.learn(batch, seconds)
        self.database.finish(batch, rows)
        self.tally.add(batch.stop - batch.start, rows)
        if self.progress is not None:
            size, database = self.task.family.size, self.database
            self.progress(self.tally.moment(database.members_done(), size, database.recorded(), self.budget))


def _domain(domain: Domain | str | None, family: NetworkFamily) -> Domain | None:
    found = Domain.parse(domain) if isinstance(domain, str) else domain
    layout = getattr(family, "layout", None)
    return found if found is None or layout is None else as_domain(found, layout.widths[0])
