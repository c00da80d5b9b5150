r"""One hidden layer without hidden biases: all hyperplanes contain the origin, and competitors cannot move them away.

The statements assume the origin in the interior of the domain; where it is not, neurons may be
on or off, and nothing is claimed. The converse about local identifiability assumes at least two inputs:
with one input a neuron with output 0 may be rigid, such as :math:`(w;v)=(1;0)` on
:math:`[-1,1]`, since every small change of its only weight is a rescaling.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ...networks import Network
from ...polyhedra import Domain
from ...verdicts import Verdict
from ..decisions.competitors import globally_identifiable_by_enumeration, locally_identifiable_by_strata
from ..instances import Instance
from ..predicates import Decision, Predicate
from ..statuses import status_of
from ..theorem import Standing, Supply, Theorem
from .shallow_conditions import (
    conjunction,
    distinct_hyperplanes,
    no_alternative_jump_choice,
    no_hidden_biases,
    no_positive_twins,
    no_zero_sum_flip,
    nonzero_input,
    nonzero_output,
    one_hidden_layer,
    opposite_pairs_independent,
    origin_inside,
    rigid_linear_part,
    scalar_output,
    several_inputs,
    view_of,
)
from .shallow_hypotheses import GLOBAL, LOCAL, LOCAL_CONDITIONS, NOT_GLOBAL, THIS_PACKAGE
from .shallow_supply import CENTRED, OPPOSITE, domain_of_kind, on_domains, shallow_supply

NO_HIDDEN_BIASES = (one_hidden_layer, no_hidden_biases, origin_inside)
THROUGH_ORIGIN = (nonzero_output, nonzero_input, distinct_hyperplanes)
LOCAL_THROUGH_ORIGIN = (nonzero_output, nonzero_input, no_positive_twins, opposite_pairs_independent, rigid_linear_part)
CENTRED_DOMAINS = on_domains(*CENTRED)


def all_weights_zero(network: Network) -> bool:
    r"""Every neuron has :math:`w_i=0`."""
    return not any(any(form[:-1]) for form in view_of(network).forms)


def outputs_of_one_sign(network: Network) -> bool:
    r"""All entries of all :math:`v_i` are positive, or all are negative."""
    signs = {(entry > 0) - (entry < 0) for output in view_of(network).outputs for entry in output}
    return signs in ({1}, {-1})


def not_one_signed_zeros(network: Network) -> bool:
    r"""Not all :math:`w_i=0` with one output and all :math:`v_i` of one sign."""
    return not (scalar_output(network) and all_weights_zero(network) and outputs_of_one_sign(network))


def as_on_all_of_space(network: Network, domain: Domain | None = None) -> Verdict:
    r"""The verdicts on the domain, local and global, are those on :math:`\mathbb R^d`."""
    here = locally_identifiable_by_strata(network, domain), globally_identifiable_by_enumeration(network, domain)
    there = locally_identifiable_by_strata(network), globally_identifiable_by_enumeration(network)
    same = [one.status is other.status for one, other in zip(here, there, strict=True)]
    shown = ", ".join(verdict.status.value for verdict in (*here, *there))
    return Verdict(f"local and global here, local and global on all of space: {shown}", status_of(all(same)))


THROUGH_ORIGIN_PLANTS = ("sum", "repeated", *OPPOSITE, "cancel")
BROKEN_THROUGH_ORIGIN = ("positive", "dead", "zero", "zero")


def _supply(*hypotheses: Predicate | Decision, plants: Sequence[str] = THROUGH_ORIGIN_PLANTS, **options: Any) -> Supply:
    """A supply without hidden biases, with or without output bias, on domains around the origin."""
    choices: dict[str, Any] = {"domains": CENTRED, "inputs": (1, 2, 2, 3), "hidden": False, "output": None}
    return shallow_supply(hypotheses, plants=plants, **(choices | options))


def _one_signed_zeros(generator: random.Random) -> Instance:
    d, sign = generator.choice((1, 2, 3)), generator.choice((1, -1))
    size = generator.randint(1, 4)
    outputs = [Fraction(sign * generator.randint(1, 4), generator.randint(1, 3)) for _ in range(size)]
    bias = generator.choice((None, [generator.randint(-2, 2)]))
    net = Network.mlp([[[0] * d] * size, [outputs]], [None, bias])
    return Instance(net, domain=domain_of_kind(generator.choice(CENTRED), d, generator))


STATEMENTS = (
    Theorem(
        id="shallow_global_without_hidden_biases",
        title="without hidden biases, non-collinear weights without zero sums identify globally",
        statement=r"Without hidden biases, with or without output bias, let $0$ be an interior point of $X$, all "
        r"$v_i\ne0$, all $w_i\ne0$, and the $w_i$ pairwise non-collinear. If no nonempty $S$ has "
        r"$\sum_{i\in S}v_iw_i^T=0$, then $\theta$ is globally identifiable from $X$.",
        source=THIS_PACKAGE,
        uses=["shallow_equality_by_normal_form", "shallow_fibre_is_flips"],
        hypotheses=[*NO_HIDDEN_BIASES, *THROUGH_ORIGIN, no_zero_sum_flip],
        conclusion=GLOBAL,
        standing=Standing.PROVED,
        supply=_supply(*THROUGH_ORIGIN, no_zero_sum_flip, plants=("sum", "repeated")),
        arrangement=CENTRED_DOMAINS,
    ),
    Theorem(
        id="shallow_global_without_hidden_biases_converse",
        title="without hidden biases, with non-collinear weights, global identifiability excludes zero sums",
        statement=r"Without hidden biases, let $0$ be an interior point of $X$, all $v_i\ne0$, all $w_i\ne0$, and the "
        r"$w_i$ pairwise non-collinear. If $\theta$ is globally identifiable from $X$, then no nonempty $S$ has "
        r"$\sum_{i\in S}v_iw_i^T=0$.",
        source=THIS_PACKAGE,
        uses=["shallow_equality_by_normal_form"],
        hypotheses=[*NO_HIDDEN_BIASES, *THROUGH_ORIGIN, GLOBAL],
        conclusion=no_zero_sum_flip,
        standing=Standing.PROVED,
        supply=_supply(*THROUGH_ORIGIN, GLOBAL, plants=("sum", "repeated")),
        arrangement=CENTRED_DOMAINS,
    ),
    Theorem(
        id="shallow_space_global_without_hidden_biases",
        title="without hidden biases, when a shallow network with opposite twins is globally identifiable",
        statement=r"Without hidden biases, let $0$ be an interior point of $X$, bounded or not, and (D1) to (D5). If "
        r"the condition of shallow\_space\_global holds, then $\theta$ is globally identifiable from $X$.",
        source=THIS_PACKAGE,
        uses=["bounded_domains_decide_as_space_without_hidden_biases", "shallow_space_global"],
        hypotheses=[*NO_HIDDEN_BIASES, *LOCAL_CONDITIONS, no_alternative_jump_choice],
        conclusion=GLOBAL,
        standing=Standing.PROVED,
        supply=_supply(*LOCAL_CONDITIONS, no_alternative_jump_choice),
        arrangement=CENTRED_DOMAINS,
    ),
    Theorem(
        id="shallow_space_global_without_hidden_biases_converse",
        title="without hidden biases, the condition for global identifiability is necessary",
        statement=r"Without hidden biases, let $0$ be an interior point of $X$, bounded or not, and (D1) to (D5). If "
        r"$\theta$ is globally identifiable from $X$, then the condition of shallow\_space\_global holds.",
        source=THIS_PACKAGE,
        uses=["bounded_domains_decide_as_space_without_hidden_biases", "shallow_space_global_converse"],
        hypotheses=[*NO_HIDDEN_BIASES, *LOCAL_CONDITIONS, GLOBAL],
        conclusion=no_alternative_jump_choice,
        standing=Standing.PROVED,
        supply=_supply(*LOCAL_CONDITIONS, GLOBAL),
        arrangement=CENTRED_DOMAINS,
    ),
    Theorem(
        id="shallow_local_without_hidden_biases",
        title="without hidden biases, when a shallow network is locally identifiable",
        statement=r"Without hidden biases, let $0$ be an interior point of $X$, all $v_i\ne0$, all $w_i\ne0$, no "
        r"positive twins, $o$ the number of cancelling pairs and $J$ the other opposite pairs. If $\{w_H\}_{H\in J}$ "
        r"is independent and $o=0$, or $o=1$ and $J=\emptyset$, then $\theta$ is locally identifiable from $X$.",
        source=THIS_PACKAGE,
        uses=["shallow_equality_by_normal_form", "shallow_local_without_output_bias"],
        hypotheses=[*NO_HIDDEN_BIASES, *LOCAL_THROUGH_ORIGIN],
        conclusion=LOCAL,
        standing=Standing.PROVED,
        supply=_supply(*LOCAL_THROUGH_ORIGIN),
        arrangement=CENTRED_DOMAINS,
    ),
    Theorem(
        id="shallow_local_without_hidden_biases_converse",
        title="without hidden biases, the conditions for local identifiability are necessary",
        statement=r"Without hidden biases, let $0$ be an interior point of $X$, $d\ge2$, and not all $w_i=0$ with one "
        r"output and all $v_i$ of one sign. If $\theta$ is locally identifiable from $X$, then the conditions of the "
        r"direct statement hold. (With $d=1$ an output may be 0: $(w;v)=(1;0)$.)",
        source=THIS_PACKAGE,
        uses=[
            "shallow_equality_by_normal_form",
            "shallow_local_converse",
            "shallow_local_without_output_bias_converse",
        ],
        hypotheses=[*NO_HIDDEN_BIASES, several_inputs, not_one_signed_zeros, LOCAL],
        conclusion=conjunction("local_conditions", "the conditions for local identifiability", *LOCAL_THROUGH_ORIGIN),
        standing=Standing.PROVED,
        supply=_supply(
            not_one_signed_zeros,
            LOCAL,
            plants=(*THROUGH_ORIGIN_PLANTS, *BROKEN_THROUGH_ORIGIN),
            inputs=(2, 2, 3),
        ),
        arrangement=CENTRED_DOMAINS,
    ),
    Theorem(
        id="one_signed_zero_neurons_are_locally_but_not_globally_identifiable",
        title="zero weights with outputs of one sign are locally, but not globally, identifiable",
        statement=r"Without hidden biases, with one output and $0$ an interior point of $X$: if all $w_i=0$ and all "
        r"$v_i$ have one sign, then $\theta$ is locally, but not globally, identifiable from $X$.",
        source=THIS_PACKAGE,
        hypotheses=[*NO_HIDDEN_BIASES, scalar_output, all_weights_zero, outputs_of_one_sign],
        conclusion=conjunction("local_but_not_global", "locally, but not globally, identifiable", LOCAL, NOT_GLOBAL),
        standing=Standing.PROVED,
        supply=_one_signed_zeros,
        arrangement=CENTRED_DOMAINS,
    ),
    Theorem(
        id="bounded_domains_decide_as_space_without_hidden_biases",
        title="without hidden biases, a domain around the origin decides as all of space does",
        statement=r"Without hidden biases, if $0$ is an interior point of $X$, then $\theta$ is locally (globally) "
        r"identifiable from $X$ exactly if it is from $\mathbb R^d$: $f-f(0)$ is positively homogeneous.",
        source=THIS_PACKAGE,
        hypotheses=NO_HIDDEN_BIASES,
        conclusion=as_on_all_of_space,
        standing=Standing.PROVED,
        supply=_supply(plants=(*THROUGH_ORIGIN_PLANTS, *BROKEN_THROUGH_ORIGIN), domains=CENTRED[1:]),
        arrangement=CENTRED_DOMAINS,
    ),
)
