"""Brute-force oracle for one-hidden-layer ReLU networks, in exact arithmetic: function values.

A network is plain data ``Net(neurons, c, hidden_bias)``: ``neurons`` is a tuple of
``(w, b, v)`` and realizes ``f(x) = c + sum_i v_i relu(<w_i, x> + b_i)``.  ``c is None``
means "no output bias parameter"; ``hidden_bias=False`` means "no hidden bias
parameters" (then every ``b`` is 0).  A domain is ``None`` (all of R^d) or a sequence of
points whose convex hull it is.  Affine forms are tuples ``(w_1, ..., w_d, b)``.

Three layers, from the most elementary to the most literal; the tests compare them:

* **function values** (this module): every continuous piecewise affine function is
  determined by its values at the 0-faces of the arrangement of its kinks and the
  facets of the domain.  Equality, flip sets, regions and Jacobian ranks use nothing
  else.
* **configurations** (``shallow_search``): all networks of a width with this function.
* **literal conditions** (``shallow_literal``): the published conditions word by word.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from typing import NamedTuple

from shallow_algebra import add, coordinates, dot, nullspace, outer, rank, rref, scale, unit

HOLDS, FAILS, UNKNOWN = "holds", "fails", "unknown"
Q = Fraction


class Net(NamedTuple):
    """Plain data of a shallow network; see the module documentation."""

    neurons: tuple
    c: tuple | None
    hidden_bias: bool = True

    @property
    def d(self):
        return len(self.neurons[0][0])

    @property
    def k(self):
        return len(self.neurons[0][2])

    @property
    def forms(self):
        return [(*w, b) for w, b, _ in self.neurons]

    @property
    def outs(self):
        return [v for _, _, v in self.neurons]


def make_net(neurons, c="zero", hidden_bias=True):
    """Build a ``Net`` from ints, strings such as '1/2' or Fractions; scalars allowed."""

    def vec(x):
        return tuple(map(Q, x)) if isinstance(x, (tuple, list)) else (Q(x),)

    neurons = tuple((vec(w), Q(b), vec(v)) for w, b, v in neurons)
    if not hidden_bias and any(b for _, b, _ in neurons):
        raise ValueError("a network without hidden biases needs b = 0")
    if c == "zero":
        c = (0,) * len(neurons[0][2])
    return Net(neurons, None if c is None else vec(c), hidden_bias)


# ------------------------------------------------------- functions and arrangements


def form_value(form, x):
    return sum((a * t for a, t in zip(form[:-1], x, strict=True)), form[-1])


def evaluate(net, x):
    out = list(net.c if net.c is not None else (Q(0),) * net.k)
    for form, v in zip(net.forms, net.outs, strict=True):
        z = form_value(form, x)
        if z > 0:
            out = [o + a * z for o, a in zip(out, v, strict=True)]
    return tuple(out)


def normalise(form):
    """Representative of the hyperplane {form = 0}: first nonzero entry 1."""
    lead = next(a for a in form if a)
    return tuple(a / lead for a in form)


def distinct_hyperplanes(forms):
    return list(dict.fromkeys(normalise(f) for f in forms if any(f[:-1])))


def box(*intervals):
    """Vertices of a box given by its intervals."""
    return tuple(product(*[(Q(a), Q(b)) for a, b in intervals]))


def domain_dimension(domain):
    return rank([(*x, Q(1)) for x in domain]) - 1


@cache
def facets(vertices):
    """Forms that are >= 0 on the polytope, one per facet, by brute force."""
    d, found = len(vertices[0]), {}
    for sub in combinations(vertices, d):
        kernel = nullspace([(*x, Q(1)) for x in sub], d + 1)
        if len(kernel) == 1:
            values = [form_value(kernel[0], x) for x in vertices]
            if all(t >= 0 for t in values) or all(t <= 0 for t in values):
                sign = 1 if sum(values) > 0 else -1
                found[normalise(kernel[0])] = scale(sign, kernel[0])
    return tuple(found.values())


def zero_faces(forms, d):
    """All points that are the unique common zero of d of the forms."""
    points = set()
    for sub in combinations(forms, d):
        red, pivots = rref([[*f[:-1], -f[-1]] for f in sub])
        if pivots == list(range(d)):
            points.add(tuple(row[d] for row in red))
    return points


def arrangement_points(forms, domain, d):
    """All 0-faces, in the domain, of the arrangement of the forms and the facets.

    For R^d the domain is replaced by a box that contains every 0-face of the forms and
    the coordinate hyperplanes in its interior, hence meets the interior of every cell.
    """
    forms = distinct_hyperplanes(forms)
    if domain is None:
        axes = [(*unit(d, j), Q(0)) for j in range(d)]
        inner = zero_faces(distinct_hyperplanes([*forms, *axes]), d)
        radius = 1 + max(abs(t) for x in inner for t in x)
        walls = [(*scale(s, unit(d, j)), radius) for j in range(d) for s in (1, -1)]
    else:
        walls = facets(tuple(domain))
    points = zero_faces(list(dict.fromkeys([*forms, *walls])), d)
    return [x for x in points if all(form_value(f, x) >= 0 for f in walls)]


def cells(forms, domain, d):
    """Full-dimensional cells of the arrangement as (signs, points with hull the cell).

    Forms with w = 0 take part with their constant sign, so signs has one entry per
    form.  A closed cell is the hull of the 0-faces with compatible signs, and it is
    full-dimensional if these span.
    """
    found = [((), arrangement_points(forms, domain, d))]
    for form in forms:
        if not any(form[:-1]):
            sign = (form[-1] > 0) - (form[-1] < 0)
            found = [((*signs, sign), pts) for signs, pts in found]
            continue
        split = []
        for signs, pts in found:
            for sign in (1, -1):
                side = [x for x in pts if sign * form_value(form, x) >= 0]
                if rank([(*x, Q(1)) for x in side]) == d + 1:
                    split.append(((*signs, sign), side))
        found = split
    return found


def pull_back(net, domain):
    """Restrict to the affine hull of a lower-dimensional domain (new coordinates)."""
    x0 = domain[0]
    basis = []
    for x in domain[1:]:
        step = add(x, x0, -1)
        if rank([*basis, step]) > len(basis):
            basis.append(step)
    neurons = tuple((tuple(dot(w, e) for e in basis), dot(w, x0) + b, v) for w, b, v in net.neurons)
    points = tuple(tuple(coordinates(add(x, x0, -1), basis)) for x in domain)
    return Net(neurons, net.c, True), points


def difference_point(net1, net2, domain):
    """A point of the domain where the two functions differ, or None if equal on it."""
    d = net1.d
    if domain is not None and domain_dimension(domain) < d:
        if domain_dimension(domain) == 0:
            x = domain[0]
            return x if evaluate(net1, x) != evaluate(net2, x) else None
        flat1, points = pull_back(net1, domain)
        flat2, _ = pull_back(net2, domain)
        return difference_point(flat1, flat2, points)
    for x in arrangement_points([*net1.forms, *net2.forms], domain, d):
        if evaluate(net1, x) != evaluate(net2, x):
            return x
    return None


def equal(net1, net2, domain):
    """Equality of the two functions on the domain, by values at all 0-faces."""
    return difference_point(net1, net2, domain) is None


def scaling_factor(neuron1, neuron2):
    """lambda > 0 with (w1, b1) = lambda (w2, b2) and v2 = lambda v1, or None."""
    (w1, b1, v1), (w2, b2, v2) = neuron1, neuron2
    left, right = (*w1, b1, *v2), (*w2, b2, *v1)
    ratio = next((x / y for x, y in zip(left, right, strict=True) if x and y), Q(1))
    return ratio if ratio > 0 and left == scale(ratio, right) else None


def ps_equivalent(net1, net2):
    """Equality up to permutation and positive rescaling, over all permutations."""
    if net1.c != net2.c or len(net1.neurons) != len(net2.neurons):
        return False
    return any(
        all(scaling_factor(n1, n2) is not None for n1, n2 in zip(net1.neurons, perm, strict=True))
        for perm in permutations(net2.neurons)
    )


# ------------------------------------------------------------- types and normal form


def neuron_type(form, domain):
    """'kinked', 'on', 'off' or 'zero' on a full-dimensional domain."""
    if not any(form):
        return "zero"
    if domain is None:
        return "kinked" if any(form[:-1]) else "on" if form[-1] > 0 else "off"
    values = [form_value(form, x) for x in domain]
    return "on" if min(values) >= 0 else "off" if max(values) <= 0 else "kinked"


class Plane(NamedTuple):
    """Kinked neurons with one common hyperplane: l_i = s_i * form."""

    form: tuple
    members: tuple  # pairs (i, s_i)
    jump: tuple  # a_H = sum |s_i| v_i
    active: tuple  # A_H = sum over s_i > 0 of s_i v_i

    @property
    def signs(self):
        return sorted(s > 0 for _, s in self.members)


def planes(net, domain):
    """The hyperplanes of the kinked neurons (jumps may vanish)."""
    groups, zero = {}, (Q(0),) * net.k
    for i, form in enumerate(net.forms):
        if neuron_type(form, domain) == "kinked":
            groups.setdefault(normalise(form), []).append(i)
    found = []
    for form, members in groups.items():
        j = next(j for j, x in enumerate(form) if x)
        pairs = tuple((i, net.forms[i][j] / form[j]) for i in members)
        jump = active = zero
        for i, s in pairs:
            jump = add(jump, net.outs[i], abs(s))
            active = add(active, net.outs[i], max(s, 0))
        found.append(Plane(form, pairs, jump, active))
    return found


def affine_part(net, domain):
    """The k forms N with f = N + sum_H a_H relu(l_H) on the domain."""
    part = [[Q(0)] * net.d + [x] for x in (net.c or (Q(0),) * net.k)]

    def include(v, form):
        for row, a in zip(part, v, strict=True):
            row[:] = add(row, form, a)

    for form, v in zip(net.forms, net.outs, strict=True):
        if neuron_type(form, domain) == "on":
            include(v, form)
    for plane in planes(net, domain):
        include(add(plane.active, plane.jump, -1), plane.form)
    return [tuple(row) for row in part]


def normal_form(net, domain):
    """({hyperplane: nonzero jump}, N): equal functions iff equal normal forms."""
    jumps = {p.form: p.jump for p in planes(net, domain) if any(p.jump)}
    return jumps, affine_part(net, domain)


def positive_twins(net):
    """A pair i < j with (w_j, b_j) = r (w_i, b_i), r > 0, both nonzero; or None."""
    for i, j in combinations(range(len(net.neurons)), 2):
        f, g = net.forms[i], net.forms[j]
        if any(f) and any(g) and rank([f, g]) == 1 and dot(f, g) > 0:
            return i, j
    return None


def supported(net, domain):
    """Full-dimensional domain, with 0 inside if there are no hidden biases."""
    if domain is None:
        return True
    if domain_dimension(domain) < net.d:
        return False
    origin = (Q(0),) * net.d
    return net.hidden_bias or all(form_value(f, origin) > 0 for f in facets(tuple(domain)))


def flat_verdict(net, domain):
    """Verdict of every question where ``supported`` is false."""
    if domain_dimension(domain) == net.d:
        return UNKNOWN
    origin = (Q(0),) * net.d
    through_0 = domain_dimension([*domain, origin]) < net.d
    return FAILS if net.hidden_bias or through_0 else UNKNOWN


def reduced(net, form):
    """The form as far as it matters: without its constant if there is an output bias."""
    return form[:-1] if net.c is not None or not net.hidden_bias else form


# ------------------------------------------------------------------ Jacobian ranks


def jacobian_rows(net, x):
    """d f(x) / d theta, one row per output; x must be off the kinks."""
    rows = []
    for o in range(net.k):
        row = []
        for form, v in zip(net.forms, net.outs, strict=True):
            z = form_value(form, x)
            if z == 0:
                raise ValueError("derivative requested at a kink")
            on = int(z > 0)
            row += [on * v[o] * t for t in x] + [on * v[o]] * net.hidden_bias
            row += [on * z * int(o == p) for p in range(net.k)]
        if net.c is not None:
            row += list(unit(net.k, o))
        rows.append(row)
    return rows


def parameter_count(net):
    per_neuron = net.d + int(net.hidden_bias) + net.k
    return len(net.neurons) * per_neuron + (0 if net.c is None else net.k)


def sample_rank(net, points):
    """Rank of the Jacobian of theta -> (f(x))_x for points off the kinks."""
    return rank([row for x in points for row in jacobian_rows(net, tuple(map(Q, x)))])


def functional_dimension(net, domain):
    """Largest sample rank over the smooth points of the domain.

    Points actually inside each cell are used: its barycentre, and the midpoints
    between the barycentre and d + 1 spanning 0-faces.
    """
    if any(not any(form) for form in net.forms):
        return 0  # a zero neuron leaves no smooth point
    basis, goal = [], parameter_count(net) - len(net.neurons)
    for _, points in cells(net.forms, domain, net.d):
        centre = tuple(sum(t) / len(points) for t in zip(*points, strict=True))
        corners = []
        for x in points:
            if rank([(*y, Q(1)) for y in [*corners, x]]) > len(corners):
                corners.append(x)
        inside = [scale(Q(1, 2), add(centre, x)) for x in corners]
        basis, _ = rref(basis + [r for x in inside for r in jacobian_rows(net, x)])
        if len(basis) == goal and all(map(any, net.outs)):
            break
    return len(basis)


def finite_sample(net, domain):
    """Does some finite sample off the kinks have Jacobian rank D - h?"""
    if domain is not None and domain_dimension(domain) < net.d:
        return flat_verdict(net, domain)
    full = parameter_count(net) - len(net.neurons)
    return HOLDS if functional_dimension(net, domain) == full else FAILS


# -------------------------------------------------------------------------- flips


def flip(net, subset, domain):
    """Replace (w, b) by -(w, b) on the subset; fit the output bias at one point."""
    neurons = tuple((scale(-1, w), -b, v) if i in subset else (w, b, v) for i, (w, b, v) in enumerate(net.neurons))
    flipped = Net(neurons, net.c, net.hidden_bias)
    if net.c is None:
        return flipped
    x = (Q(0),) * net.d if domain is None else domain[0]
    shift = add(evaluate(net, x), evaluate(flipped, x), -1)
    return flipped._replace(c=add(net.c, shift))


def flip_sets(net, domain):
    """All nonempty S whose flip leaves the function unchanged (by function values)."""
    h = len(net.neurons)
    subsets = [s for n in range(1, h + 1) for s in combinations(range(h), n)]
    return [s for s in subsets if equal(net, flip(net, s, domain), domain)]


def literal_flip_sets(net):
    """All nonempty S with sum_S v_i w_i^T = 0 (v_i (w_i, b_i)^T without output bias)."""
    h, found = len(net.neurons), []
    for n in range(1, h + 1):
        for subset in combinations(range(h), n):
            total = [Q(0)] * (net.k * (net.d + 1))
            for i in subset:
                form = net.forms[i] if net.c is None else (*net.forms[i][:-1], Q(0))
                total = add(total, sum(outer(net.outs[i], form), ()))
            if not any(total):
                found.append(subset)
    return found


def is_symmetry_flip(net, subset, domain):
    """Whether a flip set is a composition of affine symmetries of the ReLU.

    Under the distinct-kink conditions this means: the part of the flip in each
    direction class (parallel w) leaves the function unchanged on its own.
    """
    rest = list(subset)
    while rest:
        part = [i for i in rest if rank([net.neurons[rest[0]][0], net.neurons[i][0]]) == 1]
        if not equal(net, flip(net, part, domain), domain):
            return False
        rest = [i for i in rest if i not in part]
    return True


def distinct_kinks(net, domain):
    """(B1)-(B3): nonzero outputs, all kinked, pairwise distinct hyperplanes."""
    return (
        all(map(any, net.outs))
        and all(neuron_type(f, domain) == "kinked" for f in net.forms)
        and all(len(p.members) == 1 for p in planes(net, domain))
    )


# ------------------------------------------------------------- exhaustive classes


def all_networks(d, h, k, values, output_bias=True, hidden_bias=True):
    """Every network of the architecture with entries in ``values`` (order matters)."""
    values = [Q(x) for x in values]
    single = [
        (w, b, v)
        for w in product(values, repeat=d)
        for b in (values if hidden_bias else [Q(0)])
        for v in product(values, repeat=k)
    ]
    for neurons in product(single, repeat=h):
        for c in product(values, repeat=k) if output_bias else [None]:
            yield Net(neurons, c, hidden_bias)


def class_key(net):
    """Key of the ~PS class: each neuron scaled to unit first nonzero entry, sorted."""
    scaled = []
    for w, b, v in net.neurons:
        form = (*w, b)
        t = next((abs(x) for x in form if x), None)
        if t is None:
            lead = next((abs(x) for x in v if x), Q(1))
            scaled.append((form, scale(1 / lead, v)))
        else:
            scaled.append((scale(1 / t, form), scale(t, v)))
    return tuple(sorted(scaled)), net.c


def function_classes(nets, domain):
    """{function: {~PS class: one network of it}} for a finite list of networks.

    A function is identified by its values at the 0-faces of the arrangement of all
    kinks that occur in the list, which determine it on the domain.
    """
    nets = list(nets)
    d = nets[0].d
    forms = {f for net in nets for f in net.forms if any(f[:-1])}
    points = arrangement_points(forms, domain, d)
    response = {}
    groups = {}
    for net in nets:
        values = [net.c or (Q(0),) * net.k] * len(points)
        for neuron in net.neurons:
            if neuron not in response:
                response[neuron] = [scale(max(form_value((*neuron[0], neuron[1]), x), Q(0)), neuron[2]) for x in points]
            values = [add(a, b) for a, b in zip(values, response[neuron], strict=True)]
        groups.setdefault(tuple(values), {}).setdefault(class_key(net), net)
    return groups
