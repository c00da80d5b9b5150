"""Operations on networks: the function is preserved, or changes exactly as defined; everything else is refused."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from oracles import forward, parameters
from strategies import random_dag, random_mlp, random_permutation, random_point, random_scalings

from exactrelu import DifferentArchitecture, InexactNumber, InvalidInput, Layer, Network, WrongDimension

ONE = Network.mlp([[[1]], [[1]]])
PAIR = Network.mlp([[[1], [2]], [[3, 4]]], [[5, 6], [7]])
# y = sigma(x + 1/2) - sigma(x - 1/2); turning both neurons around preserves it
STEP = Network.mlp([[[1], [1]], [[1, -1]]], [["1/2", "-1/2"], [0]])
SKIP = Network(1, [Layer({0: [[1]]}, bias=[-1]), Layer({0: [[-1]], 1: [[2]]}, bias=[0], activation="identity")])


def networks(count: int):
    """Seeded networks with a point each."""
    r = random.Random(0)
    for k in range(count):
        net = random_dag(r) if k % 3 else random_mlp(r)
        yield r, net, random_point(r, net.input_dim)


def value(net: Network, point) -> list[Fraction]:
    """The output by plain arithmetic."""
    return forward(net.to_json(), point)[1][-1]


def test_rescaling_multiplies_parameters_and_keeps_the_function():
    for r, net, point in networks(600):
        scalings = random_scalings(r, net)
        moved = net.rescale(scalings)
        factor = {(k, i): s for k, group in enumerate(scalings, 1) for i, s in enumerate(group)}
        for old, new in zip(net.parameters, moved.parameters, strict=True):
            assert new.name == old.name
            assert new.value == old.value * factor.get(old.target, 1) / factor.get(old.source, 1)
        assert value(moved, point) == value(net, point)
        assert net.rescale(factor) == moved
        assert moved.rescale([[1 / s for s in group] for group in scalings]) == net


def test_permuting_moves_neurons_and_keeps_the_function():
    for r, net, point in networks(600):
        permutation = random_permutation(r, net)
        moved = net.permute(permutation)
        new_place = {(k, i): (k, j) for k, moves in enumerate(permutation, 1) for i, j in enumerate(moves)}
        expected = {
            (new_place.get(p.target, p.target), new_place.get(p.source, p.source)): p.value for p in net.parameters
        }
        assert {(p.target, p.source): p.value for p in moved.parameters} == expected
        assert value(moved, point) == value(net, point)
        back = [[moves.index(i) for i in range(len(moves))] for moves in permutation]
        assert moved.permute(back) == net


def test_permutation_by_hand():
    assert PAIR.permute([[1, 0]]) == Network.mlp([[[2], [1]], [[4, 3]]], [[6, 5], [7]])
    three = Network.mlp([[[1], [2], [3]], [[4, 5, 6]]])
    assert three.permute([[1, 2, 0]]) == Network.mlp([[[3], [1], [2]], [[6, 4, 5]]])


def test_flip_is_defined_even_where_it_changes_the_function():
    assert PAIR.flip([1]) == Network.mlp([[[1], [-2]], [[3, 4]]], [[5, -6], [7 + 4 * 6]])
    assert PAIR.flip([]) == PAIR and PAIR.flip([1, 0]).flip([0, 1]) == PAIR
    assert PAIR.flip([1])([-4]) != PAIR([-4])
    assert STEP.flip([0, 1]) == Network.mlp([[[-1], [-1]], [[1, -1]]], [["-1/2", "1/2"], [1]])


def test_flip_preserves_the_function_exactly_when_the_sum_of_v_w_vanishes():
    r, kept = random.Random(3), 0
    for _ in range(800):
        d, width, outputs = r.randint(1, 2), r.randint(1, 3), r.randint(1, 2)
        w = [[Fraction(r.randint(-1, 1)) for _ in range(d)] for _ in range(width)]
        v = [[Fraction(r.randint(-1, 1)) for _ in range(width)] for _ in range(outputs)]
        b = [Fraction(r.randint(-2, 2), 2) for _ in range(width)]
        net = Network.mlp([w, v], [b, [0] * outputs])
        chosen = [i for i in range(width) if r.random() < 0.6]
        turned = net.flip(chosen)
        sums = [[sum((row[i] * w[i][j] for i in chosen), Fraction(0)) for j in range(d)] for row in v]
        # sigma(-t) = sigma(t) - t, hence the difference of the functions is linear with these slopes
        for _ in range(4):
            x = random_point(r, d)
            gap = [a - c for a, c in zip(value(net, x), value(turned, x), strict=True)]
            assert gap == [sum(s * c for s, c in zip(row, x, strict=True)) for row in sums]
        kept += bool(chosen) and not any(any(row) for row in sums)
    assert kept > 50


def test_flip_without_output_bias_needs_no_shift():
    net = Network.mlp([[[1], [1]], [[1, -1]]], [["1/2", "1/2"], None])
    assert net.flip([0, 1]) == Network.mlp([[[-1], [-1]], [[1, -1]]], [["-1/2", "-1/2"], None])
    assert ONE.flip([0]) == Network.mlp([[[-1]], [[1]]])
    with pytest.raises(InvalidInput, match=r"^flip: needs an output bias"):
        net.flip([0])


def test_replace_sets_the_named_parameters_only():
    for r, net, _ in networks(200):
        before = parameters(net.to_json())
        names = r.sample(list(before), r.randint(0, len(before)))
        after = parameters(net.replace(dict.fromkeys(names, "7/3")).to_json())
        assert after == {name: Fraction(7, 3) if name in names else old for name, old in before.items()}


def test_with_values_sets_all_parameters_in_order():
    for r, net, _ in networks(200):
        values = [Fraction(r.randint(-5, 5), 3) for _ in net.parameters]
        moved = net.with_values(values)
        assert list(parameters(moved.to_json()).values()) == values
        assert moved.architecture == net.architecture


def test_differences_of_networks_of_any_depth():
    r, bent = random.Random(5), 0
    for _ in range(1200):
        left = random_dag(r) if r.random() < 0.7 else random_mlp(r)
        right = random_dag(r)
        if (left.input_dim, left.output_dim) != (right.input_dim, right.output_dim):
            right = random_dag(r, max_layers=2)
            if (left.input_dim, left.output_dim) != (right.input_dim, right.output_dim):
                continue
        if r.random() < 0.4:
            last = left.layers[-1]
            left = Network(left.input_dim, [*left.layers[:-1], Layer(last.weights, bias=last.bias)])
            bent += 1
        both = left - right
        assert both.layers[-1].is_affine
        for _ in range(3):
            x = random_point(r, left.input_dim)
            assert value(both, x) == [a - b for a, b in zip(value(left, x), value(right, x), strict=True)]
    assert bent > 50


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (ONE, ONE),
        (ONE, Network.mlp([[[2]]])),
        (Network.mlp([[[2]]]), Network.mlp([[[1]]] * 5, [[-1]] * 5)),
        (SKIP, Network.mlp([[[1]]], output_activation="relu")),
        (Network(1, [Layer({}, bias=[2]), Layer({1: [[1]]}, activation="identity")]), SKIP),
    ],
)
def test_differences_by_hand(left, right):
    for k in range(-12, 13):
        x = [Fraction(k, 2)]
        assert value(left - right, x) == [left(x)[0] - right(x)[0]]
        assert value(right - left, x) == [right(x)[0] - left(x)[0]]


# the place of the mistake, not only its kind
REFUSED = {
    "scaling 0": (lambda: ONE.rescale([[0]]), InvalidInput, "scalings[(1, 0)]: must be positive; got 0"),
    "negative scaling": (lambda: ONE.rescale({(1, 0): "-1/2"}), InvalidInput, "scalings[(1, 0)]: must be positive"),
    "float scaling": (lambda: ONE.rescale([[0.5]]), InexactNumber, "scalings[(1, 0)]: must be exact"),
    "too many scalings": (lambda: ONE.rescale([[1, 2]]), WrongDimension, "scalings: must have one group per hidden"),
    "too many groups": (lambda: ONE.rescale([[1], [1]]), WrongDimension, "scalings: must have one group per hidden"),
    "scaling of an input": (lambda: ONE.rescale({(0, 0): 2}), InvalidInput, "scalings: must name hidden neurons as"),
    "scaling of an output": (lambda: ONE.rescale({(2, 0): 2}), InvalidInput, "scalings: must name hidden neurons as"),
    "scaling of no neuron": (lambda: ONE.rescale({(1, 1): 2}), InvalidInput, "scalings: must name hidden neurons as"),
    "scaling of a name": (lambda: ONE.rescale({"a": 2}), InvalidInput, "scalings: must name hidden neurons as"),
    "scalings without groups": (lambda: ONE.rescale([1]), InvalidInput, "scalings"),
    "scalings None": (lambda: ONE.rescale(None), InvalidInput, "scalings: must"),
    "no permutation": (lambda: ONE.permute([]), WrongDimension, "permutation: must have 1 entries, one per hidden"),
    "no bijection": (lambda: PAIR.permute([[0, 0]]), InvalidInput, "permutation[0]: must permute 0 to 1; got [0, 0]"),
    "too far": (lambda: PAIR.permute([[1, 2]]), InvalidInput, "permutation[0]: must permute 0 to 1; got [1, 2]"),
    "too short": (lambda: PAIR.permute([[0]]), InvalidInput, "permutation[0]: must permute 0 to 1; got [0]"),
    "permutation without groups": (lambda: ONE.permute([0]), InvalidInput, "permutation[0]: must"),
    "permutation of text": (lambda: PAIR.permute([[0, "a"]]), InvalidInput, "permutation[0]: must permute 0 to 1"),
    "flip deep": (lambda: Network.mlp([[[1]]] * 3).flip([0]), InvalidInput, "flip: needs one hidden layer"),
    "flip skip": (lambda: SKIP.flip([0]), InvalidInput, "flip: needs one hidden layer without skips or absent edges"),
    "flip far": (lambda: ONE.flip([1]), InvalidInput, "neurons: must be indices from 0 to 0; got 1"),
    "flip negative": (lambda: ONE.flip([-1]), InvalidInput, "neurons: must be indices from 0 to 0; got -1"),
    "flip text": (lambda: ONE.flip("0"), InvalidInput, "neurons: must be indices from 0 to 0; got '0'"),
    "flip number": (lambda: ONE.flip(0), InvalidInput, "neurons: must"),
    "unknown name": (lambda: ONE.replace({"w[1<-0][0,1]": 1}), InvalidInput, "values: must name parameters such as"),
    "float value": (lambda: ONE.replace({"w[1<-0][0,0]": 0.5}), InexactNumber, "w[1<-0][0,0]: must be exact"),
    "values no mapping": (lambda: ONE.replace([1]), InvalidInput, "values: must"),
    "too few values": (lambda: ONE.with_values([1]), WrongDimension, "values: must have 2 entries; got 1"),
    "absent value": (lambda: ONE.with_values([1, None]), InvalidInput, "values[1]: must be a rational number"),
    "input dimensions": (lambda: ONE - Network.mlp([[[1, 2]]]), DifferentArchitecture,
                         "networks: must have equal input and output dimensions; got ((1, 1), (2, 1))"),
    "output dimensions": (lambda: ONE - Network.mlp([[[1], [2]]]), DifferentArchitecture, "networks: must have equal"),
}  # fmt: skip


@pytest.mark.parametrize(("call", "kind", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_refused_with_its_place(call, kind, message):
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value).startswith(message)


def test_only_networks_are_subtracted():
    with pytest.raises(TypeError):
        ONE - 3
