r"""Certificates: verdicts written down so that nobody has to trust this package.

* :mod:`.certifying`: from a verdict, or the id of a claim, to a certificate
* :mod:`.certificate`: a claim with its evidence, as a value and as a file
* :mod:`.claims`: every claim; :mod:`.region_claims`, :mod:`.shallow_claims`, :mod:`.symmetry_claims`: parts of them
* :mod:`.equality`: the same function, but not equivalent; :mod:`.neuron_types`; :mod:`.flats`: without interior
* :mod:`.splitting`: all regions of networks; :mod:`.lifting`: of all small members of a family
* :mod:`.ranks`, :mod:`.sampling`: minors, kernels, samples
* :mod:`.readings`, :mod:`.polynomials`, :mod:`.notation`: affine forms, numbers in a parameter, spelling
"""

from .certificate import Certificate
from .certifying import certify
from .claims import CLAIMS

__all__ = ["CLAIMS", "Certificate", "certify"]
