"""For every hypothesis that cannot be dropped a small instance that meets all others, but not the conclusion.

One-letter names in networks with one hidden layer: neurons are (w, b, v).
"""

from __future__ import annotations

from fractions import Fraction

from exactrelu import Instance, Layer, Modification, Network, zoo
from exactrelu.symmetries import AffineSymmetry
from exactrelu.zoo import shallow_network

ONE, ZERO = Fraction(1), Fraction(0)


def neuron(w: object, b: object, v: object, *, output_bias: bool = True) -> Network:
    """The network v relu(w x + b)."""
    return Network.mlp([[[w]], [[v]]], [[b], [0] if output_bias else None])


def chain(w: object, b: object, v: object, a: object, c: object, e: object = 0) -> Network:
    """The network c relu(v relu(w x + b) + a) + e."""
    return Network.mlp([[[w]], [[v]], [[c]]], [[b], [a], [e]])


def ramp(signs: tuple[int, ...] = (1, 1, 1)) -> Network:
    """A ramp in the architecture 1-3-1-1 whose second neuron is off somewhere."""
    return Network.mlp([[[1]] * 3, [list(signs)], [[1]]], [[1, 1, 1], [-3], [0]])


RAMP = neuron(1, 0, 1)
KINK = shallow_network([(1, 0, 1)])
PAIR = shallow_network([(1, 0, 2), (-1, 0, 1)])
TWINS = shallow_network([(1, 0, 1), (2, 0, 1)])
TWO = shallow_network([(1, "1/2", 1), (1, "-1/2", 1)])
CONSTANT = (0, 1, 1)
S16 = zoo.specimen("S16").network
FLIPPED = S16.flip([0, 1, 2])
CHAIN = chain(1, 0, 1, -1, 1)
OPEN_RAMP = Network.mlp([[[1], [1], [2]], [[1, 2, -1]], [[1]]], [[-3, -1, -2], [1], [-1]])
NO_BIASES = Network.mlp([[[1]], [[1]], [[1]], [[1]]])
NARROW = Network.mlp([[[1]], [[1]], [[1]], [[1]]], [[0], [1], [1], [0]])
SKIPS = Network(
    1,
    [
        Layer({0: [[2]]}, bias=[1]),
        Layer({0: [[-1]], 1: [[-2]]}, bias=[0]),
        Layer({2: [[-1]]}, bias=[2]),
        Layer({3: [[2]]}, bias=[0], activation="identity"),
    ],
)
"""Three hidden layers of width 1 with skips: the loss that a run of width 1 would have does not occur."""
APART = Network(
    1, [Layer({0: [[1], [1]]}, bias=[0, 0]), Layer({1: [[1, None], [None, 1]]}, bias=[0, 0], activation="identity")]
)
"""Two clones, each heard by an output of its own."""
LINEAR = Network.mlp([[[1, 2], [3, 5]], [[1, -1], [2, 1]]], activation="identity")


def modification(coefficient: int, constant: int) -> Modification:
    """relu(2 t) - 2 relu(t), or what is no symmetry, along neuron (1, 0) into output 0."""
    atoms = ((ONE, ZERO), (Fraction(2), ZERO))
    return Modification(
        (1, 0), AffineSymmetry("relu", atoms, (Fraction(-2), Fraction(coefficient)), Fraction(constant)), (2, 0), ONE
    )


FOUR = AffineSymmetry("relu", ((ONE, ZERO), (-ONE, ZERO), (ONE, -ONE), (-ONE, ONE)), (ONE, -ONE, -ONE, ONE), ONE)
"""relu(t) - relu(-t) - relu(t - 1) + relu(1 - t) = 1."""


def tanh(rows: list[list[int]], outputs: list[int]) -> Network:
    """A network of tanh neurons."""
    return Network.mlp([rows, [outputs]], [[0] * len(rows), [0]], activation="tanh")


def without_biases(net: Network, *, hidden: bool = True, output: bool = False) -> Network:
    """A shallow network without the bias parameters of the hidden layer, or of the output."""
    first, last = net.layers
    return Network.mlp(
        [first.blocks[0][1], last.blocks[0][1]], [None if hidden else first.bias, None if output else last.bias]
    )


NECESSARY: list[tuple[str, str, Instance]] = [
    ("realization_is_locally_linear", "off_the_kinks", Instance(KINK, samples=[[0]])),
    ("embedding_is_scaling_invariant", "scaling_equivalent", Instance(neuron(1, 0, 1), neuron(2, 0, 1))),
    ("embedding_and_signs_determine_scaling_class", "admissible", Instance(neuron(1, 1, 0), neuron(1, 2, 0))),
    ("embedding_and_signs_determine_scaling_class", "same_signs", Instance(neuron(1, 1, 1), neuron(-1, -1, -1))),
    ("embedding_and_signs_determine_scaling_class", "same_embedding", Instance(neuron(1, 1, 1), neuron(1, 2, 1))),
    ("embedding_and_signs_determine_scaling_class_converse", "scaling_equivalent", Instance(RAMP, neuron(2, 0, 1))),
    ("embedding_determines_scaling_class_up_to_sign", "admissible", Instance(neuron(1, 1, 0), neuron(1, 2, 0))),
    ("embedding_determines_scaling_class_up_to_sign", "same_embedding", Instance(neuron(1, 1, 1), neuron(1, 2, 1))),
    ("embedding_rank_is_parameters_minus_hidden", "admissible", Instance(neuron(2, 3, 0, output_bias=False))),
    ("admissible_does_not_imply_identifiable", "outer_weights_nonzero", Instance(chain(1, 0, 1, -1, 0))),
    ("admissible_does_not_imply_identifiable", "middle_weight_positive", Instance(chain(1, 0, 0, -1, 1))),
    ("sample_jacobian_rank_suffices", "sample_jacobian_of_full_rank", Instance(RAMP, samples=[[1], [-1]])),
    ("sample_jacobian_rank_is_nearly_necessary", "identified_by_the_samples", Instance(RAMP, samples=[[1], [-1]])),
    ("finite_sample_exists_iff_isolated", "isolated_in_the_image", Instance(CHAIN)),
    (
        "finite_sample_exists_iff_isolated_converse",
        "identified_by_the_samples",
        Instance(CHAIN, samples=[[2], [3], [-1]]),
    ),
    (
        "distinct_hyperplanes_give_full_dimension",
        "outputs_nonzero",
        Instance(shallow_network([(1, 0, 1), (1, "1/2", 0)])),
    ),
    ("distinct_hyperplanes_give_full_dimension", "all_kinked", Instance(shallow_network([(1, 2, 1)]), domain="[-1,1]")),
    ("distinct_hyperplanes_give_full_dimension", "distinct_hyperplanes", Instance(TWINS)),
    (
        "same_halfspace_pair_loses_dimension",
        "scalar_output",
        Instance(shallow_network([(1, 0, (1, 1)), (2, 0, (1, 1))])),
    ),
    ("same_halfspace_pair_loses_dimension", "hidden_biases", Instance(without_biases(TWINS))),
    (
        "same_halfspace_pair_loses_dimension",
        "outputs_nonzero",
        Instance(shallow_network([(1, 0, 1), (2, 0, 1), (1, 1, 0)])),
    ),
    ("same_halfspace_pair_loses_dimension", "all_kinked", Instance(shallow_network([(1, 0, 1), (2, 0, 1), CONSTANT]))),
    ("same_halfspace_pair_loses_dimension", "one_same_halfspace_pair", Instance(KINK)),
    ("antiparallel_pairs_lose_dimension", "scalar_output", Instance(zoo.specimen("S12a").network)),
    ("antiparallel_pairs_lose_dimension", "hidden_biases", Instance(without_biases(PAIR))),
    ("antiparallel_pairs_lose_dimension", "output_biases", Instance(without_biases(PAIR, hidden=False, output=True))),
    (
        "antiparallel_pairs_lose_dimension",
        "outputs_nonzero",
        Instance(shallow_network([(1, 0, 2), (-1, 0, 1), (1, 1, 0)])),
    ),
    ("antiparallel_pairs_lose_dimension", "all_kinked", Instance(shallow_network([(1, 0, 2), (-1, 0, 1), CONSTANT]))),
    ("antiparallel_pairs_lose_dimension", "antiparallel_pairs", Instance(KINK)),
    ("one_wide_chain_dimension", "outer_weights_nonzero", Instance(chain(0, 1, 1, 1, 1))),
    ("one_wide_chain_dimension", "middle_nonzero", Instance(chain(1, 0, 0, 1, 1))),
    ("one_wide_runs_bound_dimension", "all_biases", Instance(NO_BIASES)),
    ("one_wide_runs_bound_dimension", "layered", Instance(SKIPS)),
    ("dimension_gap_need_not_be_symmetry", "scalar_output", Instance(zoo.specimen("S12a").network)),
    ("dimension_gap_need_not_be_symmetry", "hidden_biases", Instance(without_biases(PAIR))),
    ("dimension_gap_need_not_be_symmetry", "output_biases", Instance(without_biases(PAIR, hidden=False, output=True))),
    (
        "dimension_gap_need_not_be_symmetry",
        "outputs_nonzero",
        Instance(shallow_network([(1, 0, 2), (-1, 0, 1), (1, 1, 0)])),
    ),
    ("dimension_gap_need_not_be_symmetry", "all_kinked", Instance(shallow_network([(1, 0, 2), (-1, 0, 1), CONSTANT]))),
    ("dimension_gap_need_not_be_symmetry", "one_antiparallel_pair", Instance(KINK)),
    ("dimension_gap_need_not_be_symmetry", "pairs_bend", Instance(shallow_network([(1, 0, 1), (-1, 0, -1)]))),
    ("full_dimension_is_not_global", "output_biases", Instance(zoo.specimen("S28").network)),
    ("full_dimension_is_not_global", "outputs_nonzero", Instance(shallow_network([(1, 0, 0)]))),
    ("full_dimension_is_not_global", "all_kinked", Instance(zoo.specimen("S13").network, domain="[0,1]")),
    ("full_dimension_is_not_global", "distinct_hyperplanes", Instance(shallow_network([(1, 0, 1), (-1, 0, 1)]))),
    ("full_dimension_is_not_global", "zero_sum_flip", Instance(zoo.specimen("S15").network)),
    ("dimension_varies_on_fibre", "open_gate_with_twins", Instance(ramp(), ramp().rescale([[2, 1, 1], [1]]))),
    ("dimension_varies_on_fibre", "closed_gate", Instance(OPEN_RAMP, OPEN_RAMP.rescale([[2, 1, 1], [1]]))),
    ("symmetry_modification_preserves_realization", "affine_symmetry", Instance(RAMP, modification=modification(1, 1))),
    (
        "symmetry_modification_preserves_realization",
        "room_for_constants",
        Instance(without_biases(RAMP), modification=Modification((1, 0), FOUR, (2, 0), ONE)),
    ),
    ("clones_break_identifiability", "has_clones", Instance(RAMP)),
    ("clones_break_identifiability", "clones_share_a_child", Instance(APART)),
    ("which_flips_are_symmetries", "other_is_a_flip", Instance(TWO, shallow_network([(1, 1, 1), (1, 0, 1)]))),
    ("which_flips_are_symmetries", "direction_sums_vanish", Instance(S16, FLIPPED)),
    ("which_flips_are_symmetries_converse", "symmetries_lead_there", Instance(S16, FLIPPED)),
    ("symmetries_exhaust_fibre_without_null_nets", "no_null_nets", Instance(S16, FLIPPED)),
    (
        "symmetries_exhaust_fibre_without_null_nets",
        "same_shallow_function",
        Instance(tanh([[1]], [1]), tanh([[2]], [1])),
    ),
    ("conservation_laws_number_hidden", "relu_network", Instance(LINEAR)),
    ("conservation_laws_number_hidden", "admissible", Instance(neuron(0, 0, 0))),
    ("wide_layers_allow_full_dimension", "hidden_widths_at_least_two", Instance(NARROW)),
]
"""Statement, hypothesis, instance."""

REFUTING: list[tuple[str, Instance]] = [
    ("embedding_determines_scaling_class", Instance(neuron(1, 1, 1), neuron(-1, -1, -1))),
    ("embedding_rank_is_parameters_minus_hidden_converse", Instance(neuron(0, 0, 1))),
    ("full_embedding_rank_implies_locally_identifiable", Instance(CHAIN)),
    ("dimension_gap_implies_not_identifiable", Instance(shallow_network([(1, 0, 1), (-1, 0, 1)]))),
    ("full_dimension_implies_globally_identifiable", Instance(zoo.HAT, zoo.HAT.flip([0, 1, 2]))),
    (
        "dimension_is_constant_on_fibre",
        Instance(OPEN_RAMP, Network.mlp([[[1]] * 3, [[1, 1, 1]], [["1/3"]]], [[-2, -1, 0], [-6], [0]])),
    ),
    ("every_architecture_allows_full_dimension", Instance(NARROW)),
]
"""Refuted statements with the smallest instance known; further ones are in ``statements.refuted``."""

SCOPE = {
    "same_architecture",
    "one_wide_chain",
    "one_hidden_layer",
    "off_the_kinks",
    "widths_1_3_1_1",
    "two_linear_layers",
    "child_in_a_later_layer",
    "width_two_on_the_line",
    "at_most_three_hidden_layers",
}
"""Hypotheses that say what a statement speaks of: without them nothing is decided, or another one implies them."""

BIASED = "the search for the best parameters of an architecture is made for layered networks with all biases only"
KINK_ALREADY = "a neuron without input is on a kink, which another hypothesis excludes; one without output moves"
NOT_KNOWN_TO_BE_NEEDED: dict[tuple[str, str], str] = {
    (
        "admissible_does_not_imply_identifiable",
        "middle_bias_negative",
    ): "for v > 0 the inner bias can move whatever a is; only a > 0 > v is rigid",
    (
        "sample_jacobian_rank_suffices",
        "admissible",
    ): "rank D - h off the kinks implies it: rank D Phi is less otherwise",
    ("sample_jacobian_rank_is_nearly_necessary", "admissible"): KINK_ALREADY,
    ("finite_sample_exists_iff_isolated", "admissible"): KINK_ALREADY,
    ("finite_sample_exists_iff_isolated_converse", "admissible"): KINK_ALREADY,
    ("functional_dimension_at_most_embedding_rank", "relu_network"): "other activations have other Jacobians",
    ("same_halfspace_pair_loses_dimension", "output_biases"): "the constants are no part of what is lost",
    ("dimension_varies_on_fibre", "all_weights_nonzero"): "it only makes the example stronger",
    ("dimension_varies_on_fibre", "same_functions"): "the dimensions follow from the shapes alone",
    ("symmetries_exhaust_fibre_without_null_nets", "both_irreducible"): "clones are an affine symmetry, too",
    ("linear_conservation_laws_by_rank", "stacked_rank_is_largest"): "at other parameters the bounds of the number of "
    "laws do not meet",
    ("wide_layers_allow_full_dimension", "layered"): BIASED,
    ("wide_layers_allow_full_dimension", "all_biases"): BIASED,
    ("generic_functional_dimension_formula", "layered"): BIASED,
    ("generic_functional_dimension_formula", "all_biases"): BIASED,
    **{
        (
            f"which_flips_are_symmetries{tail}",
            name,
        ): "it makes flips all of the fibre, which neither direction uses"
        for tail in ("", "_converse")
        for name in ("output_biases", "outputs_nonzero", "all_kinked", "distinct_hyperplanes")
    },
    (
        "which_flips_are_symmetries_converse",
        "other_is_a_flip",
    ): "where no neuron is turned around there is nothing to sum",
}
"""Why no counterexample is given."""
