r"""From networks to instances: second networks, domains, samples and modifications where a statement needs them.

A search walks through networks. Where a statement speaks of more, each network
is arranged with a few choices of the rest, near enough for hypotheses such as
equal functions or equal embeddings to be met, and not only by trivial pairs.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from ..errors import BudgetExceeded, HypothesisNotMet, InvalidInput, NotAdmissible
from ..identifiability import identifying_samples
from ..networks import Network
from ..polyhedra import Domain
from ..rationals import Vector
from ..symmetries import AffineSymmetry, Modification, affine_symmetries
from .families import NetworkFamily
from .instances import Instance
from .mutations import disturbed, exchanged
from .predicates import FIELD_OF
from .theorem import Arrangement, Theorem

MOST_REGIONS: Final = 1_000
"""The number of regions that may be visited to find identifying samples."""
RELU_ATOMS: Final = ((1, 0), (-1, 0), (1, -1), (-1, 1))


def arrange(
    theorem: Theorem,
    network: Network,
    generator: random.Random,
    domain: Domain | None = None,
    *,
    family: NetworkFamily | None = None,
) -> Iterator[Instance]:
    """The instances on which a statement is tried when a search arrives at ``network``.

    Those of the statement's own arrangement, if it has one, moved to ``domain`` where that is
    given, unless their samples leave it. Otherwise one instance for each
    combination of the fields that its predicates ask for: :func:`domains` where ``domain`` is
    not given, :func:`partners` (and a member of ``family``), :func:`samples`, :func:`modifications`.
    Deterministic, given the state of ``generator``.
    """
    if theorem.arrangement is not None:
        found = _arranged(theorem.arrangement, network, generator)
        yield from found if domain is None else _moved(found, domain)
        return
    asked = asked_fields(theorem)
    instances = [Instance(network)]
    if "domain" in asked:
        chosen = domains(network) if domain is None else (domain,)
        instances = [instance.replace(domain=X) for instance in instances for X in chosen]
    if "other" in theorem.fields:
        others = list(partners(network, generator, family))
        instances = [instance.replace(other=other) for instance in instances for other in others]
    for instance in instances:
        for filled in _with_samples(instance, generator) if "samples" in theorem.fields else (instance,):
            if "modification" in theorem.fields:
                yield from (filled.replace(modification=change) for change in modifications(network, generator))
            else:
                yield filled


def _arranged(arrangement: Arrangement, network: Network, generator: random.Random) -> Iterator[Instance]:
    """The instances of an arrangement, or the network alone where they presuppose another activation."""
    try:
        yield from arrangement(network, generator)
    except InvalidInput:
        yield Instance(network)


def _moved(instances: Iterator[Instance], domain: Domain) -> Iterator[Instance]:
    """The instances on another domain, each once."""
    seen: set[Instance] = set()
    for instance in instances:
        found = instance.replace(domain=domain)
        if found not in seen and all(map(domain.contains, instance.samples or ())):
            seen.add(found)
            yield found


def asked_fields(theorem: Theorem) -> frozenset[str]:
    """The fields that some predicate of a statement looks at, whether or not it can do without."""
    predicates = (*theorem.hypotheses, theorem.conclusion)
    names = (name for predicate in predicates for name in inspect.signature(predicate.decide).parameters)
    return frozenset(FIELD_OF[name] for name in names if name in FIELD_OF)


def domains(network: Network) -> tuple[Domain, ...]:
    """All of space, and the box around the origin."""
    return Domain.space(network.input_dim), Domain.box([(-1, 1)] * network.input_dim)


def partners(network: Network, generator: random.Random, family: NetworkFamily | None = None) -> Iterator[Network]:
    r"""Second networks: equivalent ones, ones with the same :math:`\Phi`, neighbours, and another member.

    In this order: rescaled and permuted; the parameters at one neuron negated, which
    keeps :math:`\Phi`; one of a shallow network flipped; one parameter changed; two exchanged;
    a parameter that matters to no path changed; a random member of the family.

    >>> first = next(partners(Network.mlp([[[1]], [[2]]]), random.Random(0)))
    >>> first
    Network.mlp([[["1/2"]], [[4]]])
    """
    if network.is_homogeneous and network.hidden_neurons:
        factors = {neuron: generator.choice((1, 2, 3, Fraction(1, 2))) for neuron in network.hidden_neurons}
        yield network.permute([generator.sample(range(n), n) for n in network.widths[1:-1]]).rescale(factors)
        yield _negated(network, generator)
        turned = _flipped(network, generator)
        if turned is not None:
            yield turned
    yield disturbed(network, generator)
    yield exchanged(network, generator)
    silent = _silently_changed(network, generator)
    if silent is not None:
        yield silent
    if family is not None:
        other = family.member(generator.randrange(family.size or 1 << 20))
        if other is not None:
            yield other


def _negated(network: Network, generator: random.Random) -> Network:
    neuron = generator.choice(network.hidden_neurons)
    return network.with_values([-p.value if neuron in (p.source, p.target) else p.value for p in network.parameters])


def _flipped(network: Network, generator: random.Random) -> Network | None:
    width = network.widths[1]
    try:
        return network.flip(generator.sample(range(width), generator.randint(1, width)))
    except InvalidInput:
        return None


def _silently_changed(network: Network, generator: random.Random) -> Network | None:
    """A weight or bias doubled at a neuron that nobody hears, or a weight doubled from a neuron that hears nothing."""
    heard = {p.source for p in network.parameters if p.value}
    fed = {p.target for p in network.parameters if p.value}
    inner = set(network.hidden_neurons)
    silent = [
        k
        for k, p in enumerate(network.parameters)
        if p.value and ((p.target in inner and p.target not in heard) or (p.source in inner and p.source not in fed))
    ]
    if not silent:
        return None
    values = [p.value for p in network.parameters]
    values[generator.choice(silent)] *= 2
    return network.with_values(values)


def samples(network: Network, domain: Domain | None, generator: random.Random) -> Iterator[tuple[Vector, ...]]:
    """Finite samples in a domain: few and many small points off the kinks, an identifying sample, points anywhere.

    An identifying sample is looked for in at most :data:`MOST_REGIONS` regions; one of its points is left out next.
    """
    found = [point for point in _small_points(network.input_dim, generator) if domain is None or domain.contains(point)]
    smooth = [point for point in found if all(map(all, network.preactivations(point)[:-1]))]
    parameters = len(network.parameters)
    for size in sorted({1, network.input_dim + 1, parameters - len(network.hidden_neurons), parameters}):
        if 1 <= size <= len(smooth):
            yield tuple(sorted(generator.sample(smooth, size)))
    if found:
        yield tuple(sorted(generator.sample(found, min(len(found), network.input_dim + 1))))
    try:
        best = identifying_samples(network, domain, budget=MOST_REGIONS).points
    except (NotAdmissible, HypothesisNotMet, BudgetExceeded):
        return
    yield best
    if len(best) > 1:
        yield best[:-1]


def _with_samples(instance: Instance, generator: random.Random) -> Iterator[Instance]:
    return (instance.replace(samples=points) for points in samples(instance.network, instance.domain, generator))


def _small_points(dimension: int, generator: random.Random) -> list[Vector]:
    """Different points with small coordinates, most of them off the kinks of networks with small integers."""
    found: dict[Vector, None] = {}
    for _ in range(60):
        q = generator.choice((1, 2, 3, 5))
        found[tuple(Fraction(generator.randint(-3 * q, 3 * q), q) for _ in range(dimension))] = None
    return list(found)


def modifications(network: Network, generator: random.Random) -> Iterator[Modification]:
    """Each affine symmetry of the ReLU on few atoms, at a random neuron, its amount positive, then negative."""
    inner = network.hidden_neurons
    if not inner:
        return
    for symmetry in _relu_symmetries():
        neuron = generator.choice(inner)
        later = [
            (number, i)
            for number, width in enumerate(network.widths[1:], start=1)
            for i in range(width)
            if number > neuron[0]
        ]
        child = generator.choice(later)
        for sign in (1, -1):
            yield Modification(neuron, symmetry, child, Fraction(sign * generator.randint(1, 3)))


def _relu_symmetries() -> tuple[AffineSymmetry, ...]:
    two = affine_symmetries("relu", [(1, 0), (2, 0)]).basis
    return (*two, *affine_symmetries("relu", RELU_ATOMS).basis)
