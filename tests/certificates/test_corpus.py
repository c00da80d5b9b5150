"""Distilled certificates: on each of them some wrong checker gives another answer than ours.

``corpus.json.gz`` was chosen from many thousands of certificates, true ones and damaged ones, so that every wrong
checker that differs from ours by one operator, number, name, condition or statement (``tests/mutation``) and on any of
those thousands gets one of these wrong, too. Expected are the exit code, the sentence that is proved or the JSON path
of what fails first, and the work that is counted and estimated; the second checker, written apart from the first, must
come to the same code. Work and estimate say nothing about truth: they are here so that nobody changes them unknowingly;
``python tests/certificates/test_corpus.py`` writes these two anew.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest
import second_checker

from exactrelu import checker

FILE = Path(__file__).with_name("corpus.json.gz")
CORPUS = json.loads(gzip.decompress(FILE.read_bytes()))
NAMED = [pytest.param(entry, id=f"{number}-{entry['name']}") for number, entry in enumerate(CORPUS)]


@pytest.mark.parametrize("entry", NAMED)
def test_answers(entry: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    found = answer(entry, monkeypatch)
    assert found == {key: entry[key] for key in found}
    assert second_checker.check(json.dumps(entry["certificate"]).encode())[0] == entry["code"]


def answer(entry: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    readings, err = list[Any](), io.StringIO()
    monkeypatch.setattr(checker, "_work", Meter(readings))
    with contextlib.redirect_stderr(err):
        code, text = checker.check(json.dumps(entry["certificate"]).encode(), report=True)
    said, estimate = text if code == 0 else text.split(": ", 1)[0], err.getvalue().rpartition(": ")[2].strip()
    return {"code": code, "said": said, "work": readings[0] if code == 0 else None, "estimate": estimate}


class Meter:
    """What the checker counts its work in: here it can be read after the check."""

    def __init__(self, readings: list[Any]) -> None:
        self.readings = readings

    def set(self, readings: list[Any]) -> None:
        self.readings[:] = readings

    def get(self) -> list[Any]:
        return self.readings

    def reset(self, token: None) -> None:
        pass


def test_every_claim_is_there_valid_and_rejected() -> None:
    claims = {code: set[str]() for code in (0, 1)}
    for entry in CORPUS:
        if entry["code"] == 0 or entry["said"].startswith("REJECTED at evidence"):
            claims[entry["code"]].add(entry["certificate"]["claim"]["id"])
    assert claims[0] == claims[1] == set(checker.CLAIMS)


def rewrite() -> None:
    with pytest.MonkeyPatch.context() as patch:
        for entry in CORPUS:
            found = answer(entry, patch)
            assert (found["code"], found["said"]) == (entry["code"], entry["said"]), entry["name"]
            entry.update(found)
    FILE.write_bytes(gzip.compress(json.dumps(CORPUS).encode(), mtime=0))


if __name__ == "__main__":
    rewrite()
