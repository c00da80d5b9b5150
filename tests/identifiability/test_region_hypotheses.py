"""Hypotheses on the activation regions, against z3 on pre-activations and on the list of all faces."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from random import Random

import pytest
import z3
from face_oracle import symbolic
from oracles import forward
from region_networks import batches, random_network
from region_oracle import all_faces, bending, preactivation, signs_at

from exactrelu import (
    Domain,
    InvalidDomain,
    InvalidInput,
    Network,
    Status,
    WrongDimension,
    activation_regions,
    admissible,
    functional_dimension,
    zoo,
)
from exactrelu.equality import NeuronType
from exactrelu.identifiability.hypotheses.bent_hyperplanes import bent_hyperplanes_meet, transversal, transversal_pairs
from exactrelu.identifiability.hypotheses.break_set import no_hyperplane_in_break_set
from exactrelu.identifiability.hypotheses.general_networks import general
from exactrelu.identifiability.hypotheses.layer_spaces import layer_hyperplanes_met
from exactrelu.identifiability.hypotheses.ranges import Range, ends, ranges
from exactrelu.identifiability.hypotheses.region_hypotheses import (
    hyperplanes_met_in_interior,
    linear_regions_assumption,
    no_always_on,
    no_stably_unactivated,
    transparent,
)
from exactrelu.identifiability.hypotheses.visibility import visible_columns
from exactrelu.identifiability.hypotheses.weight_hypotheses import full_row_rank, generic, irreducible, no_clones

CHECKS = (
    hyperplanes_met_in_interior,
    linear_regions_assumption,
    no_always_on,
    no_stably_unactivated,
    transparent,
)
WITH_FACES = (
    bent_hyperplanes_meet,
    transversal_pairs,
    transversal,
    no_hyperplane_in_break_set,
    layer_hyperplanes_met,
    general,
    visible_columns,
)
EPSILON = Fraction(1, 10**9)
FAR = 10**40


def instance(seed: int) -> tuple[Network, Domain]:
    net, halfspaces = random_network(83_000 + seed, 2, 3)
    if seed % 2:  # far biases: neurons that are on or off
        r = Random(seed)
        values = [p.value + r.choice((0, 0, 3, -3)) * (p.source is None) for p in net.parameters]
        net = net.with_values(values)
    return net, Domain.polytope(halfspaces=halfspaces) if halfspaces else Domain.space(net.input_dim)


class Solver:
    """z3 on the pre-activations of a network over a domain."""

    def __init__(self, net: Network, domain: Domain) -> None:
        self.x = [z3.Real(f"x{i}") for i in range(net.input_dim)]
        self.sums = symbolic(net, self.x)
        self.solver = z3.Solver()
        for half in domain.halfspaces:
            total = z3.Sum([z3.Q(c.numerator, c.denominator) * v for c, v in zip(half.normal, self.x, strict=True)])
            self.solver.add(total <= z3.Q(half.bound.numerator, half.bound.denominator))

    def possible(self, condition: z3.BoolRef) -> bool:
        self.solver.push()
        self.solver.add(condition)
        answer = self.solver.check()
        self.solver.pop()
        assert answer != z3.unknown
        return bool(answer == z3.sat)

    def type(self, neuron: tuple[int, int]) -> NeuronType:
        up, down = self.possible(self.sums[neuron] > 0), self.possible(self.sums[neuron] < 0)
        if up and down:
            return NeuronType.KINKED
        return NeuronType.ON if up else NeuronType.OFF if down else NeuronType.ZERO


def value_at(net: Network, neuron: tuple[int, int], point: object) -> Fraction:
    return forward(net.to_json(), point)[0][neuron[0] - 1][neuron[1]]


def check_range(net: Network, domain: Domain, solver: Solver, item: Range) -> None:
    """A finite end is attained and never passed; along the ray of an infinite one the value passes every bound."""
    term = solver.sums[item.neuron]
    for sign, end in ((-1, item.infimum), (1, item.supremum)):
        assert domain.contains(end.point)
        if end.value is not None:
            bound = z3.Q(end.value.numerator, end.value.denominator)
            assert value_at(net, item.neuron, end.point) == end.value
            assert not solver.possible(term > bound if sign > 0 else term < bound)
        else:
            far = [c + FAR * u for c, u in zip(end.point, end.ray, strict=True)]
            assert domain.contains(far) and sign * value_at(net, item.neuron, far) > 10**20


@pytest.mark.parametrize("seeds", batches(40, 440, 200))
def test_ranges_and_types_against_z3(seeds: range) -> None:
    seen: Counter[NeuronType] = Counter()
    for seed in seeds:
        net, domain = instance(seed)
        solver = Solver(net, domain)
        hidden = [neuron for neuron in bending(net) if neuron[0] < net.depth]
        types = {neuron: solver.type(neuron) for neuron in hidden}
        for item in ranges(activation_regions(net, domain), hidden):
            check_range(net, domain, solver, item)
            assert item.type is types[item.neuron]
        seen.update(types.values())

        on = {neuron for neuron, kind in types.items() if kind is NeuronType.ON}
        still = {neuron for neuron, kind in types.items() if kind is not NeuronType.KINKED}
        off = still - on
        for check, identifier, bad in (
            (no_always_on, "always_on", on),
            (hyperplanes_met_in_interior, "kinked", still),
            (no_stably_unactivated, "off", off),
        ):
            verdict = check(net, domain)
            assert set(verdict.condition(identifier).neurons) == bad
            assert {item.neuron for item in verdict.evidence.ranges} == bad if bad else verdict.evidence is None
            if identifier != "off":
                assert verdict.status is (Status.FAILS if bad else Status.HOLDS)
    assert all(seen[kind] > 3 for kind in NeuronType)


def lifted(net: Network, neuron: tuple[int, int], places: list[object], changes: list[dict[int, Fraction]]) -> bool:
    """Whether some change of parameters makes the neuron active at some place."""
    for change in changes:
        moved = net.with_values([p.value + change.get(k, 0) for k, p in enumerate(net.parameters)])
        if any(value_at(moved, neuron, x) > 0 for x in places):
            return True
    return False


@pytest.mark.parametrize("seeds", batches(60, 660, 200))
def test_stability_against_small_changes(seeds: range) -> None:
    """Those that are not stable can be lifted by one parameter of their own, those that are by no small change."""
    seen: Counter[str] = Counter()
    for seed in seeds:
        net, domain = instance(2 * seed + 1)
        verdict = no_stably_unactivated(net, domain)
        off = verdict.condition("off").neurons
        if not off:
            continue
        r = Random(seed)
        cx = activation_regions(net, domain)
        points, rays = ends(cx)
        places = [*points, *(tuple(a + FAR * b for a, b in zip(points[0], ray, strict=True)) for ray in rays)]
        stable = verdict.condition("stably_unactivated")
        for neuron in off:
            if neuron in stable.neurons and stable.status is Status.FAILS:
                changes = [{k: r.choice((-1, 0, 1)) * EPSILON for k in range(len(net.parameters))} for _ in range(8)]
                assert not lifted(net, neuron, places, changes)
                seen["stable"] += 1
            elif stable.status is Status.HOLDS:
                own = [k for k, p in enumerate(net.parameters) if p.target == neuron]
                assert lifted(net, neuron, places, [{k: s * EPSILON} for k in own for s in (1, -1)])
                seen["lifted"] += 1
        if net.is_standard and admissible(net).status is Status.HOLDS:
            assert functional_dimension(net, domain) < len(net.parameters) - len(net.hidden_neurons)
    assert seen["stable"] > 3 and seen["lifted"] > 3, seen


STABILITY = {
    "negative weights": (Network.mlp([[[1], [-1]], [[-1, -2]], [[1]]], [[0, 0], [-1], [0]]), None, "fails"),
    # -1 + relu(x) - relu(x) = -1 can be tilted far away
    "cancelling weights": (Network.mlp([[[1], [1]], [[1, -1]], [[1]]], [[0, 0], [-1], [0]]), None, "holds"),
    "the same on a bounded domain": (
        Network.mlp([[[1], [1]], [[1, -1]], [[1]]], [[0, 0], [-1], [0]]), "[-9,9]", "fails"),
    "constant": (Network.mlp([[[0]], [[1]]], [[-1], [0]]), None, "holds"),
    "touching zero": (Network.mlp([[[1], [-1]], [[-1, -2]], [[1]]], [[0, 0], [0], [0]]), None, "holds"),
    "touching zero, without bias": (Network.mlp([[[1], [-1]], [[-1, -2]], [[1]]]), None, "fails"),
    # falls in both directions: -1 - relu(x) + relu(x)/2 - relu(-x)
    "falling": (Network.mlp([[[1], [2], [-1]], [[-2, "1/2", -1]], [[1]]], [[0] * 3, [-1], [0]]), None, "fails"),
    # off behind a neuron that is itself stably off, with a positive weight
    "behind": (
        Network.mlp([[[1]], [[-1]], [[5]], [[1]]], [[0], [-1], [-1], [0]]), None, "fails"),
    # relu(1 - relu(x)) - 5 stays below -3 nearby, but its parent has a positive weight and no slope far away
    "not decided": (Network.mlp([[[1]], [[-1]], [[1]], [[1]]], [[0], [1], [-5], [0]]), None, "unknown"),
    "decided when bounded": (Network.mlp([[[1]], [[-1]], [[1]], [[1]]], [[0], [1], [-5], [0]]), "[-9,9]", "fails"),
}  # fmt: skip


@pytest.mark.parametrize("name", STABILITY)
def test_stability_by_hand(name: str) -> None:
    net, domain, status = STABILITY[name]
    assert no_stably_unactivated(net, domain).status.value == status


@pytest.mark.parametrize("seeds", batches(30, 330, 150))
def test_maps_and_activity_against_all_cells(seeds: range) -> None:
    seen: Counter[str] = Counter()
    for seed in seeds:
        net, domain = instance(seed)
        cells = {s for c, s in all_faces(net, domain.halfspaces) if c == 0}
        neurons = bending(net)
        maps = Counter(affine_map(net, dict(zip(neurons, cell, strict=False))) for cell in cells)
        verdict = linear_regions_assumption(net, domain)
        assert verdict.status is (Status.HOLDS if set(maps.values()) == {1} else Status.FAILS)
        seen["maps " + verdict.status] += 1
        if verdict.evidence:
            found = verdict.evidence
            signs = [tuple(signs_at(net, x)) for x in found.points]
            assert signs[0] != signs[1]
            assert [tuple(s for group in p.signs for s in group) for p in found.patterns] == signs
            equal = {affine_map(net, dict(zip(neurons, s, strict=True))) for s in signs}
            assert len(equal) == 1 and equal <= {m for m, count in maps.items() if count > 1}
            assert all(half.slack(x) > 0 for x in found.points for half in domain.halfspaces)
        verdict = transparent(net, domain)
        layers = [k for k in range(1, net.depth) if net.layers[k - 1].activation_data == "relu"]
        silent = {k for k in layers for cell in cells
                  if all(s <= 0 for (layer, _), s in zip(neurons, cell, strict=False) if layer == k)}  # fmt: skip
        assert {neuron[0] for condition in verdict.conditions for neuron in condition.neurons} == silent
        assert verdict.status is (Status.FAILS if silent else Status.HOLDS)
        seen["transparent " + verdict.status] += 1
        if silent:
            signs = dict(zip(neurons, signs_at(net, verdict.evidence.point), strict=True))
            assert all(s <= 0 for (layer, _), s in signs.items() if layer == verdict.evidence.layer)
    assert all(seen[f"{what} {status}"] for what in ("maps", "transparent") for status in ("holds", "fails")), seen


def affine_map(net: Network, signs: dict[tuple[int, int], int]) -> tuple[tuple[Fraction, ...], ...]:
    """The outputs as affine forms where the neurons have these signs."""
    found = []
    for o in range(net.output_dim):
        form = preactivation(net, (net.depth, o), signs)
        active = signs.get((net.depth, o), 1) > 0
        found.append(tuple(form) if active else (Fraction(0),) * len(form))
    return tuple(found)


def test_two_meanings_of_the_linear_regions_assumption() -> None:
    hat = linear_regions_assumption(zoo.specimen("hat").network)
    assert [c.status.value for c in hat.conditions] == ["holds", "fails"]
    dead = linear_regions_assumption(zoo.specimen("S20").network, "[-1,1]")
    assert [c.status.value for c in dead.conditions] == ["fails", "fails"]


def full(net: Network) -> bool:
    return functional_dimension(net) == len(net.parameters) - len(net.hidden_neurons)


def test_neither_is_necessary_and_one_is_not_sufficient() -> None:
    """Theory, section 10: LRA and TPIC against full functional dimension."""
    hat = zoo.specimen("hat").network
    assert full(hat)
    assert linear_regions_assumption(hat).status is transversal_pairs(hat).status is Status.FAILS
    parallel = Network.mlp([[[1, 0], [1, 0], [0, 1]], [[1, 2, 3]]], [[0, -1, 0], [0]])
    assert full(parallel)
    assert linear_regions_assumption(parallel).status is Status.HOLDS
    assert transversal_pairs(parallel).status is Status.FAILS
    absolute = zoo.specimen("absolute_value").network
    assert not full(absolute)
    assert linear_regions_assumption(absolute).status is Status.HOLDS


@pytest.mark.parametrize("check", CHECKS)
def test_refusals(check: object) -> None:
    net = Network.random((2, 6, 1), 0)
    verdict = check(net, budget=3)
    assert verdict.status is Status.UNKNOWN and "at most 3 regions" in verdict.condition("regions").detail
    with pytest.raises(InvalidInput, match="budget: must be an integer, at least 0; got '5'"):
        check(net, budget="5")
    with pytest.raises(InvalidDomain, match="must have interior points for regions"):
        check(net, Domain.box([(0, 1), (2, 2)]))
    with pytest.raises(WrongDimension, match="domain: must have 2 coordinates"):
        check(net, "[0,1]")
    assert check(net, "[-1,1]^2").claim.endswith("on [-1,1]^2")


@pytest.mark.parametrize("seed", range(12))
def test_every_verdict_can_be_said_and_written(seed: int) -> None:
    net, domain = instance(seed)
    verdicts = [check(net, domain) for check in (*CHECKS, *WITH_FACES, irreducible)]
    verdicts += [check(net) for check in (generic, no_clones, full_row_rank)]
    for verdict in verdicts:
        assert json.loads(json.dumps(verdict.to_json()))["status"] == verdict.status
        text = verdict.explain()
        assert (
            text.startswith(f"{verdict.status}: {verdict.claim}") and "Fraction(" not in text and "Extremum" not in text
        )
        assert verdict.conditions or verdict.status is Status.HOLDS


def test_networks_without_neurons() -> None:
    for check in CHECKS:
        assert check(Network.mlp([[[1, 2]]])).status is Status.HOLDS


def test_directions_that_nothing_sees() -> None:
    """One neuron on the plane: it does not see one direction, in which it is unbounded nearby."""
    net = Network.mlp([[[0, 0]], [[1]]], [[-1], [0]])
    assert no_stably_unactivated(net).status is Status.HOLDS
    assert no_stably_unactivated(net, "[-1,1]xR").status is Status.HOLDS
    assert no_stably_unactivated(net, "[-1,1]^2").status is Status.FAILS
