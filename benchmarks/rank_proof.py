"""How much of a large network a sample can see: blocked elimination against flint, and ACAS Xu.

python benchmarks/rank_proof.py SIZE...          pivots of random square matrices, beside flint's rank
python benchmarks/rank_proof.py NETWORK [COUNT]  the statement about a network from about COUNT samples

Samples are found by floating-point search, which may look where it likes: what is said
about them afterwards is exact. Points of all magnitudes come first; then every neuron
that is rarely on, and every weight whose two neurons are rarely on together, is chased
by random ascent.

On a machine with other work, OPENBLAS_NUM_THREADS=1 is faster than threads that wait for each other.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from flint import nmod_mat
from timing import seconds, state_of_machine

import exactrelu as er
from exactrelu.identifiability.jacobians.large import rank_statement
from exactrelu.networks.certified_signs import certified_patterns
from exactrelu.rationals.modular_elimination import PRIMES, ModularBasis

Floats = npt.NDArray[np.float64]
Score = Callable[[list[Floats]], Floats]

CLOUD = 100_000  # points of all magnitudes among which samples are chosen
PER_NEURON, PER_WEIGHT = 200, 8  # samples on which a neuron is on; on which both ends of a weight are


class Search:
    """Floating-point search for points where given neurons of a perceptron are on."""

    def __init__(self, net: er.Network, seed: int = 0) -> None:
        layers = net.layers[:-1]
        self.weights = [np.array([[float(e) for e in row] for row in layer.blocks[0][1]]).T for layer in layers]
        self.biases = [np.array([float(e) for e in layer.bias or (0,) * layer.width]) for layer in layers]
        self.dimension = net.input_dim
        self.draw = np.random.default_rng(seed)

    def preactivations(self, points: Floats, depth: int) -> list[Floats]:
        """Those of the first layers, one array (points, neurons) per layer."""
        found, values = [], points
        for weights, biases in zip(self.weights[:depth], self.biases[:depth], strict=True):
            found.append(values @ weights + biases)
            values = np.maximum(found[-1], 0)
        return found

    def cloud(self, count: int) -> Floats:
        """Points in all directions, of magnitudes from 1/100 to 10,000."""
        return short(self.draw.normal(size=(count, self.dimension)) * 10 ** self.draw.uniform(-2, 4, (count, 1)))

    def neighbours(self, points: Floats, closest: float) -> Floats:
        """One neighbour of each point, at a distance of any magnitude."""
        size = 0.01 + np.linalg.norm(points, axis=1)[:, None]
        return points + self.draw.normal(size=points.shape) * 10 ** self.draw.uniform(closest, 0.3, size.shape) * size

    def ascend(self, score: Score, depth: int, points: Floats, steps: int = 100, enough: int = 30) -> Floats:
        """Points of positive score, uphill from the given ones."""
        values = score(self.preactivations(points, depth))
        for _ in range(steps):
            if (values > 0).sum() > enough:
                break
            moved = self.neighbours(points, -3.5)
            scores = score(self.preactivations(moved, depth))
            better = scores > values
            points[better], values[better] = moved[better], scores[better]
        points = short(points)
        return points[score(self.preactivations(points, depth)) > 0]

    def with_neuron_on(self, layer: int, i: int) -> Floats:
        """Many points with one neuron on: a few by ascent, then their neighbours."""
        found = self.ascend(lambda z: z[layer][:, i], layer + 1, self.cloud(3000))
        for _ in range(5):
            near = short(self.neighbours(np.repeat(found, 10, axis=0)[:3000], -3))
            near = near[self.preactivations(near, layer + 1)[layer][:, i] > 0]
            found = self.draw.permutation(np.concatenate([found, near]))[:600]
        return found

    def samples(self, count: int) -> Floats:
        """Samples on which every neuron, and every pair in consecutive layers, is on if that was found anywhere."""
        pool = [self.cloud(CLOUD)]
        for layer, z in enumerate(self.preactivations(pool[0], len(self.weights))):
            pool += [self.with_neuron_on(layer, int(i)) for i in np.flatnonzero((z > 0).sum(axis=0) < 2 * PER_NEURON)]
        points = np.concatenate(pool)
        on = [z > 0 for z in self.preactivations(points, len(self.weights))]
        chosen = np.zeros(len(points), dtype=bool)
        chosen[self.draw.choice(CLOUD, min(count, CLOUD), replace=False)] = True
        for flags in on:
            for column in flags.T:
                self.top_up(chosen, column, PER_NEURON)
        extra = []
        for layer, (below, above) in enumerate(pairwise(on)):
            together = below.T.astype(np.float32) @ above.astype(np.float32)
            for u, v in np.argwhere(together < 2 * CLOUD // 500):
                self.top_up(chosen, below[:, u] & above[:, v], PER_WEIGHT)
                if together[u, v] < PER_WEIGHT:
                    extra.append(self.with_pair_on(layer, int(u), int(v), points[above[:, v]]))
        return self.draw.permutation(np.unique(np.concatenate([points[chosen], *extra]), axis=0))

    def with_pair_on(self, layer: int, u: int, v: int, starts: Floats) -> Floats:
        """A few points with neuron u of a layer and neuron v of the next one on."""

        def score(z: list[Floats]) -> Floats:
            sizes = [0.01 + np.abs(z[k]).max(axis=1) for k in (layer, layer + 1)]
            return np.minimum(z[layer][:, u] / sizes[0], z[layer + 1][:, v] / sizes[1])

        points = np.concatenate([self.draw.permutation(starts)[:3000], self.cloud(500)])
        return self.ascend(score, layer + 2, points, 80, 20)[:12]

    def top_up(self, chosen: npt.NDArray[np.bool_], column: npt.NDArray[np.bool_], wanted: int) -> None:
        """Choose more of the marked points, until enough of them are chosen."""
        spare = np.flatnonzero(column & ~chosen)
        missing = wanted - int((column & chosen).sum())
        if missing > 0:
            chosen[self.draw.choice(spare, min(missing, len(spare)), replace=False)] = True


def short(points: Floats) -> Floats:
    """Points with 12 binary digits per coordinate, so that exact numbers stay short."""
    unit = 2.0 ** np.maximum(-12, np.floor(np.log2(np.abs(points).max(axis=1, initial=1e-9))) - 11)[:, None]
    return np.rint(points / unit) * unit


def memory() -> str:
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB"


def network(path: str, count: int) -> None:
    net = er.load(path)
    start = time.perf_counter()
    found = Search(net).samples(count)
    print(f"{len(found)} samples found in {time.perf_counter() - start:.0f} s")
    points = [[Fraction(e) for e in row] for row in found.tolist()]
    patterns = certified_patterns(net, points)
    points = [x for x, pattern in zip(points, patterns, strict=True) if "0" not in str(pattern)]  # none on kinks
    start = time.perf_counter()

    def progress(read: int, rank: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{read} samples, rank {rank}, {time.perf_counter() - start:.0f} s", end="", file=sys.stderr)

    statement = rank_statement(net, points, progress=progress)
    print(statement.explain())
    print(f"bounds {statement.lower_bound} and {statement.upper_bound}")
    print(f"{time.perf_counter() - start:.0f} s, {memory()}")


def matrix(size: int) -> None:
    prime = PRIMES[0]
    entries = np.random.default_rng(size).integers(0, prime, (size, size))
    flint = nmod_mat(size, size, entries.ravel().tolist(), prime)
    centred = np.where(entries > prime // 2, entries - prime, entries).astype(np.float64)
    ours = seconds(lambda: ModularBasis(size, prime).extend(centred))
    theirs = seconds(flint.rank)
    print(f"{size:>6}: pivots {ours:.2f} s, flint's rank {theirs:.2f} s, {memory()}", flush=True)


def main(arguments: list[str]) -> None:
    print(state_of_machine())
    if arguments and all(argument.isdigit() for argument in arguments):
        for argument in arguments:
            matrix(int(argument))
    elif arguments:
        network(arguments[0], int(arguments[1]) if len(arguments) > 1 else 2800)
    else:
        print(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
