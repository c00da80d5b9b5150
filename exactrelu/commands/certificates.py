"""The command that checks certificates, and the option that writes them."""

from __future__ import annotations

import gzip
from typing import Any

import click

from .. import extended_checker
from ..certificates import certify
from ..certificates.ranks import invertible
from ..files import STANDARD, read_bytes
from ..formats import load_report
from ..networks.json import network_from_json
from ..rationals.strict_json import parse
from ..verdicts import Status, Verdict
from .common import Command, files, json_option, print_result

REJECTED = 1


def certificate_option(command: Command) -> Command:
    """The option that names the certificate to be written."""
    text = "Write a certificate of the answer to a .json or .json.gz file; `exactrelu check` verifies it."
    return click.option("--certificate", metavar="OUT", shell_complete=files, help=text)(command)


def write_certificate(target: str | None, subject: Verdict | str, **arguments: Any) -> None:
    """Certify an answer, if somebody asked for it and there is one."""
    if target is None or (isinstance(subject, Verdict) and subject.status not in (Status.HOLDS, Status.FAILS)):
        return
    if target == STANDARD:
        raise click.UsageError("--certificate must name a file, since the answer itself goes to standard output")
    certify(subject, **arguments).save(target)


@click.command()
@click.argument("cert", shell_complete=files)
@click.option(
    "--network",
    "net",
    metavar="NET",
    shell_complete=files,
    help="Insist that the certificate is about this network, exactly.",
)
@click.option("--engine", type=click.Choice(["python", "flint"]), default="python", help="flint: large minors too.")
@json_option
def check(cert: str, net: str | None, engine: str, as_json: bool) -> int:
    """Verify a certificate with the independent checker.

    It trusts nothing of this package. Exit codes: 0 valid, 1 rejected, 2 unreadable, 3 too large.

    Example: exactrelu check c.json --network net.json
    """
    content, name = read_bytes(cert)
    code, answer = extended_checker.check(content, invertible if engine == "flint" else None)
    if code == 0 and net is not None and not about(content, name, net):
        code, answer = REJECTED, f"REJECTED: $.claim.network: must be the network in {net}"
    print_result(answer, {"valid": code == 0, "answer": answer}, as_json)
    return code


def about(content: bytes, name: str, net: str) -> bool:
    """Whether the network of a certificate is that of a file: the same architecture and the same numbers."""
    data = parse(gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content, name)
    embedded = data["claim"].get("network")
    return embedded is not None and network_from_json(embedded, name) == load_report(net).network
