"""Strict JSON: what is read, and every refusal with its place."""

from __future__ import annotations

import json
import sys
import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactrelu import InvalidFile, InvalidNumber
from exactrelu.rationals.strict_json import (
    expect_format,
    expect_integer,
    expect_list,
    expect_object,
    expect_rational,
    parse,
)

FLOAT = 'must write numbers as strings such as "1/2", never as JSON floats; got '
SYNTAX = "must be a JSON document: line "

# document, the message after "f.json: "
REFUSED = {
    "empty": (b"", "must be a JSON document, but it is empty"),
    "blank": (" \n\t", "must be a JSON document, but it is empty"),
    "float": ('{"a": [0.5]}', FLOAT + "0.5"),
    "exponent": ("1e5", FLOAT + "1e5"),
    "negative float": ("[-0.0]", FLOAT + "-0.0"),
    "NaN": ("[NaN]", "must contain finite numbers only; got NaN"),
    "Infinity": ("[Infinity]", "must contain finite numbers only; got Infinity"),
    "-Infinity": ('{"a": -Infinity}', "must contain finite numbers only; got -Infinity"),
    "long integer": ("1" * 19, 'must write numbers as strings such as "1/2"; got ' + "1" * 19),
    "a million digits": ("1" * 10**6, 'must write numbers as strings such as "1/2"; got '),
    "duplicate key": ('{"a": "1", "b": "2", "a": "3"}', "must not repeat a key; got 'a'"),
    "duplicate key below": ('{"x": [{"k": "1", "k": "1"}]}', "must not repeat a key; got 'k'"),
    "101 brackets, one too many": ("[" * 101 + "]" * 101, "must not nest its brackets so deeply"),
    "100000 open brackets": ("[" * 100_000, "must not nest its brackets so deeply"),
    "100000 bracket pairs": ("[" * 100_000 + "]" * 100_000, "must not nest its brackets so deeply"),
    "100000 objects": ('{"a":' * 100_000, "must not nest its brackets so deeply"),
    "invalid UTF-8": (b'{"a": "\xff"}', "must be UTF-8 text, but byte 7 is not"),
    "UTF-16": ("{}".encode("utf-16"), "must be UTF-8 text, but byte 0 is not"),
    "cut UTF-8": ('"é"'.encode()[:2], "must be UTF-8 text, but byte 1 is not"),
    "byte order mark": (b"\xef\xbb\xbf{}", SYNTAX + "1, column 1: "),
    "trailing garbage": ("{}\n[]", SYNTAX + "2, column 1: Extra data"),
    "trailing comma": ('["1",]', SYNTAX + f"1, column {5 if sys.version_info >= (3, 13) else 6}: "),
    "unclosed": ('{"a": "1"', SYNTAX + "1, column 10: "),
    "single quotes": ("{'a': 1}", SYNTAX + "1, column 2: "),
    "comment": ("// a\n1", SYNTAX + "1, column 1: "),
    "leading zero": ("01", SYNTAX + "1, column 2: "),
    "control character": ('"\x01"', SYNTAX + "1, column 2: "),
    "binary": (b"\x00\x01\x02", SYNTAX + "1, column 1: "),
    "not JSON": ("hello", SYNTAX + "1, column 1: "),
}


@pytest.mark.parametrize(("document", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_refused_at_once_with_its_place(document, message):
    start = time.process_time()
    with pytest.raises(InvalidFile) as caught:
        parse(document, "f.json")
    assert time.process_time() - start < 1
    assert str(caught.value).startswith(f"f.json: {message}")
    assert len(str(caught.value)) < 200 and str(caught.value).isprintable()


def test_many_keys_with_one_repeated_are_refused_in_linear_time():
    keys = ",".join(f'"k{i}":1' for i in range(20_000))
    start = time.process_time()
    with pytest.raises(InvalidFile, match="must not repeat a key; got 'k19999'"):
        parse(f'{{{keys},"k19999":1}}', "f.json")
    assert time.process_time() - start < 1


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**16), 10**16) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(json_values)
def test_everything_else_is_read_as_it_is(value):
    assert parse(json.dumps(value), "f.json") == value
    assert parse(json.dumps(value, ensure_ascii=True).encode(), "f.json") == value


def message(call) -> str:
    with pytest.raises((InvalidFile, InvalidNumber)) as caught:
        call()
    return str(caught.value)


@pytest.mark.parametrize("value", [None, [], "a", 1, True])
def test_an_object_is_expected(value):
    assert message(lambda: expect_object(value, "p", required=())).startswith("p: must be an object; got ")


def test_keys_are_required_and_unknown_ones_refused():
    good = {"a": 1, "b": 2}
    assert expect_object(good, "p", required=("a",), optional=("b", "c")) == good
    assert message(lambda: expect_object({"b": 2}, "p", required=("a",))) == 'p: must have the key "a"'
    assert (
        message(lambda: expect_object(good, "p", required=("a",), optional=("c",)))
        == 'p: must have no other keys than "a", "c"; got \'b\''
    )


@pytest.mark.parametrize("value", [None, {}, "ab", 1, (1,)])
def test_a_list_is_expected(value):
    assert message(lambda: expect_list(value, "p[0]")).startswith("p[0]: must be a list; got ")


@pytest.mark.parametrize("value", [None, "1", True, 0, -1, 1.0, [1]])
def test_an_integer_is_expected(value):
    assert message(lambda: expect_integer(value, "p", least=1)).startswith("p: must be an integer, at least 1; got ")
    assert expect_integer(1, "p", least=1) == 1


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ([], "f: must be an object"),
        ("exactrelu/x", "f: must be an object"),
        ({"version": 1}, 'f: format: must be "exactrelu/x"; got None'),
        ({"format": "exactrelu/y", "version": 1}, "f: format: must be \"exactrelu/x\"; got 'exactrelu/y'"),
        ({"format": ["exactrelu/x"], "version": 1}, 'f: format: must be "exactrelu/x"; got ['),
        ({"format": "exactrelu/x"}, "f: version: must be 1; got None"),
        ({"format": "exactrelu/x", "version": 2}, "f: version: must be 1; got 2"),
        ({"format": "exactrelu/x", "version": "1"}, "f: version: must be 1; got '1'"),
        ({"format": "exactrelu/x", "version": True}, "f: version: must be 1; got True"),
    ],
)
def test_format_and_version(value, place):
    assert message(lambda: expect_format(value, "f", "exactrelu/x")).startswith(place)


def test_the_right_format_passes():
    assert expect_format({"format": "exactrelu/x", "version": 1}, "f", "exactrelu/x") is None


@pytest.mark.parametrize("value", [1, 0, True, None, ["1"], {"p": 1}])
def test_only_strings_denote_numbers(value):
    assert message(lambda: expect_rational(value, "p")).startswith("p: must be a number written as a string ")


def test_numbers_in_strings():
    assert expect_rational("-3/7", "p") == Fraction(-3, 7)
    assert message(lambda: expect_rational("1/0", "p")) == "p: must have a nonzero denominator; got '1/0'"
    assert message(lambda: expect_rational("1e999999999", "p")).startswith("p: must have at most ")
