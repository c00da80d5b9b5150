"""Exact linear regions of networks of any depth.

* :mod:`.complex`: all activation regions on a domain, read on demand
* :mod:`.exploration`: the regions around a point, in any input dimension
* :mod:`.symbolic`: regions and whole functions as SymPy expressions
* :mod:`.graph`: which regions are adjacent, and how the gradient jumps
* :mod:`.counts`: six meanings of "the number of linear regions", with :mod:`.coarsest`
* :mod:`.bounds`: Zaslavsky, Buck, Montúfar, Serra

:mod:`.engine` chooses between two engines, :mod:`.vertex_engine` in few dimensions and
:mod:`.linear_program_engine` in many; :mod:`.program` and :mod:`.start` prepare the network for both.
"""

from .bounds import buck, montufar, serra, zaslavsky
from .complex import ActivationRegion, Adjacency, RegionComplex, activation_regions, count_regions, region_blocks
from .counts import RegionCounts, region_bounds, region_counts
from .exploration import Exit, Exploration, explore_regions
from .graph import region_graph
from .symbolic import SymbolicRegion, piecewise, symbolic_pattern, symbolic_region

__all__ = [
    "ActivationRegion",
    "Adjacency",
    "Exit",
    "Exploration",
    "RegionComplex",
    "RegionCounts",
    "SymbolicRegion",
    "activation_regions",
    "buck",
    "count_regions",
    "explore_regions",
    "montufar",
    "piecewise",
    "region_blocks",
    "region_bounds",
    "region_counts",
    "region_graph",
    "serra",
    "symbolic_pattern",
    "symbolic_region",
    "zaslavsky",
]
