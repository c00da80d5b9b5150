"""Flips by symmetries and by null nets against brute force over all subsets, and against the search for orbits."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations

import pytest
from strategies import random_point

from exactrelu import BudgetExceeded, HypothesisNotMet, Network, Status, canonical_form, same_function
from exactrelu.identifiability.shallow.flip_symmetries import Flip, which_flips_are_symmetries
from exactrelu.symmetries.affine import affine_symmetries
from exactrelu.symmetries.irreducible import applied
from exactrelu.symmetries.null_nets import is_null_net
from exactrelu.symmetries.orbit import orbit, representative
from exactrelu.zoo import specimen

DIRECTIONS = {1: [(1,)], 2: [(1, 0), (0, 1), (1, 1)], 3: [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)]}


def random_net(r: random.Random, dimension: int, size: int, outputs: int) -> Network:
    """Distinct hyperplanes in few directions, of slopes of either sign."""
    rows, biases = [], []
    for k in range(size):
        scale = Fraction(r.choice((1, 1, -1, 2, "1/2")))
        rows.append([scale * entry for entry in r.choice(DIRECTIONS[dimension])])
        biases.append(scale * Fraction(k + 1, r.choice((2, 11))))
    columns = [[factor * (o + 1) for o in range(outputs)] for factor in r.choices((1, -1, 2), k=size)]
    columns[0] = [r.choice((1, -1, 2)) for _ in range(outputs)]  # usually not parallel to the others
    return Network.mlp([rows, [[c[o] for c in columns] for o in range(outputs)]], [biases, [0] * outputs])


def parts(net: Network, subset) -> list[list[tuple]]:
    """Weights and outputs of some neurons, by direction; plain reading of the matrices."""
    classes: list[list[tuple]] = []
    for i in subset:
        w, v = net.layers[0].blocks[0][1][i], [row[i] for row in net.layers[1].blocks[0][1]]
        for group in classes:
            u = group[0][0]
            if all(u[a] * w[b] == u[b] * w[a] for a in range(len(w)) for b in range(a)):
                group.append((w, v))
                break
        else:
            classes.append([(w, v)])
    return classes


def vanishes(pairs) -> bool:
    w, v = pairs[0]
    return all(sum(a[j] * c[o] for a, c in pairs) == 0 for j in range(len(w)) for o in range(len(v)))


def brute_force(net: Network) -> dict[tuple[int, ...], bool]:
    """All nonempty flip sets, and whether every class sums to zero by itself."""
    width = net.widths[1]
    subsets = (s for size in range(1, width + 1) for s in combinations(range(width), size))
    return {
        s: all(map(vanishes, parts(net, s)))
        for s in subsets
        if vanishes([pair for group in parts(net, s) for pair in group])
    }


def check_null_net(net: Network, flip: Flip, r: random.Random) -> None:
    """Zero at points, one pair per direction, and no part with a symmetry (by trying all parts)."""
    null = flip.null_net
    assert is_null_net(null).status is Status.HOLDS
    for _ in range(5):
        assert not any(null(random_point(r, net.input_dim)))
    groups = parts(null, range(null.widths[1]))
    assert len(groups) == sum(not vanishes(group) for group in parts(net, flip.neurons)) >= 3
    assert all(len(group) == 2 for group in groups)
    rows = list(zip(null.layers[0].blocks[0][1], null.layers[0].bias, strict=True))
    for i, (w, b) in enumerate(rows):
        axis = next(j for j, entry in enumerate(w) if entry)
        atoms = [(u[axis], c) for u, c in rows[i:] if all(u[j] * w[axis] == u[axis] * w[j] for j in range(len(w)))]
        assert affine_symmetries("relu", atoms).dimension == 0, b


def check(net: Network, r: random.Random) -> tuple[int, int]:
    found = which_flips_are_symmetries(net)
    assert {flip.neurons: flip.is_symmetry for flip in found.flips} == brute_force(net)
    for flip in found.flips:
        assert flip.network == net.flip(flip.neurons)
        assert same_function(net, flip.network).status is Status.HOLDS
        if flip.is_symmetry:
            assert representative(applied(net, flip.modifications)) == canonical_form(flip.network)
        else:
            assert not flip.modifications
            check_null_net(net, flip, r)
    return len(found.symmetries), len(found.exceptions)


@pytest.mark.parametrize(("dimension", "outputs", "seeds"), [(1, 1, 25), (2, 1, 40), (3, 1, 120), (2, 2, 120)])
def test_against_all_subsets(dimension, outputs, seeds):
    totals = [0, 0]
    for seed in range(seeds):
        r = random.Random(seed)
        yes, no = check(random_net(r, dimension, r.randint(2, 6), outputs), r)
        totals[0] += yes
        totals[1] += no
    assert totals[0] > 3
    assert (totals[1] == 0) == (dimension == 1)


def test_against_the_search_for_orbits():
    """The orbit knows nothing of flips: it contains those by symmetries, and not the others."""
    both = [0, 0]
    for seed in range(25):
        net = random_net(random.Random(seed), 2, 5 if seed < 5 else 4, 1)
        reached = set(orbit(net).classes)
        for flip in which_flips_are_symmetries(net).flips:
            assert (canonical_form(flip.network) in reached) == flip.is_symmetry, seed
            both[flip.is_symmetry] += 1
    assert both[1] > 3


def test_the_cases_of_the_theory():
    for name, expected in (("S13", [True]), ("S14", [True]), ("S15", []), ("S16", [False]), ("S17", []), ("S18", [])):
        case = specimen(name)
        found = which_flips_are_symmetries(case.network, case.domain)
        assert [flip.is_symmetry for flip in found.flips] == expected, name
    s16 = specimen("S16")
    (flip,) = which_flips_are_symmetries(s16.network, s16.domain).exceptions
    assert flip.null_net.widths == (2, 6, 1)
    shown = flip.explain()
    assert "no symmetry, since this null net is left" in shown and "relu(-x0 - x1 - 1/8)" in shown
    assert which_flips_are_symmetries(specimen("S17").network, s16.domain).explain() == "no neurons can be flipped"


def test_parallel_neurons_become_one_pair():
    """z = (x, x - 1, y, 2 x + y), v = (1, 1, 1, -1): six neurons are left of eight."""
    net = Network.mlp([[[1, 0], [1, 0], [0, 1], [2, 1]], [[1, 1, 1, -1]]], [[0, -1, 0, 0], [0]])
    (flip,) = which_flips_are_symmetries(net).flips
    assert flip.neurons == (0, 1, 2, 3) and flip.null_net.widths == (2, 6, 1)
    assert flip.null_net.layers[1].blocks[0][1] == ((2, -2, 1, -1, -1, 1),)


def test_hat_in_two_outputs():
    hat = Network.mlp([[[1], [1], [1]], [[1, -2, 1], [2, -4, 2]]], [[1, 0, -1], [0, 3]])
    (flip,) = which_flips_are_symmetries(hat).flips
    assert [step.child for step in flip.modifications] == [(2, 0), (2, 1)]
    assert "a composition of 2 modification(s)" in flip.explain()


@pytest.mark.parametrize(
    ("net", "domain", "message"),
    [
        (Network.mlp([[[1]], [[1]]], [[1], None]), None, "must have output biases"),
        (Network.mlp([[[1]], [[0]]], [[1], [0]]), None, "outgoing weights of neuron 0 are all 0"),
        (Network.mlp([[[1]], [[1]]], [[3], [0]]), "[-1,1]", "neuron 0 is on"),
        (Network.mlp([[[1], [2]], [[1, 1]]], [[0, 0], [0]]), None, "share the hyperplane"),
        (Network.mlp([[[1]], [[1]], [[1]]], [[1], [0], [0]]), None, "hidden layers instead of one"),
        (Network.mlp([[[1]], [[1]]], [[1], [0]], activation="tanh"), None, "not all ReLUs"),
    ],
)
def test_other_networks_are_refused(net, domain, message):
    with pytest.raises(HypothesisNotMet, match=message):
        which_flips_are_symmetries(net, domain)


def test_budget():
    size = 6
    pairs = Network.mlp([[[1]] * size, [[1, -1] * (size // 2)]], [list(range(size)), [0]])
    with pytest.raises(BudgetExceeded, match="at most 5 flips") as caught:
        which_flips_are_symmetries(pairs, budget=5)
    assert len(caught.value.partial) == 5
    assert len(which_flips_are_symmetries(pairs).flips) == 19  # (6 choose 3) sets with equally many of both signs


@pytest.mark.sweep
def test_many_against_all_subsets():
    for seed in range(1000, 1400):
        r = random.Random(seed)
        check(random_net(r, r.randint(1, 3), r.randint(2, 7), r.randint(1, 2)), r)
