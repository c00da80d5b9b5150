"""Small changes of a Python source, one at a time: the mutants of mutation testing.

A mutant is a wrong program that differs from ours by one operator, number, name, condition or statement. A test suite
is good where it kills mutants, that is, where some test fails on them. Texts for people (docstrings, f-strings,
strings that are not one word) and annotations are left alone: they decide nothing.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

NEARBY: dict[str, tuple[str, ...]] = {
    "Lt": ("LtE", "GtE"), "LtE": ("Lt", "Gt"), "Gt": ("GtE", "LtE"), "GtE": ("Gt", "Lt"),
    "Eq": ("NotEq",), "NotEq": ("Eq",), "Is": ("IsNot",), "IsNot": ("Is",), "In": ("NotIn",), "NotIn": ("In",),
    "And": ("Or",), "Or": ("And",), "Add": ("Sub",), "Sub": ("Add",), "Mult": ("Add",), "Div": ("Mult",),
    "Pow": ("Mult",), "FloorDiv": ("Mult",), "Mod": ("FloorDiv",), "LShift": ("RShift",), "RShift": ("LShift",),
    "BitAnd": ("BitOr",), "BitOr": ("BitAnd",), "BitXor": ("BitAnd",), "MatMult": ("Mult",),
}  # fmt: skip
"""What an operator is changed into, by the names of the abstract syntax."""
EXCHANGED = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True, slots=True, order=True)
class Mutant:
    """The source between two byte offsets, and what stands there instead."""

    start: int
    end: int
    after: str
    before: str
    line: int
    kind: str

    def apply(self, source: bytes) -> bytes:
        return source[: self.start] + self.after.encode() + source[self.end :]

    def compiles(self, source: bytes) -> bool:
        try:
            compile(self.apply(source), "mutant", "exec", dont_inherit=True)
        except SyntaxError:
            return False
        return True

    def __str__(self) -> str:
        return f"{self.line}: {self.kind}: {self.before}  ->  {self.after}"


def mutants(source: bytes) -> list[Mutant]:
    """All mutants of a source, in its order."""
    lines = [0]
    for line in source.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    found = set[Mutant]()
    for node, kind, after in _changes(ast.parse(source)):
        start = lines[node.lineno - 1] + node.col_offset
        end = lines[node.end_lineno - 1] + node.end_col_offset
        before = source[start:end].decode()
        mutant = Mutant(start, end, after, before, node.lineno, kind)
        if after != before:
            found.add(mutant)
    return sorted(found)


def _changes(tree: ast.Module) -> Iterator[tuple[ast.expr | ast.stmt, str, str]]:
    """Nodes with a position, the kind of change, and the text that replaces them."""
    for node in _live(tree):
        if isinstance(node, ast.expr):
            for kind, changed in _expressions(node):
                yield node, kind, changed if isinstance(changed, str) else f"({ast.unparse(changed)})"
        elif isinstance(node, ast.Expr | ast.Raise | ast.AugAssign | ast.Delete):
            yield node, "statement", "pass"
        elif isinstance(node, ast.Return) and not _is_constant(node.value, None):
            yield node, "return", "return None"
        elif isinstance(node, ast.Break):
            yield node, "jump", "continue"
        elif isinstance(node, ast.Continue):
            yield node, "jump", "break"
        for test in _conditions(node):
            for value in (True, False):
                if not (isinstance(node, ast.While) and value) and not _is_constant(test, value):
                    yield test, "condition", str(value)


def _live(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that decide something: no annotations, decorators, docstrings, f-strings."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            prose = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
            if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr) and not prose:
                yield child
                yield from _live(child)


def _conditions(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        return [node.test]
    return node.ifs if isinstance(node, ast.comprehension) else []


def _is_constant(node: ast.expr | None, value: object) -> bool:
    return node is None or (isinstance(node, ast.Constant) and node.value is value)


def _nearby(operator: ast.AST) -> Iterator[Any]:
    for name in NEARBY[type(operator).__name__]:
        yield getattr(ast, name)()


def _expressions(node: ast.expr) -> Iterator[tuple[str, ast.expr | str]]:
    """The kinds of change of an expression, and what it becomes."""
    match node:
        case ast.Compare():
            for place, operator in enumerate(node.ops):
                for other in _nearby(operator):
                    changed = copy.deepcopy(node)
                    changed.ops[place] = other
                    yield "comparison", changed
        case ast.BinOp() | ast.BoolOp():
            for other in _nearby(node.op):
                changed = copy.deepcopy(node)
                changed.op = other
                yield "operator", changed
            if isinstance(node, ast.BoolOp):
                for place in range(len(node.values)):
                    rest = node.values[:place] + node.values[place + 1 :]
                    yield "operand", rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
        case ast.UnaryOp():
            yield "sign", node.operand
        case ast.Constant(value=bool() as value):
            yield "constant", str(not value)
        case ast.Constant(value=int() as value):
            yield "constant", str(value + 1)
        case ast.Constant(value=str() as value) if value.isidentifier():
            yield "constant", repr(f"X{value}")
        case ast.Call(func=ast.Name(id=name)) if name in EXCHANGED:
            changed = copy.deepcopy(node)
            changed.func = ast.Name(EXCHANGED[name])
            yield "call", changed
        case ast.Subscript(slice=ast.Slice() as part):
            for bound in ("lower", "upper"):
                if getattr(part, bound) is not None:
                    changed = copy.deepcopy(node)
                    setattr(changed.slice, bound, None)
                    yield "slice", changed
