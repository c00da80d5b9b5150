r"""Exact numbers and exact linear algebra over :math:`\mathbb Q`.

* :mod:`.numbers`: what counts as a number, in and out
* :mod:`.strict_json`: numbers in JSON documents, and whatever else these hold
* :mod:`.linear_algebra`: rank, kernel, solving, ranks modulo a prime
* :mod:`.modular_elimination`: ranks of large matrices modulo a prime, by exact products of floats
* :mod:`.subset_sums`: subsets of integer vectors with a given sum
* :mod:`.balls`: rigorous enclosures of real numbers that are no fractions
* :mod:`.flint_bridge`: the only module that knows python-flint
"""

from .flint_bridge import integer_kernel, is_word_prime, swift_integers
from .linear_algebra import (
    MERSENNE_61,
    IntegerMatrix,
    Matrix,
    Vector,
    decompose_modulo,
    dot,
    integer_pivots,
    inverse,
    inverse_modulo,
    kernel,
    rank,
    rank_modulo,
    row_reduce,
    solve,
    solve_columns,
)
from .numbers import (
    MAX_DIGITS,
    Reading,
    common_denominator,
    float_quotient,
    from_float,
    primitive,
    primitive_integers,
    rational,
    rational_matrix,
    rational_vector,
    scaled_integers,
    text,
)

__all__ = [
    "MAX_DIGITS",
    "MERSENNE_61",
    "IntegerMatrix",
    "Matrix",
    "Reading",
    "Vector",
    "common_denominator",
    "decompose_modulo",
    "dot",
    "float_quotient",
    "from_float",
    "integer_pivots",
    "inverse",
    "inverse_modulo",
    "is_word_prime",
    "kernel",
    "primitive",
    "primitive_integers",
    "integer_kernel",
    "rank",
    "rank_modulo",
    "rational",
    "rational_matrix",
    "rational_vector",
    "row_reduce",
    "scaled_integers",
    "solve",
    "solve_columns",
    "swift_integers",
    "text",
]
