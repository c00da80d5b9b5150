"""Operators that bend: every one makes a layer of neurons with its activation."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Final

import numpy as np

from ...networks import IDENTITY, RELU, Activation, Analytic, PiecewiseLinear
from ..forms import Tensor, is_computed
from .nodes import Call, fractions

UNBOUNDED: Final = (float(np.finfo(np.float32).max), float(np.finfo(np.float64).max))
"""Finite bounds that stand for no bound, as older versions of ``Clip`` write them."""


def always(rho: Activation) -> Callable[[Call], Tensor]:
    """The operator of one activation without numbers."""
    return lambda call: _bent(call, rho)


def leaky_relu(call: Call) -> Tensor:
    """``LeakyRelu``: the slope is the float32 number of the file."""
    return _bent(call, PiecewiseLinear.leaky_relu(call.number("alpha", float(np.float32(0.01)))))


def hard_sigmoid(call: Call) -> Tensor:
    r""":math:`\min(\max(\alpha t+\beta,0),1)`."""
    alpha, beta = call.number("alpha", float(np.float32(0.2))), call.number("beta", 0.5)
    if not alpha:
        raise call.refuse("must not have the slope 0")
    return _bent(call, PiecewiseLinear.clip(0, 1).compose(alpha, beta))


def parametric_relu(call: Call) -> Tensor:
    """``PRelu`` with constant slopes, one per entry after broadcasting."""
    tensor, slopes = call.tensor(), call.constant(1)
    try:
        values = fractions(np.broadcast_to(slopes, tensor.shape))
    except ValueError:
        raise call.refuse("must have slopes of a fitting shape", [tensor.shape, slopes.shape]) from None
    made = {value: PiecewiseLinear.leaky_relu(value) for value in set(values)}
    made[Fraction(0)] = RELU
    return call.builder.layer(tensor, [made[value] for value in values])


def clip(call: Call) -> Tensor:
    """``Clip``, with bounds in inputs or (in older files) in attributes."""
    return _clipped(call, _bound(call, 1, "min", -1), _bound(call, 2, "max", 1))


def _bound(call: Call, index: int, name: str, sign: int) -> Fraction | None:
    """A bound, or ``None`` where there is none."""
    value = call.attribute(name)
    found = call.given(index)
    if value is None and found is not None:
        if is_computed(found) or found.size != 1 or found.dtype.kind != "f":
            raise call.refuse(f"must read one constant number as input {index}")
        value = float(found.reshape(()))
    if value is None or value in (sign * float("inf"), *(sign * bound for bound in UNBOUNDED)):
        return None
    return _finite(call, value)


def maximum(call: Call) -> Tensor:
    """``Max`` of a tensor and constants."""
    return _bounded(call, max)


def minimum(call: Call) -> Tensor:
    """``Min`` of a tensor and constants."""
    return _bounded(call, min)


def _bounded(call: Call, choose: Callable[..., Fraction]) -> Tensor:
    computed = [index for index in range(len(call.inputs)) if is_computed(call.value(index))]
    if len(computed) != 1 or len(call.inputs) < 2:
        raise call.refuse("must compare one computed tensor with constants")
    tensor = call.tensor(computed[0])
    columns = []
    for index in range(len(call.inputs)):
        if index != computed[0]:
            constant = call.constant(index)
            try:
                columns.append(fractions(np.broadcast_to(constant, tensor.shape)))
            except ValueError:
                raise call.refuse("must have constants of a fitting shape", [tensor.shape, constant.shape]) from None
    bounds = [choose(entries) for entries in zip(*columns, strict=True)]
    made = {b: _clip(call, b, None) if choose is max else _clip(call, None, b) for b in set(bounds)}
    return call.builder.layer(tensor, [made[bound] for bound in bounds])


def _clipped(call: Call, lower: Fraction | None, upper: Fraction | None) -> Tensor:
    if lower is None and upper is None:
        return call.tensor()
    return _bent(call, _clip(call, lower, upper))


def _clip(call: Call, lower: Fraction | None, upper: Fraction | None) -> PiecewiseLinear:
    if lower is None and upper is not None:
        return PiecewiseLinear([upper], [1, 0], (upper, upper))
    if upper is None and lower is not None:
        return PiecewiseLinear([lower], [0, 1], (lower, lower)) if lower else RELU
    if lower is None or upper is None or lower >= upper:
        raise call.refuse("must have a lower bound below its upper bound", [str(lower), str(upper)])
    return PiecewiseLinear.clip(lower, upper)


def _finite(call: Call, value: object) -> Fraction:
    if not isinstance(value, float) or value != value or abs(value) == float("inf"):
        raise call.refuse("must have finite bounds", value)
    return Fraction(value)


def _bent(call: Call, rho: Activation) -> Tensor:
    tensor = call.tensor()
    return tensor if rho == IDENTITY else call.builder.layer(tensor, [rho] * tensor.size)


BENDS: Final[dict[str, Callable[[Call], Tensor]]] = {
    "Abs": always(PiecewiseLinear.absolute_value()),
    "Clip": clip,
    "HardSigmoid": hard_sigmoid,
    "LeakyRelu": leaky_relu,
    "Max": maximum,
    "Min": minimum,
    "PRelu": parametric_relu,
    "Relu": always(RELU),
    "Sigmoid": always(Analytic.logistic()),
    "Softplus": always(Analytic.softplus()),
    "Tanh": always(Analytic.tanh()),
}
