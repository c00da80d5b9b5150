"""What the notebooks import: the checks of their exercises, one module per notebook."""

from .exercises import Exercises, Outcome

__all__ = ["Exercises", "Outcome"]
