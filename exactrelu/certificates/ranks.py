r"""Evidence for ranks: a minor with its inverse modulo a prime, and vectors of the kernel with an identity block.

Theory: ``embedding_rank_is_parameters_minus_hidden`` (S3), ``sample_jacobian_rank_suffices`` (D1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, count, islice
from typing import Any, Final

import numpy as np

from .. import checker
from ..networks import Network
from ..paths import embedding_rank
from ..rationals import (
    MERSENNE_61,
    common_denominator,
    integer_pivots,
    inverse_modulo,
    is_word_prime,
    rank,
    rank_modulo,
    scaled_integers,
    solve_columns,
)
from ..rationals.modular_elimination import PRIMES, ModularBasis
from . import notation

SMALLEST: Final = 11
"""The smallest prime for which there is a blocked elimination."""
BLOCK: Final = 512
"""The number of rows that are eliminated together."""
LARGEST: Final = 2**16
"""Primes are tried downwards from here, and then upwards: small ones make small certificates."""


def minor(rows: Sequence[Sequence[Fraction]], rank: int) -> dict[str, Any]:
    """The evidence that a matrix has at least this rank.

    Raises ``RuntimeError`` if that is not so.

    >>> minor([[Fraction(1, 2), Fraction(1)], [Fraction(1), Fraction(2)]], 1)
    {'rows': [0], 'columns': [0], 'modulus': 65521, 'inverse': [[2]]}
    """
    for prime in _primes():
        if any(entry.denominator % prime == 0 for row in rows for entry in row):
            continue
        residues = [[entry.numerator * pow(entry.denominator, -1, prime) % prime for entry in row] for row in rows]
        chosen = integer_pivots([list(column) for column in zip(*residues, strict=True)], prime)[:rank]
        if len(chosen) == rank:
            columns = integer_pivots([residues[i] for i in chosen], prime)
            square = [[residues[i][j] for j in columns] for i in chosen]
            written = inverse_modulo(square, prime) if 0 < rank <= checker.MAX_MINOR else []
            return {"rows": chosen, "columns": columns, "modulus": prime, "inverse": written}
    raise RuntimeError("internal error: a matrix does not have the rank that was found for it")


def invertible(rows: Iterable[list[int]], prime: int) -> bool:
    """Whether a square matrix is invertible modulo a prime: what the checker asks an engine about large minors.

    >>> invertible(iter([[1, 2], [3, 4]]), 65521), invertible(iter([[1, 2], [2, 4]]), 65521)
    (True, False)
    """
    supply = iter(rows)
    first = next(supply)
    if not is_word_prime(prime):
        return False
    if not SMALLEST <= prime <= PRIMES[0]:
        return rank_modulo([first, *supply], prime) == len(first)
    basis, size = ModularBasis(len(first), prime), 0
    for block in batched(chain([first], supply), BLOCK):
        size += len(block)
        basis.extend(np.array(block, np.float64))
    return size == len(first) == basis.rank


def batched(rows: Iterable[list[int]], size: int) -> Iterator[list[list[int]]]:
    """Lists of so many rows, one after the other."""
    supply = iter(rows)
    while block := list(islice(supply, size)):
        yield block


def kernel_of(rows: Sequence[Sequence[Fraction]], size: int) -> tuple[list[int], list[tuple[Fraction, ...]]]:
    """Free columns of a matrix of ``size`` columns, and the vectors of its kernel that are the identity there.

    Independent rows and columns are found modulo a prime, as many as the rank; they are then solved exactly.

    >>> kernel_of([[Fraction(1), Fraction(2)]], 2)
    ([1], [(Fraction(-2, 1), Fraction(1, 1))])
    """
    whole = [scaled_integers(row, common_denominator(row)) for row in rows]
    chosen, pivots = _independent(whole, rank(rows))
    free = sorted(set(range(size)) - set(pivots))
    square, right = [[whole[i][j] for j in pivots] for i in chosen], [[-whole[i][j] for j in free] for i in chosen]
    solution = solve_columns(square, right)
    place = {j: k for k, j in enumerate(pivots)}
    vectors = [
        tuple(solution[place[j]][k] if j in place else Fraction(int(j == column)) for j in range(size))
        for k, column in enumerate(free)
    ]
    return free, vectors


def _independent(rows: list[list[int]], wanted: int) -> tuple[list[int], list[int]]:
    """As many rows and columns as the rank that have a nonzero minor."""
    if not wanted:
        return [], []
    for prime in chain((MERSENNE_61,), _primes()):
        columns = integer_pivots(rows, prime)
        if len(columns) == wanted:
            return integer_pivots([[row[j] for row in rows] for j in columns], prime), columns
    raise RuntimeError("internal error: a matrix does not have the rank that was found for it")


def kernel_evidence(rows: Sequence[Sequence[Fraction]], size: int) -> dict[str, Any]:
    """The evidence that a matrix has no greater rank.

    >>> kernel_evidence([[Fraction(1), Fraction(2)]], 2)
    {'columns': [1], 'vectors': [['-2', '1']]}
    """
    columns, vectors = kernel_of(rows, size)
    return {"columns": columns, "vectors": notation.matrix(vectors)}


def is_plain(net: Network, rank: int) -> bool:
    r"""Whether no sample Jacobian can have a greater rank: it has no more columns, or :math:`D\Phi` no greater rank."""
    return rank == len(net.parameters) or (is_homogeneous(net) and rank == embedding_rank(net))


def is_homogeneous(net: Network) -> bool:
    r"""Whether :math:`\rho(\lambda t)=\lambda\rho(t)` for every neuron, outputs included, and all :math:`\lambda>0`."""
    return all(rho.is_positively_homogeneous for layer in net.layers for rho in layer.activations)


def _primes() -> Iterator[int]:
    """Primes below 2**16 downwards, then those above as far as a modulus may go; some of them divide no determinant."""
    for candidate in range(LARGEST - 1, LARGEST // 2, -2):
        if is_word_prime(candidate):
            yield candidate
    for candidate in count(LARGEST + 1, 2):
        if candidate >= 2**31:
            return
        if is_word_prime(candidate):
            yield candidate
