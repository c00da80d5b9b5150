"""Writing networks, by the suffix of the file, with a report of what a format cannot hold."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ..errors import InvalidFile, InvalidInput
from ..files import STANDARD, write_bytes, write_text
from ..networks import Network
from .arrays import npz_bytes, safetensors_bytes
from .graphs import graphml_text, network_graph
from .latex import latex_text
from .onnx import onnx_bytes, read_onnx
from .rounding import Precision, Rounding
from .state_dict import state_dict_bytes


@dataclass(frozen=True, slots=True)
class Export:
    """What was written: the format, what was rounded (``None``: the format is exact), and notes."""

    format: str
    rounding: Rounding | None = None
    notes: tuple[str, ...] = ()

    def explain(self) -> str:
        """One line, and one per note."""
        first = "all numbers are exact" if self.rounding is None else self.rounding.explain()
        return "\n".join([f"{self.format}: {first}", *(f"note: {note}" for note in self.notes)])


def save(net: Network, path: str | os.PathLike[str], *, precision: Precision | None = None) -> None:
    """Write a network, as a whole or not at all: exactly to ``.json``, ``.tex`` or ``.graphml``, in floats
    to ``.onnx``, ``.npz`` or ``.safetensors`` (``-``: JSON to standard output).

    Floats are float32 if that holds every number exactly, otherwise float64, or
    what ``precision`` says; :func:`save_report` also says what was rounded.

    Raises :class:`~exactrelu.errors.InvalidFile` if the file cannot be written, and
    another :class:`~exactrelu.errors.InvalidInput` if the format cannot hold the network or its numbers.
    """
    save_report(net, path, precision=precision)


def save_report(net: Network, path: str | os.PathLike[str], *, precision: Precision | None = None) -> Export:
    """The same, together with an account of what was rounded."""
    name = os.fspath(path)
    suffix = ".json" if name == STANDARD else Path(name).suffix.lower()
    if suffix not in WRITERS:
        known = ", ".join(f'"{known}"' for known in list(WRITERS)[:-1])
        raise InvalidFile(name, f'must end in {known} or "{list(WRITERS)[-1]}" to be written')
    if precision is not None and suffix in EXACT:
        raise InvalidInput("precision", f"must not be given for {suffix}, which holds exact numbers", precision)
    content, export = WRITERS[suffix](net, precision)
    if isinstance(content, str):
        write_text(path, content)
    else:
        write_bytes(path, content)
    return export


def network_text(net: Network) -> str:
    """The text of a network file: one layer field per line, to be read and compared."""
    data = net.to_json()
    layers = []
    for layer in data["layers"]:
        fields = ",\n   ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in layer.items())
        layers.append(f"  {{{fields}}}")
    head = {key: value for key, value in data.items() if key != "layers"}
    lines = "".join(f" {json.dumps(key)}: {json.dumps(value)},\n" for key, value in head.items())
    return "{\n" + lines + ' "layers": [\n' + ",\n".join(layers) + "\n ]\n}\n"


def _json(net: Network, precision: Precision | None) -> tuple[str, Export]:
    return network_text(net), Export("json")


def _latex(net: Network, precision: Precision | None) -> tuple[str, Export]:
    return latex_text(net) + "\n", Export("latex", notes=("formulas are written to be read, not to be loaded again",))


def _graphml(net: Network, precision: Precision | None) -> tuple[str, Export]:
    notes = ("graphs are written to be drawn, not to be loaded again",)
    return graphml_text(network_graph(net)), Export("graphml", notes=notes)


def _onnx(net: Network, precision: Precision | None) -> tuple[bytes, Export]:
    content, rounding = onnx_bytes(net, precision)
    absent = any(entry is None for layer in net.layers for _, block in layer.blocks for row in block for entry in row)
    notes = ["absent edges are weights of 0 for other readers; the metadata of the file names them for this one"]
    notes = notes if absent else []
    # Such as two layers that do not read each other: a graph of operators does not say which comes first.
    if read_onnx(content, "the file")[0].architecture != net.architecture:
        notes.append("read again, the network has the same function, but its layers are arranged otherwise")
    return content, Export("onnx", rounding, tuple(notes))


def _arrays(format: str, write: Callable[[Any], bytes]) -> Callable[[Network, Precision | None], tuple[bytes, Export]]:
    def written(net: Network, precision: Precision | None) -> tuple[bytes, Export]:
        content, rounding = state_dict_bytes(net, write, precision)
        note = "arrays do not name activations: hidden layers are read as ReLU and outputs as affine, unless told"
        return content, Export(format, rounding, (note,))

    return written


EXACT: Final = (".json", ".tex", ".graphml")

WRITERS: Final[dict[str, Callable[[Network, Precision | None], tuple[str | bytes, Export]]]] = {
    ".json": _json,
    ".tex": _latex,
    ".graphml": _graphml,
    ".onnx": _onnx,
    ".npz": _arrays("npz", npz_bytes),
    ".safetensors": _arrays("safetensors", safetensors_bytes),
}
"""The formats that are written, by suffix."""
