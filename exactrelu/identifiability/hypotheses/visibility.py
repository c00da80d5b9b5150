r"""Whether every wall of a hidden neuron can be seen in the output of the network.

A condition of Bona-Pellissier, Bachoc and Malgouyres (arXiv 2112.12982), in our
reading; theory: section 10. On a region the outputs depend on the value
:math:`y_i` of a neuron of layer :math:`l` by column :math:`i` of

.. math:: V_l=M_{L+1}G_LM_L\cdots G_{l+1}M_{l+1},

with :math:`G_k` the gates of layer :math:`k`. Where this column is 0 beside a wall
of the neuron, the function does not bend there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...networks import Network, Pattern
from ...networks.patterns import slopes
from ...polyhedra import Domain
from ...rationals import Vector
from ...regions import RegionComplex
from ...verdicts import Neuron, Status, Verdict, inapplicable, neuron_list, number_list
from .asking import noted
from .inner_faces import Flags, InnerFaces
from .perceptrons import integer_weights, why_not_perceptron
from .region_hypotheses import about, on_regions


@dataclass(frozen=True, slots=True)
class InvisibleWall:
    """Evidence: a point of the wall of a neuron, and a region beside it on which the outputs do not depend on it."""

    neuron: Neuron
    point: Vector
    pattern: Pattern

    def explain(self) -> str:
        """The neuron, the point and the region."""
        where = f"the wall of {neuron_list([self.neuron])} at {number_list(self.point)}"
        return f"beside {where}, on region {self.pattern}, the outputs do not depend on the neuron"


@noted
def visible_columns(net: Network, domain: Domain | str | None = None, *, budget: int | None = None) -> Verdict:
    r"""Whether the outputs depend on each hidden neuron on all regions that touch its wall inside the domain.

    For perceptrons. A column is visible only if some outgoing weight is not 0,
    and then only where the later neurons that hear it are active. More than
    ``budget`` regions make the verdict ``unknown``.

    >>> blocked = Network.mlp([[[1]], [[1]], [[1]]], [[0], [-1], [0]])  # relu(relu(x) - 1) is flat around 0
    >>> print(visible_columns(blocked).evidence.explain())
    beside the wall of (1,0) at (0), on region -|-, the outputs do not depend on the neuron
    >>> visible_columns(Network.mlp([[[1]], [[1]], [[1]]], [[0], [1], [0]])).status.value
    'holds'
    """
    claim = "every wall of a hidden neuron is visible in the outputs"
    reason = why_not_perceptron(net)
    return inapplicable(claim, "perceptron", reason) if reason else on_regions(net, domain, budget, claim, _visible)


def _visible(claim: str, complex: RegionComplex) -> Verdict:
    faces = InnerFaces(complex)
    blind = _blind(complex, list(faces.columns))
    # In a perceptron the cells of the lattice are the regions, in another order.
    order = np.array([complex.cell_of(i) for i in range(len(complex))])
    found: dict[Neuron, InvisibleWall] = {}
    for neuron, place in faces.columns.items():
        cells = np.zeros(len(complex), np.bool_)
        cells[order] = blind[place]
        around = faces.around(cells.astype(np.uint8))
        for k in range(faces.top - 1, -1, -1):
            dark = np.flatnonzero(faces.bending(k)[place] & (around[k] > 0)).tolist()
            if dark:
                beside = faces.around_face(k, dark[0]) & cells
                region = int(np.flatnonzero(beside[order])[0])
                found[neuron] = InvisibleWall(neuron, faces.point(k, dark[0]), complex.patterns[region])
                break
    condition = about("visible", found, "the outputs do not depend on it beside its wall")
    evidence = next(iter(found.values()), None)
    return Verdict(claim, Status.HOLDS if evidence is None else Status.FAILS, (condition,), evidence=evidence)


def _blind(complex: RegionComplex, neurons: list[Neuron]) -> Flags:
    """For every hidden neuron the regions on which the outputs do not depend on it, shape (neurons, regions)."""
    net = complex.network
    matrices = [integer_weights(net, number) for number in range(1, net.depth + 1)]
    known: dict[tuple[tuple[int, ...], ...], list[bool]] = {}
    table = []
    for pattern in complex.patterns:
        later = pattern.signs[1:]
        if later not in known:
            seen = _columns(matrices, slopes(net, pattern))
            known[later] = [not seen[neuron] for neuron in neurons]
        table.append(known[later])
    return np.array(table, np.bool_).reshape(len(complex), len(neurons)).T


def _columns(matrices: list[list[list[int]]], gates: list[list[int]]) -> dict[Neuron, bool]:
    """Which columns of the products of the later layers are not 0."""
    seen: dict[Neuron, bool] = {}
    product = matrices[-1]
    for number in range(len(matrices) - 1, 0, -1):
        columns = list(zip(*product, strict=True))
        seen |= {(number, i): any(column) for i, column in enumerate(columns)}
        active = [i for i, gate in enumerate(gates[number - 1]) if gate]
        matrix = matrices[number - 1]
        product = [[sum(row[i] * matrix[i][j] for i in active) for j in range(len(matrix[0]))] for row in product]
    return seen
