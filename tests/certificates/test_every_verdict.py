"""Every verdict of a public question has a certificate that the checker accepts; hypotheses have their own file."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest
from region_networks import batches

import exactrelu as er
from exactrelu import Layer, Network, Status, certify, hypotheses
from exactrelu.errors import ExactReluError
from exactrelu.symmetries.irreducible import irreducible
from exactrelu.verdicts import Verdict

POLYNOMIAL = {"name": "polynomial", "coefficients": ["0", "1", "1"]}
BENDING = ("relu", "relu", "relu", "abs", "hard_tanh", "identity", {"name": "leaky_relu", "slope": "1/10"})
ANALYTIC = ("tanh", "logistic", "softplus", POLYNOMIAL)


def random_dag(r: random.Random, inputs: int, outputs: int, rhos: tuple[object, ...]) -> Network:
    """A small network with skips, zeros, twins, missing biases; the outputs are affine mostly."""
    widths = [inputs, *(r.choice((1, 2, 2, 3)) for _ in range(r.choice((0, 1, 1, 1, 2)))), outputs]
    layers = []
    for number, width in enumerate(widths[1:], start=1):
        sources = [k for k in range(number) if k == number - 1 or r.random() < 0.15]
        blocks = {
            k: [[r.choice((-2, -1, 0, 1, 1, 2)) for _ in range(widths[k])] for _ in range(width)] for k in sources
        }
        bias = [r.choice((-1, 0, 0, 1, 2)) for _ in range(width)] if r.random() < 0.8 else None
        affine = number == len(widths) - 1 and r.random() < 0.9
        layers.append(Layer(blocks, bias=bias, activation="identity" if affine else r.choice(rhos)))
    return Network(inputs, layers)


def questions(r: random.Random, rhos: tuple[object, ...]) -> dict[str, Callable[[], Verdict]]:
    """Public questions about random networks on a random domain."""
    inputs, outputs = r.choice((1, 1, 2, 2, 3)), r.choice((1, 1, 2))
    net = random_dag(r, inputs, outputs, rhos)
    changed = net.with_values([p.value if r.random() < 0.8 else r.choice((0, 1, 2)) for p in net.parameters])
    other = r.choice((net, changed, random_dag(r, inputs, outputs, rhos)))
    domain = r.choice((None, f"[-1,1]^{inputs}", f"[0,2]^{inputs}", "[-3,3]" + "xR" * (inputs - 1)))
    samples = [[r.randint(-3, 3) for _ in range(inputs)] for _ in range(r.randint(1, 6))]
    return {
        "admissible": lambda: er.admissible(net),
        "scaling_equivalent": lambda: er.scaling_equivalent(net, other),
        "permutation_scaling_equivalent": lambda: er.permutation_scaling_equivalent(net, other),
        "same_function": lambda: er.same_function(net, other, domain),
        "locally_identifiable": lambda: er.locally_identifiable(net, domain),
        "globally_identifiable": lambda: er.globally_identifiable(net, domain),
        "finite_sample_exists": lambda: er.finite_sample_exists(net, domain),
        "locally_identifiable_from_samples": lambda: er.locally_identifiable_from_samples(net, samples),
        "irreducible": lambda: hypotheses.irreducible(net, domain),
        "transparent": lambda: hypotheses.transparent(net, domain),
        "irreducible (symmetries)": lambda: irreducible(net),
        "path_between": lambda: er.path_between(net, other, budget=10),
        "is_null_net": lambda: er.is_null_net(net),
    }


def answers(r: random.Random, rhos: tuple[object, ...]) -> dict[str, Verdict]:
    """What holds or fails."""
    found = {}
    for name, ask in questions(r, rhos).items():
        try:
            verdict = ask()
        except ExactReluError:  # the question does not apply
            continue
        if verdict.status in (Status.HOLDS, Status.FAILS):
            found[name] = verdict
    return found


@pytest.mark.parametrize("seeds", batches(120, 1120, 250))
def test_piecewise_linear_networks(seeds: range) -> None:
    found = certified(seeds, BENDING).keys() - {("is_null_net", Status.HOLDS)}  # null nets are too rare
    assert len(found) == 2 * 13 - 1


@pytest.mark.parametrize("seeds", batches(100, 600, 250))
def test_analytic_networks(seeds: range) -> None:
    """Only differing functions, structure and symmetries are decided for them."""
    found = {name for name, _ in certified(seeds, ANALYTIC)}
    assert found >= {"admissible", "same_function", "irreducible (symmetries)", "path_between", "is_null_net"}


def certified(seeds: range, rhos: tuple[object, ...]) -> Counter[tuple[str, Status]]:
    """How often each answer to each question was certified; all were."""
    found: Counter[tuple[str, Status]] = Counter()
    for seed in seeds:
        for name, verdict in answers(random.Random(seed), rhos).items():
            certify(verdict).check()
            found[name, verdict.status] += 1
    return found
