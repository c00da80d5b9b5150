"""A pytest plugin, ``-p recorder``: which test executes which line of the package, and how long it takes.

Every process writes a file of its own into the folder $MUTATION_RECORD. A line is noted once per test and is not
watched any more until the next one, so that the tests take little longer than otherwise (Python 3.12 or later).
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

import pytest

FOLDER, HOUSE = Path(os.environ["MUTATION_RECORD"]), str(Path(__file__).resolve().parents[2])
PACKAGE = f"{HOUSE}{os.sep}exactrelu{os.sep}"
watch = sys.monitoring

seconds = Counter[str]()
tests: list[str] = []
lines: defaultdict[str, defaultdict[int, list[int]]] = defaultdict(lambda: defaultdict(list))  # numbers of tests


def on_line(code: CodeType, line: int) -> object:
    if tests and code.co_filename.startswith(PACKAGE):
        lines[code.co_filename[len(HOUSE) + 1 :]][line].append(len(tests) - 1)
    return watch.DISABLE


def pytest_configure() -> None:
    watch.use_tool_id(watch.COVERAGE_ID, "recorder")
    watch.register_callback(watch.COVERAGE_ID, watch.events.LINE, on_line)
    watch.set_events(watch.COVERAGE_ID, watch.events.LINE)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    tests.append(item.nodeid)
    watch.restart_events()
    return (yield)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    seconds[report.nodeid] += report.duration


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    record = {"seconds": seconds, "tests": tests, "lines": lines}
    (FOLDER / f"{os.environ.get('PYTEST_XDIST_WORKER', 'main')}.json").write_text(json.dumps(record))
