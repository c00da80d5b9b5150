"""One hidden layer on the command line: identify, compare with a domain, analyze with a domain."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import shallow_bridge as bridge
import shallow_cases as cases
import shallow_oracle as so
import shallow_search as search

import exactrelu as er
from exactrelu import Domain, Network, save, zoo
from exactrelu.networks.json import network_from_json
from exactrelu.zoo import shallow_network

Run = Callable[..., tuple[int, str, str]]
CODES = {"holds": 0, "fails": 1, "unknown": 3, "inapplicable": 4}
SCOPES = ("local", "global", "finite-sample")
CHAIN = Network.mlp([[[1]], [[1]], [[1]]], [[0], [-1], [0]])  # relu(relu(x) - 1)
VERDICT_KEYS = ["claim", "status", "conditions", "evidence", "witness", "family"]


@pytest.fixture
def run(run: Run, tmp_path: Path) -> Run:
    """Run a command in this process; networks are written to files, domains given as text if they have one."""
    count = 0

    def written(argument: object) -> str:
        nonlocal count
        if isinstance(argument, Network):
            count += 1
            path = tmp_path / f"network{count}.json"
            save(argument, path)
            return str(path)
        if isinstance(argument, Domain):
            return argument.text or domain_file(tmp_path, vertices=[list(map(str, x)) for x in argument.vertices])
        return str(argument)

    return lambda *arguments: run(*map(written, arguments))


def domain_file(folder: Path, name: str = "domain.json", **content: Any) -> str:
    path = folder / name
    path.write_text(json.dumps({"format": "exactrelu/domain", "version": 1, **content}))
    return str(path)


# ------------------------------------------------------------------- every row


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("name", cases.TABLE)
def test_every_row(run: Run, name: str, scope: str) -> None:
    """Status and exit code of the table; a witness in the JSON is read back and verified."""
    net, vertices, expected, _ = cases.TABLE[name]
    code, out, err = run(
        "identify", bridge.network(net), "--scope", scope, "--domain", bridge.domain(vertices, net.d), "--json"
    )
    data = json.loads(out)
    assert err == ""
    assert list(data) == VERDICT_KEYS
    assert data["status"] == expected[SCOPES.index(scope)]
    assert code == CODES[data["status"]]
    if data["witness"] is not None:
        bridge.assert_refutes(net, network_from_json(data["witness"], "witness"), vertices)
    elif data["status"] == "fails":
        assert scope == "finite-sample"
        assert data["evidence"]["entries"]


def test_text_is_the_explanation(run: Run) -> None:
    code, out, _ = run("identify", zoo.HAT, "--domain", "[-2,2]")
    assert code == 1
    assert out.startswith("fails: the parameters are globally identifiable from the function on [-2,2]\n")
    assert "[fails] no_zero_sum_flip: the sum of v_i w_i^T over the neurons (0, 1, 2) is 0" in out
    assert "witness:\n  h1_0 = relu(-x0 - 1)\n" in out


def test_the_default_is_the_global_question_on_all_of_space(run: Run) -> None:
    plain = run("identify", zoo.specimen("S07a").network)
    assert plain == run("identify", zoo.specimen("S07a").network, "--scope", "global", "--domain", "R")
    assert plain[0] == 0


# --------------------------------------------------------------------- domains


@pytest.mark.parametrize(
    "content",
    [
        {"vertices": [["0", "0"], ["1", "0"], ["0", "1"]]},
        {"vertices": [["0", "0"], ["1", "0"], ["0", "1"], ["1/3", "1/3"]]},
        {"halfspaces": [{"normal": ["-1", "0"], "bound": "0"}, {"normal": ["0", "-3"], "bound": "0"},
                        {"normal": ["1", "1"], "bound": "1"}]},
    ],
)  # fmt: skip
def test_a_domain_from_a_file(run: Run, tmp_path: Path, content: dict[str, Any]) -> None:
    path = domain_file(tmp_path, **content)
    for name, code in (("S23", 1), ("S24", 0)):
        assert run("identify", zoo.specimen(name).network, "--scope", "local", "--domain", path)[0] == code


@pytest.mark.parametrize(
    ("text", "code"), [("[-1,1]", 1), ("[-1,2]", 0), ("[ -1 , 2 ] ", 0), ("[-1.5,1.0001]", 0), ("R", 0), ("R^1", 0)]
)
def test_a_domain_as_text(run: Run, text: str, code: int) -> None:
    assert run("identify", zoo.specimen("S05").network, "--domain", text)[0] == code


BAD_DOMAINS = {
    "wrong dimension": ("[-1,1]^2", "domain: must have 1 coordinates; got 2"),
    "reversed": ("[1,-1]", "must have intervals [a,b] with a < b"),
    "a point": ("[1,1]", "must have intervals [a,b] with a < b"),
    "garbage after": ("[-1,1]garbage", "must be factors"),
    "open bracket": ("[-1,1", "must be factors"),
    "exponent 0": ("R^0", "must have between 1 and 100000 coordinates"),
    "huge exponent": ("R^999999999", "must have between 1 and 100000 coordinates"),
    "no number": ("[a,b]", "must be a rational number"),
    "infinity": ("[-inf,inf]", "must be a rational number"),
    "zero denominator": ("[0,1/0]", "nonzero denominator"),
    "no text": ("", "file"),
    "no such file": ("missing.json", "no such file"),
}


@pytest.mark.parametrize("command", ["identify", "compare", "analyze"])
@pytest.mark.parametrize("name", BAD_DOMAINS)
def test_bad_domains(run: Run, command: str, name: str) -> None:
    text, words = BAD_DOMAINS[name]
    networks = [zoo.HAT] * (1 + (command == "compare"))
    assert_refused(run(command, *networks, "--domain", text), words)


def assert_refused(result: tuple[int, str, str], words: str) -> None:
    code, out, err = result
    assert (code, out) == (2, "")
    assert err.startswith("exactrelu: ")
    assert err.count("\n") == 1
    assert words.lower() in err.lower()


BAD_FILES = {
    "empty set": ({"halfspaces": [{"normal": ["1"], "bound": "0"}, {"normal": ["-1"], "bound": "-1"}]},
                  "must not be empty, but no point satisfies all of -x0 <= -1, x0 <= 0"),
    "wrong dimension": ({"vertices": [["0", "0"], ["1", "1"], ["1", "0"]]}, "must have 1 coordinates; got 2"),
    "no vertices": ({"vertices": []}, "must not be an empty list"),
    "ragged": ({"vertices": [["0"], ["1", "0"]]}, "must have 1 coordinates; got 2"),
    "both": ({"vertices": [["0"]], "halfspaces": []}, "exactly one of"),
    "neither": ({}, "exactly one of"),
    "a float": ({"vertices": [[0.5], ["1"]]}, "never as JSON floats"),
    "unknown key": ({"vertices": [["0"], ["1"]], "colour": "red"}, "colour"),
    "another format": ({"format": "exactrelu/network", "vertices": [["0"], ["1"]]}, "exactrelu/domain"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_domain_files(run: Run, tmp_path: Path, name: str) -> None:
    content, words = BAD_FILES[name]
    path = domain_file(tmp_path, "bad.json", **content)
    assert_refused(run("identify", zoo.HAT, "--domain", path), words)


def test_a_thin_domain_is_legal(run: Run, tmp_path: Path) -> None:
    path = domain_file(tmp_path, vertices=[["-1", "0"], ["1", "0"]])
    code, out, _ = run("identify", zoo.specimen("S17").network, "--domain", path, "--json")
    assert code == 1
    assert json.loads(out)["conditions"][0]["id"] == "interior"


# ----------------------------------------------------------- budgets, other networks


def test_the_budget(run: Run) -> None:
    """S15 needs 2 + 4 subsets."""
    for budget, code in ((5, 3), (6, 0)):
        assert run("identify", zoo.specimen("S15").network, "--domain", "[-1,1]", "--budget", budget)[0] == code
    code, out, _ = run("identify", zoo.specimen("S15").network, "--budget", 0, "--json")
    assert code == 3
    assert "at most 0 subsets are allowed; 6 are needed" in json.loads(out)["conditions"][-1]["detail"]
    assert run("identify", zoo.specimen("S15").network, "--scope", "local", "--budget", 0)[0] == 0


@pytest.mark.parametrize("budget", ["-1", "many", "1.5"])
def test_bad_budgets(run: Run, budget: str) -> None:
    assert_refused(run("identify", zoo.HAT, f"--budget={budget}"), "--budget")


@pytest.mark.parametrize("scope", ["global", "finite-sample"])
def test_a_deep_network_is_inapplicable(run: Run, scope: str) -> None:
    code, out, _ = run("identify", CHAIN, "--scope", scope, "--json")
    assert code == 4
    assert "2 hidden layers instead of one" in json.loads(out)["conditions"][0]["detail"]


def test_local_verdicts_on_deep_networks(run: Run) -> None:
    code, out, _ = run("identify", CHAIN, "--scope", "local", "--json")
    data = json.loads(out)
    assert (code, data["status"]) == (1, "fails")
    assert data["family"]["parameters"].keys() == {"b[1][0]", "b[2][0]"}
    turned = CHAIN.replace({"w[2<-1][0,0]": -1, "b[2][0]": 1})
    assert run("identify", turned, "--scope", "local")[0] == 0
    assert run("identify", turned, "--scope", "local", "--budget", "2")[0] == 3


SAMPLES: dict[str, tuple[list[list[str]], int]] = {
    "enough": ([["-1"], ["1/2"], ["1/4"], ["2"]], 0),
    "too few": ([["-1"], ["1/2"], ["2"]], 1),
}


def samples_file(tmp_path: Path, points: object) -> Path:
    path = tmp_path / "samples.json"
    path.write_text(json.dumps({"format": "exactrelu/samples", "version": 1, "points": points}))
    return path


@pytest.mark.parametrize("name", SAMPLES)
def test_samples(run: Run, tmp_path: Path, name: str) -> None:
    """relu(1 - relu(x)) has rank 4 = D - h at these four points, and 3 without 1/4."""
    points, wanted = SAMPLES[name]
    net = CHAIN.replace({"w[2<-1][0,0]": -1, "b[2][0]": 1})
    code, out, err = run("identify", net, "--samples", samples_file(tmp_path, points), "--json")
    data = json.loads(out)
    assert (code, err) == (wanted, "")
    assert data["evidence"]["jacobian_rank"] == er.sample_rank(net, points)
    assert (data["status"] == "holds") == (data["evidence"]["jacobian_rank"] == 4)


BAD_SAMPLES: dict[str, tuple[list[str], object, str]] = {
    "none": ([], [], "must not be an empty list"),
    "twice": ([], [["3"], ["3"]], "must differ from points[0]"),
    "a kink": ([], [["3"], ["0"]], "the pre-activation of neuron (1,0) is 0"),
    "too long": ([], [["1", "2"]], "points[0]"),
    "a number": ([], [[1]], "points[0][0]"),
    "a float": ([], [[0.5]], "floats"),
    "no list": ([], {"x": 1}, "points"),
    "outside": (["--domain", "[-1,1]"], [["1/2"], ["3"]], "points[1]: must lie in the domain"),
    "another scope": (["--scope", "global"], [["3"]], "--scope local"),
}


@pytest.mark.parametrize("name", BAD_SAMPLES)
def test_bad_samples(run: Run, tmp_path: Path, name: str) -> None:
    options, points, words = BAD_SAMPLES[name]
    assert_refused(run("identify", CHAIN, "--samples", samples_file(tmp_path, points), *options), words)


def test_dimension_with_reasons(run: Run) -> None:
    code, out, err = run("dimension", CHAIN, "--json")
    data = json.loads(out)
    assert (code, err) == (0, "")
    assert [data[key] for key in list(data)[:4]] == [3, 6, 2, 4]
    assert list(data)[:4] == ["functional_dimension", "parameters", "hidden_neurons", "embedding_rank"]
    assert len(data["kernel"]) == 3
    absorbed = data["kernel"][-1]
    assert absorbed["explanation"].startswith("[absorbed_bias]")
    assert absorbed["direction"] == {"b[1][0]": "1", "b[2][0]": "-1"}
    assert "2 scaling, 1 absorbed_bias" in run("dimension", CHAIN)[1]
    assert run("dimension", CHAIN, "--budget", "1")[0] == 3


def test_recover(run: Run) -> None:
    code, out, err = run("recover", zoo.HAT, "--json")
    data = json.loads(out)
    assert (code, err) == (0, "")
    assert list(data) == ["networks", "queries", "status"]
    assert data["status"] == "complete" and len(data["networks"]) == 2 and data["queries"] > 0
    assert "from" in run("recover", zoo.HAT)[1]
    assert run("recover", zoo.HAT, "--max-width", "2")[0] == 4
    assert run("recover", zoo.HAT, "--budget", "3")[0] == 3


def test_an_open_case_is_unknown(run: Run) -> None:
    pair = shallow_network([(1, 0, 2), (-1, 0, 1)], constant=None)
    code, out, _ = run("identify", pair, "--domain", "[-1,1]", "--json")
    assert code == CODES[json.loads(out)["status"]]
    assert code in (0, 3)


def test_an_unknown_scope(run: Run) -> None:
    assert_refused(run("identify", zoo.HAT, "--scope", "everywhere"), "everywhere")


# --------------------------------------------------------------- compare, analyze


@pytest.mark.parametrize("name", [name for name, row in cases.TABLE.items() if row[3] is not None])
def test_compare_finds_the_competitors_of_the_table(run: Run, name: str) -> None:
    net, vertices, _, other = cases.TABLE[name]
    code, out, _ = run(
        "compare", bridge.network(net), bridge.network(other), "--domain", bridge.domain(vertices, net.d), "--json"
    )
    data = json.loads(out)
    assert code == 0
    assert list(data) == ["scaling_equivalent", "permutation_scaling_equivalent", "same_function"]
    assert [verdict["status"] for verdict in data.values()] == ["fails", "fails", "holds"]


def test_compare_depends_on_the_domain(run: Run) -> None:
    pair = zoo.specimen("S07a").network, shallow_network([(1, 0, 3), (-1, 2, 1)], constant=[-2])
    assert run("compare", *pair, "--domain", "[-1,1]")[0] == 0
    code, out, _ = run("compare", *pair, "--json")
    assert code == 1
    (point,) = json.loads(out)["same_function"]["evidence"]["point"]
    assert so.evaluate(bridge.plain(pair[0]), (so.Q(point),)) != so.evaluate(bridge.plain(pair[1]), (so.Q(point),))


@pytest.mark.parametrize("name", cases.EQUALITIES)
def test_compare_the_equality_pairs(run: Run, name: str) -> None:
    left, right, equal, _ = cases.EQUALITIES[name]
    assert run("compare", bridge.network(left), bridge.network(right))[0] == (0 if equal else 1)


@pytest.mark.parametrize("name", cases.WIDTHS)
def test_analyze_gives_the_least_width(run: Run, name: str) -> None:
    net, vertices, width = cases.WIDTHS[name]
    code, out, _ = run("analyze", bridge.network(net), "--domain", bridge.domain(vertices, net.d), "--json")
    data = json.loads(out)
    assert code == 0
    assert data["minimal_width"] == width
    assert data["locally_identifiable"]["status"] == search.local(net, vertices)
    assert data["globally_identifiable"]["status"] == search.global_(net, vertices)


def test_analyze_says_why_a_field_is_missing(run: Run) -> None:
    code, out, _ = run("analyze", zoo.specimen("S28").network, "--domain", "[-1,1]")
    assert code == 0
    assert "minimal width          - (must have biases in both layers" in out
    code, out, _ = run("analyze", zoo.specimen("S17").network, "--domain", "[0,1]xR", "--json")
    assert (code, json.loads(out)["minimal_width"]) == (0, None)
