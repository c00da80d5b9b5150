r"""Where the neurons of a network are active, and where they are heard, on finitely many patterns.

A set of patterns is an integer with one bit per pattern. A neuron is *heard* on
a pattern if nonzero weights and active neurons lead from it to an output.

>>> net = Network.mlp([[[1], [-1]], [[1, 0]]])
>>> activity = Activity(net, [net.pattern([1]), net.pattern([-1])])
>>> [bin(activity.on[neuron]) for neuron in net.hidden_neurons]
['0b1', '0b10']
>>> [bin(activity.heard[neuron]) for neuron in net.hidden_neurons]
['0b11', '0b0']
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from ...networks import Network, Pattern
from ...networks.evaluation import AffineMap, affine_maps
from ...networks.patterns import slopes
from ...rationals import Vector
from ...verdicts import Neuron

Source = Neuron | None
"""Where a parameter reads: an input or a neuron, or ``None`` for a bias."""


class Activity:
    """The neurons of a network on some patterns without sign 0, and the places of its parameters.

    ``incoming[v][u]`` and ``outgoing[u][v]`` are the positions of the parameter
    from ``u`` to ``v`` among all parameters, ``on[v]`` and ``heard[v]`` sets of
    patterns.
    """

    def __init__(self, net: Network, patterns: Sequence[Pattern]) -> None:
        self.net = net
        self.patterns = patterns
        self.values: Vector = tuple(parameter.value for parameter in net.parameters)
        self.everywhere = (1 << len(patterns)) - 1
        vertices = [(layer, i) for layer, width in enumerate(net.widths) for i in range(width)]
        self.incoming: dict[Neuron, dict[Source, int]] = {vertex: {} for vertex in vertices if vertex[0]}
        self.outgoing: dict[Neuron, dict[Neuron, int]] = {vertex: {} for vertex in vertices}
        for k, parameter in enumerate(net.parameters):
            self.incoming[parameter.target][parameter.source] = k
            if parameter.source is not None:
                self.outgoing[parameter.source][parameter.target] = k
        self.on = self._on()
        self.heard = self._heard()
        self._maps: dict[int, list[AffineMap]] = {}

    def _on(self) -> dict[Neuron, int]:
        neurons = self.net.hidden_neurons
        digits: dict[Neuron, list[str]] = {neuron: [] for neuron in neurons}
        for pattern in reversed(self.patterns):
            gates = slopes(self.net, pattern)
            for layer, i in neurons:
                digits[layer, i].append("1" if gates[layer - 1][i] else "0")
        return {neuron: int("".join(bits) or "0", 2) for neuron, bits in digits.items()}

    def _heard(self) -> dict[Neuron, int]:
        outputs = [(self.net.depth, o) for o in range(self.net.output_dim)]
        heard = {**dict.fromkeys(self.net.hidden_neurons, 0), **dict.fromkeys(outputs, self.everywhere)}
        for parameter in reversed(self.net.parameters):
            source, target = parameter.source, parameter.target
            if parameter.value and source is not None and source[0]:
                heard[source] |= heard[target] & self.on.get(target, self.everywhere)
        return heard

    def live(self, neuron: Neuron) -> int:
        """The patterns on which a neuron, or an output, is active and heard."""
        return self.heard[neuron] & self.on.get(neuron, self.everywhere)

    def children(self, neurons: Iterable[Neuron]) -> list[Neuron]:
        """The neurons and outputs that some of ``neurons`` reach while both are active and the child is heard."""
        found = (c for u in neurons for c in self.outgoing[u] if self.on[u] & self.live(c))
        return list(dict.fromkeys(found))

    def weight(self, source: Source, target: Neuron) -> Fraction:
        """The value of the parameter from ``source`` to ``target``, 0 if there is none."""
        place = self.incoming[target].get(source)
        return Fraction(0) if place is None else self.values[place]

    def proportion(self, v: Neuron, u: Neuron, patterns: int) -> Fraction | None:
        """The number ``r`` with :math:`z_v=rz_u` on all of these patterns, unless there is none or it is 0."""
        found: Fraction | None = None
        while patterns:
            last = patterns.bit_length() - 1
            patterns ^= 1 << last
            here = ratio(self._form(v, last), self._form(u, last))
            if here is None or found not in (None, here):
                return None
            found = here
        return found

    def _form(self, neuron: Neuron, number: int) -> Vector:
        """The pre-activation of a neuron, slopes and constant, on a pattern."""
        if number not in self._maps:
            self._maps[number] = affine_maps(self.net, self.patterns[number])
        matrix, offset = self._maps[number][neuron[0] - 1]
        return (*matrix[neuron[1]], offset[neuron[1]])


def ratio(left: Sequence[Fraction], right: Sequence[Fraction]) -> Fraction | None:
    """The number ``r`` with ``left = r * right``, unless there is none or one of the vectors is 0.

    >>> ratio([Fraction(2), Fraction(4)], [Fraction(-1), Fraction(-2)])
    Fraction(-2, 1)
    """
    place = next((k for k, entry in enumerate(right) if entry), None)
    if place is None or not left[place]:
        return None
    quotient = left[place] / right[place]
    return quotient if all(a == quotient * b for a, b in zip(left, right, strict=True)) else None
