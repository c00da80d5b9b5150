"""One-parameter families: members by formula, members as near as asked, and their JSON and text."""

from __future__ import annotations

import json
import random
from fractions import Fraction

import pytest
from strategies import random_mlp

from exactrelu import DifferentArchitecture, Family, InexactNumber, InvalidInput, Network

ONE = (Fraction(1),)
START = Network.mlp([[[1, 0], [2, -1]], [[1, "1/2"]]], [[0, 1], [3]])
END = START.replace({"w[1<-0][0,1]": 4, "b[2][0]": "-1/3"})
SEGMENT = Family.segment(START, END)
# w = 1 + t^2, b = t/(1 + t), v = 1/(1 - t/2)
CURVE = Family(
    Network.mlp([[[1]], [[1]]], [[0], None]),
    ((Fraction(1), Fraction(0), Fraction(1)), (Fraction(0), Fraction(1)), ONE),
    (ONE, (Fraction(1), Fraction(1)), (Fraction(1), Fraction(-1, 2))),
)


def values(net: Network) -> list[Fraction]:
    return [parameter.value for parameter in net.parameters]


@pytest.mark.parametrize("t", [0, 1, "1/2", Fraction(1, 7), "0.125"])
def test_members_of_a_segment(t: object) -> None:
    t_exact = Fraction(str(t))
    expected = [(1 - t_exact) * a + t_exact * b for a, b in zip(values(START), values(END), strict=True)]
    member = SEGMENT.member(t)
    assert values(member) == expected
    assert member.architecture == START.architecture


@pytest.mark.parametrize("t", [0, 1, "1/3", "3/4"])
def test_members_of_a_curve(t: object) -> None:
    t_exact = Fraction(t)
    assert values(CURVE.member(t)) == [1 + t_exact**2, t_exact / (1 + t_exact), 1 / (1 - t_exact / 2)]


def test_random_segments_run_from_end_to_end() -> None:
    r = random.Random(8)
    for _ in range(60):
        start = random_mlp(r)
        end = start.with_values([entry + r.randint(-2, 2) for entry in values(start)])
        family = Family.segment(start, end)
        assert family.base == start == family.member(0)
        assert family.member(1) == end
        middle = [(a + b) / 2 for a, b in zip(values(start), values(end), strict=True)]
        assert values(family.member("1/2")) == middle


@pytest.mark.parametrize("family", [SEGMENT, CURVE])
@pytest.mark.parametrize("epsilon", [100, 1, "1/10", "1/1000", Fraction(1, 10**30)])
def test_a_member_within_any_distance(family: Family, epsilon: object) -> None:
    t, member = family.member_within(epsilon)
    assert 0 < t <= family.last
    assert member == family.member(t)
    gaps = [abs(a - b) for a, b in zip(values(member), values(family.base), strict=True)]
    assert 0 < max(gaps) <= Fraction(epsilon)


def test_the_nearest_is_not_nearer_than_needed() -> None:
    """``t`` is halved until the bound is met, so twice the ``t`` is too far."""
    t, _ = SEGMENT.member_within("1/100")
    farther = SEGMENT.member(2 * t)
    assert max(abs(a - b) for a, b in zip(values(farther), values(START), strict=True)) > Fraction(1, 100)


@pytest.mark.parametrize("epsilon", [0, -1, "-1/2"])
def test_a_distance_must_be_positive(epsilon: object) -> None:
    with pytest.raises(InvalidInput, match="epsilon: must be positive"):
        SEGMENT.member_within(epsilon)


@pytest.mark.parametrize("t", [-1, 2, "3/2", "-1/100"])
def test_t_must_lie_on_the_family(t: object) -> None:
    with pytest.raises(InvalidInput, match="t: must lie between 0 and 1; got"):
        SEGMENT.member(t)


def test_a_shorter_family() -> None:
    short = Family(SEGMENT.base, SEGMENT.numerators, SEGMENT.denominators, Fraction(1, 4))
    assert short.member("1/4") == SEGMENT.member("1/4")
    assert short.member_within(1000)[0] == Fraction(1, 4)
    with pytest.raises(InvalidInput, match="must lie between 0 and 1/4"):
        short.member("1/3")


def test_floats_are_refused() -> None:
    for call in (lambda: SEGMENT.member(0.5), lambda: SEGMENT.member_within(0.5)):
        with pytest.raises(InexactNumber):
            call()


def test_the_ends_must_share_their_parameters() -> None:
    others = [
        Network.mlp([[[1, 0]], [[1]]], [[0], [3]]),
        Network.mlp([[[1, 0], [2, -1]], [[1, "1/2"]]], [[0, 1], None]),
        Network.mlp([[[1, None], [2, -1]], [[1, "1/2"]]], [[0, 1], [3]]),
    ]
    for other in others:
        with pytest.raises(DifferentArchitecture, match="end: must have the architecture of the start"):
            Family.segment(START, other)


def test_json_lists_the_parameters_that_change() -> None:
    data = json.loads(json.dumps(SEGMENT.to_json()))
    assert list(data) == ["format", "version", "network", "last", "parameters"]
    assert (data["format"], data["version"], data["last"]) == ("exactrelu/family", 1, "1")
    assert data["network"] == START.to_json()
    assert data["parameters"] == {
        "w[1<-0][0,1]": {"numerator": ["0", "4"], "denominator": ["1"]},
        "b[2][0]": {"numerator": ["3", "-10/3"], "denominator": ["1"]},
    }


def test_json_keeps_every_parameter_that_changes() -> None:
    assert list(CURVE.to_json()["parameters"]) == ["w[1<-0][0,0]", "b[1][0]", "w[2<-1][0,0]"]


def test_explanations_are_formulas_in_t() -> None:
    assert SEGMENT.explain().splitlines() == [
        "for 0 < t <= 1, the same network with",
        "  w[1<-0][0,1] = 4*t",
        "  b[2][0] = -10/3*t + 3",
    ]
    assert CURVE.explain().splitlines() == [
        "for 0 < t <= 1, the same network with",
        "  w[1<-0][0,0] = t^2 + 1",
        "  b[1][0] = (t)/(t + 1)",
        "  w[2<-1][0,0] = (1)/(-1/2*t + 1)",
    ]


def test_families_are_values() -> None:
    assert Family.segment(START, END) == SEGMENT
    assert hash(Family.segment(START, END)) == hash(SEGMENT)
    assert Family.segment(START, START) != SEGMENT
    with pytest.raises(AttributeError):
        SEGMENT.last = Fraction(2)


def test_segments_need_one_architecture() -> None:
    with pytest.raises(DifferentArchitecture, match=r"^end: must have the architecture of the start"):
        Family.segment(Network.mlp([[[1]], [[1]]]), Network.mlp([[[1], [1]], [[1, 1]]]))
