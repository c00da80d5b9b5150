r"""The rank of :math:`D\Phi(\theta)` without enumerating paths.

*Upper bound.* Call a vertex *fed* if it is an input, or can be reached along
nonzero edges from an input or a nonzero bias; call it *heard* if it is an
output or reaches one along nonzero edges. A parameter from :math:`u` to
:math:`v` (a bias has no :math:`u`) is *useful* if :math:`u` is fed and
:math:`v` is heard. Then :math:`\ker D\Phi(\theta)` contains

* the unit vector of every useless parameter: each path through it contains
  another zero, so its partial derivative vanishes;
* for every hidden :math:`v` that is fed and heard, the scaling direction
  :math:`\delta_{uv}=w_{uv}`, :math:`\delta_{b_v}=b_v`, :math:`\delta_{vx}=-w_{vx}`
  restricted to useful parameters.

*They are all of it.* A row of :math:`D\Phi` belongs to a path with no zero (1),
one zero (2), or more (the row is 0). Rows (2) are nonzero multiples of unit
vectors at useful zero parameters, and every useful zero parameter has such a
row. Rows (1) involve only the useful nonzero parameters, and these form an
admissible network whose neurons are the fed and heard ones, so that
``embedding_rank_is_parameters_minus_hidden`` (S3) applies to it. Hence

.. math:: \operatorname{rank}D\Phi(\theta)=
   \#\{\text{useful parameters}\}-\#\{\text{fed and heard hidden neurons}\},

for every :math:`\theta`, admissible or not, in time :math:`O(D)`.

*Independent lower bound.* With random :math:`r_e` modulo a prime, the gradient
of :math:`\sum_p\bigl(\prod_{e\in p}r_e\bigr)\Phi_p` is a combination of rows of
:math:`D\Phi`, and one forward and one backward pass compute it. The rank of
many of them modulo the prime never exceeds the rank of :math:`D\Phi(\theta)`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

from ..networks import Network
from ..rationals import MERSENNE_61, Vector, rank_modulo
from ..verdicts import Neuron


def embedding_rank(net: Network) -> int:
    r"""The rank of :math:`D\Phi(\theta)`, exactly, in time linear in the parameters.

    For admissible :math:`\theta` it is :math:`D-h`
    (``embedding_rank_is_parameters_minus_hidden``, S3).

    >>> embedding_rank(Network.mlp([[[1, 2], [2, -1], [-1, 1]], [[1, 2, -3]]], [[1, -1, 2], [1]]))
    10
    >>> embedding_rank(Network.mlp([[[2]], [[0]]], [[3], None]))  # w=2, b=3, v=0
    1
    """
    useful, relayed = _useful(net)
    return sum(useful) - len(relayed)


def embedding_kernel(net: Network) -> tuple[Vector, ...]:
    r"""A basis of :math:`\ker D\Phi(\theta)`: useless parameters, then scalings.

    >>> [[int(entry) for entry in v] for v in embedding_kernel(Network.mlp([[[2]], [[3]]]))]
    [[2, -3]]
    """
    useful, relayed = _useful(net)
    size = len(net.parameters)
    basis = []
    for k in range(size):
        if not useful[k]:
            basis.append(tuple(Fraction(int(k == j)) for j in range(size)))
    for neuron in relayed:
        basis.append(
            tuple(
                parameter.value * ((parameter.target == neuron) - (parameter.source == neuron)) if keep else Fraction(0)
                for parameter, keep in zip(net.parameters, useful, strict=True)
            )
        )
    return tuple(basis)


def embedding_rank_lower_bound(
    net: Network, *, seed: int = 0, prime: int = MERSENNE_61, samples: int | None = None
) -> int:
    r"""The rank modulo a prime of random combinations of rows of :math:`D\Phi(\theta)`.

    A proven lower bound of :func:`embedding_rank` by an independent road;
    ``samples`` combinations are drawn (all that the upper bound allows, plus
    eight). Denominators divisible by the prime are refused.

    >>> embedding_rank_lower_bound(Network.mlp([[[2]], [[3]]], [[1], [1]]))
    3
    """
    draw = random.Random(seed)
    count = embedding_rank(net) + 8 if samples is None else samples
    values = [_modular(parameter.value, prime) for parameter in net.parameters]
    steps = [(parameter.source, parameter.target) for parameter in net.parameters]
    rows = [_path_gradient(net, steps, values, [draw.randrange(1, prime) for _ in values], prime) for _ in range(count)]
    return rank_modulo(rows, prime)


def _path_gradient(
    net: Network,
    steps: Sequence[tuple[Neuron | None, Neuron]],
    values: Sequence[int],
    factors: Sequence[int],
    prime: int,
) -> list[int]:
    """The gradient of the sum of all path products, each weighted by its product of factors."""
    forward = {(0, j): 1 for j in range(net.input_dim)}
    for (source, target), value, factor in zip(steps, values, factors, strict=True):
        before = 1 if source is None else forward.get(source, 0)
        forward[target] = (forward.get(target, 0) + before * value * factor) % prime
    backward = {(net.depth, i): 1 for i in range(net.output_dim)}
    for (source, target), value, factor in zip(reversed(steps), reversed(values), reversed(factors), strict=True):
        if source is not None:
            backward[source] = (backward.get(source, 0) + backward.get(target, 0) * value * factor) % prime
    return [
        (1 if source is None else forward.get(source, 0)) * factor * backward.get(target, 0) % prime
        for (source, target), factor in zip(steps, factors, strict=True)
    ]


def _useful(net: Network) -> tuple[list[bool], list[Neuron]]:
    """Which parameters are useful, and the hidden neurons that are fed and heard."""
    parameters = net.parameters
    fed: set[Neuron] = {(0, j) for j in range(net.input_dim)}
    for parameter in parameters:
        if parameter.value and (parameter.source is None or parameter.source in fed):
            fed.add(parameter.target)
    heard: set[Neuron] = {(net.depth, i) for i in range(net.output_dim)}
    for parameter in reversed(parameters):
        if parameter.value and parameter.target in heard and parameter.source is not None:
            heard.add(parameter.source)
    useful = [(p.source is None or p.source in fed) and p.target in heard for p in parameters]
    return useful, [neuron for neuron in net.hidden_neurons if neuron in fed and neuron in heard]


def _modular(value: Fraction, prime: int) -> int:
    return value.numerator * pow(value.denominator, -1, prime) % prime
