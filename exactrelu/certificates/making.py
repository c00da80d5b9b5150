"""What all claims have in common: the fields that they are about, and refusals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import InvalidInput, Undecided
from ..networks import Network
from ..polyhedra import Domain
from ..rationals import Vector
from ..verdicts import Status, Verdict
from . import notation
from .certificate import Certificate, Rejected


def one(network: Network, where: Domain) -> dict[str, Any]:
    """The fields of a claim about a network on a domain."""
    return {"network": notation.network(network), "domain": notation.domain(where)}


def sampled(network: Network, points: Sequence[Vector]) -> dict[str, Any]:
    """The fields of a claim about a network and samples."""
    return {"network": notation.network(network), "samples": notation.matrix(points)}


def pair(network: Network, other: Network, where: Domain | None = None, *, analytic: bool = True) -> dict[str, Any]:
    """The fields of a claim about two networks, on a domain if one is given."""
    written = (notation.network(net, analytic=analytic) for net in (network, other))
    pair: dict[str, Any] = dict(zip(("network", "other"), written, strict=True))
    return pair if where is None else {**pair, "domain": notation.domain(where)}


def made(claim: str, fields: Mapping[str, Any], evidence: Mapping[str, Any] | None = None) -> Certificate:
    """The certificate of a claim."""
    return Certificate({"id": claim, **fields}, dict(evidence or {}))


def checked(
    certificate: Certificate, why: str = "the networks cannot be told apart by the invariants of certificates"
) -> Certificate:
    """The certificate if it decides the case, which only the checker computes."""
    try:
        certificate.check()
    except Rejected as error:
        raise Undecided(f"{why}: {error}") from None
    return certificate


def holding(verdict: Verdict) -> Verdict:
    """The verdict, if it holds."""
    if verdict.status is not Status.HOLDS:
        raise untrue(f"the verdict is: {verdict.explain()}")
    return verdict


def untrue(detail: str) -> InvalidInput:
    """The refusal of a claim that is not true."""
    return InvalidInput("claim", f"must be true to be certified, but {detail}")
