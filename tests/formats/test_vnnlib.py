"""VNN-LIB queries as domains, against direct evaluation and the parser of the standard."""

from __future__ import annotations

import random
import time
from fractions import Fraction
from pathlib import Path

import pytest
import vnnlib

from exactrelu import Domain, InvalidDomain, InvalidFile, InvalidInput
from exactrelu.formats import load_domain, load_domain_report
from exactrelu.formats.vnnlib import expressions, read_vnnlib
from exactrelu.formats.vnnlib.declarations import indices_of

ONE = "(declare-const X_0 Real)\n(declare-const X_1 Real)\n(declare-const Y_0 Real)\n"
TWO = "(vnnlib-version <2.0>)\n(declare-network f\n (declare-input X float32 [1,2])\n (declare-output Y float32 [1]))\n"


def first(condition: str) -> str:
    return f"{ONE}(assert {condition})"


def second(condition: str) -> str:
    return f"{TWO}(assert {condition.replace('X_0', 'X[0,0]').replace('X_1', 'X[0, 1]').replace('Y_0', 'Y[0]')})"


def test_the_properties_of_acas_xu(tmp_path: Path) -> None:
    """Bounds with many decimals stay the decimals that they are."""
    text = "; ACAS Xu property 1\n" + "".join(f"(declare-const X_{k} Real)\n" for k in range(5))
    text += "".join(f"(declare-const Y_{k} Real)\n" for k in range(5))
    bounds = [("0.6", "0.679857769"), ("-0.5", "0.5"), ("-0.5", "0.5"), ("0.45", "0.5"), ("-0.5", "-0.45")]
    text += "".join(f"(assert (<= X_{k} {hi}))\n(assert (>= X_{k} {lo}))\n" for k, (lo, hi) in enumerate(bounds))
    text += "(assert (>= Y_0 3.991125645861615))\n"
    path = tmp_path / "prop_1.vnnlib"
    path.write_text(text)
    domain, notes = load_domain_report(path)
    assert domain == Domain.box(bounds)
    assert notes == ("1 constraint on outputs is ignored",)
    assert load_domain(str(path)) == domain


def random_term(r: random.Random, depth: int) -> tuple[str, tuple[Fraction, Fraction, Fraction]]:
    """A linear expression in X_0 and X_1 with its coefficients."""
    kind = r.choice(("+", "-", "*", "neg", "leaf")) if depth else "leaf"
    if kind == "leaf":
        if r.random() < 0.5:
            k = r.randrange(2)
            return f"X_{k}", (Fraction(k == 0), Fraction(k == 1), Fraction(0))
        number = r.choice(("0.1", "-2.5", "3.0", "0.0", "12.75", "-1.0"))
        return number, (Fraction(0), Fraction(0), Fraction(number))
    text, value = random_term(r, depth - 1)
    if kind == "neg":
        return f"(- {text})", tuple(-v for v in value)
    if kind == "*":
        number = r.choice(("0.5", "-3.0", "0.1"))
        pair = [text, number]
        return f"(* {' '.join(pair if r.random() < 0.5 else pair[::-1])})", tuple(Fraction(number) * v for v in value)
    texts, sign = [text], 1 if kind == "+" else -1
    for _ in range(r.randint(1, 2)):
        other, more = random_term(r, depth - 1)
        texts.append(other)
        value = tuple(a + sign * b for a, b in zip(value, more, strict=True))
    return f"({kind} {' '.join(texts)})", value


def test_random_linear_constraints() -> None:
    """Both versions are the same domain, whose points are those that satisfy every constraint."""
    r = random.Random(0)
    empty = inside = parsed = 0
    for _ in range(150):
        conditions, checks = [], []
        for _ in range(r.randint(1, 3)):
            (left, a), (right, b) = random_term(r, 2), random_term(r, 1)
            relation = r.choice(("<=", ">=", "<=", ">=", "=="))
            conditions.append(f"({relation} {left} {right})")
            checks.append((relation, tuple(x - y for x, y in zip(a, b, strict=True))))
        joined = conditions[0] if len(conditions) == 1 else f"(and {' '.join(conditions)})"
        joined = f"(or {joined})" if r.random() < 0.3 else joined
        vnnlib.parse_query_string(second(joined))  # what the standard's own parser accepts
        parsed += 1
        try:
            domain, _ = read_vnnlib(first(joined), "q")
        except InvalidDomain:
            empty += 1
            with pytest.raises(InvalidDomain):
                read_vnnlib(second(joined), "q")
            continue
        assert read_vnnlib(second(joined), "q")[0] == domain
        grid = [Fraction(k, 2) for k in range(-6, 7)]
        for x in [*((r.choice(grid), r.choice(grid)) for _ in range(30)), *domain.vertices]:
            values = [(relation, p * x[0] + q * x[1] + c) for relation, (p, q, c) in checks]
            expected = all(v <= 0 if rel == "<=" else v >= 0 if rel == ">=" else v == 0 for rel, v in values)
            assert domain.contains(x) == expected
            inside += expected
    assert empty > 10 and inside > 300


def test_numbers_are_what_the_lexemes_say() -> None:
    """Not the doubles to which the parser of the standard rounds them."""
    long = "0.1000000000000000055511151231257827021181583404541015625001"
    query = second(f"(<= X_0 {long})")
    (assertion,) = vnnlib.parse_query_string(query).assertions
    assert assertion.expr.rhs.lexeme == long
    domain, _ = read_vnnlib(query, "q")
    assert [item.bound for item in domain.halfspaces] == [Fraction(long)] != [Fraction(0.1)]


def test_both_kinds_of_declarations() -> None:
    assert (
        str(read_vnnlib("(declare-fun X_0 () Real)(assert (<= X_0 1e-3))(assert (>= X_0 -.5))", "q")[0])
        == "[-1/2,1/1000]"
    )
    scalar = TWO.replace("[1,2]", "[]") + "(assert (<= X 1))(assert (>= X 0))"
    assert str(read_vnnlib(scalar, "q")[0]) == "[0,1]"
    square = TWO.replace("[1,2]", "[2,3]") + "(assert (<= X[1,0] 1))(assert (>= X[0,2] 2))(assert (<= X[1, 2] 3))"
    sides = read_vnnlib(square, "q")[0].sides
    assert sides == ((None, None), (None, None), (2, None), (None, 1), (None, None), (None, 3))
    named = TWO.replace("[1,2]", '[3] "input node"') + "(assert (<= X[2] 1.0)) ; the last"
    domain, notes = read_vnnlib(named, "q")
    assert (domain.ambient_dimension, domain.sides, notes) == (3, ((None, None), (None, None), (None, 1)), ())
    hidden = TWO.replace("(declare-output", '(declare-hidden Z real [2] "z")\n (declare-output')
    _, notes = read_vnnlib(hidden + "(assert (<= Z[0] 1.0))(assert (or (<= Y[0] 1) (and (<= Z[1] 2) (> Y[0] 3))))", "q")
    assert notes == ("2 constraints on outputs are ignored",)
    assert read_vnnlib(ONE, "q") == (Domain.space(2), ())


def test_a_large_box() -> None:
    n = 3000
    text = "".join(f"(declare-const X_{k} Real)(assert (<= X_{k} 0.5))(assert (>= X_{k} -{k}))" for k in range(n))
    assert read_vnnlib(text, "q")[0] == Domain.box([(-k, "1/2") for k in range(n)])


@pytest.mark.parametrize("version", [first, second])
@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("(or (<= X_0 1) (>= X_0 2))", "must not be a disjunction over inputs"),
        ("(or (<= Y_0 1) (>= X_0 2))", "must not be a disjunction over inputs"),
        ("(<= X_0 Y_0)", "must not compare inputs with outputs"),
        ("(< X_0 1)", "must be closed: <=, >=, ==, = are read; got <"),
        ("(!= X_0 1)", "must be closed"),
        ("(not (<= X_0 1))", "must be and, or, or a comparison"),
        ("(<= (* X_0 X_1) 1)", "must be linear"),
        ("(<= (* X_0 Y_0) 1)", "must be linear"),
        ("(<= (/ X_0 2) 1)", "must be a sum, difference or product"),
        ("(<= (+) 1)", "must be a sum, difference or product"),
        ("(<= X_0)", "must compare two expressions; got 1"),
        ("(<= X_0 1 2)", "must compare two expressions; got 3"),
        ("(<= Q 1)", "must name a declared"),
        ("(<= X_0 1.5.2)", "must name a declared"),
        ("(<= X_0 nan)", "must name a declared"),
        ("(<= X_0 1e999999)", "digits"),
        ("(and)", "must join at least one condition"),
        ("(or)", "must join at least one condition"),
        ("()", "must be a condition in parentheses"),
        ("X_0", "must be a condition in parentheses|must assert one condition"),
        ("(<= [0] 1)", "must have a name before an index"),
        ("(<= X_0 1", "must close its parenthesis"),
        ("(<= X_0 1))", "must not close a parenthesis that is not open"),
        ("(and (<= X_0 1) (>= X_0 2))", "must not be empty, but no x0 satisfies 2 <= x0 <= 1"),
        ("(<= (+ X_0 X_1 (- X_0) (- X_1)) -1)", "must not be empty"),
    ],
)
def test_conditions_that_are_refused(version, condition: str, words: str) -> None:
    with pytest.raises(InvalidInput, match=words) as error:
        read_vnnlib(version(condition), "q.vnnlib")
    assert str(error.value).startswith("q.vnnlib: ") and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "must declare an input"),
        ("(declare-const Y_0 Real)", "must declare an input"),
        ("(declare-const X_1 Real)", "must declare the inputs X_0 to X_1, but X_0 is none"),
        ("(declare-const X_0 Real)(declare-const X_0 Real)", "must declare every number once"),
        ("(declare-const X_0 Int)", "must declare a number as in"),
        ("(declare-const Z_0 Real)", "must declare inputs X_0, X_1, … and outputs"),
        ("(frob)", "must be a declaration or an assertion; got frob"),
        ("word", "must be a declaration or an assertion in parentheses"),
        ("(vnnlib-version <3.0>)", "must be version <1.0> or <2.0>"),
        ("(assert)", "must assert one condition"),
        ("\n\n(declare-const \x00 Real)", "line 3: must declare inputs"),
        ('(declare-const "X)', "line 1: must be words, numbers and brackets"),
        ("(" * 200, "must nest at most 100 parentheses"),
        (TWO + TWO, "must be the only network"),
        (TWO + "(declare-const X_0 Real)", "must declare every number once"),
        (TWO.replace("float32 [1,2]", "int8 [1,2]"), "must be a tensor of real"),
        (TWO.replace("[1,2]", "[0]"), "must have between 1 and 100000 inputs"),
        (TWO.replace("[1,2]", "[99999,99999]"), "must have between 1 and 100000 inputs"),
        (TWO.replace("[1,2]", "[-1]"), "must have a name and a shape"),
        (TWO.replace("declare-output Y", "declare-output X"), "must declare every tensor once"),
        (TWO.replace("declare-output Y", "declare-input Y"), "must be the only input of the network"),
        (TWO.replace("(declare-input X float32 [1,2])", ""), "must declare an input"),
        ("(declare-network f (equal-to g))", "must declare an input, hidden tensor or output of a single network"),
        (TWO + "(assert (<= X[0,2] 1))", "must have an index within the shape"),
        (TWO + "(assert (<= X[0] 1))", "must have an index within the shape"),
        (TWO + "(assert (<= X 1))", "must have an index within the shape"),
    ],
)
def test_queries_that_are_refused(text: str, words: str) -> None:
    with pytest.raises(InvalidFile, match=words) as error:
        read_vnnlib(text, "q.vnnlib")
    assert str(error.value).startswith("q.vnnlib: ") and "\n" not in str(error.value)


def test_damaged_queries() -> None:
    r = random.Random(1)
    content = second("(and (<= X_0 0.5) (>= X_0 (- 1 (* 2.5 X_1))))")
    for _ in range(500):
        text = list(content)
        for _ in range(r.randint(1, 3)):
            k = r.randrange(len(text))
            text[k : k + r.randint(0, 3)] = r.choice(("(", ")", "[", "]", '"', ";", "9", " ", "X", "\n", "", "é"))
        try:
            read_vnnlib("".join(text), "q")
        except InvalidInput as error:
            assert "\n" not in str(error)


def test_words_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expressions, "MAX_WORDS", 20)
    expressions.parse_expressions("(a b) " * 5, "some")
    with pytest.raises(InvalidFile, match="some: must have at most 20 words and parentheses"):
        expressions.parse_expressions("(a b) " * 6, "some")


@pytest.mark.parametrize("word", ["9" * 200_000 + "_", "[" + " " * 200_000 + "x]", "[1" + " " * 200_000 + "2]"])
def test_long_words_are_refused_at_once(word: str) -> None:
    """In linear time: the words are as long as a hostile file can make them, and no pattern tries two readings."""
    start = time.process_time()
    with pytest.raises(InvalidFile):
        read_vnnlib(first(f"(<= {word} 1)"), "some.vnnlib") if word[0] == "9" else indices_of(word)
    assert time.process_time() - start < 2
