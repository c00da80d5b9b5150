"""Every network of small architectures with small integer entries, grouped by function, against the verdicts.

Two classes of parameters with one function refute global identifiability, and
it is the function, not the network, that is identifiable or not. The numbers of
functions and classes come from an enumeration that does not use the package.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from itertools import combinations_with_replacement, product
from math import gcd
from typing import NamedTuple

import pytest
import shallow_bridge as bridge
import shallow_cases as cases
import shallow_oracle as so
import shallow_search as search

from exactrelu import (
    Domain,
    Network,
    Status,
    globally_identifiable,
    integer_neurons,
    locally_identifiable,
    shallow_statuses,
)
from exactrelu.equality import normal_form, shallow

Neuron = tuple[int, ...]
Class = tuple[Neuron, ...]


class Family(NamedTuple):
    """All networks with one output, biases in both layers, and entries from ``values``."""

    inputs: int
    width: int
    values: tuple[int, ...]
    vertices: bridge.Vertices
    functions: int
    classes: int

    @property
    def domain(self) -> Domain:
        return bridge.domain(self.vertices, self.inputs)


SMALL, LARGER = (-1, 0, 1), (-2, -1, 0, 1, 2)
FAMILIES = {
    "1-2-1 on R": Family(1, 2, SMALL, None, 255, 1134),
    "1-2-1 on [-1,1]": Family(1, 2, SMALL, cases.UNIT, 93, 1134),
    "1-2-1 with -2..2 on R": Family(1, 2, LARGER, None, 11557, 24750),
    "1-2-1 with -2..2 on [-1,1]": Family(1, 2, LARGER, cases.UNIT, 3397, 24750),
    "1-3-1 on R": Family(1, 3, SMALL, None, 1005, 10962),
    "2-2-1 on R^2": Family(2, 2, SMALL, None, 3591, 9963),
    "2-2-1 on [-1,1]^2": Family(2, 2, SMALL, cases.SQUARE, 2195, 9963),
}
every_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
HOLDS, FAILS = Status.HOLDS, Status.FAILS


def normalised(neuron: Neuron) -> Neuron:
    """The neuron in a scale of its own: a primitive form, or for the zero form the sign of the output."""
    *form, output = neuron
    divisor = gcd(*form)
    if divisor:
        return (*(entry // divisor for entry in form), divisor * output)
    return (*form, (output > 0) - (output < 0))


@cache
def all_classes(inputs: int, width: int, values: tuple[int, ...]) -> list[Class]:
    """One network per class of hidden layers and outgoing weights; the output bias is 0."""
    neurons = sorted({normalised(neuron) for neuron in product(values, repeat=inputs + 2)})
    return list(combinations_with_replacement(neurons, width))


def network(neurons: Class) -> Network:
    rows = [neuron[:-2] for neuron in neurons]
    return Network.mlp([rows, [[neuron[-1] for neuron in neurons]]], [[neuron[-2] for neuron in neurons], [0]])


def classes_of(family: Family) -> list[Class]:
    return all_classes(family.inputs, family.width, family.values)


@cache
def statuses_of(family: Family) -> list[tuple[Status, Status]]:
    return shallow_statuses(classes_of(family), family.inputs, family.domain)


@cache
def functions_of(family: Family) -> dict[object, list[int]]:
    """The classes (by index, once per output bias) that give each function, by its normal form."""
    found = defaultdict(list)
    for index, neurons in enumerate(classes_of(family)):
        form = normal_form(shallow(network(neurons)), family.domain)
        for bias in family.values:
            ((*slopes, constant),) = form.affine
            found[form.jumps, (*slopes, constant + bias)].append(index)
    return found


def sample(family: Family, count: int) -> list[int]:
    """The indices of ``count`` classes spread over the family, or of all."""
    size = len(classes_of(family))
    return list(range(0, size, max(1, size // count)))


# ------------------------------------------------------------------ counts


@every_family
def test_numbers_of_functions_and_classes(family: Family) -> None:
    groups = functions_of(family)
    assert len(groups) == family.functions
    assert sum(map(len, groups.values())) == family.classes


@pytest.mark.parametrize(
    "name", [name if name in ("1-2-1 on R", "1-2-1 on [-1,1]") else pytest.param(name, marks=pytest.mark.sweep)
             for name in FAMILIES]
)  # fmt: skip
def test_the_oracle_counts_the_same(name: str) -> None:
    family = FAMILIES[name]
    groups = so.function_classes(so.all_networks(family.inputs, family.width, 1, family.values), family.vertices)
    sizes = Counter(len(classes) for classes in groups.values())
    assert sizes == Counter(len(members) for members in functions_of(family).values())


def test_class_representatives_are_inequivalent_and_complete() -> None:
    for inputs, width in ((1, 2), (1, 3), (2, 2)):
        keys = [so.class_key(bridge.plain(network(neurons))) for neurons in all_classes(inputs, width, SMALL)]
        assert len(set(keys)) == len(keys)
    everything = {so.class_key(net)[0] for net in so.all_networks(1, 2, 1, SMALL)}
    assert everything == {so.class_key(bridge.plain(network(neurons)))[0] for neurons in all_classes(1, 2, SMALL)}


# --------------------------------------------------------- verdicts on all of them


@every_family
def test_two_classes_with_one_function_are_not_globally_identifiable(family: Family) -> None:
    statuses = statuses_of(family)
    groups = functions_of(family)
    several = [members for members in groups.values() if len(members) > 1]
    assert len(several) > 10
    for members in several:
        assert {statuses[index][1] for index in members} == {FAILS}, [classes_of(family)[i] for i in members]


@every_family
def test_every_network_is_decided_and_global_implies_local(family: Family) -> None:
    seen = Counter(statuses_of(family))
    assert set(seen) <= {(HOLDS, HOLDS), (HOLDS, FAILS), (FAILS, FAILS)}
    assert seen[FAILS, FAILS] > len(statuses_of(family)) / 10
    # With entries -1, 0, 1 all kinks inside [-1, 1] lie at 0, so no two neurons are on different hyperplanes.
    assert bool(seen[HOLDS, HOLDS]) == (family is not FAMILIES["1-2-1 on [-1,1]"])


@every_family
def test_statuses_are_those_of_the_oracle(family: Family) -> None:
    for index in sample(family, 100):
        net = bridge.plain(network(classes_of(family)[index]))
        expected = search.local(net, family.vertices), search.global_(net, family.vertices)
        assert tuple(map(str, statuses_of(family)[index])) == expected, net


# --------------------------------------------- the full verdicts, with verified witnesses


def check_full_verdicts(family: Family, indices: list[int]) -> Counter[tuple[Status, Status]]:
    """The full verdicts are the quick ones, and every ``fails`` has a witness that stands up."""
    seen: Counter[tuple[Status, Status]] = Counter()
    for index in indices:
        net = network(classes_of(family)[index])
        data = bridge.plain(net)
        local, everywhere = locally_identifiable(net, family.domain), globally_identifiable(net, family.domain)
        assert (local.status, everywhere.status) == statuses_of(family)[index], net
        for verdict in (local, everywhere):
            assert (verdict.witness is None) == (verdict.status is HOLDS)
            if verdict.witness is not None:
                bridge.assert_refutes(data, verdict.witness, family.vertices)
        if local.status is FAILS:
            _, near = local.family.member_within("1/100")
            bridge.assert_refutes(data, near, family.vertices)
        seen[local.status, everywhere.status] += 1
    return seen


@every_family
def test_full_verdicts(family: Family) -> None:
    seen = check_full_verdicts(family, sample(family, 60))
    assert sum(seen.values()) >= 60


@pytest.mark.sweep
@every_family
def test_all_full_verdicts(family: Family) -> None:
    indices = list(range(len(classes_of(family))))
    assert sum(check_full_verdicts(family, indices).values()) == len(indices)


@every_family
def test_other_members_of_a_function_are_witnesses_too(family: Family) -> None:
    """The enumeration itself confirms the refusals: it finds the second class without the theory."""
    several = [members for members in functions_of(family).values() if len(members) > 1]
    for members in several[:: max(1, len(several) // 20)]:
        one, other = (bridge.plain(network(classes_of(family)[index])) for index in members[:2])
        point = so.arrangement_points(one.forms, family.vertices, one.d)[0]
        gap = so.add(so.evaluate(one, point), so.evaluate(other, point), -1)
        assert so.equal(one, other._replace(c=gap), family.vertices)


# ---------------------------------------------------- the batch form of a network


def test_integer_neurons_keep_the_verdicts() -> None:
    for net, vertices in cases.random_cases(21, 150):
        if not (net.hidden_bias and net.c is not None):
            continue
        neurons = integer_neurons(bridge.network(net))
        ((local, everywhere),) = shallow_statuses([neurons], net.d, bridge.domain(vertices, net.d))
        assert (str(local), str(everywhere)) == (search.local(net, vertices), search.global_(net, vertices)), net
