r"""Other ways to share a function between the neurons of a shallow network on all of space.

Theory: ``shallow_space_global`` (5.4 E). A competitor :math:`\theta'` must have
the same hyperplanes :math:`K` with the same jumps :math:`a_H`. Having as many
neurons as :math:`\theta`, whose opposite pairs are :math:`J` with
:math:`p=|J|`, it may

* double the hyperplanes of a set :math:`T\subset K`, :math:`|T|\le p`, and so
  put any output on the slope :math:`w_H` for :math:`H\in T`,
* orient its neuron on each other hyperplane: :math:`A'_H\in\{0,a_H\}`,
* spend what is left on :math:`\lfloor(p-|T|)/2\rfloor` cancelling pairs, each of
  which realises an affine map of rank one.

It exists exactly when :math:`\sum_{H\notin T}(A'_H-A_H)w_H^T` has at most that
rank modulo :math:`\{w_H\}_{H\in T}`. Without output biases the slopes
:math:`w_H` become the forms :math:`(w_H,b_H)`, and a constant neuron may take
the place of a doubled hyperplane (the constant form ``CONSTANT``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

from ...equality import ShallowNetwork, opposite
from ...errors import BudgetExceeded
from ...networks import Network
from ...rationals import Matrix, Vector, common_denominator, decompose_modulo, dot, kernel, rank, scaled_integers
from ...rationals.subset_sums import DEFAULT_BUDGET, subsets_with_sum
from .walls import Wall, total

ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class Alternative:
    """The choices of a competitor: doubled walls, whether a constant neuron is used, walls with the jump on top."""

    doubled: tuple[int, ...]
    constant_neuron: bool
    positive: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NoAlternative:
    """The number of sets T for which every choice of orientations was excluded."""

    sets: int

    def explain(self) -> str:
        """What was searched."""
        return f"no alternative: all orientations were excluded for each of {self.sets} set(s) of doubled hyperplanes"


class Alternatives:
    """The search for a competitor, and its construction.

    ``width`` is the number of entries of a form that count: all but the constant
    where an output bias takes up constants.
    """

    def __init__(self, net: ShallowNetwork, groups: Sequence[Wall], budget: int | None) -> None:
        self.net = net
        self.walls = groups
        self.pairs = [k for k, wall in enumerate(groups) if wall.is_pair]
        constants_count = net.hidden_biases and not net.output_bias
        self.width = net.input_dim + constants_count
        self.may_use_constant = constants_count
        self.budget = DEFAULT_BUDGET if budget is None else budget

    def search(self) -> Alternative | NoAlternative:
        """A competitor that is not the network itself, or how many sets were excluded."""
        count = 0
        for doubled, constant_neuron in self._sets():
            count += 1
            if count > self.budget:
                raise BudgetExceeded("sets of doubled hyperplanes", self.budget)
            found = self._orientations(doubled, constant_neuron)
            if found is not None:
                return Alternative(doubled, constant_neuron, found)
        return NoAlternative(count)

    def _sets(self) -> Iterator[tuple[tuple[int, ...], bool]]:
        spare = len(self.pairs)
        for size in range(min(spare, len(self.walls)) + 1):
            for doubled in combinations(range(len(self.walls)), size):
                yield doubled, False
                if self.may_use_constant and size < spare:
                    yield doubled, True

    def _span(self, doubled: Sequence[int], constant_neuron: bool) -> list[Vector]:
        rows = [self._slope(k) for k in doubled]
        return [*rows, (ZERO,) * (self.width - 1) + (ONE,)] if constant_neuron else rows

    def _slope(self, k: int) -> Vector:
        return tuple(Fraction(entry) for entry in self.walls[k].form[: self.width])

    def _orientations(self, doubled: tuple[int, ...], constant_neuron: bool) -> tuple[int, ...] | None:
        """The walls, among those not doubled, whose jump goes to the positive side; ``None`` if no choice works."""
        free = [k for k in range(len(self.walls)) if k not in doubled]
        own = tuple(k for k in free if self.walls[k].share == self.walls[k].jump)
        trivial = own if list(doubled) == self.pairs and not constant_neuron else None
        annihilator = kernel(self._span(doubled, constant_neuron), self.width)
        allowed = (len(self.pairs) - len(doubled) - constant_neuron) // 2
        if allowed >= min(self.net.output_dim, len(annihilator)):
            if trivial is None:
                return own
            return None if not free else tuple(k for k in free if (k in own) != (k == free[0]))
        slopes = {k: [dot(self._slope(k), direction) for direction in annihilator] for k in free}
        if allowed == 0:
            choices = unchanging(self.walls, slopes, self.budget)
            return next((chosen for chosen in choices if chosen != trivial), None)
        if 2 ** len(free) > self.budget:
            raise BudgetExceeded("subsets", self.budget, 2 ** len(free))
        for sides in product((False, True), repeat=len(free)):
            chosen = tuple(k for k, up in zip(free, sides, strict=True) if up)
            if chosen != trivial and rank(self._change(free, chosen, slopes)) <= allowed:
                return chosen
        return None

    def _change(self, free: Sequence[int], chosen: Sequence[int], slopes: dict[int, list[Fraction]]) -> Matrix:
        """The sum of (A' - A) w^T over the walls that are not doubled, projected."""
        size = len(next(iter(slopes.values()))) if slopes else 0
        rows = [[ZERO] * size for _ in range(self.net.output_dim)]
        for k in free:
            wall = self.walls[k]
            for o, row in enumerate(rows):
                gap = (wall.jump[o] if k in chosen else ZERO) - wall.share[o]
                for j, entry in enumerate(slopes[k]):
                    row[j] += gap * entry
        return tuple(tuple(row) for row in rows)

    def network(self, found: Alternative) -> Network:
        """The competitor that makes these choices, with the architecture of the network."""
        free = [k for k in range(len(self.walls)) if k not in found.doubled]
        change = self._change(free, found.positive, {k: list(self._slope(k)) for k in free})
        change = change if free else tuple((ZERO,) * self.width for _ in range(self.net.output_dim))
        shares, factors = decompose_modulo(change, self._span(found.doubled, found.constant_neuron))
        neurons: list[tuple[Sequence[Fraction | int], Vector]] = []
        for k in free:
            wall = self.walls[k]
            neurons.append((wall.form if k in found.positive else opposite(wall.form), wall.jump))
        for k, u in zip(found.doubled, shares, strict=False):
            wall = self.walls[k]
            top = tuple(a - b for a, b in zip(wall.share, u, strict=True))
            neurons.append((wall.form, top))
            neurons.append((opposite(wall.form), tuple(a - b for a, b in zip(wall.jump, top, strict=True))))
        if found.constant_neuron:
            last = (0,) * self.net.input_dim + (1,)
            neurons.append((last, tuple(-entry for entry in shares[-1])))
        for direction, output in factors:
            form = (*direction, ZERO) if self.width == self.net.input_dim else direction
            neurons.append((form, tuple(-entry for entry in output)))
            neurons.append((tuple(-entry for entry in form), output))
        while len(neurons) < self.net.size:
            neurons.append(((0,) * (self.net.input_dim + 1), (ZERO,) * self.net.output_dim))
        forms, outputs = zip(*neurons, strict=True)
        constant = self._constant(forms, outputs) if self.net.output_bias else self.net.constant
        return self.net.network(forms, outputs, constant, scales=(ONE,) * self.net.size)

    def _constant(self, forms: Sequence[Sequence[Fraction | int]], outputs: Sequence[Vector]) -> Vector:
        """The output bias for which the new neurons give the value of the network at the origin."""
        old = total((_at_origin(f, v) for f, v in zip(self.net.forms, self.net.outputs, strict=True)), len(outputs[0]))
        new = total((_at_origin(f, v) for f, v in zip(forms, outputs, strict=True)), len(outputs[0]))
        return tuple(c + a - b for c, a, b in zip(self.net.constant, old, new, strict=True))


def unchanging(
    groups: Sequence[Wall], slopes: Mapping[int, Sequence[Fraction]], budget: int | None
) -> Iterator[tuple[int, ...]]:
    r"""The walls, among those with ``slopes``, to put the jump on top of, so that :math:`\sum(A'_H-A_H)w_H^T=0`.

    A subset-sum problem in the products of jumps and slopes. Raises
    :class:`~exactrelu.errors.BudgetExceeded` beyond ``budget`` subsets.
    """
    free = list(slopes)
    products = [[a * w for a in groups[k].jump for w in slopes[k]] for k in free]
    shares = [[a * w for a in groups[k].share for w in slopes[k]] for k in free]
    target = [sum(column, ZERO) for column in zip(*shares, strict=True)]
    scale = common_denominator(entry for vector in [*products, target] for entry in vector)
    vectors = [scaled_integers(vector, scale) for vector in products]
    for subset in subsets_with_sum(vectors, scaled_integers(target, scale), budget=budget):
        yield tuple(free[i] for i in subset)


def _at_origin(form: Sequence[Fraction | int], output: Vector) -> Vector:
    return tuple(max(form[-1], 0) * entry for entry in output)
