r"""For all parameters: the ranks of the Jacobians of the pieces of :math:`c\,\sigma(v\,\sigma(wx+b)+a)+e`.

Rows are the derivatives at two points of a piece, which span those at all of its points, since the value is affine
in x on a piece.
"""

from sympy import Matrix, Symbol

from exactrelu.theorems.symbols import SymbolicNetwork, generic_rank, shape

FIRST, SECOND = (1, 0), (2, 0)
BOTH, LATER, NONE = {FIRST, SECOND}, {SECOND}, set()
CASES = {  # for the signs of a and v: the sets of neurons that are on, piece by piece, and what is missing to D - h
    "a>0, v>0": ((LATER, BOTH), 1),
    "a>0, v<0": ((LATER, BOTH, NONE), 0),
    "a<0, v>0": ((NONE, BOTH), 1),
    "a<0, v<0": ((NONE,), 3),
}


def claims():
    """The functional dimension of each case."""
    theta = SymbolicNetwork.of(shape(1, 1, 1, 1))
    for name, (pieces, loss) in CASES.items():
        rows = []
        for number, active in enumerate(pieces):
            for point in (f"x{number}", f"y{number}"):
                value = theta.outputs((Symbol(point),), active)[0]
                rows.append([value.diff(symbol) for symbol in theta.symbols])
        expected = len(theta.symbols) - 2 - loss
        yield f"{name}: the Jacobians of all pieces have rank {expected}", generic_rank(Matrix(rows)), expected
