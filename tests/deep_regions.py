"""Regions and functional dimension of deep networks, slow and plain; companion of :mod:`deep_oracle`.

Every sign that is still possible is followed, neuron by neuron; whether strict affine inequalities have
a common solution is decided by Fourier-Motzkin elimination.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from deep_oracle import Deep, Neuron, Point, Q, Signs, gamma, primitive, rank, sign

Form = tuple[Fraction, ...]  # constant, then one coefficient per input
Sides = Sequence[tuple[Fraction | int, Fraction | int]] | None  # a box, or all of space


@dataclass(frozen=True)
class Region:
    """A full-dimensional region: signs, a point inside, d more around it, and the outputs as affine forms."""

    signs: Signs
    points: tuple[Point, ...]
    outputs: tuple[Form, ...]

    @property
    def smooth(self) -> bool:
        return all(self.signs.values())


def at(form: Form, x: Sequence[Fraction]) -> Fraction:
    return form[0] + sum([c * y for c, y in zip(form[1:], x, strict=True)], Q(0))


def strict_point(forms: Iterable[Form], dimension: int) -> Point | None:
    """A point where every form is positive, or None: Fourier-Motzkin, last coordinate first."""
    forms = {tuple(map(Q, primitive(form))) for form in forms}
    if dimension == 0:
        return () if all(form[0] > 0 for form in forms) else None
    lower = [form for form in forms if form[-1] > 0]
    upper = [form for form in forms if form[-1] < 0]
    rest = [form[:-1] for form in forms if not form[-1]]
    rest += [tuple(a * -v[-1] + b * u[-1] for a, b in zip(u[:-1], v[:-1], strict=True)) for u in lower for v in upper]
    start = strict_point(rest, dimension - 1)
    if start is None:
        return None
    low = max([-at(form[:-1], start) / form[-1] for form in lower], default=None)
    high = min([-at(form[:-1], start) / form[-1] for form in upper], default=None)
    return (*start, simple_between(low, high))


def simple_between(low: Fraction | None, high: Fraction | None) -> Fraction:
    """A number strictly between, with a denominator as small as possible up to powers of two."""
    if low is None or high is None:
        return Q(0) if low is high else Q(low // 1 + 1) if low is not None else Q(-((-high) // 1) - 1)
    scale = 1
    while not Q(low * scale // 1 + 1, scale) < high:
        scale *= 2
    return Q(low * scale // 1 + 1, scale)


def walls(sides: Sides) -> list[Form]:
    """The forms that are positive inside a box."""
    found: list[Form] = []
    for j, (lo, hi) in enumerate(sides or ()):
        unit = [Q(int(k == j)) for k in range(len(sides or ()))]
        found += [(-Q(lo), *unit), (Q(hi), *(-c for c in unit))]
    return found


def regions(net: Deep, sides: Sides = None) -> list[Region]:
    """All full-dimensional activation regions; a neuron that is identically zero on one has sign 0."""
    neurons, d, box = list(net.neurons), net.input_dim, walls(sides)
    zero: Form = (Q(0),) * (d + 1)
    base: dict[Neuron | None, Form] = {None: (Q(1), *[Q(0)] * d)}
    base |= {(0, j): tuple(Q(int(k == j + 1)) for k in range(d + 1)) for j in range(d)}

    def descend(n: int, signs: Signs, values: dict[Any, Form], inside: list[Form], x: Point) -> Iterator[Region]:
        if n == len(neurons):
            yield Region(signs, around(inside, x), tuple(values[v] for v in net.outputs))
            return
        v = neurons[n]
        form = zero
        for (u, _), weight in net.entering(v):
            form = tuple(a + weight * b for a, b in zip(form, values[u], strict=True))
        if not net.neurons[v]:
            yield from descend(n + 1, signs, values | {v: form}, inside, x)
        elif not any(form[1:]):
            value = form if form[0] > 0 else zero
            yield from descend(n + 1, signs | {v: sign(form[0])}, values | {v: value}, inside, x)
        else:
            for s in (-1, 1):
                more = [*inside, tuple(s * c for c in form)]
                y = x if s * at(form, x) > 0 else strict_point(more, d)
                if y is not None:
                    value = form if s > 0 else zero
                    yield from descend(n + 1, signs | {v: s}, values | {v: value}, more, y)

    start = strict_point(box, d) if box else (Q(0),) * d
    assert start is not None, "the box has interior points"
    return list(descend(0, {}, base, box, start))


def around(inside: Sequence[Form], x: Point) -> tuple[Point, ...]:
    """The point and one more along every axis, so near that no form changes its sign."""
    step = min([at(form, x) / (2 * max(map(abs, form[1:]))) for form in inside], default=Q(1))
    step = Q(1, max(1, -(-step.denominator // step.numerator)))  # not larger, and short
    return (x, *(tuple(c + step * (k == j) for k, c in enumerate(x)) for j in range(len(x))))


def smooth_points(net: Deep, sides: Sides = None) -> list[Point]:
    """Points whose sample Jacobian has the largest rank that any finite set of smooth points has."""
    return [x for region in regions(net, sides) if region.smooth for x in region.points]


def functional_dimension(net: Deep, sides: Sides = None) -> int:
    """The largest rank of the Jacobian at finitely many smooth points of all of space or of a box."""
    return rank(gamma(net, smooth_points(net, sides)))


def beside(left: Deep, right: Deep) -> Deep:
    """Both networks on one input: the neurons of ``right`` stand after those of ``left`` in each layer."""
    assert (left.input_dim, left.depth) == (right.input_dim, right.depth)
    width = [sum(k == layer for k, _ in left.neurons) for layer in range(left.depth + 1)]

    def moved(v: Neuron | None) -> Any:
        return v if v is None or v[0] == 0 else (v[0], v[1] + width[v[0]])

    edges = left.edges | {(moved(u), moved(v)): value for (u, v), value in right.edges.items()}
    neurons = left.neurons | {moved(v): bends for v, bends in right.neurons.items()}
    return Deep(left.input_dim, edges, dict(sorted(neurons.items())), left.depth)


def same_function(left: Deep, right: Deep, sides: Sides = None) -> bool:
    """Whether the outputs agree on all of space or on a box: compared on every common region."""
    half = len(left.outputs)
    return all(region.outputs[:half] == region.outputs[half:] for region in regions(beside(left, right), sides))
