"""Regions by linear programs: the same as by vertices, the same without floats, and right where vertices end.

Signs come from ``region_oracle``; the complexes by vertices are tested by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import chain, combinations
from random import Random

import numpy as np
import pytest
from activation_networks import box_text, network, random_box, random_data
from region_networks import batches, random_network, rescaled, single_layer
from region_oracle import signs_at

from exactrelu import BudgetExceeded, Domain, Halfspace, Layer, Network, certify, same_function
from exactrelu.rationals import rank, solve
from exactrelu.regions import (
    RegionComplex,
    activation_regions,
    count_regions,
    engine,
    region_blocks,
    region_graph,
    zaslavsky,
)
from exactrelu.regions.linear_program_engine import recession, searched_cells, separation
from exactrelu.regions.linear_program_engine.float_proofs import dyadic, implied, positive, shortened
from exactrelu.regions.linear_program_engine.guesses import guess
from exactrelu.regions.linear_program_engine.questions import Form, Homogeneous, Question, combination, exact_answer
from exactrelu.regions.linear_program_engine.separation import reach
from exactrelu.regions.linear_program_engine.tree_search import search
from exactrelu.regions.program import compile_network
from exactrelu.regions.vertex_engine.enumeration import regions as regions_by_vertices


def both(
    net: Network, halfspaces: Sequence[Halfspace] = (), *, exact_only: bool = False
) -> tuple[RegionComplex, RegionComplex]:
    """The complex by vertices and the complex by linear programs."""
    domain = Domain.polytope(halfspaces=halfspaces) if halfspaces else Domain.space(net.input_dim)
    flat = net.unfolding.network
    sources = regions_by_vertices(flat, halfspaces), searched_cells.regions(flat, halfspaces, exact_only=exact_only)
    return RegionComplex(net, domain, sources[0]), RegionComplex(net, domain, sources[1])


def check_same(by_vertices: RegionComplex, by_programs: RegionComplex) -> None:
    """Equal patterns, maps, bounded flags and adjacencies; points where they should be."""
    assert by_programs.patterns == by_vertices.patterns
    assert by_programs.affine_maps == by_vertices.affine_maps
    assert [region.bounded for region in by_programs] == [region.bounded for region in by_vertices]
    found, wanted = list(by_programs.adjacencies()), list(by_vertices.adjacencies())
    assert [(edge.regions, edge.neurons) for edge in found] == [(edge.regions, edge.neurons) for edge in wanted]
    net, walls = by_programs.network.unfolding.network, by_programs.domain.halfspaces
    source = by_programs.source
    patterns = source.patterns().T.tolist()
    for region, pattern in enumerate(patterns):
        x = source.interior_point(region)
        assert signs_at(net, x) == pattern
        assert all(half.slack(x) > 0 for half in walls)
    facets, low, high = source.adjacency
    for facet, i, j in zip(facets.tolist(), low.tolist(), high.tolist(), strict=True):
        x = source.facet_point(facet)
        for sign, before, after in zip(signs_at(net, x), patterns[i], patterns[j], strict=True):
            assert sign in ((0,) if before != after else (before, 0))
        assert all(half.slack(x) > 0 for half in walls)


@pytest.mark.parametrize("seeds", batches(120, 620, 250))
def test_against_vertices(seeds: range) -> None:
    for seed in seeds:
        check_same(*both(*random_network(60_000 + seed)))


@pytest.mark.sweep
@pytest.mark.parametrize(("dimension", "count"), [(4, 40), (5, 24), (6, 12)])
def test_against_vertices_in_more_dimensions(dimension: int, count: int) -> None:
    """Every other network has exactly so many inputs, with as many neurons and a few more."""
    for seed in range(count):
        if seed % 2:
            check_same(*both(*random_network(70_000 + seed, dimension, 5)))
        else:
            check_same(*both(Network.random((dimension, dimension + seed % 3, 1 + seed % 4, 1), seed)))


@pytest.mark.parametrize("seeds", batches(25, 125, 100))
def test_without_floats(seeds: range) -> None:
    for seed in seeds:
        net, halfspaces = random_network(61_000 + seed)
        exact = both(net, halfspaces, exact_only=True)
        check_same(*exact)
        cells = exact[1].source._cells
        assert recession.bounded(cells, exact_only=True) == recession.bounded(cells)


@pytest.mark.parametrize("seeds", batches(12, 112, 100))
def test_other_activations(seeds: range) -> None:
    for seed in seeds:
        r = Random(seed)
        net = network(random_data(r))
        text = box_text(random_box(r, net.input_dim))
        check_same(*both(net, Domain.parse(text).halfspaces if text else ()))


def test_numbers_of_extreme_size() -> None:
    for seed in range(12):
        net, halfspaces = random_network(62_000 + seed)
        check_same(*both(rescaled(net, seed, 1100), halfspaces))


@pytest.mark.parametrize("exponent", [40, 200, 1200])
def test_slivers(exponent: int) -> None:
    """A strip and a triangle far thinner than floats can tell."""
    thin = Fraction(1, 2**exponent)
    net = single_layer([[1, 0], [1, 0], [1, 1], [1, 1 + thin], [0, 1]], [0, -thin, 0, 0, thin])
    check_same(*both(net))


def test_no_neuron_bends() -> None:
    line = Network(3, [Layer({0: [[1, 2, 3]]}, bias=[1], activation="identity")])
    check_same(*both(line))
    check_same(*both(line, Domain.parse("[0,1]^3").halfspaces))
    check_same(*both(Network.mlp([[[0, 0]], [[1]]], [[0], [0]])))


# ---- where vertices end ----------------------------------------------------------------------------


@pytest.mark.parametrize(("inputs", "neurons"), [(8, 12), (10, 12), (9, 9)])
def test_generic_arrangements(inputs: int, neurons: int) -> None:
    cells = searched_cells.regions(Network.random((inputs, neurons, 1), 0))
    assert cells.count == zaslavsky(neurons, inputs)
    assert len(set(map(bytes, cells.patterns().T))) == cells.count


@pytest.mark.sweep
def test_facets_of_a_generic_arrangement() -> None:
    """Every hyperplane carries as many facets as the others cut it into (Buck)."""
    cx = RegionComplex(*(net := Network.random((8, 10, 1), 0), Domain.space(8)), searched_cells.regions(net))
    neurons = [edge.neurons for edge in cx.adjacencies()]
    assert {neuron: neurons.count(neuron) for neuron in neurons} == {((1, i),): zaslavsky(9, 7) for i in range(10)}
    assert sum(region.bounded for region in cx) == 9  # (n - 1 choose d)


def test_known_deep_counts() -> None:
    assert searched_cells.regions(Network.random((5, 12, 1), 0)).count == 1586
    assert searched_cells.regions(Network.random((3, 8, 8, 1), 0)).count == 514


def high() -> Network:
    """A network in which nine inputs matter, with 2^9 regions."""
    return Network.random((9, 9, 1), 0)


def test_the_public_functions_beyond_vertices() -> None:
    net = high()
    cx = activation_regions(net)
    assert (len(cx), count_regions(net), sum(map(len, region_blocks(net)))) == (512, 512, 512)
    assert not cx.has_faces and cx.complete
    assert list(cx.patterns) == sorted(net.pattern(region.interior_point) for region in cx)
    edges = list(region_graph(cx).edges(data=True))
    assert len(edges) == 9 * 256
    for _, _, edge in edges[::100]:
        ((_, i),) = edge["neurons"]
        normal, (jump,) = edge["normal"], edge["jump"]
        row, (v,) = net.layers[0].blocks[0][1][i], net.layers[1].blocks[0][1][0][i : i + 1]
        assert [jump * entry for entry in normal] in (
            [v * w for w in row],
            [-v * w for w in row],
            [abs(v) * w for w in row],
        )


def test_faces_are_not_known_beyond_vertices() -> None:
    cx = activation_regions(high())
    for ask in (lambda: cx.f_vector, lambda: list(cx.faces(3)), cx.meeting_neurons):
        with pytest.raises(BudgetExceeded, match="at most 8 dimensions of the input that matter, where faces"):
            ask()


def test_on_a_box_beyond_vertices() -> None:
    """A cube cut by one diagonal hyperplane and by a bent one: five linear forms decide everything."""
    net = Network.mlp([[[1] * 9], [[1]], [[1]]], [[0], [-4], [0]])
    cx = activation_regions(net, "[-1,1]^9")
    assert [str(pattern) for pattern in cx.patterns] == ["-|-", "+|-", "+|+"]
    assert [(edge.regions, edge.neurons) for edge in cx.adjacencies()] == [((0, 1), ((1, 0),)), ((1, 2), ((2, 0),))]
    assert all(region.bounded for region in cx) and not any(region.bounded for region in activation_regions(net))


def test_inputs_that_do_not_matter_leave_it_to_vertices() -> None:
    rows = [[1, 0] + [0] * 10, [0, 1] + [0] * 10, [1, 1] + [0] * 10]
    assert activation_regions(single_layer(rows, [0, 0, -1])).f_vector[-3:] == (3, 9, 7)


def test_same_function_beyond_vertices() -> None:
    first = Network.mlp([[[int(i == j) for j in range(9)] for i in range(9)], [[1] * 9], [[1]]], [[0] * 9, [-1], [0]])
    turned, box = first.permute([[*range(1, 9), 0], [0]]), "[0,1]^7x[-1,1]^2"
    assert same_function(first, turned, box).evidence.regions == 8
    assert same_function(first, turned, box, budget=7).status.value == "unknown"
    other = first.replace({"b[2][0]": -2})
    point = same_function(first, other, box).evidence.point
    assert first(point) != other(point)


def test_certificate_of_completeness_beyond_vertices() -> None:
    certificate = certify("regions_complete", network=Network.random((9, 9, 1), 1))
    assert certificate.check()
    assert certificate.claim["count"] == 512 == count_regions(Network.random((9, 9, 1), 1))


def test_budgets(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BudgetExceeded, match="at most 100 regions") as caught:
        activation_regions(high(), budget=100)
    part = caught.value.partial
    assert not part.complete and len(part) > 100
    assert all(region.pattern == part.network.pattern(region.interior_point) for region in part)
    with pytest.raises(BudgetExceeded, match="at most 511 regions"):
        count_regions(high(), budget=511)
    assert count_regions(high(), budget=512) == 512
    monkeypatch.setattr(engine, "MOST_REGIONS", 500)
    for task in (activation_regions, count_regions, lambda net: list(region_blocks(net))):
        with pytest.raises(BudgetExceeded, match="at most 500 regions"):
            task(Network.random((10, 10, 1), 0))
    with pytest.raises(BudgetExceeded, match=r"at most 32 dimensions of the input that matter .*; 33 are needed"):
        activation_regions(Network.random((33, 33, 1), 0))


def test_blocks_beyond_vertices() -> None:
    """Each region in one block, and together all facets inside the blocks or between them."""
    net = Network.random((9, 10, 1), 0)
    blocks = list(searched_cells.stream(net, block=400))
    assert len(blocks) > 1 and not any(block.whole for block in blocks)
    patterns = [bytes(column) for block in blocks for column in block.patterns().T]
    whole = searched_cells.regions(net)
    assert sorted(patterns) == sorted(map(bytes, whole.patterns().T))
    assert sum(block.adjacency[0].size for block in blocks) < whole.adjacency[0].size


# ---- questions, guesses and proofs -----------------------------------------------------------------


def random_question(r: Random, d: int, size: int = 3) -> Question:
    """Forms positive at a point; many of them parallel, equal or through a common point."""
    point = (r.randint(1, 3), *(r.randint(-3, 3) for _ in range(d)))

    def form() -> Form:
        while True:
            found = Form.of([r.randint(-size, size) for _ in range(d + 1)])
            if value := found.at(point):
                return found if value > 0 else found.opposite

    return Question([form() for _ in range(r.randint(0, 3 * d))], point, form())


def check_answers(questions: Sequence[Question], answers: Sequence[Homogeneous | None]) -> None:
    for question, answer in zip(questions, answers, strict=True):
        assert (answer is None) == (exact_answer(question) is None)
        assert answer is None or (answer[0] > 0 and question.answered_by(answer))


@pytest.mark.parametrize("d", range(1, 7))
def test_answers_to_questions(d: int) -> None:
    r = Random(d)
    questions = [random_question(r, d) for _ in range(60)]
    check_answers(questions, reach(questions))


SPOILS: dict[str, Callable[[object], None]] = {
    "values": lambda found: np.negative(found.value, out=found.value),
    "too far": lambda found: found.value.fill(2.0),
    "not far enough": lambda found: found.value.fill(0.5),
    "points": lambda found: np.negative(found.u, out=found.u),
    "no points": lambda found: found.u.fill(np.nan),
    "names": lambda found: found.basis.fill(0),
    "no multipliers": lambda found: found.y.fill(0.0),
}


@pytest.mark.parametrize("spoil", SPOILS)
def test_wrong_guesses_change_nothing(spoil: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the floating simplex method says, answers are the same; the exact method is really called."""
    fallbacks = []

    def spoilt(*arguments: object) -> object:
        found = guess(*arguments)
        SPOILS[spoil](found)
        return found

    def counted(question: Question) -> Homogeneous | None:
        fallbacks.append(question)
        return exact_answer(question)

    monkeypatch.setattr(separation, "guess", spoilt)
    monkeypatch.setattr(separation, "exact_answer", counted)
    monkeypatch.setattr(recession, "guess", spoilt)
    r = Random(7)
    for d in (1, 2, 4):
        questions = [q for q in (random_question(r, d) for _ in range(60)) if q.forms]
        check_answers(questions, reach(questions))
    assert fallbacks
    for seed in range(6):
        check_same(*both(*random_network(63_000 + seed)))


def test_whatever_forms_are_named_only_truth_is_proved() -> None:
    r = Random(3)
    refuted = 0
    for question in (random_question(r, d) for d in (1, 2, 3) for _ in range(40)):
        truth = exact_answer(question) is None
        for names in combinations(range(len(question.forms)), r.randint(1, len(question.point) - 1)):
            if question.refuted_by(names):
                refuted += 1
                assert truth
    assert refuted > 40


def test_whatever_basis_is_named_only_truth_is_proved() -> None:
    """All bases and directions of all cells of arrangements in the plane and in space."""
    seen = []
    for seed in range(6):
        d = 2 + seed % 2
        net = single_layer(*arrangement(Random(seed), d))
        for cell in chain.from_iterable(search(compile_network(net))):
            truth = recession._exactly(cell)
            for basis in combinations(cell.forms, d):
                answers = [recession._proved(cell, basis, ray) for ray in range(-1, d)]
                assert set(answers) <= {truth, None}
                seen += answers
    assert {True, False, None} <= set(seen)


def arrangement(r: Random, d: int) -> tuple[list[list[int]], list[int]]:
    """Rows and biases of d + 2 hyperplanes whose rows have full rank."""
    while True:
        rows = [[r.randint(-2, 2) for _ in range(d)] for _ in range(d + 2)]
        if rank([tuple(map(Fraction, row)) for row in rows]) == d:
            return rows, [r.randint(-2, 2) for _ in rows]


def test_few_questions_need_the_exact_method(monkeypatch: pytest.MonkeyPatch) -> None:
    fallbacks = []
    monkeypatch.setattr(separation, "exact_answer", lambda question: fallbacks.append(0) or exact_answer(question))
    assert searched_cells.regions(Network.random((4, 8, 4, 1), 0)).adjacency[0].size > 500
    assert len(fallbacks) < 5


def test_combinations_against_linear_algebra() -> None:
    r = Random(0)
    for _ in range(400):
        d = r.randint(1, 5)
        rows = [tuple(r.randint(-3, 3) for _ in range(d + 1)) for _ in range(r.randint(0, d))]
        weights = [r.randint(-2, 2) for _ in rows]
        spanned = tuple(sum(w * row[k] for w, row in zip(weights, rows, strict=True)) for k in range(d + 1))
        target = r.choice((spanned, tuple(r.randint(-3, 3) for _ in range(d + 1))))
        columns = [[row[k] for row in rows] for k in range(1, d + 1)]
        found = combination(rows, target)
        if rows and rank(columns) < len(rows):
            assert found is None
            continue
        wanted = solve(columns, target[1:]) if rows else None if any(target[1:]) else ()
        assert (found and tuple(Fraction(y, found[0]) for y in found[1])) == wanted


def test_implications_proved_in_floats_are_true() -> None:
    """Targets lie a few rounding errors from the border of truth, on either side, or far away."""
    r = Random(1)
    proved = 0
    for _ in range(400):
        d = r.randint(1, 4)
        forms = [Form.of([r.randint(-9, 9) for _ in range(d + 1)]) for _ in range(d)]
        if rank([form.row[1:] for form in forms]) < d:
            continue
        weights = [r.choice((0, 1, 10**17, 10**18)) for _ in forms]
        shift = r.choice((-1, 0, 1, 10**18))
        row = [sum(w * form.row[k] for w, form in zip(weights, forms, strict=True)) for k in range(d + 1)]
        row[1 + r.randrange(d)] += r.choice((-1, 0, 1))
        target = Form.of([row[0] + shift, *row[1:]])
        if not any(target.row[1:]):
            continue
        stack = np.array([[form.floats for form in forms]])
        if implied(stack, target.floats[None])[0]:
            proved += 1
            assert Question(forms, (), target).refuted_by(range(d))
    assert proved > 20


def test_signs_proved_in_floats_are_true() -> None:
    r = Random(2)
    proved = 0
    for _ in range(600):
        d = r.randint(1, 4)
        x = [r.choice((-1, 1)) * r.randint(1, 2**20) / 2 ** r.randint(0, 30) for _ in range(d)]
        h, *integers = dyadic(x)
        row = [r.randint(-(10**9), 10**9) * h for _ in range(d)]
        near = -sum(c * y for c, y in zip(row, integers, strict=True)) // h
        form = Form.of([near + r.choice((-1, 0, 1, 10**9, 10**20)), *row])
        if positive(form.floats[None, None], np.array([x]))[0]:
            proved += 1
            assert form.at((h, *integers)) > 0
    assert 50 < proved < 400


def test_points_are_shortened() -> None:
    assert shortened(np.array([[0.1, -3.3], [0.0, 0.0]]), 4).tolist() == [[0.0, -3.25], [0.0, 0.0]]
    assert searched_cells.regions(Network.random((6, 8, 1), 0)).interior_point(0)[0].denominator <= 2**12
