"""Strata: constructors make what recognisers recognise, and both agree with what the names mean."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

import exactrelu as er
from exactrelu.errors import InvalidInput
from exactrelu.theorems.families import family
from exactrelu.theorems.strata import STRATA, named_strata, stratum_of

WIDTHS = ((1, 2, 1), (2, 4, 1), (2, 3, 2, 2), (1, 1, 1, 1, 1), (2, 1))

EXAMPLES = {
    "dead": er.Network.mlp([[[1], [2]], [[-1, -1]], [[1]]], [[1, 1], [-1], [0]]),
    "unheard": er.Network.mlp([[[1], [2]], [[3, 0]]], [[1, 1], [0]]),
    "clones": er.Network.mlp([[[1], [1]], [[3, 1]]], [[1, 1], [0]]),
    "twins": er.Network.mlp([[[1], [2]], [[3, 1]]], [[1, 2], [0]]),
    "opposite": er.Network.mlp([[[1], [-1]], [[3, 1]]], [[1, -1], [0]]),
    "zero_sum": er.zoo.HAT,
    "parallel": er.Network.mlp([[[1], [2]], [[3, 1]]], [[1, 1], [0]]),
    "concurrent": er.Network.mlp([[[1, 0], [0, 1], [1, 1]], [[1, 2, 5]]], [[-1, -1, -2], [1]]),
    "on_kink": er.Network.mlp([[[1, 0], [0, 1], [1, 1]], [[1, 2, 5]]], [[0, 1, 2], [1]]),
    "one_wide": er.Network.mlp([[[1]], [[1]], [[1]], [[1]]], [[1], [1], [1], [1]]),
    "zeros": er.Network.mlp([[[1, 0], [0, 1], [1, 1]], [[1, 2, 5]]], [[1, 1, 3], [1]]),
    "generic": er.Network.mlp([[[1, 2], [3, 1], [1, 1]], [[1, 2, 5]]], [[1, 1, 3], [1]]),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_lie_in_their_strata(name: str) -> None:
    assert stratum_of(EXAMPLES[name]) == name


@pytest.mark.parametrize("name", STRATA)
def test_constructors_make_what_recognisers_recognise(name: str) -> None:
    stratum = STRATA[name]
    made = 0
    for widths in WIDTHS:
        for index, net in family(widths, random=1, count=60, strata=("zeros",)).members():
            moved = stratum.degenerate(net, random.Random(index))
            if moved is None:
                continue
            assert moved.architecture == net.architecture
            assert stratum.recognises(moved)
            assert list(STRATA).index(stratum_of(moved)) <= list(STRATA).index(name)
            made += 1
    assert made >= 50


def test_dead_and_unheard_neurons_do_not_matter() -> None:
    for index, net in family((2, 3, 1), random=2, count=60).members():
        name = ("dead", "unheard")[index % 2]
        other = STRATA[name].degenerate(net, random.Random(index))
        assert other is not None
        assert er.locally_identifiable(other).status is er.Status.FAILS, index


def test_zero_sums_are_the_flips_that_keep_the_function() -> None:
    for index, net in family((1, 3, 1), random=3, count=40).members():
        subsets = [s for n in (1, 2, 3) for s in combinations(range(3), n)]
        kept = any(er.same_function(net, net.flip(s)).status is er.Status.HOLDS for s in subsets)
        assert STRATA["zero_sum"].recognises(net) is kept, index


def test_concurrent_hyperplanes_meet() -> None:
    lines = [er.zoo.HAT, er.Network.mlp([[[1, 0], [0, 1], [1, 1]], [[1, 1, 1]]], [[0, 0, 1], [0]])]
    assert not any(STRATA["concurrent"].recognises(net) for net in lines)
    for index, net in family((2, 3, 1), random=4, count=200, strata=("concurrent",)).members():
        # Three lines with distinct directions bound 7 regions, or 6 where they meet in a point.
        directions = net.layers[0].blocks[0][1]
        if all(a[0] * b[1] != a[1] * b[0] for a, b in combinations(directions, 2)):  # type: ignore[operator]
            assert STRATA["concurrent"].recognises(net) is (er.count_regions(net) == 6), index


def test_unknown_names_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"strata: must be among dead, .*; got 'generic'"):
        named_strata(["generic"])
