r"""All full-dimensional activation regions of a ReLU network, exactly.

Start from the orthants of r independent rows, cut the complex by one neuron after another, drop the
negative side of every half-space of the domain.  Above a limit of cells the complex is split into
blocks of neighbouring cells, which are finished one by one: memory stays bounded, finished blocks can
be used while the others wait, and an interruption or a budget loses nothing that was yielded.

Glossary: d input dimension, r rank of the rows that read the input, a / b ends of cut edges.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import BudgetExceeded, InvalidInput
from ...networks import Network
from ...polyhedra import Halfspace
from ..program import Program, compile_network
from .cells import Cells
from .lattice import PLUS, Growing, Lattice
from .signs import Values
from .words import field_of, lexicographic, word_count

MOST_DIMENSIONS = 10  # the 2^d starting cones have 3^d faces
LIMIT = 16_000  # split above this number of cells ...
BLOCK = 4_000  # ... into blocks of about this many


@dataclass(slots=True)
class _State:
    """A complex in the middle of the enumeration: stage, position among its cuts, signs so far."""

    lattice: Lattice
    values: Values
    words: Growing  # ternary signs of every vertex, two bits per function
    next_cut: int
    whole: bool = True  # not a block

    def restrict(self, keep: np.typing.NDArray[np.bool_]) -> _State:
        lattice, kept = self.lattice.restrict(keep)
        words = Growing(self.words.take(kept))
        return _State(lattice, self.values.restrict(kept), words, self.next_cut, self.whole)

    def push(self, row: int, bit: int) -> None:
        """Cut by one row of the current stage and record its signs."""
        code = self.values.signs(row)
        a, b = self.lattice.cut(code)
        word, shift = field_of(bit)
        signs = (code & 3).astype(np.uint64)
        signs <<= shift
        words = self.words.view()
        if a.size:
            self.values.extend(row, a, b)
            self.words.append(words[:, a] | words[:, b])
        self.words.view()[word, : code.size] |= signs

    def cell_words(self) -> np.typing.NDArray[np.uint64]:
        """Ternary signs of all cells."""
        return np.stack([self.lattice.join(word)[-1] for word in self.words.view()])


def _start(program: Program, integers_only: bool) -> _State:
    lattice = Lattice.orthants(program.dim)
    words = np.zeros((word_count(program.bits), len(program.vertices)), np.uint64)
    for i, bit in enumerate(program.start):
        word, shift = field_of(bit)
        words[word, 1 + 2 * i] |= np.uint64(1) << shift
        words[word, 2 + 2 * i] |= np.uint64(2) << shift
    values = Values(program, integers_only)
    if program.stages:
        values.advance()
    state = _State(lattice, values, Growing(words), 0)
    return _inside(state, [bit for bit in program.start if bit in program.walls])


def _inside(state: _State, walls: Sequence[int]) -> _State:
    """Drop the cells on the negative side of some half-spaces of the domain."""
    if not walls:
        return state
    words = state.cell_words()
    keep = np.ones(words.shape[1], np.bool_)
    for bit in walls:
        word, shift = field_of(bit)
        keep &= (words[word] >> shift) & np.uint64(3) == PLUS
    return state if keep.all() else state.restrict(keep)


def _blocks(state: _State, size: int) -> list[_State]:
    """Split into blocks of cells that are neighbours in the order of their first signs."""
    rank = np.empty(state.lattice.cells, np.int64)
    first = state.lattice.join(state.words.view()[0])[-1]
    rank[lexicographic(first[None])] = np.arange(rank.size)
    pieces = -(-rank.size // size)
    block = rank * pieces // rank.size
    state.whole = False
    return [state.restrict(block == i) for i in range(pieces - 1, -1, -1)]


def stream(
    net: Network,
    domain: Sequence[Halfspace] = (),
    *,
    limit: int | None = LIMIT,
    block: int = BLOCK,
    integers_only: bool = False,
) -> Iterator[Cells]:
    r"""Yield the regions in blocks; every region belongs to exactly one block.

    domain: half-spaces (normal, bound) meaning \(n\cdot x\le b\), with interior points in common;
    none for all of \(\mathbb R^d\).  A complex of more than `limit` cells is split into blocks of
    about `block` cells; None never splits.  `integers_only` decides every sign by integers.
    """
    if limit is not None and not 1 <= block <= limit:
        raise InvalidInput("block", f"must lie between 1 and the limit {limit}", block)
    program = compile_network(net, domain)
    if program.dim > MOST_DIMENSIONS:
        raise BudgetExceeded("dimensions of the input that matter", MOST_DIMENSIONS, program.dim)
    if program.auxiliary:
        limit = None  # auxiliary hyperplanes cut regions, and the parts must stay together
    waiting = [_start(program, integers_only)]
    while waiting:
        state = waiting.pop()
        parts = _finish(program, state, limit, block)
        if parts:
            waiting += parts
        else:
            yield Cells(
                program, state.lattice, state.values.origins, state.values.points, state.words.view(), state.whole
            )


def _finish(program: Program, state: _State, limit: int | None, block: int) -> list[_State]:
    """Cut to the end, or return the blocks of a complex that has grown above the limit."""
    while program.stages:
        stage = state.values.stage
        while state.next_cut < len(stage.cuts):
            if limit is not None and state.lattice.cells > limit:
                return _blocks(state, block)
            row, bit = stage.cuts[state.next_cut]
            state.next_cut += 1
            state.push(row, bit)
            if bit in program.walls:
                inner = _inside(state, [bit])
                state.lattice, state.values, state.words = inner.lattice, inner.values, inner.words
        if stage.last:
            break
        state.values.advance()
        state.next_cut = 0
    return []


def regions(
    net: Network, domain: Sequence[Halfspace] = (), *, budget: int | None = None, integers_only: bool = False
) -> Cells:
    """All regions as one complex; raises BudgetExceeded, with complete regions, above the budget."""
    limit = None if budget is None else max(budget, 1)
    block = BLOCK if limit is None else min(BLOCK, max(limit // 4, 1))
    part = next(stream(net, domain, limit=limit, block=block, integers_only=integers_only))
    if budget is not None and not (part.whole and part.count <= budget):
        raise BudgetExceeded("regions", budget, max(budget + 1, part.count), (part,))
    return part
