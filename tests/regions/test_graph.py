"""The adjacency graph: nodes, edges, normals, jumps, and files that are the same in every process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction
from math import gcd
from pathlib import Path
from random import Random

import networkx
import pytest
from oracles import forward
from region_networks import batches, random_network, single_layer
from region_oracle import bending, signs_at

from exactrelu import Domain, InvalidFile, Layer, Network
from exactrelu.formats import graphs
from exactrelu.formats.graphs import graphml_text, node_link_text, save_graph
from exactrelu.regions import RegionComplex, activation_regions

Point = tuple[Fraction, ...]
STEP = Fraction(1, 2**60)  # less than any distance between facets of these networks


def graph_of(seed: int) -> tuple[RegionComplex, networkx.Graph]:
    net, halfspaces = random_network(70_000 + seed)
    cx = activation_regions(net, Domain.polytope(halfspaces=halfspaces) if halfspaces else None)
    return cx, cx.graph()


def gradient(net: Network, point: Point) -> list[list[Fraction]]:
    """Differences of values near a point of the interior: exact, as the network is affine there."""
    data = net.to_json()
    here = forward(data, point)[1][-1]
    columns = []
    for axis in range(net.input_dim):
        beside = tuple(c + STEP**2 * (i == axis) for i, c in enumerate(point))
        columns.append([(a - b) / STEP**2 for a, b in zip(forward(data, beside)[1][-1], here, strict=True)])
    return [list(row) for row in zip(*columns, strict=True)]


def check_edges(cx: RegionComplex, graph: networkx.Graph) -> int:
    """Every jump against values on both sides of the facet; how many jumps are not 0."""
    net, bent = cx.network, 0
    names = [str(region.pattern) for region in cx]
    assert list(graph.nodes(data=True)) == [(name, {"index": k}) for k, name in enumerate(names)]
    pairs = {(a.regions, a.neurons, a.point) for a in cx.adjacencies()}
    assert graph.number_of_edges() == len(cx.facets) == len(pairs)
    for a, b, edge in graph.edges(data=True):
        i, j = sorted((graph.nodes[a]["index"], graph.nodes[b]["index"]))
        assert ((i, j), edge["neurons"], edge["point"]) in pairs
        normal, jump, point = edge["normal"], edge["jump"], edge["point"]
        assert all(c.denominator == 1 for c in normal)
        assert gcd(*(int(c) for c in normal)) == 1
        before, after = (tuple(p + s * n for p, n in zip(point, normal, strict=True)) for s in (-STEP, STEP))
        for x, index in ((before, i), (after, j)):  # the normal points from i to j
            assert signs_at(net, x) == [s for group in cx.patterns[index].signs for s in group]
        old, new = gradient(net, before), gradient(net, after)
        for k, (was, now) in enumerate(zip(old, new, strict=True)):
            assert [y - x for x, y in zip(was, now, strict=True)] == [jump[k] * n for n in normal]
        bent += any(jump)
    return bent


@pytest.mark.parametrize("seeds", batches(60, 760, 350))
def test_random_graphs(seeds: range) -> None:
    bent, flat = 0, 0
    for seed in seeds:
        cx, graph = graph_of(seed)
        assert networkx.is_connected(graph)
        found = check_edges(cx, graph)
        bent += found
        flat += graph.number_of_edges() - found
    assert bent > 2 * len(seeds)
    assert flat > len(seeds)


def shallow(seed: int) -> Network:
    """One hidden layer, with twins, opposites and dead neurons."""
    r = Random(seed)
    d, outputs = r.randint(1, 3), r.randint(1, 2)
    rows = [[r.randint(-2, 2) for _ in range(d + 1)] for _ in range(r.randint(1, 4))]
    rows += [[r.choice((-2, -1, 1, 3)) * c for c in r.choice(rows)] for _ in range(r.randint(0, 2))]
    out = [[Fraction(r.randint(-3, 3), 2) for _ in rows] for _ in range(outputs)]
    skip = [[r.randint(-1, 1) for _ in range(d)] for _ in range(outputs)]
    first = Layer({0: [row[:-1] for row in rows]}, bias=[row[-1] for row in rows])
    return Network(d, [first, Layer({0: skip, 1: out}, activation="identity")])


@pytest.mark.parametrize("seeds", batches(60, 1060, 500))
def test_jump_is_the_signed_sum_over_the_label(seeds: range) -> None:
    r"""Theory 5.7: the gradient jumps by the sum of v_i (x) w_i, plus where i turns on and minus where it turns off."""
    several = 0
    for seed in seeds:
        net = shallow(seed)
        cx = activation_regions(net)
        weights, out = net.layers[0].weights[0], net.layers[1].weights.get(1)
        graph = cx.graph()
        for a, b, edge in graph.edges(data=True):
            low, high = (cx.patterns[k].signs[0] for k in sorted(graph.nodes[name]["index"] for name in (a, b)))
            total = [[Fraction(0)] * net.input_dim for _ in range(net.output_dim)]
            for _, i in edge["neurons"]:
                turn = (high[i] > 0) - (low[i] > 0)
                for k in range(net.output_dim):
                    total[k] = [t + turn * out[k][i] * w for t, w in zip(total[k], weights[i], strict=True)]
            assert total == [[jump * n for n in edge["normal"]] for jump in edge["jump"]]
            several += len(edge["neurons"]) > 1
    assert several > len(seeds) // 3


def test_a_label_with_a_change_from_zero() -> None:
    graph = activation_regions(Network.mlp([[[-3]], [[1]], [[5]]])).graph()
    ((_, _, edge),) = graph.edges(data=True)
    assert (list(graph), edge["neurons"]) == (["-|0", "+|+"], ((1, 0), (2, 0)))
    assert (edge["normal"], edge["jump"]) == ((-1,), (15,))


def test_one_region() -> None:
    graph = activation_regions(Network.mlp([[[1, 2]]])).graph()
    assert (list(graph.nodes(data=True)), graph.number_of_edges()) == ([("", {"index": 0})], 0)


PLANE = single_layer([[1, 0], [0, 1], [1, 1]], [0, 0, "-1/3"])
NETWORKS = [PLANE, Network.random((2, 6, 5, 2), 1), single_layer([[1], [-1]], [0, 0]), Network.mlp([[[1]]])]


def written(value: object) -> object:
    """A label as JSON writes it."""
    if isinstance(value, tuple):
        return [written(entry) for entry in value]
    return str(value) if isinstance(value, Fraction) else value


@pytest.mark.parametrize("net", NETWORKS)
def test_networkx_reads_both_formats(net: Network, tmp_path: Path) -> None:
    graph = activation_regions(net).graph()
    for name in ("g.graphml", "g.json", "G.GRAPHML", "G.JSON"):
        save_graph(graph, str(tmp_path / name))
    link = networkx.node_link_graph(json.loads((tmp_path / "g.json").read_text()), edges="links")
    xml = networkx.read_graphml(tmp_path / "g.graphml")
    assert dict(link.nodes(data=True)) == dict(xml.nodes(data=True)) == dict(graph.nodes(data=True))
    for a, b, data in graph.edges(data=True):
        assert link.edges[a, b] == {key: written(value) for key, value in data.items()}
        assert {key: json.loads(value) for key, value in xml.edges[a, b].items()} == link.edges[a, b]
    assert link.number_of_edges() == xml.number_of_edges() == graph.number_of_edges()
    for suffix in ("graphml", "json"):
        assert (tmp_path / f"g.{suffix}").read_bytes() == (tmp_path / f"G.{suffix.upper()}").read_bytes()


SCRIPT = """
import sys
from exactrelu import Network
from exactrelu.formats.graphs import save_graph
from exactrelu.regions import activation_regions
graph = activation_regions(Network.random((2, 8, 8, 2), 4)).graph()
for name in sys.argv[1:]:
    save_graph(graph, name)
"""


def test_the_same_bytes_in_every_process(tmp_path: Path) -> None:
    files = []
    for seed in ("0", "1", "4242"):
        names = [str(tmp_path / f"{seed}.{suffix}") for suffix in ("graphml", "json")]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", SCRIPT, *names], env=environment, check=True, timeout=60)
        files.append([Path(name).read_bytes() for name in names])
    assert files[0] == files[1] == files[2]
    graph = activation_regions(Network.random((2, 8, 8, 2), 4)).graph()
    assert files[0] == [graphml_text(graph).encode(), node_link_text(graph).encode()]
    assert len(graph) > 50


@pytest.mark.parametrize("suffix", ["graphml", "json"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, OSError])
def test_a_failure_keeps_the_old_file(
    suffix: str, error: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / f"g.{suffix}"
    target.write_text("old")

    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(InvalidFile if error is OSError else error):
        save_graph(activation_regions(PLANE).graph(), str(target))
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]
    monkeypatch.undo()
    save_graph(activation_regions(PLANE).graph(), str(target))
    assert target.read_text() != "old"


@pytest.mark.parametrize("name", ["g", "g.gml", "json", ".json.txt", "-", "graphml"])
def test_other_suffixes(name: str) -> None:
    with pytest.raises(InvalidFile, match=r'must end in "\.graphml" or "\.json"'):
        graphs.check_graph_name(name)


def test_a_slash_at_the_end_changes_no_format(tmp_path: Path) -> None:
    """Refused, or written in the format that the suffix names."""
    try:
        save_graph(activation_regions(PLANE).graph(), f"{tmp_path}/g.graphml/")
    except InvalidFile:
        assert not list(tmp_path.iterdir())
    else:
        assert len(networkx.read_graphml(tmp_path / "g.graphml")) == 7


def test_bending_neurons_alone_are_labels() -> None:
    """Identity neurons never flip."""
    first = Layer({0: [[1], [2]]}, bias=[0, 1], activation=["identity", "relu"])
    second = Layer({1: [[1, -1], [1, 1]]}, bias=[1, 0])
    net = Network(1, [first, second, Layer({2: [[1, 2]]}, activation="identity")])
    labels = {neuron for _, _, edge in activation_regions(net).graph().edges(data=True) for neuron in edge["neurons"]}
    assert labels == set(bending(net)) == {(1, 1), (2, 0), (2, 1)}
