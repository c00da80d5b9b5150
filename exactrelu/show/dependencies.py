"""The graph of statements: an arrow from every statement to those whose proofs use it, as an SVG without a renderer.

>>> picture = dependency_svg({"a": (), "b": ("a",)}, {"a": "proved", "b": "cited"})
>>> picture.count("<rect"), picture.count("<path")
(2, 2)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

BOX, GAP, ROW, MARGIN = 430, 70, 34, 16
FILL: Final = {"proved": "#d7ecd9", "cited": "#dbe6f6", "conjecture": "#fbefcf", "refuted": "#f7d9d6"}


def dependency_svg(uses: Mapping[str, Sequence[str]], standing: Mapping[str, str]) -> str:
    """The picture: columns from left to right, a statement to the right of all that it uses.

    ``uses`` maps every statement to those that its proof uses, ``standing`` to
    what is known of it, which chooses the colour of its box.
    """
    column = _columns(uses)
    rows: dict[int, list[str]] = {}
    for name in sorted(uses, key=lambda name: (column[name], name)):
        rows.setdefault(column[name], []).append(name)
    place = {name: (k, i) for k, names in rows.items() for i, name in enumerate(names)}
    width = 2 * MARGIN + len(rows) * (BOX + GAP) - GAP
    height = 2 * MARGIN + max(map(len, rows.values())) * ROW
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="monospace" font-size="10">',
        "<title>Which statement uses which</title>",
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 8 4 0 8z" fill="#666"/></marker></defs>',
    ]
    for name in sorted(uses):
        parts += [_arrow(place[used], place[name]) for used in uses[name]]
    parts += [_box(name, place[name], FILL.get(standing[name], "#eee")) for name in sorted(uses)]
    return "\n".join([*parts, "</svg>", ""])


def _columns(uses: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """The length of the longest chain of uses below each statement."""
    column: dict[str, int] = {}

    def depth(name: str) -> int:
        if name not in column:
            column[name] = 1 + max(map(depth, uses[name]), default=-1)
        return column[name]

    for name in uses:
        depth(name)
    return column


def _corner(place: tuple[int, int]) -> tuple[int, int]:
    return MARGIN + place[0] * (BOX + GAP), MARGIN + place[1] * ROW


def _box(name: str, place: tuple[int, int], fill: str) -> str:
    x, y = _corner(place)
    return (
        f'<rect x="{x}" y="{y}" width="{BOX}" height="{ROW - 10}" rx="4" fill="{fill}" stroke="#555"/>'
        f'<text x="{x + 8}" y="{y + 15}" fill="#111">{escape(name)}</text>'
    )


def _arrow(start: tuple[int, int], end: tuple[int, int]) -> str:
    (x, y), (u, v) = _corner(start), _corner(end)
    x, y, v = x + BOX, y + (ROW - 10) // 2, v + (ROW - 10) // 2
    bend = (x + u) // 2
    return f'<path d="M{x} {y}C{bend} {y} {bend} {v} {u} {v}" fill="none" stroke="#999" marker-end="url(#arrow)"/>'
