r"""Activation patterns: the sign in :math:`\{-,0,+\}` of every bending neuron.

>>> pattern = Pattern.parse("+-|0")
>>> pattern.signs, str(pattern)
(((1, -1), (0,)), '+-|0')
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import total_ordering
from typing import TYPE_CHECKING, Final

from ..errors import InvalidInput, WrongDimension

if TYPE_CHECKING:
    from .network import Network

_SYMBOLS: Final = {-1: "-", 0: "0", 1: "+"}
_SIGNS: Final = {symbol: sign for sign, symbol in _SYMBOLS.items()}


@total_ordering
@dataclass(frozen=True, slots=True)
class Pattern:
    """The signs of pre-activations, one group per layer with a nonlinear activation.

    Within a layer that mixes activations, the group lists the bending neurons
    only. Text form: ``-``, ``0``, ``+``, groups joined by ``|``. Patterns are
    ordered neuron by neuron, ``-`` before ``0`` before ``+``.
    """

    signs: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        if any(sign not in _SYMBOLS for group in self.signs for sign in group):
            raise InvalidInput("signs", "must consist of -1, 0 and 1", self.signs)

    @classmethod
    def parse(cls, text: str) -> Pattern:
        """The pattern that a text denotes.

        Raises :class:`~exactrelu.errors.InvalidInput` for other characters.
        """
        if not isinstance(text, str) or set(text) - {"-", "0", "+", "|"}:
            raise InvalidInput("pattern", 'must consist of the characters "-", "0", "+" and "|"', text)
        if not text:
            return cls(())
        return cls(tuple(tuple(_SIGNS[symbol] for symbol in group) for group in text.split("|")))

    def __str__(self) -> str:
        return "|".join("".join(_SYMBOLS[sign] for sign in group) for group in self.signs)

    def __lt__(self, other: Pattern) -> bool:
        return self.signs < other.signs

    def to_json(self) -> str:
        """The text form."""
        return str(self)


def slopes(net: Network, pattern: Pattern | str) -> list[list[int]]:
    """The slope of every neuron on a pattern, layer by layer (0 counts as not active).

    Raises :class:`~exactrelu.errors.WrongDimension` if the pattern does not fit.
    """
    if not isinstance(pattern, Pattern):
        pattern = Pattern.parse(pattern)
    shape = pattern_shape(net)
    given = tuple(len(group) for group in pattern.signs)
    if given != shape:
        expected = "|".join("?" * size for size in shape)
        raise WrongDimension("pattern", f'must have the shape "{expected}" of the network', str(pattern))
    groups = iter(pattern.signs)
    result = []
    for layer in net.layers:
        signs = iter(()) if layer.is_linear else iter(next(groups))
        result.append([1 if rho.is_linear else (1 if next(signs) > 0 else rho.slope) for rho in layer.activations])
    return result


def pattern_shape(net: Network) -> tuple[int, ...]:
    """The number of bending neurons of every layer that has one."""
    return tuple(sum(not rho.is_linear for rho in layer.activations) for layer in net.layers if not layer.is_linear)
