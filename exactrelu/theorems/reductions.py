"""Single steps towards smaller instances; :mod:`.shrinking` says what is smaller, and takes them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import gcd, lcm
from typing import Final, TypeAlias

from ..networks import Network
from ..polyhedra import Domain
from ..verdicts import Neuron
from .instances import Instance
from .surgery import without_edge, without_layer, without_neuron

Step: TypeAlias = Callable[[Instance], Iterator[Instance]]
"""The instances, not all of them smaller, to which a step may lead."""


def networks(instance: Instance) -> list[Network]:
    """The networks of an instance."""
    return [net for net in (instance.network, instance.other) if net is not None]


def numbers_of(instance: Instance) -> list[Fraction]:
    """All numbers that may change: parameters, then samples, then the amount of the modification."""
    found = [parameter.value for net in networks(instance) for parameter in net.parameters]
    found += [coordinate for point in instance.samples or () for coordinate in point]
    return found if instance.modification is None else [*found, instance.modification.amount]


def with_numbers(instance: Instance, numbers: Sequence[Fraction]) -> Instance:
    """The instance with other numbers, in the order of :func:`numbers_of`."""
    left = iter(numbers)

    def taken(count: int) -> list[Fraction]:
        return [next(left) for _ in range(count)]

    changed = [net.with_values(taken(len(net.parameters))) for net in networks(instance)]
    samples = None if instance.samples is None else [taken(len(point)) for point in instance.samples]
    change = instance.modification
    if change is not None:
        change = dataclasses.replace(change, amount=next(left))
    other = changed[1] if len(changed) > 1 else None
    return instance.replace(network=changed[0], other=other, samples=samples, modification=change)


def differences(instance: Instance) -> list[int]:
    """The parameters in which two networks of one architecture differ, by their positions."""
    net, other = instance.network, instance.other
    if other is None or net.architecture != other.architecture:
        return []
    pairs = zip(net.parameters, other.parameters, strict=True)
    return [position for position, (ours, theirs) in enumerate(pairs) if ours.value != theirs.value]


def boxes(dimension: int) -> list[Domain]:
    """The simplest bounded domains."""
    return [Domain.box([(lower, 1)] * dimension) for lower in (-1, 0)]


def _fewer_neurons(instance: Instance) -> Iterator[Instance]:
    """One hidden neuron, output or input fewer, in both networks where there are two."""
    net, other = instance.network, instance.other
    for layer in (*range(1, net.depth + 1), 0):
        places = range(net.widths[layer])
        if other is None:
            pairs = [(i, i) for i in places]
        elif layer < len(other.widths):
            paired = layer in (0, net.depth)
            pairs = [(i, j) for i, j in product(places, range(other.widths[layer])) if i == j or not paired]
        else:
            continue
        for i, j in pairs:
            changed = without_neuron(net, (layer, i))
            partner = None if other is None else without_neuron(other, (layer, j))
            if changed is None or (other is not None and partner is None):
                continue
            yield from _fitted(instance, changed, partner, (layer, i))
    if other is not None:  # networks of different widths
        for neuron in net.hidden_neurons:
            changed = without_neuron(net, neuron)
            if changed is not None:
                yield from _fitted(instance, changed, other, neuron)
        for neuron in other.hidden_neurons:
            partner = without_neuron(other, neuron)
            if partner is not None:
                yield instance.replace(other=partner)


def _fitted(instance: Instance, changed: Network, partner: Network | None, neuron: Neuron) -> Iterator[Instance]:
    """The instance with its networks exchanged, and the rest cut to what is left without a neuron."""
    layer, index = neuron
    samples, domain, change = instance.samples, instance.domain, instance.modification
    if layer == 0:
        if domain is not None:
            if domain.sides is None:
                return
            domain = Domain.box([side for j, side in enumerate(domain.sides) if j != index])
        if samples is not None:
            samples = tuple(tuple(value for j, value in enumerate(point) if j != index) for point in samples)
    if change is not None:
        if neuron in (change.neuron, change.child):
            return
        ends = [(k, i - (k == layer and i > index)) for k, i in (change.neuron, change.child)]
        change = dataclasses.replace(change, neuron=ends[0], child=ends[1])
    yield Instance(changed, partner, domain=domain, samples=samples, modification=change)


def _fewer_layers(instance: Instance) -> Iterator[Instance]:
    """One hidden layer fewer, in both networks where there are two."""
    if instance.modification is not None:
        return
    for layer in range(1, instance.network.depth):
        others = [None] if instance.other is None else list(without_layer(instance.other, layer))
        for changed, partner in product(without_layer(instance.network, layer), others):
            yield instance.replace(network=changed, other=partner)


def _fewer_edges(instance: Instance) -> Iterator[Instance]:
    """One edge fewer in a network that is not layered anyway."""
    if instance.network.is_layered or instance.other is not None:
        return
    for parameter in instance.network.parameters:
        if parameter.source is not None:
            changed = without_edge(instance.network, parameter.target, parameter.source)
            if changed is not None:
                yield instance.replace(network=changed)


def _fewer_samples(instance: Instance) -> Iterator[Instance]:
    """One sample point fewer."""
    samples = instance.samples or ()
    for k in range(len(samples)):
        yield instance.replace(samples=samples[:k] + samples[k + 1 :])


def _simpler_domain(instance: Instance) -> Iterator[Instance]:
    """No domain, all of space, or a box around the origin."""
    if instance.domain is not None:
        dimension = instance.network.input_dim
        for domain in (None, Domain.space(dimension), *boxes(dimension)):
            yield instance.replace(domain=domain)


def _fewer_differences(instance: Instance) -> Iterator[Instance]:
    """A parameter in which two networks differ given the value that it has in one of them."""
    numbers, count = numbers_of(instance), len(instance.network.parameters)
    for position in differences(instance):
        for value in (numbers[position], numbers[position + count]):
            changed = list(numbers)
            changed[position] = changed[position + count] = value
            yield with_numbers(instance, changed)


def _primitive_neurons(instance: Instance) -> Iterator[Instance]:
    """One neuron rescaled so that what it hears is integers without a common divisor, an output multiplied so."""
    for k, net in enumerate(networks(instance)):
        for layer, width in enumerate(net.widths[1:], start=1):
            for i in range(width):
                row = [p.value for p in net.parameters if p.target == (layer, i) and p.value]
                if not row:
                    continue
                scale = Fraction(lcm(*(v.denominator for v in row)), gcd(*(v.numerator for v in row)))
                if scale == 1:
                    continue
                if layer < net.depth:
                    if not net.is_homogeneous:
                        continue
                    yield _with_network(instance, k, net.rescale({(layer, i): scale}))
                else:
                    yield with_numbers(instance, _scaled_output(instance, i, scale))


def _with_network(instance: Instance, k: int, net: Network) -> Instance:
    return instance.replace(network=net) if k == 0 else instance.replace(other=net)


def _scaled_output(instance: Instance, index: int, scale: Fraction) -> list[Fraction]:
    """The numbers with one output of all networks multiplied."""
    numbers = numbers_of(instance)
    position = 0
    for net in networks(instance):
        for parameter in net.parameters:
            if parameter.target == (net.depth, index):
                numbers[position] *= scale
            position += 1
    return numbers


def _simpler_numbers(instance: Instance) -> Iterator[Instance]:
    """A value wherever it occurs (also with the other sign), or one number, replaced by a simpler one."""
    numbers = numbers_of(instance)
    for value in sorted(set(numbers), key=_complexity, reverse=True):
        for new in _simpler(value):
            for swaps in ({value: new, -value: -new}, {value: new}):
                yield with_numbers(instance, [swaps.get(number, number) for number in numbers])
    count = len(instance.network.parameters)
    paired = instance.other is not None and len(instance.other.parameters) == count
    for position, number in enumerate(numbers):
        for new in _simpler(number):
            changed = [*numbers[:position], new, *numbers[position + 1 :]]
            if paired and position < count and numbers[position + count] == number:
                yield with_numbers(instance, [*changed[: position + count], new, *changed[position + count + 1 :]])
            yield with_numbers(instance, changed)


def _simpler(value: Fraction) -> list[Fraction]:
    """Simpler numbers than ``value``, the simplest first."""
    whole = int(value)  # towards 0
    sign = 1 if value > 0 else -1
    found = {Fraction(n) for n in (0, 1, -1, whole, whole + sign, whole - sign, int(value / 2))} | {-value}
    if value.denominator > 1:
        found.add(value.limit_denominator(value.denominator - 1))
        found |= {Fraction(value.numerator), Fraction(sign, value.denominator), Fraction(sign, 2)}
    return sorted((new for new in found if _complexity(new) < _complexity(value)), key=_complexity)


def _complexity(value: Fraction) -> tuple[int, int, bool]:
    return value.denominator, abs(value.numerator), value < 0


STEPS: Final[tuple[Step, ...]] = (
    _fewer_neurons,
    _fewer_layers,
    _fewer_edges,
    _fewer_samples,
    _simpler_domain,
    _fewer_differences,
    _primitive_neurons,
    _simpler_numbers,
)
"""What may be tried, in this order: each maps an instance to candidates, of which the smaller ones are checked."""
