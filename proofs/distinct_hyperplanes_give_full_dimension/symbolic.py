r"""For generic parameters: the Jacobians of all regions have rank :math:`D-h`, for d = 1, 2 and h = 2, 3.

On the line the kinks are passed one after the other; in the plane two lines cut out all four patterns. Rows are taken
at d + 1 symbolic points of every region.
"""

from sympy import Matrix, Symbol

from exactrelu.theorems.symbols import SymbolicNetwork, generic_rank, shape


def jacobian(theta, symbols, regions, d):
    """The rows of d + 1 points of each region."""
    rows = []
    for number, active in enumerate(regions):
        for copy in range(d + 1):
            point = [Symbol(f"x{number}_{copy}_{j}") for j in range(d)]
            value = theta.outputs(point, active)[0]
            rows.append([value.diff(symbol) for symbol in symbols])
    return Matrix(rows)


def claims():
    """One rank per arrangement."""
    first, second, third = (1, 0), (1, 1), (1, 2)
    arrangements = {
        "two kinks on the line": (1, 2, [set(), {first}, {first, second}]),
        "three kinks on the line, one of the other orientation": (
            1,
            3,
            [{third}, {first, third}, {first, second, third}, {first, second}],
        ),
        "two crossing lines in the plane": (2, 2, [set(), {first}, {second}, {first, second}]),
    }
    for name, (d, h, regions) in arrangements.items():
        theta = SymbolicNetwork.of(shape(d, h, 1))
        found = generic_rank(jacobian(theta, theta.symbols, regions, d))
        yield f"{name}: the rank is D - h", found, len(theta.symbols) - h
