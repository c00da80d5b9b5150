"""Regions of networks with any piecewise-linear activations, against z3 and interval arithmetic on lines."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import networkx
import pytest
from activation_networks import Box, Data, box_text, network, random_box, random_data
from activation_oracle import Cell, adjacent_pairs, cells, codes_text, linear_regions, pattern_at, simple_grid
from region_networks import batches

from exactrelu import BudgetExceeded, Domain, HypothesisNotMet, Layer, Network, RegionComplex
from exactrelu.formats.graphs import save_graph
from exactrelu.regions import activation_regions, count_regions, region_blocks, region_counts

LEAKY = {"name": "leaky_relu", "slope": "1/10"}


def value(form: tuple[Fraction, ...], point: tuple[Fraction, ...]) -> Fraction:
    return sum((a * x for a, x in zip(form, point, strict=False)), form[-1])


def at_least(cell: Cell, point: tuple[Fraction, ...], least: int) -> bool:
    """Whether a point lies in the open (1) or closed (0) cell."""
    return all((v > 0) - (v < 0) >= least for v in (value(form, point) for form in cell.positive))


def check_regions(complex: RegionComplex, data: Data, found: list[Cell]) -> list[Cell]:
    """Patterns, order, maps, interior points and boundedness; the cells in the order of the complex."""
    by_text = {codes_text(data, cell.codes): cell for cell in found}
    assert len(by_text) == len(found) == len(complex)
    assert {str(pattern) for pattern in complex.patterns} == by_text.keys()
    ordered = [by_text[str(pattern)] for pattern in complex.patterns]
    assert [tuple(filter(None, cell.codes)) for cell in ordered] == sorted(
        tuple(filter(None, cell.codes)) for cell in found
    )
    for region, cell in zip(complex, ordered, strict=True):
        matrix, offset = region.affine_map
        assert cell.outputs == tuple((*row, c) for row, c in zip(matrix, offset, strict=True))
        assert at_least(cell, region.interior_point, 1)
        assert pattern_at(data, region.interior_point) == str(region.pattern)
    return ordered


def check_neighbours(complex: RegionComplex, ordered: list[Cell]) -> None:
    """The pairs, the neurons whose codes differ, and a point in both closed cells."""
    edges = list(complex.adjacencies())
    pairs = adjacent_pairs(ordered)
    assert [edge.regions for edge in edges] == sorted(pairs)
    for edge in edges:
        ours, theirs = (ordered[k] for k in edge.regions)
        assert at_least(ours, edge.point, 0)
        assert at_least(theirs, edge.point, 0)
        flat = [[code for group in cell.codes for code in group] for cell in (ours, theirs)]
        changed = [neuron for neuron, a, b in zip(complex.neurons, *flat, strict=True) if a != b]
        assert list(edge.neurons) == changed
    counts = region_counts(complex)
    assert len(ordered) == counts.R2
    assert linear_regions(ordered, pairs) == counts.R4
    assert len({cell.outputs for cell in ordered}) == counts.R6
    assert counts.R6 <= counts.R5 <= counts.R4 <= counts.R2 <= counts.R1


def check_graph(complex: RegionComplex, ordered: list[Cell]) -> None:
    """Normals point from the lesser region to the other; the map jumps by jump x normal, and is continuous."""
    graph = complex.graph()
    assert list(graph) == [str(pattern) for pattern in complex.patterns]
    for edge in complex.adjacencies():
        i, j = edge.regions
        data = graph.edges[str(complex.patterns[i]), str(complex.patterns[j])]
        forward = [b - a for a, b in zip(complex[i].interior_point, complex[j].interior_point, strict=True)]
        assert sum(n * c for n, c in zip(data["normal"], forward, strict=True)) > 0
        for k, jump in enumerate(data["jump"]):
            before, after = ordered[i].outputs[k], ordered[j].outputs[k]
            assert [b - a for a, b in zip(before[:-1], after[:-1], strict=True)] == [jump * c for c in data["normal"]]
            assert value(before, data["point"]) == value(after, data["point"])


def check(data: Data, box: Box) -> RegionComplex:
    net, found = network(data), cells(data, box)
    complex = activation_regions(net, box_text(box))
    ordered = check_regions(complex, data, found)
    check_neighbours(complex, ordered)
    check_graph(complex, ordered)
    assert count_regions(net, box_text(box)) == len(found)
    return complex


def drawn(seed: int) -> tuple[Data, Box]:
    r = Random(seed)
    data = random_data(r)
    return data, random_box(r, data["input_dim"])


@pytest.mark.parametrize("seeds", batches(45, 2045, 100))
def test_everything_on_random_networks(seeds: range) -> None:
    for seed in seeds:
        check(*drawn(seed))


def test_the_random_networks_are_not_all_trivial() -> None:
    """Constants at breakpoints, several regions with codes above 1, walls that stop."""
    sizes, codes, constants = [], set(), 0
    for seed in range(45):
        data, box = drawn(seed)
        complex = activation_regions(network(data), box_text(box))
        sizes.append(len(complex))
        codes |= {code for row in complex.signs.tolist() for code in row}
        constants += any(not any(row) for layer in network(data).layers for _, block in layer.blocks for row in block)
    assert sum(size > 3 for size in sizes) > 12
    assert max(sizes) > 15
    assert codes >= {-1, 0, 1, 2, 3}
    assert constants > 5


def test_polyhedra_and_patterns_of_points() -> None:
    crossed = 0
    for seed in range(25):
        data, box = drawn(seed)
        complex = activation_regions(network(data), box_text(box))
        domain = Domain.space(data["input_dim"]) if box is None else Domain.box(box)
        regions = {str(region.pattern): region.polyhedron for region in complex}
        for point in simple_grid(data["input_dim"]):
            holders = {text for text, polyhedron in regions.items() if polyhedron.contains(point)}
            assert bool(holders) == domain.contains(point)
            if len(holders) > 1:
                crossed += 1
            elif holders and pattern_at(data, point) in regions:
                assert holders == {pattern_at(data, point)}
        assert all(region.bounded == region.polyhedron.is_bounded for region in complex)
    assert crossed > 25


def one(rho: Any, w: object = 1, b: object = 0) -> Network:
    return Network.mlp([[[w]], [[1]]], [[b], [0]], activation=rho)


SEVERAL: dict[str, tuple[Network, str | None, tuple[int, int, int]]] = {
    # network, domain, (R2, R5, R6)
    "|x|": (one("abs"), None, (2, 2, 2)),
    "leaky": (one(LEAKY), None, (2, 2, 2)),
    "clip": (one("hard_tanh"), None, (3, 3, 3)),
    "hat": (one("hat"), None, (4, 4, 3)),
    "hat on its support": (one("hat"), "[-1,1]", (2, 2, 2)),
    "hat off its support": (one("hat"), "[1,5]", (1, 1, 1)),
    "a breakpoint on the boundary": (one("relu6"), "[0,6]", (1, 1, 1)),
    "constant at a breakpoint": (one("hat", 0, 1), None, (1, 1, 1)),
    "||x| - 1|": (Network.mlp([[[1]], [[1]], [[1]]], [[0], [-1], [0]], activation="abs"), None, (4, 4, 4)),
    "|x| + |-x|: equal walls": (Network.mlp([[[1], [-1]], [[1, 1]]], activation="abs"), None, (2, 2, 2)),
    "|x| - |-x|": (Network.mlp([[[1], [-1]], [[1, -1]]], activation="abs"), None, (2, 1, 1)),
    "|x| + |y|": (Network.mlp([[[1, 0], [0, 1]], [[1, 1]]], activation="abs"), None, (4, 4, 4)),
    "clip x + clip y": (Network.mlp([[[1, 0], [0, 1]], [[1, 1]]], activation="hard_tanh"), None, (9, 8, 8)),
    "clip(x) + clip(x - 2): parallel walls": (
        Network.mlp([[[1], [1]], [[1, 1]]], [[0, -2], [0]], activation="hard_tanh"), None, (4, 3, 3)),
    "hat of the dead": (Network.mlp([[[0]], [[1]], [[1]]], [[-1], [0], [0]], activation=["hat"]), None, (1, 1, 1)),
    "|| behind a dead half": (
        Network(1, [Layer({0: [[1]]}), Layer({1: [[-1]]}, activation="abs"), Layer({2: [[1]]}, activation="identity")]),
        None, (2, 2, 2)),
    "an output that bends": (Network.mlp([[[1, 1]]], output_activation="hard_tanh"), None, (3, 3, 3)),
}  # fmt: skip


@pytest.mark.parametrize("name", SEVERAL)
def test_known_counts(name: str) -> None:
    net, domain, expected = SEVERAL[name]
    counts = region_counts(activation_regions(net, domain))
    assert expected == (counts.R2, counts.R5, counts.R6)


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
def test_the_triangle_wave_doubles_with_every_layer(depth: int) -> None:
    """hat(2 hat(x) - 1): folding [-1, 1] onto [0, 1] and stretching it back."""
    weights = [[[1]], *[[[2]]] * (depth - 1), [[1]]]
    net = Network.mlp(weights, [[0], *[[-1]] * (depth - 1), [0]], activation="hat")
    complex = activation_regions(net, "[-1,1]")
    assert len(complex) == region_counts(complex).R4 == 2**depth
    assert {row for (row,), _ in complex.affine_maps} == {(2 ** (depth - 1),), (-(2 ** (depth - 1)),)}
    ends = [edge.point[0] for edge in complex.adjacencies()]
    assert sorted(ends) == [Fraction(k, 2 ** (depth - 1)) - 1 for k in range(1, 2**depth)]
    assert all(net([a])[0] != net([b])[0] for a, b in pairwise(sorted(ends)))


def test_a_clip_has_the_regions_of_two_relus() -> None:
    """The same cells, in the same places, as those of relu(t) - relu(t - 1)."""
    for seed in range(20):
        r = Random(seed)
        rows = [[r.randint(-3, 3), r.randint(-3, 3)] for _ in range(2)]
        bias = [r.randint(-2, 2) for _ in range(2)]
        folded = Network.mlp([rows, [[1, 2]]], [bias, [0]], activation={"name": "clip", "lower": "0", "upper": "1"})
        two = Network.mlp(
            [[row for row in rows for _ in range(2)], [[1, -1, 2, -2]]],
            [[b - k for b in bias for k in range(2)], [0]],
        )
        ours, theirs = activation_regions(folded), activation_regions(two)
        assert len(ours) == len(theirs)
        assert ours.f_vector == theirs.f_vector
        assert networkx.is_isomorphic(ours.graph(), theirs.graph())
        assert sorted(map(str, ours.affine_maps)) == sorted(map(str, theirs.affine_maps))


def test_blocks_and_budget() -> None:
    net = network(random_data(Random(3)))
    complex = activation_regions(net)
    assert sum(len(block) for block in region_blocks(net)) == len(complex)
    wide = Network.mlp([[[1]] * 5, [[1] * 5]], [range(5), [0]], activation="hat")
    with pytest.raises(BudgetExceeded, match="at most 3 regions"):
        activation_regions(wide, budget=3)


def test_faces_show_the_pieces() -> None:
    complex = activation_regions(one("hat"))
    assert [str(pattern) for pattern in complex.faces(1)] == ["0", "1", "2", "3"]
    assert [str(pattern) for pattern in complex.faces(0)] == ["0", "1", "2"]  # the left piece at a breakpoint


def test_graph_files(tmp_path: Any) -> None:
    graph = activation_regions(Network.mlp([[[1], [1]], [[1, 1]]], activation=["hat", "abs"])).graph()
    save_graph(graph, str(tmp_path / "g.json"))
    save_graph(graph, str(tmp_path / "g.graphml"))
    nodes = [node["id"] for node in json.loads((tmp_path / "g.json").read_text())["nodes"]]
    assert nodes == list(networkx.read_graphml(tmp_path / "g.graphml")) == ["0,0", "1,0", "2,1", "3,1"]


@pytest.mark.parametrize("ask", [activation_regions, count_regions, lambda net: list(region_blocks(net))])
def test_analytic_networks_have_no_regions(ask: Any) -> None:
    with pytest.raises(HypothesisNotMet, match=r"must be piecewise linear, but neuron \(1, 0\) is tanh"):
        ask(one("tanh"))
