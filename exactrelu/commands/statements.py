"""How commands name a statement: by its id, without some of its hypotheses."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from ..errors import InvalidInput
from ..theorems import Theorem, registered_theorems
from ..theorems import theorem as registered
from ..theorems.predicates import plain_text
from .common import Command


def ids(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The completions of the id of a statement."""
    found = registered_theorems()
    return [CompletionItem(item.id, help=item.title) for item in found if item.id.startswith(incomplete)]


def hypotheses(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The completions of the name of a hypothesis, where the id of a statement comes before it."""
    # Parsing ends at an option without its value; then the arguments before it are left over.
    id = context.params.get("id") or next(iter(context.args), "")
    try:
        statement = chosen(id, context.params.get("drop") or ())
    except InvalidInput:
        return []
    left = [item for item in statement.hypotheses if item.name.startswith(incomplete)]
    return [CompletionItem(item.name, help=plain_text(item.meaning)) for item in left]


def drop_option(command: Command) -> Command:
    """The option that names hypotheses to go without."""
    text = "Do not assume this hypothesis; may be given several times."
    return click.option("--drop", metavar="HYPOTHESIS", multiple=True, shell_complete=hypotheses, help=text)(command)


def chosen(id: str, drop: tuple[str, ...]) -> Theorem:
    """The statement with this id, without some hypotheses."""
    found = registered(id)
    return found.without(*drop) if drop else found
