"""All mutants of a trusted file, each in a child of one test session: ``python tests/mutation/checker.py``.

The session collects the tests of certificates once, and records which lines of the file each of them runs. Then it
forks for every mutant: the child replaces the contents of the imported module by those of the mutant, and runs the
tests of the changed lines, the fastest first, until one fails. The results are written like those of ``python
tests/mutation run``, but take minutes, since nothing is started or imported again. Tests that start the file as a
program of its own do not see the mutants here.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib
import json
import os
import resource
import sys
import time
from collections import Counter
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import pytest
from mutants import Mutant, mutants

HERE = Path(__file__).resolve().parent
HOUSE = HERE.parents[1]
FILES = ("exactrelu/checker.py", "exactrelu/extended_checker.py")
TESTS = ["tests/certificates"]
MEMORY = 8 * 2**30


class Mutations:
    """A plugin of pytest whose loop is one over mutants."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options, self.failed = options, ""
        self.source = (HOUSE / options.file).read_bytes()
        self.module = importlib.import_module(options.file.removesuffix(".py").replace("/", "."))
        self.tests = list[tuple[float, pytest.Item, set[int]]]()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for item in session.items:
            started = time.perf_counter()
            lines = traced(self.module, lambda item=item: run(item))
            self.tests.append((time.perf_counter() - started, item, lines))
        self.tests.sort(key=lambda test: test[0])
        if self.failed:
            pytest.exit(f"{self.failed} fails without a mutant", 1)
        gc.freeze()
        answers = Counter[str]()
        with self.options.out.open("w") as out:
            for mutant in self.chosen():
                answer, by = self.judge(session, mutant)
                answers[answer] += 1
                out.write(
                    json.dumps({"file": self.options.file, "mutant": str(mutant), "answer": answer, "by": by}) + "\n"
                )
                out.flush()
        print(answers)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = report.nodeid

    def chosen(self) -> list[Mutant]:
        every = mutants(self.source)[:: self.options.step]
        if not self.options.again:
            return every
        earlier = map(json.loads, self.options.again.read_text().splitlines())
        survived = {line["mutant"] for line in earlier if line["answer"] == "survived"}
        return [mutant for mutant in every if str(mutant) in survived]

    def judge(self, session: pytest.Session, mutant: Mutant) -> tuple[str, str]:
        if not mutant.compiles(self.source):
            return "no program", ""
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            session.config.pluginmanager.unregister(name="terminalreporter")
            os.write(writer, self.killer(mutant).encode()[:200])
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as stream:
            by = stream.read()
        status = os.waitpid(child, 0)[1]
        return ("killed", by or "time or memory") if by or status else ("survived", "")

    def killer(self, mutant: Mutant) -> str:
        """The first test that fails on a mutant, or nothing."""
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (self.options.limit, self.options.limit))
        try:
            exec(compile(mutant.apply(self.source), str(self.module.__file__), "exec"), self.module.__dict__)
        except BaseException as error:
            return f"import: {error!r}"
        changed = set(range(mutant.line, mutant.line + mutant.before.count("\n") + 1))
        covered = any(lines & changed for _, _, lines in self.tests)
        seconds = 0.0
        for duration, item, lines in self.tests:
            if not covered or lines & changed:
                seconds += duration
                if seconds > self.options.seconds:
                    break
                run(item)
                if self.failed:
                    return self.failed
        return ""


def run(item: pytest.Item) -> None:
    item.ihook.pytest_runtest_protocol(item=item, nextitem=None)


def traced(module: ModuleType, work: Any) -> set[int]:
    """The lines of a module that run."""
    found = set[int]()

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_globals is not module.__dict__:
            return None
        found.add(frame.f_lineno)
        return trace

    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(None)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python tests/mutation/checker.py", description=__doc__)
    parser.add_argument("--file", choices=FILES, default=FILES[0], help="the trusted file")
    parser.add_argument("--seconds", type=float, default=20, help="of tests for one mutant")
    parser.add_argument("--limit", type=int, default=60, help="seconds of a child, after which its mutant is killed")
    parser.add_argument("--again", type=Path, help="earlier results, of which only the survivors are tried")
    parser.add_argument("--step", type=int, default=1, help="one mutant in so many")
    parser.add_argument("--out", type=Path, default=HOUSE / "build" / "mutation" / "checker.jsonl")
    parser.add_argument("tests", nargs="*", default=TESTS, help="for pytest")
    options = parser.parse_args()
    options.out = options.out.resolve()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.chdir(HOUSE):
        return pytest.main(["-q", "-n", "0", "-p", "no:cacheprovider", *options.tests], [Mutations(options)])


if __name__ == "__main__":
    sys.exit(main())
