r"""The conditions of the shallow theory, each by itself, as predicates on a network and a domain.

:math:`f(x)=c+\sum_{i\le h}v_i\,\sigma(\ell_i(x))` with :math:`\ell_i(x)=\langle w_i,x\rangle+b_i`, on a
domain :math:`X` (all of space if none is given). Every condition is worded so that it stands alone: a
neuron that one condition forbids is not counted by the others, hence each condition can fail
while all others hold. Together they say what the theory says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product

from ...equality import NeuronType, ShallowNetwork, hyperplane, neuron_types, shallow, why_not_shallow
from ...networks import Network
from ...polyhedra import Domain, Halfspace, Polyhedron, as_domain
from ...rationals import Vector, dot, rank
from ...verdicts import Condition, Status, Verdict
from ..decisions.realizations import Ground, add_outer
from ..instances import Instance
from ..predicates import Decision, Predicate

ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class Side:
    """A hyperplane by one form, the neurons on either side, their jump and the share of the positive side."""

    form: Vector
    positive: tuple[int, ...]
    negative: tuple[int, ...]
    jump: Vector
    share: Vector

    @property
    def opposite(self) -> bool:
        """Whether it carries opposite twins."""
        return bool(self.positive and self.negative)


@lru_cache(maxsize=64)
def view_of(network: Network) -> ShallowNetwork:
    """The neurons in primitive integer form."""
    return shallow(network)


@lru_cache(maxsize=64)
def types_of(network: Network, domain: Domain | None) -> tuple[NeuronType, ...]:
    """What every neuron does on the domain."""
    found = neuron_types(view_of(network), as_domain(domain, network.input_dim))
    return tuple(typed.type for typed in found)


@lru_cache(maxsize=64)
def sides_of(network: Network) -> tuple[Side, ...]:
    r"""The hyperplanes of all neurons with :math:`w_i\ne0`."""
    view = view_of(network)
    found: dict[tuple[int, ...], tuple[list[int], list[int]]] = {}
    for i, form in enumerate(view.forms):
        if any(form[:-1]):
            found.setdefault(hyperplane(form), ([], []))[form != hyperplane(form)].append(i)
    return tuple(
        Side(tuple(map(Fraction, form)), tuple(up), tuple(down), _sum(view, [*up, *down]), _sum(view, up))
        for form, (up, down) in found.items()
    )


def _sum(view: ShallowNetwork, indices: Sequence[int]) -> Vector:
    return tuple(sum((view.outputs[i][o] for i in indices), ZERO) for o in range(view.output_dim))


def bending_pairs(network: Network) -> list[Side]:
    """The hyperplanes with opposite twins that do not cancel."""
    return [side for side in sides_of(network) if side.opposite and any(side.jump)]


def cancelling_pairs(network: Network) -> list[Side]:
    """The hyperplanes with opposite twins that cancel."""
    return [side for side in sides_of(network) if side.opposite and not any(side.jump)]


def conjunction(name: str, meaning: str, *decisions: Decision | Predicate) -> Predicate:
    """The predicate that holds where all of some predicates on a network and a domain hold."""
    predicates = [Predicate.of(decision) for decision in decisions]

    def decide(network: Network, domain: Domain | None = None) -> Verdict:
        instance = Instance(network, domain=domain)
        conditions = []
        for predicate in predicates:
            found = predicate.on(instance)
            conditions.append(Condition(predicate.name, found.status, detail=found.claim))
            if found.status is not Status.HOLDS:
                return Verdict(meaning, found.status, tuple(conditions), found.evidence, found.witness, found.family)
        return Verdict(meaning, Status.HOLDS, tuple(conditions))

    return Predicate(name, decide, meaning)


# ---- the setting


def one_hidden_layer(network: Network) -> bool:
    """The network is dense, with one hidden ReLU layer and affine outputs."""
    return why_not_shallow(network) is None


def output_bias(network: Network) -> bool:
    """The output layer has bias parameters."""
    return network.layers[-1].bias is not None


def no_output_bias(network: Network) -> bool:
    """The output layer has no bias parameters."""
    return network.layers[-1].bias is None


def hidden_biases(network: Network) -> bool:
    """The hidden layer has bias parameters."""
    return network.layers[0].bias is not None


def no_hidden_biases(network: Network) -> bool:
    """The hidden layer has no bias parameters."""
    return network.layers[0].bias is None


def interior(network: Network, domain: Domain | None = None) -> bool:
    """The domain has interior points."""
    return as_domain(domain, network.input_dim).is_full_dimensional


def flat_domain(network: Network, domain: Domain | None = None) -> bool:
    """The domain lies in a hyperplane."""
    return not interior(network, domain)


def bounded(network: Network, domain: Domain | None = None) -> bool:
    """The domain is bounded."""
    return as_domain(domain, network.input_dim).is_bounded


def all_of_space(network: Network, domain: Domain | None = None) -> bool:
    r"""The domain is :math:`\mathbb R^d`."""
    return as_domain(domain, network.input_dim).is_space


def bounded_or_space(network: Network, domain: Domain | None = None) -> bool:
    r"""The domain is bounded, or all of :math:`\mathbb R^d`."""
    return bounded(network, domain) or all_of_space(network, domain)


def origin_inside(network: Network, domain: Domain | None = None) -> bool:
    """The origin is an interior point of the domain."""
    where = as_domain(domain, network.input_dim)
    return where.is_full_dimensional and all(side.bound > 0 for side in where.halfspaces)


def scalar_output(network: Network) -> bool:
    """The network has one output."""
    return network.output_dim == 1


def several_inputs(network: Network) -> bool:
    """The network has at least two inputs."""
    return network.input_dim >= 2


# ---- conditions on single neurons


def nonzero_output(network: Network) -> bool:
    r"""Every neuron has :math:`v_i\ne0`."""
    return all(any(output) for output in view_of(network).outputs)


def nonzero_input(network: Network) -> bool:
    r"""Every neuron has :math:`(w_i,b_i)\ne0`."""
    return all(any(form) for form in view_of(network).forms)


def kinked(network: Network, domain: Domain | None = None) -> bool:
    r"""No neuron with :math:`(w_i,b_i)\ne0` is on or off over the domain: :math:`\inf\ell_i<0<\sup\ell_i`."""
    return not {NeuronType.ON, NeuronType.OFF}.intersection(types_of(network, domain))


def never_off(network: Network, domain: Domain | None = None) -> bool:
    r"""No neuron with :math:`(w_i,b_i)\ne0` is off over the domain: :math:`\sup\ell_i>0`."""
    return NeuronType.OFF not in types_of(network, domain)


# ---- conditions on neurons with a common hyperplane


def no_positive_twins(network: Network) -> bool:
    r"""No two neurons with nonzero forms have :math:`\ell_j=r\ell_i` with :math:`r>0`."""
    forms = [form for form in view_of(network).forms if any(form)]
    return len(set(forms)) == len(forms)


def distinct_hyperplanes(network: Network) -> bool:
    r"""The hyperplanes :math:`\{\ell_i=0\}` of the neurons with :math:`w_i\ne0` are pairwise distinct."""
    return all(len(side.positive + side.negative) == 1 for side in sides_of(network))


def opposite_twins_jump(network: Network) -> bool:
    r"""Opposite twins :math:`\ell_j=-r\ell_i` have :math:`v_i+rv_j\ne0`."""
    view = view_of(network)
    return all(any(_sum(view, pair)) for side in sides_of(network) for pair in product(side.positive, side.negative))


def opposite_pairs_independent(network: Network) -> bool:
    r"""The normals :math:`w_H`, one for each hyperplane with opposite twins that do not cancel, are independent."""
    normals = [side.form[:-1] for side in bending_pairs(network)]
    return rank(normals) == len(normals)


def opposite_pairs_forms_independent(network: Network) -> bool:
    r"""The forms :math:`(w_H,b_H)`, one for each hyperplane with opposite twins that do not cancel, are independent."""
    forms = [side.form for side in bending_pairs(network)]
    return rank(forms) == len(forms)


def opposite_pairs_outputs_independent(network: Network) -> bool:
    r"""Opposite twins have linearly independent outputs :math:`v_i`, :math:`v_j`."""
    outputs = view_of(network).outputs
    pairs = [pair for side in sides_of(network) for pair in product(side.positive, side.negative)]
    return all(rank([outputs[i], outputs[j]]) == 2 for i, j in pairs if any(outputs[i]) and any(outputs[j]))


def rigid_affine_part(network: Network, domain: Domain | None = None) -> bool:
    r"""What is affine on the domain (a neuron that is on, a cancelling pair) is at most one and has no room to tilt.

    With :math:`J` the hyperplanes of the other opposite pairs: there is nothing of the kind; or one cancelling
    pair, and :math:`J=\emptyset`; or one neuron :math:`\ell` that is on, and no :math:`\eta\ne0` in the span of
    the :math:`\ell_H`, :math:`H\in J`, has :math:`\ell+\eta\ge0` on the domain.
    """
    pairs = bending_pairs(network)
    active = [i for i, kind in enumerate(types_of(network, domain)) if kind is NeuronType.ON]
    cancelling = cancelling_pairs(network)
    if len(active) + len(cancelling) == 0:
        return True
    if len(active) + len(cancelling) > 1:
        return False
    if cancelling or not pairs:
        return not pairs
    tests = Ground(view_of(network), as_domain(domain, network.input_dim)).tests
    form = tuple(map(Fraction, view_of(network).forms[active[0]]))
    tilts = [Halfspace([-dot(side.form, test) for side in pairs], dot(form, test)) for test in tests]
    return rank([side.form for side in pairs]) == len(pairs) and Polyhedron(len(pairs), tilts).dimension == 0


def rigid_linear_part(network: Network) -> bool:
    """There is no cancelling pair of opposite twins; or there is one, and no other pair of opposite twins."""
    cancelling = len(cancelling_pairs(network))
    return cancelling == 0 or (cancelling == 1 and not bending_pairs(network))


# ---- conditions on sums


def no_zero_sum_flip(network: Network) -> bool:
    r"""No nonempty set :math:`S` of neurons with :math:`v_iw_i^T\ne0` has :math:`\sum_{i\in S}v_iw_i^T=0`."""
    return not zero_sum_sets(network, with_biases=False, proper=True)


def no_zero_sum_flip_with_biases(network: Network) -> bool:
    r"""No nonempty set of neurons with :math:`v_i(w_i,b_i)^T\ne0` has :math:`\sum_{i\in S}v_i(w_i,b_i)^T=0`."""
    return not zero_sum_sets(network, with_biases=True, proper=True)


def independent_products(network: Network) -> bool:
    r"""The matrices :math:`v_iw_i^T` are linearly independent."""
    return rank(_products(network, with_biases=False)) == view_of(network).size


def positive_functional(network: Network) -> bool:
    r"""Some linear functional is positive on all matrices :math:`v_iw_i^T`."""
    rows = [Halfspace([-entry for entry in vector], -1) for vector in _products(network, with_biases=False)]
    return not Polyhedron(network.output_dim * network.input_dim, rows).is_empty


def zero_sum_sets(network: Network, *, with_biases: bool, proper: bool) -> list[tuple[int, ...]]:
    r"""The nonempty sets of neurons whose products sum to 0, among those with a nonzero product if ``proper``."""
    products = _products(network, with_biases=with_biases)
    indices = [i for i, vector in enumerate(products) if any(vector) or not proper]
    return [
        chosen
        for size in range(1, len(indices) + 1)
        for chosen in combinations(indices, size)
        if not any(map(sum, zip(*(products[i] for i in chosen), strict=True)))
    ]


def _products(network: Network, *, with_biases: bool) -> list[Vector]:
    view = view_of(network)
    size = view.input_dim + with_biases
    return [
        tuple(v * entry for v in output for entry in form[:size])
        for form, output in zip(view.forms, view.outputs, strict=True)
    ]


def no_alternative_jump_choice(network: Network) -> bool:
    r"""No choice of doubled hyperplanes and of orientations but that of the network itself leaves a small remainder.

    Let :math:`J` be the hyperplanes with opposite pairs, and :math:`p` their number. For every set :math:`T` of at
    most :math:`p` hyperplanes and every choice :math:`A'_H\in\{0,a_H\}` for the others, except :math:`T=J`,
    :math:`A'_H=A_H`, the rank of :math:`\sum_{H\notin T}(A'_H-A_H)w_H^T` modulo :math:`\{w_H\}_{H\in T}` exceeds
    :math:`\lfloor(p-|T|)/2\rfloor`. With hidden biases but no output bias :math:`w_H` is replaced by
    :math:`(w_H,b_H)`, and the constant form may be in :math:`T`.
    """
    sides = sides_of(network)
    forms_count = hidden_biases(network) and not output_bias(network)
    size = network.input_dim + forms_count
    slopes: list[Vector] = [side.form[:size] for side in sides]
    if forms_count:
        slopes.append((ZERO,) * (size - 1) + (ONE,))
    own = {k for k, side in enumerate(sides) if side.opposite}
    for count in range(len(own) + 1):
        for chosen in combinations(range(len(slopes)), count):
            rest = [k for k in range(len(sides)) if k not in chosen]
            for switch in product((0, 1), repeat=len(rest)):
                changes = [
                    tuple(on * jump - share for jump, share in zip(sides[k].jump, sides[k].share, strict=True))
                    for on, k in zip(switch, rest, strict=True)
                ]
                if set(chosen) == own and not any(map(any, changes)):
                    continue
                rows = [[ZERO] * size for _ in range(network.output_dim)]
                for change, k in zip(changes, rest, strict=True):
                    add_outer(rows, change, slopes[k])
                modulo = [slopes[k] for k in chosen]
                if rank([*rows, *modulo]) - rank(modulo) <= (len(own) - count) // 2:
                    return False
    return True
