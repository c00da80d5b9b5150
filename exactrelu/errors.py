"""The error tree of exactrelu: one class per mathematical fact.

===============================  ====================================================
:class:`ExactReluError`          the root; catching it catches everything below
:class:`InvalidInput`            an argument or a file breaks a rule
:class:`InvalidNumber`           a value is no rational number, or too long
:class:`InexactNumber`           a float was given where only exact numbers count
:class:`InvalidNetwork`          the layers do not fit together
:class:`InvalidFile`             a file cannot be read as what it claims to be
:class:`InvalidDomain`           a domain is empty or has the wrong shape
:class:`WrongDimension`          a point, matrix or list has the wrong length
:class:`OnKink`                  a pre-activation vanishes where a derivative is asked
:class:`NotAdmissible`           a statement about admissible parameters does not apply
:class:`DifferentArchitecture`   two networks do not share their parameters
:class:`HypothesisNotMet`        a statement does not apply to a network
:class:`Undecided`               the theory leaves a case open
:class:`BudgetExceeded`          the work would exceed the budget that was given
===============================  ====================================================

Every message of an :class:`InvalidInput` has one shape: which argument (or
file position), which rule, what was given. Work that may grow without end is
counted by a :class:`Budget`.

>>> str(InvalidInput("q", "must be at least 1", 0))
'q: must be at least 1; got 0'
"""

from __future__ import annotations

import numbers
from typing import Any, Self

_LONGEST_ECHO = 80


def shorten(value: object) -> str:
    r"""The text of ``value`` for a message: one line, at most 80 characters.

    Values whose ``repr`` would itself be dangerous (integers beyond the digit
    limit of CPython) are described instead.

    >>> shorten("1\n2")
    "'1\\n2'"
    """
    if isinstance(value, numbers.Rational):
        bits = max(int(value.numerator).bit_length(), int(value.denominator).bit_length())
        if bits > 4 * _LONGEST_ECHO:
            return f"a number of about {bits * 3 // 10} digits"
    if isinstance(value, str | bytes) and len(value) > _LONGEST_ECHO:
        half = _LONGEST_ECHO // 2 - 10
        return f"{value[:half]!r}... ({len(value)} characters)"
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        return f"a value of type {type(value).__name__}"
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST_ECHO else text[: _LONGEST_ECHO - 3] + "..."


class ExactReluError(Exception):
    """The root of all errors that exactrelu raises on purpose."""


class InvalidInput(ExactReluError, ValueError):
    """An argument or file position breaks a rule.

    ``argument`` names the place, ``rule`` says what must hold, ``given`` is the
    offending value (echoed in shortened form) or nothing.
    """

    _NOTHING = object()

    def __init__(self, argument: str, rule: str, given: object = _NOTHING) -> None:
        self.argument = argument
        self.rule = rule
        self.given = given
        self._parts: tuple[Any, ...] = (argument, rule) if given is InvalidInput._NOTHING else (argument, rule, given)
        echo = "" if given is InvalidInput._NOTHING else f"; got {shorten(given)}"
        super().__init__(f"{argument}: {rule}{echo}")

    def __reduce__(self) -> tuple[Any, ...]:
        # An exception is pickled by its message; this one is made from the parts of the message.
        return type(self), self._parts

    def at(self, place: str) -> Self:
        """The same error with a longer name of its place."""
        argument, *others = self._parts
        return type(self)(f"{place}: {argument}", *others)


class InvalidNumber(InvalidInput):
    """A value is not a rational number in one of the accepted spellings."""


class InexactNumber(InvalidNumber, TypeError):
    """A binary floating-point number was given where an exact one is needed."""


class InvalidNetwork(InvalidInput):
    """Layers, weights and biases do not form a network."""


class InvalidFile(InvalidInput):
    """A file is missing, unreadable, or not what its format prescribes."""


class InvalidDomain(InvalidInput):
    """A domain is empty, or not of the kind that an operation needs."""


class WrongDimension(InvalidInput):
    """A point, matrix or list has the wrong length."""


class OnKink(InvalidInput):
    """A pre-activation vanishes at a sample, where no derivative exists."""


class NotAdmissible(InvalidInput):
    """A statement that needs admissible parameters was asked of others."""


class DifferentArchitecture(InvalidInput):
    """Two networks were compared that do not have the same parameters."""


class HypothesisNotMet(InvalidInput):
    """A question is meant for networks of another kind: the answer would be *inapplicable*."""


class Undecided(ExactReluError):
    """The theory does not decide the question: the answer would be *unknown*."""


def check_integer(argument: str, value: object, least: int) -> None:
    """Refuse anything but integers from ``least`` on."""
    if type(value) is not int or value < least:
        raise InvalidInput(argument, f"must be an integer, at least {least}", value)


def check_budget(budget: object) -> None:
    """Refuse anything but ``None`` and integers that are not negative."""
    if budget is not None:
        check_integer("budget", budget, 0)


class BudgetExceeded(ExactReluError):
    """The work would exceed its budget.

    ``budget`` is the number of units allowed, ``unit`` what is counted, and
    ``partial`` whatever was found before the budget ran out.
    """

    def __init__(self, unit: str, budget: int, needed: object = None, partial: object = None) -> None:
        self.unit = unit
        self.budget = budget
        self.needed = needed
        self.partial = partial
        more = f"; {shorten(needed)} are needed" if needed is not None else ""
        super().__init__(f"budget: at most {shorten(budget)} {unit} are allowed{more}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.unit, self.budget, self.needed, self.partial)


class Budget:
    """Units of work, of which only so many may be spent.

    >>> budget = Budget("steps", 3)
    >>> budget.spend(2)
    >>> budget.spend(2)
    Traceback (most recent call last):
        ...
    exactrelu.errors.BudgetExceeded: budget: at most 3 steps are allowed
    """

    def __init__(self, unit: str, most: int) -> None:
        self.unit = unit
        self.most = self.left = most

    def spend(self, amount: int = 1) -> None:
        """Take units, or raise :class:`BudgetExceeded` where not so many are left."""
        if amount > self.left:
            raise BudgetExceeded(self.unit, self.most)
        self.left -= amount
