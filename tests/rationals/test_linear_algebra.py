"""Linear algebra against an elimination in twenty lines, with every piece of evidence multiplied out."""

from __future__ import annotations

import random
import subprocess
import sys
from fractions import Fraction
from itertools import pairwise
from math import gcd

import pytest
import sympy
from oracles import eliminate

from exactrelu.rationals import (
    MERSENNE_61,
    IntegerMatrix,
    common_denominator,
    dot,
    integer_kernel,
    inverse,
    kernel,
    rank,
    rank_modulo,
    row_reduce,
    scaled_integers,
    solve,
)

HUGE = 10**40 + 7

# name: rows, columns, rank
CASES = {
    "no rows, no columns": ([], 0, 0),
    "no rows": ([], 3, 0),
    "no columns": ([[], []], 0, 0),
    "zero": ([[0]], 1, 0),
    "zero 2x3": ([[0, 0, 0], [0, 0, 0]], 3, 0),
    "one": ([[5]], 1, 1),
    "fraction": ([["-2/3"]], 1, 1),
    "row": ([[0, 2, 4]], 3, 1),
    "column": ([[0], [3], [6]], 1, 1),
    "identity": ([[1, 0], [0, 1]], 2, 2),
    "swapped": ([[0, 1], [1, 0]], 2, 2),
    "deficient": ([[1, 2], [2, 4]], 2, 1),
    "third row is the sum": ([[1, 2, 3], [4, 5, 6], [5, 7, 9]], 3, 2),
    "zero column first": ([[0, 1, 2], [0, 3, 7]], 3, 2),
    "tall": ([[1, 1], [1, -1], [2, 0], [0, 2]], 2, 2),
    "wide": ([[1, 1, 0, 0], [0, 0, 1, 1]], 4, 2),
    "negative pivots": ([[-2, 4], [-3, -5]], 2, 2),
    "huge, singular": ([[HUGE, 2 * HUGE], [1, 2]], 2, 1),
    "huge, nearly singular": ([[HUGE, HUGE + 1], [HUGE - 1, HUGE]], 2, 2),
    "divisible by 2^61-1": ([[MERSENNE_61, 0], [0, 1]], 2, 2),
    "Hilbert": ([[f"1/{i + j + 1}" for j in range(6)] for i in range(6)], 6, 6),
}
TABLE = [([[Fraction(e) for e in row] for row in rows], columns, size) for rows, columns, size in CASES.values()]


def random_matrix(r: random.Random) -> tuple[list[list[Fraction]], int]:
    """Any shape up to 6 x 6, dependent and zero rows and columns on purpose, sometimes huge."""
    height, columns = r.randint(0, 6), r.randint(0, 6)
    entries = r.choice(((0, 0, 0, 1), (-2, -1, 0, 1, 2), (0, 1, HUGE, -HUGE), (Fraction(1, 3), Fraction(-2, 7), 0, 4)))
    rows = [[Fraction(r.choice(entries)) for _ in range(columns)] for _ in range(height)]
    for i in range(height):
        kind = r.random()
        if kind < 0.1:
            rows[i] = [Fraction(0)] * columns
        elif kind < 0.4:
            a, b = r.choice(rows), r.choice(rows)
            rows[i] = [2 * x - Fraction(1, 3) * y for x, y in zip(a, b, strict=True)]
    for j in range(columns):
        if r.random() < 0.1:
            for row in rows:
                row[j] = Fraction(0)
    return rows, columns


def samples(count: int):
    """The table, then seeded random matrices."""
    yield from ((rows, columns) for rows, columns, _ in TABLE)
    r = random.Random(1)
    yield from (random_matrix(r) for _ in range(count))


def times(rows, columns):
    """The matrix product."""
    return [[sum((a * b for a, b in zip(row, c, strict=True)), Fraction(0)) for c in zip(*columns, strict=True)]
            for row in rows]  # fmt: skip


@pytest.mark.parametrize(("rows", "columns", "size"), TABLE, ids=CASES.keys())
def test_table_through_every_function(rows, columns, size):
    assert rank(rows) == size
    assert len(row_reduce(rows)[1]) == size
    assert len(kernel(rows, columns)) == columns - size
    assert solve(rows, [Fraction(0)] * len(rows)) == (Fraction(0),) * (columns if rows else 0)
    if len(rows) == columns:
        assert (inverse(rows) is None) == (size < columns)
    if all(entry.denominator == 1 for row in rows for entry in row):
        assert rank_modulo([[int(entry) for entry in row] for row in rows]) <= size


def test_row_reduction_agrees_with_plain_elimination():
    for rows, _ in samples(3000):
        reduced, pivots = row_reduce(rows)
        expected, expected_pivots = eliminate(rows)
        assert ([list(row) for row in reduced], list(pivots)) == (expected, expected_pivots), rows
        assert rank(rows) == len(expected_pivots)


def test_kernel_vectors_multiply_to_zero_with_an_identity_on_the_free_columns():
    for rows, columns in samples(3000):
        basis = kernel(rows, columns)
        pivots = eliminate(rows)[1]
        free = [j for j in range(columns) if j not in pivots]
        assert [[vector[j] for j in free] for vector in basis] == [[int(i == j) for j in free] for i in free]
        assert all(dot(row, vector) == 0 for row in rows for vector in basis)


def test_integer_kernel_vectors_multiply_to_zero_and_are_multiples_of_the_identity_on_the_free_columns():
    for rows, columns in samples(3000):
        integers = [scaled_integers(row, common_denominator(row)) for row in rows]
        basis = integer_kernel(integers, columns)
        pivots = eliminate(rows)[1]
        free = [j for j in range(columns) if j not in pivots]
        assert len(basis) == len(free)
        for vector, place in zip(basis, free, strict=True):
            assert vector[place] > 0 and not any(vector[j] for j in free if j != place)
            assert gcd(*vector) == 1 and {type(entry) for entry in vector} == {int}
            assert all(dot(row, vector) == 0 for row in rows)


def test_solutions_multiply_back_and_missing_ones_raise_the_rank():
    r = random.Random(2)
    solved = 0
    for rows, columns in samples(3000):
        if r.random() < 0.5:  # a right side that has a solution
            x = [Fraction(r.randint(-3, 3), r.choice((1, 2))) for _ in range(columns)]
            right = [dot(row, x) for row in rows]
        else:
            right = [Fraction(r.randint(-1, 1)) for _ in rows]
        found = solve(rows, right)
        if found is None:
            augmented = [[*row, value] for row, value in zip(rows, right, strict=True)]
            assert len(eliminate(augmented)[1]) == len(eliminate(rows)[1]) + 1
            continue
        solved += 1
        assert [dot(row, found) for row in rows] == right
        if rows:
            pivots = eliminate(rows)[1]
            assert len(found) == columns and all(found[j] == 0 for j in range(columns) if j not in pivots)
    assert 1000 < solved < 3000


def test_inverses_multiply_to_the_identity():
    inverted = 0
    for rows, columns in samples(4000):
        size = len(rows)
        square = [row[:size] for row in rows] if columns >= size else None
        if square is None:
            continue
        found = inverse(square)
        if found is None:
            assert len(eliminate(square)[1]) < size
        else:
            inverted += 1
            assert times(square, found) == [[int(i == j) for j in range(size)] for i in range(size)]
    assert inverted > 300


@pytest.mark.parametrize("rows", [[[1, 2]], [[1], [2]], [[1, 0, 0], [0, 1, 0]], [[]]], ids=repr)
def test_only_square_matrices_have_inverses(rows):
    with pytest.raises(ValueError):
        inverse([[Fraction(entry) for entry in row] for row in rows])


def test_rank_modulo_a_prime_is_a_lower_bound_and_a_minor_says_when_it_is_sharp():
    r = random.Random(3)
    below = 0
    for _ in range(2000):
        columns = r.randint(1, 5)
        rows = [[r.choice((0, 1, 2, 3, 5, 6, MERSENNE_61, HUGE)) for _ in range(columns)]
                for _ in range(r.randint(1, 5))]  # fmt: skip
        for prime in (2, 3, 5, MERSENNE_61):
            found, exact = rank_modulo(rows, prime), len(eliminate([[Fraction(e) for e in row] for row in rows])[1])
            domain = sympy.GF(prime, symmetric=False)
            expected = sympy.polys.matrices.DomainMatrix(
                [[domain(e % prime) for e in row] for row in rows], (len(rows), columns), domain
            ).rank()
            assert found == expected <= exact
            below += found < exact
    assert below > 500


@pytest.mark.parametrize("modulus", [1, 0, -7, 9, 2**61, 2**64 + 13])
def test_a_modulus_that_is_no_usable_prime_is_refused(modulus, tmp_path):
    # In a process of its own, since a composite modulus can end the interpreter.
    program = (
        "from exactrelu.rationals import rank_modulo\n"
        "try:\n"
        f"    print(rank_modulo([[3, 0], [2, 3], [1, 1]], {modulus}))\n"
        "except ValueError as error:\n"
        "    print('refused', error)\n"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stdout[:7]) == (0, "refused"), done.stderr[-300:]


def test_ranks_and_kernels_agree_with_sympy():
    r = random.Random(4)
    for _ in range(150):
        rows, columns = random_matrix(r)
        matrix = sympy.Matrix(
            len(rows), columns, [sympy.Rational(e.numerator, e.denominator) for row in rows for e in row]
        )
        assert rank(rows) == matrix.rank()
        assert sorted(kernel(rows, columns)) == sorted(
            tuple(Fraction(int(e.p), int(e.q)) for e in vector) for vector in matrix.nullspace()
        )


def test_integer_matrix_products():
    r = random.Random(5)
    for _ in range(1500):
        a, b, c = (r.randint(0, 4) for _ in range(3))
        left = [[r.choice((0, 1, -2, HUGE)) for _ in range(b)] for _ in range(a)]
        right = [[r.choice((0, 3, -1, -HUGE)) for _ in range(c)] for _ in range(b)]
        expected = [[sum(left[i][k] * right[k][j] for k in range(b)) for j in range(c)] for i in range(a)]
        found = IntegerMatrix(left, b).times(right, c)
        assert found == expected
        assert all(type(entry) is int for row in found for entry in row)


def test_results_are_fractions_in_tuples():
    rows = [[Fraction(1), Fraction(2)], [Fraction(3), Fraction(4)]]
    results = [*row_reduce(rows)[0], *kernel(rows[:1], 2), solve(rows, [Fraction(1), Fraction(1)]), *inverse(rows)]
    assert all(type(row) is tuple and all(type(entry) is Fraction for entry in row) for row in results)
    pivots = row_reduce([[0, 1, 2, 0], [0, 0, 0, 5]])[1]
    assert all(a < b for a, b in pairwise(pivots))
    with pytest.raises(ValueError):
        dot([Fraction(1)], [])
