"""Numbers and affine forms as text in pictures: exact where that is short, rounded with a sign where not."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from ..networks import Network
from ..rationals import Matrix, Vector

MOST_DIGITS: Final = 3
"""Fractions with longer numerators or denominators are rounded."""


def is_short(value: Fraction) -> bool:
    """Whether a number is written exactly."""
    return max(abs(value.numerator), value.denominator) < 10**MOST_DIGITS


def number_label(value: Fraction) -> str:
    r"""A number for the mathematics of matplotlib.

    >>> number_label(Fraction(-1, 2)), number_label(Fraction(12345, 1000)), number_label(Fraction(1, 2**30))
    ('-\\frac{1}{2}', '12.3', '9.31\\cdot 10^{-10}')
    """
    if not is_short(value):
        digits, _, exponent = _rounded(value).partition("e")
        return digits + (rf"\cdot 10^{{{exponent}}}" if exponent else "")
    sign = "-" if value < 0 else ""
    size = abs(value)
    return f"{sign}{size}" if size.denominator == 1 else rf"{sign}\frac{{{size.numerator}}}{{{size.denominator}}}"


def plain_number(value: Fraction) -> str:
    """A number in a line of text.

    >>> plain_number(Fraction(-1, 2)), plain_number(Fraction(12345, 1000))
    ('−1/2', '12.3')
    """
    return (str(value) if is_short(value) else _rounded(value)).replace("-", "\N{MINUS SIGN}")


def form_label(row: Sequence[Fraction], constant: Fraction, variables: Sequence[str]) -> str:
    r"""An affine form, without the dollar signs.

    >>> form_label((Fraction(2), Fraction(-1, 2)), Fraction(1), ("x_0", "x_1"))
    '2x_0 - \\frac{1}{2}x_1 + 1'
    """
    shown = ""
    for value, name in [*zip(row, variables, strict=True), (constant, "")]:
        if value:
            sign = "-" if value < 0 else "+"
            size = "" if name and abs(value) == 1 else number_label(abs(value))
            shown += (f" {sign} " if shown else "-" * (value < 0)) + size + name
    return shown or "0"


def map_label(matrix: Matrix, offset: Vector, variables: Sequence[str]) -> str:
    r"""An affine map as mathematics, one line per output; rounded lines begin with an approximation sign.

    >>> map_label(((Fraction(1),), (Fraction(1, 3001),)), (Fraction(0), Fraction(2)), ("x_0",)).splitlines()
    ['$x_0$', '$\\approx 0.000333x_0 + 2$']
    """
    lines = []
    for row, constant in zip(matrix, offset, strict=True):
        about = "" if all(map(is_short, (*row, constant))) else r"\approx "
        lines.append(f"${about}{form_label(row, constant, variables)}$")
    return "\n".join(lines)


def coordinates(net: Network) -> tuple[str, ...]:
    """The names of the inputs as mathematics."""
    return tuple(f"x_{{{j}}}" for j in range(net.input_dim))


def neuron_label(net: Network, layer: int, index: int) -> str:
    """The name of an input, hidden neuron or output as mathematics.

    >>> neuron_label(Network.mlp([[[1]], [[1]]]), 1, 0)
    'h^{1}_{0}'
    """
    if layer == 0:
        return f"x_{{{index}}}"
    return f"y_{{{index}}}" if layer == net.depth else f"h^{{{layer}}}_{{{index}}}"


def _rounded(value: Fraction) -> str:
    """Three digits of a number of any size, without the detour over a float that may overflow.

    >>> _rounded(Fraction(10**400, 3)), _rounded(Fraction(-1, 3000))
    ('3.33e399', '-0.000333')
    """
    from decimal import Decimal, localcontext

    with localcontext() as context:
        context.prec = 3
        short = Decimal(value.numerator) / Decimal(value.denominator)
        plain = -5 <= short.adjusted() <= 5
        return f"{short.normalize():f}" if plain else f"{short:.2e}".replace("e+", "e")
