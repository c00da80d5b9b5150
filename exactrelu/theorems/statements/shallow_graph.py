r"""One hidden layer: the graph of regions, its labels, and what can be read off it.

An edge between two full-dimensional regions is labelled by the neurons whose sign flips across the shared facet.
"""

from __future__ import annotations

from fractions import Fraction

from ...equality import NeuronType
from ...identifiability import AffineAtlas, reconstruct_from_graph
from ...identifiability.recovery.black_box import BrokenPromise
from ...identifiability.recovery.least_networks import FibreStatus
from ...networks import Network
from ...polyhedra import Domain
from ...regions import RegionComplex, activation_regions
from ...symmetries import permutation_scaling_equivalent
from ...verdicts import Status, Verdict
from ..decisions.equal_functions import with_interior
from ..decisions.realizations import add_outer
from ..predicates import Predicate
from ..theorem import Standing, Theorem
from .shallow_conditions import bounded, conjunction, interior, one_hidden_layer, types_of, view_of
from .shallow_hypotheses import BOUNDED_GLOBAL, MIXED, SETTING, SEVERAL_DOMAINS, SHALLOW_CASE, THIS_PACKAGE
from .shallow_supply import BOUNDED, BROKEN, GENTLE, OPPOSITE, on_domains, shallow_supply

ZERO = Fraction(0)


def _complex(network: Network, domain: Domain | None) -> RegionComplex:
    return activation_regions(network, with_interior(network, domain))


def labelled(network: Network, domain: Domain | None) -> set[int]:
    """The neurons that occur in labels."""
    return {i for edge in _complex(network, domain).adjacencies() for _, i in edge.neurons}


def bent(network: Network, domain: Domain | None) -> set[int]:
    """The kinked neurons."""
    return {i for i, kind in enumerate(types_of(network, domain)) if kind is NeuronType.KINKED}


def kinked_neurons_occur(network: Network, domain: Domain | None = None) -> Verdict:
    """Every kinked neuron occurs in the label of some edge."""
    return _empty("kinked neurons without a label", bent(network, domain) - labelled(network, domain))


def labels_are_kinked(network: Network, domain: Domain | None = None) -> Verdict:
    """Every neuron in the label of an edge is kinked."""
    return _empty("labels of neurons that are not kinked", labelled(network, domain) - bent(network, domain))


def _empty(what: str, found: set[int]) -> Verdict:
    return Verdict(f"{what}: {sorted(found) or 'none'}", Status.FAILS if found else Status.HOLDS)


def gradient_jumps_add_up(network: Network, domain: Domain | None = None) -> Verdict:
    r"""Across every edge the gradient jumps by :math:`\sum_i\pm v_i\otimes w_i` over the label."""
    complex = _complex(network, domain)
    view = view_of(network)
    for edge in complex.adjacencies():
        before, after = (complex[k] for k in edge.regions)
        (old, _), (new, _) = before.affine_map, after.affine_map
        rows = [[b - a for a, b in zip(*pair, strict=True)] for pair in zip(old, new, strict=True)]
        for _, i in edge.neurons:
            side = sum((w * x for w, x in zip(view.forms[i], after.interior_point, strict=False)), ZERO)
            sign = 1 if side + view.forms[i][-1] > 0 else -1
            add_outer(rows, tuple(-sign * entry for entry in view.outputs[i]), view.forms[i][:-1])
        if any(map(any, rows)):
            return Verdict(f"the jump between regions {edge.regions} is another", Status.FAILS)
    return Verdict("every jump is the sum over its label", Status.HOLDS)


def reconstructed(network: Network, domain: Domain | None = None) -> Verdict:
    """Walking the graph of regions and reading the jumps gives this network, and no other."""
    atlas = AffineAtlas.of_complex(_complex(network, domain))
    try:
        found = reconstruct_from_graph(atlas)
    except BrokenPromise as error:
        return Verdict(str(error), Status.FAILS)
    other = found.networks[0]
    single = found.status is FibreStatus.COMPLETE and len(found.networks) == 1
    if single and other.architecture == network.architecture:
        same = permutation_scaling_equivalent(network, other)
        return Verdict("one network was read off the graph", same.status, witness=other)
    return Verdict("the graph gives several networks, or one of another architecture", Status.FAILS, witness=other)


RECONSTRUCTED = Predicate.of(reconstructed, name="reconstructed_from_region_graph")

STATEMENTS = (
    Theorem(
        id="kinked_neurons_label_edges",
        title="every kinked neuron labels an edge of the region graph",
        statement=r"Let $X$ have interior points. If neuron $i$ of a shallow network is kinked on $X$, then $i$ is in "
        r"the label of some edge of the graph of regions.",
        source=THIS_PACKAGE,
        uses=["shallow_equality_by_normal_form"],
        hypotheses=[one_hidden_layer, interior],
        conclusion=kinked_neurons_occur,
        standing=Standing.PROVED,
        supply=shallow_supply((), plants=(*GENTLE, *BROKEN), output=None),
        arrangement=SEVERAL_DOMAINS,
    ),
    Theorem(
        id="kinked_neurons_label_edges_converse",
        title="every neuron in a label of the region graph is kinked",
        statement=r"Let $X$ have interior points. If $i$ is in the label of some edge of the graph of regions of a "
        r"shallow network, then neuron $i$ is kinked on $X$.",
        source=THIS_PACKAGE,
        hypotheses=[one_hidden_layer, interior],
        conclusion=labels_are_kinked,
        standing=Standing.PROVED,
        supply=shallow_supply((), plants=(*GENTLE, *BROKEN), output=None),
        arrangement=SEVERAL_DOMAINS,
    ),
    Theorem(
        id="gradient_jumps_add_up_over_labels",
        title="across an edge the gradient jumps by the sum over its label",
        statement=r"Let $X$ have interior points. Across an edge of the graph of regions of a shallow network the "
        r"gradient jumps by $\sum_i\pm v_i\otimes w_i$ over the label, of rank one for a single neuron with "
        r"$v_i\ne0$; the sign is $+$ where $i$ becomes active.",
        source=THIS_PACKAGE,
        hypotheses=[one_hidden_layer, interior],
        conclusion=gradient_jumps_add_up,
        standing=Standing.PROVED,
        supply=shallow_supply((), plants=(*GENTLE, *OPPOSITE, *BROKEN), output=None),
        arrangement=SEVERAL_DOMAINS,
    ),
    Theorem(
        id="region_graph_reconstructs_parameters",
        title="the region graph reconstructs the parameters under the four conditions",
        statement=r"Let $X$ be bounded with interior points. If (C1) to (C4) hold, then walking the graph of regions "
        r"and reading the jumps reconstructs $\theta$ up to $\sim_{PS}$, and nothing else.",
        source=SHALLOW_CASE,
        uses=["shallow_bounded_global", "kinked_neurons_label_edges", "gradient_jumps_add_up_over_labels"],
        hypotheses=[*SETTING, bounded, *BOUNDED_GLOBAL],
        conclusion=RECONSTRUCTED,
        standing=Standing.PROVED,
        supply=shallow_supply(BOUNDED_GLOBAL, domains=BOUNDED, plants=GENTLE),
        arrangement=on_domains(*BOUNDED),
    ),
    Theorem(
        id="region_graph_reconstructs_parameters_converse",
        title="the region graph reconstructs the parameters only under the four conditions",
        statement=r"Let $X$ be bounded with interior points. If walking the graph of regions and reading the jumps "
        r"reconstructs $\theta$ up to $\sim_{PS}$, and nothing else, then (C1) to (C4) hold.",
        source=SHALLOW_CASE,
        uses=["shallow_bounded_global_converse", "shallow_equality_by_normal_form_converse"],
        hypotheses=[*SETTING, bounded, RECONSTRUCTED],
        conclusion=conjunction("bounded_global_conditions", "(C1), (C2), (C3) and (C4) hold", *BOUNDED_GLOBAL),
        standing=Standing.PROVED,
        supply=shallow_supply([RECONSTRUCTED], domains=BOUNDED, plants=MIXED),
        arrangement=on_domains(*BOUNDED),
    ),
)
