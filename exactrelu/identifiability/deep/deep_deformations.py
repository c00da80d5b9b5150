r"""Lines of parameters along which a network of any depth stays the same function, with proofs.

A :class:`Motion` is a direction :math:`\delta` with a step :math:`T>0` such that
all :math:`\theta+t\delta`, :math:`0\le t\le T`, are the same function on the
domain. Four reasons are known; in the first two only the parameters decide.

* *Unheard*: nonzero weights lead from :math:`v` to no output. Whatever enters
  :math:`v` may change.
* *Cancelling pair*: :math:`z_v=-rz_u` and :math:`w_{uc}+rw_{vc}=0` for all children.
  As :math:`\sigma(z)-\sigma(-z)=z`, the pair is linear, and its children take
  up any change of :math:`z_u`.
* *Kept values*: the parameters into :math:`c` change by :math:`\delta`, and with
  them :math:`z_c` by :math:`t\kappa`, :math:`\kappa=\sum_u\delta_{uc}u`. The value of
  :math:`c` stays if :math:`\kappa=0` on the regions where :math:`c` is on, and
  :math:`z_c+T\kappa\le0` on the others.
* *Absorbed change*: :math:`z_v` changes by :math:`t\eta`, the parameters into a child
  :math:`c` by :math:`t\tau_c`, and the values of all children stay.

The inequalities are decided region by region, by exact linear programs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ...networks import Network
from ...paths.reachability import fed_and_heard
from ...rationals import Vector, kernel
from ...regions import RegionComplex
from ...verdicts import Neuron
from .activity import Activity
from .directions import Entries, Rescalings, mixed, times
from .region_forms import Cell, largest_step

ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class Motion:
    r"""The direction ``entries`` (by position of the parameter), its largest step :math:`T\le1`, and the reason."""

    entries: Entries
    step: Fraction
    neurons: tuple[Neuron, ...]
    text: str

    def end(self, net: Network) -> Network:
        r"""The network :math:`\theta+T\delta`."""
        moved = [p.value + self.step * self.entries.get(k, ZERO) for k, p in enumerate(net.parameters)]
        return net.with_values(moved)


def structural_motions(activity: Activity) -> Iterator[Motion]:
    """Motions that keep the function on all of space, whatever the regions are."""
    _, heard = fed_and_heard(activity.net, [bool(value) for value in activity.values])
    for neuron in activity.net.hidden_neurons:
        if neuron not in heard:
            for place in activity.incoming[neuron].values():
                text = f"no nonzero weights lead from neuron {neuron} to an output: it may compute anything"
                yield Motion({place: ONE}, ONE, (neuron,), text)
    yield from _cancelling_pairs(activity)


def _cancelling_pairs(activity: Activity) -> Iterator[Motion]:
    """Opposite neurons whose outputs cancel; they are found by the directions of their incoming parameters."""
    known: dict[tuple[object, ...], list[Neuron]] = {}
    scales: dict[Neuron, Fraction] = {}
    for v in activity.net.hidden_neurons:
        row = {source: activity.values[k] for source, k in activity.incoming[v].items()}
        scales[v] = abs(next((value for value in row.values() if value), ONE))
        key, opposite = (
            (v[0], *((source, sign * value / scales[v]) for source, value in row.items())) for sign in (ONE, -ONE)
        )
        known.setdefault(key, []).append(v)
        if any(row.values()):
            for u in known.get(opposite, []):
                yield from _cancelling(activity, u, v, -scales[v] / scales[u])


def _cancelling(activity: Activity, u: Neuron, v: Neuron, factor: Fraction) -> Iterator[Motion]:
    children = {**activity.outgoing[u], **activity.outgoing[v]}
    if any(activity.weight(u, c) != factor * activity.weight(v, c) for c in children):
        return
    for source, place in activity.incoming[u].items():
        taken = _taken(activity, source, u)
        if taken is not None:
            text = f"neurons {u} and {v} are opposite and cancel to a linear map, which their children take up"
            yield Motion({place: ONE, activity.incoming[v][source]: factor, **taken}, ONE, (u, v), text)


def _taken(activity: Activity, source: Neuron | None, neuron: Neuron) -> Entries | None:
    """What the children change to undo one unit of a source, passed on by a linear neuron; ``None`` without edges."""
    found: dict[int, Fraction] = {}
    for child, place in activity.outgoing[neuron].items():
        if activity.values[place]:
            if source not in activity.incoming[child]:
                return None
            found[activity.incoming[child][source]] = -activity.values[place]
    return found


def motions(activity: Activity, complex: RegionComplex, rescalings: Rescalings) -> Iterator[Motion]:
    """Motions that keep the function on the domain of a complex, whose patterns are those of ``activity``."""
    yield from _never_together(activity)
    cells = [Cell(region) for region in complex]
    yield from _kept_values(activity, cells, rescalings)
    for entries, neuron, taken, text in _absorptions(activity):
        both = {**entries, **taken}
        if rescalings.contain(both):
            continue
        for sign in (ONE, -ONE):
            change, relief = times(entries, sign), times(taken, sign)
            step = min_step(absorbed_step(activity, cell, neuron, change, relief) for cell in cells)
            if step:
                yield Motion({**change, **relief}, step, (neuron,), text)


def _never_together(activity: Activity) -> Iterator[Motion]:
    """The weight between hidden neurons that are never on together may fall: the second one stays off."""
    for neuron in activity.net.hidden_neurons:
        for target, place in activity.outgoing[neuron].items():
            if target in activity.on and not activity.on[neuron] & activity.on[target]:
                text = f"neurons {neuron} and {target} are never on together: the weight between them may fall"
                yield Motion({place: -ONE}, ONE, (neuron, target), text)


def _kept_values(activity: Activity, cells: Sequence[Cell], rescalings: Rescalings) -> Iterator[Motion]:
    for neuron, sources in activity.incoming.items():
        rows = {
            tuple(cell.value(source)[j] for source in sources)
            for cell in cells
            if cell.must_keep(neuron)
            for j in range(activity.net.input_dim + 1)
        }
        for solution in kernel([row for row in rows if any(row)], len(sources)):
            direction = {k: entry for k, entry in zip(sources.values(), solution, strict=True) if entry}
            if rescalings.contain(direction):
                continue
            for sign in (ONE, -ONE):
                entries = times(direction, sign)
                step = min_step(_kept_step(activity, cell, neuron, entries) for cell in cells)
                if step:
                    senders = tuple(s for s, k in sources.items() if k in entries and s is not None and s[0])
                    hidden = (neuron,) if neuron[0] < activity.net.depth else ()
                    yield Motion(entries, step, senders + hidden, _why_kept(activity, neuron, entries, senders))


def _why_kept(activity: Activity, neuron: Neuron, entries: Entries, senders: Sequence[Neuron]) -> str:
    if activity.on.get(neuron) == 0:
        return f"neuron {neuron} is off on the whole domain, and stays off"
    if len(entries) == 1 and senders:
        if not activity.on[senders[0]]:
            return f"neuron {senders[0]} is off on the whole domain: its outgoing weights are free"
        return f"neurons {senders[0]} and {neuron} are never on together: the weight between them is free"
    if len(entries) == 2 and len(senders) == 2:
        first, second = senders
        return (
            f"neurons {first} and {second} are proportional where neuron {neuron} is on: output can move between them"
        )
    return f"what neuron {neuron} receives is linearly dependent where it is on: its weights can change"


def _kept_step(activity: Activity, cell: Cell, neuron: Neuron, entries: Entries) -> Fraction:
    change = cell.combination(activity, neuron, entries)
    return ONE if cell.must_keep(neuron) else largest_step(cell, cell.before(neuron), change)


def _absorptions(activity: Activity) -> Iterator[tuple[Entries, Neuron, Entries, str]]:
    """Changes of what enters a neuron, with those of its children; the patterns alone do not exclude them."""
    for neuron in activity.net.hidden_neurons:
        children = [c for c, k in activity.outgoing[neuron].items() if activity.values[k]]
        listening = [activity.on.get(c, activity.everywhere) for c in children]
        if not any(mask & activity.on[neuron] for mask in listening):
            text = f"nobody listens while neuron {neuron} is on, so that it may move"
            yield from (({place: ONE}, neuron, {}, text) for place in activity.incoming[neuron].values())
        if not any(mask & ~activity.on[neuron] for mask in listening):
            text = f"neuron {neuron} is on wherever its children are, and they take up what it changes"
            for source, place in activity.incoming[neuron].items():
                taken = _taken(activity, source, neuron)
                if taken is not None:
                    yield {place: ONE}, neuron, taken, text
        for other in activity.net.hidden_neurons:
            together = activity.on[neuron] ^ activity.on[other]
            if other[0] == neuron[0] and other != neuron and not any(mask & together for mask in listening):
                both = mixed(activity, neuron, other, children)
                if both is not None:
                    text = f"neurons {neuron} and {other} are on together wherever their children are"
                    yield both[0], neuron, both[1], text


def absorbed_step(activity: Activity, cell: Cell, neuron: Neuron, change: Entries, taken: Entries) -> Fraction:
    """The largest step, at most 1, up to which all children of a neuron keep their values on a cell."""
    moved = cell.combination(activity, neuron, change)
    step = ONE
    for child, place in activity.outgoing[neuron].items():
        relief = cell.combination(activity, child, taken)
        step = min(step, _child_step(cell, neuron, child, activity.values[place], moved, relief))
        if not step:
            break
    return step


def _child_step(cell: Cell, v: Neuron, c: Neuron, w: Fraction, moved: Vector, relief: Vector) -> Fraction:
    r"""The step for one child, whose pre-activation becomes
    :math:`z_c+w(\sigma(z_v+t\eta)-\sigma(z_v))+t\tau`.

    The ReLU is the larger one of 0 and :math:`z_v+t\eta`. So for :math:`w>0` both
    affine functions that arise must stay below 0, and for :math:`w<0` it is
    enough if one does.
    """
    before, value = cell.before(v), cell.value(v)
    if cell.must_keep(c):
        through = _sum(_scaled(w, moved), relief) if any(value) else relief
        if any(through):
            return ZERO
        if not w:
            return ONE
        side = -ONE if any(value) else ONE
        return largest_step(cell, _scaled(side, before), _scaled(side, moved))
    base = _sum(cell.before(c), _scaled(-w, value))
    if not w:
        return largest_step(cell, base, relief)
    steps = (
        largest_step(cell, base, relief),
        largest_step(cell, _sum(base, _scaled(w, before)), _sum(_scaled(w, moved), relief)),
    )
    return min(steps) if w > 0 else max(steps)


def min_step(steps: Iterable[Fraction]) -> Fraction:
    """The least of the steps, at most 1; the first 0 ends the search."""
    least = ONE
    for step in steps:
        least = min(least, step)
        if not least:
            break
    return least


def _scaled(factor: Fraction, form: Vector) -> Vector:
    return tuple(factor * entry for entry in form)


def _sum(left: Vector, right: Vector) -> Vector:
    return tuple(a + b for a, b in zip(left, right, strict=True))
