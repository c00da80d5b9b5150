"""Bytes in and out: unreadable files, and old files that stay whole whatever fails."""

from __future__ import annotations

import io
import os
import stat
import sys
import tracemalloc
from pathlib import Path

import pytest

from exactrelu import InvalidFile
from exactrelu.files import read_bytes, read_text, write_text


def leftovers(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_reads_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes("é\n".encode())
    assert read_bytes(path) == ("é\n".encode(), str(path))
    assert read_text(str(path)) == ("é\n", str(path))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing", "no such file"),
        ("missing/inner", "no such file"),
        ("folder", "is a directory"),
        ("file/inner", "not a directory"),
        ("nul\0name", "must be a file name"),
        ("x" * 5000, "name too long"),
        ("loop", "symbolic links"),
        ("", "must not be empty"),
    ],
)
def test_unreadable_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, words: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(InvalidFile) as error:
        read_bytes(name)
    assert words in str(error.value)
    assert "\0" not in str(error.value) and "\n" not in str(error.value)


def test_binary_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"abc\xff")
    with pytest.raises(InvalidFile, match="must be UTF-8 text, but byte 3 is not"):
        read_text(tmp_path / "binary")


def test_size_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactrelu.files.MAX_BYTES", 10)
    (tmp_path / "ten").write_bytes(b"0123456789")
    (tmp_path / "eleven").write_bytes(b"0123456789a")
    assert read_bytes(tmp_path / "ten")[0] == b"0123456789"
    with pytest.raises(InvalidFile, match="at most 10 bytes"):
        read_bytes(tmp_path / "eleven")


def test_standard_input_and_output(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"content")))
    assert read_text("-") == ("content", "standard input")
    write_text("-", "text\n")
    assert capsys.readouterr().out == "text\n"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing/out", "no such file"),
        ("folder", "directory"),
        ("file/out", "not a directory"),
        ("nul\0name", "must be a file name"),
        ("x" * 5000, "name too long"),
        ("", "directory"),
    ],
)
def test_unwritable_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, words: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("old")
    with pytest.raises(InvalidFile) as error:
        write_text(name, "new")
    assert words in str(error.value)
    assert leftovers(tmp_path) == ["file", "folder"]
    assert (tmp_path / "file").read_text() == "old"


def test_a_file_that_may_not_be_written_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out"
    target.write_text("old")
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)  # permissions do not bind the superuser
    with pytest.raises(InvalidFile, match="must be writable, but its permissions forbid it"):
        write_text(target, "new")
    assert target.read_text() == "old"
    assert leftovers(tmp_path) == ["out"]


@pytest.mark.parametrize(
    "step", ["os.fsync", "os.fdopen", "tempfile.mkstemp", "pathlib.Path.replace", "pathlib.Path.chmod"]
)
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("existed", [True, False])
def test_the_old_file_stays_whole_when_a_step_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException, existed: bool
) -> None:
    target = tmp_path / "out"
    if existed:
        target.write_text("old")

    def fail(*_: object, **__: object) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(step, fail)
        expected = InvalidFile if isinstance(error, OSError) else KeyboardInterrupt
        with pytest.raises(expected) as caught:
            write_text(target, "new")
    if isinstance(error, OSError):
        assert "out: must be writable: no space left on device" in str(caught.value)
    assert leftovers(tmp_path) == (["out"] if existed else [])
    assert not existed or target.read_text() == "old"


def test_text_that_cannot_be_encoded_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.write_text("old")
    with pytest.raises(ValueError, match="surrogates"):
        write_text(target, "new \udc80")
    assert target.read_text() == "old"
    assert leftovers(tmp_path) == ["out"]


def test_a_symbolic_link_is_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to("target")
    write_text(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    broken = tmp_path / "broken"
    broken.symlink_to("not yet")
    write_text(broken, "made")
    assert broken.is_symlink() and (tmp_path / "not yet").read_text() == "made"


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o640, 0o755])
def test_permissions_are_kept(tmp_path: Path, mode: int) -> None:
    target = tmp_path / "out"
    target.write_text("old")
    target.chmod(mode)
    write_text(target, "new")
    assert stat.S_IMODE(target.stat().st_mode) == mode
    assert target.read_text() == "new"


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_new_files_follow_the_umask(tmp_path: Path, mask: int, mode: int) -> None:
    before = os.umask(mask)
    try:
        write_text(tmp_path / "out", "new")
        assert os.umask(mask) == mask
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == mode


def test_a_pipe_is_never_replaced_by_a_file(tmp_path: Path) -> None:
    """Nor is a device such as /dev/null, which a link may name."""
    target = tmp_path / "pipe"
    os.mkfifo(target)
    with pytest.raises(InvalidFile):
        write_text(target, "new")
    assert stat.S_ISFIFO(target.stat().st_mode)


def test_a_pipe_without_a_writer_is_empty_and_devices_are_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert read_bytes(pipe)[0] == b""
    with pytest.raises(InvalidFile, match="must be a file or a pipe, but it is a device"):
        read_bytes("/dev/zero")


def test_memory_grows_with_the_file_and_not_with_the_limit(tmp_path: Path) -> None:
    (tmp_path / "small").write_bytes(b"x" * 1000)
    tracemalloc.start()
    assert len(read_bytes(tmp_path / "small")[0]) == 1000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * 2**20
