"""The mutations of certificates are importable here too, and there is a folder of good files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from damaged_files import SQUARE, silently
from file_commands import HUNT

import exactrelu as er

sys.path.append(str(Path(__file__).parents[1] / "certificates"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a network and a finished sweep."""
    found = tmp_path_factory.mktemp("good")
    er.save(SQUARE, found / "square.json")
    assert silently([*HUNT, "--out", str(found / "sweep.db")])[0] == 0
    return found
