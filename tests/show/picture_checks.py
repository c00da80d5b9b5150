"""What can be asked of a figure: its artists by name, and that its texts can be read."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any


def by_gid(artists: Iterable[Any], gid: str) -> list[Any]:
    """The artists with this group id."""
    return [artist for artist in artists if artist.get_gid() == gid]


def shoelace(corners: Any) -> float:
    """The area of a polygon, positive counter-clockwise."""
    xs, ys = corners[:, 0], corners[:, 1]
    return float(sum(xs[i - 1] * ys[i] - xs[i] * ys[i - 1] for i in range(len(xs)))) / 2


def shown_texts(figure: Any) -> list[Any]:
    """All texts that leave ink on the canvas."""
    from matplotlib.text import Text

    unused = {id(label) for axes in figure.axes for axis in (axes.xaxis, axes.yaxis) for label in _unused(axes, axis)}
    texts = figure.findobj(Text)
    return [t for t in texts if t.get_visible() and t.get_text().strip() and id(t) not in unused]


def check_texts_are_whole(figure: Any) -> None:
    """Every text lies on the canvas, and titles, axis labels, legends and entries do not cover one another."""
    figure.draw_without_rendering()
    canvas = figure.bbox
    texts = shown_texts(figure)
    assert texts
    for text in texts:
        box = text.get_window_extent()
        assert canvas.x0 <= box.x0 and box.x1 <= canvas.x1, (text.get_text(), box, canvas)
        assert canvas.y0 <= box.y0 and box.y1 <= canvas.y1, (text.get_text(), box, canvas)
    for a, b in combinations(texts, 2):
        assert not _overlap(a.get_window_extent(), b.get_window_extent()), (a.get_text(), b.get_text())


def _overlap(a: Any, b: Any, slack: float = 1.5) -> bool:
    """Whether two boxes share more than a line of pixels."""
    return min(a.x1, b.x1) - max(a.x0, b.x0) > slack and min(a.y1, b.y1) - max(a.y0, b.y0) > slack


def _unused(axes: Any, axis: Any) -> list[Any]:
    """The texts of an axis that is off, and of ticks beyond its limits, which are kept without being drawn."""
    ticks = [*axis.majorTicks, *axis.minorTicks]
    if not axes.axison:
        return [axis.label, axis.offsetText, *(label for tick in ticks for label in (tick.label1, tick.label2))]
    low, high = sorted(axis.get_view_interval())
    pad = 1e-9 * (high - low)
    beyond = [tick for tick in ticks if not low - pad <= tick.get_loc() <= high + pad]
    return [label for tick in beyond for label in (tick.label1, tick.label2)]
