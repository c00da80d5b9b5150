"""Sweeps: how much two cores gain over one, and how many instances of every statement are checked per second.

Run on an idle machine: python benchmarks/sweeps.py [--seconds 60] [--workers 2] [--rates]

Efficiency is the time of one process divided by (workers x time with workers), everything included: starting the
workers, writing the file, and waiting for the last batch. The limit is what the machine allows: as many separate
processes as workers, each with its share of the work, started together.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from timing import state_of_machine

import exactrelu as er
from exactrelu.theorems.families import NetworkFamily, family
from exactrelu.theorems.sweep import SweepReport, sweep

STATEMENT = "embedding_rank_is_parameters_minus_hidden"
WIDTHS = (3, 4, 3, 1)
SEPARATE = """
import sys; sys.path.insert(0, {folder!r})
import sweeps; sweeps.timed(sweeps.members({count}, {seed}), 1)
"""


def members(count: int, seed: int = 0) -> NetworkFamily:
    return family(WIDTHS, random=seed, count=count)


def timed(networks: NetworkFamily, workers: int) -> tuple[SweepReport, float]:
    """A sweep into a file, and its time."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        report = sweep(er.theorem(STATEMENT), networks, Path(folder) / "sweep.db", workers=workers)
        return report, time.perf_counter() - start


def apart(count: int, workers: int) -> float:
    """The time of as many separate processes, each with its share of the members."""
    folder = str(Path(__file__).parent)
    start = time.perf_counter()
    programs = [SEPARATE.format(folder=folder, count=count // workers, seed=seed) for seed in range(workers)]
    processes = [subprocess.Popen([sys.executable, "-c", program]) for program in programs]
    if any(process.wait() for process in processes):
        raise SystemExit("a separate process has failed")
    return time.perf_counter() - start


def efficiency(seconds: float, workers: int, rounds: int) -> None:
    sample = 300
    count = round(sample * seconds / min(timed(members(sample), 1)[1] for _ in range(2)))
    alone, together, limits = [], [], []
    for _ in range(rounds):
        alone.append(timed(members(count), 1)[1])
        together.append(timed(members(count), workers)[1])
        limits.append(apart(count, workers))
        last = (alone[-1], together[-1], limits[-1])
        print("  one process {:.1f} s, workers {:.1f} s, separate processes {:.1f} s".format(*last), flush=True)
    gain = statistics.median(a / (workers * b) for a, b in zip(alone, together, strict=True))
    limit = statistics.median(a / (workers * b) for a, b in zip(alone, limits, strict=True))
    print(f"{count:,} networks of widths {WIDTHS}: efficiency {gain:.0%} on {workers} cores, limit {limit:.0%}")


def rates(seconds: float) -> None:
    """Instances per second of every statement on random networks, by one process, and applicable ones per second."""
    for statement in er.registered_theorems():
        budget, spent, report = 8, 0.0, None
        while spent < seconds / 2:
            start = time.perf_counter()
            report = sweep(statement, family((2, 2, 1), random=0), budget=budget, workers=1)
            spent = time.perf_counter() - start
            budget = budget * 4 if spent < seconds / 8 else max(budget + 1, round(budget * seconds / spent))
        assert report is not None
        total = report.total
        share = f"{total.applicable / total.instances:6.1%} applicable"
        own = (
            ""
            if statement.supply is None
            else f"  {applicable_rate(statement, seconds / 2):>9,.1f}/s of its own supply"
        )
        print(f"{statement.id:<70} {total.instances / spent:>9,.1f}/s  {share}{own}", flush=True)


def applicable_rate(statement: er.Theorem, seconds: float) -> float:
    """Applicable instances per second among those that the statement draws itself, drawing included."""
    start, generator, found = time.perf_counter(), random.Random(0), 0
    while time.perf_counter() - start < seconds:
        verdict = statement.check(statement.draw(generator))
        found += verdict.status in (er.Status.HOLDS, er.Status.FAILS)
    return found / (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60, help="how long one process should take")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rates", action="store_true", help="only the rates per statement")
    options = parser.parse_args()
    print(state_of_machine())
    if not options.rates:
        efficiency(options.seconds, options.workers, options.rounds)
    rates(min(2.0, options.seconds))


if __name__ == "__main__":
    main()
