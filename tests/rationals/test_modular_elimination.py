"""Blocked elimination against flint, and the bounds on which its exactness rests."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from flint import nmod_mat

from exactrelu import InvalidInput, InvalidNumber, WrongDimension
from exactrelu.rationals import integer_pivots, rank_modulo
from exactrelu.rationals import modular_elimination as me
from exactrelu.rationals.modular_elimination import (
    PRIMES,
    ModularBasis,
    good_prime,
    multiply_modulo,
    nonzero_minor,
    reduce_modulo,
    residues,
)

PRIME = PRIMES[0]
BOUND = 2**22 - 4  # of a residue, as the module says


def random_matrix(r: random.Random) -> list[list[int]]:
    """A matrix of low or full rank, wide or tall, with repeated, zero and sparse rows and columns."""
    rows, columns, rank = r.randint(1, 40), r.randint(1, 40), r.randint(0, 20)
    draw = r.choice((lambda: r.randint(-3, 3), lambda: r.randint(-(10**9), 10**9), lambda: int(r.random() < 0.1)))
    left = [[draw() for _ in range(rank)] for _ in range(rows)]
    right = [[draw() for _ in range(columns)] for _ in range(rank)]
    matrix = [[sum(a * b[j] for a, b in zip(row, right, strict=True)) for j in range(columns)] for row in left]
    if r.random() < 0.3:
        matrix = [[entry + draw() for entry in row] for row in matrix]
    for _ in range(r.randint(0, 3)):
        matrix[r.randrange(rows)] = list(matrix[r.randrange(rows)])
    return matrix


def check(matrix: list[list[int]], prime: int) -> None:
    minor = nonzero_minor(matrix, prime)
    assert minor.prime == prime
    assert minor.rank == rank_modulo(matrix, prime)
    # The rows are the first possible: they are the pivots of the transposed matrix.
    assert list(minor.rows) == integer_pivots([list(column) for column in zip(*matrix, strict=True)], prime)
    assert len(set(minor.columns)) == minor.rank
    entries = [matrix[i][j] % prime for i in minor.rows for j in minor.columns]
    assert int(nmod_mat(minor.rank, minor.rank, entries, prime).det()) or not minor.rank


@pytest.mark.parametrize(("panel", "leaf", "strip"), [(512, 8, 1024), (16, 3, 7), (5, 1, 1), (1, 1, 64)])
def test_minors_of_random_matrices(monkeypatch: pytest.MonkeyPatch, panel: int, leaf: int, strip: int) -> None:
    monkeypatch.setattr(me, "PANEL", panel)
    monkeypatch.setattr(me, "LEAF", leaf)
    monkeypatch.setattr(me, "STRIP", strip)
    r = random.Random(panel)
    for _ in range(150):
        check(random_matrix(r), r.choice((11, 13, 101, 65_537, PRIME)))


@pytest.mark.parametrize("shape", [(1, 1), (3, 50), (50, 3), (0, 4)])
def test_zero_matrices(shape: tuple[int, int]) -> None:
    minor = nonzero_minor([[0] * shape[1] for _ in range(shape[0])])
    assert (minor.rank, minor.rows, minor.columns) == (0, (), ())


@pytest.mark.parametrize("shape", [(700, 650), (1300, 300), (300, 1300)])
def test_larger_than_a_panel(shape: tuple[int, int]) -> None:
    """Full rank, or 40 less, with entries as large as they can be."""
    rows, columns = shape
    draw = np.random.default_rng(rows)
    half = PRIME // 2
    matrix = draw.choice([-half, half - 1, half, 0, 1], (rows, columns))
    assert nonzero_minor(matrix.tolist()).rank == rank_modulo(matrix.tolist(), PRIME)
    low = min(shape) - 40
    product = multiply_modulo(
        residues(draw.integers(-half, half, (rows, low)).tolist()),
        residues(draw.integers(-half, half, (low, columns)).tolist()),
    )
    whole = product.astype(np.int64).tolist()
    check(whole, PRIME)
    assert nonzero_minor(whole).rank == low


def test_a_basis_grows_block_by_block() -> None:
    r = random.Random(7)
    for _ in range(100):
        matrix = residues(random_matrix(r))
        basis, start, fresh = ModularBasis(matrix.shape[1]), 0, []
        while start < len(matrix):
            size = r.randint(1, 9)
            before = matrix.copy()
            fresh += basis.extend(matrix[start : start + size])
            assert (matrix == before).all()  # the argument is left as it was
            start += size
        assert basis.minor.rows == nonzero_minor(matrix.astype(int).tolist()).rows == tuple(fresh)
        assert basis.is_full == (basis.rank == matrix.shape[1])


def test_products_are_exact_at_the_bound() -> None:
    """The largest residues, 512 terms of one sign: the sum comes within 2**35 of 2**53."""
    assert PRIME / 2 + 4 < BOUND + 1
    assert me.PANEL * BOUND**2 + BOUND < 2**53 - 2**33
    left, right = np.full((1, 512), float(BOUND)), np.full((512, 1), float(BOUND))
    assert int((left @ right)[0, 0]) == 512 * BOUND**2
    r = random.Random(1)
    for terms in (1, 511, 512, 513, 1500):
        a = [[r.choice((-BOUND, BOUND, r.randint(-BOUND, BOUND))) for _ in range(terms)] for _ in range(3)]
        b = [[r.choice((-BOUND, BOUND, r.randint(-BOUND, BOUND))) for _ in range(2)] for _ in range(terms)]
        got = multiply_modulo(np.array(a, dtype=float), np.array(b, dtype=float), PRIME)
        want = [[sum(x * y[j] for x, y in zip(row, b, strict=True)) for j in range(2)] for row in a]
        for line, exact in zip(got.tolist(), want, strict=True):
            assert all((int(g) - w) % PRIME == 0 for g, w in zip(line, exact, strict=True))


@pytest.mark.parametrize("prime", [11, 13, 101, 65_537, *PRIMES])
def test_reduction_keeps_its_bound(prime: int) -> None:
    """Near multiples and half multiples of the prime, and at the ends of the range."""
    r = random.Random(prime)
    most = (2**53 - 2**33) // prime
    numbers = [2**53 - 2**33 - 1, 2**33 - 2**53 + 1, 0]
    for _ in range(3000):
        multiple = r.choice((r.randint(-most + 1, most - 1), r.randint(-3, 3), most - 1, 1 - most))
        numbers.append(prime * multiple + r.choice((0, 0, 1, -1, prime // 2, -(prime // 2), r.randrange(prime))))
    entries = np.array(numbers, dtype=float)
    assert entries.tolist() == numbers
    reduce_modulo(entries, prime)
    for before, after in zip(numbers, entries.tolist(), strict=True):
        assert after == int(after)
        assert (before - int(after)) % prime == 0
        assert abs(after) <= prime / 2 + 4
        assert (after == 0) == (before % prime == 0)


def test_fractions_modulo_a_prime() -> None:
    r = random.Random(3)
    rows = [[Fraction(r.randint(-99, 99), r.choice((1, 2, 7, 2**90, 10**30))) for _ in range(5)] for _ in range(40)]
    got = residues(rows)
    for row, line in zip(rows, got.tolist(), strict=True):
        assert all((int(g) * e.denominator - e.numerator) % PRIME == 0 for g, e in zip(line, row, strict=True))
    assert nonzero_minor(rows).rank == 5
    with pytest.raises(InvalidNumber, match="prime: must divide no denominator; got 11"):
        residues([[Fraction(1, 22)]], 11)


def test_a_prime_that_divides_no_denominator() -> None:
    assert good_prime([]) == PRIMES[0]
    assert good_prime([Fraction(1, 3), Fraction(1, PRIMES[0] * PRIMES[1])]) == PRIMES[2]
    with pytest.raises(InvalidNumber, match="must be prime to one of"):
        good_prime([Fraction(1, prime) for prime in PRIMES])


@pytest.mark.parametrize("prime", [0, 2, 7, 12, 2**23, 8_388_617, 2**61 - 1, -11, "11", 11.0])
def test_numbers_that_will_not_do_as_primes(prime: object) -> None:
    with pytest.raises(InvalidInput, match="prime: must be a prime number from 11 to 8388593"):
        nonzero_minor([[1]], prime)


def test_blocks_of_the_wrong_shape() -> None:
    with pytest.raises(WrongDimension, match="must be a matrix of 3 columns"):
        ModularBasis(3).extend(np.zeros((2, 4)))
