r"""Analytic functions :math:`\rho:\mathbb R\to\mathbb R` as symbols: evaluated by SymPy, never rounded.

>>> Analytic.tanh()("1/2"), Analytic.polynomial([0, 0, 1])("1/2")
(tanh(1/2), 1/4)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ..errors import InexactNumber, InvalidInput
from ..rationals import Vector, rational_vector, text

if TYPE_CHECKING:
    from sympy import Expr

NAMES: Final = ("tanh", "logistic", "softplus")
"""The transcendental functions that have a name."""


@dataclass(frozen=True, slots=True, init=False)
class Analytic:
    r"""One of :math:`\tanh t`, :math:`1/(1+e^{-t})`, :math:`\log(1+e^t)`, or a polynomial.

    ``coefficients`` are those of a polynomial, lowest degree first and without
    zeros at the end; empty for the others.

    >>> Analytic.polynomial([1, 0, "1/2"]).explain()
    't**2/2 + 1'
    """

    name: str
    coefficients: Vector

    def __init__(self, name: str, coefficients: Iterable[object] = ()) -> None:
        numbers = list(rational_vector(coefficients, "coefficients"))
        if name == "polynomial":
            while numbers and not numbers[-1]:
                numbers.pop()
            if len(numbers) < 3:
                raise InvalidInput("coefficients", "must belong to a polynomial of degree 2 or more", numbers)
        elif name not in NAMES or numbers:
            raise InvalidInput("name", f"must be one of {', '.join(NAMES)}, or polynomial with coefficients", name)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "coefficients", tuple(numbers))

    @classmethod
    def tanh(cls) -> Analytic:
        r""":math:`\tanh t`."""
        return cls("tanh")

    @classmethod
    def logistic(cls) -> Analytic:
        r""":math:`1/(1+e^{-t})`."""
        return cls("logistic")

    @classmethod
    def softplus(cls) -> Analytic:
        r""":math:`\log(1+e^t)`."""
        return cls("softplus")

    @classmethod
    def polynomial(cls, coefficients: Iterable[object]) -> Analytic:
        r""":math:`\sum_kc_kt^k`, of degree 2 or more."""
        return cls("polynomial", coefficients)

    def __call__(self, t: object) -> Expr:
        r"""The value :math:`\rho(t)` as a SymPy expression; ``t`` may be an expression itself."""
        from sympy import Integer, exp, log, tanh

        x = expression(t)
        if self.name == "tanh":
            return tanh(x)
        if self.name == "logistic":
            return 1 / (1 + exp(-x))
        if self.name == "softplus":
            return log(1 + exp(x))
        return sum((expression(c) * x**k for k, c in enumerate(self.coefficients)), Integer(0)).expand()

    @property
    def is_affine(self) -> bool:
        """Never: an analytic function that is affine is the identity up to weights."""
        return False

    @property
    def is_positively_homogeneous(self) -> bool:
        r"""Whether :math:`\rho(\lambda t)=\lambda\rho(t)` for all :math:`\lambda>0`: never."""
        return False

    def explain(self) -> str:
        """The formula."""
        from sympy import Symbol

        return str(self(Symbol("t")))

    def to_json(self) -> str | dict[str, Any]:
        """The name, or an object with the coefficients of a polynomial as strings."""
        if self.name != "polynomial":
            return self.name
        return {"name": "polynomial", "coefficients": [text(c) for c in self.coefficients]}


def expression(value: object) -> Expr:
    """A number or an expression as an expression.

    Raises :class:`~exactrelu.errors.InexactNumber` for an expression with a float in it.

    >>> expression("1/3"), expression(2)
    (1/3, 2)
    """
    from sympy import Expr, Float, Rational

    if isinstance(value, Expr):
        if value.has(Float):
            raise InexactNumber("t", "must be exact, and an expression with a float is not", value)
        return value
    (number,) = rational_vector([value], "t")
    return Rational(number.numerator, number.denominator)
