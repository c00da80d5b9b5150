"""How time grows with the number of regions, neurons, layers, inputs and bits, with fitted exponents and a picture.

Every task is run in this process, one thread, the median of several runs. The exponent p of time = a * size^p is
the slope of a line through the logarithms by least squares.

Run: python benchmarks/growth.py [--plot docs/growth.svg] [--largest 1000000]
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy is loaded: one thread
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from timing import median_seconds, seconds, state_of_machine

import exactrelu as er
from exactrelu import show


@dataclass
class Curve:
    """Sizes with their times, and what is measured."""

    title: str
    size: str
    points: list[tuple[float, float]] = field(default_factory=list)

    def add(self, size: float, task: Callable[[], object]) -> None:
        """Measure one task."""
        first = seconds(task)
        time = first if first > 2 else median_seconds(task, runs=3)
        self.points.append((size, time))
        print(f"  {self.title}, {self.size} {size:,.0f}: {1000 * time:,.2f} ms", flush=True)

    @property
    def exponent(self) -> float:
        """The slope of the line of least squares through the logarithms."""
        logs = [(math.log(x), math.log(y)) for x, y in self.points]
        mean_x, mean_y = (sum(column) / len(logs) for column in zip(*logs, strict=True))
        return sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum((x - mean_x) ** 2 for x, _ in logs)


def by_regions(largest: int) -> Iterator[Curve]:
    """Counting the regions of networks of two hidden layers, in two to four dimensions."""
    for d in (2, 3, 4):
        curve = Curve(f"regions in {d} dimensions", "regions")
        for width in (6, 8, 10, 12, 16, 20, 24, 32, 40, 60, 90, 140, 220):
            net = er.Network.random((d, width, width, 1), 0)
            count = er.count_regions(net)
            if count > largest:
                break
            if count >= 100:
                curve.add(count, lambda net=net: er.count_regions(net))
        yield curve


def by_neurons() -> Iterator[Curve]:
    """Local and global verdicts and the dimension of one hidden layer, and the rank of the embedding of a deep one."""
    verdicts = Curve("shallow verdicts on a box", "neurons")
    for h in (4, 8, 16, 32, 64, 128):
        r = random.Random(h)
        rows = [[r.randint(-99, 99), r.randint(-99, 99)] for _ in range(h)]
        outputs = [[r.randint(1, 99) for _ in range(h)] for _ in range(h)]
        net = er.Network.mlp([rows, outputs], [[r.randint(-50, 50) for _ in range(h)], [0] * h])
        verdicts.add(h, lambda net=net: er.globally_identifiable(net, "[-1,1]^2"))
    yield verdicts
    ranks = Curve("rank of the embedding", "parameters")
    for width in (4, 8, 16, 32, 64, 128):
        net = er.Network.random((width, width, width, 1), 0)
        ranks.add(len(net.parameters), lambda net=net: er.embedding_rank(net))
    yield ranks
    dimensions = Curve("functional dimension, one hidden layer, as many inputs", "neurons")
    for h in (4, 8, 16, 32):
        net = er.Network.random((h, h, 1), 0)
        dimensions.add(h, lambda net=net: er.functional_dimension(net))
    yield dimensions


def by_depth() -> Iterator[Curve]:
    """Regions on the line and functional dimension, as layers are added."""
    curve = Curve("functional dimension, width 2", "layers")
    for depth in (1, 2, 4, 8, 16):
        net = er.Network.random((1, *[2] * depth, 1), depth)
        curve.add(depth, lambda net=net: er.functional_dimension(net))
    yield curve


def by_bits() -> Iterator[Curve]:
    """One exact value of a network of 50-50-5 whose weights are decimals of so many digits."""
    curve = Curve("a value of 10-50-50-5", "digits")
    for digits in (3, 10, 30, 100, 300, 1000):
        r = random.Random(digits)

        def number(r: random.Random = r, digits: int = digits) -> Fraction:
            return Fraction(r.randint(-(10**digits), 10**digits), 10**digits)

        widths = (10, 50, 50, 5)
        weights = [[[number() for _ in range(a)] for _ in range(b)] for a, b in pairwise(widths)]
        net = er.Network.mlp(weights, [[number() for _ in range(b)] for b in widths[1:]])
        point = [number() for _ in range(10)]
        curve.add(digits, lambda net=net, point=point: net(point))
    yield curve


def picture(curves: list[Curve], path: str) -> None:
    """The curves on logarithmic axes."""
    from exactrelu.show.canvas import CURVE_COLOURS, new_figure

    figure = new_figure(11, 6)
    axes = figure.add_subplot()
    for curve, colour in zip(curves, CURVE_COLOURS * 2, strict=False):
        label = f"{curve.title}: {curve.size}^{curve.exponent:.2f}"
        axes.loglog(*zip(*curve.points, strict=True), "o-", color=colour, label=label)
    axes.set_xlabel("size")
    axes.set_ylabel("seconds")
    figure.legend(loc="outside right upper", fontsize=9)
    show.save(figure, path)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--plot", help="an .svg or .png file")
    parser.add_argument("--largest", type=int, default=1_000_000, help="the largest number of regions")
    options = parser.parse_args()
    print(state_of_machine())
    curves = [*by_regions(options.largest), *by_neurons(), *by_depth(), *by_bits()]
    for curve in curves:
        print(f"{curve.title:<32} time grows like {curve.size}^{curve.exponent:.2f}")
    if options.plot:
        picture(curves, options.plot)


if __name__ == "__main__":
    main()
