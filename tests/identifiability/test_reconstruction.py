"""Reconstruction from affine maps and shared points: the fibre by brute force, and atlases by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as Q

import pytest
import shallow_bridge as bridge
import shallow_cases as cases
import shallow_oracle as so
import shallow_search as search

from exactrelu import Domain, InvalidInput, Network, Undecided, activation_regions, canonical_form, fibre, zoo
from exactrelu.identifiability.recovery.black_box import BrokenPromise
from exactrelu.identifiability.recovery.reconstruction import AffineAtlas, reconstruct_from_graph


def atlas_of(net: Network, domain: object = None) -> AffineAtlas:
    """What is seen of a network, rebuilt from plain lists so that nothing else can be in it."""
    complex = activation_regions(net, domain)
    regions = [(region.interior_point, *region.affine_map) for region in complex]
    return AffineAtlas.of(regions, [(*edge.regions, edge.point) for edge in complex.adjacencies()], complex.domain)


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.sweep) for seed in range(3, 30))])
def test_random_networks(seed: int) -> None:
    """Degenerate networks on bounded domains and on all of space."""
    finite = 0
    for net, vertices in cases.random_cases(seed, 35, h_max=7):
        net = net._replace(c=net.c or (Q(0),) * net.k, hidden_bias=True)
        found = reconstruct_from_graph(atlas_of(bridge.network(net), bridge.domain(vertices, net.d)))
        width = search.minimal_width(net, vertices)
        configurations = list(search.configurations(net, vertices, width))
        is_finite = not any(c.pairs or c.always for c in configurations)
        assert found.status == ("complete" if is_finite else "infinite"), net
        if width == 0:
            assert found.networks[0].depth == 1
            continue
        members = [bridge.plain(member) for member in found.networks]
        assert all(so.equal(net, member, vertices) for member in members)
        if is_finite:
            finite += 1
            expected = [so.class_key(search.build(net, vertices, c)) for c in configurations]
            assert sorted(expected) == sorted(so.class_key(member) for member in members), net
        else:
            other = bridge.plain(found.family.member("1/3"))
            assert so.equal(net, other, vertices)
            assert not so.ps_equivalent(members[0], other)
    assert finite > 5


KNOWN = {"hat": 2, "S13": 2, "S14": 2, "S15": 1, "S16": 2, "S17": 1, "S18": 1, "S24": 1}


@pytest.mark.parametrize("name", KNOWN)
def test_known_fibres(name: str) -> None:
    specimen = zoo.specimen(name)
    found = reconstruct_from_graph(atlas_of(specimen.network, specimen.domain))
    assert len(found.networks) == KNOWN[name]
    expected = {canonical_form(member) for member in fibre(specimen.network, specimen.domain)}
    assert {canonical_form(member) for member in found.networks} == expected


def test_both_constructions_agree() -> None:
    complex = activation_regions(Network.random((2, 5, 2), 1), "[-1,1]^2")
    assert AffineAtlas.of_complex(complex) == atlas_of(complex.network, "[-1,1]^2")


def test_other_numberings_of_the_regions() -> None:
    """Where the walk begins, and in which direction facets are crossed, does not matter."""
    atlas = atlas_of(zoo.HAT)
    last = len(atlas.regions) - 1
    turned = replace(
        atlas,
        regions=atlas.regions[::-1],
        adjacencies=tuple((last - i, last - j, point) for i, j, point in atlas.adjacencies),
    )
    classes = [{canonical_form(n) for n in reconstruct_from_graph(a).networks} for a in (atlas, turned)]
    assert classes[0] == classes[1]
    assert len(classes[0]) == 2


def test_regions_by_hand() -> None:
    """Quadrants of |x| + |y|: two opposite pairs, so infinitely many classes."""
    signs = [(1, 1), (-1, 1), (-1, -1), (1, -1)]
    facets = [[0, 1], [-1, 0], [0, -1], [1, 0]]
    adjacencies = [(k, (k + 1) % 4, facet) for k, facet in enumerate(facets)]
    atlas = AffineAtlas.of([(s, [s], [0]) for s in signs], adjacencies)
    found = reconstruct_from_graph(atlas)
    assert found.status == "infinite"
    assert found.networks[0](["-2/3", 5]) == (Q(17, 3),)
    on_a_square = reconstruct_from_graph(AffineAtlas.of([(s, [s], [0]) for s in signs], adjacencies, "[0,9]x[-9,9]"))
    assert on_a_square.networks[0].widths == (2, 2, 1)


def test_deep_functions_are_refused() -> None:
    with pytest.raises(BrokenPromise, match="atlas: must bend by the same jump along all of the hyperplane"):
        reconstruct_from_graph(atlas_of(Network.random((2, 3, 3, 1), 0)))
    deep_line = Network.mlp([[[1], [-1]], [[1, 1]], [[1]]], [[0, 0], [-1], [0]])  # of one variable: it is shallow
    assert reconstruct_from_graph(atlas_of(deep_line)).networks[0].widths == (1, 2, 1)


LEFT, RIGHT = ([-1], [[-1]], [0]), ([1], [[1]], [0])
SPOILED = {
    "not continuous": ([LEFT, ([1], [[1]], [1])], [(0, 1, [0])], "must agree at their common point"),
    "on one side": ([LEFT, ([-2], [[1]], [0])], [(0, 1, [0])], "must lie on different sides of"),
    "no such region": ([LEFT, RIGHT], [(0, 2, [0])], r"adjacencies\[0\]: must name regions 0 to 1; got 2"),
    "no regions": ([], [], "regions: must contain at least one region"),
    "lengths": ([LEFT, ([1, 2], [[1, 2]], [0])], [], r"regions\[1\]: must have 1 inputs and 1 outputs"),
    "outputs": ([([0], [[1], [2]], [0])], [], r"regions\[0\]: must have 2 entries"),
    "float": ([([0.5], [[1]], [0])], [], "a float is not"),
}


@pytest.mark.parametrize("name", SPOILED)
def test_atlases_that_contradict_themselves(name: str) -> None:
    regions, adjacencies, reason = SPOILED[name]
    with pytest.raises(InvalidInput, match=reason):
        reconstruct_from_graph(AffineAtlas.of(regions, adjacencies))


def test_missing_facets_are_noticed() -> None:
    with pytest.raises(BrokenPromise, match="affine map in region 1 that the jumps on the way from region 0 add up to"):
        reconstruct_from_graph(AffineAtlas.of([LEFT, RIGHT], []))


def test_a_jump_of_higher_rank_is_refused() -> None:
    regions = [([-1, 0], [[0, 0], [0, 0]], [0, 0]), ([1, 0], [[1, 0], [0, 1]], [0, 0])]
    with pytest.raises(BrokenPromise, match="gradient jump of rank one between regions 0 and 1"):
        reconstruct_from_graph(AffineAtlas.of(regions, [(0, 1, [0, 0])]))


def test_unbounded_domains_other_than_space_are_open() -> None:
    ray = Domain.polytope(halfspaces=[([1], 9)])
    with pytest.raises(Undecided):
        reconstruct_from_graph(AffineAtlas.of([LEFT, RIGHT], [(0, 1, [0])], ray))
