"""The command about affine symmetries of activations."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import click

from ..errors import InvalidInput
from ..formats import load_report
from ..networks import Network
from ..rationals import rational
from ..rationals.strict_json import parse
from ..symmetries import AffineSymmetry, affine_symmetries, drop_invisible, is_affine_symmetry
from ..symmetries.irreducible import applied, elimination
from ..verdicts import Neuron, Verdict, plain
from .certificates import certificate_option, write_certificate
from .common import budget_option, files, json_option, print_result


@click.command()
@click.argument("rho")
@click.option("--atoms", required=True, metavar='"β,γ;β,γ;…"', help="The terms ρ(βt+γ) that may occur.")
@click.option("--network", "net", metavar="NET", shell_complete=files, help="A network; needs --neuron.")
@click.option("--neuron", metavar="l,i", help="Take a hidden neuron out of the network by a symmetry: layer, index.")
@budget_option("partial supports of minimal symmetries (default 100000)")
@certificate_option
@json_option
def symmetries(
    rho: str,
    atoms: str,
    net: str | None,
    neuron: str | None,
    budget: int | None,
    certificate: str | None,
    as_json: bool,
) -> int:
    """All relations between terms ρ(βt+γ) of an activation.

    RHO is a name such as relu, abs, hard_tanh or tanh, or a function given as JSON.

    Example: exactrelu symmetries relu --atoms "1,0;-1,0;1,-1;-1,1"
    """
    if (net is None) != (neuron is None):
        raise click.UsageError("--network and --neuron go together")
    function: object = parse(rho, "RHO") if rho.lstrip().startswith("{") else rho
    space = affine_symmetries(function, pairs(atoms))
    minimal = space.minimal(budget=budget)
    if certificate is not None:
        write_certificate(certificate, first_symmetry(function, minimal))
    data: dict[str, Any] = {"basis": plain(space.basis), "minimal": plain(minimal)}
    lines = [f"dimension {space.dimension}", *(f"  {item.explain()}" for item in space.basis)]
    lines += ["minimal symmetries", *(f"  {item.kind}: {item.explain()}" for item in minimal)]
    if net is not None and neuron is not None:
        found = replacements(load_report(net).network, hidden(neuron), minimal)
        data["networks"] = [{"symmetry": plain(item), "network": plain(made)} for item, made in found]
        lines.append(f"networks with the same function, without neuron {hidden(neuron)}")
        lines += [f"  by {item.explain()}:{made.explain()}" for item, made in found] or ["  none"]
    print_result("\n".join(lines), data, as_json)
    return 0


def first_symmetry(rho: object, minimal: tuple[AffineSymmetry, ...]) -> Verdict:
    """The first minimal symmetry as a verdict; a certificate is about one."""
    if not minimal:
        raise click.UsageError("--certificate needs a symmetry, and there is none among these atoms")
    found = minimal[0]
    return is_affine_symmetry(rho, found.coefficients, found.atoms, found.constant)


def pairs(text: str) -> list[list[str]]:
    """The atoms that a text lists."""
    found = [[entry.strip() for entry in pair.split(",")] for pair in text.split(";") if pair.strip()]
    if any(len(pair) != 2 for pair in found):
        raise click.UsageError(f'--atoms must list pairs such as "1,0;-1,0"; got {text!r}')
    for i, pair in enumerate(found):
        for number in pair:
            rational(number, f"--atoms, pair {i}")
    return found


def hidden(text: str) -> Neuron:
    """The neuron that a text names."""
    if not re.fullmatch(r"\s*\d{1,9}\s*,\s*\d{1,9}\s*", text, re.ASCII):
        raise click.UsageError(f'--neuron must be a layer and an index such as "1,0"; got {text!r}')
    layer, index = map(int, text.split(","))
    return layer, index


def replacements(
    net: Network, neuron: Neuron, minimal: tuple[AffineSymmetry, ...]
) -> list[tuple[AffineSymmetry, Network]]:
    """For every minimal symmetry with the neuron itself, t, as a term: the network without it."""
    if neuron not in net.hidden_neurons:
        raise InvalidInput("--neuron", "must name a hidden neuron of the network", neuron)
    itself = Fraction(1), Fraction(0)
    return [
        (symmetry, drop_invisible(applied(net, elimination(net, neuron, symmetry, itself), new_biases=True)))
        for symmetry in minimal
        if itself in symmetry.support
    ]
