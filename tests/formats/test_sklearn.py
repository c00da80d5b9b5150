"""Fitted perceptrons of scikit-learn: its predictions are within a bound of the exact values."""

from __future__ import annotations

import subprocess
import sys
import warnings
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from flint import arb
from float_bounds import bounds, logistic_bounds, softmax_bounds
from sklearn.neural_network import MLPClassifier, MLPRegressor

from exactrelu import InvalidInput
from exactrelu.formats import from_sklearn, read_sklearn


def fitted(kind: type, activation: str, targets: np.ndarray, hidden: tuple[int, ...] = (4, 3)) -> object:
    r = np.random.default_rng(0)
    model = kind(hidden_layer_sizes=hidden, activation=activation, max_iter=5, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # five steps do not converge
        return model.fit(r.normal(size=(len(targets), 2)), targets)


def points(count: int) -> np.ndarray:
    return np.random.default_rng(1).normal(size=(count, 2))


def exact(row: np.ndarray) -> list[Fraction]:
    return [Fraction(float(x)) for x in row]


@pytest.mark.parametrize("activation", ["relu", "identity", "tanh", "logistic"])
def test_regressors_predict_the_network(activation: str) -> None:
    targets = np.random.default_rng(2).normal(size=(30, 2))
    model = fitted(MLPRegressor, activation, targets)
    report = read_sklearn(model)
    assert report.notes[1] == "the outputs are the predictions"
    assert (report.format, report.reading) == ("sklearn", "dyadic")
    for row in points(10 if activation in ("relu", "identity") else 2):
        (predicted,) = model.predict([row])
        for (value, bound), number in zip(bounds(report.network, exact(row), "float64"), predicted, strict=True):
            assert abs(Fraction(float(number)) - value) <= bound < Fraction(1, 10**12)


def test_the_regressor_without_hidden_neurons_of_its_own_output_shape() -> None:
    model = fitted(MLPRegressor, "relu", np.arange(20.0), hidden=())
    net = from_sklearn(model)
    assert net.widths == (2, 1)
    assert [p.value for p in net.parameters[:2]] == [Fraction(float(w)) for w in model.coefs_[0][:, 0]]


def test_binary_classifiers_give_the_logit() -> None:
    model = fitted(MLPClassifier, "relu", np.arange(40) % 2)
    report = read_sklearn(model)
    assert "logits log p/(1-p)" in report.notes[1]
    for row in points(20):
        ((value, bound),) = bounds(report.network, exact(row), "float64")
        (_, probability), (label,) = model.predict_proba([row])[0], model.predict([row])
        low, high = logistic_bounds(value, bound)
        assert low <= arb(probability) <= high < low * (1 + arb("1e-12"))
        assert abs(value) <= bound or label == (value > 0)


def test_classifiers_of_several_classes_give_the_scores_before_softmax() -> None:
    model = fitted(MLPClassifier, "relu", np.arange(60) % 3)
    report = read_sklearn(model)
    assert "before softmax" in report.notes[1]
    for row in points(20):
        scores = bounds(report.network, exact(row), "float64")
        brackets = softmax_bounds(scores)
        for (low, high), probability in zip(brackets, model.predict_proba([row])[0], strict=True):
            assert low <= arb(probability) <= high < low * (1 + arb("1e-12"))
        best = max(range(3), key=lambda k: scores[k][0])
        assert all(brackets[best][0] > high for k, (_, high) in enumerate(brackets) if k != best)
        assert model.predict([row])[0] == best


def test_labels() -> None:
    model = fitted(MLPClassifier, "relu", np.array([[k % 2, k % 3 == 0] for k in range(30)]).astype(int))
    net = from_sklearn(model)
    for row in points(10):
        assert [value > 0 for value in net(exact(row))] == model.predict([row])[0].astype(bool).tolist()


def test_short_floats_and_decimals() -> None:
    model = SimpleNamespace(
        coefs_=[np.array([[0.1]], np.float32)],
        intercepts_=[np.array([0.5])],
        activation="relu",
        out_activation_="identity",
    )
    assert from_sklearn(model, reading="decimal").parameters[0].value == Fraction(1, 10)
    assert from_sklearn(model).parameters[0].value == Fraction(float(np.float32(0.1)))


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (MLPRegressor(), "model: must be a fitted MLPRegressor or MLPClassifier .* coefs_; got 'MLPRegressor'"),
        (42, "must be a fitted MLPRegressor"),
        (
            SimpleNamespace(coefs_=[], intercepts_=[], activation="selu", out_activation_="identity"),
            "model.activation: must be one of identity, relu, tanh, logistic; got 'selu'",
        ),
        (
            SimpleNamespace(coefs_=[], intercepts_=[], activation="relu", out_activation_="sine"),
            "model.out_activation_: must be one of",
        ),
        (
            SimpleNamespace(
                coefs_=[np.array([[np.nan]])],
                intercepts_=[np.array([0.0])],
                activation="relu",
                out_activation_="identity",
            ),
            "must be a finite number",
        ),
    ],
)
def test_models_that_are_refused(model: object, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        from_sklearn(model)


def test_scikit_learn_is_not_imported() -> None:
    code = "import sys, exactrelu.formats; sys.exit(any(m in sys.modules for m in ('sklearn', 'onnx', 'torch')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
