r"""The proofs book: for every statement a folder with its text, its proof, and what machines check of it.

``statement.md``       front matter (id, source, uses, hypotheses, status), then the statement in LaTeX
``proof.md``           a complete proof for a human reader, or what is missing
``symbolic.py``        algebra that holds for all parameters of a small architecture
``counterexamples/``   for a hypothesis an instance that shows that it cannot be dropped
``certificates/``      certificates of consequences on concrete networks

The book is shipped with the package; a checkout has it in ``proofs``.
"""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from ..errors import InvalidFile, InvalidInput
from ..rationals.strict_json import parse
from .instances import Instance, instance_from_json
from .theorem import Theorem

LISTS: Final = ("uses", "hypotheses", "scope", "not_known_to_be_needed")
"""The keys of the front matter that hold lists.

``scope`` are hypotheses that give the statement its meaning, ``not_known_to_be_needed`` those that might be dropped.
"""


@dataclass(frozen=True, slots=True)
class Chapter:
    """What the book has on one statement."""

    folder: Path
    matter: Mapping[str, Any]
    statement: str
    proof: str

    @property
    def counterexamples(self) -> dict[str, Instance]:
        """For every hypothesis that is known to be needed, an instance that breaks the statement without it."""
        return {path.stem: _instance(path) for path in sorted(self.folder.glob("counterexamples/*.json"))}

    @property
    def certificates(self) -> tuple[Path, ...]:
        """The files of the certificates."""
        return tuple(sorted(self.folder.glob("certificates/*.json")))

    @property
    def symbolic(self) -> Path | None:
        """The file of symbolic claims, if there is one."""
        path = self.folder / "symbolic.py"
        return path if path.is_file() else None


def proofs_folder() -> Path:
    """The folder of the book: the installed one, or that of the checkout.

    Raises :class:`~exactrelu.errors.InvalidFile` if neither is there.
    """
    package = Path(__file__).parent.parent
    for folder in (package / "_proofs", package.parent / "proofs"):
        if folder.is_dir():
            return folder
    raise InvalidFile("proofs", "must be installed with the package, or stand beside it in a checkout")


def proof_folder(id: str) -> Path | None:
    """The folder of a statement in the book, if it has one."""
    folder = proofs_folder() / id
    return folder if (folder / "statement.md").is_file() else None


@cache
def chapter(id: str) -> Chapter:
    """The chapter on the statement with this id.

    Raises :class:`~exactrelu.errors.InvalidInput` if the book has none.

    >>> chapter("embedding_is_scaling_invariant").matter["status"]
    'proved'
    """
    folder = proof_folder(id)
    if folder is None:
        raise InvalidInput("theorem", "must have a chapter in the book of proofs", id)
    matter, statement = read_front_matter((folder / "statement.md").read_text("utf-8"), f"{id}/statement.md")
    return Chapter(folder, matter, statement, (folder / "proof.md").read_text("utf-8"))


def read_front_matter(text: str, source: str) -> tuple[dict[str, Any], str]:
    r"""The keys between two lines ``---`` at the top of a text, and the rest of it.

    >>> read_front_matter("---\nid: a\nuses: [b, c]\n---\nText.\n", "example")
    ({'id': 'a', 'uses': ['b', 'c']}, 'Text.\n')
    """
    head, separator, rest = text.removeprefix("---\n").partition("\n---\n")
    if not text.startswith("---\n") or not separator:
        raise InvalidFile(source, "must begin with front matter between two lines ---")
    matter: dict[str, Any] = {}
    for line in head.splitlines():
        key, colon, value = line.partition(": ")
        if not colon and not line.endswith(":"):
            raise InvalidFile(source, "must have lines of the form key: value in its front matter", line)
        matter[key] = (
            [entry.strip() for entry in value.strip("[]").split(",") if entry.strip()] if key in LISTS else value
        )
    return matter, rest


def statement_page(statement: Theorem, *, scope: tuple[str, ...] = (), unneeded: tuple[str, ...] = ()) -> str:
    """The text of ``statement.md``: front matter and statement as the theorem has them."""
    names = [hypothesis.name for hypothesis in statement.hypotheses]
    lines = [
        "---",
        f"id: {statement.id}",
        f"title: {statement.title}",
        f"source: {statement.source}",
        f"status: {statement.standing.value}",
        f"uses: [{', '.join(statement.uses)}]",
        f"hypotheses: [{', '.join(names)}]",
        f"scope: [{', '.join(scope)}]",
        f"not_known_to_be_needed: [{', '.join(unneeded)}]",
        "---",
        "",
        f"# {statement.title[:1].upper()}{statement.title[1:]}",
        "",
        f"`{statement.id}`",
        "",
        statement.statement,
        "",
    ]
    if statement.hypotheses:
        lines += ["| hypothesis | meaning |", "|---|---|"]
        lines += [f"| `{item.name}` | {_sentence(item.meaning)} |" for item in statement.hypotheses]
        lines.append("")
    lines += [f"Conclusion `{statement.conclusion.name}`: {_sentence(statement.conclusion.meaning)}.", ""]
    return "\n".join(lines)


def _sentence(text: str) -> str:
    """A sentence of a docstring in Markdown, without its full stop; a bar would end the cell of a table."""
    dollars = re.sub(r":math:`([^`]*)`", lambda found: f"${found[1]}$".replace("|", r"\vert "), text)
    return dollars.replace("``", "`").rstrip(".")


@dataclass(frozen=True, slots=True)
class SymbolicClaim:
    """An equation between expressions in the parameters of a small architecture."""

    text: str
    left: Any
    right: Any

    def is_identity(self) -> bool:
        """Whether both sides are the same: equal numbers, or rational functions whose difference cancels to 0."""
        from sympy import cancel, sympify

        return bool(cancel(sympify(self.left) - sympify(self.right)) == 0)


def symbolic_claims(path: Path) -> Iterator[SymbolicClaim]:
    """The claims that a file ``symbolic.py`` makes, in order."""
    for text, left, right in runpy.run_path(str(path))["claims"]():
        yield SymbolicClaim(text, left, right)


def _instance(path: Path) -> Instance:
    return instance_from_json(parse(path.read_bytes(), path.name), path.name)
