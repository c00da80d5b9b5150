"""The embedding: its formulas, its derivative, and the statements L1, L2, S1, S2 and S4 of the theory."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import sympy
from oracles import (
    all_paths,
    eliminate,
    embedding,
    embedding_jacobian,
    forward,
    is_admissible,
    parameters,
    path_activations,
)
from strategies import (
    on_a_kink,
    random_admissible_dag,
    random_dag,
    random_mlp,
    random_point,
    random_scalings,
)

import exactrelu as er
from exactrelu import Layer, Network, path_embedding

SKIP = Network(1, [Layer({0: [[1]]}, bias=[-1]), Layer({0: [[-1]], 1: [[2]]}, bias=[0], activation="identity")])
PRIMES = (2, 3, 5, 7)


def unit(w, b, v) -> Network:
    """The network v sigma(w x + b), all three of them parameters."""
    return Network.mlp([[[w]], [[v]]], [[b], None])


def signs(net: Network) -> list[int]:
    """The signs of all parameters."""
    return [(p.value > 0) - (p.value < 0) for p in net.parameters]


def is_scaling_class(left: Network, right: Network) -> bool:
    """Whether right = lambda_v/lambda_u left, decided prime by prime.

    For equal signs, the exponents of each prime in the quotients of the nonzero
    parameters must be differences of exponents of lambda: a linear system.
    """
    if signs(left) != signs(right):
        return False
    hidden = left.hidden_neurons
    rows, quotients = [], []
    for p, q in zip(left.parameters, right.parameters, strict=True):
        if p.value:
            rows.append([Fraction((p.target == v) - (p.source == v)) for v in hidden])
            quotients.append(q.value / p.value)
    columns = []
    rest = quotients
    for prime in PRIMES:
        columns.append([Fraction(exponent(q, prime)) for q in quotients])
        rest = [q / Fraction(prime) ** exponent(q, prime) for q in rest]
    assert all(q == 1 for q in rest), "the changes of this test use small primes only"
    augmented = [[*row, *(column[k] for column in columns)] for k, row in enumerate(rows)]
    return all(pivot < len(hidden) for pivot in eliminate(augmented)[1])


def exponent(value: Fraction, prime: int) -> int:
    """The exponent of a prime in a positive rational number."""
    found, up, down = 0, value.numerator, value.denominator
    while up % prime == 0:
        up, found = up // prime, found + 1
    while down % prime == 0:
        down, found = down // prime, found - 1
    return found


def check_linear_in_embedding(r: random.Random, net: Network) -> None:
    """L1, with the package's own paths, activations and vector, also on kinks."""
    phi = path_embedding(net)
    point = random_point(r, net.input_dim)
    moved = on_a_kink(r, net, point)
    for theta, vector in ((net, phi.vector), (moved, path_embedding(moved).vector)):
        data = theta.to_json()
        alpha = path_embedding(theta).activations(point)
        assert list(alpha) == path_activations(data, point)
        assert list(vector) == embedding(data)
        totals = [Fraction(0)] * net.output_dim
        for path, a, value in zip(phi.paths, alpha, vector, strict=True):
            totals[path.neurons[-1][1]] += a * value
        assert totals == forward(data, point)[1][-1]


def check_scaling_invariant(r: random.Random, net: Network) -> None:
    """S1."""
    moved = net.rescale(random_scalings(r, net))
    assert path_embedding(moved).vector == path_embedding(net).vector
    for _ in range(2):
        point = random_point(r, net.input_dim)
        assert moved(point) == tuple(forward(net.to_json(), point)[1][-1])


def check_determines_scaling_class(r: random.Random, net: Network) -> bool:
    """S2 for admissible parameters and a competitor with the same signs; True if the embeddings agree."""
    moved = net.rescale(random_scalings(r, net)) if r.random() < 0.7 else net
    factors = [r.choice(PRIMES) if r.random() < r.choice((0, 0, 0.1, 0.5)) else 1 for _ in net.parameters]
    moved = moved.with_values([f * p.value for f, p in zip(factors, moved.parameters, strict=True)])
    same = path_embedding(moved).vector == path_embedding(net).vector
    assert same == is_scaling_class(net, moved)
    # without signs: lambda of any sign keeps the embedding
    lam = {v: r.choice((1, -1, 2, -3)) for v in net.hidden_neurons}
    turned = net.with_values([p.value * lam.get(p.target, 1) / Fraction(lam.get(p.source, 1)) for p in net.parameters])
    assert path_embedding(turned).vector == path_embedding(net).vector
    return same


def check_statements(seeds) -> tuple[int, int, int]:
    """L1, S1 and S2 on seeded networks; how many were admissible, and how often the embeddings agreed or not."""
    admissible = same = 0
    for seed in seeds:
        r = random.Random(seed)
        net = random_dag(r) if seed % 5 else random_mlp(r)
        check_linear_in_embedding(r, net)
        check_scaling_invariant(r, net)
        if is_admissible(net.to_json()):
            admissible += 1
            same += check_determines_scaling_class(r, net)
    return admissible, same, admissible - same


def test_l1_s1_s2_on_random_networks():
    admissible, same, different = check_statements(range(500))
    assert admissible > 100 and same > 30 and different > 30


@pytest.mark.sweep
def test_l1_s1_s2_on_ten_thousand_random_networks():
    admissible, same, different = check_statements(range(10_000))
    assert admissible > 2000 and same > 500 and different > 500


def test_s2_is_sharp_without_admissibility():
    """(w,b,v) = (1,1,0) and (1,2,0): the same embedding and signs, yet no rescaling."""
    left, right = unit(1, 1, 0), unit(1, 2, 0)
    assert path_embedding(left).vector == path_embedding(right).vector == (0, 0)
    assert signs(left) == signs(right) == [1, 1, 0]
    assert not is_scaling_class(left, right)
    assert er.scaling_equivalent(left, right).status is er.Status.FAILS
    assert er.admissible(left).status is er.Status.FAILS


def test_s2_is_sharp_without_signs():
    """(1,1,1) and (-1,-1,-1): the same embedding, other signs, another function."""
    left, right = unit(1, 1, 1), unit(-1, -1, -1)
    assert path_embedding(left).vector == path_embedding(right).vector == (1, 1)
    assert signs(left) != signs(right)
    assert er.admissible(left).status is er.admissible(right).status is er.Status.HOLDS
    assert (left([1]), right([1])) == ((2,), (0,))
    assert er.scaling_equivalent(left, right).status is er.Status.FAILS


def test_l2_locally_linear():
    """A small change of the parameters keeps alpha, and R changes by alpha times the change of the embedding."""
    r, checked = random.Random(4), 0
    for seed in range(600):
        net = random_dag(r) if seed % 3 else random_admissible_dag(r)
        point = random_point(r, net.input_dim)
        if any(z == 0 for row in forward(net.to_json(), point)[0] for z in row):
            continue
        phi = path_embedding(net)
        alpha = phi.activations(point)
        step, size = [Fraction(r.randint(-3, 3)) for _ in net.parameters], Fraction(1, 2)
        pattern = net.pattern(point)
        moved = net
        for _ in range(60):
            moved = net.with_values([p.value + size * s for p, s in zip(net.parameters, step, strict=True)])
            if moved.pattern(point) == pattern:
                break
            size /= 2
        psi = path_embedding(moved)
        assert psi.activations(point) == alpha
        gaps = [Fraction(0)] * net.output_dim
        for path, a, new, old in zip(phi.paths, alpha, psi.vector, phi.vector, strict=True):
            gaps[path.neurons[-1][1]] += a * (new - old)
        assert gaps == [new - old for new, old in zip(moved(point), net(point), strict=True)]
        checked += psi.vector != phi.vector
    assert checked > 200


def test_s4_admissible_and_full_rank_yet_not_identifiable():
    """sigma(sigma(x) - 1): b_1 = s, b_2 = -1 - s leaves the function unchanged for s >= -1, and for no s < -1."""
    net = Network.mlp([[[1]], [[1]], [[1]]], [[0], [-1], [0]])
    assert er.admissible(net).status is er.Status.HOLDS
    assert er.embedding_rank(net) == len(eliminate(embedding_jacobian(net.to_json()))[1]) == 4
    for s in [Fraction(k, 4) for k in range(-10, 13)]:
        member = net.replace({"b[1][0]": s, "b[2][0]": -1 - s})
        # both are affine between and beyond the kinks, so these points decide
        kinks = sorted({Fraction(0), Fraction(1), -s})
        points = [[kinks[0] - 1], *([k] for k in kinks), [kinks[-1] + 1], [kinks[-1] + 2], [kinks[0] - 2]]
        assert (member.values(points) == net.values(points)) == (s >= -1)
        assert path_embedding(member).vector != path_embedding(net).vector or s == 0


def test_the_skip_network_of_the_theory():
    phi = path_embedding(SKIP)
    assert phi.vector == (2, -1, -2, 0)
    assert phi.formulas() == ("w[1<-0][0,0]*w[2<-1][0,0]", "w[2<-0][0,0]", "b[1][0]*w[2<-1][0,0]", "b[2][0]")
    assert (phi.rank(), SKIP([3])) == (4, (1,))
    assert phi.activations([3]) == (3, 3, 1, 1) and phi.activations([0]) == (0, 0, 0, 1)
    assert phi.activations([1]) == (0, 1, 0, 1), "the neuron is on its kink at 1, hence not active"


def test_symbolic_embedding_and_jacobian_against_sympy():
    r = random.Random(6)
    for _ in range(60):
        net = random_dag(r, max_layers=3, max_width=2)
        phi = path_embedding(net)
        values = parameters(net.to_json())
        symbols = [sympy.Symbol(name) for name in values]
        formulas = phi.symbolic()
        assert [sympy.prod([sympy.Symbol(n) for n in names]) for _, _, names in all_paths(net.to_json())] == list(
            formulas
        )
        derivative = phi.symbolic_jacobian()
        assert [list(row) for row in derivative] == [[sympy.diff(f, s) for s in symbols] for f in formulas]
        at = {s: sympy.Rational(v.numerator, v.denominator) for s, v in zip(symbols, values.values(), strict=True)}
        assert [f.subs(at) for f in formulas] == [sympy.Rational(v.numerator, v.denominator) for v in phi.vector]
        numeric = [[entry.subs(at) for entry in row] for row in derivative]
        assert [[Fraction(int(e.p), int(e.q)) for e in row] for row in numeric] == [list(row) for row in phi.jacobian()]


def test_latex_is_balanced_and_has_one_row_per_path():
    r = random.Random(7)
    for _ in range(60):
        phi = path_embedding(random_dag(r))
        latex = phi.latex()
        depth = 0
        for symbol in latex:
            depth += (symbol == "{") - (symbol == "}")
            assert depth >= 0
        assert depth == 0
        assert latex.count(r"\begin{pmatrix}") == latex.count(r"\end{pmatrix}") == 1
        assert latex.count(r" \\ ") == len(phi.paths) - 1
        assert phi._repr_latex_() == f"${latex}$"
    assert path_embedding(unit(1, 1, 1)).latex() == (
        r"\Phi(\theta) = \begin{pmatrix}w^{(1\leftarrow 0)}_{0,0} \, w^{(2\leftarrow 1)}_{0,0} \\ "
        r"b^{(1)}_{0} \, w^{(2\leftarrow 1)}_{0,0}\end{pmatrix}"
    )


@pytest.mark.parametrize("point", ["1", 1, [1, 2], [0.5], [None]], ids=repr)
def test_path_activations_refuse_what_is_no_point(point):
    with pytest.raises(er.InvalidInput, match=r"^points?"):
        path_embedding(SKIP).activations(point)
