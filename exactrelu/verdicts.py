"""Verdicts: a status, the conditions that led to it, and evidence to check.

=======================  ======================================================
:class:`Status`          ``holds | fails | inapplicable | unknown``
:class:`Condition`       one hypothesis with its own status
:class:`Verdict`         the answer to one question about networks
:class:`Subject`         what was asked
:class:`Point`           evidence: a rational point
:class:`Rescaling`       evidence: a permutation with scalings
:func:`conjunction`      what several conditions say together
:func:`inapplicable`     the verdict that a statement does not apply
:func:`text`             an exact number as text, whatever its length
:func:`sum_text`         a linear combination as text
:func:`plain`            any of these as plain JSON data
=======================  ======================================================

A verdict is never a truth value: ``bool(verdict)`` raises, since *unknown* and
*inapplicable* are neither true nor false.

>>> verdict = Verdict("hat is convex", Status.FAILS, evidence=Point((Fraction(1, 2),)))
>>> verdict.status
<Status.FAILS: 'fails'>
>>> print(verdict.explain())
fails: hat is convex
evidence: point (1/2)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, Inexact, localcontext
from enum import Enum, StrEnum
from fractions import Fraction
from typing import Any, Final, NoReturn, Protocol, runtime_checkable

from .errors import ExactReluError

_LONG: Final = 16_000
"""The bits of an integer from which it pays to convert it in halves."""

_EXACT: Final = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Inexact])


class VerdictIsNotATruthValue(ExactReluError, TypeError):
    """A verdict was used where true or false is needed."""


class Status(StrEnum):
    """The four possible answers."""

    HOLDS = "holds"
    FAILS = "fails"
    INAPPLICABLE = "inapplicable"
    UNKNOWN = "unknown"


Neuron = tuple[int, int]
"""A neuron as ``(layer, index)``: layers from 1 (0 is the input), indices from 0."""


@runtime_checkable
class Explained(Protocol):
    """Evidence that can be said in a sentence."""

    def explain(self) -> str:
        """One clause or several lines of text."""
        ...


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of a statement: its id, its status, and the neurons it names."""

    id: str
    status: Status
    neurons: tuple[Neuron, ...] = ()
    detail: str = ""

    def explain(self) -> str:
        """The condition in one line."""
        detail = f": {self.detail}" if self.detail else ""
        return f"[{self.status.value}] {self.id}{detail}"


@dataclass(frozen=True, slots=True)
class Point:
    """A point with rational coordinates."""

    point: tuple[Fraction, ...]

    def explain(self) -> str:
        """The point as a tuple."""
        return f"point {number_list(self.point)}"


@dataclass(frozen=True, slots=True)
class Rescaling:
    r"""A permutation with positive scalings that carries :math:`\theta` to :math:`\theta'`.

    Neuron ``i`` of hidden layer ``l`` moves to position ``permutation[l-1][i]``,
    then :math:`w_{uv}\mapsto(\lambda_v/\lambda_u)w_{uv}` and
    :math:`b_v\mapsto\lambda_v b_v` with :math:`\lambda` = ``scalings[l-1]`` in the
    new positions and 1 on inputs and outputs.
    """

    permutation: tuple[tuple[int, ...], ...]
    scalings: tuple[tuple[Fraction, ...], ...]

    def explain(self) -> str:
        """Permutation and scalings, layer by layer."""
        lines = ["move each neuron to its new position, then multiply it by its scaling"]
        for number, (moves, scalings) in enumerate(zip(self.permutation, self.scalings, strict=True), start=1):
            lines.append(f"  layer {number}: positions {number_list(moves)}, scalings {number_list(scalings)}")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Subject:
    """A question by the name of the function that decides it, and what it was asked about."""

    question: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to one question.

    ``claim`` is the statement in words, ``conditions`` what was decided on the
    way, ``evidence`` a small value that anybody can check, ``witness`` a second
    network, and ``family`` a one-parameter family of networks. ``subject`` notes
    what was asked, for those who want to prove the answer to somebody else; it is
    no part of the answer, hence neither compared nor written.
    """

    claim: str
    status: Status
    conditions: tuple[Condition, ...] = ()
    evidence: Any = None
    witness: Any = None
    family: Any = None
    subject: Subject | None = dataclasses.field(default=None, compare=False, repr=False)

    def about(self, question: str, **arguments: Any) -> Verdict:
        """The same verdict, with a note of the question that it answers."""
        return dataclasses.replace(self, subject=Subject(question, arguments))

    def __bool__(self) -> NoReturn:
        raise VerdictIsNotATruthValue(
            f"a verdict is not a truth value: compare .status with Status.HOLDS; got {self.status.value}: {self.claim}"
        )

    def condition(self, identifier: str) -> Condition:
        """The condition with this id; ``KeyError`` if the verdict has none."""
        for condition in self.conditions:
            if condition.id == identifier:
                return condition
        raise KeyError(identifier)

    def explain(self) -> str:
        """The verdict as text: claim, conditions, evidence, witness, family."""
        lines = [f"{self.status.value}: {self.claim}"]
        lines += [f"  {condition.explain()}" for condition in self.conditions]
        for name in ("evidence", "witness", "family"):
            value = getattr(self, name)
            if value is not None:
                shown = value.explain() if isinstance(value, Explained) else str(value)
                lines.append(f"{name}:{'' if shown.startswith(chr(10)) else ' '}{shown}")
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The verdict as JSON data; rationals are strings."""
        return {
            "claim": self.claim,
            "status": self.status.value,
            "conditions": [plain(condition) for condition in self.conditions],
            "evidence": plain(self.evidence),
            "witness": plain(self.witness),
            "family": plain(self.family),
        }


def conjunction(conditions: Iterable[Condition]) -> Status:
    """The worst status of some conditions: ``fails``, else ``unknown``, else ``inapplicable``, else ``holds``.

    >>> conjunction([Condition("a", Status.HOLDS), Condition("b", Status.UNKNOWN)]).value
    'unknown'
    """
    statuses = {condition.status for condition in conditions}
    order = (Status.FAILS, Status.UNKNOWN, Status.INAPPLICABLE)
    return next((status for status in order if status in statuses), Status.HOLDS)


def inapplicable(claim: str, identifier: str, detail: str) -> Verdict:
    """The verdict that a statement does not apply, because one condition of it fails."""
    return Verdict(claim, Status.INAPPLICABLE, (Condition(identifier, Status.FAILS, (), detail),))


def text(value: Fraction | int) -> str:
    """The canonical text of an exact number: ``p`` or ``p/q`` in lowest terms.

    Any length works, also beyond the limit at which CPython refuses ``str``.

    >>> text(Fraction(-6, 4)), text(7)
    ('-3/2', '7')
    """
    head = _digits(value.numerator)
    return head if value.denominator == 1 else f"{head}/{_digits(value.denominator)}"


def _digits(value: int) -> str:
    """The decimal digits; ``Decimal`` knows no limit, and multiplies much faster than it converts."""
    if value.bit_length() < _LONG:
        return str(Decimal(value))
    with localcontext(_EXACT):
        return str(_decimal(value))


def _decimal(value: int) -> Decimal:
    if value.bit_length() < _LONG:
        return Decimal(value)
    half = value.bit_length() // 2
    return _decimal(value >> half) * Decimal(2) ** half + _decimal(value & ((1 << half) - 1))


def brief(value: Fraction | int) -> str:
    """The text of a number for a sentence: a very long one is described.

    >>> brief(Fraction(1, 3)), brief(10**100)
    ('1/3', 'a number of about 99 digits')
    """
    bits = max(value.numerator.bit_length(), value.denominator.bit_length())
    return text(value) if bits <= 200 else f"a number of about {bits * 3 // 10} digits"


def number_list(values: Iterable[Fraction | int]) -> str:
    """Numbers in parentheses, separated by commas.

    >>> number_list((Fraction(1, 2), 3))
    '(1/2, 3)'
    """
    return f"({', '.join(text(value) for value in values)})"


def neuron_list(neurons: Iterable[Neuron]) -> str:
    """The first ten neurons of a list, for a sentence.

    >>> neuron_list([(1, 0), (2, 3)])
    '(1,0), (2,3)'
    """
    found = list(neurons)
    return ", ".join(f"({layer},{index})" for layer, index in found[:10]) + (", ..." if len(found) > 10 else "")


def sum_text(terms: Iterable[tuple[Fraction | int, str]], constant: Fraction | int = 0) -> str:
    """A linear combination of names and a constant; zero terms are left out.

    >>> sum_text([(1, "x0"), (-2, "x1")], Fraction(1, 2))
    'x0 - 2*x1 + 1/2'
    >>> sum_text([])
    '0'
    """
    shown = ""
    for coefficient, name in [*terms, (constant, "")]:
        if coefficient:
            size = -coefficient if coefficient < 0 else coefficient
            body = text(size) if not name else name if size == 1 else f"{text(size)}*{name}"
            sign = "-" if coefficient < 0 else "+"
            shown += (f" {sign} " if shown else "-" * (sign == "-")) + body
    return shown or "0"


def plain(value: Any) -> Any:
    """Any result as plain JSON data: rationals become strings, values objects.

    >>> plain(Point((Fraction(1, 2),)))
    {'point': ['1/2']}
    """
    if hasattr(value, "to_json"):
        return value.to_json()
    if value is None or (isinstance(value, bool | str) and not isinstance(value, Enum)):
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, int):
        return value
    if isinstance(value, Fraction):
        return text(value)
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, tuple | list | set | frozenset):
        return [plain(entry) for entry in value]
    if dataclasses.is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    raise TypeError(f"no JSON form for {type(value).__name__}")
