"""Write the generated pages of the book: ``README.md``, ``dependencies.svg``, and every ``statement.md``.

Run ``python proofs/build.py`` after a statement or a chapter has changed; a test compares what is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import exactrelu as er
from exactrelu.show.dependencies import dependency_svg
from exactrelu.theorems.book import Chapter, chapter, statement_page, symbolic_claims

HERE = Path(__file__).parent
HEAD = """# The book of proofs

Every statement that exactrelu knows, with a folder of its own: `statement.md`, `proof.md`, and where they exist
`symbolic.py` (algebra checked for all parameters of a small architecture), `counterexamples/` (for a hypothesis a small
instance that shows that it cannot be dropped) and `certificates/` (consequences on concrete networks, for the checker).
This page, the picture and the statements are written by `build.py` from the statements in the package.

*Sharpness*: **+** a hypothesis that cannot be dropped, with a counterexample; **?** not known to be needed; **·** it
gives the statement its meaning.

![which statement uses which](dependencies.svg)

| statement | status | machine-checked | sharpness |
|---|---|---|---|
"""


def row(statement: er.Theorem, found: Chapter) -> str:
    """The line of a statement in the table."""
    checked = []
    if found.symbolic:
        checked.append(f"{sum(1 for _ in symbolic_claims(found.symbolic))} identities")
    if found.certificates:
        checked.append(f"{len(found.certificates)} certificate(s)")
    marks = []
    for hypothesis in statement.hypotheses:
        name = hypothesis.name
        mark = "+" if name in found.counterexamples else "·" if name in found.matter["scope"] else "?"
        marks.append(f"{mark} {name}")
    link = f"[{statement.title}]({statement.id}/statement.md)"
    cells = (link, statement.standing.value, ", ".join(checked) or "on instances", ", ".join(marks) or "none assumed")
    return f"| {' | '.join(cells)} |"


def pages() -> Iterator[tuple[Path, str]]:
    """Every generated file with its text."""
    for statement in er.registered_theorems():
        found = chapter(statement.id)
        scope, unneeded = found.matter["scope"], found.matter["not_known_to_be_needed"]
        yield found.folder / "statement.md", statement_page(statement, scope=tuple(scope), unneeded=tuple(unneeded))
    rows = [row(statement, chapter(statement.id)) for statement in er.registered_theorems()]
    yield HERE / "README.md", HEAD + "\n".join(rows) + "\n"
    uses = {statement.id: statement.uses for statement in er.registered_theorems()}
    standing = {statement.id: statement.standing.value for statement in er.registered_theorems()}
    yield HERE / "dependencies.svg", dependency_svg(uses, standing)


if __name__ == "__main__":
    for path, text in pages():
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(HERE))
