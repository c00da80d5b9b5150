r"""Smaller counterexamples, one step at a time, until no step leads to another counterexample.

Instances are compared by :func:`size`, lexicographically:

1. neurons, inputs and outputs included, of both networks;
2. layers;
3. parameters;
4. sample points;
5. the domain: none, all of space, :math:`[-1,1]^d`, :math:`[0,1]^d`, other products of intervals, polytopes;
6. parameters in which two networks of one architecture differ;
7. the sum of all denominators, less one each;
8. numbers other than 0;
9. the sum of all absolute numerators;
10. negative numbers.

Each step is one of :data:`~.reductions.STEPS`, makes the size smaller, and is taken only if the
statement, checked again, still fails. Since sizes are well-ordered, this ends, at an instance from which no
single step leads to a smaller counterexample. Nothing is random.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from ..errors import InvalidInput, check_budget
from ..polyhedra import Domain
from ..verdicts import Status
from .instances import Instance
from .reductions import STEPS, Step, boxes, differences, networks, numbers_of
from .theorem import Theorem

Size: TypeAlias = tuple[int, ...]


def shrink(theorem: Theorem, instance: Instance, *, budget: int | None = None, keep_domain: bool = False) -> Instance:
    """A counterexample from which no single step leads to a smaller one.

    ``budget`` bounds the number of instances that are checked; when it ends, the
    smallest counterexample so far is returned. With ``keep_domain`` the domain stays, and so do the inputs.

    Raises :class:`~exactrelu.errors.InvalidInput` unless the statement fails on ``instance``.

    >>> import exactrelu as er
    >>> claim = er.Theorem(hypotheses=[er.admissible], conclusion=er.locally_identifiable)
    >>> chain = er.Network.mlp([[[3, 1], [0, 2]], [["1/2", -1]], [[5]]], [[0, 2], [-4], [7]])
    >>> shrink(claim, er.Instance(chain)).network
    Network.mlp([[[0]], [[1]]], [[1], [0]])
    """
    check_budget(budget)
    status = theorem.check(instance).status
    if status is not Status.FAILS:
        raise InvalidInput("instance", f"must refute {theorem.id} to be shrunk", status.value)
    left = -1 if budget is None else budget
    rejected: set[Instance] = set()
    progress = True
    while progress:
        progress = False
        for step in STEPS:
            while True:
                for candidate in _smaller(step, instance, keep_domain):
                    if candidate in rejected:
                        continue
                    if left == 0:
                        return instance
                    left -= 1
                    if _fails(theorem, candidate):
                        instance, progress = candidate, True
                        break
                    rejected.add(candidate)
                else:
                    break
    return instance


def smaller_instances(instance: Instance, *, keep_domain: bool = False) -> Iterator[Instance]:
    """The instances to which single steps lead, each of smaller size."""
    for step in STEPS:
        yield from _smaller(step, instance, keep_domain)


def size(instance: Instance) -> Size:
    """The size of an instance, to be compared lexicographically.

    >>> from ..networks import Network
    >>> size(Instance(Network.mlp([[[2]], [["-1/3"]]])))
    (3, 2, 2, 0, 0, 0, 2, 2, 3, 1)
    """
    nets, numbers = networks(instance), numbers_of(instance)
    return (
        sum(sum(net.widths) for net in nets),
        sum(net.depth for net in nets),
        sum(len(net.parameters) for net in nets),
        len(instance.samples or ()),
        _rank(instance.domain),
        len(differences(instance)),
        sum(value.denominator - 1 for value in numbers),
        sum(1 for value in numbers if value),
        sum(abs(value.numerator) for value in numbers),
        sum(1 for value in numbers if value < 0),
    )


def _fails(theorem: Theorem, instance: Instance) -> bool:
    try:
        return theorem.check(instance).status is Status.FAILS
    except Exception:  # predicates may take an architecture for granted that the smaller instance does not have
        return False


def _smaller(step: Step, instance: Instance, keep_domain: bool) -> Iterator[Instance]:
    bound = size(instance)
    for candidate in step(instance):
        if size(candidate) < bound and not (keep_domain and candidate.domain != instance.domain):
            yield candidate


def _rank(domain: Domain | None) -> int:
    """How far a domain is from the simplest one."""
    if domain is None:
        return 0
    if domain.sides is None:
        return 5
    if domain.is_space:
        return 1
    return next((2 + k for k, box in enumerate(boxes(domain.ambient_dimension)) if domain == box), 4)
