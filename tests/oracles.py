"""Slow and plain re-computations that share no code with the package.

Everything here works on the JSON data of a network (nested lists of strings)
and on ``Fraction``; nothing imports the package.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

PRIME = 2**31 - 1


def layer_width(layer: dict[str, Any]) -> int:
    """The number of neurons of a layer."""
    return len(layer["bias"] if layer["bias"] is not None else next(iter(layer["weights"].values())))


def activation_name(layer: dict[str, Any], i: int) -> str:
    """The activation of neuron ``i``."""
    return layer["activation"] if isinstance(layer["activation"], str) else layer["activation"][i]


def forward(data: dict[str, Any], point: Sequence[object]) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """Pre-activations and values of all layers, neuron by neuron; the values begin with the input."""
    values, sums = [[Fraction(c) for c in point]], []
    for layer in data["layers"]:
        row_sums = []
        for i in range(layer_width(layer)):
            total = Fraction(0) if layer["bias"] is None else Fraction(layer["bias"][i])
            for source, block in layer["weights"].items():
                for weight, value in zip(block[i], values[int(source)], strict=True):
                    total += 0 if weight is None else Fraction(weight) * value
            row_sums.append(total)
        sums.append(row_sums)
        values.append(
            [z if activation_name(layer, i) == "identity" or z > 0 else Fraction(0) for i, z in enumerate(row_sums)]
        )
    return sums, values


def parameters(data: dict[str, Any]) -> dict[str, Fraction]:
    """Names and values: layer by layer, sources ascending, rows over present edges, then biases."""
    found = {}
    for k, layer in enumerate(data["layers"], start=1):
        for source in sorted(layer["weights"], key=int):
            for i, row in enumerate(layer["weights"][source]):
                for j, weight in enumerate(row):
                    if weight is not None:
                        found[f"w[{k}<-{source}][{i},{j}]"] = Fraction(weight)
        for i, bias in enumerate(layer["bias"] or []):
            found[f"b[{k}][{i}]"] = Fraction(bias)
    return found


def all_paths(data: dict[str, Any]) -> list[tuple[tuple[tuple[int, int], ...], bool, tuple[str, ...]]]:
    """Vertices, whether it starts at a bias, and parameter names of every path, forwards from the starts."""
    partial = {(0, j): [(((0, j),), False, ())] for j in range(data["input_dim"])}
    for k, layer in enumerate(data["layers"], start=1):
        for i in range(layer_width(layer)):
            here = [] if layer["bias"] is None else [(((k, i),), True, (f"b[{k}][{i}]",))]
            for source, block in layer["weights"].items():
                for j, weight in enumerate(block[i]):
                    if weight is not None:
                        name = f"w[{k}<-{source}][{i},{j}]"
                        here += [((*v, (k, i)), b, (*names, name)) for v, b, names in partial[int(source), j]]
            partial[k, i] = here
    last = len(data["layers"])
    found = [path for i in range(layer_width(data["layers"][-1])) for path in partial[last, i]]
    # sorted by output, then start (inputs first, then biases), then vertices
    return sorted(found, key=lambda path: (path[0][-1][1], path[1], path[0][0], path[0]))


def product(values: Sequence[Fraction]) -> Fraction:
    """The product of numbers."""
    total = Fraction(1)
    for value in values:
        total *= value
    return total


def embedding(data: dict[str, Any]) -> list[Fraction]:
    """The product of the parameters along every path."""
    values = parameters(data)
    return [product([values[name] for name in names]) for _, _, names in all_paths(data)]


def embedding_jacobian(data: dict[str, Any]) -> list[list[Fraction]]:
    """The derivative of every path product by every parameter."""
    values = parameters(data)
    order = {name: k for k, name in enumerate(values)}
    rows = []
    for _, _, names in all_paths(data):
        row = [Fraction(0)] * len(order)
        for name in names:
            row[order[name]] = product([values[other] for other in names if other != name])
        rows.append(row)
    return rows


def path_activations(data: dict[str, Any], point: Sequence[object]) -> list[Fraction]:
    """The coordinate or 1 at the start of every path, or 0 where a neuron on it is not active."""
    sums, _ = forward(data, point)
    rows = []
    for vertices, from_bias, _ in all_paths(data):
        start = Fraction(1) if from_bias else Fraction(point[vertices[0][1]])
        on = all(
            sums[k - 1][i] > 0 or activation_name(data["layers"][k - 1], i) == "identity" for k, i in vertices if k
        )
        rows.append(start if on else Fraction(0))
    return rows


def eliminate(rows: Sequence[Sequence[Fraction]]) -> tuple[list[list[Fraction]], list[int]]:
    """The nonzero rows of the reduced row echelon form, and the pivot columns (Gauss and Jordan)."""
    matrix, pivots = [[Fraction(entry) for entry in row] for row in rows], []
    for column in range(len(matrix[0]) if matrix else 0):
        top = len(pivots)
        pivot = next((i for i in range(top, len(matrix)) if matrix[i][column]), None)
        if pivot is None:
            continue
        matrix[top], matrix[pivot] = matrix[pivot], matrix[top]
        matrix[top] = [entry / matrix[top][column] for entry in matrix[top]]
        for i, row in enumerate(matrix):
            if i != top and row[column]:
                matrix[i] = [a - row[column] * b for a, b in zip(row, matrix[top], strict=True)]
        pivots.append(column)
    return matrix[: len(pivots)], pivots


def rank_modulo(rows: Sequence[Sequence[Fraction]], prime: int = PRIME) -> int:
    """The rank modulo a prime, which the rank over the rationals is never below."""
    residues = [[e.numerator * pow(e.denominator, -1, prime) % prime for e in row] for row in rows]
    basis: dict[int, list[int]] = {}
    for row in residues:
        for column, known in basis.items():
            if row[column]:
                factor = row[column]
                row = [(a - factor * b) % prime for a, b in zip(row, known, strict=True)]
        column = next((j for j, entry in enumerate(row) if entry), None)
        if column is not None:
            unit = pow(row[column], -1, prime)
            basis[column] = [unit * entry % prime for entry in row]
    return len(basis)


def is_admissible(data: dict[str, Any]) -> bool:
    """Whether every hidden neuron has a nonzero entry coming in and a nonzero weight going out."""
    hidden = {(k, i) for k, layer in enumerate(data["layers"][:-1], 1) for i in range(layer_width(layer))}
    fed, heard = set(), set()
    for k, layer in enumerate(data["layers"], start=1):
        for i in range(layer_width(layer)):
            if layer["bias"] is not None and Fraction(layer["bias"][i]):
                fed.add((k, i))
            for source, block in layer["weights"].items():
                for j, weight in enumerate(block[i]):
                    if weight is not None and Fraction(weight):
                        fed.add((k, i))
                        heard.add((int(source), j))
    return hidden <= fed & heard
