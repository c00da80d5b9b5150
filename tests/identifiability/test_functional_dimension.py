"""The functional dimension: known values, theorems F0-F8, and rows against symbols and differences."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
import sympy
from oracles import eliminate, forward
from region_networks import batches, random_network
from region_oracle import bending, signs_at

import exactrelu as er
from exactrelu import BudgetExceeded, Domain, InvalidDomain, InvalidInput, Network, embedding_rank, functional_dimension
from exactrelu.identifiability.jacobians.functional_dimension import basis_over, jacobian_basis, sample_rank
from exactrelu.identifiability.jacobians.jacobian import jacobian_rows
from exactrelu.identifiability.jacobians.row_span import EXACT_FLOAT, RowSpan, kernel_on
from exactrelu.networks import Pattern
from exactrelu.rationals import integer_kernel
from exactrelu.regions import activation_regions, region_blocks
from exactrelu.zoo import shallow_network

DATA = Path(__file__).parent.parent / "data"
ANSWERS = json.loads((DATA / "answers.json").read_text())
KNOWN = {name: known["functional_dimension"] for name, known in ANSWERS.items() if "functional_dimension" in known}
Row = tuple[Fraction, ...]


@pytest.mark.parametrize("name", KNOWN)
def test_reference_answers(name: str) -> None:
    assert functional_dimension(er.load(DATA / f"{name}.json")) == KNOWN[name]


def test_there_are_reference_answers() -> None:
    assert len(KNOWN) == 22


def rank(rows: Sequence[Sequence[Fraction]]) -> int:
    return len(eliminate(rows)[1])


def full(net: Network) -> int:
    return len(net.parameters) - len(net.hidden_neurons)


def chain(w: int, v: int, a: object) -> Network:
    """c sigma(v sigma(w x + b) + a) + e."""
    return Network.mlp([[[w]], [[v]], [[2]]], [[-3], [a], [5]])


LINES = Network.mlp([[[1, 0], [0, 1], [1, 1]], [[1, 1, 1]]], [[0, 0, -1], [0]])
HAT = shallow_network([(1, -1, 1), (1, 0, -2), (1, 1, 1)])
SIXTEEN = Network.mlp([[[1], [1], [-1]], [[-3, 2, -2], [-3, 2, -2], [3, -2, 2]], [[1, 2, -5]]],
                      [[0, -1, 2], ["19/4", "9/2", "-17/4"], [0]])  # fmt: skip
THIRTEEN = Network.mlp([[[-1, 0], [0, -1], [1, 1]], [[-1, -1, -1]], [[1]]], [[0, 0, -1], [1], [0]])
NO_SMOOTH_POINT = Network.mlp([[[1, 0], [0, 1], [0, -1]], [[-1, 1, -1], [0, 1, 0], [0, 0, 1]], [[1, -1, 1]]])
ABS = shallow_network([(1, 0, 1), (-1, 0, 1)])
BEND = shallow_network([(1, 0, 1)])

# network, domain, functional dimension (theory 3 and 11)
BY_HAND = {
    "three lines": (LINES, None, 10),
    "hat (F7)": (HAT, None, 7),
    "sixteen": (SIXTEEN, None, 16),
    "thirteen": (THIRTEEN, None, 11),
    "no smooth point": (NO_SMOOTH_POINT, None, 0),
    "|x| (F6)": (ABS, None, 4),
    "X1": (BEND, None, 3),
    "X5": (shallow_network([(1, 0, 2), (-1, 0, 1)]), None, 4),
    "X6 without biases": (Network.mlp([[[1]], [[1]], [[1]]], [[0], [-1], [0]]), None, 3),
    "X7": (Network.mlp([[[1]], [[-1]], [[1]]], [[0], [1], [0]]), None, 4),
    "F4 on, up": (chain(1, 1, 2), None, 3),
    "F4 on, down": (chain(1, -1, 2), None, 4),
    "F4 off, up": (chain(1, 1, -2), None, 3),
    "F4 off, down": (chain(1, -1, -2), None, 1),
    "F4 on, up, backwards": (chain(-2, 3, 2), None, 3),
    "F4 on, down, backwards": (chain(-2, -3, 2), None, 4),
    "bend, on": (BEND, "[1,2]", 2),
    "bend, off": (BEND, "[-2,-1]", 1),
    "bend on the boundary": (BEND, "[0,2]", 2),
    "bend inside": (BEND, f"[{Fraction(-1, 2**60)},2]", 3),
    "lines, one quadrant": (LINES, "[1,2]^2", 3),
    "lines, one line": (LINES, "[3,4]x[-1,1]", 6),
    "constant neuron": (shallow_network([(0, 1, 1)]), None, 2),
    "zero neuron": (shallow_network([(0, 0, 1)]), None, 0),
    "no hidden layer": (Network.mlp([[[1, 2], [0, 0]]], [[1, 0]]), None, 6),
    "no hidden layer, no bias": (Network.mlp([[[0, 0]]]), None, 2),
    "ReLU output": (Network.mlp([[[1, 2]]], [[0]], output_activation="relu"), None, 3),
    "ReLU output, off": (Network.mlp([[[1]]], [[-5]], output_activation="relu"), "[0,1]", 0),
}  # fmt: skip


@pytest.mark.parametrize("name", BY_HAND)
def test_values_by_hand(name: str) -> None:
    net, domain, known = BY_HAND[name]
    assert functional_dimension(net, domain) == known


def distinct(r: Random, d: int, count: int) -> list[tuple[list[int], int]]:
    """Normals and biases of hyperplanes that are pairwise distinct, on all of space."""
    found: dict[tuple[Fraction, ...], tuple[list[int], int]] = {}
    while len(found) < count:
        w, b = [r.randint(-3, 3) for _ in range(d)], r.randint(-3, 3)
        lead = next((c for c in w if c), None)
        if lead is not None:
            found[tuple(Fraction(c, lead) for c in (*w, b))] = (w, b)
    return list(found.values())


def with_output(neurons: Sequence[tuple[list[int], int]], r: Random) -> Network:
    out = [r.choice((-2, -1, 1, 3)) for _ in neurons]
    return Network.mlp([[w for w, _ in neurons], [out]], [[b for _, b in neurons], [r.randint(-1, 1)]])


@pytest.mark.parametrize("seed", [*range(12), *(pytest.param(s, marks=pytest.mark.sweep) for s in range(12, 150))])
def test_shallow_theorems(seed: int) -> None:
    """F1: distinct hyperplanes lose nothing; F2: a pair on one half-space loses d + 1; F3: k opposite pairs."""
    r = Random(seed)
    d, h, k = r.randint(1, 3), r.randint(2, 4), r.randint(1, 2)
    neurons = distinct(r, d, h)
    net = with_output(neurons, r)
    assert functional_dimension(net) == full(net)
    (w, b), factor = neurons[0], r.randint(1, 3)
    twins = with_output([*neurons, ([factor * c for c in w], factor * b)], r)
    assert functional_dimension(twins) == full(twins) - d - 1
    opposite = with_output([*neurons, *(([-c for c in w], -b) for w, b in neurons[:k])], r)
    assert functional_dimension(opposite) == full(opposite) - k - (k - 1) * d


@pytest.mark.parametrize("count", [33, 40, 70])
def test_many_regions_are_all_needed(count: int) -> None:
    """F1 on a line: every region has a row that no other region gives."""
    net = with_output([([1], k) for k in range(count)], Random(count))
    assert functional_dimension(net) == full(net) == 2 * count + 1
    assert functional_dimension(net, f"[{1 - count},1]") == full(net) - 1  # the first neuron is on throughout


@pytest.mark.parametrize("seed", range(30))
def test_runs_of_width_one(seed: int) -> None:
    """F5: each maximal run of k hidden layers of width 1 loses at least k - 2."""
    r = Random(seed)
    hidden = r.choice([(1, 1, 1), (1, 1, 1, 1), (2, 1, 1, 1), (1, 1, 1, 2), (1, 1, 1, 1, 1)])
    widths = (r.randint(1, 2), *hidden, 1)
    weights = [[[r.choice((-2, -1, 1, 2)) for _ in range(a)] for _ in range(b)] for a, b in pairwise(widths)]
    net = Network.mlp(weights, [[r.randint(-1, 3) for _ in range(b)] for b in widths[1:]])
    run = max(hidden.count(1) - 2, 0)
    assert functional_dimension(net) <= full(net) - run


@pytest.mark.parametrize(
    ("shifts", "out", "offset", "known"), [((0, 1, 2), (1, 1, -1), -2, 3), ((0, -5, -5), (1, 2, -2), -3, 5)]
)
def test_the_dimension_varies_on_a_fibre(shifts: object, out: object, offset: int, known: int) -> None:
    """F8: sigma(x - 3) in (1,3,1,1); kinks that cancel where the last neuron is on still add two dimensions."""
    net = Network.mlp([[[1]] * 3, [out], [[1]]], [shifts, [offset], [0]])
    assert er.same_function(net, Network.mlp([[[1]], [[1]]], [[-3], [0]])).status is er.Status.HOLDS
    assert functional_dimension(net) == known


def symbolic(net: Network, signs: Sequence[int]) -> tuple[list[sympy.Symbol], list[sympy.Expr], list[sympy.Symbol]]:
    """The outputs as polynomials of parameters and inputs where the signs are these."""
    names = iter([sympy.Symbol(f"t{k}") for k in range(len(net.parameters))])
    theta: list[sympy.Symbol] = []
    x = [sympy.Symbol(f"x{j}") for j in range(net.input_dim)]
    gates = dict(zip(bending(net), signs, strict=True))
    values: list[list[sympy.Expr]] = [list(x)]
    for k, layer in enumerate(net.layers, 1):
        sums = [sympy.Integer(0)] * layer.width
        for source, block in layer.blocks:
            for i, row in enumerate(block):
                for j, weight in enumerate(row):
                    if weight is not None:
                        theta.append(next(names))
                        sums[i] += theta[-1] * values[source][j]
        if layer.bias is not None:
            for i in range(layer.width):
                theta.append(next(names))
                sums[i] += theta[-1]
        values.append([s if gates.get((k, i), 1) > 0 else sympy.Integer(0) for i, s in enumerate(sums)])
    return theta, values[-1], x


def number(value: Fraction) -> sympy.Rational:
    return sympy.Rational(value.numerator, value.denominator)


@pytest.mark.parametrize("seeds", batches(8, 88, 40))
def test_rows_against_symbols(seeds: range) -> None:
    for seed in seeds:
        net, _ = random_network(30_000 + seed, 2, 3)
        cx, r = activation_regions(net), Random(seed)
        region = cx[r.randrange(len(cx))]
        signs = [s for group in region.pattern.signs for s in group]
        theta, outputs, x = symbolic(net, signs)
        point = tuple(Fraction(r.randint(-9, 9), 4) for _ in x)  # anywhere: the pattern is given
        at = {t: number(p.value) for t, p in zip(theta, net.parameters, strict=True)}
        at |= {v: number(c) for v, c in zip(x, point, strict=True)}
        wanted = [[sympy.diff(out, t).subs(at) for t in theta] for out in outputs]
        assert [list(map(number, row)) for row in jacobian_rows(net, region.pattern, point)] == wanted


def slope(net: Network, k: int, point: Row) -> list[Fraction]:
    """The derivative of the outputs by parameter k: exact, as outputs are affine in one parameter nearby."""
    step = Fraction(1, 2**70)
    theta = [p.value for p in net.parameters]
    theta[k] += step
    ours, theirs = (forward(n.to_json(), point)[1][-1] for n in (net.with_values(theta), net))
    return [(a - b) / step for a, b in zip(ours, theirs, strict=True)]


@pytest.mark.parametrize("seeds", batches(20, 420, 200))
def test_rows_against_exact_differences(seeds: range) -> None:
    smooth = 0
    for seed in seeds:
        net, halfspaces = random_network(33_000 + seed)
        cx = activation_regions(net, Domain.polytope(halfspaces=halfspaces) if halfspaces else None)
        region = cx[Random(seed).randrange(len(cx))]
        if any(0 in group for group in region.pattern.signs):
            continue  # no smooth point
        smooth += 1
        x = region.interior_point
        columns = [slope(net, k, x) for k in range(len(net.parameters))]
        assert jacobian_rows(net, region.pattern, x) == list(zip(*columns, strict=True))
    assert smooth > len(seeds) // 2


def sampled(net: Network, domain: Domain) -> int:
    """The rank at many points inside every region: barycentres of its vertices and points far along its rays."""
    rows = []
    for region in activation_regions(net, domain):
        x, polyhedron = region.interior_point, region.polyhedron
        if any(0 in group for group in region.pattern.signs):
            continue
        ends = [*region.vertices, *(tuple(a + 5 * b for a, b in zip(x, ray, strict=True)) for ray in region.rays)]
        ends += [tuple(a + s * b for a, b in zip(x, line, strict=True)) for line in polyhedron.lines for s in (1, -1)]
        for point in (x, *(tuple((2 * a + b) / 3 for a, b in zip(x, end, strict=True)) for end in ends)):
            assert signs_at(net, point) == [s for group in region.pattern.signs for s in group]
            rows += jacobian_rows(net, net.pattern(point), point)
    return rank(rows)


@pytest.mark.parametrize("seeds", batches(16, 316, 150))
def test_rank_of_genuine_samples_bounds_and_invariance(seeds: range) -> None:
    """As many independent rows as at points inside; F0; the same for every equivalent parameter."""
    short = 0
    for seed in seeds:
        net, halfspaces = random_network(36_000 + seed, 2, 3)
        domain = Domain.polytope(halfspaces=halfspaces) if halfspaces else Domain.space(net.input_dim)
        found, r = functional_dimension(net, domain), Random(seed)
        assert found == sampled(net, domain) == rank(jacobian_basis(activation_regions(net, domain)))
        assert found <= embedding_rank(net) <= len(net.parameters)
        assert found <= functional_dimension(net)
        short += found < embedding_rank(net)
        if net.is_standard:
            moved = net.permute([r.sample(range(n), n) for n in net.widths[1:-1]])
            scaled = moved.rescale([[Fraction(r.randint(1, 5), 3) for _ in range(n)] for n in net.widths[1:-1]])
            assert functional_dimension(scaled, domain) == found
    assert short > len(seeds) // 4


def test_a_region_without_smooth_points_is_skipped() -> None:
    """Off for x < 0, identically zero there too: only x > 0 counts."""
    net = Network.mlp([[[1]], [[1]], [[1]]], [[0], [0], [0]])
    assert [str(p) for p in activation_regions(net).patterns] == ["-|0", "+|+"]
    rows = [row for x in (1, 2) for row in jacobian_rows(net, Pattern.parse("+|+"), [Fraction(x)])]
    assert functional_dimension(net) == rank(rows) == 2


def test_refusals() -> None:
    with pytest.raises(BudgetExceeded, match="at most 3 regions are allowed"):
        functional_dimension(THIRTEEN, budget=3)
    assert functional_dimension(THIRTEEN, budget=99) == 11
    assert functional_dimension(LINES, budget=1) == 10  # one hidden layer needs no list of regions
    with pytest.raises(InvalidInput, match="budget: must be"):
        functional_dimension(LINES, budget=-1)
    with pytest.raises(InvalidDomain, match=r"must have interior points for .*, but lies in x1 = 2"):
        functional_dimension(LINES, Domain.box([(0, 1), (2, 2)]))


@pytest.mark.parametrize(("widths", "known"), [((4, 10, 10, 1), 151), ((3, 16, 16, 1), 290)])
def test_thousands_of_regions(widths: tuple[int, ...], known: int) -> None:
    """Values that the plain method (all rows, exact elimination in chunks) found in 17 seconds."""
    net = Network.random(widths, 0)
    assert functional_dimension(net) == known <= embedding_rank(net)


@pytest.mark.sweep
def test_a_thousand_parameters() -> None:
    net = Network.random((2, 32, 32, 1), 0)
    assert functional_dimension(net) == 857 < embedding_rank(net) == 1057


@pytest.mark.parametrize("seeds", batches(12, 212, 100))
def test_huge_numbers_change_nothing(seeds: range) -> None:
    """Rescaled by powers of ten far beyond machine words and exact floats; in blocks; after a large prime factor."""
    for seed in seeds:
        net, halfspaces = random_network(39_000 + seed, 2, 3)
        domain = Domain.polytope(halfspaces=halfspaces) if halfspaces else None
        cx, r = activation_regions(net, domain), Random(seed)
        found = len(jacobian_basis(cx))
        if net.is_standard:
            factors = [[Fraction(10) ** r.randint(-40, 40) for _ in range(n)] for n in net.widths[1:-1]]
            assert functional_dimension(net.rescale(factors), domain) == found
            prime = Fraction(2**61 - 1)
            assert functional_dimension(net.rescale([[prime] * n for n in net.widths[1:-1]]), domain) == found
        order = r.sample(range(len(cx)), len(cx))
        for pieces in (np.array_split(cx.signs[order], 3), [cx.signs[[k]] for k in order]):
            assert len(basis_over(net, iter(pieces))) == found


def test_blocks_are_read_as_long_as_needed() -> None:
    blocks = (block.signs for block in region_blocks(LINES))
    assert len(basis_over(LINES, (signs for signs in (*blocks, *blocks)))) == 10

    def endless() -> Iterator[np.ndarray]:
        while True:
            yield activation_regions(LINES).signs

    assert len(basis_over(LINES, endless())) == 10


@pytest.mark.parametrize("seeds", batches(60, 2_000, 1_000))
def test_spans_of_rows(seeds: range) -> None:
    """Against elimination: overlooked rows are found again, with entries of any size, known kernels or none."""
    for seed in seeds:
        r = Random(seed)
        size, depth, count = r.randint(1, 6), r.randint(0, 4), r.randint(1, 12)
        large = r.choice((1, 1, 2**30, 2**61 - 1, 10**40))
        mix = [[r.randint(-3, 3) * large for _ in range(size)] for _ in range(depth)]
        rows = [[sum(c * line[k] for c, line in zip(cs, mix, strict=True)) for k in range(size)]
                for cs in ([r.randint(-2, 2) for _ in mix] for _ in range(count))]  # fmt: skip
        kernel = integer_kernel(rows, size)
        wanted = rank(rows)
        assert len(kernel) == size - wanted == rank(kernel)
        assert not any(sum(a * b for a, b in zip(row, v, strict=True)) for row in rows for v in kernel)
        known = [tuple(map(Fraction, v)) for v in r.sample(kernel, r.randint(0, len(kernel)))]
        span, array = RowSpan(size, known), np.array(rows, object)
        if r.random() < 0.7:
            span.collect(array[: r.randint(0, count)])
        span.complete(array)
        assert len(span.rows) == wanted == rank(span.rows)
        assert span.is_full == (wanted + len(known) == size)
        assert not span.misses(array).any()
        fresh = [[r.randint(-2, 2) for _ in range(size)]]
        if not any(sum(a * b for a, b in zip(fresh[0], v, strict=True)) for v in known):
            assert span.misses(np.array(fresh))[0] == (rank([*rows, *fresh]) > wanted)
        columns = sorted(r.sample(range(size), r.randint(1, size)))
        inside = kernel_on(rows, columns, size)
        assert all(not v[k] for v in inside for k in set(range(size)) - set(columns))
        assert len(inside) == rank(inside) == len(columns) - rank([[row[k] for k in columns] for row in rows])


@pytest.mark.parametrize("offset", [-1, 0, 1])
def test_both_kinds_of_products_at_the_edge(offset: int) -> None:
    """A residue that doubles would round away decides the rank."""
    big = EXACT_FLOAT + offset
    span = RowSpan(2, [])
    span.collect(np.array([[1, -big]], object))  # annihilated by (big, 1)
    span.complete(np.array([[-1, big - 1], [2, -2 * big]], object))
    assert span.rows == [[1, -big], [-1, big - 1]]
    assert span.is_full


@pytest.mark.parametrize("seeds", batches(20, 400, 200))
def test_ranks_of_samples(seeds: range) -> None:
    for seed in seeds:
        net, _ = random_network(seed, 2, 3)
        r = Random(seed)
        points = [[Fraction(r.randint(-20, 20), 7) for _ in range(net.input_dim)] for _ in range(r.randint(1, 12))]
        points = [x for k, x in enumerate(points) if x not in points[:k] and all(signs_at(net, x))]
        if points:
            rows = [row for x in points for row in jacobian_rows(net, net.pattern(x), x)]
            assert sample_rank(net, points) == rank(rows)


@pytest.mark.parametrize("rho", ["abs", "hat", {"name": "leaky_relu", "slope": "1/2"}])
def test_bending_outputs_are_refused_unless_they_are_relus(rho: object) -> None:
    """Their codes are piece numbers, which must not be read as signs."""
    net = Network.mlp([[[2], [-4]]], [[-3, 6]], output_activation=rho)
    with pytest.raises(er.HypothesisNotMet, match="must"):
        er.functional_dimension(net)
    relus = Network.mlp([[[2], [-4]]], [[-3, 6]], output_activation="relu")
    assert er.functional_dimension(relus) == 4
