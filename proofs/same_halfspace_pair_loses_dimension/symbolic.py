r"""For generic parameters: two neurons on one half-space lose d + 1 dimensions, for d = 1, 2.

The second neuron is :math:`r` times the first; derivatives are taken before the second is put in.
"""

from sympy import Matrix, Symbol

from exactrelu.theorems.symbols import SymbolicNetwork, generic_rank, shape


def claims():
    """One rank per arrangement: the twins alone, and beside a third neuron."""
    r = Symbol("r", positive=True)
    first, second, third = (1, 0), (1, 1), (1, 2)
    twins = {first, second}
    arrangements = {
        "the pair alone on the line": (1, 2, [set(), twins]),
        "the pair and a third kink on the line": (1, 3, [set(), twins, {*twins, third}]),
        "the pair alone in the plane": (2, 2, [set(), twins]),
        "the pair and a third line in the plane": (2, 3, [set(), twins, {third}, {*twins, third}]),
    }
    for name, (d, h, regions) in arrangements.items():
        theta = SymbolicNetwork.of(shape(d, h, 1))
        sources = [(0, j) for j in range(d)]
        twin = {theta[u, second]: r * theta[u, first] for u in (*sources, None)}
        forms = theta.layer_values([f"x{j}" for j in range(d)], twins)[1]
        yield f"{name}: the second form is r times the first", (forms[1] / forms[0]).subs(twin), r
        rows = []
        for number, active in enumerate(regions):
            for copy in range(d + 1):
                point = [Symbol(f"x{number}_{copy}_{j}") for j in range(d)]
                value = theta.outputs(point, active)[0]
                rows.append([value.diff(symbol).subs(twin) for symbol in theta.symbols])
        expected = len(theta.symbols) - h - (d + 1)
        yield f"{name}: the rank is D - h - (d + 1)", generic_rank(Matrix(rows)), expected
