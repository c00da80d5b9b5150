"""Linear algebra over Q on plain tuples, by elimination: the oracle needs no library."""

from fractions import Fraction
from itertools import combinations

Q = Fraction


def rref(rows):
    """Reduced row echelon form: (nonzero rows, pivot columns)."""
    rows, pivots = [list(r) for r in rows], []
    for col in range(len(rows[0]) if rows else 0):
        top = len(pivots)
        hit = next((i for i in range(top, len(rows)) if rows[i][col]), None)
        if hit is None:
            continue
        rows[top], rows[hit] = rows[hit], rows[top]
        inv = 1 / Q(rows[top][col])
        rows[top] = [x * inv for x in rows[top]]
        for i, row in enumerate(rows):
            if i != top and row[col]:
                f = row[col]
                rows[i] = [x - f * y for x, y in zip(row, rows[top], strict=True)]
        pivots.append(col)
    return rows[: len(pivots)], pivots


def rank(rows):
    return len(rref(rows)[1])


def rank_mod(rows, modulo):
    """Rank of the rows modulo the span of ``modulo``."""
    return rank([*rows, *modulo]) - rank(modulo)


def nullspace(rows, n):
    """Basis of {y in Q^n : rows y = 0}."""
    red, pivots = rref(rows)
    basis = []
    for free in (j for j in range(n) if j not in pivots):
        y = [Q(0)] * n
        y[free] = Q(1)
        for row, piv in zip(red, pivots, strict=True):
            y[piv] = -row[free]
        basis.append(tuple(y))
    return basis


def coordinates(vec, basis):
    """y with sum_j y_j basis_j = vec (free coordinates 0), or None."""
    n = len(basis)
    red, pivots = rref([[b[i] for b in basis] + [vec[i]] for i in range(len(vec))])
    if n in pivots:
        return None
    y = [Q(0)] * n
    for row, piv in zip(red, pivots, strict=True):
        y[piv] = row[n]
    return y


def add(x, y, t=1):
    """x + t y."""
    return tuple(a + t * b for a, b in zip(x, y, strict=True))


def scale(t, x):
    return tuple(t * a for a in x)


def outer(u, x):
    return [scale(a, x) for a in u]


def unit(n, j):
    return tuple(Q(int(i == j)) for i in range(n))


def extreme_rays(rows, n):
    """Extreme rays of the pointed cone {y in Q^n : rows y >= 0}, by brute force."""
    rays = []
    for sub in combinations(rows, n - 1):
        kernel = nullspace(sub, n)
        if len(kernel) == 1:
            for y in (kernel[0], scale(-1, kernel[0])):
                if all(dot(r, y) >= 0 for r in rows) and y not in rays:
                    rays.append(y)
    return rays


def dot(x, y):
    return sum(a * b for a, b in zip(x, y, strict=True))
