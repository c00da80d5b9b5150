"""Certificates that have been tampered with, and an independent judgement of what they then claim.

:func:`truth` decides a claim from its JSON with the deciding functions of the package, none of which knows about
certificates. A certificate whose claim is false must be rejected, whatever its evidence looks like.

One-letter names: ``r`` a seeded random generator.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import exactrelu as er
from exactrelu import Domain, ExactReluError, Halfspace, Network, Pattern, Polyhedron, Status, checker, extended_checker
from exactrelu.certificates import Certificate
from exactrelu.certificates.hypothesis_claims import PREDICATES, WITHOUT_DOMAIN
from exactrelu.networks.evaluation import affine_maps
from exactrelu.networks.json import network_from_json
from exactrelu.polyhedra import domain_from_json

Json = Any
DOMAINS = ("R", "[-1,1]", "[-2,2]", "[0,1]", "[-1/2,3]")


def truth(claim: Json) -> bool | None:
    """Whether a claim is true; ``None`` if it cannot be read, or is not decided."""
    try:
        return TRUTHS[claim["id"]](claim)
    except (ExactReluError, KeyError, TypeError):
        return None


def network(claim: Json, key: str = "network") -> Network:
    return network_from_json(claim[key], key)


def domain(claim: Json) -> Domain:
    where = claim["domain"]
    return Domain.parse(where) if isinstance(where, str) else domain_from_json(where)


def holds(verdict: er.Verdict, wanted: Status = Status.HOLDS) -> bool | None:
    return None if verdict.status in (Status.UNKNOWN, Status.INAPPLICABLE) else verdict.status is wanted


def _value(claim: Json) -> bool:
    return list(network(claim)(claim["point"])) == [Fraction(entry) for entry in claim["value"]]


def _same(claim: Json, wanted: Status) -> bool | None:
    return holds(er.same_function(network(claim), network(claim, "other"), domain(claim)), wanted)


def _pair(decide: Callable[[Network, Network], er.Verdict], wanted: Status) -> Callable[[Json], bool | None]:
    def decided(claim: Json) -> bool:
        # Networks of different architectures are equivalent in no way.
        status = decide(network(claim), network(claim, "other")).status
        return status is Status.HOLDS if wanted is Status.HOLDS else status is not Status.HOLDS

    return decided


def _region(claim: Json, wanted: bool) -> bool | None:
    """Open cells: among the regions of the complex. Closed cells: emptiness of a polyhedron."""
    net, where = network(claim), domain(claim)
    pattern = Pattern.parse(claim["pattern"])
    if claim["cell"] == "open":
        return (pattern in er.activation_regions(net, where).patterns) is wanted
    walls = list(where.halfspaces)
    signs = iter(sign for group in pattern.signs for sign in group)
    for layer, (matrix, offset) in zip(net.layers, affine_maps(net, pattern), strict=True):
        for rho, row, constant in zip(layer.activations, matrix, offset, strict=True):
            sign = 1 if rho.is_affine else next(signs)
            for side in () if rho.is_affine else (1, -1) if not sign else (-sign,):
                walls.append(Halfspace([side * entry for entry in row], -side * constant))
    return (Polyhedron(net.input_dim, walls).emptiness is None) is wanted


def _adjacent(claim: Json) -> bool:
    complex = er.activation_regions(network(claim), domain(claim))
    patterns = [Pattern.parse(pattern) for pattern in claim["patterns"]]
    wanted = {tuple(neuron) for neuron in claim["neurons"]}
    return any(
        {complex[i].pattern for i in edge.regions} == set(patterns) and set(edge.neurons) == wanted
        for edge in complex.adjacencies()
    )


def _local(claim: Json) -> bool | None:
    if "samples" in claim:
        return holds(er.locally_identifiable_from_samples(network(claim), claim["samples"]))
    return holds(er.locally_identifiable(network(claim), domain(claim)))


def _not_identifiable(claim: Json) -> bool | None:
    net = network(claim)
    if "samples" in claim:
        return holds(er.locally_identifiable_from_samples(net, claim["samples"]), Status.FAILS)
    if claim["scope"] == "local" or er.locally_identifiable(net, domain(claim)).status is Status.FAILS:
        return holds(er.locally_identifiable(net, domain(claim)), Status.FAILS)
    return holds(er.globally_identifiable(net, domain(claim)), Status.FAILS)


def _symmetry(claim: Json, wanted: Status = Status.HOLDS) -> bool | None:
    names = ("activation", "coefficients", "atoms", "constant")
    return holds(er.is_affine_symmetry(*(claim[name] for name in names)), wanted)


def _hypothesis(claim: Json) -> bool | None:
    decide, about = PREDICATES[claim["predicate"]], [network(claim), domain(claim)]
    return holds(decide(*about[: 1 + (claim["predicate"] not in WITHOUT_DOMAIN)]), Status(claim["status"]))


TRUTHS: dict[str, Callable[[Json], bool | None]] = {
    "value": _value,
    "same_function": lambda claim: _same(claim, Status.HOLDS),
    "different_function": lambda claim: _same(claim, Status.FAILS),
    "scaling_equivalent": _pair(er.scaling_equivalent, Status.HOLDS),
    "ps_equivalent": _pair(er.permutation_scaling_equivalent, Status.HOLDS),
    "not_ps_equivalent": _pair(er.permutation_scaling_equivalent, Status.FAILS),
    "not_scaling_equivalent": _pair(er.scaling_equivalent, Status.FAILS),
    "region_nonempty": lambda claim: _region(claim, True),
    "region_empty": lambda claim: _region(claim, False),
    "regions_complete": lambda claim: er.count_regions(network(claim), domain(claim)) == claim["count"],
    "adjacent": _adjacent,
    "admissible": lambda claim: holds(er.admissible(network(claim))),
    "not_admissible": lambda claim: holds(er.admissible(network(claim)), Status.FAILS),
    "embedding_rank": lambda claim: er.embedding_rank(network(claim)) == claim["rank"],
    "sample_rank": lambda claim: er.sample_rank(network(claim), claim["samples"]) == claim["rank"],
    "functional_dimension": lambda c: er.functional_dimension(network(c), domain(c)) == c["dimension"],
    "locally_identifiable": _local,
    "globally_identifiable": lambda claim: holds(er.globally_identifiable(network(claim), domain(claim))),
    "not_identifiable": _not_identifiable,
    "minimal_width": lambda claim: er.minimal_width(network(claim), domain(claim)) == claim["width"],
    "affine_symmetry": _symmetry,
    "not_affine_symmetry": lambda claim: _symmetry(claim, Status.FAILS),
    "modification_preserves": lambda claim: _same({**claim, "domain": f"R^{network(claim).input_dim}"}, Status.HOLDS),
    "hypothesis": _hypothesis,
}

OPPOSITES = {
    "admissible": "not_admissible",
    "region_nonempty": "region_empty",
    "same_function": "different_function",
    "ps_equivalent": "not_ps_equivalent",
    "scaling_equivalent": "not_scaling_equivalent",
    "affine_symmetry": "not_affine_symmetry",
}
OPPOSITES |= {there: here for here, there in OPPOSITES.items()}


def changed_claims(r: random.Random, certificate: Json, count: int) -> Iterator[tuple[str, Json]]:
    """Certificates with one thing in their claim changed, each with the name of the change."""
    for _ in range(count):
        found = copy.deepcopy(certificate)
        kind = r.choice(("number", "number", *CHANGES))
        if CHANGES[kind](r, found["claim"]):
            yield kind, found


def _number(r: random.Random, claim: Json) -> bool:
    """A weight, a bias, a coordinate or a bound: another sign, another value, zero."""
    places = [(box, key) for box, key in _leaves(claim) if isinstance(box[key], str) and _is_number(box[key])]
    if not places:
        return False
    box, key = r.choice(places)
    old = Fraction(box[key])
    box[key] = str(r.choice((-old, old + 1, Fraction(0), 2 * old + Fraction(1, 3))))
    return Fraction(box[key]) != old


def _integer(r: random.Random, claim: Json) -> bool:
    """A count, a rank, a neuron."""
    places = [
        (box, key) for box, key in _leaves(claim) if type(box[key]) is int and key not in ("version", "input_dim")
    ]
    if not places:
        return False
    box, key = r.choice(places)
    box[key] += r.choice((-1, 1))
    return True


def _pattern(r: random.Random, claim: Json) -> bool:
    places = [(claim, "pattern")] if "pattern" in claim else [(claim.get("patterns"), i) for i in (0, 1)]
    box, key = r.choice(places)
    if not box or not box[key]:
        return False
    k = r.randrange(len(box[key]))
    if box[key][k] == "|":
        return False
    old = box[key]
    box[key] = old[:k] + r.choice("-0+") + old[k + 1 :]
    return box[key] != old


def _domain(r: random.Random, claim: Json) -> bool:
    if "domain" not in claim:
        return False
    old = claim["domain"]
    claim["domain"] = "x".join(r.choice(DOMAINS) for _ in range(claim["network"]["input_dim"]))
    return claim["domain"] != old


def _exchange(r: random.Random, claim: Json) -> bool:
    """Another network: the second one in the place of the first, or two of its rows exchanged."""
    if "other" in claim and r.random() < 0.5:
        claim["network"], claim["other"] = claim["other"], claim["network"]
        return True
    layer = r.choice(claim["network"]["layers"])
    if not layer["weights"]:
        return False
    matrix = r.choice(list(layer["weights"].values()))
    i, j = r.randrange(len(matrix)), r.randrange(len(matrix))
    matrix[i], matrix[j] = matrix[j], matrix[i]
    return matrix[i] != matrix[j]


def _id(r: random.Random, claim: Json) -> bool:
    if claim["id"] not in OPPOSITES:
        return False
    claim["id"] = OPPOSITES[claim["id"]]
    return True


SWITCHES = {"scope": ("local", "global"), "cell": ("open", "closed"), "status": ("holds", "fails")}


def _scope(r: random.Random, claim: Json) -> bool:
    for key, options in SWITCHES.items():
        if key in claim:
            claim[key] = options[claim[key] == options[0]]
            return True
    return False


def _predicate(r: random.Random, claim: Json) -> bool:
    old = claim.get("predicate")
    if old is not None:
        claim["predicate"] = r.choice(list(PREDICATES))
    return claim.get("predicate") != old


CHANGES: dict[str, Callable[[random.Random, Json], bool]] = {
    "number": _number,
    "integer": _integer,
    "pattern": _pattern,
    "domain": _domain,
    "exchange": lambda r, claim: "network" in claim and _exchange(r, claim),
    "id": _id,
    "scope": _scope,
    "predicate": _predicate,
}


def broken_evidence(r: random.Random, certificate: Json, count: int) -> Iterator[tuple[str, Json]]:
    """Certificates whose evidence is certainly no proof any more, each with the name of the change."""
    for _ in range(count):
        found = copy.deepcopy(certificate)
        kind = r.choice(list(BREAKS))
        if BREAKS[kind](r, found):
            yield kind, found


def _drop_key(r: random.Random, certificate: Json) -> bool:
    evidence = certificate["evidence"]
    if not evidence:
        return False
    del evidence[r.choice(list(evidence))]
    return True


def _tree(certificate: Json) -> Json:
    evidence = certificate["evidence"]
    return evidence.get("equality", evidence).get("tree", [])


def _drop_node(r: random.Random, certificate: Json) -> bool:
    tree = _tree(certificate)
    if tree:
        del tree[r.randrange(len(tree))]
    return bool(tree) or "tree" in certificate["evidence"]


def _swap_leaves(r: random.Random, certificate: Json) -> bool:
    """Two children exchanged, of which one was empty: it has a point, so that nothing refutes it."""
    tree = _tree(certificate)
    places = [
        k
        for k in range(1, len(tree) - 1)
        if isinstance(tree[k - 1], list)
        and _is_empty(tree[k]) != _is_empty(tree[k + 1])
        and not isinstance(tree[k + 1], list)
    ]
    if not places or "cell" in tree:
        return False
    k = r.choice(places)
    tree[k], tree[k + 1] = tree[k + 1], tree[k]
    return True


def _all_empty(r: random.Random, certificate: Json) -> bool:
    """A region declared empty, with some combination that refutes another cell, and one region less."""
    evidence, claim = certificate["evidence"], certificate["claim"]
    places = [k for k, node in enumerate(_tree(certificate)) if isinstance(node, dict) and "point" in node]
    if not places or not evidence["combinations"]:
        return False
    evidence["tree"][r.choice(places)] = {"empty": r.randrange(len(evidence["combinations"]))}
    if "count" in claim:
        claim["count"] -= 1
    return True


def _multiplier(r: random.Random, certificate: Json) -> bool:
    """One multiplier changed: the sum of the normals is not 0 any more, or it has the wrong sign."""
    evidence = certificate["evidence"]
    found = [terms for terms in evidence.get("equality", evidence).get("combinations", []) if terms]
    found += [evidence["combination"]] if "combination" in evidence else []
    terms = [term for combination in found for term in combination if isinstance(term[1], str)]
    if not terms:
        return False
    term = r.choice(terms)
    y = Fraction(term[1])
    term[1] = str(2 * y + (1 if y >= 0 else -1))
    # A lone inequality 0 < b, and one without slopes, may have any positive multiplier.
    return certificate["claim"]["id"] != "region_empty" and all(len(combination) > 1 for combination in found)


def _minor(r: random.Random, certificate: Json) -> bool:
    """An entry of the inverse, or the columns in another order."""
    minor = certificate["evidence"].get("minor")
    if not minor or len(minor["columns"]) < 2:
        return False
    if r.random() < 0.5:
        i, j = (r.randrange(len(minor["inverse"])) for _ in range(2))
        minor["inverse"][i][j] = (minor["inverse"][i][j] + 1) % minor["modulus"]
    else:
        minor["columns"] = minor["columns"][1:] + minor["columns"][:1]
    return True


def _repeated_row(r: random.Random, certificate: Json) -> bool:
    minor = certificate["evidence"].get("minor")
    if not minor or len(minor["rows"]) < 2:
        return False
    minor["rows"][0] = minor["rows"][1]
    return True


def _kernel(r: random.Random, certificate: Json) -> bool:
    """A vector with one entry changed outside the identity block, or inside of it."""
    kernel = certificate["evidence"].get("kernel") or certificate["evidence"].get("relations")
    if not kernel or not kernel["vectors"]:
        return False
    vector = r.choice(kernel["vectors"])
    j = r.choice(kernel["columns"])
    vector[j] = str(Fraction(vector[j]) + 1)
    return True


def _equation(r: random.Random, certificate: Json) -> bool:
    """One half-space less in the proof that the domain is flat, or a vector less in the proof that a neuron is held."""
    evidence = certificate["evidence"]
    found = evidence.get("equality", evidence).get("flat") or evidence.get("rigid")
    if not found:
        return False
    del found[r.randrange(len(found))]
    return True


def _scaling(r: random.Random, certificate: Json) -> bool:
    scalings = certificate["evidence"].get("scalings")
    if not scalings or not any(scalings):
        return False
    row = r.choice([row for row in scalings if row])
    row[r.randrange(len(row))] = str(r.choice((0, -1, -2)))
    return True


BREAKS: dict[str, Callable[[random.Random, Json], bool]] = {
    "drop key": _drop_key,
    "drop node": _drop_node,
    "swap leaves": _swap_leaves,
    "region called empty": _all_empty,
    "multiplier": _multiplier,
    "minor": _minor,
    "repeated row": _repeated_row,
    "kernel": _kernel,
    "equation": _equation,
    "scaling": _scaling,
}


def _is_empty(node: Json) -> bool:
    return isinstance(node, dict) and "empty" in node


def _leaves(value: Json) -> Iterator[tuple[Any, Any]]:
    """The containers and keys of all texts and integers inside, formats and functions excepted."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, entry in items:
        if key in ("format", "activation", "id", "pattern", "patterns", "domain") and isinstance(entry, str):
            continue
        if isinstance(entry, dict | list):
            yield from _leaves(entry)
        elif entry is not None:
            yield value, key


def _is_number(text: str) -> bool:
    try:
        return bool(Fraction(text).denominator)
    except ValueError:
        return False


def answer(certificate: Json) -> checker.Answer:
    """What the checker says of a certificate as JSON data; the extended one of hypotheses."""
    trusted = extended_checker.check if certificate["claim"]["id"] == "hypothesis" else checker.check
    return trusted(json.dumps(certificate).encode())


def assert_sound(certificate: Certificate, r: random.Random, changes: int = 4) -> int:
    """The certificate is valid; tampered with, it is rejected where it became false, or lost its proof.

    Returns the number of changes that had to be rejected.
    """
    data = json.loads(certificate.text())
    assert answer(data).code == 0, answer(data).text
    refused = 0
    for kind, found in broken_evidence(r, data, changes):
        assert answer(found).code == 1, (kind, found)
        refused += 1
    for kind, found in changed_claims(r, data, changes):
        if truth(found["claim"]) is False:
            assert answer(found).code == 1, (kind, found)
            refused += 1
        else:
            assert answer(found).code in (0, 1), (kind, found)
    return refused
