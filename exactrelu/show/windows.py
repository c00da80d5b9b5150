r"""The part of the input space that a picture shows.

A *window* is a box. Where the domain is unbounded, one is chosen that shows all
vertices of the complex with a margin, hence a part of every region. Of many
vertices a few lie far out, where nearly parallel walls meet; then the window
shows the middle nine tenths in every coordinate, and pictures say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

from ..errors import HypothesisNotMet, InvalidDomain
from ..networks import Network
from ..polyhedra import Domain, Polyhedron, as_domain
from ..rationals import Vector
from ..regions import RegionComplex, activation_regions
from .canvas import drawable

DEFAULT_BUDGET: Final = 20_000
"""The number of regions that are drawn unless another budget is given."""

MANY_VERTICES: Final = 40
"""From this number of vertices on, outliers are left out of a window."""

Ends = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class View:
    """A network, the window of a picture, and the regions in the part of the domain that it shows.

    ``total`` is the number of regions on the whole domain, if it is known.
    """

    network: Network
    sides: tuple[Ends, ...]
    complex: RegionComplex
    total: int | None = None

    @property
    def regions(self) -> str:
        """How many regions there are, and how many of them are seen."""
        shown = len(self.complex)
        if self.total is None:
            return f"{counted(shown, 'activation region')} in view"
        seen = "" if shown == self.total else f"{shown} of "
        return seen + counted(self.total, "activation region")

    @property
    def limits(self) -> list[tuple[float, float]]:
        """The ends of the window in floats."""
        return [(drawable(low), drawable(high)) for low, high in self.sides]


def view(net: Network, domain: Domain | str | None, window: Domain | str | None, budget: int | None) -> View:
    """What a picture shows of a network on a domain.

    Raises :class:`~exactrelu.errors.InvalidDomain` for a window that is no box
    with interior points, or that shows none of the domain.
    """
    return views([net], domain, window, budget)[0]


def views(
    nets: Sequence[Network], domain: Domain | str | None, window: Domain | str | None, budget: int | None
) -> list[View]:
    """What pictures with a common window show of several networks on a domain, as :func:`view`."""
    dimension = nets[0].input_dim
    where = as_domain(domain, dimension)
    limit = DEFAULT_BUDGET if budget is None else budget
    totals: list[int | None] = [None] * len(nets)
    if window is None:
        wholes = [activation_regions(net, where, budget=limit) for net in nets]
        sides, totals = fitting_window(*wholes), [len(whole) for whole in wholes]
    else:
        sides = _checked(as_domain(window, dimension, "window"))
    box = Domain.box(sides)
    shown = Polyhedron(dimension, [*where.halfspaces, *box.halfspaces])
    if not shown.is_full_dimensional:
        raise InvalidDomain("window", "must show interior points of the domain", str(box))
    part = Domain.of_polyhedron(shown)
    pairs = zip(nets, totals, strict=True)
    found = [View(net, sides, activation_regions(net, part, budget=limit), total) for net, total in pairs]
    if any(low == high for low, high in found[0].limits):
        raise InvalidDomain("window", "must not be too narrow for its place to be drawn", str(box))
    return found


def counted(number: int, noun: str) -> str:
    """A number with its noun in the singular or the plural.

    >>> counted(1, "kink"), counted(2, "kink")
    ('1 kink', '2 kinks')
    """
    return f"{number} {noun}{'s' * (number != 1)}"


def require_inputs(net: Network, dimension: int, instead: str) -> None:
    """Refuse networks with another number of inputs."""
    if net.input_dim != dimension:
        given = f"it has {net.input_dim}; {instead}"
        inputs = "one input" if dimension == 1 else f"{dimension} inputs"
        raise HypothesisNotMet("network", f"must have {inputs} for this picture, but {given}")


def fitting_window(*complexes: RegionComplex) -> tuple[Ends, ...]:
    """A box that contains all vertices of some complexes, or most of many, with a margin where domains go on.

    >>> fitting_window(activation_regions(Network.mlp([[[1], [1]], [[1, 1]]], [[0, -2], [0]])))
    ((Fraction(-5, 8), Fraction(21, 8)),)
    """
    points = [point for complex in complexes for point in vertices(complex)]
    columns = [sorted(column) for column in zip(*points, strict=True)]
    left_out = len(points) // 20 if len(points) >= MANY_VERTICES else 0
    bounded = [_bounded_sides(complex.domain) for complex in complexes]
    below, above = [[all(flags) for flags in zip(*ends, strict=True)] for ends in zip(*bounded, strict=True)]
    lows = [column[0 if ends else left_out] for column, ends in zip(columns, below, strict=True)]
    highs = [column[-1 if ends else -1 - left_out] for column, ends in zip(columns, above, strict=True)]
    spread = max(high - low for low, high in zip(lows, highs, strict=True)) or Fraction(2)
    margin = spread * Fraction(3, 10)
    size = spread + 2 * margin
    sides = []
    for low, high, ends_below, ends_above in zip(lows, highs, below, above, strict=True):
        # Equal axes: free sides grow until the window is a square.
        pad = max(margin, (size - (high - low)) / (1 if ends_below or ends_above else 2))
        start = low - spread / 32 if ends_below else _floor(low - pad, margin)
        stop = high + spread / 32 if ends_above else -_floor(-high - pad, margin)
        sides.append((start, stop))
    return tuple(sides)


def vertices(complex: RegionComplex) -> list[Vector]:
    """All vertices of a complex; where it has none, points on all of its lowest faces."""
    cells = complex.cells
    return [cells.vertex(v) for v in np.flatnonzero(cells.finite(0)).tolist()]


def _bounded_sides(domain: Domain) -> tuple[list[bool], list[bool]]:
    units = [[int(i == j) for i in range(domain.ambient_dimension)] for j in range(domain.ambient_dimension)]
    return [domain.infimum(unit).value is not None for unit in units], [
        domain.supremum(unit).value is not None for unit in units
    ]


def _checked(window: Domain) -> tuple[Ends, ...]:
    ends = [(low, high) for low, high in window.sides or () if low is not None and high is not None and low < high]
    if len(ends) != window.ambient_dimension:
        raise InvalidDomain("window", "must be a bounded box with interior points", str(window))
    return tuple(ends)


def _floor(value: Fraction, margin: Fraction) -> Fraction:
    """A number with a short denominator, below another by little compared with a margin."""
    step = Fraction(2) ** (margin.numerator.bit_length() - margin.denominator.bit_length() - 3)
    return value // step * step
