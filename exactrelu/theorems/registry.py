r"""The registry: every statement by its id.

>>> theorem("embedding_rank_is_parameters_minus_hidden").standing.value
'proved'
"""

from __future__ import annotations

from functools import cache

from ..errors import InvalidInput
from .theorem import Theorem


@cache
def registered_theorems() -> tuple[Theorem, ...]:
    """All registered statements, in the order of the theory.

    >>> [statement.id for statement in registered_theorems() if statement.standing.value == "conjecture"]
    ['generic_functional_dimension_formula', 'width_two_pieces_on_the_line']
    """
    # The statements pull in every decision procedure: they are imported when somebody asks for them.
    from .statements import STATEMENTS

    return STATEMENTS


def theorem(id: str) -> Theorem:
    """The statement with this id.

    Raises :class:`~exactrelu.errors.InvalidInput` for an unknown id, naming those that are near.

    >>> print(theorem("flat_domains_identify_nothing").title)
    with hidden biases, a domain in a hyperplane identifies no shallow network
    """
    from difflib import get_close_matches

    known = {statement.id: statement for statement in registered_theorems()}
    if id not in known:
        near = get_close_matches(id, known, n=3, cutoff=0.4)
        hint = f"such as {', '.join(near)}" if near else "see exactrelu theorem list"
        raise InvalidInput("theorem", f"must be the id of a registered statement, {hint}", id)
    return known[id]
