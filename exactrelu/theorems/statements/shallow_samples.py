r"""One hidden layer: finite samples that identify to first order, and the least width.

Whether a sample exists is decided by the rank of :math:`\Gamma` over all regions, the least width by enumerating the
networks of every width. Both statements assume biases in both layers.
"""

from __future__ import annotations

from ...identifiability import functional_dimension
from ...networks import Network
from ...polyhedra import Domain
from ...verdicts import Verdict
from ..decisions.dimensions import full_dimension
from ..decisions.equal_functions import with_interior
from ..decisions.least_width import least_width_is_formula, least_width_is_near_the_number_of_bends
from ..predicates import Predicate
from ..statuses import status_of
from ..theorem import Standing, Theorem
from .shallow_conditions import (
    all_of_space,
    bounded_or_space,
    conjunction,
    kinked,
    no_positive_twins,
    nonzero_input,
    nonzero_output,
    opposite_pairs_independent,
    opposite_pairs_outputs_independent,
    scalar_output,
)
from .shallow_hypotheses import LOCAL, MOSTLY_PAIRS, SETTING, SEVERAL_DOMAINS, SHALLOW_CASE, THIS_PACKAGE
from .shallow_supply import BOUNDED, BROKEN, GENTLE, OPPOSITE, on_domains, shallow_supply


def rank_over_all_regions(network: Network, domain: Domain | None = None) -> Verdict:
    r"""The rank of :math:`\Gamma` over all regions, which some finite sample off the kinks attains, is :math:`D-h`."""
    found = functional_dimension(network, with_interior(network, domain))
    expected = full_dimension(network)
    claim = f"the largest rank of a sample Jacobian is {found}, parameters minus hidden neurons {expected}"
    return Verdict(claim, status_of(found == expected))


FINITE_SAMPLE = Predicate.of(
    rank_over_all_regions,
    name="finite_sample_exists",
    meaning="some finite sample off the kinks has a Jacobian of rank D - h",
)
SAMPLE_CONDITIONS = (
    nonzero_output,
    nonzero_input,
    kinked,
    no_positive_twins,
    opposite_pairs_outputs_independent,
    opposite_pairs_independent,
)

STATEMENTS = (
    Theorem(
        id="shallow_finite_sample",
        title="when some finite sample identifies a shallow network to first order",
        statement=r"Let $X$ have interior points. If (D1) all $v_i\ne0$ and $(w_i,b_i)\ne0$, (D2) every neuron is "
        r"kinked on $X$, (D3) there are no positive twins, every opposite pair has linearly independent $v_i$, $v_j$, "
        r"and (D5) the $w_H$ of the opposite pairs are linearly independent, then some finite sample off the kinks has "
        r"$\operatorname{rank}\Gamma=D-h$.",
        source=SHALLOW_CASE,
        uses=["distinct_hyperplanes_give_full_dimension"],
        hypotheses=[*SETTING, *SAMPLE_CONDITIONS],
        conclusion=FINITE_SAMPLE,
        standing=Standing.PROVED,
        supply=shallow_supply(SAMPLE_CONDITIONS, plants=MOSTLY_PAIRS, outputs=(1, 2, 2)),
        arrangement=SEVERAL_DOMAINS,
    ),
    Theorem(
        id="shallow_finite_sample_converse",
        title="the conditions for a finite sample are necessary",
        statement=r"Let $X$ have interior points. If some finite sample off the kinks has "
        r"$\operatorname{rank}\Gamma=D-h$, then (D1), (D2), (D3), (D5) hold, and opposite pairs have linearly "
        r"independent outputs.",
        source=SHALLOW_CASE,
        uses=["sample_jacobian_rank_suffices", "shallow_local_converse"],
        hypotheses=[*SETTING, FINITE_SAMPLE],
        conclusion=conjunction("finite_sample_conditions", "the conditions for a finite sample", *SAMPLE_CONDITIONS),
        standing=Standing.PROVED,
        supply=shallow_supply([FINITE_SAMPLE], plants=(*MOSTLY_PAIRS, *BROKEN), outputs=(1, 2, 2)),
        arrangement=SEVERAL_DOMAINS,
    ),
    Theorem(
        id="local_identifiability_gives_a_finite_sample",
        title="a locally identifiable shallow network is identified to first order by some finite sample",
        statement=r"If a shallow $\theta$ is locally identifiable from $X$, then some finite sample off the kinks has "
        r"$\operatorname{rank}\Gamma=D-h$. (False: $2\sigma(x)+\sigma(-x)$.)",
        source=THIS_PACKAGE,
        uses=["shallow_local", "shallow_finite_sample_converse"],
        hypotheses=[*SETTING, LOCAL],
        conclusion=FINITE_SAMPLE,
        standing=Standing.REFUTED,
        supply=shallow_supply([LOCAL], plants=(*GENTLE, *(4 * OPPOSITE))),
        arrangement=SEVERAL_DOMAINS,
    ),
    Theorem(
        id="shallow_minimal_width",
        title="the least width of a shallow function",
        statement=r"Let $f_\theta$ have the normal form $(K,a,L)$ on $X$, $\Lambda$ the linear part of $L$, "
        r"$M_\varepsilon=\Lambda-\frac12\sum_H\varepsilon_Ha_Hw_H^T$. The least width of a network with biases in both "
        r"layers and this function is $|K|+\min_\varepsilon\operatorname{rank}M_\varepsilon$ on a bounded $X$ with "
        r"interior points, and $|K|+\min_{T\subset K,\varepsilon}(|T|+2\operatorname{rank}(M_\varepsilon\bmod"
        r"\operatorname{span}\{w_H\}_{H\in T}))$ on $\mathbb R^d$.",
        source=THIS_PACKAGE,
        uses=["shallow_equality_by_normal_form"],
        hypotheses=[*SETTING, bounded_or_space],
        conclusion=least_width_is_formula,
        standing=Standing.PROVED,
        supply=shallow_supply((), domains=("space", "space", *BOUNDED), plants=(*GENTLE, *BROKEN)),
        arrangement=on_domains("space", "cube"),
    ),
    Theorem(
        id="scalar_minimal_width_exceeds_bends_by_at_most_two",
        title="a scalar shallow function on all of space needs at most two neurons more than it has bends",
        statement=r"With one output, on $\mathbb R^d$, the least width is $|K|$, $|K|+1$ or $|K|+2$.",
        source=THIS_PACKAGE,
        uses=["shallow_minimal_width"],
        hypotheses=[*SETTING, all_of_space, scalar_output],
        conclusion=least_width_is_near_the_number_of_bends,
        standing=Standing.PROVED,
        supply=shallow_supply((), domains=("space",), outputs=(1,), plants=(*GENTLE, *BROKEN)),
        arrangement=on_domains("space"),
    ),
)
