"""Deep identifiability from the definitions: slow, plain, and without any of the package.

A network is read from its JSON into one dictionary of edges. Where the gates of all neurons are frozen,
the outputs are sums over paths of products of *different* parameters, so that they are affine in every
single parameter: the derivative by a parameter is an exact difference quotient of step 1. The same
numbers come out of explicit paths and of SymPy, which the self-tests compare.

Statuses follow the two rank theorems word by word; equivalence is decided by trying all permutations.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import permutations, product
from math import gcd, lcm, prod
from typing import Any

import sympy

Q = Fraction
Neuron = tuple[int, int]  # layer, index; layer 0 is the input
Edge = tuple[Neuron | None, Neuron]  # source and target; the source of a bias is None
Point = tuple[Fraction, ...]
Signs = dict[Neuron, int]

HOLDS, FAILS, UNKNOWN, INAPPLICABLE = "holds", "fails", "unknown", "inapplicable"


# ---------------------------------------------------------------- networks


@dataclass(frozen=True)
class Deep:
    """All parameters in their fixed order, and the neurons with whether they bend."""

    input_dim: int
    edges: dict[Edge, Fraction]
    neurons: dict[Neuron, bool]
    depth: int

    @property
    def bending(self) -> list[Neuron]:
        return [v for v, bends in self.neurons.items() if bends]

    @property
    def hidden(self) -> list[Neuron]:
        return [v for v in self.neurons if v[0] < self.depth]

    @property
    def outputs(self) -> list[Neuron]:
        return [v for v in self.neurons if v[0] == self.depth]

    @property
    def full(self) -> int:
        return len(self.edges) - len(self.hidden)

    @cached_property
    def _incoming(self) -> dict[Neuron, list[tuple[Edge, Fraction]]]:
        return {v: [(edge, value) for edge, value in self.edges.items() if edge[1] == v] for v in self.neurons}

    def entering(self, v: Neuron) -> list[tuple[Edge, Fraction]]:
        return self._incoming[v]


def read(net: Any) -> Deep:
    """A network from its JSON data, or from anything with ``to_json``."""
    data = net if isinstance(net, dict) else net.to_json()
    edges: dict[Edge, Fraction] = {}
    neurons: dict[Neuron, bool] = {}
    for k, layer in enumerate(data["layers"], start=1):
        blocks = layer["weights"] if isinstance(layer["weights"], dict) else {str(k - 1): layer["weights"]}
        for source in sorted(blocks, key=int):
            for i, row in enumerate(blocks[source]):
                for j, weight in enumerate(row):
                    if weight is not None:
                        edges[(int(source), j), (k, i)] = Q(weight)
        for i, bias in enumerate(layer["bias"] or ()):
            edges[None, (k, i)] = Q(bias)
        for i in range(len(layer["bias"] or next(iter(blocks.values())))):
            rho = layer["activation"]
            neurons[k, i] = (rho if isinstance(rho, str) else rho[i]) == "relu"
    return Deep(data["input_dim"], edges, neurons, len(data["layers"]))


def forward(net: Deep, x: Sequence[Any]) -> tuple[dict[Neuron, Fraction], Point]:
    """The pre-activations of all neurons, and the values of the outputs."""
    sums: dict[Neuron, Fraction] = {}
    values: dict[Neuron | None, Fraction] = {None: Q(1)} | {(0, j): Q(c) for j, c in enumerate(x)}
    for v, bends in net.neurons.items():
        sums[v] = sum([weight * values[edge[0]] for edge, weight in net.entering(v)], Q(0))
        values[v] = max(sums[v], Q(0)) if bends else sums[v]
    return sums, tuple(values[v] for v in net.outputs)


def outputs(net: Deep, x: Sequence[Any]) -> Point:
    return forward(net, x)[1]


def sign(value: Any) -> int:
    return int(value > 0) - int(value < 0)


def signs_at(net: Deep, x: Sequence[Any]) -> Signs:
    """The signs of the bending neurons at a point."""
    sums, _ = forward(net, x)
    return {v: sign(sums[v]) for v in net.bending}


def is_smooth(net: Deep, x: Sequence[Any]) -> bool:
    return all(signs_at(net, x).values())


def frozen(net: Deep, values: dict[Edge, Any], signs: Signs, x: Sequence[Any]) -> list[Any]:
    """The outputs with these parameters (numbers or symbols), where every gate is as the signs say."""
    found: dict[Neuron | None, Any] = {None: Q(1)} | {(0, j): c for j, c in enumerate(x)}
    for v in net.neurons:
        found[v] = 0 if signs.get(v, 1) < 0 else sum(values[e] * found[e[0]] for e, _ in net.entering(v))
    return [found[v] for v in net.outputs]


# ---------------------------------------------------------------- paths and ranks


def paths(net: Deep) -> list[tuple[Edge, ...]]:
    """The edges of every path from an input or a bias to an output."""
    ending: dict[Neuron, list[tuple[Edge, ...]]] = {(0, j): [()] for j in range(net.input_dim)}
    for v in net.neurons:
        ending[v] = [
            (*before, edge) for edge, _ in net.entering(v) for before in ([()] if edge[0] is None else ending[edge[0]])
        ]
    return [path for v in net.outputs for path in ending[v]]


def embedding(net: Deep) -> list[Fraction]:
    """The product of the parameters along every path."""
    return [prod([net.edges[e] for e in path], start=Q(1)) for path in paths(net)]


def embedding_jacobian(net: Deep) -> list[list[Fraction]]:
    """The derivatives of all path products, by the product rule."""
    return [
        [prod([net.edges[f] for f in path if f != e], start=Q(1)) if e in path else Q(0) for e in net.edges]
        for path in paths(net)
    ]


def activations(net: Deep, x: Sequence[Any]) -> list[Fraction]:
    """What every path carries at a point: its input or 1, if all its neurons are active, else 0."""
    signs = signs_at(net, x)
    return [
        (Q(1) if path[0][0] is None else Q(x[path[0][0][1]])) if all(signs.get(v, 1) > 0 for _, v in path) else Q(0)
        for path in paths(net)
    ]


def gamma_by_paths(net: Deep, points: Iterable[Sequence[Any]]) -> list[list[Fraction]]:
    """The Jacobian of all outputs at all points, as path activations times the Jacobian of the embedding."""
    ends, jacobian, rows = [path[-1][1] for path in paths(net)], embedding_jacobian(net), []
    for x in points:
        alpha = activations(net, x)
        for o in net.outputs:
            mine = [(a, row) for a, row, end in zip(alpha, jacobian, ends, strict=True) if a and end == o]
            rows.append([sum([a * row[k] for a, row in mine], Q(0)) for k in range(len(net.edges))])
    return rows


def gamma_by_symbols(net: Deep, points: Iterable[Sequence[Any]]) -> list[list[Fraction]]:
    """The same by symbolic differentiation of the outputs."""
    symbols = {edge: sympy.Symbol(f"t{k}") for k, edge in enumerate(net.edges)}
    at = {symbols[e]: sympy.Rational(v.numerator, v.denominator) for e, v in net.edges.items()}
    rows = []
    for x in points:
        exact = [sympy.Rational(Q(c).numerator, Q(c).denominator) for c in x]
        for formula in frozen(net, symbols, signs_at(net, x), exact):
            slopes = [sympy.diff(formula, symbol).subs(at) for symbol in symbols.values()]
            rows.append([Q(int(s.p), int(s.q)) for s in slopes])
    return rows


def gamma(net: Deep, points: Iterable[Sequence[Any]]) -> list[list[Fraction]]:
    """The same by exact difference quotients, one parameter at a time; the points must be smooth."""
    rows = []
    for x in points:
        signs = signs_at(net, x)
        assert all(signs.values()), "no derivative on a kink"
        here = frozen(net, net.edges, signs, x)
        there = [frozen(net, net.edges | {e: value + 1}, signs, x) for e, value in net.edges.items()]
        rows += [[Q(moved[o] - here[o]) for moved in there] for o in range(len(here))]
    return rows


def rank(rows: Iterable[Sequence[Fraction]]) -> int:
    """The rank over the rationals, by elimination on primitive integer rows."""
    basis: dict[int, list[int]] = {}
    for row in rows:
        rest = primitive(row)
        while lead := next((k for k, entry in enumerate(rest, 1) if entry), 0):
            if lead not in basis:
                basis[lead] = rest
                break
            pivot = basis[lead]
            rest = primitive([pivot[lead - 1] * a - rest[lead - 1] * b for a, b in zip(rest, pivot, strict=True)])
    return len(basis)


def primitive(row: Sequence[Fraction | int]) -> list[int]:
    """The positive multiple with coprime integers."""
    scale = lcm(*[entry.denominator for entry in row])
    whole = [int(entry * scale) for entry in row]
    common = gcd(*whole) or 1
    return [entry // common for entry in whole]


def activation_rank(net: Deep, points: Sequence[Sequence[Any]]) -> int:
    """The sum over the outputs of the ranks of the activations of the paths that end there."""
    ends, alphas = [path[-1][1] for path in paths(net)], [activations(net, x) for x in points]
    return sum(rank([[a for a, end in zip(row, ends, strict=True) if end == o] for row in alphas]) for o in net.outputs)


# ---------------------------------------------------------------- equivalence and verdicts


def is_admissible(net: Deep) -> bool:
    """Whether every hidden neuron has a nonzero parameter coming in and a nonzero weight going out."""
    nonzero = [edge for edge, value in net.edges.items() if value]
    return all(any(e[1] == v for e in nonzero) and any(e[0] == v for e in nonzero) for v in net.hidden)


def scalings_exist(left: Deep, right: dict[Edge, Fraction]) -> bool:
    """Whether positive factors of the hidden neurons carry one parameter vector to another.

    The factors are propagated from the inputs, outputs and biases (factor 1), then from any neuron left.
    """
    if left.edges.keys() != right.keys() or any(sign(a) != sign(right[e]) for e, a in left.edges.items()):
        return False
    factor: dict[Neuron | None, Fraction] = {None: Q(1)} | {(0, j): Q(1) for j in range(left.input_dim)}
    factor |= dict.fromkeys(left.outputs, Q(1))
    ratios = {e: right[e] / a for e, a in left.edges.items() if a}
    while True:
        changed = True
        while changed:
            changed = False
            for (u, v), ratio in ratios.items():
                if u in factor and v not in factor:
                    factor[v], changed = factor[u] * ratio, True
                elif v in factor and u not in factor:
                    factor[u], changed = factor[v] / ratio, True
        free = next((v for v in left.hidden if v not in factor), None)
        if free is None:
            return all(ratio == factor[v] / factor[u] for (u, v), ratio in ratios.items())
        factor[free] = Q(1)


def equivalent(left: Deep, right: Deep) -> bool:
    """Whether permutations within the hidden layers and positive scalings carry one network to the other."""
    groups = [[v for v in left.hidden if v[0] == k] for k in range(1, left.depth)]
    for choice in product(*(list(permutations(group)) for group in groups)):
        move: dict[Any, Any] = {
            v: w for old, new in zip(groups, choice, strict=True) for v, w in zip(old, new, strict=True)
        }
        if any(right.neurons[w] != left.neurons[v] for v, w in move.items()):
            continue
        back = {(move.get(u, u), move.get(v, v)): e for e in left.edges for u, v in [e]}
        if back.keys() == right.edges.keys() and scalings_exist(left, {back[e]: x for e, x in right.edges.items()}):
            return True
    return False


@dataclass(frozen=True)
class SampleAnswer:
    """What theorems D1 and D2 say about finitely many smooth samples."""

    admissible: bool
    jacobian_rank: int
    activation_rank: int
    full: int

    @property
    def status(self) -> str:
        if not self.admissible:
            return INAPPLICABLE
        if self.jacobian_rank == self.full:
            return HOLDS
        return FAILS if self.jacobian_rank == self.activation_rank else UNKNOWN


def from_samples(net: Deep, points: Sequence[Sequence[Any]]) -> SampleAnswer:
    """The ranks that decide local identifiability from smooth samples, where they decide it."""
    return SampleAnswer(is_admissible(net), rank(gamma(net, points)), activation_rank(net, points), net.full)


def same_outputs(left: Deep, right: Deep, points: Iterable[Sequence[Any]]) -> bool:
    return all(outputs(left, x) == outputs(right, x) for x in points)


def annihilated(rows: Iterable[Sequence[Fraction]], direction: Sequence[Fraction]) -> bool:
    """Whether a direction in parameter space lies in the kernel of all rows."""
    return all(sum([a * b for a, b in zip(row, direction, strict=True)], Q(0)) == 0 for row in rows)
