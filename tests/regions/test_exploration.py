"""Regions around a point: the same as the part of the complete complex, and right where there is no complete one."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random

import networkx
import pytest
from activation_networks import box_text, network, random_box, random_data
from region_networks import batches, random_network
from region_oracle import signs_at

import exactrelu as er
from exactrelu import BudgetExceeded, Domain, InvalidInput, Layer, Network, OnKink, WrongDimension
from exactrelu.regions import Exploration, RegionComplex, activation_regions, explore_regions
from exactrelu.regions.linear_program_engine import facets
from exactrelu.regions.linear_program_engine.tree_search import search
from exactrelu.regions.program import compile_network

HAT = Network.mlp([[[1], [1], [1]], [[1, -2, 1]]], [[1, 0, -1], [0]])


def check_against(cx: RegionComplex, found: Exploration, start: int) -> None:
    """What was found is a part of the complex, with all its facets, ordered by the distance from the start."""
    graph = cx.graph()
    distance = networkx.single_source_shortest_path_length(graph, str(cx[start].pattern))
    part = found.complex
    names = [str(pattern) for pattern in part.patterns]
    assert [distance[name] for name in names] == list(found.crossings)
    assert names[found.start] == str(cx[start].pattern)
    farthest = max(found.crossings)
    assert {name for name, d in distance.items() if d < farthest} <= set(names)
    for region, name in zip(part, names, strict=True):
        other = cx[graph.nodes[name]["index"]]
        assert (region.affine_map, region.bounded) == (other.affine_map, other.bounded)
        assert cx.network.pattern(region.interior_point) == region.pattern
    inner = {(*sorted((names[i], names[j])), edge.neurons) for edge in part.adjacencies() for i, j in [edge.regions]}
    outer = {(names[exit.region], str(exit.pattern), exit.neurons) for exit in found.exits}
    assert (len(inner), len(outer)) == (len(part.facets), len(found.exits))
    edges = [(*sorted((a, b)), edge["neurons"]) for a, b, edge in graph.edges(data=True)]
    assert inner == {(a, b, flipped) for a, b, flipped in edges if a in names and b in names}
    assert outer == {
        (a, b, flipped) for c, d, flipped in edges for a, b in ((c, d), (d, c)) if a in names and b not in names
    }
    assert part.complete == (not outer) == (len(part) == len(cx))


def check_facets(net: Network, found: Exploration, *, every: int = 1) -> None:
    """Exactly the flipping neurons and those that are 0 on one side vanish at the points of facets."""
    part, flat = found.complex, net.unfolding.network
    crossed = [(part[i].pattern, part[j].pattern, edge.point) for edge in part.adjacencies() for i, j in [edge.regions]]
    crossed += [(part[exit.region].pattern, exit.pattern, exit.point) for exit in found.exits]
    for before, after, point in crossed[::every]:
        one, other = (
            [s for group in net.unfolding.pattern(pattern).signs for s in group] for pattern in (before, after)
        )
        for sign, s, t in zip(signs_at(flat, point), one, other, strict=True):
            assert sign in ((0,) if s != t else (s, 0))
        assert part.domain.contains(point)


def explored(r: Random, cx: RegionComplex) -> None:
    start = r.randrange(len(cx))
    options = {"crossings": r.randint(0, 3)} if r.random() < 0.5 else {"limit": r.randint(1, len(cx) + 1)}
    found = explore_regions(cx.network, cx[start].interior_point, domain=cx.domain, **options)
    assert max(found.crossings) <= options.get("crossings", len(cx))
    assert len(found.complex) == min(options["limit"], len(cx)) if "limit" in options else found.complex
    check_against(cx, found, start)
    check_facets(cx.network, found)


@pytest.mark.parametrize("seeds", batches(50, 450, 200))
def test_against_the_complete_complex(seeds: range) -> None:
    for seed in seeds:
        net, halfspaces = random_network(80_000 + seed)
        domain = Domain.polytope(halfspaces=halfspaces) if halfspaces else Domain.space(net.input_dim)
        explored(Random(seed), activation_regions(net, domain))


@pytest.mark.parametrize("seeds", batches(8, 88, 80))
def test_other_activations(seeds: range) -> None:
    for seed in seeds:
        r = Random(seed)
        net = network(random_data(r))
        explored(r, activation_regions(net, box_text(random_box(r, net.input_dim))))


@pytest.mark.sweep
def test_against_the_complete_complex_in_more_dimensions() -> None:
    for seed in range(25):
        r = Random(seed)
        d = r.randint(4, 6)
        explored(r, activation_regions(Network.random((d, d, r.randint(1, 4), 1), seed)))


def test_all_facets_one_by_one_and_together() -> None:
    """Clarkson's way and one question per form agree, with floats and without."""
    for seed in range(20):
        net, halfspaces = random_network(81_000 + seed)
        cells = [cell for group in search(compile_network(net, halfspaces)) for cell in group]
        wanted = [
            [k for k in range(len(cell.forms)) if facets.facet_points([(cell, k)], exact_only=True)[0]]
            for cell in cells
        ]
        for exact_only in (False, True):
            found = facets.all_facets(cells, exact_only=exact_only)
            assert [sorted(known) for known in found] == wanted
            for cell, known in zip(cells, found, strict=True):
                for k, point in known.items():
                    assert [j for j, form in enumerate(cell.forms) if form.at(point) <= 0] == [k]
                    assert cell.forms[k].at(point) == 0


def test_784_inputs() -> None:
    net = Network.random((784, 16, 10, 10), 0)
    r = Random(1)
    point = [Fraction(r.randint(-50, 50), 10) for _ in range(784)]
    found = explore_regions(net, point, crossings=1)
    assert found.crossings.count(0) == 1 and set(found.crossings) == {0, 1}
    start = found.complex[found.start]
    assert start.pattern == net.pattern(point) and start.interior_point == tuple(point)
    assert all(net.pattern(region.interior_point) == region.pattern for region in found.complex)
    assert not any(region.bounded for region in found.complex)
    check_facets(net, found, every=100)
    assert sum(found.start in edge.regions for edge in found.complex.adjacencies()) == len(found.complex) - 1


def test_a_real_network(real: Path) -> None:
    net = er.load(real / "ACASXU_run2a_1_1_batch_2000.onnx")
    found = explore_regions(net, ["1/10", "-1/5", "1/7", "1/3", "-1/4"], limit=3)
    assert (len(found.complex), sorted(found.crossings)) == (3, [0, 1, 1])
    assert all(net.pattern(region.interior_point) == region.pattern for region in found.complex)
    for exit in found.exits[:10]:
        at, here = net.pattern(exit.point), found.complex[exit.region].pattern
        zero = {(k, i) for k, group in enumerate(at.signs, start=1) for i, sign in enumerate(group) if not sign}
        flipped = {
            (k, i)
            for k, groups in enumerate(zip(here.signs, exit.pattern.signs, strict=True), start=1)
            for i, (s, t) in enumerate(zip(*groups, strict=True))
            if s != t
        }
        assert flipped == set(exit.neurons) and flipped <= zero


def test_one_region() -> None:
    found = explore_regions(Network.mlp([[[0, 0]], [[1]]], [[0], [0]]), [0, 0], crossings=5)
    assert (len(found.complex), found.complex.complete, found.exits, found.start) == (1, True, (), 0)
    assert str(found.complex[0].pattern) == "0"


def test_points_keep_the_coordinates_that_do_not_matter() -> None:
    net = Network(3, [Layer({0: [[1, 1, 0]]}, bias=[0]), Layer({1: [[1]]}, activation="identity")])
    found = explore_regions(net, ["1/2", 5, 7], crossings=1)
    assert found.complex[found.start].interior_point == (Fraction(1, 2), 5, 7)
    (edge,) = found.complex.adjacencies()
    assert edge.point[0] + edge.point[1] == 0 and edge.point[1:] == (5, 7)


def test_a_sliver() -> None:
    thin = Fraction(1, 2**300)
    found = explore_regions(HAT.replace({"b[1][1]": thin - 1}), [1 - thin / 2], crossings=2)
    assert [str(region.pattern) for region in found.complex] == ["---", "+--", "++-", "+++"][: len(found.complex)]
    assert found.complex.complete


def test_kinks_are_refused() -> None:
    with pytest.raises(
        OnKink, match=r"point: must lie inside a region, but neuron \(1, 1\) bends there; move it a little"
    ):
        explore_regions(HAT, [0], crossings=1)
    with pytest.raises(OnKink, match=r"neuron \(1, 0\) bends"):
        explore_regions(Network.mlp([[[1]], [[1]]], activation="hat"), [-1], limit=2)


def test_bad_input() -> None:
    for options, sentence in (
        ({}, "crossings: must be given, or limit, or both"),
        ({"crossings": -1}, "crossings: must be an integer, at least 0; got -1"),
        ({"crossings": True}, "crossings: must be an integer, at least 0; got True"),
        ({"limit": 0}, "limit: must be an integer, at least 1; got 0"),
        ({"limit": "3"}, "limit: must be an integer, at least 1; got '3'"),
        ({"limit": 3, "domain": "[2,3]"}, r"point: must lie in the interior of the domain \[2,3\]"),
        ({"limit": 3, "domain": "[1/2,3]"}, r"point: must lie in the interior of the domain"),
        ({"limit": 3, "domain": "[2,3]^2"}, "domain: must have 1 coordinates; got 2"),
    ):
        with pytest.raises(InvalidInput, match=sentence):
            explore_regions(HAT, ["1/2"], **options)
    with pytest.raises(WrongDimension, match="point"):
        explore_regions(HAT, [1, 2], limit=1)
    with pytest.raises(BudgetExceeded, match="at most 256 inputs, where the domain is not all of space, are allowed"):
        explore_regions(Network.random((257, 2, 1), 0), [0] * 257, limit=1, domain=Domain.box([(-1, 1)] * 257))
