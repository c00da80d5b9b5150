r"""Statements that can be run: hypotheses, a conclusion, and what each says about a concrete network.

A statement says that every instance which meets its hypotheses meets its
conclusion. An instance that does not meet them says nothing: the answer is
``inapplicable``, and never counts as support.

>>> import exactrelu as er
>>> statement = er.Theorem(
...     hypotheses=[er.admissible],
...     conclusion=er.locally_identifiable,
...     title="admissible parameters are locally identifiable",
... )
>>> statement.check(er.zoo.HAT).status.value
'holds'
>>> chain = er.Network.mlp([[[1]], [[1]], [[1]]], [[0], [-1], [0]])
>>> statement.check(chain).status.value
'fails'
>>> silent = er.Network.mlp([[[1]], [[0]]])
>>> statement.check(silent).status.value
'inapplicable'
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

from ..errors import InvalidInput
from ..networks import Network
from ..verdicts import Condition, Status, Verdict
from .instances import FIELDS, Instance, as_instance
from .predicates import Decision, Predicate, plain_text

if TYPE_CHECKING:
    from ..polyhedra import Domain
    from .families import NetworkFamily
    from .hunting import Hunt

Supply: TypeAlias = Callable[[random.Random], Instance]
"""One random instance that is likely to meet the hypotheses of a statement, often a degenerate one."""

Arrangement: TypeAlias = Callable[[Network, random.Random], Iterator[Instance]]
"""The instances that a statement is tried on when a search arrives at a network."""


class Standing(StrEnum):
    """What is known of a statement."""

    PROVED = "proved"
    CITED = "cited"
    CONJECTURE = "conjecture"
    REFUTED = "refuted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Theorem:
    r"""A statement: all instances that meet ``hypotheses`` meet ``conclusion``.

    ``id`` is named by the conclusion, ``statement`` is LaTeX, ``uses`` lists the
    ids of statements that the proof needs. ``supply`` draws random instances for
    tests and sweeps; ``arrangement`` makes instances of the networks of a search
    where a network alone is not enough.
    """

    hypotheses: tuple[Predicate, ...]
    conclusion: Predicate
    id: str = "statement"
    title: str = ""
    statement: str = ""
    source: str = ""
    uses: tuple[str, ...] = ()
    standing: Standing = Standing.CONJECTURE
    supply: Supply | None = dataclasses.field(default=None, compare=False, repr=False)
    arrangement: Arrangement | None = dataclasses.field(default=None, compare=False, repr=False)

    def __init__(
        self,
        *,
        hypotheses: Iterable[Predicate | Decision],
        conclusion: Predicate | Decision,
        id: str = "statement",
        title: str = "",
        statement: str = "",
        source: str = "",
        uses: Iterable[str] = (),
        standing: Standing | str = Standing.CONJECTURE,
        supply: Supply | None = None,
        arrangement: Arrangement | None = None,
    ) -> None:
        found = tuple(map(Predicate.of, hypotheses))
        names = [predicate.name for predicate in found]
        if len(set(names)) < len(names):
            raise InvalidInput("hypotheses", "must have different names", ", ".join(names))
        values = (found, Predicate.of(conclusion), id, title, statement, source, tuple(uses), Standing(standing))
        for field, value in zip(dataclasses.fields(self), (*values, supply, arrangement), strict=True):
            object.__setattr__(self, field.name, value)

    def check(self, instance: Instance | Network, **fields: Any) -> Verdict:
        """What the statement says about one instance.

        ``holds``: hypotheses and conclusion are met; ``fails``: a counterexample;
        ``inapplicable``: a hypothesis is not met; ``unknown``: something is
        undecided. ``fields`` are further fields of the instance by name, such as
        ``other``, ``domain`` or ``samples``.
        """
        subject = as_instance(instance, **fields)
        conditions: list[Condition] = []
        parts: list[Verdict] = []
        open_hypothesis = False
        for hypothesis in self.hypotheses:
            found = hypothesis.on(subject)
            parts.append(found)
            conditions.append(Condition(hypothesis.name, found.status, detail=found.claim))
            if found.status in (Status.FAILS, Status.INAPPLICABLE):
                return self._verdict(Status.INAPPLICABLE, conditions, Verdict("", Status.INAPPLICABLE))
            open_hypothesis |= found.status is Status.UNKNOWN
        if open_hypothesis:
            return self._verdict(Status.UNKNOWN, conditions, Verdict("", Status.UNKNOWN))
        found = self.conclusion.on(subject)
        conditions.append(Condition(self.conclusion.name, found.status, detail=found.claim))
        return self._verdict(found.status, conditions, found).about("Theorem.check", parts=(*parts, found))

    def _verdict(self, status: Status, conditions: list[Condition], found: Verdict) -> Verdict:
        claim = self.title or self.id
        return Verdict(claim, status, tuple(conditions), found.evidence, found.witness, found.family)

    def hypothesis(self, name: str) -> Predicate:
        """The hypothesis of this name; :class:`~exactrelu.errors.InvalidInput` if there is none."""
        for hypothesis in self.hypotheses:
            if hypothesis.name == name:
                return hypothesis
        names = ", ".join(hypothesis.name for hypothesis in self.hypotheses) or "none"
        raise InvalidInput("hypothesis", f"must be a hypothesis of {self.id} ({names})", name)

    def without(self, *names: str) -> Theorem:
        """The bolder statement that does not assume the hypotheses of these names."""
        dropped = [self.hypothesis(name).name for name in names]
        kept = tuple(hypothesis for hypothesis in self.hypotheses if hypothesis.name not in dropped)
        return dataclasses.replace(
            self,
            hypotheses=kept,
            id="_".join([self.id, "without", *dropped]),
            title=f"{self.title or self.id}, without {', '.join(dropped)}",
            standing=Standing.CONJECTURE,
        )

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that an instance needs, the network first."""
        asked = {field for predicate in (*self.hypotheses, self.conclusion) for field in predicate.fields}
        return tuple(field for field in FIELDS if field in asked)

    def draw(self, generator: random.Random) -> Instance:
        """A random instance from the supply of the statement.

        Raises :class:`~exactrelu.errors.InvalidInput` if it has none.
        """
        if self.supply is None:
            raise InvalidInput("supply", f"must be given to draw instances of {self.id}")
        return self.supply(generator)

    def hunt(self, family: NetworkFamily, domain: Domain | str | None = None, **options: Any) -> Hunt:
        """Search a family for a counterexample; options are those of :func:`~.hunting.hunt`.

        >>> import exactrelu as er
        >>> claim = er.Theorem(hypotheses=[er.admissible], conclusion=er.locally_identifiable)
        >>> claim.hunt(er.family((1, 1, 1), entries=(0, 1))).counterexample.network
        Network.mlp([[[0]], [[1]]], [[1], [0]])
        """
        from .hunting import hunt

        return hunt(self, family, domain, **options)

    def explain(self) -> str:
        """The statement as text: title, source, hypotheses, conclusion."""
        lines = [f"{self.id} ({self.standing.value})", *([self.title] if self.title else [])]
        lines += [f"  if   {item.name}: {plain_text(item.meaning)}" for item in self.hypotheses]
        lines.append(f"  then {self.conclusion.name}: {plain_text(self.conclusion.meaning)}")
        lines += [f"source: {self.source}"] if self.source else []
        lines += [f"uses: {', '.join(self.uses)}"] if self.uses else []
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The entry of the statement in a listing."""
        return {"id": self.id, "title": self.title, "source": self.source, "status": self.standing.value}
