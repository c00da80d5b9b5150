"""General networks, against z3's faces, SymPy's ranks and all pairs of pieces."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import chain, combinations, pairwise, product
from random import Random

import pytest
import sympy
from face_oracle import Faces
from region_networks import batches
from strategies import DEGENERATE

from exactrelu import Domain, InvalidInput, Layer, Network, Status
from exactrelu.identifiability.hypotheses.general_networks import LowRank, ProportionalPieces, ZeroOptimum, general


def perceptron(seed: int) -> tuple[Network, Domain]:
    """Two hidden layers; mostly odd entries, so that little is degenerate by chance, or many zeros."""
    r = Random(seed)
    widths = [*[r.randint(1, 2), r.randint(1, 3), r.randint(1, 2), 1][: r.choice((3, 4, 4)) - 1], r.randint(1, 2)]
    entries = DEGENERATE if seed % 3 == 0 else [Fraction(k, 7) for k in range(-20, 20) if k]
    weights = [[[r.choice(entries) for _ in range(a)] for _ in range(b)] for a, b in pairwise(widths)]
    net = Network.mlp(weights, [[r.choice(entries) for _ in range(b)] for b in widths[1:]])
    return net, Domain.parse(f"[-3,3]^{widths[0]}") if r.random() < 0.3 else Domain.space(widths[0])


def subsets(n: int) -> list[tuple[int, ...]]:
    return list(chain.from_iterable(combinations(range(n), k) for k in range(1, n + 1)))


def products_have_full_rank(net: Network) -> bool:
    matrices = [
        sympy.Matrix([[sympy.Rational(str(w)) for w in row] for row in layer.blocks[0][1]]) for layer in net.layers
    ]
    for first in range(net.depth):
        for last in range(first, net.depth):
            for kept in product(*(subsets(matrices[k].rows) for k in range(first, last))):
                total = matrices[first]
                for k, chosen in enumerate(kept, first):
                    gate = sympy.diag(*(int(i in chosen) for i in range(matrices[k].rows)))
                    total = matrices[k + 1] * gate * total
                bound = min(matrices[first].cols, matrices[last].rows, *map(len, kept), 99)
                if total.rank() < bound:
                    return False
    return True


def proportional(faces: Faces) -> set[frozenset[tuple[int, int]]]:
    """The pairs of hidden neurons with pieces that are multiples of each other and not constant."""
    pieces = {}
    for _, neuron in faces.hidden:
        forms = [faces.form(neuron, C) for C in faces.cells]
        pieces[neuron] = {tuple(c / next(e for e in f[1:] if e) for c in f) for f in forms if any(f[1:])}
    return {frozenset(pair) for pair in combinations(pieces, 2) if pieces[pair[0]] & pieces[pair[1]]}


@pytest.mark.parametrize("seeds", batches(40, 440, 200))
def test_against_brute_force(seeds: range) -> None:
    seen: Counter[tuple[str, Status]] = Counter()
    for seed in seeds:
        net, domain = perceptron(seed)
        faces, verdict = Faces(net, domain.halfspaces), general(net, domain)
        pairs = proportional(faces)
        assert set(verdict.condition("no_zero_optimum").neurons) == faces.zero_optima()
        good = {
            "no_zero_optimum": not faces.zero_optima(),
            "products_of_full_rank": products_have_full_rank(net),
            "no_proportional_pieces": not pairs,
        }
        assert {c.id: c.status is Status.HOLDS for c in verdict.conditions} == good
        assert verdict.status is (Status.HOLDS if all(good.values()) else Status.FAILS)
        seen.update((c.id, c.status) for c in verdict.conditions)
        check_evidence(net, domain, verdict.evidence, pairs)
    assert len(seen) == 6 and min(seen.values()) > 3, seen


def check_evidence(net: Network, domain: Domain, found: object, pairs: set[frozenset[tuple[int, int]]]) -> None:
    if isinstance(found, ZeroOptimum):
        x, (layer, i) = found.point, found.neuron
        assert all(half.slack(x) > 0 for half in domain.halfspaces)
        assert net.preactivations(x)[layer - 1][i] == 0
        # near the point only one sign occurs
        r = Random(0)
        tiny = Fraction(1, 10**9)
        near = [[c + r.randint(-99, 99) * tiny for c in x] for _ in range(60)]
        assert not {net.preactivations(y)[layer - 1][i] > 0 for y in near} >= {True, False} or not {
            net.preactivations(y)[layer - 1][i] < 0 for y in near
        } >= {True, False}
    elif isinstance(found, LowRank):
        assert found.rank < found.bound and len(found.active) == found.last - found.first
    elif isinstance(found, ProportionalPieces):
        assert frozenset(found.neurons) in pairs


def test_each_condition_by_hand() -> None:
    tent = Network.mlp([[[1], [-1]], [[-1, -1]], [[1]]], [[0, 0], [0], [0]])  # -|x| has the maximum 0
    verdict = general(tent)
    assert verdict.condition("no_zero_optimum").neurons == ((2, 0),)
    assert verdict.evidence.explain() == "(2,0) has a local optimum of value 0 at (0)"
    silent = Network.mlp([[[1, 0], [1, 1]], [[0, 1]]], [[0, 1], [1]])
    assert general(silent).evidence == LowRank(1, 2, ((0,),), 0, 1)
    cancelling = Network.mlp([[[1], [-1]], [[1, 1]]], [[1, 0], [0]])
    assert general(cancelling).evidence == LowRank(1, 2, ((0, 1),), 0, 1)
    repeated = Network.mlp([[[1, 0], [0, 1]], [[1, 0], [1, 1]], [[1, 2]]], [[0, 1], [5, 0], [0]])
    assert "(2,1) on region" in general(repeated).condition("no_proportional_pieces").detail


def test_dead_neurons_have_optima_only_at_zero() -> None:
    """A neuron that is -1 everywhere has optima, but none of value 0."""
    for bias, bad in ((-1, ()), (0, ((1, 0),))):
        net = Network.mlp([[[0]], [[1]]], [[bias], [0]])
        assert general(net).condition("no_zero_optimum").neurons == bad


def test_budgets_and_refusals() -> None:
    net = Network.random((2, 4, 3, 1), 3, bound=997)
    assert general(net).status is Status.HOLDS
    few = general(net, "[0,1/100]^2", budget=20)
    assert few.status is Status.UNKNOWN
    assert few.condition("products_of_full_rank").detail == "budget: at most 20 products are allowed"
    assert general(net, budget=2).condition("regions").status is Status.UNKNOWN
    skip = Network(1, [Layer({0: [[1]]}), Layer({0: [[1]], 1: [[1]]}, activation="identity")])
    assert general(skip).status is Status.INAPPLICABLE
    with pytest.raises(InvalidInput, match="budget"):
        general(net, budget=-1)
