r"""Local identifiability of ReLU networks of any depth: what ranks and deformations decide.

Theory: ``sample_jacobian_rank_suffices`` (D1) and ``finite_sample_exists_iff_isolated``
(D3): admissible parameters of functional dimension :math:`D-h` are locally
identifiable. A smaller functional dimension decides nothing by itself
(``dimension_gap_need_not_be_symmetry``, F6): then ``fails`` needs a line of
parameters with the same function, from :mod:`.deep_deformations`, and without
one the verdict is ``unknown``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from typing import Final

from ...equality import same_function
from ...errors import BudgetExceeded, check_budget
from ...networks import Family, Network
from ...paths import admissible
from ...polyhedra import Domain, as_domain
from ...regions import RegionComplex, activation_regions
from ...symmetries import permutation_scaling_equivalent
from ...verdicts import Condition, Status, Verdict, inapplicable
from ..jacobians.functional_dimension import functional_dimension_of
from ..jacobians.tape import expect_small_regions
from ..shallow.setting import claim_on
from .activity import Activity, Source
from .deep_deformations import Motion, motions, structural_motions
from .directions import Rescalings
from .path_squares import path_squares, until_return

WHAT = "locally identifiable"
DEFAULT_REGIONS: Final = 20_000
"""The number of regions that are listed unless another budget is given."""
MOST_INPUTS: Final = 6
"""The largest input dimension in which regions are listed unless a budget is given."""
MOST_NEURONS: Final = 2_000
"""The largest number of hidden neurons of a network whose regions are listed."""
MOST_COMPARED: Final = 200
"""The largest number of regions on which the far end of a family is compared with the network once more."""
MOST_HALVINGS: Final = 30
ONE = Fraction(1)


@dataclass(frozen=True, slots=True)
class FullDimension:
    """Evidence: the functional dimension, found on ``regions`` regions, is ``parameters`` minus ``hidden``."""

    functional_dimension: int
    parameters: int
    hidden: int
    regions: int

    def explain(self) -> str:
        """The numbers in words."""
        return (
            f"the sample Jacobians of {self.regions} region(s) have rank {self.functional_dimension} = "
            f"{self.parameters} parameters - {self.hidden} hidden neurons"
        )


def deep_locally_identifiable(
    net: Network, domain: Domain | str | None = None, *, budget: int | None = None
) -> Verdict:
    r"""Whether nearby parameters with the same function on ``domain`` are all rescalings of :math:`\theta`.

    For ReLU networks of any depth, with skip connections and absent edges.
    ``holds`` comes with the ranks that prove it, ``fails`` with a family of
    networks that approaches :math:`\theta`. ``unknown`` if neither is found, or
    if there are more than ``budget`` regions; ``inapplicable`` for other
    activations.

    >>> net = Network.mlp([[[1]], [[-1]], [[1]]], [[0], [1], [0]])  # relu(1 - relu(x))
    >>> deep_locally_identifiable(net).evidence.explain()
    'the sample Jacobians of 3 region(s) have rank 4 = 6 parameters - 2 hidden neurons'
    >>> net = Network.mlp([[[1]], [[1]], [[1]]], [[0], [-1], [0]])  # relu(relu(x) - 1)
    >>> print(deep_locally_identifiable(net).family.member(1))
    Network.mlp([[[1]], [[1]], [[1]]], [[1], [-2], [0]])
    """
    check_budget(budget)
    domain = as_domain(domain, net.input_dim)
    claim = claim_on(WHAT, domain)
    if not net.is_standard:
        detail = "the theory does not apply: its hidden neurons are not all ReLUs, or its outputs are not affine"
        return inapplicable(claim, "relu_network", detail)
    if not domain.is_full_dimensional:
        return _without_interior(net, domain, claim)
    try:
        complex = listed_regions(net, domain, budget)
    except BudgetExceeded as error:
        return verdict_beyond_budget(net, domain, error)
    return verdict_on_regions(complex)


def listed_regions(net: Network, domain: Domain, budget: int | None) -> RegionComplex:
    """All regions, unless size, dimension or number forbid it."""
    if budget is None and net.input_dim > MOST_INPUTS:
        raise BudgetExceeded("inputs", MOST_INPUTS, net.input_dim)
    if len(net.hidden_neurons) > MOST_NEURONS:
        raise BudgetExceeded("hidden neurons", MOST_NEURONS, len(net.hidden_neurons))
    expect_small_regions(net)
    return activation_regions(net, domain, budget=DEFAULT_REGIONS if budget is None else budget)


def verdict_on_regions(complex: RegionComplex) -> Verdict:
    """The verdict on a ReLU network, from the complete complex of its regions."""
    net, claim = complex.network, claim_on(WHAT, complex.domain)
    dimension, hidden = functional_dimension_of(complex), len(net.hidden_neurons)
    size = len(net.parameters)
    full = dimension == size - hidden
    detail = f"the functional dimension is {dimension}, and D - h = {size - hidden}"
    rank_condition = Condition("functional_dimension", Status.HOLDS if full else Status.FAILS, (), detail)
    conditions = (_admissibility(net), rank_condition)
    if full and conditions[0].status is Status.HOLDS:
        return Verdict(claim, Status.HOLDS, conditions, evidence=FullDimension(dimension, size, hidden, len(complex)))
    activity = Activity(net, complex.patterns)
    rescalings = Rescalings(activity)
    proposals = chain(structural_motions(activity), motions(activity, complex, rescalings))
    return _decided(net, complex, claim, conditions, proposals, rescalings)


def verdict_beyond_budget(net: Network, domain: Domain, error: BudgetExceeded) -> Verdict:
    """The verdict without regions: what the parameters alone decide."""
    claim, activity = claim_on(WHAT, domain), Activity(net, ())
    dimension = Condition("functional_dimension", Status.UNKNOWN, (), str(error))
    conditions = (_admissibility(net), dimension)
    return _decided(net, None, claim, conditions, structural_motions(activity), Rescalings(activity))


def _without_interior(net: Network, domain: Domain, claim: str) -> Verdict:
    """On a domain in a hyperplane: the incoming weights of a neuron may change by its equation."""
    activity = Activity(net, ())
    detail = f"the domain lies in {domain.affine_hull[0]}, and so has no interior points"
    condition = Condition("interior", Status.FAILS, (), detail)
    proposals = chain(structural_motions(activity), _along_equations(activity, domain))
    return _decided(net, None, claim, (condition,), proposals, Rescalings(activity))


def _along_equations(activity: Activity, domain: Domain) -> Iterator[Motion]:
    for equation in domain.affine_hull:
        sources: dict[Source, Fraction] = {(0, j): entry for j, entry in enumerate(equation.normal) if entry}
        if equation.bound:
            sources[None] = -equation.bound
        for neuron, into in activity.incoming.items():
            if sources.keys() <= into.keys():
                text = f"the weights of neuron {neuron} may change by the equation {equation} of the domain"
                hidden = (neuron,) if neuron[0] < activity.net.depth else ()
                yield Motion({into[source]: entry for source, entry in sources.items()}, ONE, hidden, text)


def _admissibility(net: Network) -> Condition:
    verdict = admissible(net)
    broken = [condition for condition in verdict.conditions if condition.status is not Status.HOLDS]
    neurons = tuple(sorted({neuron for condition in broken for neuron in condition.neurons}))
    detail = "; ".join(condition.detail for condition in broken)
    return Condition("admissible", verdict.status, neurons, detail or "every hidden neuron hears and is heard")


def _decided(
    net: Network,
    complex: RegionComplex | None,
    claim: str,
    conditions: tuple[Condition, ...],
    proposals: Iterable[Motion],
    rescalings: Rescalings,
) -> Verdict:
    """``fails`` with the first motion that is no rescaling, else ``unknown``."""
    motion = next((proposal for proposal in proposals if not rescalings.contain(proposal.entries)), None)
    if motion is None:
        detail = "no deformation of a known kind keeps the function, which proves nothing"
        rigid = Condition("no_deformation", Status.UNKNOWN, (), detail)
        return Verdict(claim, Status.UNKNOWN, (*conditions, rigid))
    end = _verified_end(net, motion, complex)
    moved = Condition("no_deformation", Status.FAILS, motion.neurons, motion.text)
    return Verdict(claim, Status.FAILS, (*conditions, moved), witness=end, family=Family.segment(net, end))


def _verified_end(net: Network, motion: Motion, complex: RegionComplex | None) -> Network:
    """The end of a motion, cut off before it can meet a permuted rescaling; its proof is put to the test once more.

    Where no path product moves, only small steps are known to be safe: then it is halved until the end is.
    """
    step = until_return(path_squares(net, motion.entries), motion.step)
    motion = replace(motion, step=motion.step if step is None else step)
    for _ in range(MOST_HALVINGS):
        end = motion.end(net)
        members = [end, Family.segment(net, end).member(ONE / 3)]
        if all(permutation_scaling_equivalent(net, member).status is not Status.HOLDS for member in members):
            if all(_agree(net, member, complex) for member in members):
                return end
            break
        motion = replace(motion, step=motion.step / 2)
    raise RuntimeError("internal error: a deformation does not stand up to verification")


def _agree(left: Network, right: Network, complex: RegionComplex | None) -> bool:
    """Whether no difference is found: on all regions if they are not too many, else at points inside some of them."""
    if complex is None:
        return True
    if len(complex) <= MOST_COMPARED:
        return same_function(left, right, complex.domain).status is Status.HOLDS
    points = [complex[k].interior_point for k in range(0, len(complex), len(complex) // MOST_COMPARED)]
    return left.values(points) == right.values(points)
