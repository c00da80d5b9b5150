from __future__ import annotations

import copy
import pickle
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from polyhedra_cases import KINDS, brute_vertices, inner, random_halfspaces

from exactrelu.errors import BudgetExceeded, InexactNumber, InvalidDomain, InvalidInput, InvalidNumber, WrongDimension
from exactrelu.polyhedra import Domain, Extremum, Halfspace, Polyhedron, Side, as_domain

NUMBERS = st.fractions(min_value=-9, max_value=9, max_denominator=9)
LINE: st.SearchStrategy[Side] = st.just((None, None))
INTERVAL = st.tuples(NUMBERS, NUMBERS).filter(lambda side: side[0] < side[1])
ANY_SIDE = st.one_of(LINE, INTERVAL, NUMBERS.map(lambda a: (a, a)), NUMBERS.map(lambda a: (a, None)))
ANY_SIDE = st.one_of(ANY_SIDE, NUMBERS.map(lambda b: (None, b)))


@given(st.lists(st.one_of(LINE, INTERVAL), min_size=1, max_size=5))
def test_text_round_trips(sides: list[Side]) -> None:
    domain = Domain.box(sides)
    assert domain.sides == tuple(sides)
    assert Domain.parse(str(domain)) == domain
    assert eval(repr(domain)) == domain
    spaced = "".join(f" {letter} " if letter in "[],x^R" else letter for letter in str(domain))
    assert Domain.parse(spaced) == domain


@pytest.mark.parametrize(
    ("given_text", "canonical"),
    [
        ("R", "R"),
        ("R^1", "R"),
        ("RxR", "R^2"),
        ("R^2xR^03", "R^5"),
        ("[-1,1]x[0,3/2]", "[-1,1]x[0,3/2]"),
        ("[-1.0,1e0]x[-2/2,1]", "[-1,1]^2"),
        ("[ 0 , 1 ] ^ 2 x R x [0,1]", "[0,1]^2xRx[0,1]"),
        ("[- 1,1]", "[-1,1]"),
    ],
)
def test_texts_and_their_canonical_spelling(given_text: str, canonical: str) -> None:
    domain = Domain.parse(given_text)
    assert str(domain) == domain.text == canonical
    assert Domain.parse(canonical) == domain


OUTSIDE_THE_GRAMMAR = [
    *("", " ", "x", "R x", "xR", "RR", "Rx", "r", "R\n", "R\u0660", "R^", "R^0", "R^-1", "R^1.5", "R^2^2", "R^1_0"),
    *("R^999999999", "R^99999999999999999", "R^60000xR^60000", "R^100001", "[0,1]^R", "[0,1]^", "[0,1]^\u0662"),
    *("[0,1", "0,1]", "(0,1)", "[0,1]]", "[[0,1]", "[0;1]", "[0]", "[0,1,2]", "[,]", "[0,]", "[1,0]", "[1,1]"),
    *("[1 0,20]", "[0,1]X[0,1]", "[0,1]*[0,1]"),
]


@pytest.mark.parametrize("content", OUTSIDE_THE_GRAMMAR)
def test_texts_outside_the_grammar_are_refused(content: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        Domain.parse(content)
    assert str(caught.value).startswith("domain")
    assert "\n" not in str(caught.value)


NO_NUMBERS = ["nan", "inf", "-inf", "1/0", "1e999999999", "0x1", "1_0", "one", "1//2", "--1", "1+1", "\u0661"]


@pytest.mark.parametrize("end", NO_NUMBERS)
def test_ends_that_are_no_numbers_are_refused(end: str) -> None:
    for content in (f"[{end},1000]", f"[-1000,{end}]"):
        with pytest.raises(InvalidNumber, match="domain"):
            Domain.parse(content)


@pytest.mark.parametrize("value", [None, 3, b"R", ["R"]])
def test_only_text_is_parsed(value: object) -> None:
    with pytest.raises(InvalidDomain):
        Domain.parse(value)


def check_extremum(domain: Domain, found: Extremum, form: list[Fraction], constant: Fraction, sense: int) -> None:
    """The point is in the domain; the value is attained, or the ray leads away and stays inside."""
    assert domain.contains(found.point)
    if found.value is None:
        assert found.ray is not None
        assert sense * inner(form, found.ray) > 0
        assert all(inner(item.normal, found.ray) <= 0 for item in domain.halfspaces)
    else:
        assert found.ray is None
        assert inner(form, found.point) + constant == found.value


def best_of_generators(domain: Domain, form: list[Fraction], sense: int) -> Fraction | None:
    directions = [*domain.rays, *domain.lines, *([-entry for entry in line] for line in domain.lines)]
    if any(sense * inner(form, direction) > 0 for direction in directions):
        return None
    return sense * max(sense * inner(form, vertex) for vertex in domain.vertices)


def check_extrema(domain: Domain, r: random.Random) -> None:
    for _ in range(3):
        form = [Fraction(r.randint(-2, 2), r.randint(1, 2)) for _ in range(domain.ambient_dimension)]
        constant = Fraction(r.randint(-2, 2), 3)
        for sense, found in ((1, domain.supremum(form, constant)), (-1, domain.infimum(form, constant))):
            check_extremum(domain, found, form, constant, sense)
            best = best_of_generators(domain, form, sense)
            assert found.value == (None if best is None else best + constant)


@given(st.lists(ANY_SIDE, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_boxes_are_their_half_spaces(sides: list[Side], r: random.Random) -> None:
    """The coordinatewise answers of a box are those of the same set as a polyhedron."""
    box = Domain.box(sides)
    plain = Polyhedron(box.ambient_dimension, box.halfspaces)
    assert plain == box.polyhedron
    assert plain.canonical().halfspaces == box.halfspaces
    assert plain.generators == Polyhedron(box.ambient_dimension, box.halfspaces).generators
    assert (plain.vertices, plain.rays, plain.lines) == (box.vertices, box.rays, box.lines)
    assert (plain.dimension, plain.is_bounded) == (box.dimension, box.is_bounded)
    assert box.is_full_dimensional == plain.is_full_dimensional == (not box.affine_hull)
    assert box.is_space == (not box.halfspaces)
    inside = box.interior_point()
    assert all(item.slack(inside) > 0 for item in plain.facets)
    assert all(item.contains(inside) for item in plain.affine_hull)
    check_extrema(box, r)
    for _ in range(5):
        point = [Fraction(r.randint(-19, 19), 2) for _ in sides]
        assert box.contains(point) == plain.contains(point)
    if box.halfspaces:
        again = Domain.polytope(halfspaces=[*box.halfspaces, box.halfspaces[0], *box.halfspaces])
        assert (again, hash(again), again.sides) == (box, hash(box), box.sides)
        assert eval(repr(box)) == box


def check_polytopes(seed: int, rounds: int) -> tuple[int, int]:
    r, empty, boxes = random.Random(seed), 0, 0
    for k in range(rounds):
        d = r.randint(1, 3)
        halfspaces = random_halfspaces(r, d, r.randint(1, 7), KINDS[k % len(KINDS)])
        polyhedron = Polyhedron(d, halfspaces)
        if polyhedron.is_empty:
            empty += 1
            with pytest.raises(InvalidDomain, match="empty"):
                Domain.polytope(halfspaces=halfspaces)
            continue
        domain = Domain.polytope(halfspaces=[(item.normal, item.bound) for item in halfspaces])
        boxes += domain.sides is not None
        assert (domain.sides is None) == any(sum(map(bool, item.normal)) > 1 for item in domain.halfspaces)
        assert domain.polyhedron == polyhedron
        assert eval(repr(domain)) == domain
        assert hash(eval(repr(domain))) == hash(domain)
        assert domain.contains(domain.interior_point())
        if not domain.lines:
            assert set(domain.vertices) == brute_vertices(halfspaces, d)
        if domain.is_bounded:
            assert Domain.polytope(vertices=[*domain.vertices, domain.interior_point()]) == domain
        check_extrema(domain, r)
    return empty, boxes


def test_polytopes_from_half_spaces_and_vertices() -> None:
    assert min(check_polytopes(1, 300)) > 20


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(5))
def test_polytopes_from_half_spaces_and_vertices_at_length(seed: int) -> None:
    check_polytopes(100 + seed, 1000)


def test_a_large_box_is_fast_and_small() -> None:
    box = Domain.parse("[0,1]^5000xR^5000")
    assert box.supremum([1] * 5000 + [0] * 5000).value == 5000
    assert box.infimum([1] * 5000 + [0] * 4999 + [1]).value is None
    assert str(box) == "[0,1]^5000xR^5000"
    with pytest.raises(BudgetExceeded, match="vertices of a box"):
        _ = box.vertices


def test_lower_dimensional_domains_name_an_equation() -> None:
    segment = Domain.polytope(vertices=[(0, 1), (2, 5), (1, 3)])
    assert (segment.dimension, segment.ambient_dimension, segment.vertices) == (1, 2, ((0, 1), (2, 5)))
    with pytest.raises(InvalidDomain, match=r"interior points for regions, but lies in 2\*x0 - x1 = -1$"):
        segment.require_full_dimensional("regions")
    Domain.space(2).require_full_dimensional("regions")


def test_empty_domains_name_their_contradiction() -> None:
    with pytest.raises(InvalidDomain, match=r"-x0 <= -1, x0 <= 0$"):
        Domain.polytope(halfspaces=[((1,), 0), ((-1,), -1), ((1,), 7)])
    with pytest.raises(InvalidDomain, match="empty"):
        Domain.polytope(halfspaces=[((0, 0), -1)])
    with pytest.raises(InvalidDomain, match="empty"):
        Domain.box([(1, 0)])


def test_equal_sets_are_equal_domains() -> None:
    square = Domain.parse("[0,1]^2")
    assert square == Domain.polytope(vertices=[(0, 0), (1, 1), (0, 1), (1, 0), ("1/2", "1/2")])
    assert len({square, Domain.box([(0, 1)] * 2), Domain.parse("[0,1]x[0,1]")}) == 1
    assert Domain.polytope(halfspaces=[((0, 0), 4)]) == Domain.space(2) != Domain.space(3)
    assert square != Domain.polytope(vertices=[(0, 0), (1, 1), (0, 1)]) != "square"
    for domain in (square, Domain.polytope(vertices=[(0, 0), (1, 1), (0, 1)])):
        assert pickle.loads(pickle.dumps(domain)) == copy.deepcopy(domain) == domain


def test_redundant_slanted_half_spaces_leave_a_box() -> None:
    assert Domain.polytope(halfspaces=[((1, 0), 1), ((0, 1), 1), ((1, 1), 2)]).sides == ((None, 1), (None, 1))


def test_as_domain() -> None:
    square = Domain.parse("[0,1]^2")
    assert as_domain(square, 2) is square
    assert as_domain(None, 3) == Domain.space(3)
    with pytest.raises(WrongDimension, match="domain: must have 3 coordinates; got 2"):
        as_domain("R^2", 3)
    with pytest.raises(InvalidDomain):
        as_domain(7, 2)


def test_refusals() -> None:
    with pytest.raises(InvalidDomain, match="by vertices or by halfspaces"):
        Domain.polytope()
    with pytest.raises(InvalidDomain, match="by vertices or by halfspaces"):
        Domain.polytope(vertices=[(0,)], halfspaces=[((1,), 0)])
    with pytest.raises(InvalidDomain, match="empty list"):
        Domain.polytope(halfspaces=[])
    with pytest.raises(InvalidDomain, match="at least one point"):
        Domain.polytope(vertices=[])
    with pytest.raises(InvalidDomain, match=r"halfspaces\[0\]"):
        Domain.polytope(halfspaces=[(1, 2, 3)])
    with pytest.raises(WrongDimension):
        Domain.polytope(halfspaces=[Halfspace([1], 0), Halfspace([1, 2], 0)])
    with pytest.raises(WrongDimension):
        Domain.polytope(vertices=[(0,), (0, 1)])
    for dimension in (0, -1, True, 2.0, 10**9):
        with pytest.raises(WrongDimension):
            Domain.space(dimension)
    with pytest.raises(WrongDimension):
        Domain.box([])
    with pytest.raises(InvalidDomain, match=r"box\[0\]"):
        Domain.box([(1, 2, 3)])
    with pytest.raises(InexactNumber):
        Domain.box([(0, 0.5)])
    with pytest.raises(InexactNumber):
        Domain.space(1).infimum([0.5])
    with pytest.raises(WrongDimension, match="coefficients"):
        Domain.space(1).infimum([1, 2])
    with pytest.raises(WrongDimension, match="point"):
        Domain.space(1).contains([1, 2])
