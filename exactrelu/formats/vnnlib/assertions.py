r"""Assertions about inputs as half-spaces :math:`\langle n,x\rangle\le b`, in exact decimals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial, reduce
from typing import Final

from ...errors import InvalidFile
from ...rationals import rational
from .declarations import Names
from .expressions import Expression, Group, Word

# Every text is read in one way at most: else refusing a long one would take time quadratic in its length.
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")

MINUS: Final = Fraction(-1)
ORDER: Final = {"<=": (1,), ">=": (-1,), "==": (1, -1), "=": (1, -1)}
"""The signs with which left minus right is at most 0."""


@dataclass(frozen=True, slots=True)
class Linear:
    """An affine form in inputs; ``outputs`` says that it also reads what is no input."""

    terms: dict[int, Fraction]
    constant: Fraction = Fraction(0)
    outputs: bool = False

    def times(self, factor: Fraction) -> Linear:
        """A multiple of the form."""
        return Linear({j: factor * w for j, w in self.terms.items()}, factor * self.constant, self.outputs)

    @classmethod
    def sum(cls, forms: Iterable[Linear]) -> Linear:
        """The sum of forms."""
        terms: dict[int, Fraction] = {}
        constant, outputs = Fraction(0), False
        for form in forms:
            for j, weight in form.terms.items():
                terms[j] = terms[j] + weight if j in terms else weight
            constant += form.constant
            outputs = outputs or form.outputs
        return cls(terms, constant, outputs)


class Assertions:
    """Conditions, split into half-spaces; ``ignored`` counts those on outputs."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.ignored = 0

    def halfspaces(self, condition: Expression) -> Iterator[Linear]:
        """The forms that the condition on inputs demands to be at most 0."""
        place = f"{self.names.source}: line {condition.line}"
        if not isinstance(condition, Group) or not condition or not isinstance(condition[0], Word):
            raise InvalidFile(place, "must be a condition in parentheses", condition)
        head, parts = condition[0], condition[1:]
        if head == "and" or (head == "or" and len(parts) == 1):
            if not parts:
                raise InvalidFile(place, "must join at least one condition")
            for part in parts:
                yield from self.halfspaces(part)
        elif head == "or":
            if not parts or self._reads_inputs(condition):
                rule = "must not be a disjunction over inputs, since a domain is convex"
                raise InvalidFile(place, rule if parts else "must join at least one condition")
            self.ignored += 1
        else:
            yield from self._comparison(head, parts, place)

    def _comparison(self, head: Word, parts: list[Expression], place: str) -> Iterator[Linear]:
        if head not in (*ORDER, "<", ">", "!="):
            raise InvalidFile(place, f"must be and, or, or a comparison {', '.join(ORDER)}", head)
        found = [self._linear(*pair) for pair in self._indexed(parts)]
        if len(found) != 2:
            raise InvalidFile(place, "must compare two expressions", len(found))
        left, right = found
        difference = Linear.sum([left, right.times(MINUS)])
        if difference.outputs:
            if difference.terms:
                raise InvalidFile(place, "must not compare inputs with outputs in a domain")
            self.ignored += 1
            return
        if head not in ORDER:
            raise InvalidFile(place, f"must be closed: {', '.join(ORDER)} are read", head)
        for sign in ORDER[head]:
            yield difference.times(Fraction(sign))

    def _linear(self, expression: Expression, index: Word | None) -> Linear:
        place = f"{self.names.source}: line {expression.line}"
        if isinstance(expression, Word):
            if index is None and _NUMBER.fullmatch(expression):
                return Linear({}, rational(str(expression), place))
            j = self.names.input_of(expression, index)
            return Linear({}, outputs=True) if j is None else Linear({j: Fraction(1)})
        if len(expression) < 2 or expression[0] not in ("+", "-", "*"):
            raise InvalidFile(place, "must be a sum, difference or product", expression)
        values = [self._linear(*pair) for pair in self._indexed(expression[1:])]
        if expression[0] == "+":
            return Linear.sum(values)
        if expression[0] == "-":
            return (
                values[0].times(MINUS)
                if len(values) == 1
                else Linear.sum([values[0], *(v.times(MINUS) for v in values[1:])])
            )
        return reduce(partial(self._product, place=place), values)

    def _product(self, left: Linear, right: Linear, place: str) -> Linear:
        outputs = left.outputs or right.outputs
        if not (left.terms or left.outputs):
            left, right = right, left
        if right.terms or (right.outputs and left.terms):
            raise InvalidFile(place, "must be linear: at most one factor may contain inputs")
        found = left.times(right.constant)
        return Linear(found.terms, found.constant, outputs)

    def _indexed(self, parts: list[Expression]) -> list[tuple[Expression, Word | None]]:
        """The expressions, names together with the index that may follow them."""
        found: list[tuple[Expression, Word | None]] = []
        for part in parts:
            if isinstance(part, Word) and part.startswith("["):
                if not found or found[-1][1] is not None or not isinstance(found[-1][0], Word):
                    raise InvalidFile(
                        f"{self.names.source}: line {part.line}", "must have a name before an index", part
                    )
                found[-1] = (found[-1][0], part)
            else:
                found.append((part, None))
        return found

    def _reads_inputs(self, condition: Expression) -> bool:
        """Whether an input is named anywhere in an expression."""
        if isinstance(condition, Group):
            return any(
                self._reads_inputs(part) if isinstance(part, Group) else self._is_input(part, index)
                for part, index in self._indexed(condition[1:])
            )
        return False

    def _is_input(self, word: Expression, index: Word | None) -> bool:
        if not isinstance(word, Word) or (index is None and _NUMBER.fullmatch(word)):
            return False
        return self.names.input_of(word, index) is not None
