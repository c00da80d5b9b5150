"""Every public function and command on networks that are not of ReLUs: a right answer, or one sentence."""

from __future__ import annotations

import inspect
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import exactrelu as er
from exactrelu import HypothesisNotMet, Layer, Network, Status, Verdict
from exactrelu.paths import norms

LEAKY = {"name": "leaky_relu", "slope": "1/10"}
STEEP = {"name": "leaky_relu", "slope": "1/2"}
SQUARE = {"name": "polynomial", "coefficients": ["0", "0", "1"]}
ANALYTIC = {"tanh": "tanh", "square": SQUARE}
HOMOGENEOUS = {"abs": "abs", "leaky": LEAKY}
BOUNDED = {"clip": "hard_tanh", "hat": "hat"}
ALL = {**ANALYTIC, **HOMOGENEOUS, **BOUNDED}


def shallow(rho: Any) -> Network:
    return Network.mlp([[[1], [-1]], [[1, 2]]], [[0, "1/2"], [1]], activation=rho)


def deep(rho: Any) -> Network:
    return Network.mlp([[[1], [-1]], [[1, 2], [0, 1]], [[1, -1]]], [[0, 1], ["1/2", 0], [0]], activation=rho)


def mixed(rho: Any) -> Network:
    """One neuron among ReLUs; the output bends too."""
    layers = [
        Layer({0: [[1], [2]]}, bias=[0, 1], activation=["relu", rho]),
        Layer({1: [[1, 1]]}, bias=[0], activation="relu"),
    ]
    return Network(1, layers)


NETWORKS = [
    pytest.param(name, build(rho), id=f"{build.__name__}-{name}")
    for name, rho in ALL.items()
    for build in (shallow, deep, mixed)
]

POINTS = [[1], [2], ["-1/3"]]


# the kinds of network that a question can be asked about
EVERY, PIECEWISE, SCALABLE, RELU_ONLY = "every", "piecewise linear", "positively homogeneous", "ReLU"
SAME = object()  # the network itself once more

# public function: the networks it is meant for, and its arguments behind the network
QUESTIONS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "admissible": (EVERY, ()),
    "analyze": (EVERY, ()),
    "clones": (EVERY, ()),
    "count_paths": (EVERY, ()),
    "drop_invisible": (EVERY, ()),
    "embedding_kernel": (EVERY, ()),
    "embedding_rank": (EVERY, ()),
    "embedding_rank_lower_bound": (EVERY, ()),
    "enumerate_paths": (EVERY, ()),
    "latex_text": (EVERY, ()),
    "merge_clones": (EVERY, ()),
    "mutations": (EVERY, ()),
    "network_graph": (EVERY, ()),
    "path_metric": (EVERY, (SAME,)),
    "path_norm": (EVERY, ()),
    "activation_regions": (PIECEWISE, ()),
    "compare_networks": (EVERY, (SAME,)),  # equality of analytic networks is unknown
    "count_regions": (PIECEWISE, ()),
    "region_blocks": (PIECEWISE, ()),
    "region_bounds": (PIECEWISE, ()),
    "piecewise": (PIECEWISE, ()),
    "region_counts": (PIECEWISE, ()),
    "same_function": (EVERY, (SAME,)),
    "canonical_form": (SCALABLE, ()),
    "conservation_laws": (SCALABLE, ()),
    "lie_closure": (SCALABLE, ()),
    "number_of_conservation_laws": (SCALABLE, ()),
    "path_embedding": (SCALABLE, ()),
    "permutation_scaling_equivalent": (SCALABLE, (SAME,)),
    "scaling_equivalent": (SCALABLE, (SAME,)),
    "explain_kernel": (RELU_ONLY, ()),
    "explain_sample_kernel": (RELU_ONLY, (POINTS,)),
    "fibre": (RELU_ONLY, ()),
    "finite_sample_exists": (RELU_ONLY, ()),
    "functional_dimension": (RELU_ONLY, ()),
    "globally_identifiable": (RELU_ONLY, ("[-1,1]",)),
    "identifying_samples": (RELU_ONLY, ()),
    "integer_neurons": (RELU_ONLY, ()),
    "locally_identifiable": (RELU_ONLY, ("[-1,1]",)),
    "locally_identifiable_from_samples": (RELU_ONLY, (POINTS,)),
    "minimal_width": (RELU_ONLY, ()),
    "path_activations": (RELU_ONLY, ((), POINTS)),
    "path_metric_bound": (RELU_ONLY, (SAME, "[-1,1]")),
    "rank_statement": (RELU_ONLY, (POINTS,)),
    "reduce": (RELU_ONLY, ()),
    "sample_jacobian": (RELU_ONLY, (POINTS,)),
    "sample_rank": (RELU_ONLY, (POINTS,)),
    "which_flips_are_symmetries": (RELU_ONLY, ("[-1,1]",)),
}
ELSEWHERE = {"recover_network", "save", "save_graph", "save_report", "from_state_dict"}  # tested below
ELSEWHERE |= {"hunt", "shrink", "sweep", "theorem"}  # tested below, with statements
ELSEWHERE |= {"explore_regions", "symbolic_pattern"}  # tested with the regions
# tested with the symmetries of every activation
ELSEWHERE |= {"is_null_net", "modification_preserves", "modify", "orbit", "path_between", "reduce_by_symmetries"}
ELSEWHERE |= {"certify"}  # tested with the certificates
# about activations, domains, families, files, graphs, integers, or a function that is no network
ELSEWHERE |= {
    "affine_symmetries",
    "find_null_nets",
    "is_affine_symmetry",
    "load_domain",
    "load_domain_report",
    "family",
}
ELSEWHERE |= {"load", "load_report", "from_sklearn", "sweep_report", "reconstruct_from_graph", "shallow_statuses"}
ELSEWHERE |= {"recover_shallow", "symbolic_region"}
ASKED = [name for name in QUESTIONS if hasattr(er, name)]


def answer(name: str, net: Network) -> Any:
    arguments = [net if argument is SAME else argument for argument in QUESTIONS[name][1]]
    subject = er.activation_regions(net) if name in ("region_bounds", "region_counts") else net
    found = getattr(er, name)(subject, *arguments)
    if name == "compare_networks":
        return found.same_function
    return list(found) if inspect.isgenerator(found) else found


def applies(kind: str, rho: str) -> bool:
    return {
        EVERY: True,
        PIECEWISE: rho not in ANALYTIC,
        SCALABLE: rho in HOMOGENEOUS,
        RELU_ONLY: False,
    }[kind]


@pytest.mark.parametrize(("rho", "net"), NETWORKS)
@pytest.mark.parametrize("name", ASKED)
def test_an_answer_or_one_sentence(name: str, rho: str, net: Network) -> None:
    kind = QUESTIONS[name][0]
    try:
        found = answer(name, net)
    except HypothesisNotMet as error:
        assert not applies(kind, rho), error
        message = str(error)
        assert message.startswith(("network: must ", "a: must "))
        assert "\n" not in message
        assert len(message) < 250
        return
    if isinstance(found, Verdict):
        assert (found.status is Status.INAPPLICABLE) == (not applies(kind, rho))
        if found.status is Status.INAPPLICABLE:
            assert any(condition.detail for condition in found.conditions)
    else:
        assert applies(kind, rho)


def test_every_public_function_is_asked() -> None:
    """A new one has to say which networks it is meant for."""
    functions = {name for name in er.__all__ if inspect.isfunction(getattr(er, name))}
    assert functions - {*QUESTIONS, *ELSEWHERE} == set()
    assert set(QUESTIONS) & ELSEWHERE == set()
    taking_networks = {
        name
        for name in functions
        if next(iter(inspect.signature(getattr(er, name)).parameters), "") in ("net", "network", "left", "a", "complex")
    }
    known = {"explore_regions", "symbolic_pattern", "is_null_net", "modification_preserves", "modify", "orbit"}
    known |= {"reduce_by_symmetries", "recover_network", "save", "save_report"}
    assert taking_networks - set(QUESTIONS) == known


def test_no_answer_for_analytic_networks_rests_on_the_form_of_expressions() -> None:
    """s(x) + s(-x) = 1, which two expressions do not show."""
    sum_is_one = Network.mlp([[[1], [-1]], [[1, 1]]], [[0, 0], [0]], activation="logistic")
    one = Network.mlp([[[0]]], [[1]])
    assert er.same_function(sum_is_one, one).status is not Status.FAILS
    assert er.compare_networks(sum_is_one, one).same_function.status is Status.UNKNOWN


def test_scaling_of_homogeneous_networks() -> None:
    for rho in HOMOGENEOUS.values():
        net = deep(rho)
        other = net.rescale([[2, "1/3"], [5, 1]])
        assert [net([x]) for x in range(-3, 4)] == [other([x]) for x in range(-3, 4)]
        assert er.scaling_equivalent(net, other).evidence.scalings == ((2, Fraction(1, 3)), (5, 1))
        assert er.canonical_form(net) == er.canonical_form(other)
        assert er.path_embedding(net).vector == er.path_embedding(other).vector
    with pytest.raises(er.InvalidInput, match="must be 1, as hard_tanh is not homogeneous"):
        shallow("hard_tanh").rescale([[2, 1]])


def test_permutations_respect_activations_without_names() -> None:
    """Three neurons with equal weights that differ by their activations only."""
    net = Network.mlp([[[1]] * 3, [[3] * 3]], [[1] * 3, [0]], activation=[LEAKY, STEEP, "relu"])
    for order in ([0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]):
        moved = net.permute([order])
        verdict = er.permutation_scaling_equivalent(net, moved)
        assert verdict.status is Status.HOLDS
        assert verdict.evidence.permutation == (tuple(order),)
        assert er.canonical_form(moved) == er.canonical_form(net)
    swapped = Network.mlp([[[1], [2]], [[3, 5]]], [[1, 3], [0]], activation=[LEAKY, STEEP])
    other = Network.mlp([[[2], [1]], [[5, 3]]], [[3, 1], [0]], activation=[LEAKY, STEEP])
    assert er.permutation_scaling_equivalent(swapped, other).status is Status.FAILS
    assert er.same_function(swapped, other).status is Status.FAILS


@pytest.mark.parametrize("rho", [{"name": "leaky_relu", "slope": "-2"}, "hat", "tanh",
                                 {"breakpoints": ["0"], "slopes": ["0", "1"], "anchor": ["0", "5"]}])  # fmt: skip
def test_the_bound_by_paths_is_for_relus(rho: Any) -> None:
    """2|x| and 0, or relu(x) + 5 and 0, are further apart than the bound of ReLU networks."""
    net = Network.mlp([[[1]], [[1]]], activation=rho)
    with pytest.raises(HypothesisNotMet):
        norms.path_metric_bound(net, net.replace({"w[2<-1][0,0]": 0}), "[-1,1]")


def test_analyze_counts_regions_where_there_are_some() -> None:
    clip, tanh = er.analyze(shallow("hard_tanh")), er.analyze(shallow("tanh"))
    assert (clip.regions, clip.adjacencies, clip.functional_dimension, clip.minimal_width) == (5, 4, None, None)
    assert (tanh.regions, tanh.adjacencies, tanh.functional_dimension, tanh.minimal_width) == (None,) * 4
    assert {name for name, _ in tanh.reasons} >= {"regions", "adjacencies", "functional_dimension", "minimal_width"}
    assert "must be piecewise linear, but neuron (1, 0) is tanh" in tanh.explain()


# --- statements ---------------------------------------------------------------------------------------------------

RANK = er.theorem("embedding_rank_is_parameters_minus_hidden")
ON_TANH = er.theorem("symmetries_exhaust_fibre_without_null_nets")


@pytest.mark.parametrize(("rho", "net"), NETWORKS)
def test_statements_are_not_refuted_by_other_networks(rho: str, net: Network) -> None:
    """Every statement has an answer on every network, whatever else the instance has."""
    refuted, said = set(), set()
    for statement in er.registered_theorems():
        for instance in (er.Instance(net), er.Instance(net, net, domain="[-1,1]", samples=POINTS)):
            try:
                status = statement.check(instance).status
            except er.InvalidInput as error:  # affine symmetries of polynomials are not known
                assert (statement, rho) == (ON_TANH, "square") and str(error).startswith("rho: must be one of")
                continue
            if status is Status.FAILS:
                refuted.add(statement.standing.value)
            if status is Status.HOLDS:
                said.add(statement.id)
    assert refuted <= {"refuted"}
    # What is said of paths alone is said of homogeneous networks too, and nothing is said of the others but of tanh.
    assert (RANK.id in said) == (rho in HOMOGENEOUS)
    assert rho in HOMOGENEOUS or said <= ({ON_TANH.id} if rho == "tanh" else set())


@pytest.mark.parametrize(("rho", "net"), NETWORKS)
def test_hunts_and_sweeps_around_other_networks(rho: str, net: Network) -> None:
    near = er.mutations(net, count=12)
    found = er.hunt(RANK, near)
    assert found.status is (Status.HOLDS if rho in HOMOGENEOUS else Status.INAPPLICABLE)
    assert found.exhausted and found.tried > 6
    try:
        total = er.sweep(RANK, near, workers=1).total
    except HypothesisNotMet as error:  # the strata of some networks cannot be told
        assert rho in ANALYTIC and str(error).startswith("network: must be piecewise linear")
    else:
        assert total.instances == found.tried
        assert (total.holds, total.fails, total.unknown) == (found.applicable, 0, 0)


@pytest.mark.parametrize("rho", HOMOGENEOUS)
def test_counterexamples_keep_their_activation_as_they_shrink(rho: str) -> None:
    bolder = RANK.without("admissible")
    unheard = Network.mlp([[[3], [2]], [[2, 0]]], [[1, 0], [7]], activation=HOMOGENEOUS[rho])
    least = er.shrink(bolder, er.Instance(unheard)).network
    assert bolder.check(least).status is Status.FAILS
    assert least.parameters and len(least.parameters) < len(unheard.parameters)
    assert least.layers[0].activations == unheard.layers[0].activations[:1]


# --- files --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rho", "net"), NETWORKS)
@pytest.mark.parametrize("suffix", [".json", ".onnx", ".npz", ".safetensors", ".tex", ".graphml"])
def test_what_is_saved_is_loaded_again_or_refused(suffix: str, rho: str, net: Network, tmp_path: Path) -> None:
    path = tmp_path / f"net{suffix}"
    try:
        export = er.save_report(net, path)
    except er.InvalidNetwork as error:
        assert suffix == ".onnx" and (rho in ("square", "hat") or len(set(net.layers[0].activations)) > 1)
        assert "\n" not in str(error) and str(error).startswith("layers[0].activation: must be one operator of ONNX")
        assert not path.exists()
        return
    if suffix in (".tex", ".graphml"):
        assert "not to be loaded again" in export.explain()
    elif suffix in (".json", ".onnx"):
        assert er.load(path) == net or (suffix, rho) == (".onnx", "leaky")  # 1/10 is no float
    else:
        assert "do not name activations" in export.explain()
        activations = [layer.activations[0].to_json() for layer in net.layers]
        if len(set(net.layers[0].activations)) == 1 and activations[-1] == "identity":
            assert er.load(path, activation=activations[0]) == net


def test_arrays_are_given_their_activation() -> None:
    for rho in ALL.values():
        net = deep(rho)
        arrays = {f"{k}.weight": layer.weights[k - 1] for k, layer in enumerate(net.layers, start=1)}
        arrays |= {f"{k}.bias": layer.bias for k, layer in enumerate(net.layers, start=1)}
        assert er.from_state_dict(arrays, activation=rho) == net


@pytest.mark.parametrize("suffix", [".graphml", ".json"])
@pytest.mark.parametrize(("rho", "net"), NETWORKS)
def test_graphs_name_activations(rho: str, net: Network, suffix: str, tmp_path: Path) -> None:
    graph = er.network_graph(net)
    er.save_graph(graph, tmp_path / f"graph{suffix}")
    content = (tmp_path / f"graph{suffix}").read_text()
    names = {data["activation"] for _, data in graph.nodes(data=True) if "activation" in data}
    assert len(names) == len({rho for layer in net.layers for rho in layer.activations})
    assert all(name in content for name in names)


# --- commands -----------------------------------------------------------------------------------------------------

FILES = {"tanh": shallow("tanh"), "clip": shallow("hard_tanh"), "leaky": deep(LEAKY), "abs": deep("abs"),
         "square": deep(SQUARE), "mixed": mixed("hat")}  # fmt: skip
COMMANDS: dict[str, tuple[list[str], set[str]]] = {
    # arguments after the file, the networks for which there is an answer
    "analyze": ([], set(FILES)),
    "phi": ([], {"leaky", "abs"}),
    "regions": (["--all-counts"], {"clip", "leaky", "abs", "mixed"}),
    "regions --count-only": ([], {"clip", "leaky", "abs", "mixed"}),
    "identify": ([], set()),
    "identify --scope local": ([], set()),
    "identify --scope finite-sample": ([], set()),
    "dimension": ([], set()),
    "recover": ([], {"clip", "leaky", "abs", "mixed"}),
}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    for name, net in FILES.items():
        er.save(net, str(tmp_path / f"{name}.json"))
    return {name: tmp_path / f"{name}.json" for name in FILES}


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("command", COMMANDS)
def test_commands(run: Any, files: dict[str, Path], command: str, name: str, as_json: bool) -> None:
    verb, *options = command.split()
    if verb not in er.cli.cli.commands:
        pytest.skip(f"no command {verb}")
    more, answered = COMMANDS[command]
    code, out, err = run(verb, files[name], *options, *more, *(["--json"] if as_json else []))
    assert code == (0 if name in answered else 4), err
    assert "Traceback" not in out + err
    if code == 4 and verb != "identify":
        assert out == ""
        assert err.startswith("exactrelu: ") and err.count("\n") == 1
    if code == 0 or verb == "identify":
        assert err == ""
        assert not as_json or json.loads(out)


def test_files_are_read_and_written(run: Any, files: dict[str, Path], tmp_path: Path) -> None:
    for name, path in files.items():
        assert er.load(str(path)) == FILES[name]
        target = tmp_path / "again.json"
        code, _, err = run("convert", path, target)
        assert (code, err) == (0, "")
        assert target.read_text() == path.read_text()


@pytest.mark.skipif(not hasattr(er, "recover_network"), reason="no recovery")
@pytest.mark.parametrize("name", ["clip", "leaky", "abs", "mixed"])
def test_what_is_recovered_is_the_function(name: str) -> None:
    """Values know nothing of activations: one hidden layer of ReLUs is found."""
    found = er.recover_network(FILES[name])
    assert found.networks
    assert all(er.same_function(FILES[name], net).status is Status.HOLDS for net in found.networks)


@pytest.mark.parametrize(
    ("left", "right", "code", "same"),
    [
        ("leaky", "leaky", 0, "holds"),
        ("abs", "leaky", 1, "fails"),
        ("clip", "clip", 0, "holds"),
        ("clip", "mixed", 1, "fails"),
        ("tanh", "clip", 1, "fails"),
        ("tanh", "tanh", 3, "unknown"),
    ],
)
def test_compare(run: Any, files: dict[str, Path], left: str, right: str, code: int, same: str) -> None:
    found, out, err = run("compare", files[left], files[right], "--json")
    assert (found, err) == (code, "")
    assert json.loads(out)["same_function"]["status"] == same


def test_regions_as_json_show_piece_numbers(run: Any, files: dict[str, Path]) -> None:
    code, out, _ = run("regions", files["clip"], "--json")
    assert code == 0
    data = json.loads(out)
    assert [region["pattern"] for region in data["regions"]] == ["0,2", "1,1", "1,2", "2,0", "2,1"]
    assert [edge["regions"] for edge in data["adjacencies"]] == [[0, 2], [1, 2], [1, 4], [3, 4]]


@pytest.mark.parametrize(
    ("rho", "words"),
    [
        ("sigmoid", "layers[0].activation: must be one of"),
        ({"name": "polynomial", "coefficients": ["1", "2"]}, "degree 2 or more"),
        ({"breakpoints": ["1", "1"], "slopes": ["0", "1", "0"], "anchor": ["0", "0"]}, "breakpoints[1]: must exceed"),
        (["tanh", {"name": "clip", "lower": "0"}], 'layers[0].activation[1]: must have the key "upper"'),
        (["tanh"], "must have 2 entries, one per neuron"),
    ],
)
def test_malformed_activations_in_files(run: Any, tmp_path: Path, rho: Any, words: str) -> None:
    data = shallow("relu").to_json()
    data["layers"][0]["activation"] = rho
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(data))
    code, out, err = run("analyze", path)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
