"""The zoo: every fact of every specimen that can be computed is computed, and the table is the published one."""

from __future__ import annotations

from collections.abc import Callable
from math import factorial

import pytest
import shallow_bridge as bridge
import shallow_cases as cases
import shallow_oracle as so
import shallow_search as search

import exactrelu as er
from exactrelu import zoo
from exactrelu.zoo import Specimen, braid, shallow_network, specimen


def status(ask: Callable[..., er.Verdict]) -> Callable[[Specimen], str]:
    return lambda item: ask(item.network, item.domain).status.value


def by_name(name: str, count: Callable[[object], object]) -> Callable[[Specimen], object] | None:
    """A fact that a later version computes, if this one does."""
    found = getattr(er, name, None)
    return None if found is None else lambda item: count(found(item.network))


COMPUTED = {
    "local": status(er.locally_identifiable),
    "global": status(er.globally_identifiable),
    "finite_sample": status(er.finite_sample_exists),
    "minimal_width": lambda item: er.minimal_width(item.network, item.domain),
    "embedding_rank": lambda item: er.embedding_rank(item.network),
    "regions": by_name("activation_regions", len),
    "functional_dimension": by_name("functional_dimension", lambda value: value),
}
FACTS = [(item.name, fact) for item in zoo.SPECIMENS.values() for fact, _ in item.facts]


@pytest.mark.parametrize(("name", "fact"), FACTS)
def test_facts_are_computed(name: str, fact: str) -> None:
    compute = COMPUTED[fact]
    if compute is None:
        pytest.skip(f"this version does not compute {fact}")
    item = specimen(name)
    assert compute(item) == item.fact(fact)


INDEPENDENT = {
    "local": search.local,
    "global": search.global_,
    "finite_sample": so.finite_sample,
    "minimal_width": search.minimal_width,
    "regions": lambda net, vertices: len(so.cells(so.distinct_hyperplanes(net.forms), vertices, net.d)),
    "functional_dimension": so.functional_dimension,
}  # fmt: skip


@pytest.mark.parametrize(("name", "fact"), [pair for pair in FACTS if pair[1] in INDEPENDENT])
def test_facts_without_the_package(name: str, fact: str) -> None:
    item = specimen(name)
    vertices = None if item.domain.is_space else item.domain.vertices
    assert INDEPENDENT[fact](bridge.plain(item.network), vertices) == item.fact(fact)


@pytest.mark.parametrize("name", [name for name in cases.TABLE if name != "S30"])
def test_rows_are_those_of_the_table(name: str) -> None:
    net, vertices, (local, everywhere, finite), _ = cases.TABLE[name]
    item = specimen(name)
    assert bridge.plain(item.network) == net
    assert item.domain == bridge.domain(vertices, net.d)
    assert [item.fact(fact) for fact in ("local", "global", "finite_sample")] == [local, everywhere, finite]


def test_the_row_without_interior_takes_any_network() -> None:
    for item in zoo.SPECIMENS.values():
        if item.network.input_dim == 2:
            for ask in (er.locally_identifiable, er.globally_identifiable, er.finite_sample_exists):
                assert ask(item.network, specimen("S30").domain).status is er.Status.FAILS


@pytest.mark.parametrize("name", zoo.SPECIMENS)
def test_every_specimen_has_a_name_a_reason_and_known_facts(name: str) -> None:
    item = specimen(name)
    assert item.name == name
    assert item.reason.strip()
    assert item.facts
    assert {fact for fact, _ in item.facts} <= set(COMPUTED)
    assert item.domain.ambient_dimension == item.network.input_dim


# ---------------------------------------------------------------- the functions

VALUES = {
    "hat": lambda x: max(1 - abs(x), 0),
    "absolute_value": abs,
    "identity": lambda x: x,
}


@pytest.mark.parametrize("name", VALUES)
def test_specimens_of_one_input_are_their_functions(name: str) -> None:
    for k in range(-9, 10):
        x = so.Q(k, 4)
        assert specimen(name).network([x]) == (VALUES[name](x),)


def test_maximum() -> None:
    for x in range(-3, 4):
        for y in range(-3, 4):
            assert specimen("maximum").network([x, y]) == (max(x, y),)


@pytest.mark.parametrize("dimension", [2, 3, 4])
def test_braid_arrangements(dimension: int) -> None:
    net = bridge.plain(braid(dimension))
    assert len(net.neurons) == dimension * (dimension - 1) // 2
    assert len(so.cells(net.forms, None, dimension)) == factorial(dimension)


def test_a_network_from_its_neurons() -> None:
    net = shallow_network([((1, "1/2"), 3, (1, 2)), ((0, -1), "-1/3", (0, 4))], constant=[5, 6])
    assert net == er.Network.mlp([[[1, "1/2"], [0, -1]], [[1, 0], [2, 4]]], [[3, "-1/3"], [5, 6]])
    bare = shallow_network([(1, 0, 1)], constant=None, hidden_biases=False)
    assert bare == er.Network.mlp([[[1]], [[1]]])
    assert shallow_network([(1, 0, 1)]) == er.Network.mlp([[[1]], [[1]]], [[0], [0]])


def test_unknown_names_and_facts() -> None:
    with pytest.raises(er.InvalidInput, match=r"name: must be one of S01, S02, .*; got 'S99'"):
        specimen("S99")
    assert specimen("braid3").fact("local") is None


def test_biases_are_not_dropped_in_silence() -> None:
    with pytest.raises(er.InvalidInput):
        shallow_network([(1, 5, 1)], hidden_biases=False)
