r"""Evidence about networks with one hidden layer: local and global identifiability, and the minimal width.

Theory: ``shallow_local`` (5.4 D), ``shallow_bounded_global`` (5.3 C), ``shallow_space_global`` (5.4 E),
``shallow_minimal_width`` (5.4 G).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

from ..equality import hyperplane, reduce, shallow, why_not_shallow
from ..errors import Undecided
from ..identifiability.shallow.shallow_global import flip_vectors
from ..identifiability.shallow.shallow_local import origin_is_interior
from ..identifiability.shallow.walls import walls
from ..identifiability.shallow.zero_sums import zero_sum
from ..networks import Network
from ..polyhedra import Domain, Halfspace, Hyperplane, Optimal, maximise
from . import notation
from .equality import inside
from .neuron_types import types_json
from .ranks import minor

MOST_SEARCHED: Final = 40
"""The largest number of neurons whose subsets a checker searches."""


def by_shallow_conditions(net: Network, domain: Domain) -> dict[str, Any] | None:
    """The evidence of local identifiability for a network that is known to have it; ``None`` if no claim covers it.

    Certificates cover all shallow networks, without hidden biases on domains with 0 inside.
    """
    if why_not_shallow(net) is not None or not domain.is_full_dimensional:
        return None
    view, types = shallow(net), types_json(net, domain)
    if not view.hidden_biases and not origin_is_interior(domain):
        return None
    evidence = {"interior": inside(domain), "types": types}
    on = [i for i, entry in enumerate(types) if isinstance(entry, dict) and "on" in entry]
    pairs = [wall.form for wall in walls(view, range(view.size)) if wall.is_pair and not wall.cancels] if on else []
    return {**evidence, "rigid": _rigid(view.forms[on[0]], pairs, domain)} if pairs else evidence


def _rigid(form: Sequence[int], pairs: Sequence[Sequence[int]], domain: Domain) -> list[list[str]]:
    r"""Points :math:`(x,1)` and directions :math:`(r,0)` of the domain with sum :math:`q`, on which a form is 0.

    There the forms of opposite pairs have full rank, and they vanish at :math:`q`. So no combination of them is
    nonnegative at all of these points, except 0.
    """
    size = len(form)
    homogeneous = [Halfspace((*normal, -bound), 0) for normal, bound in notation.walls(domain)]
    homogeneous.append(Halfspace([-int(k == size - 1) for k in range(size)], 0))
    found = []
    for wall in range(len(pairs)):
        for side in (1, -1):
            values = [(pair, side * int(k == wall)) for k, pair in enumerate(pairs)]
            outcome = maximise([0] * size, homogeneous, equations=[Hyperplane(f, v) for f, v in [(form, 0), *values]])
            assert isinstance(outcome, Optimal)  # otherwise the network would not be locally identifiable
            found.append(outcome.point)
    return notation.matrix(found)


def has_twins(net: Network) -> bool:
    """Whether two neurons of a shallow network share a hyperplane."""
    forms = [hyperplane(form) for form in shallow(net).forms]
    return len(set(forms)) < len(forms)


def global_evidence(net: Network, domain: Domain) -> dict[str, Any]:
    """The evidence of global identifiability for a network that is known to have it.

    Raises :class:`~exactrelu.errors.Undecided` for cases that certificates do not cover.
    """
    local = by_shallow_conditions(net, domain)
    if local is None or "rigid" in local:
        raise Undecided("no certificate of global identifiability covers this case")
    return {**local, "flips": "exhaustive" if has_twins(net) else _flips(net)}


def _flips(net: Network) -> Any:
    """The evidence that no nonempty set of neurons can be flipped."""
    view = shallow(net)
    count, found = view.size, zero_sum(flip_vectors(view))
    assert not isinstance(found, tuple)  # the network is globally identifiable
    if len(found.independent) == count:
        return {"minor": minor(_flip_matrix(net), count)}
    if len(found.positive) == count:
        return {"functional": notation.numbers(found.functional)}
    if count > MOST_SEARCHED:
        raise Undecided(f"certificates search the subsets of at most {MOST_SEARCHED} neurons, and not of {count}")
    return "exhaustive"


def _flip_matrix(net: Network) -> list[list[Fraction]]:
    """One row per neuron: its outgoing weights times its incoming ones (with the bias if there is no output bias)."""
    hidden, output = net.layers
    matrix = output.blocks[0][1]
    rows = []
    for i, weights in enumerate(hidden.blocks[0][1]):
        bias = (hidden.bias[i],) if hidden.bias is not None and output.bias is None else ()
        rows.append([(v[i] or 0) * (w or Fraction(0)) for v in matrix for w in (*weights, *bias)])
    return rows


def width_evidence(net: Network, domain: Domain, *, budget: int | None = None) -> tuple[int, dict[str, Any]]:
    """The minimal width of a shallow network, and its evidence: a network of that width with the same function.

    Raises as :func:`~exactrelu.equality.minimal_width.minimal_width`.
    """
    small = reduce(net, domain, budget=budget)
    width = sum(small.widths[1:-1])
    types = [types_json(net, domain), types_json(small, domain) if width else []]
    return width, {"network": notation.network(small), "interior": inside(domain), "types": types}
