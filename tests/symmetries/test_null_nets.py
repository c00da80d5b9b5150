"""Null nets against a search of its own that evaluates all small networks at many points."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations, product

import pytest
from strategies import random_dag
from symmetry_oracles import equal_on_all_regions, evaluate

from exactrelu import BudgetExceeded, InvalidInput, Layer, Network, Status
from exactrelu.symmetries.affine import affine_symmetries
from exactrelu.symmetries.null_nets import find_null_nets, is_null_net
from exactrelu.symmetries.orbit import representative


def nested(rho: object) -> Network:
    """The function rho(rho(t)) - rho(t), with all skips as parameters."""
    output = Layer({0: [[0]], 1: [[-1]], 2: [[1]]}, bias=[0], activation="identity")
    return Network(1, [Layer({0: [[1]]}, activation=rho), Layer({0: [[0]], 1: [[1]]}, activation=rho), output])


def v3(v=(1, 1, -1), z=((1, 0), (0, 1), (1, 1)), b=(0, 0, 0)) -> Network:
    """The sum of v (relu(z + b) - relu(-z - b)) - v b, two neurons per term."""
    rows = [[s * e for e in w] for w in z for s in (1, -1)]
    biases = [s * Fraction(e) for e in b for s in (1, -1)]
    constant = -sum(Fraction(e) * c for e, c in zip(b, v, strict=True))
    return Network.mlp([rows, [[s * c for c in v for s in (1, -1)]]], [biases, [constant]])


def zero(net: Network) -> Network:
    return Network.mlp([[[0] * net.input_dim] * net.output_dim])


def names(nets) -> set:
    """What networks are up to permutation, scaling and multiples of the output."""
    found = set()
    for net in map(representative, nets):
        hidden = [(p.name, p.value) for p in net.parameters if p.target[0] < net.depth and (p.source or p.value)]
        output = [p.value for p in net.parameters if p.target[0] == net.depth]
        largest = max(map(abs, output))
        found.add((tuple(hidden), max(tuple(e / s for e in output) for s in (largest, -largest))))
    return found


def relu(t):
    return max(t, Fraction(0))


def test_a_relu_of_a_relu_is_found():
    found = list(find_null_nets(widths=(1, 1)))
    assert names([nested("relu")]) <= names(found)
    for net in found:
        assert is_null_net(net).status is Status.HOLDS
        assert equal_on_all_regions(net, zero(net))


def test_six_neurons_in_two_inputs_are_found_and_fewer_are_not():
    found = list(find_null_nets(input_dim=2, widths=(6,), skips=False))
    # three of the four lines x, y, x + y, x - y through 0, in every way
    lines = [(1, 0), (0, 1), (1, 1), (1, -1)]
    expected = {
        v3(v, z)
        for z in combinations(lines, 3)
        for v in product((1, -1, 2, -2), repeat=3)
        if all(sum(c * w[j] for c, w in zip(v, z, strict=True)) == 0 for j in range(2))
    }
    assert len(found) == len(names(found)) == 4
    assert names(found) == names(expected)
    for width in range(1, 6):
        assert not list(find_null_nets(input_dim=2, widths=(width,), skips=False))


def test_one_input_and_one_hidden_layer_have_none_without_skips():
    for width in (1, 2, 3):
        nets = find_null_nets(widths=(width,), skips=False, biases=True, entries=(-1, 0, 1, 2), budget=20_000)
        assert not list(nets)


def test_with_a_skip_two_neurons_do():
    (net,) = find_null_nets(widths=(2,))
    assert representative(net) in {
        representative(
            Network(1, [Layer({0: [[1], [-1]]}), Layer({0: [[s]], 1: [[-s, s]]}, bias=[0], activation="identity")])
        )
        for s in (1, -1)
    }


def brute_force() -> set[Network]:
    """All networks 1-1-1-1 with skips, entries -1, 0, 1, 1/2, -1/2 at the output, that are 0 and lack nothing."""
    points = [[Fraction(t)] for t in (-3, -2, -1, 0, 1, 2, 3)]
    found = set()
    outputs = (-1, 0, 1, Fraction(1, 2), Fraction(-1, 2))
    for w, (a, c) in product((-1, 1), product((-1, 0, 1), repeat=2)):
        for x, h, g in product(outputs, repeat=3):
            # hidden relu(w t) and relu(a t + c relu(w t)); output x t + h first + g second
            fed = a or c
            clone = c == 0 and a == w  # positive multiples of each other
            heard = g and (h or c)
            if not (fed and heard) or clone:
                continue
            hidden = [Layer({0: [[w]]}), Layer({0: [[a]], 1: [[c]]})]
            net = Network(1, [*hidden, Layer({0: [[x]], 1: [[h]], 2: [[g]]}, bias=[0], activation="identity")])
            # linear between the kinks: all are at 0, so that these points decide
            if all(evaluate(net, point, relu) == [0] for point in points):
                found.add(net)
    return found


def test_against_brute_force():
    """The null nets with minimal support that a search through all output weights finds, no more and no fewer."""
    ours, theirs = list(find_null_nets(widths=(1, 1))), brute_force()
    minimal = {net for net in theirs if not any(smaller(other, net) for other in theirs)}
    assert names(minimal) == names(ours)
    assert len(ours) == len(names(ours)) > 5


def test_scales_of_inner_layers_count():
    """relu(x + 2 relu(2 x)) = 5 relu(x): the entries 1 and 2 give the weight 4 in normalised networks."""
    output = Layer({0: [[0]], 1: [["-5/2"]], 2: [[1]]}, bias=[0], activation="identity")
    net = Network(1, [Layer({0: [[2]]}), Layer({0: [[1]], 1: [[2]]}), output])
    assert is_null_net(net).status is Status.HOLDS
    assert names([net]) <= names(find_null_nets(widths=(1, 1), entries=(0, 1, 2)))


def smaller(first: Network, second: Network) -> bool:
    """Whether two networks differ only in the output, where the first has a smaller support."""
    if first.layers[:-1] != second.layers[:-1]:
        return False
    ones, twos = ({p.name for p in net.parameters if p.value and p.target[0] == net.depth} for net in (first, second))
    return ones < twos


def test_other_activations():
    found = list(find_null_nets("abs", widths=(1, 1)))
    assert names([nested("abs")]) <= names(found)
    clip = {"name": "clip", "lower": "0", "upper": "1"}
    # a clip of a clip plus 1 is the constant 1; a clip of a clip is the clip, which only a skip can see
    plain = list(find_null_nets(clip, widths=(1, 1), skips=False, biases=True, entries=(0, 1)))
    assert [net.layers[1].bias for net in plain] == [(1,), (1,)]
    (double,) = find_null_nets(clip, widths=(1, 1), entries=(0, 1))
    assert names([double]) == names([nested(clip)])
    for net in (*plain, double):
        assert is_null_net(net).status is Status.HOLDS and equal_on_all_regions(net, zero(net))


def test_is_null_net_says_what_is_missing():
    assert is_null_net(v3(b=("1/4", "-1/4", "1/8"))).status is Status.HOLDS
    other = v3(b=("1/4", "-1/4", "1/8")).replace({"b[2][0]": 0})
    verdict = is_null_net(other)
    assert verdict.status is Status.FAILS and verdict.condition("realizes_zero").status is Status.FAILS
    assert any(other(verdict.evidence.point))
    # z = (x, x - 1, y, 2 x + y), v = (1, 1, 1, -1): the first four neurons satisfy the four-term symmetry
    reducible = v3((1, 1, 1, -1), ((1, 0), (1, 0), (0, 1), (2, 1)), (0, -1, 0, 0))
    verdict = is_null_net(reducible)
    assert verdict.condition("realizes_zero").status is Status.HOLDS
    assert verdict.condition("no_internal_symmetry").status is Status.FAILS
    assert verdict.evidence.neurons == ((1, 0), (1, 1), (1, 2), (1, 3))
    mute = Network.mlp([[[1]], [[0]]], [[0], [0]])
    assert is_null_net(mute).condition("visible").status is Status.FAILS
    constant = Network.mlp([[[0]], [[1]]], [[1], [-1]])
    assert is_null_net(constant).condition("no_constant_neuron").status is Status.FAILS


def test_v3_has_no_part_with_a_symmetry():
    """All subsets of the six neurons with parallel weights, each with the kernel of its values along the line."""
    net = v3(b=("1/4", "-1/4", "1/8"))
    rows = list(zip(net.layers[0].blocks[0][1], net.layers[0].bias, strict=True))
    for size in range(1, 7):
        for part in combinations(rows, size):
            (first, _), *_ = part
            axis = next(j for j in range(2) if first[j])
            if all(w[0] * first[1] == w[1] * first[0] for w, _ in part):
                atoms = [(w[axis] / first[axis], b) for w, b in part]
                assert affine_symmetries("relu", atoms).dimension == 0
            else:
                assert len({w for w, _ in part}) > 1


def test_random_networks_are_null_nets_only_if_zero():
    for seed in range(60):
        net = random_dag(random.Random(seed), max_layers=2, max_width=2)
        verdict = is_null_net(net)
        assert (verdict.condition("realizes_zero").status is Status.HOLDS) == equal_on_all_regions(net, zero(net))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rho": "tanh"}, "rho: must be piecewise linear and bend"),
        ({"rho": "identity"}, "rho: must be piecewise linear and bend"),
        ({"rho": "cosine"}, "rho: must be one of"),
        ({"widths": ()}, "widths: must be positive integers"),
        ({"widths": (1, 0)}, "widths: must be positive integers"),
        ({"widths": "11"}, "widths: must be positive integers"),
        ({"input_dim": 0}, "input_dim: must be a positive integer"),
        ({"entries": (0.5,)}, "entries"),
        ({"budget": -1}, "budget: must be an integer"),
    ],
)
def test_bad_input(options, message):
    with pytest.raises(InvalidInput, match=message):
        find_null_nets(**options)


def test_budgets():
    with pytest.raises(BudgetExceeded, match="at most 30 choices of hidden neurons"):
        list(find_null_nets(widths=(2, 2), budget=30))
    with pytest.raises(BudgetExceeded, match="neurons of a layer"):
        list(find_null_nets(input_dim=30, widths=(2,)))


def test_tanh_has_values_but_no_regions():
    assert is_null_net(Network.mlp([[[1]], [[1]]], activation="tanh")).status is Status.FAILS
    odd = is_null_net(Network.mlp([[[1], [-1]], [[1, 1]]], activation="tanh"))
    assert odd.condition("realizes_zero").status is Status.UNKNOWN  # it is 0, which no enclosure shows
    assert odd.status is Status.FAILS  # but tanh(t) + tanh(-t) = 0 is an internal symmetry


def test_bad_entries_are_named() -> None:
    with pytest.raises(InvalidInput, match=r"^entries\[1\]: "):
        find_null_nets(entries=(0, "one"))
