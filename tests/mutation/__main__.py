"""Mutation testing: ``python tests/mutation record`` once, then ``python tests/mutation run``.

``record`` runs the default tests and keeps which test executes which line, and how long it takes. ``run`` takes a
seeded sample of the mutants of the package, or all of one file, and runs on each, in a copy of the house, the tests
that execute the changed line, the fastest first, until one fails. A mutant that no test fails on survives; what can
be said about those that did is in survivors.md.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import threading
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory

from mutants import Mutant, mutants

HERE = Path(__file__).resolve().parent
HOUSE = HERE.parents[1]
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "build", ".*_cache", "__pycache__", ".hypothesis")
MEMORY = 8 * 2**30


@dataclass(frozen=True)
class Record:
    """Which tests execute which line of which file, and how long each takes."""

    lines: dict[str, dict[int, set[str]]]
    seconds: dict[str, float]

    @classmethod
    def read(cls, folder: Path) -> Record:
        lines: dict[str, dict[int, set[str]]] = {}
        seconds: dict[str, float] = {}
        for path in folder.glob("*.json"):
            part = json.loads(path.read_text())
            seconds |= part["seconds"]
            for file, found in part["lines"].items():
                for line, numbers in found.items():
                    known = lines.setdefault(file, {}).setdefault(int(line), set())
                    known.update(part["tests"][number] for number in numbers)
        return cls(lines, seconds)

    def tests(self, file: str, line: int, budget: float) -> list[str]:
        """The tests of a line, or of the whole file for a line of its import; fastest first, within some seconds."""
        known = self.lines.get(file, {})
        chosen = set(known.get(line, ())) or {test for tests in known.values() for test in tests}
        chosen = chosen or {test for test in self.seconds if test.startswith("tests/test_architecture.py")}
        kept = list[str]()
        for test in sorted(chosen, key=lambda test: (self.seconds.get(test, 0), test)):
            budget -= self.seconds.get(test, 0)
            if budget < 0:
                break
            kept.append(test)
        return kept[:2000]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python tests/mutation", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    record, run = commands.add_parser("record"), commands.add_parser("run")
    for command in (record, run):
        command.add_argument("--record", type=Path, default=HOUSE / "build" / "mutation", help="where the record is")
    run.add_argument("--file", help="all mutants of this file, such as exactrelu/checker.py; default: a sample")
    run.add_argument("--sample", type=int, default=300, help="the size of the sample of all files but the checker")
    run.add_argument("--seed", type=int, default=0, help="of the sample")
    run.add_argument("--seconds", type=float, default=60, help="of tests for one mutant, by the record")
    run.add_argument("--jobs", type=int, default=2, help="mutants at a time")
    run.add_argument("--out", type=Path, default=HOUSE / "build" / "mutation" / "results.jsonl", help="continued")
    options = parser.parse_args()
    return make_record(options.record.resolve()) if options.command == "record" else run_mutants(options)


def make_record(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    paths = os.pathsep.join([str(HERE), str(HOUSE)])
    environment = os.environ | {"MUTATION_RECORD": str(folder), "PYTHONPATH": paths}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "recorder"]
    return subprocess.run(command, cwd=HOUSE, env=environment, check=False).returncode


def chosen(options: argparse.Namespace) -> list[tuple[str, Mutant]]:
    if options.file:
        return [(options.file, mutant) for mutant in mutants((HOUSE / options.file).read_bytes())]
    files = sorted((HOUSE / "exactrelu").rglob("*.py"))
    names = [str(file.relative_to(HOUSE)) for file in files if file.name != "checker.py"]
    every = [(name, mutant) for name in names for mutant in mutants((HOUSE / name).read_bytes())]
    return random.Random(options.seed).sample(every, options.sample)


def run_mutants(options: argparse.Namespace) -> int:
    record, waiting = Record.read(options.record), SimpleQueue[tuple[str, Mutant]]()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.touch()
    done = {(line["file"], line["mutant"]) for line in map(json.loads, options.out.read_text().splitlines())}
    for name, mutant in chosen(options):
        if (name, str(mutant)) not in done:
            waiting.put((name, mutant))
    workers = [threading.Thread(target=work, args=(waiting, record, options)) for _ in range(options.jobs)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    print(Counter(json.loads(line)["answer"] for line in options.out.read_text().splitlines()))
    return 0


def work(waiting: SimpleQueue[tuple[str, Mutant]], record: Record, options: argparse.Namespace) -> None:
    with TemporaryDirectory() as folder:
        house = Path(folder) / "house"
        shutil.copytree(HOUSE, house, ignore=LEFT_OUT)
        if (HOUSE.parent / "shared").is_dir():
            (Path(folder) / "shared").symlink_to(HOUSE.parent / "shared")
        while True:
            try:
                name, mutant = waiting.get_nowait()
            except Empty:
                return
            source = (HOUSE / name).read_bytes()
            (house / name).write_bytes(mutant.apply(source))
            tests = record.tests(name, mutant.line, options.seconds)
            answer, by = judge(house, tests, options.seconds) if mutant.compiles(source) else ("no program", "")
            (house / name).write_bytes(source)
            with options.out.open("a") as out:
                out.write(json.dumps({"file": name, "mutant": str(mutant), "answer": answer, "by": by}) + "\n")
            print(f"{answer:10} {name}:{mutant}", flush=True)


def judge(house: Path, tests: list[str], seconds: float) -> tuple[str, str]:
    """Whether some test fails in this copy of the house, and which."""
    if not tests:
        return "not tested", ""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "--tb=no", "-p", "no:cacheprovider", *tests]
    environment = os.environ | {"PYTHONPATH": str(house), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command,
            check=False,
            cwd=house,
            env=environment,
            capture_output=True,
            text=True,
            timeout=30 + 5 * seconds,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
            start_new_session=True,
        )
    except subprocess.TimeoutExpired:
        return "killed", "time"
    if done.returncode == 0:
        return "survived", ""
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return "killed", failed[0][:200] if failed else f"exit code {done.returncode}"


if __name__ == "__main__":
    sys.exit(main())
