r"""Domains without interior points: everything is restricted to the affine hull.

On :math:`X` some inequalities are equations, and modulo these the affine forms that networks read from the input
have unique remainders. The networks with remainders in place of forms are the same on :math:`X`, and they are
constant across it, so that :math:`X` may be thickened to a domain with interior points.

Theory: section 5, *If X lies in a hyperplane*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from ..polyhedra import Domain, Halfspace
from ..rationals import Vector, row_reduce
from . import notation
from .readings import Form, Reading, ReadLayer

ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class Hull:
    """The affine hull of a domain: ``equations`` as forms that vanish on it, reduced, with their pivot columns.

    ``thick`` is the domain of all points whose remainders are in the given one; wall ``k`` of it is ``names[k][1]``
    times wall ``names[k][0]`` of the given one.
    """

    tight: tuple[int, ...]
    equations: tuple[Vector, ...]
    pivots: tuple[int, ...]
    thick: Domain
    names: tuple[tuple[int, Fraction], ...]

    @classmethod
    def of(cls, domain: Domain) -> Hull:
        """The hull of a domain.

        >>> hull = Hull.of(Domain.box([(0, 1), (2, 2)]))
        >>> str(hull.thick), [[int(entry) for entry in row] for row in hull.equations]
        ('[0,1]xR', [[0, 1, -2]])
        """
        walls = notation.walls(domain)
        if domain.is_full_dimensional:
            return cls((), (), (), domain, tuple((j, ONE) for j in range(len(walls))))
        known = {wall: j for j, wall in enumerate(walls)}
        tight = tuple(j for (normal, bound), j in known.items() if (tuple(-entry for entry in normal), -bound) in known)
        equations, pivots = row_reduce([(*walls[j][0], -walls[j][1]) for j in tight])
        forms = [(*normal, -bound) for normal, bound in walls]
        rests = {j: remainder(form, equations, pivots) for j, form in enumerate(forms) if j not in tight}
        sides = [Halfspace(rest[:-1], -rest[-1]) for rest in rests.values() if any(rest[:-1])]
        thick = Domain.polytope(halfspaces=sides) if sides else Domain.space(domain.ambient_dimension)
        names = tuple(_multiple((*normal, -bound), rests) for normal, bound in notation.walls(thick))
        return cls(tight, equations, pivots, thick, names)

    def reading(self, reading: Reading) -> Reading:
        """The network with remainders in place of the forms that it reads from the input."""
        return replace(reading, layers=tuple(map(self._layer, reading.layers))) if self.equations else reading

    def _layer(self, layer: ReadLayer) -> ReadLayer:
        edges, biases = [], []
        for into, bias in zip(layer.edges, layer.biases, strict=True):
            form: list[Any] = [ZERO] * len(self.equations[0])
            for j, weight in ((j, weight) for source, j, weight in into if source == 0):
                form[j] = weight
            form[-1] = bias
            *row, constant = remainder(form, self.equations, self.pivots)
            kept = tuple((0, j, weight) for j, weight in enumerate(row) if weight)
            edges.append((*kept, *(edge for edge in into if edge[0])))
            biases.append(constant)
        return replace(layer, edges=tuple(edges), biases=tuple(biases))

    def written(self, evidence: dict[str, Any]) -> dict[str, Any]:
        """Evidence about the thick domain, with walls of the given one and the proof of the equations."""
        if not self.tight:
            return evidence
        return {**self._renamed(evidence), "flat": [[j, "1"] for j in self.tight]}

    def _renamed(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: entry if key == "tree" else self._renamed(entry) for key, entry in value.items()}
        if not isinstance(value, list):
            return value
        if len(value) == 2 and type(value[0]) is int:  # a wall with its multiplier
            name, factor = self.names[value[0]]
            return [name, _scaled(value[1], factor)]
        return [self._renamed(entry) for entry in value]


def remainder(form: Sequence[Any], equations: Sequence[Vector], pivots: Sequence[int]) -> Form:
    """The form that is 0 in the pivot columns and differs by a combination of the equations."""
    rest = list(form)
    for row, pivot in zip(equations, pivots, strict=True):
        factor = rest[pivot]
        if factor:
            rest = [entry - factor * other for entry, other in zip(rest, row, strict=True)]
    return tuple(rest)


def _multiple(form: Vector, rests: dict[int, Form]) -> tuple[int, Fraction]:
    """The number of a remainder that is a positive multiple of a form, and what the form is times it."""
    k = next(k for k, entry in enumerate(form) if entry)
    for j, rest in rests.items():
        factor = form[k] / rest[k] if rest[k] else ZERO
        if factor > 0 and form == tuple(factor * entry for entry in rest):
            return j, factor
    raise RuntimeError("internal error: a wall of the thickened domain is no wall of the domain")


def _scaled(number: Any, factor: Fraction) -> Any:
    """A number, or a list of coefficients, as it is written, times a factor."""
    if isinstance(number, list):
        return [_scaled(entry, factor) for entry in number]
    return notation.number(Fraction(number) * factor)
