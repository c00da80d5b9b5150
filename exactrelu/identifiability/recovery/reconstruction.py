r"""A shallow network from the regions of its function: no weights, only affine maps and where they meet.

Theory: section 5.7, with the fibre of 5.2 and 5.4 G. A lesson in four steps, for
:math:`f(x)=c+\sum_iv_i\sigma(\ell_i(x))` with one neuron per hyperplane:

1. *Across a facet one neuron flips.* Left of it :math:`f` is an affine map
   :math:`A`, right of it :math:`A+v_i\ell_i`. The gradient jumps by the matrix
   :math:`v_i\otimes w_i` of rank one; it gives :math:`w_i` up to a factor, which
   the scaling of the neuron absorbs. A point of the facet gives :math:`b_i`.
2. *All facets on a hyperplane tell the same.* A function whose jump changes along
   a hyperplane, or whose facets bend, has no network with one hidden layer.
3. *Walking from region to region* adds these jumps to the map of the first region:
   :math:`f(x)=A_0(x)+\sum_Ha_H\sigma(\ell_H(x))` with all neurons off where we set out.
4. *Orientations are what the graph does not show.* :math:`a\,\sigma(-\ell)` has the
   same jump as :math:`a\,\sigma(\ell)`, and differs by the affine map :math:`a\,\ell`. The
   affine part has to come out right: :math:`A_0` must be a sum of some of the
   :math:`a_H\ell_H`, up to a constant. Each solution is a network; two of them differ by a set
   of neurons with :math:`\sum v_i\otimes w_i=0`. There is exactly one, and the walk
   ends where :math:`\theta` began, if no set of neurons has that sum.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...equality import Form, form_text, form_value, hyperplane, opposite
from ...equality.shallow import primitive_form
from ...errors import InvalidInput
from ...networks.evaluation import AffineMap
from ...polyhedra import Domain, as_domain
from ...rationals import Vector, dot, rational_matrix, rational_vector
from ...regions import RegionComplex
from .bent_function import Bend, BentFunction
from .black_box import BrokenPromise, point_text
from .least_networks import LeastNetworks, least_networks


@dataclass(frozen=True, slots=True)
class AffineRegion:
    """A region as an observer sees it: a point inside, and the affine map ``x -> matrix @ x + offset`` there."""

    interior_point: Vector
    affine_map: AffineMap


@dataclass(frozen=True, slots=True)
class AffineAtlas:
    """The regions of a function that cover a domain, and a point inside each facet that two of them share.

    ``adjacencies`` are triples ``(i, j, point)``. There are no patterns, no neurons
    and no weights. Regions must not cross a hyperplane along which the function bends.
    """

    domain: Domain
    regions: tuple[AffineRegion, ...]
    adjacencies: tuple[tuple[int, int, Vector], ...]

    @classmethod
    def of(
        cls,
        regions: Iterable[tuple[Iterable[object], Iterable[Iterable[object]], Iterable[object]]],
        adjacencies: Iterable[tuple[int, int, Iterable[object]]],
        domain: Domain | str | None = None,
    ) -> AffineAtlas:
        """An atlas by hand: regions as triples (interior point, matrix, offset).

        >>> AffineAtlas.of([([-1], [[-1]], [0]), ([1], [[1]], [0])], [(0, 1, [0])]).domain.is_space
        True
        """
        charts = []
        for number, (point, matrix, offset) in enumerate(regions):
            place = f"regions[{number}]"
            inside = rational_vector(point, place)
            rows = rational_matrix(matrix, place, columns=len(inside))
            charts.append(AffineRegion(inside, (rows, rational_vector(offset, place, length=len(rows)))))
        if not charts:
            raise InvalidInput("regions", "must contain at least one region")
        size, width = len(charts[0].interior_point), len(charts[0].affine_map[1])
        for number, chart in enumerate(charts):
            if (len(chart.interior_point), len(chart.affine_map[1])) != (size, width):
                raise InvalidInput(f"regions[{number}]", f"must have {size} inputs and {width} outputs like region 0")
        edges = []
        for number, (i, j, point) in enumerate(adjacencies):
            for index in (i, j):
                if type(index) is not int or not 0 <= index < len(charts):
                    raise InvalidInput(f"adjacencies[{number}]", f"must name regions 0 to {len(charts) - 1}", index)
            edges.append((i, j, rational_vector(point, f"adjacencies[{number}]", length=size)))
        return cls(as_domain(domain, size), tuple(charts), tuple(edges))

    @classmethod
    def of_complex(cls, complex: RegionComplex) -> AffineAtlas:
        """What can be seen of the activation regions of a network without looking inside."""
        charts = tuple(AffineRegion(region.interior_point, region.affine_map) for region in complex)
        edges = tuple((*edge.regions, edge.point) for edge in complex.adjacencies())
        return cls(complex.domain, charts, edges)


def reconstruct_from_graph(atlas: AffineAtlas, *, budget: int | None = None) -> LeastNetworks:
    r"""All shallow networks of least width with the function of an atlas, up to permutation and scaling.

    The domain of the atlas must be all of space or bounded. The affine maps of all
    regions are compared with those of the result. Raises :class:`BrokenPromise`
    where the function is none of one hidden layer, and
    :class:`~exactrelu.errors.InvalidInput` where the atlas contradicts itself.

    >>> absolute = AffineAtlas.of([([-1], [[-1]], [0]), ([1], [[1]], [0])], [(0, 1, [0])])
    >>> reconstruct_from_graph(absolute).networks
    (Network.mlp([[[1], [-1]], [[1, 1]]], [[0, 0], [0]]),)
    """
    jumps: dict[Form, Vector] = {}
    for i, j, point in atlas.adjacencies:
        bend = _across(atlas, i, j, point)
        if bend is not None:
            form, jump = bend
            if jumps.setdefault(hyperplane(form), jump) != jump:
                rule = f"must bend by the same jump along all of the hyperplane {form_text(hyperplane(form))} = 0"
                raise BrokenPromise("atlas", rule, point)
    start = atlas.regions[0]
    function = BentFunction(start.interior_point, start.affine_map)
    for form, jump in jumps.items():
        function = function.bent((form, jump))
    for number, region in enumerate(atlas.regions):
        if any(form_value(form, region.interior_point) == 0 for form in jumps):
            raise BrokenPromise("atlas", f"must bend along all of a hyperplane that cuts region {number}")
        if function.affine_at(region.interior_point) != region.affine_map:
            rule = f"must have the affine map in region {number} that the jumps on the way from region 0 add up to"
            raise BrokenPromise("atlas", rule, region.interior_point)
    return least_networks(function.network(), atlas.domain, budget=budget)


def _across(atlas: AffineAtlas, i: int, j: int, point: Vector) -> Bend | None:
    """The hyperplane of a facet, positive on the side of ``j``, and the jump; ``None`` if the maps are equal."""
    (before, _), (after, _) = atlas.regions[i].affine_map, atlas.regions[j].affine_map
    _require_continuity(atlas, i, j, point)
    difference = [[b - a for a, b in zip(old, new, strict=True)] for old, new in zip(before, after, strict=True)]
    normal = next((row for row in difference if any(row)), None)
    if normal is None:
        return None
    axis = next(k for k, entry in enumerate(normal) if entry)
    factors = [row[axis] / normal[axis] for row in difference]
    if any(
        entry != a * w for row, a in zip(difference, factors, strict=True) for entry, w in zip(row, normal, strict=True)
    ):
        raise BrokenPromise("atlas", f"must have a gradient jump of rank one between regions {i} and {j}", point)
    form, scale = primitive_form([*normal, -dot(normal, point)])
    sides = [form_value(form, atlas.regions[k].interior_point) for k in (i, j)]
    if sides[0] * sides[1] >= 0:
        raise InvalidInput(f"regions {i} and {j}", f"must lie on different sides of {form_text(form)} = 0")
    sign = 1 if sides[1] > 0 else -1
    return form if sign > 0 else opposite(form), tuple(sign * scale * a for a in factors)


def _require_continuity(atlas: AffineAtlas, i: int, j: int, point: Vector) -> None:
    values = []
    for k in (i, j):
        matrix, offset = atlas.regions[k].affine_map
        values.append([dot(row, point) + entry for row, entry in zip(matrix, offset, strict=True)])
    if values[0] != values[1]:
        raise InvalidInput(f"regions {i} and {j}", f"must agree at their common point {point_text(point)}")
