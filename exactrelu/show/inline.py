"""Pictures inside a page: figures as SVG elements that need nothing from outside.

Letters are drawn as outlines, so that a picture looks the same on every machine;
what it shows is said in words beside it.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Final
from xml.etree.ElementTree import Element, fromstring

from .canvas import style
from .elements import clean, element

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_REFERENCE: Final = re.compile(r"#([^\s)]+)")
_SCALE: Final = 4 / 3
"""Pixels in a point."""


def inline_picture(figure: Figure, name: str, title: str, description: str) -> Element:
    """A figure as an SVG element whose ids all begin with ``name``; the same bytes in every run."""
    content = io.BytesIO()
    with style():
        figure.savefig(content, format="svg", bbox_inches="tight", pad_inches=0.05, transparent=True)
    picture = fromstring(content.getvalue())
    _simplify(picture)
    _rename(picture, name)
    width = float(picture.attrib["viewBox"].split()[2])
    for size in ("width", "height", "version"):
        picture.attrib.pop(size, None)
    labels = {"title": title, "desc": description}
    picture.attrib |= {"role": "img", "aria-labelledby": f"{name}-title", "aria-describedby": f"{name}-desc"}
    picture.attrib["style"] = f"max-width: {width * _SCALE:.0f}px"
    for k, (tag, text) in enumerate(labels.items()):
        picture.insert(k, element(tag, clean(text), id=f"{name}-{tag}"))
    return picture


def _simplify(picture: Element) -> None:
    """Drop metadata, styles and name spaces: a page needs none of them."""
    for parent in list(picture.iter()):
        for child in list(parent):
            if child.tag.endswith(("}metadata", "}style")):
                parent.remove(child)
    for node in picture.iter():
        node.tag = node.tag.partition("}")[2]
        node.attrib = {key.rpartition("}")[2]: value for key, value in node.attrib.items()}
        node.tail = None
        node.text = None


def _rename(picture: Element, name: str) -> None:
    """Keep only the ids that are referred to, under names that no other picture has."""
    nodes = list(picture.iter())
    used = {target for node in nodes for value in node.attrib.values() for target in _REFERENCE.findall(value)}
    defined = [node.attrib["id"] for node in nodes if node.attrib.get("id") in used]
    names = {old: f"{name}-{k}" for k, old in enumerate(defined)}
    for node in nodes:
        identifier = node.attrib.pop("id", None)
        for key, value in node.attrib.items():
            node.attrib[key] = _REFERENCE.sub(lambda found: f"#{names.get(found[1], found[1])}", value)
        if identifier in names:
            node.attrib["id"] = names[identifier]
