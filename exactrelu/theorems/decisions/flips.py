r"""The fibre of a shallow network against its flips, by listing both.

The fibre is enumerated class by class (:func:`.competitors.fibre_classes`); the flips are all
sets of neurons with a vanishing sum, among all sets.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from ...equality import opposite, shallow
from ...networks import Network
from ...polyhedra import Domain, as_domain
from ...symmetries import permutation_scaling_equivalent
from ...verdicts import Status, Verdict
from .competitors import fibre_classes
from .equal_functions import equal_functions


def fibre_equals_flips(net: Network, domain: Domain | None, sets: Iterable[tuple[int, ...]]) -> Verdict:
    """Whether turning around each of some sets of neurons gives each class of the fibre, and gives it once."""
    where = as_domain(domain, net.input_dim)
    flipped = [net, *(_flipped(net, chosen) for chosen in sets)]
    strange = next((other for other in flipped if not equal_functions(net, other, where)), None)
    if strange is not None:
        return Verdict("a flip changes the function", Status.FAILS, witness=strange)
    for first, second in combinations(flipped, 2):
        if _same_class(first, second):
            return Verdict("two flips give one class", Status.FAILS, witness=second)
    classes = fibre_classes(net, where)
    if classes is None:
        return Verdict("the fibre has networks with idle neurons, or lines of networks", Status.FAILS)
    for member in classes:
        if not any(_same_class(member, other) for other in flipped):
            return Verdict("the fibre has a class that is no flip", Status.FAILS, witness=member)
    return Verdict(f"the fibre consists of {len(flipped)} class(es), all of them flips", Status.HOLDS)


def _flipped(net: Network, chosen: tuple[int, ...]) -> Network:
    """The flip of a set of neurons; without output bias no constant can be made up for."""
    view = shallow(net)
    if view.output_bias:
        return net.flip(chosen)
    return view.network([opposite(form) if i in chosen else form for i, form in enumerate(view.forms)])


def _same_class(first: Network, second: Network) -> bool:
    return permutation_scaling_equivalent(first, second).status is Status.HOLDS
