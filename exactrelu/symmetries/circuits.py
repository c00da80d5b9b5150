r"""The vectors of minimal support of a rational vector space: the circuits of its matroid.

Coordinates are visited from left to right, and each is either required to be
nonzero or forced to be 0. With a basis in echelon form *from the right*, every
basis vector has its own last nonzero coordinate; so the vectors supported on the
coordinates visited are spanned by the basis vectors that end there. As soon as
there is one, the required coordinates are dependent: it is the only candidate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from ..errors import BudgetExceeded, check_budget
from ..rationals import Matrix, Vector, row_reduce

DEFAULT_BUDGET: Final = 100_000
"""The number of partial supports that are visited unless another budget is given."""


def circuits(vectors: Sequence[Sequence[Fraction]], *, budget: int | None = None) -> list[Vector]:
    """The vectors of minimal support in a span, with first nonzero coordinate 1, sorted by support.

    The last coordinate is carried along and does not count as support; a
    combination of ``vectors`` that vanishes elsewhere vanishes there.

    Raises :class:`~exactrelu.errors.BudgetExceeded` when more than ``budget``
    partial supports are visited (100,000 by default).

    >>> [[int(entry) for entry in v] for v in circuits([(1, 1, 0, 0), (0, 2, 2, 0)])]
    [[1, 1, 0, 0], [1, 0, -1, 0], [0, 1, 1, 0]]
    """
    check_budget(budget)
    budget = DEFAULT_BUDGET if budget is None else budget
    found = []
    for visited, circuit in enumerate(_visit(_from_right(vectors))):
        if visited >= budget:
            raise BudgetExceeded("partial supports", budget)
        if circuit is not None:
            lead = next(entry for entry in circuit if entry)
            found.append(tuple(entry / lead for entry in circuit))
    return sorted(found, key=_support)


def _visit(basis: list[Vector]) -> Iterator[Vector | None]:
    """Every node of the search, with the circuit that it ends in, if any."""
    stack: list[tuple[int, list[Vector], tuple[int, ...]]] = [(0, basis, ())]
    while stack:
        place, space, required = stack.pop()
        settled = [vector for vector in space if _last(vector) < place]
        if settled:
            single = len(settled) == 1 and _support(settled[0]) == required
            yield settled[0] if single else None
            continue
        yield None
        if not space or any(not any(vector[k] for vector in space) for k in required):
            continue
        if any(vector[place] for vector in space):
            stack.append((place + 1, _without(space, place), required))
            stack.append((place + 1, space, (*required, place)))
        else:
            stack.append((place + 1, space, required))


def _without(space: list[Vector], place: int) -> list[Vector]:
    """The vectors of the space that vanish at a place; the pivot ends first, so that the others keep
    their ends and dependence shows as early as it can.
    """
    pivot = min((vector for vector in space if vector[place]), key=_last)
    return [
        tuple(a - vector[place] / pivot[place] * b for a, b in zip(vector, pivot, strict=True))
        if vector[place]
        else vector
        for vector in space
        if vector is not pivot
    ]


def _from_right(vectors: Sequence[Sequence[Fraction]]) -> list[Vector]:
    """A basis of the same space with distinct last supports."""
    mirrored: Matrix = tuple((*vector[-2::-1], vector[-1]) for vector in vectors)
    return [(*row[-2::-1], row[-1]) for row in row_reduce(mirrored)[0]]


def _last(vector: Vector) -> int:
    return max(k for k, entry in enumerate(vector[:-1]) if entry)


def _support(vector: Vector) -> tuple[int, ...]:
    return tuple(k for k, entry in enumerate(vector[:-1]) if entry)
