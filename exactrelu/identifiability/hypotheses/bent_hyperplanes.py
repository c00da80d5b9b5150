r"""Hypotheses about how the bent hyperplanes of a network meet.

===============================  ==============================================
:func:`bent_hyperplanes_meet`    those of the same or adjacent layers meet pairwise
:func:`transversal_pairs`        and they do so transversally (TPIC)
:func:`transversal`              no neuron vanishes on a whole cell of the layers before it
===============================  ==============================================

The *bent hyperplane* of a neuron is the set where its pre-activation vanishes
without vanishing on all regions around. Theory: section 10. Sources: Rolnick
and Kording (arXiv 1910.00744); Grigsby, Lindsey, Meyerhoff and Wu (arXiv
2209.04036). Definitions are given in our reading. All statements are about the
interior of a domain; more than ``budget`` regions make the verdict ``unknown``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ...networks import Network
from ...polyhedra import Domain
from ...rationals import Vector
from ...regions import RegionComplex
from ...verdicts import Condition, Neuron, Status, Verdict, conjunction, neuron_list, number_list
from .asking import noted
from .inner_faces import Flags, InnerFaces
from .region_hypotheses import on_regions

Pair = tuple[Neuron, Neuron]


@dataclass(frozen=True, slots=True)
class Meetings:
    """Evidence: for every pair of bent hyperplanes that meet, a common point inside the domain."""

    meetings: tuple[tuple[Pair, Vector], ...]

    def explain(self) -> str:
        """One pair per line."""
        lines = (f"{neuron_list(pair)} meet at {number_list(point)}" for pair, point in self.meetings)
        return "\n  ".join(["", *lines])


@dataclass(frozen=True, slots=True)
class VanishingCell:
    """Evidence: a neuron that vanishes on a whole cell of the earlier layers, given by their signs and a point."""

    neuron: Neuron
    signs: tuple[tuple[Neuron, int], ...]
    point: Vector

    def explain(self) -> str:
        """The neuron and the cell."""
        shown = ", ".join(f"({k},{i}) {'-0+'[sign + 1]}" for (k, i), sign in self.signs) or "no earlier neurons"
        return f"{neuron_list([self.neuron])} is 0 at {number_list(self.point)} and wherever the signs are {shown}"


@noted
def bent_hyperplanes_meet(net: Network, domain: Domain | str | None = None, *, budget: int | None = None) -> Verdict:
    r"""Whether all bent hyperplanes of the same or adjacent hidden layers meet pairwise inside the domain.

    The condition ``meet`` names the neurons of the pairs that do not; the
    evidence has a common point for each pair that does.

    >>> net = Network.mlp([[[1, 0], [0, 1], [1, 0]], [[1, 1, 1]]], [[0, 0, -1], [0]])
    >>> verdict = bent_hyperplanes_meet(net)
    >>> verdict.condition("meet").detail
    'without a common point: (1,0), (1,2)'
    >>> len(verdict.evidence.meetings)
    2
    """
    return on_regions(net, domain, budget, "bent hyperplanes of the same or adjacent layers meet", _meet)


def _meet(claim: str, complex: RegionComplex) -> Verdict:
    faces = InnerFaces(complex)
    found = _common_faces(faces)
    wanted = _neighbours(faces.neurons)
    meetings = tuple((pair, faces.point(*found[pair])) for pair in wanted if pair in found)
    condition = _about_pairs("meet", [pair for pair in wanted if pair not in found], "without a common point")
    return Verdict(claim, condition.status, (condition,), evidence=Meetings(meetings) if meetings else None)


def _neighbours(neurons: Iterable[Neuron]) -> list[Pair]:
    """The pairs of neurons in the same or adjacent layers."""
    return [(u, v) for u, v in combinations(neurons, 2) if v[0] - u[0] <= 1]


def _common_faces(faces: InnerFaces) -> dict[Pair, tuple[int, int]]:
    """For every pair of bent hyperplanes that meet, a common inner face of the least level."""
    found: dict[Pair, tuple[int, int]] = {}
    for k in range(faces.top):
        bending = faces.bending(k)
        columns, first = np.unique(bending, axis=1, return_index=True)
        for column, f in zip(columns.T, first.tolist(), strict=True):
            zero = [neuron for neuron, place in faces.columns.items() if column[place]]
            for pair in combinations(zero, 2):
                found.setdefault(pair, (k, f))
    return found


def _about_pairs(identifier: str, pairs: list[Pair], fault: str) -> Condition:
    if not pairs:
        return Condition(identifier, Status.HOLDS)
    shown = "; ".join(neuron_list(pair) for pair in pairs[:5]) + ("; ..." if len(pairs) > 5 else "")
    neurons = tuple(sorted({neuron for pair in pairs for neuron in pair}))
    return Condition(identifier, Status.FAILS, neurons, f"{fault}: {shown}")


@noted
def transversal_pairs(net: Network, domain: Domain | str | None = None, *, budget: int | None = None) -> Verdict:
    r"""Whether bent hyperplanes of the same or adjacent hidden layers meet pairwise and transversally (TPIC).

    Two of them meet *transversally* if, inside the domain, each of their common
    faces that lies in no larger one has codimension 2 and regions with all four
    combinations of signs around it. The condition ``meet`` is that of
    :func:`bent_hyperplanes_meet`. In our reading of Rolnick and Kording.

    >>> crossing = Network.mlp([[[1, 0], [0, 1]], [[1, 1]]])
    >>> doubled = Network.mlp([[[1, 0], [2, 0]], [[1, 1]]])
    >>> transversal_pairs(crossing).status.value, transversal_pairs(doubled).condition("transversal").status.value
    ('holds', 'fails')
    """
    claim = "bent hyperplanes of the same or adjacent layers meet transversally"
    return on_regions(net, domain, budget, claim, _meet_transversally)


def _meet_transversally(claim: str, complex: RegionComplex) -> Verdict:
    faces = InnerFaces(complex)
    found = _common_faces(faces)
    bending = [faces.bending(k) for k in range(faces.top)]
    touching: list[Pair] = []
    evidence: list[tuple[Pair, Vector]] = []
    for pair in _neighbours(faces.neurons):
        bad = _touching(faces, bending, pair) if pair in found else None
        if bad is not None:
            touching.append(pair)
            evidence.append((pair, faces.point(*bad)))
    missing = [pair for pair in _neighbours(faces.neurons) if pair not in found]
    conditions = (
        _about_pairs("meet", missing, "without a common point"),
        _about_pairs("transversal", touching, "meeting without crossing"),
    )
    shown = Meetings(tuple(evidence)) if evidence else None
    return Verdict(claim, conjunction(conditions), conditions, evidence=shown)


def _touching(faces: InnerFaces, bending: list[Flags], pair: Pair) -> tuple[int, int] | None:
    """A common face of two bent hyperplanes where they do not cross transversally."""
    u, v = (faces.columns[neuron] for neuron in pair)
    common = [level[u] & level[v] for level in bending] + [np.zeros(faces.lattice.size[faces.top], np.bool_)]
    one, other = (faces.sides(neuron) for neuron in pair)
    quadrants = np.where((one > 0) & (other > 0), 1 << (2 * (one == 2) + (other == 2)), 0).astype(np.uint8)
    around = faces.around(quadrants)
    for k, f in faces.without_larger(common):
        if k != faces.top - 2 or around[k][f] != 0b1111:
            return k, f
    return None


@noted
def transversal(net: Network, domain: Domain | str | None = None, *, budget: int | None = None) -> Verdict:
    r"""Whether no hidden neuron vanishes on a whole cell of the complex of the layers before it.

    The cells, of every dimension, are the sets with constant signs in
    :math:`\{-,0,+\}` of the earlier layers. In our reading of Grigsby et al.
    Evidence against it: a neuron and such a cell.

    >>> net = Network.mlp([[[1], [-1]], [[1, 1]], [[1]]], [[0, 0], [0], [0]])
    >>> print(transversal(net).evidence.explain())
    (2,0) is 0 at (0) and wherever the signs are (1,0) 0, (1,1) 0
    """
    return on_regions(net, domain, budget, "no neuron vanishes on a cell of the layers before it", _transversal)


def _transversal(claim: str, complex: RegionComplex) -> Verdict:
    faces = InnerFaces(complex)
    bad: dict[Neuron, VanishingCell] = {}
    for layer in range(1, complex.network.depth):
        mine = {neuron: k for neuron, k in faces.columns.items() if neuron[0] == layer}
        earlier = [neuron for neuron in faces.neurons if neuron[0] < layer]
        for signs, (zero, at) in _cells(faces, [faces.columns[n] for n in earlier], list(mine.values())).items():
            for neuron, vanishes in zip(mine, zero, strict=True):
                if vanishes and neuron not in bad:
                    cell = tuple(zip(earlier, np.frombuffer(signs, np.int8).tolist(), strict=True))
                    bad[neuron] = VanishingCell(neuron, cell, faces.point(*at))
    if not bad:
        return Verdict(claim, Status.HOLDS, (Condition("transversal", Status.HOLDS),))
    neurons = tuple(sorted(bad))
    detail = f"{neuron_list(neurons)}: 0 on a cell of the layers before"
    condition = Condition("transversal", Status.FAILS, neurons, detail)
    return Verdict(claim, Status.FAILS, (condition,), evidence=bad[neurons[0]])


def _cells(faces: InnerFaces, earlier: list[int], mine: list[int]) -> dict[bytes, tuple[Flags, tuple[int, int]]]:
    """For all signs of earlier neurons: which neurons vanish wherever these occur, and one face with them."""
    found: dict[bytes, tuple[Flags, tuple[int, int]]] = {}
    for k in range(faces.top, -1, -1):
        inner = np.flatnonzero(faces.inner[k])
        signs = faces.signs(k)[:, inner]
        keys, zeros = np.ascontiguousarray(signs[earlier].T), (signs[mine] == 0).T
        for f, key, zero in zip(inner.tolist(), keys, zeros, strict=True):
            before, at = found.get(key.tobytes(), (zero, (k, f)))
            found[key.tobytes()] = before & zero, at
    return found
