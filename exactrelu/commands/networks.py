"""Commands about one network, two networks, and their files."""

from __future__ import annotations

from typing import Any

import click

from ..demo import lesson
from ..formats import load_report, network_text, save
from ..formats.files import STANDARD, write_text
from ..identifiability import analyze as analyze_network
from ..paths import embedding_rank, path_embedding
from ..rationals import text
from ..symmetries import compare_networks
from .certificates import certificate_option, write_certificate
from .common import EXIT_CODE, budget_option, chosen_domain, domain_option, json_option, print_result


@click.command()
@json_option
def demo(as_json: bool) -> int:
    """A lesson on the hat function and one deep network; needs no file."""
    text_of_lesson = lesson()
    print_result(text_of_lesson, {"lesson": text_of_lesson.splitlines()}, as_json)
    return 0


@click.command()
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


@click.command()
@click.argument("net")
@click.option("--latex", is_flag=True, help="Print the vector of formulas as LaTeX.")
@budget_option("paths (default 1000000)")
@certificate_option
@json_option
def phi(net: str, latex: bool, budget: int | None, certificate: str | None, as_json: bool) -> int:
    """The embedding: every path with its formula and value, and the rank of its derivative.

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
    width = max((len(formula) for _, formula, _ in rows), default=0)
    lines = [f"{formula:<{width}} = {text(value)}" for _, formula, value in rows]
    print_result("\n".join([*lines, f"rank of D Phi: {rank}"]), data, as_json)
    return 0


@click.command()
@click.argument("a")
@click.argument("b")
@domain_option
@certificate_option
@json_option
def compare(a: str, b: str, domain: str | None, certificate: str | None, as_json: bool) -> int:
    """Whether two networks are equivalent, and whether they are the same function.

    The exit code follows the last question. Example: exactrelu compare a.json b.json
    """
    if a == b == STANDARD:
        raise click.UsageError("standard input can be read only once")
    comparison = compare_networks(load_report(a).network, load_report(b).network, chosen_domain(domain))
    print_result(comparison.explain(), comparison.to_json(), as_json)
    write_certificate(certificate, comparison.same_function)
    return EXIT_CODE[comparison.same_function.status]


@click.command()
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
