"""Certificates of hypotheses: valid for the status that the lattice of faces decides, and rejected when broken."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from mutations import answer, assert_sound
from region_networks import batches, random_network

import exactrelu as er
from exactrelu import Domain, InvalidInput, Network, Status, Undecided, certify, hypotheses
from exactrelu.certificates.hypothesis_claims import PREDICATES, WITHOUT_DOMAIN
from exactrelu.verdicts import Verdict

OPPOSITE = {"holds": "fails", "fails": "holds"}


def perceptron(r: random.Random) -> tuple[Network, Domain]:
    """Small integers, negative weights often, so that neurons are silent; up to four hidden layers."""
    d = r.randint(1, 2)
    widths = [d, *(r.randint(1, 3) for _ in range(r.choice((1, 1, 2, 2, 3, 4)))), r.randint(1, 2)]
    sizes = list(pairwise(widths))
    weights = [[[r.choice((-2, -1, -1, 0, 1, 1, 2)) for _ in range(a)] for _ in range(b)] for a, b in sizes]
    biases = [[r.randint(-2, 2) for _ in range(b)] if r.random() < 0.8 else None for _, b in sizes]
    where = r.choice(("R", "[-1,2]", "[0,2]"))
    return Network.mlp(weights, biases), Domain.parse("x".join([where, *["R"] * (d - 1)]))


def subject(seed: int) -> tuple[Network, Domain]:
    """A perceptron, or a network with skips, absent edges, affine neurons; degenerate more often than not."""
    if seed % 2:
        return perceptron(random.Random(seed))
    net, walls = random_network(seed, 2, 3)
    return net, Domain.polytope(halfspaces=walls) if walls else Domain.space(net.input_dim)


def ask(predicate: str, net: Network, domain: Domain) -> Verdict:
    """The verdict, which does not look at sign vectors but at the incremental lattice of faces."""
    return PREDICATES[predicate](net) if predicate in WITHOUT_DOMAIN else PREDICATES[predicate](net, domain)


@pytest.mark.parametrize("seeds", batches(24, 2024, 100))
def test_the_status_and_nothing_else(seeds: range) -> None:
    made: Counter[tuple[str, str]] = Counter()
    refused = 0
    for seed in seeds:
        net, domain = subject(seed)
        r = random.Random(seed)
        for predicate in PREDICATES:
            verdict = ask(predicate, net, domain)
            if verdict.status not in (Status.HOLDS, Status.FAILS):
                continue
            certificate = certify(verdict)
            claim = certificate.claim
            assert (claim["predicate"], claim["status"]) == (predicate, verdict.status.value)
            made[predicate, claim["status"]] += 1
            changed = json.loads(certificate.text())
            changed["claim"]["status"] = OPPOSITE[claim["status"]]
            assert answer(changed).code == 1
            refused += assert_sound(certificate, r, changes=1)
    assert len(made) >= 2 * len(PREDICATES) - 4 and refused > len(seeds)


@pytest.mark.parametrize("seeds", batches(15, 515, 50))
def test_many_changes_of_one_certificate(seeds: range) -> None:
    refused = 0
    for seed in seeds:
        r = random.Random(seed)
        net, domain = perceptron(r)
        predicate = r.choice(sorted(PREDICATES.keys() - WITHOUT_DOMAIN))
        if ask(predicate, net, domain).status in (Status.HOLDS, Status.FAILS):
            refused += assert_sound(certify("hypothesis", network=net, predicate=predicate, domain=domain), r, 25)
    assert refused > 5 * len(seeds)


def test_ways_to_stay_off_and_to_rise() -> None:
    """By negative weights, by falling in all directions; by a point, by a direction in which a parent grows."""
    held = Network.mlp([[[1]], [[-1]], [[1]]], [[0], [-1], [0]])
    falling = Network.mlp([[[1], [-1]], [[-1, -1]], [[1]]], [[0, 0], [-1], [0]])
    kept = Network.mlp([[[1], [-1], [1]], [[-1, -1, 0]], [[1]]], [[0, 0, 0], [-1], [0]])
    rising = Network.mlp([[[1]], [[-1]], [[1]]], [[0], [0], [0]])
    flat = Network.mlp([[[1, 0], [0, 1]], [[-1, 0]], [[1]]], [[0, 0], [-1], [0]])
    keys = []
    for net, domain in ((held, "R"), (falling, "R"), (kept, "R"), (rising, "R"), (flat, "R^2"), (kept, "[-1,1]")):
        certificate = certify(hypotheses.no_stably_unactivated(net, domain))
        certificate.check()
        lifts = certificate.evidence.get("lifts", [])
        kinds = (key for lift in lifts for key in lift)
        keys.append((certificate.claim["status"], *sorted(certificate.evidence), *kinds))
    assert keys == [
        ("fails", "neuron"),
        ("fails", "neuron"),
        ("fails", "combinations", "epsilon", "neuron", "tree"),
        ("holds", "combinations", "lifts", "tree", "neuron", "point"),
        ("holds", "combinations", "lifts", "tree", "neuron", "direction"),
        ("fails", "combinations", "epsilon", "neuron", "tree"),
    ]


def test_a_hyperplane_in_the_walls_of_a_fourth_layer() -> None:
    """Only the closure of the image of the positive cells counts, and the checker insists on it from layer 3 on."""
    net = Network.mlp([[[1]], [[1]], [[1]], [[1]], [[1]]], [[1], [1], [1], [-4], [0]])
    verdict = hypotheses.no_hyperplane_in_break_set(net, "[0,2]")
    assert verdict.status is Status.FAILS and certify(verdict).check()


def test_refusals() -> None:
    net = Network.mlp([[[1]], [[1]]], [[0], [0]])
    with pytest.raises(InvalidInput, match="predicate: must be one of bent_hyperplanes_meet, "):
        certify("hypothesis", network=net, predicate="nonsense")
    with pytest.raises(InvalidInput, match="must be true to be certified, but the verdict is: inapplicable"):
        certify("hypothesis", network=Network.mlp([[[1]], [[1]]], activation="abs"), predicate="transparent")
    with pytest.raises(er.BudgetExceeded, match="cells"):
        certify("hypothesis", network=Network.random((2, 4, 1), 0), predicate="transversal", budget=20)


CROSS: dict[str, Any] = json.loads(
    certify("hypothesis", network=Network.mlp([[[1, 0], [0, 1]], [[1, 1]]]), predicate="transversal_pairs").text()
)


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("claim", "predicate"), "tidy", "claim.predicate: must be one of generic, no_clones"),
        (("claim", "predicate"), ["generic"], "claim.predicate: must be one of"),
        (("claim", "predicate"), "full_row_rank", "evidence: must have the keys (none)"),
        (("claim", "status"), "maybe", 'claim.status: must be "holds" or "fails"'),
        (("claim", "status"), None, 'claim.status: must be "holds" or "fails"'),
        (("claim", "network", "layers", 0, "activation"), "abs", "claim.network: must have ReLUs and affine neurons"),
        (("evidence", "tree", -1), {"point": ["1", "0"]}, "evidence.tree[12]: the point must be on the cell"),
        (("evidence", "tree", 7), {"point": ["0", "1"]}, "evidence.tree[7]: the point must be on the cell"),
        (("evidence", "tree", -1), {"empty": 0}, "evidence.tree[12].empty: must lie between 0 and -1"),
        (("evidence", "tree"), [], "evidence.tree: the tree is not complete"),
        (("evidence", "tree", 2), {"point": ["-1", "-1"], "bounds": []}, "evidence.tree[2]: must have the keys point;"),
    ],
)
def test_the_first_thing_that_fails(path: tuple[Any, ...], value: Any, said: str) -> None:
    found = json.loads(json.dumps(CROSS))
    box = found
    for key in path[:-1]:
        box = box[key]
    box[path[-1]] = value
    assert answer(found).text.startswith(f"REJECTED at {said}"), answer(found).text


def test_a_perceptron_is_asked_for() -> None:
    found = json.loads(json.dumps(CROSS))
    found["claim"] |= {"predicate": "general"}
    found["claim"]["network"]["layers"][1]["weights"]["0"] = [["1", "1"]]
    assert answer(found).text.startswith("REJECTED at claim.network: must be a perceptron with affine outputs")


def test_what_the_cells_do_not_decide_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    net = Network.mlp([[[1]], [[1]]], [[0], [0]])
    monkeypatch.setattr("exactrelu.extended_checker.Complex.transversal", lambda _: False)
    with pytest.raises(Undecided, match="the cells do not decide this case: REJECTED at evidence: "):
        certify(hypotheses.transversal(net))
