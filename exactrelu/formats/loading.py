"""Loading and saving networks, whatever their format."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from ..errors import InvalidFile, InvalidInput
from ..networks import Network
from ..networks.json import network_from_json
from ..polyhedra import Domain, read_domain
from ..rationals import Reading
from ..rationals.strict_json import parse
from .files import STANDARD, decoded, read_bytes, read_text, write_text
from .nnet import read_nnet
from .onnx import read_onnx


@dataclass(frozen=True, slots=True)
class Import:
    """A network from a file, with what was decided in reading it.

    ``reading`` says how the numbers of the file were read: ``"exact"``,
    ``"decimal"`` or ``"dyadic"``. ``notes`` are sentences for a report.
    """

    network: Network
    format: str
    reading: str
    notes: tuple[str, ...] = ()


def load(path: str | os.PathLike[str], *, normalized: bool = False, reading: Reading | None = None) -> Network:
    """The network in a file: ``.json``, ``.nnet`` or ``.onnx`` (``-``: standard input, as one of the first two).

    With ``normalized``, the mean and range maps of an ``.nnet`` file are
    composed into it. :func:`load_report` also says what was decided on the way.

    Raises :class:`~exactrelu.errors.InvalidFile` and its neighbours.
    """
    return load_report(path, normalized=normalized, reading=reading).network


def load_report(path: str | os.PathLike[str], *, normalized: bool = False, reading: Reading | None = None) -> Import:
    """The network in a file, together with the readings that were used."""
    if reading not in (None, "decimal", "dyadic"):
        raise InvalidInput("reading", 'must be "dyadic" or "decimal"', reading)
    suffix = Path(os.fspath(path)).suffix.lower()
    if suffix == ".nnet":
        return _from_nnet(*read_text(path), normalized, reading)
    content, name = read_bytes(path)
    if suffix == ".onnx":
        return _from_onnx(content, name, normalized, reading)
    if os.fspath(path) == STANDARD and not content.lstrip().startswith(b"{"):
        return _from_nnet(decoded(content, name), name, normalized, reading)
    if suffix != ".json" and not content.lstrip().startswith(b"{"):
        raise InvalidFile(name, 'must be a network file that ends in ".json", ".nnet" or ".onnx"')
    if normalized:
        raise _without_ranges(name)
    if reading is not None:
        raise InvalidInput("reading", "must not be given for a file of exact numbers", reading)
    return Import(network_from_json(parse(content, name), name), "json", "exact")


def load_domain(value: str) -> Domain:
    """A domain from the command line: text if it starts with ``R`` or ``[``, else a JSON file.

    >>> load_domain("[-1,1]^2")
    Domain.parse('[-1,1]^2')
    """
    if value.startswith(("R", "[")):
        return Domain.parse(value)
    return read_domain(*read_bytes(value))


def save(net: Network, path: str | os.PathLike[str]) -> None:
    """Write a network to a ``.json`` file (``-``: standard output), as a whole or not at all.

    Raises :class:`~exactrelu.errors.InvalidFile` if the file cannot be written.
    """
    name = os.fspath(path)
    if name != STANDARD and Path(name).suffix.lower() != ".json":
        raise InvalidFile(name, 'must end in ".json" to be written')
    write_text(path, network_text(net))


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


def _from_nnet(content: str, name: str, normalized: bool, reading: Reading | None) -> Import:
    reading = reading or "decimal"
    file = read_nnet(content, name, reading)
    notes = ["inputs are not clipped to the minima and maxima of the file"]
    if normalized:
        notes.insert(0, "means and ranges of the file are composed into the network")
        return Import(file.normalized_network(name), "nnet", reading, tuple(notes))
    if isinstance(file.normalization, str):
        notes.insert(0, f"raw network; the file has no normalization: {file.normalization}")
    else:
        notes.insert(0, "raw network; its inputs and outputs are normalized by the means and ranges of the file")
    return Import(file.network, "nnet", reading, tuple(notes))


def _from_onnx(content: bytes, name: str, normalized: bool, reading: Reading | None) -> Import:
    if normalized:
        raise _without_ranges(name)
    if reading == "decimal":
        raise InvalidInput("reading", 'must be "dyadic" for a file of binary numbers', reading)
    network, notes = read_onnx(content, name)
    return Import(network, "onnx", "dyadic", notes)


def _without_ranges(name: str) -> InvalidFile:
    return InvalidFile(name, "must carry means and ranges to be normalized, but the format has none")
