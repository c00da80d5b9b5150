"""Figures, colours and files: what all pictures share.

Pictures are plain matplotlib figures on the Agg canvas. They know no display,
touch no global state, and are drawn with the same settings whatever the user's
own are, so that a picture is the same file on every run.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import cache, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

from ..errors import ExactReluError, InvalidFile, InvalidInput
from ..files import write_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Place = tuple[float, float]

# The palette of Okabe and Ito: eight colours that all kinds of colour vision tell apart.
BLACK, ORANGE, SKY, GREEN, YELLOW, BLUE, VERMILION, PURPLE = (
    "#000000",
    "#E69F00",
    "#56B4E9",
    "#009E73",
    "#F0E442",
    "#0072B2",
    "#D55E00",
    "#CC79A7",
)
LAYER_COLOURS: Final = (VERMILION, BLUE, GREEN, PURPLE, ORANGE, BLACK, SKY)
LAYER_STYLES: Final = ("-", "--", "-.", ":")
CURVE_COLOURS: Final = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, BLACK)
CELL_COLOURS: Final = (SKY, YELLOW, PURPLE, GREEN, ORANGE, BLUE, VERMILION)
POSITIVE, NEGATIVE, VANISHING = BLUE, VERMILION, "#999999"

MONOSPACE: Final = "DejaVu Sans Mono"
"""The font of pattern texts."""
MOST_ENTRIES: Final = 18
"""The largest number of entries of a legend; more do not fit beside a picture."""
SUFFIXES: Final = (".svg", ".png")
MOST_SIZE: Final = 10**300
"""Coordinates beyond this are not drawn."""

STYLE: Final[dict[str, Any]] = {
    "font.family": "DejaVu Sans",
    "font.size": 15,
    "axes.titlesize": 17,
    "axes.titlepad": 14,
    "axes.labelsize": 17,
    "xtick.labelsize": 14,
    "ytick.labelsize": 14,
    "xtick.major.pad": 8,
    "ytick.major.pad": 8,
    "legend.fontsize": 14,
    "figure.titlesize": 18,
    "figure.dpi": 100,
    "savefig.dpi": 150,
    "svg.hashsalt": "exactrelu",
    "axes.formatter.useoffset": False,
}


class PlottingUnavailable(ExactReluError, ImportError):
    """Pictures need matplotlib, which is not installed."""


def require_matplotlib() -> None:
    """Refuse to draw without matplotlib.

    Raises :class:`PlottingUnavailable`.
    """
    try:
        import matplotlib  # noqa: F401  # only whether it is there
    except ImportError:
        raise PlottingUnavailable('pictures need matplotlib: pip install "exactrelu[plot]"') from None


@contextmanager
def style() -> Iterator[None]:
    """The settings of all pictures; those of the user are restored afterwards."""
    require_matplotlib()
    import matplotlib

    settings: Any = STYLE
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(settings)
        yield


def drawing(draw: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """A function that draws, made to draw with the settings of :func:`style`."""

    @wraps(draw)
    def drawn(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        with style():
            return draw(*args, **kwargs)

    return drawn


@cache
def _shown_figure() -> type[Figure]:
    """The class of figures that a notebook shows below the cell that returns them."""
    from matplotlib.figure import Figure

    class ShownFigure(Figure):
        def _repr_png_(self) -> bytes:
            return picture_bytes(self, "png")

    return ShownFigure


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of this size in inches, which makes room for everything that is put on it."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure = _shown_figure()(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def settle(axes: Axes) -> None:
    """Lay the figure out, so that the sizes of texts can be measured."""
    figure = axes.get_figure(root=True)
    if figure is not None:
        figure.draw_without_rendering()


def legend_beside(axes: Axes, entries: Sequence[tuple[str, Any]], height: str = "upper") -> None:
    """A legend right of all axes of the figure, from texts with their handles; none without entries."""
    from matplotlib.lines import Line2D

    if len(entries) > MOST_ENTRIES:
        entries = [*entries[: MOST_ENTRIES - 1], ("…", Line2D([], [], linestyle=""))]
    place: Any = f"outside right {height}"
    if entries:
        axes.figure.legend([handle for _, handle in entries], [text for text, _ in entries], loc=place)


def check_picture_name(path: str | os.PathLike[str]) -> None:
    """Refuse a file name whose suffix names no picture format.

    >>> check_picture_name("cells.pdf")
    Traceback (most recent call last):
        ...
    exactrelu.errors.InvalidFile: cells.pdf: must end in ".svg" or ".png" to hold a picture
    """
    if Path(path).suffix.lower() not in SUFFIXES:
        raise InvalidFile(os.fspath(path), 'must end in ".svg" or ".png" to hold a picture')


def save(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Write a figure as SVG or PNG, by the suffix of the file; the same bytes in every run.

    Raises :class:`~exactrelu.errors.InvalidFile` for other suffixes, and for files that cannot be written.
    """
    check_picture_name(path)
    write_bytes(path, picture_bytes(figure, Path(path).suffix.lower()[1:]))


def picture_bytes(figure: Figure, kind: str) -> bytes:
    """The bytes of an ``svg`` or ``png`` file of the figure, with no date and no name of a program in it."""
    content = io.BytesIO()
    with style():
        unsigned = {"Date": None} if kind == "svg" else {"Software": None}
        figure.savefig(content, format=kind, bbox_inches="tight", pad_inches=0.1, metadata=unsigned)
    return content.getvalue()


def drawable(value: Fraction) -> float:
    """A number as a float, for drawing only.

    Raises :class:`~exactrelu.errors.InvalidInput` beyond :data:`MOST_SIZE`.
    """
    if abs(value) > MOST_SIZE:
        raise InvalidInput("picture", "must have coordinates of at most 300 digits", value)
    return float(value)


def place(point: Sequence[Fraction]) -> Place:
    """A point of the plane in floats."""
    x, y = map(drawable, point)
    return x, y


def cell_colours(count: int) -> list[Any]:
    """As many light colours, all different: a few of the palette, or a scale from dark to bright."""
    import matplotlib
    import numpy as np
    from matplotlib.colors import to_rgb

    if count <= len(CELL_COLOURS):
        return [_mixed(to_rgb(colour), 0.5) for colour in CELL_COLOURS[:count]]
    scale = matplotlib.colormaps["cividis"](np.arange(256))[:, :3]
    at = np.linspace(0, 255, count)
    channels = [np.interp(at, np.arange(256), channel) for channel in scale.T]
    return [_mixed(colour, 0.8) for colour in zip(*channels, strict=True)]


def cell_scale() -> Any:
    """The scale of :func:`cell_colours` as a colour map."""
    from matplotlib.colors import ListedColormap

    return ListedColormap(cell_colours(256))


def layer_look(layer: int) -> dict[str, Any]:
    """Colour and dashes of a layer, so that no colour has to be seen."""
    return {
        "color": LAYER_COLOURS[(layer - 1) % len(LAYER_COLOURS)],
        "linestyle": LAYER_STYLES[(layer - 1) % len(LAYER_STYLES)],
    }


def _mixed(colour: Sequence[float], strength: float) -> tuple[float, ...]:
    """A colour mixed with white."""
    return tuple(1 - strength * (1 - float(channel)) for channel in colour)
