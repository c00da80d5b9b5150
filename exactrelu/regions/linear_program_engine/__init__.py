r"""All regions by linear programs, in any dimension.

:mod:`.tree_search` splits the domain by one neuron after another, :mod:`.facets` and :mod:`.recession` look at the
cells, :mod:`.searched_cells` reads the result. The only numeric question, whether a cell reaches beyond a hyperplane
(:mod:`.questions`), is answered in :mod:`.separation`: guessed by :mod:`.guesses`, proved by :mod:`.float_proofs` or by
integers.
"""
