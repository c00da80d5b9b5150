"""The sections of a page that describe: the network, its regions and their graph, its paths."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final
from xml.etree.ElementTree import Element

from ..equality import form_text
from ..networks.formulas import formulas, neuron_name
from ..networks.network import MOST_EXPLAINED
from ..paths import path_embedding
from ..regions import RegionComplex, region_bounds, region_counts
from ..verdicts import number_list, text
from .canvas import drawing, new_figure
from .diagrams import draw_diagram, sign_handles
from .elements import Content, element, lines, mathematics, table
from .planar import regions_picture
from .region_graph import region_graph_picture
from .report_facts import MOST_PATHS, MOST_ROWS, Facts, Why, answered, cut, figure, paragraph, remark
from .slices import picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..networks import Network

MOST_COUNTED: Final = 500
"""The largest number of regions for which all six counts are made."""
MEANINGS: Final = {
    "R1": "nonempty binary activation patterns, of any dimension",
    "R2": "full-dimensional activation regions",
    "R3": "cells of a coarsest polyhedral complex on which the function is affine",
    "R4": "open connected linear regions",
    "R5": "closed connected linear regions",
    "R6": "distinct affine pieces",
    "zaslavsky": "regions of as many hyperplanes in general position (one hidden layer)",
    "montufar": "attained by some network of these widths (Montúfar)",
    "serra": "never exceeded by a network of these widths (Serra)",
}


def network_section(facts: Facts) -> Element:
    """The network as a picture, as formulas, and parameter by parameter."""
    net = facts.network
    drawn = figure(
        lambda: network_picture(net),
        "network-picture",
        "The network as a graph",
        "Inputs on the left, outputs on the right; a small square is a bias. Blue edges are positive, dashed red ones "
        "negative, dotted grey ones zero, and wider ones are larger.",
    )
    values = [(mathematics(p.name), mathematics(text(p.value))) for p in islice(net.parameters, MOST_ROWS)]
    return section(
        "the-network", "The network", drawn, written(net), _columns(values), cut(len(net.parameters), "parameters")
    )


def written(net: Network) -> Element:
    """The network as formulas, if it is not too large."""
    if len(net.parameters) > MOST_EXPLAINED:
        return remark(f"With {len(net.parameters)} parameters the network is too large to be written out as formulas.")
    return element("div", lines("\n".join(formulas(net))), class_="sheet")


@drawing
def network_picture(net: Network) -> Figure:
    """The network as a graph, as large as it needs."""
    tallest = min(max(net.widths), 24)
    made = new_figure(min(4 + 2.2 * net.depth, 14), max(4.2, 1.0 + 0.75 * tallest if tallest <= 9 else 8))
    draw_diagram(made.add_subplot(), net)
    made.legend(handles=sign_handles([net]), loc="outside lower center", ncols=3)
    return made


def regions_section(facts: Facts) -> Element:
    """The function: its regions as a picture, counted, and one by one."""
    complex, net = facts.complex, facts.network
    intro = paragraph(
        "On an activation region every hidden neuron keeps its sign, so that the function is affine there."
    )
    if isinstance(complex, Why):
        return section("regions", "The function and its regions", intro, remark(complex.sentence))
    drawn = figure(
        lambda: picture(net, facts.domain, labels=True, budget=len(complex)),
        "regions-picture",
        f"The {len(complex)} activation regions" if net.input_dim > 1 else "The graph of the function",
        _regions_caption(net),
    )
    content: list[Content] = [intro, drawn, _counts(complex), _region_table(complex)]
    return section("regions", "The function and its regions", content)


def _regions_caption(net: Network) -> str:
    if net.input_dim == 1:
        return (
            "The graph of the function. Filled dots are kinks; hollow dots are places where only a neuron bends. "
            "Vertical lines mark where neurons bend, by layer; patterns are written above."
        )
    colours = "Regions of one colour carry one affine map; lines show where neurons bend, by layer."
    if net.input_dim == 2:
        return colours
    return (
        f"The network has {net.input_dim} inputs; this is a slice along the first two through an inner point. {colours}"
    )


def _counts(complex: RegionComplex) -> Content:
    faces = answered(lambda: complex.f_vector)
    shown: list[Content] = []
    if not isinstance(faces, Why):
        shown.append(paragraph(f"Numbers of faces by dimension, from 0 on: {number_list(faces)}."))
    if len(complex) > MOST_COUNTED:
        shown.append(remark(f"The {len(complex)} regions are too many for all six counts on a page."))
        return shown
    counts = answered(lambda: region_counts(complex))
    if isinstance(counts, Why):
        return [*shown, remark(counts.sentence)]
    rows: list[tuple[str, int | None]] = [
        (name, getattr(counts, name)) for name in ("R1", "R2", "R3", "R4", "R5", "R6")
    ]
    if _has_bounds_by_widths(complex):
        rows += [(name, bound) for name, bound in region_bounds(complex).items() if bound is not None]
    cells = [
        (
            name if name.startswith("R") else name.capitalize().replace("Montufar", "Montúfar"),
            _count(value),
            MEANINGS[name],
        )
        for name, value in rows
    ]
    caption = "Six meanings of the number of regions" + (", and bounds" if len(rows) > 6 else "")
    return [*shown, table(caption, ("count", "value", "meaning"), cells, numeric=(1,))]


def _has_bounds_by_widths(complex: RegionComplex) -> bool:
    """Whether bounds by the widths speak of this complex."""
    net = complex.network
    return complex.domain.is_space and net.is_layered and net.is_standard


def _count(value: int | None) -> str:
    return "not decided" if value is None else text(value)


def _region_table(complex: RegionComplex) -> Content:
    rows: list[tuple[Content, ...]] = []
    for region in islice(complex, MOST_ROWS):
        matrix, offset = region.affine_map
        forms = [form_text((*row, constant)) for row, constant in zip(matrix, offset, strict=True)]
        shown = [element("div", mathematics(form)) for form in forms]
        kind = "bounded" if region.bounded else "unbounded"
        pattern = element("code", str(region.pattern))
        rows.append((str(region.index), pattern, shown, mathematics(number_list(region.interior_point)), kind))
    heads = ("region", "pattern", "affine map", "a point inside", "extent")
    return [table("The regions", heads, rows), cut(len(complex), "regions", "regions")]


def graph_section(facts: Facts) -> Element:
    """The region graph as a picture and as a table."""
    complex, net = facts.complex, facts.network
    intro = paragraph(
        "Two regions are adjacent when they share a facet; crossing it flips the sign of the neurons on the edge."
    )
    if isinstance(complex, Why):
        return section("region-graph", "The region graph", intro, remark(complex.sentence))
    if len(complex) == 1:
        return section("region-graph", "The region graph", intro, remark("There is one region, and nothing to cross."))
    caption = "Nodes are regions, edges are shared facets; nodes of one colour carry one affine map."
    planar: Content = ""
    if net.input_dim == 2:
        planar = figure(
            lambda: regions_picture(net, facts.domain, graph=True, budget=len(complex)),
            "region-graph-plane",
            "The region graph in the plane",
            "The region graph drawn over the regions: a node in every region, an edge through every shared facet.",
        )
    if net.input_dim > 1:
        caption += " Edges across one neuron are parallel and equally long."
    abstract = figure(lambda: region_graph_picture(complex), "region-graph-picture", "The region graph", caption)
    rows: list[tuple[Content, ...]] = []
    for item in islice(complex.adjacencies(), MOST_ROWS):
        i, j = item.regions
        flipped = ", ".join(neuron_name(net, *neuron) for neuron in item.neurons)
        rows.append((f"{i} – {j}", mathematics(flipped), mathematics(number_list(item.point))))
    listed = table("Adjacent regions", ("regions", "neurons that flip", "a point of the facet"), rows)
    return section(
        "region-graph",
        "The region graph",
        intro,
        planar,
        abstract,
        listed,
        cut(len(complex.facets), "adjacent pairs", "regions --json"),
    )


def embedding_section(facts: Facts) -> Element:
    r"""The embedding :math:`\Phi(\theta)`, path by path."""
    known = facts.analysis
    title = "The embedding Φ(θ)"
    intro = paragraph(
        "Φ(θ) has one coordinate per path to an output: the product of the parameters along it, from an input or from "
        "a bias. Rescaling hidden neurons does not change it, and the function is linear in it."
    )
    total = known.parameters - known.hidden_neurons
    sign = "=" if known.embedding_rank == total else "<"
    rank = paragraph(
        f"The rank of DΦ is {known.embedding_rank} {sign} {known.parameters} parameters - "
        f"{known.hidden_neurons} hidden neurons."
    )
    if not facts.network.is_homogeneous:
        reason = "Some hidden activation is not positively homogeneous: there is no embedding by paths."
        return section("embedding", title, intro, remark(reason))
    if known.paths > 50 * MOST_PATHS:
        return section(
            "embedding", title, intro, rank, remark(f"The {text(known.paths)} paths are too many for a page.")
        )
    phi = path_embedding(facts.network)
    rows: list[tuple[Content, ...]] = []
    for path, formula, value in islice(zip(phi.paths, phi.formulas(), phi.vector, strict=True), MOST_PATHS):
        names = [neuron_name(facts.network, *neuron) for neuron in path.neurons]
        route = " → ".join(["bias", *names] if path.from_bias else names)
        rows.append((mathematics(route), mathematics(formula), mathematics(text(value))))
    heads = ("path", "formula", "value")
    return section(
        "embedding",
        title,
        intro,
        rank,
        table("All paths", heads, rows, numeric=(2,)),
        cut(len(phi), "paths", "phi", MOST_PATHS),
    )


def section(name: str, title: str, *content: Content) -> Element:
    """A section of the page, with its heading."""
    return element(
        "section", element("h2", title, id=f"{name}-heading"), content, id=name, aria_labelledby=f"{name}-heading"
    )


def _columns(values: list[tuple[list[Content], list[Content]]]) -> Element:
    """Names and values side by side, as many columns as fit."""
    entries = [element("div", element("dt", name), element("dd", value)) for name, value in values]
    return element("dl", entries, class_="parameters", aria_label="Parameters")
