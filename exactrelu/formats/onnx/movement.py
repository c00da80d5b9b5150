"""Operators that only move entries, on computed tensors and on constants alike."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from ..forms import Form, constants, is_computed, tensor_of
from .nodes import Call, Constant, Value, array_of, fractions


def identity(call: Call) -> Value:
    """``Identity``, ``Dropout`` outside training, and casts between floats."""
    if call.given(2) is not None and np.any(call.value(2)):
        raise call.refuse("must not be in training mode")
    return call.value(0)


def cast(call: Call) -> Value:
    """A computed tensor keeps its exact values; constants are converted."""
    from onnx import TensorProto, helper

    kind = call.attribute("to", 0)
    if is_computed(call.value(0)):
        if kind not in (TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16):
            raise call.refuse("must keep a computed tensor a tensor of floats", kind)
        return call.value(0)
    return call.value(0).astype(helper.tensor_dtype_to_np_dtype(kind))


def constant(call: Call) -> Constant:
    """``Constant``: a tensor, a number, or a list of numbers."""
    tensor = call.attribute("value")
    if tensor is not None:
        return array_of(tensor, call.place)
    for name, kind in (("float", np.float32), ("int", np.int64)):
        for suffix in ("", "s"):
            value = call.attribute(f"value_{name}{suffix}")
            if value is not None:
                return np.array(value, kind)
    raise call.refuse("must give its constant as a tensor or as numbers")


def shape_of(call: Call) -> Constant:
    """``Shape``: static here, where the batch dimension is 1."""
    sizes = call.value(0).shape
    start, end = call.attribute("start", 0), call.attribute("end", len(sizes))
    return np.array(sizes[start:end], np.int64)


def flatten(call: Call) -> Value:
    """``Flatten`` to a matrix."""
    shape = call.value(0).shape
    axis = call.attribute("axis", 1)
    if not -len(shape) <= axis <= len(shape):
        raise call.refuse(f"must have an axis between {-len(shape)} and {len(shape)}", axis)
    axis += len(shape) if axis < 0 else 0
    return _reshaped(call, (prod(shape[:axis]), prod(shape[axis:])))


def reshape(call: Call) -> Value:
    """``Reshape`` to a constant shape."""
    old, wanted = call.value(0).shape, call.indices(1, "shape")
    if wanted is None or not all(size >= -1 for size in wanted) or wanted.count(-1) > 1:
        raise call.refuse("must have a shape of integers, at most one of them -1", wanted)
    keep_zeros = not call.attribute("allowzero", 0)
    sizes = [old[k] if size == 0 and keep_zeros and k < len(old) else size for k, size in enumerate(wanted)]
    rest = prod(size for size in sizes if size != -1)
    return _reshaped(call, tuple(prod(old) // max(rest, 1) if size == -1 else size for size in sizes))


def squeeze(call: Call) -> Value:
    """``Squeeze``: drop dimensions of size 1."""
    value, axes = call.value(0), call.indices(1, "axes")
    rank = value.ndim
    dropped = {k for k, n in enumerate(value.shape) if n == 1} if axes is None else {_axis(call, a, rank) for a in axes}
    return _reshaped(call, tuple(n for k, n in enumerate(value.shape) if k not in dropped))


def unsqueeze(call: Call) -> Value:
    """``Unsqueeze``: new dimensions of size 1."""
    value, axes = call.value(0), call.indices(1, "axes")
    if axes is None:
        raise call.refuse("must have constant axes")
    rank = value.ndim + len(axes)
    new = {_axis(call, axis, rank) for axis in axes}
    sizes = iter(value.shape)
    return _reshaped(call, tuple(1 if k in new else next(sizes, 0) for k in range(rank)))


def transpose(call: Call) -> Value:
    """``Transpose``: dimensions in another order."""
    value = call.value(0)
    order = call.integers("perm", range(value.ndim)[::-1]) if call.attribute("perm") is not None else None
    if order is not None and sorted(order) != list(range(value.ndim)):
        raise call.refuse(f"must have an order of {value.ndim} dimensions", order)
    return np.transpose(value, order)


def concat(call: Call) -> Value:
    """``Concat`` along one axis; constants among computed tensors are constants of the network."""
    found = [call.value(index) for index in range(len(call.inputs))]
    if any(is_computed(value) for value in found):
        found = [call.computed(index) for index in range(len(found))]
    axis = _axis(call, call.attribute("axis", 0), found[0].ndim)
    others = [(*value.shape[:axis], *value.shape[axis + 1 :]) for value in found]
    if any(value.ndim != found[0].ndim for value in found) or len(set(others)) > 1:
        raise call.refuse("must join tensors that differ in one dimension only", [value.shape for value in found])
    call.fits((*others[0], sum(value.shape[axis] for value in found)))
    return np.concatenate(found, axis=axis)


def split(call: Call) -> tuple[Value, ...]:
    """``Split`` along one axis."""
    value, sizes = call.value(0), call.indices(1, "split")
    axis = _axis(call, call.attribute("axis", 0), value.ndim)
    parts = len(call.node.output)
    if sizes is None:
        step = -(-value.shape[axis] // parts)
        sizes = [min(step, value.shape[axis] - k * step) for k in range(parts)]
    if len(sizes) != parts or sum(sizes) != value.shape[axis] or any(size < 1 for size in sizes):
        raise call.refuse(f"must split {value.shape[axis]} entries into {parts} parts", sizes)
    return tuple(np.split(value, np.cumsum(sizes)[:-1], axis=axis))


def cut(call: Call) -> Value:
    """``Slice`` with constant starts, ends, axes and steps."""
    value = call.value(0)
    starts, ends = call.indices(1, "starts"), call.indices(2, "ends")
    if starts is None or ends is None:
        raise call.refuse("must have constant starts and ends")
    axes = call.indices(3, "axes") or list(range(len(starts)))
    steps = call.indices(4) or [1] * len(starts)
    if not len(starts) == len(ends) == len(axes) == len(steps) or 0 in steps:
        raise call.refuse(
            "must have as many starts, ends, axes and steps, none of these 0", [starts, ends, axes, steps]
        )
    where = [slice(None)] * value.ndim
    for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
        where[_axis(call, axis, value.ndim)] = slice(start, end, step)
    result = value[tuple(where)]
    call.fits(result.shape)
    return result


def gather(call: Call) -> Value:
    """``Gather`` with constant indices."""
    value, indices = call.value(0), call.value(1)
    axis = _axis(call, call.attribute("axis", 0), value.ndim)
    size = value.shape[axis]
    if is_computed(indices) or indices.dtype.kind not in "iu" or not np.all((-size <= indices) & (indices < size)):
        raise call.refuse(f"must have constant indices of {size} entries")
    call.fits((*value.shape[:axis], *indices.shape, *value.shape[axis + 1 :]))
    return np.take(value, indices, axis=axis)


def pad(call: Call) -> Value:
    """``Pad`` with a constant number."""
    tensor, sizes = call.tensor(), call.indices(1, "pads")
    if call.attribute("mode", b"constant") != b"constant" or call.given(3) is not None:
        raise call.refuse("must pad all dimensions with one constant")
    if sizes is None or len(sizes) != 2 * tensor.ndim or any(size < 0 for size in sizes):
        raise call.refuse(f"must have {2 * tensor.ndim} sizes of padding, none of them negative", sizes)
    widths = list(zip(sizes[: tensor.ndim], sizes[tensor.ndim :], strict=True))
    shape = call.fits([before + n + after for n, (before, after) in zip(tensor.shape, widths, strict=True)])
    filling = call.number("value", 0.0) if call.given(2) is None else fractions(call.constant(2).reshape(1))[0]
    result = np.empty(shape, np.object_)
    result[...] = constants([filling], ())[()] if filling else Form({})
    result[tuple(slice(before, before + n) for n, (before, _) in zip(tensor.shape, widths, strict=True))] = tensor
    return result


def _axis(call: Call, axis: int, rank: int) -> int:
    if not isinstance(axis, int) or not -rank <= axis < rank:
        raise call.refuse(f"must have axes between {-rank} and {rank - 1}", axis)
    return axis % rank


def _reshaped(call: Call, shape: Sequence[int]) -> Value:
    value = call.value(0)
    if prod(shape) != value.size or any(size < 0 for size in shape):
        raise call.refuse("must keep the number of entries", [value.shape, tuple(shape)])
    return tensor_of(list(value.flat), shape) if is_computed(value) else value.reshape(tuple(shape))
