r"""Subsets of integer vectors with a given sum, by exact meet-in-the-middle.

Deciding whether a nonempty subset sums to zero is NP-hard; with :math:`n`
vectors the search below takes about :math:`2^{n/2}` steps and as much memory.
Vectors are packed into single integers in a base so large that no sum of
entries carries, so that equality of sums is equality of integers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ..errors import BudgetExceeded, check_budget

Vectors = Sequence[Sequence[int]]
DEFAULT_BUDGET: Final = 2**23
"""The number of subsets that are listed unless another budget is given."""


def subsets_with_sum(
    vectors: Vectors, target: Sequence[int], *, budget: int | None = None
) -> Iterator[tuple[int, ...]]:
    """All index sets whose vectors sum to ``target``, lazily; the empty set is one of them for 0.

    Raises :class:`~exactrelu.errors.BudgetExceeded` before any work when the
    two halves have more than ``budget`` subsets together (2**23 by default).

    >>> list(subsets_with_sum([(1,), (2,), (-3,), (5,)], (0,)))
    [(), (0, 1, 2)]
    """
    check_budget(budget)
    budget = DEFAULT_BUDGET if budget is None else budget
    half = len(vectors) // 2
    needed = 2**half + 2 ** (len(vectors) - half)
    if needed > budget:
        raise BudgetExceeded("subsets", budget, needed)
    return _joined(vectors, target, half)


def _joined(vectors: Vectors, target: Sequence[int], half: int) -> Iterator[tuple[int, ...]]:
    """Subsets of the first half indexed by their sum, met by those of the second half."""
    *numbers, goal = _packed([*vectors, target])
    by_sum: dict[int, list[int]] = {}
    for mask, total in enumerate(_sums(numbers[:half])):
        by_sum.setdefault(total, []).append(mask)
    for mask, total in enumerate(_sums(numbers[half:])):
        for other in by_sum.get(goal - total, ()):
            both = other | mask << half
            yield tuple(i for i in range(len(vectors)) if both >> i & 1)


def _sums(numbers: Sequence[int]) -> list[int]:
    """The sums of all subsets; the subset is the bit mask of its place."""
    sums = [0]
    for number in numbers:
        sums += [total + number for total in sums]
    return sums


def _packed(vectors: Vectors) -> list[int]:
    """One integer per vector, additive and injective on all sums that can occur."""
    base = 2 * sum(abs(entry) for vector in vectors for entry in vector) + 1
    packed = []
    for vector in vectors:
        number = 0
        for entry in vector:
            number = number * base + entry
        packed.append(number)
    return packed
