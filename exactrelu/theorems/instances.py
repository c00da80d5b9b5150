r"""Instances: what a statement is checked on, a network together with whatever else the statement speaks of.

.. code-block:: json

    {"format": "exactrelu/instance", "version": 1, "network": {}, "other": {}, "domain": {}, "samples": [["1/2"]],
     "modification": {}}

Everything but ``network`` may be left out. A network file is an instance too.

>>> net = Network.mlp([[[1]], [[2]]])
>>> instance = Instance(net, domain="[0,1]")
>>> instance_from_json(instance.to_json(), "example") == instance
True
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from ..errors import InvalidFile, InvalidInput, WrongDimension
from ..networks import Network
from ..networks.json import network_from_json
from ..polyhedra import Domain, as_domain
from ..polyhedra.json import domain_from_json, domain_to_json
from ..rationals import Vector, rational_vector
from ..rationals.strict_json import (
    expect_format,
    expect_integer,
    expect_list,
    expect_object,
    expect_rational,
    expect_rationals,
)
from ..symmetries import AffineSymmetry, Modification
from ..verdicts import plain

INSTANCE_FORMAT: Final = "exactrelu/instance"
NETWORK_FORMAT: Final = "exactrelu/network"
FIELDS: Final = ("network", "other", "domain", "samples", "modification")
"""What an instance may hold; a predicate asks for it by these names."""


@dataclass(frozen=True, slots=True)
class Instance:
    r"""A network, and perhaps a second one, a domain, sample points, a modification.

    ``domain`` may be given as text, ``samples`` as any points; ``None`` stands for
    what the instance does not have. Without a domain questions are asked on
    :math:`\mathbb R^d`.
    """

    network: Network
    other: Network | None = None
    domain: Domain | None = None
    samples: tuple[Vector, ...] | None = None
    modification: Modification | None = None

    def __init__(
        self,
        network: Network,
        other: Network | None = None,
        *,
        domain: Domain | str | None = None,
        samples: Iterable[Iterable[object]] | None = None,
        modification: Modification | None = None,
    ) -> None:
        if not isinstance(network, Network):
            raise InvalidInput("network", "must be a Network", network)
        if other is not None and not isinstance(other, Network):
            raise InvalidInput("other", "must be a Network", other)
        d = network.input_dim
        found = None if domain is None else as_domain(domain, d)
        points = None
        if samples is not None:
            points = tuple(rational_vector(point, f"samples[{i}]", length=d) for i, point in enumerate(samples))
        for name, value in zip(FIELDS, (network, other, found, points, modification), strict=True):
            object.__setattr__(self, name, value)

    def replace(self, **changes: Any) -> Instance:
        """The instance with other values in some fields."""
        return dataclasses.replace(self, **changes)

    def to_json(self) -> dict[str, Any]:
        """The instance as JSON data; what it does not have is left out."""
        data: dict[str, Any] = {"format": INSTANCE_FORMAT, "version": 1, "network": self.network.to_json()}
        if self.other is not None:
            data["other"] = self.other.to_json()
        if self.domain is not None:
            data["domain"] = domain_to_json(self.domain)
        if self.samples is not None:
            data["samples"] = plain(self.samples)
        if self.modification is not None:
            change = self.modification.to_json()
            change["symmetry"]["activation"] = self.modification.symmetry.activation
            data["modification"] = change
        return data

    def explain(self) -> str:
        """The instance as formulas."""
        lines = ["", *_indented(self.network.explain())]
        if self.other is not None:
            lines += ["  and", *_indented(self.other.explain())]
        if self.domain is not None:
            lines.append(f"  on {self.domain}")
        if self.samples is not None:
            lines.append(f"  at {', '.join('(' + ', '.join(plain(point)) + ')' for point in self.samples)}")
        if self.modification is not None:
            lines.append(f"  {self.modification.explain()}")
        return "\n".join(lines)


def as_instance(value: Instance | Network, **fields: Any) -> Instance:
    """An instance from a network and further fields by name."""
    return value.replace(**fields) if isinstance(value, Instance) else Instance(value, **fields)


def instance_from_json(data: Any, source: str) -> Instance:
    """The instance that JSON data denotes, an ``exactrelu/instance`` or a network alone.

    Raises :class:`~exactrelu.errors.InvalidInput` naming the place.
    """
    if isinstance(data, dict) and data.get("format") == NETWORK_FORMAT:
        return Instance(network_from_json(data, source))
    expect_format(data, source, INSTANCE_FORMAT)
    fields = expect_object(data, source, required=("format", "version", "network"), optional=FIELDS[1:])
    network = network_from_json(fields["network"], f"{source}: network")
    other = domain = samples = modification = None
    if "other" in fields:
        other = network_from_json(fields["other"], f"{source}: other")
    if "domain" in fields:
        domain = domain_from_json(fields["domain"], f"{source}: domain")
    if "samples" in fields:
        samples = _points(fields["samples"], f"{source}: samples", network.input_dim)
    if "modification" in fields:
        modification = _modification(fields["modification"], f"{source}: modification")
    try:
        return Instance(network, other, domain=domain, samples=samples, modification=modification)
    except InvalidInput as error:
        raise InvalidFile(f"{source}: {error.argument}", error.rule) from None


def _points(value: Any, place: str, dimension: int) -> list[list[Fraction]]:
    points = []
    for i, row in enumerate(expect_list(value, place)):
        point = expect_rationals(row, f"{place}[{i}]")
        if len(point) != dimension:
            raise WrongDimension(f"{place}[{i}]", f"must have {dimension} coordinates", len(point))
        points.append(point)
    return points


def _modification(value: Any, place: str) -> Modification:
    fields = expect_object(value, place, required=("neuron", "child", "symmetry", "amount"))
    inner = f"{place}.symmetry"
    parts = expect_object(fields["symmetry"], inner, required=("activation", "atoms", "coefficients", "constant"))
    atoms = [(beta, gamma) for beta, gamma in _points(parts["atoms"], f"{inner}.atoms", 2)]
    coefficients = _points([parts["coefficients"]], f"{inner}.coefficients", len(atoms))[0]
    constant = expect_rational(parts["constant"], f"{inner}.constant")
    return Modification(
        _neuron(fields["neuron"], f"{place}.neuron"),
        AffineSymmetry(str(parts["activation"]), tuple(atoms), tuple(coefficients), constant),
        _neuron(fields["child"], f"{place}.child"),
        expect_rational(fields["amount"], f"{place}.amount"),
    )


def _neuron(value: Any, place: str) -> tuple[int, int]:
    entries = expect_list(value, place)
    if len(entries) != 2:
        raise InvalidFile(place, "must be a pair [layer, index]", entries)
    layer, index = (expect_integer(entry, f"{place}[{i}]") for i, entry in enumerate(entries))
    return layer, index


def _indented(text: str) -> list[str]:
    return [f"  {line}" for line in text.strip("\n").splitlines()]
