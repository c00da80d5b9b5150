"""Exact linear regions of networks of any depth.

* :mod:`.complex`: all activation regions on a domain, read on demand
* :mod:`.graph`: which regions are adjacent, and how the gradient jumps
* :mod:`.counts`: six meanings of "the number of linear regions", with :mod:`.coarsest`
* :mod:`.bounds`: Zaslavsky, Buck, Montúfar, Serra

The engine below: :mod:`.enumeration` cuts the face lattice of :mod:`.lattice`
by one neuron after another; the only numeric question, the sign of a neuron at a
vertex, is decided in :mod:`.signs` by floats with a proved bound or by the
integers of :mod:`.origins`. :mod:`.program` and :mod:`.start` prepare the
network, :mod:`.cells` and :mod:`.points` read the result, :mod:`.words` packs
signs into bits.
"""

from .bounds import buck, montufar, serra, zaslavsky
from .complex import ActivationRegion, Adjacency, RegionComplex, activation_regions, count_regions, region_blocks
from .counts import RegionCounts, region_bounds, region_counts
from .graph import region_graph

__all__ = [
    "ActivationRegion",
    "Adjacency",
    "RegionComplex",
    "RegionCounts",
    "activation_regions",
    "buck",
    "count_regions",
    "montufar",
    "region_blocks",
    "region_bounds",
    "region_counts",
    "region_graph",
    "serra",
    "zaslavsky",
]
