r"""Exact polyhedra, linear programs with proofs, and domains.

* :mod:`.domain`: the sets of inputs that statements are about
* :mod:`.json`: their file format
* :mod:`.polyhedron`: vertices, facets, interior points, extrema, volume
* :mod:`.linear_program`: optima with multipliers that have been multiplied out
* :mod:`.halfspaces`: half-spaces and hyperplanes with one spelling each

Below them: :mod:`.boxes` and :mod:`.domain_text` (products of intervals),
:mod:`.reduction` (canonical form), :mod:`.cones` (double description),
:mod:`.volume` and :mod:`.simplex` (integers only).
"""

from .boxes import Extremum, Side
from .domain import Domain, as_domain
from .domain_text import MAX_DIMENSION
from .halfspaces import Halfspace, Hyperplane
from .json import DOMAIN_FORMAT, domain_from_json, domain_to_json, read_domain
from .linear_program import Infeasible, Optimal, Outcome, Unbounded, maximise, maximise_rows, minimise
from .polyhedron import Generators, Polyhedron
from .reduction import EmptyPolyhedron, ReducedPolyhedron

__all__ = [
    "DOMAIN_FORMAT",
    "MAX_DIMENSION",
    "Domain",
    "EmptyPolyhedron",
    "Extremum",
    "Generators",
    "Halfspace",
    "Hyperplane",
    "Infeasible",
    "Optimal",
    "Outcome",
    "Polyhedron",
    "ReducedPolyhedron",
    "Side",
    "Unbounded",
    "as_domain",
    "domain_from_json",
    "domain_to_json",
    "maximise",
    "maximise_rows",
    "minimise",
    "read_domain",
]
