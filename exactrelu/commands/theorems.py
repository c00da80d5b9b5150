"""The commands about statements: list them, read them, check them, hunt for counterexamples."""

from __future__ import annotations

import contextlib
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from ..errors import InvalidFile, InvalidInput, shorten
from ..files import read_bytes, write_text
from ..formats import load_report
from ..formats.loading import READERS
from ..rationals.strict_json import parse
from ..show import check_picture_name
from ..show import save as save_picture
from ..theorems import Instance, Theorem, instance_from_json, registered_theorems
from ..theorems import theorem as registered
from ..theorems.book import proof_folder
from ..theorems.families import NetworkFamily, family
from ..theorems.hunting import SHRINKING
from ..theorems.predicates import Predicate, plain_text
from ..theorems.shrinking import shrink
from ..theorems.sweep import Progress, SweepReport, sweep, sweep_report
from ..verdicts import Verdict
from .common import (
    budget_option,
    chosen_domain,
    domain_option,
    files,
    json_option,
    print_result,
    print_verdict,
    working,
)

Command = TypeVar("Command", bound=Callable[..., Any])
FOUND, EXHAUSTED, BUDGET_REACHED = 1, 0, 3


@click.group()
def theorem() -> None:
    """Statements that run: check them, or hunt for counterexamples.

    ID is an id of `exactrelu theorem list`.
    """


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


FAMILY_OPTIONS = (
    click.option("--widths", required=True, metavar="d,h,…,k", help="The widths of the layers, such as 2,3,1."),
    click.option("--entries", metavar="x,y,…", help="All networks with parameters among these: --entries=-1,0,1."),
    click.option("--denominators", type=int, metavar="q", help="… or among all fractions in [-1,1] up to this one."),
    click.option("--random", "seed", type=int, metavar="SEED", help="Random networks, by this seed."),
    click.option("--count", type=int, help="The number of random networks (default: no end)."),
    click.option("--skips", is_flag=True, help="Every layer reads all earlier ones."),
    click.option("--no-biases", is_flag=True, help="No layer has biases."),
    click.option("--strata", metavar="NAME,…", help="Only, or for random networks half, in these degenerate strata."),
)
PLACE_OPTIONS = (
    click.option("--workers", type=click.IntRange(min=1), help="Processes (default: all cores with --out, else 1)."),
    click.option("--backend", type=click.Choice(["joblib", "dask"]), default="joblib", help="Where the work is done."),
    click.option("--scheduler", metavar="ADDR", help="The address of the Dask scheduler."),
)


def options(several: tuple[Callable[[Command], Command], ...]) -> Callable[[Command], Command]:
    """Several options as one decorator, in their order."""

    def decorate(command: Command) -> Command:
        for option in reversed(several):
            command = option(command)
        return command

    return decorate


@theorem.command()
@click.argument("id", shell_complete=ids)
@options(FAMILY_OPTIONS)
@domain_option
@drop_option
@budget_option("instances")
@options(PLACE_OPTIONS)
@click.option(
    "--out",
    metavar="DB",
    shell_complete=files,
    help="Check the whole family, into an SQLite file for `theorem report`.",
)
@click.option("--resume", is_flag=True, help="Go on with the unfinished sweep in the file.")
@json_option
def hunt(
    id: str,
    drop: tuple[str, ...],
    domain: str | None,
    budget: int | None,
    out: str | None,
    resume: bool,
    workers: int | None,
    backend: str,
    scheduler: str | None,
    as_json: bool,
    **members: Any,
) -> int:
    """Look for a counterexample in a family of networks, and shrink it.

    Without --out the search ends at the first one; without --domain bounded domains are tried too, where the
    statement asks for one. Exit codes: 1 a counterexample, 0 there is none in the family, 3 budget reached.

    Example: exactrelu theorem hunt shallow_local --drop kinked --widths 1,1,1 --entries=-1,0,1
    """
    if resume and out is None:
        raise click.UsageError("--resume goes with --out")
    statement, searched = chosen(id, drop), chosen_family(**members)
    if workers is None and out is None and backend == "joblib":
        workers = 1
    with progress_line() as progress:
        report = sweep(
            statement,
            searched,
            out,
            domain=chosen_domain(domain),
            seed=members["seed"] or 0,
            budget=budget,
            resume=resume,
            workers=workers,
            backend=backend,
            scheduler=scheduler,
            until_failure=out is None,
            progress=progress,
        )
    return print_hunt(statement, report, domain is not None, as_json)


def chosen_family(
    widths: str,
    entries: str | None,
    denominators: int | None,
    seed: int | None,
    count: int | None,
    skips: bool,
    no_biases: bool,
    strata: str | None,
) -> NetworkFamily:
    """The family that the options name."""
    if not re.fullmatch(r"\s*\d{1,3}(\s*,\s*\d{1,3})*\s*", widths, re.ASCII):
        raise click.UsageError(f"--widths must be integers below 1000 such as 2,3,1; got {shorten(widths)}")
    return family(
        [int(width) for width in widths.split(",")],
        entries=None if entries is None else listed(entries),
        denominators=denominators,
        random=seed,
        count=count,
        skips=skips,
        biases=not no_biases,
        strata=() if strata is None else listed(strata),
    )


def listed(text: str) -> list[str]:
    """The entries of a list that is separated by commas."""
    return [entry.strip() for entry in text.split(",")]


@contextlib.contextmanager
def progress_line() -> Iterator[Callable[[Progress], None] | None]:
    """A line on standard error that says how far a sweep is, on a terminal only."""
    if not sys.stderr.isatty():
        yield None
        return
    width = 0

    def show_line(moment: Progress) -> None:
        nonlocal width
        line = moment.explain()
        click.echo("\r" + line.ljust(width), nl=False, err=True)
        width = len(line)

    try:
        yield show_line
    finally:
        click.echo("\r" + " " * width + "\r", nl=False, err=True)


def print_hunt(statement: Theorem, report: SweepReport, keep_domain: bool, as_json: bool) -> int:
    """The end of a hunt: a small counterexample, or how far it came without one."""
    found = report.counterexample
    code = FOUND if found is not None else EXHAUSTED if report.exhausted else BUDGET_REACHED
    outcome = {FOUND: "counterexample", EXHAUSTED: "exhausted", BUDGET_REACHED: "budget reached"}[code]
    data: dict[str, Any] = {"theorem": statement.id, "outcome": outcome, "counterexample": None, "verdict": None}
    lines = [report.explain()]
    if found is None:
        how = "the family is exhausted" if report.exhausted else "the budget is reached"
        lines.append(f"{how} without a counterexample")
    else:
        with working("shrinking the counterexample"):
            small = shrink(statement, found, budget=SHRINKING, keep_domain=keep_domain)
        verdict: Verdict = statement.check(small)
        data |= {"counterexample": small.to_json(), "verdict": verdict.to_json()}
        lines += [f"shrunk to:{small.explain()}", verdict.explain(), json.dumps(small.to_json())]
    print_result("\n".join(lines), {**data, "report": report.to_json()}, as_json)
    return code


@theorem.command("report")
@click.argument("db", shell_complete=files)
@click.option(
    "--csv", "table", metavar="OUT", shell_complete=files, help="Write the table as CSV (- for standard output)."
)
@click.option("--plot", metavar="OUT", shell_complete=files, help="Draw the table to an .svg or .png file.")
@json_option
def report_command(db: str, table: str | None, plot: str | None, as_json: bool) -> int:
    """The result of a sweep, stratum by stratum.

    Also while the sweep is running. Applicable are the instances that meet the hypotheses and were decided.

    Example: exactrelu theorem report sweep.db --plot sweep.svg
    """
    if table == "-" and as_json:
        raise click.UsageError("--csv - excludes --json")
    if plot is not None:
        check_picture_name(plot)
    found = sweep_report(db)
    if plot is not None:
        from ..show.sweeps import sweep_picture

        save_picture(sweep_picture(found), plot)
    if table is not None:
        write_text(table, found.csv())
    if table != "-":
        print_result(found.explain(), found.to_json(), as_json)
    return 0
