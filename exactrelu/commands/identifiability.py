"""Commands about recovering parameters from functions."""

from __future__ import annotations

from typing import Any

import click

from ..errors import InvalidInput
from ..files import STANDARD
from ..formats import load_report
from ..formats.samples import load_samples
from ..identifiability import (
    explain_kernel,
    finite_sample_exists,
    globally_identifiable,
    locally_identifiable,
    locally_identifiable_from_samples,
    recover_network,
)
from ..paths import embedding_rank
from ..verdicts import plain
from .certificates import certificate_option, write_certificate
from .common import (
    budget_option,
    chosen_domain,
    domain_option,
    files,
    json_option,
    live_line,
    print_result,
    print_verdict,
    working,
)
from .tables import facts


@click.command()
@click.argument("net", shell_complete=files)
@click.option(
    "--scope",
    type=click.Choice(["local", "global", "finite-sample"]),
    help="Identifiable among nearby parameters, among all, or from some finite sample (default: global).",
)
@domain_option
@click.option(
    "--samples",
    metavar="FILE",
    shell_complete=files,
    help="Identifiable, among nearby parameters, from the points of a file.",
)
@budget_option("subsets (8388608) or regions (20000) that a search may list")
@certificate_option
@json_option
def identify(
    net: str,
    scope: str | None,
    domain: str | None,
    samples: str | None,
    budget: int | None,
    certificate: str | None,
    as_json: bool,
) -> int:
    """Whether the parameters can be recovered from the function.

    That is up to permuting and rescaling hidden neurons. The exit code is the answer: 0 holds, 1 fails,
    3 unknown, 4 inapplicable.

    Example: exactrelu identify hat.json --scope global --domain "[-2,2]"
    """
    if samples is not None:
        return identify_from_samples(net, scope, domain, samples, certificate, as_json)
    network, where = load_report(net).network, chosen_domain(domain)
    if scope == "local":
        with working("enumerating regions"):
            verdict = locally_identifiable(network, where, budget=budget)
    elif scope == "finite-sample":
        verdict = finite_sample_exists(network, where)
    else:
        verdict = globally_identifiable(network, where, budget=budget)
    code = print_verdict(verdict, as_json)
    write_certificate(certificate, verdict)
    return code


def identify_from_samples(
    net: str, scope: str | None, domain: str | None, samples: str, certificate: str | None, as_json: bool
) -> int:
    """Local identifiability from the points of a file, which must lie in the domain if one is given."""
    if scope not in (None, "local"):
        raise click.UsageError("--samples goes with --scope local")
    if net == samples == STANDARD:
        raise click.UsageError("standard input can be read only once")
    network, points, where = load_report(net).network, load_samples(samples), chosen_domain(domain)
    if where is not None:
        for i, point in enumerate(points):
            if not where.contains(point):
                raise InvalidInput(f"{samples}: points[{i}]", "must lie in the domain", point)
    with live_line("{} samples read, rank {}".format) as progress:
        verdict = locally_identifiable_from_samples(network, points, progress=progress)
    code = print_verdict(verdict, as_json)
    write_certificate(certificate, verdict)
    return code


@click.command()
@click.argument("net", shell_complete=files)
@domain_option
@budget_option("regions")
@certificate_option
@json_option
def dimension(net: str, domain: str | None, budget: int | None, certificate: str | None, as_json: bool) -> int:
    """The functional dimension, and why it falls short.

    With a reason for every direction of parameters that changes no value to first order.

    Example: exactrelu dimension net.json --domain "[-1,1]^2"
    """
    network, where = load_report(net).network, chosen_domain(domain)
    with working("ranking sample Jacobians over all regions"):
        kernel = explain_kernel(network, where, budget=budget)
    write_certificate(certificate, "functional_dimension", network=network, domain=where, budget=budget)
    data: dict[str, Any] = {
        "functional_dimension": kernel.rank,
        "parameters": kernel.parameters,
        "hidden_neurons": len(network.hidden_neurons),
        "embedding_rank": embedding_rank(network),
        "kernel": [
            {"direction": plain(dict(direction.entries)), "explanation": f"[{direction.kind.value}] {direction.text}"}
            for direction in kernel.directions
        ],
    }
    kinds = ", ".join(f"{n} {kind}" for kind, n in kernel.counts.items()) or "0"
    lines = facts([*((name, data[name]) for name in list(data)[:4]), ("kernel", kinds)])
    print_result("\n".join([*lines, *(f"  {direction.explain()}" for direction in kernel.directions)]), data, as_json)
    return 0


@click.command()
@click.argument("net", shell_complete=files)
@click.option("--max-width", type=click.IntRange(min=0), help="The largest number of hidden neurons to look for.")
@click.option("--max-denominator", type=click.IntRange(min=1), help="The largest integer in an equation of a kink.")
@budget_option("queries, subsets or networks")
@json_option
def recover(net: str, max_width: int | None, max_denominator: int | None, budget: int | None, as_json: bool) -> int:
    """All shallow networks of least width with the same function.

    They are found from values of the function alone: the network is used as a black box.

    Example: exactrelu recover hat.json
    """
    network = load_report(net).network
    with working("asking for values"):
        found = recover_network(network, max_width=max_width, max_denominator=max_denominator, budget=budget)
    data = {"networks": plain(found.networks), "queries": found.queries, "status": found.status.value}
    if found.family is not None:
        data["family"] = plain(found.family)
    print_result(found.explain(), data, as_json)
    return 0
