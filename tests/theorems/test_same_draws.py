"""A seed names the same instance for good: sweeps go on where an older version stopped, and findings are found again.

``python tests/theorems/test_same_draws.py`` writes the digests anew, after what is drawn has been changed on purpose.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

import exactrelu as er
from exactrelu import Instance, Theorem, registered_theorems
from exactrelu.theorems import mutations
from exactrelu.theorems.arrangements import arrange
from exactrelu.theorems.strata import STRATA

KNOWN = Path(__file__).with_name("same_draws.json")
MEMBERS = er.family((2, 3, 1), entries=(-1, 0, 1, 2))
SILENT = er.Network.mlp([[[1], [0], [2]], [[0, 3, 1], [1, 1, 1]], [[1, 0]]], [[1, 0, -1], [0, 2], [1]])
NETWORKS = (er.Network.random((2, 3, 1), 1), er.Network.random((1, 2, 2, 1), 2), er.zoo.HAT, SILENT)


def digest(data: object) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


def drawn(statement: Theorem) -> Iterator[Instance]:
    if statement.supply is not None:
        for seed in range(40):
            yield statement.draw(random.Random(f"same {seed}"))


def arranged(statement: Theorem) -> Iterator[Instance]:
    for seed, net in enumerate(NETWORKS):
        yield from islice(arrange(statement, net, random.Random(seed), family=MEMBERS), 30)


def of_statement(statement: Theorem) -> str:
    return digest([[item.to_json() for item in source(statement)] for source in (drawn, arranged)])


def of_families() -> dict[str, str]:
    """Random families, one for each stratum; mutations; single degenerations."""
    found = {}
    for name in STRATA:
        members = er.family((2, 3, 2, 1), random=3, count=10, strata=(name,))
        found[f"random {name}"] = [net.to_json() for _, net in members.members(0, 10)]
    for k, net in enumerate(NETWORKS):
        found[f"mutations {k}"] = [near.to_json() for _, near in mutations(net, seed=5).members(0, 60)]
    return {name: digest(data) for name, data in found.items()}


def digests() -> dict[str, str]:
    return {statement.id: of_statement(statement) for statement in registered_theorems()} | of_families()


@pytest.mark.parametrize("statement", registered_theorems(), ids=lambda item: item.id)
def test_supplies_and_arrangements(statement: Theorem) -> None:
    assert of_statement(statement) == json.loads(KNOWN.read_text())[statement.id]


def test_families() -> None:
    known = json.loads(KNOWN.read_text())
    found = of_families()
    assert found == {name: known[name] for name in found}
    assert known.keys() == found.keys() | {statement.id for statement in registered_theorems()}


if __name__ == "__main__":
    KNOWN.write_text(json.dumps(digests(), indent=1, sort_keys=True) + "\n")
