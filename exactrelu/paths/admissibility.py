r"""Admissible parameters: every hidden neuron hears something and is heard."""

from __future__ import annotations

from ..networks import Network
from ..verdicts import Condition, Neuron, Status, Verdict, conjunction, neuron_list

CLAIM = "every hidden neuron has a nonzero incoming weight or bias and a nonzero outgoing weight"


def admissible(net: Network) -> Verdict:
    r"""Whether :math:`\theta` is admissible; a negative verdict names the neurons.

    Every hidden neuron must have a nonzero entry among its incoming weights and
    bias (``nonzero_input``), and a nonzero outgoing weight (``nonzero_output``).

    >>> admissible(Network.mlp([[[1], [0]], [[1, 1]]])).status.value
    'fails'
    """
    fed, heard = set(), set()
    for parameter in net.parameters:
        if parameter.value:
            fed.add(parameter.target)
            if parameter.source is not None:
                heard.add(parameter.source)
    conditions = (
        _condition(net, "nonzero_input", "incoming weights and bias are all 0", fed),
        _condition(net, "nonzero_output", "outgoing weights are all 0", heard),
    )
    return Verdict(CLAIM, conjunction(conditions), conditions).about("admissible", network=net)


def _condition(net: Network, identifier: str, fault: str, good: set[Neuron]) -> Condition:
    bad = tuple(neuron for neuron in net.hidden_neurons if neuron not in good)
    if not bad:
        return Condition(identifier, Status.HOLDS)
    return Condition(identifier, Status.FAILS, bad, f"{fault} at {neuron_list(bad)}")
