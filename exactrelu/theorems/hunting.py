r"""Hunts: a statement is tried on the members of a family until one refutes it.

>>> from ..paths import admissible, embedding_rank
>>> from .families import family
>>> def full_rank(network) -> bool:
...     return embedding_rank(network) == len(network.parameters)
>>> claim = Theorem(hypotheses=[admissible], conclusion=full_rank, title="the embedding has full rank")
>>> found = hunt(claim, family((1, 1, 1), entries=(-1, 0, 1)))
>>> found.status.value, found.index, found.counterexample.network
('fails', 0, Network.mlp([[[0]], [[1]]], [[1], [0]]))
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from ..errors import InvalidInput, check_budget
from ..polyhedra import Domain, as_domain
from ..verdicts import Status, Verdict
from .arrangements import arrange
from .families import NetworkFamily
from .instances import Instance
from .shrinking import shrink as shrink_instance
from .theorem import Theorem

SHRINKING: Final = 2_000
"""The number of smaller instances that are tried to shrink a counterexample."""


@dataclass(frozen=True, slots=True)
class Hunt:
    """What a hunt found.

    ``counterexample`` refutes the statement, as ``verdict`` says; it is the
    shrunk form of ``found``, instance ``position`` of member ``index``. ``counts``
    are the numbers of instances by status. ``exhausted``: the whole family was tried.
    """

    theorem: Theorem
    family: NetworkFamily
    tried: int
    counts: tuple[tuple[Status, int], ...]
    exhausted: bool
    counterexample: Instance | None = None
    verdict: Verdict | None = None
    found: Instance | None = None
    index: int | None = None
    position: int | None = None

    @property
    def status(self) -> Status:
        """``fails`` with a counterexample, ``holds`` on the whole family, or ``unknown``.

        ``holds`` says that every applicable instance tried meets the conclusion; there
        must be one, and nothing may be left undecided.
        """
        if self.counterexample is not None:
            return Status.FAILS
        if not self.exhausted or self.count(Status.UNKNOWN):
            return Status.UNKNOWN
        return Status.HOLDS if self.applicable else Status.INAPPLICABLE

    @property
    def applicable(self) -> int:
        """The number of instances that met the hypotheses and were decided."""
        return self.count(Status.HOLDS) + self.count(Status.FAILS)

    def count(self, status: Status) -> int:
        """The number of instances with a status."""
        return dict(self.counts).get(status, 0)

    def to_json(self) -> dict[str, Any]:
        """The result as JSON data."""
        return {
            "theorem": self.theorem.id,
            "status": self.status.value,
            "family": self.family.to_json(),
            "tried": self.tried,
            "counts": {status.value: number for status, number in self.counts},
            "exhausted": self.exhausted,
            "index": self.index,
            "position": self.position,
            "counterexample": None if self.counterexample is None else self.counterexample.to_json(),
            "found": None if self.found is None else self.found.to_json(),
            "verdict": None if self.verdict is None else self.verdict.to_json(),
        }

    def explain(self) -> str:
        """The outcome, what was tried, and the counterexample as formulas."""
        numbers = ", ".join(f"{number} {status.value}" for status, number in self.counts if number)
        tried = f"  tried {self.tried} instances: {numbers or 'none'}"
        name = self.theorem.title or self.theorem.id
        if self.counterexample is None:
            part = "" if self.exhausted else "a part of "
            return "\n".join([f"not refuted: {name}", f"  on {part}{self.family.explain()}", tried])
        place = f"  at member {self.index} of {self.family.explain()}"
        return "\n".join([f"refuted: {name}", place, tried, self.counterexample.explain()])


def hunt(
    theorem: Theorem,
    family: NetworkFamily,
    domain: Domain | str | None = None,
    *,
    budget: int | None = None,
    shrink: bool = True,
    seed: int = 0,
) -> Hunt:
    """Search a family for a counterexample to a statement, and shrink it.

    Each member is arranged (:func:`~.arrangements.arrange`) into instances, with
    ``Random(f"{seed}:{index}")`` for the choices in it. ``domain`` is used wherever the
    statement asks for one; without it, bounded domains are tried too where a predicate accepts
    a domain. ``budget`` bounds the number of instances; a family without end needs one.

    Raises :class:`~exactrelu.errors.InvalidInput`.

    >>> import exactrelu as er
    >>> claim = er.theorem("embedding_rank_is_parameters_minus_hidden")
    >>> found = hunt(claim, er.family((1, 1, 1), entries=(-1, 0, 1)))
    >>> found.status.value, found.applicable  # admissible: (w, b) not zero, v not zero, any c: 8 * 2 * 3
    ('holds', 48)
    >>> hunt(claim.without("admissible"), er.family((1, 1, 1), entries=(0, 1))).counterexample.network
    Network.mlp([[[0]], [[0]]], [[0], [0]])
    """
    check_budget(budget)
    if not isinstance(family, NetworkFamily):
        raise InvalidInput("family", "must be a family of networks, as er.family makes it", family)
    if budget is None and family.size is None:
        raise InvalidInput("budget", "must be given, since the family has no end")
    counts: Counter[Status] = Counter()

    def result(exhausted: bool, **more: Any) -> Hunt:
        numbers = tuple((status, counts[status]) for status in Status)
        return Hunt(theorem, family, counts.total(), numbers, exhausted, **more)

    for index, position, instance in instances(theorem, family, domain, seed=seed):
        if budget is not None and counts.total() >= budget:
            return result(False)
        verdict = theorem.check(instance)
        counts[verdict.status] += 1
        if verdict.status is Status.FAILS:
            least = instance
            if shrink:
                least = shrink_instance(theorem, instance, budget=SHRINKING, keep_domain=domain is not None)
                verdict = theorem.check(least)
            return result(False, counterexample=least, verdict=verdict, found=instance, index=index, position=position)
    return result(True)


def instances(
    theorem: Theorem,
    family: NetworkFamily,
    domain: Domain | str | None = None,
    *,
    seed: int = 0,
    start: int = 0,
    stop: int | None = None,
) -> Iterator[tuple[int, int, Instance]]:
    """The instances of the members ``start`` to ``stop`` (excluded), each with its member's number and its position."""
    for index, network in family.members(start, stop):
        chosen = None if domain is None else as_domain(domain, network.input_dim)
        generator = random.Random(f"{seed}:{index}")
        for position, instance in enumerate(arrange(theorem, network, generator, chosen, family=family)):
            yield index, position, instance
