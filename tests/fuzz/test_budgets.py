"""Whatever may take exponential time takes a budget, keeps it, and says in one sentence where it ended."""

from __future__ import annotations

import inspect
import time

import pytest
from budget_calls import CALLS, WITHOUT, keeps

import exactrelu as er
from exactrelu import BudgetExceeded, InvalidInput, Status, Undecided

FUNCTIONS = {name: getattr(er, name) for name in er.__all__ if inspect.isfunction(getattr(er, name))}


def test_every_public_function_has_a_budget_or_a_reason_why_not() -> None:
    with_budget = {name for name, function in FUNCTIONS.items() if "budget" in inspect.signature(function).parameters}
    assert with_budget == CALLS.keys()
    assert FUNCTIONS.keys() - with_budget == WITHOUT.keys()


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("budget", [0, 1])
def test_small_budgets_end_early_and_say_so(name: str, budget: int) -> None:
    start = time.process_time()
    try:
        found = CALLS[name](budget=budget)
    except (BudgetExceeded, Undecided) as error:
        assert "\n" not in str(error) and "budget" in str(error) and len(str(error)) < 300
    else:
        assert keeps(name, found, budget), found
    assert time.process_time() - start < 2


@pytest.mark.parametrize("name", CALLS)
def test_no_budgets(name: str) -> None:
    for budget in (-1, True, 1.5, "3"):
        with pytest.raises(InvalidInput, match=r"^budget: must be an integer, at least 0; got"):
            CALLS[name](budget=budget)


@pytest.mark.parametrize("name", CALLS)
def test_without_a_budget_there_is_an_answer(name: str) -> None:
    """Else the calls above would end early for another reason."""
    found = CALLS[name]()
    status = getattr(found, "status", None)
    assert not isinstance(status, Status) or status is not Status.UNKNOWN
