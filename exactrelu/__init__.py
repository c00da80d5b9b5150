r"""exactrelu: exact-arithmetic verification of the identifiability of ReLU networks.

*Networks*: :class:`Network`, :class:`Layer`, :class:`Pattern`, :func:`load`, :func:`save`

*Paths and the embedding*: :func:`path_embedding`, :func:`embedding_rank`,
:func:`embedding_kernel`, :func:`admissible`, :func:`path_norm`, :func:`count_paths`

*Equivalence*: :func:`scaling_equivalent`,
:func:`permutation_scaling_equivalent`, :func:`canonical_form`,
:func:`compare_networks`

*Answers*: :class:`Verdict`, :class:`Status`, :class:`Condition`, and the error
tree under :class:`ExactReluError`

>>> import exactrelu as er
>>> net = er.Network.mlp([[[1, 2], [2, -1], [-1, 1]], [[1, 2, -3]]], [[1, -1, 2], ["1/2"]])
>>> net(["1/3", "-1/2"])
(Fraction(-7, 3),)
>>> len(er.path_embedding(net).paths), er.embedding_rank(net)
(10, 10)
"""

from .errors import (
    BudgetExceeded,
    DifferentArchitecture,
    ExactReluError,
    InexactNumber,
    InvalidDomain,
    InvalidFile,
    InvalidInput,
    InvalidNetwork,
    InvalidNumber,
    NotAdmissible,
    OnKink,
    WrongDimension,
)
from .formats import Import, load, load_report, save
from .networks import IDENTITY, RELU, Activation, Layer, Network, Parameter, Pattern
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
    "Activation",
    "BudgetExceeded",
    "Comparison",
    "Condition",
    "DifferentArchitecture",
    "ExactReluError",
    "Import",
    "InexactNumber",
    "InvalidDomain",
    "InvalidFile",
    "InvalidInput",
    "InvalidNetwork",
    "InvalidNumber",
    "Layer",
    "Network",
    "NotAdmissible",
    "OnKink",
    "Parameter",
    "Path",
    "PathEmbedding",
    "Pattern",
    "Point",
    "Rescaling",
    "Status",
    "Verdict",
    "VerdictIsNotATruthValue",
    "WrongDimension",
    "admissible",
    "canonical_form",
    "compare_networks",
    "count_paths",
    "embedding_kernel",
    "embedding_rank",
    "embedding_rank_lower_bound",
    "enumerate_paths",
    "load",
    "load_report",
    "path_activations",
    "path_embedding",
    "path_norm",
    "permutation_scaling_equivalent",
    "save",
    "scaling_equivalent",
]
