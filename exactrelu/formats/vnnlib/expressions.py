"""S-expressions with line numbers.

>>> parse_expressions("(assert (<= X_0 0.5)) ; a box", "q.vnnlib")
[[assert, [<=, X_0, 0.5]]]
"""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from ...errors import InvalidFile

MAX_DEPTH: Final = 100
MAX_WORDS: Final = 5_000_000
"""The largest number of words and parentheses of a query."""

_TOKEN = re.compile(r"[ \t\r\f\v]+|(?P<line>\n)|;[^\n]*|(?P<word>\"[^\"\n]*\"|[()]|\[[^\[\]()\n]*\]|[^\s()\[\];\"]+)")


class Word(str):
    """A name, a number, or an index in brackets, with its line."""

    __slots__ = ("line",)
    line: int

    def __repr__(self) -> str:
        return str(self)


class Group(list["Word | Group"]):
    """A list in parentheses, with its line."""

    __slots__ = ("line",)
    line: int


Expression: TypeAlias = Word | Group


def parse_expressions(content: str, source: str) -> list[Expression]:
    """The expressions of a text; an index ``[0,1]`` is one word, and so is a text in quotes."""
    top = Group()
    stack, line, position, words = [top], 1, 0, 0
    while position < len(content):
        match = _TOKEN.match(content, position)
        if match is None:
            raise InvalidFile(f"{source}: line {line}", "must be words, numbers and brackets", content[position])
        position = match.end()
        words += match["word"] is not None
        if words > MAX_WORDS:
            raise InvalidFile(source, f"must have at most {MAX_WORDS} words and parentheses")
        if match["line"]:
            line += 1
        elif match["word"] == "(":
            group = Group()
            group.line = line
            stack[-1].append(group)
            stack.append(group)
            if len(stack) > MAX_DEPTH:
                raise InvalidFile(f"{source}: line {line}", f"must nest at most {MAX_DEPTH} parentheses")
        elif match["word"] == ")":
            stack.pop()
            if not stack:
                raise InvalidFile(f"{source}: line {line}", "must not close a parenthesis that is not open")
        elif match["word"]:
            word = Word(match["word"])
            word.line = line
            stack[-1].append(word)
    if len(stack) > 1:
        raise InvalidFile(f"{source}: line {stack[-1].line}", "must close its parenthesis")
    return list(top)
