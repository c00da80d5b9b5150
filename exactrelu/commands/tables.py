r"""How all commands lay out text: facts, columns, and colour for statuses where a terminal shows it.

>>> print("\n".join(facts([("regions", 4), ("functional_dimension", 7)])))
regions                4
functional dimension   7
>>> columns([("w", "=", 1), ("product", "=", -2)], gap=" ")
['w       = 1', 'product = -2']
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final, TextIO

import click

FACT_WIDTH: Final = 22
"""The width of the names of facts, the same for all commands."""

COLOURS: Final = {
    "holds": "green", "VALID": "green", "proved": "green",
    "fails": "red", "REJECTED": "red", "refuted": "red",
    "unknown": "yellow", "inapplicable": "cyan",
}  # fmt: skip
# A status stands at the start of a verdict, in the brackets of a condition, or as the value of a fact.
_STATUS: Final = re.compile(
    rf"(?m)(?P<before>^\s*\[|^|^[a-z ]{{{FACT_WIDTH}}} )(?P<status>{'|'.join(COLOURS)})(?=:|\]|$| \()"
)


def facts(pairs: Iterable[tuple[str, Any]]) -> list[str]:
    """One line per fact: its name in words, and its value."""
    return [f"{name.replace('_', ' '):<{FACT_WIDTH}} {value}" for name, value in pairs]


def columns(rows: Iterable[Sequence[Any]], *, gap: str = "  ") -> list[str]:
    """Rows in columns, each as wide as its longest entry."""
    cells = [[str(entry) for entry in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [gap.join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]


def wants_colour(stream: TextIO | None) -> bool:
    """Whether a stream shows colours: a terminal that knows them, unless ``NO_COLOR`` is set to anything."""
    if stream is None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def coloured(text: str) -> str:
    r"""The same text with coloured statuses; the words stay, so that nothing depends on seeing colours.

    >>> coloured("fails: f = g") == "\x1b[31mfails\x1b[0m: f = g"
    True
    """
    return _STATUS.sub(lambda found: found["before"] + click.style(found["status"], fg=COLOURS[found["status"]]), text)
