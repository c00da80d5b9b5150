r"""Where the enumeration starts: r independent rows, the orthants of their signs, 2r + 1 vertices.

The rows must be affine on all of R^d: half-spaces of the domain, neurons that read nothing but the input
(or identity neurons that do).  r is the rank of all rows that read the input.

Glossary: d input dimension, r rank, s number of a stage.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ..rationals import Matrix, integer_pivots, inverse, primitive_integers


@dataclass(slots=True)
class Draft:
    """A stage before slots and pivots are known; sources are stage numbers, -1 is the input."""

    rows: list[list[int]]
    sources: list[tuple[int, int]]  # (stage, width) in column order
    relu: list[bool]
    bits: list[int]


def starting_rows(
    d: int, drafts: list[Draft], first_auxiliary: int
) -> tuple[tuple[int, ...], tuple[int, ...], int, tuple[tuple[int, ...], ...]]:
    """Pivot columns, bits of r independent rows, number of auxiliary ones, starting vertices.

    Starting rows are half-spaces of the domain or neurons affine on all of R^d.  Where they do not
    span the rows that read the input (skip connections), coordinate hyperplanes help out.
    """
    candidates = _affine_rows(d, drafts)
    chosen, pivots, auxiliary = candidates[:d], list(range(d)), 0
    if len(chosen) < d or len(integer_pivots([row[1:] for _, row in chosen])) < d:
        reading = [row for _, row in candidates]
        for draft in drafts:
            at = 1
            for source, width in draft.sources:
                if source == -1:
                    reading += [[0, *row[at : at + width]] for row in draft.rows]
                at += width
        pivots = integer_pivots([row[1:] for row in reading])
        units = [[0] * (d + 1) for _ in pivots]
        for unit, column in zip(units, pivots, strict=True):
            unit[column + 1] = 1
        pool = candidates + [(-1, unit) for unit in units]
        columns = [[row[p + 1] for _, row in pool] for p in pivots]
        chosen = [pool[i] for i in integer_pivots(columns)]
        auxiliary = sum(bit < 0 for bit, _ in chosen)
    r = len(pivots)
    start = tuple(bit if bit >= 0 else first_auxiliary + i - (r - auxiliary) for i, (bit, _) in enumerate(chosen))
    rows = [[row[0], *(row[p + 1] for p in pivots)] for _, row in chosen]
    return tuple(pivots), start, auxiliary, _starting_vertices(rows)


def _affine_rows(d: int, drafts: list[Draft]) -> list[tuple[int, list[int]]]:
    """(bit, row over x0 and the input) of the cutting rows in stages that are affine on R^d.

    Such a stage reads only the input and stages of identity neurons that are affine themselves.
    """
    affine: dict[int, list[list[int]]] = {}  # stage -> rows over (x0, input)
    found: list[tuple[int, list[int]]] = []
    for s, draft in enumerate(drafts):
        if any(source != -1 and source not in affine for source, _ in draft.sources):
            continue
        composed = []
        for row in draft.rows:
            total, at = [row[0]] + [0] * d, 1
            for source, width in draft.sources:
                for u, weight in enumerate(row[at : at + width]):
                    if source == -1:
                        total[u + 1] += weight
                    elif weight:
                        total = [t + weight * q for t, q in zip(total, affine[source][u], strict=True)]
                at += width
            composed.append(total)
        bits = iter(draft.bits)
        found += [(next(bits), row) for row, cuts in zip(composed, draft.relu, strict=True) if cuts]
        if not any(draft.relu):
            affine[s] = composed
    return found


def _starting_vertices(rows: list[list[int]]) -> tuple[tuple[int, ...], ...]:
    """The common zero of r independent rows, then per row the two directions that move it alone."""
    r = len(rows)
    if not r:
        return ((1,),)
    columns = tuple(zip(*_inverse(rows), strict=True))
    apex = [
        -sum((row[0] * c for row, c in zip(rows, line, strict=True)), Fraction(0))
        for line in zip(*columns, strict=True)
    ]
    vertices = [primitive_integers([Fraction(1), *apex])]
    for column in columns:
        ray = primitive_integers([Fraction(0), *column])
        vertices += [ray, tuple(-c for c in ray)]
    return tuple(vertices)


def _inverse(rows: list[list[int]]) -> Matrix:
    found = inverse([[Fraction(c) for c in row[1:]] for row in rows])
    assert found is not None  # the rows were chosen independent
    return found
