"""Loading and saving by the name of the file."""

from __future__ import annotations

import io
import json
import random
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from strategies import random_dag

from exactrelu import InvalidFile, InvalidInput, Network, load, load_report, save
from exactrelu.formats import network_text

NET = Network.mlp([[["1/2", -3]], [[2]]], [["0.1"], None])
NNET = "1\n1,1\n3\n4\n"


def test_round_trip_of_random_networks(tmp_path: Path) -> None:
    r = random.Random(0)
    path = tmp_path / "net.json"
    for _ in range(300):
        net = random_dag(r)
        save(net, path)
        again = load(path)
        assert again == net
        assert hash(again) == hash(net)
        assert again.parameters == net.parameters


def test_numbers_of_many_digits_survive(tmp_path: Path) -> None:
    net = Network.mlp([[["1" + "0" * 15_000], [Fraction(1, 7**5000)]]], [[0, "-2/3"]])
    save(net, tmp_path / "net.json")
    assert load(tmp_path / "net.json") == net


def test_the_text_is_the_documented_format() -> None:
    data = json.loads(network_text(NET))
    assert data == {
        "format": "exactrelu/network",
        "version": 1,
        "input_dim": 2,
        "layers": [
            {"activation": "relu", "weights": {"0": [["1/2", "-3"]]}, "bias": ["1/10"]},
            {"activation": "identity", "weights": {"1": [["2"]]}, "bias": None},
        ],
    }


def test_a_plain_matrix_reads_the_previous_layer(tmp_path: Path) -> None:
    data = json.loads(network_text(NET))
    data["layers"][0]["weights"] = [["1/2", "-3"]]
    data["layers"][1]["weights"] = [["2"]]
    (tmp_path / "net.json").write_text(json.dumps(data))
    assert load(tmp_path / "net.json") == NET


def test_standard_streams(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    save(NET, "-")
    written = capsys.readouterr().out
    assert written == network_text(NET)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(written.encode())))
    assert load("-") == NET


@pytest.mark.parametrize("name", ["net", "net.txt", "net.JSON", "net.json", "net.nnet.json"])
def test_network_json_is_recognised_under_any_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(network_text(NET))
    found = load_report(tmp_path / name)
    assert (found.network, found.format, found.reading, found.notes) == (NET, "json", "exact", ())


@pytest.mark.parametrize("name", ["net.nnet", "net.NNET"])
def test_nnet_is_recognised_by_its_suffix(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(NNET)
    assert load(tmp_path / name) == Network.mlp([[[3]]], [[4]])


@pytest.mark.parametrize("name", ["net", "net.txt", "nnet", ".nnet"])
def test_other_suffixes_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(NNET)
    with pytest.raises(
        InvalidFile, match=r'must be a network file that ends in "\.json", "\.nnet", "\.onnx", "\.npz" or'
    ):
        load(tmp_path / name)


@pytest.mark.parametrize("name", ["net", "net.nnet", "net.txt", "json"])
def test_other_suffixes_are_not_written(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidFile, match=r'must end in "\.json", "\.tex", "\.graphml", .* to be written'):
        save(NET, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_options_that_do_not_apply_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.json"
    save(NET, path)
    with pytest.raises(InvalidFile, match="must carry means and ranges to be normalized, but the format has none"):
        load(path, normalized=True)
    with pytest.raises(InvalidInput, match="reading: must not be given for a file of exact numbers"):
        load(path, reading="dyadic")


@pytest.mark.parametrize(
    "name", ["missing.json", "folder.json", "empty.json", "binary.json", "missing.nnet", "nul\0.json"]
)
def test_unreadable_files(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "empty.json").touch()
    (tmp_path / "binary.json").write_bytes(bytes(range(256)))
    with pytest.raises(InvalidFile) as error:
        load(tmp_path / name)
    assert name.partition("\0")[0] in str(error.value)
    assert "\n" not in str(error.value)


def test_the_old_network_stays_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "net.json"
    save(NET, path)
    before = path.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(InvalidFile, match="input/output error"):
        save(NET.rescale([[2]]), path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["net.json"]
