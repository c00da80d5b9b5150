r"""Symmetries of parameters and of activation functions.

* :mod:`.scaling`: :math:`\sim_S` by propagating scalings
* :mod:`.permutation_scaling`: :math:`\sim_{PS}` by matching normalised neurons
* :mod:`.canonical`: one representative per class of admissible networks
* :mod:`.comparison`: two networks under every equivalence at once
* :mod:`.conservation`, :mod:`.lie_closure`: what gradient flows conserve
* :mod:`.affine`: the affine symmetries of an activation, on :mod:`.atoms`, minimal ones by :mod:`.circuits`
* :mod:`.modifications`: networks changed by a symmetry (:mod:`.drafts`); :mod:`.clones`, :mod:`.irreducible`
* :mod:`.orbit`: all that modifications reach; :mod:`.null_nets`: what they do not
* :mod:`.normal_form`, :mod:`.refinement`: scalings and colours that ignore the order of neurons
"""

from .affine import AffineSymmetries, AffineSymmetry, affine_symmetries, is_affine_symmetry
from .canonical import canonical_form
from .clones import clones, drop_invisible, merge_clones
from .comparison import Comparison, compare_networks
from .conservation import ConservationLaw, ConservationLaws, conservation_laws
from .irreducible import irreducible, reduce_by_symmetries
from .lie_closure import LieClosure, lie_closure, number_of_conservation_laws
from .modifications import Modification, modification_preserves, modify
from .null_nets import find_null_nets, is_null_net
from .orbit import Orbit, orbit, path_between
from .permutation_scaling import permutation_scaling_equivalent
from .scaling import scaling_equivalent

__all__ = [
    "AffineSymmetries",
    "AffineSymmetry",
    "Comparison",
    "ConservationLaw",
    "ConservationLaws",
    "LieClosure",
    "Modification",
    "Orbit",
    "affine_symmetries",
    "canonical_form",
    "clones",
    "compare_networks",
    "conservation_laws",
    "drop_invisible",
    "find_null_nets",
    "irreducible",
    "is_affine_symmetry",
    "is_null_net",
    "lie_closure",
    "merge_clones",
    "modification_preserves",
    "modify",
    "number_of_conservation_laws",
    "orbit",
    "path_between",
    "permutation_scaling_equivalent",
    "reduce_by_symmetries",
    "scaling_equivalent",
]
