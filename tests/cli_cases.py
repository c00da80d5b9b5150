"""Files for tests of the command line: a good one, and bad ones with words that their refusal must contain."""

from __future__ import annotations

import json
from typing import Any

GOOD: dict[str, Any] = {
    "format": "exactrelu/network",
    "version": 1,
    "input_dim": 1,
    "layers": [
        {"activation": "relu", "weights": {"0": [["1"], ["1"], ["1"]]}, "bias": ["1", "0", "-1"]},
        {"activation": "identity", "weights": {"1": [["1", "-2", "1"]]}, "bias": ["0"]},
    ],
}
HAT = json.dumps(GOOD)


def changed(path: list[Any], value: Any) -> str:
    """The good network with one entry replaced (or removed, for ``...``)."""
    data = json.loads(HAT)
    place = data
    for key in path[:-1]:
        place = place[key]
    if value is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return json.dumps(data)


def check_one_line(code: int, out: str, err: str, expected: int = 2) -> None:
    """A refusal is one line on standard error, and nothing else."""
    assert code == expected, err
    assert out == ""
    assert err.startswith("exactrelu: ") and err.endswith("\n") and err.count("\n") == 1
    assert "Traceback" not in err and len(err) < 400


FIRST, LAST = ["layers", 0], ["layers", 1]
ROWS = [*FIRST, "weights", "0"]
BAD_NETWORKS: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", "empty"),
    "blank": (" \n\t ", "empty"),
    "binary": (bytes(range(256)), "UTF-8"),
    "words": ("hello world", "must be a JSON document: line 1, column 1"),
    "truncated": (HAT[: len(HAT) // 2], "must be a JSON document"),
    "two documents": (HAT + HAT, "Extra data"),
    "byte order mark": (b"\xef\xbb\xbf" + HAT.encode(), "must be a JSON document"),
    "list": ("[]", "must be an object"),
    "number": ("1", "must be an object"),
    "null": ("null", "must be an object"),
    "float": (HAT.replace('"-2"', "-2.5"), "never as JSON floats"),
    "exponent": (HAT.replace('"-2"', "1e3"), "never as JSON floats"),
    "integer": (HAT.replace('"-2"', "-2"), 'layers[1].weights["1"][0][1]'),
    "long integer": (HAT.replace('"-2"', "1" * 5000), "must write numbers as strings"),
    "NaN": (HAT.replace('"-2"', "NaN"), "finite"),
    "Infinity": (HAT.replace('"-2"', "-Infinity"), "finite"),
    "NaN text": (changed([*ROWS, 0, 0], "nan"), 'layers[0].weights["0"][0][0]'),
    "inf text": (changed([*FIRST, "bias", 1], "inf"), "layers[0].bias[1]"),
    "zero denominator": (changed([*ROWS, 1, 0], "1/0"), "nonzero denominator"),
    "digit bomb": (changed([*ROWS, 1, 0], "1e999999999"), "at most 20000 digits"),
    "million digits": (changed([*ROWS, 1, 0], "7" * 1_000_000), "at most 20000 digits"),
    "long denominator": (changed([*ROWS, 1, 0], "1/" + "7" * 30_000), "at most 20000 digits"),
    "unicode digits": (changed([*ROWS, 1, 0], "\u0663"), "must be a rational number"),
    "underscore": (changed([*ROWS, 1, 0], "1_000"), "must be a rational number"),
    "space": (changed([*ROWS, 1, 0], " 1"), "must be a rational number"),
    "true": (changed([*ROWS, 1, 0], True), 'layers[0].weights["0"][1][0]'),
    "duplicate key": (
        HAT.replace('"version": 1', '"version": 1, "version": 1'),
        "must not repeat a key; got 'version'",
    ),
    "duplicate source": (HAT.replace('{"1":', '{"1": [["1"]], "1":'), "must not repeat a key; got '1'"),
    "wrong format": (changed(["format"], "exactrelu/domain"), "format: must be 'exactrelu/network'".replace("'", '"')),
    "no format": (changed(["format"], ...), "format"),
    "wrong version": (changed(["version"], 2), "version: must be 1; got 2"),
    "version text": (changed(["version"], "1"), "version: must be 1"),
    "version true": (changed(["version"], True), "version: must be 1"),
    "unknown key": (changed(["name"], "hat"), "no other keys"),
    "unknown layer key": (changed([*FIRST, "biases"], []), "layers[0]: must have no other keys"),
    "no layers": (changed(["layers"], []), "must contain at least the output layer"),
    "layers missing": (changed(["layers"], ...), 'must have the key "layers"'),
    "layers object": (changed(["layers"], {}), "must be a list"),
    "layer null": (changed(LAST, None), "layers[1]: must be an object"),
    "bias missing": (changed([*FIRST, "bias"], ...), 'must have the key "bias"'),
    "bias too long": (changed([*FIRST, "bias"], ["1"] * 4), "layers[0].bias: must have 3 entries"),
    "bias too short": (changed([*LAST, "bias"], []), "layers[1].bias: must have 1 entries"),
    "bias null entry": (changed([*FIRST, "bias", 0], None), "layers[0].bias[0]"),
    "bias number": (changed([*FIRST, "bias"], "1"), "layers[0].bias: must be a list"),
    "ragged matrix": (changed([*ROWS, 1], ["1", "2"]), 'layers[0].weights["0"][1]: must have 1 entries'),
    "empty row": (changed([*ROWS, 0], []), 'layers[0].weights["0"]'),
    "no rows": (changed(ROWS, []), 'layers[0].weights["0"]'),
    "weights null": (changed([*FIRST, "weights"], None), "layers[0].weights: must be"),
    "weights number": (changed([*FIRST, "weights"], 3), "layers[0].weights: must be"),
    "rows are numbers": (changed(ROWS, ["1", "1", "1"]), 'layers[0].weights["0"][0]: must be a list'),
    "wrong width": (changed([*LAST, "weights", "1", 0], ["1", "1"]), 'layers[1].weights["1"]: must have 3 columns'),
    "wrong input width": (changed(["input_dim"], 2), 'layers[0].weights["0"]: must have 2 columns'),
    "input_dim zero": (changed(["input_dim"], 0), "input_dim: must be an integer, at least 1"),
    "input_dim text": (changed(["input_dim"], "1"), "input_dim"),
    "input_dim true": (changed(["input_dim"], True), "input_dim"),
    "block from itself": (changed([*FIRST, "weights", "1"], [["1"] * 3] * 3), "must come from an earlier layer"),
    "block from later": (changed([*FIRST, "weights", "2"], [["1"]] * 3), "must come from an earlier layer"),
    "source -1": (changed([*FIRST, "weights", "-1"], [["1"]] * 3), "must have source layers"),
    "source 00": (changed([*FIRST, "weights", "00"], [["1"]] * 3), "must have source layers"),
    "source long": (changed([*FIRST, "weights", "9" * 10_000], [["1"]] * 3), "must"),
    "unknown activation": (changed([*FIRST, "activation"], "sigmoid"), "layers[0].activation: must be one of"),
    "activation null": (changed([*FIRST, "activation"], None), "layers[0].activation"),
    "activations too few": (changed([*FIRST, "activation"], ["relu"]), "layers[0].activation: must have 3 entries"),
    "activation in list": (changed([*FIRST, "activation"], ["relu", "x", "relu"]), "layers[0].activation[1]"),
    "no way in": (
        changed(FIRST, {"activation": "relu", "weights": {"0": [["1"], [None], ["1"]]}, "bias": None}),
        "neuron 1",
    ),
    "no way out": (changed([*LAST, "weights", "1", 0, 2], None), "hidden neuron 2 must have an outgoing edge"),
    "deep nesting": ("[" * 100_000, "nest"),
    "deep objects": ('{"a":' * 100_000, "nest"),
    "deep and closed": ("[" * 5000 + "]" * 5000, "nest"),
    "huge input_dim": (
        json.dumps(
            {
                "format": "exactrelu/network",
                "version": 1,
                "input_dim": 10**15,
                "layers": [{"activation": "identity", "weights": {}, "bias": ["1"]}],
            }
        ),
        "input_dim",
    ),
    "lone surrogate": (changed(["format"], "\ud800"), "format"),
}
