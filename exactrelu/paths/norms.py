r"""Path norms and path metrics by one forward pass, without enumerating paths.

*The metric.* Send every partial path to the point
:math:`[\Phi_p(\theta):\Phi_p(\theta')]` of the projective line. A further
parameter :math:`(w,w')` moves it to :math:`[w\,\Phi_p(\theta):w'\,\Phi_p(\theta')]`,
so that partial paths with one end and one point share their future, and only the
sum of their sizes is kept. Where :math:`\theta` and :math:`\theta'` differ in few
places, or by a rescaling, there are few points; in the worst case as many as paths.

*The bound* (Gonon, Brisebarre, Riccietti and Gribonval, *A Rescaling-Invariant
Lipschitz Bound*, arXiv 2405.15006). If no parameter changes its sign, then

.. math:: \|R_\theta(x)-R_{\theta'}(x)\|_1\le\max(\|x\|_\infty,1)\,\|\Phi(\theta)-\Phi(\theta')\|_1.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final, TypeAlias

from ..errors import Budget, DifferentArchitecture, HypothesisNotMet, InvalidDomain, InvalidInput, check_budget
from ..networks import Network
from ..polyhedra import Domain, as_domain
from ..verdicts import Neuron, brief

Ratio: TypeAlias = tuple[Fraction, Fraction]
"""A point of the projective line, with its first nonzero coordinate equal to 1."""

DEFAULT_BUDGET: Final = 1_000_000
"""The number of products that :func:`path_metric` forms unless another budget is given."""
ZERO, ONE = Fraction(0), Fraction(1)


def path_norm(net: Network, q: int = 1) -> Fraction:
    r"""The number :math:`\|\Phi(\theta)\|_q^q=\sum_p|\Phi_p(\theta)|^q` for an integer :math:`q\ge1`.

    It is the sum of the outputs of the network with parameters
    :math:`|\theta_e|^q` and no activations, at the all-ones input. For
    :math:`q=1` this is the path norm itself; for larger :math:`q` the root of
    the result is the norm (and usually irrational).

    >>> path_norm(Network.mlp([[[2], [-1]], [[3, 1]]]))
    Fraction(7, 1)
    >>> path_norm(Network.mlp([[[2], [-1]], [[3, 1]]]), q=2)
    Fraction(37, 1)
    """
    _check_exponent(q)
    totals = {(0, j): ONE for j in range(net.input_dim)}
    for parameter in net.parameters:
        before = ONE if parameter.source is None else totals.get(parameter.source, ZERO)
        totals[parameter.target] = totals.get(parameter.target, ZERO) + before * abs(parameter.value) ** q
    return sum((totals.get((net.depth, i), ZERO) for i in range(net.output_dim)), ZERO)


def path_metric(a: Network, b: Network, q: int = 1, *, budget: int | None = None) -> Fraction:
    r"""The number :math:`\|\Phi(\theta)-\Phi(\theta')\|_q^q` for two networks of one architecture.

    For :math:`q=1` it is the path metric itself. It vanishes on
    scaling-equivalent networks (``embedding_is_scaling_invariant``, S1).

    Raises :class:`~exactrelu.errors.DifferentArchitecture`, and
    :class:`~exactrelu.errors.BudgetExceeded` when more than ``budget`` products
    of a partial path with a parameter are needed (a million by default).

    >>> a, b = Network.mlp([[[2], [-1]], [[3, 1]]]), Network.mlp([[[2], [-1]], [[1, -1]]])
    >>> path_metric(a, b)  # |6 - 2| + |-1 - 1|
    Fraction(6, 1)
    """
    _check_exponent(q)
    check_budget(budget)
    products = Budget("products along paths", DEFAULT_BUDGET if budget is None else budget)
    _check_same_architecture(a, b)
    start = {(ONE, ONE): ONE}
    sizes: dict[Neuron | None, dict[Ratio, Fraction]] = {None: start, **{(0, j): start for j in range(a.input_dim)}}
    for old, new in zip(a.parameters, b.parameters, strict=True):
        before, here = sizes.get(old.source, {}), sizes.setdefault(old.target, {})
        products.spend(len(before))
        for (left, right), size in before.items():
            left, right = left * old.value, right * new.value
            lead = left or right
            if lead:  # else the path vanishes for both
                ratio = (left / lead, right / lead)
                here[ratio] = here.get(ratio, ZERO) + size * abs(lead) ** q
    ends = (sizes.get((a.depth, i), {}) for i in range(a.output_dim))
    return sum((size * abs(left - right) ** q for end in ends for (left, right), size in end.items()), ZERO)


def path_metric_bound(a: Network, b: Network, domain: Domain | str, *, budget: int | None = None) -> Fraction:
    r"""The bound :math:`\max(\sup_X\|x\|_\infty,1)\,\|\Phi(\theta)-\Phi(\theta')\|_1`.

    :math:`\|R_\theta(x)-R_{\theta'}(x)\|_1` does not exceed it at any point of a
    bounded domain :math:`X` if :math:`\theta_i\theta'_i\ge0` for every parameter;
    :math:`2\sigma(x)` and :math:`\sigma(x)` attain it at :math:`x=1`.

    Raises :class:`~exactrelu.errors.HypothesisNotMet` naming the first parameter
    of opposite signs, or for other activations than ReLU and identity,
    :class:`~exactrelu.errors.InvalidDomain` for an unbounded domain, and what :func:`path_metric` raises.

    >>> a, b = Network.mlp([[[1]], [[2]]], [[0], None]), Network.mlp([[[1]], [[1]]], [[0], None])
    >>> path_metric_bound(a, b, "[-1,1]"), path_metric_bound(a, b, "[0,1/2]"), path_metric_bound(a, b, "[-3,1]")
    (Fraction(1, 1), Fraction(1, 1), Fraction(3, 1))
    """
    _check_same_architecture(a, b)
    if any(layer.is_numbered for layer in a.layers):
        raise HypothesisNotMet("a", "must consist of ReLU and identity neurons for the bound")
    for old, new in zip(a.parameters, b.parameters, strict=True):
        if old.value * new.value < 0:
            found = f"{old.name} is {brief(old.value)} in a and {brief(new.value)} in b"
            raise HypothesisNotMet("b", f"must have no parameter of the opposite sign in a, but {found}")
    radius = _radius(as_domain(domain, a.input_dim))
    return max(radius, ONE) * path_metric(a, b, budget=budget)


def _radius(domain: Domain) -> Fraction:
    r"""The supremum of :math:`\|x\|_\infty` over a bounded domain."""
    if not domain.is_bounded:
        raise InvalidDomain("domain", "must be bounded for a bound over it", domain)
    if domain.sides is not None:
        return max(abs(end) for side in domain.sides for end in side if end is not None)
    d = domain.ambient_dimension
    directions = ([sign * (i == j) for j in range(d)] for i in range(d) for sign in (1, -1))
    # Linear programs rather than vertices, of which there may be very many; none is unbounded.
    return max(domain.supremum(direction).value or ZERO for direction in directions)


def _check_exponent(q: object) -> None:
    if isinstance(q, bool) or not isinstance(q, int) or q < 1:
        raise InvalidInput("q", "must be an integer, at least 1", q)


def _check_same_architecture(a: Network, b: Network) -> None:
    if a.architecture != b.architecture:
        raise DifferentArchitecture("b", f"must have the architecture of a, with widths {a.widths}", b.widths)
