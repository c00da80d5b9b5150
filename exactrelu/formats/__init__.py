"""Files: foreign formats in, exact networks out.

* :mod:`.loading`: :func:`load` and :func:`save`, by the name of the file
* :mod:`.nnet`: the text format of the ACAS Xu networks
* :mod:`.onnx`: ONNX files of ReLU networks
* :mod:`.files`: bytes in and out, written whole or not at all
"""

from .loading import Import, load, load_domain, load_report, network_text, save

__all__ = ["Import", "load", "load_domain", "load_report", "network_text", "save"]
