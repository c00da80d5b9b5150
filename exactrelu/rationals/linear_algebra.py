r"""Exact linear algebra over :math:`\mathbb Q` (and modulo a prime) on plain rows.

Matrices are sequences of rows of ``Fraction`` (or ``int``); results are tuples
of ``Fraction``. The work is done by flint behind :mod:`.flint_bridge`.

==============================  ===============================================
:func:`rank`                    rank over the rationals
:func:`kernel`                  a basis of the right kernel, one vector per free column
:func:`row_reduce`              reduced row echelon form and pivot columns
:func:`solve`                   one solution of a linear system, or none
:func:`solve_columns`           the solutions for many right sides of an invertible system
:func:`inverse`                 inverse of a square matrix, or none
:func:`decompose_modulo`        a matrix as outer products, some of them along given rows
:func:`rank_modulo`             rank modulo a prime, a proven lower bound
:func:`inverse_modulo`          inverse modulo a prime
:func:`integer_pivots`          pivot columns of an integer matrix
:class:`IntegerMatrix`          an integer matrix, ready for many products
==============================  ===============================================
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

from ..errors import InvalidInput, WrongDimension
from . import flint_bridge
from .numbers import common_denominator, scaled_integers

Vector = tuple[Fraction, ...]
Matrix = tuple[Vector, ...]
Rows = Sequence[Sequence[Fraction]]

MERSENNE_61: Final = 2**61 - 1
"""The prime used for lower bounds of ranks unless another is named."""


def rank(rows: Rows) -> int:
    """The rank of a matrix.

    >>> rank([[Fraction(1), Fraction(2)], [Fraction(2), Fraction(4)]])
    1
    """
    if not rows or not rows[0]:
        return 0
    return int(_integer(rows).rank())


def row_reduce(rows: Rows) -> tuple[Matrix, tuple[int, ...]]:
    """The nonzero rows of the reduced row echelon form, and their pivot columns.

    >>> row_reduce([[Fraction(2), Fraction(4)], [Fraction(1), Fraction(2)]])
    (((Fraction(1, 1), Fraction(2, 1)),), (0,))
    """
    if not rows or not rows[0]:
        return (), ()
    reduced, denominator, size = _integer(rows).rref()
    denominator = int(denominator)
    matrix = tuple(
        tuple(Fraction(entry, denominator) for entry in row) for row in flint_bridge.integer_rows(reduced)[: int(size)]
    )
    pivots = tuple(next(j for j, entry in enumerate(row) if entry) for row in matrix)
    return matrix, pivots


def kernel(rows: Rows, columns: int) -> Matrix:
    r"""A basis of :math:`\{x : Mx = 0\}`, with an identity block on the free columns.

    ``columns`` is the length of ``x``; a matrix without rows has full kernel.

    >>> kernel([[Fraction(1), Fraction(2)]], 2)
    ((Fraction(-2, 1), Fraction(1, 1)),)
    """
    reduced, pivots = row_reduce(rows)
    basis = []
    for free in sorted(set(range(columns)) - set(pivots)):
        vector = [Fraction(0)] * columns
        vector[free] = Fraction(1)
        for row, pivot in zip(reduced, pivots, strict=True):
            vector[pivot] = -row[free]
        basis.append(tuple(vector))
    return tuple(basis)


def solve(rows: Rows, right: Sequence[Fraction]) -> Vector | None:
    """One solution of ``rows @ x = right`` (free variables 0), or ``None``.

    >>> solve([[Fraction(2), Fraction(0)]], [Fraction(3)])
    (Fraction(3, 2), Fraction(0, 1))
    """
    columns = len(rows[0]) if rows else 0
    augmented = [[*row, value] for row, value in zip(rows, right, strict=True)]
    reduced, pivots = row_reduce(augmented)
    if columns in pivots:
        return None
    solution = [Fraction(0)] * columns
    for row, pivot in zip(reduced, pivots, strict=True):
        solution[pivot] = row[columns]
    return tuple(solution)


def solve_columns(rows: Sequence[Sequence[int]], right: Sequence[Sequence[int]]) -> list[list[Fraction]]:
    """The matrix ``X`` with ``rows @ X = right``, for an invertible integer matrix of ``rows``.

    >>> solve_columns([[2, 0], [0, 1]], [[1, 0], [0, 3]])
    [[Fraction(1, 2), Fraction(0, 1)], [Fraction(0, 1), Fraction(3, 1)]]
    """
    if not rows or not right[0]:
        return [[] for _ in rows]
    matrix = flint_bridge.integer_matrix(rows, len(rows))
    return flint_bridge.rational_rows(matrix.solve(flint_bridge.integer_matrix(right, len(right[0]))))


def inverse(rows: Rows) -> Matrix | None:
    """The inverse of a square matrix, or ``None`` if it is singular.

    Raises :class:`~exactrelu.errors.WrongDimension` for a matrix that is not square.

    >>> inverse([[Fraction(0), Fraction(2)], [Fraction(1), Fraction(0)]])
    ((Fraction(0, 1), Fraction(1, 1)), (Fraction(1, 2), Fraction(0, 1)))
    """
    size = len(rows)
    if any(len(row) != size for row in rows):
        raise WrongDimension(
            "rows", f"must be a square matrix to be inverted, with rows of length {size}", len(rows[0])
        )
    identity = [[Fraction(int(i == j)) for j in range(size)] for i in range(size)]
    reduced, pivots = row_reduce([[*row, *unit] for row, unit in zip(rows, identity, strict=True)])
    if pivots != tuple(range(size)):
        return None
    return tuple(row[size:] for row in reduced)


def rank_modulo(rows: Sequence[Sequence[int]], prime: int = MERSENNE_61) -> int:
    """The rank of an integer matrix modulo a prime: never above its rank over Q.

    A minor that is nonzero modulo the prime is nonzero.

    Raises :class:`~exactrelu.errors.InvalidInput` unless ``prime`` is a prime below 2**63.

    >>> rank_modulo([[1, 2], [3, 4]]), rank_modulo([[1, 2], [3, 4]], 2)
    (2, 1)
    """
    if not flint_bridge.is_word_prime(prime):
        raise InvalidInput("prime", "must be a prime number below 2**63", prime)
    if not rows or not rows[0]:
        return 0
    return int(flint_bridge.modular_matrix(rows, len(rows[0]), prime).rank())


def inverse_modulo(rows: Sequence[Sequence[int]], prime: int) -> list[list[int]]:
    """The inverse of a square integer matrix that is invertible modulo a prime below 2**63.

    >>> inverse_modulo([[2, 0], [0, 1]], 11)
    [[6, 0], [0, 1]]
    """
    return flint_bridge.integer_rows(flint_bridge.modular_matrix(rows, len(rows), prime).inv())


def integer_pivots(rows: Sequence[Sequence[int]], prime: int | None = None) -> list[int]:
    """The pivot columns of an integer matrix, ascending; as many as its rank.

    With ``prime``, those of the matrix modulo a prime: columns that are
    independent there are independent over the rationals.

    >>> integer_pivots([[0, 2, 4], [0, 1, 3]]), integer_pivots([[0, 2, 4], [0, 1, 3]], 2)
    ([1, 2], [1])
    """
    if not rows or not rows[0]:
        return []
    if prime is None:
        reduced, _, size = flint_bridge.integer_matrix(rows, len(rows[0])).rref()
    else:
        reduced, size = flint_bridge.modular_matrix(rows, len(rows[0]), prime).rref()
    pivots, column = [], 0
    for i in range(int(size)):
        while not int(reduced[i, column]):
            column += 1
        pivots.append(column)
    return pivots


LONG_BITS: Final = 512
"""Matrices with longer entries are multiplied column by column."""


class IntegerMatrix:
    """An integer matrix that is multiplied often: it stays in flint's own form.

    >>> IntegerMatrix([[1, 2], [3, 4]], 2).times([[5], [6]], 1)
    [[17], [39]]
    """

    __slots__ = ("_columns", "_long", "_matrix")

    def __init__(self, rows: Sequence[Sequence[int]], columns: int) -> None:
        self._columns = columns
        self._matrix = flint_bridge.integer_matrix(rows, columns)
        self._long = any(entry.bit_length() > LONG_BITS for row in rows for entry in row)

    def times(self, rows: Sequence[Sequence[int]], columns: int) -> list[list[int]]:
        """The product with the matrix of these ``rows``, which has ``columns`` columns."""
        if self._long and columns > 1:
            # flint multiplies long entries modulo many primes, which pays for square matrices only.
            parts = [self.times([[row[k]] for row in rows], 1) for k in range(columns)]
            return [[part[i][0] for part in parts] for i in range(len(parts[0]))]
        return flint_bridge.integer_rows(self._matrix * flint_bridge.integer_matrix(rows, columns))


def decompose_modulo(
    rows: Rows, span: Sequence[Sequence[Fraction | int]]
) -> tuple[list[Vector], list[tuple[Vector, Vector]]]:
    r"""Write a matrix as :math:`M=\sum_iu_is_i^T+\sum_jy_jz_j^T` with as few :math:`z_j` as possible.

    ``span`` lists the :math:`s_i`. Returns the :math:`u_i`, and the pairs
    :math:`(z_j,y_j)`, as many as the rank of the rows of :math:`M` modulo the span.

    >>> decompose_modulo([[Fraction(2), Fraction(3)]], [[1, 0]])
    ([(Fraction(2, 1),)], [((Fraction(0, 1), Fraction(1, 1)), (Fraction(3, 1),))])
    """
    columns = len(rows[0])
    given: list[Vector] = [tuple(Fraction(entry) for entry in vector) for vector in span]
    annihilator = kernel(given, columns)
    projected = [[dot(row, direction) for direction in annihilator] for row in rows]
    reduced, pivots = row_reduce(projected)
    # The directions dual to the pivots: rows modulo the span are combinations of ``reduced``.
    lifted = [_solution(annihilator, row) for row in reduced]
    outputs = [tuple(row[pivot] for row in projected) for pivot in pivots]
    system = [list(column) for column in zip(*given, strict=True)]
    shares = []
    for o, row in enumerate(rows):
        taken = [dot([y[o] for y in outputs], column) for column in zip(*lifted, strict=True)] or [
            Fraction(0)
        ] * columns
        rest = [entry - part for entry, part in zip(row, taken, strict=True)]
        shares.append(_solution(system, rest) if given else ())
    return [tuple(share[i] for share in shares) for i in range(len(given))], list(zip(lifted, outputs, strict=True))


def dot(left: Sequence[Fraction], right: Sequence[Fraction]) -> Fraction:
    r"""The inner product :math:`\sum_i l_i r_i` of two vectors of equal length.

    >>> dot([Fraction(1), Fraction(2)], [Fraction(3), Fraction(4)])
    Fraction(11, 1)
    """
    return sum((a * b for a, b in zip(left, right, strict=True)), Fraction(0))


def _solution(rows: Rows, right: Sequence[Fraction]) -> Vector:
    """The solution of a system that is known to have one."""
    solution = solve(rows, right)
    if solution is None:
        raise RuntimeError("internal error: a linear system without the solution it must have")
    return solution


def _integer(rows: Rows) -> Any:
    """An integer matrix with the same row space: every row cleared of denominators."""
    cleared = [scaled_integers(row, common_denominator(row)) for row in rows]
    return flint_bridge.integer_matrix(cleared, len(rows[0]))
