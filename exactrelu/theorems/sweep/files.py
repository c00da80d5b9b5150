"""Opening SQLite files, with one sentence for everything that can be wrong with them."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ...errors import InvalidFile

PATIENCE: Final = 60.0
"""How many seconds to wait for another process that is writing."""
IN_MEMORY: Final = ":memory:"


@contextlib.contextmanager
def told(path: str) -> Iterator[None]:
    """Errors of the database as one sentence."""
    try:
        yield
    except UnicodeDecodeError:  # the message repeats a piece of a broken file
        raise InvalidFile(path, "must be the database of a sweep, but its text is not UTF-8") from None
    except sqlite3.DatabaseError as error:
        said = str(error)
        if "not a database" in said or "malformed" in said:
            raise InvalidFile(path, f"must be the database of a sweep: {said}") from None
        raise InvalidFile(path, f"must be a file that can be read and written: {said}") from None


def make_file(name: str, resume: bool) -> None:
    """Make an empty file, or make sure that there is one to resume."""
    if not name:
        raise InvalidFile("file name", "must not be empty")
    try:
        with contextlib.suppress(FileExistsError):
            os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
            return
    except OSError as error:
        said = (error.strerror or str(error)).lower()
        raise InvalidFile(name, f"must be a file that can be written: {said}") from None
    except ValueError as error:  # a name with a null character
        raise InvalidFile(repr(name), f"must be a file name: {error}") from None
    if not Path(name).is_file():
        raise InvalidFile(name, "must be a regular file, not a directory or device")
    if not resume:
        raise InvalidFile(name, "must not exist yet, unless its sweep is to be resumed")


def connect(path: str | os.PathLike[str] | None) -> sqlite3.Connection:
    """A connection to a file that exists, or to memory (``None``).

    The file is opened for writing where that is allowed, so that what a killed
    process left unfinished is rolled back. Every commit waits for the disk.
    """
    address = IN_MEMORY if path is None else f"{Path(path).resolve().as_uri()}?mode=rw"
    with told(IN_MEMORY if path is None else os.fspath(path)):
        connection = sqlite3.connect(address, timeout=PATIENCE, isolation_level=None, uri=path is not None)
        try:
            connection.execute("PRAGMA synchronous = FULL")
        except BaseException:  # the file is no database
            connection.close()
            raise
    return connection
