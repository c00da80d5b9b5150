"""Every spelling of a number that is accepted, and every one that is refused."""

from __future__ import annotations

import random
import time
from decimal import Decimal
from fractions import Fraction

import flint
import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from exactrelu import InexactNumber, InvalidInput, InvalidNumber, WrongDimension
from exactrelu.rationals import (
    MAX_DIGITS,
    common_denominator,
    from_float,
    rational,
    rational_matrix,
    rational_vector,
    scaled_integers,
    text,
)

HALF = Fraction(1, 2)
QUICK = 0.5  # seconds of work; each refusal takes about a millisecond, a careless one takes minutes
LONGEST = "1" * MAX_DIGITS

ACCEPTED = [
    (0, Fraction(0)), (-7, Fraction(-7)), (2**70, Fraction(2**70)), (Fraction(-6, 4), Fraction(-3, 2)),
    ("0", Fraction(0)), ("-0", Fraction(0)), ("+3", Fraction(3)), ("007", Fraction(7)), ("-3/6", -HALF),
    ("+3/6", HALF), ("0/5", Fraction(0)), ("0.25", Fraction(1, 4)), ("-.5", -HALF), ("2.", Fraction(2)),
    ("1e3", Fraction(1000)), ("1E+3", Fraction(1000)), ("15e-1", Fraction(3, 2)), ("-1.5e2", Fraction(-150)),
    ("0e999999999", Fraction(0)), ("0.1", Fraction(1, 10)),
    (Decimal("0.1"), Fraction(1, 10)), (Decimal("-1E+2"), Fraction(-100)), (Decimal("-0"), Fraction(0)),
    (Decimal("0E+999999"), Fraction(0)), (Decimal("1.50"), Fraction(3, 2)),
    (sympy.Rational(-1, 2), -HALF), (sympy.Integer(4), Fraction(4)), (sympy.S.Half, HALF),
    (flint.fmpz(-3), Fraction(-3)), (flint.fmpq(2, 4), HALF),
    (np.int8(-3), Fraction(-3)), (np.int64(5), Fraction(5)), (np.uint64(2**63), Fraction(2**63)),
    (np.str_("1/2"), HALF),
]  # fmt: skip

FLOATS = [
    0.5, 0.0, -1e300, float("nan"), float("inf"), np.float16(0.5), np.float32(0.5), np.float64(0.5),
    np.longdouble(0.5), sympy.Float(0.5),
]  # fmt: skip

NOT_NUMBERS = [
    True, False, np.True_, 1j, np.complex128(1), sympy.I, None, b"1", bytearray(b"1"), [1], (1,), {}, object,
    sympy.nan, sympy.oo, sympy.zoo, sympy.pi, sympy.Symbol("x"), sympy.true, np.array(3), np.array([3]),
    flint.arb(1), flint.nmod(3, 7), Decimal("NaN"), Decimal("sNaN"), Decimal("-Infinity"),
    "", " ", "+", "-", ".", "+.", "e5", ".e5", "1e", "1e+", "1e-+5", "1e1.5", "--1", "1/-2", "1/2/3", "1.5/2", "/2",
    "1/", "1/0", "0/0", "1e9999999999999", "nan", "NaN", "inf", "-Infinity", "true", "None", "0x10", "1j", "1,5",
    "1.2.3", "1_0",
    " 1", "1 ", "1\n", "1 /2", "\t1", "1\x00", "١", "²", "½", "１", "−1", "\u200b1", "1e١", "①",
]  # fmt: skip

TOO_LONG = {
    "1e999999999": "1e999999999",
    "-1e-999999999": "-1e-999999999",
    "exponent of a million digits": "1e" + "9" * 10**6,
    "a million digits": "7" * 10**6,
    "a million zeros": "0" * 10**6,
    "a million decimals": "0." + "7" * 10**6,
    "a long numerator": "7" * 10**6 + "/3",
    "a long denominator": "3/" + "7" * 10**6,
    "Decimal 1e999999": Decimal("1e999999"),
    "Decimal 1e-999999": Decimal("-1e-999999"),
    "Decimal of a million digits": Decimal("7" * 10**6),
    "int": 10**10**6,
    "denominator of a Fraction": Fraction(1, 3**10**6),
    "SymPy": sympy.Integer(7) ** 10**5,
    "flint fmpz": flint.fmpz(7) ** 10**6,
    "flint fmpq": flint.fmpq(1, flint.fmpz(7) ** 10**6),
    "1e20000": f"1e{MAX_DIGITS}",
    "1e-20000": f"1e-{MAX_DIGITS}",
    "1e19999 times 10": f"10e{MAX_DIGITS - 1}",
    "one digit too many": LONGEST + "1",
    "int of one digit too many": 10**MAX_DIGITS,
}

LONGEST_VALUE = (10**MAX_DIGITS - 1) // 9
NINES = 10**MAX_DIGITS - 1
AT_THE_BOUND = {
    "ones": (LONGEST, Fraction(LONGEST_VALUE)),
    "a power of ten": (f"1e{MAX_DIGITS - 1}", Fraction(10) ** (MAX_DIGITS - 1)),
    "a negative power": (f"1e-{MAX_DIGITS - 1}", Fraction(1, 10 ** (MAX_DIGITS - 1))),
    "both sides of the bar": ("9" * MAX_DIGITS + "/" + "7" * MAX_DIGITS, Fraction(9, 7)),
    "Decimal": (Decimal(LONGEST), Fraction(LONGEST_VALUE)),
    "int": (LONGEST_VALUE, Fraction(LONGEST_VALUE)),
    "denominator of nines": ("1/" + "9" * MAX_DIGITS, Fraction(1, NINES)),
    "nines": ("9" * MAX_DIGITS, Fraction(NINES)),
    "int of nines": (NINES, Fraction(NINES)),
    "Fraction over nines": (Fraction(1, NINES), Fraction(1, NINES)),
}


def refusal(value: object, kind: type[InvalidInput] = InvalidNumber) -> str:
    """The message of the refusal: quick, one line, and of the shape "argument: rule; got ..."."""
    start = time.process_time()
    with pytest.raises(kind) as caught:
        rational(value, "b[1][0]")
    assert time.process_time() - start < QUICK
    message = str(caught.value)
    assert message.startswith("b[1][0]: must ")
    assert "; got " in message
    assert len(message) < 350 and message.isprintable(), message
    return message


@pytest.mark.parametrize(("value", "expected"), ACCEPTED, ids=repr)
def test_accepted(value, expected):
    found = rational(value)
    assert (type(found), found) == (Fraction, expected)


@pytest.mark.parametrize("value", FLOATS, ids=repr)
def test_floats_are_refused_by_a_sentence_that_names_the_way_out(value):
    message = refusal(value, InexactNumber)
    assert "Network.from_floats" in message and 'reading="dyadic" | "decimal"' in message


@pytest.mark.parametrize("value", NOT_NUMBERS, ids=repr)
def test_refused(value):
    refusal(value)
    with pytest.raises(InvalidNumber) as caught:
        rational(value)
    assert not isinstance(caught.value, InexactNumber)


@pytest.mark.parametrize("value", TOO_LONG.values(), ids=TOO_LONG.keys())
def test_digit_bombs_are_refused_at_once(value):
    message = refusal(value)
    assert str(MAX_DIGITS) in message
    assert "of type Fraction" not in message, "the value that was given is described, not its conversion"


@pytest.mark.parametrize(("value", "expected"), AT_THE_BOUND.values(), ids=AT_THE_BOUND.keys())
def test_exactly_the_documented_number_of_digits_works(value, expected):
    assert rational(value) == expected
    assert rational(text(expected)) == expected


def test_zero_denominator_is_named():
    assert refusal("1/0") == "b[1][0]: must have a nonzero denominator; got '1/0'"


@given(st.fractions() | st.builds(Fraction, st.integers(), st.integers(1, 10**9)))
def test_text_and_rational_are_inverse(value):
    assert rational(text(value)) == value == rational(value)
    assert text(value) == str(value)
    assert rational(sympy.Rational(value.numerator, value.denominator)) == value
    assert rational(flint.fmpq(value.numerator, value.denominator)) == value


def test_very_long_numbers_have_the_digits_that_flint_gives_them():
    """They are converted in halves, above 16,000 bits."""
    r = random.Random(11)
    values = [
        sign * (base**k + c)
        for base, k in ((2, 16_000), (10, 9_000), (2, 70_000))
        for c in (-1, 0, 1)
        for sign in (1, -1)
    ]
    values += [r.choice((-1, 1)) * r.getrandbits(r.randint(7_000, 90_000)) for _ in range(60)]
    values += [r.getrandbits(99) << r.randint(16_000, 60_000) for _ in range(20)]
    for value in values:
        assert text(value) == str(flint.fmpz(value))
        assert text(Fraction(value, 7**9_000)) == str(flint.fmpq(value, 7**9_000))


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**30), max_value=10**30))
def test_decimals_are_exact(value):
    assert rational(value) == rational(str(value)) == Fraction(value)


@given(st.text(alphabet="0123456789+-./eE_ ", max_size=12) | st.text(max_size=6))
def test_text_is_a_number_exactly_when_python_and_the_rules_say_so(value):
    plain = set(value) <= set("0123456789+-./eE")
    try:
        expected = Fraction(value)
    except (ValueError, ZeroDivisionError):
        expected = None
    if plain and expected is not None and "/" not in value:
        assert rational(value) == expected
    elif not plain or expected is None:
        refusal(value)


@pytest.mark.parametrize("digits", [4299, 4300, 4301, 5000, MAX_DIGITS - 1])
def test_round_trip_beyond_the_digit_limit_of_python(digits):
    value = Fraction(-(10**digits) + 1, 7 * 10 ** (digits - 2) + 3)
    written = text(value)
    assert written.startswith("-99") and "e" not in written.lower()
    assert rational(written) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_from_float_has_two_readings(value):
    assert from_float(value, "dyadic") == Fraction(value)
    assert from_float(value, "decimal") == Fraction(repr(value))
    assert from_float(np.float64(value), "decimal") == Fraction(repr(value))


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_the_decimal_reading_of_a_numpy_float_prints_the_same_float(value):
    single = np.float32(value)
    assert from_float(single, "dyadic") == Fraction(float(single))
    assert np.float32(from_float(single, "decimal")) == single
    assert from_float(np.float32(0.1), "decimal") == Fraction(1, 10)


@pytest.mark.parametrize(
    ("value", "dyadic", "decimal"),
    [
        (0.1, Fraction(3602879701896397, 2**55), Fraction(1, 10)),
        (np.float16(0.1), Fraction(819, 8192), Fraction(1, 10)),
        (5e-324, Fraction(1, 2**1074), Fraction(5, 10**324)),
        (-0.0, Fraction(0), Fraction(0)),
        ("0.1", Fraction(1, 10), Fraction(1, 10)),
        (3, Fraction(3), Fraction(3)),
    ],
)
def test_both_readings(value, dyadic, decimal):
    assert (from_float(value, "dyadic"), from_float(value, "decimal")) == (dyadic, decimal)


@pytest.mark.parametrize("reading", ["dyadic", "decimal"])
@pytest.mark.parametrize(
    "value", [float("nan"), float("-inf"), np.float32("nan"), True, None, 1j, "nan", sympy.Float("0.3333333333333333")]
)
def test_from_float_refuses_what_has_no_such_reading(value, reading):
    with pytest.raises(InvalidNumber, match=r"^w: must "):
        from_float(value, reading, "w")


@pytest.mark.parametrize("reading", [None, "", "binary", ["dyadic"]])
def test_an_unknown_reading_is_refused(reading):
    with pytest.raises(InvalidInput, match=r'^reading: must be "dyadic" or "decimal"; got '):
        from_float(0.5, reading)


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: rational_vector("12", "point"), InvalidNumber, "point: must be a list of numbers; got '12'"),
        (lambda: rational_vector(3, "point"), InvalidNumber, "point: must be a list of numbers; got 3"),
        (lambda: rational_vector([1], "point", length=2), WrongDimension, "point: must have 2 entries; got 1"),
        (lambda: rational_vector([1, 0.5], "point"), InexactNumber, "point[1]: must be exact"),
        (lambda: rational_matrix("12", "M"), InvalidNumber, "M: must be a list of rows; got '12'"),
        (lambda: rational_matrix([[1, 2], "12"], "M"), InvalidNumber, "M[1]: must be a list of numbers; got '12'"),
        (lambda: rational_matrix([[1, 2], [1]], "M"), WrongDimension, "M[1]: must have 2 entries like row 0; got 1"),
        (lambda: rational_matrix([[1], [1]], "M", columns=2), WrongDimension, "M[0]: must have 2 entries; got 1"),
        (lambda: rational_matrix([[1], ["x"]], "M"), InvalidNumber, "M[1][0]: must be a rational number"),
    ],
)
def test_lists_of_numbers_name_the_place(call, kind, message):
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value).startswith(message)


@given(st.lists(st.fractions(max_denominator=60), max_size=6))
def test_clearing_denominators(values):
    scale = common_denominator(values)
    assert scaled_integers(values, scale) == [value * scale for value in values]
    assert all(any((value * scale / p).denominator > 1 for value in values) for p in sympy.primefactors(scale))
