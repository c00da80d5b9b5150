"""Subset sums against plain enumeration of all 2^n subsets, on adversarial sets."""

from __future__ import annotations

import random
from itertools import combinations, islice

import pytest

from exactrelu import BudgetExceeded
from exactrelu.rationals import subset_sums
from exactrelu.rationals.subset_sums import DEFAULT_BUDGET, subsets_with_sum

HUGE = 2**70
Vector = tuple[int, ...]


def brute_force(vectors: list[Vector], target: Vector) -> list[Vector]:
    """All index sets with that sum, by trying every one."""
    found = []
    for size in range(len(vectors) + 1):
        for subset in combinations(range(len(vectors)), size):
            if all(sum(vectors[i][j] for i in subset) == goal for j, goal in enumerate(target)):
                found.append(subset)
    return found


# name: vectors, target, subsets
CASES = {
    "nothing": ([], (0, 0), [()]),
    "nothing, another target": ([], (1,), []),
    "one zero vector": ([(0, 0)], (0, 0), [(), (0,)]),
    "one vector": ([(3, -1)], (3, -1), [(0,)]),
    "1 + 2 - 3": ([(1,), (2,), (-3,), (5,)], (0,), [(), (0, 1, 2)]),
    "duplicates": ([(1,), (1,), (-1,)], (0,), [(), (0, 2), (1, 2)]),
    "out of reach": ([(1, 0), (0, 1)], (5, 5), []),
    "no coordinates": ([(), ()], (), [(), (0,), (1,), (0, 1)]),
    "carries": ([(0, 7), (1, -7), (-1, 0)], (0, 0), [(), (0, 1, 2)]),
    "beyond 64 bits": ([(HUGE, 1), (-HUGE, 0), (0, -1)], (0, 0), [(), (0, 1, 2)]),
    "equal modulo 2^64": ([(2**64,), (-1,), (1 - 2**64,)], (0,), [(), (0, 1, 2)]),
    "nearly zero beyond 64 bits": ([(HUGE,), (1 - HUGE,)], (0,), [()]),
}


@pytest.mark.parametrize("name", CASES)
def test_known_subsets(name: str) -> None:
    vectors, target, expected = CASES[name]
    assert sorted(subsets_with_sum(vectors, target)) == sorted(expected)
    assert sorted(brute_force(vectors, target)) == sorted(expected)


def random_set(r: random.Random) -> tuple[list[Vector], Vector]:
    """Up to 8 vectors with duplicates, zeros, opposites and planted sums; sometimes huge."""
    dimension = r.choice((1, 1, 2, 3))
    top = r.choice((1, 2, 5, HUGE))
    vectors = [tuple(r.randint(-top, top) for _ in range(dimension)) for _ in range(r.randint(0, 6))]
    for _ in range(r.randint(0, 2)):
        change = r.choice(("zero", "duplicate", "opposite", "planted"))
        if change == "zero" or not vectors:
            vectors.append((0,) * dimension)
        elif change == "duplicate":
            vectors.append(r.choice(vectors))
        elif change == "opposite":
            vectors.append(tuple(-entry for entry in r.choice(vectors)))
        else:
            chosen = r.sample(vectors, r.randint(1, len(vectors)))
            vectors.append(tuple(-sum(column) for column in zip(*chosen, strict=True)))
    r.shuffle(vectors)
    chosen = [vector for vector in vectors if r.random() < 0.5]
    target = tuple(sum(vector[j] for vector in chosen) for j in range(dimension))
    return vectors, r.choice(((0,) * dimension, target, tuple(entry + 1 for entry in target)))


@pytest.mark.parametrize("seed", [*range(10), *(pytest.param(s, marks=pytest.mark.sweep) for s in range(10, 100))])
def test_random_sets(seed: int) -> None:
    r = random.Random(seed)
    for _ in range(150):
        vectors, target = random_set(r)
        found = list(subsets_with_sum(vectors, target))
        assert len(set(found)) == len(found)
        assert all(list(subset) == sorted(set(subset)) for subset in found)
        assert sorted(found) == sorted(brute_force(vectors, target)), (vectors, target)


def test_packing_keeps_coordinates_apart() -> None:
    """The first coordinate must not compensate the last: 1 in one place is not 100 in the next."""
    for carry in (2, 3, 10, 100, 2**32, 2**64, 2**64 - 1):
        assert list(subsets_with_sum([(1, 0), (0, -carry)], (0, 0))) == [()]


@pytest.mark.parametrize("size", range(1, 8))
def test_the_budget_counts_both_halves(size: int) -> None:
    needed = 2 ** (size // 2) + 2 ** (size - size // 2)
    vectors = [(1,)] * size
    assert list(subsets_with_sum(vectors, (size,), budget=needed)) == [tuple(range(size))]
    with pytest.raises(BudgetExceeded, match=f"at most {needed - 1} subsets are allowed; {needed} are needed"):
        subsets_with_sum(vectors, (size,), budget=needed - 1)


def test_the_budget_is_refused_before_any_work() -> None:
    class Untouchable(tuple):
        __slots__ = ()

        def __iter__(self) -> None:
            raise AssertionError("a vector was read")

    vectors = [Untouchable((1,))] * 60
    with pytest.raises(BudgetExceeded):
        subsets_with_sum(vectors, (0,))
    assert DEFAULT_BUDGET < 2 * 2**30


def test_the_search_is_lazy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is listed before the first subset is asked for, and 2^24 solutions are not collected."""
    calls = []
    original = subset_sums._sums
    monkeypatch.setattr(subset_sums, "_sums", lambda numbers: calls.append(len(numbers)) or original(numbers))
    found = subsets_with_sum([(0,)] * 24, (0,))
    assert calls == []
    assert next(found) == ()
    assert sorted(calls) == [12, 12]
    assert len(set(islice(found, 1000))) == 1000


def test_thirty_vectors_with_one_planted_sum() -> None:
    r = random.Random(5)
    vectors = [(r.randint(1, 2**80),) for _ in range(29)]
    chosen = sorted(r.sample(range(29), 11))
    vectors.append((-sum(vectors[i][0] for i in chosen),))
    assert list(subsets_with_sum(vectors, (0,))) == [(), (*chosen, 29)]
