r"""exactrelu: exact-arithmetic verification of the identifiability of ReLU networks.

*Networks*: :class:`Network`, :class:`Layer`, :class:`Pattern`, :func:`load`, :func:`save`

*Paths and the embedding*: :func:`path_embedding`, :func:`embedding_rank`,
:func:`embedding_kernel`, :func:`admissible`, :func:`path_norm`, :func:`path_metric`,
:func:`path_metric_bound`, :func:`count_paths`

*Equivalence*: :func:`scaling_equivalent`,
:func:`permutation_scaling_equivalent`, :func:`canonical_form`,
:func:`compare_networks`

*Symmetries*: :func:`affine_symmetries`, :func:`is_affine_symmetry`,
:func:`conservation_laws`, :func:`lie_closure`

*Domains and functions*: :class:`Domain`, :func:`same_function`,
:func:`minimal_width`, :func:`reduce`

*Identifiability*: :func:`locally_identifiable`, :func:`globally_identifiable`,
:func:`finite_sample_exists`, :func:`fibre`, :func:`analyze`,
:func:`shallow_statuses`, the predicates in :mod:`~exactrelu.identifiability.hypotheses`
(``er.hypotheses``), and the networks in :mod:`exactrelu.zoo`

*Samples*: :func:`locally_identifiable_from_samples`, :func:`identifying_samples`,
:func:`sample_jacobian`, :func:`sample_rank`, :func:`rank_statement`

*Dimension and recovery*: :func:`functional_dimension`, :func:`explain_kernel`,
:func:`explain_sample_kernel`, :func:`recover_shallow`, :func:`recover_network`,
:func:`reconstruct_from_graph`

*Regions*: :func:`activation_regions`, :func:`count_regions`,
:func:`region_blocks`, :func:`region_counts`

*Answers*: :class:`Verdict`, :class:`Status`, :class:`Condition`, and the error
tree under :class:`ExactReluError`

>>> import exactrelu as er
>>> net = er.Network.mlp([[[1, 2], [2, -1], [-1, 1]], [[1, 2, -3]]], [[1, -1, 2], ["1/2"]])
>>> net(["1/3", "-1/2"])
(Fraction(-7, 3),)
>>> len(er.path_embedding(net).paths), er.embedding_rank(net)
(10, 10)
"""

from . import zoo
from .equality import minimal_width, reduce, same_function
from .errors import (
    BudgetExceeded,
    DifferentArchitecture,
    ExactReluError,
    HypothesisNotMet,
    InexactNumber,
    InvalidDomain,
    InvalidFile,
    InvalidInput,
    InvalidNetwork,
    InvalidNumber,
    NotAdmissible,
    OnKink,
    Undecided,
    WrongDimension,
)
from .formats import Import, load, load_report, save
from .identifiability import (
    AffineAtlas,
    Analysis,
    BrokenPromise,
    ExplainedDirection,
    Fibre,
    IdentifyingSamples,
    KernelDirection,
    KernelExplanation,
    RankStatement,
    Recovery,
    SampleRanks,
    analyze,
    explain_kernel,
    explain_sample_kernel,
    fibre,
    finite_sample_exists,
    functional_dimension,
    globally_identifiable,
    hypotheses,
    identifying_samples,
    integer_neurons,
    locally_identifiable,
    locally_identifiable_from_samples,
    rank_statement,
    reconstruct_from_graph,
    recover_network,
    recover_shallow,
    sample_jacobian,
    sample_rank,
    shallow_statuses,
)
from .networks import IDENTITY, RELU, Activation, Family, Layer, Network, Parameter, Pattern
from .paths import (
    Path,
    PathEmbedding,
    admissible,
    count_paths,
    embedding_kernel,
    embedding_rank,
    embedding_rank_lower_bound,
    enumerate_paths,
    path_activations,
    path_embedding,
    path_metric,
    path_metric_bound,
    path_norm,
)
from .polyhedra import Domain, Halfspace, Polyhedron
from .regions import (
    ActivationRegion,
    Adjacency,
    RegionComplex,
    RegionCounts,
    activation_regions,
    count_regions,
    region_blocks,
    region_bounds,
    region_counts,
)
from .symmetries import (
    AffineSymmetries,
    AffineSymmetry,
    Comparison,
    ConservationLaw,
    ConservationLaws,
    LieClosure,
    affine_symmetries,
    canonical_form,
    compare_networks,
    conservation_laws,
    is_affine_symmetry,
    lie_closure,
    number_of_conservation_laws,
    permutation_scaling_equivalent,
    scaling_equivalent,
)
from .verdicts import Condition, Point, Rescaling, Status, Verdict, VerdictIsNotATruthValue

__version__ = "0.1.0"

__all__ = [
    "IDENTITY",
    "RELU",
    "Activation",
    "ActivationRegion",
    "Adjacency",
    "AffineAtlas",
    "AffineSymmetries",
    "AffineSymmetry",
    "Analysis",
    "BrokenPromise",
    "BudgetExceeded",
    "Comparison",
    "Condition",
    "ConservationLaw",
    "ConservationLaws",
    "DifferentArchitecture",
    "Domain",
    "ExactReluError",
    "ExplainedDirection",
    "Family",
    "Fibre",
    "Halfspace",
    "HypothesisNotMet",
    "IdentifyingSamples",
    "Import",
    "InexactNumber",
    "InvalidDomain",
    "InvalidFile",
    "InvalidInput",
    "InvalidNetwork",
    "InvalidNumber",
    "KernelDirection",
    "KernelExplanation",
    "Layer",
    "LieClosure",
    "Network",
    "NotAdmissible",
    "OnKink",
    "Parameter",
    "Path",
    "PathEmbedding",
    "Pattern",
    "Point",
    "Polyhedron",
    "RankStatement",
    "Recovery",
    "RegionComplex",
    "RegionCounts",
    "Rescaling",
    "SampleRanks",
    "Status",
    "Undecided",
    "Verdict",
    "VerdictIsNotATruthValue",
    "WrongDimension",
    "activation_regions",
    "admissible",
    "affine_symmetries",
    "analyze",
    "canonical_form",
    "compare_networks",
    "conservation_laws",
    "count_paths",
    "count_regions",
    "embedding_kernel",
    "embedding_rank",
    "embedding_rank_lower_bound",
    "enumerate_paths",
    "explain_kernel",
    "explain_sample_kernel",
    "fibre",
    "finite_sample_exists",
    "functional_dimension",
    "globally_identifiable",
    "hypotheses",
    "identifying_samples",
    "integer_neurons",
    "is_affine_symmetry",
    "lie_closure",
    "load",
    "load_report",
    "locally_identifiable",
    "locally_identifiable_from_samples",
    "minimal_width",
    "number_of_conservation_laws",
    "path_activations",
    "path_embedding",
    "path_metric",
    "path_metric_bound",
    "path_norm",
    "permutation_scaling_equivalent",
    "rank_statement",
    "reconstruct_from_graph",
    "recover_network",
    "recover_shallow",
    "reduce",
    "region_blocks",
    "region_bounds",
    "region_counts",
    "same_function",
    "sample_jacobian",
    "sample_rank",
    "save",
    "scaling_equivalent",
    "shallow_statuses",
    "zoo",
]
