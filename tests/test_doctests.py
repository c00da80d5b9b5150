"""Every example in a docstring or a document is executed."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

import exactrelu

ROOT = Path(__file__).parent.parent
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
MODULES = ["exactrelu", *(m.name for m in pkgutil.walk_packages(exactrelu.__path__, "exactrelu."))]
PAGES = (path for path in (ROOT / "docs").rglob("*.md") if "generated" not in path.parts)
DOCUMENTS = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "README.md", *PAGES))


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert result.failed == 0


@pytest.mark.parametrize("name", DOCUMENTS)
def test_document_examples(name: str) -> None:
    result = doctest.testfile(str(ROOT / name), module_relative=False, optionflags=FLAGS)
    assert result.failed == 0


def test_examples_exist() -> None:
    finder = doctest.DocTestFinder()
    found = [t for name in MODULES for t in finder.find(importlib.import_module(name)) if t.examples]
    assert len(found) > 40


def test_public_functions_have_examples() -> None:
    finder = doctest.DocTestFinder()
    missing = []
    for name in exactrelu.__all__:
        value = getattr(exactrelu, name)
        if inspect.isfunction(value):
            examples = [t for t in finder.find(value, name) if t.examples]
            if not examples and name not in NEEDS_A_FILE:
                missing.append(name)
    assert missing == []


NEEDS_A_FILE = {"load", "load_domain", "load_domain_report", "load_report", "save", "save_graph", "save_report"}
