r"""One hidden layer, with biases everywhere: the fibre, and which parameters are identifiable.

Competitors are all parameters of the same architecture. Conclusions about identifiability are decided by a
complete enumeration of competitors (:mod:`..decisions.competitors`), which holds none of the
conditions below for sufficient or necessary. Bounded domains and :math:`\mathbb R^d` are what the equivalences
speak of; the conclusions are decided on every polyhedron, so that a dropped hypothesis can be seen to matter.
"""

from __future__ import annotations

from ...networks import Network
from ...polyhedra import Domain
from ...verdicts import Verdict
from ..decisions.flips import fibre_equals_flips
from ..theorem import Standing, Theorem
from .shallow_conditions import (
    all_of_space,
    bending_pairs,
    bounded,
    conjunction,
    flat_domain,
    hidden_biases,
    independent_products,
    kinked,
    no_alternative_jump_choice,
    no_positive_twins,
    nonzero_input,
    nonzero_output,
    one_hidden_layer,
    positive_functional,
    scalar_output,
    zero_sum_sets,
)
from .shallow_hypotheses import (
    BOUNDED_GLOBAL,
    DISTINCT_KINKS,
    GLOBAL,
    LOCAL,
    LOCAL_CONDITIONS,
    MIXED,
    MOSTLY_PAIRS,
    NOT_GLOBAL,
    NOT_LOCAL,
    SETTING,
    SEVERAL_DOMAINS,
    SHALLOW_CASE,
    THIS_PACKAGE,
)
from .shallow_supply import BOUNDED, BROKEN, GENTLE, OPPOSITE, on_domains, shallow_supply


def two_opposite_pairs(network: Network) -> bool:
    """At least two hyperplanes carry opposite twins."""
    return len(bending_pairs(network)) >= 2


def fibre_is_flips(network: Network, domain: Domain | None = None) -> Verdict:
    r"""The classes of the fibre correspond to the sets :math:`S` with :math:`\sum_{i\in S}v_iw_i^T=0`, by flipping."""
    return fibre_equals_flips(network, domain, zero_sum_sets(network, with_biases=False, proper=False))


def no_zero_sum(network: Network) -> bool:
    r"""No nonempty set :math:`S` of neurons at all has :math:`\sum_{i\in S}v_iw_i^T=0`."""
    return not zero_sum_sets(network, with_biases=False, proper=False)


BOUNDED_DOMAINS = on_domains("cube", "unit", "simplex", "flat")
CERTAIN_DOMAINS = on_domains("space", "cube")

FIBRE = (
    Theorem(
        id="shallow_fibre_is_flips",
        title="with distinct kinks, the fibre of a shallow network consists of its flips",
        statement=r"Let $X$ have interior points, all $v_i\ne0$, all neurons kinked on $X$, and the $H_i$ pairwise "
        r"distinct. Then $S\mapsto$ (flip of $S$) is a bijection from $\{S\subset[h]:\sum_{i\in S}v_iw_i^T=0\}$ to the "
        r"classes modulo $\sim_{PS}$ of the $\theta'$ of width $h$ with $f_{\theta'}=f_\theta$ on $X$; the flip of $S$ "
        r"is $(w_i,b_i)\mapsto-(w_i,b_i)$ for $i\in S$ and $c\mapsto c+\sum_{i\in S}v_ib_i$.",
        source=SHALLOW_CASE,
        uses=["shallow_equality_by_normal_form", "shallow_equality_by_normal_form_converse"],
        hypotheses=[*SETTING, *DISTINCT_KINKS],
        conclusion=fibre_is_flips,
        standing=Standing.PROVED,
        supply=shallow_supply(DISTINCT_KINKS, plants=GENTLE),
        arrangement=SEVERAL_DOMAINS,
    ),
    Theorem(
        id="distinct_kinks_are_locally_identifiable",
        title="a shallow network with distinct kinks is locally identifiable",
        statement=r"If $X$ has interior points, all $v_i\ne0$, all neurons are kinked on $X$ and the $H_i$ pairwise "
        r"distinct, then $\theta$ is locally identifiable from $X$.",
        source=SHALLOW_CASE,
        uses=["shallow_fibre_is_flips"],
        hypotheses=[*SETTING, *DISTINCT_KINKS],
        conclusion=LOCAL,
        standing=Standing.PROVED,
        supply=shallow_supply(DISTINCT_KINKS, plants=GENTLE),
        arrangement=SEVERAL_DOMAINS,
    ),
    Theorem(
        id="distinct_hyperplanes_imply_global_identifiability",
        title="a shallow network with distinct kinks is globally identifiable",
        statement=r"If $X$ has interior points, all $v_i\ne0$, all neurons are kinked on $X$ and the $H_i$ pairwise "
        r"distinct, then $\theta$ is globally identifiable from $X$. (False: the hat "
        r"$\sigma(x+1)-2\sigma(x)+\sigma(x-1)$.)",
        source=SHALLOW_CASE,
        uses=["shallow_fibre_is_flips", "shallow_bounded_global"],
        hypotheses=[*SETTING, *DISTINCT_KINKS],
        conclusion=GLOBAL,
        standing=Standing.REFUTED,
        supply=shallow_supply(DISTINCT_KINKS, plants=("flip", "sum", "parallel")),
        arrangement=SEVERAL_DOMAINS,
    ),
)

ON_BOUNDED_DOMAINS = (
    Theorem(
        id="shallow_bounded_global",
        title="four conditions identify a shallow network globally from a bounded domain",
        statement=r"Let $X$ be bounded with interior points. If (C1) all $v_i\ne0$, (C2) every neuron is kinked on $X$ "
        r"(in particular $(w_i,b_i)\ne0$), (C3) the $H_i$ are pairwise distinct, and (C4) no nonempty $S$ has "
        r"$\sum_{i\in S}v_iw_i^T=0$, then $\theta$ is globally identifiable from $X$.",
        source=SHALLOW_CASE,
        uses=["shallow_fibre_is_flips"],
        hypotheses=[*SETTING, bounded, *BOUNDED_GLOBAL],
        conclusion=GLOBAL,
        standing=Standing.PROVED,
        supply=shallow_supply(BOUNDED_GLOBAL, domains=BOUNDED, plants=GENTLE),
        arrangement=BOUNDED_DOMAINS,
    ),
    Theorem(
        id="shallow_bounded_global_converse",
        title="the four conditions are necessary for global identifiability from a bounded domain",
        statement=r"Let $X$ be bounded with interior points. If $\theta$ is globally identifiable from $X$, then "
        r"all $v_i\ne0$, every neuron is kinked on $X$, the $H_i$ are pairwise distinct, and no nonempty $S$ has "
        r"$\sum_{i\in S}v_iw_i^T=0$.",
        source=SHALLOW_CASE,
        uses=["shallow_fibre_is_flips"],
        hypotheses=[*SETTING, bounded, GLOBAL],
        conclusion=conjunction("bounded_global_conditions", "(C1), (C2), (C3) and (C4) hold", *BOUNDED_GLOBAL),
        standing=Standing.PROVED,
        supply=shallow_supply([GLOBAL], domains=BOUNDED, plants=MIXED),
        arrangement=CERTAIN_DOMAINS,
    ),
    Theorem(
        id="no_zero_sum_flip_gives_global_identifiability",
        title="the four conditions identify a shallow network globally from every domain with interior points",
        statement=r"If $X$ has interior points and (C1) to (C4) hold on $X$, bounded or not, then $\theta$ is globally "
        r"identifiable from $X$.",
        source=SHALLOW_CASE,
        uses=["shallow_fibre_is_flips"],
        hypotheses=[*SETTING, *BOUNDED_GLOBAL],
        conclusion=GLOBAL,
        standing=Standing.PROVED,
        supply=shallow_supply(BOUNDED_GLOBAL, plants=GENTLE),
        arrangement=SEVERAL_DOMAINS,
    ),
    Theorem(
        id="no_zero_sum_flip_gives_global_identifiability_converse",
        title="with distinct kinks, global identifiability excludes zero sums on every domain",
        statement=r"If $X$ has interior points, (C1) to (C3) hold on $X$, bounded or not, and $\theta$ is globally "
        r"identifiable from $X$, then (C4) holds.",
        source=SHALLOW_CASE,
        uses=["shallow_fibre_is_flips"],
        hypotheses=[*SETTING, *DISTINCT_KINKS, GLOBAL],
        conclusion=no_zero_sum,
        standing=Standing.PROVED,
        supply=shallow_supply((*DISTINCT_KINKS, GLOBAL), plants=GENTLE),
        arrangement=SEVERAL_DOMAINS,
    ),
    Theorem(
        id="global_identifiability_excludes_silent_neurons",
        title="a globally identifiable shallow network has kinked neurons with outputs, and no positive twins",
        statement=r"If $X$ has interior points, bounded or not, and $\theta$ is globally identifiable from $X$, then "
        r"all $v_i\ne0$, every neuron is kinked on $X$, and there are no positive twins.",
        source=SHALLOW_CASE,
        uses=["shallow_bounded_global_converse"],
        hypotheses=[*SETTING, GLOBAL],
        conclusion=conjunction(
            "no_silent_neurons",
            "outputs are nonzero, all neurons kinked, and no two positive twins",
            nonzero_output,
            nonzero_input,
            kinked,
            no_positive_twins,
        ),
        standing=Standing.PROVED,
        supply=shallow_supply([GLOBAL], plants=MIXED),
        arrangement=SEVERAL_DOMAINS,
    ),
    Theorem(
        id="flat_domains_identify_nothing",
        title="with hidden biases, a domain in a hyperplane identifies no shallow network",
        statement=r"If $X$ lies in a hyperplane and there are hidden biases, then no $\theta$ is locally identifiable "
        r"from $X$. (Add a multiple of the equation of the hyperplane to a neuron with $v_i\ne0$, or move the incoming "
        r"weights of one with $v_i=0$.)",
        source=THIS_PACKAGE,
        hypotheses=[one_hidden_layer, hidden_biases, flat_domain],
        conclusion=NOT_LOCAL,
        standing=Standing.PROVED,
        supply=shallow_supply((), domains=("flat",), plants=(*GENTLE, *BROKEN)),
        arrangement=on_domains("flat", "cube"),
    ),
)

LOCALLY = (
    Theorem(
        id="shallow_local",
        title="five conditions identify a shallow network locally",
        statement=r"Let $X$ have interior points. If (D1) all $v_i\ne0$ and $(w_i,b_i)\ne0$, (D2) every neuron is "
        r"kinked on $X$, (D3) there are no positive twins, (D4) opposite twins $\ell_j=-r\ell_i$ have $v_i+rv_j\ne0$, "
        r"and (D5) the vectors $w_H$, one per opposite pair, are linearly independent, then $\theta$ is locally "
        r"identifiable from $X$.",
        source=SHALLOW_CASE,
        uses=["shallow_equality_by_normal_form", "shallow_equality_by_normal_form_converse"],
        hypotheses=[*SETTING, *LOCAL_CONDITIONS],
        conclusion=LOCAL,
        standing=Standing.PROVED,
        supply=shallow_supply(LOCAL_CONDITIONS, plants=MOSTLY_PAIRS),
        arrangement=SEVERAL_DOMAINS,
    ),
    Theorem(
        id="shallow_local_converse",
        title="the five conditions are necessary for local identifiability",
        statement=r"Let $X$ have interior points. If $\theta$ is locally identifiable from $X$, then (D1) to (D5) "
        r"hold.",
        source=SHALLOW_CASE,
        uses=["shallow_equality_by_normal_form", "shallow_bounded_global_converse"],
        hypotheses=[*SETTING, LOCAL],
        conclusion=conjunction("local_conditions", "(D1) to (D5) hold", *LOCAL_CONDITIONS),
        standing=Standing.PROVED,
        supply=shallow_supply([LOCAL], plants=(*MOSTLY_PAIRS, *BROKEN)),
        arrangement=CERTAIN_DOMAINS,
    ),
    Theorem(
        id="locally_identifiable_shallow_networks_are_globally_identifiable",
        title="a locally identifiable shallow network is globally identifiable",
        statement=r"If a shallow $\theta$ is locally identifiable from $X$, then it is globally identifiable from $X$. "
        r"(False: the hat, or $2\sigma(x)+\sigma(-x)$ on $[-1,1]$.)",
        source=THIS_PACKAGE,
        uses=["shallow_local"],
        hypotheses=[*SETTING, LOCAL],
        conclusion=GLOBAL,
        standing=Standing.REFUTED,
        supply=shallow_supply([LOCAL], plants=MOSTLY_PAIRS),
        arrangement=SEVERAL_DOMAINS,
    ),
)

ON_SPACE = (
    Theorem(
        id="shallow_space_global",
        title="when a shallow network is globally identifiable from all of space",
        statement=r"Let $X=\mathbb R^d$ and (D1) to (D5). Let $K$ be the hyperplanes, $J$ those of the $p$ opposite "
        r"pairs. If for every $T\subset K$ with $|T|\le p$ and all $A'_H\in\{0,a_H\}$, $H\notin T$, except $T=J$, "
        r"$A'_H=A_H$, the rank of $\sum_{H\notin T}(A'_H-A_H)w_H^T$ modulo rows in $\operatorname{span}\{w_H\}_{H\in "
        r"T}$ exceeds $\lfloor(p-|T|)/2\rfloor$, then $\theta$ is globally identifiable.",
        source=SHALLOW_CASE,
        uses=["shallow_local", "shallow_equality_by_normal_form"],
        hypotheses=[*SETTING, all_of_space, *LOCAL_CONDITIONS, no_alternative_jump_choice],
        conclusion=GLOBAL,
        standing=Standing.PROVED,
        supply=shallow_supply((*LOCAL_CONDITIONS, no_alternative_jump_choice), domains=("space",), plants=MOSTLY_PAIRS),
        arrangement=CERTAIN_DOMAINS,
    ),
    Theorem(
        id="shallow_space_global_converse",
        title="the condition for global identifiability from all of space is necessary",
        statement=r"Let $X=\mathbb R^d$. If $\theta$ is globally identifiable, then (D1) to (D5) and the condition of "
        r"the direct statement hold.",
        source=SHALLOW_CASE,
        uses=["shallow_local_converse", "shallow_equality_by_normal_form", "shallow_space_global"],
        hypotheses=[*SETTING, all_of_space, GLOBAL],
        conclusion=conjunction(
            "space_global_conditions",
            "(D1) to (D5) hold, and there is no alternative choice of jumps",
            *LOCAL_CONDITIONS,
            no_alternative_jump_choice,
        ),
        standing=Standing.PROVED,
        supply=shallow_supply([GLOBAL], domains=("space",), plants=(*MOSTLY_PAIRS, *BROKEN)),
        arrangement=CERTAIN_DOMAINS,
    ),
    Theorem(
        id="two_opposite_pairs_prevent_global_identifiability",
        title="with one output, two opposite pairs prevent global identifiability from all of space",
        statement=r"Let $X=\mathbb R^d$, one output, (D1) to (D5). If at least two hyperplanes carry opposite twins, "
        r"then $\theta$ is not globally identifiable.",
        source=THIS_PACKAGE,
        uses=["shallow_space_global_converse"],
        hypotheses=[*SETTING, all_of_space, scalar_output, *LOCAL_CONDITIONS, two_opposite_pairs],
        conclusion=NOT_GLOBAL,
        standing=Standing.PROVED,
        supply=shallow_supply(
            (*LOCAL_CONDITIONS, two_opposite_pairs),
            domains=("space",),
            plants=OPPOSITE,
            inputs=(2, 2, 3),
            outputs=(1,),
            widths=(4, 5),
        ),
        arrangement=CERTAIN_DOMAINS,
    ),
)

CERTIFICATES = (
    Theorem(
        id="independent_products_exclude_flips",
        title="independent products exclude zero sums",
        statement=r"If the $h\times(kd)$ matrix with rows $\operatorname{vec}(v_iw_i^T)$ has rank $h$, then no "
        r"nonempty $S$ has $\sum_{i\in S}v_iw_i^T=0$.",
        source=THIS_PACKAGE,
        hypotheses=[one_hidden_layer, independent_products],
        conclusion=no_zero_sum,
        standing=Standing.PROVED,
        supply=shallow_supply([independent_products], domains=("space",), inputs=(2, 3), outputs=(1, 2)),
    ),
    Theorem(
        id="positive_functional_excludes_flips",
        title="a functional that is positive on all products excludes zero sums",
        statement=r"If some linear functional is positive on all $v_iw_i^T$, then no nonempty $S$ has "
        r"$\sum_{i\in S}v_iw_i^T=0$.",
        source=THIS_PACKAGE,
        hypotheses=[one_hidden_layer, positive_functional],
        conclusion=no_zero_sum,
        standing=Standing.PROVED,
        supply=shallow_supply([positive_functional], domains=("space",)),
    ),
)

STATEMENTS = (*FIBRE, *ON_BOUNDED_DOMAINS, *LOCALLY, *ON_SPACE, *CERTIFICATES)
