"""Exercises that check themselves.

==========================  ====================================================
``check("1.2", answer)``    whether the answer is right, and if not, what is wrong
``check.hint("1.2")``       a hint; asked again, the next one
==========================  ====================================================

An answer that is still ``...`` is *open*: neither right nor wrong. Checks test
what an answer has to do, wherever many answers are right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from exactrelu import ExactReluError, InexactNumber, Network
from exactrelu.rationals import rational

FLOAT = "a float is rounded: give an integer, a Fraction, or a text such as '1/3'"

Check = Callable[[Any], str | None]
"""Takes an answer; raises :class:`Wrong`, or returns what there is to say about a right one."""


class Wrong(Exception):
    """An answer is wrong, and this is why."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a check says; true exactly when the answer is right."""

    number: str
    status: Literal["right", "wrong", "open"]
    comment: str = ""

    def __bool__(self) -> bool:
        return self.status == "right"

    def __repr__(self) -> str:
        said = {"right": "right", "wrong": "not yet", "open": "not answered yet"}[self.status]
        return f"Exercise {self.number}: {said}{'. ' if self.comment else ''}{self.comment}"


@dataclass(frozen=True, slots=True)
class Hint:
    """One of the hints of an exercise."""

    text: str
    place: int
    total: int

    def __repr__(self) -> str:
        more = "; ask again for the next one" if self.place < self.total else ""
        return f"Hint {self.place} of {self.total}: {self.text}{more}"


@dataclass(frozen=True, slots=True)
class Exercise:
    """One exercise: its check, its hints, and answers that the check must reject."""

    number: str
    check: Check
    hints: tuple[str, ...]
    mistakes: tuple[object, ...]


class Exercises:
    """The exercises of one notebook, by number."""

    def __init__(self) -> None:
        self.exercises: dict[str, Exercise] = {}
        self._hints_given: dict[str, int] = {}

    def exercise(self, number: str, *, hints: Iterable[str], mistakes: Iterable[object]) -> Callable[[Check], Check]:
        """Register a check; the tests try all ``mistakes`` and expect them to be found wrong."""

        def register(check: Check) -> Check:
            self.exercises[number] = Exercise(number, check, tuple(hints), tuple(mistakes))
            return check

        return register

    def __call__(self, number: str, answer: object) -> Outcome:
        """What there is to say about an answer."""
        exercise = self._find(number)
        if _is_open(answer):
            return Outcome(number, "open")
        try:
            return Outcome(number, "right", exercise.check(answer) or "")
        except Wrong as reason:
            return Outcome(number, "wrong", str(reason))
        except InexactNumber:
            return Outcome(number, "wrong", FLOAT)
        except (ExactReluError, TypeError, ValueError, AttributeError, LookupError) as error:
            return Outcome(number, "wrong", f"this has not the form that was asked for ({error})")

    def hint(self, number: str) -> Hint:
        """The next hint of an exercise; after the last one, the first again."""
        hints = self._find(number).hints
        given = self._hints_given.get(number, 0)
        self._hints_given[number] = given + 1
        place = given % len(hints)
        return Hint(hints[place], place + 1, len(hints))

    def _find(self, number: str) -> Exercise:
        if number not in self.exercises:
            raise KeyError(f"there are the exercises {', '.join(self.exercises)}; got {number}")
        return self.exercises[number]


def number(answer: object) -> Fraction:
    """The answer as an exact number; floats and other objects raise."""
    return rational(answer, "answer")


def network(answer: object, widths: tuple[int, ...]) -> Network:
    """The answer, if it is a layered network of these widths with biases in all layers."""
    if not isinstance(answer, Network):
        raise Wrong("give a network")
    if answer.architecture != Network.random(widths, seed=0).architecture:
        raise Wrong(f"it must have the widths {'-'.join(map(str, widths))}, and biases in all layers")
    return answer


def expect(condition: bool, otherwise: str) -> None:
    """Go on if the condition holds, else the answer is wrong."""
    if not condition:
        raise Wrong(otherwise)


def _is_open(answer: object) -> bool:
    if isinstance(answer, dict):
        return any(_is_open(entry) for entry in answer.values())
    return answer is ... or (isinstance(answer, list | tuple | set | frozenset) and any(map(_is_open, answer)))
