r"""Why the functional dimension falls short of the number of parameters, direction by direction.

The kernel of all sample Jacobians consists of the directions along which no
value changes to first order. :func:`explain_kernel` gives a basis in which as
many directions as possible have a reason (:mod:`.kernel_causes`): rescalings
first, then dead neurons, clones and so on. Theory: sections 2 and 3; the number
of directions is :math:`D` minus the functional dimension.

>>> net = Network.mlp([[[1], [2]], [[1, 1]]], [[0, 0], [0]])  # relu(x) + relu(2 x)
>>> explain_kernel(net).counts
{'scaling': 2, 'clones': 2}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from ...errors import InvalidInput
from ...networks import Network, Pattern
from ...polyhedra import Domain
from ...rationals import IntegerMatrix, integer_kernel, integer_pivots, primitive, primitive_integers
from ...regions import activation_regions
from ...verdicts import Neuron, text
from ..jacobians.functional_dimension import jacobian_basis
from ..jacobians.jacobian import integer_sample_jacobian, smooth_samples
from ..jacobians.kernel_direction import named_entries
from .activity import Activity
from .directions import Candidate, Kind
from .kernel_causes import candidates, dependent_effects, dependent_values

Proposed: TypeAlias = tuple[Candidate, list[int]]
"""A proposal with its direction in coprime integers."""


@dataclass(frozen=True, slots=True)
class ExplainedDirection:
    r"""A direction :math:`\delta` with :math:`\Gamma\delta=0` at every smooth point, and the reason for it.

    ``entries`` pairs the names of parameters with their nonzero components,
    coprime integers; ``neurons`` are those the reason is about.
    """

    entries: tuple[tuple[str, Fraction], ...]
    kind: Kind
    neurons: tuple[Neuron, ...]
    text: str

    def explain(self) -> str:
        """The direction and its reason in one line."""
        shown = ", ".join(f"{name}: {text(value)}" for name, value in self.entries)
        return f"[{self.kind.value}] {self.text}; {shown}"


@dataclass(frozen=True, slots=True)
class KernelExplanation:
    r"""A basis of :math:`\ker\Gamma`, explained as far as possible.

    ``parameters`` is :math:`D`, ``rank`` that of all sample Jacobians together,
    and there are ``parameters - rank`` independent directions.
    """

    parameters: int
    rank: int
    directions: tuple[ExplainedDirection, ...]

    @property
    def counts(self) -> dict[str, int]:
        """The number of directions of every kind that occurs, in the order of :class:`Kind`."""
        found = Counter(direction.kind for direction in self.directions)
        return {kind.value: found[kind] for kind in Kind if found[kind]}

    def of_kind(self, kind: str) -> tuple[ExplainedDirection, ...]:
        """The directions of one kind.

        Raises :class:`~exactrelu.errors.InvalidInput` for a kind that does not exist.
        """
        if kind not in set(Kind):
            raise InvalidInput("kind", f"must be one of {', '.join(Kind)}", kind)
        return tuple(direction for direction in self.directions if direction.kind == kind)

    def explain(self) -> str:
        """A headline, and a line for every direction."""
        size = len(self.directions)
        headline = f"rank {self.rank} = {self.parameters} parameters - {size} direction(s) that change no value"
        return "\n".join([headline, *(f"  {direction.explain()}" for direction in self.directions)])


def explain_kernel(net: Network, domain: Domain | str | None = None, *, budget: int | None = None) -> KernelExplanation:
    r"""A basis of the :math:`\delta` with :math:`\Gamma(X,\theta)\delta=0` for all smooth samples, with reasons.

    The samples :math:`X` are those of ``domain``, all of :math:`\mathbb R^d` by
    default. Every direction has been multiplied with all sample Jacobians.

    Raises :class:`~exactrelu.errors.BudgetExceeded` beyond ``budget`` regions.

    >>> net = Network.mlp([[[1]], [[1]], [[1]]], [[0], [-1], None])  # relu(relu(x) - 1)
    >>> print(explain_kernel(net).of_kind("absorbed_bias")[0].explain())
    [absorbed_bias] neuron (1, 0) is active wherever its children are heard: they take up its bias;
    b[1][0]: 1, b[2][0]: -1
    """
    complex = activation_regions(net, domain, budget=budget)
    smooth = [pattern for pattern in complex.patterns if not any(0 in group for group in pattern.signs)]
    return _explanation(net, smooth, jacobian_basis(complex))


def explain_sample_kernel(net: Network, points: Iterable[Iterable[object]]) -> KernelExplanation:
    r"""A basis of :math:`\ker\Gamma(X,\theta)` for a finite sample :math:`X`, with reasons.

    Raises :class:`~exactrelu.errors.OnKink` if a pre-activation vanishes at a
    point, :class:`~exactrelu.errors.InvalidInput` if there are no points.

    >>> net = Network.mlp([[[1]], [[2]]], [[0], [0]])  # 2 relu(x)
    >>> explain_sample_kernel(net, [[1], [3]]).counts
    {'scaling': 1, 'absorbed_bias': 1}
    """
    samples = smooth_samples(net, points)
    rows = integer_sample_jacobian(net, samples)
    independent = integer_pivots([list(column) for column in zip(*rows, strict=True)])
    patterns = list(dict.fromkeys(net.patterns(samples)))
    return _explanation(net, patterns, [rows[k] for k in independent])


def _explanation(net: Network, patterns: Sequence[Pattern], rows: Sequence[Sequence[int]]) -> KernelExplanation:
    """Keep the proposals that the rows annihilate, as long as they are independent; then fill up with the kernel."""
    size = len(net.parameters)
    activity = Activity(net, patterns)
    chosen = _extended([], candidates(activity), rows, size)
    for reason in (dependent_values, dependent_effects):
        if patterns and len(chosen) < size - len(rows):
            chosen = _extended(chosen, reason(activity, rows), rows, size)
    directions = [ExplainedDirection(named_entries(net, column), r.kind, r.neurons, r.text) for r, column in chosen]
    if len(chosen) < size - len(rows):
        known = [column for _, column in chosen]
        directions += [_unexplained(net, patterns, column) for column in _complement(rows, known, size)]
    return KernelExplanation(size, len(rows), tuple(directions))


def _extended(
    chosen: list[Proposed], proposals: Iterable[Candidate], rows: Sequence[Sequence[int]], size: int
) -> list[Proposed]:
    """The directions chosen so far, with each proposal in the kernel that is independent of all before it."""
    fresh = [(proposal, _dense(proposal, size)) for proposal in proposals if proposal.entries]
    good = _annihilated(rows, [column for _, column in fresh], size)
    everything = chosen + [item for item, kept in zip(fresh, good, strict=True) if kept]
    return [everything[k] for k in _leading([column for _, column in everything])]


def _annihilated(rows: Sequence[Sequence[int]], columns: Sequence[Sequence[int]], size: int) -> list[bool]:
    """For every column whether all rows vanish on it."""
    if not rows or not columns:
        return [True] * len(columns)
    products = IntegerMatrix(rows, size).times([list(row) for row in zip(*columns, strict=True)], len(columns))
    return [not any(values) for values in zip(*products, strict=True)]


def _leading(columns: Sequence[Sequence[int]]) -> list[int]:
    """The columns that are independent of those before them."""
    return integer_pivots([list(row) for row in zip(*columns, strict=True)])


def _complement(rows: Sequence[Sequence[int]], known: Sequence[list[int]], size: int) -> list[list[int]]:
    """Vectors of the kernel, those with few entries first, that complete the known ones to a basis.

    Each of the basis has a place where all others are 0: the entries there are coordinates, up to factors.
    """
    fresh = sorted(integer_kernel(rows, size), key=lambda vector: sum(map(bool, vector)))
    shared = [sum(map(bool, entries)) > 1 for entries in zip(*fresh, strict=True)]
    places = [next(k for k, entry in enumerate(vector) if entry and not shared[k]) for vector in fresh]
    units = [[int(i == j) for j in range(len(fresh))] for i in range(len(fresh))]
    chosen = _leading([*([vector[k] for k in places] for vector in known), *units])[len(known) :]
    return [list(primitive(fresh[k - len(known)])) for k in chosen]


def _dense(proposal: Candidate, size: int) -> list[int]:
    """The coprime integers on the ray of a direction."""
    column = [0] * size
    for k, entry in zip(proposal.entries, primitive_integers(tuple(proposal.entries.values())), strict=True):
        column[k] = entry
    return column


def _unexplained(net: Network, patterns: Sequence[Pattern], column: Sequence[int]) -> ExplainedDirection:
    moved = [p for p, entry in zip(net.parameters, column, strict=True) if entry]
    neurons = tuple(sorted({p.target for p in moved if p.target[0] < net.depth}))
    reason = "no reason of a known kind" if patterns else "there is no smooth point: some neuron is 0 on every region"
    return ExplainedDirection(named_entries(net, column), Kind.UNEXPLAINED, neurons, reason)
