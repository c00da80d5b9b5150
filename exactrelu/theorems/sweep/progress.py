"""How far a sweep is: rate, counts per verdict, time left."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from ...verdicts import Status
from .batches import Row


@dataclass(frozen=True, slots=True)
class Progress:
    """A moment in a sweep: what this run has done, and how far the whole has come.

    ``members`` of ``size`` (``None``: endless) are done, by anybody at any time;
    ``instances`` by anybody are recorded, of ``budget`` (``None``: all).
    ``checked`` counts verdicts of this run, in ``seconds``.
    """

    members: int
    size: int | None
    instances: int
    budget: int | None
    checked: Counter[str]
    fresh_members: int
    seconds: float

    @property
    def rate(self) -> float:
        """Instances per second, in this run."""
        return self.checked.total() / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """About how many seconds are left; ``None`` where that cannot be said."""
        left = []
        if self.size is not None and self.fresh_members:
            left.append((self.size - self.members) * self.seconds / self.fresh_members)
        if self.budget is not None and self.rate:
            left.append(max(0, self.budget - self.instances) / self.rate)
        return min(left, default=None)

    def explain(self) -> str:
        """One line.

        >>> moment = Progress(50, 100, 40, None, Counter(holds=30, inapplicable=10), 50, 2.0)
        >>> moment.explain()
        '50 of 100 members, 20/s, holds 30, inapplicable 10, 2 s left'
        """
        parts = [extent(self.members, self.size), f"{self.rate:,.0f}/s"]
        parts += [f"{status.value} {self.checked[status.value]:,}" for status in Status if self.checked[status.value]]
        left = self.seconds_left
        return ", ".join(parts + ([] if left is None else [f"{duration(left)} left"]))


class Tally:
    """What this run has done so far."""

    def __init__(self) -> None:
        self.started = time.perf_counter()
        self.checked: Counter[str] = Counter()
        self.members = 0

    def add(self, members: int, rows: Iterable[Row]) -> None:
        """Count a batch."""
        self.members += members
        self.checked.update(row.verdict for row in rows)

    def moment(self, members: int, size: int | None, instances: int, budget: int | None) -> Progress:
        """Where the sweep is now."""
        seconds = time.perf_counter() - self.started
        return Progress(members, size, instances, budget, Counter(self.checked), self.members, seconds)


def extent(members: int, size: int | None) -> str:
    """How many members out of how many.

    >>> extent(10**6, 3**14), extent(5, 3**40), extent(5, None)
    ('1,000,000 of 4,782,969 members', '5 of about 10^19 members', '5 members')
    """
    if size is None:
        return f"{members:,} members"
    digits = size.bit_length() * 3 // 10
    return f"{members:,} of {f'{size:,}' if digits <= 15 else f'about 10^{len(str(size)) - 1}'} members"


def duration(seconds: float) -> str:
    """A time in words.

    >>> duration(8), duration(200), duration(8000), duration(10**6)
    ('8 s', '3 min', '2.2 h', '11.6 days')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 100 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h" if seconds < 48 * 3600 else f"{seconds / 86400:.1f} days"
