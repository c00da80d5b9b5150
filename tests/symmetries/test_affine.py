"""Affine symmetries against kernels of matrices of values, brute-force circuits, and known families."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations

import mpmath
import pytest
from oracles import eliminate

from exactrelu import BudgetExceeded, InvalidInput
from exactrelu.networks.piecewise_linear import PiecewiseLinear
from exactrelu.symmetries.affine import AffineSymmetries, affine_symmetries, is_affine_symmetry
from exactrelu.symmetries.circuits import circuits

GRID = [(beta, gamma) for beta in (1, -1, 2, -2) for gamma in range(-2, 3)]


def ramps(kinks, slopes, constant):
    """A piecewise-linear function as a sum of ramps, for values only."""

    def rho(t):
        bends = zip(kinks, slopes, slopes[1:], strict=False)
        return constant + slopes[0] * t + sum(((b - a) * max(t - kink, 0) for kink, a, b in bends), Fraction(0))

    return rho


def random_rho(r: random.Random):
    kinks = sorted(r.sample([Fraction(k, 2) for k in range(-4, 5)], r.randint(1, 4)))
    slopes = [Fraction(r.choice((-1, 0, 1, 2))) for _ in range(len(kinks) + 1)]
    if r.random() < 0.3:  # symmetric about 0
        kinks = sorted({-k for k in kinks} | set(kinks))
        half = [Fraction(r.choice((0, 1, 2))) for _ in kinks]
        slopes = [*half, half[0]] if r.random() < 0.5 else [*(s for s in half), -half[0]]
    constant = Fraction(r.randint(-2, 2))
    rho = ramps(kinks, slopes, constant)
    return rho, kinks, PiecewiseLinear(kinks, slopes, (0, rho(0)))


def random_atoms(r: random.Random, most: int = 10, *, spread: int = 3) -> list[tuple[Fraction, Fraction]]:
    """Distinct pairs, many of them multiples and reflections of others."""
    atoms: set[tuple[Fraction, Fraction]] = set()
    size = r.randint(1, most)
    while len(atoms) < size:
        beta, gamma = (
            Fraction(r.choice((1, -1, 2, -2, Fraction(1, 2)))),
            Fraction(r.randint(-spread, spread), r.choice((1, 2) if spread > 1 else (1,))),
        )
        atoms.add((beta, gamma))
        if r.random() < 0.6 and len(atoms) < size:
            factor = r.choice((-1, 2, -2, Fraction(1, 2)))
            atoms.add((factor * beta, factor * gamma))
    return r.sample(sorted(atoms), size)


def value_matrix(rho, kinks, atoms) -> list[list[Fraction]]:
    """Values at every breakpoint of every atom, one step to either side, and far away; last column -1."""
    places = {(kink - gamma) / beta for beta, gamma in atoms for kink in kinks} or {Fraction(0)}
    points = {t + step for t in places for step in (0, -1, 1)} | {min(places) - 10, max(places) + 10}
    return [[*(rho(beta * t + gamma) for beta, gamma in atoms), Fraction(-1)] for t in sorted(points)]


def base_two_matrix(name: str, atoms) -> list[list[Fraction]]:
    """Values of tanh or logistic with the base e replaced by a power of 2, at integers: exact numbers."""
    scale = 2  # so that beta * t + gamma, with halves, is a whole exponent

    def rho(z):
        power = Fraction(2) ** int(z * scale)
        return (power - 1) / (power + 1) if name == "tanh" else power / (power + 1)

    return [[*(rho(beta * t + gamma) for beta, gamma in atoms), Fraction(-1)] for t in range(-16, 17, 2)]


def check_space(space: AffineSymmetries, matrix: list[list[Fraction]]) -> None:
    """As many relations as the matrix allows, independent, and each annihilated by it."""
    size = len(space.atoms)
    assert space.dimension == size + 1 - len(eliminate(matrix)[1])
    assert len(eliminate([s.coefficients for s in space.basis])[1]) == space.dimension
    for symmetry in space.basis:
        vector = (*symmetry.coefficients, symmetry.constant)
        assert all(sum(a * b for a, b in zip(row, vector, strict=True)) == 0 for row in matrix)


def test_dimension_is_that_of_the_kernel_of_values():
    r = random.Random(0)
    sizes = Counter()
    for _ in range(150):
        rho, kinks, exact = random_rho(r)
        atoms = random_atoms(r)
        space = affine_symmetries(exact, atoms)
        check_space(space, value_matrix(rho, kinks, atoms))
        sizes[space.dimension] += 1
    assert len(sizes) >= 5 and sizes[0] > 12


@pytest.mark.parametrize("name", ["tanh", "logistic"])
def test_smooth_functions_against_exact_values_in_another_base(name):
    r = random.Random(1)
    for _ in range(60):
        atoms = random_atoms(r, 7)
        space = affine_symmetries(name, atoms)
        check_space(space, base_two_matrix(name, [(2 * beta, 2 * gamma) for beta, gamma in atoms]))
        pairs = sum((-beta, -gamma) in atoms for beta, gamma in atoms) // 2
        assert space.dimension == pairs
        assert all(s.constant == (name == "logistic") for s in space.minimal())


def brute_force_circuits(vectors: list[list[Fraction]], size: int) -> set[tuple[int, ...]]:
    """Minimal supports: sets outside of which exactly a line of the span vanishes, minimal by inclusion."""
    found: list[tuple[int, ...]] = []
    dimension = len(eliminate(vectors)[1])
    for k in range(1, size + 1):
        for support in combinations(range(size), k):
            others = [[row[j] for j in range(size) if j not in support] for row in vectors]
            inside = dimension - len(eliminate(others)[1]) if k < size else dimension
            if inside and not any(set(c) <= set(support) for c in found):
                found.append(support)
    return set(found)


def test_minimal_symmetries_against_all_subsets():
    r = random.Random(2)
    total = 0
    for _ in range(100):
        _, _, exact = random_rho(r)
        rho = r.choice((exact, PiecewiseLinear.relu(), PiecewiseLinear.absolute_value()))
        space = affine_symmetries(rho, random_atoms(r, 8, spread=1))
        minimal = space.minimal()
        supports = [tuple(k for k, a in enumerate(s.coefficients) if a) for s in minimal]
        assert len(supports) == len(set(supports)) and sorted(supports) == supports
        basis = [list(s.coefficients) for s in space.basis]
        assert set(supports) == (brute_force_circuits(basis, len(space.atoms)) if basis else set())
        for s in minimal:
            assert next(filter(None, s.coefficients)) == 1
            assert is_affine_symmetry(rho, s.coefficients, s.atoms, s.constant).status.value == "holds"
        total += len(minimal)
    assert total > 100


def test_circuits_of_random_spaces():
    r = random.Random(3)
    for _ in range(60):
        size, dimension = r.randint(1, 7), r.randint(0, 4)
        vectors = [[Fraction(r.choice((0, 0, 1, -1, 2))) for _ in range(size)] for _ in range(dimension)]
        found = circuits([(*row, row[0] * 3) for row in vectors])
        supports = {tuple(k for k, entry in enumerate(v[:-1]) if entry) for v in found}
        assert supports == (brute_force_circuits(vectors, size) if vectors else set()) and len(found) == len(supports)
        assert all(v[-1] == 3 * v[0] for v in found)


def test_relu_on_a_grid_has_scalings_and_opposite_pairs_only():
    """7 kinks with m = 1,2,1,2,1,2,1 atoms per side: 6 scalings, and the sum of m^2 m'^2 over pairs of kinks."""
    space = affine_symmetries("relu", GRID)
    multiplicities = [1, 2, 1, 2, 1, 2, 1]
    pairs = sum(m * m * n * n for m, n in combinations(multiplicities, 2))
    kinds = Counter(s.kind for s in space.minimal())
    assert kinds == {"scaling": 6, "opposite_pairs": pairs} and pairs == 102
    for s in space.minimal():
        if s.kind == "scaling":
            (b, c), (d, e) = s.support
            assert d / b == e / c if c else e == 0
            assert d / b > 0 and s.constant == 0


@pytest.mark.parametrize(
    ("rho", "kinds"),
    [
        ("tanh", {"reflection": 10}),
        ("logistic", {"reflection": 10}),
        ("abs", {"reflection": 16, "scaling": 6}),
        ({"name": "leaky_relu", "slope": "1/10"}, {"scaling": 6, "opposite_pairs": 102}),
    ],
)
def test_families_on_the_grid(rho, kinds):
    assert Counter(s.kind for s in affine_symmetries(rho, GRID).minimal()) == kinds


def test_known_symmetries():
    tanh = affine_symmetries("tanh", [(1, 3), (-1, -3)]).basis
    assert [(s.coefficients, s.constant) for s in tanh] == [((1, 1), 0)]
    clip = affine_symmetries("hard_tanh", [("1/2", 0), (1, 1), (1, -1)]).minimal()
    assert [(s.coefficients, s.constant, s.kind) for s in clip] == [((1, Fraction(-1, 2), Fraction(-1, 2)), 0, "other")]
    relu6 = affine_symmetries("relu6", [(1, 0), (-1, 6)]).minimal()
    assert [(s.explain(), s.kind) for s in relu6] == [("relu6(t) + relu6(-t + 6) = 6", "reflection")]
    identity = affine_symmetries("identity", [(1, 0), (1, 5)]).minimal()
    assert [(s.coefficients, s.constant) for s in identity] == [((1, -1), -5)]
    constant = affine_symmetries(PiecewiseLinear([], [0], (0, 4)), [(1, 0), (2, 0)]).minimal()
    assert [(s.kind, s.coefficients, s.constant) for s in constant] == [
        ("constant", (1, 0), 4),
        ("constant", (0, 1), 4),
    ]
    assert affine_symmetries("relu", [(1, 0), (-1, 0), (1, 1)]).basis == ()
    assert affine_symmetries("relu", [(1, 0), (2, 0)]).to_json()["basis"] == [
        {"coefficients": ["-2", "1"], "constant": "0"}
    ]


def test_verdicts_on_piecewise_linear_functions():
    r = random.Random(4)
    seen = Counter()
    for _ in range(200):
        rho, kinks, exact = random_rho(r)
        atoms = random_atoms(r, 8, spread=1)
        space = affine_symmetries(exact, atoms)
        if space.basis:
            s = r.choice(space.basis)
            alpha, zeta = list(s.coefficients), s.constant
        else:
            alpha, zeta = [Fraction(0)] * len(atoms), Fraction(0)
        if r.random() < 0.5:
            zeta += r.choice((0, 1))
            alpha[r.randrange(len(alpha))] += r.choice((0, 1, Fraction(1, 7)))
        verdict = is_affine_symmetry(exact, alpha, atoms, zeta)
        seen[verdict.status.value] += 1

        def total(t, alpha=alpha, atoms=atoms, rho=rho):
            return sum(a * rho(beta * t + gamma) for a, (beta, gamma) in zip(alpha, atoms, strict=True))

        if verdict.status.value == "fails":
            assert total(verdict.evidence.point[0]) != zeta
        else:
            matrix = value_matrix(rho, kinks, atoms)
            assert all(sum(a * b for a, b in zip(row, (*alpha, zeta), strict=True)) == 0 for row in matrix)
            assert verdict.evidence.value == zeta and all(total(t) == zeta for t in verdict.evidence.points)
            bent = [(kink - gamma) / beta for beta, gamma in atoms for kink in exact.breakpoints]
            assert set(bent) <= set(verdict.evidence.points)
    assert min(seen["holds"], seen["fails"]) > 40


@pytest.mark.parametrize("name", ["tanh", "logistic"])
def test_verdicts_on_smooth_functions_against_fifty_digits(name):
    r = random.Random(5)
    seen = Counter()
    with mpmath.workdps(50):
        for _ in range(150):
            atoms = random_atoms(r, 6)
            basis = affine_symmetries(name, atoms).basis
            s = r.choice(basis) if basis else None
            alpha = list(s.coefficients) if s else [Fraction(0)] * len(atoms)
            zeta = s.constant if s else Fraction(0)
            if r.random() < 0.6:
                zeta += r.choice((0, 0, 1))
                alpha[r.randrange(len(alpha))] += r.choice((0, 1, Fraction(-1, 7)))
            verdict = is_affine_symmetry(name, alpha, atoms, zeta)
            seen[verdict.status.value] += 1
            failing = verdict.status.value == "fails"
            for t in [verdict.evidence.point[0]] if failing else [Fraction(k, 3) for k in range(-4, 5)]:
                total = -mpmath.mpf(zeta.numerator) / zeta.denominator
                for a, (beta, gamma) in zip(alpha, atoms, strict=True):
                    z = beta * t + gamma
                    z = mpmath.mpf(z.numerator) / z.denominator
                    value = mpmath.tanh(z) if name == "tanh" else 1 / (1 + mpmath.exp(-z))
                    total += mpmath.mpf(a.numerator) / a.denominator * value
                assert (abs(total) > 1e-12) if failing else (abs(total) < 1e-45)
            if not failing:
                assert not any(verdict.evidence.coefficients)
                assert "the coefficients are" in verdict.evidence.explain()
    assert min(seen["holds"], seen["fails"]) > 30


def test_a_failing_point_need_not_be_the_first():
    """tanh(t) + tanh(-2t) vanishes at 0, and |t| - |t - 1| equals 1 for all t >= 1."""
    assert is_affine_symmetry("tanh", [1, 1], [(1, 0), (-2, 0)]).evidence.point == (1,)
    assert is_affine_symmetry("abs", [1, -1], [(1, 0), (1, -1)], 1).evidence.point[0] < 1
    for beta in (1, -1):  # on one side of the only breakpoint, and not at it
        assert is_affine_symmetry("relu", [1], [(beta, 0)]).evidence.point == (beta,)
    assert is_affine_symmetry("identity", [1], [(1, 0)]).evidence.point[0] != 0


@pytest.mark.parametrize(
    ("rho", "atoms", "message"),
    [
        ("relu", [(0, 1)], "atoms[0]: must have beta other than 0; got (0, 1)"),
        ("tanh", [(1, 1), (2, 0), ("1", "2/2")], "atoms[2]: must differ from atoms[0]; got ('1', '2/2')"),
        ("relu", [], "atoms: must contain at least one pair (beta, gamma)"),
        ("relu", [(1,)], "atoms[0]: must have 2 entries; got 1"),
        ("relu", "1,0", "atoms: must be a list of pairs (beta, gamma); got '1,0'"),
        ("relu", [(0.5, 1)], "atoms[0][0]: must be exact"),
        ("gelu", [(1, 0)], 'rho: must be one of "relu", "identity", "abs", "hard_tanh", "relu6", "hat", "tanh", '),
        ({"name": "gelu"}, [(1, 0)], "rho.name: "),
        (3, [(1, 0)], "rho: must be one of "),
    ],
)
def test_bad_input(rho, atoms, message):
    with pytest.raises(InvalidInput) as caught:
        affine_symmetries(rho, atoms)
    assert str(caught.value).startswith(message)


def test_bad_coefficients_and_budgets():
    with pytest.raises(InvalidInput, match=r"^coefficients: must have 1 entries; got 2"):
        is_affine_symmetry("relu", [1, 2], [(1, 0)])
    with pytest.raises(InvalidInput, match=r"^constant: must be exact"):
        is_affine_symmetry("relu", [1], [(1, 0)], 0.5)
    space = affine_symmetries("relu", GRID)
    with pytest.raises(BudgetExceeded, match="at most 100 partial supports are allowed"):
        space.minimal(budget=100)
    with pytest.raises(InvalidInput, match=r"^budget: "):
        space.minimal(budget=-1)


@pytest.mark.sweep
def test_dimensions_of_a_thousand_spaces():
    r = random.Random(6)
    for _ in range(1000):
        rho, kinks, exact = random_rho(r)
        atoms = random_atoms(r)
        check_space(affine_symmetries(exact, atoms), value_matrix(rho, kinks, atoms))
