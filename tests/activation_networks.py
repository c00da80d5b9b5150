"""JSON data of random networks with mixed piecewise-linear activations, half of them degenerate on purpose.

One-letter names: ``r`` a seeded random generator, ``d`` the input dimension.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from exactrelu import Network
from exactrelu.networks.json import network_from_json

Data = dict[str, Any]
Box = list[tuple[int, int]] | None

NAMES = ("relu", "relu", "identity", "abs", "hard_tanh", "relu6", "hat")


def random_activation(r: Random) -> Any:
    """A name, or an object of one of the three kinds; user-defined ones may have breakpoints without a bend."""
    kind = r.random()
    if kind < 0.6:
        return r.choice(NAMES)
    if kind < 0.7:
        return {"name": "leaky_relu", "slope": r.choice(("1/10", "-1/2", "0", "2"))}
    if kind < 0.8:
        low = r.randint(-2, 1)
        return {"name": "clip", "lower": str(low), "upper": str(low + r.randint(1, 2))}
    kinks = sorted(r.sample(range(-3, 4), r.randint(1, 3)))
    slopes = [r.randint(-2, 2) for _ in range(len(kinks) + 1)]
    if len(set(slopes)) == 1:
        slopes[-1] += 1
    anchor = [str(r.randint(-3, 3)), str(Fraction(r.randint(-3, 3), 2))]
    return {"breakpoints": [str(b) for b in kinks], "slopes": [str(s) for s in slopes], "anchor": anchor}


def random_data(r: Random, *, max_inputs: int = 2, max_width: int = 3, max_hidden: int = 2) -> Data:
    """A network with skips, absent edges, zero and parallel rows, constants at breakpoints, or none of these."""
    while True:
        data = _attempt(r, max_inputs, max_width, max_hidden)
        try:
            network(data)
        except ValueError:  # a hidden neuron without an edge in or out
            continue
        return data


def network(data: Data) -> Network:
    return network_from_json(data, "data")


def random_box(r: Random, d: int) -> Box:
    return None if r.random() < 0.5 else [(low, low + r.randint(2, 8)) for low in (r.randint(-5, 0) for _ in range(d))]


def box_text(box: Box) -> str | None:
    return None if box is None else "x".join(f"[{low},{high}]" for low, high in box)


def _attempt(r: Random, max_inputs: int, max_width: int, max_hidden: int) -> Data:
    d, hidden = r.randint(1, max_inputs), r.randint(1, max_hidden)
    degenerate, skips, absent = r.random() < 0.5, r.random() < 0.4, r.random() < 0.2
    size, denominator = (r.choice((1, 2, 3)), 1) if degenerate else (5, r.choice((1, 2, 3)))
    widths, layers = [d], []
    for k in range(hidden + 1):
        last = k == hidden
        width = r.randint(1, 2) if last or k else r.randint(min(2, max_width), max_width)
        sources = [s for s in range(k) if skips and r.random() < 0.5] + [k]
        rows: list[list[Fraction]] = []
        for _ in range(width):
            row = [Fraction(r.randint(-size, size), denominator) for _ in range(sum(widths[s] for s in sources) + 1)]
            rows.append(_degenerate(r, row, rows) if degenerate else row)
        blocks, at = {}, 0
        for s in sources:
            part = [[str(c) for c in row[at : at + widths[s]]] for row in rows]
            blocks[str(s)] = [[None if absent and r.random() < 0.2 else c for c in row] for row in part]
            at += widths[s]
        rho: Any = [random_activation(r) for _ in range(width)] if r.random() < 0.7 else random_activation(r)
        if last and r.random() < 0.7:
            rho = "identity"
        bias = [str(row[-1]) for row in rows] if degenerate or r.random() < 0.8 else None
        layers.append({"activation": rho, "weights": blocks, "bias": bias})
        widths.append(width)
    return {"format": "exactrelu/network", "version": 1, "input_dim": d, "layers": layers}


def _degenerate(r: Random, row: list[Fraction], rows: list[list[Fraction]]) -> list[Fraction]:
    """Sometimes an equal, opposite or parallel row, or a constant that is likely to be a breakpoint."""
    kind = r.random()
    if rows and kind < 0.3:
        twin = [c * r.choice((1, 1, -1, 2)) for c in r.choice(rows)]
        return [*twin[:-1], twin[-1] + r.choice((0, 0, 1))]
    if kind < 0.45:
        return [*[Fraction(0)] * (len(row) - 1), Fraction(r.choice((-1, 0, 0, 1, 6)))]
    if kind < 0.55:
        return [*(-abs(c) for c in row[:-1]), Fraction(0)]  # dead behind what is never negative
    return row
