"""`--certificate` on every command that has it, and `check`."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import exactrelu as er
from exactrelu import checker, extended_checker

HAT, CHAIN = er.zoo.HAT, er.Network.mlp([[[1]], [[1]], [[1]]], [[0], [-1], [0]])
TWINS = er.Network.mlp([[[1], [-1]], [[2, 1]]], [[0, 0], [0]])
TANH = er.Network.mlp([[[1], [2]], [[1, 1]]], [[0, 1], [0]], activation="tanh")
COMMANDS: dict[str, tuple[list[str], str, int]] = {
    "global": (["identify", "HAT", "--domain", "[-2,2]"], "not_identifiable", 1),
    "twins": (["identify", "TWINS"], "globally_identifiable", 0),
    "local": (["identify", "HAT", "--scope", "local"], "locally_identifiable", 0),
    "deep": (["identify", "CHAIN", "--scope", "local"], "not_identifiable", 1),
    "finite": (["identify", "HAT", "--scope", "finite-sample"], "functional_dimension", 0),
    "compare": (["compare", "HAT", "HAT"], "same_function", 0),
    "differ": (["compare", "HAT", "CHAIN"], "different_function", 1),
    "tanh": (["compare", "TANH", "HAT"], "different_function", 1),
    "regions": (["regions", "CHAIN", "--domain", "[-1,3]"], "regions_complete", 0),
    "count": (["regions", "HAT", "--count-only"], "regions_complete", 0),
    "phi": (["phi", "CHAIN"], "embedding_rank", 0),
    "dimension": (["dimension", "CHAIN"], "functional_dimension", 0),
    "symmetries": (["symmetries", "relu", "--atoms", "1,0;2,0"], "affine_symmetry", 0),
}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    er.save(HAT, tmp_path / "HAT.json")
    er.save(CHAIN, tmp_path / "CHAIN.json")
    er.save(TWINS, tmp_path / "TWINS.json")
    er.save(TANH, tmp_path / "TANH.json")
    return tmp_path


def written(files: Path, arguments: list[str]) -> list[object]:
    return [files / f"{a}.json" if a in ("HAT", "CHAIN", "TWINS", "TANH") else a for a in arguments]


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("suffix", [".json", ".json.gz"])
def test_every_command_writes_what_the_checker_accepts(run: Any, files: Path, name: str, suffix: str) -> None:
    arguments, claim, code = COMMANDS[name]
    target = files / f"certificate{suffix}"
    found, out, err = run(*written(files, arguments), "--certificate", target)
    assert (found, err) == (code, "")
    assert out == run(*written(files, arguments))[1]
    content = target.read_bytes()
    data = json.loads(gzip.decompress(content) if suffix.endswith("gz") else content)
    assert data["claim"]["id"] == claim
    answer = (extended_checker if name == "tanh" else checker).check(content)
    assert answer.code == 0
    assert run("check", target)[:2] == (0, answer.text + "\n")
    if "network" in data["claim"]:
        own = next(a for a in arguments if a in ("HAT", "CHAIN", "TWINS", "TANH"))
        other = "CHAIN" if own == "HAT" else "HAT"
        assert run("check", target, "--network", files / f"{own}.json")[0] == 0
        code, out, _ = run("check", target, "--network", files / f"{other}.json")
        assert code == 1
        assert out.startswith("REJECTED") and f"{other}.json" in out


def test_the_checker_needs_nothing(run: Any, files: Path) -> None:
    target = files / "c.json"
    run("regions", files / "HAT.json", "--certificate", target)
    command = [sys.executable, "-I", "-S", checker.__file__, str(target)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stdout == "VALID: the network of widths 1-3-1 has exactly 4 activation regions on R\n"


def test_tampering(run: Any, files: Path) -> None:
    target = files / "c.json"
    run("regions", files / "HAT.json", "--certificate", target)
    data = json.loads(target.read_text())
    data["claim"]["count"] = 5
    target.write_text(json.dumps(data))
    code, out, err = run("check", target, "--json")
    answer = json.loads(out)
    assert (code, err, answer["valid"]) == (1, "", False)
    assert answer["answer"].startswith("REJECTED at ")


@pytest.mark.parametrize(("content", "code"), [(b"", 2), (b"{}", 2), (b"[", 2), (b"\x1f\x8bx", 2)])
def test_unreadable_files(run: Any, tmp_path: Path, content: bytes, code: int) -> None:
    (tmp_path / "c.json").write_bytes(content)
    found, out, err = run("check", tmp_path / "c.json")
    assert found == code
    assert (out + err).count("\n") == 1


def test_what_cannot_be_certified(run: Any, files: Path) -> None:
    code, _, err = run("check", files / "missing.json")
    assert code == 2 and "no such file" in err
    code, _, err = run("symmetries", "tanh", "--atoms", "1,0;2,0", "--certificate", files / "c.json")
    assert code == 2 and "--certificate needs a symmetry" in err
    code, _, err = run("regions", files / "HAT.json", "--certificate", files / "no" / "c.json")
    assert code == 2 and "must be writable" in err
    assert not list(files.glob("c.json*"))
