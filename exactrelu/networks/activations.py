r"""Activation functions :math:`\rho:\mathbb R\to\mathbb R` of neurons.

Continuous piecewise-linear functions (:mod:`.piecewise_linear`) are computed
with exactly; analytic ones (:mod:`.analytic`) are symbols.

>>> RELU("-1/2"), IDENTITY("-1/2"), activation("abs")("-1/2")
(Fraction(0, 1), Fraction(-1, 2), Fraction(1, 2))
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from ..errors import InvalidInput, InvalidNetwork
from ..rationals.strict_json import expect_object, expect_rationals
from . import analytic, piecewise_linear
from .analytic import Analytic
from .piecewise_linear import NAMED, PiecewiseLinear

Activation: TypeAlias = PiecewiseLinear | Analytic

RELU: Final = NAMED["relu"]
IDENTITY: Final = NAMED["identity"]


def activation(value: object, argument: str = "activation") -> Activation:
    """The activation that a name or JSON data denotes (an activation denotes itself).

    It must bend, or be the identity: what else an affine function does, weights do.

    Raises :class:`~exactrelu.errors.InvalidNetwork` or another
    :class:`~exactrelu.errors.InvalidInput`.

    >>> activation("relu") is RELU, activation({"name": "leaky_relu", "slope": "1/10"})(-5)
    (True, Fraction(-1, 2))
    """
    found = _read(value, argument)
    if found == RELU:
        return RELU
    if found.is_affine and found != IDENTITY:
        raise InvalidNetwork(argument, "must bend, or be the identity", found.explain())
    return found


def _read(value: Any, argument: str) -> Activation:
    if isinstance(value, PiecewiseLinear | Analytic):
        return value
    if isinstance(value, str) and value in analytic.NAMES:
        return Analytic(value)
    if isinstance(value, dict) and value.get("name") == "polynomial":
        fields = expect_object(value, argument, required=("name", "coefficients"))
        numbers = expect_rationals(fields["coefficients"], f"{argument}.coefficients")
        try:
            return Analytic.polynomial(numbers)
        except InvalidInput as error:
            raise error.at(argument) from None
    if (isinstance(value, str) and value in NAMED) or isinstance(value, dict):
        return piecewise_linear.piecewise_linear(value, argument)
    known = ", ".join(f'"{name}"' for name in (*NAMED, *analytic.NAMES))
    raise InvalidNetwork(argument, f"must be one of {known}, or an object", value)
