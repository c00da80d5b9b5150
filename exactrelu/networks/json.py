"""Network JSON: the strict reader and the writer of ``exactrelu/network`` version 1.

>>> net = Network.mlp([[[1, "1/2"]], [[2]]], [[0], None])
>>> network_from_json(network_to_json(net), "example") == net
True
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from ..errors import InvalidFile, InvalidInput
from ..rationals import text
from ..rationals.strict_json import (
    expect_format,
    expect_integer,
    expect_list,
    expect_object,
    expect_rational,
    expect_rationals,
)
from .activations import activation
from .layers import Layer, Names
from .network import Network

FORMAT: Final = "exactrelu/network"


def network_to_json(net: Network) -> dict[str, Any]:
    """The network as JSON data; every number is a string, an absent edge is ``None``."""
    return {
        "format": FORMAT,
        "version": 1,
        "input_dim": net.input_dim,
        "layers": [
            {
                "activation": layer.activation_data,
                "weights": {str(source): [[_entry(e) for e in row] for row in block] for source, block in layer.blocks},
                "bias": None if layer.bias is None else [_entry(entry) for entry in layer.bias],
            }
            for layer in net.layers
        ],
    }


def network_from_json(data: Any, source: str) -> Network:
    """The network that JSON data denotes; ``source`` names the document in messages.

    Raises :class:`~exactrelu.errors.InvalidFile`,
    :class:`~exactrelu.errors.InvalidNetwork` or
    :class:`~exactrelu.errors.InvalidNumber`, naming the place.
    """
    expect_format(data, source, FORMAT)
    fields = expect_object(data, source, required=("format", "version", "input_dim", "layers"))
    input_dim = expect_integer(fields["input_dim"], f"{source}: input_dim", least=1)
    layers = [
        _layer(entry, number, f"{source}: layers[{number}]")
        for number, entry in enumerate(expect_list(fields["layers"], f"{source}: layers"))
    ]
    try:
        return Network(input_dim, layers)
    except InvalidInput as error:
        raise error.at(source) from None


def _layer(data: Any, number: int, place: str) -> Layer:
    fields = expect_object(data, place, required=("activation", "weights", "bias"))
    weights = fields["weights"]
    if isinstance(weights, list):  # shorthand for the previous layer
        weights = {str(number): weights}
    if not isinstance(weights, dict):
        raise InvalidFile(f"{place}.weights", "must be an object of matrices by source layer, or one matrix", weights)
    blocks = {}
    for key, rows in weights.items():
        if not key.isascii() or not key.isdigit() or str(int(key[:9])) != key:
            raise InvalidFile(f"{place}.weights", 'must have source layers "0", "1", ... as keys', key)
        blocks[int(key)] = [
            [_weight(entry, f'{place}.weights["{key}"][{i}][{j}]') for j, entry in enumerate(row)]
            for i, row in enumerate(_rows(rows, f'{place}.weights["{key}"]'))
        ]
    bias = fields["bias"]
    if bias is not None:
        bias = expect_rationals(bias, f"{place}.bias")
    rho = fields["activation"]
    if isinstance(rho, list):
        rho = [activation(entry, f"{place}.activation[{i}]") for i, entry in enumerate(rho)]
    names = Names(f"{place}.weights", f'{place}.weights["{{}}"]', f"{place}.bias", f"{place}.activation")
    return Layer.named(names, blocks, bias, rho)


def _rows(value: Any, place: str) -> list[list[Any]]:
    return [expect_list(row, f"{place}[{i}]") for i, row in enumerate(expect_list(value, place))]


def _weight(value: Any, place: str) -> Fraction | None:
    return None if value is None else expect_rational(value, place)


def _entry(value: Fraction | None) -> str | None:
    return None if value is None else text(value)
