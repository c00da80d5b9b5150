"""The work of a sweep: a range of members, checked one after the other into rows of the table.

This is the part that runs in the workers. It knows the members by their numbers
alone and writes nowhere.
"""

from __future__ import annotations

import json
import math
import time
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ...errors import ExactReluError
from ...polyhedra import Domain
from ...verdicts import Status, Verdict
from ..families import NetworkFamily
from ..hunting import instances
from ..instances import Instance
from ..theorem import Theorem
from .specification import Reference

BATCH_SECONDS: Final = 1.0
"""How long a batch should take: what is lost by a crash, against the cost of a transaction."""
FIRST_LENGTH: Final = 1
LARGEST_GROWTH: Final = 4
SHORTEST_SHARE: Final = 16
"""The last batches are at least one in so many of a full one: each costs a transaction."""


class Row(NamedTuple):
    """One instance: its key (``member``, ``position``), and what the statement says about it."""

    member: int
    position: int
    verdict: str
    reason: str
    stratum: str
    instance: str
    seconds: float


class Batch(NamedTuple):
    """A range of members: those from ``start`` to ``stop``, without the last."""

    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Task:
    """What is done with every member: a statement and its surroundings, in a form that can be sent."""

    statement: Reference | Theorem
    family: NetworkFamily
    domain: Domain | None
    seed: int

    def rows(self, batch: Batch) -> tuple[list[Row], float]:
        """The rows of a range of members, and how long they took."""
        started = time.perf_counter()
        theorem = self.statement.resolve() if isinstance(self.statement, Reference) else self.statement
        found, last, stratum = [], -1, ""
        keyed = instances(theorem, self.family, self.domain, seed=self.seed, start=batch.start, stop=batch.stop)
        for index, position, instance in keyed:
            if index != last:
                last, stratum = index, self.family.stratum(index)
            since = time.perf_counter()
            verdict = checked(theorem, instance)
            seconds = round(time.perf_counter() - since, 6)
            text = json.dumps(compact(instance), separators=(",", ":"))
            found.append(Row(index, position, verdict.status.value, reason(verdict), stratum, text, seconds))
        return found, time.perf_counter() - started


def checked(theorem: Theorem, instance: Instance) -> Verdict:
    """What a statement says about an instance; ``unknown`` if a predicate breaks down on it.

    A predicate of a user may divide by zero on the millionth network. That
    decides nothing, and is no reason to stop.
    """
    try:
        return theorem.check(instance)
    except ExactReluError as error:
        return Verdict(str(error), Status.UNKNOWN)
    except Exception as error:  # whatever a predicate of a user may raise
        return Verdict(f"a predicate raised {type(error).__name__}: {error}", Status.UNKNOWN)


def reason(verdict: Verdict) -> str:
    """The first condition that is not met, in words; empty where all are.

    >>> from ...verdicts import Condition
    >>> met, unmet = Condition("wide", Status.HOLDS), Condition("deep", Status.FAILS, detail="one layer")
    >>> reason(Verdict("", Status.INAPPLICABLE, (met, unmet)))
    'deep: one layer'
    """
    if verdict.status is Status.HOLDS:
        return ""
    for condition in verdict.conditions:
        if condition.status is not Status.HOLDS and (
            verdict.status is not Status.UNKNOWN or condition.status is Status.UNKNOWN
        ):
            return f"{condition.id}: {condition.detail}" if condition.detail else condition.id
    return verdict.claim


def compact(instance: Instance) -> Any:
    """An instance as JSON data: the network alone, where there is nothing else."""
    data = instance.to_json()
    return data["network"] if len(data) == 3 else data


class Pace:
    """The length of the next batch, from how long the last ones took."""

    def __init__(self) -> None:
        self.length = FIRST_LENGTH

    def learn(self, batch: Batch, seconds: float) -> None:
        """Take note of how long a batch took."""
        length = batch.stop - batch.start
        # The clock may not have moved. How long batches are decides nothing but how often the file is written.
        ideal = length * BATCH_SECONDS / max(seconds, 1e-6)
        self.length = max(1, math.floor(min(ideal, LARGEST_GROWTH * length)))

    def next(self, left: int | None, workers: int) -> int:
        """The length of the next batch: shorter towards the end, so that all workers end together."""
        if left is None or workers == 1:
            return self.length
        return max(1, min(self.length, max(left // (2 * workers), self.length // SHORTEST_SHARE)))
