r"""Activation patterns: where every bending neuron is on its activation function.

>>> pattern = Pattern.parse("+-|0")
>>> pattern.signs, str(pattern)
(((1, -1), (0,)), '+-|0')
>>> Pattern.parse("+|0,2").signs
((1,), (0, 2))
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import total_ordering
from typing import TYPE_CHECKING, Final

from ..errors import HypothesisNotMet, InvalidInput, WrongDimension

if TYPE_CHECKING:
    from .layers import Layer
    from .network import Network

_SYMBOLS: Final = {-1: "-", 0: "0", 1: "+"}
_SIGNS: Final = {symbol: sign for sign, symbol in _SYMBOLS.items()}


@total_ordering
@dataclass(frozen=True, slots=True)
class Pattern:
    r"""One group of codes per layer with a bending neuron, one code for every such neuron.

    In a layer whose bending neurons are all ReLUs the code is the sign of the
    pre-activation in :math:`\{-,0,+\}`. In other layers, those *numbered*, it is
    the number of the piece of :math:`\rho` on which the pre-activation lies, from
    0 on; at a breakpoint the left one. Text form: signs ``-``, ``0``, ``+``, or
    numbers with commas, groups joined by ``|``. Patterns are ordered neuron by
    neuron, ``-`` before ``0`` before ``+``, pieces ascending.
    """

    signs: tuple[tuple[int, ...], ...]
    numbered: tuple[bool, ...] = ()

    def __post_init__(self) -> None:
        numbered = self.numbered or (False,) * len(self.signs)
        if len(numbered) != len(self.signs):
            raise InvalidInput("numbered", f"must have {len(self.signs)} entries, one per group", numbered)
        for group, pieces in zip(self.signs, numbered, strict=True):
            if not pieces and any(sign not in _SYMBOLS for sign in group):
                raise InvalidInput("signs", "must consist of -1, 0 and 1", self.signs)
            if pieces and any(not isinstance(piece, int) or piece < 0 for piece in group):
                raise InvalidInput("signs", "must consist of piece numbers, from 0 on, in numbered groups", self.signs)
        object.__setattr__(self, "numbered", numbered if any(numbered) else ())

    @classmethod
    def parse(cls, text: str) -> Pattern:
        """The pattern that a text denotes; a lone ``0`` is a sign, which also fits a layer of one numbered neuron.

        Raises :class:`~exactrelu.errors.InvalidInput` for other characters.
        """
        rule = 'must consist of the characters "-", "0", "+" and "|", or of piece numbers with commas'
        if not isinstance(text, str) or set(text) - set("-0+|,123456789"):
            raise InvalidInput("pattern", rule, text)
        if not text:
            return cls(())
        groups = text.split("|")
        numbered = tuple(not set(group) <= set(_SIGNS) for group in groups)
        if any(
            pieces and not all(map(_is_piece, group.split(","))) for group, pieces in zip(groups, numbered, strict=True)
        ):
            raise InvalidInput("pattern", rule, text)
        signs = (
            tuple(map(int, group.split(","))) if pieces else tuple(_SIGNS[symbol] for symbol in group)
            for group, pieces in zip(groups, numbered, strict=True)
        )
        return cls(tuple(signs), numbered)

    def __str__(self) -> str:
        numbered = self.numbered or (False,) * len(self.signs)
        return "|".join(
            ",".join(map(str, group)) if pieces else "".join(_SYMBOLS[sign] for sign in group)
            for group, pieces in zip(self.signs, numbered, strict=True)
        )

    def __lt__(self, other: Pattern) -> bool:
        return self.signs < other.signs

    def to_json(self) -> str:
        """The text form."""
        return str(self)


def _is_piece(text: str) -> bool:
    """Whether a text is a number as patterns write it; no function has a billion pieces."""
    return text.isdigit() and len(text) < 10 and (text == "0" or text[0] != "0")


def fitting(net: Network, pattern: Pattern | str) -> Pattern:
    """A pattern, or the one that a text denotes, with the shape of a network.

    Raises :class:`~exactrelu.errors.WrongDimension` if it has another shape.
    """
    if not isinstance(pattern, Pattern):
        pattern = Pattern.parse(pattern)
    bending = [layer for layer in net.layers if not layer.is_affine]
    given = pattern.numbered or (False,) * len(pattern.signs)
    wanted = tuple(layer.is_numbered for layer in bending)
    sizes = [bending_neurons(layer) for layer in bending]
    fits = [len(group) for group in pattern.signs] == [len(rhos) for rhos in sizes] and all(
        theirs == ours or (ours and set(group) <= {0})
        for group, theirs, ours in zip(pattern.signs, given, wanted, strict=False)
    )
    if fits:
        pieces = zip(pattern.signs, wanted, bending, strict=True)
        fits = all(
            code < layer.activations[i].pieces  # type: ignore[union-attr]  # numbered neurons are piecewise linear
            for group, numbered, layer in pieces
            if numbered
            for code, i in zip(group, bending_neurons(layer), strict=True)
        )
    if not fits:
        expected = "|".join(
            ("," if pieces else "").join("k" if pieces else "?" for _ in rhos)
            for rhos, pieces in zip(sizes, wanted, strict=True)
        )
        raise WrongDimension("pattern", f'must have the shape "{expected}" of the network', str(pattern))
    return Pattern(pattern.signs, wanted)


def bending_neurons(layer: Layer) -> list[int]:
    """The neurons of a layer whose activation is not the identity."""
    return [i for i, rho in enumerate(layer.activations) if not rho.is_affine]


def expect_relus(net: Network) -> None:
    """Refuse networks with other neurons than ReLUs and identities: a sign does not tell their slopes.

    Raises :class:`~exactrelu.errors.HypothesisNotMet`.
    """
    for number, layer in enumerate(net.layers, start=1):
        if layer.is_numbered:
            raise HypothesisNotMet("network", f"must consist of ReLU and identity neurons, but layer {number} does not")


def slopes(net: Network, pattern: Pattern | str) -> list[list[int]]:
    """The slope of every neuron on a pattern of a network of ReLU and identity neurons (0 counts as not active).

    Raises :class:`~exactrelu.errors.WrongDimension` if the pattern does not fit, and
    :class:`~exactrelu.errors.HypothesisNotMet` for other activations.
    """
    expect_relus(net)
    groups = iter(fitting(net, pattern).signs)
    result = []
    for layer in net.layers:
        signs = iter(()) if layer.is_affine else iter(next(groups))
        result.append([int(rho.is_affine or next(signs) > 0) for rho in layer.activations])
    return result
