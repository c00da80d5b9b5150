from __future__ import annotations

import json
import random
from typing import Any

import pytest
from polyhedra_cases import random_halfspaces

from exactrelu.errors import InvalidDomain, InvalidInput
from exactrelu.polyhedra import Domain, Polyhedron, domain_from_json, domain_to_json, read_domain

HEAD = '"format": "exactrelu/domain", "version": 1'


def document(content: str, head: str = HEAD) -> str:
    return f"{{{head}, {content}}}"


def test_the_documented_example() -> None:
    domain = read_domain(document('"halfspaces": [{"normal": ["1", "0"], "bound": "1"}]'), "d.json")
    assert domain == Domain.box([(None, 1), (None, None)])


def test_vertices() -> None:
    domain = read_domain(document('"vertices": [["0", "0"], ["1/2", "0"], ["0", "0.5"]]'), "d.json")
    assert domain == Domain.polytope(vertices=[(0, 0), ("1/2", 0), (0, "1/2")])


def test_writer_and_reader_are_inverse() -> None:
    domains = [Domain.parse(text) for text in ("R", "R^3", "[-1,1/3]^2xR", "[0,1]")]
    r = random.Random(1)
    for _ in range(100):
        d = r.randint(1, 3)
        polyhedron = Polyhedron(d, random_halfspaces(r, d, 5, r.choice(("general", "lattice", "flat", "cone"))))
        if not polyhedron.is_empty:
            domains.append(Domain.of_polyhedron(polyhedron))
    assert len(domains) > 50
    for domain in domains:
        written = json.dumps(domain_to_json(domain))
        assert read_domain(written, "d.json") == domain
        assert json.dumps(domain_to_json(read_domain(written, "d.json"))) == written


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ("", "d.json: must be a JSON document"),
        ("[]", "d.json: must be an object"),
        (document('"vertices": [["0"]]', '"version": 1'), "d.json: format"),
        (document('"vertices": [["0"]]', '"format": "exactrelu/network", "version": 1'), "d.json: format"),
        (document('"vertices": [["0"]]', '"format": "exactrelu/domain", "version": 2'), "d.json: version"),
        (document('"vertices": [["0"]]', '"format": "exactrelu/domain", "version": "1"'), "d.json: version"),
        (document('"vertices": [["0"]]', '"format": "exactrelu/domain"'), "d.json: version"),
        (document('"vertices": [["0"]], "vertices": [["1"]]'), "d.json: must not repeat a key"),
        (document('"vertices": [["0"]], "halfspaces": []'), "d.json: must have exactly one"),
        (document('"name": "x", "vertices": [["0"]]'), "d.json: must have no other keys"),
        (document('"name": "x"'), "d.json: must have no other keys"),
        (f"{{{HEAD}}}", "d.json: must have exactly one"),
        (document('"vertices": [[0.5]]'), "d.json: must write numbers as strings"),
        (document('"vertices": [[NaN]]'), "d.json: must contain finite numbers"),
        (document('"vertices": [["0"], [1]]'), r"d.json: vertices\[1\]\[0\]"),
        (document('"vertices": [["0"], ["nan"]]'), r"d.json: vertices\[1\]\[0\]"),
        (document('"vertices": [["0"], [null]]'), r"d.json: vertices\[1\]\[0\]"),
        (document('"vertices": [["0"], ["1", "2"]]'), r"d.json: vertices\[1\]: must have 1 coordinates"),
        (document('"vertices": [[]]'), r"d.json: vertices\[0\]"),
        (document('"vertices": []'), "d.json: vertices: must not be an empty list"),
        (document('"vertices": {}'), "d.json: vertices: must be a list"),
        (document('"halfspaces": []'), "d.json: halfspaces: must not be an empty list"),
        (document('"halfspaces": [[["1"], "0"]]'), r"d.json: halfspaces\[0\]: must be an object"),
        (document('"halfspaces": [{"normal": ["1"]}]'), r'd.json: halfspaces\[0\]: must have the key "bound"'),
        (document('"halfspaces": [{"normal": ["1"], "bound": 1}]'), r"d.json: halfspaces\[0\].bound"),
        (document('"halfspaces": [{"normal": "1", "bound": "1"}]'), r"d.json: halfspaces\[0\].normal"),
        (document('"halfspaces": [{"normal": ["1"], "bound": "1", "strict": true}]'), r"d.json: halfspaces\[0\]"),
        (
            document('"halfspaces": [{"normal": ["1"], "bound": "0"}, {"normal": ["-1"], "bound": "-1"}]'),
            "d.json: .*empty",
        ),
    ],
)
def test_mistakes_are_refused_with_their_place(content: str, place: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{place}"):
        read_domain(content, "d.json")


@pytest.mark.parametrize("value", [None, 1, "R^2", [], {"format": "exactrelu/domain", "version": True, "vertices": []}])
def test_only_objects_are_read(value: Any) -> None:
    with pytest.raises(InvalidInput, match=r"^instance"):
        domain_from_json(value, "instance")


def test_an_empty_domain_is_an_invalid_domain() -> None:
    with pytest.raises(InvalidDomain, match="-1"):
        domain_from_json({"format": "exactrelu/domain", "version": 1, "halfspaces": [{"normal": ["0"], "bound": "-1"}]})
