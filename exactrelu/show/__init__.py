r"""Pictures of networks, as matplotlib figures (``pip install "exactrelu[plot]"``).

* :func:`function_graph`: a network with one input, with its kinks
* :func:`regions_picture`: the regions of a network with two inputs
* :func:`slice_picture`: networks with more inputs, on a rational plane or line
* :func:`path_diagram`: the network as a diagram of its paths, with :math:`\Phi(\theta)`
* :func:`side_by_side`: two parameterizations of one architecture, or of two
* :func:`picture`: the regions of a network with any number of inputs
* :func:`region_graph_picture`: the adjacency graph of regions, whatever the number of inputs
* :func:`report_page`: one self-contained HTML page with everything about a network
* :func:`save`: a figure as SVG or PNG, the same bytes in every run

Every function returns the figure. This is the only place that computes with
floats: they say where ink goes, after everything has been decided exactly.
"""

from .canvas import PlottingUnavailable, check_picture_name, save
from .comparison import side_by_side
from .diagrams import path_diagram
from .graphs import function_graph
from .planar import regions_picture
from .region_graph import region_graph_picture
from .report import report_page
from .slices import picture, slice_picture

__all__ = [
    "PlottingUnavailable",
    "check_picture_name",
    "function_graph",
    "path_diagram",
    "picture",
    "region_graph_picture",
    "regions_picture",
    "report_page",
    "save",
    "side_by_side",
    "slice_picture",
]
