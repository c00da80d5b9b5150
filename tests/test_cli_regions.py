"""The commands regions, compare and analyze where they stand on regions: keys, codes, files, one clear line."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from fractions import Fraction
from functools import cache
from pathlib import Path

import networkx
import pytest
from cli_cases import check_one_line

import exactrelu as er
from exactrelu import Network, save
from exactrelu.regions import activation_regions, region_bounds, region_counts

DATA = Path(__file__).parent / "data"
COUNT_KEYS = ["R1", "R2", "R3", "R4", "R5", "R6", "zaslavsky", "montufar", "serra"]
SEED = DATA / "n2_10_10_1_s0.json"  # 190 regions


def test_json_of_the_hat(run, hat: Path) -> None:
    code, out, err = run("regions", hat, "--domain", "[-2,2]", "--json")
    data = json.loads(out)
    assert (code, err, list(data)) == (0, "", ["count", "counts", "regions", "adjacencies"])
    assert (data["count"], data["counts"]) == (4, None)
    assert [list(region) for region in data["regions"]] == [
        ["pattern", "interior_point", "matrix", "offset", "bounded"]
    ] * 4
    shown = [[region[key] for key in ("pattern", "matrix", "offset", "bounded")] for region in data["regions"]]
    assert shown == [
        ["---", [["0"]], ["0"], True],
        ["+--", [["1"]], ["1"], True],
        ["++-", [["-1"]], ["1"], True],
        ["+++", [["0"]], ["0"], True],
    ]
    assert data["adjacencies"] == [
        {"regions": [k, k + 1], "neurons": [[1, k]], "point": [str(k - 1)]} for k in range(3)
    ]


@pytest.mark.parametrize("name", ["A1", "A10", "d13_zero_on_cell", "d01_dup", "d05_concurrent", "n2_10_1_s0"])
def test_json_of_answers(run, name: str) -> None:
    code, out, _ = run("regions", DATA / f"{name}.json", "--json", "--all-counts")
    data, cx = json.loads(out), activation_regions(er.load(DATA / f"{name}.json"))
    assert (code, data["count"], list(data["counts"])) == (0, len(cx), COUNT_KEYS)
    counts = region_counts(cx)
    assert data["counts"] == {**{key: getattr(counts, key) for key in COUNT_KEYS[:6]}, **region_bounds(cx)}
    for shown, region in zip(data["regions"], cx, strict=True):
        matrix, offset = region.affine_map
        assert (shown["pattern"], shown["bounded"]) == (str(region.pattern), region.bounded)
        assert tuple(map(Fraction, shown["interior_point"])) == region.interior_point
        assert [list(map(Fraction, row)) for row in shown["matrix"]] == [list(row) for row in matrix]
        assert tuple(map(Fraction, shown["offset"])) == offset
    found = [(tuple(a["regions"]), tuple(map(tuple, a["neurons"])), tuple(map(Fraction, a["point"])))
             for a in data["adjacencies"]]  # fmt: skip
    assert found == [(a.regions, a.neurons, a.point) for a in cx.adjacencies()]
    assert all(i < j for (i, j), _, _ in found)


def test_text(run, hat: Path) -> None:
    code, out, err = run("regions", hat, "--all-counts")
    lines = out.splitlines()
    assert (code, err, lines[0]) == (0, "", "4 regions, 3 adjacencies, f-vector (3, 4)")
    assert [line.split() for line in lines[1:10]] == [
        [key, value] for key, value in zip(COUNT_KEYS, ["4", "4", "4", "4", "4", "3", "4", "4", "4"], strict=True)
    ]
    assert [line.split()[0] for line in lines[10:]] == ["---", "+--", "++-", "+++"]
    assert [line.split()[-1] for line in lines[10:]] == ["(unbounded)", "(bounded)", "(bounded)", "(unbounded)"]


@pytest.mark.parametrize(("options", "count"), [([], 190), (["--domain", "R^2"], 190), (["--budget", "190"], 190)])
def test_count_only(run, options: list[str], count: int) -> None:
    assert run("regions", SEED, "--count-only", *options) == (0, f"{count}\n", "")
    code, out, _ = run("regions", SEED, "--count-only", "--json", *options)
    assert (code, json.loads(out)) == (0, {"count": count})


@pytest.mark.parametrize("options", [[], ["--count-only"], ["--json"], ["--all-counts"], ["--count-only", "--json"]])
@pytest.mark.parametrize("budget", [0, 1, 189])
def test_budget(run, options: list[str], budget: int) -> None:
    code, out, err = run("regions", SEED, "--budget", budget, *options)
    check_one_line(code, out, err, 3)
    assert f"at most {budget} regions are allowed" in err


def test_budget_writes_no_graph(run, tmp_path: Path) -> None:
    target = tmp_path / "g.json"
    check_one_line(*run("regions", SEED, "--budget", 100, "--graph", target), 3)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", ["json", "graphml"])
def test_graph(run, hat: Path, tmp_path: Path, suffix: str) -> None:
    target = tmp_path / f"graph.{suffix}"
    code, out, err = run("regions", SEED, "--graph", target, "--json")
    assert (code, err, json.loads(out)["count"]) == (0, "", 190)
    if suffix == "json":
        graph = networkx.node_link_graph(json.loads(target.read_text()), edges="links")
    else:
        graph = networkx.read_graphml(target)
    assert (len(graph), graph.number_of_edges()) == (190, len(json.loads(out)["adjacencies"]))
    assert {name: data["index"] for name, data in graph.nodes(data=True)} == {
        region["pattern"]: k for k, region in enumerate(json.loads(out)["regions"])
    }
    assert [path.name for path in tmp_path.iterdir() if "graph" in path.name] == [target.name]


DOMAINS = [
    (" ", "must be a readable file"),
    ("[1,0]^2", "domain"),
    ("[0,1]", "must have 2 coordinates; got 1"),
    ("R^3", "must have 2 coordinates; got 3"),
    ("[0,1]x[2,2]", "domain"),
    ("[0,1]y[0,1]", "domain"),
    ("R^0", "domain"),
    ("Rabbit", "domain"),
    ("[nan,1]^2", "domain"),
    ("[0.5,1e999999999]^2", "domain"),
    ("[0,1]^99999999999999999999", "domain"),
    ("no such file.json", "no such file"),
]
POLYTOPES = {
    "empty": ([((1, 0), 0), ((-1, 0), -1)], "must not be empty"),
    "lower-dimensional": ([((1, 1), 1), ((-1, -1), -1)], "but lies in x0 + x1 = 1"),
    "no half-spaces": ([], "must not be an empty list"),
    "one coordinate": ([((1,), 0)], "must have 2 coordinates; got 1"),
}


@pytest.mark.parametrize(("domain", "words"), DOMAINS)
@pytest.mark.parametrize("options", [["--count-only"], ["--json"]])
def test_bad_domains(run, domain: str, words: str, options: list[str]) -> None:
    code, out, err = run("regions", SEED, "--domain", domain, *options)
    check_one_line(code, out, err, 2)
    assert words in err


def test_an_empty_option_is_named(run) -> None:
    """Every error sentence says which argument it is about."""
    code, out, err = run("regions", SEED, "--domain", "")
    check_one_line(code, out, err, 2)
    assert not err.startswith("exactrelu: :")


@pytest.mark.parametrize("name", POLYTOPES)
@pytest.mark.parametrize("command", ["regions", "count", "compare", "analyze"])
def test_bad_polytopes(run, name: str, command: str, tmp_path: Path) -> None:
    items, words = POLYTOPES[name]
    rows = [{"normal": list(map(str, normal)), "bound": str(bound)} for normal, bound in items]
    path = tmp_path / "domain.json"
    path.write_text(json.dumps({"format": "exactrelu/domain", "version": 1, "halfspaces": rows}))
    other = DATA / "n2_10_1_s0.json"
    arguments = {"regions": ["regions", SEED], "count": ["regions", SEED, "--count-only"],
                 "compare": ["compare", SEED, other], "analyze": ["analyze", SEED]}[command]  # fmt: skip
    code, out, err = run(*arguments, "--domain", path)
    if command == "analyze" and name == "lower-dimensional":  # the other facts still stand
        assert code == 0
        assert "but lies in x0 + x1 = 1" in next(line for line in out.splitlines() if line.startswith("regions"))
        return
    check_one_line(code, out, err, 2)
    assert words in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--budget", "-1"], "-1"),
        (["--budget", "x"], "x"),
        (["--count-only", "--all-counts"], "--count-only excludes"),
        (["--count-only", "--graph", "g.json"], "--count-only excludes"),
        (["--graph", "g.txt"], "must end in"),
        (["--graph", "/no/such/folder/g.json"], "g.json"),
        (["--graph", "/dev/null/g.json"], "g.json"),
    ],
)
def test_bad_options(run, arguments: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run("regions", SEED, *arguments)
    check_one_line(code, out, err, 2)
    assert words in err
    assert not list(tmp_path.iterdir())


def test_compare_deep_networks(run, tmp_path: Path) -> None:
    absolute = Network.mlp([[[1], [-1]], [[1, 1]], [[1]]], [[0, 0], [0], [0]])
    shallow = Network.mlp([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    cut = absolute.replace({"b[2][0]": "-1/10", "b[3][0]": "1/10"})
    for name, net in (("a", absolute), ("s", shallow), ("c", cut)):
        save(net, tmp_path / f"{name}.json")
    a, s, c = (tmp_path / f"{name}.json" for name in "asc")
    code, out, _ = run("compare", a, s, "--json")
    data = json.loads(out)
    assert (code, list(data)) == (0, ["scaling_equivalent", "permutation_scaling_equivalent", "same_function"])
    assert (data["same_function"]["status"], data["same_function"]["evidence"]) == ("holds", {"regions": 2})
    code, out, _ = run("compare", a, c, "--json")
    assert (code, json.loads(out)["same_function"]["evidence"]) == (1, {"point": ["0"]})
    assert run("compare", a, c, "--domain", "[1/10,3]")[0] == 0
    assert run("compare", a, SEED)[0] == 4


@pytest.mark.parametrize("name", ["A1", "A10", "d08_sliver30", "d13_zero_on_cell"])
def test_region_fields_of_analyze(run, name: str) -> None:
    path = DATA / f"{name}.json"
    code, out, _ = run("analyze", path, "--json")
    data, cx = json.loads(out), activation_regions(er.load(path))
    assert code == 0
    assert data["regions"] == len(cx)
    assert data["adjacencies"] == cx.graph().number_of_edges()
    assert data["functional_dimension"] == er.functional_dimension(er.load(path))
    box = "x".join(["[0,1]"] * er.load(path).input_dim)
    assert json.loads(run("analyze", path, "--json", "--domain", box)[1])["regions"] == er.count_regions(
        er.load(path), box
    )


def test_analyze_with_too_many_regions(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactrelu.identifiability.deep.deep_local.DEFAULT_REGIONS", 100)
    data = json.loads(run("analyze", SEED, "--json")[1])
    assert [data[key] for key in ("regions", "adjacencies", "functional_dimension")] == [None] * 3
    shown = [line for line in run("analyze", SEED)[1].splitlines() if "at most 100 regions" in line]
    assert len(shown) == 3


def test_cartpole(run, real: Path) -> None:
    start = time.process_time()
    assert run("regions", real / "cartpole_nnet.nnet", "--count-only") == (0, "14623\n", "")
    assert time.process_time() - start < 10


def wait_for_work(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Until the process has worked for so long, however busy the machine is."""
    stat = Path(f"/proc/{process.pid}/stat")
    if not stat.exists():
        time.sleep(3 * seconds)
        return
    while process.poll() is None:
        user, system = stat.read_text().rpartition(")")[2].split()[11:13]
        if (int(user) + int(system)) / os.sysconf("SC_CLK_TCK") >= seconds:
            return
        time.sleep(0.02)


@cache
def seconds_to_start() -> float:
    """What a process works before the command begins: Python imports the package."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", "import exactrelu.cli"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize("suffix", ["json", "graphml"])
@pytest.mark.parametrize("work", [0.3, 1.4])
def test_interruption_leaves_no_file(tmp_path: Path, suffix: str, work: float) -> None:
    """Ctrl-C during the enumeration or the making of a large graph: one line, code 130, the old file whole."""
    save(Network.random((4, 16, 16, 1), 0), tmp_path / "net.json")  # 41431 regions
    folder = tmp_path / "out"
    folder.mkdir()
    target = folder / f"g.{suffix}"
    target.write_text("old")
    command = [sys.executable, "-m", "exactrelu.cli", "regions", str(tmp_path / "net.json"), "--graph", str(target)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ)
    try:
        wait_for_work(process, 1.5 * seconds_to_start() + work)
        assert process.poll() is None, "it ended before it could be interrupted"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
    assert (process.returncode, out, err) == (130, b"", b"exactrelu: interrupted\n")
    assert (target.read_text(), list(folder.iterdir())) == ("old", [target])


def test_interruption_before_the_first_file(tmp_path: Path, run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    code, out, err = run("regions", SEED, "--graph", tmp_path / "g.json")
    assert (code, out, err) == (130, "", "exactrelu: interrupted\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["out.svg", "out.png"])
def test_pictures(run, tmp_path: Path, name: str) -> None:
    target = tmp_path / name
    code, out, err = run("regions", SEED, "--plot", target, "--count-only")
    assert (code, err) == (0, "")
    assert out.strip().isdigit()
    start = b"<?xml" if name.endswith("svg") else b"\x89PNG"
    assert target.read_bytes().startswith(start)


def test_pictures_have_two_formats(run, tmp_path: Path) -> None:
    code, out, err = run("regions", SEED, "--plot", tmp_path / "out.gif")
    assert (code, out) == (2, "") and 'must end in ".svg" or ".png"' in err
