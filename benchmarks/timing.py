"""Timing for the benchmarks: medians of several runs in one process, and ratios between them."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable


def median_seconds(task: Callable[[], object], *, runs: int = 5) -> float:
    """The median time of a task over some runs, after one that is not counted."""
    task()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def process_seconds(code: str, *, runs: int = 5) -> float:
    """The median time of a new Python process that executes ``code``."""
    return median_seconds(lambda: subprocess.run([sys.executable, "-c", code], check=True), runs=runs)


def report(rows: list[tuple[str, float, str]]) -> None:
    """A table of tasks, milliseconds and remarks."""
    width = max(len(name) for name, _, _ in rows)
    for name, seconds, remark in rows:
        print(f"{name:<{width}}  {1000 * seconds:>10.2f} ms  {remark}")
