"""A second checker of certificates, written from ``docs/certificates.md`` alone; numbers of sections are its numbers.

It shares nothing with ``exactrelu.checker``: numbers are fractions and rational functions of t, ranks are eliminated,
searches are enumerated, and clarity goes before speed. It sets no limits to the work and to numbers on the way.
"""

from __future__ import annotations

import json
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import total_ordering
from itertools import combinations as subsets_of_size
from itertools import pairwise, permutations, product
from math import factorial, gcd, lcm, prod
from operator import mul
from typing import Any

Json = Any
Number = Any  # a Fraction, or a Germ where section 2.9 allows one
Form = list[Number]  # coefficients of x_1, ..., x_d, then the constant
Neuron = tuple[int, int]  # (layer, index); layer 0 is the input
Name = int | tuple[int, int, int, int]
Inequalities = dict[Name, tuple[list[Number], Number]]  # name -> (alpha, beta) of alpha.x < beta
Parameter = tuple[Neuron, Neuron | None]  # (target, source), or (neuron, None) for a bias
ZERO, ONE = Fraction(0), Fraction(1)


class Stop(Exception):
    """The end of a check, with the exit code of section 4."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


def require(condition: object, text: str) -> None:
    if not condition:
        raise Stop(1, text)


# --- 2.9 Germs: rational functions of t, ordered by their values for small t > 0 ---


def stripped(coefficients: Iterable[Fraction]) -> tuple[Fraction, ...]:
    p = list(coefficients)
    while p and p[-1] == 0:
        p.pop()
    return tuple(p)


def poly_product(p: Sequence[Fraction], q: Sequence[Fraction]) -> tuple[Fraction, ...]:
    result = [ZERO] * (len(p) + len(q))
    for i, x in enumerate(p):
        for j, y in enumerate(q):
            result[i + j] += x * y
    return stripped(result)


def poly_sum(p: Sequence[Fraction], q: Sequence[Fraction]) -> tuple[Fraction, ...]:
    n = max(len(p), len(q))
    return stripped((p[i] if i < len(p) else ZERO) + (q[i] if i < len(q) else ZERO) for i in range(n))


def poly_divide(p: Sequence[Fraction], q: Sequence[Fraction]) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    rest, quotient = list(p), [ZERO] * max(len(p) - len(q) + 1, 0)
    for shift in reversed(range(len(quotient))):
        factor = quotient[shift] = rest[shift + len(q) - 1] / q[-1]
        for i, y in enumerate(q):
            rest[shift + i] -= factor * y
    return stripped(quotient), stripped(rest)


@total_ordering
class Germ:
    """A non-constant quotient of polynomials in t, in lowest terms, the lowest coefficient of the denominator 1."""

    __slots__ = ("den", "num")

    def __init__(self, num: tuple[Fraction, ...], den: tuple[Fraction, ...]) -> None:
        self.num, self.den = num, den

    def __add__(self, other: Number) -> Number:
        num, den = parts(other)
        return germ(poly_sum(poly_product(self.num, den), poly_product(num, self.den)), poly_product(self.den, den))

    def __mul__(self, other: Number) -> Number:
        num, den = parts(other)
        return germ(poly_product(self.num, num), poly_product(self.den, den))

    def __truediv__(self, other: Number) -> Number:
        num, den = parts(other)
        return germ(poly_product(self.num, den), poly_product(self.den, num))

    def __rtruediv__(self, other: Number) -> Number:
        return other * germ(self.den, self.num)

    def __neg__(self) -> Number:
        return Germ(tuple(-x for x in self.num), self.den)

    def __sub__(self, other: Number) -> Number:
        return self + -other

    def __rsub__(self, other: Number) -> Number:
        return -self + other

    __radd__, __rmul__ = __add__, __mul__

    def __abs__(self) -> Number:
        return -self if sign(self) < 0 else self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Germ) and self.num == other.num and self.den == other.den

    def __lt__(self, other: Number) -> bool:
        return sign(self - other) < 0

    def __hash__(self) -> int:
        return hash((self.num, self.den))


def parts(x: Number) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    return (x.num, x.den) if isinstance(x, Germ) else (stripped([Fraction(x)]), (ONE,))


def germ(num: tuple[Fraction, ...], den: tuple[Fraction, ...] = (ONE,)) -> Number:
    """num/den in lowest terms; a Fraction if it is constant."""
    if len(den) > 1:
        a, b = num, den
        while b:
            a, b = b, poly_divide(a, b)[1]
        num, den = poly_divide(num, a)[0], poly_divide(den, a)[0]
    unit = next(x for x in den if x)
    num, den = tuple(x / unit for x in num), tuple(x / unit for x in den)
    if len(num) <= 1 and len(den) == 1:
        return num[0] if num else ZERO
    return Germ(num, den)


def sign(x: Number) -> int:
    """The sign of x, of a germ for small t > 0."""
    if isinstance(x, Germ):
        x = next(c for c in x.num if c)
    return int(x > 0) - int(x < 0)


# --- 1 The file ---


def load(data: bytes) -> Json:
    """The JSON value of a plain or gzipped file, within the limits of section 4."""
    limit = 64 * 2**20
    if data[:2] == b"\x1f\x8b":
        stream = zlib.decompressobj(wbits=31)
        try:
            data = stream.decompress(data, limit + 1)
        except zlib.error as error:
            raise Stop(2, f"not gzip: {error}") from None
        if len(data) <= limit and (not stream.eof or stream.unused_data):
            raise Stop(2, "not one complete gzip member")
    if len(data) > limit:
        raise Stop(3, "more than 64 MiB")
    if sum(data.count(mark) for mark in (b",", b"[", b"{")) > 5_000_000:
        raise Stop(3, "more than 5 million commas and opening brackets")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Stop(2, "not UTF-8") from None
    marks = re.sub(r"[^][{}]+", "", re.sub(r'"(?:[^"\\]|\\.)*"', "", text, flags=re.DOTALL))
    depth = 0
    for mark in marks:
        depth += (mark in "[{") - (mark in "]}")
        if depth > 40:
            raise Stop(2, "nested deeper than 40")
    try:
        return json.loads(
            text, object_pairs_hook=unrepeated, parse_int=count, parse_float=no_number, parse_constant=no_number
        )
    except ValueError as error:
        raise Stop(2, f"not JSON: {error}") from None


def unrepeated(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    if len(dict(pairs)) < len(pairs):
        raise Stop(2, "a key is repeated")
    return dict(pairs)


def count(text: str) -> int:
    if len(text) > 20 or abs(int(text)) >= 2**63:
        raise Stop(2, "an integer is not below 2^63")
    return int(text)


def no_number(text: str) -> Json:
    raise Stop(2, f"{text} is no number of certificates")


def is_int(x: Json) -> bool:
    return type(x) is int


def fields(x: Json, names: str) -> list[Json]:
    """The values of an object with exactly these keys."""
    require(isinstance(x, dict) and x.keys() == set(names.split()), f"an object with the keys {names} is expected")
    return [x[name] for name in names.split()]


def array(x: Json, length: int | None = None) -> list[Json]:
    require(isinstance(x, list), "a list is expected")
    require(length is None or len(x) == length, f"a list of length {length} is expected")
    return list(x)


def natural(digits: str) -> int:
    """The integer, in pieces that Python converts whatever its limit."""
    if len(digits) > 20_000:
        raise Stop(3, "a number has more than 20,000 digits")
    value = 0
    for i in range(0, len(digits), 500):
        value = value * 10 ** len(digits[i : i + 500]) + int(digits[i : i + 500])
    return value


def number(x: Json) -> Fraction:
    match = re.fullmatch(r"(-?)([0-9]+)(?:/([0-9]+)|\.([0-9]+))?", x) if isinstance(x, str) else None
    require(match, "a number is expected")
    assert match
    minus, whole, below, decimals = match.groups()
    value = Fraction(natural(whole))
    if below is not None:
        require(natural(below), "a denominator is 0")
        value /= natural(below)
    if decimals is not None:
        value += Fraction(natural(decimals), 10 ** len(decimals))
    return -value if minus else value


def polynomial(x: Json) -> Number:
    """A number, or a list of coefficients, lowest first."""
    if not isinstance(x, list):
        return number(x)
    require(1 <= len(x) <= 16, "a polynomial has 1 to 16 coefficients")
    return germ(stripped(number(c) for c in x))


def vector(x: Json, length: int, read: Callable[[Json], Number] = number) -> list[Number]:
    return [read(y) for y in array(x, length)]


def indices(x: Json, length: int, bound: int) -> list[int]:
    """Distinct indices below the bound."""
    result = array(x, length)
    require(all(is_int(i) and 0 <= i < bound for i in result), f"indices below {bound} are expected")
    require(len(set(result)) == length, "indices are repeated")
    return result


# --- 1 Activations ---


@dataclass(frozen=True)
class Function:
    """A continuous piecewise-linear function; states are 2k for piece k and 2k-1 for "on breakpoint k"."""

    breaks: tuple[Fraction, ...]
    pieces: tuple[tuple[Fraction, Fraction], ...]  # slope and value at 0 of the line

    def state(self, t: Number) -> int:
        return 2 * sum(1 for b in self.breaks if b < t) + int(t in self.breaks)

    def line(self, state: int) -> tuple[Fraction, Fraction]:
        if state % 2 == 0:
            return self.pieces[state // 2]
        return ZERO, self(self.breaks[state // 2])

    def __call__(self, t: Number) -> Number:
        slope, offset = self.pieces[(self.state(t) + 1) // 2]
        return t * slope + offset

    @property
    def scalable(self) -> bool:
        return self.breaks in ((), (ZERO,)) and self(ZERO) == 0

    def inequalities(self, state: int, z: Form) -> Iterator[tuple[int, list[Number], Number]]:
        """2.2: breakpoint number, alpha and beta of the inequalities of a state."""
        k = state // 2
        if state % 2 == 0 and k >= 1:
            yield k, [-a for a in z[:-1]], z[-1] - self.breaks[k - 1]
        if state % 2 == 0 and k < len(self.breaks):
            yield k + 1, z[:-1], self.breaks[k] - z[-1]

    def text(self, state: int) -> str:
        if len(self.breaks) == 1:
            return "-0+"[state]
        return f"={(state + 1) // 2}" if state % 2 else str(state // 2)


def piecewise(breaks: Sequence[Fraction], slopes: Sequence[Fraction], t: Fraction, value: Fraction) -> Function:
    kept = [k for k in range(len(breaks)) if slopes[k] != slopes[k + 1]]
    breaks, slopes = [breaks[k] for k in kept], [slopes[0], *(slopes[k + 1] for k in kept)]
    home = sum(b < t for b in breaks)
    offsets = [ZERO] * len(slopes)
    offsets[home] = value - slopes[home] * t
    for k in range(home, len(breaks)):
        offsets[k + 1] = offsets[k] + (slopes[k] - slopes[k + 1]) * breaks[k]
    for k in reversed(range(home)):
        offsets[k] = offsets[k + 1] + (slopes[k + 1] - slopes[k]) * breaks[k]
    return Function(tuple(breaks), tuple(zip(slopes, offsets, strict=True)))


def fractions(text: str) -> list[Fraction]:
    return [Fraction(x) for x in text.split()]


NAMED = {
    "relu": piecewise(fractions("0"), fractions("0 1"), ZERO, ZERO),
    "identity": piecewise([], fractions("1"), ZERO, ZERO),
    "abs": piecewise(fractions("0"), fractions("-1 1"), ZERO, ZERO),
    "hard_tanh": piecewise(fractions("-1 1"), fractions("0 1 0"), ZERO, ZERO),
    "relu6": piecewise(fractions("0 6"), fractions("0 1 0"), ZERO, ZERO),
    "hat": piecewise(fractions("-1 0 1"), fractions("0 1 -1 0"), ZERO, ONE),
}


def function(x: Json) -> Function:
    if isinstance(x, str):
        require(x in NAMED, f"{x} is no activation")
        return NAMED[x]
    require(isinstance(x, dict), "an activation is expected")
    if x.get("name") == "leaky_relu":
        return piecewise([ZERO], [number(fields(x, "name slope")[1]), ONE], ZERO, ZERO)
    if x.get("name") == "clip":
        _, lower, upper = fields(x, "name lower upper")
        lower, upper = number(lower), number(upper)
        require(lower < upper, "lower must be below upper")
        return piecewise([lower, upper], [ZERO, ONE, ZERO], lower, lower)
    breaks, slopes, anchor = fields(x, "breakpoints slopes anchor")
    points = [number(b) for b in array(breaks)]
    require(all(a < b for a, b in pairwise(points)), "breakpoints must increase")
    return piecewise(points, vector(slopes, len(points) + 1), *vector(anchor, 2))


# --- 1 Networks ---


@dataclass
class Network:
    """A network as a graph of neurons."""

    sizes: list[int]
    edges: dict[Neuron, dict[Neuron, Number]]  # target -> source -> weight, present edges only
    biases: dict[Neuron, Number]
    functions: dict[Neuron, Function]

    @property
    def neurons(self) -> list[Neuron]:
        return list(self.edges)

    @property
    def outputs(self) -> list[Neuron]:
        return [v for v in self.edges if v[0] == len(self.sizes) - 1]

    @property
    def hidden(self) -> list[Neuron]:
        return [v for v in self.edges if v[0] < len(self.sizes) - 1]

    @property
    def inputs(self) -> list[Neuron]:
        return [(0, j) for j in range(self.sizes[0])]

    @property
    def bending(self) -> list[Neuron]:
        return [v for v in self.edges if self.functions[v].breaks]

    def scalable(self, v: Neuron) -> bool:
        return 0 < v[0] < len(self.sizes) - 1 and self.functions[v].scalable

    def outgoing(self) -> dict[Neuron, dict[Neuron, Number]]:
        result: dict[Neuron, dict[Neuron, Number]] = {u: {} for u in self.inputs + self.neurons}
        for v, sources in self.edges.items():
            for u, w in sources.items():
                result[u][v] = w
        return result

    def parameters(self) -> dict[Parameter, Number]:
        """All parameters in their order."""
        result: dict[Parameter, Number] = {}
        for layer in range(1, len(self.sizes)):
            row = [v for v in self.neurons if v[0] == layer]
            for source in range(layer):
                result |= {(v, u): w for v in row for u, w in self.edges[v].items() if u[0] == source}
            result |= {(v, None): self.biases[v] for v in row if v in self.biases}
        return result

    def architecture(self) -> object:
        return self.sizes, list(self.parameters()), self.functions

    @property
    def homogeneous(self) -> bool:
        return all(rho.scalable for rho in self.functions.values())

    @property
    def standard(self) -> bool:
        wanted = dict.fromkeys(self.hidden, NAMED["relu"]) | dict.fromkeys(self.outputs, NAMED["identity"])
        return self.functions == wanted

    @property
    def shallow(self) -> bool:
        complete = all(
            len(us) == self.sizes[v[0] - 1] and all(u[0] == v[0] - 1 for u in us) for v, us in self.edges.items()
        )
        return self.standard and len(self.sizes) == 3 and complete

    def pre_activation(self, v: Neuron, values: Mapping[Neuron, Number]) -> Number:
        return sum((w * values[u] for u, w in self.edges[v].items()), self.biases.get(v, ZERO))

    def trace(self, x: Sequence[Number]) -> tuple[dict[Neuron, Number], dict[Neuron, Number]]:
        """The values of all neurons (inputs included) and the pre-activations at a point."""
        values: dict[Neuron, Number] = dict(zip(self.inputs, x, strict=True))
        before: dict[Neuron, Number] = {}
        for v in self.neurons:
            before[v] = self.pre_activation(v, values)
            values[v] = self.functions[v](before[v])
        return values, before

    def __call__(self, x: Sequence[Number]) -> list[Number]:
        values, _ = self.trace(x)
        return [values[v] for v in self.outputs]

    def pre_form(self, v: Neuron, forms: Mapping[Neuron, Form]) -> Form:
        """2.1: the affine form of the pre-activation, from the forms of the values below."""
        total: Form = [ZERO] * self.sizes[0] + [self.biases.get(v, ZERO)]
        for u, w in self.edges[v].items():
            total = [a + w * b for a, b in zip(total, forms[u], strict=True)]
        return total

    def value_form(self, v: Neuron, z: Form, state: int) -> Form:
        slope, offset = self.functions[v].line(state)
        return [a * slope for a in z[:-1]] + [z[-1] * slope + offset]

    def input_forms(self) -> dict[Neuron, Form]:
        d = self.sizes[0]
        return {(0, j): [ONE if i == j else ZERO for i in range(d + 1)] for j in range(d)}


def read_network(x: Json) -> Network:
    form, version, d, layers = fields(x, "format version input_dim layers")
    require(form == "exactrelu/network" and is_int(version) and version == 1, "not a network of version 1")
    require(is_int(d) and d >= 1, "input_dim must be positive")
    require(array(layers), "a network has a layer")
    net = Network([d], {}, {}, {})
    for number_of_layer, layer in enumerate(layers, 1):
        read_layer(net, number_of_layer, layer)
    return net


def read_layer(net: Network, layer: int, x: Json) -> None:
    activation, weights, bias = fields(x, "activation weights bias")
    if not isinstance(weights, dict):
        weights = {str(layer - 1): weights}
    matrices = {}
    for key, matrix in weights.items():
        require(key in map(str, range(layer)), f"layer {layer} cannot read layer {key}")
        matrices[int(key)] = array(matrix)
    sizes = {len(matrix) for matrix in matrices.values()} | ({len(array(bias))} if bias is not None else set())
    require(len(sizes) == 1 and sizes != {0}, "the numbers of neurons differ, or are 0")
    (size,) = sizes
    if isinstance(activation, list):
        functions = [function(f) for f in array(activation, size)]
    else:
        functions = [function(activation)] * size
    edges: dict[Neuron, dict[Neuron, Number]] = {(layer, i): {} for i in range(size)}
    for source in sorted(matrices):
        for i, row in enumerate(matrices[source]):
            for j, w in enumerate(array(row, net.sizes[source])):
                if w is not None:
                    edges[layer, i][source, j] = number(w)
    require(bias is not None or any(edges.values()), "a layer has an edge or biases")
    net.sizes.append(size)
    net.edges |= edges
    net.functions |= dict(zip(edges, functions, strict=True))
    if bias is not None:
        net.biases |= dict(zip(edges, vector(bias, size), strict=True))


def read_neuron(x: Json, net: Network) -> Neuron:
    pair = array(x, 2)
    require(all(map(is_int, pair)) and tuple(pair) in net.edges, "a neuron is expected")
    return pair[0], pair[1]


# --- 1 Domains and patterns ---


@dataclass
class Domain:
    """A polyhedron: its half-spaces by number, those with normal 0 left out."""

    inequalities: Inequalities

    def has_inside(self, x: Sequence[Number]) -> bool:
        return all(dot(a, x) < b for a, b in self.inequalities.values())

    def has(self, x: Sequence[Number]) -> bool:
        return all(dot(a, x) <= b for a, b in self.inequalities.values())


def dot(a: Sequence[Number], x: Sequence[Number]) -> Number:
    return sum(map(mul, a, x), ZERO)


def at(form: Form, x: Sequence[Number]) -> Number:
    return dot(form[:-1], x) + form[-1]


def read_domain(x: Json, d: int) -> Domain:
    halfspaces: list[tuple[list[Number], Number]] = []
    if isinstance(x, str):
        axes: list[tuple[Fraction, Fraction] | None] = []
        for factor in x.split("x"):
            match = re.fullmatch(r"(?:R|\[([^],]+),([^],]+)\])(?:\^([1-9][0-9]{0,6}))?", factor)
            require(match, "a domain is expected")
            assert match
            low, high, power = match.groups()
            bounds = None if low is None else (number(low), number(high))
            require(bounds is None or bounds[0] < bounds[1], "an interval is empty")
            times = 1 if power is None else int(power)
            require(times <= d, "the dimension of the domain differs")
            axes += [bounds] * times
        require(len(axes) == d, "the dimension of the domain differs")
        for i, bounds in enumerate(axes):
            if bounds is not None:
                unit = [ONE if i == j else ZERO for j in range(d)]
                halfspaces += [([-e for e in unit], -bounds[0]), (unit, bounds[1])]
    else:
        form, version, listed = fields(x, "format version halfspaces")
        require(form == "exactrelu/domain" and is_int(version) and version == 1, "not a domain of version 1")
        for halfspace in array(listed):
            normal, bound = fields(halfspace, "normal bound")
            halfspaces.append((vector(normal, d), number(bound)))
    require(all(any(a) or b >= 0 for a, b in halfspaces), "0 <= bound is false")
    return Domain({j: (a, b) for j, (a, b) in enumerate(halfspaces) if any(a)})


def read_pattern(x: Json, net: Network) -> dict[Neuron, int]:
    """The states of the bending neurons."""
    require(isinstance(x, str), "a pattern is expected")
    layers = [[v for v in net.bending if v[0] == layer] for layer in range(1, len(net.sizes))]
    layers = [layer for layer in layers if layer]
    groups = x.split("|") if layers else [x] if x else []
    require(len(groups) == len(layers), "the pattern has another number of groups")
    states: dict[Neuron, int] = {}
    for layer, group in zip(layers, groups, strict=True):
        signs = all(len(net.functions[v].breaks) == 1 for v in layer)
        texts = list(group) if signs else group.split(",")
        require(len(texts) == len(layer), "a group of the pattern has another length")
        for v, text in zip(layer, texts, strict=True):
            possible = {net.functions[v].text(s): s for s in range(2 * len(net.functions[v].breaks) + 1)}
            require(text in possible, f"{text} is no state")
            states[v] = possible[text]
    return states


# --- 2.1, 2.2 Cells and combinations ---


def cell(net: Network, domain: Domain, states: Mapping[Neuron, int]) -> tuple[dict[Neuron, Form], Inequalities]:
    """The forms of the pre-activations, and all inequalities of a pattern and the domain."""
    forms, before, inequalities = net.input_forms(), {}, dict(domain.inequalities)
    for v in net.neurons:
        z = before[v] = net.pre_form(v, forms)
        forms[v] = net.value_form(v, z, states.get(v, 0))
        for w, alpha, beta in net.functions[v].inequalities(states.get(v, 0), z):
            inequalities[0, *v, w] = (alpha, beta)
    return before, inequalities


def constantly_on(net: Network, v: Neuron, state: int, z: Form) -> bool:
    """Whether a neuron that is on a breakpoint has a form identically equal to it (true for all others)."""
    return state % 2 == 0 or (not any(z[:-1]) and z[-1] == net.functions[v].breaks[state // 2])


def read_combination(x: Json, read: Callable[[Json], Number] = number) -> dict[Name, Number]:
    result: dict[Name, Number] = {}
    for pair in array(x):
        name, y = array(pair, 2)
        if not is_int(name):
            require(all(map(is_int, array(name, 4))), "a name of an inequality is expected")
            name = tuple(name)
        require(name not in result, f"{name} occurs twice")
        result[name] = read(y)
    return result


def combine(combination: Mapping[Name, Number], inequalities: Inequalities, d: int, free: Iterable[Name] = ()) -> Form:
    """The sums of y alpha and y beta; y >= 0 except on the free names."""
    total: Form = [ZERO] * (d + 1)
    free = set(free)
    for name, y in combination.items():
        require(name in inequalities, f"there is no inequality {name}")
        require(name in free or y >= 0, "a multiplier is negative")
        alpha, beta = inequalities[name]
        total = [s + y * a for s, a in zip(total, [*alpha, beta], strict=True)]
    return total


def refute(combination: Mapping[Name, Number], inequalities: Inequalities, d: int) -> None:
    total = combine(combination, inequalities, d)
    require(any(combination.values()), "no multiplier is positive")
    require(not any(total[:-1]) and total[-1] <= 0, "the combination does not refute the cell")


# --- 2.3 Split trees ---


@dataclass
class Branch:
    """A node of a split tree: the states so far, per network, and the inequalities."""

    states: list[dict[Neuron, int]]
    inequalities: Inequalities

    def forms(self, net: Network, n: int, below: int) -> dict[Neuron, Form]:
        """The forms of the values of all neurons below a layer."""
        forms = net.input_forms()
        for v in net.neurons:
            if v[0] < below:
                forms[v] = net.value_form(v, net.pre_form(v, forms), self.states[n].get(v, 0))
        return forms

    def complete(self, nets: Sequence[Network]) -> bool:
        return all(len(states) == len(net.bending) for states, net in zip(self.states, nets, strict=True))


def split(nets: Sequence[Network], branch: Branch, node: list[Json]) -> list[Branch]:
    n, *rest = array(node, 3)
    require(is_int(n) and 0 <= n < len(nets), "there is no such network")
    net, states = nets[n], branch.states[n]
    v = read_neuron(rest, net)
    rho = net.functions[v]
    require(rho.breaks and v not in states, "the neuron is affine or has been split above")
    require(all(u in states for u in net.bending if u[0] < v[0]), "a layer below has not been split")
    z = net.pre_form(v, branch.forms(net, n, v[0]))
    varies = any(z[:-1])
    children = []
    for state in range(0, 2 * len(rho.breaks) + 1, 2) if varies else [rho.state(z[-1])]:
        added: Inequalities = {(n, *v, w): (a, b) for w, a, b in rho.inequalities(state, z)} if varies else {}
        states_of_child = [s | {v: state} if m == n else s for m, s in enumerate(branch.states)]
        children.append(Branch(states_of_child, branch.inequalities | added))
    return children


def walk(
    nets: Sequence[Network],
    domain: Domain,
    evidence: tuple[Json, Json],
    leaf: Callable[[Json, Branch], None],
    read: Callable[[Json], Number] = number,
) -> None:
    """Follow a split tree; ``leaf`` checks the leaves that are not empty."""
    combinations = array(evidence[0])
    waiting = [Branch([{} for _ in nets], dict(domain.inequalities))]
    for node in array(evidence[1]):
        require(waiting, "nodes are left over")
        branch = waiting.pop()
        if isinstance(node, list):
            waiting += reversed(split(nets, branch, node))
        elif isinstance(node, dict) and node.keys() == {"empty"}:
            k = node["empty"]
            require(is_int(k) and 0 <= k < len(combinations), "there is no such combination")
            refute(read_combination(combinations[k], read), branch.inequalities, nets[0].sizes[0])
        else:
            require(branch.complete(nets), "a bending neuron has not been split")
            leaf(node, branch)
    require(not waiting, "the tree is not complete")


# --- 2.4, 2.5, 2.6 Minors, kernels, matrices ---


def check_minor(x: Json, rank: int, matrix: list[list[Fraction]], width: int, used: Iterable[Number]) -> None:
    """A proof that the matrix has at least this rank; ``used`` are the numbers that it is built from."""
    rows, columns, modulus, inverse = fields(x, "rows columns modulus inverse")
    chosen, below = indices(rows, rank, len(matrix)), indices(columns, rank, width)
    if rank > 1200:
        raise Stop(3, "a minor has more than 1,200 rows")
    require(is_int(modulus) and 2 <= modulus < 2**31, "the modulus must be at least 2 and below 2^31")
    require(all(gcd(y.denominator, modulus) == 1 for y in used), "a denominator is not coprime to the modulus")
    transposed = list(zip(*(indices_mod(row, rank, modulus) for row in array(inverse, rank)), strict=True))
    for i, row in enumerate(matrix[k] for k in chosen):
        reduced = [row[j].numerator * pow(row[j].denominator, -1, modulus) % modulus for j in below]
        for j, column in enumerate(transposed):
            require(sum(map(mul, reduced, column)) % modulus == (i == j), "minor times inverse is not the identity")


def indices_mod(x: Json, length: int, modulus: int) -> list[int]:
    row = array(x, length)
    require(all(is_int(y) and 0 <= y < modulus for y in row), "residues are expected")
    return row


def read_kernel(x: Json, size: int, width: int) -> list[list[Fraction]]:
    columns, vectors = fields(x, "columns vectors")
    chosen = indices(columns, size, width)
    result = [vector(v, width) for v in array(vectors, size)]
    for i, v in enumerate(result):
        require(all(v[j] == (i == k) for k, j in enumerate(chosen)), "the kernel vectors are not independent")
    return result


def numbers_of(net: Network) -> list[Fraction]:
    """All numbers that derivatives are built from: parameters, and the lines of the activations."""
    lines = [y for rho in net.functions.values() for line in rho.pieces for y in line]
    return [*net.parameters().values(), *lines]


def gamma(net: Network, samples: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    """2.6: the derivatives of every output at every sample by all parameters."""
    rows, outgoing = [], net.outgoing()
    for x in samples:
        values, before = net.trace(x)
        states = {v: net.functions[v].state(z) for v, z in before.items()}
        require(all(s % 2 == 0 for s in states.values()), "a sample is on a kink")
        slopes = {v: net.functions[v].pieces[s // 2][0] for v, s in states.items()}
        for output in net.outputs:
            adjoint = {v: slopes[v] if v == output else ZERO for v in net.outputs}
            for u in reversed(net.hidden):
                adjoint[u] = slopes[u] * sum((w * adjoint[v] for v, w in outgoing[u].items()), ZERO)
            rows.append([adjoint[v] * (ONE if u is None else values[u]) for v, u in net.parameters()])
    return rows


def check_gamma_minor(x: Json, rank: int, net: Network, samples: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    matrix = gamma(net, samples)
    used = numbers_of(net) + [y for s in samples for y in s]
    check_minor(x, rank, matrix, len(net.parameters()), used)
    return matrix


def rank_of_paths(net: Network) -> int:
    """The rank of the Jacobian of Phi, by counting visible parameters."""
    fed, outgoing = set(net.inputs), net.outgoing()
    for v in net.neurons:
        if net.biases.get(v, ZERO) or any(w and u in fed for u, w in net.edges[v].items()):
            fed.add(v)
    heard = set(net.outputs)
    for u in reversed(net.hidden):
        if any(w and v in heard for v, w in outgoing[u].items()):
            heard.add(u)
    visible = sum(v in heard and (u is None or u in fed) for v, u in net.parameters())
    return visible - sum(v in fed and v in heard for v in net.hidden)


# --- 2.7 Equality ---


@dataclass
class NormalForm:
    """Jumps by hyperplane (its form with first nonzero weight 1), and the rest L, one form per output."""

    jumps: dict[tuple[Number, ...], list[Number]]
    rest: list[Form]


def hidden_forms(net: Network) -> list[Form]:
    """The forms of the hidden neurons of a shallow network."""
    return [net.pre_form(v, net.input_forms()) for v in net.hidden]


def outgoing_vectors(net: Network) -> list[list[Number]]:
    return [[net.edges[o][v] for o in net.outputs] for v in net.hidden]


def check_type(x: Json, form: Form, domain: Domain, read: Callable[[Json], Number]) -> str:
    d = len(form) - 1
    if x == "zero":
        require(not any(form), "the form is not 0")
        return "zero"
    require(isinstance(x, dict) and len(x) == 1, "a type is expected")
    kind, evidence = str(*x), next(iter(x.values()))
    if kind == "kinked":
        p, q = (vector(point, d, read) for point in array(evidence, 2))
        require(domain.has(p) and domain.has(q), "a point is not in the domain")
        require(at(form, p) < 0 < at(form, q), "the form does not change its sign")
    else:
        require(kind in ("on", "off") and any(form), "a type is expected")
        total = combine(read_combination(evidence, read), domain.inequalities, d)
        target = [-a for a in form[:-1]] if kind == "on" else form[:-1]
        limit = form[-1] if kind == "on" else -form[-1]
        require(total[:-1] == target and total[-1] <= limit, "the combination does not prove the sign")
    return kind


def check_types(x: Json, net: Network, domain: Domain, read: Callable[[Json], Number]) -> list[str]:
    require(net.shallow, "the network is not shallow")
    forms = hidden_forms(net)
    return [check_type(t, form, domain, read) for t, form in zip(array(x, len(forms)), forms, strict=True)]


def scaled(form: Form) -> tuple[Number, tuple[Number, ...]]:
    """s and g with form = s g, the first nonzero weight of g being 1."""
    s = next(a for a in form[:-1] if a)
    return s, tuple(a / s for a in form)


def normal_form(net: Network, types: Sequence[str]) -> NormalForm:
    d = net.sizes[0]
    jumps: dict[tuple[Number, ...], list[Number]] = {}
    rest: list[Form] = [[ZERO] * d + [net.biases.get(o, ZERO)] for o in net.outputs]
    for kind, form, v in zip(types, hidden_forms(net), outgoing_vectors(net), strict=True):
        share = {"kinked": Fraction(1, 2), "on": ONE}.get(kind, ZERO)
        rest = [[a + share * y * b for a, b in zip(row, form, strict=True)] for row, y in zip(rest, v, strict=True)]
        if kind == "kinked":
            s, g = scaled(form)
            jumps[g] = [a + abs(s) * y for a, y in zip(jumps.get(g, [ZERO] * len(v)), v, strict=True)]
    return NormalForm({g: a for g, a in jumps.items() if any(a)}, rest)


def check_equality(x: Json, nets: Sequence[Network], domain: Domain, read: Callable[[Json], Number] = number) -> None:
    if isinstance(x, dict) and "flat" in x:
        nets, domain = on_the_hull(x["flat"], nets, domain, read)
        x = {key: value for key, value in x.items() if key != "flat"}
    if isinstance(x, dict) and "types" in x:
        interior, types = fields(x, "interior types")
        forms = [
            normal_form(net, check_types(t, net, domain, read)) for t, net in zip(array(types, 2), nets, strict=True)
        ]
        require(forms[0] == forms[1], "the normal forms differ")
    else:
        interior, combinations, tree = fields(x, "interior combinations tree")

        def leaf(node: Json, branch: Branch) -> None:
            require(node == "cell", "a cell is expected")
            forms = [branch.forms(net, n, len(net.sizes)) for n, net in enumerate(nets)]
            maps = [[f[o] for o in net.outputs] for f, net in zip(forms, nets, strict=True)]
            require(maps[0] == maps[1], "the functions differ on a cell")

        walk(nets, domain, (combinations, tree), leaf, read)
    require(domain.has_inside(vector(interior, nets[0].sizes[0], read)), "the interior point is not inside the domain")


def on_the_hull(
    x: Json, nets: Sequence[Network], domain: Domain, read: Callable[[Json], Number]
) -> tuple[list[Network], Domain]:
    """The networks and the domain with remainders in place of the forms that are read from the input."""
    d = nets[0].sizes[0]
    combination = read_combination(x, read)
    refute(combination, domain.inequalities, d)
    tight = [domain.inequalities[name] for name, y in combination.items() if y]
    equations = reduced_rows([*alpha, -beta] for alpha, beta in tight)
    changed = []
    for net in nets:
        edges, biases = {}, {}
        for v, sources in net.edges.items():
            form = [sources.get(u, ZERO) for u in net.inputs] + [net.biases.get(v, ZERO)]
            *weights, biases[v] = residue(form, equations)
            new = {u: w for u, w in zip(net.inputs, weights, strict=True) if w or u in sources}
            edges[v] = new | {u: w for u, w in sources.items() if u[0] > 0}
        changed.append(Network(net.sizes, edges, biases, net.functions))
    walls: Inequalities = {}
    for name, (alpha, beta) in domain.inequalities.items():
        *rest, constant = residue([*alpha, -beta], equations)
        if any(rest):
            walls[name] = (rest, -constant)
    return changed, Domain(walls)


# --- 2.8 Inequivalence ---


def is_rescaling(net: Network, other: Network, place: Mapping[Neuron | None, Neuron | None]) -> bool:
    """Whether a rescaling leads from a network, its neurons moved, to the other; None is the source of biases."""
    there: dict[Any, Number] = {(place[v], place[u]): w for (v, u), w in net.parameters().items()}
    goal: dict[Any, Number] = dict(other.parameters())
    if there.keys() != goal.keys() or any(sign(w) != sign(goal[name]) for name, w in there.items()):
        return False
    equations = [(v, u, goal[v, u] / w) for (v, u), w in there.items() if w]  # factor of v = quotient * factor of u
    factor: dict[Neuron | None, Number] = {None: ONE} | dict.fromkeys(other.inputs, ONE)
    factor |= {v: ONE for v in other.neurons if not other.scalable(v)}
    free = [v for v in other.neurons if other.scalable(v)]
    while True:
        known = len(factor)
        for v, u, quotient in equations:
            if u in factor and v not in factor:
                factor[v] = factor[u] * quotient
            elif v in factor and u not in factor:
                factor[u] = factor[v] / quotient
        if len(factor) == known:
            start = next((v for v in free if v not in factor), None)
            if start is None:
                return all(factor[v] == factor[u] * quotient for v, u, quotient in equations)
            factor[start] = ONE


def bijections(groups: Sequence[tuple[list[Neuron], list[Neuron]]]) -> Iterator[dict[Neuron | None, Neuron | None]]:
    """All ways to send the first vertices of every group to the second ones."""
    for orders in product(*(permutations(there) for _, there in groups)):
        found: dict[Neuron | None, Neuron | None] = {None: None}
        for (here, _), order in zip(groups, orders, strict=True):
            found |= dict(zip(here, order, strict=True))
        yield found


def check_moves(nets: Sequence[Network], colours: Sequence[Mapping[Neuron, int]]) -> None:
    classes = sorted(set(colours[0].values()))
    groups = [([v for v in c if c[v] == k], [v for v in e if e[v] == k]) for k in classes for c, e in [colours]]
    if prod(factorial(len(here)) for here, _ in groups) > 65_536:
        raise Stop(3, "more than 65,536 bijections")
    equivalent = any(is_rescaling(nets[0], nets[1], place) for place in bijections(groups))
    require(not equivalent, "the networks are PS-equivalent")


def gauges(net: Network) -> dict[Neuron, Number]:
    """The gauge of every neuron; 0 where it is missing."""
    s: dict[Neuron, Number] = dict.fromkeys(net.inputs, ONE)
    for v in net.neurons:
        weights = (abs(w) * s[u] for u, w in net.edges[v].items())
        s[v] = sum(weights, abs(net.biases.get(v, ZERO))) if net.scalable(v) else ONE
    t, outgoing = dict[Neuron, Number](), net.outgoing()
    for u in reversed(net.inputs + net.neurons):
        t[u] = sum((abs(w) * t[v] for v, w in outgoing[u].items()), ZERO) if net.scalable(u) else ONE
    return {v: s[v] or (1 / t[v] if t[v] else ZERO) for v in s}


def colourings(nets: Sequence[Network]) -> Iterator[list[dict[Neuron, int]]]:
    """Round by round, the colours of both networks, named by integers that both share."""
    outgoing, gauge = [net.outgoing() for net in nets], [gauges(net) for net in nets]

    def invariant(n: int, w: Number, u: Neuron | None, v: Neuron) -> object:
        g = gauge[n][v], ONE if u is None else gauge[n][u]
        return ("value", w * g[1] / g[0]) if all(g) else ("sign", sign(w))

    def first(n: int, v: Neuron) -> object:
        net = nets[n]
        place = v[:1] if v in net.edges and v[0] < len(net.sizes) - 1 else v
        return place, net.functions.get(v), invariant(n, net.biases[v], None, v) if v in net.biases else "none"

    def bag(items: Iterable[object]) -> object:
        return frozenset(Counter(items).items())

    def refined(n: int, v: Neuron, colours: dict[Neuron, int]) -> object:
        above = bag((invariant(n, w, u, v), colours[u]) for u, w in nets[n].edges.get(v, {}).items())
        below = bag((invariant(n, w, v, t), colours[t]) for t, w in outgoing[n][v].items())
        return colours[v], above, below

    def named(signatures: list[dict[Neuron, object]]) -> list[dict[Neuron, int]]:
        names: dict[object, int] = {}
        return [{v: names.setdefault(c, len(names)) for v, c in each.items()} for each in signatures]

    colours = named([{v: first(n, v) for v in net.inputs + net.neurons} for n, net in enumerate(nets)])
    yield colours
    for _ in range(1 + max(len(net.inputs + net.neurons) for net in nets)):
        colours = named([{v: refined(n, v, colours[n]) for v in colours[n]} for n in range(2)])
        yield colours


def check_inequivalence(x: Json, nets: Sequence[Network], read: Callable[[Json], Number] = number) -> None:
    if isinstance(x, dict) and "point" in x:
        point = vector(fields(x, "point")[0], nets[0].sizes[0], read)
        require(nets[0](point) != nets[1](point), "the networks agree at the point")
    else:
        require(fields(x, "invariant") == ["colours"], "an inequivalence is expected")
        classes = 0
        for round_number, (a, b) in enumerate(colourings(nets)):
            if Counter(a.values()) != Counter(b.values()):
                return
            if round_number and len(set(a.values())) == classes:
                check_moves(nets, (a, b))
                return
            classes = len(set(a.values()))
        raise AssertionError("the colours never settle")


# --- 2.10 Exhaustive searches ---

Matrix = list[list[Number]]


def outer(v: Sequence[Number], w: Sequence[Number], factor: Number = ONE) -> Matrix:
    return [[factor * a * b for b in w] for a in v]


def matrix_sum(matrices: Iterable[Matrix]) -> Matrix:
    return [[sum(entries, ZERO) for entries in zip(*rows, strict=True)] for rows in zip(*matrices, strict=True)]


def reduced_rows(rows: Iterable[Sequence[Number]]) -> dict[int, list[Number]]:
    """A basis of the span in reduced echelon form, by pivot column."""
    basis: dict[int, list[Number]] = {}
    for row in rows:
        row = residue(row, basis)
        pivot = next((j for j, x in enumerate(row) if x), None)
        if pivot is not None:
            row = [x / row[pivot] for x in row]
            basis = {j: [x - other[pivot] * y for x, y in zip(other, row, strict=True)] for j, other in basis.items()}
            basis[pivot] = row
    return basis


def residue(row: Sequence[Number], basis: Mapping[int, Sequence[Number]]) -> list[Number]:
    result = list(row)
    for j, other in basis.items():
        factor = result[j]
        result = [x - factor * y for x, y in zip(result, other, strict=True)]
    return result


class Searches:
    """The searches of one certificate, which share one allowance of subsets."""

    def __init__(self) -> None:
        self.subsets = 0

    def __call__(
        self, base: Matrix, terms: list[Matrix], modulo: Matrix, need: int, excepted: Sequence[bool] | None = None
    ) -> None:
        if need <= 0:
            return
        span = reduced_rows(modulo)
        base, *terms = ([residue(row, span) for row in matrix] for matrix in [base, *terms])
        if need == 1:
            known = [term for term, taken in zip(terms, excepted or [], strict=False) if taken]
            allowed = excepted is not None and not any(flat(matrix_sum([base, *known])))
            require(zero_sums(flat(base), list(map(flat, terms))) == allowed, "a sum of the search is 0")
            return
        self.subsets += 2 ** len(terms)
        if self.subsets > 65_536:
            raise Stop(3, "the searches have more than 65,536 subsets")
        for choice in product([False, True], repeat=len(terms)):
            total = matrix_sum([base, *(term for term, taken in zip(terms, choice, strict=True) if taken)])
            good = list(choice) == excepted or len(reduced_rows(total)) >= need
            require(good, "a sum of the search has a smaller rank")


def competitors(
    net: Network, form: NormalForm, domain: Domain, r: int, own: Mapping[tuple[Number, ...], set[bool]] | None = None
) -> None:
    """2.10; ``own`` has the sides (True for s > 0) of the neurons on every hyperplane, if a choice is excepted."""
    search, d = Searches(), net.sizes[0]
    hidden, output = (all(v in net.biases for v in layer) for layer in (net.hidden, net.outputs))
    cut = d + 1 if hidden and not output else d
    everywhere = not domain.inequalities or not hidden
    constant = (ZERO,) * d + (ONE,)
    planes = [*form.jumps, *([constant] if cut > d else [])]
    base = matrix_sum(
        [[row[:cut] for row in form.rest], *(outer(a, g[:cut], Fraction(-1, 2)) for g, a in form.jumps.items())]
    )
    for size in range(len(planes) + 1):
        for chosen in subsets_of_size(planes, size):
            if size > r or (size and not everywhere):
                return
            left = [g for g in form.jumps if g not in chosen]
            doubled = own is not None and set(chosen) == {g for g, sides in own.items() if len(sides) == 2}
            excepted = [own[g] == {False} for g in left] if own is not None and doubled else None
            need = (r - size) // 2 + 1 if everywhere else r + 1
            terms = [outer(form.jumps[g], g[:cut]) for g in left]
            search(base, terms, [list(g[:cut]) for g in chosen], need, excepted)


def flat(matrix: Matrix) -> list[Number]:
    return [x for row in matrix for x in row]


def zero_sums(base: Sequence[Fraction], terms: Sequence[Sequence[Fraction]]) -> int:
    """The number of subsets of the terms whose sum with the base is 0, by meeting in the middle."""
    if len(terms) > 40:
        raise Stop(3, "a search has more than 40 terms")
    common = lcm(*(x.denominator for row in [base, *terms] for x in row))
    whole = [tuple(int(x * common) for x in row) for row in [base, *terms]]

    def sums(start: tuple[int, ...], rows: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        result = [start]
        for row in rows:
            result += [tuple(a + b for a, b in zip(s, row, strict=True)) for s in result]
        return result

    half = len(terms) // 2
    left = Counter(sums(whole[0], whole[1 : half + 1]))
    right = sums(tuple(0 for _ in base), whole[half + 1 :])
    return sum(left[tuple(-x for x in s)] for s in right)


# --- 3 Claims about functions and equivalence ---


def pair(claim: Json, rest: str = "") -> tuple[list[Network], list[Json]]:
    """The networks of a claim about two, with equally many inputs and outputs, and its other fields."""
    _, network, other, *values = fields(claim, f"id network other {rest}")
    nets = [read_network(network), read_network(other)]
    check_pair(nets)
    return nets, values


def check_pair(nets: Sequence[Network]) -> None:
    require(nets[0].sizes[0] == nets[1].sizes[0], "the networks have different inputs")
    require(nets[0].sizes[-1] == nets[1].sizes[-1], "the networks have different outputs")


def single(claim: Json, rest: str = "") -> tuple[Network, list[Json]]:
    _, network, *values = fields(claim, f"id network {rest}")
    return read_network(network), values


def value(claim: Json, evidence: Json) -> None:
    net, (point, expected) = single(claim, "point value")
    fields(evidence, "")
    require(net(vector(point, net.sizes[0])) == vector(expected, net.sizes[-1]), "the value is another one")


def different_function(claim: Json, evidence: Json) -> None:
    nets, (domain,) = pair(claim, "domain")
    point = vector(fields(evidence, "point")[0], nets[0].sizes[0])
    require(read_domain(domain, nets[0].sizes[0]).has(point), "the point is not in the domain")
    require(nets[0](point) != nets[1](point), "the networks agree at the point")


def same_function(claim: Json, evidence: Json) -> None:
    nets, (domain,) = pair(claim, "domain")
    check_equality(evidence, nets, read_domain(domain, nets[0].sizes[0]))


def scaling_equivalent(claim: Json, evidence: Json) -> None:
    nets, _ = pair(claim)
    (scalings,) = fields(evidence, "scalings")
    check_rescaling(nets, [list(range(n)) for n in nets[0].sizes[1:-1]], scalings)


def ps_equivalent(claim: Json, evidence: Json) -> None:
    nets, _ = pair(claim)
    permutation, scalings = fields(evidence, "permutation scalings")
    sizes = nets[0].sizes[1:-1]
    check_rescaling(
        nets, [indices(p, n, n) for p, n in zip(array(permutation, len(sizes)), sizes, strict=True)], scalings
    )


def check_rescaling(nets: Sequence[Network], permutation: list[list[int]], scalings: Json) -> None:
    net, other = nets
    sizes = net.sizes[1:-1]
    factors = [vector(row, n) for row, n in zip(array(scalings, len(sizes)), sizes, strict=True)]
    moved = {v: (v[0], permutation[v[0] - 1][v[1]]) for v in net.hidden} | {v: v for v in net.inputs + net.outputs}
    factor = dict.fromkeys(net.inputs + net.outputs, ONE)
    for v in net.hidden:
        layer, i = moved[v]
        factor[v] = factors[layer - 1][i]
        require(factor[v] > 0, "a factor is not positive")
        require(factor[v] == 1 or net.scalable(v), "a neuron that is not scalable has a factor")
    result = Network(
        net.sizes,
        {moved[v]: {moved[u]: w * factor[v] / factor[u] for u, w in us.items()} for v, us in net.edges.items()},
        {moved[v]: b * factor[v] for v, b in net.biases.items()},
        {moved[v]: rho for v, rho in net.functions.items()},
    )
    require(result == other, "the result is another network")


def not_ps_equivalent(claim: Json, evidence: Json) -> None:
    nets, _ = pair(claim)
    check_inequivalence(evidence, nets)


def not_scaling_equivalent(claim: Json, evidence: Json) -> None:
    nets, _ = pair(claim)
    fields(evidence, "")
    if nets[0].functions == nets[1].functions:
        stay: dict[Neuron | None, Neuron | None] = {None: None} | {v: v for v in nets[0].inputs + nets[0].neurons}
        require(not is_rescaling(nets[0], nets[1], stay), "a rescaling leads from one network to the other")


# --- 3 Claims about regions ---


def region(claim: Json) -> tuple[Network, Domain, dict[Neuron, int], bool]:
    net, (domain, pattern, kind) = single(claim, "domain pattern cell")
    require(kind in ("open", "closed"), "a cell is open or closed")
    return net, read_domain(domain, net.sizes[0]), read_pattern(pattern, net), kind == "open"


def region_nonempty(claim: Json, evidence: Json) -> None:
    net, domain, states, is_open = region(claim)
    x = vector(fields(evidence, "point")[0], net.sizes[0])
    before, inequalities = cell(net, domain, states)
    for v, state in states.items():
        if is_open:
            require(constantly_on(net, v, state, before[v]), "a form is not constant on its breakpoint")
        elif state % 2:
            require(at(before[v], x) == net.functions[v].breaks[state // 2], "the point is not on a breakpoint")
    for alpha, beta in inequalities.values():
        require(dot(alpha, x) < beta or (not is_open and dot(alpha, x) == beta), "the point violates an inequality")


def region_empty(claim: Json, evidence: Json) -> None:
    net, domain, states, is_open = region(claim)
    before, inequalities = cell(net, domain, states)
    if is_open and isinstance(evidence, dict) and "neuron" in evidence:
        v = read_neuron(fields(evidence, "neuron")[0], net)
        require(not constantly_on(net, v, states.get(v, 0), before[v]), "the neuron does not exclude the pattern")
        return
    combination = read_combination(fields(evidence, "combination")[0])
    if is_open:
        refute(combination, inequalities, net.sizes[0])
        return
    equations: Inequalities = {}
    for v, state in states.items():
        if state % 2:
            a, c = before[v][:-1], before[v][-1]
            equations[0, *v, (state + 1) // 2] = (a, net.functions[v].breaks[state // 2] - c)
    total = combine(combination, inequalities | equations, net.sizes[0], equations)
    require(not any(total[:-1]) and total[-1] < 0, "the combination does not refute the closed cell")


def regions_complete(claim: Json, evidence: Json) -> None:
    net, (domain, expected) = single(claim, "domain count")
    require(is_int(expected), "a count is expected")
    combinations, tree = fields(evidence, "combinations tree")
    found = []

    def leaf(node: Json, branch: Branch) -> None:
        x = vector(fields(node, "point")[0], net.sizes[0])
        require(all(dot(a, x) < b for a, b in branch.inequalities.values()), "a point is not in its cell")
        found.append(x)

    walk([net], read_domain(domain, net.sizes[0]), (combinations, tree), leaf)
    require(len(found) == expected, "there is another number of regions")


def adjacent(claim: Json, evidence: Json) -> None:
    net, (domain_text, patterns, neurons) = single(claim, "domain patterns neurons")
    domain = read_domain(domain_text, net.sizes[0])
    p = vector(fields(evidence, "point")[0], net.sizes[0])
    require(domain.has_inside(p), "the point is not inside the domain")
    both = [read_pattern(text, net) for text in array(patterns, 2)]
    listed = [read_neuron(v, net) for v in array(neurons)]
    require(listed and listed == [v for v in net.bending if both[0][v] != both[1][v]], "other neurons change")
    walls = [wall(net, domain, states, p) for states in both]
    require(multiple(walls[0], walls[1]) < 0, "the patterns are not on opposite sides of one wall")


def wall(net: Network, domain: Domain, states: Mapping[Neuron, int], p: Sequence[Number]) -> Form:
    """The one inequality of a cell, up to positive multiples, that is tight at p."""
    before, inequalities = cell(net, domain, states)
    for v, state in states.items():
        require(constantly_on(net, v, state, before[v]), "a form is not constant on its breakpoint")
    require(all(dot(a, p) <= b for a, b in inequalities.values()), "the point is not in the closed cell")
    tight = [[*a, b] for a, b in inequalities.values() if dot(a, p) == b]
    require(tight and all(any(form[:-1]) for form in tight), "no wall passes through the point, or one is constant")
    require(all(multiple(form, tight[0]) > 0 for form in tight), "two walls pass through the point")
    return tight[0]


def multiple(form: Form, of: Form) -> Number:
    """r with form = r * of; 0 if there is none."""
    r = next(a / b for a, b in zip(form, of, strict=True) if b)
    return r if form == [r * b for b in of] else ZERO


# --- 3 Claims about ranks ---


def is_admissible_neuron(net: Network, v: Neuron) -> bool:
    incoming = any(net.edges[v].values()) or net.biases.get(v, ZERO) != 0
    return incoming and any(net.outgoing()[v].values())


def is_admissible(net: Network) -> bool:
    return all(is_admissible_neuron(net, v) for v in net.hidden)


def admissible(claim: Json, evidence: Json) -> None:
    net, _ = single(claim)
    fields(evidence, "")
    require(is_admissible(net), "a hidden neuron is not admissible")


def not_admissible(claim: Json, evidence: Json) -> None:
    net, _ = single(claim)
    v = read_neuron(fields(evidence, "neuron")[0], net)
    require(v in net.hidden and not is_admissible_neuron(net, v), "the neuron is admissible")


def embedding_rank(claim: Json, evidence: Json) -> None:
    net, (rank,) = single(claim, "rank")
    fields(evidence, "")
    require(is_int(rank) and rank == rank_of_paths(net), "the rank is another one")


def read_samples(x: Json, d: int) -> list[list[Fraction]]:
    return [vector(sample, d) for sample in array(x)]


def bounded_by_paths(net: Network, rank: int) -> bool:
    """Whether no kernel is needed: all parameters are independent, or the rank is that of the paths (2.6)."""
    return rank == len(net.parameters()) or (net.homogeneous and rank == rank_of_paths(net))


def sample_rank(claim: Json, evidence: Json) -> None:
    net, (samples_list, rank) = single(claim, "samples rank")
    samples = read_samples(samples_list, net.sizes[0])
    require(is_int(rank), "a rank is expected")
    width = len(net.parameters())
    bounded = rank == len(samples) * net.sizes[-1] or bounded_by_paths(net, rank)
    minor, *kernel = fields(evidence, "minor" if bounded else "minor kernel")
    matrix = check_gamma_minor(minor, rank, net, samples)
    for vectors in kernel:
        for v in read_kernel(vectors, width - rank, width):
            require(not any(dot(row, v) for row in matrix), "a vector is not in the kernel")


def functional_dimension(claim: Json, evidence: Json) -> None:
    net, (domain_text, dimension) = single(claim, "domain dimension")
    domain, width = read_domain(domain_text, net.sizes[0]), len(net.parameters())
    require(is_int(dimension), "a dimension is expected")
    bounded = bounded_by_paths(net, dimension)
    names = "interior samples minor" + ("" if bounded else " kernel combinations tree")
    interior, samples_list, minor, *rest = fields(evidence, names)
    require(domain.has_inside(vector(interior, net.sizes[0])), "the interior point is not inside the domain")
    samples = read_samples(samples_list, net.sizes[0])
    require(all(map(domain.has, samples)), "a sample is not in the domain")
    check_gamma_minor(minor, dimension, net, samples)
    if rest:
        kernel = read_kernel(rest[0], width - dimension, width)

        def leaf(node: Json, branch: Branch) -> None:
            require(node == "cell", "a cell is expected")
            if all(state % 2 == 0 for state in branch.states[0].values()):
                for v in kernel:
                    require(not any(map(any, derivative(net, branch, v))), "a vector is not in the kernel on a cell")

        walk([net], domain, (rest[1], rest[2]), leaf)


def derivative(net: Network, branch: Branch, direction: Sequence[Fraction]) -> list[Form]:
    """The derivatives of the output forms on a pattern along a direction in parameter space."""
    step = dict(zip(net.parameters(), direction, strict=True))
    forms = branch.forms(net, 0, len(net.sizes))
    d = net.sizes[0]
    moved: dict[Neuron, Form] = {u: [ZERO] * (d + 1) for u in net.inputs}
    for v in net.neurons:
        total: Form = [ZERO] * d + [step.get((v, None), ZERO)]
        for u, w in net.edges[v].items():
            total = [t + step[v, u] * a + w * b for t, a, b in zip(total, forms[u], moved[u], strict=True)]
        slope, _ = net.functions[v].line(branch.states[0].get(v, 0))
        moved[v] = [slope * t for t in total]
    return [moved[o] for o in net.outputs]


# --- 3 Claims about identifiability ---


def locally_identifiable(claim: Json, evidence: Json) -> None:
    on_samples = isinstance(claim, dict) and "samples" in claim
    net, (where,) = single(claim, "samples" if on_samples else "domain")
    d = net.sizes[0]
    if not on_samples and isinstance(evidence, dict) and "types" in evidence:
        names = "interior types rigid" if "rigid" in evidence else "interior types"
        check_shallow(net, read_domain(where, d), *fields(evidence, names))
        return
    if on_samples:
        (minor,) = fields(evidence, "minor")
        samples = read_samples(where, d)
    else:
        minor, listed = fields(evidence, "minor samples")
        samples = read_samples(listed, d)
        require(all(map(read_domain(where, d).has, samples)), "a sample is not in the domain")
    require(net.standard and is_admissible(net), "the network is not standard and admissible")
    check_gamma_minor(minor, len(net.parameters()) - len(net.hidden), net, samples)


@dataclass
class Walls:
    """What the shallow conditions find: sides of the neurons on hyperplanes, |J|, and q (-1 if nothing is kinked)."""

    sides: dict[tuple[Number, ...], set[bool]]
    pairs: int
    affine: int
    form: NormalForm


def check_shallow(net: Network, domain: Domain, interior: Json, types: Json, rigid: Json = None) -> Walls:
    """The shallow conditions."""
    d = net.sizes[0]
    require(domain.has_inside(vector(interior, d)), "the interior point is not inside the domain")
    kinds, forms, outgoing = check_types(types, net, domain, number), hidden_forms(net), outgoing_vectors(net)
    hidden, output = (all(v in net.biases for v in layer) for layer in (net.hidden, net.outputs))
    require(hidden or domain.has_inside([ZERO] * d), "the origin is not inside the domain")
    if not hidden and set(kinds) == {"zero"} and len(net.outputs) == 1:
        require(rigid is None, "rigid is not given here")
        signs = {sign(v) for (v,) in outgoing}
        if signs in ({1}, {-1}):
            return Walls({}, 0, -1, NormalForm({}, []))
    allowed = {"kinked"} if hidden and output else {"kinked", "on"}
    require(set(kinds) <= allowed, "a neuron has another type")
    require(all(map(any, outgoing)) or (d == 1 and not hidden), "an outgoing vector is 0")
    kinked = [i for i, kind in enumerate(kinds) if kind == "kinked"]
    ratios = {(i, j): multiple(forms[j], forms[i]) for i, j in subsets_of_size(kinked, 2)}
    require(all(r <= 0 for r in ratios.values()), "there are positive twins")
    opposite = [twins for twins, r in ratios.items() if r < 0]
    jumps = {(i, j): [a - ratios[i, j] * b for a, b in zip(outgoing[i], outgoing[j], strict=True)] for i, j in opposite}
    bending = [forms[i] for (i, j), jump in jumps.items() if any(jump)]
    cut = d + 1 if hidden and not output else d
    require(len(reduced_rows(form[:cut] for form in bending)) == len(bending), "forms of twins are dependent")
    on = [form for form, kind in zip(forms, kinds, strict=True) if kind == "on"]
    q = len(on) + len(opposite) - len(bending)
    require(q == 0 or (q == 1 and not (hidden and output)), "too much is affine")
    require((rigid is not None) == bool(q and bending), "rigid is given exactly where it is needed")
    if rigid is not None:
        require(on, "opposite twins that cancel can be tilted")
        check_rigid(rigid, domain, on[0], bending)
    sides: dict[tuple[Number, ...], set[bool]] = {}
    for i in kinked:
        s, g = scaled(forms[i])
        sides.setdefault(g, set()).add(s > 0)
    return Walls(sides, len(bending), q, normal_form(net, kinds))


def check_rigid(x: Json, domain: Domain, form: Form, pairs: list[Form]) -> None:
    points = [vector(p, len(form)) for p in array(x)]
    for p in points:
        cone = all(dot(a, p[:-1]) <= b * p[-1] for a, b in domain.inequalities.values())
        require(p[-1] >= 0 and cone and dot(form, p) == 0, "a vector is not in the cone, or not on the neuron")
    table = [[dot(pair, p) for p in points] for pair in pairs]
    require(all(sum(row, ZERO) == 0 for row in table), "the sum of the vectors is not on the twins")
    require(len(reduced_rows(table)) == len(pairs), "the twins can move")


def globally_identifiable(claim: Json, evidence: Json) -> None:
    net, (domain_text,) = single(claim, "domain")
    interior, types, flips = fields(evidence, "interior types flips")
    domain = read_domain(domain_text, net.sizes[0])
    found = check_shallow(net, domain, interior, types)
    forms, outgoing = hidden_forms(net), outgoing_vectors(net)
    require(found.affine == 0 and all(map(any, outgoing)), "a neuron is not kinked, or not heard")
    hidden, output = (all(v in net.biases for v in layer) for layer in (net.hidden, net.outputs))
    cut = len(forms[0]) if hidden and not output else len(forms[0]) - 1
    terms = [flat(outer(v, form[:cut])) for v, form in zip(outgoing, forms, strict=True)]
    if flips == "exhaustive":
        competitors(net, found.form, domain, found.pairs, found.sides)
        return
    require(not found.pairs, "with opposite twins the search is exhaustive")
    if isinstance(flips, dict) and "functional" in flips:
        y = vector(fields(flips, "functional")[0], len(terms[0]))
        require(all(dot(y, row) > 0 for row in terms), "the functional is not positive")
    else:
        check_minor(fields(flips, "minor")[0], len(terms), terms, len(terms[0]), net.parameters().values())


def not_identifiable(claim: Json, evidence: Json) -> None:
    on_samples = isinstance(claim, dict) and "samples" in claim
    net, (scope, where) = single(claim, "scope samples" if on_samples else "scope domain")
    require(net.standard, "the network is not standard")
    require(scope in ("global", "local"), "a scope is global or local")
    if on_samples and isinstance(evidence, dict) and "relations" in evidence:
        check_short_rank(net, read_samples(where, net.sizes[0]), *fields(evidence, "minor relations"))
        return
    source = "network" if scope == "global" else "family"
    given, inequivalence, *equality = fields(evidence, f"{source} inequivalence" + ("" if on_samples else " equality"))
    if scope == "global":
        other, read = read_network(given), number
        require(other.architecture() == net.architecture(), "the architectures differ")
    else:
        other, read = read_family(given, net), polynomial
    if on_samples:
        for x in read_samples(where, net.sizes[0]):
            require(net(x) == other(x), "the values at a sample differ")
    else:
        check_equality(equality[0], [net, other], read_domain(where, net.sizes[0]), read)
    check_inequivalence(inequivalence, [net, other], read)


def check_short_rank(net: Network, samples: list[list[Fraction]], minor: Json, relations: Json) -> None:
    """2.11, with all paths one by one."""
    rank = len(array(fields(minor, "rows columns modulus inverse")[0]))
    require(samples and is_admissible(net), "there are no samples, or the network is not admissible")
    require(rank < len(net.parameters()) - len(net.hidden), "the rank is full")
    check_gamma_minor(minor, rank, net, samples)
    active = [{v: z > 0 or v[0] == len(net.sizes) - 1 for v, z in net.trace(x)[1].items()} for x in samples]
    activations: dict[Neuron, list[list[Fraction]]] = {(0, j): [[x[j] for x in samples]] for j in range(net.sizes[0])}
    for v in net.neurons:
        starts = [[ONE] * len(samples)] if v in net.biases else []
        paths = [path for u in net.edges[v] for path in activations[u]] + starts
        activations[v] = [[a * on[v] for a, on in zip(path, active, strict=True)] for path in paths]
    k, size = len(net.outputs), len(samples) * len(net.outputs)
    for c in read_kernel(relations, size - rank, size):
        for o, output in enumerate(net.outputs):
            zero = all(dot(c[o::k], path) == 0 for path in activations[output])
            require(zero, "a vector is no relation between path activations")


def read_family(x: Json, net: Network) -> Network:
    """2.9: the network whose parameters are polynomials in t."""
    require(isinstance(x, dict), "a family is expected")
    parameters = net.parameters()
    names = {name_of(p): p for p in parameters}
    moved = Network(net.sizes, {v: dict(us) for v, us in net.edges.items()}, dict(net.biases), net.functions)
    for name, coefficients in x.items():
        require(name in names, f"{name} is no parameter")
        target, origin = names[name]
        polynomial_value = polynomial(array(coefficients))
        require(number(coefficients[0]) == parameters[target, origin], f"{name} does not start at the network")
        if origin is None:
            moved.biases[target] = polynomial_value
        else:
            moved.edges[target][origin] = polynomial_value
    return moved


def name_of(parameter: Parameter) -> str:
    (layer, i), origin = parameter
    return f"b[{layer}][{i}]" if origin is None else f"w[{layer}<-{origin[0]}][{i},{origin[1]}]"


def minimal_width(claim: Json, evidence: Json) -> None:
    net, (domain_text, width) = single(claim, "domain width")
    domain = read_domain(domain_text, net.sizes[0])
    smaller, interior, types = fields(evidence, "network interior types")
    other = read_network(smaller)
    check_pair([net, other])
    require(domain.has_inside(vector(interior, net.sizes[0])), "the interior point is not inside the domain")
    require(net.shallow and all(v in net.biases for v in net.neurons), "the network is not shallow with biases")
    first, second = array(types, 2)
    form = normal_form(net, check_types(first, net, domain, number))
    require(is_int(width) and width >= 0 and all(v in other.biases for v in other.neurons), "biases are missing")
    require(len(other.hidden) == width, "the width is another one")
    if width == 0:
        constant = set(other.functions.values()) == {NAMED["identity"]} and not any(
            any(us.values()) for us in other.edges.values()
        )
        require(len(other.sizes) == 2 and constant and second == [], "a network of width 0 is a constant layer")
        shared = NormalForm({}, [[ZERO] * net.sizes[0] + [other.biases[o]] for o in other.outputs])
    else:
        shared = normal_form(other, check_types(second, other, domain, number))
    require(form == shared, "the functions differ")
    competitors(net, form, domain, width - 1 - len(form.jumps))


# --- 3 Claims about symmetries of activations ---


def check_symmetry(
    activation: Json, atoms_list: Json, coefficients_list: Json, constant: Json
) -> tuple[list[tuple[Fraction, Fraction]], bool]:
    """The atoms of a relation, and whether it holds."""
    atoms = [(atom[0], atom[1]) for atom in (vector(a, 2) for a in array(atoms_list))]
    coefficients, zeta = vector(coefficients_list, len(atoms)), number(constant)
    require(
        atoms and len(set(atoms)) == len(atoms) and all(b for b, _ in atoms), "distinct atoms with slope are expected"
    )
    if activation in ("tanh", "logistic"):
        sums: Counter[tuple[Fraction, Fraction]] = Counter()
        for (b, c), a in zip(atoms, coefficients, strict=True):
            if b < 0:
                zeta -= a if activation == "logistic" else 0
                b, c, a = -b, -c, -a
            sums[b, c] += a
        return atoms, not any(sums.values()) and zeta == 0
    rho = function(activation)
    points = [(k - c) / b for b, c in atoms for k in rho.breaks]
    tested = [*points, min(points) - 1, max(points) + 1] if points else [ZERO, ONE]
    totals = [sum((a * rho(b * t + c) for (b, c), a in zip(atoms, coefficients, strict=True)), ZERO) for t in tested]
    return atoms, all(total == zeta for total in totals)


def affine_symmetry(claim: Json, evidence: Json) -> None:
    _, *symmetry = fields(claim, "id activation atoms coefficients constant")
    fields(evidence, "")
    require(check_symmetry(*symmetry)[1], "the relation is false")


def not_affine_symmetry(claim: Json, evidence: Json) -> None:
    _, *symmetry = fields(claim, "id activation atoms coefficients constant")
    fields(evidence, "")
    require(not check_symmetry(*symmetry)[1], "the relation is true")


def modification_preserves(claim: Json, evidence: Json) -> None:
    nets, _ = pair(claim)
    net, other = nets
    require(net.architecture() == other.architecture(), "the architectures differ")
    names = "activation atoms coefficients constant neurons weights bias additions"
    activation, atoms_list, coefficients, constant, neurons, weights, bias, additions = fields(evidence, names)
    rho = function(activation)
    atoms, holds = check_symmetry(activation, atoms_list, coefficients, constant)
    require(holds, "the relation is false")
    bearers = [read_neuron(v, net) for v in array(neurons, len(atoms))]
    require(all(v in net.hidden for v in bearers), "a neuron is not hidden")
    inner: dict[Neuron, Fraction] = {}
    for entry in array(weights):
        k, j, w = array(entry, 3)
        known = is_int(k) and is_int(j) and (k, j) in [*net.inputs, *net.neurons]
        require(known, "an entry of u is no input or neuron")
        require((k, j) not in inner, "an entry of u is repeated")
        inner[k, j] = number(w)
    for v, (b, c) in zip(bearers, atoms, strict=True):
        require(net.functions[v] == rho, "a neuron has another function")
        require(net.biases.get(v, ZERO) == b * number(bias) + c, "a bias is not that of the atom")
        wanted = {u: b * w for u, w in inner.items() if w}
        require({u: w for u, w in net.edges[v].items() if w} == wanted, "weights are not those of the atom")
    expected = modified(net, bearers, vector(coefficients, len(atoms)), number(constant), additions)
    require(expected == other, "the result is another network")


def modified(
    net: Network, bearers: list[Neuron], coefficients: list[Fraction], zeta: Fraction, additions: Json
) -> Network:
    edges, biases = {v: dict(us) for v, us in net.edges.items()}, dict(net.biases)
    for addition in array(additions):
        target, factor = array(addition, 2)
        v, y = read_neuron(target, net), number(factor)
        for u, a in zip(bearers, coefficients, strict=True):
            require(u in edges[v] or y * a == 0, "an absent edge gets a weight")
            if u in edges[v]:
                edges[v][u] += y * a
        require(v in biases or y * zeta == 0, "an absent bias gets a value")
        if v in biases:
            biases[v] -= y * zeta
    return Network(net.sizes, edges, biases, net.functions)


# --- 4 Answers ---

CLAIMS: dict[str, Callable[[Json, Json], None]] = {
    claim.__name__: claim
    for claim in [
        value,
        different_function,
        same_function,
        scaling_equivalent,
        ps_equivalent,
        not_ps_equivalent,
        not_scaling_equivalent,
        region_nonempty,
        region_empty,
        regions_complete,
        adjacent,
        admissible,
        not_admissible,
        embedding_rank,
        sample_rank,
        functional_dimension,
        locally_identifiable,
        globally_identifiable,
        not_identifiable,
        minimal_width,
        affine_symmetry,
        not_affine_symmetry,
        modification_preserves,
    ]
}


def check(data: bytes) -> tuple[int, str]:
    """0 valid, 1 rejected, 2 unreadable, 3 too large, with a text."""
    try:
        certificate = load(data)
        if not isinstance(certificate, dict) or certificate.get("format") != "exactrelu/certificate":
            raise Stop(2, "not a certificate")
        if not is_int(certificate.get("version")) or certificate["version"] != 1:
            raise Stop(2, "not version 1")
        _, _, claim, evidence = fields(certificate, "format version claim evidence")
        name = str(claim["id"]) if isinstance(claim, dict) and isinstance(claim.get("id"), str) else ""
        require(name in CLAIMS, "an unknown claim")
        CLAIMS[name](claim, evidence)
    except Stop as stop:
        return stop.code, str(stop)
    return 0, name
