r"""Statements as runnable objects: check them on networks, drop hypotheses, hunt counterexamples.

:mod:`.instances` what a statement is checked on, :mod:`.predicates` hypotheses and
conclusions, :mod:`.theorem` the statements, :mod:`.statements` those of the theory,
:mod:`.registry` all of them by id.
"""

from .instances import Instance, as_instance, instance_from_json
from .predicates import Predicate
from .registry import theorem, theorems
from .theorem import Standing, Theorem

__all__ = [
    "Instance",
    "Predicate",
    "Standing",
    "Theorem",
    "as_instance",
    "instance_from_json",
    "theorem",
    "theorems",
]
