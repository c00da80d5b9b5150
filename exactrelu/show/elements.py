r"""Elements of a web page: texts that cannot become markup, formulas, and tables.

A page is a tree of :class:`xml.etree.ElementTree.Element`; the library escapes
every text when it writes the tree, so no name or number can turn into markup.

>>> page_text(element("p", "a < b, ", element("b", "h1_0"), class_="note"))
'<!DOCTYPE html>\n<p class="note">a &lt; b, <b>h1_0</b></p>\n'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from textwrap import dedent
from typing import Final, TypeAlias
from xml.etree.ElementTree import Element, tostring

Content: TypeAlias = "Element | str | Iterable[Content]"

# What no page may contain: control characters but tab and newline, lone surrogates, noncharacters.
_FORBIDDEN: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_NAMES: Final = re.compile(
    r"(?P<weight>\bw\[(\d+)<-(\d+)\]\[(\d+),(\d+)\])"
    r"|(?P<bias>\bb\[(\d+)\]\[(\d+)\])"
    r"|(?P<hidden>\bh(\d+)_(\d+)\b)"
    r"|(?P<end>\b([xy])(\d+)\b)"
    r"|(?P<generic>\b([vwb])_([a-z])(\^T)?)"
    r"|(?P<minus>(?<![\w\])])-(?=[\dhxytwb(])|(?<= )-(?= ))"
    r"|(?P<times>\*)"
)


def element(tag: str, *content: Content, **attributes: str) -> Element:
    """An element with its content; ``class_`` stands for ``class``, ``aria_label`` for ``aria-label``."""
    made = Element(tag, {name.rstrip("_").replace("_", "-"): clean(value) for name, value in attributes.items()})
    _extend(made, content)
    return made


def clean(text: str) -> str:
    r"""A text without the characters that no page may contain.

    >>> clean("a\x1b[31m") == "a\N{REPLACEMENT CHARACTER}[31m"
    True
    """
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)


def page_text(root: Element) -> str:
    """A page as text."""
    return "<!DOCTYPE html>\n" + tostring(root, encoding="unicode", method="html") + "\n"


def mathematics(text: str) -> list[Content]:
    r"""A line of text in which names such as ``h1_0`` and ``w[2<-1][0,0]`` become formulas.

    Each name is a formula of its own, so that long lines can be broken between them.

    >>> [part if isinstance(part, str) else "".join(part.itertext()) for part in mathematics("2*h1_0 - 1")]
    ['2', '\u2009', 'h01', ' ', '−', ' 1']
    """
    parts: list[Content] = []
    at = 0
    for found in _NAMES.finditer(text):
        parts += [text[at : found.start()], _named(found)]
        at = found.end()
    return [part for part in (*parts, text[at:]) if part != ""]


def lines(text: str) -> Element:
    """Lines of mathematics as a list without bullets, deeper lines indented."""
    rows = [row for row in dedent(text).split("\n") if row.strip()]
    items = [element("li", mathematics(row.strip()), **_indent(row)) for row in rows]
    return element("ul", items, class_="formulas")


def table(
    caption: str, heads: Sequence[str], rows: Iterable[Sequence[Content]], *, numeric: Sequence[int] = ()
) -> Element:
    """A table with a caption and column headers; the first cell of a row is its header.

    It scrolls sideways within its own frame where the page is narrow.
    """
    head = element("tr", [element("th", title, scope="col", **_aligned(k in numeric)) for k, title in enumerate(heads)])
    body = [element("tr", [_cell(k, content, k in numeric) for k, content in enumerate(row)]) for row in rows]
    inner = element("table", element("caption", caption), element("thead", head), element("tbody", body))
    return element("div", inner, class_="scroll", tabindex="0", role="region", aria_label=caption)


def _cell(column: int, content: Content, numeric: bool) -> Element:
    look = _aligned(numeric)
    if not column:
        return element("th", content, scope="row", **look)
    cell = element("td", content, **look)
    if len("".join(cell.itertext())) > 24 and not numeric:
        cell.attrib["class"] = "text"
    return cell


def _aligned(numeric: bool) -> dict[str, str]:
    return {"class_": "number"} if numeric else {}


def _indent(row: str) -> dict[str, str]:
    return {"class_": "inner"} if row.startswith("  ") else {}


def _extend(parent: Element, content: Content) -> None:
    if isinstance(content, Element):
        parent.append(content)
    elif not isinstance(content, str):
        for part in content:
            _extend(parent, part)
    elif len(parent):
        parent[-1].tail = (parent[-1].tail or "") + clean(content)
    else:
        parent.text = (parent.text or "") + clean(content)


def _named(found: re.Match[str]) -> Content:
    """The formula of a name."""
    groups = [group for group in found.groups() if group is not None]
    kind, parts = str(found.lastgroup), groups[1:]
    if kind == "minus":
        return "\N{MINUS SIGN}"
    if kind == "times":
        return "\N{THIN SPACE}"
    if kind == "weight":
        return _formula("w", f"{parts[0]}\N{LEFTWARDS ARROW}{parts[1]}", f"{parts[2]},{parts[3]}")
    if kind in ("bias", "hidden"):
        return _formula(kind[0], *parts)
    return _formula(parts[0], "T" if found.group(0).endswith("^T") else "", parts[1])


def _formula(name: str, above: str, below: str) -> Element:
    """A letter with a subscript, and with a superscript unless it is empty."""
    letter, lower = element("mi", name, mathvariant="normal"), element("mn", below)
    if not above:
        return element("math", element("msub", letter, lower))
    return element("math", element("msubsup", letter, lower, element("mn", above)))
