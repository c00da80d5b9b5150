r"""What all families have in common: numbered networks, each determined by its number alone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import count as count_from
from typing import Any, Final

from ..errors import InvalidInput, check_budget
from ..networks import Network
from ..rationals import text
from .layouts import Layout
from .strata import GENERIC, stratum_of

FAMILY_FORMAT: Final = "exactrelu/network-family"


class NetworkFamily(ABC):
    """Numbered networks: :meth:`member` and :meth:`stratum` depend on the number alone.

    Made by :func:`family` and :func:`~.mutations.mutations`.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def size(self) -> int | None:
        """How many numbers there are, from 0; ``None`` for an endless family."""

    @abstractmethod
    def member(self, index: int) -> Network | None:
        """The network of a number, or ``None`` where an earlier number stands for the same networks."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The specification of the family as JSON data."""

    @abstractmethod
    def explain(self) -> str:
        """The family in one line."""

    def stratum(self, index: int) -> str:
        """The name of the stratum of a member, ``"generic"`` for one in none, and for no member."""
        net = self.member(index)
        return GENERIC if net is None else stratum_of(net)

    def members(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, Network]]:
        """The members with numbers from ``start`` to ``stop`` (excluded), with their numbers."""
        ends = [end for end in (stop, self.size) if end is not None]
        for index in range(start, min(ends)) if ends else count_from(start):
            net = self.member(index)
            if net is not None:
                yield index, net

    def __iter__(self) -> Iterator[Network]:
        return (net for _, net in self.members())

    def counts(self, *, budget: int | None = None) -> tuple[int | None, int | None]:
        """How many members there are before and after reduction; ``None`` for an endless family."""
        check_budget(budget)
        return self.size, self.size

    def check_index(self, index: int) -> None:
        """Refuse what is no number of a member."""
        if type(index) is not int or index < 0 or (self.size is not None and index >= self.size):
            rule = "must be an integer, at least 0" + (f" and below {self.size}" if self.size is not None else "")
            raise InvalidInput("index", rule, index)


def specification(kind: str, layout: Layout, entries: Sequence[Fraction], strata: Sequence[str]) -> dict[str, Any]:
    """What the JSON data of families of fully connected networks have in common."""
    return {
        "format": FAMILY_FORMAT,
        "version": 1,
        "kind": kind,
        "widths": list(layout.widths),
        "skips": layout.skips,
        "biases": list(layout.biases),
        "entries": [text(entry) for entry in entries],
        "strata": list(strata),
    }


def described(layout: Layout) -> str:
    """An architecture in a few words."""
    biases = "" if all(layout.biases) else f", biases in layers {[k for k, b in enumerate(layout.biases, 1) if b]}"
    return f"networks of widths {layout.widths}{' with skips' if layout.skips else ''}{biases}"


def chosen_strata(strata: Sequence[str]) -> str:
    """The chosen strata as the end of a phrase, if there are any."""
    return f", from {', '.join(strata)}" if strata else ""
