"""What a file or a fitted model became, with what was decided in reading it."""

from __future__ import annotations

from dataclasses import dataclass

from ..networks import Network


@dataclass(frozen=True, slots=True)
class Import:
    """A network from a file, with what was decided in reading it.

    ``reading`` says how the numbers of the file were read: ``"exact"``,
    ``"decimal"`` or ``"dyadic"``. ``notes`` are sentences for a report.
    """

    network: Network
    format: str
    reading: str
    notes: tuple[str, ...] = ()
