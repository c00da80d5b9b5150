"""The one place where python-flint meets Python's own numbers.

flint is fast, and its types compare unequal to ``Fraction``; so no result
outside :mod:`exactrelu.rationals` is ever one. Here integers and fractions
cross the border, in both directions, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Final, cast

import flint

IntegerRows = Sequence[Sequence[int]]

_LONG: Final = 1 << 512
"""From here on flint's integers multiply and divide faster than Python's, and soon ten times as fast."""


def from_scalar(value: object) -> Fraction | None:
    """A ``Fraction`` from flint's ``fmpz`` or ``fmpq``; ``None`` for anything else.

    >>> from_scalar(flint.fmpq(1, 2))
    Fraction(1, 2)
    """
    if isinstance(value, flint.fmpz):
        return Fraction(int(value))
    if isinstance(value, flint.fmpq):
        return Fraction(int(value.p), int(value.q))
    return None


def swift_integers(rows: IntegerRows) -> list[list[int]]:
    """Equal numbers that are quick to compute with: flint's where one is long, and whole tables of one kind.

    For loops of additions, multiplications, exact divisions and comparisons only; ``int`` leads back.

    >>> type(swift_integers([[1, -2]])[0][0]), type(swift_integers([[1, -(10**200)]])[0][0])
    (<class 'int'>, <class 'flint.types.fmpz.fmpz'>)
    """
    if all(not row or (max(row) < _LONG and min(row) > -_LONG) for row in rows):
        return [list(row) for row in rows]
    return [[cast("int", flint.fmpz(entry)) for entry in row] for row in rows]


def integer_from_digits(digits: str) -> int:
    """The integer written in ASCII ``digits``, beyond CPython's digit limit too.

    >>> integer_from_digits("0042")
    42
    """
    return int(digits) if len(digits) < 600 else int(flint.fmpz(digits.lstrip("0") or "0"))


def is_word_prime(value: int) -> bool:
    """Whether an integer is a prime that flint's word-sized matrices can work with.

    >>> is_word_prime(2**61 - 1), is_word_prime(91)
    (True, False)
    """
    return isinstance(value, int) and 2 <= value < 2**63 and bool(flint.fmpz(value).is_prime())


def integer_matrix(rows: IntegerRows, columns: int) -> Any:
    """An ``fmpz_mat`` of ``len(rows)`` rows; ``columns`` gives empty ones a shape."""
    return flint.fmpz_mat(len(rows), columns, [entry for row in rows for entry in row])


def modular_matrix(rows: IntegerRows, columns: int, prime: int) -> Any:
    """An ``nmod_mat`` of the entries reduced modulo ``prime``."""
    return flint.nmod_mat(len(rows), columns, [entry % prime for row in rows for entry in row], prime)


def rational_rows(matrix: Any) -> list[list[Fraction]]:
    """The rows of an ``fmpq_mat`` as ``Fraction``."""
    return [[Fraction(int(entry.p), int(entry.q)) for entry in row] for row in matrix.tolist()]


def integer_rows(matrix: Any) -> list[list[int]]:
    """The rows of an ``fmpz_mat`` or ``nmod_mat`` as ``int``."""
    return [[int(entry) for entry in row] for row in cast("list[list[Any]]", matrix.tolist())]


def integer_kernel(rows: IntegerRows, columns: int) -> list[list[int]]:
    """A basis of the right kernel, one vector per free column: primitive, and positive in this column.

    >>> integer_kernel([[2, 0, -3]], 3)
    [[0, 1, 0], [3, 0, 2]]
    """
    reduced, denominator, size = integer_matrix(rows, columns).rref()
    table: list[list[Any]] = reduced.tolist()[: int(size)]
    pivots = [next(j for j, entry in enumerate(row) if entry) for row in table]
    basis = []
    for free in sorted(set(range(columns)) - set(pivots)):
        divisor = denominator
        for row in table:
            divisor = divisor.gcd(row[free])
        if denominator < 0:
            divisor = -divisor
        vector = [0] * columns
        vector[free] = int(denominator // divisor)
        for row, pivot in zip(table, pivots, strict=True):
            vector[pivot] = int(-row[free] // divisor)
        basis.append(vector)
    return basis


def ball(value: Fraction, bits: int) -> Any:
    """A real ball of midpoint precision ``bits`` that contains a fraction."""
    return at_precision(bits, lambda: flint.arb(flint.fmpq(flint.fmpz(value.numerator), flint.fmpz(value.denominator))))


def at_precision(bits: int, compute: Callable[[], Any]) -> Any:
    """A computation with balls at a precision of its own."""
    with flint.ctx.workprec(bits):
        return compute()
