r"""Nonempty subsets of vectors with sum zero: the condition (C4), with proofs that there are none.

Theory: section 5.6. Two proofs are cheap. A linear functional that is
nonnegative on all vectors and positive on some excludes the latter from every
zero sum; one exact linear program finds the largest such set at once. And
linearly independent vectors have no zero sum. Whatever remains is searched
exhaustively by meet-in-the-middle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ...polyhedra import Halfspace, Optimal, maximise
from ...rationals import Vector, rank
from ...rationals.subset_sums import subsets_with_sum
from ...verdicts import number_list

IntegerVectors = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class NoZeroSum:
    r"""A proof that no nonempty subset of some vectors :math:`z_i` sums to zero.

    The functional :math:`y` has :math:`\langle y,z_i\rangle\ge0` for all and
    :math:`>0` for the indices in ``positive``; the other vectors are
    ``independent``, or all their subsets were ``searched``.
    """

    functional: Vector
    positive: tuple[int, ...]
    independent: tuple[int, ...] = ()
    searched: tuple[int, ...] = ()

    def explain(self) -> str:
        """The proof in words."""
        parts = []
        if self.positive:
            parts.append(f"the functional {number_list(self.functional)} is positive on {len(self.positive)} vector(s)")
        if self.independent:
            parts.append(f"{len(self.independent)} vector(s) are linearly independent")
        if self.searched:
            parts.append(f"all 2^{len(self.searched)} subsets of {len(self.searched)} vector(s) were searched")
        return "no zero sum: " + " and ".join(parts or ["there are no vectors"])


def zero_sum(vectors: IntegerVectors, *, budget: int | None = None) -> tuple[int, ...] | NoZeroSum:
    """The indices of a nonempty subset with sum zero, or a proof that there is none.

    Raises :class:`~exactrelu.errors.BudgetExceeded` when an exhaustive search
    would list more than ``budget`` subsets.

    >>> zero_sum([(1, 0), (0, 1), (-1, -1)])
    (0, 1, 2)
    >>> zero_sum([(1, 0), (0, 1), (1, 1)]).positive
    (0, 1, 2)
    """
    everything = tuple(range(len(vectors)))
    dimension = len(vectors[0]) if vectors else 0
    if _independent(vectors, everything):
        return NoZeroSum((Fraction(0),) * dimension, (), independent=everything)
    functional = _functional(vectors)
    values = [sum(y * z for y, z in zip(functional, vector, strict=True)) for vector in vectors]
    positive = tuple(i for i in everything if values[i] > 0)
    rest = tuple(i for i in everything if values[i] == 0)
    if _independent(vectors, rest):
        return NoZeroSum(functional, positive, independent=rest)
    for subset in subsets_with_sum([vectors[i] for i in rest], (0,) * dimension, budget=budget):
        if subset:
            return tuple(rest[i] for i in subset)
    return NoZeroSum(functional, positive, searched=rest)


def _independent(vectors: IntegerVectors, indices: Sequence[int]) -> bool:
    chosen = [[Fraction(entry) for entry in vectors[i]] for i in indices]
    return not chosen or rank(chosen) == len(chosen)


def _functional(vectors: IntegerVectors) -> Vector:
    r"""The functional, nonnegative on all vectors, that is positive on as many as possible.

    Maximises :math:`\sum t_i` subject to :math:`0\le t_i\le1` and
    :math:`\langle y,z_i\rangle\ge t_i`; at the optimum :math:`t_i\in\{0,1\}`,
    since functionals can be added and scaled up.
    """
    count, dimension = len(vectors), len(vectors[0])
    constraints = []
    for i, vector in enumerate(vectors):
        slack = [int(i == j) for j in range(count)]
        constraints.append(Halfspace([*(-entry for entry in vector), *slack], 0))
        constraints.append(Halfspace([0] * dimension + slack, 1))
        constraints.append(Halfspace([0] * dimension + [-entry for entry in slack], 0))
    outcome = maximise([0] * dimension + [1] * count, constraints)
    assert isinstance(outcome, Optimal)  # y = 0, t = 0 is feasible, and every t is at most 1
    return outcome.point[:dimension]
