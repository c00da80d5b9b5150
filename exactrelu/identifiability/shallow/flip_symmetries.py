r"""Which flips of a shallow ReLU network come from affine symmetries, and which from null nets.

Where :math:`\sum_{i\in S}v_iw_i^T=0`, flipping :math:`S` preserves the function
(theory: ``shallow_fibre_is_flips``, 5.2). An affine symmetry relates neurons with
parallel weights, so that the flip is a composition of modifications exactly
when the sum vanishes over every class of parallel neurons in :math:`S`
(theory: ``which_flips_are_symmetries``, V3). Otherwise what is left over is
a null net: one pair :math:`V_C(\sigma(z)-\sigma(-z))` per class :math:`C` with
:math:`\sum_{i\in S\cap C}v_iw_i^T=V_Cw^T\ne0`, where :math:`z` is the
pre-activation of a neuron of the class.

>>> plane = Network.mlp([[[1, 0], [0, 1], [1, 1]], [[1, 1, -1]]], [["1/4", "-1/4", "1/8"], [0]])
>>> print(which_flips_are_symmetries(plane).explain())
flip neurons 0, 1, 2: no symmetry, since this null net is left
  h1_0 = relu(x0 + 1/4)
  h1_1 = relu(-x0 - 1/4)
  h1_2 = relu(x1 - 1/4)
  h1_3 = relu(-x1 + 1/4)
  h1_4 = relu(x0 + x1 + 1/8)
  h1_5 = relu(-x0 - x1 - 1/8)
  y0 = h1_0 - h1_1 + h1_2 - h1_3 - h1_4 + h1_5 + 1/8
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias

from ...equality import ShallowNetwork, hyperplane, shallow
from ...equality.shallow import primitive_form
from ...errors import BudgetExceeded, HypothesisNotMet, check_budget
from ...networks import Network
from ...networks.formulas import formulas
from ...polyhedra import Domain
from ...rationals import Vector
from ...symmetries.affine import AffineSymmetry
from ...symmetries.irreducible import applied
from ...symmetries.modifications import Modification
from ...symmetries.null_nets import is_null_net
from ...symmetries.orbit import representative
from ...verdicts import Status
from .fibre import fibre

DEFAULT_FLIPS: Final = 10_000
"""The number of flip sets that are decided unless another budget is given."""

Slope: TypeAlias = tuple[int, Fraction]
r"""A neuron and the :math:`\beta` with which its weights are that multiple of those of its class."""


@dataclass(frozen=True, slots=True)
class Flip:
    """A set of neurons that can be flipped together, with what brings the flip about.

    Either ``modifications`` lead to ``network``, the flipped network, up to permutation, scaling and
    neurons without use; or ``null_net`` is what no symmetry provides.
    """

    neurons: tuple[int, ...]
    network: Network
    modifications: tuple[Modification, ...] = ()
    null_net: Network | None = None

    @property
    def is_symmetry(self) -> bool:
        """Whether the flip is a composition of modifications by affine symmetries."""
        return self.null_net is None

    def explain(self) -> str:
        """The flip, and its modifications or its null net."""
        head = f"flip neurons {', '.join(map(str, self.neurons))}: "
        if self.null_net is not None:
            return "\n  ".join([head + "no symmetry, since this null net is left", *formulas(self.null_net)])
        lines = [modification.explain() for modification in self.modifications]
        return "\n  ".join([head + f"a composition of {len(lines)} modification(s)", *lines])


@dataclass(frozen=True, slots=True)
class FlipSymmetries:
    """All nonempty flip sets of a shallow network, decided."""

    network: Network
    flips: tuple[Flip, ...]

    @property
    def symmetries(self) -> tuple[Flip, ...]:
        """The flips that affine symmetries bring about."""
        return tuple(flip for flip in self.flips if flip.is_symmetry)

    @property
    def exceptions(self) -> tuple[Flip, ...]:
        """The flips that need a null net."""
        return tuple(flip for flip in self.flips if not flip.is_symmetry)

    def explain(self) -> str:
        """One flip after the other."""
        return "\n".join(flip.explain() for flip in self.flips) or "no neurons can be flipped"


def which_flips_are_symmetries(
    net: Network, domain: Domain | str | None = None, *, budget: int | None = None
) -> FlipSymmetries:
    """The flips of a shallow network on ``domain``: those that affine symmetries bring about, and the others.

    The modifications are carried out and compared with the flip; the null nets
    are verified to be irreducible and 0.

    Raises :class:`~exactrelu.errors.HypothesisNotMet` where
    :func:`~exactrelu.fibre` does, and without output biases;
    :class:`~exactrelu.errors.BudgetExceeded` beyond ``budget`` flips (10,000 by default).

    >>> hat = Network.mlp([[[1], [1], [1]], [[1, -2, 1]]], [[1, 0, -1], [0]])
    >>> [(flip.neurons, flip.is_symmetry) for flip in which_flips_are_symmetries(hat).flips]
    [((0, 1, 2), True)]
    """
    check_budget(budget)
    if net.layers[-1].bias is None:
        raise HypothesisNotMet("network", "must have output biases, which take up the constants of symmetries")
    found, most = fibre(net, domain), DEFAULT_FLIPS if budget is None else budget
    view = shallow(net)
    flips: list[Flip] = []
    for subset in found.flip_sets():
        if subset:
            if len(flips) >= most:
                raise BudgetExceeded("flips", most, partial=tuple(flips))
            flips.append(_decided(net, view, subset))
    return FlipSymmetries(net, tuple(flips))


def _decided(net: Network, view: ShallowNetwork, subset: tuple[int, ...]) -> Flip:
    flipped = net.flip(subset)
    groups = [(group, _total(view, group)) for group in _parallel(view, subset)]
    left = [(group[0][0], total) for group, total in groups if any(total)]
    if left:
        null_net = _pairs(view, left)
        if is_null_net(null_net).status is not Status.HOLDS:
            raise RuntimeError("internal error: a null net does not stand up to verification")
        return Flip(subset, flipped, null_net=null_net)
    modifications = tuple(step for group, _ in groups for step in _modifications(view, group))
    if representative(applied(net, modifications)) != representative(flipped):
        raise RuntimeError("internal error: a flip by symmetries does not stand up to verification")
    return Flip(subset, flipped, modifications)


def _parallel(view: ShallowNetwork, subset: Sequence[int]) -> list[list[Slope]]:
    """The neurons by direction of their weights; the first of a class has slope 1."""
    groups: dict[tuple[int, ...], list[Slope]] = {}
    for i in subset:
        direction, length = primitive_form([Fraction(entry) for entry in view.forms[i][:-1]])
        line = hyperplane(direction)
        group = groups.setdefault(line, [])
        group.append((i, length if line == direction else -length))
    return [[(i, slope / group[0][1]) for i, slope in group] for group in groups.values()]


def _total(view: ShallowNetwork, group: Sequence[Slope]) -> Vector:
    r"""The vector :math:`V_C=\sum\beta_iv_i` of a class."""
    return tuple(sum((slope * view.outputs[i][o] for i, slope in group), Fraction(0)) for o in range(view.output_dim))


def _pairs(view: ShallowNetwork, left: Sequence[tuple[int, Vector]]) -> Network:
    """The null net of a pair per class, along the form of a neuron and with an output each."""
    forms = [[sign * entry for entry in view.forms[i]] for i, _ in left for sign in (1, -1)]
    outputs = [[sign * entry for entry in total] for _, total in left for sign in (1, -1)]
    constant = [-sum((total[o] * view.forms[i][-1] for i, total in left), Fraction(0)) for o in range(view.output_dim)]
    return view.network(forms, outputs, constant, scales=[view.scales[i] for i, _ in left for _ in (1, -1)])


def _modifications(view: ShallowNetwork, group: Sequence[Slope]) -> list[Modification]:
    r"""The flip of a class with :math:`V_C=0`: one modification per output.

    Along the pre-activation :math:`t` of the first neuron the others are
    :math:`\beta_jt+\gamma_j`, and
    :math:`\sum_jv_j(\sigma(\beta_jt+\gamma_j)-\sigma(-\beta_jt-\gamma_j))=\sum_jv_j\gamma_j`.
    """
    first = group[0][0]
    unit, scales = view.scales[first], view.scales
    atoms, heights = [], []
    for j, slope in group:
        beta = slope * scales[j] / unit
        gamma = scales[j] * view.forms[j][-1] - beta * unit * view.forms[first][-1]
        atoms += [(beta, gamma), (-beta, -gamma)]
        heights.append(gamma)
    steps = []
    for o in range(view.output_dim):
        weights = [view.outputs[j][o] / scales[j] for j, _ in group]
        constant = sum((v * gamma for v, gamma in zip(weights, heights, strict=True)), Fraction(0))
        coefficients = tuple(sign * v for v in weights for sign in (1, -1))
        symmetry = AffineSymmetry("relu", tuple(atoms), coefficients, constant)
        if any(weights):
            steps.append(Modification((1, first), symmetry, (2, o), Fraction(-1)))
    return steps
