"""From a verdict, or the id of a claim, to a certificate."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, Final

from ..errors import BudgetExceeded, InvalidInput, Undecided
from ..networks import Network
from ..polyhedra import Domain, as_domain
from ..regions import count_regions
from ..verdicts import Point, Status, Verdict
from .certificate import Certificate
from .claims import CLAIMS
from .hypothesis_claims import PREDICATES

QUESTIONS: Final[Mapping[tuple[str, Status], str]] = {
    ("admissible", Status.HOLDS): "admissible",
    ("admissible", Status.FAILS): "not_admissible",
    ("scaling_equivalent", Status.HOLDS): "scaling_equivalent",
    ("scaling_equivalent", Status.FAILS): "not_scaling_equivalent",
    ("permutation_scaling_equivalent", Status.HOLDS): "ps_equivalent",
    ("permutation_scaling_equivalent", Status.FAILS): "not_ps_equivalent",
    ("same_function", Status.HOLDS): "same_function",
    ("same_function", Status.FAILS): "different_function",
    ("locally_identifiable", Status.HOLDS): "locally_identifiable",
    ("locally_identifiable", Status.FAILS): "not_identifiable",
    ("globally_identifiable", Status.HOLDS): "globally_identifiable",
    ("globally_identifiable", Status.FAILS): "not_identifiable",
    ("finite_sample_exists", Status.HOLDS): "functional_dimension",
    ("finite_sample_exists", Status.FAILS): "functional_dimension",
    ("locally_identifiable_from_samples", Status.HOLDS): "locally_identifiable",
    ("locally_identifiable_from_samples", Status.FAILS): "not_identifiable",
    ("hypotheses.irreducible", Status.HOLDS): "minimal_width",
    ("hypotheses.irreducible", Status.FAILS): "minimal_width",
    ("path_between", Status.FAILS): "different_function",
    ("path_between", Status.HOLDS): "symmetry_path",
    ("is_null_net", Status.FAILS): "null_net",
    ("is_null_net", Status.HOLDS): "null_net",
    ("irreducible", Status.HOLDS): "irreducible",
    ("irreducible", Status.FAILS): "irreducible",
    ("modification_preserves", Status.HOLDS): "modification_preserves",
    ("is_affine_symmetry", Status.HOLDS): "affine_symmetry",
    ("is_affine_symmetry", Status.FAILS): "not_affine_symmetry",
    **{(f"hypotheses.{name}", status): "hypothesis" for name in PREDICATES for status in (Status.HOLDS, Status.FAILS)},
}
"""The claim that proves a verdict, by the question and the answer."""
_ARGUMENTS: Final = {"left": "network", "right": "other", "rho": "activation"}
"""What claims call the arguments of questions."""
MOST_INPUTS: Final = 6
"""The largest input dimension in which regions are counted."""
MOST_REGIONS: Final = 1_000
"""The largest number of regions on which a functional dimension is proved if a family refutes as well."""


def certify(subject: Verdict | str, **arguments: Any) -> Certificate:
    """The certificate of a verdict, or of the claim with an id about what the ``arguments`` name.

    The ids are those of :data:`~exactrelu.certificates.claims.CLAIMS`; the functions there say which
    arguments they take. Evidence is computed here and not before.

    Raises :class:`~exactrelu.errors.InvalidInput` for what is not true,
    :class:`~exactrelu.errors.Undecided` for what no certificate can prove, and
    :class:`~exactrelu.errors.BudgetExceeded`.

    >>> from exactrelu import Network, locally_identifiable
    >>> net = Network.mlp([[[1]], [[2]]], [[0], [0]])
    >>> certify("regions_complete", network=net).claim["count"]
    2
    >>> print(certify(locally_identifiable(net, "[-1,1]")).check())
    the network of widths 1-1-1 is locally identifiable from its values on [-1,1]
    """
    if isinstance(subject, Verdict):
        return _certified(subject, arguments)
    if not isinstance(subject, str) or subject not in CLAIMS:
        raise InvalidInput("claim", f"must be a verdict or one of {', '.join(CLAIMS)}", subject)
    claim = CLAIMS[subject]
    try:
        inspect.signature(claim).bind(**arguments)
    except TypeError as error:
        rule = f"must have the arguments {inspect.signature(claim)}, but {error}"
        raise InvalidInput(subject, rule) from None
    return claim(**arguments)


def _certified(verdict: Verdict, options: Mapping[str, Any]) -> Certificate:
    if set(options) - {"budget"}:
        raise InvalidInput(
            "arguments", "must be none but a budget, since a verdict knows what it is about", list(options)
        )
    if verdict.status not in (Status.HOLDS, Status.FAILS):
        raise InvalidInput("verdict", "must hold or fail to be certified", verdict.status.value)
    if verdict.subject is None:
        raise Undecided(f"no certificate states verdicts of this kind: {verdict.claim}")
    question, known = verdict.subject.question, verdict.subject.arguments
    if question == "Theorem.check":
        return CLAIMS["all_of"](certificates=[_certified(part, options) for part in known["parts"]])
    if question == "negation":
        return _certified(known["verdict"], options)
    claim = QUESTIONS.get((question, verdict.status))
    if claim is None:
        raise Undecided(f"no certificate can prove that {question} {verdict.status.value}: {verdict.claim}")
    arguments = {_ARGUMENTS.get(name, name): value for name, value in known.items()}
    if question == "finite_sample_exists" and verdict.family is not None:
        claim = claim if _few_regions(known["network"], known["domain"]) else "not_identifiable"
    if claim == "not_identifiable":
        if verdict.witness is None and verdict.family is None and "samples" not in known:
            raise Undecided(f"the verdict names no other parameters that a certificate could show: {verdict.claim}")
        scope = "global" if question == "globally_identifiable" else "local"
        arguments.update(other=verdict.witness, family=verdict.family, scope=scope)
    if question == "is_null_net":
        nothing = arguments.pop("other")
        if verdict.status is Status.FAILS and isinstance(verdict.evidence, Point):
            claim, arguments = "different_function", {"network": known["network"], "other": nothing}
    if claim == "different_function":
        arguments.update(point=verdict.evidence.point)
    if claim == "symmetry_path":
        arguments.update(path=verdict.evidence)
    if claim == "hypothesis":
        arguments.update(predicate=question.removeprefix("hypotheses."))
    takes = inspect.signature(CLAIMS[claim]).parameters
    return CLAIMS[claim](**arguments, **{name: value for name, value in options.items() if name in takes})


def _few_regions(net: Network, domain: Domain | str | None) -> bool:
    """Whether the functional dimension is soon proved, and not only bounded by a family of equal functions."""
    where = as_domain(domain, net.input_dim)
    if not where.is_full_dimensional or net.input_dim > MOST_INPUTS:
        return False
    try:
        return count_regions(net, where, budget=MOST_REGIONS) <= MOST_REGIONS
    except BudgetExceeded:
        return False
