"""For every hypothesis of a shallow statement an instance that breaks it without that, or why none is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exactrelu import Domain, Network
from exactrelu.theorems import Instance

LINE, UNIT, RIGHT, LATE = "R", "[-1,1]", Domain.box([(0, None)]), "[1,2]"
PLANE, SQUARE, CUT = "R^2", "[-1,1]^2", Domain.box([(0, 0), (-1, 1)])
BESIDE = "[1,2]x[-1,1]"
UPPER = Domain.box([(None, None), (0, None)])

Neurons = Sequence[tuple[Any, Any, Any]]


def net(neurons: Neurons, *, hidden: bool = True, output: bool = True) -> Network:
    """A network from neurons (w, b, v) with output bias 0; numbers stand for vectors of length 1."""

    def vector(x: Any) -> tuple[Any, ...]:
        return x if isinstance(x, tuple) else (x,)

    rows = [vector(w) for w, _, _ in neurons]
    columns = [vector(v) for _, _, v in neurons]
    bias = [b for _, b, _ in neurons] if hidden else None
    return Network.mlp([rows, list(zip(*columns, strict=True))], [bias, [0] * len(columns[0]) if output else None])


def both(neurons: Neurons, domain: Domain | str) -> Instance:
    return Instance(net(neurons), domain=domain)


def no_output(neurons: Neurons, domain: Domain | str) -> Instance:
    return Instance(net(neurons, output=False), domain=domain)


def no_hidden(neurons: Neurons, domain: Domain | str) -> Instance:
    return Instance(net(neurons, hidden=False), domain=domain)


def no_bias(neurons: Neurons, domain: Domain | str) -> Instance:
    return Instance(net(neurons, hidden=False, output=False), domain=domain)


KINK, DEAD, ZERO, OFF, ON = [(1, 0, 1)], [(1, 0, 0)], [(0, 0, 1)], [(1, -2, 1)], [(1, 2, 1)]
TWINS = [(1, 0, 1), (2, 0, 1)]
PAIR = [(1, 0, 2), (-1, 0, 1)]
MODULUS = [(1, 0, 1), (-1, 0, 1)]
IDENTITY = [(1, 0, 1), (-1, 0, -1)]
PARALLEL_PAIRS = [(1, 0, 2), (-1, 0, 1), (1, -1, 2), (-1, 1, 1)]
CROSSED_PAIRS = [((1, 0), 0, 2), ((-1, 0), 0, 1), ((0, 1), 0, 2), ((0, -1), 0, 1)]
FLIP = [(1, "1/2", 1), (1, "-1/2", -1)]
HAT = [(1, 1, 1), (1, 0, -2), (1, -1, 1)]
HORIZONTAL = [((0, 1), 0, 1)]
SUM = [((1, 0), 0, 1), ((0, 1), 0, 1), ((1, 1), 0, -1)]
MODULI = [((1, 0), 0, (1, 0)), ((-1, 0), 0, (1, 0)), ((0, 1), 0, (0, 1)), ((0, -1), 0, (0, 1))]
LINEAR_AND_MODULUS = [((1, 0), 0, (1, 0)), ((-1, 0), 0, (-1, 0)), ((0, 1), 0, (0, 1)), ((0, -1), 0, (0, 1))]
DISTINCT_KINKS = {
    "interior": both(HORIZONTAL, CUT),
    "nonzero_output": both(DEAD, UNIT),
    "nonzero_input": both(ZERO, UNIT),
    "kinked": both(ON, UNIT),
    "distinct_hyperplanes": both(TWINS, UNIT),
}
PROPORTIONAL = [(1, 0, (1, 0)), (-1, 0, (0, 1)), (1, -1, (1, 0)), (-1, 1, (0, 1))]

COUNTEREXAMPLES: dict[str, dict[str, Instance]] = {
    "shallow_equality_by_normal_form": {
        "same_jumps": Instance(net(KINK), net(PAIR), domain=LINE),
        "same_affine_part": Instance(net(KINK), net([(-1, 0, 1)]), domain=LINE),
    },
    "shallow_equality_by_normal_form_converse": {
        "same_function": Instance(net(KINK), net([(1, 0, 2)]), domain=LINE),
    },
    "shallow_fibre_is_flips": {**DISTINCT_KINKS, "output_bias": no_output(FLIP, UNIT)},
    "distinct_kinks_are_locally_identifiable": DISTINCT_KINKS,
    "shallow_bounded_global": {**DISTINCT_KINKS, "no_zero_sum_flip": both(FLIP, UNIT)},
    "shallow_bounded_global_converse": {
        "output_bias": no_output(ON, UNIT),
        "hidden_biases": no_hidden(PAIR, UNIT),
        "bounded": both(PAIR, LINE),
        "globally_identifiable": both(ON, UNIT),
    },
    "no_zero_sum_flip_gives_global_identifiability": {**DISTINCT_KINKS, "no_zero_sum_flip": both(FLIP, LINE)},
    "no_zero_sum_flip_gives_global_identifiability_converse": {
        "output_bias": no_output(FLIP, UNIT),
        "distinct_hyperplanes": both(MODULUS, LINE),
        "globally_identifiable": both(FLIP, UNIT),
    },
    "global_identifiability_excludes_silent_neurons": {
        "output_bias": no_output(ON, UNIT),
        "hidden_biases": no_hidden(KINK, LATE),
        "globally_identifiable": both(ON, UNIT),
    },
    "flat_domains_identify_nothing": {"flat_domain": both(KINK, LINE)},
    "shallow_local": {
        "interior": both(HORIZONTAL, CUT),
        "nonzero_output": both(DEAD, UNIT),
        "nonzero_input": both(ZERO, UNIT),
        "kinked": both(ON, UNIT),
        "no_positive_twins": both(TWINS, UNIT),
        "opposite_twins_jump": both(IDENTITY, LINE),
        "opposite_pairs_independent": both(PARALLEL_PAIRS, LINE),
    },
    "shallow_local_converse": {
        "output_bias": no_output(ON, UNIT),
        "hidden_biases": no_hidden(IDENTITY, LINE),
        "locally_identifiable": both(ON, UNIT),
    },
    "shallow_space_global": {
        "all_of_space": both(PAIR, UNIT),
        "nonzero_output": both(DEAD, LINE),
        "nonzero_input": both(ZERO, LINE),
        "kinked": both([(0, 1, 1)], LINE),
        "no_positive_twins": both(TWINS, LINE),
        "opposite_twins_jump": both(IDENTITY, LINE),
        "no_alternative_jump_choice": both(CROSSED_PAIRS, PLANE),
    },
    "shallow_space_global_converse": {
        "output_bias": no_output([(0, 1, 1)], LINE),
        "hidden_biases": no_hidden(IDENTITY, LINE),
        "globally_identifiable": both(HAT, LINE),
    },
    "two_opposite_pairs_prevent_global_identifiability": {
        "scalar_output": both(MODULI, PLANE),
        "two_opposite_pairs": both(PAIR, LINE),
    },
    "independent_products_exclude_flips": {"independent_products": both(FLIP, LINE)},
    "positive_functional_excludes_flips": {"positive_functional": both(FLIP, LINE)},
    "shallow_finite_sample": {
        "nonzero_output": both(DEAD, UNIT),
        "nonzero_input": both(ZERO, UNIT),
        "kinked": both(ON, UNIT),
        "no_positive_twins": both(TWINS, UNIT),
        "opposite_pairs_outputs_independent": both(PAIR, LINE),
        "opposite_pairs_independent": both(PROPORTIONAL, LINE),
    },
    "shallow_finite_sample_converse": {
        "output_bias": no_output(PAIR, LINE),
        "hidden_biases": no_hidden(PAIR, LINE),
        "finite_sample_exists": both(PAIR, LINE),
    },
    "shallow_minimal_width": {
        "output_bias": no_output([(0, 1, 1)], UNIT),
        "hidden_biases": no_hidden(IDENTITY, UNIT),
        "bounded_or_space": both(IDENTITY, RIGHT),
    },
    "scalar_minimal_width_exceeds_bends_by_at_most_two": {
        "scalar_output": both(
            [((1, 0), 0, (1, 0)), ((-1, 0), 0, (-1, 0)), ((0, 1), 0, (0, 1)), ((0, -1), 0, (0, -1))], PLANE
        ),
    },
    "shallow_fibre_is_flips_without_output_bias": {
        "no_output_bias": both(FLIP, UNIT),
        "interior": no_output(HORIZONTAL, CUT),
        "nonzero_output": no_output(DEAD, UNIT),
        "nonzero_input": no_output(ZERO, UNIT),
        "kinked": no_output(OFF, UNIT),
        "distinct_hyperplanes": no_output(TWINS, UNIT),
    },
    "shallow_global_without_output_bias": {
        "no_output_bias": both(FLIP, UNIT),
        "interior": no_output(HORIZONTAL, CUT),
        "nonzero_output": no_output(DEAD, UNIT),
        "nonzero_input": no_output(ZERO, UNIT),
        "kinked": no_output(OFF, UNIT),
        "distinct_hyperplanes": no_output(TWINS, UNIT),
        "no_zero_sum_flip_with_biases": no_output(HAT, LINE),
    },
    "shallow_global_without_output_bias_converse": {
        "distinct_hyperplanes": no_output(MODULUS, LINE),
        "globally_identifiable": no_output(HAT, LINE),
    },
    "global_identifiability_without_output_bias_excludes_silent_neurons": {
        "globally_identifiable": no_output(OFF, UNIT),
    },
    "shallow_space_global_without_output_bias": {
        "all_of_space": no_output([(1, 0, 2), (-1, 0, 1), (1, "1/2", 2)], UNIT),
        "nonzero_output": no_output(DEAD, LINE),
        "nonzero_input": no_output(ZERO, LINE),
        "kinked": no_output([(0, -1, 1)], LINE),
        "no_positive_twins": no_output(TWINS, LINE),
        "opposite_twins_jump": no_output(LINEAR_AND_MODULUS, PLANE),
        "no_alternative_jump_choice": no_output(CROSSED_PAIRS, PLANE),
    },
    "shallow_space_global_without_output_bias_converse": {"globally_identifiable": no_output(HAT, LINE)},
    "shallow_local_without_output_bias": {
        "no_output_bias": both(ON, UNIT),
        "interior": no_output(HORIZONTAL, CUT),
        "nonzero_output": no_output(DEAD, UNIT),
        "nonzero_input": no_output(ZERO, UNIT),
        "never_off": no_output(OFF, UNIT),
        "no_positive_twins": no_output(TWINS, UNIT),
        "opposite_pairs_forms_independent": no_output([*PARALLEL_PAIRS, (1, 1, 2), (-1, -1, 1)], LINE),
        "rigid_affine_part": no_output([(1, 2, 1), (-1, 2, 1)], UNIT),
    },
    "shallow_local_without_output_bias_converse": {
        "hidden_biases": no_bias(ZERO, UNIT),
        "locally_identifiable": no_output(OFF, UNIT),
    },
    "shallow_finite_sample_without_output_bias": {
        "nonzero_output": no_output(DEAD, UNIT),
        "nonzero_input": no_output(ZERO, UNIT),
        "kinked": no_output(OFF, UNIT),
        "distinct_hyperplanes": no_output(TWINS, UNIT),
    },
    "shallow_global_without_hidden_biases": {
        "no_hidden_biases": both([(1, 5, 1)], UNIT),
        "origin_inside": no_hidden([(-1, 0, 1)], LATE),
        "nonzero_output": no_hidden(DEAD, UNIT),
        "nonzero_input": no_hidden(ZERO, UNIT),
        "distinct_hyperplanes": no_hidden(TWINS, UNIT),
        "no_zero_sum_flip": no_hidden(SUM, PLANE),
    },
    "shallow_global_without_hidden_biases_converse": {
        "no_hidden_biases": no_output(FLIP, UNIT),
        "distinct_hyperplanes": no_hidden(MODULUS, UNIT),
        "globally_identifiable": no_hidden(SUM, PLANE),
    },
    "shallow_space_global_without_hidden_biases": {
        "no_hidden_biases": both(PAIR, UNIT),
        "origin_inside": no_hidden([((0, 1), 0, 2), ((0, -1), 0, 1), ((1, -2), 0, "-1/2")], BESIDE),
        "nonzero_output": no_hidden(DEAD, UNIT),
        "nonzero_input": no_hidden(ZERO, UNIT),
        "no_positive_twins": no_hidden(TWINS, UNIT),
        "opposite_twins_jump": no_hidden(LINEAR_AND_MODULUS, PLANE),
        "no_alternative_jump_choice": no_hidden(CROSSED_PAIRS, PLANE),
    },
    "shallow_space_global_without_hidden_biases_converse": {"globally_identifiable": no_hidden(CROSSED_PAIRS, PLANE)},
    "shallow_local_without_hidden_biases": {
        "no_hidden_biases": both(IDENTITY, LINE),
        "origin_inside": no_hidden([(-1, 0, 1)], LATE),
        "nonzero_output": no_hidden([((1, 0), 0, 0)], SQUARE),
        "nonzero_input": no_hidden([*KINK, *ZERO], UNIT),
        "no_positive_twins": no_hidden(TWINS, UNIT),
        "opposite_pairs_independent": no_hidden([*CROSSED_PAIRS, ((1, 1), 0, 2), ((-1, -1), 0, 1)], PLANE),
        "rigid_linear_part": no_hidden(LINEAR_AND_MODULUS, PLANE),
    },
    "shallow_local_without_hidden_biases_converse": {
        "no_hidden_biases": no_output([((1, 0), 0, 2), ((-1, 0), 0, 1), ((1, 0), -1, 2), ((-1, 0), 1, 1)], PLANE),
        "several_inputs": no_hidden(DEAD, UNIT),
        "not_one_signed_zeros": no_hidden([((0, 0), 0, 1)], SQUARE),
        "locally_identifiable": no_hidden([((1, 0), 0, 0)], SQUARE),
    },
    "one_signed_zero_neurons_are_locally_but_not_globally_identifiable": {
        "no_hidden_biases": both(ZERO, UNIT),
        "origin_inside": no_hidden(ZERO, LATE),
        "scalar_output": no_hidden([(0, 0, (1, 1))], UNIT),
        "all_weights_zero": no_hidden(KINK, UNIT),
        "outputs_of_one_sign": no_hidden([(0, 0, 1), (0, 0, -1)], UNIT),
    },
    "bounded_domains_decide_as_space_without_hidden_biases": {
        "no_hidden_biases": both(PAIR, UNIT),
        "origin_inside": no_hidden([(-1, 0, 1)], LATE),
    },
    "region_graph_reconstructs_parameters": {
        "output_bias": no_output(KINK, UNIT),
        "hidden_biases": no_hidden(KINK, UNIT),
        "nonzero_output": both(DEAD, UNIT),
        "nonzero_input": both(ZERO, UNIT),
        "kinked": both(ON, UNIT),
        "distinct_hyperplanes": both(TWINS, UNIT),
        "no_zero_sum_flip": both(FLIP, UNIT),
    },
    "region_graph_reconstructs_parameters_converse": {
        "bounded": both(PAIR, LINE),
        "reconstructed_from_region_graph": both(FLIP, UNIT),
    },
}

SCOPE = "part of the scope: without it the conclusion is not decided"
IMPLIED = "not needed: the other hypotheses imply it, or cannot hold without it"
STRONGER = "not known to be needed"

NOT_NEEDED: dict[str, dict[str, str]] = {
    "shallow_equality_by_normal_form": {"interior": SCOPE, "same_shape": SCOPE},
    "shallow_equality_by_normal_form_converse": {"interior": SCOPE, "same_shape": SCOPE},
    "shallow_fibre_is_flips": {"hidden_biases": STRONGER},
    "distinct_kinks_are_locally_identifiable": {"output_bias": STRONGER, "hidden_biases": STRONGER},
    "shallow_bounded_global": {"output_bias": STRONGER, "hidden_biases": STRONGER, "bounded": STRONGER},
    "shallow_bounded_global_converse": {"interior": IMPLIED},
    "no_zero_sum_flip_gives_global_identifiability": {"output_bias": STRONGER, "hidden_biases": STRONGER},
    "no_zero_sum_flip_gives_global_identifiability_converse": {
        "hidden_biases": STRONGER,
        **dict.fromkeys(("interior", "nonzero_output", "nonzero_input", "kinked"), IMPLIED),
    },
    "global_identifiability_excludes_silent_neurons": {"interior": IMPLIED},
    "flat_domains_identify_nothing": {"hidden_biases": SCOPE},
    "shallow_local": {"output_bias": STRONGER, "hidden_biases": STRONGER},
    "shallow_local_converse": {"interior": IMPLIED},
    "shallow_space_global": {
        "output_bias": STRONGER,
        "hidden_biases": STRONGER,
        "interior": IMPLIED,
        "opposite_pairs_independent": IMPLIED,
    },
    "shallow_space_global_converse": {"interior": IMPLIED, "all_of_space": STRONGER},
    "two_opposite_pairs_prevent_global_identifiability": {
        **dict.fromkeys(("output_bias", "hidden_biases", "interior", "all_of_space"), STRONGER),
        **dict.fromkeys(
            ("nonzero_output", "nonzero_input", "kinked", "no_positive_twins", "opposite_twins_jump"), STRONGER
        ),
        "opposite_pairs_independent": STRONGER,
    },
    "shallow_finite_sample": {"interior": SCOPE, "output_bias": STRONGER, "hidden_biases": STRONGER},
    "shallow_finite_sample_converse": {"interior": SCOPE},
    "shallow_minimal_width": {"interior": SCOPE},
    "scalar_minimal_width_exceeds_bends_by_at_most_two": {
        "output_bias": STRONGER,
        "hidden_biases": STRONGER,
        "interior": IMPLIED,
        "all_of_space": STRONGER,
    },
    "shallow_fibre_is_flips_without_output_bias": {"hidden_biases": STRONGER},
    "shallow_global_without_output_bias": {"hidden_biases": STRONGER},
    "shallow_global_without_output_bias_converse": {
        "hidden_biases": STRONGER,
        "no_output_bias": STRONGER,
        **dict.fromkeys(("interior", "nonzero_output", "nonzero_input", "kinked"), STRONGER),
    },
    "global_identifiability_without_output_bias_excludes_silent_neurons": {
        "hidden_biases": STRONGER,
        "no_output_bias": STRONGER,
        "interior": IMPLIED,
    },
    "shallow_space_global_without_output_bias": {
        "hidden_biases": STRONGER,
        "no_output_bias": STRONGER,
        "interior": IMPLIED,
        "opposite_pairs_forms_independent": IMPLIED,
    },
    "shallow_space_global_without_output_bias_converse": {
        **dict.fromkeys(("hidden_biases", "no_output_bias", "all_of_space"), STRONGER),
        **dict.fromkeys(("nonzero_output", "nonzero_input", "kinked", "no_positive_twins"), STRONGER),
        **dict.fromkeys(("interior", "opposite_twins_jump", "opposite_pairs_forms_independent"), STRONGER),
    },
    "shallow_local_without_output_bias": {"hidden_biases": STRONGER},
    "shallow_local_without_output_bias_converse": {"no_output_bias": STRONGER, "interior": IMPLIED},
    "shallow_finite_sample_without_output_bias": {
        "hidden_biases": STRONGER,
        "no_output_bias": STRONGER,
        "interior": SCOPE,
    },
    "shallow_global_without_hidden_biases_converse": {
        "origin_inside": STRONGER,
        "nonzero_output": IMPLIED,
        "nonzero_input": IMPLIED,
    },
    "shallow_space_global_without_hidden_biases": {"kinked": IMPLIED, "opposite_pairs_independent": IMPLIED},
    "shallow_space_global_without_hidden_biases_converse": {
        "no_hidden_biases": STRONGER,
        "origin_inside": STRONGER,
        "kinked": IMPLIED,
        **dict.fromkeys(("nonzero_output", "nonzero_input", "no_positive_twins"), STRONGER),
        **dict.fromkeys(("opposite_twins_jump", "opposite_pairs_independent"), STRONGER),
    },
    "shallow_local_without_hidden_biases_converse": {"origin_inside": STRONGER},
    "kinked_neurons_label_edges": {"interior": SCOPE},
    "kinked_neurons_label_edges_converse": {"interior": SCOPE},
    "gradient_jumps_add_up_over_labels": {"interior": SCOPE},
    "region_graph_reconstructs_parameters": {"interior": SCOPE, "bounded": STRONGER},
    "region_graph_reconstructs_parameters_converse": {
        "output_bias": IMPLIED,
        "hidden_biases": IMPLIED,
        "interior": IMPLIED,
    },
}
