"""The sections of a page that decide: verdicts with their reasons, second networks, and the kernel."""

from __future__ import annotations

from itertools import islice
from typing import Any, Final
from xml.etree.ElementTree import Element

from ..identifiability import ExplainedDirection, explain_kernel
from ..networks import Network
from ..networks.formulas import neuron_name
from ..verdicts import Explained, Status, Verdict, text
from .comparison import side_by_side
from .elements import Content, element, lines, mathematics, table
from .report_facts import MOST_ROWS, Facts, Why, answered, clause, cut, figure, paragraph, remark
from .report_sections import section, written

QUESTIONS: Final = {
    "admissible": "Admissible?",
    "locally_identifiable": "Locally identifiable?",
    "globally_identifiable": "Globally identifiable?",
    "finite_sample_exists": "By finitely many samples?",
}
SIGNS: Final = {Status.HOLDS: "✓", Status.FAILS: "✗", Status.UNKNOWN: "?", Status.INAPPLICABLE: "–"}
MOST_COMPONENTS: Final = 30
"""The largest number of components of a direction that are written out."""
MOST_KERNEL: Final = 400_000
"""The largest product of regions and parameters for which the kernel is explained."""


def badge(status: Status) -> Element:
    """A status as a word with a sign, so that no colour has to be seen."""
    sign = element("span", SIGNS[status], aria_hidden="true")
    return element("span", sign, f" {status.value}", class_=f"badge {status.value}")


def verdict_section(facts: Facts) -> Element:
    """Every verdict: its claim, its conditions with reasons, and its evidence."""
    intro = paragraph(
        "Parameters are identifiable when every network of the same architecture with the same function has them, up "
        "to permuting and rescaling hidden neurons: among nearby parameters (locally), or among all (globally)."
    )
    return section("verdicts", "What is decided", intro, [_verdict(facts, key) for key in facts.verdicts])


def _verdict(facts: Facts, key: str) -> Element:
    verdict = facts.verdicts[key]
    content: list[Content] = [
        element("h3", QUESTIONS[key], " ", badge(verdict.status)),
        paragraph(f"Claim: {verdict.claim}."),
    ]
    if verdict.conditions:
        content.append(_conditions(facts.network, verdict))
    else:
        content.append(paragraph("No condition had to be examined."))
    if verdict.evidence is not None:
        content.append(_explained("Evidence", verdict.evidence))
    if verdict.family is not None:
        content.append(_explained("A family of networks", verdict.family))
    if verdict.witness is not None:
        link = element("a", "A second network", href=f"#witness-{key}")
        content.append(element("p", link, " is the witness."))
    return element("article", content, id=key)


def _conditions(net: Network, verdict: Verdict) -> Element:
    """The conditions as a table, without columns that would be empty."""
    heads = ["condition", "status"]
    columns: list[list[Content]] = [
        [condition.id.replace("_", " ") for condition in verdict.conditions],
        [badge(condition.status) for condition in verdict.conditions],
    ]
    reasons = [condition.detail for condition in verdict.conditions]
    neurons = [", ".join(_name(net, neuron) for neuron in condition.neurons) for condition in verdict.conditions]
    for head, texts in (("reason", reasons), ("neurons", neurons)):
        if any(texts):
            heads.append(head)
            columns.append([mathematics(text) for text in texts])
    return table("Conditions", heads, zip(*columns, strict=True))


def _name(net: Network, neuron: Any) -> str:
    layer, index = neuron
    return neuron_name(net, layer, index) if layer <= net.depth else str(neuron)


def _explained(title: str, value: Any) -> Content:
    shown = value.explain() if isinstance(value, Explained) else str(value)
    return [element("h4", title), element("div", lines(shown), class_="sheet")]


def witness_section(facts: Facts) -> Element:
    """Second networks beside the original, as formulas and as pictures."""
    title = "Second networks"
    shown = [_witness(facts, key, verdict) for key, verdict in facts.verdicts.items() if verdict.witness is not None]
    if not shown:
        return section("witnesses", title, remark("No verdict has a second network as its witness."))
    intro = paragraph(
        "A witness is another network with the same function that is no permuted and rescaled copy of the original."
    )
    return section("witnesses", title, intro, shown)


def _witness(facts: Facts, key: str, verdict: Verdict) -> Element:
    content: list[Content] = [element("h3", QUESTIONS[key], " ", badge(verdict.status))]
    witness = verdict.witness
    if not isinstance(witness, Network):
        return element("article", content, _explained("Witness", witness), id=f"witness-{key}")
    pair = [
        element("div", element("h4", name), written(net))
        for name, net in (("The original θ", facts.network), ("The witness θ′", witness))
    ]
    content.append(element("div", pair, class_="pair"))
    old = {parameter.name: parameter.value for parameter in facts.network.parameters}
    moved = [p for p in witness.parameters if old.get(p.name) != p.value]
    rows = [
        (mathematics(p.name), mathematics(text(old[p.name])) if p.name in old else "absent", mathematics(text(p.value)))
        for p in islice(moved, MOST_ROWS)
    ]
    content += [
        table("Parameters that differ", ("parameter", "θ", "θ′"), rows, numeric=(1, 2)),
        cut(len(moved), "parameters"),
    ]
    complex = facts.complex
    if isinstance(complex, Why) or witness.input_dim != facts.network.input_dim:
        content.append(remark(complex.sentence if isinstance(complex, Why) else "The networks have different inputs."))
    else:
        content.append(
            figure(
                lambda: side_by_side(facts.network, witness, facts.domain, title="", budget=4 * len(complex) + 100),
                f"witness-picture-{key}",
                "The original and the witness",
                "The original on the left, the witness on the right; below them their functions, which are the same.",
            )
        )
    return element("article", content, id=f"witness-{key}")


def _components(direction: ExplainedDirection) -> list[Content]:
    """The nonzero components of a direction, one per line, or the first of many."""
    shown: list[Content] = []
    for name, value in direction.entries[:MOST_COMPONENTS]:
        number = text(value)
        look = {"class_": "whole"} if len(number) <= 24 else {}
        shown.append(element("div", mathematics(f"{name}: {number}"), **look))
    left = len(direction.entries) - MOST_COMPONENTS
    return [*shown, element("div", f"and {left} more")] if left > 0 else shown


def kernel_section(facts: Facts) -> Element:
    """The functional dimension, with a reason for every direction that changes no value."""
    known, title = facts.analysis, "Functional dimension and kernel"
    intro = paragraph(
        "The functional dimension is the largest rank of the derivative of sample values by parameters. Along the "
        "directions of the kernel no value changes to first order."
    )
    if known.functional_dimension is None or known.regions is None:
        reason = dict(known.reasons).get("functional_dimension", "it is not known")
        return section("kernel", title, intro, remark(f"The functional dimension is not known: {clause(reason)}."))
    number = paragraph(
        f"The functional dimension is {known.functional_dimension}, that is {known.parameters} parameters - "
        f"{known.parameters - known.functional_dimension} independent directions."
    )
    if known.regions * known.parameters > MOST_KERNEL:
        reason = (
            f"{known.regions} regions times {known.parameters} parameters are too many to explain the kernel on a page."
        )
        return section("kernel", title, intro, number, remark(reason))
    kernel = answered(lambda: explain_kernel(facts.network, facts.domain, budget=known.regions))
    if isinstance(kernel, Why):
        return section("kernel", title, intro, number, remark(kernel.sentence))
    rows: list[tuple[Content, ...]] = []
    for direction in islice(kernel.directions, MOST_ROWS):
        rows.append((direction.kind.value.replace("_", " "), mathematics(direction.text), _components(direction)))
    counts = ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in kernel.counts.items())
    listed = table("A basis of the kernel", ("kind", "reason", "direction"), rows)
    summary = paragraph(f"Directions by kind: {counts}.") if counts else ""
    return section(
        "kernel",
        title,
        intro,
        number,
        summary,
        listed if rows else "",
        cut(len(kernel.directions), "directions", "dimension"),
    )
