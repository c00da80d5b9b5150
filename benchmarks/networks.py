"""Values, embedding ranks and equivalence of a (10,50,50,5) network with three-digit rationals.

Run: python benchmarks/networks.py
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

from timing import median_seconds, process_seconds, report

import exactrelu as er
from exactrelu.networks import evaluation


def three_digit_network(seed: int = 0) -> er.Network:
    r = random.Random(seed)
    widths = (10, 50, 50, 5)

    def entry() -> Fraction:
        return Fraction(r.randint(-999, 999), r.randint(100, 999))

    pairs = list(pairwise(widths))
    weights = [[[entry() for _ in range(before)] for _ in range(width)] for before, width in pairs]
    return er.Network.mlp(weights, [[entry() for _ in range(width)] for _, width in pairs])


def naive_value(net: er.Network, point: list[Fraction]) -> list[Fraction]:
    """The forward pass in plain fractions, to compare with."""
    values = point
    for k, layer in enumerate(net.layers):
        rows, bias = layer.blocks[0][1], layer.bias
        values = [sum((w * x for w, x in zip(row, values, strict=True)), b) for row, b in zip(rows, bias, strict=True)]
        if k < net.depth - 1:
            values = [max(value, Fraction(0)) for value in values]
    return values


def main() -> None:
    net = three_digit_network()
    r = random.Random(1)
    points = [[Fraction(r.randint(-999, 999), 1000) for _ in range(10)] for _ in range(1000)]
    copy = net.permute([r.sample(range(50), 50) for _ in range(2)])
    one = median_seconds(lambda: net(points[0]))
    many = median_seconds(lambda: net.values(points))
    naive = median_seconds(lambda: naive_value(net, points[0]), runs=3)
    form = median_seconds(lambda: evaluation.IntegerForm(net))
    rank = median_seconds(lambda: er.embedding_rank(net))
    bound = median_seconds(lambda: er.embedding_rank_lower_bound(net), runs=1)
    same = median_seconds(lambda: er.permutation_scaling_equivalent(net, copy))
    canonical = median_seconds(lambda: er.canonical_form(net))
    empty = process_seconds("pass")
    report(
        [
            ("clearing denominators, once per network", form, ""),
            ("one value", one, f"{naive / one:.1f} times faster than plain fractions"),
            ("1,000 values at once", many, f"{1000 * one / many:.1f} times faster than one by one"),
            ("embedding rank", rank, f"{er.embedding_rank(net)} of {len(net.parameters)} parameters"),
            ("embedding rank, modular lower bound", bound, f"{bound / rank:.0f} times slower, an independent proof"),
            ("permutation-scaling equivalence", same, ""),
            ("canonical form", canonical, ""),
            (
                "import exactrelu",
                process_seconds("import exactrelu") - empty,
                f"beyond {1000 * empty:.0f} ms of Python",
            ),
        ]
    )


if __name__ == "__main__":
    main()
