"""Every operator against the reference evaluator: on small integers, where its floats are exact, and within a bound."""

from __future__ import annotations

import random
from fractions import Fraction
from math import prod

import numpy as np
import pytest
from float_bounds import bounds
from onnx.reference import ReferenceEvaluator
from onnx_models import Graph, numbers, random_convolutional

from exactrelu import InvalidFile, Network
from exactrelu.formats.onnx import read_onnx, windows
from exactrelu.formats.onnx.arithmetic import ROOT_BITS, inverse_root
from exactrelu.formats.onnx.windows import AVERAGED, UNSHARED


def read(graph: Graph) -> tuple[Network, tuple[str, ...]]:
    return read_onnx(graph.model().SerializeToString(), "net.onnx")


def same_values(graph: Graph, r: random.Random, *, factor: int = 1, trials: int = 3) -> Network:
    """The network, after its values have been compared with those of the reference evaluator on integers."""
    net, _ = read(graph)
    evaluator = ReferenceEvaluator(graph.model())
    for _ in range(trials):
        point = [factor * r.randint(-4, 4) for _ in range(net.input_dim)]
        (expected,) = evaluator.run(None, {"x": np.array(point, graph.dtype).reshape(graph.shape)})
        assert list(net(point)) == [Fraction(float(e)) for e in expected.ravel()]
    return net


def connected(r: random.Random, **options: bool) -> Graph:
    """A convolutional graph whose windows do not all lie in the padding."""
    while True:
        graph = random_convolutional(r, **options)
        try:
            read(graph)
            return graph
        except InvalidFile as error:
            assert "must be computed from the input" in str(error)


def test_convolutions_on_integers() -> None:
    r = random.Random(0)
    absent = 0
    for _ in range(120):
        graph = connected(r)
        net = same_values(graph, r)
        absent += any(e is None for layer in net.layers for _, block in layer.blocks for row in block for e in row)
        notes = read(graph)[1]
        assert UNSHARED in notes
        assert (AVERAGED in notes) == any(node.op_type == "AveragePool" for node in graph.nodes)
    assert absent > 60


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(10, 14))
def test_many_convolutions(seed: int) -> None:
    r = random.Random(seed)
    for _ in range(1000):
        same_values(connected(r), r)
    convolutions_on_floats(seed, 400)


def test_convolutions_on_floats() -> None:
    convolutions_on_floats(1, 40)


def convolutions_on_floats(seed: int, count: int) -> None:
    """Within the bound, and the bound is small enough to fail when a weight is wrong."""
    r = random.Random(seed)
    sharp = 0
    for _ in range(count):
        graph = connected(r, whole=False)
        net, _ = read(graph)
        evaluator = ReferenceEvaluator(graph.model())
        point = np.array([r.uniform(-2, 2) for _ in range(net.input_dim)], graph.dtype)
        (floats,) = evaluator.run(None, {"x": point.reshape(graph.shape)})
        exact = [Fraction(float(e)) for e in point]
        found = bounds(net, exact, np.dtype(graph.dtype).name)
        assert [value for value, _ in found] == list(net(exact))
        for (value, bound), computed in zip(found, floats.ravel(), strict=True):
            assert abs(Fraction(float(computed)) - value) <= bound
            sharp += bound < Fraction(1, 1000)
    assert sharp > count


def test_the_edges_of_a_convolution() -> None:
    """A kernel of 2 with stride 1 on 3 places, padded by one: absent where it does not reach, 0 where it does."""
    graph = Graph((1, 1, 3))
    graph.node("Conv", "x", graph.constant(np.array([[[0.0, 5.0]]])), pads=[1, 0])
    graph.node("Relu", graph.last)
    net, _ = read(graph)
    assert net.layers[0].blocks[0][1] == ((5, None, None), (0, 5, None), (None, 0, 5))
    assert net.layers[0].bias is None


@pytest.mark.parametrize("include", [0, 1])
def test_means_of_padded_windows(include: int) -> None:
    r = random.Random(2)
    graph = Graph((1, 2, 3, 3))
    graph.node("AveragePool", "x", kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 2], count_include_pad=include)
    net = same_values(graph, r, factor=36)
    assert {e for row in net.layers[0].blocks[0][1] for e in row if e} == {Fraction(1, 9 if include else 4)}


def test_global_mean() -> None:
    graph = Graph((1, 2, 2, 3))
    graph.node("GlobalAveragePool", "x")
    same_values(graph, random.Random(3), factor=6)


def movement(r: random.Random, graph: Graph, shape: list[int]) -> list[int]:
    """One random operator that only moves entries; the new shape."""
    whole = np.int64
    kind = r.choice(
        ("Reshape", "Transpose", "Squeeze", "Unsqueeze", "Concat", "Slice", "Gather", "Split", "Pad", "same")
    )
    axis = r.randrange(len(shape)) if shape else 0
    if kind == "Reshape":
        divisor = r.choice([d for d in range(1, prod(shape) + 1) if prod(shape) % d == 0])
        graph.node("Reshape", graph.last, graph.constant(np.array([divisor, -1], whole)))
        return [divisor, prod(shape) // divisor]
    if kind == "Transpose":
        order = r.sample(range(len(shape)), len(shape))
        graph.node("Transpose", graph.last, perm=order)
        return [shape[k] for k in order]
    if kind == "Squeeze" and 1 in shape and len(shape) > 1:
        where = shape.index(1)
        graph.node("Squeeze", graph.last, graph.constant(np.array([where - len(shape) * r.randint(0, 1)], whole)))
        return shape[:where] + shape[where + 1 :]
    if kind == "Unsqueeze":
        graph.node("Unsqueeze", graph.last, graph.constant(np.array([axis], whole)))
        return [*shape[:axis], 1, *shape[axis:]]
    if kind == "Concat" and prod(shape) < 20:
        other = graph.constant(numbers(r, *shape)) if r.random() < 0.5 else graph.last
        graph.node("Concat", graph.last, other, graph.last, axis=axis)
        return [*shape[:axis], 3 * shape[axis], *shape[axis + 1 :]]
    if kind == "Slice" and shape[axis] > 1:
        start, step = r.randrange(shape[axis]), r.choice((1, 2, -1))
        ends = {1: 1000, 2: 1000, -1: -1000}
        values = ([start], [ends[step]], [axis], [step])
        graph.node("Slice", graph.last, *(graph.constant(np.array(v, whole)) for v in values))
        shape[axis] = len(range(shape[axis])[start::step])
        return shape
    if kind == "Gather":
        chosen = [r.randrange(-shape[axis], shape[axis]) for _ in range(r.randint(1, 3))]
        graph.node("Gather", graph.last, graph.constant(np.array(chosen, whole)), axis=axis)
        return [*shape[:axis], len(chosen), *shape[axis + 1 :]]
    if kind == "Split" and shape[axis] > 1:
        sizes = [1, shape[axis] - 1]
        graph.node("Split", graph.last, graph.constant(np.array(sizes, whole)), outputs=2, axis=axis)
        k = r.randrange(2)
        graph.last = graph.nodes[-1].output[k]
        shape[axis] = sizes[k]
        return shape
    if kind == "Pad" and prod(shape) < 20:
        pads = [r.randint(0, 1) for _ in range(2 * len(shape))]
        filling = [graph.constant(np.array(float(r.randint(-1, 1))))] if r.random() < 0.7 else []
        graph.node("Pad", graph.last, graph.constant(np.array(pads, whole)), *filling)
        return [n + pads[k] + pads[k + len(shape)] for k, n in enumerate(shape)]
    graph.node(r.choice(("Identity", "Dropout")), graph.last)
    return shape


def elementwise(r: random.Random, graph: Graph, shape: list[int]) -> None:
    """One random operator that treats entries one by one, all exact on small integers."""
    constant = graph.constant(numbers(r, *r.choice((shape, shape[-1:], [1]))))
    kind = r.choice(
        ("Mul", "Add", "Sub", "Neg", "Div", "Max", "Min", "PRelu", "Clip", "LeakyRelu", "Abs", "Sum", "twice")
    )
    if kind in ("Mul", "Add", "Sub", "Sum", "Max", "Min"):
        pair = [graph.last, constant]
        graph.node(kind, *(pair if r.random() < 0.5 else pair[::-1]))
    elif kind == "PRelu":
        graph.node(kind, graph.last, constant)
    elif kind == "Div":
        graph.node(kind, graph.last, graph.constant(np.array([r.choice((1.0, 2.0, -0.5))])))
    elif kind == "Clip":
        low, high = float(r.randint(-3, 0)), float(r.randint(1, 4))
        bounds = r.choice(((low, high), (low, None), (None, high)))
        graph.node(kind, graph.last, *("" if b is None else graph.constant(np.array(b)) for b in bounds))
    elif kind == "LeakyRelu":
        graph.node(kind, graph.last, alpha=r.choice((0.5, 0.0, -1.0, 1.0)))
    elif kind == "twice":
        graph.node(r.choice(("Add", "Sub")), graph.last, graph.last)
    else:
        graph.node(kind, graph.last)


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(5, 9))
def test_many_movements_and_entrywise_operators(seed: int) -> None:
    movements_and_entrywise_operators(seed, 4000)


def test_random_movements_and_entrywise_operators() -> None:
    assert len(movements_and_entrywise_operators(4, 300)) >= 24


def movements_and_entrywise_operators(seed: int, count: int) -> set[str]:
    """The operators that were seen."""
    r = random.Random(seed)
    seen: set[str] = set()
    refused = 0
    for _ in range(count):
        shape = [1, *(r.randint(1, 3) for _ in range(r.randint(1, 3)))]
        graph = Graph(shape)
        graph.node("Identity", "x")
        for _ in range(r.randint(2, 5)):
            if r.random() < 0.5:
                shape = movement(r, graph, shape)
            else:
                elementwise(r, graph, shape)
            if r.random() < 0.3:
                width = r.randint(1, 3)
                graph.node("MatMul", graph.last, graph.constant(numbers(r, shape[-1], width)))
                shape = [*shape[:-1], width]
        try:
            same_values(graph, r)
        except InvalidFile as error:
            refused += 1
            assert "must be computed from the input" in str(error)
        seen |= {node.op_type for node in graph.nodes}
    assert refused < count / 15
    return seen


def test_shapes_that_are_computed_from_shapes() -> None:
    """As torch writes ``x.view(x.shape[0], -1)``: shape, gather, unsqueeze, concat, reshape."""
    graph = Graph(("N", 2, 3))
    shape = graph.node("Shape", "x")
    size = graph.node("Gather", shape, graph.constant(np.array(0)), axis=0)
    size = graph.node("Unsqueeze", size, graph.constant(np.array([0])))
    wanted = graph.node("Concat", size, graph.constant(np.array([-1])), axis=0)
    graph.node("Reshape", "x", wanted)
    graph.node("MatMul", graph.last, graph.constant(np.ones((6, 1))))
    assert read(graph)[0] == Network.mlp([[[1] * 6]])


@pytest.mark.parametrize("operator", ["Tanh", "Sigmoid", "Softplus"])
def test_analytic_activations(operator: str) -> None:
    r = random.Random(5)
    graph = Graph((1, 2), np.float64)
    graph.node("MatMul", "x", graph.constant(numbers(r, 2, 3, whole=False)))
    graph.node(operator, graph.last)
    graph.node("MatMul", graph.last, graph.constant(numbers(r, 3, 1, whole=False)))
    net, _ = read(graph)
    assert net.is_analytic
    point = np.array([[0.5, -1.25]])
    (floats,) = ReferenceEvaluator(graph.model()).run(None, {"x": point})
    ((value, bound),) = bounds(net, [Fraction(1, 2), Fraction(-5, 4)], "float64")
    assert abs(Fraction(float(floats[0, 0])) - value) <= bound < Fraction(1, 10**12)


def test_hard_sigmoid() -> None:
    graph = Graph((1, 2))
    graph.node("HardSigmoid", "x", alpha=0.25, beta=0.5)
    same_values(graph, random.Random(6), trials=10)


def normalization(variances: list[float]) -> Graph:
    graph = Graph((1, len(variances), 2), np.float64)
    n = len(variances)
    arrays = (np.full(n, 3.0), np.full(n, 0.5), np.full(n, 2.0), np.array(variances))
    graph.node("BatchNormalization", "x", *map(graph.constant, arrays), epsilon=0.25)
    return graph


def test_batch_normalization_with_rational_roots() -> None:
    graph = normalization([0.75, 2.0, 0.0])  # roots 1, 3/2, 1/2
    net, notes = read(graph)
    assert not any("irrational" in note for note in notes)
    assert [net.layers[0].blocks[0][1][i][i] for i in (0, 2, 4)] == [3, 2, 6]
    assert net([5, 0, 5, 0, 5, 0]) == tuple(map(Fraction, ("9.5", "-5.5", "6.5", "-3.5", "18.5", "-11.5")))


def test_batch_normalization_with_irrational_roots() -> None:
    graph = normalization([1.0, 0.75])  # roots sqrt(5)/2, 1
    net, notes = read(graph)
    assert "1 irrational factors of node 'n0' (BatchNormalization) are rounded to 64 binary digits" in notes
    factor = net.layers[0].blocks[0][1][0][0] / 3
    assert 0 < Fraction(4, 5) - factor**2 < Fraction(4, 2**ROOT_BITS)
    (floats,) = ReferenceEvaluator(graph.model()).run(None, {"x": np.ones((1, 2, 2))})
    assert np.allclose([float(v) for v in net([1] * 4)], floats.ravel(), rtol=1e-14)


def test_inverse_roots() -> None:
    r = random.Random(7)
    for _ in range(300):
        value = Fraction(r.randint(1, 10 ** r.randint(1, 40)), r.randint(1, 10 ** r.randint(1, 40)))
        root, exact = inverse_root(value)
        assert exact == (root * root * value == 1)
        assert exact or 0 < 1 - root * root * value < Fraction(4, 2**ROOT_BITS)
        assert inverse_root(value * value) == (1 / value, True)


def test_neurons_that_nobody_reads_are_left_out() -> None:
    graph = Graph((1, 4))
    graph.node("Relu", "x")
    ends = (graph.constant(np.array(v)) for v in ([0], [2], [1]))
    graph.node("Slice", graph.last, *ends)
    graph.node("Relu", graph.last)
    net, notes = read(graph)
    assert net.widths == (4, 2, 2)
    assert "2 neurons on which no output depends are left out" in notes


def test_older_spellings() -> None:
    """Bounds, axes and slices in attributes."""
    graph = Graph((1, 1, 3), opset=6)
    graph.node("Clip", "x", min=0.0, max=3.4028234663852886e38)
    graph.node("Squeeze", graph.last, axes=[1])
    graph.node("Slice", graph.last, starts=[1], ends=[3], axes=[1])
    net, _ = read(graph)
    assert net.layers[0].activations[0].name == "relu"
    assert net([1, -2, 3]) == (0, 3)


def test_edges_are_counted_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = Graph((1, 1, 30))
    graph.node("AveragePool", "x", kernel_shape=[5])  # 26 windows of 5 entries
    assert len(read(graph)[0].parameters) == 26 * 5
    monkeypatch.setattr(windows, "MAX_EDGES", 129)
    with pytest.raises(InvalidFile, match="must need at most 129 edges"):
        read(graph)


def test_work_is_bounded() -> None:
    graph = Graph((1, 1, 300, 300))
    graph.node("Conv", "x", graph.constant(np.ones((2, 1, 11, 11))))
    with pytest.raises(InvalidFile, match="must need at most 5000000 edges"):
        read(graph)
    graph = Graph((1, 1, 3))
    graph.node("AveragePool", "x", kernel_shape=[10**12], pads=[10**12, 10**12], count_include_pad=1)
    with pytest.raises(InvalidFile, match="must have a result of 1 to 250000 entries"):
        read(graph)
    graph = Graph((1, 1, 3))
    graph.node("AveragePool", "x", kernel_shape=[10**12], pads=[10**12 - 3, 0], count_include_pad=1)
    assert read(graph)[0]([1, 2, 3]) == (Fraction(6, 10**12),)
    graph = Graph((1, 1000))
    for _ in range(3):
        graph.node("Concat", *([graph.last] * 100), axis=1)
    with pytest.raises(InvalidFile, match="must have a result of 1 to 250000 entries"):
        read(graph)
