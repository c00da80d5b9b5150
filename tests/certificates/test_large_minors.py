"""Minors beyond the reach of the checker, with an engine of its own: the limit is lowered for the tests."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

import exactrelu as er
from exactrelu import checker
from exactrelu.certificates.ranks import invertible

NET = er.zoo.HAT
POINTS = [
    [
        k,
    ]
    for k in ("-3", "-1/2", "1/2", "3", "2", "1/3", "-1/3")
]


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setattr(checker, "MAX_MINOR", 2)
    found = er.certify("sample_rank", network=NET, samples=POINTS).to_json()
    assert found["claim"]["rank"] > 2 and found["evidence"]["minor"]["inverse"] == []
    return found


def answer(data: dict[str, Any], engine: Any = None) -> int:
    return checker.check(json.dumps(data).encode(), engine).code


def test_too_large_without_an_engine(large: dict[str, Any]) -> None:
    assert answer(large) == 3
    assert answer(large, invertible) == 0


def test_the_engine_is_asked_about_the_minor_of_the_network(large: dict[str, Any]) -> None:
    """A minor that is none, a larger rank, another network: what the engine sees is not invertible."""
    minor = large["evidence"]["minor"]
    for change in (
        {"columns": [minor["columns"][0], *minor["columns"][:-1]]},
        {"rows": [minor["rows"][0], *minor["rows"][:-1]]},
        {"inverse": [[1]]},
        {"modulus": 65520},
    ):
        broken = json.loads(json.dumps(large))
        broken["evidence"]["minor"].update(change)
        assert answer(broken, invertible) == 1
    flat = json.loads(json.dumps(large))
    flat["claim"]["network"] = NET.replace({"w[2<-1][0,0]": 0}).to_json()
    assert answer(flat, invertible) == 1


@pytest.mark.parametrize("prime", [7, 11, 65521, 2**23 - 15, 2**31 - 1])
def test_invertibility_against_elimination(prime: int) -> None:
    r = Random(prime)
    seen = set()
    for _ in range(60):
        n = r.randint(1, 6)
        rows = [[r.randint(0, min(prime, 9) - 1) for _ in range(n)] for _ in range(n)]
        if r.random() < 0.4:
            rows[-1] = [sum(row[j] for row in rows[:-1]) % prime for j in range(n)]
        found = invertible(iter(rows), prime)
        seen.add(found)
        assert found == (determinant(rows, prime) != 0)
    assert seen == {True, False}
    assert not invertible(iter([[1]]), 65520)


def determinant(rows: list[list[int]], prime: int) -> int:
    """By expansion along the first row."""
    if not rows:
        return 1
    minors = ([row[:j] + row[j + 1 :] for row in rows[1:]] for j in range(len(rows)))
    return sum((-1) ** j * rows[0][j] * determinant(minor, prime) for j, minor in enumerate(minors)) % prime


def test_on_the_command_line(run: Any, tmp_path: Path, large: dict[str, Any]) -> None:
    (tmp_path / "c.json").write_text(json.dumps(large))
    assert run("check", tmp_path / "c.json")[0] == 3
    assert run("check", tmp_path / "c.json", "--engine", "flint")[0] == 0
