"""Regions by exact linear programs against relucent and against vertices, on networks with one hidden layer.

relucent finds regions and their adjacency by linear programs in floating point, on all processors; it is installed
into a virtual environment of its own. Every tool is run in turn with the linear programs of exactrelu, with
adjacency; ratios are medians over these pairs, above 1 where these are faster.

Run: python benchmarks/regions_lp.py [--folder FOLDER] [--limit SECONDS]
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy is loaded: one thread
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import contextlib
import statistics
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from regions_peers import ask, install, worker
from timing import seconds, state_of_machine

import exactrelu as er
from exactrelu.regions import zaslavsky
from exactrelu.regions.linear_program_engine import searched_cells
from exactrelu.regions.vertex_engine import enumeration

SHAPES = [(6, 12, 1), (8, 12, 1), (6, 16, 1), (8, 14, 1)]


def by_programs(net: er.Network) -> int:
    """The regions and their adjacency by linear programs."""
    return counted(searched_cells.regions(net))


def by_vertices(net: er.Network) -> int:
    """The same by vertices."""
    return counted(enumeration.regions(net))


def counted(cells: Any) -> int:
    """The number of regions, once their adjacency is known too."""
    assert cells.adjacency[0].size
    return cells.count


@contextlib.contextmanager
def relucent(python: str | None, path: Path, limit: float) -> Iterator[Callable[[], dict[str, Any]]]:
    """How to ask relucent for one run, as long as its process is not stopped."""
    if python is None:
        yield lambda: {"refusal": "not installed"}
        return
    with worker("relucent, as is", python, path, limit) as (process, _):
        yield partial(ask, process)


def row(net: er.Network, python: str | None, folder: Path, runs: int, limit: float) -> str:
    """One line of the table."""
    truth, shape = zaslavsky(net.widths[1], net.input_dim), "-".join(map(str, net.widths))
    path = folder / f"{shape}.json"
    er.save(net, path)
    times: list[tuple[float, float]] = []
    answers: list[dict[str, Any]] = []
    with relucent(python, path, limit) as peer:
        for _ in range(runs):
            times.append((seconds(lambda: by_programs(net)), seconds(lambda: by_vertices(net))))
            answers.append(peer())
            if "refusal" in answers[-1]:
                break
    assert by_programs(net) == by_vertices(net) == truth
    counting = statistics.median(seconds(lambda: searched_cells.regions(net)) for _ in range(runs))
    programs = statistics.median(mine for mine, _ in times)
    text = f"{shape:<10}{truth:>8,}{counting:>10.2f} s{programs:>10.2f} s"
    text += f"{statistics.median(b / a for a, b in times):>10.2f}x"
    pairs = [(mine, said["seconds"]) for (mine, _), said in zip(times, answers, strict=True) if "seconds" in said]
    if not pairs:
        return f"{text}   {answers[-1]['refusal']}"
    off = next(said["count"] for said in answers if "count" in said) - truth
    ratio = statistics.median(its / mine for mine, its in pairs)
    text += f"{statistics.median(its for _, its in pairs):>10.2f} s{ratio:>8.1f}x"
    return f"{text} ({off:+d})" if off else text


def main() -> None:
    parser = argparse.ArgumentParser(description="Exact linear programs against relucent and against vertices.")
    parser.add_argument("--folder", type=Path, help="where to keep the environment of relucent; default: nowhere")
    parser.add_argument("--limit", type=float, default=600, help="seconds for relucent on one network")
    parser.add_argument("--runs", type=int, default=3, help="rounds")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        pythons, remarks = install(options.folder or Path(temporary))
        print("\n".join([state_of_machine(), *remarks]))
        print(f"{'network':<10}{'regions':>8}{'counting':>12}{'+ facets':>12}{'vertices':>11}{'relucent':>12}")
        for shape in SHAPES:
            net = er.Network.random(shape, 0)
            line = row(net, pythons.get("relucent, as is"), Path(temporary), options.runs, options.limit)
            print(line, flush=True)
    print(f"at the end: {state_of_machine()}")


if __name__ == "__main__":
    main()
