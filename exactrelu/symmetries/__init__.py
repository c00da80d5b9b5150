r"""Symmetries of parameters: scaling, permutation, canonical forms.

* :mod:`.scaling`: :math:`\sim_S` by propagating scalings
* :mod:`.permutation`: :math:`\sim_{PS}` by matching normalised neurons
* :mod:`.canonical`: one representative per class of admissible networks
* :mod:`.comparison`: two networks under every equivalence at once
* :mod:`.normal_form`, :mod:`.refinement`: scalings and colours that ignore the order of neurons
"""

from .canonical import canonical_form
from .comparison import Comparison, compare_networks
from .permutation import permutation_scaling_equivalent
from .scaling import scaling_equivalent

__all__ = [
    "Comparison",
    "canonical_form",
    "compare_networks",
    "permutation_scaling_equivalent",
    "scaling_equivalent",
]
