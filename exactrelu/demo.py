r"""The lesson of ``exactrelu demo``: every number in it is computed when it runs."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from .networks import Network
from .paths import embedding_rank, path_embedding
from .rationals import dot
from .symmetries import permutation_scaling_equivalent
from .verdicts import Status, Verdict, number_list, text

HAT = Network.mlp([[[1], [1], [1]], [[1, -2, 1]]], [[1, 0, -1], [0]])
DEEP = Network.mlp(
    [[[1, 2], [2, -1], [-1, 1]], [[1, -1, 2], ["1/2", 3, -1]], [[2, -3]]], [[1, -1, 2], [0, "1/3"], ["1/2"]]
)
KINKS = (Fraction(-1), Fraction(0), Fraction(1))


def lesson() -> str:
    """The whole lesson as text, at most 60 lines."""
    return "\n".join([*_hat_lines(), "", *_second_lines(), "", *_deep_lines()])


def _hat_lines() -> list[str]:
    point = Fraction(1, 2)
    phi = path_embedding(HAT)
    activations = phi.activations([point])
    lines = [
        "1. The hat function f(x) = relu(x+1) - 2 relu(x) + relu(x-1)",
        "",
        "   The embedding: one product of parameters per path, and which paths are active at x = 1/2.",
        f"   {'path':<24} {'formula':<28} {'value':>6} {'alpha':>6}",
    ]
    for path, formula, value, alpha in zip(phi.paths, phi.formulas(), phi.vector, activations, strict=True):
        lines.append(f"   {path!s:<24} {formula:<28} {text(value):>6} {text(alpha):>6}")
    product = dot(phi.vector, activations)
    lines += [
        "",
        f"   The network is linear in it: <Phi, alpha> = {text(product)}, and f(1/2) = {text(HAT([point])[0])}.",
        f"   {_rank_sentence(HAT)}",
        "",
        "   A rescaled and permuted copy is recognised:",
        *_recognised(HAT, [[2, 0, 1]], [["1/2", 3, 5]]),
    ]
    return lines


def _second_lines() -> list[str]:
    other = HAT.flip([0, 1, 2])
    verdict = permutation_scaling_equivalent(HAT, other)
    samples = (KINKS[0] - 1, *KINKS, KINKS[-1] + 1)
    lines = [
        "2. A second parameterization of the hat: turn every neuron around",
        "",
        f"   {other!r}",
        f"   It is no rescaled and permuted copy ({verdict.status.value}):",
        *(f"   {line}" for line in _wrapped(verdict.conditions[0].detail)),
        "   Both networks bend at -1, 0 and 1 only; so they are the same function as soon as",
        "   their values at the kinks and their slopes on all pieces agree:",
    ]
    for name, net in (("first", HAT), ("second", other)):
        values, slopes = _values_and_slopes(net, samples)
        lines.append(f"   {name:<8} values {number_list(values[1:-1])}   slopes {number_list(slopes)}")
    same = _values_and_slopes(HAT, samples) == _values_and_slopes(other, samples)
    lines.append(f"   They {'agree' if same else 'differ'}: the function does not determine its parameters.")
    return lines


def _deep_lines() -> list[str]:
    phi = path_embedding(DEEP)
    point = (Fraction(1, 3), Fraction(-1, 2))
    product = dot(phi.vector, phi.activations(point))
    return [
        f"3. A deep network of widths {'-'.join(map(str, DEEP.widths))}",
        "",
        f"   {len(phi)} paths; at (1/3, -1/2), <Phi, alpha> = {text(product)} and f = {text(DEEP(point)[0])}.",
        f"   {_rank_sentence(DEEP)}",
        "   A rescaled and permuted copy is recognised:",
        *_recognised(DEEP, [[1, 2, 0], [1, 0]], [[2, "1/3", 1], ["7/2", 4]]),
    ]


def _rank_sentence(net: Network) -> str:
    size, hidden = len(net.parameters), len(net.hidden_neurons)
    return (
        f"The rank of D Phi is {embedding_rank(net)} = {size} parameters - {hidden} hidden neurons: "
        "what is lost is the rescaling."
    )


def _recognised(net: Network, permutation: list[list[int]], scalings: list[list[object]]) -> list[str]:
    copy = net.permute(permutation).rescale(scalings)
    verdict: Verdict = permutation_scaling_equivalent(net, copy)
    assert verdict.status is Status.HOLDS
    return [f"   {line}" for line in verdict.evidence.explain().splitlines()[1:]]


def _values_and_slopes(net: Network, points: tuple[Fraction, ...]) -> tuple[list[Fraction], list[Fraction]]:
    values = [value for (value,) in net.values([[point] for point in points])]
    slopes = [(b - a) / (q - p) for (p, a), (q, b) in pairwise(zip(points, values, strict=True))]
    return values, slopes


def _wrapped(sentence: str) -> list[str]:
    import textwrap

    return textwrap.wrap(sentence, 88)
