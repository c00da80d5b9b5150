r"""One-parameter families of networks: parameters that are rational functions of :math:`t`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..errors import DifferentArchitecture, InvalidInput
from ..rationals import Vector, rational
from ..verdicts import plain, sum_text, text
from .network import Network


@dataclass(frozen=True, slots=True)
class Family:
    r"""The networks :math:`\theta(t)` for :math:`0\le t\le` ``last``, with :math:`\theta(0)` = ``base``.

    Parameter ``k`` is the quotient of the polynomials with coefficients
    ``numerators[k]`` and ``denominators[k]``, lowest degree first.
    """

    base: Network
    numerators: tuple[Vector, ...]
    denominators: tuple[Vector, ...]
    last: Fraction = Fraction(1)

    @classmethod
    def segment(cls, start: Network, end: Network) -> Family:
        r"""The family :math:`\theta(t)=(1-t)\,\theta(0)+t\,\theta(1)` between networks of one architecture.

        >>> a, b = Network.mlp([[[1]], [[1]]]), Network.mlp([[[3]], [[1]]])
        >>> Family.segment(a, b).member("1/2")
        Network.mlp([[[2]], [[1]]])
        """
        if start.architecture != end.architecture:
            raise DifferentArchitecture("end", "must have the architecture of the start", end.widths)
        numerators = tuple(
            (old.value, new.value - old.value) for old, new in zip(start.parameters, end.parameters, strict=True)
        )
        return cls(start, numerators, ((Fraction(1),),) * len(numerators))

    def member(self, t: object) -> Network:
        r"""The network :math:`\theta(t)`; ``t`` must lie in ``[0, last]``."""
        value = rational(t, "t")
        if not 0 <= value <= self.last:
            raise InvalidInput("t", f"must lie between 0 and {text(self.last)}", t)
        return self.base.with_values(
            [_at(n, value) / _at(d, value) for n, d in zip(self.numerators, self.denominators, strict=True)]
        )

    def member_within(self, epsilon: object) -> tuple[Fraction, Network]:
        r"""Some :math:`t>0` and its member, with no parameter farther than ``epsilon`` from the base.

        >>> a, b = Network.mlp([[[1]], [[1]]]), Network.mlp([[[3]], [[1]]])
        >>> Family.segment(a, b).member_within("1/10")[0]
        Fraction(1, 32)
        """
        bound = rational(epsilon, "epsilon")
        if bound <= 0:
            raise InvalidInput("epsilon", "must be positive", epsilon)
        t = self.last
        while True:
            found = self.member(t)
            pairs = zip(found.parameters, self.base.parameters, strict=True)
            if all(abs(new.value - old.value) <= bound for new, old in pairs):
                return t, found
            t /= 2

    def to_json(self) -> dict[str, Any]:
        """The family as JSON data: coefficient lists by parameter name, lowest degree first."""
        return {
            "format": "exactrelu/family",
            "version": 1,
            "network": self.base.to_json(),
            "last": text(self.last),
            "parameters": {
                parameter.name: {"numerator": plain(n), "denominator": plain(d)}
                for parameter, n, d in zip(self.base.parameters, self.numerators, self.denominators, strict=True)
                if any(n[1:]) or any(d[1:])
            },
        }

    def explain(self) -> str:
        """The parameters that change, as formulas in t."""
        lines = [f"for 0 < t <= {text(self.last)}, the same network with"]
        for parameter, n, d in zip(self.base.parameters, self.numerators, self.denominators, strict=True):
            if any(n[1:]) or any(d[1:]):
                shown = _polynomial(n) if list(d) == [1] else f"({_polynomial(n)})/({_polynomial(d)})"
                lines.append(f"  {parameter.name} = {shown}")
        return "\n".join(lines)


def _at(coefficients: Sequence[Fraction], t: Fraction) -> Fraction:
    value = Fraction(0)
    for coefficient in reversed(coefficients):
        value = value * t + coefficient
    return value


def _polynomial(coefficients: Sequence[Fraction]) -> str:
    constant, *others = coefficients
    terms = [(coefficient, "t" if k == 1 else f"t^{k}") for k, coefficient in enumerate(others, start=1)]
    return sum_text(terms, constant)
