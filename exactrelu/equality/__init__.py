"""When two networks are the same function.

* :mod:`.differing_points`: rational points at which two networks differ
"""

from .differing_points import differing_point

__all__ = ["differing_point"]
