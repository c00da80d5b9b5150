"""Analytic activations as values: formulas, canonical form, JSON data, copies, and refusals."""

from __future__ import annotations

import copy
import json
import pickle
from fractions import Fraction
from random import Random
from typing import Any

import pytest
import sympy as sp

from exactrelu import Analytic, InexactNumber, InvalidInput
from exactrelu.networks.activations import activation

T = sp.Symbol("t")
NAMED = {
    "tanh": (sp.exp(T) - sp.exp(-T)) / (sp.exp(T) + sp.exp(-T)),
    "logistic": 1 / (1 + sp.exp(-T)),
    "softplus": sp.log(1 + sp.exp(T)),
}
POINTS = ("-3", "-1/2", "0", "1/3", "2", "7/5")


def equal(found: sp.Expr, expected: sp.Expr) -> bool:
    """Equality to 60 digits; no different numbers of these tests are that near."""
    return abs(sp.N(found - expected, 60, maxn=400)) < sp.Float("1e-55", 60)


@pytest.mark.parametrize("name", NAMED)
def test_values_are_those_of_the_definition(name: str) -> None:
    rho = activation(name)
    for point in POINTS:
        found = rho(point)
        assert not found.has(sp.Float)
        assert equal(found, NAMED[name].subs(T, sp.Rational(point)))
        assert rho(Fraction(point)) == rho(sp.Rational(point)) == found
    assert sp.simplify(rho(T).rewrite(sp.exp) - NAMED[name].rewrite(sp.exp)) == 0


def test_polynomials_are_exact() -> None:
    for seed in range(30):
        r = Random(seed)
        coefficients = [Fraction(r.randint(-5, 5), r.randint(1, 4)) for _ in range(r.randint(2, 5))] + [Fraction(1, 3)]
        rho = Analytic.polynomial(coefficients)
        for point in POINTS:
            expected = sum(c * Fraction(point) ** k for k, c in enumerate(coefficients))
            assert rho(point) == sp.Rational(expected.numerator, expected.denominator)
        assert sp.Poly(rho(T), T).all_coeffs()[::-1] == [sp.Rational(c.numerator, c.denominator) for c in coefficients]


def test_zeros_at_the_end_of_a_polynomial_are_dropped() -> None:
    assert Analytic.polynomial([1, 0, 2, 0, 0]) == Analytic.polynomial(["1", "0", "2"])
    assert Analytic.polynomial([1, 0, 2]).coefficients == (1, 0, 2)


@pytest.mark.parametrize("rho", [*map(Analytic, NAMED), Analytic.polynomial([0, "-1/2", 3])], ids=str)
def test_copies_and_json(rho: Analytic) -> None:
    for again in (
        pickle.loads(pickle.dumps(rho)),
        copy.deepcopy(rho),
        activation(json.loads(json.dumps(rho.to_json()))),
    ):
        assert again == rho
        assert hash(again) == hash(rho)
    assert not rho.is_affine
    assert not rho.is_positively_homogeneous
    assert sp.sympify(rho.explain(), locals={"t": T}) == rho(T)


def test_all_are_different() -> None:
    kinds = [*map(Analytic, NAMED), Analytic.polynomial([0, 0, 1]), Analytic.polynomial([0, 0, 2])]
    assert len(set(kinds)) == 5
    assert all(rho != activation(name) for rho in kinds for name in ("relu", "hard_tanh"))


@pytest.mark.parametrize(
    ("build", "kind", "words"),
    [
        (lambda: Analytic("sine"), InvalidInput, "must be one of tanh, logistic, softplus"),
        (lambda: Analytic("tanh", [1]), InvalidInput, "must be one of"),
        (lambda: Analytic.polynomial([]), InvalidInput, "degree 2 or more"),
        (lambda: Analytic.polynomial([1, 2, 0]), InvalidInput, "degree 2 or more"),
        (lambda: Analytic.polynomial([1, 2, 0.5]), InexactNumber, "coefficients[2]"),
        (lambda: Analytic.polynomial(7), InvalidInput, "coefficients"),
        (lambda: Analytic.tanh()(0.5), InexactNumber, "must be exact"),
        (lambda: Analytic.tanh()("x"), InvalidInput, "must be a rational number"),
        (lambda: Analytic.tanh()(None), InvalidInput, "must be a rational number"),
        (lambda: Analytic.tanh()(sp.Float("0.5")), InvalidInput, "must be exact"),
        (lambda: Analytic.tanh()(sp.Float("0.5") * T), InvalidInput, "must be exact"),
    ],
)
def test_refused(build: Any, kind: type[InvalidInput], words: str) -> None:
    with pytest.raises(kind) as caught:
        build()
    assert words in str(caught.value)
