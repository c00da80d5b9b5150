"""Ctrl-C at any moment: the command says so in one line, files are old or new but whole, sweeps go on from there.

A signal reaches a Python program between two of its instructions. Here the program is interrupted at a chosen call or
return of ours, or at a call that we make into a library: all moments are numbered, and a seeded sample is tried.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import pytest
from damaged_files import silently
from file_commands import HUNT, WRITERS, filled, target

import exactrelu as er
from exactrelu import cli
from exactrelu.theorems.sweep import batches

OURS = str(Path(er.__path__[0]))
LONGER = ["1,2,1" if part == "1,1,1" else part for part in HUNT]


@contextmanager
def interrupted_at(moment: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Raise :class:`KeyboardInterrupt` at a moment of the next command (-1: never); its moments are counted.

    Python drops what is raised while a generator is thrown away; then the interrupt comes again at the next moment.
    """
    seen, due = [0], moment

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event != "c_return" and frame.f_code.co_filename.startswith(OURS):
            seen[0] += 1
            if seen[0] == due + 1:
                sys.setprofile(None)
                raise KeyboardInterrupt

    def dropped(unraisable: Any) -> None:
        nonlocal due
        assert unraisable.exc_type is KeyboardInterrupt, unraisable
        due = seen[0]
        sys.setprofile(watch)

    def invoke(context: Any) -> Any:
        sys.setprofile(watch)
        try:
            return type(cli.cli).invoke(cli.cli, context)
        finally:
            sys.setprofile(None)

    with monkeypatch.context() as patch:
        patch.setattr(cli.cli, "invoke", invoke)
        patch.setattr(sys, "unraisablehook", dropped)
        yield seen


def moments(count: int, tried: int, rng: Random) -> list[int]:
    """A sample, with the last ones, in which files are written."""
    return sorted({*range(count - 30, count), *rng.sample(range(count), min(count, tried))})


@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")  # an open file is closed when it is collected
@pytest.mark.parametrize("tried", [10, pytest.param(300, marks=pytest.mark.sweep)])
@pytest.mark.parametrize("writer", [name for name in WRITERS if name not in ("png", "report", "svg")])
def test_a_file_is_old_or_new(
    tmp_path: Path, folder: Path, writer: str, tried: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = filled(WRITERS[writer], folder, tmp_path / "file")
    path = target(WRITERS[writer], folder, tmp_path / "file")
    for _ in range(2):  # the first time, more is computed
        with interrupted_at(-1, monkeypatch) as seen:
            assert silently(command)[0] == 0
    new, interrupted = path.read_bytes(), 0
    for moment in moments(seen[0], tried, Random(writer)):
        path.write_bytes(b"old")
        with interrupted_at(moment, monkeypatch) as reached:
            code, _, err = silently(command)
        expected = (130, "exactrelu: interrupted\n") if reached[0] > moment else (0, "")
        assert (code, err) == expected, moment
        interrupted += code == 130
        assert path.read_bytes() in (b"old", new), moment
        assert list(tmp_path.iterdir()) == [path], moment
    assert interrupted > 0.9 * min(tried, seen[0])


@pytest.mark.parametrize("tried", [5, pytest.param(100, marks=pytest.mark.sweep)])
def test_a_sweep_goes_on_where_it_was(tmp_path: Path, tried: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def rows(path: Path) -> list[list[str]]:  # without seconds
        code, _, err = silently(["theorem", "report", str(path), "--csv", str(path) + ".csv"])
        assert code == 0, err
        return [line.split(",")[:-1] for line in Path(f"{path}.csv").read_text().splitlines()]

    monkeypatch.setattr(batches, "BATCH_SECONDS", 0.002)  # many batches, hence many moments between them
    whole = tmp_path / "whole.db"
    with interrupted_at(-1, monkeypatch) as seen:
        assert silently([*LONGER, "--out", str(whole)])[0] == 0
    rng = Random(0)
    for trial in range(tried):
        path, codes = tmp_path / f"{trial}.db", list[int]()
        with interrupted_at(rng.randrange(seen[0]), monkeypatch):
            codes.append(silently([*LONGER, "--out", str(path), "--resume"])[0])
        for _ in range(2):  # and again, in what is left
            with interrupted_at(rng.randrange(seen[0] // 2), monkeypatch):
                codes.append(silently([*LONGER, "--out", str(path), "--resume"])[0])
        code, _, err = silently([*LONGER, "--out", str(path), "--resume"])
        assert (code, codes[0]) == (0, 130), err
        assert rows(path) == rows(whole)
