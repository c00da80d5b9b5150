"""Slices against values of the whole network; diagrams and comparisons against parameters, paths and verdicts."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from activation_networks import network, random_data
from picture_checks import by_gid, check_texts_are_whole
from strategies import random_dag, random_point

from exactrelu import (
    Domain,
    Halfspace,
    HypothesisNotMet,
    InvalidDomain,
    InvalidInput,
    Network,
    WrongDimension,
    activation_regions,
    load,
    path_embedding,
    zoo,
)

pytest.importorskip("matplotlib")

from exactrelu.show import path_diagram, picture, side_by_side, slice_picture
from exactrelu.show.slices import axis_names, checked_plane, restricted, restricted_domain

README = Network.mlp([[[1, 2], [2, -1], [-1, 1]], [[1, 2, -3]]], [[1, -1, 2], ["1/2"]])


def random_plane(r: Random, dimension: int) -> list[list[Fraction]]:
    """A point with one direction, or two where there is room for them."""
    while True:
        plane = [random_point(r, dimension) for _ in range(3 if dimension > 1 and r.random() < 0.7 else 2)]
        try:
            checked_plane(Network.mlp([[[1] * dimension]]), plane)
        except InvalidInput:  # dependent directions
            continue
        return plane


def moved(plane: list[list[Fraction]], at: list[Fraction]) -> list[Fraction]:
    point, *directions = plane
    return [p + sum(s * u[j] for s, u in zip(at, directions, strict=True)) for j, p in enumerate(point)]


def test_restricted_networks_have_the_values_of_the_whole() -> None:
    for seed in range(40):
        r = Random(seed)
        net = network(random_data(r)) if seed % 2 else random_dag(r)
        plane = random_plane(r, net.input_dim)
        inner = restricted(net, *checked_plane(net, plane))
        for _ in range(4):
            at = random_point(r, len(plane) - 1)
            assert inner(at) == net(moved(plane, at))
            assert inner.pattern(at) == net.pattern(moved(plane, at))


def test_restricted_domains_are_sections() -> None:
    for seed in range(30):
        r = Random(seed)
        plane = random_plane(r, 3)
        centre = plane[0]
        sides = [Halfspace(n, sum(a * c for a, c in zip(n, centre, strict=True)) + r.randint(1, 3))
                 for n in (random_point(r, 3) for _ in range(4)) if any(n)]  # fmt: skip
        domain = Domain.polytope(halfspaces=sides)
        section = restricted_domain(domain, *checked_plane(Network.mlp([[[1, 1, 1]]]), plane))
        for _ in range(8):
            at = random_point(r, len(plane) - 1)
            assert section.contains(at) == domain.contains(moved(plane, at))


def test_slices_show_the_regions_that_meet_the_plane() -> None:
    net = Network.random((3, 5, 1), 1)
    plane = [["1/7", 0, "1/3"], [1, 1, 0], [0, 0, 2]]
    figure = slice_picture(net, plane, window="[-3,3]^2")
    (cells,) = by_gid(figure.axes[0].collections, "cells")
    inner = activation_regions(restricted(net, *checked_plane(net, plane)), "[-3,3]^2")
    met = {
        str(net.pattern(moved([list(map(Fraction, p)) for p in plane], list(region.interior_point))))
        for region in inner
    }
    assert len(cells.get_paths()) == len(met)
    assert figure.axes[0].get_aspect() == pytest.approx(2**0.5)  # |v| / |u|
    assert slice_picture(net, [plane[0], [1, 1, 0], [1, 0, 0]]).axes[0].get_aspect() == "auto"
    check_texts_are_whole(figure)


def test_a_slice_along_a_line_is_a_graph() -> None:
    net = zoo.specimen("maximum").network
    figure = slice_picture(net, [(0, 1), (1, 0)], window="[-2,2]")
    (curve,) = by_gid(figure.axes[0].lines, "output 0")
    assert dict(zip(curve.get_xdata(), curve.get_ydata(), strict=True)) == {-2.0: 1.0, 1.0: 1.0, 2.0: 2.0}
    assert figure.axes[0].get_xlabel() == "$x_{0}$"
    check_texts_are_whole(figure)


def test_names_of_axes() -> None:
    unit, half = (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1, 2))
    assert axis_names((Fraction(0), Fraction(5)), (unit, half)) == ("x_{0}", "t")
    assert axis_names((Fraction(1), Fraction(5)), (unit,)) == ("s",)


def test_pictures_of_any_dimension() -> None:
    assert picture(zoo.specimen("hat").network).axes[0].get_title() == "4 activation regions, 3 kinks"
    assert (
        picture(zoo.specimen("S16").network, "[-1,1]^2").axes[0].get_title() == "7 activation regions, 7 affine pieces"
    )
    figure = picture(zoo.specimen("braid4").network, "[0,1]^4")
    assert figure.get_supxlabel().startswith("slice $x$ = (1/2, 1/2, 1/2, 1/2) + $s$ (1, 0, 0, 0)")
    check_texts_are_whole(figure)


def test_bad_planes() -> None:
    net = zoo.specimen("braid3").network
    for plane in ([(0, 0, 0)], "xyz", [(0, 0, 0)] * 4):
        with pytest.raises(InvalidInput, match="plane: must be a point with one or two directions"):
            slice_picture(net, plane)
    with pytest.raises(InvalidInput, match="independent directions"):
        slice_picture(net, [(0, 0, 0), (1, 0, 1), (2, 0, 2)])
    with pytest.raises(InvalidInput, match="independent directions"):
        slice_picture(net, [(0, 0, 0), (0, 0, 0)])
    with pytest.raises(WrongDimension, match=r"plane\[1\]"):
        slice_picture(net, [(0, 0, 0), (1, 0)])
    with pytest.raises(InvalidInput, match="float"):
        slice_picture(net, [(0, 0, 0), (0.5, 0, 1)])
    with pytest.raises(InvalidDomain):
        slice_picture(net, [(5, 5, 5), (1, 0, 0), (0, 1, 0)], "[0,1]^3")


def drawn_edges(axes: Any, gid: str) -> int:
    return sum(len(c.get_segments()) for c in by_gid(axes.collections, gid))


def test_edges_and_biases_of_a_diagram() -> None:
    for seed in range(8):
        net = random_dag(Random(seed))
        (axes,) = path_diagram(net).axes
        weights = [p.value for p in net.parameters if p.source is not None]
        counts = [drawn_edges(axes, name) for name in ("negative", "zero", "positive")]
        assert counts == [sum((w > 0) - (w < 0) == sign for w in weights) for sign in (-1, 0, 1)]
        assert len(by_gid(axes.lines, "bias")) == len(net.parameters) - len(weights)
        dots = sum(len(line.get_xdata()) for k in range(net.depth + 1) for line in by_gid(axes.lines, f"layer {k}"))
        assert dots == sum(net.widths)
        if len(net.parameters) <= 40:
            assert len(by_gid(axes.texts, "weight")) == len(weights)


def test_the_list_of_paths_is_the_embedding() -> None:
    (axes,) = path_diagram(README).axes
    rows = [text.get_text() for text in by_gid(axes.texts, "path entry")]
    values = [str(value).replace("-", "−") for value in path_embedding(README).vector]
    assert [row.replace("=", ":").split(":")[-1].strip() for row in rows] == values
    assert rows[0] == r"$x_{0} \to h^{1}_{0} \to y_{0}$:  1·1 = 1"
    assert rows[7] == r"$\mathrm{bias} \to h^{1}_{1} \to y_{0}$:  (−1)·2 = −2"


def test_a_highlighted_path() -> None:
    figure = path_diagram(README, highlight=4)  # x1 to hidden neuron 1 to the output
    (axes,) = figure.axes
    assert drawn_edges(axes, "path") == 2
    marked = [text for text in by_gid(axes.texts, "path entry") if text.get_bbox_patch() is not None]
    assert [text.get_text() for text in marked] == [r"$x_{1} \to h^{1}_{1} \to y_{0}$:  (−1)·2 = −2"]
    check_texts_are_whole(figure)
    for highlight in (10, -1, "x"):
        with pytest.raises(InvalidInput, match="highlight: must be the number of a path, 0 to 9"):
            path_diagram(README, highlight=highlight)


def test_texts_of_diagrams() -> None:
    check_texts_are_whole(path_diagram(zoo.specimen("S12a").network))


@pytest.mark.sweep
def test_texts_of_all_diagrams(data: Any) -> None:
    for name in ("hat", "S12a", "S16", "maximum", "braid3"):
        net = zoo.specimen(name).network
        check_texts_are_whole(side_by_side(net, net.flip([0])))
    for specimen in zoo.SPECIMENS.values():
        check_texts_are_whole(path_diagram(specimen.network))
    for path in sorted(data.glob("*.json")):
        if path.stem != "answers":
            check_texts_are_whole(path_diagram(load(str(path))))


def test_large_and_other_networks_as_diagrams() -> None:
    (axes,) = path_diagram(Network.random((4, 30, 30, 2), 0)).axes
    assert not by_gid(axes.texts, "weight")
    assert not by_gid(axes.texts, "path entry")
    (axes,) = path_diagram(Network.mlp([[[1]], [[1]]], activation="tanh")).axes  # no embedding, but a diagram
    assert axes.get_title() == "2 parameters, 1 path"
    with pytest.raises(HypothesisNotMet, match="at most 20000 edges"):
        path_diagram(Network.random((1, 150, 150, 1), 0))


def test_two_parameterizations_of_the_hat() -> None:
    hat = zoo.specimen("hat").network
    figure = side_by_side(hat, hat.flip([0, 1, 2]))
    assert figure.get_suptitle() == r"$R_\theta = R_{\theta'}$ on R, $\theta \nsim_{PS} \theta'$"
    left, right = figure.axes[2:4]
    assert left.get_xlim() == right.get_xlim()
    assert left.get_ylim() == right.get_ylim()
    curves = [by_gid(axes.lines, "output 0")[0].get_xydata().tolist() for axes in (left, right)]
    assert curves[0] == curves[1]
    assert drawn_edges(figure.axes[0], "negative") == 1
    assert drawn_edges(figure.axes[1], "negative") == 4


def test_equal_maps_have_equal_colours_in_both_columns() -> None:
    net = zoo.specimen("S16").network
    other = net.flip([0, 1, 2])
    figure = side_by_side(net, other, "[-1,1]^2")
    assert figure.get_suptitle().startswith(r"$R_\theta = R_{\theta'}$ on [-1,1]^2")
    colours: dict[Any, set[Any]] = {}
    for axes, theta in zip(figure.axes[2:4], (net, other), strict=True):
        (cells,) = by_gid(axes.collections, "cells")
        window = Domain.parse("[-1,1]^2")
        for colour, form in zip(cells.get_facecolors(), activation_regions(theta, window).affine_maps, strict=True):
            colours.setdefault(form, set()).add(tuple(colour))
    assert len(colours) == 7
    assert all(len(found) == 1 for found in colours.values())
    check_texts_are_whole(figure)


def test_what_is_said_about_other_pairs() -> None:
    a, b = Network.mlp([[[1]], [[1]]]), Network.mlp([[[1]], [[2]]])
    assert side_by_side(a, b).get_suptitle() == r"$R_\theta \neq R_{\theta'}$ on R, $\theta \nsim_{PS} \theta'$"
    assert side_by_side(a, a.rescale([[3]])).get_suptitle().endswith(r"\theta \sim_{PS} \theta'$")
    wider = Network.mlp([[[1], [1]], [[1, 0]]])  # another architecture: nothing to say about equivalence
    assert side_by_side(a, wider).get_suptitle() == r"$R_\theta = R_{\theta'}$ on R"
    figure = side_by_side(zoo.specimen("braid3").network, zoo.specimen("braid3").network)
    assert len(figure.axes) == 2
    with pytest.raises(WrongDimension, match="b: must have 1 inputs like a"):
        side_by_side(a, README)
