r"""THE SECOND TRUSTED FILE: checks certificates of hypotheses of theorems with the standard library and ``checker.py``.

``python -I -S exactrelu/extended_checker.py CERT.json`` answers as the checker does. Section 6 of
``docs/certificates.md`` is the specification, with proofs; the numbers in comments are its sections.

Glossary: l layer, v neuron (l, i), t region, z pre-activation as a form: a list of d + 1 numbers, the constant last. A
state is 0, 1, 2 where a neuron is negative, 0, positive.
"""
# ruff: noqa: D102, D103, E741  # the page defines what the functions decide

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cached_property
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or __package__:
    from . import checker as core
else:  # run as a file: the checker lies beside it
    _spec = importlib.util.spec_from_file_location("checker", Path(__file__).with_name("checker.py"))
    core = sys.modules["checker"] = importlib.util.module_from_spec(_spec)
    _spec.loader.exec_module(core)

MINUS, ZERO, PLUS = 0, 1, 2
Neuron = tuple[int, int]
Matrix = list[core.Form]
Interval = tuple[Fraction, Fraction]


class FaceCell(core.Cell):
    """A cell on the way down a face tree: the sign 0 is a child of its own, with an equation (6.1)."""

    def split(self, node: core.Item) -> list[tuple[int, list[Any]]]:
        children = super().split(node)
        if len(children) < 2:
            return children
        depth, (n, l, i, _, z) = children[0]
        return [(depth, [n, l, i, state, z]) for state in (PLUS, ZERO, MINUS)]

    def empty(self, item: core.Item, leaf: core.Item) -> None:
        equations = {name: row for name, row in self.equations.items() if any(row[:-1])}
        *row, bound, _ = core.combination(item, self.rows | equations, self.size, equations)
        named = [(name.value, factor.number()) for name, factor in map(core.Item.list, item.list())]
        strict = any(y > 0 for name, y in named if isinstance(name, int) or tuple(name) not in equations)
        leaf.need(not any(row) and (bound < 0 or (bound == 0 and strict)), "the combination must refute the cell")


class Face:
    """A vector of signs that occurs; a region also has the forms of all neurons, before and after the activation."""

    def __init__(self, net: core.Network, cell: core.Cell) -> None:
        self.states = {v: cell.states[0][v] for v, f in net.rho.items() if f.breaks}  # in one order on all cells
        self.equations = [row for row in cell.equations.values() if any(row[:-1])]
        self.codimension = core.rank_of([row[:-1] for row in self.equations])
        self.minus, self.plus = (
            sum(1 << k for k, state in enumerate(self.states.values()) if state == sign) for sign in (MINUS, PLUS)
        )
        if not self.codimension:
            self.forms, self.values = net.run(cell.inputs, self.states)

    def within(self, other: Face) -> bool:
        """Whether the other contains this one in its closure."""
        return not (self.minus & ~other.minus or self.plus & ~other.plus)


class Complex:
    """All signs of the bending neurons inside the domain, with what lies around them."""

    def __init__(
        self,
        net: core.Network,
        domain: core.Domain,
        combos: core.Item,
        tree: core.Item,
        more: Callable[[core.Cell, Face, core.Item], None] | None = None,
    ) -> None:
        self.net, self.faces, cell = net, list[Face](), FaceCell([net], domain)
        for leaf in cell.leaves("point", combos, tree):
            core.spend(40 * len(cell.states[0]) ** 2)
            face = Face(net, cell)
            bounds = more is not None and not face.codimension
            point, *_ = leaf.object("point", *(["bounds"] if bounds else []))
            x = point.numbers(net.inputs)
            inside = all(core.slack(row, x) > 0 for row in cell.rows.values())
            leaf.need(inside and not any(core.slack(row, x) for row in face.equations), "the point must be on the cell")
            if more is not None and bounds:
                more(cell, face, leaf)
            self.faces.append(face)
        tree.need(self.faces, "must have a leaf with a point")
        self.hidden = [v for v in net.hidden if net.rho[v].breaks]
        self.regions = [face for face in self.faces if not face.codimension]

    @cached_property
    def around(self) -> dict[Face, list[Face]]:
        """The regions around every cell."""
        core.spend(len(self.faces) * len(self.regions) * (1 + len(self.hidden) // 30))
        return {face: [t for t in self.regions if face.within(t)] for face in self.faces}

    @cached_property
    def bends(self) -> dict[Face, set[Neuron]]:
        """The hidden neurons that bend at every cell."""
        core.spend(sum(map(len, self.around.values())) * len(self.hidden))
        return {
            face: {v for v in self.hidden if face.states[v] == ZERO and any(t.states[v] != ZERO for t in around)}
            for face, around in self.around.items()
        }

    def signs(self, v: Neuron, regions: list[Face] | None = None) -> set[int]:
        """The signs of a neuron in some regions, or in all."""
        return {t.states[v] for t in (self.regions if regions is None else regions)}

    def open_below(self, face: Face, layer: int) -> bool:
        """Whether all neurons of the layers below one are positive."""
        return all(face.states[v] == PLUS for v in self.hidden if v[0] < layer)

    def is_onto(self, t: Face, layer: int) -> bool:
        """Whether the values of a layer have full rank in a region."""
        width = self.net.widths[layer]
        return not layer or core.rank_of([t.values[layer, i][:-1] for i in range(width)]) == width

    def full(self, layer: int) -> list[Face]:
        """The regions in which the values of a layer are positive and of full rank: they fill what has an interior."""
        width = self.net.widths[layer]
        positive = [t for t in self.regions if all(t.states.get((layer, i), PLUS) == PLUS for i in range(width))]
        return [t for t in positive if self.is_onto(t, layer)] if layer else self.regions

    def linear_regions_assumption(self) -> bool:
        outputs = [(self.net.depth, o) for o in range(self.net.outputs)]
        return len({tuple(tuple(t.values[v]) for v in outputs) for t in self.regions}) == len(self.regions)

    def no_always_on(self) -> bool:
        return all(MINUS in self.signs(v) or self.signs(v) == {ZERO} for v in self.hidden)

    def hyperplanes_met_in_interior(self) -> bool:
        return all({MINUS, PLUS} <= self.signs(v) for v in self.hidden)

    def transparent(self) -> bool:
        layers = [[(l, i) for i in range(width)] for l, width in enumerate(self.net.widths[:-1]) if l]
        return all(any(t.states.get(v, PLUS) == PLUS for v in layer) for t in self.regions for layer in layers)

    def neighbours(self) -> list[tuple[Neuron, Neuron]]:
        return [(u, v) for u, v in combinations(self.hidden, 2) if abs(u[0] - v[0]) <= 1]

    def bent_hyperplanes_meet(self) -> bool:
        return all(any({u, v} <= bend for bend in self.bends.values()) for u, v in self.neighbours())

    def transversal_pairs(self) -> bool:
        for u, v in self.neighbours():
            common = [face for face, bend in self.bends.items() if {u, v} <= bend]
            core.spend(len(common) ** 2)
            for face in common:
                if not any(face.within(other) for other in common if other is not face):
                    crossing = {(t.states[u], t.states[v]) for t in self.around[face]}
                    if face.codimension != 2 or not crossing >= {*product((MINUS, PLUS), repeat=2)}:
                        return False
        return self.bent_hyperplanes_meet()

    def transversal(self) -> bool:
        for v in self.hidden:
            below = [u for u in self.hidden if u[0] < v[0]]
            found: dict[tuple[int, ...], bool] = {}
            for face in self.faces:
                key = tuple(face.states[u] for u in below)
                found[key] = found.get(key, False) or face.states[v] != ZERO
            if not all(found.values()):
                return False
        return True

    def visible_columns(self) -> bool:
        walls = ((t, bend) for face, bend in self.bends.items() if bend for t in self.around[face])
        return all(bend <= heard(self.net, t) for t, bend in walls)

    def general(self) -> bool:
        core.spend(sum(map(len, self.around.values())) * len(self.hidden))
        for face, around in self.around.items():
            if any(face.states[v] == ZERO and not {MINUS, PLUS} <= self.signs(v, around) for v in self.hidden):
                return False
        owners: dict[Any, Neuron] = {}
        for t in self.regions:
            for v in self.hidden:
                if any(t.forms[v][:-1]) and owners.setdefault(core.side(t.forms[v])[0], v) != v:
                    return False
        return all(core.rank_of(rows) == bound for rows, bound in products(self.net))

    def layer_hyperplanes_met(self, wanted: bool) -> bool:
        """Whether what is wanted is shown, since not every case is decided (6.2)."""
        for l in range(1, self.net.depth):
            below, full = [t for t in self.regions if self.open_below(t, l)], self.full(l - 1)
            for v in (v for v in self.hidden if v[0] == l):
                if not wanted and not {MINUS, PLUS} <= self.signs(v, full):
                    return True
                if wanted and not ({MINUS, PLUS} <= self.signs(v, below) and self.is_onto(below[0], l - 1)):
                    return False
        return wanted

    def no_hyperplane_in_break_set(self, wanted: bool) -> bool:
        """Whether what is wanted is shown, as for the last one."""
        answers = [self.break_set_has_none(l) for l in range(1, self.net.depth - 1)]
        return all(answers) if wanted else False in answers

    def break_set_has_none(self, layer: int) -> bool | None:
        """Whether no hyperplane lies in the walls of the layers above one, inside the inputs of this layer."""
        if layer > 2 and not all(self.open_below(t, layer) for t in self.full(layer - 1)):
            return None
        inner = [face for face in self.faces if self.open_below(face, layer)]
        regions = [face for face in inner if not face.codimension]
        if not regions or not self.is_onto(regions[0], layer - 1):
            return True
        taken: dict[Any, list[Face]] = {}
        for face in (face for face in inner if face.codimension == 1):
            one, other = self.around[face]
            if any(one.states[v] != other.states[v] for v in self.hidden if v[0] > layer):
                taken.setdefault(core.side(face.equations[0])[0], []).append(face)
        ridges = [face for face in inner if face.codimension == 2]
        core.spend(len(ridges) * sum(map(len, taken.values())))
        return not any(all(sum(map(ridge.within, walls)) in (0, 2) for ridge in ridges) for walls in taken.values())


def heard(net: core.Network, t: Face) -> set[Neuron]:
    """The neurons on whose values some output depends in a region."""
    core.spend(4 * net.outputs * len(net.values))
    size = net.outputs
    sums = {v: core.unit(v[1], size) if v[0] == net.depth else [core.ZERO] * size for v in net.rho}
    for (l, i, k, j), w in reversed(net.values.items()):
        if k > 0 and t.states.get((l, i), PLUS) == PLUS:
            sums[k, j] = core.combine([(core.ONE, sums[k, j]), (w, sums[l, i])], size)
    return {v for v, column in sums.items() if any(column)}


def matrix(net: core.Network, layer: int) -> Matrix:
    """The weights of a layer of a perceptron."""
    return [[net.get(layer, i, layer - 1, j) for j in range(net.widths[layer - 1])] for i in range(net.widths[layer])]


Product = tuple[int, Matrix, int]  # the last layer, the rows, and the largest rank that the shapes allow


def products(net: core.Network) -> Iterator[tuple[Matrix, int]]:
    """The products of matrices of consecutive layers through sets of neurons, and the largest ranks that they allow."""
    begin = ((l, matrix(net, l), min(net.widths[l - 1 : l + 1])) for l in range(1, net.depth + 1))
    pending: list[Iterator[Product]] = [begin]
    while pending:
        found = next(pending[-1], None)
        if found is None:
            pending.pop()
        else:
            core.spend(100)
            yield found[1:]
            pending.append(longer(net, *found))


def longer(net: core.Network, layer: int, rows: Matrix, bound: int) -> Iterator[Product]:
    """The products with one matrix more."""
    following = matrix(net, layer + 1) if layer < net.depth else []
    for size in range(1, len(rows) + 1 if following else 1):
        for kept in combinations(range(len(rows)), size):
            made = [core.combine([(row[i], rows[i]) for i in kept], len(rows[0])) for row in following]
            yield layer + 1, made, min(bound, size, len(following))


def generic(net: core.Network, e: core.Item, wanted: bool) -> None:
    forms: dict[Any, core.Form] = {v: net.form(v[1]) for v in net.hidden if v[0] == 1 and net.rho[v].breaks}
    d = net.inputs
    for item in e.object(*([] if wanted else ["neurons"])):
        named = [entry.integers(2) for entry in item.list()]
        item.need(len({*named}) == len(named) <= d + 1 and {*named} <= {*forms}, "must be different neurons of layer 1")
        chosen = [forms[v][: d if len(named) <= d else d + 1] for v in named]
        item.need(core.rank_of(chosen) < len(chosen), "must be dependent")
    for size, end in ((min(d, len(forms)), d), (d + 1, d + 1)) if wanted else ():
        for rows in combinations([form[:end] for form in forms.values()], size):
            core.spend(10 * size**3)
            e.need(core.rank_of(rows) == size, "the hyperplanes are not in general position")


def no_clones(net: core.Network) -> bool:
    children: dict[Neuron, set[Neuron]] = {v: set() for v in net.hidden}
    for l, i, k, j in net.values:
        if k > 0:
            children[k, j].add((l, i))
    groups: dict[Any, list[Neuron]] = {}
    for v in net.hidden:
        groups.setdefault((net.keys[v], frozenset(edge for edge in net.edges[v] if edge[2])), []).append(v)
    for group in groups.values():
        seen = set[Neuron]()
        for v in group:
            if children[v] & seen:
                return False
            seen |= children[v]
    return True


def full_row_rank(net: core.Network) -> bool:
    return all(core.rank_of(matrix(net, l)) == net.widths[l] for l in range(1, net.depth))


def never_stably_off(net: core.Network, domain: core.Domain, e: core.Item) -> None:
    """Some nearby parameters make every hidden neuron positive somewhere."""
    combos, tree, lifts = e.object("combinations", "tree", "lifts")
    c, lifted = Complex(net, domain, combos, tree), set[Neuron]()
    unbiased = core.Network(
        net.widths, net.rho, {name: w if name[2] >= 0 else core.ZERO for name, w in net.values.items()}
    )
    for entry in lifts.list():
        key = "direction" if entry.has("direction") else "point"
        neuron, place = entry.object("neuron", key)
        v: Any
        v, where = neuron.integers(2), place.numbers(net.inputs)
        neuron.need(v in c.hidden, "must be a hidden neuron")
        rising = key == "direction"
        if rising:
            leaving = all(core.slack([*row[:-1], core.ZERO], where) >= 0 for row in domain.rows.values())
            place.need(leaving, "must be a direction of the domain")
        else:
            domain.point(place)
        zs, values = (unbiased if rising else net).run([[c] for c in where])
        loud = any((k >= 0 and values[k, j][0]) or (k < 0 and not rising) for k, j, _ in net.edges[v])
        place.need(not zs[v][0] and loud, "the neuron must be 0 there, and have a parameter that moves it")
        lifted.add(v)
    lifts.need(
        all(v in lifted or PLUS in c.signs(v) for v in c.hidden), "must name every neuron that is never positive"
    )


def stably_off(net: core.Network, domain: core.Domain, e: core.Item) -> None:
    """No parameters nearby make a neuron positive."""
    keys = ["combinations", "tree", "epsilon"] if e.has("tree") else []
    neuron, *rest = e.object("neuron", *keys)
    v: Any = neuron.integers(2)
    neuron.need(v in net.hidden and net.rho[v].breaks, "must be a hidden neuron")
    if not rest:
        sources = [(k, j) for k, j, _ in net.edges[v] if k >= 0]
        held = all(w < 0 for *_, w in net.edges[v]) and all(net.keys.get(u) == core.RELU for u in sources)
        neuron.need(held, "must have negative weights from ReLUs, and no bias or a negative one")
        return
    combos, tree, epsilon = rest
    step, d = epsilon.number(), net.inputs
    epsilon.need(step > 0, "must be positive")
    moves = [[core.ZERO] * d, *([s * step * c for c in core.unit(j, d)] for j in range(d) for s in (1, -1))]

    def bounded(cell: core.Cell, t: Face, leaf: core.Item) -> None:
        z = t.forms[v]
        items = leaf.object("point", "bounds")[1].list(2 * d + 1)
        for number, (move, item) in enumerate(zip(moves, items, strict=True)):
            *row, bound, _ = core.combination(item, cell.rows, cell.size)
            good = row == [a + b for a, b in zip(z[:-1], move, strict=True)] and (number > 0 or bound + z[-1] < 0)
            item.need(good, "must bound the form of the neuron" if number else "must bound it below 0")

    Complex(net, domain, combos, tree, bounded)


class Analytic(core.Function):
    """A function whose values are enclosed (6.5); those of a polynomial are numbers."""

    def __init__(self, name: str, coefficients: core.Form) -> None:
        self.name, self.coefficients = name, coefficients
        key: Any = (name, *coefficients)
        self.key, self.breaks, self.homogeneous = key, (), False

    def affine(self, state: int) -> tuple[Fraction, Fraction]:
        raise core.Stop(core.REJECTED, f"claim: {self.name} has no affine pieces")

    def state(self, t: Fraction) -> int:
        return self.affine(0) and 0

    def __call__(self, t: Fraction) -> Fraction:
        total = core.ZERO if self.coefficients else self.affine(0)[0]
        for a in reversed(self.coefficients):
            total = core.dot([(total, t), (a, core.ONE)])
        return total


def read_any_function(item: core.Item) -> core.Function:
    if item.value in ("tanh", "logistic", "softplus"):
        return Analytic(item.value, [])
    if not (isinstance(item.value, dict) and item.value.get("name") == "polynomial"):
        return core.read_function(item)
    coefficients = item.object("name", "coefficients")[1].numbers()
    while coefficients and not coefficients[-1]:
        coefficients.pop()
    item.need(len(coefficients) > 1, "must not be constant")
    return Analytic("polynomial", coefficients)


def rounded(low: Fraction, high: Fraction, bits: int) -> Interval:
    """The interval with ends rounded outwards."""
    scale = 2**bits
    return Fraction(low * scale // 1, scale), Fraction(-(-high * scale // 1), scale)


def decay(s: Fraction, bits: int) -> Interval:
    """Around exp(-s), for s from 0 on."""
    if s > bits:
        return core.ZERO, Fraction(1, 2**bits)
    halvings = int(s).bit_length() + 1
    r, low, high = s / 2**halvings, core.ZERO, core.ONE
    for n in range(bits // 3 + 8, 0, -1):
        low, high = rounded(1 - r * high / n, 1 - r * low / n, 2 * bits)
    for _ in range(halvings):
        low, high = rounded(low * low, high * high, 2 * bits)
    return low, high


def logarithm(y: Fraction, bits: int) -> Interval:
    """Around log(1 + y), for y from 0 to 1."""
    z, low, high = y / (2 + y), core.ZERO, core.ONE
    for k in range(bits // 3 + 1, -1, -1):
        first = Fraction(1, 2 * k + 1)
        low, high = rounded(first + z * z * low, first + z * z * high, 2 * bits)
    return 2 * z * low, 2 * z * high


def around(f: core.Function, low: Fraction, high: Fraction, bits: int) -> Interval:
    """Around the values of a function on an interval."""
    core.spend(20 * bits + 4 * len(f.breaks), 4 * bits)
    if not isinstance(f, Analytic):
        values = [f(t) for t in (low, high, *(b for b in f.breaks if low < b < high))]
        return min(values), max(values)
    if f.name == "polynomial":
        found = core.ZERO, core.ZERO
        for a in reversed(f.coefficients):
            core.spend(20, 4 * bits)
            ends = [x * t for x in found for t in (low, high)]
            found = rounded(min(ends) + a, max(ends) + a, bits)
        return found
    return growing(f.name, low, bits)[0], growing(f.name, high, bits)[1]


def growing(name: str, t: Fraction, bits: int) -> Interval:
    """Around the value of a growing function at a number."""
    y = decay(abs(t) * (2 if name == "tanh" else 1), bits)
    if name == "softplus":
        return max(t, core.ZERO) + logarithm(y[0], bits)[0], max(t, core.ZERO) + logarithm(y[1], bits)[1]
    low, high = 1 / (1 + y[1]), 1 / (1 + y[0])
    low, high = (low, high) if t >= 0 else (1 - high, 1 - low)
    return (2 * low - 1, 2 * high - 1) if name == "tanh" else (low, high)


def outputs_around(net: core.Network, x: core.Form, bits: int) -> list[Interval]:
    """Around the outputs at a point."""
    values: dict[Any, Interval] = {(-1, 0): (core.ONE, core.ONE), **{(0, j): (c, c) for j, c in enumerate(x)}}
    for v, f in net.rho.items():
        terms = [(w, *values[k, j][:: 1 if w > 0 else -1]) for k, j, w in net.edges[v] if w]
        low = core.dot((w, a) for w, a, _ in terms)
        high = core.dot((w, b) for w, _, b in terms)
        values[v] = rounded(*around(f, *rounded(low, high, bits), bits), bits)
    return [values[net.depth, o] for o in range(net.outputs)]


def expressions(net: core.Network, names: dict[Any, int]) -> list[int]:
    """The names of the outputs (6.4)."""
    known: dict[Any, tuple[Fraction, int]] = {(0, j): (core.ONE, -1 - j) for j in range(net.inputs)}
    for v, f in net.rho.items():
        total, bias = dict[int, Fraction](), core.ZERO
        for k, j, w in net.edges[v]:
            if k < 0:
                bias = w
            elif (k, j) in known:
                factor, name = known[k, j]
                total[name] = core.dot([(core.ONE, total.get(name, core.ZERO)), (w, factor)])
        left = {name: w for name, w in total.items() if w}
        if v[0] == net.depth or left or bias or not vanishes(f):
            factor = max(map(abs, [*left.values(), bias])) if v in net.free else core.ONE
            key = (f.key, frozenset((name, w / factor) for name, w in left.items()), bias / factor)
            known[v] = factor, names.setdefault(key, len(names))
    return [known[net.depth, o][1] for o in range(net.outputs)]


def vanishes(f: core.Function) -> bool:
    """Whether a function is 0 at 0."""
    if isinstance(f, Analytic):
        return f.name == "tanh" or (f.name == "polynomial" and not f.coefficients[0])
    return not f(core.ZERO)


def is_irreducible(net: core.Network, item: core.Item) -> bool:
    """No hidden neuron is without influence, a copy, or part of a relation among parallel neurons (6.3)."""
    groups, copies = dict[Any, set[tuple[Fraction, Fraction]]](), set[Any]()
    for v in net.hidden:
        form = sorted((k, j, w) for k, j, w in net.edges[v] if w and k >= 0)
        bias, key = net.get(*v), net.keys[v]
        copies.add((key, tuple(form), bias, None if form else v[0]))
        if form:
            beta = form[0][2]
            groups.setdefault((key, tuple((k, j, w / beta) for k, j, w in form)), set()).add((beta, bias))
    heard = {name[2:] for name in net.nonzero}
    functions = {net.keys[v]: net.rho[v] for v in net.hidden}
    parallel = {key for (key, _), atoms in groups.items() if len(atoms) > 1}
    item.need(("softplus",) not in parallel, "must have no parallel neurons with softplus")
    related = any(not independent(functions[key], sorted(atoms)) for (key, _), atoms in groups.items())
    return len(copies) == len(net.hidden) and {*net.hidden} <= heard and not related


def independent(f: core.Function, atoms: list[tuple[Fraction, Fraction]]) -> bool:
    """Whether the functions f(beta t + gamma) and 1 are independent."""
    if isinstance(f, Analytic) and f.name != "polynomial":
        return not any((-beta, -gamma) in atoms for beta, gamma in atoms)
    core.spend(10 * len(atoms) ** 2 * (len(f.breaks) + 1))
    kinks = sorted({(b - gamma) / beta for beta, gamma in atoms for b in f.breaks}) or [core.ZERO]
    points = [kinks[0] - 1, *kinks, kinks[-1] + 1]
    if isinstance(f, Analytic):
        points = [Fraction(k) for k in range(len(f.coefficients))]
    table = [[f(beta * t + gamma) for beta, gamma in atoms] + [core.ONE] for t in points]
    return core.rank_of(table) == len(atoms) + 1


SENTENCES = {
    "generic": "the hyperplanes of the first layer are in general position",
    "no_clones": "no two neurons with a common child have the same weights and bias",
    "full_row_rank": "every hidden weight matrix has full row rank",
    "linear_regions_assumption": "different regions carry different affine maps",
    "no_always_on": "no hidden neuron is always on",
    "hyperplanes_met_in_interior": "every hidden neuron takes both signs",
    "transparent": "each hidden layer has an active neuron everywhere",
    "bent_hyperplanes_meet": "bent hyperplanes of the same or adjacent layers meet",
    "transversal_pairs": "bent hyperplanes of the same or adjacent layers meet transversally",
    "transversal": "no neuron vanishes on a cell of the layers before it",
    "visible_columns": "every wall of a hidden neuron is visible in the outputs",
    "general": "the network is general",
    "layer_hyperplanes_met": "every hidden hyperplane meets the interior of the inputs of its layer",
    "no_hyperplane_in_break_set": "no hyperplane lies in the break set of the later layers",
    "no_stably_unactivated": "no hidden neuron is stably unactivated",
}
ON_WEIGHTS = {f.__name__: f for f in (no_clones, full_row_rank)}
ON_LAYERS = ("layer_hyperplanes_met", "no_hyperplane_in_break_set")
PERCEPTRONS = (*ON_LAYERS, "full_row_rank", "visible_columns", "general")


CLAIMS = {
    **core.CLAIMS,
    "hypothesis": ("network domain predicate status", "for {network} on {X} it is {{truth}} that {{sentence}}"),
    "irreducible": ("network status", "it is {{truth}} that {network} has no idle, copied or related neurons"),
    "null_net": ("network status", "it is {{truth}} that {network} is a null net"),
    "all_of": ("claims", ""),
    "symmetry_path": ("network other", "affine symmetries lead from {network} to {other}"),
}
STRUCTURAL = {"admissible", "scaling_equivalent", "ps_equivalent", "not_admissible", "not_scaling_equivalent"}
STRUCTURAL |= {"not_ps_equivalent", "different_function", "modification_preserves"}
STRUCTURAL |= {"irreducible", "null_net", "symmetry_path"}


class Extended(core.Claim):
    """The claims of the checker and some more; those of ``STRUCTURAL`` also about analytic functions."""

    known, function = CLAIMS, staticmethod(read_any_function)

    def __init__(self, item: core.Item) -> None:
        super().__init__(item)
        for name in sorted({"network", "other"} & {*self.item}) if self.id not in STRUCTURAL else ():
            plain = not any(isinstance(f, Analytic) for f in getattr(self, name).rho.values())
            self.item[name].need(plain, "must be piecewise linear for this claim")

    def __str__(self) -> str:
        if self.id == "all_of":
            return "; and ".join(map(str, self.parts))
        fields = {name: item.value for name, item in self.item.items()}
        truth = "true" if fields.get("status") == "holds" else "not true"
        sentence = SENTENCES.get(fields["predicate"], "") if "predicate" in fields else ""
        return super().__str__().replace("{truth}", truth).replace("{sentence}", sentence)

    def wanted(self) -> bool:
        """Whether the status is that the statement holds."""
        status = self.item["status"]
        status.need(status.value in ("holds", "fails"), 'must be "holds" or "fails"')
        return bool(status.value == "holds")

    def different_function(self, e: core.Item) -> None:
        nets = [self.network, self.other]
        if not any(isinstance(f, Analytic) for net in nets for f in net.rho.values()):
            return super().different_function(e)
        x = self.domain.point(e.object("point")[0])
        for bits in (64, 128, 256, 512, 1024):
            pairs = zip(*(outputs_around(net, x, bits) for net in nets), strict=True)
            if any(one[1] < other[0] or other[1] < one[0] for one, other in pairs):
                return None
        return e.need(False, "the values must differ")

    def all_of(self, e: core.Item) -> None:
        claims, self.parts = self.item["claims"].list(), list[Extended]()
        self.item["claims"].need(claims, "must have at least one claim")
        for claim, evidence in zip(claims, e.object("parts")[0].list(len(claims)), strict=True):
            self.parts.append(Extended(claim))
            getattr(self.parts[-1], self.parts[-1].id)(evidence)

    def irreducible(self, e: core.Item) -> None:
        e.object()
        shown = is_irreducible(self.network, self.item["network"]) == self.wanted()
        e.need(shown, "the neurons do not show this status")

    def null_net(self, e: core.Item) -> None:
        net, wanted = self.network, self.wanted()
        fed = {name[:2] for name in net.nonzero if name[2] >= 0}
        sound = is_irreducible(net, self.item["network"]) and {*net.hidden} <= fed
        (*equality,) = e.object(*(["equality"] if wanted else []))
        e.need(sound == wanted, "the neurons do not show this status")
        for item in equality:
            zero = {(1, o, 0, j): core.ZERO for o in range(net.outputs) for j in range(net.inputs)}
            affine = {(1, o): core.Function([], [core.ONE], [core.ZERO, core.ZERO]) for o in range(net.outputs)}
            nothing = core.Network([net.inputs, net.outputs], affine, zero)
            core.check_equality(item, [net, nothing], core.Domain(core.Item(f"R^{net.inputs}", "domain"), net.inputs))

    def symmetry_path(self, e: core.Item) -> None:
        names, here, place = dict[Any, int](), self.network, self.item["network"]

        def leads_to(net: core.Network) -> None:
            alike = (here.inputs, here.outputs) == (net.inputs, net.outputs)
            same = alike and expressions(here, names) == expressions(net, names)
            place.need(same, "must have the same expressions as the next network")

        for step in e.object("steps")[0].list():
            first, second, evidence = step.object("network", "other", "evidence")
            fields = {"id": "modification_preserves", "network": first.value, "other": second.value}
            part = Extended(core.Item(fields, step.path))
            leads_to(part.network)
            part.modification_preserves(evidence)
            here, place = part.other, second
        leads_to(self.other)

    def hypothesis(self, e: core.Item) -> None:
        predicate, net, wanted = self.item["predicate"], self.network, self.wanted()
        name = predicate.value
        predicate.need(isinstance(name, str) and name in SENTENCES, f"must be one of {', '.join(SENTENCES)}")
        plain = name in ("generic", "no_clones") or {*net.keys.values()} <= {core.RELU, core.IDENTITY}
        self.item["network"].need(plain, "must have ReLUs and affine neurons only")
        below = [k == l - 1 for l, _, k, _ in net.values if k >= 0]
        layered = net.standard and below == [True] * sum(a * b for a, b in pairwise(net.widths))
        self.item["network"].need(name not in PERCEPTRONS or layered, "must be a perceptron with affine outputs")
        if name == "generic":
            generic(net, e, wanted)
        elif name in ON_WEIGHTS:
            e.object()
            e.need(ON_WEIGHTS[name](net) == wanted, "the weights do not show this status")
        elif name == "no_stably_unactivated":
            (never_stably_off if wanted else stably_off)(net, self.domain, e)
        else:
            combos, tree = e.object("combinations", "tree")
            c = Complex(net, self.domain, combos, tree)
            decide = getattr(c, name)
            shown = decide(wanted) if name in ON_LAYERS else decide() == wanted
            e.need(shown, "the cells do not show this status")


def check(data: bytes, engine: Any = None, report: bool = False) -> core.Answer:
    """The answer to a certificate of any claim."""
    return core.check(data, engine, report, Extended)


if __name__ == "__main__":
    sys.exit(core.main(sys.argv[1:], Extended))
