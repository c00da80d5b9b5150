"""Files: foreign formats in and out, with an account of every reading and rounding.

* :mod:`.loading`, :mod:`.saving`: :func:`load`, :func:`load_domain` and :func:`save`, by the name of the file
* :mod:`.nnet`: the text format of the ACAS Xu networks
* :mod:`.onnx`: ONNX files, read and written; :mod:`.forms` builds their layers
* :mod:`.arrays`, :mod:`.state_dict`: ``.npz`` and ``.safetensors`` files, and any mapping of arrays
* :mod:`.sklearn`: fitted perceptrons of scikit-learn
* :mod:`.vnnlib`: VNN-LIB queries as domains
* :mod:`.latex`, :mod:`.graphs`: formulas and graphs
* :mod:`.rounding`: exact numbers to floats
* :mod:`.samples`: points as JSON
"""

from .arrays import load_arrays
from .graphs import network_graph, save_graph
from .imports import Import
from .latex import latex_text
from .loading import load, load_domain, load_domain_report, load_report
from .rounding import Rounding
from .saving import Export, network_text, save, save_report
from .sklearn import from_sklearn, read_sklearn
from .state_dict import from_state_dict, read_state_dict

__all__ = [
    "Export",
    "Import",
    "Rounding",
    "from_sklearn",
    "from_state_dict",
    "latex_text",
    "load",
    "load_arrays",
    "load_domain",
    "load_domain_report",
    "load_report",
    "network_graph",
    "network_text",
    "read_sklearn",
    "read_state_dict",
    "save",
    "save_graph",
    "save_report",
]
