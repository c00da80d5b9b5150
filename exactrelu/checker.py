r"""THE TRUSTED FILE: checks certificates with the standard library and nothing else.

``python -I -S exactrelu/checker.py CERT.json`` says VALID (exit code 0), REJECTED (1), UNREADABLE (2), TOO LARGE (3).
``docs/certificates.md`` is the specification, with proofs; the numbers in comments are its sections.

Glossary: l layer (0 is the input), i, j, o neurons, z pre-activation, rho activation function, m a modulus. A form is
a list of d + 1 numbers, the constant last; an inequality the list (alpha, beta) of alpha x < beta. A state is 2k on
piece k of rho, 2k - 1 on breakpoint k. A parameter is named (l, i, k, j), or (l, i, -1, 0) for a bias."""
# ruff: noqa: B905, D101, D102, D103, D209, E401, E701, E702, E731, E741, I001, RET503, UP014  # laid out by hand
from __future__ import annotations
import bisect, contextvars, copy, json, math, pathlib, re, sys, zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, groupby, pairwise, permutations, product
from operator import mul
from typing import Any, NamedTuple
MAX_BYTES, MAX_ENTRIES, MAX_DEPTH, MAX_DIGITS, MAX_BITS = 64 * 2**20, 5_000_000, 40, 20_000, 1_000_000
MAX_MINOR, MAX_TERMS, MAX_SUBSETS, MAX_COEFFICIENTS, MAX_WORK = 1_200, 40, 65_536, 16, 3 * 10**8
REJECTED, UNREADABLE, TOO_LARGE = 1, 2, 3; ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)
Form = list[Fraction]; Name = tuple[int, int, int, int]
Rows = Callable[[int], Callable[[int], Sequence[int]]]  # for a modulus the function from row numbers to rows
Answer = NamedTuple("Answer", [("code", int), ("text", str)])
_work: contextvars.ContextVar[list[Any]] = contextvars.ContextVar("work")  # the work so far, and the engine
class Stop(Exception): pass  # the exit code, and why a certificate is not valid
def spend(units: int, bits: int = 0) -> None:  # account for work on numbers of a length, before it is done (4)
    meter = _work.get(); meter[0] += units * (1 + bits // 1000) ** 2
    if (meter[0] > MAX_WORK and not meter[1]) or bits > MAX_BITS: raise Stop(TOO_LARGE, "work, or long numbers")

def parse(data: bytes) -> Any:  # strict JSON, bounded in every direction (1, 4)
    if data[:2] == b"\x1f\x8b":
        stream = zlib.decompressobj(31)
        try: data = stream.decompress(data, MAX_BYTES + 1)
        except zlib.error as error: raise Stop(UNREADABLE, f"a broken gzip stream: {error}") from None
        if len(data) <= MAX_BYTES and (not stream.eof or stream.unused_data): raise Stop(UNREADABLE, "no gzip stream")
    if len(data) > MAX_BYTES or sum(map(data.count, (b",", b"[", b"{"))) > MAX_ENTRIES: raise Stop(TOO_LARGE, "file")
    def integer(literal: str) -> int:
        if re.fullmatch("-?[0-9]{1,19}", literal) and abs(int(literal)) < 2**63: return int(literal)
        raise Stop(UNREADABLE, f"no integer below 2^63: {literal[:40]}")
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs): raise Stop(UNREADABLE, f"a repeated key: {shown([k for k, _ in pairs])}")
        return dict(pairs)
    hooks: Any = dict.fromkeys(("parse_float", "parse_constant", "parse_int"), integer)
    try: level: list[Any] = [[value := json.loads(data.decode("utf-8"), object_pairs_hook=unique, **hooks)]]
    except (ValueError, RecursionError) as error: raise Stop(UNREADABLE, f"no JSON: {shown(str(error))}") from None
    for _ in range(MAX_DEPTH + 1):
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
        if not match: raise Stop(REJECTED, f'{self.path}: must be a number such as "-3/7", not {shown(self.value)}')
        sign, whole, below, decimals = match.groups("")
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
def sign(w: Fraction) -> int: return (w > 0) - (w < 0)
def slack(row: Form, x: Form) -> Fraction: return row[-1] - dot(zip(row, x))  # in an inequality
class Function:  # a continuous piecewise-linear rho: breakpoints, and (slope, constant) on every piece
    def __init__(self, breaks: Form, slopes: Form, anchor: Form) -> None:
        kept = [k for k, (left, right) in enumerate(pairwise(slopes)) if left != right]
        self.breaks, steep = tuple(breaks[k] for k in kept), [slopes[0], *(slopes[k + 1] for k in kept)]
        home = bisect.bisect_left(self.breaks, anchor[0]); constants = {home: anchor[1] - steep[home] * anchor[0]}
        for k in [*range(home, len(kept)), *reversed(range(home))]:  # continuity at the breakpoints, outwards
            new, old = (k + 1, k) if k >= home else (k, k + 1)
            constants[new] = dot([(ONE, constants[old]), (steep[old] - steep[new], self.breaks[k])])
        self.pieces = tuple((slope, constants[k]) for k, slope in enumerate(steep))
        self.key = (self.breaks, self.pieces); self.homogeneous = not self(ZERO) and self.breaks in ((), (0,))
    def __call__(self, t: Fraction) -> Fraction:
        slope, constant = self.pieces[bisect.bisect_left(self.breaks, t)]; return slope * t + constant
    def state(self, t: Fraction) -> int: return bisect.bisect_left(self.breaks, t) + bisect.bisect(self.breaks, t)
    def affine(self, state: int) -> tuple[Fraction, Fraction]:  # slope and constant; on a breakpoint rho is constant
        return (ZERO, self(self.breaks[state // 2])) if state % 2 else self.pieces[state // 2]
NAMED = {  # breakpoints, slopes, anchor
    "relu": ("0", "0 1", "0 0"), "identity": ("", "1", "0 0"), "abs": ("0", "-1 1", "0 0"),
    "hard_tanh": ("-1 1", "0 1 0", "0 0"), "relu6": ("0 6", "0 1 0", "0 0"), "hat": ("-1 0 1", "0 1 -1 0", "0 1")}
RELU, IDENTITY = ((ZERO,), ((ZERO, ZERO), (ONE, ZERO))), ((), ((ONE, ZERO),))
def read_function(item: Item) -> Function:
    if isinstance(item.value, str):
        item.need(item.value in NAMED, f"must be one of {', '.join(NAMED)}, not {shown(item.value)}")
        return Function(*([Fraction(t) for t in part.split()] for part in NAMED[item.value]))
    name = item.kind(dict, "a name or an object").get("name")
    if name == "leaky_relu": return Function([ZERO], [item.object("name", "slope")[1].number(), ONE], [ZERO, ZERO])
    keys = ("name", "lower", "upper") if name == "clip" else ("breakpoints", "slopes", "anchor")
    first, second, third = item.object(*keys)
    if name == "clip": breaks = [second.number(), third.number()]; slopes, anchor = [ZERO, ONE, ZERO], [breaks[0]] * 2
    else: breaks, anchor = first.numbers(), third.numbers(2); slopes = second.numbers(len(breaks) + 1)
    item.need(all(a < b for a, b in pairwise(breaks)), "must have ascending breakpoints")
    return Function(breaks, slopes, anchor)

class Network:  # run gives pre-activations and values as forms: on given states, or (forms of size 1) at a point
    def __init__(self, widths: list[int], rho: dict[tuple[int, int], Function], values: dict[Name, Fraction]) -> None:
        self.inputs, *_, self.outputs = self.widths = widths; self.rho, self.depth = rho, len(widths) - 1
        order = sorted(values, key=lambda name: (name[0], name[2] < 0, name[2], name[1], name[3]))
        self.values = {name: values[name] for name in order}; self.hidden = [(l, i) for l, i in rho if l < self.depth]
        self.free = {v for v in self.hidden if rho[v].homogeneous}  # those that can be rescaled
        self.edges: dict[tuple[int, int], list[tuple[int, int, Fraction]]] = {v: [] for v in rho}
        for (l, i, k, j), w in self.values.items(): self.edges[l, i].append((k, j, w))
        self.vertices = [(-1, 0), *((0, j) for j in range(self.inputs)), *rho]  # a bias is an edge from (-1, 0)
        self.keys = {v: f.key for v, f in rho.items()}
        self.architecture, self.homogeneous = (widths[0], order, self.keys), all(f.homogeneous for f in rho.values())
        self.standard = all(key == (RELU if l < self.depth else IDENTITY) for (l, _), key in self.keys.items())
        below = [k == l - 1 for l, _, k, _ in order if k >= 0]
        self.shallow = self.standard and self.depth == 2 and below == [True] * (widths[1] * (widths[0] + widths[2]))
        self.nonzero = [name for name, w in self.values.items() if w]
        self.signs = {name: sign(w) for name, w in values.items()}
        self.active = {name[:2] for name in self.nonzero} & {name[2:] for name in self.nonzero}
        self.admissible, self.full_rank = self.active >= set(self.hidden), len(values) - len(self.hidden)
        self.biased = [(l, 0, -1, 0) in values for l in range(1, self.depth + 1)]
        self.cut = self.inputs + (self.biased == [True, False])  # entries of forms that no output bias takes up (3)
    def get(self, l: int, i: int, k: int = -1, j: int = 0) -> Fraction: return self.values.get((l, i, k, j), ZERO)
    def form(self, i: int, l: int = 1) -> Form:  # what a neuron reads from the input, and its bias
        return [*(self.get(l, i, 0, j) for j in range(self.inputs)), self.get(l, i)]
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
        for l, i, k, j in self.nonzero: fed |= {(l, i)} if (k, j) in fed else set()
        for l, i, k, j in reversed(self.nonzero): heard |= {(k, j)} if (l, i) in heard else set()
        visible = sum((l, i) in heard and (k, j) in fed for l, i, k, j in self.values)
        return visible - sum(v in fed and v in heard for v in self.hidden)
def read_header(item: Item, kind: str, *keys: str) -> list[Item]:
    name, version, *rest = item.object("format", "version", *keys); version.integer(1, 1)
    name.need(name.value == f"exactrelu/{kind}", f'must be "exactrelu/{kind}"'); return rest
def read_network(item: Item, function: Any = read_function) -> Network:
    inputs, layers = read_header(item, "network", "input_dim", "layers")
    widths, rho, values = [inputs.integer(1, MAX_ENTRIES)], dict[Any, Function](), dict[Name, Fraction]()
    layers.need(layers.list(), "must have at least one layer")
    for l, entry in enumerate(layers.list(), 1):
        functions, weights, bias = entry.object("activation", "weights", "bias")
        if isinstance(weights.value, list): weights = Item({str(l - 1): weights.value}, weights.path)
        earlier = set(map(str, range(l)))
        weights.need(set(weights.kind(dict, "an object or a matrix")) <= earlier, "must have earlier layers as keys")
        before, blocks = len(values), dict(zip(map(int, weights.value), weights.object(*weights.value)))
        offsets = None if bias.value is None else bias.numbers()
        width = max((len(block.list()) for block in blocks.values()), default=0) if offsets is None else len(offsets)
        for k, block in blocks.items():
            for i, row in enumerate(block.list(width)):
                cells = enumerate(row.list(widths[k]))
                values |= {(l, i, k, j): cell.number() for j, cell in cells if cell.value is not None}
        values |= {(l, i, -1, 0): b for i, b in enumerate(offsets or ())}
        entry.need(len(values) > before, "must have a neuron, and an edge or biases")
        each = isinstance(functions.value, list)
        shared = [function(f) for f in functions.list(width)] if each else [function(functions)] * width
        rho |= {(l, i): f for i, f in enumerate(shared)}; widths.append(width)
    return Network(widths, rho, values)

class Domain:  # X: its inequalities by number, without those that have normal 0
    def __init__(self, item: Item, d: int) -> None:
        self.size, self.text = d + 1, item.value if isinstance(item.value, str) else "the given polyhedron"
        rows = list((self._sides if isinstance(item.value, str) else self._listed)(item, d))
        item.need(all(any(row[:-1]) or row[-1] >= 0 for row in rows), "must not be empty")
        self.rows = {j: row for j, row in enumerate(rows) if any(row[:-1])}
    def _listed(self, item: Item, d: int) -> Iterator[Form]:
        for entry in read_header(item, "domain", "halfspaces")[0].list():
            normal, bound = entry.object("normal", "bound"); yield [*normal.numbers(d), bound.number()]
    def _sides(self, item: Item, d: int) -> Iterator[Form]:
        side = 0
        for factor in item.value.split("x"):
            match = re.fullmatch(r"(?:R|\[([^,\]]*),([^,\]]*)\])(?:\^([1-9][0-9]{0,6}))?", factor)
            if not match: raise Stop(REJECTED, f"{item.path}: no product of R, R^n, [a,b], [a,b]^n: {shown(factor)}")
            low, high, count = match.groups(); first, side = side, side + int(count or 1)
            ends = [Item(end, item.path).number() for end in (low, high) if low is not None]
            item.need(side <= d and ends == sorted(set(ends)), f"must have dimension {d}, and sides with a < b")
            for k in range(first, side) if ends else ():
                spend(200 * d); yield [-c for c in unit(k, d)] + [-ends[0]]; yield [*unit(k, d), ends[1]]
        item.need(side == d, f"must have dimension {d}")
    def point(self, item: Item, inside: bool = False) -> Form:
        x = item.numbers(self.size - 1); gaps = [slack(row, x) for row in self.rows.values()]
        item.need(all(gap > 0 or (gap == 0 and not inside) for gap in gaps), "must lie in the domain"); return x
def combination(item: Item, known: dict[Any, Form], size: int, signed: Any = ()) -> Form:
    terms: dict[Any, tuple[Fraction, Form]] = {}  # the combination (2.2), and last the sum of its multipliers
    for entry in item.list():
        name, factor = entry.list(2); key: Any = name.value if type(name.value) is int else name.integers(4)
        name.need(key in known and key not in terms, "must name, once, an inequality of the cell")
        terms[key] = y, _ = factor.number(), known[key]; factor.need(y >= 0 or key in signed, "must not be negative")
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
    def put(self, table: Any, key: Any, value: Any) -> None: table[key] = value; self.trail.append((table, key))
    def rewind(self, depth: int) -> None:
        while len(self.trail) > depth: table, key = self.trail.pop(); del table[key]
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
            node.need(pending, "the tree is complete before"); depth, choice = pending.pop(); self.rewind(depth)
            if choice: self.enter(*choice)
            if isinstance(node.value, list): pending += self.split(node)
            elif node.has("empty"):
                k = node.object("empty")[0].integer(0, len(combinations) - 1)
                self.empty(combinations[k], node)
            else:
                node.need(node.has(final) if final == "point" else node.value == final, f"must be a {final}, or empty")
                ready = all(self.decided(n, net.depth + 1) for n, net in enumerate(self.networks))
                node.need(ready, "all bending neurons must be split above"); yield node
        tree.need(not pending, "the tree is not complete")
    def empty(self, item: Item, leaf: Item) -> None: refute(item, self.rows, self.size, leaf)
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
            m = len(net.rho[l, i].breaks); spend(m); cell.decided(0, l)
            names = [*"-0+"] if m == 1 else [f"{'=' * (s % 2)}{(s + 1) // 2}" for s in range(2 * m + 1)]
            item.need(token in names, f"must have states, not {shown(token)}")
            cell.enter(0, l, i, names.index(token), cell.form(0, l, i), constants=True)
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
        point.need(not any(state % 2 for state in states.values()), "is on a kink"); runs.append((values, states))
    numbers = [*net.values.values(), *(values[0, j][0] for values, _ in runs for j in range(net.inputs))]
    numbers += [c for f in {f.key: f for f in net.rho.values()}.values() for piece in f.pieces for c in piece]
    def row(m: int, number: int) -> list[int]:
        values, states = runs[number // net.outputs]; below = {u: residue(a[0], m) for u, a in values.items()}
        factors = zip(gradient(net, states, number % net.outputs), net.values)
        return [residue(g, m) * below[name[2:]] % m if g else 0 for g, name in factors]
    shape = len(runs) * net.outputs, len(net.values)
    check_minor(item, rank, numbers, shape, lambda m: lambda number: row(m, number)); return runs
def read_kernel(item: Item, width: int, count: int) -> list[Form]:  # 2.5
    columns, vectors = item.object("columns", "vectors"); places, found = columns.distinct(count, width), []
    for i, v in enumerate(vectors.list(count)):
        found.append(v.numbers(width)); v.need([found[-1][c] for c in places] == unit(i, count), "must be a unit row")
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
        if kind == "zero": entry.need(entry.value == "zero" and not any(form), 'must be a type, or a true "zero"')
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
    names = ["types"] if item.has("types") else ["combinations", "tree"]
    interior, *rest = item.object("interior", *names, *filter(item.has, ["flat"]))
    if len(rest) > len(names): nets, domain = flattened(rest.pop(), nets, domain)
    domain.point(interior, True)
    if len(rest) == 1:
        first, second = (normal_form(net, read_types(t, net, domain)) for t, net in zip(rest[0].list(2), nets))
        return item.need(first == second, "the normal forms must be equal")
    cell = Cell(nets, domain)
    for leaf in cell.leaves("cell", *rest):
        maps = [[cell.forms[n, net.depth, o] for o in range(net.outputs)] for n, net in enumerate(nets)]
        leaf.need(maps[0] == maps[1], "the affine maps must be equal on this cell")
def flattened(item: Item, nets: Sequence[Network], domain: Domain) -> tuple[list[Network], Domain]:  # 2.7
    refute(item, domain.rows, domain.size, item); forms = {j: [*row[:-1], -row[-1]] for j, row in domain.rows.items()}
    basis = echelon([forms[name.value] for name, y in map(Item.list, item.list()) if y.number()]); changed = []
    for net in nets:
        values = dict(net.values)
        for l, i in net.rho:
            *row, values[l, i, -1, 0] = modulo(basis, net.form(i, l))
            values |= {(l, i, 0, j): w for j, w in enumerate(row) if w or (l, i, 0, j) in values}
        changed.append(Network(net.widths, net.rho, values))
    rows, domain = {j: modulo(basis, form) for j, form in forms.items()}, copy.copy(domain)
    domain.rows = {j: [*row[:-1], -row[-1]] for j, row in rows.items() if any(row[:-1])}; return changed, domain
def check_inequivalence(item: Item, first: Network, second: Network) -> None:  # 2.8
    if item.has("point"):
        x = item.object("point")[0].numbers(first.inputs); return item.need(first(x) != second(x), "must differ there")
    item.need(item.object("invariant")[0].value == "colours", 'must have a point, or the invariant "colours"')
    (graph, start), (other, begin), classes = invariants(first), invariants(second), 0
    while Counter(start.values()) == Counter(begin.values()):
        if len(set(start.values())) == classes: return check_moves(item, first, second, start, begin)
        classes, names = len(set(start.values())), dict[Any, int]()
        start, begin = refined(graph, start, names), refined(other, begin, names)
def check_moves(item: Item, first: Network, second: Network, start: dict[Any, Any], begin: dict[Any, Any]) -> None:
    here, there = ([[*g] for _, g in groupby(sorted(of, key=of.__getitem__), of.__getitem__)] for of in (start, begin))
    sizes = [min(len(found), 9) for found in here if len(found) > 1]; many = len(sizes) > 16  # 2^17 and 9! are too many
    if many or math.prod(map(math.factorial, sizes)) > MAX_SUBSETS: raise Stop(TOO_LARGE, "too many permutations")
    for orders in product(*map(permutations, there)):
        place = {v: w for found, order in zip(here, orders) for v, w in zip(found, order)}
        item.need(not rescales(first, second, place), "permuted and rescaled, one network is the other")
def rescales(first: Network, second: Network, place: dict[Any, Any]) -> bool:  # 2.8: first, with its neurons moved
    bits = max(c.bit_length() for net in (first, second) for w in net.values.values() for c in w.as_integer_ratio())
    spend(40 * (len(first.vertices) + len(first.values)), bits); near: dict[Any, Any] = {v: [] for v in place.values()}
    moved = {(*place[name[:2]], *place[name[2:]]): w for name, w in first.values.items()}
    if {name: sign(w) for name, w in moved.items()} != second.signs: return False
    for (l, i, k, j), ratio in ((name, second.values[name] / w) for name, w in moved.items() if w):
        near[k, j].append(((l, i), ratio)); near[l, i].append(((k, j), 1 / ratio))
    scale = {v: ONE for v in near if v not in second.free}; pending = [*second.free, *scale]
    while pending:
        u = pending.pop(); scale.setdefault(u, ONE); fresh = [(v, ratio) for v, ratio in near[u] if v not in scale]
        for v, ratio in fresh: scale[v] = dot([(scale[u], ratio)]); pending.append(v)
    return all(scale[v] == dot([(scale[u], ratio)]) for u, found in near.items() for v, ratio in found)
def refined(edges: list[Any], old: dict[Any, Any], names: dict[Any, int]) -> dict[Any, Any]:
    spend(8 * len(edges)); seen: dict[Any, Counter[Any]] = {v: Counter() for v in old}
    for u, v, invariant in edges: seen[v][0, invariant, old[u]] += 1; seen[u][1, invariant, old[v]] += 1
    return {v: names.setdefault((old[v], frozenset(found.items())), len(names)) for v, found in seen.items()}
def invariants(net: Network) -> tuple[list[Any], dict[Any, Any]]:  # edges with their invariants, and first colours
    free = net.free; s = {v: ZERO if v in free else ONE for v in net.vertices}
    t, gauge, edges = dict(s), dict.fromkeys(s, ONE), list[Any]()
    for (l, i, k, j), w in net.values.items():
        s[l, i] = dot([(ONE, s[l, i]), (abs(w), s[k, j])]) if (l, i) in free else ONE
    for (l, i, k, j), w in reversed(net.values.items()):
        t[k, j] = dot([(ONE, t[k, j]), (abs(w), t[l, i])]) if (k, j) in free else ONE
    gauge |= {v: s[v] or (1 / t[v] if t[v] else ZERO) for v in free}
    for (l, i, k, j), w in net.values.items():  # (-1, 0) is a vertex like an input, with the biases as its edges
        g, h = gauge[k, j], gauge[l, i]; edges.append(((k, j), (l, i), w * g / h if g and h else ("sign", sign(w))))
    return edges, {v: (v[0] if 0 < v[0] < net.depth else v, net.keys.get(v)) for v in s}
def read_family(item: Item, net: Network, rest: list[Item], given: Iterable[Item]) -> Network:  # at t = 2^-K (2.9)
    names = {f"b[{l}][{i}]" if k < 0 else f"w[{l}<-{k}][{i},{j}]": (l, i, k, j) for l, i, k, j in net.values}
    item.need(set(item.kind(dict, "an object")) <= set(names), "must have names of parameters as keys")
    moving = {names[text]: Item(value, f"{item.path}[{text!r}]") for text, value in item.value.items()}
    for name, entry in moving.items(): entry.need(entry.numbers()[:1] == [net.values[name]], "must begin at theta")
    whole = json.dumps([part.value for part in (item, *rest, *given)])
    length = sum(4 * len(text) << ("." in text) for text in {*re.findall(r'"(-?[0-9]+[/.]?[0-9]*)"', whole)})
    t = Fraction(1, 2 ** (16 * net.depth * (length + 32)))
    for other in (*rest, *moving.values()): other.moment = t
    return Network(net.widths, net.rho, net.values | {name: entry.number() for name, entry in moving.items()})
def echelon(rows: Sequence[Form]) -> tuple[list[Form], list[int]]:  # reduced; and the pivot columns
    basis, pivots = list[Form](), list[int]()
    for row in (modulo((basis, pivots), row) for row in rows):
        if any(row):
            p = next(c for c, a in enumerate(row) if a); first = combine([(1 / row[p], row)], len(row))
            basis, pivots = [*(modulo(([first], [p]), other) for other in basis), first], [*pivots, p]
    return basis, pivots
def rank_of(rows: Sequence[Form]) -> int: return len(echelon(rows)[1])
def modulo(basis: tuple[list[Form], list[int]], row: Form) -> Form:  # 0 in the pivot columns
    return combine([(ONE, row), *((-row[p], other) for other, p in zip(*basis))], len(row))
def search(item: Item, base: Any, terms: list[Any], rows: list[Form], need: int, trivial: int | None) -> None:  # 2.10
    basis, width = echelon(rows), len(base[0])
    cut = [[c for row in matrix for c in modulo(basis, row)] for matrix in (base, *terms)]
    spend(100 + (2 ** min(len(terms), 99) * (MAX_WORK // MAX_SUBSETS) if need > 1 else 0))
    if need == 1: return never_zero(item, cut, trivial)
    for mask in range(2 ** len(terms)):
        total = [sum(es, ZERO) for es in zip(cut[0], *(v for k, v in enumerate(cut[1:]) if mask >> k & 1))]
        rank = rank_of([total[k : k + width] for k in range(0, len(total), width)])
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
def competitors(e: Item, net: Network, form: Any, domain: Domain, spare: int, walls: dict[Any, Any]) -> None:  # 2.10
    (jumps, affine), cut, space = form, net.cut, not domain.rows or not net.biased[0]
    planes = [*jumps, *([(ZERO,) * net.inputs + (ONE,)] if cut > net.inputs else [])]  # the last one is a constant
    start = [row[:cut] for row in affine]
    for key, jump in jumps.items(): start = add(start, -HALF, jump, key[:cut])
    for size in range(min(spare, len(planes) if space else 0) + 1):
        for doubled in combinations(planes, size):
            free = [key for key in jumps if key not in doubled]
            own = walls and {*doubled} == {key for key in jumps if len(walls[key]) == 2}
            trivial = sum((True not in walls[key]) << k for k, key in enumerate(free)) if own else None
            terms = [add([[ZERO] * cut] * net.outputs, ONE, jumps[key], key[:cut]) for key in free]
            need = ((spare - size) // 2 if space else spare) + 1
            search(e, start, terms, [list(key[:cut]) for key in doubled], need, trivial)
def shallow_conditions(net: Network, domain: Domain, interior: Item, types: Item, *rigid: Item) -> tuple[Any, ...]:
    domain.point(interior, True); kinds, walls = read_types(types, net, domain), dict[Any, dict[bool, int]]()  # 3
    outs, on = [net.out(i) for i in range(len(kinds))], [net.form(i) for i, kind in enumerate(kinds) if kind == "on"]
    if not net.biased[0]: domain.point(Item(["0"] * net.inputs, "claim.domain"), True)
    silent = not net.biased[0] and net.outputs == 1 and {*kinds} == {"zero"}  # nearby ones must stay so
    if silent and not rigid and min(outs)[0] * max(outs)[0] > 0: return {}, {}, 1
    types.need({*kinds} <= {"kinked", "on"}, "all neurons must be kinked, or on where a bias is missing")
    for i, kind in enumerate(kinds):
        types.need(any(outs[i]) or (net.inputs == 1 and not net.biased[0]), f"neuron {i} must have a nonzero output")
        if kind == "kinked":
            key, lead = side(net.form(i)); found = walls.setdefault(key, {})
            types.need((lead > 0) not in found, "there must be no positive twins"); found[lead > 0] = i
    form = normal_form(net, kinds); twins = [key for key, found in walls.items() if len(found) == 2]
    pairs = [list(key[: net.cut]) for key in twins if key in form[0]]; loose = len(twins) - len(pairs) + len(on)
    types.need(loose <= (not all(net.biased)), "opposite twins must not cancel, and nothing else may be affine")
    types.need(rank_of(pairs) == len(pairs), "opposite twins must be independent")
    types.need(bool(rigid) == bool(loose and pairs) and len(rigid) <= len(on), "opposite twins take up what is affine")
    if rigid:  # what is affine, and opposite twins that must not be able to take it up
        points, rows = [p.numbers(domain.size) for p in rigid[0].list()], domain.rows.values()
        for p in points:
            good = p[-1] >= 0 == dot(zip(on[0], p)) and all(row[-1] * p[-1] >= dot(zip(row[:-1], p)) for row in rows)
            rigid[0].need(good, "must be points and directions of the domain where the neuron is 0")
        table = [[dot(zip(pair, p)) for pair in pairs] for p in points]
        rigid[0].need(not any(map(sum, zip(*table))) and rank_of(table) == len(pairs), "must hold the twins fast")
    return walls, form, loose

CLAIMS = {  # fields, and the sentence that is proved
    "value": ("network point value", "{network} has the stated value at the stated point"),
    "different_function": ("network other domain", "{network} and {other} differ at a point of {X}"),
    "same_function": ("network other domain", "{network} and {other} are equal on {X}"),
    "scaling_equivalent": ("network other", "{network} and {other} are equal up to rescaling"),
    "ps_equivalent": ("network other", "{network} and {other} are equal up to permutation and rescaling"),
    "region_nonempty": ("network domain pattern cell", "the {cell} cell {pattern} of {network} on {X} is not empty"),
    "region_empty": ("network domain pattern cell", "the {cell} cell {pattern} of {network} on {X} is empty"),
    "regions_complete": ("network domain count", "{network} has exactly {count} activation regions on {X}"),
    "adjacent": ("network domain patterns neurons", "the regions {patterns} of {network} on {X} share a facet"),
    "admissible": ("network", "{network} is admissible"),
    "embedding_rank": ("network rank", "the path embedding of {network} has a derivative of rank {rank}"),
    "sample_rank": ("network samples rank", "the Jacobian of {network} at the samples has rank {rank}"),
    "functional_dimension": ("network domain dimension", "{network} has functional dimension {dimension} on {X}"),
    "locally_identifiable": ("network where", "{network} is locally identifiable from its values on {X}"),
    "not_identifiable": ("network scope where", "{network} is not identifiable ({scope}) from its values on {X}"),
    "globally_identifiable": ("network domain", "{network} is globally identifiable from its values on {X}"),
    "minimal_width": ("network domain width", "the function of {network} on {X} needs exactly {width} hidden neurons"),
    "affine_symmetry": ("activation atoms coefficients constant", "atoms of {activation} are related as stated"),
    "modification_preserves": ("network other", "the modification of {network} to {other} preserves its function")}
OPPOSITES = ("scaling_equivalent", "ps_equivalent", "admissible", "affine_symmetry")
CLAIMS |= {f"not_{id}": (CLAIMS[id][0], re.sub(" (is|are) ", r" \1 not ", CLAIMS[id][1])) for id in OPPOSITES}
class Claim:  # the method of its name checks the evidence e
    network: Network; other: Network; domain: Domain; known, function = CLAIMS, staticmethod(read_function)
    def __init__(self, item: Item) -> None:
        self.id = item.kind(dict, "an object").get("id")
        item.need(isinstance(self.id, str) and self.id in self.known, f"must have a known id, not {shown(self.id)}")
        fields = self.known[self.id][0].replace("where", "samples" if item.has("samples") else "domain").split()
        self.item = dict(zip(fields, item.object("id", *fields)[1:]))
        for n in sorted({"network", "other"} & set(fields)): setattr(self, n, read_network(self.item[n], self.function))
        if "domain" in fields: self.domain = Domain(self.item["domain"], self.network.inputs)
        if "other" in fields:
            same = (self.network.inputs, self.network.outputs) == (self.other.inputs, self.other.outputs)
            self.item["other"].need(same, "must have as many inputs and outputs as the network")
        self.samples = self.item.get("samples")
    def __str__(self) -> str:
        words = {name: shown(item.value).strip("'") for name, item in self.item.items()}
        words |= {name: str(getattr(self, name)) for name in ("network", "other") if name in words}
        return self.known[self.id][1].format(X=self.domain.text if "domain" in words else "the samples", **words)
    def cost(self, e: Item) -> int:  # about how many units of work, from the sizes of all lists by name (4)
        nets = [getattr(self, name) for name in ("network", "other") if name in self.item]; sizes = Counter[str]()
        pending: list[tuple[str, Any]] = [("", {name: x.value for name, x in (self.item | {"": e}).items()})]
        for key, value in pending:  # which grows
            sizes[key] += len(value); inner = value.items() if isinstance(value, dict) else ((key, x) for x in value)
            pending += [(name, x) for name, x in inner if isinstance(x, dict | list)]
        shapes = [(len(net.values) * net.outputs, net.inputs, net.widths[1]) for net in nets]
        D, d, h = (1 + sum(counts) for counts in zip((0, 0, 0), *shapes)); r = math.isqrt(sizes["inverse"])
        search = 2 ** (min(h, 60) // 2 + 3) if e.has("flips") or "width" in self.item else 0
        forms = sizes["tree"] * (D // h + 1) + sizes["combinations"] + sizes["vectors"] * (sizes["tree"] // 8 + 1)
        return int(D * (sizes["samples"] + d) + d * forms + r**3 // 16 + search)
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
        moved = {(*place[name[:2]], *place[name[2:]]): w for name, w in net.values.items()}
        image = {name: dot([(w, scale[name[:2]] / scale[name[2:]])]) for name, w in moved.items()}
        e.need(image == self.other.values, "the result must be the other network")
    def not_ps_equivalent(self, e: Item) -> None: check_inequivalence(e, self.network, self.other)
    def not_scaling_equivalent(self, e: Item) -> None:
        e.object(); net = self.network; same = dict(zip(net.vertices, net.vertices))
        e.need(net.keys != self.other.keys or not rescales(net, self.other, same), "rescaled, one network is the other")
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
            v = e.object("neuron")[0].integers(2); own = [row for name, row in cell.equations.items() if name[1:3] == v]
            return e.need(any(map(any, own)), "the neuron must be in state 0, but not identically")
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
            good = all(gap >= 0 for gap, _ in gaps) and tight and all(any(row[:-1]) for row in tight); walls += tight
            e.need(good, "the point must satisfy the inequalities of both patterns, and lie on a wall of both regions")
        keys = {(key, lead > 0) for key, lead in map(side, walls)}
        e.need(len(keys) == 1, "the regions must lie on opposite sides of one hyperplane")
    def admissible(self, e: Item) -> None:
        e.object(); e.need(self.network.admissible, "a hidden neuron has only zeros on one side")
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
            vectors = read_kernel(kernel, len(net.values), len(net.values) - rank)
            for values, states in runs: check_kernel(kernel, net, vectors, values, states)
    def functional_dimension(self, e: Item) -> None:
        net, rank = self.network, self.item["dimension"].integer()
        more = [] if rank == self.network.rank_bound() else ["kernel", "combinations", "tree"]
        interior, samples, minor, *rest = e.object("interior", "samples", "minor", *more)
        self.domain.point(interior, True); check_jacobian_minor(minor, rank, net, samples, self.domain)
        if rest:
            kernel, cell = read_kernel(rest[0], len(net.values), len(net.values) - rank), Cell([net], self.domain)
            for leaf in cell.leaves("cell", *rest[1:]):
                if not any(state % 2 for state in cell.states[0].values()):  # else there is no smooth point
                    check_kernel(leaf, net, kernel, net.run(cell.inputs, cell.states[0])[1], cell.states[0])
    def locally_identifiable(self, e: Item) -> None:
        if self.samples is None and e.has("types"):
            parts = e.object("interior", "types", *filter(e.has, ["rigid"]))
            shallow_conditions(self.network, self.domain, *parts); return
        minor, *rest = e.object("minor", *(["samples"] if self.samples is None else []))
        e.need(self.network.standard and self.network.admissible, "needs ReLUs, affine outputs, admissible parameters")
        rank, where = self.network.full_rank, (rest[0], self.domain) if rest else (self.samples, None)
        check_jacobian_minor(minor, rank, self.network, *where)
    def not_identifiable(self, e: Item) -> None:
        net, scope, points = self.network, self.item["scope"], self.samples.list() if self.samples else []
        self.item["network"].need(net.standard, "needs ReLUs and affine outputs")
        scope.need(scope.value in ("local", "global"), 'must be "local" or "global"')
        if points and e.has("relations"): return self.short_rank(*e.object("minor", "relations"))
        name = "family" if scope.value == "local" else "network"
        first, *rest = e.object(name, *([] if self.samples else ["equality"]), "inequivalence")
        second = read_network(first) if name == "network" else read_family(first, net, rest, self.item.values())
        first.need(second.architecture == net.architecture, "must have the same architecture")
        if not self.samples: check_equality(rest[0], [net, second], self.domain)
        for point in points:
            x = point.numbers(net.inputs); point.need(net(x) == second(x), "the values at this sample must be equal")
        check_inequivalence(rest[-1], net, second)
    def short_rank(self, minor: Item, relations: Item) -> None:  # 2.11
        net, (rows, *_) = self.network, minor.object("rows", "columns", "modulus", "inverse"); rank = len(rows.list())
        minor.need(net.admissible and rank < net.full_rank, "must have fewer rows, and parameters must be admissible")
        runs = check_jacobian_minor(minor, rank, net, self.item["samples"]); size = len(runs) * net.outputs
        vectors, products = read_kernel(relations, size, size - rank), dict[Any, Fraction]()
        ones = Network(net.widths, net.rho, dict.fromkeys(net.values, ONE)); spend(100 * len(runs) ** 2)
        for (s, (x, on)), (t, (y, also)) in combinations_with_replacement(enumerate(runs), 2):
            common = [[dot([(x[0, j][0], y[0, j][0])])] for j in range(net.inputs)]
            sums = ones.run(common, {v: min(on[v], also[v]) for v in net.rho})[1]
            for o in range(net.outputs): products[s, t, o] = products[t, s, o] = sums[net.depth, o][0]
        for number, vector in enumerate(vectors):
            named = [(*divmod(k, net.outputs), c) for k, c in enumerate(vector) if c]
            square = [(c, dot((d, products[s, t, o]) for t, p, d in named if o == p)) for s, o, c in named]
            relations.need(not dot(square), f"vector {number} must be a relation between path activations")
    def globally_identifiable(self, e: Item) -> None:
        net, (interior, types, flips) = self.network, e.object("interior", "types", "flips")
        walls, form, loose = shallow_conditions(net, self.domain, interior, types)
        size, spare = net.widths[1], net.widths[1] - len(walls)
        types.need(not loose and all(any(net.out(i)) for i in range(size)), "all neurons must be kinked and heard")
        flat = [[dot([(v, w)]) for v in net.out(i) for w in net.form(i)[: net.cut]] for i in range(size)]
        if flips.has("minor") and not spare:
            rows: Rows = lambda m: lambda i: [residue(c, m) for c in flat[i]]
            check_minor(flips.object("minor")[0], size, list(net.values.values()), (size, len(flat[0])), rows)
        elif flips.has("functional") and not spare:
            y = flips.object("functional")[0].numbers(len(flat[0]))
            flips.need(all(dot(zip(y, row)) > 0 for row in flat), "must be positive on every neuron")
        else:
            flips.need(flips.value == "exhaustive", 'must be "exhaustive", or without twins a minor or a functional')
            competitors(flips, net, form, self.domain, spare, walls)
    def minimal_width(self, e: Item) -> None:
        net, width = self.network, self.item["width"].integer()
        network, interior, types = e.object("network", "interior", "types")
        self.item["network"].need(net.shallow and all(net.biased), "must be shallow with biases in both layers")
        self.domain.point(interior, True); small, (first, second) = read_network(network), types.list(2)
        shape = (small.inputs, small.outputs, small.depth) == (net.inputs, net.outputs, 2 if width else 1)
        flat, form = [small.form(o) for o in range(net.outputs)], normal_form(net, read_types(first, net, self.domain))
        constant = small.standard and not any(any(row[:-1]) for row in flat) and not second.list()
        good = small.shallow and small.widths[1] == width if width else constant
        network.need(shape and good and all(small.biased), f"must be of width {width}, with inputs, outputs and biases")
        found = normal_form(small, read_types(second, small, self.domain)) if width else ({}, flat)
        e.need(found == form, "the normal forms of the two networks must be equal")
        competitors(e, net, form, self.domain, width - 1 - len(form[0]), {})
    def affine_symmetry(self, e: Item, wanted: bool = True) -> None:
        e.object(); e.need(read_symmetry(*self.item.values())[3] is wanted, f"the relation must be {wanted} for all t")
    def not_affine_symmetry(self, e: Item) -> None: self.affine_symmetry(e, False)
    def modification_preserves(self, e: Item) -> None:
        net, names = self.network, ("activation", "atoms", "coefficients", "constant")
        *law, neurons, weights, bias, additions = e.object(*names, "neurons", "weights", "bias", "additions")
        e.need(net.architecture == self.other.architecture, "the networks must have the same architecture")
        alpha, atoms, zeta, good = read_symmetry(*law); law[2].need(good, "must cancel for all t")
        places, u0, key = [x.integers(2) for x in neurons.list(len(atoms))], bias.number(), self.function(law[0]).key
        neurons.need({*places} <= {*net.hidden}, "must be hidden"); u, known = dict[Any, Any](), {*net.vertices}
        for entry in weights.list():
            k, j, w = entry.list(3); source = k.integer(), j.integer()
            entry.need(source in known and source not in u, "must name a neuron once"); u[source] = w.number()
        for (l, i), (beta, gamma) in zip(places, atoms):
            row = {(k, j): w for k, j, w in net.edges[l, i] if w and k >= 0}
            same = row == {v: beta * w for v, w in u.items() if w} and net.get(l, i) == beta * u0 + gamma
            neurons.need(same and net.rho[l, i].key == key, f"neuron {[l, i]} must be rho(beta u + gamma)")
        changed: dict[Any, Fraction] = dict(net.values)
        for entry in additions.list():
            child, amount = entry.list(2); v, y = child.integers(2), amount.number()
            child.need(v in net.rho, "must be a neuron")
            for neuron, a in zip([*places, (-1, 0)], [*alpha, -zeta]):
                child.need(not y * a or (*v, *neuron) in changed, "must have the edges and the bias")
                if y * a: changed[*v, *neuron] += y * a
        e.need(changed == self.other.values, "the other network must be the network with these additions")
def read_symmetry(rho: Item, atoms: Item, coefficients: Item, constant: Item) -> tuple[Form, Any, Fraction, bool]:
    pairs, zeta = [pair.numbers(2) for pair in atoms.list()], constant.number()  # last: whether it holds for all t
    alpha, distinct = coefficients.numbers(len(pairs)), len(set(map(tuple, pairs))) == len(pairs)
    atoms.need(pairs and distinct and all(beta for beta, _ in pairs), "must be distinct, with beta not 0")
    if rho.value in ("tanh", "logistic"):
        total, rest = dict[Any, Fraction](), zeta
        for a, (beta, gamma) in zip(alpha, pairs):
            sign = 1 if beta > 0 else -1
            total[sign * beta, sign * gamma] = total.get((sign * beta, sign * gamma), ZERO) + sign * a
            rest -= a if sign < 0 and rho.value == "logistic" else 0
        return alpha, pairs, zeta, not rest and not any(total.values())
    f = read_function(rho); spend(10 * len(pairs) ** 2 * len(f.breaks))
    kinks = sorted({dot([(b - gamma, 1 / beta)]) for beta, gamma in pairs for b in f.breaks}) or [ZERO]
    def at(t: Fraction) -> Fraction:
        return dot((a, f(dot([(beta, t), (gamma, ONE)]))) for a, (beta, gamma) in zip(alpha, pairs))
    return alpha, pairs, zeta, all(at(t) == zeta for t in (kinks[0] - 1, *kinks, kinks[-1] + 1))

def check(data: bytes, engine: Any = None, report: bool = False, kind: Any = Claim) -> Answer:  # see check_minor
    token, digits = _work.set([0, engine]), sys.get_int_max_str_digits(); sys.set_int_max_str_digits(3 * MAX_DIGITS)
    try:
        document = parse(data)
        header = (document.get("format"), document.get("version")) if isinstance(document, dict) else (None, None)
        if header != ("exactrelu/certificate", 1) or type(header[1]) is not int:
            raise Stop(UNREADABLE, 'no object with "format": "exactrelu/certificate", "version": 1')
        _, _, first, evidence = Item(document, "certificate").object("format", "version", "claim", "evidence")
        first.path, evidence.path = "claim", "evidence"
        claim, size = kind(first), f"checking {len(data)} bytes: about this many units of work, of at most {MAX_WORK}:"
        if report: print(size, claim.cost(evidence), file=sys.stderr, flush=True)
        getattr(claim, claim.id)(evidence); return Answer(0, f"VALID: {claim}")
    except (Stop, MemoryError) as stop:
        code, why = stop.args if isinstance(stop, Stop) else (TOO_LARGE, "out of memory")
        return Answer(code, f"{['', 'REJECTED at ', 'UNREADABLE: ', 'TOO LARGE: '][code]}{why}")
    finally: _work.reset(token); sys.set_int_max_str_digits(digits)
def main(arguments: Sequence[str], kind: Any = Claim) -> int:
    try:
        with pathlib.Path(*arguments).open("rb") as stream: data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        print(f"UNREADABLE: give the path of one certificate: {error}"); return UNREADABLE
    answer = check(data, report=True, kind=kind); print(answer.text); return answer.code
if __name__ == "__main__": sys.exit(main(sys.argv[1:]))
