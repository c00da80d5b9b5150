"""Path metrics by classes of partial paths against sums over explicit paths, and the bound they give."""

from __future__ import annotations

import random
import re
from fractions import Fraction

import pytest
from oracles import embedding, forward
from strategies import disturbed, random_dag, random_mlp, random_point, random_scalings

from exactrelu import BudgetExceeded, DifferentArchitecture, Domain, InvalidInput, Network, path_norm
from exactrelu.errors import HypothesisNotMet, InvalidDomain
from exactrelu.paths.norms import path_metric, path_metric_bound

SHALLOW = Network.mlp([[[1], [2]], [[1, 1]]], [[1, 0], [0]])


def by_explicit_paths(a: Network, b: Network, q: int = 1) -> Fraction:
    return sum(
        (abs(s - t) ** q for s, t in zip(embedding(a.to_json()), embedding(b.to_json()), strict=True)), Fraction(0)
    )


def redrawn(r: random.Random, net: Network, *, keep: float, signed: bool = False) -> Network:
    """Other values, some of them zero; with ``signed`` none of the opposite sign."""
    values = []
    for parameter in net.parameters:
        value = parameter.value
        if r.random() >= keep:
            size = Fraction(r.randint(0, 4), r.randint(1, 3))
            value = size if not signed or value > 0 else -size
            if not signed or parameter.value == 0:
                value *= r.choice((1, -1))
        values.append(value)
    return net.with_values(values)


def random_pair(r: random.Random) -> tuple[Network, Network]:
    net = random_dag(r) if r.random() < 0.7 else random_mlp(r)
    kind = r.randrange(4)
    if kind == 0:
        return net, disturbed(r, net.rescale(random_scalings(r, net)))
    if kind == 1:
        return net, disturbed(r, disturbed(r, net))
    return net, redrawn(r, net, keep=r.choice((0, 0.5)))


@pytest.mark.parametrize("q", [1, 2, 3])
def test_metric_is_the_sum_over_all_paths(q):
    r = random.Random(q)
    positive = 0
    for _ in range(250):
        a, b = random_pair(r)
        found = path_metric(a, b, q)
        assert found == by_explicit_paths(a, b, q) == path_metric(b, a, q)
        positive += found > 0
    assert 100 < positive < 250


def test_metric_axioms_and_the_norm_as_distance_from_zero():
    r = random.Random(4)
    for _ in range(100):
        a, b = random_pair(r)
        c = redrawn(r, a, keep=0.3)
        zero = a.with_values([Fraction(0)] * len(a.parameters))
        assert path_metric(a, a) == 0
        assert path_metric(a, zero, 2) == path_norm(a, 2) == path_metric(zero, a, 2)
        assert path_metric(a, c) <= path_metric(a, b) + path_metric(b, c)
        assert abs(path_norm(a) - path_norm(b)) <= path_metric(a, b)


def test_entrywise_larger_parameters_of_equal_signs_differ_by_the_norms():
    r = random.Random(5)
    for _ in range(100):
        a = random_dag(r)
        b = a.with_values([p.value * Fraction(r.randint(0, 4), 4) for p in a.parameters])
        assert path_metric(a, b) == path_norm(a) - path_norm(b)


def test_rescaled_networks_have_distance_zero_beyond_enumeration():
    """20**31 paths, one class per neuron."""
    net = Network.mlp([[[1]] * 20] + [[[1] * 20] * 20] * 30 + [[[1] * 20]])
    moved = net.rescale(random_scalings(random.Random(6), net))
    assert path_metric(net, moved) == 0
    values = [p.value for p in moved.parameters]
    values[0] = -values[0]  # one of the twenty first weights changes its sign: 2 * 20**30 paths do
    assert path_metric(net, net.with_values(values)) > 0
    assert path_metric(net, moved.with_values(values)) == 2 * 20**30


def test_the_bound_holds_at_random_points():
    r = random.Random(7)
    sharp = 0
    for _ in range(400):
        a = random_dag(r)
        b = redrawn(r, a, keep=r.choice((0, 0.5, 0.9)), signed=True)
        x = random_point(r, a.input_dim)
        there, here = forward(a.to_json(), x)[1][-1], forward(b.to_json(), x)[1][-1]
        difference = sum((abs(s - t) for s, t in zip(there, here, strict=True)), Fraction(0))
        bound = path_metric_bound(a, b, Domain.box([(c, c) for c in x]))
        assert bound == max(*map(abs, x), 1) * by_explicit_paths(a, b)
        assert difference <= bound
        sharp += difference == bound > 0
    assert sharp > 10


def test_without_equal_signs_the_bound_fails():
    """σ(x) and -σ(-x) have the same embedding and differ everywhere."""
    a, b = Network.mlp([[[1]], [[1]]]), Network.mlp([[[-1]], [[-1]]])
    assert path_metric(a, b) == 0 and a([1]) != b([1])
    sentence = "b: must have no parameter of the opposite sign in a, but w[1<-0][0,0] is 1 in a and -1 in b"
    with pytest.raises(HypothesisNotMet, match=f"^{re.escape(sentence)}$"):
        path_metric_bound(a, b, "[-1,1]")


def test_sharp_example_and_domains_of_every_shape():
    a, b = Network.mlp([[[1, 0]], [[2]]]), Network.mlp([[[1, 0]], [[1]]])
    triangle = Domain.polytope(vertices=[(0, 0), (3, 0), (0, "-7/2")])
    tilted = Domain.polytope(vertices=[(1, 0), (0, 1), (-5, "1/2")])
    assert path_metric_bound(a, b, "[0,1]^2") == 1 == a([1, 0])[0] - b([1, 0])[0]
    assert path_metric_bound(a, b, "[0,3]x[0,1]") == 3 == a([3, 0])[0] - b([3, 0])[0]
    assert path_metric_bound(a, b, "[0,1/9]^2") == 1
    assert path_metric_bound(a, b, triangle) == Fraction(7, 2)
    assert path_metric_bound(a, b, tilted) == 5


WEDGE = Domain.polytope(halfspaces=[((1, 1), 1), ((-1, -2), 0)])


@pytest.mark.parametrize("domain", ["R^2", "[0,1]xR", WEDGE], ids=str)
def test_unbounded_domains_are_refused(domain):
    a = Network.mlp([[[1, 0]], [[2]]])
    with pytest.raises(InvalidDomain, match=r"^domain: must be bounded for a bound over it; got "):
        path_metric_bound(a, a, domain)


def test_other_architectures_are_refused():
    other = Network.mlp([[[1], [2]], [[1, 1]]], [None, [0]])
    for call in (path_metric, lambda a, b: path_metric_bound(a, b, "[0,1]")):
        with pytest.raises(DifferentArchitecture, match=r"^b: must have the architecture of a, with widths "):
            call(SHALLOW, other)


@pytest.mark.parametrize("q", [0, -1, True, 1.0, "1", None], ids=repr)
def test_only_positive_integers_are_exponents(q):
    with pytest.raises(InvalidInput, match=r"^q: must be an integer, at least 1; got "):
        path_metric(SHALLOW, SHALLOW, q)


def test_the_budget_counts_products():
    widths = (3, 6, 6, 6, 6, 6, 1)
    a, b = (Network.random(widths, seed, denominator=1, bound=10**6) for seed in (0, 1))
    with pytest.raises(BudgetExceeded, match="at most 3000 products along paths are allowed"):
        path_metric(a, b, budget=3000)
    assert path_metric(SHALLOW, SHALLOW.rescale([[2, 3]]), budget=7) == 0  # one product per parameter
    with pytest.raises(BudgetExceeded):
        path_metric(SHALLOW, SHALLOW, budget=6)
    with pytest.raises(InvalidInput, match=r"^budget: "):
        path_metric(SHALLOW, SHALLOW, budget=-1)
