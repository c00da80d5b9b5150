"""The ``.nnet`` text format: head shapes, exact decimals, normalization, and every refusal by its line."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from exactrelu import ExactReluError, InvalidFile, InvalidInput, Network, load, load_report
from exactrelu.formats.nnet import read_nnet

WEIGHTS = [[["0.5", "-1.25"], ["1e-1", "3"]], [["2.5", "-0.75"]]]
BIASES = [["0.1", "-2E+0"], ["1.0e1"]]
BODY = "0.5,-1.25,\n1e-1,3,\n0.1,\n-2E+0,\n2.5,-0.75,\n1.0e1,\n"
COMPLETE = "0,\n-1,-2,\n1,2,\n0.5,-0.25,0.125,\n2,0.1,8,\n"
MEANS, RANGES = (Fraction(1, 2), Fraction(-1, 4), Fraction(1, 8)), (Fraction(2), Fraction(1, 10), Fraction(8))
RAW = Network.mlp(WEIGHTS, BIASES)

# name: (text, whether it carries a normalization)
SHAPES = {
    "complete": ("// a comment\n//another\n2,2,1,2,\n2,2,1,\n" + COMPLETE + BODY, True),
    "one count": ("2\n2, 2, 1\n" + COMPLETE + BODY, True),
    "no flag": ("2,2,1,2,\n2,2,1,\n" + COMPLETE.split("\n", 1)[1] + BODY, True),
    "flag in words": ("2,2,1,2,\n2,2,1,\nThis line extraneous\n" + COMPLETE.split("\n", 1)[1] + BODY, True),
    "entries of split-off inputs": (
        "2,2,1,2,\n2,2,1,\n0,\n-1,-2,0,0\n1,2,0,0\n0.5,-0.25,9,9,0.125,\n2,0.1,9,0,8,\n" + BODY,
        True,
    ),
    "lone zeros": ("2\n2, 2, 1\n0\n0\n0\n0\n0\n" + BODY, False),
    "missing lines": ("2\n2, 2, 1\n" + BODY, False),
    "a zero range": ("2,2,1,2,\n2,2,1,\n0\n0,0\n0,0\n0,0,0\n1,0,1\n" + BODY, False),
    "no mean of the output": ("2,2,1,2,\n2,2,1,\n0\n0,0\n0,0\n0,0\n1,1,1\n" + BODY, False),
}
POINTS = [(0, 0), (1, 0), (0, 1), ("1/3", "-7/2"), (100, -40), ("0.5", "-0.25")]


@pytest.fixture
def write(tmp_path: Path):
    def write(text: str | bytes) -> Path:
        path = tmp_path / "net.nnet"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@pytest.mark.parametrize("name", SHAPES)
def test_the_raw_network_has_the_decimals_of_the_file(write, name: str) -> None:
    found = load_report(write(SHAPES[name][0]))
    assert found.network == RAW
    assert (found.format, found.reading) == ("nnet", "decimal")
    assert "not clipped" in found.notes[-1]
    assert found.notes[0].startswith("raw network")
    assert ("no normalization" in found.notes[0]) != SHAPES[name][1]


@pytest.mark.parametrize("name", [name for name, (_, complete) in SHAPES.items() if complete])
def test_normalized_composes_means_and_ranges(write, name: str) -> None:
    path = write(SHAPES[name][0])
    net = load(path, normalized=True)
    assert net.architecture == RAW.architecture
    for point in POINTS:
        inner = [(Fraction(x) - m) / r for x, m, r in zip(point, MEANS, RANGES, strict=False)]
        assert net(point) == tuple(y * RANGES[-1] + MEANS[-1] for y in RAW(inner))
    assert "composed" in load_report(path, normalized=True).notes[0]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("lone zeros", "line 6 has 1 means instead of 3"),
        ("missing lines", "the lines for them are missing"),
        ("a zero range", "line 7 has a range of 0"),
        ("no mean of the output", "line 6 has 2 means instead of 3"),
    ],
)
def test_normalized_is_refused_in_one_sentence(write, name: str, words: str) -> None:
    with pytest.raises(InvalidFile) as error:
        load(write(SHAPES[name][0]), normalized=True)
    assert words in str(error.value)
    assert "net.nnet: must carry means and ranges to be normalized" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_network_without_hidden_layer_is_normalized_on_both_sides(write) -> None:
    net = load(write("1\n1,2\n0\n0\n1\n3,7\n2,5\n4\n6\n1\n-1\n"), normalized=True)
    assert net([3]) == (5 * 1 + 7, 5 * -1 + 7)
    assert net([5]) == (5 * (4 + 1) + 7, 5 * (6 - 1) + 7)


def test_values_outside_minima_and_maxima_are_not_clipped(write) -> None:
    net = load(write("1\n1,1\n0\n-1\n1\n0,0\n1,1\n1\n0\n"), normalized=True)
    assert net([1000]) == (1000,)


def test_dyadic_reading_rounds_to_doubles(write) -> None:
    path = write(SHAPES["complete"][0])
    found = load_report(path, reading="dyadic")
    assert found.reading == "dyadic"
    texts = [
        e for block, bias in zip(WEIGHTS, BIASES, strict=True) for e in (*(x for row in block for x in row), *bias)
    ]
    assert [p.value for p in found.network.parameters] == [Fraction(*float(t).as_integer_ratio()) for t in texts]
    differing = [a.name for a, b in zip(RAW.parameters, found.network.parameters, strict=True) if a.value != b.value]
    assert differing == ["w[1<-0][1,0]", "b[1][0]"]  # the two tenths
    ranged = load(path, reading="dyadic", normalized=True)
    assert ranged != load(path, normalized=True)


@pytest.mark.parametrize("reading", ["float", "", 1])
def test_unknown_readings_are_refused(write, reading: object) -> None:
    with pytest.raises(InvalidInput, match="reading"):
        load(write(SHAPES["complete"][0]), reading=reading)


GOOD = SHAPES["complete"][0]
REFUSED = [
    (",\n1,2\n", "line 1: must consist of positive integers, but has commas only"),
    ("", "counts"),
    ("\n\n", "counts"),
    ("// only a comment\n", "counts"),
    ("2,2,1,2,\n", "counts"),
    (b"\x00\x01\x02\xff\xfe", "UTF-8"),
    (b"\x89PNG\r\n\x1a\n", "UTF-8"),
    ("\0" * 40, ""),
    (GOOD[: GOOD.index("2.5,-0.75")], "must have 6 lines"),
    (GOOD + "1,\n", "must have 6 lines"),
    (GOOD.replace("2,2,1,2,\n", "3,2,1,2,\n"), "line 4"),
    (GOOD.replace("2,2,1,2,\n", "2,3,1,2,\n"), "line 3"),
    (GOOD.replace("2,2,1,2,\n", "2,2,2,2,\n"), "line 3"),
    (GOOD.replace("2,2,1,2,\n", "two,2,1,2,\n"), "line 3"),
    (GOOD.replace("2,2,1,2,\n", "-2,2,1,2,\n"), "line 3"),
    (GOOD.replace("2,2,1,\n", "2,0,1,\n", 1), "line"),
    (GOOD.replace("\n2,2,1,\n", "\n2,999999999,1,\n"), "lines of weights"),
    (GOOD.replace("\n2,2,1,\n", "\n2,99999999999999999999,1,\n"), "line 4"),
    (GOOD.replace("0.5,-1.25,\n", "0.5,-1.25,7,\n"), "line 10: must have 2 numbers; got 3"),
    (GOOD.replace("0.5,-1.25,\n", "0.5,\n"), "line 10"),
    (GOOD.replace("0.5,-1.25,\n", "0.5,x,\n"), "line 10"),
    (GOOD.replace("0.5,-1.25,\n", "nan,1,\n"), "line 10"),
    (GOOD.replace("0.5,-1.25,\n", "inf,1,\n"), "line 10"),
    (GOOD.replace("0.5,-1.25,\n", "1e999999999,1,\n"), "line 10"),
    (GOOD.replace("0.5,-1.25,\n", "1_0,1,\n"), "line 10"),
    (GOOD.replace("0.5,-1.25,\n", "٣,1,\n"), "line 10"),
    (GOOD.replace("0.5,-1.25,\n", "1/0,1,\n"), "line 10"),
    (GOOD.replace("0.5,-1.25,\n", "1/2,1,\n"), "line 10"),  # a decimal text file holds no quotients
    (GOOD.replace("-2E+0,\n", "-2E+0,1\n"), "line 13: must have 1 numbers"),
    (GOOD.replace("0.5,-0.25,0.125,\n", "0.5,mean,0.125,\n"), "line 8"),
    (GOOD.replace("2,0.1,8,\n", "2,nan,8,\n"), "line 9"),
]


@pytest.mark.parametrize("reading", ["decimal", "dyadic"])
@pytest.mark.parametrize(("text", "words"), REFUSED)
def test_refusals_name_the_file_and_the_line(write, text: str | bytes, words: str, reading: str) -> None:
    with pytest.raises(ExactReluError) as error:
        load(write(text), reading=reading)
    assert "net.nnet" in str(error.value)
    assert words in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 400


def test_windows_lines_and_blanks(write) -> None:
    assert load(write(GOOD.replace("\n", "\r\n"))) == RAW
    assert load(write(GOOD.replace(",\n", " \n\n").replace(",", " , "))) == RAW


REAL = [
    # file, widths, whether it is normalized, first weight, last bias
    ("small_nnet.nnet", (1, 2, 2, 1), False),
    ("spiky_nnet.nnet", (1, 6, 4, 3, 1), True),
    ("cartpole_nnet.nnet", (4, 16, 16, 16, 2), False),
    ("ACASXU_run2a_1_1_tiny_4.nnet", (5, 50, 50, 50, 5), True),
]


@pytest.mark.parametrize(("name", "widths", "normalized"), REAL)
def test_real_files(real: Path, name: str, widths: tuple[int, ...], normalized: bool) -> None:
    path = real / name
    net = load(path)
    assert net.widths == widths
    rows = [line.rstrip(",\n ").split(",") for line in path.read_text().splitlines() if line.strip()]
    written = iter(Fraction(entry.strip()) for row in rows[-2 * sum(widths[1:]) :] for entry in row)
    for number, (before, width) in enumerate(pairwise(widths)):
        layer = net.layers[number]
        assert layer.weights[number] == tuple(tuple(next(written) for _ in range(before)) for _ in range(width))
        assert layer.bias == tuple(next(written) for _ in range(width))
    if not normalized:
        with pytest.raises(InvalidFile, match="normalized"):
            load(path, normalized=True)
        return
    head = rows[-2 * sum(widths[1:]) - 2 : -2 * sum(widths[1:])]
    means, ranges = ([Fraction(entry.strip()) for entry in row] for row in head)
    point = [Fraction(k + 1, 3) for k in range(widths[0])]
    inner = [(x - m) / r for x, m, r in zip(point, means, ranges, strict=False)]
    assert load(path, normalized=True)(point) == tuple(y * ranges[-1] + means[-1] for y in net(inner))


def test_the_source_is_named_as_given() -> None:
    with pytest.raises(InvalidFile, match=r"^standard input: must begin"):
        read_nnet("", "standard input")
