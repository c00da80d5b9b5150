"""Checks of the shallow oracle: known answers, and its parts against one another."""

from collections import Counter
from fractions import Fraction as Q
from itertools import islice
from random import Random

import pytest
import shallow_cases as cases
import shallow_literal as literal
import shallow_oracle as so
import shallow_search as search
from shallow_oracle import FAILS, HOLDS, UNKNOWN

PER_SEED = 50
SEEDS = [*range(3), *(pytest.param(seed, marks=pytest.mark.marathon) for seed in range(3, 48))]


def chunk(seed, **options):
    return list(cases.random_cases(seed, PER_SEED, **options))


def idle_on_half_line(net):
    """One input, no hidden biases, at most one neuron per half-line, some v = 0.

    Locally identifiable, although "v_i != 0" is usually listed as necessary: the only
    motion of w that leaves the function unchanged is a positive rescaling.
    """
    signs = [w > (0,) for w, _, _ in net.neurons]
    return (
        net.d == 1
        and not net.hidden_bias
        and all(any(w) for w, _, _ in net.neurons)
        and len(set(signs)) == len(signs)
        and not all(map(any, net.outs))
    )


# ---------------------------------------------------------------- known answers


@pytest.mark.parametrize("name", cases.TABLE)
def test_table(name):
    net, domain, expected, competitor = cases.TABLE[name]
    assert (
        search.local(net, domain),
        search.global_(net, domain),
        so.finite_sample(net, domain),
    ) == expected
    assert literal.local(net, domain) == expected[0]
    assert literal.global_(net, domain) == expected[1]
    assert literal.finite_sample(net, domain) == expected[2]
    if competitor is not None:
        assert so.equal(net, competitor, domain)
        assert not so.ps_equivalent(net, competitor)


@pytest.mark.parametrize("name", cases.REMARKS)
def test_remarks(name):
    net, domain, local, global_ = cases.REMARKS[name]
    if local:
        assert search.local(net, domain) == literal.local(net, domain) == local
    if global_:
        assert search.global_(net, domain) == global_
        assert literal.global_(net, domain) in (global_, UNKNOWN)


@pytest.mark.parametrize("name", cases.SAMPLES)
def test_samples(name):
    net, points, expected, full = cases.SAMPLES[name]
    assert so.sample_rank(net, [(x,) for x in points]) == expected
    assert so.parameter_count(net) - len(net.neurons) == full


def test_kinks_are_refused():
    with pytest.raises(ValueError, match="kink"):
        so.sample_rank(cases.S07, [(0,)])


@pytest.mark.parametrize("name", cases.ARRANGEMENTS)
def test_regions(name):
    forms, count = cases.ARRANGEMENTS[name]
    forms = [tuple(map(Q, f)) for f in forms]
    assert len(so.cells(forms, None, len(forms[0]) - 1)) == count


def test_regions_of_a_seeded_layer():
    assert len(so.cells(cases.integer_forms(10, 2), None, 2)) == 56


def test_functional_dimensions():
    hat, _, _, _ = cases.REMARKS["hat"]
    lines = so.make_net([((1, 0), 0, 1), ((0, 1), 0, 1), ((1, 1), -1, 1)])
    assert so.functional_dimension(hat, None) == 7
    assert so.functional_dimension(lines, None) == 10
    assert so.functional_dimension(cases.ABS, None) == 4
    assert so.functional_dimension(cases.S07, None) == 4


@pytest.mark.parametrize("name", cases.WIDTHS)
def test_widths(name):
    net, domain, expected = cases.WIDTHS[name]
    assert search.minimal_width(net, domain) == expected
    assert literal.minimal_width(net, domain) == expected


@pytest.mark.parametrize("name", cases.EQUALITIES)
def test_equalities(name):
    net1, net2, expected, point = cases.EQUALITIES[name]
    assert so.equal(net1, net2, None) == expected
    if point:
        assert so.evaluate(net1, point) != so.evaluate(net2, point)


def test_fibre_sizes_and_symmetry_flips():
    def flips(name):
        return so.flip_sets(*cases.TABLE[name][:2])

    hat, domain, _, _ = cases.REMARKS["hat"]
    assert flips("S13") == [(0, 1)]
    assert flips("S14") == flips("S16") == so.flip_sets(hat, domain) == [(0, 1, 2)]
    assert flips("S15") == flips("S17") == flips("S18") == flips("S28") == []
    for name, symmetric in (("S13", True), ("S14", True), ("S16", False)):
        net, where = cases.TABLE[name][:2]
        assert so.is_symmetry_flip(net, flips(name)[0], where) == symmetric
    assert so.is_symmetry_flip(hat, (0, 1, 2), domain)


# -------------------------------------------------------- parts against each other


@pytest.mark.parametrize("seed", SEEDS)
def test_verdicts_agree(seed):
    """Configurations, Jacobian ranks and literal conditions tell the same story."""
    for net, domain in chunk(seed):
        local, global_ = search.local(net, domain), search.global_(net, domain)
        finite = so.finite_sample(net, domain)
        if idle_on_half_line(net) and local != UNKNOWN:
            assert (local, literal.local(net, domain)) == (HOLDS, FAILS)
        else:
            assert literal.local(net, domain) == local
        assert literal.global_(net, domain) in (global_, UNKNOWN)
        assert literal.finite_sample(net, domain) in (finite, UNKNOWN)
        if global_ == HOLDS or finite == HOLDS:
            assert local in (HOLDS, UNKNOWN)
            assert local == HOLDS or not so.supported(net, domain)
        if net.hidden_bias and net.c is not None:
            assert UNKNOWN not in (local, global_, literal.global_(net, domain))


@pytest.mark.parametrize("seed", SEEDS)
def test_every_failure_has_a_witness(seed):
    for net, domain in chunk(seed):
        if not so.supported(net, domain):
            continue
        if search.local(net, domain) == FAILS:
            for t in (Q(1, 1000), Q(1, 10**6)):
                other = search.local_witness(net, domain, t)
                assert so.equal(net, other, domain)
                assert not so.ps_equivalent(net, other)
        if search.global_(net, domain) == FAILS:
            other = search.global_witness(net, domain)
            assert len(other.neurons) == len(net.neurons)
            assert so.equal(net, other, domain)
            assert not so.ps_equivalent(net, other)


@pytest.mark.parametrize("seed", SEEDS)
def test_normal_form_is_the_function(seed):
    rng = Random(seed)
    for net, domain in chunk(seed):
        if domain is not None and so.domain_dimension(domain) < net.d:
            continue
        jumps, affine = so.normal_form(net, domain)
        for x in so.arrangement_points(net.forms, domain, net.d):
            value = tuple(so.form_value(row, x) for row in affine)
            for form, a in jumps.items():
                value = so.add(value, a, max(so.form_value(form, x), Q(0)))
            assert value == so.evaluate(net, x)
        neurons = list(net.neurons)
        i = rng.randrange(len(neurons))
        w, b, v = neurons[i]
        neurons[i] = rng.choice(
            [(so.scale(-1, w), -b, v), (so.scale(2, w), 2 * b, so.scale(Q(1, 2), v)), (w, b + 1, v)]
        )
        other = net._replace(neurons=tuple(neurons))
        same = so.normal_form(other, domain) == (jumps, affine)
        assert so.equal(net, other, domain) == same


@pytest.mark.parametrize("seed", SEEDS)
def test_flips_and_symmetries(seed):
    for net, domain in chunk(seed):
        if not so.distinct_kinks(net, domain):
            continue
        found = so.flip_sets(net, domain)
        assert found == so.literal_flip_sets(net)
        if so.supported(net, domain):  # the fibre has exactly one class per flip set
            fibre = list(search.configurations(net, domain, len(net.neurons)))
            assert len(fibre) == len(found) + 1
        if so.supported(net, domain) and (net.c is None or domain is not None or net.hidden_bias):
            assert (search.global_(net, domain) == HOLDS) == (not found)
        for subset in found:
            assert not so.ps_equivalent(net, so.flip(net, subset, domain))
            if net.d == 1:
                assert so.is_symmetry_flip(net, subset, domain)


@pytest.mark.parametrize("seed", SEEDS)
def test_widths_agree_and_are_attained(seed):
    for net, domain in chunk(seed):
        if not so.supported(net, domain):
            continue
        n = search.minimal_width(net, domain)
        if net.hidden_bias and net.c is not None:
            assert n == literal.minimal_width(net, domain)
        small = search.build(net, domain, next(search.configurations(net, domain, n)))
        assert len(small.neurons) == max(n, 1)
        assert so.equal(net, small, domain)


@pytest.mark.parametrize("seed", SEEDS)
def test_opposite_twins_on_a_bounded_domain(seed):
    """a relu(l) + b relu(-l) = (a + b) relu(l) + b relu(t - l) - t b for t > sup l."""
    for net, domain in chunk(seed):
        if domain is None or net.c is None or not net.hidden_bias:
            continue
        for plane in so.planes(net, domain):
            if plane.signs != [False, True] or not all(map(any, net.outs)):
                continue
            (i, s), (j, r) = sorted(plane.members, key=lambda m: -m[1])
            beta = so.scale(-r, net.outs[j])
            t = 1 + max(so.form_value(plane.form, x) for x in domain)
            neurons = list(net.neurons)
            neurons[i] = (*neurons[i][:2], so.add(net.outs[i], beta, 1 / s))
            neurons[j] = (so.scale(-1, plane.form[:-1]), t - plane.form[-1], beta)
            other = so.Net(tuple(neurons), so.add(net.c, beta, -t))
            assert so.equal(net, other, domain)
            assert not so.ps_equivalent(net, other)


@pytest.mark.parametrize("seed", SEEDS)
def test_pair_count_bounds(seed):
    """Scalar output on R^d: two pairs are never global; width is |K| to |K| + 2."""
    for net, domain in chunk(seed):
        if domain is None and net.k == 1 and net.hidden_bias and net.c is not None:
            jumps, _ = so.normal_form(net, domain)
            assert 0 <= search.minimal_width(net, domain) - len(jumps) <= 2
            if sum(len(p.members) == 2 for p in so.planes(net, domain)) >= 2:
                assert search.global_(net, domain) == FAILS


def test_two_pairs_can_be_global_with_two_outputs():
    verdicts = Counter()
    rng = Random(5)
    for _ in range(60):
        d, neurons = 2, []
        for _ in range(2):
            w, b = cases.nonzero_vector(rng, d), Q(rng.randint(-2, 2))
            u, v = cases.nonzero_vector(rng, 2), cases.nonzero_vector(rng, 2)
            neurons += [(w, b, u), (so.scale(-1, w), -b, v)]
        net = so.Net(tuple(neurons), (Q(0), Q(0)))
        verdict = search.global_(net, None)
        assert verdict == literal.global_(net, None)
        verdicts[verdict] += 1
    assert min(verdicts[HOLDS], verdicts[FAILS]) > 5


@pytest.mark.parametrize("seed", SEEDS[:8])
def test_lost_dimensions(seed):
    """Same half-space: d + 1 lost; n >= 1 antiparallel pairs: n + (n - 1) d lost."""
    rng = Random(seed)
    for _ in range(8):
        d = rng.choice((1, 2))
        rows = {}
        while len(rows) < 4:
            form = (*cases.nonzero_vector(rng, d), Q(rng.randint(-3, 3)))
            rows.setdefault(so.normalise(form), form)
        base = [(f[:-1], f[-1], (Q(rng.choice((-2, -1, 1, 3))),)) for f in rows.values()]
        zero = (Q(0),)

        def lost(neurons, zero=zero):
            net = so.Net(tuple(neurons), zero)
            full = so.parameter_count(net) - len(neurons)
            return full - so.functional_dimension(net, None)

        w, b, _ = base[0]
        assert lost(base) == 0
        assert lost([*base[:3], (so.scale(2, w), 2 * b, (Q(1),))]) == d + 1
        for n in (1, 2):
            pairs = [(so.scale(-1, w), -b, (Q(rng.choice((-1, 2))),)) for w, b, _ in base[:n]]
            assert lost([*base[:3], *pairs]) == n + (n - 1) * d


@pytest.mark.parametrize("most", [12, pytest.param(60, marks=pytest.mark.marathon)])
def test_small_steps_do_not_refute_local_identifiability(most):
    """No network one grid step away is equal and inequivalent when 'holds' is claimed."""
    candidates = (
        (net, domain)
        for net, domain in cases.random_cases(11, 1000, d=1, h_max=2)
        if so.parameter_count(net) <= 7 and search.local(net, domain) == HOLDS
    )
    for net, domain in islice(candidates, most):
        step = Q(1, 64)
        probe = so.arrangement_points(net.forms, domain, 1)
        for other in cases.nearby_networks(net, step):
            if all(so.evaluate(net, x) == so.evaluate(other, x) for x in probe):
                assert so.ps_equivalent(net, other) or not so.equal(net, other, domain)


def test_lower_dimensional_domains():
    net = so.make_net([((1, 1), 0, 1), ((0, 1), 1, 1)])
    other = so.make_net([((1, 2), 0, 1), ((0, 5), 1, 1)])
    assert so.equal(net, other, cases.SEGMENT)
    assert not so.equal(net, other, cases.SQUARE)
    assert search.local(net, cases.SEGMENT) == search.global_(net, cases.SEGMENT) == FAILS
    shifted = tuple((x, y + 1) for x, y in cases.SEGMENT)
    bare = so.make_net([((1, 1), 0, 1)], hidden_bias=False)
    assert search.local(bare, cases.SEGMENT) == FAILS
    assert search.local(bare, shifted) == UNKNOWN


# --------------------------------------------------------------- exhaustive classes

# d, h, k, values, domain, output bias, hidden bias
QUICK = [
    (1, 2, 1, (-1, 0, 1), None, True, True),
    (1, 2, 1, (-1, 0, 1), cases.UNIT, True, True),
    (1, 2, 1, (-1, 0, 1), so.box((-2, 2)), True, True),
    (1, 2, 1, (-1, 0, 1), None, False, True),
    (1, 2, 1, (-1, 0, 1), so.box((-2, 2)), False, True),
    (1, 2, 1, (-2, -1, 0, 1, 2), None, True, False),
]
SLOW = [
    (1, 2, 1, (-2, -1, 0, 1, 2), None, False, True),
    (1, 2, 1, (-2, -1, 0, 1, 2), cases.UNIT, False, True),
    (1, 2, 2, (-1, 0, 1), None, False, True),
    (1, 3, 1, (-1, 0, 1), None, False, True),
    (1, 3, 1, (-1, 0, 1), so.box((-2, 2)), False, True),
    (2, 2, 1, (-1, 0, 1), None, True, True),
    (2, 2, 1, (-1, 0, 1), cases.SQUARE, True, True),
    (2, 2, 1, (-1, 0, 1), cases.TRIANGLE, False, True),
    (2, 2, 1, (-1, 0, 1), cases.SQUARE, True, False),
    (2, 3, 1, (-1, 0, 1), None, False, False),
]


def check_classes(d, h, k, values, domain, output_bias, hidden_bias):
    """Compare verdicts with the classes that a finite grid contains; return figures."""
    groups = so.function_classes(so.all_networks(d, h, k, values, output_bias, hidden_bias), domain)
    figures = Counter(functions=len(groups))
    for classes in groups.values():
        verdicts = [search.global_(net, domain) for net in classes.values()]
        assert len(set(verdicts)) == 1  # a property of the function, not of theta
        figures["classes"] += len(classes)
        figures[verdicts[0]] += 1
        if len(classes) > 1:
            figures["several classes"] += 1
            assert verdicts[0] == FAILS
    return figures


@pytest.mark.parametrize("family", [*QUICK, *(pytest.param(family, marks=pytest.mark.marathon) for family in SLOW)])
def test_exhaustive_classes(family):
    figures = check_classes(*family)
    assert figures[HOLDS] + figures[FAILS] == figures["functions"]
    assert figures["several classes"] <= figures[FAILS]


@pytest.mark.parametrize("values", [(-1, 0, 1), pytest.param((-2, -1, 0, 1, 2), marks=pytest.mark.marathon)])
def test_class_keys_are_ps_classes(values):
    """The normal form used for counting agrees with permutations and scalings."""
    rng = Random(3)
    nets = list(so.all_networks(1, 2, 1, values, False))
    for classes in so.function_classes(nets, None).values():
        members = rng.sample(list(classes.values()), min(6, len(classes)))
        for i, one in enumerate(members):
            assert not any(so.ps_equivalent(one, two) for two in members[:i])
    by_key = {}
    for net in rng.sample(nets, min(2000, len(nets))):
        first = by_key.setdefault(so.class_key(net), net)
        assert so.ps_equivalent(first, net)


def test_idle_neuron_on_a_half_line():
    """With one input and no hidden biases, v = 0 does not exclude 'locally yes'."""
    for neurons in ([(1, 0, 0)], [(1, 0, 1), (-1, 0, 0)], [(1, 0, 0), (-1, 0, 0)]):
        for c in (None, "zero"):
            net = so.make_net(neurons, c, hidden_bias=False)
            assert idle_on_half_line(net)
            assert search.local(net, None) == so.finite_sample(net, None) == HOLDS
            assert search.global_(net, None) == FAILS
            for other in cases.nearby_networks(net, Q(1, 8)):
                assert so.ps_equivalent(net, other) or not so.equal(net, other, None)


def test_finite_sample_condition_needs_hidden_biases():
    """2 relu(x) + relu(-x) + c: one more parameter decides the finite-sample answer."""
    with_bias = so.make_net(cases.S07.neurons)
    without = so.make_net(cases.S07.neurons, hidden_bias=False)
    assert so.finite_sample(with_bias, None) == FAILS
    assert so.finite_sample(without, None) == HOLDS
    assert so.sample_rank(without, [(-1,), (1,), (2,)]) == 3


def test_cancelling_pair_can_be_global():
    """relu(x) - relu(-x) without an output or hidden bias, in cases left open."""
    x = [(1, 0, 1), (-1, 0, -1)]
    for net, domain, verdict in (
        (so.make_net(x, None), None, HOLDS),
        (so.make_net(x, None), cases.UNIT, FAILS),
        (so.make_net(x, None, False), cases.UNIT, HOLDS),
        (so.make_net(x, "zero", False), None, HOLDS),
    ):
        assert search.local(net, domain) == HOLDS
        assert search.global_(net, domain) == verdict
        assert literal.global_(net, domain) == UNKNOWN
