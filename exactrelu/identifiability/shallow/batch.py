r"""Local and global verdicts on many small shallow networks, as statuses only.

The conditions are those of :mod:`.shallow_local` and :mod:`.shallow_global`,
decided on integers without witnesses or sentences, for networks with biases in
both layers on a bounded domain or on all of space. A network is a list of
neurons ``(w_1, ..., w_d, b, v_1, ..., v_k)`` of integers: neurons may be scaled
by positive numbers, and all outputs by a common one, without changing a verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import gcd

from ...equality import hyperplane, opposite, shallow
from ...errors import Undecided, WrongDimension
from ...networks import Network
from ...polyhedra import Domain, as_domain
from ...rationals import common_denominator, scaled_integers
from ...verdicts import Status
from .shallow_global import globally_identifiable
from .shallow_local import dependence
from .zero_sums import NoZeroSum, zero_sum

Neuron = Sequence[int]
Statuses = tuple[Status, Status]
FEW = 10  # up to here all subsets are listed at once


def shallow_statuses(
    networks: Iterable[Sequence[Neuron]], input_dim: int, domain: Domain | str | None = None
) -> list[Statuses]:
    r"""The statuses (local, global) of networks of integers, in order.

    Raises :class:`~exactrelu.errors.Undecided` for unbounded domains other than
    all of space.

    >>> hat = [(1, 1, 1), (1, 0, -2), (1, -1, 1)]
    >>> [tuple(map(str, pair)) for pair in shallow_statuses([hat], 1, "[-2,2]")]
    [('holds', 'fails')]
    """
    domain = as_domain(domain, input_dim)
    domain.require_full_dimensional("verdicts in batches")
    if not (domain.is_space or domain.is_bounded):
        raise Undecided("verdicts in batches need a bounded domain or all of space")
    kinked = _kinked_on_space if domain.is_space else _kinked_on_vertices(domain)
    return [_statuses(neurons, input_dim, domain, kinked) for neurons in networks]


def integer_neurons(net: Network) -> list[tuple[int, ...]]:
    """A shallow network in the form that :func:`shallow_statuses` reads.

    >>> integer_neurons(Network.mlp([[["1/2"]], [["1/3"]]], [[1], [0]]))
    [(1, 2, 1)]
    """
    view = shallow(net)
    scale = common_denominator(entry for output in view.outputs for entry in output)
    return [(*form, *scaled_integers(output, scale)) for form, output in zip(view.forms, view.outputs, strict=True)]


def _kinked_on_space(form: Sequence[int]) -> bool:
    return any(form[:-1])


def _kinked_on_vertices(domain: Domain) -> Callable[[Sequence[int]], bool]:
    corners = []
    for vertex in domain.vertices:
        scale = common_denominator(vertex)
        corners.append((*scaled_integers(vertex, scale), scale))

    def kinked(form: Sequence[int]) -> bool:
        below = above = False
        for corner in corners:
            value = 0
            for entry, coordinate in zip(form, corner, strict=True):
                value += entry * coordinate
            below, above = below or value < 0, above or value > 0
        return below and above

    return kinked


def _statuses(
    neurons: Sequence[Neuron], input_dim: int, domain: Domain, kinked: Callable[[Sequence[int]], bool]
) -> Statuses:
    sides: dict[tuple[int, ...], list[int]] = {}
    for neuron in neurons:
        form, output = neuron[: input_dim + 1], list(neuron[input_dim + 1 :])
        if len(form) <= input_dim or not output:
            raise WrongDimension("neuron", f"must have {input_dim} weights, a bias and at least one output", neuron)
        divisor = gcd(*form)
        if not any(output) or not divisor or not kinked(form):
            return Status.FAILS, Status.FAILS
        primitive = tuple(entry // divisor for entry in form)
        if primitive in sides:
            return Status.FAILS, Status.FAILS
        sides[primitive] = [divisor * entry for entry in output]
    pairs = [form for form in sides if form == hyperplane(form) and opposite(form) in sides]
    if any(all(a + b == 0 for a, b in zip(sides[form], sides[opposite(form)], strict=True)) for form in pairs):
        return Status.FAILS, Status.FAILS
    if len(pairs) > 1 and dependence([form[:-1] for form in pairs]) is not None:
        return Status.FAILS, Status.FAILS
    if not pairs:
        vectors = [[v * w for v in output for w in form[:-1]] for form, output in sides.items()]
        return Status.HOLDS, Status.FAILS if _has_zero_sum(vectors) else Status.HOLDS
    if domain.is_bounded or (len(pairs) > 1 and len(next(iter(sides.values()))) == 1):
        return Status.HOLDS, Status.FAILS
    return Status.HOLDS, globally_identifiable(_network(sides), domain).status


def _has_zero_sum(vectors: list[list[int]]) -> bool:
    if len(vectors) > FEW:
        return not isinstance(zero_sum(vectors), NoZeroSum)
    sums = [vectors[0]]
    zero = [0] * len(vectors[0])
    for vector in vectors[1:]:
        sums += [[a + b for a, b in zip(total, vector, strict=True)] for total in sums] + [vector]
        if zero in sums:
            return True
    return False


def _network(sides: dict[tuple[int, ...], list[int]]) -> Network:
    forms, outputs = list(sides), list(sides.values())
    matrix = [list(column) for column in zip(*outputs, strict=True)]
    return Network.mlp([[form[:-1] for form in forms], matrix], [[form[-1] for form in forms], [0] * len(matrix)])
