"""The deep oracle: known answers, its parts against one another, and against z3 and SymPy."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction as Q
from pathlib import Path
from random import Random
from typing import Any

import deep_cases as cases
import deep_oracle as do
import deep_regions as dr
import equivalence_oracles
import oracles
import pytest
import sympy
import z3
from region_networks import batches
from region_oracle import all_faces, as_z3
from strategies import disturbed, exchanged, partner

from exactrelu import Domain, Network

DATA = Path(__file__).parent.parent / "data"
ANSWERS = json.loads((DATA / "answers.json").read_text())
SMALL = [name for name, known in ANSWERS.items() if "functional_dimension" in known or known.get("R2", 99) <= 16]


# ---------------------------------------------------------------- known answers


@pytest.mark.parametrize("name", cases.SAMPLES)
def test_samples_with_known_answers(name: str) -> None:
    net, given, jacobian_rank, activation_rank, status = cases.SAMPLES[name]
    points = [x if isinstance(x, tuple) else (x,) for x in given]
    answer = do.from_samples(do.read(net), points)
    assert (answer.jacobian_rank, answer.activation_rank, answer.status) == (jacobian_rank, activation_rank, status)


@pytest.mark.parametrize("name", cases.DIMENSIONS)
def test_dimensions_with_known_answers(name: str) -> None:
    net, sides, known = cases.DIMENSIONS[name]
    assert dr.functional_dimension(do.read(net), sides) == known


@pytest.mark.parametrize("name", SMALL)
def test_reference_answers(name: str) -> None:
    net, known = do.read(json.loads((DATA / f"{name}.json").read_text())), ANSWERS[name]
    if "R2" in known:
        assert len(dr.regions(net)) == known["R2"]
    if "functional_dimension" in known:
        assert dr.functional_dimension(net) == known["functional_dimension"]


def test_there_are_reference_answers() -> None:
    assert sum("functional_dimension" in known for known in ANSWERS.values()) == 22
    assert len(SMALL) > 35


def test_the_two_networks_of_f8_are_one_function() -> None:
    """Their functional dimensions are 3 and 5, so that it is no property of the function."""
    unseen, seen, one = map(do.read, (cases.UNSEEN_BENDS, cases.SEEN_BENDS, cases.shallow([(1, -3, 1)])))
    assert all(unseen.edges[e] for e in unseen.edges if e[0] is not None)
    assert dr.same_function(unseen, seen)
    assert all(do.outputs(seen, [x]) == do.outputs(one, [x]) for x in range(-9, 10))


@pytest.mark.parametrize("seed", range(12))
def test_pairs_lose_dimension(seed: int) -> None:
    """F1: distinct lines lose nothing. F2: a pair on one half-plane loses d + 1. F3: opposite pairs k + (k - 1) d."""
    r = Random(seed)
    d, k = r.randint(1, 2), r.randint(1, 2)
    own = [((r.randint(1, 3), *[r.randint(-2, 2)] * (d - 1)), 5 * n + r.randint(-1, 1)) for n in range(3)]
    neurons = [(w, b, r.choice((-2, 1, 3))) for w, b in own]
    (w, b), factor = own[0], r.randint(1, 3)
    opposite = [(tuple(-c for c in w), -b, r.choice((-2, 1, 3))) for w, b in own[:k]]
    twin = (tuple(factor * c for c in w), factor * b, r.choice((-2, 1, 3)))
    for more, lost in (([], 0), ([twin], d + 1), (opposite, k + (k - 1) * d)):
        net = do.read(cases.shallow([*neurons, *more]))
        assert dr.functional_dimension(net) == net.full - lost


@pytest.mark.parametrize("seed", range(20))
def test_runs_of_width_one_lose_dimension(seed: int) -> None:
    """F5: a run of k hidden layers of width one loses at least k - 2."""
    r = Random(seed)
    k = r.randint(3, 5)
    net = do.read(cases.chain(*((r.choice((-2, -1, 1, 2)), r.randint(-1, 3)) for _ in range(k + 1))))
    assert dr.functional_dimension(net) <= net.full - (k - 2)


# ---------------------------------------------------------------- parts against one another


@pytest.mark.parametrize("seeds", batches(25, 500, 50))
def test_forward_and_paths(seeds: range) -> None:
    """The function is linear in the embedding, and both are those of another plain implementation."""
    for seed in seeds:
        r, net, deep = cases.random_pair(seed)
        data, phi, ways = net.to_json(), do.embedding(deep), do.paths(deep)
        assert sorted(phi) == sorted(oracles.embedding(data))
        assert list(deep.edges.values()) == list(oracles.parameters(data).values())
        x = [Q(r.randint(-9, 9), 3) for _ in range(deep.input_dim)]
        sums, values = oracles.forward(data, x)
        found, out = do.forward(deep, x)
        assert (list(found.values()), list(out)) == ([z for row in sums for z in row], values[-1])
        alpha = do.activations(deep, x)
        ends = [path[-1][1] for path in ways]
        assert list(out) == [
            sum(a * p for a, p, end in zip(alpha, phi, ends, strict=True) if end == o) for o in deep.outputs
        ]
        if do.is_admissible(deep):  # S3
            assert do.rank(do.embedding_jacobian(deep)) == deep.full


@pytest.mark.parametrize("seeds", batches(15, 300, 30))
def test_sample_jacobian_two_ways(seeds: range) -> None:
    for seed in seeds:
        r, _, deep = cases.random_pair(seed)
        points = cases.random_samples(r, deep)[:12]
        rows = do.gamma(deep, points)
        assert rows == do.gamma_by_paths(deep, points)
        answer = do.from_samples(deep, points)
        assert answer.jacobian_rank <= min(answer.activation_rank, answer.full)
        assert answer.jacobian_rank >= oracles.rank_modulo(rows)
        for v in deep.hidden:  # rescaling a neuron leaves the function unchanged
            direction = [value * ((e[1] == v) - (e[0] == v)) for e, value in deep.edges.items()]
            assert do.annihilated(rows, direction)


@pytest.mark.parametrize("seeds", batches(5, 50, 5))
def test_sample_jacobian_by_symbols(seeds: range) -> None:
    for seed in seeds:
        r, _, deep = cases.random_pair(seed)
        points = cases.random_samples(r, deep)[:3]
        rows = do.gamma(deep, points)
        assert rows == do.gamma_by_symbols(deep, points)
        exact = sympy.Matrix(len(rows), len(deep.edges), [sympy.Rational(e.numerator, e.denominator)
                                                           for row in rows for e in row])  # fmt: skip
        assert exact.rank() == do.rank(rows)


def test_a_kink_has_no_derivative() -> None:
    with pytest.raises(AssertionError, match="kink"):
        do.gamma(do.read(cases.BEND), [(0,)])


@pytest.mark.parametrize("seeds", batches(40, 400, 40))
def test_rank_of_random_matrices(seeds: range) -> None:
    for seed in seeds:
        r = Random(seed)
        m, n, k = r.randint(0, 6), r.randint(1, 6), r.randint(0, 4)
        left = [[Q(r.randint(-3, 3), r.randint(1, 3)) for _ in range(k)] for _ in range(m)]
        right = [[Q(r.randint(-3, 3), r.randint(1, 3)) for _ in range(n)] for _ in range(k)]
        rows = [[sum((a * right[t][j] for t, a in enumerate(row)), Q(0)) for j in range(n)] for row in left]
        assert do.rank(rows) == len(oracles.eliminate(rows)[1])


@pytest.mark.parametrize("seeds", batches(25, 800, 80))
def test_equivalence(seeds: range) -> None:
    found: Counter[bool] = Counter()
    for seed in seeds:
        r, net, deep = cases.random_pair(seed)
        other = r.choice((partner, disturbed, exchanged))(r, net)
        same = do.equivalent(deep, do.read(other))
        assert same == equivalence_oracles.is_permutation_scaling_equivalent(net, other)
        found[same] += 1
    assert min(found[True], found[False]) > 3


# ---------------------------------------------------------------- regions


@pytest.mark.parametrize("seeds", batches(12, 240, 24))
def test_regions_are_those_that_z3_finds(seeds: range) -> None:
    for seed in seeds:
        r, net, deep = cases.random_pair(seed)
        sides = cases.random_sides(r, deep.input_dim)
        found = dr.regions(deep, sides)
        outer = Domain.box(sides).halfspaces if sides else ()
        expected = {signs[: len(deep.bending)] for codimension, signs in all_faces(net, outer)
                    if not codimension and all(signs[len(deep.bending):])}  # fmt: skip
        assert {tuple(region.signs.values()) for region in found} == expected
        assert len(found) == len(expected)
        for region in found:
            assert len(set(region.points)) == deep.input_dim + 1
            for x in region.points:
                assert do.signs_at(deep, x) == region.signs
                assert do.outputs(deep, x) == tuple(dr.at(form, x) for form in region.outputs)
                assert all(dr.at(form, x) > 0 for form in dr.walls(sides))


@pytest.mark.parametrize("seeds", batches(60, 600, 60))
def test_strict_inequalities(seeds: range) -> None:
    found: Counter[bool] = Counter()
    for seed in seeds:
        r = Random(seed)
        d = r.randint(1, 3)
        forms = [tuple(Q(r.randint(-3, 3)) for _ in range(d + 1)) for _ in range(r.randint(1, 7))]
        x = [z3.Real(f"x{j}") for j in range(d)]
        solver = z3.Solver()
        solver.add(*(as_z3(list(form), x) > 0 for form in forms))
        point = dr.strict_point(forms, d)
        assert (point is not None) == (solver.check() == z3.sat)
        assert point is None or all(dr.at(form, point) > 0 for form in forms)
        found[point is None] += 1
    assert min(found.values()) > 5


@pytest.mark.parametrize("seeds", batches(10, 200, 20))
def test_functional_dimension_is_a_supremum(seeds: range) -> None:
    """No smooth samples have a larger rank, and it grows with the domain (F0)."""
    for seed in seeds:
        r, _, deep = cases.random_pair(seed)
        sides = cases.random_sides(r, deep.input_dim)
        everywhere = dr.functional_dimension(deep)
        assert do.rank(do.gamma(deep, cases.random_samples(r, deep))) <= everywhere
        assert dr.functional_dimension(deep, sides) <= everywhere <= deep.full
        assert everywhere <= do.rank(do.embedding_jacobian(deep))


@pytest.mark.parametrize(
    ("left", "right", "sides", "known"),
    [
        ([((1, -1), 0, 1), ((0, 1), 0, 1), ((0, -1), 0, -1)], [((-1, 1), 0, 1), ((1, 0), 0, 1), ((-1, 0), 0, -1)], None,
         True),
        ([(1, 0, 1), (-1, 0, 1)], [(1, 1, 1), (-1, 1, 1)], None, False),
        ([(1, 0, 1), (-1, 0, 1)], [(1, 0, 2), (-1, 0, 0)], [(0, 3)], False),
        ([(1, 0, 1), (-1, 0, 1)], [(1, 0, 1), (-1, 0, 5)], [(0, 3)], True),
    ],
)  # fmt: skip
def test_same_function(left: Any, right: Any, sides: dr.Sides, known: bool) -> None:
    assert dr.same_function(do.read(cases.shallow(left)), do.read(cases.shallow(right)), sides) == known


@pytest.mark.parametrize("seeds", batches(10, 150, 15))
def test_same_function_of_random_networks(seeds: range) -> None:
    """Equivalent networks are equal; a disturbed network is equal only if it is equal at all points tried."""
    for seed in seeds:
        r, net, deep = cases.random_pair(seed)
        sides = cases.random_sides(r, deep.input_dim)
        changed: Network = disturbed(r, net)
        other = do.read(changed)
        same = dr.same_function(deep, other, sides)
        points = [x for side in (deep, other) for region in dr.regions(side, sides) for x in region.points]
        assert same or not do.equivalent(deep, other)
        if same:
            assert do.same_outputs(deep, other, points)
        elif do.same_outputs(deep, other, points):  # they differ on a common refinement only
            common = [x for region in dr.regions(dr.beside(deep, other), sides) for x in region.points]
            assert not do.same_outputs(deep, other, common)
