r"""Perceptrons as named arrays, as torch names them: ``0.weight``, ``0.bias``, ``layers.2.weight``.

A weight has one row per neuron. Arrays say nothing about activations: they are
arguments. Layers follow the numbers in their names; where the names differ in
more than one number, they follow the order that is given.

>>> arrays = {"0.weight": [["1/2"], [-1]], "0.bias": [0, 1], "2.weight": [[1, 1]]}
>>> from_state_dict(arrays)
Network.mlp([[["1/2"], [-1]], [[1, 1]]], [[0, 1], None])
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ..errors import InvalidFile, InvalidInput, InvalidNetwork
from ..networks import IDENTITY, RELU, Layer, Network
from ..networks.formulas import activation_name
from ..rationals import Reading, from_float
from .forms import MAX_EDGES
from .imports import Import
from .rounding import Precision, Rounder, Rounding, shortest

READ_AS: Final = {
    "dyadic": "the numbers are read as their exact binary values",
    "decimal": "the numbers are read as the shortest decimals that print them",
}


def from_state_dict(
    arrays: Mapping[str, Any],
    *,
    activation: object = RELU,
    output_activation: object = IDENTITY,
    order: Iterable[str] | None = None,
    reading: Reading = "dyadic",
) -> Network:
    """The perceptron in a mapping of arrays with names such as ``layers.2.weight`` (a torch ``state_dict`` is one).

    ``activation`` belongs to all hidden layers; a list has one per hidden layer.
    ``order`` lists the names of the layers without ``.weight``, where the numbers
    in them do not. Floats are their binary values, unless ``reading`` says ``"decimal"``.

    Raises :class:`~exactrelu.errors.InvalidInput` and its neighbours, naming the array.

    >>> import numpy as np
    >>> from_state_dict({"weight": np.array([[0.1]], np.float32)}, reading="decimal")
    Network.mlp([[["1/10"]]])
    """
    report = read_state_dict(
        arrays, "arrays", activation=activation, output_activation=output_activation, order=order, reading=reading
    )
    return report.network


def read_state_dict(
    arrays: Mapping[str, Any],
    source: str,
    *,
    format: str = "arrays",
    activation: object = RELU,
    output_activation: object = IDENTITY,
    order: Iterable[str] | None = None,
    reading: Reading = "dyadic",
    ordered: bool = True,
) -> Import:
    """The same with a report; ``ordered`` says whether the order of the mapping means anything."""
    if reading not in READ_AS:
        raise InvalidInput("reading", 'must be "dyadic" or "decimal"', reading)
    if not isinstance(arrays, Mapping):
        raise InvalidInput(source, "must map names to arrays", type(arrays).__name__)
    names, notes = _layers(arrays, source, order, ordered)
    found = {
        key: _array(value, f"{source}: {key!r}", 2 if key.endswith("weight") else 1) for key, value in arrays.items()
    }
    size = sum(array.size for array in found.values())
    if size > MAX_EDGES:
        raise InvalidInput(source, f"must have at most {MAX_EDGES} numbers", size)
    numbers = {key: _numbers(array, f"{source}: {key!r}", reading) for key, array in found.items()}
    weights = [numbers[f"{name}.weight".lstrip(".")] for name in names]
    biases = [numbers.get(f"{name}.bias".lstrip(".")) for name in names]
    rhos = [*_activations(activation, len(names) - 1), output_activation]
    try:
        layers = [
            Layer({k: matrix}, bias=bias, activation=rho)
            for k, (matrix, bias, rho) in enumerate(zip(weights, biases, rhos, strict=True))
        ]
        net = Network(len(weights[0][0]), layers)
    except InvalidInput as error:
        raise error.at(source) from None
    taken = ", ".join(activation_name(layer.activations[0]) for layer in net.layers)
    assumed = f"activations are no part of the arrays: the layers are taken as {taken}"
    return Import(net, format, reading, (READ_AS[reading], *notes, assumed))


def _layers(
    arrays: Mapping[str, Any], source: str, order: Iterable[str] | None, ordered: bool
) -> tuple[list[str], list[str]]:
    """The names of the layers in the order of the network."""
    found = []
    for key in arrays:
        if not isinstance(key, str) or key.startswith(".") or key.rpartition(".")[2] not in ("weight", "bias"):
            raise InvalidFile(source, 'must hold linear layers only, named "….weight" and "….bias"', key)
        name, _, part = key.rpartition(".")
        if part == "weight":
            found.append(name)
        elif f"{name}.weight".lstrip(".") not in arrays:
            raise InvalidFile(f"{source}: {key!r}", "must belong to a weight of the same name")
    if not found:
        raise InvalidFile(source, 'must hold an array named "….weight"')
    if order is not None:
        wanted = list(order)
        if sorted(map(str, wanted)) != sorted(found):
            raise InvalidInput("order", f"must list the layers {', '.join(found)}", wanted)
        return wanted, []
    parts = [re.split(r"([0-9]+)", name) for name in found]
    texts = {tuple(part[::2]) for part in parts}
    numbers = [tuple(map(int, part[1::2])) for part in parts]
    if len(found) == 1 or (len(texts) == 1 and _count_varying(numbers) == 1 and len(set(numbers)) == len(found)):
        return [name for _, name in sorted(zip(numbers, found, strict=True))], []
    if not ordered:
        raise InvalidFile(source, "must number its layers: from_state_dict(load_arrays(file), order=[...])", found)
    return found, ["the layers are taken in the order in which they are stored"]


def _count_varying(numbers: list[tuple[int, ...]]) -> int:
    return sum(len(set(column)) > 1 for column in zip(*numbers, strict=True))


def _array(value: Any, place: str, dimensions: int) -> npt.NDArray[Any]:
    """Floats, integers or exact numbers as an array."""
    try:
        # As objects, lists keep text and floats apart, which NumPy would make all text.
        array = np.asarray(value, dtype=np.object_ if isinstance(value, list | tuple) else None)
    except Exception as error:  # whatever a foreign array raises, such as a tensor on another device
        raise InvalidInput(place, f"must be an array: {' '.join(str(error).split())[:200]}") from None
    if array.dtype.kind not in "fiuOU":
        raise InvalidInput(place, "must hold floats, integers or exact numbers", str(array.dtype))
    if array.ndim != dimensions or array.size == 0:
        shape = "a matrix with one row per neuron" if dimensions == 2 else "a list with one number per neuron"
        raise InvalidInput(place, f"must be {shape}", array.shape)
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        where = np.argwhere(~np.isfinite(array))[0].tolist()
        raise InvalidInput(f"{place}{where}", "must be a finite number", float(array[tuple(where)]))
    return array


def _numbers(array: npt.NDArray[Any], place: str, reading: Reading) -> list[Any]:
    """The entries as exact numbers, row by row."""
    if array.ndim == 2:
        return [_row(row, f"{place}[{i}]", reading) for i, row in enumerate(array)]
    return _row(array, place, reading)


def _row(row: npt.NDArray[Any], place: str, reading: Reading) -> list[Any]:
    # Doubles hold shorter floats exactly, but print other decimals.
    plain = row.dtype.kind in "iuU" or (reading == "dyadic" and row.dtype.itemsize <= 8)
    entries = row.tolist() if plain or row.dtype.kind == "O" else list(row)
    return [from_float(entry, reading, f"{place}[{j}]") for j, entry in enumerate(entries)]


def _activations(activation: object, hidden: int) -> list[object]:
    if not isinstance(activation, list | tuple):
        return [activation] * hidden
    if len(activation) != hidden:
        raise InvalidNetwork("activation", f"must have {hidden} entries, one per hidden layer", len(activation))
    return list(activation)


def state_dict_bytes(
    net: Network, write: Callable[[Mapping[str, npt.NDArray[Any]]], bytes], precision: Precision | None
) -> tuple[bytes, Rounding]:
    """A perceptron as a file of arrays, named as in ``torch.nn.Sequential``, and what was rounded.

    Raises :class:`~exactrelu.errors.InvalidNetwork` for other networks.
    """
    if not net.is_layered:
        raise InvalidNetwork("network", "must be a perceptron with full matrices to be written as arrays")

    def build(rounder: Rounder) -> bytes:
        arrays = {}
        for k, layer in enumerate(net.layers):
            (_, block), *_ = layer.blocks
            entries = [entry for row in block for entry in row if entry is not None]
            arrays[f"{2 * k}.weight"] = rounder.array(entries, (layer.width, len(block[0])))
            if layer.bias is not None:
                arrays[f"{2 * k}.bias"] = rounder.array(layer.bias, (layer.width,))
        return write(arrays)

    return shortest(build, precision)
