"""Hypotheses about bent hyperplanes, decided on the list of faces that z3 gives; no code of the package is used.

A face F lies in the closure of a face G exactly when G has the signs of F wherever these are not 0: a
point of F satisfies the weak inequalities of G, as neurons with sign 0 have value 0 on either side.

One-letter names: ``F``, ``G`` faces (codimension, signs), ``n`` the number of neurons.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations

import z3
from region_oracle import Face, Form, Neuron, all_faces, as_z3, bending, preactivation

from exactrelu import Halfspace, Network

Pair = tuple[Neuron, Neuron]


def below(F: Face, G: Face) -> bool:
    return all(s in (0, t) for s, t in zip(F[1], G[1], strict=True))


class Faces:
    """All faces inside the interior of a domain."""

    def __init__(self, net: Network, halfspaces: Sequence[Halfspace]) -> None:
        self.net = net
        self.halfspaces = [half for half in halfspaces if any(half.normal)]
        self.neurons = bending(net)
        n = len(self.neurons)
        self.hidden = [(k, neuron) for k, neuron in enumerate(self.neurons) if neuron[0] < net.depth]
        self.faces = sorted((c, s) for c, s in all_faces(net, halfspaces) if all(s[n:]))
        self.cells = [F for F in self.faces if F[0] == 0]
        self.around = {F: [C for C in self.cells if below(F, C)] for F in self.faces}

    def bends(self, k: int, F: Face) -> bool:
        return F[1][k] == 0 and any(C[1][k] for C in self.around[F])

    def meeting(self) -> set[Pair]:
        return {
            (u, v)
            for (i, u), (j, v) in combinations(self.hidden, 2)
            if any(self.bends(i, F) and self.bends(j, F) for F in self.faces)
        }

    def crossing(self, i: int, j: int) -> bool:
        """Whether all common faces that lie in no larger one have codimension 2 and four quadrants around."""
        common = [F for F in self.faces if self.bends(i, F) and self.bends(j, F)]
        largest = [F for F in common if not any(F != G and below(F, G) for G in common)]
        quadrants = {(a, b) for a in (-1, 1) for b in (-1, 1)}
        return all(F[0] == 2 and {(C[1][i], C[1][j]) for C in self.around[F]} >= quadrants for F in largest)

    def vanishing(self) -> set[Neuron]:
        """The neurons that are 0 on a whole set of constant signs of the earlier layers."""
        found = set()
        for k, neuron in self.hidden:
            earlier = [i for i, other in self.hidden if other[0] < neuron[0]]
            groups: dict[tuple[int, ...], set[int]] = {}
            for _, signs in self.faces:
                groups.setdefault(tuple(signs[i] for i in earlier), set()).add(signs[k])
            if {0} in groups.values():
                found.add(neuron)
        return found

    def zero_optima(self) -> set[Neuron]:
        return {
            neuron
            for k, neuron in self.hidden
            if any(F[1][k] == 0 and not {C[1][k] for C in self.around[F]} >= {1, -1} for F in self.faces)
        }

    def form(self, neuron: Neuron, F: Face) -> Form:
        return preactivation(self.net, neuron, dict(zip(self.neurons, F[1], strict=False)))

    def covered_hyperplane(self) -> bool:
        """Whether some hyperplane lies in the walls of the layers after the first, inside the domain."""
        walls, forms = [], set()
        for F in self.faces:
            later = [(k, v) for k, v in self.hidden if v[0] > 1 and F[0] == 1 and self.bends(k, F)]
            if later:
                k, neuron = later[0]
                form = self.form(neuron, next(C for C in self.around[F] if C[1][k]))
                lead = next(c for c in form[1:] if c)
                forms.add(tuple(c / lead for c in form))
                walls.append(F)
        return any(self._covered(form, walls) for form in forms)

    def _covered(self, form: Iterable[Fraction], walls: list[Face]) -> bool:
        x = [z3.Real(f"x{i}") for i in range(self.net.input_dim)]
        sums = symbolic(self.net, x)
        solver = z3.Solver()
        solver.add(as_z3(list(form), x) == 0)
        solver.add([as_z3([half.bound, *(-c for c in half.normal)], x) > 0 for half in self.halfspaces])
        for _, signs in walls:
            weak = [
                sums[v] == 0 if s == 0 else sums[v] >= 0 if s > 0 else sums[v] <= 0
                for v, s in zip(self.neurons, signs, strict=False)
            ]
            solver.add(z3.Not(z3.And(weak)))
        return solver.check() == z3.unsat


def symbolic(net: Network, x: Sequence[z3.ArithRef]) -> dict[Neuron, z3.ArithRef]:
    """The pre-activations of all neurons as z3 terms."""
    values: dict[Neuron, z3.ArithRef] = {(0, j): v for j, v in enumerate(x)}
    sums: dict[Neuron, z3.ArithRef] = {}
    for k, layer in enumerate(net.layers, 1):
        for i, rho in enumerate(layer.activations):
            terms = [z3.RealVal(str(layer.bias[i] if layer.bias else 0))]
            for source, block in layer.blocks:
                terms += [z3.Q(w.numerator, w.denominator) * values[source, j] for j, w in enumerate(block[i]) if w]
            sums[k, i] = z3.Sum(terms)
            values[k, i] = z3.If(sums[k, i] > 0, sums[k, i], 0) if rho.name == "relu" else sums[k, i]
    return sums
