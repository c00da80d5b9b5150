"""Changes that make networks degenerate: each returns ``None`` where the architecture has no room for it."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

from ..networks import Network
from .forms import ZERO, Form, ends, forms, is_shallow, layer_pairs, spare_groups, weights, with_forms


def silence(net: Network, generator: random.Random) -> Network | None:
    """A neuron set to 0 everywhere, by the signs of its parameters."""
    if not net.hidden_neurons:
        return None
    neuron = generator.choice(net.hidden_neurons)
    form = forms(net)[neuron]
    return with_forms(net, {neuron: {s: -abs(value) if s is None or s[0] > 0 else ZERO for s, value in form.items()}})


def mute(net: Network, generator: random.Random) -> Network | None:
    """All outgoing weights of a neuron set to 0."""
    if not net.hidden_neurons:
        return None
    neuron = generator.choice(net.hidden_neurons)
    return net.with_values([ZERO if p.source == neuron else p.value for p in net.parameters])


def pair_of(change: Callable[[Form, random.Random], Form]) -> Callable[[Network, random.Random], Network | None]:
    """The constructor that makes one neuron of a layer a function of another one."""

    def degenerate(net: Network, generator: random.Random) -> Network | None:
        found = forms(net)
        pairs = list(layer_pairs(found))
        if not pairs:
            return None
        first, second = generator.choice(pairs)
        return with_forms(net, {second: change(found[first], generator)})

    return degenerate


def copied(form: Form, generator: random.Random) -> Form:
    """The same form."""
    return dict(form)


def multiplied(form: Form, generator: random.Random) -> Form:
    """A positive multiple of a form."""
    ratio = generator.choice((Fraction(2), Fraction(1, 2), Fraction(3)))
    return {source: ratio * value for source, value in form.items()}


def turned(form: Form, generator: random.Random) -> Form:
    """A negative multiple of a form."""
    ratio = generator.choice((Fraction(-1), Fraction(-1), Fraction(-2), Fraction(-1, 2)))
    return {source: ratio * value for source, value in form.items()}


def shifted(form: Form, generator: random.Random) -> Form:
    """A multiple of a form with another bias."""
    ratio = generator.choice((Fraction(1), Fraction(-1), Fraction(2)))
    shift = Fraction(generator.choice((1, -1, 2)))
    return {source: ratio * value + (shift if source is None else ZERO) for source, value in form.items()}


def balance(net: Network, generator: random.Random) -> Network | None:
    """The last neuron of a random set is turned until the products of its set sum to zero."""
    if not is_shallow(net) or net.output_dim > 1:
        return None
    found = ends(net)
    chosen = generator.sample(range(len(found)), generator.randint(min(2, len(found)), len(found)))
    *others, last = chosen
    v = found[last][1][0]
    if not v:
        return None
    sums = [sum((found[i][1][0] * found[i][0][j] for i in others), ZERO) for j in range(net.input_dim)]
    return with_forms(net, {(1, last): {(0, j): -total / v for j, total in enumerate(sums)}})


def concur(net: Network, generator: random.Random) -> Network | None:
    """The hyperplanes of n+1 neurons with n sources moved to a common point."""
    found = forms(net)
    groups = list(spare_groups(net, found))
    if not groups:
        return None
    group = generator.choice(groups)
    point = {source: Fraction(generator.randint(-1, 1)) for source in weights(found[group[0]])}
    return with_forms(
        net,
        {neuron: {None: -sum((found[neuron][s] * x for s, x in point.items()), ZERO)} for neuron in group},
    )


def move_to_kink(net: Network, generator: random.Random) -> Network | None:
    """A bias chosen so that a pre-activation vanishes at the origin."""
    biased = [neuron for neuron, form in forms(net).items() if None in form]
    if not biased:
        return None
    layer, index = generator.choice(biased)
    value = net.preactivations([0] * net.input_dim)[layer - 1][index]
    return with_forms(net, {(layer, index): {None: forms(net)[layer, index][None] - value}})


def erase(net: Network, generator: random.Random) -> Network:
    """Up to a third of the parameters set to 0."""
    values = [parameter.value for parameter in net.parameters]
    for position in generator.sample(range(len(values)), generator.randint(1, max(1, len(values) // 3))):
        values[position] = ZERO
    return net.with_values(values)
