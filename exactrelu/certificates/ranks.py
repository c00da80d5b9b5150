r"""Evidence for ranks: a minor with its inverse modulo a prime, and vectors of the kernel with an identity block.

Theory: ``embedding_rank_is_parameters_minus_hidden`` (S3), ``sample_jacobian_rank_suffices`` (D1).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import count, pairwise
from typing import Any, Final

from ..networks import Network
from ..paths import embedding_rank
from ..rationals import flint_bridge, integer_pivots, kernel
from ..verdicts import Neuron
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


def independent_paths(net: Network) -> list[tuple[Neuron, ...]]:
    r"""Paths whose rows of :math:`D\Phi` span all of them: one through every parameter that some path sees.

    The path of a parameter from :math:`u` to :math:`v` is nonzero before :math:`u` and behind :math:`v`. Let
    :math:`\delta` be in the kernel of these rows and :math:`I(v)` the sum of :math:`\delta_e/\theta_e` along the
    chosen path to :math:`v`. The row of a nonzero parameter :math:`e` says that
    :math:`\delta_e/\theta_e=I(v)-I(u)`, that of a zero one that :math:`\delta_e=0`: these are the rescalings.

    >>> independent_paths(Network.mlp([[[2]], [[3]]], [[1], None]))
    [((0, 0), (1, 0), (2, 0)), ((1, 0), (2, 0))]
    """
    before: dict[Neuron, tuple[Neuron, ...]] = {(0, j): ((0, j),) for j in range(net.input_dim)}
    behind: dict[Neuron, tuple[Neuron, ...]] = {(net.depth, i): ((net.depth, i),) for i in range(net.output_dim)}
    for parameter in net.parameters:
        source, target = parameter.source, parameter.target
        if parameter.value and target not in before and (source is None or source in before):
            before[target] = (*(() if source is None else before[source]), target)
    for parameter in reversed(net.parameters):
        source, target = parameter.source, parameter.target
        if parameter.value and source is not None and source not in behind and target in behind:
            behind[source] = (source, *behind[target])
    through = (
        (*(() if p.source is None else before[p.source]), *behind[p.target])
        for p in net.parameters
        if (p.source is None or p.source in before) and p.target in behind
    )
    return list(dict.fromkeys(through))


def embedding_rows(net: Network, paths: Sequence[Sequence[Neuron]]) -> list[list[Fraction]]:
    r"""The rows of :math:`D\Phi(\theta)` of some paths, which start at an input or at a bias.

    >>> embedding_rows(Network.mlp([[[2]], [[3]]]), [((0, 0), (1, 0), (2, 0))])
    [[Fraction(3, 1), Fraction(2, 1)]]
    """
    places = {(parameter.source, parameter.target): k for k, parameter in enumerate(net.parameters)}
    rows = []
    for path in paths:
        start = [] if path[0][0] == 0 else [places[None, path[0]]]
        used = [*start, *(places[step] for step in pairwise(path))]
        row = [Fraction(0)] * len(net.parameters)
        for k in used:
            row[k] = math.prod((net.parameters[j].value for j in used if j != k), start=Fraction(1))
        rows.append(row)
    return rows


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
