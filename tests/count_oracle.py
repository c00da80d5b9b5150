"""R1, R2, R4, R5 and R6 from the sign vectors of all faces, decided by z3; nothing of the region engine is imported."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import z3
from region_oracle import all_faces, as_z3, bending, preactivation

from exactrelu import Halfspace, Network

Affine = tuple[tuple[Fraction, ...], ...]  # one row (constant, coefficients) per output


def form_on(net: Network, signs: Sequence[int]) -> Affine:
    """The affine map where the bending neurons have these signs."""
    gates = dict(zip(bending(net), signs, strict=True))
    rows = []
    for i, rho in enumerate(net.layers[-1].activations):
        form = preactivation(net, (net.depth, i), gates)
        on = rho.name != "relu" or gates[net.depth, i] > 0
        rows.append(tuple(form) if on else (Fraction(0),) * len(form))
    return tuple(rows)


def pieces(items: set[object], joined: set[tuple[object, object]]) -> list[set[object]]:
    """Connected components."""
    found: list[set[object]] = []
    for item in items:
        near = [part for part in found if any((item, x) in joined or (x, item) in joined for x in part)]
        found = [part for part in found if part not in near] + [{item}.union(*near)]
    return found


def brute(net: Network, halfspaces: Sequence[Halfspace]) -> dict[str, int]:
    """R1, R2, R4, R5, R6 from the sign vectors of all faces."""
    size, faces = len(bending(net)), all_faces(net, halfspaces)
    regions = {signs for codimension, signs in faces if codimension == 0}
    maps = {signs: form_on(net, signs[:size]) for signs in regions}
    around = {f: [r for r in regions if all(s in (t, 0) for s, t in zip(f, r, strict=True))] for _, f in faces}
    inner = [f for codimension, f in faces if codimension == 1 and 0 not in f[size:]]
    same = {tuple(around[f]) for f in inner if len({maps[r] for r in around[f]}) == 1}
    closed = 0
    for piece in set(maps.values()):
        # Within one face the set {f = piece} is convex; it joins the face to those in its closure.
        met = [f for _, f in faces if agrees(net, f, halfspaces, piece)]
        joined = {(f, g) for f in met for g in met if all(s in (t, 0) for s, t in zip(f, g, strict=True))}
        # Touching closures: the part of {f = piece} in g reaches f only if it has points near f.
        joined = {(f, g) for f, g in joined if f == g or reaches(net, f, g, halfspaces, piece)}
        closed += sum(any(r in part and maps[r] == piece for r in regions) for part in pieces(set(met), joined))
    return {
        "R1": len({tuple(s > 0 for s in signs[:size]) for _, signs in faces}),
        "R2": len(regions),
        "R4": len(pieces(regions, same)),
        "R5": closed,
        "R6": len(set(maps.values())),
    }


def constraints(net: Network, face: Sequence[int], halfspaces: Sequence[Halfspace], weak: bool = False) -> list[object]:
    x, neurons = [z3.Real(f"x{i}") for i in range(net.input_dim)], bending(net)
    gates = dict(zip(neurons, face, strict=False))
    walls = [[half.bound, *(-c for c in half.normal)] for half in halfspaces if any(half.normal)]
    found = []
    for form, s in zip([*(preactivation(net, n, gates) for n in neurons), *walls], face, strict=True):
        value = as_z3(form, x)
        found.append(value == 0 if s == 0 else (value >= 0 if s > 0 else value <= 0) if weak else s * value > 0)
    return found


def agreement(net: Network, face: Sequence[int], piece: Affine) -> list[object]:
    x = [z3.Real(f"x{i}") for i in range(net.input_dim)]
    own = form_on(net, face[: len(bending(net))])
    return [as_z3([a - b for a, b in zip(p, q, strict=True)], x) == 0 for p, q in zip(own, piece, strict=True)]


def agrees(net: Network, face: Sequence[int], halfspaces: Sequence[Halfspace], piece: Affine) -> bool:
    if form_on(net, face[: len(bending(net))]) == piece:
        return True
    solver = z3.Solver()
    solver.add(*constraints(net, face, halfspaces), *agreement(net, face, piece))
    return solver.check() == z3.sat


def reaches(net: Network, low: object, high: object, halfspaces: Sequence[Halfspace], piece: Affine) -> bool:
    """The convex set {f = piece} in the face ``high`` has a limit in the face ``low``.

    Both parts are not empty, so that the closure of the first is cut out by the weak inequalities.
    """
    if form_on(net, high[: len(bending(net))]) == piece:
        return True
    solver = z3.Solver()
    solver.add(*constraints(net, low, halfspaces), *constraints(net, high, halfspaces, weak=True))
    solver.add(*agreement(net, high, piece))
    return solver.check() == z3.sat
