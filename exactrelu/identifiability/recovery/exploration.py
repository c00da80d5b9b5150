r"""What is known of a shallow function, growing line by line until nothing is left to find.

All lines go through one base point :math:`p` and are in general position
(:mod:`.generic_lines`), so each meets every hyperplane, and at a kink only one
neuron's hyperplane bends the function. What is known is subtracted: the
*residual* vanishes near :math:`p`, and later lines see only what was missed. Hence a
point where the residual is not 0 leads to a new hyperplane for sure, since
between :math:`p` and this point the residual must bend.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from ...equality import form_text, hyperplane
from ...networks import Network
from ...rationals import Vector, common_denominator, scaled_integers
from .bent_function import BentFunction, affine_germ, bend_at
from .black_box import BlackBox, BrokenPromise
from .generic_lines import LARGEST_DIRECTION, Line, Pencil
from .line_search import find_kinks


class Exploration:
    """The search for all bends of a function that is promised to have at most ``max_width`` of this height.

    ``found`` is what is known, ``network`` a network with that function.
    """

    def __init__(self, box: BlackBox, max_width: int, height: int) -> None:
        self.box = box
        self.max_width = max_width
        self.height = height
        self.pencil = Pencil(box.input_dim, height)
        base = self.pencil.base
        self.found = BentFunction(base, affine_germ(box, base, height))
        self.network: Network = self.found.network()

    def residual(self, point: Vector) -> Vector:
        """The function minus what is known."""
        return tuple(a - b for a, b in zip(self.box(point), self.network(point), strict=True))

    def explore(self, direction: Sequence[int], probes: Iterable[Fraction]) -> bool:
        """Add all hyperplanes whose kinks are seen along a line; whether there were any."""
        line = self.pencil.line(direction)
        kinks = find_kinks(self.residual, line, self.height, self.max_width, probes)
        for kink in kinks:
            form, jump = bend_at(self.residual, line, kink, self.height)
            if self.found.jump(form) is not None:
                rule = f"bend by the same jump all along the hyperplane {form_text(hyperplane(form))} = 0"
                self._broken(rule, line, kink.t)
            self.found = self.found.bent((form, jump))
            if len(self.found.bends) > self.max_width:
                self._broken(f"bend along at most {self.max_width} hyperplanes", line, kink.t)
        self.network = self.found.network()
        return bool(kinks)

    def check(self, count: int, seed: int) -> None:
        """Compare at random points, and learn from disagreement."""
        for direction, t in _random_points(self.box.input_dim, count, seed):
            line = self.pencil.line(direction)
            while any(self.residual(line.at(t))):
                if not self.explore(direction, (Fraction(0), t)):
                    self._broken("be the shallow function that is seen along other lines", line, t)

    def learn(self, point: Vector) -> None:
        """Add a hyperplane between the base point and a point where the residual is not 0.

        The line towards the point may need larger integers than other lines, and
        so a smaller perturbation; the base point stays on its side of every hyperplane.
        """
        scale = common_denominator(point)
        direction = scaled_integers(point, scale)
        self.height = max(self.height, scale)
        self.pencil = Pencil(self.box.input_dim, self.height, max(LARGEST_DIRECTION, *map(abs, direction)))
        self.found = replace(self.found, base=self.pencil.base)
        t = Fraction(1, scale)
        if not self.explore(direction, (Fraction(0), t)):
            self._broken("be the shallow function that is seen along other lines", self.pencil.line(direction), t)

    def _broken(self, rule: str, line: Line, t: Fraction) -> None:
        raise BrokenPromise("oracle", f"must {rule}", line.at(t))


def _random_points(dimension: int, count: int, seed: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Directions with parameters of all sizes: points at distances between 1/64 and 1,000, about."""
    draw = random.Random(seed)
    for k in range(count):
        direction = (0,) * dimension
        while not any(direction):
            direction = tuple(draw.randint(-LARGEST_DIRECTION, LARGEST_DIRECTION) for _ in range(dimension))
        yield direction, Fraction(2) ** (k % 11 - 6)
