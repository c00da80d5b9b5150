"""Every claim that a certificate can make, by its id: a function from what the claim is about to the certificate.

A claim that is false is refused with :class:`~exactrelu.errors.InvalidInput`; one that is true, but that the format
cannot prove, with :class:`~exactrelu.errors.Undecided`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from ..equality import same_function as decide_same_function
from ..errors import HypothesisNotMet, InvalidInput, NotAdmissible, Undecided
from ..identifiability import (
    globally_identifiable,
    identifying_samples,
    locally_identifiable,
    locally_identifiable_from_samples,
    sample_jacobian,
)
from ..identifiability.jacobians.crossings import beside_hyperplanes
from ..identifiability.jacobians.functional_dimension import basis_beside, jacobian_basis
from ..networks import Family, Network, Pattern
from ..networks.enclosures import certainly_differ
from ..networks.evaluation import as_points
from ..paths import admissible, embedding_rank
from ..polyhedra import Domain, as_domain
from ..rationals import Vector, rank, rational_vector
from ..regions import activation_regions
from ..symmetries import Modification, permutation_scaling_equivalent, scaling_equivalent
from ..verdicts import Neuron, Point, Status, Verdict
from . import notation
from .certificate import Certificate
from .equality import equality, family_equality, inequivalence, inside
from .extended_claims import EXTENDED
from .making import checked, holding, made, one, pair, sampled, untrue
from .polynomials import family_json
from .ranks import is_plain, kernel_evidence, minor
from .readings import Reading
from .region_claims import adjacency, region_evidence
from .sampling import short_rank_evidence, spanning_samples
from .shallow_claims import by_shallow_conditions, global_evidence, width_evidence
from .splitting import Written, split
from .symmetry_claims import modification_evidence, symmetry_claim

Where = Domain | str | None


def value(network: Network, point: Iterable[object]) -> Certificate:
    """What a network is at a point."""
    exact = rational_vector(point, "point", length=network.input_dim)
    fields = {"point": notation.numbers(exact), "value": notation.numbers(network(exact))}
    return made("value", {"network": notation.network(network), **fields})


def different_function(
    network: Network, other: Network, domain: Where = None, point: Iterable[object] | None = None
) -> Certificate:
    """Two networks differ at a point of a domain."""
    where = as_domain(domain, network.input_dim)
    if point is None:
        found = decide_same_function(network, other, where).evidence
        if not isinstance(found, Point):
            raise untrue("the networks are the same function, or no point was found where they differ")
        point = found.point
    exact = rational_vector(point, "point", length=network.input_dim)
    if not where.contains(exact) or not _differ(network, other, exact):
        raise untrue("the networks do not differ at this point of the domain")
    return made("different_function", pair(network, other, where), {"point": notation.numbers(exact)})


def _differ(network: Network, other: Network, point: Vector) -> bool:
    if network.is_analytic or other.is_analytic:
        return certainly_differ(network, other, point)
    return network(point) != other(point)


def same_function(network: Network, other: Network, domain: Where = None, budget: int | None = None) -> Certificate:
    """Two networks are the same function on a domain."""
    where = as_domain(domain, network.input_dim)
    return made(
        "same_function", pair(network, other, where, analytic=False), equality(network, other, where, budget=budget)
    )


def scaling_equivalence(network: Network, other: Network) -> Certificate:
    """The second network arises from the first by rescaling hidden neurons."""
    found = holding(scaling_equivalent(network, other)).evidence
    return made("scaling_equivalent", pair(network, other), {"scalings": notation.matrix(found.scalings)})


def ps_equivalence(network: Network, other: Network) -> Certificate:
    """The second network arises from the first by permuting and rescaling hidden neurons."""
    found = holding(permutation_scaling_equivalent(network, other)).evidence
    moves = [list(layer) for layer in found.permutation]
    return made(
        "ps_equivalent",
        pair(network, other),
        {"permutation": moves, "scalings": notation.matrix(found.scalings)},
    )


def not_scaling_equivalent(network: Network, other: Network) -> Certificate:
    """No rescaling of hidden neurons leads from one network to the other."""
    if scaling_equivalent(network, other).status is Status.HOLDS:
        raise untrue("a rescaling leads from one network to the other")
    return made("not_scaling_equivalent", pair(network, other))


def not_ps_equivalent(network: Network, other: Network) -> Certificate:
    """No permutation and rescaling of hidden neurons leads from one network to the other."""
    evidence = inequivalence(network, other, as_domain(None, network.input_dim))
    return checked(made("not_ps_equivalent", pair(network, other), evidence))


def region_nonempty(network: Network, pattern: Pattern | str, domain: Where = None, cell: str = "open") -> Certificate:
    """The cell of a pattern has a point."""
    return _region("region_nonempty", True, network, pattern, domain, cell)


def region_empty(network: Network, pattern: Pattern | str, domain: Where = None, cell: str = "open") -> Certificate:
    """The cell of a pattern has no point."""
    return _region("region_empty", False, network, pattern, domain, cell)


def _region(
    claim: str, wanted: bool, network: Network, pattern: Pattern | str, domain: Where, cell: str
) -> Certificate:
    where = as_domain(domain, network.input_dim)
    nonempty, text, evidence = region_evidence(network, where, pattern, cell)
    if nonempty is not wanted:
        raise untrue(f"the {cell} cell of {text} is {'nonempty' if nonempty else 'empty'}")
    return made(claim, {**one(network, where), "pattern": text, "cell": cell}, evidence)


def regions_complete(network: Network, domain: Where = None, budget: int | None = None) -> Certificate:
    """How many activation regions with interior points there are on a domain, and that there are no others."""
    where = as_domain(domain, network.input_dim)
    where.require_full_dimensional("regions")
    nodes = split([Reading.of(network)], where, budget=budget)
    written = Written(nodes, lambda leaf: {"point": notation.numbers(leaf.point)})
    claim = {**one(network, where), "count": written.leaves}
    return made("regions_complete", claim, {"combinations": written.combinations, "tree": written.tree})


def adjacent(network: Network, patterns: Sequence[Pattern | str], domain: Where = None) -> Certificate:
    """Two activation regions share a facet, across which the listed neurons flip."""
    where = as_domain(domain, network.input_dim)
    where.require_full_dimensional("regions")
    texts, flipped, evidence = adjacency(network, where, patterns)
    claim = {**one(network, where), "patterns": texts, "neurons": [list(neuron) for neuron in flipped]}
    return made("adjacent", claim, evidence)


def admissibility(network: Network) -> Certificate:
    """Every hidden neuron hears something and is heard."""
    holding(admissible(network))
    return made("admissible", {"network": notation.network(network, analytic=True)})


def not_admissible(network: Network) -> Certificate:
    """Some hidden neuron hears nothing, or is not heard."""
    bad: list[Neuron] = [neuron for condition in admissible(network).conditions for neuron in condition.neurons]
    if not bad:
        raise untrue("the network is admissible")
    return made("not_admissible", {"network": notation.network(network, analytic=True)}, {"neuron": list(bad[0])})


def rank_of_embedding(network: Network) -> Certificate:
    r"""The rank of :math:`D\Phi(\theta)`."""
    return made("embedding_rank", {"network": notation.network(network), "rank": embedding_rank(network)})


def rank_at_samples(network: Network, samples: Iterable[Iterable[object]]) -> Certificate:
    r"""The rank of the sample Jacobian :math:`\Gamma`."""
    points = as_points(network, samples)
    rows = sample_jacobian(network, points)
    found = rank(rows)
    evidence: dict[str, Any] = {"minor": minor(rows, found)}
    if found != len(rows) and not is_plain(network, found):
        evidence["kernel"] = kernel_evidence(rows, len(network.parameters))
    return made("sample_rank", {**sampled(network, points), "rank": found}, evidence)


def dimension(network: Network, domain: Where = None, budget: int | None = None) -> Certificate:
    """The largest rank of a sample Jacobian over finitely many points of a domain.

    Regions are listed only where the rank is below that of the embedding.
    """
    where = as_domain(domain, network.input_dim)
    rows, centers = _rows(network, where, budget)
    points = spanning_samples(network, where, centers, len(rows))
    evidence: dict[str, Any] = {
        "interior": inside(where),
        "samples": notation.matrix(points),
        "minor": minor(sample_jacobian(network, points), len(rows)) if points else minor([], 0),
    }
    if not is_plain(network, len(rows)):
        written = Written(split([Reading.of(network)], where, budget=budget), lambda leaf: "cell")
        basis = [tuple(Fraction(entry) for entry in row) for row in rows]
        evidence["kernel"] = kernel_evidence(basis, len(network.parameters))
        evidence.update(combinations=written.combinations, tree=written.tree)
    return made("functional_dimension", {**one(network, where), "dimension": len(rows)}, evidence)


def _rows(network: Network, where: Domain, budget: int | None) -> tuple[list[list[int]], Iterable[Vector]]:
    """Independent rows that span those of all regions, and points in regions whose rows span them."""
    beside = beside_hyperplanes(network, where)
    if beside is not None:
        return basis_beside(network, beside), beside
    complex = activation_regions(network, where, budget=budget)
    smooth = (region for region in complex if all(sign for group in region.pattern.signs for sign in group))
    return jacobian_basis(complex), (region.interior_point for region in smooth)


def local_identifiability(
    network: Network,
    domain: Where = None,
    samples: Iterable[Iterable[object]] | None = None,
    budget: int | None = None,
) -> Certificate:
    """Nearby parameters with the same values on a domain, or at samples, are rescalings."""
    if samples is not None:
        points = as_points(network, samples)
        holding(locally_identifiable_from_samples(network, points))
        return made("locally_identifiable", sampled(network, points), {"minor": _full_minor(network, points)})
    where = as_domain(domain, network.input_dim)
    holding(locally_identifiable(network, where, budget=budget))
    evidence = by_shallow_conditions(network, where)
    if evidence is None:
        try:
            points = list(identifying_samples(network, where, budget=budget).points)
        except (HypothesisNotMet, NotAdmissible):
            raise Undecided("no certificate covers this case of the shallow theory without biases") from None
        evidence = {"samples": notation.matrix(points), "minor": _full_minor(network, points)}
    return made("locally_identifiable", one(network, where), evidence)


def _full_minor(network: Network, points: Sequence[Vector]) -> dict[str, Any]:
    return minor(sample_jacobian(network, points), len(network.parameters) - len(network.hidden_neurons))


def global_identifiability(network: Network, domain: Where = None, budget: int | None = None) -> Certificate:
    """All parameters with the same function on a domain are permutations and rescalings."""
    where = as_domain(domain, network.input_dim)
    holding(globally_identifiable(network, where, budget=budget))
    return checked(made("globally_identifiable", one(network, where), global_evidence(network, where)))


def not_identifiable(
    network: Network,
    domain: Where = None,
    samples: Iterable[Iterable[object]] | None = None,
    other: Network | None = None,
    family: Family | None = None,
    scope: str | None = None,
    budget: int | None = None,
) -> Certificate:
    """Other parameters have the same function on a domain, or the same values at samples.

    They are ``other``, or a ``family`` that comes as close as one likes; without either they are taken from the
    verdict on the network, in the given ``scope``.
    """
    if scope not in (None, "local", "global"):
        raise InvalidInput("scope", 'must be "local" or "global"', scope)
    where = as_domain(domain, network.input_dim)
    points = None if samples is None else as_points(network, samples)
    if other is None and family is None:
        verdict = _verdict(network, where, points, scope, budget)
        other, family = verdict.witness, verdict.family
    if points is not None and other is None and family is None:
        evidence = short_rank_evidence(network, points)
        return made("not_identifiable", {**sampled(network, points), "scope": "local"}, evidence)
    if scope is None:
        scope = "global" if family is None else "local"
    if scope == "local":
        if family is None or family.base != network:
            raise InvalidInput("family", "must begin at the network for a claim of local scope", family)
        evidence = {"family": family_json(family), "inequivalence": {"invariant": "colours"}}
        same = {} if points else {"equality": family_equality(family, where, budget=budget)}
    else:
        if other is None or other.architecture != network.architecture:
            raise InvalidInput("other", "must have the architecture of the network", other)
        evidence = {"network": notation.network(other), "inequivalence": inequivalence(network, other, where)}
        same = {} if points else {"equality": equality(network, other, where, budget=budget)}
    claim = one(network, where) if points is None else sampled(network, points)
    return checked(made("not_identifiable", {**claim, "scope": scope}, {**evidence, **same}))


def _verdict(
    network: Network, where: Domain, points: Sequence[Vector] | None, scope: str | None, budget: int | None
) -> Verdict:
    """The verdict that the network is not identifiable."""
    if points is not None:
        verdict = locally_identifiable_from_samples(network, points)
    elif scope == "global":
        verdict = globally_identifiable(network, where, budget=budget)
    else:
        verdict = locally_identifiable(network, where, budget=budget)
    if verdict.status is not Status.FAILS:
        raise untrue(f"the verdict is: {verdict.status.value}")
    if verdict.family is None and verdict.witness is None and points is None:
        raise Undecided("the verdict names no other parameters that a certificate could show")
    return verdict


def least_width(network: Network, domain: Where = None, budget: int | None = None) -> Certificate:
    """The least number of hidden neurons of a shallow network with the same function."""
    where = as_domain(domain, network.input_dim)
    width, evidence = width_evidence(network, where, budget=budget)
    return made("minimal_width", {**one(network, where), "width": width}, evidence)


def affine_symmetry(
    activation: object, atoms: Iterable[Iterable[object]], coefficients: Iterable[object], constant: object = 0
) -> Certificate:
    """An affine relation between shifted and scaled copies of an activation."""
    return made("affine_symmetry", symmetry_claim(activation, coefficients, atoms, constant))


def not_affine_symmetry(
    activation: object, atoms: Iterable[Iterable[object]], coefficients: Iterable[object], constant: object = 0
) -> Certificate:
    """Shifted and scaled copies of an activation do not satisfy an affine relation."""
    return made("not_affine_symmetry", symmetry_claim(activation, coefficients, atoms, constant, holds=False))


def modification_preserves(network: Network, modification: Modification) -> Certificate:
    """A modification by an affine symmetry keeps the function; new neurons are first given to both networks."""
    before, after, evidence = modification_evidence(network, modification)
    return checked(made("modification_preserves", pair(before, after), evidence))


CLAIMS: Final[Mapping[str, Callable[..., Certificate]]] = {
    "value": value,
    "different_function": different_function,
    "same_function": same_function,
    "scaling_equivalent": scaling_equivalence,
    "not_scaling_equivalent": not_scaling_equivalent,
    "ps_equivalent": ps_equivalence,
    "not_ps_equivalent": not_ps_equivalent,
    "region_nonempty": region_nonempty,
    "region_empty": region_empty,
    "regions_complete": regions_complete,
    "adjacent": adjacent,
    "admissible": admissibility,
    "not_admissible": not_admissible,
    "embedding_rank": rank_of_embedding,
    "sample_rank": rank_at_samples,
    "functional_dimension": dimension,
    "locally_identifiable": local_identifiability,
    "globally_identifiable": global_identifiability,
    "not_identifiable": not_identifiable,
    "minimal_width": least_width,
    "affine_symmetry": affine_symmetry,
    "not_affine_symmetry": not_affine_symmetry,
    "modification_preserves": modification_preserves,
    **EXTENDED,
}
"""The claims by their ids."""
