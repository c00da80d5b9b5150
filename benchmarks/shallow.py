"""Verdicts on networks with one hidden layer: many small ones, and one with hard zero sums.

Run: python benchmarks/shallow.py
"""

from __future__ import annotations

import random
import resource

from timing import median_seconds, report

import exactrelu as er


def integer_networks(count: int, bound: int, seed: int) -> list[list[tuple[int, ...]]]:
    r = random.Random(seed)
    return [[tuple(r.randint(-bound, bound) for _ in range(4)) for _ in range(3)] for _ in range(count)]


def hard_network(neurons: int, seed: int = 0) -> er.Network:
    """Scalar output, two inputs, twelve-digit products of both signs: no cheap proof applies."""
    r = random.Random(seed)
    rows = [[r.randint(-(10**12), 10**12), r.randint(-(10**12), 10**12)] for _ in range(neurons)]
    return er.Network.mlp([rows, [[r.choice((-1, 1)) for _ in rows]]], [[0] * neurons, [0]])


def main() -> None:
    rows = []
    for bound in (1, 9):
        for domain in ("R^2", "[-1,1]^2"):
            batch = integer_networks(2000, bound, seed=bound)
            seconds = median_seconds(lambda b=batch, d=domain: er.shallow_statuses(b, 2, d), runs=3)
            name = f"2,000 (2,3,1) networks, entries up to {bound}, on {domain}"
            rows.append((name, seconds, f"{2000 / seconds:,.0f} pairs of verdicts per second"))
    net = er.zoo.specimen("S16").network
    slow = median_seconds(lambda: (er.locally_identifiable(net, "[-1,1]^2"), er.globally_identifiable(net, "[-1,1]^2")))
    rows.append(("one pair of verdicts with verified witness (S16)", slow, ""))
    for neurons in (30, 40):
        net = hard_network(neurons)
        seconds = median_seconds(lambda n=net: er.globally_identifiable(n, "[-1,1]^2"), runs=1)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        rows.append((f"global verdict on {neurons} neurons, exhaustive", seconds, f"peak memory so far {peak:.2f} GB"))
    report(rows)


if __name__ == "__main__":
    main()
