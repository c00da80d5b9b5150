"""Evidence about hypotheses of theorems: face trees, and what shows that neurons stay off nearby, or do not.

The page ``docs/certificates.md``, section 6, says what is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, Final

from ..errors import InvalidInput
from ..identifiability import hypotheses
from ..identifiability.hypotheses.ranges import ends, without_biases
from ..networks import RELU, Network
from ..networks.evaluation import preactivations
from ..polyhedra import Domain, Optimal, maximise_rows
from ..rationals import Vector, common_denominator, scaled_integers
from ..regions import activation_regions
from ..verdicts import Neuron, Status, Verdict
from . import notation
from .faces import signs
from .readings import Reading
from .splitting import Leaf, Written, split

PREDICATES: Final[Mapping[str, Callable[..., Verdict]]] = {
    name: getattr(hypotheses, name) for name in hypotheses.__all__ if name != "irreducible"
}
"""The hypotheses with a claim of their own; ``irreducible`` is a claim about the least width."""
WITHOUT_DOMAIN: Final = ("generic", "no_clones", "full_row_rank")
"""The hypotheses on the weights."""


def decided(net: Network, domain: Domain, predicate: str, budget: int | None) -> Verdict:
    """What the package says about a hypothesis.

    Raises :class:`~exactrelu.errors.InvalidInput` if it neither holds nor fails, or is not known.
    """
    if predicate not in PREDICATES:
        raise InvalidInput("predicate", f"must be one of {', '.join(PREDICATES)}", predicate)
    decide = PREDICATES[predicate]
    if predicate == "generic":
        verdict = decide(net, budget=budget)
    else:
        verdict = decide(net) if predicate in WITHOUT_DOMAIN else decide(net, domain, budget=budget)
    if verdict.status not in (Status.HOLDS, Status.FAILS):
        raise InvalidInput("claim", f"must be true to be certified, but the verdict is: {verdict.status.value}")
    return verdict


def evidence_of(net: Network, domain: Domain, predicate: str, verdict: Verdict, budget: int | None) -> dict[str, Any]:
    """The evidence for the status of a hypothesis."""
    holds = verdict.status is Status.HOLDS
    if predicate in WITHOUT_DOMAIN:
        dependent = predicate == "generic" and not holds
        return {"neurons": [list(neuron) for neuron in verdict.evidence.neurons]} if dependent else {}
    if predicate != "no_stably_unactivated":
        return _faces(net, domain, budget)
    if holds:
        off = verdict.condition("off").neurons
        return {**_faces(net, domain, budget), "lifts": _lifts(net, domain, off)}
    return _stably_off(net, domain, verdict.condition("stably_unactivated").neurons, budget)


def _faces(
    net: Network, domain: Domain, budget: int | None, more: Callable[[Leaf], Mapping[str, Any]] | None = None
) -> dict[str, Any]:
    """The face tree; ``more`` is written with the points of regions."""
    reading = Reading.of(net)

    def leaf(found: Leaf) -> dict[str, Any]:
        forms, _ = reading.forms(found.states)
        region = not any(on and any(form[:-1]) for form, (_, on) in zip(forms, found.states, strict=True))
        point = {"point": notation.numbers(found.point)}
        return {**point, **more(found)} if more is not None and region else point

    written = Written(split([reading], domain, budget=budget, children=signs), leaf)
    return {"combinations": written.combinations, "tree": written.tree}


def _lifts(net: Network, domain: Domain, off: tuple[Neuron, ...]) -> list[dict[str, Any]]:
    """For each neuron that is off: where a small change of a parameter makes it positive."""
    points, rays = ends(activation_regions(net, domain))
    level = without_biases(net)
    found = []
    for neuron in off:
        place = next((x for x in points if _rises(net, net, neuron, x)), None)
        ray = next((r for r in rays if _rises(net, level, neuron, r)), None) if place is None else None
        assert place is not None or ray is not None  # else the neuron would not be known to rise
        where = {"point": notation.numbers(place)} if place is not None else {"direction": notation.numbers(ray or ())}
        found.append({"neuron": list(neuron), **where})
    return found


def _rises(net: Network, on: Network, neuron: Neuron, x: Vector) -> bool:
    """Whether a neuron is 0 at a point, and some parameter moves it there; or in a direction, without biases."""
    (sums,) = preactivations(on, [x])
    layer, index = neuron
    if sums[layer - 1][index]:
        return False
    sources = [p.source for p in net.parameters if p.target == neuron]
    if on is net and None in sources:
        return True
    values = (x[i] if k == 0 else net.layers[k - 1].activations[i](sums[k - 1][i]) for k, i in filter(None, sources))
    return any(values)


def _stably_off(net: Network, domain: Domain, stable: tuple[Neuron, ...], budget: int | None) -> dict[str, Any]:
    """Why one of some neurons stays off: by its weights, or since it falls in all directions."""
    held = next((neuron for neuron in stable if _is_held(net, neuron)), None)
    if held is not None:
        return {"neuron": list(held)}
    points, rays = ends(activation_regions(net, domain, budget=budget))
    for neuron in stable:
        speed = _speed(net, neuron, points, rays)
        if speed:
            evidence = _faces(net, domain, budget, partial(_bounds, net, neuron, speed))
            return {**evidence, "neuron": list(neuron), "epsilon": notation.number(speed)}
    raise RuntimeError("internal error: a neuron stays off for no reason")


def _speed(net: Network, neuron: Neuron, points: list[Vector], rays: list[Vector]) -> Fraction:
    """Half of the speed at which a neuron falls in all directions in which the domain is unbounded; 0 if not in all."""
    layer, index = neuron
    slopes = [sums[layer - 1][index] for sums in preactivations(without_biases(net), rays)]
    highest = max(sums[layer - 1][index] for sums in preactivations(net, points))
    if highest >= 0 or any(slope >= 0 for slope in slopes):
        return Fraction(0)
    return min([Fraction(1), *(-slope / max(map(abs, ray)) / 2 for slope, ray in zip(slopes, rays, strict=True))])


def _is_held(net: Network, neuron: Neuron) -> bool:
    mine = [p for p in net.parameters if p.target == neuron]
    sources = [p.source for p in mine if p.source is not None]
    relus = all(k > 0 and net.layers[k - 1].activations[i] == RELU for k, i in sources)
    return relus and all(p.value < 0 for p in mine)


def _bounds(net: Network, neuron: Neuron, speed: Fraction, leaf: Leaf) -> dict[str, Any]:
    """Combinations of the inequalities of a region that bound the form of a neuron, and it plus multiples of inputs."""
    reading = Reading.of(net)
    form = reading.forms(leaf.states)[0][reading.bending.index(neuron)]
    found = []
    for j in range(-1, 2 * net.input_dim):
        slopes = list(form[:-1])
        if j >= 0:
            slopes[j // 2] += speed if j % 2 == 0 else -speed
        scale = common_denominator(slopes)
        end = maximise_rows(scaled_integers(slopes, scale), [item.row for item in leaf.rows])
        assert isinstance(end, Optimal)  # the neuron falls faster than the inputs grow
        pairs = zip(leaf.rows, end.multipliers, strict=True)
        found.append(notation.combination([(item.name, y * item.scale / scale) for item, y in pairs if y]))
    return {"bounds": found}
