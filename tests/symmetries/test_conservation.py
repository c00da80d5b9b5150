"""Conservation laws and Lie closures against SymPy's derivatives, explicit paths, and the known table."""

from __future__ import annotations

import random
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise

import pytest
import sympy
from oracles import all_paths, eliminate, embedding_jacobian, is_admissible, parameters, rank_modulo
from strategies import random_admissible_dag, random_dag, random_mlp

from exactrelu import BudgetExceeded, InvalidInput, Layer, Network, Undecided
from exactrelu.errors import Budget
from exactrelu.symmetries.conservation import conservation_laws
from exactrelu.symmetries.lie_closure import LieClosure, _Search, lie_closure, number_of_conservation_laws


def random_linear(r: random.Random, *widths: int, biases: bool = False, entries=range(-9, 10)) -> Network:
    weights = [[[r.choice(entries) for _ in range(n)] for _ in range(m)] for n, m in pairwise(widths)]
    offsets = [[r.choice(entries) for _ in range(m)] for m in widths[1:]] if biases else None
    return Network.mlp(weights, offsets, activation="identity")


def gradient_fields(net: Network) -> tuple[list[sympy.Symbol], list[sympy.Matrix]]:
    """The gradients of the path products, summed where the active neurons agree, by SymPy."""
    data = net.to_json()
    symbols = {name: sympy.Symbol(name) for name in parameters(data)}
    sums: dict[object, sympy.Expr] = {}
    for vertices, from_bias, names in all_paths(data):
        relu = [v for v in vertices if v[0] and not net.layers[v[0] - 1].activations[v[1]].is_affine]
        key = (None if from_bias else vertices[0], vertices[-1], *relu)
        sums[key] = sums.get(key, 0) + sympy.prod(symbols[name] for name in names)
    order = list(symbols.values())
    return order, [sympy.Matrix([sympy.diff(total, symbol) for symbol in order]) for total in sums.values()]


def brackets_by_sympy(net: Network, length: int) -> int:
    """The rank at the parameters of all right-normed brackets up to a length."""
    order, fields = gradient_fields(net)
    theta = dict(zip(order, (sympy.Rational(p.value) for p in net.parameters), strict=True))
    jacobians = {}
    found = newest = [field.as_immutable() for field in fields]
    generators = list(newest)
    for _ in range(length - 1):
        for field in {*generators, *newest} - jacobians.keys():
            jacobians[field] = field.jacobian(order)
        brackets = [(jacobians[y] * x - jacobians[x] * y).expand().as_immutable() for x in generators for y in newest]
        newest = [field for field in set(brackets) if not field.is_zero_matrix]
        found = found + newest
    return sympy.Matrix([list(field.subs(theta)) for field in found]).rank() if found else 0


TABLE = {
    "ReLU 2-2-2": (Network.random((2, 2, 2), 0), (12, 10, 10, 2)),
    "ReLU 1-2-1": (Network.random((1, 2, 1), 0), (7, 5, 5, 2)),
    "ReLU 1-2-2-1": (Network.random((1, 2, 2, 1), 1), (13, 9, 9, 4)),
    "linear 1,1,1": (random_linear(random.Random(1), 1, 1, 1), (2, 1, 1, 1)),
    "linear 2,1,2": (random_linear(random.Random(1), 2, 1, 2), (4, 3, 3, 1)),
    "linear 2,2,2": (random_linear(random.Random(1), 2, 2, 2), (8, 4, 5, 3)),
    "linear 2,3,1": (random_linear(random.Random(1), 2, 3, 1), (9, 2, 3, 6)),
}


@pytest.mark.parametrize(("net", "numbers"), TABLE.values(), ids=TABLE.keys())
def test_the_known_table(net, numbers):
    size, rank, dimension, laws = numbers
    closure = lie_closure(net)
    assert closure == LieClosure(size, rank, dimension, dimension, laws)
    assert (closure.lie_dimension, closure.laws, number_of_conservation_laws(net)) == (dimension, laws, laws)
    assert brackets_by_sympy(net, 1) == rank
    assert brackets_by_sympy(net, 2) == dimension


def test_brackets_never_leave_the_bound():
    """Two-layer linear networks have linear fields and a finite algebra: the search for more ends without any."""
    for net, (_, rank, dimension, _) in TABLE.values():
        if all(layer.is_affine for layer in net.layers):
            search = _Search(net, Budget("products of terms", 10**6))
            assert search.reach(len(net.parameters))
            assert (search.rank, search.dimension) == (rank, dimension)
    for net in (TABLE["ReLU 1-2-1"][0], Network.mlp([[[2]], [[0]]], [[3], [1]]), Network.mlp([[[1]], [[2]], [[3]]])):
        search = _Search(net, Budget("products of terms", 3000))
        with suppress(BudgetExceeded):
            search.reach(len(net.parameters))
        assert search.dimension == len(net.parameters) - len(net.hidden_neurons)


def check_orthogonal(net: Network) -> None:
    """As polynomials, not only at the parameters: every gradient of a law annihilates every field."""
    order, fields = gradient_fields(net)
    for law in conservation_laws(net).symbolic():
        gradient = sympy.Matrix([[sympy.diff(law, symbol) for symbol in order]])
        for field in fields:
            assert sympy.expand((gradient * field)[0]) == 0


def test_laws_are_conserved_as_polynomials():
    r = random.Random(0)
    for _ in range(25):
        check_orthogonal(random_dag(r, max_layers=3, max_width=2))
    for widths in ((2, 2, 1), (1, 3, 2), (2, 2, 2, 1)):
        check_orthogonal(random_linear(r, *widths, biases=True))


def test_numbers_formulas_and_gradients_are_those_of_the_symbols():
    r = random.Random(1)
    for k in range(40):
        net = random_dag(r, max_layers=3, max_width=2) if k % 4 else random_linear(r, 1, 2, 2)
        laws = conservation_laws(net)
        symbols = [sympy.Symbol(parameter.name) for parameter in net.parameters]
        theta = dict(zip(symbols, (sympy.Rational(p.value) for p in net.parameters), strict=True))
        for law, value, gradient in zip(laws.symbolic(), laws.values, laws.gradients(), strict=True):
            assert law.subs(theta) == sympy.Rational(value)
            assert [sympy.diff(law, s).subs(theta) for s in symbols] == [sympy.Rational(entry) for entry in gradient]
        assert laws.rank() == len(eliminate(laws.gradients())[1]) <= len(laws)


def test_a_law_written_out():
    net = Network(
        1, [Layer({0: [[3], [1]]}, bias=[-1, 2]), Layer({1: [[2, 5]], 0: [[7]]}, bias=None, activation="identity")]
    )
    laws = conservation_laws(net)
    assert laws.formulas() == (
        "w[1<-0][0,0]^2 + b[1][0]^2 - w[2<-1][0,0]^2",
        "w[1<-0][1,0]^2 + b[1][1]^2 - w[2<-1][0,1]^2",
    )
    assert laws.values == (9 + 1 - 4, 1 + 4 - 25)
    linear = conservation_laws(Network.mlp([[[3], [1]], [[2, 5]]], activation="identity"))
    assert [law.neurons for law in linear.laws] == [((1, 0), (1, 0)), ((1, 0), (1, 1)), ((1, 1), (1, 1))]
    assert linear.formulas()[1] == "w[1<-0][0,0]*w[1<-0][1,0] - w[2<-1][0,0]*w[2<-1][0,1]"
    assert linear.values == (9 - 4, 3 - 10, 1 - 25)


def test_linear_neurons_with_other_edges_have_no_common_law():
    absent = Network(
        2, [Layer({0: [[1, 2], [3, None]]}, activation="identity"), Layer({1: [[1, 1]]}, activation="identity")]
    )
    deaf = Network(
        1, [Layer({0: [[1], [3]]}, activation="identity"), Layer({1: [[1, None], [2, 3]]}, activation="identity")]
    )
    mixed = Network(
        1, [Layer({0: [[1], [2]]}, activation=["identity", "relu"]), Layer({1: [[1, 1]]}, activation="identity")]
    )
    for net in (absent, deaf, mixed):
        assert [law.neurons for law in conservation_laws(net).laws] == [((1, 0), (1, 0)), ((1, 1), (1, 1))]
        assert number_of_conservation_laws(net) == 2


def test_admissible_relu_networks_have_one_law_per_hidden_neuron():
    """M1: the gradients span the orthogonal complement of the row space of the embedding's derivative."""
    r = random.Random(2)
    for _ in range(150):
        net = random_admissible_dag(r)
        size, hidden = len(net.parameters), len(net.hidden_neurons)
        gradients, rows = conservation_laws(net).gradients(), embedding_jacobian(net.to_json())
        assert all(sum(a * b for a, b in zip(g, row, strict=True)) == 0 for g in gradients for row in rows)
        assert rank_modulo(gradients) == hidden and rank_modulo(rows) == size - hidden
        assert lie_closure(net, budget=0) == LieClosure(size, size - hidden, size - hidden, size - hidden, hidden)


def test_two_layer_linear_networks_obey_the_formula():
    r = random.Random(3)
    for _ in range(40):
        n, m, width = r.randint(1, 3), r.randint(1, 3), r.randint(1, 4)
        net = random_linear(r, n, width, m, entries=r.choice((range(-9, 10), (0, 0, 1, -1))))
        columns = [[p.value for p in net.parameters if (1, i) in (p.target, p.source)] for i in range(width)]
        q = len(eliminate(columns)[1])
        closure = lie_closure(net)
        assert closure.laws_lower == conservation_laws(net).rank() == q * (2 * width + 1 - q) // 2
        if q == min(n + m, width):
            assert closure.laws == closure.laws_lower


def test_deep_linear_networks():
    """Each hidden layer of width r has r(r+1)/2 laws."""
    r = random.Random(4)
    assert number_of_conservation_laws(random_linear(r, 2, 2, 2, 2)) == 6
    assert number_of_conservation_laws(random_linear(r, 2, 2, 3, 2, biases=True)) == 3 + 6
    assert number_of_conservation_laws(random_linear(r, 1, 2, 2, 1, biases=True)) == 6


def test_bounds_meet_on_degenerate_networks_and_agree_with_sympy():
    r = random.Random(5)
    met = beyond = 0
    for k in range(150):
        net = random_dag(r, max_layers=3, max_width=2) if k % 3 else random_mlp(r, max_layers=3, max_width=2)
        closure = lie_closure(net, budget=20_000)
        assert closure.rank <= closure.lie_lower <= closure.lie_upper <= closure.parameters - closure.laws_lower
        met += closure.lie_lower == closure.lie_upper
        if closure.lie_lower > closure.rank:
            beyond += 1
            if len(net.parameters) < 9:
                assert brackets_by_sympy(net, 2) <= closure.lie_lower
                assert brackets_by_sympy(net, 1) == closure.rank
        elif is_admissible(net.to_json()) and net.is_standard:
            assert closure.rank == closure.parameters - len(net.hidden_neurons)
    assert met >= 145 and beyond > 15


@pytest.mark.parametrize(
    ("net", "expected"),
    [
        # dead output: the two fields (0, 0, w) and (0, 0, b) are joined by their bracket, a rotation of (w, b)
        (Network.mlp([[[2]], [[0]]], [[3], None]), LieClosure(3, 1, 2, 2, 1)),
        # nothing moves at 0, where the law has no gradient: its number there stays open
        (Network.mlp([[[0]], [[0]]]), LieClosure(2, 0, 0, 0, 0)),
        # a silent chain: only the middle weight moves at first order, and no bracket moves the others
        (Network.mlp([[[1]], [[0]], [[1]]]), LieClosure(3, 1, 1, 1, 2)),
        (Network.mlp([[[0]], [[0]], [[1]]]), LieClosure(3, 0, 0, 0, 1)),
        # no hidden neuron at all
        (Network.mlp([[[1, 2]]], [[3]]), LieClosure(3, 3, 3, 3, 0)),
    ],
)
def test_not_admissible(net, expected):
    assert lie_closure(net) == expected


def test_undecided_numbers_say_so():
    closure = lie_closure(Network.mlp([[[0]], [[0]]]))
    assert closure.explain() == "2 parameters, fields of rank 0, Lie algebra of dimension 0, laws: 0 to 2"
    with pytest.raises(Undecided, match="the number of conservation laws is only known to lie between 0 and 2"):
        _ = closure.laws
    linear = random_linear(random.Random(0), 2, 3, 2)
    closure = lie_closure(linear, budget=60)
    assert (closure.rank, closure.lie_lower, closure.lie_upper, closure.laws_lower) == (4, 4, 6, 6)
    with pytest.raises(Undecided, match="the dimension of the Lie algebra is only known to lie between 4 and 6"):
        _ = closure.lie_dimension
    assert lie_closure(linear).lie_dimension == 6


def test_budgets():
    wide = Network.mlp([[[1] * 8] * 8] * 6, activation="identity")
    with pytest.raises(BudgetExceeded, match="at most 100000 products of terms are allowed"):
        lie_closure(wide)
    large = Network.random((10, 50, 50, 5), 0, bound=999, denominator=1000)
    assert lie_closure(large).laws == 100  # without enumerating paths
    dead = large.replace({p.name: 0 for p in large.parameters if p.source == (1, 0)})
    closure = lie_closure(dead)
    assert closure.lie_lower < closure.lie_upper == len(large.parameters) - 100
    with pytest.raises(InvalidInput, match=r"^budget: "):
        lie_closure(wide, budget=-1)


@pytest.mark.sweep
def test_bounds_meet_on_two_thousand_networks():
    met = 0
    for seed in range(2000):
        net = random_dag(random.Random(seed), max_layers=3, max_width=2)
        closure = lie_closure(net, budget=20_000)
        assert closure.rank <= closure.lie_lower <= closure.lie_upper <= closure.parameters - closure.laws_lower
        met += closure.lie_lower == closure.lie_upper
    assert met > 1950


def test_gradient_flow_conserves_the_laws_to_first_order():
    """One exact step of gradient descent on a square loss changes a law by the square of the step only."""
    r = random.Random(6)
    for _ in range(60):
        net = random_dag(r, max_layers=3, max_width=2)
        x = [Fraction(r.randint(-9, 9), 7) for _ in range(net.input_dim)]
        signs = net.pattern(x).signs
        if any(0 in group for group in signs):
            continue
        order, before = list(net.parameters), net(x)
        step = []
        for p in order:  # the outputs are affine in each single parameter near it: exact difference quotients
            moved = net.replace({p.name: p.value + Fraction(1, 10**9)})
            assert moved.pattern(x).signs == signs
            step.append(-sum(o * (m - o) for o, m in zip(before, moved(x), strict=True)) * 10**9)
        for gradient in conservation_laws(net).gradients():
            assert sum(a * b for a, b in zip(gradient, step, strict=True)) == 0
