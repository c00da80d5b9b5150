"""Everything that is decided about one network, in one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from ..equality import minimal_width, why_not_shallow
from ..errors import BudgetExceeded, ExactReluError, HypothesisNotMet, InvalidDomain, InvalidInput, Undecided
from ..networks import Network
from ..paths import admissible, count_paths, embedding_rank
from ..polyhedra import Domain, as_domain
from ..regions import RegionComplex
from ..verdicts import Status, Verdict, brief, plain
from .deep.deep_local import listed_regions, verdict_beyond_budget, verdict_on_regions
from .jacobians.functional_dimension import functional_dimension_of
from .local import locally_identifiable
from .shallow.shallow_global import globally_identifiable

MOST_JACOBIAN: Final = 10_000_000
"""The largest product of regions and parameters for which sample Jacobians are ranked."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """The facts about a network; a field is ``None`` where ``reasons`` says why."""

    widths: tuple[int, ...]
    parameters: int
    hidden_neurons: int
    admissible: Verdict
    paths: int
    embedding_rank: int
    regions: int | None
    adjacencies: int | None
    functional_dimension: int | None
    minimal_width: int | None
    locally_identifiable: Verdict
    globally_identifiable: Verdict
    reasons: tuple[tuple[str, str], ...]

    def to_json(self) -> dict[str, Any]:
        """The facts as JSON data; counts are integers."""
        return {name: plain(getattr(self, name)) for name in self.__slots__ if name != "reasons"}

    def explain(self) -> str:
        """The facts as text, one per line, with reasons where there are none."""
        reasons = dict(self.reasons)
        lines = []
        for name in self.__slots__[:-1]:
            value = getattr(self, name)
            if isinstance(value, Verdict):
                shown = value.status.value
            elif isinstance(value, tuple):
                shown = "-".join(map(str, value))
            else:
                shown = "-" if value is None else brief(value)
            if name == "embedding_rank":
                shown += self._rank_remark()
            elif name in reasons:
                shown += f" ({reasons[name]})"
            lines.append(f"{name.replace('_', ' '):<22} {shown}")
            if name == "admissible" and value.status is not Status.HOLDS:
                lines += [f"{'':<22}   {condition.explain()}" for condition in value.conditions if condition.detail]
        return "\n".join(lines)

    def _rank_remark(self) -> str:
        if self.embedding_rank == self.parameters - self.hidden_neurons:
            return f" = {self.parameters} parameters - {self.hidden_neurons} hidden neurons"
        return f" < {self.parameters} parameters - {self.hidden_neurons} hidden neurons"


def analyze(net: Network, domain: Domain | str | None = None, *, budget: int | None = None) -> Analysis:
    """All facts about a network on ``domain`` that this version decides; ``budget`` as for each of them.

    >>> analyze(Network.mlp([[[1]], [[1]]], [[0], [0]])).minimal_width
    1
    """
    domain = as_domain(domain, net.input_dim)
    reasons: dict[str, str] = {}
    found = _regions(net, domain, budget)
    complex = found if isinstance(found, RegionComplex) else None
    if isinstance(found, ExactReluError):
        reason = found.rule if isinstance(found, InvalidInput) else str(found)
        reasons |= dict.fromkeys(("regions", "adjacencies", "functional_dimension"), reason)
    dimension = None if complex is None else _functional_dimension(complex, reasons)
    width = _minimal_width(net, domain, budget, reasons)
    deep = why_not_shallow(net) is not None and net.is_standard
    if deep and isinstance(found, BudgetExceeded):
        local = verdict_beyond_budget(net, domain, found)
    else:
        local = verdict_on_regions(complex) if complex and deep else locally_identifiable(net, domain, budget=budget)
    local = local.about("locally_identifiable", network=net, domain=domain)
    everywhere = globally_identifiable(net, domain, budget=budget)
    for name, verdict in (("locally_identifiable", local), ("globally_identifiable", everywhere)):
        telling = [c.detail for c in verdict.conditions if c.status is not Status.HOLDS and c.detail]
        if telling:
            reasons[name] = telling[-1] if deep else telling[0]  # deformations come after ranks
    return Analysis(
        widths=net.widths,
        parameters=len(net.parameters),
        hidden_neurons=len(net.hidden_neurons),
        admissible=admissible(net),
        paths=count_paths(net),
        embedding_rank=embedding_rank(net),
        regions=None if complex is None else len(complex),
        adjacencies=None if complex is None else len(complex.facets),
        functional_dimension=dimension,
        minimal_width=width,
        locally_identifiable=local,
        globally_identifiable=everywhere,
        reasons=tuple(reasons.items()),
    )


def _regions(net: Network, domain: Domain, budget: int | None) -> RegionComplex | ExactReluError:
    """All regions, or what forbids to list them."""
    try:
        return listed_regions(net, domain, budget)
    except (HypothesisNotMet, InvalidDomain, BudgetExceeded) as error:
        return error


def _functional_dimension(complex: RegionComplex, reasons: dict[str, str]) -> int | None:
    regions, parameters = len(complex), len(complex.network.parameters)
    if regions * parameters > MOST_JACOBIAN:
        reasons["functional_dimension"] = (
            f"{regions} regions times {parameters} parameters are too many for this summary"
        )
        return None
    try:
        return functional_dimension_of(complex)
    except HypothesisNotMet as error:
        reasons["functional_dimension"] = error.rule
        return None


def _minimal_width(net: Network, domain: Domain, budget: int | None, reasons: dict[str, str]) -> int | None:
    try:
        return minimal_width(net, domain, budget=budget)
    except (HypothesisNotMet, InvalidDomain) as error:
        reasons["minimal_width"] = error.rule
    except (Undecided, BudgetExceeded) as error:
        reasons["minimal_width"] = str(error)
    return None
