r"""Split trees that hold for all small members of a family of networks.

The tree of one small member is an example. Its empty cells are refuted by the same inequalities for all small
:math:`t>0`, with multipliers that are polynomials in :math:`t`: the kernel of a matrix over :math:`\mathbb Q(t)`, whose
signs for small :math:`t` are those of lowest coefficients. If these are not as they should be, the example was not
small enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from typing import Any, TypeAlias

from ..errors import Undecided
from ..polyhedra import Domain
from . import notation
from .notation import Combination, Name
from .polynomials import EXAMPLES, Polynomial, Scalar, sign
from .readings import Bend, Form, Reading
from .splitting import Branch, Cell, Empty, Leaf, Node, advanced, split, whole

Bounds: TypeAlias = dict[Name, tuple[tuple[Scalar, ...], Scalar]]


class _NotSmall(Exception):
    """The example is not typical of small members."""


def family_tree(base: Reading, moving: Reading, domain: Domain, *, budget: int | None = None) -> list[Node]:
    r"""The common split tree of the base of a family and of its members :math:`\theta(t)` for all small :math:`t>0`.

    Raises :class:`~exactrelu.errors.Undecided` if no example is small enough.
    """
    for t in EXAMPLES:
        try:
            return list(_lifted(split((base, moving.at(t)), domain, budget=budget), (base, moving), domain))
        except _NotSmall:
            continue
    raise Undecided("the activation regions of the family for small t could not be proved")


def _lifted(nodes: Iterator[Node], readings: Sequence[Reading], domain: Domain) -> Iterator[Node]:
    """The nodes of an example, with multipliers and outputs that are polynomials."""
    bounds: Bounds = {j: (tuple(normal), bound) for j, (normal, bound) in enumerate(notation.walls(domain))}
    waiting: list[tuple[Cell, Bounds]] = [(whole(readings[0]), bounds)]
    for node in nodes:
        cell, bounds = waiting.pop()
        if isinstance(node, Empty):
            yield Empty(_combination(node.combination, bounds))
            continue
        cell = advanced(readings, cell)
        if isinstance(node, Leaf):
            yield replace(node, outputs=cell.outputs)
            continue
        yield node
        waiting += reversed(_children(node, readings, cell, bounds))


def _children(node: Branch, readings: Sequence[Reading], cell: Cell, bounds: Bounds) -> list[tuple[Cell, Bounds]]:
    reading = readings[cell.network]
    form, bend = cell.forms[node.neuron[1]], reading.bend(node.neuron)
    constant = not any(form[:-1])
    if constant != (len(node.states) == 1) or (constant and bend.state(form[-1]) != node.states[0]):
        raise _NotSmall
    children = []
    for state in node.states:
        below = replace(cell, row=(*cell.row, bend.applied(state, form)))
        more = {} if constant else _bounds((cell.network, *node.neuron), form, bend, state[0])
        children.append((below, {**bounds, **more}))
    return children


def _bounds(neuron: tuple[int, int, int], form: Form, bend: Bend, k: int) -> Bounds:
    """The inequalities of piece ``k``."""
    found: Bounds = {}
    if k > 0:
        found[(*neuron, k)] = tuple(-entry for entry in form[:-1]), form[-1] - bend.breakpoints[k - 1]
    if k < len(bend.breakpoints):
        found[(*neuron, k + 1)] = tuple(form[:-1]), bend.breakpoints[k] - form[-1]
    return found


def _combination(terms: Combination, bounds: Bounds) -> Combination:
    """Multipliers for all small members; those of the example, if they do."""
    names = [name for name, _ in terms]
    columns = [bounds[name] for name in names]
    if _refutes([weight for _, weight in terms], columns):
        return terms
    vectors = polynomial_kernel([[column[0][i] for column in columns] for i in range(len(columns[0][0]))], len(names))
    for vector in vectors:
        for factor in (1, -1):
            weights = [entry * factor for entry in vector]
            if _refutes(weights, columns):
                return tuple(zip(names, weights, strict=True))
    raise _NotSmall


def _refutes(weights: Sequence[Scalar], columns: Sequence[tuple[tuple[Scalar, ...], Scalar]]) -> bool:
    if any(sign(weight) < 0 for weight in weights) or not any(sign(weight) for weight in weights):
        return False
    rows = zip(*(column[0] for column in columns), strict=True)
    if any(_sum(weights, row) for row in rows):
        return False
    return sign(_sum(weights, [column[1] for column in columns])) <= 0


def _sum(weights: Sequence[Scalar], values: Sequence[Scalar]) -> Scalar:
    total: Scalar = Fraction(0)
    for weight, value in zip(weights, values, strict=True):
        total = total + weight * value
    return total


def polynomial_kernel(rows: Sequence[Sequence[Scalar]], size: int) -> list[list[Polynomial]]:
    r"""A basis of the kernel over :math:`\mathbb Q(t)` of a matrix of polynomials, cleared of denominators.

    >>> t = Polynomial((Fraction(0), Fraction(1)))
    >>> [[entry.coefficients for entry in vector] for vector in polynomial_kernel([[t, Fraction(-2)]], 2)]
    [[(Fraction(2, 1),), (Fraction(0, 1), Fraction(1, 1))]]
    """
    from sympy import QQ, Symbol
    from sympy.polys.matrices import DomainMatrix

    symbol = Symbol("t")
    field = QQ.frac_field(symbol)

    def convert(value: Scalar) -> Any:
        coefficients = value.coefficients if isinstance(value, Polynomial) else (Fraction(value),)
        terms = (QQ(c.numerator, c.denominator) * field.gens[0] ** k for k, c in enumerate(coefficients))
        return sum(terms, field.zero)

    matrix = DomainMatrix([[convert(entry) for entry in row] for row in rows], (len(rows), size), field)
    found = []
    for vector in matrix.nullspace().to_list():
        scale = reduce(lambda common, entry: common.lcm(entry.denom), vector, vector[0].denom)
        cleared = [entry.numer * scale.exquo(entry.denom) for entry in vector]
        found.append([_polynomial(entry) for entry in cleared])
    return found


def _polynomial(element: Any) -> Polynomial:
    """A polynomial of SymPy's as ours."""
    terms = {exponents[0]: Fraction(int(c.numerator), int(c.denominator)) for exponents, c in element.terms()}
    return Polynomial.of([terms.get(k, Fraction(0)) for k in range(max(terms, default=-1) + 1)])
