"""Evidence: a direction of parameters along which no value changes to first order."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ...verdicts import text


@dataclass(frozen=True, slots=True)
class KernelDirection:
    r"""A direction :math:`\delta` of parameters with :math:`\Gamma\delta=0` at every point off the kinks.

    ``entries`` pairs the names of parameters with their nonzero components.
    """

    entries: tuple[tuple[str, Fraction], ...]

    def explain(self) -> str:
        """The direction in one line."""
        shown = ", ".join(f"{name}: {text(value)}" for name, value in self.entries)
        return f"to first order no value changes along {shown}"
