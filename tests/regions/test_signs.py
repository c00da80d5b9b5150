"""The two guards of the proved bound, the exact fallback, scales, slivers, and the proof of interior points."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from region_checks import check_complex, check_same_arrays, patterns_of
from region_networks import batches, random_network, rescaled, single_layer

from exactrelu import Domain, Network
from exactrelu.regions.program import compile_network
from exactrelu.regions.vertex_engine import enumeration, signs
from exactrelu.regions.vertex_engine.enumeration import regions
from exactrelu.regions.vertex_engine.points import inside
from exactrelu.regions.vertex_engine.signs import TAU, Values

F = Fraction


def exact_columns(values: Values, v: int) -> list[Fraction]:
    """The maintained columns of a vertex from its integers, up to one positive factor for directions."""
    x = values.origins.coordinates(v)
    columns = values._exact_columns(v, x)[values.first :]
    return [F(number) / F(2) ** exponent / (x[0] or 1) for number, exponent in columns]


def check_intervals(values: Values) -> int:
    """Every interval contains the exact value; for a direction one factor must suit all columns."""
    p, e = (table.T for table in values.intervals())
    proved = 0
    for v in range(len(p)):
        low, high = (F(1), F(1)) if values.points[v] else (F(0), None)
        for q, value, error in zip(exact_columns(values, v), p[v].tolist(), e[v].tolist(), strict=True):
            if error == 0:
                assert value == q == 0
                continue
            assert np.isnan(error) or error >= TAU
            if not np.isfinite(error):
                continue
            proved += 1
            lower, upper = F(value) - F(error), F(value) + F(error)
            if q == 0:
                assert lower <= 0 <= upper
            else:  # factor * q must lie between them
                least, greatest = sorted((lower / q, upper / q))
                low, high = max(low, least), greatest if high is None else min(high, greatest)
        assert high is None or (low <= high and high > 0)
    return proved


@pytest.fixture
def guarded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Check all intervals after every cut and every layer; the list collects how many there were."""
    push, advance = enumeration._State.push, Values.advance
    checked: list[int] = []

    def checked_push(self: enumeration._State, row: int, bit: int) -> None:
        push(self, row, bit)
        checked.append(check_intervals(self.values))

    def checked_advance(self: Values) -> None:
        advance(self)
        checked.append(check_intervals(self))

    monkeypatch.setattr(enumeration._State, "push", checked_push)
    monkeypatch.setattr(Values, "advance", checked_advance)
    return checked


@pytest.mark.parametrize("seeds", batches(100, 2500, 1200))
def test_every_interval_contains_the_exact_value(guarded: list[int], seeds: range) -> None:
    for seed in seeds:
        net, halfspaces = random_network(seed)
        regions(net, halfspaces)
        if seed % 3 == 0:
            regions(rescaled(net, seed, 30), halfspaces)
    assert sum(guarded) > 50 * len(seeds)


@pytest.mark.parametrize(
    "net",
    [
        Network.random((2, 8, 8, 8, 1), 1),
        Network.random((3, 5, 5, 1), 2, bound=10**6, denominator=10**6 + 3),
        Network.random((3, 5, 5, 1), 3, bound=10**30, denominator=10**29 + 7),
    ],
    ids=["four layers", "six digits", "thirty digits"],
)
def test_intervals_of_regular_networks(guarded: list[int], net: Network) -> None:
    regions(net)
    assert sum(guarded) > 700


def smaller_layer(*args: Any) -> tuple[np.ndarray, np.ndarray]:
    p, e = LAYER(*args)
    return p, e * 2.0**-10


def smaller_interpolation(*args: Any) -> np.ndarray:
    good = INTERPOLATE(*args)
    args[-1][:, 1] *= 2.0**-10
    return good


LAYER, INTERPOLATE = signs.layer, signs._interpolate
TOO_SMALL = [("U", 2.0**-56), ("layer", smaller_layer), ("_interpolate", smaller_interpolation)]


@pytest.mark.usefixtures("guarded")
@pytest.mark.parametrize(("name", "value"), TOO_SMALL, ids=[name for name, _ in TOO_SMALL])
def test_the_guard_notices_bounds_that_are_too_small(monkeypatch: pytest.MonkeyPatch, name: str, value: object) -> None:
    monkeypatch.setattr(signs, name, value)
    with pytest.raises(AssertionError):
        regions(Network.random((2, 8, 8, 1), 1))


@pytest.mark.parametrize("seed", range(20))
def test_one_layer_contains_whatever_its_input_may_be(seed: int) -> None:
    """All corners of the input intervals, those around zero included, go through the ReLU and the next layer."""
    r = Random(seed)
    program = compile_network(Network.random((2, 3, 4, 1), seed, bound=10**20, denominator=7))
    stage = program.stages[1]
    p = np.array([[r.uniform(-1, 1) * 2.0 ** r.choice((0, -20, -60)) for _ in range(3)] for _ in range(8)])
    e = np.abs(p) * np.array([[r.choice((0.0, 0.5, 2.0, 2.0**-40)) for _ in range(3)] for _ in range(8)])
    one = np.ones(8)
    act, err = signs.activate(np.ones(3, np.bool_), p.T, e.T)
    found, bound = (table.T for table in signs.layer(stage, np.vstack((one, act)), np.vstack((0 * one, err))))
    scale = [F(2) ** k for k in program.stages[0].exponent]  # the floating neurons are smaller by this
    for v, corner in product(range(8), product((-1, 1), repeat=3)):
        true = [max(F(a) + s * F(b), F(0)) * c for a, b, s, c in zip(p[v], e[v], corner, scale, strict=True)]
        for i, (row, k) in enumerate(zip(stage.rows, stage.exponent, strict=True)):
            value = (row[0] + sum(w * t for w, t in zip(row[1:], true, strict=True))) / F(2) ** k
            assert abs(F(float(found[v, i])) - value) <= F(float(bound[v, i]))


@pytest.mark.parametrize("seeds", batches(200, 4200, 2000))
def test_all_signs_by_integers_give_identical_arrays(seeds: range) -> None:
    for seed in seeds:
        net, halfspaces = random_network(seed)
        check_same_arrays(regions(net, halfspaces), regions(net, halfspaces, integers_only=True))


@pytest.mark.parametrize(
    ("net", "domain"),
    [
        (Network.random((2, 10, 10, 1), 0), "R^2"),
        (Network.random((3, 7, 7, 1), 3), "R^3"),
        (Network.random((4, 5, 5, 1), 0), "R^4"),
        (Network.random((2, 5, 5, 1), 3), "[-1,1]^2"),
        (Network.random((3, 5, 4, 1), 1), "[-1/3,2]xRx[0,1]"),
    ],
)
def test_all_signs_by_integers_on_regular_networks(net: Network, domain: str) -> None:
    halfspaces = () if domain.startswith("R^") else Domain.parse(domain).halfspaces
    check_same_arrays(regions(net, halfspaces), regions(net, halfspaces, integers_only=True))


def undecided(net: Network) -> tuple[int, int]:
    """How many signs were left to the integers, and the number of cells."""
    program = compile_network(net)
    state = enumeration._start(program, False)
    enumeration._finish(program, state, None, 1)
    return state.values.undecided, state.lattice.cells


def lines_through(x: Fraction, y: Fraction, rows: list[list[int]]) -> list[Fraction]:
    """Biases of the lines with these normals that meet in (x, y)."""
    return [-a * x - b * y for a, b in rows]


def test_concurrency_forces_the_exact_fallback() -> None:
    """Five lines through (1/3, 1/7): the vertex is made by the first two, the other three find it exactly."""
    rows = [[1, 0], [1, 2], [2, 1], [1, 1], [3, 1]]
    # The last line keeps a large value there: without it the whole column would be rounded anew.
    bias = [1, 2, *lines_through(F(1, 3), F(1, 7), rows), 9]
    net = Network.mlp([[[0, 1], [1, 5], *rows, [1, -7]]], [bias], output_activation="relu")
    exact, cells = undecided(net)
    assert exact == 3
    assert cells == regions(net, integers_only=True).count == check_complex(net).count


def test_tenths_meet_where_floats_do_not() -> None:
    """Three lines through (1/10, 1/5): in floats 0.1 + 0.2 - 0.3 is not zero."""
    assert 0.1 + 0.2 - 0.3 != 0
    net = single_layer([[1, 0], [0, 1], [1, 1]], ["-1/10", "-1/5", "-3/10"])
    assert regions(net).f_vector() == (6, 6, 1)


@pytest.mark.parametrize(
    ("gap", "count"), [(F(0), 15), (F(1, 10**9), 16), (F(1, 10**17), 16), (F(-1, 10**40), 16), (F(2) ** -900, 16)]
)
def test_nearly_concurrent_lines_are_told_apart(gap: Fraction, count: int) -> None:
    rows = [[1, 0], [1, 2], [2, 1]]
    first, second, third = lines_through(F(1, 3), F(1, 7), rows)
    net = Network.mlp([[[0, 1], *rows, [1, -7]]], [[5, first, second, third + gap, 9]], output_activation="relu")
    exact, cells = undecided(net)
    assert cells == count
    assert (exact > 0) == (abs(gap) < F(1, 10**15))


@pytest.mark.parametrize("lines", [3, 7, 12])
def test_pencil_of_lines(lines: int) -> None:
    r = Random(lines)
    rows = [[1, k] for k in r.sample(range(-50, 50), lines)]
    vertex = F(r.randint(-99, 99), 97), F(r.randint(-99, 99), 89)
    cells = regions(single_layer(rows, lines_through(*vertex, rows)))
    assert cells.f_vector() == (2 * lines, 2 * lines, 1)
    assert [cells.vertex(v) for v in np.flatnonzero(cells.finite(0)).tolist()] == [vertex]


@pytest.mark.parametrize("factor", [F(1), F(-1), F(2), F(-3, 7)])
def test_twins_cost_no_exact_sign(factor: Fraction) -> None:
    """Where a row vanishes, the rows proportional to it are known to vanish."""
    rows, bias = [[1, 2], [3, -1], [2, 5], [-4, 1]], [1, -2, 3, 5]
    twin = [factor * c for c in rows[2]], factor * bias[2]
    alone = single_layer(rows, bias, output_activation="relu")
    both = single_layer([*rows, twin[0]], [*bias, twin[1]], output_activation="relu")
    assert undecided(alone) == undecided(both)


@pytest.mark.parametrize("seeds", batches(60, 460, 400))
@pytest.mark.parametrize("integers_only", [False, True])
def test_floating_coordinates_follow_the_exact_ones(seeds: range, integers_only: bool) -> None:
    """They only guide, but they must be good enough for interior points: none has to be exact."""
    for seed in seeds:
        cells = regions(*random_network(seed), integers_only=integers_only)
        floats = cells.origins.floating()
        for v in range(cells.lattice.size[0]):
            exact = np.array([float(cells.vertex(v)[i]) for i in cells.program.pivots])
            if not cells.is_point(v):  # directions have some positive length
                exact *= np.abs(floats[:, v]).max(initial=0) / np.abs(exact).max(initial=1e-300)
            assert np.allclose(floats[:, v], exact, rtol=1e-6, atol=1e-6)
        assert not cells.interior[1]


@pytest.mark.parametrize("exponent", [40, 200, 600, 1100])
@pytest.mark.parametrize("seeds", batches(15, 115, 100))
def test_powers_of_two_change_nothing(exponent: int, seeds: range) -> None:
    for seed in seeds:
        net, halfspaces = random_network(seed)
        big = rescaled(net, seed, exponent)
        check_same_arrays(regions(net, halfspaces), regions(big, halfspaces))
        check_complex(big, halfspaces, with_oracle=False)


@pytest.mark.parametrize("exponent", [30, 60, 200, 600, 1100])
def test_slivers_and_far_vertices(exponent: int) -> None:
    eps = F(1, 2**exponent)
    triangle = check_complex(single_layer([[1, 0], [0, 1], [1, 1]], [0, 0, -eps]))
    assert triangle.f_vector() == (7, 9, 3)
    inner = triangle.interior_point(patterns_of(triangle).index((1, 1, -1)))
    assert min(inner) > 0 and sum(inner) < eps
    far = check_complex(single_layer([[1, 0], [1, eps], [0, 1]], [0, -1, 0]))
    assert far.f_vector() == (7, 9, 3)
    assert (0, 1 / eps) in {far.vertex(v) for v in np.flatnonzero(far.finite(0)).tolist()}
    strip = check_complex(Network.mlp([[[1], [1]], [[1, -1]], [[1]]], [[0, -eps], [-eps / 2], [0]]))
    assert strip.count == 4


@pytest.mark.parametrize("bias", [F(2) ** 600, F(1, 2**600)], ids=["bias 2^600", "bias 2^-600"])
@pytest.mark.parametrize("weight", [F(2) ** 600, F(1, 2**600)], ids=["weights 2^600", "weights 2^-600"])
def test_huge_and_tiny_weights(weight: Fraction, bias: Fraction) -> None:
    def net(w: Fraction, b: Fraction) -> Network:
        return Network.mlp([[[w, 0], [0, w], [w, w]], [[1, 1, -1]], [[1]]], [[0, 0, -b], [-b], [0]])

    extreme, plain = check_complex(net(weight, bias)), check_complex(net(F(1), F(1)))
    assert extreme.f_vector() == plain.f_vector() == (9, 11, 3)
    assert sorted(patterns_of(extreme)) == sorted(patterns_of(plain))


def test_exact_interior_points_where_floats_are_too_coarse() -> None:
    """Between x = 1 and x = 1 + 2^-200 there is no float."""
    cells = regions(single_layer([[1], [1]], [-1, -1 - F(1, 2**200)]))
    thin = patterns_of(cells).index((1, -1))
    _, exact = cells.interior
    assert set(exact) == {thin}
    assert 1 < cells.interior_point(thin)[0] < 1 + F(1, 2**200)


def test_the_proof_rejects_points_of_other_regions() -> None:
    cells = regions(Network.random((2, 6, 6, 1), 4))
    table, exact = cells.interior
    assert not exact
    points, wanted = table[list(cells.program.pivots)], cells.patterns()
    assert inside(cells.program, points, wanted).all()
    assert not inside(cells.program, points, np.roll(wanted, 1, axis=1)).any()


def test_the_proof_rejects_corners() -> None:
    cells = regions(single_layer([[1, 0], [0, 1], [1, 1]], [0, 0, -1]))
    for region in range(cells.count):
        for corner in cells.generators(region)[0]:
            assert set(corner) <= {0, 1}  # floats as they are
            x = np.tile(np.array([float(c) for c in corner])[:, None], cells.count)
            assert not inside(cells.program, x, cells.patterns())[region]
