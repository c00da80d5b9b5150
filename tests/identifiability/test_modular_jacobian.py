"""Jacobians modulo a prime against exact ones, and statements about ranks against exact ranks."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from strategies import random_admissible_dag, random_dag, random_mlp, random_point

import exactrelu as er
from exactrelu import HypothesisNotMet, InvalidInput, InvalidNumber, Network, OnKink, Status, WrongDimension
from exactrelu.identifiability import jacobian_rows
from exactrelu.identifiability.jacobians import large
from exactrelu.identifiability.jacobians.large import RankStatement, rank_statement
from exactrelu.identifiability.jacobians.modular_jacobian import modular_jacobian
from exactrelu.networks.evaluation import as_points
from exactrelu.rationals import rank
from exactrelu.rationals.modular_elimination import PRIMES


def exact_jacobian(net: Network, points: list[list[Fraction]]) -> list[tuple[Fraction, ...]]:
    samples = as_points(net, points)
    pairs = zip(samples, net.patterns(samples), strict=True)
    return [row for point, pattern in pairs for row in jacobian_rows(net, pattern, point)]


def smooth_points(r: random.Random, net: Network, count: int) -> list[list[Fraction]]:
    """Distinct random points off the kinks; fewer where kinks are everywhere."""
    found = {tuple(random_point(r, net.input_dim)) for _ in range(count)}
    return [list(x) for x in sorted(found) if not any(0 in group for group in net.pattern(x).signs)]


@pytest.mark.parametrize("prime", [11, 101, *PRIMES[:2]])
def test_rows_are_the_exact_ones_modulo_the_prime(prime: int) -> None:
    r = random.Random(prime)
    for _ in range(100):
        net = random_dag(r)
        points = [random_point(r, net.input_dim) for _ in range(r.randint(1, 5))]  # on kinks too
        samples = as_points(net, points)
        got = modular_jacobian(net, samples, net.patterns(points), prime)
        assert abs(got).max() <= prime / 2 + 4
        exact = exact_jacobian(net, points)
        assert [[int(e) % prime for e in row] for row in got] == [
            [e.numerator * pow(e.denominator, -1, prime) % prime for e in row] for row in exact
        ]


def test_rows_of_wide_networks() -> None:
    """More terms in an inner product than one exact product takes."""
    net = Network.random((2, 600, 1), 3)
    points = as_points(net, [["1/3", "-2/7"], [5, 1]])
    got = modular_jacobian(net, points, net.patterns(points))
    for row, exact in zip(got, exact_jacobian(net, points), strict=True):
        assert all(
            (int(g) * e.denominator - e.numerator) % PRIMES[0] == 0 for g, e in zip(row.tolist(), exact, strict=True)
        )


def test_statements_against_exact_ranks_and_verdicts() -> None:
    """The bounds enclose the exact rank; statuses and families agree with what is decided over the rationals."""
    r = random.Random(11)
    seen: dict[Status, int] = dict.fromkeys(Status, 0)
    tight = 0
    for k in range(250):
        net = (random_admissible_dag if k % 2 else random_mlp)(r, max_layers=3)
        points = smooth_points(r, net, r.choice((1, 3, 12, 30)))
        if not points:
            continue
        statement = rank_statement(net, points)
        rows = exact_jacobian(net, points)
        exact = rank(rows)
        assert statement.lower_bound <= exact <= statement.upper_bound
        tight += statement.lower_bound == exact
        check_minor(statement, rows)
        for name in statement.unseen:
            column = [p.name for p in net.parameters].index(name)
            assert not any(row[column] for row in rows)
        check_status(net, points, statement, exact)
        seen[statement.status] += 1
    assert tight > 200
    assert min(seen.values()) >= 10


def check_minor(statement: RankStatement, rows: list[tuple[Fraction, ...]]) -> None:
    minor = [[rows[i][j] for j in statement.minor.columns] for i in statement.minor.rows]
    assert rank(minor) == statement.minor.rank == len(minor)


def check_status(net: Network, points: list[list[Fraction]], statement: RankStatement, exact: int) -> None:
    if er.admissible(net).status is not Status.HOLDS:
        assert statement.status is Status.INAPPLICABLE
    elif statement.status is Status.HOLDS:
        assert exact == len(net.parameters) - len(net.hidden_neurons)
    elif statement.status is Status.FAILS:
        assert exact < len(net.parameters) - len(net.hidden_neurons)
    patterns = net.patterns(points)
    on = {(number, i): [pattern.signs[number - 1][i] > 0 for pattern in patterns] for number, i in net.hidden_neurons}
    assert statement.never_active == tuple(neuron for neuron, flags in on.items() if not any(flags))
    assert statement.always_active == tuple(neuron for neuron, flags in on.items() if all(flags))
    if statement.family is not None:
        for t in ("1/1000", "1/3", 1):
            member = statement.family.member(t)
            assert member.values(points) == net.values(points)
            assert er.scaling_equivalent(net, member).status is Status.FAILS


def test_what_no_active_path_leads_to_an_output_is_unseen() -> None:
    """relu(relu(x) - 5) is 0 at 1 and 2: the second neuron hides the first one."""
    net = Network.mlp([[[1]], [[1]], [[1]]], [[0], [-5], [0]])
    statement = rank_statement(net, [[1], [2]])
    assert statement.unseen == ("w[1<-0][0,0]", "b[1][0]", "w[2<-1][0,0]", "b[2][0]", "w[3<-2][0,0]")
    assert (statement.lower_bound, statement.upper_bound) == (1, 1)
    assert (statement.never_active, statement.always_active) == (((2, 0),), ((1, 0),))
    assert rank_statement(net, [[1], [6]]).unseen == ()


def test_samples_stop_when_the_bounds_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large, "CHUNK", 1)
    net = Network.mlp([[[1]], [[1]]], [[0], [0]])
    steps = []
    statement = rank_statement(net, [[1], [2], [3], [-1], [5]], progress=lambda *step: steps.append(step))
    assert steps == [(1, 1), (2, 2), (3, 2), (4, 3)]
    assert statement.minor.rows == (0, 1, 3)
    assert statement.status is Status.HOLDS
    assert statement.explain().splitlines()[0] == "holds: locally identifiable from 5 samples"


def test_the_prime_may_hide_some_rank() -> None:
    """Modulo 11 the point 11 is 0: the status is then unknown, not fails."""
    net = Network.mlp([[[1]], [[1]]], [[0], [0]])
    points = [[11], [22], [-1]]
    assert rank_statement(net, points).status is Status.HOLDS
    statement = rank_statement(net, points, prime=11)
    assert (statement.lower_bound, statement.upper_bound, statement.status) == (2, 3, Status.UNKNOWN)
    assert "a rank between 2 and 3" in statement.explain()


def test_a_prime_is_chosen_that_divides_no_denominator() -> None:
    net = Network.mlp([[[Fraction(1, PRIMES[0])]], [[1]]], [[0], [0]])
    assert rank_statement(net, [[1], [2], [-1]]).minor.prime == PRIMES[1]
    with pytest.raises(InvalidNumber, match="layer 1: prime: must divide no denominator"):
        rank_statement(net, [[1]], prime=PRIMES[0])
    with pytest.raises(InvalidNumber, match="points: prime: must divide no denominator"):
        rank_statement(net, [["1/11"]], prime=11)


def test_bad_input() -> None:
    net = Network.mlp([[[1]], [[1]]], [[0], [0]])
    with pytest.raises(OnKink, match=r"points\[1\]: must lie off the kinks, .* neuron \(1,0\)"):
        rank_statement(net, [[1], [0]])
    with pytest.raises(InvalidInput, match="points: must contain at least one sample"):
        rank_statement(net, [])
    with pytest.raises(HypothesisNotMet, match="must have ReLU hidden neurons"):
        rank_statement(Network.mlp([[[1]], [[1]]], activation="identity"), [[1]])
    with pytest.raises(WrongDimension, match="patterns: must have 1 entries"):
        modular_jacobian(net, as_points(net, [[1]]), [])
    with pytest.raises(InvalidInput, match="prime: must be a prime number"):
        modular_jacobian(net, as_points(net, [[1]]), [net.pattern([1])], 4)
