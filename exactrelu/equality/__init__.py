r"""When two networks are the same function.

* :mod:`.same_function`: the verdict, with evidence either way
* :mod:`.normal_form`: the normal form of shallow networks that decides it
* :mod:`.shallow`, :mod:`.neuron_types`, :mod:`.restriction`: shallow networks in
  primitive integers, what their neurons do on a domain, and on its affine hull
* :mod:`.minimal_width`: the least width that realises a shallow function
* :mod:`.differing_points`, :mod:`.telling_points`: rational points at which two networks differ
"""

from .differing_points import differing_point
from .minimal_width import minimal_width, reduce
from .neuron_types import NeuronType, TypedNeuron, neuron_type, neuron_types
from .normal_form import NormalForm, normal_form
from .same_function import function_claim, same_function, shallow_equal
from .shallow import Form, ShallowNetwork, form_text, form_value, hyperplane, opposite, shallow, why_not_shallow

__all__ = [
    "Form",
    "NeuronType",
    "NormalForm",
    "ShallowNetwork",
    "TypedNeuron",
    "differing_point",
    "form_text",
    "form_value",
    "function_claim",
    "hyperplane",
    "minimal_width",
    "neuron_type",
    "neuron_types",
    "normal_form",
    "opposite",
    "reduce",
    "same_function",
    "shallow",
    "shallow_equal",
    "why_not_shallow",
]
