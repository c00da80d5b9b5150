"""What a sweep is about: a statement, a family of networks, a domain, a seed, and the version of this package.

Everything that decides the table of a sweep is in its specification, so two
sweeps with the same specification have the same table, apart from seconds.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from ...polyhedra import Domain
from ...polyhedra.json import domain_to_json
from ..families import NetworkFamily
from ..registry import registered_theorems
from ..registry import theorem as registered
from ..theorem import Theorem

PACKAGE: Final = __name__.partition(".")[0]
"""The top of the package, whose version is asked for at run time: imports go down only."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A registered statement by its id and the hypotheses that it goes without."""

    id: str
    dropped: tuple[str, ...] = ()

    def resolve(self) -> Theorem:
        """The statement."""
        found = registered(self.id)
        return found.without(*self.dropped) if self.dropped else found


def reference(theorem: Theorem) -> Reference | Theorem:
    """How a worker gets hold of a statement: by id if it is registered, itself if somebody has written it.

    >>> thm = registered("embedding_rank_is_parameters_minus_hidden")
    >>> reference(thm.without("admissible"))
    Reference(id='embedding_rank_is_parameters_minus_hidden', dropped=('admissible',))
    """
    for base in registered_theorems():
        if theorem.id == base.id or theorem.id.startswith(f"{base.id}_without_"):
            kept = {hypothesis.name for hypothesis in theorem.hypotheses}
            found = Reference(base.id, tuple(item.name for item in base.hypotheses if item.name not in kept))
            known = found.resolve()
            if (known.hypotheses, known.conclusion) == (theorem.hypotheses, theorem.conclusion):
                return found
    return theorem


def specification(theorem: Theorem, family: NetworkFamily, domain: Domain | None, seed: int) -> dict[str, Any]:
    """The specification of a sweep as JSON data; ``dropped`` is in the order of the hypotheses."""
    known = reference(theorem)
    data = {
        "theorem": known.id,
        "dropped": list(known.dropped) if isinstance(known, Reference) else [],
        "hypotheses": [hypothesis.name for hypothesis in theorem.hypotheses],
        "conclusion": theorem.conclusion.name,
        "family": family.to_json(),
        "domain": None if domain is None else domain_to_json(domain),
        "seed": seed,
        "version": str(import_module(PACKAGE).__version__),
    }
    return dict(json.loads(json.dumps(data)))
