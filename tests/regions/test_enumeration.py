"""Random and special networks against an independent enumeration of all faces."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from region_checks import adjacent_patterns, check_complex, patterns_of
from region_networks import batches, random_network, single_layer

from exactrelu import Domain, Halfspace, Layer, Network
from exactrelu.regions.vertex_engine.enumeration import regions


@pytest.mark.parametrize("seeds", batches(70, 770, 350))
def test_against_the_oracle(seeds: range) -> None:
    for seed in seeds:
        check_complex(*random_network(seed))


@pytest.mark.sweep
@pytest.mark.parametrize("seeds", [range(25), range(25, 50)], ids=str)
def test_larger_networks_against_the_oracle(seeds: range) -> None:
    for seed in seeds:
        check_complex(*random_network(seed, 4, 6))


@pytest.mark.parametrize("seeds", batches(60, 1060, 500))
def test_complexes_without_the_oracle(seeds: range) -> None:
    for seed in seeds:
        check_complex(*random_network(10_000 + seed, 4, 5), with_oracle=False)


def test_the_random_networks_are_diverse() -> None:
    """What the comparisons rely on does occur among the first seeds."""
    seen = {"auxiliary": 0, "box": 0, "cone": 0, "trivial": 0, "skip": 0, "absent": 0, "identity": 0, "zero": 0,
            "rank": 0, "relu output": 0, "no bias": 0}  # fmt: skip
    for seed in range(70):
        net, halfspaces = random_network(seed)
        cells = regions(net, halfspaces)
        hidden = [rho.name for layer in net.layers[:-1] for rho in layer.activations]
        entries = [w for layer in net.layers for _, block in layer.blocks for row in block for w in row]
        seen["auxiliary"] += cells.program.auxiliary > 0
        seen["box"] += bool(halfspaces) and bool(cells.bounded().all())
        seen["cone"] += bool(halfspaces) and not cells.bounded().all()
        seen["trivial"] += any(half.is_trivial for half in halfspaces)
        seen["skip"] += not net.is_layered
        seen["absent"] += None in entries
        seen["identity"] += "identity" in hidden
        seen["zero"] += bool((cells.patterns() == 0).any())
        seen["rank"] += cells.lattice.dim < net.input_dim
        seen["relu output"] += "relu" in [rho.name for rho in net.layers[-1].activations]
        seen["no bias"] += net.layers[0].bias is None
    assert not [name for name, times in seen.items() if not times]


def test_no_neuron_bends() -> None:
    line = Network(3, [Layer({0: [[1, 2, 3]]}, bias=[1], activation="identity")])
    cells = check_complex(line)
    assert (cells.count, cells.f_vector(), cells.interior_point(0), cells.adjacency[0].size) == (1, (1,), (0, 0, 0), 0)
    assert cells.bounded().tolist() == [False]
    segment = check_complex(Network.mlp([[[1]]]), [Halfspace([1], 1), Halfspace([-1], 0)])
    assert (segment.f_vector(), segment.bounded().tolist()) == ((1, 2), [True])


@pytest.mark.parametrize(("bias", "sign"), [(-1, -1), (0, 0), ("1/3", 1)])
def test_constant_neuron(bias: object, sign: int) -> None:
    cells = check_complex(Network.mlp([[[0, 0]], [[1]]], [[bias], [0]]))
    assert (cells.count, cells.patterns().tolist(), cells.f_vector()) == (1, [[sign]], (1,))


def test_relu_on_the_output_cuts_too() -> None:
    cells = check_complex(Network.mlp([[[1], [-1]], [[1, 1]]], [[0, 0], [-1]], output_activation="relu"))
    assert cells.program.neurons == ((1, 0), (1, 1), (2, 0))
    assert sorted(patterns_of(cells)) == [(-1, 1, -1), (-1, 1, 1), (1, -1, -1), (1, -1, 1)]


def test_neuron_identically_zero_on_a_region() -> None:
    cells = check_complex(Network.mlp([[[1, 0], [0, 1]], [[1, 1]], [[1]]]))
    patterns = patterns_of(cells)
    assert sorted(patterns) == [(-1, -1, 0), (-1, 1, 1), (1, -1, 1), (1, 1, 1)]
    one, other = patterns.index((-1, -1, 0)), patterns.index((1, -1, 1))
    differ = cells.patterns()[:, one] != cells.patterns()[:, other]
    assert [n for n, flag in zip(cells.program.neurons, differ, strict=True) if flag] == [(1, 0), (2, 0)]


def test_skip_beyond_the_first_layer_needs_auxiliary_cuts() -> None:
    """The first layer sees x, the second y as well: three regions are made of two cells each or more."""
    second = Layer({0: [[None, 1]], 1: [[1]]}, bias=[-1])
    net = Network(2, [Layer({0: [[1, 0]]}, bias=[0]), second, Layer({2: [[1]]}, activation="identity")])
    cells = check_complex(net)
    assert (cells.program.auxiliary, cells.lattice.cells > cells.count) == (1, True)
    assert cells.f_vector() == (4, 4, 1)
    assert not cells.bounded().any()


@pytest.mark.parametrize("bias", [-1, 1])
def test_regions_made_of_a_bounded_and_an_unbounded_cell(bias: int) -> None:
    """Strips in x, cut at y = -bias by a neuron that reads y past the first layer, and by the auxiliary y = 0."""
    first = Layer({0: [[1, 0], [1, 0]]}, bias=[0, -1])
    second = Layer({0: [[None, 1]], 1: [[0, 0]]}, bias=[bias])
    cells = check_complex(Network(2, [first, second, Layer({2: [[1]]}, activation="identity")]))
    assert (cells.program.auxiliary, cells.lattice.cells, cells.f_vector()) == (1, 9, (6, 7, 2))
    assert not cells.bounded().any()


def test_identity_layers_in_front_start_without_auxiliary_cuts() -> None:
    first = Layer({0: [[1, 1, 0], [0, 1, 1]]}, bias=[1, 0], activation="identity")
    second = Layer({1: [[1, 0], [0, 1], [1, 1]]}, bias=[0, 0, -5], activation="relu")
    cells = check_complex(Network(3, [first, second]))
    assert (cells.program.auxiliary, cells.lattice.dim, cells.f_vector()) == (0, 2, (7, 9, 3))


# rows and biases of one layer; f-vector
SAME_HYPERPLANES = [
    ([[1, 2], [1, 2]], [3, 3], (2, 1)),
    ([[1, 2], [-1, -2]], [3, -3], (2, 1)),
    ([[1, 2], ["1/3", "2/3"], [-2, -4]], [3, 1, -6], (2, 1)),
    ([[1, 2], [2, 4], [-1, -2]], [0, -2, 2], (4, 3)),
    ([[1, 0], [2, 0], [0, 1], [0, -3], [1, 1]], [0, 0, 0, 0, 0], (6, 6, 1)),
    ([[0, 0], [1, 0], [0, 0]], [1, 0, -1], (2, 1)),
]


@pytest.mark.parametrize(("rows", "bias", "f"), SAME_HYPERPLANES)
def test_equal_opposite_and_parallel_rows(rows: list[list[object]], bias: list[object], f: tuple[int, ...]) -> None:
    assert check_complex(single_layer(rows, bias)).f_vector() == f


# domain of the three lines x = 0, y = 0, x + y = 1; regions; f-vector with the boundary of the domain
DOMAINS = [
    ("R^2", 7, (7, 9, 3)),
    ("[-1,2]^2", 7, (7, 17, 11)),
    ("[0,1]^2", 2, (2, 5, 4)),
    ("[1/4,1/3]^2", 1, (1, 4, 4)),
    ("[-2,-1]x[5,7]", 1, (1, 4, 4)),
    ("[-2,-1]x[1,3]", 2, (2, 6, 5)),
    ("[0,1]xR", 3, (3, 7, 3)),
    ("[3,4]xR", 3, (3, 8, 4)),
]


@pytest.mark.parametrize(("domain", "count", "f"), DOMAINS)
def test_domains(domain: str, count: int, f: tuple[int, ...]) -> None:
    net = single_layer([[1, 0], [0, 1], [1, 1]], [0, 0, -1])
    cells = check_complex(net, Domain.parse(domain).halfspaces)
    assert (cells.count, cells.f_vector()) == (count, f)


def test_redundant_and_trivial_halfspaces_change_no_region() -> None:
    net, box = Network.random((2, 5, 5, 1), 3), Domain.parse("[-1,1]^2").halfspaces
    more = [Halfspace([1, 1], 2), Halfspace([0, 0], 0), Halfspace([1, 0], 9), *box, Halfspace([2, 0], 2), box[0]]
    few, many = (check_complex(net, halfspaces, with_oracle=False) for halfspaces in (box, more))
    assert sorted(patterns_of(few)) == sorted(patterns_of(many))
    assert adjacent_patterns(few) == adjacent_patterns(many)
    assert few.f_vector() == many.f_vector()


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5, 6])
def test_cubes(d: int) -> None:
    """The cube alone: its faces, its only region, and 2^d orthants around an inner point of it."""
    cube = Domain.parse(f"[-1,1]^{d}").halfspaces
    alone = regions(Network.mlp([[[0] * d]]), cube)
    assert alone.f_vector() == tuple(alone.lattice.size[::-1])
    assert alone.f_vector()[d] == 2**d
    assert {abs(c) for v in range(2**d) for c in alone.vertex(v)} == {1}
    cut = regions(single_layer([[int(i == j) for j in range(d)] for i in range(d)], ["1/2"] * d), cube)
    assert sorted(patterns_of(cut)) == sorted(product((-1, 1), repeat=d))
    assert np.count_nonzero(cut.bounded()) == cut.adjacency[0].size * 2 // d == 2**d
