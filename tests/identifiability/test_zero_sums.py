"""Zero-sum subsets: every answer is a subset that sums to zero, or a proof that is verified here."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
import shallow_oracle as so

from exactrelu import BudgetExceeded
from exactrelu.identifiability.shallow.zero_sums import NoZeroSum, zero_sum

HUGE = 2**70
Vector = tuple[int, ...]


def has_zero_sum(vectors: list[Vector]) -> bool:
    """Whether a nonempty subset sums to zero, by trying every one."""
    return any(
        not any(map(sum, zip(*subset, strict=True)))
        for size in range(1, len(vectors) + 1)
        for subset in combinations(vectors, size)
    )


def assert_answer(vectors: list[Vector], answer: tuple[int, ...] | NoZeroSum) -> str:
    """Verify a subset or a proof; return what kind it is."""
    if isinstance(answer, NoZeroSum):
        values = [so.dot(answer.functional, vector) for vector in vectors]
        assert all(value >= 0 for value in values)
        assert [i for i, value in enumerate(values) if value > 0] == list(answer.positive)
        rest = [i for i in range(len(vectors)) if i not in answer.positive]
        assert not (answer.independent and answer.searched)
        assert list(answer.independent or answer.searched) == rest
        if answer.independent:
            assert so.rank([list(map(Fraction, vectors[i])) for i in rest]) == len(rest)
            return "independent"
        assert not has_zero_sum([vectors[i] for i in rest])
        return "searched" if rest else "positive"
    assert len(answer) > 0
    assert list(answer) == sorted(set(answer))
    assert not any(map(sum, zip(*(vectors[i] for i in answer), strict=True)))
    return "subset"


# name: vectors, kind of the answer
CASES = {
    "no vectors": ([], "positive"),
    "one zero vector": ([(0, 0)], "subset"),
    "one zero vector among others": ([(1, 0), (0, 0), (5, 5)], "subset"),
    "one vector": ([(1, 2)], "independent"),
    "independent, with negative entries": ([(1, 0), (0, -1)], "independent"),
    "all on one side": ([(1, 0), (0, 1), (1, 1)], "positive"),
    "all on one side of a hidden line": ([(-3, 1), (-1, 1), (2, 1), (1, 3)], "positive"),
    "opposites": ([(1, 2), (-1, -2)], "subset"),
    "a triangle": ([(1, 0), (0, 1), (-1, -1)], "subset"),
    "dependent with other coefficients": ([(1,), (1,), (-4,)], "searched"),
    "partly on one side": ([(1, 0), (2, 0), (-4, 0), (0, 1), (3, 1)], "searched"),
    "a line and a vector off it": ([(1, 0), (-2, 0), (0, 1), (1, 1)], "searched"),
    "huge": ([(HUGE,), (1,), (-HUGE - 1,)], "subset"),
    "huge, nearly": ([(HUGE,), (1,), (-HUGE - 2,)], "searched"),
    "duplicates": ([(2,), (2,), (2,), (-6,)], "subset"),
}


@pytest.mark.parametrize("name", CASES)
def test_known_answers(name: str) -> None:
    vectors, kind = CASES[name]
    assert assert_answer(vectors, zero_sum(vectors)) == kind


def random_vectors(r: random.Random) -> list[Vector]:
    """Up to 7 vectors, of small or huge entries, often in a cone, with zero sums planted now and then."""
    dimension = r.choice((1, 1, 2, 2, 3, 4))
    top = r.choice((1, 2, 4, HUGE))
    lowest = r.choice((-top, -top, 0, -(top // 2)))
    vectors = [tuple(r.randint(lowest, top) for _ in range(dimension)) for _ in range(r.randint(1, 6))]
    kind = r.choice(("none", "none", "planted", "duplicate", "multiple", "flat"))
    if kind == "planted":
        chosen = r.sample(vectors, r.randint(1, len(vectors)))
        vectors.append(tuple(-sum(column) for column in zip(*chosen, strict=True)))
    if kind == "duplicate":
        vectors.append(r.choice(vectors))
    if kind == "multiple":
        vectors.append(tuple(-r.choice((2, 3)) * entry for entry in r.choice(vectors)))
    if kind == "flat":
        vectors = [(*vector[:-1], 0) for vector in vectors]
    r.shuffle(vectors)
    return vectors


@pytest.mark.parametrize("seed", [*range(6), *(pytest.param(s, marks=pytest.mark.sweep) for s in range(6, 60))])
def test_random_vectors(seed: int) -> None:
    r = random.Random(seed)
    seen: Counter[str] = Counter()
    for _ in range(80):
        vectors = random_vectors(r)
        kind = assert_answer(vectors, zero_sum(vectors))
        assert (kind == "subset") == has_zero_sum(vectors), vectors
        seen[kind] += 1
    assert min(seen[kind] for kind in ("subset", "independent", "positive")) >= 3


def test_a_search_says_how_large_it_was() -> None:
    found = zero_sum([(1, 0), (2, 0), (-4, 0), (0, 1)])
    assert found == NoZeroSum(found.functional, (3,), searched=(0, 1, 2))
    assert found.functional[0] == 0 < found.functional[1]
    assert found.explain().endswith("is positive on 1 vector(s) and all 2^3 subsets of 3 vector(s) were searched")


def test_cheap_proofs_need_no_budget() -> None:
    assert zero_sum([(1, k) for k in range(50)], budget=0).positive == tuple(range(50))
    unit = [tuple(-int(i == j) for j in range(50)) for i in range(50)]
    assert zero_sum(unit, budget=0).independent == tuple(range(50))


def test_only_what_the_functional_leaves_is_searched() -> None:
    """Forty vectors above the line and four on it: 2^2 + 2^2 subsets, not 2^22 + 2^22."""
    vectors = [(3, 0), (5, 0), (-7, 0), (-11, 0), *((k - 20, 1) for k in range(40))]
    assert zero_sum(vectors, budget=8).searched == (0, 1, 2, 3)
    with pytest.raises(BudgetExceeded, match="at most 7 subsets are allowed; 8 are needed"):
        zero_sum(vectors, budget=7)


def test_the_checks_can_fail() -> None:
    vectors = [(1, 0), (0, 1), (-1, -1)]
    wrong = [
        (0, 1),
        (),
        NoZeroSum((Fraction(1), Fraction(1)), (0, 1), searched=(2,)),
        NoZeroSum((Fraction(0), Fraction(0)), (), independent=(0, 1, 2)),
        NoZeroSum((Fraction(0), Fraction(0)), (), searched=(0, 1, 2)),
    ]
    for answer in wrong:
        with pytest.raises(AssertionError):
            assert_answer(vectors, answer)
