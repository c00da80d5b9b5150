r"""Equality of shallow functions by their normal form.

Whether two functions are equal is decided on every region of the difference network, without normal forms.
"""

from __future__ import annotations

import random

from ...equality import NormalForm, normal_form, shallow
from ...networks import Network
from ...polyhedra import Domain
from ..decisions.competitors import global_competitor
from ..decisions.equal_functions import equal_on_every_region, with_interior
from ..instances import Instance
from ..predicates import Predicate
from ..theorem import Standing, Theorem
from .shallow_conditions import interior, one_hidden_layer
from .shallow_hypotheses import THIS_PACKAGE
from .shallow_supply import BROKEN, EVERYWHERE, GENTLE, domain_of_kind, draw

EQUAL = Predicate.of(
    equal_on_every_region, name="same_function", meaning="the difference is zero on every region of the domain"
)


def same_jumps(network: Network, other: Network, domain: Domain | None = None) -> bool:
    r"""Both functions have the same hyperplanes with :math:`a_H\ne0`, and the same :math:`a_H`."""
    return _form(network, domain).jumps == _form(other, domain).jumps


def same_affine_part(network: Network, other: Network, domain: Domain | None = None) -> bool:
    r"""Both functions have the same affine part :math:`L`, with half of every neuron that is kinked."""
    return _form(network, domain).affine == _form(other, domain).affine


def same_shape(network: Network, other: Network) -> bool:
    """The second network has one dense hidden ReLU layer too, and as many inputs and outputs."""
    return one_hidden_layer(other) and network.widths[::2] == other.widths[::2]


def same_normal_form(network: Network, other: Network, domain: Domain | None = None) -> bool:
    r"""Both functions have the same :math:`\{H\mapsto a_H\ne0\}` and the same :math:`L`."""
    return _form(network, domain) == _form(other, domain)


def _form(network: Network, domain: Domain | None) -> NormalForm:
    return normal_form(shallow(network), with_interior(network, domain))


def pair_of_networks(generator: random.Random) -> Instance:
    """Two networks on a domain, nearly always with one function: rearranged, with another fibre member, or narrower."""
    d, k = generator.choice((1, 1, 2, 2, 3)), generator.choice((1, 1, 2))
    domain = domain_of_kind(generator.choice(EVERYWHERE), d, generator)
    output = generator.random() < 0.8
    net = draw(generator, k, domain, (*GENTLE, *BROKEN), (1, 3), output=output)
    other = global_competitor(net, domain) if generator.random() < 0.8 else None
    if generator.random() < 0.02:
        other = draw(generator, k, domain, (*GENTLE, *BROKEN), (1, 3), output=output)
    return Instance(net, other or _rearranged(net, generator), domain=domain)


def _rearranged(net: Network, generator: random.Random) -> Network:
    order = list(range(net.widths[1]))
    generator.shuffle(order)
    return net.rescale([[generator.randint(1, 4) for _ in order]]).permute([order])


SETTING = (one_hidden_layer, same_shape, interior)

STATEMENTS = (
    Theorem(
        id="shallow_equality_by_normal_form",
        title="shallow networks with the same normal form are the same function",
        statement=r"Let $X\subset\overline{U}$, $U=\operatorname{int}X\ne\emptyset$. On $U$, "
        r"$f=L+\frac12\sum_Ha_H|\ell_H|$ with $L=c+\frac12\sum_{\text{kinked}}v_i\otimes\ell_i+\sum_{\text{on}}"
        r"v_i\otimes\ell_i$. If $\theta,\theta'$ have the same $\{H\mapsto a_H\ne0\}$ and the same $L$, then "
        r"$f_\theta=f_{\theta'}$ on $X$.",
        source=THIS_PACKAGE,
        hypotheses=[*SETTING, same_jumps, same_affine_part],
        conclusion=EQUAL,
        standing=Standing.PROVED,
        supply=pair_of_networks,
    ),
    Theorem(
        id="shallow_equality_by_normal_form_converse",
        title="shallow networks with the same function have the same normal form",
        statement=r"If $f_\theta=f_{\theta'}$ on $X$, with interior points, then $\theta,\theta'$ have the same "
        r"$\{H\mapsto a_H\ne0\}$ and the same $L$: the expansion with all $a_H\ne0$ is unique.",
        source=THIS_PACKAGE,
        uses=["shallow_equality_by_normal_form"],
        hypotheses=[*SETTING, EQUAL],
        conclusion=same_normal_form,
        standing=Standing.PROVED,
        supply=pair_of_networks,
    ),
)
