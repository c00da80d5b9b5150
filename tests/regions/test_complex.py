"""The complex read region by region: order, points, maps, polyhedra, neighbours, volumes, faces, budgets.

Values come from ``oracles``, signs and faces from ``region_oracle``; polyhedra are tested by themselves.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import combinations, pairwise
from random import Random

import pytest
from oracles import forward
from region_networks import batches, random_network, single_layer
from region_oracle import all_faces, bending, signs_at

from exactrelu import BudgetExceeded, Domain, InvalidDomain, InvalidInput, Layer, Network, Polyhedron, WrongDimension
from exactrelu.regions import (
    RegionComplex,
    activation_regions,
    count_regions,
    region_blocks,
    region_counts,
)
from exactrelu.regions.vertex_engine import enumeration

FAR = 10**40
Point = tuple[Fraction, ...]


def behind_the_first_layer(seed: int) -> Network:
    """A network whose first layer does not see the last coordinate, which a skip brings in later."""
    r = Random(seed)
    d, width = r.randint(2, 3), r.randint(1, 2)

    def row(size: int) -> list[int]:
        return [r.randint(-2, 2) for _ in range(size)]

    first = Layer({0: [[*row(d - 1), None] for _ in range(width)]}, bias=row(width))
    blocks = {0: [[*[None] * (d - 1), r.choice((-1, 1))] for _ in range(2)], 1: [row(width) for _ in range(2)]}
    return Network(d, [first, Layer(blocks, bias=row(2)), Layer({2: [row(2)], 1: [row(width)]}, activation="identity")])


def case(seed: int) -> tuple[Network, Domain]:
    """Every sixth network has a direction that its first layer does not see."""
    net, halfspaces = random_network(50_000 + seed)
    if seed % 6 == 5:
        net = behind_the_first_layer(seed)
        box = Domain.box([(-2, 3)] * net.input_dim) if seed % 4 == 1 else Domain.space(net.input_dim)
        return net, box
    return net, Domain.polytope(halfspaces=halfspaces) if halfspaces else Domain.space(net.input_dim)


def flat(pattern: object) -> list[int]:
    return [sign for group in pattern.signs for sign in group]


def inside(domain: Domain, point: Point) -> bool:
    """Whether a point lies in the interior of a full-dimensional domain."""
    return all(half.slack(point) > 0 for half in domain.halfspaces if not half.is_trivial)


def moved(point: Point, direction: Point, step: object) -> Point:
    return tuple(a + step * b for a, b in zip(point, direction, strict=True))


def applied(affine: tuple[tuple[Point, ...], Point], point: Point) -> list[Fraction]:
    matrix, offset = affine
    return [sum((a * x for a, x in zip(row, point, strict=True)), c) for row, c in zip(matrix, offset, strict=True)]


def check_region(cx: RegionComplex, index: int, values: partial[list[Fraction]]) -> None:
    """Pattern, map and polyhedron of one region fit each other and the network."""
    net, region, polyhedron = cx.network, cx[index], cx[index].polyhedron
    signs, x = flat(region.pattern), region.interior_point
    assert signs_at(net, x) == signs
    assert inside(cx.domain, x)
    assert all(half.slack(x) > 0 for half in polyhedron.halfspaces if not half.is_trivial)
    assert region.vertices == polyhedron.vertices
    assert region.rays == polyhedron.rays
    assert region.bounded == polyhedron.is_bounded == (not polyhedron.rays and not polyhedron.lines)
    for vertex in region.vertices:
        assert all(at in (s, 0) for at, s in zip(signs_at(net, vertex), signs, strict=True))
        assert cx.domain.contains(vertex)
    middle = [tuple((a + b) / 2 for a, b in zip(x, vertex, strict=True)) for vertex in region.vertices]
    lines = [tuple(s * c for c in line) for line in polyhedron.lines for s in (1, -1)]
    distant = [moved(x, ray, FAR) for ray in (*region.rays, *lines)]
    for point in (x, *middle, *distant):
        assert signs_at(net, point) == signs
        assert inside(cx.domain, point)
    for point in (x, *middle, *distant, *region.vertices):
        assert applied(region.affine_map, point) == values(point)
    hull = Polyhedron.from_generators(region.vertices, rays=region.rays, lines=polyhedron.lines)
    assert hull == polyhedron


def check_neighbours(cx: RegionComplex) -> None:
    """Adjacencies against the facets of the polyhedra, and their points against all regions."""
    net, patterns = cx.network, [flat(region.pattern) for region in cx]
    polyhedra = [region.polyhedron for region in cx]
    found: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {}
    for adjacency in cx.adjacencies():
        i, j = adjacency.regions
        assert i < j and (i, j) not in found
        found[i, j] = adjacency.neurons
        at = signs_at(net, adjacency.point)
        around = [k for k, p in enumerate(patterns) if all(s in (t, 0) for s, t in zip(at, p, strict=True))]
        assert around == [i, j] == [k for k, p in enumerate(polyhedra) if p.contains(adjacency.point)]
        assert inside(cx.domain, adjacency.point)
        flips = [n for n, s, t in zip(bending(net), patterns[i], patterns[j], strict=True) if s != t]
        assert list(adjacency.neurons) == flips != []
    assert list(found) == sorted(found) == [(i, j) for i, j, _ in cx.facets]
    crossed = set()
    for i, polyhedron in enumerate(polyhedra):
        for facet in polyhedron.facets:
            on = Polyhedron(net.input_dim, [*polyhedron.halfspaces, facet.opposite]).interior_point
            others = [j for j, other in enumerate(polyhedra) if j != i and other.contains(on)]
            assert len(others) == inside(cx.domain, on)
            crossed |= {(i, j) for j in others}
    assert crossed == {pair for i, j in found for pair in ((i, j), (j, i))}


def check(cx: RegionComplex) -> None:
    """Everything about a complete complex that needs no other enumeration."""
    patterns = [flat(region.pattern) for region in cx]
    assert all(a < b for a, b in pairwise(patterns))  # - < 0 < +, neuron by neuron, and no pattern twice
    assert [flat(p) for p in cx.patterns] == patterns == [flat(cx[k - len(cx)].pattern) for k in range(len(cx))]
    data = cx.network.to_json()
    for index in range(len(cx)):
        check_region(cx, index, partial(lambda x: forward(data, x)[1][-1]))
    check_neighbours(cx)
    f, d = cx.f_vector, cx.network.input_dim
    assert (len(f), f[-1]) == (d + 1, len(cx))
    assert cx.euler_characteristic == sum(n if k % 2 == 0 else -n for k, n in enumerate(f))
    if cx.domain.is_space:
        assert cx.euler_characteristic == (-1) ** d
    if all(region.bounded for region in cx):
        assert cx.euler_characteristic == 1
        assert sum(region.polyhedron.volume for region in cx) == cx.domain.polyhedron.volume


@pytest.mark.parametrize("seeds", batches(40, 340, 150))
def test_random_complexes(seeds: range) -> None:
    degenerate, bounded = 0, 0
    for seed in seeds:
        cx = activation_regions(*case(seed))
        check(cx)
        degenerate += any(0 in flat(p) for p in cx.patterns) or any(len(a.neurons) > 1 for a in cx.adjacencies())
        bounded += cx[0].bounded and cx[len(cx) - 1].bounded
    assert degenerate > len(seeds) // 8
    assert bounded > len(seeds) // 8


def faces_by_dimension(net: Network, domain: Domain) -> tuple[dict[int, list[list[int]]], set[tuple[object, object]]]:
    """By z3: the signs of the faces of every dimension, and the pairs of neurons that bend at a common face."""
    size = len(bending(net))
    known = all_faces(net, domain.halfspaces)
    regions = [signs for codimension, signs in known if codimension == 0]
    faces: dict[int, list[list[int]]] = {k: [] for k in range(net.input_dim + 1)}
    pairs = set()
    for codimension, signs in known:
        faces[net.input_dim - codimension].append(list(signs[:size]))
        around = [r for r in regions if all(s in (t, 0) for s, t in zip(signs, r, strict=True))]
        bent = [n for k, n in enumerate(bending(net)) if signs[k] == 0 and any(r[k] for r in around)]
        pairs |= set(combinations(bent, 2))
    return faces, pairs


def check_faces(net: Network, domain: Domain, *, patterns: bool = True) -> bool:
    """Whether auxiliary hyperplanes were at work; ``patterns`` of the faces or their numbers alone."""
    cx = activation_regions(net, domain)
    known, pairs = faces_by_dimension(net, domain)
    assert cx.f_vector == tuple(len(known[k]) for k in range(net.input_dim + 1))
    assert cx.meeting_neurons() == pairs
    if patterns:
        for k, wanted in known.items():
            assert [flat(p) for p in cx.faces(k)] == sorted(wanted), k
    return cx.cells.program.auxiliary > 0


@pytest.mark.parametrize("seeds", batches(24, 324, 150))
def test_faces_and_meeting_neurons_against_z3(seeds: range) -> None:
    for seed in seeds:
        net, domain = case(seed)
        check_faces(net, domain, patterns=not activation_regions(net, domain).cells.program.auxiliary)


def blind_cases() -> list[tuple[Network, Domain]]:
    return [(net, Domain.space(net.input_dim)) for net in map(behind_the_first_layer, range(6))]


def test_auxiliary_hyperplanes_are_not_counted() -> None:
    assert sum(check_faces(net, domain, patterns=False) for net, domain in blind_cases()) > 3


def test_auxiliary_hyperplanes_are_no_faces() -> None:
    """The engine cuts by hyperplanes of its own where the first layer is blind; faces are those of the network."""
    for net, domain in blind_cases():
        check_faces(net, domain)


LINES = [
    ("apart", [[1], [1]], [0, -1], None, set()),
    ("equal", [[1], [2]], [1, 2], None, {((1, 0), (1, 1))}),
    ("opposite", [[1], [-1]], [1, -1], None, {((1, 0), (1, 1))}),
    ("cross", [[1, 0], [0, 1]], [0, 0], None, {((1, 0), (1, 1))}),
    ("cross outside", [[1, 0], [0, 1]], [0, 0], "[1,2]^2", set()),
    ("cross at a corner", [[1, 0], [0, 1]], [0, 0], "[0,2]^2", {((1, 0), (1, 1))}),
    ("identically zero", [[1, 0], [0, 0]], [0, 0], None, set()),
]


@pytest.mark.parametrize(("rows", "bias", "domain", "pairs"), [row[1:] for row in LINES], ids=[row[0] for row in LINES])
def test_meeting_by_hand(rows: object, bias: object, domain: str | None, pairs: object) -> None:
    assert activation_regions(single_layer(rows, bias), domain).meeting_neurons() == pairs


def test_a_change_from_zero_is_a_flip() -> None:
    """sigma(sigma(x)) is 0 for x < 0 and positive beyond: both neurons change there."""
    cx = activation_regions(Network.mlp([[[1]], [[1]], [[1]]]))
    assert [str(p) for p in cx.patterns] == ["-|0", "+|+"]
    assert [(a.regions, a.neurons, a.point) for a in cx.adjacencies()] == [((0, 1), ((1, 0), (2, 0)), (0,))]
    assert [str(p) for p in cx.faces(0)] == ["0|0"]


TEN, EIGHT = Network.random((2, 10, 10, 1), 0), Network.random((3, 8, 8, 1), 0)


@pytest.mark.parametrize(("net", "budget"), [(TEN, 0), (TEN, 1), (TEN, 60), (TEN, 189), (EIGHT, 100), (EIGHT, 513)])
def test_budget_keeps_genuine_regions(net: Network, budget: int) -> None:
    whole = activation_regions(net)
    with pytest.raises(BudgetExceeded, match=f"at most {budget} regions are allowed") as caught:
        activation_regions(net, budget=budget)
    part = caught.value.partial
    assert isinstance(part, RegionComplex) and not part.complete and whole.complete
    polyhedra = {region.pattern: region.polyhedron for region in whole}
    assert 0 < len(part) <= len(whole)
    for region in part:
        assert signs_at(net, region.interior_point) == flat(region.pattern)
        assert region.polyhedron.halfspaces == polyhedra[region.pattern].halfspaces
    assert list(part.patterns) == sorted(set(part.patterns))
    pairs = {tuple(whole.patterns[k] for k in a.regions) for a in whole.adjacencies()}
    assert {tuple(part.patterns[k] for k in a.regions) for a in part.adjacencies()} <= pairs
    with pytest.raises(InvalidInput, match="must contain all regions"):
        region_counts(part)
    assert len(activation_regions(net, budget=len(whole))) == len(whole)


def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enumeration, "stream", partial(enumeration.stream, limit=20, block=5))


@pytest.mark.parametrize("net", [TEN, EIGHT, Network.random((4, 7, 2), 3)])
def test_blocks_cover_everything_once(net: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = activation_regions(net)
    small_blocks(monkeypatch)
    blocks = list(region_blocks(net))
    assert len(blocks) > 2 and not any(block.complete for block in blocks)
    assert sorted(p for block in blocks for p in block.patterns) == list(whole.patterns)
    maps = {region.pattern: region.affine_map for region in whole}
    assert all(maps[region.pattern] == region.affine_map for block in blocks for region in block)
    assert count_regions(net) == count_regions(net, budget=len(whole)) == len(whole)
    with pytest.raises(BudgetExceeded, match=f"{len(whole) - 1} regions are allowed"):
        count_regions(net, budget=len(whole) - 1)


def test_one_block_is_the_complex() -> None:
    assert [(len(block), block.complete) for block in region_blocks(TEN)] == [(190, True)]


REFUSED = [
    ("[0,1]", WrongDimension, "domain: must have 2 coordinates; got 1"),
    (Domain.box([(0, 1), (2, 2)]), InvalidDomain, "must have interior points for regions, but lies in x1 = 2"),
    (Domain.polytope(vertices=[(0, 0), (1, 1)]), InvalidDomain, "but lies in x0 - x1 = 0"),
    ("[1,0]x[0,1]", InvalidDomain, "domain"),
    (7, InvalidDomain, "domain: must be a Domain or its text; got 7"),
]


@pytest.mark.parametrize(("domain", "error", "words"), REFUSED)
@pytest.mark.parametrize("function", [activation_regions, count_regions, lambda *a: next(region_blocks(*a))])
def test_bad_domains(function: object, domain: object, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words) as caught:
        function(TEN, domain)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("index", [7, -8, 100])
def test_no_such_region(index: int) -> None:
    cx = activation_regions(single_layer([[1, 0], [0, 1], [1, 1]], [0, 0, -1]))
    with pytest.raises(IndexError, match="between -7 and 6"):
        cx[index]
    assert (str(cx[-1].pattern), cx[-1].index, cx[0].index) == ("+++", 6, 0)


@pytest.mark.parametrize("dimension", [-1, 3])
def test_no_such_dimension(dimension: int) -> None:
    with pytest.raises(InvalidInput, match="dimension: must lie between 0 and 2"):
        activation_regions(TEN).faces(dimension)
