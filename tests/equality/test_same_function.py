"""Equality of functions: the verdict against values at all 0-faces, and points that tell networks apart."""

from __future__ import annotations

import importlib
import random
from fractions import Fraction

import pytest
import shallow_bridge as bridge
import shallow_cases as cases
import shallow_oracle as so
import shallow_search as search

from exactrelu import Domain, InvalidInput, Network, Point, Status, Verdict, WrongDimension, same_function, zoo
from exactrelu.equality import NormalForm
from exactrelu.zoo import shallow_network

TINY = Fraction(1, 2**40)
FACE = [((1, -1), 0, 1), ((0, 1), 0, 1), ((0, -1), 0, -1)]
TURNED = [((-1, 1), 0, 1), ((1, 0), 0, 1), ((-1, 0), 0, -1)]


def bump(centre: Fraction | int, width: Fraction, *, height: int = 1, rest: list[object] | None = None) -> Network:
    """A function that is not 0 on an interval of the given width only (plus the neurons ``rest``)."""
    slope = 2 * height / width
    kinks = [(centre - width / 2, slope), (centre, -2 * slope), (centre + width / 2, slope)]
    return shallow_network([*((1, -kink, jump) for kink, jump in kinks), *(rest or [])])


ZERO = shallow_network([(0, 0, 0)])
RIDGE = shallow_network([((1, 2), f"{k}", jump) for k, jump in ((TINY, 1), (0, -2), (-TINY, 1))])
PLANE_ZERO = shallow_network([((0, 0), 0, 0)])
BEND = shallow_network([(1, 0, 1)])
PAIR = zoo.specimen("S07b").network
SWUNG = shallow_network([(1, 0, 3), (-1, 2, 1)], constant=[-2])
TWO = zoo.specimen("S12a").network
LINE = shallow_network([(1, 5, 1)], constant=[-5])

# name: network, network, domain, equal
PAIRS = {
    "max two ways": (shallow_network(FACE), shallow_network(TURNED), "R^2", True),
    "|x| and |x| cut off": (
        zoo.specimen("absolute_value").network,
        shallow_network([(1, "1/10", 1), (-1, "1/10", 1)], constant=["-1/10"]), "R", False),
    "the same beyond the cut": (
        zoo.specimen("absolute_value").network,
        shallow_network([(1, "1/10", 1), (-1, "1/10", 1)], constant=["-1/10"]), "[1/10,7]", True),
    "hat flipped": (zoo.HAT, zoo.HAT.flip([0, 1, 2]), "R", True),
    "hat flipped in part": (zoo.HAT, zoo.HAT.flip([0, 1]), "R", False),
    "other widths": (ZERO, shallow_network([(1, 2, 0), (0, 0, 3)]), "R", True),
    "S07b": (PAIR, SWUNG, "[-1,1]", True),
    "S07b beyond": (PAIR, SWUNG, "[-1,3]", False),
    "linear up to 0": (BEND, LINE, "[0,9]", True),
    "linear up to just below 0": (BEND, LINE, f"[{-TINY},9]", False),
    "a narrow bump": (bump(Fraction(1, 3), TINY), ZERO, "R", False),
    "a narrow bump in the domain": (bump(Fraction(1, 3), TINY), ZERO, "[0,1]", False),
    "half of a narrow bump": (bump(Fraction(1, 3), TINY), ZERO, "[1/3,1]", False),
    "a narrow bump outside": (bump(Fraction(1, 3), TINY), ZERO, "[1/2,1]", True),
    "a bump far away": (bump(10**30, Fraction(1)), ZERO, "R", False),
    "a narrow bump far away": (bump(10**30, TINY), ZERO, "R", False),
    "a narrow ridge": (RIDGE, PLANE_ZERO, "R^2", False),
    "a narrow ridge in a corner": (RIDGE, PLANE_ZERO, "[0,1]^2", False),
    "a narrow ridge in a strip": (RIDGE, PLANE_ZERO, "Rx[5,6]", False),
    "a tiny slope": (shallow_network([(1, 0, TINY**2)]), ZERO, "[-1,1]", False),
    "a tiny constant": (ZERO, shallow_network([(0, 0, 0)], constant=[TINY]), "R", False),
    "jumps that cancel": (shallow_network([(1, 0, 1), (2, 0, "-1/2")]), ZERO, "R", True),
    "second output": (TWO, TWO.replace({"w[2<-1][1,1]": 2}), "R", False),
}  # fmt: skip


def assert_point(verdict: Verdict, left: Network, right: Network, domain: Domain) -> None:
    """The point lies in the domain and tells the networks apart, by the oracle's evaluation."""
    assert isinstance(verdict.evidence, Point)
    point = verdict.evidence.point
    assert domain.contains(point)
    assert so.evaluate(bridge.plain(left), point) != so.evaluate(bridge.plain(right), point)


@pytest.mark.parametrize("name", PAIRS)
def test_pairs(name: str) -> None:
    left, right, text, equal = PAIRS[name]
    domain = Domain.parse(text)
    for one, other in ((left, right), (right, left)):
        verdict = same_function(one, other, text)
        assert verdict.status is (Status.HOLDS if equal else Status.FAILS)
        if equal:
            assert isinstance(verdict.evidence, NormalForm)
        else:
            assert_point(verdict, one, other, domain)


def near(r: random.Random, net: so.Net, vertices: bridge.Vertices) -> so.Net:
    """An equal network by a theorem, or a network with one number changed a little."""
    choice = r.randrange(4)
    if choice == 0 and so.supported(net, vertices):
        other = search.global_witness(net, vertices) if search.global_(net, vertices) == so.FAILS else net
        return other or net
    neurons = list(net.neurons)
    i = r.randrange(len(neurons))
    w, b, v = neurons[i]
    step = r.choice((1, Fraction(1, 100), TINY))
    if choice == 1:
        neurons[i] = (w, b + step * net.hidden_bias, v)
    elif choice == 2:
        neurons[i] = (so.scale(1 + step, w), b, v)
    else:
        neurons[i] = (w, b, so.scale(1 - step, v))
    return net._replace(neurons=tuple(neurons))


@pytest.mark.parametrize("seed", [*range(5), *(pytest.param(s, marks=pytest.mark.sweep) for s in range(5, 80))])
def test_random_pairs(seed: int) -> None:
    r = random.Random(seed)
    seen = []
    for net, vertices in cases.random_cases(seed + 40, 40):
        other = near(r, net, vertices)
        domain = bridge.domain(vertices, net.d)
        left, right = bridge.network(net), bridge.network(other)
        verdict = same_function(left, right, domain)
        assert verdict.status.value == ("holds" if so.equal(net, other, vertices) else "fails"), (net, other)
        if verdict.status is Status.FAILS:
            assert_point(verdict, left, right, domain)
        seen.append(verdict.status)
    assert len(set(seen)) == 2


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(s, marks=pytest.mark.sweep) for s in range(3, 60))])
def test_the_search_that_cannot_miss(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Simple points usually come first; without them a point is built across a differing hyperplane."""
    module = importlib.import_module("exactrelu.equality.same_function")
    monkeypatch.setattr(module, "differing_point", lambda *_, **__: None)
    r = random.Random(seed)
    built = 0
    for net, vertices in cases.random_cases(seed + 300, 40):
        other = near(r, net, vertices)
        domain = bridge.domain(vertices, net.d)
        left, right = bridge.network(net), bridge.network(other)
        verdict = same_function(left, right, domain)
        if verdict.status is Status.FAILS:
            assert_point(verdict, left, right, domain)
            built += 1
    assert built > 10


def thin_domain(r: random.Random, dimension: int) -> list[tuple[Fraction, ...]]:
    """A point, segment or triangle of lower dimension."""
    corners = [tuple(Fraction(r.randint(-3, 3), 2) for _ in range(dimension)) for _ in range(r.randint(1, dimension))]
    return list(dict.fromkeys(corners))


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(s, marks=pytest.mark.sweep) for s in range(4, 40))])
def test_thin_domains(seed: int) -> None:
    """On a thin domain forms may change by its equations; the rest is decided by values."""
    r = random.Random(seed)
    seen = []
    for net, _ in cases.random_cases(seed + 70, 25):
        vertices = thin_domain(r, net.d)
        domain = Domain.polytope(vertices=vertices)
        neurons = [(w, b, v) for w, b, v in net.neurons]
        w, b, v = neurons[0]
        normal = r.choice(so.nullspace([so.add(x, vertices[0], -1) for x in vertices[1:]] or [(0,) * net.d], net.d))
        if r.random() < 0.7:
            neurons[0] = (so.add(w, normal), b - so.dot(normal, vertices[0]), v)
        else:
            neurons[0] = (w, b + TINY, v)
        other = so.Net(tuple(neurons), net.c, True)
        left, right = bridge.network(net._replace(hidden_bias=True)), bridge.network(other)
        verdict = same_function(left, right, domain)
        expected = so.equal(net._replace(hidden_bias=True), other, vertices)
        assert verdict.status.value == ("holds" if expected else "fails"), (net, other, vertices)
        if verdict.status is Status.FAILS:
            assert_point(verdict, left, right, domain)
        seen.append(verdict.status)
    assert len(set(seen)) == 2


UNBOUNDED = {
    "half-line": [((-1,), 0)],
    "other half-line": [((2,), 1)],
    "quadrant": [((-1, 0), 0), ((0, -1), 0)],
    "wedge": [((-1, 1), 0), ((-1, -1), 0)],
    "half-plane": [((1, 1), -3)],
    "slab": [((1, 1), 1), ((-1, -1), 1)],
}


@pytest.mark.parametrize("name", UNBOUNDED)
def test_unbounded_polyhedra(name: str) -> None:
    """A difference that shows only far out in the domain, or only outside of it."""
    domain = Domain.polytope(halfspaces=UNBOUNDED[name])
    axis = domain.rays[0] if domain.rays else domain.lines[0]
    far = [entry * 10**12 + start for entry, start in zip(axis, domain.interior_point(), strict=True)]
    level = so.dot(axis, far)
    zero = shallow_network([((0,) * len(axis), 0, 0)])
    late = shallow_network([(axis, -level, 1)])
    assert domain.contains(far)
    assert_point(same_function(late, zero, domain), late, zero, domain)
    outer = domain.halfspaces[0]
    beyond = shallow_network([(outer.normal, -outer.bound, 1)])
    assert same_function(beyond, zero, domain).status is Status.HOLDS
    inside = shallow_network([(outer.normal, -outer.bound + TINY, 1)])
    assert_point(same_function(inside, zero, domain), inside, zero, domain)


def test_a_domain_of_every_direction_finds_its_bump() -> None:
    """Skew ridges of width 2^-40 through a simplex, against the same network without them."""
    r = random.Random(4)
    triangle = Domain.polytope(vertices=cases.TRIANGLE)
    for _ in range(25):
        w = (r.randint(1, 5), r.randint(1, 5))
        level = Fraction(r.randint(1, 99), 100) * min(w)
        kinks = [(w, -level + shift, jump) for shift, jump in ((TINY, 1), (0, -2), (-TINY, 1))]
        rest = [((1, -1), "1/7", 3), ((2, 1), "-1/3", -1)]
        left, right = shallow_network([*kinks, *rest]), shallow_network(rest)
        assert_point(same_function(left, right, triangle), left, right, triangle)


# ------------------------------------------------------------- everything else


def test_dimensions_must_agree() -> None:
    for other in (shallow_network([((1, 0), 0, 1)]), shallow_network([(1, 0, (1, 1))])):
        verdict = same_function(zoo.HAT, other)
        assert verdict.status is Status.INAPPLICABLE
        assert "inputs and outputs are (1, 1) and" in verdict.explain()


def test_bad_domains_are_refused() -> None:
    with pytest.raises(WrongDimension, match="domain: must have 1 coordinates; got 2"):
        same_function(zoo.HAT, zoo.HAT, "R^2")
    with pytest.raises(InvalidInput):
        same_function(zoo.HAT, zoo.HAT, "[1,0]")


def test_a_deep_network_is_refuted_by_a_point_or_unknown() -> None:
    deep = Network.mlp([[[1]], [[1]], [[1]]], [[0], [-1], [0]])
    other = deep.replace({"b[2][0]": -2})
    verdict = same_function(deep, other)
    assert verdict.status is Status.FAILS
    assert deep(verdict.evidence.point) != other(verdict.evidence.point)
    assert same_function(deep, deep.rescale([[2], [3]])).status is not Status.FAILS


def test_the_claim_names_the_domain() -> None:
    assert same_function(zoo.HAT, zoo.HAT, "[0,1]").claim == "the two networks compute the same function on [0,1]"
    assert same_function(zoo.HAT, zoo.HAT).claim == "the two networks compute the same function"
