r"""Points of which one must tell two shallow networks apart that differ on a domain.

Where a jump differs, cross its hyperplane at a point that is on no other one: of
three points in a row, the values cannot all agree. Without differing jumps the
difference is affine, and a simplex tells.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from fractions import Fraction

from ..polyhedra import Domain
from ..rationals import Vector, dot
from .normal_form import normal_form
from .restriction import coordinates, restricted
from .shallow import Form, ShallowNetwork, form_value


def telling_points(left: ShallowNetwork, right: ShallowNetwork, domain: Domain) -> Iterator[Vector]:
    """Finitely many points of the domain; the networks differ at one of them if they differ at all."""
    if domain.dimension == 0:
        yield domain.interior_point()
        return
    if not domain.is_full_dimensional:
        point, basis = coordinates(domain)
        inner, inner_domain = restricted(left, domain)
        for inside in telling_points(inner, restricted(right, domain)[0], inner_domain):
            steps = [dot(inside, column) for column in zip(*basis, strict=True)]
            yield tuple(p + step for p, step in zip(point, steps, strict=True))
        return
    forms = normal_form(left, domain), normal_form(right, domain)
    different = sorted(dict(set(forms[0].jumps) ^ set(forms[1].jumps)))
    center = domain.interior_point()
    if not different:
        yield center
        yield from _nearby(center, domain)
        return
    walls = [form for form, _ in forms[0].jumps + forms[1].jumps]
    found = across(different[0], walls, domain)
    assert found is not None  # neurons that are not kinked make no jump
    yield from found


def _nearby(center: Vector, domain: Domain) -> Iterator[Vector]:
    """Points of the domain from ``center`` along every axis."""
    for axis in range(len(center)):
        step = Fraction(1)
        while True:
            point = tuple(c + step * (i == axis) for i, c in enumerate(center))
            if domain.contains(point):
                yield point
                break
            step /= 2


def across(form: Form, walls: Iterable[Form], domain: Domain) -> tuple[Vector, Vector, Vector] | None:
    """A point inside the domain on a hyperplane, and one on either side, inside it too.

    No other of the ``walls`` passes through them or between them. ``None`` if the hyperplane does not meet the
    interior of the domain.

    >>> [str(x) for (x,) in across((1, -1), [(1, -1), (2, -3)], Domain.parse("[0,8]"))]
    ['1', '11/8', '5/8']
    """
    ends = [extremum(form[:-1], form[-1]) for extremum in (domain.supremum, domain.infimum)]
    if any(end.value is not None and sign * end.value <= 0 for sign, end in zip((1, -1), ends, strict=True)):
        return None
    others = [wall for wall in walls if wall != form]
    for attempt in _interior_points(domain):  # of all but few of them the middle is on no wall
        value = form_value(form, attempt)
        if value:
            target = ends[value > 0]
            end = _towards(attempt, target.point, target.ray, form)
            share = value / (value - form_value(form, end))
            middle = tuple(a + share * (e - a) for a, e in zip(attempt, end, strict=True))
            if all(form_value(wall, middle) for wall in others):
                step = tuple(a - m for a, m in zip(attempt, middle, strict=True))
                return _row(middle, step, others, domain)
    raise AssertionError("the supply of points has no end")


def _row(middle: Vector, step: Vector, others: list[Form], domain: Domain) -> tuple[Vector, Vector, Vector]:
    while True:
        one, other = (tuple(m + sign * s for m, s in zip(middle, step, strict=True)) for sign in (1, -1))
        clear = all(form_value(wall, middle) * form_value(wall, end) > 0 for wall in others for end in (one, other))
        if clear and all(facet.slack(end) > 0 for facet in domain.halfspaces for end in (one, other)):
            return middle, one, other
        step = tuple(s / 2 for s in step)


def _interior_points(domain: Domain) -> Iterator[Vector]:
    """Points inside the domain, ever closer to the given one, and from ever larger sets, so that few are on a wall."""
    center = domain.interior_point()
    yield center
    draw, size = random.Random(0), 1
    while True:
        point = tuple(c + Fraction(draw.randint(-size, size), 4 * size**2) for c in center)
        if all(facet.slack(point) > 0 for facet in domain.halfspaces):
            yield point
        size *= 2


def _towards(start: Vector, point: Vector, ray: Vector | None, form: Form) -> Vector:
    """A point of the domain on the far side of a hyperplane, halfway to an extremum or out along a ray."""
    value, share = form_value(form, start), Fraction(1)
    while True:
        if ray is None:
            end = tuple(p + share / 2 * (s - p) for s, p in zip(start, point, strict=True))
        else:
            end = tuple(s + r / share for s, r in zip(start, ray, strict=True))
        if form_value(form, end) * value < 0:
            return end
        share /= 2
