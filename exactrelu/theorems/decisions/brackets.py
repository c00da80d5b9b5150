r"""Gradient fields of path products and their brackets, evaluated at the parameters.

A field is :math:`\nabla\varphi` for a sum :math:`\varphi` of products along paths that no input
can tell apart: same start, same output, same bending neurons. With :math:`g=\nabla\varphi(\theta)`
and :math:`H` the Hessian, :math:`[\nabla\varphi_1,\nabla\varphi_2](\theta)=H_2g_1-H_1g_2`.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import Final

from ...errors import BudgetExceeded
from ...networks import Network
from ...paths import enumerate_paths
from ...rationals import Vector, dot, rank
from ...verdicts import Condition, Verdict
from ..statuses import conjunction, status_of
from .frozen import theta_of
from .isolation import scaling_directions

MOST_FIELDS: Final = 60
Products = list[list[int]]
"""A sum of products of parameters, by their positions."""


def path_sums(net: Network) -> list[Products]:
    """The paths in groups that no input can tell apart.

    Raises :class:`~exactrelu.errors.BudgetExceeded` beyond sixty groups.
    """
    places = {(parameter.source, parameter.target): k for k, parameter in enumerate(net.parameters)}
    groups: dict[Hashable, Products] = {}
    for path in enumerate_paths(net):
        bending = [(k, i) for k, i in path.neurons if k and not net.layers[k - 1].activations[i].is_affine]
        start = None if path.from_bias else path.neurons[0]
        groups.setdefault((start, path.neurons[-1], tuple(bending)), []).append([places[step] for step in path.steps])
    if len(groups) > MOST_FIELDS:
        raise BudgetExceeded("gradient fields", MOST_FIELDS, len(groups))
    return list(groups.values())


def gradient(products: Products, theta: Vector) -> list[Fraction]:
    """The gradient of a sum of products."""
    found = [Fraction(0)] * len(theta)
    for product in products:
        for k in product:
            found[k] += prod((theta[j] for j in product if j != k), start=Fraction(1))
    return found


def hessian_times(products: Products, theta: Vector, vector: Sequence[Fraction]) -> list[Fraction]:
    """The Hessian of a sum of products, applied to a vector."""
    found = [Fraction(0)] * len(theta)
    for product in products:
        for k in product:
            for j in product:
                if j != k and vector[j]:
                    found[k] += vector[j] * prod((theta[i] for i in product if i not in (j, k)), start=Fraction(1))
    return found


def as_many_laws_as_neurons(network: Network) -> Verdict:
    """The laws of all neurons are conserved and independent, and fields with brackets span D - h dimensions."""
    theta, sums = theta_of(network), path_sums(network)
    fields = [gradient(products, theta) for products in sums]
    brackets = [
        [a - b for a, b in zip(hessian_times(q, theta, g), hessian_times(p, theta, f), strict=True)]
        for (p, g), (q, f) in combinations(zip(sums, fields, strict=True), 2)
    ]
    laws = scaling_directions(network)  # half the gradients of the laws
    free = len(theta) - len(laws)
    conserved = all(not dot(law, field) for law in laws for field in [*fields, *brackets])
    spanned, independent = rank([*fields, *brackets]), rank(laws)
    parts = (
        Condition("conserved", status_of(conserved)),
        Condition("independent_laws", status_of(independent == len(laws)), detail=f"rank {independent}"),
        Condition("fields_span", status_of(spanned == free), detail=f"fields and brackets span {spanned} of {free}"),
    )
    return conjunction(f"there are exactly {len(laws)} independent conservation laws", parts)
