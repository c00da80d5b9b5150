r"""What a sample says about a large network: the rank of its Jacobian, between two proven bounds.

Theory: ``sample_jacobian_rank_suffices`` (D1). For ordinary sizes the rank of
:math:`\Gamma(X,\theta)` is found over the rationals; here thousands of rows and
columns are handled modulo a prime, which proves a lower bound.

*Upper bound.* Call a parameter *seen* if at some sample its source is active (inputs
and the constant of a bias always are) and a path of active neurons leads from its
target to an output. The column of an unseen parameter is 0. Call a hidden neuron
*heard* if it is active on such a path. Rescaling :math:`v` changes no value, so
:math:`\delta_v` with :math:`\delta_{uv}=w_{uv}`, :math:`\delta_{b_v}=b_v`,
:math:`\delta_{vx}=-w_{vx}` lies in the kernel, and so does its restriction to seen
parameters. For the heard :math:`v` these are independent: the pre-activation of
:math:`v` is positive at a sample where it is heard, so a nonzero seen parameter leads to
:math:`v` from an input, a constant or another heard neuron; in a vanishing combination
:math:`\sum_v\mu_v\delta_v` it says :math:`\mu_v=\mu_u` (with :math:`\mu=0` at inputs and
constants), and so all :math:`\mu_v` vanish, layer after layer. Hence

.. math:: \operatorname{rank}\Gamma\le\#\{\text{seen parameters}\}-\#\{\text{heard hidden neurons}\}.

*Unseen parameters.* Moving one of them a little moves no value at any sample. For
admissible :math:`\theta` this is no rescaling: if :math:`M` is the set of neurons that
are rescaled, some nonzero parameter enters :math:`M` and another one leaves it. So
:math:`\theta` is not locally identifiable from the sample.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from ...errors import HypothesisNotMet, InvalidInput
from ...networks import Family, Network, Pattern
from ...networks.evaluation import as_points
from ...paths import admissible
from ...rationals.modular_elimination import ModularBasis, NonzeroMinor, good_prime
from ...verdicts import Neuron, Status, neuron_list
from .jacobian import smooth_patterns
from .modular_jacobian import ModularNetwork

Flags: TypeAlias = npt.NDArray[np.bool_]
Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of samples read and the rank of their Jacobian."""

CHUNK: Final = 512  # rows of the Jacobian that are computed together
PATIENCE: Final = 4  # chunks without a gain after which a statement that is decided anyway asks no further


@dataclass(frozen=True, slots=True)
class RankStatement:
    r"""Bounds for the rank of :math:`\Gamma(X,\theta)`, and what they say about local identifiability.

    ``minor`` is nonzero modulo its prime; row :math:`kn+o` belongs to output ``o`` (of
    :math:`n`) at sample ``k``. ``unseen`` names the parameters on which no value
    depends near :math:`\theta`, ``never_active`` and ``always_active`` the hidden
    neurons that are off, or on, at every sample. ``family`` moves an unseen parameter.
    """

    status: Status
    samples: int
    parameters: int
    hidden_neurons: int
    upper_bound: int
    minor: NonzeroMinor
    unseen: tuple[str, ...]
    never_active: tuple[Neuron, ...]
    always_active: tuple[Neuron, ...]
    family: Family | None = None

    @property
    def lower_bound(self) -> int:
        """The size of the minor."""
        return self.minor.rank

    @property
    def full_rank(self) -> int:
        """The rank :math:`D-h`, at which the sample identifies the network locally."""
        return self.parameters - self.hidden_neurons

    def explain(self) -> str:
        """The statement in a few lines."""
        low, high = self.lower_bound, self.upper_bound
        rank = f"rank {low}" if low == high else f"a rank between {low} and {high}"
        lines = [
            f"{self.status.value}: locally identifiable from {self.samples} samples",
            f"  the sample Jacobian has {rank}; D - h = {self.parameters} - {self.hidden_neurons} = {self.full_rank}",
            f"  {self.minor.explain()}",
        ]
        for neurons, word in ((self.never_active, "inactive"), (self.always_active, "active")):
            if neurons:
                lines.append(f"  {len(neurons)} neuron(s) {word} at every sample: {neuron_list(neurons)}")
        if self.unseen:
            named = ", ".join(self.unseen[:5]) + (", ..." if len(self.unseen) > 5 else "")
            lines.append(f"  {len(self.unseen)} parameter(s) on which no value depends: {named}")
        if self.family is not None:
            lines.append(f"  equal values {self.family.explain()}")
        return "\n".join(lines)


def rank_statement(
    net: Network, points: Iterable[Iterable[object]], *, prime: int | None = None, progress: Progress | None = None
) -> RankStatement:
    r"""The rank of the sample Jacobian of a large network at ``points``, as far as it can be proven modulo a prime.

    ``holds`` if the rank is :math:`D-h` (D1), ``fails`` if some parameter is unseen,
    ``inapplicable`` if :math:`\theta` is not admissible, and ``unknown`` otherwise.
    Samples are read in their order until the bounds meet, or, when a parameter is
    unseen, until the rank has ceased to grow.

    Raises :class:`~exactrelu.errors.OnKink` at a sample on a kink,
    :class:`~exactrelu.errors.InvalidInput` without samples,
    :class:`~exactrelu.errors.HypothesisNotMet` unless hidden neurons are ReLUs and outputs affine.

    >>> net = Network.mlp([[[1]], [[1]]], [[0], [0]])  # relu(x)
    >>> rank_statement(net, [[1], [2], [-1]]).status.value
    'holds'
    >>> print(rank_statement(net, [[-1], [-2]]).explain())
    fails: locally identifiable from 2 samples
      the sample Jacobian has rank 1; D - h = 4 - 1 = 3
      a minor of 1 rows is nonzero modulo 8388593
      1 neuron(s) inactive at every sample: (1,0)
      3 parameter(s) on which no value depends: w[1<-0][0,0], b[1][0], w[2<-1][0,0]
      equal values for 0 < t <= 1, the same network with
      w[2<-1][0,0] = -t + 1
    """
    if not net.is_standard:
        raise HypothesisNotMet("network", "must have ReLU hidden neurons and affine outputs")
    samples = as_points(net, points)
    if not samples:
        raise InvalidInput("points", "must contain at least one sample")
    patterns = smooth_patterns(net, samples)
    activity = _activity(net, patterns)
    seen = _seen(net, activity)
    upper = sum(seen) - len(_heard(net, seen))
    if prime is None:
        prime = good_prime(value for vector in (*samples, [p.value for p in net.parameters]) for value in vector)
    modular, basis = ModularNetwork(net, prime), ModularBasis(len(net.parameters), prime)
    step = max(1, CHUNK // net.output_dim)
    idle = 0
    for start in range(0, len(samples), step):
        chunk, before = slice(start, start + step), basis.rank
        basis.extend(modular.jacobian(samples[chunk], patterns[chunk]))
        if progress is not None:
            progress(min(start + step, len(samples)), basis.rank)
        idle = 0 if basis.rank > before else idle + 1
        if basis.rank == upper or (not all(seen) and idle == PATIENCE):
            break
    return _statement(net, activity, seen, upper, basis.minor, len(samples))


def _statement(
    net: Network, activity: Sequence[Flags], seen: Sequence[bool], upper: int, minor: NonzeroMinor, samples: int
) -> RankStatement:
    hidden = len(net.hidden_neurons)
    family = None
    if admissible(net).status is not Status.HOLDS:
        status = Status.INAPPLICABLE
    elif minor.rank == len(net.parameters) - hidden:
        status = Status.HOLDS
    elif not all(seen):
        status, family = Status.FAILS, _family(net, activity)
    else:
        status = Status.UNKNOWN
    unseen = tuple(p.name for p, flag in zip(net.parameters, seen, strict=True) if not flag)
    on = [activity[layer][:, index] for layer, index in net.hidden_neurons]
    never = tuple(neuron for neuron, flags in zip(net.hidden_neurons, on, strict=True) if not flags.any())
    always = tuple(neuron for neuron, flags in zip(net.hidden_neurons, on, strict=True) if flags.all())
    return RankStatement(status, samples, len(net.parameters), hidden, upper, minor, unseen, never, always, family)


def _activity(net: Network, patterns: Sequence[Pattern]) -> list[Flags]:
    """Which neurons are active, one array (samples, neurons) per layer, inputs and outputs included."""
    hidden = [
        np.array([pattern.signs[k] for pattern in patterns]).reshape(len(patterns), -1) > 0
        for k in range(net.depth - 1)
    ]
    ends = [np.ones((len(patterns), size), dtype=bool) for size in (net.input_dim, net.output_dim)]
    return [ends[0], *hidden, ends[1]]


def _seen(net: Network, activity: Sequence[Flags]) -> list[bool]:
    """Whether a parameter is seen, for all parameters in their order."""
    counts = [flags.astype(np.float32) for flags in activity]  # whole numbers, exact up to 2**24
    heard = [np.zeros_like(flags) for flags in counts]
    heard[-1] += 1
    for number in range(net.depth, 0, -1):
        heard[number] = counts[number] * (heard[number] > 0)
        for source, block in net.layers[number - 1].blocks:
            heard[source] += heard[number] @ _present(block).astype(np.float32)
    result: list[bool] = []
    for number, layer in enumerate(net.layers, start=1):
        for source, block in layer.blocks:
            together = heard[number].T @ counts[source]
            result += [bool(count) for count in together[_present(block)]]
        if layer.bias is not None:
            result += (heard[number].sum(axis=0) > 0).tolist()
    return result


def _present(block: Sequence[Sequence[Fraction | None]]) -> Flags:
    return np.array([[entry is not None for entry in row] for row in block])


def _heard(net: Network, seen: Sequence[bool]) -> set[Neuron]:
    """The hidden neurons to which a seen parameter leads."""
    return {p.target for p, flag in zip(net.parameters, seen, strict=True) if flag and p.target[0] < net.depth}


def _family(net: Network, activity: Sequence[Flags]) -> Family | None:
    """Lower a weight whose target is off wherever its source is on, or a bias: the target stays off there.

    Weights from inputs are left alone, since inputs may be negative.
    """
    biases = []
    for k, parameter in enumerate(net.parameters):
        target = activity[parameter.target[0]][:, parameter.target[1]]
        if parameter.source is None:
            biases += [] if target.any() else [k]
        elif parameter.source[0] and not (activity[parameter.source[0]][:, parameter.source[1]] & target).any():
            return _lowered(net, k)
    return _lowered(net, biases[0]) if biases else None


def _lowered(net: Network, position: int) -> Family:
    return Family.segment(net, net.with_values([p.value - (k == position) for k, p in enumerate(net.parameters)]))
