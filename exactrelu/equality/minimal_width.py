r"""The least number of hidden neurons that realises a shallow function.

Theory: ``shallow_minimal_width`` (5.4 G), for networks with biases in both
layers. With the normal form :math:`(K,a,L)`, :math:`\Lambda` the linear part of
:math:`L` and :math:`M_\varepsilon=\Lambda-\tfrac12\sum_H\varepsilon_Ha_Hw_H^T`,
the least width is

* on a bounded domain :math:`|K|+\min_\varepsilon\operatorname{rank}M_\varepsilon`,
* on :math:`\mathbb R^d`, with :math:`W_T=\operatorname{span}\{w_H\}_{H\in T}`,
  :math:`|K|+\min_{T\subset K,\varepsilon}\bigl(|T|+2\operatorname{rank}(M_\varepsilon\bmod W_T)\bigr)`.

Each sign :math:`\varepsilon_H` orients one neuron; the rest of the affine part
costs one always-active neuron per rank on a bounded domain, and an opposite
pair per rank on all of space, or one more neuron on a hyperplane of :math:`T`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

from ..errors import BudgetExceeded, HypothesisNotMet, Undecided
from ..networks import Network
from ..polyhedra import Domain, as_domain
from ..rationals import Matrix, Vector, common_denominator, decompose_modulo, dot, kernel, rank, scaled_integers
from ..rationals.subset_sums import DEFAULT_BUDGET, subsets_with_sum
from .normal_form import NormalForm, add_product, normal_form
from .shallow import Form, opposite, shallow

ZERO = Fraction(0)
ONE = Fraction(1)
HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class _Plan:
    """How to realise a normal form: orientations, doubled hyperplanes, and what affine slopes remain."""

    signs: tuple[int, ...]
    doubled: tuple[int, ...]
    remainder_rank: int


def minimal_width(net: Network, domain: Domain | str | None = None, *, budget: int | None = None) -> int:
    r"""The least number of hidden neurons of a shallow network equal to ``net`` on ``domain``.

    Raises :class:`~exactrelu.errors.HypothesisNotMet` for networks that are not
    shallow with biases in both layers, :class:`~exactrelu.errors.Undecided` for
    unbounded domains other than :math:`\mathbb R^d`, and
    :class:`~exactrelu.errors.BudgetExceeded` beyond ``budget`` subsets.

    >>> hat = Network.mlp([[[1], [1], [1]], [[1, -2, 1]]], [[1, 0, -1], [0]])
    >>> minimal_width(hat), minimal_width(hat, "[0,2]")
    (3, 1)
    """
    form, plan, bounded = _solved(net, domain, budget)
    return _width(form, plan, bounded)


def reduce(net: Network, domain: Domain | str | None = None, *, budget: int | None = None) -> Network:
    r"""A shallow network of least width that equals ``net`` on ``domain``; errors as :func:`minimal_width`.

    For a constant function this is a network without a hidden layer.

    >>> reduce(Network.mlp([[[1], [2], [0]], [[1, 1, 5]]], [[0, 0, 1], [0]]))
    Network.mlp([[[1]], [[3]]], [[0], [5]])
    """
    form, plan, bounded = _solved(net, domain, budget)
    return _realised(form, plan, as_domain(domain, net.input_dim), bounded)


def _solved(net: Network, domain: Domain | str | None, budget: int | None) -> tuple[NormalForm, _Plan, bool]:
    view = shallow(net)
    if not (view.hidden_biases and view.output_bias):
        raise HypothesisNotMet("network", "must have biases in both layers for its minimal width to be decided")
    domain = as_domain(domain, net.input_dim)
    domain.require_full_dimensional("the minimal width")
    if not (domain.is_bounded or domain.is_space):
        raise Undecided("the minimal width is decided on bounded domains and on all of space only")
    form = normal_form(view, domain)
    plan = _best_plan(form, domain.is_bounded, DEFAULT_BUDGET if budget is None else budget)
    return form, plan, domain.is_bounded


def _width(form: NormalForm, plan: _Plan, bounded: bool) -> int:
    return len(form.jumps) + len(plan.doubled) + (1 if bounded else 2) * plan.remainder_rank


def _best_plan(form: NormalForm, bounded: bool, budget: int) -> _Plan:
    """The plan of least width, trying cheap ones first; ranks are bounded by the smaller dimension."""
    size, full = len(form.jumps), min(len(form.affine), len(form.affine[0]) - 1)
    price = 1 if bounded else 2
    best: _Plan | None = None
    for doubled in _doubled_sets(size, bounded, price * full):
        for allowed in range(full + 1):
            cost = len(doubled) + price * allowed
            if best is not None and cost >= len(best.doubled) + price * best.remainder_rank:
                break
            signs = _signs_with_rank(form, doubled, allowed, full, budget)
            if signs is not None:
                best = _Plan(signs, doubled, allowed)
                break
    assert best is not None  # rank ``full`` is always allowed
    return best


def _doubled_sets(size: int, bounded: bool, most: int) -> Iterator[tuple[int, ...]]:
    """The sets T worth trying: doubling more hyperplanes than the worst remainder costs is in vain."""
    for count in range((0 if bounded else min(size, most)) + 1):
        yield from combinations(range(size), count)


def _signs_with_rank(
    form: NormalForm, doubled: Sequence[int], allowed: int, full: int, budget: int
) -> tuple[int, ...] | None:
    """Orientations for which the remaining slopes have at most this rank modulo the doubled hyperplanes."""
    size = len(form.jumps)
    free = [i for i in range(size) if i not in doubled]
    annihilator = _annihilator([form.jumps[i][0] for i in doubled], len(form.affine[0]) - 1)
    if allowed >= min(full, len(annihilator)):
        return (1,) * size
    # Everything is projected along the doubled hyperplanes.
    slopes = [[dot(row, direction) for direction in annihilator] for row in form.slopes]
    terms = []
    for wall, jump in (form.jumps[i] for i in free):
        normal = [dot([Fraction(entry) for entry in wall[:-1]], direction) for direction in annihilator]
        terms.append([[entry * w for w in normal] for entry in jump])
    if allowed == 0:
        chosen = _vanishing(slopes, terms, budget)
        if chosen is None:
            return None
        positive = {free[i] for i in chosen}
        return tuple(1 if i in positive or i in doubled else -1 for i in range(size))
    if 2 ** len(free) > budget:
        raise BudgetExceeded("subsets", budget, 2 ** len(free))
    for signs in product((1, -1), repeat=len(free)):
        remainder = [
            [
                entry - HALF * sum(s * term[o][j] for s, term in zip(signs, terms, strict=True))
                for j, entry in enumerate(row)
            ]
            for o, row in enumerate(slopes)
        ]
        if rank(remainder) <= allowed:
            by_index = dict(zip(free, signs, strict=True))
            return tuple(by_index.get(i, 1) for i in range(size))
    return None


def _vanishing(slopes: list[list[Fraction]], terms: list[list[list[Fraction]]], budget: int) -> tuple[int, ...] | None:
    r"""The set of positive signs with :math:`2\Lambda=\sum_H\varepsilon_H(\cdot)`, a subset-sum problem."""
    flat = [[entry for row in term for entry in row] for term in terms]
    target = [2 * entry for row in slopes for entry in row]
    scale = common_denominator(entry for vector in [*flat, target] for entry in vector)
    vectors = [scaled_integers(vector, scale) for vector in flat]
    # With a sign of 1 for the chosen ones and -1 for the others, twice the chosen ones are the target and all of them.
    goal = [sum(column) for column in zip(scaled_integers(target, scale), *vectors, strict=True)]
    doubled = [[2 * entry for entry in vector] for vector in vectors]
    return next(subsets_with_sum(doubled, goal, budget=budget), None)


def _annihilator(walls: Sequence[Form], dimension: int) -> Matrix:
    r"""A basis of the directions along all the hyperplanes (all of space for none)."""
    return kernel([[Fraction(entry) for entry in wall[:-1]] for wall in walls], dimension)


def _realised(form: NormalForm, plan: _Plan, domain: Domain, bounded: bool) -> Network:
    """The network of a plan: oriented neurons, doubled ones, then neurons for the remaining slopes."""
    forms: list[Sequence[Fraction | int]] = []
    outputs: list[Vector] = []
    affine = [list(row) for row in form.affine]
    for (wall, jump), sign in zip(form.jumps, plan.signs, strict=True):
        forms.append(wall if sign > 0 else opposite(wall))
        outputs.append(jump)
        add_product(affine, [-HALF * sign * entry for entry in jump], wall)
    walls = [form.jumps[i][0][:-1] for i in plan.doubled]
    shares, factors = decompose_modulo([row[:-1] for row in affine], walls)
    # Exchanging output u between the two sides of a hyperplane adds u times its form.
    for i, u in zip(plan.doubled, shares, strict=True):
        wall, jump = form.jumps[i]
        outputs[i] = tuple(a + e for a, e in zip(jump, u, strict=True))
        forms.append(opposite(wall))
        outputs.append(tuple(-entry for entry in u))
        add_product(affine, [-entry for entry in u], wall)
    for direction, output in factors:
        if bounded:
            lowest = domain.infimum(direction).value
            assert lowest is not None
            extra = [((*direction, ONE - lowest), output)]
        else:
            line = (*direction, ZERO)
            extra = [(line, output), (tuple(-e for e in line), tuple(-e for e in output))]
        forms += [pair[0] for pair in extra]
        outputs += [pair[1] for pair in extra]
        add_product(affine, [-entry for entry in output], extra[0][0])
    constant = [row[-1] for row in affine]
    if not forms:
        return Network.mlp([[row[:-1] for row in affine]], [constant])
    rows = [list(entry[:-1]) for entry in forms]
    matrix = [[output[o] for output in outputs] for o in range(len(affine))]
    return Network.mlp([rows, matrix], [[entry[-1] for entry in forms], constant])
