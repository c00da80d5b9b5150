r"""Evidence about single activation regions: that a pattern has one, that it has none, that two share a facet.

Theory: section 7. Open cells are decided by the linear program :math:`\max\varepsilon` with
:math:`\langle\alpha_i,x\rangle+\varepsilon\beta'_i\le\beta_i` and :math:`\varepsilon\le1`: it has a positive optimum
exactly when the cell has a point, and else its multipliers refute the cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..errors import InvalidInput
from ..networks import Network, Pattern
from ..polyhedra import Domain, Halfspace, Hyperplane, Infeasible, Optimal, maximise
from ..rationals import Vector, dot
from ..verdicts import Neuron
from . import notation
from .notation import Name
from .readings import Reading, State
from .splitting import coprime

ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class NamedBound:
    r"""The inequality :math:`\langle\alpha,x\rangle<\beta` (or the equation with :math:`=`) with its name."""

    name: Name
    normal: Vector
    bound: Fraction


@dataclass(frozen=True, slots=True)
class PatternCell:
    """The cell of a pattern on a domain: its inequalities, and the forms that must equal a breakpoint."""

    reading: Reading
    states: tuple[State, ...]
    inequalities: tuple[NamedBound, ...]
    equations: tuple[NamedBound, ...]

    @classmethod
    def of(cls, net: Network, domain: Domain, pattern: Pattern | str) -> PatternCell:
        """The cell of a pattern, as an object or as text.

        Raises :class:`~exactrelu.errors.InvalidInput` for a pattern that does not fit.
        """
        reading = Reading.of(net)
        states = states_of(reading, pattern)
        inequalities = [NamedBound(j, *wall) for j, wall in enumerate(notation.walls(domain))]
        equations = []
        for neuron, form, (k, on) in zip(reading.bending, reading.forms(states)[0], states, strict=True):
            kinks, slopes = reading.bend(neuron).breakpoints, tuple(form[:-1])
            if on:
                equations.append(NamedBound((0, *neuron, k), slopes, kinks[k - 1] - form[-1]))
                continue
            if k > 0:
                inequalities.append(NamedBound((0, *neuron, k), tuple(-e for e in slopes), form[-1] - kinks[k - 1]))
            if k < len(kinks):
                inequalities.append(NamedBound((0, *neuron, k + 1), slopes, kinks[k] - form[-1]))
        return cls(reading, tuple(states), tuple(inequalities), tuple(equations))

    @property
    def text(self) -> str:
        """The pattern as text."""
        return self.reading.pattern(self.states)

    @property
    def misplaced(self) -> Neuron | None:
        """A neuron whose form must equal a breakpoint identically, and does not."""
        for item in self.equations:
            if any(item.normal) or item.bound:
                assert isinstance(item.name, tuple)
                return item.name[1], item.name[2]
        return None

    def open_point(self, equations: Sequence[Hyperplane] = ()) -> Vector | list[tuple[Name, Fraction]]:
        """A point strictly inside all inequalities (and on some hyperplanes), or multipliers that refute the cell."""
        constraints = [Halfspace([*item.normal, 1], item.bound) for item in self.inequalities]
        size = self.reading.input_dim
        top = Halfspace([*[0] * size, 1], 1)
        lifted = [Hyperplane([*item.normal, 0], item.bound) for item in equations]
        outcome = maximise([*[0] * size, 1], [*constraints, top], equations=lifted)
        assert isinstance(outcome, Optimal)  # any point will do with a low enough last coordinate
        if outcome.value > 0:
            return outcome.point[:size]
        # A multiplier of a half-space is one of its original inequality, which is a positive multiple of it.
        scales = [_scale(item, halfspace) for item, halfspace in zip(self.inequalities, constraints, strict=True)]
        weights = zip(self.inequalities, outcome.multipliers, scales, strict=False)
        return [(item.name, weight * scale) for item, weight, scale in weights if weight]

    def closed_point(self) -> Vector | list[tuple[Name, Fraction]]:
        """A point of the closed cell, or multipliers that refute it."""
        bounds = [item for item in self.inequalities if any(item.normal)]
        equations = [item for item in self.equations if any(item.normal)]
        for item in (*self.inequalities, *self.equations):
            wrong = item.bound < 0 if item in self.inequalities else bool(item.bound)
            if not any(item.normal) and wrong:
                return [(item.name, ONE if item.bound < 0 else -ONE)]
        halfspaces = [Halfspace(item.normal, item.bound) for item in bounds]
        planes = [Hyperplane(item.normal, item.bound) for item in equations]
        outcome = maximise([0] * self.reading.input_dim, halfspaces, equations=planes)
        if not isinstance(outcome, Infeasible):
            return outcome.point
        items: list[tuple[NamedBound, Halfspace | Hyperplane]] = [*zip(bounds, halfspaces, strict=True)]
        items += zip(equations, planes, strict=True)
        weights = (*outcome.multipliers, *outcome.equation_multipliers)
        return [(item.name, y * _scale(item, found)) for (item, found), y in zip(items, weights, strict=True) if y]


def _scale(item: NamedBound, found: Halfspace | Hyperplane) -> Fraction:
    """The factor from an inequality to the half-space that was made of it, which may have one coordinate more."""
    pairs = [*zip(item.normal, found.normal, strict=False)]
    if len(found.normal) > len(item.normal):
        return found.normal[-1]
    return next(theirs / ours for ours, theirs in pairs if ours)


def region_evidence(
    net: Network, domain: Domain, pattern: Pattern | str, cell: str = "open"
) -> tuple[bool, str, dict[str, Any]]:
    """Whether the cell of a pattern has a point, the pattern as text, and the evidence for the answer.

    ``cell`` is ``"open"`` (a region with interior points) or ``"closed"``.

    >>> net = Network.mlp([[[1], [1]], [[1, 1]]], [[0, -1], [0]])
    >>> region_evidence(net, Domain.space(1), "-+")
    (False, '-+', {'combination': [[[0, 1, 0, 1], '1'], [[0, 1, 1, 1], '1']]})
    """
    if cell not in ("open", "closed"):
        raise InvalidInput("cell", 'must be "open" or "closed"', cell)
    found = PatternCell.of(net, domain, pattern)
    if cell == "open" and found.misplaced is not None:
        return False, found.text, {"neuron": list(found.misplaced)}
    outcome = found.open_point() if cell == "open" else found.closed_point()
    if isinstance(outcome, tuple):
        return True, found.text, {"point": notation.numbers(outcome)}
    return False, found.text, {"combination": notation.combination(coprime(outcome))}


def adjacency(
    net: Network, domain: Domain, patterns: Sequence[Pattern | str]
) -> tuple[list[str], list[Neuron], dict[str, Any]]:
    """Two adjacent patterns as text, the neurons that flip, and a point inside the common facet.

    Raises :class:`~exactrelu.errors.InvalidInput` if the regions share no facet.

    >>> adjacency(Network.mlp([[[1]], [[1]]]), Domain.space(1), ["-", "+"])
    (['-', '+'], [(1, 0)], {'point': ['0']})
    """
    if isinstance(patterns, str) or len(patterns) != 2:
        raise InvalidInput("patterns", "must be a list of two patterns", patterns)
    first, second = (PatternCell.of(net, domain, pattern) for pattern in patterns)
    flipped = [n for n, a, b in zip(first.reading.bending, first.states, second.states, strict=True) if a != b]
    for wall in _walls_between(first, flipped):
        plane = Hyperplane(wall.normal, wall.bound)
        inner = [
            PatternCell(cell.reading, cell.states, tuple(i for i in cell.inequalities if not _on(i, plane)), ())
            for cell in (first, second)
        ]
        both = PatternCell(first.reading, (), inner[0].inequalities + inner[1].inequalities, ())
        point = both.open_point([plane])
        if isinstance(point, tuple) and _opposite(first, second, plane):
            return [first.text, second.text], flipped, {"point": notation.numbers(point)}
    raise InvalidInput("patterns", "must be those of two regions that share a facet", [first.text, second.text])


def _walls_between(cell: PatternCell, flipped: Sequence[Neuron]) -> list[NamedBound]:
    """The inequalities of the neurons that flip."""
    return [i for i in cell.inequalities if isinstance(i.name, tuple) and i.name[1:3] in flipped and any(i.normal)]


def _on(item: NamedBound, plane: Hyperplane) -> bool:
    return any(item.normal) and Hyperplane(item.normal, item.bound) == plane


def _opposite(first: PatternCell, second: PatternCell, plane: Hyperplane) -> bool:
    """Whether the cells lie on opposite sides of a hyperplane, and nothing else speaks against the facet."""
    sides = []
    for cell in (first, second):
        found = {dot(i.normal, plane.normal) > 0 for i in cell.inequalities if _on(i, plane)}
        if len(found) != 1 or cell.misplaced is not None:
            return False
        sides.append(found.pop())
    return sides[0] != sides[1]


def states_of(reading: Reading, pattern: Pattern | str) -> list[State]:
    """The states that a pattern means: an object, or text as certificates write it."""
    bending = reading.bending
    found = _codes(pattern) if isinstance(pattern, Pattern) else _parsed(reading, pattern)
    fits = len(found) == len(bending) and all(
        k <= len(reading.bend(neuron).breakpoints) and (k > 0 or not on)
        for neuron, (k, on) in zip(bending, found, strict=False)
    )
    if not fits:
        raise InvalidInput("pattern", "must fit the network", str(pattern))
    return found


def _codes(pattern: Pattern) -> list[State]:
    numbered = pattern.numbered or (False,) * len(pattern.signs)
    signs: dict[int, State] = {-1: (0, False), 0: (1, True), 1: (1, False)}
    return [
        (code, False) if pieces else signs[code]
        for group, pieces in zip(pattern.signs, numbered, strict=True)
        for code in group
    ]


def _parsed(reading: Reading, pattern: str) -> list[State]:
    groups = pattern.split("|") if pattern else []
    bends = [[bend for bend in layer.bends if bend.breakpoints] for layer in reading.layers]
    bends = [layer for layer in bends if layer]
    found: list[State] = []
    for group, layer in zip(groups, bends, strict=False):
        plain = all(len(bend.breakpoints) == 1 for bend in layer)
        words = list(group) if plain else group.split(",")
        for word, bend in zip(words, layer, strict=False):
            known = {bend.text(state): state for k in range(len(bend.breakpoints) + 1) for state in _states(k)}
            if word not in known:
                raise InvalidInput("pattern", f"must consist of {', '.join(sorted(known))} for such a neuron", word)
            found.append(known[word])
        if len(words) != len(layer):
            raise InvalidInput("pattern", f"must have {len(layer)} neurons in this layer", group)
    if len(groups) != len(bends):
        raise InvalidInput("pattern", f"must have {len(bends)} groups", pattern)
    return found


def _states(k: int) -> list[State]:
    return [(k, False), (k, True)] if k else [(0, False)]
