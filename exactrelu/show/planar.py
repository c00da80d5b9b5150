"""Regions of the plane: cells coloured by affine piece, bent hyperplanes by layer, labels and region graph."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from ..networks import Network
from ..networks.evaluation import AffineMap
from ..polyhedra import Domain
from ..rationals import dot
from .canvas import (
    CELL_COLOURS,
    MONOSPACE,
    Place,
    cell_colours,
    cell_scale,
    drawing,
    layer_look,
    legend_beside,
    new_figure,
    place,
    settle,
)
from .cells import Polygon, bent_hyperplanes, edge_places, hull, polygons
from .labels import coordinates, map_label
from .windows import View, counted, require_inputs, view

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Colours = dict[AffineMap, Any]
MOST_LINES: Final = 16
"""The number of lines up to which the formulas of all affine pieces fit a legend."""
LABEL_SIZES: Final = (17, 15, 13, 11, 9)


@drawing
def regions_picture(
    net: Network,
    domain: Domain | str | None = None,
    *,
    window: Domain | str | None = None,
    labels: bool = False,
    graph: bool = False,
    title: str | None = None,
    budget: int | None = None,
) -> Figure:
    """The activation regions of a network with two inputs.

    Every region has the colour of its affine map, so that regions of one colour
    carry one map; bent hyperplanes have the colour and the dashes of their layer.
    ``labels`` writes every pattern that fits into its region, ``graph`` draws the
    adjacency graph on top. ``window`` is the box that is shown; without it, one
    that contains all vertices.

    Raises :class:`~exactrelu.errors.HypothesisNotMet` unless there are two inputs,
    and what :func:`~exactrelu.regions.activation_regions` raises.

    >>> figure = regions_picture(Network.mlp([[[1, 0], [0, 1], [1, 1]], [[1, 1, 1]]], [[0, 0, -1], [0]]))
    >>> figure.axes[0].get_title()
    '7 activation regions, 7 affine pieces'
    """
    require_inputs(net, 2, "function_graph draws networks with one input, slice_picture those with more")
    seen = view(net, domain, window, budget)
    figure = new_figure(11, 7.5)
    axes = figure.add_subplot()
    axes.set_anchor("E")  # next to the legend
    colours = piece_colours([seen])
    draw_regions(axes, seen, colours, coordinates(net), graph=graph, title=title)
    regions_legend([axes], colours, coordinates(net))
    if labels:
        draw_labels(axes, seen, above=graph)
    return figure


def draw_regions(
    axes: Axes,
    seen: View,
    colours: Colours,
    variables: Sequence[str],
    *,
    graph: bool = False,
    title: str | None = None,
    aspect: float | None = 1,
) -> None:
    """Draw the regions of a network with two inputs on given axes, with given colours of the affine maps."""
    maps = seen.complex.affine_maps
    cells = polygons(seen.complex)
    _paint(axes, cells, [colours[form] for form in maps])
    _outline(axes, seen)
    _bends(axes, seen)
    if graph:
        _graph(axes, seen, cells)
    axes.set_xlim(*seen.limits[0])
    axes.set_ylim(*seen.limits[1])
    axes.set_aspect("auto" if aspect is None else aspect)
    axes.locator_params(nbins=6)
    axes.set_xlabel(f"${variables[0]}$")
    axes.set_ylabel(f"${variables[1]}$")
    about = f"{seen.regions}, {counted(len(set(maps)), 'affine piece')}"
    axes.set_title(about if title is None else title)


def piece_colours(views: Sequence[View]) -> Colours:
    """One colour per affine map of some networks, from low to high by the first output in the middle of a region."""
    level: dict[AffineMap, Fraction] = {}
    for seen in views:
        for region, form in zip(seen.complex, seen.complex.affine_maps, strict=True):
            if form not in level:
                matrix, offset = form
                level[form] = dot(matrix[0], region.interior_point) + offset[0]
    pieces = sorted(level, key=lambda form: level[form])
    return dict(zip(pieces, cell_colours(len(pieces)), strict=True))


def regions_legend(panels: Sequence[Axes], colours: Colours, variables: Sequence[str]) -> None:
    """Layers, and the affine pieces: formulas, numbers where these need many lines, or a scale where they are many."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.patches import Patch

    known: dict[str, Any] = {}
    for axes in panels:
        known |= {text: handle for handle, text in zip(*axes.get_legend_handles_labels(), strict=True)}
    entries = sorted(known.items())
    if len(colours) <= len(CELL_COLOURS):
        texts = [map_label(*form, variables) for form in colours]
        if sum(text.count("\n") + 1 for text in texts) > MOST_LINES:
            texts = [f"piece {k}" for k in range(1, len(texts) + 1)]
        entries += [(text, Patch(facecolor=colour)) for text, colour in zip(texts, colours.values(), strict=True)]
    else:
        bar = panels[0].figure.colorbar(ScalarMappable(cmap=cell_scale()), ax=list(panels), shrink=0.6, pad=0.02)
        bar.set_ticks([0, 1], labels=["low", "high"])
        bar.set_label("affine pieces, by value")
    legend_beside(panels[0], entries)


def _paint(axes: Axes, cells: Sequence[Polygon], colours: Sequence[Any]) -> None:
    from matplotlib.collections import PolyCollection

    corners = [cell.corners for cell in cells]
    # Edges in the colour of the cell hide the hairlines between neighbours.
    axes.add_collection(PolyCollection(corners, facecolors=colours, edgecolors=colours, linewidths=0.4, gid="cells"))


def _outline(axes: Axes, seen: View) -> None:
    """The border of the domain, as far as it is seen."""
    from matplotlib.patches import Polygon as Outline

    corners = [place(corner) for corner in hull(seen.complex.domain.vertices)]
    axes.add_patch(Outline(corners, fill=False, edgecolor="0.3", linewidth=1.5, zorder=1.5, gid="domain"))


def _bends(axes: Axes, seen: View) -> None:
    from matplotlib.collections import LineCollection

    hyperplanes = bent_hyperplanes(seen.complex)
    width = 2.6 if len(seen.complex) <= 100 else 1.8 if len(seen.complex) <= 1000 else 1.0
    for layer, segments in hyperplanes.items():
        look = layer_look(layer)
        lines = [(place(start), place(stop)) for start, stop in segments]
        # White below the colour: lines stay visible on every cell, and dashes where two layers coincide.
        axes.add_collection(LineCollection(lines, colors="white", linewidths=width + 1.2, zorder=2, alpha=0.6))
        axes.add_collection(
            LineCollection(
                lines,
                colors=look["color"],
                linestyles=look["linestyle"],
                linewidths=width,
                zorder=3 + layer / 100,
                label=f"layer {layer} bends",
                gid=f"layer {layer}",
                capstyle="butt" if layer % 4 != 1 else "round",
            )
        )


def _graph(axes: Axes, seen: View, cells: Sequence[Polygon]) -> None:
    from matplotlib.collections import LineCollection

    size = 9 if len(cells) <= 60 else 5 if len(cells) <= 400 else 2.5
    edges = edge_places(seen.complex, cells)
    axes.add_collection(LineCollection(edges, colors="black", linewidths=size / 6, zorder=4, gid="edges"))
    xs, ys = zip(*(cell.middle for cell in cells), strict=True)
    axes.plot(xs, ys, "o", color="black", markersize=size, markeredgecolor="white", zorder=5, gid="nodes")


def draw_labels(axes: Axes, seen: View, *, above: bool) -> None:
    """The pattern of every region, in the largest size that fits; what fits in none is left out.

    Nothing that changes the layout may follow.
    """
    from matplotlib.patheffects import withStroke

    settle(axes)
    halo = [withStroke(linewidth=3, foreground="white", alpha=0.7)]
    lift = 9 if above else 0
    for region, cell in zip(seen.complex, polygons(seen.complex), strict=True):
        text = axes.annotate(
            str(region.pattern),
            cell.middle,
            xytext=(0, lift),
            textcoords="offset points",
            ha="center",
            va="bottom" if above else "center",
            family=MONOSPACE,
            zorder=6,
            gid="pattern",
            path_effects=halo,
        )
        if not any(_fits(axes, text, cell, size) for size in LABEL_SIZES):
            text.remove()


def _fits(axes: Axes, text: Any, cell: Polygon, size: float) -> bool:
    text.set_fontsize(size)
    box = text.get_window_extent()
    corners = axes.transData.inverted().transform([(x, y) for x in (box.x0, box.x1) for y in (box.y0, box.y1)])
    places: list[Place] = [(float(x), float(y)) for x, y in corners]
    return all(cell.contains(at) for at in places)
