"""Files of arrays against NumPy and the safetensors package, and perceptrons in them."""

from __future__ import annotations

import io
import random
import warnings
import zipfile
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy
from strategies import random_mlp
from test_onnx_writer import dyadic

from exactrelu import InvalidFile, InvalidInput, InvalidNetwork, Network, load, load_report
from exactrelu.formats import from_state_dict, load_arrays, read_state_dict, save, save_report
from exactrelu.formats.arrays import npz_bytes, read_npz, read_safetensors, safetensors_bytes

TYPES = ("<f8", "<f4", "<f2", "<i8", "<i4", "<i2", "<i1", "<u1")


def random_arrays(r: random.Random) -> dict[str, np.ndarray]:
    arrays = {}
    for k in range(r.randint(0, 4)):
        shape = [r.randint(0, 3) for _ in range(r.randint(0, 3))]
        arrays[f"a.{k}"] = (
            np.array([r.randint(-9, 9) % 100 for _ in range(int(np.prod(shape)))])
            .astype(r.choice(TYPES))
            .reshape(shape)
        )
    return arrays


def equal(a: dict[str, np.ndarray], b: dict[str, np.ndarray]) -> bool:
    return set(a) == set(b) and all(
        a[k].shape == b[k].shape and a[k].dtype == b[k].dtype and np.array_equal(a[k], b[k]) for k in a
    )


def test_files_of_others_are_read_and_ours_by_others() -> None:
    r = random.Random(0)
    for _ in range(100):
        arrays = random_arrays(r)
        buffer = io.BytesIO()
        (np.savez if r.random() < 0.5 else np.savez_compressed)(buffer, **arrays)
        assert equal(read_npz(buffer.getvalue(), "a.npz"), arrays)
        assert equal(dict(np.load(io.BytesIO(npz_bytes(arrays)))), arrays)
        assert equal(read_safetensors(safetensors.numpy.save(arrays), "a.safetensors"), arrays)
        assert equal(safetensors.numpy.load(safetensors_bytes(arrays)), arrays)


def test_fortran_order_and_big_endian() -> None:
    array = np.asfortranarray(np.arange(6.0).reshape(2, 3)).astype(">f4")
    buffer = io.BytesIO()
    np.savez(buffer, a=array)
    assert np.array_equal(read_npz(buffer.getvalue(), "a.npz")["a"], array)


def test_bfloat16() -> None:
    header = b'{"weight":{"dtype":"BF16","shape":[1,2],"data_offsets":[0,4]}}'
    content = len(header).to_bytes(8, "little") + header + bytes.fromhex("c03f20c1")
    assert read_safetensors(content, "a")["weight"].tolist() == [[1.5, -10.0]]


@pytest.mark.parametrize("suffix", ["npz", "safetensors"])
def test_perceptrons_come_back(suffix: str, tmp_path: Path) -> None:
    r = random.Random(1)
    for _ in range(60):
        net = dyadic(random_mlp(r, max_layers=5), r, 12)
        path = tmp_path / f"net.{suffix}"
        export = save_report(net, path)
        assert export.rounding is not None and export.rounding.rounded == 0
        found = load_report(path)
        assert found.network == net
        assert (found.format, found.reading) == (suffix, "dyadic")
        assert any("activations" in note for note in found.notes)
        before = path.read_bytes()
        save(found.network, path)
        assert path.read_bytes() == before


def test_rounding_is_reported(tmp_path: Path) -> None:
    net = Network.mlp([[["1/3", 1]], [[2]]], [["1/10"], None], activation="tanh")
    export = save_report(net, tmp_path / "net.npz", precision="float32")
    assert export.rounding is not None and export.rounding.rounded == 2
    third = Fraction(float(np.float32(1 / 3)))
    assert export.rounding.largest_relative_error == 3 * third - 1
    assert load(tmp_path / "net.npz", activation="tanh").layers[0].blocks[0][1] == ((third, 1),)
    with pytest.raises(InvalidNetwork, match="must be a perceptron with full matrices"):
        save(Network.mlp([[[1, None]]]), tmp_path / "gap.npz")


def weights(*names: str) -> dict[str, np.ndarray]:
    """One neuron per layer, with the weights 1, 2, ..."""
    return {f"{name}.weight": np.array([[float(k)]]) for k, name in enumerate(names, 1)}


def order_of(net: Network) -> list[Fraction]:
    return [p.value for p in net.parameters]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["0", "2", "10"], [1, 2, 3]),
        (["10", "2", "0"], [3, 2, 1]),
        (["model.layers.2", "model.layers.0"], [2, 1]),
        (["fc2", "fc1"], [2, 1]),
        (["1.fc.2", "1.fc.1"], [2, 1]),
        (["hidden", "output"], [1, 2]),
        (["a1b1", "a2b0"], [1, 2]),  # two numbers differ: the order is the given one
        (["only"], [1]),
    ],
)
def test_the_order_of_layers(names: list[str], expected: list[int]) -> None:
    assert order_of(from_state_dict(weights(*names))) == expected


def test_an_order_that_is_not_in_the_names(tmp_path: Path) -> None:
    arrays = weights("hidden", "output")
    assert order_of(from_state_dict(arrays, order=["output", "hidden"])) == [2, 1]
    assert "in which they are stored" in " ".join(read_state_dict(arrays, "arrays").notes)
    path = tmp_path / "net.safetensors"
    safetensors.numpy.save_file(arrays, path)
    with pytest.raises(InvalidFile, match="must number its layers"):
        load(path)
    assert order_of(from_state_dict(load_arrays(path), order=["hidden", "output"])) == [1, 2]
    with pytest.raises(InvalidInput, match="order: must list the layers hidden, output"):
        from_state_dict(arrays, order=["hidden"])


def test_readings_and_exact_entries() -> None:
    tenth = {"weight": np.array([[0.1]], np.float32), "bias": [Fraction(1, 3)]}
    assert order_of(from_state_dict(tenth)) == [Fraction(float(np.float32(0.1))), Fraction(1, 3)]
    assert order_of(from_state_dict(tenth, reading="decimal")) == [Fraction(1, 10), Fraction(1, 3)]
    assert order_of(from_state_dict({"weight": [["1/7", 0.5, 2]]})) == [Fraction(1, 7), Fraction(1, 2), 2]
    with pytest.raises(InvalidInput, match="reading"):
        from_state_dict(tenth, reading="float")  # type: ignore[arg-type]


def test_activations_per_layer() -> None:
    arrays = weights("0", "1", "2")
    net = from_state_dict(arrays, activation=["tanh", "abs"], output_activation="relu")
    assert [layer.activations[0].to_json() for layer in net.layers] == ["tanh", "abs", "relu"]
    with pytest.raises(InvalidNetwork, match="must have 2 entries, one per hidden layer; got 1"):
        from_state_dict(arrays, activation=["tanh"])


class Elsewhere:
    """An array on a device that NumPy cannot reach."""

    def __array__(self, *_: object, **__: object) -> np.ndarray:
        raise TypeError("can't convert cuda:0 device type tensor\nto numpy")


ONE = np.ones((1, 1))


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({}, 'must hold an array named "….weight"'),
        ([], "must map names to arrays"),
        ({"0.running_mean": ONE}, "must hold linear layers only.*; got '0.running_mean'"),
        ({1: ONE}, "must hold linear layers only"),
        ({".weight": ONE}, "must hold linear layers only"),
        ({"0.bias": ONE}, "arrays: '0.bias': must belong to a weight of the same name"),
        ({"0.weight": np.ones((1, 1, 3, 3))}, "must be a matrix with one row per neuron"),
        ({"0.weight": np.ones((0, 1))}, "must be a matrix with one row per neuron"),
        ({"0.weight": ONE, "0.bias": ONE}, "'0.bias': must be a list with one number per neuron"),
        ({"0.weight": np.array([[1, np.nan]])}, r"'0.weight'\[0, 1\]: must be a finite number; got nan"),
        ({"0.weight": np.array([[np.inf]])}, "must be a finite number; got inf"),
        ({"0.weight": np.array([[1j]])}, "must hold floats, integers or exact numbers"),
        ({"0.weight": np.array([[True]])}, "must hold floats, integers or exact numbers"),
        ({"0.weight": [["a"]]}, r"'0.weight'\[0\]\[0\]: must be a rational number"),
        ({"0.weight": [[1], [1, 2]]}, "'0.weight': must be an array|must be a matrix"),
        ({"0.weight": Elsewhere()}, "must be an array: can't convert cuda:0 device type tensor to numpy"),
        ({"0.weight": np.ones((2, 1)), "1.weight": np.ones((1, 3))}, "must have 2 columns"),
        ({"0.weight": ONE, "0.bias": np.ones(2)}, "bias: must have 1 entries"),
    ],
)
def test_mappings_that_are_refused(arrays: object, words: str) -> None:
    with pytest.raises(InvalidInput, match=words) as error:
        from_state_dict(arrays)  # type: ignore[arg-type]
    assert "\n" not in str(error.value)


# --- files that lie -----------------------------------------------------------------------------------------------


def zipped(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def npy(header: str, data: bytes = b"", version: tuple[int, int] = (1, 0)) -> bytes:
    size = len(header).to_bytes(2 if version == (1, 0) else 4, "little")
    return b"\x93NUMPY" + bytes(version) + size + header.encode() + data


def pickled() -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, a=np.array([{"x": 1}], dtype=object))
    return buffer.getvalue()


HEADER = "{'descr': '%s', 'fortran_order': False, 'shape': %s}"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "must be an .npz file"),
        (b"PK\x03\x04", "must be an .npz file"),
        (pickled(), "'a.npy': must hold numbers: pickled objects are never loaded"),
        (zipped({"a.txt": b""}), "'a.txt': must be the only array of its name and end in"),
        (zipped({"a.npy": b"garbage"}), "'a.npy': must begin as an array of version 1.0 or 2.0"),
        (zipped({"a.npy": npy("")}), "'a.npy': must have the header of an array"),
        (zipped({"a.npy": npy("x" * 60_000)}), "'a.npy': must have a header within"),
        (zipped({"a.npy": npy(HEADER % ("f4,f4", "(0,)"))}), "must hold numbers"),
        (zipped({"a.npy": npy(HEADER % ("c8", "(0,)"))}), "must hold numbers; got 'c8'"),
        (zipped({"a.npy": npy(HEADER % ("<f8", "(10**12,)"))}), "'a.npy': must have the header of an array"),
        (zipped({"a.npy": npy(HEADER % ("<f8", "(1000000000000,)"))}), "must have the 0 bytes of its shape and type"),
        (
            zipped({"a.npy": npy(HEADER % ("<f8", "(-1,)"), b"12345678")}),
            "must have a shape of sizes that are not negative",
        ),
        (zipped({"a.npy": npy(HEADER % ("<f8", "(1,)"), b"1234")}), "must have the 4 bytes"),
        (zipped({"a.npy": npy(HEADER % ("V0", "(5,)"))}), "must hold numbers"),
        (zipped({"a.npy": npy(HEADER % ("<f8", "(1or 2,)"))}), "'a.npy': must have the header of an array"),
        (zipped({"a.npy": npy(HEADER % (r"\d", "(1,)"))}), "'a.npy': must have the header of an array"),
        (zipped({"a.npy": npy("(" * 9000)}), "must have the header of an array"),
        (zipped({"a.npy": npy(HEADER % ("<f8", "(1,)"), bytes(8), (9, 9))}), "a.npy"),
    ],
)
def test_npz_files_that_are_refused(content: bytes, words: str) -> None:
    """In one sentence, without what the parser of headers would warn of."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        with pytest.raises(InvalidFile, match=words) as error:
            read_npz(content, "net.npz")
    assert "\n" not in str(error.value) and not heard


def test_a_zip_bomb_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither one that says how large it is, nor one that lies about it."""
    content = zipped({"a.npy": npy(HEADER % ("<f8", "(1000000,)"), bytes(8_000_000))})
    assert len(content) < 20_000
    monkeypatch.setattr("exactrelu.formats.arrays.MAX_BYTES", 1_000_000)
    with pytest.raises(InvalidFile, match="must unpack to at most 1000000 bytes; got 80000"):
        read_npz(content, "net.npz")
    size = (8_000_000 + len(npy(HEADER % ("<f8", "(1000000,)")))).to_bytes(4, "little")
    assert content.count(size) == 2
    with pytest.raises(InvalidFile, match=r"must be an \.npz file|must have the"):
        read_npz(content.replace(size, (1000).to_bytes(4, "little")), "net.npz")


def safe(header: str | bytes, data: bytes = b"", length: int | None = None) -> bytes:
    text = header.encode() if isinstance(header, str) else header
    return (len(text) if length is None else length).to_bytes(8, "little") + text + data


ENTRY = '{"w":{"dtype":"%s","shape":%s,"data_offsets":%s}}'


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "must begin with the 8 bytes"),
        (safe("{}", length=10**18), "must have a header within its 10 bytes"),
        (safe("{}", length=3), "must have a header within"),
        (safe("[]"), "header: must be an object"),
        (safe("{"), "header: must be a JSON document"),
        (safe(b"\xff\xff"), "header: must be UTF-8"),
        (safe('{"w":1}'), "'w': must be an object"),
        (safe('{"w":{},"w":{}}'), "must not repeat a key"),
        (safe(ENTRY % ("F8_E4M3", "[1]", "[0,1]"), b"1"), "dtype: must be one of F64"),
        (safe(ENTRY % ("F32", "[1]", "[0,4]")), "must lie within 0 bytes"),
        (safe(ENTRY % ("F32", "[100000000000,100000000000]", "[0,4]"), bytes(4)), "must lie within 4 bytes and fill"),
        (safe(ENTRY % ("F32", "[-1,-1]", "[0,4]"), bytes(4)), "must have sizes and two offsets that are not negative"),
        (safe(ENTRY % ("F32", "[1]", "[4,0]"), bytes(4)), "must lie within"),
        (safe(ENTRY % ("F32", "[1]", "[0,4,8]"), bytes(8)), "two offsets"),
        (safe(ENTRY % ("F32", "[1]", "[4,8]"), bytes(8)), "without gaps and overlaps; got 4"),
        (safe(ENTRY % ("F32", "[1]", "[0,4]"), bytes(8)), "must have 4 bytes of numbers as its header says; got 8"),
    ],
)
def test_safetensors_files_that_are_refused(content: bytes, words: str) -> None:
    with pytest.raises(InvalidFile, match=words) as error:
        read_safetensors(content, "net.safetensors")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("suffix", ["npz", "safetensors", "onnx"])
def test_damaged_files(suffix: str, tmp_path: Path) -> None:
    """Truncated or with changed bytes: a network, or one sentence."""
    r = random.Random(2)
    path = tmp_path / f"net.{suffix}"
    save(Network.random((3, 4, 2), 0), path)
    content = path.read_bytes()
    refused = 0
    for _ in range(300):
        damaged = bytearray(content[: r.randint(0, len(content))] if r.random() < 0.3 else content)
        for _ in range(r.randint(1, 3) if damaged else 0):
            damaged[r.randrange(len(damaged))] = r.randrange(256)
        path.write_bytes(bytes(damaged))
        try:
            load(path)
        except InvalidInput as error:
            refused += 1
            assert "\n" not in str(error)
    assert refused > 100


def test_names_without_a_known_suffix(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"")
    with pytest.raises(InvalidFile, match=r"must end in \"\.npz\" or \"\.safetensors\" to hold named arrays"):
        load_arrays(tmp_path / "a.bin")
