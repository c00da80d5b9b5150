r"""One hidden layer without output biases.

A bias that is 0 and a bias that is no parameter are different: competitors cannot move what is no parameter.
"""

from __future__ import annotations

from ...networks import Network
from ...polyhedra import Domain
from ...verdicts import Verdict
from ..decisions.flips import fibre_equals_flips
from ..theorem import Standing, Theorem
from .shallow_conditions import (
    all_of_space,
    conjunction,
    hidden_biases,
    interior,
    kinked,
    never_off,
    no_alternative_jump_choice,
    no_output_bias,
    no_positive_twins,
    no_zero_sum_flip_with_biases,
    nonzero_input,
    nonzero_output,
    one_hidden_layer,
    opposite_pairs_forms_independent,
    opposite_twins_jump,
    rigid_affine_part,
    zero_sum_sets,
)
from .shallow_hypotheses import DISTINCT_KINKS, GLOBAL, LOCAL, MIXED, MOSTLY_PAIRS, SEVERAL_DOMAINS, THIS_PACKAGE
from .shallow_samples import FINITE_SAMPLE
from .shallow_supply import BROKEN, GENTLE, OPPOSITE, on_domains, shallow_supply

NO_OUTPUT_BIAS = (one_hidden_layer, hidden_biases, no_output_bias, interior)
NOT_SILENT = (nonzero_output, nonzero_input, never_off, no_positive_twins)
PAIRS_BY_FORMS = (
    nonzero_output,
    nonzero_input,
    kinked,
    no_positive_twins,
    opposite_twins_jump,
    opposite_pairs_forms_independent,
)
LOCAL_WITHOUT_OUTPUT_BIAS = (*NOT_SILENT, opposite_pairs_forms_independent, rigid_affine_part)


def fibre_is_flips_with_biases(network: Network, domain: Domain | None = None) -> Verdict:
    r"""The classes of the fibre correspond to the sets :math:`S` with :math:`\sum_{i\in S}v_i(w_i,b_i)^T=0`."""
    return fibre_equals_flips(network, domain, zero_sum_sets(network, with_biases=True, proper=False))


STATEMENTS = (
    Theorem(
        id="shallow_fibre_is_flips_without_output_bias",
        title="without output bias, with distinct kinks, the fibre consists of the flips that keep constants",
        statement=r"Without output bias ($c\equiv0$), let $X$ have interior points, all $v_i\ne0$, all neurons kinked "
        r"on $X$, the $H_i$ pairwise distinct. Then flipping is a bijection from "
        r"$\{S:\sum_{i\in S}v_i(w_i,b_i)^T=0\}$ to the classes of the fibre.",
        source=THIS_PACKAGE,
        uses=["shallow_equality_by_normal_form", "shallow_fibre_is_flips"],
        hypotheses=[*NO_OUTPUT_BIAS, *DISTINCT_KINKS],
        conclusion=fibre_is_flips_with_biases,
        standing=Standing.PROVED,
        supply=shallow_supply(DISTINCT_KINKS, plants=(*GENTLE, "repeated"), output=False),
        arrangement=SEVERAL_DOMAINS,
    ),
    Theorem(
        id="shallow_global_without_output_bias",
        title="without output bias, distinct kinks and no zero sum of forms identify globally",
        statement=r"Without output bias, if $X$ has interior points, all $v_i\ne0$, all neurons are kinked on $X$, the "
        r"$H_i$ are pairwise distinct and no nonempty $S$ has $\sum_{i\in S}v_i(w_i,b_i)^T=0$, then $\theta$ is "
        r"globally identifiable from $X$.",
        source=THIS_PACKAGE,
        uses=["shallow_fibre_is_flips_without_output_bias"],
        hypotheses=[*NO_OUTPUT_BIAS, *DISTINCT_KINKS, no_zero_sum_flip_with_biases],
        conclusion=GLOBAL,
        standing=Standing.PROVED,
        supply=shallow_supply((*DISTINCT_KINKS, no_zero_sum_flip_with_biases), plants=GENTLE, output=False),
        arrangement=SEVERAL_DOMAINS,
    ),
    Theorem(
        id="shallow_global_without_output_bias_converse",
        title="without output bias, with distinct kinks, global identifiability excludes zero sums of forms",
        statement=r"Without output bias, if $X$ has interior points, all $v_i\ne0$, all neurons are kinked on $X$, the "
        r"$H_i$ are pairwise distinct and $\theta$ is globally identifiable from $X$, then no nonempty $S$ has "
        r"$\sum_{i\in S}v_i(w_i,b_i)^T=0$.",
        source=THIS_PACKAGE,
        uses=["shallow_fibre_is_flips_without_output_bias"],
        hypotheses=[*NO_OUTPUT_BIAS, *DISTINCT_KINKS, GLOBAL],
        conclusion=no_zero_sum_flip_with_biases,
        standing=Standing.PROVED,
        supply=shallow_supply((*DISTINCT_KINKS, GLOBAL), plants=GENTLE, output=False),
        arrangement=SEVERAL_DOMAINS,
    ),
    Theorem(
        id="global_identifiability_without_output_bias_excludes_silent_neurons",
        title="without output bias, a globally identifiable network has no silent neurons and no positive twins",
        statement=r"Without output bias, if $X$ has interior points and $\theta$ is globally identifiable from $X$, "
        r"then all $v_i\ne0$, no neuron is off or zero, and there are no positive twins. (Neurons that are on, and "
        r"opposite twins, are not excluded: $\sigma(x+2)$ and $2\sigma(x)+\sigma(-x)$ on $[-1,1]$.)",
        source=THIS_PACKAGE,
        uses=["shallow_bounded_global_converse"],
        hypotheses=[*NO_OUTPUT_BIAS, GLOBAL],
        conclusion=conjunction("no_silent_neurons", "no silent neurons and no positive twins", *NOT_SILENT),
        standing=Standing.PROVED,
        supply=shallow_supply([GLOBAL], plants=(*MIXED, *OPPOSITE, "on"), output=False),
        arrangement=SEVERAL_DOMAINS,
    ),
    Theorem(
        id="shallow_space_global_without_output_bias",
        title="without output bias, when a shallow network is globally identifiable from all of space",
        statement=r"Without output bias, $X=\mathbb R^d$, all $v_i\ne0$, all neurons kinked, no positive twins, "
        r"opposite twins with $v_i+rv_j\ne0$, and $\{\ell_H\}_{H\in J}$ independent in $\mathbb R^{d+1}$: if the "
        r"condition of shallow\_space\_global holds with $w_H$ replaced by $\ell_H=(w_H,b_H)$ and $T$ ranging over the "
        r"subsets of $K\cup\{1\}$, then $\theta$ is globally identifiable.",
        source=THIS_PACKAGE,
        uses=["shallow_equality_by_normal_form", "shallow_space_global"],
        hypotheses=[*NO_OUTPUT_BIAS, all_of_space, *PAIRS_BY_FORMS, no_alternative_jump_choice],
        conclusion=GLOBAL,
        standing=Standing.PROVED,
        supply=shallow_supply(
            (*PAIRS_BY_FORMS, no_alternative_jump_choice), domains=("space",), plants=MOSTLY_PAIRS, output=False
        ),
        arrangement=on_domains("space", "cube"),
    ),
    Theorem(
        id="shallow_space_global_without_output_bias_converse",
        title="without output bias, the condition for global identifiability from all of space is necessary",
        statement=r"Without output bias, $X=\mathbb R^d$, under the standing hypotheses of the direct statement: if "
        r"$\theta$ is globally identifiable, then its condition holds.",
        source=THIS_PACKAGE,
        uses=["shallow_equality_by_normal_form", "shallow_space_global_converse"],
        hypotheses=[*NO_OUTPUT_BIAS, all_of_space, *PAIRS_BY_FORMS, GLOBAL],
        conclusion=no_alternative_jump_choice,
        standing=Standing.PROVED,
        supply=shallow_supply((*PAIRS_BY_FORMS, GLOBAL), domains=("space",), plants=MOSTLY_PAIRS, output=False),
        arrangement=on_domains("space", "cube"),
    ),
    Theorem(
        id="shallow_local_without_output_bias",
        title="without output bias, when a shallow network is locally identifiable",
        statement=r"Without output bias, let $X$ have interior points, no $v_i=0$, no zero or off neuron, no positive "
        r"twins. Let $o$ be the number of neurons that are on and of cancelling opposite pairs, $J$ the other pairs. "
        r"If $\{\ell_H\}_{H\in J}$ is independent in $\mathbb R^{d+1}$ and ($o=0$; or $o=1$, a cancelling pair, "
        r"$J=\emptyset$; or $o=1$, a neuron $\ell$ that is on, and $\eta=0$ is the only "
        r"$\eta\in\operatorname{span}\{\ell_H\}_J$ with $\ell+\eta\ge0$ on $X$), then $\theta$ is locally "
        r"identifiable.",
        source=THIS_PACKAGE,
        uses=["shallow_equality_by_normal_form", "shallow_local"],
        hypotheses=[*NO_OUTPUT_BIAS, *LOCAL_WITHOUT_OUTPUT_BIAS],
        conclusion=LOCAL,
        standing=Standing.PROVED,
        supply=shallow_supply(
            LOCAL_WITHOUT_OUTPUT_BIAS,
            plants=(*MOSTLY_PAIRS, "on", "on", "constant", "cancel", "boundary"),
            output=False,
        ),
        arrangement=SEVERAL_DOMAINS,
    ),
    Theorem(
        id="shallow_local_without_output_bias_converse",
        title="without output bias, the conditions for local identifiability are necessary",
        statement=r"Without output bias, if $X$ has interior points and $\theta$ is locally identifiable from $X$, "
        r"then the conditions of the direct statement hold.",
        source=THIS_PACKAGE,
        uses=["shallow_equality_by_normal_form", "shallow_local_converse"],
        hypotheses=[*NO_OUTPUT_BIAS, LOCAL],
        conclusion=conjunction(
            "local_conditions", "the conditions for local identifiability", *LOCAL_WITHOUT_OUTPUT_BIAS
        ),
        standing=Standing.PROVED,
        supply=shallow_supply([LOCAL], plants=(*MOSTLY_PAIRS, "on", "on", "constant", "cancel", *BROKEN), output=False),
        arrangement=SEVERAL_DOMAINS,
    ),
    Theorem(
        id="shallow_finite_sample_without_output_bias",
        title="without output bias, distinct kinks give a finite sample",
        statement=r"Without output bias, if $X$ has interior points, all $v_i\ne0$, all neurons are kinked on $X$ and "
        r"the $H_i$ pairwise distinct, then some finite sample off the kinks has $\operatorname{rank}\Gamma=D-h$.",
        source=THIS_PACKAGE,
        uses=["distinct_hyperplanes_give_full_dimension"],
        hypotheses=[*NO_OUTPUT_BIAS, *DISTINCT_KINKS],
        conclusion=FINITE_SAMPLE,
        standing=Standing.PROVED,
        supply=shallow_supply(DISTINCT_KINKS, plants=GENTLE, output=False),
        arrangement=SEVERAL_DOMAINS,
    ),
)
