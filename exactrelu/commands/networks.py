"""Commands about one network, two networks, and their files."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

import click

from ..demo import lesson
from ..files import STANDARD, write_text
from ..formats import Import, load_report, save_report
from ..formats.rounding import PRECISIONS
from ..identifiability import analyze as analyze_network
from ..paths import embedding_rank, path_embedding
from ..rationals import text
from ..show.report import report_page
from ..symmetries import compare_networks
from .certificates import certificate_option, write_certificate
from .common import EXIT_CODE, budget_option, chosen_domain, domain_option, files, json_option, print_result, working
from .tables import columns, facts


@click.command()
@json_option
def demo(as_json: bool) -> int:
    """A lesson on the hat function and a deep network.

    It needs no file, and every number in it is computed as it is printed.

    Example: exactrelu demo
    """
    text_of_lesson = lesson()
    print_result(text_of_lesson, {"lesson": text_of_lesson.splitlines()}, as_json)
    return 0


@click.command()
@click.argument("net", shell_complete=files)
@domain_option
@click.option("--normalized", is_flag=True, help="Compose the means and ranges of an .nnet file into the network.")
@click.option(
    "--report",
    metavar="OUT",
    shell_complete=files,
    help="Also write a page with pictures to an .html file (-: the page alone).",
)
@budget_option("subsets (8388608) or regions (20000) that a search may list")
@json_option
def analyze(
    net: str, domain: str | None, normalized: bool, report: str | None, budget: int | None, as_json: bool
) -> int:
    """Everything that is decided about one network.

    Example: exactrelu analyze net.json --domain "[-1,1]^2" --report net.html
    """
    if report == STANDARD and as_json:
        raise click.UsageError("--json needs --report to be a file, since the page itself goes to standard output")
    found, where = load_report(net, normalized=normalized), chosen_domain(domain)
    with working("deciding"):
        analysis = analyze_network(found.network, where, budget=budget)
    if report is not None:
        with working("drawing"):
            page = report_page(
                found.network, where, name=title(net), notes=sources(found), analysis=analysis, budget=budget
            )
        write_text(report, page)
        if report == STANDARD:
            return 0
    lines = [analysis.explain(), *facts([("reading", found.reading)]), *(f"note: {note}" for note in found.notes)]
    print_result("\n".join(lines), {**analysis.to_json(), "reading": found.reading}, as_json)
    return 0


def title(net: str) -> str:
    """The name of a network on a page: that of its file, without folders."""
    return "standard input" if net == STANDARD else PurePath(net).name


def sources(found: Import) -> list[str]:
    """Where the numbers of a network come from, in sentences."""
    return [
        f"From a file in the format {found.format}; its numbers were read as {found.reading}.",
        *(f"Note: {note}." for note in found.notes),
    ]


@click.command()
@click.argument("net", shell_complete=files)
@click.option("--latex", is_flag=True, help="Print the vector of formulas as LaTeX.")
@budget_option("paths (default 1000000)")
@certificate_option
@json_option
def phi(net: str, latex: bool, budget: int | None, certificate: str | None, as_json: bool) -> int:
    """The embedding: every path with its formula and value.

    Also the rank of its derivative, the number of parameters that the embedding sees.

    Example: exactrelu phi net.json --latex
    """
    if latex and as_json:
        raise click.UsageError("--latex and --json exclude each other")
    network = load_report(net).network
    embedding = path_embedding(network, budget=budget)
    rank = embedding_rank(network)
    write_certificate(certificate, "embedding_rank", network=network)
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
    lines = columns([(formula, "=", text(value)) for _, formula, value in rows], gap=" ")
    print_result("\n".join([*lines, f"rank of D Phi: {rank}"]), data, as_json)
    return 0


@click.command()
@click.argument("a", shell_complete=files)
@click.argument("b", shell_complete=files)
@domain_option
@budget_option("regions (200000) of the difference")
@certificate_option
@json_option
def compare(a: str, b: str, domain: str | None, budget: int | None, certificate: str | None, as_json: bool) -> int:
    """Whether two networks are equivalent, or the same function.

    Equivalent: by rescaling hidden neurons, or by permuting them too. The exit code follows the last question.

    Example: exactrelu compare a.json b.json
    """
    if a == b == STANDARD:
        raise click.UsageError("standard input can be read only once")
    networks = load_report(a).network, load_report(b).network
    comparison = compare_networks(*networks, chosen_domain(domain), budget=budget)
    print_result(comparison.explain(), comparison.to_json(), as_json)
    write_certificate(certificate, comparison.same_function)
    return EXIT_CODE[comparison.same_function.status]


@click.command()
@click.argument("source", metavar="IN", shell_complete=files)
@click.argument("target", metavar="OUT", shell_complete=files)
@click.option("--reading", type=click.Choice(["dyadic", "decimal"]), help="How to read inexact numbers.")
@click.option("--normalized", is_flag=True, help="Compose the means and ranges of an .nnet file into the network.")
@click.option("--activation", help="The activation of the hidden layers in a file of arrays (default: relu).")
@click.option("--precision", type=click.Choice(PRECISIONS), help="The floats to write (default: as short as is exact).")
@json_option
def convert(
    source: str, target: str, reading: Any, normalized: bool, activation: str | None, precision: Any, as_json: bool
) -> int:
    """Write a network file in another format, by the suffix of OUT.

    Exact: .json (or - for standard output), .tex (formulas), .graphml (the graph of neurons).
    In floats, with a report of what was rounded: .onnx, .npz, .safetensors.

    Example: exactrelu convert net.nnet net.json --normalized
    """
    if target == STANDARD and as_json:
        raise click.UsageError("--json needs OUT to be a file, since the network itself goes to standard output")
    found = load_report(source, reading=reading, normalized=normalized, activation=activation)
    export = save_report(found.network, target, precision=precision)
    if target == STANDARD:
        return 0
    widths = list(found.network.widths)
    rounding = None if export.rounding is None else export.rounding.to_json()
    data = {"output": target, "format": found.format, "reading": found.reading, "widths": widths, "notes": found.notes}
    lines = [f"{target}: widths {'-'.join(map(str, widths))}, numbers read as {found.reading}"]
    lines += [f"note: {note}" for note in found.notes] + [f"written as {export.explain()}"]
    written = {"format": export.format, "rounding": rounding, "notes": export.notes}
    print_result("\n".join(lines), {**data, "written": written}, as_json)
    return 0
