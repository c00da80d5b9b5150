"""Files in and out: read whole with a size limit, written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import tempfile
from pathlib import Path
from typing import BinaryIO

from .errors import InvalidFile
from .rationals.strict_json import MAX_BYTES

CHUNK = 2**20
STANDARD = "-"
"""The name that stands for standard input or standard output."""


def read_bytes(path: str | os.PathLike[str]) -> tuple[bytes, str]:
    """The content of a file (``-``: standard input), and its name for messages.

    Regular files and pipes are read; a pipe that nobody writes to is empty.

    Raises :class:`~exactrelu.errors.InvalidFile` for anything else, for what cannot
    be read, or is larger than half a gibibyte.
    """
    name = os.fspath(path)
    if not name:
        raise InvalidFile("file name", "must not be empty")
    if name == STANDARD:
        content, name = _bounded(sys.stdin.buffer), "standard input"
    else:
        try:
            with _opened(name) as file:
                content = _bounded(file)
        except OSError as error:
            raise InvalidFile(name, f"must be a readable file: {reason(error)}") from None
        except InvalidFile:
            raise
        except ValueError as error:  # a name with a null character
            raise InvalidFile(repr(name), f"must be a file name: {error}") from None
    if len(content) > MAX_BYTES:
        raise InvalidFile(name, f"must have at most {MAX_BYTES} bytes")
    return content, name


def _opened(name: str) -> BinaryIO:
    """A regular file or a pipe, open for reading; a device would never end."""
    # Without O_NONBLOCK the opening of a pipe waits for somebody to write to it.
    handle = os.open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    try:
        mode = os.fstat(handle).st_mode
        if stat.S_ISDIR(mode):
            raise InvalidFile(name, "must be a file, but it is a directory")
        if not stat.S_ISREG(mode) and not stat.S_ISFIFO(mode):
            raise InvalidFile(name, "must be a file or a pipe, but it is a device")
        os.set_blocking(handle, True)
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def _bounded(file: BinaryIO) -> bytes:
    """All that can be read, up to a little more than the limit; memory grows with what is there."""
    parts, size = [], 0
    while size <= MAX_BYTES and (part := file.read(CHUNK)):
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def read_text(path: str | os.PathLike[str]) -> tuple[str, str]:
    """The content of a UTF-8 text file, and its name for messages."""
    content, name = read_bytes(path)
    return decoded(content, name), name


def decoded(content: bytes, name: str) -> str:
    """Bytes as UTF-8 text; ``name`` stands for their source in messages."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidFile(name, f"must be UTF-8 text, but byte {error.start} is not") from None


def write_text(path: str | os.PathLike[str], content: str) -> None:
    """Write a text file as a whole (``-``: standard output); see :func:`write_bytes`."""
    if os.fspath(path) == STANDARD:
        sys.stdout.write(content)
        return
    write_bytes(path, content.encode("utf-8"))


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file as a whole.

    The bytes go to a temporary file in the same folder, which then replaces
    the old file; whatever fails, the old file stays whole.

    Raises :class:`~exactrelu.errors.InvalidFile` if the file cannot be written.
    """
    name = os.fspath(path)
    target = Path(name)
    temporary = None
    try:
        if target.is_symlink():
            target = target.resolve()
        if target.exists() and not target.is_file():
            raise InvalidFile(name, "must be a regular file to write to, not a directory or device")
        if target.exists() and not os.access(target, os.W_OK):
            raise InvalidFile(name, "must be writable, but its permissions forbid it")
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name[:64]}.", dir=target.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
        Path(temporary).replace(target)
        temporary = None
    except OSError as error:
        raise InvalidFile(name, f"must be writable: {reason(error)}") from None
    except InvalidFile:
        raise
    except ValueError as error:  # a name with a null character
        raise InvalidFile(repr(name), f"must be a file name: {error}") from None
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()


def reason(error: OSError) -> str:
    """What the operating system says of an error, in one clause."""
    return (error.strerror or str(error)).lower()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
