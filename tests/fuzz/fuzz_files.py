"""One damaged file of some kind, read by some command in this process, with a limit of time."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import damaged_files as files

import exactrelu as er

SECONDS = 10


class TooSlow(BaseException):
    """Not an :class:`Exception`, which the command line would turn into a sentence."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise :class:`TooSlow` in whatever takes longer."""

    def stop(*_: object) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def generator(kind: str, seed: int) -> Random:
    """The generator from which a damaged file is made, and the command after that."""
    return Random(f"{kind} {seed}")


def read_damaged(kind: str, seed: int, folder: Path) -> tuple[int | None, str | None, list[str], float]:
    """Exit code, misbehaviour, the command, seconds."""
    r = generator(kind, seed)
    square, path = folder / "square.json", folder / f"file.{files.SUFFIXES.get(kind, kind)}"
    if not square.exists():
        er.save(files.SQUARE, square)
    path.write_bytes(files.damaged(kind, r))
    command = files.commands(kind, r, path, square)
    start, code = time.monotonic(), None
    try:
        with limited(SECONDS):
            code, out, err = files.silently(command)
        problem = files.misbehaviour(code, out, err)
    except TooSlow:
        problem = f"more than {SECONDS} seconds"
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
    return code, problem, command, time.monotonic() - start
