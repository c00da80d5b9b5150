"""Blocks make up the whole; budgets and interruptions keep what was found; bad input is refused."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from region_checks import adjacent_patterns, patterns_of
from region_networks import batches, random_network
from region_oracle import signs_at

from exactrelu import BudgetExceeded, Halfspace, InvalidInput, Layer, Network
from exactrelu.regions.complex import count_regions
from exactrelu.regions.vertex_engine import enumeration
from exactrelu.regions.vertex_engine.cells import Cells
from exactrelu.regions.vertex_engine.enumeration import regions, stream

TEN = Network.random((2, 10, 10, 1), 0)  # 190 regions
EIGHT = Network.random((3, 8, 8, 1), 0)  # 514 regions


def check_blocks(net: Network, halfspaces: Sequence[Halfspace], limit: int, block: int) -> int:
    """Together the blocks have every region and every adjacency of the whole exactly once."""
    whole = regions(net, halfspaces)
    seen: list[tuple[int, ...]] = []
    pairs: set[frozenset[tuple[int, ...]]] = set()
    outer: dict[bytes, tuple[int, ...]] = {}
    parts = list(stream(net, halfspaces, limit=limit, block=block))
    for part in parts:
        mine = patterns_of(part)
        seen += mine
        inner = adjacent_patterns(part)
        assert not inner & pairs
        pairs |= inner
        for i, word in outer_facets(part):
            neighbour = outer.pop(word, None)
            if neighbour is None:
                outer[word] = mine[i]
            else:
                pairs.add(frozenset((neighbour, mine[i])))
        assert all(signs_at(net, part.interior_point(i)) == list(mine[i]) for i in range(part.count))
    assert len(seen) == len(set(seen))
    assert set(seen) == set(patterns_of(whole))
    assert pairs == adjacent_patterns(whole)
    # What is left lies on the boundary of the domain.
    assert sorted(outer) == sorted(word for _, word in outer_facets(whole))
    assert halfspaces or not outer
    return len(parts)


def outer_facets(part: Cells) -> list[tuple[int, bytes]]:
    region, words = part.outer_facets()
    return [(i, word.tobytes()) for i, word in zip(region.tolist(), words.T, strict=True)]


@pytest.mark.parametrize("seeds", batches(40, 640, 300))
def test_blocks_of_random_networks(seeds: range) -> None:
    numbers = [check_blocks(*random_network(seed), limit=9, block=3) for seed in seeds]
    assert max(numbers) > 5 and min(numbers) == 1


@pytest.mark.parametrize(
    ("net", "limit", "block", "least"),
    [
        (EIGHT, 9, 3, 100),
        (EIGHT, 400, 100, 4),
        (EIGHT, 100, 100, 6),
        (EIGHT, 1, 1, 258),
        (EIGHT, 514, 1, 1),
        (Network.random((2, 12, 12, 1), 1), 50, 10, 5),
        (Network.random((4, 6, 6, 1), 2), 60, 20, 5),
    ],
)
def test_blocks_agree_with_the_whole(net: Network, limit: int, block: int, least: int) -> None:
    number = check_blocks(net, (), limit, block)
    assert number >= least
    assert (number == 1) == (limit >= regions(net).count)


def test_regions_made_of_several_cells_stay_in_one_block() -> None:
    """Three vertical lines, then two neurons that read y past the first layer: 4 times 3 regions."""
    first = Layer({0: [[1, 0]] * 3}, bias=[0, -1, -2])
    second = Layer({0: [[None, 1], [None, 1]], 1: [[0, 0, 0]] * 2}, bias=[1, -1])
    net = Network(2, [first, second, Layer({2: [[1, 1]]}, activation="identity")])
    assert regions(net).program.auxiliary == 1
    assert check_blocks(net, (), limit=3, block=1) == 1
    assert regions(net, budget=12).count == 12
    with pytest.raises(BudgetExceeded):
        regions(net, budget=11)


def test_vertices_are_exact_in_blocks() -> None:
    net = Network.random((3, 8, 8, 1), 1)
    whole, again = regions(net), set()
    points = [whole.vertex(v) for v in np.flatnonzero(whole.finite(0)).tolist()]
    for part in stream(net, limit=40, block=10):
        assert not part.whole
        floats = part.origins.floating()
        for v in np.flatnonzero(part.finite(0)).tolist():
            again.add(part.vertex(v))
            assert np.allclose([float(q) for q in part.vertex(v)], floats[:, v], rtol=1e-6, atol=1e-6)
    assert again == set(points)
    assert len(points) == len(again) == whole.f_vector()[3]


def test_a_sufficient_budget_changes_nothing() -> None:
    assert sorted(patterns_of(regions(TEN, budget=190))) == sorted(patterns_of(regions(TEN)))
    assert regions(TEN, budget=190).f_vector() == regions(TEN).f_vector()


@pytest.mark.parametrize("budget", [0, 1, 2, 50, 189])
def test_budget_keeps_what_was_found(budget: int) -> None:
    with pytest.raises(BudgetExceeded, match=f"at most {budget} regions are allowed") as caught:
        regions(TEN, budget=budget)
    error = caught.value
    assert (error.unit, error.budget) == ("regions", budget)
    assert budget < error.needed <= 190
    everything = set(patterns_of(regions(TEN)))
    assert len(error.partial) == 1
    for part in error.partial:
        assert part.count > 0
        assert set(patterns_of(part)) <= everything
        assert all(signs_at(TEN, part.interior_point(i)) == list(p) for i, p in enumerate(patterns_of(part)))


def test_budget_of_a_count() -> None:
    assert count_regions(TEN, budget=190) == count_regions(TEN) == 190
    with pytest.raises(BudgetExceeded, match="at most 189 regions are allowed; 190 are needed"):
        count_regions(TEN, budget=189)


def test_an_interrupted_caller_keeps_finished_blocks() -> None:
    finished: list[Cells] = []
    with pytest.raises(KeyboardInterrupt):
        for part in stream(EIGHT, limit=100, block=30):
            finished.append(part)
            if len(finished) == 3:
                raise KeyboardInterrupt
    patterns = [pattern for part in finished for pattern in patterns_of(part)]
    assert 3 <= len(patterns) == len(set(patterns)) < 514
    assert set(patterns) <= set(patterns_of(regions(EIGHT)))


@pytest.mark.parametrize("pushes", [0, 5, 12, 20, 30])
def test_an_interruption_in_the_middle_of_a_cut(monkeypatch: pytest.MonkeyPatch, pushes: int) -> None:
    """What was yielded before stays whole, and the next enumeration starts afresh."""
    push, made = enumeration._State.push, []

    def interrupted(self: enumeration._State, row: int, bit: int) -> None:
        if len(made) == pushes:
            raise KeyboardInterrupt
        made.append(row)
        push(self, row, bit)

    everything = set(patterns_of(regions(EIGHT)))
    finished: list[Cells] = []
    with monkeypatch.context() as patch:
        patch.setattr(enumeration._State, "push", interrupted)
        with pytest.raises(KeyboardInterrupt):
            finished.extend(stream(EIGHT, limit=100, block=30))
    assert len(made) == pushes
    assert all(set(patterns_of(part)) <= everything and not part.whole for part in finished)
    assert set(patterns_of(regions(EIGHT))) == everything


@pytest.mark.parametrize(("limit", "block"), [(10, 11), (10, 0), (0, 0), (5, -1)])
def test_bad_blocks(limit: int, block: int) -> None:
    with pytest.raises(InvalidInput, match=f"block: must lie between 1 and the limit {limit}; got {block}"):
        next(stream(TEN, limit=limit, block=block))


def test_one_block_has_no_f_vector() -> None:
    part = next(stream(TEN, limit=10, block=5))
    with pytest.raises(InvalidInput, match="faces: need the whole complex, not one block of it"):
        part.f_vector()
