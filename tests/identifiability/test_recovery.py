"""Recovery from values: the fibre as independent code lists it, and promises that are broken.

The oracle is a closure on plain data, evaluated by code of the tests; the
algorithm sees nothing but its values.
"""

from __future__ import annotations

import random
from fractions import Fraction as Q

import pytest
import shallow_bridge as bridge
import shallow_cases as cases
import shallow_oracle as so
import shallow_search as search

from exactrelu import (
    BudgetExceeded,
    InexactNumber,
    InvalidInput,
    Network,
    WrongDimension,
    canonical_form,
    fibre,
    zoo,
)
from exactrelu.identifiability.recovery.black_box import BlackBox, BrokenPromise
from exactrelu.identifiability.recovery.least_networks import FibreStatus
from exactrelu.identifiability.recovery.recover import Recovery, recover_network, recover_shallow
from exactrelu.zoo import shallow_network


def with_biases(net: so.Net) -> so.Net:
    """The same function with bias parameters in both layers, as recovered networks have them."""
    return net._replace(c=net.c or (Q(0),) * net.k, hidden_bias=True)


def recovered(net: so.Net) -> Recovery:
    """Recovery from a closure; on at least one axis the bumps of the networks below are wider than 1/2."""
    width, bounds = len(net.neurons), {"max_denominator": 10**4, "resolution": "1/2", "checks": 16}
    return recover_shallow(lambda x: so.evaluate(net, x), net.d, max_width=width, **bounds)


def assert_is_the_fibre(net: so.Net, found: Recovery) -> int:
    """Compare with all configurations of least width, listed by brute force; how many classes there are."""
    width = search.minimal_width(net, None)
    configurations = list(search.configurations(net, None, width))
    finite = not any(c.pairs for c in configurations)
    assert found.status == ("complete" if finite else "infinite"), net
    if width == 0:
        assert len(found.networks) == 1
        assert found.networks[0].depth == 1
        assert so.equal(net, so.Net((((Q(0),) * net.d, Q(0), (Q(0),) * net.k),), found.networks[0]([0] * net.d)), None)
        return 1
    members = [bridge.plain(member) for member in found.networks]
    for member in members:
        assert len(member.neurons) == width
        assert so.equal(net, member, None)
    if finite:
        expected = [so.class_key(search.build(net, None, c)) for c in configurations]
        assert sorted(expected) == sorted(so.class_key(member) for member in members), net
        assert found.family is None
        return len(expected)
    assert found.family.base == found.networks[0]
    for t in (Q(1, 3), Q(1)):
        other = bridge.plain(found.family.member(t))
        assert so.equal(net, other, None)
        assert not so.ps_equivalent(members[0], other)
    return 0


def planted(r: random.Random) -> so.Net:
    """Up to 8 neurons: hats, sums of three, opposite and positive twins, and parallel hyperplanes among others."""
    d, k = r.choice((1, 2, 2, 3)), r.choice((1, 1, 2))

    def vector(size: int) -> tuple[Q, ...]:
        while True:
            found = tuple(Q(r.randint(-3, 3), r.choice((1, 1, 2))) for _ in range(size))
            if any(found):
                return found

    neurons = []
    while len(neurons) < 6:
        w, b, v = vector(d), Q(r.randint(-6, 6), r.choice((1, 2, 5))), vector(k)
        minus = tuple(-entry for entry in v)
        kind = r.choice(("single", "single", "hat", "couple", "three", "opposite", "positive"))
        neurons.append((w, b, v))
        if kind == "hat":
            step = r.choice((Q(1), Q(2), Q(5, 2)))
            neurons += [(w, b + step, tuple(-2 * entry for entry in v)), (w, b + 2 * step, v)]
        elif kind == "couple":
            neurons.append((w, b + r.choice((-1, 1, 3)), minus))
        elif kind == "three":
            other = vector(d)
            total = tuple(a + c for a, c in zip(w, other, strict=True))
            neurons += [(other, b + 1, v), *([(total, Q(r.randint(-3, 3)), minus)] if any(total) else [])]
        elif kind == "opposite":
            neurons.append((tuple(-2 * entry for entry in w), -2 * b, vector(k)))
        elif kind == "positive":
            neurons.append((tuple(2 * entry for entry in w), 2 * b, vector(k)))
        if r.random() < 0.3:
            break
    return so.Net(tuple(neurons), vector(k), True)


SEEDS = [*range(3), *(pytest.param(seed, marks=pytest.mark.sweep) for seed in range(3, 30))]


@pytest.mark.parametrize("seed", SEEDS)
def test_random_networks(seed: int) -> None:
    """Degenerate networks of all kinds."""
    for net, _ in cases.random_cases(seed, 17, h_max=7):
        net = with_biases(net)
        assert_is_the_fibre(net, recovered(net))


@pytest.mark.parametrize("seed", SEEDS)
def test_planted_networks(seed: int) -> None:
    """Networks whose neurons cancel in one way or another, on all of space."""
    r = random.Random(1000 + seed)
    counts = []
    for _ in range(17):
        net = planted(r)
        found = recovered(net)
        counts.append(assert_is_the_fibre(net, found))
        if so.distinct_kinks(net, None):
            classes = {canonical_form(member) for member in fibre(bridge.network(net))}
            if len(classes) == len(found.networks) and len(net.neurons) == found.networks[0].widths[1]:
                assert classes == {canonical_form(member) for member in found.networks}
            else:  # a narrower network has the same function
                assert found.networks[0].widths[1] < len(net.neurons)
    assert max(counts) > 1


CLASSES = {"hat": 2, "S13": 2, "S14": 2, "S15": 1, "S16": 2, "S17": 1, "S18": 1, "S07a": 1, "S12a": 1, "S06": 1}


@pytest.mark.parametrize("name", CLASSES)
def test_known_fibres(name: str) -> None:
    secret = zoo.specimen(name).network
    found = recover_shallow(secret, secret.input_dim, max_width=3, max_denominator=100)
    assert found.status is FibreStatus.COMPLETE
    assert len(found.networks) == CLASSES[name]
    if name != "S06":  # its twins become one neuron
        assert canonical_form(secret) in {canonical_form(member) for member in found.networks}
    assert recover_network(secret).networks == found.networks


def test_opposite_twins_that_cancel_leave_infinitely_many() -> None:
    secret = zoo.specimen("S08").network  # the identity
    found = recover_shallow(secret, 1, max_width=2, max_denominator=10)
    assert found.status is FibreStatus.INFINITE
    assert {found.family.member(t)([7]) for t in (0, "1/2", 1)} == {(Q(7),)}
    assert "infinitely many" in found.explain()


def test_large_denominators_cost_logarithms() -> None:
    secret = Network.random((3, 6, 2), 1)
    counts = []
    for digits in (2, 12, 48):
        found = recover_shallow(secret, 3, max_width=6, max_denominator=10**digits)
        assert [canonical_form(member) for member in found.networks] == [canonical_form(secret)]
        counts.append(found.queries)
    assert counts[2] < 1.2 * counts[0]


def test_queries_are_the_calls() -> None:
    asked = []

    def hat(x: tuple[Q, ...]) -> list[Q]:
        asked.append(x)
        return [max(1 - abs(x[0]), Q(0))]

    found = recover_shallow(hat, 1, max_width=3, max_denominator=10)
    assert found.queries == len(asked) == len(set(asked))


def narrow_hat(center: Q, width: Q) -> Network:
    return shallow_network([(1, width - center, 1), (1, -center, -2), (1, -width - center, 1)])


def test_what_no_promise_excludes_is_missed_and_found_when_promised() -> None:
    secret = narrow_hat(Q(1, 3), Q(1, 100))
    missed = recover_shallow(secret, 1, max_width=3, max_denominator=300, checks=0)
    assert missed.networks == (Network.mlp([[[0]]], [[0]]),)
    seen = recover_shallow(secret, 1, max_width=3, max_denominator=300, checks=0, resolution="1/60")
    assert len(seen.networks) == 2


@pytest.mark.parametrize("center", [Q(1, 3), Q(-77, 2), Q(10**6 + 1, 3)])
def test_a_network_is_recovered_without_any_promise(center: Q) -> None:
    """The exact comparison finds the narrow hat, however small and far out."""
    secret = narrow_hat(center, Q(1, 10**9))
    found = recover_network(secret)
    assert canonical_form(secret) in {canonical_form(member) for member in found.networks}
    assert len(found.networks) == 2


def test_hidden_bumps_in_the_plane() -> None:
    rows = [[1, 2], [1, 2], [1, 2], [0, 1], [3, -1]]
    secret = Network.mlp([rows, [[1, -2, 1, 5, 7]]], [["-9999/1000", -10, "-10001/1000", 3, "1/2"], [2]])
    found = recover_network(secret)
    assert canonical_form(secret) in {canonical_form(member) for member in found.networks}


def test_deep_networks_with_shallow_functions() -> None:
    """The tent map twice: a sawtooth, five kinks of a shallow network."""
    tent = Network.mlp([[[1], [1]], [[2, -4], [2, -4]], [[2, -4]]], [[0, "-1/2"], [0, "-1/2"], [0]])
    found = recover_network(tent, max_width=5)
    for member in found.networks:
        assert member.widths == (1, 5, 1)
        assert member.values([[Q(k, 16)] for k in range(-8, 25)]) == tent.values([[Q(k, 16)] for k in range(-8, 25)])
    assert len(found.networks) == len({canonical_form(member) for member in found.networks}) == 6
    affine = Network.mlp([[[1, 2]]], [[3]])
    assert recover_network(affine).status is FibreStatus.INFINITE


DEEP = {
    "max of three": (lambda x: [max(x[0], x[1], 0)], 2),
    "nested absolute values": (lambda x: [abs(abs(x[0]) - x[1])], 2),
    "a product": (lambda x: [x[0] * x[1]], 2),
    "a square": (lambda x: [x[0] ** 2], 1),
    "a step": (lambda x: [Q(x[0] > Q(1, 2))], 1),
    "too wide": (lambda x: [abs(x[0]) + abs(x[1] - 1) + abs(x[0] - 5) + abs(x[1] + 4) + max(x[0], x[1])], 2),
    "an affine map that needs more neurons": (lambda x: [x[0], x[1], x[2]], 3),
}


@pytest.mark.parametrize("name", DEEP)
def test_broken_promises(name: str) -> None:
    oracle, size = DEEP[name]
    with pytest.raises(BrokenPromise, match="oracle: must ") as error:
        recover_shallow(oracle, size, max_width=4, max_denominator=100)
    if name == "an affine map that needs more neurons":
        assert "at most 4 neurons, but 6 are needed" in str(error.value)
    else:
        assert len(error.value.point) == size
        assert "near the point" in str(error.value)


def test_every_function_of_one_variable_is_shallow() -> None:
    bending = 0
    for seed in range(12):
        net = Network.random((1, 2, 2, 1), seed)
        found = recover_network(net, max_width=10)
        points = [[Q(k, 7)] for k in range(-70, 71)]
        assert all(member.values(points) == net.values(points) for member in found.networks)
        bending += len(found.networks[0].widths) > 2
    assert bending > 8


def test_functions_of_two_variables_are_not() -> None:
    """The first layer of a random network bends the hyperplanes of the second."""
    for seed in range(4):
        with pytest.raises(BrokenPromise) as error:
            recover_network(Network.random((2, 2, 2, 1), seed))
        assert len(error.value.point) == 2


def test_a_kink_at_a_distance_of_thousands_of_digits_is_refused() -> None:
    """Every output of σ(1 - 10^19000 σ(x_1 + x_2)) falls from 1 to 0 within 10^-19000."""
    steep = Network.mlp([[[1, 1]], [["-1e19000"]], [[1]]], [[0], [1], [0]])
    with pytest.raises(BrokenPromise, match="entries up to 1000000 only") as error:
        recover_network(steep)
    assert len(error.value.point) == 2


def test_the_maximum_of_two_is_shallow() -> None:
    found = recover_shallow(lambda x: [max(x)], 2, max_width=3, max_denominator=10)
    assert found.networks[0].widths == (2, 3, 1)
    with pytest.raises(BrokenPromise, match="at most 2 neurons, but 3 are needed"):
        recover_shallow(lambda x: [max(x)], 2, max_width=2, max_denominator=10)


def raising(x: tuple[Q, ...]) -> list[Q]:
    raise ZeroDivisionError("no value here")


BAD_ORACLES = {
    "raises": (raising, InvalidInput, "must have a value, but raised ZeroDivisionError: no value here"),
    "float": (lambda x: [0.5], InexactNumber, r"oracle at the point .*\[0\]: must be exact, and a float is not"),
    "number": (lambda x: 3, InvalidInput, "must be a list of rational numbers; got 3"),
    "nothing": (lambda x: None, InvalidInput, "must be a list of rational numbers; got None"),
    "text": (lambda x: "12", InvalidInput, "must be a list of rational numbers; got '12'"),
    "set": (lambda x: {1}, InvalidInput, "must be a list of rational numbers"),
    "empty": (lambda x: [], WrongDimension, "must have at least one entry"),
    "changing length": (lambda x: [1] * (1 + (x[0] > 2)), WrongDimension, "must have 1 entries as elsewhere; got 2"),
}


@pytest.mark.parametrize("name", BAD_ORACLES)
def test_bad_oracles_are_named_with_the_point(name: str) -> None:
    oracle, error, reason = BAD_ORACLES[name]
    with pytest.raises(error, match=r"oracle at the point \(") as caught:
        recover_shallow(oracle, 1, max_width=2, max_denominator=10)
    assert caught.match(reason)


BAD_ARGUMENTS = {
    "input_dim": {"input_dim": 0},
    "max_width": {"max_width": -1},
    "max_denominator": {"max_denominator": 0},
    "reach": {"reach": 1.5},
    "resolution": {"resolution": 0},
    "checks": {"checks": True},
    "budget": {"budget": -1},
}


@pytest.mark.parametrize("name", BAD_ARGUMENTS)
def test_bad_arguments(name: str) -> None:
    arguments = {"input_dim": 1, "max_width": 2, "max_denominator": 10, **BAD_ARGUMENTS[name]}
    with pytest.raises(InvalidInput, match=f"{name}: must be "):
        recover_shallow(lambda x: [x[0]], **arguments)


def test_other_bad_input() -> None:
    with pytest.raises(InvalidInput, match="oracle: must be a function"):
        recover_shallow(7, 1, max_width=2, max_denominator=10)
    with pytest.raises(InexactNumber, match="resolution"):
        recover_shallow(lambda x: [x[0]], 1, max_width=2, max_denominator=10, resolution=0.25)
    with pytest.raises(InvalidInput, match="resolution: must leave at most 100000 probes"):
        recover_shallow(lambda x: [x[0]], 1, max_width=2, max_denominator=10, resolution="1/1000000")


def test_queries_of_long_numbers_count_more_than_once() -> None:
    box = BlackBox(lambda point: point, 2, budget=10)
    box((Q(1), Q(1, 3 << 2400)))
    box((Q(1), Q(1, 3 << 2400)))  # known, and so free
    assert box((Q(1), Q(2))) == (1, 2)
    with pytest.raises(BudgetExceeded, match="at most 10 queries are allowed"):
        box((Q(1), Q(3)))
    assert box.queries == 2


def test_budgets() -> None:
    with pytest.raises(BudgetExceeded, match="at most 100 queries are allowed"):
        recover_shallow(zoo.HAT, 1, max_width=3, max_denominator=10, budget=100)
    couples = [neuron for k in range(12) for neuron in ((1, k, 1), (1, f"{2 * k + 1}/2", -1))]
    secret = shallow_network(couples)
    with pytest.raises(BudgetExceeded, match="at most 3000 subsets are allowed; 8192 are needed") as error:
        recover_network(secret, budget=3_000)
    (member,) = error.value.partial  # one network is known before the search for all
    assert member.values([[Q(k, 4)] for k in range(-60, 20)]) == secret.values([[Q(k, 4)] for k in range(-60, 20)])
