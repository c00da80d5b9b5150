"""What must be true of every finished complex: checked face by face, point by point, in plain fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache, partial

import numpy as np
from region_oracle import Face, all_faces, bending, signs_at

from exactrelu import Domain, Halfspace, Network, Polyhedron
from exactrelu.regions.vertex_engine.cells import Cells, Point
from exactrelu.regions.vertex_engine.enumeration import regions
from exactrelu.regions.vertex_engine.words import first_functions, signs

FAR = 10**40


def euler(f: Sequence[int]) -> int:
    """The alternating sum of an f-vector that begins with codimension 0; (-1)^d for all of R^d."""
    return sum((-1) ** (len(f) - 1 - codimension) * n for codimension, n in enumerate(f))


def patterns_of(cells: Cells) -> list[tuple[int, ...]]:
    """The pattern of every region."""
    return [tuple(pattern) for pattern in cells.patterns().T.tolist()]


def adjacent_patterns(cells: Cells) -> set[frozenset[tuple[int, ...]]]:
    """The adjacent pairs of regions, as pairs of patterns."""
    patterns = patterns_of(cells)
    _, low, high = cells.adjacency
    return {frozenset((patterns[i], patterns[j])) for i, j in zip(low.tolist(), high.tolist(), strict=True)}


def check_complex(
    net: Network, halfspaces: Sequence[Halfspace] = (), *, with_oracle: bool = True, integers_only: bool = False
) -> Cells:
    """Raise AssertionError if anything about the complex is wrong."""
    cells = regions(net, halfspaces, integers_only=integers_only)
    assert cells.program.neurons == tuple(bending(net))
    if with_oracle:
        check_faces(cells, all_faces(net, halfspaces))
    if not halfspaces:
        assert euler(cells.f_vector()) == (-1) ** cells.lattice.dim
    check_patterns(cells)
    for region, pattern in enumerate(patterns_of(cells)):
        x = cells.interior_point(region)
        assert signs_at(net, x) == list(pattern)
        assert all(half.slack(x) > 0 for half in halfspaces if not half.is_trivial)
    check_adjacency(cells, net, halfspaces)
    check_generators(cells, net, halfspaces)
    return cells


def faces_of(cells: Cells) -> list[Face]:
    """Codimension and signs of all finite faces, the half-spaces of the domain last."""
    functions = len(cells.program.neurons) + len(cells.program.walls)
    seen: set[tuple[int, ...]] = set()
    found = []
    for k in range(cells.lattice.dim, -1, -1):
        table = signs(first_functions(cells._face_words[k], functions)[:, cells.finite(k)], functions)
        faces = list(map(tuple, table.T.tolist()))
        if cells.program.auxiliary:  # auxiliary cuts divide faces: the greatest part counts
            faces = [face for face in dict.fromkeys(faces) if face not in seen]
            seen |= set(faces)
        found += [(cells.lattice.dim - k, face) for face in faces]
    return found


def check_faces(cells: Cells, known: set[Face]) -> None:
    mine = faces_of(cells)
    assert sorted(mine) == sorted(known)
    codimensions = [codimension for codimension, _ in known]
    assert list(cells.f_vector()) == [codimensions.count(k) for k in range(cells.lattice.dim + 1)]
    neurons = len(cells.program.neurons)
    inner = [face for codimension, face in known if codimension == 1 and 0 not in face[neurons:]]
    assert cells.adjacency[0].size == len(inner)


def check_patterns(cells: Cells) -> None:
    """Distinct, sorted by `order`, and packed in two bit sets."""
    patterns = patterns_of(cells)
    assert len(set(patterns)) == len(patterns) == cells.count == cells.f_vector()[0]
    assert [patterns[i] for i in cells.order()] == sorted(patterns)
    for plane, wanted in zip(cells.planes(), (1, 0), strict=True):
        bits = np.unpackbits(plane.T.astype(">u8").copy().view(np.uint8), axis=1)
        assert (bits[:, : len(patterns[0])] == (cells.patterns() == wanted).T).all()
        assert not bits[:, len(patterns[0]) :].any()


def check_adjacency(cells: Cells, net: Network, halfspaces: Sequence[Halfspace]) -> None:
    """Every facet has a point inside it, where exactly what flips between 0, + and - vanishes."""
    patterns = patterns_of(cells)
    facet, low, high = cells.adjacency
    on_facet = cells.face_signs(cells.lattice.dim - 1).T.tolist() if facet.size else []
    for g, i, j in zip(facet.tolist(), low.tolist(), high.tolist(), strict=True):
        assert i < j
        x = cells.facet_point(g)
        at = signs_at(net, x)
        assert at == on_facet[g]
        assert all(half.slack(x) > 0 for half in halfspaces if not half.is_trivial)
        flipped = tuple(n for n, s, t in zip(cells.program.neurons, patterns[i], patterns[j], strict=True) if s != t)
        assert flipped and flipped == tuple(
            n for n, a, b in zip(cells.program.neurons, *cells.patterns()[:, [i, j]].T, strict=True) if a != b
        )
        for value, s, t in zip(at, patterns[i], patterns[j], strict=True):
            assert value in ((0,) if s != t else (s, 0))


def check_generators(cells: Cells, net: Network, halfspaces: Sequence[Halfspace]) -> None:
    """Vertices and directions fit the patterns, and bounded regions fill a bounded domain."""
    bounded = cells.bounded().tolist()
    at = cache(partial(signs_at, net))  # most vertices belong to many regions
    met: set[Point] = set()
    volume = Fraction(0)
    for region, pattern in enumerate(patterns_of(cells)):
        points, rays = cells.generators(region)
        assert bounded[region] == (not rays and cells.lattice.dim == net.input_dim)
        inner = cells.interior_point(region)
        far = [tuple(c + FAR * u for c, u in zip(inner, ray, strict=True)) for ray in rays]
        assert all(at(x) == list(pattern) for x in far)
        assert all(value in (s, 0) for x in points for value, s in zip(at(x), pattern, strict=True))
        met.update(points, far)
        if bounded[region]:
            volume += Polyhedron.from_generators(points).volume
    assert all(half.contains(x) for x in met for half in halfspaces if not half.is_trivial)
    if all(bounded):
        assert volume == Domain.polytope(halfspaces=halfspaces).polyhedron.volume
    signs_of_vertices = cells.face_signs(0).T.tolist()
    assert all(at(cells.vertex(v)) == signs_of_vertices[v] for v in np.flatnonzero(cells.finite(0)).tolist())


def check_same_arrays(one: Cells, other: Cells) -> None:
    """Not only the same complex: the same numbers at the same places."""
    assert one.lattice.size == other.lattice.size
    for k in range(1, one.lattice.dim + 1):
        for left, right in zip(one.lattice.incidence(k), other.lattice.incidence(k), strict=True):
            assert np.array_equal(left, right)
    assert np.array_equal(one._vertex_words, other._vertex_words)
    assert np.array_equal(one._points, other._points)
