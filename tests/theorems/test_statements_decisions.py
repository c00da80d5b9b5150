"""The decisions behind the statements against the package and against oracles that share nothing with them."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import deep_oracle
import equivalence_oracles
import pytest
import strategies

import exactrelu as er
from exactrelu import (
    Modification,
    Network,
    Status,
    activation_regions,
    affine_symmetries,
    functional_dimension,
    lie_closure,
    locally_identifiable,
    locally_identifiable_from_samples,
    modify,
    region_counts,
    same_function,
    zoo,
)
from exactrelu.errors import BudgetExceeded, HypothesisNotMet, OnKink
from exactrelu.theorems.decisions import (
    brackets,
    dimensions,
    directions,
    draws,
    equivalence,
    frozen,
    isolation,
    pieces,
    rigidity,
    shallow_facts,
)
from exactrelu.theorems.decisions import modified as modification_of
from exactrelu.theorems.decisions.arithmetic import Interval, Series
from exactrelu.theorems.statements import conjectures

HOLDS, FAILS, UNKNOWN = Status.HOLDS, Status.FAILS, Status.UNKNOWN
SEEDS = range(30)


def number(r: random.Random) -> Fraction:
    return Fraction(r.randint(-6, 6), r.randint(1, 4))


@pytest.mark.parametrize("seed", SEEDS)
def test_intervals_enclose_and_series_multiply(seed: int) -> None:
    r = random.Random(seed)
    centers, radii = [number(r) for _ in range(3)], [abs(number(r)) for _ in range(3)]
    boxes = [Interval.around(c, s) for c, s in zip(centers, radii, strict=True)]
    box = boxes[0] * boxes[1] + boxes[2] * Fraction(-2) + Fraction(3)
    for _ in range(10):
        a, b, c = (x + s * Fraction(r.randint(-4, 4), 4) for x, s in zip(centers, radii, strict=True))
        assert box.low <= a * b - 2 * c + 3 <= box.high
    left, right = ([number(r) for _ in range(4)] for _ in range(2))
    product = Series(tuple(left)) * Series(tuple(right))
    assert list(product.coefficients) == [sum(left[i] * right[k - i] for i in range(k + 1)) for k in range(4)]


@pytest.mark.parametrize("seed", SEEDS)
def test_readings_against_difference_quotients(seed: int) -> None:
    r = random.Random(seed)
    net = draws.random_network(r, hidden=3, width=3)
    samples = draws.random_samples(r, net, 4)
    readings = frozen.readings_at(net, samples)
    assert frozen.jacobian(net, readings) == deep_oracle.gamma(deep_oracle.read(net), samples)
    for reading in readings:
        assert tuple(frozen.outputs_of(net, frozen.theta_of(net), reading)) == net(reading.point)


def test_readings_refuse_kinks_and_other_activations() -> None:
    with pytest.raises(OnKink, match="off the kinks"):
        frozen.readings_at(zoo.HAT, [[0]])
    with pytest.raises(HypothesisNotMet, match="ReLU"):
        frozen.region_readings(Network.mlp([[[1]], [[1]]], activation="tanh"))


@pytest.mark.parametrize("seed", SEEDS)
def test_functional_dimension_by_elimination(seed: int) -> None:
    net = draws.random_network(random.Random(seed), hidden=3, width=3)
    assert dimensions.dimension(net) == functional_dimension(net)


@pytest.mark.parametrize("seed", range(100))
def test_isolation_never_contradicts_the_package(seed: int) -> None:
    r = random.Random(seed)
    net = draws.random_admissible(r)
    samples = draws.random_samples(r, net, r.choice((2, 5, 9, 16)))
    if not samples:
        return
    found = isolation.isolation(net, frozen.readings_at(net, samples))
    known = locally_identifiable_from_samples(net, samples)
    if UNKNOWN not in (found.status, known.status):
        assert found.status is known.status
    if isinstance(found.evidence, isolation.InjectiveBox):
        check_box(r, net, samples, found.evidence)
    if isinstance(found.evidence, isolation.ConstantLine):
        check_line(net, samples, found.evidence)


def check_box(r: random.Random, net: Network, samples: list[tuple[Fraction, ...]], box: isolation.InjectiveBox) -> None:
    """Other members of the box with the same gates have other values."""
    free = set(box.free)
    assert len(free) == len(net.parameters) - len(net.hidden_neurons)
    for _ in range(5):
        moves = {p.name: p.value + box.radius * Fraction(r.randint(-8, 8), 8) for p in net.parameters if p.name in free}
        moved = net.replace(moves)
        if moved != net and moved.patterns(samples) == net.patterns(samples):
            assert moved.values(samples) != net.values(samples)


def check_line(net: Network, samples: list[tuple[Fraction, ...]], line: isolation.ConstantLine) -> None:
    """A short step along the line keeps all values, and is no rescaling."""
    step = Fraction(1)
    while True:
        pairs = zip(net.parameters, line.direction, strict=True)
        moved = net.with_values([p.value + step * d for p, d in pairs])
        if moved.patterns(samples) == net.patterns(samples):
            assert moved.values(samples) == net.values(samples)
            if not equivalence_oracles.is_permutation_scaling_equivalent(net, moved):
                return
        step /= 2


@pytest.mark.parametrize("seed", range(12))
def test_rigidity_never_contradicts_the_package(seed: int) -> None:
    net = draws.random_network(random.Random(seed), hidden=2, width=2)
    found, known = rigidity.rigidity(net), locally_identifiable(net)
    if {found.status, known.status} <= {HOLDS, FAILS}:
        assert found.status is known.status
    if found.family is not None:
        for part in (1, Fraction(1, 3), Fraction(1, 7)):
            member = found.family.member(found.family.last * part)
            assert rigidity.agreement(net, member).status is HOLDS
            assert not equivalence_oracles.is_permutation_scaling_equivalent(net, member)


@pytest.mark.parametrize("seed", range(15))
def test_agreement_against_the_package(seed: int) -> None:
    r = random.Random(seed)
    net = draws.random_network(r, hidden=2, width=2)
    other = r.choice((draws.disturbed(r, net), net.rescale(draws.random_scalings(r, net))))
    found = rigidity.agreement(net, other)
    assert found.status is same_function(net, other).status
    if found.status is FAILS:
        assert net(found.evidence.point) != other(found.evidence.point)


@pytest.mark.parametrize("seed", range(120))
def test_equivalence_against_an_oracle(seed: int) -> None:
    r = random.Random(seed)
    net = strategies.random_dag(r, linear_neurons=False)
    other = strategies.partner(r, net)
    assert equivalence.scaling_exists(net, other) == equivalence_oracles.is_scaling_equivalent(net, other)
    found = equivalence.permuted_scaling_exists(net, other)
    assert found == equivalence_oracles.is_permutation_scaling_equivalent(net, other)
    if net.architecture == other.architecture:
        ours, theirs = (equivalence_oracles.edges_of(item) for item in (net, other))
        signed = equivalence_oracles.scaling_exists(ours, theirs, net.depth, any_sign=True)
        assert equivalence.scaling_exists(net, other, signed=True) == signed


def test_too_many_permutations() -> None:
    net = Network.random((1, 9, 1), 0)
    with pytest.raises(BudgetExceeded, match="permutations"):
        equivalence.permuted_scaling_exists(net, net)


@pytest.mark.parametrize("seed", range(20))
def test_modifications_against_the_package(seed: int) -> None:
    r = random.Random(seed)
    net = draws.perceptron(r, [r.randint(1, 2), 2, 2, 1], biases=True)
    basis = affine_symmetries("relu", [(1, 0), (-1, 0), (1, -1), (-1, 1), (2, 0)]).basis
    place = r.choice((1, 2))
    step = Modification((place, r.randrange(2)), r.choice(basis), (3, 0), number(r))
    ours = modification_of.modified(net, step)
    theirs = modify(net, step.neuron, step.symmetry, step.child, step.amount)
    assert rigidity.agreement(ours, theirs).status is rigidity.agreement(net, ours).status is HOLDS


def test_a_modification_of_neurons_that_do_not_exist() -> None:
    symmetry = affine_symmetries("relu", [(1, 0), (2, 0)]).basis[0]
    for neuron, child in (((1, 0), (1, 0)), ((2, 0), (2, 0)), ((1, 3), (2, 0)), ((1, 0), (2, 1)), ((1, 0), (3, 0))):
        with pytest.raises(HypothesisNotMet, match="later layer"):
            modification_of.modified(zoo.HAT, Modification(neuron, symmetry, child, Fraction(1)))


@pytest.mark.parametrize("seed", SEEDS)
def test_pieces_are_open_linear_regions(seed: int) -> None:
    net = draws.perceptron(random.Random(seed), [1, 2, 2, 1])
    assert pieces.pieces_on_the_line(net) == region_counts(activation_regions(net)).R4


@pytest.mark.parametrize("seed", SEEDS)
def test_brackets_against_the_lie_closure(seed: int) -> None:
    net = draws.random_network(random.Random(seed), hidden=2, width=2, inputs=1, outputs=1)
    found, closure = brackets.as_many_laws_as_neurons(net), lie_closure(net)
    if found.status is HOLDS:
        assert closure.laws_lower == closure.laws_upper == len(net.hidden_neurons)
    else:
        assert closure.laws_lower < len(net.hidden_neurons) or closure.lie_lower < closure.lie_upper


def test_hessians_against_sympy() -> None:
    import sympy

    net = Network.mlp([[[2, -1]], [[3]], [[1]]], [[1], [0], [2]])
    theta = frozen.theta_of(net)
    symbols = sympy.symbols(f"t:{len(theta)}")
    at = {symbol: sympy.Rational(str(value)) for symbol, value in zip(symbols, theta, strict=True)}
    vector = [Fraction(k - 3) for k in range(len(theta))]
    for products in brackets.path_sums(net):
        formula = sum(sympy.prod([symbols[k] for k in product]) for product in products)
        hessian = sympy.hessian(formula, symbols).subs(at)
        expected = hessian * sympy.Matrix([int(entry) for entry in vector])
        assert [int(entry) for entry in expected] == brackets.hessian_times(products, theta, vector)
        slopes = [int(sympy.diff(formula, symbol).subs(at)) for symbol in symbols]
        assert slopes == brackets.gradient(products, theta)


def test_the_best_of_an_architecture_is_attained() -> None:
    for widths, best in (((1, 1, 1, 1), 4), ((1, 1, 1, 1, 1), 4), ((1, 2, 1), 5), ((2, 2, 1, 1), 8)):
        found, net = dimensions.best_of_architecture(widths, best)
        assert (found, net.widths) == (best, widths)
        assert functional_dimension(net) == best


def test_facts_about_shallow_networks() -> None:
    assert list(shallow_facts.zero_sum_sets(zoo.HAT)) == [(0, 1, 2)]
    assert shallow_facts.opposite_pairs(zoo.specimen("S09").network) == [((0, 1), (1, -1)), ((2, 1), (3, -1))]
    assert not shallow_facts.opposite_pairs(zoo.specimen("S06").network)
    assert not shallow_facts.pairs_bend(zoo.specimen("S08").network)
    with pytest.raises(HypothesisNotMet, match="one hidden layer"):
        shallow_facts.neurons(Network.mlp([[[1]], [[1]], [[1]]]))


def test_symmetries_of_directions() -> None:
    hat = zoo.HAT
    assert directions.symmetries_lead_there(hat, hat.flip([0, 1, 2])).status is HOLDS
    plane = zoo.specimen("S16").network
    assert directions.symmetries_lead_there(plane, plane.flip([0, 1, 2])).status is FAILS
    smooth = Network.mlp([[[1], [2]], [[1, 1]]], [[0, 1], [0]], activation="tanh")
    turned = Network.mlp([[[-1], [2]], [[-1, 1]]], [[0, 1], [0]], activation="tanh")
    assert directions.same_shallow_function(smooth, turned).status is HOLDS
    assert directions.symmetries_lead_there(smooth, turned).status is HOLDS
    other = Network.mlp([[[1], [2]], [[1, 1]]], [[0, 1], [1]], activation="tanh")
    assert directions.same_shallow_function(smooth, other).status is FAILS


def test_draws_are_degenerate_often_enough() -> None:
    nets = [draws.random_network(random.Random(seed), hidden=3, width=3) for seed in range(200)]
    kinds = Counter[str]()
    for net in nets:
        kinds["zeros"] += not all(p.value for p in net.parameters)
        kinds["skips"] += not net.is_layered
        kinds["several outputs"] += net.output_dim > 1
        kinds["no biases"] += any(layer.bias is None for layer in net.layers)
        kinds["not admissible"] += bool(equivalence_oracles.has_dead_neurons(net))
    assert all(15 <= kinds[kind] <= 170 for kind in kinds), kinds


def test_what_decisions_presuppose() -> None:
    layers = [er.Layer({0: [[1], [1]]}, activation=["relu", "abs"]), er.Layer({1: [[1, 1]]}, activation="identity")]
    mixed = er.Network(1, layers)
    with pytest.raises(er.HypothesisNotMet, match="must have one activation in its hidden layer"):
        directions.rho_of(mixed)
    assert directions.rho_of(er.Network.mlp([[[1]], [[1]]], activation="tanh")) == "tanh"
    without = er.Network.mlp([[[1], [2]], [[1, 1]]])
    skip = er.Network(
        1, [er.Layer({0: [[1]]}, bias=[1]), er.Layer({0: [[1]], 1: [[1]]}, bias=[0], activation="identity")]
    )
    for net in (without, skip):
        with pytest.raises(HypothesisNotMet, match="must be layered with all biases for a search"):
            conjectures._expect_all_parameters(net)
    for statement in ("wide_layers_allow_full_dimension", "generic_functional_dimension_formula"):
        assert er.theorem(statement).check(er.Instance(without)).status is er.Status.INAPPLICABLE
