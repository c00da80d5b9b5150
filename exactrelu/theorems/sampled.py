"""Seeded random networks of an architecture, every second one degenerate on purpose."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from ..networks import Network
from ..rationals import text
from .layouts import Layout
from .numbered import NetworkFamily, chosen_strata, described, specification
from .strata import STRATA, named_strata

GENERIC_NUMERATORS: Final = 9
GENERIC_DENOMINATORS: Final = 4
SPECIAL_VALUES: Final = (Fraction(-2), Fraction(-1), Fraction(1), Fraction(2), Fraction(1, 2))
"""What degenerate random networks are made of, so that more coincidences happen."""


@dataclass(frozen=True)
class RandomFamily(NetworkFamily):
    """Seeded random networks of an architecture, every second one degenerate on purpose.

    Member ``i`` depends on ``Random(f"{seed}:{i}")`` alone. With ``entries`` all
    parameters of generic members are among them; ``strata`` names those from which the
    degenerate members are taken, by default all that the architecture has room for.
    """

    layout: Layout
    seed: int
    count: int | None = None
    entries: tuple[Fraction, ...] = ()
    strata: tuple[str, ...] = ()

    @property
    def size(self) -> int | None:
        """The number of members."""
        return self.count

    def member(self, index: int) -> Network | None:
        """The network of a number; never ``None``."""
        self.check_index(index)
        generator = random.Random(f"{self.seed}:{index}")
        special = index % 2 == 1
        values = [self._value(generator, special) for _ in range(self.layout.size)]
        net = self.layout.network(self.layout.word(range(self.layout.size)), values)
        return degenerated(net, generator, self.strata) if special else net

    def _value(self, generator: random.Random, special: bool) -> Fraction:
        if self.entries:
            return generator.choice(self.entries)
        if special:
            return generator.choice(SPECIAL_VALUES)
        sign = generator.choice((1, -1))
        return Fraction(sign * generator.randint(1, GENERIC_NUMERATORS), generator.randint(1, GENERIC_DENOMINATORS))

    def to_json(self) -> dict[str, Any]:
        """Widths, skips, biases, seed, count, entries and strata."""
        data = specification("random", self.layout, self.entries, self.strata)
        return {**data, "seed": self.seed, "count": self.count}

    def explain(self) -> str:
        """The family in one line."""
        number = "random" if self.count is None else f"{self.count} random"
        shown = f" with entries {', '.join(map(text, self.entries))}" if self.entries else ""
        which = f"{number} {described(self.layout)}{shown}{chosen_strata(self.strata)}"
        return f"{which}, seed {self.seed}, half of them special"


def degenerated(net: Network, generator: random.Random, strata: Sequence[str] = ()) -> Network:
    """A network moved into a random stratum, sometimes into two; unchanged where there is room for none."""
    pool = list(named_strata(strata)) if strata else list(STRATA.values())
    for _ in range(generator.choice((1, 1, 2))):
        generator.shuffle(pool)
        net = next((found for stratum in pool if (found := stratum.degenerate(net, generator)) is not None), net)
    return net
