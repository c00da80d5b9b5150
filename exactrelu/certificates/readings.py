r"""Networks as sheets of numbers on which affine forms are computed, piece by piece.

The numbers are rational, or polynomials in a parameter :math:`t` (:mod:`.polynomials`): the same few lines
serve one network and a family of networks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count
from typing import Any, TypeAlias

from ..networks import Network
from ..networks.evaluation import expect_few_inputs
from ..networks.piecewise_linear import PiecewiseLinear
from ..verdicts import Neuron
from .notation import piecewise_linear
from .polynomials import at

Form: TypeAlias = tuple[Any, ...]
"""An affine form: its slopes, then its constant."""
State: TypeAlias = tuple[int, bool]
"""Piece ``k``, or breakpoint ``k`` (from 1 on) if the second entry says so."""
ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class Bend:
    """A piecewise-linear function, read once: its breakpoints with their values, and its affine pieces."""

    breakpoints: tuple[Fraction, ...]
    heights: tuple[Fraction, ...]
    pieces: tuple[tuple[Fraction, Fraction], ...]

    @classmethod
    def of(cls, rho: PiecewiseLinear) -> Bend:
        """The reading of a function."""
        pieces = tuple(rho.affine_piece(k) for k in range(rho.pieces))
        return cls(rho.breakpoints, tuple(rho(b) for b in rho.breakpoints), pieces)

    def state(self, value: Any) -> State:
        """Where a value lies."""
        for k, breakpoint in enumerate(self.breakpoints):
            if value < breakpoint:
                return k, False
            if value == breakpoint:
                return k + 1, True
        return len(self.breakpoints), False

    def applied(self, state: State, form: Form) -> Form:
        """The value of the neuron in a state, from its pre-activation."""
        if state[1]:
            return (*(ZERO for _ in form[1:]), self.heights[state[0] - 1])
        slope, constant = self.pieces[state[0]]
        if slope == 1 and not constant:
            return form
        scaled = tuple(slope * entry for entry in form) if slope else (ZERO,) * len(form)
        return (*scaled[:-1], scaled[-1] + constant)

    def text(self, state: State) -> str:
        """The state of one neuron in the text of a pattern."""
        if len(self.breakpoints) == 1:
            return "0" if state[1] else "-+"[state[0]]
        return f"={state[0]}" if state[1] else str(state[0])


@dataclass(frozen=True, slots=True)
class ReadLayer:
    """A layer: for every neuron its edges ``(source layer, index, weight)``, its bias (0 if none), its function."""

    edges: tuple[tuple[tuple[int, int, Any], ...], ...]
    biases: tuple[Any, ...]
    bends: tuple[Bend, ...]

    def at(self, t: Fraction) -> ReadLayer:
        """The layer with polynomials taken at a number."""
        edges = tuple(tuple((source, j, at(weight, t)) for source, j, weight in into) for into in self.edges)
        return replace(self, edges=edges, biases=tuple(at(bias, t) for bias in self.biases))


@dataclass(frozen=True, slots=True)
class Reading:
    """A network, layer by layer."""

    input_dim: int
    layers: tuple[ReadLayer, ...]

    @classmethod
    def of(cls, net: Network, values: Sequence[Any] | None = None) -> Reading:
        """The reading of a network, with other ``values`` of its parameters (in their order) if they are given.

        Raises :class:`~exactrelu.errors.HypothesisNotMet` for activations that are not piecewise linear.
        """
        supply = iter([parameter.value for parameter in net.parameters] if values is None else values)
        known: dict[Any, Bend] = {}
        layers = []
        for layer in net.layers:
            edges: list[list[tuple[int, int, Any]]] = [[] for _ in range(layer.width)]
            for source, block in layer.blocks:
                for target, row in enumerate(block):
                    edges[target] += [(source, j, next(supply)) for j, entry in enumerate(row) if entry is not None]
            biases = tuple(ZERO if layer.bias is None else next(supply) for _ in range(layer.width))
            for rho in layer.activations:
                known.setdefault(rho, Bend.of(piecewise_linear(rho)))
            layers.append(ReadLayer(tuple(map(tuple, edges)), biases, tuple(known[rho] for rho in layer.activations)))
        return cls(net.input_dim, tuple(layers))

    def at(self, t: Fraction) -> Reading:
        """The member of a family of networks at a number."""
        return replace(self, layers=tuple(layer.at(t) for layer in self.layers))

    @property
    def inputs(self) -> tuple[Form, ...]:
        """The coordinates as forms."""
        expect_few_inputs(self.input_dim)
        return tuple(tuple(ONE if i == j else ZERO for j in range(self.input_dim + 1)) for i in range(self.input_dim))

    @property
    def bending(self) -> list[Neuron]:
        """The neurons that bend, in their order."""
        return [
            (number, i)
            for number, layer in enumerate(self.layers, start=1)
            for i, bend in enumerate(layer.bends)
            if bend.breakpoints
        ]

    def bend(self, neuron: Neuron) -> Bend:
        """The function of a neuron."""
        return self.layers[neuron[0] - 1].bends[neuron[1]]

    def form(self, neuron: Neuron, values: Sequence[Sequence[Form]]) -> Form:
        """The pre-activation of a neuron from the values of the layers below it (the inputs are layer 0)."""
        layer = self.layers[neuron[0] - 1]
        total: list[Any] = [ZERO] * self.input_dim + [layer.biases[neuron[1]]]
        for source, j, weight in layer.edges[neuron[1]]:
            if weight:
                for k, entry in enumerate(values[source][j]):
                    if entry:
                        total[k] = total[k] + weight * entry
        return tuple(total)

    def forms(self, states: Sequence[State]) -> tuple[list[Form], tuple[Form, ...]]:
        """The pre-activations of the bending neurons where they have these states, and the outputs there."""
        supply, found = iter(states), []
        values: list[tuple[Form, ...]] = [self.inputs]
        for number, layer in zip(count(1), self.layers):
            row = []
            for i, bend in enumerate(layer.bends):
                form = self.form((number, i), values)
                if bend.breakpoints:
                    found.append(form)
                    row.append(bend.applied(next(supply), form))
                else:
                    row.append(bend.applied((0, False), form))
            values.append(tuple(row))
        return found, values[-1]

    def states(self, point: Sequence[Fraction]) -> list[State]:
        """The states of the bending neurons at a point."""
        found: list[State] = []
        values: list[tuple[Form, ...]] = [tuple((entry,) for entry in point)]
        whole = Reading(0, self.layers)
        for number, layer in zip(count(1), self.layers):
            row = []
            for i, bend in enumerate(layer.bends):
                form = whole.form((number, i), values)
                state = bend.state(form[-1]) if bend.breakpoints else (0, False)
                found += [state] if bend.breakpoints else []
                row.append(bend.applied(state, form))
            values.append(tuple(row))
        return found

    def pattern(self, states: Sequence[State]) -> str:
        """The text of a pattern: one group per layer that bends."""
        supply, groups = iter(states), []
        for layer in self.layers:
            bends = [bend for bend in layer.bends if bend.breakpoints]
            if bends:
                signs = all(len(bend.breakpoints) == 1 for bend in bends)
                groups.append(("" if signs else ",").join(bend.text(next(supply)) for bend in bends))
        return "|".join(groups)
