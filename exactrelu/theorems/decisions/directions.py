r"""Networks with one hidden layer, direction by direction of their weights.

The neurons with weights parallel to :math:`u` contribute
:math:`g_u(x)=\sum_iv_i\rho(\beta_i\langle u,x\rangle+b_i)`. An affine symmetry relates
neurons of one direction only, so that modifications change each :math:`g_u` by a
constant; and where all changes are constant, they are affine symmetries.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

from ...errors import HypothesisNotMet
from ...networks import Analytic, Network
from ...rationals import Vector, rank
from ...symmetries import AffineSymmetry, Modification, is_affine_symmetry
from ...symmetries.atoms import CONSTANT, Atom, atoms_of
from ...verdicts import Condition, Status, Verdict
from .modified import modified
from .rigidity import agreement

ZERO = Fraction(0)
Atoms: TypeAlias = dict[Atom, Vector]
"""The outputs of the neurons of one direction by their (beta, b)."""


def by_direction(net: Network) -> dict[Vector, Atoms]:
    """The neurons of every direction; those with the same atom are added.

    Raises :class:`~exactrelu.errors.HypothesisNotMet` unless there is one hidden layer, without skips.
    """
    if net.depth != 2 or [s for s, _ in net.layers[1].blocks] != [1] or not net.layers[1].is_affine:
        raise HypothesisNotMet("network", "must have one hidden layer without skips and affine outputs")
    hidden, output = net.layers
    bias = hidden.bias or (ZERO,) * hidden.width
    matrix = output.blocks[0][1]
    found: dict[Vector, Atoms] = {}
    for i, row in enumerate(hidden.blocks[0][1]):
        weights = tuple(entry or ZERO for entry in row)
        beta = next((entry for entry in weights if entry), Fraction(1))
        atoms = found.setdefault(tuple(entry / beta for entry in weights), {})
        new = tuple(line[i] or ZERO for line in matrix)
        old = atoms.get((beta, bias[i]), (ZERO,) * net.output_dim)
        atoms[beta, bias[i]] = tuple(a + b for a, b in zip(old, new, strict=True))
    return found


def rho_of(net: Network) -> object:
    """What the one activation of the hidden layer is called, or what it is."""
    kinds = set(net.layers[0].activations)
    if len(kinds) > 1:
        raise HypothesisNotMet("network", "must have one activation in its hidden layer")
    rho = kinds.pop()
    return rho.name if isinstance(rho, Analytic) else rho


def symmetries_lead_there(network: Network, other: Network) -> Verdict:
    """Modifications by affine symmetries lead from one network to the other"""
    claim = "modifications by affine symmetries lead from the first network to the second"
    ours, theirs, steps = by_direction(network), by_direction(other), []
    for direction in ours.keys() | theirs.keys():
        if not any(direction):
            continue
        for o in range(network.output_dim):
            atoms = {atom: output[o] for atom, output in theirs.get(direction, {}).items()}
            for atom, output in ours.get(direction, {}).items():
                atoms[atom] = atoms.get(atom, ZERO) - output[o]
            symmetry = _symmetry(rho_of(network), {atom: a for atom, a in atoms.items() if a})
            if symmetry is None:
                detail = "in some direction of weights the difference is no constant"
                return Verdict(claim, Status.FAILS, (Condition("constant_changes", Status.FAILS, (), detail),))
            if symmetry.atoms:
                steps.append((direction, symmetry, o))
    return Verdict(claim, Status.HOLDS if _composed(network, other, steps) else Status.UNKNOWN)


def _symmetry(rho: object, atoms: dict[Atom, Fraction]) -> AffineSymmetry | None:
    """The terms as a symmetry, if their sum is a constant."""
    if not atoms:
        return AffineSymmetry("", (), (), ZERO)
    functions = atoms_of(rho)
    constant = sum((a * functions.coordinates(atom).get(CONSTANT, ZERO) for atom, a in atoms.items()), ZERO)
    verdict = is_affine_symmetry(rho, list(atoms.values()), list(atoms), constant)
    if verdict.status is not Status.HOLDS:
        return None
    return AffineSymmetry(functions.name, tuple(atoms), tuple(atoms.values()), constant)


def _composed(network: Network, other: Network, steps: list[tuple[Vector, AffineSymmetry, int]]) -> bool:
    """Whether the steps, each along a neuron of its direction, turn one network into the other neuron by neuron."""
    result = network
    rows = network.layers[0].blocks[0][1]
    bias = network.layers[0].bias or (ZERO,) * len(rows)
    for direction, symmetry, o in steps:
        i = next((i for i, row in enumerate(rows) if rank([row, direction]) == 1 and any(row)), None)  # type: ignore[list-item]  # full
        if i is None:
            return False
        slope = next(entry for entry in rows[i] if entry)
        # t = slope s + b is the pre-activation, so that beta s + gamma = (beta / slope)(t - b) + gamma.
        moved = tuple((beta / slope, gamma - beta * bias[i] / slope) for beta, gamma in symmetry.atoms)
        along = replace(symmetry, atoms=moved)
        result = modified(result, Modification((1, i), along, (2, o), Fraction(1)))
    return _visible(result) == _visible(other)


def _visible(net: Network) -> tuple[dict[Vector, Atoms], Vector]:
    """The neurons with nonzero outputs by direction, and the output bias."""
    directions = {
        direction: {atom: output for atom, output in atoms.items() if any(output)}
        for direction, atoms in by_direction(net).items()
    }
    kept = {direction: atoms for direction, atoms in directions.items() if atoms}
    return kept, net.layers[1].bias or (ZERO,) * net.output_dim


def same_shallow_function(network: Network, other: Network) -> Verdict:
    """The two networks have the same function"""
    if not network.is_analytic:
        return agreement(network, other)
    if rho_of(network) != rho_of(other) or rho_of(network) != "tanh":
        raise HypothesisNotMet("network", "must consist of tanh neurons or piecewise linear ones")
    # The functions tanh(<w,x> + b), one for each (w, b) up to sign, are independent of each other and of 1.
    forms = [_odd_normal_form(net) for net in (network, other)]
    return Verdict("the two networks are the same function", Status.HOLDS if forms[0] == forms[1] else Status.FAILS)


def _odd_normal_form(net: Network) -> tuple[dict[object, Vector], Vector]:
    total: dict[object, Vector] = {}
    for direction, atoms in by_direction(net).items():
        if not any(direction):
            raise HypothesisNotMet("network", "must have no constant neurons")
        for (beta, b), output in atoms.items():
            sign = 1 if beta > 0 else -1
            key = direction, sign * beta, sign * b
            old = total.get(key, (ZERO,) * net.output_dim)
            total[key] = tuple(a + sign * c for a, c in zip(old, output, strict=True))
    kept: dict[object, Vector] = {key: value for key, value in total.items() if any(value)}
    return kept, net.layers[1].bias or (ZERO,) * net.output_dim
