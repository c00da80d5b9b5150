"""One tool counts the regions of one network in a process of its own, for regions_peers.py.

Run: python peer_worker.py TOOL NETWORK.json; for every line of input it counts once and prints a JSON object with
the count and the seconds, or with the refusal.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

from plain_layers import hidden_layers, integer_copy
from timing import steady_seconds


def floats(path: Path) -> Callable[[], int]:
    from float_subdivision import subdivide

    import exactrelu as er

    net = er.load(path)
    return lambda: subdivide(net)


def ppl(path: Path) -> Callable[[], int]:
    from ppl_baseline import count

    layers = integer_copy(hidden_layers(path))
    return lambda: count(layers)


def relucent_integers(path: Path) -> Callable[[], int]:
    return relucent(integer_copy(hidden_layers(path)))


def relucent_as_is(path: Path) -> Callable[[], int]:
    return relucent(hidden_layers(path))


def relucent(layers: list[tuple[list, list]]) -> Callable[[], int]:
    """Breadth-first search from a random point; a count is one that relucent calls complete and verified."""
    from relucent import Complex, generic_topology_start

    affine = [([list(map(float, row)) for row in weights], list(map(float, bias))) for weights, bias in layers]
    affine.append(([[1.0] * len(layers[-1][1])], [0.0]))  # its output does not matter

    def run() -> int:
        complex = Complex(affine)
        result = complex.bfs(generic_topology_start(complex), verbose=0)
        if not (result.complete and result.verified):
            raise RuntimeError("the search is not complete and verified")
        return len(complex)

    return run


TOOLS = {"floats": floats, "PPL": ppl, "relucent, integers": relucent_integers, "relucent, as is": relucent_as_is}


def answer(task: Callable[[], int]) -> dict[str, object]:
    found: list[int] = []
    time = steady_seconds(lambda: found.append(task()))
    return {"count": found[-1], "seconds": time}


def main() -> None:
    try:
        task = TOOLS[sys.argv[1]](Path(sys.argv[2]))
        for _ in sys.stdin:
            print(json.dumps(answer(task)), flush=True)
    except Exception as error:  # whatever a tool raises is its refusal
        print(json.dumps({"refusal": f"{type(error).__name__}: {error}"}), flush=True)


if __name__ == "__main__":
    main()
