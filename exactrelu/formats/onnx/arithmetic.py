"""Operators that add and multiply: everything here is affine in the computed tensors."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Final

import numpy as np

from ..forms import SCALED, Tensor, is_computed, tensor_of
from .nodes import Call, Constant, fractions

ROOT_BITS: Final = 64
"""The binary digits to which the irrational factors of batch normalization are rounded."""


def matmul(call: Call) -> Tensor:
    """Rows of a tensor times a constant matrix, or a constant matrix times its columns."""
    left, right = call.value(0), call.value(1)
    if is_computed(left):
        fits = right.ndim == 2 and left.ndim and left.shape[-1] == right.shape[0]
    else:
        fits = left.ndim == 2 and 1 <= right.ndim <= 2 and left.shape[1] == right.shape[0]
    if not fits:
        raise _shapes(call, left, right)
    if is_computed(left):
        return _rows_times(call, left, 1)
    return _rows_times(call, call.tensor(1).T, 0, transposed=True).T


def gemm(call: Call) -> Tensor:
    r""":math:`\alpha AB+\beta C` with a computed matrix A, transposed or not."""
    tensor, matrix = call.tensor(), call.value(1)
    if call.attribute("transA", 0):
        tensor = tensor.T
    transposed = bool(call.attribute("transB", 0))
    if tensor.ndim != 2 or matrix.ndim != 2 or tensor.shape[1] != matrix.shape[transposed]:
        raise _shapes(call, tensor, matrix)
    result = _rows_times(call, tensor, 1, call.number("alpha", 1.0), transposed=transposed)
    if call.given(2) is None:
        return result
    return _shifted(call, result, call.constant(2), call.number("beta", 1.0))


def _rows_times(
    call: Call, tensor: Tensor, index: int, factor: Fraction = Fraction(1), *, transposed: bool = False
) -> Tensor:
    """Every row of the tensor times the matrix that is input ``index``; its absent edges stay absent."""
    matrix = call.constant(index)
    absent = call.absent.get(id(matrix), np.zeros(matrix.shape, dtype=bool))
    if transposed:
        matrix, absent = matrix.T, absent.T
    size, width = matrix.shape
    shape = call.fits((*tensor.shape[:-1], width))
    weights = [factor * weight for weight in fractions(matrix)]
    columns = [[(k, weights[k * width + j]) for k in np.flatnonzero(~absent[:, j]).tolist()] for j in range(width)]
    rows = (
        [(start + k, weight) for k, weight in column] for start in range(0, tensor.size, size) for column in columns
    )
    return call.builder.product(tensor, rows, shape)


def add(call: Call) -> Tensor:
    """The sum of tensors and constants."""
    if len(call.inputs) == 2:
        for tensor, other in ((0, 1), (1, 0)):
            if is_computed(call.value(tensor)) and not is_computed(call.value(other)):
                return _shifted(call, call.tensor(tensor), call.constant(other))
    total = call.computed(0)
    for index in range(1, len(call.inputs)):
        total = _sum(call, total, call.computed(index))
    return _checked(call, total)


def subtract(call: Call) -> Tensor:
    """The difference of tensors and constants."""
    left, right = call.value(0), call.value(1)
    if is_computed(left) and not is_computed(right):
        return _shifted(call, left, call.constant(1), Fraction(-1))
    negative = _scaled(call, call.tensor(1), np.array(-1.0))
    if is_computed(left):
        return _sum(call, left, negative)
    return _shifted(call, negative, call.constant(0))


def _sum(call: Call, left: Tensor, right: Tensor) -> Tensor:
    shape = _common_shape(call, left, right)
    pairs = zip(np.broadcast_to(left, shape).flat, np.broadcast_to(right, shape).flat, strict=True)
    return tensor_of([a.plus(b) for a, b in pairs], shape)


def _shifted(call: Call, tensor: Tensor, constant: Constant, factor: Fraction = Fraction(1)) -> Tensor:
    """A tensor plus a multiple of a constant."""
    shape = _common_shape(call, tensor, constant)
    shifts = fractions(np.broadcast_to(constant, shape))
    pairs = zip(np.broadcast_to(tensor, shape).flat, shifts, strict=True)
    return tensor_of([form.shifted(factor * shift) for form, shift in pairs], shape)


def multiply(call: Call) -> Tensor:
    """A tensor times constants, entry by entry."""
    if is_computed(call.value(0)):
        return _scaled(call, call.tensor(0), call.constant(1))
    return _scaled(call, call.tensor(1), call.constant(0))


def divide(call: Call) -> Tensor:
    """A tensor divided by constants, entry by entry; the quotient is exact."""
    tensor, constant = call.tensor(0), call.constant(1)
    if not np.all(constant):
        raise call.refuse("must not divide by 0")
    return _scaled(call, tensor, constant, inverse=True)


def negate(call: Call) -> Tensor:
    """The tensor with the opposite sign."""
    return _scaled(call, call.tensor(), np.array(-1.0))


def _scaled(call: Call, tensor: Tensor, constant: Constant, *, inverse: bool = False) -> Tensor:
    shape = _common_shape(call, tensor, constant)
    factors = fractions(np.broadcast_to(constant, shape))
    pairs = zip(np.broadcast_to(tensor, shape).flat, factors, strict=True)
    if any(abs(factor) != 1 for factor in factors):
        call.builder.notes.add(SCALED)
    return tensor_of([form.scaled(1 / factor if inverse else factor) for form, factor in pairs], shape)


def batch_normalization(call: Call) -> Tensor:
    r""":math:`s(x-m)/\sqrt{v+\varepsilon}+b` per channel, with constants.

    Where the square root is irrational, :math:`s/\sqrt{v+\varepsilon}` is rounded
    to :data:`ROOT_BITS` binary digits, and a note says so.
    """
    tensor = call.tensor()
    if call.attribute("training_mode", 0):
        raise call.refuse("must not be in training mode")
    channels = tensor.shape[1] if tensor.ndim > 1 else 1
    numbers = [call.constant(index) for index in range(1, 5)]
    if any(array.shape != (channels,) for array in numbers):
        raise call.refuse(f"must have {channels} numbers, one per channel, as inputs 1 to 4", _listed(numbers))
    scale, shift, mean, variance = map(fractions, numbers)
    epsilon = call.number("epsilon", float(np.float32(1e-5)))
    if any(v + epsilon <= 0 for v in variance):
        raise call.refuse("must have positive variances")
    roots = [inverse_root(v + epsilon) for v in variance]
    rounded = sum(not exact for (_, exact), s in zip(roots, scale, strict=True) if s)
    if rounded:
        call.builder.notes.add(
            f"{rounded} irrational factors of {call.place.partition(': ')[2]} are rounded to {ROOT_BITS} binary digits"
        )
    call.builder.notes.add(SCALED)
    result = np.empty_like(tensor)
    for channel in range(channels):
        factor = scale[channel] * roots[channel][0]
        constant = shift[channel] - factor * mean[channel]
        part = tensor[:, channel] if tensor.ndim > 1 else tensor
        forms = [form.scaled(factor).shifted(constant) for form in part.flat]
        result[(slice(None), channel) if tensor.ndim > 1 else ...] = tensor_of(forms, part.shape)
    return result


def inverse_root(value: Fraction) -> tuple[Fraction, bool]:
    r"""The number :math:`1/\sqrt v` for :math:`v>0`, and whether it is exact.

    An irrational one is rounded down to :data:`ROOT_BITS` binary digits, with a
    relative error below :math:`2^{1-64}`.

    >>> inverse_root(Fraction(4, 9)), inverse_root(Fraction(2))[1]
    ((Fraction(3, 2), True), False)
    """
    root = Fraction(isqrt(value.denominator), isqrt(value.numerator))
    if root * root * value == 1:
        return root, True
    # floor(2^k / sqrt(v)) = isqrt(floor(4^k / v)), with k such that the result has at least ROOT_BITS digits
    shift = ROOT_BITS + (value.numerator.bit_length() - value.denominator.bit_length() + 2) // 2
    power = Fraction(2) ** shift
    return isqrt(int(power * power / value)) / power, False


def _common_shape(call: Call, left: Tensor, right: Constant) -> tuple[int, ...]:
    try:
        shape = np.broadcast_shapes(left.shape, right.shape)
    except ValueError:
        raise call.refuse("must combine tensors of fitting shapes", _listed([left, right])) from None
    return call.fits(shape)


def _checked(call: Call, tensor: Tensor) -> Tensor:
    if not any(is_computed(value) for value in call.inputs if value is not None):
        raise call.refuse("must read a computed tensor, not constants only")
    return tensor


def _shapes(call: Call, left: Tensor, right: Constant) -> Exception:
    return call.refuse("must multiply a tensor by a matrix of fitting shape", _listed([left, right]))


def _listed(arrays: list[Constant]) -> list[tuple[int, ...]]:
    return [array.shape for array in arrays]
