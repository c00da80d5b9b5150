from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import pytest
from polyhedra_cases import (
    KINDS,
    brute_vertices,
    check_outcome,
    described,
    inner,
    random_halfspaces,
    solve_square,
    z3_maximum,
)

from exactrelu.errors import InexactNumber, WrongDimension
from exactrelu.polyhedra import (
    Halfspace,
    Hyperplane,
    Infeasible,
    Optimal,
    Unbounded,
    linear_program,
    maximise,
    maximise_rows,
    minimise,
)
from exactrelu.polyhedra.simplex import _Dictionary, maximise_integers
from exactrelu.rationals import flint_bridge


def test_a_textbook_optimum() -> None:
    halfspaces = [Halfspace([1, 0], 4), Halfspace([0, 2], 12), Halfspace([3, 2], 18)]
    halfspaces += [Halfspace([-1, 0], 0), Halfspace([0, -1], 0)]
    best = maximise([3, 5], halfspaces, constant="1/2")
    assert isinstance(best, Optimal)
    assert (best.point, best.value) == ((2, 6), Fraction(73, 2))
    check_outcome(best, [3, 5], halfspaces, constant=Fraction(1, 2))


@pytest.mark.parametrize(
    ("objective", "rows", "kind"),
    [
        ([0], [], Optimal),
        ([1], [], Unbounded),
        ([0, 0], [([0, 0], -1)], Infeasible),
        ([0, 1], [([0, 0], 5), ([0, 1], 0)], Optimal),
        ([1, 0], [([0, 1], 0)], Unbounded),
        ([1, 1], [([1, 1], 2), ([-1, -1], -2)], Optimal),
        ([1, 1], [([1, 1], 2), ([-1, -1], -3)], Infeasible),
        ([1, -1], [([1, 1], 2), ([-1, -1], -2)], Unbounded),
    ],
)
def test_smallest_cases(objective: list[int], rows: list[tuple[list[int], int]], kind: type) -> None:
    halfspaces = [Halfspace(normal, bound) for normal, bound in rows]
    outcome = maximise(objective, halfspaces)
    assert isinstance(outcome, kind)
    check_outcome(outcome, objective, halfspaces)


def random_objective(r: random.Random, d: int, halfspaces: list[Halfspace]) -> list[Fraction]:
    """Often parallel to a facet, or zero, so that the optimum is not unique."""
    if r.random() < 0.3:
        return list(r.choice(halfspaces).normal)
    return [Fraction(r.randint(-3, 3), r.randint(1, 3)) for _ in range(d)]


def compare_with_z3(r: random.Random, rounds: int) -> set[type]:
    seen = set()
    for k in range(rounds):
        d, kind = r.randint(1, 4), KINDS[k % len(KINDS)]
        halfspaces = random_halfspaces(r, d, r.randint(1, 9), kind)
        equations = []
        if r.random() < 0.4:
            normals = [[r.randint(-2, 2) for _ in range(d)] for _ in range(r.randint(1, 3))]
            equations = [Hyperplane(n, r.choice((0, 0, 1))) for n in normals if any(n)]
            equations += equations[:1]
        objective = random_objective(r, d, halfspaces)
        largest = maximise(objective, halfspaces, equations=equations)
        smallest = minimise(objective, halfspaces, equations=equations)
        check_outcome(largest, objective, halfspaces, equations=equations)
        check_outcome(smallest, objective, halfspaces, equations=equations, sense=-1)
        assert described(largest) == z3_maximum(objective, halfspaces, equations)
        seen |= {type(largest), type(smallest)}
    return seen


def test_status_and_value_agree_with_z3() -> None:
    assert compare_with_z3(random.Random(1), 400) == {Optimal, Unbounded, Infeasible}


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(10))
def test_status_and_value_agree_with_z3_at_length(seed: int) -> None:
    compare_with_z3(random.Random(100 + seed), 1000)


def compare_with_all_bases(r: random.Random, rounds: int) -> int:
    compared = 0
    for k in range(rounds):
        d = r.randint(1, 3)
        halfspaces = random_halfspaces(r, d, r.randint(d, 8), KINDS[k % len(KINDS)])
        objective = random_objective(r, d, halfspaces)
        outcome = maximise(objective, halfspaces)
        vertices = brute_vertices(halfspaces, d)
        if vertices and isinstance(outcome, Optimal):
            compared += 1
            assert outcome.value == max(inner(objective, vertex) for vertex in vertices)
        elif vertices:
            assert isinstance(outcome, Unbounded)
    return compared


def test_value_is_the_best_of_all_bases() -> None:
    assert compare_with_all_bases(random.Random(2), 600) > 200


@pytest.mark.sweep
def test_value_is_the_best_of_all_bases_at_length() -> None:
    compare_with_all_bases(random.Random(200), 8000)


def test_huge_and_tiny_numbers() -> None:
    big = 2**600
    halfspaces = [Halfspace([big, 1], 1), Halfspace([-1, Fraction(1, big)], 0), Halfspace([0, -1], Fraction(1, big))]
    best = maximise([1, 1], halfspaces)
    check_outcome(best, [1, 1], halfspaces)
    assert described(best) == max(inner([1, 1], vertex) for vertex in brute_vertices(halfspaces, 2))


def long_factor(r: random.Random) -> int:
    return r.choice((1, 7**200, 10**300 + 1, r.getrandbits(700) + 1))


def test_the_numbers_of_flint_take_the_same_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows times long factors: the same outcome in Python's integers, of which all answers are."""
    r = random.Random(9)
    seen = set()
    for k in range(1500):
        d, kind = r.randint(1, 4), KINDS[k % len(KINDS)]
        rows = [[c * long_factor(r) for c in item.row] for item in random_halfspaces(r, d, r.randint(1, 9), kind)]
        equations = [[r.randint(-2, 2) * long_factor(r) for _ in range(d + 1)] for _ in range(r.choice((0, 0, 1, 2)))]
        objective = [r.randint(-3, 3) * long_factor(r) for _ in range(d)]
        with monkeypatch.context() as patch:
            patch.setattr(flint_bridge, "_LONG", 1 << 10**6)
            plain = maximise_integers(objective, rows, equations)
        with monkeypatch.context() as patch:
            patch.setattr(flint_bridge, "_LONG", r.choice((0, 1 << 512)))
            swift = maximise_integers(objective, rows, equations)
        assert swift == plain
        entries = [swift.denominator, *swift.point, *swift.ray, *swift.multipliers.values()]
        assert {type(entry) for entry in entries} == {int}
        seen.add(swift.status)
    assert seen == {"optimal", "unbounded", "infeasible"}


def test_assignment_polytope_is_as_degenerate_as_it_gets() -> None:
    """Doubly stochastic matrices: 25 unknowns, one equation too many, every vertex a permutation."""
    r, size = random.Random(3), 5
    halfspaces = [Halfspace([-int(k == j) for j in range(size**2)], 0) for k in range(size**2)]
    equations = [Hyperplane([int(j // size == k) for j in range(size**2)], 1) for k in range(size)]
    equations += [Hyperplane([int(j % size == k) for j in range(size**2)], 1) for k in range(size)]
    for _ in range(5):
        costs = [r.randint(-5, 5) for _ in range(size**2)]
        best = maximise(costs, halfspaces, equations=equations)
        check_outcome(best, costs, halfspaces, equations=equations)
        expected = max(sum(costs[i * size + p[i]] for i in range(size)) for p in permutations(range(size)))
        assert described(best) == expected


def test_fifty_unknowns_and_a_hundred_rows() -> None:
    r = random.Random(4)
    inside = [r.randint(-9, 9) for _ in range(50)]
    normals = [[r.randint(-9, 9) for _ in range(50)] for _ in range(100)]
    halfspaces = [Halfspace(n, inner(n, inside) + r.randint(0, 9)) for n in normals]
    objective = [sum(column) for column in zip(*normals[:70], strict=True)]
    best = maximise(objective, halfspaces)
    assert isinstance(best, Optimal)
    check_outcome(best, objective, halfspaces)
    tight = [item for item, y in zip(halfspaces, best.multipliers, strict=True) if y]
    assert solve_square([item.normal for item in tight], [item.bound for item in tight]) == list(best.point)


# Chvatal's dictionary (Linear Programming, 1983, chapter 3) over the denominator 2: with the largest rate entering
# and the smallest name leaving it returns to itself after six pivots.
CYCLE = [(1, -11, -5, 18, 0), (1, -3, -1, 2, 0), (2, 0, 0, 0, 2)]
GOAL = (20, -114, -18, -48)


def cycling_dictionary() -> _Dictionary:
    table = _Dictionary(GOAL, CYCLE, ())
    table.restricted = 7  # x1..x4 >= 0 are the columns, the three slacks are 5..7
    table.columns = [1, 2, 3, 4]
    table.basis = [5, 6, 7, -5]
    table.denominator = 2
    return table


def test_blands_rule_ends_a_cycle() -> None:
    table = cycling_dictionary()
    assert table.improve(objective=True) is None
    assert Fraction(table.table[-1][-1], table.denominator) == 1


def test_without_blands_rule_the_cycle_is_real(monkeypatch: pytest.MonkeyPatch) -> None:
    largest_rate = _Dictionary._entering
    monkeypatch.setattr(_Dictionary, "_entering", lambda *arguments, bland: largest_rate(*arguments, bland=False))
    pivots = 0
    exchange = _Dictionary.pivot

    def counted(self: _Dictionary, i: int, j: int) -> None:
        nonlocal pivots
        pivots += 1
        if pivots > 600:
            raise TimeoutError
        exchange(self, i, j)

    monkeypatch.setattr(_Dictionary, "pivot", counted)
    with pytest.raises(TimeoutError):
        cycling_dictionary().improve(objective=True)


Rows = list[tuple[int, ...]]
BOX: Rows = [(1, 0, 2), (0, 1, 3), (-1, -1, 0)]
LIES: list[tuple[list[int], Rows, dict[str, object]]] = [
    ([1, 1], BOX, {"point": [3, 3]}),  # outside
    ([1, 1], BOX, {"point": [1, 3]}),  # not the point of this value
    ([1, 1], BOX, {"multipliers": {}}),
    ([1, 1], BOX, {"multipliers": {0: 1, 1: 1, 2: -1}}),
    ([1, 1], BOX, {"multipliers": {0: 2, 1: 2}}),
    ([1, 1], BOX, {"denominator": -1}),
    ([1, 1], BOX, {"status": "unbounded", "ray": [1, 1]}),
    ([1, 1], BOX, {"status": "infeasible"}),
    ([1], [(1, 2), (-1, 0)], {"point": [0], "multipliers": {1: -1}}),  # adds up, but with a wrong sign
    ([0], [(1, -1)], {"point": [0], "denominator": -1}),  # adds up, but upside down
    ([0], [(1, -1)], {"point": [-1], "denominator": 0}),
    ([-1, 1], BOX[::2], {"ray": [1, 0]}),
    ([-1, 1], BOX[::2], {"ray": [0, -1]}),
    ([-1, 1], BOX[::2], {"ray": [0, 0]}),
    ([-1, 1], BOX[::2], {"status": "optimal"}),
    ([0, 0], [*BOX, (-1, -1, -6)], {"multipliers": {}}),
    ([0, 0], [*BOX, (-1, -1, -6)], {"multipliers": {0: -1, 1: -1, 3: -1}}),
    ([0, 0], [*BOX, (-1, -1, -6)], {"multipliers": {0: 1, 1: 1, 2: 1, 3: 1}}),
    ([0, 0], [*BOX, (-1, -1, -6)], {"status": "optimal", "point": [0, 0]}),
]


@pytest.mark.parametrize(("objective", "rows", "change"), LIES)
def test_a_wrong_answer_never_leaves(
    objective: list[int], rows: Rows, change: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    maximise_rows(objective, rows)  # the truth passes
    lie = replace(maximise_integers(objective, rows), **change)
    monkeypatch.setattr(linear_program, "maximise_integers", lambda *_: lie)
    with pytest.raises(RuntimeError, match="multiply out"):
        maximise_rows(objective, rows)


def test_refusals() -> None:
    with pytest.raises(InexactNumber):
        maximise([0.5], [])
    with pytest.raises(WrongDimension, match=r"halfspaces\[1\]"):
        maximise([1], [Halfspace([1], 0), Halfspace([1, 1], 0)])
    with pytest.raises(WrongDimension, match=r"equations\[0\]"):
        maximise([1], [], equations=[Hyperplane([1, 1], 0)])
    with pytest.raises(WrongDimension, match="objective"):
        maximise([], [])
