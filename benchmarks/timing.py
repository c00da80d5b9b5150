"""Timing for the benchmarks: medians of several runs in one process, and ratios between tasks run in turn."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence


def median_seconds(task: Callable[[], object], *, runs: int = 5) -> float:
    """The median time of a task over some runs, after one that is not counted."""
    task()
    return statistics.median(seconds(task) for _ in range(runs))


def seconds(task: Callable[[], object]) -> float:
    """The time of one run."""
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


def steady_seconds(task: Callable[[], object]) -> float:
    """The time of one run; if it is short, of a second one, because what ran before has emptied the caches."""
    first = seconds(task)
    return seconds(task) if first < 0.1 else first


def paired_seconds(tasks: Sequence[Callable[[], object]], *, runs: int = 9) -> tuple[list[float], list[float]]:
    """The median time of every task, and the median of its ratio to the first one in the same round.

    The tasks are run in turn, so that a slow phase of the machine slows all of them
    and leaves the ratios alone. There are more rounds than ``runs`` where they are short.
    """
    rounds: list[list[float]] = []
    while len(rounds) < runs or (len(rounds) < 10 * runs and sum(map(sum, rounds)) < 1):
        rounds.append([steady_seconds(task) for task in tasks])
    times = [statistics.median(column) for column in zip(*rounds, strict=True)]
    ratios = [statistics.median(row[k] / row[0] for row in rounds) for k in range(len(tasks))]
    return times, ratios


def process_seconds(code: str) -> float:
    """The median time of a new Python process that executes ``code``."""
    return median_seconds(lambda: subprocess.run([sys.executable, "-c", code], check=True))


def report(rows: list[tuple[str, float, str]]) -> None:
    """A table of tasks, milliseconds and remarks."""
    width = max(len(name) for name, _, _ in rows)
    for name, seconds, remark in rows:
        print(f"{name:<{width}}  {1000 * seconds:>10.2f} ms  {remark}")


def state_of_machine() -> str:
    """Load averages, and how much the time of one and the same loop varies just now."""
    loads = ", ".join(f"{load:.1f}" for load in os.getloadavg())
    times = sorted(seconds(lambda: sum(range(200_000))) for _ in range(200))
    spread = 100 * (times[180] / times[0] - 1)
    return f"load average {loads} on {os.cpu_count()} processors; 90 % of loops within {spread:.0f} % of the fastest"
