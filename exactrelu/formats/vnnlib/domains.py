r"""The domain of a VNN-LIB query.

>>> query = '''
... (declare-const X_0 Real)
... (declare-const X_1 Real)
... (declare-const Y_0 Real)
... (assert (and (>= X_0 0) (<= X_0 0.1) (<= (+ X_0 (* 2 X_1)) 1) (>= X_1 -1)))
... (assert (>= Y_0 3.5))'''
>>> domain, notes = read_vnnlib(query, "query.vnnlib")
>>> [str(item) for item in domain.halfspaces]
['-x0 <= 0', '-x1 <= 1', 'x0 + 2*x1 <= 1', 'x0 <= 1/10']
>>> notes
('1 constraint on outputs is ignored',)
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from ...errors import InvalidDomain, InvalidFile
from ...polyhedra import Domain, Halfspace
from .assertions import Assertions, Linear
from .declarations import declared
from .expressions import parse_expressions

MAX_COEFFICIENTS: Final = 10_000_000
"""The largest number of half-spaces times coordinates of a domain that is no box."""


def read_vnnlib(content: str, source: str) -> tuple[Domain, tuple[str, ...]]:
    """The constraints on inputs of a query of version 1 or 2 as a domain, and notes.

    Numbers are the decimals that they say; constraints on outputs are ignored.

    Raises :class:`~exactrelu.errors.InvalidFile`, naming the line, and
    :class:`~exactrelu.errors.InvalidDomain` for an empty domain.
    """
    names, assertions = declared(parse_expressions(content, source), source)
    dimension = names.input_dim
    if not dimension:
        raise InvalidFile(source, "must declare an input")
    reader = Assertions(names)
    forms = [form for group in assertions for form in reader.halfspaces(group[1])]
    plural = "constraint on outputs is" if reader.ignored == 1 else "constraints on outputs are"
    notes = (f"{reader.ignored} {plural} ignored",) if reader.ignored else ()
    try:
        return _domain(dimension, forms, source), notes
    except InvalidDomain as error:
        raise error.at(source) from None


def _domain(dimension: int, forms: list[Linear], source: str) -> Domain:
    """The intersection of the box of all bounds with the other half-spaces."""
    lower: list[Fraction | None] = [None] * dimension
    upper: list[Fraction | None] = [None] * dimension
    others: list[tuple[dict[int, Fraction], Fraction]] = []
    for form in forms:
        terms = {j: weight for j, weight in form.terms.items() if weight}
        if not terms and form.constant <= 0:  # true everywhere
            continue
        if len(terms) != 1:
            others.append((terms, -form.constant))
            continue
        ((j, weight),) = terms.items()
        bound, ends, choose = -form.constant / weight, *((upper, min) if weight > 0 else (lower, max))
        ends[j] = bound if (end := ends[j]) is None else choose(end, bound)
    empty = [j for j in range(dimension) if (lo := lower[j]) is not None and (hi := upper[j]) is not None and lo > hi]
    if empty:
        j = empty[0]
        raise InvalidDomain("domain", f"must not be empty, but no x{j} satisfies {lower[j]} <= x{j} <= {upper[j]}")
    if not others:
        return Domain.box(list(zip(lower, upper, strict=True)))
    for j in range(dimension):
        others += [({j: Fraction(1)}, bound) for bound in (upper[j],) if bound is not None]
        others += [({j: Fraction(-1)}, -bound) for bound in (lower[j],) if bound is not None]
    if len(others) * dimension > MAX_COEFFICIENTS:
        raise InvalidFile(source, f"must have at most {MAX_COEFFICIENTS} coefficients", len(others) * dimension)
    zero = Fraction(0)
    return Domain.polytope(
        halfspaces=[Halfspace([terms.get(j, zero) for j in range(dimension)], bound) for terms, bound in others]
    )
