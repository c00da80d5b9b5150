r"""Whether some finite sample off the kinks identifies a shallow network at first order.

Theory: ``shallow_finite_sample`` (5.4 F): a finite set of points off the kinks
whose Jacobian :math:`\Gamma` has rank :math:`D-h` exists exactly when outputs
are nonzero, all neurons are kinked, there are no positive twins, the outputs of
every opposite pair are linearly independent, and so are the normals of the
pairs. The variants without some biases are decided by the rank of
:math:`\Gamma` over all regions (section 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ...equality import NeuronType
from ...networks import Network
from ...paths import embedding_kernel
from ...polyhedra import Domain
from ...rationals import kernel, rank
from ...verdicts import Condition, Status, Verdict
from ..jacobians.crossings import beside_hyperplanes
from ..jacobians.functional_dimension import basis_beside
from ..jacobians.kernel_direction import KernelDirection
from .deformations import Edit, unit
from .setting import Setting, affirmed, claim_on, listed, prepared
from .shallow_local import extent, local_checks, refuted_by
from .walls import Wall, walls

WHAT = "determined to first order by some finite sample"
SHARED = ("nonzero_output", "nonzero_input", "kinked", "no_positive_twins", "opposite_pairs_independent")


def finite_sample_exists(net: Network, domain: Domain | str | None = None) -> Verdict:
    r"""Whether finitely many points of ``domain`` off the kinks have :math:`\operatorname{rank}\Gamma=D-h`.

    ``fails`` comes with a family of equal functions, or with a direction along
    which no value changes to first order.

    >>> pair = Network.mlp([[[1], [-1]], [[2, 1]]], [[0, 0], [0]])  # 2 relu(x) + relu(-x)
    >>> verdict = finite_sample_exists(pair)
    >>> verdict.status.value, verdict.evidence.explain()
    ('fails', 'to first order no value changes along b[1][0]: 1/2, b[1][1]: 1, b[2][0]: -1')
    """
    setting = prepared(net, domain, WHAT)
    verdict = setting if isinstance(setting, Verdict) else finite_sample_verdict(setting)
    return verdict.about("finite_sample_exists", network=net, domain=domain)


def finite_sample_verdict(setting: Setting) -> Verdict:
    """The verdict in a prepared setting."""
    claim = claim_on(WHAT, setting.domain)
    checks = [check for check in local_checks(setting) if check.condition.id in SHARED]
    groups = walls(setting.view, [i for i, form in enumerate(setting.view.forms) if any(form)])
    if not (setting.view.hidden_biases and setting.view.output_bias):
        return _by_rank(setting, claim, groups)
    parallel = [wall for wall in groups if wall.is_pair and _dependent(setting, wall)]
    names = "; ".join(wall.explain() for wall in parallel[:5])
    outputs = listed(
        "opposite_pairs_outputs_independent",
        [i for wall in parallel for i in wall.neurons],
        f"the outputs of the two neurons are linearly dependent on {names}",
    )
    conditions = (*(check.condition for check in checks), outputs)
    refutation = refuted_by(checks, setting, claim, conditions)
    if refutation is not None:
        return refutation
    if parallel:
        return Verdict(claim, Status.FAILS, conditions, evidence=_kernel_direction(setting, parallel[0]))
    return Verdict(claim, Status.HOLDS, conditions, evidence=extent(setting))


def _by_rank(setting: Setting, claim: str, groups: Sequence[Wall]) -> Verdict:
    """Without some biases: one neuron per hyperplane is enough; otherwise the rank over all regions decides."""
    kinked = len(setting.of_type(NeuronType.KINKED)) == setting.view.size
    if (
        kinked
        and setting.view.hidden_biases
        and not setting.dead_outputs
        and all(len(wall.neurons) == 1 for wall in groups)
    ):
        return Verdict(claim, Status.HOLDS, (affirmed("distinct_hyperplanes"),), evidence=extent(setting))
    rows = basis_beside(setting.network, beside_hyperplanes(setting.network, setting.domain) or [])
    full = len(setting.network.parameters) - setting.view.size
    detail = f"the largest rank of a sample Jacobian is {len(rows)}, and D - h = {full}"
    if len(rows) == full:
        condition = Condition("functional_dimension", Status.HOLDS, (), detail)
        return Verdict(claim, Status.HOLDS, (condition,), evidence=extent(setting))
    condition = Condition("functional_dimension", Status.FAILS, (), detail)
    checks = local_checks(setting)
    refutation = refuted_by(checks, setting, claim, (condition, *(check.condition for check in checks)))
    if refutation is not None:
        return refutation
    return Verdict(claim, Status.FAILS, (condition,), evidence=_beyond_scaling(setting.network, rows))


def _beyond_scaling(net: Network, rows: Sequence[Sequence[int]]) -> KernelDirection:
    """A direction that all rows of sample Jacobians annihilate, and that is no infinitesimal rescaling."""
    scalings = list(embedding_kernel(net))
    for direction in kernel([[Fraction(entry) for entry in row] for row in rows], len(net.parameters)):
        if rank([*scalings, direction]) > rank(scalings):
            return KernelDirection.of(net, direction)
    raise RuntimeError("internal error: the kernel of the sample Jacobians consists of rescalings only")


def _dependent(setting: Setting, wall: Wall) -> bool:
    return rank([setting.view.outputs[i] for i in wall.neurons]) < len(wall.neurons)


def _kernel_direction(setting: Setting, wall: Wall) -> KernelDirection:
    """Move both neurons of a pair so that the output bias takes up either motion."""
    view = setting.view
    top, bottom = wall.positive[0], wall.negative[0]
    axis = next(o for o, entry in enumerate(view.outputs[top]) if entry)
    last = unit(len(view.forms[top]), -1)
    edit = Edit(view).add_form(top, last, 1 / view.outputs[top][axis])
    edit.add_form(bottom, last, 1 / view.outputs[bottom][axis])
    edit.add_constant([entry / view.outputs[top][axis] for entry in view.outputs[top]], -1)
    pairs = zip(setting.network.parameters, edit.network().parameters, strict=True)
    return KernelDirection.of(setting.network, [new.value - old.value for old, new in pairs])
