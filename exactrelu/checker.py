r"""THE TRUSTED FILE: checks certificates with the standard library and nothing else.

``python -I -S exactrelu/checker.py CERT.json`` prints ``VALID`` (exit code 0), ``REJECTED`` with the place (1),
``UNREADABLE`` (2) or ``TOO LARGE`` (3). ``docs/certificates.md`` is the documentation, with proofs that the checks
suffice; numbers in comments are its sections. Everything is rebuilt from the networks in the certificate.

Glossary: l layer (0 is the input), i, j, o neurons, z pre-activation, rho activation function, m a modulus. A form is
a list of d + 1 numbers, the constant last; an inequality the list (alpha, beta) of alpha x < beta. A state is 2k on
piece k of rho, 2k - 1 on breakpoint k. A parameter is named (l, i, k, j), or (l, i, -1, 0) for a bias.
"""
# ruff: noqa: B905, D101, D102, D103, E401, E701, E702, E731, E741, I001, RET503, UP014  # laid out by hand

from __future__ import annotations

import json, math, re, sys, zlib
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from fractions import Fraction
from itertools import combinations, pairwise
from operator import mul
from pathlib import Path
from typing import Any, NamedTuple

MAX_BYTES, MAX_ENTRIES, MAX_DEPTH, MAX_DIGITS, MAX_BITS = 64 * 2**20, 5_000_000, 40, 20_000, 1_000_000
MAX_MINOR, MAX_TERMS, MAX_SUBSETS, MAX_COEFFICIENTS, MAX_WORK = 1_200, 40, 65_536, 16, 3 * 10**8
REJECTED, UNREADABLE, TOO_LARGE = 1, 2, 3; ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)
Form = list[Fraction]
Name = tuple[int, int, int, int]
Rows = Callable[[int], Callable[[int], Sequence[int]]]  # for a modulus the function from row numbers to rows
Answer = NamedTuple("Answer", [("code", int), ("text", str)])
_work: ContextVar[list[Any]] = ContextVar("work")  # the work so far, and the engine
class Stop(Exception): pass  # the exit code, and why a certificate is not valid
def spend(units: int, bits: int = 0) -> None:  # account for work on numbers of a length, before it is done (4)
    meter = _work.get(); meter[0] += units * (1 + bits // 1000) ** 2
    if (meter[0] > MAX_WORK and not meter[1]) or bits > MAX_BITS: raise Stop(TOO_LARGE, "work, or long numbers")

def parse(data: bytes) -> Any:  # strict JSON, bounded in every direction (1, 4)
    if data[:2] == b"\x1f\x8b":
        stream = zlib.decompressobj(31)
        try: data = stream.decompress(data, MAX_BYTES + 1)
        except zlib.error as error: raise Stop(UNREADABLE, f"a broken gzip stream: {error}") from None
        whole = len(data) > MAX_BYTES or (stream.eof and not stream.unused_data)
        if not whole: raise Stop(UNREADABLE, "a gzip stream that is cut short, or goes on")
    if len(data) > MAX_BYTES or sum(map(data.count, (b",", b"[", b"{"))) > MAX_ENTRIES: raise Stop(TOO_LARGE, "file")
    def integer(literal: str) -> int:
        valid = len(literal) <= 20 and literal.lstrip("-").isdigit() and abs(int(literal)) < 2**63
        if not valid: raise Stop(UNREADABLE, f"no integer below 2^63: {literal[:40]}")
        return int(literal)
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs): raise Stop(UNREADABLE, f"a repeated key: {shown([k for k, _ in pairs])}")
        return dict(pairs)

    hooks: Any = dict.fromkeys(("parse_float", "parse_constant", "parse_int"), integer)
    try: level = [value := json.loads(data.decode("utf-8"), object_pairs_hook=unique, **hooks)]
    except (ValueError, RecursionError) as error: raise Stop(UNREADABLE, f"no JSON: {shown(str(error))}") from None
    for _ in range(MAX_DEPTH):
        inner = [x for group in level for x in (group.values() if isinstance(group, dict) else group)]
        level = [x for x in inner if isinstance(x, dict | list)]
    if level: raise Stop(UNREADABLE, f"brackets nested more than {MAX_DEPTH} deep")
    return value

def shown(value: Any) -> str:  # short, and in one line
    text = ascii(value) if not isinstance(value, dict | list) or len(value) < 10 else f"{len(value)} entries"
    return text if len(text) <= 80 else text[:77] + "..."

class Item:  # a JSON value with its path; its readers reject what is not as the page says
    __slots__ = ("moment", "path", "value"); number_format = re.compile(r"(-?)([0-9]+)(?:/([0-9]+)|\.([0-9]+))?")
    def __init__(self, value: Any, path: str, moment: Fraction | None = None) -> None:
        self.value, self.path, self.moment = value, path, moment  # moment: the t at which polynomials are taken (2.9)
    def need(self, condition: Any, why: str) -> None:
        if not condition: raise Stop(REJECTED, f"{self.path}: {why}")
    def kind(self, kind: type, name: str) -> Any:
        if type(self.value) is not kind: self.need(False, f"must be {name}, not {shown(self.value)}")
        return self.value
    def has(self, key: str) -> bool: return isinstance(self.value, dict) and key in self.value
    def object(self, *keys: str) -> list[Item]:
        entries = self.kind(dict, "an object")
        self.need(set(entries) == set(keys), f"must have the keys {', '.join(keys) or '(none)'}; not {shown(entries)}")
        return [Item(entries[key], f"{self.path}.{key}", self.moment) for key in keys]
    def list(self, length: int | None = None) -> list[Item]:
        entries = self.kind(list, "a list")
        self.need(length in (None, len(entries)), f"must have {length} entries, not {len(entries)}")
        return [Item(value, f"{self.path}[{index}]", self.moment) for index, value in enumerate(entries)]
    def integer(self, least: int = 0, most: int = 2**63) -> int:
        value: int = self.kind(int, "an integer")
        self.need(least <= value <= most, f"must lie between {least} and {most}, but is {value}"); return value
    def integers(self, length: int) -> tuple[int, ...]: return tuple(entry.integer() for entry in self.list(length))
    def distinct(self, length: int, below: int) -> tuple[int, ...]:
        found = self.integers(length)
        self.need(len(set(found)) == length and all(c < below for c in found), f"must be distinct and below {below}")
        return found
    def number(self) -> Fraction:
        if self.moment is not None and isinstance(self.value, list):  # a polynomial, lowest degree first
            coefficients, t = Item(self.value, self.path).numbers(), self.moment
            self.need(0 < len(coefficients) <= MAX_COEFFICIENTS, f"must have 1 to {MAX_COEFFICIENTS} coefficients")
            spend(20, len(coefficients) * t.denominator.bit_length())
            return dot((a, t**k) for k, a in enumerate(coefficients))
        match = self.number_format.fullmatch(self.kind(str, 'a number such as "-3/7"'))
        if not match: self.need(False, f'must be a number such as "-3/7", not {shown(self.value)}')
        sign, whole, below, decimals = match.groups("") if match else [""] * 4
        if max(map(len, (whole, below, decimals))) > MAX_DIGITS: raise Stop(TOO_LARGE, f"{self.path}: too many digits")
        denominator = int(below or 1) * 10 ** len(decimals); self.need(denominator, "must not have the denominator 0")
        return Fraction(int(sign + whole + decimals), denominator)
    def numbers(self, length: int | None = None) -> Form: return [entry.number() for entry in self.list(length)]

def dot(pairs: Iterable[tuple[Fraction, Fraction]]) -> Fraction:  # the place where numbers grow, and work is counted
    terms = [(a.numerator * b.numerator, a.denominator * b.denominator) for a, b in pairs]
    bits = sum(below.bit_length() for below in {below for _, below in terms})
    spend(len(terms) + 1, bits + max((above.bit_length() for above, _ in terms), default=0))
    common = math.lcm(*(below for _, below in terms))
    return Fraction(sum(above * (common // below) for above, below in terms), common)

def combine(terms: Iterable[tuple[Fraction, Form]], size: int) -> Form:  # the sum of w times f over pairs (w, f)
    known = [(w, f) for w, f in terms if w]; return [dot((w, f[t]) for w, f in known) for t in range(size)]

def unit(t: int, size: int) -> Form: return [ONE if k == t else ZERO for k in range(size)]
def slack(row: Form, x: Form) -> Fraction: return row[-1] - dot(zip(row, x))  # in an inequality

class Function:  # a continuous piecewise-linear rho: breakpoints, and (slope, constant) on every piece
    def __init__(self, breaks: Form, slopes: Form, anchor: Form) -> None:
        kept = [k for k, (left, right) in enumerate(pairwise(slopes)) if left != right]
        self.breaks, steep = tuple(breaks[k] for k in kept), [slopes[0], *(slopes[k + 1] for k in kept)]
        home = bisect_left(self.breaks, anchor[0]); constants = {home: anchor[1] - steep[home] * anchor[0]}
        for k in [*range(home, len(kept)), *reversed(range(home))]:  # continuity at the breakpoints, outwards
            new, old = (k + 1, k) if k >= home else (k, k + 1)
            constants[new] = dot([(ONE, constants[old]), (steep[old] - steep[new], self.breaks[k])])
        self.pieces = tuple((slope, constants[k]) for k, slope in enumerate(steep))
        self.key = (self.breaks, self.pieces); self.homogeneous = not self(ZERO) and self.breaks in ((), (0,))
    def __call__(self, t: Fraction) -> Fraction:
        slope, constant = self.pieces[bisect_left(self.breaks, t)]; return slope * t + constant
    def state(self, t: Fraction) -> int:
        k = bisect_left(self.breaks, t); return 2 * k + (k < len(self.breaks) and self.breaks[k] == t)
    def affine(self, state: int) -> tuple[Fraction, Fraction]:  # slope and constant; on a breakpoint rho is constant
        return (ZERO, self(self.breaks[state // 2])) if state % 2 else self.pieces[state // 2]

NAMED = {  # breakpoints, slopes, anchor
    "relu": ("0", "0 1", "0 0"), "identity": ("", "1", "0 0"), "abs": ("0", "-1 1", "0 0"),
    "hard_tanh": ("-1 1", "0 1 0", "0 0"), "relu6": ("0 6", "0 1 0", "0 0"), "hat": ("-1 0 1", "0 1 -1 0", "0 1"),
}
RELU, IDENTITY = ((ZERO,), ((ZERO, ZERO), (ONE, ZERO))), ((), ((ONE, ZERO),))

def read_function(item: Item) -> Function:
    if isinstance(item.value, str):
        item.need(item.value in NAMED, f"must be one of {', '.join(NAMED)}, not {shown(item.value)}")
        return Function(*([Fraction(t) for t in part.split()] for part in NAMED[item.value]))
    name = item.kind(dict, "a name or an object").get("name")
    if name == "leaky_relu": return Function([ZERO], [item.object("name", "slope")[1].number(), ONE], [ZERO, ZERO])
    if name == "clip":
        breaks = [end.number() for end in item.object("name", "lower", "upper")[1:]]
        slopes, anchor = [ZERO, ONE, ZERO], [breaks[0], breaks[0]]
    else:
        first, second, third = item.object("breakpoints", "slopes", "anchor")
        breaks, anchor = first.numbers(), third.numbers(2); slopes = second.numbers(len(breaks) + 1)
    item.need(all(a < b for a, b in pairwise(breaks)), "must have ascending breakpoints")
    return Function(breaks, slopes, anchor)

class Network:  # run gives pre-activations and values as forms: on given states, or (forms of size 1) at a point
    def __init__(self, widths: list[int], rho: dict[tuple[int, int], Function], values: dict[Name, Fraction]) -> None:
        self.widths, self.rho, self.depth = widths, rho, len(widths) - 1
        self.inputs, self.outputs = widths[0], widths[-1]
        order = sorted(values, key=lambda name: (name[0], name[2] < 0, name[2], name[1], name[3]))
        self.values = {name: values[name] for name in order}; self.hidden = [(l, i) for l, i in rho if l < self.depth]
        self.edges: dict[tuple[int, int], list[tuple[int, int, Fraction]]] = {v: [] for v in rho}
        for (l, i, k, j), w in self.values.items():
            self.edges[l, i].append((k, j, w))  # a bias is an edge from (-1, 0), whose value is 1
        self.keys = {v: f.key for v, f in rho.items()}
        self.architecture, self.homogeneous = (widths[0], order, self.keys), all(f.homogeneous for f in rho.values())
        self.standard = all(key == (RELU if l < self.depth else IDENTITY) for (l, _), key in self.keys.items())
        below = [k == l - 1 for l, _, k, _ in order if k >= 0]
        dense = all(below) and len(below) == sum(a * b for a, b in pairwise(widths))
        self.shallow = self.standard and self.depth == 2 and dense
        nonzero = [name for name, w in self.values.items() if w]
        self.active = {name[:2] for name in nonzero} & {name[2:] for name in nonzero}
        self.biased = [(l, 0, -1, 0) in values for l in range(1, self.depth + 1)]
    def get(self, l: int, i: int, k: int = -1, j: int = 0) -> Fraction: return self.values.get((l, i, k, j), ZERO)
    def form(self, i: int) -> Form: return [*(self.get(1, i, 0, j) for j in range(self.inputs)), self.get(1, i)]
    def out(self, i: int) -> Form: return [self.get(2, o, 1, i) for o in range(self.outputs)]
    def run(self, x: list[Form], states: dict[Any, int] | None = None) -> tuple[dict[Any, Form], dict[Any, Form]]:
        size, zs, one = len(x[0]), dict[Any, Form](), unit(len(x[0]) - 1, len(x[0]))
        values = {(-1, 0): one, **{(0, j): form for j, form in enumerate(x)}}
        for v, f in self.rho.items():
            z = zs[v] = combine([(w, values[k, j]) for k, j, w in self.edges[v]], size)
            slope, constant = f.affine(f.state(z[0]) if states is None else states.get(v, 0))
            values[v] = combine([(slope, z), (constant, one)], size)
        return zs, values
    def __call__(self, x: Form) -> Form:
        values = self.run([[c] for c in x])[1]; return [values[self.depth, o][0] for o in range(self.outputs)]
    def __str__(self) -> str: return f"the network of widths {'-'.join(map(str, self.widths))}"
    def rank_bound(self) -> int: return self.embedding_rank() if self.homogeneous else len(self.values)
    def embedding_rank(self) -> int:  # 2.6
        fed, heard = {(0, j) for j in range(self.inputs)} | {(-1, 0)}, {(self.depth, o) for o in range(self.outputs)}
        nonzero = [name for name, w in self.values.items() if w]
        for l, i, k, j in nonzero: fed |= {(l, i)} if (k, j) in fed else set()
        for l, i, k, j in reversed(nonzero): heard |= {(k, j)} if (l, i) in heard else set()
        visible = sum((l, i) in heard and (k, j) in fed for l, i, k, j in self.values)
        return visible - sum(v in fed and v in heard for v in self.hidden)

def read_header(item: Item, kind: str, *keys: str) -> list[Item]:
    name, version, *rest = item.object("format", "version", *keys); version.integer(1, 1)
    name.need(name.value == f"exactrelu/{kind}", f'must be "exactrelu/{kind}"'); return rest

def read_network(item: Item) -> Network:
    inputs, layers = read_header(item, "network", "input_dim", "layers")
    widths, rho, values = [inputs.integer(1, MAX_ENTRIES)], dict[Any, Function](), dict[Name, Fraction]()
    layers.need(layers.list(), "must have at least one layer")
    for l, entry in enumerate(layers.list(), 1):
        functions, weights, bias = entry.object("activation", "weights", "bias")
        if isinstance(weights.value, list): weights = Item({str(l - 1): weights.value}, weights.path)
        known = {str(k): k for k in range(l)}
        weights.need(set(weights.kind(dict, "an object or a matrix")) <= set(known), "must have earlier layers as keys")
        blocks = dict(zip(map(known.get, weights.value), weights.object(*weights.value)))
        offsets = None if bias.value is None else bias.numbers()
        heights = [len(block.list()) for block in blocks.values()]
        width = max(heights, default=0) if offsets is None else len(offsets); before = len(values)
        for k, block in blocks.items():
            for i, row in enumerate(block.list(width)):
                cells = enumerate(row.list(widths[k or 0]))
                values |= {(l, i, k or 0, j): cell.number() for j, cell in cells if cell.value is not None}
        values |= {(l, i, -1, 0): b for i, b in enumerate(offsets or ())}
        entry.need(len(values) > before, "must have a neuron, and an edge or biases")
        each = isinstance(functions.value, list)
        shared = [read_function(f) for f in functions.list(width)] if each else [read_function(functions)] * width
        rho |= {(l, i): f for i, f in enumerate(shared)}; widths.append(width)
    return Network(widths, rho, values)

class Domain:  # X: its inequalities by number, without those that have normal 0
    def __init__(self, item: Item, d: int) -> None:
        self.size, self.text = d + 1, item.value if isinstance(item.value, str) else "the given polyhedron"
        rows = list(self._sides(item, d)) if isinstance(item.value, str) else list[Form]()
        for entry in [] if isinstance(item.value, str) else read_header(item, "domain", "halfspaces")[0].list():
            normal, bound = entry.object("normal", "bound"); rows.append([*normal.numbers(d), bound.number()])
            entry.need(any(rows[-1][:-1]) or rows[-1][-1] >= 0, "must not be empty")
        self.rows = {j: row for j, row in enumerate(rows) if any(row[:-1])}
    def _sides(self, item: Item, d: int) -> Iterator[Form]:
        side = 0
        for factor in item.value.split("x"):
            match = re.fullmatch(r"(?:R|\[([^,\]]*),([^,\]]*)\])(?:\^([1-9][0-9]{0,6}))?", factor)
            item.need(match, f"must be a product of R, R^n, [a,b] and [a,b]^n, not {shown(item.value)}")
            low, high, count = match.groups() if match else ("", "", ""); first, side = side, side + int(count or 1)
            ends = [Item(end, item.path).number() for end in (low, high) if low is not None]
            item.need(side <= d and ends == sorted(set(ends)), f"must have dimension {d}, and sides with a < b")
            for k in range(first, side) if ends else ():
                spend(200 * d); yield [-c for c in unit(k, d)] + [-ends[0]]; yield [*unit(k, d), ends[1]]
        item.need(side == d, f"must have dimension {d}")
    def point(self, item: Item, inside: bool = False) -> Form:
        x = item.numbers(self.size - 1); gaps = [slack(row, x) for row in self.rows.values()]
        item.need(all(gap > 0 or (gap == 0 and not inside) for gap in gaps), "the point must satisfy the domain")
        return x

def combination(item: Item, known: dict[Any, Form], size: int, signed: Any = ()) -> Form:
    terms: dict[Any, tuple[Fraction, Form]] = {}  # the combination (2.2), and last the sum of its multipliers
    for entry in item.list():
        name, factor = entry.list(2); key: Any = name.value if type(name.value) is int else name.integers(4)
        name.need(key in known and key not in terms, "must name, once, an inequality of the cell")
        terms[key] = factor.number(), known[key]
        factor.need(terms[key][0] >= 0 or key in signed, "must not be negative")
    return [*combine(terms.values(), size), dot((y, ONE) for y, _ in terms.values())]

def refute(item: Item, known: dict[Any, Form], size: int, leaf: Item) -> None:  # 2.2
    *row, bound, total = combination(item, known, size)
    leaf.need(total > 0 and not any(row) and bound <= 0, "the combination must be 0 < beta with beta at most 0")

class Cell:  # the states chosen so far, with all that follows from them (2.1-2.3); rewind takes choices back
    def __init__(self, networks: Sequence[Network], domain: Domain) -> None:
        self.networks, self.size, self.one = networks, domain.size, unit(domain.size - 1, domain.size)
        spend(100 * self.size * self.size); self.inputs = [unit(j, self.size) for j in range(self.size - 1)]
        self.forms = {(n, 0, j): form for n in range(len(networks)) for j, form in enumerate(self.inputs)}
        self.forms |= {(n, -1, 0): self.one for n in range(len(networks))}
        self.states: list[dict[tuple[int, int], int]] = [{} for _ in networks]
        self.rows, self.equations, self.settled = dict[Any, Form](domain.rows), dict[Any, Form](), dict[Any, bool]()
        self.trail: list[tuple[dict[Any, Any], Any]] = []
    def put(self, table: dict[Any, Any], key: Any, value: Any) -> None:
        table[key] = value; self.trail.append((table, key))
    def rewind(self, depth: int) -> None:
        for table, key in reversed(self.trail[depth:]): del table[key]
        del self.trail[depth:]
    def decided(self, n: int, top: int) -> bool:  # all bending neurons below a layer; affine neurons are computed
        net = self.networks[n]
        for l in (l for l in range(1, top) if (n, l) not in self.settled):
            for i in range(net.widths[l]):
                if not net.rho[l, i].breaks: self.put_value(n, l, i, 0, self.form(n, l, i))
                elif (l, i) not in self.states[n]: return False
            self.put(self.settled, (n, l), True)
        return True
    def form(self, n: int, l: int, i: int) -> Form:  # the pre-activation, if everything below is decided
        return combine([(w, self.forms[n, k, j]) for k, j, w in self.networks[n].edges[l, i]], self.size)
    def put_value(self, n: int, l: int, i: int, state: int, z: Form) -> None:
        slope, constant = self.networks[n].rho[l, i].affine(state)
        self.put(self.forms, (n, l, i), combine([(slope, z), (constant, self.one)], self.size))
    def enter(self, n: int, l: int, i: int, state: int, z: Form, *, constants: bool = False) -> None:
        breaks, w = self.networks[n].rho[l, i].breaks, state // 2
        if state % 2: self.put(self.equations, (n, l, i, w + 1), [*z[:-1], breaks[w] - z[-1]])
        elif constants or any(z[:-1]):  # on a tree a constant form has no inequalities
            if w: self.put(self.rows, (n, l, i, w), [*(-c for c in z[:-1]), z[-1] - breaks[w - 1]])
            if w < len(breaks): self.put(self.rows, (n, l, i, w + 1), [*z[:-1], breaks[w] - z[-1]])
        self.put(self.states[n], (l, i), state); self.put_value(n, l, i, state, z)
    def leaves(self, final: str, shared: Item, tree: Item) -> Iterator[Item]:  # those that are not empty (2.3)
        combinations, pending = shared.list(), [(0, list[Any]())]
        for node in tree.list():
            node.need(pending, "the tree is complete before this node")
            depth, choice = pending.pop(); self.rewind(depth)
            if choice: self.enter(*choice)
            if isinstance(node.value, list): pending += self.split(node)
            elif node.has("empty"):
                k = node.object("empty")[0].integer(0, len(combinations) - 1)
                refute(combinations[k], self.rows, self.size, node)
            else:
                node.need(node.has(final) if final == "point" else node.value == final, f"must be a {final}, or empty")
                ready = all(self.decided(n, net.depth + 1) for n, net in enumerate(self.networks))
                node.need(ready, "all bending neurons must be split above"); yield node
        tree.need(not pending, "the tree is not complete")
    def split(self, node: Item) -> list[tuple[int, list[Any]]]:
        n, l, i = node.integers(3)
        known = n < len(self.networks) and (l, i) in self.networks[n].rho and (l, i) not in self.states[n]
        node.need(known and self.networks[n].rho[l, i].breaks, "must name a bending neuron that is not split above")
        node.need(self.decided(n, l), "all bending neurons in the layers below must be split above")
        f, z, depth = self.networks[n].rho[l, i], self.form(n, l, i), len(self.trail)
        states = [2 * k for k in reversed(range(len(f.pieces)))] if any(z[:-1]) else [f.state(z[-1])]
        return [(depth, [n, l, i, state, z]) for state in states]

def read_pattern(item: Item, net: Network, domain: Domain) -> Cell:  # 1, 2.2
    cell, text, groups = Cell([net], domain), item.kind(str, "a pattern"), dict[int, list[Any]]()
    for l, i in (v for v, f in net.rho.items() if f.breaks): groups.setdefault(l, []).append((l, i))
    parts = text.split("|") if text else []; item.need(len(parts) == len(groups), f"must have {len(groups)} groups")
    for part, group in zip(parts, groups.values()):
        tokens = list(part) if all(len(net.rho[v].breaks) == 1 for v in group) else part.split(",")
        item.need(len(tokens) == len(group), "must have one state per bending neuron")
        for (l, i), token in zip(group, tokens):
            most = len(net.rho[l, i].breaks)
            plain = token if most > 1 else {"-": "0", "0": "=1", "+": "1"}.get(token, "")
            match = re.fullmatch(r"(=?)(0|[1-9][0-9]{0,8})", plain)
            item.need(match and int(match[2]) <= most and plain != "=0", f"must have states, not {shown(token)}")
            cell.decided(0, l); state = 2 * int(match[2]) - len(match[1]) if match else 0
            cell.enter(0, l, i, state, cell.form(0, l, i), constants=True)
    return cell

def check_minor(item: Item, rank: int, numbers: Form, shape: tuple[int, int], make: Rows) -> None:  # 2.4
    if rank > MAX_MINOR and not _work.get()[1]: raise Stop(TOO_LARGE, f"a minor of {rank} > {MAX_MINOR} rows")
    rows, columns, modulus, inverse = item.object("rows", "columns", "modulus", "inverse")
    m, names, places = modulus.integer(2, 2**31 - 1), rows.distinct(rank, shape[0]), columns.distinct(rank, shape[1])
    modulus.need(all(math.gcd(c.denominator, m) == 1 for c in numbers), "must be coprime to all denominators")
    if rank > MAX_MINOR:
        square = ([row[c] for c in places] for row in map(make(m), names))
        return inverse.need(inverse.value == [] and _work.get()[1](square, m), "must be [], and the minor invertible")
    spend(rank * (rank * (rank // 16 + 8) + shape[1]))
    size, packed, row_of = (2 * m.bit_length() + rank.bit_length()) // 8 + 1, [], make(m)
    for row in inverse.list(rank):  # one integer holds a whole row, so that one product makes many
        entries = row.kind(list, "a list")
        row.need(len(entries) == rank and all(type(c) is int and 0 <= c < m for c in entries), "must be residues")
        packed.append(int.from_bytes(b"".join(c.to_bytes(size, "little") for c in entries), "little"))
    for i, name in enumerate(names):
        full = row_of(name); line = sum(map(mul, [full[c] for c in places], packed)).to_bytes(size * rank, "little")
        found = [int.from_bytes(line[k : k + size], "little") % m for k in range(0, size * rank, size)]
        inverse.need(found == [int(i == j) for j in range(rank)], f"row {i} of the product must be a unit row")

def residue(c: Fraction, m: int) -> int: return c.numerator * pow(c.denominator, -1, m) % m
def gradient(net: Network, states: dict[Any, int], o: int) -> Form:  # factors of the values behind the parameters
    adjoint, factors, local = dict.fromkeys(net.rho, ZERO), list[Fraction](), dict[Any, Fraction]()
    adjoint[net.depth, o] = ONE; slopes = {v: f.affine(states.get(v, 0))[0] for v, f in net.rho.items()}
    for (l, i, k, j), w in reversed(net.values.items()):
        if (l, i) not in local: local[l, i] = dot([(adjoint[l, i], slopes[l, i])])
        factors.append(local[l, i])
        if k > 0 and factors[-1]: adjoint[k, j] = dot([(adjoint[k, j], ONE), (factors[-1], w)])
    return factors[::-1]

def check_jacobian_minor(item: Item, rank: int, net: Network, samples: Item, domain: Domain | None = None) -> Any:
    runs = []
    for point in samples.list():
        zs, values = net.run([[c] for c in (domain.point(point) if domain else point.numbers(net.inputs))])
        states = {v: f.state(zs[v][0]) for v, f in net.rho.items()}
        point.need(not any(state % 2 for state in states.values()), "must lie off the kinks")
        runs.append((values, states))
    numbers = [*net.values.values(), *(values[0, j][0] for values, _ in runs for j in range(net.inputs))]
    numbers += [c for f in {f.key: f for f in net.rho.values()}.values() for piece in f.pieces for c in piece]
    def row(m: int, number: int) -> list[int]:
        values, states = runs[number // net.outputs]; below = {u: residue(a[0], m) for u, a in values.items()}
        factors = zip(gradient(net, states, number % net.outputs), net.values)
        return [residue(g, m) * below[name[2:]] % m if g else 0 for g, name in factors]
    shape = len(runs) * net.outputs, len(net.values)
    check_minor(item, rank, numbers, shape, lambda m: lambda number: row(m, number)); return runs

def read_kernel(item: Item, net: Network, count: int) -> list[Form]:  # 2.5
    columns, vectors = item.object("columns", "vectors"); places, found = columns.distinct(count, len(net.values)), []
    for i, vector in enumerate(vectors.list(count)):
        found.append(vector.numbers(len(net.values)))
        vector.need([found[-1][c] for c in places] == unit(i, count), "must be a unit vector on the columns")
    return found

def check_kernel(item: Item, net: Network, kernel: list[Form], values: dict[Any, Form], states: Any) -> None:
    for o in range(net.outputs):  # at a point, or identically on a cell
        factors, size = gradient(net, states, o), len(values[-1, 0])
        for number, vector in enumerate(kernel):
            columns = zip(vector, factors, net.values)
            terms = [(dot([(v, g)]), values[name[2:]]) for v, g, name in columns if v]
            item.need(not any(combine(terms, size)), f"vector {number} must be in the kernel")

def read_types(item: Item, net: Network, domain: Domain) -> list[str]:  # 2.7
    item.need(net.shallow, "needs a shallow network"); found = []
    for i, entry in enumerate(item.list(net.widths[1])):
        form, kind = net.form(i), next((name for name in ("kinked", "on", "off") if entry.has(name)), "zero")
        if kind == "zero":
            entry.need(entry.value == "zero" and not any(form), 'must be "kinked", "on", "off", or a true "zero"')
        elif kind == "kinked":
            low, high = (dot(zip(form, [*domain.point(p), ONE])) for p in entry.object(kind)[0].list(2))
            entry.need(low < 0 < high, "the form must be negative at the first point and positive at the second")
        else:
            form = [-c for c in form] if kind == "on" else form
            *row, bound, _ = combination(entry.object(kind)[0], domain.rows, domain.size)
            entry.need(any(form) and row == form[:-1] and bound <= -form[-1], f"must prove that the neuron is {kind}")
        found.append(kind)
    return found

def side(form: Form) -> tuple[Any, Fraction]:  # the hyperplane (first nonzero weight 1), and the factor taken out
    lead = next(c for c in form if c); return tuple(c / lead for c in form), lead

def add(first: list[Form], factor: Fraction, u: Form, v: Sequence[Fraction]) -> list[Form]:  # plus factor u v^T
    return [combine([(ONE, row), (factor * b, list(v))], len(row)) for row, b in zip(first, u)]

def normal_form(net: Network, types: list[str]) -> tuple[dict[Any, Form], list[Form]]:  # 2.7
    jumps, affine = dict[Any, Form](), [[ZERO] * net.inputs + [net.get(2, o)] for o in range(net.outputs)]
    for i, kind in enumerate(types):
        if kind == "kinked":
            key, lead = side(net.form(i))
            jumps[key] = combine([(ONE, jumps.get(key, [ZERO] * net.outputs)), (abs(lead), net.out(i))], net.outputs)
        affine = add(affine, {"kinked": HALF, "on": ONE}.get(kind, ZERO), net.out(i), net.form(i))
    return {key: jump for key, jump in jumps.items() if any(jump)}, affine

def check_equality(item: Item, nets: Sequence[Network], domain: Domain) -> None:  # 2.7
    interior, *rest = item.object("interior", *(["types"] if item.has("types") else ["combinations", "tree"]))
    domain.point(interior, True)
    if len(rest) == 1:
        first, second = (normal_form(net, read_types(t, net, domain)) for t, net in zip(rest[0].list(2), nets))
        return item.need(first == second, "the normal forms must be equal")
    cell = Cell(nets, domain)
    for leaf in cell.leaves("cell", *rest):
        maps = [[cell.forms[n, net.depth, o] for o in range(net.outputs)] for n, net in enumerate(nets)]
        leaf.need(maps[0] == maps[1], "the affine maps must be equal on this cell")

def check_inequivalence(item: Item, first: Network, second: Network) -> None:  # 2.8
    if item.has("point"):
        x = item.object("point")[0].numbers(first.inputs)
        return item.need(first(x) != second(x), "the values at the point must differ")
    item.need(item.object("invariant")[0].value == "colours", 'must have a point, or the invariant "colours"')
    (graph, start), (other, begin), classes = invariants(first), invariants(second), 0
    while Counter(start.values()) == Counter(begin.values()):
        item.need(len(set(start.values())) > classes, "the colours must differ, but they are equal")
        classes, names = len(set(start.values())), dict[Any, int]()
        start, begin = refined(graph, start, names), refined(other, begin, names)

def refined(edges: list[Any], old: dict[Any, Any], names: dict[Any, int]) -> dict[Any, Any]:
    spend(8 * len(edges)); seen: dict[Any, Counter[Any]] = {v: Counter() for v in old}
    for u, v, invariant in edges:
        seen[v][0, invariant, old[u]] += 1; seen[u][1, invariant, old[v]] += 1
    return {v: names.setdefault((old[v], frozenset(found.items())), len(names)) for v, found in seen.items()}

def invariants(net: Network) -> tuple[list[Any], dict[Any, Any]]:  # edges with their invariants, and first colours
    free = {v for v in net.hidden if net.rho[v].homogeneous}
    s = {v: ZERO if v in free else ONE for v in [(-1, 0), *((0, j) for j in range(net.inputs)), *net.rho]}
    t, gauge, edges = dict(s), dict.fromkeys(s, ONE), list[Any]()
    for (l, i, k, j), w in net.values.items():
        s[l, i] = dot([(ONE, s[l, i]), (abs(w), s[k, j])]) if (l, i) in free else ONE
    for (l, i, k, j), w in reversed(net.values.items()):
        t[k, j] = dot([(ONE, t[k, j]), (abs(w), t[l, i])]) if (k, j) in free else ONE
    gauge |= {v: s[v] or (1 / t[v] if t[v] else ZERO) for v in free}
    for (l, i, k, j), w in net.values.items():  # (-1, 0) is a vertex like an input, with the biases as its edges
        g, h = gauge[k, j], gauge[l, i]
        edges.append(((k, j), (l, i), w * g / h if g and h else ("sign", (w > 0) - (w < 0))))
    return edges, {v: (v[0] if 0 < v[0] < net.depth else v, net.keys.get(v)) for v in s}

def read_family(item: Item, net: Network, rest: list[Item], given: Iterable[Item]) -> Network:  # at t = 2^-K (2.9)
    names = {f"b[{l}][{i}]" if k < 0 else f"w[{l}<-{k}][{i},{j}]": (l, i, k, j) for l, i, k, j in net.values}
    item.need(set(item.kind(dict, "an object")) <= set(names), "must have names of parameters as keys")
    moving = {names[text]: Item(value, f"{item.path}[{text!r}]") for text, value in item.value.items()}
    for name, entry in moving.items():
        entry.need(entry.numbers()[:1] == [net.values[name]], "must begin at the network")
    whole = json.dumps([part.value for part in (item, *rest, *given)])
    texts = set(re.findall(r'"(-?[0-9]+[/.]?[0-9]*)"', whole))
    length = sum(4 * len(text) << ("." in text) for text in texts)
    t = Fraction(1, 2 ** (16 * net.depth * (length + 32)))
    for other in (*rest, *moving.values()): other.moment = t
    return Network(net.widths, net.rho, net.values | {name: entry.number() for name, entry in moving.items()})

def echelon(rows: Sequence[Form], width: int) -> tuple[list[Form], list[int]]:  # reduced; and the pivot columns
    left, pivots = [list(row) for row in rows], list[int]()
    for c in range(width):
        r = len(pivots); p = next((p for p in range(r, len(left)) if left[p][c]), None)
        if p is not None:
            left[r], left[p] = combine([(1 / left[p][c], left[p])], width), left[r]
            for k in {*range(len(left))} - {r}: left[k] = combine([(ONE, left[k]), (-left[k][c], left[r])], width)
            pivots.append(c)
    return left[: len(pivots)], pivots

def search(item: Item, base: Any, terms: list[Any], modulo: list[Form], need: int) -> None:  # 2.10, for need > 0
    (rows, pivots), width, directions = echelon(modulo, len(base[0])), len(base[0]), []
    for free in set(range(width)) - set(pivots):  # a basis of what is orthogonal to the rows
        known = dict(zip(pivots, (-row[free] for row in rows))) | {free: ONE}
        directions.append([known.get(c, ZERO) for c in range(width)])
    size, cut = len(directions), [[dot(zip(row, x)) for row in matrix for x in directions] for matrix in (base, *terms)]
    item.need(directions, "the rank must be larger, but all directions are spanned by hyperplanes")
    spend(100 + (2 ** min(len(terms), 99) * (MAX_WORK // MAX_SUBSETS) if need > 1 else 0))
    if need == 1: return never_zero(item, cut, None)
    for mask in range(2 ** len(terms)):
        total = [sum(es, ZERO) for es in zip(cut[0], *(v for k, v in enumerate(cut[1:]) if mask >> k & 1))]
        rank = len(echelon([total[k : k + size] for k in range(0, len(total), size)], size)[1])
        item.need(rank >= need, f"the choice {mask:b} must have rank {need}")

def never_zero(item: Item, vectors: list[Form], trivial: int | None) -> None:
    count, half, prime = len(vectors) - 1, (len(vectors) - 1) // 2, 2**61 - 1
    if count > MAX_TERMS: raise Stop(TOO_LARGE, f"an exhaustive search among more than {MAX_TERMS} terms")
    scale = math.lcm(*(c.denominator for v in vectors for c in v))
    spend(2 ** (count - half + 3) + 10 * count * len(vectors[0]), scale.bit_length())
    whole = [[int(c * scale) for c in vector] for vector in vectors]
    keys = [sum(c * pow(3, 7 * k + 1, prime) for k, c in enumerate(vector)) % prime for vector in whole]
    low, high = [keys[0]], [0]  # meet in the middle, modulo a prime; only hits are computed exactly
    for sums, part in ((low, keys[1 : half + 1]), (high, keys[half + 1 :])):
        for key in part: sums += [(s + key) % prime for s in sums]
    wanted = {(prime - s) % prime for s in low}
    for a, s in ((a, s) for a, s in enumerate(high) if s in wanted):
        spend(len(low) + 8 * count * len(vectors[0]), scale.bit_length())
        for mask in (b | a << half for b, r in enumerate(low) if (r + s) % prime == 0):
            chosen = [whole[0], *(v for k, v in enumerate(whole[1:]) if mask >> k & 1)]
            good = mask == trivial or any(map(sum, zip(*chosen))); item.need(good, f"the choice {mask:b} must not be 0")

def shallow_conditions(net: Network, domain: Domain, interior: Item, types: Item) -> list[Form]:  # normals of twins (3)
    domain.point(interior, True)
    types.need(set(read_types(types, net, domain)) <= {"kinked"}, "all neurons must be kinked")
    if not net.biased[0]: domain.point(Item(["0"] * net.inputs, "claim.domain"), True)
    neurons: dict[Any, list[tuple[Fraction, Form]]] = {}
    for i in range(net.widths[1]):
        types.need(any(net.out(i)), f"neuron {i} must have a nonzero output")
        key, lead = side(net.form(i)); neurons.setdefault(key, []).append((lead, net.out(i)))
    pairs = [list(key[:-1]) for key, found in neurons.items() if len(found) == 2]
    for found in neurons.values():
        types.need(len({lead > 0 for lead, _ in found}) == len(found), "there must be no positive twins")
        jump = any(combine([(abs(lead), v) for lead, v in found], net.outputs))
        types.need(len(found) == 1 or (jump and all(net.biased)), "opposite twins need biases, and must not cancel")
    types.need(len(echelon(pairs, net.inputs)[1]) == len(pairs), "normals of opposite twins must be independent")
    return pairs

CLAIMS = {  # fields, and the sentence that is proved
    "value": ("network point value", "{network} has the stated value at the stated point"),
    "different_function": ("network other domain", "{network} and {other} differ at a point of {X}"),
    "same_function": ("network other domain", "{network} and {other} are equal on {X}"),
    "scaling_equivalent": ("network other", "{network} and {other} are equal up to rescaling"),
    "ps_equivalent": ("network other", "{network} and {other} are equal up to permutation and rescaling"),
    "not_ps_equivalent": ("network other", "{network} and {other} are not equal up to permutation and rescaling"),
    "region_nonempty": ("network domain pattern cell", "the {cell} cell {pattern} of {network} on {X} is not empty"),
    "region_empty": ("network domain pattern cell", "the {cell} cell {pattern} of {network} on {X} is empty"),
    "regions_complete": ("network domain count", "{network} has exactly {count} activation regions on {X}"),
    "adjacent": ("network domain patterns neurons", "the regions {patterns} of {network} on {X} share a facet"),
    "admissible": ("network", "{network} is admissible"), "not_admissible": ("network", "{network} is not admissible"),
    "embedding_rank": ("network rank", "the path embedding of {network} has a derivative of rank {rank}"),
    "sample_rank": ("network samples rank", "the Jacobian of {network} at the samples has rank {rank}"),
    "functional_dimension": ("network domain dimension", "{network} has functional dimension {dimension} on {X}"),
    "locally_identifiable": ("network where", "{network} is locally identifiable from its values on {X}"),
    "not_identifiable": ("network scope where", "{network} is not identifiable ({scope}) from its values on {X}"),
    "globally_identifiable": ("network domain", "{network} is globally identifiable from its values on {X}"),
    "minimal_width": ("network domain width", "the function of {network} on {X} needs exactly {width} hidden neurons"),
    "affine_symmetry": ("activation atoms coefficients constant", "the relation between atoms of {activation} holds"),
    "modification_preserves": ("network other", "the modification of {network} to {other} preserves its function"),
}

class Claim:  # the method of its name checks the evidence e
    network: Network; other: Network; domain: Domain

    def __init__(self, item: Item) -> None:
        self.id = item.kind(dict, "an object").get("id")
        item.need(isinstance(self.id, str) and self.id in CLAIMS, f"must have a known id, not {shown(self.id)}")
        fields = CLAIMS[self.id][0].replace("where", "samples" if item.has("samples") else "domain").split()
        self.item = dict(zip(fields, item.object("id", *fields)[1:]))
        for name in sorted({"network", "other"} & set(fields)): setattr(self, name, read_network(self.item[name]))
        if "domain" in fields: self.domain = Domain(self.item["domain"], self.network.inputs)
        if "other" in fields:
            same = (self.network.inputs, self.network.outputs) == (self.other.inputs, self.other.outputs)
            self.item["other"].need(same, "must have as many inputs and outputs as the network")
        self.samples = self.item.get("samples")
    def __str__(self) -> str:
        words = {name: shown(item.value).strip("'") for name, item in self.item.items()}
        words |= {name: str(getattr(self, name)) for name in ("network", "other") if name in words}
        return CLAIMS[self.id][1].format(X=self.domain.text if "domain" in words else "the samples", **words)
    def value(self, e: Item) -> None:
        e.object(); point, values = self.item["point"].numbers(self.network.inputs), self.item["value"].numbers()
        self.item["value"].need(values == self.network(point), "must be the value")
    def different_function(self, e: Item) -> None:
        x = self.domain.point(e.object("point")[0]); e.need(self.network(x) != self.other(x), "the values must differ")
    def same_function(self, e: Item) -> None: check_equality(e, [self.network, self.other], self.domain)
    def scaling_equivalent(self, e: Item) -> None: self.equivalent(e, e.object("scalings")[0], None)
    def ps_equivalent(self, e: Item) -> None: self.equivalent(e, *e.object("scalings", "permutation"))
    def equivalent(self, e: Item, scalings: Item, permutation: Item | None) -> None:
        net, place, scale = self.network, {(-1, 0): (-1, 0)}, {(-1, 0): ONE}
        factors = scalings.list(net.depth - 1); moves = permutation.list(net.depth - 1) if permutation else []
        for l, width in enumerate(net.widths):
            inner = 0 < l < net.depth; spots = moves[l - 1].distinct(width, width) if inner and moves else range(width)
            scale |= {(l, i): c for i, c in enumerate(factors[l - 1].numbers(width) if inner else [ONE] * width)}
            place |= {(l, i): (l, spot) for i, spot in enumerate(spots)}
        e.need({place[v]: key for v, key in net.keys.items()} == self.other.keys, "must have its functions")
        good = all(c > 0 and (c == 1 or self.other.rho[v].homogeneous) for v, c in scale.items())
        scalings.need(good, "must be positive, and 1 where the neuron is not scalable")
        moved = {(*place[l, i], *place[k, j]): w for (l, i, k, j), w in net.values.items()}
        image = {name: dot([(w, scale[name[:2]] / scale[name[2:]])]) for name, w in moved.items()}
        e.need(image == self.other.values, "the result must be the other network")
    def not_ps_equivalent(self, e: Item) -> None: check_inequivalence(e, self.network, self.other)
    def cell(self) -> tuple[Cell, bool]:
        kind = self.item["cell"]; kind.need(kind.value in ("open", "closed"), 'must be "open" or "closed"')
        return read_pattern(self.item["pattern"], self.network, self.domain), kind.value == "open"
    def region_nonempty(self, e: Item) -> None:
        (cell, strict), point = self.cell(), e.object("point")[0]
        x = self.domain.point(point, strict); gaps = [slack(row, x) for row in cell.rows.values()]
        point.need(all(gap > 0 or (gap == 0 and not strict) for gap in gaps), "must satisfy all inequalities")
        off = any(any(row) if strict else slack(row, x) for row in cell.equations.values())
        point.need(not off, "a neuron must be on its breakpoint where its state is")
    def region_empty(self, e: Item) -> None:
        cell, strict = self.cell()
        if strict and e.has("neuron"):
            v = e.object("neuron")[0].integers(2)
            off = any(any(row) for name, row in cell.equations.items() if name[1:3] == v)
            return e.need(off, "the neuron must be in state 0, but not identically")
        if strict: return refute(e.object("combination")[0], cell.rows, cell.size, e)
        *row, bound, _ = combination(e.object("combination")[0], cell.rows | cell.equations, cell.size, cell.equations)
        e.need(not any(row) and bound < 0, "the combination must be 0 <= beta with a negative beta")
    def regions_complete(self, e: Item) -> None:
        cell, count = Cell([self.network], self.domain), 0
        for leaf in cell.leaves("point", *e.object("combinations", "tree")):
            x, count = leaf.object("point")[0].numbers(cell.size - 1), count + 1
            leaf.need(all(slack(row, x) > 0 for row in cell.rows.values()), "the point must be inside the region")
        self.item["count"].need(self.item["count"].integer() == count, f"must be the number {count} of regions")
    def adjacent(self, e: Item) -> None:
        x, walls = self.domain.point(e.object("point")[0], True), list[Form]()
        cells = [read_pattern(item, self.network, self.domain) for item in self.item["patterns"].list(2)]
        flips = sorted(v for v, state in cells[0].states[0].items() if cells[1].states[0][v] != state)
        named = [entry.integers(2) for entry in self.item["neurons"].list()]
        self.item["neurons"].need(named and named == flips, "must be the neurons that flip")
        for cell, sign in zip(cells, (1, -1)):
            e.need(not any(map(any, cell.equations.values())), "a neuron in state 0 must be so identically")
            gaps = [(slack(row, x), row) for row in cell.rows.values()]
            tight = [[sign * a for a in row] for gap, row in gaps if not gap]
            e.need(all(gap >= 0 for gap, _ in gaps), "the point must satisfy the inequalities of both patterns")
            e.need(tight and all(any(row[:-1]) for row in tight), "the point must lie on a wall of both regions")
            walls += tight
        keys = {(key, lead > 0) for key, lead in map(side, walls)}
        e.need(len(keys) == 1, "the regions must lie on opposite sides of one hyperplane")
    def admissible(self, e: Item) -> None:
        e.object()
        e.need(self.network.active >= set(self.network.hidden), "a hidden neuron has only zeros on one side")
    def not_admissible(self, e: Item) -> None:
        v = e.object("neuron")[0].integers(2)
        e.need(v in self.network.hidden and v not in self.network.active, "must be hidden, with zeros on one side")
    def embedding_rank(self, e: Item) -> None:
        e.object(); found = self.network.embedding_rank()
        self.item["rank"].need(self.item["rank"].integer() == found, f"must be {found}")
    def sample_rank(self, e: Item) -> None:
        net, rank, samples = self.network, self.item["rank"].integer(), self.item["samples"]
        short = rank == min(self.network.rank_bound(), len(samples.list()) * net.outputs)
        minor, *rest = e.object("minor", *([] if short else ["kernel"]))
        runs = check_jacobian_minor(minor, rank, net, samples)
        for kernel in rest:
            vectors = read_kernel(kernel, net, len(net.values) - rank)
            for values, states in runs: check_kernel(kernel, net, vectors, values, states)
    def functional_dimension(self, e: Item) -> None:
        net, rank = self.network, self.item["dimension"].integer()
        more = [] if rank == self.network.rank_bound() else ["kernel", "combinations", "tree"]
        interior, samples, minor, *rest = e.object("interior", "samples", "minor", *more)
        self.domain.point(interior, True); check_jacobian_minor(minor, rank, net, samples, self.domain)
        if rest:
            kernel, cell = read_kernel(rest[0], net, len(net.values) - rank), Cell([net], self.domain)
            for leaf in cell.leaves("cell", *rest[1:]):
                if not any(state % 2 for state in cell.states[0].values()):  # else there is no smooth point
                    check_kernel(leaf, net, kernel, net.run(cell.inputs, cell.states[0])[1], cell.states[0])
    def locally_identifiable(self, e: Item) -> None:
        if self.samples is None and e.has("types"):
            shallow_conditions(self.network, self.domain, *e.object("interior", "types")); return
        minor, *rest = e.object("minor", *(["samples"] if self.samples is None else []))
        e.need(self.network.standard, "needs ReLUs and affine outputs")
        e.need(self.network.active >= set(self.network.hidden), "needs admissible parameters")
        rank = len(self.network.values) - len(self.network.hidden)
        where = (rest[0], self.domain) if rest else (self.samples, None)
        check_jacobian_minor(minor, rank, self.network, *where)
    def not_identifiable(self, e: Item) -> None:
        net, scope, points = self.network, self.item["scope"], self.samples.list() if self.samples else []
        self.item["network"].need(net.standard, "needs ReLUs and affine outputs")
        scope.need(scope.value in ("local", "global"), 'must be "local" or "global"')
        name = "family" if scope.value == "local" else "network"
        first, *rest = e.object(name, *([] if self.samples else ["equality"]), "inequivalence")
        second = read_network(first) if name == "network" else read_family(first, net, rest, self.item.values())
        first.need(second.architecture == net.architecture, "must have the same architecture")
        if not self.samples: check_equality(rest[0], [net, second], self.domain)
        for point in points:
            x = point.numbers(net.inputs); point.need(net(x) == second(x), "the values at this sample must be equal")
        check_inequivalence(rest[-1], net, second)
    def globally_identifiable(self, e: Item) -> None:
        net, (interior, types, flips) = self.network, e.object("interior", "types", "flips")
        types.need(not shallow_conditions(net, self.domain, interior, types), "there must be no opposite twins")
        cut = net.inputs + (net.biased == [True, False])
        flat = [[dot([(v, w)]) for v in net.out(i) for w in net.form(i)[:cut]] for i in range(net.widths[1])]
        if flips.has("minor"):
            rows: Rows = lambda m: lambda i: [residue(c, m) for c in flat[i]]
            check_minor(flips.object("minor")[0], len(flat), list(net.values.values()), (len(flat), len(flat[0])), rows)
        elif flips.has("functional"):
            y = flips.object("functional")[0].numbers(len(flat[0]))
            flips.need(all(dot(zip(y, row)) > 0 for row in flat), "must be positive on every neuron")
        else:
            flips.need(flips.value == "exhaustive", 'must be a minor, a functional, or "exhaustive"')
            never_zero(flips, [[ZERO] * len(flat[0]), *flat], 0)
    def minimal_width(self, e: Item) -> None:
        net, width = self.network, self.item["width"].integer(); zero = [[ZERO] * net.inputs] * net.outputs
        network, interior, types = e.object("network", "interior", "types")
        self.item["network"].need(net.shallow and all(net.biased), "must be shallow with biases in both layers")
        self.domain.point(interior, True); small, (first, second) = read_network(network), types.list(2)
        shape = (small.inputs, small.outputs, small.depth) == (net.inputs, net.outputs, 2 if width else 1)
        network.need(shape and all(small.biased), "must have these inputs, outputs, and biases")
        jumps, affine = normal_form(net, read_types(first, net, self.domain))
        if width:
            network.need(small.shallow and small.widths[1] == width, f"must be shallow with {width} hidden neurons")
            found = normal_form(small, read_types(second, small, self.domain))
        else:
            flat = small.standard and not any(w for name, w in small.values.items() if name[2] >= 0)
            network.need(flat and not second.list(), "must be constant")
            found = {}, [[*row, small.get(1, o)] for o, row in enumerate(zero)]
        e.need(found == (jumps, affine), "the normal forms of the two networks must be equal")
        rest, space = width - len(jumps), not self.domain.rows
        for size in range(min(rest, len(jumps) + 1) if space else min(rest, 1)):
            for doubled in combinations(jumps, size):
                free = [key for key in jumps if key not in doubled]
                base, terms = [row[:-1] for row in affine], [add(zero, ONE, jumps[key], key[:-1]) for key in free]
                for key in free: base = add(base, -HALF, jumps[key], key[:-1])
                need = (rest - size + 1) // 2 if space else rest
                search(e, base, terms, [list(key[:-1]) for key in doubled], need)
    def affine_symmetry(self, e: Item) -> None:
        e.object(); check_symmetry(*self.item.values())
    def modification_preserves(self, e: Item) -> None:
        net, names = self.network, ("activation", "atoms", "coefficients", "constant")
        *relation, neurons, weights, bias, additions = e.object(*names, "neurons", "weights", "bias", "additions")
        e.need(net.architecture == self.other.architecture, "the networks must have the same architecture")
        alpha, atoms, zeta = check_symmetry(*relation)
        places, u = [v.integers(2) for v in neurons.list(len(atoms))], dict[Any, Any]()
        key = read_function(relation[0]).key
        layers, distinct, u0 = {v[0] for v in places}, len(set(places)) == len(places), bias.number()
        neurons.need(len(layers) == 1 and distinct and set(places) <= set(net.hidden), "must be distinct, in one layer")
        for entry in weights.list():
            k, j, w = entry.list(3); u_name = k.integer(0, places[0][0] - 1), j.integer(0, net.widths[k.value] - 1)
            entry.need(u_name not in u, "must not repeat a neuron"); u[u_name] = w.number()
        for (l, i), (beta, gamma) in zip(places, atoms):
            row = {(k, j): w for k, j, w in net.edges[l, i] if w and k >= 0}
            same = row == {v: beta * w for v, w in u.items() if w} and net.get(l, i) == beta * u0 + gamma
            neurons.need(same and net.rho[l, i].key == key, f"neuron {[l, i]} must be rho(beta u + gamma)")
        changed = dict(net.values)
        for entry in additions.list():
            child, amount = entry.list(2)
            v, y = child.integers(2), amount.number(); child.need(v in net.rho, "must be a neuron")
            changes: list[Any] = [((*v, *place), y * a) for place, a in zip(places, alpha)]
            for name, change in [*changes, ((*v, -1, 0), -y * zeta)]:
                child.need(not change or name in changed, "must have the edges and the bias")
                changed |= {name: changed[name] + change} if change else {}
        e.need(changed == self.other.values, "the other network must be the network with these additions")

def check_symmetry(rho: Item, atoms: Item, coefficients: Item, constant: Item) -> tuple[Form, list[Form], Fraction]:
    pairs, zeta = [pair.numbers(2) for pair in atoms.list()], constant.number()
    alpha, distinct = coefficients.numbers(len(pairs)), len(set(map(tuple, pairs))) == len(pairs)
    atoms.need(pairs and distinct and all(beta for beta, _ in pairs), "must be distinct, with beta not 0")
    if rho.value in ("tanh", "logistic"):
        total, rest = dict[Any, Fraction](), zeta
        for a, (beta, gamma) in zip(alpha, pairs):
            sign = 1 if beta > 0 else -1
            total[sign * beta, sign * gamma] = total.get((sign * beta, sign * gamma), ZERO) + sign * a
            rest -= a if sign < 0 and rho.value == "logistic" else 0
        coefficients.need(not rest and not any(total.values()), "must cancel"); return alpha, pairs, zeta
    f = read_function(rho); spend(10 * len(pairs) ** 2 * len(f.breaks))
    kinks = sorted({dot([(b - gamma, 1 / beta)]) for beta, gamma in pairs for b in f.breaks}) or [ZERO]
    for t in (kinks[0] - 1, *kinks, kinks[-1] + 1):
        value = dot((a, f(dot([(beta, t), (gamma, ONE)]))) for a, (beta, gamma) in zip(alpha, pairs))
        coefficients.need(value == zeta, f"the relation must hold at t = {shown(str(t))}")
    return alpha, pairs, zeta

def check(data: bytes, engine: Any = None) -> Answer:  # engine(rows, m): whether a square matrix is invertible mod m
    token, digits = _work.set([0, engine]), sys.get_int_max_str_digits(); sys.set_int_max_str_digits(3 * MAX_DIGITS)
    try:
        document = parse(data)
        header = (document.get("format"), document.get("version")) if isinstance(document, dict) else (None, None)
        if header != ("exactrelu/certificate", 1) or type(header[1]) is not int:
            raise Stop(UNREADABLE, 'no object with "format": "exactrelu/certificate", "version": 1')
        _, _, first, evidence = Item(document, "certificate").object("format", "version", "claim", "evidence")
        first.path, evidence.path = "claim", "evidence"
        claim = Claim(first); getattr(claim, claim.id)(evidence); return Answer(0, f"VALID: {claim}")
    except (Stop, MemoryError) as stop:
        code, why = stop.args if isinstance(stop, Stop) else (TOO_LARGE, "out of memory")
        return Answer(code, f"{['', 'REJECTED at ', 'UNREADABLE: ', 'TOO LARGE: '][code]}{why}")
    finally:
        _work.reset(token); sys.set_int_max_str_digits(digits)

def main(arguments: Sequence[str]) -> int:
    try:
        with Path(*arguments).open("rb") as stream: data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        print(f"UNREADABLE: give the path of one certificate: {error}"); return UNREADABLE
    print(f"checking {len(data)} bytes; at most {MAX_WORK} units of work", file=sys.stderr)
    answer = check(data); print(answer.text); return answer.code

if __name__ == "__main__": sys.exit(main(sys.argv[1:]))
