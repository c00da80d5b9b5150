r"""For generic parameters: k antiparallel pairs lose :math:`k+(k-1)d` dimensions, for k = 1, 2 and d = 1, 2.

The second neuron of a pair is minus the first; exactly one of them is on.
"""

from sympy import Matrix, Symbol

from exactrelu.theorems.symbols import SymbolicNetwork, generic_rank, shape


def claims():
    """One rank per number of pairs and dimension."""
    a, b, c, e = ((1, i) for i in range(4))  # the pairs are (a, b) and (c, e)
    arrangements = {
        "one pair on the line": (1, 1, [{a}, {b}]),
        "one pair in the plane": (2, 1, [{a}, {b}]),
        "two pairs on the line": (1, 2, [{b, e}, {a, e}, {a, c}]),
        "two pairs in the plane": (2, 2, [{a, c}, {a, e}, {b, c}, {b, e}]),
    }
    for name, (d, k, regions) in arrangements.items():
        theta = SymbolicNetwork.of(shape(d, 2 * k, 1))
        pairs = [(a, b), (c, e)][:k]
        mirror = {
            theta[u, second]: -theta[u, first] for first, second in pairs for u in (*((0, j) for j in range(d)), None)
        }
        forms = theta.layer_values([f"x{j}" for j in range(d)], {a, b})[1]
        yield f"{name}: the second form is minus the first", (forms[1] / forms[0]).subs(mirror), -1
        rows = []
        for number, active in enumerate(regions):
            for copy in range(d + 1):
                point = [Symbol(f"x{number}_{copy}_{j}") for j in range(d)]
                value = theta.outputs(point, active)[0]
                rows.append([value.diff(symbol).subs(mirror) for symbol in theta.symbols])
        expected = len(theta.symbols) - 2 * k - (k + (k - 1) * d)
        yield f"{name}: the rank is D - h - (k + (k-1)d)", generic_rank(Matrix(rows)), expected
