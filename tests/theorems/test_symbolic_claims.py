"""The symbolic part of the book: every claim is an identity, and altering a file makes some claim fail."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest

from exactrelu.theorems.book import SymbolicClaim, proofs_folder, symbolic_claims

FILES = sorted(proofs_folder().glob("*/symbolic.py"))
SWAP = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.USub: ast.UAdd}


def by_folder(path: Path) -> str:
    return path.parent.name


@pytest.mark.parametrize("path", FILES, ids=by_folder)
def test_every_claim_is_an_identity(path: Path) -> None:
    claims = list(symbolic_claims(path))
    assert len(claims) >= 4 or "dimension" in path.parent.name
    assert [claim.text for claim in claims if not claim.is_identity()] == []
    assert len({claim.text for claim in claims}) == len(claims), "each claim says what it is about"


@pytest.mark.parametrize("path", FILES, ids=by_folder)
def test_a_claim_with_another_right_side_fails(path: Path) -> None:
    for claim in symbolic_claims(path):
        assert not SymbolicClaim(claim.text, claim.left, claim.right + 1).is_identity()


def alterations(source: str) -> list[tuple[str, str]]:
    """The source with one operator exchanged, operator by operator, in the expressions that a claim consists of."""
    found = []
    count = sum(type(node) in (ast.BinOp, ast.UnaryOp) for node in ast.walk(ast.parse(source)))
    for k in range(count):
        tree = ast.parse(source)
        node = [n for n in ast.walk(tree) if type(n) in (ast.BinOp, ast.UnaryOp)][k]
        signed_number = isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant)
        if type(node.op) in SWAP and not signed_number:
            before = ast.unparse(node)
            node.op = SWAP[type(node.op)]()
            found.append((f"{before} -> {ast.unparse(node)}", ast.unparse(tree)))
    return found


def breaks(source: str, path: Path) -> bool:
    """Whether some claim of the source is no identity, or cannot even be stated."""
    path.write_text(source)
    try:
        return any(not claim.is_identity() for claim in symbolic_claims(path))
    except Exception:  # whatever the altered algebra runs into: it does not pass
        return True


@pytest.mark.parametrize("path", FILES, ids=by_folder)
def test_altering_a_file_makes_it_fail(path: Path, tmp_path: Path) -> None:
    source = path.read_text("utf-8")
    assert not breaks(source, tmp_path / "symbolic.py")
    changed = alterations(source)
    assert changed
    chosen = random.Random(path.parent.name).sample(changed, min(4, len(changed)))
    survivors = [what for what, text in chosen if not breaks(text, tmp_path / "symbolic.py")]
    assert survivors == []


@pytest.mark.sweep
@pytest.mark.parametrize("path", FILES, ids=by_folder)
def test_every_alteration_of_a_file_makes_it_fail(path: Path, tmp_path: Path) -> None:
    changed = alterations(path.read_text("utf-8"))
    assert [what for what, text in changed if not breaks(text, tmp_path / "symbolic.py")] == []
