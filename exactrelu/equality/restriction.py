r"""A shallow network restricted to the affine hull of a lower-dimensional domain.

With :math:`x=p+Bt`, the network :math:`t\mapsto f(p+Bt)` is shallow again, and
the domain becomes one with interior points. So questions about values on a
lower-dimensional domain are questions of the full-dimensional kind.
"""

from __future__ import annotations

from fractions import Fraction

from ..polyhedra import Domain, Halfspace
from ..rationals import Matrix, Vector, dot, kernel
from .shallow import ShallowNetwork, primitive_form


def coordinates(domain: Domain) -> tuple[Vector, Matrix]:
    """A point of the domain, and a basis of the directions of its affine hull.

    >>> coordinates(Domain.polytope(vertices=[(0, 2), (2, 2)]))
    ((Fraction(1, 1), Fraction(2, 1)), ((Fraction(1, 1), Fraction(0, 1)),))
    """
    normals = [equation.normal for equation in domain.affine_hull]
    return domain.interior_point(), kernel(normals, domain.ambient_dimension)


def restricted(net: ShallowNetwork, domain: Domain) -> tuple[ShallowNetwork, Domain]:
    """The network and the domain in coordinates of the affine hull, of dimension at least 1."""
    point, basis = coordinates(domain)
    forms, outputs, scales = [], [], []
    for form, output, scale in zip(net.forms, net.outputs, net.scales, strict=True):
        weights = [Fraction(entry) for entry in form[:-1]]
        values = [*(dot(weights, direction) for direction in basis), dot(weights, point) + form[-1]]
        new, factor = primitive_form(values)
        forms.append(new)
        outputs.append(tuple(factor * entry for entry in output))
        scales.append(scale * factor)
    inner = ShallowNetwork(
        len(basis), net.output_dim, tuple(forms), tuple(outputs), net.constant, tuple(scales), True, net.output_bias
    )
    facets = [
        Halfspace([dot(facet.normal, direction) for direction in basis], facet.slack(point))
        for facet in domain.polyhedron.facets
    ]
    return inner, Domain.polytope(halfspaces=facets) if facets else Domain.space(len(basis))
