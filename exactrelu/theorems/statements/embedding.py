r"""Statements about the embedding :math:`\Phi`: L1, L2, S1 to S4."""

from __future__ import annotations

from ...networks import Network
from ...paths import admissible, path_embedding
from ...verdicts import Status, Verdict
from ..predicates import Predicate
from ..theorem import Standing, Theorem

STOCK_GRIBONVAL = "Stock and Gribonval, arXiv:2107.09370"

ADMISSIBLE = Predicate.of(
    admissible, meaning="every hidden neuron has a nonzero incoming weight or bias and a nonzero outgoing weight"
)


def rank_by_elimination(network: Network) -> Verdict:
    r""":math:`\operatorname{rank}D\Phi(\theta)=D-h`, by elimination of the whole Jacobian."""
    from ...rationals import rank

    embedding = path_embedding(network)
    expected = len(network.parameters) - len(network.hidden_neurons)
    found = rank(embedding.jacobian())
    status = Status.HOLDS if found == expected else Status.FAILS
    return Verdict(f"rank {found}, parameters minus hidden neurons {expected}", status)


STATEMENTS = (
    Theorem(
        id="embedding_rank_is_parameters_minus_hidden",
        title="the embedding has rank D - h at admissible parameters",
        statement=r"If $\theta$ is admissible, then $\operatorname{rank}D\Phi(\theta)=D-h$.",
        source=STOCK_GRIBONVAL,
        hypotheses=[ADMISSIBLE],
        conclusion=Predicate.of(rank_by_elimination),
        standing=Standing.PROVED,
    ),
)
