"""All faces of the complex of a network, decided by z3; nothing of the region engine is imported.

A *function* is a half-space of the domain, bound - normal.x, or a neuron that bends. The functions are
taken one after another and every sign that is still possible is followed, so that what remains at the
end are the sign vectors of all faces.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import z3
from oracles import eliminate

from exactrelu import Halfspace, Network

Form = list[Fraction]  # constant, then one coefficient per input
Neuron = tuple[int, int]
Face = tuple[int, tuple[int, ...]]  # codimension, signs of the neurons and then of the half-spaces


def sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)


def bending(net: Network) -> list[Neuron]:
    """The neurons that have a sign, layer by layer."""
    return [
        (k, i) for k, layer in enumerate(net.layers, 1) for i, rho in enumerate(layer.activations) if rho.name == "relu"
    ]


def all_faces(net: Network, halfspaces: Sequence[Halfspace] = ()) -> set[Face]:
    """Codimension and signs of every face that meets the domain, its boundary included."""
    x = [z3.Real(f"x{i}") for i in range(net.input_dim)]
    solver = z3.Solver()
    walls = [[half.bound, *(-c for c in half.normal)] for half in halfspaces if any(half.normal)]
    functions: list[Form | Neuron] = [*walls, *bending(net)]
    found: set[Face] = set()

    def descend(at: int, signs: dict[Neuron, int], outer: tuple[int, ...], zeros: list[Form]) -> None:
        if at == len(functions):
            found.add((len(eliminate([form[1:] for form in zeros])[1]), (*signs.values(), *outer)))
            return
        function = functions[at]
        wall = isinstance(function, list)
        form = function if isinstance(function, list) else preactivation(net, function, signs)
        constant = not any(form[1:])
        for s in (0, 1) if wall else (-1, 0, 1):
            if constant and s != sign(form[0]):
                continue
            solver.push()
            if not constant:
                value = as_z3(form, x)
                solver.add(value > 0 if s > 0 else value < 0 if s < 0 else value == 0)
            if constant or solver.check() == z3.sat:
                more = [*zeros, form] if s == 0 and not constant else zeros
                if isinstance(function, list):
                    descend(at + 1, signs, (*outer, s), more)
                else:
                    descend(at + 1, {**signs, function: s}, outer, more)
            solver.pop()

    descend(0, {}, (), [])
    return found


def preactivation(net: Network, neuron: Neuron, signs: dict[Neuron, int]) -> Form:
    """The affine form of a neuron where the earlier ones have the signs given."""
    k, i = neuron
    layer = net.layers[k - 1]
    form = [layer.bias[i] if layer.bias else Fraction(0)] + [Fraction(0)] * net.input_dim
    for source, block in layer.blocks:
        for u, weight in enumerate(block[i]):
            if not weight:
                continue
            if source == 0:
                form[u + 1] += weight
            elif signs.get((source, u), 1) > 0:  # an identity neuron has no sign
                inner = preactivation(net, (source, u), signs)
                form = [a + weight * b for a, b in zip(form, inner, strict=True)]
    return form


def as_z3(form: Form, x: list[z3.ArithRef]) -> z3.ArithRef:
    terms = [z3.Q(c.numerator, c.denominator) * v for c, v in zip(form[1:], x, strict=True) if c]
    return z3.Sum([z3.Q(form[0].numerator, form[0].denominator), *terms])


def signs_at(net: Network, point: Sequence[Fraction]) -> list[int]:
    """Signs of the bending neurons at a point, in plain fractions."""
    values, found = [list(point)], []
    for layer in net.layers:
        out = []
        for i, rho in enumerate(layer.activations):
            total = layer.bias[i] if layer.bias else Fraction(0)
            for source, block in layer.blocks:
                total += sum([w * v for w, v in zip(block[i], values[source], strict=True) if w and v], Fraction(0))
            if rho.name == "relu":
                found.append(sign(total))
                total = max(total, Fraction(0))
            out.append(total)
        values.append(out)
    return found
