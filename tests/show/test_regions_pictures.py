"""Pictures of regions and graphs: what is on them, against counts and places that are known exactly."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from activation_networks import box_text, network, random_data
from picture_checks import by_gid, check_texts_are_whole, shoelace
from strategies import random_mlp

from exactrelu import (
    BudgetExceeded,
    Domain,
    HypothesisNotMet,
    InvalidDomain,
    InvalidInput,
    Network,
    RegionComplex,
    activation_regions,
    region_counts,
    zoo,
)

pytest.importorskip("matplotlib")

from exactrelu.show import function_graph, picture, regions_picture
from exactrelu.show.cells import bent_hyperplanes, hull, polygons
from exactrelu.show.windows import MANY_VERTICES, fitting_window, vertices, view


def in_window(net: Network, window: str) -> RegionComplex:
    return activation_regions(net, window)


def drawn_networks(dimension: int, count: int) -> list[Network]:
    """Perceptrons, half of them degenerate, and networks with other activations."""
    found: list[Network] = []
    seed = 0
    while len(found) < count:
        r = Random(seed)
        net = random_mlp(r, max_layers=2, max_width=3) if seed % 2 else network(random_data(r, max_width=2))
        if net.input_dim == dimension:
            found.append(net)
        seed += 1
    return found


@pytest.mark.parametrize("k", range(5))
def test_cells_colours_and_lines(k: int) -> None:
    """One polygon per region, one colour per affine map, together the window; lines where neurons vanish."""
    net = drawn_networks(2, 5)[k]
    complex = in_window(net, "[-3,3]^2")
    (axes, *_) = regions_picture(net, window="[-3,3]^2", graph=True).axes
    (cells,) = by_gid(axes.collections, "cells")
    paths = [path.vertices[:-1] for path in cells.get_paths()]
    assert len(paths) == len(complex)
    assert sum(map(shoelace, paths)) == pytest.approx(36)
    assert all(shoelace(path) > 0 for path in paths)
    colours = [tuple(colour) for colour in cells.get_facecolors()]
    pairs = set(zip(colours, complex.affine_maps, strict=True))
    assert len(pairs) == len(set(colours)) == len(set(complex.affine_maps)) == region_counts(complex).R6
    (edges,) = by_gid(axes.collections, "edges")
    assert len(edges.get_paths()) == complex.graph().number_of_edges()
    (nodes,) = by_gid(axes.lines, "nodes")
    assert len(nodes.get_xdata()) == len(complex)
    layers = {int(c.get_gid().split()[1]) for c in axes.collections if str(c.get_gid()).startswith("layer")}
    assert layers == {layer for edge in complex.adjacencies() for layer, _ in edge.neurons} | set(
        bent_hyperplanes(complex)
    )


def test_bent_hyperplanes_are_where_neurons_vanish() -> None:
    segments = 0
    for seed in range(6):
        net = Network.random((2, 4, 3, 1), seed)
        complex = in_window(net, "[-3,3]^2")
        flipping = {(edge.point, layer) for edge in complex.adjacencies() for layer, _ in edge.neurons}
        found = bent_hyperplanes(complex)
        for layer, lines in found.items():
            for start, stop in lines:
                middle = [(a + b) / 2 for a, b in zip(start, stop, strict=True)]
                assert any(entry == 0 for entry in net.preactivations(middle)[layer - 1])
                segments += 1
        assert sum(map(len, found.values())) == len(flipping)  # generic: every facet belongs to one layer
    assert segments > 100


def test_polygons_contain_the_interior_points() -> None:
    complex = in_window(Network.random((2, 6, 4, 1), 3), "[-2,2]^2")
    for region, cell in zip(complex, polygons(complex), strict=True):
        assert cell.contains(tuple(map(float, region.interior_point)))
        assert cell.contains(cell.middle)
        assert len(cell.corners) == len(region.vertices)
        assert {tuple(map(float, vertex)) for vertex in region.vertices} == set(cell.corners)


def test_hulls_against_all_lines_through_two_points() -> None:
    for seed in range(30):
        r = Random(seed)
        points = [(Fraction(r.randint(-3, 3)), Fraction(r.randint(-3, 3), 2)) for _ in range(r.randint(3, 9))]
        corners = hull(points)
        for (a, b), (c, d) in pairwise([*corners, corners[0]]) if len(corners) > 2 else ():
            assert all((c - a) * (y - b) >= (d - b) * (x - a) for x, y in points)
        turns = zip(corners, corners[1:] + corners[:1], corners[2:] + corners[:2], strict=True)
        if len(corners) > 2:
            assert all((b[0] - a[0]) * (c[1] - a[1]) != (b[1] - a[1]) * (c[0] - a[0]) for a, b, c in turns)
        assert set(corners) <= set(points)


@pytest.mark.parametrize("k", range(6))
def test_kinks_at_their_exact_places(k: int) -> None:
    net = drawn_networks(1, 6)[k]
    (axes,) = function_graph(net, window="[-4,4]").axes
    complex = in_window(net, "[-4,4]")
    ends = sorted({vertex[0] for region in complex for vertex in region.vertices})
    least = min(b - a for a, b in pairwise(ends)) / 2
    for o in range(net.output_dim):
        (curve,) = by_gid(axes.lines, f"output {o}")
        assert list(curve.get_xdata()) == [float(x) for x in ends]
        assert list(curve.get_ydata()) == [float(net([x])[o]) for x in ends]
    bends = [
        [x for x in ends[1:-1] if net([x - least])[o] + net([x + least])[o] != 2 * net([x])[o]]
        for o in range(net.output_dim)
    ]
    marked = [list(line.get_xdata()) for line in by_gid(axes.lines, "kinks")]
    assert marked == [list(map(float, places)) for places in bends if places]
    hollow = [list(line.get_xdata()) for line in by_gid(axes.lines, "smooth")]
    assert hollow == [rest for p in bends if (rest := [float(x) for x in ends[1:-1] if x not in p])]
    if net.output_dim == 1:
        assert len(bends[0]) == region_counts(complex).R4 - 1


def test_the_random_graphs_have_both_kinds_of_dots() -> None:
    figures = [function_graph(net, window="[-4,4]") for net in drawn_networks(1, 6)]
    found = {line.get_gid() for figure in figures for line in figure.axes[0].lines}
    assert {"kinks", "smooth", "output 0"} <= found


def test_a_wall_for_every_bending_neuron() -> None:
    (axes,) = function_graph(Network.mlp([[[1], [2]], [[1, -1]], [[1]]], [[0, -2], [-1], [0]])).axes
    walls = {line.get_xdata()[0]: line.get_color() for line in axes.lines if line.get_gid() is None}
    # x - (2x - 2) - 1 = 1 - x vanishes beyond 1 only at its border; the second layer also bends at x = 1
    assert set(walls) == {0.0, 1.0}


def test_summands_add_up_to_the_graph() -> None:
    net = zoo.specimen("hat").network
    (axes,) = function_graph(net, summands=True).axes
    terms = [np.array(line.get_ydata()) for line in by_gid(axes.lines, "summand")]
    (curve,) = by_gid(axes.lines, "output 0")
    assert len(terms) == 3
    assert list(sum(terms)) == list(curve.get_ydata())  # no output bias
    with pytest.raises(HypothesisNotMet, match="single affine output"):
        function_graph(zoo.specimen("S12a").network, summands=True)


def test_windows_show_all_vertices_with_a_margin() -> None:
    for net in (*drawn_networks(1, 8), *drawn_networks(2, 8)):
        complex = activation_regions(net)
        sides = fitting_window(complex)
        for point in vertices(complex):
            assert all(low < c < high for c, (low, high) in zip(point, sides, strict=True))
        seen = view(net, None, None, None)
        assert len(seen.complex) == seen.total == len(complex)  # a part of every region
        width = [high - low for low, high in sides]
        assert max(width) <= 2 * min(width)


def test_windows_of_domains() -> None:
    net = Network.mlp([[[1, 0], [0, 1]], [[1, 1]]])
    (x_low, x_high), (y_low, y_high) = fitting_window(activation_regions(net, "[-1,3]xR"))
    assert -2 < x_low < -1 and 3 < x_high < 4  # the border of the domain is just inside
    assert y_low < -1 and y_high > 1
    triangle = zoo.specimen("S24")
    (axes,) = regions_picture(triangle.network, triangle.domain).axes
    (outline,) = by_gid(axes.patches, "domain")
    assert sorted(map(tuple, outline.get_xy()[:-1].tolist())) == [(0, 0), (0, 1), (1, 0)]


def test_outliers_are_left_out_and_the_title_says_so() -> None:
    net = Network.random((2, 10, 10, 1), 0)
    complex = activation_regions(net)
    assert len(vertices(complex)) >= MANY_VERTICES
    seen = view(net, None, None, None)
    assert len(seen.complex) < seen.total == 190
    assert seen.regions == f"{len(seen.complex)} of 190 activation regions"
    sides = seen.sides
    inside = [all(a < c < b for c, (a, b) in zip(p, sides, strict=True)) for p in vertices(complex)]
    assert sum(inside) >= 0.8 * len(inside)


def test_many_pieces_get_a_scale_of_distinct_colours() -> None:
    figure = regions_picture(Network.random((2, 10, 1), 0), window="[-5,5]^2")
    axes, bar = figure.axes
    (cells,) = by_gid(axes.collections, "cells")
    assert len({tuple(c) for c in cells.get_facecolors()}) == len(
        set(in_window(Network.random((2, 10, 1), 0), "[-5,5]^2").affine_maps)
    )
    assert bar.get_ylabel() == "affine pieces, by value"


def test_legends_name_the_pieces_and_the_layers() -> None:
    figure = regions_picture(zoo.specimen("maximum").network)
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    assert texts[0] == "layer 1 bends"
    assert set(texts[1:]) == {"$x_{0}$", "$x_{1}$"}
    figure = regions_picture(Network.mlp([[["1/3", 0], [0, "12345/7"]], [[1, 1]]]))
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    assert r"$\frac{1}{3}x_{0}$" in texts
    assert r"$\approx 1760x_{1}$" in texts  # rounded, and marked as such


def test_few_pieces_never_get_a_scale() -> None:
    specimen = zoo.specimen("S18")  # two outputs
    figure = regions_picture(specimen.network, specimen.domain)
    assert len(figure.axes) == 1
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    assert len(texts) == 8
    assert texts[1:] == [text for text in texts if text.count("\n") == 1]
    wide = Network.mlp([[[1, 0], [0, 1]], [[k, 1] for k in range(5)]])
    figure = regions_picture(wide)
    assert [text.get_text() for text in figure.legends[0].get_texts()][1:] == [f"piece {k}" for k in (1, 2, 3, 4)]


def test_long_legends_end_in_dots() -> None:
    figure = function_graph(Network.mlp([[[k] for k in range(40)]]))
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    assert texts == [*(f"$y_{{{k}}}$" for k in range(17)), "…"]
    check_texts_are_whole(figure)


def test_labels_lie_inside_their_regions() -> None:
    net = Network.mlp([[[1, 0], [0, 1], [1, 1]], [[1, 1, 1]]], [[0, 0, -1], [0]])
    for graph in (False, True):
        figure = regions_picture(net, labels=True, graph=graph)
        figure.draw_without_rendering()
        (axes,) = figure.axes
        texts = by_gid(axes.texts, "pattern")
        complex = view(net, None, None, None).complex
        assert {text.get_text() for text in texts} == {str(pattern) for pattern in complex.patterns}
        cells = dict(zip(map(str, complex.patterns), polygons(complex), strict=True))
        for text in texts:
            box = text.get_window_extent()
            corners = axes.transData.inverted().transform(box.corners())
            assert all(cells[text.get_text()].contains(tuple(corner)) for corner in corners)


def test_labels_that_fit_nowhere_are_left_out() -> None:
    net = Network.mlp([[[1, 0], [1, 0]], [[1, 1]]], [[0, "-1/1000"], [0]])
    (axes,) = regions_picture(net, labels=True, window="[-1,1]^2").axes
    assert {text.get_text() for text in by_gid(axes.texts, "pattern")} == {"--", "++"}


@pytest.mark.parametrize("name", ["hat", "maximum", "S24", "S18"])
def test_no_text_is_cut_off_or_overlaps_another(name: str) -> None:
    specimen = zoo.specimen(name)
    check_texts_are_whole(picture(specimen.network, specimen.domain, labels=True))


@pytest.mark.sweep
def test_no_text_is_cut_off_anywhere(data: Any) -> None:
    from exactrelu import load

    for specimen in zoo.SPECIMENS.values():
        if specimen.domain.is_full_dimensional:
            check_texts_are_whole(picture(specimen.network, specimen.domain, labels=True, graph=True))
    for path in sorted(data.glob("*.json")):
        if path.stem != "answers":
            check_texts_are_whole(picture(load(str(path)), labels=True, graph=True))


def test_patterns_above_a_graph() -> None:
    """In the middle of their regions, upright where narrow, and none where there is no room at all."""
    net = Network.mlp([[[1], [1], [1]], [[1, 1, 1]]], [[1, 0, "-1/6"], [0]])
    figure = function_graph(net, window="[-2,2]", labels=True)
    angles = {text.get_text(): text.get_rotation() for text in by_gid(figure.axes[0].texts, "pattern")}
    assert angles == {"---": 0, "+--": 0, "++-": 90, "+++": 0}
    narrow = function_graph(net.replace({"b[1][2]": "-1/1000"}), window="[-2,2]", labels=True)
    assert "++-" not in {text.get_text() for text in by_gid(narrow.axes[0].texts, "pattern")}
    check_texts_are_whole(figure)


def test_equal_axes() -> None:
    (axes,) = regions_picture(zoo.specimen("S16").network, "[-1,1]x[0,3]").axes
    assert axes.get_aspect() == 1


def test_networks_that_see_nothing_or_little() -> None:
    (axes,) = regions_picture(Network.mlp([[[0, 0]], [[1]]], [[-1], [3]])).axes
    assert axes.get_title() == "1 activation region, 1 affine piece"
    (axes,) = regions_picture(Network.mlp([[[1, 1], [1, 1]], [[1, 1]]], [[0, -1], [0]])).axes
    assert axes.get_title() == "3 activation regions, 3 affine pieces"
    (axes,) = function_graph(Network.mlp([[[2]]], [[1]])).axes
    assert axes.get_title() == "1 activation region, 0 kinks"


def test_bad_input() -> None:
    line, plane = zoo.specimen("hat").network, zoo.specimen("maximum").network
    with pytest.raises(HypothesisNotMet, match="must have one input for this picture, but it has 2; slice_picture"):
        function_graph(plane)
    with pytest.raises(HypothesisNotMet, match="must have 2 inputs for this picture, but it has 1; function_graph"):
        regions_picture(line)
    for window in ("R^2", "[0,1]xR", Domain.box([(0, 0), (0, 1)])):
        with pytest.raises(InvalidDomain, match="window: must be a bounded box"):
            regions_picture(plane, window=window)
    with pytest.raises(InvalidDomain, match="window: must show interior points of the domain"):
        regions_picture(plane, "[0,1]^2", window="[1,2]^2")
    with pytest.raises(InvalidDomain, match="interior points"):
        regions_picture(plane, Domain.polytope(vertices=[(0, 0), (1, 1)]))
    with pytest.raises(BudgetExceeded, match="at most 3 regions"):
        regions_picture(plane, budget=3)
    with pytest.raises(HypothesisNotMet, match="tanh"):
        function_graph(Network.mlp([[[1]], [[1]]], activation="tanh"))
    with pytest.raises(InvalidInput, match="at most 300 digits"):
        function_graph(Network.mlp([[[1]], [[1]]], [[-(10**400)], [0]]))
    near = Fraction(1, 10**40)
    with pytest.raises(InvalidDomain, match="too narrow"):
        function_graph(line, window=Domain.box([(1, 1 + near)]))
    assert box_text([(0, 1)]) == "[0,1]"
