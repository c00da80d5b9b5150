"""The page about a network: well-formed, self-contained, complete, exact, and safe against hostile names."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from exactrelu import Domain, Layer, Network, analyze, explain_kernel, finite_sample_exists, path_embedding
from exactrelu.errors import HypothesisNotMet
from exactrelu.show import canvas, report_facts, report_sections
from exactrelu.show.elements import clean, element, mathematics, page_text, table
from exactrelu.show.report import report_page
from exactrelu.zoo import SPECIMENS, specimen

VOID = {"meta", "br", "hr", "img", "link", "input", "col", "source"}
QUESTIONS = ("admissible", "locally_identifiable", "globally_identifiable", "finite_sample_exists")
MINUS = "\N{MINUS SIGN}"


@dataclass
class Node:
    tag: str
    attributes: dict[str, str | None]
    parent: Node | None = None
    children: list[Node | str] = field(default_factory=list)

    def walk(self) -> list[Node]:
        return [self, *(n for child in self.children if isinstance(child, Node) for n in child.walk())]

    def all(self, tag: str) -> list[Node]:
        return [node for node in self.walk() if node.tag == tag]

    @property
    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    @property
    def classes(self) -> list[str]:
        return (self.attributes.get("class") or "").split()


class Strict(HTMLParser):
    """A tree of elements; every end tag must close the last element that is open."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = self.open = Node("", {})

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"<{tag}> repeats an attribute"
        node = Node(tag, dict(attrs), self.open)
        self.open.children.append(node)
        if tag not in VOID:
            self.open = node

    def handle_endtag(self, tag: str) -> None:
        assert self.open.tag == tag and self.open.parent is not None, f"</{tag}> closes <{self.open.tag}>"
        self.open = self.open.parent

    def handle_data(self, data: str) -> None:
        self.open.children.append(data)


def parsed(page: str) -> Node:
    parser = Strict()
    assert page.startswith("<!DOCTYPE html>\n<html lang=")
    parser.feed(page)
    parser.close()
    assert parser.open is parser.root, f"<{parser.open.tag}> is never closed"
    return parser.root


def by_id(root: Node, identifier: str) -> Node:
    (found,) = [node for node in root.walk() if node.attributes.get("id") == identifier]
    return found


def rows(node: Node, caption: str) -> list[list[str]]:
    """The cells of the table with this caption, row by row."""
    (found,) = [t for t in node.all("table") if t.all("caption")[0].text == caption]
    (body,) = found.all("tbody")
    return [[cell.text for cell in row.walk() if cell.tag in ("th", "td")] for row in body.all("tr")]


def check_page(page: str) -> Node:
    """What holds for every page: structure, accessibility, and that nothing is loaded."""
    root = parsed(page)
    nodes = root.walk()
    ids = [node.attributes["id"] for node in nodes if "id" in node.attributes]
    assert [i for i, n in Counter(ids).items() if n > 1] == []
    assert all(i and not re.search(r"\s", i) for i in ids)
    for node in nodes:
        assert node.tag not in ("script", "iframe", "object", "embed", "link", "base", "form", "foreignobject")
        for name, value in node.attributes.items():
            assert not name.startswith("on"), (node.tag, name)
            if name in ("href", "src"):
                assert value and (value.startswith("#") or (node.tag == "image" and value.startswith("data:image/png")))
            if name in ("aria-labelledby", "aria-describedby") or (name == "href" and (value or "").startswith("#")):
                assert str(value).removeprefix("#") in ids, (node.tag, name, value)
        for value in node.attributes.values():
            assert set(re.findall(r"url\(#([^)]+)\)", value or "")) <= set(ids)
    assert "@import" not in page and "http" not in page
    assert len(root.all("h1")) == len(root.all("main")) == len(root.all("title")) - len(root.all("svg")) == 1
    levels = [int(node.tag[1]) for node in nodes if re.fullmatch(r"h[1-6]", node.tag)]
    assert levels[0] == 1 and all(b <= a + 1 for a, b in pairwise(levels))
    for svg in root.all("svg"):
        assert svg.attributes["role"] == "img" and svg.all("title")[0].text and svg.all("desc")[0].text
    for one in root.all("table"):
        assert one.all("caption") and all(th.attributes["scope"] in ("col", "row") for th in one.all("th"))
        widths = {len([c for c in row.children if isinstance(c, Node)]) for row in one.all("tr")}
        assert len(widths) == 1
    return root


def check_facts(root: Node, net: Network, domain: Any) -> None:
    """The page says what the package says."""
    known = analyze(net, domain)
    verdicts = {name: getattr(known, name) for name in QUESTIONS[:3]}
    verdicts["finite_sample_exists"] = finite_sample_exists(net, domain)
    for name, verdict in verdicts.items():
        article = by_id(root, name)
        assert f"Claim: {verdict.claim.replace('-', MINUS)}" in article.text.replace("-", MINUS)
        badges = [node.text.split()[-1] for node in article.walk() if "badge" in node.classes]
        assert badges == [verdict.status.value, *(c.status.value for c in verdict.conditions)]
        (card,) = [node for node in root.all("a") if node.attributes["href"] == f"#{name}"]
        assert verdict.status.value in card.text
        witnesses = [node for node in root.walk() if node.attributes.get("id") == f"witness-{name}"]
        assert len(witnesses) == (verdict.witness is not None)
    numbers = {}
    for entry in root.all("dl")[0].all("div"):
        (name,), values = entry.all("dt"), entry.all("dd")
        numbers[name.text] = values[0].text
        assert len(values) == 1 + (values[0].text == "–")
    assert numbers["parameters D"] == str(len(net.parameters))
    assert numbers["rank of DΦ"] == str(known.embedding_rank)
    for shown, value in (
        ("activation regions", known.regions),
        ("functional dimension", known.functional_dimension),
        ("least width", known.minimal_width),
    ):
        assert numbers[shown] == ("–" if value is None else str(value))


NETWORKS: dict[str, tuple[Network, str | None]] = {
    "one input": (Network.mlp([[[1], [-1]], [[1, 1]]], [["1/3", 0], [0]]), None),
    "three inputs": (Network.random((3, 4, 1), 1), None),
    "two outputs": (Network.random((2, 2, 2), 2), "[-1,1]^2"),
    "no biases": (Network.mlp([[[1, 0], [0, 1]], [[1, -1]]]), None),
    "deep": (Network.mlp([[[1]], [[1]], [[1]]], [[0], [-1], [0]]), None),
    "skip": (
        Network(1, [Layer({0: [[1]]}, bias=[0]), Layer({1: [[2]], 0: [[-1]]}, bias=[0], activation="identity")]),
        None,
    ),
    "clip": (
        Network.mlp([[[1], [2]], [[1, -1]]], activation={"name": "clip", "lower": "0", "upper": "1"}),
        None,
    ),
    "tanh": (Network.mlp([[["1/2"]], [[3]]], activation="tanh"), None),
    "affine": (Network.mlp([[[1, 2]]], [[3]]), None),
}


@cache
def page_of(name: str) -> str:
    """The page of a network or specimen, made once."""
    if name in NETWORKS:
        return report_page(*NETWORKS[name], name=name)
    return report_page(specimen(name).network, specimen(name).domain, name=name)


DEFAULT = ("two outputs", "three inputs", "deep", "tanh", "affine")


@pytest.mark.parametrize("name", [n if n in DEFAULT else pytest.param(n, marks=pytest.mark.sweep) for n in NETWORKS])
def test_pages(name: str) -> None:
    net, domain = NETWORKS[name]
    root = check_page(page_of(name))
    check_facts(root, net, domain)
    assert root.all("h1")[0].text == name


@pytest.mark.parametrize("name", ["hat", "S30"])
def test_specimens(name: str) -> None:
    item = specimen(name)
    root = check_page(page_of(name))
    check_facts(root, item.network, item.domain)


@pytest.mark.sweep
@pytest.mark.parametrize("name", SPECIMENS)
def test_all_specimens(name: str) -> None:
    item = specimen(name)
    check_facts(check_page(report_page(item.network, item.domain)), item.network, item.domain)


@pytest.mark.sweep
def test_a_page_of_a_deep_network_with_many_regions() -> None:
    page = report_page(Network.random((2, 16, 16, 1), 0))
    root = check_page(page)
    assert len(page) < 4_000_000
    assert "416" in by_id(root, "regions").text
    assert len(rows(root, "The regions")) == report_facts.MOST_ROWS
    assert "The first 60 of 416 regions" in root.text
    assert "at most 400 regions for this picture, not 416" in by_id(root, "region-graph").text
    assert len(by_id(root, "regions").all("svg")) == 1
    assert len(rows(root, "All paths")) == 200 and "The first 200 of 785 paths" in root.text


def test_every_status_is_shown() -> None:
    unknown = report_page(Network.random((2, 12, 12, 1), 5), budget=3)
    found = {badge.text.split()[-1] for badge in parsed(unknown).walk() if "badge" in badge.classes}
    hat = parsed(page_of("hat"))
    found |= {badge.text.split()[-1] for badge in hat.walk() if "badge" in badge.classes}
    assert found == {"holds", "fails", "unknown", "inapplicable"}
    for badge in hat.walk():
        if "badge" in badge.classes:  # a word and a sign, not only a colour
            assert badge.all("span")[1].attributes["aria-hidden"] == "true" and len(badge.text.split()) == 2


def test_paths_and_values_are_exact() -> None:
    net = Network.mlp([[["1/3", 0], ["-22/7", 5]], [["1/9", 2]]], [["1/11", 0], ["123456789/1000000007"]])
    phi = path_embedding(net)
    shown = rows(parsed(report_page(net)), "All paths")
    assert [Fraction(row[2].replace(MINUS, "-")) for row in shown] == list(phi.vector)
    assert shown[0][1].replace("\N{THIN SPACE}", " ") == "w0,01←0 w0,02←1"  # subscripts before superscripts


def test_regions_and_adjacencies_are_exact() -> None:
    hat = parsed(page_of("hat"))
    assert [row[1] for row in rows(hat, "The regions")] == ["---", "+--", "++-", "+++"]
    assert [row[2].replace(" ", "") for row in rows(hat, "The regions")] == ["0", "x0+1", f"{MINUS}x0+1", "0"]
    assert rows(hat, "Adjacent regions") == [
        ["0 – 1", "h01", f"({MINUS}1)"],
        ["1 – 2", "h11", "(0)"],
        ["2 – 3", "h21", "(1)"],
    ]


def test_the_witness_stands_beside_the_original() -> None:
    item = specimen("hat")
    witness = analyze(item.network, item.domain).globally_identifiable.witness
    article = by_id(parsed(page_of("hat")), "witness-globally_identifiable")
    assert len(article.all("svg")) == 1
    moved = rows(article, "Parameters that differ")
    old = {p.name: p.value for p in item.network.parameters}
    changed = [p for p in witness.parameters if p.value != old[p.name]]
    assert [Fraction(row[2].replace(MINUS, "-")) for row in moved] == [p.value for p in changed]
    assert [Fraction(row[1].replace(MINUS, "-")) for row in moved] == [old[p.name] for p in changed]
    assert len(article.all("ul")) == 2 and "h01 = relu(−x0 − 1)" in article.text


def test_the_kernel_is_explained() -> None:
    kernel = explain_kernel(NETWORKS["deep"][0])
    shown = rows(parsed(page_of("deep")), "A basis of the kernel")
    assert [row[0] for row in shown] == [direction.kind.value.replace("_", " ") for direction in kernel.directions]
    assert "they take up its bias" in shown[-1][1]


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "</title></style><h1>",
        "&lt;b&gt; &amp;",
        "nul \x00 bell \x07 escape \x1b[31m lone \ud800 \ufffe",
        "]]> <!-- -->",
        "x" * 5000,
        "h1_0 * w[1<-0][0,0]",
        "",
    ],
)
def test_hostile_texts_stay_texts(text: str) -> None:
    net, _ = NETWORKS["tanh"]
    page = report_page(net, name=text, notes=[text])
    root = check_page(page)
    assert root.all("h1")[0].text == clean(text) == root.all("title")[0].text.removesuffix(" · exactrelu")
    assert [node.text for node in root.walk() if "note" in node.classes] == [clean(text)]
    assert root.all("img") == [] and page.encode("utf-8")
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f]", page)
    assert len(root.walk()) == len(parsed(report_page(net, name="a", notes=["b"])).walk())


def test_the_same_bytes_in_every_run() -> None:
    source = "from test_report import page_of; import sys; sys.stdout.buffer.write(page_of('deep').encode())"
    environment = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    other = subprocess.run([sys.executable, "-c", source], env=environment, capture_output=True, check=True)
    assert other.stdout == page_of("deep").encode()


def test_a_known_analysis_is_used() -> None:
    net, _ = NETWORKS["tanh"]
    known = replace(analyze(net), parameters=77)
    assert "77" in parsed(report_page(net, analysis=known)).all("dl")[0].text


def test_sections_that_do_not_apply_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    tanh = parsed(page_of("tanh"))
    for name in ("regions", "region-graph", "kernel"):
        assert "the network must be piecewise linear" in by_id(tanh, name).text
    assert "no embedding by paths" in by_id(tanh, "embedding").text
    assert "No verdict has a second network" in by_id(tanh, "witnesses").text
    flat = parsed(page_of("S30"))
    assert flat.all("section") and by_id(flat, "regions").all("svg") == []
    one = parsed(page_of("affine"))
    assert "There is one region" in by_id(one, "region-graph").text
    assert by_id(flat, "verdicts").text != by_id(flat, "witnesses").text

    def uncounted(*_: object) -> None:
        raise HypothesisNotMet("network", "must be counted by somebody else")

    with monkeypatch.context() as patch:
        patch.setattr(report_sections, "region_counts", uncounted)
        assert "must be counted by somebody else" in by_id(parsed(report_page(specimen("hat").network)), "regions").text
    monkeypatch.setattr(report_facts, "MOST_REGIONS", 3)
    hat = parsed(report_page(specimen("hat").network))
    assert "The 4 regions are too many" in by_id(hat, "regions").text


def test_pages_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise canvas.PlottingUnavailable("pictures need matplotlib")

    monkeypatch.setattr(canvas, "require_matplotlib", refuse)
    root = check_page(report_page(specimen("hat").network))
    assert root.all("svg") == [] and root.text.count("There is no picture here: pictures need matplotlib.") == 4


def test_elements() -> None:
    assert page_text(element("p", ["a", [element("b", "c"), "d"]], "e", aria_label='"<')) == (
        '<!DOCTYPE html>\n<p aria-label="&quot;<">a<b>c</b>de</p>\n'
    )
    made = parsed(f'<!DOCTYPE html>\n<html lang="en">{page_text(table("t", ("a", "b"), [("1", "2")]))[16:]}</html>')
    assert rows(made, "t") == [["1", "2"]]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("w[12<-3][4,5]", "w4,512←3"),
        ("b[2][1]", "b12"),
        ("h1_0 - 2*x10 + y0", f"h01 {MINUS} 2\N{THIN SPACE}x10 + y0"),
        ("-x0 - 1/2", f"{MINUS}x0 {MINUS} 1/2"),
        ("half-space, non-zero, R^2", "half-space, non-zero, R^2"),
        ("the sum of v_i w_i^T", "the sum of vi wiT"),
        ("prefix1 max0 h1", "prefix1 max0 h1"),
    ],
)
def test_mathematics(text: str, shown: str) -> None:
    assert "".join(part if isinstance(part, str) else "".join(part.itertext()) for part in mathematics(text)) == shown


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.fixture
def deep(tmp_path: Path) -> Path:
    path = tmp_path / "a <b> & deep.json"
    path.write_text(json.dumps(NETWORKS["deep"][0].to_json()))
    return path


def test_the_command_writes_the_page(run, deep: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.html"
    plain = run("analyze", deep, "--domain", "[-2,2]")
    assert run("analyze", deep, "--domain", "[-2,2]", "--report", out) == plain
    root = check_page(out.read_text("utf-8"))
    assert root.all("h1")[0].text == "a <b> & deep.json"
    assert "read as exact" in root.text
    check_facts(root, NETWORKS["deep"][0], Domain.parse("[-2,2]"))
    assert sorted(p.name for p in tmp_path.iterdir()) == [deep.name, "out.html"]  # no temporary files are left


def test_the_page_goes_to_standard_output(run, deep: Path) -> None:
    deep.write_text(json.dumps(NETWORKS["tanh"][0].to_json()))
    code, out, err = run("analyze", deep, "--report", "-")
    assert (code, err) == (0, "")
    check_page(out)
    code, out, err = run("analyze", deep, "--report", "-", "--json")
    assert code == 2 and out == "" and "--report" in err and err.count("\n") == 1


def test_a_page_that_cannot_be_written(run, deep: Path, tmp_path: Path) -> None:
    code, out, err = run("analyze", deep, "--report", tmp_path / "missing" / "out.html")
    assert code == 2 and out == "" and err.count("\n") == 1
