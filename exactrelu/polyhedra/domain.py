r"""The set of inputs on which a statement is meant: all of space, a box, or a polytope.

A :class:`Domain` is a nonempty closed convex polyhedron
:math:`X \subset \mathbb R^d`. Products of lines, half-lines and intervals
(``sides``) answer everything coordinate by coordinate; other domains go through
:class:`~exactrelu.polyhedra.Polyhedron`. Domains are equal when they are the
same set, however they were given.

>>> Domain.parse("[-1,1]x[0,3/2]").supremum([2, 1]).value
Fraction(7, 2)
>>> Domain.polytope(vertices=[(0, 0), (1, 0), (0, 1), (1, 1)]) == Domain.parse("[0,1]^2")
True
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from ..errors import InvalidDomain, WrongDimension
from ..rationals import Vector, rational, rational_vector
from .boxes import (
    Extremum,
    Side,
    box_generators,
    box_polyhedron,
    box_supremum,
    checked_side,
    middle,
    sides_of,
)
from .domain_text import MAX_DIMENSION, parse_sides, sides_text
from .halfspaces import Halfspace, Hyperplane
from .linear_program import Infeasible, Unbounded
from .polyhedron import Generators, Polyhedron


@dataclass(frozen=True, slots=True, eq=False, init=False, repr=False)
class Domain:
    r"""A nonempty closed convex polyhedron :math:`X \subset \mathbb R^d`, with :math:`d \ge 1`.

    Made by :meth:`space`, :meth:`box`, :meth:`polytope` or :meth:`parse`.
    ``sides`` holds one ``(lower, upper)`` per coordinate, ``None`` for no bound,
    if the domain is a product of intervals and lines; otherwise ``sides`` is ``None``.

    >>> str(Domain.space(3)), repr(Domain.box([(0, "1/2")] * 2))
    ('R^3', "Domain.parse('[0,1/2]^2')")
    """

    ambient_dimension: int
    sides: tuple[Side, ...] | None
    _memo: dict[str, Polyhedron] = field(repr=False)

    @classmethod
    def space(cls, dimension: int) -> Domain:
        r"""All of :math:`\mathbb R^d`.

        Raises :class:`~exactrelu.errors.WrongDimension` unless ``1 <= d <= 100000``.

        >>> Domain.space(2).infimum([0, 0], 5).value, Domain.space(2).infimum([1, 0]).value
        (Fraction(5, 1), None)
        """
        if isinstance(dimension, bool) or not isinstance(dimension, int) or not 1 <= dimension <= MAX_DIMENSION:
            raise WrongDimension("dimension", f"must be an integer between 1 and {MAX_DIMENSION}", dimension)
        return _product(((None, None),) * dimension)

    @classmethod
    def box(cls, sides: Iterable[tuple[object, object]]) -> Domain:
        r"""The product of the intervals :math:`[l_i, u_i]`; ``None`` stands for no bound.

        Raises :class:`~exactrelu.errors.InvalidDomain` where :math:`l_i > u_i`.

        >>> Domain.box([(0, 1), (2, 2)]).dimension
        1
        """
        return _product(tuple(checked_side(side, f"box[{i}]") for i, side in enumerate(sides)))

    @classmethod
    def polytope(
        cls,
        *,
        vertices: Iterable[Iterable[object]] | None = None,
        halfspaces: Iterable[Halfspace | tuple[Iterable[object], object]] | None = None,
    ) -> Domain:
        r"""The hull of points, or the intersection of half-spaces :math:`\langle n, x\rangle \le b`.

        ``halfspaces`` are :class:`Halfspace` or pairs ``(n, b)``; they may leave
        the domain unbounded. Points need not be extreme.

        Raises :class:`~exactrelu.errors.InvalidDomain` if the domain is empty or
        not exactly one of the two is given.

        >>> str(Domain.polytope(halfspaces=[((1, 1), 1), ((-1, 0), 0), ((0, -1), 0)]))
        '{x in R^2 : -x0 <= 0, -x1 <= 0, x0 + x1 <= 1}'
        """
        if (vertices is None) == (halfspaces is None):
            raise InvalidDomain("polytope", "must be given by vertices or by halfspaces")
        if vertices is not None:
            return cls.of_polyhedron(Polyhedron.from_generators(vertices))
        items = [_halfspace(item, f"halfspaces[{i}]") for i, item in enumerate(halfspaces or ())]
        if not items:
            raise InvalidDomain("halfspaces", 'must not be an empty list: write "R^d" for all of space')
        return cls.of_polyhedron(Polyhedron(items[0].dimension, items))

    @classmethod
    def parse(cls, content: str) -> Domain:
        """The domain of a text such as ``"[-1,1]^2xR"``; see :mod:`.domain_text`.

        Raises :class:`~exactrelu.errors.InvalidDomain` or
        :class:`~exactrelu.errors.InvalidNumber`.
        """
        if not isinstance(content, str):
            raise InvalidDomain("domain", "must be a text", content)
        return _product(parse_sides(content))

    @classmethod
    def of_polyhedron(cls, polyhedron: Polyhedron) -> Domain:
        """The domain of the same points.

        Raises :class:`~exactrelu.errors.InvalidDomain` for the empty set.
        """
        sides = sides_of(polyhedron.halfspaces, polyhedron.ambient_dimension)
        if sides is None:
            if polyhedron.emptiness is not None:
                found = list(map(str, polyhedron.emptiness.halfspaces))
                conflict = ", ".join(found) if max(map(len, found)) < 200 else f"{len(found)} of its half-spaces"
                raise InvalidDomain("domain", f"must not be empty, but no point satisfies all of {conflict}")
            polyhedron = polyhedron.canonical()
            sides = sides_of(polyhedron.halfspaces, polyhedron.ambient_dimension)
        if sides is not None:
            return _product(sides)
        return _make(polyhedron.ambient_dimension, None, {"polyhedron": polyhedron})

    @property
    def text(self) -> str | None:
        """The text that :meth:`parse` reads back, if there is one."""
        return None if self.sides is None else sides_text(self.sides)

    @property
    def polyhedron(self) -> Polyhedron:
        """The domain as a polyhedron, in canonical irredundant form."""
        if "polyhedron" not in self._memo:
            self._memo["polyhedron"] = box_polyhedron(self.sides or ())
        return self._memo["polyhedron"]

    @property
    def halfspaces(self) -> tuple[Halfspace, ...]:
        """Irredundant half-spaces, sorted; an equation of the affine hull counts as two."""
        return self.polyhedron.halfspaces

    @property
    def affine_hull(self) -> tuple[Hyperplane, ...]:
        """Independent equations that hold on the whole domain; none if full-dimensional.

        >>> str(Domain.polytope(vertices=[(0, 0), (1, 2)]).affine_hull[0])
        '2*x0 - x1 = 0'
        """
        return self.polyhedron.affine_hull

    @property
    def dimension(self) -> int:
        """The dimension of the affine hull."""
        if self.sides is not None:
            return sum(1 for lower, upper in self.sides if lower is None or lower != upper)
        return self.polyhedron.dimension

    @property
    def is_full_dimensional(self) -> bool:
        """Whether the domain has interior points."""
        return self.dimension == self.ambient_dimension

    @property
    def is_bounded(self) -> bool:
        """Whether the domain lies in a ball."""
        if self.sides is not None:
            return all(end is not None for side in self.sides for end in side)
        return self.polyhedron.is_bounded

    @property
    def is_space(self) -> bool:
        r"""Whether the domain is all of :math:`\mathbb R^d`."""
        return self.sides is not None and all(end is None for side in self.sides for end in side)

    @property
    def vertices(self) -> tuple[Vector, ...]:
        """The extreme points, sorted; modulo :attr:`lines` where there are any.

        >>> [tuple(map(int, vertex)) for vertex in Domain.parse("Rx[0,1]").vertices]
        [(0, 0), (0, 1)]
        """
        return self._generators.vertices

    @property
    def rays(self) -> tuple[Vector, ...]:
        """The extreme directions in which the domain is unbounded, sorted."""
        return self._generators.rays

    @property
    def lines(self) -> tuple[Vector, ...]:
        """A basis of the directions of the lines in the domain."""
        return self._generators.lines

    def interior_point(self) -> Vector:
        """A point of the relative interior; an interior point if full-dimensional."""
        if self.sides is not None:
            return tuple(map(middle, self.sides))
        return self.polyhedron.interior_point

    def contains(self, point: Iterable[object]) -> bool:
        """Whether a point of ``ambient_dimension`` exact coordinates lies in the domain."""
        if self.sides is None:
            return self.polyhedron.contains(point)
        exact = rational_vector(point, "point", length=self.ambient_dimension)
        ends = zip(exact, self.sides, strict=True)
        return all((lo is None or lo <= value) and (hi is None or value <= hi) for value, (lo, hi) in ends)

    def infimum(self, coefficients: Iterable[object], constant: object = 0) -> Extremum:
        r"""The infimum of :math:`\langle c, x\rangle + \gamma` over the domain.

        ``coefficients`` has ``ambient_dimension`` exact entries.

        >>> Domain.parse("[0,2]xR").infimum([-1, 0], 1).value
        Fraction(-1, 1)
        """
        negative = tuple(-entry for entry in self._vector(coefficients))
        found = self._supremum(negative, -rational(constant, "constant"))
        return Extremum(None if found.value is None else -found.value, found.point, found.ray)

    def supremum(self, coefficients: Iterable[object], constant: object = 0) -> Extremum:
        r"""The supremum of :math:`\langle c, x\rangle + \gamma` over the domain, as :meth:`infimum`.

        >>> Domain.parse("[0,2]xR").supremum([0, 1]).ray
        (Fraction(0, 1), Fraction(1, 1))
        """
        return self._supremum(self._vector(coefficients), rational(constant, "constant"))

    def require_full_dimensional(self, purpose: str) -> None:
        """Refuse a lower-dimensional domain, naming an equation of its affine hull.

        >>> Domain.box([(0, 1), (2, 2)]).require_full_dimensional("regions")
        Traceback (most recent call last):
            ...
        exactrelu.errors.InvalidDomain: domain: must have interior points for regions, but lies in x1 = 2
        """
        if not self.is_full_dimensional:
            raise InvalidDomain("domain", f"must have interior points for {purpose}, but lies in {self.affine_hull[0]}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Domain):
            return NotImplemented
        if self.sides is not None or other.sides is not None:
            return self.sides == other.sides
        return self.polyhedron == other.polyhedron

    def __hash__(self) -> int:
        return hash(self.sides) if self.sides is not None else hash(self.polyhedron)

    def __str__(self) -> str:
        if self.text is not None:
            return self.text
        conditions = ", ".join(map(str, (*self.affine_hull, *self.polyhedron.facets)))
        return f"{{x in R^{self.ambient_dimension} : {conditions}}}"

    def __repr__(self) -> str:
        if self.text is not None:
            return f"Domain.parse({self.text!r})"
        pairs = ", ".join(repr(item).removeprefix("Halfspace") for item in self.halfspaces)
        return f"Domain.polytope(halfspaces=[{pairs}])"

    @property
    def _generators(self) -> Generators:
        return self.polyhedron.generators if self.sides is None else box_generators(self.sides)

    def _supremum(self, vector: Vector, constant: Fraction) -> Extremum:
        if self.sides is not None:
            return box_supremum(self.sides, vector, constant)
        outcome = self.polyhedron.maximise(vector, constant)
        if isinstance(outcome, Infeasible):
            raise RuntimeError("internal error: a domain is never empty")
        if isinstance(outcome, Unbounded):
            return Extremum(None, outcome.point, outcome.ray)
        return Extremum(outcome.value, outcome.point)

    def _vector(self, coefficients: Iterable[object]) -> Vector:
        return rational_vector(coefficients, "coefficients", length=self.ambient_dimension)


def as_domain(value: Domain | str | None, dimension: int, argument: str = "domain") -> Domain:
    r"""The domain that an argument means: a :class:`Domain`, its text, or ``None`` for :math:`\mathbb R^d`.

    Raises :class:`~exactrelu.errors.WrongDimension` unless it lies in ``dimension`` coordinates.

    >>> as_domain(None, 2), as_domain("[0,1]^2", 2)
    (Domain.parse('R^2'), Domain.parse('[0,1]^2'))
    """
    domain = Domain.space(dimension) if value is None else Domain.parse(value) if isinstance(value, str) else value
    if not isinstance(domain, Domain):
        raise InvalidDomain(argument, "must be a Domain or its text", value)
    if domain.ambient_dimension != dimension:
        raise WrongDimension(argument, f"must have {dimension} coordinates", domain.ambient_dimension)
    return domain


def _halfspace(item: object, argument: str) -> Halfspace:
    if isinstance(item, Halfspace):
        return item
    if not isinstance(item, list | tuple) or len(item) != 2:
        raise InvalidDomain(argument, "must be a Halfspace or a pair (normal, bound)", item)
    return Halfspace(rational_vector(item[0], f"{argument} normal"), rational(item[1], f"{argument} bound"))


def _product(sides: tuple[Side, ...]) -> Domain:
    if not 1 <= len(sides) <= MAX_DIMENSION:
        raise WrongDimension("domain", f"must have between 1 and {MAX_DIMENSION} coordinates", len(sides))
    return _make(len(sides), sides, {})


def _make(dimension: int, sides: tuple[Side, ...] | None, memo: dict[str, Polyhedron]) -> Domain:
    domain = object.__new__(Domain)
    object.__setattr__(domain, "ambient_dimension", dimension)
    object.__setattr__(domain, "sides", sides)
    object.__setattr__(domain, "_memo", memo)
    return domain
