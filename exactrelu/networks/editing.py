r"""Operations that turn networks into networks.

=====================  =========================================================
:func:`rescale`        :math:`w_{uv}\mapsto(\lambda_v/\lambda_u)w_{uv}`, :math:`b_v\mapsto\lambda_vb_v`
:func:`permute`        reorder hidden neurons within their layers
:func:`flip`           turn hidden neurons of a shallow network around
:func:`replace`        set parameters by name
:func:`with_values`    set all parameters
:func:`difference`     a network that computes :math:`R_a-R_b`
=====================  =========================================================

The first two preserve :math:`R_\theta` (theory: ``embedding_is_scaling_invariant``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import count

from ..errors import DifferentArchitecture, InvalidInput, WrongDimension
from ..rationals import dot, rational, rational_vector
from ..verdicts import Neuron
from .activations import IDENTITY, RELU
from .formulas import activation_name
from .layers import Layer
from .network import Network

ZERO = Fraction(0)
ONE = Fraction(1)


def rescale(net: Network, scalings: Sequence[Sequence[object]] | Mapping[Neuron, object]) -> Network:
    r"""The scaling-equivalent network with hidden neuron :math:`v` multiplied by :math:`\lambda_v>0`.

    >>> rescale(Network.mlp([[[1]], [[1]]], [[1], [0]]), {(1, 0): 2})
    Network.mlp([[[2]], [["1/2"]]], [[2], [0]])
    """
    factors = _factors(net, scalings)
    return with_values(
        net,
        [
            parameter.value * factors[parameter.target] / (factors[parameter.source] if parameter.source else ONE)
            for parameter in net.parameters
        ],
    )


def permute(net: Network, permutation: Sequence[Sequence[int]]) -> Network:
    r"""The network with neuron ``i`` of hidden layer ``l`` moved to position ``permutation[l-1][i]``.

    >>> permute(Network.mlp([[[1], [2]], [[3, 4]]]), [[1, 0]])
    Network.mlp([[[2], [1]], [[4, 3]]])
    """
    hidden = net.layers[:-1]
    _expect_groups(permutation, "permutation")
    if len(permutation) != len(hidden):
        raise WrongDimension("permutation", f"must have {len(hidden)} entries, one per hidden layer", len(permutation))
    for k, (moves, layer) in enumerate(zip(permutation, hidden, strict=True)):
        if {type(i) for i in moves} != {int} or sorted(moves) != list(range(layer.width)):
            raise InvalidInput(f"permutation[{k}]", f"must permute 0 to {layer.width - 1}", moves)
    # order[l][new] = old position, with inputs and outputs in place
    orders = [
        list(range(net.input_dim)),
        *(sorted(range(len(moves)), key=moves.__getitem__) for moves in permutation),
        list(range(net.output_dim)),
    ]
    layers = []
    for k, layer in enumerate(net.layers, start=1):
        rows = orders[k]
        layers.append(
            Layer(
                {s: [[block[i][j] for j in orders[s]] for i in rows] for s, block in layer.blocks},
                bias=None if layer.bias is None else [layer.bias[i] for i in rows],
                activation=[layer.activations[i] for i in rows],
            )
        )
    return Network(net.input_dim, layers)


def flip(net: Network, neurons: Iterable[int]) -> Network:
    r"""The shallow network with :math:`(w_i,b_i)\mapsto(-w_i,-b_i)` for :math:`i\in S` and
    :math:`c\mapsto c+\sum_{i\in S}v_ib_i` (theory: ``shallow_fibre_is_flips``).

    The function is preserved exactly when :math:`\sum_{i\in S}v_iw_i^T=0`.

    Raises :class:`~exactrelu.errors.InvalidInput` if there is no output bias to
    take up a nonzero :math:`\sum v_ib_i`.

    >>> flip(Network.mlp([[[1]], [[2]]], [[3], [0]]), [0])
    Network.mlp([[[-1]], [[2]]], [[-3], [6]])
    """
    if net.depth != 2 or not net.is_layered:
        raise InvalidInput("flip", "needs one hidden layer without skips or absent edges", net.widths)
    hidden, output = net.layers
    if any(rho != RELU for rho in hidden.activations):
        raise InvalidInput("flip", "needs ReLU neurons", hidden.activation_data)
    if not isinstance(neurons, Iterable):
        raise InvalidInput("neurons", "must be a list of indices", neurons)
    chosen = set(neurons)
    for i in chosen:
        if type(i) is not int or not 0 <= i < hidden.width:
            raise InvalidInput("neurons", f"must be indices from 0 to {hidden.width - 1}", i)
    bias = hidden.bias or (ZERO,) * hidden.width
    turned = [-ONE if i in chosen else ONE for i in range(hidden.width)]
    moved = [bias[i] if i in chosen else ZERO for i in range(hidden.width)]
    shift = [dot(row, moved) for row in output.blocks[0][1]]  # type: ignore[arg-type]  # the block is full
    if output.bias is None and any(shift):
        raise InvalidInput("flip", "needs an output bias, since the sum of v_i b_i over the flipped neurons is not 0")
    return Network(
        net.input_dim,
        [
            Layer(
                {0: [[s * w for w in row] for s, row in zip(turned, hidden.blocks[0][1], strict=True)]},  # type: ignore[operator]  # the block is full
                bias=None if hidden.bias is None else [s * b for s, b in zip(turned, bias, strict=True)],
                activation=hidden.activations,
            ),
            Layer(
                output.weights,
                bias=None if output.bias is None else [c + s for c, s in zip(output.bias, shift, strict=True)],
                activation=output.activations,
            ),
        ],
    )


def replace(net: Network, values: Mapping[str, object]) -> Network:
    """The network with the named parameters set to new values.

    Raises :class:`~exactrelu.errors.InvalidInput` for a name that the network does not have.
    """
    if not isinstance(values, Mapping):
        raise InvalidInput("values", "must map names of parameters to numbers", values)
    positions = {parameter.name: k for k, parameter in enumerate(net.parameters)}
    new = [parameter.value for parameter in net.parameters]
    for name, value in values.items():
        if name not in positions:
            raise InvalidInput("values", 'must name parameters such as "w[1<-0][0,0]" or "b[1][0]"', name)
        new[positions[name]] = rational(value, name)
    return with_values(net, new)


def with_values(net: Network, values: Sequence[Fraction]) -> Network:
    """The network of the same architecture whose parameters are ``values``, in their fixed order."""
    supply = iter(rational_vector(values, "values", length=len(net.parameters)))
    layers = []
    for layer in net.layers:
        blocks = {
            source: [[None if entry is None else next(supply) for entry in row] for row in block]
            for source, block in layer.blocks
        }
        bias = None if layer.bias is None else [next(supply) for _ in layer.bias]
        layers.append(Layer(blocks, bias=bias, activation=layer.activations))
    return Network(net.input_dim, layers)


def difference(left: Network, right: Network) -> Network:
    r"""A network that computes :math:`R_a-R_b`, of any two networks with equal dimensions.

    The hidden layers stand side by side; the output layer subtracts. Where a
    network bends at its outputs, these become hidden neurons first.

    >>> a, b = Network.mlp([[[1]], [[1]]]), Network.mlp([[[2]]])
    >>> difference(a, b)([3])
    (Fraction(-3, 1),)
    """
    if (left.input_dim, left.output_dim) != (right.input_dim, right.output_dim):
        raise DifferentArchitecture(
            "networks",
            "must have equal input and output dimensions",
            ((left.input_dim, left.output_dim), (right.input_dim, right.output_dim)),
        )
    pair = [_with_linear_output(net) for net in (left, right)]
    depth = max(net.depth for net in pair)
    layers = [_side_by_side(pair, number) for number in range(1, depth)]
    return Network(left.input_dim, [*layers, _subtracting_layer(pair)])


def _with_linear_output(net: Network) -> Network:
    if net.layers[-1].is_affine:
        return net
    size, last = net.output_dim, net.layers[-1]
    if last.bias is None:  # an output may hear nothing, a hidden neuron must hear something
        last = Layer(last.weights, bias=[ZERO] * size, activation=last.activations)
    identity = [[ONE if i == j else None for j in range(size)] for i in range(size)]
    return Network(net.input_dim, [*net.layers[:-1], last, Layer({net.depth: identity}, activation=IDENTITY)])


def _side_by_side(pair: list[Network], number: int) -> Layer:
    """Hidden layer ``number`` of both networks, those of ``pair[0]`` first."""
    present = [(k, net.layers[number - 1]) for k, net in enumerate(pair) if number < net.depth]
    width = sum(layer.width for _, layer in present)
    blocks: dict[int, list[list[Fraction | None]]] = {}
    start = 0
    for k, layer in present:
        for source, block in layer.blocks:
            columns, shift = _columns(pair, k, source)
            target = blocks.setdefault(source, [[None] * columns for _ in range(width)])
            for i, row in enumerate(block):
                target[start + i][shift : shift + len(row)] = row
        start += layer.width
    bias: list[Fraction] | None = None
    if any(layer.bias is not None for _, layer in present):
        bias = [entry for _, layer in present for entry in (layer.bias or (ZERO,) * layer.width)]
    return Layer(blocks, bias=bias, activation=[rho for _, layer in present for rho in layer.activations])


def _subtracting_layer(pair: list[Network]) -> Layer:
    size = pair[0].output_dim
    blocks: dict[int, list[list[Fraction | None]]] = {}
    bias = [ZERO] * size
    for k, net in enumerate(pair):
        sign = -ONE if k else ONE
        layer = net.layers[-1]
        bias = [old + sign * new for old, new in zip(bias, layer.bias or [ZERO] * size, strict=True)]
        for source, block in layer.blocks:
            columns, shift = _columns(pair, k, source)
            target = blocks.setdefault(source, [[None] * columns for _ in range(size)])
            for row, entries in zip(target, block, strict=True):
                for j, entry in zip(count(shift), entries):  # count never ends
                    if entry is not None:
                        row[j] = (row[j] or ZERO) + sign * entry
    return Layer(blocks, bias=bias, activation=IDENTITY)


def _columns(pair: list[Network], k: int, source: int) -> tuple[int, int]:
    """The width of a source layer side by side, and where the neurons of ``pair[k]`` begin in it."""
    if source == 0:
        return pair[0].input_dim, 0
    widths = [net.widths[source] if source < net.depth else 0 for net in pair]
    return sum(widths), sum(widths[:k])


def _expect_groups(groups: object, argument: str) -> None:
    """Refuse anything but a list of lists."""
    if isinstance(groups, str) or not isinstance(groups, Sequence):
        raise InvalidInput(argument, "must be a list with one list per hidden layer", groups)
    for k, group in enumerate(groups):
        if isinstance(group, str) or not isinstance(group, Sequence):
            raise InvalidInput(f"{argument}[{k}]", "must be a list with one entry per neuron of the layer", group)


def _factors(net: Network, scalings: Sequence[Sequence[object]] | Mapping[Neuron, object]) -> dict[Neuron, Fraction]:
    """The positive factor of every neuron, 1 on inputs and outputs."""
    factors = {(k, i): ONE for k, width in enumerate(net.widths) for i in range(width)}
    if isinstance(scalings, Mapping):
        items = list(scalings.items())
    else:
        hidden = net.widths[1:-1]
        _expect_groups(scalings, "scalings")
        if tuple(len(group) for group in scalings) != hidden:
            raise WrongDimension(
                "scalings", f"must have one group per hidden layer, of {hidden} entries", [len(g) for g in scalings]
            )
        items = [((k, i), value) for k, group in enumerate(scalings, 1) for i, value in enumerate(group)]
    for neuron, value in items:
        if neuron not in factors or not 1 <= neuron[0] < net.depth:
            raise InvalidInput("scalings", "must name hidden neurons as (layer, index)", neuron)
        factors[neuron] = rational(value, f"scalings[{neuron}]")
        if factors[neuron] <= 0:
            raise InvalidInput(f"scalings[{neuron}]", "must be positive", value)
        rho = net.layers[neuron[0] - 1].activations[neuron[1]]
        if factors[neuron] != ONE and not rho.is_positively_homogeneous:
            raise InvalidInput(f"scalings[{neuron}]", f"must be 1, as {activation_name(rho)} is not homogeneous", value)
    return factors
