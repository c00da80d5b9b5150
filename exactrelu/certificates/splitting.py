r"""Split trees: all cells of one or more networks on a domain, with a proof that there are no others.

The tree goes through the bending neurons in their order. Below a node the pre-activation :math:`z` of its neuron is
affine, and the open cells where :math:`z` lies between two breakpoints are its children; where :math:`z` is constant
there is one child, without an inequality. A cell of inequalities :math:`\langle\alpha_i,x\rangle<\beta_i` is *empty*
by Farkas' lemma: :math:`y\ge0`, :math:`y\ne0` with :math:`\sum_iy_i\alpha_i=0` and :math:`\sum_iy_i\beta_i\le0`.

One or two linear programs per node are enough. A point inside the cell shows one child to be nonempty; the optimum of
:math:`z` on the closed cell either bounds it, with multipliers, or leads to a point inside the next child.

Theory: section 4 and section 7.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import mul
from typing import TypeAlias

from ..errors import BudgetExceeded
from ..polyhedra import Domain, Infeasible, Optimal, Unbounded, maximise_rows
from ..rationals import Vector, common_denominator, primitive_integers, scaled_integers
from . import notation
from .notation import Combination, Name
from .readings import Bend, Form, Reading, State

Row: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Inequality:
    r"""The inequality :math:`\langle\alpha,x\rangle<\beta`; ``row`` is ``scale`` :math:`>0` times it, in integers."""

    name: Name
    row: Row
    scale: int

    @classmethod
    def of(cls, name: Name, normal: Sequence[Fraction], bound: Fraction) -> Inequality:
        """The inequality with these numbers."""
        scale = common_denominator((*normal, bound))
        return cls(name, tuple(scaled_integers((*normal, bound), scale)), scale)

    def holds(self, point: Vector) -> bool:
        """Whether a point is inside."""
        return bool(sum(map(mul, self.row, point)) < self.row[-1])


@dataclass(frozen=True, slots=True)
class Branch:
    """An inner node: the trees below it, one for each of ``states``, follow one after the other."""

    network: int
    neuron: tuple[int, int]
    states: tuple[State, ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    """A nonempty cell: a point inside, the states of all bending neurons, the outputs, and its inequalities."""

    point: Vector
    states: tuple[State, ...]
    outputs: tuple[tuple[Form, ...], ...]
    rows: tuple[Inequality, ...]


@dataclass(frozen=True, slots=True)
class Empty:
    """An empty cell, with the combination that refutes it."""

    combination: Combination


Node: TypeAlias = Branch | Leaf | Empty


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell on the way down: what has been split, and which layer comes next."""

    network: int
    layer: int
    rows: tuple[Inequality, ...]
    point: Vector
    states: tuple[State, ...]
    values: tuple[tuple[Form, ...], ...]  # of the layers of this network that are complete, inputs first
    forms: tuple[Form, ...]  # the pre-activations of this layer
    row: tuple[Form, ...]  # the values of its neurons so far
    outputs: tuple[tuple[Form, ...], ...]
    equations: tuple[Inequality, ...] = ()  # with = for <


Children: TypeAlias = Callable[[Sequence[Reading], Cell], tuple[Branch, Sequence[Cell | Empty]]]


def split(
    readings: Sequence[Reading], domain: Domain, *, budget: int | None = None, children: Children | None = None
) -> Iterator[Node]:
    """The nodes of the split tree of networks on a domain with interior points, in preorder.

    ``children`` finds the cells below a node; by default the pieces of its neuron.

    Raises :class:`~exactrelu.errors.BudgetExceeded` beyond ``budget`` nonempty cells.
    """
    rows = tuple(Inequality.of(j, *wall) for j, wall in enumerate(notation.walls(domain)))
    waiting: list[Cell | Empty] = [whole(readings[0], rows, domain.interior_point())]
    count = 0
    while waiting:
        cell = waiting.pop()
        if isinstance(cell, Empty):
            yield cell
            continue
        cell = advanced(readings, cell)
        if cell.network == len(readings):
            count += 1
            if budget is not None and count > budget:
                raise BudgetExceeded("cells", budget)
            yield Leaf(cell.point, cell.states, cell.outputs, cell.rows)
            continue
        branch, below = (children or pieces)(readings, cell)
        yield branch
        waiting += reversed(below)


def whole(reading: Reading, rows: tuple[Inequality, ...] = (), point: Vector = ()) -> Cell:
    """The cell in which nothing has been split."""
    return Cell(0, 1, rows, point, (), (reading.inputs,), (), (), ())


def advanced(readings: Sequence[Reading], cell: Cell) -> Cell:
    """The cell at its next bending neuron, with the affine ones before it done; or past the last network."""
    while cell.network < len(readings):
        reading = readings[cell.network]
        bends, row = reading.layers[cell.layer - 1].bends, cell.row
        if not row:
            forms = tuple(reading.form((cell.layer, i), cell.values) for i in range(len(bends)))
            cell = replace(cell, forms=forms)
        while len(row) < len(bends) and not bends[len(row)].breakpoints:
            row = (*row, bends[len(row)].applied((0, False), cell.forms[len(row)]))
        if len(row) < len(bends):
            return replace(cell, row=row)
        cell = replace(cell, layer=cell.layer + 1, values=(*cell.values, row), row=())
        if cell.layer > len(reading.layers):
            following = readings[cell.network + 1 : cell.network + 2]
            values = (following[0].inputs,) if following else ()
            cell = replace(cell, network=cell.network + 1, layer=1, values=values, outputs=(*cell.outputs, row))
    return cell


def entered(cell: Cell, bend: Bend, state: State, point: Vector, *rows: Inequality) -> Cell:
    """The cell below one in which its next neuron has a state, by further inequalities, with a point inside."""
    row = (*cell.row, bend.applied(state, cell.forms[len(cell.row)]))
    return replace(cell, rows=cell.rows + rows, point=point, states=(*cell.states, state), row=row)


def constant(cell: Cell, bend: Bend, neuron: tuple[int, int]) -> tuple[Branch, list[Cell | Empty]] | None:
    """The node of a neuron whose form is constant on a cell; ``None`` if it is not."""
    form = cell.forms[neuron[1]]
    if any(form[:-1]):
        return None
    state = bend.state(form[-1])
    return Branch(cell.network, neuron, (state,)), [entered(cell, bend, state, cell.point)]


def pieces(readings: Sequence[Reading], cell: Cell) -> tuple[Branch, list[Cell | Empty]]:
    """The node of the next bending neuron with the cells below it, one per piece."""
    neuron = cell.layer, len(cell.row)
    form, bend = cell.forms[neuron[1]], readings[cell.network].bend(neuron)
    known = constant(cell, bend, neuron)
    if known is not None:
        return known
    range_ = _Range(cell, form, bend.breakpoints)
    children: list[Cell | Empty] = []
    for k in range(len(bend.breakpoints) + 1):
        found = range_.piece(k)
        if isinstance(found, Empty):
            children.append(found)
        else:
            children.append(entered(cell, bend, (k, False), found, *range_.inequalities(k)))
    return Branch(cell.network, neuron, tuple((k, False) for k in range(len(children)))), children


class _Range:
    """What values a form that is not constant takes on a cell: for each piece a point, or a refutation."""

    def __init__(self, cell: Cell, form: Form, breakpoints: Sequence[Fraction]) -> None:
        self.cell, self.form, self.breakpoints = cell, form, breakpoints
        self.name = (cell.network, cell.layer, len(cell.row))
        self.scale = common_denominator(form)
        self.integers = scaled_integers(form, self.scale)
        self.point = self._off_breakpoints(cell.point)
        self.own = sum(breakpoint < self._value(self.point) for breakpoint in breakpoints)
        self._ends: dict[int, Optimal | Unbounded] = {}

    def inequalities(self, k: int) -> tuple[Inequality, ...]:
        """The inequalities of piece ``k``."""
        found = []
        if k > 0:
            normal, bound = [-entry for entry in self.form[:-1]], self.form[-1] - self.breakpoints[k - 1]
            found.append(Inequality.of((*self.name, k), normal, bound))
        if k < len(self.breakpoints):
            found.append(Inequality.of((*self.name, k + 1), self.form[:-1], self.breakpoints[k] - self.form[-1]))
        return tuple(found)

    def piece(self, k: int) -> Vector | Empty:
        """A point of the cell where the form is on piece ``k``, or a refutation."""
        if k == self.own:
            return self.point
        side = 1 if k > self.own else -1
        near = self.breakpoints[k - 1 if side > 0 else k]  # the end of the piece that is nearer to the point
        far = self.breakpoints[k if side > 0 else k - 1] if 0 < k < len(self.breakpoints) else None
        end = self._end(side)
        limit = far
        if isinstance(end, Optimal):
            value = (side * end.value + self.integers[-1]) / self.scale
            if side * (value - near) <= 0:
                return self._refuted(end, (*self.name, k if side > 0 else k + 1))
            if far is None or side * (far - value) > 0:
                limit = value
        target = near + side if limit is None else (near + limit) / 2
        return simple(self._towards(end, target), (*self.inequalities(k), *reversed(self.cell.rows)))

    def _refuted(self, end: Optimal, own: Name) -> Empty:
        """The multipliers of an optimum, with those of the inequality that it contradicts."""
        terms: list[tuple[Name, Fraction]] = [
            (item.name, weight * item.scale / self.scale)
            for item, weight in zip(self.cell.rows, end.multipliers, strict=True)
            if weight
        ]
        return Empty(coprime([*terms, (own, Fraction(1))]))

    def _end(self, side: int) -> Optimal | Unbounded:
        """The greatest value of the form (``side`` 1), or of its negative."""
        if side not in self._ends:
            objective = [side * entry for entry in self.integers[:-1]]
            outcome = maximise_rows(objective, [item.row for item in self.cell.rows])
            assert not isinstance(outcome, Infeasible)  # the cell has a point
            self._ends[side] = outcome
        return self._ends[side]

    def _towards(self, end: Optimal | Unbounded, target: Fraction) -> Vector:
        """The point on the way to an end at which the form has a value; it is inside the cell, as the start is."""
        start = self._value(self.point)
        if isinstance(end, Unbounded):
            ray = end.ray
        else:
            ray = tuple(e - p for e, p in zip(end.point, self.point, strict=True))
        speed = sum(map(mul, self.integers[:-1], ray)) / Fraction(self.scale)
        step = (target - start) / speed
        return tuple(p + step * r for p, r in zip(self.point, ray, strict=True))

    def _off_breakpoints(self, point: Vector) -> Vector:
        """The point, moved a little if the form has a breakpoint as its value there."""
        if self._value(point) not in self.breakpoints:
            return point
        for bits in _exponents():
            moved = tuple(p + Fraction(a, 2**bits) for p, a in zip(point, self.integers, strict=False))
            if self._value(moved) not in self.breakpoints and all(item.holds(moved) for item in self.cell.rows):
                break
        return moved

    def _value(self, point: Vector) -> Fraction:
        return Fraction(sum(map(mul, self.integers, point)) + self.integers[-1]) / self.scale


def simple(point: Vector, rows: Sequence[Inequality]) -> Vector:
    """A point with small denominators inside the same cell."""
    for bits in _exponents(common_denominator(point).bit_length()):
        rounded = tuple(Fraction(round(entry * 2**bits), 2**bits) for entry in point)
        if all(item.holds(rounded) for item in rows):
            return rounded
    return point


def _exponents(most: int | None = None) -> Iterator[int]:
    """0, 1, 2, ..., 16, 32, 64, ...: small ones first, large ones soon."""
    bits = 0
    while most is None or bits < most:
        yield bits
        bits += bits if bits >= 16 else 1


def coprime(terms: Sequence[tuple[Name, Fraction]]) -> Combination:
    """A combination in coprime integers, which refutes the same."""
    weights = primitive_integers([weight for _, weight in terms])
    return tuple((name, Fraction(weight)) for (name, _), weight in zip(terms, weights, strict=True))


class Written:
    """The nodes of a tree as a certificate writes them, with combinations shared."""

    def __init__(self, nodes: Iterable[Node], leaf: Callable[[Leaf], object]) -> None:
        self._known: dict[Combination, int] = {}
        self.leaves = 0
        self.tree: list[object] = [self._node(node, leaf) for node in nodes]

    @property
    def combinations(self) -> list[object]:
        """The combinations, in the order of their first use."""
        return [notation.combination(terms) for terms in self._known]

    def _node(self, node: Node, leaf: Callable[[Leaf], object]) -> object:
        if isinstance(node, Branch):
            return [node.network, *node.neuron]
        if isinstance(node, Empty):
            return {"empty": self._known.setdefault(node.combination, len(self._known))}
        self.leaves += 1
        return leaf(node)
