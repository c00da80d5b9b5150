r"""Statements as runnable objects: check them on networks, drop hypotheses, hunt counterexamples.

:mod:`.instances` what a statement is checked on, :mod:`.predicates` hypotheses and
conclusions, :mod:`.theorem` the statements, :mod:`.statements` those of the theory,
:mod:`.registry` all of them by id; :mod:`.families` networks to try them on,
:mod:`.hunting` and :mod:`.shrinking` counterexamples, :mod:`.sweep` tables of
millions of instances; :mod:`.book` and :mod:`.symbols` the proofs.
"""

from .families import NetworkFamily, family, family_from_json
from .hunting import Hunt, hunt
from .instances import Instance, as_instance, instance_from_json
from .mutations import mutations
from .predicates import Predicate
from .registry import registered_theorems, theorem
from .shrinking import shrink
from .theorem import Standing, Theorem

__all__ = [
    "Hunt",
    "Instance",
    "NetworkFamily",
    "Predicate",
    "Standing",
    "Theorem",
    "as_instance",
    "family",
    "family_from_json",
    "hunt",
    "instance_from_json",
    "mutations",
    "shrink",
    "theorem",
    "registered_theorems",
]
