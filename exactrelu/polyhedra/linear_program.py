r"""Exact linear programs whose every answer has been multiplied out.

:func:`maximise` and :func:`minimise` take an affine form and half-spaces (and
hyperplanes) of :math:`\mathbb R^d`, and answer with one of

================================  =============================================
:class:`Optimal`                  an attaining point, the value, and multipliers that prove it
:class:`Unbounded`                a feasible point and a ray along which the form has no bound
:class:`Infeasible`               multipliers of an impossible combination (Farkas)
================================  =============================================

:func:`maximise_rows` is the same on integer rows ``(a_1, ..., a_d, b)``.

The work is done by :mod:`.simplex` on integers. Its answer is checked here
against the original rows: points against every constraint, rays against every
normal, multipliers for their signs and their sum. Together these prove the
answer, so no error of the simplex method can leave this module; it would raise
a ``RuntimeError`` instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import mul

from ..errors import WrongDimension
from ..rationals import Vector, common_denominator, rational, rational_vector, scaled_integers
from .halfspaces import Halfspace, Hyperplane, same_dimension
from .simplex import IntegerOutcome, IntegerRow, maximise_integers

_ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class Optimal:
    r"""The optimum of :math:`\langle c, x\rangle + \gamma` is ``value``, attained at ``point``.

    ``multipliers`` (one :math:`y_i \ge 0` per half-space) and
    ``equation_multipliers`` (one :math:`z_k` of any sign per hyperplane) satisfy
    :math:`\sum y_i n_i + \sum z_k n_k = \pm c` and
    :math:`\sum y_i b_i + \sum z_k b_k = \pm(\text{value} - \gamma)`,
    with plus for a maximum and minus for a minimum.
    """

    point: Vector
    value: Fraction
    multipliers: Vector
    equation_multipliers: Vector = ()


@dataclass(frozen=True, slots=True)
class Unbounded:
    r"""The form has no bound: ``point + s * ray`` is feasible for all :math:`s \ge 0`.

    Along ``ray`` the form strictly grows (for a maximum) or falls (for a minimum).
    """

    point: Vector
    ray: Vector


@dataclass(frozen=True, slots=True)
class Infeasible:
    r"""No point satisfies all constraints.

    :math:`y \ge 0` and :math:`z` satisfy :math:`\sum y_i n_i + \sum z_k n_k = 0`
    and :math:`\sum y_i b_i + \sum z_k b_k < 0`.
    """

    multipliers: Vector
    equation_multipliers: Vector = ()


Outcome = Optimal | Unbounded | Infeasible


def maximise(
    objective: Iterable[object],
    halfspaces: Sequence[Halfspace],
    *,
    constant: object = 0,
    equations: Sequence[Hyperplane] = (),
) -> Outcome:
    r"""The maximum of :math:`\langle c, x\rangle + \gamma` over an intersection of half-spaces and hyperplanes.

    ``objective`` has ``d`` exact entries; all constraints have dimension ``d``.

    Raises :class:`~exactrelu.errors.WrongDimension` where lengths differ.

    >>> square = [Halfspace([1, 0], 2), Halfspace([0, 1], 2), Halfspace([-1, 0], 0), Halfspace([0, -1], 0)]
    >>> best = maximise([1, 3], square)
    >>> best.value, [int(y) for y in best.multipliers]
    (Fraction(8, 1), [1, 3, 0, 0])
    """
    vector = rational_vector(objective, "objective")
    if not vector:
        raise WrongDimension("objective", "must have at least one entry", 0)
    same_dimension(halfspaces, len(vector), "halfspaces")
    same_dimension(equations, len(vector), "equations")
    scale = common_denominator(vector)
    outcome = maximise_rows(
        scaled_integers(vector, scale), [item.row for item in halfspaces], [item.row for item in equations]
    )
    if isinstance(outcome, Unbounded):
        return outcome
    multipliers = _rescaled(outcome.multipliers, halfspaces, scale)
    equation_multipliers = _rescaled(outcome.equation_multipliers, equations, scale)
    if isinstance(outcome, Infeasible):
        return Infeasible(multipliers, equation_multipliers)
    value = outcome.value / scale + rational(constant, "constant")
    return Optimal(outcome.point, value, multipliers, equation_multipliers)


def minimise(
    objective: Iterable[object],
    halfspaces: Sequence[Halfspace],
    *,
    constant: object = 0,
    equations: Sequence[Hyperplane] = (),
) -> Outcome:
    r"""The minimum of :math:`\langle c, x\rangle + \gamma`, as :func:`maximise`.

    >>> minimise([1], [Halfspace([-1], 2)], constant=5).value
    Fraction(3, 1)
    >>> minimise([1], [Halfspace([1], 2)]).ray
    (Fraction(-1, 1),)
    """
    negative = [-entry for entry in rational_vector(objective, "objective")]
    outcome = maximise(negative, halfspaces, constant=-rational(constant, "constant"), equations=equations)
    if isinstance(outcome, Optimal):
        return Optimal(outcome.point, -outcome.value, outcome.multipliers, outcome.equation_multipliers)
    return outcome


def maximise_rows(
    objective: Sequence[int], inequalities: Sequence[IntegerRow], equations: Sequence[IntegerRow] = ()
) -> Outcome:
    """:func:`maximise` on integers: rows ``(a_1, ..., a_d, b)``, multipliers of these rows.

    Lengths are the caller's duty.

    >>> maximise_rows([1], [(1, 5), (-1, -6)])
    Infeasible(multipliers=(Fraction(1, 1), Fraction(1, 1)), equation_multipliers=())
    """
    answer = maximise_integers(objective, inequalities, equations)
    if not _proves(answer, objective, inequalities, equations):
        raise RuntimeError("internal error: the simplex method gave an answer that does not multiply out")
    denominator = answer.denominator
    point = tuple([Fraction(entry, denominator) for entry in answer.point])
    if answer.status == "unbounded":
        return Unbounded(point, tuple([Fraction(entry, denominator) for entry in answer.ray]))
    multipliers = [_ZERO] * (len(inequalities) + len(equations))
    for index, entry in answer.multipliers.items():
        multipliers[index] = Fraction(entry, denominator)
    split = tuple(multipliers[: len(inequalities)]), tuple(multipliers[len(inequalities) :])
    if answer.status == "infeasible":
        return Infeasible(*split)
    return Optimal(point, Fraction(sum(map(mul, objective, answer.point)), denominator), *split)


def _proves(
    answer: IntegerOutcome,
    objective: Sequence[int],
    inequalities: Sequence[IntegerRow],
    equations: Sequence[IntegerRow],
) -> bool:
    """Whether the point, the ray and the multipliers prove what the status says."""
    if answer.denominator <= 0:
        return False
    if answer.status == "infeasible":
        total = _combination(answer.multipliers, inequalities, equations, len(objective))
        return total is not None and not any(total[:-1]) and total[-1] < 0
    end = -answer.denominator
    if not _feasible([*answer.point, end], inequalities, equations):
        return False
    if answer.status == "unbounded":
        growth = sum(map(mul, objective, answer.ray))
        return growth > 0 and _feasible([*answer.ray, 0], inequalities, equations)
    value = sum(map(mul, objective, answer.point))
    total = _combination(answer.multipliers, inequalities, equations, len(objective))
    return total == [*(entry * answer.denominator for entry in objective), value]


def _feasible(point: list[int], inequalities: Sequence[IntegerRow], equations: Sequence[IntegerRow]) -> bool:
    """Whether ``a @ x - b * w <= 0`` (or ``= 0``) for a homogeneous point ``(x, -w)``."""
    below = all(sum(map(mul, row, point)) <= 0 for row in inequalities)
    return below and not any(sum(map(mul, row, point)) for row in equations)


def _combination(
    multipliers: dict[int, int], inequalities: Sequence[IntegerRow], equations: Sequence[IntegerRow], size: int
) -> list[int] | None:
    """The combination of rows, or ``None`` where an inequality has a negative multiplier."""
    total = [0] * (size + 1)
    for index, weight in multipliers.items():
        inequality = index < len(inequalities)
        if inequality and weight < 0:
            return None
        row = inequalities[index] if inequality else equations[index - len(inequalities)]
        total = [entry + weight * a for entry, a in zip(total, row, strict=True)]
    return total


def _rescaled(multipliers: Vector, objects: Sequence[Halfspace | Hyperplane], scale: int) -> Vector:
    """Multipliers of integer rows, as multipliers of ``(normal, bound)``."""
    return tuple(
        [y * item.bound.denominator / scale if y else _ZERO for y, item in zip(multipliers, objects, strict=True)]
    )
