r"""Random shallow networks on random domains, degenerate about every other time."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from ...networks import Network
from ...polyhedra import Domain
from ...verdicts import Status
from ..instances import Instance
from ..predicates import Decision, Predicate
from ..theorem import Arrangement, Supply

Numbers = list[Fraction]
Neuron = tuple[Numbers, Fraction, Numbers]
"""Incoming weights, bias, outgoing weights."""
MOST_DRAWS: Final = 400
"""How often a supply draws again where the hypotheses are not met."""

BOUNDED: Final = ("cube", "unit", "box", "simplex")
UNBOUNDED: Final = ("half-space", "orthant", "strip")
CENTRED: Final = ("space", "cube", "tilted")
EVERYWHERE: Final = ("space", "space", *BOUNDED, *UNBOUNDED)

GENTLE: Final = ("parallel", "concurrent", "repeated", "flip", "sum")
"""Degenerate positions of networks with one neuron on each hyperplane."""
OPPOSITE: Final = ("opposite", "opposite", "proportional")
BROKEN: Final = ("positive", "opposite", "proportional", "cancel", "dead", "zero", "constant", "boundary", "on", "off")


def domain_of_kind(kind: str, d: int, generator: random.Random) -> Domain:
    """A domain by name: of all those that are named above."""
    if kind == "space":
        return Domain.space(d)
    if kind in ("cube", "unit"):
        return Domain.box([(-2 if kind == "cube" else 0, 2)] * d)
    if kind == "box":
        return Domain.box([sorted(generator.sample(range(-4, 5), 2)) for _ in range(d)])  # type: ignore[misc]
    if kind == "flat":
        return Domain.box([(0, 0), *[(-1, 1)] * (d - 1)])
    if kind == "half-space":
        return Domain.polytope(halfspaces=[([generator.choice((-1, 1)) for _ in range(d)], generator.randint(-1, 2))])
    if kind == "orthant":
        return Domain.box([(-1, None)] * d)
    if kind == "strip":
        return Domain.box([(-1, 1)] + [(None, None)] * (d - 1)) if d > 1 else Domain.box([(None, 2)])
    size = generator.choice((1, 2, 4))
    corner = -1 if kind == "tilted" else generator.choice((0, -1))
    tips = [[corner + (4 if kind == "tilted" else size) * (i == j) for i in range(d)] for j in range(d)]
    return Domain.polytope(vertices=[[corner] * d, *tips])


def shallow_supply(
    hypotheses: Sequence[Predicate | Decision],
    *,
    domains: Sequence[str] = EVERYWHERE,
    plants: Sequence[str] = (*GENTLE, *BROKEN),
    inputs: Sequence[int] = (1, 1, 2, 2, 3),
    outputs: Sequence[int] = (1, 1, 2),
    widths: tuple[int, int] = (1, 4),
    hidden: bool = True,
    output: bool | None = True,
) -> Supply:
    """A supply of shallow networks that meet some hypotheses (or nearly always do), with a domain.

    ``plants`` are the degenerate positions that may occur, ``widths`` the least and
    the largest number of neurons, ``hidden`` and ``output`` say whether there are biases
    (``None``: by chance).
    """
    wanted = tuple(map(Predicate.of, hypotheses))

    def supply(generator: random.Random) -> Instance:
        for _ in range(MOST_DRAWS):
            d = generator.choice(inputs)
            domain = domain_of_kind(generator.choice(domains), d, generator)
            above = generator.random() < 0.5 if output is None else output
            net = draw(generator, generator.choice(outputs), domain, plants, widths, hidden=hidden, output=above)
            instance = Instance(net, domain=domain)
            if all(item.on(instance).status is Status.HOLDS for item in wanted):
                break
        return instance

    return supply


def draw(
    generator: random.Random,
    k: int,
    domain: Domain,
    plants: Sequence[str],
    widths: tuple[int, int],
    *,
    hidden: bool = True,
    output: bool = True,
) -> Network:
    """A random shallow network, about every other time with something degenerate planted into it."""
    least, most = widths
    size = generator.randint(least, most)
    planted = generator.choice((0, 0, 1, 1, 2)) if plants else 0
    neurons: list[Neuron] = [_neuron(generator, k, domain) for _ in range(max(size - planted, 1))]
    while len(neurons) < size or planted > 0:
        planted -= 1
        if planted >= 0 or generator.random() < 0.3:
            neurons = _plant(generator, generator.choice(plants or GENTLE), neurons, k, domain)[:size]
        else:
            neurons.append(_neuron(generator, k, domain))
    generator.shuffle(neurons)
    bias = [b for _, b, _ in neurons] if hidden else None
    constant = [generator.randint(-1, 1) for _ in range(k)] if output else None
    matrix = [[v[o] for _, _, v in neurons] for o in range(k)]
    return Network.mlp([[w for w, _, _ in neurons], matrix], [bias, constant])


def _neuron(generator: random.Random, k: int, domain: Domain) -> Neuron:
    """A neuron that mostly bends inside a bounded domain."""
    w = _nonzero(generator, domain.ambient_dimension)
    if not domain.is_bounded or generator.random() < 0.3:
        return w, Fraction(generator.randint(-2, 2), generator.choice((1, 2, 4))), _nonzero(generator, k)
    weights = [generator.choice((1, 1, 2)) for _ in domain.vertices]
    heights = [sum((a * x for a, x in zip(w, vertex, strict=True)), Fraction(0)) for vertex in domain.vertices]
    mean = sum((t * height for t, height in zip(weights, heights, strict=True)), Fraction(0)) / sum(weights)
    return w, -mean, _nonzero(generator, k)


def _nonzero(generator: random.Random, size: int) -> Numbers:
    while True:
        vector = [Fraction(generator.randint(-2, 2)) for _ in range(size)]
        if any(vector):
            return vector


def _times(factor: Fraction | int, vector: Numbers) -> Numbers:
    return [factor * entry for entry in vector]


def _plant(generator: random.Random, kind: str, neurons: list[Neuron], k: int, domain: Domain) -> list[Neuron]:
    """Append a neuron in a special position to another one, or change one."""
    w, b, v = generator.choice(neurons)
    r = Fraction(generator.choice((1, 2, 1)), generator.choice((1, 1, 2)))
    fresh = _nonzero(generator, k)
    shift = Fraction(generator.choice((-1, 1)), generator.choice((1, 2, 4)))
    if kind in ("positive", "opposite", "proportional", "cancel"):
        r = r if kind == "positive" else -r
        out = {"proportional": _times(generator.choice((1, 2, -3)), v), "cancel": _times(1 / r, v)}.get(kind, fresh)
        return [(_times(r, w), r * b, out), *neurons]
    if kind == "parallel":
        return [*neurons, (_times(generator.choice((r, -r)), w), b + shift, fresh)]
    if kind == "concurrent":
        other = _nonzero(generator, len(w))
        point = [Fraction(generator.randint(-1, 1)) for _ in w]
        through = [(u, -sum((a * x for a, x in zip(u, point, strict=True)), Fraction(0))) for u in (w, other)]
        return [(through[0][0], through[0][1], v), (*through[1], fresh), *(n for n in neurons if n[0] is not w)]
    if kind == "repeated":
        return [(_nonzero(generator, len(w)), b, v), *neurons]
    if kind == "flip":
        return [(_times(r, w), r * b + shift, _times(-1 / r, v)), *neurons]
    if kind == "sum":
        others = [n for n in neurons if n[0] is not w]
        u, a, _ = generator.choice(others or neurons)
        total = [x + y for x, y in zip(w, u, strict=True)]
        rest = [n for n in others if n[0] is not u]
        return [(w, b, v), (u, a, v), (total, shift, _times(generator.choice((-1, 1)), v)), *rest]
    return [_silenced(generator, kind, (w, b, v), k, domain), *(n for n in neurons if n[0] is not w)]


def _silenced(generator: random.Random, kind: str, neuron: Neuron, k: int, domain: Domain) -> Neuron:
    """A neuron that hardly takes part."""
    w, b, v = neuron
    if kind == "dead":
        return w, b, [Fraction(0)] * k
    if kind == "zero":
        return [Fraction(0)] * len(w), Fraction(0), v
    if kind == "constant":
        return [Fraction(0)] * len(w), Fraction(generator.choice((-1, 1, 2))), v
    ends = [end for end in (domain.infimum(w).value, domain.supremum(w).value) if end is not None]
    if not ends:
        return neuron
    edge = ends[0] if kind == "on" else ends[-1] if kind == "off" else generator.choice(ends)
    return w, -edge + (generator.choice((0, 1)) if kind == "on" else 0), v


def on_domains(*names: str) -> Arrangement:
    """The instances of a search on the same network with each of some domains."""

    def arrangement(network: Network, generator: random.Random) -> Iterator[Instance]:
        for name in names:
            yield Instance(network, domain=domain_of_kind(name, network.input_dim, generator))

    return arrangement
