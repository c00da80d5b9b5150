"""Commands about recovering parameters from functions."""

from __future__ import annotations

import click

from ..formats import load_report
from ..identifiability import finite_sample_exists, globally_identifiable, locally_identifiable
from .common import budget_option, chosen_domain, domain_option, json_option, print_verdict


@click.command()
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
    return print_verdict(verdict, as_json)
