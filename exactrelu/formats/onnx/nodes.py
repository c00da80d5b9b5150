"""A node of an ONNX graph: inputs and attributes, each checked when an operator asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from ...errors import InvalidFile
from ..forms import MAX_EDGES, MAX_ENTRIES, LayerBuilder, Tensor, constants, is_computed

if TYPE_CHECKING:
    import onnx

Constant: TypeAlias = npt.NDArray[Any]
Value: TypeAlias = npt.NDArray[Any]
"""A constant, or a tensor of forms."""

FLOATS: Final = ("float16", "float32", "float64", "bfloat16")


@dataclass(frozen=True, slots=True)
class Call:
    """A node with its place in messages, its inputs (``None``: left out), and the layers so far."""

    place: str
    node: onnx.NodeProto
    inputs: list[Value | None]
    builder: LayerBuilder
    absent: dict[int, npt.NDArray[np.bool_]]
    """Which entries of a constant, by its identity, stand for absent edges."""

    def refuse(self, rule: str, given: object = None) -> InvalidFile:
        """The error that the node breaks a rule."""
        return InvalidFile(self.place, rule) if given is None else InvalidFile(self.place, rule, given)

    def attribute(self, name: str, default: Any = None) -> Any:
        """An attribute, or its default."""
        import onnx

        for attribute in self.node.attribute:
            if attribute.name == name:
                return onnx.helper.get_attribute_value(attribute)
        return default

    def number(self, name: str, default: Any) -> Fraction:
        """A float attribute as the dyadic number that it is."""
        value = self.attribute(name, default)
        if not isinstance(value, float | Fraction) or value != value or abs(value) == float("inf"):
            raise self.refuse(f"must have a finite number as {name}", value)
        return Fraction(value)

    def integers(self, name: str, default: Sequence[int]) -> list[int]:
        """An attribute that is a list of integers."""
        value = self.attribute(name, default)
        if not isinstance(value, list | tuple) or not all(type(entry) is int for entry in value):
            raise self.refuse(f"must have integers as {name}", value)
        return list(value)

    def given(self, index: int) -> Value | None:
        """An input, if it is there."""
        return self.inputs[index] if index < len(self.inputs) else None

    def value(self, index: int) -> Value:
        """An input that must be there, computed or constant."""
        found = self.given(index)
        if found is None:
            raise self.refuse(f"must have an input {index}")
        return found

    def tensor(self, index: int = 0) -> Tensor:
        """An input that must be computed."""
        found = self.given(index)
        if found is None or not is_computed(found):
            raise self.refuse(f"must read a computed tensor as input {index}, not a constant")
        return found

    def constant(self, index: int) -> Constant:
        """An input that must be constant and finite."""
        found = self.given(index)
        if found is None or is_computed(found):
            raise self.refuse(f"must read a constant as input {index}")
        return self.finite(found, index)

    def finite(self, found: Constant, index: int) -> Constant:
        """A constant, refused unless it holds finite floats."""
        if found.dtype.name not in FLOATS or not np.isfinite(found).all():
            raise self.refuse(f"must read finite numbers of type {', '.join(FLOATS)} as input {index}")
        if found.size > MAX_EDGES:
            raise self.refuse(f"must read at most {MAX_EDGES} numbers as input {index}", found.shape)
        return found

    def indices(self, index: int, attribute: str | None = None) -> list[int] | None:
        """A list of integers, in an input or (in older files) in an attribute; ``None`` if it is in neither."""
        if attribute is not None and self.attribute(attribute) is not None:
            return self.integers(attribute, ())
        found = self.given(index)
        if found is None:
            return None
        if is_computed(found) or found.dtype.kind not in "iu" or found.ndim > 1:
            raise self.refuse(f"must read constant integers as input {index}")
        return [int(entry) for entry in found.ravel()]

    def computed(self, index: int) -> Tensor:
        """An input as a tensor of forms, even if it is constant."""
        found = self.value(index)
        return found if is_computed(found) else constants(fractions(self.finite(found, index)), found.shape)

    def fits(self, shape: Sequence[int]) -> tuple[int, ...]:
        """A shape of a result, refused unless it has entries, and not too many."""
        if any(size < 1 for size in shape) or prod(shape) > MAX_ENTRIES:
            raise self.refuse(f"must have a result of 1 to {MAX_ENTRIES} entries", list(shape))
        return tuple(shape)


def fractions(array: Constant) -> list[Fraction]:
    """The binary values of floats, row by row."""
    return [Fraction(*entry.as_integer_ratio()) for entry in array.astype(np.float64).ravel().tolist()]


def array_of(tensor: onnx.TensorProto, place: str) -> Constant:
    """The numbers of a tensor in the file, refused if they are elsewhere or of no kind of number."""
    from onnx import TensorProto, numpy_helper

    if tensor.data_location == TensorProto.EXTERNAL or len(tensor.external_data):
        raise InvalidFile(place, "must hold its numbers in the file itself, not in external data")
    if any(size < 0 for size in tensor.dims):
        raise InvalidFile(place, "must have a shape of sizes that are not negative", list(tensor.dims))
    try:
        array = np.asarray(numpy_helper.to_array(tensor))
    except Exception as error:  # onnx raises many kinds for broken data
        raise InvalidFile(place, f"must hold its numbers: {' '.join(str(error).split())[:200]}") from None
    if array.dtype.name not in FLOATS and array.dtype.kind not in "iub":
        raise InvalidFile(place, "must hold floats or integers", str(array.dtype))
    return array
