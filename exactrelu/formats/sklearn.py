r"""Fitted perceptrons of scikit-learn, by their attributes: scikit-learn itself is never imported.

What :class:`MLPRegressor` predicts is the network. What a classifier predicts
is a function of the network: its outputs are the numbers *before* the last
function, which is softmax or logistic. These are the logits: the class of
several is the one with the largest output, the second of two classes has a
positive output, and so has every label of a multi-label problem that is given.
"""

from __future__ import annotations

from typing import Any, Final

from ..errors import InvalidInput
from ..networks import Network
from ..rationals import Reading
from .imports import Import
from .state_dict import read_state_dict

ACTIVATIONS: Final = ("identity", "relu", "tanh", "logistic")

OUTPUTS: Final = {
    "identity": "the outputs are the predictions",
    "softmax": "the outputs are the logits before softmax: the predicted class has the largest one",
    "logistic": "the outputs are the logits log p/(1-p) before the logistic function: a class is predicted above 0",
    "exp": "the outputs are the logarithms of the predictions",
}
"""What the outputs of the network mean, by the attribute ``out_activation_``."""


def from_sklearn(model: Any, *, reading: Reading = "dyadic") -> Network:
    """The network of a fitted ``MLPRegressor`` or ``MLPClassifier``; for a classifier the logits.

    Raises :class:`~exactrelu.errors.InvalidInput` for a model that is no fitted perceptron.

    >>> from types import SimpleNamespace
    >>> numbers = {"coefs_": [[[2]], [[1]]], "intercepts_": [[1], [0]]}
    >>> from_sklearn(SimpleNamespace(**numbers, activation="relu", out_activation_="softmax"))
    Network.mlp([[[2]], [[1]]], [[1], [0]])
    """
    return read_sklearn(model, reading=reading).network


def read_sklearn(model: Any, *, reading: Reading = "dyadic") -> Import:
    """The same with a report, which says what the outputs mean."""
    missing = [name for name in ("coefs_", "intercepts_", "activation", "out_activation_") if not hasattr(model, name)]
    if missing:
        rule = "must be a fitted MLPRegressor or MLPClassifier of scikit-learn"
        raise InvalidInput("model", f"{rule}, with the attribute {missing[0]}", type(model).__name__)
    if model.activation not in ACTIVATIONS:
        raise InvalidInput("model.activation", f"must be one of {', '.join(ACTIVATIONS)}", model.activation)
    if model.out_activation_ not in OUTPUTS:
        raise InvalidInput("model.out_activation_", f"must be one of {', '.join(OUTPUTS)}", model.out_activation_)
    import numpy as np

    arrays: dict[str, Any] = {}
    for k, (matrix, bias) in enumerate(zip(model.coefs_, model.intercepts_, strict=True)):
        arrays[f"{k}.weight"] = np.asarray(matrix).T  # scikit-learn has one column per neuron
        arrays[f"{k}.bias"] = bias
    report = read_state_dict(arrays, "model", format="sklearn", activation=model.activation, reading=reading)
    return Import(report.network, "sklearn", reading, (report.notes[0], OUTPUTS[model.out_activation_]))
