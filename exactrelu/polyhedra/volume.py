r"""The exact volume of a polytope from its vertices and their incidence with facets.

*How.* Choose a vertex of a face; the face is the union of the pyramids over
those of its facets that miss the vertex, and these overlap only in their
boundaries. Going down to single vertices cuts the polytope into simplices
(the *pulling triangulation*), and a simplex with corners
:math:`p_0, \ldots, p_d` has volume :math:`|\det((p_0, 1), \ldots, (p_d, 1))|/d!`.
Faces are bit sets of vertices, so only the determinants compute with numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from .halfspaces import Row


def polytope_volume(vertices: Sequence[Row], incidence: Sequence[int], facets: int) -> Fraction:
    r"""The volume of a full-dimensional polytope of :math:`\mathbb R^d`.

    A vertex is a vector of integers :math:`(wp_1, \ldots, wp_d, w)` with :math:`w > 0`. Bit *i* of
    ``incidence[k]`` says that vertex *k* lies on facet *i*, of ``facets`` in all.

    >>> polytope_volume([(0, 0, 1), (1, 0, 2), (0, 1, 1)], [0b011, 0b101, 0b110], 3)
    Fraction(1, 4)
    """
    walls = [sum((mask >> i & 1) << k for k, mask in enumerate(incidence)) for i in range(facets)]
    total = Fraction(0)
    for simplex in _triangulation((1 << len(vertices)) - 1, walls):
        corners = [vertices[k] for k in simplex]
        total += Fraction(abs(determinant(corners)), math.prod(corner[-1] for corner in corners))
    return total / math.factorial(len(vertices[0]) - 1)


def _triangulation(face: int, walls: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The simplices of the pulling triangulation of a face, as tuples of vertices."""
    apex = (face & -face).bit_length() - 1
    if face.bit_count() == 1:
        yield (apex,)
        return
    cuts = {face & wall for wall in walls if face & wall != face}
    largest = [cut for cut in cuts if not any(cut != other and cut & other == cut for other in cuts)]
    for base in sorted(largest):
        if not base >> apex & 1:
            for simplex in _triangulation(base, walls):
                yield (apex, *simplex)


def determinant(matrix: Sequence[Sequence[int]]) -> int:
    """The determinant of an integer matrix, by Bareiss's fraction-free elimination.

    >>> determinant([[1, 2], [3, 4]])
    -2
    """
    rows, previous, sign = [list(row) for row in matrix], 1, 1
    while rows:
        i = next((i for i, row in enumerate(rows) if row[0]), None)
        if i is None:
            return 0
        sign = -sign if i % 2 else sign
        head, *tail = rows.pop(i)
        rows = [[(head * a - row[0] * b) // previous for a, b in zip(row[1:], tail, strict=True)] for row in rows]
        previous = head
    return sign * previous
