"""All networks of a given width with a given function: verdicts, least widths and witnesses.

If ``f = N + sum_H a_H relu(l_H)`` then *every* network of width n realizing f consists
of one or two neurons on each H with a_H != 0, cancelling pairs, always-active neurons
and idle ones; all such combinations are tried.  This decides cases which the published
conditions leave open.
"""

from fractions import Fraction
from itertools import product
from typing import NamedTuple

from shallow_algebra import add, coordinates, extreme_rays, nullspace, rank, rank_mod, rref, scale, unit
from shallow_oracle import (
    FAILS,
    HOLDS,
    Net,
    flat_verdict,
    form_value,
    neuron_type,
    normal_form,
    planes,
    positive_twins,
    ps_equivalent,
    reduced,
    supported,
)

Q = Fraction


class Config(NamedTuple):
    """How a network of width n can realize f = N + sum_H a_H relu(l_H), a_H != 0.

    ``double``: hyperplanes with neurons of both orientations (any affine multiple of
    l_H can be added); ``reverse``: hyperplanes whose single neuron points to -l_H;
    ``pairs`` cancelling pairs (relu(m) - relu(-m) = m, any rank-one affine term);
    ``always`` always-active neurons.
    """

    double: frozenset
    reverse: frozenset
    pairs: int
    always: int


def setting(net, domain):
    """(constants are free, always-active neurons: None, 'any', 'cone' or 'constant')."""
    if not net.hidden_bias:
        return False, None
    if net.c is not None:
        return True, None if domain is None else "any"
    return False, "constant" if domain is None else "cone"


def nonnegative_span(space, domain):
    """Forms spanning the forms of the given space that are >= 0 on the polytope."""
    basis, _ = rref(space)
    if not basis:
        return []
    values = [[form_value(b, x) for b in basis] for x in domain]
    rays = extreme_rays(values, len(basis))
    zero = (Q(0),) * len(basis[0])
    found = []
    for ray in rays:
        form = zero
        for t, b in zip(ray, basis, strict=True):
            form = add(form, b, t)
        found.append(form)
    return found


def remainder(net, shape, jumps, double, reverse):
    """(the affine terms the other neurons must supply, the terms that are free)."""
    rows = shape
    for form in reverse:
        rows = [add(r, form, a) for r, a in zip(rows, jumps[form], strict=True)]
    return [reduced(net, r) for r in rows], [reduced(net, f) for f in double]


def solvable(net, domain, rows, free, pairs, always):
    """Can ``pairs`` cancelling pairs and ``always`` active neurons supply the rows?"""
    kind = setting(net, domain)[1]
    need = rank_mod(rows, free)
    if always == 0 or need <= pairs:
        return need <= pairs
    if kind == "any":
        return need <= pairs + always
    if kind == "constant":
        one = unit(net.d + 1, net.d)
        return always == 1 and rank_mod(rows, [*free, one]) <= pairs
    if need <= pairs + always - 1:  # one active neuron to spare moves all into the cone
        return True
    if need > pairs + always:
        return False
    return rank_mod(nonnegative_span([*rows, *free], domain), free) >= always


def configurations(net, domain, width):
    """All configurations of exactly that width that realize the function of net."""
    jumps, shape = normal_form(net, domain)
    kind = setting(net, domain)[1]
    spare_max = width - len(jumps)
    if spare_max < 0:
        return
    for choice in product((0, 1, 2), repeat=len(jumps)):
        double = frozenset(f for f, t in zip(jumps, choice, strict=True) if t == 2)
        reverse = frozenset(f for f, t in zip(jumps, choice, strict=True) if t == 1)
        spare = spare_max - len(double)
        if spare < 0:
            continue
        rows, free = remainder(net, shape, jumps, double, reverse)
        for pairs in range(spare // 2 + 1):
            always = spare - 2 * pairs
            if always and kind is None:
                continue
            if solvable(net, domain, rows, free, pairs, always):
                yield Config(double, reverse, pairs, always)


def build(net, domain, config):
    """A network with that configuration and the function of net (None: impossible)."""
    jumps, shape = normal_form(net, domain)
    kind = setting(net, domain)[1]
    d, k = net.d, net.k
    rows, _ = remainder(net._replace(c=None, hidden_bias=True), shape, jumps, (), config.reverse)
    one = unit(d + 1, d)
    double = list(config.double)
    constants = [one] if net.c is not None else []
    base = [*double, *constants]
    space = [*base, *rows]
    chosen = []  # (form, is_pair)

    def independent(form):
        have = [*base, *(f for f, _ in chosen)]
        return rank([*have, form]) > rank(have)

    def cut(form):  # no hidden bias: constants are never needed
        return form if net.hidden_bias else (*form[:-1], Q(0))

    wanted = config.always
    candidates = []
    if wanted and rank_mod(rows, base) > config.pairs:
        if kind == "cone":
            tight = rank_mod(rows, base) == config.pairs + config.always
            candidates = nonnegative_span(space if tight else [*space, one], domain)
        elif kind == "constant":
            candidates = [one]
        elif kind == "any":
            low = [min(form_value((*r[:-1], Q(0)), x) for x in domain) for r in rows]
            candidates = [(*r[:-1], -m) for r, m in zip(rows, low, strict=True)]
    for form in candidates:
        if wanted and independent(form):
            chosen.append((form, False))
            wanted -= 1
    left = config.pairs
    for form in map(cut, [*rows, one]):
        if left and any(form) and independent(form):
            chosen.append((form, True))
            left -= 1
    basis = [*base, *(f for f, _ in chosen)]
    solution = [coordinates(r, basis) if basis else [] for r in rows]
    if any(s is None or (not basis and any(r)) for s, r in zip(solution, rows, strict=True)):
        return None
    weight = [tuple(s[j] for s in solution) for j in range(len(basis))]
    neurons = []
    for form, a in jumps.items():
        if form in config.double:
            u = weight[double.index(form)]
            neurons += [(form, add(a, u)), (scale(-1, form), scale(-1, u))]
        else:
            neurons.append((scale(-1, form) if form in config.reverse else form, a))
    for (form, is_pair), v in zip(chosen, weight[len(base) :], strict=True):
        neurons.append((form, v))
        if is_pair:
            neurons.append((scale(-1, form), scale(-1, v)))
    c = None if net.c is None else weight[len(double)]
    assert len(neurons) <= len(jumps) + len(double) + 2 * config.pairs + config.always
    if not neurons:  # a constant; one zero neuron keeps d and k readable
        neurons = [((Q(0),) * (d + 1), (Q(0),) * k)]
    return Net(tuple((f[:-1], f[-1], v) for f, v in neurons), c, net.hidden_bias)


def minimal_width(net, domain):
    """Least width, within the same bias options, of a network with this function.

    ``None`` where ``supported`` is false.
    """
    if not supported(net, domain):
        return None
    n = 0
    while next(configurations(net, domain, n), None) is None:
        n += 1
    return n


def own_configuration(net, domain):
    """The configuration of net itself; only for networks without idle neurons."""
    found = planes(net, domain)
    return Config(
        frozenset(p.form for p in found if any(p.jump) and len(p.members) == 2),
        frozenset(p.form for p in found if any(p.jump) and p.signs == [False]),
        sum(not any(p.jump) for p in found),
        sum(neuron_type(f, domain) == "on" for f in net.forms),
    )


def can_tilt(net, domain, double):
    """Is there eta != 0 in the span of ``double`` with l + eta >= 0 on the domain?

    l is the (single) always-active neuron.  By convexity only the points with l = 0
    matter, and only the cone {eta >= 0 there}.
    """
    form = next(f for f in net.forms if neuron_type(f, domain) == "on")
    if domain is None:
        return rank([f[:-1] for f in double]) < len(double)
    tight = [x for x in domain if form_value(form, x) == 0]
    values = [[form_value(f, x) for f in double] for x in tight]
    return rank(values) < len(double) or bool(extreme_rays(values, len(double)))


def unique_in_configuration(net, domain):
    """Is net the only network with its own configuration (up to ~PS)?

    The same question decides local identifiability of a network without idle neurons
    and positive twins: nearby networks with the same function have its configuration.
    """
    config = own_configuration(net, domain)
    free = [reduced(net, f) for f in config.double]
    if rank(free) < len(free):
        return False
    other = config.pairs + config.always
    if other == 0:
        return True
    if other > 1 or (net.c is not None and net.hidden_bias):
        return False
    if not config.double:
        return True
    return config.always == 1 and not can_tilt(net, domain, list(config.double))


def global_(net, domain):
    """Global identifiability, decided by trying all configurations."""
    if not supported(net, domain):
        return flat_verdict(net, domain)
    h = len(net.neurons)
    if minimal_width(net, domain) < h:
        return FAILS  # room for an idle neuron
    own = own_configuration(net, domain)
    found = list(configurations(net, domain, h))
    assert own in found
    return HOLDS if found == [own] and unique_in_configuration(net, domain) else FAILS


def local(net, domain):
    """Local identifiability, by the nearby networks with the same function."""
    if not supported(net, domain):
        return flat_verdict(net, domain)
    types = [neuron_type(f, domain) for f in net.forms]
    if not net.hidden_bias and "zero" in types:
        one_sign = net.k == 1 and (all(v > (0,) for v in net.outs) or all(v < (0,) for v in net.outs))
        return HOLDS if one_sign and set(types) == {"zero"} else FAILS
    if {"zero", "off"} & set(types) or positive_twins(net):
        return FAILS
    if not net.hidden_bias and net.d == 1:
        return HOLDS  # one neuron per half-line, even with v = 0: w moves only by scaling
    if not all(map(any, net.outs)):
        return FAILS
    return HOLDS if unique_in_configuration(net, domain) else FAILS


# ------------------------------------------------------------------- witnesses


def _change(net, new, dc=None):
    """Replace neurons {i: (form, v)} and add dc to the output bias."""
    neurons = list(net.neurons)
    for i, (form, v) in new.items():
        neurons[i] = (tuple(form[:-1]), form[-1], tuple(v))
    c = net.c if dc is None else add(net.c, dc)
    return Net(tuple(neurons), c, net.hidden_bias)


def local_witness(net, domain, t):
    """A network at distance O(t), equal on the domain, not ~PS; None if none is known.

    Called on full-dimensional domains (with 0 inside without hidden biases).
    """
    d, k, forms, outs = net.d, net.k, net.forms, net.outs
    t, e = Q(t), unit(net.k, 0)
    types = [neuron_type(f, domain) for f in forms]
    indices = range(len(forms))
    for i in indices:
        if not any(outs[i]):
            for j in range(d + int(net.hidden_bias)):
                move = unit(d + 1, j)
                if rank([forms[i], move]) == 2 or not any(forms[i]):
                    return _change(net, {i: (add(forms[i], move, t), outs[i])})
    for i in indices:
        if types[i] == "zero" and net.hidden_bias:
            return _change(net, {i: (scale(-t, unit(d + 1, d)), outs[i])})
        if types[i] == "off" or (types[i] == "zero" and not any(outs[i])):
            return _change(net, {i: (forms[i], add(outs[i], e, t))})
        if types[i] == "zero":
            for j in indices:
                if types[j] == "kinked":
                    moved = {i: (scale(t, forms[j]), outs[i])}
                    moved[j] = (forms[j], add(outs[j], outs[i], -t))
                    return _change(net, moved)
                if outs[i][0] * outs[j][0] < 0 and k == 1:
                    axis = (*scale(t, unit(d, 0)), Q(0))
                    other = scale(-outs[i][0] / outs[j][0], axis)
                    return _change(net, {i: (axis, outs[i]), j: (other, outs[j])})
            for j in range(k):
                turned = add(outs[i], unit(k, j), t)
                if rank([turned, outs[i]]) == 2:
                    return _change(net, {i: (forms[i], turned)})
            return None
        if types[i] == "on" and net.c is not None and net.hidden_bias:
            up = add(forms[i], unit(d + 1, d), t)
            return _change(net, {i: (up, outs[i])}, scale(-t, outs[i]))
    twins = positive_twins(net)
    if twins:
        i, j = twins
        r = next(y / x for x, y in zip(forms[i], forms[j], strict=True) if x)
        moved = {i: (forms[i], add(outs[i], e, t)), j: (forms[j], add(outs[j], e, -t / r))}
        return _change(net, moved)

    # What is left: kinked singles, opposite pairs and (without output bias) on-neurons.
    pairs = [p for p in planes(net, domain) if len(p.members) == 2]
    couples = []  # (i, j, r) with l_j = -r l_i
    for p in pairs:
        (i, s), (j, u) = p.members
        couples.append((i, j, -u / s))
    cancelling = [c for c in couples if not any(add(outs[c[0]], outs[c[1]], c[2]))]
    others = [c for c in couples if c not in cancelling]
    items = cancelling + [(i, None, None) for i in indices if types[i] == "on"]

    def term(item, form, v):
        """New neurons of an item supplying the affine term v (x) form."""
        i, j, r = item
        new = {i: (form, v)}
        if j is not None:
            new[j] = (scale(-r, form), scale(-1 / r, v))
        return new

    def couple_plus(couple, u):
        """New neurons of an opposite pair supplying u (x) l_i in addition."""
        i, j, r = couple
        return {i: (forms[i], add(outs[i], u)), j: (forms[j], add(outs[j], u, -1 / r))}

    if items and net.c is not None and net.hidden_bias:
        i = items[0][0]
        new = term(items[0], add(forms[i], unit(d + 1, d), t), outs[i])
        return _change(net, new, scale(-t, outs[i]))
    if len(items) >= 2:
        (i, *_), (j, *_) = items[:2]
        new = term(items[0], add(forms[i], forms[j], t), outs[i])
        return _change(net, new | term(items[1], forms[j], add(outs[j], outs[i], -t)))
    free = [reduced(net, forms[i]) for i, *_ in others]
    kernel = nullspace([list(row) for row in zip(*free, strict=True)], len(free))
    if kernel:
        new, constant = {}, Q(0)
        for y, couple in zip(kernel[0], others, strict=True):
            new |= couple_plus(couple, scale(t * y, e))
            constant += y * forms[couple[0]][-1]
        return _change(net, new, None if net.c is None else scale(-t * constant, e))
    if items and others:
        i = items[0][0]
        if items[0][1] is not None:
            direction = unit(len(others), 0)
        elif domain is None:
            kernel = nullspace(list(zip(*[forms[c[0]][:-1] for c in others], strict=True)), len(others))
            direction = kernel[0] if kernel else None
        else:
            tight = [x for x in domain if form_value(forms[i], x) == 0]
            values = [[form_value(forms[c[0]], x) for c in others] for x in tight]
            if rank(values) < len(others):
                direction = nullspace(values, len(others))[0]
            else:
                direction = next(iter(extreme_rays(values, len(others))), None)
        if direction is None:
            return None
        new, form = {}, forms[i]
        for y, couple in zip(direction, others, strict=True):
            form = add(form, forms[couple[0]], t * y)
            new |= couple_plus(couple, scale(-t * y, outs[i]))
        return _change(net, new | term(items[0], form, outs[i]))
    return None


def pad(net, width, dead):
    """Add idle neurons (v = 0): the first has w = dead, the others are zero."""
    zero = (Q(0),) * net.k
    neurons = list(net.neurons)
    for _ in range(width - len(neurons)):
        neurons.append((dead, Q(0), zero))
        dead = (Q(0),) * net.d
    return net._replace(neurons=tuple(neurons))


def global_witness(net, domain):
    """A network of the same architecture, equal on the domain, not ~PS; or None."""
    h = len(net.neurons)
    n = minimal_width(net, domain)
    options = []
    if n < h:
        small = build(net, domain, next(configurations(net, domain, n)))
        if n == 0:
            small = small._replace(neurons=())
            empty = ((Q(0),) * net.d, Q(0), (Q(0),) * net.k)
            options = [small._replace(neurons=(empty,) * h)]
            live = (unit(net.d, 0), Q(0), (Q(0),) * net.k)
            options.append(small._replace(neurons=(live,) + (empty,) * (h - 1)))
        else:
            options = [pad(small, h, w) for w in (unit(net.d, 0), (Q(0),) * net.d)]
    else:
        own = own_configuration(net, domain)
        for config in configurations(net, domain, h):
            if config != own:
                made = build(net, domain, config)
                options.append(pad(made, h, (Q(0),) * net.d))
        options.append(local_witness(net, domain, Q(1, 1000)))
    return next((o for o in options if o is not None and not ps_equivalent(net, o)), None)
