r"""For generic parameters of runs of one to four layers of width 1: the rank over all pieces of a chain.

On a piece where all of the run is on, the pre-activation behind it is affine in the input of the run; one weight and
one offset remain of it. So each layer beyond the second of a run loses one dimension.
"""

from sympy import Matrix, Symbol

from exactrelu.theorems.symbols import SymbolicNetwork, generic_rank, shape


def claims():
    """The rank over all pieces of a chain of k layers, with the signs that show most of it."""
    for k, expected_loss in ((1, 0), (2, 0), (3, 1), (4, 2)):
        net = shape(1, *[1] * k, 1)
        theta = SymbolicNetwork.of(net)
        run = [(layer, 0) for layer in range(1, k + 1)]
        last = run[-1]
        # A longer chain has a piece below, one where all is on, and one above, where the first or the last is off.
        pieces = [set(), {last}] if k == 1 else [set(run[1:]), set(run), set()]
        rows = []
        for number, active in enumerate(pieces):
            for copy in range(2):
                value = theta.outputs((Symbol(f"x{number}_{copy}"),), active)[0]
                rows.append([value.diff(symbol) for symbol in theta.symbols])
        expected = len(theta.symbols) - k - expected_loss
        yield f"a run of {k}: D - h - max(0, k - 2)", generic_rank(Matrix(rows)), expected
