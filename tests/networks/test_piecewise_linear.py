"""Piecewise-linear functions against plain re-computations, and their canonical form."""

from __future__ import annotations

import json
import random
from fractions import Fraction

import pytest

from exactrelu import InvalidInput
from exactrelu.errors import InexactNumber, InvalidFile, WrongDimension
from exactrelu.networks.piecewise_linear import NAMED, PiecewiseLinear, piecewise_linear

GRID = [Fraction(k, 4) for k in range(-40, 41)]


def random_data(r: random.Random, most: int = 4) -> tuple[list[Fraction], list[Fraction], tuple[Fraction, Fraction]]:
    """Breakpoints, slopes and anchor; often without a bend somewhere."""
    kinks = sorted(r.sample([Fraction(k, 2) for k in range(-6, 7)], r.randint(0, most)))
    slopes = [Fraction(r.choice((-1, 0, 1, 2, Fraction(1, 3)))) for _ in range(len(kinks) + 1)]
    return kinks, slopes, (Fraction(r.randint(-8, 8), 2), Fraction(r.randint(-3, 3)))


def plain_value(kinks, slopes, anchor, t) -> Fraction:
    """A sum of ramps, shifted so that it passes through the anchor."""

    def unshifted(s):
        return slopes[0] * s + sum(
            (right - left) * max(s - kink, 0) for kink, left, right in zip(kinks, slopes, slopes[1:], strict=False)
        )

    return unshifted(t) - unshifted(anchor[0]) + anchor[1]


CLASSICAL = {
    "relu": (PiecewiseLinear.relu(), lambda t: max(t, 0)),
    "identity": (PiecewiseLinear.identity(), lambda t: t),
    "abs": (PiecewiseLinear.absolute_value(), abs),
    "leaky": (PiecewiseLinear.leaky_relu("1/10"), lambda t: t if t > 0 else t / 10),
    "clip": (PiecewiseLinear.clip("-1/2", 3), lambda t: min(max(t, Fraction(-1, 2)), 3)),
    "hard_tanh": (PiecewiseLinear.hard_tanh(), lambda t: min(max(t, -1), 1)),
    "relu6": (PiecewiseLinear.relu6(), lambda t: min(max(t, 0), 6)),
    "hat": (PiecewiseLinear.hat(), lambda t: max(1 - abs(t), 0)),
}


@pytest.mark.parametrize(("rho", "formula"), CLASSICAL.values(), ids=CLASSICAL.keys())
def test_classical_functions(rho, formula):
    assert [rho(t) for t in GRID] == [formula(t) for t in GRID]
    assert all(type(rho(t)) is Fraction for t in (0, "1/2"))


def test_random_functions_their_pieces_and_their_canonical_form():
    r = random.Random(0)
    dropped = 0
    for _ in range(300):
        data = random_data(r)
        rho = PiecewiseLinear(*data)
        dropped += len(rho.breakpoints) < len(data[0])
        for t in r.sample(GRID, 20):
            assert rho(t) == plain_value(*data, t)
            k = rho.piece(t)
            slope, constant = rho.affine_piece(k)
            assert rho(t) == slope * t + constant and slope == rho.slopes[k]
            assert k == sum(kink < t for kink in rho.breakpoints)
        assert rho.pieces == len(rho.breakpoints) + 1 and all(rho.bends)
        moved = PiecewiseLinear(*data[:2], (7, rho(7)))  # the same function through another anchor
        assert (moved, hash(moved)) == (rho, hash(rho))
        assert PiecewiseLinear(rho.breakpoints, rho.slopes, rho.anchor) == rho
        assert PiecewiseLinear(*data[:2], (data[2][0], data[2][1] + 1)) != rho
    assert 50 < dropped < 250


def test_composition_with_affine_functions():
    r = random.Random(1)
    for _ in range(200):
        rho = PiecewiseLinear(*random_data(r))
        beta, gamma = Fraction(r.randint(-3, 3), r.randint(1, 2)), Fraction(r.randint(-3, 3))
        composed = rho.compose(beta, gamma)
        assert [composed(t) for t in GRID[::5]] == [rho(beta * t + gamma) for t in GRID[::5]]
        if beta:
            assert composed.compose(1 / beta, -gamma / beta) == rho
        assert composed.is_affine == (not beta or rho.is_affine)


def test_homogeneous_functions():
    for rho in (*NAMED.values(), PiecewiseLinear.leaky_relu(-2), PiecewiseLinear([1], [0, 1], (1, 0))):
        expected = all(rho(3 * t) == 3 * rho(t) for t in GRID)
        assert rho.is_positively_homogeneous == expected
    assert sum(rho.is_positively_homogeneous for rho in NAMED.values()) == 3


def test_the_same_function_in_different_words():
    assert PiecewiseLinear.leaky_relu(0) == PiecewiseLinear.relu()
    assert PiecewiseLinear.leaky_relu(1) == PiecewiseLinear.identity() == PiecewiseLinear([0], [1, 1], (5, 5))
    assert PiecewiseLinear.leaky_relu(-1) == PiecewiseLinear.absolute_value()
    assert PiecewiseLinear.clip(0, 6) == PiecewiseLinear.relu6()
    assert PiecewiseLinear.clip(0, 5) != PiecewiseLinear.relu6()


def test_json_round_trips():
    r = random.Random(2)
    for _ in range(100):
        rho = PiecewiseLinear(*random_data(r))
        assert piecewise_linear(json.loads(json.dumps(rho.to_json()))) == rho
    for name, rho in NAMED.items():
        assert (rho.to_json(), piecewise_linear(name), rho.name) == (name, rho, name)
    assert PiecewiseLinear.leaky_relu("1/10").to_json() == {"name": "leaky_relu", "slope": "1/10"}
    assert piecewise_linear({"name": "clip", "lower": "-1", "upper": "1"}).name == "hard_tanh"
    assert PiecewiseLinear([1], [0, 2], (1, "1/2")).to_json() == {
        "breakpoints": ["1"],
        "slopes": ["0", "2"],
        "anchor": ["1", "1/2"],
    }


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        (([1, 0], [0, 1, 2], (0, 0)), InvalidInput, "breakpoints[1]: must exceed breakpoint 0, which is 1; got '0'"),
        (([0, 0], [0, 1, 2], (0, 0)), InvalidInput, "breakpoints[1]: must exceed breakpoint 0, which is 0; got '0'"),
        (([0], [1], (0, 0)), WrongDimension, "slopes: must have 2 entries, one per piece; got 1"),
        (([], [], (0, 0)), WrongDimension, "slopes: must have 1 entries, one per piece; got 0"),
        (([0], [0, 1], (0,)), WrongDimension, "anchor: must have 2 entries; got 1"),
        (([0.5], [0, 1], (0, 0)), InexactNumber, "breakpoints[0]: must be exact"),
        (("0", [0, 1], (0, 0)), InvalidInput, "breakpoints: must be a list of numbers; got '0'"),
    ],
)
def test_bad_data(arguments, kind, message):
    with pytest.raises(kind) as caught:
        PiecewiseLinear(*arguments)
    assert str(caught.value).startswith(message)


def test_bad_constructors_and_pieces():
    with pytest.raises(InvalidInput, match="upper: must exceed lower, which is 1; got 1"):
        PiecewiseLinear.clip(1, 1)
    for k in (-1, 2, True, 0.0):
        with pytest.raises(InvalidInput, match="k: must be a piece, 0 to 1; got "):
            PiecewiseLinear.relu().affine_piece(k)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("gelu", 'rho: must be one of "relu", '),
        (None, 'rho: must be one of "relu", '),
        ({"name": "gelu"}, 'rho.name: must be "leaky_relu" or "clip" in an object; got \'gelu\''),
        ({"name": []}, 'rho.name: must be "leaky_relu" or "clip" in an object; got []'),
        ({"name": "leaky_relu"}, 'rho: must have the key "slope"'),
        ({"name": "leaky_relu", "slope": 0.1}, "rho.slope: must be a number written as a string"),
        ({"name": "clip", "lower": "1", "upper": "0"}, "rho: upper: must exceed lower, which is 1; got "),
        ({"breakpoints": ["0"], "slopes": ["1"], "anchor": ["0", "0"]}, "rho: slopes: must have 2 entries"),
        ({"breakpoints": "0", "slopes": ["1"], "anchor": ["0", "0"]}, "rho.breakpoints: must be a list"),
        ({"breakpoints": [], "slopes": ["x"], "anchor": ["0", "0"]}, "rho.slopes[0]: "),
        ({"breakpoints": [], "slopes": ["1"]}, 'rho: must have the key "anchor"'),
        ({"breakpoints": [], "slopes": ["1"], "anchor": ["0", "0"], "x": 1}, "rho: must have no other keys than"),
    ],
)
def test_bad_json(data, message):
    with pytest.raises(InvalidInput) as caught:
        piecewise_linear(data, "rho")
    assert str(caught.value).startswith(message)
    assert isinstance(caught.value, InvalidFile) or ": " in message


def test_formulas():
    assert PiecewiseLinear.hat().explain() == (
        "0 for t <= -1; t + 1 for -1 <= t <= 0; -t + 1 for 0 <= t <= 1; 0 for t >= 1"
    )
    assert PiecewiseLinear([], ["1/2"], (0, 3)).explain() == "1/2*t + 3"
