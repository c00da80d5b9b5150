r"""Far ends of segments along which a shallow function stays the same.

Each function takes a shallow network :math:`\theta` for which some condition of
local identifiability fails, and returns a :math:`\theta'` such that every
:math:`\theta(t)=\theta+t(\theta'-\theta)`, :math:`0<t\le1`, is the same function
on the domain and is not permutation-scaling equivalent to :math:`\theta`.

Why not equivalent: the multiset of pairs (direction of :math:`(w_i,b_i)`,
rescaled :math:`v_i`) is an invariant of the class, and along each of these
segments it differs from that of :math:`\theta`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ...equality import ShallowNetwork
from ...networks import Network
from ...rationals import Vector
from .walls import Wall

ZERO, ONE = Fraction(0), Fraction(1)
Row = list[Fraction]
AffinePart = tuple[int, ...]
"""Neurons that are affine together on the domain: one that is on, or a cancelling opposite pair."""


class Edit:
    """A shallow network whose forms, outputs and constant are being changed."""

    def __init__(self, net: ShallowNetwork) -> None:
        self.net = net
        self.forms: list[Row] = [[Fraction(entry) for entry in form] for form in net.forms]
        self.outputs: list[Row] = [list(output) for output in net.outputs]
        self.constant: Row = list(net.constant)

    def add_form(self, i: int, change: Sequence[Fraction | int], factor: Fraction | int = 1) -> Edit:
        """Add a multiple of a form to that of neuron ``i``."""
        self.forms[i] = [entry + factor * step for entry, step in zip(self.forms[i], change, strict=True)]
        return self

    def add_output(self, i: int, change: Sequence[Fraction], factor: Fraction | int = 1) -> Edit:
        """Add a multiple of a vector to the output of neuron ``i``."""
        self.outputs[i] = [entry + factor * step for entry, step in zip(self.outputs[i], change, strict=True)]
        return self

    def add_constant(self, change: Sequence[Fraction], factor: Fraction | int = 1) -> Edit:
        """Add a multiple of a vector to the output bias."""
        self.constant = [entry + factor * step for entry, step in zip(self.constant, change, strict=True)]
        return self

    def network(self) -> Network:
        """The changed network, every neuron in its old scale."""
        return self.net.network(self.forms, self.outputs, self.constant)


def move_dead(net: ShallowNetwork, i: int) -> Network | None:
    """Output 0: turn the form; ``None`` if every change of it is a rescaling."""
    form = net.forms[i]
    room = len(form) if net.hidden_biases else len(form) - 1
    for axis in range(room):
        if not any(form) or any(entry for j, entry in enumerate(form) if j != axis):
            return Edit(net).add_form(i, unit(len(form), axis)).network()
    return None


def sink_zero(net: ShallowNetwork, i: int) -> Network:
    """All-zero form, with a bias: lower the bias, and the neuron stays silent."""
    return Edit(net).add_form(i, unit(len(net.forms[i]), -1), -1).network()


def wake_zero(net: ShallowNetwork, i: int) -> Network | None:
    """All-zero form without bias parameters and output not 0; ``None`` if only rescalings keep the function."""
    output = net.outputs[i]
    if net.output_dim > 1:
        axis = next(o for o in range(net.output_dim) if any(e for p, e in enumerate(output) if p != o))
        return Edit(net).add_output(i, unit(net.output_dim, axis)).network()
    partner = next((j for j, form in enumerate(net.forms) if any(form)), None)
    if partner is not None:  # let it share the work of another neuron
        return Edit(net).add_form(i, net.forms[partner]).add_output(partner, output, -1).network()
    partner = next((j for j, other in enumerate(net.outputs) if other[0] * output[0] < 0), None)
    if partner is not None:  # two silent neurons of opposite signs may cancel each other
        ratio = -output[0] / net.outputs[partner][0]
        line = unit(len(net.forms[i]), 0)
        return Edit(net).add_form(i, line).add_form(partner, line, ratio).network()
    return None


def change_silent(net: ShallowNetwork, i: int) -> Network:
    """Off on the domain: any output will do."""
    output = net.outputs[i]
    return Edit(net).add_output(i, output if any(output) else unit(net.output_dim, 0)).network()


def lift_active(net: ShallowNetwork, i: int) -> Network:
    """On over the domain: the output bias takes up a change of the bias."""
    return Edit(net).add_form(i, unit(len(net.forms[i]), -1)).add_constant(net.outputs[i], -1).network()


def shift_output(net: ShallowNetwork, i: int, j: int) -> Network:
    """Positive twins: shift output from one to the other, away from an exchange of the two."""
    gap = [a - b for a, b in zip(net.outputs[i], net.outputs[j], strict=True)]
    step = gap if any(gap) else list(unit(net.output_dim, 0))
    return Edit(net).add_output(i, step).add_output(j, step, -1).network()


def slide_pair(net: ShallowNetwork, i: int, j: int) -> Network:
    """Opposite twins whose outputs cancel: they are affine together, wherever their hyperplane lies."""
    last = unit(len(net.forms[i]), -1)
    edit = Edit(net).add_form(i, last).add_form(j, last, -1)
    return edit.add_constant(net.outputs[i], -1).network()


def exchange(net: ShallowNetwork, pairs: Sequence[Wall], weights: Sequence[Fraction]) -> Network:
    r"""Opposite twins with :math:`\sum_H\mu_Hw_H=0`: shift :math:`\mu_H` from side to side; a constant remains."""
    direction = unit(net.output_dim, 0)
    edit = Edit(net)
    for wall, weight in zip(pairs, weights, strict=True):
        edit.add_output(wall.positive[0], direction, weight).add_output(wall.negative[0], direction, -weight)
        edit.add_constant(direction, -weight * wall.form[-1])
    return edit.network()


def trade(net: ShallowNetwork, giver: AffinePart, taker: AffinePart) -> Network:
    r"""Two movable affine parts :math:`v\otimes g`, :math:`v'\otimes g'`: :math:`(v-v')\otimes g+v'\otimes(g+g')`."""
    edit = Edit(net)
    change = net.outputs[taker[0]]
    for i, sign in zip(giver, (1, -1), strict=False):
        edit.add_output(i, change, -sign)
    for i, sign in zip(taker, (1, -1), strict=False):
        edit.add_form(i, net.forms[giver[0]], sign)
    return edit.network()


def tilt(net: ShallowNetwork, part: AffinePart, pairs: Sequence[Wall], weights: Sequence[Fraction]) -> Network:
    r"""Add :math:`\sum_H\mu_Hg_H` to the form of a movable affine part; the opposite pairs take it back."""
    edit = Edit(net)
    output = net.outputs[part[0]]
    for wall, weight in zip(pairs, weights, strict=True):
        for i, sign in zip(part, (1, -1), strict=False):
            edit.add_form(i, wall.form, sign * weight)
        edit.add_output(wall.positive[0], output, -weight).add_output(wall.negative[0], output, weight)
    return edit.network()


def unit(length: int, axis: int) -> Vector:
    """The unit vector of an axis (negative axes count from the end)."""
    return tuple(ONE if i == axis % length else ZERO for i in range(length))
