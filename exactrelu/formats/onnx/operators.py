"""The table of the operators that are understood."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from . import arithmetic, movement, windows
from .bends import BENDS
from .nodes import Call, Value

OPERATORS: Final[dict[str, Callable[[Call], Value | tuple[Value, ...]]]] = {
    **BENDS,
    "Add": arithmetic.add,
    "AveragePool": windows.average_pool,
    "BatchNormalization": arithmetic.batch_normalization,
    "Cast": movement.cast,
    "Concat": movement.concat,
    "Constant": movement.constant,
    "Conv": windows.convolution,
    "Div": arithmetic.divide,
    "Dropout": movement.identity,
    "Flatten": movement.flatten,
    "Gather": movement.gather,
    "Gemm": arithmetic.gemm,
    "GlobalAveragePool": windows.global_average_pool,
    "Identity": movement.identity,
    "MatMul": arithmetic.matmul,
    "Mul": arithmetic.multiply,
    "Neg": arithmetic.negate,
    "Pad": movement.pad,
    "Reshape": movement.reshape,
    "Shape": movement.shape_of,
    "Slice": movement.cut,
    "Split": movement.split,
    "Squeeze": movement.squeeze,
    "Sub": arithmetic.subtract,
    "Sum": arithmetic.add,
    "Transpose": movement.transpose,
    "Unsqueeze": movement.unsqueeze,
}
"""Operators by name; each turns a node into the tensor (or the tensors) that it defines."""
