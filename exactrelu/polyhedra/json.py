r"""Domains as JSON: ``halfspaces`` or ``vertices``, all numbers as strings.

.. code-block:: json

    {"format": "exactrelu/domain", "version": 1,
     "halfspaces": [{"normal": ["1", "0"], "bound": "1"}]}

means :math:`\langle n, x\rangle \le b` for every half-space. Readers refuse
unknown and repeated keys, JSON numbers and other versions, and name the place.
All of :math:`\mathbb R^d` is written as the half-space :math:`\langle 0, x\rangle \le 0`.
"""

from __future__ import annotations

from typing import Any, Final

from ..errors import InvalidDomain, InvalidFile
from ..rationals import Vector, text
from ..rationals.strict_json import (
    expect_format,
    expect_list,
    expect_object,
    expect_rational,
    expect_rationals,
    parse,
)
from .domain import Domain
from .halfspaces import Halfspace

DOMAIN_FORMAT: Final = "exactrelu/domain"
"""The value of ``format`` in a domain file."""


def read_domain(content: str | bytes, source: str) -> Domain:
    """The domain that a JSON document denotes; ``source`` names the document in messages.

    Raises :class:`~exactrelu.errors.InvalidFile` or another
    :class:`~exactrelu.errors.InvalidInput` that names the place.

    >>> read_domain('{"format":"exactrelu/domain","version":1,"vertices":[["0"],["1/2"]]}', "d.json")
    Domain.parse('[0,1/2]')
    """
    return domain_from_json(parse(content, source), source)


def domain_from_json(value: Any, source: str = "domain") -> Domain:
    """The domain that a parsed JSON object denotes.

    Raises as :func:`read_domain`.
    """
    expect_format(value, source, DOMAIN_FORMAT)
    content = expect_object(value, source, required=("format", "version"), optional=("halfspaces", "vertices"))
    if ("halfspaces" in content) == ("vertices" in content):
        raise InvalidFile(source, 'must have exactly one of the keys "halfspaces" and "vertices"')
    try:
        if "vertices" in content:
            place = f"{source}: vertices"
            rows = enumerate(expect_list(content["vertices"], place))
            return Domain.polytope(vertices=_same_length([_numbers(row, f"{place}[{i}]") for i, row in rows], place))
        place = f"{source}: halfspaces"
        items = [_halfspace(item, f"{place}[{i}]") for i, item in enumerate(expect_list(content["halfspaces"], place))]
        _same_length([item.normal for item in items], place)
        return Domain.polytope(halfspaces=items)
    except InvalidDomain as error:
        raise InvalidDomain(source, str(error)) from None


def domain_to_json(domain: Domain) -> dict[str, Any]:
    """The JSON object of a domain, with irredundant half-spaces.

    >>> domain_to_json(Domain.parse("R"))["halfspaces"]
    [{'normal': ['0'], 'bound': '0'}]
    """
    items = domain.halfspaces or (Halfspace([0] * domain.ambient_dimension, 0),)
    return {
        "format": DOMAIN_FORMAT,
        "version": 1,
        "halfspaces": [{"normal": list(map(text, item.normal)), "bound": text(item.bound)} for item in items],
    }


def _halfspace(value: Any, place: str) -> Halfspace:
    content = expect_object(value, place, required=("normal", "bound"))
    normal = _numbers(content["normal"], f"{place}.normal")
    return Halfspace(normal, expect_rational(content["bound"], f"{place}.bound"))


def _numbers(value: Any, place: str) -> Vector:
    numbers = expect_rationals(value, place)
    if not numbers:
        raise InvalidFile(place, "must have at least one entry")
    return tuple(numbers)


def _same_length(rows: list[Vector], place: str) -> list[Vector]:
    if not rows:
        raise InvalidFile(place, "must not be an empty list")
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise InvalidFile(f"{place}[{i}]", f"must have {len(rows[0])} coordinates", len(row))
    return rows
