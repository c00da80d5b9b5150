"""Regions by edge subdivision in plain float64, to compare with: no bounds, no exactness, a large box instead of R^d.

A vertex lies on d hyperplanes (walls of the box or neurons), an edge on d - 1; the signs of all other
functions are kept as a random 64-bit sum, in which equal sign vectors are recognised. A neuron cuts the
edges whose ends have different signs; an edge belongs to the polygons found by giving one of its zeros a
sign, and the two new vertices of a polygon are joined by a new edge. Zeros count as negative, so that the
result is always a consistent complex, but where more than d hyperplanes meet it is not that of the network.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

import exactrelu as er

RADIUS = 2.0**20


@dataclass(slots=True)
class Faces:
    """Vertices or edges: the functions that vanish on each, the sum of the signs of the others, and the ends."""

    zeros: np.ndarray  # (n, d) or (n, d - 1)
    sums: np.ndarray  # (n,)
    ends: np.ndarray  # coordinates (n, d) of vertices; pairs (n, 2) of edges

    def append(self, zeros: np.ndarray, sums: np.ndarray, ends: np.ndarray) -> None:
        """Add faces."""
        self.zeros = np.concatenate((self.zeros, zeros))
        self.sums = np.concatenate((self.sums, sums))
        self.ends = np.concatenate((self.ends, ends))


def subdivide(net: er.Network) -> int:
    """The number of regions, right in simple position and where no float has the wrong sign."""
    weights = [np.array(layer.blocks[0][1], np.float64) for layer in net.layers[:-1]]
    biases = [np.array(layer.bias, np.float64) for layer in net.layers[:-1]]
    d, functions = net.input_dim, 2 * net.input_dim + sum(len(bias) for bias in biases)
    code = np.random.default_rng(0).integers(0, 2**63, (functions, 2), np.uint64)  # of - and +
    vertices, edges = cube(d, code)
    function = 2 * d
    for k in range(len(weights)):
        values = vertices.ends
        for i in range(k + 1):
            values = (np.maximum(values, 0) if i else values) @ weights[i].T + biases[i]
        for row in range(len(biases[k])):
            positive = (values[:, row] > 0).view(np.int8)
            a, b = edges.ends.T
            cut = np.flatnonzero(positive[a] != positive[b])
            vertices.sums += code[function, positive]
            t = (values[a[cut], row] / (values[a[cut], row] - values[b[cut], row]))[:, None]
            values = np.concatenate((values, values[a[cut]] + t * (values[b[cut]] - values[a[cut]])))
            cut_edges(vertices, edges, cut, positive, t, function, code)
            function += 1
    cells = around(vertices.zeros, vertices.sums, code, 2 * d)
    return np.unique(cells).size


def cut_edges(
    vertices: Faces, edges: Faces, cut: np.ndarray, positive: np.ndarray, t: np.ndarray, function: int, code: np.ndarray
) -> None:
    """Add the new vertices, halve the cut edges, and join the two new vertices of every polygon."""
    (a, b), zeros, sums = edges.ends[cut].T, edges.zeros[cut], edges.sums[cut]
    d, fresh = zeros.shape[1] + 1, np.arange(cut.size) + len(vertices.sums)
    here = np.full((cut.size, 1), function)
    vertices.append(np.hstack((zeros, here)), sums, vertices.ends[a] + t * (vertices.ends[b] - vertices.ends[a]))
    edges.sums += code[function, positive[edges.ends[:, 0]]]
    edges.ends[cut, 1] = fresh
    edges.append(zeros, sums + code[function, positive[b]], np.stack((fresh, b), axis=1))
    polygons, owners, rests = [np.empty(0, np.uint64)], [fresh[:0]], [np.empty((0, d - 1), np.int64)]
    for i in range(d - 1):
        rest = np.hstack((np.delete(zeros, i, axis=1), here))
        for sign in (0, 1):
            inside = np.flatnonzero(zeros[:, i] >= 2 * d) if sign == 0 else np.arange(cut.size)
            polygons.append(sums[inside] + code[zeros[inside, i], sign])
            owners.append(fresh[inside])
            rests.append(rest[inside])
    keys, owner = np.concatenate(polygons), np.concatenate(owners)
    order = np.argsort(keys)
    pairs = np.flatnonzero(keys[order[1:]] == keys[order[:-1]])
    one, other = order[pairs], order[pairs + 1]
    edges.append(np.concatenate(rests)[one], keys[one], np.stack((owner[one], owner[other]), axis=1))


def cube(d: int, code: np.ndarray) -> tuple[Faces, Faces]:
    """Corners and edges of the box; function 2i is RADIUS + x_i, function 2i + 1 is RADIUS - x_i."""
    corners = np.array(list(product((0, 1), repeat=d)))
    zeros = np.arange(0, 2 * d, 2) + corners
    total = code[: 2 * d, 1].sum()
    vertices = Faces(zeros, total - code[zeros, 1].sum(axis=1), RADIUS * (2.0 * corners - 1))
    ends = np.array([(i, i | 1 << k) for k in range(d) for i in range(2**d) if not i >> k & 1])
    free = d - 1 - np.log2(ends[:, 1] - ends[:, 0]).astype(int)
    on = np.array([np.delete(zeros[i], k) for (i, _), k in zip(ends, free, strict=True)]).reshape(len(ends), d - 1)
    return vertices, Faces(on, total - code[on, 1].sum(axis=1), ends)


def around(zeros: np.ndarray, sums: np.ndarray, code: np.ndarray, walls: int) -> np.ndarray:
    """Sums of the cells around every vertex: all signs of its zeros, but only the inner side of walls."""
    found = []
    for signs in product((0, 1), repeat=zeros.shape[1]):
        inside = ((np.array(signs) == 1) | (zeros >= walls)).all(axis=1)
        found.append(sums[inside] + code[zeros[inside], signs].sum(axis=1))
    return np.concatenate(found)
