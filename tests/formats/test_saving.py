"""Formulas and graphs of networks, and the command that converts."""

from __future__ import annotations

import json
import random
import re
import sys
from fractions import Fraction
from pathlib import Path

import networkx
import pytest
import sympy
from strategies import random_dag, random_mlp, random_point

from exactrelu import Layer, Network, activation_regions, load, save
from exactrelu.cli import run
from exactrelu.formats import latex_text, network_graph, save_graph, save_report

HAT = Network.mlp([[[1, 2], [2, -1]], [["1/2", 1]]], [[1, -1], None])


def value_of_latex(text: str, point: list[Fraction]) -> list[Fraction]:
    """The outputs that the formulas give, read by a few substitutions and SymPy."""
    names = {f"x_{{{j}}}": x for j, x in enumerate(point)}
    outputs = []
    for line in text.splitlines()[1:-1]:
        name, formula = line.removesuffix(r" \\").split(" &= ")
        formula = formula.replace(r"\bigl(", "(").replace(r",\,0\bigr)", ",0)").replace(r"\max", "Max")
        formula = re.sub(r"\\tfrac\{([0-9]+)\}\{([0-9]+)\}", r"(Integer(\1)/\2)", formula)
        formula = re.sub(r"(?<=[0-9)])(?=[xh]_)", "*", formula)
        for key in sorted(names, key=len, reverse=True):
            formula = formula.replace(key, f"(Integer({names[key].numerator})/{names[key].denominator})")
        value = sympy.sympify(formula, locals={"Integer": sympy.Integer})
        names[name] = Fraction(int(value.p), int(value.q))
        if name.startswith("y"):
            outputs.append(names[name])
    return outputs


def test_the_formulas_are_the_network() -> None:
    r = random.Random(0)
    for _ in range(60):
        net = random_dag(r)
        point = random_point(r, net.input_dim)
        assert value_of_latex(latex_text(net), point) == list(net(point))


def test_other_activations_are_defined_first() -> None:
    net = Network(
        1,
        [
            Layer(
                {0: [[1], [2], [3], [4]]},
                activation=["tanh", "hat", "abs", {"name": "polynomial", "coefficients": ["1", "0", "-1/2"]}],
            ),
            Layer({1: [[1, 1, 1, -1]]}, activation="identity"),
        ],
    )
    assert latex_text(net).splitlines()[1:6] == [
        r"\rho_{1}(t) &= \begin{cases} 0 & t \le -1 \\ t + 1 & t \le 0 \\ -t + 1 & t \le 1 \\ "
        r"0 & \text{otherwise} \end{cases} \\",
        r"\rho_{2}(t) &= -\tfrac{1}{2}t^{2} + 1 \\",
        r"h_{1,0} &= \tanh\bigl(x_{0}\bigr) \\",
        r"h_{1,1} &= \rho_{1}\bigl(2x_{0}\bigr) \\",
        r"h_{1,2} &= \bigl\lvert 3x_{0}\bigr\rvert \\",
    ]


def test_the_graph_of_a_network() -> None:
    r = random.Random(1)
    for _ in range(50):
        net = random_dag(r)
        graph = network_graph(net)
        assert graph.number_of_nodes() == sum(net.widths)
        weights = [p for p in net.parameters if p.source is not None]
        assert sorted(Fraction(w) for _, _, w in graph.edges(data="weight")) == sorted(p.value for p in weights)
        assert networkx.is_directed_acyclic_graph(graph)


def test_graphs_in_files(tmp_path: Path) -> None:
    report = save_report(HAT, tmp_path / "net.graphml")
    assert report.rounding is None
    graph = networkx.read_graphml(tmp_path / "net.graphml")
    assert graph.is_directed()
    assert graph.edges["x1", "h1_0"] == {"weight": "2"}
    assert graph.nodes["h1_1"] == {"layer": 1, "index": 1, "bias": "-1", "activation": "relu"}
    regions = activation_regions(HAT).graph()
    save_graph(regions, tmp_path / "regions.graphml")
    found = networkx.read_graphml(tmp_path / "regions.graphml")
    assert set(found.nodes) == set(regions.nodes)
    save_graph(network_graph(HAT), tmp_path / "net.json")
    assert json.loads((tmp_path / "net.json").read_text())["directed"] is True


def test_formulas_in_files(tmp_path: Path) -> None:
    save(HAT, tmp_path / "net.tex")
    assert (tmp_path / "net.tex").read_text() == latex_text(HAT) + "\n"


def command(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = run([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_command_converts_and_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "net.json"
    save(Network.mlp([[["1/10"]], [[2]]]), source)
    code, out, err = command(capsys, "convert", source, tmp_path / "net.onnx")
    assert (code, err) == (0, "")
    assert "written as onnx: 1 of 2 numbers rounded to float64, relative error at most 5.56e-17" in out
    code, out, _ = command(capsys, "convert", source, tmp_path / "net.npz", "--precision", "float32", "--json")
    assert code == 0
    written = json.loads(out)["written"]
    assert written["format"] == "npz"
    assert written["rounding"] == {
        "precision": "float32",
        "numbers": 2,
        "rounded": 1,
        "largest_relative_error": "1/67108864",
    }
    code, out, _ = command(
        capsys, "convert", tmp_path / "net.npz", tmp_path / "t.json", "--activation", "tanh", "--json"
    )
    assert (code, json.loads(out)["written"]["rounding"]) == (0, None)
    assert load(tmp_path / "t.json").is_analytic
    for suffix in ("tex", "graphml", "safetensors"):
        assert command(capsys, "convert", source, tmp_path / f"out.{suffix}")[0] == 0
        assert (tmp_path / f"out.{suffix}").stat().st_size


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("net.json", "net.json", "--precision", "float32"), "precision: must not be given for .json"),
        (("net.json", "out.onnx", "--activation", "tanh"), "activation: must not be given for a file that names"),
        (("bad.npz", "out.json"), "bad.npz: must be an .npz file"),
        (("bad.safetensors", "out.json"), "bad.safetensors: must have a header within"),
        (("bad.onnx", "out.json"), "bad.onnx"),
        (("net.json", "out.h5"), "must end in"),
    ],
)
def test_the_command_refuses_in_one_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    save(HAT, "net.json")
    for suffix in ("npz", "safetensors", "onnx"):
        Path(f"bad.{suffix}").write_bytes(b"garbage that is long enough")
    code, out, err = command(capsys, "convert", *arguments)
    assert (code, out) == (2, "")
    assert words in err and err.count("\n") == 1


def test_a_query_as_a_domain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(Network.mlp([[[1], [-1]], [[1, 1]]]), tmp_path / "net.json")
    query = tmp_path / "box.vnnlib"
    query.write_text(
        "(declare-const X_0 Real)(declare-const Y_0 Real)(assert (<= X_0 2))(assert (>= X_0 1))(assert (<= Y_0 0))"
    )
    code, out, err = command(capsys, "regions", tmp_path / "net.json", "--domain", query, "--count-only")
    assert (code, out.strip()) == (0, "1")
    assert err == f"note: {query}: 1 constraint on outputs is ignored\n"
    query.write_text("(assert")
    code, out, err = command(capsys, "regions", tmp_path / "net.json", "--domain", query, "--count-only")
    assert (code, out) == (2, "") and "box.vnnlib: line 1: must close its parenthesis" in err


def test_long_numbers_are_written(tmp_path: Path) -> None:
    """Numbers beyond the digit limit of CPython are legal in every exact format."""
    net = Network.mlp([[[Fraction(1, 7**6000)]], [["1" + "0" * 5000]]])
    for suffix in ("json", "tex", "graphml"):
        save(net, tmp_path / f"net.{suffix}")
    assert load(tmp_path / "net.json") == net
    assert sys.get_int_max_str_digits() == 4300
    assert random_mlp(random.Random(0)).depth
