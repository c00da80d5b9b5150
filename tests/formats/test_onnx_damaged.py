"""Models with wrong attributes, wrong inputs, other operators and changed bytes: a network, or one sentence."""

from __future__ import annotations

import random

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from onnx_models import random_convolutional

from exactrelu import InvalidInput
from exactrelu.formats.onnx import read_onnx
from exactrelu.formats.onnx.operators import OPERATORS

VALUES = (10**12, -1, 0, 2**62, -(2**62), [10**12] * 4, [0, 0], [-1], 1e38, float("nan"), "x", [1, 1, 1, 1], [3, 3])


def damage(r: random.Random, model: onnx.ModelProto) -> bytes:
    """One to three mistakes of the kinds that a careless or hostile program makes."""
    for _ in range(r.randint(0, 2)):
        node = r.choice(model.graph.node)
        if node.attribute and r.random() < 0.6:
            old = r.choice(node.attribute)
            new = helper.make_attribute(old.name, r.choice(VALUES))
            node.attribute.remove(old)
            node.attribute.append(new)
        elif r.random() < 0.5:
            node.input[r.randrange(len(node.input))] = r.choice(("x", "", "c0", "c1", "t0_0", node.output[0]))
        else:
            tensor = r.choice(model.graph.initializer)
            if tensor.data_type == TensorProto.INT64:
                tensor.raw_data = np.array([10**12], np.int64).tobytes()
            elif tensor.dims:
                tensor.dims[0] = r.choice((0, 1, 10**12, -1, 2))
        if r.random() < 0.3:
            node.op_type = r.choice(sorted(OPERATORS))
    content = bytearray(model.SerializeToString())
    for _ in range(r.choice((0, 0, 1, 4))):
        content[r.randrange(len(content))] = r.randrange(256)
    return bytes(content)


def refused(seed: int, count: int) -> int:
    """The number of models that were refused."""
    r, found = random.Random(seed), 0
    for _ in range(count):
        content = damage(r, random_convolutional(r, whole=r.random() < 0.5).model())
        try:
            read_onnx(content, "net.onnx")
        except InvalidInput as error:
            found += 1
            assert str(error).startswith("net.onnx") and "\n" not in str(error)
    return found


def test_damaged_models() -> None:
    assert 150 < refused(0, 400) < 390


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(1, 5))
def test_many_damaged_models(seed: int) -> None:
    assert refused(seed, 5000) > 1500
