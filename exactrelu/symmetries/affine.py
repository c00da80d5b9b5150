r"""Affine symmetries of :math:`\rho`: relations :math:`\sum_s\alpha_s\rho(\beta_st+\gamma_s)=\zeta`.

They are what the identifiability of networks with activation :math:`\rho` comes
up against: Vlačić and Bölcskei, *Affine symmetries and neural network
identifiability*, arXiv 2006.11727. In the coordinates of :mod:`.atoms` the
relations among given atoms are the kernel of a rational matrix.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..errors import InvalidInput, WrongDimension
from ..rationals import Vector, kernel, rational, rational_vector
from ..verdicts import Point, Status, Verdict, plain, sum_text, text
from .atoms import CONSTANT, Atom, Atoms, SigmoidAtoms, atoms_of
from .circuits import circuits


@dataclass(frozen=True, slots=True)
class AffineSymmetry:
    r"""The relation :math:`\sum_s\alpha_s\rho(\beta_st+\gamma_s)=\zeta` for all :math:`t`.

    ``coefficients`` are the :math:`\alpha_s` on ``atoms``
    :math:`(\beta_s,\gamma_s)`, zeros included, ``constant`` is :math:`\zeta`, and
    ``activation`` the name of :math:`\rho`.
    """

    activation: str
    atoms: tuple[Atom, ...]
    coefficients: Vector
    constant: Fraction

    @property
    def support(self) -> tuple[Atom, ...]:
        """The atoms with nonzero coefficients."""
        return tuple(atom for atom, a in zip(self.atoms, self.coefficients, strict=True) if a)

    @property
    def kind(self) -> str:
        r"""The family of a minimal symmetry, read off its atoms.

        ``constant`` (one atom), ``scaling`` and ``reflection`` (two atoms, with
        :math:`\beta` of equal or opposite signs), ``opposite_pairs`` (four, which
        cancel in two pairs :math:`z,-\lambda z` up to an affine function, as
        :math:`\sigma(t)-\sigma(-t)-\sigma(t-1)+\sigma(1-t)=1`), or ``other``.
        """
        atoms = self.support
        if len(atoms) <= 1:
            return "constant"
        if len(atoms) == 2:
            return "scaling" if atoms[0][0] * atoms[1][0] > 0 else "reflection"
        by_root: dict[Fraction, list[Fraction]] = {}
        for beta, gamma in atoms:
            by_root.setdefault(gamma / beta, []).append(beta)
        paired = len(by_root) == 2 and all(len(pair) == 2 and pair[0] * pair[1] < 0 for pair in by_root.values())
        return "opposite_pairs" if paired else "other"

    def explain(self) -> str:
        """The relation as a formula."""
        return f"{_formula(self.activation, self.atoms, self.coefficients)} = {text(self.constant)}"

    def to_json(self) -> dict[str, Any]:
        """The coefficients and the constant as strings."""
        return {"coefficients": plain(self.coefficients), "constant": text(self.constant)}


@dataclass(frozen=True, slots=True)
class AffineSymmetries:
    """All affine symmetries that are supported on given atoms: a vector space, by a basis."""

    activation: str
    atoms: tuple[Atom, ...]
    basis: tuple[AffineSymmetry, ...]

    @property
    def dimension(self) -> int:
        """The dimension of the space."""
        return len(self.basis)

    def minimal(self, *, budget: int | None = None) -> tuple[AffineSymmetry, ...]:
        """The minimal symmetries: no proper nonempty part of their atoms is dependent modulo constants.

        Up to factors there are finitely many; each is given with first nonzero
        coefficient 1. They are sorted by support.

        Raises :class:`~exactrelu.errors.BudgetExceeded` when more than ``budget``
        partial supports are tried (100,000 by default).

        >>> space = affine_symmetries("relu", [(1, 0), (-1, 0), (1, -1), (-1, 1), (2, 0)])
        >>> for symmetry in space.minimal():
        ...     print(symmetry.kind, ":", symmetry.explain())
        opposite_pairs : relu(t) - relu(-t) - relu(t - 1) + relu(-t + 1) = 1
        scaling : relu(t) - 1/2*relu(2*t) = 0
        opposite_pairs : relu(-t) + relu(t - 1) - relu(-t + 1) - 1/2*relu(2*t) = -1
        """
        found = circuits([(*symmetry.coefficients, symmetry.constant) for symmetry in self.basis], budget=budget)
        return tuple(AffineSymmetry(self.activation, self.atoms, v[:-1], v[-1]) for v in found)

    def explain(self) -> str:
        """One line per element of the basis."""
        return "\n".join(symmetry.explain() for symmetry in self.basis)

    def to_json(self) -> dict[str, Any]:
        """The basis as JSON data."""
        return {"activation": self.activation, "atoms": plain(self.atoms), "basis": plain(self.basis)}


def affine_symmetries(rho: object, atoms: Iterable[Iterable[object]]) -> AffineSymmetries:
    r"""The space of relations :math:`\sum_s\alpha_s\rho(\beta_st+\gamma_s)=\zeta` on given atoms, exactly.

    ``rho`` is a :class:`~exactrelu.networks.piecewise_linear.PiecewiseLinear`,
    its name or its JSON data, or ``"tanh"`` or ``"logistic"``; ``atoms`` are
    distinct pairs :math:`(\beta_s,\gamma_s)` with :math:`\beta_s\ne0`.

    Raises :class:`~exactrelu.errors.InvalidInput`.

    >>> print(affine_symmetries("logistic", [(1, 0), (2, 1), (-2, -1)]).explain())
    logistic(2*t + 1) + logistic(-2*t - 1) = 1
    >>> affine_symmetries("hard_tanh", [("1/2", 0), (1, 1), (1, -1)]).explain()
    '-2*hard_tanh(1/2*t) + hard_tanh(t + 1) + hard_tanh(t - 1) = 0'
    """
    functions, pairs = atoms_of(rho), _checked(atoms)
    columns = [functions.coordinates(pair) for pair in pairs]
    keys = dict.fromkeys(key for column in columns for key in column if key != CONSTANT)
    rows = [[column.get(key, Fraction(0)) for column in columns] for key in keys]
    basis = []
    for vector in kernel(rows, len(pairs)):
        constant = sum((a * column.get(CONSTANT, 0) for a, column in zip(vector, columns, strict=True)), Fraction(0))
        basis.append(AffineSymmetry(functions.name, pairs, vector, constant))
    return AffineSymmetries(functions.name, pairs, tuple(basis))


@dataclass(frozen=True, slots=True)
class EqualValues:
    r"""Evidence: the sum has this value at these points, all its breakpoints and one beyond on either side."""

    points: Vector
    value: Fraction

    def explain(self) -> str:
        """Where the values are equal, and why that is enough."""
        shown = ", ".join(map(text, self.points))
        return f"the sum is {text(self.value)} at t = {shown}, and affine between and beyond these points"


@dataclass(frozen=True, slots=True)
class Cancellation:
    """Evidence: the coefficients of all distinct functions with positive slope, which are independent."""

    atoms: tuple[Atom, ...]
    coefficients: Vector

    def explain(self) -> str:
        """What is left when every atom has been reflected to a positive slope."""
        shown = "; ".join(
            f"{text(a)} on ({text(b)}, {text(c)})" for (b, c), a in zip(self.atoms, self.coefficients, strict=True)
        )
        return f"with all atoms (beta, gamma) reflected to beta > 0 the coefficients are {shown}"


def is_affine_symmetry(
    rho: object, coefficients: Iterable[object], atoms: Iterable[Iterable[object]], constant: object = 0
) -> Verdict:
    r"""Whether :math:`\sum_s\alpha_s\rho(\beta_st+\gamma_s)=\zeta` for all :math:`t`: a proof, or a failing :math:`t`.

    Arguments as for :func:`affine_symmetries`; coefficients may be 0. At the rational point of a
    negative verdict the two sides differ, also for tanh and logistic (there by
    the independence in :mod:`.atoms`).

    >>> is_affine_symmetry("relu", [1, -1, -1, 1], [(1, 0), (-1, 0), (1, -1), (-1, 1)], 1).status.value
    'holds'
    >>> print(is_affine_symmetry("tanh", [1, 2], [(1, 0), (-1, 0)]).explain())
    fails: tanh(t) + 2*tanh(-t) = 0 for all t
    evidence: point (1)
    """
    functions, pairs = atoms_of(rho), _checked(atoms)
    alpha = rational_vector(coefficients, "coefficients", length=len(pairs))
    zeta = rational(constant, "constant")
    verdict = _verdict(functions, pairs, alpha, zeta)
    return verdict.about("is_affine_symmetry", rho=rho, coefficients=alpha, atoms=pairs, constant=zeta)


def _verdict(functions: Atoms, pairs: tuple[Atom, ...], alpha: Vector, zeta: Fraction) -> Verdict:
    claim = f"{_formula(functions.name, pairs, alpha)} = {text(zeta)} for all t"
    total: dict[object, Fraction] = {CONSTANT: -zeta}
    for a, pair in zip(alpha, pairs, strict=True):
        for key, entry in functions.coordinates(pair).items():
            total[key] = total.get(key, Fraction(0)) + a * entry
    if not any(total.values()):
        return Verdict(claim, Status.HOLDS, evidence=_proof(functions, pairs, total, zeta))
    t = next(t for t in functions.points(pairs) if not functions.vanishes_at(t, pairs, alpha, zeta))
    return Verdict(claim, Status.FAILS, evidence=Point((t,)))


def _proof(
    functions: Atoms, pairs: tuple[Atom, ...], total: dict[object, Fraction], zeta: Fraction
) -> EqualValues | Cancellation:
    if isinstance(functions, SigmoidAtoms):
        reflected = [key for key in total if isinstance(key, tuple)]
        return Cancellation(tuple(reflected), tuple(total[key] for key in reflected))
    return EqualValues(tuple(sorted(functions.points(pairs))), zeta)


def _checked(atoms: Iterable[Iterable[object]]) -> tuple[Atom, ...]:
    if isinstance(atoms, str | bytes) or not isinstance(atoms, Iterable):
        raise InvalidInput("atoms", "must be a list of pairs (beta, gamma)", atoms)
    places: dict[Atom, int] = {}
    for i, pair in enumerate(atoms):
        beta, gamma = rational_vector(pair, f"atoms[{i}]", length=2)
        if not beta:
            raise InvalidInput(f"atoms[{i}]", "must have beta other than 0", pair)
        if (beta, gamma) in places:
            raise InvalidInput(f"atoms[{i}]", f"must differ from atoms[{places[beta, gamma]}]", pair)
        places[beta, gamma] = i
    if not places:
        raise WrongDimension("atoms", "must contain at least one pair (beta, gamma)")
    return tuple(places)


def _formula(name: str, atoms: tuple[Atom, ...], coefficients: Vector) -> str:
    return sum_text(
        (a, f"{name}({sum_text([(beta, 't')], gamma)})") for a, (beta, gamma) in zip(coefficients, atoms, strict=True)
    )
