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

from fractions import Fraction
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from ..errors import InvalidNumber
from ..networks import Network
from ..rationals import Vector, rank_modulo
from ..verdicts import Neuron
from .reachability import fed_and_heard

IntegerArray: TypeAlias = npt.NDArray[np.int64]
PRIMES: Final = (2**31 - 1, 2**31 - 19, 2**31 - 61, 2**31 - 69)
"""The four largest primes below 2**31."""


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


def embedding_rank_lower_bound(net: Network, *, seed: int = 0, samples: int | None = None) -> int:
    r"""The rank modulo a prime of random combinations of rows of :math:`D\Phi(\theta)`.

    A proven lower bound of :func:`embedding_rank` by an independent road;
    ``samples`` combinations are drawn (all that the upper bound allows, plus
    eight). The prime is the first of a few below :math:`2^{31}` that divides no
    denominator.

    Raises :class:`~exactrelu.errors.InvalidNumber` if each of them divides one.

    >>> embedding_rank_lower_bound(Network.mlp([[[2]], [[3]]], [[1], [1]]))
    3
    """
    prime = _good_prime(net)
    count = embedding_rank(net) + 8 if samples is None else samples
    return rank_modulo(_path_gradients(net, prime, count, seed).tolist(), prime)


def _good_prime(net: Network) -> int:
    denominators = [parameter.value.denominator for parameter in net.parameters]
    for prime in PRIMES:
        if all(denominator % prime for denominator in denominators):
            return prime
    raise InvalidNumber("network", f"must have denominators prime to one of {PRIMES}")


def _path_gradients(net: Network, prime: int, count: int, seed: int) -> IntegerArray:
    r"""Gradients of :math:`\sum_p(\prod_{e\in p}r_e)\Phi_p` modulo the prime, one row per random :math:`r`.

    All rows go through the network together. Residues are below :math:`2^{31}`,
    so no product overflows 64 bits.
    """
    parameters = net.parameters
    factors = np.random.default_rng(seed).integers(1, prime, size=(len(parameters), count), dtype=np.int64)
    weights = [_modular(p.value, prime) * factor % prime for p, factor in zip(parameters, factors, strict=True)]
    one, zero = np.ones(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    forward: dict[Neuron | None, IntegerArray] = {None: one, **{(0, j): one for j in range(net.input_dim)}}
    for parameter, weight in zip(parameters, weights, strict=True):
        before = forward.get(parameter.source, zero)
        forward[parameter.target] = (forward.get(parameter.target, zero) + before * weight) % prime
    backward: dict[Neuron, IntegerArray] = {(net.depth, i): one for i in range(net.output_dim)}
    for parameter, weight in zip(reversed(parameters), reversed(weights), strict=True):
        if parameter.source is not None:
            after = backward.get(parameter.target, zero)
            backward[parameter.source] = (backward.get(parameter.source, zero) + after * weight) % prime
    columns = [
        forward.get(parameter.source, zero) * factor % prime * backward.get(parameter.target, zero) % prime
        for parameter, factor in zip(parameters, factors, strict=True)
    ]
    return np.stack(columns, axis=1) if columns else np.zeros((count, 0), dtype=np.int64)


def _useful(net: Network) -> tuple[list[bool], list[Neuron]]:
    """Which parameters are useful, and the hidden neurons that are fed and heard."""
    fed, heard = fed_and_heard(net, [bool(parameter.value) for parameter in net.parameters])
    useful = [parameter.source in fed and parameter.target in heard for parameter in net.parameters]
    return useful, [neuron for neuron in net.hidden_neurons if neuron in fed and neuron in heard]


def _modular(value: Fraction, prime: int) -> int:
    return value.numerator * pow(value.denominator, -1, prime) % prime
