"""Exact regions against public tools on the same networks: right, wrong and refused counts, seconds, ratios.

floats: floating-point edge subdivision in a large box; PPL: exact polyhedra of the Parma Polyhedra Library, one
thread; relucent: linear programs in floating point on all processors, adjacency included, on the network as it
is and on a copy with integer weights and the same regions. PPL and relucent are installed into a virtual
environment of their own. exactrelu is run in turn with each of them; ratios are medians over these pairs.

Run: python benchmarks/regions_peers.py [--folder FOLDER] [--limit SECONDS]
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy is loaded: one thread
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import contextlib
import json
import signal
import statistics
import subprocess
import sys
import tempfile
import textwrap
import threading
import venv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from timing import median_seconds, state_of_machine

import exactrelu as er

HERE = Path(__file__).resolve().parent
DATA = HERE.parent / "tests" / "data"
LARGE = [
    *("n2_10_10_1_s0", "n2_16_16_1_s0", "n2_32_32_1_s0", "n3_8_8_1_s0", "n3_16_16_1_s0", "n3_30_1_s0"),
    *("n4_10_10_1_s0", "n5_12_1_s0"),
]
PACKAGES = {"floats": None, "PPL": "pplpy", "relucent, integers": "relucent", "relucent, as is": "relucent"}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool said about a network: kind is right, wrong, refused or late."""

    kind: str
    text: str  # a cell of the table
    refusal: str = ""


def small_networks() -> list[str]:
    """The degenerate and the other small networks."""
    return sorted(path.stem for letter in ("d", "A", "D") for path in DATA.glob(f"{letter}[0-9]*.json"))


def install(folder: Path) -> tuple[dict[str, str], list[str]]:
    """The interpreter for every tool that can be installed, and remarks on the installation."""
    environment = folder / "environment"
    python = environment / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not python.exists():
        venv.create(environment, with_pip=True)
    pythons, remarks = {"floats": sys.executable}, []
    for package in sorted({package for package in PACKAGES.values() if package}):
        command = [str(python), "-m", "pip", "install", "--quiet", "--only-binary", ":all:", package]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            remarks.append(f"{package}: not installed: {done.stderr.strip().splitlines()[-1]}")
            continue
        version = f"from importlib.metadata import version; print(version({package!r}))"
        remarks.append(f"{package} {subprocess.check_output([str(python), '-c', version], text=True).strip()}")
        pythons.update((tool, str(python)) for tool, its in PACKAGES.items() if its == package)
    return pythons, remarks


@contextlib.contextmanager
def worker(tool: str, python: str, path: Path, limit: float) -> Iterator[tuple[subprocess.Popen[str], threading.Event]]:
    """One tool on one network in a process of its own, which is stopped after some seconds, and whether it was."""
    environment = {
        name: value for name, value in os.environ.items() if python == sys.executable or name != "PYTHONPATH"
    }
    command = [python, str(HERE / "peer_worker.py"), tool, str(path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, env=environment, text=True, start_new_session=True, **pipes) as process:
        late, stop = threading.Event(), partial(os.killpg, process.pid, signal.SIGKILL)  # with what the worker began
        timer = threading.Timer(limit, lambda: (late.set(), stop()))
        timer.start()
        try:
            yield process, late
        finally:
            timer.cancel()
            if process.poll() is None:
                stop()


def compare(
    tool: str, python: str, net: er.Network, path: Path, truth: int, limit: float
) -> tuple[Answer, list[float]]:
    """One tool on one network, and the times of exactrelu, which is run in turn with it."""
    rounds: list[tuple[float, float]] = []
    with worker(tool, python, path, limit) as (process, late):
        while len(rounds) < 9 and sum(map(sum, rounds)) < 1:
            said = ask(process)
            if "refusal" in said:
                break
            off = said["count"] - truth
            rounds.append((said["seconds"], median_seconds(partial(er.count_regions, net), runs=3)))
    if not rounds:
        refused = Answer("refused", "refused", said["refusal"])
        return Answer("late", f"over {limit:g} s") if late.is_set() else refused, []
    exact = [seconds for _, seconds in rounds]
    took = statistics.median(seconds for seconds, _ in rounds)
    shown = f"{took:8.2f} s " if took >= 1 else f"{1000 * took:8.2f} ms"
    text = f"{shown} {statistics.median(its / ours for its, ours in rounds):6.1f}x"
    return Answer("wrong" if off else "right", f"{text} {f'({off:+d})' if off else ''}"), exact


def ask(process: subprocess.Popen[str]) -> dict[str, Any]:
    """What a worker says about one more run; it may also print other lines."""
    with contextlib.suppress(BrokenPipeError):
        print(file=process.stdin, flush=True)
    for line in process.stdout:
        if line.startswith("{"):
            return json.loads(line)
    return {"refusal": f"stopped with exit code {process.wait()}"}


def table(names: list[str], pythons: dict[str, str], limit: float) -> None:
    """Print a row for every network as soon as it is known; then the totals and the refusals."""
    truths = json.loads((DATA / "answers.json").read_text())
    print(f"\n{'network':<22}{'regions':>8}{'exactrelu':>14}" + "".join(f"  {tool:<25}" for tool in pythons).rstrip())
    found: dict[str, dict[str, Answer]] = {}
    for name in names:
        path = DATA / f"{name}.json"
        net, truth = er.load(path), truths[name]["R2"]
        times = [median_seconds(partial(er.count_regions, net), runs=3)]
        count, found[name] = er.count_regions(net), {}
        for tool, python in pythons.items():
            found[name][tool], around = compare(tool, python, net, path, truth, limit)
            times += around
        verdict = "" if count == truth else f" WRONG ({count - truth:+d})"
        row = f"{name:<22}{truth:>8,}{1000 * statistics.median(times):>11.2f} ms{verdict}"
        print(row + "".join(f"  {answer.text:<25}" for answer in found[name].values()).rstrip(), flush=True)
    for kind in ("right", "wrong", "refused", "late"):
        totals = (sum(answers[tool].kind == kind for answers in found.values()) for tool in pythons)
        print(f"{kind:<44}" + "".join(f"  {total:<25}" for total in totals).rstrip())
    for name, answers in found.items():
        for tool, answer in answers.items():
            if answer.refusal:
                print(f"{name}, {tool}: {textwrap.shorten(answer.refusal, 120)}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Exact regions against public tools on the same networks.")
    parser.add_argument("--folder", type=Path, help="where to keep the environment of the tools; default: nowhere")
    parser.add_argument("--limit", type=float, default=120, help="seconds for one tool on one network")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        pythons, remarks = install(options.folder or Path(temporary))
        print("\n".join([state_of_machine(), *remarks, "(+1): a wrong count, too high by 1"]))
        for names in (LARGE, small_networks()):
            table(names, pythons, options.limit)
    print(f"\nat the end: {state_of_machine()}")


if __name__ == "__main__":
    main()
