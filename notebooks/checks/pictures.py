"""Pictures in notebooks: figures of exactrelu appear below the cell that returns them."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from exactrelu import show


def draw_figures() -> None:
    """Tell Jupyter how to show a matplotlib figure; outside Jupyter this does nothing."""
    from IPython.core.getipython import get_ipython
    from matplotlib.figure import Figure

    shell: Any = get_ipython()
    if shell is not None:
        shell.display_formatter.formatters["image/png"].for_type(Figure, png)


def png(figure: object) -> bytes:
    """A figure as the bytes of a PNG file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figure.png"
        show.save(figure, path)  # type: ignore[arg-type]  # matplotlib has said that it is a figure
        return path.read_bytes()
