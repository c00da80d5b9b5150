"""What commands share: options, exit codes, and the two ways to print a result."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any, Final, ParamSpec, TypeVar

import click
from click.shell_completion import CompletionItem

from ..formats import load_domain_report
from ..polyhedra import Domain
from ..verdicts import Status, Verdict
from .tables import coloured, wants_colour

EXIT_CODE: Final = {Status.HOLDS: 0, Status.FAILS: 1, Status.UNKNOWN: 3, Status.INAPPLICABLE: 4}

Command = TypeVar("Command", bound=Callable[..., Any])
News = ParamSpec("News")


def files(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The completions of a file name: left to the shell, which knows its files."""
    return [CompletionItem(incomplete, type="file")]


def json_option(command: Command) -> Command:
    """The option that every command has."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON; rationals are strings.")(command)


def domain_option(command: Command) -> Command:
    """The option that names the domain of a question."""
    text = "The domain: text such as '[-1,1]^2', 'RxR', or a .json or .vnnlib file (default: all of R^d)."
    return click.option("--domain", shell_complete=files, help=text)(command)


def budget_option(unit: str) -> Callable[[Command], Command]:
    """The option that bounds the work of a command, counted in ``unit``."""
    return click.option("--budget", type=click.IntRange(min=0), help=f"The largest number of {unit}.")


def chosen_domain(value: str | None) -> Domain | None:
    """The domain that an option names, if it was given; what was left out of its file is said on standard error."""
    if value is None:
        return None
    domain, notes = load_domain_report(value)
    for note in notes:
        click.echo(f"note: {value}: {note}", err=True)
    return domain


def working(what: str) -> contextlib.AbstractContextManager[object]:
    """A spinner on standard error while something takes long, on a terminal only."""
    if not sys.stderr.isatty():
        return contextlib.nullcontext()
    from rich.console import Console

    return Console(stderr=True).status(what)


@contextlib.contextmanager
def live_line(render: Callable[News, str]) -> Iterator[Callable[News, None] | None]:
    """A line on standard error that says the last news, and is wiped in the end; on a terminal only (else ``None``)."""
    if not sys.stderr.isatty():
        yield None
        return
    width = 0

    def show(*args: News.args, **kwargs: News.kwargs) -> None:
        nonlocal width
        line = render(*args, **kwargs)
        click.echo("\r" + line.ljust(width), nl=False, err=True)
        width = len(line)

    try:
        yield show
    finally:
        click.echo("\r" + " " * width + "\r", nl=False, err=True)


def print_result(shown: str, data: Any, as_json: bool) -> None:
    """Text for people, or one JSON document for programs."""
    if as_json:
        click.echo(json.dumps(data, indent=1, ensure_ascii=False))
    else:
        click.echo(coloured(shown) if wants_colour(sys.stdout) else shown)


def print_verdict(verdict: Verdict, as_json: bool) -> int:
    """A verdict as text or JSON, and its exit code."""
    print_result(verdict.explain(), verdict.to_json(), as_json)
    return EXIT_CODE[verdict.status]
