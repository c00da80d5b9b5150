r"""Everything about one network on one page, which needs neither scripts nor a connection.

Pictures, the embedding :math:`\Phi(\theta)`, every verdict with its conditions and
its second network, and the directions along which no value changes; all numbers exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Final
from xml.etree.ElementTree import Element

from ..identifiability import Analysis, analyze, finite_sample_exists
from ..networks import Network
from ..polyhedra import Domain, as_domain
from ..verdicts import Verdict, text
from .elements import Content, element, page_text
from .report_facts import Facts, answered, clause
from .report_sections import embedding_section, graph_section, network_section, regions_section
from .report_verdicts import QUESTIONS, badge, kernel_section, verdict_section, witness_section

SECTIONS: Final = (
    network_section,
    regions_section,
    graph_section,
    embedding_section,
    verdict_section,
    witness_section,
    kernel_section,
)

NUMBERS: Final = (
    ("parameters", "D", "parameters"),
    ("hidden neurons", "h", "hidden_neurons"),
    ("paths", "", "paths"),
    ("rank of DΦ", "", "embedding_rank"),
    ("functional dimension", "", "functional_dimension"),
    ("activation regions", "", "regions"),
    ("adjacent pairs", "", "adjacencies"),
    ("least width", "", "minimal_width"),
)
"""The numbers of an analysis: title, symbol, and name."""

COLOPHON: Final = (
    "Made by exactrelu. Every number in the text is exact; floating point only says where the ink of the pictures "
    "goes, and long numbers in pictures are rounded."
)


def report_page(
    net: Network,
    domain: Domain | str | None = None,
    *,
    name: str = "network",
    notes: Sequence[str] = (),
    analysis: Analysis | None = None,
    budget: int | None = None,
) -> str:
    """A page of HTML about a network on a domain, the same bytes in every run.

    ``name`` is its title, ``notes`` are sentences on where the network comes from.
    ``analysis`` is what :func:`~exactrelu.analyze` says, if that is known already;
    ``budget`` is as there. What cannot be said or drawn is replaced by the reason.

    >>> page = report_page(Network.mlp([[[1]], [[1]]], [[0], [0]]), name="one neuron <b>")
    >>> "<title>one neuron &lt;b&gt;" in page, "http" in page, "<script" in page
    (True, False, False)
    """
    where = as_domain(domain, net.input_dim)
    known = analyze(net, where, budget=budget) if analysis is None else analysis
    verdicts = {
        "admissible": known.admissible,
        "locally_identifiable": known.locally_identifiable,
        "globally_identifiable": known.globally_identifiable,
    }
    finite = answered(lambda: finite_sample_exists(net, where))
    if isinstance(finite, Verdict):
        verdicts["finite_sample_exists"] = finite
    facts = Facts(net, where, known, verdicts, budget)
    sections = [section(facts) for section in SECTIONS]
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", f"{name} · exactrelu"),
        element("style", files(__package__).joinpath("report.css").read_text("utf-8")),
    )
    body = element(
        "body",
        _opening(facts, name, notes),
        element("main", _contents(sections), sections),
        element("footer", element("p", COLOPHON)),
    )
    return page_text(element("html", head, body, lang="en"))


def _opening(facts: Facts, name: str, notes: Sequence[str]) -> Element:
    """Title, verdicts and numbers at a glance."""
    net = facts.network
    shape = f"{'-'.join(map(str, net.widths))} network on {facts.place}"
    cards = [
        element(
            "a",
            element("span", QUESTIONS[key], class_="question"),
            badge(verdict.status),
            href=f"#{key}",
            class_=f"card {verdict.status.value}",
        )
        for key, verdict in facts.verdicts.items()
    ]
    return element(
        "header",
        element("h1", name),
        element("p", shape, class_="shape"),
        [element("p", note, class_="note") for note in notes],
        element("div", cards, class_="cards"),
        _numbers(facts.analysis),
    )


def _numbers(known: Analysis) -> Element:
    reasons = dict(known.reasons)
    entries = []
    for title, symbol, name in NUMBERS:
        value: int | None = getattr(known, name)
        content: list[Content] = [element("dt", title, element("var", f" {symbol}") if symbol else "")]
        content.append(element("dd", "–" if value is None else text(value)))
        if value is None and name in reasons:
            content.append(element("dd", clause(reasons[name]), class_="why"))
        entries.append(element("div", content))
    return element("dl", entries, class_="numbers")


def _contents(sections: Sequence[Element]) -> Element:
    links = []
    for section in sections:
        heading = section.find("h2")
        title = "" if heading is None else "".join(heading.itertext())
        links.append(element("li", element("a", title, href=f"#{section.attrib['id']}")))
    return element("nav", element("ol", links), aria_label="Contents")
