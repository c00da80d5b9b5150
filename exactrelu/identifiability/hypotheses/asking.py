"""Verdicts on hypotheses note what has been asked, so that they can be certified."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from ...verdicts import Verdict

P = ParamSpec("P")


def noted(decide: Callable[P, Verdict]) -> Callable[P, Verdict]:
    """The predicate, whose verdict notes its name, the network, and the domain if it has one."""
    names = tuple(inspect.signature(decide).parameters)

    @wraps(decide)
    def answer(*args: P.args, **kwargs: P.kwargs) -> Verdict:
        verdict = decide(*args, **kwargs)
        given = dict(zip(names, args, strict=False)) | kwargs
        return verdict.about(f"hypotheses.{decide.__name__}", network=given["net"], domain=given.get("domain"))

    return answer
