r"""Sample Jacobians, their ranks, and what finitely many samples say.

* :mod:`.tape`: forward and backward passes on many activation patterns at once, in integers
* :mod:`.jacobian`: :math:`\Gamma(X,\theta)`; :mod:`.activation_rank`: :math:`R_A` from Gram matrices
* :mod:`.row_span`: the span of very many rows, with proofs of both bounds
* :mod:`.functional_dimension`: the largest rank over all regions; :mod:`.crossings`: those that suffice in one layer
* :mod:`.local_from_samples`, with :mod:`.sample_families`: local identifiability from samples
* :mod:`.identifying_samples`: samples that identify, none superfluous
* :mod:`.modular_jacobian`, :mod:`.large`: ranks of large networks, modulo a prime
* :mod:`.kernel_direction`: evidence that a rank falls short
"""
