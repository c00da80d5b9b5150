"""Small files that ask for more than any machine has: digits, nesting, sizes, and what unpacks without end."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Callable

NETWORK = {
    "format": "exactrelu/network",
    "version": 1,
    "input_dim": 1,
    "layers": [
        {"activation": "relu", "weights": {"0": [["1"]]}, "bias": ["1"]},
        {"activation": "identity", "weights": {"1": [["1"]]}, "bias": ["1"]},
    ],
}


def network(**changes: object) -> bytes:
    return json.dumps(NETWORK | changes).encode()


def number(text: str) -> bytes:
    return json.dumps(NETWORK).replace('"1"', json.dumps(text), 1).encode()


def npy(shape: tuple[int, ...], descr: str = "<f4", size: int | None = None) -> bytes:
    """The beginning of an array of a shape, and ``size`` zero bytes."""
    header = repr({"descr": descr, "fortran_order": False, "shape": shape}).encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(size or 0)


def archive(*members: tuple[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members:
            file.writestr(name, content)
    return target.getvalue()


def zeros(inputs: int) -> bytes:
    """A network with very many weights, all 0, in a very small archive."""
    return archive(
        ("0.weight.npy", npy((1, inputs), size=4 * inputs)),
        ("0.bias.npy", npy((1,), size=4)),
        ("1.weight.npy", npy((1, 1), size=4)),
        ("1.bias.npy", npy((1,), size=4)),
    )


def safetensors(header: object, content: bytes = b"") -> bytes:
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + content


def claiming(size: int) -> bytes:
    """An archive with one array of 16 megabytes, whose directory claims another size."""
    array = npy((1, 2**22), size=2**24)
    return archive(("0.weight.npy", array)).replace(len(array).to_bytes(4, "little"), size.to_bytes(4, "little"))


BOMBS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "exponent": ("json", lambda: number("1e999999999")),
    "negative exponent": ("json", lambda: number("1e-999999999")),
    "exponent beyond everything": ("json", lambda: number("1e" + "9" * 1000)),
    "digits": ("json", lambda: number("9" * 5_000_000)),
    "digits after the point": ("json", lambda: number("0." + "9" * 5_000_000)),
    "denominator": ("json", lambda: number("1/" + "9" * 5_000_000)),
    "integer": ("json", lambda: json.dumps(NETWORK).replace('"version": 1', '"version": ' + "9" * 5_000_000).encode()),
    "lists": ("json", lambda: b"[" * 10_000_000),
    "objects": ("json", lambda: b'{"a":' * 2_000_000),
    "closed lists": ("json", lambda: b"[" * 90_000 + b"]" * 90_000),
    "inputs": ("json", lambda: network(input_dim=10**18)),
    "inputs without weights": (
        "json",
        lambda: network(input_dim=10**9, layers=[{"activation": "identity", "weights": {}, "bias": ["1"]}]),
    ),
    "a layer far away": (
        "json",
        lambda: network(layers=[{"activation": "identity", "weights": {"999999999": [["1"]]}, "bias": ["1"]}]),
    ),
    "breakpoints": (
        "json",
        lambda: network(
            layers=[
                {
                    "activation": {"name": "leaky_relu", "slope": "1e999999"},
                    "weights": {"0": [["1"]]},
                    "bias": ["1"],
                },
                NETWORK["layers"][1],
            ]
        ),
    ),
    "nnet layers": ("nnet", lambda: b"999999999,2,1,2,\n2,2,1,\n0,\n"),
    "nnet widths": ("nnet", lambda: b"1,999999999,999999999,2,\n999999999,999999999,\n0,\n-1,\n1,\n0,\n1,\n"),
    "nnet exponent": ("nnet", lambda: b"1,1,1,2,\n1,1,\n0,\n-1,\n1,\n0,0\n1,1\n1e999999999,\n1\n"),
    "zip": ("npz", lambda: claiming(600 * 2**20)),
    "zip with a lying directory": ("npz", lambda: claiming(100)),
    "shape without bytes": ("npz", lambda: archive(("0.weight.npy", npy((10**9, 10**9))))),
    "negative shape": ("npz", lambda: archive(("0.weight.npy", npy((-1, -(10**9)), size=8)))),
    "header of nested brackets": (
        "npz",
        lambda: archive(("0.weight.npy", b"\x93NUMPY\x02\x00" + (50_000).to_bytes(4, "little") + b"(" * 50_000)),
    ),
    "wide text": ("npz", lambda: archive(("0.weight.npy", npy((1,), "<U100000000")))),
    "safetensors header": ("safetensors", lambda: (2**63 - 1).to_bytes(8, "little") + b"{}"),
    "safetensors shape": (
        "safetensors",
        lambda: safetensors({"0.weight": {"dtype": "F32", "shape": [2**40, 2**40], "data_offsets": [0, 4]}}, bytes(4)),
    ),
    "safetensors names": ("safetensors", lambda: safetensors({"a" * 10_000_000: 1})),
    "safetensors nesting": ("safetensors", lambda: (10**6).to_bytes(8, "little") + b"[" * 10**6),
    "onnx lengths": ("onnx", lambda: b"\x08\x07\x3a\xff\xff\xff\xff\x0f" + bytes(100)),
    "vnnlib brackets": ("vnnlib", lambda: b"(" * 10_000_000),
    "vnnlib minus signs": (
        "vnnlib",
        lambda: b"(declare-const X_0 Real)(assert (<= X_0 " + b"(- " * 50_000 + b"1.0" + b")" * 50_000 + b"))",
    ),
    "vnnlib shape": (
        "vnnlib",
        lambda: (
            b"(vnnlib-version <2.0>)\n(declare-network f (declare-input X float32 [999999,999999])"
            b"(declare-output Y float32 [1]))"
        ),
    ),
    "vnnlib index": ("vnnlib", lambda: b"(declare-const X_999999999 Real)(assert (<= X_999999999 1.0))"),
    "vnnlib exponent": ("vnnlib", lambda: b"(declare-const X_0 Real)(assert (<= X_0 1.0e999999999))"),
    "an empty domain with long numbers": (
        "domain",
        lambda: json.dumps(
            {
                "format": "exactrelu/domain",
                "version": 1,
                "halfspaces": [
                    {"normal": ["-1", "0"], "bound": "-1"},
                    {"normal": ["1", "0"], "bound": "1e-19000"},
                ],
            }
        ).encode(),
    ),
    "certificate gzip": ("certificate", lambda: gzip.compress(b" " * (65 * 2**20), 1)),
    "certificate digits": (
        "certificate",
        lambda: (
            b'{"format":"exactrelu/certificate","version":1,"claim":{"id":"value","network":'
            + number("9" * 2_000_000)
            + b',"point":["1"],"value":["1"]},"evidence":{}}'
        ),
    ),
    "certificate exponent": ("certificate", lambda: b"[1e999999999]"),
    "certificate scalar in spaces": ("certificate", lambda: b" " * 1000 + b'"x"'),
}
