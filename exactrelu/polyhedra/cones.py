r"""The double description method: from inequalities of a cone to its generators and back.

A polyhedral cone :math:`C = \{x \in \mathbb R^n : r_i x \ge 0\}` is also
:math:`C = \text{lines} + \text{rays}`: all combinations of finitely many
vectors, with any coefficients for the lines and nonnegative ones for the rays.
:func:`generators` computes them; because the dual of a cone swaps the two
descriptions, the same function turns generators into inequalities.

*How.* Start from all of space (*n* lines, no rays) and cut with one inequality
after another (Motzkin). If a line leaves the hyperplane it becomes a ray and
everything else is pushed into the hyperplane along it. Otherwise rays on the
negative side are dropped, and each pair of *adjacent* rays on opposite sides
gives a new ray in between. Two rays are adjacent iff no third ray satisfies
with equality all inequalities that both of them do (Fukuda and Prodon 1996,
Proposition 7). That test is combinatorial, so duplicate, opposite and redundant
inequalities need no special care.

The result is irredundant: the lines are linearly independent, and no ray is a
combination of the others and the lines. Integers throughout.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from operator import mul
from typing import Final

from ..errors import BudgetExceeded
from ..rationals import primitive
from .halfspaces import Row

MAX_GENERATORS: Final = 100_000
"""The largest number of rays, also in between, before the computation is refused."""


@dataclass(frozen=True, slots=True)
class Cone:
    """Lines and rays as primitive integer vectors.

    Bit *i* of ``masks[k]`` says that ray *k* satisfies inequality *i* with equality.
    """

    lines: tuple[Row, ...]
    rays: tuple[Row, ...]
    masks: tuple[int, ...]


def generators(rows: Sequence[Sequence[int]], dimension: int) -> Cone:
    r"""Lines and rays of :math:`\{x \in \mathbb R^n : r_i x \ge 0 \text{ for all } i\}`.

    ``rows`` are integer vectors of length ``dimension``.

    Raises :class:`~exactrelu.errors.BudgetExceeded` beyond :data:`MAX_GENERATORS` rays.

    >>> generators([[1, 0], [1, 1]], 2)
    Cone(lines=(), rays=((1, -1), (0, 1)), masks=(2, 1))
    >>> generators([[0, 1]], 2).lines
    ((1, 0),)
    """
    lines = [tuple(int(i == j) for j in range(dimension)) for i in range(dimension)]
    rays: dict[Row, int] = {}
    for i, row in enumerate(rows):
        steep = next((k for k, line in enumerate(lines) if sum(map(mul, row, line))), None)
        if steep is None:
            rays = _cut(rays, row, 1 << i, dimension - len(lines))
        else:
            lines, rays = _bend(lines, rays, row, lines.pop(steep), i)
    return Cone(tuple(lines), tuple(rays), tuple(rays.values()))


def _bend(
    lines: list[Row], rays: dict[Row, int], row: Sequence[int], steep: Row, i: int
) -> tuple[list[Row], dict[Row, int]]:
    """Turn the line ``steep`` into a ray and push all else along it into ``row @ x = 0``."""
    slope = sum(map(mul, row, steep))
    if slope < 0:
        steep, slope = tuple(-entry for entry in steep), -slope

    def pushed(vector: Row) -> Row:
        height = sum(map(mul, row, vector))
        if not height:
            return vector
        return primitive([slope * a - height * b for a, b in zip(vector, steep, strict=True)])

    bent = {pushed(ray): mask | 1 << i for ray, mask in rays.items()}
    bent[steep] = (1 << i) - 1  # a line satisfies all earlier inequalities with equality
    return [pushed(line) for line in lines], bent


def _cut(rays: dict[Row, int], row: Sequence[int], bit: int, rank: int) -> dict[Row, int]:
    """Intersect a cone, pointed modulo its lines, of the given rank with ``row @ x >= 0``."""
    heights = [sum(map(mul, row, ray)) for ray in rays]
    signed = list(zip(rays.items(), heights, strict=True))
    above = [(ray, mask, height) for (ray, mask), height in signed if height > 0]
    below = [(ray, mask, height) for (ray, mask), height in signed if height < 0]
    kept = {ray: mask if height else mask | bit for (ray, mask), height in signed if height >= 0}
    if not below:
        return kept
    holders = _holders(rays.values())
    for upper, upper_mask, rise in above:
        near = [
            (lower, fall, common)
            for lower, mask, fall in below
            if (common := upper_mask & mask).bit_count() >= rank - 2
        ]
        for lower, fall, common in near:
            if _adjacent(common, holders):
                between = primitive([rise * b - fall * a for a, b in zip(upper, lower, strict=True)])
                kept[between] = common | bit
        if len(kept) > MAX_GENERATORS:
            raise BudgetExceeded("generators of a polyhedron", MAX_GENERATORS)
    return kept


def _holders(masks: Collection[int]) -> dict[int, int]:
    """For each bit that occurs in a mask, the bit set of the rays that have it; for 0, that of all rays."""
    holders: dict[int, int] = {0: (1 << len(masks)) - 1}
    for k, mask in enumerate(masks):
        while mask:
            bit = mask & -mask
            holders[bit] = holders.get(bit, 0) | 1 << k
            mask ^= bit
    return holders


def _adjacent(common: int, holders: dict[int, int]) -> bool:
    """Whether only two rays satisfy with equality all inequalities of ``common``."""
    found = holders[0]
    while common:
        bit = common & -common
        found &= holders[bit]
        common ^= bit
    return found.bit_count() == 2
