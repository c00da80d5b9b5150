"""Whether parameters can be recovered from the function.

* :mod:`.analysis`: everything that is decided about one network
"""

from .analysis import Analysis, analyze

__all__ = ["Analysis", "analyze"]
