"""Sweeps in processes of their own, to be killed, interrupted, and raced; and the table that all of them must reach."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import exactrelu as er
from exactrelu.theorems.families import ExhaustiveFamily, family
from exactrelu.theorems.sweep import sweep
from exactrelu.theorems.sweep.database import Database

ID = "embedding_rank_is_parameters_minus_hidden"
FAMILY = family((1, 2, 1), entries=(-1, 0, 1))
OPTIONS = ("--widths", "1,2,1", "--entries=-1,0,1")
STATEMENT = er.theorem(ID)
# Short batches, so that there are many moments to be killed at.
PROGRAM = (
    "from exactrelu.theorems.sweep import batches; batches.BATCH_SECONDS = 0.02; from exactrelu import cli; cli.main()"
)


def table(path: Path) -> list[tuple[object, ...]]:
    """The final table, apart from seconds."""
    with Database.read(path) as database:
        return [tuple(row[:-1]) for row in database.rows()]


def expected(path: Path, members: ExhaustiveFamily = FAMILY) -> list[tuple[object, ...]]:
    """The table of an uninterrupted sweep by one process."""
    sweep(STATEMENT, members, path, workers=1)
    return table(path)


def start(path: Path, *arguments: str, id: str = ID, widths: Iterable[str] = OPTIONS) -> subprocess.Popen[bytes]:
    """A sweep on the command line, with two workers, the leader of its own process group."""
    command = [sys.executable, "-c", PROGRAM, "theorem", "hunt", id, *widths, "--out", str(path), "--workers", "2"]
    pipe = subprocess.PIPE
    return subprocess.Popen([*command, *arguments], stdout=pipe, stderr=pipe, start_new_session=True)


def members_done(path: Path) -> int:
    """How far a sweep is, from outside."""
    with contextlib.suppress(er.InvalidFile), Database.read(path) as database:
        return database.members_done()
    return 0


def wait_until(condition: Callable[[], bool], seconds: float = 60) -> bool:
    """Whether a condition becomes true in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def kill(process: subprocess.Popen[bytes]) -> None:
    """kill -9, for the process alone."""
    process.send_signal(signal.SIGKILL)
    process.wait()  # not for the ends of its pipes, which orphans would hold
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def in_group(leader: int) -> list[int]:
    """The living processes of the group of a process, itself included."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                if int(fields[2]) == leader and fields[0] != "Z":
                    found.append(int(entry.name))
    return found


def nobody_left(leader: int) -> bool:
    """Whether the whole group of a process ends soon."""
    if not Path("/proc/self/stat").exists():
        return True
    ended = wait_until(lambda: not in_group(leader), 10)
    if not ended:
        os.killpg(leader, signal.SIGKILL)
    return ended
