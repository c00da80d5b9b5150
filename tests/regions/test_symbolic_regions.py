"""Symbolic regions: pieces, inequalities and polynomials against values, other parameters and geometry."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
import sympy
from activation_networks import box_text, network, random_box, random_data
from oracles import forward
from region_networks import batches
from strategies import on_a_kink, random_dag, random_mlp, random_point

from exactrelu import BudgetExceeded, Domain, HypothesisNotMet, InvalidDomain, Layer, Network, WrongDimension, zoo
from exactrelu.regions import activation_regions
from exactrelu.regions.symbolic import piecewise, symbolic_pattern, symbolic_region

Point = tuple[Fraction, ...]


def rational(value: object) -> sympy.Rational:
    return sympy.Rational(Fraction(value).numerator, Fraction(value).denominator)


def at(point: Any) -> dict[str, sympy.Rational]:
    return {f"x{j}": rational(c) for j, c in enumerate(point)}


def telling_points(net: Network, domain: Any) -> list[Point]:
    """Vertices, points inside facets, and interior points of all regions."""
    complex = activation_regions(net, domain)
    points = [vertex for region in complex for vertex in region.vertices]
    return [*points, *(edge.point for edge in complex.adjacencies()), *(region.interior_point for region in complex)]


def check_pieces(net: Network, domain: Any, r: Random, points: int = 12) -> None:
    functions = piecewise(net, domain)
    chosen = telling_points(net, domain)
    if len(chosen) > points:
        chosen = r.sample(chosen, points)
    assert len(functions) == net.output_dim
    for point in chosen:
        values = net(point)
        for function, value in zip(functions, values, strict=True):
            assert function.subs(at(point)) == rational(value)


def check_random(seed: int) -> None:
    r = Random(seed)
    kind = seed % 3
    if kind == 0:
        data = random_data(r, max_width=2)
        net, box = network(data), random_box(r, data["input_dim"])
        check_pieces(net, box_text(box), r)
        return
    net = random_dag(r, max_layers=3, max_width=2) if kind == 1 else random_mlp(r, max_layers=2, max_width=3)
    net = on_a_kink(r, net, random_point(r, net.input_dim))
    check_pieces(net, None, r)


@pytest.mark.parametrize("seeds", batches(10, 1010, 100))
def test_pieces_have_the_values_of_the_network(seeds: range) -> None:
    for seed in seeds:
        check_random(seed)


def test_every_telling_point_of_a_network_with_cancelling_kinks() -> None:
    """max(x, y), whose second wall is invisible, and the arrangement through one point, at every face."""
    for net in (zoo.specimen("maximum").network, Network.mlp([[[1, 0], [0, 1], [1, 1]], [[1, -2, 1]]])):
        check_pieces(net, None, Random(0), points=1000)


def test_values_are_those_of_an_independent_forward_pass() -> None:
    for seed in range(8):
        r = Random(seed)
        net = random_dag(r, max_layers=3, max_width=2, linear_neurons=False)
        functions = piecewise(net)
        for _ in range(4):
            point = random_point(r, net.input_dim)
            _, values = forward(net.to_json(), point)
            assert [f.subs(at(point)) for f in functions] == [rational(v) for v in values[-1]]


def test_one_piece_per_affine_map_and_none_where_there_is_one() -> None:
    (hat,) = piecewise(zoo.specimen("hat").network)
    x = sympy.Symbol("x0")
    assert [expr for expr, _ in hat.args] == [0, x + 1, 1 - x]  # four regions, three maps
    assert piecewise(Network.mlp([[[2, 3]]], [[1]])) == (2 * x + 3 * sympy.Symbol("x1") + 1,)
    assert piecewise(zoo.specimen("identity").network)[0].subs({x: -7}) == -7


def test_outside_of_the_domain_there_is_no_value() -> None:
    (function,) = piecewise(zoo.specimen("hat").network, "[0,2]")
    assert function.subs({"x0": 0}) == 1
    assert function.subs({"x0": 2}) == 0
    assert function.subs({"x0": 3}) is sympy.nan
    assert function.subs({"x0": -1}) is sympy.nan


def test_calculus_on_the_pieces() -> None:
    (hat,) = piecewise(zoo.specimen("hat").network, "[-2,2]")
    x = sympy.Symbol("x0")
    assert sympy.integrate(hat, (x, -2, 2)) == 1


def check_conditions(net: Network, box: str, seed: int) -> int:
    """The conditions describe the closed region, and a bounded polygon has as many as corners."""
    r = Random(seed)
    points = [random_point(r, net.input_dim) for _ in range(6)]
    corners = 0
    for region in activation_regions(net, box):
        symbolic = symbolic_region(region)
        for point in [*points, region.interior_point]:
            assert bool(symbolic.condition.subs(at(point))) == region.polyhedron.contains(point)
        strict = [relation.lhs - relation.rhs for relation in symbolic.conditions]
        assert all(difference.subs(at(region.interior_point)) != 0 for difference in strict)
        if net.input_dim == 2:
            corners += len(region.vertices)
            assert len(symbolic.conditions) == len(region.vertices)
        matrix, offset = region.affine_map
        assert symbolic.matrix == tuple(tuple(map(rational, row)) for row in matrix)
        assert symbolic.offset == tuple(map(rational, offset))
    return corners


def test_conditions_are_the_facets() -> None:
    corners = sum(check_conditions(Network.random((2, 4, 1), seed), "[-2,2]^2", seed) for seed in range(3))
    corners += check_conditions(Network.mlp([[[1, 0], [2, 0], [-1, 0]], [[1, 1, 1]]]), "[-1,1]x[0,3]", 9)
    assert corners > 80


def other_parameters(r: Random, net: Network) -> Network:
    return net.with_values([Fraction(r.randint(-3, 3), r.choice((1, 1, 2))) for _ in net.parameters])


def check_polynomials(net: Network, r: Random) -> tuple[int, int]:
    """For a pattern that occurs somewhere, at any parameters: the conditions hold there, and the outputs are right."""
    other = other_parameters(r, net)
    point = random_point(r, net.input_dim)
    if r.random() < 0.5:
        other = on_a_kink(r, other, point)
    region = symbolic_pattern(net, other.pattern(point))
    numbers = {p.name: rational(p.value) for p in other.parameters} | at(point)
    values = {sympy.Symbol(name): number for name, number in numbers.items()}
    assert all(condition.subs(values) == True for condition in region.conditions)  # noqa: E712
    assert [output.subs(values) for output in region.outputs] == [rational(v) for v in other(point)]
    elsewhere = random_point(r, net.input_dim)
    moved = values | {sympy.Symbol(name): value for name, value in at(elsewhere).items()}
    inside = all(condition.subs(moved) == True for condition in region.conditions)  # noqa: E712
    if inside:  # the polynomials are right wherever the conditions hold
        assert [output.subs(moved) for output in region.outputs] == [rational(v) for v in other(elsewhere)]
    return inside, not inside


@pytest.mark.parametrize("seeds", batches(20, 2020, 200))
def test_polynomials_hold_for_all_parameters(seeds: range) -> None:
    inside = outside = 0
    for seed in seeds:
        r = Random(seed)
        net = network(random_data(r)) if seed % 2 else random_dag(r, max_layers=3)
        a, b = check_polynomials(net, r)
        inside, outside = inside + a, outside + b
    assert inside > 5
    assert outside > 5


def test_polynomials_on_regions_are_their_affine_maps() -> None:
    for seed in range(4):
        net = Network.random((2, 3, 2, 1), seed)
        values = {sympy.Symbol(p.name): rational(p.value) for p in net.parameters}
        for region in list(activation_regions(net))[:4]:
            named, plain = symbolic_pattern(net, region.pattern), symbolic_region(region)
            assert tuple(sympy.expand(output.subs(values)) for output in named.outputs) == plain.outputs
            assert named.matrix[0][0].subs(values) == plain.matrix[0][0]
            assert named.offset[0].subs(values) == plain.offset[0]


def test_one_condition_per_end_of_a_piece() -> None:
    x, w, b = map(sympy.Symbol, ("x0", "w[1<-0][0,0]", "b[1][0]"))
    net = Network.mlp([[[1]], [[1]]], [[0], None], activation=["hat"])
    v = sympy.Symbol("w[2<-1][0,0]")
    found = [symbolic_pattern(net, str(k)) for k in range(4)]
    z = w * x + b
    assert [region.conditions for region in found] == [
        (z <= -1,), (z >= -1, z <= 0), (z >= 0, z <= 1), (z >= 1,)
    ]  # fmt: skip
    assert [sympy.expand(region.outputs[0]) for region in found] == [
        0,
        sympy.expand(v * z + v),
        sympy.expand(v - v * z),
        0,
    ]
    zero = symbolic_pattern(Network.mlp([[[1]], [[1]]]), "0")
    assert zero.conditions == (sympy.Eq(w * x, 0),)
    assert zero.outputs == (0,)


def test_conditions_that_never_fail_are_left_out_and_others_kept() -> None:
    dead = Network.mlp([[[1]], [[1]], [[1]]])
    assert len(symbolic_pattern(dead, "-|+").conditions) == 1  # layer 2 is 0 >= 0
    shifted = Network(
        1, [Layer({0: [[1]]}), Layer({1: [[1]]}, activation="hat"), Layer({2: [[1]]}, activation="identity")]
    )
    assert symbolic_pattern(shifted, "-|3").condition == False  # noqa: E712  # 0 >= 1


def test_latex() -> None:
    net = Network.mlp([[[2], [-2]], [[3, 1], [1, 0]]], [[-1, 1], None])
    plus = symbolic_region(activation_regions(net)[1])
    assert plus.latex() == (
        r"R_\theta(x) = \begin{pmatrix}6 x_{0} - 3 \\ 2 x_{0} - 1\end{pmatrix} \quad\text{where}\quad "
        r"\begin{aligned}& x_{0} \geq \frac{1}{2}\end{aligned}"
    )
    named = symbolic_pattern(Network.mlp([[[2]], [[3]]]), "+")
    assert named._repr_latex_() == (
        r"$R_\theta(x) = w^{(1\leftarrow 0)}_{0,0} w^{(2\leftarrow 1)}_{0,0} x_{0} \quad\text{where}\quad "
        r"\begin{aligned}& w^{(1\leftarrow 0)}_{0,0} x_{0} \geq 0\end{aligned}$"
    )
    assert symbolic_region(activation_regions(Network.mlp([[[2]]]))[0]).latex() == r"R_\theta(x) = 2 x_{0}"


def test_bad_input() -> None:
    net = Network.random((2, 3, 3, 1), 0)
    with pytest.raises(WrongDimension, match="must have the shape"):
        symbolic_pattern(net, "+++")
    with pytest.raises(BudgetExceeded, match="at most 20 terms"):
        symbolic_pattern(net, "+++|+++", budget=20)
    assert symbolic_pattern(net, "---|+++", budget=20).outputs  # closed paths cost nothing
    with pytest.raises(BudgetExceeded, match="at most 2 regions"):
        piecewise(net, budget=2)
    with pytest.raises(InvalidDomain, match="interior points"):
        piecewise(net, Domain.box([(0, 1), (2, 2)]))
    with pytest.raises(HypothesisNotMet, match="tanh"):
        symbolic_pattern(Network.mlp([[[1]], [[1]]], activation="tanh"), "")
