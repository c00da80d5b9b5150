"""Damaged files: whatever is in them, the answer is a network or one clear sentence, and soon."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

import pytest
from cli_cases import HAT
from strategies import random_dag

from exactrelu import ExactReluError, Network, cli, load
from exactrelu.formats import network_text

NNET = (
    "// comment\n2,2,1,2,\n2,2,1,\n0,\n-1,-2,\n1,2,\n0.5,-0.25,0.125,\n2,0.1,8,\n"
    "0.5,-1.25,\n1e-1,3,\n0.1,\n-2E+0,\n2.5,-0.75,\n1.0e1,\n"
)
TOKENS = (
    b'null true false 0 1 -1 0.5 1e400 1e-400 1e99999 NaN Infinity nan inf "" "0" "1/0" "1/2" [] {} [[]] [null] , : " '
    b'[ ] { } \\ \\u0000 \\ud800 \x00 \xff \xc3\xa9 \n // - + . e / 1/2 1_0 999999999 99999999999999999999 "relu"'
).split(b" ")
SECONDS = 2


def damaged(r: random.Random, content: bytes) -> bytes:
    """A few bytes or tokens deleted, inserted, repeated, or exchanged."""
    for _ in range(r.choice((1, 1, 1, 2, 3, 8))):
        i = r.randrange(len(content) + 1)
        j = min(len(content), i + r.choice((0, 1, 1, 2, 5, 30)))
        middle = r.choice((b"", r.choice(TOKENS), bytes([r.randrange(256)]), content[i:j] * 2, content[j : j + 5]))
        content = content[:i] + middle + content[j:]
    return content


def replaced(r: random.Random, data: object) -> object:
    """JSON data with one value somewhere replaced by another kind of value."""
    values = (None, True, 0, 1, -1, 2, "", "0", "1", "x", "1/0", "1e99999", [], {}, [[]], ["1"], {"0": [["1"]]}, 10**5)
    if r.random() < 0.15 or not isinstance(data, dict | list) or not data:
        return r.choice(values)
    keys = list(data) if isinstance(data, dict) else range(len(data))
    key = r.choice(list(keys))
    copy = dict(data) if isinstance(data, dict) else list(data)
    copy[key] = replaced(r, data[key])
    return copy


def check_load(path: Path, content: bytes, seen: dict[str, int], **options: object) -> None:
    path.write_bytes(content)
    start = time.perf_counter()
    try:
        net = load(path, **options)
    except ExactReluError as error:
        message = str(error)
        assert "\n" not in message and len(message) < 500
        assert path.name in message
        seen["refused"] += 1
    else:
        assert isinstance(net, Network)
        assert net([0] * net.input_dim) is not None
        seen["read"] += 1
    assert time.perf_counter() - start < SECONDS, content


@pytest.mark.parametrize("seed", range(4))
def test_damaged_json(tmp_path: Path, seed: int) -> None:
    r = random.Random(seed)
    seen = {"read": 0, "refused": 0}
    for _ in range(250):
        text = network_text(random_dag(r)) if r.random() < 0.5 else HAT
        check_load(tmp_path / "net.json", damaged(r, text.encode()), seen)
    assert min(seen.values()) > 2, seen


@pytest.mark.parametrize("seed", range(4))
def test_replaced_values(tmp_path: Path, seed: int) -> None:
    r = random.Random(seed)
    seen = {"read": 0, "refused": 0}
    for _ in range(250):
        data = replaced(r, json.loads(network_text(random_dag(r))))
        check_load(tmp_path / "net.json", json.dumps(data).encode(), seen)
    assert min(seen.values()) > 2, seen


@pytest.mark.parametrize("reading", ["decimal", "dyadic"])
@pytest.mark.parametrize("normalized", [False, True])
def test_damaged_nnet(tmp_path: Path, reading: str, normalized: bool) -> None:
    r = random.Random(17)
    seen = {"read": 0, "refused": 0}
    for _ in range(250):
        content = damaged(r, NNET.encode())
        check_load(tmp_path / "net.nnet", content, seen, reading=reading, normalized=normalized)
    assert min(seen.values()) > 2, seen


def test_commands_on_damaged_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    r = random.Random(23)
    codes = set()
    for _ in range(300):
        suffix, text = r.choice((("json", HAT), ("json", network_text(random_dag(r))), ("nnet", NNET)))
        path = tmp_path / f"net.{suffix}"
        path.write_bytes(damaged(r, text.encode()))
        command = r.choice((["analyze"], ["analyze", "--json"], ["phi"], ["phi", "--latex"], ["compare", str(path)]))
        code = cli.run([*command, str(path)])
        captured = capsys.readouterr()
        assert code in (0, 2, 3, 4), captured.err
        assert (code == 2) == bool(captured.err)
        assert captured.err.count("\n") == (code == 2)
        codes.add(code)
    assert {0, 2} <= codes


@pytest.mark.parametrize("where", ["front", "end"])
def test_many_keys_are_not_slow(tmp_path: Path, where: str) -> None:
    keys = [f'"k{i}": null' for i in range(20_000)]
    keys.insert(0 if where == "front" else len(keys), keys[0 if where == "front" else -1])
    check_load(tmp_path / "net.json", ("{" + ",".join(keys) + "}").encode(), {"read": 0, "refused": 0})
