"""What paths along some of the parameters reach."""

from __future__ import annotations

from collections.abc import Sequence

from ..networks import Network
from ..verdicts import Neuron


def fed_and_heard(net: Network, passable: Sequence[bool]) -> tuple[set[Neuron | None], set[Neuron]]:
    """The vertices to which passable parameters lead from inputs and biases, and those from which they lead to outputs.

    ``passable`` has one entry per parameter; inputs and ``None``, the source of
    biases, count as fed, and outputs as heard.

    >>> fed, heard = fed_and_heard(Network.mlp([[[1], [1]], [[1, 1]]]), [True, False, False, True])
    >>> (1, 0) in fed, (1, 0) in heard, (1, 1) in fed, (1, 1) in heard
    (True, False, False, True)
    """
    fed: set[Neuron | None] = {None, *((0, j) for j in range(net.input_dim))}
    heard: set[Neuron] = {(net.depth, i) for i in range(net.output_dim)}
    open_ = [parameter for parameter, passes in zip(net.parameters, passable, strict=True) if passes]
    for parameter in open_:  # layer by layer
        if parameter.source in fed:
            fed.add(parameter.target)
    for parameter in reversed(open_):
        if parameter.target in heard and parameter.source is not None:
            heard.add(parameter.source)
    return fed, heard
