r"""Points of which one must tell two shallow networks apart that differ on a domain.

Where a jump differs, cross its hyperplane at a point that is on no other one: of
three points in a row, the values cannot all agree. Without differing jumps the
difference is affine, and a simplex tells.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

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
    yield from _across(different[0], walls, domain)


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


def _across(form: Form, walls: list[Form], domain: Domain) -> Iterator[Vector]:
    """Three points in a row across a hyperplane, with no other wall between them."""
    others = [wall for wall in walls if wall != form]
    for attempt in islice(_interior_points(domain), 10_000):
        value = form_value(form, attempt)
        for target in (domain.supremum(form[:-1], form[-1]), domain.infimum(form[:-1], form[-1])):
            end = _towards(attempt, target.point, target.ray, form)
            if end is None or value * form_value(form, end) >= 0:
                continue
            share = value / (value - form_value(form, end))
            middle = tuple(a + share * (e - a) for a, e in zip(attempt, end, strict=True))
            if any(form_value(wall, middle) == 0 for wall in others):
                continue
            step = tuple(a - m for a, m in zip(attempt, middle, strict=True))
            yield from _row(middle, step, others, domain)
            return


def _row(middle: Vector, step: Vector, others: list[Form], domain: Domain) -> Iterator[Vector]:
    while True:
        ends = [tuple(m + sign * s for m, s in zip(middle, step, strict=True)) for sign in (1, -1)]
        clear = all(form_value(wall, middle) * form_value(wall, end) > 0 for wall in others for end in ends)
        if clear and all(domain.contains(end) for end in ends):
            yield from (middle, *ends)
            return
        step = tuple(s / 2 for s in step)


def _interior_points(domain: Domain) -> Iterator[Vector]:
    """Interior points on a moment curve through the given one, so that no hyperplane holds many."""
    center = domain.interior_point()
    yield center
    size = 1
    while True:
        for sign in (1, -1):
            scale = Fraction(sign, 4 * size)
            point = tuple(c + scale / (size + 1) ** i for i, c in enumerate(center))
            if all(facet.slack(point) > 0 for facet in domain.halfspaces):
                yield point
        size += 1


def _towards(start: Vector, point: Vector, ray: Vector | None, form: Form) -> Vector | None:
    """A point of the domain on the far side of a hyperplane, halfway to an extremum or out along a ray."""
    if ray is None:
        beyond, share = form_value(form, point), Fraction(1, 2)
        while beyond:
            end = tuple(p + share * (s - p) for s, p in zip(start, point, strict=True))
            if form_value(form, end) * beyond > 0:
                return end
            share /= 2
        return None
    length = Fraction(1)
    sign = 1 if sum(f * r for f, r in zip(form, ray, strict=False)) > 0 else -1
    while True:
        end = tuple(s + length * r for s, r in zip(start, ray, strict=True))
        if form_value(form, end) * sign > 0:
            return end
        length *= 2
