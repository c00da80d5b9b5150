"""Every registered statement on instances from its own supply: none fails, most apply, and all are well-formed."""

from __future__ import annotations

import random
from collections import Counter
from typing import Final

import pytest

from exactrelu import Status, registered_theorems, theorem
from exactrelu.theorems import Instance, Standing, Theorem, instance_from_json

HOLDS, FAILS, UNKNOWN, INAPPLICABLE = Status.HOLDS, Status.FAILS, Status.UNKNOWN, Status.INAPPLICABLE
DEFAULT, SWEEP = 60, 1000
SPARE: Final = 1.6
"""How many more instances are drawn than have to hold."""

BEST = "its conclusion is a supremum over all parameters, attained by a network that a seeded search finds or not"
FINITE: Final[dict[str, tuple[int, int, str]]] = {
    "wide_layers_allow_full_dimension": (6, 100, BEST),
    "generic_functional_dimension_formula": (6, 100, BEST),
}
"""Statements that are not decided in general: how many instances hold by default and in the sweep, and why no more."""

TRUE = [item for item in registered_theorems() if item.standing is not Standing.REFUTED]
REFUTED = [item for item in registered_theorems() if item.standing is Standing.REFUTED]


def drawn(statement: Theorem, wanted: int, name: str = "supply") -> Counter[Status]:
    """The statuses of instances from the supply, until enough of them hold or too many have been drawn."""
    found: Counter[Status] = Counter()
    for number in range(int(SPARE * wanted) + 5):
        verdict = statement.check(statement.draw(random.Random(f"{name} {statement.id} {number}")))
        assert verdict.status is not FAILS, f"{statement.id}, number {number}: {verdict.explain()}"
        found[verdict.status] += 1
        if found[HOLDS] >= wanted:
            break
    return found


@pytest.mark.parametrize("statement", TRUE, ids=lambda item: item.id)
def test_statements_hold_on_their_supply(statement: Theorem) -> None:
    wanted = FINITE.get(statement.id, (DEFAULT,))[0]
    assert drawn(statement, wanted)[HOLDS] >= wanted


@pytest.mark.sweep
@pytest.mark.parametrize("statement", TRUE, ids=lambda item: item.id)
def test_statements_hold_on_a_thousand_instances(statement: Theorem) -> None:
    wanted = FINITE[statement.id][1] if statement.id in FINITE else SWEEP
    assert drawn(statement, wanted, "many")[HOLDS] >= wanted


@pytest.mark.parametrize("statement", REFUTED, ids=lambda item: item.id)
def test_refuted_statements_are_refuted_by_their_supply(statement: Theorem) -> None:
    for number in range(200):
        instance = statement.draw(random.Random(f"refuted {number}"))
        verdict = statement.check(instance)
        if verdict.status is FAILS:
            # Whoever reads the counterexample from a file finds the same.
            again = instance_from_json(instance.to_json(), "counterexample")
            assert again == instance
            assert statement.check(again).status is FAILS
            return
    pytest.fail("no counterexample among 200 instances")


@pytest.mark.parametrize("statement", registered_theorems(), ids=lambda item: item.id)
def test_supplies_depend_on_the_generator_only(statement: Theorem) -> None:
    first, second, other = (statement.draw(random.Random(seed)) for seed in (1, 1, 2))
    assert first == second
    assert first != other or any(statement.draw(random.Random(seed)) != first for seed in range(3, 30))
    assert isinstance(first, Instance)
    assert instance_from_json(first.to_json(), "instance") == first
    assert not set(statement.fields) - {name for name in Instance.__slots__ if getattr(first, name) is not None}


def test_ids_are_unique_and_found() -> None:
    ids = [item.id for item in registered_theorems()]
    assert len(set(ids)) == len(ids)
    assert all(theorem(id).id == id for id in ids)
    assert all(id.isidentifier() and id == id.lower() for id in ids)


def test_uses_are_resolvable_acyclic_and_true() -> None:
    uses = {item.id: item.uses for item in registered_theorems()}
    done: set[str] = set()

    def visit(id: str, above: tuple[str, ...]) -> None:
        assert id not in above, f"{' uses '.join((*above, id))}"
        if id not in done:
            for used in uses[id]:
                assert theorem(used).standing is not Standing.REFUTED
                visit(used, (*above, id))
            done.add(id)

    for id in uses:
        visit(id, ())


@pytest.mark.parametrize("statement", registered_theorems(), ids=lambda item: item.id)
def test_statements_say_what_they_are(statement: Theorem) -> None:
    assert statement.title
    assert statement.statement.count("$") % 2 == 0
    assert statement.statement.count("{") == statement.statement.count("}")
    names = [item.name for item in statement.hypotheses]
    assert len(set(names)) == len(names)
    for predicate in (*statement.hypotheses, statement.conclusion):
        assert predicate.meaning, predicate.name
    for name in names:
        assert name not in [item.name for item in statement.without(name).hypotheses]


def test_a_converse_stands_beside_its_statement() -> None:
    ids = {item.id for item in registered_theorems()}
    assert all(id.removesuffix("_converse") in ids for id in ids)


def test_exceptions_are_registered_and_explained() -> None:
    assert all(theorem(id) and small < DEFAULT and reason for id, (small, _, reason) in FINITE.items())
