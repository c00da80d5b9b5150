"""The command line: files in, answers on standard output, and an exit code.

Exit codes: 0 holds or success, 1 fails, 2 usage or unreadable input, 3 unknown
or budget reached, 4 inapplicable, 70 internal error, 130 interrupted.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

import click

from . import __version__
from .demo import lesson
from .equality import form_text
from .errors import BudgetExceeded, ExactReluError, HypothesisNotMet, Undecided
from .formats import load_domain, load_report, network_text, save
from .formats.files import STANDARD, reason, write_text
from .formats.graphs import check_graph_name, save_graph
from .identifiability import analyze as analyze_network
from .identifiability import finite_sample_exists, globally_identifiable, locally_identifiable
from .networks import Network
from .paths import embedding_rank, path_embedding
from .polyhedra import Domain
from .rationals import text
from .regions import (
    ActivationRegion,
    activation_regions,
    count_regions,
    region_blocks,
    region_bounds,
    region_counts,
)
from .symmetries import compare_networks
from .verdicts import Status, plain

EXIT_CODE: Final = {Status.HOLDS: 0, Status.FAILS: 1, Status.UNKNOWN: 3, Status.INAPPLICABLE: 4}
USAGE, UNKNOWN, INAPPLICABLE, INTERNAL, INTERRUPTED = 2, 3, 4, 70, 130

Command = TypeVar("Command", bound=Callable[..., Any])


def json_option(command: Command) -> Command:
    """The option that every command has."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON; rationals are strings.")(command)


def domain_option(command: Command) -> Command:
    """The option that names the domain of a question."""
    text = "The domain: text such as '[-1,1]^2', 'RxR', or a JSON file (default: all of R^d)."
    return click.option("--domain", help=text)(command)


def budget_option(unit: str) -> Callable[[Command], Command]:
    """The option that bounds the work of a command, counted in ``unit``."""
    return click.option("--budget", type=click.IntRange(min=0), help=f"The largest number of {unit}.")


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="exactrelu")
def cli() -> None:
    """Exact verification of the identifiability of ReLU networks.

    NET is a network file (.json or .nnet), or - for standard input.
    """


@cli.command()
@json_option
def demo(as_json: bool) -> int:
    """A lesson on the hat function and one deep network; needs no file."""
    text_of_lesson = lesson()
    print_result(text_of_lesson, {"lesson": text_of_lesson.splitlines()}, as_json)
    return 0


@cli.command()
@click.argument("net")
@domain_option
@click.option("--normalized", is_flag=True, help="Compose the means and ranges of an .nnet file into the network.")
@json_option
def analyze(net: str, domain: str | None, normalized: bool, as_json: bool) -> int:
    """Everything that is decided about one network.

    Example: exactrelu analyze net.json --domain "[-1,1]^2"
    """
    found = load_report(net, normalized=normalized)
    analysis = analyze_network(found.network, chosen_domain(domain))
    lines = [analysis.explain(), f"{'reading':<22} {found.reading}", *(f"note: {note}" for note in found.notes)]
    print_result("\n".join(lines), {**analysis.to_json(), "reading": found.reading}, as_json)
    return 0


@cli.command()
@click.argument("net")
@click.option("--latex", is_flag=True, help="Print the vector of formulas as LaTeX.")
@budget_option("paths (default 1000000)")
@json_option
def phi(net: str, latex: bool, budget: int | None, as_json: bool) -> int:
    """The embedding: every path with its formula and value, and the rank of its derivative.

    Example: exactrelu phi net.json --latex
    """
    if latex and as_json:
        raise click.UsageError("--latex and --json exclude each other")
    network = load_report(net).network
    embedding = path_embedding(network, budget=budget)
    rank = embedding_rank(network)
    if latex:
        click.echo(embedding.latex())
        return 0
    rows = list(zip(embedding.paths, embedding.formulas(), embedding.vector, strict=True))
    data: dict[str, Any] = {
        "paths": [
            {"neurons": [list(neuron) for neuron in path.neurons], "value": text(value), "formula": formula}
            for path, formula, value in rows
        ],
        "rank": rank,
    }
    width = max((len(formula) for _, formula, _ in rows), default=0)
    lines = [f"{formula:<{width}} = {text(value)}" for _, formula, value in rows]
    print_result("\n".join([*lines, f"rank of D Phi: {rank}"]), data, as_json)
    return 0


@cli.command()
@click.argument("a")
@click.argument("b")
@domain_option
@json_option
def compare(a: str, b: str, domain: str | None, as_json: bool) -> int:
    """Whether two networks are equivalent, and whether they are the same function.

    The exit code follows the last question. Example: exactrelu compare a.json b.json
    """
    if a == b == STANDARD:
        raise click.UsageError("standard input can be read only once")
    comparison = compare_networks(load_report(a).network, load_report(b).network, chosen_domain(domain))
    print_result(comparison.explain(), comparison.to_json(), as_json)
    return EXIT_CODE[comparison.same_function.status]


@cli.command()
@click.argument("net")
@click.option(
    "--scope",
    type=click.Choice(["local", "global", "finite-sample"]),
    default="global",
    show_default=True,
    help="Identifiable among nearby parameters, among all, or from a finite sample.",
)
@domain_option
@budget_option("subsets that a search may list (default 8388608)")
@json_option
def identify(net: str, scope: str, domain: str | None, budget: int | None, as_json: bool) -> int:
    """Whether the parameters can be recovered from the function, up to permutation and scaling.

    Example: exactrelu identify hat.json --scope global --domain "[-2,2]"
    """
    network, where = load_report(net).network, chosen_domain(domain)
    if scope == "local":
        verdict = locally_identifiable(network, where)
    elif scope == "finite-sample":
        verdict = finite_sample_exists(network, where)
    else:
        verdict = globally_identifiable(network, where, budget=budget)
    print_result(verdict.explain(), verdict.to_json(), as_json)
    return EXIT_CODE[verdict.status]


@cli.command()
@click.argument("net")
@domain_option
@budget_option("regions")
@click.option("--count-only", is_flag=True, help="Print the number of regions alone, in bounded memory.")
@click.option("--all-counts", is_flag=True, help="Also print the counts R1 to R6 and the known bounds.")
@click.option("--graph", metavar="FILE", help="Write the adjacency graph to a .graphml or .json file.")
@json_option
def regions(
    net: str,
    domain: str | None,
    budget: int | None,
    count_only: bool,
    all_counts: bool,
    graph: str | None,
    as_json: bool,
) -> int:
    """Every full-dimensional activation region, exactly, at any depth.

    Example: exactrelu regions net.json --domain "[-1,1]^2" --all-counts
    """
    if count_only and (all_counts or graph):
        raise click.UsageError("--count-only excludes --all-counts and --graph")
    if graph is not None:
        check_graph_name(graph)
    network, where = load_report(net).network, chosen_domain(domain)
    if count_only:
        count = counted(network, where, budget)
        print_result(str(count), {"count": count}, as_json)
        return 0
    with working("enumerating regions"):
        complex = activation_regions(network, where, budget=budget)
    if graph is not None:
        save_graph(complex.graph(), graph)
    data: dict[str, Any] = {"count": len(complex), "counts": None}
    lines = [f"{len(complex)} regions, {len(complex.facets)} adjacencies, f-vector {complex.f_vector}"]
    if all_counts:
        counts = region_counts(complex)
        data["counts"] = {**plain(counts), **region_bounds(complex)}
        lines += [f"{name:<10} {'-' if value is None else value}" for name, value in data["counts"].items()]
    if as_json:
        data["regions"] = [region_data(region) for region in complex]
        data["adjacencies"] = [plain(adjacency) for adjacency in complex.adjacencies()]
    else:
        lines += [region_line(region) for region in complex]
    print_result("\n".join(lines), data, as_json)
    return 0


@cli.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--reading", type=click.Choice(["dyadic", "decimal"]), help="How to read inexact numbers.")
@click.option("--normalized", is_flag=True, help="Compose the means and ranges of an .nnet file into the network.")
@json_option
def convert(source: str, target: str, reading: Any, normalized: bool, as_json: bool) -> int:
    """Read a network file and write it as exact JSON (OUT ends in .json, or is -).

    Example: exactrelu convert net.nnet net.json --normalized
    """
    if target == STANDARD and as_json:
        raise click.UsageError("--json needs OUT to be a file, since the network itself goes to standard output")
    found = load_report(source, reading=reading, normalized=normalized)
    if target == STANDARD:
        write_text(target, network_text(found.network))
        return 0
    save(found.network, target)
    widths = list(found.network.widths)
    data = {"output": target, "format": found.format, "reading": found.reading, "widths": widths, "notes": found.notes}
    lines = [f"{target}: widths {'-'.join(map(str, widths))}, numbers read as {found.reading}"]
    print_result("\n".join(lines + [f"note: {note}" for note in found.notes]), data, as_json)
    return 0


def chosen_domain(value: str | None) -> Domain | None:
    """The domain that an option names, if it was given."""
    return None if value is None else load_domain(value)


def counted(network: Network, domain: Domain | None, budget: int | None) -> int:
    """The number of regions, with progress on a terminal."""
    if not sys.stderr.isatty():
        return count_regions(network, domain, budget=budget)
    total = 0
    try:
        for block in region_blocks(network, domain):
            total += len(block)
            click.echo(f"\r{total} regions so far", nl=False, err=True)
            if budget is not None and total > budget:
                raise BudgetExceeded("regions", budget, total)
    finally:
        click.echo("\r" + " " * 40 + "\r", nl=False, err=True)
    return total


def working(what: str) -> contextlib.AbstractContextManager[object]:
    """A spinner on standard error while something takes long, on a terminal only."""
    if not sys.stderr.isatty():
        return contextlib.nullcontext()
    from rich.console import Console

    return Console(stderr=True).status(what)


def region_data(region: ActivationRegion) -> dict[str, Any]:
    """One region as JSON data."""
    matrix, offset = region.affine_map
    point = plain(region.interior_point)
    data = {"pattern": str(region.pattern), "interior_point": point, "matrix": plain(matrix), "offset": plain(offset)}
    return {**data, "bounded": region.bounded}


def region_line(region: ActivationRegion) -> str:
    """One region as a line of text: its pattern, its affine map, and whether it is bounded."""
    matrix, offset = region.affine_map
    maps = ", ".join(form_text((*row, constant)) for row, constant in zip(matrix, offset, strict=True))
    return f"{region.pattern}  {maps}  ({'bounded' if region.bounded else 'unbounded'})"


def print_result(shown: str, data: Any, as_json: bool) -> None:
    """Text for people, or one JSON document for programs."""
    click.echo(json.dumps(data, indent=1, ensure_ascii=False) if as_json else shown)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; every error becomes one line."""
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)  # counts may be longer than CPython prints by default
    try:
        with cli.make_context("exactrelu", list(sys.argv[1:] if arguments is None else arguments)) as context:
            code = cli.invoke(context)
        output: Any = sys.stdout  # None when the process was started without one
        if output is not None:
            output.flush()
        return int(code or 0)
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return USAGE
    except (BudgetExceeded, Undecided) as error:
        return complain(str(error), UNKNOWN)
    except HypothesisNotMet as error:
        return complain(str(error), INAPPLICABLE)
    except ExactReluError as error:
        return complain(str(error), USAGE)
    except click.ClickException as error:
        return complain(error.format_message(), USAGE)
    except (click.Abort, KeyboardInterrupt):
        return complain("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # The reader has seen enough; keep the interpreter from flushing into the closed pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return complain(f"standard output: must be writable: {reason(error)}", USAGE)
    except MemoryError:
        return complain("out of memory", INTERNAL)
    except Exception as error:  # the promise of the command line: one line, never a traceback
        return complain(f"internal error, please report it: {type(error).__name__}: {error}", INTERNAL)
    finally:
        sys.set_int_max_str_digits(digits)


def complain(sentence: str, code: int) -> int:
    """One line on standard error, and the exit code."""
    click.echo(f"exactrelu: {' '.join(sentence.split())}", err=True)
    return code


def main() -> None:
    """The entry point of the command ``exactrelu``."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # not when the stream is closed
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run())


if __name__ == "__main__":
    main()
