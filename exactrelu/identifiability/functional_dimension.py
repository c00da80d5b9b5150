r"""Sample Jacobians :math:`\Gamma(X,\theta)` and the functional dimension of a network.

Theory: sections 2 and 3. On a fixed activation pattern the derivative of an
output by a parameter is an affine function of the input, so that over one region
the span of all rows of :math:`\Gamma` is spanned by those at an interior point
:math:`p` and at :math:`p+e_1,\dots,p+e_d`, evaluated with the pattern of the
region. The functional dimension is the rank of these rows over all regions
without a sign 0, and never exceeds :math:`D-h`
(``functional_dimension_at_most_embedding_rank``, F0).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

from ..networks import Network, Pattern
from ..networks.patterns import slopes
from ..paths import embedding_rank
from ..polyhedra import Domain
from ..rationals import Vector, common_denominator, integer_pivots, scaled_integers
from ..regions import RegionComplex, activation_regions
from ..verdicts import Neuron

ZERO, ONE = Fraction(0), Fraction(1)
CHUNK = 32  # regions whose rows are reduced together


def jacobian_rows(net: Network, pattern: Pattern, point: Sequence[Fraction]) -> list[Vector]:
    r"""The derivatives of all outputs by all parameters at ``point``, as if its pattern were ``pattern``.

    One row per output, one column per parameter in their fixed order.

    >>> net = Network.mlp([[[1]], [[2]]], [[0], [0]])
    >>> [int(entry) for entry in jacobian_rows(net, net.pattern([3]), [Fraction(3)])[0]]
    [6, 2, 3, 1]
    """
    gates = {
        (number, i): slope
        for number, layer in enumerate(slopes(net, pattern), start=1)
        for i, slope in enumerate(layer)
    }
    values: dict[Neuron, Fraction] = {(0, j): entry for j, entry in enumerate(point)}
    sums: dict[Neuron, Fraction] = {}
    for parameter in net.parameters:
        before = ONE if parameter.source is None else _value(parameter.source, values, sums, gates)
        sums[parameter.target] = sums.get(parameter.target, ZERO) + parameter.value * before
    inputs = [
        ONE if parameter.source is None else _value(parameter.source, values, sums, gates)
        for parameter in net.parameters
    ]
    rows = []
    for output in range(net.output_dim):
        last = (net.depth, output)
        sensitivity: dict[Neuron, Fraction] = {last: Fraction(gates[last])}
        for parameter in reversed(net.parameters):
            after = sensitivity.get(parameter.target, ZERO)
            source = parameter.source
            if after and source is not None and source[0]:
                sensitivity[source] = sensitivity.get(source, ZERO) + gates[source] * parameter.value * after
        rows.append(
            tuple(
                sensitivity.get(parameter.target, ZERO) * before
                for parameter, before in zip(net.parameters, inputs, strict=True)
            )
        )
    return rows


def _value(
    neuron: Neuron, values: dict[Neuron, Fraction], sums: dict[Neuron, Fraction], gates: dict[Neuron, int]
) -> Fraction:
    return values[neuron] if neuron[0] == 0 else gates[neuron] * sums.get(neuron, ZERO)


def functional_dimension(net: Network, domain: Domain | str | None = None, *, budget: int | None = None) -> int:
    r"""The largest rank of :math:`\Gamma(X,\theta)` over finite sets of smooth points of ``domain``.

    Raises :class:`~exactrelu.errors.BudgetExceeded` beyond ``budget`` regions.

    >>> functional_dimension(Network.mlp([[[1], [-1]], [[1, 1]]], [[0, 0], [0]]))  # |x|
    4
    """
    return functional_dimension_of(activation_regions(net, domain, budget=budget))


def functional_dimension_of(complex: RegionComplex) -> int:
    """The functional dimension, from a complete complex of regions."""
    return len(jacobian_basis(complex))


def jacobian_basis(complex: RegionComplex) -> list[list[int]]:
    """Independent integer rows that span all rows of sample Jacobians at smooth points.

    Regions are visited in a shuffled order, since neighbours have much in
    common, and only until the rank can grow no further (F0).
    """
    net = complex.network
    most = embedding_rank(net)
    smooth = [region for region in complex if not any(0 in group for group in region.pattern.signs)]
    random.Random(0).shuffle(smooth)
    basis: list[list[int]] = []
    for start in range(0, len(smooth), CHUNK):
        for region in smooth[start : start + CHUNK]:
            basis += [row for row in _region_rows(net, region.pattern, region.interior_point) if any(row)]
        columns = [list(column) for column in zip(*basis, strict=True)]
        basis = [basis[k] for k in integer_pivots(columns)]
        if len(basis) == most:
            break
    return basis


def _region_rows(net: Network, pattern: Pattern, point: Vector) -> list[list[int]]:
    """Integer multiples of rows that span all rows of the sample Jacobian over one region."""
    around = [tuple(p + (i == axis) for i, p in enumerate(point)) for axis in range(len(point))]
    rows = [row for x in (point, *around) for row in jacobian_rows(net, pattern, x)]
    return [scaled_integers(row, common_denominator(row)) for row in rows]
