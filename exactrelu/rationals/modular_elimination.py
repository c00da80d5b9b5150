r"""Ranks of large integer matrices modulo a prime, at the speed of floating-point matrix products.

============================  =================================================
:func:`nonzero_minor`         a largest minor that is nonzero modulo a prime
:class:`NonzeroMinor`         its prime, rows and columns
:class:`ModularBasis`         the same for rows that arrive block by block
:func:`residues`              exact numbers modulo a prime
:func:`multiply_modulo`       a product of matrices modulo a prime
:func:`good_prime`            a prime that divides none of some denominators
============================  =================================================

A minor that is nonzero modulo a prime is nonzero, so every rank found here is a
proven lower bound of the rank over the rationals.

*Nothing is rounded.* Matrices hold integers in ``float64``, where every integer
up to :math:`2^{53}` in absolute value has its place, so that sums and products
are exact as long as the results stay below that. Let :math:`10<p\le2^{23}-15`
and let the entries of :math:`C`, :math:`X`, :math:`R` be at most
:math:`p/2+4`, hence at most :math:`B=2^{22}-4`. If :math:`X` has :math:`k\le512`
columns, every partial sum of an entry of :math:`C-XR`, taken in any order and
with fused operations too, is an integer of absolute value at most

.. math:: B+kB^2\le2^{22}+2^9(2^{44}-2^{25}+2^4)<2^{53}-2^{33}.

So BLAS does integer arithmetic here. To bring such an entry :math:`t` back below
:math:`p/2+4`, let :math:`q` be the integer nearest to the computed
:math:`t\cdot p^{-1}`. This quotient is wrong by less than
:math:`2^{-51}|t|/p<4/p`, so :math:`|t-pq|<p/2+4`; then :math:`pq` and
:math:`t-pq` are integers below :math:`2^{53}`, and computed exactly. Since
:math:`p/2+4<p`, a residue divisible by :math:`p` is 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from ..errors import InvalidInput, InvalidNumber, WrongDimension
from . import flint_bridge

Residues: TypeAlias = npt.NDArray[np.float64]
"""Integers modulo a prime p, as ``float64`` of absolute value at most p/2 + 4."""

PRIMES: Final = (2**23 - 15, 2**23 - 21, 2**23 - 27, 2**23 - 37)
"""The four largest primes below 2**23."""

PANEL: Final = 512  # the most terms of an exact inner product, see above
LEAF: Final = 8  # so many rows are eliminated one by one
STRIP: Final = 1024  # columns that are updated together, so that they stay in the cache


@dataclass(frozen=True, slots=True)
class NonzeroMinor:
    """A square minor that is nonzero modulo ``prime``: its rows and columns, in the order of their pivots."""

    prime: int
    rows: tuple[int, ...]
    columns: tuple[int, ...]

    @property
    def rank(self) -> int:
        """The size of the minor, at most the rank over the rationals."""
        return len(self.rows)

    def explain(self) -> str:
        """The statement in one clause."""
        return f"a minor of {self.rank} rows is nonzero modulo {self.prime}"


def nonzero_minor(rows: Sequence[Sequence[int | Fraction]], prime: int = PRIMES[0]) -> NonzeroMinor:
    r"""A largest minor of a rational matrix that is nonzero modulo a prime; its rows are the first possible.

    Row :math:`i` belongs to it exactly when it is independent of the rows before it modulo the prime.

    Raises :class:`~exactrelu.errors.InvalidInput` unless ``prime`` is a prime from 11 to
    :math:`2^{23}-15`, :class:`~exactrelu.errors.InvalidNumber` if it divides a denominator.

    >>> nonzero_minor([[0, 2, 4], [0, 1, 2], [3, 0, 0]])
    NonzeroMinor(prime=8388593, rows=(0, 2), columns=(1, 0))
    """
    basis = ModularBasis(len(rows[0]) if len(rows) else 0, prime)
    for start in range(0, len(rows), PANEL):
        if basis.is_full:
            break
        basis.extend(residues(rows[start : start + PANEL], prime))
    return basis.minor


class ModularBasis:
    """Rows that are independent modulo a prime, picked greedily from rows that arrive in blocks.

    Memory: one number of 8 bytes for every column of every independent row.

    >>> basis = ModularBasis(3)
    >>> basis.extend(residues([[0, 2, 4], [0, 1, 2]])), basis.extend(residues([[3, 0, 0]]))
    ([0], [2])
    >>> basis.rank, basis.minor.columns
    (2, (1, 0))
    """

    __slots__ = ("_panels", "_pivots", "_rows", "_seen", "columns", "prime")

    def __init__(self, columns: int, prime: int = PRIMES[0]) -> None:
        check_prime(prime)
        self.columns = columns
        self.prime = prime
        self._panels: list[Residues] = []  # each is the identity on its own pivots, and 0 on all earlier ones
        self._pivots: list[list[int]] = []  # the pivot columns of each panel
        self._rows: list[int] = []
        self._seen = 0

    @property
    def rank(self) -> int:
        """The number of independent rows."""
        return len(self._rows)

    @property
    def is_full(self) -> bool:
        """Whether no row can be independent of those at hand."""
        return self.rank == self.columns

    @property
    def minor(self) -> NonzeroMinor:
        """The independent rows, numbered as they arrived, with their pivot columns."""
        return NonzeroMinor(self.prime, tuple(self._rows), tuple(c for pivots in self._pivots for c in pivots))

    def extend(self, rows: Residues) -> list[int]:
        """Add the rows that are independent of all before; returns their numbers, counted from the first row ever.

        ``rows`` are integers below :math:`2^{52}` in absolute value; they are not changed.
        """
        if rows.ndim != 2 or rows.shape[1] != self.columns:
            raise WrongDimension("rows", f"must be a matrix of {self.columns} columns", rows.shape)
        fresh: list[int] = []
        for start in range(0, len(rows), PANEL):
            block = np.array(rows[start : start + PANEL], dtype=np.float64, order="C")
            reduce_modulo(block, self.prime)
            for panel, pivots in zip(self._panels, self._pivots, strict=True):
                _eliminate(block, panel, pivots, self.prime)
            kept, pivots = _echelon(block, self.prime)
            if kept:
                self._append(block[kept], pivots)
                fresh += [self._seen + start + k for k in kept]
        self._seen += len(rows)
        self._rows += fresh
        return fresh

    def _append(self, panel: Residues, pivots: list[int]) -> None:
        """A new panel, united with the last one while it is small."""
        if self._pivots and len(self._pivots[-1]) + len(pivots) <= PANEL:
            last = self._panels[-1]
            _eliminate(last, panel, pivots, self.prime)
            self._panels[-1] = np.vstack((last, panel))
            self._pivots[-1] += pivots
        else:
            self._panels.append(panel)
            self._pivots.append(pivots)


def residues(rows: Iterable[Iterable[int | Fraction]], prime: int = PRIMES[0]) -> Residues:
    """A matrix of exact numbers modulo a prime that divides no denominator.

    >>> residues([[Fraction(1, 2), -1]], 11)
    array([[-5., -1.]])
    """
    inverses: dict[int, int] = {}
    half = prime // 2

    def residue(value: int | Fraction) -> int:
        denominator = value.denominator
        if denominator == 1:
            return (value.numerator + half) % prime - half
        if denominator not in inverses:
            if denominator % prime == 0:
                raise InvalidNumber("prime", "must divide no denominator", prime)
            inverses[denominator] = pow(denominator, -1, prime)
        return (value.numerator * inverses[denominator] + half) % prime - half

    return np.array([[residue(value) for value in row] for row in rows], dtype=np.float64, ndmin=2)


def multiply_modulo(left: Residues, right: Residues, prime: int = PRIMES[0]) -> Residues:
    """The product of two matrices of residues, as residues.

    >>> multiply_modulo(residues([[5, 5]], 11), residues([[1], [2]], 11), 11)
    array([[4.]])
    """
    product = np.zeros((left.shape[0], right.shape[1]))
    for start in range(0, left.shape[1], PANEL):
        product += left[:, start : start + PANEL] @ right[start : start + PANEL]
        reduce_modulo(product, prime)
    return product


def reduce_modulo(entries: Residues, prime: int) -> None:
    r"""Replace integers below :math:`2^{53}-2^{33}` by their residues, in place."""
    quotients = entries * (1 / prime)
    np.rint(quotients, out=quotients)
    quotients *= prime
    entries -= quotients


def good_prime(values: Iterable[Fraction]) -> int:
    """The first of four primes below 2**23 that divides no denominator.

    Raises :class:`~exactrelu.errors.InvalidNumber` if each of them divides one.

    >>> good_prime([Fraction(1, 8388593)])
    8388587
    """
    denominators = {value.denominator for value in values}
    for prime in PRIMES:
        if all(denominator % prime for denominator in denominators):
            return prime
    raise InvalidNumber("denominators", f"must be prime to one of {PRIMES}")


def check_prime(prime: int) -> None:
    """Refuse anything but a prime for which the arithmetic of this module is exact."""
    if not flint_bridge.is_word_prime(prime) or not 10 < prime <= PRIMES[0]:
        raise InvalidInput("prime", f"must be a prime number from 11 to {PRIMES[0]}", prime)


def _echelon(block: Residues, prime: int) -> tuple[list[int], list[int]]:
    """Gauss-Jordan elimination in place: the rows that become the identity on the columns; all others become 0."""
    if len(block) <= LEAF:
        return _gauss_jordan(block, prime)
    half = len(block) // 2
    top, bottom = block[:half], block[half:]
    rows, columns = _echelon(top, prime)
    _eliminate(bottom, top[rows], columns, prime)
    more_rows, more_columns = _echelon(bottom, prime)
    _eliminate(top, bottom[more_rows], more_columns, prime)
    return rows + [half + row for row in more_rows], columns + more_columns


def _gauss_jordan(block: Residues, prime: int) -> tuple[list[int], list[int]]:
    """The same for a few rows, one by one."""
    rows: list[int] = []
    columns: list[int] = []
    for i, row in enumerate(block):
        column = int((row != 0).argmax())
        if not row[column]:
            continue
        row *= (pow(int(row[column]), -1, prime) + prime // 2) % prime - prime // 2
        reduce_modulo(row, prime)
        factors = block[:, column].copy()
        factors[i] = 0
        block -= np.outer(factors, row)
        reduce_modulo(block, prime)
        rows.append(i)
        columns.append(column)
    return rows, columns


def _eliminate(block: Residues, pivot_rows: Residues, columns: list[int], prime: int) -> None:
    """Subtract multiples of rows that are the identity on ``columns`` until these vanish in the block."""
    if not columns:
        return
    factors = block[:, columns]
    for start in range(0, block.shape[1], STRIP):
        strip = block[:, start : start + STRIP]
        strip -= factors @ pivot_rows[:, start : start + STRIP]
        reduce_modulo(strip, prime)
