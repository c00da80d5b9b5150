"""Equality of deep networks: rewritings that keep the function, changes too small to be met by chance, refusals."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from oracles import forward

from exactrelu import Domain, InvalidDomain, Layer, Network, Point, Status, Verdict, same_function
from exactrelu.equality.same_function import ZeroDifference
from exactrelu.regions import activation_regions, count_regions

TINY = Fraction(1, 2**40)
Matrix = list[list[Fraction]]
Theta = tuple[list[Matrix], list[list[Fraction]]]  # weights and biases of a perceptron


def random_theta(r: Random, d: int, outputs: int = 1) -> Theta:
    widths = [d, *(r.randint(1, 3) for _ in range(r.randint(1, 2))), outputs]
    size = r.choice((1, 2, 5))

    def vector(n: int) -> list[Fraction]:
        return [Fraction(r.randint(-size, size), r.choice((1, 1, 2, 3))) for _ in range(n)]

    pairs = list(pairwise(widths))
    return [[vector(a) for _ in range(b)] for a, b in pairs], [vector(b) for _, b in pairs]


def identity_layer(r: Random, theta: Theta) -> Theta:
    """sigma(sigma(z)) = sigma(z): one more hidden layer after some hidden layer."""
    (weights, biases), k = theta, r.randint(1, len(theta[0]) - 1)
    size = len(biases[k - 1])
    unit = [[Fraction(int(i == j)) for j in range(size)] for i in range(size)]
    return [*weights[:k], unit, *weights[k:]], [*biases[:k], [Fraction(0)] * size, *biases[k:]]


def split_input(r: Random, theta: Theta) -> Theta:
    """x = sigma(x) - sigma(-x): one more hidden layer at the beginning."""
    weights, biases = theta
    d = len(weights[0][0])
    unit = [[Fraction(s * (i == j)) for j in range(d)] for i in range(d) for s in (1, -1)]
    first = [[s * c for c in row for s in (1, -1)] for row in weights[0]]
    return [unit, first, *weights[1:]], [[Fraction(0)] * 2 * d, *biases]


def duplicate(r: Random, theta: Theta) -> Theta:
    """A hidden neuron twice, its outgoing weights split."""
    weights, biases = [[list(row) for row in m] for m in theta[0]], [list(b) for b in theta[1]]
    k = r.randint(0, len(weights) - 2)
    i, part = r.randrange(len(weights[k])), Fraction(r.randint(-2, 4), 3)
    weights[k].append(list(weights[k][i]))
    biases[k].append(biases[k][i])
    for row in weights[k + 1]:
        row.append(row[i] * part)
        row[i] *= 1 - part
    return weights, biases


def opposite_pair(r: Random, theta: Theta) -> Theta:
    """sigma(z) = z + sigma(-z) in the first layer; z passes as sigma(z + M) - sigma(-z - M)."""
    weights, biases = [[list(row) for row in m] for m in theta[0]], [list(b) for b in theta[1]]
    i, shift = r.randrange(len(weights[0])), Fraction(r.randint(-2, 2))
    w, b = weights[0][i], biases[0][i]
    minus = [-c for c in w]
    weights[0][i], biases[0][i] = minus, -b
    weights[0] += [w, minus]
    biases[0] += [b + shift, -b - shift]
    for k, row in enumerate(weights[1]):
        row += [row[i], -row[i]]
        biases[1][k] -= row[i] * shift
    return weights, biases


REWRITINGS: list[Callable[[Random, Theta], Theta]] = [identity_layer, split_input, duplicate, opposite_pair]


def values(net: Network, point: object) -> list[Fraction]:
    return forward(net.to_json(), point)[1][-1]


def assert_fails(verdict: Verdict, left: Network, right: Network, domain: Domain | None = None) -> None:
    assert verdict.status is Status.FAILS
    assert isinstance(verdict.evidence, Point)
    point = verdict.evidence.point
    assert domain is None or domain.contains(point)
    assert values(left, point) != values(right, point)


def without_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    """No simple points: the regions of the difference must find one."""
    module = importlib.import_module("exactrelu.equality.same_function")
    monkeypatch.setattr(module, "differing_point", lambda *_, **__: None)


@pytest.mark.parametrize("seed", [*range(16), *(pytest.param(s, marks=pytest.mark.sweep) for s in range(16, 300))])
def test_rewritings(seed: int) -> None:
    r = Random(seed)
    d, outputs = r.choice((1, 2, 2)), r.randint(1, 2)
    theta = other = random_theta(r, d, outputs)
    for _ in range(r.randint(1, 2)):
        other = r.choice(REWRITINGS)(r, other)
    if len(other[0]) == 2:
        other = identity_layer(r, other)
    rho = r.choice(("identity", "identity", "relu"))
    left, right = (Network.mlp(*t, output_activation=rho) for t in (theta, other))
    domain = r.choice((Domain.space(d), Domain.box([(-1, 2)] * d)))
    for a, b in ((left, right), (right, left)):
        verdict = same_function(a, b, domain)
        assert verdict.status is Status.HOLDS
        assert verdict.evidence == ZeroDifference(count_regions(a - b, domain))
        assert str(verdict.evidence.regions) in verdict.explain()


def cone(centre: list[Fraction], width: Fraction, outputs: int = 1) -> Network:
    """max(0, width / 2 - |x1 - c1| - ... ): not 0 in one small ball only; the last of the outputs."""
    d = len(centre)
    rows = [[s * (i == j) for j in range(d)] for i in range(d) for s in (1, -1)]
    shifts = [-s * c for c in centre for s in (1, -1)]
    last = [[0]] * (outputs - 1) + [[1]]
    return Network.mlp([rows, [[-1] * (2 * d)], last], [shifts, [width / 2], [0] * outputs])


@pytest.mark.parametrize("seed", [*range(8), *(pytest.param(s, marks=pytest.mark.sweep) for s in range(8, 120))])
def test_a_small_cone_in_one_region(seed: int) -> None:
    """One region gets a cone of width 2^-40; without that region the networks are equal."""
    r = Random(seed)
    d, outputs = r.choice((1, 2)), r.randint(1, 2)
    net = Network.mlp(*random_theta(r, d, outputs))
    cx = activation_regions(net)
    centre = list(cx[r.randrange(len(cx))].interior_point)
    other = net - cone(centre, TINY, outputs)
    assert_fails(same_function(net, other), net, other)
    assert_fails(same_function(other, net), other, net)
    box = Domain.box([(c - 1, c + 1) for c in centre])
    assert_fails(same_function(net, other, box), net, other, box)
    corner = Domain.box([(c, c + 1) for c in centre])
    assert_fails(same_function(net, other, corner), net, other, corner)
    beside = Domain.box([(centre[0] + TINY / 2, centre[0] + 1), *((c - 1, c + 1) for c in centre[1:])])
    assert same_function(net, other, beside).status is Status.HOLDS


@pytest.mark.parametrize("seed", [*range(8), *(pytest.param(s, marks=pytest.mark.sweep) for s in range(8, 120))])
def test_changed_parameters(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal by values at many points exactly when equal by regions; points found with and without luck."""
    r = Random(1000 + seed)
    d = r.choice((1, 2))
    left = Network.mlp(*identity_layer(r, random_theta(r, d, 2)))
    parameter = r.choice(left.parameters)
    step = r.choice((1, Fraction(1, 7), TINY))
    right = left.replace({parameter.name: parameter.value + step})
    domain = r.choice((Domain.space(d), Domain.box([("1/3", 2)] * d)))
    zero = all(not any(map(any, (*region.affine_map[0], region.affine_map[1])))
               for region in activation_regions(left - right, domain))  # fmt: skip
    lucky = same_function(left, right, domain)
    without_luck(monkeypatch)
    for verdict in (lucky, same_function(left, right, domain)):
        if zero:
            assert verdict.status is Status.HOLDS
            sample = [tuple(Fraction(r.randint(3, 18), 9) for _ in range(d)) for _ in range(30)]
            assert all(values(left, x) == values(right, x) for x in sample)
        else:
            assert_fails(verdict, left, right, domain)
            if step != TINY:  # else the first region in which they differ may be a narrow strip
                assert max(c.denominator for c in verdict.evidence.point) <= 64


def max_of(order: str) -> Network:
    """max(0, x, y) in three ways."""
    if order == "x first":  # max(0, x) = p; max(p, y) = y+ - y- + sigma(p - y+ + y-)
        return Network.mlp([[[1, 0], [0, 1], [0, -1]], [[0, 1, 0], [0, 0, 1], [1, -1, 1]], [[1, -1, 1]]])
    if order == "y first":
        return Network.mlp([[[0, 1], [1, 0], [-1, 0]], [[0, 1, 0], [0, 0, 1], [1, -1, 1]], [[1, -1, 1]]])
    return Network.mlp([[[1, -1], [0, 1], [0, -1]], [[1, 1, -1]], [[1]]])  # sigma(sigma(x - y) + y)


ABS = Network.mlp([[[1], [-1]], [[1, 1]]])
DEEP_ABS = Network.mlp([[[1], [-1]], [[1, 1]], [[1]]])
CUT = Network.mlp([[[1], [-1]], [[1, 1]], [[1]]], [[0, 0], ["-1/10"], ["1/10"]])  # max(|x|, 1/10)
SKIP = Network(1, [Layer({0: [[-2]]}), Layer({0: [[1]], 1: [[1]]}, activation="identity")])  # x + sigma(-2x) = |x|
POSITIVE = Network.mlp([[[1]], [[1]]], output_activation="relu")
TWO = Network.mlp([[[1], [-1]], [[1, 0], [0, 1]], [[1, 1], [1, -1]]])  # (|x|, x)
TWO_BENT = TWO.replace({"w[3<-2][1,1]": Fraction(-1) - TINY})
PLANE = Network.mlp([[[1, 0]], [[1]], [[1]]])

PAIRS = {
    "max of three: x, y": (max_of("x first"), max_of("y first"), "R^2", True),
    "max of three: nested": (max_of("x first"), max_of("nested"), "R^2", True),
    "|x| and deep |x|": (ABS, DEEP_ABS, "R", True),
    "|x| and its skip form": (SKIP, DEEP_ABS, "R", True),
    "|x| and x": (SKIP, Network.mlp([[[1]]]), "R", False),
    "|x| and x, positive side": (SKIP, Network.mlp([[[1]]]), "[0,5]", True),
    "|x| and x, positive side with a little more": (SKIP, Network.mlp([[[1]]]), f"[{-TINY},5]", False),
    "max(|x|, 1/10)": (DEEP_ABS, CUT, "R", False),
    "max(|x|, 1/10) from 1/10 on": (DEEP_ABS, CUT, "[1/10,3]", True),
    "max(|x|, 1/10) before 1/10": (DEEP_ABS, CUT, f"[{Fraction(1, 10) - TINY},3]", False),
    "equal at the centre": (Network.mlp([[[1]]]), Network.mlp([[[0]]]), "[-1/4,1/4]", False),
    "second output": (TWO, TWO_BENT, "R", False),
    "second output, where it is the same": (TWO, TWO_BENT, "[0,1]", True),
    "ReLU output": (POSITIVE, Network.mlp([[[1]], [[1]], [[1]]]), "R", True),
    "ReLU output where it bends": (POSITIVE, Network.mlp([[[1]]], output_activation="relu"), "R", True),
    "ReLU output and none": (Network.mlp([[[1]]]), Network.mlp([[[1]]], output_activation="relu"), "R", False),
    "no hidden layers": (Network.mlp([[[1, 2]]], [[3]]), Network.mlp([[[1, 2]]], [[3]]), "R^2", True),
    "constants": (Network.mlp([[[0]], [[1]], [[1]]], [[1], [2], [0]]), Network.mlp([[[0]]], [[3]]), "R", True),
    "tiny constant": (Network.mlp([[[0]]], [[3]]), Network.mlp([[[0]]], [[3 + TINY**9]]), "[0,1]", False),
    "far away": (Network.mlp([[[1]], [[1]], [[1]]], [[-(10**50)], [0], [0]]), Network.mlp([[[0]]]), "R", False),
}


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("luck", [True, False])
def test_pairs(name: str, luck: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    left, right, text, equal = PAIRS[name]
    if not luck:
        without_luck(monkeypatch)
    for a, b in ((left, right), (right, left)):
        verdict = same_function(a, b, text)
        if equal:
            assert (verdict.status, bool(verdict.evidence.explain())) == (Status.HOLDS, True)
        else:
            assert_fails(verdict, a, b, Domain.parse(text))
            assert verdict.to_json()["evidence"] == {"point": [str(c) for c in verdict.evidence.point]}


def test_points_are_simple() -> None:
    """Small numerators where a simple point tells."""
    assert same_function(SKIP, Network.mlp([[[1]]])).evidence.point == (-1,)
    assert same_function(DEEP_ABS, CUT).evidence.point == (0,)
    for seed in range(10):
        a, b = (Network.random((2, 3, 3, 1), seed + k) for k in (0, 100))
        point = same_function(a, b, "[1/2,3]^2").evidence.point
        assert max(max(abs(c.numerator), c.denominator) for c in point) <= 4


@pytest.mark.parametrize(("budget", "status"), [(0, "unknown"), (5, "unknown"), (None, "holds"), (10**9, "holds")])
def test_budget(budget: int | None, status: str) -> None:
    theta = random_theta(Random(3), 2)
    left, right = Network.mlp(*theta), Network.mlp(*identity_layer(Random(0), theta))
    count = count_regions(left - right)
    assert count > 5
    verdict = same_function(left, right, budget=budget)
    assert verdict.status.value == status
    if status == "unknown":
        (condition,) = verdict.conditions
        assert (condition.id, condition.status) == ("regions", Status.UNKNOWN)
        assert f"at most {budget} regions" in condition.detail
        assert verdict.evidence is None
    assert same_function(left, right, budget=count).status is Status.HOLDS
    assert same_function(left, right, budget=count - 1).status is Status.UNKNOWN


def test_a_difference_within_a_small_budget() -> None:
    assert_fails(same_function(DEEP_ABS, CUT, budget=0), DEEP_ABS, CUT)


THIN = [
    (Domain.box([(0, 1), (2, 2)]), "x1 = 2"),
    (Domain.polytope(vertices=[(0, 0), (1, 1)]), "x0 - x1 = 0"),
    (Domain.polytope(vertices=[("1/2", 3)]), "= "),
]


@pytest.mark.parametrize(("domain", "equation"), THIN)
def test_thin_domains_are_refused(domain: Domain, equation: str) -> None:
    rule = f"^domain: must have interior points for the comparison of deep networks, but lies in .*{equation}"
    with pytest.raises(InvalidDomain, match=rule) as caught:
        same_function(PLANE, max_of("x first"), domain)
    assert "\n" not in str(caught.value)


def test_other_dimensions_are_inapplicable() -> None:
    verdict = same_function(DEEP_ABS, TWO)
    assert (verdict.status, verdict.conditions[0].id) == (Status.INAPPLICABLE, "same_dimensions")
    assert same_function(PLANE, DEEP_ABS).status is Status.INAPPLICABLE
