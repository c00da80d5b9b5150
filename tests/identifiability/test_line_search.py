"""Kinks on rational lines: against functions made from known kinks; general position by brute force."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction as Q
from itertools import combinations, product
from math import gcd

import pytest

from exactrelu.identifiability.recovery.bent_function import bend_at
from exactrelu.identifiability.recovery.black_box import BlackBox, BrokenPromise
from exactrelu.identifiability.recovery.generic_lines import Line, Pencil, clear_step
from exactrelu.identifiability.recovery.line_search import Kink, _middle, find_kinks

AXIS = Line((Q(0),), (Q(1),))
Bends = dict[Q, tuple[Q, ...]]


def piecewise(bends: Bends, slope: tuple[Q, ...]) -> Callable[[tuple[Q, ...]], tuple[Q, ...]]:
    """The function with these jumps of the slope, and this slope on the far left."""

    def function(point: tuple[Q, ...]) -> tuple[Q, ...]:
        (t,) = point
        return tuple(s * t + sum(a[o] * max(t - k, 0) for k, a in bends.items()) for o, s in enumerate(slope))

    return function


def truth(bends: Bends) -> list[Kink]:
    return [Kink(t, jump) for t, jump in sorted(bends.items()) if any(jump)]


def has_bump(bends: Bends) -> bool:
    """Whether some run of consecutive kinks has the same piece before and after, literally."""
    kinks = truth(bends)
    for i, j in combinations(range(len(kinks) + 1), 2):
        run = kinks[i:j]
        sums = [sum(kink.jump[o] for kink in run) for o in range(len(run[0].jump))]
        moments = [sum(kink.jump[o] * kink.t for kink in run) for o in range(len(run[0].jump))]
        if not any(sums) and not any(moments):
            return True
    return False


def random_bends(r: random.Random, height: int, outputs: int) -> Bends:
    """Kinks of bounded height, half of the time crowded or with sums of jumps that vanish."""
    bends: Bends = {}
    crowd = Q(r.randint(-height, height), r.randint(1, height))
    for _ in range(r.randint(0, 6)):
        t = Q(r.randint(-height, height), r.randint(1, height))
        if r.random() < 0.5:
            near = crowd.limit_denominator(r.randint(1, height))
            t = near if abs(near.numerator) <= height else t
        bends[t] = tuple(Q(r.choice((-2, -1, 0, 1, 1, 3)), r.choice((1, 1, 7))) for _ in range(outputs))
    return bends


@pytest.mark.parametrize("height", [3, 50, 10**6, 10**30])
def test_random_functions(height: int) -> None:
    r = random.Random(height)
    several = 0
    for _ in range(120):
        outputs = r.choice((1, 1, 2))
        bends = random_bends(r, height, outputs)
        if has_bump(bends):
            continue
        several += len(truth(bends)) > 2
        box = BlackBox(piecewise(bends, (Q(r.randint(-2, 2)),) * outputs), 1)
        assert find_kinks(box, AXIS, height, 6) == truth(bends)
    assert several > 20


def test_queries_grow_with_the_logarithm_of_the_height() -> None:
    counts = []
    for digits in (6, 60):
        height = 10**digits
        bends = {Q(1, 3): (Q(1),), Q(1, height): (Q(-1),), Q(height): (Q(2),), Q(height - 1, height): (Q(-2),)}
        box = BlackBox(piecewise(bends, (Q(0),)), 1)
        assert find_kinks(box, AXIS, height, 4) == truth(bends)
        counts.append(box.queries)
    assert counts[0] < 200
    assert counts[1] < 20 * counts[0]


HAT = {Q(0): (Q(1),), Q(1): (Q(-2),), Q(2): (Q(1),)}


def test_a_middle_has_the_shortest_binary_text_well_inside() -> None:
    r = random.Random(8)
    lengths = [Q(1, 3 << 500), Q(3, 1 << 500), Q(3), Q(2, 7**300)]
    lengths += [
        Q(r.randint(1, 4 << r.randint(0, 40)), 1 + (r.getrandbits(60) >> r.randint(0, 60))) for _ in range(1000)
    ]
    for length in lengths:
        left = Q(r.randint(0, 9), r.randint(1, 9))
        if left + length <= 4 * max(left, 1):
            step = Q(1)
            while 3 * step > length:
                step /= 2
            middle = _middle(left, left + length)
            assert middle == -_middle(-left - length, -left)
            assert (middle / step).denominator == 1
            assert abs(2 * middle - (2 * left + length)) <= step <= length / 3


def test_a_bump_is_seen_exactly_if_a_probe_is_inside() -> None:
    hat = piecewise(HAT, (Q(0),))
    for probe, seen in ((Q(-1), False), (Q(1, 100), True), (Q(1), True), (Q(199, 100), True), (Q(201, 100), False)):
        assert find_kinks(hat, AXIS, 100, 3, [probe]) == (truth(HAT) if seen else [])


def test_probes_on_kinks() -> None:
    assert find_kinks(piecewise(HAT, (Q(0),)), AXIS, 100, 3, [Q(0), Q(2), Q(1, 2)]) == truth(HAT)


BROKEN = {
    "square": (lambda x: (x[0] ** 2,), 5, "bend along at most 5 hyperplanes"),
    "too many": (piecewise({Q(k): (Q(1),) for k in range(4)}, (Q(0),)), 3, "bend along at most 3 hyperplanes"),
    "too high": (piecewise({Q(1, 3): (Q(1),), Q(100001, 300000): (Q(1),)}, (Q(0),)), 3, "entries up to 20 only"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_promises_name_a_point(name: str) -> None:
    function, most, reason = BROKEN[name]
    box = BlackBox(function, 1)
    with pytest.raises(BrokenPromise, match="near the point") as error:
        find_kinks(box, AXIS, 20, most)
    assert reason in str(error.value)
    assert error.value.point is not None
    assert box.queries < 500


def primitive_forms(size: int, height: int) -> list[tuple[int, ...]]:
    """One form per hyperplane of bounded height."""
    forms = []
    for form in product(range(-height, height + 1), repeat=size + 1):
        leading = next((entry for entry in form if entry), 0)
        if any(form[:-1]) and leading > 0 and gcd(*form) == 1:
            forms.append(form)
    return forms


@pytest.mark.parametrize(("size", "height"), [(1, 6), (2, 3), (3, 1)])
def test_lines_are_in_general_position(size: int, height: int) -> None:
    """Every hyperplane of the height misses the base, is crossed, and is crossed alone."""
    pencil = Pencil(size, height, 2)
    for direction in product((-2, 0, 1), repeat=size):
        if not any(direction):
            continue
        line = pencil.line(direction)
        largest, denominator = line.kink_bounds(height)
        seen = set()
        for form in primitive_forms(size, height):
            start = sum(w * x for w, x in zip(form, line.base, strict=False)) + form[-1]
            rate = sum(w * x for w, x in zip(form, line.direction, strict=False))
            assert start != 0
            assert rate != 0
            t = -start / rate
            assert abs(t) <= largest
            assert t.denominator <= denominator
            seen.add(t)
        assert len(seen) == len(primitive_forms(size, height))


def test_the_base_stays_in_its_cell_for_longer_directions() -> None:
    for form in primitive_forms(2, 3):
        signs = set()
        for longest in (1, 64, 10**9):
            base = Pencil(2, 3, longest).base
            signs.add(sum(w * x for w, x in zip(form, base, strict=False)) + form[-1] > 0)
        assert len(signs) == 1


def test_steps_stay_clear_of_other_hyperplanes() -> None:
    r = random.Random(1)
    for _ in range(50):
        point = tuple(Q(r.randint(-5, 5), r.randint(1, 4)) for _ in range(2))
        direction = tuple(Q(r.randint(-5, 5), r.randint(1, 3)) for _ in range(2))
        step = clear_step(point, 3, direction)
        for form in primitive_forms(2, 3):
            ends = []
            for k in (-1, 0, 1):
                x = [p + k * step * u for p, u in zip(point, direction, strict=True)]
                ends.append(sum(w * e for w, e in zip(form, x, strict=False)) + form[-1])
            assert ends[1] == 0 or (ends[0] * ends[1] > 0 and ends[2] * ends[1] > 0)


def test_the_hyperplane_of_a_kink() -> None:
    """A single neuron with random integer form and outputs: its form, up to sign, and its jump."""
    r = random.Random(2)
    for _ in range(100):
        size, outputs = r.randint(1, 4), r.randint(1, 3)
        form = r.choice(primitive_forms(size, 1 if size > 3 else 2))
        jump = tuple(Q(r.randint(-3, 3), 7) for _ in range(outputs))
        if not any(jump):
            continue

        def neuron(x: tuple[Q, ...], form=form, jump=jump) -> tuple[Q, ...]:
            value = max(sum(w * e for w, e in zip(form, x, strict=False)) + form[-1], 0)
            return tuple(a * value for a in jump)

        line = Pencil(size, 2).line([r.randint(-3, 3) for _ in range(size - 1)] + [1])
        (kink,) = find_kinks(neuron, line, 2, 1)
        found, height = bend_at(neuron, line, kink, 2)
        assert found in (form, tuple(-entry for entry in form))
        assert height == jump
