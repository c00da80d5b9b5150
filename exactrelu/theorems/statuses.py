r"""Statuses of truth values, negations and conjunctions.

>>> status_of(1 < 2), NEGATED.get(Status.UNKNOWN, Status.UNKNOWN)
(<Status.HOLDS: 'holds'>, <Status.UNKNOWN: 'unknown'>)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .. import verdicts
from ..verdicts import Condition, Status, Verdict

if TYPE_CHECKING:
    from ..networks import Family, Network

NEGATED: Final = {Status.HOLDS: Status.FAILS, Status.FAILS: Status.HOLDS}
"""The status of the negation, where something is decided."""


def status_of(truth: bool) -> Status:
    """``holds`` or ``fails``."""
    return Status.HOLDS if truth else Status.FAILS


def conjunction(
    claim: str, parts: tuple[Condition, ...], witness: Network | None = None, family: Family | None = None
) -> Verdict:
    """The verdict that some conditions hold together."""
    return Verdict(claim, verdicts.conjunction(parts), parts, witness=witness, family=family)
