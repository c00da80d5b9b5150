"""Strict JSON: numbers are strings, keys are unique, and every mistake has a place.

===========================  ==================================================
:func:`parse`                text to plain Python objects, or a clear refusal
:func:`expect_object`        an object with exactly the keys of a format
:func:`expect_list`          a list
:func:`expect_format`        the ``format`` and ``version`` header
:func:`expect_rational`      a number written as a string
:func:`expect_rationals`     a list of such numbers
===========================  ==================================================

Places are written like ``net.json: layers[1].bias[0]``. JSON numbers are
refused wherever an exact number is meant, since readers disagree about them.

>>> parse('{"a": 0.5}', "net.json")
Traceback (most recent call last):
    ...
exactrelu.errors.InvalidFile: net.json: must write numbers as strings such as "1/2", never as JSON floats; got 0.5
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Final

from ..errors import InvalidFile, InvalidNumber
from .numbers import rational

MAX_BYTES: Final = 512 * 2**20
"""The largest JSON file that is read, in bytes."""

MAX_DEPTH: Final = 100
"""The deepest nesting of lists and objects that is read; no format needs ten levels."""
NESTING_RULE: Final = f"must not nest its brackets so deeply: at most {MAX_DEPTH} levels are read"
_MISSING = object()


def parse(content: str | bytes, source: str) -> Any:
    """The plain object that a JSON document denotes.

    ``source`` names the document in messages. Integers are kept as ``int``
    (for versions and indices), floats and duplicate keys are refused.
    """
    if isinstance(content, bytes):
        try:
            content = content.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InvalidFile(source, f"must be UTF-8 text, but byte {error.start} is not") from None
    if not content.strip():
        raise InvalidFile(source, "must be a JSON document, but it is empty")

    def refuse_float(literal: str) -> Any:
        raise InvalidFile(source, 'must write numbers as strings such as "1/2", never as JSON floats', _Bare(literal))

    def refuse_constant(literal: str) -> Any:
        raise InvalidFile(source, "must contain finite numbers only", _Bare(literal))

    def small_integer(literal: str) -> int:
        if len(literal) > 18:
            raise InvalidFile(source, 'must write numbers as strings such as "1/2"', _Bare(literal))
        return int(literal)

    def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise InvalidFile(source, "must not repeat a key", key)
            found[key] = value
        return found

    try:
        found = json.loads(
            content,
            parse_float=refuse_float,
            parse_constant=refuse_constant,
            parse_int=small_integer,
            object_pairs_hook=unique_keys,
        )
    except json.JSONDecodeError as error:
        raise InvalidFile(
            source, f"must be a JSON document: line {error.lineno}, column {error.colno}: {error.msg}"
        ) from None
    except RecursionError:
        raise InvalidFile(source, NESTING_RULE) from None
    if _depth_exceeds(found, MAX_DEPTH):
        raise InvalidFile(source, NESTING_RULE)
    return found


def _depth_exceeds(value: Any, limit: int) -> bool:
    """Whether lists and objects are nested more than ``limit`` deep; how deep CPython parses depends on its version."""
    level = [value]
    for _ in range(limit):
        level = [
            entry
            for container in level
            if isinstance(container, dict | list)
            for entry in (container.values() if isinstance(container, dict) else container)
            if isinstance(entry, dict | list)
        ]
        if not level:
            return False
    return True


def expect_object(
    value: Any, place: str, *, required: Iterable[str], optional: Iterable[str] = ()
) -> Mapping[str, Any]:
    """``value`` as an object that has all ``required`` keys and no unknown one."""
    required, optional = tuple(required), tuple(optional)
    if not isinstance(value, dict):
        raise InvalidFile(place, "must be an object", value)
    for key in required:
        if key not in value:
            raise InvalidFile(place, f'must have the key "{key}"')
    for key in value:
        if key not in required and key not in optional:
            names = ", ".join(f'"{name}"' for name in (*required, *optional))
            raise InvalidFile(place, f"must have no other keys than {names}", key)
    return value


def expect_list(value: Any, place: str) -> list[Any]:
    """``value`` as a list."""
    if not isinstance(value, list):
        raise InvalidFile(place, "must be a list", value)
    return value


def expect_integer(value: Any, place: str, *, least: int = 0) -> int:
    """``value`` as a JSON integer that is at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InvalidFile(place, f"must be an integer, at least {least}", value)
    return value


def expect_format(value: Any, source: str, name: str) -> None:
    """Refuse a document whose ``format`` is another one, or whose ``version`` is not 1."""
    if not isinstance(value, dict):
        raise InvalidFile(source, f'must be an object with "format": "{name}"', value)
    if value.get("format", _MISSING) != name:
        raise InvalidFile(f"{source}: format", f'must be "{name}"', value.get("format"))
    found = value.get("version")
    if isinstance(found, bool) or found != 1:
        raise InvalidFile(f"{source}: version", "must be 1", found)


def expect_rational(value: Any, place: str) -> Fraction:
    """``value`` as an exact number; only strings denote numbers."""
    if not isinstance(value, str):
        raise InvalidNumber(place, 'must be a number written as a string such as "-3/7"', value)
    return rational(value, place)


def expect_rationals(value: Any, place: str) -> list[Fraction]:
    """``value`` as a list of exact numbers."""
    return [expect_rational(entry, f"{place}[{i}]") for i, entry in enumerate(expect_list(value, place))]


class _Bare(str):
    """Text that is echoed in messages without quotation marks."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)
