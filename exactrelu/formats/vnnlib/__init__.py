r"""VNN-LIB queries of both versions, of which the constraints on the inputs are a domain.

* :mod:`.expressions`: the text as nested lists of words with their lines
* :mod:`.declarations`: which names are inputs and outputs
* :mod:`.assertions`: assertions as half-spaces, in exact decimals
* :mod:`.domains`: :func:`read_vnnlib`
"""

from .domains import read_vnnlib

__all__ = ["read_vnnlib"]
