"""Samples as JSON: a list of points, all numbers as strings.

>>> samples_from_json({"format": "exactrelu/samples", "version": 1, "points": [["1/2", "0"]]}, "samples.json")
((Fraction(1, 2), Fraction(0, 1)),)
"""

from __future__ import annotations

import os
from typing import Any, Final

from ..errors import InvalidFile
from ..files import read_bytes
from ..rationals import Vector
from ..rationals.strict_json import expect_format, expect_list, expect_object, expect_rationals, parse

SAMPLES_FORMAT: Final = "exactrelu/samples"


def load_samples(path: str | os.PathLike[str]) -> tuple[Vector, ...]:
    """The points in a JSON file (``-``: standard input).

    Raises :class:`~exactrelu.errors.InvalidFile` or
    :class:`~exactrelu.errors.InvalidNumber`, naming the place.
    """
    content, name = read_bytes(path)
    return samples_from_json(parse(content, name), name)


def samples_from_json(data: Any, source: str) -> tuple[Vector, ...]:
    """The points that JSON data denotes; ``source`` names the document in messages."""
    expect_format(data, source, SAMPLES_FORMAT)
    fields = expect_object(data, source, required=("format", "version", "points"))
    place = f"{source}: points"
    rows = expect_list(fields["points"], place)
    if not rows:
        raise InvalidFile(place, "must not be an empty list")
    return tuple(tuple(expect_rationals(row, f"{place}[{i}]")) for i, row in enumerate(rows))
