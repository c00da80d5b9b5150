r"""Networks: :math:`\theta`, its function :math:`R_\theta`, patterns and affine maps.

* :mod:`.network`: :class:`Network`, with :mod:`.layers` and :mod:`.activations`
* :mod:`.architecture`: what a network must be, and what it is apart from its numbers
* :mod:`.piecewise_linear`, :mod:`.analytic`: what activations can be
* :mod:`.evaluation`: values, pre-activations and affine maps, in integers
* :mod:`.symbolic`, :mod:`.enclosures`: values of analytic activations, as expressions and in balls
* :mod:`.certified_signs`: patterns at many points, by floats with a proved bound
* :mod:`.unfolding`: any piecewise-linear network as one of ReLUs
* :mod:`.patterns`: activation patterns and their text form
* :mod:`.parameters`: names and order of the parameters
* :mod:`.editing`: rescale, permute, flip, replace, difference
* :mod:`.formulas`: networks written out
* :mod:`.family`: one-parameter families of networks
* :mod:`.json`: the file format
"""

from .activations import IDENTITY, RELU, Activation
from .analytic import Analytic
from .family import Family
from .layers import Layer
from .network import Network
from .parameters import Parameter
from .patterns import Pattern
from .piecewise_linear import PiecewiseLinear

__all__ = [
    "IDENTITY",
    "RELU",
    "Activation",
    "Analytic",
    "Family",
    "Layer",
    "Network",
    "Parameter",
    "Pattern",
    "PiecewiseLinear",
]
