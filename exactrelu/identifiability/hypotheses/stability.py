r"""Which neurons that are off stay off for all parameters nearby.

Let :math:`z\le0` on the domain :math:`X` at :math:`\theta`, and :math:`z_\infty`
the slope at infinity (:mod:`.ranges`). The neuron is *stably off* if

* :math:`X` is bounded and :math:`\sup z<0`: :math:`z` is continuous in both
  arguments and :math:`X` compact;
* :math:`\sup z<0` and :math:`z_\infty(r)<0` in all directions :math:`r\ne0` of
  unboundedness: :math:`z` falls faster than a small change of :math:`\theta` can
  lift it, which is at most :math:`\varepsilon(1+|x|)`;
* its bias is negative or absent, and every parent is a ReLU with a negative
  weight, or itself stably off.

It is not if some parameter can lift it: its bias or an incoming weight from a
parent that is not 0 where :math:`z=0`, or an incoming weight from a parent with
a nonzero slope along an :math:`r` with :math:`z_\infty(r)=0`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ...networks import RELU, Network
from ...networks.evaluation import preactivations
from ...rationals import Vector
from ...regions import RegionComplex
from ...verdicts import Neuron, Status
from .ranges import Range, ends, without_biases

Sums = tuple[Vector, ...]
Parents = list[tuple[Neuron, Fraction]]


def stably_off(complex: RegionComplex, off: Sequence[Range]) -> dict[Neuron, Status]:
    """For every neuron that is off: ``holds`` (stably), ``fails`` (not), or ``unknown``."""
    if not off:
        return {}
    net = complex.network
    points, rays = ends(complex)
    values = list(zip(points, preactivations(net, points), strict=True))
    slopes = list(zip(rays, preactivations(without_biases(net), rays), strict=True))
    found: dict[Neuron, Status] = {}
    for item in sorted(off, key=lambda item: item.neuron):
        layer, i = item.neuron
        bias = net.layers[layer - 1].bias
        parents = [(p.source, p.value) for p in net.parameters if p.target == item.neuron and p.source is not None]
        level = item.supremum.value
        strict = level is not None and level < 0 and all(sums[layer - 1][i] < 0 for _, sums in slopes)
        held = (bias is None or bias[i] < 0) and all(_pushes_down(net, parent, found) for parent in parents)
        if strict or held:
            found[item.neuron] = Status.HOLDS
            continue
        critical = [(x, sums) for x, sums in slopes if sums[layer - 1][i] == 0]
        if level == 0:
            critical += [(x, sums) for x, sums in values if sums[layer - 1][i] == 0]
        lifted = (level == 0 and bias is not None) or any(_heard(net, parents, x, sums) for x, sums in critical)
        found[item.neuron] = Status.FAILS if lifted else Status.UNKNOWN
    return found


def _pushes_down(net: Network, parent: tuple[Neuron, Fraction], known: dict[Neuron, Status]) -> bool:
    (layer, i), weight = parent
    if layer == 0:
        return False
    return known.get((layer, i)) is Status.HOLDS or (weight < 0 and net.layers[layer - 1].activations[i] == RELU)


def _heard(net: Network, parents: Parents, x: Vector, sums: Sums) -> bool:
    """Whether some parent is not 0 at a point or in a direction with these pre-activations."""
    for (layer, i), _ in parents:
        value = x[i] if layer == 0 else net.layers[layer - 1].activations[i](sums[layer - 1][i])
        if value:
            return True
    return False
