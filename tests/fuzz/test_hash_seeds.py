"""The same bytes whatever the order of sets is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "fixed_answers.py"


@pytest.mark.parametrize("options", [[], pytest.param(["--more"], marks=pytest.mark.sweep)], ids=["few", "more"])
def test_answers_do_not_depend_on_the_hash_seed(tmp_path: Path, options: list[str]) -> None:
    running = []
    for seed in ("0", "1", "4242"):
        folder = tmp_path / seed / "files"
        folder.mkdir(parents=True)
        environment = {**os.environ, "PYTHONHASHSEED": seed, "COLUMNS": "100"}
        command = [sys.executable, str(SCRIPT), "files", *options]
        running.append(
            subprocess.Popen(
                command, cwd=folder.parent, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        )
    outputs = [process.communicate(timeout=120) for process in running]
    assert [process.returncode for process in running] == [0, 0, 0], outputs[0][1][-1000:]
    first = outputs[0][0].splitlines()
    assert len(first) > 60
    for other, _ in outputs[1:]:
        assert [a for a, b in zip(first, other.splitlines(), strict=True) if a != b and b'"seconds"' not in a] == []
