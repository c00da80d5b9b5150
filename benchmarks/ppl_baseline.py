"""Regions with the exact polyhedra of the Parma Polyhedra Library (pplpy, GPL), to compare with; no part of exactrelu.

A polyhedron of the double description method is split neuron by neuron. The library decides exactly whether
a neuron is positive and whether it is negative somewhere on a polyhedron; where both hold, two polyhedra go
on, both with interior points. A neuron that is zero on a whole polyhedron splits nothing.

Run, with pplpy installed: python benchmarks/ppl_baseline.py NETWORK.json
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from operator import mul
from pathlib import Path

from plain_layers import IntegerLayers, hidden_layers, integer_copy
from ppl import C_Polyhedron, Linear_Expression, Poly_Con_Relation

DISJOINT = Poly_Con_Relation.is_disjoint()


def count(layers: IntegerLayers) -> int:
    """The number of full-dimensional activation regions on all of space."""
    d = len(layers[0][0][0])
    identity = [[int(i == j) for j in range(d + 1)] for i in range(d)]
    return parts(C_Polyhedron(d, "universe"), layers, identity)


def parts(polyhedron: C_Polyhedron, layers: IntegerLayers, inputs: list[list[int]]) -> int:
    """The number of regions in a polyhedron, where the first of these layers reads affine maps of x (offset last)."""
    if not layers:
        return 1
    (weights, bias), *rest = layers
    columns = list(zip(*inputs, strict=True))
    rows = [[sum(map(mul, row, column)) for column in columns] for row in weights]
    for row, b in zip(rows, bias, strict=True):
        row[-1] += b
    forms = [Linear_Expression(row[:-1], row[-1]) for row in rows]
    zero, total = [0] * len(columns), 0
    for part, positive in split(polyhedron, forms, []):
        total += parts(part, rest, [row if on else zero for row, on in zip(rows, positive, strict=True)])
    return total


def split(
    polyhedron: C_Polyhedron, forms: list[Linear_Expression], positive: list[bool]
) -> Iterator[tuple[C_Polyhedron, list[bool]]]:
    """The parts of a polyhedron on which no form changes its sign, and which forms are positive there."""
    for form in forms[len(positive) :]:
        above = not polyhedron.relation_with(form > 0).implies(DISJOINT)
        if above and not polyhedron.relation_with(form < 0).implies(DISJOINT):
            other = C_Polyhedron(polyhedron)
            other.add_constraint(form <= 0)
            yield from split(other, forms, [*positive, False])
            polyhedron.add_constraint(form >= 0)
        positive.append(above)
    yield polyhedron, positive


def main() -> None:
    layers = integer_copy(hidden_layers(Path(sys.argv[1])))
    start = time.perf_counter()
    found = count(layers)
    print(f"{found:,} regions in {time.perf_counter() - start:.3f} s")


if __name__ == "__main__":
    main()
