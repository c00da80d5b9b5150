"""Whether parameters can be recovered from the function.

* :mod:`.shallow_local`, :mod:`.shallow_global`, :mod:`.finite_sample`: the
  conditions for one hidden layer, with witnesses
* :mod:`.batch`: statuses of many small networks, on integers
* :mod:`.functional_dimension`: the rank of sample Jacobians over all regions
* :mod:`.fibre`: all classes of parameters with the same function
* :mod:`.analysis`: everything that is decided about one network

Below them: :mod:`.setting` (a network on a domain), :mod:`.walls` (hyperplanes
with their neurons), :mod:`.deformations` (segments of equal functions),
:mod:`.zero_sums` and :mod:`.alternatives` (the searches behind global verdicts).
"""

from .analysis import Analysis, analyze
from .batch import integer_neurons, shallow_statuses
from .fibre import Fibre, fibre
from .finite_sample import KernelDirection, finite_sample_exists
from .functional_dimension import functional_dimension, jacobian_rows
from .shallow_global import globally_identifiable
from .shallow_local import locally_identifiable

__all__ = [
    "Analysis",
    "Fibre",
    "KernelDirection",
    "analyze",
    "fibre",
    "finite_sample_exists",
    "functional_dimension",
    "globally_identifiable",
    "integer_neurons",
    "jacobian_rows",
    "locally_identifiable",
    "shallow_statuses",
]
