"""Which entries of a written matrix are absent edges: ONNX only knows weights of 0.

The metadata entry :data:`EDGES_KEY` maps the names of initializers to one text
per row, ``x`` for an edge and ``.`` for none. Other readers ignore it; the
function is the same, but the parameters are not.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from ...errors import InvalidFile
from ...rationals.strict_json import expect_list, expect_object, parse
from .nodes import Value

EDGES_KEY: Final = "exactrelu.edges"


def edges_text(present: Mapping[str, npt.NDArray[np.bool_]]) -> str:
    """The metadata entry of matrices that are not full.

    >>> edges_text({"w": np.array([[True, False]])})
    '{"w": ["x."]}'
    """
    rows = {name: ["".join("x" if e else "." for e in row) for row in matrix] for name, matrix in present.items()}
    return json.dumps(rows)


def absent_edges(text: str | None, values: Mapping[str, Value], source: str) -> dict[int, npt.NDArray[np.bool_]]:
    """The absent entries of initializers, by the identity of their arrays."""
    if text is None:
        return {}
    place = f"{source}: metadata {EDGES_KEY!r}"
    found = {}
    for name, rows in expect_object(parse(text, place), place, required=(), optional=tuple(values)).items():
        matrix = values[name]
        lines = expect_list(rows, f"{place}: {name!r}")
        shape = (len(lines), len(lines[0]) if lines and isinstance(lines[0], str) else 0)
        if matrix.shape != shape or not all(
            isinstance(line, str) and len(line) == shape[1] and set(line) <= {"x", "."} for line in lines
        ):
            raise InvalidFile(place, f'must have one text of "x" and "." per row of {name!r}', list(matrix.shape))
        absent = np.array([[mark == "." for mark in line] for line in lines], dtype=bool).reshape(shape)
        if np.any(matrix[absent]):
            raise InvalidFile(place, f"must mark only weights of 0 in {name!r} as absent edges")
        found[id(matrix)] = absent
    return found
