r"""Exact convex polyhedra: half-spaces, vertices, rays, extrema and volume.

A :class:`Polyhedron` is a finite intersection of closed half-spaces of
:math:`\mathbb R^d`. It may be empty, unbounded, contain lines, or lie in a
hyperplane. Two polyhedra are equal when they are the same set of points.

By linear programs, in any dimension: emptiness, affine hull, facets, interior
point, boundedness, extrema. By the double description method, for dimensions up
to about 6: vertices, rays, lines, volume, and half-spaces from generators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeVar, cast

from ..errors import InvalidDomain, WrongDimension
from ..rationals import Vector, kernel, primitive_integers, rational_vector, row_reduce
from .cones import Cone, generators
from .halfspaces import Halfspace, Hyperplane, Row, same_dimension
from .linear_program import Optimal, Outcome, maximise, maximise_rows, minimise
from .reduction import EmptyPolyhedron, ReducedPolyhedron, echelon_equations, modulo, reduced, tightest
from .volume import polytope_volume

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Generators:
    r"""A polyhedron as :math:`\operatorname{conv}(\text{vertices}) + \operatorname{cone}(\text{rays}) + \text{lines}`.

    Nothing is redundant. Where there are lines, vertices and rays stand for
    their classes modulo the lines and have zeros at the pivots of these.
    """

    vertices: tuple[Vector, ...]
    rays: tuple[Vector, ...]
    lines: tuple[Vector, ...]


@dataclass(frozen=True, slots=True, eq=False, init=False)
class Polyhedron:
    r"""The set :math:`\{x \in \mathbb R^d : n_i x \le b_i \text{ for all } i\}`.

    ``halfspaces`` are kept as given, but for repetitions, looser copies and
    the whole space; they are sorted. Everything else is computed when asked for.

    Raises :class:`~exactrelu.errors.WrongDimension` where lengths differ.

    >>> triangle = Polyhedron(2, [Halfspace([-1, 0], 0), Halfspace([0, -1], 0), Halfspace([1, 1], 1)])
    >>> triangle.volume, triangle.dimension, triangle.is_bounded
    (Fraction(1, 2), 2, True)
    >>> [tuple(map(int, vertex)) for vertex in triangle.vertices]
    [(0, 0), (0, 1), (1, 0)]
    """

    ambient_dimension: int
    halfspaces: tuple[Halfspace, ...]
    _memo: dict[str, Any] = field(repr=False)

    def __init__(self, ambient_dimension: int, halfspaces: Iterable[Halfspace]) -> None:
        halfspaces = tuple(halfspaces)
        if isinstance(ambient_dimension, bool) or not isinstance(ambient_dimension, int) or ambient_dimension < 1:
            raise WrongDimension("ambient_dimension", "must be an integer, at least 1", ambient_dimension)
        same_dimension(halfspaces, ambient_dimension, "halfspaces")
        object.__setattr__(self, "ambient_dimension", ambient_dimension)
        object.__setattr__(self, "halfspaces", tightest(halfspaces))
        object.__setattr__(self, "_memo", {})

    @classmethod
    def from_reduced(cls, ambient_dimension: int, description: ReducedPolyhedron) -> Polyhedron:
        """A polyhedron whose canonical description is already known; it is not checked."""
        sides = [side for equation in description.equations for side in equation.halfspaces]
        polyhedron = cls(ambient_dimension, (*description.facets, *sides))
        polyhedron._memo["reduced"] = description
        return polyhedron

    @classmethod
    def from_generators(
        cls,
        vertices: Iterable[Iterable[object]],
        *,
        rays: Iterable[Iterable[object]] = (),
        lines: Iterable[Iterable[object]] = (),
    ) -> Polyhedron:
        r"""The polyhedron :math:`\operatorname{conv}(V) + \operatorname{cone}(R) + \operatorname{span}(L)`.

        At least one vertex; redundant generators are allowed.

        Raises :class:`~exactrelu.errors.InvalidDomain` without vertices,
        :class:`~exactrelu.errors.WrongDimension` where lengths differ.

        >>> Polyhedron.from_generators([[0], [2], [1]]).halfspaces
        (Halfspace((-1,), 0), Halfspace((1,), 2))
        """
        points = [rational_vector(point, f"vertices[{i}]") for i, point in enumerate(vertices)]
        if not points:
            raise InvalidDomain("vertices", "must contain at least one point")
        size = len(points[0])
        points = [rational_vector(point, f"vertices[{i}]", length=size) for i, point in enumerate(points)]
        directions = [rational_vector(ray, f"rays[{i}]", length=size) for i, ray in enumerate(rays)]
        both_ways = [rational_vector(line, f"lines[{i}]", length=size) for i, line in enumerate(lines)]
        directions += [tuple(sign * entry for entry in line) for line in both_ways for sign in (1, -1)]
        return cls.from_reduced(size, _hull(points, directions))

    def canonical(self) -> Polyhedron:
        """The same set with canonical, irredundant half-spaces; two for each equation.

        >>> Polyhedron(1, [Halfspace([1], 2), Halfspace([-1], -2)]).canonical().affine_hull
        (Hyperplane((1,), 2),)
        """
        return Polyhedron.from_reduced(self.ambient_dimension, self._nonempty)

    @property
    def is_empty(self) -> bool:
        """Whether no point satisfies all half-spaces."""
        return isinstance(self._reduced, EmptyPolyhedron)

    @property
    def emptiness(self) -> EmptyPolyhedron | None:
        """The proof that the polyhedron is empty, if it is."""
        return self._reduced if isinstance(self._reduced, EmptyPolyhedron) else None

    @property
    def affine_hull(self) -> tuple[Hyperplane, ...]:
        """Independent equations of the affine hull, in reduced row echelon form; none if full-dimensional.

        Raises :class:`~exactrelu.errors.InvalidDomain` on the empty set, as do
        :attr:`facets`, :attr:`interior_point`, and the extrema.
        """
        return self._nonempty.equations

    @property
    def facets(self) -> tuple[Halfspace, ...]:
        """One half-space per facet; with :attr:`affine_hull` a canonical, irredundant description."""
        return self._nonempty.facets

    @property
    def interior_point(self) -> Vector:
        """A point of the relative interior."""
        return self._nonempty.interior_point

    @property
    def dimension(self) -> int:
        """The dimension of the affine hull; -1 for the empty set."""
        return -1 if self.is_empty else self.ambient_dimension - len(self.affine_hull)

    @property
    def is_full_dimensional(self) -> bool:
        """Whether the polyhedron has interior points in the surrounding space."""
        return self.dimension == self.ambient_dimension

    @property
    def is_bounded(self) -> bool:
        """Whether the polyhedron lies in a ball; the empty set does."""
        return self.is_empty or self.recession_direction is None

    @property
    def recession_direction(self) -> Vector | None:
        r"""A nonzero *r* with :math:`x + sr \in P` for all :math:`x \in P, s \ge 0`; ``None`` if bounded."""
        return self._remember("recession", self._find_recession)

    @property
    def vertices(self) -> tuple[Vector, ...]:
        """The extreme points, sorted; modulo :attr:`lines` where there are any."""
        return self.generators.vertices

    @property
    def rays(self) -> tuple[Vector, ...]:
        """The extreme directions of the recession cone as primitive integer vectors, sorted."""
        return self.generators.rays

    @property
    def lines(self) -> tuple[Vector, ...]:
        """A basis of the lineality space in reduced row echelon form, scaled to integers."""
        return self.generators.lines

    @property
    def generators(self) -> Generators:
        """Vertices, rays and lines together; all empty for the empty set."""
        return self._remember("generators", self._find_generators)

    @property
    def volume(self) -> Fraction:
        """The volume in the surrounding space: 0 when lower-dimensional or empty.

        Raises :class:`~exactrelu.errors.InvalidDomain` if it is infinite.
        """
        return self._remember("volume", self._find_volume)

    def contains(self, point: Iterable[object]) -> bool:
        """Whether a point of ``ambient_dimension`` exact coordinates satisfies all half-spaces."""
        exact = rational_vector(point, "point", length=self.ambient_dimension)
        return all(item.contains(exact) for item in self.halfspaces)

    def maximise(self, objective: Iterable[object], constant: object = 0) -> Outcome:
        """The maximum of an affine form, with multipliers in the order of ``halfspaces``."""
        vector = rational_vector(objective, "objective", length=self.ambient_dimension)
        return maximise(vector, self.halfspaces, constant=constant)

    def minimise(self, objective: Iterable[object], constant: object = 0) -> Outcome:
        """The minimum of an affine form, with multipliers in the order of ``halfspaces``."""
        vector = rational_vector(objective, "objective", length=self.ambient_dimension)
        return minimise(vector, self.halfspaces, constant=constant)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Polyhedron):
            return NotImplemented
        return self.ambient_dimension == other.ambient_dimension and self._canonical == other._canonical

    def __hash__(self) -> int:
        return hash((self.ambient_dimension, self._canonical))

    @property
    def _canonical(self) -> object:
        return None if self.is_empty else (self.affine_hull, self.facets)

    @property
    def _reduced(self) -> ReducedPolyhedron | EmptyPolyhedron:
        return self._remember("reduced", lambda: reduced(self.halfspaces, self.ambient_dimension))

    @property
    def _nonempty(self) -> ReducedPolyhedron:
        if isinstance(self._reduced, EmptyPolyhedron):
            raise InvalidDomain("polyhedron", "must not be empty")
        return self._reduced

    def _remember(self, name: str, compute: Callable[[], Value]) -> Value:
        if name not in self._memo:
            self._memo[name] = compute()
        return cast("Value", self._memo[name])

    def _find_recession(self) -> Vector | None:
        """Maximise the total descent of all half-spaces over the recession cone."""
        normals = [item.row[:-1] for item in self.halfspaces]
        descent = [-sum(column) for column in zip(*normals, strict=True)] or [0] * self.ambient_dimension
        best = maximise_rows(descent, [*((*normal, 0) for normal in normals), (*descent, 1)])
        if isinstance(best, Optimal) and best.value > 0:
            return best.point
        lines = kernel([item.normal for item in self.halfspaces], self.ambient_dimension)
        return lines[0] if lines else None

    def _cone(self) -> Cone:
        """The cone over the polyhedron at height 1: bit 0 is the height, then facets, then equations."""
        size = self.ambient_dimension
        items = [*self.facets, *(side for equation in self.affine_hull for side in equation.halfspaces)]
        rows = [[*(-entry for entry in item.row[:-1]), item.row[-1]] for item in items]
        return generators([[0] * size + [1], *rows], size + 1)

    def _find_generators(self) -> Generators:
        if self.is_empty:
            return Generators((), (), ())
        cone = self._cone()
        lines, pivots = row_reduce([_fractions(line[:-1]) for line in cone.lines])

        def shifted(vector: Vector) -> Vector:
            for line, pivot in zip(lines, pivots, strict=True):
                vector = tuple(a - vector[pivot] * b for a, b in zip(vector, line, strict=True))
            return vector

        points = [shifted(tuple(Fraction(a, ray[-1]) for a in ray[:-1])) for ray in cone.rays if ray[-1]]
        rays = [primitive_integers(shifted(_fractions(ray[:-1]))) for ray in cone.rays if not ray[-1]]
        return Generators(
            tuple(sorted(points)),
            tuple(map(_fractions, sorted(rays))),
            tuple(_fractions(primitive_integers(line)) for line in lines),
        )

    def _find_volume(self) -> Fraction:
        if not self.is_full_dimensional:
            return Fraction(0)
        if not self.is_bounded:
            raise InvalidDomain("polyhedron", "must be bounded to have a finite volume")
        cone = self._cone()
        return polytope_volume(cone.rays, [mask >> 1 for mask in cone.masks], len(self.facets))


def _hull(points: Sequence[Vector], directions: Sequence[Vector]) -> ReducedPolyhedron:
    """Facets of a hull: the inequalities that hold on all generators form the dual cone."""
    size = len(points[0])
    rows: list[Row] = [primitive_integers((*point, Fraction(1))) for point in points]
    rows += [(*primitive_integers(ray), 0) for ray in directions if any(ray)]
    dual = generators(sorted(set(rows)), size + 1)
    equations = echelon_equations([_fractions((*(-a for a in line[:-1]), line[-1])) for line in dual.lines])
    facets = [Halfspace.from_row([*(-a for a in ray[:-1]), ray[-1]]) for ray in dual.rays if any(ray[:-1])]
    count = Fraction(len(points))
    centre = [sum(column, Fraction(0)) / count for column in zip(*points, strict=True)]
    inside = tuple(sum(column, Fraction(0)) for column in zip(centre, *directions, strict=True))
    return ReducedPolyhedron(equations, tightest(modulo(facet, equations) for facet in facets), inside)


def _fractions(vector: Sequence[int]) -> Vector:
    return tuple(map(Fraction, vector))
