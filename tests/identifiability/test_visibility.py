"""Visible walls, against z3's faces and sums over paths; and the conditions of Bona-Pellissier et al. together."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from face_oracle import Faces
from region_networks import batches
from region_oracle import bending, signs_at
from strategies import DEGENERATE, PLAIN

from exactrelu import Domain, InvalidInput, Layer, Network, Status, functional_dimension
from exactrelu.identifiability.hypotheses.break_set import no_hyperplane_in_break_set
from exactrelu.identifiability.hypotheses.layer_spaces import layer_hyperplanes_met
from exactrelu.identifiability.hypotheses.visibility import visible_columns
from exactrelu.identifiability.hypotheses.weight_hypotheses import full_row_rank

Signs = dict[tuple[int, int], int]


def perceptron(seed: int) -> tuple[Network, Domain]:
    r = Random(seed)
    widths = [r.randint(1, 2), *(r.randint(1, 3) for _ in range(r.choice((1, 2, 2)))), r.randint(1, 2)]
    entries = DEGENERATE if seed % 3 == 0 else PLAIN

    def vector(size: int) -> list[object]:
        return [r.choice(entries) for _ in range(size)]

    net = Network.mlp([[vector(a) for _ in range(b)] for a, b in pairwise(widths)], [vector(b) for b in widths[1:]])
    return net, Domain.parse(f"[-2,3]^{widths[0]}") if r.random() < 0.4 else Domain.space(widths[0])


def derivative(net: Network, neuron: tuple[int, int], output: int, signs: Signs) -> Fraction:
    """Of an output by the value of a hidden neuron: the sum over all paths through active neurons."""
    layer, i = neuron
    if layer == net.depth:
        return Fraction(i == output)
    total = Fraction(0)
    for child, row in enumerate(net.layers[layer].blocks[0][1]):
        if layer + 1 == net.depth or signs[layer + 1, child] > 0:
            total += row[i] * derivative(net, (layer + 1, child), output, signs)
    return total


def depends(net: Network, neuron: tuple[int, int], signs: Signs) -> bool:
    return any(derivative(net, neuron, output, signs) for output in range(net.output_dim))


@pytest.mark.parametrize("seeds", batches(50, 550, 250))
def test_against_sums_over_paths(seeds: range) -> None:
    seen: Counter[Status] = Counter()
    for seed in seeds:
        net, domain = perceptron(seed)
        faces, verdict = Faces(net, domain.halfspaces), visible_columns(net, domain)
        dark = set()
        for k, neuron in faces.hidden:
            beside = {C for F in faces.faces if faces.bends(k, F) for C in faces.around[F]}
            if not all(depends(net, neuron, dict(zip(faces.neurons, C[1], strict=False))) for C in beside):
                dark.add(neuron)
        assert set(verdict.condition("visible").neurons) == dark
        assert verdict.status is (Status.FAILS if dark else Status.HOLDS)
        seen[verdict.status] += 1
        if dark:
            found = verdict.evidence
            at = dict(zip(bending(net), signs_at(net, found.point), strict=True))
            region = dict(zip(bending(net), (s for group in found.pattern.signs for s in group), strict=True))
            assert at[found.neuron] == 0 and not depends(net, found.neuron, region)
            assert all(at[v] in (0, region[v]) for v in at)
    assert seen[Status.HOLDS] > 5 and seen[Status.FAILS] > 5, seen


CONDITIONS = (full_row_rank, visible_columns, layer_hyperplanes_met, no_hyperplane_in_break_set)


@pytest.mark.parametrize("seeds", batches(120, 1800, 840))
def test_all_conditions_together(seeds: range) -> None:
    """Networks that satisfy all conditions have full functional dimension; without visible columns some do not."""
    full, short = 0, 0
    for seed in seeds:
        r = Random(seed)
        widths = r.choice([(2, 2, 1), (2, 2, 2, 1), (3, 3, 2, 1), (3, 3, 3, 2)])
        net = Network.random(widths, seed, bound=r.choice((2, 9)))
        domain = r.choice((None, f"[-3,3]^{widths[0]}"))
        statuses = []
        for check in CONDITIONS:
            statuses.append((check(net) if check is full_row_rank else check(net, domain)).status)
            if check is not visible_columns and statuses[-1] is not Status.HOLDS:
                break
        else:
            dimension = functional_dimension(net, domain)
            reaches = dimension == len(net.parameters) - len(net.hidden_neurons)
            if statuses[1] is Status.HOLDS:
                assert reaches
                full += 1
            short += not reaches
    assert full > 10 and short > 0


def test_refusals() -> None:
    net = Network.random((2, 6, 1), 0)
    assert visible_columns(net, budget=3).condition("regions").status is Status.UNKNOWN
    skip = Network(1, [Layer({0: [[1]]}), Layer({0: [[1]], 1: [[1]]}, activation="identity")])
    assert visible_columns(skip).status is Status.INAPPLICABLE
    dead = Network.mlp([[[1], [2]], [[1, 0]]], [[0, 1], [0]])
    assert visible_columns(dead).condition("visible").neurons == ((1, 1),)
    assert visible_columns(dead, "[1,2]").status is Status.HOLDS  # no wall inside
    with pytest.raises(InvalidInput, match="budget"):
        visible_columns(net, budget=-1)
