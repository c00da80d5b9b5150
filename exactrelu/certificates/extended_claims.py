"""The claims that only the extended checker knows (``docs/certificates.md``, section 6), by their ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from ..errors import InvalidInput
from ..networks import Network
from ..polyhedra import Domain, as_domain
from ..symmetries import is_null_net, path_between
from ..symmetries.irreducible import irreducible as decide_irreducible
from ..symmetries.orbit import MovePath
from ..verdicts import Status
from . import notation
from .certificate import Certificate
from .equality import equality
from .hypothesis_claims import decided, evidence_of
from .making import checked, holding, made, one, pair, untrue
from .symmetry_claims import modification_evidence


def hypothesis(
    network: Network, predicate: str, domain: Domain | str | None = None, budget: int | None = None
) -> Certificate:
    """A hypothesis of a theorem, by its name in :mod:`exactrelu.hypotheses`, holds or fails."""
    where = as_domain(domain, network.input_dim)
    verdict = decided(network, where, predicate, budget)
    fields = {**one(network, where), "predicate": predicate, "status": verdict.status.value}
    evidence = evidence_of(network, where, predicate, verdict, budget)
    return checked(made("hypothesis", fields, evidence), "the cells do not decide this case")


def irreducible(network: Network) -> Certificate:
    """No affine symmetry removes a neuron of a network, or some does."""
    status = decide_irreducible(network).status
    return made("irreducible", {"network": notation.network(network, analytic=True), "status": status.value})


def null_net(network: Network) -> Certificate:
    """A network is irreducible and realizes 0, or it is reducible, or has a constant neuron."""
    verdict = is_null_net(network)
    nothing = verdict.subject.arguments["other"] if verdict.subject else None
    fields = {"network": notation.network(network, analytic=True), "status": verdict.status.value}
    if verdict.status is Status.HOLDS and nothing is not None:
        return made("null_net", fields, {"equality": equality(network, nothing, as_domain(None, network.input_dim))})
    if verdict.status is not Status.FAILS:
        raise untrue(f"the verdict is: {verdict.status.value}")
    if all(item.status is Status.HOLDS for item in verdict.conditions if item.id != "realizes_zero"):
        raise InvalidInput(
            "claim", "must be different_function, with the network 0, where a network does not realize 0"
        )
    return made("null_net", fields)


def symmetry_path(network: Network, other: Network, path: MovePath | None = None) -> Certificate:
    """Affine symmetries lead from one network to another, up to permutation, scaling and idle neurons."""
    found = holding(path_between(network, other)).evidence if path is None else path
    steps = []
    for move in found.moves:
        net = move.source
        for modification in move.modifications:
            before, after, evidence = modification_evidence(net, modification)
            steps.append({**pair(before, after), "evidence": evidence})
            net = after
    return made("symmetry_path", pair(network, other), {"steps": steps})


def all_of(certificates: Sequence[Certificate]) -> Certificate:
    """Several claims at once."""
    if not certificates:
        raise InvalidInput("certificates", "must be at least one", certificates)
    claims = [dict(certificate.claim) for certificate in certificates]
    return made("all_of", {"claims": claims}, {"parts": [dict(certificate.evidence) for certificate in certificates]})


EXTENDED: Final[Mapping[str, Callable[..., Certificate]]] = {
    "hypothesis": hypothesis,
    "irreducible": irreducible,
    "null_net": null_net,
    "symmetry_path": symmetry_path,
    "all_of": all_of,
}
"""The claims by their ids."""
