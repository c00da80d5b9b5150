"""Every figure that the README and the documentation quote, one benchmark after the other.

Run on an idle machine: python benchmarks [--without-peers]

The peers are installed into virtual environments of their own, which takes a package index and some minutes.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
OWN = ("networks.py", "regions.py", "shallow.py", "functional_dimension.py", "growth.py", "sweeps.py")
WITH_PEERS = ("regions_peers.py", "regions_lp.py")


def main() -> None:
    programs = OWN if "--without-peers" in sys.argv[1:] else (*OWN, *WITH_PEERS)
    for program in programs:
        print(f"\n=== {program}", flush=True)
        subprocess.run([sys.executable, HERE / program], check=True)


if __name__ == "__main__":
    main()
