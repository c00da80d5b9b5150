r"""Local identifiability of networks with one hidden layer: necessary and sufficient conditions.

Theory: ``shallow_local`` (5.4 D), and the variants of 5.5 for networks without
output biases or without hidden biases. Every ``fails`` carries a segment of
parameters, as close to :math:`\theta` as one likes, with the same function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ...equality import NeuronType
from ...networks import Network
from ...polyhedra import Domain, Halfspace, Hyperplane, Optimal, Unbounded, maximise
from ...rationals import Vector, kernel
from ...verdicts import Condition, Status, Verdict, brief, number_list
from . import deformations as deform
from .deformations import AffinePart
from .setting import Extent, Setting, affirmed, claim_on, listed, prepared, refuted, twins_condition
from .walls import Wall, hidden, walls

WHAT = "locally identifiable"


@dataclass(frozen=True, slots=True)
class Check:
    """A condition, and where it fails the far end of a segment of equal functions."""

    condition: Condition
    end: Callable[[], Network] | None = None


def shallow_locally_identifiable(net: Network, domain: Domain | str | None = None) -> Verdict:
    r"""Whether nearby parameters with the same function on ``domain`` are all rescalings of :math:`\theta`.

    ``fails`` comes with a family of networks that approaches :math:`\theta`.

    >>> pair = Network.mlp([[[1], [-1]], [[2, 1]]], [[0, 0], [0]])  # 2 relu(x) + relu(-x)
    >>> shallow_locally_identifiable(pair).status.value
    'holds'
    >>> twins = Network.mlp([[[1], [2]], [[1, 1]]], [[0, 0], [0]])  # relu(x) + relu(2 x)
    >>> print(shallow_locally_identifiable(twins).family.member(1))
    Network.mlp([[[1], [2]], [[0, "3/2"]]], [[0, 0], [0]])
    """
    setting = prepared(net, domain, WHAT)
    return setting if isinstance(setting, Verdict) else local_verdict(setting)


def local_verdict(setting: Setting) -> Verdict:
    """The verdict in a prepared setting."""
    claim = claim_on(WHAT, setting.domain)
    checks = local_checks(setting)
    conditions = tuple(check.condition for check in checks)
    refutation = refuted_by(checks, setting, claim, conditions)
    if refutation is not None:
        return refutation
    if any(condition.status is Status.UNKNOWN for condition in conditions):
        return Verdict(claim, Status.UNKNOWN, conditions)
    return Verdict(claim, Status.HOLDS, conditions, evidence=extent(setting))


def refuted_by(
    checks: Iterable[Check], setting: Setting, claim: str, conditions: Iterable[Condition]
) -> Verdict | None:
    """The verdict ``fails`` with the segment of the first check that fails; ``None`` if none has one."""
    end = next((check.end for check in checks if check.end is not None), None)
    return None if end is None else refuted(claim, conditions, setting.network, end(), setting.domain, segment=True)


def extent(setting: Setting, proof: object = None) -> Extent:
    """The evidence that every condition about neurons and hyperplanes was decided on."""
    live = [i for i, form in enumerate(setting.view.forms) if any(form)]
    ranges = tuple(setting.explain_type(i) for i in range(setting.view.size))
    return Extent(ranges, walls(setting.view, live), proof)


def local_checks(setting: Setting) -> list[Check]:
    """All conditions of local identifiability, in the order in which a referee asks for them."""
    live = [i for i, form in enumerate(setting.view.forms) if any(form)]
    groups = walls(setting.view, live)
    checks = [_nonzero_output(setting), _nonzero_input(setting), *_kinked(setting), _positive_twins(setting, groups)]
    kinked = set(setting.of_type(NeuronType.KINKED))
    pairs = [wall for wall in groups if wall.is_pair and kinked.issuperset(wall.neurons)]
    if setting.view.output_bias and setting.view.hidden_biases:
        checks += [_jump_at_twins(setting, pairs), _independent_pairs(setting, pairs, constant=True)]
    else:
        checks += _without_some_biases(setting, pairs)
    if not setting.view.hidden_biases and not origin_is_interior(setting.domain):
        detail = "without hidden biases the theory needs the origin in the interior of the domain"
        checks.append(Check(Condition("interior", Status.UNKNOWN, (), detail)))
    return checks


def origin_is_interior(domain: Domain) -> bool:
    """Whether 0 is an interior point of the domain."""
    origin = (Fraction(0),) * domain.ambient_dimension
    return all(facet.slack(origin) > 0 for facet in domain.halfspaces)


def _nonzero_output(setting: Setting) -> Check:
    dead = setting.dead_outputs
    ends = [(i, deform.move_dead(setting.view, i)) for i in dead]
    movable = [(i, end) for i, end in ends if end is not None]
    if dead and not movable:
        # One input and no biases: every small change of the single weight is a rescaling.
        detail = "outgoing weights are all 0, but the only incoming weight can only be rescaled nearby"
        return Check(Condition("nonzero_output", Status.HOLDS, hidden(dead), detail))
    condition = listed("nonzero_output", [i for i, _ in movable], "outgoing weights are all 0")
    return Check(condition, (lambda: movable[0][1]) if movable else None)


def _nonzero_input(setting: Setting) -> Check:
    zero = setting.of_type(NeuronType.ZERO)
    if not zero:
        return Check(affirmed("nonzero_input"))
    if setting.view.hidden_biases:
        condition = listed("nonzero_input", zero, "incoming weights and bias are all 0")
        return Check(condition, lambda: deform.sink_zero(setting.view, zero[0]))
    awake = [i for i in zero if any(setting.view.outputs[i])]
    end = deform.wake_zero(setting.view, awake[0]) if awake else None
    if awake and end is None:
        detail = "incoming weights are all 0, but the outputs of one sign leave no room nearby"
        return Check(Condition("nonzero_input", Status.HOLDS, hidden(zero), detail))
    condition = listed("nonzero_input", zero, "incoming weights are all 0")
    return Check(condition, None if end is None else (lambda: end))


def _kinked(setting: Setting) -> list[Check]:
    """Neurons that are off are never allowed, those that are on only without output biases."""
    off, on = setting.of_type(NeuronType.OFF), setting.of_type(NeuronType.ON)
    flat = off
    if setting.view.output_bias and setting.view.hidden_biases:
        flat = tuple(sorted(off + on))
    ranges = ", ".join(f"neuron {i} is {setting.explain_type(i)}" for i in flat[:5])
    condition = Condition("kinked", Status.FAILS, hidden(flat), ranges) if flat else affirmed("kinked")
    if on and not flat:
        condition = Condition("kinked", Status.HOLDS, hidden(on), "no neuron is off; those that are on count as affine")
    if off:
        return [Check(condition, lambda: deform.change_silent(setting.view, off[0]))]
    return [Check(condition, (lambda: deform.lift_active(setting.view, on[0])) if flat else None)]


def _positive_twins(setting: Setting, groups: Sequence[Wall]) -> Check:
    found = [side[:2] for wall in groups for side in (wall.positive, wall.negative) if len(side) > 1]
    pairs = [(i, j) for i, j in found]
    condition = twins_condition("no_positive_twins", pairs, setting.view)
    return Check(condition, (lambda: deform.shift_output(setting.view, *pairs[0])) if pairs else None)


def _jump_at_twins(setting: Setting, pairs: Sequence[Wall]) -> Check:
    cancelling = [wall for wall in pairs if wall.cancels]
    neurons = [i for wall in cancelling for i in wall.neurons]
    names = "; ".join(wall.explain() for wall in cancelling[:5])
    condition = listed("opposite_twins_jump", neurons, f"the outputs of the two neurons cancel on {names}")
    if not cancelling:
        return Check(condition)
    first = cancelling[0]
    return Check(condition, lambda: deform.slide_pair(setting.view, first.positive[0], first.negative[0]))


def _independent_pairs(setting: Setting, pairs: Sequence[Wall], *, constant: bool) -> Check:
    """The normals (``constant``: an output bias takes up constants), or else the forms, of the pairs."""
    pairs = [wall for wall in pairs if not wall.cancels]
    cut = -1 if constant else None
    relation = dependence([wall.form[:cut] for wall in pairs])
    if relation is None:
        what = "normals" if constant else "forms"
        detail = f"the {what} of the {len(pairs)} opposite pair(s) are independent" if pairs else "no opposite pairs"
        return Check(Condition("opposite_pairs_independent", Status.HOLDS, (), detail))
    neurons = [i for wall, weight in zip(pairs, relation, strict=True) if weight for i in wall.neurons]
    what = "normals" if constant else "forms"
    terms = " ".join(
        f"{'+' if weight > 0 else '-'} {brief(abs(weight))}*{number_list(wall.form[:cut])}"
        for wall, weight in zip(pairs, relation, strict=True)
        if weight
    )
    condition = listed("opposite_pairs_independent", neurons, f"the {what} are dependent: {terms} = 0")
    return Check(condition, lambda: deform.exchange(setting.view, pairs, relation))


def dependence(vectors: Sequence[Sequence[int]]) -> Vector | None:
    """Coefficients of a vanishing combination, or ``None`` for independent vectors."""
    if not vectors:
        return None
    columns = [[Fraction(entry) for entry in column] for column in zip(*vectors, strict=True)]
    return next(iter(kernel(columns, len(vectors))), None)


def _without_some_biases(setting: Setting, pairs: Sequence[Wall]) -> list[Check]:
    """The variants of 5.5: affine parts that could move, held fast by nothing but each other."""
    view = setting.view
    # Without hidden biases all constants vanish, so normals and forms say the same.
    rigid = _independent_pairs(setting, pairs, constant=False)
    bending = [wall for wall in pairs if not wall.cancels]
    active: list[AffinePart] = [(i,) for i in setting.of_type(NeuronType.ON)]
    cancelling: list[AffinePart] = [(wall.positive[0], wall.negative[0]) for wall in pairs if wall.cancels]
    parts = [*active, *cancelling]
    neurons = [i for part in parts for i in part]
    name = "rigid_affine_part"
    if len(parts) > 1:
        detail = "two parts are affine on the domain, and one can be traded for the other"
        condition = listed(name, neurons, detail)
        # The taker may get any sign, so it is a cancelling pair if there is one.
        return [rigid, Check(condition, lambda: deform.trade(view, parts[0], parts[-1]))]
    if cancelling and bending:
        detail = "a cancelling pair can be tilted, and the opposite pairs on other hyperplanes take it back"
        weights = (Fraction(1), *(Fraction(0) for _ in bending[1:]))
        return [rigid, Check(listed(name, neurons, detail), lambda: deform.tilt(view, parts[0], bending, weights))]
    if active and bending and rigid.end is None:
        room = _room_to_tilt(setting, active[0][0], bending)
        if room is not None:
            detail = "a neuron that is on can be tilted and stays on, and the opposite pairs take it back"
            return [rigid, Check(listed(name, neurons, detail), lambda: deform.tilt(view, parts[0], bending, room))]
    detail = "one affine part, which nothing can take up" if parts else "no part of the function is affine by itself"
    return [rigid, Check(Condition(name, Status.HOLDS, hidden(neurons), detail))]


def _room_to_tilt(setting: Setting, active: int, pairs: Sequence[Wall]) -> Vector | None:
    r"""Some :math:`\mu\ne0` with :math:`g+\sum_H\mu_Hg_H\ge0` on the domain, or ``None``.

    By Farkas' lemma the form is nonnegative on :math:`\{\langle n_k,x\rangle\le\beta_k\}`
    exactly when it is :math:`y_0+\sum_ky_k(\beta_k-\langle n_k,x\rangle)` with :math:`y\ge0`:
    a linear program in :math:`(\mu,y)`.
    """
    facets = setting.domain.halfspaces
    form = setting.view.forms[active]
    count = len(pairs)
    width = count + 1 + len(facets)
    equations = []
    for j in range(len(form)):
        last = j == len(form) - 1
        taken = [facet.bound if last else -facet.normal[j] for facet in facets]
        row = [*(Fraction(wall.form[j]) for wall in pairs), Fraction(-int(last)), *(-entry for entry in taken)]
        if any(row):
            equations.append(Hyperplane(row, -form[j]))
        elif form[j]:
            return None
    signs = [Halfspace([-int(i == k) for i in range(width)], 0) for k in range(count, width)]
    for k in range(count):
        for sign in (1, -1):
            outcome = maximise([sign * int(i == k) for i in range(width)], signs, equations=equations)
            if isinstance(outcome, Unbounded):
                return tuple(p + r for p, r in zip(outcome.point, outcome.ray, strict=True))[:count]
            if isinstance(outcome, Optimal) and outcome.value > 0:
                return outcome.point[:count]
    return None
