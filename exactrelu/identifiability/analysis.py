"""Everything that is decided about one network, in one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from ..equality import minimal_width
from ..errors import BudgetExceeded, HypothesisNotMet, InvalidDomain, Undecided
from ..networks import Network
from ..paths import admissible, count_paths, embedding_rank
from ..polyhedra import Domain, as_domain
from ..regions import activation_regions
from ..verdicts import Status, Verdict, brief, plain
from .functional_dimension import functional_dimension_of
from .shallow_global import globally_identifiable
from .shallow_local import locally_identifiable

DEFAULT_REGIONS: Final = 20_000
"""The number of regions that are listed unless another budget is given."""
MOST_JACOBIAN: Final = 1_000_000
"""The largest product of regions and parameters for which sample Jacobians are ranked."""
MOST_NEURONS: Final = 2_000
"""The largest number of hidden neurons of a network whose regions are listed."""
MOST_INPUTS: Final = 6
"""The largest input dimension in which regions are listed by their vertices."""


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
    regions, adjacencies, dimension = _region_facts(net, domain, budget, reasons)
    width = _minimal_width(net, domain, budget, reasons)
    local = locally_identifiable(net, domain)
    everywhere = globally_identifiable(net, domain, budget=budget)
    for name, verdict in (("locally_identifiable", local), ("globally_identifiable", everywhere)):
        telling = [c.detail for c in verdict.conditions if c.status is not Status.HOLDS and c.detail]
        if telling:
            reasons[name] = telling[0]
    return Analysis(
        widths=net.widths,
        parameters=len(net.parameters),
        hidden_neurons=len(net.hidden_neurons),
        admissible=admissible(net),
        paths=count_paths(net),
        embedding_rank=embedding_rank(net),
        regions=regions,
        adjacencies=adjacencies,
        functional_dimension=dimension,
        minimal_width=width,
        locally_identifiable=local,
        globally_identifiable=everywhere,
        reasons=tuple(reasons.items()),
    )


def _region_facts(
    net: Network, domain: Domain, budget: int | None, reasons: dict[str, str]
) -> tuple[int | None, int | None, int | None]:
    """The numbers of regions and adjacencies and the functional dimension, or the reason why not."""
    try:
        if net.input_dim > MOST_INPUTS:
            raise BudgetExceeded("inputs", MOST_INPUTS, net.input_dim)
        if len(net.hidden_neurons) > MOST_NEURONS:
            raise BudgetExceeded("hidden neurons", MOST_NEURONS, len(net.hidden_neurons))
        complex = activation_regions(net, domain, budget=DEFAULT_REGIONS if budget is None else budget)
    except InvalidDomain as error:
        reason = error.rule
    except BudgetExceeded as error:
        reason = str(error)
    else:
        if len(complex) * len(net.parameters) > MOST_JACOBIAN:
            reasons["functional_dimension"] = (
                f"{len(complex)} regions times {len(net.parameters)} parameters are too many for this summary"
            )
            return len(complex), len(complex.facets), None
        return len(complex), len(complex.facets), functional_dimension_of(complex)
    reasons.update(dict.fromkeys(("regions", "adjacencies", "functional_dimension"), reason))
    return None, None, None


def _minimal_width(net: Network, domain: Domain, budget: int | None, reasons: dict[str, str]) -> int | None:
    try:
        return minimal_width(net, domain, budget=budget)
    except (HypothesisNotMet, InvalidDomain) as error:
        reasons["minimal_width"] = error.rule
    except (Undecided, BudgetExceeded) as error:
        reasons["minimal_width"] = str(error)
    return None
