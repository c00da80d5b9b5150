"""Sphinx: the pages of this folder, the reference from docstrings, the book of proofs, and the executed notebooks."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import exactrelu as er
from exactrelu.theorems.book import chapter, proofs_folder

HERE = Path(__file__).parent
ROOT = HERE.parent
GENERATED = HERE / "generated"
# `.ci/run` executes the notebooks once, into this folder; without it they are executed while the pages are built.
EXECUTED = ROOT / "build" / "notebooks"

project = "exactrelu"
author = "The exactrelu authors"
copyright = "the exactrelu authors, MIT licence"
release = version = er.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.mathjax", "sphinx.ext.viewcode"]
myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3
nb_execution_mode = "off" if EXECUTED.is_dir() else "force"
nb_execution_timeout = 300
nb_execution_raise_on_error = True
exclude_patterns = ["build", "certificates/valid/*", "certificates/broken/*", "certificates/extended/*", "schemas/*"]

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "show-inheritance": True}
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = "exactrelu"
html_static_path: list[str] = []
# Formulas are drawn by MathJax, which the reader's browser loads; everything else works without a connection.


def write_book() -> None:
    """A page for every statement: the statement, then its proof."""
    folder = GENERATED / "proofs"
    folder.mkdir(parents=True, exist_ok=True)
    for statement in er.registered_theorems():
        found = chapter(statement.id)
        proof = found.proof.replace("\n# ", "\n### ")
        page = (
            f"{found.statement.strip()}\n\n*Status: {statement.standing.value}. Source: {statement.source}.*\n\n{proof}"
        )
        (folder / f"{statement.id}.md").write_text(page, encoding="utf-8")
    table = (proofs_folder() / "README.md").read_text("utf-8")
    for statement in er.registered_theorems():
        table = table.replace(f"({statement.id}/statement.md)", f"({statement.id}.md)")
    shutil.copy(proofs_folder() / "dependencies.svg", folder / "dependencies.svg")
    contents = "\n".join(statement.id for statement in er.registered_theorems())
    (folder / "index.md").write_text(f"{table}\n```{{toctree}}\n:hidden:\n\n{contents}\n```\n", encoding="utf-8")


def copy_notebooks() -> None:
    """The notebooks, executed or to be executed, with the modules beside them."""
    shutil.copytree(
        EXECUTED if EXECUTED.is_dir() else ROOT / "notebooks",
        GENERATED / "notebooks",
        ignore=shutil.ignore_patterns("solutions", "__pycache__", ".ipynb_checkpoints", "README.md"),
        dirs_exist_ok=True,
    )


shutil.rmtree(GENERATED, ignore_errors=True)
write_book()
copy_notebooks()
sys.path.insert(0, str(ROOT))
