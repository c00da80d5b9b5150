"""What the sections of a page share: the network, what is decided about it, and the ways to say that nothing is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar
from xml.etree.ElementTree import Element

from ..errors import ExactReluError, InvalidInput
from ..identifiability import Analysis
from ..networks import Network
from ..polyhedra import Domain
from ..regions import RegionComplex, activation_regions
from ..verdicts import Verdict
from .elements import Content, element, mathematics
from .inline import inline_picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_REGIONS: Final = 2_000
"""The largest number of regions that a page draws."""
MOST_ROWS: Final = 60
"""The largest number of rows of a table."""
MOST_PATHS: Final = 200
"""The largest number of paths that are listed."""

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Why:
    """A sentence that says why there is no value."""

    sentence: str


@dataclass(frozen=True, slots=True)
class Facts:
    """A network on a domain with what is decided about it; regions are listed once, when they are asked for."""

    network: Network
    domain: Domain
    analysis: Analysis
    verdicts: Mapping[str, Verdict]
    budget: int | None
    _kept: dict[str, RegionComplex | Why] = field(default_factory=dict)

    @property
    def complex(self) -> RegionComplex | Why:
        """All regions, or why a page does not show them."""
        if "complex" not in self._kept:
            self._kept["complex"] = self._listed()
        return self._kept["complex"]

    @property
    def place(self) -> str:
        """The domain in a few words."""
        shown = str(self.domain)
        return shown if len(shown) <= 60 else "a polytope"

    def _listed(self) -> RegionComplex | Why:
        count = self.analysis.regions
        if count is None:
            reason = dict(self.analysis.reasons).get("regions", "they are not known")
            return Why(f"The regions are not shown: {clause(reason)}.")
        if count > MOST_REGIONS:
            return Why(f"The {count} regions are too many to be shown on a page (at most {MOST_REGIONS}).")
        return answered(lambda: activation_regions(self.network, self.domain, budget=MOST_REGIONS))


def answered(compute: Callable[[], Value]) -> Value | Why:
    """A value, or the sentence of the error that forbids it."""
    try:
        return compute()
    except ExactReluError as error:
        return Why(sentence(error))


def sentence(error: ExactReluError) -> str:
    """The message of an error as a sentence."""
    if isinstance(error, InvalidInput):
        subject = "the network" if error.argument == "network" else error.argument
        shown = f"{subject} {error.rule}"
    else:
        shown = str(error)
    return f"{shown[:1].upper()}{shown[1:].rstrip('.')}."


def clause(reason: str) -> str:
    """A reason as a clause with a subject.

    >>> clause("must have one output")
    'the network must have one output'
    """
    return ("the network " if reason.startswith("must ") else "") + reason.rstrip(".")


def paragraph(*content: Content) -> Element:
    """A paragraph in which names are formulas."""
    return element("p", [mathematics(part) if isinstance(part, str) else part for part in content])


def remark(text: str) -> Element:
    """A sentence in place of what cannot be shown."""
    return element("p", mathematics(text), class_="remark")


def figure(draw: Callable[[], Figure], name: str, title: str, caption: str) -> Element:
    """A picture with its caption, or the reason why there is none."""
    drawn = answered(draw)
    if isinstance(drawn, Why):
        return remark(f"There is no picture here: {drawn.sentence[:1].lower()}{drawn.sentence[1:]}")
    picture = inline_picture(drawn, name, title, caption)
    frame = element("div", picture, class_="scroll", tabindex="0", role="group", aria_label=title)
    return element("figure", frame, element("figcaption", mathematics(caption)))


def cut(total: int, what: str, command: str = "", most: int = MOST_ROWS) -> Content:
    """A remark that a table is not complete, if it is not, with the command that prints everything."""
    if total <= most:
        return ""
    rest = f"; exactrelu {command} prints them all" if command else ""
    return remark(f"The first {most} of {total} {what}{rest}.")
