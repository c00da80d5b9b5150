r"""All regions by vertices, in few dimensions.

:mod:`.enumeration` cuts the face lattice of :mod:`.lattice` by one neuron after another; the only numeric question,
the sign of a neuron at a vertex, is decided in :mod:`.signs` by floats with a proved bound or by the integers of
:mod:`.origins`. :mod:`.cells` and :mod:`.points` read the result, :mod:`.words` packs signs into bits.
"""
