"""A fixed budget of fuzzing: what two independent parts of the package answer is compared on random instances.

``python tests/fuzz --seconds 3600`` does the same for as long as one likes; what it finds goes into ``cases``.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from fuzz_cases import draw, shrunk, why
from fuzz_checks import CHECKS

from exactrelu.theorems.instances import instance_from_json

CASES = [(path.stem, json.loads(path.read_text())) for path in sorted((Path(__file__).parent / "cases").glob("*.json"))]
# Cases in every run and in the sweep, and what must be seen among them.
BUDGETS = {
    "engines": (30, 500, {"one", "few", "many"}),
    "z3": (12, 200, {"few", "many"}),
    "shallow": (14, 80, {"holds, holds", "holds, fails", "fails, fails"}),
    "deep": (8, 80, {"holds", "fails"}),
    "equality": (30, 300, {"holds, holds", "fails, fails"}),
    "recovery": (10, 60, {"complete", "smaller"}),
    "round_trip": (15, 120, {"exact"}),
    "tampering": (10, 120, {"refused"}),
}


def budgets() -> list[Any]:
    found = []
    for name, (quick, more, kinds) in BUDGETS.items():
        found.append(pytest.param(name, range(quick), kinds, id=name))
        found.append(pytest.param(name, range(quick, quick + more), kinds, id=f"{name}-more", marks=pytest.mark.sweep))
    return found


@pytest.mark.parametrize(("name", "seeds", "kinds"), budgets())
def test_two_answers_agree(name: str, seeds: range, kinds: set[str]) -> None:
    seen: Counter[str] = Counter()
    for seed in seeds:
        instance = draw(name, seed)
        kind, reason = why(name, instance)
        seen[kind] += 1
        assert reason is None, (seed, reason, json.dumps(shrunk(name, instance).to_json()))
    assert kinds <= seen.keys(), seen


def test_every_check_has_a_budget() -> None:
    assert BUDGETS.keys() == CHECKS.keys()


@pytest.mark.parametrize("case", [case for _, case in CASES], ids=[name for name, _ in CASES])
def test_what_was_found_once(case: dict[str, Any]) -> None:
    assert why(case["check"], instance_from_json(case["instance"], "case"))[1] is None


# ---- the tests must be able to fail


def test_a_wrong_answer_is_found_and_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """One region fewer in every complex that has a bounded region: the least example is found."""
    import fuzz_checks

    def fewer(net: Any, domain: Any = None) -> int:
        found = fuzz_checks.er.activation_regions(net, domain)
        return len(found) - any(region.bounded for region in found)

    monkeypatch.setattr(fuzz_checks.er, "count_regions", fewer)
    for seed in range(50):
        instance = draw("engines", seed)
        if why("engines", instance)[1] is not None:
            break
    least = shrunk("engines", instance)
    assert why("engines", least)[1] is not None
    assert sum(least.network.widths) <= 4
