"""Valid files of every format, ways to damage them, and the commands that read them.

One-letter names: ``r`` a random generator.
"""

from __future__ import annotations

import functools
import gzip
import io
import json
import re
import zipfile
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from fuzz_draws import deep_instance, pair_instance, shallow_instance
from strategies import random_dag, random_mlp

import exactrelu as er
from exactrelu import Network, cli
from exactrelu.polyhedra.json import domain_to_json

SAMPLES = Path(__file__).parents[2] / "docs" / "certificates" / "valid"
CLAIM = "embedding_rank_is_parameters_minus_hidden"
SQUARE = Network.mlp([[[1, 2], [2, -1], [-1, 1]], [[1, 2, -3]]], [[1, -1, 2], ["1/2"]])
NNET = (
    "// comment\n2,2,1,2,\n2,2,1,\n0,\n-1,-2,\n1,2,\n0.5,-0.25,0.125,\n2,0.1,8,\n"
    "0.5,-1.25,\n1e-1,3,\n0.1,\n-2E+0,\n2.5,-0.75,\n1.0e1,\n"
)
VNNLIB = (
    "(declare-const X_0 Real)\n(declare-const X_1 Real)\n(declare-const Y_0 Real)\n(assert (<= X_0 1.5))\n"
    "(assert (>= X_0 -1.0))\n(assert (<= (+ X_0 (* 2.0 X_1)) 3.25))\n(assert (>= X_1 (- 1.0)))\n"
    "(assert (>= Y_0 0.5))\n",
    "(vnnlib-version <2.0>)\n(declare-network f\n (declare-input X float32 [1,2])\n (declare-output Y float32 [1]))\n"
    "(assert (<= X[0,0] 1.5))\n(assert (>= X[0,0] -1.0))\n(assert (and (<= X[0,1] 2.0) (>= X[0,1] -2.0)))\n",
)
TOKENS = (
    b'null true false 0 1 -1 0.5 1e400 1e-400 1e99999 1e999999999 -1e-99999999 NaN Infinity nan inf "" "0" "1/0" "1/2" '
    b'[] {} [[]] [null] , : " [ ] { } \\ \\u0000 \\ud800 \x00 \xff \xc3\xa9 \n // - + . e / 1/2 1_0 ( ) <= X_0 X_99 '
    b'99999999999999999999 "relu" "tanh" \xef\xbb\xbf'
).split(b" ")
VALUES = (
    *(None, True, 0, 1, -1, 2, 10**5, 10**17, "", "0", "1", "x", "1/0", "1e99999", "1e999999999", "-1/3", "9" * 5000),
    "k" * 5000,
    *([], {}, [[]], ["1"], [["1"]], {"0": [["1"]]}, "relu", "tanh", "abs", "R^2", "[0,1]^2", "\ud800", "1" * 300),
)
NUMBER = re.compile(rb'(?<=")-?[0-9]+(/[0-9]+)?(?=")')
NUMBERS = (b"0", b"1", b"-1", b"1e300", b"-1e-300", b"1e19000", b"1/3", b"-99999999999999999999/7", b"%d" % 2**1024)
REPEATS = (b"[", b'{"a":', b"(", b"9", b"((", b"[[", b"0,", b" ", b"(- ")


def content(kind: str, r: Random) -> bytes:
    """A valid file of one kind, as bytes."""
    return SOURCES[kind](r)


def _json(data: object) -> bytes:
    return json.dumps(data).encode()


def _saved(net: Network, suffix: str) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"net.{suffix}"
        er.save(net, path)
        return path.read_bytes()


@functools.cache
def _database() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "sweep.db"
        arguments = ["--widths", "1,1,1", "--entries=-1,1", "--out", str(path), "--workers", "1", "--budget", "20"]
        silently(["theorem", "hunt", CLAIM, *arguments])
        return path.read_bytes()


def _certificate(r: Random) -> bytes:
    data = r.choice(sorted(SAMPLES.glob("*.json"))).read_bytes()
    return gzip.compress(data, mtime=0) if r.random() < 0.1 else data


def _domain(r: Random) -> bytes:
    text = r.choice(("[-1,1]^2", "[0,1]x[-1/2,3]", "Rx[0,1]"))
    return _json(domain_to_json(er.Domain.parse(text)))


SOURCES: dict[str, Callable[[Random], bytes]] = {
    "json": lambda r: _json(r.choice((random_dag, random_mlp))(r).to_json()),
    "nnet": lambda r: NNET.encode(),
    "onnx": lambda r: _saved(random_dag(r), "onnx"),
    "npz": lambda r: _saved(random_mlp(r), "npz"),
    "safetensors": lambda r: _saved(random_mlp(r), "safetensors"),
    "domain": _domain,
    "vnnlib": lambda r: r.choice(VNNLIB).encode(),
    "samples": lambda r: _json({"format": "exactrelu/samples", "version": 1, "points": [["1/2", "1/3"], ["1", "3"]]}),
    "instance": lambda r: _json(r.choice((deep_instance, pair_instance, shallow_instance))(r).to_json()),
    "certificate": _certificate,
    "db": lambda r: _database(),
}
SUFFIXES = {"domain": "json", "samples": "json", "instance": "json", "certificate": "json"}


def damaged(kind: str, r: Random) -> bytes:
    """A file of one kind with a few things wrong with it, or nothing."""
    data = content(kind, r)
    if kind == "npz" and r.random() < 0.6:
        return _rezipped(r, data)
    if data[:1] == b"{" and r.random() < 0.3:
        return NUMBER.sub(lambda found: r.choice(NUMBERS) if r.random() < 0.1 else found[0], data)
    if data[:1] == b"{" and r.random() < 0.6:
        for _ in range(r.choice((1, 1, 2, 3))):
            data = _json(replaced(r, json.loads(data)))
            if data[:1] != b"{":
                return data
        return data
    return damaged_bytes(r, data)


def damaged_bytes(r: Random, data: bytes) -> bytes:
    """Bits flipped, bytes or tokens deleted, inserted, repeated or exchanged, the end cut off, brackets without end."""
    for _ in range(r.choice((1, 1, 1, 2, 3, 8))):
        i = r.randrange(len(data) + 1)
        j = min(len(data), i + r.choice((0, 1, 1, 2, 5, 30)))
        kind = r.random()
        if kind < 0.15 and i < len(data):
            middle, j = bytes([data[i] ^ 1 << r.randrange(8)]), i + 1
        elif kind < 0.25:
            return data[:i]
        elif kind < 0.3:
            middle = r.choice(REPEATS) * r.choice((50, 1000, 100_000))
        else:
            middle = r.choice((b"", r.choice(TOKENS), bytes([r.randrange(256)]), data[i:j] * 2, data[j : j + 5]))
        data = data[:i] + middle + data[j:]
    return data


def replaced(r: Random, data: object) -> object:
    """JSON data with one value replaced, one entry removed or repeated, or one key renamed, somewhere."""
    if r.random() < 0.15 or not isinstance(data, dict | list) or not data:
        return r.choice(VALUES)
    copy = dict(data) if isinstance(data, dict) else list(data)
    key = r.choice(list(copy) if isinstance(copy, dict) else range(len(copy)))
    kind = r.random()
    if kind < 0.08:
        del copy[key]
    elif kind < 0.12 and isinstance(copy, list):
        copy.insert(key, copy[key])
    elif kind < 0.12:
        copy[r.choice(("x", "0", "-1", "10", key + " ", "weights", "k" * 5000, "\ud800"))] = copy.pop(key)
    else:
        copy[key] = replaced(r, copy[key])
    return copy


def _rezipped(r: Random, data: bytes) -> bytes:
    """The archive with one member damaged, which keeps its checksums right."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        names = source.namelist()
        chosen = r.choice(names)
        for name in names:
            member = source.read(name)
            archive.writestr(name, damaged_bytes(r, member) if name == chosen else member)
    return target.getvalue()


# ---- commands


def commands(kind: str, r: Random, path: Path, square: Path) -> list[str]:
    """A command that reads the file; ``square`` is a good network with two inputs."""
    if kind in ("json", "nnet", "onnx", "npz", "safetensors"):
        out = str(path.with_name("out"))
        return r.choice(
            (
                ["analyze", str(path)],
                ["analyze", "--json", str(path), "--domain", "[-1,1]^2"],
                ["phi", "--latex", "--budget", "1000", str(path)],
                ["regions", "--json", "--budget", "500", str(path)],
                ["regions", "--all-counts", "--budget", "500", str(path)],
                ["dimension", "--budget", "500", str(path)],
                ["identify", "--scope", r.choice(("local", "global", "finite-sample")), "--budget", "500", str(path)],
                ["recover", "--budget", "5000", str(path)],
                ["compare", str(path), str(path)],
                ["compare", str(square), str(path)],
                ["convert", str(path), out + r.choice((".json", ".onnx", ".npz", ".safetensors", ".tex", ".graphml"))],
                ["theorem", "check", CLAIM, str(path)],
            )
        )
    if kind in ("domain", "vnnlib"):
        scope = r.choice(("local", "global", "finite-sample"))
        command = r.choice((["regions"], ["identify", "--scope", scope]))
        return [*command, str(square), "--domain", str(path)]
    if kind == "samples":
        return ["identify", "--scope", "local", str(square), "--samples", str(path)]
    if kind == "instance":
        return ["theorem", "check", r.choice((CLAIM, "shallow_fibre_is_flips")), str(path)]
    if kind == "certificate":
        return ["check", str(path), *r.choice(([], ["--json"], ["--network", str(square)]))]
    if r.random() < 0.7:
        return ["theorem", "report", str(path)]
    family = ("--widths", "1,1,1", "--entries=-1,1", "--workers", "1", "--budget", "20")
    return ["theorem", "hunt", CLAIM, *family, "--out", str(path), "--resume"]


def silently(arguments: list[str]) -> tuple[int, str, str]:
    """Run a command in this process: exit code, standard output, standard error."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace"), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = cli.run(arguments)
        out.flush()
    return code, out.buffer.getvalue().decode(), err.getvalue()


def misbehaviour(code: int, out: str, err: str) -> str | None:
    """What the command line has promised never to do."""
    lines = [line for line in err.splitlines() if not line.startswith("note: ")]
    if code not in (0, 1, 2, 3, 4):
        return f"exit code {code}: {err[:300]}"
    if "Traceback" in err + out:
        return f"a traceback: {err[-300:]}"
    if len(lines) > 1 or err.count("\r"):
        return f"{len(lines)} lines of errors: {err[:300]}"
    if lines and not lines[0].startswith("exactrelu: "):
        return f"an error that does not say whose it is: {err[:300]}"
    if (code == 2) > bool(err or out) or len(err) > 1200:
        return f"exit code {code} with {len(err)} characters: {err[:300]}"
    return None
