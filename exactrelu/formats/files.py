"""Files in and out: read whole with a size limit, written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from pathlib import Path

from ..errors import InvalidFile
from ..rationals.strict_json import MAX_BYTES

STANDARD = "-"
"""The name that stands for standard input or standard output."""


def read_bytes(path: str | os.PathLike[str]) -> tuple[bytes, str]:
    """The content of a file (``-``: standard input), and its name for messages.

    Raises :class:`~exactrelu.errors.InvalidFile` for anything that cannot be
    read, or is larger than half a gibibyte.
    """
    name = os.fspath(path)
    if not name:
        raise InvalidFile("file name", "must not be empty")
    if name == STANDARD:
        content, name = sys.stdin.buffer.read(MAX_BYTES + 1), "standard input"
    else:
        try:
            # A directory or device would be opened, or would never end: only regular files and pipes are read.
            if Path(name).is_dir():
                raise InvalidFile(name, "must be a file, but it is a directory")
            with Path(name).open("rb") as file:
                content = file.read(MAX_BYTES + 1)
        except OSError as error:
            raise InvalidFile(name, f"must be a readable file: {reason(error)}") from None
        except InvalidFile:
            raise
        except ValueError as error:  # a name with a null character
            raise InvalidFile(repr(name), f"must be a file name: {error}") from None
    if len(content) > MAX_BYTES:
        raise InvalidFile(name, f"must have at most {MAX_BYTES} bytes")
    return content, name


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
