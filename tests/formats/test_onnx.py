"""ONNX files against the reference evaluator, on integers, where its floats are exact."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from exactrelu import InvalidFile, InvalidInput, Network, load, load_report
from exactrelu.formats.forms import FOLDED, SKIPPED
from exactrelu.formats.onnx import DYADIC, read_onnx


def model(
    nodes: Sequence[onnx.NodeProto],
    constants: dict[str, np.ndarray],
    input_shape: Sequence[int | str | None],
    output: str = "y",
) -> onnx.ModelProto:
    graph = helper.make_graph(
        list(nodes),
        "graph",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, list(input_shape))],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, None)],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


def read(proto: onnx.ModelProto) -> tuple[Network, tuple[str, ...]]:
    return read_onnx(proto.SerializeToString(), "net.onnx")


def compare(proto: onnx.ModelProto, shape: tuple[int, ...], r: random.Random) -> tuple[Network, tuple[str, ...]]:
    """The network has the values of the reference evaluator at integer points."""
    net, notes = read(proto)
    evaluator = ReferenceEvaluator(proto)
    for _ in range(5):
        point = [r.randint(-5, 5) for _ in range(net.input_dim)]
        expected = evaluator.run(None, {"x": np.array(point, np.float32).reshape(shape)})[0]
        assert list(net(point)) == [Fraction(float(e)) for e in expected.ravel()]
    return net, notes


def integers(r: random.Random, *shape: int) -> np.ndarray:
    return np.array([r.randint(-3, 3) for _ in range(int(np.prod(shape)))], np.float32).reshape(shape)


def random_model(r: random.Random) -> tuple[onnx.ModelProto, tuple[int, ...]]:
    """A chain of all operators on a row vector, with residual sums."""
    width = r.randint(1, 4)
    shape = r.choice(((1, width), (1, 1, 1, width)))
    nodes, constants = [], {}
    current, earlier = "x", []

    def emit(operator: str, inputs: list[str], **attributes: object) -> str:
        name = f"t{len(nodes)}"
        nodes.append(helper.make_node(operator, inputs, [name], f"n{len(nodes)}", **attributes))
        return name

    def constant(array: np.ndarray) -> str:
        name = f"c{len(constants) + len(nodes)}"
        if r.random() < 0.3:
            nodes.append(helper.make_node("Constant", [], [name], value=numpy_helper.from_array(array)))
        else:
            constants[name] = array
        return name

    if r.random() < 0.5:
        current = emit("Sub", [current, constant(integers(r, *shape))])
    flat = r.choice(("Flatten", "Reshape", "none" if len(shape) == 2 else "Reshape"))
    if flat == "Flatten":
        current = emit("Flatten", [current], axis=r.choice((1, -1)) if len(shape) == 2 else r.choice((1, 3, -1)))
    elif flat == "Reshape":
        current = emit("Reshape", [current, constant(np.array(r.choice(([1, -1], [1, width], [-1, width]))))])
    for _ in range(r.randint(1, 4)):
        size = r.randint(1, 4)
        step = r.random()
        if step < 0.4:
            current = emit("MatMul", [current, constant(integers(r, width, size))])
            if r.random() < 0.8:
                pair = [current, constant(integers(r, *r.choice(((size,), (1, size), (1,)))))]
                current = emit("Add", pair if r.random() < 0.5 else pair[::-1])
        else:
            transposed = r.randint(0, 1)
            matrix = constant(integers(r, *((size, width) if transposed else (width, size))))
            extra = [constant(integers(r, size))] if r.random() < 0.7 else []
            scale = {"alpha": 2.0, "beta": -0.5} if r.random() < 0.3 else {}
            current = emit("Gemm", [current, matrix, *extra], transB=transposed, **scale)
        width = size
        if r.random() < 0.8:
            current = emit("Relu", [current])
        partners = [name for name, w in earlier if w == width]
        if partners and r.random() < 0.6:
            pair = [current, r.choice(partners)]
            current = emit(r.choice(("Add", "Sub")), pair if r.random() < 0.5 else pair[::-1])
        if r.random() < 0.2:
            current = emit("Identity", [current])
        if r.random() < 0.2:
            operator = r.choice(("Add", "Sub"))
            pair = [current, constant(integers(r, width))]
            current = emit(operator, pair if r.random() < 0.5 else pair[::-1])
        earlier.append((current, width))
    nodes.append(helper.make_node("Relu" if r.random() < 0.2 else "Identity", [current], ["y"]))
    nodes.append(helper.make_node("Exp", ["x"], ["unused"]))  # what the output does not need is not read
    return model(nodes, constants, shape), shape


def test_random_graphs() -> None:
    r = random.Random(0)
    notes: set[str] = set()
    for _ in range(250):
        notes.update(compare(*random_model(r), r)[1])
    assert notes == {DYADIC, FOLDED, SKIPPED}


def perceptron(dtype: type = np.float32) -> onnx.ModelProto:
    nodes = [
        helper.make_node("MatMul", ["x", "W"], ["a"]),
        helper.make_node("Add", ["a", "b"], ["z"]),
        helper.make_node("Relu", ["z"], ["h"]),
        helper.make_node("MatMul", ["h", "V"], ["y"]),
    ]
    constants = {"W": [[0.1, -1], [2, 0.5]], "b": [0, 0.25], "V": [[1], [-3]]}
    return model(nodes, {name: np.array(value, dtype) for name, value in constants.items()}, ["N", 2])


def test_floats_are_their_binary_values() -> None:
    for dtype in (np.float16, np.float32, np.float64):
        net, notes = read(perceptron(dtype))
        tenth = Fraction(float(dtype(0.1)))
        assert net == Network.mlp([[[tenth, 2], [-1, "1/2"]], [[1, -3]]], [[0, "1/4"], None])
        assert notes == (DYADIC,)


def test_a_matrix_on_the_left() -> None:
    nodes = [helper.make_node("MatMul", ["W", "x"], ["z"]), helper.make_node("Relu", ["z"], ["y"])]
    r = random.Random(1)
    for shape in ((3,), (3, 1)):
        net, _ = compare(model(nodes, {"W": integers(r, 2, 3)}, shape), shape, r)
        assert net.widths == (3, 2)
        assert not net.layers[0].is_affine


def test_layers_as_they_are_written() -> None:
    """A product of a product is a hidden layer of its own; a mean is composed into the bias."""
    two = [helper.make_node("MatMul", ["x", "W"], ["a"]), helper.make_node("MatMul", ["a", "V"], ["y"])]
    constants = {"W": np.ones((2, 3), np.float32), "V": np.ones((3, 1), np.float32), "m": np.float32([1, -4])}
    net, _ = read(model(two, constants, (1, 2)))
    assert (net.widths, net.layers[0].is_affine) == ((2, 3, 1), True)
    mean = [helper.make_node("Sub", ["x", "m"], ["c"]), helper.make_node("MatMul", ["c", "W"], ["y"])]
    net, notes = read(model(mean, constants, (1, 2)))
    assert net == Network.mlp([[[1, 1]] * 3], [[3, 3, 3]])
    assert notes == (DYADIC, FOLDED)
    constants["m"][:] = 0
    assert read(model(mean, constants, (1, 2))) == (Network.mlp([[[1, 1]] * 3]), (DYADIC,))


def test_loading_by_name(tmp_path: Path) -> None:
    path = tmp_path / "net.ONNX"
    path.write_bytes(perceptron().SerializeToString())
    report = load_report(path)
    assert (report.format, report.reading) == ("onnx", "dyadic")
    assert report.notes == ("the numbers of the file are read as their exact binary values",)
    assert load(path, reading="dyadic") == report.network
    with pytest.raises(InvalidInput, match='reading: must be "dyadic" for a file of binary numbers'):
        load(path, reading="decimal")
    with pytest.raises(InvalidFile, match="must carry means and ranges"):
        load(path, normalized=True)


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(InvalidFile, match=r"net.onnx: needs the extra exactrelu\[onnx\] to be read"):
        read_onnx(b"", "net.onnx")


def test_the_acas_xu_network(real: Path) -> None:
    report = load_report(real / "ACASXU_run2a_1_1_batch_2000.onnx")
    net = report.network
    assert net.widths == (5, 50, 50, 50, 50, 50, 50, 5)
    assert len(net.parameters) == 13_305
    assert net.is_standard
    assert net.is_layered
    proto = onnx.load(str(real / "ACASXU_run2a_1_1_batch_2000.onnx"))
    values = {tensor.name: numpy_helper.to_array(tensor) for tensor in proto.graph.initializer}
    flat = [Fraction(float(e)) for k in range(1, 7) for e in acas_layer(values, f"Operation_{k}")]
    flat += [Fraction(float(e)) for e in acas_layer(values, "linear_7")]
    assert [p.value for p in net.parameters] == flat


def acas_layer(values: dict[str, np.ndarray], name: str) -> list[float]:
    return [*values[f"{name}_MatMul_W"].T.ravel(), *values[f"{name}_Add_B"]]


def node(operator: str, *inputs: str, **attributes: object) -> onnx.NodeProto:
    return helper.make_node(operator, list(inputs), ["y"], "here", **attributes)


W23 = np.ones((2, 3), np.float32)


@pytest.mark.parametrize(
    ("nodes", "constants", "shape", "words"),
    [
        ([node("Exp", "x")], {}, (1, 2), r"node 'here' \(Exp\): must have one of the operators Abs, Add, AveragePool"),
        ([node("MaxPool", "x", kernel_shape=[1])], {}, (1, 1, 2), r"node 'here' \(MaxPool\): must have one of"),
        ([node("Relu", "x", domain="mine")], {}, (1, 2), "must have one of the operators"),
        ([node("Relu", "nowhere")], {}, (1, 2), "must read tensors that are defined before it; got 'nowhere'"),
        ([node("MatMul", "W", "V")], {"W": W23, "V": W23.T}, (1, 2), "must read a computed tensor"),
        ([node("Add", "W", "W")], {"W": W23}, (1, 2), "must read a computed tensor"),
        ([node("MatMul", "x", "x")], {}, (1, 1), "must read a constant as input 1"),
        ([node("MatMul", "x", "W")], {"W": W23}, (1, 3), "must multiply a tensor by a matrix of fitting shape"),
        ([node("MatMul", "x", "W")], {"W": W23}, (1, 2, 3), "must multiply a tensor by a matrix of fitting shape"),
        ([node("MatMul", "x", "W")], {"W": np.inf * W23}, (1, 2), "must read finite numbers"),
        ([node("MatMul", "x", "W")], {"W": W23.astype(np.int64)}, (1, 2), "must read finite numbers of type float16"),
        ([node("Gemm", "x", "W", transA=1)], {"W": W23}, (1, 2), "must multiply a tensor by a matrix of fitting shape"),
        ([node("Gemm", "x", "W")], {"W": W23}, (1, 3), "must multiply a tensor by a matrix of fitting shape"),
        ([node("Add", "x", "W")], {"W": W23}, (1, 5), "must combine tensors of fitting shapes"),
        ([node("Div", "x", "W")], {"W": 0 * W23}, (1, 3), "must not divide by 0"),
        ([node("Div", "W", "x")], {"W": W23}, (1, 3), "must read a computed tensor as input 0"),
        ([node("Mul", "x", "x")], {}, (1, 3), "must read a constant as input 1"),
        (
            [node("Clip", "x", "a", "b")],
            {"a": np.float32(1), "b": np.float32(1)},
            (1, 3),
            "a lower bound below its upper",
        ),
        ([node("Clip", "x", "a")], {"a": np.float32(np.nan)}, (1, 3), "must have finite bounds"),
        ([node("LeakyRelu", "x", alpha=float("inf"))], {}, (1, 3), "must have a finite number as alpha"),
        ([node("PRelu", "x", "W")], {"W": W23}, (1, 3), "must have slopes of a fitting shape"),
        ([node("Concat", "x", "x", axis=5)], {}, (1, 3), "must have axes between -2 and 1; got 5"),
        ([node("Flatten", "x", axis=5)], {}, (1, 3), "must have an axis between -2 and 2; got 5"),
        ([node("Reshape", "x", "s")], {"s": np.array([[1, 3]])}, (1, 3), "must read constant integers as input 1"),
        ([node("Transpose", "x", perm=[0, 0])], {}, (1, 3), "must have an order of 2 dimensions"),
        ([node("Conv", "x", "W")], {"W": W23}, (1, 3), "must read one sample with channels"),
        ([node("Dropout", "x", "", "t")], {"t": np.array(True)}, (1, 3), "must not be in training mode"),
        ([node("Reshape", "x", "s")], {"s": np.array([10**12, -1])}, (1, 2), "must keep the number of entries"),
        ([node("Tanh", "x"), node("Relu", "x")], {}, (1, 2), "must define every tensor once; got 'y'"),
        ([node("Relu", "y")], {}, (1, 2), "must read tensors that are defined before it; got 'y'"),
        ([node("Reshape", "x", "s")], {"s": np.array([3, 3])}, (1, 2), "must keep the number of entries"),
        ([node("Reshape", "x", "s")], {"s": np.array([-1, -1])}, (1, 2), "must have a shape of integers"),
        ([node("Identity", "W")], {"W": W23}, (1, 2), "output 'y': must be computed from the input"),
        ([], {}, (1, 2), "output 'y': must be computed from the input"),
        ([node("Relu", "x")], {}, (7, 2), "input 'x': must be a single sample of known size"),
        ([node("Relu", "x")], {}, ("N", None), "input 'x': must be a single sample of known size"),
        ([node("Relu", "x")], {}, ("N", 3, None), "input 'x': must be a single sample of known size"),
        ([node("Relu", "x")], {}, (1, 10**12), "input 'x': must have at most 250000 entries"),
    ],
)
def test_graphs_that_are_refused(
    nodes: list[onnx.NodeProto], constants: dict[str, np.ndarray], shape: tuple[int, ...], words: str
) -> None:
    with pytest.raises(InvalidFile, match=words):
        read(model(nodes, constants, shape))


def test_files_that_are_no_models() -> None:
    content = perceptron().SerializeToString()
    r = random.Random(4)
    for broken in (b"", b"{}", content[: len(content) // 2], b"\xff" * 100):
        with pytest.raises(InvalidFile, match=r"net\.onnx"):
            read_onnx(broken, "net.onnx")
    for _ in range(300):
        damaged = bytearray(content)
        for _ in range(r.randint(1, 4)):
            damaged[r.randrange(len(damaged))] = r.randrange(256)
        try:
            read_onnx(bytes(damaged), "net.onnx")
        except InvalidInput as error:
            assert "\n" not in str(error)


def test_numbers_outside_the_file() -> None:
    """External data is not followed, whatever it names."""
    proto = perceptron()
    tensor = proto.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="/etc/passwd")
    with pytest.raises(InvalidFile, match=r"initializer 'W': must hold its numbers in the file itself"):
        read(proto)


def test_tensors_that_lie() -> None:
    for change, words in (
        ({"dims": [10**9, 10**9]}, "must hold its numbers"),
        ({"dims": [-2, -2]}, "must have a shape of sizes that are not negative"),
        ({"dims": [2, 3]}, "must hold its numbers"),
        ({"data_type": TensorProto.COMPLEX64}, "must hold"),
        ({"data_type": TensorProto.STRING}, "must hold"),
        ({"data_type": 999}, "must hold its numbers"),
        ({"data_type": TensorProto.INT32}, "must read finite numbers of type float16"),
    ):
        proto = perceptron()
        tensor = proto.graph.initializer[0]
        for field, value in change.items():
            if field == "dims":
                tensor.ClearField("dims")
                tensor.dims.extend(value)
            else:
                setattr(tensor, field, value)
        with pytest.raises(InvalidFile, match=words):
            read(proto)


def test_a_cycle_and_a_loop() -> None:
    cycle = [helper.make_node("Add", ["x", "b"], ["a"], "first"), helper.make_node("Relu", ["a"], ["b"], "second")]
    with pytest.raises(
        InvalidFile, match=r"node 'first' \(Add\): must read tensors that are defined before it; got 'b'"
    ):
        read(model(cycle, {}, (1, 2), "b"))
    with pytest.raises(InvalidFile, match=r"node 'again' \(Loop\): must have one of the operators"):
        read(model([helper.make_node("Loop", ["x"], ["y"], "again")], {}, (1, 2)))


def test_many_large_tensors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactrelu.formats.onnx.reader.MAX_WORK", 100)
    nodes = [helper.make_node("Identity", [f"t{k - 1}" if k else "x"], [f"t{k}"]) for k in range(20)]
    with pytest.raises(InvalidFile, match="must compute tensors of at most 100 terms altogether"):
        read(model(nodes, {}, (1, 3), "t19"))


def test_two_inputs_and_two_outputs() -> None:
    proto = perceptron()
    proto.graph.output.append(helper.make_tensor_value_info("h", TensorProto.FLOAT, None))
    with pytest.raises(InvalidFile, match="must have one output"):
        read(proto)
    proto = perceptron()
    proto.graph.input.append(helper.make_tensor_value_info("x2", TensorProto.FLOAT, [1]))
    with pytest.raises(InvalidFile, match="must have one input"):
        read(proto)
