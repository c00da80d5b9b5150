"""Largest steps on regions, against vertices and rays."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from region_networks import batches, random_network

from exactrelu import Domain
from exactrelu.identifiability.deep.region_forms import Cell, largest_step
from exactrelu.regions import activation_regions

Form = tuple[Fraction, ...]


def at(form: Form, point: Form, height: int) -> Fraction:
    """A form at a point (height 1), or its slope in a direction (height 0)."""
    return sum((a * b for a, b in zip(form[:-1], point, strict=True)), height * form[-1])


def by_generators(cell: Cell, start: Form, change: Form) -> Fraction:
    """The least of the largest steps at vertices and along rays."""
    polyhedron, step = cell.region.polyhedron, Fraction(1)
    lines = [tuple(sign * c for c in line) for line in polyhedron.lines for sign in (1, -1)]
    places = [(p, 1) for p in polyhedron.vertices] + [(p, 0) for p in (*polyhedron.rays, *lines)]
    for place, height in places:
        g, k = at(start, place, height), at(change, place, height)
        if g > 0:
            return Fraction(0)
        if k > 0:
            step = min(step, -g / k)
    return step


@pytest.mark.parametrize("seeds", batches(40, 600, 140))
def test_largest_steps(seeds: range) -> None:
    outcomes: set[str] = set()
    for seed in seeds:
        r = Random(seed)
        net, halfspaces = random_network(70_000 + seed, 2, 3)
        domain = Domain.polytope(halfspaces=halfspaces) if halfspaces else Domain.space(net.input_dim)
        for region in list(activation_regions(net, domain))[:4]:
            cell = Cell(region)
            forms = [cell.before(neuron) for neuron in net.hidden_neurons]
            for form in forms:
                start = tuple((-1 if at(form, region.interior_point, 1) > 0 else 1) * c for c in form)
                change = [
                    tuple(Fraction(r.randint(-2, 2), 2) for _ in form),
                    tuple(r.choice((-1, 1, 3)) * c for c in r.choice(forms)),
                    (*(Fraction(0) for _ in form[:-1]), Fraction(r.choice((-1, 0, 1)))),
                ]
                for step_form in change:
                    found = largest_step(cell, start, step_form)
                    assert found == by_generators(cell, start, step_form)
                    outcomes.add("some" if 0 < found < 1 else str(found))
                positive = tuple(-c for c in start)
                assert largest_step(cell, positive, start) == by_generators(cell, positive, start)
    assert outcomes == {"0", "1", "some"}
