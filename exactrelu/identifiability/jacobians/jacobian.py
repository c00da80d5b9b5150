r"""Sample Jacobians :math:`\Gamma(X,\theta)`: how the values at samples depend on the parameters.

On a fixed activation pattern the rows of :math:`\Gamma` are affine in
:math:`x`, so that over one region they are spanned by one row per output and per
coefficient of :math:`x_1,\dots,x_d,1` (Theory: D3). The numbers come from
:mod:`.tape`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from ...errors import InvalidInput, OnKink
from ...networks import Network, Pattern
from ...networks.certified_signs import certified_patterns
from ...networks.evaluation import as_points
from ...rationals import Matrix, Vector
from ...verdicts import number_list
from .tape import Integers, Tape, point_columns, primitive, sign_array


def jacobian_rows(net: Network, pattern: Pattern, point: Sequence[Fraction]) -> list[Vector]:
    r"""The derivatives of all outputs by all parameters at ``point``, as if its pattern were ``pattern``.

    One row per output, one column per parameter in their fixed order.

    >>> net = Network.mlp([[[1]], [[2]]], [[0], [0]])
    >>> [int(entry) for entry in jacobian_rows(net, net.pattern([3]), [Fraction(3)])[0]]
    [6, 2, 3, 1]
    """
    tape = Tape(net)
    rows, heights = _rows_at(tape, [pattern], [point])
    return _fractions(rows, [heights[0] * tape.scale] * net.output_dim)


def region_rows(net: Network, pattern: Pattern) -> list[list[int]]:
    r"""Integer rows that span all rows of the sample Jacobian over one region.

    One row per output and per coefficient of :math:`x_1,\dots,x_d,1`.

    >>> net = Network.mlp([[[1]], [[2]]], [[0], [0]])
    >>> region_rows(net, net.pattern([3]))
    [[2, 0, 1, 0], [0, 2, 0, 1]]
    """
    rows: list[list[int]] = Tape(net).over_regions(sign_array([pattern])).tolist()
    return rows


def sample_jacobian(net: Network, points: Iterable[Iterable[object]]) -> Matrix:
    r"""The matrix :math:`\Gamma(X,\theta)=D_\theta(R_\theta(x))_{x\in X}`.

    Rows: point by point, output by output; columns: the parameters in their
    fixed order.

    Raises :class:`~exactrelu.errors.OnKink` at a sample where the pre-activation
    of a nonlinear neuron vanishes, and
    :class:`~exactrelu.errors.InvalidInput` without samples or with one twice.

    >>> net = Network.mlp([[[1]], [[2]]], [[0], [0]])  # 2 relu(x)
    >>> [[int(entry) for entry in row] for row in sample_jacobian(net, [[3], [-1]])]
    [[6, 2, 3, 1], [0, 0, 0, 1]]
    """
    samples = smooth_samples(net, points)
    tape = Tape(net)
    rows, heights = _rows_at(tape, net.patterns(samples), samples)
    return tuple(_fractions(rows, [height * tape.scale for height in heights for _ in range(net.output_dim)]))


def integer_sample_jacobian(net: Network, points: Iterable[Iterable[object]]) -> list[list[int]]:
    r"""The rows of :math:`\Gamma(X,\theta)`, each as a primitive integer vector; errors as :func:`sample_jacobian`.

    >>> integer_sample_jacobian(Network.mlp([[[1]], [["2/3"]]], [[0], [0]]), [[3]])
    [[6, 2, 9, 3]]
    """
    samples = smooth_samples(net, points)
    rows: list[list[int]] = primitive(_rows_at(Tape(net), net.patterns(samples), samples)[0]).tolist()
    return rows


def smooth_samples(net: Network, points: Iterable[Iterable[object]]) -> list[Vector]:
    """Samples of a network as exact points: at least one, none twice, none on a kink."""
    samples = as_points(net, points)
    if not samples:
        raise InvalidInput("points", "must contain at least one sample", samples)
    first: dict[Vector, int] = {}
    for k, sample in enumerate(samples):
        if first.setdefault(sample, k) != k:
            raise InvalidInput(f"points[{k}]", f"must differ from points[{first[sample]}]", number_list(sample))
    smooth_patterns(net, samples)
    return samples


def smooth_patterns(net: Network, samples: Sequence[Vector]) -> list[Pattern]:
    """The patterns at samples, none of which may lie on a kink."""
    patterns = certified_patterns(net, samples)
    for k, pattern in enumerate(patterns):
        if any(0 in group for group in pattern.signs):
            place = [sign for group in pattern.signs for sign in group].index(0)
            layer, i = net.unfolding.walls[place]
            rule = f"must lie off the kinks, and the pre-activation of neuron ({layer},{i}) is 0 there"
            raise OnKink(f"points[{k}]", rule, number_list(samples[k]))
    return patterns


def _rows_at(
    tape: Tape, patterns: Sequence[Pattern], points: Sequence[Sequence[Fraction]]
) -> tuple[Integers, list[int]]:
    """The rows at points, times the scale of the tape and the heights of the points."""
    columns, heights = point_columns(points)
    return tape.rows(sign_array(patterns), columns), heights


def _fractions(rows: Integers, scales: Sequence[int]) -> list[Vector]:
    return [tuple(Fraction(entry, scale) for entry in row) for row, scale in zip(rows.tolist(), scales, strict=True)]
