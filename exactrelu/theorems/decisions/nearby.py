r"""Networks as near as one likes with the same function: lines through a shallow :math:`\theta` in its fibre.

Neurons that are *idle* can be changed at once: what is off may have any output, a
neuron with output 0 may have any form, and one with :math:`(w,b)=0` may sink to
:math:`(0,-\varepsilon)`. Let there be none, and no two neurons on one half-space. Then every
nearby network with the same function keeps the types of its neurons and the hyperplanes
that carry a jump, and its opposite twins whose outputs cancel stay opposite twins: a
jump :math:`v_i\ne0` cannot be left alone on a hyperplane, and two neurons that are on cannot become
opposite. So it solves, in the notation of :mod:`.realizations`,

.. math:: \sum_{\text{doubled}}u_H\otimes g_H+\sum_jv_j\otimes m_j\;(+\,c)=\text{const}

for shares :math:`u_H` and affine parts :math:`v_j\otimes m_j`, one for each cancelling pair and each
neuron that is on (:math:`m_j\ge0` on :math:`X`). Fixing :math:`v_j` or :math:`m_j` of every part makes this a linear
system, whose solutions are lines of networks with one function; :func:`nearby_line` looks for
a direction in all of these systems, subject to :math:`m_j+t\,\delta m_j\ge0`.

*No direction, no line, no other network nearby.* Directions exist if the :math:`g_H` are
dependent modulo the constants that are free; if a part can take up a free constant; if there are
two parts (:math:`v_1\otimes m_1+v_2\otimes m_2=(v_1-v_2)\otimes m_1+v_2\otimes(m_1+m_2)`); and if there is one
cancelling pair and one doubled hyperplane (:math:`\delta m=g_H`). What is left is at most one part,
with independent :math:`g_H`. Without a part the solution is unique. If the part is alone,
:math:`v\otimes m` is fixed, hence the neurons up to scaling. If it is a neuron that is on and
:math:`v'\otimes m'` another solution, then :math:`v'\otimes m'\equiv v\otimes m` modulo the :math:`g_H`. Nearby
:math:`v'=\kappa v` with :math:`\kappa>0`, say :math:`\kappa=1`, so :math:`m'=m+\eta` with :math:`\eta` in the span
of the :math:`g_H`, and :math:`m+t\eta\ge0` for :math:`0\le t\le1` by convexity: a direction. (If :math:`m\equiv0`,
take for :math:`\eta` the form :math:`m` itself: it is a direction as well.) ∎

*Zero neurons without hidden biases* (:math:`w_i=0`, :math:`v_i\ne0`) can become off if some linear form is
nonpositive on :math:`X`; otherwise become positive twins of a kinked neuron, or of each other with
opposite outputs; with several outputs :math:`v_i` may turn. If all :math:`w_i=0`, with one output and all
:math:`v_i` of one sign, then small changes give :math:`\sum v_i'\sigma(w_i'x)` without cancellation, which
vanishes only for :math:`w'=0`. *One input, no hidden biases:* all forms are multiples of :math:`\pm x`; without
zero neurons, neurons that are off, and positive twins, nearby networks keep their forms up to
scaling, and :math:`\sigma(x)`, :math:`\sigma(-x)` are independent functions wherever both are not off: nothing is
nearby, even if an output is 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Final

from ...equality import NeuronType, ShallowNetwork, hyperplane, neuron_types, shallow
from ...errors import Undecided
from ...networks import Family, Network
from ...polyhedra import Domain
from ...polyhedra.cones import generators
from ...rationals import Vector, dot, kernel, rank
from ...symmetries import permutation_scaling_equivalent
from ...verdicts import Status
from .equal_functions import equal_functions
from .realizations import ONE, ZERO, Forms, Ground, combination, integral, negative

STEPS: Final = (ONE, Fraction(1, 2), Fraction(1, 3), Fraction(1, 5), Fraction(1, 7))
"""Where to look for an end of a line: finitely many of its points may be equivalent to its start."""


@dataclass(frozen=True, slots=True)
class Move:
    """A direction in parameter space: changes of the forms and outputs of some neurons."""

    forms: tuple[tuple[int, Vector], ...] = ()
    outputs: tuple[tuple[int, Vector], ...] = ()

    def applied(self, net: ShallowNetwork, domain: Domain, step: Fraction) -> Network:
        """The network moved by a multiple of the direction; an output bias takes up what is constant."""
        forms: Forms = [tuple(map(Fraction, form)) for form in net.forms]
        outputs: Forms = list(net.outputs)
        for i, change in self.forms:
            forms[i] = combination([ONE, step], [forms[i], change])
        for i, change in self.outputs:
            outputs[i] = combination([ONE, step], [outputs[i], change])
        moved = net.network(forms, outputs)
        if not net.output_bias:
            return moved
        point = domain.interior_point() if domain.is_full_dimensional else domain.vertices[0]
        gap = [old - new for old, new in zip(net.network()(point), moved(point), strict=True)]
        return net.network(forms, outputs, combination([ONE, ONE], [net.constant, tuple(gap)]))


def nearby_line(net: Network, domain: Domain) -> Family | None:
    r"""A segment of networks that begins at a shallow ``net``, all with its function on ``domain`` and none equivalent.

    ``None`` if there is none; then some neighbourhood of the parameters holds no
    other class with this function. The segment is verified at its end and in
    between, by function values (:func:`.equal_functions.equal_functions`) and by
    permutation-scaling equivalence. Raises :class:`~exactrelu.errors.Undecided`
    for a domain in a hyperplane on which forms without constant do not vanish.

    >>> net = Network.mlp([[[1], [2]], [[1, 1]]], [[0, 0], [0]])
    >>> nearby_line(net, Domain.space(1)).member(1)
    Network.mlp([[[1], [2]], [["3/2", "3/4"]]], [[0, 0], [0]])
    """
    view = shallow(net)
    for move in _moves(view, domain):
        for step in STEPS:
            end = move.applied(view, domain, step)
            if permutation_scaling_equivalent(net, end).status is Status.FAILS:
                line = Family.segment(net, end)
                if not all(equal_functions(net, line.member(t), domain) for t in (ONE, Fraction(1, 3))):
                    raise RuntimeError("internal error: a line of equal functions does not stand up to verification")
                return line
        raise RuntimeError("internal error: a line of other networks stays in one class")
    return None


def _moves(net: ShallowNetwork, domain: Domain) -> Iterator[Move]:
    if not domain.is_full_dimensional:
        yield from _along_the_hull(net, domain)
        return
    ground = Ground(net, domain)
    types = [typed.type for typed in neuron_types(net, domain)]
    yield from _of_idle_neurons(net, ground, types)
    if len(ground.forms) == 1:  # one input, no hidden biases
        live = [i for i, form in enumerate(net.forms) if any(form)]
        twins = next(((i, j) for i, j in combinations(live, 2) if net.forms[i] == net.forms[j]), None)
        if twins is not None:
            yield _shift(net, *twins)
        return
    if NeuronType.ZERO not in types:
        yield from _of_active_neurons(net, ground, types)


def _along_the_hull(net: ShallowNetwork, domain: Domain) -> Iterator[Move]:
    """The domain lies in a hyperplane: its equation can be added to a form, or else the neuron vanishes there."""
    hull: Forms = [(*item.normal, -item.bound) for item in domain.affine_hull]
    if not net.hidden_biases:
        relations = kernel([[form[-1] for form in hull]], len(hull))
        hull = [combination(relation, hull) for relation in relations]
    if not hull:
        raise Undecided("without hidden biases, on a domain in a hyperplane off the origin, nothing is known")
    form = tuple(map(Fraction, net.forms[0]))
    if any(form) and rank([*hull, form]) == rank(hull):
        yield Move(outputs=((0, _some_output(net, 0)),))
    else:
        yield Move(forms=((0, hull[0]),))


def _of_idle_neurons(net: ShallowNetwork, ground: Ground, types: Sequence[NeuronType]) -> Iterator[Move]:
    for i, kind in enumerate(types):
        if kind is NeuronType.OFF:
            yield Move(outputs=((i, _some_output(net, i)),))
        if kind is NeuronType.ZERO:
            yield from _of_zero_neuron(net, ground, types, i)
        elif not any(net.outputs[i]):
            form = tuple(map(Fraction, net.forms[i]))
            yield from (Move(forms=((i, other),)) for other in independent_of(form, ground.forms)[:1])


def _of_zero_neuron(net: ShallowNetwork, ground: Ground, types: Sequence[NeuronType], i: int) -> Iterator[Move]:
    if net.hidden_biases:
        yield Move(forms=((i, negative(ground.forms[-1])),))
    elif not any(net.outputs[i]):
        yield Move(forms=((i, ground.forms[0]),))
    elif ground.cone:
        yield Move(forms=((i, negative(ground.cone[0])),))
    elif net.output_dim > 1:
        axis = next(o for o, entry in enumerate(net.outputs[i]) if entry)
        turn = tuple(ONE if o == (axis + 1) % net.output_dim else ZERO for o in range(net.output_dim))
        yield Move(outputs=((i, turn),))
    else:
        for j, kind in enumerate(types):
            if kind is NeuronType.KINKED:
                change = tuple(map(Fraction, net.forms[j]))
                yield Move(forms=((i, change),), outputs=((j, negative(net.outputs[i])),))
            elif net.outputs[i][0] * net.outputs[j][0] < 0:
                ratio = -net.outputs[i][0] / net.outputs[j][0]
                yield Move(forms=((i, ground.forms[0]), (j, combination([ratio], [ground.forms[0]]))))


def _of_active_neurons(net: ShallowNetwork, ground: Ground, types: Sequence[NeuronType]) -> Iterator[Move]:
    """The directions of all linear systems that fix the outputs or the forms of every affine part."""
    sides: dict[tuple[int, ...], list[int]] = {}
    for i, kind in enumerate(types):
        if kind is NeuronType.KINKED:
            sides.setdefault(hyperplane(net.forms[i]), []).append(i)
    parts: list[tuple[int, ...]] = [(i,) for i, kind in enumerate(types) if kind is NeuronType.ON]
    shares: list[tuple[int, int]] = []
    for members in sides.values():
        first, *others = members
        if len(members) == 2 and net.forms[first] != net.forms[others[0]] and _cancel(net, members):
            parts.append((first, others[0]))
        else:
            shares += [(first, other) for other in others]
    for choice in product((False, True), repeat=len(parts)):
        columns = [column for pair in shares for column in _output_changes(net, pair)]
        for part, turns in zip(parts, choice, strict=True):
            columns += _form_changes(net, ground, part) if turns else _output_changes(net, part)
        yield from _solved(net, ground, columns)


Column = tuple[Move, list[Vector]]
"""A change, and the matrix by which it changes the affine part of the function."""


def _cancel(net: ShallowNetwork, members: Sequence[int]) -> bool:
    return not any(a + b for a, b in zip(*(net.outputs[i] for i in members), strict=True))


def _output_changes(net: ShallowNetwork, part: tuple[int, ...]) -> list[Column]:
    """Output from the second neuron to the first (if there is a second one)."""
    found: list[Column] = []
    form = tuple(map(Fraction, net.forms[part[0]]))
    nothing = (ZERO,) * len(form)
    twins = len(part) == 2 and net.forms[part[0]] == net.forms[part[1]]
    for o in range(net.output_dim):
        unit = tuple(Fraction(int(o == p)) for p in range(net.output_dim))
        outputs = tuple(zip(part, (unit, negative(unit)), strict=False))
        found.append(
            (Move(outputs=outputs), [form if o == p and not twins else nothing for p in range(net.output_dim)])
        )
    return found


def _form_changes(net: ShallowNetwork, ground: Ground, part: tuple[int, ...]) -> list[Column]:
    """Another form for the neuron, or for both neurons of a cancelling pair."""
    found: list[Column] = []
    for form in ground.forms:
        forms = tuple(zip(part, (form, negative(form)), strict=False))
        found.append((Move(forms=forms), [combination([weight], [form]) for weight in net.outputs[part[0]]]))
    return found


def _solved(net: ShallowNetwork, ground: Ground, columns: list[Column]) -> Iterator[Move]:
    """One direction of a linear system, if there is one along which neurons that are on stay so."""
    if not columns:
        return
    size = net.input_dim + (not ground.constants)
    moves = [move for move, _ in columns]
    flat = [[entry for row in matrix for entry in row[:size]] for _, matrix in columns]
    basis = [_sum(relation, moves) for relation in kernel([list(row) for row in zip(*flat, strict=True)], len(flat))]
    if not basis:
        return
    rows = []
    for i in {i for move in basis for i, _ in move.forms}:
        form = tuple(map(Fraction, net.forms[i]))
        if all(dot(form, test) >= 0 for test in ground.tests):
            tight = [test for test in ground.tests if dot(form, test) == 0]
            rows += [
                integral([dot(dict(move.forms).get(i, (ZERO,) * len(form)), test) for move in basis]) for test in tight
            ]
    cone = generators(rows, len(basis))
    for weights in (*cone.lines, *cone.rays):
        yield _shortened(net, ground, _sum(weights, basis))


def _sum(weights: Sequence[Fraction | int], moves: Sequence[Move]) -> Move:
    """The sum of multiples of changes."""
    forms: dict[int, Vector] = {}
    outputs: dict[int, Vector] = {}
    for weight, move in zip(weights, moves, strict=True):
        for found, changes in ((forms, move.forms), (outputs, move.outputs)):
            for i, change in changes:
                old = found.get(i, (ZERO,) * len(change))
                found[i] = combination([ONE, weight], [old, change])
    return Move(*(tuple((i, change) for i, change in found.items() if any(change)) for found in (forms, outputs)))


def _shortened(net: ShallowNetwork, ground: Ground, move: Move) -> Move:
    """The direction in a length with which neurons that are on stay so."""
    length = ONE
    for i, change in move.forms:
        form = tuple(map(Fraction, net.forms[i]))
        heights = [(dot(form, test), dot(change, test)) for test in ground.tests]
        if all(height >= 0 for height, _ in heights):
            length = min([length, *(height / -slope for height, slope in heights if slope < 0)])
    return _sum([length], [move])


def _shift(net: ShallowNetwork, i: int, j: int) -> Move:
    """From one of two positive twins to the other."""
    gap = combination([ONE, -ONE], [net.outputs[i], net.outputs[j]])
    change = gap if any(gap) else _some_output(net, i, ones=True)
    return Move(outputs=((i, change), (j, negative(change))))


def _some_output(net: ShallowNetwork, i: int, *, ones: bool = False) -> Vector:
    return (ONE,) * net.output_dim if ones or not any(net.outputs[i]) else net.outputs[i]


def independent_of(form: Vector, candidates: Sequence[Vector]) -> Forms:
    """The candidates that are no multiples of a form."""
    return [other for other in candidates if rank([form, other]) > rank([form])]
