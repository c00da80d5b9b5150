"""Names that are no plain files, for reading and for writing, and processes that die while they write."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from damaged_files import SQUARE, misbehaviour, silently
from file_commands import READERS, WRITERS, filled, target
from fuzz_files import TooSlow, limited

import exactrelu as er

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs POSIX")

DRAWING = [pytest.param(name, marks=pytest.mark.sweep) if name in ("png", "report") else name for name in WRITERS]


def refused(command: list[str]) -> str:
    code, out, err = silently(command)
    assert code == 2, (code, out, err)
    assert misbehaviour(code, out, err) is None
    return err


# ---- reading


@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_file_is_refused(tmp_path: Path, folder: Path, reader: str) -> None:
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "loop.json").symlink_to("loop.json")
    (tmp_path / "broken.json").symlink_to("nothing")
    (tmp_path / "null.json").symlink_to("/dev/null")
    (tmp_path / "empty.json").touch()
    for name in ("folder", "loop", "broken", "null", "empty", "missing", "a\nb", "n" * 300, "missing/below", "\udc80"):
        refused(filled(READERS[reader], folder, tmp_path / f"{name}.json"))


@pytest.mark.parametrize("reader", READERS)
def test_links_to_files_are_read(tmp_path: Path, folder: Path, reader: str) -> None:
    good = folder / ("sweep.db" if reader == "sweep" else "square.json")
    link = tmp_path / "link.json"
    link.symlink_to(good)
    codes = [silently(filled(READERS[reader], folder, name))[::2] for name in (good, link)]
    assert codes[0][0] == codes[1][0]
    assert reader in ("domain", "samples", "certificate") or codes[0][0] == 0


@pytest.mark.parametrize("reader", ["network", "certificate"])
def test_pipes_are_read(folder: Path, reader: str) -> None:
    """As in ``exactrelu analyze <(...)``."""
    content = (folder / "square.json").read_bytes()
    if reader == "certificate":
        content = er.certify("embedding_rank", network=SQUARE).text().encode()
    source, sink = os.pipe()

    def write() -> None:
        with os.fdopen(sink, "wb") as file:
            file.write(content[:10])
            file.flush()
            time.sleep(0.1)  # whoever reads has to wait
            file.write(content[10:])

    writer = threading.Thread(target=write)
    writer.start()
    try:
        with limited(10):
            code, _, err = silently(filled(READERS[reader], folder, f"/dev/fd/{source}"))
        assert code == 0, err
    finally:
        writer.join()
        os.close(source)


def test_pipes_that_nobody_writes_to_do_not_hang(tmp_path: Path, folder: Path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    with limited(1):
        refused(filled(READERS["network"], folder, pipe))


def test_reading_takes_no_more_memory_than_the_file(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "zero.json").symlink_to("/dev/zero")
    script = (
        "import resource, sys\n"
        "from exactrelu import cli\n"
        "pages = int(open('/proc/self/statm').read().split()[0])\n"
        "resource.setrlimit(resource.RLIMIT_AS, (pages * 4096 + 200 * 2**20,) * 2)\n"
        "print([cli.run(['convert', name, '-']) for name in sys.argv[1:]][-2:], file=sys.stderr)\n"
    )
    names = [folder / "square.json", tmp_path / "zero.json"]
    done = subprocess.run(
        [sys.executable, "-c", script, *names], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr.splitlines()[-1:] == ["[0, 2]"], done.stderr


# ---- writing


@pytest.mark.parametrize("writer", DRAWING)
def test_places_that_cannot_be_written_to(tmp_path: Path, folder: Path, writer: str) -> None:
    taken = target(WRITERS[writer], folder, tmp_path / "taken")
    taken.mkdir()
    stems = ["taken", "missing/file", folder / "square.json" / "below", "n" * 300]
    for stem in stems[: 1 if writer in ("svg", "png", "report") else 4]:  # these draw first and write then
        refused(filled(WRITERS[writer], folder, tmp_path / stem))
    assert list(tmp_path.iterdir()) == [taken] and not any(taken.iterdir())


@pytest.mark.parametrize("writer", DRAWING)
def test_links_stay_links_and_modes_stay_modes(tmp_path: Path, folder: Path, writer: str) -> None:
    link = target(WRITERS[writer], folder, tmp_path / "link")
    old = tmp_path / "old"
    old.write_text("old")
    old.chmod(0o600)
    link.symlink_to("old")
    code, _, err = silently(filled(WRITERS[writer], folder, tmp_path / "link"))
    assert code == 0, err
    assert link.is_symlink() and old.read_bytes() != b"old"
    assert stat.S_IMODE(old.stat().st_mode) == 0o600


@pytest.mark.parametrize("writer", DRAWING)
def test_pipes_and_devices_are_never_replaced(tmp_path: Path, folder: Path, writer: str) -> None:
    pipe, link = (target(WRITERS[writer], folder, tmp_path / name) for name in ("pipe", "full"))
    os.mkfifo(pipe)
    link.symlink_to("/dev/full")
    try:
        with limited(4):
            refused(filled(WRITERS[writer], folder, tmp_path / "full"))
        with limited(4 if writer == "report" else 1):
            refused(filled(WRITERS[writer], folder, tmp_path / "pipe"))
    except TooSlow:
        pytest.fail("waits for somebody to read the pipe")
    assert stat.S_ISFIFO(pipe.lstat().st_mode) and link.is_symlink()


def test_certificates_and_answers_are_not_mixed(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``-`` is standard output, or it is refused; it is no file name."""
    monkeypatch.chdir(tmp_path)
    silently(["phi", str(folder / "square.json"), "--certificate", "-"])
    assert not any(tmp_path.iterdir())


DYING = """
import json, os, resource, signal, sys
import matplotlib.font_manager
from exactrelu import cli
from exactrelu.show import canvas
kind, *commands = json.loads(sys.argv[1])
codes = []
for command in commands:
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGXFSZ, getattr(signal, kind))
        resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50))
        os._exit(cli.run(command))
    codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(json.dumps(codes), file=sys.stderr)
"""


def after_fifty_bytes(
    kind: str, folder: Path, tmp_path: Path, without: Sequence[str] = ()
) -> tuple[dict[str, int], dict[str, bytes]]:
    """Writers in a process whose files may have fifty bytes: the exit codes, and what is left of old files."""
    chosen = {name: command for name, command in WRITERS.items() if name not in without}
    old = {name: target(command, folder, tmp_path / name) for name, command in chosen.items()}
    for path in old.values():
        path.write_text("old")
    commands = [filled(command, folder, tmp_path / name) for name, command in chosen.items()]
    environment = {**os.environ, "MPLBACKEND": "agg"}
    done = subprocess.run(
        [sys.executable, "-c", DYING, json.dumps([kind, *commands])],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        env=environment,
    )
    codes = json.loads(done.stderr.splitlines()[-1])
    return dict(zip(chosen, codes, strict=True)), {name: path.read_bytes() for name, path in old.items()}


def test_the_old_file_survives_a_process_that_dies_while_it_writes(tmp_path: Path, folder: Path) -> None:
    codes, left = after_fifty_bytes("SIG_DFL", folder, tmp_path, without=("png", "report"))
    assert set(codes.values()) == {-signal.SIGXFSZ}
    assert set(left.values()) == {b"old"}


@pytest.mark.sweep
def test_the_old_file_survives_a_full_disk(tmp_path: Path, folder: Path) -> None:
    codes, left = after_fifty_bytes("SIG_IGN", folder, tmp_path)
    assert set(codes.values()) == {2}
    assert set(left.values()) == {b"old"}
    assert len(list(tmp_path.iterdir())) == len(WRITERS)  # no temporary files
