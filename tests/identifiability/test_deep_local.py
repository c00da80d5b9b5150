"""Local identifiability at any depth: ranks by paths, families by comparison of functions, and the shallow theory."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from random import Random

import pytest
from oracles import all_paths, embedding, embedding_jacobian, is_admissible, path_activations, rank_modulo
from region_networks import batches
from strategies import random_admissible_dag, random_dag, random_mlp

import exactrelu as er
from exactrelu import Domain, InvalidInput, Layer, Network, Status, Verdict
from exactrelu.identifiability.deep.activity import Activity
from exactrelu.identifiability.deep.deep_deformations import motions, structural_motions
from exactrelu.identifiability.deep.deep_local import deep_locally_identifiable
from exactrelu.identifiability.deep.directions import Rescalings, plus
from exactrelu.identifiability.deep.path_squares import path_squares, until_return
from exactrelu.zoo import SPECIMENS, Specimen

X6 = Network.mlp([[[1]], [[1]], [[1]]], [[0], [-1], [0]])  # relu(relu(x) - 1)
X7 = Network.mlp([[[1]], [[-1]], [[1]]], [[0], [1], [0]])  # relu(1 - relu(x))
TWO_PAIRS = Network.mlp([[[1], [-1], [1], [-1]], [[1, 2, 1, 3]], [[1]]], [[0, 0, -1, 1], [-1], [0]])
TIMES = (Fraction(1), Fraction(1, 2), Fraction(1, 7), Fraction(1, 100))


def assert_family(net: Network, verdict: Verdict, domain: Domain) -> None:
    """Equal functions all along, other parameters up to permutation and scaling, and the base at the beginning."""
    assert verdict.family.member(0) == net
    assert verdict.family.member(1) == verdict.witness
    for t in TIMES:
        member = verdict.family.member(t)
        assert er.same_function(net, member, domain).status is Status.HOLDS
        assert er.permutation_scaling_equivalent(net, member).status is Status.FAILS


def assert_full_rank(net: Network, domain: Domain) -> None:
    """The rank D - h of a Jacobian by paths, at points inside the regions and near their vertices."""
    data = net.to_json()
    jacobian, ends = embedding_jacobian(data), [path[0][-1][1] for path in all_paths(data)]
    rows = []
    for region in er.activation_regions(net, domain):
        if any(0 in group for group in region.pattern.signs):
            continue
        x, polyhedron = region.interior_point, region.polyhedron
        away = [*polyhedron.vertices, *(tuple(map(sum, zip(x, ray, strict=True))) for ray in polyhedron.rays)]
        away += [tuple(map(sum, zip(x, line, strict=True))) for line in polyhedron.lines]
        for point in (x, *(tuple((2 * a + b) / 3 for a, b in zip(x, end, strict=True)) for end in away)):
            activations = path_activations(data, point)
            for output in range(net.output_dim):
                live = [k for k, end in enumerate(ends) if end == output and activations[k]]
                rows.append(
                    [sum((activations[k] * jacobian[k][j] for k in live), Fraction(0)) for j in range(len(jacobian[0]))]
                )
    assert rank_modulo(rows) == len(net.parameters) - len(net.hidden_neurons)


def random_case(seed: int) -> tuple[Network, Domain]:
    r = Random(seed)
    kinds = (random_dag, random_admissible_dag, random_mlp)
    net = kinds[seed % 3](r, max_layers=3) if seed % 3 else random_dag(r, max_layers=4, linear_neurons=False)
    sides = r.choice((None, (-1, 1), (0, 1)))
    return net, Domain.space(net.input_dim) if sides is None else Domain.box([sides] * net.input_dim)


def test_known_examples() -> None:
    verdict = deep_locally_identifiable(X7)
    assert verdict.status is Status.HOLDS
    assert (verdict.evidence.functional_dimension, verdict.evidence.regions) == (4, 3)
    verdict = deep_locally_identifiable(X6)
    assert verdict.status is Status.FAILS
    assert verdict.condition("functional_dimension").detail == "the functional dimension is 3, and D - h = 4"
    assert verdict.condition("no_deformation").neurons == ((1, 0),)
    assert verdict.family.member("1/2") == X6.replace({"b[1][0]": "1/2", "b[2][0]": "-3/2"})
    assert_family(X6, verdict, Domain.space(1))


FAILURES = [
    ("no nonzero weights", Network.mlp([[[1], [1]], [[1, 1], [1, -1]], [[1, 0]]], [[0, -1], [1, 0], [0]]), "R"),
    ("is off on the whole domain", Network.mlp([[[1], [1]], [[1, 1]], [[1]]], [[0, -3], [-1], [0]]), "[-1,2]"),
    ("are proportional", Network.mlp([[[1], [3]], [[1, 2]], [[1]]], [[0, 0], [-1], [0]]), "R"),
    ("never on together", Network.random((2, 4, 4, 1), 0), "R^2"),
    ("is on wherever its children are", X6, "R"),
    ("cancel to a linear map", Network.mlp([[[1], [-2]], [[2, -1]], [[1]]], [[1, -2], [-1], [0]]), "R"),
    ("nobody listens", Network.mlp([[[1], [-1]], [[-1, 1]], [[1]]], [[1, -2], [-1], [0]]), "[-1,1]"),
    (
        "is linearly dependent",
        TWO_PAIRS,
        "R",
    ),
]


@pytest.mark.parametrize(("reason", "net", "domain"), FAILURES, ids=[reason for reason, _, _ in FAILURES])
def test_every_kind_of_deformation(reason: str, net: Network, domain: str) -> None:
    """Some motion of each kind is found, and it keeps the function."""
    space = Domain.parse(domain)
    complex = er.activation_regions(net, space)
    activity = Activity(net, complex.patterns)
    found = list(chain(structural_motions(activity), motions(activity, complex, Rescalings(activity))))
    mine = [motion for motion in found if reason in motion.text]
    assert mine
    for motion in mine:
        assert er.same_function(net, motion.end(net), space).status is Status.HOLDS
    assert_family(net, deep_locally_identifiable(net, space), space)


def test_a_step_ends_where_a_wall_arrives() -> None:
    """relu(relu(-x - 1) + relu(x) - 1/2) on [-2, 2]: w_{02} may grow until its child wakes up on [-3/2, -1]."""
    net = Network.mlp([[[-1], [1]], [[0, 1]], [[1]]], [[-1, 0], ["-1/2"], [0]])
    complex = er.activation_regions(net, "[-2,2]")
    activity = Activity(net, complex.patterns)
    free = [m for m in motions(activity, complex, Rescalings(activity)) if "never on together" in m.text]
    lowered, *free = free
    assert (dict(lowered.entries), lowered.step) == ({1 + 3: -1}, 1)
    assert [(dict(m.entries), m.step) for m in free] == [({1 + 3: 1}, Fraction(1, 2)), ({1 + 3: -1}, 1)]
    beyond = net.replace({"w[2<-1][0,0]": "51/100"})
    assert er.same_function(net, free[0].end(net), "[-2,2]").status is Status.HOLDS
    assert er.same_function(net, beyond, "[-2,2]").status is Status.FAILS


@pytest.mark.parametrize("seeds", batches(20, 1_800, 297))
def test_random_networks(seeds: range) -> None:
    """``holds`` against path Jacobians; ``fails`` by comparing members; ``unknown`` is rare."""
    statuses: Counter[str] = Counter()
    for seed in seeds:
        net, domain = random_case(seed)
        verdict = deep_locally_identifiable(net, domain)
        statuses[verdict.status] += 1
        if verdict.status is Status.HOLDS:
            assert is_admissible(net.to_json())
            assert_full_rank(net, domain)
            assert verdict.family is None
        elif verdict.status is Status.FAILS:
            assert_family(net, verdict, domain)
    assert statuses["holds"] > len(seeds) // 5
    assert statuses["fails"] > len(seeds) // 5
    assert statuses["unknown"] <= 1 + len(seeds) // 10


@pytest.mark.parametrize("seeds", batches(10, 1_000, 198))
def test_every_motion_keeps_the_function(seeds: range) -> None:
    """Not only the first one: at its end and half-way."""
    count = 0
    for seed in seeds:
        net, domain = random_case(seed + 20_000)
        if not net.is_standard:
            continue
        complex = er.activation_regions(net, domain)
        activity = Activity(net, complex.patterns)
        rescalings = Rescalings(activity)
        found = list(chain(structural_motions(activity), motions(activity, complex, rescalings)))
        for motion in Random(seed).sample(found, min(len(found), 6)):
            for share in (1, Fraction(1, 2), Fraction(1, 64)):
                member = replace(motion, step=motion.step * share).end(net)
                assert er.same_function(net, member, domain).status is Status.HOLDS, motion.text
            if not rescalings.contain(motion.entries):
                assert er.scaling_equivalent(net, member).status is Status.FAILS
            count += 1
    assert count > len(seeds)


@pytest.mark.parametrize("specimen", [s for s in SPECIMENS.values() if s.fact("local")], ids=lambda s: s.name)
def test_specimens(specimen: Specimen) -> None:
    """The shallow theory decides; ranks and families never contradict it, and leave open what F6 leaves open."""
    verdict = deep_locally_identifiable(specimen.network, specimen.domain)
    open_by_ranks = specimen.fact("local") == "holds" and specimen.fact("finite_sample") == "fails"
    assert verdict.status.value == ("unknown" if open_by_ranks else specimen.fact("local"))


@pytest.mark.parametrize("seeds", batches(30, 1_500, 294))
def test_against_the_shallow_theory(seeds: range) -> None:
    agreed = 0
    for seed in seeds:
        r = Random(seed + 40_000)
        net = random_mlp(r, max_layers=1)
        while net.depth != 2:
            net = random_mlp(r, max_layers=2)
        domain = Domain.space(net.input_dim) if seed % 2 else Domain.box([(-1, 1)] * net.input_dim)
        statuses = {er.locally_identifiable(net, domain).status, deep_locally_identifiable(net, domain).status}
        assert not {Status.HOLDS, Status.FAILS} <= statuses
        agreed += len(statuses) == 1
    assert agreed > 3 * len(seeds) // 4


def test_an_exchange_on_the_way_is_avoided() -> None:
    """Output moves from one clone to the other: half-way along the longest motion the two have changed places."""
    net = Network.mlp([[[0], [0], [2]], [[1, "1/2", -1]], [[-1]]], [[1, 1, 2], None, ["1/2"]])
    swapped = net.replace({"w[2<-1][0,0]": "1/2", "w[2<-1][0,1]": 1})
    assert er.permutation_scaling_equivalent(net, swapped).status is Status.HOLDS
    found = path_squares(net, {6: Fraction(-1), 7: Fraction(1)})
    assert found == [Fraction(19, 2), -1, 2]  # 8 + 1 + 1/4 + 1/4 at t = 0, and again at t = 1/2
    assert until_return(found, Fraction(1)) == Fraction(1, 4)
    verdict = deep_locally_identifiable(net)
    assert verdict.status is Status.FAILS
    assert_family(net, verdict, Domain.space(1))


@pytest.mark.parametrize("seed", range(12))
def test_path_squares(seed: int) -> None:
    """Against all paths at several t; the value does not return before the step that is given."""
    r = Random(seed)
    net = random_dag(r, max_layers=3)
    entries = {k: Fraction(r.randint(-3, 3), 2) for k in range(len(net.parameters)) if r.random() < 0.3}
    found = path_squares(net, entries)

    def value(t: Fraction) -> Fraction:
        member = net.with_values([p.value + t * entries.get(k, 0) for k, p in enumerate(net.parameters)])
        return sum((product**2 for product in embedding(member.to_json())), Fraction(0))

    for t in (Fraction(0), Fraction(1), Fraction(-2, 3)):
        assert sum(c * t**k for k, c in enumerate(found)) == value(t)
    step = until_return(found, Fraction(1))
    if step is None:
        assert value(Fraction(1)) == value(Fraction(2)) == value(Fraction(0))
    else:
        assert all(value(step * k / 8) != value(Fraction(0)) for k in range(1, 9))


def test_rescalings_are_no_deformations() -> None:
    """The tangent space of the orbit, against a basis of it."""
    for seed in range(30):
        r = Random(seed)
        net = random_admissible_dag(r, max_layers=3) if seed % 2 else random_mlp(r, max_layers=3)
        activity = Activity(net, ())
        rescalings, values = Rescalings(activity), [p.value for p in net.parameters]
        mu = {neuron: Fraction(r.randint(-3, 3)) for neuron in net.hidden_neurons}
        inside = {k: p.value * (mu.get(p.target, 0) - mu.get(p.source, 0)) for k, p in enumerate(net.parameters)}
        assert rescalings.contain(inside)
        k = r.randrange(len(values))
        outside = {**inside, k: inside[k] + 1}
        basis = [[p.value * ((p.target == v) - (p.source == v)) for p in net.parameters] for v in net.hidden_neurons]
        more = [*basis, [outside[j] for j in range(len(values))]]
        assert rescalings.contain(outside) == (rank_modulo(more) == rank_modulo(basis))


def test_domains_without_interior() -> None:
    """The incoming weights of a neuron that reads the inputs may change by an equation of the domain."""
    net = Network.mlp([[[1, 2], [0, 1]], [[1, 1]], [[1]]], [[0, 1], [-1], [0]])
    segment = Domain.polytope(vertices=[(-1, 0), (1, 2)])
    verdict = deep_locally_identifiable(net, segment)
    assert verdict.status is Status.FAILS
    assert verdict.condition("interior").status is Status.FAILS
    for t in TIMES:
        member = verdict.family.member(t)
        for s in range(-4, 5):
            point = [Fraction(s, 4), Fraction(s, 4) + 1]
            assert member(point) == net(point)
        assert er.permutation_scaling_equivalent(net, member).status is Status.FAILS
    bare = Network.mlp([[[1, 2], [0, 1]], [[1, 1]], [[1]]])  # no biases: an equation with a constant cannot be added
    assert deep_locally_identifiable(bare, segment).status is Status.UNKNOWN


def test_what_is_not_decided() -> None:
    bent = Network(1, [Layer({0: [[1]]}, bias=[0], activation="identity"), Layer({1: [[1]]}, activation="identity")])
    verdict = deep_locally_identifiable(bent)
    assert verdict.status is Status.INAPPLICABLE
    assert "hidden neurons are not all ReLUs" in verdict.conditions[0].detail
    verdict = deep_locally_identifiable(X7, budget=2)
    assert verdict.status is Status.UNKNOWN
    assert verdict.condition("functional_dimension").detail == "budget: at most 2 regions are allowed; 3 are needed"
    wide = Network.random((7, 2, 2, 1), 3)
    assert "at most 6 inputs are allowed" in deep_locally_identifiable(wide).condition("functional_dimension").detail
    assert deep_locally_identifiable(wide, budget=1_000).status is Status.HOLDS
    with pytest.raises(InvalidInput, match="budget: must be an integer, at least 0"):
        deep_locally_identifiable(X7, budget=-1)
    dead = wide.replace({f"w[3<-2][0,{j}]": 0 for j in range(2)})
    verdict = deep_locally_identifiable(dead)  # whatever the regions are
    assert verdict.status is Status.FAILS
    assert er.permutation_scaling_equivalent(dead, verdict.witness).status is Status.FAILS
    assert verdict.condition("admissible").neurons == ((2, 0), (2, 1))


def test_the_verdict_in_words() -> None:
    lines = deep_locally_identifiable(X6).explain().splitlines()
    assert lines[0] == "fails: the parameters are locally identifiable from the function on R^1"
    assert lines[1] == "  [holds] admissible: every hidden neuron hears and is heard"
    assert lines[-2:] == ["  b[1][0] = t", "  b[2][0] = -t - 1"]
    assert "have rank 4 = 6 parameters - 2 hidden neurons" in deep_locally_identifiable(X7).explain()


def test_neurons_that_are_never_on_together() -> None:
    """relu(-x) feeds the second layer, which is off where relu(x) is on: the weight from there may fall."""
    net = Network.mlp([[[1], [-1]], [[-1, 1], [1, 2]], [[1, 1]]], [[0, 0], [-1, 1], [0]])
    verdict = deep_locally_identifiable(net)
    moved = verdict.condition("no_deformation")
    assert moved.detail == "neurons (1, 0) and (2, 0) are never on together: the weight between them may fall"
    assert verdict.family.member("1/2") == net.replace({"w[2<-1][0,0]": "-3/2"})
    assert er.same_function(net, verdict.witness).status is Status.HOLDS


def test_sums_of_directions_have_no_zeros() -> None:
    assert plus({0: Fraction(1), 1: Fraction(2)}, {0: Fraction(-1), 2: Fraction(3)}) == {1: 2, 2: 3}
