r"""The sets of inputs that the layers of a perceptron receive, and whether their hyperplanes are met there.

The conditions of Bona-Pellissier, Bachoc and Malgouyres (arXiv 2112.12982) live
in the spaces of the layers: with :math:`\Omega_0` the domain and
:math:`\Omega_l=\sigma(M_l\Omega_{l-1}+b_l)`, those on layer :math:`l` are about
the interior of :math:`\Omega_{l-1}`. With :math:`P=M_l\Omega_{l-1}+b_l` a point of
:math:`\Omega_l` with positive coordinates is its own pre-activation, so that

.. math:: \operatorname{int}\Omega_l=\operatorname{int}P\cap\{y>0\},

a convex set where :math:`\Omega_{l-1}` is convex. :math:`\Omega_l` itself is
convex, namely :math:`P\cap\{y\ge0\}`, where :math:`\sigma(P)\subset P`. Where this is
not so the next layers are left open. Theory: section 10; in our reading.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ...equality import NeuronType, neuron_type
from ...errors import BudgetExceeded, check_budget
from ...networks import Network
from ...polyhedra import Domain, Halfspace, Polyhedron, as_domain
from ...rationals import Vector, dot, rank
from ...regions import activation_regions
from ...verdicts import Condition, Neuron, Status, Verdict, conjunction, inapplicable, neuron_list
from .asking import noted
from .perceptrons import why_not_perceptron
from .ranges import Range, Ranges, ranges

ZERO = Fraction(0)
NOT_CONVEX = "its set of inputs is not known to be convex"


def layer_inputs(net: Network, domain: Domain, budget: int | None = None) -> Iterator[Domain | None]:
    r"""For each layer the closure of the interior of its set of inputs, ``None`` if that is empty.

    Ends before the first layer for which it is not known.

    >>> net = Network.mlp([[[1, 1]], [[1]], [[1]]], [[-1], [0], [0]])
    >>> [str(space) for space in layer_inputs(net, Domain.parse("[0,1]^2"))]
    ['[0,1]^2', '[0,1]', '[0,1]']
    """
    inputs: Polyhedron | None = domain.polyhedron
    yield domain
    for layer in net.layers[:-1]:
        rows = [[entry or ZERO for entry in row] for row in layer.blocks[0][1]]
        if inputs is None:
            return
        narrow = rank(rows) < layer.width
        image = inputs if narrow else _image(inputs, rows, layer.bias or (ZERO,) * layer.width)
        if narrow or not image.is_full_dimensional:
            yield None
            return
        sides = [Halfspace([-int(i == j) for j in range(layer.width)], 0) for i in range(layer.width)]
        inner = Polyhedron(layer.width, [*image.halfspaces, *sides])
        yield Domain.of_polyhedron(inner) if inner.is_full_dimensional else None
        inputs = inner if _stays_inside(image, budget) else None


def _image(inputs: Polyhedron, rows: list[list[Fraction]], bias: Vector) -> Polyhedron:
    """The image of a polyhedron under an affine map."""
    vertices, rays, lines = (
        [tuple(dot(row, vector) for row in rows) for vector in vectors]
        for vectors in (inputs.vertices, inputs.rays, inputs.lines)
    )
    points = [tuple(a + b for a, b in zip(point, bias, strict=True)) for point in vertices]
    return Polyhedron.from_generators(points, rays=rays, lines=lines)


def _stays_inside(image: Polyhedron, budget: int | None) -> bool:
    """Whether the ReLU maps a full-dimensional polyhedron into itself: no facet is passed."""
    size, facets = image.ambient_dimension, image.facets
    if not facets:
        return True
    identity = [[int(i == j) for j in range(size)] for i in range(size)]
    layer = Network.mlp([identity, [facet.normal for facet in facets]])
    outputs = [(2, k) for k in range(len(facets))]
    found = ranges(activation_regions(layer, Domain.of_polyhedron(image), budget=budget), outputs)
    return all(
        item.supremum.value is not None and item.supremum.value <= facet.bound
        for item, facet in zip(found, facets, strict=True)
    )


@noted
def layer_hyperplanes_met(net: Network, domain: Domain | str | None = None, *, budget: int | None = None) -> Verdict:
    r"""Whether the hyperplane of every hidden neuron meets the interior of the set of inputs of its layer.

    For perceptrons. This is the condition of Bona-Pellissier et al. in their own
    spaces; it implies
    :func:`~.region_hypotheses.hyperplanes_met_in_interior`,
    which is seen from the input space. ``unknown`` where the set of inputs is not
    known to be convex. Evidence against it: ranges over the set of inputs.

    >>> net = Network.mlp([[[1]], [[1]], [[1]]], [[0], [-1], [0]])
    >>> layer_hyperplanes_met(net).status.value, layer_hyperplanes_met(net, "[-1,1]").conditions[1].neurons
    ('holds', ((2, 0),))
    """
    check_budget(budget)
    domain = as_domain(domain, net.input_dim)
    claim = f"every hidden hyperplane meets the interior of the inputs of its layer, on {domain}"
    reason = why_not_perceptron(net)
    if reason is not None:
        return inapplicable(claim, "perceptron", reason)
    domain.require_full_dimensional("the inputs of layers")
    spaces = layer_inputs(net, domain, budget)
    conditions, missed = [], []
    for number in range(1, net.depth):
        try:
            space = next(spaces)
        except (StopIteration, BudgetExceeded) as error:
            detail = str(error) if isinstance(error, BudgetExceeded) else NOT_CONVEX
            conditions.append(Condition("kinked", Status.UNKNOWN, (), f"layer {number}: {detail}"))
            continue
        found = _missed(net, number, space)
        missed += found
        neurons = tuple((number, i) for i in range(net.widths[number])) if space is None else _neurons(missed, number)
        detail = "its set of inputs has no interior" if space is None else neuron_list(neurons)
        status = Status.FAILS if neurons else Status.HOLDS
        conditions.append(Condition("kinked", status, neurons, f"layer {number}: {detail}".strip(": ")))
    evidence = Ranges(tuple(missed)) if missed else None
    return Verdict(claim, conjunction(conditions), tuple(conditions), evidence=evidence)


def _missed(net: Network, number: int, space: Domain | None) -> list[Range]:
    """The neurons of a layer that do not take both signs on its set of inputs, with their ranges."""
    if space is None:
        return []
    layer = net.layers[number - 1]
    found = []
    for i, row in enumerate(layer.blocks[0][1]):
        typed = neuron_type([*(entry or ZERO for entry in row), layer.bias[i] if layer.bias else ZERO], space)
        if typed.type is not NeuronType.KINKED:
            found.append(Range((number, i), typed.infimum, typed.supremum))
    return found


def _neurons(missed: list[Range], number: int) -> tuple[Neuron, ...]:
    return tuple(item.neuron for item in missed if item.neuron[0] == number)
