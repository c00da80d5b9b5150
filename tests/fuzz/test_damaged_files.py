"""Damaged files of every format: an answer or one clear sentence, soon, and an exit code that is documented."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import damaged_files as files
import pytest
from bombs import BOMBS, zeros
from cli_cases import HAT
from fuzz_files import limited, read_damaged

import exactrelu as er
from exactrelu import ExactReluError, Network, load

QUICK = {"certificate": 100, "json": 100, "onnx": 20, "npz": 20, "safetensors": 20, "vnnlib": 30}
FEW, MANY = 50, 100


def budgets() -> list[Any]:
    found = []
    for kind in files.SOURCES:
        quick = QUICK.get(kind, FEW)
        found.append(pytest.param(kind, range(quick), id=kind))
        found.append(pytest.param(kind, range(quick, quick + MANY), id=f"{kind}-more", marks=pytest.mark.sweep))
    return found


@pytest.mark.parametrize(("kind", "seeds"), budgets())
def test_commands_on_damaged_files(tmp_path: Path, kind: str, seeds: range) -> None:
    codes: Counter[int | None] = Counter()
    for seed in seeds:
        code, problem, command, _ = read_damaged(kind, seed, tmp_path)
        assert problem is None, (kind, seed, command, problem)
        codes[code] += 1
    assert codes[2] >= 5, codes
    assert sum(codes.values()) > codes[2] or len(seeds) < MANY, codes


@pytest.mark.parametrize("kind", files.SOURCES)
def test_whole_files_are_read(tmp_path: Path, kind: str) -> None:
    """Else the tests above would test nothing but the first line of a reader."""
    square, path = tmp_path / "square.json", tmp_path / f"file.{files.SUFFIXES.get(kind, kind)}"
    er.save(files.SQUARE, square)
    for seed in range(8):
        r = Random(seed)
        path.write_bytes(files.content(kind, r))
        command = files.commands(kind, r, path, square)
        code, _, err = files.silently(command)
        assert code != 2 or "must be a network of ReLU" in err or "compare" in command or "convert" in command, err


@pytest.mark.parametrize("suffix", ["json", "nnet"])
def test_networks_of_damaged_files_have_values(tmp_path: Path, suffix: str) -> None:
    r, seen, path = Random(17), Counter(), tmp_path / f"net.{suffix}"
    for _ in range(150):
        text = HAT.encode() if suffix == "json" and r.random() < 0.5 else files.content(suffix, r)
        path.write_bytes(files.damaged_bytes(r, text))
        choices = {"reading": r.choice(("decimal", "dyadic")), "normalized": r.random() < 0.5}
        options = {} if suffix == "json" else choices
        try:
            net = load(path, **options)
        except ExactReluError as error:
            assert path.name in str(error) and "\n" not in str(error) and len(str(error)) < 500
            seen["refused"] += 1
        else:
            assert isinstance(net, Network) and net([0] * net.input_dim) is not None
            seen["read"] += 1
    assert min(seen["read"], seen["refused"]) > 2, seen


def test_a_database_with_a_broken_schema(tmp_path: Path) -> None:
    """SQLite repeats a piece of it in its message, which then is no UTF-8 text either."""
    path = tmp_path / "sweep.db"
    data = files.content("db", Random(0))
    path.write_bytes(data.replace(b"CREATE TABLE batches", b"CREATE\xe9TABLE batches"))
    assert path.read_bytes() != data
    code, out, err = files.silently(["theorem", "report", str(path)])
    assert code == 2 and files.misbehaviour(code, out, err) is None, err


# ---- bombs


@pytest.mark.parametrize("name", BOMBS)
def test_small_files_that_ask_for_too_much(tmp_path: Path, name: str) -> None:
    kind, make = BOMBS[name]
    square, path = tmp_path / "square.json", tmp_path / f"file.{files.SUFFIXES.get(kind, kind)}"
    er.save(files.SQUARE, square)
    path.write_bytes(make())
    command = {"certificate": ["check", str(path)]}
    command |= {key: ["regions", str(square), "--domain", str(path)] for key in ("domain", "vnnlib")}
    start = time.monotonic()
    with limited(20):
        code, out, err = files.silently(command.get(kind, ["analyze", str(path)]))
    assert code in (2, 3)
    assert files.misbehaviour(code, out, err) is None
    assert time.monotonic() - start < 5


def test_more_numbers_than_are_read(tmp_path: Path) -> None:
    """Forty kilobytes that unpack to ten million weights."""
    path = tmp_path / "net.npz"
    path.write_bytes(zeros(10**7))
    assert path.stat().st_size < 50_000
    code, out, err = files.silently(["analyze", str(path)])
    assert code == 2 and "numbers" in err and files.misbehaviour(code, out, err) is None


def test_in_a_process_with_little_memory(tmp_path: Path) -> None:
    """Many bombs one after the other, in a process that may take one gigabyte more than it has at the start."""
    names = []
    for number, (kind, make) in enumerate(BOMBS.values()):
        if kind in ("json", "nnet", "npz", "onnx", "safetensors"):
            names.append(str(tmp_path / f"{number}.{kind}"))
            Path(names[-1]).write_bytes(make())
    done = with_little_memory([["analyze", name] for name in names])
    assert set(json.loads(done.stdout)) == {2}, done.stderr[-2000:]
    assert "Traceback" not in done.stderr


def with_little_memory(commands: list[list[str]]) -> subprocess.CompletedProcess[str]:
    """Run commands in a process that may take a gigabyte; it prints their exit codes last."""
    script = (
        "import json, resource, sys\n"
        "from exactrelu import cli\n"
        "pages = int(open('/proc/self/statm').read().split()[0]) if sys.platform == 'linux' else 0\n"
        "if pages: resource.setrlimit(resource.RLIMIT_AS, (pages * 4096 + 2**30,) * 2)\n"
        "print(json.dumps([cli.run(command) for command in json.loads(sys.argv[1])]))\n"
    )
    arguments = [sys.executable, "-c", script, json.dumps(commands)]
    return subprocess.run(arguments, capture_output=True, text=True, timeout=60, check=True)


def test_very_many_inputs_in_a_small_file(tmp_path: Path) -> None:
    """What needs a square table of the inputs says so before it begins; what needs none works."""
    path = tmp_path / "net.json"
    hidden = {"activation": "relu", "weights": {}, "bias": ["1", "-2"]}
    output = {"activation": "identity", "weights": {"1": [["1", "2"]]}, "bias": ["1"]}
    header = {"format": "exactrelu/network", "version": 1, "input_dim": 100_000}
    path.write_text(json.dumps(header | {"layers": [hidden, output]}))
    expected = {
        ("phi",): 0,
        ("compare", str(path)): 0,
        ("identify", "--scope", "local", "--budget", "500"): 3,
        ("regions", "--budget", "500"): 3,
        ("regions", "--certificate", str(tmp_path / "certificate.json")): 3,
        ("dimension",): 3,
        ("recover",): 3,
    }
    done = with_little_memory([[*command, str(path)] for command in expected])
    assert json.loads(done.stdout.splitlines()[-1]) == list(expected.values()), done.stderr[-2000:]
    lines = [line for line in done.stderr.splitlines() if not line.startswith("note: ")]
    assert len(lines) == 4 and all(line.startswith("exactrelu: budget: at most ") for line in lines)


@pytest.mark.parametrize("where", ["front", "end"])
def test_many_keys_are_not_slow(tmp_path: Path, where: str) -> None:
    keys = [f'"k{i}": null' for i in range(20_000)]
    keys.insert(0 if where == "front" else len(keys), keys[0 if where == "front" else -1])
    path = tmp_path / "net.json"
    path.write_text("{" + ",".join(keys) + "}")
    with limited(2), pytest.raises(ExactReluError, match="must not repeat a key"):
        load(path)
