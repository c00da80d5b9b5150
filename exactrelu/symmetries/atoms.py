r"""The functions :math:`t\mapsto\rho(\beta t+\gamma)` in coordinates that turn relations into linear algebra.

*Piecewise linear* :math:`\rho`. A function is determined by its slope at
:math:`-\infty`, the bend at each of its breakpoints, and its value at 0; only the
last one sees constants. A breakpoint :math:`b` of :math:`\rho` appears at
:math:`(b-\gamma)/\beta` with :math:`|\beta|` times its bend.

*tanh and logistic.* With :math:`\tanh(-z)=-\tanh z` and
:math:`s(-z)=1-s(z)`, every atom becomes one with :math:`\beta>0`, and these are
independent modulo constants when their :math:`(\beta,\gamma)` are distinct:
among the terms with a given real part :math:`-\gamma/\beta` of their poles, the
largest :math:`\beta` owns the pole nearest the real axis.

*A single rational point* :math:`t` is decided exactly, too: 1 and
:math:`\tanh q_1,\dots,\tanh q_n` for distinct rationals :math:`q_i>0` are linearly
independent over :math:`\mathbb Q`. With :math:`q_i=k_i/N` and
:math:`y=e^{2/N}`, which is transcendental (Lindemann), :math:`\tanh q_i` is
:math:`(y^{k_i}-1)/(y^{k_i}+1)`, and of the terms in a relation the one with the
largest :math:`k_i` alone has a pole at :math:`y=e^{\pi i/k_i}`. Moreover
:math:`s(z)=\tfrac12+\tfrac12\tanh(z/2)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Final, Protocol, TypeAlias

from ..errors import InvalidInput
from ..networks.piecewise_linear import NAMED, PiecewiseLinear, piecewise_linear
from ..rationals import Vector

Atom: TypeAlias = tuple[Fraction, Fraction]
r"""A pair :math:`(\beta,\gamma)` with :math:`\beta\ne0`, for the function :math:`t\mapsto\rho(\beta t+\gamma)`."""
Coordinates: TypeAlias = Mapping[object, Fraction]
CONSTANT: Final = "constant"
"""The coordinate that constants have; they have no other."""


class Atoms(Protocol):
    r"""What :mod:`.affine` needs to know about :math:`\rho`."""

    @property
    def name(self) -> str:
        r"""How :math:`\rho` is written."""
        ...

    def coordinates(self, atom: Atom) -> Coordinates:
        """The atom in coordinates: a linear and injective spelling of functions."""
        ...

    def points(self, atoms: Sequence[Atom]) -> Iterator[Fraction]:
        """Points, at one of which any combination of the atoms and 1 that is not 0 does not vanish."""
        ...

    def vanishes_at(self, t: Fraction, atoms: Sequence[Atom], coefficients: Vector, constant: Fraction) -> bool:
        r"""Whether :math:`\sum_s\alpha_s\rho(\beta_st+\gamma_s)=\zeta` at one rational point."""
        ...


@dataclass(frozen=True, slots=True)
class PiecewiseLinearAtoms:
    r"""Atoms of a piecewise-linear :math:`\rho`."""

    rho: PiecewiseLinear

    @property
    def name(self) -> str:
        r"""A name, or ``rho``."""
        return self.rho.name or "rho"

    def coordinates(self, atom: Atom) -> Coordinates:
        """Bends by their place, the slope far left, and the value at 0."""
        function = self.rho.compose(*atom)
        bends = zip(function.breakpoints, function.bends, strict=True)
        return {"slope": function.slopes[0], CONSTANT: function(0), **dict(bends)}

    def points(self, atoms: Sequence[Atom]) -> Iterator[Fraction]:
        """All breakpoints, a point beyond on either side, and always at least two."""
        kinks = sorted({kink for atom in atoms for kink in self.rho.compose(*atom).breakpoints}) or [Fraction(0)]
        yield from (*kinks, kinks[0] - 1, kinks[-1] + 1)

    def vanishes_at(self, t: Fraction, atoms: Sequence[Atom], coefficients: Vector, constant: Fraction) -> bool:
        """By evaluation."""
        terms = (a * self.rho(beta * t + gamma) for a, (beta, gamma) in zip(coefficients, atoms, strict=True))
        return sum(terms, Fraction(0)) == constant


@dataclass(frozen=True, slots=True)
class SigmoidAtoms:
    r"""Atoms of :math:`\tanh` or of the logistic function, :math:`\rho(-z)` = ``reflected`` :math:`-\rho(z)`."""

    name: str
    reflected: Fraction

    def coordinates(self, atom: Atom) -> Coordinates:
        r"""The atom with :math:`\beta>0` that it is, up to sign and a constant."""
        beta, gamma = atom
        if beta > 0:
            return {atom: Fraction(1)}
        return {(-beta, -gamma): Fraction(-1), CONSTANT: self.reflected}

    def points(self, atoms: Sequence[Atom]) -> Iterator[Fraction]:
        r"""Integers: at all but finitely many the numbers :math:`|\beta_st+\gamma_s|` are as distinct as can be."""
        return (Fraction(t) for n in count() for t in ((n, -n) if n else (0,)))

    def vanishes_at(self, t: Fraction, atoms: Sequence[Atom], coefficients: Vector, constant: Fraction) -> bool:
        """By the independence of values at distinct positive rationals."""
        totals: dict[Fraction, Fraction] = {}
        rest = -constant
        for a, (beta, gamma) in zip(coefficients, atoms, strict=True):
            z = beta * t + gamma
            rest += a * self.reflected / 2  # the value is odd about half of it
            if z:
                totals[abs(z)] = totals.get(abs(z), Fraction(0)) + (a if z > 0 else -a)
        return not rest and not any(totals.values())


SIGMOIDS: Final[Mapping[str, Atoms]] = {
    "tanh": SigmoidAtoms("tanh", Fraction(0)),
    "logistic": SigmoidAtoms("logistic", Fraction(1)),
}
"""The smooth functions whose symmetries are known."""


def atoms_of(rho: object) -> Atoms:
    r"""The atoms of :math:`\rho`: a :class:`PiecewiseLinear`, its name or JSON data, ``"tanh"`` or ``"logistic"``.

    Raises :class:`~exactrelu.errors.InvalidFile` and other kinds of
    :class:`~exactrelu.errors.InvalidInput`.
    """
    if isinstance(rho, str) and rho in SIGMOIDS:
        return SIGMOIDS[rho]
    if isinstance(rho, str) and rho not in NAMED:
        known = ", ".join(f'"{name}"' for name in (*NAMED, *SIGMOIDS))
        raise InvalidInput("rho", f"must be one of {known}, a PiecewiseLinear or its data", rho)
    return PiecewiseLinearAtoms(piecewise_linear(rho, "rho"))
