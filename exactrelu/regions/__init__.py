"""Exact linear regions of networks of any depth.

* :mod:`.complex`: all activation regions on a domain, read on demand
* :mod:`.exploration`: the regions around a point, in any input dimension
* :mod:`.symbolic`: regions and whole functions as SymPy expressions
* :mod:`.graph`: which regions are adjacent, and how the gradient jumps
* :mod:`.counts`: six meanings of "the number of linear regions", with :mod:`.coarsest`
* :mod:`.bounds`: Zaslavsky, Buck, Montúfar, Serra

:mod:`.engine` chooses between two engines. In few dimensions :mod:`.enumeration`
cuts the face lattice of :mod:`.lattice` by one neuron after another; the only numeric
question, the sign of a neuron at a vertex, is decided in :mod:`.signs` by floats with a
proved bound or by the integers of :mod:`.origins`. :mod:`.program` and :mod:`.start`
prepare the network, :mod:`.cells` and :mod:`.points` read the result, :mod:`.words` packs
signs into bits.

In many dimensions :mod:`.tree_search` splits the domain by one neuron after another,
:mod:`.facets` and :mod:`.recession` look at the cells, :mod:`.searched_cells` reads the
result. The only numeric question, whether a cell reaches beyond a hyperplane
(:mod:`.questions`), is answered in :mod:`.separation`: guessed by :mod:`.guesses`, proved by
:mod:`.float_proofs` or by integers.
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
