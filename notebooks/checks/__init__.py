"""What the notebooks import: the checks of their exercises, one module per notebook."""

from .exercises import Exercises, Outcome
from .pictures import draw_figures

__all__ = ["Exercises", "Outcome"]

draw_figures()
