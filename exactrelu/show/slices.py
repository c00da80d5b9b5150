r"""Slices: a network with many inputs on a rational plane or line.

On :math:`\{p+su+tv\}` a network is again one, in the inputs :math:`s, t`: its
first weights are multiplied by :math:`(u\ v)`, and :math:`Wp` moves into biases.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ..errors import InvalidInput
from ..networks import Layer, Network
from ..networks.layers import Block, Row
from ..polyhedra import Domain, Halfspace, as_domain
from ..rationals import Matrix, Vector, dot, rank, rational_vector
from .canvas import drawing, legend_beside, new_figure
from .graphs import draw_graph, draw_patterns, function_graph, legend_entries
from .labels import plain_number
from .planar import draw_labels, draw_regions, piece_colours, regions_legend, regions_picture
from .windows import view

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ZERO = Fraction(0)
LONGEST_CAPTION = 110


@drawing
def slice_picture(
    net: Network,
    plane: Sequence[Iterable[object]],
    domain: Domain | str | None = None,
    *,
    window: Domain | str | None = None,
    labels: bool = False,
    graph: bool = False,
    title: str | None = None,
    budget: int | None = None,
) -> Figure:
    r"""The regions of a network on the plane :math:`\{p+su+tv\}`, or its graph on the line :math:`\{p+su\}`.

    ``plane`` is ``(p, u, v)`` or ``(p, u)``: a point and independent directions of
    ``input_dim`` exact entries each. ``window`` is a box in the coordinates
    :math:`s, t`; everything else is as for :func:`regions_picture` and
    :func:`function_graph`. Axes are equal where :math:`u, v` are orthogonal, in
    the lengths of :math:`u` and :math:`v`.

    Raises :class:`~exactrelu.errors.InvalidInput` for dependent directions, and
    :class:`~exactrelu.errors.InvalidDomain` where the plane misses the interior of the domain.

    >>> net = Network.mlp([[[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[1, 1, 1]]])
    >>> slice_picture(net, [(0, 0, 1), (1, 0, 0), (0, 1, 0)]).axes[0].get_title()
    '4 activation regions, 4 affine pieces'
    """
    point, directions = checked_plane(net, plane)
    inner = restricted(net, point, directions)
    seen = view(inner, restricted_domain(as_domain(domain, net.input_dim), point, directions), window, budget)
    names = axis_names(point, directions)
    figure = new_figure(11, 7.9)
    axes = figure.add_subplot()
    if len(directions) == 1:
        draw_graph(axes, seen, title=title)
        axes.set_xlabel(f"${names[0]}$")
        legend_beside(axes, legend_entries(axes))
    else:
        colours = piece_colours([seen])
        axes.set_anchor("E")
        draw_regions(axes, seen, colours, names, graph=graph, title=title, aspect=_aspect(*directions))
        regions_legend([axes], colours, names)
    figure.supxlabel(plane_caption(point, directions, names), fontsize=13)
    if labels and len(directions) == 1:
        draw_patterns(axes, seen)
    elif labels:
        draw_labels(axes, seen, above=graph)
    return figure


def picture(
    net: Network,
    domain: Domain | str | None = None,
    *,
    window: Domain | str | None = None,
    labels: bool = False,
    graph: bool = False,
    budget: int | None = None,
) -> Figure:
    """The regions of a network with any number of inputs.

    With one input its graph, with two its regions; with more the slice along the
    first two coordinates through :meth:`~exactrelu.Domain.interior_point`, in
    whose coordinates ``window`` is meant.

    >>> picture(Network.mlp([[[1], [-1]], [[1, 1]]])).axes[0].get_title()
    '2 activation regions, 1 kink'
    """
    if net.input_dim == 1:
        return function_graph(net, domain, window=window, labels=labels, budget=budget)
    if net.input_dim == 2:
        return regions_picture(net, domain, window=window, labels=labels, graph=graph, budget=budget)
    centre = as_domain(domain, net.input_dim).interior_point()
    units = [[int(i == j) for i in range(net.input_dim)] for j in range(2)]
    return slice_picture(net, [centre, *units], domain, window=window, labels=labels, graph=graph, budget=budget)


def checked_plane(net: Network, plane: Sequence[Iterable[object]]) -> tuple[Vector, Matrix]:
    """A point and one or two independent directions.

    Raises :class:`~exactrelu.errors.InvalidInput`.
    """
    if not isinstance(plane, list | tuple) or len(plane) not in (2, 3):
        raise InvalidInput("plane", "must be a point with one or two directions", plane)
    point, *directions = (rational_vector(part, f"plane[{k}]", length=net.input_dim) for k, part in enumerate(plane))
    if rank(directions) < len(directions):
        raise InvalidInput("plane", "must have independent directions", [list(map(str, part)) for part in directions])
    return point, tuple(directions)


def restricted(net: Network, point: Vector, directions: Matrix) -> Network:
    r"""The network :math:`s\mapsto R_\theta(p+\sum_js_ju_j)`.

    >>> net = Network.mlp([[[1, 2]], [[3]]])
    >>> restricted(net, (Fraction(1), Fraction(0)), ((Fraction(1), Fraction(1)),))
    Network.mlp([[[3]], [[3]]], [[1], None])
    """
    return Network(len(directions), [_restricted(layer, point, directions) for layer in net.layers])


def restricted_domain(domain: Domain, point: Vector, directions: Matrix) -> Domain:
    """The part of a domain in a plane, in the coordinates of the plane."""
    if domain.is_space:
        return Domain.space(len(directions))
    sides = [
        Halfspace([dot(side.normal, direction) for direction in directions], side.slack(point))
        for side in domain.halfspaces
    ]
    return Domain.polytope(halfspaces=sides)


def axis_names(point: Vector, directions: Matrix) -> tuple[str, ...]:
    """A coordinate where the axis runs along it, from a point with coordinate 0 there; else s and t."""
    names = []
    for direction, name in zip(directions, ("s", "t"), strict=False):
        support = [j for j, entry in enumerate(direction) if entry]
        along = len(support) == 1 and direction[support[0]] == 1 and not point[support[0]]
        names.append(f"x_{{{support[0]}}}" if along else name)
    return tuple(names)


def plane_caption(point: Vector, directions: Matrix, names: Sequence[str]) -> str:
    """Where a slice lies; long vectors are abbreviated."""
    terms = [_vector(point), *(f"${name}$ {_vector(part)}" for name, part in zip(names, directions, strict=True))]
    return "slice $x$ = " + " + ".join(terms)


def _vector(entries: Vector) -> str:
    shown = [plain_number(entry) for entry in entries]
    whole = f"({', '.join(shown)})"
    return whole if len(whole) <= LONGEST_CAPTION // 3 else f"({', '.join(shown[:3])}, …)"


def _restricted(layer: Layer, point: Vector, directions: Matrix) -> Layer:
    blocks: dict[int, Block] = dict(layer.blocks)
    if 0 not in blocks:
        return layer
    rows = blocks[0]
    blocks[0] = tuple(_composed(row, directions) for row in rows)
    shifts = [dot([entry or ZERO for entry in row], point) for row in rows]
    moved = any(shifts) or layer.bias is not None
    bias = [b + shift for b, shift in zip(layer.bias or [ZERO] * len(rows), shifts, strict=True)] if moved else None
    return Layer(blocks, bias=bias, activation=layer.activations)


def _composed(row: Row, directions: Matrix) -> Row:
    """A row of first weights along the directions; without any edge there is none afterwards."""
    if all(entry is None for entry in row):
        return (None,) * len(directions)
    filled = [entry or ZERO for entry in row]
    return tuple(dot(filled, direction) for direction in directions)


def _aspect(u: Vector, v: Vector) -> float | None:
    r"""The length of :math:`v` relative to :math:`u` where they are orthogonal, else nothing."""
    return None if dot(u, v) else float(dot(v, v) / dot(u, u)) ** 0.5
