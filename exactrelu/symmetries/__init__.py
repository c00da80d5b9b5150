r"""Symmetries of parameters and of activation functions.

* :mod:`.scaling`: :math:`\sim_S` by propagating scalings
* :mod:`.permutation`: :math:`\sim_{PS}` by matching normalised neurons
* :mod:`.canonical`: one representative per class of admissible networks
* :mod:`.comparison`: two networks under every equivalence at once
* :mod:`.conservation`, :mod:`.lie_closure`: what gradient flows conserve
* :mod:`.affine`: the affine symmetries of an activation, on :mod:`.atoms`, minimal ones by :mod:`.circuits`
* :mod:`.normal_form`, :mod:`.refinement`: scalings and colours that ignore the order of neurons
"""

from .affine import AffineSymmetries, AffineSymmetry, affine_symmetries, is_affine_symmetry
from .canonical import canonical_form
from .comparison import Comparison, compare_networks
from .conservation import ConservationLaw, ConservationLaws, conservation_laws
from .lie_closure import LieClosure, lie_closure, number_of_conservation_laws
from .permutation import permutation_scaling_equivalent
from .scaling import scaling_equivalent

__all__ = [
    "AffineSymmetries",
    "AffineSymmetry",
    "Comparison",
    "ConservationLaw",
    "ConservationLaws",
    "LieClosure",
    "affine_symmetries",
    "canonical_form",
    "compare_networks",
    "conservation_laws",
    "is_affine_symmetry",
    "lie_closure",
    "number_of_conservation_laws",
    "permutation_scaling_equivalent",
    "scaling_equivalent",
]
