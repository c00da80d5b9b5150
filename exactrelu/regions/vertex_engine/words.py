r"""Ternary signs in two bits: 01 plus, 10 minus, 00 zero, first function in the highest bits of word 0.

The union of the words of two points of one closed cell is the word of the open segment between them,
because no function changes sign inside a cell.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .lattice import Ints, Words

PER_WORD = 32
LOW = np.uint64(0x5555555555555555)


def word_count(functions: int) -> int:
    """Number of words that hold so many signs (at least one)."""
    return max(1, -(-functions // PER_WORD))


def field_of(bit: int) -> tuple[int, np.uint64]:
    """Word and shift of the sign of function number `bit`."""
    return bit // PER_WORD, np.uint64(62 - 2 * (bit % PER_WORD))


def first_functions(words: Words, functions: int) -> Words:
    """A copy in which all signs from number `functions` on are zero."""
    kept = words.copy()
    full, rest = divmod(functions, PER_WORD)
    kept[full + (rest > 0) :] = 0
    if rest:
        kept[full] &= ~((np.uint64(1) << np.uint64(64 - 2 * rest)) - np.uint64(1))
    return kept


def signs(words: Words, functions: int) -> npt.NDArray[np.int8]:
    """Unpack words (w, n) into signs -1, 0, 1 of shape (functions, n)."""
    out = np.empty((functions, words.shape[1]), np.int8)
    for bit in range(functions):
        word, shift = field_of(bit)
        two = ((words[word] >> shift) & np.uint64(3)).astype(np.int8)
        out[bit] = (two & 1) - (two >> 1)
    return out


def keys(words: Words) -> Words:
    """Words whose order is that of the signs, compared one by one with - < 0 < +."""
    plus = words & LOW
    zero = ~(words | words >> np.uint64(1)) & LOW
    return plus << np.uint64(1) | zero


def lexicographic(words: Words) -> Ints:
    """Positions of the columns in the order of their signs, compared one by one with - < 0 < +."""
    ordered = keys(words)
    return np.argsort(ordered[0], kind="stable") if len(ordered) == 1 else np.lexsort(ordered[::-1])


def _even_bits(word: Words) -> Words:
    """Gather the 32 even bits of every word in its lower half, keeping their order."""
    word = word & LOW
    for step, mask in (
        (1, 0x3333333333333333),
        (2, 0x0F0F0F0F0F0F0F0F),
        (4, 0x00FF00FF00FF00FF),
        (8, 0x0000FFFF0000FFFF),
        (16, 0x00000000FFFFFFFF),
    ):
        word = (word | word >> np.uint64(step)) & np.uint64(mask)
    return word


def bit_planes(words: Words, functions: int) -> tuple[Words, Words]:
    """Two packed bit sets, 64 functions per word from the highest bit on: "is +" and "is zero"."""
    plus, minus = _even_bits(words), _even_bits(words >> np.uint64(1))
    if len(words) % 2:
        pad = np.zeros((1, words.shape[1]), np.uint64)
        plus, minus = np.concatenate((plus, pad)), np.concatenate((minus, pad))
    plus, minus = (w[::2] << np.uint64(32) | w[1::2] for w in (plus, minus))
    zero = ~(plus | minus)
    full, rest = divmod(functions, 64)
    zero[full + (rest > 0) :] = 0
    if rest:
        zero[full] &= ~((np.uint64(1) << np.uint64(64 - rest)) - np.uint64(1))
    return plus, zero
