"""Hypotheses of theorems, decided on concrete networks; each a verdict that names cells or neurons.

* :mod:`.weight_hypotheses`: those of the weights alone; :mod:`.dependent_sets`, :mod:`.perceptrons`
* :mod:`.region_hypotheses`: those of the regions; :mod:`.ranges`, :mod:`.stability`
* :mod:`.bent_hyperplanes`: which bent hyperplanes meet, and how; :mod:`.inner_faces`
* :mod:`.visibility`, :mod:`.layer_spaces`, :mod:`.break_set`: those of Bona-Pellissier, Bachoc and Malgouyres
* :mod:`.general_networks`: those of Phuong and Lampert
"""

from .bent_hyperplanes import bent_hyperplanes_meet, transversal, transversal_pairs
from .break_set import no_hyperplane_in_break_set
from .general_networks import general
from .layer_spaces import layer_hyperplanes_met
from .region_hypotheses import (
    hyperplanes_met_in_interior,
    linear_regions_assumption,
    no_always_on,
    no_stably_unactivated,
    transparent,
)
from .visibility import visible_columns
from .weight_hypotheses import full_row_rank, generic, irreducible, no_clones

__all__ = [
    "bent_hyperplanes_meet",
    "full_row_rank",
    "general",
    "generic",
    "hyperplanes_met_in_interior",
    "irreducible",
    "layer_hyperplanes_met",
    "linear_regions_assumption",
    "no_always_on",
    "no_clones",
    "no_hyperplane_in_break_set",
    "no_stably_unactivated",
    "transparent",
    "transversal",
    "transversal_pairs",
    "visible_columns",
]
