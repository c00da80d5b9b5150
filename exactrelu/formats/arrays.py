"""Named arrays in files: ``.npz`` and ``.safetensors``, read without trusting a word of the file, and written.

Sizes that a file claims are compared with the bytes that it has before anything
is allocated; nothing is unpickled.
"""

from __future__ import annotations

import ast
import io
import json
import math
import os
import struct
import warnings
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ..errors import InvalidFile, shorten
from ..files import read_bytes
from ..rationals.strict_json import MAX_BYTES, expect_list, expect_object, parse

Array = npt.NDArray[Any]

ARRAY_SUFFIXES: Final = (".npz", ".safetensors")

MAX_HEADER: Final = 10_000
"""The longest header of one array, in bytes."""

DTYPES: Final = {
    "F64": "<f8",
    "F32": "<f4",
    "F16": "<f2",
    "BF16": "<u2",  # the upper half of a float32
    "I64": "<i8",
    "I32": "<i4",
    "I16": "<i2",
    "I8": "<i1",
    "U8": "<u1",
}
"""What safetensors calls the types that are read."""


def load_arrays(path: str | os.PathLike[str]) -> dict[str, Array]:
    """The named arrays in an ``.npz`` or ``.safetensors`` file, in the order of the file.

    Raises :class:`~exactrelu.errors.InvalidFile`, naming the place.
    """
    content, name = read_bytes(path)
    suffix = Path(os.fspath(path)).suffix.lower()
    if suffix not in ARRAY_SUFFIXES:
        raise InvalidFile(name, 'must end in ".npz" or ".safetensors" to hold named arrays')
    return read_npz(content, name) if suffix == ".npz" else read_safetensors(content, name)


def read_npz(content: bytes, source: str) -> dict[str, Array]:
    """The arrays in an ``.npz`` file; ``source`` names the file in messages."""
    arrays: dict[str, Array] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
            claimed = sum(member.file_size for member in members)
            if claimed > MAX_BYTES:
                raise InvalidFile(source, f"must unpack to at most {MAX_BYTES} bytes", claimed)
            for member in members:
                place = f"{source}: {shorten(member.filename)}"
                name = member.filename.removesuffix(".npy")
                if name == member.filename or name in arrays:
                    raise InvalidFile(place, 'must be the only array of its name and end in ".npy"')
                with archive.open(member) as file:
                    arrays[name] = _npy(file.read(member.file_size), place)
    except InvalidFile:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError, struct.error) as error:
        # Broken, truncated, encrypted or unknown compression; NotImplementedError is a RuntimeError.
        raise InvalidFile(source, f"must be an .npz file: {' '.join(str(error).split())[:200]}") from None
    return arrays


def _npy(content: bytes, place: str) -> Array:
    """One array; its header is checked against the bytes that follow it."""
    width = {b"\x93NUMPY\x01\x00": 2, b"\x93NUMPY\x02\x00": 4}.get(content[:8])
    if width is None:
        raise InvalidFile(place, "must begin as an array of version 1.0 or 2.0", content[:8])
    start = 8 + width
    end = start + int.from_bytes(content[8:start], "little")
    if end > min(len(content), start + MAX_HEADER):
        raise InvalidFile(place, f"must have a header within its {len(content)} bytes", end)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what the parser says of broken literals
            header = ast.literal_eval(content[start:end].decode("latin-1").strip())
        descr, fortran, shape = header["descr"], header["fortran_order"], header["shape"]
        dtype = np.dtype(descr if isinstance(descr, str) else None)
    except (ValueError, SyntaxError, TypeError, KeyError, RecursionError, MemoryError):
        raise InvalidFile(place, "must have the header of an array", content[start:end]) from None
    if dtype.hasobject:
        raise InvalidFile(place, "must hold numbers: pickled objects are never loaded", descr)
    if not isinstance(descr, str) or dtype.kind not in "fiuU" or not dtype.itemsize:
        raise InvalidFile(place, "must hold numbers", descr)
    if not isinstance(shape, tuple) or not all(type(size) is int and size >= 0 for size in shape):
        raise InvalidFile(place, "must have a shape of sizes that are not negative", shape)
    if math.prod(shape) * dtype.itemsize != len(content) - end:
        raise InvalidFile(place, f"must have the {len(content) - end} bytes of its shape and type", (shape, descr))
    return np.frombuffer(content, dtype, offset=end).reshape(shape, order="F" if fortran else "C")


def read_safetensors(content: bytes, source: str) -> dict[str, Array]:
    """The arrays in a ``.safetensors`` file; ``source`` names the file in messages."""
    if len(content) < 8:
        raise InvalidFile(source, "must begin with the 8 bytes of the length of its header", len(content))
    length = int.from_bytes(content[:8], "little")
    if length > len(content) - 8:
        raise InvalidFile(source, f"must have a header within its {len(content)} bytes", length)
    header = parse(content[8 : 8 + length], f"{source}: header")
    if not isinstance(header, dict):
        raise InvalidFile(f"{source}: header", "must be an object", header)
    data = memoryview(content)[8 + length :]
    arrays, ends = {}, []
    for name, entry in header.items():
        if name != "__metadata__":
            arrays[name], span = _safetensor(entry, data, f"{source}: {shorten(name)}")
            ends.append(span)
    position = 0
    for start, end in sorted(ends):
        if start != position:
            raise InvalidFile(source, "must have arrays that follow each other without gaps and overlaps", start)
        position = end
    if position != len(data):
        raise InvalidFile(source, f"must have {position} bytes of numbers as its header says", len(data))
    return arrays


def _safetensor(entry: Any, data: memoryview, place: str) -> tuple[Array, tuple[int, int]]:
    fields = expect_object(entry, place, required=("dtype", "shape", "data_offsets"))
    kind, shape = fields["dtype"], expect_list(fields["shape"], f"{place}: shape")
    span = expect_list(fields["data_offsets"], f"{place}: data_offsets")
    if not isinstance(kind, str) or kind not in DTYPES:
        raise InvalidFile(f"{place}: dtype", f"must be one of {', '.join(DTYPES)}", kind)
    if not all(type(size) is int and size >= 0 for size in (*shape, *span)) or len(span) != 2:
        raise InvalidFile(place, "must have sizes and two offsets that are not negative", (shape, span))
    dtype, (start, end) = np.dtype(DTYPES[kind]), span
    if not start <= end <= len(data) or math.prod(shape) * dtype.itemsize != end - start:
        raise InvalidFile(place, f"must lie within {len(data)} bytes and fill its shape", (shape, span))
    array = np.frombuffer(data[start:end], dtype)
    if kind == "BF16":
        array = (array.astype("<u4") << 16).view("<f4")
    return array.reshape(shape), (start, end)


def npz_bytes(arrays: Mapping[str, Array]) -> bytes:
    """The ``.npz`` file of named arrays, the same bytes in every run."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, array in arrays.items():
            part = io.BytesIO()
            np.lib.format.write_array(part, array, allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), part.getvalue())
    return buffer.getvalue()


def safetensors_bytes(arrays: Mapping[str, Array]) -> bytes:
    """The ``.safetensors`` file of named arrays, the same bytes in every run."""
    names = {np.dtype(dtype): kind for kind, dtype in DTYPES.items() if kind != "BF16"}
    header, data = {}, b""
    for name, array in arrays.items():
        start = len(data)
        data += array.astype(array.dtype.newbyteorder("<")).tobytes()
        header[name] = {"dtype": names[array.dtype], "shape": list(array.shape), "data_offsets": [start, len(data)]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + data
