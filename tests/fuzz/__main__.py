"""Fuzzing for as long as one likes: ``python tests/fuzz --seconds 3600``.

Counts the cases of every check, and of every kind of damaged file. A disagreement is shrunk and written to ``cases``,
where the tests find it; a file that was not read as promised is kept there too.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
sys.path[1:1] = [str(HERE.parent), str(HERE.parent / "certificates")]

from damaged_files import SOURCES, damaged  # noqa: E402  # the folders of the tests are not packages
from fuzz_cases import draw, shrunk, why  # noqa: E402
from fuzz_checks import CHECKS  # noqa: E402
from fuzz_files import generator, read_damaged  # noqa: E402

FILES = tuple(f"files/{kind}" for kind in SOURCES)
Seen = Counter[str]
Trial = Callable[[str, int, Path, Seen], bool]


def main() -> int:
    names = (*CHECKS, *FILES)
    parser = argparse.ArgumentParser(prog="python tests/fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="how long, all checks together")
    parser.add_argument("--only", choices=names, nargs="+", default=names, metavar="CHECK", help=", ".join(names))
    parser.add_argument("--seed", type=int, default=0, help="the first case")
    parser.add_argument("--out", type=Path, default=HERE / "cases", help="where disagreements are written")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    well = [run(name, options.seconds / len(options.only), options.seed, options.out) for name in options.only]
    return 0 if all(well) else 1


def run(name: str, seconds: float, seed: int, out: Path) -> bool:
    """Cases of one check until the time is over; whether all went well."""
    end, first, seen, well, slowest = time.monotonic() + seconds, seed, Counter[str](), True, (0.0, 0)
    trial: Trial = file_case if name in FILES else case
    while time.monotonic() < end:
        start = time.monotonic()
        well &= trial(name, seed, out, seen)
        slowest = max(slowest, (time.monotonic() - start, seed))
        seed += 1
    kinds = ", ".join(f"{kind}: {count}" for kind, count in sorted(seen.items()))
    print(f"{name}: {seed - first} cases ({kinds}); case {slowest[1]} took {slowest[0]:.1f} s", flush=True)
    return well


def case(name: str, seed: int, out: Path, seen: Seen) -> bool:
    instance = draw(name, seed)
    kind, reason = why(name, instance)
    seen[kind] += 1
    if reason is not None:
        print(f"{name} {seed}: {reason}", flush=True)
        data = {"check": name, "seed": seed, "reason": reason, "instance": shrunk(name, instance).to_json()}
        (out / f"{name}_{seed}.json").write_text(json.dumps(data, indent=1) + "\n")
    return reason is None


def file_case(name: str, seed: int, out: Path, seen: Seen) -> bool:
    kind = name.partition("/")[2]
    with TemporaryDirectory() as folder:
        code, problem, command, _ = read_damaged(kind, seed, Path(folder))
    seen[f"exit code {code}"] += 1
    if problem is not None:
        print(f"{name} {seed}: {' '.join(command)}: {problem}", flush=True)
        (out / f"{kind}_{seed}.damaged").write_bytes(damaged(kind, generator(kind, seed)))
    return problem is None


if __name__ == "__main__":
    sys.exit(main())
