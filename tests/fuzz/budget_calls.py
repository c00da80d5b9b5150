"""A call of every public function whose work may be exponential, on something that takes work."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import exactrelu as er
from exactrelu import Layer, Network

DEEP = Network.random((2, 3, 3, 1), 0)
TURNS = [[1, 0], [0, 1], [1, 1], [2, -1], [1, 3], [3, 1]]
STAR = Network.mlp([TURNS, [[1, 2, 3, 5, -4, 1]]], [[1, -1, 2, 3, 1, -2], [0]])  # six vectors in the plane: subsets
CLONES = Network.mlp([[[1, 2]] * 3 + [[-1, 1]], [[1, 1, 1, 2]]], [[1, 1, 1, 0], [0]])
# Six hidden neurons whose connections form two triangles or one hexagon: colours alone do not tell them apart.
RING = Network.mlp(
    [[[1]] * 6, [[int(abs(i - j) in (1, 5)) for j in range(6)] for i in range(6)], [[1] * 6]], [[1] * 6, [1] * 6, [0]]
)
CHAIN = Network.mlp([[[1]], [[1]], [[1]]], [[0], [-1], [0]])  # relu(relu(x) - 1)
FOLD = Network.mlp([[[1]], [[-1]], [[1]]], [[0], [1], [0]])  # relu(1 - relu(x))
HAT = Network.mlp([[[1], [1], [1]], [[1, -2, 1]]], [[1, 0, -1], [0]])
NULL = Network(  # relu(relu(t)) - relu(t)
    1, [Layer({0: [[1]]}), Layer({1: [[1]]}), Layer({2: [[1]], 1: [[-1]]}, activation="identity")]
)
# |t| = |-t|, added to a network that bends.
BENT = Network.mlp([[[1], [2]], [[1, 1]]], [[1, 0], [0]], activation="abs")
CHANGE = er.Modification((1, 0), er.affine_symmetries("abs", [(1, 0), (-1, 0)]).basis[0], (2, 0), 1)
RANK = er.theorem("embedding_rank_is_parameters_minus_hidden")
FALSE = er.Theorem(hypotheses=[], conclusion=er.locally_identifiable)
FAMILY = er.family((1, 2, 1), entries=(-1, 0, 1))
BAD = Network.mlp([[[3], [2]], [[5, 0]]], [[2, 7], [3]])


def atlas() -> er.AffineAtlas:
    return er.AffineAtlas.of_complex(er.activation_regions(HAT))


CALLS: dict[str, Callable[..., Any]] = {
    "activation_regions": partial(er.activation_regions, DEEP),
    "analyze": partial(er.analyze, DEEP),
    "canonical_form": partial(er.canonical_form, RING),
    "compare_networks": partial(er.compare_networks, CHAIN, CHAIN.replace({"b[1][0]": 1, "b[2][0]": -2})),
    "count_regions": partial(er.count_regions, DEEP),
    "enumerate_paths": partial(er.enumerate_paths, DEEP),
    "explain_kernel": partial(er.explain_kernel, DEEP),
    "fibre": lambda budget=None: list(er.fibre(STAR, budget=budget)),
    "find_null_nets": lambda budget=None: list(er.find_null_nets(budget=budget)),
    "functional_dimension": partial(er.functional_dimension, DEEP),
    "globally_identifiable": partial(er.globally_identifiable, STAR),
    "hunt": partial(er.hunt, RANK, FAMILY),
    "identifying_samples": partial(er.identifying_samples, FOLD),
    "is_null_net": partial(er.is_null_net, NULL),
    "lie_closure": partial(er.lie_closure, DEEP),
    "locally_identifiable": partial(er.locally_identifiable, DEEP),
    "minimal_width": partial(er.minimal_width, CLONES),
    "modification_preserves": partial(er.modification_preserves, BENT, CHANGE),
    "number_of_conservation_laws": partial(er.number_of_conservation_laws, DEEP),
    "orbit": partial(er.orbit, HAT),
    "path_between": partial(er.path_between, HAT, HAT.flip([0, 1, 2])),
    "path_embedding": partial(er.path_embedding, DEEP),
    "path_metric": partial(er.path_metric, DEEP, DEEP),
    "path_metric_bound": partial(er.path_metric_bound, DEEP, DEEP, "[-1,1]^2"),
    "permutation_scaling_equivalent": partial(er.permutation_scaling_equivalent, RING, RING),
    "piecewise": partial(er.piecewise, DEEP),
    "reconstruct_from_graph": lambda budget=None: er.reconstruct_from_graph(atlas(), budget=budget),
    "recover_network": partial(er.recover_network, STAR),
    "recover_shallow": partial(er.recover_shallow, HAT, 1, max_width=3, max_denominator=9),
    "reduce": partial(er.reduce, CLONES),
    "region_blocks": lambda budget=None: list(er.region_blocks(DEEP, budget=budget)),
    "same_function": partial(er.same_function, DEEP, DEEP),
    "shrink": partial(er.shrink, FALSE, er.Instance(BAD)),
    "sweep": partial(er.sweep, RANK, er.family((1, 1, 1), entries=(0, 1)), workers=1),
    "symbolic_pattern": partial(er.symbolic_pattern, DEEP, "+++|+++"),
    "which_flips_are_symmetries": partial(er.which_flips_are_symmetries, STAR),
}


def keeps(name: str, found: Any, budget: int) -> bool:
    """Whether what a call with a small budget returns is what it may return then."""
    if name in ("identifying_samples", "lie_closure", "number_of_conservation_laws", "which_flips_are_symmetries"):
        return True  # nothing was left to search for
    if name == "analyze":
        return found.regions is None and "regions" in dict(found.reasons)
    if name == "compare_networks":
        return found.same_function.status is er.Status.UNKNOWN
    if name == "shrink":
        return sum(found.network.widths) >= sum(BAD.widths) - budget
    if name == "sweep":
        return not found.exhausted and found.members <= 1
    return found.status is er.Status.UNKNOWN


POLYNOMIAL = "polynomial in the size of the network"
WITHOUT = {
    **dict.fromkeys(("admissible", "clones", "count_paths", "drop_invisible", "merge_clones"), POLYNOMIAL),
    **dict.fromkeys(("reduce_by_symmetries", "scaling_equivalent", "integer_neurons", "path_norm"), POLYNOMIAL),
    **dict.fromkeys(("embedding_rank", "embedding_rank_lower_bound", "embedding_kernel"), POLYNOMIAL),
    **dict.fromkeys(("conservation_laws", "finite_sample_exists", "modify"), POLYNOMIAL),
    **dict.fromkeys(("latex_text", "network_graph", "save", "save_graph", "save_report"), POLYNOMIAL),
    **dict.fromkeys(("load", "load_report", "from_sklearn", "from_state_dict"), "linear in the file, limited in size"),
    **dict.fromkeys(("load_domain", "load_domain_report", "sweep_report"), "linear in the file, limited in size"),
    **dict.fromkeys(("sample_jacobian", "sample_rank", "rank_statement"), "polynomial in network and samples"),
    **dict.fromkeys(("explain_sample_kernel", "locally_identifiable_from_samples"), POLYNOMIAL + " and in the samples"),
    "path_activations": "the paths are given",
    "region_bounds": "the regions are given",
    "region_counts": "the regions are given",
    "symbolic_region": "the region is given",
    "explore_regions": "it is bounded by crossings and by limit",
    "family": "lazy",
    "mutations": "lazy",
    "theorem": "a look into a table",
    "is_affine_symmetry": "polynomial in atoms and pieces",
    "affine_symmetries": "the minimal symmetries are found on demand",
    "certify": "each claim takes a budget where it searches, which `certify` hands on",
    "shallow_statuses": "the width of the networks is small: all subsets of at most ten neurons, then a budget",
}
