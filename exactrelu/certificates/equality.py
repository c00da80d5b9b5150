r"""Evidence that two networks are the same function on a domain, and that they are not PS-equivalent.

Theory: section 4, and ``shallow_equality_by_normal_form`` (5.1) for one hidden layer.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..equality import same_function, why_not_shallow
from ..errors import InvalidInput
from ..networks import Family, Network
from ..polyhedra import Domain
from ..symmetries import permutation_scaling_equivalent
from ..verdicts import Point, Status
from . import notation
from .flats import Hull
from .lifting import family_tree
from .neuron_types import family_types_json, reading_types_json
from .polynomials import parameters_of
from .readings import Reading
from .splitting import Leaf, Node, Written, split


def equality(left: Network, right: Network, domain: Domain, *, budget: int | None = None) -> dict[str, Any]:
    """The evidence that two networks are the same function on a domain.

    Raises :class:`~exactrelu.errors.InvalidInput` if they are not.
    """
    hull = Hull.of(domain)
    readings, interior = [hull.reading(Reading.of(net)) for net in (left, right)], inside(hull.thick)
    if why_not_shallow(left) is None and why_not_shallow(right) is None:
        if same_function(left, right, domain).status is not Status.HOLDS:
            raise _different()
        types = [reading_types_json(reading, hull.thick) for reading in readings]
        return hull.written({"interior": interior, "types": types})
    nodes = split(readings, hull.thick, budget=budget)
    return hull.written({"interior": interior, **_written(nodes)})


def family_equality(family: Family, domain: Domain, *, budget: int | None = None) -> dict[str, Any]:
    r"""The evidence that all members of a family for small :math:`t>0` are the function of its base."""
    hull = Hull.of(domain)
    base, moving = (hull.reading(Reading.of(family.base, values)) for values in (None, parameters_of(family)))
    interior = inside(hull.thick)
    if why_not_shallow(family.base) is None:
        types = family_types_json(moving, hull.thick)
        if types is not None:
            return hull.written({"interior": interior, "types": [reading_types_json(base, hull.thick), types]})
    nodes = family_tree(base, moving, hull.thick, budget=budget)
    return hull.written({"interior": interior, **_written(nodes)})


def inequivalence(left: Network, right: Network, domain: Domain) -> dict[str, Any]:
    """The evidence that two networks of equal dimensions are not permutation-scaling equivalent.

    A point where they differ, or an invariant that the checker computes.
    """
    if permutation_scaling_equivalent(left, right).status is Status.HOLDS:
        raise InvalidInput("claim", "must be true to be certified, but the networks are permutation-scaling equivalent")
    plain = domain.is_full_dimensional and not (left.is_analytic or right.is_analytic)
    outcome = same_function(left, right, domain) if plain else None
    if outcome is not None and isinstance(outcome.evidence, Point):
        return {"point": notation.numbers(outcome.evidence.point)}
    return {"invariant": "colours"}


def inside(domain: Domain) -> list[Any]:
    """A point inside a domain."""
    domain.require_full_dimensional("a certificate")
    return notation.numbers(domain.interior_point())


def _written(nodes: Iterable[Node]) -> dict[str, Any]:
    written = Written(nodes, _equal)
    return {"combinations": written.combinations, "tree": written.tree}


def _equal(leaf: Leaf) -> str:
    if leaf.outputs[0] != leaf.outputs[1]:
        raise _different()
    return "cell"


def _different() -> InvalidInput:
    return InvalidInput("claim", "must be true to be certified, but the networks are different functions")
