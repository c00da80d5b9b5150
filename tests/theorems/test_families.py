"""Families: one network per class, each number on its own; random families; networks around one."""

from __future__ import annotations

import pickle
import random
from itertools import islice, pairwise

import pytest

import exactrelu as er
from exactrelu.errors import BudgetExceeded, InvalidInput, InvalidNetwork
from exactrelu.theorems.families import ExhaustiveFamily, NetworkFamily, family, family_from_json
from exactrelu.theorems.layouts import Layout
from exactrelu.theorems.mutations import mutations
from exactrelu.theorems.strata import GENERIC, STRATA, stratum_of

TINY = [
    {"widths": (1, 2, 1), "entries": (0, 1, 2), "biases": False},
    {"widths": (1, 2, 1), "entries": (-1, 0, 1), "biases": False},
    {"widths": (1, 1, 1, 1), "entries": (0, 1, 2, -2, 4), "biases": False},
    {"widths": (1, 1, 1), "entries": (0, -1, "1/2", 1)},
    {"widths": (1, 2, 2, 1), "entries": (1, -2), "biases": False},
    {"widths": (1, 1, 2, 1), "entries": (2, 0, 1), "biases": False},
    {"widths": (1, 1, 1, 1), "entries": (0, 3), "biases": (True, False, False), "skips": True},
    {"widths": (2, 2, 1), "entries": (1, -2), "biases": False},
]


def raw(some: ExhaustiveFamily, index: int) -> er.Network:
    """The parameter vector of a number, written down without the package."""
    digits = []
    for _ in range(some.layout.size):
        index, digit = divmod(index, len(some.entries))
        digits.append(some.entries[digit])
    left = iter(reversed(digits))
    layers = []
    for k, width in enumerate(some.layout.widths[1:], start=1):
        sources = range(k) if some.layout.skips else (k - 1,)
        blocks: dict[int, list[list[object]]] = {s: [] for s in sources}
        bias = []
        for _ in range(width):
            for s in sources:
                blocks[s].append([next(left) for _ in range(some.layout.widths[s])])
            if some.layout.flags[k - 1]:
                bias.append(next(left))
        rho = "identity" if k == len(some.layout.widths) - 1 else "relu"
        layers.append(er.Layer(blocks, bias=bias if bias else None, activation=rho))
    return er.Network(some.layout.widths[0], layers)


def signs(net: er.Network) -> tuple[int, ...]:
    """How many parameters of each layer are positive, and how many negative: no permutation or scaling changes it."""
    values = [[p.value for p in net.parameters if p.target[0] == k] for k in range(1, net.depth + 1)]
    return tuple(sum(v * sign > 0 for v in layer) for layer in values for sign in (1, -1))


@pytest.mark.parametrize("options", TINY, ids=str)
def test_exactly_the_first_member_of_each_class_is_kept(options: dict[str, object]) -> None:
    some = family(**options)  # type: ignore[arg-type]
    assert isinstance(some, ExhaustiveFamily)
    firsts: list[er.Network] = []
    alike: dict[tuple[int, ...], list[er.Network]] = {}
    for index in range(some.size):
        net = raw(some, index)
        rivals = alike.setdefault(signs(net), [])
        new = all(er.permutation_scaling_equivalent(net, first).status is er.Status.FAILS for first in rivals)
        assert some.member(index) == (net if new else None), (index, net)
        if new:
            firsts.append(net)
            rivals.append(net)
    assert 0 not in some.entries or any(er.admissible(net).status is er.Status.FAILS for net in firsts)
    assert some.counts() == (some.size, len(firsts))
    assert list(some) == firsts


def test_admissible_members_are_the_canonical_forms_of_all() -> None:
    some = family((1, 2, 1), entries=(0, 1, -2), biases=(True, False))
    assert isinstance(some, ExhaustiveFamily)

    def forms(networks: object) -> list[er.Network]:
        return [er.canonical_form(net) for net in networks if er.admissible(net).status is er.Status.HOLDS]  # type: ignore[attr-defined]

    kept = forms(some)
    assert len(set(kept)) == len(kept)
    assert set(kept) == set(forms(raw(some, index) for index in range(some.size)))


@pytest.mark.parametrize("entries", [(-1, 0, 1), (0, 1, 2)], ids=str)
def test_ranges_cut_a_family_anywhere(entries: tuple[int, ...]) -> None:
    some = family((1, 2, 1), entries=entries, biases=(True, False))
    assert some.size is not None
    every = [(i, net) for i in range(some.size) if (net := some.member(i)) is not None]
    cuts = [0, *sorted(random.Random(0).sample(range(some.size), 5)), some.size + 7]
    pieces = [item for a, b in pairwise(cuts) for item in some.members(a, b)]
    assert pieces == every
    assert some.counts() == (some.size, len(every))


def test_burnside_counts_what_enumeration_finds() -> None:
    for options in ({"widths": (2, 2, 1), "biases": False}, {"widths": (1, 2, 2, 1), "biases": (False, True, False)}):
        some = family(entries=(-1, 1), **options)
        assert some.counts() == (some.size, sum(1 for _ in some))
    # 1,594,323 parameter vectors of widths (2,3,1) over {-1,0,1}: S_3 acts on triples of 27*3 words, times 3
    assert family((2, 3, 1), entries=(-1, 0, 1)).counts() == (3**13, 3 * (81 * 82 * 83 // 6))


def test_counting_has_a_budget() -> None:
    with pytest.raises(BudgetExceeded, match="at most 100 members"):
        family((2, 2, 1), entries=(0, 1, 2)).counts(budget=100)


def test_denominators_stand_for_all_small_fractions() -> None:
    some = family((1, 1, 1), denominators=3)
    assert isinstance(some, ExhaustiveFamily)
    assert {str(entry) for entry in some.entries} == {"0", "1", "-1", "1/2", "-1/2", "1/3", "-1/3", "2/3", "-2/3"}


def test_strata_restrict_an_exhaustive_family() -> None:
    every = family((1, 2, 1), entries=(-1, 0, 1), biases=False)
    chosen = family((1, 2, 1), entries=(-1, 0, 1), biases=False, strata=["opposite", "dead"])
    recognised = [net for net in every if any(STRATA[name].recognises(net) for name in ("opposite", "dead"))]
    assert list(chosen) == recognised
    assert chosen.counts() == (81, len(recognised))
    assert 0 < len(recognised) < 45


def test_random_members_depend_on_seed_and_number_alone() -> None:
    endless = family((2, 3, 1), random=5)
    some = family((2, 3, 1), random=5, count=40)
    assert endless.size is None
    assert endless.counts() == (None, None)
    nets = list(some)
    assert nets == list(islice(endless, 40)) == [pickle.loads(pickle.dumps(some)).member(i) for i in range(40)]
    assert nets != list(family((2, 3, 1), random=6, count=40))
    strata = [some.stratum(i) for i in range(40)]
    assert all(name != GENERIC for name in strata[1::2])
    assert strata[::2].count(GENERIC) >= 15
    assert len(set(strata)) > 5


def test_random_members_come_from_the_named_strata_and_entries() -> None:
    some = family((2, 3, 2, 1), random=1, count=60, entries=(1, 2, -3), strata=("unheard",))
    for index, net in some.members():
        assert net.widths == (2, 3, 2, 1)
        assert (some.stratum(index) in ("dead", "unheard")) == STRATA["unheard"].recognises(net) or index % 2 == 0
        assert index % 2 == 0 or STRATA["unheard"].recognises(net)
        assert {p.value for p in net.parameters} <= {0, 1, 2, -3}


def test_mutations_begin_with_the_network_and_its_neighbours() -> None:
    net = er.zoo.HAT
    near = mutations(net, seed=3, count=200)
    assert near.member(0) == net
    neighbours = [other for i, other in near.members(1, 1 + 6 * len(net.parameters))]
    for other in neighbours:
        changed = [(a, b) for a, b in zip(net.parameters, other.parameters, strict=True) if a != b]
        assert len(changed) == 1
    assert len(set(neighbours)) == len(neighbours)
    assert all(other.architecture == net.architecture for other in near)
    assert {stratum_of(other) for other in near} >= {"zero_sum", "clones", "dead", "opposite", "parallel"}
    assert list(near) == list(pickle.loads(pickle.dumps(near)))


SPECIFIED = [
    family((2, 3, 1), entries=(-1, 0, "1/2")),
    family((2, 3, 1), denominators=2, biases=(True, False), strata=("twins",)),
    family((1, 1, 2, 1), random=7, skips=True),
    family((1, 2, 1), random=7, count=3, entries=(1, 2), strata=("zeros",)),
    mutations(er.zoo.HAT, seed=2, count=9, strata=("dead",)),
]


@pytest.mark.parametrize("some", SPECIFIED, ids=lambda some: some.explain())
def test_a_family_is_its_specification(some: NetworkFamily) -> None:
    again = family_from_json(some.to_json())
    assert again == some
    assert [again.member(i) for i in range(3)] == [some.member(i) for i in range(3)]
    assert pickle.loads(pickle.dumps(some)) == some


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"widths": (2,), "entries": (1,)}, "widths: must be at least two positive integers"),
        ({"widths": (2, 0, 1), "entries": (1,)}, "widths: must be at least two positive integers"),
        ({"widths": (2, 3, 1)}, "must not all be left out"),
        ({"widths": (2, 3, 1), "entries": ()}, "entries: must not be empty"),
        ({"widths": (2, 3, 1), "entries": (0.5,)}, r"entries\[0\]"),
        ({"widths": (2, 3, 1), "entries": (1,), "denominators": 2}, "must not both be given"),
        ({"widths": (2, 3, 1), "denominators": 0}, "denominators: must be an integer, at least 1"),
        ({"widths": (2, 3, 1), "entries": (1,), "count": 5}, "count: must be left out"),
        ({"widths": (2, 3, 1), "random": "x"}, "random: must be an integer"),
        ({"widths": (2, 3, 1), "random": 0, "count": -1}, "count: must be an integer, at least 0"),
        ({"widths": (2, 3, 1), "random": 0, "strata": ("twin",)}, "strata: must be among dead, unheard"),
        ({"widths": (2, 3, 1), "random": 0, "biases": (True,)}, "biases: must be true or false, or 2 of these"),
        ({"widths": (2, 12, 1), "entries": (0, 1)}, "permutations and scalings of the hidden neurons, or be random"),
    ],
)
def test_bad_specifications_are_refused(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        family(**options)  # type: ignore[arg-type]


def test_bad_numbers_and_files_are_refused() -> None:
    some = family((1, 1, 1), entries=(0, 1))
    with pytest.raises(InvalidInput, match="index: must be an integer, at least 0 and below 16; got 16"):
        some.member(16)
    with pytest.raises(InvalidInput, match="net: must be a Network"):
        mutations("net")  # type: ignore[arg-type]
    data = some.to_json()
    for change in ({"kind": "some"}, {"widths": [1, "1"]}, {"entries": [0.5]}, {"strata": ["twin"]}, {"seed": 1}):
        with pytest.raises(InvalidInput):
            family_from_json({**data, **change})


def test_layouts_count_orbits_like_polya() -> None:
    # Words of widths (1, n, 1) without biases are multisets of n letters out of k^2.
    for n, k in ((3, 2), (4, 3), (5, 2)):
        expected = 1
        for i in range(n):
            expected = expected * (k * k + i) // (i + 1)
        assert Layout((1, n, 1), biases=(False, False)).number_of_orbits(k) == expected


def test_enormous_architectures_are_refused_at_once() -> None:
    with pytest.raises(InvalidNetwork, match="must give at most 100000 parameters"):
        family((2, 999999999, 1), random=0)
