r"""The network behind a shallow function, from exact values at rational points.

Theory: section 6, with the fibre of sections 5.2 and 5.4 G. The bends of the
function are found in :mod:`.exploration`: along a few lines in general position
(:mod:`.generic_lines`), with all kinks of a line by :mod:`.line_search`, and the
hyperplane and jump of a kink from the gradients beside it (:mod:`.bent_function`).
The networks with these bends are listed by :mod:`.least_networks`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from ...equality import same_function, shallow, why_not_shallow
from ...errors import HypothesisNotMet, InvalidInput, Undecided, check_integer
from ...networks import Family, Network
from ...polyhedra import Domain
from ...rationals import rational
from ...verdicts import Status
from .black_box import BlackBox, BrokenPromise, Oracle
from .exploration import Exploration
from .generic_lines import LARGEST_DIRECTION
from .least_networks import FibreStatus, least_networks

DEFAULT_HEIGHT: Final = 10**6
DEFAULT_REACH: Final = 8
DEFAULT_RESOLUTION: Final = Fraction(1, 4)
DEFAULT_CHECKS: Final = 64
MOST_PROBES: Final = 100_000


@dataclass(frozen=True, slots=True)
class Recovery:
    """What a function says about its parameters.

    ``networks`` has one network of least width per class, up to permutation and
    scaling, if ``status`` is ``complete``; if it is ``infinite``, one of
    infinitely many, with the ``family`` of the others near it. ``queries`` counts
    the points that were asked.
    """

    networks: tuple[Network, ...]
    queries: int
    status: FibreStatus
    family: Family | None = None

    def explain(self) -> str:
        """The networks as text."""
        count = "infinitely many, here is one" if self.status is FibreStatus.INFINITE else str(len(self.networks))
        lines = [f"classes of networks of least width, from {self.queries} queries: {count}"]
        lines += [f"  {net!r}" for net in self.networks]
        if self.family is not None:
            lines.append(f"family: {self.family.explain()}")
        return "\n".join(lines)


def recover_shallow(
    oracle: Oracle,
    input_dim: int,
    *,
    max_width: int,
    max_denominator: int,
    reach: int = DEFAULT_REACH,
    resolution: object = DEFAULT_RESOLUTION,
    checks: int = DEFAULT_CHECKS,
    seed: int = 0,
    budget: int | None = None,
) -> Recovery:
    r"""All shallow networks of least width whose function is ``oracle``, up to permutation and scaling.

    ``oracle`` maps a tuple of ``input_dim`` fractions to a list of exact numbers.
    The *promise* is about its function :math:`f` on :math:`\mathbb R^d`:

    1. a dense network with one hidden ReLU layer of at most ``max_width`` neurons,
       with biases in both layers, has the function :math:`f`;
    2. every hyperplane along which :math:`f` bends has an equation
       :math:`\langle w,x\rangle+b=0` with integers of absolute value at most
       ``max_denominator`` (for :math:`d=1`: kinks are :math:`p/q` with
       :math:`|p|,q\le` ``max_denominator``); outgoing weights are arbitrary;
    3. all bumps are seen. A *bump* on a line is a run of consecutive kinks with the
       same affine map before and after, and without a shorter such run inside; it
       is seen if one of the parameters :math:`t=k\cdot` ``resolution``,
       :math:`|t|\le` ``reach``, lies between its ends. The lines :math:`p+tu` are
       :math:`d` in number, through a point :math:`p` near 0 and almost parallel to the axes.

    Under the promise the answer is exact; the number of queries is polynomial in
    :math:`d`, ``max_width`` and the *logarithm* of ``max_denominator``, and
    proportional to ``reach / resolution``. Nothing like (3) can be left out: a
    bump of length :math:`\epsilon` is invisible to any method that asks fewer
    than about ``reach``/:math:`\epsilon` points. (One line on which all bumps
    are seen would do, as each line meets each hyperplane; the others, and
    ``checks`` random points, look for what the promise may have missed.)

    Raises :class:`BrokenPromise` where the function is seen not to be as
    promised, :class:`~exactrelu.errors.InvalidInput` for an oracle that fails or
    gives other than exact numbers, and :class:`~exactrelu.errors.BudgetExceeded`
    beyond ``budget`` queries (those of very long numbers count more than once), subsets or networks, and
    for so many inputs that the coordinates of queries would have more than 200,000 bits.

    >>> hat = lambda point: [max(1 - abs(point[0]), 0)]
    >>> recover_shallow(hat, 1, max_width=3, max_denominator=100).networks[1]
    Network.mlp([[[1], [1], [1]], [[1, -2, 1]]], [[-1, 0, 1], [0]])
    """
    check_integer("input_dim", input_dim, 1)
    check_integer("max_width", max_width, 0)
    check_integer("max_denominator", max_denominator, 1)
    check_integer("reach", reach, 0)
    check_integer("checks", checks, 0)
    box = BlackBox(oracle, input_dim, budget=budget)
    probes = _probes(reach, rational(resolution, "resolution"))
    exploration = _explored(box, max_width, max_denominator, probes, checks, seed)
    return _recovery(exploration, budget)


def recover_network(
    net: Network, *, max_width: int | None = None, max_denominator: int | None = None, budget: int | None = None
) -> Recovery:
    """All shallow networks of least width with the function of ``net``, found by evaluating ``net``.

    What was found is compared with ``net`` itself, exactly, and a point of difference
    shows the way to what was missed. So the answer does not rest on a promise.
    For a network with one hidden layer the bounds are read off its size; for others
    they are a guess, which may have to be raised.

    Raises :class:`BrokenPromise` for functions that are not shallow with these
    bounds, as those of most deep networks, :class:`~exactrelu.errors.Undecided` when the
    comparison exceeds ``budget`` regions; other errors as :func:`recover_shallow`.

    >>> recover_network(Network.mlp([[[2], [1]], [[1, 1]]], [[0, 0], [0]])).networks
    (Network.mlp([[[1]], [[3]]], [[0], [0]]),)
    """
    if net.is_analytic:
        raise HypothesisNotMet("network", "must be piecewise linear, as all networks that are found are")
    width, height = _bounds(net)
    width = width if max_width is None else max_width
    height = height if max_denominator is None else max_denominator
    check_integer("max_width", width, 0)
    check_integer("max_denominator", height, 1)
    box = BlackBox(net, net.input_dim, budget=budget)
    probes = _probes(DEFAULT_REACH, DEFAULT_RESOLUTION)
    exploration = _explored(box, width, height, probes, DEFAULT_CHECKS, 0)
    while True:
        verdict = same_function(net, exploration.network, budget=budget)
        if verdict.status is Status.HOLDS:
            return _recovery(exploration, budget)
        if verdict.status is Status.UNKNOWN:
            raise Undecided("whether the recovered network is the same function everywhere exceeds the budget")
        exploration.learn(verdict.evidence.point)


def _explored(
    box: BlackBox, max_width: int, max_denominator: int, probes: Sequence[Fraction], checks: int, seed: int
) -> Exploration:
    """All that can be seen along the axes and at random points."""
    height = max([max_denominator, LARGEST_DIRECTION, *(max(abs(t.numerator), t.denominator) for t in probes)])
    exploration = Exploration(box, max_width, height)
    for axis in range(box.input_dim):
        exploration.explore([int(i == axis) for i in range(box.input_dim)], probes)
    exploration.check(checks, seed)
    return exploration


def _recovery(exploration: Exploration, budget: int | None) -> Recovery:
    box, most = exploration.box, exploration.max_width
    found = least_networks(exploration.network, Domain.space(box.input_dim), budget=budget)
    width = sum(found.networks[0].widths[1:-1])
    if width > most:
        rule = f"must be the function of a shallow network with at most {most} neurons, but {width} are needed"
        raise BrokenPromise("oracle", rule)
    return Recovery(found.networks, box.queries, found.status, found.family)


def _bounds(net: Network) -> tuple[int, int]:
    """A width and a height that suffice for a shallow network; an affine map takes two neurons per rank."""
    if why_not_shallow(net) is not None:
        return len(net.hidden_neurons) + 2 * min(net.input_dim, net.output_dim), DEFAULT_HEIGHT
    forms = [form for form in shallow(net).forms if any(form[:-1])]
    return len(net.hidden_neurons), max([1, *(abs(entry) for form in forms for entry in form)])


def _probes(reach: int, resolution: Fraction) -> list[Fraction]:
    if resolution <= 0:
        raise InvalidInput("resolution", "must be positive", resolution)
    last = reach // resolution
    if 2 * last + 1 > MOST_PROBES:
        raise InvalidInput("resolution", f"must leave at most {MOST_PROBES} probes on a line", resolution)
    return [k * resolution for k in range(-last, last + 1)]
