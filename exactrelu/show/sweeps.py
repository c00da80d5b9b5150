"""The result of a sweep as a picture: one bar per stratum, cut by verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..theorems.sweep import SweepReport
from ..verdicts import Status
from .canvas import BLUE, ORANGE, VERMILION, drawing, legend_beside, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Verdicts that say something are dark and come first; hatches tell them apart without colour.
LOOKS: Final = {
    Status.HOLDS: (BLUE, ""),
    Status.FAILS: (VERMILION, "xx"),
    Status.UNKNOWN: (ORANGE, "//"),
    Status.INAPPLICABLE: ("#DDDDDD", ".."),
}
BAR: Final = 0.45
"""The height of a bar in inches, with the space around it."""


@drawing
def sweep_picture(report: SweepReport) -> Figure:
    """One horizontal bar per stratum: how many instances hold, fail, are unknown, are inapplicable.

    Beside each bar stands the number of applicable instances, and of those that fail.
    """
    from matplotlib.ticker import MaxNLocator

    lines = report.lines
    figure = new_figure(12, 2.2 + BAR * max(3, len(lines)))
    axes = figure.subplots()
    rows = range(len(lines))
    left = [0] * len(lines)
    handles: list[tuple[str, Any]] = []
    for status, (colour, hatch) in LOOKS.items():
        counts = [getattr(line, status.value) for line in lines]
        if any(counts):
            bars = axes.barh(rows, counts, left=left, color=colour, hatch=hatch, edgecolor="white", height=0.7)
            handles.append((status.value, bars))
        left = [before + count for before, count in zip(left, counts, strict=True)]
    for row, line in enumerate(lines):
        failures = f", {line.fails:,} fail" if line.fails else ""
        axes.annotate(f" {line.applicable:,} applicable{failures}", (left[row], row), va="center", fontsize=13)
    axes.set_yticks(rows, [line.stratum for line in lines])
    axes.invert_yaxis()
    axes.set_xlabel("instances")
    axes.set_xlim(0, 1.35 * max([*left, 1]))
    axes.xaxis.set_major_locator(MaxNLocator(nbins=5, integer=True))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.spines[["top", "right"]].set_visible(False)
    spec = report.specification
    dropped = f"\nwithout {', '.join(spec['dropped'])}" if spec["dropped"] else ""
    axes.set_title(f"{spec['theorem']}{dropped}")
    legend_beside(axes, handles)
    return figure
