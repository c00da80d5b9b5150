"""The graph of a network with one input, with its kinks at their exact places."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import HypothesisNotMet
from ..networks import Network, PiecewiseLinear
from ..polyhedra import Domain
from .canvas import CURVE_COLOURS, MONOSPACE, Place, drawable, drawing, layer_look, legend_beside, new_figure, settle
from .cells import layers_of_walls
from .labels import form_label, neuron_label
from .windows import View, counted, require_inputs, vertices, view

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_MARKED = 60
"""The largest number of kinks that get a marker each."""


@drawing
def function_graph(
    net: Network,
    domain: Domain | str | None = None,
    *,
    window: Domain | str | None = None,
    labels: bool = False,
    summands: bool = False,
    title: str | None = None,
    budget: int | None = None,
) -> Figure:
    r"""The graph of :math:`R_\theta` for a network with one input, one curve per output.

    Filled dots are the kinks of the outputs; hollow ones are places where only a
    neuron bends. A vertical line marks every place where a neuron bends, in the
    colour of its layer. ``labels`` writes the pattern of every region above it,
    ``summands`` adds what each neuron of the last hidden layer contributes to a
    single affine output.

    Raises :class:`~exactrelu.errors.HypothesisNotMet` unless there is one input,
    and what :func:`~exactrelu.regions.activation_regions` raises.

    >>> figure = function_graph(Network.mlp([[[1], [1], [1]], [[1, -2, 1]]], [[1, 0, -1], [0]]))
    >>> figure.axes[0].get_title()
    '4 activation regions, 3 kinks'
    """
    require_inputs(net, 1, "slice_picture draws it along a line")
    seen = view(net, domain, window, budget)
    figure = new_figure(10, 6.5)
    axes = figure.add_subplot()
    draw_graph(axes, seen, summands=summands, title=title)
    legend_beside(axes, legend_entries(axes))
    if labels:
        draw_patterns(axes, seen)
    return figure


def draw_graph(axes: Axes, seen: View, *, summands: bool = False, title: str | None = None) -> None:
    """Draw the graph of a network with one input on given axes."""
    net = seen.network
    xs = breaks(seen)
    rows = list(zip(*net.values([[x] for x in xs]), strict=True))
    places = [drawable(x) for x in xs]
    axes.set_xlim(*seen.limits[0])
    _walls(axes, seen)
    if summands:
        _summands(axes, net, xs, places)
    kinks: set[int] = set()
    for k, row in enumerate(rows):
        colour = CURVE_COLOURS[k % len(CURVE_COLOURS)]
        name = f"${neuron_label(net, net.depth, k)}$"
        heights = [drawable(y) for y in row]
        axes.plot(places, heights, color=colour, linewidth=3, label=name, zorder=3, gid=f"output {k}")
        bends = bending_places(xs, row)
        kinks |= set(bends)
        inner = range(1, len(xs) - 1)
        _dots(axes, [(places[i], heights[i]) for i in bends], colour, colour, "kinks")
        _dots(axes, [(places[i], heights[i]) for i in inner if i not in bends], colour, "white", "smooth")
    axes.locator_params(nbins=7)
    axes.set_xlabel("$x_{0}$")
    axes.grid(color="0.92")
    axes.margins(y=0.12)
    axes.set_title(f"{seen.regions}, {counted(len(kinks), 'kink')}" if title is None else title)


def breaks(seen: View) -> list[Fraction]:
    """The ends of all regions in a window, ascending."""
    return sorted({point[0] for point in vertices(seen.complex)})


def bending_places(xs: Sequence[Fraction], values: Sequence[Fraction]) -> list[int]:
    """The inner points of a polyline at which it bends, by exact slopes.

    >>> bending_places([Fraction(0), Fraction(1), Fraction(2)], [Fraction(0), Fraction(1), Fraction(3)])
    [1]
    """
    points = list(zip(xs, values, strict=True))
    slopes = [(y - b) / (x - a) for (a, b), (x, y) in pairwise(points)]
    return [i for i, (left, right) in enumerate(pairwise(slopes), start=1) if left != right]


def _dots(axes: Axes, at: list[Place], edge: str, face: str, gid: str) -> None:
    """Round markers; too many to be told apart are left out."""
    if 0 < len(at) <= MOST_MARKED:
        look: dict[str, Any] = {"markerfacecolor": face, "markeredgecolor": edge, "markersize": 9, "markeredgewidth": 2}
        axes.plot([x for x, _ in at], [y for _, y in at], "o", zorder=4, gid=gid, **look)


def legend_entries(axes: Axes) -> list[tuple[str, Any]]:
    """Texts and handles of a legend of the graph: curves and walls, and what dots mean."""
    from matplotlib.lines import Line2D

    handles, texts = axes.get_legend_handles_labels()
    entries: list[tuple[str, Any]] = list(zip(texts, handles, strict=True))
    present = {line.get_gid() for line in axes.lines}
    for gid, face, text in (("kinks", "black", "kink"), ("smooth", "white", "only a neuron bends")):
        if gid in present:
            look: dict[str, Any] = {"markerfacecolor": face, "markeredgecolor": "black", "markersize": 9}
            entries.append((text, Line2D([], [], marker="o", linestyle="", **look)))
    return entries


def _walls(axes: Axes, seen: View) -> None:
    """A vertical line wherever a neuron bends, one colour per layer."""
    cells = seen.complex.cells
    layers = layers_of_walls(seen.network)
    bending = cells.bending(0)
    found: dict[int, set[Fraction]] = {}
    for v in np.flatnonzero(cells.finite(0)).tolist():
        for wall in np.flatnonzero(bending[:, v]).tolist():
            found.setdefault(layers[wall], set()).add(cells.vertex(v)[0])
    for layer, at in sorted(found.items()):
        name = f"layer {layer} bends"
        for k, x in enumerate(sorted(at)):
            look = layer_look(layer)
            axes.axvline(drawable(x), linewidth=1.5, alpha=0.8, zorder=1, label=name if not k else None, **look)


def _summands(axes: Axes, net: Network, xs: Sequence[Fraction], places: Sequence[float]) -> None:
    """The terms of a single affine output, as thin lines."""
    last = net.layers[-1]
    if net.output_dim != 1 or not last.is_affine:
        raise HypothesisNotMet("network", "must have a single affine output for its summands to be drawn")
    pre = [net.preactivations([x]) for x in xs]
    terms = [
        (source, j, weight) for source, block in last.blocks for j, weight in enumerate(block[0]) if source and weight
    ]
    for k, (source, j, weight) in enumerate(terms):
        rho = net.layers[source - 1].activations[j]
        assert isinstance(rho, PiecewiseLinear)
        heights = [drawable(weight * rho(found[source - 1][j])) for found in pre]
        name = f"${form_label([weight], Fraction(0), [neuron_label(net, source, j)])}$"
        colour = CURVE_COLOURS[(k + 1) % len(CURVE_COLOURS)]
        axes.plot(places, heights, color=colour, linewidth=1.8, linestyle="--", zorder=2, label=name, gid="summand")


def draw_patterns(axes: Axes, seen: View) -> None:
    """The pattern of every region at the top, upright where that is too wide; what does not fit is left out.

    Nothing that changes the layout may follow.
    """
    from matplotlib.transforms import blended_transform_factory

    axes.margins(y=0.2)
    settle(axes)
    look: dict[str, Any] = {"ha": "center", "va": "top", "family": MONOSPACE, "gid": "pattern"}
    look["transform"] = blended_transform_factory(axes.transData, axes.transAxes)
    ends = breaks(seen)
    for region in seen.complex:
        k = bisect(ends, region.interior_point[0])
        low, high = drawable(ends[k - 1]), drawable(ends[k])
        text = axes.text((low + high) / 2, 0.97, str(region.pattern), **look)
        left, right = (axes.transData.transform((x, 0))[0] for x in (low, high))
        for angle in (0, 90):
            text.set_rotation(angle)
            if text.get_window_extent().width < 0.9 * (right - left):
                break
        else:
            text.remove()
