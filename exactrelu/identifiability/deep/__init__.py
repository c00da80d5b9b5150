"""Networks of any depth: kernels explained, and deformations with proofs.

* :mod:`.kernel_directions`: :func:`~.kernel_directions.explain_kernel`, by the reasons in
  :mod:`.kernel_causes` and :mod:`.opposite_pairs`
* :mod:`.deep_local`: local identifiability, by ranks and by :mod:`.deep_deformations`
* :mod:`.activity` (where neurons are active and heard), :mod:`.directions` (sparse
  vectors of parameters), :mod:`.region_forms` (affine forms on a region, and how far
  they may move), :mod:`.path_squares` (an invariant that tells deformations from symmetries)
"""
