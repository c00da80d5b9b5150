r"""Directions along which, for a reason that can be named, no value changes to first order.

Each reason is a one-parameter deformation of the network that keeps its
function, at least infinitesimally, and the directions are the velocities of
these deformations at :math:`\theta`. With :math:`z_v` the pre-activation and
:math:`w_{vc}` the outgoing weights of :math:`v`:

=====================  ==========================================================
``scaling``            :math:`v` is scaled up, its outgoing weights down
``dead_neuron``        nobody hears :math:`v`, or it is never active
``clones``             neurons active together with :math:`z_v=rz_u`, :math:`r>0`, share their work
``opposite_pairs``     neurons with :math:`z_v=-rz_u` pass an affine form on to their children
``invisible_weight``   one end of an edge is never active while the other is heard
``absorbed_bias``      :math:`v` is active wherever its children are: they take up its affine part
``dependent_values``   the values that a neuron receives are linearly dependent where it is heard
``dependent_effects``  the effects of the neurons that a neuron feeds are linearly dependent where it is active
=====================  ==========================================================

The formulas only propose: a direction counts after the sample Jacobians have
been multiplied with it (:mod:`.kernel_directions`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import chain, pairwise, permutations
from operator import or_

from ...rationals import integer_kernel, kernel
from ...verdicts import Neuron
from .activity import Activity, Source
from .directions import Candidate, Entries, Kind, mixed, plus, scaling
from .opposite_pairs import opposite_pairs

ONE = Fraction(1)


def candidates(activity: Activity) -> Iterator[Candidate]:
    """All proposals but the last kind, kind by kind; without patterns nothing but rescalings."""
    if not activity.everywhere:
        return _scalings(activity)
    reasons = (_scalings, _dead_neurons, _clones, opposite_pairs, _invisible_weights, _absorbed, _traded)
    return chain.from_iterable(reason(activity) for reason in reasons)


def _scalings(activity: Activity) -> Iterator[Candidate]:
    for neuron in activity.net.hidden_neurons:
        text = f"neuron {neuron} is scaled up and its outgoing weights are scaled down"
        yield Candidate(Kind.SCALING, (neuron,), text, scaling(activity, neuron))


def _dead_neurons(activity: Activity) -> Iterator[Candidate]:
    for neuron in activity.net.hidden_neurons:
        into, out = activity.incoming[neuron], activity.outgoing[neuron]
        if not activity.on[neuron]:
            text, places = f"neuron {neuron} is never active", [*into.values(), *out.values()]
        elif not any(activity.values[k] for k in out.values()):
            text, places = f"the outgoing weights of neuron {neuron} are all 0", [*into.values()]
        elif not activity.live(neuron):
            text, places = f"neuron {neuron} is not heard where it is active", [*into.values()]
        else:
            continue
        for place in places:
            yield Candidate(Kind.DEAD_NEURON, (neuron,), text, {place: ONE})


def _clones(activity: Activity) -> Iterator[Candidate]:
    for group, ratios in _clone_groups(activity):
        neurons = tuple(group)
        many = "neurons " + ", ".join(map(str, neurons))
        text = f"{many} are active together, with proportional values"
        for child in activity.children(group):
            sharing = [(u, r) for u, r in zip(group, ratios, strict=True) if child in activity.outgoing[u]]
            for (u, r), (v, s) in pairwise(sharing):
                entries = {activity.outgoing[u][child]: s, activity.outgoing[v][child]: -r}
                yield Candidate(Kind.CLONES, (u, v), f"{text}: output moves from one to another", entries)
        yield from _balanced(activity, group, Kind.CLONES, f"{text}, and their outgoing weights are dependent")


def _clone_groups(activity: Activity) -> Iterator[tuple[list[Neuron], list[Fraction]]]:
    """Neurons of one layer that are active together, with the ratios of their values to the first."""
    for mask, together in _by_activity(activity, activity.on):
        rest = together
        while rest:
            ratios = {v: activity.proportion(v, rest[0], mask) for v in rest}
            group = {v: r for v, r in ratios.items() if r is not None and r > 0}
            if len(group) > 1:
                yield list(group), list(group.values())
            rest = [v for v in rest[1:] if v not in group]  # an affine neuron may be 0, and in no group


def _by_activity(activity: Activity, masks: Mapping[Neuron, int]) -> list[tuple[int, list[Neuron]]]:
    """Two or more neurons of one layer with the same nonempty set of patterns, with that set."""
    groups: dict[tuple[int, int], list[Neuron]] = {}
    for neuron in activity.net.hidden_neurons:
        if masks[neuron]:
            groups.setdefault((neuron[0], masks[neuron]), []).append(neuron)
    return [(mask, group) for (_, mask), group in groups.items() if len(group) > 1]


def _balanced(activity: Activity, group: Sequence[Neuron], kind: Kind, text: str) -> Iterator[Candidate]:
    r"""Changes :math:`\alpha_u` of the weights from one source with :math:`\sum_u\alpha_uw_{uc}=0` for all children."""
    matrix = [[activity.weight(u, child) for u in group] for child in activity.children(group)]
    sources = dict.fromkeys(s for u in group for s in activity.incoming[u])
    for shares in kernel(matrix, len(group)):
        moved = {u: share for u, share in zip(group, shares, strict=True) if share}
        for source in sources:
            if all(source in activity.incoming[u] for u in moved):
                entries = {activity.incoming[u][source]: share for u, share in moved.items()}
                yield Candidate(kind, tuple(moved), text, entries)


def _invisible_weights(activity: Activity) -> Iterator[Candidate]:
    for k, parameter in enumerate(activity.net.parameters):
        source, target = parameter.source, parameter.target
        if source is None or activity.live(target) & activity.on.get(source, activity.everywhere):
            continue
        together = activity.on.get(source, activity.everywhere) & activity.on.get(target, activity.everywhere)
        what = f"neuron {target} is not heard" if together else f"neuron {target} is not active"
        neurons = (source, target) if source[0] else (target,)
        yield Candidate(Kind.INVISIBLE_WEIGHT, neurons, f"{what} while {source} is", {k: ONE})


def _absorbed(activity: Activity) -> Iterator[Candidate]:
    for neuron in activity.net.hidden_neurons:
        for source, place in activity.incoming[neuron].items():
            taken = _taken_up(activity, source, neuron)
            if taken is not None:
                what = "bias" if source is None else f"weight from {source}"
                text = f"neuron {neuron} is active wherever its children are heard: they take up its {what}"
                yield Candidate(Kind.ABSORBED_BIAS, (neuron,), text, plus({place: ONE}, taken))


def _taken_up(activity: Activity, source: Source, neuron: Neuron) -> Entries | None:
    """What the descendants of a neuron change when it receives one more unit of a source, and can undo it.

    A child without a parameter from that source hands the change on.
    """
    pending: Entries = {}
    arriving: dict[Neuron, Fraction] = {neuron: ONE}
    while arriving:
        here = min(arriving)
        amount = arriving.pop(here)
        for child in activity.children([here]):
            passed = amount * activity.weight(here, child)
            if source in activity.incoming[child]:
                pending = plus(pending, {activity.incoming[child][source]: -passed})
            elif passed and child[0] == activity.net.depth:
                return None
            elif passed:
                arriving[child] = arriving.get(child, Fraction(0)) + passed
    return pending


def _traded(activity: Activity) -> Iterator[Candidate]:
    """Neurons of a layer that are active together where anybody hears them act as linear neurons on each other."""
    for _, group in _by_activity(activity, {neuron: activity.live(neuron) for neuron in activity.net.hidden_neurons}):
        yield from _balanced(activity, group, Kind.ABSORBED_BIAS, _together(group))
    for layer in range(1, activity.net.depth):
        for u, v in permutations([neuron for neuron in activity.net.hidden_neurons if neuron[0] == layer], 2):
            listening = reduce(or_, map(activity.live, activity.children([u])), 0)
            if activity.live(u) and not (activity.on[u] ^ activity.on[v]) & listening:
                both = mixed(activity, u, v, [c for c in activity.children([u]) if activity.weight(u, c)])
                if both is not None:
                    yield Candidate(Kind.ABSORBED_BIAS, (u, v), _together((u, v)), {**both[0], **both[1]})


def _together(neurons: Sequence[Neuron]) -> str:
    shown = ", ".join(map(str, neurons))
    return f"neurons {shown} are active together where they are heard: one takes up affine parts of another"


def dependent_values(activity: Activity, rows: Sequence[Sequence[int]]) -> Iterator[Candidate]:
    r"""Changes :math:`\delta` of the parameters into one neuron with :math:`\sum_u\delta_{uv}u+\delta_{b_v}=0` where it
    is heard: the kernel of the sample Jacobians, spanned by ``rows``, in the columns of these parameters.
    """
    for neuron, sources in activity.incoming.items():
        places = list(sources.values())
        for solution in integer_kernel([[row[k] for k in places] for row in rows], len(places)):
            entries = {k: Fraction(entry) for k, entry in zip(places, solution, strict=True) if entry}
            senders = [s for s, k in sources.items() if k in entries and s is not None and s[0]]
            hidden = (*senders, *([neuron] if neuron[0] < activity.net.depth else []))
            text = f"the values that neuron {neuron} receives are linearly dependent where it is heard"
            yield Candidate(Kind.DEPENDENT_VALUES, hidden, text, entries)


def dependent_effects(activity: Activity, rows: Sequence[Sequence[int]]) -> Iterator[Candidate]:
    r"""Changes :math:`\delta` of the parameters out of one source :math:`u` with :math:`\sum_v\delta_{uv}s_v=0`
    where it is active; :math:`s_v` is the derivative of the outputs by :math:`z_v`. Found as :func:`dependent_values`.
    """
    biases = {target: sources[None] for target, sources in activity.incoming.items() if None in sources}
    for source, targets in [*activity.outgoing.items(), (None, biases)]:
        places = list(targets.values())
        for solution in integer_kernel([[row[k] for k in places] for row in rows], len(places)):
            entries = {k: Fraction(entry) for k, entry in zip(places, solution, strict=True) if entry}
            receivers = tuple(v for v, k in targets.items() if k in entries and v[0] < activity.net.depth)
            where = "everywhere" if source is None or not source[0] else f"where {source} is active"
            text = (
                f"the effects of neurons {', '.join(map(str, receivers))} on the outputs are linearly dependent {where}"
            )
            yield Candidate(Kind.DEPENDENT_EFFECTS, receivers, text, entries)
