r"""Sample Jacobians :math:`\Gamma(X,\theta)` modulo a prime, all samples at once.

A prime :math:`p` that divides no denominator of :math:`\theta` and :math:`X` carries
every entry of :math:`\Gamma(X,\theta)` into :math:`\mathbb F_p`. With the gates
:math:`g_v\in\{0,1\}` of the given patterns, one forward pass gives the values
:math:`a_v=g_v(b_v+\sum_uw_{uv}a_u)` and one backward pass, for all outputs together,
the sensitivities :math:`s_v=g_v\sum_xw_{vx}s_x`; the derivative of the output by
:math:`w_{uv}` is :math:`a_us_v`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ...errors import InvalidNumber, WrongDimension
from ...networks import Network, Pattern
from ...networks.patterns import slopes
from ...rationals import Vector
from ...rationals.modular_elimination import PRIMES, Residues, check_prime, multiply_modulo, reduce_modulo, residues

Indices: TypeAlias = npt.NDArray[np.intp]


class ModularNetwork:
    """The parameters of a network modulo a prime, ready for the Jacobians of many samples.

    Raises :class:`~exactrelu.errors.InvalidNumber` if the prime divides a denominator.
    """

    __slots__ = ("_biases", "_blocks", "network", "prime")

    def __init__(self, net: Network, prime: int = PRIMES[0]) -> None:
        check_prime(prime)
        self.network = net
        self.prime = prime
        self._blocks: list[list[tuple[int, Residues, tuple[Indices, Indices]]]] = []
        self._biases: list[Residues | None] = []
        for number, layer in enumerate(net.layers, start=1):
            blocks = []
            for source, block in layer.blocks:
                weights = self._residues([[entry or 0 for entry in row] for row in block], f"layer {number}")
                rows, columns = np.nonzero([[entry is not None for entry in row] for row in block])
                blocks.append((source, weights, (rows, columns)))
            self._blocks.append(blocks)
            self._biases.append(None if layer.bias is None else self._residues([layer.bias], f"layer {number}"))

    def jacobian(self, points: Sequence[Vector], patterns: Sequence[Pattern]) -> Residues:
        r"""The rows of :math:`\Gamma`, sample by sample and output by output, one column per parameter.

        Each sample is taken as if its pattern were the given one; a sign 0 counts
        as not active.

        >>> net = Network.mlp([[[1]], [[2]]], [[0], [0]])
        >>> ModularNetwork(net).jacobian([(3,)], [net.pattern([3])])
        array([[6., 2., 3., 1.]])
        """
        if len(points) != len(patterns):
            raise WrongDimension("patterns", f"must have {len(points)} entries, one per point", len(patterns))
        gates = self._gates(patterns)
        values = self._values(points, gates)
        sensitivities = self._sensitivities(gates)
        count, outputs = len(points), self.network.output_dim
        result = np.empty((count, outputs, len(self.network.parameters)))
        start = 0
        for blocks, bias, sensitivity in zip(self._blocks, self._biases, sensitivities, strict=True):
            for source, _, (rows, columns) in blocks:
                part = result[:, :, start : start + len(rows)]
                np.multiply(sensitivity[:, :, rows], values[source][:, None, columns], out=part)
                reduce_modulo(part, self.prime)
                start += len(rows)
            if bias is not None:
                result[:, :, start : start + bias.shape[1]] = sensitivity
                start += bias.shape[1]
        return result.reshape(count * outputs, -1)

    def _gates(self, patterns: Sequence[Pattern]) -> list[Residues]:
        """The slopes of all neurons, one array (samples, neurons) per layer."""
        found = [slopes(self.network, pattern) for pattern in patterns]
        return [
            np.array([gates[number] for gates in found], dtype=np.float64).reshape(len(found), layer.width)
            for number, layer in enumerate(self.network.layers)
        ]

    def _values(self, points: Sequence[Vector], gates: Sequence[Residues]) -> list[Residues]:
        values = [self._residues(points, "points").reshape(len(points), self.network.input_dim)]
        for blocks, bias, gate in zip(self._blocks, self._biases, gates, strict=True):
            total = np.zeros_like(gate) if bias is None else np.repeat(bias, len(points), axis=0)
            for source, weights, _ in blocks:
                total += multiply_modulo(values[source], weights.T, self.prime)
                reduce_modulo(total, self.prime)
            values.append(gate * total)
        return values

    def _sensitivities(self, gates: Sequence[Residues]) -> list[Residues]:
        """The derivatives of all outputs by all pre-activations, one array (samples, outputs, neurons) per layer."""
        outputs, depth = self.network.output_dim, self.network.depth
        totals = [np.zeros((len(gate), outputs, gate.shape[1])) for gate in gates]
        totals[-1] += np.eye(outputs)
        for number in range(depth, 0, -1):
            total = totals[number - 1]
            total *= gates[number - 1][:, None, :]
            for source, weights, _ in self._blocks[number - 1]:
                if source:
                    flat = multiply_modulo(total.reshape(-1, total.shape[2]), weights, self.prime)
                    totals[source - 1] += flat.reshape(len(total), outputs, -1)
                    reduce_modulo(totals[source - 1], self.prime)
        return totals

    def _residues(self, rows: Sequence[Sequence[object]], place: str) -> Residues:
        try:
            return residues(rows, self.prime)  # type: ignore[arg-type]  # entries of networks and points
        except InvalidNumber as error:
            raise error.at(place) from None


def modular_jacobian(
    net: Network, points: Sequence[Vector], patterns: Sequence[Pattern], prime: int = PRIMES[0]
) -> Residues:
    r"""The sample Jacobian :math:`\Gamma(X,\theta)` modulo a prime; see :meth:`ModularNetwork.jacobian`.

    >>> net = Network.mlp([[[1], [-1]], [[1, 1]]])
    >>> modular_jacobian(net, [(3,), (-3,)], ["+-", "-+"], 11)
    array([[ 3.,  0.,  3.,  0.],
           [ 0., -3.,  0.,  3.]])
    """
    return ModularNetwork(net, prime).jacobian(points, patterns)
