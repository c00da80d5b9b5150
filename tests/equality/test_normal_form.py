"""Neuron types and normal forms: equal forms exactly for equal functions, and the form is the function."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import shallow_bridge as bridge
import shallow_cases as cases
import shallow_oracle as so

from exactrelu import Domain, InvalidDomain, Network, zoo
from exactrelu.equality import NormalForm, neuron_types, normal_form, shallow
from exactrelu.zoo import shallow_network

HALF = Fraction(1, 2)
SEEDS = [*range(3), *(pytest.param(seed, marks=pytest.mark.sweep) for seed in range(3, 40))]

# form (w, b), domain, type and range
TYPES = [
    ((1, 0), "[-1,1]", "kinked, range -1 to 1"),
    ((1, -1), "[-1,1]", "off, range -2 to 0"),
    ((1, 1), "[-1,1]", "on, range 0 to 2"),
    ((1, -1), "[-1,2]", "kinked, range -2 to 1"),
    ((0, 0), "[-1,1]", "zero, range 0 to 0"),
    ((0, 1), "R", "on, range 1 to 1"),
    ((0, -1), "R", "off, range -1 to -1"),
    ((1, 5), "R", "kinked, range -inf to +inf"),
    ((1, 1, -1), "[0,1/2]^2", "off, range -1 to 0"),
    ((1, 0, 0), "[0,1]xR", "on, range 0 to 1"),
    ((1, 1, 0), "[0,1]xR", "kinked, range -inf to +inf"),
]


@pytest.mark.parametrize(("form", "domain", "expected"), TYPES)
def test_types(form: tuple[int, ...], domain: str, expected: str) -> None:
    net = shallow(shallow_network([(form[:-1], form[-1], 1)]))
    (found,) = neuron_types(net, Domain.parse(domain))
    assert found.explain() == expected


def test_types_on_half_lines() -> None:
    right = Domain.box([(0, None)])
    shown = [t.explain() for t in neuron_types(shallow(shallow_network([(1, 0, 1), (1, -1, 1), (-1, 0, 1)])), right)]
    assert shown == ["on, range 0 to +inf", "kinked, range -1 to +inf", "off, range -inf to 0"]


@pytest.mark.parametrize("seed", SEEDS)
def test_types_are_those_of_the_corners(seed: int) -> None:
    for net, vertices in cases.random_cases(seed, 100):
        found = neuron_types(shallow(bridge.network(net)), bridge.domain(vertices, net.d))
        assert [t.type.value for t in found] == [so.neuron_type(form, vertices) for form in net.forms]


# ---------------------------------------------------------------- the form itself

# name: network, domain, jumps, affine part
FORMS = {
    "relu": (shallow_network([(1, 0, 1)]), "R", {(1, 0): (1,)}, [("1/2", 0)]),
    "absolute value": (zoo.specimen("absolute_value").network, "R", {(1, 0): (2,)}, [(0, 0)]),
    "identity": (zoo.specimen("identity").network, "R", {}, [(1, 0)]),
    "hat": (zoo.HAT, "R", {(1, -1): (1,), (1, 0): (-2,), (1, 1): (1,)}, [(0, 0)]),
    "hat, its middle": (zoo.HAT, "[-1,1]", {(1, 0): (-2,)}, [(0, 1)]),
    "hat, its left slope": (zoo.HAT, "[-1,0]", {}, [(1, 1)]),
    "halves": (shallow_network([("-1/2", "1/3", 6)]), "R", {(3, -2): (1,)}, [("-3/2", 1)]),
    "dead": (shallow_network([(1, 0, 0)], constant=[7]), "R", {}, [(0, 7)]),
    "two outputs": (zoo.specimen("S12a").network, "R", {(1, 0): (1, 1)}, [("1/2", 0), ("-1/2", 0)]),
}


@pytest.mark.parametrize("name", FORMS)
def test_known_forms(name: str) -> None:
    net, domain, jumps, affine = FORMS[name]
    expected = NormalForm(
        tuple(sorted((wall, tuple(map(Fraction, jump))) for wall, jump in jumps.items())),
        tuple(tuple(map(Fraction, row)) for row in affine),
    )
    assert normal_form(shallow(net), Domain.parse(domain)) == expected


def value(form: NormalForm, point: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """L(x) + 1/2 sum a_H |g_H(x)|."""
    result = [so.form_value(row, point) for row in form.affine]
    for wall, jump in form.jumps:
        size = HALF * abs(so.form_value(wall, point))
        result = [entry + size * a for entry, a in zip(result, jump, strict=True)]
    return tuple(result)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_form_is_the_function(seed: int) -> None:
    for net, vertices in cases.random_cases(seed, 60):
        form = normal_form(shallow(bridge.network(net)), bridge.domain(vertices, net.d))
        walls = [wall for wall, _ in form.jumps]
        assert walls == sorted(set(walls))
        assert all(any(jump) for _, jump in form.jumps)
        for point in so.arrangement_points(net.forms, vertices, net.d):
            assert value(form, point) == so.evaluate(net, point), (net, point)


@pytest.mark.parametrize("seed", SEEDS)
def test_equal_forms_are_equal_functions(seed: int) -> None:
    """Against function values, for networks that differ a little or only in their parameters."""
    r = random.Random(seed)
    seen = []
    for net, vertices in cases.random_cases(seed + 500, 60):
        other = changed(r, net)
        domain = bridge.domain(vertices, net.d)
        forms = [normal_form(shallow(bridge.network(n)), domain) for n in (net, other)]
        assert (forms[0] == forms[1]) == so.equal(net, other, vertices), (net, other)
        seen.append(forms[0] == forms[1])
    assert 5 < sum(seen) < len(seen) - 5


def changed(r: random.Random, net: so.Net) -> so.Net:
    """A rescaling, a turn with matching bias, a split of a neuron in two, or a small change."""
    neurons = list(net.neurons)
    i = r.randrange(len(neurons))
    w, b, v = neurons[i]
    kind = r.choice(("scale", "turn", "split", "output", "move"))
    if kind == "scale":
        neurons[i] = (so.scale(3, w), 3 * b, so.scale(Fraction(1, 3), v))
    if kind == "turn":
        neurons[i] = (so.scale(-1, w), -b, v)
        return so.flip(net, [i], None)
    if kind == "split":
        neurons[i : i + 1] = [(w, b, so.scale(2, v)), (w, b, so.scale(-1, v))]
    if kind == "output":
        neurons[i] = (w, b, tuple(entry + Fraction(1, 1000) for entry in v))
    if kind == "move" and net.hidden_bias:
        neurons[i] = (w, b + 1, v)
    return net._replace(neurons=tuple(neurons))


def test_permutation_and_scaling_leave_the_form() -> None:
    net = shallow_network([(1, 1, 2), (-2, 3, 5), (1, 4, -1)])
    moved = net.permute([[2, 0, 1]]).rescale([[2, "1/3", 5]])
    assert normal_form(shallow(net), Domain.space(1)) == normal_form(shallow(moved), Domain.space(1))


def test_the_form_as_text() -> None:
    form = normal_form(shallow(zoo.specimen("S12a").network), Domain.space(1))
    assert form.explain().splitlines() == [
        "across x0 = 0 the jump is (1, 1)",
        "affine part of output 0: 1/2*x0",
        "affine part of output 1: -1/2*x0",
    ]


def test_a_thin_domain_has_no_normal_form() -> None:
    with pytest.raises(InvalidDomain, match="must have interior points for a normal form, but lies in x0 = 1"):
        normal_form(shallow(Network.mlp([[[1]], [[1]]])), Domain.box([(1, 1)]))
