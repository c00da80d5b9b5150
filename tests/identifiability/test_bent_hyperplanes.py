"""How bent hyperplanes meet, against the faces that z3 finds."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from random import Random

import pytest
from face_oracle import Faces
from region_networks import batches, random_network
from region_oracle import bending, signs_at
from strategies import DEGENERATE, PLAIN

from exactrelu import Domain, InvalidDomain, InvalidInput, Network, Status, Verdict
from exactrelu.identifiability.hypotheses.bent_hyperplanes import (
    bent_hyperplanes_meet,
    transversal,
    transversal_pairs,
)


def inside(domain: Domain, point: tuple[object, ...]) -> bool:
    return all(half.slack(point) > 0 for half in domain.halfspaces)


def on(net: Network, halfspaces: object) -> Domain:
    return Domain.polytope(halfspaces=halfspaces) if halfspaces else Domain.space(net.input_dim)


def values_at(net: Network, point: object) -> dict[tuple[int, int], int]:
    return dict(zip(bending(net), signs_at(net, point), strict=True))


def deep_network(seed: int) -> tuple[Network, Domain]:
    """A perceptron with two or three hidden layers, half of them with many zeros and equal entries."""
    r = Random(seed)
    widths = [r.randint(1, 3), *(r.randint(1, 3) for _ in range(r.choice((2, 2, 3)))), 1]
    if sum(widths) > 9:
        widths[1:-1] = [min(w, 2) for w in widths[1:-1]]
    entries = r.choice((PLAIN, DEGENERATE))

    def vector(size: int) -> list[object]:
        return [r.choice(entries) for _ in range(size)]

    weights = [[vector(a) for _ in range(b)] for a, b in pairwise(widths)]
    net = Network.mlp(weights, [vector(b) for b in widths[1:]])
    return net, Domain.parse(f"[-2,2]^{widths[0]}") if r.random() < 0.4 else Domain.space(widths[0])


def cases(seeds: range) -> list[tuple[Network, Domain]]:
    """Half perceptrons with several layers, half networks with skips and absent edges."""
    found = []
    for seed in seeds:
        net, halfspaces = random_network(71_000 + seed, 2 + seed % 2, 3)
        found += [deep_network(seed), (net, on(net, halfspaces))]
    return found


def same_neurons(verdict: Verdict, identifier: str, bad: set[object]) -> None:
    assert set(verdict.condition(identifier).neurons) == bad
    assert (verdict.condition(identifier).status is Status.FAILS) == bool(bad)


@pytest.mark.parametrize("seeds", batches(16, 216, 50))
def test_against_all_faces(seeds: range) -> None:
    seen: Counter[str] = Counter()
    for net, domain in cases(seeds):
        faces = Faces(net, domain.halfspaces)
        hidden = [neuron for _, neuron in faces.hidden]
        wanted = [(u, v) for u, v in combinations(hidden, 2) if v[0] - u[0] < 2]
        meeting = faces.meeting()

        verdict = bent_hyperplanes_meet(net, domain)
        missing = [pair for pair in wanted if pair not in meeting]
        same_neurons(verdict, "meet", {neuron for pair in missing for neuron in pair})
        shown = dict(verdict.evidence.meetings) if verdict.evidence else {}
        assert set(shown) == set(wanted) & meeting
        for (u, v), point in shown.items():
            signs = values_at(net, point)
            assert signs[u] == signs[v] == 0 and inside(domain, point)
        seen["meet " + verdict.status] += bool(wanted)

        place = {neuron: k for k, neuron in faces.hidden}
        verdict = transversal_pairs(net, domain)
        touching = [(u, v) for u, v in wanted if (u, v) in meeting and not faces.crossing(place[u], place[v])]
        same_neurons(verdict, "transversal", {neuron for pair in touching for neuron in pair})
        assert (verdict.status is Status.HOLDS) == (not touching and not missing)
        for (u, v), point in verdict.evidence.meetings if verdict.evidence else ():
            signs = values_at(net, point)
            assert (u, v) in touching and signs[u] == signs[v] == 0 and inside(domain, point)
        seen["pairs " + verdict.status] += bool(wanted)

        verdict = transversal(net, domain)
        same_neurons(verdict, "transversal", faces.vanishing())
        if verdict.evidence:
            cell = verdict.evidence
            signs = values_at(net, cell.point)
            assert signs[cell.neuron] == 0 and all(signs[neuron] == sign for neuron, sign in cell.signs)
        seen["transversal " + verdict.status] += 1
    for what in ("meet", "pairs", "transversal"):
        assert seen[f"{what} holds"] and seen[f"{what} fails"], seen


def test_touching_is_not_crossing() -> None:
    """The wall of the second layer, y = |x|, touches y = 0 from above, and crosses x = 0."""
    net = Network.mlp([[[1, 0], [-1, 0], [0, 1]], [[1, 1, -1]], [[1]]], [[0, 0, 0], [0], [0]])
    verdict = transversal_pairs(net)
    assert "(1,2), (2,0)" in verdict.condition("transversal").detail
    assert "(1,0), (1,1)" in verdict.condition("transversal").detail  # the same hyperplane


def test_meeting_on_the_boundary_does_not_count() -> None:
    net = Network.mlp([[[1, 0], [0, 1]], [[1, 1]]], [[0, 0], [0]])
    assert [bent_hyperplanes_meet(net, d).status.value for d in ("[0,1]^2", "[-1,1]x[0,1]", "[-1,1]^2")] == [
        "fails",
        "fails",
        "holds",
    ]


def test_no_point_of_a_line_is_crossed_transversally() -> None:
    """Kinks on a line that meet are equal, hence never transversal."""
    twins = Network.mlp([[[1], [-2]], [[1, 1]]], [[0, 0], [0]])
    assert bent_hyperplanes_meet(twins).status is Status.HOLDS
    assert transversal_pairs(twins).condition("transversal").neurons == ((1, 0), (1, 1))


def test_refusals() -> None:
    net = Network.random((2, 6, 1), 0)
    for check in (bent_hyperplanes_meet, transversal_pairs, transversal):
        verdict = check(net, budget=3)
        assert verdict.status is Status.UNKNOWN and "at most 3 regions" in verdict.condition("regions").detail
        with pytest.raises(InvalidInput, match="budget: must be an integer, at least 0; got -1"):
            check(net, budget=-1)
        with pytest.raises(InvalidDomain, match="must have interior points for regions"):
            check(net, Domain.box([(0, 1), (2, 2)]))
