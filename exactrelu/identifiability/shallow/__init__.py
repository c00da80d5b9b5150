"""One hidden layer: everything is decidable.

* :mod:`.shallow_local`, :mod:`.shallow_global`, :mod:`.finite_sample`: the conditions, with witnesses
* :mod:`.fibre`: all classes of parameters with the same function
* :mod:`.batch`: statuses of many small networks, on integers
* :mod:`.setting` (a network on a domain), :mod:`.walls` (hyperplanes with their neurons)
* :mod:`.deformations` (segments of equal functions), :mod:`.zero_sums` and
  :mod:`.alternatives` (the searches behind global verdicts)
"""
