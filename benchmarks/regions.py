"""Exact regions against plain floating-point edge subdivision, and up to a million of them in bounded memory.

Run: python benchmarks/regions.py
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy is loaded: one thread
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import subprocess
import sys
from functools import partial

from float_subdivision import subdivide
from timing import paired_seconds, report, state_of_machine

import exactrelu as er
from exactrelu.regions import count_regions
from exactrelu.regions.vertex_engine.enumeration import regions

SMALL = [(2, 16, 16, 1), (2, 32, 32, 1), (3, 16, 16, 1), (3, 30, 1), (4, 10, 10, 1), (3, 24, 24, 1), (4, 16, 16, 1)]
LARGE = [(4, 16, 16, 1), (3, 90, 90, 1), (4, 36, 36, 1)]
GROWING = [(3, 10, 10, 1), (3, 16, 16, 1), (3, 24, 24, 1), (3, 40, 40, 1), (3, 60, 60, 1), (3, 90, 90, 1)]

FRESH = """
import resource, time
from exactrelu import Network
from exactrelu.regions import activation_regions, count_regions
net = Network.random({widths}, 0)
start = time.perf_counter()
found = {task}
print(found, time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
COUNT, WHOLE = "count_regions(net)", "len(activation_regions(net))"


def name_of(widths: tuple[int, ...]) -> str:
    return "-".join(map(str, widths))


def fresh(widths: tuple[int, ...], task: str) -> tuple[int, float, float]:
    """Number of regions, seconds and peak megabytes in a process of their own."""
    code = FRESH.format(widths=widths, task=task)
    output = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    return int(output[0]), float(output[1]), float(output[2])


def everything(net: er.Network) -> object:
    """Regions with a proved rational point in each, and all adjacencies."""
    cells = regions(net)
    return cells.interior, cells.adjacency


def small_networks() -> list[tuple[str, float, str]]:
    rows = []
    for widths in SMALL:
        net = er.Network.random(widths, 0)
        tasks = (partial(regions, net), partial(everything, net), partial(subdivide, net))
        (exact, more, floats), (_, added, slower) = paired_seconds(tasks)
        found = count_regions(net)
        off = subdivide(net) - found
        verdict = "right" if not off else f"wrong by {off:+d}"
        rows += [
            (f"{name_of(widths)}: {found:,} regions", exact, f"{1e6 * exact / found:.1f} us each"),
            ("    with interior points and adjacency", more, f"{100 * (added - 1):+.0f} %"),
            ("    floating-point edge subdivision", floats, f"{slower:.1f} times as long, count {verdict}"),
        ]
    return rows


def large_networks() -> list[tuple[str, float, str]]:
    rows = []
    for widths in LARGE:
        task = WHOLE if widths == LARGE[0] else COUNT
        found, seconds, peak = fresh(widths, task)
        remark = f"{1e6 * seconds / found:.1f} us each, peak {peak:.0f} MB in a new process"
        rows.append((f"{name_of(widths)}: {found:,} regions", seconds, remark))
    return rows


def growing_networks() -> list[tuple[str, float, str]]:
    """The cost of one region should hardly depend on their number."""
    nets = [er.Network.random(widths, 0) for widths in GROWING]
    found = [count_regions(net) for net in nets]
    times, _ = paired_seconds([partial(count_regions, net) for net in nets], runs=3)
    costs = [1e6 * seconds / n for seconds, n in zip(times, found, strict=True)]
    return [
        (
            f"{name_of(widths)}: {n:,} regions",
            seconds,
            f"{cost:.1f} us each, {cost / costs[0]:.2f} times the first, {cost / min(costs):.2f} times the least",
        )
        for widths, n, seconds, cost in zip(GROWING, found, times, costs, strict=True)
    ]


def main() -> None:
    print(state_of_machine())
    print("\nin new processes (first, because they inherit the peak memory of this one)")
    report(large_networks())
    print("\nsmall networks, in one warm process, in turn")
    report(small_networks())
    print("\ncounting in three dimensions, in turn")
    report(growing_networks())
    print(f"\nat the end: {state_of_machine()}")


if __name__ == "__main__":
    main()
