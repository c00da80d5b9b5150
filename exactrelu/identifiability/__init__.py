r"""Whether parameters can be recovered from the function, and how.

* :mod:`.local`, :mod:`.analysis`: local identifiability at any depth; everything about one network
* :mod:`.jacobians`: ranks of sample Jacobians, functional dimension, what finitely many samples say
* :mod:`.shallow`: one hidden layer, where everything is decidable: conditions, witnesses, fibres
* :mod:`.deep`: kernels explained direction by direction, and deformations with proofs
* :mod:`.hypotheses`: hypotheses of theorems as predicates on concrete networks
* :mod:`.recovery`: from values, or from a region graph, back to parameters
"""

from . import hypotheses
from .analysis import Analysis, analyze
from .deep.kernel_directions import ExplainedDirection, KernelExplanation, explain_kernel, explain_sample_kernel
from .jacobians.functional_dimension import functional_dimension, sample_rank
from .jacobians.identifying_samples import IdentifyingSamples, identifying_samples
from .jacobians.jacobian import jacobian_rows, sample_jacobian
from .jacobians.kernel_direction import KernelDirection
from .jacobians.large import RankStatement, rank_statement
from .jacobians.local_from_samples import SampleRanks, locally_identifiable_from_samples
from .local import locally_identifiable
from .recovery.black_box import BrokenPromise
from .recovery.reconstruction import AffineAtlas, reconstruct_from_graph
from .recovery.recover import Recovery, recover_network, recover_shallow
from .shallow.batch import integer_neurons, shallow_statuses
from .shallow.fibre import Fibre, fibre
from .shallow.finite_sample import finite_sample_exists
from .shallow.flip_symmetries import FlipSymmetries, which_flips_are_symmetries
from .shallow.shallow_global import globally_identifiable

__all__ = [
    "AffineAtlas",
    "Analysis",
    "BrokenPromise",
    "ExplainedDirection",
    "Fibre",
    "FlipSymmetries",
    "IdentifyingSamples",
    "KernelDirection",
    "KernelExplanation",
    "RankStatement",
    "Recovery",
    "SampleRanks",
    "analyze",
    "explain_kernel",
    "explain_sample_kernel",
    "fibre",
    "finite_sample_exists",
    "functional_dimension",
    "globally_identifiable",
    "hypotheses",
    "identifying_samples",
    "integer_neurons",
    "jacobian_rows",
    "locally_identifiable",
    "locally_identifiable_from_samples",
    "rank_statement",
    "reconstruct_from_graph",
    "recover_network",
    "recover_shallow",
    "sample_jacobian",
    "sample_rank",
    "shallow_statuses",
    "which_flips_are_symmetries",
]
