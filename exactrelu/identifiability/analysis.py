"""Everything that is decided about one network, in one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..networks import Network
from ..paths import admissible, count_paths, embedding_rank
from ..verdicts import Status, Verdict, plain

NOT_YET = "not decided by this version"


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
            shown = value.status.value if isinstance(value, Verdict) else str(value)
            if name == "widths":
                shown = "-".join(map(str, self.widths))
            elif name == "embedding_rank":
                shown += self._rank_remark()
            elif value is None:
                shown = f"- ({reasons[name]})"
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


def analyze(net: Network) -> Analysis:
    """All facts about a network that this version decides.

    >>> analyze(Network.mlp([[[1]], [[1]]])).embedding_rank
    1
    """
    undecided = ("regions", "adjacencies", "functional_dimension", "minimal_width")
    reasons = dict.fromkeys((*undecided, "locally_identifiable", "globally_identifiable"), NOT_YET)
    return Analysis(
        widths=net.widths,
        parameters=len(net.parameters),
        hidden_neurons=len(net.hidden_neurons),
        admissible=admissible(net),
        paths=count_paths(net),
        embedding_rank=embedding_rank(net),
        regions=None,
        adjacencies=None,
        functional_dimension=None,
        minimal_width=None,
        locally_identifiable=Verdict("locally identifiable", Status.UNKNOWN),
        globally_identifiable=Verdict("globally identifiable", Status.UNKNOWN),
        reasons=tuple(reasons.items()),
    )
