"""Shrinking: the result still refutes, no single step makes it smaller, and steps do what they say."""

from __future__ import annotations

from fractions import Fraction

import pytest
from refutable import BOUNDED_GLOBAL, DISTINCT_GLOBAL, EMBEDDING_AND_SIGNS, FULL_RANK_LOCAL, LOCAL

import exactrelu as er
from exactrelu.errors import InvalidInput
from exactrelu.theorems.families import family
from exactrelu.theorems.hunting import hunt
from exactrelu.theorems.instances import instance_from_json
from exactrelu.theorems.reductions import differences
from exactrelu.theorems.shrinking import shrink, size, smaller_instances
from exactrelu.theorems.surgery import without_edge, without_layer, without_neuron


def fails(statement: er.Theorem, instance: er.Instance) -> bool:
    try:
        return statement.check(instance).status is er.Status.FAILS
    except (er.ExactReluError, ValueError, TypeError, IndexError):
        return False


CASES = [
    (EMBEDDING_AND_SIGNS.without("admissible"), (2, 2, 1), None),
    (EMBEDDING_AND_SIGNS.without("same_signs"), (2, 2, 1), None),
    (BOUNDED_GLOBAL.without("distinct_hyperplanes"), (2, 2, 1), "[-1,1]^2"),
    (BOUNDED_GLOBAL.without("no_zero_sum"), (1, 3, 1), "[-1,2]"),
    (LOCAL.without("opposite_twins_jump"), (1, 3, 1), None),
    (DISTINCT_GLOBAL, (1, 3, 1), None),
    pytest.param(FULL_RANK_LOCAL, (1, 1, 1, 1), None, marks=pytest.mark.sweep),
]


@pytest.mark.parametrize(("statement", "widths", "domain"), CASES, ids=lambda case: getattr(case, "id", None))
def test_no_single_step_leads_to_a_smaller_counterexample(
    statement: er.Theorem, widths: tuple[int, ...], domain: str | None
) -> None:
    found = hunt(statement, family(widths, random=11), domain, budget=20_000, shrink=False).found
    assert found is not None
    least = shrink(statement, found)
    assert statement.check(least).status is er.Status.FAILS
    assert size(least) < size(found)
    for candidate in smaller_instances(least):
        assert size(candidate) < size(least)
        assert not fails(statement, candidate), candidate
    assert shrink(statement, found) == shrink(statement, least) == least
    assert instance_from_json(least.to_json(), "least") == least


def test_known_least_counterexamples() -> None:
    chain = er.Network.mlp([[[3, 1], [2, -1]], [["5/2", -1]], [[5]]], [["1/3", 2], [-4], [7]])
    claim = er.Theorem(hypotheses=[], conclusion=lambda network: network.depth < 3, id="shallow")
    assert shrink(claim, er.Instance(chain)).network == er.Network.mlp([[[0]], [[0]], [[0]]], [[0], [0], [0]])
    claim = er.Theorem(hypotheses=[], conclusion=lambda network: sum(p.value for p in network.parameters) < 3, id="sum")
    assert sorted(p.value for p in shrink(claim, er.Instance(chain)).network.parameters) == [0, 3]


def test_samples_domains_and_modifications_shrink_too() -> None:
    def sees_far(samples: tuple[tuple[Fraction, ...], ...], domain: er.Domain | None = None) -> bool:
        return not any(abs(x) > 1 for point in samples for x in point)

    claim = er.Theorem(hypotheses=[], conclusion=sees_far)
    points: list[list[object]] = [["1/2", 3], [0, 0], ["-7/3", 5]]
    start = er.Instance(er.Network.mlp([[[1, 2]], [[3]]]), domain="[-2,7]x[0,5]", samples=points)
    least = shrink(claim, start)
    assert least.domain is None
    assert least.samples == ((Fraction(2),),)
    assert least.network == er.Network.mlp([[[0]]])
    kept = shrink(claim, start.replace(domain=er.Domain.parse("[-2,7]^2")), keep_domain=True)
    assert kept.domain is not None
    assert str(kept.domain) == "[-2,7]^2"

    def small_amount(modification: er.Modification) -> bool:
        return abs(modification.amount) < 2

    claim = er.Theorem(hypotheses=[], conclusion=small_amount)
    four = er.affine_symmetries("relu", [(1, 0), (-1, 0), (1, -1), (-1, 1)]).basis[0]
    net = er.Network.mlp([[[1], [2], [4]], [[2, 1, 1]]], [[3, 1, 1], [0]])
    change = er.Modification((1, 2), four, (2, 0), Fraction(-7))
    least = shrink(claim, er.Instance(net, modification=change))
    assert least.network == er.Network.mlp([[[0]], [[0]]], [[0], [0]])
    assert least.modification is not None
    assert least.modification.neuron == (1, 0)
    assert least.modification.amount == 2


def test_budgets_and_bad_instances() -> None:
    chain = er.Network.mlp([[[3]], [[5]]], [[2], [7]])
    claim = er.Theorem(hypotheses=[], conclusion=lambda network: False, id="never")
    assert shrink(claim, er.Instance(chain), budget=0).network == chain
    one = shrink(claim, er.Instance(chain), budget=1)
    assert size(shrink(claim, er.Instance(chain))) < size(one) < size(er.Instance(chain))
    with pytest.raises(InvalidInput, match="instance: must refute local to be shrunk; got 'holds'"):
        shrink(LOCAL, er.Instance(er.zoo.HAT))
    with pytest.raises(InvalidInput, match="budget"):
        shrink(claim, er.Instance(chain), budget=-1)


def test_surgery_takes_out_what_it_names() -> None:
    net = er.Network.mlp([[[1, 2], [3, 4]], [[5, 6], [7, 8]], [[9, 10]]], [[1, 2], [3, 4], [5]])
    assert without_neuron(net, (0, 0)) == er.Network.mlp(
        [[[2], [4]], [[5, 6], [7, 8]], [[9, 10]]], [[1, 2], [3, 4], [5]]
    )
    assert without_neuron(net, (2, 1)) == er.Network.mlp([[[1, 2], [3, 4]], [[5, 6]], [[9]]], [[1, 2], [3], [5]])
    assert without_neuron(net, (3, 0)) is None
    assert list(without_layer(net, 2)) == [
        er.Network.mlp([[[1, 2], [3, 4]], [[9, 10]]], [[1, 2], [5]]),
        er.Network.mlp([[[1, 2], [3, 4]], [[5, 6]]], [[1, 2], [5]]),
    ]
    skip = er.Network(1, [er.Layer({0: [[1]]}), er.Layer({0: [[2]], 1: [[3]]}, activation="identity")])
    cut = without_edge(skip, (2, 0), (0, 0))
    assert cut == er.Network.mlp([[[1]], [[3]]])
    assert without_edge(skip, (1, 0), (0, 0)) is None
    assert list(without_layer(skip, 1)) == []


def test_steps_on_pairs_and_on_primitive_neurons() -> None:
    net = er.Network.mlp([[[4, "2/3"], [1, 2]], [[3, 5]]], [[2, 1], [7]])
    other = net.replace({"w[1<-0][1,0]": 9, "b[2][0]": 0})
    named = [net.parameters[position] for position in differences(er.Instance(net, other=other))]
    assert [parameter.name for parameter in named] == ["w[1<-0][1,0]", "b[2][0]"]
    assert differences(er.Instance(net)) == []
    # (4, 2/3, 2) = 2/3 (6, 1, 3): the neuron becomes primitive, its outgoing weight larger
    primitive = er.Network.mlp([[[6, 1], [1, 2]], [[2, 5]]], [[3, 1], [7]])
    assert any(found.network == primitive for found in smaller_instances(er.Instance(net)))
    bent = er.Network.mlp([[[4], [1]], [[3, 5]]], [[2, 1], [7]], activation="hat")  # not homogeneous
    primitive = er.Network.mlp([[[2], [1]], [[6, 5]]], [[1, 1], [7]], activation="hat")
    assert not any(found.network == primitive for found in smaller_instances(er.Instance(bent)))
