r"""Regions and whole functions as SymPy expressions, and as LaTeX.

A *symbolic region* is a closed activation region written out: conditions on
:math:`x`, and the affine map that the network is there. :func:`symbolic_region`
writes it with numbers, one inequality per facet; :func:`symbolic_pattern` keeps
the parameters as symbols, so that conditions and outputs are polynomials in
:math:`\theta`, affine in :math:`x`. :func:`piecewise` glues the regions together.

Coordinates are the symbols ``x0, x1, ...``; parameters have the names of
:attr:`~exactrelu.Network.parameters`, such as ``w[1<-0][0,0]`` and ``b[1][0]``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ..errors import Budget, check_budget
from ..networks import Network, Pattern, PiecewiseLinear
from ..networks.analytic import expression
from ..networks.patterns import bending_neurons, fitting
from ..polyhedra import Domain, Halfspace
from ..rationals import Vector
from ..verdicts import Neuron
from .complex import ActivationRegion, activation_regions

if TYPE_CHECKING:
    from sympy import Expr, Symbol
    from sympy.logic.boolalg import Boolean

DEFAULT_BUDGET: Final = 100_000
"""The number of terms that :func:`symbolic_pattern` writes unless another budget is given."""

Term: TypeAlias = "tuple[Fraction, tuple[Symbol, ...]]"
"""A coefficient and the symbols that it multiplies."""
Branch: TypeAlias = "tuple[Fraction, Fraction, Fraction | None, Fraction | None]"
r"""Slope and constant of a piece of :math:`\rho`, and the ends of the piece, ``None`` for no end."""


@dataclass(frozen=True, slots=True)
class SymbolicRegion:
    r"""A closed activation region in formulas: where it is, and what the network is there.

    ``variables`` are the symbols of the coordinates, ``conditions`` relations
    whose conjunction describes the region, ``outputs`` one expression per output,
    affine in the variables. ``latex_names`` says how symbols are written in LaTeX.
    """

    pattern: Pattern
    variables: tuple[Symbol, ...]
    conditions: tuple[Boolean, ...]
    outputs: tuple[Expr, ...]
    latex_names: tuple[tuple[Symbol, str], ...] = ()

    @property
    def condition(self) -> Boolean:
        """The conjunction of all conditions."""
        from sympy import And

        return And(*self.conditions)

    @property
    def matrix(self) -> tuple[tuple[Expr, ...], ...]:
        """The linear part of the outputs: one row per output, one column per variable."""
        return tuple(tuple(output.diff(variable) for variable in self.variables) for output in self.outputs)

    @property
    def offset(self) -> tuple[Expr, ...]:
        """The outputs at :math:`x=0`."""
        return tuple(output.subs(dict.fromkeys(self.variables, 0)) for output in self.outputs)

    def latex(self) -> str:
        """The outputs and the conditions as LaTeX, to be set in mathematics mode."""
        from sympy import latex

        names = dict(self.latex_names)
        column = r" \\ ".join(latex(output, symbol_names=names) for output in self.outputs)
        shown = column if len(self.outputs) == 1 else rf"\begin{{pmatrix}}{column}\end{{pmatrix}}"
        if not self.conditions:
            return rf"R_\theta(x) = {shown}"
        rows = r" \\ ".join("& " + latex(condition, symbol_names=names) for condition in self.conditions)
        return rf"R_\theta(x) = {shown} \quad\text{{where}}\quad \begin{{aligned}}{rows}\end{{aligned}}"

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"


def symbolic_region(region: ActivationRegion) -> SymbolicRegion:
    r"""A region with numbers: one inequality per facet, those of the domain included.

    >>> from .complex import activation_regions
    >>> minus, plus = activation_regions(Network.mlp([[[2], [-2]], [[3, 1]]], [[-1, 1], None]))
    >>> symbolic_region(plus).conditions, symbolic_region(plus).outputs
    ((x0 >= 1/2,), (6*x0 - 3,))
    >>> print(symbolic_region(plus).latex())
    R_\theta(x) = 6 x_{0} - 3 \quad\text{where}\quad \begin{aligned}& x_{0} \geq \frac{1}{2}\end{aligned}
    """
    net = region.complex.network
    variables = _variables(net)
    matrix, offset = region.affine_map
    outputs = tuple(_affine((*row, constant), variables) for row, constant in zip(matrix, offset, strict=True))
    conditions = tuple(_inequality(facet, variables) for facet in region.polyhedron.facets)
    return SymbolicRegion(region.pattern, variables, conditions, outputs)


def symbolic_pattern(net: Network, pattern: Pattern | str, *, budget: int | None = None) -> SymbolicRegion:
    r"""The closed region of a pattern for *all* parameters: polynomials in :math:`\theta`, affine in :math:`x`.

    One or two conditions per bending neuron, in their order; a sign 0 asks for
    pre-activation 0. On the region the outputs are
    :math:`\sum_p\Phi_p(\theta)\,\alpha_p`, over the paths that the pattern leaves open.
    Theory: ``realization_is_linear_in_embedding`` (L1).

    Raises :class:`~exactrelu.errors.WrongDimension` for a pattern of another
    shape, :class:`~exactrelu.errors.HypothesisNotMet` for analytic activations,
    and :class:`~exactrelu.errors.BudgetExceeded` beyond ``budget`` terms.

    >>> region = symbolic_pattern(Network.mlp([[[2]], [[3]]], [[5], [7]]), "+")
    >>> region.conditions
    (b[1][0] + w[1<-0][0,0]*x0 >= 0,)
    >>> region.outputs
    (b[1][0]*w[2<-1][0,0] + b[2][0] + w[1<-0][0,0]*w[2<-1][0,0]*x0,)
    """
    from sympy import Eq, Ge, Le, S

    check_budget(budget)
    branches = _branches(net, pattern)
    variables = _variables(net)
    sums, values = _forward(net, branches, variables, Budget("terms", DEFAULT_BUDGET if budget is None else budget))
    conditions = []
    for neuron, (_, _, low, high) in branches.items():
        total = _sum(sums[neuron])
        if low is not None and low == high:
            conditions.append(Eq(total, expression(low)))
            continue
        conditions += [] if low is None else [Ge(total, expression(low))]
        conditions += [] if high is None else [Le(total, expression(high))]
    return SymbolicRegion(
        fitting(net, pattern),
        variables,
        tuple(condition for condition in conditions if condition is not S.true),
        tuple(_sum(values[net.depth, i]) for i in range(net.output_dim)),
        tuple((_symbol(parameter.name), parameter.latex) for parameter in net.parameters),
    )


def piecewise(net: Network, domain: Domain | str | None = None, *, budget: int | None = None) -> tuple[Expr, ...]:
    r"""The whole function, one SymPy ``Piecewise`` per output.

    There is one piece per distinct affine map, and its condition is the union of
    the closed regions that have it. Where pieces overlap they agree, so the value
    is right on every boundary. Outside of ``domain`` it is undefined (``nan``).

    Raises what :func:`~exactrelu.regions.activation_regions` raises.

    >>> piecewise(Network.mlp([[[1], [-1]], [[1, 1]]]))
    (Piecewise((-x0, x0 <= 0), (x0, x0 >= 0)),)
    """
    from sympy import Or, Piecewise, S

    regions = [symbolic_region(region) for region in activation_regions(net, domain, budget=budget)]
    found = []
    for k in range(net.output_dim):
        pieces: dict[Expr, list[Boolean]] = {}
        for region in regions:
            pieces.setdefault(region.outputs[k], []).append(region.condition)
        pairs = [(output, Or(*conditions)) for output, conditions in pieces.items()]
        # SymPy would rewrite the conditions at length, so it is told not to.
        found.append(pairs[0][0] if pairs[0][1] is S.true else Piecewise(*pairs, evaluate=False))
    return tuple(found)


def _branches(net: Network, pattern: Pattern | str) -> dict[Neuron, Branch]:
    """The piece of its activation on which every neuron is, in the order of the neurons."""
    _ = net.unfolding  # refuses analytic activations
    shaped = fitting(net, pattern)
    codes = iter(code for group in shaped.signs for code in group)
    found = {}
    for number, layer in enumerate(net.layers, start=1):
        bending = set(bending_neurons(layer))
        for i, rho in enumerate(layer.activations):
            found[number, i] = _branch(rho, layer.is_numbered, next(codes) if i in bending else None)
    return found


def _branch(rho: Any, numbered: bool, code: int | None) -> Branch:
    assert isinstance(rho, PiecewiseLinear)
    zero = Fraction(0)
    if code is None:
        return (*rho.affine_piece(0), None, None)
    if not numbered and code == 0:
        return zero, zero, zero, zero
    piece = code if numbered else int(code > 0)
    ends = (None, *rho.breakpoints, None)
    return (*rho.affine_piece(piece), ends[piece], ends[piece + 1])


def _forward(
    net: Network, branches: dict[Neuron, Branch], variables: tuple[Symbol, ...], budget: Budget
) -> tuple[dict[Neuron, list[Term]], dict[Neuron, list[Term]]]:
    """The pre-activations and the values of all neurons, as sums of terms: one term per path that is open."""
    one = Fraction(1)
    sums: dict[Neuron, list[Term]] = {neuron: [] for neuron in branches}
    values: dict[Neuron, list[Term]] = {(0, j): [(one, (symbol,))] for j, symbol in enumerate(variables)}
    parameters = iter(net.parameters)
    parameter = next(parameters, None)
    for number, layer in enumerate(net.layers, start=1):
        while parameter is not None and parameter.target[0] == number:
            symbol = _symbol(parameter.name)
            before = [(one, ())] if parameter.source is None else values[parameter.source]
            budget.spend(len(before))
            sums[parameter.target] += [(coefficient, (*factors, symbol)) for coefficient, factors in before]
            parameter = next(parameters, None)
        for neuron in ((number, i) for i in range(layer.width)):
            slope, constant, _, _ = branches[neuron]
            values[neuron] = list(_applied(sums[neuron], slope, constant))
    return sums, values


def _applied(terms: list[Term], slope: Fraction, constant: Fraction) -> Iterator[Term]:
    if slope:
        yield from ((slope * coefficient, factors) for coefficient, factors in terms)
    if constant:
        yield constant, ()


def _sum(terms: list[Term]) -> Expr:
    from sympy import Add, Mul

    return Add(*(Mul(expression(coefficient), *factors) for coefficient, factors in terms))


def _affine(form: Vector, variables: tuple[Symbol, ...]) -> Expr:
    *row, constant = form
    return _sum([(constant, ()), *((entry, (x,)) for entry, x in zip(row, variables, strict=True))])


def _inequality(facet: Halfspace, variables: tuple[Symbol, ...]) -> Boolean:
    """The inequality of a half-space, with a positive coefficient in front."""
    from sympy import Ge, Le

    if next(entry for entry in facet.normal if entry) > 0:
        return Le(_affine((*facet.normal, Fraction(0)), variables), expression(facet.bound))
    return Ge(_affine((*facet.opposite.normal, Fraction(0)), variables), expression(-facet.bound))


def _variables(net: Network) -> tuple[Symbol, ...]:
    return tuple(_symbol(f"x{j}") for j in range(net.input_dim))


def _symbol(name: str) -> Symbol:
    from sympy import Symbol

    return Symbol(name)
