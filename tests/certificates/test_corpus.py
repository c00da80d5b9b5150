"""Distilled certificates: on each of them some wrong checker gives another answer than ours.

``corpus.json.gz`` was chosen from many thousands of certificates, true ones and damaged ones, so that every wrong
checker that differs from ours by one operator, number, name, condition or statement (``tests/mutation``) and on any of
those thousands gets one of these wrong, too. Expected are the exit code, the sentence that is proved or the JSON path
of what fails first, and the work that is counted and estimated; the second checker, written apart from the first, must
come to the same code. Work and estimate say nothing about truth: they are here so that nobody changes them unknowingly.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import second_checker

from exactrelu import checker

CORPUS = json.loads(gzip.decompress((Path(__file__).parent / "corpus.json.gz").read_bytes()))
NAMED = [pytest.param(entry, id=f"{number}-{entry['name']}") for number, entry in enumerate(CORPUS)]


@pytest.mark.parametrize("entry", NAMED)
def test_answers(entry: dict[str, Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    data, readings = json.dumps(entry["certificate"]).encode(), list[Any]()
    monkeypatch.setattr(checker, "_work", Meter(readings))
    code, text = checker.check(data, report=True)
    said = text if code == 0 else text.split(": ", 1)[0]
    estimate = capsys.readouterr().err.rpartition(": ")[2].strip()
    assert (code, said) == (entry["code"], entry["said"]), text
    assert (readings[0] if code == 0 else None, estimate) == (entry["work"], entry["estimate"])
    assert second_checker.check(data)[0] == code


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
