"""Cases for the shallow oracle: the table with known answers, and seeded generators."""

from fractions import Fraction as Q
from itertools import product
from random import Random

from shallow_oracle import Net, add, box, make_net, scale

UNIT = box((-1, 1))
SQUARE = box((-1, 1), (-1, 1))
TRIANGLE = ((Q(0), Q(0)), (Q(1), Q(0)), (Q(0), Q(1)))
SEGMENT = ((Q(-1), Q(0)), (Q(1), Q(0)))  # empty interior in the plane
LINE = None

S16 = [((1, 0), "1/4", 1), ((0, 1), "-1/4", 1), ((1, 1), "1/8", -1)]
S07 = make_net([(1, 0, 2), (-1, 0, 1)])
S12 = make_net([(1, 0, (1, 0)), (-1, 0, (0, 1))])


def _with_outputs(neurons, outputs):
    return [(w, b, v) for (w, b, _), v in zip(neurons, outputs, strict=True)]


def _verdicts(letters):
    return tuple({"y": "holds", "n": "fails"}[x] for x in letters)


# name: (network, domain, (local, global, finite sample), equal competitor or None)
TABLE = {
    "S01": (make_net([(1, 0, 1)]), UNIT, "yyy", None),
    "S02": (make_net([(1, -2, 1)]), UNIT, "nnn", make_net([(1, -2, 3)])),
    "S03": (make_net([(1, 2, 1)]), UNIT, "nnn", make_net([(1, 3, 1)], (-1,))),
    "S04": (make_net([(1, -1, 1)]), UNIT, "nnn", make_net([(1, -1, 2)])),
    "S05": (make_net([(1, -1, 1)]), box((-1, 2)), "yyy", None),
    "S06": (
        make_net([(1, 0, 1), (2, 0, 1)]),
        UNIT,
        "nnn",
        make_net([(1, 0, "3/2"), (2, 0, "3/4")]),
    ),
    "S07a": (S07, LINE, "yyn", None),
    "S07b": (S07, UNIT, "ynn", make_net([(1, 0, 3), (-1, 2, 1)], (-2,))),
    "S08": (
        make_net([(1, 0, 1), (-1, 0, -1)]),
        LINE,
        "nnn",
        make_net([(1, "1/9", 1), (-1, "-1/9", -1)], ("-1/9",)),
    ),
    "S09": (
        make_net([(1, 0, 2), (-1, 0, 1), (1, -1, 2), (-1, 1, 1)]),
        LINE,
        "nnn",
        make_net([(1, 0, "5/2"), (-1, 0, "1/2"), (1, -1, "3/2"), (-1, 1, "3/2")], ("-1/2",)),
    ),
    "S12a": (S12, LINE, "yyy", None),
    "S12b": (
        S12,
        UNIT,
        "yny",
        make_net([(1, 0, (1, 1)), (-1, 2, (0, 1))], (0, -2)),
    ),
    "S13": (
        make_net([(1, "1/2", 1), (1, "-1/2", -1)]),
        UNIT,
        "yny",
        make_net([(-1, "-1/2", 1), (-1, "1/2", -1)], (1,)),
    ),
    "S14": (
        make_net([(1, "1/2", 1), (1, 0, 2), (1, "-1/2", -3)]),
        UNIT,
        "yny",
        make_net([(-1, "-1/2", 1), (-1, 0, 2), (-1, "1/2", -3)], (2,)),
    ),
    "S15": (make_net([(1, "1/2", 1), (1, 0, 2), (1, "-1/2", -4)]), UNIT, "yyy", None),
    "S16": (
        make_net(S16),
        SQUARE,
        "yny",
        make_net(
            [((-1, 0), "-1/4", 1), ((0, -1), "1/4", 1), ((-1, -1), "-1/8", -1)],
            ("-1/8",),
        ),
    ),
    "S17": (make_net(_with_outputs(S16, (1, 1, 1))), SQUARE, "yyy", None),
    "S18": (
        make_net(_with_outputs(S16, ((1, 0), (0, 1), (-1, -1)))),
        SQUARE,
        "yyy",
        None,
    ),
    "S20": (
        make_net([(1, 0, 1), (1, "1/2", 0)]),
        UNIT,
        "nnn",
        make_net([(1, 0, 1), (1, "1/3", 0)]),
    ),
    "S21": (
        make_net([(1, 0, 1), (0, 0, 1)]),
        UNIT,
        "nnn",
        make_net([(1, 0, 1), (0, "-1/7", 1)]),
    ),
    "S22": (
        make_net([(1, 0, 1), (0, 1, 1)]),
        LINE,
        "nnn",
        make_net([(1, 0, 1), (0, 2, 1)], (-1,)),
    ),
    "S23": (make_net([((1, 1), -1, 1)]), TRIANGLE, "nnn", make_net([((1, 1), -1, 2)])),
    "S24": (make_net([((1, 1), "-1/2", 1)]), TRIANGLE, "yyy", None),
    "S28": (make_net([(1, "1/2", 1), (1, "-1/2", -1)], None), UNIT, "yyy", None),
    "S30": (
        make_net([((1, 2), "1/2", 1)]),
        SEGMENT,
        "nnn",
        make_net([((1, 3), "1/2", 1)]),
    ),
}
TABLE = {name: (n, x, _verdicts(v), w) for name, (n, x, v, w) in TABLE.items()}

# Statements elsewhere in the text: (network, domain, local, global); None = not stated.
REMARKS = {
    "no output bias, on": (make_net([(1, 2, 1)], None), UNIT, None, "holds"),
    "no output bias, pair": (make_net(S07.neurons, None), UNIT, None, "holds"),
    "no hidden bias, pair": (make_net(S07.neurons, None, False), UNIT, "holds", "holds"),
    "no hidden bias, pair, c": (make_net(S07.neurons, (0,), False), UNIT, "holds", "holds"),
    "no hidden bias, x": (
        make_net([(1, 0, 1), (-1, 0, -1)], (0,), False),
        UNIT,
        "holds",
        None,
    ),
    "no hidden bias, all w = 0": (
        make_net([((0, 0), 0, 1), ((0, 0), 0, 2)], (0,), False),
        SQUARE,
        "holds",
        "fails",
    ),
    "hat": (make_net([(1, 1, 1), (1, 0, -2), (1, -1, 1)]), LINE, "holds", "fails"),
}

# Jacobian ranks at given samples: (network, points, rank, full rank D - h)
SAMPLES = {
    "X1": (make_net([(1, 0, 1)]), (1, 2, -1), 3, 3),
    "X2": (make_net([(1, 0, 1)]), (1, -1), 2, 3),
    "X3": (make_net([(1, 0, 1)]), (1, 2, 3, 4), 2, 3),
    "X5": (S07, (-3, -2, -1, "-1/2", "1/2", 1, 2, 3), 4, 5),
}

# (forms, domain dimension, full-dimensional regions)
ARRANGEMENTS = {
    "generic lines": ([(1, 0, 0), (0, 1, 0), (1, 1, -1)], 7),
    "concurrent lines": ([(1, 0, 0), (0, 1, 0), (1, 1, 0)], 6),
    "parallel lines": ([(1, 0, 0), (1, 0, -1), (0, 1, 0)], 6),
    "four planes": ([(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (1, 1, 1, -1)], 15),
    "braid 3": ([(1, -1, 0, 0), (1, 0, -1, 0), (0, 1, -1, 0)], 6),
    "braid 4": (
        [
            (1, -1, 0, 0, 0),
            (1, 0, -1, 0, 0),
            (1, 0, 0, -1, 0),
            (0, 1, -1, 0, 0),
            (0, 1, 0, -1, 0),
            (0, 0, 1, -1, 0),
        ],
        24,
    ),
    "hat": ([(1, 1), (1, 0), (1, -1)], 4),
}

# (network, domain, least width)
ABS = make_net([(1, 0, 1), (-1, 0, 1)])
WIDTHS = {
    "relu": (make_net([(1, 0, 1)]), LINE, 1),
    "abs": (ABS, LINE, 2),
    "identity": (make_net([(1, 0, 1), (-1, 0, -1)]), LINE, 2),
    "hat": (REMARKS["hat"][0], LINE, 3),
    "|x|+y": (
        make_net([((1, 0), 0, 1), ((-1, 0), 0, 1), ((0, 1), 0, 1), ((0, -1), 0, -1)]),
        LINE,
        3,
    ),
    "|x|+|y|": (
        make_net([((1, 0), 0, 1), ((-1, 0), 0, 1), ((0, 1), 0, 1), ((0, -1), 0, 1)]),
        LINE,
        4,
    ),
    "two ridges": (make_net([((1, 0), 0, 2), ((0, 1), 0, 2)]), LINE, 2),
    "x1 on a box": (make_net([((1, 0), 0, 1), ((-1, 0), 0, -1)]), SQUARE, 1),
}

# (network, network, equal on R^d, a point where they differ or None)
EQUALITIES = {
    "max(x,y)": (
        make_net([((1, -1), 0, 1), ((0, 1), 0, 1), ((0, -1), 0, -1)]),
        make_net([((-1, 1), 0, 1), ((1, 0), 0, 1), ((-1, 0), 0, -1)]),
        True,
        None,
    ),
    "abs, shifted": (
        ABS,
        make_net([(1, "1/10", 1), (-1, "1/10", 1)], ("-1/10",)),
        False,
        (Q(1, 20),),
    ),
}


# ------------------------------------------------------------------- generators


def random_domain(rng, d):
    """R^d, a box or a simplex (full-dimensional), with small rational vertices."""
    kind = rng.choice(("space", "space", "cube", "box", "simplex", "corner"))
    if kind == "space":
        return None
    if kind == "cube":
        return box(*[(-1, 1)] * d)
    if kind == "box":
        ends = [sorted(rng.sample(range(-4, 5), 2)) for _ in range(d)]
        return box(*[(Q(a, 2), Q(b, 2)) for a, b in ends])
    origin = tuple(Q(-1 if kind == "simplex" else 0) for _ in range(d))
    size = rng.choice((1, 2, 4))
    tips = [tuple(o + size * Q(int(i == j)) for i, o in enumerate(origin)) for j in range(d)]
    return (origin, *tips)


def _vector(rng, n, top=2):
    return tuple(Q(rng.randint(-top, top)) for _ in range(n))


def nonzero_vector(rng, n, top=2):
    while True:
        x = _vector(rng, n, top)
        if any(x):
            return x


DEGENERACIES = [
    *("positive", "opposite", "opposite", "opposite", "cancel", "cancel", "dead", "zero"),
    *("constant", "boundary", "flips", "parallel", "sum", "proportional", "proportional"),
    *("on", "off"),
]


def _plant(rng, neurons, d, k, hidden_bias, domain):
    """Append or change neurons so that something degenerate happens."""
    i = rng.randrange(len(neurons))
    w, b, v = neurons[i]
    r = rng.choice((Q(1), Q(2), Q(1, 2)))
    kind = rng.choice(DEGENERACIES)
    if kind == "positive":
        return [*neurons, (scale(r, w), r * b, nonzero_vector(rng, k))]
    if kind == "opposite":
        return [*neurons, (scale(-r, w), -r * b, nonzero_vector(rng, k))]
    if kind == "proportional":
        return [*neurons, (scale(-r, w), -r * b, scale(rng.choice((1, -1, 2, -3)), v))]
    if kind == "cancel":
        return [*neurons, (scale(-r, w), -r * b, scale(-1 / r, v))]
    if kind == "dead":
        neurons[i] = (w, b, (Q(0),) * k)
    if kind == "zero":
        neurons[i] = ((Q(0),) * d, Q(0), v)
    if kind == "constant" and hidden_bias:
        neurons[i] = ((Q(0),) * d, Q(rng.choice((-1, 1, 1, 2))), v)
    if kind in ("boundary", "on", "off") and hidden_bias and domain is not None:
        values = [sum(a * t for a, t in zip(w, x, strict=True)) for x in domain]
        edge = {"on": [min(values)], "off": [max(values)]}.get(kind, [min(values), max(values)])
        neurons[i] = (w, rng.choice((0, 0, 1)) * Q(kind == "on") - rng.choice(edge), v)
    if kind == "parallel" and hidden_bias:
        return [*neurons, (scale(rng.choice((r, -r)), w), b + 1, nonzero_vector(rng, k))]
    if kind == "flips" and hidden_bias:
        shift = Q(rng.choice((-1, 1)), rng.choice((2, 4)))
        return [*neurons, (scale(r, w), r * b + shift, scale(-1 / r, v))]
    if kind == "sum":
        j = rng.randrange(len(neurons))
        new = add(w, neurons[j][0])
        if any(new):
            out = rng.choice((scale(-1, v), nonzero_vector(rng, k)))
            neurons[j] = (neurons[j][0], neurons[j][1], v)
            shift = Q(rng.choice((-1, 1)), 4) * hidden_bias
            return [*neurons, (new, shift, out)]
    return neurons


def random_case(rng, d=None, h_max=5):
    """One seeded network (1 to h_max neurons) with a domain."""
    d = d or rng.choice((1, 1, 2, 2, 2, 3))
    k = rng.choice((1, 1, 2))
    domain = random_domain(rng, d)
    hidden_bias = rng.random() < 0.75
    c = _vector(rng, k) if rng.random() < 0.6 else None
    neurons = []
    for _ in range(rng.randint(1, 3)):
        b = Q(rng.randint(-2, 2), rng.choice((1, 2, 4))) if hidden_bias else Q(0)
        top = rng.choice((1, 1, 2))
        neurons.append((nonzero_vector(rng, d, top), b, nonzero_vector(rng, k)))
    for _ in range(rng.choice((0, 1, 1, 2, 2, 3))):
        if len(neurons) < h_max:
            neurons = _plant(rng, neurons, d, k, hidden_bias, domain)
    rng.shuffle(neurons)
    return Net(tuple(neurons), c, hidden_bias), domain


def random_cases(seed, count, **options):
    rng = Random(seed)
    for _ in range(count):
        yield random_case(rng, **options)


def integer_forms(layer_width, d, seed=0):
    """First layer of the seeded networks with known region counts (times ten)."""
    rng = Random(seed)
    rows = [[rng.randint(-9, 9) for _ in range(d)] for _ in range(layer_width)]
    return [(*map(Q, row), Q(rng.randint(-9, 9))) for row in rows]


def nearby_networks(net, step):
    """Every network whose parameters differ from net's by -step, 0 or step."""
    sizes = [len(w) + len(v) + int(net.hidden_bias) for w, _, v in net.neurons]
    total = sum(sizes) + (0 if net.c is None else net.k)
    for moves in product((-step, 0, step), repeat=total):
        left = list(moves)
        neurons = []
        for w, b, v in net.neurons:
            dw, left = left[: len(w)], left[len(w) :]
            db = left.pop(0) if net.hidden_bias else 0
            dv, left = left[: len(v)], left[len(v) :]
            neurons.append((add(w, dw), b + db, add(v, dv)))
        yield Net(tuple(neurons), None if net.c is None else add(net.c, left), net.hidden_bias)
