"""The commands that search: hunt for a counterexample in a family of networks, and report what a sweep has found."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import click

from ..errors import shorten
from ..files import write_text
from ..show import check_picture_name
from ..show import save as save_picture
from ..theorems import Theorem
from ..theorems.families import NetworkFamily, family
from ..theorems.hunting import SHRINKING
from ..theorems.shrinking import shrink
from ..theorems.sweep import Progress, SweepReport, sweep, sweep_report
from ..verdicts import Verdict
from .common import (
    Command,
    budget_option,
    chosen_domain,
    domain_option,
    files,
    json_option,
    live_line,
    print_result,
    working,
)
from .statements import chosen, drop_option, ids

FOUND, EXHAUSTED, BUDGET_REACHED = 1, 0, 3

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


@click.command()
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
    with live_line(Progress.explain) as progress:
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


@click.command("report")
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
