"""The book of proofs: complete, in step with the statements, its counterexamples and certificates checked."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import exactrelu as er
from exactrelu import checker
from exactrelu.theorems import book

ROOT = Path(__file__).parent.parent.parent
IDS = [statement.id for statement in er.registered_theorems()]
CASES = [(id, name) for id in IDS for name in book.chapter(id).counterexamples]
CERTIFICATES = [path for id in IDS for path in book.chapter(id).certificates]


def builder() -> ModuleType:
    """The script that writes the generated pages."""
    spec = importlib.util.spec_from_file_location("build", ROOT / "proofs" / "build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_folder_is_a_statement() -> None:
    folders = {path.name for path in book.proofs_folder().iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == set(IDS)


def test_generated_pages_are_up_to_date() -> None:
    stale = [path.name for path, text in builder().pages() if path.read_text("utf-8") != text]
    assert stale == []


@pytest.mark.parametrize("id", IDS)
def test_front_matter_is_that_of_the_statement(id: str) -> None:
    statement, found = er.theorem(id), book.chapter(id)
    assert found.matter["id"] == id
    assert found.matter["source"] == statement.source
    assert found.matter["status"] == statement.standing.value
    assert found.matter["uses"] == list(statement.uses)
    assert found.matter["hypotheses"] == [hypothesis.name for hypothesis in statement.hypotheses]


@pytest.mark.parametrize("id", IDS)
def test_proofs_say_what_they_are(id: str) -> None:
    text = book.chapter(id).proof
    standing = er.theorem(id).standing.value
    if standing == "proved":
        assert "**Proof.**" in text or "**Isolated" in text
        assert "∎" in text
    else:
        assert text.startswith({"cited": "**Cited**", "conjecture": "**Open.**", "refuted": "**Refuted"}[standing])
    said = text[: text.rindex("∎")] if standing == "proved" else text
    mentioned = {
        other for other in IDS if f"`{other}`" in said and er.theorem(other).standing is not er.Standing.REFUTED
    }
    assert mentioned - {id} <= set(er.theorem(id).uses), "a proof uses what it refers to"


@pytest.mark.parametrize("id", IDS)
def test_every_hypothesis_is_sharp_or_said_not_to_be(id: str) -> None:
    found = book.chapter(id)
    groups = [set(found.counterexamples), set(found.matter["scope"]), set(found.matter["not_known_to_be_needed"])]
    names = {hypothesis.name for hypothesis in er.theorem(id).hypotheses}
    if er.theorem(id).standing is not er.Standing.REFUTED:
        assert set.union(*groups) == names
        assert sum(map(len, groups)) == len(names)
    else:
        assert groups[0] == {"counterexample"}


@pytest.mark.parametrize(("id", "name"), CASES)
def test_counterexamples_break_the_statement_without_the_hypothesis(id: str, name: str) -> None:
    statement, instance = er.theorem(id), book.chapter(id).counterexamples[name]
    if statement.standing is er.Standing.REFUTED:
        assert statement.check(instance).status is er.Status.FAILS
        return
    verdict = statement.check(instance)
    assert verdict.status is er.Status.INAPPLICABLE
    assert verdict.conditions[-1].id == name, "the first unmet hypothesis is the one that was dropped"
    assert statement.without(name).check(instance).status is er.Status.FAILS


@pytest.mark.parametrize("path", CERTIFICATES, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_certificates_are_valid(path: Path) -> None:
    answer = checker.check(path.read_bytes())
    assert (answer.code, answer.text.split(":")[0]) == (0, "VALID")


def test_the_book_has_certificates() -> None:
    assert len(CERTIFICATES) >= 20
    assert {path.parent.parent.name for path in CERTIFICATES} >= {
        "shallow_bounded_global",
        "full_dimension_is_not_global",
    }


def test_an_installed_book_is_preferred_to_that_of_a_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "exactrelu"
    (package / "theorems").mkdir(parents=True)
    (tmp_path / "proofs").mkdir()
    monkeypatch.setattr(book, "__file__", str(package / "theorems" / "book.py"))
    assert book.proofs_folder() == tmp_path / "proofs"
    (package / "_proofs").mkdir()
    assert book.proofs_folder() == package / "_proofs"
    (package / "_proofs").rmdir()
    (tmp_path / "proofs").rmdir()
    with pytest.raises(er.InvalidFile, match="must be installed with the package"):
        book.proofs_folder()


def test_the_book_is_found_from_any_folder(tmp_path: Path) -> None:
    command = f"from exactrelu.theorems.book import chapter; print(chapter({IDS[0]!r}).matter['id'])"
    done = subprocess.run([sys.executable, "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == IDS[0]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("id: a\n", "must begin with front matter"), ("---\nid: a\n", "must begin"), ("---\nid\n---\n", "key: value")],
)
def test_bad_front_matter_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(er.InvalidFile, match=sentence):
        book.read_front_matter(text, "statement.md")
