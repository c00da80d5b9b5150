"""Certificates of hypotheses: valid for the status that the lattice of faces decides, and rejected when broken."""

from __future__ import annotations

import json
import random
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from mutations import answer, assert_sound
from region_networks import batches, random_network

import exactrelu as er
from exactrelu import Domain, InvalidInput, Network, Status, Undecided, certify, hypotheses
from exactrelu.certificates import Certificate
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


def certified(verdict: Verdict, net: Network) -> Certificate | None:
    """The certificate of a verdict; none in the one case that the page names."""
    try:
        return certify(verdict)
    except Undecided:
        assert verdict.subject is not None
        assert verdict.subject.question == "hypotheses.no_hyperplane_in_break_set" and net.depth > 4
        return None


@pytest.mark.parametrize("seeds", batches(24, 624, 100))
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
            certificate = certified(verdict, net)
            if certificate is None:
                continue
            claim = certificate.claim
            assert (claim["predicate"], claim["status"]) == (predicate, verdict.status.value)
            made[predicate, claim["status"]] += 1
            changed = json.loads(certificate.text())
            changed["claim"]["status"] = OPPOSITE[claim["status"]]
            assert answer(changed).code == 1
            refused += assert_sound(certificate, r, changes=1)
    assert len(made) >= 2 * len(PREDICATES) - 4 and refused > len(seeds)


@pytest.mark.parametrize("seeds", batches(15, 265, 50))
def test_many_changes_of_one_certificate(seeds: range) -> None:
    refused = 0
    for seed in seeds:
        r = random.Random(seed)
        net, domain = perceptron(r)
        predicate = r.choice(sorted(PREDICATES.keys() - WITHOUT_DOMAIN))
        verdict = ask(predicate, net, domain)
        certificate = certified(verdict, net) if verdict.status in (Status.HOLDS, Status.FAILS) else None
        if certificate is not None:
            refused += assert_sound(certificate, r, 25)
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


def shuffled_tree(r: random.Random, forms: list[tuple[int, int]]) -> tuple[list[Any], list[Any]]:
    """A face tree of one hidden layer on the line: below every child the neurons come in another order."""
    combinations: list[Any] = []
    tree: list[Any] = []

    def grow(left: list[int], rows: list[tuple[int, int, Fraction, bool]]) -> None:
        upper = [(Fraction(b, a), even, i, a) for i, a, b, even in rows if a > 0 or even]
        lower = [(Fraction(b, a), even, i, a) for i, a, b, even in rows if a < 0 or even]
        clashes = ((u, v) for u in upper for v in lower if u[0] < v[0] or (u[0] == v[0] and not (u[1] and v[1])))
        clash = next(clashes, None)
        if clash is not None:  # a x < b and a' x < b' of opposite slopes, or with = for <
            (*_, i, a), (*_, j, c) = clash
            combinations.append([[[0, 1, i, 1], str(Fraction(1, a))], [[0, 1, j, 1], str(Fraction(-1, c))]])
            tree.append({"empty": len(combinations) - 1})
        elif not left:
            high, low = min(upper, default=None), max(lower, default=None)
            ends = [end[0] for end in (low, high) if end]
            tree.append({"point": [str(sum(ends) / 2 if len(ends) == 2 else ends[0] + (1 if low else -1))]})
        else:
            i = r.choice(left)
            tree.append([0, 1, i])
            (w, b), rest = forms[i], [k for k in left if k != i]
            for row in ((i, w, Fraction(-b), False), (i, w, Fraction(-b), True), (i, -w, Fraction(b), False)):
                grow(r.sample(rest, len(rest)), [*rows, row])

    grow(list(range(len(forms))), [])
    return combinations, tree


@pytest.mark.parametrize("seeds", batches(60, 460, 200))
def test_neurons_in_any_order(seeds: range) -> None:
    """Our own trees split the neurons in their order; others need not, nor in the same order everywhere."""
    for seed in seeds:
        r = random.Random(seed)
        forms = [(r.choice((-2, -1, 1, 2)), r.randint(-2, 2)) for _ in range(r.randint(2, 4))]
        net = Network.mlp([[[w] for w, _ in forms], [[1] * len(forms)]], [[b for _, b in forms], [0]])
        combinations, tree = shuffled_tree(r, forms)
        for predicate in ("transversal_pairs", "transparent", "general", "no_always_on", "visible_columns"):
            status = ask(predicate, net, Domain.space(1)).status.value
            claim = {"network": net.to_json(), "domain": "R", "predicate": predicate, "status": status}
            found = {"format": "exactrelu/certificate", "version": 1, "claim": {"id": "hypothesis", **claim}}
            found["evidence"] = {"combinations": combinations, "tree": tree}
            assert answer(found).code == 0, answer(found)
            found["claim"]["status"] = OPPOSITE[status]
            assert answer(found).code == 1


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
