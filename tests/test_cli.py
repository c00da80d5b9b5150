"""The command line: answers, JSON keys and exit codes, and one clear line for everything that goes wrong."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli_cases import BAD_NETWORKS, HAT, check_one_line

import exactrelu
from exactrelu import Network, cli, embedding_rank, load, path_embedding

NETWORKS = sorted(p.stem for p in (Path(__file__).parent / "data").glob("*.json") if p.stem != "answers")
NNETS = ["small_nnet.nnet", "spiky_nnet.nnet", "cartpole_nnet.nnet", "ACASXU_run2a_1_1_tiny_4.nnet"]
COUNTS = ["paths", "regions", "adjacencies", "functional_dimension", "minimal_width"]
VERDICTS = ["admissible", "locally_identifiable", "globally_identifiable"]
ANALYZE_KEYS = [
    *("widths", "parameters", "hidden_neurons", "admissible", "paths", "embedding_rank", "regions", "adjacencies"),
    *("functional_dimension", "minimal_width", "locally_identifiable", "globally_identifiable", "reading"),
]
VERDICT_KEYS = ["claim", "status", "conditions", "evidence", "witness", "family"]


def process(*arguments: object, **options: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "exactrelu.cli", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


# --- demo ---------------------------------------------------------------------------------------------------------


def test_demo(run) -> None:
    code, out, err = run("demo")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert 20 <= len(lines) <= 60
    assert max(map(len, lines)) <= 100
    for words in (
        "<Phi, alpha>",
        "rank of D Phi is 7 = 10 parameters - 3 hidden neurons",
        "scalings (1/2, 3, 5)",
        "agree",
    ):
        assert words in out
    code, out, err = run("demo", "--json")
    assert (code, err, json.loads(out)) == (0, "", {"lesson": lines})


def test_demo_computes_what_it_says(run, monkeypatch: pytest.MonkeyPatch) -> None:
    before = run("demo")[1]
    taller = Network.mlp([[[1], [1], [1]], [[3, -6, 3]]], [[1, 0, -1], [7]])
    monkeypatch.setattr("exactrelu.demo.HAT", taller)
    after = run("demo")[1]
    changed = [(a, b) for a, b in zip(before.splitlines(), after.splitlines(), strict=True) if a != b]
    assert any("f(1/2) = 1/2" in a and "f(1/2) = 17/2" in b for a, b in changed)
    assert any("values (0, 1, 0)" in a and "values (7, 10, 7)" in b for a, b in changed)
    assert len(changed) >= 6
    monkeypatch.setattr("exactrelu.demo.HAT", taller.replace({"w[2<-1][0,1]": -5}))
    assert "differ" in run("demo")[1]


def test_demo_follows_the_deep_network(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactrelu.demo.DEEP", Network.random((2, 3, 2, 2), 1))
    out = run("demo")[1]
    assert "widths 2-3-2-2" in out
    assert f"{len(path_embedding(Network.random((2, 3, 2, 2), 1)))} paths" in out


# --- analyze ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NETWORKS)
def test_analyze_on_every_network(run, data: Path, name: str) -> None:
    path = data / f"{name}.json"
    code, out, err = run("analyze", path, "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert list(found) == ANALYZE_KEYS
    net = load(path)
    assert found["widths"] == list(net.widths)
    assert found["parameters"] == len(net.parameters)
    assert found["hidden_neurons"] == sum(net.widths[1:-1])
    assert found["embedding_rank"] == embedding_rank(net)
    assert found["reading"] == "exact"
    for key in VERDICTS:
        assert list(found[key]) == VERDICT_KEYS
        assert found[key]["status"] in ("holds", "fails", "inapplicable", "unknown")
    for key in COUNTS:
        assert found[key] is None or type(found[key]) is int


@pytest.mark.parametrize("name", ["A5", "d11_dead", "n2_10_10_1_s0"])
def test_analyze_as_text_has_a_line_or_a_reason_for_every_field(run, data: Path, name: str) -> None:
    code, out, err = run("analyze", data / f"{name}.json")
    assert (code, err) == (0, "")
    facts = json.loads(run("analyze", data / f"{name}.json", "--json")[1])
    for key in ANALYZE_KEYS:
        (line,) = [line for line in out.splitlines() if line.startswith(key.replace("_", " ") + " ")]
        if facts[key] is None:
            assert "(" in line and line.endswith(")")
        elif isinstance(facts[key], int):
            assert f" {facts[key]}" in line


def test_analyze_names_the_neurons_that_are_not_admissible(run, tmp_path: Path) -> None:
    exactrelu.save(Network.mlp([[[1], [0]], [[0, 1]]]), tmp_path / "net.json")
    code, out, err = run("analyze", tmp_path / "net.json")
    assert (code, err) == (0, "")
    assert "nonzero_input: incoming weights and bias are all 0 at (1,1)" in out
    assert "nonzero_output: outgoing weights are all 0 at (1,0)" in out


@pytest.mark.parametrize("name", NNETS)
def test_analyze_on_real_files(run, real: Path, name: str) -> None:
    code, out, err = run("analyze", real / name, "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert list(found) == ANALYZE_KEYS
    assert (found["reading"], found["widths"]) == ("decimal", list(load(real / name).widths))
    code, out, _ = run("analyze", real / name)
    assert code == 0 and "not clipped" in out and "decimal" in out


def test_analyze_within_a_budget(run, tmp_path: Path) -> None:
    exactrelu.save(Network.random((2, 3, 3, 1), 0), tmp_path / "net.json")
    found = json.loads(run("analyze", tmp_path / "net.json", "--budget", "3", "--json")[1])
    assert found["regions"] is None and found["locally_identifiable"]["status"] == "unknown"
    whole = json.loads(run("analyze", tmp_path / "net.json", "--json")[1])
    assert whole["regions"] > 3
    enough = run("analyze", tmp_path / "net.json", "--budget", whole["regions"], "--json")[1]
    assert json.loads(enough) == whole


def test_analyze_from_standard_input(run, hat: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = run("analyze", hat)[1]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(HAT.encode())))
    assert run("analyze", "-") == (0, expected, "")


# --- phi, compare, convert ----------------------------------------------------------------------------------------


def test_phi(run, hat: Path) -> None:
    code, out, err = run("phi", hat, "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert list(found) == ["paths", "rank"]
    assert found["rank"] == 7
    assert [list(path) for path in found["paths"]] == [["neurons", "value", "formula"]] * 7
    assert found["paths"][1] == {
        "neurons": [[0, 0], [1, 1], [2, 0]],
        "value": "-2",
        "formula": "w[1<-0][1,0]*w[2<-1][0,1]",
    }
    assert found["paths"][3] == {"neurons": [[1, 0], [2, 0]], "value": "1", "formula": "b[1][0]*w[2<-1][0,0]"}
    assert [path["value"] for path in found["paths"]] == ["1", "-2", "1", "1", "0", "-1", "0"]
    code, out, err = run("phi", hat)
    assert (code, err) == (0, "")
    assert out.splitlines()[1].split(" = ") == ["w[1<-0][1,0]*w[2<-1][0,1]", "-2"]
    assert out.splitlines()[-1] == "rank of D Phi: 7"
    code, out, err = run("phi", hat, "--latex")
    assert (code, err) == (0, "")
    assert out.startswith(r"\Phi(\theta) = \begin{pmatrix}") and out.count(r"\\") == 6


def test_phi_budget(run, hat: Path) -> None:
    assert run("phi", hat, "--budget", 7)[0] == 0
    code, out, err = run("phi", hat, "--budget", 6)
    check_one_line(code, out, err, 3)
    assert "at most 6 paths are allowed; 7 are needed" in err


def compared(run, tmp_path: Path, left: Network, right: Network) -> tuple[int, dict]:
    for name, net in (("a.json", left), ("b.json", right)):
        exactrelu.save(net, tmp_path / name)
    code, out, err = run("compare", tmp_path / "a.json", tmp_path / "b.json", "--json")
    assert err == ""
    text_code, text, _ = run("compare", tmp_path / "a.json", tmp_path / "b.json")
    found = json.loads(out)
    assert list(found) == ["scaling_equivalent", "permutation_scaling_equivalent", "same_function"]
    assert [list(verdict) for verdict in found.values()] == [VERDICT_KEYS] * 3
    assert text_code == code
    assert all(f"{verdict['status']}: {verdict['claim']}" in text for verdict in found.values())
    return code, found


DEEP = Network.mlp([[[1, 2], [2, -1]], [[1, -1], ["1/2", 3]], [[2, -3]]], [[1, -1], [0, "1/3"], ["1/2"]])


def test_compare_copies(run, tmp_path: Path) -> None:
    copy = DEEP.permute([[1, 0], [1, 0]]).rescale([[2, "1/3"], [5, 1]])
    code, found = compared(run, tmp_path, DEEP, copy)
    assert (code, [v["status"] for v in found.values()]) == (0, ["fails", "holds", "holds"])
    for name in ("permutation_scaling_equivalent", "same_function"):
        assert found[name]["evidence"] == {"permutation": [[1, 0], [1, 0]], "scalings": [["2", "1/3"], ["5", "1"]]}


def test_compare_shallow_copies_with_the_documented_evidence(run, tmp_path: Path) -> None:
    net = Network.mlp([[[1], [1]], [[1, -2]]], [[1, 0], [0]])
    code, found = compared(run, tmp_path, net, net.rescale([[2, 3]]))
    assert (code, [v["status"] for v in found.values()]) == (0, ["holds", "holds", "holds"])
    assert found["same_function"]["evidence"] == {"permutation": [[0, 1]], "scalings": [["2", "3"]]}


def test_compare_different_functions(run, tmp_path: Path) -> None:
    other = DEEP.replace({"b[3][0]": "1/4"})
    code, found = compared(run, tmp_path, DEEP, other)
    assert (code, [v["status"] for v in found.values()]) == (1, ["fails", "fails", "fails"])
    point = found["same_function"]["evidence"]["point"]
    assert DEEP(point) != other(point)


def test_compare_deep_and_inapplicable(run, tmp_path: Path) -> None:
    """sigma(sigma(x) - 1) with biases moved from one layer to the other: one function, other parameters."""
    first, second = (Network.mlp([[[1]], [[1]], [[1]]], [[b], [-1 - b], [0]]) for b in (0, 1))
    code, found = compared(run, tmp_path, first, second)
    assert (code, found["same_function"]["status"]) == (0, "holds")
    code, found = compared(run, tmp_path, first, Network.mlp([[[1, 1]]]))
    assert (code, {v["status"] for v in found.values()}) == (4, {"inapplicable"})


def test_compare_within_a_budget(run, tmp_path: Path) -> None:
    first, second = (Network.mlp([[[1]], [[1]], [[1]]], [[b], [-1 - b], [0]]) for b in (0, 1))
    exactrelu.save(first, tmp_path / "a.json")
    exactrelu.save(second, tmp_path / "b.json")
    nets = tmp_path / "a.json", tmp_path / "b.json"
    code, out, _ = run("compare", *nets, "--budget", "0")
    assert code == 3 and "unknown" in out
    assert run("compare", *nets)[0] == 0


def test_convert(run, tmp_path: Path) -> None:
    source, target = tmp_path / "net.nnet", tmp_path / "net.json"
    source.write_text("1,1,1,1\n1,1\n0\n0\n0\n1,2\n4,8\n0.1\n3\n")
    code, out, err = run("convert", source, target)
    assert (code, err) == (0, "")
    assert "decimal" in out and "not clipped" in out
    assert load(target) == Network.mlp([[["1/10"]]], [[3]])
    code, out, err = run("convert", source, target, "--reading", "dyadic", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["reading"] == "dyadic"
    assert load(target) == Network.from_floats([[[0.1]]], [[3.0]], reading="dyadic")
    assert run("convert", source, target, "--normalized")[0] == 0
    assert load(target)([1]) == (8 * 3 + 2,)
    assert run("convert", target, "-") == (0, target.read_text(), "")
    check_one_line(*run("convert", target, tmp_path / "x.json", "--normalized"))
    check_one_line(*run("convert", target, tmp_path / "x.json", "--reading", "dyadic"))
    check_one_line(*run("convert", target, tmp_path / "net.txt"))
    assert not (tmp_path / "x.json").exists()


# --- usage --------------------------------------------------------------------------------------------------------


def test_version_and_help(run) -> None:
    assert run("--version") == (0, f"exactrelu, version {exactrelu.__version__}\n", "")
    for command in ((), ("demo",), ("analyze",), ("phi",), ("compare",), ("convert",)):
        code, out, err = run(*command, "--help")
        assert (code, err) == (0, "")
        assert out.startswith("Usage: exactrelu " + " ".join(command))
        assert not command or "--json" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nonsense"], "No such command"),
        (["analyze"], "Missing argument"),
        (["analyze", "a", "b"], "unexpected extra argument"),
        (["phi", "x.json", "--budget", "-1"], "-1"),
        (["phi", "x.json", "--budget", "many"], "many"),
        (["convert", "a", "b", "--reading", "float"], "float"),
        (["demo", "--no-such-option"], "--no-such-option"),
    ],
)
def test_wrong_usage(run, arguments: list[str], words: str) -> None:
    code, out, err = run(*arguments)
    check_one_line(code, out, err)
    assert words in err


def test_without_a_command_the_help_is_readable(run) -> None:
    code, out, err = run()
    assert code in (0, 2)
    assert len((out + err).splitlines()) > 5


# --- bad input ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BAD_NETWORKS)
def test_bad_networks(run, hat: Path, tmp_path: Path, name: str) -> None:
    content, words = BAD_NETWORKS[name]
    bad, target = tmp_path / "bad.json", tmp_path / "out.json"
    bad.write_bytes(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)
    target.write_text("old")
    start = time.perf_counter()
    for arguments in (["analyze", bad], ["phi", bad, "--json"], ["compare", hat, bad], ["convert", bad, target]):
        code, out, err = run(*arguments)
        check_one_line(code, out, err)
        assert words in err and "bad.json" in err
    assert target.read_text() == "old"
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize(
    ("name", "words"),
    [("missing.json", "no such file"), ("folder.json", "directory"), ("net.txt", "must be a network file")],
)
def test_bad_files(run, tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "net.txt").write_text("1")
    for arguments in (["analyze"], ["phi"], ["compare", tmp_path / name], ["convert"]):
        tail = [tmp_path / "out.json"] if arguments == ["convert"] else []
        code, out, err = run(*arguments, tmp_path / name, *tail)
        check_one_line(code, out, err)
        assert words in err and name in err
    assert not (tmp_path / "out.json").exists()


@pytest.mark.parametrize(
    ("name", "words"), [("folder.json", "directory"), ("no/out.json", "no such file"), ("nul\0.json", "name")]
)
def test_unwritable_output(run, hat: Path, tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "folder.json").mkdir()
    code, out, err = run("convert", hat, tmp_path / name)
    check_one_line(code, out, err)
    assert words in err


def test_a_full_disk_leaves_the_old_output(run, hat: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out.json"
    target.write_text("old")

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    code, out, err = run("convert", hat, target)
    check_one_line(code, out, err)
    assert "out.json: must be writable: no space left on device" in err
    assert target.read_text() == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["hat.json", "out.json"]


def test_long_numbers_can_be_compared(run, tmp_path: Path) -> None:
    """Numbers beyond the digit limit of CPython are legal, so no command may stumble over them."""
    nets = [Network.mlp([[[entry]], [[1]]]) for entry in ("1" + "0" * 5000, "1")]
    for name, net in zip(("a.json", "b.json"), nets, strict=True):
        exactrelu.save(net, tmp_path / name)
    for arguments in (["analyze", "a.json"], ["phi", "a.json"], ["compare", "a.json", "b.json"]):
        code, _, err = run(arguments[0], *(tmp_path / name for name in arguments[1:]))
        assert (code, err) == (int(arguments[0] == "compare"), "")


def test_many_paths_can_be_counted(run, tmp_path: Path) -> None:
    """Counts beyond the digit limit of CPython: 2^20000 paths."""
    depth = 20_000
    exactrelu.save(Network.mlp([[[1], [1]], *([[[1, 1], [1, 1]]] * depth), [[1, 1]]]), tmp_path / "deep.json")
    code, out, err = run("analyze", tmp_path / "deep.json")
    assert (code, err) == (0, "") and "paths" in out


# --- errors that are not the user's -------------------------------------------------------------------------------


def test_internal_errors_are_one_line(run, hat: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("first line\nsecond line")

    monkeypatch.setattr("exactrelu.commands.networks.analyze_network", fail)
    code, out, err = run("analyze", hat)
    check_one_line(code, out, err, 70)
    assert "internal error, please report it: RuntimeError: first line second line" in err


@pytest.mark.parametrize(
    ("error", "expected", "words"), [(KeyboardInterrupt, 130, "interrupted"), (MemoryError, 70, "memory")]
)
def test_interrupts_and_memory(
    run, hat: Path, monkeypatch: pytest.MonkeyPatch, error, expected: int, words: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("exactrelu.commands.networks.analyze_network", fail)
    code, out, err = run("analyze", hat)
    check_one_line(code, out, err.lstrip("\n"), expected)
    assert words in err
    assert err == err.lstrip("\n"), "no empty line before the message"


def test_exit_codes_of_the_process(hat: Path, tmp_path: Path) -> None:
    with process("analyze", hat) as good, process("analyze", tmp_path / "missing.json") as bad:
        out, err = good.communicate(timeout=60)
        assert (good.returncode, err) == (0, b"") and out.startswith(b"widths")
        out, err = bad.communicate(timeout=60)
        check_one_line(bad.returncode, out.decode(), err.decode())


def test_names_that_are_no_text_are_printed_safely(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/\xff\x1b[31m.json"
    with subprocess.Popen(
        [sys.executable, "-m", "exactrelu.cli", "analyze", name], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as found:
        out, err = found.communicate(timeout=60)
    check_one_line(found.returncode, out.decode(), err.decode())


def test_an_interrupt_while_a_text_is_executed(tmp_path: Path) -> None:
    """As when a dataclass is made during an import; CPython would end a process of -m by the signal."""
    script = "from exactrelu import cli\ncli.cli.invoke = lambda context: exec('raise KeyboardInterrupt')\ncli.main()\n"
    (tmp_path / "interrupted.py").write_text(script)
    command = [sys.executable, "-m", "interrupted", "demo"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"exactrelu: interrupted\n")


def test_ctrl_c() -> None:
    with process("analyze", "-", stdin=subprocess.PIPE) as waiting:
        assert waiting.stdin is not None
        waiting.stdin.write(b" " * 1_000_000)  # more than a pipe holds: when this returns, the command is reading
        waiting.stdin.flush()
        waiting.send_signal(signal.SIGINT)
        out, err = waiting.communicate(timeout=60)
    assert b"Traceback" not in err and err.strip() == b"exactrelu: interrupted"
    assert (waiting.returncode, out) == (130, b"")


@pytest.mark.parametrize("arguments", [("phi",), ("phi", "--json"), ("convert",)])
def test_a_closed_pipe_is_no_error(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    path = tmp_path / "wide.json"
    exactrelu.save(Network.random((3, 30, 30, 2), 0), path)
    command, *options = arguments
    with process(command, path, *(["-"] if command == "convert" else []), *options) as writer:
        assert writer.stdout is not None and writer.stderr is not None
        assert writer.stdout.readline()
        writer.stdout.close()
        err = writer.stderr.read()
        assert writer.wait(timeout=60) == 0
    assert err == b""


class Full(io.StringIO):
    """A standard output on a full disk."""

    def write(self, _: str) -> int:
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("arguments", [["demo"], ["convert", "hat.json", "-"], ["analyze", "hat.json"]])
def test_a_full_standard_output_is_not_called_internal(
    hat: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    monkeypatch.chdir(hat.parent)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", Full())
        code = cli.run(arguments)
    err = capsys.readouterr().err
    check_one_line(code, "", err)
    assert "space" in err


def test_without_standard_output() -> None:
    """A caller may close the descriptor (``>&-``): no traceback."""
    code = "import os, sys; os.close(1); os.execv(sys.executable, [sys.executable, '-m', 'exactrelu.cli', 'demo'])"
    found = subprocess.run([sys.executable, "-c", code], stderr=subprocess.PIPE, timeout=60, check=False)
    assert b"Traceback" not in found.stderr
