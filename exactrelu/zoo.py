r"""A zoo of named networks with what is known about them.

Each :class:`Specimen` is a network on a domain, with facts by name:

=============================  ================================================
``local, global,``             statuses of :func:`locally_identifiable`,
``finite_sample``              :func:`globally_identifiable`, :func:`finite_sample_exists`
``minimal_width``              the least number of hidden neurons on the domain
``embedding_rank``             the rank of :math:`D\Phi`
``regions``                    the number of full-dimensional activation regions
``functional_dimension``       the largest rank of a sample Jacobian
=============================  ================================================

The rows ``S01`` to ``S30`` probe the conditions for one hidden layer one by
one: each differs from a neighbour by a single hypothesis.

>>> specimen("hat").network([0])
(Fraction(1, 1),)
>>> dict(specimen("S13").facts)["global"]
'fails'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from .errors import InvalidInput
from .networks import Network
from .polyhedra import Domain


@dataclass(frozen=True, slots=True)
class Specimen:
    """A named network on a domain, with its known facts and the reason for them."""

    name: str
    network: Network
    domain: Domain
    facts: tuple[tuple[str, int | str], ...]
    reason: str

    def fact(self, name: str) -> int | str | None:
        """The value of a fact, or ``None`` if it is not on record."""
        return dict(self.facts).get(name)


def specimen(name: str) -> Specimen:
    """The specimen of that name.

    Raises :class:`~exactrelu.errors.InvalidInput` for unknown names.
    """
    if name not in SPECIMENS:
        raise InvalidInput("name", f"must be one of {', '.join(SPECIMENS)}", name)
    return SPECIMENS[name]


def shallow_network(
    neurons: Sequence[tuple[object, object, object]], *, constant: object = 0, hidden_biases: bool = True
) -> Network:
    r"""The network :math:`c+\sum_iv_i\sigma(\langle w_i,x\rangle+b_i)` from its neurons ``(w, b, v)``.

    Vectors of length 1 may be given as numbers; ``constant=None`` means no
    output bias parameter.

    >>> shallow_network([(1, 0, 1), (-1, 0, 1)])
    Network.mlp([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    """
    if not hidden_biases and any(b for _, b, _ in neurons):
        raise InvalidInput("neurons", "must have b = 0 without hidden biases", [b for _, b, _ in neurons])
    rows = [_vector(w) for w, _, _ in neurons]
    columns = [_vector(v) for _, _, v in neurons]
    matrix = [[column[o] for column in columns] for o in range(len(columns[0]))]
    bias = [b for _, b, _ in neurons] if hidden_biases else None
    offsets = None if constant is None else [constant] * len(matrix) if constant == 0 else _vector(constant)
    return Network.mlp([rows, matrix], [bias, offsets])


def braid(dimension: int) -> Network:
    r"""The sum of :math:`\sigma(x_i-x_j)`, :math:`i<j`: its walls are the braid arrangement, with :math:`d!` regions.

    >>> braid(3).widths
    (3, 3, 1)
    """
    rows = [[(k == i) - (k == j) for k in range(dimension)] for i, j in combinations(range(dimension), 2)]
    return Network.mlp([rows, [[1] * len(rows)]], [[0] * len(rows), [0]])


def _vector(value: object) -> list[object]:
    return list(value) if isinstance(value, tuple | list) else [value]


HAT: Final = shallow_network([(1, 1, 1), (1, 0, -2), (1, -1, 1)])
S16_NEURONS: Final = [((1, 0), "1/4", 1), ((0, 1), "-1/4", 1), ((1, 1), "1/8", -1)]
_OPPOSITE: Final = shallow_network([(1, 0, 2), (-1, 0, 1)])
_TWO_OUTPUTS: Final = shallow_network([(1, 0, (1, 0)), (-1, 0, (0, 1))])
_STATUS: Final = {"yes": "holds", "no": "fails"}

# name, network, domain, local, global, finite sample, why
_ROWS: Final[tuple[tuple[str, Network, str, str, str, str, str], ...]] = (
    ("S01", shallow_network([(1, 0, 1)]), "[-1,1]", "yes", "yes", "yes", "one kink inside"),
    ("S02", shallow_network([(1, -2, 1)]), "[-1,1]", "no", "no", "no", "off: the output is free"),
    ("S03", shallow_network([(1, 2, 1)]), "[-1,1]", "no", "no", "no", "on: the output bias takes up its bias"),
    ("S04", shallow_network([(1, -1, 1)]), "[-1,1]", "no", "no", "no", "the kink only touches the boundary"),
    ("S05", shallow_network([(1, -1, 1)]), "[-1,2]", "yes", "yes", "yes", "S04 on a larger domain"),
    ("S06", shallow_network([(1, 0, 1), (2, 0, 1)]), "[-1,1]", "no", "no", "no", "positive twins"),
    ("S07a", _OPPOSITE, "R", "yes", "yes", "no", "opposite twins with parallel outputs"),
    ("S07b", _OPPOSITE, "[-1,1]", "yes", "no", "no", "S07a on a bounded domain: a twin can be swung around"),
    ("S08", shallow_network([(1, 0, 1), (-1, 0, -1)]), "R", "no", "no", "no", "a cancelling pair can slide"),
    (
        "S09",
        shallow_network([(1, 0, 2), (-1, 0, 1), (1, -1, 2), (-1, 1, 1)]),
        "R",
        "no",
        "no",
        "no",
        "two opposite pairs in one dimension",
    ),
    ("S12a", _TWO_OUTPUTS, "R", "yes", "yes", "yes", "opposite twins with independent outputs"),
    ("S12b", _TWO_OUTPUTS, "[-1,1]", "yes", "no", "yes", "S12a on a bounded domain"),
    ("S13", shallow_network([(1, "1/2", 1), (1, "-1/2", -1)]), "[-1,1]", "yes", "no", "yes", "both can be flipped"),
    (
        "S14",
        shallow_network([(1, "1/2", 1), (1, 0, 2), (1, "-1/2", -3)]),
        "[-1,1]",
        "yes",
        "no",
        "yes",
        "1 + 2 - 3 = 0: all three can be flipped",
    ),
    (
        "S15",
        shallow_network([(1, "1/2", 1), (1, 0, 2), (1, "-1/2", -4)]),
        "[-1,1]",
        "yes",
        "yes",
        "yes",
        "no subset of 1, 2, -4 sums to 0",
    ),
    ("S16", shallow_network(S16_NEURONS), "[-1,1]^2", "yes", "no", "yes", "w1 + w2 - w3 = 0"),
    (
        "S17",
        shallow_network([(w, b, 1) for w, b, _ in S16_NEURONS]),
        "[-1,1]^2",
        "yes",
        "yes",
        "yes",
        "the weights are dependent, yet no subset of v w^T sums to 0",
    ),
    (
        "S18",
        shallow_network([(w, b, v) for (w, b, _), v in zip(S16_NEURONS, ((1, 0), (0, 1), (-1, -1)), strict=True)]),
        "[-1,1]^2",
        "yes",
        "yes",
        "yes",
        "two outputs keep the rank-one matrices apart",
    ),
    ("S20", shallow_network([(1, 0, 1), (1, "1/2", 0)]), "[-1,1]", "no", "no", "no", "a dead output"),
    ("S21", shallow_network([(1, 0, 1), (0, 0, 1)]), "[-1,1]", "no", "no", "no", "an all-zero neuron"),
    ("S22", shallow_network([(1, 0, 1), (0, 1, 1)]), "R", "no", "no", "no", "a constant neuron"),
    ("S28", shallow_network([(1, "1/2", 1), (1, "-1/2", -1)], constant=None), "[-1,1]", "yes", "yes", "yes",
     "S13 without output bias: flipping would leave a constant"),
)  # fmt: skip

_TRIANGLE: Final = Domain.polytope(vertices=[(0, 0), (1, 0), (0, 1)])
_SEGMENT: Final = Domain.polytope(vertices=[(-1, 0), (1, 0)])


def _identifiability(local: str, everywhere: str, finite: str) -> tuple[tuple[str, str], ...]:
    return ("local", _STATUS[local]), ("global", _STATUS[everywhere]), ("finite_sample", _STATUS[finite])


def _specimens() -> dict[str, Specimen]:
    found = [
        Specimen(name, net, Domain.parse(domain), _identifiability(local, everywhere, finite), why)
        for name, net, domain, local, everywhere, finite, why in _ROWS
    ]
    line, plane = Domain.space(1), Domain.space(2)
    diagonal = shallow_network([((1, 1), -1, 1)])
    inside = shallow_network([((1, 1), "-1/2", 1)])
    none, all_three = _identifiability("no", "no", "no"), _identifiability("yes", "yes", "yes")
    found += [
        Specimen("S23", diagonal, _TRIANGLE, none, "the hyperplane carries a facet of the triangle"),
        Specimen("S24", inside, _TRIANGLE, all_three, "the hyperplane meets the interior"),
        Specimen("S30", inside, _SEGMENT, none, "the domain has no interior points"),
        Specimen(
            "hat",
            HAT,
            line,
            (*_identifiability("yes", "no", "yes"), ("minimal_width", 3), ("embedding_rank", 7), ("regions", 4),
             ("functional_dimension", 7)),
            "distinct kinks, and 1 - 2 + 1 = 0: two parameterizations",
        ),
        Specimen(
            "absolute_value",
            shallow_network([(1, 0, 1), (-1, 0, 1)]),
            line,
            (*_identifiability("yes", "yes", "no"), ("minimal_width", 2), ("embedding_rank", 5), ("regions", 2),
             ("functional_dimension", 4)),
            "opposite twins with equal outputs",
        ),
        Specimen(
            "identity",
            shallow_network([(1, 0, 1), (-1, 0, -1)]),
            line,
            (*none, ("minimal_width", 2), ("embedding_rank", 5), ("regions", 2)),
            "relu(x) - relu(-x) = x, wherever the kink is",
        ),
        Specimen(
            "maximum",
            shallow_network([((1, -1), 0, 1), ((0, 1), 0, 1), ((0, -1), 0, -1)]),
            plane,
            (*none, ("minimal_width", 3), ("embedding_rank", 10), ("regions", 4)),
            "max(x, y) = relu(x - y) + relu(y) - relu(-y); the pair for y can slide",
        ),
        Specimen("braid3", braid(3), Domain.space(3), (("regions", 6),), "3! regions"),
        Specimen("braid4", braid(4), Domain.space(4), (("regions", 24),), "4! regions"),
    ]  # fmt: skip
    return {item.name: item for item in found}


SPECIMENS: Final = _specimens()
"""All specimens by name."""
