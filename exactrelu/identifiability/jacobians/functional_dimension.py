r"""The functional dimension of a network: the largest rank of a sample Jacobian.

Theory: section 3. It is the rank of the rows of :math:`\Gamma` over all regions
without a sign 0 (see :mod:`.jacobian`), and never exceeds the rank of
:math:`D\Phi(\theta)`, which for admissible parameters is :math:`D-h`
(``functional_dimension_at_most_embedding_rank``, F0). Both bounds are proved:
by rows that are independent, and by vectors that the rows of every region
annihilate (see :mod:`.row_span`). With one hidden layer two regions per
hyperplane suffice (see :mod:`.crossings`), in any number of inputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from ...errors import check_budget
from ...networks import Network
from ...networks.patterns import expect_relus
from ...paths import embedding_kernel
from ...polyhedra import Domain, as_domain
from ...rationals import Vector
from ...regions import RegionComplex, activation_regions, region_blocks
from .crossings import beside_hyperplanes
from .jacobian import integer_sample_jacobian
from .row_span import RowSpan
from .tape import Integers, Signs, Tape, sign_array

MOST_ENTRIES: Final = 2_000_000
"""The largest number of entries of rows that are built together."""
FEWEST_ROWS: Final = 64
"""The least number of rows that are drawn at a time."""
_BASES: Final[WeakKeyDictionary[RegionComplex, list[list[int]]]] = WeakKeyDictionary()


def functional_dimension(net: Network, domain: Domain | str | None = None, *, budget: int | None = None) -> int:
    r"""The largest rank of :math:`\Gamma(X,\theta)` over finite sets of smooth points of ``domain``.

    Raises :class:`~exactrelu.errors.BudgetExceeded` beyond ``budget`` regions, which networks with one hidden
    layer do not need.

    >>> functional_dimension(Network.mlp([[[1], [-1]], [[1, 1]]], [[0, 0], [0]]))  # |x|
    4
    """
    check_budget(budget)
    where = as_domain(domain, net.input_dim)
    beside = beside_hyperplanes(net, where)
    if beside is not None:
        return len(basis_beside(net, beside))
    if budget is not None:
        return functional_dimension_of(activation_regions(net, where, budget=budget))
    return len(basis_over(net, (block.signs for block in region_blocks(net, domain))))


def functional_dimension_of(complex: RegionComplex) -> int:
    """The functional dimension, from a complete complex of regions."""
    return len(jacobian_basis(complex))


def sample_rank(net: Network, points: Iterable[Iterable[object]]) -> int:
    r"""The rank :math:`R_\Gamma` of the sample Jacobian at ``points``; errors as :func:`~.jacobian.sample_jacobian`.

    >>> net = Network.mlp([[[1]], [[1]]], [[0], [0]])
    >>> sample_rank(net, [[1], [2], [-1]]), sample_rank(net, [[1], [2], [3], [4]])
    (3, 2)
    """
    return len(independent_rows(net, integer_sample_jacobian(net, points)))


def independent_rows(net: Network, rows: Sequence[Sequence[int]]) -> list[list[int]]:
    """As many independent ones of some integer rows of sample Jacobians as there are."""
    array = np.array(rows, object)
    span = RowSpan(len(net.parameters), embedding_kernel(net))
    span.collect(array)
    if len(span.rows) < len(rows):
        span.complete(array)
    return span.rows


def basis_beside(net: Network, points: Iterable[Vector]) -> list[list[int]]:
    """Independent integer rows that span those over the regions around some points."""
    return basis_over(net, [sign_array(net.patterns(points))])


def jacobian_basis(complex: RegionComplex) -> list[list[int]]:
    """Independent integer rows that span all rows of sample Jacobians at smooth points; found once per complex."""
    if complex not in _BASES:
        _BASES[complex] = basis_over(complex.network, [complex.signs])
    return _BASES[complex]


def basis_over(net: Network, blocks: Iterable[Signs]) -> list[list[int]]:
    """Such rows from arrays of signs, one line per region; blocks are read only as long as a row can be missing."""
    expect_relus(net)  # in other layers a code 0 is a piece, and no kink
    span = RowSpan(len(net.parameters), embedding_kernel(net))
    tape = Tape(net)
    for signs in blocks:
        smooth = signs[(signs != 0).all(axis=1)]
        if not span.rows:
            _draw(span, tape, smooth)
        start = 0
        while start < len(smooth) and not span.is_full:
            step = chunk_size(net, len(span.support))
            chunk = smooth[start : start + step]
            missed = span.misses_by(tape.entries_over_regions(chunk, span.support)).reshape(len(chunk), -1).any(axis=1)
            for _, rows in region_chunks(tape, chunk[missed]):
                span.complete(rows)
            start += step
        if span.is_full:
            break
    return span.rows


def _draw(span: RowSpan, tape: Tape, signs: Signs) -> None:
    """Collect rows over regions in random order, until they hardly add any."""
    order = np.random.default_rng(0).permutation(len(signs))
    per_region = tape.net.output_dim * (tape.net.input_dim + 1)
    start = 0
    while start < len(order) and not span.is_full:
        missing = len(span.columns) - len(span.rows)
        end = start + -(-max(missing, FEWEST_ROWS) // per_region)
        before = len(span.rows)
        span.collect(tape.over_regions(signs[order[start:end]]))
        start = end
        if 8 * (len(span.rows) - before) < missing:
            return


def region_chunks(tape: Tape, signs: Signs) -> Iterator[tuple[range, Integers]]:
    """The rows over all regions in chunks of bounded size, each with the range of its regions."""
    step = chunk_size(tape.net, len(tape.net.parameters))
    for start in range(0, len(signs), step):
        chosen = range(start, min(start + step, len(signs)))
        yield chosen, tape.over_regions(signs[start : start + step])


def chunk_size(net: Network, columns: int) -> int:
    """The number of regions whose rows, with so many columns, are built together."""
    return max(MOST_ENTRIES // max(net.output_dim * (net.input_dim + 1) * columns, 1), 1)
