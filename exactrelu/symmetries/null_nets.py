r"""Null nets: irreducible networks that realize 0.

They are what limits the reach of affine symmetries: if there is none, any two
irreducible networks with the same function arise from each other by
modifications; if there is one, adding it to a network changes the network in
another way (theory: V4, after Vlačić and Bölcskei). For :math:`\tanh` there is
none. For ReLU there are: :math:`\sigma(\sigma(t))-\sigma(t)`, and among networks
with one hidden layer and no skips six neurons in two inputs, such as
:math:`\sum_iv_i(\sigma(z_i)-\sigma(-z_i))=\sum_iv_iz_i=0` for
:math:`z=(x,y,x+y)`, :math:`v=(1,1,-1)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Final

from ..equality import same_function
from ..errors import BudgetExceeded, InvalidInput, check_budget
from ..networks import IDENTITY, Layer, Network, PiecewiseLinear
from ..networks.activations import activation
from ..rationals import Matrix, Vector, kernel, rational_vector
from ..regions import activation_regions
from ..verdicts import Condition, Status, Verdict
from .circuits import circuits
from .irreducible import irreducible
from .orbit import representative

DEFAULT_BUDGET: Final = 100_000
"""The number of choices of hidden neurons that are tried unless another budget is given."""


def is_null_net(net: Network, *, budget: int | None = None) -> Verdict:
    r"""Whether a network realizes 0 although it is irreducible and none of its neurons is constant.

    Evidence is what :func:`~exactrelu.same_function` says about the network and
    0, or an internal symmetry. ``unknown`` when ``budget`` regions do not suffice.

    >>> null = Network(1, [Layer({0: [[1]]}), Layer({1: [[1]]}), Layer({2: [[1]], 1: [[-1]]}, activation="identity")])
    >>> is_null_net(null).status.value  # relu(relu(t)) - relu(t)
    'holds'
    """
    check_budget(budget)
    claim = "the network is irreducible and realizes 0"
    nothing = _zero(net)
    zero = same_function(net, nothing, budget=budget)
    reduced, constant = irreducible(net), _no_constant_neuron(net)
    conditions = (Condition("realizes_zero", zero.status), constant, *reduced.conditions)
    found = {condition.status for condition in conditions}
    status = Status.FAILS if Status.FAILS in found else zero.status
    evidence = reduced.evidence if zero.status is Status.HOLDS and reduced.evidence else zero.evidence
    verdict = Verdict(claim, status, conditions, evidence=evidence)
    return verdict.about("is_null_net", network=net, other=nothing)


def find_null_nets(
    rho: object = "relu",
    *,
    input_dim: int = 1,
    widths: Sequence[int] = (1, 1),
    entries: Iterable[object] = (-1, 0, 1),
    biases: bool = False,
    skips: bool = True,
    budget: int | None = None,
) -> Iterator[Network]:
    r"""All null nets with one output, given hidden ``widths`` and hidden parameters among ``entries``.

    With ``skips`` a layer, the output too, reads all earlier layers and the inputs,
    otherwise the previous layer only; with ``biases`` hidden layers have bias parameters. The
    output has a bias; its weights are whatever the hidden neurons allow, exactly:
    they are the relations among the functions of these neurons (and, with skips,
    the inputs) with minimal support. One network is given per class under
    permutation, scaling and multiples of the output.

    Raises :class:`~exactrelu.errors.BudgetExceeded` after ``budget`` choices of
    hidden neurons (100,000 by default), and
    :class:`~exactrelu.errors.InvalidInput` unless :math:`\rho` is piecewise linear.

    >>> from ..networks.formulas import formulas
    >>> for net in find_null_nets(widths=(1, 1), entries=(0, 1)):
    ...     print("; ".join(formulas(net)))
    h1_0 = relu(x0); h2_0 = relu(h1_0); y0 = h1_0 - h2_0
    h1_0 = relu(x0); h2_0 = relu(x0 + h1_0); y0 = h1_0 - 1/2*h2_0
    """
    return _found(_checked(rho, input_dim, widths, entries, biases, skips, budget))


def _found(search: _Search) -> Iterator[Network]:
    seen: set[Network] = set()
    for tried, hidden in enumerate(search.hidden_layers()):
        if tried >= search.budget:
            raise BudgetExceeded("choices of hidden neurons", search.budget)
        for net in _with_relations(search.sizes[0], hidden, search.skips):
            if {irreducible(net).status, _no_constant_neuron(net).status} == {Status.HOLDS}:
                names = _classes(net)
                if not names & seen:
                    yield net
                seen |= names


@dataclass(frozen=True, slots=True)
class _Search:
    """What all networks of a search have in common."""

    rho: PiecewiseLinear
    sizes: tuple[int, ...]
    entries: Sequence[Fraction]
    biases: bool
    skips: bool
    budget: int

    def hidden_layers(self, below: tuple[Layer, ...] = ()) -> Iterator[tuple[Layer, ...]]:
        """All choices of hidden layers whose rows differ, up to their order."""
        number = len(below)
        if number == len(self.sizes) - 1:
            yield below
            return
        for rows in combinations(self.rows(number), self.sizes[number + 1]):
            yield from self.hidden_layers((*below, self.layer(rows, number)))

    def rows(self, number: int) -> list[Vector]:
        """The possible neurons above layer ``number``, without constant ones."""
        columns = sum(self.sizes[: number + 1]) if self.skips else self.sizes[number]
        count = len(self.entries) ** (columns + self.biases)
        if count > self.budget:
            raise BudgetExceeded("neurons of a layer", self.budget, count)
        rows = [row for row in product(self.entries, repeat=columns + self.biases) if any(row[:columns])]
        last = number == len(self.sizes) - 2
        if not (last and self.rho.is_positively_homogeneous):
            return rows
        # Only the output reads the last hidden layer, and its weights take up any scale.
        by_direction = {tuple(entry / max(map(abs, row)) for entry in row): row for row in reversed(rows)}
        return sorted(by_direction.values())

    def layer(self, rows: Sequence[Vector], number: int) -> Layer:
        """The layer with these rows above layer ``number``."""
        blocks, start = {}, 0
        for source in range(number + 1) if self.skips else (number,):
            blocks[source] = [row[start : start + self.sizes[source]] for row in rows]
            start += self.sizes[source]
        return Layer(blocks, bias=[row[-1] for row in rows] if self.biases else None, activation=self.rho)


def _checked(
    rho: object,
    input_dim: int,
    widths: Sequence[int],
    entries: Iterable[object],
    biases: bool,
    skips: bool,
    budget: int | None,
) -> _Search:
    function = activation(rho, "rho")
    if not isinstance(function, PiecewiseLinear) or function.is_affine:
        raise InvalidInput("rho", "must be piecewise linear and bend", function.explain())
    numbers = sorted(set(rational_vector(entries, "entries")))
    if type(input_dim) is not int or input_dim < 1:
        raise InvalidInput("input_dim", "must be a positive integer", input_dim)
    if not isinstance(widths, Sequence) or not widths or not all(type(n) is int and n > 0 for n in widths):
        raise InvalidInput("widths", "must be positive integers, one per hidden layer", widths)
    check_budget(budget)
    most = DEFAULT_BUDGET if budget is None else budget
    return _Search(function, (input_dim, *widths), numbers, biases, skips, most)


def _with_relations(input_dim: int, hidden: tuple[Layer, ...], skips: bool) -> Iterator[Network]:
    """The networks with an output that is 0, with weights of minimal support."""
    probe = _all_values(input_dim, hidden, skips)
    visible = _must_be_heard(probe)
    for vector in circuits(_relations(probe)):
        if all(vector[i] for i in visible):
            yield _combined(probe, vector)


def _all_values(input_dim: int, hidden: tuple[Layer, ...], skips: bool) -> Network:
    """The network whose outputs are the neurons of the last layer, and with skips all others and the inputs."""
    sizes = [input_dim, *(layer.width for layer in hidden)]
    first = 0 if skips else len(hidden)
    total, start, blocks = sum(sizes[first:]), 0, {}
    for source in range(first, len(sizes)):
        blocks[source] = [[int(i == start + j) for j in range(sizes[source])] for i in range(total)]
        start += sizes[source]
    return Network(input_dim, [*hidden, Layer(blocks, bias=[0] * total, activation=IDENTITY)])


def _must_be_heard(probe: Network) -> list[int]:
    """The outputs of the probe whose hidden neurons have no other child."""
    fed = {p.source for p in probe.parameters if p.value and p.target[0] < probe.depth}
    outputs = {p.source: p.target[1] for p in probe.parameters if p.value and p.target[0] == probe.depth}
    return [outputs[neuron] for neuron in probe.hidden_neurons if neuron in outputs and neuron not in fed]


def _relations(probe: Network) -> Matrix:
    """A basis of the relations among the outputs and 1: those among their affine maps on every region."""
    rows = []
    for region in activation_regions(probe):
        matrix, offset = region.affine_map
        rows += [[*slopes, Fraction(0)] for slopes in zip(*matrix, strict=True)] + [[*offset, Fraction(1)]]
    return kernel(rows, probe.output_dim + 1)


def _combined(probe: Network, vector: Vector) -> Network:
    """The network with one output that is a combination of those of the probe and 1."""
    blocks = {}
    for source, block in probe.layers[-1].blocks:
        places = [next(o for o, row in enumerate(block) if row[j]) for j in range(len(block[0]))]
        blocks[source] = [[vector[o] for o in places]]
    output = Layer(blocks, bias=[vector[-1]], activation=IDENTITY)
    return Network(probe.input_dim, [*probe.layers[:-1], output])


def _no_constant_neuron(net: Network) -> Condition:
    fed = {parameter.target for parameter in net.parameters if parameter.value and parameter.source}
    constant = tuple(neuron for neuron in net.hidden_neurons if neuron not in fed)
    return Condition("no_constant_neuron", Status.FAILS if constant else Status.HOLDS, constant)


def _zero(net: Network) -> Network:
    """The network 0 of the same dimensions."""
    return Network.mlp([[[0] * net.input_dim for _ in range(net.output_dim)]])


def _classes(net: Network) -> set[Network]:
    """The representatives of the two multiples of a network whose largest output parameter is 1 or -1."""
    net = representative(net)
    largest = max(abs(p.value) for p in net.parameters if p.target[0] == net.depth)
    return {
        net.with_values([p.value / (sign * largest) if p.target[0] == net.depth else p.value for p in net.parameters])
        for sign in (1, -1)
    }
