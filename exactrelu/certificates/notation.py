"""How certificates write numbers, domains, inequalities and patterns; the specification is ``docs/certificates.md``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from ..errors import HypothesisNotMet
from ..networks import Network, PiecewiseLinear
from ..networks.activations import Activation
from ..polyhedra import Domain, Halfspace, domain_to_json
from ..rationals import Vector
from ..verdicts import text

Name: TypeAlias = int | tuple[int, int, int, int]
"""An inequality: a half-space of the domain, or a breakpoint of a neuron (network, layer, index, number)."""
Combination: TypeAlias = tuple[tuple[Name, Any], ...]
"""Inequalities with their multipliers: numbers, or polynomials in a parameter."""


def numbers(vector: Iterable[Any]) -> list[Any]:
    """Numbers (or polynomials in a parameter) as they are written."""
    return [number(entry) for entry in vector]


def number(value: Any) -> Any:
    """One number as text; a polynomial as the list of its coefficients."""
    return text(value) if isinstance(value, Fraction | int) else value.to_json()


def matrix(rows: Iterable[Iterable[Any]]) -> list[list[Any]]:
    """A matrix, or a list of points, as it is written."""
    return [numbers(row) for row in rows]


def combination(terms: Iterable[tuple[Name, Any]]) -> list[Any]:
    """A combination of inequalities as it is written."""
    return [[list(name) if isinstance(name, tuple) else name, number(weight)] for name, weight in terms]


def network(net: Network, *, analytic: bool = False) -> dict[str, Any]:
    """A network as it is written; errors as :func:`piecewise_linear`, unless analytic functions are allowed."""
    for layer in net.layers if not analytic else ():
        for rho in set(layer.activations):
            piecewise_linear(rho)
    return net.to_json()


def piecewise_linear(rho: Activation) -> PiecewiseLinear:
    """An activation that certificates can be about.

    Raises :class:`~exactrelu.errors.HypothesisNotMet` for the others.
    """
    if not isinstance(rho, PiecewiseLinear):
        raise HypothesisNotMet("network", f"must be piecewise linear to be certified, and not {rho.name}")
    return rho


def domain(region: Domain) -> str | dict[str, Any]:
    """A domain as it is written: its text if it has one, else its half-spaces."""
    return domain_to_json(region) if region.text is None else region.text


def walls(region: Domain) -> list[tuple[Vector, Fraction]]:
    """The half-spaces of a domain as normals and bounds, in the order of their numbers.

    >>> [(int(normal[0]), int(bound)) for normal, bound in walls(Domain.parse("[-1,2]"))]
    [(-1, 1), (1, 2)]
    """
    found: Sequence[Halfspace] = region.halfspaces
    if region.text is not None:
        # Coordinate by coordinate, the lower end first.
        found = sorted(found, key=lambda item: next((i, e) for i, e in enumerate(item.normal) if e))
    return [(item.normal, item.bound) for item in found]
