r"""Predicates: named properties of instances, decided with a verdict.

A predicate is a function whose parameters are named after the fields of an
instance; most public functions of the package are predicates as they stand. It
may return a :class:`~exactrelu.verdicts.Verdict`, a status, or a plain truth value.

>>> from ..networks import Network
>>> def wide(network: Network) -> bool:
...     return min(network.widths[1:-1]) >= 2
>>> found = Predicate.of(wide, meaning="every hidden layer has two neurons").on(Instance(Network.mlp([[[1]], [[2]]])))
>>> found.status.value, found.claim
('fails', 'every hidden layer has two neurons')
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeAlias

from ..errors import BudgetExceeded, HypothesisNotMet, InvalidInput, NotAdmissible, OnKink, Undecided
from ..verdicts import Status, Verdict
from .instances import FIELDS, Instance
from .statuses import NEGATED, status_of

Decision: TypeAlias = Callable[..., Verdict | Status | bool]

FIELD_OF: Final = {
    **{name: name for name in FIELDS},
    **dict.fromkeys(("net", "left", "first", "a"), "network"),
    **dict.fromkeys(("right", "second", "b"), "other"),
    "points": "samples",
}
"""The field of an instance that a parameter of a predicate asks for, by the parameter's name."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """A property of instances: its name, how it is decided, and what it means in one sentence.

    The sentence may have the markup of docstrings; verdicts say it without (:func:`plain_text`).
    """

    name: str
    decide: Decision
    meaning: str = ""

    @classmethod
    def of(cls, value: Predicate | Decision, name: str | None = None, meaning: str | None = None) -> Predicate:
        """A predicate from a function: its name is the name of the function, its meaning the first line of its text.

        Raises :class:`~exactrelu.errors.InvalidInput` for a function that asks for
        what no instance has.
        """
        if isinstance(value, Predicate):
            return value
        if not callable(value):
            raise InvalidInput("predicate", "must be a function of an instance's fields, or a Predicate", value)
        label = name if name is not None else str(getattr(value, "__name__", "predicate"))
        _parameters(value)
        document = (inspect.getdoc(value) or "").partition("\n")[0]
        return cls(label, value, document if meaning is None else meaning)

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of an instance that it cannot do without."""
        return tuple(field for _, field, optional in _parameters(self.decide) if not optional)

    def on(self, instance: Instance) -> Verdict:
        """The verdict on one instance.

        It is ``inapplicable`` where the instance lacks a field, or where the
        question presupposes what is not so, and ``unknown`` where a budget ends.
        """
        arguments: dict[str, Any] = {}
        for parameter, field, optional in _parameters(self.decide):
            value = getattr(instance, field)
            if value is not None:
                arguments[parameter] = value
            elif not optional:
                return Verdict(f"the instance has no field {field!r}, which {self.name} needs", Status.INAPPLICABLE)
        try:
            found = self.decide(**arguments)
        except (HypothesisNotMet, NotAdmissible, OnKink) as error:
            return Verdict(str(error), Status.INAPPLICABLE)
        except (BudgetExceeded, Undecided) as error:
            return Verdict(str(error), Status.UNKNOWN)
        if isinstance(found, Verdict):
            return found
        status = found if isinstance(found, Status) else status_of(found)
        return Verdict(plain_text(self.meaning) or self.name.replace("_", " "), status)

    def negated(self, name: str, meaning: str) -> Predicate:
        """The predicate that holds exactly where this one fails."""
        original = self

        def decide(**fields: Any) -> Verdict:
            found = original.on(Instance(**fields))
            status = NEGATED.get(found.status, found.status)
            verdict = Verdict(
                plain_text(meaning), status, found.conditions, found.evidence, found.witness, found.family
            )
            return verdict.about("negation", verdict=found)

        decide.__signature__ = _field_signature(original)  # type: ignore[attr-defined]  # read by inspect.signature
        return Predicate(name, decide, meaning)


def plain_text(meaning: str) -> str:
    r"""A sentence of a docstring without its markup.

    >>> plain_text(r"Every :math:`v_i\ne0`, as ``kinked`` says.")
    'Every v_i\\ne0, as kinked says.'
    """
    return re.sub(r":math:`([^`]*)`", r"\1", meaning).replace("``", "")


def _field_signature(predicate: Predicate) -> inspect.Signature:
    """The parameters of a predicate, each by the name of its field."""
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Signature(
        [
            inspect.Parameter(field, kind, default=None if optional else inspect.Parameter.empty)
            for _, field, optional in _parameters(predicate.decide)
        ]
    )


@lru_cache(maxsize=1024)
def _parameters(decide: Decision) -> tuple[tuple[str, str, bool], ...]:
    """The parameters of a decision: name, field of an instance, and whether it may be left out."""
    found = []
    for parameter in inspect.signature(decide).parameters.values():
        optional = parameter.default is not inspect.Parameter.empty
        field = FIELD_OF.get(parameter.name)
        if field is not None:
            found.append((parameter.name, field, optional))
        elif not optional:
            names = ", ".join(FIELD_OF)
            raise InvalidInput("predicate", f"must ask for fields of an instance only ({names})", parameter.name)
    return tuple(found)
