"""The checks of notebook 9."""

from collections.abc import Mapping
from typing import Any

import exactrelu as er
from exactrelu.zoo import shallow_network

from .exercises import Exercises, Wrong, expect, network

check = Exercises()

HOLDS, FAILS = er.Status.HOLDS, er.Status.FAILS
INTERVAL = "[-2,2]"
BELIEF = er.Theorem(hypotheses=[er.admissible], conclusion=er.locally_identifiable)
CASES = {
    "a": er.zoo.HAT,
    "b": er.Network.mlp([[[1]], [[1]], [[1]]], [[0], [-1], [0]]),
    "c": shallow_network([(1, 0, 0)]),
    "d": shallow_network([(1, 0, 1), (-1, 0, 1)]),
    "e": shallow_network([(1, 0, 1), (2, 0, 1)]),
}
ONE_NEURON = er.family((1, 1, 1), entries=(-1, 0, 1))


def parameters(net: er.Network) -> list[tuple[Any, Any, Any]]:
    """The triples (w, b, v) of a network with one input and one output."""
    rows: Any = net.layers[0].blocks[0][1]
    out: Any = net.layers[1].blocks[0][1][0]
    return [(w, b, v) for (w,), b, v in zip(rows, net.layers[0].bias or (), out, strict=True)]


def only_nonzero_output(network: er.Network) -> bool:
    """A mistake for 9.3: the neuron is heard."""
    return bool(parameters(network)[0][2])


def nothing_is_zero(network: er.Network) -> bool:
    """A mistake for 9.3: too cautious."""
    return all(parameters(network)[0])


def never(network: er.Network) -> bool:
    """A mistake for 9.3: a hypothesis that nothing meets."""
    return False


def always(network: er.Network) -> bool:
    """A mistake for 9.3: no hypothesis."""
    return True


@check.exercise(
    "9.1",
    hints=(
        "With distinct kinks the dimension is full.",
        "What was the first counterexample with two neurons in this lesson?",
    ),
    mistakes=(
        shallow_network([(1, 1, 1), (1, 0, 1)]),
        shallow_network([(1, 0, 1), (2, 0, 1)]),
        shallow_network([(1, 0, 2), (-1, 0, 1)]),
        er.zoo.HAT,
        "hat",
    ),
)
def _(answer: Any) -> str | None:
    net = network(answer, (1, 2, 1))
    dimension, full = er.functional_dimension(net, INTERVAL), len(net.parameters) - len(net.hidden_neurons)
    expect(dimension == full, f"the functional dimension is {dimension}, and D - h = {full}")
    expect(er.globally_identifiable(net, INTERVAL).status is FAILS, "it is globally identifiable")
    return None


@check.exercise(
    "9.2",
    hints=("First ask whether it is admissible.", "Two hold, two fail, one says nothing."),
    mistakes=(
        {"a": "holds", "b": "fails", "c": "fails", "d": "holds", "e": "fails"},
        {"a": "holds", "b": "fails", "c": "inapplicable", "d": "fails", "e": "fails"},
        {"a": "fails", "b": "fails", "c": "inapplicable", "d": "holds", "e": "fails"},
        {"a": "holds", "b": "inapplicable", "c": "inapplicable", "d": "holds", "e": "fails"},
        {"a": "holds", "b": "fails"},
        "holds",
    ),
)
def _(answer: Any) -> str | None:
    expect(isinstance(answer, Mapping), 'give a dictionary {"a": "holds", ...}')
    wrong = [name for name, net in CASES.items() if answer.get(name) != BELIEF.check(net).status.value]
    expect(not wrong, f"look again at {', '.join(wrong)}")
    return None


@check.exercise(
    "9.3",
    hints=("Must the neuron have a kink? Must it be heard?", "Does the bias matter on all of R?"),
    mistakes=(only_nonzero_output, nothing_is_zero, never, always, er.admissible, True),
)
def _(answer: Any) -> str | None:
    expect(callable(answer), "give a function of a network")
    safe = er.Predicate.of(answer, name="answer")
    hunt = er.Theorem(hypotheses=[safe], conclusion=er.locally_identifiable).hunt(ONE_NEURON, "R")
    if hunt.counterexample is not None:
        raise Wrong(f"it accepts {hunt.counterexample.network}, which is not locally identifiable")
    hunt = er.Theorem(hypotheses=[er.locally_identifiable], conclusion=safe).hunt(ONE_NEURON, "R")
    if hunt.counterexample is not None:
        raise Wrong(f"it rejects {hunt.counterexample.network}, which is locally identifiable")
    return f"right for all {hunt.tried} networks"


@check.exercise(
    "9.4",
    hints=("Let both slopes v w cancel.", "The kinks may be 1 and -1."),
    mistakes=(
        shallow_network([(1, 1, 1), (1, 0, -1)]),
        shallow_network([(1, 1, 1), (1, -1, 1)]),
        shallow_network([(1, 3, 1), (1, -1, -1)]),
        shallow_network([(1, 1, 1), (-2, -2, 1)]),
        er.zoo.HAT,
        2,
    ),
)
def _(answer: Any) -> str | None:
    net = network(answer, (1, 2, 1))
    triples = parameters(net)
    expect(all(all(triple) for triple in triples), "one of the w, b, v is 0")
    kinks = [-b / w for w, b, _ in triples]
    expect(all(abs(kink) < 2 for kink in kinks), "a kink does not lie inside [-2,2]")
    expect(kinks[0] != kinks[1], "both kinks are the same")
    expect(er.globally_identifiable(net, INTERVAL).status is FAILS, "it is globally identifiable")
    return None
