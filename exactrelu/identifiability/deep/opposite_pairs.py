r"""Opposite pairs: neurons :math:`u,v` of which always exactly one is active, with :math:`z_v=-rz_u`.

Where the changes of the two agree in what they do to a child, the child
receives an affine form. Its own parameters may take it up, or other pairs. This
is how functional dimension is lost at antiparallel pairs
(``antiparallel_pairs_lose_dimension``, F3).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from ...rationals import kernel
from ...verdicts import Neuron
from .activity import Activity, Source
from .directions import Candidate, Entries, Kind, plus, times

ONE = Fraction(1)


def opposite_pairs(activity: Activity) -> Iterator[Candidate]:
    """Proposals from every opposite pair, and from all pairs of a layer together."""
    for layer in range(1, activity.net.depth):
        pairs = list(_pairs_of(activity, layer))
        for pair in pairs:
            yield from _released(activity, [pair])
        if len(pairs) > 1:
            yield from _released(activity, pairs)


def _pairs_of(activity: Activity, layer: int) -> Iterator[tuple[Neuron, Neuron]]:
    """Neurons of a layer of which always exactly one is active, with opposite pre-activations."""
    neurons = [neuron for neuron in activity.net.hidden_neurons if neuron[0] == layer and activity.on[neuron]]
    by_mask: dict[int, list[Neuron]] = {}
    for neuron in neurons:
        by_mask.setdefault(activity.on[neuron], []).append(neuron)
    for u in neurons:
        for v in by_mask.get(activity.everywhere & ~activity.on[u], []):
            if u < v and activity.proportion(v, u, activity.everywhere) is not None:
                yield u, v


def _released(activity: Activity, pairs: Sequence[tuple[Neuron, Neuron]]) -> Iterator[Candidate]:
    r"""Changes of opposite pairs that reach every child as an affine form, and vanish there.

    Unknown are the changes :math:`\delta` of all parameters at the neurons of the
    pairs, and of those that lead from the same sources to their children. For a
    pair :math:`(u,v)`, a child :math:`c` and a source :math:`s`,

    .. math:: w_{uc}\delta_{su}+w_{su}\delta_{uc}=w_{vc}\delta_{sv}+w_{sv}\delta_{vc},

    so that :math:`c` receives the same form on both sides; these forms and
    :math:`\delta_{sc}` must sum to 0 over the pairs.
    """
    neurons = [neuron for pair in pairs for neuron in pair]
    sources: list[Source] = list(dict.fromkeys(s for u in neurons for s in activity.incoming[u]))
    equations: list[Entries] = []
    for child in activity.children(neurons):
        for source in sources:
            total: Entries = {}
            for u, v in pairs:
                up, down = _received(activity, source, u, child), _received(activity, source, v, child)
                equations.append(plus(up, times(down, -ONE)))
                total = plus(total, up)
            if source in activity.incoming[child]:
                total = plus(total, {activity.incoming[child][source]: ONE})
            equations.append(total)
    unknown = sorted({k for equation in equations for k in equation})
    rows = [[equation.get(k, Fraction(0)) for k in unknown] for equation in equations if equation]
    for solution in kernel(rows, len(unknown)):
        entries = {k: entry for k, entry in zip(unknown, solution, strict=True) if entry}
        moved = [pair for pair in pairs if any(_touches(activity, neuron, entries) for neuron in pair)]
        shown = "; ".join(f"{u} and {v}" for u, v in moved)
        text = f"neurons {shown} are opposite: together they pass on an affine form, which their children take up"
        yield Candidate(Kind.OPPOSITE_PAIRS, tuple(neuron for pair in moved for neuron in pair), text, entries)


def _received(activity: Activity, source: Source, neuron: Neuron, child: Neuron) -> Entries:
    """The coefficient of a source in what a child receives from an active neuron, as a form in the changes."""
    found: dict[int, Fraction] = {}
    if source in activity.incoming[neuron] and activity.weight(neuron, child):
        found[activity.incoming[neuron][source]] = activity.weight(neuron, child)
    if child in activity.outgoing[neuron] and activity.weight(source, neuron):
        found[activity.outgoing[neuron][child]] = activity.weight(source, neuron)
    return found


def _touches(activity: Activity, neuron: Neuron, entries: Iterable[int]) -> bool:
    places = set(entries)
    return not places.isdisjoint([*activity.incoming[neuron].values(), *activity.outgoing[neuron].values()])
