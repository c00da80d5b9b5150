"""The statements of the theory, section by section."""

from __future__ import annotations

from typing import Final

from ..theorem import Theorem
from . import (
    conjectures,
    dimension,
    embedding,
    equality,
    laws,
    refuted,
    samples,
    shallow,
    shallow_graph,
    shallow_samples,
    shallow_without_hidden_biases,
    shallow_without_output_bias,
    symmetries,
)

STATEMENTS: Final[tuple[Theorem, ...]] = (
    *embedding.STATEMENTS,
    *samples.STATEMENTS,
    *dimension.STATEMENTS,
    *equality.STATEMENTS,
    *shallow.STATEMENTS,
    *shallow_samples.STATEMENTS,
    *shallow_without_output_bias.STATEMENTS,
    *shallow_without_hidden_biases.STATEMENTS,
    *shallow_graph.STATEMENTS,
    *symmetries.STATEMENTS,
    *laws.STATEMENTS,
    *conjectures.STATEMENTS,
    *refuted.STATEMENTS,
)
