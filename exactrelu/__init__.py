r"""exactrelu: exact-arithmetic verification of the identifiability of ReLU networks.

*Networks*: :class:`Network`, :class:`Layer`, :class:`Pattern`, :func:`load`, :func:`save`

*Paths and the embedding*: :func:`path_embedding`, :func:`embedding_rank`,
:func:`embedding_kernel`, :func:`admissible`, :func:`path_norm`, :func:`count_paths`

*Equivalence*: :func:`scaling_equivalent`,
:func:`permutation_scaling_equivalent`, :func:`canonical_form`,
:func:`compare_networks`

*Domains and functions*: :class:`Domain`, :func:`same_function`,
:func:`minimal_width`, :func:`reduce`

*Identifiability*: :func:`locally_identifiable`, :func:`globally_identifiable`,
:func:`finite_sample_exists`, :func:`fibre`, :func:`analyze`,
:func:`shallow_statuses`, and the networks in :mod:`exactrelu.zoo`

*Regions*: :func:`activation_regions`, :func:`count_regions`,
:func:`region_blocks`, :func:`region_counts`, :func:`functional_dimension`

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
    Analysis,
    Fibre,
    KernelDirection,
    analyze,
    fibre,
    finite_sample_exists,
    functional_dimension,
    globally_identifiable,
    integer_neurons,
    locally_identifiable,
    shallow_statuses,
)
from .networks import IDENTITY, RELU, Analytic, Family, Layer, Network, Parameter, Pattern, PiecewiseLinear
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
    Comparison,
    canonical_form,
    compare_networks,
    permutation_scaling_equivalent,
    scaling_equivalent,
)
from .verdicts import Condition, Point, Rescaling, Status, Verdict, VerdictIsNotATruthValue

__version__ = "0.1.0"

__all__ = [
    "IDENTITY",
    "RELU",
    "ActivationRegion",
    "Adjacency",
    "Analysis",
    "Analytic",
    "BudgetExceeded",
    "Comparison",
    "Condition",
    "DifferentArchitecture",
    "Domain",
    "ExactReluError",
    "Family",
    "Fibre",
    "Halfspace",
    "HypothesisNotMet",
    "Import",
    "InexactNumber",
    "InvalidDomain",
    "InvalidFile",
    "InvalidInput",
    "InvalidNetwork",
    "InvalidNumber",
    "KernelDirection",
    "Layer",
    "Network",
    "NotAdmissible",
    "OnKink",
    "Parameter",
    "Path",
    "PathEmbedding",
    "Pattern",
    "PiecewiseLinear",
    "Point",
    "Polyhedron",
    "RegionComplex",
    "RegionCounts",
    "Rescaling",
    "Status",
    "Undecided",
    "Verdict",
    "VerdictIsNotATruthValue",
    "WrongDimension",
    "activation_regions",
    "admissible",
    "analyze",
    "canonical_form",
    "compare_networks",
    "count_paths",
    "count_regions",
    "embedding_kernel",
    "embedding_rank",
    "embedding_rank_lower_bound",
    "enumerate_paths",
    "fibre",
    "finite_sample_exists",
    "functional_dimension",
    "globally_identifiable",
    "integer_neurons",
    "load",
    "load_report",
    "locally_identifiable",
    "minimal_width",
    "path_activations",
    "path_embedding",
    "path_norm",
    "permutation_scaling_equivalent",
    "reduce",
    "region_blocks",
    "region_bounds",
    "region_counts",
    "same_function",
    "save",
    "scaling_equivalent",
    "shallow_statuses",
    "zoo",
]
