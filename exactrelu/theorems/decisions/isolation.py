r"""Whether parameters are isolated, up to rescaling, among those with the same readings.

For every hidden neuron hold its first nonzero incoming parameter fixed: close to
:math:`\theta` every class of :math:`\sim_S` meets this *slice* in exactly one point,
so that :math:`\theta` is locally identifiable from readings exactly when it is an
isolated point of their fibre in the slice. There the readings are polynomials
:math:`P`, since close to :math:`\theta` no gate changes, and

* if :math:`P` is one-to-one on a box around :math:`\theta`, the point is isolated. With
  :math:`A` the inverse of a minor of :math:`DP(\theta)` and :math:`E` an enclosure of
  :math:`|DP-DP(\theta)|` over the box, :math:`|A|E\mathbf 1<\mathbf 1` proves it;
* if a minor of size one less is invertible, its equations cut out a curve
  :math:`\theta(t)`; when some other reading is not constant along its power series,
  the point is isolated too;
* a line along which all readings are constant shows that it is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from ...networks import Network
from ...rationals import Matrix, Vector, inverse, kernel, rank, row_reduce
from ...verdicts import Status, Verdict, number_list, text
from .arithmetic import Interval, Series
from .frozen import Reading, chain_rule, jacobian, outputs_of, theta_of

CLAIM: Final = "no other parameters nearby, up to rescaling, have the same readings"
MOST_HALVINGS: Final = 200
EXTRA_ORDERS: Final = 3
ONE: Final = Fraction(1)


@dataclass(frozen=True, slots=True)
class InjectiveBox:
    """Evidence: the readings tell apart all parameters of the slice that are ``radius`` close in every coordinate."""

    radius: Fraction
    free: tuple[str, ...]

    def explain(self) -> str:
        """The evidence in a sentence."""
        return f"the readings are one-to-one while {', '.join(self.free)} change by at most {text(self.radius)}"


@dataclass(frozen=True, slots=True)
class Obstruction:
    """Evidence: along the only possible curve reading number ``row`` changes, first in the term of this ``order``."""

    order: int
    row: int
    direction: Vector

    def explain(self) -> str:
        """The evidence in a sentence."""
        curve = f"along the only curve that keeps the others, with tangent {number_list(self.direction)}"
        return f"{curve}, reading {self.row} changes at order {self.order}"


@dataclass(frozen=True, slots=True)
class ConstantLine:
    r"""Evidence: all readings are constant along :math:`\theta+t\delta`, and :math:`\delta` is no rescaling."""

    direction: Vector

    def explain(self) -> str:
        """The evidence in a sentence."""
        return f"no reading changes along the line of direction {number_list(self.direction)}"


def isolation(net: Network, readings: Sequence[Reading]) -> Verdict:
    """Whether the parameters are isolated among those with the same readings: proved, refuted, or unknown."""
    rows = jacobian(net, readings)
    free = slice_columns(net)
    if free is not None:
        on_slice = [[row[k] for k in free] for row in rows]
        chosen = row_reduce([list(column) for column in zip(*on_slice, strict=True)])[1]
        if len(chosen) == len(free):
            box = _injective_box(net, readings, free, on_slice, chosen)
            return Verdict(CLAIM, Status.UNKNOWN if box is None else Status.HOLDS, evidence=box)
        if len(chosen) == len(free) - 1:
            obstruction = _obstruction(net, readings, free, on_slice, chosen)
            if obstruction is not None:
                return Verdict(CLAIM, Status.HOLDS, evidence=obstruction)
    line = next(constant_lines(net, readings, rows), None)
    if line is None:
        return Verdict(CLAIM, Status.UNKNOWN)
    return Verdict(CLAIM, Status.FAILS, evidence=ConstantLine(line))


def slice_columns(net: Network) -> list[int] | None:
    """The parameters that vary in the slice; ``None`` if some neuron has no nonzero incoming parameter."""
    held: dict[object, int] = {}
    for k, parameter in enumerate(net.parameters):
        if parameter.value and parameter.target[0] < net.depth:
            held.setdefault(parameter.target, k)
    if len(held) < len(net.hidden_neurons):
        return None
    return [k for k in range(len(net.parameters)) if k not in set(held.values())]


def scaling_directions(net: Network) -> list[list[Fraction]]:
    r"""For every hidden :math:`v` the direction :math:`w_{uv}`, :math:`b_v`, :math:`-w_{vx}` of its rescaling."""
    return [
        [p.value * ((p.target == neuron) - (p.source == neuron)) for p in net.parameters]
        for neuron in net.hidden_neurons
    ]


def constant_lines(net: Network, readings: Sequence[Reading], rows: Sequence[Sequence[Fraction]]) -> Iterator[Vector]:
    """Directions along which all readings are constant, and that no rescaling has."""
    theta = theta_of(net)
    scalings = scaling_directions(net)
    tangent = rank(scalings)
    for direction in sorted(dict.fromkeys(_candidates(net, rows)), key=lambda line: sum(map(bool, line))):
        if rank([*scalings, direction]) == tangent:
            continue
        line = [Series((a, d, *[Fraction(0)] * (net.depth - 1))) for a, d in zip(theta, direction, strict=True)]
        outputs = (value for reading in readings for value in outputs_of(net, line, reading))
        if not any(any(value.coefficients[1:]) for value in outputs if isinstance(value, Series)):
            yield direction


def _candidates(net: Network, rows: Sequence[Sequence[Fraction]]) -> Iterator[Vector]:
    """Kernel directions on sets of parameters of which no path contains two, then all of a basis of the kernel."""
    parameters = net.parameters
    groups = [[k for k, p in enumerate(parameters) if p.source is None or p.source[0] == 0]]
    for layer in range(1, net.depth + 1):
        into = [p.target[0] == layer or (p.source is None and p.target[0] > layer) for p in parameters]
        groups.append([k for k, taken in enumerate(into) if taken])
    for columns in [*groups, list(range(len(parameters)))]:
        for vector in kernel([[row[k] for k in columns] for row in rows], len(columns)):
            direction = [Fraction(0)] * len(parameters)
            for k, entry in zip(columns, vector, strict=True):
                direction[k] = entry
            yield tuple(direction)


def _injective_box(
    net: Network, readings: Sequence[Reading], free: list[int], on_slice: list[list[Fraction]], chosen: Sequence[int]
) -> InjectiveBox | None:
    weights = inverse([on_slice[i] for i in chosen])
    assert weights is not None  # the chosen rows are a basis
    radius = Fraction(1, 16)
    for _ in range(MOST_HALVINGS):
        spreads = _spreads(net, readings, free, on_slice, chosen, radius)
        worst = max((_bound(row, spreads) for row in weights), default=Fraction(0))
        if worst < 1:
            return InjectiveBox(radius, tuple(net.parameters[k].name for k in free))
        radius /= 2 ** max(1, (2 * worst.numerator // worst.denominator).bit_length())
    return None


def _spreads(
    net: Network,
    readings: Sequence[Reading],
    free: list[int],
    on_slice: list[list[Fraction]],
    chosen: Sequence[int],
    radius: Fraction,
) -> list[Fraction]:
    r"""For every chosen reading :math:`\sum_j\sup|\partial_jP-\partial_jP(\theta)|` over the box."""
    moving = set(free)
    box = [Interval.around(a, radius if k in moving else Fraction(0)) for k, a in enumerate(theta_of(net))]
    found: dict[int, list[list[Interval | Fraction]]] = {}
    spreads = []
    for i in chosen:
        place, output = divmod(i, net.output_dim)
        if place not in found:
            found[place] = chain_rule(net, box, readings[place])[1]
        row = found[place][output]
        spreads.append(sum((_deviation(row[k], c) for k, c in zip(free, on_slice[i], strict=True)), Fraction(0)))
    return spreads


def _deviation(entry: Interval | Fraction, center: Fraction) -> Fraction:
    if isinstance(entry, Interval):
        return max(entry.high - center, center - entry.low)
    return abs(entry - center)


def _bound(row: Sequence[Fraction], spreads: Sequence[Fraction]) -> Fraction:
    return sum((abs(a) * e for a, e in zip(row, spreads, strict=True)), Fraction(0))


def _obstruction(
    net: Network, readings: Sequence[Reading], free: list[int], on_slice: list[list[Fraction]], chosen: Sequence[int]
) -> Obstruction | None:
    """Follow the curve that the chosen readings cut out, term by term, until another reading changes."""
    equations = [on_slice[i] for i in chosen]
    tangent = kernel(equations, len(free))[0]
    others = [i for i in range(len(on_slice)) if i not in set(chosen)]
    solver = _Solver(equations, tangent)
    orders = net.depth + EXTRA_ORDERS
    curve = [[a, *[Fraction(0)] * orders] for a in theta_of(net)]
    for k, entry in zip(free, tangent, strict=True):
        curve[k][1] = entry
    for order in range(2, orders + 1):
        terms = _terms(net, readings, curve, order)
        step = solver.solve([-terms[i] for i in chosen])
        # A term of this order enters the readings linearly, by the derivative.
        for i in others:
            moved = sum((a * s for a, s in zip(on_slice[i], step, strict=True)), Fraction(0))
            if terms[i] + moved:
                return Obstruction(order, i, tangent)
        for k, entry in zip(free, step, strict=True):
            curve[k][order] = entry
    return None


class _Solver:
    """Solve ``equations @ x = right`` with ``x`` zero where the tangent leads the way."""

    def __init__(self, equations: Sequence[Sequence[Fraction]], tangent: Vector) -> None:
        self._lead = next(k for k, entry in enumerate(tangent) if entry)
        found = inverse([[entry for k, entry in enumerate(row) if k != self._lead] for row in equations])
        assert found is not None  # the kernel is spanned by the tangent, which leads there
        self._inverse: Matrix = found

    def solve(self, right: Sequence[Fraction]) -> list[Fraction]:
        """The solution."""
        step = [sum((a * b for a, b in zip(row, right, strict=True)), Fraction(0)) for row in self._inverse]
        step.insert(self._lead, Fraction(0))
        return step


def _terms(net: Network, readings: Sequence[Reading], curve: list[list[Fraction]], order: int) -> list[Fraction]:
    """The terms of one order of all readings along a curve."""
    theta = [Series(tuple(entry[: order + 1])) for entry in curve]
    terms = []
    for reading in readings:
        for value in outputs_of(net, theta, reading):
            terms.append(value.coefficients[order] if isinstance(value, Series) else Fraction(0))
    return terms
