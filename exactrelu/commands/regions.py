"""The command about linear regions."""

from __future__ import annotations

from typing import Any

import click

from ..equality import form_text
from ..errors import BudgetExceeded
from ..formats import load_report
from ..formats.graphs import check_graph_name, save_graph
from ..networks import Network
from ..polyhedra import Domain
from ..regions import (
    ActivationRegion,
    activation_regions,
    count_regions,
    region_blocks,
    region_bounds,
    region_counts,
)
from ..show import check_picture_name, picture
from ..show import save as save_picture
from ..verdicts import plain
from .certificates import certificate_option, write_certificate
from .common import budget_option, chosen_domain, domain_option, files, json_option, live_line, print_result, working
from .tables import columns, facts


@click.command()
@click.argument("net", shell_complete=files)
@domain_option
@budget_option("regions")
@click.option("--count-only", is_flag=True, help="Print the number of regions alone, in bounded memory.")
@click.option("--all-counts", is_flag=True, help="Also print the counts R1 to R6 and the known bounds.")
@click.option(
    "--graph", metavar="FILE", shell_complete=files, help="Write the adjacency graph to a .graphml or .json file."
)
@click.option(
    "--plot", metavar="FILE", shell_complete=files, help="Draw a picture of the regions to an .svg or .png file."
)
@certificate_option
@json_option
def regions(
    net: str,
    domain: str | None,
    budget: int | None,
    count_only: bool,
    all_counts: bool,
    graph: str | None,
    plot: str | None,
    certificate: str | None,
    as_json: bool,
) -> int:
    """Every full-dimensional activation region, at any depth.

    With its pattern, the affine map that the network is there, and whether it is bounded.

    Example: exactrelu regions net.json --domain "[-1,1]^2" --all-counts
    """
    if count_only and (all_counts or graph):
        raise click.UsageError("--count-only excludes --all-counts and --graph")
    if graph is not None:
        check_graph_name(graph)
    if plot is not None:
        check_picture_name(plot)
    network, where = load_report(net).network, chosen_domain(domain)
    write_certificate(certificate, "regions_complete", network=network, domain=where, budget=budget)
    if plot is not None:
        with working("drawing"):
            save_picture(picture(network, where, budget=budget), plot)
    if count_only:
        count = counted(network, where, budget)
        print_result(str(count), {"count": count}, as_json)
        return 0
    with working("enumerating regions"):
        complex = activation_regions(network, where, budget=budget)
    if graph is not None:
        save_graph(complex.graph(), graph)
    data: dict[str, Any] = {"count": len(complex), "counts": None}
    faces = f", f-vector {complex.f_vector}" if complex.has_faces else ""
    lines = [f"{len(complex)} regions, {len(complex.facets)} adjacencies{faces}"]
    if all_counts:
        counts = region_counts(complex)
        data["counts"] = {**plain(counts), **region_bounds(complex)}
        lines += facts((name, "-" if value is None else value) for name, value in data["counts"].items())
    if as_json:
        data["regions"] = [region_data(region) for region in complex]
        data["adjacencies"] = [plain(adjacency) for adjacency in complex.adjacencies()]
    else:
        lines += columns(region_row(region) for region in complex)
    print_result("\n".join(lines), data, as_json)
    return 0


def counted(network: Network, domain: Domain | None, budget: int | None) -> int:
    """The number of regions, with progress on a terminal."""
    with live_line("{} regions so far".format) as show:
        if show is None:
            return count_regions(network, domain, budget=budget)
        total = 0
        for block in region_blocks(network, domain):
            total += len(block)
            show(total)
            if budget is not None and total > budget:
                raise BudgetExceeded("regions", budget, total)
        return total


def region_data(region: ActivationRegion) -> dict[str, Any]:
    """One region as JSON data."""
    matrix, offset = region.affine_map
    point = plain(region.interior_point)
    data = {"pattern": str(region.pattern), "interior_point": point, "matrix": plain(matrix), "offset": plain(offset)}
    return {**data, "bounded": region.bounded}


def region_row(region: ActivationRegion) -> tuple[str, str, str]:
    """One region as a row of text: its pattern, its affine map, and whether it is bounded."""
    matrix, offset = region.affine_map
    maps = ", ".join(form_text((*row, constant)) for row, constant in zip(matrix, offset, strict=True))
    return str(region.pattern), maps, "(bounded)" if region.bounded else "(unbounded)"
