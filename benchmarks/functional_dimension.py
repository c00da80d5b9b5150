"""The functional dimension against the rank of all stacked rows, modulo a prime by flint.

Run: python benchmarks/functional_dimension.py
"""

from __future__ import annotations

from functools import partial

from timing import paired_seconds, report, state_of_machine

import exactrelu as er
from exactrelu.identifiability.jacobians.tape import Tape
from exactrelu.rationals import rank_modulo

NETWORKS = [(2, 16, 16, 1), (3, 8, 8, 1), (4, 10, 10, 1), (3, 16, 16, 1)]


def stacked(net: er.Network) -> int:
    """The rank of the rows over all regions at once, which proves a lower bound only."""
    signs = er.activation_regions(net).signs
    return rank_modulo(Tape(net).over_regions(signs[(signs != 0).all(axis=1)]).tolist())


def main() -> None:
    rows = []
    for widths in NETWORKS:
        net = er.Network.random(widths, 0)
        assert er.functional_dimension(net) == stacked(net)
        (exact, naive), (_, ratio) = paired_seconds(
            (partial(er.functional_dimension, net), partial(stacked, net)), runs=3
        )
        name = "-".join(map(str, widths))
        rows.append((f"{name}: {er.count_regions(net):,} regions, {len(net.parameters)} parameters", exact, ""))
        rows.append(("    all rows stacked, rank modulo a prime", naive, f"{ratio:.1f} times as long"))
    print(state_of_machine())
    report(rows)


if __name__ == "__main__":
    main()
