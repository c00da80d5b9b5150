"""Two checkers, written apart from each other from the same page, give the same answers.

One-letter names: ``r`` a seeded random generator.
"""

from __future__ import annotations

import copy
import gzip
import json
import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import second_checker
from region_networks import batches
from second_checker import Germ, germ, sign
from strategies import partner, random_dag, random_mlp, random_point

from exactrelu import (
    BudgetExceeded,
    Domain,
    InvalidInput,
    Layer,
    Network,
    Undecided,
    activation_regions,
    checker,
)
from exactrelu.certificates import Certificate, certify
from exactrelu.checker import CLAIMS

SAMPLES = Path(__file__).parents[2] / "docs" / "certificates"
PATHS = sorted(SAMPLES.glob("*/*.json"))
RHOS = ("abs", "hard_tanh", "hat", "relu6", {"name": "leaky_relu", "slope": "1/3"})
REPLACEMENTS: list[Any] = [
    *("0", "1", "-1", "1/2", "-2", "0.5", "1/0", "1e3", "R", "[-1,1]", "+", "-", "cell", "relu", "abs", "zero"),
    *(None, True, 0, 1, -1, 2, [], {}, ["0"], ["0", "1"], {"empty": 0}, {"name": "leaky_relu", "slope": "1/3"}),
]


def same_answer(data: bytes) -> int:
    """The code of both checkers."""
    code, text = second_checker.check(data)
    answer = checker.check(data)
    assert code == answer.code, f"{text!r} against {answer.text!r} for {data.decode(errors='replace')[:5000]}"
    return code


@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_samples(path: Path) -> None:
    data = path.read_bytes()
    assert same_answer(data) == (0 if path.parent.name == "valid" else 1)
    assert second_checker.check(gzip.compress(data)) == second_checker.check(data)


def test_the_samples_show_every_claim() -> None:
    for folder in ("valid", "broken"):
        shown = {json.loads(path.read_bytes())["claim"]["id"] for path in PATHS if path.parent.name == folder}
        assert shown == set(second_checker.CLAIMS) == set(CLAIMS)


VALUE = (SAMPLES / "valid" / "value.json").read_text()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", 2),
        (b"[]", 2),
        (VALUE.encode() + b"\xff", 2),
        (b"\xef\xbb\xbf" + VALUE.encode(), 2),
        (VALUE.replace("{}", "{").encode(), 2),
        (VALUE.replace("{}", '{"x": NaN}').encode(), 2),
        (VALUE.replace("{}", '{"x": 1.0}').encode(), 2),
        (VALUE.replace("{}", '{"x": 9223372036854775808}').encode(), 2),
        (VALUE.replace("{}", '{"x": 1, "x": 1}').encode(), 2),
        (VALUE.replace("{}", '{"x": ' + "[" * 60 + "]" * 60 + "}").encode(), 2),
        (VALUE.replace('"version": 1', '"version": 2', 1).encode(), 2),
        (VALUE.replace("{}", '{}, "note": ""').encode(), 1),
        (VALUE.replace("{}", "[]").encode(), 1),
        (gzip.compress(VALUE.encode()), 0),
        (gzip.compress(VALUE.encode())[:-4], 2),
        (gzip.compress(VALUE.encode()) + b"\0", 2),
        (gzip.compress(VALUE.encode() + b" " * 2**26), 3),
        (VALUE.replace('"point": ["-', '"point": ["-' + "0" * 20_000).encode(), 3),
    ],
)
def test_files(data: bytes, code: int) -> None:
    assert data != VALUE.encode()
    assert same_answer(data) == code


def places(x: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    for key, y in x.items() if isinstance(x, dict) else enumerate(x) if isinstance(x, list) else ():
        yield (*path, key)
        yield from places(y, (*path, key))


def mutated(r: random.Random, certificate: Any) -> bytes:
    """The certificate with one place changed: replaced, moved by one, removed or repeated."""
    result = copy.deepcopy(certificate)
    *path, key = r.choice(list(places(result)))
    parent = result
    for step in path:
        parent = parent[step]
    old = parent[key]
    kind = r.random()
    if type(old) is int and kind < 0.7:
        parent[key] = old + r.choice([-1, 1])
    elif isinstance(old, str) and kind < 0.5:
        parent[key] = r.choice(["0", "1", "-1", "2", "-1/2", "1/3", "+", "-"])
    elif isinstance(old, list) and len(old) > 1 and kind < 0.4:
        r.shuffle(old)
    elif kind < 0.6:
        del parent[key]
    elif isinstance(parent, list) and kind < 0.8:
        parent.insert(key, copy.deepcopy(old))
    else:
        parent[key] = copy.deepcopy(r.choice(REPLACEMENTS))
    return json.dumps(result).encode()


@pytest.mark.parametrize("seeds", batches(12, 2000, 200))
def test_mutated_samples(seeds: range) -> None:
    codes: Counter[int] = Counter()
    for seed in seeds:
        r = random.Random(seed)
        for path in PATHS:
            codes[same_answer(mutated(r, json.loads(path.read_bytes())))] += 1
    assert min(codes[0], codes[1]) > 20


REQUESTS = """
    value deep point
    different_function network other domain
    same_function network other domain
    scaling_equivalent network other
    ps_equivalent network other
    not_ps_equivalent network other
    not_scaling_equivalent network other
    region_nonempty network pattern domain cell
    region_empty network pattern domain cell
    regions_complete deep domain
    regions_complete bent domain
    adjacent network patterns domain
    admissible deep
    not_admissible deep
    embedding_rank deep
    sample_rank deep samples
    sample_rank bent samples
    functional_dimension deep domain
    locally_identifiable network domain
    locally_identifiable twins domain
    globally_identifiable twins domain
    not_identifiable network flat
    not_identifiable twins domain
    locally_identifiable network samples
    globally_identifiable network domain
    not_identifiable network domain
    not_identifiable network samples
    minimal_width network domain
    affine_symmetry activation atoms coefficients constant
    not_affine_symmetry activation atoms coefficients number
"""


ROLES = {"deep": "network", "bent": "network", "twins": "network", "flat": "domain", "number": "constant"}


def subjects(r: random.Random) -> dict[str, Any]:
    """What certificates can be about."""
    net = random_mlp(r, max_layers=r.choice((2, 2, 3)))
    d = net.input_dim
    deep = next(n for n in iter(lambda: random_dag(r, max_layers=3), None) if n.input_dim == d)
    hats = [Layer(dict(layer.blocks), bias=layer.bias, activation=r.choice(RHOS)) for layer in net.layers]
    domain = r.choice(
        (Domain.space(d), Domain.box([(-1, 2)] * d), Domain.parse("x".join(["[-2,1]", *["R"] * (d - 1)])))
    )
    pattern = str(net.pattern(random_point(r, d)))
    regions = activation_regions(net, domain)
    facet = next(iter(regions.adjacencies()), None)
    a, b = r.randint(-3, 3), r.randint(4, 6)
    twins = random_twins(r, d)
    return {
        "twins": twins,
        "flat": Domain.box([*[(-1, 1)] * (d - 1), (r.randint(-1, 1),) * 2]),
        "number": r.randint(-3, 3),
        "network": net,
        "other": partner(r, net),
        "deep": deep,
        "bent": Network(d, hats),
        "domain": domain,
        "point": random_point(r, d),
        "samples": [random_point(r, d) for _ in range(r.randint(1, 12))],
        "pattern": "".join(c if c == "|" or r.random() < 0.7 else r.choice("-+0") for c in pattern),
        "patterns": [regions[i].pattern for i in facet.regions] if facet else [],
        "cell": r.choice(("open", "closed")),
        "activation": "relu",
        "atoms": [(1, a), (-1, -a), (1, b), (-1, -b)],
        "coefficients": (1, -1, -1, 1),
        "constant": a - b,
    }


def random_twins(r: random.Random, d: int) -> Network:
    """Some kinked neurons, most of them opposite twins, with or without biases."""
    forms, v = list[list[int]](), list[int]()
    for _ in range(r.randint(1, 2)):
        form = [r.choice((-1, 1, 2)) for _ in range(d)] + [r.choice((0, 0, 1))]
        for side in (1, -1):
            forms.append([side * entry for entry in form])
            v.append(r.choice((-1, 1, 2, 3)))
    hidden, output = r.random() < 0.7, r.random() < 0.7
    biases = [[form[d] for form in forms] if hidden else None, [0] if output else None]
    return Network.mlp([[form[:d] for form in forms], [v]], biases)


def certificates(r: random.Random) -> Iterator[Certificate]:
    """A certificate for every request that is true of random networks."""
    known = subjects(r)
    for request in REQUESTS.split("\n")[1:-1]:
        claim, *names = request.split()
        arguments = {ROLES.get(name, name): known[name] for name in names}
        try:
            yield certify(claim, **arguments)
        except (InvalidInput, Undecided, BudgetExceeded):
            continue


@pytest.mark.parametrize("seeds", batches(12, 1000, 50))
def test_certificates_of_random_networks(seeds: range) -> None:
    """Valid for both, and after a mutation still the same for both."""
    made: Counter[str] = Counter()
    codes: Counter[int] = Counter()
    for seed in seeds:
        r = random.Random(seed)
        for certificate in certificates(r):
            made[certificate.claim["id"]] += 1
            assert same_answer(certificate.text().encode()) == 0
            for _ in range(3):
                codes[same_answer(mutated(r, certificate.to_json()))] += 1
    assert set(made) == set(CLAIMS) - {"modification_preserves"}
    assert min(codes[0], codes[1]) > 20


def test_germs() -> None:
    """Rational functions of t, compared with their values at a small t; zeros and cancellation among them."""
    r, small = random.Random(0), Fraction(1, 10**9)

    def value(x: Any) -> Fraction:
        num, den = second_checker.parts(x)
        return sum(c * small**k for k, c in enumerate(num)) / sum(c * small**k for k, c in enumerate(den))

    pool: list[Any] = [germ((Fraction(0), Fraction(1))), germ((Fraction(1), Fraction(-1))), Fraction(1), Fraction(-2)]
    for _ in range(300):
        x, y = r.choice(pool), r.choice(pool)
        for z, expected in ((x + y, value(x) + value(y)), (x - y, value(x) - value(y)), (x * y, value(x) * value(y))):
            assert value(z) == expected
            assert sign(z) == (expected > 0) - (expected < 0)
        assert (x < y) == (value(x) < value(y)) and (x <= y) == (value(x) <= value(y))
        assert (x == y) == (value(x) == value(y)) and (x != y or hash(x) == hash(y))
        if y:
            assert value(x / y) == value(x) / value(y)
            pool.append(r.choice((x / y, x + y, x * y)) if len(pool) < 25 else x)
    assert sum(isinstance(x, Germ) for x in pool) > 10
