"""The notebooks: their form, their exercises, and that every claim in them can fail.

``pytest --nbmake notebooks`` runs them in Jupyter; here code cells are executed as plain Python.
"""

from __future__ import annotations

import ast
import copy
import importlib
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from IPython.core.formatters import DisplayFormatter

from exactrelu import show, zoo

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
README = (NOTEBOOKS / "README.md").read_text(encoding="utf-8")
LESSONS = sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))
SOLUTIONS = sorted(path.stem for path in (NOTEBOOKS / "solutions").glob("*.ipynb"))
FILES = [*LESSONS, *(f"solutions/{name}" for name in SOLUTIONS)]
LONGEST = 20
"""Seconds that the code of a notebook may take."""

Namespace = dict[str, Any]


@pytest.fixture(autouse=True)
def beside_the_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Notebooks find their checks in their own folder."""
    monkeypatch.syspath_prepend(str(NOTEBOOKS))


def text_of(name: str) -> str:
    return (NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8")


def code_cells(name: str) -> list[str]:
    notebook = nbformat.reads(text_of(name), as_version=4)
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


def exercise_module(name: str) -> Any:
    """The checks of notebook ``01_some_name`` are ``checks/some_name.py``."""
    return importlib.import_module(f"checks.{name[3:]}")


def answered(source: str) -> list[str]:
    """The exercises that a cell puts to the check."""
    return re.findall(r'^(?:assert )?check\("([\d.]+)"', source, flags=re.MULTILINE)


def asserts(tree: ast.AST) -> list[ast.Assert]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Assert)]


EXERCISES = [
    (name, number) for name in LESSONS for source in code_cells(name) for number in answered(source)
]  # in the order of the notebooks


class TestForm:
    def test_there_are_notebooks(self) -> None:
        assert len(LESSONS) >= 5
        assert [name[:2] for name in LESSONS] == [f"{k:02}" for k in range(1, len(LESSONS) + 1)]

    def test_every_lesson_has_solutions(self) -> None:
        assert SOLUTIONS == LESSONS

    @pytest.mark.parametrize("name", FILES)
    def test_is_valid_and_tidy(self, name: str) -> None:
        nbformat.validate(nbformat.reads(text_of(name), as_version=4))
        tidy = importlib.import_module("tidy")
        assert text_of(name) == tidy.tidied(text_of(name)), "run python notebooks/tidy.py"

    @pytest.mark.parametrize("name", FILES)
    def test_is_stored_without_outputs_and_with_running_ids(self, name: str) -> None:
        cells = nbformat.reads(text_of(name), as_version=4).cells
        assert [cell.id for cell in cells] == [f"cell-{k:02}" for k in range(1, len(cells) + 1)]
        for cell in cells:
            if cell.cell_type == "code":
                assert cell.outputs == []
                assert cell.execution_count is None

    @pytest.mark.parametrize("name", FILES)
    def test_begins_with_its_number_and_title(self, name: str) -> None:
        first = nbformat.reads(text_of(name), as_version=4).cells[0]
        number = int(Path(name).name[:2])
        wanted = rf"# Solutions to notebook {number} · \S" if "/" in name else rf"# {number} · \S"
        assert first.cell_type == "markdown"
        assert re.match(wanted, first.source)

    def test_the_overview_lists_exactly_the_notebooks(self) -> None:
        rows = re.findall(r"^\| \[(\d+) · .+?\]\((\w+)\.ipynb\) \| .+ \| (\d+) \| .+ \|$", README, flags=re.MULTILINE)
        assert [(int(number), name) for number, name, _ in rows] == list(enumerate(LESSONS, start=1))
        assert all(int(minutes) <= 30 for _, _, minutes in rows)

    @pytest.mark.parametrize("name", LESSONS)
    def test_every_cell_asserts_what_the_text_claims(self, name: str) -> None:
        cells = code_cells(name)
        lesson = [source for source in cells[1:] if not answered(source)]
        assert sum(len(asserts(ast.parse(source))) for source in lesson) >= 8
        for source in lesson:
            assert asserts(ast.parse(source)), f"nothing is asserted in\n{source}"


class TestExercises:
    @pytest.mark.parametrize("name", LESSONS)
    def test_lesson_solutions_and_checks_have_the_same(self, name: str) -> None:
        numbers = list(exercise_module(name).check.exercises)
        assert numbers == [f"{int(name[:2])}.{k}" for k in range(1, len(numbers) + 1)]
        assert [number for source in code_cells(name) for number in answered(source)] == numbers
        solved = [number for source in code_cells(f"solutions/{name}") for number in answered(source)]
        assert list(dict.fromkeys(solved)) == numbers

    @pytest.mark.parametrize("name", LESSONS)
    def test_unanswered_ones_are_open(self, name: str) -> None:
        cells = code_cells(name)
        namespace: Namespace = {}
        exec(cells[0], namespace)
        for source in cells[1:]:
            for number in answered(source):
                assert f'# check.hint("{number}")' in source
                body = ast.parse(source).body
                exec(compile(ast.Module(body[:-1], []), name, "exec"), namespace)
                outcome = eval(compile(ast.Expression(body[-1].value), name, "eval"), namespace)  # type: ignore[attr-defined]
                assert repr(outcome) == f"Exercise {number}: not answered yet"

    @pytest.mark.parametrize("name", SOLUTIONS)
    def test_solutions_are_accepted(self, name: str) -> None:
        namespace: Namespace = {}
        for source in code_cells(f"solutions/{name}"):
            assert not answered(source) or "assert check(" in source
            exec(source, namespace)

    @pytest.mark.parametrize(("name", "number"), EXERCISES)
    def test_mistakes_are_rejected_with_a_reason(self, name: str, number: str) -> None:
        check = exercise_module(name).check
        mistakes = check.exercises[number].mistakes
        assert len(mistakes) >= 3
        for mistake in (*mistakes, None, "?", []):
            outcome = check(number, copy.copy(mistake))
            assert outcome.status == "wrong", mistake
            assert outcome.comment
            assert not outcome

    @pytest.mark.parametrize(("name", "number"), EXERCISES)
    def test_hints_come_one_after_the_other(self, name: str, number: str) -> None:
        check = exercise_module(name).check
        hints = check.exercises[number].hints
        assert len(hints) >= 2
        assert [check.hint(number).text for _ in range(len(hints) + 1)] == [*hints, hints[0]]

    def test_pictures_appear_below_their_cells(self) -> None:
        data, _ = DisplayFormatter().format(show.function_graph(zoo.HAT))
        assert data["image/png"].startswith(b"\x89PNG")

    def test_floats_and_unknown_numbers(self) -> None:
        check = exercise_module(LESSONS[0]).check
        assert "a float is rounded" in repr(check("1.1", -1.5))
        with pytest.raises(KeyError, match=r"there are the exercises 1\.1"):
            check("9.9", 0)


class Altered(ast.NodeTransformer):
    """A statement with the ``which``-th claim in its asserts altered; ``count`` is the number of claims met.

    Claims are the numbers and texts on the right of ``==``, ``is`` and ``in``, and the statuses there. What stands
    in brackets behind a name is an address and no claim.
    """

    def __init__(self, which: int) -> None:
        self.which = which
        self.count = 0
        self.depth = 0
        self.asserting = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node  # its asserts speak when it is called

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        self.asserting = True
        node.test = self.visit(node.test)
        self.asserting = False
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        node.left = self.visit(node.left)
        claims = self.asserting and all(isinstance(op, ast.Eq | ast.Is | ast.In) for op in node.ops)
        self.depth += claims
        node.comparators = [self.visit(side) for side in node.comparators]
        self.depth -= claims
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if not self.depth or type(node.value) not in (int, str) or not self._chosen():
            return node
        value = node.value + 1 if isinstance(node.value, int) else node.value + "x"
        return ast.copy_location(ast.Constant(value), node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        other = {"HOLDS": "FAILS", "FAILS": "HOLDS"}.get(node.attr)
        if self.depth and other and self._chosen():
            node.attr = other
            return node
        return self.generic_visit(node)

    def _chosen(self) -> bool:
        self.count += 1
        return self.count - 1 == self.which


def alterations(statement: ast.stmt) -> Iterator[ast.stmt]:
    """The statement with each of its claims altered in turn."""
    counter = Altered(-1)
    counter.visit(copy.deepcopy(statement))
    for which in range(counter.count):
        yield Altered(which).visit(copy.deepcopy(statement))


def run(statement: ast.stmt, namespace: Namespace) -> None:
    module = ast.Module([statement], [])
    exec(compile(ast.fix_missing_locations(module), "notebook", "exec"), namespace)


def test_alterations_are_found() -> None:
    (statement,) = ast.parse('assert f(1)[2] == (3, x[4], -5, "a") != 6 or y.status is S.HOLDS').body
    assert [ast.unparse(found) for found in alterations(statement)] == [
        "assert f(1)[2] == (3, x[4], -5, 'a') != 6 or y.status is S.FAILS"
    ]
    (statement,) = ast.parse('assert f(1)[2] == (3, x[4], -5, "a")').body
    assert [ast.unparse(found)[18:] for found in alterations(statement)] == [
        "(4, x[4], -5, 'a')",
        "(3, x[4], -6, 'a')",
        "(3, x[4], -5, 'ax')",
    ]


@pytest.mark.parametrize("name", LESSONS)
def test_an_altered_claim_stops_the_notebook(name: str) -> None:
    namespace: Namespace = {}
    found, elapsed = 0, 0.0
    for source in code_cells(name):
        for statement in ast.parse(source).body:
            for altered in alterations(statement):
                found += 1
                try:
                    run(altered, dict(namespace))
                except AssertionError:
                    continue
                except Exception as error:  # an altered text may be no number any more
                    print(f"{type(error).__name__} in {ast.unparse(altered)}", file=sys.stderr)
                    continue
                pytest.fail(f"nothing happens for\n{ast.unparse(altered)}")
            start = time.process_time()
            run(statement, namespace)
            elapsed += time.process_time() - start
    assert found >= 8
    assert elapsed < LONGEST
