r"""Evidence for ranks: a minor with its inverse modulo a prime, and vectors of the kernel with an identity block.

Theory: ``embedding_rank_is_parameters_minus_hidden`` (S3), ``sample_jacobian_rank_suffices`` (D1).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import count
from typing import Any, Final

from ..networks import Network
from ..paths import embedding_rank
from ..rationals import flint_bridge, integer_pivots, kernel
from . import notation
from .readings import Reading

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
            inverse = flint_bridge.modular_matrix(square, rank, prime).inv() if rank else None
            written = [] if inverse is None else flint_bridge.integer_rows(inverse)
            return {"rows": chosen, "columns": columns, "modulus": prime, "inverse": written}
    raise RuntimeError("internal error: a matrix does not have the rank that was found for it")


def kernel_of(rows: Sequence[Sequence[Fraction]], size: int) -> tuple[list[int], list[tuple[Fraction, ...]]]:
    """Free columns of a matrix of ``size`` columns, and the vectors of its kernel that are the identity there.

    >>> kernel_of([[Fraction(1), Fraction(2)]], 2)[0]
    [1]
    """
    whole = [[int(entry * math.lcm(*(e.denominator for e in row))) for entry in row] for row in rows]
    pivots = set(integer_pivots(whole))
    return [j for j in range(size) if j not in pivots], list(kernel(rows, size))


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
    r"""Whether :math:`\rho(\lambda t)=\lambda\rho(t)` for every neuron and all :math:`\lambda>0`."""
    return all(bend.is_homogeneous for layer in Reading.of(net).layers for bend in layer.bends)


def _primes() -> Iterator[int]:
    """Primes below 2**16 downwards, then those above as far as a modulus may go; some of them divide no determinant."""
    for candidate in range(LARGEST - 1, LARGEST // 2, -2):
        if flint_bridge.is_word_prime(candidate):
            yield candidate
    for candidate in count(LARGEST + 1, 2):
        if candidate >= 2**31:
            return
        if flint_bridge.is_word_prime(candidate):
            yield candidate
