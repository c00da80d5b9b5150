r"""What the neurons of a shallow network do on a domain, with points or multipliers that prove it.

Theory: section 5, *Types on U*. A kinked neuron has a point on either side of its hyperplane; one that is on or off has
multipliers of half-spaces of the domain whose combination says so (Farkas' lemma).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..networks import Network
from ..polyhedra import Domain, Halfspace, Infeasible, Optimal, Unbounded, maximise
from ..rationals import Vector, dot
from . import notation
from .polynomials import EXAMPLES, Polynomial, Scalar, at, sign
from .readings import Form, Reading

ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class TypeProof:
    """One neuron: ``zero``, ``kinked`` with a point on either side, or ``on`` or ``off`` with multipliers."""

    kind: str
    points: tuple[Vector, ...] = ()
    multipliers: tuple[Any, ...] = ()

    def to_json(self) -> Any:
        """The proof as it is written."""
        if self.kind == "zero":
            return "zero"
        if self.kind == "kinked":
            return {"kinked": notation.matrix(self.points)}
        return {self.kind: notation.combination([(j, y) for j, y in enumerate(self.multipliers) if y])}


def types_json(net: Network, domain: Domain) -> list[Any]:
    """The types of the hidden neurons of a shallow network."""
    return reading_types_json(Reading.of(net), domain)


def reading_types_json(reading: Reading, domain: Domain) -> list[Any]:
    """The same from its sheet of numbers."""
    return [type_proof(form, domain).to_json() for form in hidden_forms(reading)]


def family_types_json(reading: Reading, domain: Domain) -> list[Any] | None:
    r"""The types that the hidden neurons of a shallow family have for small :math:`t>0`.

    ``None`` where points and multipliers that are polynomials do not prove them, as for
    :math:`\sigma(tx-1)` on :math:`\mathbb R`, whose kink goes to infinity.
    """
    proofs = [_small_type(form, domain) for form in hidden_forms(reading)]
    return [proof.to_json() for proof in proofs if proof is not None] if None not in proofs else None


def hidden_forms(reading: Reading) -> list[Form]:
    """The affine forms of the neurons of the first layer."""
    return [reading.form((1, i), [reading.inputs]) for i in range(len(reading.layers[0].bends))]


def type_proof(form: Sequence[Fraction], domain: Domain) -> TypeProof:
    r"""The type of the neuron :math:`\sigma(\langle w,x\rangle+b)` on a domain; ``form`` is :math:`(w,b)`.

    >>> type_proof([Fraction(1), Fraction(-1)], Domain.parse("[-1,1]")).to_json()
    {'off': [[1, '1']]}
    """
    if not any(form):
        return TypeProof("zero")
    outcomes = [_extremum(form, domain, side) for side in (-1, 1)]
    for side, kind, outcome in ((-1, "on", outcomes[0]), (1, "off", outcomes[1])):
        if isinstance(outcome, Optimal) and outcome.value + side * form[-1] <= 0:
            return TypeProof(kind, multipliers=outcome.multipliers)
    return TypeProof("kinked", tuple(_beyond(form, outcome, s) for outcome, s in zip(outcomes, (-1, 1), strict=True)))


def _extremum(form: Sequence[Fraction], domain: Domain, side: int) -> Optimal | Unbounded:
    walls = [Halfspace(*wall) for wall in notation.walls(domain)]
    outcome = maximise([side * entry for entry in form[:-1]], walls)
    assert not isinstance(outcome, Infeasible)  # a domain is never empty
    return outcome


def _beyond(form: Sequence[Fraction], outcome: Optimal | Unbounded, side: int) -> Vector:
    """A point of the domain at which the form has the sign ``side``."""
    point, step = outcome.point, Fraction(1)
    while side * (dot(form[:-1], point) + form[-1]) <= 0:
        assert isinstance(outcome, Unbounded)
        point = tuple(p + step * r for p, r in zip(outcome.point, outcome.ray, strict=True))
        step *= 2
    return point


def _small_type(form: Form, domain: Domain) -> TypeProof | None:
    if not any(isinstance(entry, Polynomial) for entry in form):
        return type_proof(form, domain)
    for t in EXAMPLES:
        found = type_proof([at(entry, t) for entry in form], domain)
        if found.kind == "kinked" and [sign(_value(form, point)) for point in found.points] == [-1, 1]:
            return found
        if found.kind in ("on", "off"):
            multipliers = _lifted(form, domain, found, t)
            if multipliers is not None:
                return TypeProof(found.kind, multipliers=multipliers)
    return None


def _lifted(form: Form, domain: Domain, found: TypeProof, last: Fraction) -> tuple[Scalar, ...] | None:
    """Multipliers for all members up to ``last`` of a form that moves on a line: those of the ends, mixed."""
    first = type_proof([at(entry, ZERO) for entry in form], domain)
    bent = any(isinstance(entry, Polynomial) and len(entry.coefficients) > 2 for entry in form)
    if bent or first.kind not in (found.kind, "zero"):
        return None
    before = first.multipliers or (ZERO,) * len(found.multipliers)
    return tuple(Polynomial.of([a, (b - a) / last]) for a, b in zip(before, found.multipliers, strict=True))


def _value(form: Form, point: Vector) -> Scalar:
    total: Scalar = form[-1]
    for entry, x in zip(form[:-1], point, strict=True):
        total = entry * x + total
    return total
