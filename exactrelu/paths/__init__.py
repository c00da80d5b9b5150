r"""Paths, the embedding :math:`\Phi(\theta)`, and the rank of its derivative.

* :mod:`.paths`: paths, counted and enumerated
* :mod:`.embedding`: :class:`PathEmbedding`, path activations, :math:`D\Phi`
* :mod:`.rank`: rank and kernel of :math:`D\Phi` without enumeration
* :mod:`.norms`: path norms and the path metric by forward passes, with the Lipschitz bound
* :mod:`.admissibility`: which neurons are dead by their weights
* :mod:`.reachability`: which neurons some parameters lead to, and from which they lead to an output
"""

from .admissibility import admissible
from .embedding import PathEmbedding, path_activations, path_embedding
from .norms import path_metric, path_metric_bound, path_norm
from .paths import Path, count_paths, enumerate_paths
from .rank import embedding_kernel, embedding_rank, embedding_rank_lower_bound

__all__ = [
    "Path",
    "PathEmbedding",
    "admissible",
    "count_paths",
    "embedding_kernel",
    "embedding_rank",
    "embedding_rank_lower_bound",
    "enumerate_paths",
    "path_activations",
    "path_embedding",
    "path_metric",
    "path_metric_bound",
    "path_norm",
]
