"""Enclosures against decimals of many digits, and what they must not exclude."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from random import Random

import pytest

from exactrelu.rationals.balls import Ball


def exponential(t: Fraction) -> Decimal:
    return (Decimal(t.numerator) / Decimal(t.denominator)).exp()


def tanh(t: Fraction) -> Decimal:
    return (exponential(2 * t) - 1) / (exponential(2 * t) + 1)


def logistic(t: Fraction) -> Decimal:
    return 1 / (1 + exponential(-t))


def softplus(t: Fraction) -> Decimal:
    return (1 + exponential(t)).ln()


FUNCTIONS = {"tanh": tanh, "logistic": logistic, "softplus": softplus}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_against_decimals(name: str) -> None:
    """Sixty digits around the value are told apart from it, and thirty-digit neighbours are not always the value."""
    r = Random(1)
    for _ in range(100):
        t = Fraction(r.randint(-90, 90), r.randint(1, 30))
        with localcontext() as context:
            context.prec = 80
            value = FUNCTIONS[name](t)
            near = Fraction(value.quantize(Decimal(10) ** -50))
        ball = getattr(Ball.of(t), name)()
        for offset in (Fraction(-1, 10**49), Fraction(1, 10**49)):
            assert (ball + Ball.of(-near + offset)).excludes_zero
        exact = Fraction(value)
        assert not (ball + Ball.of(-exact)).excludes_zero or abs(exact - near) == 0


def test_zero_is_never_excluded_where_it_may_be() -> None:
    third = Ball.of(Fraction(1, 3))
    assert not (third + Ball.of(Fraction(-1, 3))).excludes_zero
    half = Ball.of(Fraction(2)).logistic() + Ball.of(Fraction(-2)).logistic() + Ball.of(Fraction(-1))
    assert not half.excludes_zero
    assert not Ball.of(Fraction(-5)).positive_part().excludes_zero
    assert Ball.of(Fraction(5)).positive_part().excludes_zero
    assert not (Ball.of(Fraction(10**9)).softplus() * Ball.of(Fraction(0))).excludes_zero


@pytest.mark.parametrize("exponent", [3, 6, 30])
def test_huge_arguments_prove_nothing_false(exponent: int) -> None:
    """Beyond every range a ball may be the whole line, and then it proves nothing."""
    t = Ball.of(Fraction(10**exponent))
    assert not (t.tanh() + Ball.of(Fraction(-1))).excludes_zero or exponent < 3
    assert not (t.softplus() + Ball.of(Fraction(-(10**exponent)))).excludes_zero or exponent < 3
