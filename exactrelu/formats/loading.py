"""Reading networks and domains, whatever their format; by the suffix of the file."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ..errors import InvalidFile, InvalidInput
from ..files import STANDARD, decoded, read_bytes
from ..networks import IDENTITY, RELU, Network
from ..networks.json import network_from_json
from ..polyhedra import Domain, read_domain
from ..rationals import Reading
from ..rationals.strict_json import parse
from .arrays import ARRAY_SUFFIXES, read_npz, read_safetensors
from .imports import Import
from .nnet import read_nnet
from .onnx import read_onnx
from .state_dict import read_state_dict
from .vnnlib import read_vnnlib


@dataclass(frozen=True, slots=True)
class Options:
    """What may be asked for in reading; every format refuses what it does not have."""

    normalized: bool = False
    reading: Reading | None = None
    activation: object = None


def load(
    path: str | os.PathLike[str],
    *,
    normalized: bool = False,
    reading: Reading | None = None,
    activation: object = None,
) -> Network:
    """The network in a file: ``.json``, ``.nnet``, ``.onnx``, ``.npz`` or ``.safetensors``.

    ``-`` is standard input, as one of the first two. With ``normalized``, the mean
    and range maps of an ``.nnet`` file are composed into it. ``activation`` belongs
    to the hidden layers of a file of arrays, which does not name it (ReLU by
    default). :func:`load_report` also says what was decided on the way.

    Raises :class:`~exactrelu.errors.InvalidFile` and its neighbours.
    """
    return load_report(path, normalized=normalized, reading=reading, activation=activation).network


def load_report(
    path: str | os.PathLike[str],
    *,
    normalized: bool = False,
    reading: Reading | None = None,
    activation: object = None,
) -> Import:
    """The network in a file, together with the readings that were used."""
    if reading not in (None, "decimal", "dyadic"):
        raise InvalidInput("reading", 'must be "dyadic" or "decimal"', reading)
    content, name = read_bytes(path)
    looks_like_json = content.lstrip().startswith(b"{")
    suffix = Path(os.fspath(path)).suffix.lower()
    if os.fspath(path) == STANDARD:
        suffix = ".json" if looks_like_json else ".nnet"
    elif suffix not in READERS and looks_like_json:
        suffix = ".json"
    if suffix not in READERS:
        raise InvalidFile(name, f"must be a network file that ends in {_listed(tuple(READERS))}")
    return READERS[suffix](content, name, Options(normalized, reading, activation))


def load_domain(value: str | os.PathLike[str]) -> Domain:
    """A domain from the command line: text if it starts with ``R`` or ``[``, else a JSON or VNN-LIB file.

    Raises :class:`~exactrelu.errors.InvalidDomain` and :class:`~exactrelu.errors.InvalidFile`.

    >>> load_domain("[-1,1]^2")
    Domain.parse('[-1,1]^2')
    """
    return load_domain_report(value)[0]


def load_domain_report(value: str | os.PathLike[str]) -> tuple[Domain, tuple[str, ...]]:
    """The same, with notes on what was left out in reading it.

    >>> load_domain_report("R")
    (Domain.parse('R'), ())
    """
    if isinstance(value, str) and value.startswith(("R", "[")):
        return Domain.parse(value), ()
    content, name = read_bytes(value)
    if Path(os.fspath(value)).suffix.lower() == ".vnnlib":
        return read_vnnlib(decoded(content, name), name)
    return read_domain(content, name), ()


def _from_json(content: bytes, name: str, options: Options) -> Import:
    _refuse_ranges(name, options)
    _refuse_activation(options)
    if options.reading is not None:
        raise InvalidInput("reading", "must not be given for a file of exact numbers", options.reading)
    return Import(network_from_json(parse(content, name), name), "json", "exact")


def _from_nnet(content: bytes, name: str, options: Options) -> Import:
    _refuse_activation(options)
    reading = options.reading or "decimal"
    file = read_nnet(decoded(content, name), name, reading)
    notes = ["inputs are not clipped to the minima and maxima of the file"]
    if options.normalized:
        notes.insert(0, "means and ranges of the file are composed into the network")
        return Import(file.normalized_network(name), "nnet", reading, tuple(notes))
    if isinstance(file.normalization, str):
        notes.insert(0, f"raw network; the file has no normalization: {file.normalization}")
    else:
        notes.insert(0, "raw network; its inputs and outputs are normalized by the means and ranges of the file")
    return Import(file.network, "nnet", reading, tuple(notes))


def _from_onnx(content: bytes, name: str, options: Options) -> Import:
    _refuse_ranges(name, options)
    _refuse_activation(options)
    _expect_dyadic(options)
    network, notes = read_onnx(content, name)
    return Import(network, "onnx", "dyadic", notes)


def _from_arrays(content: bytes, name: str, options: Options) -> Import:
    _refuse_ranges(name, options)
    _expect_dyadic(options)
    npz = name.lower().endswith(".npz")
    return read_state_dict(
        (read_npz if npz else read_safetensors)(content, name),
        name,
        format="npz" if npz else "safetensors",
        activation=RELU if options.activation is None else options.activation,
        output_activation=IDENTITY,
        ordered=npz,  # the arrays of a safetensors file are sorted by type and name
    )


READERS: Final[dict[str, Callable[[bytes, str, Options], Import]]] = {
    ".json": _from_json,
    ".nnet": _from_nnet,
    ".onnx": _from_onnx,
    **dict.fromkeys(ARRAY_SUFFIXES, _from_arrays),
}
"""The formats that are read, by suffix."""


def _refuse_ranges(name: str, options: Options) -> None:
    if options.normalized:
        raise InvalidFile(name, "must carry means and ranges to be normalized, but the format has none")


def _refuse_activation(options: Options) -> None:
    if options.activation is not None:
        raise InvalidInput("activation", "must not be given for a file that names its activations", options.activation)


def _expect_dyadic(options: Options) -> None:
    if options.reading == "decimal":
        raise InvalidInput("reading", 'must be "dyadic" for a file of binary numbers', options.reading)


def _listed(suffixes: tuple[str, ...]) -> str:
    return ", ".join(f'"{suffix}"' for suffix in suffixes[:-1]) + f' or "{suffixes[-1]}"'
