r"""The family of networks around a given one.

>>> near = mutations(Network.mlp([[[1]], [[2]]]))
>>> [near.member(i) for i in (0, 1, 2)]
[Network.mlp([[[1]], [[2]]]), Network.mlp([[[0]], [[2]]]), Network.mlp([[[-1]], [[2]]])]
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..errors import InvalidInput, check_integer
from ..networks import Network
from ..networks.json import network_from_json
from ..rationals.strict_json import expect_integer, expect_list, expect_object
from .numbered import FAMILY_FORMAT, NetworkFamily
from .sampled import degenerated
from .strata import named_strata

MOST_CHANGES = 3
"""The largest number of changes that a random mutation makes at once."""


@dataclass(frozen=True, slots=True)
class Mutations(NetworkFamily):
    """Networks of one architecture around ``base``: itself, one parameter changed, then random changes.

    Random changes are up to three of: a parameter changed, two exchanged, the
    network moved into a stratum (among ``strata``, if any are named).
    """

    base: Network
    seed: int = 0
    count: int | None = None
    strata: tuple[str, ...] = ()

    @property
    def size(self) -> int | None:
        """The number of members."""
        return self.count

    def member(self, index: int) -> Network | None:
        """The network of a number; ``None`` where a change changes nothing."""
        self.check_index(index)
        if index == 0:
            return self.base
        values = [parameter.value for parameter in self.base.parameters]
        choices = len(changed_values(Fraction(0)))
        if index <= choices * len(values):
            position, choice = divmod(index - 1, choices)
            new = changed_values(values[position])
            if new[choice] in (values[position], *new[:choice]):
                return None
            values[position] = new[choice]
            return self.base.with_values(values)
        generator = random.Random(f"{self.seed}:{index}")
        net = self.base
        for _ in range(generator.randint(1, MOST_CHANGES)):
            net = self._changed(net, generator)
        return net

    def _changed(self, net: Network, generator: random.Random) -> Network:
        kind = generator.choice(("value", "exchange", "stratum"))
        if kind == "stratum":
            return degenerated(net, generator, self.strata)
        return exchanged(net, generator) if kind == "exchange" else disturbed(net, generator)

    def to_json(self) -> dict[str, Any]:
        """The base with seed, count and strata."""
        return {
            "format": FAMILY_FORMAT,
            "version": 1,
            "kind": "mutations",
            "network": self.base.to_json(),
            "seed": self.seed,
            "count": self.count,
            "strata": list(self.strata),
        }

    def explain(self) -> str:
        """The family in one line."""
        return f"networks around one of widths {self.base.widths}, seed {self.seed}"


def mutations(net: Network, *, seed: int = 0, count: int | None = None, strata: tuple[str, ...] = ()) -> Mutations:
    """The networks around ``net``: ``count`` of them, or without end.

    >>> near = mutations(Network.mlp([[[1]], [[2]]]), count=4)
    >>> [int(net([1])[0]) for net in near]  # 2 relu(x), then with 0, -1 and 2 as its first weight
    [2, 0, 0, 4]
    """
    if not isinstance(net, Network):
        raise InvalidInput("net", "must be a Network", net)
    if type(seed) is not int:
        raise InvalidInput("seed", "must be an integer", seed)
    if count is not None:
        check_integer("count", count, 0)
    return Mutations(net, seed, count, tuple(stratum.name for stratum in named_strata(strata)))


def mutations_from_json(data: Any, source: str) -> Mutations:
    """The mutations that JSON data specifies."""
    names = ("format", "version", "kind", "network", "seed", "count", "strata")
    fields = expect_object(data, source, required=names)
    seed = expect_integer(fields["seed"], f"{source}: seed", least=-(10**18))
    strata = tuple(expect_list(fields["strata"], f"{source}: strata"))
    try:
        base = network_from_json(fields["network"], f"{source}: network")
        return mutations(base, seed=seed, count=fields["count"], strata=strata)
    except InvalidInput as error:
        raise error.at(source) from None


def changed_values(value: Fraction) -> tuple[Fraction, ...]:
    """What a parameter may be changed to: zero, its negative, its neighbours, its double and its half."""
    return Fraction(0), -value, value + 1, value - 1, 2 * value, value / 2


def disturbed(net: Network, generator: random.Random) -> Network:
    """The network with one parameter changed."""
    values = [parameter.value for parameter in net.parameters]
    position = generator.randrange(len(values))
    values[position] = generator.choice(changed_values(values[position]))
    return net.with_values(values)


def exchanged(net: Network, generator: random.Random) -> Network:
    """The network with two parameters exchanged."""
    values = [parameter.value for parameter in net.parameters]
    first, second = generator.randrange(len(values)), generator.randrange(len(values))
    values[first], values[second] = values[second], values[first]
    return net.with_values(values)
