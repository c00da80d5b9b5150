r"""Evidence about affine symmetries of an activation, and about networks that are modified by one.

Theory: section 8 and ``symmetry_modification_preserves_realization`` (V1).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from ..errors import InvalidInput
from ..networks import Network
from ..networks.activations import Activation
from ..networks.piecewise_linear import PiecewiseLinear
from ..rationals import rational, rational_vector
from ..symmetries import Modification, is_affine_symmetry
from ..verdicts import Neuron, Status
from . import notation

ZERO = Fraction(0)
Key: TypeAlias = tuple[Activation, frozenset[tuple[Neuron, Fraction]], Fraction]
"""What a neuron computes: its activation, its nonzero weights by source, its bias."""


def symmetry_claim(
    rho: object,
    coefficients: Iterable[object],
    atoms: Iterable[Iterable[object]],
    constant: object,
    *,
    holds: bool = True,
) -> dict[str, Any]:
    r"""The fields of the claim that :math:`\sum_s\alpha_s\rho(\beta_st+\gamma_s)=\zeta` for all :math:`t`, or not.

    Raises :class:`~exactrelu.errors.InvalidInput` if that is not so.

    >>> symmetry_claim("abs", [1, -1], [(2, 0), (-2, 0)], 0)["coefficients"]
    ['1', '-1']
    """
    pairs = [rational_vector(pair, f"atoms[{i}]", length=2) for i, pair in enumerate(atoms)]
    alpha, zeta = rational_vector(coefficients, "coefficients", length=len(pairs)), rational(constant, "constant")
    if (is_affine_symmetry(rho, alpha, pairs, zeta).status is Status.HOLDS) is not holds:
        fact = "this is no affine symmetry" if holds else "this is an affine symmetry"
        raise InvalidInput("claim", f"must be true to be certified, but {fact}")
    return {
        "activation": rho.to_json() if isinstance(rho, PiecewiseLinear) else rho,
        "atoms": notation.matrix(pairs),
        "coefficients": notation.numbers(alpha),
        "constant": notation.number(zeta),
    }


def modification_evidence(net: Network, change: Modification) -> tuple[Network, Network, dict[str, Any]]:
    """The network with all atoms of a symmetry, silent where they are new; the modified network; and the evidence."""
    other = change.apply(net, new_biases=True)
    (layer, index), symmetry = change.neuron, change.symmetry
    rho, form, bias = _keys(net, layer)[index]
    terms = [pair for pair in zip(symmetry.atoms, symmetry.coefficients, strict=True) if pair[1]]
    places = [((k, i), key) for k in range(layer, 0, -1) for i, key in enumerate(_keys(other, k))]
    atoms = [(rho, frozenset((s, beta * w) for s, w in form), beta * bias + gamma) for (beta, gamma), _ in terms]
    neurons = [next(place for place, key in places if key == atom) for atom in atoms]
    evidence = {
        "activation": rho.to_json() if isinstance(rho, PiecewiseLinear) else rho.name,
        "atoms": notation.matrix(atom for atom, _ in terms),
        "coefficients": notation.numbers(alpha for _, alpha in terms),
        "constant": notation.number(symmetry.constant),
        "neurons": [list(neuron) for neuron in neurons],
        "weights": [[k, j, notation.number(w)] for (k, j), w in sorted(form)],
        "bias": notation.number(bias),
        "additions": [[list(change.child), notation.number(change.amount)]],
    }
    return _before(other, change, neurons), other, evidence


def _before(other: Network, change: Modification, neurons: Sequence[Neuron]) -> Network:
    """The modified network with the additions taken back."""
    alpha = [entry for entry in change.symmetry.coefficients if entry]
    amounts: dict[Neuron | None, Fraction] = {None: -change.symmetry.constant}
    for neuron, amount in zip(neurons, alpha, strict=True):
        amounts[neuron] = amounts.get(neuron, ZERO) + amount
    values = [
        p.value - (change.amount * amounts.get(p.source, ZERO) if p.target == change.child else ZERO)
        for p in other.parameters
    ]
    return other.with_values(values)


def _keys(net: Network, number: int) -> list[Key]:
    """What the neurons of a layer compute."""
    layer = net.layers[number - 1]
    edges: list[dict[Neuron, Fraction]] = [{} for _ in range(layer.width)]
    for source, block in layer.blocks:
        for into, row in zip(edges, block, strict=True):
            into |= {(source, j): entry for j, entry in enumerate(row) if entry}
    biases = layer.bias or (ZERO,) * layer.width
    return [
        (rho, frozenset(into.items()), bias) for rho, into, bias in zip(layer.activations, edges, biases, strict=True)
    ]
