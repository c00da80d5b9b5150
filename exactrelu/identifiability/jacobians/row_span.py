r"""The span of very many integer rows, by a few of them and the exact proof that these suffice.

Rows that are independent modulo a prime are independent over :math:`\mathbb Q`,
so a few rows prove a lower bound of the rank. The upper bound is proved by the
annihilator :math:`K` of the rows collected so far: modulo their span a row
:math:`r` *is* the short vector :math:`rK`, and once all of these vanish nothing
is missing. Directions that are known to be annihilated by every row (here: the
kernel of :math:`D\Phi`) are removed beforehand, by dropping the columns of a
nonzero maximal minor of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from ...rationals import (
    MERSENNE_61,
    IntegerMatrix,
    Vector,
    integer_kernel,
    integer_pivots,
    primitive,
    primitive_integers,
)
from .tape import Integers

EXACT_FLOAT: Final = 2**53
"""Integers up to here are floats, and sums of products that stay below it are exact in any order."""


class RowSpan:
    """Independent integer ``rows``, collected from many, all annihilated by the vectors ``known``.

    >>> from exactrelu.rationals import rational_vector
    >>> span = RowSpan(3, [rational_vector([1, -1, 0])])
    >>> span.collect(np.array([[1, 1, 0], [2, 2, 0]]))
    >>> span.complete(np.array([[3, 3, 5]]))
    >>> span.rows, span.is_full
    ([[1, 1, 0], [3, 3, 5]], True)
    """

    def __init__(self, size: int, known: Sequence[Vector]) -> None:
        dropped = set(integer_pivots([primitive_integers(vector) for vector in known], MERSENNE_61))
        self.columns = [k for k in range(size) if k not in dropped]
        self.rows: list[list[int]] = []
        self._annihilator: list[list[int]] | None = None  # in the kept columns

    @property
    def is_full(self) -> bool:
        """Whether no row can be missing."""
        return len(self.rows) == len(self.columns)

    def collect(self, rows: Integers) -> None:
        """Take the rows that are independent modulo a prime; it may overlook some."""
        candidates = self.rows + rows[rows.any(axis=1)].tolist()
        kept = [[row[k] for row in candidates] for k in self.columns]
        self.rows = [candidates[k] for k in integer_pivots(kept, MERSENNE_61)]
        self._annihilator = None

    def complete(self, rows: Integers) -> None:
        """Take rows until the span provably contains all of these."""
        rows = rows[rows.any(axis=1)]
        while not self.is_full and len(rows):
            residues = self._residues(rows)
            missing = residues.any(axis=1)
            rows, residues = rows[missing], residues[missing]
            if not len(rows):
                return
            chosen = integer_pivots(residues.T.tolist(), MERSENNE_61) or [0]
            self.rows += rows[chosen].tolist()
            self._narrow(residues[chosen].tolist())

    def misses(self, rows: Integers) -> npt.NDArray[np.bool_]:
        """Which of some rows, at least one, are not in the span."""
        return self.misses_by(rows[:, self.support])

    def misses_by(self, entries: Integers) -> npt.NDArray[np.bool_]:
        """Which of some rows, given by their entries in the columns of :attr:`support`, are not in the span."""
        if not self.support:
            return np.zeros(len(entries), np.bool_)
        return np.asarray(self._products(entries).any(axis=1), np.bool_)

    @property
    def support(self) -> list[int]:
        """The columns that decide whether a row is in the span: those in which some annihilating vector is not 0."""
        return [
            k for k, entries in zip(self.columns, zip(*self.annihilator, strict=True), strict=False) if any(entries)
        ]

    @property
    def annihilator(self) -> list[list[int]]:
        """A basis of the vectors, in the kept columns, that all rows annihilate."""
        if self._annihilator is None:
            self._annihilator = integer_kernel([[row[k] for k in self.columns] for row in self.rows], len(self.columns))
        return self._annihilator

    def _residues(self, rows: Integers) -> Integers:
        """The products of rows with the annihilator, one line per row."""
        return self._products(rows[:, self.support])

    def _products(self, entries: Integers) -> Integers:
        """The same from the entries in the support; a vector with one component needs no multiplication by a matrix."""
        place = {k: i for i, k in enumerate(self.support)}
        vectors = [{place[k]: e for k, e in zip(self.columns, v, strict=True) if e} for v in self.annihilator]
        products: Integers = np.zeros((len(entries), len(vectors)), object)
        sums = []
        for column, vector in enumerate(vectors):
            if len(vector) == 1:
                ((i, component),) = vector.items()
                products[:, column] = entries[:, i] * component
            else:
                sums.append(column)
        if sums:
            used = sorted({i for column in sums for i in vectors[column]})
            matrix = [[vectors[column].get(i, 0) for i in used] for column in sums]
            found = _times(entries[:, used], matrix)
            products[:, sums] = found
        return products

    def _narrow(self, residues: list[list[int]]) -> None:
        """Restrict the annihilator to the combinations that new rows annihilate as well."""
        old = self.annihilator
        combinations = integer_kernel(residues, len(old))
        products = IntegerMatrix(combinations, len(old)).times(old, len(self.columns)) if combinations else []
        self._annihilator = [list(primitive(vector)) for vector in products]


def _times(entries: Integers, vectors: list[list[int]]) -> Integers:
    """The products of rows with vectors: in floats where all sums are small integers, else in whole numbers."""
    weight = max(sum(map(abs, vector)) for vector in vectors)
    if weight * int(abs(entries).max(initial=0)) < EXACT_FLOAT:
        product = entries.astype(np.float64) @ np.array(vectors, np.float64).T
        return product.astype(np.int64)
    columns: list[list[int]] = entries.T.tolist()
    return np.array(IntegerMatrix(vectors, len(vectors[0])).times(columns, len(entries)), object).T


def kernel_on(rows: Sequence[Sequence[int]], columns: Sequence[int], size: int) -> list[list[int]]:
    """The vectors of a basis of the right kernel among those that are 0 outside some columns.

    >>> kernel_on([[2, 5, -3]], [0, 2], 3)
    [[3, 0, 2]]
    """
    found = []
    for vector in integer_kernel([[row[k] for k in columns] for row in rows], len(columns)):
        entries = dict(zip(columns, vector, strict=True))
        found.append([entries.get(k, 0) for k in range(size)])
    return found
