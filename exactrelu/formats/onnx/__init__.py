r"""ONNX files, read as the real functions of their binary constants, and written.

* :mod:`.reader`: :func:`read_onnx`, one pass over the nodes of a graph
* :mod:`.nodes`: a node with its inputs and attributes, checked on access
* :mod:`.operators`: the table of what is understood
* :mod:`.arithmetic`, :mod:`.bends`, :mod:`.movement`, :mod:`.windows`: sums and products, activations,
  what only moves entries, convolutions and averages
* :mod:`.writer`: :func:`onnx_bytes`

Everything is for a single sample; a free batch dimension counts as 1. Each
constant is taken as the dyadic rational that it is.
"""

from .reader import DYADIC, read_onnx
from .writer import onnx_bytes

__all__ = ["DYADIC", "onnx_bytes", "read_onnx"]
