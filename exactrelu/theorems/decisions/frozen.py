r"""The outputs of a ReLU network where the gates of its neurons are held fixed.

With fixed gates an output is a polynomial in the parameters, affine in each of
them. :func:`chain_rule` evaluates it and its derivatives, one forward and one
backward pass, over anything that can be added and multiplied: fractions,
:class:`~.arithmetic.Interval`, :class:`~.arithmetic.Series`.

>>> net = Network.mlp([[[1]], [[2]]], [[0], [0]])  # 2 relu(x)
>>> reading = readings_at(net, [[3]])[0]
>>> values, rows = chain_rule(net, theta_of(net), reading)
>>> [int(entry) for entry in values], [int(entry) for entry in rows[0]]
([6], [6, 2, 3, 1])
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...errors import HypothesisNotMet, OnKink
from ...networks import Network, Pattern
from ...networks.evaluation import as_points
from ...polyhedra import Domain
from ...rationals import Vector
from ...regions import activation_regions
from ...verdicts import Neuron, number_list


@dataclass(frozen=True, slots=True)
class Reading:
    """A point, and the neurons that let through what they receive there (outputs among them)."""

    point: Vector
    open: frozenset[Neuron]


def theta_of(net: Network) -> Vector:
    r"""The parameter vector :math:`\theta`."""
    return tuple(parameter.value for parameter in net.parameters)


def is_smooth(pattern: Pattern) -> bool:
    """Whether no pre-activation vanishes on a pattern."""
    return not any(0 in group for group in pattern.signs)


def readings_at(net: Network, samples: Iterable[Iterable[object]]) -> list[Reading]:
    """The readings at samples; :class:`~exactrelu.errors.OnKink` where a pre-activation vanishes."""
    readings, points = [], as_points(net, samples)
    for pattern, point in zip(net.patterns(points), points, strict=True):
        if not is_smooth(pattern):
            raise OnKink("samples", "must lie off the kinks", number_list(point))
        readings.append(Reading(point, open_neurons(net, pattern)))
    return readings


def region_readings(net: Network, domain: Domain | None = None, *, budget: int = 500) -> list[Reading]:
    r"""The points :math:`p,p+e_1,\dots,p+e_d` of every smooth region, read with the gates of the region.

    On a region the outputs and their derivatives are affine in :math:`x`, so that
    these readings determine them there.
    """
    expect_relu_network(net)
    readings = []
    for region in activation_regions(net, domain, budget=budget):
        if is_smooth(region.pattern):
            gates, p = open_neurons(net, region.pattern), region.interior_point
            readings.append(Reading(p, gates))
            for axis in range(net.input_dim):
                readings.append(Reading(tuple(c + (i == axis) for i, c in enumerate(p)), gates))
    return readings


def expect_relu_network(net: Network) -> None:
    """Refuse networks whose hidden neurons are not all ReLUs, or whose outputs bend."""
    if not net.is_standard:
        raise HypothesisNotMet("network", "must have hidden ReLU neurons and affine outputs")


def open_neurons(net: Network, pattern: Pattern) -> frozenset[Neuron]:
    """The neurons that are positive on a pattern, or do not bend."""
    groups, found = iter(pattern.signs), set()
    for number, layer in enumerate(net.layers, start=1):
        signs = iter(()) if layer.is_affine else iter(next(groups))
        found |= {(number, i) for i, rho in enumerate(layer.activations) if rho.is_affine or next(signs) > 0}
    return frozenset(found)


def carried(net: Network, theta: Sequence[Any], reading: Reading) -> dict[Neuron | None, Any]:
    """The values of all sources that a reading lets through; what receives nothing is left out."""
    values: dict[Neuron | None, Any] = {None: Fraction(1), **{(0, j): c for j, c in enumerate(reading.point)}}
    for parameter, weight in zip(net.parameters, theta, strict=True):
        if parameter.target in reading.open and parameter.source in values:
            passed = weight * values[parameter.source]
            held = values.get(parameter.target)
            values[parameter.target] = passed if held is None else held + passed
    return values


def outputs_of(net: Network, theta: Sequence[Any], reading: Reading) -> list[Any]:
    """The outputs at a reading."""
    values = carried(net, theta, reading)
    return [values.get((net.depth, o), Fraction(0)) for o in range(net.output_dim)]


def chain_rule(net: Network, theta: Sequence[Any], reading: Reading) -> tuple[list[Any], list[list[Any]]]:
    r"""The outputs at a reading and their derivatives by all parameters, one row per output."""
    parameters, values = net.parameters, carried(net, theta, reading)
    rows = []
    for o in range(net.output_dim):
        gains: dict[Neuron, Any] = {(net.depth, o): Fraction(1)}
        row: list[Any] = [Fraction(0)] * len(parameters)
        for k in reversed(range(len(parameters))):
            source, target = parameters[k].source, parameters[k].target
            if target in gains and source in values:
                row[k] = gains[target] * values[source]
                if source is not None and source[0]:
                    gain, held = gains[target] * theta[k], gains.get(source)
                    gains[source] = gain if held is None else held + gain
        rows.append(row)
    return [values.get((net.depth, o), Fraction(0)) for o in range(net.output_dim)], rows


def jacobian(net: Network, readings: Iterable[Reading]) -> list[list[Fraction]]:
    r"""The rows of :math:`\Gamma` at readings, reading by reading and output by output."""
    theta = theta_of(net)
    return [row for reading in readings for row in chain_rule(net, theta, reading)[1]]
