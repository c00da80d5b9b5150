r"""The region graph as an abstract picture: nodes are regions, edges shared facets.

A neuron owns a direction of the plane, and a region lies at the sum of the
directions of its neurons by their signs. So edges across one neuron are
parallel and equally long; the regions of a hyperplane arrangement become the
shadow of a zonotope.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from typing import TYPE_CHECKING, Any, Final

from ..errors import HypothesisNotMet
from ..regions import RegionComplex
from ..verdicts import Neuron
from .canvas import MONOSPACE, Place, cell_colours, drawing, layer_look, legend_beside, new_figure
from .windows import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_NODES: Final = 400
"""The largest number of regions that are drawn."""
MOST_NAMED: Final = 26
"""The largest number of regions that are drawn with their patterns, and of edges with their neurons."""


@drawing
def region_graph_picture(complex: RegionComplex, *, title: str | None = None) -> Figure:
    """The adjacency graph of the regions, for any number of inputs.

    Nodes of one colour carry one affine map; an edge has the colour and the dashes
    of the first layer that bends there, and few edges also the neurons that flip.

    Raises :class:`~exactrelu.errors.HypothesisNotMet` for more than :data:`MOST_NODES` regions.

    >>> from ..networks import Network
    >>> from ..regions import activation_regions
    >>> hat = Network.mlp([[[1], [1], [1]], [[1, -2, 1]]], [[1, 0, -1], [0]])
    >>> region_graph_picture(activation_regions(hat)).axes[0].get_title()
    '4 regions, 3 shared facets'
    """
    if len(complex) > MOST_NODES:
        raise HypothesisNotMet(
            "network", f"must have at most {MOST_NODES} regions for this picture, not {len(complex)}"
        )
    at = _line(complex) if complex.network.input_dim == 1 else _shadow(complex)
    figure = new_figure(11, 2.1 if complex.network.input_dim == 1 else 7.5)
    axes = figure.add_subplot()
    _edges(axes, complex, at)
    _nodes(axes, complex, at)
    axes.set_axis_off()
    axes.margins(0.08, 0.6 if complex.network.input_dim == 1 else 0.08)
    about = f"{counted(len(complex), 'region')}, {counted(len(complex.facets), 'shared facet')}"
    axes.set_title(about if title is None else title)
    handles, texts = axes.get_legend_handles_labels()
    legend_beside(axes, list(zip(texts, handles, strict=True)))
    return figure


def _line(complex: RegionComplex) -> list[Place]:
    """Regions of the line from left to right, equally far apart."""
    order = sorted(range(len(complex)), key=lambda k: complex[k].interior_point)
    rank = {k: float(place) for place, k in enumerate(order)}
    return [(rank[k], 0.0) for k in range(len(complex))]


def _shadow(complex: RegionComplex) -> list[Place]:
    """The sum of one direction per neuron, by the signs of a region."""
    count = complex.signs.shape[1]
    turns = [pi * (k + 0.5) / max(count, 1) for k in range(count)]
    return [
        (
            sum(float(sign) * cos(turn) for sign, turn in zip(row, turns, strict=True)),
            sum(float(sign) * sin(turn) for sign, turn in zip(row, turns, strict=True)),
        )
        for row in complex.signs.tolist()
    ]


def _edges(axes: Axes, complex: RegionComplex, at: Sequence[Place]) -> None:
    from matplotlib.collections import LineCollection

    adjacencies = list(complex.adjacencies())
    by_layer: dict[int, list[tuple[Place, Place]]] = {}
    for item in adjacencies:
        i, j = item.regions
        by_layer.setdefault(item.neurons[0][0], []).append((at[i], at[j]))
    width = 2.4 if len(complex) <= 60 else 1.2
    for layer, segments in sorted(by_layer.items()):
        look = layer_look(layer)
        style: dict[str, Any] = {"colors": look["color"], "linestyles": look["linestyle"], "linewidths": width}
        axes.add_collection(LineCollection(segments, label=f"layer {layer} bends", zorder=1, gid="edges", **style))
    if len(adjacencies) <= MOST_NAMED:
        paper = {"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none", "alpha": 0.85}
        for item in adjacencies:
            (a, b), (c, d) = (at[k] for k in item.regions)
            look = {"fontsize": 11, "ha": "center", "va": "center", "zorder": 2, "bbox": paper, "gid": "flipped"}
            axes.text((a + c) / 2, (b + d) / 2, f"${_flipped(item.neurons)}$", **look)


def _flipped(neurons: Sequence[Neuron]) -> str:
    """The neurons of an edge as mathematics, at most two of them."""
    names = [f"h^{{{layer}}}_{{{index}}}" for layer, index in neurons[:2]]
    return ",".join(names) + (r",\ldots" if len(neurons) > 2 else "")


def _nodes(axes: Axes, complex: RegionComplex, at: Sequence[Place]) -> None:
    pieces = list(dict.fromkeys(complex.affine_maps))
    palette = dict(zip(pieces, cell_colours(len(pieces)), strict=True))
    xs, ys = zip(*at, strict=True)
    named = len(complex) <= MOST_NAMED
    size = 420 if named else 90 if len(complex) <= 100 else 30
    colours = [palette[form] for form in complex.affine_maps]
    axes.scatter(xs, ys, s=size, c=colours, edgecolors="black", linewidths=1.2, zorder=3, gid="nodes")
    if named:
        for (x, y), pattern in zip(at, complex.patterns, strict=True):
            axes.annotate(
                str(pattern), (x, y), xytext=(0, 15), textcoords="offset points", ha="center", va="bottom",
                family=MONOSPACE, fontsize=12, zorder=4, gid="pattern",
                bbox={"boxstyle": "round,pad=0.05", "facecolor": "white", "edgecolor": "none", "alpha": 0.7},
            )  # fmt: skip
