"""What two independent parts of the package, or one of them and z3, must agree on.

A check takes an instance, raises :class:`AssertionError` where two answers contradict each other, and returns what was
seen in one word, so that tests can insist on seeing all kinds. ``CHECKS`` names each with a source of instances.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from operator import mul
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import fuzz_draws as draws
from mutations import assert_sound
from region_checks import check_faces
from region_oracle import all_faces, signs_at

import exactrelu as er
from exactrelu import BudgetExceeded, Domain, HypothesisNotMet, Instance, Network, Status, Verdict, certify, checker
from exactrelu.equality import why_not_shallow
from exactrelu.errors import NotAdmissible, Undecided
from exactrelu.formats import load, save
from exactrelu.identifiability.deep.deep_local import deep_locally_identifiable
from exactrelu.identifiability.recovery.least_networks import FibreStatus
from exactrelu.identifiability.shallow.shallow_local import shallow_locally_identifiable
from exactrelu.polyhedra import as_domain
from exactrelu.polyhedra.json import domain_from_json, domain_to_json
from exactrelu.regions import RegionComplex
from exactrelu.regions.linear_program_engine import searched_cells
from exactrelu.regions.vertex_engine import enumeration
from exactrelu.theorems.decisions.competitors import (
    fibre_classes,
    globally_identifiable_by_enumeration,
    least_realization,
    locally_identifiable_by_strata,
)
from exactrelu.theorems.decisions.equal_functions import equal_functions
from exactrelu.theorems.instances import instance_from_json

DECIDED = (Status.HOLDS, Status.FAILS)
BUDGET = 3000

Check = Callable[[Instance], str]


def domain_of(instance: Instance) -> Domain:
    return as_domain(instance.domain, instance.network.input_dim)


# ---- regions


def complexes(instance: Instance) -> tuple[RegionComplex, RegionComplex]:
    """The complex by vertices and the complex by linear programs."""
    net, domain = instance.network, domain_of(instance)
    flat = net.unfolding.network
    one = enumeration.regions(flat, domain.halfspaces)
    return RegionComplex(net, domain, one), RegionComplex(net, domain, searched_cells.regions(flat, domain.halfspaces))


def engines(instance: Instance) -> str:
    """Vertices and linear programs find the same regions and adjacencies, with points inside of them."""
    one, two = complexes(instance)
    assert one.patterns == two.patterns
    assert [region.bounded for region in one] == [region.bounded for region in two]
    left, right = list(one.adjacencies()), list(two.adjacencies())
    assert [(edge.regions, edge.neurons) for edge in left] == [(edge.regions, edge.neurons) for edge in right]
    for complex, edges in ((one, left), (two, right)):
        flat, walls = complex.network.unfolding.network, complex.domain.halfspaces
        signs = complex.signs.tolist()
        for region, row in zip(complex, signs, strict=True):
            assert signs_at(flat, region.interior_point) == row
            assert all(half.slack(region.interior_point) > 0 for half in walls if not half.is_trivial)
        for edge in edges:
            before, after = (signs[k] for k in edge.regions)
            for s, a, b in zip(signs_at(flat, edge.point), before, after, strict=True):
                assert s in ((0,) if a != b else (a, 0))
            assert all(half.slack(edge.point) > 0 for half in walls if not half.is_trivial)
    assert er.count_regions(instance.network, instance.domain) == len(one)
    assert sum(map(len, er.region_blocks(instance.network, instance.domain))) == len(one)
    return "one" if len(one) == 1 else "few" if len(one) < 8 else "many"


def against_z3(instance: Instance) -> str:
    """The faces of all dimensions are those that z3 finds; regions and facets by linear programs too."""
    one, two = complexes(instance)
    faces = all_faces(instance.network, domain_of(instance).halfspaces)
    check_faces(one.cells, faces)
    neurons = len(one.cells.program.neurons)
    assert {tuple(row) for row in two.signs.tolist()} == {face[:neurons] for k, face in faces if k == 0}
    assert len(two.facets) == sum(1 for k, face in faces if k == 1 and 0 not in face[neurons:])
    return "one" if len(two) == 1 else "few" if len(two) < 8 else "many"


# ---- identifiability


def shallow(instance: Instance) -> str:
    """Conditions, ranks, batches, and the enumeration of all competitors give one answer, which certificates prove."""
    net, domain = instance.network, domain_of(instance)
    fast = shallow_locally_identifiable(net, domain)
    deep = deep_locally_identifiable(net, domain)
    overall = er.locally_identifiable(net, domain)
    everywhere = er.globally_identifiable(net, domain, budget=BUDGET)
    agree("local", fast, deep, overall)
    with suppress(Undecided, HypothesisNotMet):
        agree("local", overall, locally_identifiable_by_strata(net, domain))
    with suppress(Undecided, HypothesisNotMet, BudgetExceeded):
        agree("global", everywhere, globally_identifiable_by_enumeration(net, domain, budget=BUDGET))
    assert not (overall.status is Status.FAILS and everywhere.status is Status.HOLDS)
    if domain.is_full_dimensional and (domain.is_space or domain.is_bounded) and dense(net):
        batch = er.shallow_statuses([er.integer_neurons(net)], net.input_dim, domain)[0]
        for status, verdict in zip(batch, (overall, everywhere), strict=True):
            assert {status, verdict.status} != set(DECIDED)
    if domain.is_full_dimensional:
        dimensions(net, domain, overall)
        with suppress(Undecided, HypothesisNotMet, BudgetExceeded):
            assert er.minimal_width(net, domain) == least_realization(net, domain, budget=BUDGET)[0]
    for verdict in (overall, everywhere):
        refuted(net, verdict, domain)
        certified(verdict)
    return f"{overall.status}, {everywhere.status}"


def deep(instance: Instance) -> str:
    """Verdicts, dimensions, kernels and samples of networks of any depth fit together, and certificates prove them."""
    net, domain = instance.network, domain_of(instance)
    verdict = er.locally_identifiable(net, domain)
    agree("local", verdict, deep_locally_identifiable(net, domain))
    if domain.is_full_dimensional:
        dimensions(net, domain, verdict)
    refuted(net, verdict, domain)
    certified(verdict)
    certified(er.admissible(net))
    return str(verdict.status)


def dense(net: Network) -> bool:
    """Whether the network has all the biases that verdicts in batches presuppose."""
    return all(layer.bias is not None for layer in net.layers)


def agree(what: str, *verdicts: Verdict) -> None:
    found = {verdict.status for verdict in verdicts} & set(DECIDED)
    assert len(found) < 2, (what, [verdict.explain() for verdict in verdicts])


def dimensions(net: Network, domain: Domain, local: Verdict) -> None:
    """Functional dimension, kernel, and identifying samples."""
    dimension, size, hidden = er.functional_dimension(net, domain), len(net.parameters), len(net.hidden_neurons)
    explained = er.explain_kernel(net, domain)
    assert explained.rank == dimension == size - len(explained.directions)
    admissible = er.admissible(net).status is Status.HOLDS
    if admissible:
        assert dimension <= er.embedding_rank(net) == size - hidden
        if dimension == size - hidden:
            assert local.status is Status.HOLDS, local.explain()
    if why_not_shallow(net) is None:
        finite = er.finite_sample_exists(net, domain)
        if finite.status in DECIDED and admissible:
            assert (finite.status is Status.HOLDS) == (dimension == size - hidden), finite.explain()
    with suppress(HypothesisNotMet, NotAdmissible):
        samples = er.identifying_samples(net, domain)
        assert admissible and er.sample_rank(net, samples.points) == dimension == size - hidden
        assert er.locally_identifiable_from_samples(net, samples.points).status is Status.HOLDS


def refuted(net: Network, verdict: Verdict, domain: Domain) -> None:
    """A witness is another network with the same function, by the regions of the difference."""
    if verdict.status is not Status.FAILS:
        return
    assert verdict.witness is not None or verdict.family is not None, verdict.explain()
    members = [verdict.witness] if verdict.witness is not None else []
    if verdict.family is not None:
        members += [verdict.family.member_within(Fraction(1, 100))[1]]
    for member in members:
        assert member.architecture == net.architecture
        if domain.is_full_dimensional or why_not_shallow(net) is None:
            assert equal_functions(net, member, domain), verdict.explain()
        else:
            assert all(net(point) == member(point) for point in flat_points(domain)), verdict.explain()
        assert er.permutation_scaling_equivalent(net, member).status is Status.FAILS, verdict.explain()


def flat_points(domain: Domain) -> list[tuple[Fraction, ...]]:
    """A few points of a bounded flat domain: convex combinations of its vertices."""
    r, vertices, points = Random(0), domain.polyhedron.vertices, []
    for _ in range(20):
        weights = [r.randint(0, 5) for _ in vertices]
        total = sum(weights) or 1
        weights[0] += total - sum(weights)
        axes = zip(*vertices, strict=True)
        points.append(tuple(Fraction(sum(map(mul, weights, axis)), total) for axis in axes))
    return points


def certified(verdict: Verdict) -> None:
    """The checker accepts the certificate, if there is one."""
    if verdict.status in DECIDED:
        with suppress(Undecided, BudgetExceeded):
            answer = checker.check(certify(verdict).text().encode())
            assert answer.code in (0, 3), answer.text


def equality(instance: Instance) -> str:
    """Equal functions by normal forms, by regions, by values; equivalence implies equality; certificates prove all."""
    net, other, domain = instance.network, instance.other, domain_of(instance)
    same = er.same_function(net, other, domain) if domain.is_full_dimensional else None
    scaled, permuted = er.scaling_equivalent(net, other), er.permutation_scaling_equivalent(net, other)
    if scaled.status is Status.HOLDS:
        assert permuted.status is Status.HOLDS
    if net.architecture == other.architecture:
        with suppress(NotAdmissible, HypothesisNotMet):
            equal_forms = er.canonical_form(net) == er.canonical_form(other)
            assert equal_forms == (permuted.status is Status.HOLDS)
    certified(scaled)
    certified(permuted)
    if same is None:
        return "flat"
    assert (same.status is Status.HOLDS) == equal_functions(net, other, domain), same.explain()
    if same.status is Status.FAILS:
        point = same.evidence.point
        assert domain.contains(point) and net(point) != other(point)
        assert permuted.status is not Status.HOLDS
    certified(same)
    return f"{same.status}, {permuted.status}"


# ---- recovery


def recovery(instance: Instance) -> str:
    """From values, from the graph of regions, and by flips: the same classes of networks."""
    net = instance.network
    try:
        found = er.recover_network(net, budget=200_000)
    except (BudgetExceeded, Undecided):
        return "beyond the budget"
    drawn = er.reconstruct_from_graph(er.AffineAtlas.of_complex(er.activation_regions(net)), budget=200_000)
    assert found.status == drawn.status
    width = sum(found.networks[0].widths[1:-1])
    assert width == er.minimal_width(net)
    if found.status is FibreStatus.COMPLETE:
        same_classes(found.networks, drawn.networks)
    if width < len(net.hidden_neurons):
        return "smaller"
    with suppress(HypothesisNotMet):
        same_classes(found.networks, list(er.fibre(net)))
    with suppress(Undecided, HypothesisNotMet, BudgetExceeded):
        listed = fibre_classes(net, budget=BUDGET)
        assert (listed is None) == (found.status is FibreStatus.INFINITE)
        if listed is not None:
            same_classes(found.networks, listed)
    if found.status is FibreStatus.COMPLETE:
        everywhere = er.globally_identifiable(net, budget=BUDGET)
        if everywhere.status in DECIDED:
            assert (everywhere.status is Status.HOLDS) == (len(found.networks) == 1), everywhere.explain()
    return str(found.status)


def same_classes(left: object, right: object) -> None:
    """Two lists of networks name the same classes, each once."""
    one, two = ([er.canonical_form(net) for net in nets] for nets in (left, right))
    assert len(set(one)) == len(one) and len(set(two)) == len(two)
    assert set(one) == set(two)


# ---- files and certificates


def round_trip(instance: Instance) -> str:
    """What is written is read again as what it was."""
    assert instance_from_json(json.loads(json.dumps(instance.to_json())), "instance") == instance
    if instance.domain is not None:
        assert domain_from_json(domain_to_json(instance.domain), "domain") == instance.domain
    net, seen = instance.network, "exact"
    with TemporaryDirectory() as folder:
        for suffix in ("json", "onnx", "npz", "safetensors"):
            path = Path(folder) / f"net.{suffix}"
            member = net if suffix == "json" else dyadic(net)
            try:
                report = er.save_report(member, path)
            except er.InvalidInput as error:  # arrays hold perceptrons only, and floats no numbers beyond 2^1024
                assert suffix in ("npz", "safetensors") or "float64" in str(error), error
                continue
            if report.rounding is not None and report.rounding.rounded:
                seen = "rounded"
                first = load(path)
                save(first, path)
                assert load(path) == first
            else:
                other = any("arranged otherwise" in note for note in report.notes)
                assert other or load(path) == member or (suffix in ("npz", "safetensors") and not member.is_standard)
                assert not other or er.same_function(load(path), member).status is er.Status.HOLDS
    return seen


def dyadic(net: Network) -> Network:
    """The network with every number rounded down to a multiple of 1/16 where that is not exact already."""
    return net.with_values([Fraction(int(p.value * 16), 16) for p in net.parameters])


def tampering(instance: Instance) -> str:
    """The checker accepts what is true, and rejects what tampering has made false."""
    r = Random(repr(instance.to_json()))
    net, domain = instance.network, domain_of(instance)
    if not domain.is_full_dimensional:
        return "flat"
    if max(p.value.numerator.bit_length() + p.value.denominator.bit_length() for p in net.parameters) > 300:
        return "long"  # which the checker refuses to multiply for long
    other = instance.other if instance.other is not None else net
    questions: list[Callable[[], object]] = [
        lambda: certify(er.locally_identifiable(net, domain)),
        lambda: certify(er.globally_identifiable(net, domain, budget=BUDGET)),
        lambda: certify("regions_complete", network=net, domain=domain),
        lambda: certify("functional_dimension", network=net, domain=domain),
        lambda: certify("embedding_rank", network=net),
        lambda: certify(er.permutation_scaling_equivalent(net, other)),
        lambda: certify(er.same_function(net, other, domain)),
        lambda: certify("minimal_width", network=net, domain=domain),
    ]
    refused = 0
    for question in r.sample(questions, 2):
        try:
            certificate = question()
        except (er.InvalidInput, Undecided, BudgetExceeded, HypothesisNotMet):
            continue
        refused += assert_sound(certificate, r, 4)
    return "refused" if refused else "nothing to refuse"


CHECKS: dict[str, tuple[Callable[[Random], Instance], Check]] = {
    "engines": (draws.region_instance, engines),
    "z3": (draws.region_instance, against_z3),
    "shallow": (draws.shallow_instance, shallow),
    "deep": (draws.deep_instance, deep),
    "equality": (draws.pair_instance, equality),
    "recovery": (draws.space_instance, recovery),
    "round_trip": (draws.any_instance, round_trip),
    "tampering": (draws.any_instance, tampering),
}
