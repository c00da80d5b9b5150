"""Written ONNX files: the same network comes back, and other programs compute its values."""

from __future__ import annotations

import random
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import onnx
import pytest
from float_bounds import bounds
from onnx.reference import ReferenceEvaluator
from onnx_models import random_convolutional
from strategies import random_dag, random_mlp, random_point

from exactrelu import InvalidFile, InvalidInput, InvalidNetwork, Layer, Network, load, load_report, save
from exactrelu.formats import save_report
from exactrelu.formats.onnx import onnx_bytes, read_onnx
from exactrelu.formats.rounding import Rounder, decimal_above

ACTIVATIONS = (
    "relu",
    "abs",
    "identity",
    "hard_tanh",
    "relu6",
    {"name": "leaky_relu", "slope": "-3/8"},
    {"name": "clip", "lower": "-1/2", "upper": "3"},
    {"breakpoints": ["1/4"], "slopes": ["0", "1"], "anchor": ["1/4", "1/4"]},
    {"breakpoints": ["-1"], "slopes": ["1", "0"], "anchor": ["-1", "-1"]},
    "tanh",
    "logistic",
    "softplus",
)


def dyadic(net: Network, r: random.Random, digits: int) -> Network:
    """The same architecture with dyadic numbers, some of them 0."""
    values = [Fraction(r.randint(-(2**digits), 2**digits), 2 ** r.randint(0, 2 * digits)) for _ in net.parameters]
    return net.with_values([r.choice((0, value, value)) for value in values])


def test_dyadic_networks_come_back() -> None:
    """JSON -> ONNX -> JSON, absent edges, skips, missing biases and dead neurons included."""
    r = random.Random(0)
    absent = kinds = 0
    for k in range(250):
        net = dyadic(random_dag(r), r, r.choice((8, 40)))
        content, rounding = onnx_bytes(net)
        onnx.checker.check_model(onnx.load_model_from_string(content))
        assert (rounding.rounded, rounding.largest_relative_error) == (0, 0)
        assert rounding.precision in ("float32", "float64")
        again, notes = read_onnx(content, f"{k}.onnx")
        assert again == net
        assert len(notes) == 1
        assert onnx_bytes(again)[0] == content
        absent += any("edges" in p.key for p in onnx.load_model_from_string(content).metadata_props)
        kinds += rounding.precision == "float32"
    assert absent > 50 and 20 < kinds < 230


def test_every_activation_comes_back() -> None:
    r = random.Random(1)
    for rho in ACTIVATIONS:
        for _ in range(5):
            plain = dyadic(random_dag(r, linear_neurons=False), r, 6)
            layers = [Layer(layer.weights, bias=layer.bias, activation=rho) for layer in plain.layers[:-1]]
            net = Network(plain.input_dim, [*layers, plain.layers[-1]])
            assert read_onnx(onnx_bytes(net)[0], "net.onnx")[0] == net
    mixed = ["relu", "identity", "abs", {"name": "leaky_relu", "slope": "1/8"}]
    net = Network(1, [Layer({0: [[1], [2], [3], [4]]}, activation=mixed), Layer({1: [[1, 1, 1, 1]]}, activation="abs")])
    assert read_onnx(onnx_bytes(net)[0], "net.onnx")[0] == net


def test_imported_networks_come_back() -> None:
    """What is read from a file of another program is written and read without a change."""
    r = random.Random(2)
    done = 0
    while done < 20:
        try:
            net, _ = read_onnx(random_convolutional(r, whole=False).model().SerializeToString(), "net.onnx")
        except InvalidFile:
            continue
        content, rounding = onnx_bytes(net)
        if rounding.rounded == 0:  # means of three places are no binary numbers
            assert read_onnx(content, "net.onnx")[0] == net
            done += 1


def test_the_acas_xu_network_comes_back(real: Path) -> None:
    net = load(real / "ACASXU_run2a_1_1_batch_2000.onnx")
    content, rounding = onnx_bytes(net)
    assert (rounding.precision, rounding.numbers, rounding.rounded) == ("float32", 13_305, 0)
    assert read_onnx(content, "net.onnx")[0] == net


@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_other_programs_compute_the_values(precision: str) -> None:
    """Within the rounding of the numbers and of the arithmetic: the network read back is the one that is run."""
    r = random.Random(3)
    for _ in range(60):
        net = r.choice((random_dag, random_mlp))(r)
        content, rounding = onnx_bytes(net, precision)
        read, _ = read_onnx(content, "net.onnx")
        point = random_point(r, net.input_dim)
        floats = np.array([[float(x) for x in point]], precision)
        (values,) = ReferenceEvaluator(onnx.load_model_from_string(content)).run(None, {"x": floats})
        assert values.dtype == precision
        for (value, bound), computed in zip(
            bounds(read, [Fraction(float(x)) for x in floats[0]], precision), values[0], strict=True
        ):
            assert abs(Fraction(float(computed)) - value) <= bound
        error = (
            max(abs(q.value / p.value - 1) for p, q in zip(net.parameters, read.parameters, strict=True) if p.value)
            if any(p.value for p in net.parameters)
            else 0
        )
        assert error == rounding.largest_relative_error
        assert rounding.rounded == sum(p.value != q.value for p, q in zip(net.parameters, read.parameters, strict=True))


def test_a_batch_of_samples() -> None:
    net = Network.mlp([[[1], [-1]], [[1, 1]]])
    model = onnx.load_model_from_string(onnx_bytes(net)[0])
    (values,) = ReferenceEvaluator(model).run(None, {"x": np.array([[1], [-2], [3]], np.float32)})
    assert values.tolist() == [[1], [2], [3]]


def test_rounding_is_to_the_nearest() -> None:
    r = random.Random(4)
    for precision, bits in (("float32", 24), ("float64", 53)):
        for _ in range(500):
            value = Fraction(r.randint(1, 10**30), r.randint(1, 10**30))
            rounder = Rounder(precision)
            (found,) = rounder.array([value], (1,))
            error = abs(Fraction(float(found)) / value - 1)
            assert rounder.rounding().largest_relative_error == error <= Fraction(1, 2**bits)
    halfway = 1 + Fraction(1, 2**24) + Fraction(1, 2**80)  # a double would round this to a tie
    assert Rounder("float32").array([halfway], (1,))[0] == np.nextafter(np.float32(1), np.float32(2))


def test_decimals_above() -> None:
    r = random.Random(5)
    for _ in range(500):
        value = Fraction(r.randint(1, 10 ** r.randint(1, 30)), r.randint(1, 10 ** r.randint(1, 30)))
        shown = Fraction(decimal_above(value))
        assert value <= shown <= value * Fraction(101, 100)


def test_saving_by_name(tmp_path: Path) -> None:
    net = Network.mlp([[["1/10"]], [[2]]])
    report = save_report(net, tmp_path / "net.onnx")
    assert report.rounding is not None
    tenth = Fraction(0.1)
    assert (report.rounding.precision, report.rounding.rounded) == ("float64", 1)
    assert report.rounding.largest_relative_error == 10 * tenth - 1
    assert report.explain() == "onnx: 1 of 2 numbers rounded to float64, relative error at most 5.56e-17"
    assert load(tmp_path / "net.onnx") == Network.mlp([[[tenth]], [[2]]])
    save(net, tmp_path / "short.onnx", precision="float32")
    assert load_report(tmp_path / "short.onnx").network == Network.mlp([[[Fraction(float(np.float32(0.1)))]], [[2]]])


def test_networks_that_are_refused(tmp_path: Path) -> None:
    hat = Network.mlp([[[1]], [[1]]], activation="hat")
    with pytest.raises(InvalidNetwork, match=r"layers\[0\].activation: must be one operator of ONNX .*unfolding"):
        save(hat, tmp_path / "net.onnx")
    save(hat.unfolding.network, tmp_path / "net.onnx")
    huge = Network.mlp([[[10**400]]])
    with pytest.raises(InvalidInput, match="network: must have numbers that float64 can hold"):
        save(huge, tmp_path / "huge.onnx")
    with pytest.raises(InvalidInput, match="network: must have numbers that float32 can hold"):
        save(Network.mlp([[[10**40]]]), tmp_path / "huge.onnx", precision="float32")
    save(Network.mlp([[[10**40]]]), tmp_path / "large.onnx")
    with pytest.raises(InvalidInput, match="precision: must be"):
        save(hat, tmp_path / "a.npz", precision="float16")  # type: ignore[arg-type]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["large.onnx", "net.onnx"]


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(InvalidFile, match=r"needs the extra exactrelu\[onnx\] to be written"):
        onnx_bytes(Network.mlp([[[1]]]))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[]", "must be an object"),
        ('{"nowhere": []}', "must have no other keys"),
        ('{"w1_0": ["x"]}', 'must have one text of "x" and "." per row'),
        ('{"w1_0": ["xo", "xx"]}', 'must have one text of "x" and "." per row'),
        ('{"w1_0": ["x.", "xx"]}', "must mark only weights of 0"),
        ("{", "must be a JSON document"),
    ],
)
def test_metadata_that_does_not_fit(text: str, words: str) -> None:
    model = onnx.load_model_from_string(onnx_bytes(Network.mlp([[[1, 2], [3, 4]]]))[0])
    model.metadata_props.add(key="exactrelu.edges", value=text)
    with pytest.raises(InvalidFile, match=words):
        read_onnx(model.SerializeToString(), "net.onnx")
