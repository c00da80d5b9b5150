"""The commands about statements: list them, read them, check them; :mod:`.hunts` searches for counterexamples."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import InvalidFile
from ..files import read_bytes
from ..formats import load_report
from ..formats.loading import READERS
from ..rationals.strict_json import parse
from ..theorems import Instance, instance_from_json, registered_theorems
from ..theorems import theorem as registered
from ..theorems.book import proof_folder
from ..theorems.predicates import Predicate, plain_text
from .common import chosen_domain, domain_option, files, json_option, print_result, print_verdict, working
from .hunts import hunt, report_command
from .statements import chosen, drop_option, ids


@click.group()
def theorem() -> None:
    """Statements that run: check them, or hunt for counterexamples.

    ID is an id of `exactrelu theorem list`.
    """


theorem.add_command(hunt)
theorem.add_command(report_command)


@theorem.command("list")
@json_option
def list_command(as_json: bool) -> int:
    """All statements, with what is known of them.

    Example: exactrelu theorem list
    """
    found = registered_theorems()
    width = max(len(item.id) for item in found)
    lines = [f"{item.id:<{width}}  {item.standing.value:<10}  {item.title}" for item in found]
    print_result("\n".join(lines), [item.to_json() for item in found], as_json)
    return 0


@theorem.command()
@click.argument("id", shell_complete=ids)
@json_option
def show(id: str, as_json: bool) -> int:
    """A statement whole, and where its proof is.

    Its LaTeX, the hypotheses with their meaning, source, uses and standing.

    Example: exactrelu theorem show embedding_rank_is_parameters_minus_hidden
    """
    found = registered(id)
    proof = proof_of(id)
    lines = [found.explain(), *([f"statement: {found.statement}"] if found.statement else [])]
    lines.append(f"proof: {proof if proof is not None else 'none in the book'}")
    data = {
        **found.to_json(),
        "statement": found.statement,
        "hypotheses": [named(item) for item in found.hypotheses],
        "conclusion": named(found.conclusion),
        "uses": list(found.uses),
        "proof": proof,
    }
    print_result("\n".join(lines), data, as_json)
    return 0


def named(predicate: Predicate) -> dict[str, str]:
    """The name of a predicate and its meaning in words, as JSON data."""
    return {"name": predicate.name, "meaning": plain_text(predicate.meaning)}


def proof_of(id: str) -> str | None:
    """The folder of the proof of a statement, if the book is there and has one."""
    try:
        folder = proof_folder(id)
    except InvalidFile:
        return None
    return None if folder is None else str(folder)


@theorem.command()
@click.argument("id", shell_complete=ids)
@click.argument("instance", shell_complete=files)
@domain_option
@drop_option
@json_option
def check(id: str, instance: str, domain: str | None, drop: tuple[str, ...], as_json: bool) -> int:
    """What a statement says about an instance.

    INSTANCE is a network file, or a file of the format exactrelu/instance, with more than a network.
    Exit codes: 0 holds, 1 fails, 3 unknown, 4 inapplicable.

    Example: exactrelu theorem check embedding_is_scaling_invariant pair.json
    """
    statement, subject = chosen(id, drop), load_instance(instance)
    where = chosen_domain(domain)
    if where is not None:
        subject = subject.replace(domain=where)
    with working("checking"):
        verdict = statement.check(subject)
    return print_verdict(verdict, as_json)


def load_instance(path: str) -> Instance:
    """The instance in a file, or a network in any format that can be read."""
    suffix = Path(path).suffix.lower()
    if suffix in READERS and suffix != ".json":
        return Instance(load_report(path).network)
    content, name = read_bytes(path)
    return instance_from_json(parse(content, name), name)
