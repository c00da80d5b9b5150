r"""Whether the walls of later layers contain a hyperplane, layer by layer.

One of the conditions of Bona-Pellissier, Bachoc and Malgouyres (arXiv
2112.12982), in our reading; theory: section 10. It concerns the set of inputs of
each layer, see :mod:`.layer_spaces`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from ...equality import Form, form_text, hyperplane
from ...equality.shallow import primitive_form
from ...errors import BudgetExceeded, check_budget
from ...networks import Layer, Network
from ...networks.evaluation import AffineMap, affine_maps
from ...polyhedra import Domain, as_domain
from ...regions import RegionComplex, activation_regions
from ...verdicts import Condition, Neuron, Status, Verdict, conjunction, inapplicable, neuron_list, plain
from .asking import noted
from .inner_faces import InnerFaces
from .layer_spaces import NOT_CONVEX, layer_inputs
from .perceptrons import why_not_perceptron


@dataclass(frozen=True, slots=True)
class HiddenHyperplane:
    """Evidence: a hyperplane ``form`` = 0 of the inputs of a layer, all of which consists of walls of later neurons."""

    layer: int
    form: Form
    neurons: tuple[Neuron, ...]

    def to_json(self) -> dict[str, object]:
        """The equation as text."""
        return {"layer": self.layer, "form": form_text(self.form), "neurons": plain(self.neurons)}

    def explain(self) -> str:
        """The equation and the neurons."""
        where = f"in the inputs x of layer {self.layer}, "
        return f"{where}{form_text(self.form)} = 0 consists of walls of {neuron_list(self.neurons)}"


@noted
def no_hyperplane_in_break_set(
    net: Network, domain: Domain | str | None = None, *, budget: int | None = None
) -> Verdict:
    r"""Whether no hyperplane of the inputs of a hidden layer lies in the walls of the layers after it.

    For perceptrons; inside the set of inputs that the layer receives from
    ``domain``. The walls are taken between activation regions. For the last
    hidden layer the condition is void; it is decided for the first two, for
    others as long as the sets of inputs are convex, and else ``unknown``. More
    than ``budget`` regions make a layer ``unknown``. In one dimension every later
    kink is such a hyperplane.

    >>> folded = Network.mlp([[[1, 0], [0, 1]], [[1, 1]], [[1]]], [[0, 0], [-1], [0]])
    >>> straight = Network.mlp([[[1, 0], [-1, 0]], [[1, -1]], [[1]]], [[0, 0], [-1], [0]])
    >>> no_hyperplane_in_break_set(folded).status.value, no_hyperplane_in_break_set(straight).evidence.explain()
    ('holds', 'in the inputs x of layer 1, x0 - 1 = 0 consists of walls of (2,0)')
    """
    check_budget(budget)
    domain = as_domain(domain, net.input_dim)
    claim = f"no hyperplane lies in the break set of the later layers, on {domain}"
    reason = why_not_perceptron(net)
    if reason is not None:
        return inapplicable(claim, "perceptron", reason)
    domain.require_full_dimensional("regions")
    spaces = layer_inputs(net, domain, budget)
    conditions, evidence = [], None
    for number in range(1, net.depth):
        status, detail, found = Status.HOLDS, "no later walls", None
        if number < net.depth - 1:
            status, detail, found = _decide(net, number, spaces, budget)
        evidence = evidence or found
        conditions.append(
            Condition("break_set", status, found.neurons if found else (), f"layer {number}: {detail}".strip(": "))
        )
    return Verdict(claim, conjunction(conditions), tuple(conditions), evidence=evidence)


def _decide(
    net: Network, number: int, spaces: Iterator[Domain | None], budget: int | None
) -> tuple[Status, str, HiddenHyperplane | None]:
    try:
        space = next(spaces)
        if space is None:
            return Status.HOLDS, "its set of inputs has no interior", None
        found = covered_hyperplane(activation_regions(_from_layer(net, number), space, budget=budget), number)
    except StopIteration:
        return Status.UNKNOWN, NOT_CONVEX, None
    except BudgetExceeded as error:
        return Status.UNKNOWN, str(error), None
    return (Status.HOLDS, "", None) if found is None else (Status.FAILS, found.explain(), found)


def _from_layer(net: Network, number: int) -> Network:
    """The part of a perceptron from a layer on, as a network of its own."""
    layers = net.layers[number - 1 :]
    return Network(
        net.widths[number - 1],
        [
            Layer({k: layer.blocks[0][1]}, bias=layer.bias, activation=layer.activations)
            for k, layer in enumerate(layers)
        ],
    )


def covered_hyperplane(complex: RegionComplex, number: int = 1) -> HiddenHyperplane | None:
    """A hyperplane that lies, inside the domain, in the walls of the layers after the first.

    ``number`` is what the first layer is called.
    """
    faces = InnerFaces(complex)
    for form, facets in _later_walls(complex, faces).items():
        if _covers(faces, set(facets)):
            neurons = sorted({neuron for found in facets.values() for neuron in found})
            return HiddenHyperplane(number, form, tuple((layer + number - 1, i) for layer, i in neurons))
    return None


def _later_walls(complex: RegionComplex, faces: InnerFaces) -> dict[Form, dict[int, list[Neuron]]]:
    """The facets on which neurons after the first layer bend, with these neurons, by hyperplane."""

    @cache
    def maps(region: int) -> list[AffineMap]:
        return affine_maps(complex.network, complex.patterns[region])

    found: dict[Form, dict[int, list[Neuron]]] = {}
    for i, j, facet in complex.facet_parts:
        flips = complex.signs[i] != complex.signs[j]
        later = [neuron for neuron, k in faces.columns.items() if neuron[0] > 1 and flips[k]]
        if later:
            layer, index = later[0]
            matrix, offset = maps(i if complex.signs[i, faces.columns[later[0]]] else j)[layer - 1]
            form = hyperplane(primitive_form([*matrix[index], offset[index]])[0])
            found.setdefault(form, {})[facet] = later
    return found


def _covers(faces: InnerFaces, facets: set[int]) -> bool:
    """Whether facets in one hyperplane cover it inside the domain.

    The inside of the hyperplane is convex, so that it stays connected without the
    faces of codimension 2 in it: the facets cover it unless they have a rim, an
    inner ridge on one of them only.
    """
    if faces.top < 2:
        return True
    sub, face = faces.lattice.incidence(faces.top - 1)
    mine = np.zeros(faces.lattice.size[faces.top - 1], np.bool_)
    mine[sorted(facets)] = True
    count = np.bincount(sub[mine[face]], minlength=faces.lattice.size[faces.top - 2])
    return not ((count == 1) & faces.inner[faces.top - 2]).any()
