r"""The face lattice of a polyhedral complex, cut by one hypersurface after another.

Nothing here knows a coordinate.  A complex of pointed cells is stored by its incidences alone, and
one cut needs one datum: the sign of the cutting function at every vertex.  The function must be
affine on every cell.  Then, whatever the position of the cut,

* a face is cut iff it has vertices of both signs, because its vertices generate it;
* an edge is cut iff its two ends have signs + and -; a face of dimension k >= 2 is cut iff it has a
  cut facet, or a positive facet and a negative one;
* a facet on which the function vanishes wholly never belongs to a cut face (it would bound it);
* if F is cut, F0 = F with {function = 0} is a new face, a facet of both halves of F.  Its facets are
  the zero parts of the cut facets of F, and the codimension-2 faces of F on which the function
  vanishes.  Each of the latter lies in exactly two facets of F, one positive, one negative, and is
  the only vanishing facet of either: asking the positive ones finds each of them once.

So the lattice after a cut is a function of the lattice before it and of the signs.  Unbounded cells
are no exception: seen in homogeneous coordinates a direction is one more vertex, and "infinity" one
more facet, which belongs to a single cell.

Glossary: d dimension, k dimension of a face, f a face, g a facet of f, V number of vertices,
a / b the positive / negative end of a cut edge.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]
Words = npt.NDArray[np.uint64]

# Signs are bits, so that the code of a face is the union of the codes of its vertices.
PLUS, MINUS, ZERO = 1, 2, 4
CUT = PLUS | MINUS


class Growing:
    """An array whose last axis grows in place, amortised."""

    __slots__ = ("_store", "size")

    def __init__(self, start: npt.NDArray[Any]) -> None:
        self._store = np.ascontiguousarray(start)
        self.size: int = start.shape[-1]

    def view(self) -> npt.NDArray[Any]:
        """The filled part: valid until the next `room` or `append`."""
        return self._store[..., : self.size]

    def take(self, index: Ints, first: int = 0) -> npt.NDArray[Any]:
        """Columns `index` of the rows from `first` on, copied."""
        return self._store[first:].take(index, axis=-1)  # the whole store: of a part, numpy would copy all

    def room(self, count: int, first: int = 0) -> npt.NDArray[Any]:
        """Append `count` uninitialised entries and return them; rows before `first` may be lost."""
        old, new = self.size, self.size + count
        if new > self._store.shape[-1]:
            store = np.empty((*self._store.shape[:-1], max(4 * new, 16384)), self._store.dtype)
            store[first:][..., :old] = self._store[first:][..., :old]
            self._store = store
        self.size = new
        return self._store[..., old:new]

    def append(self, *pieces: npt.NDArray[Any]) -> None:
        """Append the pieces one after another."""
        if len(pieces) == 1:
            self.room(pieces[0].shape[-1])[...] = pieces[0]
            return
        np.concatenate(pieces, axis=-1, out=self.room(sum([piece.shape[-1] for piece in pieces])))


@dataclass(slots=True)
class _Level:
    """What one cut does to the n k-faces that existed before it."""

    code: Codes  # union of the signs of the vertices (ZERO may be missing from a cut face)
    rank: Ints  # for cut faces only: their number among the cut faces
    upper: int  # the positive half of cut face number i is face upper + i; the negative half stays f
    wall: int  # its new (k-1)-face F0 is face wall + i
    zero: Ints | None  # touching cuts: F0 (cut faces), the vanishing facet (positive faces), or -1


class Lattice:
    """Faces of dimensions 0..d and the facet incidences between consecutive dimensions.

    `size[k]` is the number of k-faces.  Edges are pairs of vertices, `incidence(1)`; for k >= 2 the
    incidences are an unordered list of pairs (facet g, face f).  `rep(k)[f]` is one vertex of f: it
    tells the sign of every face that has no zero vertex and is not cut.
    """

    __slots__ = ("_face", "_rep", "_sub", "dim", "size")

    def __init__(self, size: list[int], pairs: list[Ints], rep: list[Ints]) -> None:
        """Take sizes (k = 0..d), pairs (k = 1..d, shape 2 x .) and one vertex per face (k = 2..d-1)."""
        self.dim = len(size) - 1
        self.size = size
        self._sub = [Growing(np.empty(0)), *(Growing(p[0]) for p in pairs)]  # edges: one end,
        self._face = [Growing(np.empty(0)), *(Growing(p[1]) for p in pairs)]  # and the other
        self._rep = [Growing(np.empty(0))] * 2 + [Growing(r) for r in rep]

    @classmethod
    def orthants(cls, dim: int) -> Lattice:
        r"""The \(2^d\) closed orthants of \(\mathbb R^d\) with all their faces, finite and at infinity.

        Vertex 0 is the origin, vertices 1 + 2i and 2 + 2i are the directions \(+e_i\) and \(-e_i\).

        >>> Lattice.orthants(2).size
        [5, 8, 4]
        """
        index: list[dict[tuple[int, ...], int]] = [{} for _ in range(dim + 1)]
        for count in range(dim + 1):
            for axes in combinations(range(dim), count):
                for signs in product((1, 2), repeat=count):
                    rays = tuple(2 * i + s for i, s in zip(axes, signs, strict=True))
                    index[count].setdefault((0, *rays), len(index[count]))
                    if count:  # the face at infinity of the cone
                        index[count - 1].setdefault(rays, len(index[count - 1]))
        # Vertices must be numbered by themselves, not by order of discovery.
        index[0] = {(v,): v for v in range(2 * dim + 1)}
        pairs = [np.array([list(face) for face in index[1]], np.int64).reshape(-1, 2).T.copy()] if dim else []
        for k in range(2, dim + 1):
            rows = [(index[k - 1][g], f) for face, f in index[k].items() for g in combinations(face, k)]
            pairs.append(np.array(rows, np.int64).T.copy())
        rep = [np.array([face[0] for face in index[k]], np.int64) for k in range(2, dim)]
        return cls([len(level) for level in index], pairs, rep)

    @property
    def cells(self) -> int:
        """Number of faces of the highest dimension."""
        return self.size[self.dim]

    def incidence(self, k: int) -> tuple[Ints, Ints]:
        """All pairs (facet g of dimension k - 1, face f of dimension k), as two arrays."""
        sub, face = self._sub[k].view(), self._face[k].view()
        if k > 1:
            return sub, face
        edges = np.arange(self.size[1])
        return np.concatenate((sub, face)), np.concatenate((edges, edges))

    def rep(self, k: int) -> Ints:
        """One vertex of every k-face, 1 <= k < d."""
        return self._sub[1].view() if k == 1 else self._rep[k].view()

    def cut(self, sign: Codes) -> tuple[Ints, Ints]:
        """Cut every face by the zero set of a function with the given signs at the vertices.

        sign: PLUS, MINUS or ZERO per vertex, shape (V,).  Returns the ends (a positive, b negative)
        of the cut edges; the new vertices V, V+1, ... lie on them in this order.

        >>> square = Lattice.orthants(2)
        >>> square.cut(np.array([PLUS, PLUS, MINUS, PLUS, MINUS], np.uint8))   # x + y + 1 = 0
        (array([0, 0, 1, 3]), array([2, 4, 4, 2]))
        >>> square.size
        [9, 15, 7]
        """
        none = np.empty(0, np.int64)
        if not self.dim:
            return none, none
        touching = bool((sign == ZERO).any())
        level, a, b = self._cut_edges(sign, touching)
        if touching or a.size:
            for k in range(2, self.dim + 1):
                level = self._cut_faces(k, level, sign, touching)
        return a, b

    def _cut_edges(self, sign: Codes, touching: bool) -> tuple[_Level, Ints, Ints]:
        v0, v1 = self._sub[1].view(), self._face[1].view()
        code = sign[v0]
        code |= sign[v1]
        cut = (code == CUT).nonzero()[0]
        level = _Level(code, np.empty(code.size, np.int64), self.size[1], self.size[0], None)
        level.rank[cut] = number = np.arange(cut.size)
        fresh = number + level.wall
        if touching:
            half = (code == PLUS | ZERO).nonzero()[0]
            level.zero = np.full(code.size, -1)
            level.zero[cut] = fresh
            level.zero[half] = np.where(sign[v0[half]] == ZERO, v0[half], v1[half])
        c0, c1 = v0[cut], v1[cut]
        swap = sign[c0] == MINUS
        a, b = np.where(swap, c1, c0), np.where(swap, c0, c1)
        v0[cut], v1[cut] = fresh, b
        self._sub[1].append(fresh)
        self._face[1].append(a)
        self.size[0] += cut.size
        self.size[1] += cut.size
        return level, a, b

    def _examine(
        self, k: int, below: _Level, sign: Codes, touching: bool
    ) -> tuple[_Level, Ints, tuple[Ints, Ints, Ints, Codes]]:
        """Signs of the k-faces, the cut ones, and their incidences (position, facet, face, facet's code).

        Only a face with a facet that is cut or touched can differ from its representative; without
        zero vertices such a face is cut.
        """
        sub, face = self._sub[k].view(), self._face[k].view()
        n = self.size[k]
        hit = np.zeros(n, np.bool_)
        hit[face[(below.code[sub] >= CUT).nonzero()[0]]] = True
        rows = hit[face].nonzero()[0]
        g, f = sub[rows], face[rows]
        c = below.code[g]
        code = np.zeros(n, np.uint8) if k == self.dim else sign[self._rep[k].view()]
        level = _Level(code, np.empty(n, np.int64), n, self.size[k - 1], None)
        if not touching:
            np.putmask(code, hit, CUT)
            return level, hit.nonzero()[0], (rows, g, f, c)
        np.putmask(code, hit, ZERO)  # set without asking
        for bit in (PLUS, MINUS):
            code[f[(c & bit).nonzero()[0]]] |= np.uint8(bit)
        bare = ((c == ZERO) & (code[f] == PLUS | ZERO)).nonzero()[0]
        level.zero = np.full(n, -1)
        level.zero[f[bare]] = g[bare]
        is_cut = code & CUT == CUT
        inside = is_cut[f].nonzero()[0]
        return level, is_cut.nonzero()[0], (rows[inside], g[inside], f[inside], c[inside] & CUT)

    def _cut_faces(self, k: int, below: _Level, sign: Codes, touching: bool) -> _Level:
        level, cut, (rows, g, f, c) = self._examine(k, below, sign, touching)
        level.rank[cut] = number = np.arange(cut.size)
        walls = number + level.wall
        if level.zero is not None:
            level.zero[cut] = walls
        # Positive facets move to the positive half; a cut facet gives one half to each.
        moved, split = (c == PLUS).nonzero()[0], (c == CUT).nonzero()[0]
        self._face[k].view()[rows[moved]] = level.rank[f[moved]] + level.upper
        half, owner = below.rank[g[split]], level.rank[f[split]]
        if below.zero is None:
            self._add_walls(k, level, cut, half + below.wall, owner)
        else:
            part = below.zero[g]
            some = (part >= 0).nonzero()[0]
            self._add_walls(k, level, cut, part[some], level.rank[f[some]])
        self._sub[k].append(half + below.upper, walls, walls)
        self._face[k].append(owner + level.upper, cut, number + level.upper)
        self.size[k] += cut.size
        self.size[k - 1] += cut.size
        return level

    def _add_walls(self, k: int, level: _Level, cut: Ints, part: Ints, owner: Ints) -> None:
        """Append the new faces F0 of the cut k-faces; `part` is a facet of F0 number `owner`.

        Every vertex of F0 is a vertex of both halves of F, so it represents all three of them.
        """
        rep = np.empty(cut.size, np.int64)
        if k == 2:  # exactly two points per polygon: the last one written, and the first
            rep[owner[::-1]] = part[::-1]
            self._sub[1].append(rep)
            end = np.empty(cut.size, np.int64)
            end[owner] = part
            self._face[1].append(end)
        else:
            self._sub[k - 1].append(part)
            self._face[k - 1].append(owner + level.wall)
            rep[owner] = self.rep(k - 2)[part]
            self._rep[k - 1].append(rep)
        if k < self.dim:
            self._rep[k].view()[cut] = rep
            self._rep[k].append(rep)

    def join(self, word: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
        """Bitwise union of a word per vertex over the vertices of every face, for k = 0..d.

        >>> square = Lattice.orthants(2)
        >>> [level.tolist() for level in square.join(np.array([0, 1, 1, 1, 1], np.uint8))]
        [[0, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1]]
        """
        levels = [word]
        for k in range(1, self.dim + 1):
            if k == 1:
                levels.append(word[self._sub[1].view()] | word[self._face[1].view()])
                continue
            sub, face = self.incidence(k)
            union = np.zeros(self.size[k], word.dtype)
            np.bitwise_or.at(union, face, levels[-1][sub])
            levels.append(union)
        return levels

    def sides(self) -> tuple[Ints, Ints, Ints]:
        """Facets shared by two cells, and these two cells (the first has the smaller index)."""
        if not self.dim:
            return (np.empty(0, np.int64),) * 3
        sub, face = self.incidence(self.dim)
        low, high = np.full((2, self.size[self.dim - 1]), -1)
        high[sub] = face
        low[sub[::-1]] = face[::-1]
        shared = np.flatnonzero(low != high)
        low, high = low[shared], high[shared]
        return shared, np.minimum(low, high), np.maximum(low, high)

    def restrict(self, keep: Flags) -> tuple[Lattice, Ints]:
        """The subcomplex of the cells with keep[cell], and the old indices of its vertices."""
        size = [0] * (self.dim + 1)
        pairs: list[Ints] = []
        rep: list[Ints] = []
        number = np.cumsum(keep) - 1
        for k in range(self.dim, 0, -1):
            size[k] = int(np.count_nonzero(keep))
            if 2 <= k < self.dim:
                rep.append(self.rep(k)[keep])
            rows = (keep if k == 1 else keep[self._face[k].view()]).nonzero()[0]
            sub, face = self._sub[k].take(rows), self._face[k].take(rows)
            below = np.zeros(self.size[k - 1], np.bool_)
            below[sub] = True
            if k == 1:
                below[face] = True
            place = np.cumsum(below) - 1
            pairs.append(np.stack((place[sub], place[face] if k == 1 else number[face])))
            number = place
            keep = below
        kept = np.flatnonzero(keep)
        size[0] = kept.size
        return Lattice(size, pairs[::-1], [number[r] for r in rep[::-1]]), kept
