"""Hyperplanes in the walls of later layers, and the sets of inputs that layers receive, against z3."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import islice, pairwise
from random import Random

import pytest
import z3
from face_oracle import Faces, symbolic
from oracles import forward
from region_networks import batches
from strategies import DEGENERATE, PLAIN, random_point

from exactrelu import Domain, InvalidDomain, InvalidInput, Layer, Network, Status
from exactrelu.identifiability.hypotheses.break_set import no_hyperplane_in_break_set
from exactrelu.identifiability.hypotheses.layer_spaces import layer_hyperplanes_met, layer_inputs
from exactrelu.identifiability.hypotheses.region_hypotheses import hyperplanes_met_in_interior


def narrowing(seed: int) -> tuple[Network, Domain]:
    """Hidden layers that are mostly no wider than the layer before, a third of them with many zeros."""
    r = Random(seed)
    widths = [r.randint(1, 3)]
    for _ in range(r.choice((2, 2, 3))):
        widths.append(r.randint(1, min(3, widths[-1] + (r.random() < 0.3))))
    entries = DEGENERATE if seed % 3 == 0 else PLAIN

    def vector(size: int) -> list[object]:
        return [r.choice(entries) for _ in range(size)]

    widths.append(1)
    net = Network.mlp([[vector(a) for _ in range(b)] for a, b in pairwise(widths)], [vector(b) for b in widths[1:]])
    return net, Domain.parse(f"[-2,3]^{widths[0]}") if r.random() < 0.5 else Domain.space(widths[0])


def attained(net: Network, domain: Domain, layer: int, value: tuple[Fraction, ...]) -> bool:
    """Whether some point of the domain gives layer ``layer`` exactly these values."""
    x = [z3.Real(f"x{i}") for i in range(net.input_dim)]
    sums = symbolic(net, x)
    solver = z3.Solver()
    for half in domain.halfspaces:
        total = z3.Sum([z3.Q(c.numerator, c.denominator) * v for c, v in zip(half.normal, x, strict=True)])
        solver.add(total <= z3.Q(half.bound.numerator, half.bound.denominator))
    for i, entry in enumerate(value):
        wanted = z3.Q(entry.numerator, entry.denominator)
        solver.add(z3.If(sums[layer, i] > 0, sums[layer, i], 0) == wanted)
    return bool(solver.check() == z3.sat)


@pytest.mark.parametrize("seeds", batches(30, 430, 200))
def test_sets_of_inputs(seeds: range) -> None:
    """What layers receive lies in the set if it is positive; points are attained if and only if they are in the set."""
    seen: Counter[str] = Counter()
    for seed in seeds:
        net, domain = narrowing(seed)
        r = Random(seed)
        spaces = list(layer_inputs(net, domain))
        seen[f"{len(spaces)} of {net.depth}"] += 1
        for layer, space in enumerate(spaces[1:], 1):
            width = net.widths[layer]
            if space is not None:
                y = space.interior_point()
                assert all(entry > 0 for entry in y) and attained(net, domain, layer, y)
            for _ in range(4):
                x = random_point(r, net.input_dim)
                if domain.contains(x):
                    y = forward(net.to_json(), x)[1][layer]
                    if space is not None and all(entry > 0 for entry in y):
                        assert space.contains(y)
                y = tuple(Fraction(r.randint(1, 40), 7) + Fraction(r.randint(1, 99), 10**6) for _ in range(width))
                if space is None:
                    assert not attained(net, domain, layer, y)  # not on a fixed hyperplane, by chance
                else:
                    assert attained(net, domain, layer, y) == space.contains(y)
                    seen["in" if space.contains(y) else "out"] += 1
            seen["void"] += space is None
    assert seen["in"] > 5 and seen["out"] > 5 and seen["void"] > 3, seen
    assert seen["3 of 4"] and seen["3 of 3"], seen


@pytest.mark.parametrize("seeds", batches(30, 430, 200))
def test_hyperplanes_met_by_inputs(seeds: range) -> None:
    """A neuron takes both signs where all neurons of the layer before are active, if that set has an interior."""
    seen: Counter[Status] = Counter()
    for seed in seeds:
        net, domain = narrowing(seed)
        verdict = layer_hyperplanes_met(net, domain)
        spaces = list(layer_inputs(net, domain))
        x = [z3.Real(f"x{i}") for i in range(net.input_dim)]
        sums, solver = symbolic(net, x), z3.Solver()
        for half in domain.halfspaces:
            total = z3.Sum([z3.Q(c.numerator, c.denominator) * v for c, v in zip(half.normal, x, strict=True)])
            solver.add(total <= z3.Q(half.bound.numerator, half.bound.denominator))
        for layer, condition in enumerate(verdict.conditions, 1):
            assert (condition.status is Status.UNKNOWN) == (layer > len(spaces))
            if layer > len(spaces):
                continue
            active = [sums[layer - 1, j] > 0 for j in range(net.widths[layer - 1])] if layer > 1 else []
            neurons = [(layer, i) for i in range(net.widths[layer])]
            missed = {
                v
                for v in neurons
                if spaces[layer - 1] is None
                or any(solver.check(*active, side) != z3.sat for side in (sums[v] > 0, sums[v] < 0))
            }
            assert set(condition.neurons) == missed
        seen[verdict.status] += 1
        if verdict.status is Status.HOLDS:
            assert hyperplanes_met_in_interior(net, domain).status is Status.HOLDS
    assert seen[Status.HOLDS] > 3 and seen[Status.FAILS] > 3, seen


def sub_network(net: Network, layer: int) -> Network:
    weights = [part.blocks[0][1] for part in net.layers[layer - 1 :]]
    return Network.mlp(weights, [part.bias for part in net.layers[layer - 1 :]])


@pytest.mark.parametrize("seeds", batches(16, 316, 150))
def test_against_all_faces(seeds: range) -> None:
    seen: Counter[Status] = Counter()
    for seed in seeds:
        net, domain = narrowing(seed)
        verdict = no_hyperplane_in_break_set(net, domain)
        spaces = list(islice(layer_inputs(net, domain), net.depth - 2))
        for layer, condition in enumerate(verdict.conditions, 1):
            if layer == net.depth - 1:
                assert condition.status is Status.HOLDS
            elif layer > len(spaces):
                assert condition.status is Status.UNKNOWN
            else:
                space = spaces[layer - 1]
                covered = space is not None and Faces(sub_network(net, layer), space.halfspaces).covered_hyperplane()
                assert condition.status is (Status.FAILS if covered else Status.HOLDS)
                assert all(neuron[0] > layer for neuron in condition.neurons)
        statuses = {condition.status for condition in verdict.conditions}
        worst = next(s for s in (Status.FAILS, Status.UNKNOWN, Status.HOLDS) if s in statuses)
        assert verdict.status is worst
        seen[worst] += 1
    assert seen[Status.FAILS] > 3 and seen[Status.HOLDS] > 3, seen


def test_a_hyperplane_pieced_together_in_a_later_layer() -> None:
    """The walls of two neurons of layer 2 make up x0 = 1, one for x1 < 0 and one for x1 > 0."""
    rows = [[1, 0], [0, 1], [0, -1]]
    net = Network.mlp([rows, [[1, -9, 0], [1, 0, -9]], [[1, 1]]], [[2, 0, 0], [-3, -3], [0]])
    verdict = no_hyperplane_in_break_set(net)
    assert verdict.status is Status.FAILS
    assert verdict.evidence.explain() == "in the inputs x of layer 1, x0 - 1 = 0 consists of walls of (2,0), (2,1)"
    half = Network.mlp([rows, [[1, -9, 0], [1, 0, -9]], [[1, 1]]], [[2, 0, 0], [-3, -4], [0]])
    assert no_hyperplane_in_break_set(half).status is Status.HOLDS
    assert no_hyperplane_in_break_set(half, "[-3,3]x[1,2]").status is Status.FAILS


def test_refusals() -> None:
    net = Network.random((2, 2, 2, 2, 2, 1), 0)
    verdict = no_hyperplane_in_break_set(net, budget=0)
    assert verdict.status is Status.UNKNOWN and "at most 0 regions" in verdict.conditions[0].detail
    assert "not known to be convex" in no_hyperplane_in_break_set(net, "[-1,1]^2").conditions[2].detail
    skip = Network(1, [Layer({0: [[1]]}), Layer({0: [[1]], 1: [[1]]}, activation="identity")])
    assert no_hyperplane_in_break_set(skip).status is Status.INAPPLICABLE
    assert no_hyperplane_in_break_set(Network.mlp([[[1]]])).status is Status.HOLDS
    with pytest.raises(InvalidInput, match="budget: must be an integer"):
        no_hyperplane_in_break_set(net, budget=-1)
    with pytest.raises(InvalidDomain, match="must have interior points for regions"):
        no_hyperplane_in_break_set(net, Domain.box([(0, 1), (2, 2)]))
