r"""Global identifiability of networks with one hidden layer.

Theory: ``shallow_bounded_global`` (5.3 C) on bounded domains,
``shallow_space_global`` (5.4 E) on all of space, and the variants of 5.5.
Where they leave a case open, the verdict is ``unknown``.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...equality import NeuronType, ShallowNetwork
from ...errors import BudgetExceeded
from ...networks import Network
from ...polyhedra import Domain
from ...rationals import common_denominator, scaled_integers
from ...verdicts import Condition, Status, Verdict, number_list
from . import deformations as deform
from .alternatives import Alternatives, NoAlternative
from .setting import Setting, affirmed, claim_on, listed, prepared, refuted, twins_condition
from .shallow_local import Check, dependence, extent, local_checks, origin_is_interior, refuted_by
from .walls import Wall, hidden, walls
from .zero_sums import NoZeroSum, zero_sum

WHAT = "globally identifiable"
PAIR_CONDITIONS = ("opposite_twins_jump", "opposite_pairs_independent", "rigid_affine_part")


def globally_identifiable(net: Network, domain: Domain | str | None = None, *, budget: int | None = None) -> Verdict:
    r"""Whether all parameters with the same function on ``domain`` are permutations and rescalings of :math:`\theta`.

    ``budget`` bounds the subsets that a search may list; beyond it the verdict
    is ``unknown``. ``fails`` carries a second network.

    >>> hat = Network.mlp([[[1], [1], [1]], [[1, -2, 1]]], [[1, 0, -1], [0]])
    >>> verdict = globally_identifiable(hat, "[-2,2]")
    >>> verdict.status.value, verdict.witness
    ('fails', Network.mlp([[[-1], [-1], [-1]], [[1, -2, 1]]], [[-1, 0, 1], [0]]))
    """
    setting = prepared(net, domain, WHAT)
    verdict = setting if isinstance(setting, Verdict) else global_verdict(setting, budget)
    return verdict.about("globally_identifiable", network=net, domain=domain)


def global_verdict(setting: Setting, budget: int | None) -> Verdict:
    """The verdict in a prepared setting."""
    claim = claim_on(WHAT, setting.domain)
    every = local_checks(setting)
    checks = [check for check in every if check.condition.id not in PAIR_CONDITIONS]
    basic = tuple(check.condition for check in checks)
    refutation = refuted_by(checks, setting, claim, basic)
    if refutation is not None:
        return refutation
    turned = _turned_around(setting)
    if turned is not None:
        condition, end = turned
        conditions = tuple(condition if old.id == condition.id else old for old in basic)
        return refuted(claim, conditions, setting.network, end, setting.domain, segment=False)
    if any(condition.status is Status.UNKNOWN for condition in basic):
        conditions = tuple(check.condition for check in every)
        refutation = refuted_by(every, setting, claim, conditions)
        return Verdict(claim, Status.UNKNOWN, conditions) if refutation is None else refutation
    groups = walls(setting.view, [i for i, form in enumerate(setting.view.forms) if any(form)])
    if _generic(setting, groups):
        return _by_flips(setting, claim, (*basic, affirmed("distinct_hyperplanes")), budget)
    return _with_pairs(setting, claim, basic, [c for c in every if c.condition.id in PAIR_CONDITIONS], groups, budget)


def _turned_around(setting: Setting) -> tuple[Condition, Network] | None:
    """Without hidden biases a silent neuron may be rigid nearby, but it can be turned around as a whole."""
    view = setting.view
    if view.hidden_biases:
        return None
    for i in setting.dead_outputs:
        condition = listed("nonzero_output", [i], "outgoing weights are all 0, so its incoming weights can be negated")
        return condition, deform.Edit(view).add_form(i, view.forms[i], -2).network()
    for i in setting.of_type(NeuronType.ZERO):
        condition = listed("nonzero_input", [i], "incoming weights are all 0, so its outgoing weights can be negated")
        return condition, deform.Edit(view).add_output(i, view.outputs[i], -2).network()
    return None


def _generic(setting: Setting, groups: Sequence[Wall]) -> bool:
    """Hypotheses (B1)-(B3): nonzero outputs, all neurons kinked, one neuron per hyperplane."""
    kinked = len(setting.of_type(NeuronType.KINKED)) == setting.view.size
    return kinked and not setting.dead_outputs and all(len(wall.neurons) == 1 for wall in groups)


def flip_vectors(view: ShallowNetwork) -> list[list[int]]:
    r"""The products :math:`v_iw_i^T` (with :math:`b_i` where no output bias takes up constants), as integers."""
    width = view.input_dim + (view.hidden_biases and not view.output_bias)
    scale = common_denominator(entry for output in view.outputs for entry in output)
    return [
        [v * w for v in scaled_integers(output, scale) for w in form[:width]]
        for form, output in zip(view.forms, view.outputs, strict=True)
    ]


def _by_flips(setting: Setting, claim: str, conditions: tuple[Condition, ...], budget: int | None) -> Verdict:
    """Under (B1)-(B3) the fibre consists of flips (``shallow_fibre_is_flips``), on any domain."""
    try:
        found = zero_sum(flip_vectors(setting.view), budget=budget)
    except BudgetExceeded as error:
        condition = Condition("no_zero_sum_flip", Status.UNKNOWN, (), str(error))
        return Verdict(claim, Status.UNKNOWN, (*conditions, condition))
    if isinstance(found, NoZeroSum):
        condition = Condition("no_zero_sum_flip", Status.HOLDS, (), found.explain())
        return Verdict(claim, Status.HOLDS, (*conditions, condition), evidence=extent(setting, found))
    what = "v_i w_i^T" if setting.view.output_bias or not setting.view.hidden_biases else "v_i (w_i, b_i)^T"
    detail = f"the sum of {what} over the neurons {number_list(found)} is 0, so they can all be flipped"
    condition = Condition("no_zero_sum_flip", Status.FAILS, hidden(found), detail)
    end = setting.network.flip(found)
    return refuted(claim, (*conditions, condition), setting.network, end, setting.domain, segment=False)


def _with_pairs(
    setting: Setting,
    claim: str,
    basic: tuple[Condition, ...],
    checks: Sequence[Check],
    groups: Sequence[Wall],
    budget: int | None,
) -> Verdict:
    """Opposite twins, or neurons that are on: what the theory decides, and what it leaves open."""
    pairs = [(wall.positive[0], wall.negative[0]) for wall in groups if wall.is_pair]
    distinct = twins_condition("distinct_hyperplanes", pairs, setting.view)
    if setting.view.hidden_biases and setting.view.output_bias:
        swing = _swung_pair(setting, pairs)
        if swing is not None:
            return refuted(claim, (*basic, distinct), setting.network, swing, setting.domain, segment=False)
    conditions = (*basic, *(check.condition for check in checks))
    refutation = refuted_by(checks, setting, claim, conditions)
    if refutation is not None:
        return refutation
    if not _decided_by_alternatives(setting, groups):
        detail = "opposite twins or active neurons, in a case that the theory leaves open"
        return Verdict(
            claim, Status.UNKNOWN, (*conditions, Condition("distinct_hyperplanes", Status.UNKNOWN, (), detail))
        )
    return _by_alternatives(setting, claim, conditions, groups, budget)


def _swung_pair(setting: Setting, pairs: Sequence[tuple[int, int]]) -> Network | None:
    r"""Opposite twins with :math:`t>\sup g` on the domain: turn one of them into a neuron that is on, since
    :math:`\alpha\sigma(g)+\beta\sigma(-g)=(\alpha+\beta)\sigma(g)+\beta\sigma(t-g)-t\beta`.
    """
    for pair in pairs:
        for keep, swing in (pair, pair[::-1]):
            highest = setting.types[keep].supremum.value
            if highest is None:
                continue
            t = highest + 1
            output = setting.view.outputs[swing]
            edit = deform.Edit(setting.view).add_output(keep, output)
            edit.add_form(swing, deform.unit(len(setting.view.forms[swing]), -1), t).add_constant(output, -t)
            return edit.network()
    return None


def _decided_by_alternatives(setting: Setting, groups: Sequence[Wall]) -> bool:
    """Whether (E) or its variants apply: all neurons kinked, jumps and independent pairs, the right domain."""
    view = setting.view
    if len(setting.of_type(NeuronType.KINKED)) < view.size or any(wall.cancels for wall in groups):
        return False
    if view.hidden_biases:
        width = view.input_dim + (not view.output_bias)
        return dependence([wall.form[:width] for wall in groups if wall.is_pair]) is None
    return origin_is_interior(setting.domain)


def _by_alternatives(
    setting: Setting, claim: str, conditions: tuple[Condition, ...], groups: Sequence[Wall], budget: int | None
) -> Verdict:
    """A competitor on all of space refutes on every domain; its absence decides on all of space only."""
    search = Alternatives(setting.view, groups, budget)
    try:
        found = search.search()
    except BudgetExceeded as error:
        condition = Condition("no_alternative_jump_choice", Status.UNKNOWN, (), str(error))
        return Verdict(claim, Status.UNKNOWN, (*conditions, condition))
    if not isinstance(found, NoAlternative):
        detail = "the function can be shared differently between the hyperplanes"
        condition = Condition("no_alternative_jump_choice", Status.FAILS, (), detail)
        end = search.network(found)
        return refuted(claim, (*conditions, condition), setting.network, end, setting.domain, segment=False)
    if setting.domain.is_space or not setting.view.hidden_biases:
        condition = Condition("no_alternative_jump_choice", Status.HOLDS, (), found.explain())
        return Verdict(claim, Status.HOLDS, (*conditions, condition), evidence=extent(setting, found))
    detail = f"{found.explain()}, but the theory leaves this domain open"
    return Verdict(
        claim, Status.UNKNOWN, (*conditions, Condition("no_alternative_jump_choice", Status.UNKNOWN, (), detail))
    )
