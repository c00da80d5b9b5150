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
from ..networks.evaluation import affine_maps
from ..networks.patterns import slopes
from ..paths import embedding_rank
from ..polyhedra import Domain
from ..rationals import (
    MERSENNE_61,
    IntegerMatrix,
    Vector,
    common_denominator,
    integer_pivots,
    kernel,
    scaled_integers,
)
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

    Rows are collected as long as they are independent modulo a prime, hence over
    the rationals, and only until the rank can grow no further (F0); regions come
    in a shuffled order, since neighbours have much in common. If the rank stays
    lower, every row is checked against the exact kernel of those collected.
    """
    net = complex.network
    most = embedding_rank(net)
    smooth = [region.pattern for region in complex if not any(0 in group for group in region.pattern.signs)]
    random.Random(0).shuffle(smooth)
    basis: list[list[int]] = []
    for start in range(0, len(smooth), CHUNK):
        fresh = [row for pattern in smooth[start : start + CHUNK] for row in _region_rows(net, pattern)]
        basis = _independent(basis, fresh, MERSENNE_61)
        if len(basis) == most:
            return basis
    return _completed(basis, net, smooth)


def _independent(basis: list[list[int]], fresh: list[list[int]], prime: int | None) -> list[list[int]]:
    """The rows of a basis with as many fresh ones as stay independent."""
    stacked = basis + [row for row in fresh if any(row)]
    return [stacked[k] for k in integer_pivots([list(column) for column in zip(*stacked, strict=True)], prime)]


def _completed(basis: list[list[int]], net: Network, patterns: Sequence[Pattern]) -> list[list[int]]:
    """The basis with every row that its exact kernel does not annihilate, which a prime may have hidden."""
    size = len(net.parameters)
    vectors = kernel([[Fraction(entry) for entry in row] for row in basis], size)
    columns = [scaled_integers(vector, common_denominator(vector)) for vector in vectors]
    annihilator = IntegerMatrix(columns, size)
    for pattern in patterns:
        rows = _region_rows(net, pattern)
        values = annihilator.times([list(column) for column in zip(*rows, strict=True)], len(rows)) if columns else []
        if any(entry for line in values for entry in line):
            return _completed(_independent(basis, rows, None), net, patterns)
    return basis


def _region_rows(net: Network, pattern: Pattern) -> list[list[int]]:
    r"""Integer rows that span all rows of the sample Jacobian over one region.

    With the value of neuron :math:`u` written as :math:`\sum_ja_{uj}x_j+a_{u0}`
    and :math:`s_v` the derivative of an output by the pre-activation of
    :math:`v`, the derivative by :math:`w_{uv}` has the coefficients
    :math:`s_va_{uj}`; one row per output and per :math:`j`.
    """
    gates = slopes(net, pattern)
    values = _value_coefficients(net, pattern, gates)
    rows = []
    for output in range(net.output_dim):
        sensitivity: dict[Neuron, Fraction] = {(net.depth, output): Fraction(gates[-1][output])}
        for parameter in reversed(net.parameters):
            after, source = sensitivity.get(parameter.target), parameter.source
            if after and source is not None and source[0] and gates[source[0] - 1][source[1]]:
                step = gates[source[0] - 1][source[1]] * parameter.value * after
                sensitivity[source] = sensitivity.get(source, ZERO) + step
        scale = common_denominator(sensitivity.values())
        whole = {neuron: int(scale * entry) for neuron, entry in sensitivity.items()}
        columns = [[whole.get(p.target, 0) * entry for entry in values[p.source]] for p in net.parameters]
        rows += [list(row) for row in zip(*columns, strict=True)]
    return rows


def _value_coefficients(net: Network, pattern: Pattern, gates: list[list[int]]) -> dict[Neuron | None, list[int]]:
    """The affine maps (slopes, constant) of inputs, neurons and the constant 1 (``None``), times one common number."""
    maps = affine_maps(net, pattern)
    scale = common_denominator(e for matrix, offset in maps for row in (*matrix, offset) for e in row)
    values: dict[Neuron | None, list[int]] = {None: [0] * net.input_dim + [scale]}
    for j in range(net.input_dim):
        values[0, j] = [scale * (i == j) for i in range(net.input_dim)] + [0]
    for number, (matrix, offset) in enumerate(maps, start=1):
        for i, (row, shift) in enumerate(zip(matrix, offset, strict=True)):
            gate = gates[number - 1][i]
            values[number, i] = [gate * entry for entry in scaled_integers([*row, shift], scale)]
    return values
