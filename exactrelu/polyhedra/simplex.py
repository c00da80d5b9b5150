r"""The simplex method on integers: every entry is an exact minor of the input.

Solves :math:`\max \langle c, x\rangle` over free :math:`x \in \mathbb R^n` with
:math:`a_i x \le b_i` and :math:`e_k x = f_k`, all data integers.

*The dictionary.* Each constraint has a slack :math:`s_i = b_i - a_i x`. At all
times the variables are split into basic ones (rows) and others (columns), and

.. math:: D \cdot \text{basic}_i = \beta_i - \sum_j \alpha_{ij}\, \text{column}_j, \qquad D > 0,

with integers :math:`\alpha, \beta` and one common denominator *D*. A pivot
multiplies crosswise and divides by the old *D*; the division is exact because
all entries are minors of the initial table (Edmonds, Bareiss), so numbers grow
no faster than Hadamard's bound and no greatest common divisor is computed.
Where the data have hundreds of digits, flint's integers stand in the table.

*Names of variables.* Negative: the free ``x`` (``-1-k`` is ``x[k]``).
``0``: the artificial variable ``t`` of phase one. ``1..m``: slacks of
inequalities. Above ``m``: slacks of equations, which must stay 0.

*Three steps, one loop.* Equations are pivoted out. If the point 0 violates an
inequality, phase one adds a ``t >= 0`` to the violated ones and lowers ``t``;
phase two raises the objective. Both phases are :meth:`_Dictionary.improve`
on different rows. A free variable that has become basic never leaves again.

*Termination.* The largest rate enters; after as many steps without progress as
there are rows, Bland's rule (smallest name in, smallest name out) takes over
until there is progress again, and that rule cannot cycle.

This module trusts itself; :mod:`.linear_program` checks each answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ..rationals import swift_integers

IntegerRow = Sequence[int]
"""Integers ``(a_1, ..., a_n, b)``."""

Ending = Literal["optimal", "unbounded", "infeasible"]

_ARTIFICIAL = 0


@dataclass(frozen=True, slots=True)
class IntegerOutcome:
    """The answer in Python's integers, all over one positive ``denominator``.

    ``multipliers`` maps the position of a constraint (inequalities first, then
    equations) to its nonzero multiplier.
    """

    status: Ending
    denominator: int
    point: list[int]
    ray: list[int]
    multipliers: dict[int, int]


def maximise_integers(
    objective: Sequence[int], inequalities: Sequence[IntegerRow], equations: Sequence[IntegerRow] = ()
) -> IntegerOutcome:
    """Maximise ``objective @ x`` subject to ``a @ x <= b`` and ``e @ x = f``, unchecked.

    >>> answer = maximise_integers([1, 1], [[2, 0, 1], [0, 1, 3]])
    >>> answer.status, answer.point, answer.denominator
    ('optimal', [1, 6], 2)
    """
    table = _Dictionary(objective, inequalities, equations)
    conflict = table.eliminate() or table.phase_one()
    if conflict is not None:
        return table.outcome("infeasible", conflict)
    step = table.improve(objective=True)
    if step is not None:
        return table.outcome("unbounded", {}, table.point(), table.ray(*step))
    return table.outcome("optimal", table.multipliers(len(table.basis) - 1), table.point())


class _Dictionary:
    r"""The mutable table, stored by columns: ``table[j][i]`` is :math:`\alpha_{ij}`, the last column :math:`\beta`.

    ``columns[j]`` and ``basis[i]`` are names of variables. The last row is the
    objective: one more free variable, ``x[n]``, that is basic from the start.
    """

    __slots__ = ("basis", "columns", "denominator", "restricted", "size", "table")

    def __init__(
        self, objective: Sequence[int], inequalities: Sequence[IntegerRow], equations: Sequence[IntegerRow]
    ) -> None:
        self.size = len(objective)
        self.restricted = len(inequalities)
        self.denominator = 1
        self.columns = [-1 - k for k in range(self.size)]
        self.basis = [*range(1, self.restricted + len(equations) + 1), -1 - self.size]
        rows = [*inequalities, *equations, [*(-entry for entry in objective), 0]]
        self.table = swift_integers(list(zip(*rows, strict=True)))

    def pivot(self, i: int, j: int) -> None:
        """Exchange the basic variable of row ``i`` with the variable of column ``j``."""
        old, source = self.denominator, self.table[j]
        p, sign = source[i], 1
        if p < 0:
            source, p, sign = [-a for a in source], -p, -1
        for k, column in enumerate(self.table):
            if k == j:
                continue
            q = column[i]
            if q and old == 1:
                column = [p * a - q * b for a, b in zip(column, source, strict=True)]
            elif q:
                column = [(p * a - q * b) // old for a, b in zip(column, source, strict=True)]
            elif p != old:
                column = [p * a // old for a in column]
            column[i] = sign * q
            self.table[k] = column
        self.table[j] = [-a for a in source]
        self.table[j][i] = sign * old
        self.denominator = p
        self.basis[i], self.columns[j] = self.columns[j], self.basis[i]

    def eliminate(self) -> dict[int, int] | None:
        """Make every equation hold; multipliers of a contradiction if they cannot.

        An equation that follows from others keeps its row, which is 0 in all
        columns that may enter, and so plays no further part.
        """
        for i in range(self.restricted, len(self.basis) - 1):
            j = next((j for j, name in enumerate(self.columns) if name < 0 and self.table[j][i]), None)
            if j is not None:
                self.pivot(i, j)
            elif self.table[-1][i]:
                sign = -1 if self.table[-1][i] > 0 else 1
                return {self.basis[i] - 1: sign * self.denominator} | self.multipliers(i, sign)
        return None

    def phase_one(self) -> dict[int, int] | None:
        """Reach a feasible point; multipliers of a contradiction if there is none."""
        room = self.table[-1]
        violated = [i for i, name in enumerate(self.basis) if name > 0 > room[i]]
        if not violated:
            return None
        artificial = [0] * len(self.basis)
        for i in violated:
            artificial[i] = -self.denominator
        self.table.insert(-1, artificial)
        self.columns.append(_ARTIFICIAL)
        self.pivot(min(violated, key=room.__getitem__), len(self.columns) - 1)
        self.improve(objective=False)
        if _ARTIFICIAL in self.basis:
            return self.multipliers(self.basis.index(_ARTIFICIAL), -1)
        j = self.columns.index(_ARTIFICIAL)
        del self.table[j], self.columns[j]
        return None

    def improve(self, *, objective: bool) -> tuple[int, int] | None:
        """Raise the objective, or lower the artificial variable until it leaves.

        Returns ``None`` at an optimum, or the column and direction in which the
        objective grows without end.
        """
        stalled = 0
        while objective or _ARTIFICIAL in self.basis:
            row, sense = (len(self.basis) - 1, -1) if objective else (self.basis.index(_ARTIFICIAL), 1)
            step = self._entering(row, sense, bland=stalled > self.restricted)
            if step is None:
                return None
            i = self._leaving(*step)
            if i is None:
                return step
            stalled = 0 if self.table[-1][i] else stalled + 1
            self.pivot(i, step[0])
        return None

    def _entering(self, row: int, sense: int, *, bland: bool) -> tuple[int, int] | None:
        """A column and the direction in which it helps: free ones first."""
        best, best_rate, best_name = -1, 0, 0
        for j, name in enumerate(self.columns):
            rate = sense * self.table[j][row]
            if name < 0:
                if rate:
                    return j, 1 if rate > 0 else -1
            elif rate > 0 and name <= self.restricted:
                better = name < best_name if bland else rate > best_rate
                if best < 0 or better:
                    best, best_rate, best_name = j, rate, name
        return None if best < 0 else (best, 1)

    def _leaving(self, j: int, direction: int) -> int | None:
        """The row that blocks first; among equals the one of smallest name."""
        best, best_step, best_room = None, 0, 0
        table, basis = self.table, self.basis
        for i, (step, room, name) in enumerate(zip(table[j], table[-1], basis, strict=True)):
            step *= direction
            if step > 0 <= name:
                if best is not None:
                    gap = room * best_step - best_room * step
                    if gap > 0 or (gap == 0 and name > basis[best]):
                        continue
                best, best_step, best_room = i, step, room
        return best

    def point(self) -> list[int]:
        """The current ``x``, times the denominator (free columns are 0)."""
        point = [0] * (self.size + 1)
        for name, value in zip(self.basis, self.table[-1], strict=True):
            if name < 0:
                point[-1 - name] = value
        return point[:-1]

    def ray(self, j: int, direction: int) -> list[int]:
        """How ``x`` moves, times the denominator, when column ``j`` moves by ``direction``."""
        ray = [0] * (self.size + 1)
        for name, value in zip(self.basis, self.table[j], strict=True):
            if name < 0:
                ray[-1 - name] = -direction * value
        if self.columns[j] < 0:
            ray[-1 - self.columns[j]] = direction * self.denominator
        return ray[:-1]

    def multipliers(self, i: int, sign: int = 1) -> dict[int, int]:
        """The entries of row ``i`` in the columns of slacks, by position of the constraint."""
        entries = zip(self.columns, self.table[:-1], strict=True)
        return {name - 1: sign * column[i] for name, column in entries if name > 0 and column[i]}

    def outcome(
        self, status: Ending, multipliers: Mapping[int, int], point: Iterable[int] = (), ray: Iterable[int] = ()
    ) -> IntegerOutcome:
        """The answer, in Python's integers again."""
        weights = {position: int(entry) for position, entry in multipliers.items()}
        return IntegerOutcome(status, int(self.denominator), [*map(int, point)], [*map(int, ray)], weights)
