"""One case of a check: its instance from a seed, what is wrong with it, and a smaller one with the same fault."""

from __future__ import annotations

import traceback
from random import Random
from zlib import crc32

from fuzz_checks import CHECKS

from exactrelu import Domain, Instance, Network, Status, Theorem, Verdict, shrink
from exactrelu.theorems import Predicate


def draw(name: str, seed: int) -> Instance:
    """The instance of a check with this number."""
    return CHECKS[name][0](Random(seed * 2**32 + crc32(name.encode())))


def why(name: str, instance: Instance) -> tuple[str, str | None]:
    """What was seen in one word, and where two answers disagree or what crashed, if anything did."""
    try:
        return CHECKS[name][1](instance), None
    except Exception as error:  # a crash is a finding too
        where = traceback.extract_tb(error.__traceback__)[-1]
        return "wrong", f"{type(error).__name__} in {where.name}, {where.line}: {error}"[:2000]


def shrunk(name: str, instance: Instance) -> Instance:
    """A smaller instance with a fault of the same kind and in the same place."""

    def kind(candidate: Instance) -> str | None:
        reason = why(name, candidate)[1]
        return None if reason is None else reason.partition(": ")[0]

    wanted = kind(instance)

    def conclusion(network: Network, other: Network | None = None, domain: Domain | None = None) -> Verdict:
        fails = kind(Instance(network, other, domain=domain)) == wanted
        return Verdict("the answers agree", Status.FAILS if fails else Status.HOLDS)

    return shrink(Theorem(hypotheses=[], conclusion=Predicate.of(conclusion)), instance, budget=500)
