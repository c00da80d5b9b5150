r"""The formulas of a network as LaTeX, to be read and pasted: one line per neuron, every number exact.

>>> print(latex_text(Network.mlp([[["1/2"], [-1]], [[1, 3]]], [[2, 0], None])))
\begin{align*}
h_{1,0} &= \max\bigl(\tfrac{1}{2}x_{0} + 2,\,0\bigr) \\
h_{1,1} &= \max\bigl(-x_{0},\,0\bigr) \\
y_{0} &= h_{1,0} + 3h_{1,1}
\end{align*}
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from ..networks import IDENTITY, RELU, Activation, Analytic, Network, PiecewiseLinear
from ..rationals import text

ABSOLUTE: Final = PiecewiseLinear.absolute_value()
NAMED: Final = {
    "tanh": r"\tanh",
    "logistic": r"\operatorname{logistic}",
    "softplus": r"\operatorname{softplus}",
}


def latex_text(net: Network) -> str:
    r"""The network as an ``align*`` environment of ``amsmath``; other activations than named ones are defined first.

    Inputs are :math:`x_j`, hidden neurons :math:`h_{l,i}`, outputs :math:`y_o`.

    >>> print(latex_text(Network.mlp([[[-1]], [[1]]], activation="abs")))
    \begin{align*}
    h_{1,0} &= \bigl\lvert -x_{0}\bigr\rvert \\
    y_{0} &= h_{1,0}
    \end{align*}
    """
    kinds = dict.fromkeys(rho for layer in net.layers for rho in layer.activations)
    unnamed = [rho for rho in kinds if _needs_definition(rho)]
    symbols = {rho: rf"\rho_{{{k}}}" for k, rho in enumerate(unnamed, start=1)}
    lines = [f"{symbols[rho]}(t) &= {_definition(rho)}" for rho in unnamed]
    for number, layer in enumerate(net.layers, start=1):
        for i, rho in enumerate(layer.activations):
            terms = [
                (entry, _name(net, source, j))
                for source, block in layer.blocks
                for j, entry in enumerate(block[i])
                if entry
            ]
            form = _sum(terms, layer.bias[i] if layer.bias is not None else Fraction(0))
            lines.append(f"{_name(net, number, i)} &= {_applied(rho, form, symbols)}")
    return "\\begin{align*}\n" + " \\\\\n".join(lines) + "\n\\end{align*}"


def _applied(rho: Activation, form: str, symbols: dict[Activation, str]) -> str:
    if rho == IDENTITY:
        return form
    if rho == RELU:
        return rf"\max\bigl({form},\,0\bigr)"
    if rho == ABSOLUTE:
        return rf"\bigl\lvert {form}\bigr\rvert"
    name = symbols.get(rho) or NAMED[str(rho.to_json())]
    return rf"{name}\bigl({form}\bigr)"


def _needs_definition(rho: Activation) -> bool:
    return rho not in (IDENTITY, RELU, ABSOLUTE) and not (isinstance(rho, Analytic) and rho.name in NAMED)


def _definition(rho: Activation) -> str:
    """A piecewise-linear function as cases, or a polynomial."""
    if not isinstance(rho, PiecewiseLinear):
        powers = [(c, "t" if k == 1 else f"t^{{{k}}}") for k, c in enumerate(rho.coefficients) if k and c]
        return _sum(powers[::-1], rho.coefficients[0])
    cases = []
    for k in range(rho.pieces):
        slope, constant = rho.affine_piece(k)
        where = rf"t \le {_number(rho.breakpoints[k])}" if k < len(rho.breakpoints) else r"\text{otherwise}"
        cases.append(f"{_sum([(slope, 't')] if slope else [], constant)} & {where}")
    return r"\begin{cases} " + r" \\ ".join(cases) + r" \end{cases}"


def _name(net: Network, layer: int, index: int) -> str:
    if layer == 0:
        return f"x_{{{index}}}"
    return f"y_{{{index}}}" if layer == net.depth else f"h_{{{layer},{index}}}"


def _sum(terms: Iterable[tuple[Fraction, str]], constant: Fraction) -> str:
    shown = ""
    for value, name in [*terms, *([(constant, "")] if constant else [])]:
        size = "" if name and abs(value) == 1 else _number(abs(value))
        sign = "-" if value < 0 else "+"
        shown += (f" {sign} " if shown else "-" * (value < 0)) + size + name
    return shown or "0"


def _number(value: Fraction) -> str:
    if value.denominator == 1:
        return text(value)
    sign = "-" if value < 0 else ""
    return rf"{sign}\tfrac{{{text(Fraction(abs(value.numerator)))}}}{{{text(Fraction(value.denominator))}}}"
