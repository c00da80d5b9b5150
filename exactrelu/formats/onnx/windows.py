r"""Convolutions and averages as sparse matrices: no edge where the window does not reach.

Every entry of a convolution is an edge of its own: the network has more
parameters than the file, copies of them, and a competitor need not share them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Final

import numpy as np

from ..forms import MAX_EDGES, Tensor, tensor_of
from .nodes import Call, fractions

UNSHARED: Final = "the weights of a convolution are copied to every place: each copy is a parameter of its own"
AVERAGED: Final = "averages are products with the exact weight 1/n"

Reach = list[tuple[int, int]]
"""The pairs of a place in the kernel and a place in the input, along one axis or flattened over all axes."""


@dataclass(frozen=True, slots=True)
class Window:
    """A kernel that moves over the spatial axes of a tensor of shape (1, channels, ...)."""

    sizes: tuple[int, ...]
    kernel: tuple[int, ...]
    axes: tuple[list[Reach], ...]
    padding: int

    @property
    def shape(self) -> tuple[int, ...]:
        """The numbers of positions."""
        return tuple(map(len, self.axes))

    def positions(self) -> Iterator[Reach]:
        """For every position the pairs (place in the flat kernel, place in the flat input)."""
        for reaches in product(*self.axes):
            yield [
                (_flat([k for k, _ in pairs], self.kernel), _flat([i for _, i in pairs], self.sizes))
                for pairs in product(*reaches)
            ]


def window_of(call: Call, sizes: Sequence[int], kernel: Sequence[int]) -> Window:
    """The window that the attributes of a node describe."""
    rank = len(sizes)
    strides = call.integers("strides", [1] * rank)
    dilations = call.integers("dilations", [1] * rank)
    if not len(kernel) == len(strides) == len(dilations) == rank or min(*kernel, *strides, *dilations) < 1:
        raise call.refuse(
            f"must have {rank} positive sizes of kernel, strides and dilations", [kernel, strides, dilations]
        )
    if call.attribute("ceil_mode", 0):
        raise call.refuse("must not round the number of its windows up (ceil_mode)")
    extents = [(k - 1) * d + 1 for k, d in zip(kernel, dilations, strict=True)]
    pads = _pads(call, sizes, extents, strides)
    axes = []
    for n, k, e, s, d, (before, after) in zip(sizes, kernel, extents, strides, dilations, pads, strict=True):
        count = (n + before + after - e) // s + 1
        call.fits([count])
        if count * min(k, n) > MAX_EDGES:
            raise call.refuse(f"must need at most {MAX_EDGES} edges")
        starts = [s * position - before for position in range(count)]
        # The places j of the kernel with 0 <= t + dj < n, without a look at those in the padding.
        inside = [range(max(0, -(t // d)), min(k, (n - 1 - t) // d + 1)) for t in starts]
        axes.append([[(j, t + d * j) for j in places] for t, places in zip(starts, inside, strict=True)])
    return Window(tuple(sizes), tuple(kernel), tuple(axes), sum(map(sum, pads)))


def _pads(call: Call, sizes: Sequence[int], extents: Sequence[int], strides: Sequence[int]) -> list[tuple[int, int]]:
    rank = len(sizes)
    mode = call.attribute("auto_pad", b"NOTSET").decode("ascii", "replace")
    if mode == "NOTSET":
        pads = call.integers("pads", [0] * (2 * rank))
        if len(pads) != 2 * rank or min(pads) < 0:
            raise call.refuse(f"must have {2 * rank} paddings, none of them negative", pads)
        return list(zip(pads[:rank], pads[rank:], strict=True))
    if mode == "VALID":
        return [(0, 0)] * rank
    if mode not in ("SAME_UPPER", "SAME_LOWER"):
        raise call.refuse("must have auto_pad NOTSET, VALID, SAME_UPPER or SAME_LOWER", mode)
    totals = [max((-(-n // s) - 1) * s + e - n, 0) for n, e, s in zip(sizes, extents, strides, strict=True)]
    halves = [(total // 2, total - total // 2) for total in totals]
    return halves if mode == "SAME_UPPER" else [(after, before) for before, after in halves]


def convolution(call: Call) -> Tensor:
    """``Conv`` in any number of spatial dimensions, with groups, strides, paddings and dilations."""
    tensor, weights = call.tensor(), call.constant(1)
    groups = call.attribute("group", 1)
    if tensor.ndim < 3 or tensor.shape[0] != 1 or weights.ndim != tensor.ndim:
        raise call.refuse("must read one sample with channels and a kernel for it", [tensor.shape, weights.shape])
    channels, sizes = tensor.shape[1], tensor.shape[2:]
    filters, depth, *kernel = weights.shape
    if groups < 1 or filters % groups or depth * groups != channels:
        raise call.refuse("must have a kernel whose groups fit the channels", [tensor.shape, weights.shape, groups])
    if call.attribute("kernel_shape") not in (None, kernel):
        raise call.refuse("must have the kernel_shape of its weights", call.attribute("kernel_shape"))
    window = window_of(call, sizes, kernel)
    shape = call.fits([1, filters, *window.shape])
    positions = _positions(call, window, filters * depth)
    values, area, places = fractions(weights), prod(kernel), prod(sizes)

    def row(output: int, pairs: Reach) -> list[tuple[int, Fraction]]:
        first = output // (filters // groups) * depth
        return [
            ((first + c) * places + i, values[(output * depth + c) * area + k]) for c in range(depth) for k, i in pairs
        ]

    call.builder.notes.add(UNSHARED)
    result = call.builder.product(tensor, (row(m, pairs) for m in range(filters) for pairs in positions), shape)
    if call.given(2) is None:
        return result
    bias = call.constant(2)
    if bias.shape != (filters,):
        raise call.refuse(f"must have {filters} biases", bias.shape)
    shifts = np.repeat(np.array(fractions(bias), np.object_), len(positions))
    return tensor_of([form.shifted(shift) for form, shift in zip(result.flat, shifts, strict=True)], shape)


def average_pool(call: Call) -> Tensor:
    """``AveragePool``: exact means of windows."""
    tensor = call.tensor()
    if tensor.ndim < 3 or tensor.shape[0] != 1:
        raise call.refuse("must read one sample with channels", tensor.shape)
    kernel = call.integers("kernel_shape", ())
    window = window_of(call, tensor.shape[2:], kernel)
    full = prod(kernel) if call.attribute("count_include_pad", 0) else None
    return _averages(call, tensor, window, full)


def global_average_pool(call: Call) -> Tensor:
    """``GlobalAveragePool``: the mean of every channel."""
    tensor = call.tensor()
    if tensor.ndim < 3 or tensor.shape[0] != 1:
        raise call.refuse("must read one sample with channels", tensor.shape)
    sizes = tensor.shape[2:]
    axes = tuple([[(i, i) for i in range(n)]] for n in sizes)
    return _averages(call, tensor, Window(sizes, sizes, axes, 0), None)


def _averages(call: Call, tensor: Tensor, window: Window, full: int | None) -> Tensor:
    channels, places = tensor.shape[1], prod(window.sizes)
    shape = call.fits([1, channels, *window.shape])
    positions = _positions(call, window, channels)
    if not all(positions):
        raise call.refuse("must have windows that reach the tensor")
    call.builder.notes.add(AVERAGED)
    rows = (
        [(c * places + i, Fraction(1, full or len(pairs))) for _, i in pairs]
        for c in range(channels)
        for pairs in positions
    )
    return call.builder.product(tensor, rows, shape)


def _positions(call: Call, window: Window, copies: int) -> list[Reach]:
    """The positions of a window, refused where they would make too many edges."""
    if prod(sum(map(len, reaches)) for reaches in window.axes) * copies > MAX_EDGES:
        raise call.refuse(f"must need at most {MAX_EDGES} edges")
    return list(window.positions())


def _flat(indices: Sequence[int], sizes: Sequence[int]) -> int:
    position = 0
    for index, size in zip(indices, sizes, strict=True):
        position = position * size + index
    return position
