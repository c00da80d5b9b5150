"""Certificates for the extended checker, true ones and damaged ones, with what it has to say of each.

``extended_corpus.json.gz`` holds certificates of random networks of all kinds, most of them degenerate: valid, with the
other status, or tampered with, at least one for every place at which a claim failed. When they were chosen,
the claims of all that are accepted were decided again without certificates, and none was found to be false.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from exactrelu import extended_checker

CORPUS: list[dict[str, Any]] = json.loads(
    gzip.decompress(Path(__file__).with_name("extended_corpus.json.gz").read_bytes())
)


@pytest.mark.parametrize("start", range(0, len(CORPUS), 60))
def test_answers(start: int) -> None:
    for entry in CORPUS[start : start + 60]:
        code, text = extended_checker.check(json.dumps(entry["certificate"]).encode())
        assert (code, text if code == 0 else text.split(": ", 1)[0]) == (entry["code"], entry["said"])


def test_every_predicate_holds_and_fails_and_is_refused() -> None:
    found: Counter[tuple[Any, Any, int]] = Counter()
    for entry in CORPUS:
        claim = entry["certificate"].get("claim")
        if isinstance(claim, dict) and claim.get("id") == "hypothesis":
            found[str(claim.get("predicate")), str(claim.get("status")), entry["code"]] += 1
    wanted = {(p, s, c) for p in extended_checker.SENTENCES for s in ("holds", "fails") for c in (0, 1)}
    assert wanted <= found.keys()
