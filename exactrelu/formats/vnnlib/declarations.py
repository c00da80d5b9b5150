"""Declarations of inputs and outputs.

In version 1 an input is ``(declare-const X_0 Real)`` and an output ``Y_0``; in
version 2 a network declares tensors ``X`` and ``Y`` with shapes, whose entries
are ``X[0,1]``, counted row by row.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import prod
from typing import Final

from ...errors import InvalidFile
from ...polyhedra.domain_text import MAX_DIMENSION
from .expressions import Expression, Group, Word

_SCALAR = re.compile(r"([XY])_(0|[1-9][0-9]{0,8})")
_SHAPE = re.compile(r"\[\s*(?:[0-9]{1,9}\s*(?:,\s*[0-9]{1,9}\s*)*)?\]")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")

REALS: Final = ("real", "float16", "float32", "float64", "bfloat16")


@dataclass(slots=True)
class Names:
    """What is declared: inputs with their shapes or numbers, and names that are no inputs."""

    source: str
    scalars: set[int] = field(default_factory=set)
    tensor: tuple[str, tuple[int, ...]] | None = None
    others: set[str] = field(default_factory=set)
    outputs: set[str] = field(default_factory=set)

    @property
    def input_dim(self) -> int:
        """The number of inputs."""
        if self.tensor is not None:
            return prod(self.tensor[1])
        if self.scalars != set(range(len(self.scalars))):
            missing = min(set(range(len(self.scalars) + 1)) - self.scalars)
            raise InvalidFile(
                self.source, f"must declare the inputs X_0 to X_{max(self.scalars)}, but X_{missing} is none"
            )
        return len(self.scalars)

    def declare_scalar(self, group: Group) -> None:
        """``(declare-const X_0 Real)``, also written ``(declare-fun X_0 () Real)``."""
        place = f"{self.source}: line {group.line}"
        words = [entry for entry in group[1:] if entry != []]
        if len(words) != 2 or words[1] != "Real" or not isinstance(words[0], Word):
            raise InvalidFile(place, 'must declare a number as in "(declare-const X_0 Real)"', group)
        match = _SCALAR.fullmatch(words[0])
        if match is None:
            raise InvalidFile(place, "must declare inputs X_0, X_1, … and outputs Y_0, Y_1, … only", words[0])
        if self.tensor is not None or words[0] in self.outputs or (match[1] == "X" and int(match[2]) in self.scalars):
            raise InvalidFile(place, "must declare every number once", words[0])
        if match[1] == "Y":
            self.outputs.add(str(words[0]))
            return
        self.scalars.add(int(match[2]))
        if len(self.scalars) > MAX_DIMENSION:
            raise InvalidFile(place, f"must have at most {MAX_DIMENSION} inputs")

    def declare_network(self, group: Group) -> None:
        """``(declare-network f (declare-input X real [2]) (declare-output Y real [1]))``."""
        place = f"{self.source}: line {group.line}"
        if self.tensor is not None or self.scalars:
            raise InvalidFile(place, "must be the only network of the query")
        if len(group) < 2 or not isinstance(group[1], Word):
            raise InvalidFile(place, "must have a name")
        for entry in group[2:]:
            if not isinstance(entry, Group) or not entry or not isinstance(entry[0], Word):
                raise InvalidFile(place, "must consist of declarations", entry)
            self._declare_tensor(entry, f"{self.source}: line {entry.line}")
        if self.tensor is None:
            raise InvalidFile(place, "must declare an input")

    def _declare_tensor(self, group: Group, place: str) -> None:
        kind = group[0]
        if kind not in ("declare-input", "declare-hidden", "declare-output"):
            raise InvalidFile(place, "must declare an input, hidden tensor or output of a single network", kind)
        if len(group) not in (4, 5) or not all(isinstance(entry, Word) for entry in group):
            raise InvalidFile(place, 'must be as in "(declare-input X real [1,2])"', group)
        name, element, shape = map(str, group[1:4])
        if not _NAME.fullmatch(name) or not _SHAPE.fullmatch(shape):
            raise InvalidFile(place, "must have a name and a shape", (name, shape))
        if name in self.others or name in self.outputs or (self.tensor is not None and self.tensor[0] == name):
            raise InvalidFile(place, "must declare every tensor once", name)
        if kind != "declare-input":
            (self.outputs if kind == "declare-output" else self.others).add(name)
            return
        if self.tensor is not None:
            raise InvalidFile(place, "must be the only input of the network", name)
        if element.lower() not in REALS:
            raise InvalidFile(place, f"must be a tensor of {', '.join(REALS)}", element)
        sizes = indices_of(shape, place)
        if not 1 <= prod(sizes) <= MAX_DIMENSION:
            raise InvalidFile(place, f"must have between 1 and {MAX_DIMENSION} inputs", shape)
        self.tensor = (name, sizes)

    def input_of(self, word: Word, index: Word | None) -> int | None:
        """The number of the input that a word (with its index) names; ``None`` for what is no input."""
        place = f"{self.source}: line {word.line}"
        if self.tensor is None:
            match = _SCALAR.fullmatch(word)
            if index is not None or match is None:
                raise InvalidFile(place, "must name a declared number", word)
            if match[1] == "X" and int(match[2]) in self.scalars:
                return int(match[2])
            if str(word) in self.outputs:
                return None
            raise InvalidFile(place, "must name a declared number", word)
        name, sizes = self.tensor
        if word in self.outputs or word in self.others:
            return None
        if word != name:
            raise InvalidFile(place, "must name a declared tensor", word)
        found = () if index is None else indices_of(index, place)
        if len(found) != len(sizes) or not all(i < n for i, n in zip(found, sizes, strict=True)):
            raise InvalidFile(place, f"must have an index within the shape {list(sizes)}", f"{word}{index or ''}")
        position = 0
        for i, n in zip(found, sizes, strict=True):
            position = position * n + i
        return position


def indices_of(text: str, place: str = "index") -> tuple[int, ...]:
    """The numbers in brackets.

    >>> indices_of("[0, 12]"), indices_of("[]")
    ((0, 12), ())
    """
    if not _SHAPE.fullmatch(text):
        raise InvalidFile(place, "must have natural numbers in brackets", text)
    return tuple(int(entry) for entry in text.strip("[]").split(",") if entry.strip())


def declared(expressions: list[Expression], source: str) -> tuple[Names, list[Group]]:
    """The declarations of a query, and its assertions."""
    names, assertions = Names(source), []
    for expression in expressions:
        line = f"{source}: line {expression.line}"
        if not isinstance(expression, Group) or not expression or not isinstance(expression[0], Word):
            raise InvalidFile(line, "must be a declaration or an assertion in parentheses", expression)
        head = expression[0]
        if head == "assert":
            if len(expression) != 2:
                raise InvalidFile(line, "must assert one condition", expression)
            assertions.append(expression)
        elif head in ("declare-const", "declare-fun"):
            names.declare_scalar(expression)
        elif head == "declare-network":
            names.declare_network(expression)
        elif head == "vnnlib-version":
            if expression[1:] not in (["<1.0>"], ["<2.0>"]):
                raise InvalidFile(line, "must be version <1.0> or <2.0>", expression)
        elif head not in ("set-logic", "check-sat", "set-info"):
            raise InvalidFile(line, "must be a declaration or an assertion", head)
    return names, assertions
