"""Local identifiability of networks of any depth."""

from __future__ import annotations

from ..equality import why_not_shallow
from ..networks import Network
from ..polyhedra import Domain
from ..verdicts import Status, Verdict
from .deep.deep_local import deep_locally_identifiable
from .shallow.shallow_local import shallow_locally_identifiable


def locally_identifiable(net: Network, domain: Domain | str | None = None, *, budget: int | None = None) -> Verdict:
    r"""Whether nearby parameters with the same function on ``domain`` are all rescalings of :math:`\theta`.

    One hidden layer is decided by its hyperplanes
    (:func:`~.shallow.shallow_local.shallow_locally_identifiable`). For other networks, and
    where that theory is silent, ``holds`` follows from the functional dimension
    :math:`D-h`, ``fails`` from a family of equal functions
    (:func:`~.deep.deep_local.deep_locally_identifiable`), and ``budget`` bounds the
    number of regions.

    >>> pair = Network.mlp([[[1], [-1]], [[2, 1]]], [[0, 0], [0]])  # 2 relu(x) + relu(-x)
    >>> locally_identifiable(pair).status.value
    'holds'
    >>> chain = Network.mlp([[[1]], [[1]], [[1]]], [[0], [-1], [0]])  # relu(relu(x) - 1)
    >>> print(locally_identifiable(chain).family.explain())
    for 0 < t <= 1, the same network with
      b[1][0] = t
      b[2][0] = -t - 1
    """
    return _verdict(net, domain, budget).about("locally_identifiable", network=net, domain=domain)


def _verdict(net: Network, domain: Domain | str | None, budget: int | None) -> Verdict:
    if why_not_shallow(net) is not None:
        return deep_locally_identifiable(net, domain, budget=budget)
    verdict = shallow_locally_identifiable(net, domain)
    if verdict.status is Status.UNKNOWN:
        deep = deep_locally_identifiable(net, domain, budget=budget)
        return verdict if deep.status is Status.UNKNOWN else deep
    return verdict
