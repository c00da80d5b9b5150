"""Evidence: a direction of parameters along which no value changes to first order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ...networks import Network
from ...verdicts import text


@dataclass(frozen=True, slots=True)
class KernelDirection:
    r"""A direction :math:`\delta` of parameters with :math:`\Gamma\delta=0` at every point off the kinks.

    ``entries`` pairs the names of parameters with their nonzero components.
    """

    entries: tuple[tuple[str, Fraction], ...]

    @classmethod
    def of(cls, net: Network, components: Sequence[Fraction | int]) -> KernelDirection:
        """The direction with these components, one per parameter of a network."""
        return cls(named_entries(net, components))

    def explain(self) -> str:
        """The direction in one line."""
        shown = ", ".join(f"{name}: {text(value)}" for name, value in self.entries)
        return f"to first order no value changes along {shown}"


def named_entries(net: Network, components: Sequence[Fraction | int]) -> tuple[tuple[str, Fraction], ...]:
    """The nonzero components of a direction, one per parameter of a network, with the names of the parameters.

    >>> named_entries(Network.mlp([[[1]], [[2]]]), [0, 3])
    (('w[2<-1][0,0]', Fraction(3, 1)),)
    """
    pairs = zip(net.parameters, components, strict=True)
    return tuple((parameter.name, Fraction(entry)) for parameter, entry in pairs if entry)
