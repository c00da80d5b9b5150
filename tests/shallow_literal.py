"""The published conditions word by word, with 'unknown' exactly where they are silent."""

from fractions import Fraction
from itertools import combinations, product

from shallow_algebra import add, outer, rank, rank_mod, scale, unit
from shallow_oracle import (
    FAILS,
    HOLDS,
    UNKNOWN,
    distinct_kinks,
    domain_dimension,
    flat_verdict,
    literal_flip_sets,
    neuron_type,
    normal_form,
    planes,
    positive_twins,
    reduced,
    supported,
)
from shallow_search import can_tilt

Q = Fraction


def _opposite_pairs(net, domain):
    """(cancelling planes, other opposite planes) when there are no positive twins."""
    double = [p for p in planes(net, domain) if len(p.members) == 2]
    return [p for p in double if not any(p.jump)], [p for p in double if any(p.jump)]


def local(net, domain):
    """The published local conditions."""
    if not supported(net, domain):
        return flat_verdict(net, domain)
    types = [neuron_type(f, domain) for f in net.forms]
    exception = (
        not net.hidden_bias and net.k == 1 and set(types) == {"zero"} and (min(net.outs) > (0,) or max(net.outs) < (0,))
    )
    if exception:
        return HOLDS
    if not all(map(any, net.outs)) or {"zero", "off"} & set(types) or positive_twins(net):
        return FAILS
    cancelling, others = _opposite_pairs(net, domain)
    always = types.count("on")
    o = always + len(cancelling)
    free = [reduced(net, p.form) for p in others]
    if rank(free) < len(free):
        return FAILS
    if net.c is not None and net.hidden_bias:
        return HOLDS if o == 0 else FAILS
    if o == 0 or (o == 1 and not others):
        return HOLDS
    tilt = o > 1 or not always or can_tilt(net, domain, [p.form for p in others])
    return FAILS if tilt else HOLDS


def space_global(net, domain):
    """Condition E over all T and A' (forms replace normals without output bias)."""
    found = planes(net, domain)
    vectors = {p.form: reduced(net, p.form) for p in found}
    pairs = {p.form for p in found if len(p.members) == 2}
    bonus = [unit(net.d + 1, net.d)] if net.c is None and net.hidden_bias else []
    by_form = {p.form: p for p in found}
    for n in range(len(pairs) + 1):
        for chosen in combinations([*by_form, *bonus], n):
            modulo = [vectors.get(f, f) for f in chosen]
            rest = [p for p in found if p.form not in chosen]
            for switch in product((0, 1), repeat=len(rest)):
                primed = [scale(s, p.jump) for s, p in zip(switch, rest, strict=True)]
                if set(chosen) == pairs and all(a == p.active for a, p in zip(primed, rest, strict=True)):
                    continue
                total = [(Q(0),) * len(reduced(net, found[0].form))] * net.k
                for a, p in zip(primed, rest, strict=True):
                    term = outer(add(a, p.active, -1), vectors[p.form])
                    total = [add(x, y) for x, y in zip(total, term, strict=True)]
                if rank_mod(total, modulo) <= (len(pairs) - n) // 2:
                    return FAILS
    return HOLDS


def global_(net, domain):
    """The published global conditions; 'unknown' where they are silent."""
    if not supported(net, domain):
        return flat_verdict(net, domain)
    types = [neuron_type(f, domain) for f in net.forms]
    if net.hidden_bias and net.c is not None and domain is not None:
        good = distinct_kinks(net, domain) and not literal_flip_sets(net)
        return HOLDS if good else FAILS
    if not all(map(any, net.outs)) or {"zero", "off"} & set(types) or positive_twins(net):
        return FAILS
    if net.hidden_bias and distinct_kinks(net, domain):
        return FAILS if literal_flip_sets(net) else HOLDS
    if local(net, domain) == FAILS:
        return FAILS
    cancelling, _ = _opposite_pairs(net, domain)
    covered = "on" not in types and not cancelling
    if covered and (domain is None or not net.hidden_bias):
        return space_global(net, domain)
    return UNKNOWN


def finite_sample(net, domain):
    """The published finite-sample condition (with both kinds of biases)."""
    if domain is not None and domain_dimension(domain) < net.d:
        return flat_verdict(net, domain)
    if net.c is None or not net.hidden_bias:
        return HOLDS if distinct_kinks(net, domain) else UNKNOWN
    types = {neuron_type(f, domain) for f in net.forms}
    if types != {"kinked"} or not all(map(any, net.outs)) or positive_twins(net):
        return FAILS
    cancelling, others = _opposite_pairs(net, domain)
    double = cancelling + others
    independent = all(rank([net.outs[i] for i, _ in p.members]) == 2 for p in double)
    normals = [p.form[:-1] for p in double]
    return HOLDS if independent and rank(normals) == len(normals) else FAILS


def minimal_width(net, domain):
    """The published formula for the least width (with both kinds of biases)."""
    jumps, shape = normal_form(net, domain)
    # Linear part of L in f = L + 1/2 sum a_H |l_H|.
    linear = [row[:-1] for row in shape]
    for form, a in jumps.items():
        linear = [add(r, form[:-1], x / 2) for r, x in zip(linear, a, strict=True)]
    best = None
    for signs in product((1, -1), repeat=len(jumps)):
        for n in range(len(jumps) + 1 if domain is None else 1):
            for chosen in combinations(jumps, n):
                rows = linear
                for (form, a), s in zip(jumps.items(), signs, strict=True):
                    rows = [add(r, form[:-1], -s * x / 2) for r, x in zip(rows, a, strict=True)]
                need = rank_mod(rows, [f[:-1] for f in chosen])
                cost = len(jumps) + n + (2 if domain is None else 1) * need
                best = cost if best is None else min(best, cost)
    return best
