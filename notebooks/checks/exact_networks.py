"""The checks of notebook 1."""

from fractions import Fraction
from typing import Any

import exactrelu as er

from .exercises import Exercises, Wrong, expect, number

check = Exercises()

NET = er.Network.mlp([[[1, 2], [2, -1], [-1, 1]], [[1, 2, -3]]], [[1, -1, 2], ["1/2"]])
ROUNDED = er.Network.from_floats(
    [[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], [[1.0, 1.0, 1.0]]], [[-0.1, -0.2, -0.3], [0.0]], reading="dyadic"
)


@check.exercise(
    "1.1",
    hints=("Compute the three pre-activations at (1,1) first.", "Two of them are positive; the other adds nothing."),
    mistakes=(Fraction(3, 2), -2, -1.5, (1, 1)),
)
def _(answer: Any) -> str | None:
    value = number(answer)
    expect(value != -2, "do not forget the output bias 1/2")
    expect(
        value == NET([1, 1])[0], "compute the pre-activations (4, ?, ?), cut them off at 0, and weigh them by 1, 2, -3"
    )
    return f"The point lies on a line: its pattern is {NET.pattern([1, 1])}."


@check.exercise(
    "1.2",
    hints=(
        "The corners are (a, b), (a - 2**-55, b) and (a, b - 2**-55) with a = Fraction(0.1) and b = Fraction(0.2).",
        "Go from (a, b) to the left and down, by less than 2**-55 in all.",
    ),
    mistakes=(
        (Fraction(0.1) - Fraction(1, 3 * 2**55), Fraction(0.2) - Fraction(1, 3 * 2**55)),
        (Fraction(1, 10), Fraction(1, 5)),
        (0.1, 0.2),
        (Fraction(0.1), Fraction(0.2)),
        (0, 0),
        7,
    ),
)
def _(answer: Any) -> str | None:
    point = tuple(map(number, answer))
    pattern = str(ROUNDED.pattern(point))
    expect("0" not in pattern, f"this point lies on a line: its pattern is {pattern}")
    expect(pattern == "--+", f"this point has the pattern {pattern}")
    dyadic = all(x.denominator & (x.denominator - 1) == 0 for x in point)
    expect(dyadic, "it lies inside, but one of its denominators is not a power of two")
    return "No program that computes with 53-bit floats will ever visit it."


@check.exercise(
    "1.3",
    hints=(
        "The first two lines meet at (1/10, 1/5) at a right angle. Which legs does the line x0 + x1 = s cut off?",
        "The legs have length |s - 3/10|. The bias is -s.",
    ),
    mistakes=(Fraction(-3, 10), Fraction(13, 10), 0.7, "1/5"),
)
def _(answer: Any) -> str | None:
    bias = number(answer)
    expect(bias != Fraction(-3, 10), "with this bias the three lines meet in one point")
    expect(-bias not in (Fraction(-13, 10), Fraction(7, 10)), "nearly: the line x0 + x1 = s has the bias -s")
    legs = abs(-bias - Fraction(3, 10))
    expect(legs == 1, f"the triangle has the area {legs**2 / 2}")
    return None


@check.exercise(
    "1.4",
    hints=(
        "By the formula of section 4 you need a sum of m - 1 over all meeting points that equals 4.",
        "General position gives 6 meeting points. Parallel lines do not meet.",
    ),
    mistakes=(
        [(1, 0, 0), (0, 1, 0), (1, 1, -1), (1, -1, -5)],
        [(1, 0, 0), (1, 0, -1), (1, 0, -2), (0, 1, 0)],
        [(1, 0, 0), (2, 0, 0), (0, 1, 0), (0, 1, -1)],
        [(1, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, -1)],
        [(1, 0, 0)],
    ),
)
def _(answer: Any) -> str | None:
    lines = [tuple(map(number, line)) for line in answer]
    expect(len(lines) == 4 and all(len(line) == 3 for line in lines), "give four triples (a, b, c)")
    expect(all(a or b for a, b, _ in lines), "a line needs a or b different from 0")
    for i, (a, b, c) in enumerate(lines):
        for k, (d, e, f) in enumerate(lines[:i]):
            if a * e == b * d and a * f == c * d and b * f == c * e:
                raise Wrong(f"lines {k + 1} and {i + 1} are the same line")
    net = er.Network.mlp([[line[:2] for line in lines], [[1, 1, 1, 1]]], [[line[2] for line in lines], [0]])
    count = er.count_regions(net)
    expect(count == 9, f"these lines cut the plane into {count} regions")
    return None
