"""Certificates about functions, equivalences and symmetries: valid, and rejected where they turned false.

One-letter names: ``r`` a seeded random generator.
"""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from mutations import assert_sound
from region_networks import batches, random_halfspaces
from strategies import partner, random_dag, random_mlp, random_permutation, random_point, random_scalings

from exactrelu import (
    Domain,
    InvalidInput,
    Layer,
    Modification,
    Network,
    Status,
    Undecided,
    affine_symmetries,
    compare_networks,
    is_affine_symmetry,
    modify,
    permutation_scaling_equivalent,
    same_function,
    scaling_equivalent,
    zoo,
)
from exactrelu.certificates import certify

FOUR = affine_symmetries("relu", [(1, 0), (-1, 0), (1, -1), (-1, 1)]).basis[0]

RHOS = ("relu", "abs", "hard_tanh", "hat", "tanh", "logistic", {"name": "leaky_relu", "slope": "1/3"})


def domain_for(r: random.Random, dimension: int) -> Domain:
    walls = random_halfspaces(r, dimension)
    return Domain.polytope(halfspaces=walls) if walls else Domain.space(dimension)


@pytest.mark.parametrize("seeds", batches(150, 3000, 500))
def test_values(seeds: range) -> None:
    for seed in seeds:
        r = random.Random(seed)
        net = random_dag(r)
        assert_sound(certify("value", network=net, point=random_point(r, net.input_dim)), r)


@pytest.mark.parametrize("seeds", batches(40, 2000, 200))
def test_equal_and_different_functions(seeds: range) -> None:
    """A partner of a network, most of the time with the same function; skips, any depth."""
    made = {"same_function": 0, "different_function": 0}
    for seed in seeds:
        r = random.Random(seed)
        net = random_mlp(r, max_layers=3)
        verdict = same_function(net, partner(r, net), domain_for(r, net.input_dim))
        certificate = certify(verdict)
        made[certificate.claim["id"]] += 1
        assert_sound(certificate, r, 3)
    assert min(made.values()) > len(seeds) // 5


@pytest.mark.parametrize("seeds", batches(25, 1000, 100))
def test_modified_networks_are_the_same_function(seeds: range) -> None:
    """Equal functions whose regions differ, and the modification as a claim of its own."""
    for seed in seeds:
        r = random.Random(seed)
        net = random_mlp(r, max_layers=3, max_width=2)
        if net.depth < 2 or any(layer.bias is None for layer in net.layers):
            continue
        layer = r.randrange(1, net.depth)
        child = (net.depth, r.randrange(net.output_dim))
        change = Modification((layer, 0), FOUR, child, Fraction(r.randint(-3, 3)))
        assert_sound(certify(same_function(net, change.apply(net))), r, 2)
        if any(net.layers[layer - 1].blocks[0][1][0]):
            certificate = certify("modification_preserves", network=net, modification=change)
            assert same_function(net, certify_network(certificate.claim["network"])).status is Status.HOLDS
            assert_sound(certificate, r, 3)


def certify_network(data: object) -> Network:
    from exactrelu.networks.json import network_from_json

    return network_from_json(data, "claim")


def test_a_modification_of_another_activation() -> None:
    net = Network.mlp([[["1/2"], [3]], [[3, 1]]], [[1, 0], None], activation="abs")
    even = affine_symmetries("abs", [(1, 0), (-2, 0)]).basis[0]
    change = Modification((1, 0), even, (2, 0), Fraction(5))
    certificate = certify("modification_preserves", network=net, modification=change)
    assert certificate.check()
    assert certify_network(certificate.claim["other"]) == modify(net, (1, 0), even, (2, 0), 5)
    tanh = Network.mlp([[["1/2"]], [[3]]], activation="tanh")
    odd = affine_symmetries("tanh", [(1, 0), (-1, 0)]).basis[0]
    certificate = certify(
        "modification_preserves", network=tanh, modification=Modification((1, 0), odd, (2, 0), Fraction(1))
    )
    assert certificate.check() and certificate.evidence["activation"] == "tanh"


@pytest.mark.parametrize("seeds", batches(60, 3000, 300))
def test_equivalences(seeds: range) -> None:
    made: set[str] = set()
    for seed in seeds:
        r = random.Random(seed)
        net = random_dag(r, max_layers=3)
        other = partner(r, net, permuted=r.random() < 0.5)
        for decide in (scaling_equivalent, permutation_scaling_equivalent):
            verdict = decide(net, other)
            if verdict.status is Status.INAPPLICABLE:
                continue
            certificate = certify(verdict)
            made.add(certificate.claim["id"])
            assert_sound(certificate, r, 3)
    assert made == {"scaling_equivalent", "not_scaling_equivalent", "ps_equivalent", "not_ps_equivalent"}


def test_inequivalent_networks_are_told_apart() -> None:
    asked = 0
    for seed in range(100):
        r = random.Random(seed)
        net = random_mlp(r, max_layers=3)
        other = partner(r, net)
        if permutation_scaling_equivalent(net, other).status is Status.FAILS:
            asked += 1
            assert certify("not_ps_equivalent", network=net, other=other).check()
    assert asked > 25


@pytest.mark.parametrize("seeds", batches(20, 1000, 100))
def test_networks_that_colours_cannot_tell_apart(seeds: range) -> None:
    """Two layers joined by a union of cycles, as permuted twins or with other cycles; often with gauges missing."""
    codes = {"ps_equivalent": 0, "not_ps_equivalent": 0}
    for seed in seeds:
        r = random.Random(seed)
        silent = r.random() < 0.5
        net, other = (cycles(r.choice(((2, 2), (4,))), r, silent) for _ in range(2))
        if r.random() < 0.3:
            other = other.replace({"w[2<-1][0,0]": r.choice((-1, 1, 2))})
        certificate = certify(permutation_scaling_equivalent(net, other))
        codes[certificate.claim["id"]] += 1
        assert_sound(certificate, r, 4)
    assert min(codes.values()) > len(seeds) // 10


def cycles(lengths: tuple[int, ...], r: random.Random, silent: bool) -> Network:
    """Neurons of the first and the second layer on cycles, at random positions."""
    rows, size = [[0] * 4 for _ in range(4)], 0
    for length in lengths:
        for k in range(length):
            for j in (k, (k + 1) % length):
                rows[size + k][size + j] = 1
        size += length
    net = Network.mlp([[[int(not silent)]] * 4, rows, [[int(not silent)] * 4]], [None, None, [0]])
    return net.permute(random_permutation(r, net)).rescale(random_scalings(r, net))


def test_too_many_permutations() -> None:
    """Nine neurons in a layer joined to nine others by cycles: 9! squared permutations."""
    rows = [[int(j in (k, (k + 1) % 9)) for j in range(9)] for k in range(9)]
    other = [[int(j in (k, 3 * (k // 3) + (k + 1) % 3)) for j in range(9)] for k in range(9)]
    nets = [Network.mlp([[[1]] * 9, matrix, [[1] * 9]], [None, None, [0]]) for matrix in (rows, other)]
    assert permutation_scaling_equivalent(*nets).status is Status.FAILS
    with pytest.raises(Undecided, match="too many permutations"):
        certify("not_ps_equivalent", network=nets[0], other=nets[1])


def test_a_comparison_is_certified() -> None:
    r = random.Random(0)
    net = Network.random((2, 4, 3, 1), 1)
    found = compare_networks(net, net.permute(random_permutation(r, net)).rescale(random_scalings(r, net)), "[-1,1]^2")
    assert certify(found.permutation_scaling_equivalent).claim["id"] == "ps_equivalent"
    assert certify(found.same_function).check()


@pytest.mark.parametrize("seeds", batches(150, 3000, 500))
def test_affine_symmetries(seeds: range) -> None:
    refused = 0
    for seed in seeds:
        r = random.Random(seed)
        rho = r.choice(RHOS)
        atoms = {(Fraction(r.choice((1, -1, 2, -2))), Fraction(r.randint(-2, 2))) for _ in range(6)}
        space = affine_symmetries(rho, sorted(atoms))
        for symmetry in space.basis[:2]:
            constant = symmetry.constant + r.choice((0, 0, 1))
            verdict = is_affine_symmetry(rho, symmetry.coefficients, symmetry.atoms, constant)
            certificate = certify(verdict)
            assert certificate.claim["id"].startswith("not_") is (constant != symmetry.constant)
            refused += assert_sound(certificate, r, 12)
    assert refused > len(seeds)


def test_what_is_false_is_refused() -> None:
    hat, net = zoo.HAT, Network.mlp([[[1]], [[1]]], [[0], [0]])
    for claim, arguments in (
        ("same_function", {"other": hat}),
        ("scaling_equivalent", {"other": net.rescale([[2]]).replace({"b[1][0]": 1})}),
        ("ps_equivalent", {"other": hat}),
        ("different_function", {"other": net}),
        ("different_function", {"other": hat, "point": [0], "domain": "[1,2]"}),
        ("not_ps_equivalent", {"other": net.rescale([[3]])}),
    ):
        with pytest.raises(InvalidInput, match="must be true to be certified"):
            certify(claim, network=net, **arguments)
    with pytest.raises(InvalidInput, match="no affine symmetry"):
        certify("affine_symmetry", activation="relu", atoms=[(1, 0)], coefficients=[1])
    with pytest.raises(InvalidInput, match="this is an affine symmetry"):
        certify("not_affine_symmetry", activation="relu", atoms=[(1, 0), (2, 0)], coefficients=[2, -1])


def test_a_modification_with_an_atom_in_an_earlier_layer() -> None:
    second = Layer({0: [[-1], [1], [-1]]}, bias=[0, -1, 1])
    last = Layer({1: [[1]], 2: [[1, 1, 0]]}, bias=[0], activation="identity")
    net = Network(1, [Layer({0: [[1]]}, bias=[0]), second, last])
    change = Modification((2, 0), FOUR, (3, 0), Fraction(2))
    certificate = certify("modification_preserves", network=net, modification=change)
    assert [1, 0] in certificate.evidence["neurons"]
    assert assert_sound(certificate, random.Random(0), 40) > 10


def test_skips_and_absent_edges() -> None:
    last = Layer({1: [[1, 1]], 0: [[None, 2]]}, activation="identity")
    net = Network(2, [Layer({0: [[1, None], [None, 1]]}, bias=[0, 1]), last])
    assert certify("same_function", network=net, other=net.rescale([[2, 3]]), domain="[-1,1]xR").check()
