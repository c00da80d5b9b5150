r"""Segments of parameters along which the values at given samples stay the same.

Call a set of parameters an *antichain* if no path contains two of them: all
biases together, for example, or the weights into one layer together with all
biases from there on. Along a direction supported on an antichain
:math:`\Phi(\theta+t\delta)` is affine in :math:`t`, hence so are the values at
samples as long as no pre-activation changes its sign
(``realization_is_linear_in_embedding``, L1). So if their derivative vanishes,
they are constant: every kernel direction of the sample Jacobian on an antichain
gives a segment of equal values. In any case the values are polynomials in
:math:`t`, and whether these are constant is decided by their coefficients.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final

import numpy as np

from ...networks import Family, Network
from ...networks.patterns import bending_neurons
from ...rationals import Vector, integer_kernel, primitive_integers, rational_vector
from ...symmetries import permutation_scaling_equivalent
from ...symmetries.scaling import rescalable
from ...verdicts import Neuron, Status
from .jacobian import smooth_samples
from .row_span import kernel_on
from .tape import Integers, Tape, gates, point_columns, sign_array

MOST_HALVINGS: Final = 60
"""How often a segment is halved because its end is equivalent to its beginning."""


def linear_family_on_samples(
    net: Network, points: Iterable[Iterable[object]], direction: Iterable[object]
) -> Family | None:
    r"""The family :math:`\theta+t\delta`, :math:`0\le t\le` ``last``, if its values at all samples stay the same.

    ``direction`` has one number per parameter and is scaled to a primitive
    integer vector. ``None`` if the values change, or if the direction is an
    infinitesimal rescaling. Otherwise no pre-activation at a sample changes its
    sign, members for small :math:`t` are not permutation-scaling equivalent to
    :math:`\theta`, and the last one is proved not to be.

    >>> net = Network.mlp([[[1]], [[1]], [[1]]], [[0], [-1], None])  # relu(relu(x) - 1)
    >>> family = linear_family_on_samples(net, [[2], [3], [-1]], [0, 1, 0, -1, 0])
    >>> print(family.explain())
    for 0 < t <= 1/2, the same network with
      b[1][0] = t
      b[2][0] = -t - 1
    """
    samples = smooth_samples(net, points)
    exact = rational_vector(direction, "direction", length=len(net.parameters))
    step = primitive_integers(exact)
    if is_rescaling(net, step):
        return None
    bending, outputs = _polynomials(net, samples, step)
    if outputs[:, :, 1:].any():
        return None
    last = _steady(bending)
    for _ in range(MOST_HALVINGS):
        pairs = zip(net.parameters, step, strict=True)
        numerators = tuple((parameter.value, Fraction(entry)) for parameter, entry in pairs)
        family = Family(net, numerators, ((Fraction(1),),) * len(numerators), last)
        if permutation_scaling_equivalent(net, family.member(last)).status is Status.FAILS:
            return family
        last /= 2
    return None


def family_on_samples(net: Network, samples: list[Vector], rows: Sequence[Sequence[int]]) -> Family | None:
    r"""Some such family, if a kernel direction on an antichain or one of the kernel basis gives one.

    ``rows`` are integer rows with the span of the sample Jacobian at ``samples``.
    Sparse directions are tried before others.
    """
    for group in _candidates(net, rows):
        for direction in sorted(group, key=lambda vector: (sum(map(bool, vector)), max(map(abs, vector)))):
            family = linear_family_on_samples(net, samples, direction)
            if family is not None:
                return family
    return None


def is_rescaling(net: Network, direction: Sequence[int]) -> bool:
    r"""Whether a direction is an infinitesimal rescaling.

    That is :math:`\delta_{uv}=w_{uv}(\mu_v-\mu_u)`, :math:`\delta_{b_v}=b_v\mu_v`
    with :math:`\mu=0` on inputs and outputs. If the direction of a segment is
    none, its members are not permutation-scaling equivalent to :math:`\theta` for
    small :math:`t>0`: else the logarithms of all nonzero parameters, on which
    rescalings form a linear space, would move within that space.

    >>> net = Network.mlp([[[2]], [[3]]])
    >>> is_rescaling(net, [2, -3]), is_rescaling(net, [1, 0])
    (True, False)
    """
    if any(step and not parameter.value for parameter, step in zip(net.parameters, direction, strict=True)):
        return False
    equations = [
        (rescalable(net, parameter.source), rescalable(net, parameter.target), step / parameter.value)
        for parameter, step in zip(net.parameters, direction, strict=True)
        if parameter.value
    ]
    steps: dict[Neuron | None, list[tuple[Neuron | None, Fraction]]] = {}
    for source, target, rate in equations:
        steps.setdefault(source, []).append((target, rate))
        steps.setdefault(target, []).append((source, -rate))
    rates: dict[Neuron | None, Fraction] = {}
    for start in (None, *net.hidden_neurons):
        if start not in rates:
            rates[start] = Fraction(0)
            waiting = [start]
            while waiting:
                here = waiting.pop()
                for there, rate in steps.get(here, ()):
                    if there not in rates:
                        rates[there] = rates[here] + rate
                        waiting.append(there)
    return all(rates[target] - rates[source] == rate for source, target, rate in equations)


def _candidates(net: Network, rows: Sequence[Sequence[int]]) -> Iterator[list[list[int]]]:
    """Kernel directions on antichains, then all of a basis.

    The antichains: the parameters at which paths start, and for every layer the
    weights into it with all biases from there on.
    """
    parameters = net.parameters
    antichains = [[k for k, p in enumerate(parameters) if p.source is None or p.source[0] == 0]] + [
        [k for k, p in enumerate(parameters) if p.target[0] == layer or (p.source is None and p.target[0] > layer)]
        for layer in range(1, net.depth + 1)
    ]
    yield [vector for columns in antichains for vector in kernel_on(rows, columns, len(parameters))]
    yield integer_kernel(rows, len(parameters))


def _polynomials(net: Network, samples: list[Vector], step: Sequence[int]) -> tuple[Integers, Integers]:
    r"""Coefficients in :math:`t` along :math:`\theta+t\delta` while patterns last, each times a positive factor.

    Those of the pre-activations that have a sign (one line each), and those of
    the outputs, of shape (samples, outputs, degree + 1).
    """
    tape, velocity = Tape(net), Tape(net.with_values([Fraction(entry) for entry in step]))
    start = np.zeros((len(samples), net.input_dim + 1, net.depth + 1), object)
    start[:, :, :1] = point_columns(samples)[0]
    values, heights, bending = [start[:, :-1]], start[:, -1:], []
    opened = gates(net, sign_array(net.patterns(samples)))
    for number, layer in enumerate(net.layers):
        sums = np.zeros((len(samples), layer.width, net.depth + 1), object)
        for (source, block), (_, move) in zip(tape.layers[number], velocity.layers[number], strict=True):
            value = tape.lift(source, number) * (heights if source is None else values[source])
            sums += block @ value
            sums[:, :, 1:] += net.integer_form.denominators[number] * (move @ value[:, :, :-1])
        bends = bending_neurons(layer)
        bending.append(sums[:, bends].reshape(-1, net.depth + 1))
        values.append(opened[number][:, :, None] * sums)
    return np.concatenate(bending), values[-1]


def _steady(polynomials: Integers) -> Fraction:
    r"""Some :math:`2^{-m}` up to which polynomials with nonzero constants keep their signs.

    They do while :math:`|c_0|>\sum_{k\ge1}|c_k|t^k`.
    """
    lines = [[abs(entry) for entry in line] for line in polynomials.tolist() if any(line[1:])]
    halvings = 0
    for first, *others in lines:
        # times 2^(degree * halvings)
        while first << (halvings * len(others)) <= sum(
            entry << (halvings * (len(others) - k)) for k, entry in enumerate(others, start=1)
        ):
            halvings += 1
    return Fraction(1, 2**halvings)
