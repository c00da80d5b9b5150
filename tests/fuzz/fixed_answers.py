"""Print answers of every kind, with ``--more`` more of them; under all hash seeds they must be the same bytes."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random

HERE = Path(__file__).parent
sys.path[1:1] = [str(HERE.parent), str(HERE.parent / "certificates")]

import fuzz_draws as draws  # noqa: E402

import exactrelu as er  # noqa: E402
from exactrelu import cli  # noqa: E402
from exactrelu.certificates import certify  # noqa: E402

MORE = (  # these import much
    ["phi", "files/hat.json"],
    ["symmetries", "abs", "--atoms", "1,0;-1,0;2,1"],
    ["convert", "files/hat.json", "files/hat.onnx"],
    ["convert", "files/hat.json", "files/hat.graphml"],
    ["analyze", "files/hat.json", "--report", "files/report.html"],
    ["regions", "files/hat.json", "--plot", "files/regions.svg"],
)


def main(folder: Path, more: bool) -> None:
    for seed in range(5 if more else 2):
        r = Random(seed)
        for make in (draws.shallow_instance, draws.deep_instance, draws.pair_instance):
            answer(make(r))
    for seed in range(3 if more else 2):
        net = draws.space_instance(Random(seed)).network
        attempt(lambda net=net: [other.to_json() for other in er.recover_network(net, budget=10_000).networks])
        attempt(lambda net=net: [er.canonical_form(net).to_json(), er.compare_networks(net, net).to_json()])
        attempt(lambda net=net: [other.to_json() for other in er.fibre(net)])
    er.save(er.zoo.HAT, folder / "hat.json")
    hat = str(folder / "hat.json")
    hunt = ["--widths", "1,2,1", "--entries=-1,0,1", "--drop", "admissible", "--json"]
    for arguments in (
        ["theorem", "hunt", "embedding_rank_is_parameters_minus_hidden", *hunt],
        ["theorem", "list", "--json"],
        ["analyze", hat, "--json"],
        ["regions", hat, "--json", "--all-counts"],
        ["convert", hat, str(folder / "hat.npz")],
        ["regions", hat, "--graph", str(folder / "cells.json")],
        *(MORE if more else []),
    ):
        print(arguments[0], cli.run(arguments), flush=True)
    for path in sorted(folder.iterdir()):
        print(path.name, path.read_bytes().hex())


def answer(instance: er.Instance) -> None:
    """Verdicts with their evidence, certificates, kernels, regions."""
    net, domain = instance.network, instance.domain
    for ask in (er.locally_identifiable, er.globally_identifiable, er.finite_sample_exists):
        attempt(lambda ask=ask: ask(net, domain).to_json())
        attempt(lambda ask=ask: certify(ask(net, domain)).text())
    attempt(lambda: er.explain_kernel(net, domain).explain())
    attempt(lambda: [str(region.pattern) for region in er.activation_regions(net, domain)])
    attempt(lambda: sorted(er.activation_regions(net, domain).graph().edges(data=True), key=repr))
    attempt(lambda: certify("regions_complete", network=net, domain=domain).text())
    attempt(lambda: certify("embedding_rank", network=net).text())
    if instance.other is not None:
        attempt(lambda: certify(er.same_function(net, instance.other, domain)).text())
        attempt(lambda: certify(er.permutation_scaling_equivalent(net, instance.other)).text())


def attempt(ask) -> None:
    try:
        print(json.dumps(ask(), default=str))
    except er.ExactReluError as error:
        print(type(error).__name__, error)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] == ["--more"])
