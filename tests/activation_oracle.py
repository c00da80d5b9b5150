"""Networks with arbitrary piecewise-linear activations, re-computed from definitions; nothing is imported.

Networks are JSON data as in ``oracles``. An activation is its list of *pieces* (low, high, slope, constant),
``None`` for an end at infinity. Regions and equality are decided by z3, facets by intersecting intervals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import gcd, lcm
from typing import Any

import z3

Data = dict[str, Any]
Form = tuple[Fraction, ...]  # one coefficient per input, then the constant
Piece = tuple[Fraction | None, Fraction | None, Fraction, Fraction]
Codes = tuple[tuple[int, ...], ...]
Box = Sequence[tuple[int, int]] | None

# breakpoints, slopes, and one point of the graph
CLASSICAL: dict[str, tuple[list[int], list[int], tuple[int, int]]] = {
    "relu": ([0], [0, 1], (0, 0)),
    "identity": ([], [1], (0, 0)),
    "abs": ([0], [-1, 1], (0, 0)),
    "hard_tanh": ([-1, 1], [0, 1, 0], (0, 0)),
    "relu6": ([0, 6], [0, 1, 0], (1, 1)),
    "hat": ([-1, 0, 1], [0, 1, -1, 0], (0, 1)),
}


def pieces(rho: Any) -> list[Piece]:
    """The pieces that the name or JSON data of an activation denotes, left to right; those in line are merged."""
    kinks, slopes, (t, value) = _definition(rho)
    ends = [None, *kinks, None]
    inside = next(k for k, (_, high) in enumerate(pairwise(ends)) if high is None or t <= high)
    constants = {inside: value - slopes[inside] * t}
    for k in range(inside, len(kinks)):  # continuity at the breakpoint between pieces k and k + 1
        constants[k + 1] = constants[k] + (slopes[k] - slopes[k + 1]) * kinks[k]
    for k in range(inside, 0, -1):
        constants[k - 1] = constants[k] + (slopes[k] - slopes[k - 1]) * kinks[k - 1]
    found: list[Piece] = []
    for k, (low, high) in enumerate(pairwise(ends)):
        if found and found[-1][2] == slopes[k]:
            low = found.pop()[0]
        found.append((low, high, slopes[k], constants[k]))
    return found


def _definition(rho: Any) -> tuple[list[Fraction], list[Fraction], tuple[Fraction, Fraction]]:
    if isinstance(rho, str):
        kinks, slopes, (t, value) = CLASSICAL[rho]
    elif rho.get("name") == "leaky_relu":
        kinks, slopes, (t, value) = [0], [Fraction(rho["slope"]), 1], (0, 0)
    elif rho.get("name") == "clip":
        low, high = Fraction(rho["lower"]), Fraction(rho["upper"])
        kinks, slopes, (t, value) = [low, high], [0, 1, 0], (low, low)
    else:
        kinks, slopes, (t, value) = rho["breakpoints"], rho["slopes"], rho["anchor"]
    return [Fraction(b) for b in kinks], [Fraction(s) for s in slopes], (Fraction(t), Fraction(value))


def piece_at(rho: list[Piece], t: Fraction) -> int:
    """The piece of a number, the left one at a breakpoint."""
    return next(k for k, (_, high, _, _) in enumerate(rho) if high is None or t <= high)


def value_at(rho: list[Piece], t: Fraction) -> Fraction:
    _, _, slope, constant = rho[piece_at(rho, t)]
    return slope * t + constant


def layer_pieces(layer: Data) -> list[list[Piece]]:
    """The activations of a layer, neuron by neuron."""
    width = len(layer["bias"] if layer["bias"] is not None else next(iter(layer["weights"].values())))
    rho = layer["activation"]
    return [pieces(entry) for entry in rho] if isinstance(rho, list) else [pieces(rho)] * width


def is_sign_layer(rhos: list[list[Piece]]) -> bool:
    """Whether all neurons that bend are ReLUs, so that patterns show signs."""
    return all(rho == pieces("relu") for rho in rhos if len(rho) > 1)


def forward(data: Data, point: Sequence[object]) -> tuple[list[list[Fraction]], list[Fraction]]:
    """Pre-activations layer by layer, and the outputs."""
    values, sums = [[Fraction(c) for c in point]], []
    for layer in data["layers"]:
        rhos = layer_pieces(layer)
        row = [_sum(layer, i, values) for i in range(len(rhos))]
        sums.append(row)
        values.append([value_at(rho, t) for rho, t in zip(rhos, row, strict=True)])
    return sums, values[-1]


def _sum(layer: Data, i: int, values: list[list[Fraction]]) -> Fraction:
    total = Fraction(0 if layer["bias"] is None else layer["bias"][i])
    for source, block in layer["weights"].items():
        for weight, value in zip(block[i], values[int(source)], strict=True):
            total += 0 if weight is None else Fraction(weight) * value
    return total


def pattern_at(data: Data, point: Sequence[object]) -> str:
    """The text of the pattern at a point."""
    codes = []
    for layer, row in zip(data["layers"], forward(data, point)[0], strict=True):
        rhos = layer_pieces(layer)
        bent = [(rho, t) for rho, t in zip(rhos, row, strict=True) if len(rho) > 1]
        signs = is_sign_layer(rhos)
        codes.append(tuple((t > 0) - (t < 0) if signs else piece_at(rho, t) for rho, t in bent))
    return codes_text(data, tuple(codes))


def codes_text(data: Data, codes: Codes) -> str:
    """One group per layer that bends: signs, or numbers with commas."""
    shown = []
    for layer, group in zip(data["layers"], codes, strict=True):
        if group:
            signs = is_sign_layer(layer_pieces(layer))
            shown.append("".join("0+-"[s] for s in group) if signs else ",".join(map(str, group)))
    return "|".join(shown)


class Cell:
    """A full-dimensional region: its codes, the affine map of the network, and the forms that are positive in it."""

    def __init__(self, codes: Codes, outputs: tuple[Form, ...], positive: list[Form]) -> None:
        self.codes, self.outputs, self.positive = codes, outputs, positive


def cells(data: Data, box: Box = None) -> list[Cell]:
    """All full-dimensional regions: every choice of pieces that z3 does not refute, neuron by neuron."""
    d = data["input_dim"]
    x = [z3.Real(f"x{i}") for i in range(d)]
    inputs = [_unit(d, i) for i in range(d)]
    walls = [(*(Fraction(s * (i == j)) for j in range(d)), Fraction(-s * bound)) for i, side in enumerate(box or ())
             for s, bound in ((1, side[0]), (-1, side[1]))]  # fmt: skip
    solver = z3.Solver()
    solver.add(*(as_z3(wall, x) > 0 for wall in walls))
    found = []

    def descend(
        values: list[list[Form]], codes: Codes, row: list[Form], group: tuple[int, ...], positive: list[Form]
    ) -> None:
        number = len(values) - 1
        if number == len(data["layers"]):
            found.append(Cell(codes, tuple(values[-1]), positive))
            return
        layer = data["layers"][number]
        rhos = layer_pieces(layer)
        i = len(row)
        if i == len(rhos):
            descend([*values, row], (*codes, group), [], (), positive)
            return
        form, rho = _form(layer, i, values, d), rhos[i]
        constant = not any(form[:-1])
        for k in [piece_at(rho, form[-1])] if constant else range(len(rho)):
            low, high, slope, offset = rho[k]
            bounds = [] if constant else _strictly_between(form, low, high)
            solver.push()
            solver.add(*(as_z3(bound, x) > 0 for bound in bounds))
            if not bounds or solver.check() == z3.sat:
                value = (*(slope * c for c in form[:-1]), slope * form[-1] + offset)
                code = k if not is_sign_layer(rhos) else _sign_code(form, k)
                more = group if len(rho) == 1 else (*group, code)
                descend(values, codes, [*row, value], more, [*positive, *bounds])
            solver.pop()

    descend([inputs], (), [], (), walls)
    return found


def _sign_code(form: Form, k: int) -> int:
    return (form[-1] > 0) - (form[-1] < 0) if not any(form[:-1]) else (-1, 1)[k]


def _unit(d: int, i: int) -> Form:
    return tuple(Fraction(int(i == j)) for j in range(d + 1))


def _form(layer: Data, i: int, values: list[list[Form]], d: int) -> Form:
    total = [Fraction(0)] * d + [Fraction(0 if layer["bias"] is None else layer["bias"][i])]
    for source, block in layer["weights"].items():
        for weight, form in zip(block[i], values[int(source)], strict=True):
            if weight is not None:
                total = [a + Fraction(weight) * b for a, b in zip(total, form, strict=True)]
    return tuple(total)


def _strictly_between(form: Form, low: Fraction | None, high: Fraction | None) -> list[Form]:
    above = [] if low is None else [(*form[:-1], form[-1] - low)]
    below = [] if high is None else [(*(-c for c in form[:-1]), high - form[-1])]
    return above + below


def as_z3(form: Form, x: Sequence[z3.ArithRef]) -> z3.ArithRef:
    terms = [z3.Q(c.numerator, c.denominator) * v for c, v in zip(form, x, strict=False) if c]
    return z3.Sum([*terms, z3.Q(form[-1].numerator, form[-1].denominator)])


def facets(cell: Cell) -> dict[Form, list[tuple[Fraction | None, Fraction | None]]]:
    """The facets of a cell in one or two dimensions: a line, oriented inwards, and the interval on it.

    On the line p + s u every form of the cell is affine in s and must be positive; in one dimension u = 0.
    """
    found = {}
    for form in {_primitive(form) for form in cell.positive}:
        normal, shift = form[:-1], form[-1]
        size = sum(c * c for c in normal)
        start = [-shift * c / size for c in normal]
        along = [-normal[1], normal[0]] if len(normal) == 2 else [Fraction(0)]
        low, high, empty = None, None, False
        for other in cell.positive:
            if _primitive(other) == form:
                continue
            slope = sum(a * b for a, b in zip(other, along, strict=False))
            level = sum(a * b for a, b in zip(other, start, strict=False)) + other[-1]
            if slope == 0:
                empty |= level <= 0
            elif slope > 0:
                low = -level / slope if low is None else max(low, -level / slope)
            else:
                high = -level / slope if high is None else min(high, -level / slope)
        if not empty and (low is None or high is None or low < high):
            found[form] = (low, high)
    return found


def _primitive(form: Form) -> Form:
    """The positive multiple of a form with coprime integer entries."""
    scale = lcm(*(c.denominator for c in form))
    integers = [int(c * scale) for c in form]
    divisor = gcd(*integers)
    return tuple(Fraction(c // divisor) for c in integers)


def adjacent_pairs(found: Sequence[Cell]) -> set[tuple[int, int]]:
    """The pairs of cells on opposite sides of a line whose facets on it overlap."""
    sides = [facets(cell) for cell in found]
    pairs = set()
    for (i, ours), (j, theirs) in combinations(enumerate(sides), 2):
        for form, (low, high) in ours.items():
            opposite = tuple(-c for c in form)
            if opposite in theirs:
                # Seen from the other side, the line is run through backwards.
                back = theirs[opposite]
                other_low, other_high = (None if end is None else -end for end in reversed(back))
                lows = [end for end in (low, other_low) if end is not None]
                highs = [end for end in (high, other_high) if end is not None]
                if not lows or not highs or max(lows) < min(highs):
                    pairs.add((i, j))
    return pairs


def linear_regions(found: Sequence[Cell], pairs: set[tuple[int, int]]) -> int:
    """R4: the components of cells with equal maps, joined across facets."""
    part = list(range(len(found)))
    for _ in found:
        for i, j in pairs:
            if found[i].outputs == found[j].outputs:
                part[i] = part[j] = min(part[i], part[j])
    return len(set(part))


def terms(data: Data, x: Sequence[z3.ArithRef]) -> list[z3.ArithRef]:
    """The outputs as z3 terms, with one if-then-else per breakpoint."""
    values: list[list[z3.ArithRef]] = [list(x)]
    for layer in data["layers"]:
        row = []
        for i, rho in enumerate(layer_pieces(layer)):
            bias = Fraction(0 if layer["bias"] is None else layer["bias"][i])
            total = z3.Q(bias.numerator, bias.denominator)
            for source, block in layer["weights"].items():
                for weight, value in zip(block[i], values[int(source)], strict=True):
                    if weight is not None and Fraction(weight):
                        total = total + z3.Q(*Fraction(weight).as_integer_ratio()) * value
            row.append(_applied(rho, total))
        values.append(row)
    return values[-1]


def _applied(rho: list[Piece], t: z3.ArithRef) -> z3.ArithRef:
    *bounded, (_, _, slope, constant) = rho
    term = z3.Q(*slope.as_integer_ratio()) * t + z3.Q(*constant.as_integer_ratio())
    for _, high, slope, constant in reversed(bounded):
        inner = z3.Q(*slope.as_integer_ratio()) * t + z3.Q(*constant.as_integer_ratio())
        term = z3.If(t <= z3.Q(*high.as_integer_ratio()), inner, term)
    return term


def differ(left: Data, right: Data, box: Box = None) -> bool:
    """Whether some point of the box tells two networks apart."""
    x = [z3.Real(f"x{i}") for i in range(left["input_dim"])]
    solver = z3.Solver()
    solver.add(*(z3.And(v >= low, v <= high) for v, (low, high) in zip(x, box or (), strict=False)))
    solver.add(z3.Or(*(a != b for a, b in zip(terms(left, x), terms(right, x), strict=True))))
    return solver.check() == z3.sat


def simple_grid(d: int) -> Iterator[list[Fraction]]:
    """Points on and beside the kinks of small networks."""
    steps = [Fraction(k, 2) for k in range(-6, 7)]
    sides = [steps] if d == 1 else [steps[::3], *[steps[::2]] * (d - 1)]
    yield from map(list, product(*sides))
