"""Packed ternary signs against plain lists."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from exactrelu.regions.vertex_engine.words import (
    bit_planes,
    field_of,
    first_functions,
    lexicographic,
    signs,
    word_count,
)

FUNCTIONS = [1, 31, 32, 33, 63, 64, 65, 100, 128, 129]


def random_signs(functions: int, columns: int = 60) -> list[list[int]]:
    """Columns of signs, many of which agree for a long way."""
    r = Random(functions)
    first = [r.choice((-1, 0, 1)) for _ in range(functions)]
    return [[s if r.random() < 0.95 else r.choice((-1, 0, 1)) for s in first] for _ in range(columns)]


def packed(columns: list[list[int]]) -> np.ndarray:
    words = np.zeros((word_count(len(columns[0])), len(columns)), np.uint64)
    for j, column in enumerate(columns):
        for bit, s in enumerate(column):
            word, shift = field_of(bit)
            words[word, j] |= np.uint64(s % 3) << shift
    return words


@pytest.mark.parametrize("functions", FUNCTIONS)
def test_signs_come_back(functions: int) -> None:
    columns = random_signs(functions)
    assert signs(packed(columns), functions).T.tolist() == columns


@pytest.mark.parametrize("functions", FUNCTIONS)
def test_order_is_that_of_the_signs(functions: int) -> None:
    columns = random_signs(functions)
    order = lexicographic(packed(columns)).tolist()
    assert sorted(order) == list(range(len(columns)))
    assert [columns[i] for i in order] == sorted(columns)


@pytest.mark.parametrize("functions", FUNCTIONS)
def test_bit_planes(functions: int) -> None:
    columns = random_signs(functions)
    for plane, wanted in zip(bit_planes(packed(columns), functions), (1, 0), strict=True):
        assert plane.shape == (-(-functions // 64), len(columns))
        bits = np.unpackbits(plane.T.astype(">u8").copy().view(np.uint8), axis=1).astype(bool)
        assert bits[:, :functions].tolist() == [[s == wanted for s in column] for column in columns]
        assert not bits[:, functions:].any()


@pytest.mark.parametrize("functions", FUNCTIONS)
def test_first_functions(functions: int) -> None:
    columns = random_signs(functions)
    words = packed(columns)
    for kept in {0, functions // 2, functions}:
        expected = [column[:kept] + [0] * (functions - kept) for column in columns]
        assert signs(first_functions(words, kept), functions).T.tolist() == expected
    assert signs(words, functions).T.tolist() == columns  # the argument is left alone
