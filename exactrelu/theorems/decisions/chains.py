r"""Predicates on the chain :math:`c\,\sigma(v\,\sigma(wx+b)+a)+e`, the smallest network with two hidden layers."""

from __future__ import annotations

from fractions import Fraction

from ...networks import Network
from .frozen import theta_of


def one_wide_chain(network: Network) -> bool:
    r"""The network is the chain :math:`c\,\sigma(v\,\sigma(wx+b)+a)+e` with all biases"""
    return (
        network.widths == (1, 1, 1, 1)
        and network.is_layered
        and network.is_standard
        and all(layer.bias is not None for layer in network.layers)
    )


def chain_parameters(network: Network) -> tuple[Fraction, ...]:
    """The numbers w, b, v, a, c, e of a chain."""
    w, b, v, a, c, e = theta_of(network)
    return w, b, v, a, c, e


def outer_weights_nonzero(network: Network) -> bool:
    r"""The weights w and c are not 0"""
    return one_wide_chain(network) and bool(network.parameters[0].value and network.parameters[4].value)


def middle_weight_positive(network: Network) -> bool:
    r"""The weight v is positive"""
    return one_wide_chain(network) and network.parameters[2].value > 0


def middle_bias_negative(network: Network) -> bool:
    r"""The bias a is negative"""
    return one_wide_chain(network) and network.parameters[3].value < 0


def middle_nonzero(network: Network) -> bool:
    """The weight v and the bias a are not 0"""
    return one_wide_chain(network) and all(chain_parameters(network)[2:4])
