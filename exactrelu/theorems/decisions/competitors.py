r"""Identifiability of shallow networks by a complete enumeration of their competitors.

:mod:`.realizations` lists all networks of a width with a given function, :mod:`.nearby` finds
lines of networks through one of them. Together they decide global identifiability on every
domain with interior points and for every choice of bias parameters:

* A line through :math:`\theta` refutes it.
* A network of smaller width with the same function refutes it, since an idle neuron has
  several classes: :math:`v=0` with :math:`w=0` or with :math:`w\ne0`.
* If there is none, no network of width :math:`h` with this function has idle neurons or two neurons on
  one half-space, so all of them have a :class:`~.realizations.Layout`. One network is built for
  each layout that can be realised. If one of these is not equivalent to :math:`\theta`, it refutes; if all
  are, only the layout of :math:`\theta` itself can be realised.
* In its own layout :math:`\theta` is the only class if there is no line. The proof is that of :mod:`.nearby`,
  with one more case: :math:`v'=\kappa v` with :math:`\kappa<0` for a neuron :math:`m` that is on, where
  :math:`m'\equiv m/\kappa` modulo the :math:`g_H`. Then :math:`\eta=m+|\kappa|m'\ge0` lies in the span
  of the :math:`g_H` and is not 0, so :math:`m+t\eta\ge0`: a line, which was excluded. ∎

None of the conditions that the theory proves to be equivalent to identifiability is asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...equality import ShallowNetwork, shallow
from ...networks import Network
from ...polyhedra import Domain, as_domain
from ...symmetries import permutation_scaling_equivalent
from ...verdicts import Status, Verdict
from .equal_functions import equal_functions, with_interior
from .nearby import nearby_line
from .realizations import ShallowFunction


def locally_identifiable_by_strata(network: Network, domain: Domain | None = None) -> Verdict:
    """No line of other networks with the same function begins at the parameters."""
    line = nearby_line(network, as_domain(domain, network.input_dim))
    if line is None:
        return Verdict("nearby there is no other network with this function", Status.HOLDS)
    claim = "there are other networks with this function as near as one likes"
    return Verdict(claim, Status.FAILS, witness=line.member(1), family=line)


def globally_identifiable_by_enumeration(
    network: Network, domain: Domain | None = None, budget: int | None = None
) -> Verdict:
    """No other network of the same width has the same function."""
    found = global_competitor(network, domain, budget=budget)
    if found is None:
        return Verdict("among all networks of this width there is no other with this function", Status.HOLDS)
    return Verdict("another network of the same width has the same function", Status.FAILS, witness=found)


def global_competitor(net: Network, domain: Domain | str | None = None, *, budget: int | None = None) -> Network | None:
    r"""Another network of the same architecture with the function of a shallow ``net`` on ``domain``, or ``None``.

    Its function is compared region by region. Raises
    :class:`~exactrelu.errors.BudgetExceeded` where the enumeration is too long.

    >>> pair = Network.mlp([[[1], [-1]], [[2, 1]]], [[0, 0], [0]])  # 2 relu(x) + relu(-x)
    >>> global_competitor(pair) is None
    True
    >>> global_competitor(pair, "[-1,1]")
    Network.mlp([[[1], [-1]], [[3, 1]]], [[0, 1], [-1]])
    """
    where = as_domain(domain, net.input_dim)
    line = nearby_line(net, where)
    if line is not None:
        return line.member(1)
    own = False
    for other in _competitors(shallow(net), where, budget):
        if permutation_scaling_equivalent(net, other).status is Status.FAILS:
            if net.architecture != other.architecture or not equal_functions(net, other, where):
                raise RuntimeError("internal error: a competitor does not stand up to verification")
            return other
        own = True
    if not own:
        raise RuntimeError("internal error: a network is not among those that realise its function")
    return None


def fibre_classes(
    net: Network, domain: Domain | str | None = None, *, budget: int | None = None
) -> list[Network] | None:
    r"""One network for each class of networks with the width and the function of ``net``.

    ``None`` if there are lines of such networks, or such networks with idle neurons.

    >>> hat = Network.mlp([[[1], [1], [1]], [[1, -2, 1]]], [[1, 0, -1], [0]])
    >>> len(fibre_classes(hat))
    2
    """
    where = as_domain(domain, net.input_dim)
    if nearby_line(net, where) is not None:
        return None
    view = shallow(net)
    if least_realization(net, where, budget=budget)[0] < view.size:
        return None
    found = list(_of_width(view, where, view.size, budget))
    return None if any(nearby_line(member, where) is not None for member in found) else found


def least_realization(
    net: Network, domain: Domain | str | None = None, *, budget: int | None = None
) -> tuple[int, Network | None]:
    r"""The least width of a network with the function of ``net``, and one of that width (``None`` for width 0).

    >>> hat = Network.mlp([[[1], [1], [1]], [[1, -2, 1]]], [[1, 0, -1], [0]])
    >>> least_realization(hat)[0], least_realization(hat, "[0,2]")[0]
    (3, 1)
    """
    where = with_interior(net, domain)
    view = shallow(net)
    function = ShallowFunction(view, where)
    for width in range(len(function.jumps), view.size + 1):
        for neurons, constant in function.realizations(width, budget):
            least = function.network(neurons, constant, width) if width else None
            if least is not None and not equal_functions(net, least, where):
                raise RuntimeError("internal error: a network of least width has another function")
            return width, least
    raise RuntimeError("internal error: a network does not realise its own function")


def _competitors(view: ShallowNetwork, domain: Domain, budget: int | None) -> Iterator[Network]:
    """Candidates, of which one refutes if any network does: narrower ones with idle neurons, or all of the width."""
    function = ShallowFunction(view, domain)
    for width in range(len(function.jumps), view.size):
        for neurons, constant in function.realizations(width, budget):
            for idle in (*function.ground.forms, None):
                yield function.network(neurons, constant, view.size, idle)
            return
    yield from _of_width(view, domain, view.size, budget)


def _of_width(view: ShallowNetwork, domain: Domain, width: int, budget: int | None) -> Iterator[Network]:
    function = ShallowFunction(view, domain)
    for neurons, constant in function.realizations(width, budget):
        yield function.network(neurons, constant, width)
