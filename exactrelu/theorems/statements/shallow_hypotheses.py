r"""What statements about one hidden layer have in common: hypotheses, identifiability as a predicate, and instances."""

from __future__ import annotations

from typing import Final

from ..decisions.competitors import globally_identifiable_by_enumeration, locally_identifiable_by_strata
from ..predicates import Predicate
from .embedding import STOCK_GRIBONVAL
from .shallow_conditions import (
    distinct_hyperplanes,
    hidden_biases,
    interior,
    kinked,
    no_positive_twins,
    no_zero_sum_flip,
    nonzero_input,
    nonzero_output,
    one_hidden_layer,
    opposite_pairs_independent,
    opposite_twins_jump,
    output_bias,
)
from .shallow_supply import BROKEN, GENTLE, OPPOSITE, on_domains

THIS_PACKAGE: Final = "this package"
SHALLOW_CASE: Final = f"{THIS_PACKAGE}; the question is from {STOCK_GRIBONVAL}"

GLOBAL: Final = Predicate.of(
    globally_identifiable_by_enumeration,
    name="globally_identifiable",
    meaning="every network of the same architecture with the same function on the domain is equivalent to this one",
)
LOCAL: Final = Predicate.of(
    locally_identifiable_by_strata,
    name="locally_identifiable",
    meaning="every network near this one with the same function on the domain is equivalent to it",
)
NOT_GLOBAL: Final = GLOBAL.negated("not_globally_identifiable", "another class of parameters has the same function")
NOT_LOCAL: Final = LOCAL.negated(
    "not_locally_identifiable", "other classes as near as one likes have the same function"
)

SETTING = (one_hidden_layer, output_bias, hidden_biases, interior)
DISTINCT_KINKS = (nonzero_output, nonzero_input, kinked, distinct_hyperplanes)
BOUNDED_GLOBAL = (*DISTINCT_KINKS, no_zero_sum_flip)
LOCAL_CONDITIONS = (
    nonzero_output,
    nonzero_input,
    kinked,
    no_positive_twins,
    opposite_twins_jump,
    opposite_pairs_independent,
)

MIXED = (*(4 * GENTLE), *BROKEN)
MOSTLY_PAIRS = (*GENTLE, *OPPOSITE, *OPPOSITE)
SEVERAL_DOMAINS = on_domains("space", "cube", "unit", "simplex", "half-space")
