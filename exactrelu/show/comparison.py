r"""Two parameterizations side by side: their diagrams, their functions, and what is decided about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..equality import same_function
from ..errors import InvalidDomain, WrongDimension
from ..networks import Network
from ..polyhedra import Domain, as_domain
from ..symmetries import permutation_scaling_equivalent
from ..verdicts import Status
from .canvas import drawing, legend_beside, new_figure
from .diagrams import draw_diagram, sign_handles
from .graphs import draw_graph, legend_entries
from .labels import coordinates
from .planar import draw_regions, piece_colours, regions_legend
from .windows import View, views

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAMES = (r"\theta", r"\theta'")


@drawing
def side_by_side(
    a: Network,
    b: Network,
    domain: Domain | str | None = None,
    *,
    window: Domain | str | None = None,
    title: str | None = None,
    budget: int | None = None,
) -> Figure:
    r"""Two networks :math:`\theta, \theta'` in two columns: diagrams above, functions below.

    With one input the graphs are drawn, with two the regions, equal affine maps
    in equal colours; with more only the diagrams. The title says whether
    :math:`R_\theta=R_{\theta'}` on the domain and whether
    :math:`\theta\sim_{PS}\theta'`, as far as that is decided (exactly).

    Raises :class:`~exactrelu.errors.WrongDimension` unless both have equally many
    inputs, and what :func:`~exactrelu.regions.activation_regions` raises.

    >>> hat = Network.mlp([[[1], [1], [1]], [[1, -2, 1]]], [[1, 0, -1], [0]])
    >>> side_by_side(hat, hat.flip([0, 1, 2])).get_suptitle()
    "$R_\\theta = R_{\\theta'}$ on R, $\\theta \\nsim_{PS} \\theta'$"
    """
    if a.input_dim != b.input_dim:
        raise WrongDimension("b", f"must have {a.input_dim} inputs like a", b.input_dim)
    where = as_domain(domain, a.input_dim)
    rows = 1 if a.input_dim > 2 else 2
    figure = new_figure(14, 5 if rows == 1 else 10)
    panels = figure.subplots(rows, 2, squeeze=False)
    for k, net in enumerate((a, b)):
        draw_diagram(panels[0, k], net, title=f"${NAMES[k]}$")
    if rows == 2:
        _functions(list(panels[1]), views([a, b], where, window, budget))
    figure.legend(handles=sign_handles([a, b]), loc="outside lower left", ncols=3)
    figure.suptitle(_relation(a, b, where, budget) if title is None else title)
    return figure


def _functions(panels: list[Axes], seen: list[View]) -> None:
    if seen[0].network.input_dim == 1:
        for axes, one in zip(panels, seen, strict=True):
            draw_graph(axes, one)
        low = min(axes.get_ylim()[0] for axes in panels)
        high = max(axes.get_ylim()[1] for axes in panels)
        known: dict[str, Any] = {}
        for axes in panels:
            axes.set_ylim(low, high)
            known |= dict(legend_entries(axes))
        legend_beside(panels[0], list(known.items()), "lower")
        return
    colours, variables = piece_colours(seen), coordinates(seen[0].network)
    for axes, one in zip(panels, seen, strict=True):
        draw_regions(axes, one, colours, variables)
    regions_legend(panels, colours, variables)


def _relation(a: Network, b: Network, where: Domain, budget: int | None) -> str:
    """What is decided about two networks, in symbols."""
    signs = {Status.HOLDS: ("=", r"\sim"), Status.FAILS: (r"\neq", r"\nsim")}
    found = []
    try:
        equal = same_function(a, b, where, budget=budget).status
    except InvalidDomain:  # of a lower-dimensional domain
        equal = Status.UNKNOWN
    if equal in signs:
        place = f" on {where}" if len(str(where)) <= 40 else " on the domain"
        found.append(rf"$R_\theta {signs[equal][0]} R_{{\theta'}}$" + place)
    equivalent = permutation_scaling_equivalent(a, b).status
    if equivalent in signs:
        found.append(rf"$\theta {signs[equivalent][1]}_{{PS}} \theta'$")
    return ", ".join(found) or r"$\theta$ and $\theta'$"
