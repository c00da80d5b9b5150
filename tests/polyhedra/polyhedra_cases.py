"""Random and deliberately degenerate polyhedra, and slow oracles that share no code with the package.

One-letter names: ``r`` a seeded random generator, ``d`` the dimension, ``n`` a normal, ``b`` a bound.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import z3

from exactrelu.polyhedra import Halfspace, Hyperplane, Infeasible, Optimal, Outcome, Unbounded

Vector = Sequence[Fraction | int]
KINDS = ("general", "lattice", "repeated", "flat", "cylinder", "cone", "slab", "empty")


def random_halfspaces(r: random.Random, d: int, m: int, kind: str) -> list[Halfspace]:
    """About ``m`` half-spaces of one of the :data:`KINDS`.

    ``general``: large entries, bounded more often than not. ``lattice``: entries -1, 0, 1.
    ``repeated``: scaled copies, parallel and opposite ones. ``flat``: inside a hyperplane.
    ``cylinder``: contains a line. ``cone``: all bounds 0. ``slab``: mostly one direction. ``empty``: a contradiction.
    """
    entries = range(-9, 10) if kind in ("general", "repeated") else (-1, 0, 0, 1)
    rows = [([r.choice(entries) for _ in range(d)], r.choice((0, 1, 2, 5, Fraction(1, 2), -1))) for _ in range(m)]
    if kind == "general":
        rows = [(n, abs(b) + r.randint(0, 9)) for n, b in rows]
    elif kind == "repeated":
        base = rows[: max(1, m // 3)]
        for n, b in base:
            factor = r.choice((2, 3, Fraction(1, 2)))
            rows += [([factor * a for a in n], factor * b), ([-a for a in n], b + 1), (n, b + r.randint(0, 2))]
    elif kind in ("flat", "empty"):
        n, b = [r.randint(-3, 3) for _ in range(d)], r.randint(-1, 1)
        rows += [(n, b), ([-a for a in n], -b - (kind == "empty"))]
    elif kind == "cylinder":
        direction = [r.choice((-1, 0, 1, 2)) for _ in range(d)]
        square = sum(a * a for a in direction) or 1
        rows = [(project(n, direction, square), b) for n, b in rows]
    elif kind == "cone":
        rows = [(n, 0) for n, _ in rows]
    elif kind == "slab":
        rows = [([1] + [0] * (d - 1), 1), ([-1] + [0] * (d - 1), 0), *rows[:2]]
    r.shuffle(rows)
    return [Halfspace(n, b) for n, b in rows]


def project(n: Sequence[int], direction: Sequence[int], square: int) -> list[int]:
    product = sum(a * c for a, c in zip(n, direction, strict=True))
    return [square * a - product * c for a, c in zip(n, direction, strict=True)]


def inner(left: Vector, right: Vector) -> Fraction:
    return sum((Fraction(a) * b for a, b in zip(left, right, strict=True)), Fraction(0))


def check_outcome(
    outcome: Outcome,
    objective: Vector,
    halfspaces: Sequence[Halfspace],
    *,
    sense: int = 1,
    constant: Fraction = Fraction(0),
    equations: Sequence[Hyperplane] = (),
) -> None:
    """Multiply out the evidence of a linear program; ``sense`` is 1 for a maximum, -1 for a minimum."""
    if isinstance(outcome, Optimal | Infeasible):
        y, z = outcome.multipliers, outcome.equation_multipliers
        assert len(y) == len(halfspaces)
        assert len(z) == len(equations)
        assert min(y, default=0) >= 0
        weighted: list[tuple[Fraction, Halfspace | Hyperplane]] = [
            *zip(y, halfspaces, strict=True),
            *zip(z, equations, strict=True),
        ]
        total = [sum((w * item.normal[j] for w, item in weighted), Fraction(0)) for j in range(len(objective))]
        bound = sum((w * item.bound for w, item in weighted), Fraction(0))
    if isinstance(outcome, Infeasible):
        assert not any(total)
        assert bound < 0
        return
    assert all(inner(item.normal, outcome.point) <= item.bound for item in halfspaces)
    assert all(inner(item.normal, outcome.point) == item.bound for item in equations)
    if isinstance(outcome, Unbounded):
        assert sense * inner(objective, outcome.ray) > 0
        assert all(inner(item.normal, outcome.ray) <= 0 for item in halfspaces)
        assert all(inner(item.normal, outcome.ray) == 0 for item in equations)
    else:
        assert total == [sense * entry for entry in objective]
        assert bound == sense * (outcome.value - constant)
        assert inner(objective, outcome.point) + constant == outcome.value


def solve_square(rows: Sequence[Vector], right: Vector) -> list[Fraction] | None:
    """The solution of a square system by Gauss and Jordan, or ``None`` if it is singular."""
    size = len(rows)
    table = [[*map(Fraction, row), Fraction(b)] for row, b in zip(rows, right, strict=True)]
    for column in range(size):
        pivot = next((i for i in range(column, size) if table[i][column]), None)
        if pivot is None:
            return None
        table[column], table[pivot] = table[pivot], table[column]
        table[column] = [entry / table[column][column] for entry in table[column]]
        for i in range(size):
            if i != column and table[i][column]:
                factor = table[i][column]
                table[i] = [a - factor * b for a, b in zip(table[i], table[column], strict=True)]
    return [row[size] for row in table]


def brute_vertices(halfspaces: Sequence[Halfspace], d: int) -> set[tuple[Fraction, ...]]:
    """All feasible intersections of ``d`` independent boundaries."""
    found = set()
    for chosen in combinations(sorted(set(halfspaces), key=lambda item: item.row), d):
        point = solve_square([item.normal for item in chosen], [item.bound for item in chosen])
        if point is not None and all(inner(item.normal, point) <= item.bound for item in halfspaces):
            found.add(tuple(point))
    return found


def z3_maximum(
    objective: Vector, halfspaces: Sequence[Halfspace], equations: Sequence[Hyperplane] = ()
) -> Fraction | str:
    """The maximum of a linear form according to z3: a number, ``"unbounded"`` or ``"infeasible"``."""
    x = [z3.Real(f"x{j}") for j in range(len(objective))]
    optimiser = z3.Optimize()

    def form(vector: Vector) -> z3.ArithRef:
        return z3.Sum([z3.RealVal(str(Fraction(a))) * v for a, v in zip(vector, x, strict=True)])

    optimiser.add(*(form(item.normal) <= z3.RealVal(str(item.bound)) for item in halfspaces))
    optimiser.add(*(form(item.normal) == z3.RealVal(str(item.bound)) for item in equations))
    goal = optimiser.maximize(form(objective))
    if optimiser.check() == z3.unsat:
        return "infeasible"
    value = optimiser.upper(goal)
    if "oo" in str(value):
        return "unbounded"
    return Fraction(value.as_fraction() if z3.is_rational_value(value) else value.as_long())


def described(outcome: Outcome) -> Fraction | str:
    """An outcome in the vocabulary of :func:`z3_maximum`."""
    if isinstance(outcome, Optimal):
        return outcome.value
    return "unbounded" if isinstance(outcome, Unbounded) else "infeasible"
