r"""Local identifiability from finitely many samples.

:math:`\theta` is *locally identifiable* from :math:`X` if nearby parameters with
the same values on :math:`X` are rescalings of :math:`\theta`. For admissible
:math:`\theta` and samples off the kinks, with :math:`R_\Gamma` the rank of the
sample Jacobian and :math:`R_A` that of the path activations:

* :math:`R_\Gamma=D-h` suffices (``sample_jacobian_rank_suffices``, D1);
* :math:`R_\Gamma=R_A<D-h` excludes it
  (``sample_jacobian_rank_is_nearly_necessary``, D2);
* in the gap :math:`R_\Gamma<R_A`, :math:`R_\Gamma<D-h` theory is silent, and
  only a segment of parameters with the same values (:mod:`.sample_families`)
  can refute it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from math import isqrt
from typing import Final

from ...networks import Family, Network
from ...paths import admissible
from ...rationals import MERSENNE_61, Vector, integer_kernel, integer_pivots
from ...verdicts import Condition, Status, Verdict, inapplicable
from .activation_rank import activation_rank
from .functional_dimension import independent_rows
from .jacobian import integer_sample_jacobian, smooth_samples
from .kernel_direction import KernelDirection
from .large import Progress, RankStatement, rank_statement
from .sample_families import family_on_samples, is_rescaling

MOST_SHOWN: Final = 12
"""How many rows and columns of a minor are written out in a sentence."""


@dataclass(frozen=True, slots=True)
class SampleRanks:
    r"""Evidence: the ranks at samples, each side with what proves it.

    ``rows`` and ``columns`` are those of a minor of the sample Jacobian that is
    nonzero modulo ``prime``, once every row is a primitive integer vector.
    ``activation_rank`` is ``None`` where :math:`R_\Gamma=D-h` makes it irrelevant;
    otherwise ``direction`` is annihilated by :math:`\Gamma` and no infinitesimal
    rescaling.
    """

    jacobian_rank: int
    activation_rank: int | None
    parameters: int
    hidden_neurons: int
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    prime: int
    direction: KernelDirection | None = None

    def explain(self) -> str:
        """The ranks, the minor and the direction, one per line."""
        lines = [
            f"R_Gamma = {self.jacobian_rank}, D - h = {self.parameters} - {self.hidden_neurons}"
            + ("" if self.activation_rank is None else f", R_A = {self.activation_rank}"),
            f"the minor of rows {_indices(self.rows)} and columns {_indices(self.columns)} "
            f"is nonzero modulo {self.prime}",
        ]
        return "\n  ".join(["", *lines, *([self.direction.explain()] if self.direction else [])])


def _indices(values: Sequence[int]) -> str:
    """Positions in a sentence: the first of them, if there are many."""
    shown = ", ".join(map(str, values[:MOST_SHOWN]))
    return f"[{shown}{f', ... ({len(values)} in all)' if len(values) > MOST_SHOWN else ''}]"


LARGE: Final = 20_000_000
"""The number of entries of a sample Jacobian beyond which it is ranked modulo a prime only."""


def locally_identifiable_from_samples(
    net: Network, points: Iterable[Iterable[object]], *, progress: Progress | None = None
) -> Verdict:
    r"""Whether nearby parameters with the same values at ``points`` are all rescalings of :math:`\theta`.

    ``unknown`` in the gap between the sufficient and the necessary condition
    (D1, D2), unless a family of equal values settles it; ``inapplicable`` to
    parameters that are not admissible, with the same exception. Large Jacobians are
    ranked modulo a prime, which proves a lower bound
    (:func:`~.large.rank_statement`); then ``progress`` is told the number of samples
    read and the rank so far.

    Raises :class:`~exactrelu.errors.OnKink` at a sample on a kink, and
    :class:`~exactrelu.errors.InvalidInput` without samples or with one twice.

    >>> net = Network.mlp([[[1]], [[1]]], [[0], [0]])  # relu(x)
    >>> locally_identifiable_from_samples(net, [[1], [2], [-1]]).status.value
    'holds'
    >>> print(locally_identifiable_from_samples(net, [[1], [-1]]).family.explain())
    for 0 < t <= 1/4, the same network with
      w[1<-0][0,0] = -t + 1
      b[1][0] = t
    """
    samples = smooth_samples(net, points)
    verdict = _verdict(net, samples, progress)
    return verdict.about("locally_identifiable_from_samples", network=net, samples=samples)


def _verdict(net: Network, samples: list[Vector], progress: Progress | None) -> Verdict:
    claim = f"the parameters are locally identifiable from the values at {len(samples)} sample(s)"
    if not net.is_standard:
        detail = "the theory of ReLU networks does not apply: hidden neurons are not all ReLUs, or outputs not affine"
        return inapplicable(claim, "relu_network", detail)
    first = _admissibility(net)
    if len(samples) * net.output_dim * len(net.parameters) > LARGE:
        return _large_verdict(claim, first, rank_statement(net, samples, progress=progress))
    rows = integer_sample_jacobian(net, samples)
    basis = independent_rows(net, rows)
    if first.status is not Status.HOLDS:
        family = family_on_samples(net, samples, basis)
        return (
            Verdict(claim, Status.INAPPLICABLE, (first,))
            if family is None
            else _refuted(claim, (first,), family, samples)
        )
    full = len(net.parameters) - len(net.hidden_neurons)
    if len(basis) == full:
        detail = f"the rank of the sample Jacobian is {full} = D - h"
        conditions = (first, Condition("sample_jacobian_rank", Status.HOLDS, (), detail))
        return Verdict(claim, Status.HOLDS, conditions, evidence=_ranks(net, rows, len(basis)))
    detail = f"the rank of the sample Jacobian is {len(basis)}, and D - h = {full}"
    short = Condition("sample_jacobian_rank", Status.FAILS, (), detail)
    bound = activation_rank(net, samples)
    gap = _gap(len(basis), bound)
    evidence = _ranks(net, rows, len(basis), bound, _kernel_direction(net, basis))
    family = family_on_samples(net, samples, basis)
    if family is not None:
        return _refuted(claim, (first, short, gap), family, samples, evidence)
    return Verdict(claim, gap.status, (first, short, gap), evidence=evidence)


def _large_verdict(claim: str, first: Condition, statement: RankStatement) -> Verdict:
    """The verdict that bounds of the rank allow."""
    status = Status.UNKNOWN if statement.upper_bound >= statement.full_rank else Status.FAILS
    if statement.lower_bound == statement.full_rank:
        status = Status.HOLDS
    detail = (
        f"the rank of the sample Jacobian lies between {statement.lower_bound} and {statement.upper_bound}, "
        f"and D - h = {statement.full_rank}"
    )
    rank = Condition("sample_jacobian_rank", status, statement.never_active, detail)
    family = statement.family
    witness = None if family is None else family.member(family.last)
    return Verdict(claim, statement.status, (first, rank), statement, witness, family)


def _admissibility(net: Network) -> Condition:
    verdict = admissible(net)
    neurons = tuple(neuron for condition in verdict.conditions for neuron in condition.neurons)
    detail = "; ".join(condition.detail for condition in verdict.conditions if condition.detail)
    return Condition("admissible", verdict.status, neurons, detail)


def _gap(found: int, bound: int) -> Condition:
    """Whether the rank could grow for nearby parameters: if not, the necessary condition fails."""
    if found == bound:
        detail = f"the path activations at the samples have rank {bound} as well, so that rank D - h would be necessary"
        return Condition("sample_rank_gap", Status.FAILS, (), detail)
    detail = f"the path activations at the samples have the larger rank {bound}, where the theory is silent"
    return Condition("sample_rank_gap", Status.UNKNOWN, (), detail)


def _refuted(
    claim: str, conditions: tuple[Condition, ...], family: Family, samples: list[Vector], evidence: object = None
) -> Verdict:
    """The verdict ``fails`` with a family whose members are compared with its base once more."""
    wanted = family.base.values(samples)
    if any(family.member(t).values(samples) != wanted for t in (family.last, family.last / 3)):
        raise RuntimeError("internal error: a family of equal values does not stand up to verification")
    witness = family.member(family.last)
    return Verdict(claim, Status.FAILS, conditions, evidence=evidence, witness=witness, family=family)


def _kernel_direction(net: Network, basis: Sequence[Sequence[int]]) -> KernelDirection:
    """A sparse direction beyond rescalings along which no value changes to first order."""
    kernel = sorted(integer_kernel(basis, len(net.parameters)), key=lambda vector: sum(map(bool, vector)))
    return KernelDirection.of(net, next(vector for vector in kernel if not is_rescaling(net, vector)))


def _ranks(
    net: Network,
    rows: list[list[int]],
    found: int,
    bound: int | None = None,
    direction: KernelDirection | None = None,
) -> SampleRanks:
    for prime in _primes():
        chosen = integer_pivots([list(column) for column in zip(*rows, strict=True)], prime)
        if len(chosen) == found:
            columns = integer_pivots([rows[k] for k in chosen], prime)
            sizes = len(net.parameters), len(net.hidden_neurons)
            return SampleRanks(found, bound, *sizes, tuple(chosen), tuple(columns), prime, direction)
    raise AssertionError("a nonzero minor has finitely many prime factors")


def _primes() -> Iterator[int]:
    """An endless supply: one large prime, then those above a thousand million."""
    yield MERSENNE_61
    for candidate in count(10**9 + 7, 2):
        if all(candidate % q for q in range(3, isqrt(candidate) + 1, 2)):
            yield candidate
