r"""The network as a diagram of its paths, with :math:`\Phi(\theta)` beside it.

A path runs from an input, or from a bias (a small square), along edges to an
output; its entry of :math:`\Phi(\theta)` is the product of the numbers it passes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from ..errors import HypothesisNotMet, InvalidInput
from ..networks import Network, Parameter
from ..networks.formulas import activation_name
from ..paths import Path, PathEmbedding, count_paths, path_embedding
from ..verdicts import Neuron
from .canvas import BLACK, NEGATIVE, POSITIVE, VANISHING, Place, drawing, new_figure
from .labels import neuron_label, plain_number
from .windows import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_EDGES: Final = 20_000
"""The largest number of edges that are drawn."""
MOST_NUMBERS: Final = 40
"""The largest number of parameters that are written at their edges."""
MOST_PATHS: Final = 24
"""The largest number of paths that are listed."""
MOST_NAMED: Final = 9
"""Layers of more neurons are drawn without names."""

SIGN_LOOKS: Final[dict[int, tuple[str, Any]]] = {0: ("zero", ":"), -1: ("negative", "--"), 1: ("positive", "-")}
"""What edges of a sign are called, and their dashes; drawn in this order."""


@drawing
def path_diagram(net: Network, *, highlight: int | None = None, title: str | None = None) -> Figure:
    r"""A network as a diagram from the inputs (left) to the outputs (right), with its paths.

    Blue edges are positive, dashed vermilion ones negative, dotted grey ones
    zero; wider ones are larger. Where there are few, the list on the right gives
    every path with its product :math:`\Phi_p(\theta)`. ``highlight`` is the number
    of a path that is drawn in black.

    Raises :class:`~exactrelu.errors.InvalidInput` for a path that does not exist,
    and :class:`~exactrelu.errors.HypothesisNotMet` for networks with too many edges.

    >>> figure = path_diagram(Network.mlp([[[2]], [[3]]], [[5], [7]]))
    >>> figure.axes[0].get_title()
    '4 parameters, 3 paths'
    """
    paths = _listed(net, highlight)
    figure = new_figure(12 if paths else 9.5, 6.5)
    axes = figure.add_subplot()
    chosen = None if highlight is None or paths is None else paths.paths[highlight]
    draw_diagram(axes, net, chosen, title=title)
    if paths:
        _list_paths(axes, paths, highlight)
    figure.legend(handles=sign_handles([net]), loc="outside lower center", ncols=3)
    return figure


def draw_diagram(axes: Axes, net: Network, chosen: Path | None = None, *, title: str | None = None) -> None:
    """Draw the diagram of a network on given axes, with one path in black."""
    if len(net.parameters) > MOST_EDGES:
        raise HypothesisNotMet(
            "network", f"must have at most {MOST_EDGES} edges to be drawn, not {len(net.parameters)}"
        )
    at = positions(net)
    marked = set(chosen.steps) if chosen is not None else set()
    numbered = len(net.parameters) <= MOST_NUMBERS
    _edges(axes, net, at, marked)
    _biases(axes, net, at, marked, numbered)
    if numbered:
        _weights(axes, net, at)
    _neurons(axes, net, at)
    axes.set_axis_off()
    axes.set_xlim(-0.35, net.depth + 0.35)
    axes.set_ylim(-0.06 - _drop(net), 1.2)
    shown = f"{counted(len(net.parameters), 'parameter')}, {counted(count_paths(net), 'path')}"
    axes.set_title(shown if title is None else title)


def positions(net: Network) -> dict[Neuron, Place]:
    """Places of inputs and neurons: layers from left to right, neurons from top to bottom, in the unit height."""
    found = {}
    for layer, width in enumerate(net.widths):
        for i in range(width):
            found[layer, i] = (float(layer), 1 - (i + 1) / (width + 1) if width < 3 else 1 - i / (width - 1))
    return found


def _listed(net: Network, highlight: int | None) -> PathEmbedding | None:
    """The paths, if they are few enough to be listed or one of them is asked for."""
    total = count_paths(net)
    if highlight is not None and (type(highlight) is not int or not 0 <= highlight < total):
        raise InvalidInput("highlight", f"must be the number of a path, 0 to {total - 1}", highlight)
    if not net.is_homogeneous or (total > MOST_PATHS and highlight is None):
        return None
    return path_embedding(net)


def _edges(axes: Axes, net: Network, at: Mapping[Neuron, Place], marked: set[Any]) -> None:
    """All edges, larger ones wider and above."""
    from matplotlib.collections import LineCollection

    edges = [(p.source, p) for p in net.parameters if p.source is not None]
    largest = max((abs(p.value) for _, p in edges), default=1) or 1
    crowd = min(1.0, 60 / max(1, len(edges)))
    for sign, (name, style) in SIGN_LOOKS.items():
        group = sorted(
            ((s, p) for s, p in edges if _sign(p) == sign and (s, p.target) not in marked),
            key=lambda e: abs(e[1].value),
        )
        lines = [(at[source], at[p.target]) for source, p in group]
        widths = [(0.8 + 3.2 * float(abs(p.value) / largest)) * max(0.25, crowd) for _, p in group]
        look: dict[str, Any] = {"colors": _colour(sign), "linestyles": style, "alpha": max(0.5, crowd), "gid": name}
        axes.add_collection(LineCollection(lines, linewidths=widths, zorder=1 + abs(sign), **look))
    lines = [(at[source], at[p.target]) for source, p in edges if (source, p.target) in marked]
    axes.add_collection(LineCollection(lines, colors=BLACK, linewidths=5, zorder=3, gid="path"))


def _biases(axes: Axes, net: Network, at: Mapping[Neuron, Place], marked: set[Any], numbered: bool) -> None:
    """A small square below every neuron with a bias, coloured by its sign."""
    crowded = max(net.widths) > MOST_NAMED
    if crowded:
        return
    drop = _drop(net)
    for p in net.parameters:
        if p.source is not None:
            continue
        x, y = at[p.target]
        black = (None, p.target) in marked
        colour = BLACK if black else _colour(_sign(p))
        axes.plot([x, x], [y, y - drop], color=colour, linewidth=5 if black else 2, zorder=2)
        axes.plot([x], [y - drop], "s", color=colour, markersize=8, zorder=3, gid="bias")
        if numbered:
            axes.annotate(
                plain_number(p.value), (x, y - drop), xytext=(8, 0), textcoords="offset points",
                va="center", fontsize=12, color=_colour(_sign(p)), zorder=6, bbox=_PAPER,
            )  # fmt: skip


def _weights(axes: Axes, net: Network, at: Mapping[Neuron, Place]) -> None:
    """The numbers on the edges, each where it is furthest from other edges and numbers."""
    edges = [(p, at[p.source], at[p.target]) for p in net.parameters if p.source is not None]
    taken: list[Place] = []
    for p, start, stop in edges:
        others = [(a, b) for q, a, b in edges if q is not p]
        spots = [_between(start, stop, k / 40) for k in range(10, 31)]
        best = max(
            spots, key=lambda spot: min([_far(spot, a, b) for a, b in others] + [_gap(spot, t) for t in taken] or [0.0])
        )
        taken.append(best)
        axes.text(
            *best, plain_number(p.value),
            ha="center", va="center", fontsize=13, color=_colour(_sign(p)), zorder=4, bbox=_PAPER, gid="weight",
        )  # fmt: skip


def _between(a: Place, b: Place, share: float) -> Place:
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def _far(spot: Place, a: Place, b: Place) -> float:
    """The distance of a place from an edge, which spans at least one column."""
    share = min(max((spot[0] - a[0]) / (b[0] - a[0]), 0.0), 1.0)
    return _gap(spot, _between(a, b, share))


def _gap(a: Place, b: Place) -> float:
    """A distance in which one column counts as much as half of the height."""
    return max(abs(a[0] - b[0]) / 2, abs(a[1] - b[1]))


_PAPER: Final[dict[str, Any]] = {"boxstyle": "round,pad=0.12", "facecolor": "white", "edgecolor": "none"}


def _neurons(axes: Axes, net: Network, at: Mapping[Neuron, Place]) -> None:
    for layer, width in enumerate(net.widths):
        crowded = width > MOST_NAMED
        xs, ys = zip(*(at[layer, i] for i in range(width)), strict=True)
        size: float = max(2.0, 180 / width) if crowded else 34
        face = "white" if 0 < layer < net.depth else "#E8E8E8"
        axes.plot(
            xs, ys, "o", markersize=size, markerfacecolor=face, markeredgecolor=BLACK,
            markeredgewidth=0.6 if crowded else 1.5, linestyle="", zorder=5, gid=f"layer {layer}",
        )  # fmt: skip
        if not crowded:
            for i in range(width):
                text = f"${neuron_label(net, layer, i)}$"
                axes.text(*at[layer, i], text, ha="center", va="center", fontsize=15, zorder=6, gid="neuron")
        axes.text(layer, 1.12, _heading(net, layer), ha="center", va="bottom", fontsize=13, color="0.35")


def _heading(net: Network, layer: int) -> str:
    """What stands above a column."""
    if layer == 0:
        return "input" if net.input_dim == 1 else f"{net.input_dim} inputs"
    names = {activation_name(rho) for rho in net.layers[layer - 1].activations}
    kind = names.pop() if len(names) == 1 else "mixed"
    return "output" if layer == net.depth and kind == "identity" else f"layer {layer}: {kind}"


def _list_paths(axes: Axes, phi: PathEmbedding, highlight: int | None) -> None:
    r"""Every path with its entry of :math:`\Phi(\theta)`, right of the diagram."""
    net = phi.network
    values = {(p.source, p.target): p.value for p in net.parameters}
    rows = []
    for k, (path, value) in enumerate(zip(phi.paths, phi.vector, strict=True)):
        if len(phi.paths) <= MOST_PATHS or k == highlight:
            factors = "·".join(_factor(plain_number(values[step])) for step in path.steps)
            shown = plain_number(value) if len(path.steps) == 1 else f"{factors} = {plain_number(value)}"
            rows.append((k == highlight, f"${_route(net, path)}$:  {shown}"))
    height = 1 / max(len(rows), 12)
    size = 13 if len(rows) <= 14 else 10.5
    left = 1.03
    axes.text(left, 1.0, r"$\Phi(\theta)$, path by path", transform=axes.transAxes, fontsize=15, va="bottom")
    for k, (marked, row) in enumerate(rows):
        where: dict[str, Any] = {"transform": axes.transAxes, "va": "top"}
        if marked:
            where["bbox"] = {"boxstyle": "round,pad=0.2", "facecolor": "0.88", "edgecolor": BLACK}
        axes.text(left, 0.97 - k * height, row, fontsize=size, gid="path entry", **where)


def _route(net: Network, path: Path) -> str:
    names = [neuron_label(net, layer, i) for layer, i in path.neurons]
    return r" \to ".join([r"\mathrm{bias}", *names] if path.from_bias else names)


def _factor(number: str) -> str:
    return f"({number})" if number.startswith("\N{MINUS SIGN}") else number


def _drop(net: Network) -> float:
    """How far below a neuron its bias is drawn."""
    return min(0.13, 0.4 / max(net.widths))


def _sign(parameter: Parameter) -> int:
    return (parameter.value > 0) - (parameter.value < 0)


def _colour(sign: int) -> str:
    return {1: POSITIVE, -1: NEGATIVE, 0: VANISHING}[sign]


def sign_handles(nets: Sequence[Network]) -> list[Any]:
    """What colours and dashes of diagrams mean, as far as they occur."""
    from matplotlib.lines import Line2D

    present = {_sign(p) for net in nets for p in net.parameters}
    return [
        Line2D([], [], color=_colour(sign), linestyle=style, linewidth=3, label=name)
        for sign, (name, style) in reversed(SIGN_LOOKS.items())
        if sign in present
    ]
