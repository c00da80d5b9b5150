"""From a function back to its parameters.

* :mod:`.recover`: all shallow networks of least width behind a :mod:`.black_box`
* :mod:`.exploration`: what has been seen, along :mod:`.generic_lines` by :mod:`.line_search`
* :mod:`.bent_function`: an affine germ with hyperplanes and jumps
* :mod:`.least_networks`: the networks with given bends
* :mod:`.reconstruction`: the same from a region graph alone
"""
